//! Tables in Arrow's format.

use std::collections::HashMap;
use std::sync::Arc;

use arrow_array::{ArrayRef, BooleanArray, Float64Array, Int32Array, Int64Array, RecordBatch, StringArray};
use arrow_schema::{ArrowError, DataType, Field, Schema, SchemaRef};
use grognard_kit::lab::results::{Column, Manifest, Values, metadata};

fn type_of(values: &Values<'_>) -> DataType {
    match values {
        Values::Int(_) => DataType::Int32,
        Values::Long(_) => DataType::Int64,
        Values::Float(_) => DataType::Float64,
        Values::Truth(_) => DataType::Boolean,
        Values::Text(_) => DataType::Utf8,
    }
}

/// The Arrow schema for columns of a run. Its metadata is that of the files of a results folder.
pub(crate) fn schema(columns: &[Column<'_>], manifest: &Manifest) -> SchemaRef {
    let fields = columns.iter().map(|column| Field::new(&column.name, type_of(&column.values), true));
    let metadata: HashMap<String, String> = metadata(manifest).into_iter().collect();
    Arc::new(Schema::new_with_metadata(fields.collect::<Vec<_>>(), metadata))
}

fn array(values: Values<'_>) -> ArrayRef {
    match values {
        Values::Int(values) => Arc::new(Int32Array::from(values)),
        Values::Long(values) => Arc::new(Int64Array::from(values)),
        Values::Float(values) => Arc::new(Float64Array::from(values)),
        Values::Truth(values) => Arc::new(BooleanArray::from(values)),
        Values::Text(values) => Arc::new(values.into_iter().collect::<StringArray>()),
    }
}

/// The rows of columns that have this schema.
pub(crate) fn batch(columns: Vec<Column<'_>>, schema: SchemaRef) -> Result<RecordBatch, ArrowError> {
    let arrays = columns.into_iter().map(|column| array(column.values));
    RecordBatch::try_new(schema, arrays.collect())
}

/// Columns of a run as a table.
pub(crate) fn batch_of(columns: Vec<Column<'_>>, manifest: &Manifest) -> Result<RecordBatch, ArrowError> {
    let schema = schema(&columns, manifest);
    batch(columns, schema)
}

/// The values in these rows.
pub(crate) fn numbered<'a>(values: &Values<'a>, rows: &[usize]) -> Values<'a> {
    match values {
        Values::Int(values) => Values::Int(rows.iter().map(|&row| values[row]).collect()),
        Values::Long(values) => Values::Long(rows.iter().map(|&row| values[row]).collect()),
        Values::Float(values) => Values::Float(rows.iter().map(|&row| values[row]).collect()),
        Values::Truth(values) => Values::Truth(rows.iter().map(|&row| values[row]).collect()),
        Values::Text(values) => Values::Text(rows.iter().map(|&row| values[row].clone()).collect()),
    }
}
