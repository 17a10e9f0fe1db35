//! Movement: marching, wheeling, falling back and fleeing (clauses 7.33, 7.41 to 7.44).
//!
//! A unit marches straight ahead; to march in any other direction it must wheel first. The wheel costs the length of
//! the outer corner's arc, and the crossing of any hedge or similar terrain that it leads onto or over. Units no wider
//! than the pack's narrow front take any heading for free and pay only for the length of their path and for terrain
//! that they enter by turning. Units with all-around facing move in any direction without turning. Example: a square
//! that faces north and is ordered towards an enemy in the east moves four inches east and still faces north. No unit
//! marches or wheels through another; at a bend of the road, only the end of the turn is checked. Units that do not
//! charge keep the pack's gap from the enemy.

use grognard_rules::model::{Board, DoctrineRow, Order, Towards};

use crate::geometry::plane::{Course, Heading, Point, Rect};
use crate::mechanism::common::ground::{self, disorder_where_it_stands, suffer_ground};
use crate::mechanism::common::leaving::{is_lost_at, leave_if_off_table, up_to_edge};
use crate::mechanism::common::moving::{
    Entered, ROOM, allowance, clear_march, cost_in_move, entered_by_turn, entered_by_wheel, faces_everywhere,
    faces_two_ways, furthest, heading_to, is_off_table, settle_on, stays_on_table, turned_to, turns_freely,
    wheel_clear, wheel_within, within_table,
};
use crate::mechanism::common::units::{has_cannon, own_of};
use crate::mechanism::figures::charge::follow_up;
use crate::mechanism::figures::charge_zone::is_held;
use crate::mechanism::figures::command::{self, follow_road};
use crate::mechanism::figures::falling_back::{face_away, run, turn_away_again};
use crate::mechanism::figures::formation::form_in_move;
use crate::mechanism::figures::path;
use crate::mechanism::figures::post::take_post;
use crate::mechanism::figures::square::{nearest_square, way_in};
use crate::mechanism::figures::zone_entry::{march_outside_zones, turns_into_zone};
use crate::situation::neighbours::Stack;
use crate::situation::objectives::nearest_open;
use crate::state::{Flags, UnitId};
use crate::step::asking::decide;
use crate::step::nearest::{nearest_enemy, others};
use crate::step::{Context, Position};
use crate::telling::event::{Event, Refusal};

pub(crate) fn play(ctx: &mut Context<'_>, id: UnitId) {
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
    let out = ctx.scratch.left_by_guns.iter().position(|&(guns, _)| guns == id);
    if ctx.battle.unit(id).flags.has(Flags::MOVED) && out.is_none() {
        // The unit has already come up behind another unit, or its charge fell short. Guns that came out of a square
        // still have some of their move left.
        return;
    }
    let nearest = |ctx: &Position<'_>| nearest_enemy(ctx, id);
    let Some((mut row, order, chosen)) =
        decide(ctx, id, nearest, |_, _| true, |ctx, row, enemy| allows(ctx, id, row.order, enemy))
    else {
        return;
    };
    let enemy = chosen.or_else(|| nearest(ctx));
    if let Some(forming) = ctx.battle.unit(id).forming.get() {
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
    } else if order == Order::Join {
        ctx.scratch.kept = way_in(ctx, id).map_or(0, |(_, cost)| cost);
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
            let left = ctx.scratch.left.unwrap_or_else(|| allowance(ctx, id));
            form_in_move(ctx, id, formation, rows[row].towards, left);
        }
    }
    if rules.square.is_some() && has_cannon(ctx, id) {
        let left = ctx.scratch.left.unwrap_or_else(|| allowance(ctx, id));
        if let Some(out) = out {
            ctx.scratch.left_by_guns[out].1 = left;
        } else {
            let _ = ctx.scratch.left_by_guns.try_push((id, left));
        }
    }
}

/// Whether an order may move the unit, as far as can be known before it is carried out.
fn allows(ctx: &Position<'_>, id: UnitId, order: Order, enemy: Option<UnitId>) -> bool {
    let unit = ctx.battle.unit(id);
    if unit.forming.is_some() {
        return false;
    }
    match order {
        Order::Form(formation) => unit.formation != formation && cost_in_move(ctx, id, formation).is_ok(),
        // Units join and leave squares before and after the moves; limbered guns come up to squares in between.
        Order::Join => way_in(ctx, id).is_some(),
        Order::Leave => false,
        Order::Screen(_) => unit.flags.has(Flags::SCREEN),
        Order::Follow(_) => ctx.neighbours().leader(id).is_some(),
        Order::Path => true,
        Order::Seize => nearest_open(&ctx.view(id, None), id).is_some_and(|(distance, _)| distance > 0),
        _ => enemy.is_some(),
    }
}

