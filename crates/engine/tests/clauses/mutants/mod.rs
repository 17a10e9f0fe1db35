//! `just mutants`: breaks every rule row of the packs, one change at a time, and checks whether the tests of its
//! clauses fail.
//!
//! It runs this same test program on each mutant, so nothing is recompiled. Mutants that survive are listed in
//! `survivors.toml`, each with the reason; a survivor that is not listed, or a listed mutant that is caught, is a
//! failure.

mod report;
mod rows;
mod run;
mod survivors;
mod words;

use std::collections::BTreeMap;

use grognard_rules::library::PACKS;

use self::rows::{Mutant, mutants};
use self::run::{Fate, fates};
use self::survivors::Survivors;

/// One pack's mutants and their fates.
struct Tried {
    pack: &'static str,
    rows: usize,
    fates: Vec<(Mutant, Fate)>,
}

impl Tried {
    fn of(&self, fate: Fate) -> impl Iterator<Item = &Mutant> {
        self.fates.iter().filter(move |(_, its)| *its == fate).map(|(mutant, _)| mutant)
    }
}

/// The packs to try: those in `PACKS` (default: all), and the rows to try: those whose paths contain `ROWS`.
fn asked() -> (Vec<&'static str>, String) {
    let named = std::env::var("PACKS").unwrap_or_default();
    let named: Vec<&str> = named.split_whitespace().collect();
    let unknown: Vec<_> = named.iter().filter(|&&name| PACKS.iter().all(|pack| pack.name != name)).collect();
    assert!(unknown.is_empty(), "there are no packs {unknown:?}");
    let packs = PACKS.iter().map(|pack| pack.name).filter(|name| named.is_empty() || named.contains(name));
    (packs.collect(), std::env::var("ROWS").unwrap_or_default())
}

#[test]
#[ignore = "tries thousands of mutants: `just mutants`"]
fn mutants_are_caught() {
    let (packs, part) = asked();
    let survivors = Survivors::read();
    let mut faults = Vec::new();
    let mut tried = Vec::new();
    for pack in packs {
        let mut mutants = mutants(pack);
        mutants.retain(|mutant| mutant.row.contains(&part));
        let rows: BTreeMap<&str, usize> = mutants.iter().map(|mutant| (mutant.row.as_str(), 1)).collect();
        let rows = rows.len();
        println!("{pack}: {} mutants of {rows} rows; these survive", mutants.len());
        let one = Tried { pack, rows, fates: fates(pack, mutants) };
        faults.extend(survivors.faults(&one, part.is_empty()));
        tried.push(one);
    }
    println!("\n{}", report::table(&tried));
    if std::env::var_os("BLESS").is_some() {
        assert!(part.is_empty(), "the page is of all rows of a pack");
        report::write(&tried, &survivors);
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}
