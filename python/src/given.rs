//! Conversion of Python arguments to the library's types.

use std::time::Duration;

use grognard_kit::{Intervals, Keep, Level, Value};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyBytes, PyDict, PyFloat, PyInt, PyIterator, PyList, PyString, PyTuple};

use crate::errors::setting;
use crate::ledger::Ledger;
use crate::pack::Pack;

type Any<'a, 'py> = &'a Bound<'py, PyAny>;

fn type_name(given: Any<'_, '_>) -> String {
    given.get_type().name().map_or_else(|_| "?".to_owned(), |name| name.to_string())
}

/// Extracts an argument with PyO3. PyO3's own error would say what is wrong, but not with which argument.
fn taken<'a, 'py, T: FromPyObject<'a, 'py>>(name: &str, given: Any<'a, 'py>, help: &str) -> PyResult<T> {
    given.extract().map_err(|error: T::Error| {
        let error: PyErr = error.into();
        let is_type = error.is_instance_of::<PyTypeError>(given.py());
        if is_type { PyTypeError::new_err(format!("`{name}` is {}; {help}", type_name(given))) } else { error }
    })
}

/// Defines extraction functions, each with the name of its argument, or with another name given before it.
macro_rules! named {
    ($($function:ident $(= $name:literal)?: $of:ty, $help:literal;)*) => {
        $(
            pub(crate) fn $function<'py>(given: &Bound<'py, PyAny>) -> PyResult<$of> {
                taken([$($name,)? stringify!($function)][0], given, $help)
            }
        )*
    };
}

/// Arguments of types that PyO3 can extract.
pub(crate) mod named {
    use std::path::PathBuf;

    use super::{Bound, Ledger, Pack, PyAny, PyBytes, PyDict, PyResult, taken};

    pub(crate) fn target<'a>(given: &'a Bound<'_, PyAny>) -> PyResult<&'a str> {
        taken("where", given, "give \"even\", or a metric and its value such as \"attacker wins = 60 %\"")
    }

    named! {
        path: String, "give the path of a value, such as 'distance'";
        text: String, "give the text of a study";
        name: PathBuf, "give a name or a path";
        folder: Option<PathBuf>, "give the path of a folder";
        pack: Pack, "give a Pack, such as Pack.load(\"risk\")";
        number: String, "give the path of a number";
        side: String, "give the name of a side";
        metric: String, "give the name of a metric";
        goal = "metric": Option<String>, "give the name of a metric";
        estimate = "name": String, "give the name of a metric or of a side";
        intervals: Option<String>, "give \"exact\", \"wilson\" or \"watched\"";
        numbers: Vec<String>, "give a list of strings: paths of numbers";
        rows: Option<Vec<String>>, "give a list of strings: varied paths";
        columns: Option<Vec<String>>, "give a list of strings: varied paths";
        series: Vec<String>, "give a list of strings from `wanted`";
        news: String, "give the `news` of another Ledger";
        precision: Option<f64>, "give a number";
        level: Option<f64>, "give a share between 0 and 1";
        prune: Option<f64>, "give a probability";
        together: bool, "give True or False";
        luck: bool, "give True or False";
        exact: bool, "give True or False";
        pairs: bool, "give True or False";
        ledger: Option<Bound<'py, Ledger>>, "give a Ledger";
        cells: Bound<'py, PyDict>, "give a dict of varied paths and values";
        others: Bound<'py, PyDict>, "give a dict of varied paths and values";
        files: Bound<'py, PyDict>, "give a dict of file names and their contents";
        data: Bound<'py, PyBytes>, "give the bytes that `to_bytes` wrote";
    }
}

/// The items of an iterable.
pub(crate) fn several<'py>(name: &str, given: Any<'_, 'py>, help: &str) -> PyResult<Bound<'py, PyIterator>> {
    let wrong = |_| PyTypeError::new_err(format!("`{name}` is {}; {help}", type_name(given)));
    given.try_iter().map_err(wrong)
}

