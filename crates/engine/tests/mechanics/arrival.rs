//! Arrivals: reserves and flank marches that come onto the table in a given turn or by a roll.

use grognard_dice::SeededDice;
use grognard_engine::{Deployment, Flags, Narrator, Side, deploy, fight};
use grognard_rules::model::Rules;

use super::chances::{Chances, certain, die, many, then, weights};
use super::one_roll::{SAMPLED, exact, sampled};
use crate::common::{Game, Men, agree, deployment, load, unit};

/// Squads that roll a die each turn: on a 4 or more, the nearest enemy loses a figure.
pub(super) const SQUADS: &str = r#"
pack = "relief"
title = "Relief"
version = "1"
BOARD
arms = ["foot"]

[morale]
state = [{ id = "good" }, { id = "broken", broken = true }]

[unit.squad]
title = "Squad"
arm = "foot"
figures = 4
PLACE

[unit.fort]
title = "Fort"
arm = "foot"
figures = 20
PLACE

[roll.fire]
title = "fire"
mechanic = "pool"
own = { dice = "d6", need = 4 }
result = [{ id = "hits", foe = { lose = "hits" } }]

[roll.relief]
title = "relief"
mechanic = "pool"
own = { dice = "d6", need = 4 }
modifier = [{ id = "late", when = "turn >= 4", add = 1, cite = ["3"] }]
result = [
  { id = "comes", when = "hits > 0", own = { lose = 1 }, cite = ["3"] },
  { id = "waits", cite = ["3"] },
]

[[phase]]
id = "fire"
title = "Fire"
PHASE

[doctrine.plain]
title = "as the rules say"
row = []

[victory]
broken = 100

[[clause]]
id = "1"
text = "Reserves arrive."

[[clause]]
id = "2"
text = "The last man has fallen."

[[clause]]
id = "3"
text = "Who arrives has marched all night."

"#;

/// Fire without a board, at any unit that is present.
pub(super) const FIRE: &str = "mechanism = 'exchange'\nroll = 'fire'";

/// Lines that make units roll for their arrival.
const ROLL: &str = "[arrival]\nroll = 'relief'\ncomes = ['comes']\ncite = ['1']\n";

/// Compiles the pack with this phase and more lines. If it has faults, returns their number and their text.
pub(super) fn compiled(phase: &str, more: &str) -> Result<&'static Rules, (usize, String)> {
    let text = SQUADS.replace("BOARD", "board = 'none'").replace("PLACE", "").replace("PHASE", phase) + more;
    compiled_of(text)
}

fn compiled_of(text: String) -> Result<&'static Rules, (usize, String)> {
    crate::common::compiled("relief.toml", text)
}

pub(super) fn rules(phase: &str, more: &str) -> &'static Rules {
    compiled(phase, more).unwrap_or_else(|(_, faults)| panic!("{faults}"))
}

/// The pack on a table of six feet by four, with units two inches square that do nothing.
pub(super) fn table(more: &str) -> &'static Rules {
    table_with(&[], more)
}

/// The pack on that table with these changes, each of which must apply.
pub(super) fn table_with(changes: &[(&str, &str)], more: &str) -> &'static Rules {
    let board =
        "board = 'plane'\ntable = { width = 72, depth = 48 }\narc = { angle = 45 }\nmovement = { narrow = 1, gap = 1 }";
    let line = "\n[formation.line]\ntitle = 'line'\narms = ['foot']\nlayout = { ranks = 2 }\nfacing = 'front'\n";
    let place = "width = 1\ndepth = 1\nformation = 'line'\nspeed = { line = 6 }";
    let text = SQUADS.replace("BOARD", board).replace("PLACE", place).replace("PHASE", "mechanism = 'move'");
    let text = changes.iter().fold(text + line, |text, (from, to)| {
        assert!(text.contains(from), "{from}");
        text.replace(from, to)
    });
    compiled_of(text + more).unwrap_or_else(|(_, faults)| panic!("{faults}"))
}

