//! Losses: how units lose figures, and how they react to losses.
//!
//! All units that lost figures react to the same losses. For each reaction, the engine reads the conditions and makes
//! the rolls of all units before it applies any result. `hits` are cleared once all have reacted. If a reaction costs
//! figures, units that have not reacted yet then react to these losses. Example: two units each cost the other a
//! figure. Each tests with `foe.hits` at 1, and neither test depends on the result of the other.

use arrayvec::ArrayVec;
use grognard_rules::model::{Reaction, RollOutcome, Trigger};

use crate::mechanism::common::reshape::keep_shape;
use crate::mechanism::common::units::has_cannon;
use crate::mechanism::figures::skirmishers::{in_order_of_tests, tested_with};
use crate::state::{Flags, UNITS_MAX, UnitId, Units};
use crate::step::context::Context;
use crate::step::position::Position;
use crate::step::reactions::able_to_react;
use crate::telling::event::{Event, Occasion};

/// A unit's reaction to its losses, with the enemy that caused them, if any. It is rolled but not yet applied.
type Answer = (UnitId, Option<UnitId>, RollOutcome);

impl Context<'_> {
    /// Lets every unit that lost figures react once.
    #[inline]
    pub(crate) fn answer_losses(&mut self) {
        if self.scratch.hit {
            answer_all(self);
        }
    }
}

/// Kept out of line, because it uses several pages of the stack and hardly any phase costs figures.
#[inline(never)]
fn answer_all(ctx: &mut Context<'_>) {
    let mut answered = Units::default();
    loop {
        let due = concerned(ctx).but(answered);
        if due.is_empty() {
            break;
        }
        answered = answered.plus(due);
        answer(ctx, due);
    }
    forget_hits(ctx);
}

/// The units that react to the losses of this phase: all units with losses, with the host in place of units inside a
/// square (8.54). Losses of guns inside a square do not concern the square.
fn concerned(ctx: &Position<'_>) -> Units {
    let hit = Units::first(ctx.battle.units.len()).those(|id| ctx.battle.unit(id).hits > 0);
    let inside = hit.those(|id| ctx.battle.unit(id).flags.has(Flags::INSIDE));
    let on_foot = inside.those(|id| !has_cannon(ctx, id));
    on_foot.fold(hit.but(inside), |all, id| all.plus(Units::one(ctx.battle.host_of(id))))
}

/// Removes figures from a unit, at most as many as it has.
pub(crate) fn take_figures(ctx: &mut Context<'_>, id: UnitId, figures: u16) {
    let unit = ctx.battle.unit_mut(id);
    let lost = figures.min(unit.figures);
    unit.figures -= lost;
    unit.hits += lost;
    ctx.tell(|| Event::Lost { unit: id, figures: lost });
}

/// Gives figures back to a unit that has any left, up to the number that it has lost. Crew figures that have run away
/// from their guns are not lost.
pub(crate) fn give_back(ctx: &mut Context<'_>, id: UnitId, figures: u16) {
    let unit = *ctx.battle.unit(id);
    let gained = figures.min(unit.start - unit.figures - unit.away);
    if unit.figures == 0 || gained == 0 {
        return;
    }
    ctx.battle.unit_mut(id).figures += gained;
    ctx.tell(|| Event::Regained { unit: id, figures: gained });
    keep_shape(ctx, id);
}

/// Clears the losses of this phase.
pub(crate) fn forget_hits(ctx: &mut Position<'_>) {
    if ctx.scratch.hit {
        for index in 0..ctx.battle.units.len() as u8 {
            *ctx.battle.hits_mut(UnitId(index)) = 0;
        }
    }
}

/// Rolls and carries out the reactions of these units to their losses.
fn answer(ctx: &mut Context<'_>, mut due: Units) {
    let rules = ctx.rules;
    for (index, reaction) in rules.reactions.iter().enumerate().filter(|(_, row)| row.on == Trigger::Losses) {
        let mut answers = ArrayVec::<Answer, UNITS_MAX>::new();
        for id in in_order_of_tests(ctx, due) {
            // A group tests only once.
            if due.has(id) {
                let (answer, rest) = settle_answer(ctx, index as u8, reaction, id, due);
                due = rest;
                answers.extend(answer);
            }
        }
        // The answers are read by reference: moving the list, with all its capacity, would take longer than applying
        // them.
        for &(own, foe, ref outcome) in &answers {
            if let Some(foe) = foe {
                ctx.apply(&outcome.foe, foe, own);
            }
            ctx.apply(&outcome.own, own, foe.unwrap_or(own));
        }
    }
}

/// Rolls one reaction of a unit, if it may react, and returns which units are still due.
fn settle_answer(
    ctx: &mut Context<'_>,
    index: u8,
    reaction: &Reaction,
    id: UnitId,
    due: Units,
) -> (Option<Answer>, Units) {
    let hit_by = |ctx: &Position<'_>, id: UnitId| ctx.scratch.hit_by[id.index()].filter(|&cause| cause != id);
    let foe = hit_by(ctx, id);
    if !able_to_react(ctx, reaction, id, foe) {
        return (None, due);
    }
    let (outcome, group) = match reaction.roll {
        Some(roll) => ctx.cast_for_group(Occasion::Reaction(index), roll, id, foe),
        None => {
            ctx.tell(|| Event::Reacted { unit: id, reaction: index });
            (RollOutcome { row: 0, own: reaction.own, foe: reaction.foe }, Units::default())
        }
    };
    // There is one roll for the whole group. The outcome applies to the unit that was hit and to its group (9.49).
    let tested = tested_with(ctx, group.among(due), (id, foe), |other| hit_by(ctx, other));
    (Some((id, foe, outcome)), due.but(tested).plus(Units::one(id)))
}
