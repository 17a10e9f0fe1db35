//! Values to set at paths.

use std::fmt;

use grognard_source::{Node, Sources, Span, Value as Written};

use crate::Error;

/// A value to set at a path: a number, a word, true or false, or a list of these.
///
/// Functions that take one also take plain Rust values:
///
/// ```
/// use grognard_kit::{Study, Value};
///
/// let study = Study::load("square-vs-line")?
///     .set("turns", 6)?
///     .set("approach", "flank")?
///     .set("roll.shock.modifier.square-against-cavalry.add", 5)?
///     .vary("distance", [8.0, 12.5])?;
/// assert_eq!(study.cells()?.len(), 4 * 3 * 2);
/// assert_eq!(Value::from(vec![1, 2]).to_string(), "[1, 2]");
/// # Ok::<(), grognard_kit::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Value {
    /// A whole number.
    Int(i64),
    /// Any other number.
    Float(f64),
    /// True or false.
    Bool(bool),
    /// A word.
    Text(String),
    /// A list, such as a position.
    List(Vec<Self>),
}

impl Value {
    /// The value as shown in cells: a word without quotation marks.
    pub(crate) fn plain(&self) -> String {
        match self {
            Self::Text(text) => text.clone(),
            Self::Float(number) => number.to_string(),
            other => other.to_string(),
        }
    }

    /// Whether this is the value of a cell that has `text` at a path: 2 and 2.0 are equal.
    pub(crate) fn is(&self, text: &str) -> bool {
        let number = |text: &str| text.parse::<f64>().ok();
        let own = self.plain();
        own == text || number(&own).is_some_and(|own| number(text) == Some(own))
    }

    /// The value as TOML.
    pub(crate) fn toml(&self) -> Result<String, Error> {
        match self {
            Self::Float(number) if !number.is_finite() => {
                Err(Error::setting(format!("{number} is not a valid value"), "give a finite number"))
            }
            Self::List(values) => {
                let values = values.iter().map(Self::toml).collect::<Result<Vec<_>, _>>()?;
                Ok(format!("[{}]", values.join(", ")))
            }
            value => Ok(value.to_string()),
        }
    }

    fn written(&self) -> Written {
        match self {
            Self::Int(number) => Written::Int(*number),
            Self::Float(number) => Written::Float(*number),
            Self::Bool(value) => Written::Bool(*value),
            Self::Text(text) => Written::Text(text.clone()),
            Self::List(values) => {
                let span = Span::new(Sources::new().add("", ""), 0..0);
                Written::Array(values.iter().map(|value| Node { value: value.written(), span }).collect())
            }
        }
    }
}

impl fmt::Display for Value {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.written().fmt(out)
    }
}

macro_rules! from {
    ($($from:ty => $variant:ident),* $(,)?) => {
        $(impl From<$from> for Value {
            fn from(value: $from) -> Self {
                Self::$variant(value.into())
            }
        })*
    };
}

from! {
    i8 => Int, i16 => Int, i32 => Int, i64 => Int, u8 => Int, u16 => Int, u32 => Int,
    f32 => Float, f64 => Float, bool => Bool, &str => Text, String => Text, &String => Text,
}

impl<T: Into<Self>> From<Vec<T>> for Value {
    fn from(values: Vec<T>) -> Self {
        Self::List(values.into_iter().map(Into::into).collect())
    }
}

impl<T: Into<Self>, const N: usize> From<[T; N]> for Value {
    fn from(values: [T; N]) -> Self {
        Self::List(values.into_iter().map(Into::into).collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_quoted_in_texts_and_not_in_cells() {
        let value = Value::from("heavy \"cavalry\"");
        assert_eq!(value.toml().expect("a word"), r#""heavy \"cavalry\"""#);
        assert_eq!(value.plain(), "heavy \"cavalry\"");
        assert_eq!(Value::from([0, -16]).toml().expect("a place"), "[0, -16]");
        assert!(Value::from(f64::NAN).toml().is_err() && Value::from([f64::INFINITY]).toml().is_err());
    }

    #[test]
    fn numbers_are_the_same_however_they_are_written() {
        assert!(Value::from(2).is("2.0") && Value::from(2.0).is("2") && Value::from(0.5).is("0.5"));
        assert!(!Value::from(2).is("3") && Value::from("square").is("square") && !Value::from(true).is("1"));
    }
}
