//! Points: rolled at the start of an orders phase, allotted to the generals, and lost at its end.
//!
//! Without generals, a side makes one roll of the pack's dice. With generals, it makes one roll for each command whose
//! general is there. With a plan, the highest roll goes to the first name on it, the next to the second, and so on;
//! without a plan, all get the average, rounded down. A bad superior may spoil a general's allotment, his own quality
//! changes it, and superiors who are near enough add to it. Superiors support the general whose units are nearest to
//! the enemy, or the one that the side's player chooses. The result is never below 0. Units use the points of their own
//! command, and pay more while its general is with another unit.
//!
//! Example: three generals A, B and C roll 5, 4 and 1. Without a plan, each has 10/3, rounded down to 3; with the plan
//! A, B, C, they have 5, 4 and 1.

use std::cmp::Ordering;

use arrayvec::ArrayVec;
use grognard_dice::NTH_MAX;
use grognard_rules::model::{Activation, Generals, Role};

use crate::mechanism::common::units;
use crate::situation::occupied::ground_of;
use crate::situation::points::{has_generals, plan_now, purse};
use crate::situation::sight::FAR;
use crate::state::{Allowance, GENERALS_MAX, Side, UnitId};
use crate::step::activation::count_orders;
use crate::step::asking::{ask, is_played};
use crate::step::player::Offer;
use crate::step::{Context, Position};
use crate::telling::event::{Event, GeneralEvent, Share};

/// A command that gets a die this turn.
#[derive(Clone, Copy)]
struct Slot {
    /// The command's first general, whose name the plan uses.
    name: usize,
    /// Its current general.
    general: usize,
    command: u8,
}

/// Rolls for the points of an orders phase, unless they have been rolled already.
pub(crate) fn deal(ctx: &mut Context<'_>, side: Side) {
    if ctx.battle.orders != Allowance::NotRolled {
        return;
    }
    match &ctx.rules.generals {
        Some(generals) if has_generals(ctx.setup, side) => {
            ctx.battle.beside_units().orders = Allowance::Left(0);
            deal_to_generals(ctx, generals, side);
        }
        _ => count_orders(ctx),
    }
}

/// Discards the points left over at the end of an orders phase.
pub(crate) fn discard(ctx: &mut Position<'_>) {
    if ctx.battle.orders != Allowance::Any {
        ctx.battle.beside_units().orders = Allowance::NotRolled;
    }
    for command in &mut ctx.battle.beside_units().commands {
        (command.points, command.busy) = (0, None);
    }
}

/// Takes the cost of an order from a unit's points. Returns the cost and the points left.
pub(crate) fn take(ctx: &mut Position<'_>, id: UnitId, cost: u16) -> (u16, Option<u16>) {
    let purse = purse(ctx.rules.generals.as_deref(), ctx.setup, &ctx.battle, id);
    let cost = cost * purse.times;
    let left = purse.points.map(|points| points.saturating_sub(cost));
    if let Some(left) = left {
        let command = ctx.battle.unit(id).command;
        if has_generals(ctx.setup, ctx.battle.unit(id).side) {
            if let Some(command) = ctx.battle.beside_units().commands.get_mut(usize::from(command)) {
                command.points = left;
            }
        } else {
            ctx.battle.beside_units().orders = Allowance::Left(left);
        }
    }
    (cost, left)
}

fn deal_to_generals(ctx: &mut Context<'_>, generals: &Generals, side: Side) {
    let slots = slots(ctx, generals, side);
    let now = plan_now(ctx.setup, side, ctx.battle.turn, generals.plan.0);
    let Some(plan) = now else {
        ctx.tell(|| Event::General(GeneralEvent::Replans));
        return;
    };
    let Some(dice) = throw(ctx, side, slots.len(), plan.is_some()) else { return };
    let mut shares = allot(&slots, &dice, plan.as_ref());
    for (slot, share) in slots.iter().zip(&mut shares) {
        let own = &ctx.setup.generals[slot.general];
        // A general is not his own subordinate: one who stands in for another spoils no points of that command.
        share.spoiled = over(ctx, side).filter(|&index| index != slot.general).find(|&index| {
            let grade = ctx.setup.generals[index].grade(generals);
            grade.is_some_and(|grade| grade.spoils > 0 && share.allotted <= grade.spoils && share.allotted > 0)
        });
        let better = own.grade(generals).map_or(0, |grade| grade.points);
        let points = (i32::from(share.allotted) + better).max(0) as u16;
        share.points = if share.spoiled.is_some() { 0 } else { points };
    }
    aid(ctx, generals, side, &slots, &mut shares);
    for (slot, share) in slots.iter().zip(shares) {
        if slot.general != slot.name {
            let event = GeneralEvent::StandsIn { general: slot.general as u8, lost: slot.name as u8 };
            ctx.tell(|| Event::General(event));
        }
        let with = ctx.battle.generals[slot.general].with;
        let command = &mut ctx.battle.beside_units().commands[usize::from(slot.command)];
        (command.points, command.busy) = (share.points, with);
        ctx.tell(|| Event::General(GeneralEvent::Shared(share.reported())));
    }
}

