//! The context of a step: the position, the dice and the witness.

use std::ops::{Deref, DerefMut};

use grognard_dice::Dice;
use grognard_rules::model::{Rules, Source};

use crate::state::{Battle, Setup, UnitId};
use crate::step::player::Player;
use crate::step::position::Position;
use crate::step::scratch::Scratch;
use crate::step::tracked_battle::TrackedBattle;
use crate::telling::event::{Event, Scene, SpecialEvent, Witness};

/// A battle in the middle of a step.
pub(crate) struct Context<'a> {
    pub(super) position: Position<'a>,
    pub(crate) dice: &'a mut dyn Dice,
    /// `None` if the battle has no witness; then nothing is computed for events.
    pub(crate) witness: Option<&'a mut dyn Witness>,
    /// A witness that sees only the start and end of turns and of the battle.
    turns: Option<&'a mut dyn Witness>,
    /// `None` if both sides follow their doctrine.
    pub(super) player: Option<&'a mut dyn Player>,
}

impl<'a> Deref for Context<'a> {
    type Target = Position<'a>;

    #[inline]
    fn deref(&self) -> &Position<'a> {
        &self.position
    }
}

impl<'a> DerefMut for Context<'a> {
    #[inline]
    fn deref_mut(&mut self) -> &mut Position<'a> {
        &mut self.position
    }
}

impl<'a> Context<'a> {
    /// A context for any number of steps. [`play_step`](crate::step::fight::play_step) begins each of them.
    pub(crate) fn new(
        rules: &'a Rules,
        setup: &'a Setup,
        battle: &'a mut Battle,
        dice: &'a mut dyn Dice,
        witness: &'a mut dyn Witness,
        scratch: &'a mut Scratch,
        player: Option<&'a mut dyn Player>,
    ) -> Self {
        let battle = TrackedBattle::new(battle, &scratch.positions);
        let (witness, turns) = match (witness.watches(), witness.only_turns()) {
            (false, _) => (None, None),
            (true, false) => (Some(witness), None),
            (true, true) => (None, Some(witness)),
        };
        Self { position: Position { rules, setup, battle, scratch }, dice, witness, turns, player }
    }

    /// Reports an event to the witness. Without a witness, the event is not even built.
    #[inline]
    pub(crate) fn tell(&mut self, event: impl FnOnce() -> Event) {
        if let Some(witness) = &mut self.witness {
            report(&mut **witness, scene(&self.position), &event());
        }
    }

    /// Reports an event that belongs to a single mechanism, with its own sentence and the row that it comes from.
    #[inline]
    pub(crate) fn tell_special(
        &mut self,
        who: (UnitId, Option<UnitId>),
        source: &Source,
        line: impl FnOnce(Scene<'_>) -> String,
    ) {
        tell_line(self, who, source, false, line);
    }
}

/// Reports an event of a single mechanism ahead of the next roll.
#[inline]
pub(crate) fn tell_ahead(
    ctx: &mut Context<'_>,
    who: (UnitId, Option<UnitId>),
    source: &Source,
    line: impl FnOnce(Scene<'_>) -> String,
) {
    tell_line(ctx, who, source, true, line);
}

#[inline]
fn tell_line(
    ctx: &mut Context<'_>,
    (unit, other): (UnitId, Option<UnitId>),
    source: &Source,
    ahead: bool,
    line: impl FnOnce(Scene<'_>) -> String,
) {
    if let Some(witness) = &mut ctx.witness {
        let scene = scene(&ctx.position);
        let event = SpecialEvent { unit, other, line: line(scene), source: source.clone(), ahead };
        report(&mut **witness, scene, &Event::Special(Box::new(event)));
    }
}

/// The current scene, for witnesses and players.
pub(crate) fn scene<'s>(position: &'s Position<'_>) -> Scene<'s> {
    let Position { rules, setup, battle, scratch } = position;
    Scene { rules, setup, battle, moment: scratch.moment() }
}

/// Kept out of line, because millions of battles have no witness.
#[cold]
fn report(witness: &mut dyn Witness, scene: Scene<'_>, event: &Event) {
    witness.see(scene, event);
}

/// Reports an event that begins or ends a turn or the battle.
#[inline]
pub(crate) fn tell_turn(ctx: &mut Context<'_>, event: impl FnOnce() -> Event) {
    if let Some(witness) = ctx.witness.as_mut().or(ctx.turns.as_mut()) {
        report(&mut **witness, scene(&ctx.position), &event());
    }
}

/// Whether turns are reported to a witness.
#[inline]
pub(crate) fn tells_turns(ctx: &Context<'_>) -> bool {
    ctx.witness.is_some() || ctx.turns.is_some()
}
