//! Deployment and recall of skirmishers, in words.

use grognard_rules::model::Rejoin;

use crate::telling::event::{Event, Scene};
use crate::telling::narrator::words::{counted, unit_name};

/// A line about skirmishers, or about riders who have dismounted. `by` is the source of the order.
pub(super) fn narrated(scene: Scene<'_>, event: &Event, by: &str) -> String {
    match event {
        Event::Detached { unit, figures, .. } => {
            let figures = counted((*figures).into(), "figure");
            format!("{} deploys {figures} as skirmishers{by}.", unit_name(scene, *unit))
        }
        Event::Rejoined { unit, figures, why } => {
            let reason = match why {
                Rejoin::Ordered => "",
                Rejoin::Gathered => ", as it forms up",
                Rejoin::GroupFailed => ", whose group has failed",
                Rejoin::SharedFate => " and shares their fate",
                Rejoin::SweptAlong => " and sweeps them along",
                Rejoin::Strayed => ", who had strayed",
            };
            let figures = counted((*figures).into(), "skirmisher");
            format!("{} recalls {figures}{reason}{by}.", unit_name(scene, *unit))
        }
        Event::Strayed { unit, figures } => {
            let figures = counted((*figures).into(), "figure");
            format!("{} loses sight of {figures}.", unit_name(scene, *unit))
        }
        _ => dismounted(scene, event, by),
    }
}

fn dismounted(scene: Scene<'_>, event: &Event, by: &str) -> String {
    let Event::Dismounted { unit, from } = event else { return String::new() };
    let was = &scene.rules.kinds[*from].title;
    format!("{} dismounts: it was {was}{by}.", unit_name(scene, *unit))
}
