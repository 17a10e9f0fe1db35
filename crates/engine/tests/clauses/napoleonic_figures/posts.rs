//! Screens and the units that march over them (9.34): they do not obstruct each other, and never end up overlapping.

use grognard_engine::plane::{Heading, Point};
use grognard_engine::{Event, Flags, Refusal, Unit, Why};

use super::{far_away, marched};
use crate::common::{Game, Men, block_of, drill, line_of, load_once, unit};

/// Eight lights, two of them deployed in a row half an inch deep, three inches ahead.
fn lights(formation: &str) -> Men {
    unit("light-battalion").formation(formation).screen(2).at(0.0, 0.0).facing(0.0)
}

/// Whether any two units on the table overlap.
fn anybody_overlaps(game: &Game) -> bool {
    let here: Vec<_> = game.battle.units.iter().filter(|unit| !unit.gone()).map(|unit| game.ground(unit)).collect();
    (0..here.len()).any(|one| (0..one).any(|other| here[one].overlaps(&here[other])))
}

/// The game after the unit has marched 3.3", which would make it overlap its screen by 0.3". The screen has no orders.
fn marched_over(doctrine: &str, others: &[Men], enemy: Men) -> Game {
    let rules = load_once("figures-drill", &["doctrine.path-ahead.row.path.legs.0.march=3.3"]);
    let men = [&[lights("line")], others].concat();
    let mut game = Game::under(rules, (doctrine, &men), ("hold", &[enemy]));
    let screen = game.first().kin.index();
    game.battle.units[screen].doctrine = rules.doctrine("hold").expect("a doctrine");
    game.phase("move", &[]);
    assert_eq!(game.first().front, Point { x: 0, y: 330 }, "{:?}", game.seen.events());
    assert!(!anybody_overlaps(&game));
    game
}

/// The screen of the first unit.
fn screen(game: &Game) -> Unit {
    game.battle.units[game.first().kin.index()]
}

/// A column moves its 10" and a line its 8" with or without a screen deployed (9.11, 9.22). The screen moves ahead of
/// the unit in its own move.
#[test]
fn a_unit_marches_through_its_screen() {
    for (formation, inches) in [("column", 10), ("line", 8)] {
        let mut game = Game::new(("screened-march", &[lights(formation)]), ("hold", &[far_away()]));
        game.phase("move", &[]);
        assert_eq!(game.first().front.y, inches * 100, "{formation}");
        // The screen moves as far as its unit, up to the ten inches of 9.34, to a post as far ahead as before.
        assert_eq!((screen(&game).figures, screen(&game).front.y), (2, inches * 100 + 350), "{formation}");
    }
    // A screen without orders stays put. It is then 4" behind the rear of its unit, and so within its tether (9.42).
    let mut stays = Game::new(("parent-marches", &[lights("line")]), ("hold", &[far_away()]));
    stays.phase("move", &[]);
    assert_eq!((stays.first().front.y, screen(&stays).front.y, screen(&stays).figures), (800, 350, 2));
}

/// A screen that would be left under its unit is placed close in front of it.
#[test]
fn a_screen_does_not_stand_under_its_unit() {
    let game = marched_over("path-ahead", &[], far_away());
    assert_eq!((screen(&game).figures, screen(&game).front.y), (2, 330 + 50));
    // An enemy's fire zone in front leaves room only behind the unit, whose rear is at 2.8" (9.43).
    let near = || unit("line-battalion").figures(6).at(0.0, 4.3).facing(180.0);
    let game = marched_over("parent-marches", &[], near());
    assert_eq!((screen(&game).figures, screen(&game).front.y), (2, 280));
    // If a friend comes along close behind, there is no room, so the screen rejoins its unit.
    let second = unit("line-battalion").figures(6).at(0.0, -0.55).facing(0.0);
    let game = marched_over("parent-marches", &[second], near());
    assert_eq!((game.first().figures, game.nth(1).front.y), (8, 330 - 55));
    assert!(
        game.seen.events().iter().any(|event| matches!(event, Event::Rejoined { why: Why::Ordered, figures: 2, .. }))
    );
}

