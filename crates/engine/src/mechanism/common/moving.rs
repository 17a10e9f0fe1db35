//! Movement: how far a unit may go, and placing it there.

use arrayvec::ArrayVec;
use grognard_rules::model::{Board, FormationId, Ground, Rules};

use crate::geometry::plane::{Circle, Course, Heading, Point, Rect};
use crate::mechanism::common::units::own_of;
use crate::situation::pace::pace;
use crate::state::{Piece, TERRAIN_MAX, UnitId, Units};
use crate::step::Position;
use crate::step::nearest::others;
use crate::telling::event::Refusal;

/// The gap, in hundredths of an inch, that units of one side leave between them when they march up to each other.
pub(crate) const ROOM: i32 = 5;

/// Tenths of a degree between the positions at which a wheel is checked.
const WHEEL_STEP: i32 = 20;

/// Whether a unit may take any heading for free.
pub(crate) fn turns_freely(ctx: &Position<'_>, id: UnitId) -> bool {
    let rules = ctx.rules;
    let narrow = || ctx.battle.unit(id).footprint(rules).width <= rules.movement.narrow;
    faces_everywhere(ctx, id) || (narrow() && ctx.holds(rules.movement.narrow_when.as_ref(), id, None))
}

/// Whether a unit on this ground keeps to a road, and so ignores the terrain next to it. Its front must be narrow
/// enough to take any heading for free.
pub(crate) fn keeps_to_road(ctx: &Position<'_>, id: UnitId, ground: &Rect) -> bool {
    ctx.setup.roads.carry(ground) && fits_road(ctx, id, ground)
}

/// Whether a unit on ground of this width is narrow enough for roads.
pub(crate) fn fits_road(ctx: &Position<'_>, id: UnitId, ground: &Rect) -> bool {
    let movement = &ctx.rules.movement;
    let fits = || ground.width <= movement.narrow || !ctx.holds(movement.narrow_when.as_ref(), id, None);
    movement.narrow == 0 || fits()
}

/// Whether a unit has all-around facing: it moves in any direction without turning (7.35, 9.55).
pub(crate) fn faces_everywhere(ctx: &Position<'_>, id: UnitId) -> bool {
    ctx.rules.formations[ctx.battle.unit(id).formation].all_round
}

/// Whether a unit is bent and may therefore not leave the terrain that it lines, because the pack does not allow an
/// ambiguous facing (7.37).
pub(crate) fn faces_two_ways(ctx: &Position<'_>, id: UnitId) -> bool {
    !ctx.battle.unit(id).bend.is_none() && ctx.rules.dressing.ambiguous.is_none()
}

/// The heading on which a unit starts towards a point, measured from the unit's middle if it turns about its middle,
/// otherwise from its front.
pub(crate) fn heading_to(ctx: &Position<'_>, id: UnitId, goal: Point) -> Heading {
    let rect = ctx.rect(id);
    let about_centre = turns_freely(ctx, id) && !faces_everywhere(ctx, id);
    Heading::between(if about_centre { rect.centre() } else { rect.front }, goal)
}

/// The position of a unit after taking this heading, before it marches, if the heading is free; otherwise its current
/// position.
pub(crate) fn turned_to(ctx: &Position<'_>, id: UnitId, towards: Heading) -> Rect {
    let rect = ctx.rect(id);
    let about_centre = turns_freely(ctx, id) && !faces_everywhere(ctx, id);
    if about_centre { rect.turned_about_centre(towards) } else { rect }
}

/// The straight move of a unit on this heading, the cost of taking the heading, and the terrain that the unit enters by
/// turning.
pub(crate) fn head_for(ctx: &Position<'_>, id: UnitId, towards: Heading) -> (Course, i32, Entered) {
    let rect = ctx.battle.unit(id).rect(ctx.rules);
    let turn = rect.heading().turn_to(towards);
    if turn == 0 {
        (Course::ahead(rect), 0, Entered::default())
    } else if faces_everywhere(ctx, id) {
        (Course { from: rect, along: towards }, 0, Entered::default())
    } else if turns_freely(ctx, id) {
        let turned = rect.turned_about_centre(towards);
        let entered = entered_by_turn(ctx, id, &rect, &turned);
        (Course::ahead(turned), entered.cost, entered)
    } else {
        let entered = entered_by_wheel(ctx, id, &rect, turn);
        (Course::ahead(rect.wheeled(turn)), rect.wheel_cost(turn) + entered.cost, entered)
    }
}

