//! Zones in front of units: arcs, opportunity fire, enfilade, and units with all-around facing.

use grognard_engine::plane::Arc;
use grognard_engine::{Event, Refusal, Side};
use grognard_rules::model::{Rules, Trigger};

use super::{alone, arc_of_shot, charged_in_the_rear, figure, s6, skirmishers};
use crate::common::{Game, Men, load_with, unit};

/// The drill rules with some values changed.
fn rules_with(changes: &[&str]) -> &'static Rules {
    Box::leak(Box::new(load_with("figures-drill", changes)))
}

/// The announcements of changes in a fire zone.
fn announced(game: &Game) -> Vec<Trigger> {
    let trigger = |event: &Event| if let Event::InZone { trigger, .. } = event { Some(*trigger) } else { None };
    game.seen.events().iter().filter_map(trigger).collect()
}

/// A unit has a front, flanks and a rear.
#[test]
fn clause_7_11() {
    for (east, north, facing, arc) in [
        (0.0, 5.0, 180.0, Arc::Front),
        (6.0, -0.25, 270.0, Arc::Flank),
        (-6.0, -0.25, 90.0, Arc::Flank),
        (0.0, -5.0, 0.0, Arc::Rear),
    ] {
        assert_eq!(arc_of_shot(east, north, facing), arc, "({east}, {north})");
    }
    charged_in_the_rear().saw("7.11");
}

/// Some kinds of units always have all-around facing, whichever way they point.
#[test]
fn clause_7_21() {
    let kinds = [
        skirmishers(4).at(0.0, 0.0),
        unit("line-battalion").figures(8).formation("square").at(0.0, 0.0),
        unit("line-battalion").figures(8).formation("all-around").at(0.0, 0.0),
    ];
    let behind = |doctrine: &str, men: Men, phase: &str| {
        let mut game = Game::new((doctrine, &[figure().bearing(317.0, 5.0)]), ("hold", &[men.facing(137.0)]));
        game.play_anyhow(Side::First, phase);
        game
    };
    for men in kinds {
        assert_eq!(behind("fire-only", men.clone(), "fire").roll("fire").exposed.1, Arc::Front);
        behind("charge", men, "charge").saw("7.21");
    }
    let line = behind("fire-only", unit("line-battalion").figures(6).at(0.0, 0.0), "fire");
    assert_eq!(line.roll("fire").exposed.1, Arc::Rear, "a line does not");
}

/// With all-around facing, there is no flank and no rear.
#[test]
fn clause_7_22() {
    for bearing in [0.0, 90.0, 180.0, 270.0] {
        let square = unit("line-battalion").figures(8).formation("square").at(0.0, 0.0).facing(0.0);
        let shooter = unit("field-battery").cannon(1).bearing(bearing, 6.0);
        let mut shot = Game::new(("fire-only", &[shooter]), ("hold", std::slice::from_ref(&square)));
        shot.phase("fire", &[1]);
        assert_eq!(shot.roll("fire").exposed.1, Arc::Front);
        assert!(!shot.own_modifiers("fire").contains(&"enfilade"));
        let horse = unit("heavy-cavalry").figures(3).bearing(bearing, 6.0);
        let mut struck = Game::new(("charge", &[horse]), ("hold", &[square]));
        struck.phase("charge", &[1, 3, 3]).phase("shock", &[3, 3, 3, 3]);
        assert!(!struck.foe_modifiers("shock").contains(&"cannot-fight-there"));
        assert!(struck.foe_modifiers("shock").contains(&"outnumbers"), "all eight count, not two");
        assert_eq!(struck.seen.cited().contains("7.22"), bearing > 0.0, "{bearing} degrees");
    }
}

/// A disordered unit may turn; a routed one may not.
#[test]
fn clause_7_36() {
    let turned = |morale: &str| {
        let enemy = figure().at(20.0, -0.25).facing(270.0);
        let mut game = Game::new(("face", &[s6().morale(morale)]), ("hold", &[enemy]));
        let before = game.first().heading;
        game.phase("formation", &[]);
        (game.first().heading != before, game)
    };
    let (disordered, game) = turned("disordered");
    assert!(disordered);
    game.saw("7.36");
    let (routed, game) = turned("routed");
    assert!(!routed);
    assert_eq!(game.seen.refusals(), [Refusal::Broken { turns: true }]);
    game.saw("7.36");
}

