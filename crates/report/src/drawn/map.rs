//! Maps the table to the paper: which part is shown, and at what scale.

use grognard_lab::replay::timeline::{ExitLook, ObjectiveLook, Presence, Standing, TableLook, Timeline};
use grognard_lab::replay::{Heading, Point, Rect};

use crate::sheet::Place;

/// The radius of a hex in the units of a drawn table.
pub(super) const HEX: i32 = 1000;

/// The width of a hex from side to side: the square root of 3 times its radius.
const HEX_WIDTH: i32 = 1732;

/// The centre of a hex. Hexes have a corner to the north; rows are one and a half radii apart.
pub(super) fn hex_centre([q, r]: [i32; 2]) -> Point {
    Point { x: HEX_WIDTH * q + HEX_WIDTH / 2 * r, y: -HEX * 3 / 2 * r }
}

/// The corners of a hex of this radius, clockwise from the north.
pub(super) fn hex_corners(centre: Point, radius: i32) -> [Point; 6] {
    std::array::from_fn(|corner| centre.moved(Heading::from_tenths(600 * corner as i32), radius))
}

/// A part of the table on paper.
#[derive(Clone, Debug)]
pub(super) struct Map {
    /// Left, bottom, right and top of the visible area, in the table's units.
    pub(super) shown: [i32; 4],
    /// Points of paper per unit of the table.
    pub(super) scale: f64,
    /// How the table is drawn.
    pub(super) kind: Kind,
}

/// The kind of table that is drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// Hundredths of an inch.
    Plane,
    /// Thousandths of a hex's radius.
    Hex,
    /// Rows of a list: see [`Map::seat`].
    List,
}

/// Where an objective is, in the table's units.
pub(super) fn objective_at(kind: Kind, objective: &ObjectiveLook) -> Point {
    let [x, y] = objective.at;
    if kind == Kind::Hex { hex_centre([x, y]) } else { Point { x, y } }
}

/// A list's rows: the distance between them and the position of each side, in the table's units.
pub(super) const ROW: i32 = 340;
const ASIDE: i32 = 1050;

impl Map {
    /// Shows the part of the table that a battle needs, on paper no larger than this.
    pub(super) fn new(timeline: &Timeline, size: (f64, f64)) -> Self {
        let standings = timeline.moments.iter().flat_map(|moment| &moment.changed).map(|(_, standing)| standing);
        Self::holding(timeline, standings, size)
    }

    /// Shows the part of the table where formed units are during the battle, and these units wherever they have fled
    /// to.
    pub(super) fn near(timeline: &Timeline, units: &[Standing], size: (f64, f64)) -> Self {
        let formed = |standing: &&Standing| !timeline.morale[usize::from(standing.morale)].broken;
        let standings = timeline.moments.iter().flat_map(|moment| &moment.changed).map(|(_, standing)| standing);
        Self::holding(timeline, standings.filter(formed).chain(units), size)
    }

    fn holding<'t>(
        timeline: &Timeline,
        standings: impl Iterator<Item = &'t Standing>,
        (width, height): (f64, f64),
    ) -> Self {
        let (kind, shown) = match &timeline.table {
            TableLook::Plane { width, depth, .. } => (Kind::Plane, fought_over(timeline, standings, [*width, *depth])),
            TableLook::Hex { hexes } => {
                let centres = hexes.iter().map(|hex| hex_centre(hex.at));
                (Kind::Hex, grown(bounds(centres).unwrap_or_default(), HEX + 40))
            }
            TableLook::None => (Kind::List, list_of(timeline)),
        };
        let [left, bottom, right, top] = shown;
        let (wide, high) = (f64::from((right - left).max(1)), f64::from((top - bottom).max(1)));
        let scale = (width / wide).min(height / high);
        Self { shown, scale, kind }
    }

    /// Its size on paper.
    pub(super) fn size(&self) -> (f64, f64) {
        let [left, bottom, right, top] = self.shown;
        (f64::from(right - left) * self.scale, f64::from(top - bottom) * self.scale)
    }

    /// A point of the table on paper.
    pub(super) fn at(&self, point: Point) -> Place {
        let [left, _, _, top] = self.shown;
        (f64::from(point.x - left) * self.scale, f64::from(top - point.y) * self.scale)
    }

    /// Points of paper as units of the table.
    pub(super) fn units(&self, points: f64) -> i32 {
        (points / self.scale).ceil() as i32
    }

    /// The ground that a unit's symbol covers. A unit too small to be seen is drawn larger; only its rear moves, not
    /// its front.
    pub(super) fn ground(&self, timeline: &Timeline, unit: usize, standing: &Standing) -> Rect {
        /// The minimum size at which a symbol is recognisable, in points.
        const LEAST: (f64, f64) = (7.0, 5.0);
        let [x, y] = standing.at;
        let heading = Heading::from_tenths(i32::from(standing.heading));
        match self.kind {
            Kind::Plane => {
                let least = (self.units(LEAST.0), self.units(LEAST.1));
                let (width, depth) = (standing.width.max(least.0), standing.depth.max(least.1));
                Rect::new(Point { x, y }, heading, width, depth)
            }
            Kind::Hex => {
                let centre = hex_centre(standing.at);
                // Leaves room for the label below.
                let middle = Point { x: centre.x, y: centre.y + HEX / 4 };
                let (width, depth) = (HEX, HEX * 12 / 25);
                Rect::new(middle.moved(heading, depth / 2), heading, width, depth)
            }
            Kind::List => Self::seat(timeline, unit),
        }
    }

    /// The position of a unit's row: the first side to the left, the second to the right, facing each other.
    fn seat(timeline: &Timeline, unit: usize) -> Rect {
        let side = timeline.units[unit].side;
        let row = timeline.units[..unit].iter().filter(|other| other.side == side).count() as i32;
        let sign = if side == 0 { -1 } else { 1 };
        let front = Point { x: sign * ASIDE / 3, y: -row * ROW };
        Rect::new(front, Heading::from_tenths(if side == 0 { 900 } else { 2700 }), 180, 420)
    }
}

