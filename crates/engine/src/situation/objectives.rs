//! Objectives and points in a position: the distances to objectives, and the points of each side.

use arrayvec::ArrayVec;
use grognard_rules::model::{Board, OBJECTIVES_MAX, Points, PointsFor, PointsRange, PointsRow, Rules};

use crate::geometry::hex;
use crate::geometry::plane::Point;
use crate::situation::precedence::seen_from;
use crate::situation::sight::FAR;
use crate::situation::view::View;
use crate::state::{Battle, BySide, Flags, Setup, Side, Unit, UnitId};

/// The distance from a unit to the marker of an objective, in hundredths of an inch or of a hex.
pub(crate) fn distance_to(view: &View<'_>, id: UnitId, index: usize) -> i32 {
    let at = view.setup.objectives[index].at;
    let unit = view.battle.unit(id);
    match view.rules.board {
        Board::Plane { .. } => view.rect(id, unit).distance_from(at),
        Board::Hex => hex::distance(unit.front, at) * 100,
        Board::None => FAR,
    }
}

/// Whether a unit is within this distance of the marker of an objective.
pub(crate) fn is_within(view: &View<'_>, id: UnitId, index: usize, reach: i32) -> bool {
    match view.rules.board {
        Board::Plane { .. } => view.rect(id, view.battle.unit(id)).is_within(view.setup.objectives[index].at, reach),
        Board::Hex | Board::None => distance_to(view, id, index) <= reach,
    }
}

/// The distance to the nearest objective, or [`FAR`] if there is none.
pub(crate) fn nearest(view: &View<'_>, id: UnitId) -> i32 {
    (0..view.setup.objectives.len()).map(|index| distance_to(view, id, index)).min().unwrap_or(FAR).min(FAR)
}

/// The distance and the index of the nearest objective that has no friend nearer to it, or of the nearest one if all
/// have such friends. Ties go to the foremost objective from the point of view of the unit's side, then to the one on
/// the right.
pub(crate) fn nearest_open(view: &View<'_>, id: UnitId) -> Option<(i32, usize)> {
    let within = view.rules.victory.points.as_ref()?.objective.as_ref()?.within;
    let about = view.neighbours()?;
    let side = view.battle.unit(id).side;
    let is_taken = |index: usize, distance: i32| {
        view.battle.side(side).any(|friend| {
            let unit = view.battle.unit(friend);
            let able = friend != id && !unit.gone() && !unit.broken(view.rules);
            able && is_within(view, friend, index, within)
                && about.compare(&(distance_to(view, friend, index), friend), &(distance, id)).is_lt()
        })
    };
    let place = |index: usize| (seen_from(view.setup.home(side), view.setup.objectives[index].at), index);
    let mut all: ArrayVec<(i32, usize), OBJECTIVES_MAX> =
        (0..view.setup.objectives.len()).map(|index| (distance_to(view, id, index), index)).collect();
    all.sort_unstable_by(|one, other| one.0.cmp(&other.0).then_with(|| place(one.1).cmp(&place(other.1))));
    let open = all.iter().find(|&&(distance, index)| !is_taken(index, distance));
    open.or(all.first()).copied()
}

/// A side's lead: its points minus the highest points of the other sides that are not out.
pub(crate) fn lead(battle: &Battle, sums: &BySide<i32>, side: Side) -> i32 {
    let others = battle.rivals(side).iter().filter(|&&other| !battle.is_out(other));
    sums[side] - others.map(|&other| sums[other]).max().unwrap_or(0)
}

/// A side's current points, and its lead.
pub(crate) fn points_of(view: &View<'_>, side: Side) -> (i32, i32) {
    let Some(points) = &view.rules.victory.points else { return (0, 0) };
    let sums = points_now(view, points);
    (sums[side], lead(view.battle, &sums, side))
}

/// The current points of each side.
pub(crate) fn points_now(view: &View<'_>, points: &Points) -> BySide<i32> {
    let (battle, so_far) = (view.battle, &view.battle.points);
    let mut sums = battle.by_side(|side| i32::from(so_far.scores[side.index()]));
    for row in &points.rows {
        let holds = |id: UnitId| applies(row, &view.of(id));
        for &side in battle.sides() {
            let whole = move |side: Side| battle.side(side).filter(move |&id| !battle.is_part(id));
            let enemies = battle.enemies(side);
            let foes = |counts: &dyn Fn(UnitId) -> bool| {
                enemies.clone().filter(|&id| !battle.is_part(id) && counts(id) && holds(id)).count() as i32
            };
            let times = match row.on {
                PointsFor::Hold => 0,
                PointsFor::Held => {
                    let held = so_far.held.iter().zip(&view.setup.objectives);
                    let held = held.filter(|(hold, _)| hold.owner == Some(side)).map(|(_, post)| i32::from(post.worth));
                    if battle.side(side).next().is_some_and(holds) { held.sum::<i32>() } else { 0 }
                }
                PointsFor::Break => foes(&|id| battle.unit(id).broke > 0),
                PointsFor::Gone => foes(&|id| battle.unit(id).gone_for_enemy() && !has_exited(view, id)),
                PointsFor::Figures => {
                    let lost = |id: UnitId| i32::from(battle.unit(id).start - battle.unit(id).figures);
                    battle.enemies(side).filter(|&id| holds(id)).map(lost).sum::<i32>()
                }
                PointsFor::Across => whole(side).filter(|&id| is_across(view, id) && holds(id)).count() as i32,
                PointsFor::Exit => {
                    let left_by = |at: Point, id: UnitId| is_beyond(view, side, row, at) && holds(id);
                    whole(side).filter(|&id| left_at(view, id).is_some_and(|at| left_by(at, id))).count() as i32
                }
            };
            sums[side] += row.points * times;
        }
    }
    sums
}

