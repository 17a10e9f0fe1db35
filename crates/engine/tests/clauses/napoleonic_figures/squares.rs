//! Squares of several units, and guns in them.

use grognard_engine::plane::Point;
use grognard_engine::{Event, Flags, Refusal, Side, TerrainPlan};
use grognard_rules::model::MoraleId;

use super::{far_away, figure, marched};
use crate::common::{Game, Men, drill, line_of, load_with, unit};

/// A square of this many figures, this far to the east.
fn square(figures: u16, east: f64) -> Men {
    unit("line-battalion").figures(figures).formation("square").at(east, 0.0).facing(0.0)
}

/// The game after these units have joined a first square, 1.5" wide and deep, that they touch.
fn joined(others: &[Men], enemy: Men) -> Game {
    let mut men = vec![square(8, 0.0)];
    men.extend(others.iter().cloned());
    let mut game = Game::new(("join", &men), ("fire-only", &[enemy]));
    game.phase("move", &[]);
    game
}

fn joins(game: &Game) -> usize {
    game.seen.events().iter().filter(|event| matches!(event, Event::Joined { .. })).count()
}

/// Guns that touch the right of the square, 3" wide when unlimbered.
fn guns(cannon: u16, formation: &str) -> Men {
    unit("field-battery").cannon(cannon).formation(formation).at(0.75 + 1.5, 0.0).facing(0.0)
}

/// A battery inside a disordered square is disordered.
#[test]
fn clause_8_47c() {
    let enemy = || unit("line-battalion").at(0.0, 4.0).facing(180.0);
    let faces = &[10, 10, 10, 10, 1, 1, 5, 5];
    let shot = |crew: MoraleId| {
        let mut game = joined(&[square(6, 1.25), guns(2, "unlimbered").at(-0.75 - 1.5, 0.0)], enemy());
        assert_eq!(joins(&game), 2);
        game.unit_mut(Side::First, 2).morale = crew;
        game.phase_of(Side::Second, "fire", faces);
        game
    };
    let [good, disordered] = ["good", "disordered"].map(|state| drill().morale_state(state).expect("a state"));
    let mut game = shot(good);
    assert!(game.battle.units[..3].iter().all(|unit| game.state(unit).1 == "disordered"));
    game.saw("8.47c");
    // The host recovers, and its guns with it. The other battalion is on its own, and tests for itself.
    game.phase("recover", &[1, 1, 6, 6]);
    assert_eq!([0, 1, 2].map(|unit| game.state(&game.battle.units[unit]).1), ["good", "disordered", "good"]);
    // The effect of a check on the crew continues after the square has recovered.
    let mut before = shot(disordered);
    before.phase("recover", &[1, 1, 6, 6]);
    assert_eq!([0, 1, 2].map(|unit| before.state(&before.battle.units[unit]).1), ["good", "disordered", "disordered"]);
    // Guns that leave a disordered square are in good order.
    let mut leaves = Game::new(("in-and-out", &[square(8, 0.0), guns(4, "unlimbered")]), ("fire-only", &[enemy()]));
    leaves.phase("move", &[]).phase_of(Side::Second, "fire", faces);
    assert_eq!([0, 1].map(|unit| leaves.state(&leaves.nth(unit)).1), ["disordered"; 2]);
    leaves.phase("move", &[]);
    assert_eq!(leaves.state(&leaves.first()).1, "disordered");
    assert_eq!(leaves.state(&leaves.nth(1)), ("limbered", "good"));
}

/// The whole square takes the morale of the unit that tests for it and fails.
#[test]
fn clause_8_54() {
    let shot = |test: i32| {
        let enemy = unit("line-battalion").at(0.0, 4.0).facing(180.0);
        let mut game = joined(&[square(6, 1.25), square(4, -1.25)], enemy);
        assert_eq!(joins(&game), 2, "8, 6 and 4");
        game.phase_of(Side::Second, "fire", &[10, 10, 10, 10, 1, 1, test, test]);
        game
    };
    let failed = shot(5);
    assert!(failed.battle.units[..3].iter().all(|unit| failed.state(unit).1 == "disordered"));
    failed.saw("8.54");
    // They are no longer in a square, and would have to merge again (9.52).
    assert!(failed.battle.units[..3].iter().all(|unit| !unit.gone()));
    let passed = shot(2);
    assert!(passed.battle.units[..3].iter().all(|unit| passed.state(unit).1 == "good"));
    // The losses of all the units count against their combined strength. The first joins the second, which then tests
    // for both.
    let together = |first: Men, second: Men, faces: &[i32]| {
        let enemy = unit("line-battalion").at(1.75, 4.0).facing(180.0);
        let mut game = Game::new(("join-all", &[first, second]), ("fire-only", &[enemy]));
        game.phase("move", &[]);
        assert_eq!(joins(&game), 1);
        game.phase_of(Side::Second, "fire", faces);
        [0, 1].map(|number| (game.nth(number).figures, game.state(&game.nth(number)).1.to_owned()))
    };
    // With 12 and 7 figures, a loss of four of 19 is more than a sixth, although the seven have lost only one. Three
    // would be less.
    let (twelve, seven) = (|| square(12, 0.0), || square(7, 1.5));
    let tested = together(twelve(), seven(), &[10, 10, 10, 10, 1, 1, 5, 5]);
    assert_eq!(tested, [(9, "disordered".into()), (6, "disordered".into())]);
    let tested = together(twelve(), seven(), &[10, 10, 10, 1, 1, 1]);
    assert_eq!(tested, [(10, "good".into()), (6, "good".into())]);
    // With 4 and 2 figures, the loss of one of six is a sixth, whichever unit loses it.
    let tested = together(square(4, 1.0), square(2, 1.75), &[10, 1, 1, 1, 1, 1, 5, 5]);
    assert_eq!(tested, [(3, "disordered".into()), (2, "disordered".into())]);
}

