//! Acts: orders that cost points, such as a move, a contact, a marker, a pivot or a change of formation.
//!
//! Each order is first checked, then paid for, then carried out. A refused order therefore costs nothing.

use grognard_rules::model::{Deed, FormationId, MoraleId, Order};
use grognard_rules::situation::WayFact;

use crate::geometry::plane::{Heading, Point, Rect, Way};
use crate::mechanism::common::moving::settle_on;
use crate::mechanism::common::reshape::{self, may_form, take_formation};
use crate::mechanism::common::room::stands_on_anybody;
use crate::mechanism::points::contact::{self, Nudges, face_strikers, take_place, unit_length};
use crate::mechanism::points::facing::{place_facing, place_of_pivot, square_to};
use crate::mechanism::points::meet::{self, mark_charge};
use crate::mechanism::points::payment::{self, permit_way};
use crate::mechanism::points::route::{self, Advance, facts_of, facts_of_turn, way_aside, way_back, way_towards};
use crate::mechanism::points::walk::{Unable, tell_of_way, walk};
use crate::mechanism::points::{occupation, passage};
use crate::state::{Flags, Marks, UnitId, Units};
use crate::step::{Context, Position};
use crate::telling::event::{Event, Refusal};
use crate::telling::narrator::words::{inches, unit_name};

/// Carries out an order and pays for it, or returns the reason for refusing it.
pub(crate) fn carry_out(ctx: &mut Context<'_>, id: UnitId, foe: UnitId, act: u8, order: Order) -> Result<(), Unable> {
    payment::permit(ctx, act, id, foe)?;
    match ctx.rules.acts[usize::from(act)].deed {
        Deed::Move => {
            let way = match order {
                Order::Advance(stop) => advance_way(ctx, act, id, foe, stop).ok_or(None)?,
                Order::Withdraw => way_back(ctx, id, foe).ok_or(None)?,
                Order::Shift { bearing, by } => way_aside(ctx, id, bearing, by),
                _ => return Err(None),
            };
            walk(ctx, act, id, foe, &way)
        }
        Deed::Contact => meet::meet(ctx, act, id, foe),
        Deed::Charge => mark_charge(ctx, act, id, foe),
        Deed::Fire => {
            mark_firing(ctx, act, id, foe)?;
            Ok(())
        }
        Deed::Cease => {
            if !ctx.battle.unit(id).marks.has(Marks::FIRING) {
                return Err(None);
            }
            payment::pay(ctx, act, id, foe);
            cease(ctx, id);
            ctx.scratch.ceased = ctx.scratch.ceased.plus(Units::one(id));
            Ok(())
        }
        Deed::Face => pivot(ctx, act, id, foe),
        Deed::Form(formation) => reform(ctx, act, id, foe, formation),
        Deed::Rally(morale) => steady(ctx, act, id, foe, morale),
        Deed::Spike => {
            if !contact::touching(ctx, id, foe) {
                return Err(Some(Refusal::NoContact { act }));
            }
            payment::pay(ctx, act, id, foe);
            ctx.destroy(foe);
            contact::part(ctx);
            Ok(())
        }
    }
}

/// The path towards an enemy, as far as the unit's move allows over the terrain on the way. The unit stops at a friend
/// of its own arm that it may not pass.
fn advance_way(ctx: &Position<'_>, act: u8, id: UnitId, foe: UnitId, stop: i32) -> Option<Way> {
    let plan = |past: bool| {
        let advance = Advance { target: foe, stop, past };
        if ctx.setup.terrain.is_empty() {
            return way_towards(ctx, id, advance, None);
        }
        route::longest(ctx, id, |most| way_towards(ctx, id, advance, Some(most)))
    };
    let way = plan(true)?;
    let facts = facts_of(ctx, id, &way, None);
    let held = facts.has(WayFact::ThroughLike) && permit_way(ctx, act, id, foe, facts).is_err();
    if held { plan(false) } else { Some(way) }
}

fn mark_firing(ctx: &mut Context<'_>, act: u8, id: UnitId, foe: UnitId) -> Result<(), Unable> {
    let rules = ctx.rules;
    let unit = ctx.battle.unit(id);
    if unit.marks.has(Marks::FIRING) {
        return Err(None);
    }
    let armed = rules.kinds[unit.kind].range > 0;
    if !armed || !rules.formations[unit.formation].fires {
        return Err(Some(Refusal::NoTarget));
    }
    payment::pay(ctx, act, id, foe);
    open_fire(ctx, id);
    Ok(())
}

/// Puts a firing marker next to a unit.
pub(crate) fn open_fire(ctx: &mut Context<'_>, id: UnitId) {
    ctx.battle.unit_mut(id).marks.set(Marks::FIRING);
    ctx.tell(|| Event::Firing { unit: id, on: true });
}

/// Removes a unit's firing marker.
pub(crate) fn cease(ctx: &mut Context<'_>, id: UnitId) {
    ctx.battle.unit_mut(id).marks.clear(Marks::FIRING);
    ctx.tell(|| Event::Firing { unit: id, on: false });
}

