//! Studies, and the tasks that they offer.

use std::path::PathBuf;

use grognard_kit::engine::timeline::Recorder;
use grognard_kit::lab::questions::{Training, Tuning};
use grognard_kit::lab::results::{Method, cells_table};
use grognard_kit::{Battle, Error, Side, Study as KitStudy, StudyCell, Value};
use grognard_report::drawn::{Caption, page};
use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList, PyTuple};
use serde_json::json;

use crate::answer::Answer;
use crate::arrow::batch_of;
use crate::errors::raised;
use crate::given::{self, named};
use crate::ledger::Ledger;
use crate::pack::Pack;
use crate::question::{Settings, asked, computed};
use crate::table::{Table, broken};
use crate::work::work;

/// A study: the battles to fight, with values that are set and varied. It is immutable: changes return a new study.
#[pyclass(frozen, module = "grognard")]
#[derive(Clone)]
pub(crate) struct Study {
    inner: KitStudy,
    origin: Origin,
    changes: Vec<Change>,
}

/// The source from which the original study, without changes, can be reproduced.
#[derive(Clone)]
enum Origin {
    Name(String),
    Text { text: String, folder: Option<PathBuf> },
}

#[derive(Clone)]
enum Change {
    Set(String, Value),
    Vary(String, Vec<Value>),
    Pack(Pack),
}

impl Study {
    fn of(py: Python<'_>, origin: Origin) -> PyResult<Self> {
        let study = py.detach(|| match origin.clone() {
            Origin::Name(name) => KitStudy::load(name),
            Origin::Text { text, folder: None } => KitStudy::from_text(text),
            Origin::Text { text, folder: Some(folder) } => KitStudy::from_text_in(text, folder),
        });
        let inner = study.map_err(|error| raised(py, error))?;
        let origin = match origin {
            // The file may not exist where the study is unpickled. Built-in studies have no folder.
            Origin::Name(_) if inner.folder().is_some() => {
                Origin::Text { text: inner.text().to_owned(), folder: inner.folder().map(PathBuf::from) }
            }
            origin => origin,
        };
        Ok(Self { inner, origin, changes: Vec::new() })
    }

    fn changed(&self, py: Python<'_>, change: Change) -> PyResult<Self> {
        let study = self.inner.clone();
        let changed = py.detach(|| match change.clone() {
            Change::Set(path, value) => study.set(path, value),
            Change::Vary(path, values) => study.vary(path, values),
            Change::Pack(pack) => Ok(study.with_pack(pack.inner)),
        });
        let inner = changed.map_err(|error| raised(py, error))?;
        let changes = self.changes.iter().cloned().chain([change]).collect();
        Ok(Self { inner, origin: self.origin.clone(), changes })
    }

    fn ask<T: Send>(&self, py: Python<'_>, ask: impl FnOnce(&KitStudy) -> Result<T, Error> + Send) -> PyResult<T> {
        py.detach(|| ask(&self.inner)).map_err(|error| raised(py, error))
    }
}

/// A cell with the seed requested.
fn seeded(study: &KitStudy, cell: usize, seed: Option<u64>) -> Result<StudyCell, Error> {
    let cell = study.cell(cell)?;
    Ok(match seed {
        Some(seed) => cell.seed(seed),
        None => cell,
    })
}

#[pymethods]
impl Study {
    /// Reads a study: a built-in one by its name (`studies()` lists them), or any other by the path of its file or
    /// folder.
    #[staticmethod]
    fn load(py: Python<'_>, #[pyo3(from_py_with = named::name)] name: PathBuf) -> PyResult<Self> {
        Self::of(py, Origin::Name(name.to_string_lossy().into_owned()))
    }

    /// A study from its text. The path of its pack is relative to `folder`, by default the current directory.
    #[staticmethod]
    #[pyo3(signature = (text, folder=None))]
    fn from_text(
        py: Python<'_>,
        #[pyo3(from_py_with = named::text)] text: String,
        #[pyo3(from_py_with = named::folder)] folder: Option<PathBuf>,
    ) -> PyResult<Self> {
        Self::of(py, Origin::Text { text, folder })
    }

