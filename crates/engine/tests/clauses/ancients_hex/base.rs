//! Facts of the base game that the clauses rely on, and the base game without facing.

use grognard_dice::ScriptedDice;
use grognard_engine::hex::Act::{Step, Turn};
use grognard_engine::{Event, HexEvent, hex};
use grognard_rules::model::Rules;

use super::combat::attack;
use super::{Board, From, at, card, from, ground, misses};

/// A leader whose unit is lost flees towards his own side if his die shows no helmet (B29).
#[test]
fn leaders_of_lost_units_make_off() {
    let led = [at("medium-infantry", (0, 0), 1).figures(1), at("leader", (0, 0), 1)];
    for (face, escapes) in [("flag", true), ("leader", false)] {
        let mut board = Board::new(&[from("heavy-infantry", From::Front)], &led);
        let target = board.north(0);
        board.attack(0, target, &["medium", "flag", "flag", "flag", "flag", face]);
        let leader = board.north(1);
        assert_eq!(board.place(leader) == (0, 0), !escapes, "{face}");
        if escapes {
            assert_eq!(board.place(leader).1, -3, "three hexes to the north");
        }
    }
}

/// With First Strike, the defender rolls first and cannot battle back (B32).
#[test]
fn the_card_first_strike_turns_the_order_round() {
    let own = [from("medium-infantry", From::Front)];
    let mut board = Board::led(("still", &own), ("line", &[at("heavy-infantry", (0, 0), 1)]));
    board.battle.cards.hands[1] = [card("first-strike"); 8];
    let target = board.north(0);
    // The side draws another card. The defender rolls five dice and scores two hits, the attacker rolls four, and there
    // is no battle back.
    let faces =
        ["order-two-left", "medium", "swords", "leader", "leader", "leader", "leader", "leader", "leader", "leader"];
    board.attack(0, target, &faces);
    assert_eq!(board.unit(board.south(0)).figures, 2);
}

/// Without facing, any neighbour may be attacked with the usual dice, and any neighbouring hex may be entered (B40).
#[test]
fn the_base_game_knows_no_facing() {
    let base = ground(&["provision.facing.on=false"]);
    let own = [at("heavy-cavalry", (0, 0), 1)];
    let enemy = [at("heavy-infantry", (1, 0), 4)];
    let mut board = Board::under(base, ("still", &own), ("still", &enemy));
    assert_eq!(board.targets(0), [(board.north(0), 4)], "on what would be its flank, and without a penalty");
    assert!(board.march(0, &[Turn(1)]).is_err(), "there is nothing to turn");
    board.march(0, &[Step(4)]).expect("a step backwards");
    // Under Move-Fire-Move, it moves again even with no unit in range (B31). Only the variant requires a target
    // (I.E.1-3).
    let far = [at("heavy-infantry", (0, -4), 4)];
    let mut board =
        Board::under(base, ("line", &[at("light-infantry", (0, 0), 1)]), ("still", &far)).card("move-fire-move");
    board.phase("fall-back", &mut grognard_dice::NoDice);
    assert_ne!(board.place(board.south(0)), (0, 0));
    board.saw_not("I.E.1-3");
    // A flag drives it towards its own side, whichever direction the attack came from.
    let mut board = Board::under(
        base,
        ("still", &[at("heavy-infantry", (1, 0), 4)]),
        ("still", &[at("medium-infantry", (0, 0), 1)]),
    );
    let target = board.north(0);
    let faces = [&["flag"][..], &misses(4)].concat();
    board.attack(0, target, &faces);
    assert_eq!(board.place(target).1, -1, "to the north, its own side");
}

/// Without facing, every hex is in front, so a unit that takes a hex under Clash of Shields has no turn to make.
#[test]
fn the_base_game_has_nothing_to_turn_under_clash_of_shields() {
    for (rules, ends) in [(super::rules(), 3), (ground(&["provision.facing.on=false"]), 1)] {
        let foe = [at("medium-infantry", (-1, 1), 0).figures(1)];
        let own = [at("heavy-infantry", (0, 0), 1)];
        let mut board = Board::under(rules, ("line", &own), ("still", &foe)).card("clash-of-shields");
        let target = board.north(0);
        let mut faces = vec!["medium"];
        faces.extend(misses(board.targets(0)[0].1 as usize - 1));
        board.attack(0, target, &faces);
        assert_eq!((board.place(board.south(0)), board.facing(board.south(0))), ((-1, 1), ends));
        if ends == 3 { board.saw("I.E.4-2") } else { board.saw_not("I.E.4-2") }
    }
}