/// Two guns, with the middle of their front at this point, fire at this target.
fn cannonade(at: (f64, f64), facing: f64, target: Men) -> Game {
    let guns = unit("field-battery").cannon(2).at(at.0, at.1).facing(facing);
    let mut game = Game::new(("fire-only", &[guns]), ("hold", &[target]));
    game.phase("fire", &[1, 1]);
    game
}

/// Fire through a flank side makes the target massed if the fire rakes it and cannot be answered.
#[test]
fn clause_7_54() {
    let raked = cannonade((-7.5, -0.25), 90.0, s6());
    assert!(raked.own_modifiers("fire").contains(&"enfilade"));
    raked.saw("7.54");
    let aslant = cannonade((-7.5, 3.5), 117.0, s6());
    assert!(!aslant.own_modifiers("fire").contains(&"enfilade"), "still linear");
    let from_behind = cannonade((0.0, -7.5), 0.0, s6());
    assert!(!from_behind.own_modifiers("fire").contains(&"enfilade"), "rear fire never rakes");
}

/// Fire rakes a target if a ray from the battery's front crosses both flank sides within range.
#[test]
fn clause_7_54a() {
    // The guns are 6" from the near flank side, so they may be up to 0.5" x 6" / 3" = 1.0" beyond either edge.
    let raked = |north: f64| {
        let facing = 90.0 + ((north + 0.25) / 7.5_f64).atan().to_degrees();
        let game = cannonade((-7.5, north), facing, s6());
        game.own_modifiers("fire").contains(&"enfilade")
    };
    assert!(raked(-1.49) && raked(-0.25) && raked(0.98));
    assert!(!raked(1.2) && !raked(-1.7));
    // The far side is 9" away: within 10", but beyond 8".
    for (range, expected) in [(10, true), (8, false)] {
        let rules = rules_with(&[&format!("unit.field-battery.range={range}")]);
        let guns = unit("field-battery").cannon(2).at(-7.5, -0.25).facing(90.0);
        let mut game = Game::under(rules, ("fire-only", &[guns]), ("hold", &[s6()]));
        game.phase("fire", &[1, 1]);
        assert_eq!(game.own_modifiers("fire").contains(&"enfilade"), expected, "range {range}");
        if expected {
            game.saw("7.54a");
        }
    }
}

/// The target cannot answer if no firing figure is in its front arc.
#[test]
fn clause_7_54b() {
    let beside = cannonade((-7.5, -0.25), 90.0, s6());
    assert!(beside.own_modifiers("fire").contains(&"enfilade"));
    beside.saw("7.54b");
    assert!(!cannonade((-2.0, 6.0), 162.0, s6()).own_modifiers("fire").contains(&"enfilade"));
    let square = unit("line-battalion").figures(6).formation("square").at(0.0, 0.0).facing(0.0);
    assert!(!cannonade((-7.5, -0.25), 90.0, square).own_modifiers("fire").contains(&"enfilade"));
}

