//! A charge on the plane, to the end of the turn: every outcome is sampled with the right frequency.

use crate::agree::agree;
use crate::common::{Men, duel, load, solved};
use grognard_dice::SeededDice;
use grognard_engine::{Outcome, Unwitnessed, fight};

/// About a hundred comparisons with one fixed seed; outcomes expected in fewer than ten battles are combined, because
/// the normal limit is not valid for each of them.
#[test]
fn a_sampled_charge_comes_to_what_the_exact_one_does() {
    const BATTLES: u64 = 60_000;
    let rules = load("napoleonic-figures");
    let horse = Men { doctrine: Some("charge-home"), at: Some((0, 1_000)), ..Men::of("heavy-cavalry", 4) };
    for formation in ["line", "column", "square", "skirmish"] {
        let foot = Men {
            doctrine: Some("stand"),
            formation: Some(formation),
            at: Some((0, 0)),
            ..Men::of("light-battalion", 6)
        };
        let setup = duel(&rules, horse, foot, 1);
        let solution = solved(&rules, &setup, 0.0);
        let outcomes: Vec<(Outcome, f64)> =
            solution.outcomes().map(|(outcome, number)| (*outcome, number.value)).collect();
        let mut counts = vec![0_u64; outcomes.len()];
        let mut dice = SeededDice::new(1815);
        for index in 0..BATTLES {
            dice.battle(index);
            let outcome = fight(&rules, &setup, &mut dice, &mut Unwitnessed);
            let place = outcomes.iter().position(|(known, _)| *known == outcome);
            counts[place.unwrap_or_else(|| panic!("{formation}: {outcome:?} cannot happen"))] += 1;
        }
        let (mut rare, mut rare_chance) = (0, 0.0);
        for ((outcome, chance), count) in outcomes.iter().zip(counts) {
            if chance * (BATTLES as f64) < 10.0 {
                (rare, rare_chance) = (rare + count, rare_chance + chance);
            } else {
                agree(&format!("{formation}, {outcome:?}"), count, BATTLES, *chance);
            }
        }
        agree(&format!("{formation}, the rare rest"), rare, BATTLES, rare_chance);
    }
}
