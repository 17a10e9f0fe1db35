//! Tables as plain data, from which Parquet files and the tables of other programs are made.

use std::borrow::Cow;

/// A table: columns with names, all of the same length.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Table<'a> {
    rows: usize,
    columns: Vec<Column<'a>>,
}

/// A column of a table.
#[derive(Clone, Debug, PartialEq)]
pub struct Column<'a> {
    /// Its name, unique in the table.
    pub name: String,
    /// Its values, one for each row.
    pub values: Values<'a>,
}

/// The values of a column; `None` if a row has no value.
#[derive(Clone, Debug, PartialEq)]
pub enum Values<'a> {
    /// Whole numbers.
    Int(Vec<Option<i32>>),
    /// Whole numbers that may be large.
    Long(Vec<Option<i64>>),
    /// Numbers.
    Float(Vec<Option<f64>>),
    /// True or false.
    Truth(Vec<Option<bool>>),
    /// Texts.
    Text(Vec<Option<Cow<'a, str>>>),
}

impl<'a> Table<'a> {
    pub(super) fn new(rows: usize, columns: Vec<Column<'a>>) -> Self {
        debug_assert!(columns.iter().all(|column| column.values.len() == rows));
        Self { rows, columns }
    }

    /// The number of rows.
    #[must_use]
    pub fn rows(&self) -> usize {
        self.rows
    }

    /// Its columns, in order.
    #[must_use]
    pub fn columns(&self) -> &[Column<'a>] {
        &self.columns
    }

    /// Its columns, by value.
    #[must_use]
    pub fn into_columns(self) -> Vec<Column<'a>> {
        self.columns
    }
}

impl Values<'_> {
    /// The number of values.
    #[must_use]
    pub fn len(&self) -> usize {
        match self {
            Self::Int(values) => values.len(),
            Self::Long(values) => values.len(),
            Self::Float(values) => values.len(),
            Self::Truth(values) => values.len(),
            Self::Text(values) => values.len(),
        }
    }

    /// Whether there are no values.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

/// A column of this name and these values.
pub(super) fn column<'a>(name: &str, values: impl Into<Values<'a>>) -> Column<'a> {
    Column { name: name.to_owned(), values: values.into() }
}

macro_rules! from {
    ($($from:ty => $variant:ident),* $(,)?) => {
        $(impl<'a> From<Vec<$from>> for Values<'a> {
            fn from(values: Vec<$from>) -> Self {
                Self::$variant(values.into_iter().map(|value| Some(value.into())).collect())
            }
        }
        impl<'a> From<Vec<Option<$from>>> for Values<'a> {
            fn from(values: Vec<Option<$from>>) -> Self {
                Self::$variant(values.into_iter().map(|value| value.map(Into::into)).collect())
            }
        })*
    };
}

from! { i32 => Int, i64 => Long, f64 => Float, bool => Truth, &'a str => Text, String => Text }