/// A unit that turns in an enemy's fire zone may be shot at before it does.
#[test]
fn clause_7_55() {
    // The enemy's centre is 45 degrees to the right in both cases, and its zone is 2" deep.
    let enemy = |east: f64, north: f64| unit("line-battalion").figures(6).at(east, north).facing(180.0);
    let mut near = Game::new(("face", &[s6()]), ("hold", &[enemy(2.0, 1.5)]));
    near.phase("formation", &[1, 1, 1]);
    assert_eq!(announced(&near), [Trigger::TurnsInZone]);
    assert_eq!(near.first().heading.tenths(), 450, "the fire did not stop it");
    near.saw("7.55");
    let mut far = Game::new(("face", &[s6()]), ("hold", &[enemy(3.0, 2.5)]));
    far.phase("formation", &[]);
    assert!(announced(&far).is_empty());
    assert_eq!(far.first().heading.tenths(), 450);
    // The opponent decides: the change is announced to him even if he holds his fire.
    let mut held = Game::new(("face", &[s6()]), ("hold-fire", &[enemy(2.0, 1.5)]));
    held.phase("formation", &[]);
    assert_eq!(announced(&held), [Trigger::TurnsInZone]);
    assert!(held.seen.events().iter().any(|event| matches!(event, Event::HeldFire { .. })));
    held.saw("7.55");
    // The shots come before the turn: a unit that breaks does not turn.
    let mut broken = Game::new(("face", &[s6()]), ("hold", &[enemy(2.0, 1.5)]));
    broken.phase("formation", &[10, 10, 10, 6, 6]);
    assert_eq!(broken.state(&broken.first()).1, "routed");
    assert!(!broken.seen.events().iter().any(|event| matches!(event, Event::Turned { .. })));
    // Twelve figures extend across a corner of the zone of S6, from (1.6, 2.05) to (6.7, -1.1). They pass over
    // (2, 1.8), which is in the zone, but all their corners are outside it.
    for side in [-1.0, 1.0] {
        let across = unit("line-battalion").figures(12).at(side * 4.144, 0.46).facing(180.0 + side * 32.0);
        let mut held = Game::new(("face", &[across]), ("hold-fire", &[s6()]));
        held.phase("formation", &[]);
        assert_eq!(announced(&held), [Trigger::TurnsInZone], "{side}");
    }
}

/// Losses that change the shape of a unit's ranks stop neither its turn nor the fire of the other enemies whose zones
/// it is in.
#[test]
fn losses_that_change_its_shape_stop_no_turn() {
    let enemy = |east: f64| unit("line-battalion").figures(6).at(east, 1.5).facing(180.0);
    let column = unit("line-battalion").figures(5).formation("column").at(0.0, 0.0).facing(0.0);
    let mut game = Game::new(("face", &[column]), ("hold", &[enemy(2.0), enemy(-2.0)]));
    game.phase("formation", &[10, 10, 10, 1, 1, 1, 1, 1]);
    assert_eq!(game.state(&game.first()).0, "pseudo-column", "two are left");
    assert_eq!(announced(&game), [Trigger::TurnsInZone; 2]);
    assert!(game.seen.events().iter().any(|event| matches!(event, Event::Turned { .. })));
}

/// A row that fire drives back into column is disordered, but may still change its formation (8.14, 9.0-G).
#[test]
fn a_row_that_is_driven_back_still_forms() {
    let row = unit("light-battalion").figures(8).formation("full-skirmish").at(0.0, 0.0).facing(0.0);
    let guns = unit("field-battery").formation("unlimbered").at(8.5, -0.25).facing(270.0);
    let mut game = Game::new(("form-line", &[row]), ("hold", &[guns]));
    game.phase("formation", &[7, 7, 2, 5, 7, 9, 10, 9, 5, 3]);
    assert_eq!(game.state(&game.first()), ("line", "disordered"));
}

/// If fire removes all of a unit's figures in close order, its screen becomes the unit, and the turn is announced to no
/// other enemy.
#[test]
fn a_unit_that_falls_as_it_turns_does_not_turn() {
    let men = unit("light-battalion").figures(2).screen(1).at(0.0, 0.0).facing(180.0);
    let guns = unit("field-battery").cannon(8).formation("unlimbered").at(-0.8, 2.0).facing(180.0);
    let column = unit("line-battalion").figures(6).formation("column").at(1.5, 1.2).facing(200.0);
    let mut game = Game::new(("face", std::slice::from_ref(&men)), ("hold", &[guns.clone(), column]));
    game.phase("formation", &[10, 1, 1, 1, 1, 1, 1, 1, 1, 1]);
    assert_eq!(announced(&game), [Trigger::TurnsInZone]);
    assert!(!game.seen.events().iter().any(|event| matches!(event, Event::Turned { .. })));
    // The screen that is left does not take the ordered formation either, even if there was only one enemy.
    let mut game = Game::new(("form-column", &[men.figures(7).screen(4)]), ("hold", &[guns]));
    game.phase("formation", &[10, 10, 10, 1, 1, 1, 1, 1, 1, 1]);
    assert_eq!(announced(&game), [Trigger::FormsInZone]);
    assert_eq!(game.state(&game.first()).0, "full-skirmish");
    // Nor does a screen that falls back into column.
    let men = unit("light-battalion").formation("column").figures(8).screen(3).at(0.0, 0.0).facing(0.0);
    let guns = unit("field-battery").formation("unlimbered").at(3.0, -0.25).facing(270.0);
    let mut game = Game::new(("form-line", &[men]), ("hold", &[guns]));
    game.phase("formation", &[10, 10, 10, 10, 10, 1, 1, 1, 5, 3]);
    assert_eq!(game.state(&game.first()).0, "column");
    let formed = |event: &&Event| matches!(event, Event::Formed { .. });
    assert_eq!(game.seen.events().iter().filter(formed).count(), 2, "into its row, and back into column");
}

