//! The tables of a results folder, read back from data frames.

mod battles;
mod odds;
mod summary;

use polars_core::prelude::{
    BooleanChunked, Column, DataFrame, Float64Chunked, Int32Chunked, Int64Chunked, StringChunked,
};

pub(crate) use battles::OutcomeColumns;
pub(in crate::results) use battles::luck_of_rows;
pub(in crate::results) use odds::{Exact, odds_from_frames};
pub(in crate::results) use summary::summary_from_frame;

/// The fault of a frame, in words.
pub(crate) type Fault = String;

/// The columns of a frame that is read back, by name and type.
pub(crate) struct Fields<'f>(pub(crate) &'f DataFrame);

impl<'f> Fields<'f> {
    fn get(&self, name: &str) -> Result<&'f Column, Fault> {
        self.0.column(name).map_err(|_| format!("the column {name} is missing"))
    }

    pub(crate) fn ints(&self, name: &str) -> Result<&'f Int32Chunked, Fault> {
        self.get(name)?.i32().map_err(|_| other_type(name))
    }

    pub(crate) fn longs(&self, name: &str) -> Result<&'f Int64Chunked, Fault> {
        self.get(name)?.i64().map_err(|_| other_type(name))
    }

    pub(crate) fn floats(&self, name: &str) -> Result<&'f Float64Chunked, Fault> {
        self.get(name)?.f64().map_err(|_| other_type(name))
    }

    pub(crate) fn texts(&self, name: &str) -> Result<&'f StringChunked, Fault> {
        self.get(name)?.str().map_err(|_| other_type(name))
    }

    /// The column as fields of comma-separated values; missing values are empty.
    pub(in crate::results) fn printed(&self, name: &str) -> Result<Vec<String>, Fault> {
        fn all<T: ToString>(values: impl Iterator<Item = Option<T>>) -> Vec<String> {
            values.map(|value| value.map_or_else(String::new, |value| value.to_string())).collect()
        }
        let column = self.get(name)?;
        if let Ok(values) = column.i32() {
            return Ok(all(values.iter()));
        }
        if let Ok(values) = column.i64() {
            return Ok(all(values.iter()));
        }
        if let Ok(values) = column.f64() {
            return Ok(all(values.iter()));
        }
        let booleans: Result<&BooleanChunked, _> = column.bool();
        match booleans {
            Ok(values) => Ok(all(values.iter())),
            Err(_) => Ok(all(self.texts(name)?.iter())),
        }
    }
}

fn other_type(name: &str) -> Fault {
    format!("the column {name} is of another type")
}
