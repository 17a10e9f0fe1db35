//! What ground and bars do, in words.

use grognard_rules::model::Bar;

use super::words::{cited, unit_name};
use crate::witness::{Event, Refusal, Scene, ScreenRefusal};

/// A line for what ground or a bar did; none for anything else.
pub(super) fn happened(scene: Scene<'_>, event: &Event) -> Option<String> {
    let rules = scene.rules;
    let bar = |bar: &Bar| format!("{}{}", bar.id.replace('-', " "), cited(&bar.source));
    let (unit, text) = match event {
        Event::Disordered { unit, ground } => {
            let ground = &rules.grounds[usize::from(*ground)];
            (unit, format!("comes over ground that disorders: {}{}", ground.title, cited(&ground.source)))
        }
        Event::Ambiguous { unit } => {
            let source = rules.dressing.ambiguous.as_ref().map(|(_, source)| cited(source)).unwrap_or_default();
            (unit, format!("is found facing two ways{source}"))
        }
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
        Event::Refused { unit, why: Refusal::TooWide(mode) } => {
            let mode = &rules.command.as_ref()?.modes[usize::from(*mode)];
            (unit, format!("is too wide for the road{}", cited(&mode.source)))
        }
        Event::Refused { unit, why: Refusal::BarredInMove(formation, index) } => {
            let formation = &rules.formations[usize::from(*formation)];
            let why = bar(&formation.in_move.as_ref()?.bars[usize::from(*index)]);
            (unit, format!("may not go to {} in its move: {why}", formation.title))
        }
        Event::Refused { unit, why: Refusal::NoMove(formation) } => {
            let formation = &rules.formations[usize::from(*formation)];
            let source = cited(&formation.in_move.as_ref()?.source);
            (unit, format!("has not the move left to go to {}{source}", formation.title))
        }
        Event::Refused { unit, why: Refusal::Screen(ScreenRefusal::Bar(index)) } => {
            let why = bar(&rules.skirmish.as_ref()?.bars[usize::from(*index)]);
            (unit, format!("may not put out skirmishers: {why}"))
        }
        Event::Refused { unit, why: Refusal::FireZone } => {
            let source = cited(&rules.fire_zone.as_ref()?.source);
            (unit, format!("stops before an enemy's fire zone{source}"))
        }
        Event::Refused { unit, why: Refusal::Held } => {
            let source = cited(&rules.charge_zone.as_ref()?.source);
            (unit, format!("stands fast, held by a charge zone{source}"))
        }
        _ => return None,
    };
    Some(format!("{} {text}.", unit_name(scene, *unit)))
}
