//! Sections II.F and II.H: passing the enemy in the rear, giving ground and standing fast.

use grognard_dice::ScriptedDice;
use grognard_engine::{Asked, Offer, Player, Scene, Side, Steps, UnitId};
use grognard_rules::model::{OFF_BOARD, Rules};

use super::{Board, From, Men, at, from, ground, misses};

/// The rules with a doctrine that always converts flags or hits, by `stand-fast` or `give-ground`.
fn converting(choice: &str) -> &'static Rules {
    let always = |row: &str| format!("doctrine.line.row.{row}.when=\"self.figures >= 1\"");
    let rows = [always(choice), always(&format!("{choice}-fire"))];
    ground(&[rows[0].as_str(), rows[1].as_str()])
}

/// A unit driven past an enemy in its rear loses a block.
#[test]
fn clause_ii_f() {
    let mut board = Board::new(&[from("light-infantry", From::Rear)], &[at("medium-infantry", (0, 0), 1)]);
    let target = board.north(0);
    board.attack(0, target, &["flag", "leader", "leader"]);
    assert_eq!((board.unit(target).figures, board.place(target)), (3, (-1, 1)));
    board.saw("II.F");
    // An attack from the front has no such cost.
    let mut board = Board::new(&[from("light-infantry", From::Front)], &[at("medium-infantry", (0, 0), 1)]);
    let target = board.north(0);
    board.attack(0, target, &["flag", "leader"]);
    assert_eq!(board.unit(target).figures, 4);
    board.saw_not("II.F");
    // Elephants do not pass an enemy that their own rampage has removed.
    let mut board = Board::new(&[from("light-infantry", From::Rear).figures(1)], &[at("elephants", (0, 0), 1)]);
    let target = board.north(0);
    board.attack(0, target, &["flag", "leader", "leader", "light", "leader"]);
    assert!(board.unit(board.south(0)).gone());
    assert_eq!(board.unit(target).figures, 2);
    board.saw_not("II.F");
}

/// II.F: a unit loses one block for a retreat that it makes, and nothing for an evasion, or when it is driven back as
/// an attacker.
#[test]
fn a_retreat_past_an_enemy_costs_one_block_once() {
    // Two flags are one retreat.
    let rear = [from("light-infantry", From::Rear)];
    let mut board = Board::new(&rear, &[at("medium-infantry", (0, 0), 1)]);
    let target = board.north(0);
    board.attack(0, target, &["flag", "flag", "leader"]);
    assert_eq!((board.unit(target).figures, board.place(target).1), (3, 2));
    // The unit cannot move a single hex, and loses only the block for that hex (B24). It battles back with half its
    // dice.
    let mut board = Board::new(&rear, &[at("medium-infantry", (0, 0), 1), at("auxilia", (-1, 1), 1)]);
    board.attack(0, target, &[&["flag", "leader", "leader"][..], &misses(2)].concat());
    assert_eq!((board.unit(target).figures, board.place(target)), (3, (0, 0)));
    board.saw_not("II.F");
    // Evading past the enemy costs nothing.
    let rules = ground(&["doctrine.turn.row.react.do=\"evade\""]);
    let attacker = [from("medium-infantry", From::Rear)];
    let mut board = Board::under(rules, ("still", &attacker), ("turn", &[at("light-infantry", (0, 0), 1)]));
    board.attack(0, target, &misses(4 + 2));
    assert_eq!((board.unit(target).figures, board.place(target).1), (4, 2));
    board.saw_not("II.F");
    // Clash of Shields: the attacker strikes through its rear hex. When its target battles back, the attacker is driven
    // back past it.
    let foe = [at("medium-infantry", (0, 1), 1)];
    let mut board = Board::new(&[at("heavy-infantry", (0, 0), 1)], &foe).card("clash-of-shields");
    board.attack(0, target, &[&misses(5 + 2)[..], &["flag"], &misses(4 - 1)].concat());
    let own = board.south(0);
    assert_eq!((board.unit(own).figures, board.place(own)), (4, (-1, 1)));
    board.saw_not("II.F");
}

