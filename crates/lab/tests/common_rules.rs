//! Fights each entry in the page of common rules: every row that an entry adds must have an effect in some battle. If
//! no row of an entry is ever cited, battles must end differently from those of the pack that it changes.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use grognard_dice::SeededDice;
use grognard_engine::{Citing, Event, Outcome, Scene, Witness, fight};
use grognard_lab::study::{Changes, Study};
use grognard_source::Sources;
use rayon::prelude::*;

const PAGE: &str = include_str!("../../../docs/common-rules.md");

/// Battles of each study, spread over its cells.
const BATTLES: u64 = 60;

/// The citation in the entries. Here, every row has its own clause instead.
const HOUSE: &str = "cite = [\"house\"]";

/// The clauses that were cited.
#[derive(Default)]
struct Cited {
    citing: Citing,
    clauses: BTreeSet<String>,
}

impl Witness for Cited {
    fn see(&mut self, scene: Scene<'_>, event: &Event) {
        for clause in self.citing.clauses(scene, event) {
            if !self.clauses.contains(clause) {
                self.clauses.insert(clause.to_owned());
            }
        }
    }
}

/// The files of the page, by name.
fn files() -> BTreeMap<&'static str, &'static str> {
    let blocks = PAGE.split("```toml file=").skip(1);
    blocks
        .map(|block| {
            let (name, rest) = block.split_once('\n').expect("a block");
            (name, rest.split_once("```").expect("its end").0)
        })
        .collect()
}

/// The value of a key that has its own line.
fn value_of<'t>(text: &'t str, key: &str) -> Option<&'t str> {
    text.lines().find_map(|line| line.strip_prefix(key)?.trim_start().strip_prefix("= \"")?.strip_suffix('"'))
}

/// The text of the pack with a clause for each row, and the clauses.
fn told_apart(text: &str) -> (String, Vec<String>) {
    let mut clauses = Vec::new();
    let mut pieces = text.split(HOUSE);
    let mut told = pieces.next().unwrap_or_default().to_owned();
    for piece in pieces {
        let clause = format!("row {}", clauses.len() + 1);
        told.push_str(&format!("cite = [\"{clause}\"]{piece}"));
        clauses.push(clause);
    }
    for clause in &clauses {
        told.push_str(&format!("\n[[clause]]\nid = \"{clause}\"\ntext = \"A row of the entry.\"\n"));
    }
    (told, clauses)
}

/// Fights battles of a study until all these clauses are cited, or all battles if there are none. Returns the clauses
/// cited and the outcomes.
fn fought(path: &Path, clauses: &[String]) -> Result<(BTreeSet<String>, Vec<Outcome>), String> {
    let mut sources = Sources::new();
    let study =
        Study::load(path, &Changes::default(), &mut sources).map_err(|faults| faults.render(&sources, false))?;
    let mut cited = Cited::default();
    let cells = study.cells.len() as u64;
    let mut outcomes = Vec::new();
    for number in 0..BATTLES {
        if !clauses.is_empty() && clauses.iter().all(|clause| cited.clauses.contains(clause)) {
            break;
        }
        // Battles are spread over the cells.
        let cell = &study.cells[(number * cells.max(BATTLES) / BATTLES % cells) as usize];
        let bout = cell.bout(number / cells);
        let mut dice = SeededDice::new(study.seed);
        dice.battle(bout.dice);
        outcomes.push(fight(&cell.rules, bout.setup, &mut dice, &mut cited));
    }
    Ok((cited.clauses, outcomes))
}

/// The built-in studies, by their pack.
fn shipped() -> BTreeMap<String, Vec<String>> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../studies");
    let mut studies: BTreeMap<String, Vec<String>> = BTreeMap::new();
    let mut paths: Vec<_> =
        std::fs::read_dir(folder).expect("studies").map(|entry| entry.expect("one").path()).collect();
    paths.sort();
    for path in paths {
        let text = std::fs::read_to_string(path).expect("a study");
        if let Some(pack) = value_of(&text, "pack") {
            studies.entry(pack.to_owned()).or_default().push(text);
        }
    }
    studies
}

