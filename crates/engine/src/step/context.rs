//! The field: everything one step works with, and what all mechanisms do alike - roll, apply effects, find enemies.

use grognard_dice::{Address, Dice, LANES, NTH_MAX, PURPOSES};
use grognard_expr::{Begun, Lookup};
use grognard_rules::model::{
    Activation, Contestant, Effect, INPUTS_MAX, Input, Reaction, Roll, RollOutcome, Rules, Site, Trigger,
};
use grognard_rules::situation::Subject;

use crate::geometry::hex;
use crate::geometry::plane::{Circle, Rect};
use crate::mechanism::figures::battery::has_cannon;
use crate::mechanism::figures::charge::{is_charged, strike_anew};
use crate::mechanism::figures::crew::{crew_leaves, crew_returns};
use crate::mechanism::figures::formation::{take_formation, take_retreat_formation};
use crate::mechanism::figures::movement::{face_away, fall_back, find_room};
use crate::mechanism::figures::screen::{screen_destroyed, screen_fails, sweep_along};
use crate::mechanism::figures::square::{share_morale, square_of};
use crate::mechanism::figures::{command, tether};
use crate::mechanism::points::act::open_fire;
use crate::mechanism::points::flight;
use crate::situation::facts::View;
use crate::situation::neighbours::Vicinity;
use crate::state::battle::{Battle, Flags, Setup, Unit, UnitId};
use crate::state::hex::NOBODY;
use crate::state::marks::Marks;
use crate::state::unit_set::Units;
use crate::step::scratch::Scratch;
use crate::step::watched::Watched;
use crate::telling::event::{Event, Occasion, RollEvent, Scene, Witness};

/// The stages of what is drawn more often than one stage has words for.
const AGAIN: u8 = 128;

/// A battle in the middle of a step.
pub(crate) struct Context<'a, D, W> {
    pub(crate) rules: &'a Rules,
    pub(crate) setup: &'a Setup,
    pub(crate) battle: Watched<'a>,
    pub(crate) dice: &'a mut D,
    witness: &'a mut W,
    pub(crate) scratch: &'a mut Scratch,
}

impl<'a, D: Dice, W: Witness> Context<'a, D, W> {
    /// For any number of steps; [`play_step`](crate::step::fight::play_step) begins each.
    pub(crate) fn new(
        rules: &'a Rules,
        setup: &'a Setup,
        battle: &'a mut Battle,
        dice: &'a mut D,
        witness: &'a mut W,
        scratch: &'a mut Scratch,
    ) -> Self {
        let battle = Watched::new(battle, &scratch.stands);
        Self { rules, setup, battle, dice, witness, scratch }
    }

    /// Tells the witness, if there is one.
    #[inline]
    pub(crate) fn tell(&mut self, event: impl FnOnce() -> Event) {
        if W::WATCHES {
            let scene = Scene { rules: self.rules, setup: self.setup, battle: &self.battle };
            self.witness.see(scene, &event());
        }
    }

