//! Formation: voluntary changes of formation and facing (clauses 7.31, 8.11 to 8.14).
//!
//! Neither costs movement. A broken unit may do neither; a shaken one may do both unless the formation's own condition
//! forbids it (for example, a square requires good order, 9.52). The unit keeps its centre (7.31). When it leaves a
//! formation with all-around facing, its owner chooses the heading as part of the change (8.12). The same goes for guns
//! that limber or unlimber (8.44).

use grognard_rules::model::{Board, FormationId, Order, Shape, Towards, Trigger};

use crate::geometry::plane::Heading;
use crate::mechanism::common::ground::{disorder_by_turning, disorder_where_it_stands};
use crate::mechanism::common::moving::{cost_in_move, faces_everywhere};
use crate::mechanism::common::reshape::{barred, may_form, reshape, turn_from_or_to, would_change};
use crate::mechanism::common::room::{overlaps_anybody, overlaps_anybody_but};
use crate::mechanism::common::units::screens_of;
use crate::mechanism::figures::battery::begins_slowly;
use crate::mechanism::figures::lining::bent_along;
use crate::mechanism::figures::opportunity::{announce_change, kind_of_turn};
use crate::mechanism::figures::skirmishers::screen_out;
use crate::mechanism::figures::square::{leave_square, let_out_guns};
use crate::mechanism::figures::zone_entry::{Zones, reaches_new_zone, zones_about};
use crate::mechanism::figures::{formation, screen};
use crate::state::{Bend, Flags, Unit, UnitId};
use crate::step::asking::decide;
use crate::step::nearest::nearest_enemy;
use crate::step::{Context, Position};
use crate::telling::event::{Event, Refusal, Why};
use crate::telling::narrator::words::unit_name;

pub(crate) fn play(ctx: &mut Context<'_>, id: UnitId) {
    if !ctx.has_orders(id) {
        return;
    }
    if ctx.battle.unit(id).broken(ctx.rules) {
        if ctx.witness.is_some()
            && let Some(order) = would_change(ctx, id, nearest_enemy(ctx, id))
        {
            refuse_broken(ctx, id, order);
        }
        return;
    }
    let Some((mut row, order, chosen)) =
        decide(ctx, id, |ctx| nearest_enemy(ctx, id), |_, _| true, |ctx, row, enemy| allows(ctx, id, row.order, enemy))
    else {
        return;
    };
    let enemy = chosen.or_else(|| nearest_enemy(ctx, id));
    let rows = &ctx.decisions(id).rows;
    carry_out(ctx, id, order, enemy, rows[row].towards);
    // Carries out the additional orders of the row that applied.
    while let Some((also, order)) = rows.get(row + 1).and_then(|next| Some((next.also.as_ref()?, next.order))) {
        row += 1;
        if ctx.holds(Some(also), id, enemy) {
            ctx.tell(|| Event::Ordered { unit: id, row, order });
            // Fire drawn by the previous order may have routed it (7.36, 8.14).
            if ctx.battle.unit(id).broken(ctx.rules) {
                refuse_broken(ctx, id, order);
                return;
            }
            carry_out(ctx, id, order, enemy, rows[row].towards);
        }
    }
}

fn refuse_broken(ctx: &mut Context<'_>, id: UnitId, order: Order) {
    let turns = matches!(order, Order::Face | Order::Turn(_) | Order::Bend);
    ctx.tell(|| Event::Refused { unit: id, why: Refusal::Broken { turns } });
}

/// Whether an order would change anything, as far as can be known before it is carried out.
fn allows(ctx: &Position<'_>, id: UnitId, order: Order, enemy: Option<UnitId>) -> bool {
    let unit = ctx.battle.unit(id);
    match order {
        Order::Form(formation) => {
            unit.formation != formation
                && !unit.flags.has(Flags::CHANGED)
                && barred(ctx, id, formation).is_none()
                && may_form(ctx, id, formation, enemy)
        }
        Order::Face => enemy.is_some_and(|enemy| {
            let towards = Heading::between(ctx.rect(id).centre(), ctx.rect(enemy).centre());
            let turned = unit.heading.turn_to(towards) != 0 || !unit.bend.is_none();
            turned && may_turn(ctx, id)
        }),
        Order::Turn(_) => may_turn(ctx, id),
        Order::Bend => may_turn(ctx, id) && bent_along(ctx, id).is_some(),
        Order::Recall => unit.flags.has(Flags::SCREEN),
        Order::Dismount => ctx.rules.kinds[unit.kind].on_foot.is_some(),
        _ => true,
    }
}

