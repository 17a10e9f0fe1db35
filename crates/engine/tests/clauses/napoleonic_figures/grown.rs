//! Units that enter terrain without marching, because they grow, merge or leave a square (8.16).

use grognard_engine::{Flags, Side, TerrainPlan};
use grognard_rules::model::MoraleId;

use super::far_away;
use crate::common::{Game, Men, block_of, drill, line_of, load_once, unit};

fn square(figures: u16, at: (f64, f64)) -> Men {
    unit("line-battalion").figures(figures).formation("square").at(at.0, at.1).facing(0.0)
}

/// The game over this terrain after a phase in which the first unit carries out this order.
fn after(terrain: &[TerrainPlan], doctrine: &str, men: &[Men], phase: &str) -> Game {
    let mut game = Game::over(drill(), terrain, (doctrine, men), ("hold", &[far_away()]));
    game.phase(phase, &[]);
    game
}

/// A unit's morale. If terrain has disordered the unit, the clause must be cited.
fn morale(game: &Game, number: usize) -> String {
    let morale = game.state(&game.nth(number)).1.to_owned();
    assert_eq!(game.seen.cited().contains("8.16"), morale == "disordered", "{:?}", game.seen.events());
    morale
}

/// Terrain disorders a unit that extends into it when figures return.
#[test]
fn clause_8_16() {
    // Six figures in line are 3" wide, and 4" when the other two have returned. The wood begins 1.6" or 2.1" from the
    // middle. In the last case, the unit is already in the wood and so does not enter it.
    for (wood, state) in [(3.6, "disordered"), (4.1, "good"), (3.0, "good")] {
        let men = unit("light-battalion").screen(2).at(0.0, 0.0).facing(0.0);
        let game = after(&[block_of("woods", (wood, 0.0), (4.0, 4.0))], "recall", &[men], "formation");
        assert_eq!((morale(&game, 0).as_str(), game.first().figures), (state, 8), "{wood}");
    }
    // Seven figures form a square 1.5" deep. With the five that join them it is 2" deep, which reaches a wall.
    for (north, state) in [(-1.15, ("all-around", "disordered")), (-4.0, ("square", "good"))] {
        let men = unit("large-light-battalion").figures(12).screen(5).at(0.0, 0.0).facing(0.0);
        let game = after(&[line_of("wall", (-3.0, north), (3.0, north))], "form-square", &[men], "formation");
        assert_eq!((game.state(&game.first()), game.first().figures), (state, 12), "{north}");
        morale(&game, 0);
    }
}

/// Terrain also disorders a square that grows into it, and units that leave a square.
#[test]
fn squares_enter_ground_as_they_merge_and_part() {
    // Squares of eight and six figures make one of 2", whose rear is at -1.75". A wall is close behind the two original
    // squares, or far behind them.
    for (north, state) in [(-1.65, "disordered"), (-4.0, "good")] {
        let wall = [line_of("wall", (-3.0, north), (3.0, north))];
        let game = after(&wall, "join", &[square(8, (0.0, 0.0)), square(6, (1.25, 0.0))], "move");
        assert_eq!(morale(&game, 0), state, "{north}");
    }
    // The host forms column, and the other battalion is placed on the far side of it from the enemy. A wood is 3.1" or
    // 8" away.
    for (edge, state) in [(-3.1, "disordered"), (-8.0, "good")] {
        let wood = [block_of("woods", (0.0, edge - 4.0), (8.0, 8.0))];
        let mut game = after(&wood, "join", &[square(8, (0.0, 0.0)), square(7, (0.0, -1.5))], "move");
        assert_eq!((morale(&game, 0).as_str(), game.first().guests), ("good", 7));
        game.unit_mut(Side::First, 0).doctrine = drill().doctrine("form-column").expect("a doctrine");
        game.phase("formation", &[]);
        assert_eq!(game.state(&game.first()), ("column", "good"));
        assert_eq!(morale(&game, 1), state, "{edge}: {:?}", game.ground(&game.nth(1)));
    }
}

