//! Section I.C: turns made in the enemy's turn.

use grognard_dice::ScriptedDice;
use grognard_engine::{Asked, Offer, Player, Scene, Side, Steps};
use grognard_rules::model::Choice;

use super::{Board, From, at, from, misses};

/// An attack on a unit at (0, 0) that turns if it may. Returns the board with the unit's final facing and place.
fn attacked(kind: &str, side: From, dice: usize) -> Board {
    let mut board = Board::led(("still", &[from("medium-infantry", side)]), ("turn", &[at(kind, (0, 0), 1)]));
    let target = board.north(0);
    board.attack(0, target, &misses(dice));
    board
}

/// A unit may turn towards flank and rear attacks, but not frontal ones.
#[test]
fn clause_i_c_0() {
    let board = attacked("light-cavalry", From::Flank, 4 + 2);
    assert_ne!(board.facing(board.north(0)), 1);
    board.saw("I.C-0");
    let board = attacked("light-cavalry", From::Front, 4 + 2);
    assert_eq!(board.facing(board.north(0)), 1);
    board.saw_not("I.C-0");
}

/// Turns its attacked units, and takes the first facing offered.
struct Turns {
    offered: Vec<Offer>,
    doctrine: usize,
}

impl Player for Turns {
    fn plays(&self, side: Side) -> bool {
        side == Side::Second
    }

    fn choose(&mut self, _: Scene<'_>, asked: &Asked<'_>) -> usize {
        if matches!(asked.offers[0], Offer::Facing(_)) {
            (self.offered, self.doctrine) = (asked.offers.to_vec(), asked.doctrine);
            return 0;
        }
        asked.offers.iter().position(|offer| *offer == Offer::Take(Choice::React)).unwrap_or(asked.doctrine)
    }
}

/// Units of speed 3 and 4 may turn up to 120 degrees.
#[test]
fn clause_i_c_1() {
    // If the attacker is in the rear, a turn of 120 degrees brings it to the front.
    let board = attacked("medium-cavalry", From::Rear, 4 + 3);
    assert!([3, 5].contains(&board.facing(board.north(0))), "{}", board.facing(board.north(0)));
    board.saw("I.C.1");
    let board = attacked("light-cavalry", From::Rear, 4 + 2);
    board.saw("I.C.1");
    // No attack requires more than 120 degrees; the checklist counts the remaining steps (III.C-3).
    for (kind, steps) in [("medium-cavalry", 2), ("light-cavalry", 2)] {
        assert_eq!(super::metrics::steps_left(kind), steps, "{kind}");
    }
    // A player may turn it to any facing within reach, either way.
    let own = [from("medium-infantry", From::Rear)];
    let mut board = Board::led(("attack", &own), ("turn", &[at("medium-cavalry", (0, 0), 1)]));
    board.battle.phase = board.rules.phases.iter().position(|phase| phase.id == "close-combat").expect("a phase") as u8;
    let mut player = Turns { offered: Vec::new(), doctrine: usize::MAX };
    // With facing 0, the attacker is on its flank: one more die for the attacker, and half of three to battle back.
    let mut dice = ScriptedDice::new(misses(4 + 1 + 2));
    let mut steps = Steps::new(board.rules, &board.setup);
    steps.step_as(&mut board.battle, &mut dice, &mut board.seen, &mut player);
    dice.finish();
    assert_eq!(player.offered, [0, 2, 3, 5].map(Offer::Facing));
    assert_eq!(player.doctrine, 3, "by its doctrine it would face its attacker");
    assert_eq!(board.facing(board.north(0)), 0);
}

/// A unit of speed 2 may turn 60 degrees, so an attacker in its rear is then on its flank.
#[test]
fn clause_i_c_2() {
    let board = attacked("heavy-cavalry", From::Flank, 4 + 4);
    assert_eq!(board.facing(board.north(0)), 2);
    board.saw("I.C.2");
    // The attacker is still on a flank: one more die for the foot, and half of four to battle back.
    let board = attacked("heavy-cavalry", From::Rear, 4 + 1 + 2);
    assert_eq!(board.facing(board.north(0)), 0);
    board.saw("I.C.2");
    assert_eq!(super::metrics::steps_left("heavy-cavalry"), 1);
}

/// Elephants that have turned run to where their rear was.
#[test]
fn clause_i_c_2_x() {
    let elephants = at("elephants", (0, 0), 1);
    let mut board = Board::led(("still", &[from("medium-infantry", From::Flank)]), ("turn", &[elephants]));
    let target = board.north(0);
    // The attacker, in front after the turn, has four dice and rolls a flag. The rampage has two dice against the
    // attacker.
    board.attack(0, target, &["flag", "leader", "leader", "leader", "leader", "leader"]);
    assert_eq!(board.facing(target), 2);
    assert!([(-1, 1), (0, 1)].contains(&board.place(target)), "{:?}", board.place(target));
    board.saw("I.C.2-x");
}

