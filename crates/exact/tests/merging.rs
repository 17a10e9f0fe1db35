//! What merging, rounding and pruning may change, and what they may not.

use std::collections::BTreeMap;
use std::ops::ControlFlow;

use crate::common::{Men, compiled, duel, load, solved};
use grognard_dice::EnumeratedDice;
use grognard_engine::{Outcome, Setup, Side, Unwitnessed, fight};
use grognard_exact::{Budget, Limits, Solution, solve};
use grognard_rules::model::Rules;

/// Every complete battle, path by path, without merging.
fn walked(rules: &Rules, setup: &Setup) -> Vec<(Outcome, f64)> {
    let mut walked: Vec<(Outcome, f64)> = Vec::new();
    let mut dice = EnumeratedDice::new();
    while dice.next_path() {
        let outcome = fight(rules, setup, &mut dice, &mut Unwitnessed);
        match walked.iter_mut().find(|known| known.0 == outcome) {
            Some(known) => known.1 += dice.chance(),
            None => walked.push((outcome, dice.chance())),
        }
    }
    walked
}

/// Heavy cavalry charges a battalion from ten inches.
fn charge(rules: &Rules, turns: u8) -> Setup {
    let horse = Men { doctrine: Some("charge-home"), at: Some((0, 1_000)), ..Men::of("heavy-cavalry", 4) };
    let foot = Men { doctrine: Some("stand"), at: Some((0, 0)), ..Men::of("line-battalion", 6) };
    duel(rules, horse, foot, turns)
}

#[test]
fn merging_changes_no_odds() {
    let (risk, refduel, figures) = (load("risk"), load("refduel"), load("napoleonic-figures"));
    let army = |figures| Men::of("army", figures);
    for (rules, setup) in [
        (&risk, duel(&risk, army(3), army(2), 60)),
        (&risk, duel(&risk, army(3), army(3), 200)),
        (&risk, duel(&risk, army(4), army(3), 60)),
        (&refduel, duel(&refduel, Men::of("one-up", 11), Men::of("plain", 11), 2)),
        (&figures, charge(&figures, 1)),
    ] {
        let solution = solved(rules, &setup, 0.0);
        let walked = walked(rules, &setup);
        assert_eq!(walked.len(), solution.outcomes().count());
        for (outcome, chance) in walked {
            let merged = solution.chance(|other| *other == outcome).value;
            assert!((merged - chance).abs() < 1e-13, "{outcome:?}: {merged} merged, {chance} walked");
        }
    }
}

#[test]
fn everything_sums_to_one_within_the_stated_error() {
    let rules = load("napoleonic-figures");
    for turns in [1, 3, 8] {
        let solution = solved(&rules, &charge(&rules, turns), 0.0);
        let all = solution.chance(|_| true);
        assert!((all.value - 1.0).abs() <= all.error, "{all:?}");
        assert_eq!(solution.left_out(), 0.0);
        let mean: f64 = solution
            .distribution(|outcome| u32::from(outcome.sides.second.losses))
            .iter()
            .map(|(value, number)| f64::from(*value) * number.value)
            .sum();
        assert!((mean - solution.mean(|outcome| u32::from(outcome.sides.second.losses)).value).abs() < 1e-12);
    }
}

/// Threads share the states of a layer, and every sum still has the same terms in the same order. The results are equal
/// to the last bit, in floating point and in whole numbers, with or without pruning.
#[test]
fn any_number_of_threads_finds_the_same_bits() {
    let rules = load("napoleonic-figures");
    let horse = Men { doctrine: Some("charge-home"), at: Some((1_000, 300)), ..Men::of("heavy-cavalry", 8) };
    let foot = Men { doctrine: Some("stand"), at: Some((0, 0)), ..Men::of("line-battalion", 12) };
    for (setup, prune, floating) in [
        (duel(&rules, horse, foot, 5), 0.0, true),
        (duel(&rules, horse, foot, 5), 1e-6, true),
        (duel(&rules, horse, foot, 4), 0.0, false),
    ] {
        let bits = |shared| {
            let limits = Limits { prune, shared, ..Limits::default() };
            let solution = solve(&rules, &setup, &limits, &mut |_| ControlFlow::Continue(())).unwrap();
            let widest = solution.effort().widest;
            assert!(widest > 200, "several lanes, on several threads: {widest}");
            let outcomes: Vec<_> = solution.outcomes().map(|(outcome, odds)| (*outcome, odds)).collect();
            assert_eq!(outcomes.iter().any(|(_, odds)| odds.fraction.is_none()), floating);
            let (left_out, effort) = (solution.left_out(), solution.effort());
            // The shortest decimal form of a float identifies it uniquely.
            format!("{outcomes:?} {left_out:?} {effort:?}")
        };
        let alone = bits(false);
        for threads in [1, 2, 3] {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            assert_eq!(pool.install(|| bits(true)), alone, "{threads} threads");
        }
    }
}

