//! Levels and p-values for many comparisons at once.

use crate::Level;

/// The level of each of `comparisons` intervals for all to be simultaneous at `level`, for any dependence.
#[must_use]
pub fn bonferroni(level: Level, comparisons: usize) -> Level {
    joint(level, 1.0 - level.alpha() / comparisons.max(1) as f64)
}

/// p-values adjusted by Holm's step-down method, in the order given: calling those below α significant has a chance of
/// at most α of any false finding among all of them. Source: Holm (1979).
#[must_use]
pub fn holm(p_values: &[f64]) -> Vec<f64> {
    let mut order: Vec<usize> = (0..p_values.len()).collect();
    order.sort_by(|&left, &right| p_values[left].total_cmp(&p_values[right]));
    let mut adjusted = vec![1.0; p_values.len()];
    let mut largest = 0.0_f64;
    for (smaller, &at) in order.iter().enumerate() {
        let remaining = (p_values.len() - smaller) as f64;
        largest = largest.max((p_values[at] * remaining).min(1.0));
        adjusted[at] = largest;
    }
    adjusted
}

/// The adjusted level, or the original if this many comparisons leave no room below 1 in a double.
fn joint(level: Level, adjusted: f64) -> Level {
    Level::new(adjusted).unwrap_or(level)
}