/// II.F: the unit loses the block in passing, before it arrives. A leader whom it meets is not at risk, and a unit that
/// loses its last block does not reach him (B24, B29).
#[test]
fn passing_an_enemy_costs_a_block_before_a_leader_is_met() {
    for (blocks, joins) in [(4, true), (1, false)] {
        let north = [at("medium-infantry", (0, 0), 1).figures(blocks), at("leader", (-1, 1), 1)];
        let mut board = Board::new(&[from("light-infantry", From::Rear)], &north);
        let (target, leader) = (board.north(0), board.north(1));
        // No die is rolled for the leader.
        board.attack(0, target, &["flag", "leader", "leader"]);
        assert_eq!((board.unit(target).figures, board.unit(target).gone()), (blocks - 1, !joins));
        assert_eq!((board.place(leader), board.unit(leader).gone()), ((-1, 1), false));
        assert_eq!(board.unit(leader).hex.mate.is_some(), joins);
    }
}

/// Elephants pass the enemy in their rear before they run into units in their way; a banner lost in passing ends the
/// battle (B7, B26 with II.F).
#[test]
fn elephants_pass_an_enemy_before_they_run_into_anybody() {
    let rules = ground(&["victory.banners=1"]);
    let beyond = [(-2, 2), (-1, 2)].map(|place| at("auxilia", place, 1));
    let own = [&[from("light-infantry", From::Rear)][..], &beyond].concat();
    let led = |blocks: u16| [at("elephants", (0, 0), 1).figures(blocks), at("leader", (0, 0), 1)];
    // Two flags mean two hexes, of which they move one. Their rampage strikes only the attacker.
    let (two, wild) = (["flag", "flag", "light"], misses(2));
    for (north, more, falls) in
        [(&led(2)[..1], &[][..], None), (&led(1)[..1], &[], Some(0)), (&led(2), &["leader"; 2], Some(1))]
    {
        // Two helmets remove their leader when they lose the block.
        let mut board = Board::under(rules, ("still", &own), ("still", north));
        let target = board.north(0);
        board.attack(0, target, &[&two[..], &wild, more].concat());
        let gone: Vec<usize> = (0..north.len()).filter(|&number| board.unit(board.north(number)).gone()).collect();
        assert_eq!(gone, falls.into_iter().collect::<Vec<_>>());
        let run_into = [1, 2].map(|number| 4 - board.unit(board.south(number)).figures);
        assert_eq!(run_into, if falls.is_some() { [0; 2] } else { [1; 2] }, "{north:?}");
    }
}

/// Only heavy and medium infantry may convert, and only if they are struck on the front, in close combat or by fire.
#[test]
fn clause_ii_h_0() {
    let rules = converting("stand-fast");
    let shot = |kind: &str, facing: i32| {
        let archers = [at("light-bow", (0, 2), 1)];
        let mut board = Board::under(rules, ("still", &archers), ("line", &[at(kind, (1, 0), facing)]));
        let target = board.north(0);
        board.shoot(0, target, &["flag", "leader"]);
        board
    };
    let board = shot("medium-infantry", 4);
    board.saw("II.H-0");
    for (kind, facing) in [("auxilia", 4), ("medium-infantry", 1)] {
        shot(kind, facing).saw_not("II.H-0");
    }
    // Warriors are medium, but excluded by name. They have lost a block, so they ignore no flag.
    let warriors = |facing: i32| [at("warriors", (0, 0), facing).figures(3)];
    for (choice, face) in [("stand-fast", "flag"), ("give-ground", "medium")] {
        let rules = converting(choice);
        let archers = [at("light-bow", (-1, 2), 1)];
        let mut board = Board::under(rules, ("still", &archers), ("line", &warriors(4)));
        let target = board.north(0);
        board.shoot(0, target, &[face, "leader"]);
        assert_eq!(board.unit(target).figures, if face == "flag" { 3 } else { 2 });
        assert_eq!(board.place(target) == (0, 0), face == "medium");
        board.saw_not("II.H-0");
        let attacker = [from("heavy-infantry", From::Front)];
        let mut board = Board::under(rules, ("still", &attacker), ("line", &warriors(1)));
        // A unit that has not been driven back battles back with three dice.
        let answer = misses(if face == "flag" { 0 } else { 3 });
        board.attack(0, target, &[&[face][..], &misses(4), &answer].concat());
        assert_eq!(board.unit(target).figures, if face == "flag" { 3 } else { 2 });
        assert_eq!(board.place(target) == (0, 0), face == "medium");
        board.saw_not("II.H-0");
    }
    // An attacker that is struck when its target battles back converts nothing.
    for (choice, face) in [("stand-fast", "flag"), ("give-ground", "heavy")] {
        let attacker = [from("heavy-infantry", From::Front)];
        let own = [at("medium-infantry", (0, 0), 1)];
        let mut board = Board::under(converting(choice), ("line", &attacker), ("still", &own));
        let target = board.north(0);
        board.attack(0, target, &[&misses(5)[..], &[face], &misses(3)].concat());
        let attacker = board.unit(board.south(0));
        assert_eq!(attacker.figures, if face == "flag" { 4 } else { 3 });
        assert_eq!(board.place(board.south(0)) == (1, -1), face == "heavy");
        board.saw_not("II.H-0");
    }
}