pub(super) fn plan(first: &[Men], second: &[Men], turns: u8) -> Deployment {
    Deployment { turns, ..deployment(("plain", first), ("plain", second)) }
}

/// Whether a unit of a side has yet to arrive.
pub(super) fn is_late(game: &Game, side: Side, number: usize) -> bool {
    game.unit(side, number).flags.has(Flags::LATE)
}

/// Checks the losses of a fort against expected chances, both exactly and by sampling.
#[track_caller]
pub(super) fn costs(rules: &Rules, own: &[Men], turns: u8, chances: &Chances<u16>) {
    let setup = deploy(rules, &plan(own, &[unit("fort")], turns)).expect("a siege");
    let found = exact(rules, &setup, |outcome| outcome.sides.second.losses);
    let expected = weights(chances);
    let total: u64 = expected.iter().map(|(_, weight)| weight).sum();
    let counts = sampled(rules, &setup, SAMPLED, |outcome| outcome.sides.second.losses);
    assert_eq!(found.keys().copied().collect::<Vec<_>>(), expected.iter().map(|(lost, _)| *lost).collect::<Vec<_>>());
    for (lost, weight) in expected {
        let chance = weight as f64 / total as f64;
        assert!((found[&lost] - chance).abs() < 1e-12, "{lost}: {} is not {chance}", found[&lost]);
        agree(&format!("{lost} lost"), counts.get(&lost).copied().unwrap_or(0), SAMPLED, chance);
    }
}

/// One squad fires in all three turns, and another only in the third.
#[test]
fn a_reserve_arrives_in_its_turn() {
    let hit = die(6, |face| certain(u16::from(face >= 4)));
    costs(rules(FIRE, ""), &[unit("squad"), unit("squad").arrives(3)], 3, &many(4, &hit));
    let mut game =
        Game::planned(rules(FIRE, ""), &plan(&[unit("squad"), unit("squad").arrives(3)], &[unit("fort")], 3));
    // Nor can an enemy shoot at it before it arrives.
    for (turn, faces) in [(1, &[1][..]), (2, &[1][..]), (3, &[1, 1][..])] {
        game.battle.turn = turn;
        assert!(is_late(&game, Side::First, 1));
        game.phase("fire", faces);
        game.phase_of(Side::Second, "fire", &[1]);
    }
    assert!(!is_late(&game, Side::First, 1));
}

/// From turn two, a reserve arrives on a four or more, so it fires in three turns, two, one or none.
#[test]
fn a_reserve_rolls_for_its_arrival() {
    let rules = rules(FIRE, ROLL);
    let hit = || die(6, |face| certain(u16::from(face >= 4)));
    // In turn four, the die has a bonus of one.
    fn shots(turn: u16) -> Chances<u16> {
        let need = if turn >= 4 { 3 } else { 4 };
        match turn {
            5 => certain(0),
            _ => die(6, move |face| if face >= need { certain(5 - turn) } else { shots(turn + 1) }),
        }
    }
    let lost = then(&shots(2), |&shots| many(4 + shots, &hit()));
    costs(rules, &[unit("squad"), unit("squad").arrives(2)], 4, &lost);
    for (turn, face, comes) in [(1, None, false), (2, Some(3), false), (2, Some(4), true), (4, Some(3), true)] {
        let plan = plan(&[unit("squad"), unit("squad").arrives(2)], &[unit("fort")], 4);
        let mut game = Game::planned(rules, &plan);
        game.battle.turn = turn;
        let shots = vec![1; if comes { 2 } else { 1 }];
        game.phase("fire", &[face.into_iter().collect(), shots].concat());
        assert_eq!(is_late(&game, Side::First, 1), !comes, "turn {turn}, {face:?}");
        // The effects of the result apply to the reserve.
        assert_eq!(game.nth(1).figures, if comes { 3 } else { 4 });
        if face.is_some() {
            game.saw("1");
            game.saw("3");
        }
    }
}

