//! The narration of terrain and bars.

use grognard_rules::model::Bar;

use crate::telling::event::{Event, Refusal, Scene, ScreenRefusal};
use crate::telling::narrator::words::unit_name;

/// A line for what ground or a bar did; none for anything else.
pub(super) fn happened(scene: Scene<'_>, event: &Event) -> Option<String> {
    let rules = scene.rules;
    let bar = |bar: &Bar| bar.id.replace('-', " ");
    let (unit, text) = match event {
        Event::Disordered { unit, ground } => {
            let ground = &rules.grounds[usize::from(*ground)];
            (unit, format!("comes over ground that disorders: {}", ground.title))
        }
        Event::Ambiguous { unit } => (unit, "is found facing two ways".into()),
        Event::Refused { unit, why: Refusal::Barred(formation, index) } => {
            let formation = &rules.formations[usize::from(*formation)];
            let why = bar(&formation.bars[usize::from(*index)]);
            (unit, format!("may not go to {}: {why}", formation.title))
        }
        Event::Refused { unit, why: Refusal::Ground(ground, index) } => {
            let ground = &rules.grounds[usize::from(*ground)];
            let why = bar(&ground.bars[usize::from(*index)]);
            (unit, format!("stops before the {}: {why}", ground.title))
        }
        Event::Refused { unit, why: Refusal::TooWide(_) } => (unit, "is too wide for the road".into()),
        Event::Refused { unit, why: Refusal::BarredInMove(formation, index) } => {
            // Guns that leave a square already stand in the formation whose bar forbids them to.
            let verb = if scene.battle.unit(*unit).formation == *formation { "leave" } else { "go to" };
            let formation = &rules.formations[usize::from(*formation)];
            let why = bar(&formation.in_move.as_ref()?.bars[usize::from(*index)]);
            (unit, format!("may not {verb} {} in its move: {why}", formation.title))
        }
        Event::Refused { unit, why: Refusal::NoMove(formation) } => {
            let formation = &rules.formations[usize::from(*formation)];
            (unit, format!("does not have enough move left to go to {}", formation.title))
        }
        Event::Refused { unit, why: Refusal::Screen(ScreenRefusal::Bar(index)) } => {
            let why = bar(&rules.skirmish.as_ref()?.bars[usize::from(*index)]);
            (unit, format!("may not deploy skirmishers: {why}"))
        }
        Event::Refused { unit, why: Refusal::FireZone } => (unit, "stops before an enemy's fire zone".into()),
        Event::Refused { unit, why: Refusal::Held } => (unit, "stands fast, held by a charge zone".into()),
        _ => return None,
    };
    Some(format!("{} {text}.", unit_name(scene, *unit)))
}