    /// The study with this pack instead of its own.
    fn with_pack(&self, py: Python<'_>, #[pyo3(from_py_with = named::pack)] pack: Pack) -> PyResult<Self> {
        self.changed(py, Change::Pack(pack))
    }

    /// The study with a value set at a path of the study or its pack, like `grognard run --set PATH=VALUE`.
    fn set(
        &self,
        py: Python<'_>,
        #[pyo3(from_py_with = named::path)] path: String,
        value: &Bound<'_, PyAny>,
    ) -> PyResult<Self> {
        let value = given::value(&path, value)?;
        self.changed(py, Change::Set(path, value))
    }

    /// The study with a path that varies over these values. Every combination with the values of other paths is a cell.
    fn vary(
        &self,
        py: Python<'_>,
        #[pyo3(from_py_with = named::path)] path: String,
        values: &Bound<'_, PyAny>,
    ) -> PyResult<Self> {
        let values = given::values(&path, values)?;
        self.changed(py, Change::Vary(path, values))
    }

    /// Checks everything: compiles the pack and deploys every cell. Every use of the study does this first.
    fn check(&self, py: Python<'_>) -> PyResult<()> {
        self.ask(py, KitStudy::check)
    }

    /// Its name.
    #[getter]
    fn name(&self) -> &str {
        self.inner.name()
    }

    /// Its original text, without changes.
    #[getter]
    fn text(&self) -> &str {
        self.inner.text()
    }

