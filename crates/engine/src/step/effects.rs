//! Effects of an outcome on a unit: losses, morale, retreats and flights.

use grognard_rules::model::{Effect, Mechanism, MoraleId};
use grognard_rules::situation::Subject;

use crate::mechanism::common::counters::count;
use crate::mechanism::common::reshape::{
    close_up, depth_of_column, held_contact, keep_depth, keep_shape, take_formation, take_retreat_formation,
};
use crate::mechanism::common::units::{self, has_cannon, square_of, worsened};
use crate::mechanism::figures::casualties::{host_falls, lose_of_battery, lose_of_square};
use crate::mechanism::figures::charge::strike_anew;
use crate::mechanism::figures::command;
use crate::mechanism::figures::crew::{crew_leaves, crew_returns};
use crate::mechanism::figures::falling_back::{face_away, fall_back, find_room, turn_away_again};
use crate::mechanism::figures::screen::{fall, rejoin, screen_destroyed, screen_fails, sweep_along};
use crate::mechanism::figures::square::{share_morale, share_recovery};
use crate::mechanism::points::act::open_fire;
use crate::mechanism::points::flight;
use crate::mechanism::points::general::lose_general_of;
use crate::situation::open_order::other_part;
use crate::state::{Flags, Marks, Maybe, Unit, UnitId};
use crate::step::context::Context;
use crate::step::losses::{give_back, take_figures};
use crate::telling::event::{Event, Why};

impl Context<'_> {
    /// Applies an effect to a unit. `cause` is the unit that causes it, which may be the unit itself.
    pub(crate) fn apply(&mut self, effect: &Effect, id: UnitId, cause: UnitId) {
        if effect.is_none() {
            return;
        }
        if self.scratch.holds_back {
            self.scratch.held_back.push((*effect, id, cause));
            return;
        }
        if self.scratch.joint.len() > 1 && self.scratch.joint.contains(&id) {
            // Units that charge together share the effect. Only the principal charger triggers reactions and calls
            // units.
            for other in self.scratch.joint.clone().into_iter().filter(|&other| other != id) {
                apply_to_one(self, &Effect { sets_off: None, calls: None, ..*effect }, other, cause);
            }
        }
        apply_to_one(self, effect, id, cause);
    }

    /// Removes a unit permanently, with its general if it has one.
    pub(crate) fn remove(&mut self, id: UnitId, event: impl FnOnce(UnitId) -> Event) {
        self.tell(|| event(id));
        if self.battle.unit(id).flags.has(Flags::SCREEN) {
            screen_destroyed(self, id);
            return;
        }
        self.scratch.broken = true;
        let turn = self.battle.turn;
        let unit = self.battle.unit_mut(id);
        let mate = unit.hex.mate.take();
        unit.flags.set(Flags::GONE);
        unit.flags.clear(Flags::CHARGING);
        if unit.broke == 0 {
            unit.broke = turn;
        }
        if let Some(mate) = mate {
            self.battle.unit_mut(mate).hex.mate = Maybe::NONE;
        }
        lose_general_of(self, id);
    }

    /// Puts a unit into another morale state that no enemy has caused, and finds room for it.
    pub(crate) fn fall_into(&mut self, id: UnitId, morale: MoraleId) {
        let before = *self.battle.unit(id);
        self.enter(id, morale);
        find_room(self, id, &before, id);
    }

    /// Puts a unit into another morale state, and applies the effects of that state on formation, charge and facing.
    pub(crate) fn enter(&mut self, id: UnitId, morale: MoraleId) {
        let rules = self.rules;
        let from = self.battle.unit(id).morale;
        let state = &rules.morale[morale];
        if state.broken && has_cannon(self, id) {
            // The guns stay behind and cannot rout: their morale stops at the last state above the broken ones (8.47).
            let shaken = rules.morale.ids().rfind(|&state| !rules.morale[state].broken).unwrap_or(MoraleId::FIRST);
            self.battle.unit_mut(id).morale = shaken.max(from);
            if self.battle.unit(id).figures > 0 {
                crew_leaves(self, id, morale);
            }
            return;
        }
        let newly_broken = state.broken && !rules.morale[from].broken;
        if newly_broken && self.setup.screens {
            sweep_along(self, id);
        }
        let turn = self.battle.turn;
        let unit: &mut Unit = self.battle.unit_mut(id);
        unit.morale = morale;
        if newly_broken {
            unit.flags.clear(Flags::CHARGING);
            unit.marks.clear(Marks::FIRING);
            if unit.broke == 0 {
                unit.broke = turn;
            }
        }
        let formation = state.formation.unwrap_or(state.becomes[unit.formation]);
        self.scratch.broken |= newly_broken;
        if newly_broken && state.flight > 0 {
            face_away(self, id);
        }
        self.tell(|| Event::Morale { unit: id, from });
        if morale > from {
            share_morale(self, id);
            take_formation(self, id, formation);
        } else if morale < from {
            if rules.square.is_some() {
                share_recovery(self, id);
            }
            if !state.shaken {
                // If disorder put a unit into column that is too small for one, it is now no longer a column (8.31,
                // 9.11).
                keep_shape(self, id);
            }
        }
        if newly_broken && state.flight > 0 {
            strike_anew(self, id);
        }
    }

    /// Removes figures from a unit, or hits it.
    pub(crate) fn lose(&mut self, id: UnitId, figures: u16, cause: UnitId) {
        self.scratch.hit = true;
        self.scratch.hit_by[id.index()] = Some(cause);
        if self.rules.square.is_some() && units::members(self, id).next().is_some() {
            lose_of_square(self, id, figures, cause);
            return;
        }
        if has_cannon(self, id) {
            lose_of_battery(self, id, figures, cause);
            return;
        }
        let depth = depth_of_column(self, id);
        let contact = held_contact(self, id);
        take_figures(self, id, figures);
        if self.battle.unit(id).figures == 0 {
            fall(self, id);
        } else {
            if let Some(depth) = depth {
                keep_depth(self, id, depth);
            }
            keep_shape(self, id);
            if let Some(contact) = contact {
                close_up(self, id, contact);
            }
        }
    }

    /// Removes a unit. All its figures count as lost, except for those deployed. If it is a square, only the host is
    /// removed.
    pub(crate) fn destroy(&mut self, id: UnitId) {
        let hosts = self.rules.square.is_some() && units::members(self, id).next().is_some();
        let stood = hosts.then(|| self.rect(id));
        let left = self.battle.unit(id).figures;
        if left > 0 {
            self.scratch.hit = true;
            take_figures(self, id, left);
        }
        match stood {
            Some(stood) => host_falls(self, id, &stood),
            None => fall(self, id),
        }
    }
}

