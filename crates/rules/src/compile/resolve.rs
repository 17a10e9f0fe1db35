//! Phases that resolve combats.

use super::checker::Checker;
use crate::model::{Bonus, Resolution};
use crate::wire::{By, CountedName, MechanismName, Pack, PhaseWire, TogetherName};
use grognard_source::Path;

/// The rules that decide the combats of a phase.
pub(super) fn resolution(
    checker: &mut Checker<'_>,
    wire: &Pack<'_>,
    phase: &PhaseWire,
    at: &Path,
) -> Option<Resolution> {
    if phase.mechanism != MechanismName::Resolve {
        let given = [("into", phase.into.is_some()), ("bonus", !phase.bonus.is_empty())];
        for (key, _) in given.into_iter().filter(|(_, given)| *given) {
            checker.fault(&at.join(key), format!("only a `resolve` phase has `{key}`"), Some("omit it"));
        }
        return None;
    }
    if phase.by != By::Active {
        let help = "omit `by`: both sides of a combat are compared";
        checker.fault(&at.join("by"), "a combat belongs to both sides", Some(help));
    }
    if phase.bonus.is_empty() {
        let help = "add rows to `bonus`, such as what each side has lost";
        checker.fault(at, format!("nothing decides the combats of phase `{}`", phase.id), Some(help));
    }
    let into = into(checker, wire, phase, at);
    let mut bonuses = Vec::new();
    for row in &phase.bonus {
        let at = at.join("bonus").join(row.id.as_str());
        let add = checker.amount(&at.join("add"), &row.add);
        bonuses.extend(add.map(|add| Bonus {
            id: row.id.clone(),
            title: row.title.clone().unwrap_or_else(|| row.id.clone()),
            when: checker.condition(&at.join("when"), row.when.as_ref()),
            add,
            of_foes: row.of == CountedName::Foe,
            most: row.take == TogetherName::Most,
            source: checker.source(&at, &row.cite, row.note.as_ref()),
        }));
    }
    Some(Resolution { into: into?, bonuses })
}

/// The counter that holds a unit's lead.
fn into(checker: &mut Checker<'_>, wire: &Pack<'_>, phase: &PhaseWire, at: &Path) -> Option<u8> {
    let Some(name) = &phase.into else {
        let help = "add `into` with the name of a counter, which is set to the lead of a unit's side";
        checker.fault(at, format!("phase `{}` has no place for its results", phase.id), Some(help));
        return None;
    };
    let at = at.join("into");
    let index = checker.counter(&at, name)?;
    let counter = &wire.counter[name];
    if counter.below.is_none() || counter.above.is_none() || counter.min >= 0 || counter.max <= 0 {
        let message = format!("`{name}` cannot hold the margin by which a side leads or trails");
        let help = "it needs values below and above 0, and `below` and `above` for values beyond its range";
        checker.fault(&at, message, Some(help));
    } else if counter.start != Some(0) {
        let help = format!("add `start = 0` to `counter.{name}`: no side trails before a combat is resolved");
        checker.fault(&at, format!("`{name}` begins with {}", counter.start.unwrap_or(counter.min)), Some(&help));
    }
    Some(index)
}
