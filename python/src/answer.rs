//! The results of a study.

use std::fmt::Write;
use std::sync::Arc;

use arrow_array::RecordBatch;
use grognard_kit::lab::results::{Column, Made, Manifest, Method, Results, Values, cells_table};
use grognard_kit::{Answer as KitAnswer, Pooled, Side, Value};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict, PyString, PyTuple};

use crate::arrow::{batch_of, numbered};
use crate::errors::{raised, setting, unknown};
use crate::given::{self, named};
use crate::table::{Kind, Rows, Table, broken, escaped};

/// The results of a study, from battles (`Study.run`) or exact odds (`Study.exact`): every cell, with its numbers and
/// their intervals.
#[pyclass(frozen, module = "grognard")]
pub(crate) struct Answer {
    inner: Arc<KitAnswer>,
}

/// A number with its interval.
#[pyclass(frozen, eq, get_all, module = "grognard")]
#[derive(Clone, PartialEq)]
pub(crate) struct Estimate {
    /// The number.
    mean: f64,
    /// The lower limit of its interval.
    low: f64,
    /// The upper limit.
    high: f64,
    /// The level of the interval; 1 for computed odds.
    level: f64,
    /// The number of battles behind it; 0 for computed odds.
    runs: u64,
    /// Whether the interval comes from comparing individual battles, which makes it as narrow as possible.
    paired: bool,
}

impl Estimate {
    fn new(estimate: &grognard_kit::Estimate, paired: bool) -> Self {
        let grognard_kit::Estimate { point: mean, low, high, runs, .. } = *estimate;
        let level = if estimate.is_computed() { 1.0 } else { estimate.level.get() };
        Self { mean, low, high, level, runs, paired }
    }
}

impl From<Pooled> for Estimate {
    fn from(pooled: Pooled) -> Self {
        Self::new(&pooled.estimate, pooled.paired)
    }
}

#[pymethods]
impl Estimate {
    fn __float__(&self) -> f64 {
        self.mean
    }

    fn __repr__(&self) -> String {
        let Self { mean, low, high, .. } = self;
        format!("<grognard.Estimate: {mean:.6}, {low:.6} to {high:.6}>")
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyAny>, Bound<'py, PyTuple>)> {
        let again = py.import("grognard._native")?.getattr("estimate_of")?;
        Ok((again, (self.mean, self.low, self.high, self.level, self.runs, self.paired).into_pyobject(py)?))
    }
}

/// Unpickles an estimate.
#[pyfunction]
pub(crate) fn estimate_of(mean: f64, low: f64, high: f64, level: f64, runs: u64, paired: bool) -> Estimate {
    Estimate { mean, low, high, level, runs, paired }
}

impl Answer {
    pub(crate) fn new(inner: KitAnswer) -> Self {
        Self { inner: Arc::new(inner) }
    }

    fn manifest(&self) -> &Manifest {
        &self.inner.results().manifest
    }

    /// Checks that the answer came from this method; otherwise, it does not have the table `what`.
    fn only(&self, py: Python<'_>, method: Method, what: &str) -> PyResult<()> {
        let why = match method {
            _ if self.manifest().method == method => return Ok(()),
            Method::Sampled => "these odds were computed, and no battles were fought: use `run`",
            Method::Exact => "these battles were fought, and no odds were computed: use `exact`",
        };
        Err(crate::errors::exception(py, "Error", format!("there is no table `{what}`: {why}")))
    }

    fn table(&self, py: Python<'_>, kind: Kind, what: &str) -> PyResult<Table> {
        self.only(py, Method::Exact, what)?;
        Table::of_answer(self.inner.results(), kind)
    }

    /// The index of a varied path, given the path, the name of its column, or the end of the path if it is unique.
    fn path(&self, py: Python<'_>, name: &str) -> PyResult<usize> {
        let (vary, columns) = (&self.manifest().vary, self.manifest().columns().vary);
        let places = 0..vary.len();
        if let Some(place) = places.clone().find(|&place| vary[place].path == name || columns[place] == name) {
            return Ok(place);
        }
        let end = format!(".{name}");
        let alike: Vec<usize> = places.filter(|&place| vary[place].path.ends_with(&end)).collect();
        let paths = |some: &[usize]| some.iter().map(|&place| vary[place].path.as_str()).collect::<Vec<_>>().join(", ");
        match alike.as_slice() {
            [place] => Ok(*place),
            [] if vary.is_empty() => {
                Err(unknown(py, format!("there is no varied path `{name}`: the study varies none")))
            }
            [] => {
                let all = paths(&(0..vary.len()).collect::<Vec<_>>());
                Err(unknown(py, format!("there is no varied path `{name}`: the study varies {all}")))
            }
            several => Err(unknown(py, format!("`{name}` is ambiguous: write out one of {}", paths(several)))),
        }
    }

