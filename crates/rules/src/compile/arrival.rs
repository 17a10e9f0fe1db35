//! Arrivals of units that start off the table.

use super::casualties::reads_foe;
use super::checker::{Checker, at};
use super::roll::Rolls;
use crate::model::{Arrival, ArrivalRoll, ByteId, KindId, Site};
use crate::wire::{ArrivalWire, BoardName, CalledName, Pack};
use grognard_roll::Mechanic;

/// Arrivals; `None` if the pack does not define them. `site` gives the site of their dice.
pub(super) fn arrival(
    checker: &mut Checker<'_>,
    wire: &Pack<'_>,
    (rolls, calls): (&Rolls<'_>, &Calls),
    site: &mut dyn FnMut() -> Site,
) -> Option<Arrival> {
    let arrival = wire.arrival.as_ref()?;
    let at = at!["arrival"];
    let at_edge = !matches!(arrival.called, None | Some(CalledName::Place | CalledName::Beside));
    for (key, given) in [("edge", !arrival.edge.is_empty()), ("called", at_edge)] {
        if given && wire.board != BoardName::Plane {
            let help = if key == "edge" { "omit it" } else { "write `place` or `beside`" };
            checker.fault(&at.join(key), "only a table on a `plane` board has edges", Some(help));
        }
    }
    if arrival.called.is_some() && !calls.any {
        checker.fault(
            &at.join("called"),
            "no result calls a unit",
            Some("omit it, or write `calls` in the result of a roll"),
        );
    }
    if arrival.roll.is_none() {
        for (key, given) in [("comes", !arrival.comes.is_empty()), ("edge", !arrival.edge.is_empty())] {
            if given {
                checker.fault(&at.join(key), "no roll has these results", Some("name one with `roll`, or omit this"));
            }
        }
    }
    let roll = arrival.roll.as_ref().and_then(|name| arrival_roll(checker, wire, arrival, name, rolls, site));
    let source = checker.source(&at, &arrival.cite, arrival.note.as_ref());
    Some(Arrival { roll, called: arrival.called, calls: calls.kinds.clone(), counts: arrival.counts, source })
}

/// The units that results call onto the table.
#[derive(Clone, PartialEq, Eq)]
pub(super) struct Calls {
    /// Whether any result calls a unit, even of a type that the pack does not have.
    any: bool,
    kinds: Vec<KindId>,
}

/// The types of units that results call. Reports calls if the pack does not say where such units enter the table.
pub(super) fn calls(checker: &mut Checker<'_>, wire: &Pack<'_>) -> Calls {
    let nowhere = wire.arrival.as_ref().is_none_or(|arrival| arrival.called.is_none());
    let mut calls = Calls { any: false, kinds: Vec::new() };
    for (id, roll) in &wire.roll {
        for row in &roll.result {
            for (whose, effect) in [("own", &row.own), ("foe", &row.foe)] {
                let Some(kind) = &effect.calls else { continue };
                calls.any = true;
                let at = at!["roll", id, "result", row.id, whose, "calls"];
                if nowhere {
                    let help = "set `called` in `[arrival]` to `beside`, `place` or an edge of the table";
                    checker.fault(&at, "the pack does not say where called units enter the table", Some(help));
                }
                calls.kinds.extend(
                    wire.unit.keys().position(|known| known == kind).map(|index| KindId::from_byte(index as u8)),
                );
            }
        }
    }
    calls
}

fn arrival_roll(
    checker: &mut Checker<'_>,
    pack: &Pack<'_>,
    arrival: &ArrivalWire,
    name: &str,
    rolls: &Rolls<'_>,
    site: &mut dyn FnMut() -> Site,
) -> Option<ArrivalRoll> {
    let at = at!["arrival"];
    let roll = checker.roll(&at.join("roll"), name)?;
    let taken = &pack.roll[name];
    let found = checker.results(&at.join("comes"), &arrival.comes, taken);
    let edge = |row: u16| arrival.edge.get(&taken.result[usize::from(row)].id).copied();
    let comes: Vec<(u16, _)> = found.into_iter().map(|row| (row, edge(row))).collect();
    if arrival.comes.is_empty() {
        let help = "list the results of the roll with which a unit arrives";
        checker.fault(&at.join("comes"), "no unit can arrive by this roll", Some(help));
    }
    for result in arrival.edge.keys().filter(|result| !arrival.comes.contains(result)) {
        let help = "list the result in `comes` as well";
        checker.fault(&at.join("edge").join(result.as_str()), format!("no unit arrives with `{result}`"), Some(help));
    }
    check_roll(checker, pack, name, rolls, &comes);
    Some(ArrivalRoll { roll, comes, site: site() })
}

/// Reports keys that are invalid in a roll for a unit off the table.
fn check_roll<E>(checker: &mut Checker<'_>, pack: &Pack<'_>, name: &str, rolls: &Rolls<'_>, comes: &[(u16, E)]) {
    let at = at!["arrival", "roll"];
    if !pack.roll[name].instead.is_empty() {
        let help = "omit `instead`, or use modifiers";
        checker.fault(&at, format!("`{name}` can be replaced by another roll"), Some(help));
    }
    if reads_foe(checker, pack, name) {
        let message = format!("`{name}` reads `foe`, but a unit that has yet to arrive has no enemy");
        checker.fault(&at, message, Some("let it read only `self` and `turn`"));
    }
    let Some(roll) = rolls.rolls.iter().find(|roll| roll.id == name) else { return };
    if matches!(roll.mechanic, Mechanic::Opposed(_) | Mechanic::Ranked(_)) {
        let help = "use `pool`, `symbols`, `under` or `table`";
        checker.fault(&at, format!("the enemy does not roll for arrivals, but it does in `{name}`"), Some(help));
    }
    for (row, result) in (0..).zip(&roll.results) {
        let mut outcomes = roll.outcomes.iter().filter(|outcome| outcome.row == row);
        let arrives = comes.iter().any(|&(known, _)| known == row);
        let idle = |whose: &str| at!["roll", name, "result", result.id, whose];
        if outcomes.clone().any(|outcome| !outcome.foe.is_none()) {
            checker.fault(&idle("foe"), "a unit that arrives has no enemy to do this to", Some("omit it"));
        }
        if !arrives && outcomes.any(|outcome| !outcome.own.is_none()) {
            let help = "omit it, or list the result in `arrival.comes`";
            checker.fault(&idle("own"), "this cannot be done to a unit that is not on the table", Some(help));
        }
    }
}
