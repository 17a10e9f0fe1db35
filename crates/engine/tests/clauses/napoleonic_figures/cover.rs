//! Cover protects any unit in it or behind it.

use grognard_engine::TerrainPlan;

use super::s6;
use crate::common::{Game, Men, block_of, drill, line_of, unit};

/// Whether a line five inches ahead of S6 is in cover from S6, and S6 from the line.
fn covered(terrain: &[TerrainPlan]) -> [bool; 2] {
    [true, false].map(|own| {
        let there = unit("line-battalion").figures(6).at(0.0, 5.0).facing(180.0);
        let (firer, target) = if own { (s6(), there) } else { (there, s6()) };
        let mut game = Game::over(drill(), terrain, ("fire-only", &[firer]), ("hold", &[target]));
        game.phase("fire", &[1, 1, 1]);
        game.own_modifiers("fire").contains(&"in-cover")
    })
}

/// A wood or a village gives cover to the units in it, but not to the enemies they fire at.
#[test]
fn ground_that_the_firer_stands_in_covers_the_firer() {
    for ground in ["woods", "built-up"] {
        // S6 is in the wood or village, with its front half an inch inside the edge.
        assert_eq!(covered(&[block_of(ground, (0.0, -1.5), (12.0, 4.0))]), [false, true], "{ground}");
    }
    // Terrain between the two lines covers both, and so does terrain that contains both.
    assert_eq!(covered(&[line_of("hedge", (-6.0, 2.5), (6.0, 2.5))]), [true, true]);
    assert_eq!(covered(&[block_of("woods", (0.0, 2.5), (20.0, 12.0))]), [true, true]);
    assert_eq!(covered(&[]), [false, false]);
}

/// A hedge or a wall covers any unit that lines it, but not the enemy in the open beyond it.
#[test]
fn a_hedge_covers_whoever_lines_it() {
    for ground in ["hedge", "wall"] {
        assert_eq!(covered(&[line_of(ground, (-6.0, 0.15), (6.0, 0.15))]), [false, true], "{ground}");
        assert_eq!(covered(&[line_of(ground, (-6.0, 4.85), (6.0, 4.85))]), [true, false], "{ground}");
    }
}

/// Skirmishers in the open have no cover from troops in a wood, and stay out of the troops' zone.
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

/// Only terrain between a figure and the nearest part of an enemy covers the figure: neither terrain under the enemy
/// nor terrain beside the line to that part.
#[test]
fn cover_lies_between_a_figure_and_the_nearest_part_of_the_enemy() {
    let stops = |terrain: &[TerrainPlan], men: Men, enemy: Men| {
        let men = men.formation("full-skirmish").facing(0.0);
        let mut game = Game::over(drill(), terrain, ("march", &[men]), ("hold", &[enemy]));
        game.phase("move", &[]);
        game.ground(&game.first()).distance(&game.ground(&game.second()))
    };
    // A square of twelve figures, 2" deep, is astride a hedge 1.2" behind its front, and skirmishers approach from its
    // rear.
    let square = || unit("line-battalion").figures(12).formation("square").at(0.0, 0.0).facing(0.0);
    let two = || unit("light-battalion").figures(2).at(0.0, -7.0);
    let across = |south: f64| [line_of("hedge", (-6.0, -south), (6.0, -south))];
    assert!((200..=210).contains(&stops(&[], two(), square())));
    assert!((200..=210).contains(&stops(&across(1.2), two(), square())));
    assert!(stops(&across(2.4), two(), square()) < 200, "a hedge before its rear face covers them");
    // A skirmisher is in front of the western half of a line, 2.5" from the line's middle. First a hedge is end-on
    // between the skirmisher and that middle; then the hedge is in front of the western half.
    let line = || unit("line-battalion").at(0.0, 0.0).facing(180.0);
    let one = || unit("light-battalion").figures(1).at(-2.5, -4.0);
    assert!((200..=210).contains(&stops(&[block_of("hedge", (-1.2, -0.85), (0.2, 0.8))], one(), line())));
    assert!(stops(&[block_of("hedge", (-2.5, -0.85), (1.2, 0.2))], one(), line()) < 200);
}

/// A square fires from the face towards its target: terrain between that face and the target covers the target.
#[test]
fn clause_9_55() {
    let covered = |north: f64| {
        let square = unit("line-battalion").figures(12).formation("square").at(0.0, 0.0).facing(0.0);
        let target = unit("line-battalion").figures(6).at(5.0, -1.0).facing(270.0);
        let hedge = [block_of("hedge", (3.0, north), (1.0, 0.2))];
        let mut game = Game::over(drill(), &hedge, ("fire-only", &[square]), ("hold", &[target]));
        game.play_fire();
        game.own_modifiers("fire").contains(&"in-cover")
    };
    // From the middle of the north face, the line to the target would pass through (3,-0.57); from the east face, it
    // passes through (3,-1).
    assert_eq!([-0.57, -1.0].map(covered), [false, true]);
}
