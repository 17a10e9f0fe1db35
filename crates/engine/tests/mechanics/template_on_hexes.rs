//! On hexes, one shot hits every unit in a hex and in those around it, and may drift from the hex aimed at.

use grognard_engine::{Side, deploy};
use grognard_rules::model::Rules;

use super::one_roll::{hold_in, to_the_enemy};
use crate::common::{Game, Men, assert_one_fault, compiled, deployment, unit};

/// A gun whose shell takes a block on a die of 4 or more. It is aimed at the nearest unit of foot.
pub(super) const GUNS: &str = r#"
pack = "guns"
title = "Guns on hexes"
version = "1"
board = "hex"
arms = ["guns", "foot", "leader"]
hex = { columns = 9, rows = 9 }
activation = { orders = 20 }

[morale]
state = [{ id = "good" }]

[unit.gun]
title = "Gun"
arm = "guns"
figures = 4

[unit.company]
title = "Company"
arm = "foot"
figures = 4

[unit.general]
title = "General"
arm = "leader"
figures = 1
leader = true

[die.drift]
faces = [0, 1, 2]

[roll.shell]
title = "shell"
mechanic = "pool"
own = { dice = "d6", need = 4 }

[[roll.shell.result]]
id = "hit"
when = "hits > 0"
foe = { lose = 1 }

[[roll.shell.result]]
id = "miss"

[[phase]]
id = "command"
title = "Command"
mechanism = "command"

[[phase]]
id = "fire"
title = "Fire"
mechanism = "fire"
roll = "shell"
half = "first"
template = TEMPLATE

[[provision]]
id = "range"
does = "range"
amount = "self.arm == 'guns' && foe.arm == 'foot' ? 8 : 0"
cite = ['1']

[[provision]]
id = "flight"
does = "leader-flight"
amount = 2
cite = ['1']

[[provision]]
id = "retreat"
does = "retreat"
amount = 1
cite = ['1']

[[provision]]
id = "blocked"
does = "blocked"
amount = 1
cite = ['1']

[doctrine.fire]
title = "fires at the nearest"
row = [
  { id = "nearest", phase = "fire", when = "distance < 5", do = "fire" },
  { id = "fire", phase = "fire", do = "fire" },
]

[doctrine.none]
title = "does nothing"
row = []

[victory]
broken = 100

[[clause]]
id = "1"
text = "A shell hits all in the hexes that it covers."

[[clause]]
id = "2"
text = "A shell strays."
"#;

fn rules(template: &str) -> &'static Rules {
    rules_with(template, "foe = { lose = 1 }")
}

/// The pack with this template and these effects of a hit.
fn rules_with(template: &str, hit: &str) -> &'static Rules {
    let text = GUNS.replace("TEMPLATE", template).replace("foe = { lose = 1 }", hit);
    compiled("guns.toml", text).unwrap_or_else(|(_, faults)| panic!("{faults}"))
}

/// A unit in a hex.
pub(super) fn at(kind: &str, q: i32, r: i32) -> Men {
    unit(kind).at(q.into(), r.into())
}

/// A gun, and three companies in a row to its east, four, five and six hexes away.
fn game(rules: &'static Rules, friends: &[Men]) -> Game {
    let own = [&[at("gun", -4, 0)], friends].concat();
    Game::under(rules, ("fire", &own), ("none", &[0, 1, 2].map(|q| at("company", q, 0))))
}

/// The losses of the enemy companies and of the gun's side, after a fire phase with these faces.
fn lost(game: &mut Game, faces: &[i32]) -> Vec<u16> {
    game.phase("command", &[]).phase("fire", faces);
    let units = &game.battle.units;
    let first = usize::from(game.battle.places.of(Side::First).end);
    units[first..].iter().chain(&units[..first]).map(|unit| unit.start - unit.figures).collect()
}

