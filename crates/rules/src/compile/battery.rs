//! Batteries and trains, and changes of formation that take time.

use super::checker::{Checker, at};
use super::ground::bars;
use crate::model::{Battery, InMove, Slow};
use crate::wire::{InMoveWire, Pack, SlowWire};
use grognard_source::Path;

pub(super) fn battery(checker: &mut Checker<'_>, wire: &Pack<'_>) -> Option<Battery> {
    let at = at!["battery"];
    let Some(battery) = &*wire.battery else {
        if let Some((id, _)) = wire.unit.iter().find(|(_, unit)| unit.cannon.is_some()) {
            let help = "add `[battery]`, which gives the number of crew figures";
            checker.fault(&at!["unit", id, "cannon"], "cannon need a crew", Some(help));
        }
        return None;
    };
    let crew = checker.number(&at.join("crew"), &battery.crew);
    let source = checker.source(&at, &battery.cite, battery.note.as_ref());
    let cites = &battery.cites;
    Some(Battery {
        crew_source: checker.key_source(&at, "crew", cites.crew.as_ref(), &source),
        cannon_source: checker.key_source(&at, "cannon-lost", cites.cannon_lost.as_ref(), &source),
        crewless_source: checker.key_source(&at, "crewless", cites.crewless.as_ref(), &source),
        crew,
        cannon_lost: checker.condition(&at.join("cannon-lost"), battery.cannon_lost.as_ref()),
        apart: battery
            .apart
            .as_ref()
            .and_then(|kind| checker.find(&at.join("apart"), "unit type", kind, wire.unit.keys().map(String::as_str))),
        crew_hits: battery.crew_hits,
        disordered: bars(checker, &at, &battery.disordered),
        source,
    })
}

pub(super) fn in_move(checker: &mut Checker<'_>, at: &Path, wire: &InMoveWire) -> InMove {
    InMove {
        cost: wire.cost.hundredths(),
        bars: bars(checker, at, &wire.bar),
        source: checker.source(at, &wire.cite, wire.note.as_ref()),
    }
}

pub(super) fn slow(checker: &mut Checker<'_>, at: &Path, wire: &SlowWire) -> Slow {
    Slow {
        when: checker.condition(&at.join("when"), Some(&wire.when)),
        source: checker.source(at, &wire.cite, wire.note.as_ref()),
    }
}