/// The terrain that a unit enters by a turn or a wheel.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Entered {
    /// The cost beyond the arc itself, in hundredths of an inch of movement: for entering terrain, and for wheeling at
    /// its pace.
    pub(crate) cost: i32,
    /// Whether any terrain that the unit enters or leaves is linear.
    pub(crate) linear: bool,
    /// The kind of ground that disorders the unit.
    pub(crate) disorders: Option<u8>,
}

impl Entered {
    /// Adds a piece of terrain that a unit enters here.
    fn enter(&mut self, ctx: &Position<'_>, id: UnitId, piece: &Piece, place: &Rect) {
        let ground = piece.ground(ctx.rules);
        self.linear |= ground.linear;
        if (ground.crossing > 0 || ground.disorders.is_some()) && !keeps_to_road(ctx, id, place) {
            self.cost += ground.crossing;
            self.disorders = self.disorders.or(hampers(ctx, id, ground).then_some(piece.ground));
        }
    }
}

/// The terrain under a unit after a turn that was not under it before. The ground on which the unit turns disorders it,
/// too.
pub(crate) fn entered_by_turn(ctx: &Position<'_>, id: UnitId, from: &Rect, to: &Rect) -> Entered {
    let disorders = if from == to { None } else { hampered_by(ctx, id, from, None) };
    let mut entered = Entered { linear: leaves_linear(ctx, from, to), disorders, ..Entered::default() };
    for piece in ctx.setup.terrain.iter().filter(|piece| to.overlaps(&piece.rect) && !from.overlaps(&piece.rect)) {
        entered.enter(ctx, id, piece, to);
    }
    entered
}

/// The kind of ground that disorders a unit at this place, unless it keeps to a road there (8.16). Ground under the unit
/// at the place `but` does not count.
pub(crate) fn hampered_by(ctx: &Position<'_>, id: UnitId, place: &Rect, but: Option<&Rect>) -> Option<u8> {
    let terrain = &ctx.setup.terrain;
    if terrain.is_empty() || keeps_to_road(ctx, id, place) {
        return None;
    }
    let lies_here = |piece: &&Piece| piece.rect.overlaps(place) && !but.is_some_and(|but| piece.rect.overlaps(but));
    terrain.iter().filter(lies_here).find(|piece| hampers(ctx, id, piece.ground(ctx.rules))).map(|piece| piece.ground)
}

/// Whether a kind of ground disorders a unit that is off the road (8.16).
pub(crate) fn hampers(ctx: &Position<'_>, id: UnitId, ground: &Ground) -> bool {
    ground.disorders.is_some() && ctx.holds(ground.disorders_when.as_ref(), id, None)
}

/// Whether a unit has left linear terrain that it was on, which counts as crossing it.
fn leaves_linear(ctx: &Position<'_>, from: &Rect, to: &Rect) -> bool {
    let leaves = |piece: &Piece| from.overlaps(&piece.rect) && !to.overlaps(&piece.rect);
    ctx.setup.terrain.iter().any(|piece| piece.ground(ctx.rules).linear && leaves(piece))
}

/// The effect of terrain on a wheel, and the terrain that the wheel enters. All terrain on which the wheel begins or
/// which it enters counts until the end of the wheel: each inch of the arc costs the highest pace among it.
pub(crate) fn entered_by_wheel(ctx: &Position<'_>, id: UnitId, rect: &Rect, turn: i32) -> Entered {
    let linear = leaves_linear(ctx, rect, &rect.wheeled(turn));
    let begins_on = if turn == 0 { None } else { hampered_by(ctx, id, rect, None) };
    let entered = WheelGround::of(ctx, id, rect, turn).entered(ctx, id, turn);
    Entered { linear: entered.linear | linear, disorders: begins_on.or(entered.disorders), ..entered }
}

