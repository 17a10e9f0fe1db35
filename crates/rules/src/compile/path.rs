//! Paths of several legs.

use super::checker::Checker;
use crate::model::Leg;
use crate::wire::{DoctrineRowWire, OrderName};
use grognard_source::Path;

/// The legs of a row's path; empty for rows without one.
pub(super) fn legs(checker: &mut Checker<'_>, row: &DoctrineRowWire, at: &Path) -> Vec<Leg> {
    if row.legs.is_empty() == (row.order == OrderName::Path) {
        checker.fault(at, "`legs` is required with `do = \"path\"`, and allowed only there", None);
    }
    let mut legs = Vec::new();
    for (index, leg) in row.legs.iter().enumerate() {
        match (leg.march, leg.wheel) {
            (Some(march), None) => legs.push(Leg::March(march.hundredths())),
            (None, Some(wheel)) => legs.push(Leg::Wheel(i32::from(wheel) * 10)),
            _ => {
                let at = at.join("legs").join(index.to_string());
                checker.fault(&at, "a leg must be either a march or a wheel", Some("give one of `march` and `wheel`"));
            }
        }
    }
    legs
}