/// The hexes of the enemy units, and those of the gun's side.
fn places(game: &Game) -> Vec<(i32, i32)> {
    let units = &game.battle.units;
    let first = usize::from(game.battle.places.of(Side::First).end);
    units[first..].iter().chain(&units[..first]).map(|unit| (unit.front.x, unit.front.y)).collect()
}

#[test]
fn one_shot_hits_every_enemy_within_its_radius_in_hexes() {
    let mut wide = game(rules("{ radius = 1, cite = ['1'] }"), &[]);
    assert_eq!(lost(&mut wide, &[4, 3]), [1, 0, 0, 0], "a die for each");
    wide.saw("1");
    assert_eq!(
        wide.specials(),
        ["The shot of Gun (first) at Company (second 1) covers Company (second 1) and Company (second 2)."]
    );
    let mut both = game(rules("{ radius = 1, cite = ['1'] }"), &[]);
    assert_eq!(lost(&mut both, &[4, 6]), [1, 1, 0, 0]);
    let mut wider = game(rules("{ radius = 2, cite = ['1'] }"), &[]);
    assert_eq!(lost(&mut wider, &[4, 1, 4]), [1, 0, 1, 0]);
    let mut one = game(rules("{ radius = 0, cite = ['1'] }"), &[]);
    assert_eq!(lost(&mut one, &[4]), [1, 0, 0, 0]);
}

#[test]
fn the_pack_says_who_fires_so() {
    // The nearest company is four hexes away.
    let far = rules("{ radius = 1, when = 'distance > 4', cite = ['1'] }");
    assert_eq!(lost(&mut game(far, &[]), &[4]), [1, 0, 0, 0]);
    let near = rules("{ radius = 1, when = 'distance <= 4', cite = ['1'] }");
    assert_eq!(lost(&mut game(near, &[]), &[4, 4]), [1, 1, 0, 0]);
}

#[test]
fn friends_are_hit_where_the_pack_says_so_and_the_gun_never() {
    let friend = [at("company", -1, 1)];
    let spared = rules("{ radius = 4, cite = ['1'] }");
    assert_eq!(lost(&mut game(spared, &friend), &[4, 4, 4]), [1, 1, 1, 0, 0]);
    let reached = rules("{ radius = 4, friends = true, cite = ['1'] }");
    assert_eq!(lost(&mut game(reached, &friend), &[4, 4, 4, 4]), [1, 1, 1, 0, 1]);
}

#[test]
fn no_roll_depends_on_the_result_of_another() {
    // A flag drives each enemy back one hex, to the north. The friend falls back to the south.
    let rules = rules_with("{ radius = 1, friends = true, cite = ['1'] }", "foe = { lose = 1, score = { flags = 1 } }");
    let mut game = game(rules, &[at("company", -1, 1)]);
    assert_eq!(lost(&mut game, &[4, 4, 4]), [1, 1, 0, 0, 1]);
    assert_eq!(places(&game), [(0, -1), (1, -1), (2, 0), (-4, 0), (-1, 2)]);
}

#[test]
fn a_leader_is_hit_alone_or_with_his_unit() {
    let rules = rules("{ radius = 1, cite = ['1'] }");
    let foes = [at("company", 0, 0), at("general", 0, 0), at("general", 1, 0)];
    let mut game = Game::under(rules, ("fire", &[at("gun", -4, 0)]), ("none", &foes));
    assert_eq!(lost(&mut game, &[4, 3]), [1, 0, 0, 0]);
    assert_eq!(
        game.specials(),
        ["The shot of Gun (first) at Company (second 1) covers Company (second 1) and General (second 3)."]
    );
    // A lone leader who survives flees two hexes, towards his own side.
    assert_eq!(places(&game), [(0, 0), (0, 0), (1, -2), (-4, 0)]);
}

