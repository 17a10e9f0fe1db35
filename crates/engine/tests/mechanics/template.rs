//! One shot hits every unit under a round template, which may drift from the aiming point.

use grognard_engine::{Side, deploy};
use grognard_rules::compile;
use grognard_rules::model::{ByteId, Rules};
use grognard_source::{Document, Sources};

use super::one_roll::{hold_in, to_the_enemy};
use crate::common::{Game, Men, deployment, unit};

/// A gun whose shell takes a figure of a company on a die of 4 or more. Companies are two abreast and two deep, two
/// inches square.
pub(super) const GUNS: &str = r#"
pack = "guns"
title = "Guns"
version = "1"
board = "plane"
arms = ["guns", "foot"]
table = { width = 72, depth = 72 }
arc = { angle = 45 }
movement = { narrow = 1, gap = 1 }

[morale]
state = [{ id = "good" }, { id = "shaken", shaken = true }]

[formation.line]
title = "line"
arms = ["guns", "foot"]
layout = { ranks = 2 }
facing = "front"

[unit.gun]
title = "Gun"
arm = "guns"
figures = 1
width = 1
depth = 1
formation = "line"
speed = { line = 0 }
range = 30

[unit.company]
title = "Company"
arm = "foot"
figures = 4
width = 1
depth = 1
formation = "line"
speed = { line = 6 }

[roll.shell]
title = "shell"
mechanic = "pool"
own = { dice = "d6", need = 4 }

[[roll.shell.modifier]]
id = "unsteady"
when = "self.shaken"
add = -3
cite = ["1"]

[[roll.shell.result]]
id = "hit"
when = "hits > 0"
foe = { lose = 1 }
OWN

[[roll.shell.result]]
id = "miss"

[[phase]]
id = "fire"
title = "Fire"
mechanism = "fire"
roll = "shell"
half = "first"
template = TEMPLATE

[doctrine.fire]
title = "fires"
row = [{ id = "fire", phase = "fire", do = "fire" }]

[doctrine.none]
title = "does nothing"
row = []

[victory]
broken = 100

[[clause]]
id = "1"
text = "A shell hits all that its template touches."

[[clause]]
id = "2"
text = "A shell strays."
"#;

/// Compiles the pack with this template and more lines. If it has faults, returns their number and their text.
fn compiled(template: &str, own: &str, more: &str) -> Result<&'static Rules, (usize, String)> {
    let text = format!("{}\n{more}", GUNS.replace("TEMPLATE", template).replace("OWN", own));
    crate::common::compiled("guns.toml", text)
}

fn rules(template: &str, own: &str, more: &str) -> &'static Rules {
    compiled(template, own, more).unwrap_or_else(|(_, faults)| panic!("{faults}"))
}

/// A company that faces south, placed by its middle.
pub(super) fn company(east: f64, north: f64) -> Men {
    unit("company").at(east, north - 1.0).facing(180.0)
}

/// A gun in the middle of the table that fires north, and two companies with their centres ten inches north of it and
/// four inches apart. Their near edges are two inches apart, and three inches from the middle of the other company.
fn game(rules: &'static Rules, friends: &[Men]) -> Game {
    let own = [&[unit("gun").at(0.0, 0.0).facing(0.0)], friends].concat();
    Game::under(rules, ("fire", &own), ("none", &[company(0.0, 10.0), company(4.0, 10.0)]))
}

/// The losses of the enemy companies and of the gun's side, after a fire phase with these faces.
fn lost(game: &mut Game, faces: &[i32]) -> Vec<u16> {
    game.phase("fire", faces);
    let units = &game.battle.units;
    let first = usize::from(game.battle.places.of(Side::First).end);
    units[first..].iter().chain(&units[..first]).map(|unit| unit.start - unit.figures).collect()
}

#[test]
fn one_shot_hits_every_enemy_that_the_template_touches() {
    let mut wide = game(rules("{ radius = 3, cite = ['1'] }", "", ""), &[]);
    assert_eq!(lost(&mut wide, &[4, 3]), [1, 0, 0], "a die for each");
    wide.saw("1");
    assert_eq!(
        wide.specials(),
        ["The shot of Gun (first) at Company (second 1) covers Company (second 1) and Company (second 2)."]
    );
    let mut both = game(rules("{ radius = 3, cite = ['1'] }", "", ""), &[]);
    assert_eq!(lost(&mut both, &[4, 6]), [1, 1, 0]);
    let mut narrow = game(rules("{ radius = 2.99, cite = ['1'] }", "", ""), &[]);
    assert_eq!(lost(&mut narrow, &[4]), [1, 0, 0]);
}

#[test]
fn no_roll_depends_on_the_result_of_another() {
    // A hit shakes the gun, which then needs a 7. It does not fire again, but the rest of this shot counts in full.
    let rules = rules("{ radius = 3, cite = ['1'] }", "own = { morale = 'shaken' }", "");
    let mut game = game(rules, &[]);
    assert_eq!(lost(&mut game, &[4, 4]), [1, 1, 0]);
    assert_eq!(lost(&mut game, &[]), [1, 1, 0]);
}

