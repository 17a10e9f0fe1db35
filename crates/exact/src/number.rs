//! Numbers that were worked out.

use std::fmt;

use num_bigint::BigUint;
use num_integer::Integer;

use crate::float::Float;

/// A probability, or a mean, that was worked out.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Number {
    /// The number as near as floating point has it.
    pub value: f64,
    /// The most by which rounding may have moved `value`. Battles that were left out are not in it: see
    /// [`crate::Solution::left_out`].
    pub error: f64,
    /// The number itself, as long as the numbers behind it stayed small enough to be kept whole.
    pub fraction: Option<Fraction>,
}

/// A fraction in lowest terms.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fraction {
    /// Above the line.
    pub numerator: BigUint,
    /// Below it; not 0.
    pub denominator: BigUint,
}

impl Number {
    pub(crate) fn of_float(float: Float) -> Self {
        Self { value: float.value(), error: float.error(), fraction: None }
    }

    pub(crate) fn of_fraction(numerator: &BigUint, denominator: &BigUint) -> Self {
        let fraction = Fraction::new(numerator, denominator);
        let float = Float::ratio(&fraction.numerator, &fraction.denominator);
        Self { value: float.value(), error: float.error(), fraction: Some(fraction) }
    }
}

impl Fraction {
    /// `numerator / denominator` in lowest terms. A denominator of 0 is taken as 1.
    #[must_use]
    pub fn new(numerator: &BigUint, denominator: &BigUint) -> Self {
        let common = numerator.gcd(denominator);
        if common == BigUint::ZERO {
            return Self { numerator: BigUint::ZERO, denominator: BigUint::from(1_u8) };
        }
        let denominator = (denominator / &common).max(BigUint::from(1_u8));
        Self { numerator: numerator / common, denominator }
    }

    /// The fraction that is written so: `5/12`. None for any other text, and for one of more than 10,000 characters.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        let (numerator, denominator) = text.split_once('/').filter(|_| text.len() <= 10_000)?;
        let number = |digits: &str| digits.bytes().all(|byte| byte.is_ascii_digit()).then(|| digits.parse().ok())?;
        let (numerator, denominator): (BigUint, BigUint) = (number(numerator)?, number(denominator)?);
        (denominator != BigUint::ZERO).then(|| Self::new(&numerator, &denominator))
    }
}

impl fmt::Display for Fraction {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{}/{}", self.numerator, self.denominator)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fractions_are_read_as_they_are_written() {
        let fraction = Fraction::parse("10/24").expect("a fraction");
        assert_eq!(fraction.to_string(), "5/12");
        assert_eq!(Fraction::parse("0/7").expect("nothing").to_string(), "0/1");
        for bad in ["", "/", "1", "1/", "/2", "1/0", "-1/2", "1/2/3", "1/ 2", "+1/2", "1_0/20"] {
            assert_eq!(Fraction::parse(bad), None, "{bad}");
        }
        assert_eq!(Fraction::parse(&format!("1/{}", "9".repeat(10_000))), None);
    }
}
