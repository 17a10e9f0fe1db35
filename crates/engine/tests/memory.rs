//! A battle does not depend on what was computed before it, whether it is fought in one go, step by step, or from
//! memory.

use crate::common::{Game, drill, load, unit};
use grognard_dice::SeededDice;
use grognard_engine::{
    BySide, Lucky, Memory, Outcome, Setup, SiteValue, Slope, Steps, Unwitnessed, Value, fight, step,
};
use grognard_rules::model::{DoctrineId, Rules};

fn rules(pack: &str) -> &'static Rules {
    Box::leak(Box::new(load(pack)))
}

/// Plays the battle with nothing but its state carried over from one step to the next.
fn step_by_step(rules: &Rules, setup: &Setup, dice: &mut SeededDice) -> Outcome {
    let mut battle = setup.start.clone();
    loop {
        if let Some(outcome) = step(rules, setup, &mut battle, dice, &mut Unwitnessed) {
            return outcome;
        }
    }
}

/// A value that differs for every site, lead and turn.
fn value() -> Value {
    let site = |site: u16| {
        let slope = |odd: i32| {
            let level = (i32::from(site) * odd) % 1_021 - 510;
            Slope { level, by_lead: level / 3, by_turn: level / 7 }
        };
        let (wins, losses) = (BySide::new(slope(7), slope(11)), BySide::new(slope(17), slope(19)));
        (site, SiteValue { lead: slope(13).level, wins, losses })
    };
    Value::new((0..4_096).map(site).collect())
}

/// Checks that every battle has the same outcome as when fought alone, in any order and with any amount of memory.
fn check(rules: &Rules, setup: &Setup, battles: u64) {
    let mut dice = SeededDice::new(1809);
    let mut alone = |battle: u64| {
        dice.battle(battle);
        let outcome = fight(rules, setup, &mut dice, &mut Unwitnessed);
        assert_eq!(outcome, step_by_step(rules, setup, &mut dice), "battle {battle}, step by step");
        outcome
    };
    let expected: Vec<_> = (0..battles).map(&mut alone).collect();
    let mut dice = SeededDice::new(1809);
    let (mut with_luck, value) = (Vec::new(), value());
    for battle in 0..battles {
        dice.battle(battle);
        let mut lucky = Lucky::new(&mut dice, &value);
        let outcome = fight(rules, setup, &mut lucky, &mut Unwitnessed);
        with_luck.push((outcome, lucky.fallen));
    }
    assert!(with_luck.iter().any(|(_, fallen)| fallen.luck.first.0 != 0), "somebody is lucky");
    assert!(with_luck.iter().any(|(_, fallen)| fallen.wins.first != 0), "and it is worth something");
    // Backwards, then forwards: on the second pass, a memory that is large enough already holds everything.
    let all: Vec<u64> = (0..battles).rev().chain(0..battles).collect();
    // Batches range from one battle to more than are walked side by side. An empty batch follows.
    for (bytes, batch) in [(0, 1), (1, 300), (500, 17), (5_000, 1), (5_000, 256), (100_000, 257), (1 << 24, 1_000)] {
        let (mut memory, mut steps) = (Memory::new(setup, bytes), Steps::new(rules, setup));
        for batch in all.chunks(batch) {
            let told = format!("battles {} to {}, {bytes} bytes", batch[0], batch[batch.len() - 1]);
            let fought = memory.fight(&mut steps, &mut dice, batch);
            assert!(fought.iter().eq(batch.iter().map(|&battle| &expected[battle as usize])), "{told}");
            let (outcomes, fallen) = memory.fight_with_luck(&mut steps, &mut dice, batch, &value);
            assert_eq!(outcomes, fought, "{told}, with luck");
            assert!(fallen.iter().eq(batch.iter().map(|&battle| &with_luck[battle as usize].1)), "luck of {told}");
        }
        assert!(memory.fight(&mut steps, &mut dice, &[]).is_empty());
    }
}

#[test]
fn a_duel_remembered_is_the_duel_fought() {
    let rules = rules("napoleonic-figures");
    let horse = unit("heavy-cavalry").at(0.0, -6.0);
    for formation in ["line", "square", "column"] {
        let foot = unit("line-battalion").formation(formation).at(0.0, 6.0);
        let game = Game::under(rules, ("charge-home", std::slice::from_ref(&horse)), ("stand", &[foot]));
        check(rules, &game.setup, 2_000);
    }
}

/// A unit released from a square whose host has fallen reacts to the units that hit it in this battle, not to those of
/// an earlier battle.
#[test]
fn those_let_out_of_a_square_remembered_are_those_fought() {
    let square =
        |figures: u16, east: f64| unit("line-battalion").figures(figures).formation("square").at(east, 0.0).facing(0.0);
    let guns = |east: f64| unit("positional-battery").at(east, 6.0).facing(180.0);
    let squares = [square(6, -0.77), square(2, 0.0), square(6, 0.77)];
    let horse = |east: f64, facing: f64| unit("light-cavalry").figures(4).at(east, -3.0).facing(facing);
    let enemies = [guns(-3.0), guns(3.0), horse(-8.0, 70.0), horse(8.0, 290.0)];
    let mut game = Game::new(("join", &squares), ("fire-only", &enemies));
    let charge = drill().doctrine("charge").expect("a drill");
    game.setup.start.units.iter_mut().filter(|unit| unit.cannon == 0).skip(3).for_each(|unit| unit.doctrine = charge);
    check(drill(), &game.setup, 300);
}

/// Because of rounding, the distance between two units that are askew depends on the direction in which it is measured.
#[test]
fn a_duel_askew_remembered_is_the_duel_fought() {
    let rules = rules("napoleonic-figures");
    let attacker = unit("line-battalion").at(12.5, -2.0);
    for formation in ["line", "column"] {
        let foot = unit("line-battalion").formation(formation).at(0.0, 0.0).facing(180.0);
        let game = Game::under(rules, ("charge-home", std::slice::from_ref(&attacker)), ("stand", &[foot]));
        check(rules, &game.setup, 2_000);
    }
}

#[test]
fn a_brigade_remembered_is_the_brigade_fought() {
    let rules = rules("napoleonic-figures");
    let horse = [-10.0, 10.0].map(|east| unit("heavy-cavalry").at(east, -8.0));
    let foot = [-14.0, 0.0, 14.0].map(|east| unit("line-battalion").at(east, 8.0));
    let game = Game::under(rules, ("charge-home", &horse), ("stand-and-form", &foot));
    check(rules, &game.setup, 500);
}

#[test]
fn dice_without_a_board_are_remembered() {
    let rules = rules("risk");
    let doctrine = &rules.doctrines[DoctrineId::FIRST].id;
    let armies = [8, 6].map(|figures| [unit("army").figures(figures)]);
    let game = Game::under(rules, (doctrine, &armies[0]), (doctrine, &armies[1]));
    check(rules, &game.setup, 2_000);
}