/// A row of skirmishers at the edge of a zone is outside it, and does not enter it sideways either.
#[test]
fn clause_9_43() {
    // The last figure's base, rounded to hundredths, reaches into the arc of the guns, though the row does not.
    let row = unit("large-light-battalion").formation("skirmish").at(11.53, 3.5).facing(77.0);
    let guns = unit("positional-battery").cannon(4).formation("unlimbered").at(13.94, -5.37).facing(27.0);
    let mut game = Game::new(("march", &[row]), ("hold", &[guns]));
    let before = game.first().front;
    game.phase("move", &[]);
    assert_eq!(game.seen.refusals(), [Refusal::FireZone]);
    assert_eq!(game.first().front, before);
}

/// A unit may make one turn and one change of formation in each phase, in a fire zone as elsewhere. Each is announced,
/// and a second turn is refused without drawing fire.
#[test]
fn clause_7_32() {
    let column = unit("line-battalion").figures(6).formation("column").at(0.0, 0.0).facing(0.0);
    let enemy = unit("line-battalion").figures(6).at(0.0, 1.5).facing(180.0);
    let mut game = Game::new(("turn-line-turn", &[column]), ("hold-fire", &[enemy]));
    game.phase("formation", &[]);
    assert_eq!(announced(&game), [Trigger::TurnsInZone, Trigger::FormsInZone]);
    let turns = game.seen.events().iter().filter(|event| matches!(event, Event::Turned { .. })).count();
    assert_eq!((turns, game.seen.refusals()), (1, vec![Refusal::Spent]));
    game.saw("7.32");
}

/// The zones that a unit is in are determined before any unit fires, and no unit fires through others or without a
/// chance to hit.
#[test]
fn opportunity_fire_is_fire_like_any_other() {
    let enemy = |east: f64, north: f64| unit("line-battalion").figures(6).at(east, north).facing(180.0);
    // The right end of the line, 1.5" from its middle, is in the zone of the second enemy. The limit of that zone is
    // 1.4" from the middle: 3.5" minus half of 3" and 1.5" x 0.404. The line remains that enemy's target when the first
    // enemy's volley has made it narrower.
    let mut game = Game::new(("form-column", &[s6()]), ("hold", &[enemy(0.0, 1.9), enemy(3.5, 1.5)]));
    game.phase("formation", &[10, 1, 1, 1, 1, 1, 1, 1]);
    assert_eq!(announced(&game), [Trigger::FormsInZone; 2]);
    assert_eq!(game.seen.rolls().filter(|roll| game.rules.rolls[roll.roll].id == "fire").count(), 2);
    // A friend between them hides the unit. Its presence in a zone is still announced.
    let men = [s6(), figure().at(0.0, 1.4).facing(0.0)];
    let mut hidden = Game::new(("form-column", &men), ("hold", &[enemy(0.0, 1.9)]));
    hidden.phase("formation", &[]);
    assert_eq!(announced(&hidden), [Trigger::FormsInZone]);
    assert!(!hidden.second().flags.has(grognard_engine::Flags::FIRED));
}

