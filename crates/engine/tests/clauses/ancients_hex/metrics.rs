//! Section III: the questions of the checklist, as metrics.

use grognard_dice::SeededDice;
use grognard_engine::hex;
use grognard_engine::{Event, Gauged, Gauges, Scene, Side, Witness};

use super::{Board, From, at, from, ground, misses, rules};
use crate::common::witnessed;

/// The metric for a clause.
fn gauge(clause: &str) -> u8 {
    let asks = |gauge: &grognard_rules::model::Gauge| gauge.source.clauses().eq([clause]);
    rules().gauges.iter().position(asks).unwrap_or_else(|| panic!("no metric for {clause}")) as u8
}

fn metric(clause: &str) -> Gauges<'static> {
    // A metric is tested by what it counts, because no event cites it.
    witnessed(clause);
    Gauges::new(rules(), 2, &[gauge(clause)])
}

/// The southern side's sums: part and whole.
fn sums(gauges: &Gauges<'_>) -> (i32, u32) {
    let Gauged { part, of } = gauges.counts()[Side::First][0];
    (part, of)
}

fn see(gauges: &mut Gauges<'_>, board: &Board, event: &Event) {
    gauges.see(Scene::new(board.rules, &board.setup, &board.battle), event);
}

/// The sums of a metric at the start of the southern side's turn.
fn at_turn(clause: &str, board: &Board) -> (i32, u32) {
    let mut gauges = metric(clause);
    see(&mut gauges, board, &Event::HalfTurn);
    sums(&gauges)
}

/// An attack by a southern unit on a northern one, measured by these gauges.
fn attack(gauges: &mut Gauges<'_>, board: &mut Board, number: usize, enemy: usize) {
    let (id, enemy) = (board.south(number), board.north(enemy));
    let mut dice = SeededDice::new(4);
    hex::attack(board.rules, &board.setup, &mut board.battle, id, enemy, &mut dice, gauges).expect("a legal attack");
}

/// One attack on a unit in the middle of the board.
fn attacked(gauges: &mut Gauges<'_>, kind: &str, side: From, target: &str) {
    let mut board = Board::new(&[from(kind, side)], &[at(target, (0, 0), 1)]);
    attack(gauges, &mut board, 0, 0);
}

/// The number of steps of 60 degrees by which a unit attacked on its flank could still turn.
pub(super) fn steps_left(kind: &str) -> i32 {
    let mut gauges = metric("III.C-3");
    attacked(&mut gauges, "medium-infantry", From::Flank, kind);
    sums(&gauges).0
}

/// Of six exposed flank hexes, four are next to units that can turn.
#[test]
fn clause_iii_a_1() {
    let own = [at("light-cavalry", (-6, 4), 1), at("heavy-cavalry", (-2, 4), 1), at("heavy-infantry", (2, 4), 1)];
    let riders = [(-4, 1), (0, 1), (4, 1)].map(|place| at("light-cavalry", place, 4));
    assert_eq!(at_turn("III.A-1", &Board::new(&own, &riders)), (4, 6));
    // No unit can come near, so there is nothing to cover, which counts as covered.
    let far = [at("heavy-infantry", (2, -4), 4)];
    assert_eq!(at_turn("III.A-1", &Board::new(&own, &far)), (0, 0));
    assert_eq!(rules().gauges[usize::from(gauge("III.A-1"))].empty, 1);
}

/// A rider can get behind either of two enemies in two moves.
#[test]
fn clause_iii_b_1() {
    let enemies = [at("medium-infantry", (-1, -1), 4), at("heavy-infantry", (2, -1), 4)];
    let rider = Board::new(&[at("light-cavalry", (0, 2), 1)], &enemies);
    assert_eq!(at_turn("III.B-1", &rider), (2, 1));
    let foot = Board::new(&[at("heavy-infantry", (0, 4), 1)], &enemies);
    assert_eq!(at_turn("III.B-1", &foot), (0, 1));
}

