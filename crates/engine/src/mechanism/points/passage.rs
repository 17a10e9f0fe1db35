//! The terrain under a planned path: areas, linear terrain, roads and barred terrain.
//!
//! A unit is on a road if it touches one, unless it fills the area that it is in. While it is on a road, it does not
//! count as being in an area, or on barred terrain under the road. Example: infantry starts an inch from a wood and
//! enters it off the road. It moves at half rate, 1.5" in all.

use grognard_rules::model::{Ground, KindId};
use grognard_rules::situation::WayFact;

use crate::geometry::plane::{Rect, Way};
use crate::mechanism::common::room::stands_on_anybody;
use crate::mechanism::points::occupation;
use crate::situation::occupied;
use crate::situation::ways::WayFacts;
use crate::state::terrain::{bridged, enclosed, touches_road};
use crate::state::{Piece, Unit, UnitId};
use crate::step::{Context, Position};
use crate::telling::narrator::words::unit_name;

/// The distance, in hundredths of an inch, between the points that are checked.
const APART: i32 = 5;

/// Adds the facts about the terrain under a path.
///
/// `target` is the unit with which the path leads into contact, if any.
pub(crate) fn note_ground(ctx: &Position<'_>, id: UnitId, way: &Way, target: Option<UnitId>, facts: &mut WayFacts) {
    let rules = ctx.rules;
    let terrain = &ctx.setup.terrain;
    if terrain.is_empty() {
        return;
    }
    let touch = rules.movement.touch;
    let near: Vec<_> = terrain.iter().filter(|piece| way_may_meet(way, &piece.rect)).collect();
    // The unit's place before a turn at the start of the path.
    let stands = ctx.rect(id);
    let stood_in = |piece: &Piece| stands.inset(touch).overlaps(&piece.rect);
    let fills = occupation::fills(ctx, id);
    // Whether the unit was in this cover before. It does not count if it had only just entered: then part of its front
    // edge is in the cover, but not its middle.
    let comes_from = |piece: &Piece| {
        let inner = stands.inset(touch);
        let [left, right, ..] = inner.corners();
        let entered = || [inner.front, left, right].into_iter().any(|point| piece.rect.holds(point));
        stood_in(piece) && (fills || piece.rect.holds(stands.centre()) || !entered())
    };
    let goal = target.map(|target| ctx.rect(target).centre());
    let mut road = true;
    for place in way.places(APART) {
        road &= touches_road(rules, near.iter().copied(), &place);
        let inner = place.inset(touch);
        for piece in near.iter().filter(|piece| inner.overlaps(&piece.rect)) {
            let ground = piece.ground(rules);
            let through = |place: &Rect| bridged(rules, near.iter().copied(), place, piece);
            // Roads matter only for areas and for ground that may be closed.
            let off = (ground.area || !ground.bars.is_empty()) && !through(&place);
            facts.note(WayFact::Area, ground.area && off);
            facts.note(WayFact::ByRoad, ground.area && !off);
            let (own, theirs) = (stood_in(piece), goal.is_some_and(|goal| piece.rect.holds(goal)));
            let stays = own && (fills || !through(&stands));
            facts.note(WayFact::Enters, ground.area && off && !theirs && !stays);
            facts.note(WayFact::ThroughCover, ground.area && ground.cover && !theirs && !comes_from(piece));
            facts.note(WayFact::Linear, ground.linear);
            facts.note(WayFact::Barred, off && is_barred(ctx, id, ground));
        }
    }
    facts.note(WayFact::Road, road);
    facts.note(WayFact::Crowded, would_crowd(ctx, id, &way.end()));
}

