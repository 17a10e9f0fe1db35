//! Leaders: with units and alone, at risk and in flight (B10, B21, B26, B29 of the base game).

use grognard_dice::ScriptedDice;
use grognard_engine::hex::{self, Act};
use grognard_engine::{Event, HexEvent};
use grognard_rules::model::Provides;

use super::{Board, From, at, from, ground};

/// Each leader is checked at most once in a combat. A check for one leader does not replace a check for another. A
/// leader who has passed is not put at risk again by later losses of his unit in the same combat.
#[test]
fn fact_b29_checks_each_leader_once() {
    let led = |unit: super::Men, place: (i32, i32)| [unit, at("leader", place, 1)];
    // The target loses a block and its leader survives; battling back costs the attacker a block, and its leader falls.
    let own = led(from("medium-infantry", From::Front), (1, -1));
    let mut board = Board::new(&own, &led(at("heavy-infantry", (0, 0), 1), (0, 0)));
    let target = board.north(0);
    let attack = ["heavy", "light", "light", "light"];
    let answer = ["medium", "light", "light", "light", "light"];
    board.attack(0, target, &[&attack[..], &["light"; 2], &answer, &["leader"; 2]].concat());
    assert!(!board.unit(board.north(1)).gone() && board.unit(board.south(1)).gone());
    // The target loses a block to a triangle and one for a hex of retreat beyond the edge of the board, but there is
    // only one check. The leader lets the unit ignore one of two flags.
    let mut board = Board::new(&[at("heavy-infantry", (2, -3), 1)], &led(at("medium-infantry", (2, -4), 4), (2, -4)));
    let target = board.north(0);
    let attack = ["medium", "flag", "flag", "light", "light", "light", "leader"];
    board.attack(0, target, &[&attack[..], &["light"; 4]].concat());
    assert_eq!(board.unit(target).figures, 2);
    assert!(!board.unit(board.north(1)).gone());
}

/// A unit with a leader neither marches into the hex of another leader nor is driven there: a hex holds one leader
/// (B10).
#[test]
fn units_have_one_leader() {
    let far = [at("heavy-infantry", (0, -4), 4)];
    let alone = at("leader", (0, -1), 1);
    let goes = |leads: bool| {
        let mut own = vec![at("medium-infantry", (0, 0), 1), alone.clone()];
        own.extend(leads.then(|| at("leader", (0, 0), 1)));
        Board::new(&own, &far).destinations(0).contains(&(0, -1))
    };
    assert!(goes(false) && !goes(true));
    // The unit is driven back: one rear hex is free, and the other holds a leader.
    for leads in [false, true] {
        let mut north = vec![at("light-infantry", (0, 0), 1), at("leader", (0, 1), 1)];
        north.extend([(-2, 2), (-1, 2)].map(|place| at("auxilia", place, 1)));
        north.extend(leads.then(|| at("leader", (0, 0), 1)));
        let mut board = Board::new(&[from("medium-infantry", From::Front)], &north);
        let target = board.north(0);
        // Its own leader lets it ignore one flag, and is at risk when it loses a block.
        let faces: &[&str] = if leads { &["flag", "flag", "medium", "medium", "light", "light"] } else { &["flag"] };
        board.attack(0, target, &[faces, &["medium"; 3][..if leads { 0 } else { 3 }]].concat());
        let there = board.place(target);
        assert_eq!(there == (0, 1), !leads, "{there:?}");
        assert_eq!(board.unit(target).figures, if leads { 3 } else { 4 }, "a block for the hex it cannot make");
    }
}

/// A fleeing leader does not cross a river (B35).
#[test]
fn leaders_do_not_flee_through_rivers() {
    let ends = |river: &str| {
        let rules = ground(&[&format!("hex.terrain.river.at=[{river}]")]);
        let own = [from("medium-infantry", From::Rear)];
        let mut board = Board::under(rules, ("still", &own), ("still", &[at("leader", (0, 0), 1)]));
        let leader = board.north(0);
        board.attack(0, leader, &["light"; 4]);
        board.place(leader)
    };
    assert_eq!(ends("\"0,-1\", \"1,-1\""), (0, 0));
    assert_eq!(ends("\"0,-2\", \"1,-2\", \"2,-2\", \"-1,-1\"").1, -1);
}