    /// The numbers of the cells that have these values.
    fn with(&self, py: Python<'_>, values: &Bound<'_, PyDict>) -> PyResult<Vec<usize>> {
        let value = |(name, one): (Bound<'_, PyAny>, Bound<'_, PyAny>)| -> PyResult<(String, Value)> {
            let name: String = name.extract()?;
            let path = self.manifest().vary[self.path(py, &name)?].path.clone();
            let value = given::value(&path, &one)?;
            Ok((path, value))
        };
        let values = values.iter().map(value).collect::<PyResult<Vec<_>>>()?;
        let cells = self.inner.with(values).map_err(|error| raised(py, error))?;
        Ok(cells.iter().map(|cell| cell.number()).collect())
    }
}

#[pymethods]
impl Answer {
    /// The cells as a table: the columns of `cells.parquet`.
    #[getter]
    fn cells(&self) -> PyResult<Table> {
        Table::of_answer(self.inner.results(), Kind::Cells)
    }

    /// Every estimate with its interval as a table: the columns of `summary.parquet`.
    #[getter]
    fn summary(&self) -> PyResult<Table> {
        Table::of_answer(self.inner.results(), Kind::Summary)
    }

    /// The kept battles as a table, one row each.
    #[getter]
    fn battles(&self, py: Python<'_>) -> PyResult<Table> {
        self.only(py, Method::Sampled, "battles")?;
        Ok(Table::of_battles(&self.inner, Rows::Battles))
    }

    /// The kept battles with one row for each side.
    #[getter]
    fn battle_sides(&self, py: Python<'_>) -> PyResult<Table> {
        self.only(py, Method::Sampled, "battle_sides")?;
        Ok(Table::of_battles(&self.inner, Rows::Sides))
    }

    /// The probability of each outcome and of each value of each metric as a table, for exact odds.
    #[getter]
    fn odds(&self, py: Python<'_>) -> PyResult<Table> {
        self.table(py, Kind::Odds, "odds")
    }

    /// The mean of each metric as a table, for exact odds.
    #[getter]
    fn means(&self, py: Python<'_>) -> PyResult<Table> {
        self.table(py, Kind::Means, "means")
    }

    /// Every possible end of a battle as a table, with its probability, for exact odds.
    #[getter]
    fn ends(&self, py: Python<'_>) -> PyResult<Table> {
        self.table(py, Kind::Ends, "ends")
    }

    /// The probability left out of each cell's odds, and the work they took, as a table.
    #[getter]
    fn work(&self, py: Python<'_>) -> PyResult<Table> {
        self.table(py, Kind::Work, "work")
    }

    /// The name of the study.
    #[getter]
    fn study(&self) -> &str {
        &self.manifest().study.name
    }

    /// The name of the pack.
    #[getter]
    fn pack(&self) -> &str {
        self.inner.pack()
    }

