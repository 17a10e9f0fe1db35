//! Ratios to something that itself varies from battle to battle, and differences from the baseline's ratio.
//!
//! Both numbers are sums over battles, such as flank attacks and all attacks. The ratio's error comes from the amounts
//! by which each battle's part exceeds its proportional share (the linearised ratio: Cochran, *Sampling Techniques*,
//! 3rd edition, section 6.3), so battles with many attacks have their proper weight.

use crate::tail::student;
use crate::{Estimate, Level, risk_unseen};

/// The sums over battles, and sums of products, needed for a ratio.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct RatioSums {
    /// The number of battles.
    pub runs: u64,
    /// Sum of the parts.
    pub part: i64,
    /// Sum of the wholes.
    pub of: u64,
    /// Sum of the squares of the parts.
    pub part_squares: u64,
    /// Sum of the products of each battle's part and whole.
    pub products: i64,
    /// Sum of the squares of the wholes.
    pub of_squares: u64,
}

/// Sums of products over pairs of battles, the cell's number first.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct RatioPairs {
    /// Products of the two parts.
    pub parts: i64,
    /// Products of the cell's part and the baseline's whole.
    pub part_of: i64,
    /// Products of the cell's whole and the baseline's part.
    pub of_part: i64,
    /// Products of the two wholes.
    pub ofs: u64,
}

impl RatioSums {
    /// Counts a battle.
    pub fn add(&mut self, part: i32, of: u32) {
        let (wide_part, wide_of) = (i64::from(part), u64::from(of));
        self.runs += 1;
        self.part = self.part.saturating_add(wide_part);
        self.of = self.of.saturating_add(wide_of);
        self.part_squares = self.part_squares.saturating_add(wide_part.unsigned_abs().saturating_pow(2));
        self.products = self.products.saturating_add(wide_part.saturating_mul(i64::from(of)));
        self.of_squares = self.of_squares.saturating_add(wide_of.saturating_pow(2));
    }

    /// Adds other battles.
    pub fn merge(&mut self, other: &Self) {
        self.runs += other.runs;
        self.part = self.part.saturating_add(other.part);
        self.of = self.of.saturating_add(other.of);
        self.part_squares = self.part_squares.saturating_add(other.part_squares);
        self.products = self.products.saturating_add(other.products);
        self.of_squares = self.of_squares.saturating_add(other.of_squares);
    }

    fn point(&self) -> f64 {
        self.part as f64 / self.of as f64
    }

    /// The sum of the squares of the excess of each battle's part over its proportional share; 0 if it is no more than
    /// rounding.
    fn excess(&self) -> f64 {
        let point = self.point();
        let (squares, due) = (self.part_squares as f64, point * point * self.of_squares as f64);
        let excess = squares - 2.0 * point * self.products as f64 + due;
        if excess > 1e-9 * (squares + due) { excess } else { 0.0 }
    }
}

impl RatioPairs {
    /// Counts a pair of battles: part and whole in the cell, then in the baseline.
    pub fn add(&mut self, own: (i32, u32), base: (i32, u32)) {
        let product = |one: i64, other: i64| one.saturating_mul(other);
        self.parts = self.parts.saturating_add(product(own.0.into(), base.0.into()));
        self.part_of = self.part_of.saturating_add(product(own.0.into(), base.1.into()));
        self.of_part = self.of_part.saturating_add(product(own.1.into(), base.0.into()));
        self.ofs = self.ofs.saturating_add(u64::from(own.1).saturating_mul(base.1.into()));
    }

    /// Adds other pairs.
    pub fn merge(&mut self, other: &Self) {
        self.parts = self.parts.saturating_add(other.parts);
        self.part_of = self.part_of.saturating_add(other.part_of);
        self.of_part = self.of_part.saturating_add(other.of_part);
        self.ofs = self.ofs.saturating_add(other.ofs);
    }
}

/// The ratio of the sums, with Student's interval for a ratio. It always lies within `range`.
///
/// If the divisor is 0, the point is `empty` and the interval is the whole range. If every battle gave the same ratio,
/// the interval is that of [`mean`](crate::mean) in this case: it allows for ratios that were not seen.
#[must_use]
pub fn ratio(sums: &RatioSums, range: (f64, f64), empty: f64, level: Level) -> Estimate {
    if sums.of == 0 {
        return Estimate::within(empty, range, range, level, sums.runs);
    }
    let (point, excess) = (sums.point(), sums.excess());
    let ends = if excess > 0.0 && sums.runs > 1 {
        let runs = sums.runs as f64;
        let error = (excess * runs / (runs - 1.0)).sqrt() / sums.of as f64;
        let half = student(level, sums.runs - 1) * error;
        (point - half, point + half)
    } else {
        let unseen = risk_unseen(sums.runs, level);
        (point - unseen * (point - range.0), point + unseen * (range.1 - point))
    };
    Estimate::within(point, ends, range, level, sums.runs)
}