/// A side whose last unit on the table falls fights on while others are still to come, unless the pack says otherwise.
#[test]
fn a_side_with_reserves_is_not_beaten() {
    for (more, winner) in [("", None), ("[arrival]\ncounts = false\ncite = ['2']\n", Some(Side::Second))] {
        let plan = plan(&[unit("squad").figures(1), unit("squad").arrives(3)], &[unit("fort")], 8);
        let mut game = Game::planned(rules(FIRE, more), &plan);
        game.phase("fire", &[1]);
        game.phase_of(Side::Second, "fire", &[6]);
        assert_eq!(game.outcome.map(|outcome| outcome.winner), winner.map(Some), "{more}");
        if winner.is_none() {
            // There is no unit on the board to shoot at.
            game.battle.turn = 2;
            game.phase("fire", &[]);
            game.phase_of(Side::Second, "fire", &[]);
            game.battle.turn = 3;
            game.phase("fire", &[4]);
            assert_eq!(game.second().figures, 19);
        }
    }
}

/// A unit that never arrives is neither lost nor broken.
#[test]
fn who_never_arrives_is_no_loss() {
    let rules = rules(FIRE, &format!("{ROLL}counts = true\n"));
    let setup = deploy(rules, &plan(&[unit("squad"), unit("squad").arrives(2)], &[unit("fort")], 2)).expect("a setup");
    let found = exact(rules, &setup, |outcome| (outcome.sides.first.routed_units, outcome.sides.first.losses <= 3));
    assert_eq!(found.keys().collect::<Vec<_>>(), [&(0, true)]);
}

/// If everything is played in the first half of the turn, the reserves of both sides arrive at the start of the turn.
#[test]
fn equal_armies_arrive_alike() {
    let army = [unit("squad"), unit("squad").arrives(2)];
    let both = rules(&format!("{FIRE}\nby = 'both'\nhalf = 'first'\nsimultaneous = true"), "");
    let setup = deploy(both, &plan(&army, &army, 3)).expect("equal armies");
    let found = exact(both, &setup, |outcome| (outcome.sides.first.losses, outcome.sides.second.losses));
    for (&(first, second), chance) in &found {
        assert!((chance - found[&(second, first)]).abs() < 1e-12, "{first} to {second}");
    }
    let mut game = Game::planned(both, &plan(&army, &army, 3));
    game.battle.turn = 2;
    game.phase("fire", &[1, 1, 1, 1]);
    assert!(!is_late(&game, Side::Second, 1));
    // The same is true when units activate one at a time.
    let one = rules(FIRE, "[activation]\nalternate = { cite = ['1'] }\ncite = ['1']\n");
    let setup = deploy(one, &plan(&army, &army, 2)).expect("equal armies");
    let (mut narrator, mut dice) = (Narrator::new(), SeededDice::new(1815));
    fight(one, &setup, &mut dice, &mut narrator);
    let lines = narrator.lines();
    let turn = lines.iter().position(|line| line.starts_with("Turn 2")).expect("a second turn");
    let arrivals = |lines: &[String]| lines.iter().filter(|line| line.contains("comes onto the table")).count();
    assert_eq!((arrivals(lines), arrivals(&lines[turn..turn + 3])), (2, 2), "{lines:#?}");
}

#[test]
fn a_taken_place_is_waited_for() {
    let own = [unit("squad").at(0.0, -20.0).facing(0.0), unit("squad").at(0.5, -20.0).facing(0.0).arrives(2)];
    let foe = [unit("fort").at(0.0, 20.0).facing(180.0)];
    let mut game = Game::planned(table(""), &plan(&own, &foe, 4));
    game.battle.turn = 2;
    game.phase("fire", &[]);
    assert!(is_late(&game, Side::First, 1));
    game.unit_mut(Side::First, 0).front.y += 210;
    game.battle.turn = 3;
    game.phase("fire", &[]);
    assert!(!is_late(&game, Side::First, 1));
    assert_eq!((game.nth(1).front.x, game.nth(1).front.y), (50, -2000));
}

