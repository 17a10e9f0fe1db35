//! REFDUEL-1: the winner and the length of the duel. The expected values were computed twice outside this project, with
//! fractions by dynamic programming and with icepool. The two agree to the last digit given.

use grognard_engine::{Outcome, Side};

use super::one_roll::{duel, sampled};
use crate::common::{agree, load, unit};

#[test]
fn the_reference_duel_is_won_as_often_and_lasts_as_long_as_it_should() {
    const BATTLES: u64 = 200_000;
    let rules = load("refduel");
    for (kind, first, second, draw, turns) in [
        ("plain", 0.472_988_714_4, 0.472_988_714_4, 0.054_022_571_1, 6.356_596_452),
        ("one-up", 0.832_768_680_6, 0.136_329_520_8, 0.030_901_798_6, 5.828_478_107),
        ("two-up", 0.980_453_100_6, 0.014_350_393_4, 0.005_196_506_0, 4.689_337_330),
        ("three-up", 0.999_631_789_1, 0.000_241_830_7, 0.000_126_380_3, 3.717_047_682),
    ] {
        let setup = duel(&rules, &unit(kind), &unit("plain"), 12);
        let counts = sampled(&rules, &setup, BATTLES, |outcome: &Outcome| (outcome.winner, outcome.turns));
        for (winner, chance) in [(Some(Side::First), first), (Some(Side::Second), second), (None, draw)] {
            let count = counts.iter().filter(|((who, _), _)| *who == winner).map(|(_, count)| count).sum();
            agree(&format!("{kind}, {winner:?}"), count, BATTLES, chance);
        }
        // The standard error of the mean comes from the sample itself.
        let mean_of = |value: &dyn Fn(f64) -> f64| {
            let sum: f64 = counts.iter().map(|((_, turns), &count)| value(f64::from(*turns)) * count as f64).sum();
            sum / BATTLES as f64
        };
        let mean = mean_of(&|turns| turns);
        let variance = mean_of(&|turns| (turns - mean).powi(2));
        let z = (mean - turns) / (variance / BATTLES as f64).sqrt();
        assert!(z.abs() <= crate::common::Z_MAX, "{kind}: {mean} turns, not {turns}: {z:+.1} standard errors");
    }
}