#[test]
fn results_end_with_the_loss_that_decides_the_battle() {
    // The result for the farther of the two is applied first.
    let foes = [0, 1].map(|q| at("company", q, 0).figures(1));
    for (banners, expected) in [("banners = 2", [1, 1, 0]), ("banners = 1", [0, 1, 0])] {
        let text = GUNS.replace("TEMPLATE", "{ radius = 1, cite = ['1'] }");
        let rules = compiled("guns.toml", text.replace("broken = 100", &format!("broken = 100\n{banners}")))
            .expect("it compiles");
        let mut game = Game::under(rules, ("fire", &[at("gun", -4, 0)]), ("none", &foes));
        assert_eq!(lost(&mut game, &[4, 4]), expected, "{banners}");
    }
    // An enemy's result is applied before a friend's, even if the friend is farther away.
    let text = GUNS.replace("TEMPLATE", "{ radius = 1, friends = true, cite = ['1'] }");
    let rules = compiled("guns.toml", text.replace("broken = 100", "broken = 100\nbanners = 1")).expect("it compiles");
    let own = [at("gun", -4, 0), at("company", 1, 0).figures(1)];
    let mut game = Game::under(rules, ("fire", &own), ("none", &foes[..1]));
    assert_eq!(lost(&mut game, &[4, 4]), [1, 0, 0]);
}

/// A shell that covers one hex and drifts by up to two hexes.
const STRAYS: &str = "{ radius = 0, scatter = { dice = 'drift', cite = ['2'] }, cite = ['1'] }";

#[test]
fn the_shot_strays_by_hexes_as_the_dice_say() {
    let rules = rules(STRAYS);
    // The faces give the side of the die that shows 0, 1 or 2 hexes, the direction clockwise from straight on, and then
    // a die for each company.
    for (faces, expected, way) in [
        (&[2, 1, 4][..], [0, 1, 0, 0], "drifts 1 hex, straight on"),
        (&[3, 1, 4], [0, 0, 1, 0], "drifts 2 hexes, straight on"),
        (&[1, 3, 4], [1, 0, 0, 0], "does not drift."),
        (&[2, 2], [0, 0, 0, 0], "drifts 1 hex, 60° to the right"),
        (&[2, 4], [0, 0, 0, 0], "drifts 1 hex, 180° to the right"),
    ] {
        let mut game = game(rules, &[]);
        assert_eq!(lost(&mut game, faces), expected, "{faces:?}");
        game.saw("2");
        assert!(game.specials()[0].contains(way), "{faces:?}: {:?}", game.specials());
    }
}

#[test]
fn directions_follow_clockwise_from_the_one_nearest_to_the_line_of_fire() {
    let rules = rules(STRAYS);
    // East, south-east, south-west, west, north-west, north-east: the hexes around (0, 0) clockwise.
    let around = [(1, 0), (0, 1), (-1, 1), (-1, 0), (0, -1), (1, -1)];
    for (gun, straight_on) in [
        ((-4, 0), 0),
        ((-3, -1), 0),
        ((-1, -3), 1),
        // The line runs between two directions. The one to its right is the first.
        ((-2, -2), 1),
        ((2, -4), 2),
        ((4, 0), 3),
        ((-2, 4), 5),
    ] {
        // A 4 is left out: the shot would fall short, in a hex where a general would be in its way.
        for die in [1, 2, 3, 5, 6] {
            let (q, r) = around[(straight_on + die - 1) % 6];
            let foes = [at("company", 0, 0), at("general", q, r)];
            let mut game = Game::under(rules, ("fire", &[at("gun", gun.0, gun.1)]), ("none", &foes));
            game.phase("command", &[]).phase("fire", &[2, die as i32, 1]);
            let covered = game.specials()[1].ends_with("covers General (second 2).");
            assert!(covered, "from {gun:?}, {die}: {:?}", game.specials());
        }
    }
}

