//! The shares and means of a cell.

use grognard_engine::{METRICS, Side};

use super::{DRAW, TURNS, WIN};

/// The shares and means of a cell with this number of sides over all of its battles, in the order of the summary: side,
/// metric, whether a share.
pub(crate) fn quantities(sides: usize) -> Vec<(Option<Side>, &'static str, bool)> {
    let sides = Side::first(sides);
    let mut quantities: Vec<_> = sides.iter().map(|&side| (Some(side), WIN, true)).collect();
    quantities.extend([(None, DRAW, true), (None, TURNS, false)]);
    for &side in sides {
        quantities.extend(
            METRICS.iter().filter(|metric| !metric.partial).map(|metric| (Some(side), metric.key, metric.share)),
        );
    }
    quantities
}

/// Their names: a side for the battles it wins, `defender.losses`, `draw`.
#[must_use]
pub fn names_of_quantities(sides: &[String]) -> Vec<String> {
    let name = |(side, metric, _): (Option<Side>, &'static str, bool)| match (side, metric) {
        (Some(side), WIN) => sides[side.index()].clone(),
        (Some(side), metric) => format!("{}.{metric}", sides[side.index()]),
        (None, metric) => metric.to_owned(),
    };
    quantities(sides.len()).into_iter().map(name).collect()
}
