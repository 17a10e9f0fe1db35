//! Tables, passed to other tools through Arrow's PyCapsule interface.

use std::fmt::Write;
use std::iter::repeat;
use std::sync::Arc;

use arrow_array::cast::AsArray;
use arrow_array::ffi::FFI_ArrowSchema;
use arrow_array::ffi_stream::FFI_ArrowArrayStream;
use arrow_array::types::{Float64Type, Int32Type, Int64Type};
use arrow_array::{Array, ArrayRef, RecordBatch, RecordBatchReader};
use arrow_schema::{ArrowError, DataType, SchemaRef};
use grognard_kit::engine::BySide;
use grognard_kit::lab::results::{
    BattleRow, Results, battle_sides_table, battles_table, cells_table, ends_table, means_table, odds_table,
    summary_table, work_table,
};
use grognard_kit::{Answer, Cell};
use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;
use pyo3::types::{PyCapsule, PyDict, PyList};

use crate::arrow::{batch, batch_of, schema};

/// The number of battles in a batch.
const ROWS: usize = 65_536;
/// The number of rows shown in a notebook.
const SHOWN: usize = 20;

/// A table that polars, pandas, DuckDB, pyarrow and others read without copying, through the Arrow PyCapsule interface.
///
/// ``polars.DataFrame(table)``, ``pandas.DataFrame.from_arrow(table)``, ``pyarrow.table(table)``, ``duckdb.from_arrow(table)``.
/// Its columns have the names and types of the files of a results folder.
#[pyclass(frozen, module = "grognard")]
pub(crate) struct Table {
    rows: usize,
    schema: SchemaRef,
    source: Source,
}

#[derive(Clone)]
enum Source {
    One(RecordBatch),
    /// Battles, turned into rows on request: one row each, or one row for each side.
    Battles(Arc<Answer>, Rows),
}

/// Rows of battles.
#[derive(Clone, Copy)]
pub(crate) enum Rows {
    /// A row for each battle.
    Battles,
    /// A row for each side of each battle.
    Sides,
}

/// The tables that an answer has in memory.
#[derive(Clone, Copy)]
pub(crate) enum Kind {
    Cells,
    Summary,
    Odds,
    Means,
    Ends,
    Work,
}

impl Table {
    /// A table that is in memory.
    pub(crate) fn of_batch(batch: RecordBatch) -> Self {
        Self { rows: batch.num_rows(), schema: batch.schema(), source: Source::One(batch) }
    }

    /// A table of an answer.
    pub(crate) fn of_answer(results: &Results, kind: Kind) -> PyResult<Self> {
        let Results { manifest, odds, .. } = results;
        let table = match kind {
            Kind::Cells => cells_table(manifest),
            Kind::Summary => summary_table(results.summary(), manifest),
            Kind::Odds => odds_table(odds, manifest),
            Kind::Means => means_table(odds, manifest),
            Kind::Ends => ends_table(odds, manifest),
            Kind::Work => work_table(odds, manifest),
        };
        batch_of(table.into_columns(), manifest).map(Self::of_batch).map_err(broken)
    }

    /// The battles that an answer kept.
    pub(crate) fn of_battles(answer: &Arc<Answer>, rows: Rows) -> Self {
        // Only a battle shows whether luck was counted; a table without battles has no column for it.
        let first: Vec<BattleRow> = answer.cells().find_map(|cell| kept(&cell).next()).into_iter().collect();
        let schema = schema(rows.table(&first, answer.results()).columns(), &answer.results().manifest);
        let battles: usize = answer.cells().map(|cell| cell.battles().len()).sum();
        let each = match rows {
            Rows::Battles => 1,
            Rows::Sides => 2,
        };
        Self { rows: battles * each, schema, source: Source::Battles(Arc::clone(answer), rows) }
    }

    fn batches(&self) -> Batches {
        Batches { schema: Arc::clone(&self.schema), source: self.source.clone(), cell: 0, at: 0 }
    }
}

impl Rows {
    fn table<'a>(self, rows: &[BattleRow], results: &'a Results) -> grognard_kit::lab::results::Table<'a> {
        match self {
            Self::Battles => battles_table(rows, &results.manifest),
            Self::Sides => battle_sides_table(rows, &results.manifest),
        }
    }
}

/// The battles of a cell that were kept.
fn kept<'a>(cell: &Cell<'a>) -> impl Iterator<Item = BattleRow> + use<'a> {
    let number = cell.number() as u32;
    let luck = cell.battle_luck().map(|[first, second]| Some(BySide::new(first, second))).chain(repeat(None));
    cell.battles().zip(luck).map(move |(battle, luck)| BattleRow {
        cell: number,
        battle: battle.number(),
        outcome: *battle.outcome(),
        luck,
    })
}

/// The rows of a table, batch by batch.
struct Batches {
    schema: SchemaRef,
    source: Source,
    /// The next cell or batch.
    cell: usize,
    /// Its next battle.
    at: usize,
}

impl Iterator for Batches {
    type Item = Result<RecordBatch, ArrowError>;

