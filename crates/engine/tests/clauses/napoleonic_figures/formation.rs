//! Chapter 8: formation.

use grognard_dice::NoDice;
use grognard_engine::{Event, Narrator, Refusal, ScreenRefusal, Side, step};
use grognard_rules::model::Rules;

use super::{alone, far_away, figure, marched, s6, skirmishers};
use crate::common::{Game, Men, block_of, drill, load_with, unit};

/// The game in which this horse is about to charge this foot, 6" in front of it.
fn charge(horse: Men, foot: Men) -> Game {
    let horse = horse.at(0.0, 6.0).facing(180.0);
    Game::new(("charge", &[horse]), ("hold", &[foot.at(0.0, 0.0).facing(0.0)]))
}

/// A change of formation does not shorten the move.
#[test]
fn clause_8_11() {
    let mut game = alone("form-line", s6().formation("column"), "formation");
    assert_eq!(game.state(&game.first()).0, "line");
    game.saw("8.11");
    game.phase("move", &[]);
    assert_eq!(marched(&game), Some(800), "the whole move of a line");
}

/// Voluntary changes happen only in the owner's formation phase.
#[test]
fn clause_8_13() {
    let men = |north: f64, facing: f64| s6().at(0.0, north).facing(facing);
    let mut game = Game::new(("form-column", &[men(-20.0, 0.0)]), ("form-column", &[men(20.0, 180.0)]));
    let phases: Vec<String> = drill().phases.iter().map(|phase| phase.id.clone()).collect();
    let mut changes = Vec::new();
    for side in Side::BOTH {
        for phase in &phases {
            let before = (game.first().formation, game.second().formation);
            game.phase_of(side, phase, &[]);
            for (who, changed) in
                [(Side::First, game.first().formation != before.0), (Side::Second, game.second().formation != before.1)]
            {
                if changed {
                    changes.push((who, side, phase.as_str()));
                }
            }
        }
    }
    assert_eq!(changes, [(Side::First, Side::First, "formation"), (Side::Second, Side::Second, "formation")]);
    game.saw("8.13");
    // A pseudo column that forms line is shot down to one figure, which is already in line. The order then changes
    // nothing.
    let column = unit("line-battalion").figures(2).formation("pseudo-column").at(0.0, 0.0).facing(0.0);
    let enemy = unit("line-battalion").figures(6).at(0.0, 1.5).facing(180.0);
    let mut one = Game::new(("form-line", &[column]), ("hold", &[enemy]));
    one.phase("formation", &[10, 1, 1, 1, 1]);
    assert_eq!((one.state(&one.first()).0, one.first().figures), ("line", 1));
    let formed = one.seen.events().iter().filter(|event| matches!(event, Event::Formed { .. })).count();
    assert_eq!(formed, 1, "by the fire");
}

/// A disordered unit may change formation; a routed one may not.
#[test]
fn clause_8_14() {
    let disordered = alone("form-line", s6().formation("column").morale("disordered"), "formation");
    assert_eq!(disordered.state(&disordered.first()), ("line", "disordered"));
    disordered.saw("8.14");
    let routed = alone("form-line", s6().formation("column").morale("routed"), "formation");
    assert_eq!(routed.state(&routed.first()), ("column", "routed"));
    assert_eq!(routed.seen.refusals(), [Refusal::Broken { turns: false }]);
    routed.saw("8.14");
    // A unit that fire routs during its change of formation does not turn either, although it was ordered to do both
    // (7.36).
    let column = unit("line-battalion").figures(6).formation("column").at(0.0, 0.0).facing(0.0);
    let enemy = unit("line-battalion").figures(6).at(0.0, 1.9).facing(180.0);
    let mut shot = Game::new(("line-turn", &[column]), ("hold", &[enemy]));
    shot.phase("formation", &[10, 10, 1, 6, 6]);
    assert_eq!(shot.state(&shot.first()).1, "routed");
    assert_eq!(shot.seen.refusals(), [Refusal::Broken { turns: true }]);
}