/// A fleeing leader passes other lone leaders, but does not stop with any of them: a hex holds one leader (B10, I.D-3).
/// All of them can still be attacked.
#[test]
fn leaders_do_not_flee_to_lone_leaders() {
    for (rows, north) in [(1, 3), (3, 0)] {
        // All hexes that he could enter in this many steps hold leaders: two hexes after one step, three after two,
        // four after three.
        let others = (1..=rows).flat_map(|row| (0..=row).map(move |column| at("leader", (column, -row), 4)));
        let leaders: Vec<super::Men> = [at("leader", (0, 0), 4)].into_iter().chain(others).collect();
        let mut board = Board::new(&[from("medium-infantry", From::Rear)], &leaders);
        let leader = board.north(0);
        board.attack(0, leader, &["light"; 4]);
        assert_eq!(board.place(leader).1, -north, "{rows} rows of leaders");
        assert!(board.battle.units.iter().all(|unit| unit.hex.mate.is_none()), "nobody has joined anybody");
        assert_eq!(board.targets(0).len(), usize::from(north == 0), "who has stayed may be attacked again");
    }
    // The leader of an abandoned machine passes the leader next to it.
    let rules = ground(&["doctrine.turn.row.react.do=\"evade\""]);
    let crew =
        [at("war-machine", (0, 0), 1), at("leader", (0, 0), 1), at("leader", (0, -1), 1), at("leader", (1, -1), 1)];
    let mut board = Board::under(rules, ("still", &[from("medium-infantry", From::Rear)]), ("turn", &crew));
    let (machine, leader) = (board.north(0), board.north(1));
    board.attack(0, machine, &["light"; 4 + 2]);
    assert_eq!(board.place(leader).1, -3, "three hexes to the north");
}

/// A leader has no dice of his own and cannot attack, whatever a card adds (B13, B32).
#[test]
fn leaders_attack_nobody() {
    for card in ["none", "spartacus", "clash-of-shields", "mounted-charge"] {
        for enemy in ["leader", "light-infantry"] {
            let board = Board::new(&[at("leader", (0, 0), 1)], &[at(enemy, (0, -1), 4)]).card(card);
            assert_eq!(board.targets(0), [], "a {enemy} under {card}");
        }
    }
}

/// A fleeing leader finds a way past friends, whichever side is open, and the first unit that he can join by any route.
/// He stays only if no hex within three is open to him (I.D-3, B21, B29).
#[test]
fn clause_i_d_3() {
    let ends = |own: &[(i32, i32)], north: &[super::Men]| {
        let closing = own.iter().map(|&place| at("light-infantry", place, 1));
        let own: Vec<super::Men> = [from("medium-infantry", From::Rear)].into_iter().chain(closing).collect();
        let mut board = Board::new(&own, &[&[at("leader", (0, 0), 1)][..], north].concat());
        let leader = board.north(0);
        board.attack(0, leader, &["light"; 4]);
        board.saw("I.D-3");
        board.place(leader)
    };
    let led = |place: (i32, i32)| [at("medium-infantry", place, 4), at("leader", place, 4)];
    // Both hexes ahead of him hold units with leaders. Behind them are three hexes: enemies close the two behind one of
    // the units.
    let between = [led((0, -1)), led((1, -1))].concat();
    let (west, east) = (ends(&[(0, -2), (1, -2)], &between), ends(&[(2, -2), (1, -2)], &between));
    // He goes on through the open hex of the second row, (2, -2) or (0, -2), to one of the two behind it.
    assert!([(2, -3), (3, -3)].contains(&west), "{west:?}");
    assert!([(0, -3), (1, -3)].contains(&east), "{east:?}");
    // All three are closed, so he stays.
    assert_eq!(ends(&[(0, -2), (1, -2), (2, -2)], &between), (0, 0));
    // The unit that he can join is in the second row, beyond the western or the eastern of two free hexes.
    for place in [(0, -2), (2, -2)] {
        assert_eq!(ends(&[], &[at("medium-infantry", place, 4)]), place);
    }
}

