//! The narration of terrain.

use crate::telling::event::{Event, Scene};
use crate::telling::narrator::words::unit_name;

/// A line for an effect of terrain; `None` for anything else.
pub(super) fn happened(scene: Scene<'_>, event: &Event) -> Option<String> {
    let (unit, text) = match event {
        Event::Disordered { unit, ground } => {
            let ground = &scene.rules.grounds[usize::from(*ground)];
            (unit, format!("crosses disordering ground: {}", ground.title))
        }
        Event::Ambiguous { unit } => (unit, "now faces two ways".into()),
        _ => return None,
    };
    Some(format!("{} {text}.", unit_name(scene, *unit)))
}