/// Ramparts protect two forward sides of a hex. Foot that is struck across them ignores a sword and a flag, or one flag
/// from fire. They do not help mounted units, or a unit that is struck from another side.
#[test]
fn fact_b37() {
    let rampart = |more: &[&str]| ground(&[&["hex.terrain.rampart-north.at=[\"0,0\"]"], more].concat());
    let two = rampart(&[]);
    let struck = |rules: &'static Rules, attacker: super::Men, defender: &str, facing: i32| {
        let mut board = Board::under(rules, ("still", &[attacker]), ("still", &[at(defender, (0, 0), facing)]));
        attack(&mut board, 0, &["swords", "swords", "flag"]);
        let target = board.north(0);
        (board.unit(target).figures, board.place(target) == (0, 0))
    };
    let infantry = |from: (i32, i32), facing: i32| at("auxilia", from, facing);
    // The ramparts help against attacks from the north-east and the north-west, whatever the unit's own facing.
    for (place, facing) in [((1, -1), 4), ((0, -1), 4)] {
        for own in [1, 2] {
            let found = struck(two, infantry(place, facing), "medium-infantry", own);
            assert_eq!(found, (3, true), "from {place:?}, facing {own}");
        }
    }
    // To the west there is no rampart; with a third side, there is.
    let west = || infantry((-1, 0), 0);
    assert_eq!(struck(two, west(), "medium-infantry", 2), (2, false));
    let three = rampart(&["hex.terrain.rampart-north.sides=[\"north-east\", \"north-west\", \"west\"]"]);
    assert_eq!(struck(three, west(), "medium-infantry", 2), (3, true));
    // A rampart against the south protects two other sides: south-west and south-east.
    let south = ground(&["hex.terrain.rampart-south.at=[\"0,0\"]"]);
    for (place, facing, own) in [((-1, 1), 1, 4), ((0, 1), 2, 4)] {
        assert_eq!(struck(south, infantry(place, facing), "medium-infantry", own), (3, true), "from {place:?}");
    }
    for (place, facing, own) in [((1, -1), 4, 1), ((0, -1), 4, 1), ((-1, 0), 0, 2), ((1, 0), 2, 0)] {
        assert_eq!(struck(south, infantry(place, facing), "medium-infantry", own), (2, false), "from {place:?}");
    }
    // Horse gets no benefit.
    assert_eq!(struck(two, infantry((0, -1), 4), "heavy-cavalry", 1), (1, false));
    // Against fire, one flag of two is ignored, but horse gets no help.
    for (kind, hexes) in [("medium-infantry", 1), ("medium-cavalry", 6)] {
        let mut board = Board::under(two, ("still", &[at("light-bow", (0, 2), 1)]), ("still", &[at(kind, (0, 0), 1)]));
        let target = board.north(0);
        let mut dice = ScriptedDice::new(["flag", "flag"]);
        let own = board.south(0);
        hex::shoot(two, &board.setup, &mut board.battle, own, target, &mut dice, &mut board.seen).expect("in range");
        let of = |event: &Event| if let Event::Hex(HexEvent::FellBack { of, .. }) = event { Some(*of) } else { None };
        assert_eq!(board.seen.events().iter().find_map(of), Some(hexes), "{kind}");
    }
}

/// Camps and ramparts help only the defender. If a unit attacks out of one and its target battles back, the unit
/// ignores neither a sword nor a flag.
#[test]
fn facts_b37_and_b38_help_defenders_alone() {
    for (terrain, dice) in [("rampart-north", 4), ("camp", 4 - 1)] {
        let rules = ground(&[&format!("hex.terrain.{terrain}.at=[\"0,0\"]")]);
        let own = [at("medium-infantry", (0, 0), 1)];
        let mut board = Board::under(rules, ("still", &own), ("still", &[at("medium-infantry", (0, -1), 4)]));
        let (own, target) = (board.south(0), board.north(0));
        board.attack(0, target, &[&misses(dice)[..], &["swords", "flag", "leader", "leader"]].concat());
        assert_eq!((board.unit(own).figures, board.place(own) == (0, 0)), (3, false), "{terrain}");
        // It does not ignore the result of a First Strike before its attack either.
        let own = [at("medium-infantry", (0, 0), 1)];
        let mut board = Board::under(rules, ("still", &own), ("line", &[at("medium-infantry", (0, -1), 4)]));
        board.battle.cards.hands[1] = [card("first-strike"); 8];
        board.attack(0, target, &["order-two-left", "swords", "flag", "leader", "leader"]);
        let own = board.south(0);
        assert_eq!((board.unit(own).figures, board.place(own) == (0, 0)), (3, false), "{terrain}");
    }
}