fn carry_out(ctx: &mut Context<'_>, id: UnitId, order: Order, enemy: Option<UnitId>, towards: Towards) {
    if order == Order::Seize {
        seize(ctx, id);
        return;
    }
    if order == Order::Join {
        come_up(ctx, id);
        return;
    }
    let Some(enemy) = enemy else { return };
    match order {
        Order::Form(formation) => {
            let left = allowance(ctx, id);
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
            if let Some(leader) = ctx.neighbours().leader(id) {
                let there = ctx.rect(leader);
                close_up(ctx, id, &there, behind, ctx.rules.movement.gap);
            }
        }
        Order::Withdraw => withdraw(ctx, id, enemy),
        Order::Screen(ahead) => {
            let own = allowance(ctx, id);
            take_post(ctx, id, ahead, own);
        }
        Order::March => {
            let own = allowance(ctx, id);
            follow_road(ctx, id, own);
        }
        _ => {}
    }
}

/// Marches towards an area until `stop` away from it, keeping a distance of `keep` from enemies on the way.
fn close_up(ctx: &mut Context<'_>, id: UnitId, there: &Rect, stop: i32, keep: i32) {
    let rect = ctx.rect(id);
    let wanted = rect.distance(there) - stop;
    if wanted <= 0 {
        return;
    }
    // A unit that would meet the area by marching straight ahead does not wheel first.
    let ahead = rect.march_to_contact(there).is_some();
    let towards = if ahead { rect.heading() } else { heading_to(ctx, id, there.centre()) };
    let wanted = if faces_everywhere(ctx, id) {
        // The unit moves until its nearest part along the course is at the required distance.
        let course = Course { from: rect, along: towards };
        furthest(course.to_contact(there).unwrap_or(wanted), |far| course.at(far).distance(there) >= stop)
    } else if ahead {
        wanted
    } else {
        (turned_to(ctx, id, towards).distance(there) - stop).max(0)
    };
    march(ctx, id, &March { towards, wanted, keep, exits: false });
}

/// Marches towards the nearest objective that has no friend at it, or towards the nearest one if friends are at all of
/// them.
fn seize(ctx: &mut Context<'_>, id: UnitId) {
    if is_held(ctx, id) {
        ctx.tell(|| Event::Refused { unit: id, why: Refusal::Held });
        return;
    }
    let Some((_, index)) = nearest_open(&ctx.view(id, None), id) else { return };
    let (own, at) = (ctx.rect(id), ctx.setup.objectives[index].at);
    let towards = heading_to(ctx, id, at);
    let gap = ctx.rules.movement.gap;
    let mut wanted = own.distance_from(at);
    if wanted > 0 {
        if faces_everywhere(ctx, id) {
            wanted = Course { from: own, along: towards }.to_contact(&spot(at)).unwrap_or(wanted);
        } else {
            wanted = turned_to(ctx, id, towards).distance_from(at);
        }
        march(ctx, id, &March { towards, wanted, keep: gap, exits: false });
    }
}

/// A point as an area without size.
fn spot(at: Point) -> Rect {
    Rect::new(at, Heading::NORTH, 0, 0)
}

/// Marches limbered guns up to the nearest square of their side, which takes them in at the end of the phase (9.53).
fn come_up(ctx: &mut Context<'_>, id: UnitId) {
    if way_in(ctx, id).is_none() {
        return;
    }
    let Some(square) = nearest_square(ctx, id) else { return };
    let (own, there) = (ctx.rect(id), ctx.rect(square));
    if own.distance(&there) <= ROOM {
        return;
    }
    // The guns stop short of the square, as of any other unit.
    let wanted = own.front.square_distance(there.centre()).isqrt() as i32;
    let towards = heading_to(ctx, id, there.centre());
    march(ctx, id, &March { towards, wanted, keep: ctx.rules.movement.gap, exits: false });
}

fn withdraw(ctx: &mut Context<'_>, id: UnitId, enemy: UnitId) {
    let rules = ctx.rules;
    let rect = ctx.rect(id);
    let away = Heading::between(ctx.rect(enemy).centre(), rect.centre());
    march(ctx, id, &March { towards: away, wanted: i32::MAX, keep: rules.movement.gap, exits: true });
}

/// The goal of a march.
struct March {
    /// The heading to march in.
    towards: Heading,
    /// The distance to march if the move allows it, in hundredths of an inch.
    wanted: i32,
    /// The distance to keep from enemies ahead, in hundredths of an inch.
    keep: i32,
    /// Whether the march may lead off the table where that scores points. Any other march stops at the edge.
    exits: bool,
}

