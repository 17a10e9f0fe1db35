//! The number of figures that fight in shock.

use super::checker::{Checker, at};
use crate::model::Flanked;
use crate::wire::Pack;

pub(super) fn flanked(checker: &mut Checker<'_>, wire: &Pack<'_>) -> Option<Flanked> {
    let flanked = wire.flanked.as_ref()?;
    let at = at!["flanked"];
    Some(Flanked {
        figures: flanked.figures,
        when: checker.condition(&at.join("when"), flanked.when.as_ref()),
        source: checker.source(&at, &flanked.cite, flanked.note.as_ref()),
    })
}
