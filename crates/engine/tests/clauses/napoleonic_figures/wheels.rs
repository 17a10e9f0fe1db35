//! Moves that other units block or change: what a wheel sweeps over, where a square can charge, and how a rout ends.

use grognard_engine::plane::Point;
use grognard_engine::{Event, Flags, Refusal, Side, TerrainPlan};
use grognard_rules::model::Rules;

use super::{far_away, figure, marched, s6};
use crate::common::{Game, Men, block_of, drill, line_of, load_once, unit};

/// The rules with a path that wheels S6 80 degrees to the right, around (1.5,0). Its left corner sweeps from (-1.5,0)
/// over (-0.6,2.1).
fn wheels() -> &'static Rules {
    let leg = |index: usize, what: &str| format!("doctrine.path.row.path.legs.{index}.{what}");
    let legs = [leg(0, "march=0"), leg(1, "wheel=80"), leg(2, "march=0")];
    load_once("figures-drill", &legs.each_ref().map(String::as_str))
}

/// The first of these units follows the path; the others do nothing.
fn path(men: &[Men], enemies: &[Men]) -> Game {
    let rules = wheels();
    let mut game = Game::under(rules, ("path", men), ("hold", enemies));
    let hold = rules.doctrine("hold").expect("a doctrine");
    for unit in &mut game.battle.units[1..] {
        unit.doctrine = hold;
    }
    game
}

/// No unit may be in the arc that a wheel sweeps: neither where the wheel ends nor on the way.
#[test]
fn clause_7_33() {
    // The other figure is half an inch wide and deep. With its rear at 1.4", it is 2.8" from the pivot; with its rear
    // at 3.6", it is out of reach.
    let one = |north: f64| figure().at(-0.8, north).facing(0.0);
    for (north, barred) in [(1.9, true), (4.1, false)] {
        for (men, enemies) in [(vec![s6()], vec![one(north), far_away()]), (vec![s6(), one(north)], vec![far_away()])] {
            let mut game = path(&men, &enemies);
            game.phase("move", &[]);
            let refusals = game.seen.refusals();
            assert_eq!(refusals, if barred { vec![Refusal::NoRoom] } else { vec![] }, "{north} {men:?}");
            assert_eq!(game.first().heading.tenths(), if barred { 0 } else { 800 });
        }
    }
    // A unit's own screen makes way.
    let men = unit("light-battalion").screen(2).at(0.0, 0.0).facing(0.0);
    let mut own = path(&[men], &[far_away()]);
    own.battle.units[1].front = Point { x: -80, y: 190 };
    own.phase("move", &[]);
    assert_eq!((own.seen.refusals(), own.first().heading.tenths()), (vec![], 800));
}

/// A unit that marches towards an enemy wheels until it meets a friend, and no farther.
#[test]
fn a_unit_wheels_as_far_as_it_has_room() {
    let east = || figure().bearing(80.0, 20.0).facing(260.0);
    let march = |friends: &[Men]| {
        let men = [&[s6()], friends].concat();
        let mut game = Game::new(("march", &men), ("hold", &[east()]));
        let hold = game.rules.doctrine("hold").expect("a doctrine");
        for unit in &mut game.battle.units[1..] {
            unit.doctrine = hold;
        }
        game.phase("move", &[]);
        (game.first().heading.tenths(), game)
    };
    // The nearest corner of the friend is 1.4" ahead of the pivot and 2.55" to its left, at an angle of 28.8 degrees.
    let (turned, game) = march(&[figure().at(-0.8, 1.9).facing(0.0)]);
    assert!((268..=288).contains(&turned), "{turned}");
    assert_eq!(marched(&game), Some(0), "it does not march past where it was to go");
    assert!(!game.ground(&game.first()).overlaps(&game.ground(&game.nth(1))));
    game.saw("7.33");
    // Close behind another line, it cannot wheel at all.
    let (turned, game) = march(&[unit("line-battalion").figures(6).at(0.0, 0.55).facing(0.0)]);
    assert_eq!((turned, game.seen.refusals()), (0, vec![Refusal::NoRoom]));
    // Lines side by side, a twentieth of an inch apart, can wheel: their rear corners graze each other by less than
    // that.
    let (turned, _) = march(&[unit("line-battalion").figures(6).at(-3.05, 0.0).facing(0.0)]);
    assert!(turned.abs_diff(800) <= 10, "{turned}");
}