/// Wheels towards a heading as far as the move allows, then marches on with the rest. A unit with all-around facing
/// turns only on a road.
fn march(ctx: &mut Context<'_>, id: UnitId, order: &March) {
    let rules = ctx.rules;
    let unit = *ctx.battle.unit(id);
    let rect = unit.rect(rules);
    let own = allowance(ctx, id);
    let rate = command::rate(ctx, id, own);
    let mut left = rate.most - ctx.scratch.kept;
    if left <= 0 {
        return;
    }
    if faces_two_ways(ctx, id) {
        ctx.tell(|| Event::Refused { unit: id, why: Refusal::Ambiguous });
        return;
    }
    let turn = rect.heading().turn_to(order.towards);
    let (mut entered, mut wanted) = (Entered::default(), order.wanted);
    let (wheel, course) = if faces_everywhere(ctx, id) && rate.off_road.is_none() {
        (turn, Course { from: rect, along: order.towards })
    } else if turns_freely(ctx, id) {
        let turned = rect.turned_about_centre(order.towards);
        entered = entered_by_turn(ctx, id, &rect, &turned);
        left -= entered.cost;
        if left < 0 {
            ctx.tell(|| Event::Refused { unit: id, why: Refusal::TooFar });
            return;
        }
        (turn, Course::ahead(turned))
    } else {
        let paid = wheel_within(ctx, id, &rect, turn, left);
        let tenths = wheel_clear(ctx, others(ctx, id).but(own_of(ctx, id)), &rect, paid);
        if tenths == 0 && paid != 0 {
            ctx.tell(|| Event::Refused { unit: id, why: Refusal::NoRoom });
            return;
        }
        if tenths.abs() < turn.abs().min(rect.wheel_within(left)) {
            // The unit stops short of other units and of ground that it cannot afford, and does not march past its
            // goal.
            wanted = 0;
        }
        entered = entered_by_wheel(ctx, id, &rect, tenths);
        left -= rect.wheel_cost(tenths) + entered.cost;
        (tenths, Course::ahead(rect.wheeled(tenths)))
    };
    let turns = course.from.heading() != rect.heading();
    let Some(clear) = clear_march(ctx, id, &course, left.min(wanted), order.keep) else { return };
    if turns && turns_into_zone(ctx, id, &course.from) {
        ctx.tell(|| Event::Refused { unit: id, why: Refusal::FireZone });
        return;
    }
    let clear = march_outside_zones(ctx, id, &course, clear);
    let exits = order.exits && !stays_on_table(ctx, id);
    let clear = if exits { up_to_edge(ctx, id, &course, clear) } else { within_table(rules, &course, clear) };
    let mut passage = ground::march(ctx, id, &course, clear, left);
    if let Some(off_road) = rate.off_road
        && !(ctx.setup.roads.carry(&rect) && ctx.setup.roads.carry_march(&course.from, passage.distance))
    {
        // The whole move is then made at the other rate (8.63).
        left = (left + off_road - rate.most).max(0);
        passage = ground::march(ctx, id, &course, clear, left);
    }
    passage = passage.after(&entered);
    let distance = passage.distance;
    if !turns && distance == 0 {
        suffer_ground(ctx, id, &passage);
        return;
    }
    let ground = course.at(distance);
    // The wheel alone may put the unit's centre beyond the edge.
    let lost = if exits { is_lost_at(ctx, id, &ground) } else { is_off_table(rules, &ground) };
    if lost {
        ctx.tell(|| Event::Refused { unit: id, why: Refusal::NoRoom });
        return;
    }
    ctx.scratch.left = Some(left + ctx.scratch.kept - passage.spent);
    // Units straight behind come up as part of one group (9.13, 9.15), if it marches straight ahead.
    let group = if wheel == 0 && rules.support.is_some() { ctx.neighbours().stack(id) } else { Stack::new() };
    settle_on(ctx, id, &ground);
    ctx.battle.flags_mut(id).set(Flags::MOVED);
    ctx.tell(|| Event::Marched { unit: id, wheel, distance });
    follow_up(ctx, &group, &unit);
    suffer_ground(ctx, id, &passage);
    if distance == 0 {
        disorder_where_it_stands(ctx, id);
    }
    leave_if_off_table(ctx, id);
}

/// Moves a broken unit away from the nearest enemy. It then faces away from the enemy that is now nearest (7.44).
fn flee(ctx: &mut Context<'_>, id: UnitId) {
    let unit = *ctx.battle.unit(id);
    let distance = ctx.rules.morale[unit.morale].flight;
    if distance == 0 || !ctx.rules.formations[unit.formation].moves {
        return;
    }
    face_away(ctx, id);
    let ahead = ctx.battle.unit(id).heading;
    let distance = run(ctx, id, ahead, distance) + turn_away_again(ctx, id);
    ctx.battle.flags_mut(id).set(Flags::MOVED);
    ctx.tell(|| Event::Fled { unit: id, distance });
    leave_if_off_table(ctx, id);
}