    fn next(&mut self) -> Option<Self::Item> {
        let (answer, rows) = match &self.source {
            Source::One(batch) => {
                self.cell += 1;
                return (self.cell == 1).then(|| Ok(batch.clone()));
            }
            Source::Battles(answer, rows) => (answer, *rows),
        };
        let mut battles: Vec<BattleRow> = Vec::new();
        for cell in answer.cells().skip(self.cell) {
            let before = battles.len();
            battles.extend(kept(&cell).skip(self.at).take(ROWS - before));
            self.at += battles.len() - before;
            if battles.len() == ROWS {
                break;
            }
            self.cell += 1;
            self.at = 0;
        }
        let table = rows.table(&battles, answer.results());
        (!battles.is_empty()).then(|| batch(table.into_columns(), Arc::clone(&self.schema)))
    }
}

impl RecordBatchReader for Batches {
    fn schema(&self) -> SchemaRef {
        Arc::clone(&self.schema)
    }
}

#[pymethods]
impl Table {
    /// The rows as a stream of Arrow's C interface.
    #[pyo3(signature = (requested_schema=None))]
    fn __arrow_c_stream__<'py>(
        &self,
        py: Python<'py>,
        requested_schema: Option<Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyCapsule>> {
        // The schema is only a request; consumers that ask for one convert the stream themselves.
        drop(requested_schema);
        let stream = FFI_ArrowArrayStream::new(Box::new(self.batches()));
        PyCapsule::new_with_value(py, stream, c"arrow_array_stream")
    }

    /// The names and types of the columns, through Arrow's C interface.
    fn __arrow_c_schema__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyCapsule>> {
        let schema = FFI_ArrowSchema::try_from(self.schema.as_ref()).map_err(broken)?;
        PyCapsule::new_with_value(py, schema, c"arrow_schema")
    }

    /// The names of the columns.
    #[getter]
    fn columns(&self) -> Vec<&str> {
        self.schema.fields().iter().map(|field| field.name().as_str()).collect()
    }

    /// The table's metadata by key: study, pack, seed, units and more, as in the files of a results folder.
    #[getter]
    fn metadata<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let mut all: Vec<(&String, &String)> = self.schema.metadata().iter().collect();
        all.sort();
        let metadata = PyDict::new(py);
        all.into_iter().try_for_each(|(key, text)| metadata.set_item(key, text))?;
        Ok(metadata)
    }

    /// The rows as dicts.
    fn to_dicts<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        let names = self.columns();
        let rows = PyList::empty(py);
        for batch in self.batches() {
            let batch = batch.map_err(broken)?;
            for row in 0..batch.num_rows() {
                let dict = PyDict::new(py);
                for (name, array) in names.iter().zip(batch.columns()) {
                    dict.set_item(name, cell(py, array, row)?)?;
                }
                rows.append(dict)?;
            }
        }
        Ok(rows)
    }

    fn __len__(&self) -> usize {
        self.rows
    }

    fn __repr__(&self) -> String {
        format!("<grognard.Table: {} rows of {}>", self.rows, self.columns().join(", "))
    }

    fn _repr_html_(&self, py: Python<'_>) -> PyResult<String> {
        let mut html = "<table>\n<tr>".to_owned();
        for name in self.columns() {
            let _ = write!(html, "<th>{}</th>", escaped(name));
        }
        html.push_str("</tr>\n");
        let mut shown = 0;
        for batch in self.batches() {
            let batch = batch.map_err(broken)?;
            for row in 0..batch.num_rows().min(SHOWN - shown) {
                html.push_str("<tr>");
                for array in batch.columns() {
                    let value = cell(py, array, row)?;
                    let text = if value.is_none() { String::new() } else { value.to_string() };
                    let _ = write!(html, "<td>{}</td>", escaped(&text));
                }
                html.push_str("</tr>\n");
                shown += 1;
            }
            if shown == SHOWN {
                break;
            }
        }
        html.push_str("</table>");
        if shown < self.rows {
            let _ = write!(html, "\n<p>{shown} of {} rows</p>", self.rows);
        }
        Ok(html)
    }
}

/// One value as a Python object.
fn cell<'py>(py: Python<'py>, array: &ArrayRef, row: usize) -> PyResult<Bound<'py, PyAny>> {
    if array.is_null(row) {
        return Ok(py.None().into_bound(py));
    }
    Ok(match array.data_type() {
        DataType::Int32 => array.as_primitive::<Int32Type>().value(row).into_pyobject(py)?.into_any(),
        DataType::Int64 => array.as_primitive::<Int64Type>().value(row).into_pyobject(py)?.into_any(),
        DataType::Float64 => array.as_primitive::<Float64Type>().value(row).into_pyobject(py)?.into_any(),
        DataType::Boolean => array.as_boolean().value(row).into_pyobject(py)?.to_owned().into_any(),
        _ => array.as_string::<i32>().value(row).into_pyobject(py)?.into_any(),
    })
}

/// Text escaped for HTML.
pub(crate) fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

#[allow(clippy::needless_pass_by_value, reason = "errors are passed on as `map_err` gives them")]
pub(crate) fn broken(error: ArrowError) -> PyErr {
    PyRuntimeError::new_err(format!("a table cannot be made: {error}"))
}
