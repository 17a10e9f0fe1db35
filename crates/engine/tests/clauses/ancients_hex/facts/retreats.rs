//! Retreats, flags that may be ignored, and leaders (B24, B25, B29).

use grognard_dice::ScriptedDice;
use grognard_engine::hex::Act::Step;
use grognard_engine::{Asked, Event, HexEvent, Offer, Player, Scene, Side, Steps};
use grognard_rules::model::Choice;

use super::super::{Board, From, Men, at, from, ground, misses};
use super::phase;

/// Hexes that a retreat cannot cover cost a block each; a lone leader ends the retreat.
#[test]
fn fact_b24() {
    let edge = |more: Option<Men>| {
        let mut north = vec![at("light-infantry", (0, 4), 1)];
        north.extend(more);
        let mut board = Board::new(&[at("heavy-infantry", (0, 3), 4)], &north);
        let target = board.north(0);
        board.attack(0, target, &[&["flag"][..], &misses(4 + 2)].concat());
        board.unit(target).figures
    };
    assert_eq!(edge(None), 2, "two hexes, none on the board");
    let mut board = Board::new(
        &[from("medium-infantry", From::Front)],
        &[at("light-infantry", (0, 0), 1), at("leader", (0, 1), 1), at("auxilia", (-1, 1), 1)],
    );
    let target = board.north(0);
    // The leader and the auxilia beside it let it ignore one of two flags.
    board.attack(0, target, &["flag", "flag", "leader", "leader"]);
    assert_eq!((board.unit(target).figures, board.place(target)), (4, (0, 1)), "it stops where its leader is");
}

/// Two neighbours let a unit ignore a flag, and a leader lets it ignore one as well. Elephants get no support.
#[test]
fn fact_b25() {
    let holds = |kind: &str, others: &[Men], back: usize| {
        let mut north = vec![at(kind, (0, 0), 1)];
        north.extend(others.iter().cloned());
        let mut board = Board::new(&[from("light-infantry", From::Front)], &north);
        let target = board.north(0);
        let wild = if back == 0 && kind == "elephants" { misses(2 * 3) } else { misses(back) };
        board.attack(0, target, &[&["flag", "flag"][..1], &["leader"], &wild].concat());
        board.place(target) == (0, 0)
    };
    let beside = |kind: &str| [at("auxilia", (-1, 0), 1), at(kind, (1, 0), 1)];
    assert!(holds("medium-infantry", &beside("auxilia"), 4));
    assert!(holds("medium-infantry", &beside("leader"), 4), "a lone leader counts");
    assert!(!holds("medium-infantry", &beside("auxilia")[..1], 0));
    assert!(holds("medium-infantry", &[at("leader", (0, 0), 1)], 4));
    assert!(!holds("elephants", &beside("auxilia"), 0));
    // Leaders do not help elephants (B16): the elephants rampage, with two dice against the attacker.
    let leader = [at("leader", (0, 0), 1)];
    let led = [at("elephants", (0, 0), 1), leader[0].clone()];
    let mut board = Board::new(&[from("light-infantry", From::Front)], &led);
    let target = board.north(0);
    board.attack(0, target, &["flag", "light", "heavy", "heavy"]);
    assert_ne!(board.place(target), (0, 0));
    // The two neighbours and the leader each let a unit ignore one of two flags; together they let it ignore both.
    let both = [&beside("auxilia")[..], &leader].concat();
    for (others, stands) in [(&beside("auxilia")[..], false), (&leader, false), (&both, true)] {
        let mut north = vec![at("medium-infantry", (0, 0), 1)];
        north.extend(others.iter().cloned());
        let mut board = Board::new(&[from("light-infantry", From::Front)], &north);
        let target = board.north(0);
        board.attack(0, target, &[&["flag", "flag"][..], &misses(if stands { 4 } else { 0 })].concat());
        assert_eq!(board.place(target) == (0, 0), stands, "{others:?}");
    }
}