/// The faults of an entry.
fn faults_of(
    entry: &str,
    text: &str,
    files: &BTreeMap<&str, &str>,
    shipped: &BTreeMap<String, Vec<String>>,
) -> Vec<String> {
    let base = value_of(text, "extends").unwrap_or_else(|| panic!("{entry} extends no pack"));
    let folder = tempfile::tempdir().expect("a temporary folder");
    let (mut told, clauses) = told_apart(text);
    for (_, lines) in BEARERS.iter().filter(|(of, _)| *of == entry) {
        told.push_str(lines);
    }
    std::fs::create_dir(folder.path().join(entry)).expect("a folder");
    std::fs::write(folder.path().join(entry).join("pack.toml"), told).expect("the pack");
    // The entry's own study, those of this test, or the built-in ones of the pack that it extends.
    let named = format!("pack = \"{entry}\"");
    let own = files.values().filter(|text| value_of(text, "study").is_some() && value_of(text, "pack") == Some(entry));
    let mut studies: Vec<String> = own.map(|&text| text.to_owned()).collect();
    studies.extend(
        MORE.iter()
            .filter(|(of, _)| *of == entry)
            .map(|(_, lines)| format!("study = \"more\"\n{named}\nseed = 1\nruns = 1000\n{lines}")),
    );
    let are_shipped = studies.is_empty();
    if are_shipped {
        let of_base = format!("pack = \"{base}\"");
        studies.extend(shipped[base].iter().map(|text| text.replace(&of_base, &named)));
    }
    let (mut cited, mut differs, mut faults) = (BTreeSet::new(), false, Vec::new());
    for (number, study) in studies.iter().enumerate() {
        let path = folder.path().join(format!("{number}.toml"));
        std::fs::write(&path, study).expect("the study");
        let (found, outcomes) = match fought(&path, &clauses) {
            Ok(fought) => fought,
            // Some studies vary a value that the entry removes.
            Err(_) if are_shipped => continue,
            Err(fault) => {
                faults.push(format!("{entry}: {fault}"));
                continue;
            }
        };
        cited.extend(found);
        if clauses.iter().all(|clause| !cited.contains(clause)) && !differs {
            std::fs::write(&path, study.replace(&named, &format!("pack = \"{base}\""))).expect("the study");
            differs = fought(&path, &clauses).is_ok_and(|(_, of_base)| of_base != outcomes);
        }
        if differs && clauses.is_empty() || !clauses.is_empty() && clauses.iter().all(|clause| cited.contains(clause)) {
            break;
        }
    }
    let silent = SILENT.iter().filter(|(of, _)| *of == entry).flat_map(|(_, rows)| rows.iter());
    let silent: Vec<String> = silent.map(|row| format!("row {row}")).collect();
    let in_vain = clauses.iter().filter(|clause| !cited.contains(*clause) && !silent.contains(clause));
    faults
        .extend(in_vain.map(|clause| format!("{entry}: {clause} of {} decides nothing in any battle", clauses.len())));
    if clauses.len() == silent.len() && !differs {
        faults.push(format!("{entry}: battles come out as under `{base}`"));
    }
    faults
}

#[test]
fn every_row_of_every_entry_decides_something_in_a_battle() {
    let (files, shipped) = (files(), shipped());
    let packs = files.iter().filter_map(|(name, text)| Some((name.strip_suffix("/pack.toml")?, *text)));
    let packs: Vec<(&str, &str)> = packs.collect();
    assert!(packs.len() > 100, "{}", packs.len());
    let faults: Vec<String> =
        packs.par_iter().flat_map_iter(|(entry, text)| faults_of(entry, text, &files, &shipped)).collect();
    assert!(faults.is_empty(), "\n{}", faults.join("\n"));
}

/// Rows that are not cited during a battle, counted from 1. These are limits of counters that are not reached, the
/// counts of an army, orders, exceptions, moves of no hexes, and points that are counted after the battle. If all rows
/// of an entry are of this kind, battles must end differently.
const SILENT: &[(&str, &[usize])] = &[
    ("ammunition", &[1]),
    ("army-morale", &[1]),
    ("beaten-by-points", &[1]),
    ("break-through", &[1]),
    ("fatigue", &[1]),
    ("fearless", &[1]),
    ("few-orders", &[1]),
    ("hold-turns", &[2]),
    ("overheating", &[1]),
    ("points-for-losses", &[1, 2]),
    ("spells", &[1]),
    ("sudden-death", &[1]),
    ("three-fleets", &[1]),
    ("until-it-fails", &[2]),
    ("zones-of-control", &[2]),
];

/// For entries that define a trait but give it to no unit: the units that get it.
const BEARERS: &[(&str, &str)] = &[
    ("hard-to-hit", "[unit.line-battalion]\ntraits = ['elusive']\n"),
    ("fearless", "[unit.plain]\ntraits = ['fearless']\n"),
    ("elite", "[unit.plain]\ntraits = ['elite']\n"),
];

