//! Where a routed unit points: away from the nearest enemy, or, if several are equally near, from the mean of their bearings
//! (clause 7.44). A unit whose nearest enemy stands at bearing 30 points to 210.

use grognard_rules::model::Rules;

use crate::plane::{Heading, Point};
use crate::state::{Battle, UnitId};

/// The heading away from the nearest enemy on the table, broken or not, from centre to centre. None if there is no enemy
/// left, or if those that are nearest stand evenly all round.
pub(crate) fn away_from_nearest(rules: &Rules, battle: &Battle, id: UnitId) -> Option<Heading> {
    let unit = battle.unit(id);
    let own = unit.rect(rules).centre();
    let enemies = battle.side(unit.side.other()).filter(|&enemy| !battle.unit(enemy).gone());
    let mut nearest = i64::MAX;
    let mut bearings = (0_i64, 0_i64);
    let mut only = None;
    for enemy in enemies {
        let there = battle.unit(enemy).rect(rules).centre();
        let distance = there.square_distance(own);
        if distance > nearest {
            continue;
        }
        let away = Heading::between(there, own);
        let (x, y) = away.forward();
        (bearings, only) =
            if distance < nearest { ((x, y), Some(away)) } else { ((bearings.0 + x, bearings.1 + y), None) };
        nearest = distance;
    }
    let mean = Point { x: bearings.0 as i32, y: bearings.1 as i32 };
    only.or_else(|| (mean != Point::default()).then(|| Heading::between(Point::default(), mean)))
}