/// Two moves count, and the second begins where the first ends. One is not enough, and a third does not count.
#[test]
fn openings_take_two_moves() {
    let enemy = [at("medium-infantry", (0, -2), 4)];
    for (place, threats) in [((2, 0), 1), ((2, 2), 0)] {
        let board = Board::new(&[at("heavy-cavalry", place, 1)], &enemy);
        let once = hex::reach(board.rules, &board.setup, &board.battle, board.south(0));
        let flanks = [(1, -2), (-1, -2), (0, -3), (1, -3)];
        assert!(!once.iter().any(|(hex, _)| flanks.contains(hex)), "one move does not do");
        assert_eq!(at_turn("III.B-1", &board), (threats, 1), "from {place:?}");
    }
}

/// Three units are in line with their backs to the edge. Stepping forward opens their rear.
#[test]
fn clause_iii_b_2() {
    let line = [(-3, 4), (-2, 4), (-1, 4)].map(|place| at("medium-infantry", place, 1));
    let rider = [at("medium-cavalry", (1, 2), 3)];
    let board = Board::new(&line, &rider);
    let mut cover = metric("III.A-1");
    see(&mut cover, &board, &Event::HalfTurn);
    assert_eq!(sums(&cover).1, 1, "exposed before");
    assert_eq!(at_turn("III.B-2", &board), (2, 1));
}

/// Medium cavalry reaches an enemy at distance 4, but heavy cavalry does not.
#[test]
fn clause_iii_b_3() {
    let own = [at("medium-cavalry", (-4, 2), 1), at("heavy-cavalry", (0, 2), 1), at("heavy-infantry", (-1, 1), 1)];
    let board = Board::new(&own, &[at("heavy-infantry", (0, -2), 4)]);
    assert_eq!(at_turn("III.B-3", &board), (1, 2));
}

/// Two of ten attacks by cavalry are on the front of medium infantry.
#[test]
fn clause_iii_c_1() {
    let mut gauges = metric("III.C-1");
    for _ in 0..2 {
        attacked(&mut gauges, "heavy-cavalry", From::Front, "medium-infantry");
    }
    for _ in 0..8 {
        attacked(&mut gauges, "heavy-cavalry", From::Flank, "medium-infantry");
    }
    // Foot and elephants are not cavalry.
    attacked(&mut gauges, "heavy-infantry", From::Front, "medium-infantry");
    attacked(&mut gauges, "elephants", From::Front, "medium-infantry");
    assert_eq!(sums(&gauges), (2, 10));
}

/// Five of twelve attacks are on the flank or rear after the targets have turned.
#[test]
fn clause_iii_c_2() {
    let mut gauges = metric("III.C-2");
    for side in [From::Flank, From::Flank, From::Flank, From::Rear, From::Rear] {
        attacked(&mut gauges, "medium-infantry", side, "heavy-infantry");
    }
    for _ in 0..6 {
        attacked(&mut gauges, "medium-infantry", From::Front, "heavy-infantry");
    }
    // A unit attacked on its flank turns its front to the attacker.
    let own = [from("medium-infantry", From::Flank)];
    let mut board = Board::led(("still", &own), ("turn", &[at("medium-cavalry", (0, 0), 1)]));
    attack(&mut gauges, &mut board, 0, 0);
    assert_eq!(sums(&gauges), (5, 12));
}

/// Heavy infantry has no steps left, heavy cavalry has one, and light cavalry has two.
#[test]
fn clause_iii_c_3() {
    let mut gauges = metric("III.C-3");
    for target in ["heavy-infantry", "heavy-cavalry", "light-cavalry"] {
        attacked(&mut gauges, "medium-infantry", From::Flank, target);
    }
    attacked(&mut gauges, "medium-infantry", From::Front, "light-cavalry");
    assert_eq!(sums(&gauges), (3, 3));
}

/// One rear hex is occupied by an enemy, and the other is free.
#[test]
fn clause_iii_c_4() {
    let mut gauges = metric("III.C-4");
    attacked(&mut gauges, "medium-infantry", From::Rear, "medium-infantry");
    // A lone leader has no facing, and so no rear (U13).
    attacked(&mut gauges, "medium-infantry", From::Rear, "leader");
    assert_eq!(sums(&gauges), (1, 1));
}

