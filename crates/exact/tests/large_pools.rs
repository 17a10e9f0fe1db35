//! For pools too large for exact odds, the odds of battles are as close to the truth as they claim.

use grognard_dice::SeededDice;
use grognard_engine::{Unwitnessed, fight};
use grognard_exact::Number;
use grognard_rules::compile;
use grognard_rules::model::Rules;
use grognard_source::{Document, Sources};

use crate::common::{Men, duel, solved};

/// The rules for a volley of this roll.
fn rules(roll: &str) -> Rules {
    let text = format!(
        r#"
pack = "large"
title = "Large pools"
version = "1"
board = "none"
arms = ["foot"]

[morale]
state = [{{ id = "good" }}]

[unit.mass]
title = "Mass"
arm = "foot"
figures = 200

[roll.shoot]
title = "shooting"
{roll}

[[phase]]
id = "shoot"
title = "Shooting"
mechanism = "exchange"
roll = "shoot"
half = "first"

[victory]
broken = 100
"#
    );
    let mut sources = Sources::new();
    let file = sources.add("large.toml", text);
    let rules = Document::parse(file, &sources).and_then(|document| compile(&document, &sources));
    rules.unwrap_or_else(|faults| panic!("{}", faults.render(&sources, false)))
}

/// The chance of each number of figures lost in one volley of this roll, up to `most`.
fn chances(roll: &str, most: u16) -> Vec<Number> {
    let rules = rules(roll);
    let setup = duel(&rules, Men::of("mass", 200), Men::of("mass", 200), 1);
    let solution = solved(&rules, &setup, 0.0);
    (0..=most).map(|hits| solution.chance(|outcome| outcome.sides.second.losses == hits)).collect()
}

/// The chance of each number of figures lost to this many dice, each of which hits with 4 or more, wounds with 3 or
/// more and pierces with 5 or more.
fn losses(dice: u16) -> Vec<Number> {
    let roll = format!(
        r#"
mechanic = "pool"
own = {{ dice = "d6", count = {dice}, need = 4 }}
stage = [{{ id = "wound", dice = "d6", need = 3 }}, {{ id = "pierce", dice = "d6", need = 5 }}]
result = [{{ id = "hits", foe = {{ lose = "math.least(255, hits)" }} }}]
"#
    );
    chances(&roll, dice.min(200) - 1)
}

/// These chances, computed die by die: 1/2 x 2/3 x 1/3 = 1/9. In floating point, accurate to 2e-13.
fn by_the_die(dice: u16) -> Vec<f64> {
    (0..dice).fold(vec![1.0], |all, _| {
        let missed = all.iter().map(|chance| chance * 8.0 / 9.0).chain([0.0]);
        let hit = [0.0].into_iter().chain(all.iter().map(|chance| chance / 9.0));
        missed.zip(hit).map(|(missed, hit)| missed + hit).collect()
    })
}

#[test]
fn battles_with_large_pools_say_how_wrong_they_may_be() {
    // 9^40 fits in 128 bits, but 9^41 does not.
    assert!(losses(40).iter().all(|number| number.fraction.is_some()));
    for dice in [41, 100, 400] {
        let found = losses(dice);
        for (hits, (number, expected)) in found.iter().zip(by_the_die(dice)).enumerate() {
            assert!(number.fraction.is_none(), "{hits} of {dice} is rounded");
            assert!(number.error > 0.0 && number.error < 1e-13, "{hits} of {dice}: {}", number.error);
            let away = (number.value - expected).abs();
            assert!(away <= number.error + 2e-13, "{hits} of {dice}: {} is {away} off", number.value);
        }
    }
}

