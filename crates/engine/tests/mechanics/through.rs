//! A shot that passes through its target also hits the units behind it.

use grognard_engine::{Flags, Side, deploy};
use grognard_rules::model::Rules;

use super::one_roll::{hold_in, to_the_enemy};
use super::template::{GUNS, company};
use super::template_on_hexes;
use crate::common::{Game, Men, assert_one_fault, block_of, compiled, deployment, unit};

/// A roll for the units behind, which needs a 6, and terrain that blocks sight.
const MORE: &str = "
[roll.bounding]
title = 'bounding'
mechanic = 'pool'
own = { dice = 'd6', need = 6 }
result = [{ id = 'hit', when = 'hits > 0', foe = { lose = 1 } }, { id = 'miss' }]

[ground.wood]
title = 'wood'
blocks-sight = true
";

/// The pack of the guns, with shots that pass through.
fn pack(through: &str, own: &str) -> String {
    let text = GUNS.replace("template = TEMPLATE", &format!("through = {through}")).replace("OWN", own);
    format!("{text}\n{MORE}")
}

fn rules(through: &str) -> &'static Rules {
    compiled("guns.toml", pack(through, "")).unwrap_or_else(|(_, faults)| panic!("{faults}"))
}

/// A gun in the middle of the table that fires north.
fn gun() -> Men {
    unit("gun").at(0.0, 0.0).facing(0.0)
}

/// The losses of companies with their centres at these points, and of the gun, after a fire phase with these faces.
fn lost(rules: &'static Rules, foes: &[(f64, f64)], faces: &[i32]) -> Vec<u16> {
    let foes: Vec<Men> = foes.iter().map(|&(east, north)| company(east, north)).collect();
    losses(&mut Game::under(rules, ("fire", &[gun()]), ("none", &foes)), faces)
}

/// The losses of the enemy units and of the gun's side, after a fire phase with these faces.
fn losses(game: &mut Game, faces: &[i32]) -> Vec<u16> {
    game.phase("fire", faces);
    let units = &game.battle.units;
    let first = usize::from(game.battle.places.of(Side::First).end);
    units[first..].iter().chain(&units[1..first]).map(|unit| unit.start - unit.figures).collect()
}

#[test]
fn every_enemy_in_the_line_behind_the_target_is_hit() {
    let rules = rules("{ cite = ['1'] }");
    let foes = [company(0.0, 18.0), company(0.0, 10.0), company(5.0, 14.0), company(0.0, 14.0)];
    let mut game = Game::under(rules, ("fire", &[gun()]), ("none", &foes));
    // The dice are for the target and then for those behind it, nearest first. The company beside the line gets no die.
    assert_eq!(losses(&mut game, &[4, 3, 4]), [1, 1, 0, 0]);
    game.saw("1");
    assert_eq!(
        game.specials(),
        ["The shot of Gun (first) goes through Company (second 2) into Company (second 4) and Company (second 1)."]
    );
    let mut alone = Game::under(rules, ("fire", &[gun()]), ("none", &[company(0.0, 10.0), company(5.0, 14.0)]));
    assert_eq!(losses(&mut alone, &[4]), [1, 0]);
    assert!(alone.specials().is_empty(), "{:?}", alone.specials());
}

#[test]
fn a_unit_is_hit_if_the_line_crosses_its_ground() {
    let rules = rules("{ cite = ['1'] }");
    // A company is two inches wide, and the line runs due north.
    assert_eq!(lost(rules, &[(0.0, 10.0), (0.99, 14.0)], &[4, 4]), [1, 1]);
    assert_eq!(lost(rules, &[(0.0, 10.0), (1.0, 14.0)], &[4]), [1, 0]);
}