/// A unit in all-around order that forms square does not turn: it faces all around as before, on the same ground.
#[test]
fn a_square_is_formed_on_the_ground_of_all_around_order() {
    let column = |east: f64| unit("line-battalion").formation("column").at(east, 0.0).facing(0.0);
    let all_around = unit("line-battalion").figures(8).formation("all-around").at(0.0, 0.0).facing(0.0);
    let enemy = figure().bearing(30.0, 20.0).facing(210.0);
    let mut game = Game::new(("form-square", &[all_around, column(-1.75), column(1.75)]), ("hold", &[enemy]));
    let ground = game.ground(&game.first());
    [1, 2].into_iter().for_each(|number| {
        game.unit_mut(Side::First, number).doctrine = drill().doctrine("hold").expect("a doctrine");
    });
    game.phase("formation", &[]);
    assert_eq!((game.state(&game.first()).0, game.seen.refusals()), ("square", vec![]));
    assert_eq!(game.ground(&game.first()), ground);
}

/// When a square of several units opens, its host takes the new formation around the square's former middle, and needs
/// no more room than that (8.11).
#[test]
fn clause_8_11() {
    // The square of 14 extends from 0.25" to -1.75"; a line is a tenth of an inch behind it.
    let behind = unit("line-battalion").figures(6).at(0.0, -1.85).facing(0.0);
    let mut game = joined(&[square(6, 1.25), behind], far_away());
    assert_eq!(joins(&game), 1);
    let middle = game.ground(&game.first()).centre();
    game.unit_mut(Side::First, 0).doctrine = drill().doctrine("line-ahead").expect("a doctrine");
    game.phase("formation", &[]);
    assert_eq!((game.state(&game.first()).0, game.first().guests), ("line", 0), "{:?}", game.seen.refusals());
    assert_eq!(game.ground(&game.first()).centre(), middle);
    let [line, guest, behind] = [0, 1, 2].map(|number| game.ground(&game.nth(number)));
    assert!(!game.nth(1).gone());
    assert!(!line.overlaps(&guest) && !line.overlaps(&behind) && !guest.overlaps(&behind));
    game.saw("8.11");
    // The units that leave it may change formation in the same phase, whether they are listed before the host or after
    // it.
    let men = [square(6, -1.25), square(8, 0.0), square(6, 1.25)];
    let mut three = Game::new(("join-and-march", &men), ("hold", &[far_away()]));
    three.phase("move", &[]);
    assert_eq!((joins(&three), three.nth(1).guests), (2, 12));
    let column = drill().doctrine("form-column").expect("a doctrine");
    [0, 1, 2].into_iter().for_each(|number| three.unit_mut(Side::First, number).doctrine = column);
    three.phase("formation", &[]);
    assert_eq!([0, 1, 2].map(|number| three.state(&three.nth(number)).0), ["column"; 3]);
}

/// Battalions that leave a square at the table edge are placed beside it if they would be off the table behind it
/// (9.52).
#[test]
fn units_let_out_stay_on_the_table() {
    let at_the_edge = |east: f64, figures: u16| square(figures, east).at(east, -22.3);
    let enemy = unit("line-battalion").at(0.0, -17.0).facing(180.0);
    let men = [at_the_edge(-1.25, 6), at_the_edge(0.0, 8), at_the_edge(1.25, 6)];
    let mut game = Game::new(("join-and-march", &men), ("hold", &[enemy]));
    game.unit_mut(Side::First, 1).doctrine = drill().doctrine("line-ahead").expect("a doctrine");
    game.phase("move", &[]).phase("formation", &[]);
    assert_eq!((game.state(&game.nth(1)).0, joins(&game)), ("line", 2));
    let ground = [0, 1, 2].map(|number| game.ground(&game.nth(number)));
    assert!(ground.iter().all(|ground| ground.centre().y >= -2400), "{ground:?}");
    assert!(!ground[0].overlaps(&ground[1]) && !ground[0].overlaps(&ground[2]) && !ground[1].overlaps(&ground[2]));
    assert!([0, 1, 2].iter().all(|&number| !game.nth(number).gone()));
}

/// A square does not grow onto friends: it is placed as close to its middle as space allows, or the units stay apart.
#[test]
fn a_larger_square_needs_room() {
    let column = |east: f64| unit("line-battalion").formation("column").at(east, 0.0).facing(0.0);
    // Squares of 8 and 6 figures are side by side from -0.75" to 1.75". The merged square is 2" wide: from the column
    // on its left to 1.25".
    let beside = joined(&[square(6, 1.25), column(-1.75)], far_away());
    assert_eq!((joins(&beside), beside.ground(&beside.first()).centre().x), (1, 25));
    // Between two columns 1.5" apart, there is no room for the merged square.
    let between = joined(&[square(6, 0.0).at(0.0, -1.5), column(-1.75), column(1.75)], far_away());
    assert_eq!((joins(&between), between.first().guests, between.nth(1).gone()), (0, 0, false));
    assert!(between.seen.refusals().contains(&Refusal::NoRoom));
}