/// Adds the facts about the terrain of a position that a unit takes without a path: by turning, changing formation, or
/// taking an enemy's position. Terrain that the unit is already on, off the road, does not count. `open` is an area
/// that is open to it.
pub(crate) fn note_place(ctx: &Position<'_>, id: UnitId, place: &Rect, open: Option<usize>, facts: &mut WayFacts) {
    let (rules, terrain) = (ctx.rules, &ctx.setup.terrain);
    if terrain.is_empty() {
        return;
    }
    let (touch, start) = (rules.movement.touch, ctx.rect(id));
    let fills = occupation::fills(ctx, id);
    let (before, inner) = (start.inset(touch), place.inset(touch));
    for (index, piece) in terrain.iter().enumerate().filter(|(_, piece)| inner.overlaps(&piece.rect)) {
        let ground = piece.ground(rules);
        let over = |place: &Rect| bridged(rules, terrain, place, piece);
        let stood_in = before.overlaps(&piece.rect);
        let goes_on = !over(place) && (!stood_in || over(&start));
        let enters = goes_on && !(stood_in && fills) && open != Some(index);
        facts.note(WayFact::Area, ground.area && enters);
        facts.note(WayFact::Enters, ground.area && enters);
        facts.note(WayFact::Barred, goes_on && is_barred(ctx, id, ground));
    }
    facts.note(WayFact::Crowded, crowds(ctx, id, place) && !crowds(ctx, id, &start));
}

/// Whether terrain is barred to a unit.
fn is_barred(ctx: &Position<'_>, id: UnitId, ground: &Ground) -> bool {
    ground.bars.iter().any(|bar| ctx.holds(Some(&bar.when), id, None))
}

/// Whether the terrain under a path closes the path to a unit that moves without an order.
pub(crate) fn closed(ctx: &Position<'_>, id: UnitId, way: &Way) -> bool {
    ground_bar(ctx, id, |facts| note_ground(ctx, id, way, None, facts)).is_some()
}

/// The bar, if any, that closes the terrain of a position to a unit that takes the position without an order. `open` is
/// an area that is open to the unit.
pub(crate) fn closed_there(ctx: &Position<'_>, id: UnitId, place: &Rect, open: Option<usize>) -> Option<u8> {
    ground_bar(ctx, id, |facts| note_place(ctx, id, place, open, facts))
}

/// The bar, if any, that closes a place's area to a unit that ends a move there without an order, because of the units
/// already there.
pub(crate) fn crowded_there(ctx: &Position<'_>, id: UnitId, place: &Rect) -> Option<u8> {
    ground_bar(ctx, id, |facts| facts.note(WayFact::Crowded, would_crowd(ctx, id, place)))
}

/// The bar, if any, that keeps a unit from taking a position without an order because another unit is there.
pub(crate) fn taken_there(ctx: &Position<'_>, id: UnitId, place: &Rect) -> Option<u8> {
    let mut facts = WayFacts::default();
    facts.note(WayFact::Overlaps, stands_on_anybody(ctx, id, place));
    bar_on(ctx, id, facts)
}

/// The bar, if any, that closes an area to a unit that is in it, does not fill it and is not on a road through it.
pub(crate) fn closed_to_stand(ctx: &Position<'_>, id: UnitId) -> Option<u8> {
    let (rules, terrain, unit) = (ctx.rules, &ctx.setup.terrain, ctx.battle.unit(id));
    if unit.fills != 0 {
        return None;
    }
    let place = ctx.rect(id);
    ground_bar(ctx, id, |facts| {
        let inner = place.inset(rules.movement.touch);
        let off = |piece: &Piece| inner.overlaps(&piece.rect) && !bridged(rules, terrain, &place, piece);
        let off_road = terrain.iter().any(|piece| piece.ground(rules).area && off(piece));
        facts.note(WayFact::Area, off_road);
        facts.note(WayFact::Enters, off_road);
        // A unit that comes on later may find the others gone.
        facts.note(WayFact::Crowded, !unit.gone() && crowds(ctx, id, &place));
    })
}

/// The bar, if any, that keeps a unit from taking a position without an order because it would lose contact with
/// enemies.
pub(crate) fn held_from(ctx: &Position<'_>, id: UnitId, place: &Rect) -> Option<u8> {
    let arm = |id: UnitId| ctx.rules.kinds[ctx.battle.unit(id).kind].arm;
    let mut facts = WayFacts::default();
    for (enemy, now, then) in contacts(ctx, id, place) {
        let parts = now && !then;
        facts.note(WayFact::Parts, parts);
        facts.note(WayFact::PartsLike, parts && arm(enemy) == arm(id));
    }
    bar_on(ctx, id, facts)
}