#[test]
fn the_shot_ends_at_the_range_of_the_unit() {
    let rules = rules("{ cite = ['1'] }");
    // The range is thirty inches; the near edge of a company is an inch in front of its middle.
    assert_eq!(lost(rules, &[(0.0, 10.0), (0.0, 30.99)], &[4, 4]), [1, 1]);
    assert_eq!(lost(rules, &[(0.0, 10.0), (0.0, 31.0)], &[4]), [1, 0]);
    // The near edge of the target is in range but its middle is not, so the shot does not go on.
    assert_eq!(lost(rules, &[(0.0, 30.5), (0.0, 33.0)], &[4]), [1, 0]);
}

#[test]
fn the_pack_says_how_far_beyond_the_target_it_goes() {
    // The distance is measured from the middle of the target, at ten inches, to the near edge of the next company, at
    // thirteen.
    assert_eq!(lost(rules("{ beyond = 3.01, cite = ['1'] }"), &[(0.0, 10.0), (0.0, 14.0)], &[4, 4]), [1, 1]);
    assert_eq!(lost(rules("{ beyond = 3, cite = ['1'] }"), &[(0.0, 10.0), (0.0, 14.0)], &[4]), [1, 0]);
    // The shot still goes no farther than its range.
    assert_eq!(lost(rules("{ beyond = 30, cite = ['1'] }"), &[(0.0, 10.0), (0.0, 31.0)], &[4]), [1, 0]);
}

#[test]
fn the_pack_says_how_many_it_hits_and_with_which_roll() {
    let foes = [(0.0, 10.0), (0.0, 14.0), (0.0, 18.0)];
    assert_eq!(lost(rules("{ most = 1, cite = ['1'] }"), &foes, &[4, 4]), [1, 1, 0]);
    assert_eq!(lost(rules("{ most = 2, cite = ['1'] }"), &foes, &[4, 4, 4]), [1, 1, 1]);
    assert_eq!(lost(rules("{ roll = 'bounding', cite = ['1'] }"), &foes, &[4, 5, 6]), [1, 0, 1]);
}

#[test]
fn the_pack_says_which_shots_go_on() {
    // The near edge of the target is nine inches away.
    let foes = [(0.0, 10.0), (0.0, 14.0)];
    assert_eq!(lost(rules("{ when = 'distance > 9', cite = ['1'] }"), &foes, &[4]), [1, 0]);
    assert_eq!(lost(rules("{ when = 'distance <= 9', cite = ['1'] }"), &foes, &[4, 4]), [1, 1]);
    // A shot with a template does not go on.
    let both = "{ cite = ['1'] }\ntemplate = { radius = 1, when = 'distance > WHERE', cite = ['2'] }";
    assert_eq!(lost(rules(&both.replace("WHERE", "8")), &foes, &[4]), [1, 0]);
    assert_eq!(lost(rules(&both.replace("WHERE", "9")), &foes, &[4, 4]), [1, 1]);
}

#[test]
fn friends_behind_the_target_are_hit_where_the_pack_says_so() {
    let own = [gun(), company(0.0, 14.0)];
    let game = |rules| Game::under(rules, ("fire", &own), ("none", &[company(0.0, 10.0), company(0.0, 18.0)]));
    assert_eq!(losses(&mut game(rules("{ cite = ['1'] }")), &[4, 4]), [1, 1, 0]);
    assert_eq!(losses(&mut game(rules("{ friends = true, cite = ['1'] }")), &[4, 4, 3]), [1, 0, 1]);
}

#[test]
fn no_roll_depends_on_the_result_of_another() {
    // A hit shakes the gun, which then needs a 7, but the rest of this shot counts in full.
    let text = pack("{ cite = ['1'] }", "own = { morale = 'shaken' }");
    let rules = compiled("guns.toml", text).expect("it compiles");
    assert_eq!(lost(rules, &[(0.0, 10.0), (0.0, 14.0)], &[4, 4]), [1, 1]);
}