/// A unit charges through its own screen, which is then behind it.
#[test]
fn a_unit_charges_through_its_screen() {
    let men = unit("line-battalion").formation("column").screen(1).at(0.0, 0.0).facing(0.0);
    let target = unit("line-battalion").figures(4).at(0.0, 4.0).facing(180.0);
    let mut game = Game::new(("charge", &[men]), ("hold", &[target]));
    game.phase("charge", &[1, 1, 3, 3]);
    assert!(!game.seen.refusals().contains(&Refusal::OutOfReach));
    assert!(game.first().flags.has(Flags::CONTACT));
    // Eleven figures four abreast are 1.5" deep: their rear is at 2.5".
    assert_eq!((game.first().front.y, screen(&game).front.y, screen(&game).figures), (400, 250, 1));
    assert!(!anybody_overlaps(&game));
}

/// The game after the unit has carried out this order in the formation phase, with its screen this far ahead of it. The
/// unit has no orders for later phases.
fn formed(doctrine: &str, men: Men, ahead: i32, enemy: Men) -> Game {
    let mut game = Game::new((doctrine, &[men]), ("hold", &[enemy]));
    let screen = game.first().kin.index();
    game.battle.units[screen].front.y = ahead + 50;
    let hold = game.rules.doctrine("hold").expect("a doctrine");
    game.battle.units[screen].doctrine = hold;
    game.phase("formation", &[]);
    assert!(game.seen.refusals().is_empty(), "{:?}", game.seen.refusals());
    game.battle.units[0].doctrine = hold;
    game
}

/// A unit turns over its own screen, which is clear of it when all have moved.
#[test]
fn clause_7_31() {
    // Fourteen figures in line are 7" wide. Turned to the east, they reach 3.25" to the north, and the other two are 3"
    // ahead.
    let men = unit("large-line-battalion").figures(16).screen(2).at(0.0, 0.0).facing(0.0);
    let mut game = formed("face", men, 300, unit("line-battalion").at(20.0, -0.25).facing(270.0));
    assert!(game.first().heading.tenths().abs_diff(900) <= 1);
    game.saw("7.31");
    game.phase("move", &[]);
    assert_eq!(screen(&game).figures, 2);
    assert!(!anybody_overlaps(&game));
}

/// A unit changes formation over its own screen.
#[test]
fn clause_8_11() {
    // Fourteen figures four abreast are 2" deep: the front comes 0.75" forward, onto two figures that touch the line.
    let men = unit("large-line-battalion").figures(16).screen(2).at(0.0, 0.0).facing(0.0);
    let mut game = formed("form-column", men, 0, far_away());
    assert_eq!(game.state(&game.first()).0, "column");
    game.saw("8.11");
    game.phase("move", &[]);
    assert_eq!(screen(&game).figures, 2);
    assert!(!anybody_overlaps(&game));
}

