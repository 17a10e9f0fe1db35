//! Movement: marching, wheeling, falling back and fleeing (clauses 7.33, 7.41 to 7.44).
//!
//! A unit marches straight ahead; another direction wants a wheel first, which costs the arc its outer corner sweeps. Units
//! no wider than the pack's narrow front, and those that face everywhere, take any heading free and pay path length only.
//! Nobody marches through anybody; units that do not charge keep the pack's gap from the enemy.

use grognard_dice::Dice;
use grognard_rules::model::{Board, DoctrineRow, Order, Rules, Towards};

use crate::geometry::plane::away::away_from_nearest;
use crate::geometry::plane::{Circle, Heading, Rect};
use crate::mechanism::common::ground;
use crate::mechanism::common::ground::{disorder_on_the_way, suffer_ground};
use crate::mechanism::figures::battery::{cost_in_move, form_in_move, has_cannon};
use crate::mechanism::figures::charge::{follow_up, lose_contact};
use crate::mechanism::figures::charge_zone::is_held;
use crate::mechanism::figures::command::{follow_road, stays_on_road};
use crate::mechanism::figures::formation::overlaps_anybody;
use crate::mechanism::figures::screen::take_post;
use crate::mechanism::figures::square::square_of;
use crate::mechanism::figures::zone_entry::march_outside_zones;
use crate::mechanism::figures::{command, path};
use crate::mechanism::points::general::lose_general_of;
use crate::situation::facts::pace;
use crate::situation::neighbours::Stack;
use crate::state::battle::{Flags, Unit, UnitId};
use crate::step::context::{Context, nearest_enemy, others};
use crate::telling::event::{Event, Refusal, Witness};

/// Hundredths of an inch that units of one side leave between each other when they march up.
const ROOM: i32 = 5;

pub(crate) fn play<D: Dice, W: Witness>(ctx: &mut Context<'_, D, W>, id: UnitId) {
    let rules = ctx.rules;
    if !matches!(rules.board, Board::Plane { .. }) || ctx.battle.unit(id).flags.has(Flags::CHARGING) {
        return;
    }
    let broken = ctx.battle.unit(id).broken(rules);
    if !broken && !ctx.has_orders(id) {
        return;
    }
    if broken {
        flee(ctx, id);
        return;
    }
    if ctx.battle.unit(id).flags.has(Flags::MOVED) {
        // It has come up with a charger or with whom it stands behind, or its charge fell short.
        return;
    }
    let nearest = |ctx: &Context<'_, D, W>| nearest_enemy(ctx, id);
    let Some((mut row, order, chosen)) = ctx.decide(id, nearest, |_, _| true) else { return };
    let enemy = chosen.or_else(|| nearest(ctx));
    if ctx.battle.unit(id).forming > 0 {
        let forming = ctx.battle.unit(id).forming - 1;
        ctx.tell(|| Event::Refused { unit: id, why: Refusal::Forming(forming) });
        return;
    }
    let rows = &ctx.decisions(id).rows;
    let also = |row: usize| match rows.get(row + 1) {
        Some(DoctrineRow { also: Some(also), order: Order::Form(formation), .. }) => Some((also, *formation)),
        _ => None,
    };
    (ctx.scratch.left, ctx.scratch.kept) = (None, 0);
    if let Some((when, formation)) = also(row)
        && ctx.holds(Some(when), id, enemy)
    {
        ctx.scratch.kept = cost_in_move(ctx, id, formation).unwrap_or(0);
    }
    if order != Order::Path {
        carry_out(ctx, id, order, enemy, rows[row].towards);
    } else if is_held(ctx, id) {
        ctx.tell(|| Event::Refused { unit: id, why: Refusal::Held });
    } else {
        path::follow(ctx, id, &rows[row].legs);
    }
    while let Some((when, formation)) = also(row) {
        row += 1;
        if ctx.holds(Some(when), id, enemy) {
            ctx.tell(|| Event::Ordered { unit: id, row, order: Order::Form(formation) });
            let left = ctx.scratch.left.unwrap_or_else(|| allowance(ctx, ctx.battle.unit(id)));
            form_in_move(ctx, id, formation, rows[row].towards, left);
        }
    }
}