/// The text of each file, by name.
pub(crate) fn files(given: &Bound<'_, PyDict>) -> PyResult<Vec<(String, String)>> {
    let file = |(name, text): (Bound<'_, PyAny>, Bound<'_, PyAny>)| -> PyResult<(String, String)> {
        let name: String = taken("files", &name, "use a string as the name of each file")?;
        let text = taken(&format!("files[{name:?}]"), &text, "give the text of the file")?;
        Ok((name, text))
    };
    given.iter().map(file).collect()
}

/// A value for a path. NumPy's numbers and arrays are converted to plain values.
pub(crate) fn value(path: &str, given: Any<'_, '_>) -> PyResult<Value> {
    if let Ok(truth) = given.cast::<PyBool>() {
        return Ok(Value::Bool(truth.is_true()));
    }
    if let Ok(text) = given.cast::<PyString>() {
        return Ok(Value::Text(text.to_string()));
    }
    if given.is_instance_of::<PyInt>() {
        let number = given.extract().map_err(|_| setting(given.py(), format!("`{path}` = {given} is too large")))?;
        return Ok(Value::Int(number));
    }
    if given.is_instance_of::<PyFloat>() {
        return Ok(Value::Float(given.extract()?));
    }
    if given.is_instance_of::<PyList>() || given.is_instance_of::<PyTuple>() {
        let values = given.try_iter()?.map(|one| value(path, &one?)).collect::<PyResult<_>>()?;
        return Ok(Value::List(values));
    }
    if let Ok(plain) = given.call_method0("tolist") {
        return value(path, &plain);
    }
    let (of, help) = (type_name(given), "give a number, a word, True or False, or a list of these");
    Err(PyTypeError::new_err(format!("`{path}`: {of} is not a value; {help}")))
}

/// The value as a Python object.
pub(crate) fn to_python<'py>(py: Python<'py>, value: &Value) -> PyResult<Bound<'py, PyAny>> {
    Ok(match value {
        Value::Int(number) => number.into_pyobject(py)?.into_any(),
        Value::Float(number) => number.into_pyobject(py)?.into_any(),
        Value::Bool(truth) => PyBool::new(py, *truth).to_owned().into_any(),
        Value::Text(text) => PyString::new(py, text).into_any(),
        Value::List(values) => {
            let values = values.iter().map(|value| to_python(py, value)).collect::<PyResult<Vec<_>>>()?;
            PyList::new(py, values)?.into_any()
        }
        other => PyString::new(py, &other.to_string()).into_any(),
    })
}

/// The values of a path that varies.
pub(crate) fn values(path: &str, given: Any<'_, '_>) -> PyResult<Vec<Value>> {
    let wrong = || {
        let of = type_name(given);
        PyTypeError::new_err(format!("`{path}` varies over several values, but this is {of}; give a list or a range"))
    };
    if given.is_instance_of::<PyString>() {
        return Err(wrong());
    }
    given.try_iter().map_err(|_| wrong())?.map(|one| value(path, &one?)).collect()
}

/// A whole number that is not negative.
pub(crate) fn whole(name: &str, given: Option<Any<'_, '_>>) -> PyResult<Option<u64>> {
    let Some(given) = given else { return Ok(None) };
    let indexed = given.call_method0("__index__");
    let Some(number) = indexed.ok().filter(|_| !given.is_instance_of::<PyBool>()) else {
        let of = type_name(given);
        return Err(PyTypeError::new_err(format!("`{name}` is {of}; give a whole number")));
    };
    let found = number.extract::<u64>();
    found.map(Some).map_err(|_| setting(given.py(), format!("`{name}` is {number}; give a whole number of 0 or more")))
}

/// A whole number that is not negative, such as a number of cells, threads or shares.
pub(crate) fn small<T: TryFrom<u64>>(name: &str, given: Option<Any<'_, '_>>) -> PyResult<Option<T>> {
    let Some(number) = whole(name, given)? else { return Ok(None) };
    let small = T::try_from(number).map(Some);
    small.map_err(|_| {
        given.map_or_else(
            || PyTypeError::new_err(name.to_owned()),
            |given| setting(given.py(), format!("`{name}` is {number}, which is too large")),
        )
    })
}