#[test]
fn ground_that_hides_a_unit_protects_it() {
    let rules = rules("{ cite = ['1'] }");
    let foes = [company(0.0, 10.0), company(0.0, 18.0)];
    for (east, faces) in [(0.0, &[4][..]), (8.0, &[4, 4])] {
        let wood = [block_of("wood", (east, 14.0), (4.0, 2.0))];
        let mut game = Game::over(rules, &wood, ("fire", &[gun()]), ("none", &foes));
        assert_eq!(losses(&mut game, faces), [1, faces.len() as u16 - 1]);
    }
}

/// The target loses a figure on a 4 or more, and the company behind it on a 6: none is lost with a chance of 1/2 * 5/6,
/// both with 1/2 * 1/6.
#[test]
fn exact_and_sampled_odds_are_those_of_a_roll_for_each() {
    let rules = rules("{ roll = 'bounding', cite = ['1'] }");
    let mut plan = deployment(("fire", &[gun()]), ("none", &[company(0.0, 10.0), company(0.0, 14.0)]));
    plan.turns = 1;
    let setup = deploy(rules, &plan).expect("it can be deployed");
    hold_in("a shot at two", rules, &setup, &to_the_enemy([(0, 5), (1, 6), (2, 1)]));
}

#[test]
fn every_bad_value_is_one_fault_with_its_place() {
    for (through, said) in [
        ("{ beyond = 0, cite = ['1'] }", "a shot that goes no farther than its target hits no other unit"),
        ("{ most = 0, cite = ['1'] }", "most"),
        ("{ roll = 'bouncing', cite = ['1'] }", "bounding"),
        ("{ when = 'foe.fig > 3', cite = ['1'] }", "foe.fig"),
        ("{ friends = 3, cite = ['1'] }", "friends"),
        ("{ cite = ['9'] }", "`9`"),
        ("{ beyond = 3 }", "cite"),
    ] {
        assert_one_fault("guns.toml", &pack(through, ""), &[said], "through = ");
    }
    let text = pack("{ cite = ['1'] }", "").replace("\"fire\"\nroll", "\"test\"\nroll");
    let text = text.replace("row = [{ id = \"fire\", phase = \"fire\", do = \"fire\" }]", "row = []");
    let said = "only shots of a `fire` phase on a `plane` or `hex` board go through their target";
    assert_one_fault("guns.toml", &text, &[said], "through = ");
    let half = template_on_hexes::GUNS.replace("template = TEMPLATE", "through = { beyond = 1.5, cite = ['1'] }");
    assert_one_fault("guns.toml", &half, &["give a whole number of hexes"], "through = ");
}

/// The losses on hexes, with a gun at the western edge and companies in these hexes. The gun fires at the nearest.
fn lost_on_hexes(through: &str, foes: &[(i32, i32)], faces: &[i32]) -> Vec<u16> {
    let text = template_on_hexes::GUNS.replace("template = TEMPLATE", &format!("through = {through}"));
    let rules = compiled("guns.toml", text).unwrap_or_else(|(_, faults)| panic!("{faults}"));
    let foes: Vec<Men> = foes.iter().map(|&(q, r)| template_on_hexes::at("company", q, r)).collect();
    let mut game = Game::under(rules, ("fire", &[template_on_hexes::at("gun", -4, 0)]), ("none", &foes));
    losses(game.phase("command", &[]), faces)
}

#[test]
fn on_hexes_the_line_leads_through_the_hex_of_the_target() {
    let through = "{ cite = ['1'] }";
    assert_eq!(lost_on_hexes(through, &[(-1, 0), (1, 0), (3, 0)], &[4, 3, 4]), [1, 0, 1]);
    // The line to (2, 1) runs through the hex of the target; the line to (-1, 2), which is beside it, does not.
    assert_eq!(lost_on_hexes(through, &[(-1, 0), (2, 1)], &[4, 4]), [1, 1]);
    assert_eq!(lost_on_hexes(through, &[(-1, 0), (-1, 2)], &[4]), [1, 0]);
    // A line along a side of the target's hex does not run through it.
    assert_eq!(lost_on_hexes(through, &[(-3, 1), (-2, 2)], &[4, 4]), [1, 1]);
    assert_eq!(lost_on_hexes(through, &[(-2, 0), (-2, 1)], &[4]), [1, 0]);
}

