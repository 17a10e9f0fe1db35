//! The heading of a routed unit: away from the nearest enemy or, if several are equally near, from the mean of
//! their bearings (clause 7.44). A unit whose nearest enemy is at bearing 30 heads for 210.

use crate::geometry::plane::{Heading, Point};

/// The heading away from the nearest of some enemies, from centre to centre. `None` if there are no enemies, or if the
/// nearest ones are spread evenly all around.
pub(crate) fn away_from_nearest(own: Point, enemies: impl Iterator<Item = Point> + Clone) -> Option<Heading> {
    let nearest = enemies.clone().map(|there| there.square_distance(own)).min()?;
    let mut ways =
        enemies.filter(|there| there.square_distance(own) == nearest).map(|there| Heading::between(there, own));
    let first = ways.next()?;
    let Some(second) = ways.next() else { return Some(first) };
    let sum = [first, second].into_iter().chain(ways).map(Heading::forward).fold((0, 0), |(x, y), way| {
        let (east, north) = way;
        (x + east, y + north)
    });
    let mean = Point { x: sum.0 as i32, y: sum.1 as i32 };
    (mean != Point::default()).then(|| Heading::between(Point::default(), mean))
}