    /// The situation of one unit with regard to another.
    #[inline]
    pub(crate) fn view(&self, own: UnitId, foe: Option<UnitId>) -> View<'_> {
        View::new(self.rules, self.setup, &self.battle, self.scratch, own, foe)
    }

    /// Who stands about a unit.
    #[inline]
    pub(crate) fn vicinity(&self) -> Vicinity<'_> {
        Vicinity { rules: self.rules, setup: self.setup, battle: &self.battle, scratch: self.scratch }
    }

    /// The rectangle that a unit stands on.
    #[inline]
    pub(crate) fn rect(&self, id: UnitId) -> Rect {
        self.scratch.stands.rect(self.rules, id, self.battle.unit(id))
    }

    /// The circles of that rectangle; vague ones where the unit fills a piece of terrain.
    #[inline]
    pub(crate) fn circle(&self, id: UnitId) -> Circle {
        self.scratch.stands.circle(self.rules, &self.battle, id)
    }

    /// Whether a condition holds for a pair of units; a condition that is not there always does.
    #[inline]
    pub(crate) fn holds(&self, when: Option<&Lookup>, own: UnitId, foe: Option<UnitId>) -> bool {
        when.is_none_or(|when| when.get(&self.view(own, foe)) != 0)
    }

    /// What is noted of a unit.
    #[inline]
    pub(crate) fn note(&self, id: UnitId) -> u64 {
        self.scratch.stands.note(self.rules, &self.battle, (id, self.battle.unit(id)))
    }

    /// A lookup for a unit, as far as what is noted of the unit decides: that is the same whichever enemy is looked at.
    #[inline]
    pub(crate) fn begin<'l>(&self, lookup: &'l Lookup, own: UnitId) -> Begun<'l> {
        lookup.begin(self.note(own), Subject::Own as u8)
    }

    /// Whether a condition holds for a unit and an enemy who is looked for only if he decides anything.
    #[inline]
    pub(crate) fn holds_for(
        &self,
        when: Option<&Lookup>,
        own: UnitId,
        foe: impl FnOnce(&Self, UnitId) -> Option<UnitId>,
    ) -> bool {
        when.is_none_or(|when| {
            let begun = self.begin(when, own);
            begun.told().unwrap_or_else(|| begun.get(&self.view(own, foe(self, own)))) != 0
        })
    }

    /// The enemies of a unit that are still on the table and not broken.
    #[inline]
    pub(crate) fn enemies(&self, of: UnitId) -> Units {
        self.vicinity().enemies(of).able
    }

    /// The enemies of a unit that are still on the table, broken ones too: they can be shot at and charged (7.53, 7.63).
    #[inline]
    pub(crate) fn targets(&self, of: UnitId) -> Units {
        self.vicinity().enemies(of).here
    }

    /// Takes a roll and carries out what it comes to.
    pub(crate) fn roll(&mut self, occasion: Occasion, roll: u8, own: UnitId, foe: Option<UnitId>) {
        let outcome = self.cast(occasion, roll, own, foe);
        if let Some(foe) = foe {
            self.apply(&outcome.foe, foe, own);
        }
        self.apply(&outcome.own, own, foe.unwrap_or(own));
    }

    /// Takes a roll: what it comes to, not yet carried out.
    pub(crate) fn cast(&mut self, occasion: Occasion, roll: u8, own: UnitId, foe: Option<UnitId>) -> RollOutcome {
        let own_view = self.view(own, foe);
        let inputs = self.rules.rolls[usize::from(roll)].read(&own_view, &own_view.turned());
        self.cast_with(occasion, roll, own, foe, inputs)
    }

    /// The same with inputs that are known.
    pub(crate) fn cast_with(
        &mut self,
        occasion: Occasion,
        roll: u8,
        own: UnitId,
        foe: Option<UnitId>,
        inputs: [i32; INPUTS_MAX],
    ) -> RollOutcome {
        let rules = self.rules;
        let compiled = &rules.rolls[usize::from(roll)];
        let at = compiled.at(&inputs);
        let address = address(self, occasion, own);
        let index = self.dice.decide(address, &at);
        let class = at.class(index);
        if W::WATCHES {
            tell_roll(self, occasion, roll, compiled, own, foe, &inputs, address, index);
        }
        compiled.outcomes[usize::from(class)]
    }

    /// The next address of a site for a lane. What is rolled away from its home phase has words of that phase's own, so that
    /// nobody draws one word in two phases.
    pub(crate) fn address_of(&mut self, site: Site, lane: u8) -> Address {
        // The sites of one half-turn lie together, so that its words are made together.
        let purpose = site.purpose + self.battle.active.index() as u8 * (PURPOSES / 2);
        let stage = if site.home == self.battle.phase { 0 } else { self.battle.phase + 1 };
        let drawn = self.scratch.drawn(purpose, lane);
        // Stages are those of a hundred phases at most: the upper half of the byte has room for as many words again.
        let stage = if drawn > NTH_MAX { stage | AGAIN } else { stage };
        Address { turn: self.battle.turn, stage, purpose, lane, nth: drawn & NTH_MAX }
    }

    /// Carries out the reactions of a unit to something another one did; whether there was any.
    pub(crate) fn react(&mut self, trigger: Trigger, own: UnitId, foe: UnitId) -> bool {
        let rules = self.rules;
        let mut any = false;
        for (index, reaction) in rules.reactions.iter().enumerate() {
            if reaction.on != trigger || !able_to_react(self, reaction, own, Some(foe)) {
                continue;
            }
            any = true;
            let own = if self.setup.screens { tether::tester(self, own).0 } else { own };
            if let Some(roll) = reaction.roll {
                self.roll(Occasion::Reaction(index as u8), roll, own, Some(foe));
            } else {
                self.tell(|| Event::Reacted { unit: own, reaction: index as u8 });
                self.apply(&reaction.foe, foe, own);
                self.apply(&reaction.own, own, foe);
            }
            if trigger == Trigger::Charged {
                self.answer_losses();
            }
        }
        any
    }

    /// What an outcome does to a unit, caused by another (or by itself).
    pub(crate) fn apply(&mut self, effect: &Effect, id: UnitId, cause: UnitId) {
        if effect.is_none() {
            return;
        }
        if self.scratch.joint.len() > 1 && self.scratch.joint.contains(&id) {
            // Those who charge together share what comes of it; what it sets off is the principal's.
            for other in self.scratch.joint.clone().into_iter().filter(|&other| other != id) {
                apply_to_one(self, &Effect { sets_off: None, ..*effect }, other, cause);
            }
        }
        apply_to_one(self, effect, id, cause);
    }

    /// Takes a unit off the table for good.
    pub(crate) fn remove(&mut self, id: UnitId, event: impl FnOnce(UnitId) -> Event) {
        self.tell(|| event(id));
        if self.battle.unit(id).flags.has(Flags::SCREEN) {
            screen_destroyed(self, id);
            return;
        }
        self.scratch.broken = true;
        let turn = self.battle.turn;
        let unit = self.battle.unit_mut(id);
        let mate = std::mem::replace(&mut unit.hex.mate, NOBODY);
        unit.flags.set(Flags::GONE);
        unit.flags.clear(Flags::CHARGING);
        if unit.broke == 0 {
            unit.broke = turn;
        }
        if mate != NOBODY {
            self.battle.unit_mut(UnitId(mate)).hex.mate = NOBODY;
        }
    }

    /// Puts a unit into another morale state where it stands, by nobody's doing.
    pub(crate) fn fall_into(&mut self, id: UnitId, morale: u8) {
        let before = *self.battle.unit(id);
        self.enter(id, morale);
        find_room(self, id, &before, id);
    }

    /// Puts a unit into another morale state, with what the state does to its formation, charge and facing.
    pub(crate) fn enter(&mut self, id: UnitId, morale: u8) {
        let rules = self.rules;
        let from = self.battle.unit(id).morale;
        let state = &rules.morale[usize::from(morale)];
        if state.broken && has_cannon(self, id) {
            // The guns stay, and their state is no worse than the last one before a rout (8.47).
            let shaken = rules.morale.iter().rposition(|state| !state.broken).unwrap_or(0) as u8;
            self.battle.unit_mut(id).morale = shaken.max(from);
            crew_leaves(self, id, morale);
            return;
        }
        let newly_broken = state.broken && !rules.morale[usize::from(from)].broken;
        if newly_broken && self.setup.screens {
            sweep_along(self, id);
        }
        let turn = self.battle.turn;
        let unit: &mut Unit = self.battle.unit_mut(id);
        unit.morale = morale;
        if newly_broken {
            self.scratch.broken = true;
            unit.flags.clear(Flags::CHARGING);
            unit.marks.clear(Marks::FIRING);
            if unit.broke == 0 {
                unit.broke = turn;
            }
        }
        let formation = state.formation.unwrap_or(state.becomes[usize::from(unit.formation)]);
        if newly_broken && state.flight > 0 {
            face_away(self, id);
        }
        self.tell(|| Event::Morale { unit: id, from });
        if morale > from {
            share_morale(self, id);
            take_formation(self, id, formation);
        }
        if newly_broken && state.flight > 0 {
            strike_anew(self, id);
        }
    }
}

