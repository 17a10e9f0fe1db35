//! Narration of events that occur only on hexes.

use grognard_rules::situation::COMBATS;

use crate::geometry::hex::facing;
use crate::geometry::plane::{Arc, Point};
use crate::state::UnitId;
use crate::telling::event::{HexEvent, Scene};
use crate::telling::narrator::words::{CONSEQUENCE, HAPPENING, arc_text, counted, unit_name};

/// The unit that carries out an order with an event.
pub(super) fn actor(event: &HexEvent) -> Option<UnitId> {
    match event {
        HexEvent::Moved { unit, .. } | HexEvent::Declared { unit, .. } => Some(*unit),
        _ => None,
    }
}

/// The line for an event, and the line's depth. `None` if another line covers the event. `by` is the order that the
/// event carries out.
pub(super) fn line(scene: Scene<'_>, event: &HexEvent, by: &str) -> Option<(usize, String)> {
    let hex = scene.rules.hex.as_deref()?;
    let name = |id| unit_name(scene, id);
    Some(match event {
        HexEvent::Provided { unit, row } => {
            let provision = &hex.provisions[usize::from(*row)];
            let title = provision.title.as_ref()?;
            (CONSEQUENCE, format!("{} {title}.", name(*unit)))
        }
        HexEvent::Breached { unit, row } => {
            let provision = &hex.provisions[usize::from(*row)];
            (HAPPENING, format!("{} may not: {}.", name(*unit), provision.id))
        }
        HexEvent::Played(kind) => {
            let card = kind.of(hex.deck.as_ref()?);
            (HAPPENING, format!("{} plays {}.", scene.setup.names[scene.battle.active], card.title))
        }
        HexEvent::Commanded(unit) => (CONSEQUENCE, format!("{} has orders.", name(*unit))),
        HexEvent::Moved { unit, from, facing: old } => {
            let now = scene.battle.unit(*unit);
            let way = if now.front == *from {
                format!("{} stands at {}", name(*unit), place(*from))
            } else {
                format!("{} goes from {} to {}", name(*unit), place(*from), place(now.front))
            };
            let new = facing(now.heading);
            let turned =
                if new == *old { String::new() } else { format!(" and turns from {} to {}", spine(*old), spine(new)) };
            (HAPPENING, format!("{way}{turned}{by}."))
        }
        HexEvent::Declared { unit, target, role, arc } => {
            let what = match COMBATS.get(usize::from(*role)) {
                Some(&"bonus") => "attacks again:",
                Some(&"fire") => "fires at",
                _ => "attacks",
            };
            let led = if scene.battle.unit(*unit).hex.mate.is_none() { "" } else { ", its leader with it" };
            let arc = if *arc == Arc::Front { "front" } else { arc_text(*arc) };
            (HAPPENING, format!("{} {what} {}, which shows its {arc}{led}{by}.", name(*unit), name(*target)))
        }
        HexEvent::Answered { .. } | HexEvent::Fought { .. } => return None,
        HexEvent::FellBack { unit, hexes, of } => {
            let at = place(scene.battle.unit(*unit).front);
            let short = if i32::from(*hexes) < *of { format!(" of {of}") } else { String::new() };
            (CONSEQUENCE, format!("{} falls back {}{short} from {at}.", name(*unit), hexes_text(*hexes)))
        }
    })
}

fn hexes_text(hexes: u8) -> String {
    if hexes == 1 { "1 hex".into() } else { counted(i32::from(hexes), "hexe") }
}

fn place(at: Point) -> String {
    format!("({}, {})", at.x, at.y)
}

/// The compass name of a spine.
fn spine(facing: u8) -> &'static str {
    ["north-east", "north", "north-west", "south-west", "south", "south-east"][usize::from(facing % 6)]
}
