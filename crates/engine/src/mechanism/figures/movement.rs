//! Movement: marching, wheeling, falling back and fleeing (clauses 7.33, 7.41 to 7.44).
//!
//! A unit marches straight ahead; another direction wants a wheel first, which costs the arc its outer corner sweeps. Units
//! no wider than the pack's narrow front, and those that face everywhere, take any heading free and pay path length only.
//! Nobody marches through anybody; units that do not charge keep the pack's gap from the enemy.

use grognard_dice::Dice;
use grognard_rules::model::{Board, DoctrineRow, Order, Rules, Towards};

use crate::geometry::plane::away::away_from_nearest;
use crate::geometry::plane::{Circle, Heading, Rect};
use crate::mechanism::figures::charge::follow_up;
use crate::mechanism::figures::path;
use crate::situation::facts::pace;
use crate::situation::neighbours::Stack;
use crate::state::battle::{Flags, Unit, UnitId};
use crate::step::context::Field;
use crate::telling::event::{Event, Refusal, Witness};

/// Hundredths of an inch that units of one side leave between each other when they march up.
const ROOM: i32 = 5;

pub(crate) fn play<D: Dice, W: Witness>(field: &mut Field<'_, D, W>, id: UnitId) {
    let rules = field.rules;
    if !matches!(rules.board, Board::Plane { .. }) || field.battle.unit(id).flags.has(Flags::CHARGING) {
        return;
    }
    let broken = field.battle.unit(id).broken(rules);
    if !broken && !field.has_orders(id) {
        return;
    }
    if broken {
        flee(field, id);
        return;
    }
    if field.battle.unit(id).flags.has(Flags::MOVED) {
        // It has come up with a charger or with whom it stands behind, or its charge fell short.
        return;
    }
    let nearest = |field: &Field<'_, D, W>| field.nearest_enemy(id);
    let Some((mut row, order, chosen)) = field.decide(id, nearest, |_, _| true) else { return };
    let enemy = chosen.or_else(|| nearest(field));
    if field.battle.unit(id).forming > 0 {
        let forming = field.battle.unit(id).forming - 1;
        field.tell(|| Event::Refused { unit: id, why: Refusal::Forming(forming) });
        return;
    }
    let rows = &field.decisions(id).rows;
    let also = |row: usize| match rows.get(row + 1) {
        Some(DoctrineRow { also: Some(also), order: Order::Form(formation), .. }) => Some((also, *formation)),
        _ => None,
    };
    (field.scratch.left, field.scratch.kept) = (None, 0);
    if let Some((when, formation)) = also(row)
        && field.holds(Some(when), id, enemy)
    {
        field.scratch.kept = field.cost_in_move(id, formation).unwrap_or(0);
    }
    if order != Order::Path {
        carry_out(field, id, order, enemy, rows[row].towards);
    } else if field.is_held(id) {
        field.tell(|| Event::Refused { unit: id, why: Refusal::Held });
    } else {
        path::follow(field, id, &rows[row].legs);
    }
    while let Some((when, formation)) = also(row) {
        row += 1;
        if field.holds(Some(when), id, enemy) {
            field.tell(|| Event::Ordered { unit: id, row, order: Order::Form(formation) });
            let left = field.scratch.left.unwrap_or_else(|| allowance(field, field.battle.unit(id)));
            field.form_in_move(id, formation, rows[row].towards, left);
        }
    }
}

fn carry_out<D: Dice, W: Witness>(
    field: &mut Field<'_, D, W>,
    id: UnitId,
    order: Order,
    enemy: Option<UnitId>,
    towards: Towards,
) {
    let Some(enemy) = enemy else { return };
    match order {
        Order::Form(formation) => {
            let left = allowance(field, field.battle.unit(id));
            field.form_in_move(id, formation, towards, left);
        }
        Order::Advance(_) | Order::Follow(_) | Order::March if field.is_held(id) => {
            field.tell(|| Event::Refused { unit: id, why: Refusal::Held });
        }
        Order::Advance(stop) => {
            let keep = stop.max(field.rules.movement.gap);
            let there = field.rect(enemy);
            close_up(field, id, &there, keep, keep);
        }
        Order::Follow(behind) => {
            if let Some(leader) = field.vicinity().leader(id) {
                let there = field.rect(leader);
                close_up(field, id, &there, behind, field.rules.movement.gap);
            }
        }
        Order::Withdraw => withdraw(field, id, enemy),
        Order::Screen(ahead) => {
            let unit = *field.battle.unit(id);
            let own = allowance(field, &unit);
            field.take_post(id, ahead, own);
        }
        Order::March => {
            let unit = *field.battle.unit(id);
            let own = allowance(field, &unit);
            field.follow_road(id, own);
        }
        _ => {}
    }
}