fn may_turn(ctx: &Position<'_>, id: UnitId) -> bool {
    let unit = ctx.battle.unit(id);
    ctx.rules.board != Board::None
        && !faces_everywhere(ctx, id)
        && unit.forming.is_none()
        && !unit.flags.has(Flags::TURNED)
}

fn carry_out(ctx: &mut Context<'_>, id: UnitId, order: Order, enemy: Option<UnitId>, towards: Towards) {
    match order {
        Order::Form(formation) => form(ctx, id, formation, enemy, towards),
        Order::Face => {
            if let Some(enemy) = enemy {
                let there = ctx.rect(enemy).centre();
                let here = ctx.rect(id).centre();
                face(ctx, id, Heading::between(here, there));
            }
        }
        Order::Detach(figures) => screen::detach(ctx, id, figures),
        Order::Recall => screen::recall(ctx, id),
        Order::Dismount => dismount(ctx, id),
        Order::Turn(tenths) => {
            let towards = ctx.battle.unit(id).heading.turned(i32::from(tenths));
            face(ctx, id, towards);
        }
        Order::Bend => bend(ctx, id),
        _ => {}
    }
}

/// Changes a unit's formation by order, if the rules allow it.
pub(crate) fn form(ctx: &mut Context<'_>, id: UnitId, formation: FormationId, enemy: Option<UnitId>, towards: Towards) {
    let unit = *ctx.battle.unit(id);
    if unit.formation == formation {
        return;
    }
    let refusal = if unit.flags.has(Flags::SCREEN) {
        // Detached figures re-form only together with their unit (9.35).
        Some(Refusal::Formation)
    } else if (unit.flags.has(Flags::CHANGED) && !pivots(ctx, id, formation))
        || (ctx.rules.formations[formation].spacing.is_none() && screen::has_sent(ctx, id))
    {
        // If figures have been deployed or recalled and the rest now takes a new formation, no figure keeps its old
        // one. That makes two changes (9.35-N).
        Some(Refusal::Spent)
    } else {
        forbids(ctx, id, formation, enemy)
    };
    if let Some(why) = refusal {
        ctx.tell(|| Event::Refused { unit: id, why });
        return;
    }
    let pivots = unit.flags.has(Flags::CHANGED);
    if !pivots && !announce_change(ctx, id, Trigger::FormsInZone) {
        return;
    }
    // After opportunity fire, the remaining figures may already be in the formation, or may no longer be allowed to
    // take it.
    if ctx.battle.unit(id).formation == formation {
        return;
    }
    if let Some(why) = forbids(ctx, id, formation, enemy) {
        ctx.tell(|| Event::Refused { unit: id, why });
        return;
    }
    if begins_slowly(ctx, id, formation) {
        return;
    }
    let rules = ctx.rules;
    let before = *ctx.battle.unit(id);
    let loose = rules.formations[formation].spacing.is_some();
    let spreads = loose && rules.fire_zone.is_some();
    let known = if spreads { zones_about(ctx, id) } else { Zones::new() };
    // The deployed figures become part of the row: a unit is in skirmish order with all its figures (9.35, 9.48).
    let out = screen_out(ctx, id).filter(|_| loose).map(|screen| (screen, *ctx.battle.unit(screen)));
    if let Some((screen, row)) = out {
        screen::goes_in(ctx, screen, id, row.figures);
    }
    reshape(ctx, id, formation);
    let (left, taken) = (&rules.formations[before.formation], &rules.formations[formation]);
    // A square faces all around whatever its heading, and stays on its ground.
    let leaves = left.all_round && !(taken.all_round && taken.spacing.is_none());
    if (leaves || taken.turns)
        && let Some(enemy) = enemy
    {
        turn_from_or_to(ctx, id, enemy, towards);
    }
    if left.spacing.is_some() && taken.spacing.is_none() {
        // Skirmishers re-form on the centre of their front row (9.35).
        ctx.battle.unit_mut(id).front = before.rect(rules).centre();
    }
    let gathers = taken.gathers;
    // The unit's own screen makes way, or joins the figures if they gather (9.34, 9.57). No figure spreads into a zone
    // that the unit was not already in (9.43).
    let refusal = if overlaps_anybody_but(ctx, id, screens_of(ctx, &[id])) {
        Some(Refusal::NoRoom)
    } else {
        (spreads && reaches_new_zone(&zones_about(ctx, id), &known)).then_some(Refusal::FireZone)
    };
    if let Some(why) = refusal {
        *ctx.battle.unit_mut(id) = before;
        if let Some((screen, row)) = out {
            *ctx.battle.unit_mut(screen) = row;
        }
        ctx.tell(|| Event::Refused { unit: id, why });
        return;
    }
    ctx.battle.flags_mut(id).set(Flags::CHANGED);
    if pivots {
        ctx.battle.flags_mut(id).set(Flags::TURNED);
    }
    if let Some((_, row)) = out {
        ctx.tell(|| Event::Rejoined { unit: id, figures: row.figures, why: Why::Ordered });
    }
    ctx.tell(|| Event::Formed { unit: id, from: before.formation });
    if gathers && let Some(screen) = screen_out(ctx, id) {
        let figures = ctx.battle.unit(screen).figures;
        screen::rejoin(ctx, screen, figures, Why::Gathered);
    }
    if gathers && rules.square.is_some() {
        let_out_guns(ctx, id);
    }
    if rules.square.is_some() {
        leave_square(ctx, id, true);
    }
    // By now, units that have left the square no longer share its fate (8.54).
    disorder_where_it_stands(ctx, id);
}