/// The cache of earlier turns is dropped if memory is short. Its contents are then recomputed, with identical bits.
#[test]
fn what_is_remembered_changes_no_bit() {
    let rules = load("napoleonic-figures");
    let horse = Men { doctrine: Some("charge-home"), at: Some((1_000, 300)), ..Men::of("heavy-cavalry", 8) };
    let foot = Men { doctrine: Some("stand"), at: Some((0, 0)), ..Men::of("line-battalion", 12) };
    let setup = duel(&rules, horse, foot, 6);
    let solved_in = |bytes| {
        let limits = Limits { bytes, ..Limits::default() };
        let solution = solve(&rules, &setup, &limits, &mut |_| ControlFlow::Continue(())).unwrap();
        let outcomes: Vec<_> = solution.outcomes().map(|(outcome, odds)| (*outcome, odds)).collect();
        let effort = solution.effort();
        (format!("{outcomes:?}"), effort.states, effort.paths, effort.bytes)
    };
    let all = solved_in(Limits::default().bytes);
    for bytes in [all.3 * 3 / 4, all.3 / 2] {
        let less = solved_in(bytes);
        assert_eq!((&less.0, less.1, less.2), (&all.0, all.1, all.2), "in {bytes} bytes");
    }
}

/// If dice may end the battle after each turn from the third on, the same position does not lead to the same results in
/// earlier and later turns.
#[test]
fn turns_that_may_be_the_last_are_not_taken_for_others() {
    const TURNS: u8 = 20;
    let rules = compiled(
        r#"
pack = "long"
title = "Long"
version = "1"
board = "none"
arms = ["foot"]

[morale]
state = [{ id = "good" }]

[unit.squad]
title = "Squad"
arm = "foot"
figures = 2

[roll.shoot]
title = "shooting"
mechanic = "pool"
own = { dice = "d6", count = 30, need = 6 }
result = [{ id = "hits", when = "hits >= 8", foe = { lose = 1 } }, { id = "misses" }]

[[phase]]
id = "shoot"
title = "Shooting"
mechanism = "exchange"
roll = "shoot"
by = "both"
half = "first"
simultaneous = true

[victory]
broken = 100
last = { from = 3, dice = "d6", need = 3, cite = ["house"], note = "A one or a two ends it." }
"#,
    );
    let setup = duel(&rules, Men::of("squad", 2), Men::of("squad", 2), TURNS);
    let solution = solved(&rules, &setup, 0.0);
    // Eight sixes on thirty dice cost a figure. Sixty dice need more than 128 bits, so the results cached from turn to
    // turn have no fractions.
    let ways = |hits: u32| (0..hits).fold(1.0, |ways, hit| ways * f64::from(30 - hit) / f64::from(hit + 1));
    let misses: f64 = (0..8).map(|hits| ways(hits) * 5_f64.powi(30 - hits as i32)).sum::<f64>() / 6_f64.powi(30);
    // For each turn, the figures left on both sides.
    let mut open = BTreeMap::from([([2_u8, 2], 1.0)]);
    let mut over: BTreeMap<(u8, Option<Side>), f64> = BTreeMap::new();
    for turn in 1..=TURNS {
        let mut next = BTreeMap::new();
        for ([first, second], chance) in open {
            for (own, of_own) in [(0, misses), (1, 1.0 - misses)] {
                for (foe, of_foe) in [(0, misses), (1, 1.0 - misses)] {
                    let (left, chance) = ([first - own, second - foe], chance * of_own * of_foe);
                    let ends = if turn >= 3 { 1.0 / 3.0 } else { 0.0 };
                    match left {
                        [0, 0] => *over.entry((turn, None)).or_insert(0.0) += chance,
                        [0, _] => *over.entry((turn, Some(Side::Second))).or_insert(0.0) += chance,
                        [_, 0] => *over.entry((turn, Some(Side::First))).or_insert(0.0) += chance,
                        _ => {
                            *over.entry((turn, None)).or_insert(0.0) += chance * ends;
                            *next.entry(left).or_insert(0.0) += chance * (1.0 - ends);
                        }
                    }
                }
            }
        }
        open = next;
    }
    for ((turn, winner), chance) in over {
        let found = solution.chance(|outcome| (outcome.turns, outcome.winner) == (turn, winner));
        let last = if turn == TURNS && winner.is_none() { open.values().sum() } else { 0.0 };
        assert!(found.fraction.is_none(), "{winner:?} in turn {turn} has a fraction");
        assert!((found.value - chance - last).abs() < 1e-12, "{winner:?} in turn {turn}: {found:?} is not {chance}");
    }
}