/// The cell's ratio minus the baseline's, over battles fought with the same dice. `range` is that of either ratio.
#[must_use]
pub fn ratio_difference(
    own: &RatioSums,
    base: &RatioSums,
    pairs: &RatioPairs,
    range: (f64, f64),
    empty: f64,
    level: Level,
) -> Estimate {
    let span = range.1 - range.0;
    let bounds = (-span, span);
    let value = |sums: &RatioSums| if sums.of == 0 { empty } else { sums.point() };
    let point = value(own) - value(base);
    if own.of == 0 || base.of == 0 {
        return Estimate::within(point, bounds, bounds, level, own.runs);
    }
    let (here, there) = (own.point(), base.point());
    let together = pairs.parts as f64 - there * pairs.part_of as f64 - here * pairs.of_part as f64
        + here * there * pairs.ofs as f64;
    let (of_own, of_base) = (own.of as f64, base.of as f64);
    let (alone, other) = (own.excess() / of_own.powi(2), base.excess() / of_base.powi(2));
    let square = alone + other - 2.0 * together / (of_own * of_base);
    let ends = if square > 1e-9 * (alone + other) && own.runs > 1 {
        let runs = own.runs as f64;
        let half = student(level, own.runs - 1) * (square * runs / (runs - 1.0)).sqrt();
        (point - half, point + half)
    } else {
        let unseen = risk_unseen(own.runs, level);
        (point - unseen * (point - bounds.0), point + unseen * (bounds.1 - point))
    };
    Estimate::within(point, ends, bounds, level, own.runs)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sums(battles: &[(i32, u32)]) -> RatioSums {
        let mut sums = RatioSums::default();
        battles.iter().for_each(|&(part, of)| sums.add(part, of));
        sums
    }

    fn pairs(own: &[(i32, u32)], base: &[(i32, u32)]) -> RatioPairs {
        let mut pairs = RatioPairs::default();
        own.iter().zip(base).for_each(|(&own, &base)| pairs.add(own, base));
        pairs
    }

    const WHOLE: (f64, f64) = (0.0, 1.0);

    #[test]
    fn over_one_for_each_battle_it_is_a_mean() {
        let values = [3, 0, 2, 2, 5, 1];
        let ratio = ratio(&sums(&values.map(|value| (value, 1))), (0.0, 100.0), 0.0, Level::P95);
        let mean = crate::mean(crate::Sums::of(values.map(|value| (value, 1))), 0..=100, Level::P95);
        assert!((ratio.point - mean.point).abs() < 1e-12 && (ratio.high - mean.high).abs() < 1e-12);
    }

    #[test]
    fn battles_count_for_what_they_are_parts_of() {
        let estimate = ratio(&sums(&[(1, 10), (1, 1), (0, 1)]), WHOLE, 0.0, Level::P95);
        assert!((estimate.point - 2.0 / 12.0).abs() < 1e-12);
        assert!(estimate.low < estimate.point && estimate.point < estimate.high);
    }

    #[test]
    fn nothing_to_divide_by_is_what_the_pack_says_and_may_be_anything() {
        let estimate = ratio(&sums(&[(0, 0); 50]), WHOLE, 1.0, Level::P95);
        assert_eq!((estimate.point, estimate.low, estimate.high), (1.0, 0.0, 1.0));
    }

    #[test]
    fn none_of_many_still_leaves_an_interval() {
        let estimate = ratio(&sums(&[(0, 4); 100]), WHOLE, 0.0, Level::P95);
        assert_eq!((estimate.point, estimate.low), (0.0, 0.0));
        assert!(estimate.high > 0.02 && estimate.high < 0.04, "{estimate:?}");
    }

    #[test]
    fn pairing_takes_away_what_both_have_in_common() {
        let base: Vec<(i32, u32)> = (0..200).map(|battle| (battle % 7, 10)).collect();
        let own: Vec<(i32, u32)> = (0..200).map(|battle| (battle % 7 + i32::from(battle % 5 == 0), 10)).collect();
        let (own_sums, base_sums) = (sums(&own), sums(&base));
        let difference =
            |pairs: &RatioPairs| ratio_difference(&own_sums, &base_sums, pairs, (0.0, 10.0), 0.0, Level::P95);
        let paired = difference(&pairs(&own, &base));
        assert!((paired.point - 0.02).abs() < 1e-12);
        let shuffled: Vec<(i32, u32)> = base.iter().skip(3).chain(&base[..3]).copied().collect();
        let loose = difference(&pairs(&own, &shuffled));
        assert!(paired.half_width() * 2.0 < loose.half_width(), "{paired:?} {loose:?}");
        // By hand: the differences are 0.1 in every fifth battle, otherwise 0.
        let by_hand = student(Level::P95, 199) * (0.1_f64.powi(2) * 0.2 * 0.8 / 199.0).sqrt();
        assert!((paired.half_width() - by_hand).abs() < 1e-9);
    }
}
