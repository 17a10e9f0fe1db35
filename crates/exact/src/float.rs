//! Floating-point numbers with a bound on their error.

use num_bigint::BigUint;

/// The maximum relative error of one rounding to nearest.
const UNIT: f64 = f64::EPSILON / 2.0;

/// A number that is not negative, and a bound on the roundings behind it.
///
/// Sums and products of such numbers have no cancellation. So after `r` roundings, counted along the longest chain, the
/// relative error is at most γ = r·u / (1 − r·u) with u = 2⁻⁵³ (Higham, *Accuracy and Stability of Numerical
/// Algorithms*, lemma 3.1).
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Float {
    value: f64,
    roundings: u32,
}

impl Float {
    pub(crate) const ZERO: Self = Self { value: 0.0, roundings: 0 };

    /// Creates a number with this count of roundings behind it.
    pub(crate) const fn new(value: f64, roundings: u32) -> Self {
        Self { value, roundings }
    }

    /// `numerator / denominator`, which is not 0.
    pub(crate) fn ratio(numerator: &BigUint, denominator: &BigUint) -> Self {
        let zeros = |number: &BigUint| number.trailing_zeros().unwrap_or(0);
        let common = zeros(numerator).min(zeros(denominator));
        let (numerator, denominator) = (numerator >> common, denominator >> common);
        // Use enough bits for a quotient of at least 64 bits: the truncated rest is smaller than a rounding error.
        let shift = 65 + denominator.bits() as i64 - numerator.bits() as i64;
        let quotient = if shift >= 0 {
            (numerator << shift.unsigned_abs()) / denominator
        } else {
            numerator / (denominator << shift.unsigned_abs())
        };
        let digits = quotient.iter_u64_digits().collect::<Vec<_>>();
        let digit = |place: usize| u128::from(digits.get(place).copied().unwrap_or(0));
        let mut value = (digit(1) << 64 | digit(0)) as f64;
        let mut shift = shift;
        while shift > 0 {
            // Multiplies by powers of two up to 2^1000 at a time: such products are exact unless they are tiny.
            let by = shift.min(1_000);
            value *= f64::from_bits((1_023 - by as u64) << 52);
            shift -= by;
        }
        while shift < 0 {
            let by = (-shift).min(1_000);
            value *= f64::from_bits((1_023 + by as u64) << 52);
            shift += by;
        }
        Self { value, roundings: 2 }
    }

    pub(crate) fn value(self) -> f64 {
        self.value
    }

    /// The number of roundings behind it.
    pub(crate) const fn roundings(self) -> u32 {
        self.roundings
    }

    /// The maximum error of the number.
    pub(crate) fn error(self) -> f64 {
        if self.value == 0.0 && self.roundings == 0 {
            return 0.0;
        }
        // Add one for the roundings of this bound, and the smallest normal number for products that underflow.
        let roundings = (f64::from(self.roundings) + 1.0) * UNIT;
        self.value * (roundings / (1.0 - roundings)) + f64::MIN_POSITIVE
    }

    #[inline]
    pub(crate) fn times(self, other: Self) -> Self {
        let roundings = self.roundings.saturating_add(other.roundings).saturating_add(1);
        Self { value: self.value * other.value, roundings }
    }

    /// This number times a power of two.
    pub(crate) fn times_exactly(self, power: f64) -> Self {
        Self { value: self.value * power, ..self }
    }

    /// Adding 0, or adding to 0, is exact.
    ///
    /// Without branches: which case applies is hard to predict, and known only after a wait for memory.
    #[inline]
    pub(crate) fn add(&mut self, other: Self) {
        let (has_own, has_other) = (self.value > 0.0, other.value > 0.0);
        let others = if has_own & !has_other { 0 } else { other.roundings };
        let roundings = self.roundings.max(others).saturating_add(u32::from(has_own & has_other));
        *self = Self { value: self.value + other.value, roundings };
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ratio(numerator: &str, denominator: &str) -> f64 {
        let number = |text: &str| text.parse::<BigUint>().expect("digits");
        Float::ratio(&number(numerator), &number(denominator)).value()
    }

    #[test]
    fn ratios_are_as_near_as_floats_can_be() {
        for (numerator, denominator) in [(0_u64, 7), (1, 3), (2_890, 7_776), (1, 1), (99_999_999, 100_000_001), (7, 2)]
        {
            let expected = numerator as f64 / denominator as f64;
            assert_eq!(ratio(&numerator.to_string(), &denominator.to_string()), expected, "{numerator}/{denominator}");
        }
        let large = format!("1{}", "0".repeat(500));
        let larger = format!("3{}", "0".repeat(500));
        assert_eq!(ratio(&large, &larger), 1.0 / 3.0);
        // 10^-400 is smaller than every positive float, and 10^400 larger than every finite one.
        assert_eq!(ratio("1", &format!("1{}", "0".repeat(400))), 0.0);
        assert!((ratio("3", &format!("1{}", "0".repeat(300))) - 3e-300).abs() < 1e-315);
        assert!((ratio(&format!("3{}", "0".repeat(300)), "1") - 3e300).abs() < 1e285);
    }

    #[test]
    fn the_error_bound_covers_what_rounding_does() {
        // One tenth added ten thousand times in floats: the error is more than one rounding and less than the bound.
        let tenth = Float::new(0.1, 1);
        let mut sum = Float::ZERO;
        for _ in 0..10_000 {
            sum.add(tenth);
        }
        let wrong = (sum.value() - 1_000.0).abs();
        assert!(wrong > 1e-11 && wrong < sum.error(), "{wrong} of {}", sum.error());
        assert!(sum.error() < 1.2e-9);
        let product = tenth.times(tenth);
        assert!((product.value() - 0.01).abs() <= product.error());
        assert_eq!(Float::ZERO.error(), 0.0);
    }
}