/// The terrain of a wheel: the terrain on which it begins, and the terrain that it enters.
struct WheelGround<'c> {
    from: Rect,
    /// The highest pace of the terrain on which the wheel begins.
    slowest: i32,
    swept: ArrayVec<(i32, &'c Piece), TERRAIN_MAX>,
}

impl<'c> WheelGround<'c> {
    fn of(ctx: &Position<'c>, id: UnitId, rect: &Rect, turn: i32) -> Self {
        let terrain = &ctx.setup.terrain;
        let under = terrain.iter().filter(|piece| piece.rect.overlaps(rect)).map(|piece| piece.ground(ctx.rules).pace);
        let on_road = keeps_to_road(ctx, id, rect);
        let slowest = under.max().filter(|_| !on_road).unwrap_or(100);
        Self { from: *rect, slowest, swept: swept_by_wheel(ctx, (id, on_road), rect, turn) }
    }

    /// The terrain that a unit enters in this part of the wheel. Linear terrain that it leaves does not count.
    fn entered(&self, ctx: &Position<'_>, id: UnitId, turn: i32) -> Entered {
        let mut entered = Entered::default();
        if self.slowest == 100 && self.swept.is_empty() {
            return entered;
        }
        let (mut slowest, mut arc) = (self.slowest, 0);
        let slow = |pace: i32, arc: i32| (i64::from(arc) * i64::from(pace - 100) / 100) as i32;
        for &(at, piece) in self.swept.iter().filter(|&&(at, _)| at <= turn.abs()) {
            let place = self.from.wheeled(at * turn.signum());
            entered.enter(ctx, id, piece, &place);
            let pace = piece.ground(ctx.rules).pace;
            if pace > slowest && !keeps_to_road(ctx, id, &place) {
                let until = self.from.wheel_cost(at);
                entered.cost += slow(slowest, until - arc);
                (slowest, arc) = (pace, until);
            }
        }
        entered.cost += slow(slowest, self.from.wheel_cost(turn) - arc);
        entered
    }
}

/// The terrain that a wheel enters, each piece with the tenths of a degree after which it is reached, in order. A unit
/// that begins `on_road` enters the terrain under the road only where it leaves the road.
fn swept_by_wheel<'c>(
    ctx: &Position<'c>,
    (id, on_road): (UnitId, bool),
    rect: &Rect,
    turn: i32,
) -> ArrayVec<(i32, &'c Piece), TERRAIN_MAX> {
    // No part of the unit gets farther from its pivot than this.
    let reach = 2 * (rect.width + rect.depth);
    let near = |piece: &&Piece| piece.rect.distance(rect) <= reach && (on_road || !piece.rect.overlaps(rect));
    let ends = (1..=(turn.abs() + WHEEL_STEP - 1) / WHEEL_STEP).map(|step| (step * WHEEL_STEP).min(turn.abs()));
    let reached = |piece: &Piece| {
        let on_it = |at: i32| {
            let place = rect.wheeled(at * turn.signum());
            place.overlaps(&piece.rect) && !(on_road && keeps_to_road(ctx, id, &place))
        };
        let end = ends.clone().find(|&at| on_it(at))?;
        let start = (end - 1) / WHEEL_STEP * WHEEL_STEP;
        (start + 1..=end).find(|&at| on_it(at))
    };
    let mut swept: ArrayVec<_, TERRAIN_MAX> =
        ctx.setup.terrain.iter().filter(near).filter_map(|piece| Some((reached(piece)?, piece))).collect();
    swept.sort_by_key(|&(at, _)| at);
    swept
}

