//! Calls: units that come onto the table when the result of a roll calls them.

use grognard_dice::SeededDice;
use grognard_engine::{Deployment, Narrator, Side, deploy, fight};
use grognard_rules::model::Rules;

use super::arrival::{FIRE, SQUADS, compiled, costs, is_late, plan, rules, table, table_with};
use super::chances::{Chances, certain, die, many, then};
use super::one_roll::exact;
use crate::common::{Game, Men, assert_one_fault, deployment, extended, load, unit};

/// A squad blows its horn: on a five or more, another squad hears it. The fort has no horn.
const HORN: &str = "
[roll.horn]
title = 'horn'
mechanic = 'pool'
own = { dice = 'd6', need = 5 }
result = [{ id = 'heard', when = 'hits > 0', own = { calls = 'squad' }, cite = ['3'] }, { id = 'unheard' }]

[[phase]]
id = 'horn'
title = 'Horn'
mechanism = 'test'
roll = 'horn'
when = 'self.start < 20'

[arrival]
called = 'CALLED'
cite = ['1']
";

pub(super) fn horn(called: &str) -> String {
    HORN.replace("CALLED", called)
}

/// A unit called in one turn fires from the next turn on.
#[test]
fn a_called_unit_comes_when_the_dice_say_so() {
    fn shots(turn: u16) -> Chances<u16> {
        match turn {
            3 => certain(3),
            _ => die(6, move |face| if face >= 5 { certain(6 - turn) } else { shots(turn + 1) }),
        }
    }
    let hit = || die(6, |face| certain(u16::from(face >= 4)));
    let lost = then(&shots(1), |&shots| many(shots, &hit()));
    costs(rules(FIRE, &horn("beside")), &[unit("squad"), unit("squad").called()], 3, &lost);
}

/// A called unit comes on at the end of the phase, so it does nothing in that phase, and fires in the next. One call
/// brings one unit.
#[test]
fn who_is_called_comes_on_as_the_phase_ends() {
    let army = [unit("squad"), unit("squad").called(), unit("squad").called()];
    let mut game = Game::planned(rules(FIRE, &horn("beside")), &plan(&army, &[unit("fort")], 4));
    game.phase("fire", &[1]);
    game.phase("horn", &[4]);
    assert!(is_late(&game, Side::First, 1));
    game.phase("horn", &[5]);
    assert!(!is_late(&game, Side::First, 1) && is_late(&game, Side::First, 2));
    game.saw("1");
    game.saw("3");
    game.phase("fire", &[1, 1]);
    // No unit comes without being called.
    game.battle.turn = 4;
    game.phase("fire", &[1, 1]);
    assert!(is_late(&game, Side::First, 2));
}

/// A call brings only a unit of the type that it names, from the caller's own side.
#[test]
fn a_call_brings_a_unit_of_its_type_and_side() {
    let calls_forts = horn("beside").replace("calls = 'squad'", "calls = 'fort'");
    let army = [unit("squad"), unit("fort").called()];
    let foes = [unit("fort"), unit("fort").called()];
    let mut game = Game::planned(rules(FIRE, &calls_forts), &plan(&army, &foes, 4));
    game.phase("horn", &[5]);
    assert!(!is_late(&game, Side::First, 1) && is_late(&game, Side::Second, 1));
    let (_, faults) = compiled(FIRE, &horn("beside").replace("calls = 'squad'", "calls = 'squid'")).expect_err("squid");
    assert!(faults.contains("there is no unit type `squid`") && faults.contains("did you mean `squad`"), "{faults}");
}