/// Squares that touch merge into one of all their figures, if all are in good order.
#[test]
fn clause_9_52() {
    let merged = joined(&[square(6, 1.25)], far_away());
    let host = merged.first();
    assert_eq!(host.figures + host.guests, 14, "one square of 14");
    let ground = merged.ground(&host);
    assert_eq!((ground.width, ground.depth), (200, 200), "four ranks of four");
    merged.saw("9.52");
    assert_eq!(joins(&joined(&[square(6, 1.45)], far_away())), 0, "0.2 inches apart");
    assert_eq!(joins(&joined(&[square(6, 1.3)], far_away())), 1, "as near as one marches up to a friend");
    let disordered = joined(
        &[unit("line-battalion").figures(6).formation("all-around").morale("disordered").at(1.25, 0.0)],
        far_away(),
    );
    assert_eq!(joins(&disordered), 0);
    assert!(disordered.seen.refusals().contains(&Refusal::NoSquare));
    // In a row of four, each touches the next: they form one square.
    let row = joined(&[square(6, 1.25), square(6, 2.25), square(6, 3.25)], far_away());
    assert_eq!((joins(&row), row.first().guests), (3, 18));
    // Two squares of two units make one of four.
    let men = [square(8, 0.0), square(6, 1.25), square(8, 10.0), square(6, 11.25)];
    let mut four = Game::new(("join", &men), ("hold", &[far_away()]));
    four.phase("move", &[]);
    assert_eq!((joins(&four), four.first().guests, four.nth(2).guests), (2, 6, 6));
    let place = four.first().front;
    four.unit_mut(Side::First, 2).front = Point { x: place.x + 200, ..place };
    four.unit_mut(Side::First, 2).doctrine = drill().doctrine("join-all").expect("a doctrine");
    four.phase("move", &[]);
    assert_eq!((joins(&four), four.first().guests), (3, 20));
    assert_eq!([1, 2, 3].map(|number| four.nth(number).foe.index()), [0; 3]);
    // A headquarters nearby does not keep two squares apart.
    let staff = unit("headquarters").at(-1.25, 0.0).facing(0.0);
    let men = [staff, square(8, 0.0), square(6, 1.25)];
    let mut beside = Game::new(("join", &men), ("hold", &[far_away()]));
    beside.phase("move", &[]);
    assert_eq!(joins(&beside), 1);
    // They merge at the start of the move, before any unit marches off.
    let men = [square(8, 0.0), square(6, 1.25)];
    let mut marching = Game::new(("join-and-march", &men), ("hold", &[far_away()]));
    marching.phase("move", &[]);
    assert_eq!((joins(&marching), marching.first().guests, marched(&marching)), (1, 6, Some(400)));
    // A disordered unit does not form a square either.
    let line = unit("line-battalion").morale("disordered").at(0.0, 0.0).facing(0.0);
    let mut alone = Game::new(("form-square", &[line]), ("hold", &[far_away()]));
    alone.phase("formation", &[]);
    assert_eq!(alone.seen.refusals(), [Refusal::Formation]);
    alone.saw("9.52");
}

/// Units on bases of two widths form a square as tight as their bases allow, whichever unit is the host (9.51).
#[test]
fn the_bases_of_all_units_fit_in_a_square() {
    let square =
        |kind: &str, figures: u16, east: f64| unit(kind).figures(figures).formation("square").at(east, 0.0).facing(0.0);
    let merged = |host: &str, guest: &str| {
        let men = [square(host, 8, 0.0), square(guest, 7, 1.5)];
        let mut game = Game::new(("join", &men), ("hold", &[far_away()]));
        game.phase("move", &[]);
        assert_eq!(game.first().guests, 7, "{:?}", game.seen.events());
        (game.ground(&game.first()).width, game.ground(&game.first()).depth)
    };
    // Fifteen bases half an inch deep make four ranks. In total they are 9.5" or 9.25" wide: 0.64" or 0.62" per figure.
    // If all were three-rank bases, the square would be 2" by 2", which is less than these bases cover. If all were
    // two-rank bases, it would be five deep.
    assert_eq!(merged("two-rank-battalion", "line-battalion"), (256, 200));
    assert_eq!(merged("line-battalion", "two-rank-battalion"), (248, 200));
    assert_eq!(merged("two-rank-battalion", "two-rank-battalion"), (225, 250));
    assert_eq!(merged("line-battalion", "line-battalion"), (200, 200));
}

/// Guns leave a square that goes into skirmish order, which is not a square although it has all-around facing (9.53).
#[test]
fn guns_leave_skirmishers() {
    let light = unit("large-light-battalion").figures(8).formation("square").at(0.0, 0.0).facing(0.0);
    let mut game = Game::new(("join", &[light, guns(4, "unlimbered").at(0.75 + 1.5, 0.0)]), ("hold", &[far_away()]));
    game.phase("move", &[]);
    assert!(game.nth(1).gone(), "inside");
    game.unit_mut(Side::First, 0).doctrine = game.rules.doctrine("form-full").expect("a drill");
    game.phase("formation", &[]);
    assert_eq!((game.state(&game.first()).0, game.nth(1).gone()), ("full-skirmish", false));
}