/// A pool of two dice a figure. The number of dice and the scores that they need vary with the figures. There are six
/// values for each need, so there are too many combinations to compute the odds of all. With 200 figures it is the
/// volley of [`losses`].
const VARYING: &str = r#"
mechanic = "pool"
own = { dice = "d6", count = "self.figures * 2", most = 400, need = "9 - math.least(200, self.figures) / 40" }
stage = [
  { id = "wound", dice = "d6", need = "8 - math.least(200, self.figures) / 40" },
  { id = "pierce", dice = "d6", need = "10 - math.least(200, self.figures) / 40" },
"#;

#[test]
fn the_number_and_all_needs_of_four_hundred_dice_may_vary() {
    let roll = format!("{VARYING}]\nresult = [{{ id = \"hits\", foe = {{ lose = \"math.least(255, hits)\" }} }}]\n");
    for (hits, (number, expected)) in chances(&roll, 199).iter().zip(by_the_die(400)).enumerate() {
        assert!(number.error > 0.0 && number.error < 1e-13, "{hits}: {}", number.error);
        assert!((number.value - expected).abs() <= number.error + 2e-13, "{hits}: {} not {expected}", number.value);
    }
    // Out of 54 dice 48 do nothing, and six show one to six.
    let roll = format!(
        "{VARYING}  {{ id = \"damage\", dice = \"d6\", read = \"sum\" }},\n]\n\
         result = [{{ id = \"hits\", foe = {{ lose = \"math.least(255, hits)\" }} }}]\n"
    );
    let by_damage = (0..400).fold(vec![1.0], |all: Vec<f64>, _| {
        let before = |at: usize, back: usize| at.checked_sub(back).and_then(|at| all.get(at)).unwrap_or(&0.0);
        let one = |at: usize| before(at, 0) * 48.0 + (1..=6).map(|back| before(at, back)).sum::<f64>();
        (0..all.len() + 6).map(|at| one(at) / 54.0).collect()
    });
    for (hits, (number, expected)) in chances(&roll, 199).iter().zip(by_damage).enumerate() {
        assert!(number.error > 0.0 && number.error < 1e-12, "{hits}: {}", number.error);
        assert!((number.value - expected).abs() <= number.error + 2e-13, "{hits}: {} not {expected}", number.value);
    }
}

/// Seed 1815, 20,000 volleys. The mean of 400 dice is 400/9, with a standard deviation of 6.3; that of the mean of the
/// volleys is 0.044. One seed in 15,000 gives a false alarm.
#[test]
fn battles_with_varying_needs_are_sampled_by_these_odds() {
    let roll = format!("{VARYING}]\nresult = [{{ id = \"hits\", foe = {{ lose = \"math.least(255, hits)\" }} }}]\n");
    let rules = rules(&roll);
    let setup = duel(&rules, Men::of("mass", 200), Men::of("mass", 200), 1);
    let mut dice = SeededDice::new(1815);
    let mut lost = 0_u32;
    for battle in 0..20_000 {
        dice.battle(battle);
        lost += u32::from(fight(&rules, &setup, &mut dice, &mut Unwitnessed).sides.second.losses);
    }
    let mean = f64::from(lost) / 20_000.0;
    assert!((mean - 400.0 / 9.0).abs() < 4.0 * 0.0444, "{mean}");
}

/// Both sides roll this many dice; the first needs fives and the second fours. Each surplus success of the first side
/// costs the second a figure.
fn ahead(dice: u16) -> Vec<Number> {
    let roll = format!(
        r#"
mechanic = "opposed"
own = {{ dice = "d6", count = {dice}, most = {dice}, read = "successes", need = 5 }}
foe = {{ dice = "d6", count = {dice}, most = {dice}, read = "successes", need = 4 }}
result = [{{ id = "ahead", when = "margin > 0", foe = {{ lose = "math.least(255, margin)" }} }}, {{ id = "not" }}]
"#
    );
    chances(&roll, dice.min(200) - 1)
}

#[test]
fn battles_with_large_opposed_pools_say_how_wrong_they_may_be() {
    // 6^49 fits in 128 bits, but 6^50 does not.
    assert!(ahead(49).iter().all(|number| number.fraction.is_some()));
    for dice in [50, 200, 400] {
        // Six equally likely pairs of dice, one die from each side: in two pairs, the second side is ahead by one; in
        // three, neither is; in one, the first is.
        let sums = (0..dice).fold(vec![1.0], |all: Vec<f64>, _| {
            let part = |at: usize, share: f64| all.get(at).map_or(0.0, |chance| chance * share / 6.0);
            let before = |at: usize, back: usize, share: f64| at.checked_sub(back).map_or(0.0, |at| part(at, share));
            (0..all.len() + 2).map(|at| part(at, 2.0) + before(at, 1, 3.0) + before(at, 2, 1.0)).collect()
        });
        // The margin is the first side's successes plus the foe's failures, minus the number of dice.
        let even = usize::from(dice);
        for (lost, number) in ahead(dice).iter().enumerate() {
            let expected = if lost == 0 { sums[..=even].iter().sum() } else { sums[even + lost] };
            assert!(number.fraction.is_none(), "{lost} of {dice} is rounded");
            assert!(number.error > 0.0 && number.error < 1e-13, "{lost} of {dice}: {}", number.error);
            let away = (number.value - expected).abs();
            assert!(away <= number.error + 2e-13, "{lost} of {dice}: {} is {away} off", number.value);
        }
    }
}
