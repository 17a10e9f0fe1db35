//! What fighting with the same dice is worth where one number of the rules moves by a pip: the headline study, from the front.
//!
//! Seed and battles are fixed, so that the numbers are the same wherever the test runs. The floors are below what they came to
//! (beside each); `grognard compare square-vs-line --set PATH=VALUE` shows all cells.

use std::path::Path;

use grognard_lab::compare::{Compared, Duel};
use grognard_lab::progress::{Silent, Stop};
use grognard_lab::study::{Changes, Study};
use grognard_source::{Override, Sources};
use grognard_stats::Level;

fn study(set: &[&str]) -> Study {
    let path = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../../studies/square-vs-line.toml"));
    let mut sources = Sources::new();
    let set = set.iter().map(|text| {
        let file = sources.add("--set", *text);
        Override::parse(file, &sources).expect("a path and a value")
    });
    let changes = Changes { runs: Some(4_096), seed: Some(1_815), set: set.collect(), ..Changes::default() };
    Study::load(path, &changes, &mut sources).unwrap_or_else(|faults| panic!("{}", faults.render(&sources, false)))
}

fn one_pip(change: &str) -> Compared {
    let (before, after) = (study(&["approach=front"]), study(&["approach=front", change]));
    let duel = Duel { before: &before, after: &after, level: Level::P95, threads: 2 };
    duel.fight(&Silent, &Stop::new()).expect("a duel").0
}

/// What is changed, what is looked at, the least that pairing has to be worth, and what share of the most it could be.
const CHANGES: [(&str, f64, f64); 4] = [
    // ×20 of at most ×48: cells in which fire comes before a charge have other decisions to take afterwards.
    ("roll.fire.modifier.massed-target.add=3", 2.0, 0.3),
    // ×29 of at most ×29.
    ("roll.morale.modifier.square-steady.add=4", 5.0, 0.9),
    // ×31 of at most ×31.
    ("roll.shock.modifier.disordered.add=-3", 20.0, 0.9),
    // ×3.8 of at most ×4.0: a pip for every charger moves wins by up to eleven points, and that many pairs have to differ.
    ("roll.shock.modifier.impetus.add=2", 3.0, 0.9),
];

#[test]
fn one_pip_is_seen_with_a_fraction_of_the_battles() {
    for (change, floor, share) in CHANGES {
        let compared = one_pip(change);
        let worth = compared.worth("attacker").expect("some pairs differ");
        let most = compared.worth_at_most("attacker").expect("some shares differ");
        println!("{change}: ×{worth:.1} of at most ×{most:.1}");
        assert!(worth >= floor, "{change}: ×{worth:.1}, below {floor}");
        // The bound is of shares, the variances have one battle less to divide by.
        assert!((share * most..=1.001 * most).contains(&worth), "{change}: ×{worth:.1} of at most ×{most:.1}");
    }
}