/// How much of the probability of `other`'s outcomes is missing from `one`.
fn missing_from(one: &Solution, other: &Solution) -> f64 {
    let chance = |solution: &Solution, outcome: &Outcome| solution.chance(|known| known == outcome).value;
    other.outcomes().map(|(outcome, number)| number.value - chance(one, outcome)).sum()
}

/// The share left out never exceeds the limit, and the error of any outcome never exceeds that share.
#[test]
fn pruning_leaves_out_no_more_than_it_says() {
    let rules = load("napoleonic-figures");
    let charger = Men { doctrine: Some("charge-home"), at: Some((0, 1_000)), ..Men::of("line-battalion", 6) };
    let foot = Men { doctrine: Some("stand"), at: Some((0, 0)), ..Men::of("line-battalion", 6) };
    let setup = duel(&rules, charger, foot, 6);
    let full = solved(&rules, &setup, 0.0);
    for allowed in [1e-9, 1e-6, 1e-3] {
        let pruned = solved(&rules, &setup, allowed);
        let left_out = pruned.left_out();
        assert!(left_out > 0.0 && left_out <= allowed, "{left_out} of {allowed}");
        let missing = missing_from(&pruned, &full);
        assert!((missing - left_out).abs() < 1e-10, "{missing} is missing, {left_out} was said");
        assert!(pruned.effort().states < full.effort().states);
        for (outcome, number) in full.outcomes() {
            let found = pruned.chance(|known| known == outcome).value;
            assert!(found <= number.value + 1e-12 && number.value <= found + left_out + 1e-12);
        }
    }
}

#[test]
fn a_budget_that_is_passed_says_how_far_it_came() {
    let rules = load("napoleonic-figures");
    let setup = charge(&rules, 8);
    let go_on = &mut |_: &_| ControlFlow::Continue(());
    let error = solve(&rules, &setup, &Limits { states: 20, ..Limits::default() }, go_on).unwrap_err();
    assert_eq!((error.budget, error.progress.turns), (Budget::States(20), 8));
    assert!(error.progress.found > 20 && error.progress.step < error.progress.steps);
    assert!(error.to_string().starts_with("more than 20 states in turn "), "{error}");

    let error = solve(&rules, &setup, &Limits { bytes: 1_000, ..Limits::default() }, go_on).unwrap_err();
    assert_eq!(error.budget, Budget::Bytes(1_000));

    let error = solve(&rules, &setup, &Limits { paths: 100, ..Limits::default() }, go_on).unwrap_err();
    assert_eq!(error.budget, Budget::Paths(100));

    let error = solve(&rules, &setup, &Limits::default(), &mut |_| ControlFlow::Break(())).unwrap_err();
    assert_eq!(error.budget, Budget::Stopped);
}