    /// The names of the sides; the first one moves first.
    #[getter]
    fn sides<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        PyTuple::new(py, self.inner.sides())
    }

    /// The number of battles in every cell; 0 for exact odds.
    #[getter]
    fn runs(&self) -> u64 {
        self.inner.battles()
    }

    /// The seed of every battle.
    #[getter]
    fn seed(&self) -> u64 {
        self.manifest().seed
    }

    /// A digest of every battle of every cell: equal digests mean identical battles, on any machine and in the
    /// command-line program.
    #[getter]
    fn digest(&self) -> &str {
        self.inner.digest()
    }

    /// Whether the run was stopped before all battles were fought. Its numbers are still valid for the battles fought
    /// by then.
    #[getter]
    fn stopped(&self) -> bool {
        self.inner.is_stopped()
    }

    /// The share of battles that a side wins as a table, with intervals. There is a row for each value of a varied
    /// path, or for each combination of several, over all cells with these values. Without `by`, there is a single row.
    ///
    /// Battle i has the same dice in every cell, so cells are not independent samples. If all battles were kept
    /// (`keep="all"`), the intervals come from the results of battle i in all of the cells. Otherwise they are valid
    /// for any correlation, and wider. The column `paired` says which. A path may be shortened to its end: `formation`
    /// for `defender.0.formation`.
    #[pyo3(signature = (side, by=None))]
    fn share(
        &self,
        py: Python<'_>,
        #[pyo3(from_py_with = named::side)] side: String,
        by: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Table> {
        let side = self.inner.side(&side).map_err(|error| raised(py, error))?;
        let by: Vec<String> = match by {
            None => Vec::new(),
            Some(one) if one.is_instance_of::<PyString>() => vec![one.extract()?],
            Some(several) => several.extract().map_err(|_| {
                PyTypeError::new_err("`by` is neither the name of a varied path nor a list of such names")
            })?,
        };
        let places = by.iter().map(|name| self.path(py, name)).collect::<PyResult<Vec<_>>>()?;
        let batch = py.detach(|| self.shares(side, &places)).map_err(|error| raised(py, error))?;
        batch.map(Table::of_batch).map_err(broken)
    }

    /// The difference between two groups of cells in the share of battles that a side wins, the first minus the second,
    /// with its interval. Battles are compared one by one if all were kept. A group is a dict of varied paths and
    /// values.
    fn contrast(
        &self,
        py: Python<'_>,
        #[pyo3(from_py_with = named::side)] side: String,
        #[pyo3(from_py_with = named::cells)] cells: Bound<'_, PyDict>,
        #[pyo3(from_py_with = named::others)] others: Bound<'_, PyDict>,
    ) -> PyResult<Estimate> {
        let side = self.inner.side(&side).map_err(|error| raised(py, error))?;
        let (cells, others) = (self.with(py, &cells)?, self.with(py, &others)?);
        let found = py.detach(|| self.inner.contrast(side, cells, others));
        found.map(Estimate::from).map_err(|error| raised(py, error))
    }

    /// A number of a cell by its name, with its interval. A side's name stands for the share that it wins; other names
    /// are `draw`, `turns`, and metrics of a side such as `defender.losses`.
    fn estimate(
        &self,
        py: Python<'_>,
        #[pyo3(from_py_with = named::estimate)] name: String,
        cell: &Bound<'_, PyAny>,
    ) -> PyResult<Estimate> {
        let cell: usize = given::small("cell", Some(cell))?.unwrap_or_default();
        let estimate = self.inner.cell(cell).and_then(|cell| cell.estimate(&name));
        estimate.map(|estimate| Estimate::new(&estimate, true)).map_err(|error| raised(py, error))
    }

    /// The complete results, as `grognard run --json` prints them.
    fn to_json(&self) -> String {
        self.inner.to_json()
    }

    /// The answer as bytes, for another process or another machine with the same version. Pickling does the same.
    fn to_bytes<'py>(&self, py: Python<'py>) -> Bound<'py, PyBytes> {
        PyBytes::new(py, &py.detach(|| self.inner.to_bytes()))
    }

    /// Reads an answer written by `to_bytes`.
    #[staticmethod]
    fn from_bytes(py: Python<'_>, #[pyo3(from_py_with = named::data)] data: Bound<'_, PyBytes>) -> PyResult<Self> {
        let answer = KitAnswer::from_bytes(data.as_bytes());
        answer.map(Self::new).map_err(|error| raised(py, error))
    }

    /// Whether the battles, the odds and all numbers are the same, regardless of time taken and number of threads.
    fn __eq__(&self, other: &Self) -> bool {
        let (one, two) = (self.inner.results(), other.inner.results());
        let known = |results: &Results| Manifest { made: Made::default(), ..results.manifest.clone() };
        known(one) == known(two)
            && (&one.tallies, &one.odds, one.summary()) == (&two.tallies, &two.odds, two.summary())
            && self.inner.cells().zip(other.inner.cells()).all(|(one, two)| one.battles().eq(two.battles()))
    }

    fn __str__(&self) -> String {
        self.inner.to_string()
    }

    fn __repr__(&self) -> String {
        let (study, cells) = (self.study(), self.manifest().cells.len());
        let how = match self.manifest().method {
            Method::Exact => "exact odds".to_owned(),
            Method::Sampled if self.inner.is_partial() => format!("{} battles each, partial", self.inner.battles()),
            Method::Sampled => format!("{} battles each", self.inner.battles()),
        };
        format!("<grognard.Answer: {study}, {cells} cells, {how}>")
    }

    fn _repr_html_(&self) -> String {
        let names = self.inner.sides();
        // With two sides, draws go between them; with more, draws go last.
        let drawn = if names.len() == 2 { 1 } else { names.len() };
        let mut heads: Vec<String> = names.iter().map(|side| format!("{} wins", escaped(side))).collect();
        heads.insert(drawn, "drawn".to_owned());
        let heads: String = heads.iter().map(|head| format!("<th>{head}</th>")).collect();
        let mut html = format!("<table>\n<tr><th>cell</th><th></th>{heads}</tr>\n");
        for cell in self.inner.cells() {
            let _ = write!(html, "<tr><td>{}</td><td>{}</td>", cell.number(), escaped(cell.label()));
            let mut shares: Vec<_> = Side::first(names.len()).iter().map(|&side| cell.share(side)).collect();
            shares.insert(drawn, cell.draws());
            for share in shares {
                let _ = write!(html, "<td>{}</td>", escaped(&share.percent()));
            }
            html.push_str("</tr>\n");
        }
        html + "</table>"
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyAny>, Bound<'py, PyTuple>)> {
        let again = py.import("grognard._native")?.getattr("answer_of")?;
        Ok((again, (self.to_bytes(py),).into_pyobject(py)?))
    }
}

