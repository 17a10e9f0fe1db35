//! Words: names, measures and citations as narration writes them.

use grognard_rules::model::{Rules, Source, Trigger};

use crate::geometry::plane::Arc;
use crate::situation::view::View;
use crate::state::{Flags, UnitId};
use crate::step::scratch::Scratch;
use crate::telling::citing::carried_out;
use crate::telling::event::Scene;

impl Scene<'_> {
    /// The name of a unit in the narration, such as `Heavy cavalry of the attacker`.
    ///
    /// ```
    /// use grognard_engine::{Event, Scene};
    ///
    /// fn charge(scene: Scene<'_>, event: &Event) -> Option<String> {
    ///     let Event::Declared { unit, target, .. } = event else { return None };
    ///     Some(format!("{} charges {}", scene.unit_name(*unit), scene.unit_name(*target)))
    /// }
    /// ```
    #[must_use]
    pub fn unit_name(&self, unit: UnitId) -> String {
        unit_name(*self, unit)
    }
}

/// A unit's type and side, such as `Line battalion (defender)`, with the unit's number if the side has several units.
pub(crate) fn unit_name(scene: Scene<'_>, id: UnitId) -> String {
    let unit = scene.battle.unit(id);
    // A screen is named after its unit.
    let screen = |id: UnitId| scene.battle.unit(id).flags.has(Flags::SCREEN);
    let parent = if screen(id) { scene.battle.unit(unit.kin) } else { unit };
    let alone = scene.battle.side(unit.side).filter(|&id| !screen(id)).count() == 1;
    let number = if alone { String::new() } else { format!(" {}", parent.number + 1) };
    let crew = scene.battle.is_crew(scene.rules, unit);
    let kind = &scene.rules.kinds[if crew { parent.kind } else { unit.kind }].title;
    let of = if crew {
        "Crew of "
    } else if screen(id) {
        "Skirmish screen of "
    } else {
        ""
    };
    format!("{of}{kind} ({}{number})", scene.setup.names[unit.side])
}

/// Describes a change of heading in a move: a wheel with its cost, or a free turn.
pub(super) fn wheel_text(scene: Scene<'_>, id: UnitId, tenths: i32) -> String {
    let rules = scene.rules;
    let unit = scene.battle.unit(id);
    let free = rules.formations[unit.formation].all_round
        || unit.footprint(rules).width <= rules.movement.narrow && {
            let scratch = Scratch::new();
            let view = View::new(rules, scene.setup, scene.battle, &scratch, id, None);
            rules.movement.narrow_when.as_ref().is_none_or(|when| when.get(&view) != 0)
        };
    if free {
        return format!("heads {}", degrees(tenths));
    }
    let arc = unit.rect(rules).wheel_cost(tenths);
    let cost = if rules.movement.wheel_by_middle { (arc + 1) / 2 } else { arc };
    format!("wheels {} for {}", degrees(tenths), inches(cost))
}

/// The change that a unit is about to make in a fire zone.
pub(super) fn zone_text(trigger: Trigger) -> &'static str {
    match trigger {
        Trigger::FormsInZone => "change formation",
        Trigger::PivotsInZone => "pivot",
        _ => "turn",
    }
}

pub(super) fn arc_text(arc: Arc) -> &'static str {
    match arc {
        Arc::Front => "front",
        Arc::Flank => "flank",
        Arc::Rear => "rear",
    }
}

/// Writes hundredths of an inch as inches, exactly, so that readers can check conditions on a distance.
pub(crate) fn inches(hundredths: i32) -> String {
    format!("{}\"", decimal(hundredths, 100))
}

/// Describes a distance. The pack defines contact. Without a definition, the rounding of corners to whole hundredths is
/// allowed for.
pub(super) fn away(rules: &Rules, hundredths: i32) -> String {
    let contact = if rules.movement.touch > 0 { rules.movement.touch } else { 2 };
    if hundredths <= contact { "in contact".into() } else { format!("{} away", inches(hundredths)) }
}

/// Writes tenths of a degree as degrees, with the direction.
pub(crate) fn degrees(tenths: i32) -> String {
    let way = if tenths >= 0 { "right" } else { "left" };
    format!("{}° to the {way}", decimal(tenths.abs(), 10))
}

fn decimal(value: i32, parts: i32) -> String {
    let places = parts.ilog10() as usize;
    let sign = if value < 0 { "-" } else { "" };
    let (whole, rest) = (value.unsigned_abs() / parts.unsigned_abs(), value.unsigned_abs() % parts.unsigned_abs());
    let text = format!("{sign}{whole}.{rest:0places$}");
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

/// A count with its noun: `1 hit`, `2 hits`.
pub(crate) fn counted(count: i32, what: &str) -> String {
    match (count, what) {
        (1, what) => format!("1 {what}"),
        (count, "die") => format!("{count} dice"),
        (count, "success") => format!("{count} successes"),
        (count, what) => format!("{count} {what}s"),
    }
}

/// Each clause once, in the order of first mention, with `house` last.
pub(super) fn once(clauses: Vec<&str>) -> Vec<&str> {
    let mut kept: Vec<&str> = Vec::new();
    for clause in clauses {
        if !kept.contains(&clause) {
            kept.push(clause);
        }
    }
    kept.sort_by_key(|&clause| clause == "house");
    kept
}

/// The clauses in brackets, after a space; empty if there are none.
pub(super) fn bracketed(clauses: &[&str]) -> String {
    if clauses.is_empty() { String::new() } else { format!(" [{}]", clauses.join(", ")) }
}

/// The clauses that a row applied for one unit against another, in brackets.
pub(super) fn cited(scene: Scene<'_>, source: &Source, about: (UnitId, Option<UnitId>)) -> String {
    bracketed(&carried_out(scene, source, Some(about)).collect::<Vec<_>>())
}

/// The depth of lines for the events of a phase.
pub(crate) const HAPPENING: usize = 2;

/// The depth of lines for the consequences of these events.
pub(crate) const CONSEQUENCE: usize = 3;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn measures_are_exact_and_short() {
        assert_eq!(
            ["12\"", "6.5\"", "8.04\"", "0.5\""],
            [1200, 650, 804, 50].map(inches).each_ref().map(String::as_str)
        );
        assert_eq!(degrees(-225), "22.5° to the left");
        assert_eq!(degrees(900), "90° to the right");
        assert_eq!(counted(1, "die") + ", " + &counted(0, "die"), "1 die, 0 dice");
    }
}