/// Whether guns that have limbered or unlimbered in this phase and change back count as pivoting in place, using their
/// facing change (8.42, 8.44).
fn pivots(ctx: &Position<'_>, id: UnitId, formation: FormationId) -> bool {
    let unit = ctx.battle.unit(id);
    ctx.rules.formations[formation].turns && unit.forming.is_none() && !unit.flags.has(Flags::TURNED)
}

/// The reason, if any, why the rules do not let a unit take a formation.
fn forbids(ctx: &Position<'_>, id: UnitId, formation: FormationId, enemy: Option<UnitId>) -> Option<Refusal> {
    let loose = |one: FormationId| ctx.rules.formations[one].spacing.is_some();
    if loose(ctx.battle.unit(id).formation) && loose(formation) {
        // The density of a unit's skirmishers depends on its rating and is not a choice (9.31).
        return Some(Refusal::Formation);
    }
    match barred(ctx, id, formation) {
        Some(bar) => Some(Refusal::Barred(formation, bar)),
        None => (!may_form(ctx, id, formation, enemy)).then_some(Refusal::Formation),
    }
}

/// Dismounts a unit: all its figures fight on foot from now on (8.35).
fn dismount(ctx: &mut Context<'_>, id: UnitId) {
    let rules = ctx.rules;
    let before = *ctx.battle.unit(id);
    let Some(on_foot) = rules.kinds[before.kind].on_foot else {
        ctx.tell(|| Event::Refused { unit: id, why: Refusal::CannotDismount });
        return;
    };
    if before.flags.has(Flags::SCREEN) || screen_out(ctx, id).is_some() {
        // All figures dismount, or none (8.35).
        ctx.tell(|| Event::Refused { unit: id, why: Refusal::CannotDismount });
        return;
    }
    if before.flags.has(Flags::CHANGED) || screen::has_sent(ctx, id) {
        ctx.tell(|| Event::Refused { unit: id, why: Refusal::Spent });
        return;
    }
    if !announce_change(ctx, id, Trigger::FormsInZone) {
        return;
    }
    let before = *ctx.battle.unit(id);
    let (rect, known) = (before.rect(rules), zones_about(ctx, id));
    let kind = &rules.kinds[on_foot];
    // The packed status of the linked unit (its crew or parent) may depend on this unit's type.
    ctx.battle.units[id.index()].kind = on_foot;
    let formation = if kind.speed[before.formation].is_some() {
        Some(before.formation)
    } else {
        // Tries the type's own formation first, then a column, then any formation that the unit may take (9.25, 9.38,
        // 9.45).
        let deep = rules.formation_of_shape(on_foot, Shape::Deep);
        let mut wanted = std::iter::once(kind.formation).chain(deep).chain(rules.formations.ids());
        wanted.find(|&one| may_form(ctx, id, one, None) && barred(ctx, id, one).is_none())
    };
    let Some(formation) = formation else {
        ctx.battle.units[id.index()] = before;
        ctx.tell(|| Event::Refused { unit: id, why: Refusal::CannotDismount });
        return;
    };
    let unit = ctx.battle.unit_mut(id);
    (unit.formation, unit.abreast, unit.bend) = (formation, 0, Bend::NONE);
    unit.flags.set(Flags::CHANGED);
    let footprint = unit.footprint(rules);
    unit.front = rect.reshaped(footprint.width, footprint.depth).front;
    // No figure spreads into a zone that the unit was not already in (9.43).
    let spreads = rules.formations[formation].spacing.is_some();
    let refusal = if overlaps_anybody(ctx, id) {
        Some(Refusal::NoRoom)
    } else {
        (spreads && reaches_new_zone(&zones_about(ctx, id), &known)).then_some(Refusal::FireZone)
    };
    if let Some(why) = refusal {
        ctx.battle.units[id.index()] = before;
        ctx.tell(|| Event::Refused { unit: id, why });
        return;
    }
    ctx.tell(|| Event::Dismounted { unit: id, from: before.kind });
    disorder_where_it_stands(ctx, id);
}