/// Terrain that the host enters by changing formation does not affect the other units of its former square (8.54).
#[test]
fn clause_8_12() {
    // The square of 15 extends from -1" to 1"; a line of eight extends half an inch into the wood that ends at -1.5".
    let wood = [block_of("woods", (-5.5, -0.75), (8.0, 8.0))];
    let mut game = after(&wood, "join", &[square(8, (0.0, 0.0)), square(7, (0.0, -1.5))], "move");
    assert_eq!(game.first().guests, 7);
    game.unit_mut(Side::First, 0).doctrine = drill().doctrine("line-ahead").expect("a doctrine");
    game.phase("formation", &[]);
    assert_eq!(game.state(&game.first()), ("line", "disordered"));
    assert_eq!(game.state(&game.nth(1)), ("square", "good"));
    game.saw("8.12");
}

/// If a former square's ground has no room for a unit, the unit moves to other ground. That ground disorders the unit
/// if the square was not on it.
#[test]
fn those_left_of_a_square_enter_ground() {
    // Six figures are 1" wide and 1.5" deep. Two units are left: one behind the middle, and the other behind the first,
    // as far back as 1.75".
    for (wall, states) in [(-0.2, ["good", "good"]), (-1.0, ["good", "good"]), (-1.65, ["good", "disordered"])] {
        let wall = [line_of("wall", (-3.0, 9.0 + wall), (3.0, 9.0 + wall))];
        let shooters = unit("line-battalion").figures(8).at(0.0, 13.0).facing(180.0);
        let squares = [square(8, (0.0, 0.0)), square(7, (1.5, 0.0)), square(7, (-1.5, 0.0))];
        let mut game = Game::over(drill(), &wall, ("join", &squares), ("fire-only", &[shooters]));
        game.phase("move", &[]);
        assert_eq!(game.first().guests, 14, "{:?}", game.seen.events());
        for number in 0..3 {
            let unit = game.unit_mut(Side::First, number);
            (unit.figures, unit.start, unit.morale) = (2, 2, MoraleId::FIRST);
        }
        let unit = game.unit_mut(Side::First, 0);
        (unit.guests, unit.front.y) = (4, 900);
        assert_eq!((game.ground(&game.first()).width, game.ground(&game.first()).depth), (100, 150));
        game.dice_of(Side::Second, "fire", &[10, 10, 10, 10, 1, 1, 1, 1]);
        assert!(game.first().gone());
        let left = [1, 2].map(|number| (game.nth(number).figures, game.state(&game.nth(number)).1));
        assert_eq!(left, states.map(|state| (1, state)), "{:?}", game.seen.events());
    }
}

/// A unit of a former square is on the square's ground, and has not entered it.
#[test]
fn the_last_of_a_square_stay_on_its_ground() {
    let wall = [line_of("wall", (-3.0, -0.75), (3.0, -0.75))];
    let shooters = unit("line-battalion").figures(4).at(0.0, 4.0).facing(180.0);
    let squares = [square(8, (0.0, 0.0)), square(2, (1.0, 0.0))];
    let mut game = Game::over(drill(), &wall, ("join", &squares), ("fire-only", &[shooters]));
    game.phase("move", &[]);
    assert_eq!((morale(&game, 0).as_str(), game.first().guests), ("good", 2));
    // The host has one figure left, which falls with one of the other two.
    game.unit_mut(Side::First, 0).figures = 1;
    game.phase_of(Side::Second, "fire", &[10, 10, 1, 1]);
    assert!(game.first().gone());
    assert_eq!(game.nth(1).figures, 1);
    assert_eq!(morale(&game, 1), "good");
}

/// When a result removes the host of a square, the square is gone. A unit left inside is on its own, on the square's
/// ground.
#[test]
fn who_is_inside_a_square_outlives_its_host() {
    let rules =
        load_once("figures-drill", &["roll.fire.result.hits.foe.lose=0", "roll.fire.result.hits.foe.destroy=true"]);
    let shooters = unit("line-battalion").figures(4).at(0.0, 4.0).facing(180.0);
    let squares = [square(8, (0.0, 0.0)), square(6, (1.25, 0.0))];
    let mut game = Game::under(rules, ("join", &squares), ("fire-only", &[shooters]));
    game.phase("move", &[]);
    assert_eq!((game.first().guests, game.nth(1).flags.has(Flags::INSIDE)), (6, true));
    let stood = game.ground(&game.first()).centre();
    game.phase_of(Side::Second, "fire", &[10, 10]);
    let left = game.nth(1);
    assert_eq!((game.first().gone(), game.first().guests, left.gone(), left.figures), (true, 0, false, 6));
    assert!(!left.flags.has(Flags::INSIDE), "{:?}", game.seen.events());
    assert_eq!(left.front, stood, "as everybody who is let out, with his front at the middle");
}
