//! Every built-in pack has a golden narration: one short battle, blow by blow, compared character by character.
//!
//! `BLESS=1 cargo test -p grognard-engine narration` rewrites the narrations. Keep them short: every change is reviewed
//! by reading the diff.

use std::path::PathBuf;

use grognard_dice::{ScriptedDice, SeededDice};
use grognard_engine::timeline::{Happening, Presence, Recorder};
use grognard_engine::{Arrives, BySide, Deployment, Narrator, Side, SidePlan, UnitPlan, deploy, fight};
use grognard_rules::library;
use grognard_source::{Document, Sources};

fn unit(kind: &str, at: (i32, i32), figures: Option<u16>) -> UnitPlan {
    UnitPlan { kind: kind.into(), at: Some(at), figures, ..UnitPlan::default() }
}

fn side(name: &str, doctrine: Option<&str>, unit: UnitPlan) -> SidePlan {
    SidePlan { name: name.into(), doctrine: doctrine.map(Into::into), units: vec![unit], ..SidePlan::default() }
}

/// The longest narration that a reviewer would read, in lines.
const LINES: usize = 100;

/// The battle that is narrated for a pack.
fn battle(pack: &str) -> Option<Deployment> {
    let pair = |first: (&str, u16), second: (&str, u16)| {
        let attacker = side("attacker", None, unit(first.0, (0, 0), Some(first.1)));
        let defender = side("defender", None, unit(second.0, (0, 0), Some(second.1)));
        BySide::new(attacker, defender)
    };
    let (mut turns, mut distance) = (20, None);
    let sides = match pack {
        "bag-of-orders" => {
            turns = 2;
            let first = side("attacker", Some("storm"), unit("assault-group", (0, 0), None));
            let second = side("defender", Some("stand"), unit("section", (0, 1200), None));
            BySide::new(first, second)
        }
        "bluecher-shock" => pair(("cavalry", 6), ("infantry", 5)),
        "command-roll" => pair(("command-8", 5), ("command-8", 5)),
        "fleet-action" => {
            turns = 2;
            let fleet = |name: &str, doctrine: &str, ships: [&str; 2]| SidePlan {
                name: name.into(),
                doctrine: Some(doctrine.into()),
                units: ships.map(|ship| unit(ship, (0, 0), None)).to_vec(),
                ..SidePlan::default()
            };
            let red = fleet("red", "sustain-first", ["carrier", "fighters"]);
            BySide::new(fleet("blue", "cheapest-first", ["battleship", "destroyer"]), red)
        }
        "napoleonic-figures" => {
            let attacker = side("attacker", Some("charge-home"), unit("heavy-cavalry", (0, 1600), None));
            let defender = side("defender", Some("stand"), unit("line-battalion", (0, 0), None));
            distance = Some(1200);
            BySide::new(attacker, defender)
        }
        "napoleonic-pips" => {
            let attacker = side("attacker", Some("charge-home"), unit("cavalry", (0, 1600), None));
            let defender = side("defender", Some("stand-and-form"), unit("infantry", (0, 0), None));
            (turns, distance) = (5, Some(800));
            BySide::new(attacker, defender)
        }
        "patrol" => {
            turns = 3;
            let late = UnitPlan { arrives: Some(Arrives::From(2)), ..unit("rifles", (0, 0), None) };
            let mut first = side("patrol", Some("fire-only"), late);
            first.units.push(unit("gun", (600, -300), None));
            BySide::new(first, side("cell", Some("fire-only"), unit("fighters", (0, 1000), None)))
        }
        "ranked-fantasy" => {
            let attacker = side("attacker", Some("attack"), unit("knights", (0, 1600), None));
            let defender = side("defender", Some("receive"), unit("spearmen", (0, 0), None));
            (turns, distance) = (3, Some(1000));
            BySide::new(attacker, defender)
        }
        "refduel" => pair(("one-up", 8), ("plain", 8)),
        "risk" => pair(("army", 5), ("army", 4)),
        "sf-skirmish" => {
            turns = 2;
            let mut first = side("attacker", Some("shoot-only"), unit("gunner", (0, 0), None));
            first.units.push(unit("trooper", (300, 0), None));
            BySide::new(first, side("defender", Some("shoot-only"), unit("walker", (0, 1000), None)))
        }
        "symbol-die" => pair(("swordsmen", 4), ("archers", 3)),
        "ancients-hex" => {
            // A line of foot with its leader, a wing of horse and a screen of lights on either side, close together.
            turns = 2;
            let army = |name: &str, row: i32, front: i32| {
                let at = |q: i32, r: i32| (q * 100, r * 100);
                let line = [
                    ("heavy-infantry", at(-row / 2, row)),
                    ("medium-cavalry", at(3 - row / 2, row)),
                    ("light-bow", at(-front / 2, front)),
                    ("leader", at(-row / 2, row)),
                ];
                let units = line.map(|(kind, place)| unit(kind, place, None)).to_vec();
                SidePlan { name: name.into(), doctrine: Some("line".into()), units, ..SidePlan::default() }
            };
            BySide::new(army("south", 2, 1), army("north", -2, -1))
        }
        _ => return None,
    };
    Some(Deployment { sides, turns, distance, ..Deployment::default() })
}

