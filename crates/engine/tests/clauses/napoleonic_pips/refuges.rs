//! The wood or village to which a unit flees.

use grognard_engine::plane::Point;

use super::{cavalry, centre, defender};
use crate::common::{Game, block_of, pips};

/// If two refuges are equally near, their positions decide, not their order in the study (HD7).
#[test]
fn clause_hd7() {
    let piece = |ground: &str, east: f64| block_of(ground, (east, 0.0), (4.0, 4.0));
    // Both are 5.5" from D, which has to turn a right angle to either. Its own edge is in the south, so the one 8" to
    // the east is on its right.
    for (east, west) in [("woods", "woods"), ("woods", "built-up"), ("built-up", "woods")] {
        for turned in [false, true] {
            let mut ground = [piece(east, 8.0), piece(west, -8.0)];
            if turned {
                ground.reverse();
            }
            let men = [defender().morale("routed")];
            let mut game = Game::over(pips(), &ground, ("hold", &men), ("hold", &[cavalry(0.0, -5.0, 0.0)]));
            game.phase("flee", &[]);
            assert_eq!(centre(&game, &game.first()), Point { x: 800, y: 0 }, "{east} before {west}: {turned}");
        }
    }
}
