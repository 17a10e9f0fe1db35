//! Which units shoot at which targets, and with how many dice (B17, B18).

use grognard_engine::hex;
use grognard_engine::hex::Act::{Pivot, Step};
use grognard_engine::{Event, Flags, HexEvent, Side};
use grognard_rules::model::Provides;

use super::super::{Board, at, ground, misses, rules};

/// A unit fires with two dice if it has not moved, and with one after a move. Only its target's colour hits, not swords
/// or helmets. It does not fire next to an enemy.
#[test]
fn fact_b17() {
    let archers = |moved: u8, range: i32| {
        let mut board = Board::new(&[at("light-bow", (0, 0), 1)], &[at("medium-infantry", (0, -range), 4)]);
        board.battle.units[0].hex.steps = moved;
        board
    };
    let mut board = archers(0, 3);
    let target = board.north(0);
    board.shoot(0, target, &["medium", "swords"]);
    assert_eq!(board.unit(target).figures, 3);
    archers(1, 2).shoot(0, target, &["leader"]);
    let reach = |board: &mut Board| {
        let (own, foe) = (board.south(0), board.north(0));
        let mut dice = grognard_dice::SeededDice::new(1815);
        grognard_engine::hex::shoot(board.rules, &board.setup, &mut board.battle, own, foe, &mut dice, &mut board.seen)
            .map_err(|breach| breach.deed)
    };
    assert_eq!(reach(&mut archers(0, 4)), Err(Provides::Range));
    assert_eq!(reach(&mut archers(0, 1)), Err(Provides::Range));
    let beside = [at("medium-infantry", (0, -3), 4), at("auxilia", (1, 0), 4)];
    assert_eq!(
        reach(&mut Board::new(&[at("light-bow", (0, 0), 1)], &beside)),
        Err(Provides::Range),
        "an enemy next to it"
    );
    // Fire goes through the front sector, like every attack (A4): not to the rear, nor straight to the flank.
    for (place, may) in [
        ((0, -2), true),
        ((1, -2), true),
        ((2, -2), true),
        ((2, -1), true),
        ((3, -1), false),
        ((2, 0), false),
        ((0, 2), false),
    ] {
        let mut board = Board::new(&[at("light-bow", (0, 0), 1)], &[at("medium-infantry", place, 4)]);
        assert_eq!(reach(&mut board).is_ok(), may, "{place:?}");
    }
    // Some cards forbid fire (B31).
    for (card, may) in [("none", true), ("move-fire-move", true), ("double-time", false), ("clash-of-shields", false)] {
        let board = Board::new(&[at("light-bow", (0, 0), 1)], &[at("medium-infantry", (0, -2), 4)]);
        assert_eq!(reach(&mut board.card(card)).is_ok(), may, "{card}");
    }
    for (kind, moved, may) in
        [("auxilia", 1, true), ("auxilia", 2, false), ("war-machine", 0, true), ("war-machine", 1, false)]
    {
        let mut board = Board::new(&[at(kind, (0, 0), 1)], &[at("medium-infantry", (0, -2), 4)]);
        board.battle.units[0].hex.steps = moved;
        assert_eq!(reach(&mut board).is_ok(), may, "{kind} after {moved}");
    }
}

/// Units and woods block sight. If the line runs along the side between two hexes, both must block it.
#[test]
fn fact_b18() {
    let sees = |rules: &'static grognard_rules::model::Rules, foe: (i32, i32), between: &[(i32, i32)]| {
        let mut north = vec![at("medium-infantry", foe, 4)];
        north.extend(between.iter().map(|&place| at("auxilia", place, 4)));
        let mut board = Board::under(rules, ("still", &[at("light-bow", (0, 0), 1)]), ("still", &north));
        let (own, foe) = (board.south(0), board.north(0));
        let mut dice = grognard_dice::SeededDice::new(1815);
        grognard_engine::hex::shoot(board.rules, &board.setup, &mut board.battle, own, foe, &mut dice, &mut board.seen)
            .is_ok()
    };
    assert!(sees(rules(), (0, -3), &[]) && !sees(rules(), (0, -3), &[(0, -2)]));
    // Straight north, the line runs between (0, -1) and (1, -1).
    let forest = |hexes: &str| ground(&[&format!("hex.terrain.forest.at=[{hexes}]")]);
    assert!(sees(forest("\"0,-1\""), (1, -2), &[]) && !sees(forest("\"0,-1\", \"1,-1\""), (1, -2), &[]));
    for (terrain, blocks) in [
        ("forest", true),
        ("hill", true),
        ("camp", true),
        ("ford", false),
        ("river", false),
        ("broken", false),
        ("rampart-north", false),
        ("rampart-south", false),
    ] {
        let rules = ground(&[&format!("hex.terrain.{terrain}.at=[\"0,-2\"]")]);
        assert_eq!(sees(rules, (0, -3), &[]), !blocks, "past {terrain}");
    }
}