    /// The names of its sides; the first one moves first.
    #[getter]
    fn sides<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        PyTuple::new(py, self.ask(py, KitStudy::sides)?)
    }

    /// Its cells as a table: the columns of `cells.parquet`.
    #[getter]
    fn cells(&self, py: Python<'_>) -> PyResult<Table> {
        let manifest = self.ask(py, |study| Ok(study.compiled()?.manifest(Method::Sampled)))?;
        let cells = cells_table(&manifest).into_columns();
        batch_of(cells, &manifest).map(Table::of_batch).map_err(broken)
    }

    /// Fights its battles. The numbers are those of `grognard run`, bit for bit. Ctrl-C stops it; other Python threads
    /// keep running.
    ///
    /// `runs` and `seed` default to the study's own. `shard=(i, n)` fights only shard `i`, from 0 to n - 1, for
    /// `merge`. `keep` selects the battles to keep individually: "all", "none" or the number to keep in each cell; the
    /// default is the first 10,000. A kept battle takes 38 bytes of memory, and 48 more with `luck`. `precision` ends
    /// the run when every share is known to plus or minus this. `level` is the confidence level of all intervals, and
    /// `intervals` their kind: "exact", "wilson" or "watched"; with `together`, they are simultaneous. `luck` measures
    /// how lucky each side's dice are. `threads` is the number of threads, by default one for each core. `max_time`
    /// stops the run after this many seconds. `progress` is True for a bar or a line, False for none, or a function
    /// that is called with a `Progress` from time to time; by default, notebooks show a bar.
    #[pyo3(signature = (runs=None, *, seed=None, shard=None, keep=None, precision=None, level=None, intervals=None, together=false,
        luck=false, threads=None, max_time=None, progress=None))]
    #[allow(clippy::too_many_arguments, reason = "Python callers pass them by keyword")]
    fn run(
        &self,
        py: Python<'_>,
        runs: Option<&Bound<'_, PyAny>>,
        seed: Option<&Bound<'_, PyAny>>,
        shard: Option<&Bound<'_, PyAny>>,
        keep: Option<&Bound<'_, PyAny>>,
        #[pyo3(from_py_with = named::precision)] precision: Option<f64>,
        #[pyo3(from_py_with = named::level)] level: Option<f64>,
        #[pyo3(from_py_with = named::intervals)] intervals: Option<String>,
        #[pyo3(from_py_with = named::together)] together: bool,
        #[pyo3(from_py_with = named::luck)] luck: bool,
        threads: Option<&Bound<'_, PyAny>>,
        max_time: Option<&Bound<'_, PyAny>>,
        progress: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Answer> {
        let (runs, seed) = (given::whole("runs", runs)?, given::whole("seed", seed)?);
        let (shard, keep, threads) = (given::shard(shard)?, given::keep(keep)?, given::small("threads", threads)?);
        let (level, intervals, max_time) =
            (given::level(py, level)?, given::intervals(py, intervals.as_deref())?, given::time(max_time)?);
        let answer = work(py, progress, |stop, latest| {
            let mut ask = self.inner.fight().stop(stop).progress(latest.tell());
            ask = ask.keep(keep).level(level).intervals(intervals).threads(threads.unwrap_or(0));
            if let Some(runs) = runs {
                ask = ask.runs(runs);
            }
            if let Some(seed) = seed {
                ask = ask.seed(seed);
            }
            if let Some((number, of)) = shard {
                ask = ask.shard(number + 1, of);
            }
            if let Some(precision) = precision {
                ask = ask.precision(precision);
            }
            if let Some(time) = max_time {
                ask = ask.max_time(time);
            }
            if together {
                ask = ask.together();
            }
            if luck {
                ask = ask.luck();
            }
            ask.run()
        })?;
        Ok(Answer::new(answer))
    }

    /// Computes its exact odds instead of sampling: the numbers of `grognard exact`, for studies that are small enough.
    ///
    /// `cells` selects some of the cells: one number, or several. `max_time` (in seconds), `max_memory` (in bytes) and
    /// `max_states` are limits; exceeding one of them raises an `ExactError`, which has the cells that were solved.
    /// `prune` leaves out the least likely battles, up to this total probability. `threads` and `progress` are as for
    /// `run`.
    #[pyo3(signature = (cells=None, *, max_time=None, max_memory=None, max_states=None, prune=None, threads=None, progress=None))]
    #[allow(clippy::too_many_arguments, reason = "Python callers pass them by keyword")]
    fn exact(
        &self,
        py: Python<'_>,
        cells: Option<&Bound<'_, PyAny>>,
        max_time: Option<&Bound<'_, PyAny>>,
        max_memory: Option<&Bound<'_, PyAny>>,
        max_states: Option<&Bound<'_, PyAny>>,
        #[pyo3(from_py_with = named::prune)] prune: Option<f64>,
        threads: Option<&Bound<'_, PyAny>>,
        progress: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Answer> {
        let (cells, max_time, threads) =
            (given::cells(cells)?, given::time(max_time)?, given::small("threads", threads)?);
        let max_memory = given::whole("max_memory", max_memory)?;
        let max_states = given::whole("max_states", max_states)?;
        let answer = work(py, progress, |stop, latest| {
            let mut ask = self.inner.exact().stop(stop).progress(latest.tell()).cells(cells);
            ask = ask.threads(threads.unwrap_or(0));
            if let Some(time) = max_time {
                ask = ask.max_time(time);
            }
            if let Some(bytes) = max_memory {
                ask = ask.max_memory(bytes);
            }
            if let Some(states) = max_states {
                ask = ask.max_states(states);
            }
            if let Some(share) = prune {
                ask = ask.prune(share);
            }
            ask.run()
        })?;
        Ok(Answer::new(answer))
    }

    /// The value of a number at which a metric reaches a target. Returns the output of `grognard find --json` as dicts.
    ///
    /// `number` is the path of a number of the study or its pack. `where` is the target: "even", or a metric and its
    /// value such as "attacker wins = 60 %". `cells` selects some of the cells: one number, or several. `exact`
    /// computes the odds of every value instead of fighting. `runs` is the maximum number of battles in a cell at one
    /// value; `precision` is the half-width of an interval at which the search ends. `seed`, `level`, `threads`,
    /// `max_time` and `progress` are as for `run`.
    #[pyo3(signature = (number, r#where="even", *, cells=None, exact=false, precision=None, runs=None, seed=None, level=None,
        threads=None, max_time=None, progress=None))]
    #[allow(clippy::too_many_arguments, reason = "Python callers pass them by keyword")]
    fn find<'py>(
        &self,
        py: Python<'py>,
        #[pyo3(from_py_with = named::number)] number: String,
        #[pyo3(from_py_with = named::target)] r#where: &str,
        cells: Option<&Bound<'py, PyAny>>,
        #[pyo3(from_py_with = named::exact)] exact: bool,
        #[pyo3(from_py_with = named::precision)] precision: Option<f64>,
        runs: Option<&Bound<'py, PyAny>>,
        seed: Option<&Bound<'py, PyAny>>,
        #[pyo3(from_py_with = named::level)] level: Option<f64>,
        threads: Option<&Bound<'py, PyAny>>,
        max_time: Option<&Bound<'py, PyAny>>,
        progress: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let settings = Settings::new(py, [runs, seed, threads, max_time], level)?;
        let (cells, exact) = (given::cells(cells)?, computed(py, exact, runs, precision)?);
        asked(py, progress, None, |beside| {
            let mut ask = settings.tell(self.inner.find(number, r#where).cells(cells), beside);
            if let Some(bytes) = exact {
                ask = ask.exact(bytes);
            }
            if let Some(precision) = precision {
                ask = ask.precision(precision);
            }
            ask.json()
        })
    }

    /// Whether the rules meet the targets of the study. Returns the output of `grognard judge --json` as dicts.
    ///
    /// `exact` computes the odds instead of fighting. `runs` is the maximum number of battles in a cell. `seed`,
    /// `level`, `threads`, `max_time` and `progress` are as for `run`.
    #[pyo3(signature = (*, exact=false, runs=None, seed=None, level=None, threads=None, max_time=None, progress=None))]
    #[allow(clippy::too_many_arguments, reason = "Python callers pass them by keyword")]
    fn judge<'py>(
        &self,
        py: Python<'py>,
        #[pyo3(from_py_with = named::exact)] exact: bool,
        runs: Option<&Bound<'py, PyAny>>,
        seed: Option<&Bound<'py, PyAny>>,
        #[pyo3(from_py_with = named::level)] level: Option<f64>,
        threads: Option<&Bound<'py, PyAny>>,
        max_time: Option<&Bound<'py, PyAny>>,
        progress: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let settings = Settings::new(py, [runs, seed, threads, max_time], level)?;
        let exact = computed(py, exact, runs, None)?;
        asked(py, progress, None, |beside| {
            let ask = settings.tell(self.inner.judge(), beside);
            match exact {
                Some(bytes) => ask.exact(bytes).json(),
                None => ask.json(),
            }
        })
    }

    /// A table of who beats whom, and the best choices of both sides. Returns the output of `grognard matchups --json`
    /// as dicts.
    ///
    /// `rows` and `columns` are the varied paths that each side chooses, by default those of the first and of the
    /// second side. `cells` selects some of the cells: one number, or several. `exact` computes the odds of every cell
    /// instead of fighting. `runs` is the maximum number of battles in a cell; `precision` is the half-width of an
    /// interval at which a cell is settled. `seed`, `level`, `threads`, `max_time` and `progress` are as for `run`.
    #[pyo3(signature = (*, rows=None, columns=None, cells=None, exact=false, precision=None, runs=None, seed=None, level=None,
        threads=None, max_time=None, progress=None))]
    #[allow(clippy::too_many_arguments, reason = "Python callers pass them by keyword")]
    fn matchups<'py>(
        &self,
        py: Python<'py>,
        #[pyo3(from_py_with = named::rows)] rows: Option<Vec<String>>,
        #[pyo3(from_py_with = named::columns)] columns: Option<Vec<String>>,
        cells: Option<&Bound<'py, PyAny>>,
        #[pyo3(from_py_with = named::exact)] exact: bool,
        #[pyo3(from_py_with = named::precision)] precision: Option<f64>,
        runs: Option<&Bound<'py, PyAny>>,
        seed: Option<&Bound<'py, PyAny>>,
        #[pyo3(from_py_with = named::level)] level: Option<f64>,
        threads: Option<&Bound<'py, PyAny>>,
        max_time: Option<&Bound<'py, PyAny>>,
        progress: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let settings = Settings::new(py, [runs, seed, threads, max_time], level)?;
        let (cells, exact) = (given::cells(cells)?, computed(py, exact, runs, precision)?);
        asked(py, progress, None, |beside| {
            let ask = self.inner.matchups().between(rows.unwrap_or_default(), columns.unwrap_or_default());
            let mut ask = settings.tell(ask.cells(cells), beside);
            if let Some(bytes) = exact {
                ask = ask.exact(bytes);
            }
            if let Some(precision) = precision {
                ask = ask.precision(precision);
            }
            ask.json()
        })
    }

    /// Prices for unit types. Returns the output of `grognard points --json` as dicts.
    ///
    /// Prices are fitted to `armies` pairs of random armies, drawn from those of the study. `cells` selects some of the
    /// cells: one number, or several. `runs` battles are fought for each pair. `seed`, `level`, `threads`, `max_time`
    /// and `progress` are as for `run`.
    #[pyo3(signature = (armies, *, cells=None, runs=None, seed=None, level=None, threads=None, max_time=None, progress=None))]
    #[allow(clippy::too_many_arguments, reason = "Python callers pass them by keyword")]
    fn points<'py>(
        &self,
        py: Python<'py>,
        armies: &Bound<'py, PyAny>,
        cells: Option<&Bound<'py, PyAny>>,
        runs: Option<&Bound<'py, PyAny>>,
        seed: Option<&Bound<'py, PyAny>>,
        #[pyo3(from_py_with = named::level)] level: Option<f64>,
        threads: Option<&Bound<'py, PyAny>>,
        max_time: Option<&Bound<'py, PyAny>>,
        progress: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let settings = Settings::new(py, [runs, seed, threads, max_time], level)?;
        let armies = given::small("armies", Some(armies))?.unwrap_or_default();
        let cells = given::cells(cells)?;
        asked(py, progress, None, |beside| settings.tell(self.inner.points(armies).cells(cells), beside).json())
    }

    /// The smallest change to these numbers that meets all targets of the study. Returns the output of `grognard tune
    /// --json` as dicts.
    ///
    /// `numbers` are paths of numbers of the pack. Up to `changes` of those in use change together, by up to `pips`
    /// steps each. At most `candidates` candidates are tried. `runs` is the maximum number of battles in a cell for one
    /// candidate. `seed`, `level`, `threads`, `max_time` and `progress` are as for `run`. With a `ledger`, several
    /// processes can find the answer together.
    #[pyo3(signature = (numbers, *, changes=None, pips=None, candidates=None, runs=None, seed=None, level=None, threads=None,
        max_time=None, progress=None, ledger=None))]
    #[allow(clippy::too_many_arguments, reason = "Python callers pass them by keyword")]
    fn tune<'py>(
        &self,
        py: Python<'py>,
        #[pyo3(from_py_with = named::numbers)] numbers: Vec<String>,
        changes: Option<&Bound<'py, PyAny>>,
        pips: Option<&Bound<'py, PyAny>>,
        candidates: Option<&Bound<'py, PyAny>>,
        runs: Option<&Bound<'py, PyAny>>,
        seed: Option<&Bound<'py, PyAny>>,
        #[pyo3(from_py_with = named::level)] level: Option<f64>,
        threads: Option<&Bound<'py, PyAny>>,
        max_time: Option<&Bound<'py, PyAny>>,
        progress: Option<&Bound<'py, PyAny>>,
        #[pyo3(from_py_with = named::ledger)] ledger: Option<Bound<'py, Ledger>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let settings = Settings::new(py, [runs, seed, threads, max_time], level)?;
        let changes = given::small("changes", changes)?.unwrap_or(Tuning::CHANGES);
        let pips = given::small("pips", pips)?.unwrap_or(Tuning::PIPS);
        let candidates = given::small("candidates", candidates)?.unwrap_or(Tuning::CANDIDATES);
        asked(py, progress, ledger.as_ref(), |beside| {
            settings.share(self.inner.tune(numbers).within(changes, pips).candidates(candidates), beside).json()
        })
    }

    /// The worth of each rule, in points of a metric such as `attacker score`. Returns the output of `grognard ablate
    /// --json` as dicts.
    ///
    /// `cells` selects some of the cells: one number, or several. Without `pairs`, only single rules are tried. `runs`
    /// battles of each cell are fought with each rule off. `seed`, `level`, `threads`, `max_time` and `progress` are as
    /// for `run`. With a `ledger`, several processes can find the answer together.
    #[pyo3(signature = (metric, *, cells=None, pairs=true, runs=None, seed=None, level=None, threads=None, max_time=None, progress=None,
        ledger=None))]
    #[allow(clippy::too_many_arguments, reason = "Python callers pass them by keyword")]
    fn ablate<'py>(
        &self,
        py: Python<'py>,
        #[pyo3(from_py_with = named::metric)] metric: String,
        cells: Option<&Bound<'py, PyAny>>,
        #[pyo3(from_py_with = named::pairs)] pairs: bool,
        runs: Option<&Bound<'py, PyAny>>,
        seed: Option<&Bound<'py, PyAny>>,
        #[pyo3(from_py_with = named::level)] level: Option<f64>,
        threads: Option<&Bound<'py, PyAny>>,
        max_time: Option<&Bound<'py, PyAny>>,
        progress: Option<&Bound<'py, PyAny>>,
        #[pyo3(from_py_with = named::ledger)] ledger: Option<Bound<'py, Ledger>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let settings = Settings::new(py, [runs, seed, threads, max_time], level)?;
        let cells = given::cells(cells)?;
        asked(py, progress, ledger.as_ref(), |beside| {
            let ask = self.inner.ablate(metric).cells(cells);
            settings.share(if pairs { ask } else { ask.alone() }, beside).json()
        })
    }

    /// A better doctrine for a side, and its worth. Returns the output of `grognard train --json` as dicts.
    ///
    /// `metric` is the training goal, by default the side's score; `cells` selects some of the cells: one number, or
    /// several; `steps` is the maximum number of changes. `runs` battles in each cell score the result. `seed`,
    /// `level`, `threads`, `max_time` and `progress` are as for `run`. With a `ledger`, several processes can find the
    /// answer together.
    #[pyo3(signature = (side, *, metric=None, cells=None, steps=None, runs=None, seed=None, level=None, threads=None, max_time=None,
        progress=None, ledger=None))]
    #[allow(clippy::too_many_arguments, reason = "Python callers pass them by keyword")]
    fn train<'py>(
        &self,
        py: Python<'py>,
        #[pyo3(from_py_with = named::side)] side: String,
        #[pyo3(from_py_with = named::goal)] metric: Option<String>,
        cells: Option<&Bound<'py, PyAny>>,
        steps: Option<&Bound<'py, PyAny>>,
        runs: Option<&Bound<'py, PyAny>>,
        seed: Option<&Bound<'py, PyAny>>,
        #[pyo3(from_py_with = named::level)] level: Option<f64>,
        threads: Option<&Bound<'py, PyAny>>,
        max_time: Option<&Bound<'py, PyAny>>,
        progress: Option<&Bound<'py, PyAny>>,
        #[pyo3(from_py_with = named::ledger)] ledger: Option<Bound<'py, Ledger>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let settings = Settings::new(py, [runs, seed, threads, max_time], level)?;
        let (cells, steps) = (given::cells(cells)?, given::small("steps", steps)?.unwrap_or(Training::STEPS));
        let side = self.ask(py, |study| study.side(&side))?;
        asked(py, progress, ledger.as_ref(), |beside| {
            let ask = self.inner.train(side).cells(cells).steps(steps);
            let ask = match metric {
                Some(metric) => ask.metric(metric),
                None => ask,
            };
            settings.share(ask, beside).json()
        })
    }

    /// One battle, blow by blow: a `Replay`, like `grognard replay --cell CELL --battle BATTLE`.
    #[pyo3(signature = (cell=None, battle=None, *, seed=None))]
    fn replay<'py>(
        &self,
        py: Python<'py>,
        cell: Option<&Bound<'py, PyAny>>,
        battle: Option<&Bound<'py, PyAny>>,
        seed: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let cell = given::small("cell", cell)?.unwrap_or(0);
        let (battle, seed) = (given::whole("battle", battle)?.unwrap_or(0), given::whole("seed", seed)?);
        let told = self.ask(py, |study| {
            let of = seeded(study, cell, seed)?;
            let mut recorder = Recorder::new();
            let fought = of.battle(battle).witness(&mut recorder).run()?;
            let label = of.label();
            let outcome = outcome(&fought, &study.sides()?);
            Ok(json!({ "label": label, "outcome": outcome, "timeline": recorder.timeline() }).to_string())
        })?;
        py.import("grognard.replay")?.getattr("Replay")?.call1((self.clone(), cell, battle, seed, told))
    }

    /// One battle as an HTML page that replays it, for `Replay.show`.
    #[pyo3(signature = (cell, battle, seed))]
    fn _page(&self, py: Python<'_>, cell: usize, battle: u64, seed: Option<u64>) -> PyResult<Option<String>> {
        let drawn = self.ask(py, |study| {
            let of = seeded(study, cell, seed)?;
            let seed = seed.map_or_else(|| study.compiled().map(|study| study.seed), Ok)?;
            let Some(timeline) = of.battle(battle).timeline()? else { return Ok(None) };
            let caption = Caption {
                title: format!("{}, cell {cell}: {}", study.name(), of.label()),
                source: format!("battle {battle}, seed {seed}, {} {}", timeline.pack, timeline.version),
            };
            Ok(Some(page(&timeline, &caption, None)))
        })?;
        drawn.transpose().map_err(|error| PyRuntimeError::new_err(error.to_string()))
    }

    fn __repr__(&self) -> String {
        format!("<grognard.Study: {}>", self.inner.name())
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyAny>, Bound<'py, PyTuple>)> {
        let again = py.import("grognard._native")?.getattr("study_of")?;
        let changes = PyList::empty(py);
        for change in &self.changes {
            match change {
                Change::Set(path, value) => changes.append(("set", path, given::to_python(py, value)?))?,
                Change::Vary(path, values) => {
                    let values =
                        values.iter().map(|value| given::to_python(py, value)).collect::<PyResult<Vec<_>>>()?;
                    changes.append(("vary", path, values))?;
                }
                Change::Pack(pack) => changes.append(("pack", "", pack.clone()))?,
            }
        }
        let (name, text, folder) = match &self.origin {
            Origin::Name(name) => (Some(name), None, None),
            Origin::Text { text, folder } => (None, Some(text), folder.as_ref()),
        };
        Ok((again, (name, text, folder, changes).into_pyobject(py)?))
    }
}