/// A unit that changes formation in an enemy's fire zone may be shot at before it does.
#[test]
fn clause_8_17() {
    let rules = rules_with(&["unit.line-battalion.zone=3"]);
    let change = |north: f64, faces: &[i32]| {
        let column = unit("line-battalion").figures(6).formation("column").at(0.0, 0.0).facing(0.0);
        let enemy = unit("line-battalion").figures(6).at(0.0, north).facing(180.0);
        let mut game = Game::under(rules, ("form-square", &[column]), ("hold", &[enemy]));
        game.phase("formation", faces);
        game
    };
    let near = change(2.5, &[1, 1, 1]);
    assert_eq!(announced(&near), [Trigger::FormsInZone]);
    assert_eq!(near.state(&near.first()).0, "square");
    near.saw("8.17");
    let far = change(3.5, &[]);
    assert!(announced(&far).is_empty());
    assert_eq!(far.state(&far.first()).0, "square");
    // A volley that shakes the unit keeps it from forming square: squares require good order.
    let shaken = change(2.5, &[10, 10, 1, 4, 6]);
    assert_eq!(shaken.state(&shaken.first()), ("column", "disordered"));
    assert_eq!(shaken.seen.refusals(), [Refusal::Formation]);
    // Two figures may form a square, but the single survivor of the two may not (9.51).
    let two = unit("line-battalion").figures(2).at(0.0, 0.0).facing(0.0);
    let enemy = unit("line-battalion").figures(6).at(0.0, 1.5).facing(180.0);
    let mut one = Game::new(("form-square", &[two]), ("hold", &[enemy]));
    one.phase("formation", &[10, 1, 1, 1, 1]);
    assert_eq!((one.state(&one.first()).0, one.first().figures), ("line", 1));
    assert!(matches!(one.seen.refusals()[..], [Refusal::Barred(..)]));
}

/// Infantry has column, line, square and skirmish order.
#[test]
fn clause_8_20() {
    for (from, to) in [("column", "line"), ("line", "column"), ("line", "square"), ("line", "skirmish")] {
        let men = unit(if to == "skirmish" { "semi-lights" } else { "light-battalion" }).figures(6).formation(from);
        let game = alone(&format!("form-{to}"), men, "formation");
        assert_eq!(game.state(&game.first()).0, to);
        game.saw("8.20");
    }
    let wrong = alone("form-unlimbered", s6(), "formation");
    assert_eq!(wrong.seen.refusals(), [Refusal::Formation]);
}

/// A battery may pivot on the spot. In an enemy's fire zone, that can draw fire.
#[test]
fn clause_8_44() {
    let pivot = |north: f64, faces: &[i32]| {
        let battery = unit("field-battery").cannon(3).at(0.0, 0.0).facing(0.0);
        // One enemy, at 60 degrees and facing away, is the unit to turn to. The other has a zone 4" deep.
        let bait = figure().at(2.165 + 0.217, 0.5 + 0.125).facing(60.0);
        let owner = unit("field-battery").cannon(2).at(0.0, north).facing(180.0);
        let mut game = Game::new(("face", &[battery]), ("hold", &[bait, owner]));
        let before = game.ground(&game.first()).centre();
        game.phase("formation", faces);
        let after = game.ground(&game.first());
        assert_eq!(game.state(&game.first()).0, "unlimbered");
        assert!(after.heading().tenths().abs_diff(600) <= 5, "{:?}", after.heading());
        assert!(before.square_distance(after.centre()) <= 2);
        game
    };
    let near = pivot(3.0, &[1, 1]);
    assert_eq!(announced(&near), [Trigger::PivotsInZone]);
    near.saw("8.44");
    assert!(announced(&pivot(5.0, &[])).is_empty());
}

/// Skirmishers do not arrive on the table in a zone, but wait (9.43).
#[test]
fn no_skirmishers_arrive_in_a_zone() {
    let arrives = |formation: &str, north: f64| {
        let men = unit("light-battalion").formation(formation).at(0.0, north).facing(0.0).arrives(2);
        let friend = unit("line-battalion").at(30.0, -20.0).facing(0.0);
        let enemy = unit("line-battalion").at(0.0, 1.5).facing(180.0);
        let mut game = Game::new(("hold", &[men, friend]), ("hold", &[enemy]));
        game.battle.turn = 2;
        game.phase("formation", &[]);
        !game.first().gone()
    };
    assert!(!arrives("full-skirmish", 0.0), "an inch and a half before a zone of two inches");
    assert!(arrives("full-skirmish", -0.6));
    assert!(arrives("line", 0.0));
}