fn narration(pack: &str) -> String {
    let mut sources = Sources::new();
    let loaded = library::load(pack, None, &mut sources).expect("a built-in pack loads");
    let rules = loaded.compile(&sources).expect("a built-in pack compiles");
    let plan = battle(pack).unwrap_or_else(|| panic!("no battle is told of the pack {pack}: add one here"));
    let setup = deploy(&rules, &plan).unwrap_or_else(|faults| panic!("{pack}: {faults:?}"));
    let mut narrator = Narrator::new();
    fight(&rules, &setup, &mut SeededDice::new(1815), &mut narrator);
    assert!(narrator.lines().len() <= LINES, "{pack}: nobody reads {} lines", narrator.lines().len());
    format!("{}\n", narrator.lines().join("\n"))
}

/// A timeline contains every line of the narration, and ends where the battle ends.
#[test]
fn a_timeline_agrees_with_the_narration_and_the_outcome() {
    for pack in library::PACKS.iter().map(|pack| pack.name) {
        let mut sources = Sources::new();
        let rules = library::load(pack, None, &mut sources).expect("it loads").compile(&sources).expect("it compiles");
        let setup =
            deploy(&rules, &battle(pack).expect("a battle")).unwrap_or_else(|faults| panic!("{pack}: {faults:?}"));
        let mut recorder = Recorder::new();
        let outcome = fight(&rules, &setup, &mut SeededDice::new(1815), &mut recorder);
        let timeline = recorder.timeline().expect("something happens");
        let told: Vec<&str> = timeline.lines().collect();
        assert_eq!(format!("{}\n", told.join("\n")), narration(pack), "{pack}");
        assert_eq!(timeline.moments.last().map(|moment| moment.happening), Some(Happening::Over), "{pack}");

        // The final state of each unit, built from all changes.
        let mut last = vec![None; timeline.units.len()];
        for (unit, standing) in timeline.moments.iter().flat_map(|moment| &moment.changed) {
            last[usize::from(*unit)] = Some(standing.clone());
        }
        for side in Side::BOTH {
            let own = timeline.units.iter().zip(&last).filter(|(unit, _)| usize::from(unit.side) == side.index());
            let left: u32 = own.filter_map(|(_, standing)| standing.as_ref()).map(|now| u32::from(now.figures)).sum();
            let sum = outcome.sides[side];
            assert_eq!(left, u32::from(sum.start) - u32::from(sum.losses), "{pack}, {side:?}");
        }
        let gone = last.iter().flatten().filter(|standing| standing.presence == Presence::Gone).count();
        let broken: u32 = Side::BOTH.iter().map(|&side| u32::from(outcome.sides[side].routed_units)).sum();
        assert!(gone as u32 <= broken, "{pack}: {gone} gone, {broken} broken");
        // Every moment with dice contains the text of its roll, and every clause appears in a line.
        for moment in timeline.moments.iter().filter(|moment| !moment.text.is_empty()) {
            let text = moment.text.join("\n");
            assert!(moment.dice.is_empty() || text.contains("roll") || text.contains(": "), "{pack}: {text}");
        }
    }
}

/// The full narration of one phase with one unit a side, without a board, with these faces.
fn told_with(pack: &str, faces: &[usize]) -> Vec<String> {
    let mut sources = Sources::new();
    let file = sources.add("small.toml", pack.to_owned());
    let document = Document::parse(file, &sources).expect("the pack is TOML");
    let rules = grognard_rules::compile(&document, &sources)
        .unwrap_or_else(|faults| panic!("{}", faults.render(&sources, false)));
    let sides = ["red", "blue"].map(|name| side(name, None, unit("man", (0, 0), None)));
    let [red, blue] = sides.map(|side| SidePlan {
        units: side.units.into_iter().map(|unit| UnitPlan { at: None, ..unit }).collect(),
        ..side
    });
    let plan = Deployment { sides: BySide::new(red, blue), turns: 1, ..Deployment::default() };
    let setup = deploy(&rules, &plan).unwrap_or_else(|faults| panic!("{faults:?}"));
    let mut dice = ScriptedDice::new(faces.iter().copied());
    let mut narrator = Narrator::new();
    fight(&rules, &setup, &mut dice, &mut narrator);
    dice.finish();
    narrator.lines().to_vec()
}

/// A pack whose only phase makes this roll, in the first half of the turn.
fn pack_with(roll: &str) -> String {
    format!(
        r#"
pack = "small"
title = "Small"
version = "1"
board = "none"
arms = ["foot"]

[morale]
state = [{{ id = "good" }}, {{ id = "bad" }}]

[unit.man]
title = "Man"
arm = "foot"
figures = 3

[[phase]]
id = "blow"
title = "Blows"
mechanism = "exchange"
roll = "blow"
half = "first"

[victory]
broken = 100

{roll}
"#
    )
}

