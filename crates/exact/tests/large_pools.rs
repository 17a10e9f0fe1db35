//! For pools too large for exact odds, the odds of battles are as close to the truth as they claim.

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

/// The same for this many dice, each of which hits with 4 or more, wounds with 3 or more and pierces with 5 or more.
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

/// The same, computed die by die: 1/2 x 2/3 x 1/3 = 1/9. In floating point, accurate to 2e-13.
fn by_the_die(dice: u16) -> Vec<f64> {
    (0..dice).fold(vec![1.0], |all, _| {
        let missed = all.iter().map(|chance| chance * 8.0 / 9.0).chain([0.0]);
        let hit = [0.0].into_iter().chain(all.iter().map(|chance| chance / 9.0));
        missed.zip(hit).map(|(missed, hit)| missed + hit).collect()
    })
}

#[test]
fn battles_with_large_pools_say_how_wrong_they_may_be() {
    // 9^40 fits 128 bits, 9^41 does not.
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
    // 6^49 fits 128 bits, 6^50 does not.
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