#[test]
fn on_hexes_the_shot_ends_at_the_range_and_as_far_beyond_as_the_pack_says() {
    // The range is eight hexes.
    assert_eq!(lost_on_hexes("{ cite = ['1'] }", &[(0, 0), (4, 0)], &[4, 4]), [1, 1]);
    for (range, faces) in [(8, &[4, 4][..]), (7, &[4])] {
        let text = template_on_hexes::GUNS.replace("template = TEMPLATE", "through = { cite = ['1'] }");
        let text = text.replace("? 8 : 0", &format!("? {range} : 0"));
        let rules = compiled("guns.toml", text).expect("it compiles");
        let foes = [0, 4].map(|q| template_on_hexes::at("company", q, 0));
        let mut game = Game::under(rules, ("fire", &[template_on_hexes::at("gun", -4, 0)]), ("none", &foes));
        assert_eq!(losses(game.phase("command", &[]), faces), [1, faces.len() as u16 - 1], "{range}");
    }
    assert_eq!(lost_on_hexes("{ beyond = 2, cite = ['1'] }", &[(0, 0), (2, 0)], &[4, 4]), [1, 1]);
    assert_eq!(lost_on_hexes("{ beyond = 1, cite = ['1'] }", &[(0, 0), (2, 0)], &[4]), [1, 0]);
    assert_eq!(lost_on_hexes("{ most = 1, cite = ['1'] }", &[(0, 0), (1, 0), (2, 0)], &[4, 4]), [1, 1, 0]);
}

/// Behind a target, a shot hits friends only if the pack says so. It never hits units that are gone, or a leader apart
/// from his unit.
#[test]
fn on_hexes_the_shot_hits_what_the_pack_says() {
    let at = template_on_hexes::at;
    let game = |through: &str| {
        let text = template_on_hexes::GUNS.replace("template = TEMPLATE", &format!("through = {through}"));
        let rules = compiled("guns.toml", text).unwrap_or_else(|(_, faults)| panic!("{faults}"));
        let own = [at("gun", -4, 0), at("company", 1, 0)];
        let foes = [at("company", 0, 0), at("company", 2, 0), at("general", 2, 0), at("company", 3, 0)];
        Game::under(rules, ("fire", &own), ("none", &foes))
    };
    let mut spared = game("{ cite = ['1'] }");
    assert_eq!(losses(spared.phase("command", &[]), &[4; 3]), [1, 1, 0, 1, 0]);
    let mut struck = game("{ friends = true, cite = ['1'] }");
    assert_eq!(losses(struck.phase("command", &[]), &[4; 4]), [1, 1, 0, 1, 1]);
    let mut fewer = game("{ cite = ['1'] }");
    fewer.unit_mut(Side::Second, 3).flags = Flags::GONE;
    assert_eq!(losses(fewer.phase("command", &[]), &[4; 2]), [1, 1, 0, 0, 0]);
}

#[test]
fn on_hexes_ground_that_blocks_sight_stops_the_shot() {
    let terrain = "rows = 9, terrain = { hill = { title = 'hill', at = ['1,0'], blocks = true, cite = ['1'] } } }";
    let text = template_on_hexes::GUNS.replace("template = TEMPLATE", "through = { cite = ['1'] }");
    let rules =
        compiled("guns.toml", text.replace("rows = 9 }", terrain)).unwrap_or_else(|(_, faults)| panic!("{faults}"));
    let foes = [0, 2].map(|q| template_on_hexes::at("company", q, 0));
    let mut game = Game::under(rules, ("fire", &[template_on_hexes::at("gun", -4, 0)]), ("none", &foes));
    assert_eq!(losses(game.phase("command", &[]), &[4]), [1, 0]);
}