/// A unit that may ignore flags is asked for each one: with a doctrine that obeys them, it falls back; a player may
/// ignore one and obey the next.
#[test]
fn fact_b25_is_a_choice() {
    let north = || {
        [at("medium-infantry", (0, 0), 1), at("leader", (0, 0), 1), at("auxilia", (-1, 0), 1), at("auxilia", (1, 0), 1)]
    };
    let own = [at("light-infantry", (1, -1), 4)];
    let retreat = |board: &Board| {
        let of = |event: &Event| if let Event::Hex(HexEvent::FellBack { of, .. }) = event { Some(*of) } else { None };
        board.seen.events().iter().find_map(of).unwrap_or(0)
    };
    let heeds = ["doctrine.yield.row.give-ground.do=\"heed-flag\"", "doctrine.yield.row.give-ground.when=\"self.led\""];
    for (changes, back) in [(&[][..], 0), (&heeds[..], 2)] {
        let mut board = Board::under(ground(changes), ("still", &own), ("yield", &north()));
        let target = board.north(0);
        board.attack(0, target, &[&["flag", "flag"][..], &misses(if back == 0 { 4 } else { 0 })].concat());
        assert_eq!(retreat(&board), back, "{changes:?}");
    }
    // The pack declares this choice for players.
    for ignored in 0..=2 {
        let rules = ground(&["repertoire=\"declared\""]);
        let mut board = Board::under(rules, ("attack", &own), ("still", &north()));
        phase(&mut board, "close-combat");
        let mut player = Heeds { ignored, asked: 0 };
        let answer = misses(if ignored == 2 { 4 } else { 0 });
        let faces = [&["flag", "flag"][..], &answer].concat();
        let mut dice = ScriptedDice::new(faces.iter().copied());
        let mut steps = Steps::new(board.rules, &board.setup);
        steps.step_as(&mut board.battle, &mut dice, &mut board.seen, &mut player);
        dice.finish();
        assert_eq!((retreat(&board), player.asked), (2 - ignored, (ignored + 1).min(2)), "{ignored} ignored");
    }
}

/// Ignores this many flags and obeys the next one.
struct Heeds {
    ignored: i32,
    asked: i32,
}

impl Player for Heeds {
    fn plays(&self, side: Side) -> bool {
        side == Side::Second
    }

    fn choose(&mut self, _: Scene<'_>, asked: &Asked<'_>) -> usize {
        let Some(heeds) = asked.offers.iter().position(|offer| *offer == Offer::Take(Choice::HeedFlag)) else {
            return asked.doctrine;
        };
        assert_eq!(asked.doctrine, 0, "doctrine ignores all that it may");
        self.asked += 1;
        if self.asked > self.ignored { heeds } else { 0 }
    }
}

/// Only helmets hit a lone leader, in close combat and by fire; if none does, he flees.
#[test]
fn fact_b29() {
    for (faces, lives) in [(["light", "swords"], true), (["leader", "light"], false)] {
        let mut board = Board::new(&[at("light-bow", (0, 2), 1)], &[at("leader", (0, 0), 4)]);
        let target = board.north(0);
        board.shoot(0, target, &faces);
        assert_eq!(!board.unit(target).gone(), lives, "{faces:?}");
        if lives {
            assert_eq!(board.place(target).1, -3, "three hexes to the north");
        }
    }
    // Two helmets on two dice remove the leader of a unit that has lost a block.
    for (dice, falls) in [(["leader", "leader"], true), (["leader", "light"], false)] {
        let led = [at("medium-infantry", (0, 0), 1), at("leader", (0, 0), 1)];
        let mut board = Board::new(&[from("light-infantry", From::Front)], &led);
        let target = board.north(0);
        // With him, it ignores the flag and battles back; without him, it retreats.
        let back = misses(if falls { 0 } else { 4 });
        board.attack(0, target, &[&["medium", "flag"][..], &dice, &back].concat());
        assert_eq!(board.unit(board.north(1)).gone(), falls, "{dice:?}");
    }
}

/// A wood ends the move of every unit that enters it, including a lone leader (B33).
#[test]
fn woods_stop_leaders() {
    let forest = ground(&["hex.terrain.forest.at=[\"0,-1\"]"]);
    let far = [at("auxilia", (0, -4), 4)];
    let mut board = Board::under(forest, ("still", &[at("leader", (0, 0), 1)]), ("still", &far));
    board.forbids(0, &[Step(2), Step(2)], "house");
    board.march(0, &[Step(2)]).expect("a step into the wood");
}
