//! Fire zones, charge zones, support.

use super::checker::{Checker, at};
use crate::model::{ChargeZone, FireZone, Support};
use crate::wire::Pack;

pub(super) fn fire_zone(checker: &mut Checker<'_>, wire: &Pack<'_>) -> Option<FireZone> {
    let zone = wire.fire_zone.as_ref()?;
    let at = at!["fire-zone"];
    let source = checker.source(&at, &zone.cite, zone.note.as_ref());
    Some(FireZone {
        when: checker.condition(&at.join("when"), zone.when.as_ref()),
        when_source: checker.key_source(&at, "when", zone.cites.when.as_ref(), &source),
        source,
    })
}

pub(super) fn charge_zone(checker: &mut Checker<'_>, wire: &Pack<'_>) -> Option<ChargeZone> {
    let zone = wire.charge_zone.as_ref()?;
    let at = at!["charge-zone"];
    Some(ChargeZone {
        when: checker.condition(&at.join("when"), zone.when.as_ref()),
        holds: checker.condition(&at.join("holds"), zone.holds.as_ref()),
        source: checker.source(&at, &zone.cite, zone.note.as_ref()),
    })
}

pub(super) fn support(checker: &mut Checker<'_>, wire: &Pack<'_>) -> Option<Support> {
    let support = wire.support.as_ref()?;
    let at = at!["support"];
    Some(Support {
        gap: support.gap.hundredths(),
        follows: checker.condition(&at.join("follows"), support.follows.as_ref()),
        leads: checker.condition(&at.join("leads"), support.leads.as_ref()),
        stacks: checker.condition(&at.join("stacks"), support.stacks.as_ref()),
        supports: checker.condition(&at.join("supports"), support.supports.as_ref()),
        source: checker.source(&at, &support.cite, support.note.as_ref()),
    })
}