fn carry_out<D: Dice, W: Witness>(
    ctx: &mut Context<'_, D, W>,
    id: UnitId,
    order: Order,
    enemy: Option<UnitId>,
    towards: Towards,
) {
    let Some(enemy) = enemy else { return };
    match order {
        Order::Form(formation) => {
            let left = allowance(ctx, ctx.battle.unit(id));
            form_in_move(ctx, id, formation, towards, left);
        }
        Order::Advance(_) | Order::Follow(_) | Order::March if is_held(ctx, id) => {
            ctx.tell(|| Event::Refused { unit: id, why: Refusal::Held });
        }
        Order::Advance(stop) => {
            let keep = stop.max(ctx.rules.movement.gap);
            let there = ctx.rect(enemy);
            close_up(ctx, id, &there, keep, keep);
        }
        Order::Follow(behind) => {
            if let Some(leader) = ctx.vicinity().leader(id) {
                let there = ctx.rect(leader);
                close_up(ctx, id, &there, behind, ctx.rules.movement.gap);
            }
        }
        Order::Withdraw => withdraw(ctx, id, enemy),
        Order::Screen(ahead) => {
            let unit = *ctx.battle.unit(id);
            let own = allowance(ctx, &unit);
            take_post(ctx, id, ahead, own);
        }
        Order::March => {
            let unit = *ctx.battle.unit(id);
            let own = allowance(ctx, &unit);
            follow_road(ctx, id, own);
        }
        _ => {}
    }
}

/// Whether a unit takes any heading free.
pub(crate) fn turns_freely<D: Dice, W: Witness>(ctx: &Context<'_, D, W>, id: UnitId) -> bool {
    let rules = ctx.rules;
    let unit = ctx.battle.unit(id);
    let narrow = || unit.footprint(rules).width <= rules.movement.narrow;
    rules.formations[usize::from(unit.formation)].all_round
        || (narrow() && ctx.holds(rules.movement.narrow_when.as_ref(), id, None))
}

/// Hundredths of an inch a unit may move in its formation.
pub(crate) fn allowance<D: Dice, W: Witness>(ctx: &Context<'_, D, W>, unit: &Unit) -> i32 {
    pace(ctx.rules, &ctx.battle, unit).unwrap_or(0)
}

/// Marches up to whoever stands there until `stop` away, keeping `keep` from enemies on the way.
fn close_up<D: Dice, W: Witness>(ctx: &mut Context<'_, D, W>, id: UnitId, there: &Rect, stop: i32, keep: i32) {
    let rect = ctx.rect(id);
    let wanted = rect.distance(there) - stop;
    if wanted <= 0 {
        return;
    }
    // A unit that would meet them by marching straight ahead does not wheel first.
    let towards = if rect.march_to_contact(there).is_some() {
        rect.heading()
    } else {
        Heading::between(rect.front, there.centre())
    };
    march(ctx, id, &March { towards, wanted, keep, may_leave: false });
}

fn withdraw<D: Dice, W: Witness>(ctx: &mut Context<'_, D, W>, id: UnitId, enemy: UnitId) {
    let rules = ctx.rules;
    let rect = ctx.rect(id);
    let away = Heading::between(ctx.rect(enemy).centre(), rect.centre());
    march(ctx, id, &March { towards: away, wanted: i32::MAX, keep: rules.movement.gap, may_leave: true });
}

/// What a march is to come to.
struct March {
    /// The heading to march in.
    towards: Heading,
    /// How far, in hundredths of an inch, if the move allows.
    wanted: i32,
    /// What to keep from enemies ahead, in hundredths of an inch.
    keep: i32,
    /// Whether it may lead off the table.
    may_leave: bool,
}