/// A rally takes place in the owner's rally phase and leaves the unit disordered.
#[test]
fn clause_8_15() {
    let routed = || unit("line-battalion").morale("routed").at(0.0, 0.0).facing(180.0);
    let mut game = Game::new(("hold", &[routed()]), ("hold", &[far_away()]));
    game.phase_of(Side::Second, "rally", &[]);
    assert_eq!(game.state(&game.first()), ("column", "routed"), "not in the opponent's rally phase");
    // Both phases come at the end of its half-turn, in the pack's order: disordered units recover before routed units
    // rally.
    for phase in drill().phases.iter().filter(|phase| phase.id == "rally" || phase.id == "recover") {
        game.phase(&phase.id, if phase.id == "rally" { &[2, 6] } else { &[] });
    }
    assert_eq!(game.state(&game.first()), ("column", "disordered"), "not good at once");
    let order: Vec<&str> = drill().phases.iter().map(|phase| phase.id.as_str()).collect();
    assert!(order.ends_with(&["recover", "rally"]), "nothing after the rally mends it further: {order:?}");
    assert_eq!(game.marker(&game.first()), Some("one figure reversed"));
    game.saw("8.15");
    let mut failed = Game::new(("hold", &[routed()]), ("hold", &[far_away()]));
    failed.phase("rally", &[3, 6]);
    assert_eq!(failed.state(&failed.first()).1, "routed");
    failed.saw("8.15");
}

/// A morale check or shock can force disorder or rout on a unit in any phase.
#[test]
fn clause_8_16() {
    // Two hits on twelve figures are a sixth: the target tests against 8, and a 10 fails by two.
    let volley = |test: [i32; 2]| {
        let shooter = unit("line-battalion").at(0.0, 4.0).facing(180.0);
        let target = unit("line-battalion").at(0.0, 0.0).facing(0.0);
        let mut game = Game::new(("fire-only", &[shooter]), ("hold", &[target]));
        game.phase("fire", &[9, 10, 1, 1, 1, 1, test[0], test[1]]);
        let morale = game.state(&game.second()).1.to_owned();
        assert_eq!(game.seen.cited().contains("8.16"), morale != "good", "{morale}");
        morale
    };
    assert_eq!(volley([4, 6]), "disordered");
    assert_eq!(volley([6, 6]), "routed");
    assert_eq!(volley([4, 4]), "good");

    let mut game = charge(unit("heavy-cavalry").figures(4), unit("line-battalion"));
    game.phase("charge", &[1, 1, 1, 1, 1, 1, 3, 3]).phase("shock", &[6, 6, 1, 1]);
    assert_eq!(game.state(&game.second()).1, "routed", "in the shock phase");
    game.saw("8.16");

    // Terrain disorders a unit at once, in the phase in which it is crossed. Troops in loose order have no order to
    // lose.
    let woods = [block_of("woods", (0.0, 6.0), (10.0, 8.0))];
    for (formation, morale) in [("column", "disordered"), ("skirmish", "good")] {
        let men = unit("light-battalion").formation(formation).at(0.0, 0.0).facing(0.0);
        let mut game = Game::over(drill(), &woods, ("march", &[men]), ("hold", &[far_away()]));
        game.phase("move", &[]);
        assert_eq!(game.state(&game.first()), (formation, morale));
        if formation == "column" {
            game.saw("8.16");
        }
    }
}

/// Cavalry has column, line and skirmish order.
#[test]
fn clause_8_30() {
    for (doctrine, from, formation) in
        [("form-column", "line", "column"), ("form-line", "column", "line"), ("form-full", "line", "full-skirmish")]
    {
        let game = alone(doctrine, unit("light-cavalry").formation(from), "formation");
        assert_eq!(game.state(&game.first()).0, formation);
        game.saw("8.30");
    }
    let game = alone("form-square", unit("light-cavalry"), "formation");
    assert_eq!(game.seen.refusals(), [Refusal::Formation]);
    game.saw("8.30");
    for formation in ["square", "all-around", "limbered", "unlimbered"] {
        let faults = Game::refused(("hold", &[unit("light-cavalry").formation(formation)]), ("hold", &[far_away()]));
        assert_eq!(faults[0].path, "first.0.formation");
        assert!(
            faults[0]
                .help
                .as_ref()
                .is_some_and(|help| help.contains("`column`, `full-skirmish`, `line`, `massed`, `road-file`")),
            "{faults:?}"
        );
    }
}

