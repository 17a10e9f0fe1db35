//! What orders that are paid for come to, markers, flight and pursuit, as narration tells them.

use grognard_rules::model::{Mechanism, Source};

use super::words::{arc_text, cited, counted, degrees, inches, unit_name};
use super::{CONSEQUENCE, HAPPENING};
use crate::state::UnitId;
use crate::witness::{Event, Scene};

/// The line on an event of an orders, volley, onset or flight phase, and its depth; `by` is the order behind it, in
/// brackets. None for other events.
pub(super) fn told(scene: Scene<'_>, event: &Event, by: &str) -> Option<(usize, String)> {
    let rules = scene.rules;
    let name = |id: &UnitId| unit_name(scene, *id);
    Some(match event {
        Event::Paid { unit, act, cost, left } => {
            let row = &rules.acts[usize::from(*act)];
            let left = left.map_or(String::new(), |left| format!(", {left} left"));
            let points = counted((*cost).into(), "point");
            (HAPPENING, format!("{} {} for {points}{left}{by}{}.", name(unit), row.title, cited(&row.source)))
        }
        Event::Halved { unit, rate } => {
            let rates = rules.movement.half.as_ref().and_then(|half| half.rows.get(*rate));
            let why = rates.map(|rate| format!(": {}{}", rate.id, cited(&rate.source))).unwrap_or_default();
            (CONSEQUENCE, format!("{} is held to half rate{why}.", name(unit)))
        }
        Event::OnRoad { unit } => {
            let source = rules.movement.road.as_ref().map(|(_, source)| cited(source)).unwrap_or_default();
            (CONSEQUENCE, format!("{} keeps to the road and gains by it{source}.", name(unit)))
        }
        Event::Shifted { unit, bearing, distance } => {
            let way = degrees(if *bearing > 1800 { *bearing - 3600 } else { *bearing });
            (CONSEQUENCE, format!("{} moves {}, {way}, without turning.", name(unit), inches(*distance)))
        }
        Event::Met { unit, target, arc } => {
            (CONSEQUENCE, format!("{} touches {} in the {}.", name(unit), name(target), arc_text(*arc)))
        }
        Event::Nudged { unit, by } => {
            (CONSEQUENCE, format!("{} is moved {} to stay in contact.", name(unit), inches(*by)))
        }
        Event::LeftContact { unit, row } => {
            let source = rules.movement.leave.as_ref().map(|leave| cited(&leave.rows[*row].source)).unwrap_or_default();
            (CONSEQUENCE, format!("{} leaves the contact{source}.", name(unit)))
        }
        Event::Passed { unit, friend } => {
            let source = cited(&rules.movement.passing);
            (CONSEQUENCE, format!("{} passes through {}{source}.", name(unit), name(friend)))
        }
        Event::Filled { unit, piece } => {
            let ground = scene.setup.terrain.get(usize::from(*piece))?.ground(rules);
            let source = ground.fills.as_ref().map(|fills| cited(&fills.source)).unwrap_or_default();
            (CONSEQUENCE, format!("{} takes up the whole of the {}{source}.", name(unit), ground.title))
        }
        Event::Firing { unit, on } => {
            let phase = &rules.phases[usize::from(scene.battle.phase)];
            let volley = matches!(phase.mechanism, Mechanism::Volley(_));
            let source = if *on { &phase.answer } else { &phase.idle };
            let source = if volley { cited(source) } else { String::new() };
            let is = if *on { "is marked as firing" } else { "is firing no longer" };
            (CONSEQUENCE, format!("{} {is}{source}.", name(unit)))
        }
        Event::Reacted { unit, reaction } => {
            let row = &rules.reactions[usize::from(*reaction)];
            (CONSEQUENCE, format!("{} {}{}.", name(unit), row.title, cited(&row.source)))
        }
        Event::RanAway { unit, row, distance } => {
            let found = rules.flight.as_ref().and_then(|flight| flight.rows.get(*row));
            let source = found.map(|row| cited(&row.source)).unwrap_or_default();
            let how =
                if *distance == 0 { "has nowhere to flee".into() } else { format!("flees {}", inches(*distance)) };
            (CONSEQUENCE, format!("{} {how}{source}.", name(unit)))
        }
        Event::Pursued { unit, row, distance } => {
            let found = rules.flight.as_ref().and_then(|flight| flight.pursuits.get(*row));
            let source = found.map_or_else(String::new, |row| cited(&row.source));
            (CONSEQUENCE, format!("{} pursues {}{by}{source}.", name(unit), inches(*distance)))
        }
        Event::Occupied { unit } => {
            let source: &Source = &rules.phases[usize::from(scene.battle.phase)].source;
            (CONSEQUENCE, format!("{} takes the position{by}{}.", name(unit), cited(source)))
        }
        _ => return None,
    })
}