/// A unit that fires and is lost in the same phase has fallen before help comes.
#[test]
fn nobody_comes_to_a_unit_that_has_fallen() {
    let both = "mechanism = 'exchange'\nroll = 'horn'\nby = 'both'\nhalf = 'first'";
    let text = horn("beside").replace("own = { calls = 'squad' }", "own = { calls = 'squad' }, foe = { lose = 1 }");
    let text = text
        .replace("mechanism = 'test'\nroll = 'horn'\nwhen = 'self.start < 20'", "mechanism = 'test'\nroll = 'fire'");
    for (figures, comes) in [(1, false), (2, true)] {
        let army = [unit("squad").figures(figures), unit("squad").called()];
        let mut game = Game::planned(rules(both, &text), &plan(&army, &[unit("fort")], 4));
        game.phase("fire", &[5, 5]);
        assert_eq!(is_late(&game, Side::First, 1), !comes);
    }
}

/// Until it is called, a unit is not part of its side: a side with no unit left to call it is beaten. Once it has come,
/// it is a unit like any other.
#[test]
fn who_waits_for_a_call_holds_nobody_up() {
    let army = [unit("squad").figures(1), unit("squad").called()];
    for called in [false, true] {
        let mut game = Game::planned(rules(FIRE, &horn("beside")), &plan(&army, &[unit("fort")], 8));
        game.phase("horn", &[if called { 5 } else { 1 }]);
        game.phase_of(Side::Second, "fire", &[6]);
        let winner = (!called).then_some(Some(Side::Second));
        assert_eq!(game.outcome.map(|outcome| outcome.winner), winner, "{called}");
    }
    // A unit that is never called is neither lost nor broken.
    let setup =
        deploy(rules(FIRE, &horn("beside")), &plan(&[unit("squad"), unit("squad").called()], &[unit("fort")], 1));
    let found = exact(rules(FIRE, &horn("beside")), &setup.expect("a setup"), |outcome| {
        (outcome.sides.first.routed_units, outcome.sides.first.losses <= 1)
    });
    assert_eq!(found.keys().collect::<Vec<_>>(), [&(0, true)]);
}

/// The place of a called unit: the middle of its front, and its heading. `None` if it has not come.
fn place_of(game: &Game, number: usize) -> Option<(i32, i32, u16)> {
    let unit = game.nth(number);
    (!is_late(game, Side::First, number)).then(|| (unit.front.x, unit.front.y, unit.heading.tenths()))
}

/// Two units whose total width is an odd number of hundredths of an inch do not overlap: the called one is placed half
/// a hundredth farther away.
#[test]
fn a_called_unit_leaves_the_ground_of_its_caller_free() {
    let text = horn("beside").replace("'self.start < 20'", "'self.start == 4'");
    let rules = table_with(&[("width = 1\n", "width = 1.01\n")], &text);
    // The caller is two figures wide, and the called unit one.
    let own = [unit("squad").at(0.0, -20.0).facing(0.0), unit("squad").figures(2).at(10.0, -20.0).facing(0.0).called()];
    let foe = [unit("fort").at(0.0, 20.0).facing(180.0)];
    let mut game = Game::planned(rules, &plan(&own, &foe, 4));
    game.phase("horn", &[5]);
    assert_eq!(place_of(&game, 1), Some((152, -2000, 0)));
}

fn called_on(called: &str, more: &[Men], caller: (f64, f64, f64)) -> Option<(i32, i32, u16)> {
    let (east, north, facing) = caller;
    let own = [unit("squad").at(east, north).facing(facing), unit("squad").at(10.0, -20.0).facing(0.0).called()];
    let army = [&own[..], more].concat();
    let foe = [unit("fort").at(0.0, 20.0).facing(180.0)];
    // Only the first unit starts with four men, so only that one has a horn.
    let text = horn(called).replace("'self.start < 20'", "'self.start == 4'");
    let mut game = Game::planned(table(&text), &plan(&army, &foe, 4));
    game.phase("horn", &[5]);
    place_of(&game, 1)
}