/// Cavalry is in column when it has more figures behind its front rank than in it.
#[test]
fn clause_8_31() {
    let game = alone("form-column", unit("heavy-cavalry"), "formation");
    game.saw("8.31");
    for figures in 3..=8 {
        let game = alone("form-column", unit("heavy-cavalry").figures(figures), "formation");
        let front = game.first().footprint(drill()).front;
        assert!(figures - front > front, "{figures} figures stand {front} abreast");
    }
    // 2 + 6 and 3 + 5 figures are columns, but 4 + 4 are not. Two figures are not a column in any arrangement.
    let hold = |front: u16| unit("heavy-cavalry").formation("column").abreast(front).at(0.0, 0.0).facing(0.0);
    for front in [2, 3] {
        let _ = Game::new(("hold", &[hold(front)]), ("hold", &[far_away()]));
    }
    let faults = Game::refused(("hold", &[hold(4)]), ("hold", &[far_away()]));
    assert!(faults[0].message.contains("8.31"), "{faults:?}");
    let few = alone("form-column", unit("heavy-cavalry").figures(2), "formation");
    assert_eq!(few.seen.refusals(), [Refusal::Formation]);
    let two = unit("heavy-cavalry").figures(2).formation("column").at(0.0, 0.0).facing(0.0);
    let faults = Game::refused(("hold", &[two]), ("hold", &[far_away()]));
    assert_eq!(faults[0].help.as_deref(), Some("they are in massed order"), "{faults:?}");
    // Losses may end a column: 3 + 5 minus three is 3 + 2.
    let shooter = unit("field-battery").at(0.0, 20.0).facing(180.0);
    let mut game = Game::new(("hold", &[hold(3)]), ("fire-only", &[shooter]));
    game.phase_of(Side::Second, "fire", &[10, 10, 10, 1, 1, 1, 1, 1, 4, 4]);
    assert_eq!(game.state(&game.first()).0, "massed");
}

/// Cavalry in column adds 1 in shock and gains nothing in movement or morale.
#[test]
fn clause_8_32() {
    let in_formation = |formation: &str| {
        let mut game = charge(unit("heavy-cavalry").figures(6).formation(formation), unit("line-battalion"));
        game.phase("charge", &[1, 1, 1, 1, 1, 1, 3, 3]).phase("shock", &[3, 3, 3, 3]);
        let roll = game.roll("shock");
        let march = alone("march", unit("heavy-cavalry").figures(6).formation(formation), "move");
        for game in [&game, &march] {
            assert_eq!(game.seen.cited().contains("8.32"), formation == "column", "{formation}");
        }
        (roll.inputs[0], game.own_modifiers("shock").contains(&"cavalry-column"), marched(&march))
    };
    let (line, no, far) = in_formation("line");
    let (column, yes, as_far) = in_formation("column");
    assert_eq!((column - line, no, yes), (1, false, true));
    assert_eq!((far, as_far), (Some(1200), Some(1200)));
}

/// Cavalry more than one rank deep is a massed target.
#[test]
fn clause_8_33() {
    let shot_at = |formation: &str, front: u16| {
        let shooter = unit("line-battalion").figures(6).at(0.0, 5.0).facing(180.0);
        let horse = unit("heavy-cavalry").formation(formation).abreast(front).at(0.0, 0.0).facing(0.0);
        let mut game = Game::new(("fire-only", &[shooter]), ("hold", &[horse]));
        game.phase("fire", &[1, 1, 1]);
        game
    };
    for front in [4, 5, 7] {
        let massed = shot_at("massed", front);
        assert_eq!(massed.own_modifiers("fire"), ["massed-target"], "{front} in front of eight");
        massed.saw("8.33");
    }
    assert!(shot_at("line", 8).own_modifiers("fire").is_empty());
    // It has no column bonus in shock.
    let horse = unit("heavy-cavalry").formation("massed").abreast(4);
    let mut game = charge(horse, unit("line-battalion"));
    game.phase("charge", &[1, 1, 1, 1, 1, 1, 3, 3]).phase("shock", &[3, 3, 3, 3]);
    assert!(!game.own_modifiers("shock").contains(&"cavalry-column"));
    // 3 in front of 8 figures would be a column.
    let faults =
        Game::refused(("hold", &[unit("heavy-cavalry").formation("massed").abreast(3)]), ("hold", &[far_away()]));
    assert_eq!(faults[0].path, "first.0.front");
}

