//! The promises of questions hold in simulations with known true values, for common and for rare events. The tolerance
//! is four standard errors: a false alarm in one case in 30,000 for each number.

use grognard_stats::Level;

use crate::covered::drawn::Studies;
use crate::joint::effects::Of;
use crate::joint::matchups::of_matchups;
use crate::joint::tuning::of_tuning;

const STUDIES: Studies = Studies { count: 200, seed: 1_815 };
const NOISE: f64 = 4.0 * 0.0154;

#[test]
fn effects_over_ranges_hold_where_enough_battles_change() {
    for of in [Of::Size, Of::Mean] {
        for (runs, chance) in [(1_000, 0.5), (30_000, 0.02)] {
            let held = of.covered(runs, chance, Level::P95, STUDIES).expect("enough battles change");
            assert!(held >= 0.95 - NOISE, "{runs}, {chance}: {held}");
        }
        assert_eq!(of.covered(1_000, 0.001, Level::P95, STUDIES), None, "intervals from a few changed battles");
    }
}

/// Tests the value of the game, all weights and everything reported about the choices, together with the scores.
#[test]
fn tables_of_choices_hold_with_all_that_follows_from_them() {
    for (looks, chance) in [(&[32][..], 0.5), (&[32], 0.025), (&[1_024, 2_048], 0.5), (&[1_024, 2_048], 0.0015)] {
        let held = of_matchups(looks, chance, Level::P95, STUDIES);
        assert!(held >= 0.95 - NOISE, "{looks:?}, {chance}: {held}");
    }
}

#[test]
fn verdicts_of_a_search_hold_together() {
    for (runs, chance) in [(30, 0.5), (2_048, 0.5), (2_048, 0.001)] {
        let held = of_tuning(runs, chance, Level::P95, Studies { count: 50, ..STUDIES });
        assert!(held >= 0.95 - 4.0 * 0.031, "{runs}, {chance}: {held}");
    }
}