/// The part of a wheel that a unit can afford with the `left` of its move, in tenths of a degree. The unit pays for the
/// arc, at the pace of the terrain, and for entering terrain.
pub(crate) fn wheel_within(ctx: &Position<'_>, id: UnitId, rect: &Rect, turn: i32, left: i32) -> i32 {
    let most = rect.wheel_within(left).min(turn.abs()) * turn.signum();
    let ground = WheelGround::of(ctx, id, rect, most);
    let paid = |tenths: i32| rect.wheel_cost(tenths) + ground.entered(ctx, id, tenths * turn.signum()).cost <= left;
    furthest(most.abs(), paid) * turn.signum()
}

/// The part of a wheel that passes over none of these units, in tenths of a degree (7.33). On the way it may overlap
/// one of them by at most the gap between friends, but not at the end.
pub(crate) fn wheel_clear(ctx: &Position<'_>, among: Units, rect: &Rect, turn: i32) -> i32 {
    if turn == 0 {
        return 0;
    }
    let circle = Circle::of(rect);
    // No part of the unit goes farther outside its circle than this.
    let reach = rect.wheel_cost(turn).min(rect.width) + rect.depth;
    let near = among.those(|other| !circle.beyond(&ctx.circle(other), reach));
    if near.is_empty() {
        return turn;
    }
    let taken = |place: &Rect| {
        let mut near = near;
        near.any(|other| place.overlaps(&ctx.rect(other)))
    };
    let mut clear = 0;
    for step in 1..=(turn.abs() + WHEEL_STEP - 1) / WHEEL_STEP {
        let tenths = (step * WHEEL_STEP).min(turn.abs()) * turn.signum();
        let place = rect.wheeled(tenths);
        if !taken(&place) {
            clear = tenths;
        } else if taken(&place.inset(ROOM)) {
            break;
        }
    }
    clear
}

/// The move of a unit in its formation, in hundredths of an inch. For guns that have left a square (9.53), or that have
/// moved and may go into one, only the rest of it.
pub(crate) fn allowance(ctx: &Position<'_>, id: UnitId) -> i32 {
    let left = ctx.scratch.left_by_guns.iter().find(|&&(guns, _)| guns == id);
    left.map_or_else(|| pace(ctx.rules, &ctx.battle, id).unwrap_or(0), |&(_, left)| left)
}

/// The distance that a unit can march, at most `wanted`, before a unit is in the way. `None` if it would overlap a unit
/// even without marching. A unit and its screen do not block each other.
pub(crate) fn clear_march(ctx: &Position<'_>, id: UnitId, course: &Course, wanted: i32, keep: i32) -> Option<i32> {
    clear_march_among(ctx, id, others(ctx, id).but(own_of(ctx, id)), course, wanted, keep)
}

/// Like [`clear_march`], but only these units can be in the way.
pub(crate) fn clear_march_among(
    ctx: &Position<'_>,
    id: UnitId,
    among: Units,
    course: &Course,
    wanted: i32,
    keep: i32,
) -> Option<i32> {
    let side = ctx.battle.unit(id).side;
    let from = &course.from;
    let mut far = wanted;
    let circle = Circle::of(from);
    for other in among {
        let (unit, at) = (ctx.battle.unit(other), ctx.circle(other));
        // Units beyond this gap do not block it. With commands there is no such limit for friends: they may be longer
        // than their bases.
        let gap = if unit.side == side { ctx.rules.command.is_none().then_some(ROOM) } else { Some(keep.max(0)) };
        if gap.is_some_and(|gap| circle.beyond(&at, far.max(0).saturating_add(gap))) {
            continue;
        }
        let obstacle = ctx.rect(other);
        if from.overlaps(&obstacle) {
            return None;
        }
        if let Some(contact) = course.to_contact(&obstacle) {
            let room = if unit.side == side { ROOM } else { keep };
            far = far.min((contact - room).max(0));
        }
        if unit.side == side && far > 0 {
            let roads = &ctx.setup.roads;
            let foremost = if course.along == from.heading() { from.front } else { from.centre() };
            for part in roads.behind(&obstacle, road_length(ctx, other, &obstacle)) {
                let contact = course.to_contact(&part).filter(|_| roads.leads_up(&part, foremost, course.along));
                far = far.min(contact.unwrap_or(far));
            }
        }
    }
    Some(far)
}