/// A charge does not wheel over a friend either. S6 wheels 48 degrees to the right to reach an enemy.
#[test]
fn a_charge_does_not_sweep_over_friends() {
    let charge = |friend: Men| {
        let enemy = unit("line-battalion").figures(4).at(2.5, 2.0).facing(180.0);
        let mut game = Game::new(("charge", &[s6(), friend]), ("hold", &[enemy]));
        game.battle.units[1].doctrine = game.rules.doctrine("hold").expect("a doctrine");
        game.play_anyhow(Side::First, "charge");
        game.seen.refusals()
    };
    // The friend is within 2.8" of the pivot and three quarters of an inch behind the front after the wheel.
    assert_eq!(charge(figure().at(-0.75, 1.07).facing(0.0)), [Refusal::OutOfReach]);
    assert_eq!(charge(figure().at(-0.75, 4.0).facing(0.0)), []);
}

/// Which enemies a square may charge does not depend on how its figures are facing.
#[test]
fn clause_7_62() {
    // The square is 1.5" wide and deep around (0,-0.75), and moves four inches. The front of an 8" line is 3.5" to its
    // east, and the line's middle is 3.5" to its north.
    for (east, north, facing) in [(0.0, 0.0, 0.0), (0.75, -0.75, 90.0), (0.0, -1.5, 180.0), (-0.75, -0.75, 270.0)] {
        let square = || unit("line-battalion").figures(8).formation("square").at(east, north).facing(facing);
        let line = |apart: f64| unit("large-line-battalion").figures(16).at(0.75 + apart, 2.75).facing(270.0);
        for (apart, reached) in [(3.5, true), (4.2, false)] {
            let mut game = Game::new(("charge", &[square()]), ("hold", &[line(apart)]));
            // The line has already fired.
            game.unit_mut(Side::Second, 0).flags = Flags::FIRED;
            game.play_anyhow(Side::First, "charge");
            let declared = game.seen.events().iter().any(|event| matches!(event, Event::Declared { .. }));
            assert_eq!(declared, reached, "{facing} {apart}");
            assert_eq!(game.seen.refusals().contains(&Refusal::OutOfReach), !reached);
            if reached && facing != 90.0 {
                game.saw("7.62");
            }
        }
    }
}

/// A routed unit that runs on to find room to turn ends up facing away from the enemy that is nearest there.
#[test]
fn clause_7_44() {
    // It flees 12" to the south. There the nearest enemy is 4" to the west; facing east, it would overlap the friend to
    // the north, so it runs on an inch. It is then five inches from the enemy in the west but 4.5" from one in the
    // east.
    let routed = unit("line-battalion").morale("routed").at(0.0, -0.75).facing(180.0);
    let friend = figure().at(0.0, -10.7).facing(0.0);
    let west = figure().at(-3.75, -12.0).facing(90.0);
    let east = figure().at(5.25, -12.0).facing(270.0);
    let north = figure().at(0.0, 2.75).facing(180.0);
    let mut game = Game::new(("hold", &[routed, friend]), ("hold", &[north, west, east]));
    let ground = game.ground(&game.first());
    assert_eq!((ground.width, ground.depth, ground.centre()), (200, 150, Point { x: 0, y: 0 }));
    game.phase("move", &[]);
    let centre = game.ground(&game.first()).centre();
    assert_eq!(centre, Point { x: 100, y: -1200 }, "{:?}", game.seen.events());
    assert_eq!(game.first().heading.tenths(), 2700);
    game.saw("7.44");
}

