//! Reactions of units to events.

use grognard_roll::Mechanic;
use grognard_rules::model::{Mechanism, Reaction, Rules, Trigger};

use crate::mechanism::common::units::is_abandoned;
use crate::mechanism::figures::opportunity::could_tell;
use crate::mechanism::figures::skirmishers::tested_with;
use crate::state::{Flags, Unit, UnitId, Units};
use crate::step::context::Context;
use crate::step::position::Position;
use crate::telling::event::{Event, Occasion};

impl Context<'_> {
    /// Carries out a unit's reactions to another unit's action. Returns the group of skirmishers for which its check
    /// was made (9.49).
    pub(crate) fn react(&mut self, trigger: Trigger, own: UnitId, foe: UnitId) -> Units {
        let rules = self.rules;
        let mut tested = Units::default();
        for (index, reaction) in rules.reactions.iter().enumerate() {
            if reaction.on != trigger || !able_to_react(self, reaction, own, Some(foe)) {
                continue;
            }
            if let Some(roll) = reaction.roll {
                let (outcome, group) = self.cast_for_group(Occasion::Reaction(index as u8), roll, own, Some(foe));
                if fires(rules, reaction) {
                    self.battle.flags_mut(own).set(Flags::FIRED);
                } else {
                    tested = tested.plus(tested_with(self, group, (own, Some(foe)), |_| Some(foe)));
                }
                self.apply(&outcome.foe, foe, own);
                self.apply(&outcome.own, own, foe);
            } else {
                self.tell(|| Event::Reacted { unit: own, reaction: index as u8 });
                self.apply(&reaction.foe, foe, own);
                self.apply(&reaction.own, own, foe);
            }
            if trigger == Trigger::Charged {
                self.answer_losses();
            }
        }
        tested
    }
}

pub(crate) fn able_to_react(ctx: &Position<'_>, reaction: &Reaction, own: UnitId, foe: Option<UnitId>) -> bool {
    let unit = ctx.battle.unit(own);
    let charges = |enemy: &Unit| enemy.flags.has(Flags::CHARGING) && !enemy.gone();
    let charge_goes_on = reaction.on != Trigger::Charged || foe.is_some_and(|foe| charges(ctx.battle.unit(foe)));
    // A broken unit reacts only at close quarters, and guns without a crew do not react at all (8.45).
    let able =
        !unit.broken(ctx.rules) || !matches!(reaction.on, Trigger::Charged | Trigger::Threatened | Trigger::Losses);
    let able = able && !is_abandoned(ctx, own);
    // A unit whose change of formation takes the whole turn does not fire in that turn (8.43).
    let able = able && !(unit.forming.is_some() && fires(ctx.rules, reaction));
    // There are no opposed rolls against an enemy that is gone or has broken.
    let faced = |foe: &UnitId| *foe != own && !ctx.battle.unit(*foe).gone() && !ctx.battle.unit(*foe).broken(ctx.rules);
    let able = able && (foe.as_ref().is_some_and(faced) || !against_dice(ctx.rules, reaction));
    let able = able && !unit.gone() && charge_goes_on && ctx.holds(reaction.when.as_ref(), own, foe);
    let in_zone = matches!(reaction.on, Trigger::TurnsInZone | Trigger::PivotsInZone | Trigger::FormsInZone);
    let shot = foe.zip(reaction.roll).filter(|_| able && in_zone && fires(ctx.rules, reaction));
    able && shot.is_none_or(|(foe, roll)| could_tell(ctx, own, foe, roll))
}

/// Whether the enemy also rolls.
fn against_dice(rules: &Rules, reaction: &Reaction) -> bool {
    let mechanic = reaction.roll.map(|roll| &rules.rolls[roll].mechanic);
    matches!(mechanic, Some(Mechanic::Opposed(_) | Mechanic::Ranked(_)))
}

/// Whether a reaction is fire, that is, uses the roll of a fire phase.
pub(crate) fn fires(rules: &Rules, reaction: &Reaction) -> bool {
    let of = |mechanism: &Mechanism| match mechanism {
        Mechanism::Fire(roll) | Mechanism::Volley(roll) => Some(*roll),
        _ => None,
    };
    reaction.roll.is_some() && rules.phases.iter().any(|phase| of(&phase.mechanism) == reaction.roll)
}
