//! Whole prices: a small integer program.

/// The maximum number of price lists examined. A search among twenty types takes far fewer.
const STEPS: usize = 4_000_000;

/// The whole prices with the minimum distance from `prices`, weighted by `weights`: the minimum of (p − prices)ᵀ ·
/// weights · (p − prices) over all integers p.
///
/// Prices are fixed from the last to the first (branch and bound on the Cholesky factor), trying nearer integers first
/// for each. A branch is abandoned when its distance is already that of the best list found. If `weights` is not
/// positive definite, each price is rounded by itself.
pub(super) fn nearest(prices: &[f64], weights: &[Vec<f64>]) -> Vec<i64> {
    let rounded: Vec<i64> = prices.iter().map(|price| price.round() as i64).collect();
    let Some(factor) = upper(weights) else { return rounded };
    let mut search = Search { prices, factor, best: rounded.clone(), least: f64::INFINITY, steps: 0 };
    search.least = search.distance(&rounded);
    search.fix(&mut rounded.clone(), prices.len(), 0.0);
    search.best
}

struct Search<'a> {
    prices: &'a [f64],
    factor: Vec<Vec<f64>>,
    best: Vec<i64>,
    least: f64,
    steps: usize,
}

impl Search<'_> {
    fn distance(&self, whole: &[i64]) -> f64 {
        (0..whole.len()).map(|at| self.part(whole, at)).sum()
    }

    /// The amount that one price adds to the distance, once it and those after it are fixed.
    fn part(&self, whole: &[i64], at: usize) -> f64 {
        let by = |other: usize| self.factor[at][other] * (whole[other] as f64 - self.prices[other]);
        (at..whole.len()).map(by).sum::<f64>().powi(2)
    }

    /// Fixes the prices before `at`; those from `at` on contribute `so_far`.
    fn fix(&mut self, whole: &mut [i64], at: usize, so_far: f64) {
        let Some(at) = at.checked_sub(1) else {
            if so_far < self.least {
                (self.least, self.best) = (so_far, whole.to_vec());
            }
            return;
        };
        // The best real value of this price, given the values of the later ones.
        let behind =
            (at + 1..whole.len()).map(|other| self.factor[at][other] * (whole[other] as f64 - self.prices[other]));
        let middle = self.prices[at] - behind.sum::<f64>() / self.factor[at][at];
        let first = middle.round() as i64;
        let towards = if middle >= first as f64 { 1 } else { -1 };
        for nth in 0.. {
            // The nearest integer first, then alternating on both sides.
            let away = (nth + 1) / 2;
            whole[at] = first.saturating_add(if nth % 2 == 1 { towards * away } else { -towards * away });
            let sum = so_far + self.part(whole, at);
            self.steps += 1;
            if sum >= self.least || self.steps > STEPS {
                return;
            }
            self.fix(whole, at, sum);
        }
    }
}

/// The upper triangle R with Rᵀ·R = `matrix`; `None` if it is not positive definite.
fn upper(matrix: &[Vec<f64>]) -> Option<Vec<Vec<f64>>> {
    let count = matrix.len();
    let mut factor = vec![vec![0.0; count]; count];
    for (row, line) in matrix.iter().enumerate() {
        for (column, entry) in line.iter().enumerate().skip(row) {
            let before: f64 = (0..row).map(|above| factor[above][row] * factor[above][column]).sum();
            let left = entry - before;
            if row == column {
                if left.is_nan() || left <= 1e-12 * entry.abs() || left <= f64::MIN_POSITIVE {
                    return None;
                }
                factor[row][row] = left.sqrt();
            } else {
                factor[row][column] = left / factor[row][row];
            }
        }
    }
    Some(factor)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::questions::chances::Chances;

    /// Two prices whose errors add up: 2.4 and 3.45. Rounded, both are too low, and the distance is large (0.4² + 0.45²
    /// + 1.8 · 0.18 = 0.69); with the second price higher, it is small (0.4² + 0.55² − 1.8 · 0.22 = 0.07).
    #[test]
    fn prices_are_rounded_together() {
        assert_eq!(nearest(&[2.4, 3.45], &[vec![1.0, 0.9], vec![0.9, 1.0]]), [2, 4]);
        assert_eq!(nearest(&[2.4, 3.45], &[vec![1.0, 0.0], vec![0.0, 1.0]]), [2, 3]);
        assert_eq!(nearest(&[2.4, 3.6], &[vec![1.0, 1.0], vec![1.0, 1.0]]), [2, 4], "no error of its own: rounded");
    }

    /// No list of whole prices around the fitted ones is nearer than the one found.
    #[test]
    fn the_nearest_list_is_found() {
        let mut dice = Chances(1815);
        let mut unit = || dice.below(2_001) as f64 / 1_000.0 - 1.0;
        for _ in 0..200 {
            let prices: Vec<f64> = (0..3).map(|_| 5.0 * unit()).collect();
            let rows: Vec<Vec<f64>> = (0..4).map(|_| (0..3).map(|_| unit()).collect()).collect();
            let entry = |one: usize, other: usize| rows.iter().map(|row| row[one] * row[other]).sum::<f64>();
            let weights: Vec<Vec<f64>> = (0..3)
                .map(|one| (0..3).map(|other| entry(one, other) + if one == other { 0.05 } else { 0.0 }).collect())
                .collect();
            let distance = |whole: &[i64]| -> f64 {
                let off: Vec<f64> = whole.iter().zip(&prices).map(|(whole, price)| *whole as f64 - price).collect();
                (0..3)
                    .flat_map(|one| (0..3).map(move |other| (one, other)))
                    .map(|(one, other)| off[one] * weights[one][other] * off[other])
                    .sum()
            };
            let found = nearest(&prices, &weights);
            let least = (0..9_i64.pow(3))
                .map(|nth| [nth % 9 - 4, nth / 9 % 9 - 4, nth / 81 - 4])
                .map(|by| distance(&[0, 1, 2].map(|at: usize| prices[at].round() as i64 + by[at])))
                .fold(f64::INFINITY, f64::min);
            assert!(distance(&found) <= least + 1e-9, "{found:?} for {prices:?}: {} and {least}", distance(&found));
        }
    }
}
