//! Replacement of a roll by another.

use crate::compile::checker::{Checker, at};
use crate::model::{Instead, InsteadRow};
use crate::wire::RollWire;
use grognard_expr::{Expr, Kind, Lookup};

/// Looks up the rolls that replace another.
pub(super) fn resolve(checker: &mut Checker<'_>, id: &str, roll: &RollWire) -> Option<Box<Instead>> {
    let (mut rows, mut conditions) = (Vec::new(), Vec::new());
    for row in &roll.instead {
        let at = at!["roll", id, "instead", row.id];
        let found = checker.roll(&at.join("roll"), &row.roll);
        let when = checker.expr(&at.join("when"), &row.when, Kind::Bool).or_else(|| checker.never());
        let source = checker.source(&at, &row.cite, row.note.as_ref());
        if let Some(roll) = found {
            rows.push(InsteadRow { id: row.id.clone(), roll, source });
            conditions.push(when);
        }
    }
    let first = Lookup::first(&conditions.iter().map(Option::as_ref).collect::<Vec<Option<&Expr>>>());
    (!rows.is_empty()).then(|| Box::new(Instead { rows, first }))
}
