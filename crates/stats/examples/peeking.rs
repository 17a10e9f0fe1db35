//! Prints the effect of peeking at a running study on its intervals, as in the tables of
//! `docs/how-the-numbers-are-made.md`: `just peeking`.

#[path = "../tests/simulated/mod.rs"]
mod simulated;

use simulated::{BLOCK, pairs, precise, shares};

/// The number of studies of each kind: a rate of 0.05 then has a standard error of 0.0022.
const STUDIES: u64 = 10_000;
/// The number of looks at each study, one block apart.
const LOOKS: u64 = 100;

fn main() {
    let per_cent = |share: f64| format!("{:.1} %", 100.0 * share);
    println!("| battles with a share of | 50 % | 10 % | 1 % |\n|---|---|---|---|");
    let chances = [0.5, 0.1, 0.01];
    let found: Vec<_> = (1..).zip(chances).map(|(seed, chance)| shares(chance, STUDIES, LOOKS, seed)).collect();
    let row = |name: &str, cells: Vec<String>| println!("| {name} | {} |", cells.join(" | "));
    row("plain interval, checked once, at the end", found.iter().map(|found| per_cent(found.fixed)).collect());
    row(
        &format!("plain interval, checked after each of {LOOKS} blocks"),
        found.iter().map(|found| per_cent(found.peeking)).collect(),
    );
    row(
        &format!("`--watch`, checked after each of {LOOKS} blocks"),
        found.iter().map(|found| per_cent(found.watched)).collect(),
    );
    println!(
        "\n| `--precision 0.005` with a share of | 50 % | 20 % | 8 % | 4 % | 2 % | 1 % | 0.3 % |\n|{}",
        "---|".repeat(8)
    );
    let precise: Vec<_> = (11..)
        .zip([0.5, 0.2, 0.08, 0.04, 0.02, 0.01, 0.003])
        .map(|(seed, chance)| precise(chance, 0.005, STUDIES, seed))
        .collect();
    row("misses", precise.iter().map(|found| per_cent(found.missed)).collect());
    row("battles", precise.iter().map(|found| format!("{:.0}", found.battles)).collect());
    row(
        "battles, as a multiple of a fixed sample size",
        precise.iter().map(|found| format!("{:.2}", found.cost)).collect(),
    );

    println!("\n| true difference, if 10 % of pairs differ | none | 0.2 points | 1 point |\n|---|---|---|---|");
    let found: Vec<_> = (21..)
        .zip([(0.05, 0.05), (0.051, 0.049), (0.055, 0.045)])
        .map(|(seed, (first, second))| pairs(first, second, STUDIES, LOOKS, seed))
        .collect();
    row(
        &format!("plain paired test, checked after each of {LOOKS} blocks: reports a difference"),
        found.iter().map(|found| per_cent(found.peeking)).collect(),
    );
    row("`--decide`: reports a difference", found.iter().map(|found| per_cent(found.told)).collect());
    row(
        "`--decide`: reports the wrong one",
        found
            .iter()
            .enumerate()
            .map(|(place, found)| if place == 0 { "–".to_owned() } else { per_cent(found.wrong) })
            .collect(),
    );
    row(
        &format!("`--decide`: blocks of {BLOCK} pairs until it ends, out of {LOOKS}"),
        found.iter().map(|found| format!("{:.1}", found.pairs / BLOCK as f64)).collect(),
    );
}
