//! Units that give way before a charge reaches them, or when it does: in which arc they are struck, which units go with
//! them, and which units the charge still affects.

use grognard_engine::plane::Arc;
use grognard_engine::{Event, Flags, Side, Unit};

use super::s6;
use crate::common::{Game, Men, drill, unit};

/// Four heavies charge a unit that is meant to break before they reach it.
fn breaks(foot: Men, faces: &[i32]) -> Game {
    let horse = unit("heavy-cavalry").figures(4).at(0.0, 6.0).facing(180.0);
    let mut game = Game::new(("charge", &[horse]), ("hold", &[foot.at(0.0, 0.0).facing(0.0)]));
    game.phase("charge", faces);
    assert_eq!(game.state(&game.second()), ("column", "routed"));
    game
}

/// A routed unit gets no bonus from the column it falls into, and fights no better than a disordered one.
#[test]
fn a_column_of_rout_has_no_weight() {
    let mut game = breaks(s6(), &[1, 1, 1, 6, 6]);
    game.phase("shock", &[3, 3, 3, 3]);
    assert_eq!(game.foe_modifiers("shock"), ["cannot-fight-there", "disordered"]);
    // Horse that breaks also falls into column, without the column's bonus (8.32).
    let mut horse = breaks(unit("light-cavalry").figures(6), &[6, 6]);
    horse.phase("shock", &[3, 3, 3, 3]);
    assert_eq!(horse.foe_modifiers("shock"), ["light-horse", "cannot-fight-there", "disordered"]);
}

/// A routed unit faces away, so it is struck in the rear, whichever arc it showed when the charge was declared.
#[test]
fn clause_7_44() {
    let mut game = breaks(s6(), &[1, 1, 1, 6, 6]);
    let contact = game.seen.events().iter().find_map(|event| match event {
        Event::Contact { arc, .. } => Some(*arc),
        _ => None,
    });
    assert_eq!(contact, Some(Arc::Rear));
    game.phase("shock", &[3, 3, 3, 3]);
    assert_eq!(game.roll("shock").exposed.1, Arc::Rear);
    // A unit that holds its ground is struck in the arc that it showed when the charge was declared.
    let horse = unit("heavy-cavalry").figures(4).at(0.0, 6.0).facing(180.0);
    let mut stands = Game::new(("charge", &[horse]), ("hold", &[s6()]));
    stands.phase("charge", &[1, 1, 1, 3, 3]).phase("shock", &[3, 3, 3, 3]);
    assert_eq!(stands.roll("shock").exposed.1, Arc::Front);
}

/// After the first charge has driven the target away, the second has nothing to fight.
#[test]
fn shock_is_fought_by_units_that_still_touch() {
    let horse = |east: f64| unit("heavy-cavalry").figures(3).at(east, 6.0).facing(180.0);
    let target = unit("light-cavalry").at(0.0, 0.0).facing(0.0);
    let mut game = Game::new(("charge", &[horse(-1.6), horse(1.6)]), ("hold", &[target]));
    game.phase("charge", &[1, 1, 1, 1]);
    // The charger has 2 + 2 and 3, against 2 + 2, plus 1, plus 1 for numbers. The target is pushed back four inches,
    // out of the second regiment's reach.
    game.phase("shock", &[2, 2, 2, 2]);
    assert_eq!(game.seen.rolls().filter(|roll| game.rules.rolls[roll.roll].id == "shock").count(), 1);
    assert_eq!(game.state(&game.second()).1, "disordered");
}

/// The charge zone is measured when units react to it, so a unit that has retired from it does not test again.
#[test]
fn clause_7_65() {
    // Three of eight figures are deployed, three inches ahead, and are charged from eight inches away. They fail by
    // two, so the whole battalion is disordered and retires six inches (9.37). Its front was 11.5" from the horse,
    // whose zone is 12" deep.
    let horse = unit("heavy-cavalry").figures(4).at(0.0, 11.5).facing(180.0);
    let lights = unit("light-battalion").screen(3).at(0.0, 0.0).facing(0.0);
    let mut game = Game::new(("charge", &[horse]), ("hold", &[lights]));
    game.phase("charge", &[2, 3]);
    assert_eq!(game.state(&game.second()).1, "disordered");
    let threatened = |event: &Event| matches!(event, Event::Threatened { .. });
    assert!(game.seen.events().iter().any(threatened), "it was in the zone when the charge was declared");
    // A shaken unit that stays in the zone does test.
    let horse = unit("heavy-cavalry").figures(4).at(0.0, 11.5).facing(180.0);
    let lights = unit("light-battalion").screen(3).at(0.0, 0.0).facing(0.0);
    let beside = unit("line-battalion").figures(4).morale("disordered").at(4.0, 2.0).facing(0.0);
    let mut game = Game::new(("charge", &[horse]), ("hold", &[lights, beside]));
    game.phase("charge", &[2, 3, 1, 1]);
    assert_eq!(game.roll("morale").own.index(), 2);
}