/// A screen moves through its unit, but does not end a march or a path on it (9.34), where neither could be shot at
/// (7.53).
#[test]
fn a_screen_does_not_end_its_move_on_its_unit() {
    // From 3" ahead, the screen goes half an inch forward and then back. Going back 4" would end on the unit, and 6.5"
    // behind it.
    for (back, front) in [("4", 350), ("6.5", -250)] {
        let leg = |index: usize, what: &str| format!("doctrine.path.row.path.legs.{index}.{what}");
        let legs = [leg(0, "march=0.5"), leg(1, "wheel=180"), leg(2, &format!("march={back}"))];
        let rules = load_once("figures-drill", &legs.each_ref().map(String::as_str));
        let mut game = Game::under(rules, ("path", &[lights("line")]), ("hold", &[far_away()]));
        game.battle.units[0].doctrine = rules.doctrine("hold").expect("a doctrine");
        game.phase("move", &[]);
        assert_eq!((screen(&game).front, screen(&game).figures), (Point { x: 0, y: front }, 2));
        assert_eq!(game.seen.refusals().contains(&Refusal::NoRoom), front == 350);
    }
    // A screen ordered to advance on an enemy 0.7" behind its unit would stop an inch in front of the enemy,
    // overlapping the unit by 0.3". It stops at its unit instead.
    let enemy = unit("line-battalion").figures(6).at(0.0, -1.7).facing(180.0);
    let mut game = Game::new(("march", &[lights("line")]), ("hold", &[enemy]));
    let hold = game.rules.doctrine("hold").expect("a doctrine");
    game.battle.units[0].doctrine = hold;
    game.phase("move", &[]);
    assert_eq!((screen(&game).front.y, screen(&game).figures), (50, 2));
    // A screen that overlaps its unit for any reason is clear of it after the move.
    let mut game = Game::new(("hold", &[lights("line")]), ("hold", &[far_away()]));
    let row = game.first().kin.index();
    game.battle.units[row].front.y = 20;
    game.phase("move", &[]);
    assert_eq!(screen(&game).figures, 2);
    assert!(!anybody_overlaps(&game));
}

/// When figures return to a unit that touches an enemy, the unit shifts sideways and stays in contact. Figures are not
/// recalled if there is no room.
#[test]
fn clause_9_42() {
    // Six figures in line charge four. When the two that stray return, the eight are 4" wide, and a friend is in the
    // way from 1.6" on.
    let friend = unit("line-battalion").figures(4).at(2.6, 3.9).facing(0.0);
    let target = unit("line-battalion").figures(4).at(0.0, 4.0).facing(180.0);
    let mut game = Game::new(("charge", &[lights("line"), friend]), ("hold", &[target]));
    let hold = game.rules.doctrine("hold").expect("a doctrine");
    game.battle.units[1].doctrine = hold;
    game.phase("charge", &[1, 1, 3, 3]);
    assert!(game.first().flags.has(Flags::CONTACT), "{:?}", game.seen.events());
    let row = game.first().kin.index();
    game.battle.units[row].front.y = -2000;
    game.phase("move", &[]);
    assert_eq!((game.first().figures, game.first().front), (8, Point { x: -50, y: 400 }));
    assert!(game.first().flags.has(Flags::CONTACT) && !anybody_overlaps(&game));
    // Between lines of twelve, with a column of twelve close behind, the unit has no room for its deployed figures.
    let beside = |east: f64| unit("line-battalion").at(east, 0.0).facing(0.0);
    let behind = unit("line-battalion").formation("column").abreast(1).at(0.0, -0.6).facing(0.0);
    for (men, out) in [(vec![lights("line")], 0), (vec![lights("line"), beside(-4.6), beside(4.6), behind], 2)] {
        let mut game = Game::new(("recall", &men), ("hold", &[far_away()]));
        let place = game.first().front;
        game.phase("formation", &[]);
        assert_eq!((screen(&game).figures, game.first().front), (out, place));
        assert_eq!(game.seen.refusals().contains(&Refusal::NoRoom), out > 0);
    }
}

