//! Computed numbers.

use std::fmt;

use num_bigint::BigUint;
use num_integer::Integer;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::float::Float;

/// A computed probability or mean.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Number {
    /// The nearest floating-point number.
    #[serde(with = "bits")]
    pub value: f64,
    /// The maximum rounding error of `value`, not counting battles that were left out: see
    /// [`crate::Solution::left_out`].
    #[serde(with = "bits")]
    pub error: f64,
    /// The exact number, if all numbers in its computation stayed small enough.
    pub fraction: Option<Fraction>,
}

/// A fraction in lowest terms.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fraction {
    /// The numerator.
    pub numerator: BigUint,
    /// The denominator; not 0.
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

impl Number {
    /// This number minus another, which may be larger. The result then has no fraction.
    #[must_use]
    pub fn less(&self, other: &Self) -> Self {
        if let (Some(own), Some(theirs)) = (&self.fraction, &other.fraction) {
            let (above, taken) = (&own.numerator * &theirs.denominator, &theirs.numerator * &own.denominator);
            let common = &own.denominator * &theirs.denominator;
            if above >= taken {
                return Self::of_fraction(&(above - taken), &common);
            }
            let below = Self::of_fraction(&(taken - above), &common);
            return Self { value: -below.value, fraction: None, ..below };
        }
        let value = self.value - other.value;
        Self { value, error: self.error + other.error + value.abs() * f64::EPSILON, fraction: None }
    }

    /// This number divided by another; `None` if that is 0.
    #[must_use]
    pub fn over(&self, other: &Self) -> Option<Self> {
        if other.value <= other.error {
            return None;
        }
        if let (Some(above), Some(below)) = (&self.fraction, &other.fraction) {
            let numerator = &above.numerator * &below.denominator;
            return Some(Self::of_fraction(&numerator, &(&above.denominator * &below.numerator)));
        }
        let value = self.value / other.value;
        let error = (self.error + value * other.error) / (other.value - other.error) + value * f64::EPSILON;
        Some(Self { value, error, fraction: None })
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

    /// The fraction of a text such as `5/12`. `None` for any other text, and for one of more than 10,000 characters.
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

impl Serialize for Fraction {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        [self.numerator.to_string(), self.denominator.to_string()].serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for Fraction {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let parts = <[String; 2]>::deserialize(deserializer)?.map(|digits| digits.parse::<BigUint>().ok());
        let [Some(numerator), Some(denominator)] = parts else {
            return Err(serde::de::Error::custom("a fraction is two whole numbers"));
        };
        Ok(Self::new(&numerator, &denominator))
    }
}

/// Floating-point numbers by their bits, for serde: they are read back unchanged.
pub mod bits {
    use serde::{Deserialize, Deserializer, Serializer};

    /// Writes the bits of a number.
    ///
    /// # Errors
    /// The serializer's own.
    pub fn serialize<S: Serializer>(number: &f64, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_u64(number.to_bits())
    }

    /// Reads the bits of a number.
    ///
    /// # Errors
    /// The deserializer's own.
    pub fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<f64, D::Error> {
        u64::deserialize(deserializer).map(f64::from_bits)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_number_over_another_is_as_exact_as_both_are() {
        let whole = |numerator: u8, denominator: u8| {
            Number::of_fraction(&BigUint::from(numerator), &BigUint::from(denominator))
        };
        let third = whole(5, 12).over(&whole(5, 4)).expect("5/4 is not 0");
        assert_eq!(third.fraction.map(|fraction| fraction.to_string()).as_deref(), Some("1/3"));
        assert_eq!(whole(5, 12).over(&whole(0, 1)), None);
        let about = |value: f64| Number { value, error: 1e-10, fraction: None };
        let found = about(0.3).over(&about(0.2)).expect("0.2 is not 0");
        // The extreme values: (0.3 ± 1e-10) / (0.2 ∓ 1e-10).
        assert!((found.value - 1.5).abs() < 1e-15 && found.error >= 1.25e-9 && found.error < 1.3e-9, "{found:?}");
        assert_eq!(about(0.3).over(&about(0.0)), None);
    }

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