/// A called unit comes on its caller's right, or else on its left, or else behind it. It never comes anywhere else, or
/// off the table.
#[test]
fn on_a_table_a_called_unit_stands_beside_its_caller() {
    let friend = |east: f64, north: f64| unit("squad").figures(3).at(east, north).facing(0.0);
    let (right, left, behind) = (friend(2.0, -20.0), friend(-2.0, -20.0), friend(0.0, -22.0));
    let at = (0.0, -20.0, 0.0);
    assert_eq!(called_on("beside", &[], at), Some((200, -2000, 0)));
    assert_eq!(called_on("beside", std::slice::from_ref(&right), at), Some((-200, -2000, 0)));
    assert_eq!(called_on("beside", &[right.clone(), left.clone()], at), Some((0, -2200, 0)));
    assert_eq!(called_on("beside", &[right, left, behind], at), None);
    // It faces the same way as its caller.
    assert_eq!(called_on("beside", &[], (0.0, -20.0, 90.0)), Some((0, -2200, 900)));
    assert_eq!(called_on("beside", &[], (35.0, -20.0, 0.0)), Some((3300, -2000, 0)));
}

#[test]
fn on_a_table_a_called_unit_comes_where_the_pack_says() {
    let at = (0.0, -20.0, 0.0);
    for (called, place) in [
        ("place", (1000, -2000, 0)),
        ("own", (1000, -2200, 0)),
        ("enemy", (1000, 2200, 1800)),
        ("left", (-3400, -2000, 900)),
        ("right", (3400, -2000, 2700)),
    ] {
        assert_eq!(called_on(called, &[], at), Some(place), "{called}");
    }
    // Another unit is in the called unit's place.
    assert_eq!(called_on("place", &[unit("squad").figures(3).at(10.5, -20.0).facing(0.0)], at), None);
}

/// Both sides blow their horns simultaneously.
fn both(called: &str) -> String {
    horn(called).replace("mechanism = 'test'", "mechanism = 'test'\nby = 'both'")
}

/// The places to the right of two units that face each other overlap. Neither side has priority, so neither unit comes,
/// and each side may try again.
#[test]
fn where_both_sides_are_called_to_one_place_neither_comes() {
    let caller = |east: f64, north: f64, facing: f64| unit("squad").at(east, north).facing(facing);
    for (east, faces, comes) in
        [(4.0, [5, 5], [false, false]), (4.0, [5, 1], [true, false]), (8.0, [5, 5], [true, true])]
    {
        for active in Side::BOTH {
            let first = [caller(0.0, -20.0, 0.0), caller(-20.0, -20.0, 0.0).called()];
            let second = [caller(east, -21.0, 180.0), caller(20.0, 20.0, 180.0).called()];
            let mut game = Game::planned(table(&both("beside")), &plan(&first, &second, 4));
            let faces = if active == Side::First { faces } else { [faces[1], faces[0]] };
            game.phase_of(active, "horn", &faces);
            let came = Side::BOTH.map(|side| !is_late(&game, side, 1));
            assert_eq!(came, comes, "{east}, {active:?}");
            // A unit that has not arrived keeps its planned position.
            let place = game.unit(Side::First, 1).front;
            assert_eq!((place.x, place.y), if comes[0] { (200, -2000) } else { (-2000, -2000) });
        }
    }
}

/// Equal armies that call and fire simultaneously have equal chances.
#[test]
fn equal_armies_call_alike() {
    let fire = "mechanism = 'exchange'\nroll = 'fire'\nby = 'both'\nhalf = 'first'\nsimultaneous = true";
    let army = [unit("squad").figures(1), unit("squad").figures(2).called()];
    let rules = rules(fire, &both("beside").replace("by = 'both'", "by = 'both'\nhalf = 'first'"));
    let setup = deploy(rules, &plan(&army, &army, 3)).expect("equal armies");
    let found = exact(rules, &setup, |outcome| (outcome.sides.first.losses, outcome.sides.second.losses));
    assert!(found.len() > 4, "{found:?}");
    for (&(first, second), chance) in &found {
        let mirrored = found.get(&(second, first)).copied().unwrap_or(0.0);
        assert!((chance - mirrored).abs() < 1e-12, "{first}, {second}: {chance} and {mirrored}");
    }
}

