//! Numbers that were worked out.

use std::fmt;

use num_bigint::BigUint;
use num_integer::Integer;

use crate::float::Float;

/// A probability, or a mean, that was worked out.
#[derive(Clone, Debug, PartialEq)]
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
}

impl fmt::Display for Fraction {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{}/{}", self.numerator, self.denominator)
    }
}
