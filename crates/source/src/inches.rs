//! Lengths: inches in the text, hundredths of an inch internally.

use std::borrow::Cow;
use std::fmt;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::de::{Deserialize, Deserializer, Error, Visitor};
use serde::ser::{Serialize, Serializer};

use super::schema::EXPECTED;

/// Hundredths in an inch.
const HUNDREDTHS: i32 = 100;

/// Maximum length, in inches: no table is larger.
const INCHES_MAX: i32 = 1_000;

/// Maximum distance of a float from whole hundredths, in hundredths.
const TOLERANCE: f64 = 1e-6;

/// A number of inches that is not a valid [`Inches`] or [`SignedInches`].
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
pub enum LengthError {
    /// The number has more than two decimals.
    #[error("{0} inches is not a whole number of hundredths")]
    Fraction(f64),
    /// The number is outside the type's range.
    #[error("{inches} inches is out of range: {least} to {most}")]
    Range {
        /// The number.
        inches: f64,
        /// The minimum allowed, in inches.
        least: i32,
        /// The maximum allowed, in inches.
        most: i32,
    },
}

/// A length of zero or more.
///
/// Unit: hundredths of an inch inside, inches in a text. Range: 0 to 1000 inches, in steps of 0.01.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Inches(i32);

/// A length with a direction: a difference, or a coordinate.
///
/// Unit: hundredths of an inch inside, inches in a text. Range: -1000 to 1000 inches, in steps of 0.01.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct SignedInches(i32);

macro_rules! length {
    ($length:ident, $least:expr, $name:literal, $expected:literal) => {
        impl $length {
            /// The minimum, in inches.
            pub const INCHES_MIN: i32 = $least;
            /// The maximum, in inches.
            pub const INCHES_MAX: i32 = INCHES_MAX;

            /// A length from hundredths of an inch, if it is in range.
            #[must_use]
            pub const fn from_hundredths(hundredths: i32) -> Option<Self> {
                if hundredths < Self::INCHES_MIN * HUNDREDTHS || hundredths > Self::INCHES_MAX * HUNDREDTHS {
                    None
                } else {
                    Some(Self(hundredths))
                }
            }

            /// The length in hundredths of an inch.
            #[must_use]
            pub const fn hundredths(self) -> i32 {
                self.0
            }
        }

        impl TryFrom<f64> for $length {
            type Error = LengthError;

            /// Reads inches as written in a text.
            fn try_from(inches: f64) -> Result<Self, LengthError> {
                hundredths(inches, Self::INCHES_MIN, Self::INCHES_MAX).map(Self)
            }
        }

        impl fmt::Display for $length {
            fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
                write_inches(self.0, formatter)
            }
        }

        impl<'de> Deserialize<'de> for $length {
            fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                let inches = deserializer.deserialize_any(InchesVisitor)?;
                Self::try_from(inches).map_err(D::Error::custom)
            }
        }

        impl Serialize for $length {
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                if self.0 % HUNDREDTHS == 0 {
                    serializer.serialize_i32(self.0 / HUNDREDTHS)
                } else {
                    serializer.serialize_f64(f64::from(self.0) / f64::from(HUNDREDTHS))
                }
            }
        }

        impl JsonSchema for $length {
            fn inline_schema() -> bool {
                true
            }

            fn schema_name() -> Cow<'static, str> {
                $name.into()
            }

            fn json_schema(_: &mut SchemaGenerator) -> Schema {
                json_schema!({
                    "type": "number",
                    "minimum": Self::INCHES_MIN,
                    "maximum": Self::INCHES_MAX,
                    "multipleOf": 0.01,
                    (EXPECTED): $expected,
                })
            }
        }
    };
}

length!(Inches, 0, "Inches", "a length in inches");
length!(SignedInches, -INCHES_MAX, "SignedInches", "a number of inches");

fn hundredths(inches: f64, least: i32, most: i32) -> Result<i32, LengthError> {
    if !(f64::from(least)..=f64::from(most)).contains(&inches) {
        return Err(LengthError::Range { inches, least, most });
    }
    let exact = inches * f64::from(HUNDREDTHS);
    let whole = exact.round();
    // It is in range, so the cast is exact.
    if (exact - whole).abs() > TOLERANCE { Err(LengthError::Fraction(inches)) } else { Ok(whole as i32) }
}

fn write_inches(hundredths: i32, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
    let sign = if hundredths < 0 { "-" } else { "" };
    let (whole, part) = (hundredths.abs() / HUNDREDTHS, hundredths.abs() % HUNDREDTHS);
    match part {
        0 => write!(formatter, "{sign}{whole}"),
        tenths if tenths % 10 == 0 => write!(formatter, "{sign}{whole}.{}", tenths / 10),
        _ => write!(formatter, "{sign}{whole}.{part:02}"),
    }
}

struct InchesVisitor;

impl Visitor<'_> for InchesVisitor {
    type Value = f64;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("a number of inches")
    }

    // Whole numbers too large for a float are also far out of range.
    fn visit_i64<E: Error>(self, inches: i64) -> Result<f64, E> {
        Ok(inches as f64)
    }

    fn visit_u64<E: Error>(self, inches: u64) -> Result<f64, E> {
        Ok(inches as f64)
    }

    fn visit_f64<E: Error>(self, inches: f64) -> Result<f64, E> {
        Ok(inches)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn inches_are_read_to_the_hundredth() {
        for (inches, hundredths) in [(0.0, 0), (-0.0, 0), (1.5, 150), (0.07, 7), (999.99, 99_999), (1000.0, 100_000)] {
            assert_eq!(Inches::try_from(inches).map(Inches::hundredths), Ok(hundredths), "{inches}");
        }
        assert_eq!(Inches::try_from(1.005), Err(LengthError::Fraction(1.005)));
        assert_eq!(Inches::try_from(-1.0), Err(LengthError::Range { inches: -1.0, least: 0, most: 1000 }));
        assert!(Inches::try_from(1000.01).is_err() && Inches::try_from(f64::NAN).is_err());
        assert_eq!(SignedInches::try_from(-1.25).map(SignedInches::hundredths), Ok(-125));
        assert!(SignedInches::try_from(-1000.01).is_err());
    }

    #[test]
    fn every_length_is_shown_and_read_back() {
        for hundredths in -100_000..=100_000 {
            let length = SignedInches::from_hundredths(hundredths).expect("in range");
            let inches: f64 = length.to_string().parse().expect("a number");
            assert_eq!(SignedInches::try_from(inches), Ok(length));
        }
        let shown = |hundredths| SignedInches::from_hundredths(hundredths).expect("in range").to_string();
        assert_eq!([150, -25, 5, 600, 0, -100].map(shown), ["1.5", "-0.25", "0.05", "6", "0", "-1"]);
        assert_eq!(Inches::from_hundredths(-1), None);
        assert_eq!(Inches::from_hundredths(100_001), None);
    }

    #[test]
    fn json_has_the_same_numbers() {
        let lengths: Vec<Inches> = serde_json::from_str("[12, 1.5, 0.01]").expect("lengths");
        assert_eq!(serde_json::to_string(&lengths).expect("numbers"), "[12,1.5,0.01]");
        assert!(serde_json::from_str::<Inches>("-1").is_err());
        assert!(serde_json::from_str::<Inches>("18446744073709551615").is_err());
        assert!(serde_json::from_str::<Inches>("\"6\"").is_err());
    }
}
