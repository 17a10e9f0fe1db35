//! Orders that could not be carried out, in words.

use grognard_rules::model::{Bar, FormationId, Order};

use crate::state::UnitId;
use crate::telling::event::{Refusal, Scene, ScreenRefusal};
use crate::telling::narrator::words::unit_name;

/// A line about an order that a unit does not carry out, with the reason. `order` is the order, if known.
pub(super) fn narrated(scene: Scene<'_>, unit: UnitId, why: Refusal, order: Option<Order>) -> String {
    let rules = scene.rules;
    let formation = |index: FormationId| &rules.formations[index];
    let named = |bar: &Bar| bar.id.replace('-', " ");
    let crewless = scene.battle.unit(unit).is_crewless();
    let text = match why {
        Refusal::Formation => match order {
            Some(Order::Form(wanted)) => format!("may not go to {}", formation(wanted).title),
            _ => "may not change formation".into(),
        },
        Refusal::Broken { turns: true } if crewless => "has no crew and does not turn".into(),
        Refusal::Broken { turns: false } if crewless => "has no crew and does not change formation".into(),
        Refusal::Broken { turns: true } => "is broken and does not turn".into(),
        Refusal::Broken { turns: false } => "is broken and does not change formation".into(),
        Refusal::NoRoom => "has no room".into(),
        Refusal::NoShift => "has no room among the units that touch it".into(),
        Refusal::Closed(row) => {
            let row = rules.movement.bar.as_ref().and_then(|bars| bars.rows.get(usize::from(row)));
            format!("may not go there: {}", row.map_or(String::new(), |row| row.id.replace('-', " ")))
        }
        Refusal::TooFar => "cannot go that far".into(),
        Refusal::NotInFront => "cannot charge an enemy that is not in its front arc".into(),
        Refusal::OutOfReach => "cannot reach its target".into(),
        Refusal::WheelTooLong => "cannot reach its target after the wheel towards it".into(),
        Refusal::MayNotCharge => "may not charge".into(),
        Refusal::NoTarget => "has no target in its front arc".into(),
        Refusal::Spent => "has already changed facing or formation".into(),
        Refusal::Barred(wanted, bar) => {
            let wanted = formation(wanted);
            format!("may not go to {}: {}", wanted.title, named(&wanted.bars[usize::from(bar)]))
        }
        Refusal::Ground(ground, bar) => {
            let ground = &rules.grounds[usize::from(ground)];
            format!("stops before the {}: {}", ground.title, named(&ground.bars[usize::from(bar)]))
        }
        Refusal::Ambiguous => "may not face two ways".into(),
        Refusal::FireZone => "stops before an enemy's fire zone".into(),
        Refusal::CannotDismount => "cannot dismount".into(),
        Refusal::Screen(ScreenRefusal::NoSkirmishers) => "has no skirmishers to deploy".into(),
        Refusal::Screen(ScreenRefusal::TooMany(_)) => "may not deploy that many skirmishers".into(),
        Refusal::Screen(ScreenRefusal::Bar(index)) => {
            let bar = rules.skirmish.as_ref().map(|skirmish| named(&skirmish.bars[usize::from(index)]));
            format!("may not deploy skirmishers: {}", bar.unwrap_or_default())
        }
        Refusal::Screen(ScreenRefusal::NobodyThere) => "has no unit to return to".into(),
        Refusal::TooWide(_) => "is too wide for the road".into(),
        Refusal::Held => "stands fast, held by a charge zone".into(),
        Refusal::Act { act, bar } => {
            let act = &rules.acts[usize::from(act)];
            format!("may not do this ({}): {}", act.title, act.bars[usize::from(bar)].title)
        }
        Refusal::NoContact { act } => {
            format!("does not touch its target, which this requires ({})", rules.acts[usize::from(act)].title)
        }
        Refusal::NoPoints { act } => format!("lacks the points for this ({})", rules.acts[usize::from(act)].title),
        Refusal::NoSquare => "touches no square that it may join".into(),
        Refusal::NoRoomForCannon => "touches a square that has no room for its cannon".into(),
        Refusal::NotInMove(wanted) => format!("may not go to {} in its move", formation(wanted).title),
        Refusal::BarredInMove(wanted, bar) => {
            // Guns that would leave a square are already in the formation whose bar forbids it.
            let verb = if scene.battle.unit(unit).formation == wanted { "leave" } else { "go to" };
            let wanted = formation(wanted);
            let bar = wanted.in_move.as_ref().map(|in_move| named(&in_move.bars[usize::from(bar)]));
            format!("may not {verb} {} in its move: {}", wanted.title, bar.unwrap_or_default())
        }
        Refusal::NoMove(wanted) => format!("does not have enough move left to go to {}", formation(wanted).title),
        Refusal::Forming(wanted) => format!("stands still to form {}", formation(wanted).title),
    };
    format!("{} {text}.", unit_name(scene, unit))
}