/// The metric compares the flanks exposed before an attack and after the advance that follows it.
#[test]
fn clause_iii_c_5() {
    let own = [at("heavy-infantry", (0, 4), 1), at("medium-infantry", (-1, 4), 1)];
    let enemies = [at("medium-infantry", (0, 3), 4).figures(1), at("light-cavalry", (0, 1), 4)];
    let mut board = Board::led(("line", &own), ("still", &enemies));
    let exposed = |board: &Board| at_turn("III.A-1", board).1 as i32;
    let before = exposed(&board);
    let mut gauges = metric("III.C-5");
    let (id, target) = (board.south(0), board.north(0));
    let mut dice = grognard_dice::ScriptedDice::new(["medium", "leader", "leader", "leader", "leader"]);
    hex::attack(board.rules, &board.setup, &mut board.battle, id, target, &mut dice, &mut gauges).expect("an attack");
    dice.finish();
    assert_eq!(board.place(id), (0, 3), "it has advanced");
    assert_eq!((before, exposed(&board)), (2, 5));
    assert_eq!(sums(&gauges), (3, 1));
    // An attack is followed by a bonus combat. Changes made by the second are counted once, so both add up to the whole
    // change.
    let riders = |place: (i32, i32)| [at("heavy-cavalry", place, 1), at("medium-infantry", (-1, 4), 1)];
    let enemies = [
        at("medium-infantry", (0, 3), 4).figures(1),
        at("light-infantry", (0, 2), 4).figures(1),
        at("light-cavalry", (0, 0), 4),
    ];
    let mut board = Board::led(("line", &riders((0, 4))), ("still", &enemies));
    let (before, between) = (exposed(&board), exposed(&Board::new(&riders((0, 3)), &enemies[1..])));
    let mut gauges = metric("III.C-5");
    let mut dice = grognard_dice::ScriptedDice::new(["medium", "leader", "light", "leader", "leader", "leader"]);
    hex::attack(board.rules, &board.setup, &mut board.battle, id, target, &mut dice, &mut gauges).expect("an attack");
    dice.finish();
    assert_eq!(board.place(id), (0, 2), "it has advanced twice");
    assert_ne!(between, exposed(&board), "the bonus combat changes something");
    assert_eq!(sums(&gauges), (exposed(&board) - before, 2));
}

/// Of two light units at range 2, one sees the flank.
#[test]
fn clause_iii_d_1() {
    let own = [at("light-infantry", (-1, 2), 1), at("light-infantry", (-2, 0), 0)];
    let board = Board::new(&own, &[at("medium-infantry", (0, 0), 4)]);
    assert_eq!(at_turn("III.D-1", &board), (1, 1));
}

/// The strong unit has two friends behind it, and would have none where it could attack.
#[test]
fn clause_iii_d_2() {
    let strong = at("heavy-infantry", (0, -2), 4);
    let friends = [at("medium-infantry", (0, -3), 4), at("medium-infantry", (1, -3), 4)];
    let light = [at("light-infantry", (0, 0), 1)];
    let board = Board::new(&light, &[strong.clone(), friends[0].clone(), friends[1].clone()]);
    assert_eq!(at_turn("III.D-2", &board), (1, 1));
    // A lone leader is not a light unit, and the leader with the strong unit is not left behind.
    let leader = [at("leader", (0, 0), 1)];
    assert_eq!(at_turn("III.D-2", &Board::new(&leader, &[strong.clone(), friends[0].clone()])).0, 0);
    let led = [strong.clone(), friends[0].clone(), at("leader", (0, -2), 4)];
    assert_eq!(at_turn("III.D-2", &Board::new(&light, &led)).0, 1);
    assert_eq!(at_turn("III.D-2", &Board::new(&light, &led[..2])).0, 1);
    // A lone leader also counts as a friend beside it (B25). Behind the unit, he is left behind; next to both hexes, he
    // is not.
    for (place, lured) in [((1, -3), 1), ((1, -2), 0)] {
        let board = Board::new(&light, &[strong.clone(), at("leader", place, 4)]);
        assert_eq!(at_turn("III.D-2", &board).0, lured, "a leader at {place:?}");
    }
    // On its own, the strong unit has no friends to leave.
    assert_eq!(at_turn("III.D-2", &Board::new(&light, &[strong])), (0, 1));
}

