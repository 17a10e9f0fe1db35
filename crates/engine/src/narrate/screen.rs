//! Skirmishers put out and taken in, in words.

use grognard_rules::model::Rejoin;

use super::words::{cited, counted, unit_name};
use crate::witness::{Event, Scene};

/// A line for what happened to skirmishers, or to riders that dismounted; `by` says who ordered it.
pub(super) fn told(scene: Scene<'_>, event: &Event, by: &str) -> String {
    let rules = scene.rules;
    let Some(skirmish) = &rules.skirmish else { return dismounted(scene, event, by) };
    match event {
        Event::Detached { unit, figures, row, .. } => {
            let source = cited(&skirmish.screens[usize::from(*row)].source);
            let figures = counted((*figures).into(), "figure");
            format!("{} puts out {figures} as skirmishers{by}{source}.", unit_name(scene, *unit))
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
            let (source, figures) = (cited(skirmish.rejoin_source(*why)), counted((*figures).into(), "skirmisher"));
            format!("{} takes in {figures}{reason}{by}{source}.", unit_name(scene, *unit))
        }
        Event::Strayed { unit, figures } => {
            let (source, figures) =
                (cited(skirmish.rejoin_source(Rejoin::Strayed)), counted((*figures).into(), "figure"));
            format!("{} loses sight of {figures}{source}.", unit_name(scene, *unit))
        }
        _ => dismounted(scene, event, by),
    }
}

fn dismounted(scene: Scene<'_>, event: &Event, by: &str) -> String {
    let Event::Dismounted { unit, from } = event else { return String::new() };
    let (was, now) = (&scene.rules.kinds[usize::from(*from)], scene.battle.unit(*unit).kind);
    let source = cited(&scene.rules.kinds[usize::from(now)].source);
    format!("{} dismounts: it was {}{by}{source}.", unit_name(scene, *unit), was.title)
}