/// Wheels towards a heading as far as the move allows, then marches on with the rest.
fn march<D: Dice, W: Witness>(ctx: &mut Context<'_, D, W>, id: UnitId, order: &March) {
    let rules = ctx.rules;
    let unit = *ctx.battle.unit(id);
    let rect = unit.rect(rules);
    let own = allowance(ctx, &unit);
    let rate = command::rate(ctx, id, own);
    let mut left = rate.most - ctx.scratch.kept;
    if left <= 0 {
        return;
    }
    let turn = rect.heading().turn_to(order.towards);
    let (wheel, wheeled) = if turns_freely(ctx, id) {
        (turn, rect.turned_about_centre(order.towards))
    } else {
        let most = rect.wheel_within(left);
        let tenths = turn.clamp(-most, most);
        left -= rect.wheel_cost(tenths);
        (tenths, rect.wheeled(tenths))
    };
    if unit.bend != 0 && rules.dressing.ambiguous.is_none() {
        ctx.tell(|| Event::Refused { unit: id, why: Refusal::Ambiguous });
        return;
    }
    let Some(clear) = clear_march(ctx, id, &wheeled, left.min(order.wanted), order.keep) else { return };
    let clear = march_outside_zones(ctx, id, &wheeled, clear);
    let mut passage = ground::pass(ctx, id, &wheeled, clear, left);
    if let Some(off_road) = rate.off_road
        && !(stays_on_road(ctx, &rect, 0) && stays_on_road(ctx, &wheeled, passage.distance))
    {
        // The whole move is made at the other rate (8.63).
        left = (left + off_road - rate.most).max(0);
        passage = ground::pass(ctx, id, &wheeled, clear, left);
    }
    let distance = passage.distance;
    if wheel == 0 && distance == 0 {
        suffer_ground(ctx, id, &passage);
        return;
    }
    let ground = wheeled.marched(distance);
    if !order.may_leave && is_off_table(rules, &ground) {
        return;
    }
    ctx.scratch.left = Some(left + ctx.scratch.kept - passage.spent);
    // Those straight behind come up as part of one group (9.13, 9.15), if it marches straight ahead.
    let group = if wheel == 0 && rules.support.is_some() { ctx.vicinity().stack(id) } else { Stack::new() };
    settle_on(ctx, id, &ground);
    ctx.battle.flags_mut(id).set(Flags::MOVED);
    ctx.tell(|| Event::Marched { unit: id, wheel, distance });
    follow_up(ctx, &group, &unit);
    suffer_ground(ctx, id, &passage);
    leave_if_off_table(ctx, id);
}

/// How far a unit can march of what is wanted, stopping short of whatever is in the way; none if it would stand on
/// somebody even without marching.
pub(crate) fn clear_march<D: Dice, W: Witness>(
    ctx: &Context<'_, D, W>,
    id: UnitId,
    from: &Rect,
    wanted: i32,
    keep: i32,
) -> Option<i32> {
    let side = ctx.battle.unit(id).side;
    let mut far = wanted;
    let circle = Circle::of(from);
    for other in others(ctx, id) {
        let (unit, at) = (ctx.battle.unit(other), ctx.circle(other));
        // Enemies farther away than that stop nobody.
        if unit.side != side && circle.beyond(&at, far.max(0).saturating_add(keep.max(0))) {
            continue;
        }
        let obstacle = ctx.rect(other);
        if from.overlaps(&obstacle) {
            return None;
        }
        if let Some(contact) = from.march_to_contact(&obstacle) {
            let room = if unit.side == side { ROOM.max(command::trail(ctx, unit, other)) } else { keep };
            far = far.min((contact - room).max(0));
        }
    }
    Some(far)
}

/// A broken unit flees from the nearest enemy, facing away from it (7.44).
fn flee<D: Dice, W: Witness>(ctx: &mut Context<'_, D, W>, id: UnitId) {
    let unit = *ctx.battle.unit(id);
    let distance = ctx.rules.morale[usize::from(unit.morale)].flight;
    if distance == 0 || !ctx.rules.formations[usize::from(unit.formation)].moves {
        return;
    }
    face_away(ctx, id);
    let ahead = ctx.battle.unit(id).heading;
    let distance = run(ctx, id, ahead, distance);
    ctx.battle.flags_mut(id).set(Flags::MOVED);
    ctx.tell(|| Event::Fled { unit: id, distance });
    leave_if_off_table(ctx, id);
}

pub(crate) fn settle_on<D: Dice, W: Witness>(ctx: &mut Context<'_, D, W>, id: UnitId, ground: &Rect) {
    let unit = ctx.battle.unit_mut(id);
    (unit.front, unit.heading) = (ground.front, ground.heading());
}