/// The commands that get a die. The command of a lost general first waits for some turns. He is not replaced if the
/// command has no units.
fn slots(ctx: &mut Context<'_>, generals: &Generals, side: Side) -> ArrayVec<Slot, GENERALS_MAX> {
    let setup = ctx.setup;
    let mut slots: ArrayVec<Slot, GENERALS_MAX> = ArrayVec::new();
    for (name, post) in setup.generals.iter().enumerate() {
        let first = post.side == side && setup.first_commander(generals, post.command) == Some(name);
        if !first || post.arrives > ctx.battle.turn {
            continue;
        }
        let found = ctx.battle.in_command(generals, setup, post.command);
        let own = |general: usize| setup.generals[general].rank(generals).role == Role::Commands;
        let waits = setup.commanders(generals, post.command).any(|index| ctx.battle.generals[index].idle > 0);
        match found {
            Some(general) if own(general) => slots.push(Slot { name, general, command: post.command }),
            Some(general) if !waits => {
                let mut units = ctx.battle.side(side).map(|id| ctx.battle.unit(id));
                if units.any(|unit| unit.command == post.command && !unit.gone()) {
                    slots.push(Slot { name, general, command: post.command });
                }
            }
            _ => {
                for index in setup.commanders(generals, post.command) {
                    let lost = &mut ctx.battle.beside_units().generals[index];
                    lost.idle = lost.idle.saturating_sub(1);
                }
                ctx.tell(|| Event::General(GeneralEvent::Vacant { general: name as u8 }));
            }
        }
    }
    slots
}

/// Makes one roll for each command. `None` if the pack has no dice.
fn throw(ctx: &mut Context<'_>, side: Side, count: usize, planned: bool) -> Option<ArrayVec<u16, GENERALS_MAX>> {
    let Activation::Dice { odds, site, .. } = &*ctx.rules.activation else { return None };
    let at = odds.at(&[]);
    let lane = ctx.battle.lane_of_side(side);
    let (mut dice, mut shown) = (ArrayVec::new(), Vec::new());
    for nth in 0..count.min(usize::from(NTH_MAX)) {
        let address = grognard_dice::Address { nth: nth as u8, ..ctx.address_of(*site, lane) };
        let index = ctx.dice.decide(address, &at);
        dice.push(at.class(index));
        if ctx.witness.is_some() {
            shown.push(ctx.dice.shown(address, &at, index));
        }
    }
    ctx.tell(|| Event::General(GeneralEvent::Threw { faces: shown, planned }));
    Some(dice)
}

/// The generals of a side who assist commanders.
fn over<'f>(ctx: &'f Position<'_>, side: Side) -> impl Iterator<Item = usize> + use<'f> {
    let assists = move |&index: &usize| {
        let post = &ctx.setup.generals[index];
        let rules = ctx.rules.generals.as_deref();
        ctx.battle.serves(ctx.setup, side, index) && rules.is_some_and(|rules| post.rank(rules).role == Role::Assists)
    };
    (0..ctx.setup.generals.len()).filter(assists)
}

/// Lets each assisting general, unless he stands in for a commander, add points to a general within his reach: the one
/// whose units are nearest to the enemy, or the one that the side's player chooses.
fn aid(ctx: &mut Context<'_>, generals: &Generals, side: Side, slots: &[Slot], shares: &mut [Shares]) {
    let helpers: ArrayVec<usize, GENERALS_MAX> = over(ctx, side).collect();
    for index in helpers {
        let rank = ctx.setup.generals[index].rank(generals);
        if rank.adds == 0 || slots.iter().any(|slot| slot.general == index) {
            continue;
        }
        let ground = |general: usize| ground_of(ctx.rules, ctx.setup, &ctx.battle, general);
        let from = ground(index);
        let near = |slot: &Slot| rank.within.is_none_or(|within| from.distance(&ground(slot.general)) <= within);
        let fit = (0..slots.len()).filter(|&at| shares[at].spoiled.is_none() && near(&slots[at]));
        let mut fit: ArrayVec<usize, GENERALS_MAX> = fit.collect();
        fit.sort_by(|&one, &other| nearer(ctx, slots[one].command, slots[other].command));
        if let Some(at) = helped(ctx, side, slots, &fit) {
            shares[at].points += rank.adds;
            shares[at].aided.push(index as u8);
        }
    }
}

