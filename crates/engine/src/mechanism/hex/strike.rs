//! Strikes: rolling dice, ignoring or converting hits and flags, losses, leaders and retreats (clauses II.H, I.D).

use grognard_rules::model::{Choice, Effect, HexRules, Provides, Strike};

use crate::geometry::hex::shown;
use crate::mechanism::common::counters::count;
use crate::mechanism::hex::provisions::{all_provided, provided, provision};
use crate::mechanism::hex::{leader, retreat};
use crate::state::UnitId;
use crate::step::asking::decides;
use crate::step::banners::banners_decide;
use crate::step::{Context, Position};
use crate::telling::event::Occasion;

/// Lets one unit strike another, with the dice that the provisions give.
pub(super) fn strike(ctx: &mut Context<'_>, hex: &HexRules, id: UnitId, foe: UnitId) {
    let (unit, enemy) = (ctx.battle.unit(id), ctx.battle.unit(foe));
    let settled = ctx.scratch.combat.zip(hex.strike_by_type(unit.kind, enemy.kind));
    let outcome = if let Some((combat, row)) = settled {
        let arcs = [shown(hex, unit, enemy.front) as u8, shown(hex, enemy, unit.front) as u8];
        let strike = Strike { role: combat.role, arcs, whole: combat.fresh >> id.index() & 1 == 1 };
        let roll = hex.provisions[usize::from(row)].roll;
        let view = ctx.view(id, Some(foe));
        let compiled = &ctx.rules.rolls[roll];
        let inputs = hex.read_strike((unit.kind, enemy.kind), strike, compiled, (&view, &view.turned()));
        provided(ctx, row, id);
        ctx.cast_with(Occasion::Provision(row), roll, id, Some(foe), inputs)
    } else {
        let Some((row, _)) = provision(ctx, hex, Provides::Strike, id, Some(foe)) else { return };
        provided(ctx, row, id);
        ctx.cast(Occasion::Provision(row), hex.provisions[usize::from(row)].roll, id, Some(foe))
    };
    if ctx.scratch.holds_back {
        hold(ctx, id, foe, &outcome.foe);
    } else {
        suffer(ctx, hex, id, foe, &outcome.foe);
    }
    ctx.apply(&outcome.own, id, foe);
}

/// Holds back the effect of a shot or strike of `id` on `foe` until all rolls of the phase have been made.
pub(super) fn hold(ctx: &mut Context<'_>, id: UnitId, foe: UnitId, effect: &Effect) {
    let combat = ctx.scratch.combat;
    ctx.scratch.held_shots.push((*effect, foe, id, combat));
}

/// Applies the effect of a strike of `id` on `foe`, and then anything that it triggers unless a banner decides the
/// battle.
pub(super) fn suffer(ctx: &mut Context<'_>, hex: &HexRules, id: UnitId, foe: UnitId, effect: &Effect) {
    bear(ctx, hex, id, foe, effect);
    if let Some(trigger) = effect.sets_off
        && !banners_decide(ctx)
    {
        ctx.react(trigger, foe, id);
    }
}

fn bear(ctx: &mut Context<'_>, hex: &HexRules, id: UnitId, foe: UnitId, effect: &Effect) {
    let score = effect.score;
    let ignores = |ctx: &mut Context<'_>, deed, of| ignored(ctx, hex, deed, (foe, id), of, |_| false);
    let mut colours = i32::from(score.colours) - ignores(ctx, Provides::IgnoreColours, score.colours);
    let swords = i32::from(score.swords) - ignores(ctx, Provides::IgnoreSwords, score.swords);
    let (mut flags, mut forced, mut held) = (i32::from(score.flags), 0, 0);
    let hits = swords + i32::from(effect.lose);
    // A strike allows at most one conversion, and no useless one. It is useless to convert a hit if the unit is removed
    // anyway. It is also useless to convert a flag that the unit may ignore, or one of several flags if the others
    // still drive it back.
    let blocks = i32::from(ctx.battle.unit(foe).figures);
    let spared = |amount: i32| Some(amount.min(colours)).filter(|spared| colours - spared + hits < blocks);
    let pressing = flags - ignorable(ctx, hex, Provides::IgnoreFlags, foe, id, score.flags);
    let stood = |amount: i32| Some(pressing).filter(|&held| held <= amount && colours + hits + held < blocks);
    if colours > 0
        && let Some(converted) = converted(ctx, hex, (Provides::GiveGround, Choice::GiveGround), (foe, id), spared)
    {
        forced = converted;
        colours -= forced;
    } else if pressing > 0
        && let Some(converted) = converted(ctx, hex, (Provides::StandFast, Choice::StandFast), (foe, id), stood)
    {
        held = converted;
        flags -= held;
    }
    let before = ctx.battle.unit(foe).figures;
    let lost = (colours + swords + held) as u16 + effect.lose;
    if lost > 0 {
        ctx.lose(foe, lost, id);
        leader::after_losses(ctx, hex, foe, id, before);
    }
    if effect.destroy && !ctx.battle.unit(foe).gone() {
        ctx.destroy(foe);
    }
    if effect.counts.changed != 0 {
        count(ctx, &effect.counts, foe, id);
    }
    if ctx.battle.unit(foe).gone() || flags + forced == 0 || banners_decide(ctx) {
        return;
    }
    // A unit that stands fast holds its ground.
    let heeds = |ctx: &mut Context<'_>| held == 0 && decides(ctx, Choice::HeedFlag, foe, id);
    let ignored = ignored(ctx, hex, Provides::IgnoreFlags, (foe, id), flags as u8, heeds);
    let driven = flags - ignored + forced;
    if driven > 0 {
        retreat::driven_back(ctx, hex, foe, id, driven);
    }
}

/// The number of symbols that a struck unit ignores: all that it may ignore, unless it `heeds` one.
fn ignored(
    ctx: &mut Context<'_>,
    hex: &HexRules,
    deed: Provides,
    (foe, id): (UnitId, UnitId),
    of: u8,
    heeds: impl Fn(&mut Context<'_>) -> bool,
) -> i32 {
    let ignorable = ignorable(ctx, hex, deed, foe, id, of);
    let ignored = (0..ignorable).take_while(|_| !heeds(ctx)).count() as i32;
    if ignored > 0 {
        all_provided(ctx, hex, deed, foe, Some(id));
    }
    ignored
}

/// The number of symbols that a struck unit may ignore.
fn ignorable(ctx: &Position<'_>, hex: &HexRules, deed: Provides, foe: UnitId, id: UnitId, of: u8) -> i32 {
    if of == 0 || !hex.any(deed) {
        return 0;
    }
    hex.sum(deed, ctx.battle.unit(foe).kind, &ctx.view(foe, Some(id))).min(of.into())
}

/// The number of symbols that a struck unit converts, if it may and wants to. `of_use` turns the number that it may
/// convert into the number that is useful.
fn converted(
    ctx: &mut Context<'_>,
    hex: &HexRules,
    (deed, choice): (Provides, Choice),
    (foe, id): (UnitId, UnitId),
    of_use: impl Fn(i32) -> Option<i32>,
) -> Option<i32> {
    let (row, amount) = provision(ctx, hex, deed, foe, Some(id))?;
    if amount == 0 {
        // Reports the row that forbids a conversion that would have been useful.
        if of_use(1).is_some() {
            provided(ctx, row, foe);
        }
        return None;
    }
    let converted = of_use(amount)?;
    if !decides(ctx, choice, foe, id) {
        return None;
    }
    provided(ctx, row, foe);
    Some(converted)
}