/// A square holds one cannon for every two figures or part of two, and either a whole battery or none of it. The
/// battery leaves from the middle of the square.
#[test]
fn clause_9_53() {
    for (cannon, room) in [(4, true), (5, false)] {
        let game = joined(&[guns(cannon, "unlimbered")], far_away());
        assert_eq!(joins(&game) == 1, room, "{cannon} cannon among 8 figures");
        assert_eq!(game.seen.refusals().contains(&Refusal::NoRoomForCannon), !room);
        game.saw("9.53");
    }
    // Five figures are two pairs and part of a third, so they hold three cannon. The figures are two abreast, an inch
    // wide.
    for (cannon, room) in [(3, true), (4, false)] {
        let men = [square(5, 0.0), guns(cannon, "unlimbered").at(0.5 + 1.5, 0.0)];
        let mut game = Game::new(("join", &men), ("hold", &[far_away()]));
        game.phase("move", &[]);
        assert_eq!(joins(&game) == 1, room, "{cannon} cannon among five figures");
        let battery = game.nth(1);
        assert_eq!((battery.cannon, battery.gone()), (cannon, room), "whole, and off the table when inside");
    }
    // Fourteen figures hold seven cannon, and fifteen hold eight: the last figure is part of a pair.
    for (second, cannon, joined_by) in [(6, 7, 2), (6, 8, 1), (7, 8, 2)] {
        let east = if second == 6 { 1.25 } else { 1.5 };
        let game = joined(&[square(second, east), guns(cannon, "unlimbered").at(-0.75 - 1.5, 0.0)], far_away());
        assert_eq!(joins(&game), joined_by, "{cannon} cannon among {} figures", 8 + second);
    }
    // A square that forms again has room for as many cannon as a square that takes them in: four figures hold two, not
    // three.
    for (cannon, stays) in [(2, true), (3, false)] {
        let mut game = joined(&[guns(cannon, "unlimbered")], far_away());
        assert_eq!(joins(&game), 1);
        let host = game.unit_mut(Side::First, 0);
        (host.figures, host.formation) = (4, drill().formation("all-around").expect("a formation"));
        host.doctrine = drill().doctrine("form-square").expect("a doctrine");
        game.phase("formation", &[]);
        assert_eq!((game.state(&game.first()).0, game.nth(1).gone()), ("square", stays), "{cannon} cannon");
        assert!(stays || !game.ground(&game.first()).overlaps(&game.ground(&game.nth(1))));
    }
    // Guns leave with a move measured from the middle of the square: six inches are enough, but two do not clear it.
    for (inches, out) in [(6, true), (2, false)] {
        let change = format!("unit.field-battery.speed.limbered.inches={inches}");
        let rules = Box::leak(Box::new(load_with("figures-drill", &[&change])));
        let men = [square(8, 0.0), guns(4, "unlimbered")];
        let mut game = Game::under(rules, ("in-and-out", &men), ("hold", &[far_away()]));
        game.phase("move", &[]);
        assert_eq!(joins(&game), 1);
        let middle = game.ground(&game.first()).centre();
        game.phase("move", &[]);
        let battery = game.nth(1);
        assert_eq!(!battery.gone(), out, "{inches} inches");
        if out {
            assert_eq!((game.state(&battery).0, battery.cannon, battery.figures), ("limbered", 4, 1), "with its crew");
            let way = f64::from(middle.square_distance(game.ground(&battery).centre()) as i32).sqrt();
            assert!((200.0..=600.0).contains(&way), "{way}");
            game.saw("9.53");
        } else {
            assert!(game.seen.refusals().contains(&Refusal::NoRoom));
        }
    }
    // They use the rest of the six inches as ordered, and end six inches from the middle of the square.
    let rules = Box::leak(Box::new(load_with("figures-drill", &["unit.field-battery.speed.limbered.inches=6"])));
    let mut game =
        Game::under(rules, ("out-and-away", &[square(8, 0.0), guns(4, "unlimbered")]), ("hold", &[far_away()]));
    game.phase("move", &[]);
    assert!(game.nth(1).gone(), "inside");
    let middle = game.ground(&game.first()).centre();
    game.phase("move", &[]);
    let way = f64::from(middle.square_distance(game.ground(&game.nth(1)).centre()) as i32).sqrt();
    assert!((599.0..=601.0).contains(&way), "{way}");
    // The same applies to the sixteen inches of a strategic march.
    let men = [square(8, 0.0), guns(4, "unlimbered")];
    let mut game = Game::commanded(&[], ("attack", "strategic"), ("out-and-away", &men), ("hold", &[far_away()]));
    game.phase("move", &[]);
    assert!(game.nth(1).gone(), "inside");
    let middle = game.ground(&game.first()).centre();
    game.phase("move", &[]);
    let way = f64::from(middle.square_distance(game.ground(&game.nth(1)).centre()) as i32).sqrt();
    assert!((1599.0..=1601.0).contains(&way), "{way}");
    // Guns behind two squares 1.5" deep do not keep them from merging into one 2" deep: the guns go in at the end of
    // the move.
    let behind = guns(4, "unlimbered").at(0.0, -1.5);
    let game = joined(&[square(6, 1.25), behind], far_away());
    assert_eq!((joins(&game), game.first().guests), (2, 6));
    assert_eq!([1, 2].map(|number| game.nth(number).foe.index()), [0; 2]);
    // Sixteen figures, in a square of 2", have room for one of two batteries of five. The other does not make way, and
    // the square is placed clear of it.
    let men = [
        square(8, 0.0),
        square(8, 1.5),
        guns(5, "unlimbered").at(0.0, -1.5),
        guns(5, "unlimbered").at(-0.75 - 1.5, 0.0),
    ];
    let mut two = Game::new(("join-all", &men), ("hold", &[far_away()]));
    two.phase("move", &[]);
    assert_eq!((joins(&two), two.nth(2).gone(), two.nth(3).gone()), (2, true, false), "{:?}", two.seen.events());
    let host = if two.first().gone() { two.nth(1) } else { two.first() };
    assert_eq!(host.figures + host.guests, 16);
    assert!(!two.ground(&host).overlaps(&two.ground(&two.nth(3))));
    // Guns without orders to join do not make way: the units stay apart.
    let rules =
        Box::leak(Box::new(load_with("figures-drill", &["doctrine.join.row.join.when=self.arm != 'artillery'"])));
    let men = [square(8, 0.0), square(6, 1.25), guns(4, "unlimbered").at(0.0, -1.5)];
    let mut apart = Game::under(rules, ("join", &men), ("hold", &[far_away()]));
    apart.phase("move", &[]);
    assert_eq!((joins(&apart), apart.first().guests, apart.nth(2).gone()), (0, 0, false));
    assert!(apart.seen.refusals().contains(&Refusal::NoRoom));
    // Guns go with their square into another one if the two squares together have room for all the cannon: ten figures
    // hold five, and twelve hold six.
    for (figures, room) in [(5, true), (6, true), (5, false)] {
        let others = |cannon: u16, east: f64| guns(cannon, "unlimbered").at(east, 0.0);
        let cannon = if room { figures / 2 } else { 3 };
        let men = [square(figures, 0.0), square(figures, 1.0), others(cannon, -0.5 - 1.5), others(cannon, 1.5 + 1.5)];
        let mut game = Game::new(("hold", &men), ("hold", &[far_away()]));
        let join = drill().doctrine("join-all").expect("a doctrine");
        [2, 3].into_iter().for_each(|number| game.unit_mut(Side::First, number).doctrine = join);
        game.phase("move", &[]);
        assert_eq!([2, 3].map(|number| game.nth(number).foe.index()), [0, 1], "each in the square that it touches");
        game.unit_mut(Side::First, 0).doctrine = join;
        game.phase("move", &[]);
        let inside = if room { [1, 1, 1, 1] } else { [0, 1, 0, 1] };
        assert_eq!([0, 1, 2, 3].map(|number| game.nth(number).foe.index()), inside, "{cannon} and {cannon} cannon");
        assert_eq!(game.seen.refusals().contains(&Refusal::NoRoomForCannon), !room);
    }
    // Heavy guns limber only in their own phase (8.43), and limbered guns cannot be in a square (9.54), so they stay.
    let heavy = unit("positional-battery").cannon(4).formation("unlimbered").at(0.75 + 1.5, 0.0).facing(0.0);
    let mut stays = Game::new(("in-and-out", &[square(8, 0.0), heavy]), ("hold", &[far_away()]));
    stays.phase("move", &[]).phase("move", &[]);
    assert_eq!((stays.nth(1).gone(), stays.state(&stays.nth(1)).0), (true, "unlimbered"));
    assert!(matches!(stays.seen.refusals()[..], [Refusal::BarredInMove(_, 0)]), "{:?}", stays.seen.refusals());
    stays.saw("8.43");
    // Limbered guns come up from 5" behind and unlimber inside for 2" of their 8"; from 6.2", they do not have enough
    // move left.
    let come_up = |kind: &str, cannon: u16, south: f64| {
        let guns = unit(kind).cannon(cannon).formation("limbered").at(0.0, -1.5 - south).facing(0.0);
        let mut game = Game::new(("join", &[square(8, 0.0), guns]), ("hold", &[far_away()]));
        game.phase("move", &[]);
        game
    };
    let inside = come_up("field-battery", 4, 5.0);
    assert_eq!(
        (inside.nth(1).gone(), inside.state(&inside.nth(1)).0),
        (true, "unlimbered"),
        "{:?}",
        inside.seen.events()
    );
    assert_eq!(marched(&inside), Some(495), "as near as to any friend");
    inside.saw("9.53");
    inside.saw("8.42");
    for (kind, cannon, south) in [("field-battery", 4, 6.2), ("field-battery", 5, 5.0), ("positional-battery", 4, 0.0)]
    {
        let outside = come_up(kind, cannon, south);
        assert_eq!((outside.nth(1).gone(), outside.state(&outside.nth(1)).0), (false, "limbered"), "{kind} {cannon}");
        let why = if (kind, cannon) == ("field-battery", 5) { Refusal::NoRoomForCannon } else { Refusal::NoSquare };
        assert!(outside.seen.refusals().contains(&why), "{:?}", outside.seen.refusals());
    }
    // When guns are inside, horse meets only the square.
    let horse = unit("heavy-cavalry").figures(4).at(0.0, 6.0).facing(180.0);
    let mut game = joined(&[guns(4, "unlimbered")], horse);
    game.battle.units.iter_mut().for_each(|unit| unit.doctrine = drill().doctrine("charge").expect("a doctrine"));
    game.phase_of(Side::Second, "charge", &[1, 3, 3]).phase_of(Side::Second, "shock", &[3, 3, 3, 3]);
    assert!(game.foe_modifiers("shock").contains(&"square-against-cavalry"));
    assert!(!game.foe_modifiers("shock").contains(&"guns"));
}

