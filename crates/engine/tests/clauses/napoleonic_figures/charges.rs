//! Charges that do not reach their target, and units that are charged more than once.

use grognard_engine::plane::{Arc, Heading};
use grognard_engine::{Event, Flags, Refusal, Side};

use super::s6;

use crate::common::{Game, drill, unit};

/// A charger whose target moves out of reach advances as far as it can, does not fight, and does not move again this
/// turn.
#[test]
fn a_charge_that_falls_short_comes_as_far_as_it_can() {
    // Four heavies charge 14" at most. The battalion breaks as they approach and falls back six inches, to 17".
    let horse = unit("heavy-cavalry").figures(4).at(0.0, 0.0).facing(0.0);
    let foot = unit("line-battalion").figures(4).at(0.0, 11.0).facing(180.0);
    let mut game = Game::new(("charge-and-march", &[horse]), ("hold", &[foot]));
    game.phase("charge", &[1, 1, 6, 6]);
    assert!(game.seen.events().iter().any(|event| matches!(event, Event::FellShort { .. })));
    let charger = game.first();
    assert_eq!(charger.front.y, 1400, "{:?}", game.seen.events());
    assert!(!charger.flags.has(Flags::CHARGING) && !charger.flags.has(Flags::CONTACT));
    game.phase("move", &[]).phase("shock", &[]);
    assert_eq!(game.first().front.y, 1400);
}

/// A charge does not ride over a crew that has just left its guns and is in the way. The horse charges straight ahead
/// (7.41) and stops in front of the crew.
#[test]
fn a_charge_does_not_ride_over_a_crew() {
    // Disordered guns have their rear towards the horse's path, which is four inches wide. Nearer enemies on the other
    // side make their crew flee towards the path. It ends up 2" or 3.45" from the middle of the path.
    let ends = |east: f64, stand: &[i32]| {
        let foot = unit("line-battalion").figures(4).at(0.0, 10.0).facing(180.0);
        let guns = unit("field-battery").cannon(6).formation("unlimbered").morale("disordered");
        let horse = unit("heavy-cavalry").figures(4).at(0.0, 0.0).facing(0.0);
        let men = unit("line-battalion").figures(1).at(east + 3.0, 5.0).facing(90.0);
        let mut game = Game::new(("charge-foot", &[horse, men]), ("hold", &[foot, guns.at(east, 5.0).facing(90.0)]));
        game.unit_mut(Side::First, 1).doctrine = drill().doctrine("hold").expect("a doctrine");
        game.phase("charge", &[&[1, 1, 1, 1], stand].concat());
        assert!(game.seen.events().iter().any(|event| matches!(event, Event::CrewLeft { .. })) || stand == [1, 1]);
        game.first().front.y
    };
    // The crew's nearest edge is 4.75" away, and the horse stops an inch short of that.
    assert_eq!(ends(3.75, &[6, 6]), 375);
    assert_eq!(ends(3.75, &[1, 1]), 1000, "the crew stays");
    assert_eq!(ends(5.2, &[6, 6]), 1000, "beside the way");
}

/// A charge that falls short stops an inch in front of another enemy in its way.
#[test]
fn a_charge_that_falls_short_stops_before_whoever_is_next() {
    let horse = unit("heavy-cavalry").figures(4).at(0.0, 0.0).facing(0.0);
    let foot = unit("line-battalion").figures(4).at(0.0, 8.0).facing(180.0);
    let behind = unit("line-battalion").figures(4).at(1.5, 12.0).facing(180.0);
    let mut game = Game::new(("charge-and-march", &[horse]), ("hold", &[foot, behind]));
    game.phase("charge", &[1, 1, 6, 6]);
    assert_eq!(game.first().front.y, 1100, "{:?}", game.seen.events());
}

/// A charged unit fires once in an enemy's half-turn, however many units charge it, and not again at an enemy that
/// turns in front of it.
#[test]
fn a_unit_fires_out_of_turn_once() {
    let horse = |east: f64| unit("heavy-cavalry").figures(3).at(east, 6.0).facing(180.0);
    let mut game = Game::new(("charge", &[horse(-1.6), horse(1.6)]), ("hold", &[s6()]));
    // The first charge draws three dice of closing fire and a test, and the second only a test.
    game.phase("charge", &[1, 1, 1, 3, 3, 3, 3]);
    assert!(game.second().flags.has(Flags::FIRED));
    assert_eq!(game.seen.rolls().map(|roll| roll.own.index()).collect::<Vec<_>>(), [2; 3]);
}