/// A wheel pays for a wall that it crosses between its start and its end, and the crossing disorders the line.
#[test]
fn clause_8_16() {
    // A line 6" wide wheels around (3,0) by 50 degrees for 5.24"; the wall is a spoke of that wheel, at 28 degrees.
    let line = || unit("line-battalion").figures(12).at(0.0, 0.0).facing(0.0);
    let wall = || [line_of("wall", (1.5, 0.8), (-4.0, 3.7))];
    let by_path = |terrain: &[TerrainPlan], inches: &str| {
        let leg = |index: usize, what: &str| format!("doctrine.path.row.path.legs.{index}.{what}");
        let legs = [leg(0, "march=0"), leg(1, "wheel=50"), leg(2, &format!("march={inches}"))];
        let rules = load_once("figures-drill", &legs.each_ref().map(String::as_str));
        let mut game = Game::over(rules, terrain, ("path", &[line()]), ("hold", &[far_away()]));
        game.phase("move", &[]);
        (game.seen.refusals(), game.state(&game.first()).1.to_owned())
    };
    assert_eq!(by_path(&[], "2.76"), (vec![], "good".into()));
    assert_eq!(by_path(&wall(), "0.76"), (vec![], "disordered".into()));
    assert_eq!(by_path(&wall(), "0.77"), (vec![Refusal::TooFar], "good".into()));
    // Marching up to an enemy on that bearing gives the same result.
    let marches = |terrain: &[TerrainPlan], change: &[&str]| {
        let enemy = figure().bearing(50.0, 20.0).facing(230.0);
        let rules = load_once("figures-drill", change);
        let mut game = Game::over(rules, terrain, ("march", &[line()]), ("hold", &[enemy]));
        game.phase("move", &[]);
        (game.first().heading.tenths(), marched(&game), game.state(&game.first()).1.to_owned())
    };
    let (turned, far, morale) = marches(&wall(), &[]);
    assert!(turned.abs_diff(500) <= 2 && far.is_some_and(|far| far.abs_diff(276 - 200) <= 3), "{turned} {far:?}");
    assert_eq!(morale, "disordered");
    let (turned, far, morale) = marches(&[], &[]);
    assert!(turned.abs_diff(500) <= 2 && far.is_some_and(|far| far.abs_diff(276) <= 3), "{turned} {far:?}");
    assert_eq!(morale, "good");
    // With a move of 4", it stops short of the wall. With 5.5", it has 3.5" left for the arc, which is 33.4 degrees.
    let slow = |inches: &str, terrain: &[TerrainPlan]| {
        marches(terrain, &[&format!("unit.line-battalion.speed.line.inches={inches}")])
    };
    let (turned, far, morale) = slow("4", &wall());
    assert!((230..280).contains(&turned), "{turned}");
    assert_eq!((far, morale.as_str()), (Some(0), "good"));
    let (turned, far, morale) = slow("5.5", &wall());
    assert_eq!((turned, far, morale.as_str()), (334, Some(0), "disordered"));
    assert_eq!(["4", "5.5"].map(|inches| slow(inches, &[]).0.min(500)), [381, 500]);
    // A wall also disorders a charge that wheels across it.
    let charge = |terrain: &[TerrainPlan]| {
        let enemy = unit("line-battalion").figures(4).at(2.5, 2.0).facing(180.0);
        let mut game = Game::over(drill(), terrain, ("charge", &[s6()]), ("hold", &[enemy]));
        game.play_anyhow(Side::First, "charge");
        let has = |is: fn(&Event) -> bool| game.seen.events().iter().any(is);
        (has(|event| matches!(event, Event::Contact { .. })), has(|event| matches!(event, Event::Disordered { .. })))
    };
    assert_eq!(charge(&[]), (true, false));
    assert_eq!(charge(&[line_of("wall", (-0.24, 0.77), (-1.24, 1.22))]), (true, true));
}

/// A narrow unit takes its heading for free, but pays for a hedge that it turns onto (4.4).
#[test]
fn clause_7_42() {
    // Three figures abreast, 1.5" wide and half an inch deep, turn around (0,-0.25): their left half is then across the
    // hedge.
    let men = || unit("line-battalion").figures(3).at(0.0, 0.0).facing(0.0);
    let hedge = || [line_of("hedge", (-5.0, 0.4), (0.2, 0.4))];
    let by_path = |terrain: &[TerrainPlan], inches: &str| {
        let leg = |index: usize, what: &str| format!("doctrine.path.row.path.legs.{index}.{what}");
        let legs = [leg(0, "march=0"), leg(1, "wheel=90"), leg(2, &format!("march={inches}"))];
        let rules = load_once("figures-drill", &legs.each_ref().map(String::as_str));
        let mut game = Game::over(rules, terrain, ("path", &[men()]), ("hold", &[far_away()]));
        game.phase("move", &[]);
        game.saw_no("7.33");
        game.seen.refusals()
    };
    assert_eq!(by_path(&[], "8"), []);
    assert_eq!(by_path(&hedge(), "6"), []);
    assert_eq!(by_path(&hedge(), "6.01"), [Refusal::TooFar]);
    let march = |terrain: &[TerrainPlan], change: &[&str]| {
        let rules = load_once("figures-drill", change);
        let east = figure().at(20.0, 0.0).facing(270.0);
        let mut game = Game::over(rules, terrain, ("march", &[men()]), ("hold", &[east]));
        game.phase("move", &[]);
        (marched(&game), game.seen.refusals())
    };
    assert_eq!(march(&[], &[]), (Some(800), vec![]));
    assert_eq!(march(&hedge(), &[]), (Some(600), vec![]));
    // With less than two inches, it does not get onto the hedge.
    assert_eq!(march(&hedge(), &["unit.line-battalion.speed.line.inches=1"]), (None, vec![Refusal::TooFar]));
    // The turn of a charge must also be paid for. It is 20 degrees, and brings the rear left corner onto the hedge.
    let charge = |terrain: &[TerrainPlan], apart: f64| {
        let men = unit("line-battalion").figures(3).at(0.0, 0.0).facing(70.0);
        let enemy = figure().at(apart, 0.0).facing(270.0);
        let mut game = Game::over(drill(), terrain, ("charge", &[men]), ("hold", &[enemy]));
        game.play_anyhow(Side::First, "charge");
        game.seen.refusals()
    };
    let hedge = || [block_of("hedge", (-0.5, -0.8), (0.2, 0.2))];
    assert_eq!((charge(&[], 6.3), charge(&hedge(), 5.9)), (vec![], vec![]));
    assert_eq!(charge(&hedge(), 6.3), [Refusal::OutOfReach]);
}