#[test]
fn a_shot_beyond_the_edge_still_hits_what_its_radius_covers() {
    let rules = rules("{ radius = 1, scatter = { dice = 'drift', cite = ['2'] }, cite = ['1'] }");
    // The last hex of the middle row is four hexes east of the middle.
    for (faces, expected) in [(&[2, 1, 4][..], 1), (&[3, 1], 0)] {
        let mut game = Game::under(rules, ("fire", &[at("gun", 0, 0)]), ("none", &[at("company", 4, 0)]));
        assert_eq!(lost(&mut game, faces), [expected, 0], "{faces:?}");
    }
}

/// Two companies side by side, and a shell of radius 1 that drifts 0, 1 or 2 hexes in each of six directions. Of the 18
/// results, 12 cover the target (0 or 1 hex off). Its neighbour to the east is covered in 6 with 0 hexes, in 3 with 1
/// hex (east, north-east and south-east), and in 1 with 2 hexes (east). So both are covered in 9, the target alone in
/// 3, the neighbour alone in 1, and neither in 5. With a chance of 1/2 for each, none is lost in 5 + 4/2 + 9/4 of 18,
/// one in 4/2 + 9/2, and two in 9/4.
#[test]
fn exact_and_sampled_odds_are_those_of_the_hexes_that_are_covered() {
    let rules = rules("{ radius = 1, scatter = { dice = 'drift', cite = ['2'] }, cite = ['1'] }");
    let foes = [0, 1].map(|q| at("company", q, 0));
    let mut plan = deployment(("fire", &[at("gun", -4, 0)]), ("none", &foes));
    plan.turns = 1;
    let setup = deploy(rules, &plan).expect("it can be deployed");
    hold_in("a shot at two", rules, &setup, &to_the_enemy([(0, 37), (1, 26), (2, 9)]));
}

#[test]
fn every_bad_value_is_one_fault_with_its_place() {
    let strays = |scatter: &str| format!("{{ radius = 1, scatter = {{ {scatter}, cite = ['2'] }}, cite = ['1'] }}");
    for (template, said) in [
        ("{ radius = 0.5, cite = ['1'] }".to_owned(), "give a whole number of hexes; 0 is a single hex"),
        (strays("dice = 'd6', inches = 1"), "omit `inches`: each point on the dice is a hex"),
        (strays("dice = 'd6', directions = 6"), "omit `directions`"),
    ] {
        assert_one_fault("guns.toml", &GUNS.replace("TEMPLATE", &template), &[said], "template = ");
    }
}

/// Only these effects of a shot on hexes are applied: lost figures, hits, flags and removal, all on its target, and the
/// counters of both units.
#[test]
fn other_effects_of_a_shot_on_hexes_are_refused() {
    let text = GUNS.replace("TEMPLATE", "{ radius = 1, cite = ['1'] }");
    for (hit, key) in [
        ("foe = { lose = 1, morale = 'good' }", "foe.morale"),
        ("foe = { worsen = 1 }", "foe.worsen"),
        ("foe = { retreat = 2 }", "foe.retreat"),
        ("foe = { lose = 1, flee = true }", "foe.flee"),
        ("own = { lose = 1 }", "own.lose"),
        ("own = { score = { flags = 1 } }", "own.score"),
    ] {
        let said = format!("`{key}` is not supported by fire on a `hex` board");
        let text = text.replace("foe = { lose = 1 }", hit);
        let help = match key {
            "foe.retreat" | "foe.flee" => "on hexes, flags make units fall back",
            _ => {
                "give the result `foe.lose`, `foe.score`, `foe.destroy`, `foe.add`, `foe.set`, `foe.sets-off`, `own.add`, `own.set`, \
                 `own.sets-off` only"
            }
        };
        assert_one_fault("guns.toml", &text, &[&said, help], hit);
    }
    for hit in ["foe = { lose = 1 }", "foe = { destroy = true }", "foe = { lose = 1, score = { flags = 1 } }"] {
        assert!(compiled("guns.toml", text.replace("foe = { lose = 1 }", hit)).is_ok(), "{hit}");
    }
}