/// Two touching squares, of 8 and 6 figures, merge into one, and heavy horse charges it from this position.
fn square_charged(north: f64, facing: f64, faces: &[i32]) -> Game {
    let square =
        |figures: u16, east: f64| unit("line-battalion").figures(figures).formation("square").at(east, 0.0).facing(0.0);
    let horse = unit("heavy-cavalry").figures(4).at(0.6, north).facing(facing);
    let mut game = Game::new(("join", &[square(8, 0.0), square(6, 1.25)]), ("charge", &[horse]));
    game.phase("move", &[]);
    assert_eq!(game.first().guests, 6);
    game.phase_of(Side::Second, "charge", faces);
    game
}

/// When the host of a square is destroyed, the units that leave the square react to the guns that hit it (8.54).
#[test]
fn those_let_out_answer_who_hit_them() {
    let square =
        |figures: u16, east: f64| unit("line-battalion").figures(figures).formation("square").at(east, 0.0).facing(0.0);
    let guns = |east: f64| unit("positional-battery").at(east, 6.0).facing(180.0);
    let squares = [square(6, -0.77), square(2, 0.0), square(6, 0.77)];
    let mut game = Game::new(("join", &squares), ("fire-only", &[guns(-3.0)]));
    game.phase("move", &[]);
    assert!(game.nth(1).guests > 0, "the second takes the others in");
    game.unit_mut(Side::First, 1).figures = 1;
    game.dice_of(Side::Second, "fire", &[6; 400]);
    assert!(game.nth(1).gone() && !game.nth(0).gone(), "{:?}", game.seen.events());
    let tests = game.seen.rolls().filter(|roll| game.rules.rolls[roll.roll].id == "morale");
    let answers: Vec<_> =
        tests.filter(|roll| roll.own.index() < 3).map(|roll| roll.foe.map(|foe| foe.index())).collect();
    assert!(!answers.is_empty() && answers.iter().all(|foe| foe.is_some_and(|foe| foe >= 3)), "{answers:?}");
}

/// A square that is pushed back takes all its battalions with it.
#[test]
fn clause_8_54() {
    let mut game = square_charged(6.0, 180.0, &[1, 1, 3, 3]);
    // The horse has 5 + 4 and 3, against 1 + 1, plus 7 for the square and 1 for its numbers.
    game.phase_of(Side::Second, "shock", &[5, 4, 1, 1]);
    let horse = game.ground(&game.second());
    let away = |unit: &Unit| game.ground(unit).distance(&horse);
    for unit in [game.nth(0), game.nth(1)] {
        assert_eq!(game.state(&unit), ("column", "disordered"));
        assert!(away(&unit) >= 390, "{} hundredths of an inch: {:?}", away(&unit), game.seen.events());
    }
    // Battalions that leave a broken square are placed on the far side of it from the enemy, whatever its nominal
    // facing. Horse comes from the south, and the square points north. The square tests against 11, and a 12 disorders
    // it.
    let game = square_charged(-9.0, 0.0, &[1, 1, 6, 6]);
    assert_eq!(game.state(&game.nth(0)), ("all-around", "disordered"));
    let [host, other] = [0, 1].map(|number| game.ground(&game.nth(number)).centre());
    assert!(other.y > host.y, "{other:?} lies south of {host:?}");
}

/// Five figures in column, two abreast and three deep, with another unit this far behind them.
fn column_of_five(kind: &str, behind: Option<(&str, f64)>) -> Vec<Men> {
    let column = |kind: &str, figures: u16, south: f64| {
        unit(kind).figures(figures).formation("column").at(0.0, -south).facing(0.0)
    };
    let first = std::iter::once(column(kind, 5, 0.0));
    first.chain(behind.map(|(kind, south)| column(kind, 8, south))).collect()
}

fn falls_back(game: &Game) -> bool {
    game.seen.events().iter().any(|event| matches!(event, Event::Retreated { .. }))
}

