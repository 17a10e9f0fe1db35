//! Coverage summed over everything that can be counted: no simulation, no error but rounding.

use grognard_stats::{Estimate, Level};

/// Chances below which a count does not matter.
const NEGLIGIBLE: f64 = 1e-16;

/// The chances of counts, those that matter.
struct Counts {
    first: u64,
    chances: Vec<f64>,
}

impl Counts {
    /// Of so many battles with this chance each, by recurrence from the mode outward.
    fn new(runs: u64, chance: f64) -> Self {
        if chance <= 0.0 || chance >= 1.0 || runs == 0 {
            return Self { first: if chance >= 1.0 { runs } else { 0 }, chances: vec![1.0] };
        }
        let odds = chance / (1.0 - chance);
        let mode = ((runs + 1) as f64 * chance) as u64;
        let mode = mode.min(runs);
        let (mut above, mut below) = (vec![1.0_f64], Vec::new());
        let (mut weight, mut count) = (1.0, mode);
        while count < runs && weight > NEGLIGIBLE {
            weight *= (runs - count) as f64 / (count + 1) as f64 * odds;
            above.push(weight);
            count += 1;
        }
        (weight, count) = (1.0, mode);
        while count > 0 && weight > NEGLIGIBLE {
            weight *= count as f64 / (runs - count + 1) as f64 / odds;
            below.push(weight);
            count -= 1;
        }
        let first = mode - below.len() as u64;
        below.reverse();
        below.extend(above);
        let all: f64 = below.iter().sum();
        Self { first, chances: below.into_iter().map(|weight| weight / all).collect() }
    }

    fn last(&self) -> u64 {
        self.first + self.chances.len() as u64 - 1
    }

    /// The chance of the counts whose interval holds `truth`, where both ends of `interval` grow with the count.
    fn covered(&self, truth: f64, interval: impl Fn(u64) -> Estimate) -> f64 {
        // Ends that are the truth but for rounding hold it.
        let slack = 1e-9 * truth.abs().max(1e-12);
        let least = self.first_that(|count| interval(count).high >= truth - slack);
        let beyond = self.first_that(|count| interval(count).low > truth + slack);
        let place = |count: u64| (count - self.first) as usize;
        if least >= beyond { 0.0 } else { self.chances[place(least)..place(beyond)].iter().sum() }
    }

    /// The first count for which it is true, which it is for all after it; one beyond the last if for none.
    fn first_that(&self, is_true: impl Fn(u64) -> bool) -> u64 {
        let (mut low, mut high) = (self.first, self.last() + 1);
        while low < high {
            let middle = low + (high - low) / 2;
            if is_true(middle) {
                high = middle;
            } else {
                low = middle + 1;
            }
        }
        low
    }
}

/// How often the interval of a share holds it.
pub(crate) fn of_share(of: fn(u64, u64, Level) -> Estimate, runs: u64, chance: f64, level: Level) -> f64 {
    Counts::new(runs, chance).covered(chance, |count| of(count, runs, level))
}

/// How often the interval of a difference of two shares of independent battles holds it.
pub(crate) fn of_two(of: impl Fn([u64; 2]) -> Estimate, runs: u64, chances: [f64; 2]) -> f64 {
    let [one, other] = chances.map(|chance| Counts::new(runs, chance));
    let truth = chances[0] - chances[1];
    let places = (other.first..).zip(&other.chances).filter(|(_, chance)| **chance > 1e-12);
    places.map(|(count, chance)| chance * one.covered(truth, |own| of([own, count]))).sum()
}

/// How often the interval of the mean of three values holds it: of a value that is mostly the first and has the second and the third
/// with these chances. `values` grow; `of` makes an estimate of values with how often each was seen.
pub(crate) fn of_three(
    of: impl Fn([(i32, u64); 3]) -> Estimate,
    values: [i32; 3],
    chances: [f64; 2],
    runs: u64,
) -> f64 {
    let truth = f64::from(values[0])
        + chances[0] * f64::from(values[1] - values[0])
        + chances[1] * f64::from(values[2] - values[0]);
    let middle = Counts::new(runs, chances[0]);
    let places = (middle.first..).zip(&middle.chances).filter(|(_, chance)| **chance > 1e-12);
    let given = |(seen, chance): (u64, &f64)| {
        let rest = runs - seen;
        // With the middle value's count fixed, both ends grow with the third's.
        let counts = Counts::new(rest, (chances[1] / (1.0 - chances[0])).min(1.0));
        let interval = |most: u64| of([(values[0], rest - most), (values[1], seen), (values[2], most)]);
        chance * counts.covered(truth, interval)
    };
    places.map(given).sum()
}