#[test]
fn modifiers_stand_below_what_they_change_and_limits_are_told() {
    let roll = r#"
[roll.blow]
title = "blow"
mechanic = "pool"
own = { dice = "d6", count = "self.figures", need = 5, most = 4 }
result = [{ id = "none", when = "hits == 0" }, { id = "struck", title = "strikes", foe = { lose = "hits" } }]

[[roll.blow.modifier]]
id = "brave"
add = 1
cite = ["house"]
note = "Brave."

[[roll.blow.modifier]]
id = "eager"
add = 2
to = "dice"
cite = ["house"]
note = "Eager."

[[roll.blow.modifier]]
id = "never"
when = "self.figures < 3"
add = 2
cite = ["house"]
note = "Nobody has lost any yet."
"#;
    let lines = told_with(&pack_with(roll), &[4, 1, 2, 6]);
    assert_eq!(
        lines,
        [
            "Man (red): 3 figures",
            "Man (blue): 3 figures",
            "Turn 1, red",
            "  Blows",
            "    Man (red): blow, against Man (blue).",
            "      3 dice",
            "        +2 eager [house]",
            "        limited to 4",
            "      needs 5 or more",
            "        +1 brave [house]",
            "      rolls 4d6 for 4 or more: 4 1 2 6, 2 hits: strikes (struck: otherwise).",
            "      Man (blue) loses 2 figures and has 1 left.",
            "Nobody wins after turn 1, the last: red lost 0 of 3 figures, blue lost 2 of 3 figures.",
        ]
    );
}

#[test]
fn a_written_number_of_dice_is_told_before_what_changes_it() {
    let roll = r#"
[roll.blow]
title = "blow"
mechanic = "pool"
own = { dice = "2d6", need = 5, most = 2 }
result = [{ id = "none", when = "hits == 0" }, { id = "struck", title = "strikes", foe = { lose = "hits" } }]

[[roll.blow.modifier]]
id = "crowded"
add = -1
to = "less"
cite = ["house"]
note = "Crowded."
"#;
    let lines = told_with(&pack_with(roll), &[6]);
    assert_eq!(lines[5..8], ["      2 dice", "        -1 crowded [house]", "        so 1 die"]);
}

#[test]
fn what_both_sides_add_is_told_apart() {
    let roll = r#"
[roll.blow]
title = "blow"
mechanic = "opposed"
own = { dice = "d6", add = "self.figures" }
foe = { dice = "d10" }
result = [{ id = "won", when = "margin > 0", title = "is beaten", foe = { lose = 3 } }, { id = "lost" }]

[[roll.blow.modifier]]
id = "stout"
when = "self.figures == 3"
add = -1
cite = ["house"]
note = "Stout."
"#;
    let lines = told_with(&pack_with(roll), &[6, 3]);
    assert_eq!(
        lines[4..],
        [
            "    Man (red): blow, against Man (blue).",
            "      red rolls d6: 6 = 6",
            "        +3 of its own",
            "        -1 stout [house]",
            "      blue rolls d10: 3 = 3",
            "        -1 stout [house]",
            "      red 8, blue 2, margin 6: is beaten (won: margin > 0).",
            "      Man (blue) loses 3 figures and has none left.",
            "red wins in turn 1: red lost 0 of 3 figures, blue lost 3 of 3 figures.",
        ]
    );
}

#[test]
fn what_comes_to_nothing_is_not_told() {
    let mut sources = Sources::new();
    let loaded = library::load("napoleonic-figures", None, &mut sources).expect("a built-in pack loads");
    let rules = loaded.compile(&sources).expect("a built-in pack compiles");
    // Both have orders to fire, but the enemy is out of musket range.
    let sides = BySide::new(
        side("north", Some("fire-only"), unit("line-battalion", (0, 1600), None)),
        side("south", Some("fire-only"), unit("line-battalion", (0, 0), None)),
    );
    let plan = Deployment { sides, turns: 2, ..Deployment::default() };
    let setup = deploy(&rules, &plan).unwrap_or_else(|faults| panic!("{faults:?}"));
    let mut narrator = Narrator::new();
    fight(&rules, &setup, &mut SeededDice::new(1), &mut narrator);
    assert_eq!(
        narrator.lines(),
        [
            "Line battalion (north): 12 figures, line",
            "Line battalion (south): 12 figures, line",
            "Nobody wins after turn 2, the last [house]: north lost 0 of 12 figures, south lost 0 of 12 figures.",
        ]
    );
}

#[test]
fn every_pack_is_narrated_as_on_file() {
    for pack in library::PACKS {
        let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/golden").join(format!("{}.txt", pack.name));
        let told = narration(pack.name);
        if std::env::var_os("BLESS").is_some() {
            std::fs::create_dir_all(path.parent().expect("a folder")).expect("the folder can be made");
            std::fs::write(&path, &told).expect("the narration can be written");
        }
        let golden = std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        assert!(told == golden, "the narration of {} has changed; see it with BLESS=1 and `git diff`", pack.name);
    }
}