/// The left, bottom, right and top bounds of the points.
fn bounds(points: impl Iterator<Item = Point>) -> Option<[i32; 4]> {
    points.fold(None, |known: Option<[i32; 4]>, Point { x, y }| {
        let [left, bottom, right, top] = known.unwrap_or([x, y, x, y]);
        Some([left.min(x), bottom.min(y), right.max(x), top.max(y)])
    })
}

fn grown([left, bottom, right, top]: [i32; 4], by: i32) -> [i32; 4] {
    [left - by, bottom - by, right + by, top + by]
}

/// The part of a table that contains these units, every position of a general and the objectives, with some room around
/// them. It extends to the edges by which sides leave.
fn fought_over<'t>(
    timeline: &Timeline,
    standings: impl Iterator<Item = &'t Standing>,
    [width, depth]: [i32; 2],
) -> [i32; 4] {
    /// Room around the outermost units, and the minimum part of the table that is shown.
    const ROOM: i32 = 300;
    const LEAST: (i32, i32) = (2000, 1200);
    let here = standings.filter(|standing| standing.presence == Presence::Here);
    let corners = here.flat_map(|standing| {
        let [x, y] = standing.at;
        let heading = Heading::from_tenths(i32::from(standing.heading));
        Rect::new(Point { x, y }, heading, standing.width, standing.depth).corners()
    });
    let generals = timeline.moments.iter().flat_map(|moment| &moment.generals).filter(|(_, general)| general.here);
    let generals = generals.map(|(_, general)| Point { x: general.at[0], y: general.at[1] });
    let whole = [-width / 2, -depth / 2, width / 2, depth / 2];
    let objectives = timeline.objectives.iter().map(|objective| objective_at(Kind::Plane, objective));
    let Some(used) = bounds(corners.chain(generals).chain(objectives)) else { return whole };
    let [left, bottom, right, top] = grown(used, ROOM);
    let widened = |low: i32, high: i32, least: i32| {
        let more = (least - (high - low)).max(0);
        (low - more / 2, high + more - more / 2)
    };
    let (left, right) = widened(left, right, LEAST.0);
    let (bottom, top) = widened(bottom, top, LEAST.1);
    let reach = |[left, bottom, right, top]: [i32; 4], exit: &ExitLook| match exit.ends {
        [[_, south], [_, north]] if south == north => [left, bottom.min(south), right, top.max(south)],
        [[x, _], _] => [left.min(x), bottom, right.max(x), top],
    };
    let [left, bottom, right, top] = timeline.exits.iter().fold([left, bottom, right, top], reach);
    // Shows no more than the table, unless units overhang its edge.
    let part = [left.max(whole[0]), bottom.max(whole[1]), right.min(whole[2]), top.min(whole[3])];
    [part[0].min(used[0]), part[1].min(used[1]), part[2].max(used[2]), part[3].max(used[3])]
}

/// A list long enough for the larger side.
fn list_of(timeline: &Timeline) -> [i32; 4] {
    let of_side = |side: u8| timeline.units.iter().filter(|unit| unit.side == side).count();
    let rows = of_side(0).max(of_side(1)).max(1) as i32;
    [-2 * ASIDE, -(rows - 1) * ROW - ROW * 2 / 3, 2 * ASIDE, ROW * 2 / 3]
}