/// A pack on hexes in which light foot blows the horn, and auxilia hear it.
fn hexes(called: &str) -> &'static Rules {
    hexes_of(&horn(called))
}

/// The same pack with this text for the horn.
fn hexes_of(horn: &str) -> &'static Rules {
    let horn = horn.replace("'squad'", "'auxilia'").replace("self.start < 20", "self.type == \"light-infantry\"");
    let horn = horn.replace("['1']", "['house']\nnote = 'A horn.'").replace("['3']", "['house'], note = 'A horn.'");
    extended("ancients-hex", &horn).unwrap_or_else(|faults| panic!("{faults}"))
}

/// Fire and strikes on hexes apply only hits and flags.
#[test]
fn fire_and_strikes_on_hexes_call_nobody() {
    for (roll, by) in [("fire", "by fire on a `hex` board"), ("close", "by the roll of a provision")] {
        let rows = format!(
            "[arrival]\ncalled = 'beside'\ncite = ['house']\nnote = 'A horn.'\n
             [[roll.{roll}.result]]\nid = 'horn'\nown = {{ calls = 'auxilia' }}\ncite = ['house']\nnote = 'A horn.'\n"
        );
        let faults = extended("ancients-hex", &rows).expect_err("it calls nobody");
        assert!(faults.contains(&format!("`own.calls` is not supported {by}")), "{faults}");
    }
}

/// On hexes, a called unit comes to a free hex next to its caller, and to no other hex. It needs no free hex of its own
/// in the deployment.
#[test]
fn on_hexes_a_called_unit_stands_next_to_its_caller() {
    let at = |kind: &str, q: f64, r: f64| unit(kind).at(q, r).facing(90.0);
    let foe = [unit("auxilia").at(0.0, -3.0).facing(270.0)];
    let rules = hexes("beside");
    let around = [(1.0, 0.0), (1.0, -1.0), (0.0, -1.0), (-1.0, 0.0), (-1.0, 1.0), (0.0, 1.0)];
    for friends in 0..=6 {
        let mut own =
            vec![at("light-infantry", 0.0, 3.0), at("auxilia", 0.0, 3.0).called(), at("auxilia", 0.0, 3.0).called()];
        own.extend(around.iter().take(friends).map(|(q, r)| at("heavy-infantry", *q, 3.0 + r)));
        let mut game = Game::planned(rules, &Deployment { turns: 4, ..deployment(("still", &own), ("still", &foe)) });
        let start = game.nth(1).front;
        game.phase("horn", &[5]);
        assert_eq!(is_late(&game, Side::First, 1), friends == 6, "{friends}");
        assert!(is_late(&game, Side::First, 2), "one call brings one unit");
        let place = game.nth(1).front;
        let others = game.battle.units.iter().filter(|unit| !unit.gone() && unit.front == place).count();
        assert_eq!(others, 1, "{friends}: alone in its hex, or still waiting under its caller");
        assert_eq!(place == start, friends == 6);
    }
    // No unit comes into terrain that is closed to it.
    let river = "\n[hex.terrain.river]\nat = ['1,3', '1,2', '0,2', '-1,3', '-1,4', '0,4']\n";
    let own = [at("light-infantry", 0.0, 3.0), at("auxilia", 0.0, 3.0).called()];
    let plan = Deployment { turns: 4, ..deployment(("still", &own), ("still", &foe)) };
    let mut game = Game::planned(hexes_of(&(horn("beside") + river)), &plan);
    game.phase("horn", &[5]);
    assert!(is_late(&game, Side::First, 1));
    // A leader who waits with the called unit comes with it, but a call for the leader brings neither.
    let leaders = "own = { calls = 'leader' }, cite = ['3'] }";
    let rules = hexes_of(&horn("beside").replace("id = 'unheard' }", &format!("id = 'unheard', {leaders}")));
    let own = [at("light-infantry", 0.0, 3.0), at("auxilia", 0.0, 3.0).called(), at("leader", 0.0, 3.0).called()];
    let mut game = Game::planned(rules, &Deployment { turns: 4, ..deployment(("still", &own), ("still", &foe)) });
    game.phase("horn", &[4]);
    assert!(is_late(&game, Side::First, 1) && is_late(&game, Side::First, 2));
    game.phase("horn", &[5]);
    assert!(!is_late(&game, Side::First, 1) && !is_late(&game, Side::First, 2));
    assert_eq!(game.nth(1).front, game.nth(2).front);
    assert_ne!(game.nth(1).front, game.nth(0).front);
}