/// A unit of speed 1 may not turn.
#[test]
fn clause_i_c_3() {
    let board = attacked("heavy-infantry", From::Rear, 4 + 2 + 3);
    assert_eq!(board.facing(board.north(0)), 1);
    board.saw("I.C.3");
}

/// Auxilia and warriors count as units of speed 1.
#[test]
fn clause_i_c_4() {
    let board = attacked("auxilia", From::Flank, 4 + 2 + 2);
    assert_eq!(board.facing(board.north(0)), 1);
    board.saw("I.C.4");
    let board = attacked("warriors", From::Flank, 4 + 2 + 2 + 1);
    assert_eq!(board.facing(board.north(0)), 1);
    board.saw("I.C.4");
}

/// A unit may turn once in each enemy turn.
#[test]
fn clause_i_c_5() {
    let attackers = [from("medium-infantry", From::Flank), at("medium-infantry", (1, 0), 3)];
    let mut board = Board::led(("still", &attackers), ("turn", &[at("light-cavalry", (0, 0), 1)]));
    let target = board.north(0);
    board.attack(0, target, &misses(4 + 2));
    let turned = board.facing(target);
    assert_eq!(turned, 2);
    board.attack(1, target, &misses(4 + 1 + 1));
    assert_eq!(board.facing(target), turned);
    board.saw("I.C.5");
    // In the next half-turn, it may react again.
    while board.battle.active == grognard_engine::Side::First {
        grognard_engine::step(
            board.rules,
            &board.setup,
            &mut board.battle,
            &mut grognard_dice::NoDice,
            &mut board.seen,
        );
    }
    assert!(!board.unit(target).hex.flags.has(grognard_engine::hex::HexFlags::REACTED));
}

/// Reactions come after the declaration and before the decision to evade.
#[test]
fn clause_i_c_6_1() {
    let mut board =
        Board::led(("still", &[from("medium-infantry", From::Flank)]), ("shun", &[at("light-infantry", (0, 0), 1)]));
    let target = board.north(0);
    board.attack(0, target, &misses(4));
    board.saw("I.C.6-1");
    let events: Vec<String> = board.seen.events().iter().map(|event| format!("{event:?}")).collect();
    let find = |what: &str| events.iter().position(|event| event.contains(what)).unwrap_or_else(|| panic!("{what}"));
    assert!(find("Declared") < find("Moved") && find("Moved") < find("Rolled") && find("Rolled") < find("FellBack"));
    // It could not evade before its turn: friends close both hexes behind it. The turn opens one of them.
    let closed = [at("auxilia", (-1, 1), 1), at("auxilia", (0, 1), 1)];
    let north = [&[at("light-infantry", (0, 0), 1)][..], &closed].concat();
    let mut board = Board::led(("still", &[from("medium-infantry", From::Flank)]), ("shun", &north));
    let target = board.north(0);
    board.attack(0, target, &misses(4));
    assert_ne!(board.place(target), (0, 0), "it evades");
}

/// A light unit may therefore turn and then evade through its new rear.
#[test]
fn clause_i_c_6_2() {
    let mut board =
        Board::led(("still", &[from("medium-infantry", From::Rear)]), ("shun", &[at("light-infantry", (0, 0), 1)]));
    let target = board.north(0);
    // After the turn, the attacker is on its flank: one more die.
    board.attack(0, target, &misses(4 + 2));
    assert_eq!(board.facing(target), 0);
    let (q, r) = board.place(target);
    assert!(q < 0 && q + r <= 0 && (q.abs() + r.abs() + (q + r).abs()) / 2 == 2, "two hexes to the new rear: {q}, {r}");
    board.saw("I.C.6-2");
}

/// A unit that evades without having turned towards this attack cites no turn, whatever it did before in the same turn.
#[test]
fn evasions_without_a_turn_cite_no_turn() {
    let mut board =
        Board::led(("still", &[from("medium-infantry", From::Front)]), ("shun", &[at("light-infantry", (0, 0), 1)]));
    let target = board.north(0);
    board.battle.units[target.index()].hex.flags = grognard_engine::hex::HexFlags::REACTED;
    board.attack(0, target, &misses(4));
    assert_ne!(board.place(target), (0, 0), "it evades");
    board.saw_not("I.C.6-2");
}

/// Elephants that turned towards an earlier attack, and are driven back by a later one, run to where their rear is in
/// the later combat (A5: "of that combat").
#[test]
fn elephants_run_from_a_later_attack_as_they_face() {
    let mut board = Board::new(&[from("medium-infantry", From::Front)], &[at("elephants", (0, 0), 1)]);
    let target = board.north(0);
    board.battle.units[target.index()].hex.flags = grognard_engine::hex::HexFlags::REACTED;
    board.attack(0, target, &["flag", "light", "light", "light", "light", "light"]);
    assert!([(-1, 1), (0, 1)].contains(&board.place(target)), "{:?}", board.place(target));
    board.saw_not("I.C.2-x");
}
