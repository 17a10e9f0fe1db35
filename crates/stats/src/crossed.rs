//! Means over trials that all share the same battles.

use crate::tail::student;
use crate::{Estimate, Level};

/// The mean of a table in which every row is a trial and every column a battle that all trials share, within `range`. A
/// column represents several battles with equal results in every trial; `counts` gives their number.
///
/// Rows and columns are both samples: another run would draw different trials and battles. The squared error is that of
/// the rows' means plus that of the columns' means, minus the part that both contain, which belongs to neither;
/// Student's interval has Satterthwaite's degrees of freedom. The error from the rows alone is far too small if battles
/// shift all rows equally. With fewer than two rows or columns, or rows of unequal length, the interval is the whole
/// range. Sources: Cornfield and Tukey, *Annals of Mathematical Statistics* 27 (1956) 907; Satterthwaite, *Biometrics
/// Bulletin* 2 (1946) 110.
#[must_use]
pub fn crossed_mean(rows: &[Vec<f64>], counts: &[u64], range: (f64, f64), level: Level) -> Estimate {
    let (trials, battles) = (rows.len(), counts.iter().sum::<u64>());
    let (count, width) = (trials as f64, battles as f64);
    let sum = |values: &mut dyn Iterator<Item = f64>| {
        values.zip(counts).map(|(value, &count)| value * count as f64).sum::<f64>()
    };
    let means: Vec<f64> = rows.iter().map(|row| sum(&mut row.iter().copied()) / width).collect();
    let point = means.iter().sum::<f64>() / count;
    if trials < 2 || battles < 2 || rows.iter().any(|row| row.len() != counts.len()) {
        let point = if point.is_finite() { point } else { f64::midpoint(range.0, range.1) };
        return Estimate::within(point, range, range, level, trials as u64);
    }
    let of_battle = |battle: usize| rows.iter().map(|row| row[battle]).sum::<f64>() / count;
    let columns: Vec<f64> = (0..counts.len()).map(of_battle).collect();
    let of_trials = means.iter().map(|mean| (mean - point).powi(2)).sum::<f64>() / (count - 1.0) / count;
    let of_battles = sum(&mut columns.iter().map(|column| (column - point).powi(2))) / (width - 1.0) / width;
    let rest: f64 = rows
        .iter()
        .zip(&means)
        .map(|(row, mean)| sum(&mut row.iter().zip(&columns).map(|(v, column)| (v - mean - column + point).powi(2))))
        .sum();
    let of_neither = rest / ((count - 1.0) * (width - 1.0)) / (count * width);
    let square = (of_trials + of_battles - of_neither).max(of_trials).max(of_battles);
    let freedom = square.powi(2) / (of_trials.powi(2) / (count - 1.0) + of_battles.powi(2) / (width - 1.0));
    let freedom = if freedom.is_finite() { freedom.max(1.0) as u64 } else { trials as u64 - 1 };
    let half = student(level, freedom) * square.sqrt();
    Estimate::within(point, (point - half, point + half), range, level, trials as u64)
}