/// Whether a unit that stands on this ground has its centre beyond the table's edge.
pub(crate) fn is_off_table(rules: &Rules, ground: &Rect) -> bool {
    let Board::Plane { table, .. } = rules.board else { return false };
    let centre = ground.centre();
    centre.x.abs() > table.half_width || centre.y.abs() > table.half_depth
}

/// How far of a march straight ahead keeps a unit's centre on the table.
pub(crate) fn within_table(rules: &Rules, from: &Rect, wanted: i32) -> i32 {
    if !is_off_table(rules, &from.marched(wanted)) {
        return wanted;
    }
    let (mut on, mut off) = (0, wanted);
    while off - on > 1 {
        let middle = i32::midpoint(on, off);
        if is_off_table(rules, &from.marched(middle)) { off = middle } else { on = middle }
    }
    on
}

/// A unit that moves its centre beyond the table's edge is gone.
pub(crate) fn leave_if_off_table<D: Dice, W: Witness>(ctx: &mut Context<'_, D, W>, id: UnitId) {
    if is_off_table(ctx.rules, &ctx.rect(id)) {
        for member in square_of(ctx, id) {
            ctx.remove(member, Event::LeftTable);
        }
        ctx.remove(id, Event::LeftTable);
        lose_general_of(ctx, id);
    }
}

/// Turns a unit about its centre so that it points away from the nearest enemy (7.44).
pub(crate) fn face_away<D: Dice, W: Witness>(ctx: &mut Context<'_, D, W>, id: UnitId) {
    if !matches!(ctx.rules.board, Board::Plane { .. }) {
        return;
    }
    // Broken enemies too.
    let enemies = ctx.targets(id).map(|enemy| ctx.circle(enemy).centre);
    if let Some(away) = away_from_nearest(ctx.circle(id).centre, enemies) {
        let turned = ctx.rect(id).turned_about_centre(away);
        settle_on(ctx, id, &turned);
    }
    if ctx.battle.unit(id).bend != 0 {
        ctx.battle.unit_mut(id).bend = 0;
    }
}

/// Lets a unit that was made to stand otherwise than before step back from whoever caused it until it has room.
pub(crate) fn find_room<D: Dice, W: Witness>(ctx: &mut Context<'_, D, W>, id: UnitId, before: &Unit, cause: UnitId) {
    let unit = ctx.battle.unit(id);
    if !unit.gone() && !unit.stands_like(before) && overlaps_anybody(ctx, id) {
        fall_back(ctx, id, 0, cause);
    }
}

/// Moves a unit straight away from whoever caused it, without turning it.
pub(crate) fn fall_back<D: Dice, W: Witness>(ctx: &mut Context<'_, D, W>, id: UnitId, distance: i32, from: UnitId) {
    let formation = usize::from(ctx.battle.unit(id).formation);
    // Guns without a crew stay where they are (8.45, 8.47).
    let abandoned = has_cannon(ctx, id) && ctx.battle.unit(id).figures == 0;
    if !matches!(ctx.rules.board, Board::Plane { .. }) || !ctx.rules.formations[formation].moves || abandoned {
        return;
    }
    let rect = ctx.rect(id);
    let away =
        if id == from { rect.heading().reversed() } else { Heading::between(ctx.rect(from).centre(), rect.centre()) };
    let distance = run(ctx, id, away, distance);
    ctx.tell(|| Event::Retreated { unit: id, distance });
    lose_contact(ctx, id);
    disorder_on_the_way(ctx, id, &rect.turned_about_centre(away), distance);
    leave_if_off_table(ctx, id);
}

/// Moves a unit that nobody can stop, and on past anybody it would stand on: an inch at a time until it has room or is
/// off the table. How far it came.
pub(crate) fn run<D: Dice, W: Witness>(ctx: &mut Context<'_, D, W>, id: UnitId, along: Heading, distance: i32) -> i32 {
    let (mut gone, mut step) = (0, distance);
    loop {
        let unit = ctx.battle.unit_mut(id);
        unit.front = unit.front.moved(along, step);
        unit.bend = 0;
        (gone, step) = (gone + step, 100);
        let ground = ctx.rect(id);
        if !overlaps_anybody(ctx, id) || is_off_table(ctx.rules, &ground) {
            return gone;
        }
    }
}
