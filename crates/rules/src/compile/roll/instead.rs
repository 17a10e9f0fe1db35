//! Another roll in the place of one.

use super::Rolls;
use crate::compile::checker::{Checker, at};
use crate::model::{Instead, InsteadRow};
use crate::wire::{BoardName, PackWire};
use grognard_expr::{Expr, Kind, Lookup};

/// Looks up the rolls that are taken in the place of others.
pub(super) fn resolve(checker: &mut Checker<'_>, wire: &PackWire, rolls: &mut Rolls) {
    for (id, roll) in wire.roll.iter().filter(|(_, roll)| !roll.instead.is_empty()) {
        let (mut rows, mut conditions) = (Vec::new(), Vec::new());
        for row in &roll.instead {
            let at = at!["roll", id, "instead", row.id];
            if wire.board == BoardName::Hex {
                checker.fault(
                    &at,
                    "rolls cannot be replaced on a `hex` board",
                    Some("use two provisions, each with its own roll"),
                );
            }
            let found = checker.find(&at.join("roll"), "roll", &row.roll, wire.roll.keys().map(String::as_str));
            let when = checker.expr(&at.join("when"), &row.when, Kind::Bool).or_else(|| checker.never());
            let source = checker.source(&at, &row.cite, row.note.as_ref());
            let place = found.and_then(|_| rolls.rolls.iter().position(|other| other.id == row.roll));
            if let Some(place) = place {
                rows.push(InsteadRow { id: row.id.clone(), roll: place as u8, source });
                conditions.push(when);
            }
        }
        let first = Lookup::first(&conditions.iter().map(Option::as_ref).collect::<Vec<Option<&Expr>>>());
        if let Some(roll) = rolls.rolls.iter_mut().find(|roll| roll.id == *id).filter(|_| !rows.is_empty()) {
            roll.instead = Some(Box::new(Instead { rows, first }));
        }
    }
}
