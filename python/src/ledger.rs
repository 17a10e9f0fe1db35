//! Ledgers, with which several processes answer one question together.

use std::sync::{PoisonError, RwLock, TryLockError};

use grognard_kit::Ledger as KitLedger;
use pyo3::prelude::*;
use pyo3::types::PyTuple;

use crate::errors::{exception, raised};
use crate::given::named;

/// A record of the results of battles that a question needs: `Study.tune`, `Study.ablate` and `Study.train` look up
/// results there before fighting, and record new ones.
///
/// With it, several processes can answer one question together. One of them asks with `ledger.part([])`, which leaves
/// all battles to the others. Unless everything is known, this raises a `LeftError`, and `wanted` lists the series of
/// battles needed next. Each of the others asks with a part of these series. Their `news` are added to the ledger, and
/// the first process asks again. `grognard.dask` does all this on a cluster.
#[pyclass(frozen, module = "grognard")]
pub(crate) struct Ledger {
    inner: RwLock<KitLedger>,
}

impl Ledger {
    fn of(inner: KitLedger) -> Self {
        Self { inner: RwLock::new(inner) }
    }

    /// Runs a function on it while nothing can be added.
    pub(crate) fn with<T>(&self, work: impl FnOnce(&KitLedger) -> T) -> T {
        work(&self.inner.read().unwrap_or_else(PoisonError::into_inner))
    }
}

#[pymethods]
impl Ledger {
    /// An empty ledger.
    #[new]
    fn new() -> Self {
        Self::of(KitLedger::new())
    }

    /// The same ledger for a process that fights only these of the missing series.
    fn part(&self, #[pyo3(from_py_with = named::series)] series: Vec<String>) -> Self {
        Self::of(self.with(|ledger| ledger.part(series)))
    }

    /// The series of battles that a question needed and left to other processes.
    #[getter]
    fn wanted(&self) -> Vec<String> {
        self.with(KitLedger::wanted)
    }

    /// The results of the battles fought with it, for `add`.
    #[getter]
    fn news(&self, py: Python<'_>) -> String {
        py.detach(|| self.with(KitLedger::news))
    }

    /// Adds what another process has reported.
    fn add(&self, py: Python<'_>, #[pyo3(from_py_with = named::news)] news: String) -> PyResult<()> {
        let mut ledger = match self.inner.try_write() {
            Ok(ledger) => ledger,
            Err(TryLockError::Poisoned(poisoned)) => poisoned.into_inner(),
            Err(TryLockError::WouldBlock) => {
                let text =
                    "the ledger is in use: add news when the question has ended, or give each question its own part";
                return Err(exception(py, "LedgerError", text));
            }
        };
        ledger.add(&news).map_err(|error| raised(py, error.into()))
    }

    fn __len__(&self) -> usize {
        self.with(KitLedger::len)
    }

    fn __repr__(&self) -> String {
        format!("<grognard.Ledger: {} results>", self.__len__())
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyAny>, Bound<'py, PyTuple>)> {
        let again = py.import("grognard._native")?.getattr("ledger_of")?;
        let (text, series) = py.detach(|| self.with(|ledger| (ledger.text(), ledger.series())));
        Ok((again, (text, series).into_pyobject(py)?))
    }
}

/// Unpickles a ledger.
#[pyfunction]
#[pyo3(signature = (text, series))]
pub(crate) fn ledger_of(py: Python<'_>, text: String, series: Option<Vec<String>>) -> PyResult<Ledger> {
    let ledger = Ledger::new();
    ledger.add(py, text)?;
    Ok(match series {
        Some(series) => ledger.part(series),
        None => ledger,
    })
}
