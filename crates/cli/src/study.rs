//! Turns the arguments of a command line into a study.

use grognard_engine::Side;
use grognard_lab::questions;
use grognard_lab::results::names_of_quantities;
use grognard_lab::sensitivity::Quantity;
use grognard_lab::study::{Study, unknown_metric};
use grognard_source::{Diagnostic, Diagnostics, Override, Sources};

use crate::failure::Failure;

pub(crate) use grognard_lab::library::{is_path, load};

/// The changes of `--set`.
///
/// # Errors
///
/// A value is not of the form `PATH=VALUE`.
pub(crate) fn overrides(texts: &[String], sources: &mut Sources) -> Result<Vec<Override>, Diagnostics> {
    paths_of("--set", texts, sources)
}

/// The paths and values given to the option with this name.
fn paths_of(option: &str, texts: &[String], sources: &mut Sources) -> Result<Vec<Override>, Diagnostics> {
    let mut faults = Diagnostics::new();
    let mut overrides = Vec::new();
    for text in texts {
        let file = sources.add(option, text.as_str());
        match Override::parse(file, sources) {
            Ok(change) => overrides.push(change),
            Err(more) => faults.append(more),
        }
    }
    faults.into_result(overrides)
}

/// The side with this name.
///
/// # Errors
/// The study has no such side.
pub(crate) fn side_named(study: &Study, name: &str) -> Result<Side, Failure> {
    let place = study.sides.iter().position(|side| side == name);
    let side = place.and_then(|place| Side::ALL.get(place).copied());
    side.ok_or_else(|| Diagnostic::unknown("side", name, study.sides.iter().map(String::as_str)).into())
}

/// The quantity that `--metric` names; by default, the first side's wins.
///
/// # Errors
/// The study has nothing with that name.
pub(crate) fn quantity(study: &Study, name: Option<&str>) -> Result<Quantity, Failure> {
    Quantity::of(study, name).ok_or_else(|| {
        let known = names_of_quantities(&study.sides);
        Diagnostic::unknown("metric", name.unwrap_or_default(), known.iter().map(String::as_str)).into()
    })
}

/// The metric with this name, as questions use it.
///
/// # Errors
///
/// The study has no metric with that name.
pub(crate) fn asked_metric(study: &Study, name: &str) -> Result<Quantity, Failure> {
    questions::metric(study, name).ok_or_else(|| unknown_metric(&study.sides, name).into())
}

/// A metric in words: `defender wins`, `defender losses`, `turns`.
pub(crate) fn metric_name(quantity: &Quantity) -> String {
    if quantity.is_wins() { format!("{} wins", quantity.name) } else { quantity.name.replace('.', " ") }
}

/// The positions of the cells that `--cell` and `--only` select; empty if there are none, which means all.
///
/// # Errors
///
/// A cell that does not exist or is named twice, or a value that no cell has.
pub(crate) fn cells_of(
    study: &Study,
    cells: &[usize],
    only: &[String],
    sources: &mut Sources,
) -> Result<Vec<usize>, Failure> {
    for (nth, cell) in cells.iter().enumerate() {
        if *cell >= study.cells.len() {
            return Err(Failure::no_cell(format!("there is no cell {cell}"), study.cells.len()));
        }
        if cells[..nth].contains(cell) {
            return Err(Failure::wrong(format!("cell {cell} is named twice"), "name each cell once"));
        }
    }
    if only.is_empty() {
        return Ok(cells.to_vec());
    }
    Ok(study.cells_with(&paths_of("--only", only, sources)?)?)
}