/// The leader of an abandoned war machine flees (B21, B29).
#[test]
fn leaders_leave_machines_that_are_given_up() {
    let rules = ground(&["doctrine.turn.row.react.do=\"evade\""]);
    let own = [from("medium-infantry", From::Rear)];
    let crew = [at("war-machine", (0, 0), 1), at("leader", (0, 0), 1)];
    let mut board = Board::under(rules, ("still", &own), ("turn", &crew));
    let (machine, leader) = (board.north(0), board.north(1));
    board.attack(0, machine, &["light"; 4 + 2]);
    assert!(board.unit(machine).gone() && !board.unit(leader).gone());
    assert_eq!(board.place(leader).1, -3, "three hexes to the north");
}

/// Rampaging elephants strike all units around them once: a leader who flees from one of these hexes into another is
/// struck only once (B26).
#[test]
fn rampages_strike_everybody_once() {
    let own = [from("light-infantry", From::Front), at("auxilia", (1, 0), 1).figures(1), at("leader", (1, 0), 1)];
    // Three auxilia block the leader's way, so he ends in the next hex beside the elephants.
    let closing = [(1, 1), (-1, 2), (0, 2)].map(|place| at("auxilia", place, 1));
    let north = [&[at("elephants", (0, 0), 1)][..], &closing].concat();
    let mut board = Board::new(&own, &north);
    let (attacker, target) = (board.south(0), board.north(0));
    let strike = ["flag", "light"];
    let rampage = ["light", "heavy", "light", "heavy", "heavy"];
    let mut dice = ScriptedDice::new(strike.into_iter().chain(rampage));
    hex::attack(board.rules, &board.setup, &mut board.battle, attacker, target, &mut dice, &mut board.seen)
        .expect("an attack");
    dice.finish();
    assert!(board.unit(board.south(1)).gone());
    assert_eq!(board.place(board.south(2)), (0, 1));
}

/// The banner that decides the battle ends it at once. There is no roll for the leader of the lost unit, and he does
/// not flee, however its last block was lost (B7, B29).
#[test]
fn fact_b7_spares_leaders() {
    let decided = |banners: u8| ground(&[&format!("victory.banners={banners}")]);
    let led = |unit: super::Men, place: (i32, i32)| [unit, at("leader", place, 1)];
    let last = |place: (i32, i32), facing: i32| led(at("medium-infantry", place, facing).figures(1), place);
    // The unit is lost in close combat. If two banners decide, the leader's die is rolled, and its helmet gives the
    // second.
    for (banners, face) in [(1, None), (2, Some("leader"))] {
        let own = [from("heavy-infantry", From::Front)];
        let mut board = Board::under(decided(banners), ("still", &own), ("still", &last((0, 0), 1)));
        let (target, leader) = (board.north(0), board.north(1));
        let faces: Vec<&str> = ["medium", "flag", "flag", "flag", "flag"].into_iter().chain(face).collect();
        board.attack(0, target, &faces);
        assert_eq!((board.unit(leader).gone(), board.place(leader)), (banners == 2, (0, 0)));
    }
    // The unit is lost to fire.
    let mut board = Board::under(decided(1), ("still", &[at("light-bow", (0, 2), 1)]), ("still", &last((0, 0), 4)));
    let (target, leader) = (board.north(0), board.north(1));
    board.shoot(0, target, &["medium", "flag"]);
    assert!(board.unit(target).gone() && !board.unit(leader).gone());
    assert_eq!(board.place(leader), (0, 0));
    // The unit is lost to a hex of retreat beyond the edge of the board; the leader lets it ignore the other flag.
    let own = [at("heavy-infantry", (2, -3), 1)];
    let mut board = Board::under(decided(1), ("still", &own), ("still", &last((2, -4), 4)));
    board.attack(0, target, &["flag", "flag", "light", "light", "light"]);
    assert!(board.unit(target).gone() && !board.unit(leader).gone());
    assert_eq!(board.place(leader), (2, -4));
    // The unit is lost to a rampage.
    let own = [&[from("light-infantry", From::Front)][..], &last((1, 0), 1)].concat();
    let mut board = Board::under(decided(1), ("still", &own), ("still", &[at("elephants", (0, 0), 1)]));
    let (target, leader) = (board.north(0), board.south(2));
    board.attack(0, target, &["flag", "light", "medium", "heavy"]);
    assert!(board.unit(board.south(1)).gone() && !board.unit(leader).gone());
    assert_eq!(board.place(leader), (1, 0));
    // The leader's fall also decides the battle, so the unit that was about to evade stays.
    let north = led(at("light-infantry", (0, 0), 1), (0, 0));
    let mut board = Board::under(decided(1), ("still", &[from("heavy-infantry", From::Front)]), ("shun", &north));
    let target = board.north(0);
    board.attack(0, target, &["light", "heavy", "heavy", "heavy", "heavy", "leader", "leader"]);
    assert!(board.unit(board.north(1)).gone());
    assert_eq!((board.unit(target).figures, board.place(target)), (3, (0, 0)));
}