/// The second shot of Darken the Sky counts as fire, like the first (B32).
#[test]
fn second_shots_are_converted_too() {
    for doctrine in ["line", "line-to-the-last"] {
        // With room behind it, the unit gives ground. At the edge of the board, it pays to stand, or loses as much
        // without paying.
        for (place, face, blocks, stays) in [((0, 0), "medium", 4, false), ((2, -4), "flag", 3, true)] {
            let archers = [at("light-bow", (place.0, place.1 + 3), 1)];
            let line = [at("medium-infantry", place, 4)];
            let mut board = Board::led(("line", &archers), (doctrine, &line)).card("darken-the-sky");
            board.phase("second-shot", &mut ScriptedDice::new([face, "leader"]));
            let target = board.north(0);
            assert_eq!(
                (board.unit(target).figures, board.place(target) == place),
                (blocks, stays),
                "{doctrine}: {face}"
            );
            assert_eq!(
                board.seen.cited().contains("II.H-0"),
                (doctrine, stays) != ("line-to-the-last", true),
                "{doctrine}: {face}"
            );
        }
    }
}

/// A colour hit becomes a flag that cannot be ignored.
#[test]
fn clause_ii_h_1() {
    let rules = converting("give-ground");
    let supports = [at("medium-infantry", (0, 0), 1), at("auxilia", (-1, 0), 1), at("auxilia", (1, 0), 1)];
    let attacker = [from("heavy-infantry", From::Front)];
    let mut board = Board::under(rules, ("still", &attacker), ("line", &supports));
    let target = board.north(0);
    board.attack(0, target, &["medium", "medium", "swords", "flag", "leader"]);
    assert_eq!(board.unit(target).figures, 2, "one triangle and the sword");
    assert!([(-1, 1), (0, 1)].contains(&board.place(target)), "one hex for the forced flag; the rolled one is ignored");
    board.saw("II.H.1");
    // With only the forced flag, it still retreats: its supports do not let it ignore a forced flag.
    let mut board = Board::under(rules, ("still", &attacker), ("line", &supports));
    board.attack(0, target, &["medium", "medium", "swords", "leader", "leader"]);
    assert_eq!(board.unit(target).figures, 2);
    assert!([(-1, 1), (0, 1)].contains(&board.place(target)), "{:?}", board.place(target));
    // Without supports, the rolled flag drives it a second hex.
    let mut board = Board::under(rules, ("still", &attacker), ("line", &supports[..1]));
    board.attack(0, target, &["medium", "flag", "leader", "leader", "leader"]);
    assert_eq!((board.unit(target).figures, board.place(target).1), (4, 2));
    // A unit that the other hits remove anyway saves nothing by giving ground.
    for (blocks, converts) in [(1, false), (2, true)] {
        let last = [at("medium-infantry", (0, 0), 1).figures(blocks)];
        let mut board = Board::under(rules, ("still", &attacker), ("line", &last));
        board.attack(0, target, &["medium", "swords", "leader", "leader", "leader"]);
        assert_eq!(board.unit(target).gone(), !converts);
        if converts { board.saw("II.H.1") } else { board.saw_not("II.H.1") }
    }
}

/// Hits by elephants are not converted.
#[test]
fn clause_ii_h_1_x() {
    let rules = converting("give-ground");
    let mut board =
        Board::under(rules, ("still", &[from("elephants", From::Front)]), ("line", &[at("heavy-infantry", (0, 0), 1)]));
    let target = board.north(0);
    // The elephants roll five dice, as heavy infantry would. The rest of the unit battles back against them with five.
    board.attack(0, target, &[&["heavy", "heavy", "leader", "leader", "leader"][..], &misses(5)].concat());
    assert_eq!((board.unit(target).figures, board.place(target)), (2, (0, 0)));
    board.saw("II.H.1-x");
    // A unit that would be lost anyway converts nothing.
    let last = [at("heavy-infantry", (0, 0), 1).figures(1)];
    let mut board = Board::under(rules, ("still", &[from("elephants", From::Front)]), ("line", &last));
    let target = board.north(0);
    board.attack(0, target, &["heavy", "heavy", "leader", "leader", "leader"]);
    assert!(board.unit(target).gone());
    board.saw_not("II.H.1-x");
}

