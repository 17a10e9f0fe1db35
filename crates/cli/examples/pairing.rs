//! Prints how many more battles independent dice would need if one number in the rules of the headline study changes by
//! a step, as in the table of `docs/how-the-numbers-are-made.md`: `just pairing`.

use std::path::Path;

use grognard_lab::compare::{Compared, Duel};
use grognard_lab::progress::{Silent, Stop};
use grognard_lab::study::{Changes, Study};
use grognard_source::{Override, Sources};
use grognard_stats::{Level, worth};

/// Battles in each cell.
const RUNS: u64 = 4_096;

/// The rolls, and the modifiers that change: old and new value.
const CHANGES: [(&str, &str, i32, i32); 9] = [
    ("fire", "massed-target", 2, 3),
    ("fire", "against-a-charge", 1, 2),
    ("morale", "square-steady", 3, 4),
    ("morale", "column-steady", 1, 2),
    ("morale", "heavy-losses", -1, -2),
    ("shock", "square-against-cavalry", 7, 8),
    ("shock", "disordered", -2, -3),
    ("shock", "heavy-horse", 2, 3),
    ("shock", "impetus", 1, 2),
];

/// The study, with this value at this path.
fn study(change: Option<String>) -> Study {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../studies/square-vs-line.toml");
    let mut sources = Sources::new();
    let set = change.map(|change| {
        let file = sources.add("--set", change);
        Override::parse(file, &sources).expect("a path and a value")
    });
    let set = set.into_iter().collect();
    let changes = Changes { runs: Some(RUNS), seed: Some(1_815), set, ..Changes::default() };
    Study::load(&path, &changes, &mut sources).unwrap_or_else(|faults| panic!("{}", faults.render(&sources, false)))
}

fn main() {
    println!("| change | worth, wins | at most | worth, defender's losses |\n|---|---|---|---|");
    let before = study(None);
    for (roll, modifier, from, to) in CHANGES {
        let moved = |value: i32| study(Some(format!("roll.{roll}.modifier.{modifier}.add={value}")));
        assert!(moved(from).pack.text == before.pack.text, "{modifier} is not {from} in the pack");
        let after = moved(to);
        let duel = Duel { before: &before, after: &after, level: Level::P95, threads: 0 };
        let compared: Compared = duel.fight(&Silent, &Stop::new()).expect("a duel").0;
        let said = |times: Option<f64>| worth(times.map(|times| 1.0 / times));
        println!(
            "| {roll} `{modifier}` {from} → {to} | {} | {} | {} |",
            said(compared.worth("attacker")),
            said(compared.worth_at_most("attacker")),
            said(compared.worth("defender.losses"))
        );
    }
}