/// Turns to face an enemy.
fn pivot(ctx: &mut Context<'_>, act: u8, id: UnitId, foe: UnitId) -> Result<(), Unable> {
    let place = place_of_pivot(ctx, act, id, foe);
    let tenths = ctx.rect(id).heading().turn_to(place.heading());
    if tenths == 0 {
        return Err(None);
    }
    let facts = facts_of_turn(ctx, id, &place);
    permit_way(ctx, act, id, foe, facts)?;
    // The pack may have no bar against this.
    if !occupation::fills(ctx, id) && stands_on_anybody(ctx, id, &place) {
        return Err(Some(Refusal::NoRoom));
    }
    tell_of_way(ctx, facts, |ctx| payment::pay(ctx, act, id, foe));
    take_place(ctx, id, &place);
    ctx.battle.unit_mut(id).marks.set(Marks::PIVOTED);
    ctx.tell(|| Event::Turned { unit: id, tenths });
    contact::part(ctx);
    Ok(())
}

/// Changes formation, and lets the enemies that touched the unit touch it again.
fn reform(ctx: &mut Context<'_>, act: u8, id: UnitId, foe: UnitId, formation: FormationId) -> Result<(), Unable> {
    let rules = ctx.rules;
    let unit = *ctx.battle.unit(id);
    if unit.formation == formation {
        return Err(None);
    }
    if !may_form(ctx, id, formation, Some(foe)) {
        return Err(Some(Refusal::Formation));
    }
    let footprint = rules.footprint(unit.kind, formation, unit.figures);
    let kept = unit.rect(rules).reshaped(footprint.width, footprint.depth);
    let mut place = kept;
    if rules.acts[usize::from(act)].turns {
        let there = ctx.place(foe);
        let towards = Heading::between(place.centre(), there.centre());
        // If the two touch, the unit turns so that they are edge to edge; others are then shifted no further than
        // necessary.
        let touching = contact::touching(ctx, id, foe);
        place = place.turned_about_centre(if touching { square_to(&there, towards) } else { towards });
    }
    // The unit may turn towards the enemy, but need not (S11, KA1).
    let mut found = nudges_in(ctx, act, id, foe, formation, &place);
    if found.is_err() && place != kept {
        found = nudges_in(ctx, act, id, foe, formation, &kept).or(found);
        place = kept;
    }
    let nudges = found?;
    payment::pay(ctx, act, id, foe);
    take_formation(ctx, id, formation);
    settle_on(ctx, id, &place);
    for (enemy, (x, y)) in nudges {
        let unit = ctx.battle.unit_mut(enemy);
        unit.front = Point { x: unit.front.x + x, y: unit.front.y + y };
        ctx.tell_special((enemy, None), &rules.movement.nudge_source, |scene| {
            let by = inches(unit_length(x, y));
            format!("{} is moved {by} to stay in contact.", unit_name(scene, enemy))
        });
    }
    ctx.battle.flags_mut(id).set(Flags::CHANGED);
    face_strikers(ctx, id);
    contact::part(ctx);
    Ok(())
}

/// The shifts of enemies that let a unit change formation in a place, or the reason why it may not.
fn nudges_in(
    ctx: &mut Position<'_>,
    act: u8,
    id: UnitId,
    foe: UnitId,
    formation: FormationId,
    place: &Rect,
) -> Result<Nudges, Unable> {
    let facts = facts_of_turn(ctx, id, place);
    permit_way(ctx, act, id, foe, facts)?;
    if let Some(bar) = barred_there(ctx, id, formation, place) {
        return Err(Some(Refusal::Barred(formation, bar)));
    }
    contact::nudges(ctx, id, place).map_err(Some)
}

/// The bar, if any, that keeps a unit from taking a formation in this position.
fn barred_there(ctx: &mut Position<'_>, id: UnitId, formation: FormationId, place: &Rect) -> Option<u8> {
    let before = *ctx.battle.unit(id);
    ctx.battle.unit_mut(id).formation = formation;
    settle_on(ctx, id, place);
    let bar = reshape::barred(ctx, id, formation);
    *ctx.battle.unit_mut(id) = before;
    bar
}

/// Lets a broken unit recover and face the enemy. It tries to turn as in a pivot, then to turn about its centre, then
/// to face another enemy that it touches. It takes the first of these positions that is free and open to it and keeps
/// every contact that it may not leave (D1, D3).
fn steady(ctx: &mut Context<'_>, act: u8, id: UnitId, foe: UnitId, morale: MoraleId) -> Result<(), Unable> {
    let rules = ctx.rules;
    if !ctx.battle.unit(id).broken(rules) {
        return Err(None);
    }
    payment::pay(ctx, act, id, foe);
    ctx.fall_into(id, morale);
    let touched = ctx.targets(id).filter(|&enemy| enemy != foe && contact::touching(ctx, id, enemy));
    let places = std::iter::once(foe).chain(ctx.neighbours().in_order(touched)).flat_map(|enemy| {
        let place = place_facing(ctx, id, enemy);
        [place, ctx.rect(id).turned_about_centre(place.heading())]
    });
    // A unit that fills a piece of ground turns inside it, and is touched at the edge of the piece.
    let open = |place: &Rect| {
        occupation::fills(ctx, id)
            || !stands_on_anybody(ctx, id, place)
                && passage::closed_there(ctx, id, place, None).is_none()
                && passage::held_from(ctx, id, place).is_none()
    };
    let place = places.into_iter().find(open);
    if let Some(place) = place {
        take_place(ctx, id, &place);
    }
    contact::part(ctx);
    Ok(())
}