#[test]
fn calls_are_told() {
    let army = [unit("squad"), unit("squad").called()];
    let rules = rules(FIRE, &horn("beside").replace("need = 5", "need = 1"));
    let setup = deploy(rules, &plan(&army, &[unit("fort")], 2)).expect("a setup");
    let (mut narrator, mut dice) = (Narrator::new(), SeededDice::new(1815));
    fight(rules, &setup, &mut dice, &mut narrator);
    let text = narrator.lines().join("\n");
    assert!(text.contains("Squad (first 2): 4 figures, when it is called\n"), "{text}");
    assert!(text.contains("Squad (first 1) calls, and Squad (first 2) comes onto the table [1].\n"), "{text}");
    assert!(text.contains("Squad (first 1) calls, but no Squad is left to come [1]."), "{text}");
}

#[test]
fn faults_are_found_where_they_are() {
    let pack =
        |more: &str| SQUADS.replace("BOARD", "board = 'none'").replace("PLACE", "").replace("PHASE", FIRE) + more;
    let told = |more: &str, said: &[&str], place: &str| assert_one_fault("calls.toml", &pack(more), said, place);
    let nowhere = horn("beside").replace("called = 'beside'\n", "");
    told(
        &nowhere,
        &["the pack does not say where called units enter the table", "set `called` in `[arrival]` to"],
        "calls = 'squad'",
    );
    let no_table = horn("beside").replace("[arrival]\ncalled = 'beside'\ncite = ['1']\n", "");
    told(
        &no_table,
        &["the pack does not say where called units enter the table", "set `called` in `[arrival]` to"],
        "calls = 'squad'",
    );
    told(&horn("left"), &["only a table on a `plane` board has edges", "`place` or `beside`"], "called = 'left'");
    told(&horn("besides"), &["besides"], "called = 'besides'");
    let silent = horn("beside").replace("own = { calls = 'squad' }, ", "");
    told(&silent, &["no result calls a unit", "omit it"], "called = 'beside'");
    let reaction =
        "\n[[reaction]]\nid = 'cry'\ntitle = 'cry'\non = 'losses'\nown = { calls = \"squad\" }\ncite = ['1']\n";
    told(&(horn("beside") + reaction), &["only the result of a roll calls units"], "calls = \"squad\"");
    let refused = |own: &[Men], path: &str, message: &str| {
        let faults = deploy(rules(FIRE, &horn("beside")), &plan(own, &[unit("fort")], 4)).expect_err(message);
        assert_eq!(faults.iter().map(|fault| fault.path.as_str()).collect::<Vec<_>>(), [path]);
        assert!(faults[0].message.contains(message), "{faults:#?}");
    };
    let nobody = "no result of the pack calls a unit of the type `fort`";
    refused(&[unit("squad"), unit("fort").called()], "first.1.arrives", nobody);
    let all = "all units of `first` wait to be called";
    refused(&[unit("squad").called(), unit("squad").called()], "first.0.arrives", all);
    let rules: &'static Rules = Box::leak(Box::new(load("sf-skirmish")));
    let own = [unit("trooper").at(0.0, -10.0), unit("trooper").at(5.0, -10.0).called()];
    let plan = deployment(("hunt", &own), ("hunt", &[unit("trooper").at(0.0, 10.0)]));
    let faults = deploy(rules, &plan).expect_err("no calls there");
    assert!(faults.iter().any(|fault| fault.path == "first.1.arrives"), "{faults:#?}");
}