/// A unit fires in three consecutive turns out of reach of the enemy, then once within reach.
#[test]
fn clause_iii_d_3() {
    let bows = |distance: i32| Board::new(&[at("light-bow", (0, 0), 1)], &[at("heavy-infantry", (0, -distance), 4)]);
    let mut gauges = metric("III.D-3");
    let turn = |gauges: &mut Gauges<'_>, distance: i32, fires: bool| {
        let mut board = bows(distance);
        if fires {
            let target = board.north(0);
            board.shoot(0, target, &misses(2));
        }
        see(gauges, &board, &Event::HalfTurnOver);
    };
    turn(&mut gauges, 3, true);
    turn(&mut gauges, 3, false);
    for _ in 4..=6 {
        turn(&mut gauges, 3, true);
    }
    turn(&mut gauges, 2, true);
    assert_eq!(sums(&gauges), (3, 1));
}

/// Three attackers have two, one and no free rear hexes.
#[test]
fn clause_iii_e_1() {
    let attackers = [(-3, 0), (0, 0), (3, 0)].map(|place| at("medium-infantry", place, 1));
    let behind = [(0, 1), (2, 1), (3, 1)].map(|place| at("medium-infantry", place, 1));
    let own = [attackers.as_slice(), behind.as_slice()].concat();
    let enemies = [(-2, -1), (1, -1), (4, -1)].map(|place| at("medium-infantry", place, 4));
    let mut board = Board::new(&own, &enemies);
    for number in 0..3 {
        let target = board.north(number);
        board.attack(number, target, &misses(4 + 4));
    }
    let mut gauges = metric("III.E-1");
    see(&mut gauges, &board, &Event::HalfTurnOver);
    assert_eq!(sums(&gauges), (3, 3));
}

/// One of two enemies would be in front after the advance.
#[test]
fn clause_iii_e_2() {
    let enemies =
        [at("light-infantry", (0, -1), 4), at("medium-infantry", (1, -2), 4), at("medium-infantry", (-1, -1), 4)];
    let mut board = Board::new(&[at("heavy-cavalry", (0, 0), 1)], &enemies);
    let mut gauges = metric("III.E-2");
    attack(&mut gauges, &mut board, 0, 0);
    assert_eq!(sums(&gauges), (1, 1));
    // No unit advances after attacking a lone leader (B27).
    let enemies = [at("leader", (0, -1), 4), at("medium-infantry", (1, -2), 4)];
    let mut board = Board::new(&[at("heavy-cavalry", (0, 0), 1)], &enemies);
    attack(&mut gauges, &mut board, 0, 0);
    assert_eq!(sums(&gauges), (1, 1));
    // War machines never advance.
    let enemies = [at("light-infantry", (0, -1), 4), at("medium-infantry", (1, -2), 4)];
    let mut board = Board::new(&[at("war-machine", (0, 0), 1)], &enemies);
    attack(&mut gauges, &mut board, 0, 0);
    assert_eq!(sums(&gauges), (1, 1));
}

/// The set of reachable places is the one found by trying marches act by act.
#[test]
fn whole_reaches_are_those_of_single_marches() {
    let enemies = [at("medium-infantry", (1, -2), 4), at("heavy-infantry", (-1, -1), 0)];
    for kind in ["medium-cavalry", "heavy-cavalry", "light-infantry", "heavy-infantry", "warriors"] {
        for facing in if kind == "medium-cavalry" { 1..2 } else { 0..2 } {
            for forest in [&["hex.terrain.forest.at=[\"0,-1\", \"1,1\"]"][..], &[]] {
                let own = [at(kind, (0, 0), facing), at("medium-infantry", (1, 0), 1), at("leader", (-1, 0), 1)];
                let board = Board::under(ground(forest), ("still", &own), ("still", &enemies));
                let id = board.south(0);
                let whole = hex::reach(board.rules, &board.setup, &board.battle, id);
                let singly = hex::reach_by_marches(board.rules, &board.setup, &board.battle, id);
                assert_eq!(whole, singly, "{kind} facing {facing}");
                assert!(whole.len() > 1, "{kind} facing {facing}");
            }
        }
    }
}

