//! Squares of several units.

use super::checker::{Checker, at};
use crate::model::Square;
use crate::wire::Pack;

pub(super) fn square(checker: &mut Checker<'_>, wire: &Pack<'_>) -> Option<Square> {
    let square = wire.square.as_ref()?;
    let at = at!["square"];
    let source = checker.source(&at, &square.cite, square.note.as_ref());
    Some(Square {
        when_source: checker.key_source(&at, "when", square.cites.when.as_ref(), &source),
        when: checker.condition(&at.join("when"), Some(&square.when)),
        figures_per_cannon: square.figures_per_cannon.max(1),
        shares: checker.source(&at.join("shares"), &square.shares.cite, square.shares.note.as_ref()),
        pace: checker.source(&at.join("pace"), &square.pace.cite, square.pace.note.as_ref()),
        guns: checker.source(&at.join("guns"), &square.guns.cite, square.guns.note.as_ref()),
        source,
    })
}