/// The bar, if any, that keeps a unit from taking a position without an order because it would come into contact with
/// another enemy there.
pub(crate) fn meets_there(ctx: &Position<'_>, id: UnitId, place: &Rect) -> Option<u8> {
    let mut facts = WayFacts::default();
    for (_, now, then) in contacts(ctx, id, place) {
        facts.note(WayFact::Meets, then && !now);
    }
    bar_on(ctx, id, facts)
}

/// The enemies of a unit. For each, tells whether the unit touches it now and whether it would touch it in another
/// position.
fn contacts(ctx: &Position<'_>, id: UnitId, place: &Rect) -> impl Iterator<Item = (UnitId, bool, bool)> {
    let (touch, here) = (ctx.rules.movement.touch, ctx.place(id));
    ctx.targets(id).map(move |enemy| {
        let there = ctx.place(enemy);
        (enemy, here.distance(&there) <= touch, place.distance(&there) <= touch)
    })
}

/// The first of the pack's bars on moves without orders that applies, given facts about the terrain.
fn ground_bar(ctx: &Position<'_>, id: UnitId, note: impl FnOnce(&mut WayFacts)) -> Option<u8> {
    if ctx.rules.movement.bar.is_none() || ctx.setup.terrain.is_empty() {
        return None;
    }
    let mut facts = WayFacts::default();
    note(&mut facts);
    bar_on(ctx, id, facts)
}

/// The first of the pack's bars on moves without orders that applies, given these facts.
fn bar_on(ctx: &Position<'_>, id: UnitId, facts: WayFacts) -> Option<u8> {
    let bars = ctx.rules.movement.bar.as_ref()?;
    ctx.scratch.way.set(facts);
    let row = bars.first.get(&ctx.view(id, None)) as usize;
    ctx.scratch.way.set(WayFacts::default());
    (row < bars.rows.len()).then_some(row as u8)
}

/// Reports the friends that a unit has passed through.
pub(crate) fn tell_passing(ctx: &mut Context<'_>, id: UnitId, way: &Way) {
    if ctx.witness.is_none() {
        return;
    }
    for friend in ctx.battle.side(ctx.battle.unit(id).side) {
        let passes = friend != id
            && !ctx.battle.unit(friend).gone()
            && way.passes_over(&ctx.place(friend), ctx.rules.movement.touch);
        if passes {
            ctx.tell_special((id, Some(friend)), &ctx.rules.movement.passing, |scene| {
                format!("{} passes through {}.", unit_name(scene, id), unit_name(scene, friend))
            });
        }
    }
}

/// Whether a unit in this place would share an area with another unit of its arm. A unit that fills a piece is not in
/// any other piece, even if its base extends into it.
fn crowds(ctx: &Position<'_>, id: UnitId, place: &Rect) -> bool {
    let rules = ctx.rules;
    let arm = |kind: KindId| rules.kinds[kind].arm;
    let own = arm(ctx.battle.unit(id).kind);
    let place = place.inset(rules.movement.touch);
    let areas = ctx.setup.terrain.iter().filter(|piece| piece.ground(rules).area && piece.rect.overlaps(&place));
    let others = || ctx.battle.units.iter().enumerate().filter(|&(index, other)| index != id.index() && !other.gone());
    let ground = |other: &Unit| occupied::place(rules, &ctx.setup.terrain, other).inset(rules.movement.touch);
    areas
        .into_iter()
        .any(|piece| others().any(|(_, other)| arm(other.kind) == own && ground(other).overlaps(&piece.rect)))
}

/// Whether a unit would share an area with another unit of its arm after a move to this place. A unit that would fill a
/// piece shares it with no other unit.
fn would_crowd(ctx: &Position<'_>, id: UnitId, end: &Rect) -> bool {
    occupation::piece_for(ctx, id, end, false).is_none() && crowds(ctx, id, end)
}

/// Whether the middle of a place lies in an area.
pub(crate) fn encloses(ctx: &Position<'_>, place: &Rect) -> bool {
    enclosed(ctx.rules, &ctx.setup.terrain, place.centre())
}

/// Whether a piece is near enough to a path to matter.
fn way_may_meet(way: &Way, piece: &Rect) -> bool {
    let reach = i64::from(way.distance + 2 * (way.start.width + way.start.depth) + piece.width + piece.depth);
    way.start.centre().square_distance(piece.centre()) <= reach * reach
}
