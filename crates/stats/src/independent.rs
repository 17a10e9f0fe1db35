//! Differences between battles that were not fought with the same dice, or whose pairs are only partly known.

use std::ops::RangeInclusive;

use crate::tail::{student, student_tails};
use crate::{Estimate, Level, Pairs, Sums, share_exact};

/// `one` minus `other`, two shares or two means of independent battles.
///
/// The interval combines the two given intervals, which must have the same level (the method of variance estimates
/// recovery): for Wilson's it is Newcombe's hybrid score interval. Its level is that of `one`. Sources: Newcombe,
/// *Statistics in Medicine* 17 (1998) 873, method 10; Zou and Donner, *Statistics in Medicine* 27 (2008) 1693.
#[must_use]
pub fn independent_difference(one: &Estimate, other: &Estimate) -> Estimate {
    let point = one.point - other.point;
    let below = (one.point - one.low).hypot(other.high - other.point);
    let above = (one.high - one.point).hypot(other.point - other.low);
    Estimate { point, low: point - below, high: point + above, level: one.level, runs: one.runs.min(other.runs) }
}

/// `one` minus `other`, two numbers from battles with an unknown dependence. The interval is correct whenever both of
/// the given intervals are.
///
/// `level` is the level at which the two hold together, for instance if the chance of a miss is divided equally between
/// them.
#[must_use]
pub fn tied_difference(one: &Estimate, other: &Estimate, level: Level) -> Estimate {
    Estimate {
        point: one.point - other.point,
        low: one.low - other.high,
        high: one.high - other.low,
        level,
        runs: one.runs.min(other.runs),
    }
}

/// The mean of numbers from battles with an unknown dependence. The interval is correct whenever all of the given
/// intervals are. Without numbers, the mean is NaN.
///
/// `level` is the level at which all hold together, for instance if the chance of a miss is divided equally among them.
#[must_use]
pub fn tied_mean(all: &[Estimate], level: Level) -> Estimate {
    let mean = |read: fn(&Estimate) -> f64| all.iter().map(read).sum::<f64>() / all.len() as f64;
    let runs = all.iter().map(|one| one.runs).min().unwrap_or(0);
    Estimate { point: mean(|one| one.point), low: mean(|one| one.low), high: mean(|one| one.high), level, runs }
}

/// The two-sided p-value of "both shares are equal" for independent battles: the score test with the pooled share.
///
/// Each share is given as its count and its runs. The result is 1 if neither share varies.
#[must_use]
pub fn independent_shares_p_value(one: (u64, u64), other: (u64, u64)) -> f64 {
    let ((hits, runs), (other_hits, other_runs)) = (one, other);
    if runs == 0 || other_runs == 0 {
        return 1.0;
    }
    let (runs, other_runs) = (runs as f64, other_runs as f64);
    let pooled = (hits as f64 + other_hits as f64) / (runs + other_runs);
    let error = (pooled * (1.0 - pooled) * (1.0 / runs + 1.0 / other_runs)).sqrt();
    let apart = hits as f64 / runs - other_hits as f64 / other_runs;
    if error == 0.0 || apart == 0.0 { 1.0 } else { student_tails(apart / error, 1e12) }
}

/// The two-sided p-value of "both means are equal" for independent battles: Welch's test.
///
/// The result is 1 if the means are equal or either has fewer than two battles.
#[must_use]
pub fn independent_means_p_value(one: &Sums, other: &Sums) -> f64 {
    if one.runs < 2 || other.runs < 2 {
        return 1.0;
    }
    let mean = |sums: &Sums| sums.sum as f64 / sums.runs as f64;
    let squared_error = |sums: &Sums| sums.variance() / sums.runs as f64;
    let (apart, ours, theirs) = (mean(one) - mean(other), squared_error(one), squared_error(other));
    let both = ours + theirs;
    if apart == 0.0 {
        return 1.0;
    }
    if both == 0.0 {
        return 0.0;
    }
    let freedom = both * both / (ours * ours / (one.runs - 1) as f64 + theirs * theirs / (other.runs - 1) as f64);
    student_tails(apart / both.sqrt(), freedom)
}

/// All pairs of `runs` battles that were fought with the same dice, of which only some are known individually.
///
/// The number of battles in which the event happened is known for each of the two cells (`cell` and `baseline`), and so
/// is the difference. The interval also needs the number of pairs that differ. It is taken from the known pairs: the
/// upper limit at confidence `level` (Clopper and Pearson, one-sided), so that the interval errs on the wide side.
#[must_use]
pub fn pairs_from_known(known: &Pairs, cell: u64, baseline: u64, runs: u64, level: Level) -> Pairs {
    let (cell, baseline) = (cell.min(runs), baseline.min(runs));
    let differing = known.cell_only.saturating_add(known.baseline_only);
    // One-sided at `level` is one end of the two-sided interval at 2 level − 1, if that is a valid level.
    let one_sided = Level::new(2.0 * level.get() - 1.0).unwrap_or(level);
    let most = share_exact(differing, known.runs(), one_sided).high * runs as f64;
    let apart = cell.abs_diff(baseline);
    // No more pairs can differ than the two counts allow, and no fewer than their difference.
    let room = cell.min(baseline).min(runs - cell.max(baseline));
    let crossed = (((most - apart as f64) / 2.0).ceil().max(0.0) as u64).min(room);
    let cell_only = crossed + cell.saturating_sub(baseline);
    let baseline_only = crossed + baseline.saturating_sub(cell);
    Pairs { both: cell - cell_only, cell_only, baseline_only, neither: runs - cell - baseline_only }
}

/// The mean difference of `runs` pairs of battles with the same dice, of which only some are known individually.
///
/// `sum` is the difference of the two sums over all battles; the variance is that of the differences that are `known`,
/// and Student's interval has their degrees of freedom. `None` if fewer than two pairs are known or all known
/// differences are equal. Also returns the two-sided p-value of "no difference".
#[must_use]
pub fn mean_from_known(
    sum: i128,
    runs: u64,
    known: &Sums,
    range: RangeInclusive<i64>,
    level: Level,
) -> Option<(Estimate, f64)> {
    let variance = known.variance();
    if runs == 0 || variance == 0.0 {
        return None;
    }
    let point = sum as f64 / runs as f64;
    let error = (variance / runs as f64).sqrt();
    let half = student(level, known.runs - 1) * error;
    let bounds = (*range.start() as f64, (*range.end()).max(*range.start()) as f64);
    let p = if sum == 0 { 1.0 } else { student_tails(point / error, (known.runs - 1) as f64) };
    Some((Estimate::within(point, (point - half, point + half), bounds, level, runs), p))
}
