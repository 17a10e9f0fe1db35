//! The narration of paid orders, markers, flight and pursuit.

use crate::state::UnitId;
use crate::telling::event::{Event, Scene};
use crate::telling::narrator::words::{CONSEQUENCE, HAPPENING, arc_text, counted, degrees, inches, unit_name};

/// The line for an event of an orders, volley, onset or flight phase, and the line's depth. `by` is the source of the
/// order behind it, in brackets. `None` for other events.
pub(super) fn narrated(scene: Scene<'_>, event: &Event, by: &str) -> Option<(usize, String)> {
    let rules = scene.rules;
    let name = |id: &UnitId| unit_name(scene, *id);
    Some(match event {
        Event::Paid { unit, act, cost, left, .. } => {
            let row = &rules.acts[usize::from(*act)];
            let left = left.map_or(String::new(), |left| format!(", {left} left"));
            let points = counted((*cost).into(), "point");
            (HAPPENING, format!("{} {} for {points}{left}{by}.", name(unit), row.title))
        }
        Event::Halved { unit, rate } => {
            let rates = rules.movement.half.as_ref().and_then(|half| half.rows.get(*rate));
            let why = rates.map(|rate| format!(": {}", rate.id)).unwrap_or_default();
            (CONSEQUENCE, format!("{} is limited to half rate{why}.", name(unit)))
        }
        Event::Shifted { unit, bearing, distance } => {
            let way = degrees(if *bearing > 1800 { *bearing - 3600 } else { *bearing });
            (CONSEQUENCE, format!("{} moves {}, {way}, without turning.", name(unit), inches(*distance)))
        }
        Event::Met { unit, target, arc } => {
            (CONSEQUENCE, format!("{} touches {} in the {}.", name(unit), name(target), arc_text(*arc)))
        }
        Event::Filled { unit, piece } => {
            let ground = scene.setup.terrain.get(usize::from(*piece))?.ground(rules);
            (CONSEQUENCE, format!("{} takes up the whole of the {}.", name(unit), ground.title))
        }
        Event::Firing { unit, on } => {
            let is = if *on { "is marked as firing" } else { "is no longer firing" };
            (CONSEQUENCE, format!("{} {is}.", name(unit)))
        }
        Event::Reacted { unit, reaction } => {
            let row = &rules.reactions[usize::from(*reaction)];
            (CONSEQUENCE, format!("{} {}.", name(unit), row.title))
        }
        Event::RanAway { unit, distance, .. } => {
            let how =
                if *distance == 0 { "has nowhere to flee".into() } else { format!("flees {}", inches(*distance)) };
            (CONSEQUENCE, format!("{} {how}.", name(unit)))
        }
        Event::Pursued { unit, distance, .. } => {
            (CONSEQUENCE, format!("{} pursues {}{by}.", name(unit), inches(*distance)))
        }
        Event::Occupied { unit } => (CONSEQUENCE, format!("{} takes the position{by}.", name(unit))),
        _ => return None,
    })
}
