//! Section I.E: the effects of cards.

use grognard_engine::hex;
use grognard_engine::hex::Act::{Pivot, Step, Turn};
use grognard_engine::plane::Arc;
use grognard_engine::{Event, HexEvent};
use grognard_rules::model::Rules;

use super::{Board, at, ground, misses, rules};

fn alone(kind: &str) -> Board {
    Board::new(&[at(kind, (0, 0), 1)], &[at("heavy-infantry", (0, -4), 4)])
}

/// Under this card, every unit may step aside, not just one.
fn all_step_aside(rules: &'static Rules, kind: &str, card: &str) {
    let own = [at(kind, (0, 0), 1), at(kind, (-3, 0), 1), at(kind, (3, 0), 1)];
    let far = [at("heavy-infantry", (0, -4), 4)];
    let mut board = Board::under(rules, ("still", &own), ("still", &far)).card(card);
    for number in 0..3 {
        board.march(number, &[Step(5)]).unwrap_or_else(|breach| panic!("unit {number} under {card}: {breach:?}"));
    }
}

/// Under Move-Fire-Move, light units may step aside and keep their facing.
#[test]
fn clause_i_e_1_1() {
    for (direction, place) in [(3, (-1, 0)), (5, (0, 1))] {
        let mut board = alone("light-infantry").card("move-fire-move");
        board.march(0, &[Step(direction)]).expect("a step aside");
        assert_eq!((board.place(board.south(0)), board.facing(board.south(0))), (place, 1));
        board.saw("I.E.1-1");
        // It does not step into a front hex, and does not turn.
        board.saw_not("I.A-3");
        board.saw_not("I.B-0");
    }
    alone("medium-infantry").card("move-fire-move").forbids(0, &[Step(3)], "I.A-3");
    all_step_aside(rules(), "light-infantry", "move-fire-move");
}

/// Under Move-Fire-Move, units turn as usual.
#[test]
fn clause_i_e_1_2() {
    let mut board = alone("light-infantry").card("move-fire-move");
    board.march(0, &[Step(3), Turn(1)]).expect("60 degrees with a hex");
    board.saw("I.E.1-2");
    alone("light-infantry").card("move-fire-move").forbids(0, &[Step(3), Turn(2)], "I.E.1-2");
    alone("light-infantry").card("move-fire-move").march(0, &[Step(3), Turn(1), Step(3), Turn(1)]).expect("two hexes");
    alone("light-infantry").card("move-fire-move").march(0, &[Step(3), Pivot(3)]).expect("a hex paid for");
}

/// The second move requires a target after the first move.
#[test]
fn clause_i_e_1_3() {
    let skirmisher = |distance: i32| {
        let foe = [at("heavy-infantry", (0, -distance), 4)];
        Board::led(("line", &[at("light-infantry", (0, 0), 1)]), ("still", &foe)).card("move-fire-move")
    };
    // Its target is out of range after the first move, so it stays.
    let mut board = skirmisher(4);
    let phase = |board: &mut Board, id: &str| {
        board.battle.phase = board.rules.phases.iter().position(|phase| phase.id == id).expect("a phase") as u8;
    };
    phase(&mut board, "fall-back");
    grognard_engine::step(board.rules, &board.setup, &mut board.battle, &mut grognard_dice::NoDice, &mut board.seen);
    assert_eq!(board.place(board.south(0)), (0, 0));
    board.saw("I.E.1-3");
    let refused = |event: &Event| matches!(event, Event::Hex(HexEvent::Breached { .. }));
    assert!(board.seen.events().iter().any(refused));
    // It moves two hexes forward, fires one die at range 2 and moves two hexes back.
    let mut board = skirmisher(4);
    board.march(0, &[Step(2), Step(2)]).expect("two hexes");
    let target = board.north(0);
    board.shoot(0, target, &misses(1));
    phase(&mut board, "fall-back");
    grognard_engine::step(board.rules, &board.setup, &mut board.battle, &mut grognard_dice::NoDice, &mut board.seen);
    let back = board.unit(board.south(0)).front;
    assert_eq!(grognard_engine::hex::distance(back, board.unit(target).front), 4, "it has fallen back");
    // It may fall back if it is in a position to fire, whether or not its doctrine fires.
    let silent = ground(&["doctrine.line.row.shoot.phase=\"second-shot\""]);
    for (distance, falls_back) in [(2, true), (3, false)] {
        let foe = [at("heavy-infantry", (0, -distance), 4)];
        let own = [at("light-infantry", (0, 0), 1)];
        let mut board = Board::under(silent, ("line", &own), ("still", &foe)).card("move-fire-move");
        for phase in ["fire", "fall-back"] {
            board.phase(phase, &mut grognard_dice::NoDice);
        }
        assert_eq!(board.place(board.south(0)) != (0, 0), falls_back, "from an enemy {distance} hexes away");
    }
}

