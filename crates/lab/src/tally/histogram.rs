//! Counts of small integers.

use serde::{Deserialize, Serialize};

/// The number of occurrences of each value.
///
/// Dense between the smallest and the largest value seen, so two histograms of the same values are equal.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Histogram {
    low: i32,
    counts: Vec<u64>,
}

impl Histogram {
    /// Counts `value` once.
    pub fn add(&mut self, value: i32) {
        match self.slot(value) {
            Some(slot) => self.counts[slot] += 1,
            None => self.add_many(value, 1),
        }
    }

    /// Counts every value once. Fast for a block of battles: small values are counted separately and then added.
    pub fn add_all(&mut self, values: impl Iterator<Item = i32>) {
        /// Values from `-NEAR` to `NEAR - 1` are counted separately.
        const NEAR: i32 = 256;
        let mut near = [0_u32; 2 * NEAR as usize];
        for value in values {
            match near.get_mut((i64::from(value) + i64::from(NEAR)) as usize) {
                Some(count) => *count += 1,
                None => self.add(value),
            }
        }
        for (value, &times) in (-NEAR..).zip(&near) {
            self.add_many(value, u64::from(times));
        }
    }

    /// Counts `value` this many times.
    ///
    /// Values should lie within some tens of thousands of each other: memory is proportional to their span.
    pub fn add_many(&mut self, value: i32, times: u64) {
        if times > 0 {
            let slot = self.make_room(value);
            self.counts[slot] = self.counts[slot].saturating_add(times);
        }
    }

    /// Adds the counts of another histogram.
    pub fn merge(&mut self, other: &Self) {
        let Some((highest, _)) = other.iter().next_back() else { return };
        self.make_room(highest);
        let start = self.make_room(other.low);
        for (count, more) in self.counts[start..].iter_mut().zip(&other.counts) {
            *count += more;
        }
    }

    /// The values that occurred, in ascending order, with their counts; no count is 0.
    pub fn iter(&self) -> impl DoubleEndedIterator<Item = (i32, u64)> + Clone + '_ {
        let occurred = self.counts.iter().enumerate().filter(|(_, count)| **count > 0);
        occurred.map(|(slot, count)| (self.low + slot as i32, *count))
    }

    /// Whether its range of values is valid: a histogram read from a file may contain anything.
    #[cfg(feature = "folders")]
    pub(crate) fn is_sound(&self) -> bool {
        i32::try_from(self.counts.len()).is_ok_and(|slots| self.low.checked_add(slots).is_some())
    }

    /// How often `value` occurred.
    #[must_use]
    pub fn count_of(&self, value: i32) -> u64 {
        self.slot(value).map_or(0, |slot| self.counts[slot])
    }

    /// The number of values counted.
    #[must_use]
    pub fn runs(&self) -> u64 {
        self.counts.iter().fold(0, |sum, count| sum.saturating_add(*count))
    }

    /// The sum of all values.
    #[must_use]
    pub fn sum(&self) -> i128 {
        self.iter().map(|(value, count)| i128::from(value) * i128::from(count)).sum()
    }

    /// The sum of the squares of all values.
    #[must_use]
    pub fn sum_of_squares(&self) -> u128 {
        self.iter().map(|(value, count)| u128::from(value.unsigned_abs()).pow(2) * u128::from(count)).sum()
    }

    fn slot(&self, value: i32) -> Option<usize> {
        let slot = value.checked_sub(self.low)?.try_into().ok()?;
        (slot < self.counts.len()).then_some(slot)
    }

    /// The slot of `value`, created if there was none.
    fn make_room(&mut self, value: i32) -> usize {
        if self.counts.is_empty() {
            self.low = value;
        }
        if value < self.low {
            let missing = self.low.abs_diff(value) as usize;
            self.counts.splice(0..0, std::iter::repeat_n(0, missing));
            self.low = value;
        }
        let slot = value.abs_diff(self.low) as usize;
        if slot >= self.counts.len() {
            self.counts.resize(slot + 1, 0);
        }
        slot
    }
}

impl FromIterator<(i32, u64)> for Histogram {
    fn from_iter<I: IntoIterator<Item = (i32, u64)>>(pairs: I) -> Self {
        let mut histogram = Self::default();
        for (value, count) in pairs {
            histogram.add_many(value, count);
        }
        histogram
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_order_of_values_does_not_matter() {
        let up: Histogram = [(-3, 2), (0, 1), (5, 4)].into_iter().collect();
        let down: Histogram = [(5, 4), (0, 1), (-3, 2)].into_iter().collect();
        assert_eq!(up, down);
        assert_eq!(up.iter().collect::<Vec<_>>(), [(-3, 2), (0, 1), (5, 4)]);
        assert_eq!((up.runs(), up.sum(), up.sum_of_squares()), (7, 14, 18 + 100));
    }

    #[test]
    fn merging_adds_counts_on_any_overlap() {
        let here: Histogram = [(2, 1), (3, 1)].into_iter().collect();
        for (there, expected) in [
            (vec![], vec![(2, 1), (3, 1)]),
            (vec![(3, 5)], vec![(2, 1), (3, 6)]),
            (vec![(-1, 1)], vec![(-1, 1), (2, 1), (3, 1)]),
            (vec![(0, 2), (9, 1)], vec![(0, 2), (2, 1), (3, 1), (9, 1)]),
        ] {
            let there: Histogram = there.into_iter().collect();
            let (mut one, mut other) = (here.clone(), there.clone());
            one.merge(&there);
            other.merge(&here);
            assert_eq!(one.iter().collect::<Vec<_>>(), expected);
            assert_eq!(one, other);
        }
    }

    #[test]
    fn squares_of_large_values_do_not_overflow() {
        let histogram: Histogram = [(-65_535, 1_000_000_000_000)].into_iter().collect();
        assert_eq!(histogram.sum_of_squares(), 65_535 * 65_535 * 1_000_000_000_000);
        assert_eq!(histogram.sum(), -65_535_000_000_000_000);
    }
}