/// The numbers of cells: one, or several.
pub(crate) fn cells(given: Option<Any<'_, '_>>) -> PyResult<Vec<usize>> {
    let Some(given) = given else { return Ok(Vec::new()) };
    match given.try_iter() {
        Ok(several) if !given.is_instance_of::<PyString>() => {
            several.map(|one| Ok(small("cells", Some(&one?))?.unwrap_or_default())).collect()
        }
        _ => Ok(small("cells", Some(given))?.into_iter().collect()),
    }
}

/// A shard of the battles: its number from 0, and the number of shards.
pub(crate) fn shard(given: Option<Any<'_, '_>>) -> PyResult<Option<(u32, u32)>> {
    let Some(given) = given else { return Ok(None) };
    let help = "give a pair, such as (0, 8) for the first of 8 shards";
    let wrong = || PyTypeError::new_err(format!("`shard` is {}; {help}", type_name(given)));
    let parts = given.cast::<PyTuple>().map_err(|_| wrong())?;
    if parts.len() != 2 {
        return Err(wrong());
    }
    let part = |at| small::<u32>("shard", Some(&parts.get_item(at)?)).map(Option::unwrap_or_default);
    let (number, of) = (part(0)?, part(1)?);
    if number >= of {
        let text = format!("there is no shard {number} of {of}: shards are numbered 0 to {}", i64::from(of) - 1);
        return Err(setting(given.py(), text));
    }
    Ok(Some((number, of)))
}

/// Which battles are kept individually: the command's default unless given.
pub(crate) fn keep(given: Option<Any<'_, '_>>) -> PyResult<Keep> {
    let Some(given) = given else { return Ok(Keep::default()) };
    if let Ok(text) = given.cast::<PyString>() {
        return match text.to_string().as_str() {
            "all" => Ok(Keep::All),
            "none" => Ok(Keep::None),
            other => {
                let text = format!("`keep` is {other:?}; give \"all\", \"none\" or how many battles of each cell");
                Err(setting(given.py(), text))
            }
        };
    }
    Ok(match whole("keep", Some(given))? {
        Some(0) | None => Keep::None,
        Some(first) => Keep::First(first),
    })
}

/// A confidence level.
pub(crate) fn level(py: Python<'_>, given: Option<f64>) -> PyResult<Level> {
    let Some(level) = given else { return Ok(Level::default()) };
    let help = "give a share between 0 and 1, such as 0.95";
    Level::new(level).ok_or_else(|| setting(py, format!("`level` is {level}; {help}")))
}

/// The kind of intervals.
pub(crate) fn intervals(py: Python<'_>, given: Option<&str>) -> PyResult<Intervals> {
    match given {
        None | Some("exact") => Ok(Intervals::Exact),
        Some("wilson") => Ok(Intervals::Wilson),
        Some("watched") => Ok(Intervals::Watched),
        Some(other) => Err(setting(py, format!("`intervals` is {other:?}; give \"exact\", \"wilson\" or \"watched\""))),
    }
}

/// A time in seconds, or a `timedelta`.
pub(crate) fn time(given: Option<Any<'_, '_>>) -> PyResult<Option<Duration>> {
    let Some(given) = given else { return Ok(None) };
    let of_delta = given.call_method0("total_seconds");
    let seconds: PyResult<f64> = of_delta.as_ref().unwrap_or(given).extract();
    let Ok(seconds) = seconds else {
        let of = type_name(given);
        return Err(PyTypeError::new_err(format!("`max_time` is {of}; give seconds or a timedelta")));
    };
    let time = Duration::try_from_secs_f64(seconds);
    time.map(Some).map_err(|_| setting(given.py(), format!("`max_time` is {seconds}; give 0 or more seconds")))
}
