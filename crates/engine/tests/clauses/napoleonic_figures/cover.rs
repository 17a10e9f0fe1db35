//! Cover belongs to any unit that stands in it or behind it.

use grognard_engine::TerrainPlan;

use super::s6;
use crate::common::{Game, block_of, drill, line_of, unit};

/// Whether a line five inches ahead of S6 is in cover from it, and S6 from that line.
fn covered(terrain: &[TerrainPlan]) -> [bool; 2] {
    [true, false].map(|own| {
        let there = unit("line-battalion").figures(6).at(0.0, 5.0).facing(180.0);
        let (firer, target) = if own { (s6(), there) } else { (there, s6()) };
        let mut game = Game::over(drill(), terrain, ("fire-only", &[firer]), ("hold", &[target]));
        game.phase("fire", &[1, 1, 1]);
        game.own_modifiers("fire").contains(&"in-cover")
    })
}

/// A wood or a village covers units in it, but covers no unit from them.
#[test]
fn ground_that_the_firer_stands_in_covers_the_firer() {
    for ground in ["woods", "built-up"] {
        // S6 stands in it, its front half an inch inside the edge.
        assert_eq!(covered(&[block_of(ground, (0.0, -1.5), (12.0, 4.0))]), [false, true], "{ground}");
    }
    // Between the two, and in the midst of both.
    assert_eq!(covered(&[line_of("hedge", (-6.0, 2.5), (6.0, 2.5))]), [true, true]);
    assert_eq!(covered(&[block_of("woods", (0.0, 2.5), (20.0, 12.0))]), [true, true]);
    assert_eq!(covered(&[]), [false, false]);
}

/// A hedge or a wall covers any unit that lines it, and not the enemy in the open beyond it.
#[test]
fn a_hedge_covers_whoever_lines_it() {
    for ground in ["hedge", "wall"] {
        assert_eq!(covered(&[line_of(ground, (-6.0, 0.15), (6.0, 0.15))]), [false, true], "{ground}");
        assert_eq!(covered(&[line_of(ground, (-6.0, 4.85), (6.0, 4.85))]), [true, false], "{ground}");
    }
}

/// Skirmishers in the open have no cover from troops in a wood, and stay out of their zone.
#[test]
fn clause_9_43() {
    let men = unit("light-battalion").figures(3).formation("full-skirmish").at(0.0, 0.0).facing(0.0);
    let enemy = unit("line-battalion").figures(6).at(0.0, 6.0).facing(180.0);
    let woods = [block_of("woods", (0.0, 7.0), (12.0, 4.0))];
    let mut game = Game::over(drill(), &woods, ("march", &[men]), ("hold", &[enemy]));
    game.phase("move", &[]);
    let distance = game.ground(&game.first()).distance(&game.ground(&game.second()));
    assert!((200..=210).contains(&distance), "{distance}");
    game.saw("9.43");
}
