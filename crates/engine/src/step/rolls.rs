//! Rolls: the inputs of a roll, the address of its dice, and its outcome.

use grognard_dice::{Address, NTH_MAX, PURPOSES};
use grognard_rules::model::{Contestant, INPUTS_MAX, Input, Roll, RollId, RollOutcome, Site};
use grognard_rules::situation::Subject;

use crate::mechanism::common::retake::is_rallied;
use crate::mechanism::figures::skirmishers;
use crate::state::{UnitId, Units};
use crate::step::context::{Context, tell_ahead};
use crate::telling::event::{Event, Occasion, RollEvent};
use crate::telling::narrator::words::unit_name;

impl Context<'_> {
    /// Takes a roll and applies its outcome.
    pub(crate) fn roll(&mut self, occasion: Occasion, roll: RollId, own: UnitId, foe: Option<UnitId>) {
        let outcome = self.cast(occasion, roll, own, foe);
        if let Some(foe) = foe {
            self.apply(&outcome.foe, foe, own);
        }
        self.apply(&outcome.own, own, foe.unwrap_or(own));
    }

    /// Takes a roll and returns its outcome without applying it.
    pub(crate) fn cast(&mut self, occasion: Occasion, roll: RollId, own: UnitId, foe: Option<UnitId>) -> RollOutcome {
        let roll = if self.rules.rolls[roll].instead.is_none() { roll } else { instead(self, roll, own, foe) };
        let own_view = self.view(own, foe);
        let inputs = self.rules.rolls[roll].read(&own_view, &own_view.turned());
        let outcome = self.cast_with(occasion, roll, own, foe, inputs);
        match &self.rules.rolls[roll].retake {
            Some(retake) if retake.of.contains(&outcome.row) && is_rallied(self, retake, own, foe) => {
                self.cast_with(occasion, roll, own, foe, inputs)
            }
            _ => outcome,
        }
    }

    /// Takes a roll for a unit and returns its group. Skirmishers who test as a group use the best rating in it (9.49).
    ///
    /// All other values are the unit's own, because it is the one that was charged or shot at. The outcome applies to
    /// the unit and to its group.
    pub(crate) fn cast_for_group(
        &mut self,
        occasion: Occasion,
        roll: RollId,
        own: UnitId,
        foe: Option<UnitId>,
    ) -> (RollOutcome, Units) {
        let (best, group) =
            if self.setup.screens { skirmishers::best_rated(self, own, foe) } else { (own, Units::default()) };
        self.scratch.rated = (best != own).then_some((own, best));
        let outcome = self.cast(occasion, roll, own, foe);
        self.scratch.rated = None;
        (outcome, group)
    }

    /// Takes a roll whose inputs are known.
    pub(crate) fn cast_with(
        &mut self,
        occasion: Occasion,
        roll: RollId,
        own: UnitId,
        foe: Option<UnitId>,
        inputs: [i32; INPUTS_MAX],
    ) -> RollOutcome {
        let rules = self.rules;
        let compiled = &rules.rolls[roll];
        let at = compiled.at(&inputs);
        let address = address(self, occasion, own);
        let index = self.dice.decide(address, &at);
        let class = at.class(index);
        if self.witness.is_some() {
            tell_roll(self, occasion, roll, compiled, own, foe, &inputs, address, index);
        }
        compiled.outcomes[usize::from(class)]
    }

    /// The next address for a site and a lane. A roll outside its home phase uses words of the current phase, so that
    /// no word is drawn in two phases.
    pub(crate) fn address_of(&mut self, site: Site, lane: u8) -> Address {
        // The sites of one half-turn are next to each other, so that their words come from the same block.
        let active = self.battle.active.index();
        let purpose = site.purpose + (active % 2) as u8 * (PURPOSES / 2);
        let stage = if site.home == self.battle.phase { 0 } else { self.battle.phase + 1 };
        let drawn = self.scratch.drawn(purpose, lane);
        let again = drawn > NTH_MAX;
        let stage = match self.battle.acting.as_deref() {
            Some(acting) => acting.stage(stage, again, self.rules.phases.len()),
            // There are at most a hundred phases, so the next bit is free to double the number of words.
            None if again => u16::from(stage | AGAIN),
            None => u16::from(stage),
        };
        // The third and fourth sides use the purposes of the first two, at separate stages. Activations have separate
        // stages anyway.
        let stage = if active > 1 && !self.rules.goes_by_unit() { stage + LATER_SIDES } else { stage };
        Address { turn: self.battle.turn, stage, purpose, lane, nth: drawn & NTH_MAX }
    }
}