/// A square is a massed target, including the guns inside it. The guns lose cannon to cannon fire and crew to muskets.
#[test]
fn clause_9_56() {
    // The square has fifteen figures and eight cannon. Hits fall on 8 figures, 8 cannon and 7 figures in turn, so two
    // of five hits fall on the guns.
    let shot = |enemy: Men, faces: &[i32]| {
        let mut game = joined(&[square(7, 1.5), guns(8, "unlimbered").at(-0.75 - 1.5, 0.0)], enemy);
        assert_eq!(joins(&game), 2);
        game.phase_of(Side::Second, "fire", faces);
        assert!(game.own_modifiers("fire").contains(&"massed-target"));
        game.saw("9.56");
        let lost = |event: &Event| matches!(event, Event::CannonLost { unit, .. } | Event::Lost { unit, .. } if unit.index() == 2);
        assert!(game.seen.cited_by(lost).all(|cited| cited.contains("9.56")), "what the guns lose");
        let [first, second, battery] = [0, 1, 2].map(|number| game.nth(number));
        assert_eq!((first.figures, second.figures), (6, 6), "three of the hits");
        (battery.cannon, battery.figures)
    };
    // Rolls of seven or more hit a massed target. Two hits in one blow cost a crew figure.
    let cannon = unit("field-battery").at(0.0, 20.0).facing(180.0);
    assert_eq!(shot(cannon, &[10, 10, 10, 10, 10, 1, 1, 1, 2, 2]), (6, 1), "8 to 6, and the crew is kept");
    let muskets = unit("line-battalion").at(0.0, 4.0).facing(180.0);
    assert_eq!(shot(muskets, &[10, 10, 10, 10, 10, 1, 2, 2]), (8, 0), "the crew figure, and all eight cannon are left");
    // Guns that are not in a square are not a massed target.
    let modifiers = |men: Men| {
        let mut game = Game::new(("hold", &[men]), ("fire-only", &[unit("line-battalion").at(0.0, 5.0).facing(180.0)]));
        game.play_anyhow(Side::Second, "fire");
        game.own_modifiers("fire").contains(&"massed-target")
    };
    assert!(modifiers(square(8, 0.0)));
    assert!(!modifiers(guns(8, "unlimbered").at(0.0, 0.0)));
}