/// A flag becomes a hit, and the unit holds its ground.
#[test]
fn clause_ii_h_2() {
    let rules = converting("stand-fast");
    // The doctrine requires a friend next to the unit; a single friend lets it ignore nothing.
    let line = [at("heavy-infantry", (1, 0), 4), at("auxilia", (2, 0), 4)];
    let mut board = Board::under(rules, ("still", &[at("light-bow", (0, 2), 1)]), ("line", &line));
    let target = board.north(0);
    board.shoot(0, target, &["flag", "leader"]);
    assert_eq!((board.unit(target).figures, board.place(target)), (3, (1, 0)));
    board.saw("II.H.2");
    // The columns are friends beside the unit, flags, blocks left and hexes moved. Flags that it may ignore are set
    // aside first, and a block is paid only if the unit then holds its ground.
    for (friends, flags, blocks, gone) in [(0, 1, 3, 0), (0, 2, 4, 2), (2, 1, 4, 0), (2, 2, 3, 0)] {
        let line = [at("heavy-infantry", (1, 0), 4), at("auxilia", (2, 0), 4), at("auxilia", (0, 0), 4)];
        let mut board = Board::under(rules, ("still", &[at("light-bow", (0, 2), 1)]), ("line", &line[..=friends]));
        board.shoot(0, target, &[&["flag", "flag"][..flags], &misses(2 - flags)].concat());
        assert_eq!((board.unit(target).figures, -board.place(target).1), (blocks, gone), "{friends} and {flags}");
        if blocks == 3 { board.saw("II.H.2") } else { board.saw_not("II.H.2") }
    }
    // A unit does not pay with its last block, because it would be lost.
    let last = [at("heavy-infantry", (1, 0), 4).figures(1)];
    let mut board = Board::under(rules, ("still", &[at("light-bow", (0, 2), 1)]), ("line", &last));
    board.shoot(0, target, &["flag", "leader"]);
    assert_eq!((board.unit(target).figures, board.place(target).1), (1, -1));
    board.saw_not("II.H.2");
}

/// Flags of elephants are not converted either.
#[test]
fn clause_ii_h_2_x() {
    let rules = converting("stand-fast");
    let line = [at("medium-infantry", (0, 0), 1), at("auxilia", (1, 0), 1)];
    let mut board = Board::under(rules, ("still", &[from("elephants", From::Front)]), ("line", &line));
    let target = board.north(0);
    board.attack(0, target, &["flag", "leader", "leader", "leader"]);
    assert_eq!(board.unit(target).figures, 4);
    assert!([(-1, 1), (0, 1)].contains(&board.place(target)), "{:?}", board.place(target));
    board.saw("II.H.2-x");
}

/// The banner that decides the battle also ends a rampage (B7, B26): units that the elephants would have struck or run
/// into next lose nothing.
#[test]
fn fact_b7_ends_rampages() {
    let rules = ground(&["victory.banners=1"]);
    let attacker = from("light-infantry", From::Front).figures(1);
    let in_the_way = [(-1, 1), (0, 1)].map(|place| at("auxilia", place, 1).figures(1));
    let own = [&[attacker][..], &in_the_way].concat();
    let stand = |board: &Board, number: usize| board.unit(board.south(number)).figures;
    // The light infantry in the east falls first. The attacker in the north-east is not struck, nor do the elephants
    // run into any unit.
    let north = [at("elephants", (0, 0), 1), at("light-infantry", (1, 0), 4).figures(1)];
    let mut board = Board::under(rules, ("still", &own), ("still", &north));
    let target = board.north(0);
    board.attack(0, target, &["flag", "leader", "light", "heavy"]);
    assert!(board.unit(board.north(1)).gone());
    assert_eq!([0, 1, 2].map(|number| stand(&board, number)), [1; 3]);
    // All three strikes miss; then the elephants run into a friend in the south-west, but not also into the enemy in
    // the south-east.
    let north = [at("elephants", (0, 0), 1), at("auxilia", (-1, 1), 1).figures(1)];
    let own = [own[0].clone(), own[2].clone()];
    let mut board = Board::under(rules, ("still", &own), ("still", &north));
    let target = board.north(0);
    board.attack(0, target, &[&["flag", "leader"][..], &["heavy"; 3 * 2]].concat());
    assert!(board.unit(board.north(1)).gone());
    assert_eq!([0, 1].map(|number| stand(&board, number)), [1; 2]);
    // The leader of the elephants falls with the block that they lose, so they are no longer driven back.
    let north = [at("elephants", (0, 0), 1), at("leader", (0, 0), 1)];
    let mut board = Board::under(rules, ("still", &own), ("still", &north));
    let target = board.north(0);
    board.attack(0, target, &["heavy", "flag", "leader", "leader"]);
    assert!(board.unit(board.north(1)).gone());
    assert_eq!((stand(&board, 0), board.place(target)), (1, (0, 0)));
}