/// Cavalry in one rank is in line, and a linear target.
#[test]
fn clause_8_34() {
    for figures in 1..=8 {
        let shooter = unit("line-battalion").figures(6).at(0.0, 5.0).facing(180.0);
        let horse = unit("heavy-cavalry").figures(figures).at(0.0, 0.0).facing(0.0);
        let mut game = Game::new(("fire-only", &[shooter]), ("hold", &[horse]));
        let footprint = game.second().footprint(drill());
        assert_eq!((footprint.ranks, footprint.front), (1, figures));
        game.phase("fire", &[1, 1, 1]);
        assert!(game.own_modifiers("fire").is_empty(), "linear");
        game.saw("8.34");
    }
    // A friend 0.8" behind the rear edge makes the line massed, but one 1.2" behind does not.
    for (gap, modifiers) in [(0.8, vec!["friend-behind"]), (1.2, vec![])] {
        let shooter = unit("line-battalion").figures(6).at(0.0, 5.0).facing(180.0);
        let horse = |south: f64| unit("heavy-cavalry").figures(6).at(0.0, -south).facing(0.0);
        let mut game = Game::new(("fire-only", &[shooter]), ("hold", &[horse(0.0), horse(1.0 + gap)]));
        game.phase("fire", &[1, 1, 1]);
        assert_eq!(game.own_modifiers("fire"), modifiers, "{gap} inches");
    }
    // Enfilade also makes it massed.
    let guns = unit("field-battery").cannon(1).at(-9.0, -0.5).facing(90.0);
    let horse = unit("heavy-cavalry").figures(6).at(0.0, 0.0).facing(0.0);
    let mut game = Game::new(("fire-only", &[guns]), ("hold", &[horse]));
    game.phase("fire", &[1]);
    assert!(game.own_modifiers("fire").contains(&"enfilade"));
    game.saw("8.34");
}

/// Light cavalry may skirmish; heavy cavalry may not.
#[test]
fn clause_8_36() {
    let light = alone("form-full", unit("light-cavalry").figures(6), "formation");
    assert_eq!(light.state(&light.first()).0, "full-skirmish");
    light.saw("8.36");
    // Irregulars may skirmish, and so may medium horse whose nation allows it. Heavies may not, in full or semi
    // skirmish order.
    for (kind, may) in
        [("irregular-cavalry", true), ("dragoons", true), ("semi-dragoons", false), ("heavy-cavalry", false)]
    {
        let game = alone("form-full", unit(kind).figures(6), "formation");
        assert_eq!(game.state(&game.first()).0, if may { "full-skirmish" } else { "line" }, "{kind}");
        assert_eq!(game.seen.refusals().is_empty(), may, "{kind}");
    }
    let heavy = alone("form-skirmish", unit("heavy-cavalry").figures(6), "formation");
    assert_eq!(heavy.state(&heavy.first()).0, "line");
    assert_eq!(heavy.seen.refusals(), [Refusal::Formation]);
    // The unit types have different limits on how many figures they may deploy (9.30-G2).
    for (kind, most) in [("light-cavalry", 5), ("irregular-cavalry", 5), ("dragoons", 1)] {
        let game = alone("detach", unit(kind).figures(6), "formation");
        assert_eq!(game.nth(1).figures, most, "{kind}");
    }
    let heavy = alone("detach", unit("heavy-cavalry").figures(6), "formation");
    assert_eq!(heavy.seen.refusals(), [Refusal::Screen(ScreenRefusal::NoSkirmishers)]);
}

/// Artillery is limbered or unlimbered.
#[test]
fn clause_8_40_g() {
    let limbering = alone("form-limbered", unit("field-battery"), "formation");
    assert_eq!(limbering.state(&limbering.first()).0, "limbered");
    limbering.saw("8.40-G");
    let unlimbering = alone("form-unlimbered", unit("field-battery").formation("limbered"), "formation");
    assert_eq!(unlimbering.state(&unlimbering.first()).0, "unlimbered");
    unlimbering.saw("8.40-G");
    let wrong = alone("form-square", unit("field-battery"), "formation");
    assert_eq!(wrong.seen.refusals(), [Refusal::Formation]);
    let faults = Game::refused(("hold", &[unit("horse-battery").formation("column")]), ("hold", &[far_away()]));
    assert!(faults[0].help.as_ref().is_some_and(|help| help.ends_with(": `limbered`, `unlimbered`")), "{faults:?}");
}