/// Each face fires by itself at enemies in front of it; guns inside fire from the middle, in any direction.
#[test]
fn a_square_fires_from_every_face() {
    let enemy = |bearing: f64| unit("line-battalion").figures(4).bearing(bearing, 4.0).facing(bearing + 180.0);
    let volleys = |game: &Game| game.seen.rolls().map(|roll| roll.foe.map(|foe| foe.index())).collect::<Vec<_>>();
    // Twelve figures make three per face: each face has two dice, at the enemies ahead, on the right and on the left.
    let square = unit("line-battalion").formation("square").at(0.0, 0.0).facing(0.0);
    let mut game = Game::new(
        ("fire-only", &[square]),
        ("hold", &[enemy(0.0), enemy(90.0), enemy(270.0), enemy(10.0).figures(1).at(1.6, 4.5)]),
    );
    game.phase("fire", &[1, 1, 1, 1, 1, 1]);
    let mut fired = volleys(&game);
    fired.sort_unstable();
    assert_eq!(fired, [Some(1), Some(2), Some(3)], "one volley from each face with a target");
    game.saw("7.52");
    game.saw("9.55");
    // Guns that have joined have moved. In the next turn they fire, whether or not the enemy is in front of the square.
    let men = [unit("line-battalion").figures(8).formation("square").at(0.0, 0.0).facing(0.0), guns(2, "unlimbered")];
    let behind = unit("line-battalion").figures(4).at(0.0, -20.0).facing(0.0);
    let mut game = Game::new(("join", &men), ("hold", &[behind]));
    game.phase("move", &[]).phase("fire", &[]);
    assert_eq!(joins(&game), 1);
    for phase in ["shock", "recover", "rally"] {
        game.phase(phase, &[]);
    }
    game.phase("fire", &[1, 1]);
    assert_eq!(volleys(&game), [Some(3)], "crews come after the units of their side");
    assert_eq!(game.roll("fire").own.index(), 1);
}

/// Limbered guns, trains and horse cannot be in a square.
#[test]
fn clause_9_54() {
    let limbered = unit("positional-battery").cannon(2).formation("limbered").at(0.75 + 0.75, 0.0).facing(0.0);
    let train = unit("pontoon-train").cannon(2).at(0.75 + 0.75, 0.0).facing(0.0);
    let horse = unit("light-cavalry").figures(2).at(0.75 + 1.0, 0.0).facing(0.0);
    for men in [limbered, train, horse] {
        let game = joined(&[men], far_away());
        assert_eq!(joins(&game), 0);
        assert!(game.seen.refusals().contains(&Refusal::NoSquare));
        game.saw("9.54");
    }
    assert_eq!(drill().square.as_ref().map(|square| square.figures_per_cannon), Some(2));
}