/// A screen moves up to ten inches to its post, less the cost of any terrain that its figures pass over.
#[test]
fn clause_7_43() {
    // Two figures are in a row of 2.5", and their post is 15" ahead.
    let hedge = |from: f64| vec![line_of("hedge", (from, -9.0), (7.0, -9.0))];
    let wood = |from: f64| vec![block_of("woods", (from + 3.0, -5.0), (6.0, 6.0))];
    let grounds = [
        (vec![], 1000),
        // The hedge costs two inches if it is in front of the right figure, but nothing if it is beside the row.
        (hedge(0.8), 800),
        (hedge(1.3), 1000),
        // It is 3.5" from -11.5" to the wood's edge at -8". The other 6.5" of movement go half that distance.
        (wood(0.8), 350 + 325),
        (wood(1.3), 1000),
    ];
    for (ground, inches) in grounds {
        let mut game = Game::over(drill(), &ground, ("screened-march", &[lights("line")]), ("hold", &[far_away()]));
        let row = game.first().kin.index();
        game.battle.units[row].front.y -= 1500;
        game.battle.units[0].doctrine = game.rules.doctrine("hold").expect("a doctrine");
        game.phase("move", &[]);
        assert_eq!(marched(&game), Some(inches), "{ground:?}");
        game.saw("7.43");
    }
}

/// A screen moves to its post by any route, but not through an enemy, even one that faces away (7.43).
#[test]
fn a_screen_stops_before_an_enemy_on_its_way() {
    let enemy = || unit("line-battalion").figures(6).at(0.0, -6.0).facing(0.0);
    let friend = unit("line-battalion").figures(6).at(0.0, -6.0).facing(0.0);
    for (men, enemies, stops) in
        [(vec![lights("line")], vec![enemy()], true), (vec![lights("line"), friend], vec![far_away()], false)]
    {
        let mut game = Game::new(("screened-march", &men), ("hold", &enemies));
        let row = game.first().kin.index();
        game.battle.units[row].front.y -= 1500;
        game.battle.units[0].doctrine = game.rules.doctrine("hold").expect("a doctrine");
        game.phase("move", &[]);
        let goes = screen(&game).front.y;
        assert_eq!(goes < -650, stops, "{goes}");
    }
}

/// A row that turns on its way pays for the terrain that it passes over after turning (7.43).
#[test]
fn a_screen_turns_only_as_far_as_it_can_pay_for() {
    // The row of 2.5" goes east from 15" behind its post. End-on, it would pass beside the hedge. Turned, its left
    // figure pays two inches to cross the hedge and has eight left. If the row moves 6.5", that figure moves along the
    // hypotenuse of 7.5" and 1"; if it moves 7", along that of 8" and 1".
    let hedge = [line_of("hedge", (-9.0, 0.6), (-9.0, 7.0))];
    for (ground, inches) in [(&hedge[..], 650), (&[], 850)] {
        let men = unit("light-battalion").screen(2).at(0.0, 0.0).facing(90.0);
        let mut game = Game::over(drill(), ground, ("screened-march", &[men]), ("hold", &[far_away()]));
        let row = game.first().kin.index();
        game.battle.units[row].heading = Heading::from_tenths(0);
        game.battle.units[row].front = Point { x: -1175, y: 25 };
        game.battle.units[0].doctrine = game.rules.doctrine("hold").expect("a doctrine");
        game.phase("move", &[]);
        assert_eq!((marched(&game), screen(&game).heading.tenths()), (Some(inches), 900), "{ground:?}");
    }
}

/// A screen stopped by a fire zone has not crossed the terrain inside the zone.
#[test]
fn a_screen_suffers_no_ground_that_it_does_not_reach() {
    // The zone of the line begins at 6", and the screen stops half an inch short of it; the stream begins at 6.75".
    let stream = [line_of("stream", (-5.0, 7.0), (5.0, 7.0))];
    let enemy = unit("line-battalion").figures(6).at(0.0, 8.0).facing(180.0);
    let rules = load_once("figures-drill", &["doctrine.screened-march.row.ahead.stop=9"]);
    let mut game = Game::over(rules, &stream, ("screened-march", &[lights("line")]), ("hold", &[enemy]));
    game.battle.units[0].doctrine = game.rules.doctrine("hold").expect("a doctrine");
    game.phase("move", &[]);
    assert_eq!((game.seen.refusals(), screen(&game).front.y), (vec![Refusal::FireZone], 550));
    assert!(!screen(&game).flags.has(Flags::CROSSED));
}