/// Two reserves compete for one place: the order of the list does not decide which comes first.
#[test]
fn the_order_of_the_list_decides_nothing() {
    let at = |kind: &str| unit(kind).at(0.0, -20.0).facing(0.0).arrives(2);
    let guard = unit("squad").at(20.0, -20.0).facing(0.0);
    let foe = [unit("fort").at(0.0, 20.0).facing(180.0)];
    for [first, second] in [["squad", "fort"], ["fort", "squad"]] {
        let own = [guard.clone(), at(first), at(second)];
        let mut game = Game::planned(table(""), &plan(&own, &foe, 4));
        game.battle.turn = 2;
        game.phase("fire", &[]);
        let fort = [1, 2].into_iter().find(|&number| game.nth(number).start == 20).expect("a fort");
        assert!(!is_late(&game, Side::First, fort), "{first}, {second}");
        assert!(is_late(&game, Side::First, 3 - fort), "{first}, {second}");
    }
}

/// A flank march arrives at the edge that the roll gives, with its back to the edge and as close to its planned
/// position as space allows.
#[test]
fn flank_marches_arrive_at_an_edge() {
    let arrival = |edge: &str| {
        let edge =
            format!("[arrival]\nroll = 'relief'\ncomes = ['comes']\nedge = {{ comes = '{edge}' }}\ncite = ['1']\n");
        table(&edge)
    };
    // The middle of the front and the heading, for the first side. For the second, everything is rotated by 180°.
    for (edge, at, heading) in [
        ("left", (-3400, -2000), 900),
        ("right", (3400, -2000), 2700),
        ("own", (1000, -2200), 0),
        ("enemy", (1000, 2200), 1800),
    ] {
        let sides = [(Side::First, 1.0, 0.0), (Side::Second, -1.0, 180.0)];
        for (side, turned, facing) in sides {
            let place = |east: f64, north: f64| unit("squad").at(turned * east, turned * north).facing(facing);
            let army = [place(0.0, -20.0), place(10.0, -20.0).arrives(2)];
            let foe = [unit("squad").at(0.0, turned * 20.0).facing(180.0 - facing)];
            let armies = if side == Side::First { (&army[..], &foe[..]) } else { (&foe[..], &army[..]) };
            let mut game = Game::planned(arrival(edge), &plan(armies.0, armies.1, 4));
            game.battle.turn = 2;
            game.phase_of(side, "fire", &[6]);
            let found = game.unit(side, 1);
            let there = (f64::from(at.0) * turned, f64::from(at.1) * turned);
            assert_eq!((f64::from(found.front.x), f64::from(found.front.y)), there, "{edge} {side:?}");
            assert_eq!(
                found.heading.tenths(),
                (heading + if turned < 0.0 { 1800 } else { 0 }) % 3600,
                "{edge} {side:?}"
            );
        }
    }
    // It arrives next to a friend that is already there.
    let own = [unit("squad").at(-34.0, -20.0).facing(90.0), unit("squad").at(10.0, -20.0).facing(0.0).arrives(2)];
    let foe = [unit("squad").at(0.0, 20.0).facing(180.0)];
    let mut game = Game::planned(arrival("left"), &plan(&own, &foe, 4));
    game.battle.turn = 2;
    game.phase("fire", &[6]);
    let grounds = [0, 1].map(|number| game.ground(&game.nth(number)));
    assert!(!grounds[0].overlaps(&grounds[1]));
    assert_eq!((game.nth(1).front.x, game.nth(1).front.y), (-3400, -2200), "to its right first");
}