/// A line that advances takes its leaders along, and does not enter terrain that is closed to it (III.B-2).
#[test]
fn lines_advance_as_units_do() {
    let places = [(-3, 4), (-2, 4), (-1, 4)];
    let rider = [at("medium-cavalry", (1, 2), 3)];
    let line = |kind: &str| places.map(|place| at(kind, place, 1));
    let led = [line("medium-infantry"), line("leader")].concat();
    assert_eq!(at_turn("III.B-2", &Board::new(&led, &rider)), (2, 1), "as without leaders");
    // War machines do not enter broken ground (B36): they stay, and expose nothing.
    let broken = ground(&["hex.terrain.broken.at=[\"-3,3\", \"-2,3\", \"-1,3\", \"0,3\"]"]);
    let engines = Board::under(broken, ("still", &line("war-machine")), ("still", &rider));
    assert_eq!(at_turn("III.B-2", &engines), (0, 1));
    let foot = Board::under(broken, ("still", &line("medium-infantry")), ("still", &rider));
    assert!(at_turn("III.B-2", &foot).0 > 0);
}

/// A unit without a leader may enter the hex of a lone leader, and takes him along; a unit that has a leader may not
/// (B10, III.B-2).
#[test]
fn lines_advance_to_lone_leaders() {
    // Both hexes behind it are off the board, so riders can be only at its two flanks. One hex ahead, on either side,
    // they can be in its two rear hexes and at the flank where the other leader is not: 3 minus 2.
    let riders = [at("light-cavalry", (-5, 4), 0), at("light-cavalry", (4, 1), 3)];
    let line = [(-1, 3), (0, 3), (-1, 4)].map(|place| at("leader", place, 1));
    for (leaders, bared) in [(2, 1), (3, 0)] {
        let own = [&[at("medium-infantry", (-1, 4), 1)][..], &line[..leaders]].concat();
        assert_eq!(at_turn("III.B-2", &Board::new(&own, &riders)), (bared, 1), "{leaders} leaders");
    }
}

/// A unit that could reach another, but not fight it in that turn, does not count (III.D-2, III.D-3): auxilia after two
/// hexes, a war machine after one, and heavy foot in a wood (B8, B33).
#[test]
fn enemies_that_could_not_fight_do_not_count() {
    for (kind, distance, counts) in [
        ("auxilia", 3, false),
        ("auxilia", 2, true),
        ("war-machine", 2, false),
        ("heavy-infantry", 2, true),
        ("heavy-cavalry", 3, true),
    ] {
        let mut board = Board::new(&[at("light-bow", (0, 0), 1)], &[at(kind, (0, -distance), 4)]);
        let target = board.north(0);
        board.shoot(0, target, &misses(2));
        let mut gauges = metric("III.D-3");
        see(&mut gauges, &board, &Event::HalfTurnOver);
        assert_eq!(sums(&gauges), (i32::from(!counts), 1), "{kind} at {distance}");
    }
    let forest = ground(&["hex.terrain.forest.at=[\"0,-1\"]"]);
    for (rules, kind, lured) in [
        (rules(), "heavy-infantry", 1),
        (forest, "heavy-infantry", 0),
        (forest, "warriors", 1),
        (rules(), "war-machine", 0),
    ] {
        let north = [at(kind, (0, -2), 4), at("medium-infantry", (0, -3), 4), at("medium-infantry", (1, -3), 4)];
        let board = Board::under(rules, ("still", &[at("light-infantry", (0, 0), 1)]), ("still", &north));
        assert_eq!(at_turn("III.D-2", &board).0, lured, "{kind}");
    }
}