/// A charge does not wheel through a friend beside it.
#[test]
fn a_charge_does_not_wheel_through_friends() {
    // A column 2" wide and 1.5" deep wheels 32 degrees to the right: its left rear corner swings 0.5" outward.
    let column = |east: f64| unit("line-battalion").formation("column").at(east, 0.0).facing(0.0);
    let charge = |friend: f64| {
        let enemy = unit("line-battalion").figures(4).at(2.5, 4.0).facing(210.0);
        let mut game = Game::new(("charge", &[column(0.0), column(friend)]), ("hold", &[enemy]));
        game.battle.units[1].doctrine = game.rules.doctrine("hold").expect("a doctrine");
        game.play_anyhow(grognard_engine::Side::First, "charge");
        game.seen.refusals()
    };
    assert_eq!(charge(-2.1), [Refusal::OutOfReach]);
    assert_eq!(charge(2.1), []);
}

/// A unit that cannot go straight ahead to its target because a friend is in the way wheels towards it (7.33, 7.61).
#[test]
fn clause_7_61() {
    let charge = |friend: f64| {
        let horse = unit("heavy-cavalry").figures(8).at(0.0, 0.0).facing(0.0);
        let staff = unit("headquarters").at(friend, 7.0).facing(0.0);
        let foot = unit("line-battalion").at(5.0, 10.0).facing(180.0);
        let mut game = Game::new(("charge", &[horse, staff]), ("hold-fire", &[foot]));
        game.unit_mut(Side::First, 1).doctrine = drill().doctrine("hold").expect("a doctrine");
        game.play_anyhow(Side::First, "charge");
        assert_eq!(game.seen.refusals(), [], "{friend}");
        let wheels = |event: &Event| if let Event::Contact { wheel, .. } = event { Some(*wheel != 0) } else { None };
        game.seen.events().iter().find_map(wheels)
    };
    assert_eq!(charge(-3.4), Some(true));
    assert_eq!(charge(-8.0), Some(false), "the way ahead is open");
}

/// A narrow unit turns about its middle and starts from there, so a deep unit does not miss the enemy it charges or
/// marches towards.
#[test]
fn clause_7_42() {
    let file = || unit("heavy-cavalry").figures(8).formation("road-file").at(0.0, 0.0).facing(0.0);
    let column = |east: f64| unit("line-battalion").figures(9).formation("column").at(east, 11.0).facing(180.0);
    for east in [4.5, 5.0, 5.6, 6.0] {
        let mut game = Game::new(("charge", &[file()]), ("hold-fire", &[column(east)]));
        game.play_anyhow(Side::First, "charge");
        assert_eq!(game.seen.refusals(), [], "{east}");
    }
    // On a march, it heads for the middle of the enemy.
    let mut game = Game::new(("march", &[file()]), ("hold", &[column(10.0)]));
    let (from, to) = (game.ground(&game.first()).centre(), game.ground(&game.second()).centre());
    game.phase("move", &[]);
    assert_eq!(game.first().heading, Heading::between(from, to));
    assert!(game.first().front.x > 0);
}

/// Skirmishers have no flank and no rear. If they are shaken and fall into column, the charge strikes the side that the
/// column shows.
#[test]
fn clause_7_22() {
    // The whole front of the heavy cavalry's column is outside the front arc of a row that faces east.
    let horse = unit("heavy-cavalry").formation("column").at(0.0, 8.0).facing(180.0);
    let row = unit("light-battalion").formation("full-skirmish").at(0.0, 0.0).facing(90.0);
    let mut game = Game::new(("charge", &[horse]), ("hold", &[row]));
    game.phase("charge", &[1, 3]);
    assert_eq!(game.state(&game.second()), ("column", "disordered"));
    assert!(
        matches!(game.seen.events().last(), Some(Event::Contact { arc: Arc::Flank, .. })),
        "{:?}",
        game.seen.events()
    );
}