pub(crate) fn apply_to_one(ctx: &mut Context<'_>, effect: &Effect, id: UnitId, cause: UnitId) {
    let unhurt = *ctx.battle.unit(id);
    if unhurt.gone() {
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
    // After losses alone, only broken units and merged squares look for room (7.41).
    let looks = unhurt.broken(ctx.rules) || unhurt.guests > 0;
    let before = if looks { unhurt } else { *ctx.battle.unit(id) };
    if effect.gain > 0 {
        give_back(ctx, id, effect.gain);
    }
    if effect.counts.changed != 0 {
        count(ctx, &effect.counts, id, cause);
        if ctx.battle.unit(id).gone() {
            return;
        }
    }
    if ctx.setup.screens && (effect.worsen > 0 || effect.morale.is_some()) {
        let unit = ctx.battle.unit(id);
        let is_screen = ctx.battle.is_screen(ctx.rules, unit);
        if is_screen && !ctx.battle.unit(ctx.battle.host_of(ctx.battle.unit(id).kin)).gone() {
            screen_fails(ctx, id, effect, cause);
            return;
        }
    }
    if effect.halt {
        ctx.battle.flags_mut(id).clear(Flags::CHARGING);
    }
    let unit = *ctx.battle.unit(id);
    let square = square_of(ctx, id);
    let mut from = unit.morale;
    if effect.worsen > 0 && (command::unsettled(ctx, id) || ctx.view(id, None).disorders(Subject::Own, &unit).is_some())
    {
        // The unit already counts as disordered, so it may rout (8.47, 8.62).
        from = from.max(ctx.rules.first_shaken());
    }
    let mut morale = worsened(ctx.rules, from, effect);
    morale = effect.morale.map_or(morale, |state| morale.max(state));
    morale = effect.rally.map_or(morale, |state| morale.min(state));
    // Skirmishers fall back together when they fail a check. So do both parts of a unit that test as one, whether or
    // not they are charged (9.48). The effect of shock is not a check.
    let loose = ctx.rules.formations[unit.formation].spacing.is_some();
    let shock = matches!(ctx.rules.phases[usize::from(ctx.battle.phase)].mechanism, Mechanism::Shock(_));
    let fails = morale > unit.morale && !shock;
    let screen = if fails && ctx.setup.screens { other_part(ctx.rules, &ctx.battle, id) } else { None };
    let goes_back = fails && (loose || screen.is_some());
    if let Some(screen) = screen {
        rejoin(ctx, screen, ctx.battle.unit(screen).figures, Why::SharedFate);
    }
    if let Some(state) = effect.rally.filter(|_| unit.away > 0) {
        crew_returns(ctx, id, state);
    } else if morale != unit.morale {
        ctx.enter(id, morale);
    }
    let retires = ctx.rules.skirmish.as_ref().filter(|_| goes_back);
    let retreat = retires.map_or(effect.retreat, |skirmish| effect.retreat.max(skirmish.retires));
    if retreat > 0 {
        fall_into_formation(ctx, id, cause);
        // If a square is driven back, its units go with it (8.54), starting with the one farthest from the enemy.
        for member in square.into_iter().rev() {
            if !ctx.battle.unit(member).gone() {
                fall_into_formation(ctx, member, cause);
                fall_back(ctx, member, retreat, cause);
            }
        }
        fall_back(ctx, id, retreat, cause);
    } else if !effect.flee {
        // A fleeing unit leaves at once, so its new formation needs no room here.
        find_room(ctx, id, &before, cause);
        // When a square breaks without falling back, the battalions let out of it turn in their new places (7.44).
        for member in square {
            if !ctx.battle.unit(member).gone() {
                turn_away_again(ctx, member);
            }
        }
    }
    if effect.open_fire && !ctx.battle.unit(id).marks.has(Marks::FIRING) {
        open_fire(ctx, id);
    }
    if effect.flee {
        flight::flee(ctx, id, cause);
    }
    ctx.scratch.pursue |= effect.pursue;
    if let Some(kind) = effect.calls {
        ctx.scratch.calls.push((id, kind));
    }
    if let Some(trigger) = effect.sets_off {
        ctx.react(trigger, id, cause);
    }
}

/// Puts a unit that is driven back into the formation of its morale state. If that gives it a flank and a rear, charges
/// on it strike in the arc that it shows them before it falls back (7.11, 7.22).
fn fall_into_formation(ctx: &mut Context<'_>, id: UnitId, cause: UnitId) {
    let faces_all_round = |ctx: &Context<'_>| ctx.rules.formations[ctx.battle.unit(id).formation].all_round;
    let before = faces_all_round(ctx);
    take_retreat_formation(ctx, id, cause);
    if before && !faces_all_round(ctx) {
        strike_anew(ctx, id);
    }
}
