//! Parquet files that every tool can read: with plain strings, signed numbers, and self-describing metadata.
//!
//! Polars' data frames have types that older readers do not know. Files are written with Parquet's own types,
//! without a description of polars' types.

use polars_core::prelude::{DataFrame, NamedFrom, PolarsResult, Series};
use polars_io::parquet::write::{KeyValueMetadata, ParquetMetadataContext};
use polars_io::prelude::ParquetWriter;

use super::table::{Column, Table, Values};

/// A table as a data frame.
fn frame(table: Table<'_>) -> PolarsResult<DataFrame> {
    let rows = table.rows();
    let series = |column: Column<'_>| {
        let name = column.name.into();
        match column.values {
            Values::Int(values) => Series::new(name, values),
            Values::Long(values) => Series::new(name, values),
            Values::Float(values) => Series::new(name, values),
            Values::Truth(values) => Series::new(name, values),
            Values::Text(values) => Series::new(name, values),
        }
    };
    let columns = table.into_columns().into_iter().map(|column| series(column).into());
    DataFrame::new(rows, columns.collect())
}

/// Encodes tables with the same columns as a Parquet file with this metadata. Also returns its number of rows. Each
/// table is a row group.
pub(in crate::results) fn encode<'a>(
    tables: impl IntoIterator<Item = Table<'a>>,
    metadata: &[(String, String)],
) -> PolarsResult<(Vec<u8>, u64)> {
    let mut bytes = Vec::new();
    let mut frames = tables.into_iter().map(frame);
    let first = frames.next().unwrap_or_else(|| Ok(DataFrame::empty()))?;
    let mut rows = first.height() as u64;
    let mut writer = ParquetWriter::new(&mut bytes).batched(first.schema())?;
    writer.write_batch(&first)?;
    for frame in frames {
        let frame = frame?;
        rows += frame.height() as u64;
        writer.write_batch(&frame)?;
    }
    // Polars' own `finish` would add an Arrow schema, with string types that not all readers know.
    let metadata = KeyValueMetadata::from_static(metadata.to_vec());
    let metadata = metadata.collect(ParquetMetadataContext { arrow_schema: "" })?;
    let file = writer.get_writer().lock();
    file.unwrap_or_else(std::sync::PoisonError::into_inner).end(Some(metadata))?;
    drop(writer);
    Ok((bytes, rows))
}