/// The outcome of a battle.
fn outcome(battle: &Battle, sides: &[String]) -> serde_json::Value {
    let of = battle.outcome();
    let side = |side: Side| {
        let fought = &of.sides[side];
        json!({
            "won": battle.winner() == Some(side),
            "losses": fought.losses,
            "routed_units": fought.routed_units,
            "shaken_units": fought.shaken_units,
            "rout_turn": battle.rout_turn(side),
        })
    };
    let winner = battle.winner().map_or("draw", |side| sides[side.index()].as_str());
    json!({ "winner": winner, "turns": of.turns, "sides": Side::first(sides.len()).iter().map(|&of| side(of)).collect::<Vec<_>>() })
}

/// Unpickles a study.
#[pyfunction]
#[pyo3(signature = (name, text, folder, changes))]
pub(crate) fn study_of(
    py: Python<'_>,
    name: Option<String>,
    text: Option<String>,
    folder: Option<PathBuf>,
    changes: Vec<(String, String, Bound<'_, PyAny>)>,
) -> PyResult<Study> {
    let origin = name.map_or_else(|| Origin::Text { text: text.unwrap_or_default(), folder }, Origin::Name);
    changes.into_iter().try_fold(Study::of(py, origin)?, |study, (what, path, value)| match what.as_str() {
        "set" => study.set(py, path, &value),
        "vary" => study.vary(py, path, &value),
        _ => study.with_pack(py, value.extract()?),
    })
}

/// The titles of the built-in studies, by name.
#[pyfunction]
pub(crate) fn studies(py: Python<'_>) -> PyResult<Bound<'_, PyDict>> {
    let studies = PyDict::new(py);
    KitStudy::built_in().into_iter().try_for_each(|(name, title)| studies.set_item(name, title))?;
    Ok(studies)
}