/// The banner that decides the battle also ends the unit's options for flags: it ignores no flag after its leader has
/// fallen (B7, B25).
#[test]
fn fact_b7_leaves_no_flag_to_ignore() {
    for banners in [1, 2] {
        let rules = ground(&[&format!("victory.banners={banners}")]);
        let supports = [(-1, 0), (1, 0)].map(|place| at("auxilia", place, 1));
        let north = [&[at("auxilia", (0, 0), 1), at("leader", (0, 0), 1)][..], &supports].concat();
        let mut board = Board::under(rules, ("still", &[from("medium-infantry", From::Front)]), ("still", &north));
        let (target, leader) = (board.north(0), board.north(1));
        // A light face hits the auxilia, the flag would drive them back, and two helmets remove the leader. The unit
        // holds in both cases.
        let answer = ["light"; 3];
        let faces =
            [&["light", "flag", "heavy", "heavy"][..], &["leader"; 2], &answer[..if banners == 1 { 0 } else { 3 }]];
        board.attack(0, target, &faces.concat());
        assert!(board.unit(leader).gone());
        assert_eq!((board.unit(target).figures, board.place(target)), (3, (0, 0)));
        let ignores = |event: &Event| {
            matches!(event, Event::Hex(HexEvent::Provided { row, .. })
                if rules.hex.as_ref().expect("hexes").provisions[usize::from(*row)].deed == Provides::IgnoreFlags)
        };
        assert_eq!(board.seen.events().iter().any(ignores), banners == 2);
    }
}

/// Broken ground stops all units that are not on foot, including lone leaders (B36).
#[test]
fn broken_ground_stops_leaders() {
    let broken = ground(&["hex.terrain.broken.at=[\"0,-1\"]"]);
    let far = [at("auxilia", (0, -4), 4)];
    let mut board = Board::under(broken, ("still", &[at("leader", (0, 0), 1)]), ("still", &far));
    board.forbids(0, &[Act::Step(2), Act::Step(2)], "house");
    board.march(0, &[Act::Step(2)]).expect("a step into broken ground");
    // Light infantry moves through it.
    let mut foot = Board::under(broken, ("still", &[at("light-infantry", (0, 0), 1)]), ("still", &far));
    foot.march(0, &[Act::Step(2), Act::Step(2)]).expect("two steps");
}

/// A lone leader of their own side may block elephants that cannot take him along. He pays nothing: only units and
/// enemy leaders pay (B3, B26).
#[test]
fn fact_b26_spares_own_leaders() {
    let led = [at("elephants", (0, 0), 4), at("leader", (0, 0), 4)];
    let north = [&led[..], &[at("leader", (1, -1), 4), at("light-infantry", (0, -1), 4)]].concat();
    let mut board = Board::new(&[at("light-infantry", (0, 1), 1)], &north);
    let target = board.north(0);
    board.attack(0, target, &[&["flag", "flag"][..], &["heavy"; 2 * 3], &["heavy"; 2]].concat());
    assert_eq!(board.place(target), (0, 0));
    assert!(!board.unit(board.north(2)).gone());
    assert_eq!(board.unit(board.north(3)).figures, 4 - 2, "a block for each of two hexes");
}
