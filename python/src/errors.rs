//! Errors as exceptions: the classes of `grognard.errors`.

use grognard_kit::Error;
use pyo3::prelude::*;
use pyo3::types::PyTuple;

use crate::answer::Answer;

const MODULE: &str = "grognard.errors";

/// An error of the library as an exception.
pub(crate) fn raised(py: Python<'_>, error: Error) -> PyErr {
    let text = error.to_string();
    match error {
        Error::Faults(faults) => faulty(py, &text, &faults).unwrap_or_else(|error| error),
        Error::Setting { .. } => exception(py, "SettingError", text),
        Error::Unknown { .. } | Error::NoCell { .. } => exception(py, "UnknownError", text),
        Error::Exact(_) => unsolved(py, text, error.solved()).unwrap_or_else(|error| error),
        Error::Merge(_) => exception(py, "MergeError", text),
        Error::Left => exception(py, "LeftError", text),
        Error::Ledger(_) => exception(py, "LedgerError", text),
        Error::Bytes(_) => exception(py, "BytesError", text),
        _ => exception(py, "Error", text),
    }
}

/// An exception of this class.
pub(crate) fn exception(py: Python<'_>, class: &str, text: impl Into<String>) -> PyErr {
    let made = || py.import(MODULE)?.getattr(class)?.call1((text.into(),));
    made().map_or_else(|error| error, PyErr::from_value)
}

/// The error for an invalid setting.
pub(crate) fn setting(py: Python<'_>, text: impl Into<String>) -> PyErr {
    exception(py, "SettingError", text)
}

/// The error for an unknown name.
pub(crate) fn unknown(py: Python<'_>, text: impl Into<String>) -> PyErr {
    exception(py, "UnknownError", text)
}

/// The error for odds that exceeded a limit, with the odds of the cells that were solved.
fn unsolved(py: Python<'_>, text: String, solved: Option<grognard_kit::Answer>) -> PyResult<PyErr> {
    let class = py.import(MODULE)?.getattr("ExactError")?;
    Ok(PyErr::from_value(class.call1((text, solved.map(Answer::new)))?))
}

fn faulty(py: Python<'_>, text: &str, faults: &grognard_kit::Faults) -> PyResult<PyErr> {
    let module = py.import(MODULE)?;
    let class = module.getattr("Fault")?;
    let fault = |fault: &grognard_kit::Fault| {
        let notes = PyTuple::new(py, &fault.notes)?;
        class.call1((&fault.message, &fault.help, &fault.file, fault.line, fault.column, &fault.path, notes))
    };
    let faults = faults.iter().map(fault).collect::<PyResult<Vec<_>>>()?;
    Ok(PyErr::from_value(module.getattr("FaultError")?.call1((text, PyTuple::new(py, faults)?))?))
}