/// The hex in which a unit ends. `None` in an `Option` means off the board.
type End = (i32, i32);

/// Chooses where units of the northern side end, and records the ends that it was offered.
struct Ends {
    there: End,
    offered: Vec<Option<End>>,
    doctrine: usize,
}

impl Player for Ends {
    fn plays(&self, side: Side) -> bool {
        side == Side::Second
    }

    fn choose(&mut self, scene: Scene<'_>, asked: &Asked<'_>) -> usize {
        let place = |offer: &Offer| match *offer {
            Offer::Place(OFF_BOARD) => None,
            Offer::Place(end) => scene.rules.hex.as_ref().map(|hex| hex.grid.place(end)),
            _ => panic!("{offer:?} is no place"),
        };
        if !matches!(asked.offers[0], Offer::Place(_)) {
            return asked.doctrine;
        }
        self.offered = asked.offers.iter().map(place).collect();
        self.doctrine = asked.doctrine;
        let there = self.offered.iter().position(|&end| end == Some(self.there));
        there.or_else(|| self.offered.iter().position(Option::is_none)).expect("the place is offered")
    }
}

/// An attack by the first southern unit, after which the north chooses to end `there`. Returns the ends that the north
/// was offered, and the doctrine's choice.
fn ends(board: &mut Board, there: End, faces: &[&str]) -> (Vec<Option<End>>, Option<End>) {
    board.battle.phase = board.rules.phases.iter().position(|phase| phase.id == "close-combat").expect("a phase") as u8;
    let mut player = Ends { there, offered: Vec::new(), doctrine: 0 };
    let mut dice = ScriptedDice::new(faces.iter().copied());
    let mut steps = Steps::new(board.rules, &board.setup);
    steps.step_as(&mut board.battle, &mut dice, &mut board.seen, &mut player);
    dice.finish();
    let doctrine = player.offered.get(player.doctrine).copied().flatten();
    player.offered.sort_unstable();
    (player.offered, doctrine)
}

fn attacked(doctrine: &str, own: &[Men], north: &[Men]) -> Board {
    Board::led(("attack", own), (doctrine, north))
}

/// A retreat that meets a lone leader ends there without loss, and the owner chooses among all rear hexes in which it
/// may end (I.D-1, U11, B24).
#[test]
fn clause_i_d_1() {
    let attacker = [from("medium-infantry", From::Front)];
    let north = [at("medium-infantry", (0, 0), 1), at("leader", (0, 1), 1)];
    let miss = misses(3);
    let faces = [&["flag"][..], &miss].concat();
    // The retreat is one hex: to the free hex, as by doctrine, or to the leader, who joins the unit.
    for (there, joins) in [((-1, 1), false), ((0, 1), true)] {
        let mut board = attacked("still", &attacker, &north);
        let (offered, doctrine) = ends(&mut board, there, &faces);
        assert_eq!((offered, doctrine), (vec![Some((-1, 1)), Some((0, 1))], Some((-1, 1))));
        let target = board.north(0);
        assert_eq!((board.unit(target).figures, board.place(target)), (4, there));
        assert_eq!(board.unit(target).hex.mate.is_some(), joins);
        board.saw("I.D-1");
    }
    // The retreat is two hexes. A leader in the first hex ends it there, and no hex is owed. A hex that can only be
    // reached past him is not offered.
    let north = [at("light-infantry", (0, 0), 1), at("leader", (0, 1), 1)];
    let mut board = attacked("still", &attacker, &north);
    let (offered, doctrine) = ends(&mut board, (0, 1), &faces);
    assert_eq!(offered, [(-2, 2), (-1, 2), (0, 1)].map(Some));
    assert_ne!(doctrine, Some((0, 1)));
    assert_eq!((board.unit(board.north(0)).figures, board.place(board.north(0))), (4, (0, 1)));
    // If the free hex leads nowhere, the leader's hex is the only end without loss, so no player is asked.
    let closed = [&north[..], &[(-2, 2), (-1, 2)].map(|place| at("auxilia", place, 1))].concat();
    let mut board = attacked("still", &attacker, &closed);
    assert_eq!(ends(&mut board, (0, 1), &[&["flag", "flag"][..], &misses(2)].concat()).0, []);
    assert_eq!(board.place(board.north(0)), (0, 1));
}