/// A paid turn also counts as a second move (I.E.1-3). A free turn after the hexes of the first move belongs to the
/// first move (I.B.1.b).
#[test]
fn a_second_move_cites_what_it_does() {
    let second = |act| {
        let mut board = alone("light-infantry").card("move-fire-move");
        board.march(0, &[Step(2)]).expect("a hex");
        board.battle.phase =
            board.rules.phases.iter().position(|phase| phase.id == "fall-back").expect("a phase") as u8;
        board.seen = crate::common::Recorder::default();
        board.march(0, &[act]).expect("a turn");
        board
    };
    let paid = second(Pivot(4));
    paid.saw("I.E.1-3");
    paid.saw("I.B.3");
    let free = second(Turn(1));
    free.saw("I.B.1.b");
    free.saw_not("I.B.1.a");
}

/// Under Double Time, units step aside only if the players have agreed.
#[test]
fn clause_i_e_2_1() {
    alone("medium-infantry").card("double-time").forbids(0, &[Step(0)], "I.A-3");
    let agreed = ground(&["provision.aside-double-time.on=true"]);
    let far = [at("heavy-infantry", (0, -4), 4)];
    let mut board =
        Board::under(agreed, ("still", &[at("medium-infantry", (0, 0), 1)]), ("still", &far)).card("double-time");
    board.march(0, &[Step(0)]).expect("a step aside");
    assert_eq!(board.facing(board.south(0)), 1);
    board.saw("I.E.2-1");
    all_step_aside(agreed, "medium-infantry", "double-time");
}

/// Under Double Time, units turn as usual.
#[test]
fn clause_i_e_2_2() {
    let mut board = alone("medium-infantry").card("double-time");
    board.march(0, &[Step(1), Turn(1), Step(2), Turn(1)]).expect("two hexes, two turns");
    board.saw("I.E.2-2");
    alone("medium-infantry").card("double-time").forbids(0, &[Turn(1), Step(2), Step(2), Turn(1)], "I.B.2-2");
}

/// Under Order Mounted, units step aside only if the players have agreed.
#[test]
fn clause_i_e_3_1() {
    alone("heavy-cavalry").card("order-mounted").forbids(0, &[Step(5)], "I.A-3");
    let agreed = ground(&["provision.aside-order-mounted.on=true"]);
    let far = [at("heavy-infantry", (0, -4), 4)];
    let mut board =
        Board::under(agreed, ("still", &[at("heavy-cavalry", (0, 0), 1)]), ("still", &far)).card("order-mounted");
    board.march(0, &[Step(5)]).expect("a step back");
    assert_eq!((board.place(board.south(0)), board.facing(board.south(0))), ((0, 1), 1));
    board.saw("I.E.3-1");
    all_step_aside(agreed, "heavy-cavalry", "order-mounted");
}

/// Under Order Mounted, units turn as usual.
#[test]
fn clause_i_e_3_2() {
    let mut board = alone("medium-cavalry").card("order-mounted");
    board.march(0, &[Step(1), Turn(1), Step(2), Turn(1)]).expect("two hexes, two turns");
    assert_eq!(board.facing(board.south(0)), 3);
    board.saw("I.E.3-2");
    alone("medium-cavalry").card("order-mounted").forbids(0, &[Step(1), Turn(2)], "I.E.3-2");
}

/// Clash of Shields allows close combat through any hex.
#[test]
fn clause_i_e_4_1() {
    let position = || Board::new(&[at("heavy-infantry", (0, 0), 1)], &[at("medium-infantry", (-1, 0), 5)]);
    assert_eq!(position().targets(0), [], "without the card there is nobody in front");
    let mut board = position().card("clash-of-shields");
    let target = board.north(0);
    assert_eq!(board.targets(0), [(target, 5 + 2)]);
    board.attack(0, target, &misses(7 + 4));
    board.saw("I.E.4-1");
}

/// The unit turns towards the hex before it takes it.
#[test]
fn clause_i_e_4_2() {
    // The unit turns 60 degrees towards a hex in the west, and 120 degrees, one way or the other, towards one in the
    // south-west or the south-east.
    for (place, towards, ends) in [((-1, 0), 5, 2), ((-1, 1), 0, 3), ((0, 1), 2, 5)] {
        let own = [at("heavy-infantry", (0, 0), 1)];
        let foe = [at("medium-infantry", place, towards).figures(1)];
        let mut board = Board::led(("line", &own), ("still", &foe)).card("clash-of-shields");
        let target = board.north(0);
        let mut faces = vec!["medium"];
        faces.extend(misses(board.targets(0)[0].1 as usize - 1));
        board.attack(0, target, &faces);
        assert_eq!((board.place(board.south(0)), board.facing(board.south(0))), (place, ends), "{place:?}");
        board.saw("I.E.4-2");
    }
}