/// The length of road, in hundredths of an inch, that a unit on this ground takes up, measured from its front (8.61); 0
/// if that is no more than its base.
fn road_length(ctx: &Position<'_>, id: UnitId, ground: &Rect) -> i32 {
    let Some(rules) = &ctx.rules.command else { return 0 };
    let Some(command) = ctx.battle.command_of(ctx.battle.unit(id)) else { return 0 };
    let mode = &rules.modes[usize::from(command.mode)];
    let trails = mode.trails_when.as_ref().is_some_and(|trails| ctx.holds(Some(trails), id, None));
    if trails { ground.depth * i32::from(mode.trail_lengths) } else { 0 }
}

/// A screen's unit, or the square that contains that unit, if the screen would overlap it on this ground. The screen
/// may only pass through it (9.34).
pub(crate) fn stands_on_its_unit(ctx: &Position<'_>, id: UnitId, ground: &Rect) -> Option<UnitId> {
    let unit = ctx.battle.unit(id);
    let is_screen = ctx.setup.screens && ctx.battle.is_screen(ctx.rules, unit);
    let home = is_screen.then(|| ctx.battle.host_of(unit.kin))?;
    (!ctx.battle.unit(home).gone() && ground.overlaps(&ctx.rect(home))).then_some(home)
}

/// The part of its move that a unit must keep in reserve to take this formation at the end of the move, or the reason
/// why it may not.
pub(crate) fn cost_in_move(ctx: &Position<'_>, id: UnitId, formation: FormationId) -> Result<i32, Refusal> {
    let in_move = ctx.rules.formations[formation].in_move.as_ref();
    let in_move = in_move.ok_or(Refusal::NotInMove(formation))?;
    ctx.rules.kinds[ctx.battle.unit(id).kind].speed[formation].ok_or(Refusal::Formation)?;
    let bar = in_move.bars.iter().position(|bar| ctx.holds(Some(&bar.when), id, None));
    bar.map_or(Ok(in_move.cost), |bar| Err(Refusal::BarredInMove(formation, bar as u8)))
}

pub(crate) fn settle_on(ctx: &mut Position<'_>, id: UnitId, ground: &Rect) {
    let unit = ctx.battle.unit_mut(id);
    (unit.front, unit.heading) = (ground.front, ground.heading());
}

/// Whether a unit on this ground has its centre beyond the table's edge.
pub(crate) fn is_off_table(rules: &Rules, ground: &Rect) -> bool {
    let Board::Plane { table, .. } = rules.board else { return false };
    let centre = ground.centre();
    centre.x.abs() > table.half_width || centre.y.abs() > table.half_depth
}

/// Whether a unit stays on the table regardless of its orders. Skirmishers do while their unit is there, since they do
/// not stray from it (9.42).
pub(crate) fn stays_on_table(ctx: &Position<'_>, id: UnitId) -> bool {
    let unit = ctx.battle.unit(id);
    ctx.battle.is_screen(ctx.rules, unit) && !ctx.battle.unit(ctx.battle.host_of(unit.kin)).gone()
}

/// The part of a march that keeps a unit's centre on the table.
pub(crate) fn within_table(rules: &Rules, course: &Course, wanted: i32) -> i32 {
    furthest(wanted, |far| !is_off_table(rules, &course.at(far)))
}

/// The greatest distance up to a limit for which a condition is true. The condition must be true at 0 and change to
/// false at most once.
pub(crate) fn furthest(limit: i32, holds: impl Fn(i32) -> bool) -> i32 {
    if holds(limit) {
        return limit;
    }
    let (mut good, mut bad) = (0, limit);
    while bad - good > 1 {
        let middle = i32::midpoint(good, bad);
        if holds(middle) { good = middle } else { bad = middle }
    }
    good
}