/// A paid pivot counts as a hex of movement, so fire after it has one die (A9).
#[test]
fn reading_a9() {
    let mut board = Board::new(&[at("light-bow", (0, 0), 4)], &[at("auxilia", (0, -2), 4)]);
    board.march(0, &[Pivot(1)]).expect("a hex paid for");
    let target = board.north(0);
    board.shoot(0, target, &misses(1));
    assert_eq!(board.unit(board.south(0)).side, Side::First);
}

/// Shooting counts as a battle: a unit that has entered terrain in which it may not fight does not shoot in that turn
/// either (B12, B33, B36).
#[test]
fn units_that_may_not_fight_do_not_shoot() {
    for (terrain, kind, may) in [
        ("forest", "light-cavalry", false),
        ("forest", "light-bow-cavalry", false),
        ("forest", "light-bow", true),
        ("broken", "light-cavalry", false),
        ("broken", "light-infantry", true),
        ("ford", "light-cavalry", true),
    ] {
        let rules = ground(&[&format!("hex.terrain.{terrain}.at=[\"0,-1\"]")]);
        let foe = [at("medium-infantry", (0, -3), 4)];
        let mut board = Board::under(rules, ("line", &[at(kind, (0, 0), 1)]), ("still", &foe));
        board.march(0, &[Step(2)]).expect("a step into it");
        let (own, target) = (board.south(0), board.north(0));
        let mut dice = grognard_dice::SeededDice::new(1815);
        let mut after = board.battle.clone();
        let shot = hex::shoot(board.rules, &board.setup, &mut after, own, target, &mut dice, &mut board.seen);
        assert_eq!(shot.is_ok(), may, "{kind} in {terrain}");
        let rolls = board.seen.rolls().count();
        board.phase("fire", &mut dice);
        assert_eq!(board.seen.rolls().count() > rolls, may, "{kind} in {terrain}, by doctrine");
        // A unit that was there before the turn does shoot.
        let mut board = Board::under(rules, ("still", &[at(kind, (0, -1), 1)]), ("still", &foe));
        hex::shoot(board.rules, &board.setup, &mut board.battle, own, target, &mut dice, &mut board.seen)
            .unwrap_or_else(|breach| panic!("{kind} in {terrain}: {breach:?}"));
    }
}

/// Without dice there is no shot: one die for a unit that has moved, minus one in a camp (B17, B38).
#[test]
fn nobody_shoots_without_dice() {
    for (steps, may) in [(0, true), (1, false)] {
        let camp = ground(&["hex.terrain.camp.at=[\"0,0\"]"]);
        let own = [at("light-bow", (0, 0), 1)];
        let mut board = Board::under(camp, ("line", &own), ("still", &[at("auxilia", (0, -2), 4)]));
        board.battle.units[0].hex.steps = steps;
        board.phase("fire", &mut grognard_dice::SeededDice::new(1815));
        let shot = |event: &Event| matches!(event, Event::Hex(HexEvent::Declared { .. }));
        assert_eq!(board.seen.events().iter().any(shot), may, "after {steps}");
    }
}

/// Neither a leader with a unit nor a unit that has been removed is a target of its own (B16, B29).
#[test]
fn only_units_on_the_board_are_targets() {
    let north = [at("medium-infantry", (0, -2), 4), at("leader", (0, -2), 4), at("auxilia", (1, -2), 4)];
    let mut board = Board::led(("line", &[at("light-bow", (0, 0), 1)]), ("still", &north));
    let removed = board.north(2);
    board.battle.units[removed.index()].flags = Flags::GONE;
    let mut dice = grognard_dice::SeededDice::new(1815);
    for (enemy, may) in [(board.north(0), true), (board.north(1), false), (removed, false)] {
        let (own, mut after) = (board.south(0), board.battle.clone());
        let shot = hex::shoot(board.rules, &board.setup, &mut after, own, enemy, &mut dice, &mut board.seen);
        assert_eq!(shot.is_ok(), may, "{enemy:?}");
    }
    let before = board.seen.events().len();
    board.phase("fire", &mut dice);
    let target = |event: &Event| match event {
        Event::Hex(HexEvent::Declared { target, .. }) => Some(*target),
        _ => None,
    };
    assert_eq!(board.seen.events()[before..].iter().find_map(target), Some(board.north(0)));
}