/// A hex holds one unit, so a reserve waits until its hex is free.
#[test]
fn on_hexes_a_reserve_waits_for_its_hex() {
    let rules: &'static Rules = Box::leak(Box::new(load("ancients-hex")));
    let at = |q: f64, r: f64, facing: f64| unit("auxilia").at(q, r).facing(facing);
    let own = [at(0.0, 3.0, 90.0), at(0.0, 3.0, 90.0).arrives(2)];
    let plan = Deployment { turns: 4, ..deployment(("still", &own), ("still", &[at(0.0, -3.0, 270.0)])) };
    let setup = deploy(rules, &plan).unwrap_or_else(|faults| panic!("{faults:#?}"));
    let (mut narrator, mut dice) = (Narrator::new(), SeededDice::new(1815));
    fight(rules, &setup, &mut dice, &mut narrator);
    let text = narrator.lines().join("\n");
    assert!(text.contains("Auxilia (first 2) cannot come onto the table: its place is taken."), "{text}");
    assert!(!text.contains("comes onto the table"), "{text}");
    let free = [at(0.0, 3.0, 90.0), at(1.0, 3.0, 90.0).arrives(2)];
    let plan = Deployment { turns: 4, ..deployment(("still", &free), ("still", &[at(0.0, -3.0, 270.0)])) };
    let setup = deploy(rules, &plan).unwrap_or_else(|faults| panic!("{faults:#?}"));
    let mut narrator = Narrator::new();
    fight(rules, &setup, &mut dice, &mut narrator);
    let text = narrator.lines().join("\n");
    assert_eq!(text.matches("Auxilia (first 2) comes onto the table").count(), 1, "{text}");
}

#[test]
fn arrivals_are_told() {
    let rules = rules(FIRE, &ROLL.replace("'1'", "'2'"));
    let plan = plan(&[unit("squad"), unit("squad").arrives(1)], &[unit("fort")], 4);
    let setup = deploy(rules, &plan).expect("a setup");
    let (mut narrator, mut dice) = (Narrator::new(), SeededDice::new(1815));
    fight(rules, &setup, &mut dice, &mut narrator);
    let text = narrator.lines().join("\n");
    assert!(text.contains("Squad (first 2): 4 figures, from turn 1\n"), "{text}");
    assert!(text.contains("Squad (first 2): relief [2"), "{text}");
    assert!(text.contains("Squad (first 2) comes onto the table [2].\n"), "{text}");
}

#[test]
fn faults_are_found_where_they_are() {
    let refused = |arrival: &str, told: &[&str]| {
        let (_, faults) = compiled(FIRE, &format!("[arrival]\n{arrival}\ncite = ['1']\n")).expect_err("a fault");
        assert!(told.iter().all(|part| faults.contains(part)), "{arrival}: {faults}");
    };
    refused("roll = 'releif'", &["`releif`", "`relief`"]);
    refused("roll = 'relief'", &["no unit can arrive by this roll", "arrival"]);
    refused("roll = 'relief'\ncomes = ['come']", &["`come`", "`comes`"]);
    refused("roll = 'relief'\ncomes = ['comes', 'comes']", &["`comes` is listed twice"]);
    refused("comes = ['comes']", &["no roll has these results"]);
    refused("roll = 'relief'\ncomes = ['waits']", &["this cannot be done to a unit that is not on the table"]);
    refused("roll = 'fire'\ncomes = ['hits']", &["a unit that arrives has no enemy to do this to"]);
    let edge = "roll = 'relief'\ncomes = ['comes']\nedge = { comes = 'left' }";
    refused(edge, &["only a table on a `plane` board has edges"]);
    let edge = "roll = 'relief'\ncomes = ['comes']\nedge = { waits = 'left' }";
    refused(edge, &["no unit arrives with `waits`"]);
    for turn in [0, 5] {
        let plan = plan(&[unit("squad"), unit("squad").arrives(turn)], &[unit("fort")], 4);
        let faults = deploy(rules(FIRE, ""), &plan).expect_err("a fault");
        assert_eq!(faults[0].path, "first.1.arrives");
        assert!(faults[0].message.contains(&format!("in turn {turn} of a battle of 4 turns")), "{faults:#?}");
    }
}