/// Limbered guns move and do not fire; unlimbered guns fire and do not move.
#[test]
fn clause_8_45() {
    let battery = |doctrine: &str, formation: &str| {
        let guns = unit("field-battery").cannon(3).formation(formation).at(0.0, 0.0).facing(0.0);
        Game::new((doctrine, &[guns]), ("hold", &[far_away()]))
    };
    let mut limbered = battery("march", "limbered");
    limbered.phase("move", &[]);
    assert_eq!(marched(&limbered), Some(800));
    limbered.saw("8.45");
    let mut limbered = battery("fire-only", "limbered");
    limbered.phase("fire", &[]);
    assert_eq!(limbered.seen.rolls().count(), 0);

    let mut unlimbered = battery("fire-only", "unlimbered");
    unlimbered.phase("fire", &[1, 1, 1]);
    unlimbered.saw("8.45");
    let mut unlimbered = battery("march", "unlimbered");
    unlimbered.phase("move", &[]);
    assert_eq!(marched(&unlimbered), None);
    assert_eq!(unlimbered.first().front, unlimbered.setup.start.units[0].front);

    // Guns without a crew are not broken, but they cannot turn or limber.
    for (doctrine, told) in [
        ("face", "has no crew and does not turn [8.45]"),
        ("form-line", "has no crew and does not change formation [8.45]"),
    ] {
        let mut dead = battery(doctrine, "unlimbered");
        dead.unit_mut(Side::First, 0).figures = 0;
        let mut narrator = Narrator::default();
        let formation =
            dead.rules.phases.iter().position(|phase| phase.id == "formation").expect("a phase of the pack");
        (dead.battle.active, dead.battle.phase) = (Side::First, formation as u8);
        step(dead.rules, &dead.setup, &mut dead.battle, &mut NoDice, &mut narrator);
        let lines = narrator.lines().join("\n");
        assert!(lines.contains(told), "{lines}");
    }
}

/// Disorder and rout are states in addition to the formation.
#[test]
fn clause_8_51() {
    let mut game = charge(unit("heavy-cavalry").figures(4), unit("line-battalion"));
    game.phase("charge", &[1, 1, 1, 1, 1, 1, 4, 5]);
    assert_eq!(game.state(&game.second()), ("line", "disordered"), "the layout is kept");
    game.saw("8.51");
}

/// A routed unit is in column.
#[test]
fn clause_8_52() {
    let mut game = charge(unit("heavy-cavalry").figures(4), s6());
    game.phase("charge", &[1, 1, 1, 6, 6]);
    assert_eq!(game.state(&game.second()), ("column", "routed"));
    assert_eq!(game.marker(&game.second()), Some("bases stacked in column"));
    game.saw("8.52");
    // A disordered unit keeps its layout.
    let mut shaken = charge(unit("heavy-cavalry").figures(4), s6());
    shaken.phase("charge", &[1, 1, 1, 4, 5]);
    assert_eq!(shaken.state(&shaken.second()), ("line", "disordered"));
    assert_eq!(shaken.marker(&shaken.second()), Some("one figure reversed"));
    shaken.saw("8.52");
}

/// A disordered square is no longer a square, even in the same phase.
#[test]
fn clause_8_53() {
    let square = || unit("line-battalion").figures(8).formation("square");
    // In square against cavalry, the men test against 11: 12 fails by one.
    let mut game = charge(unit("heavy-cavalry").figures(4), square());
    game.phase("charge", &[1, 6, 6]);
    assert_eq!(game.state(&game.second()), ("all-around", "disordered"));
    game.phase("shock", &[3, 3, 3, 3]);
    assert_eq!(game.foe_modifiers("shock"), ["disordered", "outnumbers"]);
    game.saw("8.53");
    let mut steady = charge(unit("heavy-cavalry").figures(4), square());
    steady.phase("charge", &[1, 5, 6]).phase("shock", &[3, 3, 3, 3]);
    assert_eq!(steady.foe_modifiers("shock"), ["square-against-cavalry", "outnumbers"]);

    // A disordered column gets no benefit from its depth, in morale or in shock. There are two dice for closing fire, then
    // those of the test.
    let column = |morale: &str| {
        let foot = unit("line-battalion").formation("column").morale(morale);
        let mut game = charge(unit("heavy-cavalry").figures(4), foot);
        game.phase("charge", &[1, 1, 1, 1]).phase("shock", &[3, 3, 3, 3]);
        let owned = |names: Vec<&str>| names.into_iter().map(str::to_owned).collect::<Vec<_>>();
        (owned(game.own_modifiers("morale")), owned(game.foe_modifiers("shock")))
    };
    let names = |names: &[&str]| names.iter().map(|&name| name.to_owned()).collect::<Vec<_>>();
    assert_eq!(column("good"), (names(&["column-steady"]), names(&["infantry-column", "outnumbers"])));
    assert_eq!(column("disordered"), (names(&["already-disordered"]), names(&["disordered", "outnumbers"])));
    let horse = |morale: &str| {
        // Cavalry charges cavalry in column.
        let regiment = unit("heavy-cavalry").figures(6).formation("column").morale(morale).at(0.0, 0.0).facing(0.0);
        let mut game = Game::new(
            ("charge", &[unit("heavy-cavalry").figures(6).at(0.0, 6.0).facing(180.0)]),
            ("hold", &[regiment]),
        );
        game.phase("charge", &[1, 1]).phase("shock", &[3, 3, 3, 3]);
        game.foe_modifiers("shock").contains(&"cavalry-column")
    };
    assert!(horse("good"));
    assert!(!horse("disordered"));
}

