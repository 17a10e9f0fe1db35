//! Objectives and points: which side holds each objective, the points for it, and victory on points.
//!
//! At the end of every game turn, units within the pack's distance of an objective's marker are at it. A side holds the
//! objective once it has been alone there for the given number of consecutive turns. If the pack gives `count`, it need
//! only have outnumbered every other side there. Rows of `victory.points` award points. Points for holding objectives
//! at the end of a turn are added up. All other points are recomputed from the position, so that the state of a battle
//! need not store them.
//!
//! Example: an objective is worth two points a turn, and a side must be there for two turns to hold it. A side alone
//! there from turn 3 on holds it at the end of turn 4, and has six points after turn 6.

use grognard_dice::LANES;
use grognard_rules::model::{LastTurn, Objective, Points, PointsFor};

use crate::situation::objectives::{is_within, lead, points_now};
use crate::state::{Side, UnitId};
use crate::step::{Context, Position};
use crate::telling::event::{Event, Scene};

/// Decides at the end of a game turn which side holds each objective, and counts the points.
pub(crate) fn end_turn(ctx: &mut Context<'_>, points: &Points) {
    let Some(objective) = &points.objective else { return };
    for index in 0..ctx.battle.points.held.len() {
        settle(ctx, objective, index);
    }
    for row in points.rows.iter().filter(|row| row.on == PointsFor::Hold) {
        for index in 0..ctx.battle.points.held.len() {
            let Some(owner) = ctx.battle.points.held[index].owner else { continue };
            let Some(unit) = ctx.battle.side(owner).next() else { continue };
            if !ctx.holds(row.when.as_ref(), unit, None) {
                continue;
            }
            let more = row.points * i32::from(ctx.setup.objectives[index].worth);
            // Deployment refuses a study whose points could overflow this.
            ctx.battle.beside_units().points.scores[owner.index()] += more as i16;
            ctx.tell_special((unit, None), &row.source, |scene: Scene<'_>| {
                let (side, place) = (&scene.setup.names[owner], &scene.setup.objectives[index].name);
                let so_far = scene.battle.points.scores[owner.index()];
                let point = if more == 1 { "point" } else { "points" };
                format!("{side} scores {more} {point} for {place}: {so_far} so far.")
            });
        }
    }
}

/// Decides which side holds an objective.
fn settle(ctx: &mut Context<'_>, objective: &Objective, index: usize) {
    let found = who_is_there(ctx, objective, index);
    let there = found.map(|(side, _)| side);
    let hold = &mut ctx.battle.beside_units().points.held[index];
    let before = hold.owner;
    hold.turns = match there {
        Some(_) if hold.there == there => (hold.turns + 1).min(objective.turns),
        Some(_) => 1,
        None => 0,
    };
    hold.there = there;
    if hold.turns >= objective.turns {
        hold.owner = there;
    } else if !objective.keeps {
        hold.owner = None;
    }
    let after = hold.owner;
    if let Some((owner, unit)) = found.filter(|_| after == there && after != before) {
        ctx.tell_special((unit, None), &objective.source, |scene: Scene<'_>| {
            format!("{} holds {}.", scene.setup.names[owner], scene.setup.objectives[index].name)
        });
    }
}

/// The side that is alone at an objective or outnumbers all others there, and one of its units.
fn who_is_there(ctx: &Position<'_>, objective: &Objective, index: usize) -> Option<(Side, UnitId)> {
    let mut counts = ctx.battle.by_side(|_| 0_i64);
    let mut units = ctx.battle.by_side(|_| None);
    for &side in ctx.battle.sides() {
        for id in ctx.battle.side(side) {
            let unit = ctx.battle.unit(id);
            let able = objective.when.is_some() || !unit.broken(ctx.rules);
            let view = ctx.view(id, None);
            if unit.gone() || !able || !is_within(&view, id, index, objective.within) {
                continue;
            }
            if objective.when.as_ref().is_none_or(|when| when.get(&view) != 0) {
                counts[side] += objective.count.as_ref().map_or(1, |count| i64::from(count.get(&view)));
                units[side] = units[side].or(Some(id));
            }
        }
    }
    let most = counts.iter().copied().max()?;
    let side = ctx.battle.sides().iter().copied().find(|&side| counts[side] == most)?;
    let others = ctx.battle.rivals(side).iter().map(|&other| counts[other]);
    let alone = match objective.count {
        None => others.max() <= Some(0),
        Some(_) => others.max() < Some(most),
    };
    units[side].filter(|_| alone).map(|unit| (side, unit))
}

/// The side that leads by the number of points that the pack requires.
pub(crate) fn leader(ctx: &Position<'_>, points: &Points) -> Option<Side> {
    let sums = points_now(&ctx.view(UnitId(0), None), points);
    let mut standing = ctx.battle.sides().iter().copied().filter(|&side| !ctx.battle.is_out(side));
    standing.find(|&side| lead(&ctx.battle, &sums, side) >= points.margin)
}

/// The side that has enough points to win at once; if several have, the one that leads by enough. The outer `None`
/// means that no side has enough points.
pub(crate) fn reached(ctx: &Position<'_>, points: &Points) -> Option<Option<Side>> {
    let reach = points.reach?;
    let sums = points_now(&ctx.view(UnitId(0), None), points);
    let mut there = ctx.battle.sides().iter().copied().filter(|&side| sums[side] >= reach && !ctx.battle.is_out(side));
    let first = there.next()?;
    Some(if there.next().is_some() { leader(ctx, points) } else { Some(first) })
}

/// Whether the dice end the battle at the end of this turn.
pub(crate) fn is_last(ctx: &mut Context<'_>, last: &LastTurn) -> bool {
    ctx.scratch.dated.set(true);
    if ctx.battle.turn < last.from {
        return false;
    }
    ctx.tell(|| Event::TurnCloses);
    let at = last.odds.at(&[]);
    // This lane comes after those of the units.
    let address = ctx.address_of(last.site, LANES - 2);
    let index = ctx.dice.decide(address, &at);
    let thrown = at.class(index);
    let ends = thrown < last.need;
    ctx.tell_special((UnitId(0), None), &last.source, |_: Scene<'_>| {
        format!("The dice show {thrown}: the battle {}.", if ends { "ends" } else { "goes on" })
    });
    ends
}