/// Studies for entries whose rows the built-in studies do not reach.
const MORE: &[(&str, &str)] = &[
    ("cheapest-first", GUARDS),
    ("sustained-hits", GUARDS),
    ("owner-chooses", GUARDS),
    ("shooter-chooses", GUARDS),
    ("random-casualties", GUARDS),
    ("front-rank-first", GUARDS),
    ("behind-the-guard", GUARDS),
    ("roll-of-reserves", RESERVES),
    ("flank-march", RESERVES),
    ("worn-out", RESERVES),
    ("hold-out", RESERVES),
    ("summoner", SUMMONERS),
    ("veteran-modifier", VETERANS),
    ("cap", HORDES),
    ("half-dice", HORDES),
    ("army-morale", THREES),
    ("beaten-by-points", THREES),
    ("rally", PAIR),
    ("weak-units-count-half", BATTERY),
    ("hill", SLOPES),
    ("break-out", THROUGH),
    ("damage", ARCHERS),
    ("overwatch", WATCHERS),
    ("hold-ground", GROUND),
    ("hold-turns", GROUND),
    ("more-there", GROUND),
];

const GUARDS: &str = r#"
turns = 8
[side.red]
units = [{ type = "guard" }, { type = "militia" }, { type = "militia" }]
[side.blue]
units = [{ type = "militia" }, { type = "guard" }, { type = "militia" }]
"#;

const RESERVES: &str = r#"
turns = 8
[side.red]
doctrine = "stand-off"
units = [{ type = "trooper", at = [0, -14] }, { type = "trooper", at = [6, -14], arrives = 2 }, { type = "scout", at = [-6, -14], arrives = 4 }]
[side.blue]
doctrine = "hunt"
units = [{ type = "veteran", at = [0, 14] }, { type = "gunner", at = [6, 14], arrives = 2 }]
"#;

const SUMMONERS: &str = r#"
turns = 8
[side.red]
doctrine = "hunt"
units = [{ type = "veteran", at = [0, -14] }, { type = "trooper", at = [6, -14], arrives = "called" }]
[side.blue]
doctrine = "hunt"
units = [{ type = "veteran", at = [0, 14] }, { type = "gunner", at = [6, 14] }]
"#;

const VETERANS: &str = r#"
turns = 12
[side.red]
units = [{ type = "veteran" }]
[side.blue]
units = [{ type = "plain" }]
"#;

const HORDES: &str = r#"
turns = 10
[side.red]
units = [{ type = "army", figures = 40 }]
[side.blue]
units = [{ type = "army", figures = 40 }]
"#;

const THREES: &str = r#"
turns = 12
[side.red]
units = [{ type = "plain" }, { type = "plain" }, { type = "plain" }]
[side.blue]
units = [{ type = "one-up" }, { type = "plain" }, { type = "one-up" }]
"#;

const PAIR: &str = r#"
turns = 12
[side.red]
units = [{ type = "one-up" }]
[side.blue]
units = [{ type = "plain" }]
"#;

/// A side whose battery breaks has lost one of its two units or, if a battery counts half, a half of one and a half.
const BATTERY: &str = r#"
turns = 10
[side.red]
doctrine = "stand"
units = [{ type = "field-battery", at = [0, 0], facing = 180 }, { type = "line-battalion", at = [14, 0], facing = 180 }]
[side.blue]
doctrine = "charge-home"
units = [{ type = "line-battalion", at = [0, -16], facing = 0 }, { type = "line-battalion", at = [14, -16], facing = 0 }]
[set]
"victory.broken" = 50
"#;

/// One side waits on a hill for the other to charge.
const SLOPES: &str = r#"
turns = 8
[side.red]
doctrine = "stand"
units = [{ type = "line-battalion", at = [0, 3], facing = 180 }]
[side.blue]
doctrine = "charge-home"
units = [{ type = "line-battalion", at = [0, -8], facing = 0 }]
[[terrain]]
ground = "hill"
at = [0, 7]
size = [20, 8]
"#;

const THROUGH: &str = r#"
turns = 8
[side.red]
doctrine = "break-out"
units = [{ type = "trooper", at = [0, -8], facing = 0 }, { type = "scout", at = [6, -8], facing = 0 }]
[side.blue]
doctrine = "shoot-only"
units = [{ type = "trooper", at = [-10, 10], facing = 180 }]
"#;

const ARCHERS: &str = r#"
turns = 12
[side.red]
units = [{ type = "archers" }]
[side.blue]
units = [{ type = "archers" }]
"#;

const WATCHERS: &str = r#"
turns = 8
[side.red]
doctrine = "hunt"
units = [{ type = "walker", at = [0, -4] }, { type = "trooper", at = [6, -4] }]
[side.blue]
doctrine = "shoot-only"
units = [{ type = "trooper", at = [0, 8] }, { type = "gunner", at = [6, 8] }]
"#;

const GROUND: &str = r#"
turns = 8
objectives = [{ name = "the farm", at = [0, 0] }]
[side.red]
doctrine = "stand"
units = [{ type = "line-battalion", at = [0, 1], facing = 180 }]
[side.blue]
doctrine = "charge-home"
units = [{ type = "line-battalion", at = [0, -20], facing = 0 }]
"#;
