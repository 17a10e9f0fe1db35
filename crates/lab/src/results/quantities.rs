//! The shares and means that there are of a cell.

use grognard_engine::{BySide, METRICS, Side};

use super::{DRAW, TURNS, WIN};

/// The shares and means of a cell over all of its battles, in the order of the summary: side, metric, whether a
/// share.
pub(crate) fn quantities() -> Vec<(Option<Side>, &'static str, bool)> {
    let mut quantities = vec![(Some(Side::First), WIN, true), (Some(Side::Second), WIN, true), (None, DRAW, true)];
    quantities.push((None, TURNS, false));
    for side in Side::BOTH {
        quantities.extend(
            METRICS.iter().filter(|metric| !metric.partial).map(|metric| (Some(side), metric.key, metric.share)),
        );
    }
    quantities
}

/// Their names: a side for the battles it wins, `defender.losses`, `draw`.
#[must_use]
pub fn names_of_quantities(sides: &[String; 2]) -> Vec<String> {
    let names = BySide::new(&sides[0], &sides[1]);
    let name = |(side, metric, _): (Option<Side>, &'static str, bool)| match (side, metric) {
        (Some(side), WIN) => names[side].clone(),
        (Some(side), metric) => format!("{}.{metric}", names[side]),
        (None, metric) => metric.to_owned(),
    };
    quantities().into_iter().map(name).collect()
}