/// Whether a unit takes any heading free.
pub(crate) fn turns_freely<D: Dice, W: Witness>(field: &Field<'_, D, W>, id: UnitId) -> bool {
    let rules = field.rules;
    let unit = field.battle.unit(id);
    let narrow = || unit.footprint(rules).width <= rules.movement.narrow;
    rules.formations[usize::from(unit.formation)].all_round
        || (narrow() && field.holds(rules.movement.narrow_when.as_ref(), id, None))
}

/// Hundredths of an inch a unit may move in its formation.
pub(crate) fn allowance<D: Dice, W: Witness>(field: &Field<'_, D, W>, unit: &Unit) -> i32 {
    pace(field.rules, &field.battle, unit).unwrap_or(0)
}

/// Marches up to whoever stands there until `stop` away, keeping `keep` from enemies on the way.
fn close_up<D: Dice, W: Witness>(field: &mut Field<'_, D, W>, id: UnitId, there: &Rect, stop: i32, keep: i32) {
    let rect = field.rect(id);
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
    march(field, id, &March { towards, wanted, keep, may_leave: false });
}

fn withdraw<D: Dice, W: Witness>(field: &mut Field<'_, D, W>, id: UnitId, enemy: UnitId) {
    let rules = field.rules;
    let rect = field.rect(id);
    let away = Heading::between(field.rect(enemy).centre(), rect.centre());
    march(field, id, &March { towards: away, wanted: i32::MAX, keep: rules.movement.gap, may_leave: true });
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
fn march<D: Dice, W: Witness>(field: &mut Field<'_, D, W>, id: UnitId, order: &March) {
    let rules = field.rules;
    let unit = *field.battle.unit(id);
    let rect = unit.rect(rules);
    let own = allowance(field, &unit);
    let rate = field.rate(id, own);
    let mut left = rate.most - field.scratch.kept;
    if left <= 0 {
        return;
    }
    let turn = rect.heading().turn_to(order.towards);
    let (wheel, wheeled) = if turns_freely(field, id) {
        (turn, rect.turned_about_centre(order.towards))
    } else {
        let most = rect.wheel_within(left);
        let tenths = turn.clamp(-most, most);
        left -= rect.wheel_cost(tenths);
        (tenths, rect.wheeled(tenths))
    };
    if unit.bend != 0 && rules.dressing.ambiguous.is_none() {
        field.tell(|| Event::Refused { unit: id, why: Refusal::Ambiguous });
        return;
    }
    let Some(clear) = clear_march(field, id, &wheeled, left.min(order.wanted), order.keep) else { return };
    let clear = field.march_outside_zones(id, &wheeled, clear);
    let mut passage = field.pass(id, &wheeled, clear, left);
    if let Some(off_road) = rate.off_road
        && !(field.stays_on_road(&rect, 0) && field.stays_on_road(&wheeled, passage.distance))
    {
        // The whole move is made at the other rate (8.63).
        left = (left + off_road - rate.most).max(0);
        passage = field.pass(id, &wheeled, clear, left);
    }
    let distance = passage.distance;
    if wheel == 0 && distance == 0 {
        field.suffer_ground(id, &passage);
        return;
    }
    let ground = wheeled.marched(distance);
    if !order.may_leave && is_off_table(rules, &ground) {
        return;
    }
    field.scratch.left = Some(left + field.scratch.kept - passage.spent);
    // Those straight behind come up as part of one group (9.13, 9.15), if it marches straight ahead.
    let group = if wheel == 0 && rules.support.is_some() { field.vicinity().stack(id) } else { Stack::new() };
    settle_on(field, id, &ground);
    field.battle.flags_mut(id).set(Flags::MOVED);
    field.tell(|| Event::Marched { unit: id, wheel, distance });
    follow_up(field, &group, &unit);
    field.suffer_ground(id, &passage);
    leave_if_off_table(field, id);
}

/// How far a unit can march of what is wanted, stopping short of whatever is in the way; none if it would stand on
/// somebody even without marching.
pub(crate) fn clear_march<D: Dice, W: Witness>(
    field: &Field<'_, D, W>,
    id: UnitId,
    from: &Rect,
    wanted: i32,
    keep: i32,
) -> Option<i32> {
    let side = field.battle.unit(id).side;
    let mut far = wanted;
    let circle = Circle::of(from);
    for other in field.others(id) {
        let (unit, at) = (field.battle.unit(other), field.circle(other));
        // Enemies farther away than that stop nobody.
        if unit.side != side && circle.beyond(&at, far.max(0).saturating_add(keep.max(0))) {
            continue;
        }
        let obstacle = field.rect(other);
        if from.overlaps(&obstacle) {
            return None;
        }
        if let Some(contact) = from.march_to_contact(&obstacle) {
            let room = if unit.side == side { ROOM.max(field.trail(unit, other)) } else { keep };
            far = far.min((contact - room).max(0));
        }
    }
    Some(far)
}

/// A broken unit flees from the nearest enemy, facing away from it (7.44).
fn flee<D: Dice, W: Witness>(field: &mut Field<'_, D, W>, id: UnitId) {
    let unit = *field.battle.unit(id);
    let distance = field.rules.morale[usize::from(unit.morale)].flight;
    if distance == 0 || !field.rules.formations[usize::from(unit.formation)].moves {
        return;
    }
    field.face_away(id);
    let ahead = field.battle.unit(id).heading;
    let distance = field.run(id, ahead, distance);
    field.battle.flags_mut(id).set(Flags::MOVED);
    field.tell(|| Event::Fled { unit: id, distance });
    leave_if_off_table(field, id);
}

pub(crate) fn settle_on<D: Dice, W: Witness>(field: &mut Field<'_, D, W>, id: UnitId, ground: &Rect) {
    let unit = field.battle.unit_mut(id);
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
pub(crate) fn leave_if_off_table<D: Dice, W: Witness>(field: &mut Field<'_, D, W>, id: UnitId) {
    if is_off_table(field.rules, &field.rect(id)) {
        for member in field.square_of(id) {
            field.remove(member, Event::LeftTable);
        }
        field.remove(id, Event::LeftTable);
        field.lose_general_of(id);
    }
}

impl<D: Dice, W: Witness> Field<'_, D, W> {
    /// Turns a unit about its centre so that it points away from the nearest enemy (7.44).
    pub(crate) fn face_away(&mut self, id: UnitId) {
        if !matches!(self.rules.board, Board::Plane { .. }) {
            return;
        }
        // Broken enemies too.
        let enemies = self.targets(id).map(|enemy| self.circle(enemy).centre);
        if let Some(away) = away_from_nearest(self.circle(id).centre, enemies) {
            let turned = self.rect(id).turned_about_centre(away);
            settle_on(self, id, &turned);
        }
        if self.battle.unit(id).bend != 0 {
            self.battle.unit_mut(id).bend = 0;
        }
    }

    /// Lets a unit that was made to stand otherwise than before step back from whoever caused it until it has room.
    pub(crate) fn find_room(&mut self, id: UnitId, before: &Unit, cause: UnitId) {
        let unit = self.battle.unit(id);
        if !unit.gone() && !unit.stands_like(before) && self.overlaps_anybody(id) {
            self.fall_back(id, 0, cause);
        }
    }

    /// Moves a unit straight away from whoever caused it, without turning it.
    pub(crate) fn fall_back(&mut self, id: UnitId, distance: i32, from: UnitId) {
        let formation = usize::from(self.battle.unit(id).formation);
        // Guns without a crew stay where they are (8.45, 8.47).
        let abandoned = self.has_cannon(id) && self.battle.unit(id).figures == 0;
        if !matches!(self.rules.board, Board::Plane { .. }) || !self.rules.formations[formation].moves || abandoned {
            return;
        }
        let rect = self.rect(id);
        let away = if id == from {
            rect.heading().reversed()
        } else {
            Heading::between(self.rect(from).centre(), rect.centre())
        };
        let distance = self.run(id, away, distance);
        self.tell(|| Event::Retreated { unit: id, distance });
        self.lose_contact(id);
        self.disorder_on_the_way(id, &rect.turned_about_centre(away), distance);
        leave_if_off_table(self, id);
    }

    /// Moves a unit that nobody can stop, and on past anybody it would stand on: an inch at a time until it has room or is
    /// off the table. How far it came.
    pub(crate) fn run(&mut self, id: UnitId, along: Heading, distance: i32) -> i32 {
        let (mut gone, mut step) = (0, distance);
        loop {
            let unit = self.battle.unit_mut(id);
            unit.front = unit.front.moved(along, step);
            unit.bend = 0;
            (gone, step) = (gone + step, 100);
            let ground = self.rect(id);
            if !self.overlaps_anybody(id) || is_off_table(self.rules, &ground) {
                return gone;
            }
        }
    }
}