/// Under Line Command, only one unit may step aside.
#[test]
fn clause_i_e_5() {
    let line = [at("medium-infantry", (-1, 0), 1), at("medium-infantry", (0, 0), 1), at("medium-infantry", (1, 0), 1)];
    let mut board = Board::new(&line, &[at("heavy-infantry", (0, -4), 4)]).card("line-command");
    board.march(0, &[Step(5)]).expect("the first may");
    assert_eq!(board.facing(board.south(0)), 1);
    board.saw("I.E.5");
    board.forbids(2, &[Step(0)], "I.A-3");
    // A unit that steps aside keeps its facing: no turn comes before or after the step. A step ahead may be combined
    // with a turn as usual.
    let position = || alone("medium-infantry").card("line-command");
    position().forbids(0, &[Step(5), Turn(1)], "I.E.5");
    position().forbids(0, &[Turn(-1), Step(5)], "I.E.5");
    position().march(0, &[Step(1), Turn(1)]).expect("a step ahead and a turn");
    position().march(0, &[Turn(1), Step(3)]).expect("a turn that brings the hex ahead");
}

/// Wherever a unit goes under Line Command, it either steps aside or turns.
#[test]
fn units_under_line_command_step_aside_or_turn() {
    let mut aside = 0;
    for place in [(2, 0), (2, 1), (0, 2), (-2, 2), (-3, 2), (-3, 0), (-1, 3), (3, -1), (0, -3), (0, 4), (-2, 4)] {
        let own = [at("medium-infantry", (0, 0), 1)];
        let mut board = Board::led(("line", &own), ("still", &[at("light-infantry", place, 4)])).card("line-command");
        board.battle.phase = board.rules.phases.iter().position(|phase| phase.id == "move").expect("a phase") as u8;
        let from = board.unit(board.south(0)).front;
        grognard_engine::step(
            board.rules,
            &board.setup,
            &mut board.battle,
            &mut grognard_dice::NoDice,
            &mut board.seen,
        );
        let Some(way) = hex::direction(from, board.unit(board.south(0)).front) else { continue };
        let facing = board.facing(board.south(0));
        let ahead = |facing: u8| hex::arc(way, facing) == Arc::Front;
        assert!(facing == 1 || ahead(1) || ahead(facing), "towards {place:?}: {way} facing {facing}");
        aside += u8::from(facing == 1 && !ahead(1));
    }
    assert!(aside > 0, "it steps aside for some of them");
}

/// With steps aside, the places within reach are those found by trying marches act by act.
#[test]
fn reaches_aside_are_those_of_single_marches() {
    for (kind, card) in [("medium-infantry", "line-command"), ("light-infantry", "move-fire-move")] {
        let board = alone(kind).card(card);
        let id = board.south(0);
        let whole = hex::reach(board.rules, &board.setup, &board.battle, id);
        assert_eq!(whole, hex::reach_by_marches(board.rules, &board.setup, &board.battle, id), "{kind}");
        assert!(whole.contains(&((0, 1), 1)), "a step to the rear");
        assert_eq!(whole.contains(&((0, 1), 2)), card == "move-fire-move", "and a turn after it");
    }
}

/// Whether a unit may fall back depends on its position after its first move, not on what other units' shots have left
/// of its target (I.E.1-3).
#[test]
fn sight_is_taken_before_anybody_fires() {
    let own = [at("light-bow", (0, 0), 1), at("light-infantry", (-1, 0), 1)];
    let foe = [at("auxilia", (0, -2), 4)];
    let mut board = Board::led(("line", &own), ("still", &foe)).card("move-fire-move");
    let target = board.north(0);
    board.phase("fire", &mut grognard_dice::ScriptedDice::new(["flag", "leader"]));
    assert_eq!(board.place(target).1, -3, "out of range for light infantry");
    board.phase("fall-back", &mut grognard_dice::NoDice);
    for (number, place) in [(0, (0, 0)), (1, (-1, 0))] {
        assert_ne!(board.place(board.south(number)), place, "unit {number} falls back");
    }
}

/// A unit without a target after its first move gets no second move, even if another unit's shot then opens a line of
/// sight (I.E.1-3).
#[test]
fn shots_give_no_second_move() {
    let rows = ["last-block", "harass", "wings"];
    let rows = rows.map(|row| format!("doctrine.line.row.{row}.when=\"false\""));
    let rules = ground(&rows.each_ref().map(String::as_str));
    let own = [at("light-bow", (2, 1), 2), at("light-infantry", (0, 1), 1)];
    let foe = [at("auxilia", (0, 0), 4).figures(1), at("medium-infantry", (0, -1), 4)];
    let mut board = Board::under(rules, ("line", &own), ("still", &foe)).card("move-fire-move");
    let target = board.north(0);
    board.phase("fire", &mut grognard_dice::ScriptedDice::new(["light", "leader", "leader", "leader"]));
    assert!(board.unit(target).gone(), "its neighbour is shot down");
    board.phase("second-shot", &mut grognard_dice::NoDice);
    board.phase("fall-back", &mut grognard_dice::NoDice);
    assert_eq!(board.place(board.south(1)), (0, 1), "it stays where it is");
}