/// The roll that a unit takes instead of this one.
fn instead(ctx: &mut Context<'_>, roll: RollId, own: UnitId, foe: Option<UnitId>) -> RollId {
    let rules = ctx.rules;
    let Some(row) = rules.rolls[roll].replaced(&ctx.view(own, foe)) else { return roll };
    tell_ahead(ctx, (own, foe), &row.source, |scene| {
        let [taken, replaced] = [row.roll, roll].map(|roll| &scene.rules.rolls[roll].title);
        format!("{}: {taken} instead of {replaced}.", unit_name(scene, own))
    });
    row.roll
}

/// The offset added to the stage of a decision that is drawn more often than one stage has words.
pub(crate) const AGAIN: u8 = 128;

/// The offset added to the stages of the third and fourth sides. It is more than the number of stages in half a turn.
const LATER_SIDES: u16 = 256;

#[allow(clippy::too_many_arguments)] // all of them are parts of one event
pub(crate) fn tell_roll(
    ctx: &mut Context<'_>,
    occasion: Occasion,
    roll: RollId,
    compiled: &Roll,
    own: UnitId,
    foe: Option<UnitId>,
    inputs: &[i32; INPUTS_MAX],
    address: Address,
    index: usize,
) {
    let at = compiled.at(inputs);
    let faces = ctx.dice.shown(address, &at, index);
    let own_view = ctx.view(own, foe);
    let foe_view = own_view.turned();
    let mut modifiers = Vec::new();
    for (input, read) in compiled.inputs.iter().enumerate() {
        let view = match read.by {
            Contestant::Own => &own_view,
            Contestant::Foe => &foe_view,
        };
        for &row in &read.rows {
            let modifier = &compiled.modifiers[usize::from(row)];
            if modifier.when.as_ref().is_none_or(|when| when.eval(view) != 0) {
                modifiers.push((input, usize::from(row)));
            }
        }
    }
    let base = |input: &Input| {
        let fixed = input.ladder.as_ref().map_or(0, |ladder| ladder.fixed);
        fixed + input.base.as_ref().map_or(0, |base| base.get(&own_view))
    };
    let bases = compiled.inputs.iter().map(base).collect();
    let distance = own_view.distance();
    let exposed = (own_view.exposed(Subject::Own), own_view.exposed(Subject::Foe));
    let event = RollEvent {
        occasion,
        roll,
        own,
        foe,
        exposed,
        distance,
        inputs: inputs[..compiled.inputs.len()].to_vec(),
        bases,
        modifiers,
        faces,
        outcome: at.class(index),
    };
    ctx.tell(|| Event::Rolled(Box::new(event)));
}

/// The address of a decision, by its purpose, the half-turn and the roller's lane.
pub(crate) fn address(ctx: &mut Context<'_>, occasion: Occasion, own: UnitId) -> Address {
    let site = match occasion {
        Occasion::Phase(phase) => ctx.rules.phases[usize::from(phase)].site,
        Occasion::Reaction(reaction) => ctx.rules.reactions[usize::from(reaction)].site,
        Occasion::Provision(row) => {
            ctx.rules.hex.as_ref().map_or(Site::default(), |hex| hex.provisions[usize::from(row)].site)
        }
        Occasion::Activation => {
            let test = ctx.rules.turn_order.as_ref().and_then(|order| order.test.as_ref());
            test.map_or(Site::default(), |test| test.site)
        }
        Occasion::Arrival => {
            let roll = ctx.rules.arrival.as_ref().and_then(|arrival| arrival.roll.as_ref());
            roll.map_or(Site::default(), |roll| roll.site)
        }
    };
    let lane = ctx.battle.lane_of(own);
    ctx.address_of(site, lane)
}