/// Skirmishers are always disordered in their own way, which does not prevent deployment.
#[test]
fn clause_8_55() {
    // Four figures are already deployed from a battalion in good order. It deploys as many more as it may, which the
    // state Morale Disordered would forbid (9.38).
    let parent = unit("light-battalion").screen(4).at(0.0, 0.0).facing(0.0);
    let mut game = Game::new(("detach", &[parent]), ("hold", &[far_away()]));
    let four = game.nth(1);
    assert_eq!((four.figures, game.state(&four).1, game.marker(&four)), (4, "good", None), "no figure is reversed");
    assert_eq!(game.state(&game.first()).1, "good");
    game.phase("formation", &[]);
    assert_eq!((game.nth(1).figures, game.seen.refusals()), (7, vec![]));
    // Their own disorder shows when horse charges them: they test against 8 minus 5. A 3 passes, and they are still in
    // good order.
    let mut game = charge(unit("heavy-cavalry").figures(4), skirmishers(4));
    assert_eq!(game.state(&game.second()), ("skirmish", "good"), "not Morale Disordered");
    game.phase("charge", &[1, 2]);
    assert_eq!(game.own_modifiers("morale"), ["skirmishers-ridden-down"], "and not already-disordered");
    assert_eq!(game.state(&game.second()), ("skirmish", "good"));
    game.saw("8.55");
    // They also fire without the penalty for disordered units.
    let shooters = skirmishers(4).at(0.0, -5.0);
    let mut fire = Game::new(("fire-only", &[shooters]), ("hold", &[s6().at(0.0, 0.0).facing(180.0)]));
    fire.phase("fire", &[1, 1]);
    assert!(!fire.own_modifiers("fire").contains(&"disordered-fire"));
}

/// Infantry in any formation except skirmish order is formed: only formed units charge.
#[test]
fn clause_8_71() {
    formed_units_charge("light-battalion", &["line", "column", "square"], "8.71");
}

/// Cavalry in any formation except skirmish order is formed.
#[test]
fn clause_8_72() {
    formed_units_charge("light-cavalry", &["line", "column"], "8.72");
}

fn formed_units_charge(kind: &str, formed: &[&str], clause: &str) {
    let order = |formation: &str, faces: &[i32]| {
        let charger = unit(kind).figures(4).formation(formation).at(0.0, 0.0).facing(0.0);
        let mut game = Game::new(("charge", &[charger]), ("hold", &[figure().at(0.0, 3.0).facing(180.0)]));
        game.phase("charge", faces);
        game
    };
    for formation in formed {
        let game = order(formation, &[1, 3, 3]);
        assert!(game.seen.events().iter().any(|event| matches!(event, Event::Declared { .. })), "{formation}");
    }
    let loose = if kind == "light-cavalry" { "full-skirmish" } else { "skirmish" };
    let game = order(loose, &[]);
    assert_eq!(game.seen.refusals(), [Refusal::MayNotCharge]);
    game.saw(clause);

    // A formed unit may be good or disordered, but not routed. Under this rule, only formed units can be charged.
    let rules: &'static Rules = Box::leak(Box::new(load_with("figures-drill", &["movement.charge=\"foe.formed\""])));
    let charged = |formation: &str, morale: &str, faces: &[i32]| {
        let charger = unit("line-battalion").figures(4).at(0.0, -6.0).facing(0.0);
        let target = unit(kind).figures(4).formation(formation).morale(morale).at(0.0, 0.0).facing(0.0);
        let mut game = Game::under(rules, ("charge", &[charger]), ("hold", &[target]));
        game.phase("charge", faces);
        game.seen.refusals()
    };
    // A target that is charged from behind only tests.
    for (formation, morale) in [("line", "good"), ("line", "disordered"), ("column", "disordered")] {
        assert_eq!(charged(formation, morale, &[1, 1]), [], "{formation} {morale}");
    }
    for (formation, morale) in [("column", "routed"), (loose, "good")] {
        assert_eq!(charged(formation, morale, &[]), [Refusal::MayNotCharge], "{formation} {morale}");
    }
}