/// A wheel moves at the rate of the terrain under it, from the point at which it enters that terrain. Twelve figures in
/// line turn 30 degrees for 3.14" in the open, and for twice as much in a wood (4.4, 7.33).
#[test]
fn a_wheel_goes_at_the_pace_of_its_ground() {
    let wheels = |terrain: &[TerrainPlan], inches: &str| {
        let leg = |index: usize, what: &str| format!("doctrine.path.row.path.legs.{index}.{what}");
        let legs = [leg(0, "march=0"), leg(1, "wheel=30"), leg(2, &format!("march={inches}"))];
        let rules = load_once("figures-drill", &legs.each_ref().map(String::as_str));
        let line = unit("line-battalion").figures(12).at(0.0, 0.0).facing(0.0);
        let mut game = Game::over(rules, terrain, ("path", &[line]), ("hold", &[far_away()]));
        game.phase("move", &[]);
        game.seen.refusals()
    };
    let wood = |west: f64| [block_of("woods", (west + 20.0, 0.0), (40.0, 40.0))];
    // 8" minus 3.14" is 4.86"; minus 6.28" it is 1.72", which is 0.86" in the wood.
    for (terrain, most, more) in [(&[][..], "4.84", "4.88"), (&wood(-20.0), "0.84", "0.88")] {
        assert_eq!((wheels(terrain, most), wheels(terrain, more)), (vec![], vec![Refusal::TooFar]), "{most}");
    }
    // A unit on a road through the wood does not pay this, if it is narrow enough for the road.
    let path = [block_of("woods", (0.0, 0.0), (40.0, 40.0)), block_of("road", (0.0, 0.0), (40.0, 40.0))];
    assert_eq!(wheels(&path, "0.88"), [Refusal::TooFar], "a line is too wide for it");
    // Guns leave the road in the first degrees of the arc, so the wood beside it counts from there to the end.
    let guns = |terrain: &[TerrainPlan], inches: &str| {
        let leg = |index: usize, what: &str| format!("doctrine.path.row.path.legs.{index}.{what}");
        let legs = [leg(0, "march=0"), leg(1, "wheel=90"), leg(2, &format!("march={inches}"))];
        let rules = load_once("figures-drill", &legs.each_ref().map(String::as_str));
        let guns = unit("field-battery").formation("limbered").at(0.0, 0.0).facing(0.0);
        let mut game = Game::over(rules, terrain, ("path", &[guns]), ("hold", &[far_away()]));
        game.phase("move", &[]);
        game.seen.refusals()
    };
    let road = [block_of("woods", (0.0, 0.0), (16.0, 16.0)), line_of("road", (0.0, -12.0), (0.0, 12.0))];
    assert_eq!((guns(&road, "1.5"), guns(&road, "2.6")), (vec![], vec![Refusal::TooFar]));
    assert_eq!(guns(&[], "5.5"), []);
    // A march towards an enemy gives the same result.
    let marches = |terrain: &[TerrainPlan]| {
        let enemy = figure().bearing(30.0, 20.0).facing(210.0);
        let line = unit("line-battalion").figures(12).at(0.0, 0.0).facing(0.0);
        let mut game = Game::over(drill(), terrain, ("march", &[line]), ("hold", &[enemy]));
        game.phase("move", &[]);
        marched(&game).expect("it marches")
    };
    assert!(marches(&[]).abs_diff(486) <= 3, "{}", marches(&[]));
    assert!(marches(&wood(-20.0)).abs_diff(86) <= 3, "{}", marches(&wood(-20.0)));
    // If the line's corner swings into a village for the last half of the arc, only that half costs more.
    let corner = [block_of("built-up", (-9.0, 1.6), (14.0, 0.4))];
    let (open, slow) = (marches(&[]), marches(&corner));
    assert!(slow < open && slow > marches(&wood(-20.0)), "{slow}");
}