/// An evasion may end with a lone leader in the second hex; in the first hex only if no second hex is available (I.D-2,
/// B22).
#[test]
fn clause_i_d_2() {
    let attacker = [from("medium-infantry", From::Front)];
    for (leader, offered) in [((-1, 2), vec![(-2, 2), (-1, 2), (0, 2)]), ((0, 1), vec![(-2, 2), (-1, 2)])] {
        let north = [at("light-infantry", (0, 0), 1), at("leader", leader, 1)];
        let mut board = attacked("shun", &attacker, &north);
        assert_eq!(ends(&mut board, (-1, 2), &misses(4)).0, offered.into_iter().map(Some).collect::<Vec<_>>());
        let target = board.north(0);
        assert_eq!(board.place(target), (-1, 2));
        assert_eq!(board.unit(target).hex.mate.is_some(), leader == (-1, 2));
        board.saw("I.D-2");
    }
    // If no second hex is available, it may end in either of the first two (U11).
    let north = [at("light-infantry", (0, 0), 1), at("leader", (0, 1), 1)];
    let beyond = |places: &[(i32, i32)]| places.iter().map(|&place| at("auxilia", place, 1)).collect::<Vec<_>>();
    for there in [(-1, 1), (0, 1)] {
        let mut board = attacked("shun", &attacker, &[&north[..], &beyond(&[(-2, 2), (-1, 2)])].concat());
        assert_eq!(ends(&mut board, there, &misses(4)).0, [(-1, 1), (0, 1)].map(Some));
        assert_eq!(board.place(board.north(0)), there);
    }
    // A second hex with another lone leader is available, and it is the only end.
    let north = [&north[..], &[at("leader", (-1, 2), 1)], &beyond(&[(-2, 2)])].concat();
    let mut board = attacked("shun", &attacker, &north);
    assert_eq!(ends(&mut board, (0, 1), &misses(4)).0, []);
    assert_eq!(board.place(board.north(0)), (-1, 2));
}

/// A lone leader moves one to three hexes back towards his own baseline, and may leave the board: his player chooses
/// how far and where (I.D-3, B29).
#[test]
fn clause_i_d_3() {
    let attacker = [from("medium-infantry", From::Rear)];
    // The first, second and third rows to the north of him have two, three and four hexes.
    let mut board = attacked("still", &attacker, &[at("leader", (0, 0), 1)]);
    let (offered, doctrine) = ends(&mut board, (1, -1), &["light"; 4]);
    let rows = (1..=3).flat_map(|row| (0..=row).map(move |column| Some((column, -row))));
    let mut all: Vec<_> = rows.collect();
    all.sort_unstable();
    assert_eq!((offered, doctrine.map(|(_, row)| row)), (all, Some(-3)));
    assert_eq!(board.place(board.north(0)), (1, -1));
    // He is in the last row but one: one hex further north is the edge. By doctrine, he leaves.
    let attacker = [at("medium-infantry", (1, -2), 1)];
    for (there, stays) in [((2, -4), true), ((9, 9), false)] {
        let mut board = attacked("still", &attacker, &[at("leader", (1, -3), 1)]);
        let (offered, doctrine) = ends(&mut board, there, &["light"; 4]);
        assert_eq!((offered, doctrine), (vec![None, Some((1, -4)), Some((2, -4))], None));
        let leader: UnitId = board.north(0);
        assert_eq!(!board.unit(leader).gone(), stays);
        assert!(!board.unit(leader).gone_for_enemy(), "no banner");
        board.saw("I.D-3");
    }
}