impl Answer {
    /// The share that a side wins for each combination of values of the varied paths with these indices.
    fn shares(
        &self,
        side: Side,
        places: &[usize],
    ) -> Result<Result<RecordBatch, arrow_schema::ArrowError>, grognard_kit::Error> {
        let manifest = self.manifest();
        let mut groups: Vec<(Vec<Option<&str>>, Vec<usize>)> = Vec::new();
        for (place, cell) in self.inner.cells().enumerate() {
            let key: Vec<Option<&str>> = places.iter().map(|&at| cell.value(&manifest.vary[at].path)).collect();
            match groups.iter_mut().find(|(known, _)| *known == key) {
                Some((_, cells)) => cells.push(place),
                None => groups.push((key, vec![place])),
            }
        }
        let numbers =
            |cells: &[usize]| cells.iter().map(|&place| manifest.cells[place].cell as usize).collect::<Vec<_>>();
        let shares = groups.iter().map(|(_, cells)| self.inner.pooled(side, numbers(cells)).map(Estimate::from));
        let shares = shares.collect::<Result<Vec<_>, _>>()?;
        // The values have the same types as in the table of cells.
        let names = manifest.columns().vary;
        let firsts: Vec<usize> = groups.iter().map(|(_, cells)| cells[0]).collect();
        let known = cells_table(manifest).into_columns();
        let mut columns: Vec<Column<'_>> = Vec::new();
        for &at in places {
            if let Some(column) = known.iter().find(|column| column.name == names[at]) {
                columns.push(Column { name: column.name.clone(), values: numbered(&column.values, &firsts) });
            }
        }
        let floats = |of: fn(&Estimate) -> f64| Values::Float(shares.iter().map(|share| Some(of(share))).collect());
        let cells = groups.iter().map(|(_, cells)| Some(cells.len() as i32)).collect();
        let rest = [
            ("cells", Values::Int(cells)),
            ("share", floats(|share| share.mean)),
            ("low", floats(|share| share.low)),
            ("high", floats(|share| share.high)),
            ("level", floats(|share| share.level)),
            ("runs", Values::Long(shares.iter().map(|share| Some(share.runs as i64)).collect())),
            ("paired", Values::Truth(shares.iter().map(|share| Some(share.paired)).collect())),
        ];
        columns.extend(rest.map(|(name, values)| Column { name: name.to_owned(), values }));
        Ok(batch_of(columns, manifest))
    }
}

/// Unpickles an answer.
#[pyfunction]
pub(crate) fn answer_of(py: Python<'_>, data: Bound<'_, PyBytes>) -> PyResult<Answer> {
    Answer::from_bytes(py, data)
}

/// Adds the answers of all shards, in any order. The sum is identical to a single run of all their battles, bit for
/// bit. With `partial`, shards before and after those given may be missing; such a sum says so when printed.
#[pyfunction]
#[pyo3(signature = (answers, partial=false))]
pub(crate) fn merge(py: Python<'_>, answers: &Bound<'_, PyAny>, partial: bool) -> PyResult<Answer> {
    let mut shards: Vec<Arc<KitAnswer>> = Vec::new();
    for (place, answer) in given::several("answers", answers, "give the answers of shards")?.enumerate() {
        let answer = answer?;
        let Ok(shard) = answer.cast::<Answer>() else {
            let of = answer.get_type().name()?;
            return Err(PyTypeError::new_err(format!("item {place} is {of}, not an Answer")));
        };
        shards.push(Arc::clone(&shard.get().inner));
    }
    if shards.is_empty() {
        return Err(setting(py, "there is nothing to merge; give the answers of shards"));
    }
    let shards = || shards.iter().map(|shard| &**shard);
    let sum = py.detach(|| if partial { KitAnswer::merge_partial(shards()) } else { KitAnswer::merge(shards()) });
    sum.map(Answer::new).map_err(|error| raised(py, error))
}
