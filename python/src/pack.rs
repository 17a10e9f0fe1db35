//! Packs.

use grognard_kit::Pack as KitPack;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyTuple};

use crate::errors::raised;
use crate::given::{self, named};

/// Rules as data: a pack, read and compiled.
#[pyclass(frozen, module = "grognard", from_py_object)]
#[derive(Clone)]
pub(crate) struct Pack {
    pub(crate) inner: KitPack,
    origin: Origin,
}

/// The source from which the pack can be reproduced.
#[derive(Clone)]
enum Origin {
    Name(String),
    Files(Vec<(String, String)>),
}

impl Pack {
    fn of(py: Python<'_>, origin: Origin) -> PyResult<Self> {
        let pack = py.detach(|| match &origin {
            Origin::Name(name) => KitPack::load(name),
            Origin::Files(files) => KitPack::from_files(files.iter().map(|(name, text)| (name, text))),
        });
        Ok(Self { inner: pack.map_err(|error| raised(py, error))?, origin })
    }
}

#[pymethods]
impl Pack {
    /// Reads a pack: a built-in one by its name (`packs()` lists them), or any other by the path of its folder.
    #[staticmethod]
    fn load(py: Python<'_>, #[pyo3(from_py_with = named::name)] name: std::path::PathBuf) -> PyResult<Self> {
        Self::of(py, Origin::Name(name.to_string_lossy().into_owned()))
    }

    /// A pack from texts in memory, by file name; one of them is `pack.toml`.
    #[staticmethod]
    fn from_files(py: Python<'_>, #[pyo3(from_py_with = named::files)] files: Bound<'_, PyDict>) -> PyResult<Self> {
        Self::of(py, Origin::Files(given::files(&files)?))
    }

    /// Its name, as studies use it.
    #[getter]
    fn name(&self) -> &str {
        self.inner.name()
    }

    /// Its title.
    #[getter]
    fn title(&self) -> &str {
        self.inner.title()
    }

    /// Its version.
    #[getter]
    fn version(&self) -> &str {
        self.inner.version()
    }

    /// The text of each of its files, and of those of the packs that it extends, by name.
    #[getter]
    fn files<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let files = PyDict::new(py);
        self.inner.files().try_for_each(|(name, text)| files.set_item(name, text))?;
        Ok(files)
    }

    /// Every number of the pack, by the path at which it can be set and varied.
    #[getter]
    fn numbers<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let numbers = PyDict::new(py);
        self.inner.numbers().into_iter().try_for_each(|(path, number)| numbers.set_item(path, number))?;
        Ok(numbers)
    }

    fn __repr__(&self) -> String {
        format!("<grognard.Pack: {} {}>", self.inner.name(), self.inner.version())
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyAny>, Bound<'py, PyTuple>)> {
        let again = py.import("grognard._native")?.getattr("pack_of")?;
        let (name, files) = match &self.origin {
            Origin::Name(name) => (Some(name), None),
            Origin::Files(files) => (None, Some(files.clone())),
        };
        Ok((again, (name, files).into_pyobject(py)?))
    }
}

/// Unpickles a pack.
#[pyfunction]
#[pyo3(signature = (name, files))]
pub(crate) fn pack_of(py: Python<'_>, name: Option<String>, files: Option<Vec<(String, String)>>) -> PyResult<Pack> {
    Pack::of(py, name.map_or_else(|| Origin::Files(files.unwrap_or_default()), Origin::Name))
}

/// The names of the built-in packs.
#[pyfunction]
pub(crate) fn packs() -> Vec<&'static str> {
    KitPack::built_in()
}
