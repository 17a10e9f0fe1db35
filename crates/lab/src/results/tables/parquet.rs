//! Parquet files that every tool can read: plain strings, signed numbers, and what a file holds written in it.
//!
//! Polars' data frames have types that older readers do not know. Files are written with Parquet's own types,
//! without a description of polars' types.

use grognard_engine::Side;
use polars_core::prelude::{
    BooleanChunked, Column, DataFrame, Float64Chunked, Int32Chunked, Int64Chunked, NamedFrom, PolarsResult, Series,
    StringChunked,
};
use polars_io::parquet::write::{KeyValueMetadata, ParquetMetadataContext};
use polars_io::prelude::ParquetWriter;
use serde_json::json;

use crate::results::Manifest;
use crate::results::columns::{LUCK, OF_SIDE};

/// Why a frame is not what it should be, in words.
pub(crate) type Fault = String;

/// A column of this name and these values.
pub(super) fn column<T, P: ?Sized>(name: &str, values: T) -> Column
where
    Series: NamedFrom<T, P>,
{
    Series::new(name.into(), values).into()
}

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

    /// The column as CSV fields; missing values are empty.
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
    format!("the column {name} has the wrong type")
}

/// What stands in every file of a run beside its rows: the same in all folders of one series.
pub(in crate::results) fn metadata(manifest: &Manifest) -> Vec<(String, String)> {
    let columns = manifest.columns();
    let vary: serde_json::Map<_, _> =
        columns.vary.iter().zip(&manifest.vary).map(|(column, varied)| (column.clone(), json!(varied.path))).collect();
    let mut units = serde_json::Map::new();
    let mut unit = |column: String, unit: &str| units.insert(column, json!(unit));
    for (what, of) in [("turns", "game turns"), ("turn_limit", "game turns"), ("p", "probability")] {
        unit(what.to_owned(), of);
    }
    for prefix in [String::new()].into_iter().chain(Side::BOTH.map(|side| format!("{}_", columns.sides[side]))) {
        for (what, of) in OF_SIDE.into_iter().zip(["figures", "units", "units", "game turn"]) {
            unit(format!("{prefix}{what}"), of);
        }
        unit(format!("{prefix}{LUCK}"), "rolls");
    }
    [
        ("format", manifest.format.to_string()),
        ("tool", manifest.tool.clone()),
        ("study", manifest.study.name.clone()),
        ("pack", manifest.pack_line()),
        ("seed", manifest.seed.to_string()),
        ("method", json!(manifest.method).as_str().unwrap_or_default().to_owned()),
        ("sides", json!(manifest.sides).to_string()),
        ("vary", serde_json::Value::Object(vary).to_string()),
        ("units", serde_json::Value::Object(units).to_string()),
    ]
    .map(|(key, value)| (format!("grognard.{key}"), value))
    .into()
}

/// Frames of the same columns as a Parquet file with this metadata, and the number of rows. Each frame is a group of rows.
pub(in crate::results) fn encode(
    frames: impl IntoIterator<Item = PolarsResult<DataFrame>>,
    metadata: &[(String, String)],
) -> PolarsResult<(Vec<u8>, u64)> {
    let mut bytes = Vec::new();
    let mut frames = frames.into_iter();
    let first = frames.next().unwrap_or_else(|| Ok(DataFrame::empty()))?;
    let mut rows = first.height() as u64;
    let mut writer = ParquetWriter::new(&mut bytes).batched(first.schema())?;
    writer.write_batch(&first)?;
    for frame in frames {
        let frame = frame?;
        rows += frame.height() as u64;
        writer.write_batch(&frame)?;
    }
    // Its own `finish` would add the schema of Arrow, with types of strings that not all readers have.
    let metadata = KeyValueMetadata::from_static(metadata.to_vec());
    let metadata = metadata.collect(ParquetMetadataContext { arrow_schema: "" })?;
    let file = writer.get_writer().lock();
    file.unwrap_or_else(std::sync::PoisonError::into_inner).end(Some(metadata))?;
    drop(writer);
    Ok((bytes, rows))
}