/// The range of possible points and leads in a battle of this setup, for any dice and players.
#[must_use]
pub fn points_range(rules: &Rules, setup: &Setup) -> PointsRange {
    let Some(points) = &rules.victory.points else { return PointsRange::default() };
    let (mut low, mut high) = (0, 0);
    for &side in setup.start.sides() {
        let own = setup.start.of_side(side).len() as i32;
        let others = setup.start.units.len() as i32 - own;
        // If units can merge, some may have more figures than they began with.
        let grows = rules.phases.iter().any(|phase| phase.regroup.is_some());
        let counts = |unit: &&Unit| grows || unit.side != side;
        let figures: i32 = setup.start.units.iter().filter(counts).map(|unit| i32::from(unit.start)).sum();
        let worth: i32 = setup.objectives.iter().map(|post| i32::from(post.worth)).sum();
        let (mut less, mut more) = (0, 0);
        for row in &points.rows {
            let times = match row.on {
                PointsFor::Hold => worth * i32::from(setup.turns),
                PointsFor::Held => worth,
                PointsFor::Break | PointsFor::Gone => others,
                PointsFor::Figures => figures,
                PointsFor::Across | PointsFor::Exit => own,
            };
            less += row.points.min(0) * times;
            more += row.points.max(0) * times;
        }
        (low, high) = (low.min(less), high.max(more));
    }
    PointsRange { score: (low, high), margin: (low - high, high - low) }
}

/// Whether the condition of a row is true for the unit of this view.
fn applies(row: &PointsRow, about: &View<'_>) -> bool {
    row.when.as_ref().is_none_or(|when| when.get(about) != 0)
}

/// Whether a unit has left the table by an edge that scores points. Such a unit is not lost.
#[inline]
pub(crate) fn has_exited(view: &View<'_>, id: UnitId) -> bool {
    view.rules.victory.points.as_ref().is_some_and(|points| points.exits)
        && left_at(view, id).is_some_and(|at| exits_at(view.rules, &view.of(id), at).next().is_some())
}

/// The rows that score points for the unit of this view if it leaves the table at this point.
pub(crate) fn exits_at<'r>(rules: &'r Rules, about: &View<'_>, at: Point) -> impl Iterator<Item = &'r PointsRow> {
    let points = rules.victory.points.as_ref().filter(|points| points.exits);
    let exits = points.into_iter().flat_map(|points| &points.rows).filter(|row| row.on == PointsFor::Exit);
    exits.filter(move |row| is_beyond(about, about.own.1.side, row, at) && applies(row, about))
}

/// The centre of a unit that has left the table unbroken.
pub(crate) fn left_at(view: &View<'_>, id: UnitId) -> Option<Point> {
    let unit = view.battle.unit(id);
    let broken = || unit.figures == 0 || view.rules.morale[unit.morale].broken;
    let left = unit.flags.has(Flags::GONE) && !unit.flags.has(Flags::LATE) && !broken();
    left.then(|| unit.rect(view.rules).centre())
}

/// Whether a point lies beyond the edge that a row names.
fn is_beyond(view: &View<'_>, side: Side, row: &PointsRow, at: Point) -> bool {
    let (Board::Plane { table, .. }, Some(edge)) = (view.rules.board, row.edge) else { return false };
    // The direction is along an axis.
    let (east, north) = view.setup.towards(side, edge).forward();
    if east == 0 {
        at.y * north.signum() as i32 > table.half_depth
    } else {
        at.x * east.signum() as i32 > table.half_width
    }
}

/// Whether an unbroken unit is in the half of the table where most of the enemy's units started, north or south of the
/// middle.
fn is_across(view: &View<'_>, id: UnitId) -> bool {
    let unit = view.battle.unit(id);
    if unit.gone() || unit.broken(view.rules) || !matches!(view.rules.board, Board::Plane { .. }) {
        return false;
    }
    let start = &view.setup.start;
    let north: i64 = start.enemies(unit.side).map(|foe| i64::from(start.unit(foe).front.y)).sum();
    let at = view.rect(id, unit).centre().y;
    (north > 0 && at > 0) || (north < 0 && at < 0)
}