/// All other units on the table.
#[inline]
pub(crate) fn others<D: Dice, W: Witness>(ctx: &Context<'_, D, W>, of: UnitId) -> Units {
    ctx.vicinity().others(of)
}

/// The nearest enemy that is not broken; if there is none, the nearest broken one.
pub(crate) fn nearest_target<D: Dice, W: Witness>(ctx: &Context<'_, D, W>, of: UnitId) -> Option<UnitId> {
    nearest_enemy(ctx, of)
        .or_else(|| ctx.targets(of).min_by_key(|&enemy| (ctx.view(of, Some(enemy)).distance(), enemy)))
}

/// The nearest enemy that is not broken; of several equally near ones the first.
pub(crate) fn nearest_enemy<D: Dice, W: Witness>(ctx: &Context<'_, D, W>, of: UnitId) -> Option<UnitId> {
    if ctx.rules.hex.is_some() {
        let at = ctx.battle.unit(of).front;
        return ctx.enemies(of).min_by_key(|&enemy| hex::distance(at, ctx.battle.unit(enemy).front));
    }
    let centre = ctx.circle(of).centre;
    ctx.enemies(of).min_by_key(|&enemy| ctx.circle(enemy).centre.square_distance(centre))
}

#[allow(clippy::too_many_arguments)] // the parts of one event, gathered in one place only
fn tell_roll<D: Dice, W: Witness>(
    ctx: &mut Context<'_, D, W>,
    occasion: Occasion,
    roll: u8,
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
    let base = |input: &Input| input.base.as_ref().map_or(0, |base| base.get(&own_view));
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

/// How many orders the active side may give in the half-turn, or in the orders phase, that begins.
pub(crate) fn count_orders<D: Dice, W: Witness>(ctx: &mut Context<'_, D, W>) {
    let rules = ctx.rules;
    let orders = match &rules.activation {
        Activation::All => u16::MAX,
        Activation::Orders(orders) => *orders,
        Activation::Dice { odds, site, .. } => {
            let at = odds.at(&[]);
            let side = ctx.battle.active.index() as u8;
            // The side itself rolls: the lanes after the last unit's are its own.
            let address = ctx.address_of(*site, LANES - 2 + side);
            let index = ctx.dice.decide(address, &at);
            let orders = at.class(index);
            if W::WATCHES {
                let faces = ctx.dice.shown(address, &at, index);
                ctx.tell(|| Event::Orders { orders, faces });
            }
            orders
        }
    };
    ctx.battle.beside_units().orders = orders;
}

/// Where the dice of this decision lie: by what asks for it and whose half-turn it is, then by the roller's lane.
fn address<D: Dice, W: Witness>(ctx: &mut Context<'_, D, W>, occasion: Occasion, own: UnitId) -> Address {
    let site = match occasion {
        Occasion::Phase(phase) => ctx.rules.phases[usize::from(phase)].site,
        Occasion::Reaction(reaction) => ctx.rules.reactions[usize::from(reaction)].site,
        Occasion::Provision(row) => {
            ctx.rules.hex.as_ref().map_or(Site::default(), |hex| hex.provisions[usize::from(row)].site)
        }
    };
    let lane = ctx.battle.unit(own).lane();
    ctx.address_of(site, lane)
}

pub(crate) fn able_to_react<D: Dice, W: Witness>(
    ctx: &Context<'_, D, W>,
    reaction: &Reaction,
    own: UnitId,
    foe: Option<UnitId>,
) -> bool {
    let unit = ctx.battle.unit(own);
    let charges = |enemy: &Unit| enemy.flags.has(Flags::CHARGING) && !enemy.gone();
    let charge_goes_on = reaction.on != Trigger::Charged || foe.is_some_and(|foe| charges(ctx.battle.unit(foe)));
    // A broken unit answers for nothing but what is done to it at close quarters.
    let able = !unit.broken(ctx.rules) || !matches!(reaction.on, Trigger::Charged | Trigger::Losses);
    able && !unit.gone() && charge_goes_on && ctx.holds(reaction.when.as_ref(), own, foe)
}

fn apply_to_one<D: Dice, W: Witness>(ctx: &mut Context<'_, D, W>, effect: &Effect, id: UnitId, cause: UnitId) {
    let before = *ctx.battle.unit(id);
    if before.gone() {
        return;
    }
    if effect.lose > 0 {
        ctx.lose(id, effect.lose, cause);
    }
    if effect.destroy {
        ctx.destroy(id);
    }
    if ctx.battle.unit(id).gone() {
        return;
    }
    if ctx.setup.screens && (effect.worsen > 0 || effect.morale.is_some()) {
        let unit = ctx.battle.unit(id);
        let is_screen = ctx.battle.is_screen(ctx.rules, unit);
        if is_screen && !ctx.battle.unit(ctx.battle.unit(id).kin).gone() {
            screen_fails(ctx, id, effect, cause);
            return;
        }
    }
    if effect.halt {
        ctx.battle.flags_mut(id).clear(Flags::CHARGING);
    }
    let unit = *ctx.battle.unit(id);
    let square = square_of(ctx, id);
    let worst = ctx.rules.morale.len() as u8 - 1;
    let mut from = unit.morale;
    if effect.worsen > 0 && (command::unsettled(ctx, id) || ctx.view(id, None).disorders(Subject::Own, &unit).is_some())
    {
        // It counts as disordered already, so that it may rout (8.47, 8.62).
        from = from.max(ctx.rules.first_shaken());
    }
    let shaken = ctx.rules.morale[usize::from(from)].shaken;
    let steps = effect.worsen + if shaken { effect.worsen_shaken } else { 0 };
    let mut morale = from.saturating_add(steps).min(worst);
    morale = effect.morale.map_or(morale, |state| morale.max(state));
    morale = effect.rally.map_or(morale, |state| morale.min(state));
    if let Some(state) = effect.rally.filter(|_| unit.away > 0) {
        crew_returns(ctx, id, state);
    } else if morale != unit.morale {
        ctx.enter(id, morale);
    }
    // Skirmishers that are a whole unit go back as one (9.48), unless a charge is upon them: that leaves them no time.
    let loose = ctx.rules.formations[usize::from(unit.formation)].spacing.is_some();
    let goes_back = loose && morale > unit.morale && !is_charged(ctx, id);
    let retires = ctx.rules.skirmish.as_ref().filter(|_| goes_back);
    let retreat = retires.map_or(effect.retreat, |skirmish| effect.retreat.max(skirmish.retires));
    if retreat > 0 {
        take_retreat_formation(ctx, id, cause);
        // Units of a square that is driven back go with it (8.54), those farthest from the enemy first.
        for member in square.into_iter().rev() {
            if !ctx.battle.unit(member).gone() {
                take_retreat_formation(ctx, member, cause);
                fall_back(ctx, member, retreat, cause);
            }
        }
        fall_back(ctx, id, retreat, cause);
    } else if !effect.flee {
        // Who flees is on its way, whatever room its new formation has here.
        find_room(ctx, id, &before, cause);
    }
    if effect.open_fire && !ctx.battle.unit(id).marks.has(Marks::FIRING) {
        open_fire(ctx, id);
    }
    if effect.flee {
        flight::flee(ctx, id, cause);
    }
    ctx.scratch.pursue |= effect.pursue;
    if let Some(trigger) = effect.sets_off {
        ctx.react(trigger, id, cause);
    }
}