fn face(ctx: &mut Context<'_>, id: UnitId, towards: Heading) {
    let rules = ctx.rules;
    if rules.board == Board::None || faces_everywhere(ctx, id) {
        return;
    }
    let before = *ctx.battle.unit(id);
    let tenths = before.heading.turn_to(towards);
    if tenths == 0 && before.bend.is_none() || !begins_to_turn(ctx, id) {
        return;
    }
    // Opportunity fire may have left only its skirmishers, which have all-around facing.
    if faces_everywhere(ctx, id) {
        return;
    }
    let before = *ctx.battle.unit(id);
    let turned = before.rect(rules).turned_about_centre(towards);
    let place = Unit { front: turned.front, heading: turned.heading(), bend: Bend::NONE, ..before };
    if turns_into(ctx, id, &place) {
        ctx.tell(|| Event::Turned { unit: id, tenths });
        disorder_by_turning(ctx, id, &before.rect(rules));
    }
}

/// Bends a unit along the linear terrain in front of it (7.23).
fn bend(ctx: &mut Context<'_>, id: UnitId) {
    let rules = ctx.rules;
    let before = ctx.rect(id);
    if bent_along(ctx, id).is_some() && !begins_to_turn(ctx, id) {
        return;
    }
    // After opportunity fire, the unit may no longer be allowed to bend, or may be in the open.
    let Some(place) = bent_along(ctx, id) else {
        ctx.tell(|| Event::Refused { unit: id, why: Refusal::Ambiguous });
        return;
    };
    if turns_into(ctx, id, &place) {
        ctx.tell_special((id, None), &rules.dressing.bends_source, |scene| {
            format!("{} bends along the ground in front of it.", unit_name(scene, id))
        });
        disorder_by_turning(ctx, id, &before);
    }
}

/// Whether a unit may change its facing. Announces the change first.
fn begins_to_turn(ctx: &mut Context<'_>, id: UnitId) -> bool {
    let unit = ctx.battle.unit(id);
    let why = if let Some(forming) = unit.forming.get() {
        // The unit does not move until it has its new formation (8.43).
        Refusal::Forming(forming)
    } else if unit.flags.has(Flags::TURNED) {
        Refusal::Spent
    } else {
        return announce_change(ctx, id, kind_of_turn(ctx, id));
    };
    ctx.tell(|| Event::Refused { unit: id, why });
    false
}

/// Completes a unit's turn if there is room. The unit's screen makes way.
fn turns_into(ctx: &mut Context<'_>, id: UnitId, place: &Unit) -> bool {
    let before = *ctx.battle.unit(id);
    let unit = ctx.battle.unit_mut(id);
    (unit.front, unit.heading, unit.bend) = (place.front, place.heading, place.bend);
    unit.flags.set(Flags::TURNED);
    let taken = overlaps_anybody_but(ctx, id, screens_of(ctx, &[id]));
    if taken {
        *ctx.battle.unit_mut(id) = before;
        ctx.tell(|| Event::Refused { unit: id, why: Refusal::NoRoom });
    }
    !taken
}

/// Lets a unit take a formation at the end of its move, if it has enough move left. This is independent of the
/// formation phase: the unit may already have changed formation there.
pub(crate) fn form_in_move(ctx: &mut Context<'_>, id: UnitId, formation: FormationId, towards: Towards, left: i32) {
    let unit = ctx.battle.unit(id);
    if unit.formation == formation || unit.gone() || unit.broken(ctx.rules) {
        return;
    }
    let why = match cost_in_move(ctx, id, formation) {
        Err(why) => Some(why),
        Ok(cost) if cost > left => Some(Refusal::NoMove(formation)),
        Ok(_) => None,
    };
    if let Some(why) = why {
        ctx.tell(|| Event::Refused { unit: id, why });
        return;
    }
    ctx.battle.flags_mut(id).clear(Flags::CHANGED);
    let enemy = nearest_enemy(ctx, id);
    formation::form(ctx, id, formation, enemy, towards);
}