/// Losses do not move a unit (7.41). Four figures that have no room for a single file keep their front in place and
/// form two in front of two (8.33, 9.12).
#[test]
fn losses_move_nobody() {
    let shot = |men: &[Men]| {
        let shooter = unit("line-battalion").figures(2).at(1.0, 5.0).facing(190.0);
        let mut game = Game::new(("fire-only", &[shooter]), ("hold", men));
        game.phase("fire", &[10, 1, 1]);
        assert_eq!(game.second().figures, 4);
        game
    };
    let stands = |game: &Game| {
        let unit = game.second();
        assert!(!falls_back(game), "{:?}", game.seen.events());
        assert_eq!((unit.front.x, unit.front.y, game.state(&unit).1), (0, 0, "good"));
        let footprint = unit.footprint(drill());
        ((footprint.front, footprint.ranks), game.state(&unit).0.to_owned())
    };
    let foot = |behind: f64| shot(&column_of_five("grenadier-battalion", Some(("line-battalion", behind))));
    assert_eq!(stands(&foot(1.5 + 0.3)), ((2, 2), "pseudo-column".into()));
    assert_eq!(stands(&foot(1.5 + 0.6)), ((1, 4), "column".into()), "there is room");
    let horse = |behind: f64| shot(&column_of_five("heavy-cavalry", Some(("light-cavalry", behind))));
    assert_eq!(stands(&horse(3.0 + 0.5)), ((2, 2), "massed".into()));
    assert_eq!(stands(&horse(3.0 + 1.1)), ((1, 4), "column".into()), "there is room");
    // Skirmishers behind the column also take up room.
    let lights = unit("light-battalion").figures(7).screen(2).formation("column").at(0.0, 0.0).facing(0.0);
    let shooter = unit("line-battalion").figures(2).at(1.0, 5.0).facing(190.0);
    let mut game = Game::new(("fire-only", &[shooter]), ("hold", &[lights]));
    game.unit_mut(Side::Second, 1).front.y = -180;
    game.phase("fire", &[10, 1, 1]);
    assert_eq!(stands(&game), ((2, 2), "pseudo-column".into()));
}

/// A column without room that loses more figures is two in front of two, then one in front of one. It is never in line
/// (9.25), because losses do not turn a column into a line.
#[test]
fn losses_make_no_line_of_a_column() {
    let shooter = unit("line-battalion").figures(2).at(1.0, 5.0).facing(190.0);
    let men = column_of_five("grenadier-battalion", Some(("line-battalion", 1.8)));
    let mut game = Game::new(("fire-only", &[shooter]), ("hold", &men));
    let ranks = [(2, 2), (2, 2), (1, 2)];
    for (figures, ranks) in [4, 3, 2].into_iter().zip(ranks) {
        game.phase("fire", &[10, 1, 1]);
        let unit = game.second();
        let footprint = unit.footprint(drill());
        assert_eq!((unit.figures, game.state(&unit).0), (figures, "pseudo-column"));
        assert_eq!((footprint.front, footprint.ranks), ranks, "{figures} figures");
    }
}

/// A routed unit stays in column (8.52, 7.45), and runs on until there is room for the column.
#[test]
fn losses_leave_the_routed_in_column() {
    let shooter = unit("line-battalion").figures(2).at(1.0, 5.0).facing(190.0);
    let mut men = column_of_five("grenadier-battalion", Some(("line-battalion", 1.8)));
    men[0] = men[0].clone().morale("routed");
    let mut game = Game::new(("fire-only", &[shooter]), ("hold", &men));
    game.dice("fire", &[10, 1, 1, 1, 1]);
    let unit = game.second();
    let footprint = unit.footprint(drill());
    assert_eq!((unit.figures, game.state(&unit)), (4, ("column", "routed")));
    assert_eq!((footprint.front, footprint.ranks), (1, 4));
    assert!(falls_back(&game), "{:?}", game.seen.events());
}

/// A charge continues even if the charger has losses and there is no room for the deeper column they would make.
#[test]
fn losses_do_not_take_a_charger_back() {
    let target = unit("line-battalion").figures(4).at(0.0, 6.0).facing(180.0);
    let men = column_of_five("grenadier-battalion", Some(("line-battalion", 1.8)));
    let mut game = Game::new(("charge", &men), ("hold", &[target]));
    game.battle.units[1].doctrine = game.rules.doctrine("hold").expect("a doctrine");
    let mut faces = [1; 20];
    faces[0] = 10;
    game.dice("charge", &faces);
    assert_eq!(game.first().figures, 4);
    assert!(!falls_back(&game), "{:?}", game.seen.events());
    assert!(game.first().flags.has(Flags::CONTACT), "{:?}", game.seen.events());
}

/// Losses to fire from elsewhere do not take a unit out of contact either: the shock is still fought.
#[test]
fn losses_do_not_take_a_unit_out_of_contact() {
    let horse = unit("heavy-cavalry").figures(4).at(0.0, 6.0).facing(180.0);
    let flank = unit("line-battalion").figures(2).at(6.0, 0.8).facing(270.0);
    let men = column_of_five("grenadier-battalion", Some(("line-battalion", 1.8)));
    let mut game = Game::new(("charge", &[horse, flank]), ("hold", &men));
    game.battle.units[1].doctrine = game.rules.doctrine("fire-only").expect("a doctrine");
    game.dice("charge", &[1; 20]);
    assert!(game.first().flags.has(Flags::CONTACT), "{:?}", game.seen.events());
    let mut faces = [1; 20];
    faces[0] = 10;
    game.dice("fire", &faces);
    assert_eq!(game.second().figures, 4);
    assert!(!falls_back(&game), "{:?}", game.seen.events());
    game.dice("shock", &[3; 20]);
    game.roll("shock");
}