/// The command, among these, whose general is helped: the first, or the one that the side's player chooses.
fn helped(ctx: &mut Context<'_>, side: Side, slots: &[Slot], fit: &[usize]) -> Option<usize> {
    let &first = fit.first()?;
    let Some(by) = ctx.battle.side(side).next().filter(|&by| is_played(ctx, by)) else { return Some(first) };
    let help = |&at: &usize| Offer::Help(slots[at].general as u8);
    let offers: Vec<Offer> = fit.iter().map(help).collect();
    let taken = ask(ctx, by, &offers, 0, None);
    fit.iter().copied().find(|at| help(at) == taken)
}

/// Compares two commands by their units nearest to the enemy. A command without units comes last.
pub(crate) fn nearer(ctx: &Position<'_>, one: u8, other: u8) -> Ordering {
    match (nearest_to_the_enemy(ctx, one), nearest_to_the_enemy(ctx, other)) {
        (Some(one), Some(other)) => ctx.neighbours().compare(&one, &other),
        (one, other) => other.is_some().cmp(&one.is_some()),
    }
}

/// The unit of a command nearest to an enemy, and its distance. `None` if none of its units is left.
fn nearest_to_the_enemy(ctx: &Position<'_>, command: u8) -> Option<(i32, UnitId)> {
    let side = ctx.battle.commands[usize::from(command)].side;
    let own = ctx.battle.side(side).filter(|&id| {
        let unit = ctx.battle.unit(id);
        unit.command == command && !unit.gone()
    });
    let nearest = ctx.neighbours().first_by(own, |id| to_the_enemy(ctx, id))?;
    Some((to_the_enemy(ctx, nearest), nearest))
}

/// The distance from a unit to the enemy that its orders refer to.
pub(crate) fn to_the_enemy(ctx: &Position<'_>, id: UnitId) -> i32 {
    units::opponent(ctx, id).map_or(FAR, |enemy| ctx.view(id, Some(enemy)).distance())
}

/// A command's points, while they are being computed.
struct Shares {
    slot: Slot,
    allotted: u16,
    spoiled: Option<usize>,
    aided: ArrayVec<u8, GENERALS_MAX>,
    points: u16,
}

impl Shares {
    fn reported(&self) -> Share {
        let place = |index: usize| index as u8;
        Share {
            general: place(self.slot.general),
            command: self.slot.command,
            allotted: self.allotted,
            spoiled: self.spoiled.map(place),
            aided: self.aided.to_vec(),
            points: self.points,
        }
    }
}

/// Allots the dice in the order of the plan, with commands missing from it last. Without a plan all get the average,
/// rounded down.
fn allot(slots: &[Slot], dice: &[u16], plan: Option<&Vec<u8>>) -> ArrayVec<Shares, GENERALS_MAX> {
    let plain = |&slot: &Slot| Shares { slot, allotted: 0, spoiled: None, aided: ArrayVec::new(), points: 0 };
    let mut shares: ArrayVec<Shares, GENERALS_MAX> = slots.iter().map(plain).collect();
    let Some(plan) = plan else {
        let average = dice.iter().sum::<u16>() / (dice.len().max(1) as u16);
        shares.iter_mut().for_each(|share| share.allotted = average);
        return shares;
    };
    let mut sorted: ArrayVec<u16, GENERALS_MAX> = dice.iter().copied().collect();
    sorted.sort_unstable_by(|a, b| b.cmp(a));
    let rank =
        |share: &Shares| plan.iter().position(|&name| usize::from(name) == share.slot.name).unwrap_or(plan.len());
    let mut order: ArrayVec<usize, GENERALS_MAX> = (0..shares.len()).collect();
    order.sort_by_key(|&at| rank(&shares[at]));
    for (at, die) in order.into_iter().zip(sorted) {
        shares[at].allotted = die;
    }
    shares
}
