//! Losses: how units lose figures, and how they answer for them.
//!
//! All units that lost figures answer to the same losses. For each reaction, everybody's condition is read and everybody's roll
//! is taken before anything comes of it; `hits` are forgotten when all have answered. Figures that an answer costs are answered
//! for in turn, by units that have not answered yet. Example: two units cost each other a figure; each of them tests with
//! `foe.hits` at 1, and neither knows whether the other has passed.

use arrayvec::ArrayVec;
use grognard_dice::Dice;
use grognard_rules::model::{Reaction, RollOutcome, Trigger};

use crate::mechanism::figures::skirmishers;
use crate::state::unit::{Flags, UNITS_MAX, UnitId};
use crate::state::unit_set::Units;
use crate::step::context::Context;
use crate::step::position::Position;
use crate::step::reactions::able_to_react;
use crate::telling::event::{Event, Occasion, Witness};

/// The answer of a unit to whoever cost it figures, if anybody did: settled, but not carried out.
type Answer = (UnitId, Option<UnitId>, RollOutcome);

impl<D: Dice, W: Witness> Context<'_, D, W> {
    /// Lets every unit that lost figures answer for it, once.
    pub(crate) fn answer_losses(&mut self) {
        if !self.scratch.hit {
            return;
        }
        let mut answered = Units::default();
        loop {
            let hit = |id: UnitId| self.battle.unit(id).hits > 0;
            let due = Units::first(self.battle.units.len()).but(answered).those(hit);
            if due.is_empty() {
                break;
            }
            answered = answered.plus(due);
            // The host of a square answers for all who stand in it (8.54).
            answer(self, due.those(|id| !self.battle.unit(id).flags.has(Flags::INSIDE)));
        }
        forget_hits(self);
    }
}

/// Takes figures off a unit, as many as it has at the most.
pub(crate) fn take_figures<D: Dice, W: Witness>(ctx: &mut Context<'_, D, W>, id: UnitId, figures: u16) {
    let unit = ctx.battle.unit_mut(id);
    let lost = figures.min(unit.figures);
    unit.figures -= lost;
    unit.hits += lost;
    ctx.tell(|| Event::Lost { unit: id, figures: lost });
}

/// Forgets what units have lost in this phase.
pub(crate) fn forget_hits(ctx: &mut Position<'_>) {
    if ctx.scratch.hit {
        for index in 0..ctx.battle.units.len() as u8 {
            *ctx.battle.hits_mut(UnitId(index)) = 0;
        }
    }
}

/// Carries out what these units answer to their losses.
fn answer<D: Dice, W: Witness>(ctx: &mut Context<'_, D, W>, mut due: Units) {
    let rules = ctx.rules;
    for (index, reaction) in rules.reactions.iter().enumerate().filter(|(_, row)| row.on == Trigger::Losses) {
        let mut answers = ArrayVec::<Answer, UNITS_MAX>::new();
        for id in due {
            // A group that has tested already is due no more.
            if due.has(id) {
                let (answer, rest) = settle_answer(ctx, index as u8, reaction, id, due);
                due = rest;
                answers.extend(answer);
            }
        }
        for (own, foe, outcome) in answers {
            if let Some(foe) = foe {
                ctx.apply(&outcome.foe, foe, own);
            }
            ctx.apply(&outcome.own, own, foe.unwrap_or(own));
        }
    }
}

/// What a unit answers by one reaction, if it may, and who is still due after it.
fn settle_answer<D: Dice, W: Witness>(
    ctx: &mut Context<'_, D, W>,
    index: u8,
    reaction: &Reaction,
    id: UnitId,
    due: Units,
) -> (Option<Answer>, Units) {
    let foe = Some(ctx.scratch.hit_by[id.index()]).filter(|&cause| cause != id);
    if !able_to_react(ctx, reaction, id, foe) {
        return (None, due);
    }
    let (own, group) = if ctx.setup.screens { skirmishers::tester(ctx, id) } else { (id, Units::default()) };
    let outcome = match reaction.roll {
        Some(roll) => ctx.cast(Occasion::Reaction(index), roll, own, foe),
        None => {
            ctx.tell(|| Event::Reacted { unit: own, reaction: index });
            RollOutcome { row: 0, own: reaction.own, foe: reaction.foe }
        }
    };
    // One check for the whole group.
    (Some((own, foe, outcome)), due.but(group).plus(Units::one(id)))
}