#[test]
fn friends_are_hit_where_the_pack_says_so_and_the_gun_never() {
    let friend = [unit("company").at(-4.0, 9.0).facing(0.0)];
    let spared = rules("{ radius = 20, cite = ['1'] }", "", "");
    assert_eq!(lost(&mut game(spared, &friend), &[4, 4]), [1, 1, 0, 0]);
    // No enemy causes a friend's loss, so a reaction to it has no `foe`.
    let blame = "[[reaction]]\nid = 'blame'\ntitle = 'blames'\non = 'losses'\nwhen = 'foe.figures > 0'\nown = { morale = 'shaken' }";
    let reached = rules("{ radius = 20, friends = true, cite = ['1'] }", "", blame);
    let mut reached = game(reached, &friend);
    assert_eq!(lost(&mut reached, &[4, 4, 4]), [1, 1, 0, 1]);
    let shaken: Vec<u8> = reached.battle.units.iter().map(|unit| unit.morale.byte()).collect();
    assert_eq!(shaken, [0, 0, 1, 1], "the gun, its friend, and the enemy");
}

#[test]
fn the_pack_says_who_fires_so() {
    let far = rules("{ radius = 3, when = 'distance > 9', cite = ['1'] }", "", "");
    // The near edge of the company is nine inches away.
    assert_eq!(lost(&mut game(far, &[]), &[4]), [1, 0, 0]);
    let near = rules("{ radius = 3, when = 'distance <= 9', cite = ['1'] }", "", "");
    assert_eq!(lost(&mut game(near, &[]), &[4, 4]), [1, 1, 0]);
}

/// A template of an inch that drifts as many inches as a die shows, in one of four directions.
const STRAYS: &str =
    "{ radius = 1, scatter = { dice = 'd6', inches = 1, directions = 4, cite = ['2'] }, cite = ['1'] }";

#[test]
fn the_shot_strays_as_the_dice_say() {
    let rules = rules(STRAYS, "", "");
    // The faces give the distance, the direction clockwise from straight on, and then a die for each company that is
    // touched.
    for (faces, expected, way) in [
        (&[3, 2, 4][..], [0, 1, 0], "drifts 3\", 90° to the right"),
        (&[2, 2, 4, 4], [1, 1, 0], "drifts 2\", 90° to the right"),
        (&[3, 4], [0, 0, 0], "drifts 3\", 270° to the right"),
        (&[2, 1, 4], [1, 0, 0], "drifts 2\", straight on"),
        (&[3, 1], [0, 0, 0], "drifts 3\", straight on"),
        (&[2, 3, 4], [1, 0, 0], "drifts 2\", 180° to the right"),
    ] {
        let mut game = game(rules, &[]);
        assert_eq!(lost(&mut game, faces), expected, "{faces:?}");
        game.saw("2");
        assert!(game.specials()[0].contains(way), "{faces:?}: {:?}", game.specials());
    }
}

/// The shot may land in 24 places. In 8 it touches the first company: one or two inches off in any direction. In 5 it
/// touches the second: two to six inches to the east. In one of these, two inches to the east, it touches both. Each
/// company touched loses a figure with a chance of 1/2: none is lost in 12 + 11/2 + 1/4 of 24, one in 11/2 + 1/2, and
/// two in 1/4.
#[test]
fn exact_and_sampled_odds_are_those_of_the_ground_that_is_covered() {
    let rules = rules(STRAYS, "", "");
    let gun = [unit("gun").at(0.0, 0.0).facing(0.0)];
    let mut plan = deployment(("fire", &gun), ("none", &[company(0.0, 10.0), company(4.0, 10.0)]));
    plan.turns = 1;
    let setup = deploy(rules, &plan).expect("it can be deployed");
    hold_in("a shot at two", rules, &setup, &to_the_enemy([(0, 71), (1, 24), (2, 1)]));
}

#[test]
fn every_bad_value_is_one_fault_with_its_place() {
    let strays = |scatter: &str| format!("{{ radius = 1, scatter = {{ {scatter}, cite = ['2'] }}, cite = ['1'] }}");
    for (template, message) in [
        ("{ radius = 0, cite = ['1'] }".to_owned(), "give more than 0 inches"),
        ("{ radius = -1, cite = ['1'] }".to_owned(), "-1"),
        ("{ radius = 1, when = 'foe.fig > 3', cite = ['1'] }".to_owned(), "foe.fig"),
        ("{ radius = 1, friends = 3, cite = ['1'] }".to_owned(), "friends"),
        ("{ radius = 1, cite = ['9'] }".to_owned(), "`9`"),
        ("{ radius = 1 }".to_owned(), "cite"),
        (strays("dice = 'd6', inches = 0, directions = 4"), "omit `scatter`"),
        (strays("dice = '6d', inches = 1, directions = 4"), "6d"),
        (strays("dice = 'd6', inches = 1, directions = 1"), "directions"),
        (strays("dice = 'd6', directions = 4"), "add `inches`"),
        (strays("dice = 'd6', inches = 1"), "add `directions`"),
    ] {
        let Err((count, faults)) = compiled(&template, "", "") else { panic!("{template} compiles") };
        assert_eq!(count, 1, "{template}:\n{faults}");
        assert!(faults.contains(message), "{template}:\n{faults}");
        let line = GUNS.lines().position(|line| line.starts_with("template")).expect("it is there") + 1;
        assert!(faults.contains(&format!("guns.toml:{line}:")), "{template}:\n{faults}");
    }
    let mut sources = Sources::new();
    let text = GUNS.replace("TEMPLATE", "{ radius = 1, cite = ['1'] }").replace("OWN", "");
    let file = sources.add("guns.toml", text.replace("\"fire\"\nroll", "\"test\"\nroll"));
    let faults = Document::parse(file, &sources).and_then(|document| compile(&document, &sources)).err();
    let faults = faults.expect("a test has no template").render(&sources, false);
    assert!(faults.contains("only a `fire` phase on a `plane` or `hex` board can have a template"), "{faults}");
}
