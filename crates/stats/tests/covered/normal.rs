//! Coverage, by simulation, of intervals that rest on normal theory and are not guaranteed.

use grognard_stats::{
    Intervals, Level, RatioPairs, Sums, independent_means_p_value, independent_shares_p_value, mean_from_known,
    ratio_difference,
};

use super::drawn::{Studies, Value, hits, kept};
use super::{holds, on_flanks, ratio_on_flanks, without_luck};

/// The coverage of the interval of a difference of ratios. The ratios are those of [`super::of_ratio`]; in the
/// baseline, half as many battles have flank attacks, all of which also have them in the cell.
pub(crate) fn of_ratio_difference(runs: u64, chance: f64, level: Level, studies: Studies) -> f64 {
    let truth = ratio_on_flanks(chance) - ratio_on_flanks(chance / 2.0);
    studies.share(|dice| {
        let bad = dice.successes(runs, chance);
        let both = dice.successes(bad, 0.5);
        let (only, neither) = (bad - both, runs - bad);
        let pairs = RatioPairs {
            parts: 9 * both as i64,
            part_of: (18 * both + 6 * only) as i64,
            of_part: 18 * both as i64,
            ofs: 36 * both + 12 * only + 4 * neither,
        };
        let found = ratio_difference(&on_flanks(bad, runs), &on_flanks(both, runs), &pairs, (0.0, 1.0), 0.0, level);
        holds(&found, truth)
    })
}

/// The coverage of the interval of a mean with the luck removed. Twelve figures may be lost, each three times as often
/// in the lucky half of the battles.
pub(crate) fn of_luck_means(intervals: Intervals, runs: u64, chance: f64, studies: Studies) -> f64 {
    let (values, well) = hits(12, 1.5 * chance);
    let (_, badly) = hits(12, 0.5 * chance);
    studies.share(|dice| {
        let lucky = dice.successes(runs, 0.5);
        let (well, badly) = (dice.faces(lucky, &well), dice.faces(runs - lucky, &badly));
        let all = values.iter().zip(well.iter().zip(&badly)).map(|(&value, (one, other))| (value, one + other));
        let counts: Vec<(i32, u64)> = all.collect();
        let sum =
            |counts: &[u64]| values.iter().zip(counts).map(|(&value, &n)| f64::from(value) * n as f64).sum::<f64>();
        let product = (sum(&well) - sum(&badly)) / 2.0;
        let plain = intervals.mean(counts.iter().copied(), 0..=12);
        holds(&without_luck(&Sums::of(counts), plain, lucky, product, 12), 12.0 * chance)
    })
}

/// The coverage of the interval of a difference of means if all battles had the same dice and only some pairs were
/// kept. Studies in which no kept pair differs are left out, because their battles are treated as independent.
pub(crate) fn of_kept_means(level: Level, runs: u64, chance: f64, studies: Studies) -> Option<f64> {
    let value = Value::more_losses(chance);
    let (least, most) = (i64::from(*value.range.start()), i64::from(*value.range.end()));
    studies.share_of_given(|dice| {
        let mut sums = |pairs: u64| Sums::of(value.counts(&dice.faces(pairs, &value.chances)));
        let (known, rest) = (sums(kept(runs)), sums(runs - kept(runs)));
        let (found, _) = mean_from_known(known.sum + rest.sum, runs, &known, least..=most, level)?;
        Some(holds(&found, value.mean()))
    })
}

/// How often the score test finds no difference between the shares of two cells with different dice when there is none.
pub(crate) fn of_tests_of_shares(runs: u64, chance: f64, level: Level, studies: Studies) -> f64 {
    studies.share(|dice| {
        let [one, other] = [(); 2].map(|()| (dice.successes(runs, chance), runs));
        independent_shares_p_value(one, other) >= level.alpha()
    })
}

/// How often Welch's test finds no difference between means of losses when there is none.
pub(crate) fn of_tests_of_means(runs: u64, chance: f64, level: Level, studies: Studies) -> f64 {
    let value = Value::losses(chance);
    studies.share(|dice| {
        let [one, other] = [(); 2].map(|()| Sums::of(value.counts(&dice.faces(runs, &value.chances))));
        independent_means_p_value(&one, &other) >= level.alpha()
    })
}
