//! The table in docs/mutants.md, and the list of survivors.

use std::fs;
use std::path::Path;

use crate::listed::{Kind, Mutant};
use crate::tried::Fate;

/// The end of a table on the page, and its head.
const ENDS: &str = "<!-- End of the generated table. -->\n";
const HEAD: &str = "\
| file | mutants | not built | not reached | caught by packs' tests | caught by mechanics' tests only | timed out | crashed | survived |
|---|---:|---:|---:|---:|---:|---:|---:|---:|
";

/// The columns of fates.
const FATES: [Fate; 7] = [
    Fate::NotBuilt,
    Fate::NotReached,
    Fate::CaughtByClauses,
    Fate::CaughtByMechanics,
    Fate::TimedOut,
    Fate::Crashed,
    Fate::Survived,
];

/// The prefix of every file's name in the list of cargo-mutants, which is left out.
const SOURCES: &str = "crates/engine/src/";

/// The name of the file of these mutants, and its line.
pub(crate) fn line(tried: &[(&Mutant, Fate)]) -> (String, String) {
    let count = |fate| tried.iter().filter(|(_, its)| *its == fate).count();
    let mut counts = vec![tried.len()];
    counts.extend(FATES.map(count));
    let file = tried.first().map(|(mutant, _)| short(&mutant.file)).unwrap_or_default();
    let line = row(&format!("`{file}`"), &counts);
    (file, line)
}

fn row(name: &str, counts: &[usize]) -> String {
    let counts: Vec<String> = counts.iter().map(usize::to_string).collect();
    format!("| {name} | {} |\n", counts.join(" | "))
}

fn short(file: &str) -> String {
    file.strip_prefix(SOURCES).unwrap_or(file).to_owned()
}

/// Writes the line `new` of a tried file into the page's table for this kind. Other files with mutants keep their
/// lines. The last line is the total.
///
/// # Errors
/// The page cannot be read or written, or has no place for the table.
pub(crate) fn write_line(root: &Path, kind: Kind, all: &[Mutant], tried: &str, new: &str) -> Result<(), String> {
    let path = root.join("docs/mutants.md");
    let page = fs::read_to_string(&path).map_err(|error| format!("{}: {error}", path.display()))?;
    let begins = format!("<!-- `BLESS=1 just mutants-engine` writes this table of {}. -->\n", kind.words());
    let parts = page.split_once(&begins).and_then(|(head, rest)| Some((head, rest.split_once(ENDS)?)));
    let (head, (before, rest)) =
        parts.ok_or_else(|| format!("{} has lost its marks: {begins}{ENDS}", path.display()))?;
    let old = |file: &String| before.lines().find(|line| line.starts_with(&format!("| `{file}` |")));
    let mut files: Vec<String> = all.iter().map(|mutant| short(&mutant.file)).collect();
    files.dedup();
    let line =
        |file: &String| if file == tried { Some(new.to_owned()) } else { old(file).map(|line| format!("{line}\n")) };
    let table: Vec<String> = files.iter().filter_map(line).collect();
    let mut sums = vec![0; FATES.len() + 1];
    for line in &table {
        let counts = line.split('|').skip(2).filter_map(|cell| cell.trim().parse::<usize>().ok());
        sums.iter_mut().zip(counts).for_each(|(sum, count)| *sum += count);
    }
    let page = format!("{head}{begins}\n{HEAD}{}{}\n{ENDS}{rest}", table.concat(), row("all", &sums));
    fs::write(&path, page).map_err(|error| format!("{}: {error}", path.display()))
}