/// A square whose last figures fall is gone, and guns that muskets have spared are left in its place.
#[test]
fn nobody_is_left_of_a_square_that_is_shot_to_pieces() {
    let two = |east: f64| unit("line-battalion").figures(2).formation("square").at(east, 0.0).facing(0.0);
    let fire = |other: Men| {
        let enemy = unit("line-battalion").at(0.0, 4.0).facing(180.0);
        let mut game = Game::new(("join", &[two(0.0), other]), ("fire-only", &[enemy]));
        game.phase("move", &[]);
        assert_eq!(joins(&game), 1);
        game.phase_of(Side::Second, "fire", &[10; 6]);
        [0, 1].map(|unit| (game.nth(unit).figures, game.nth(unit).cannon, game.nth(unit).gone()))
    };
    assert_eq!(fire(two(0.5)), [(0, 0, true); 2]);
    let guns = unit("field-battery").cannon(1).formation("unlimbered").at(0.25 + 1.5, 0.0).facing(0.0);
    assert_eq!(fire(guns), [(0, 0, true), (0, 1, false)]);
}

/// A clause is cited only when it is applied: the clauses on how squares merge and move, and on guns inside them, do
/// not apply here.
#[test]
fn a_clause_is_cited_when_it_is_carried_out() {
    let horse = unit("heavy-cavalry").figures(4).at(0.0, 6.0).facing(180.0);
    let mut game = Game::new(("charge", &[horse]), ("hold", &[square(8, 0.0)]));
    game.phase("charge", &[1, 3, 3]).phase("shock", &[3, 3, 3, 3]);
    game.saw("9.50-G");
    for clause in ["9.51", "9.52", "9.53", "9.55", "7.52", "7.62", "8.20", "8.45", "8.53"] {
        assert!(!game.seen.cited().contains(clause), "nothing that happened applies {clause}: {:#?}", game.seen);
    }
    let line = unit("line-battalion").at(0.0, 0.0).facing(0.0);
    let mut formed = Game::new(("form-square", &[line]), ("hold", &[far_away()]));
    formed.phase("formation", &[]);
    let cited: Vec<&str> = formed.seen.cited().iter().map(String::as_str).collect();
    assert_eq!(cited, ["8.11", "8.12", "8.13", "8.20", "9.0-G", "9.50-G", "9.51"]);
}

/// A square of several units moves at the rate of the slowest, whatever the type of its host.
#[test]
fn clause_9_55() {
    // The rows of these battalions do not cite the clause on how squares move, and a march straight ahead turns no
    // unit.
    let square =
        |kind: &str, figures: u16, east: f64| unit(kind).figures(figures).formation("square").at(east, 0.0).facing(0.0);
    let men = [square("large-line-battalion", 8, 0.0), square("third-rank-battalion", 6, 1.25)];
    let mut game = Game::new(("join", &men), ("hold", &[far_away()]));
    game.battle.units[0].doctrine = drill().doctrine("path-ahead").expect("a doctrine");
    game.phase("move", &[]);
    assert_eq!((joins(&game), marched(&game)), (1, Some(200)));
    game.saw("9.55");
    // If the units that join have moved, in a charge that fell short, the whole square has moved.
    let mut moved = Game::new(
        ("join-and-march", &[square("line-battalion", 8, 0.0), square("line-battalion", 6, 1.25)]),
        ("hold", &[far_away()]),
    );
    moved.unit_mut(Side::First, 1).flags = Flags::MOVED;
    moved.phase("move", &[]);
    assert_eq!((joins(&moved), marched(&moved)), (1, None));
    // A square moves in any direction without a turn: four inches to the east and to the south.
    for (east, north, front) in [(20.0, 0.25, (400, 0)), (0.0, -20.0, (0, -400))] {
        let enemy = unit("line-battalion").figures(1).at(east, north).facing(0.0);
        let mut game = Game::new(("march", &[square("line-battalion", 8, 0.0)]), ("hold", &[enemy]));
        game.phase("move", &[]);
        let unit = game.first();
        assert!((unit.front.x - front.0).abs() <= 4 && (unit.front.y - front.1).abs() <= 4, "{:?}", unit.front);
        assert_eq!(unit.heading.tenths(), 0);
    }
    // By itself, each battalion in square moves four inches.
    for kind in
        ["line-battalion", "two-rank-battalion", "grenadier-battalion", "light-battalion", "large-light-battalion"]
    {
        let mut game = Game::new(("march", &[square(kind, 8, 0.0)]), ("hold", &[far_away()]));
        game.phase("move", &[]);
        assert_eq!(marched(&game), Some(400), "{kind}");
    }
}

/// Guns limber to leave a square. This is announced if the square is in an enemy's fire zone (8.17).
#[test]
fn clause_8_17() {
    let enemy = unit("line-battalion").at(0.0, 1.9).facing(180.0);
    let mut game = Game::new(("in-and-out", &[square(8, 0.0), guns(4, "unlimbered")]), ("hold", &[enemy]));
    game.play_anyhow(Side::First, "move");
    assert_eq!(joins(&game), 1);
    game.seen = crate::common::Recorder::default();
    game.play_anyhow(Side::First, "move");
    assert!(game.seen.events().iter().any(|event| matches!(event, Event::InZone { .. })), "{:?}", game.seen.events());
    game.saw("8.17");
}

/// A square that losses reduce to one figure is no longer a square, whether it is on its own or merged with others.
#[test]
fn clause_9_51() {
    let hit = |men: &[Men], faces: &[i32]| {
        let enemy = unit("line-battalion").at(0.0, 5.0).facing(180.0);
        let mut game = Game::new(("join", men), ("fire-only", &[enemy]));
        game.phase("move", &[]);
        game.phase_of(Side::Second, "fire", faces);
        game
    };
    let two = hit(&[square(3, 0.0)], &[10, 1, 1, 1, 1, 1, 1, 1]);
    assert_eq!((two.state(&two.first()).0, two.first().figures), ("square", 2));
    let one = hit(&[square(3, 0.0)], &[10, 10, 1, 1, 1, 1, 1, 1]);
    assert_eq!((one.state(&one.first()).0, one.first().figures), ("line", 1));
    one.saw("9.51");
    // A deployed figure is not in the square, though it may come in when one is formed (9.57).
    let behind = unit("line-battalion").at(0.0, -5.7).facing(0.0);
    let mut out = Game::new(("hold", &[square(4, 0.0).screen(1)]), ("fire-only", std::slice::from_ref(&behind)));
    out.phase_of(Side::Second, "fire", &[10, 10, 1, 1, 1, 1, 1, 1]);
    assert_eq!((out.state(&out.first()).0, out.first().figures, out.nth(1).figures), ("line", 1, 1));
    out.saw("9.51");
    out.unit_mut(Side::First, 0).doctrine = drill().doctrine("form-square").expect("a drill");
    out.phase("formation", &[]);
    assert_eq!((out.state(&out.first()).0, out.first().figures), ("square", 2));
    // If both fall, the deployed figure becomes the unit (9.42); that does not count as a square that is too small.
    let mut fallen = Game::new(("hold", &[square(3, 0.0).screen(1)]), ("fire-only", &[behind]));
    fallen.phase_of(Side::Second, "fire", &[10, 10, 1, 1, 1, 1, 1, 1]);
    assert_eq!((fallen.state(&fallen.first()).0, fallen.first().figures), ("skirmish", 1));
    let formed =
        fallen.seen.cited_by(|event| matches!(event, Event::Formed { .. })).next().expect("it has another formation");
    assert!(formed.contains("9.42") && !formed.contains("9.51"), "{formed:?}");
    // In a merged square of two and three, a single figure is left, from the three that took the others in.
    let enemy = || unit("line-battalion").at(0.0, 5.0).facing(180.0);
    let joined = |men: &[Men]| {
        let mut game = Game::new(("join", men), ("fire-only", &[enemy()]));
        game.phase("move", &[]);
        let host = usize::from(game.first().gone());
        (game, host)
    };
    let (mut game, host) = joined(&[square(2, 0.0), square(3, 0.75)]);
    game.dice_of(Side::Second, "fire", &[10, 10, 10, 10, 1, 1, 1, 1]);
    let left = game.nth(host);
    assert_eq!((game.nth(1 - host).figures, game.state(&left).0, left.figures), (0, "line", 1));
    // A host with only one figure of its own is not a square of one while others are in its square.
    let (mut game, host) = joined(&[square(3, 0.0), square(3, 1.0)]);
    game.unit_mut(Side::First, host).figures = 1;
    game.dice_of(Side::Second, "fire", &[10, 1, 1, 1, 1, 1, 1, 1]);
    let left = game.nth(host);
    assert_eq!((game.state(&left).0, left.figures, left.guests), ("square", 1, 2));
    // In a merged square of two and two, a single figure is left.
    let joined = hit(&[square(2, 0.0), square(2, 0.5)], &[10, 10, 10, 1, 1, 1, 1, 1]);
    assert_eq!((joined.state(&joined.first()).0, joined.first().figures), ("line", 1));
}

/// Guns that leave a square over a wall pay for the wall and count as having crossed it, so they stay limbered (8.48).
#[test]
fn guns_that_leave_a_square_pay_for_the_ground() {
    // The square is 1.5" deep. The limbered guns, on a base of 4", come out behind the square and clear of it, with
    // their middle 2.75" from the square's middle.
    let comes_out = |doctrine: &str, terrain: &[TerrainPlan]| {
        let square = unit("line-battalion").figures(8).formation("square").at(0.0, 0.0).facing(0.0);
        let guns = unit("field-battery").cannon(4).formation("unlimbered").at(0.75 + 1.5, 0.0).facing(0.0);
        let mut game = Game::over(drill(), terrain, (doctrine, &[square, guns]), ("hold", &[far_away()]));
        game.phase("move", &[]).phase("move", &[]);
        game
    };
    let leaves = |terrain: &[TerrainPlan]| {
        let game = comes_out("out-and-away", terrain);
        let guns = game.nth(1);
        let way = game.ground(&guns).centre().square_distance(game.ground(&game.first()).centre()).isqrt();
        (guns.flags.has(Flags::CROSSED), way)
    };
    assert_eq!(leaves(&[]), (false, 800));
    // The wall is right under the base, or farther off.
    for south in [1.8, 4.0] {
        assert_eq!(leaves(&[line_of("wall", (-8.0, -south), (8.0, -south))]), (true, 600), "{south}");
    }
    assert_eq!(leaves(&[line_of("wall", (-8.0, 1.0), (8.0, 1.0))]), (false, 800), "before its front");
    // The guns have crossed the wall as soon as they are out.
    let crossed = |terrain: &[TerrainPlan]| comes_out("in-and-out", terrain).nth(1).flags.has(Flags::CROSSED);
    assert!(crossed(&[line_of("wall", (-8.0, -1.8), (8.0, -1.8))]) && !crossed(&[]));
}
