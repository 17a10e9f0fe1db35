//! Prints the survivors on the terminal, and writes the table in docs/mutants.md.

use std::fmt::Write as _;
use std::path::Path;

use grognard_rules::library::{PACKS, load};
use grognard_source::Sources;

use super::Tried;
use super::run::Fate;
use super::survivors::Survivors;

/// The header of the table.
const HEAD: &str = "\
    | pack | version | rows | mutants | refused by `check` | caught by the row's clauses | caught by others | timed out | crashed | survived | survived of those that load |\n\
    |---|---|---:|---:|---:|---:|---:|---:|---:|---:|---:|\n";

/// The beginning of the heading of a pack's list of survivors.
const SECTION: &str = "\n## Survivors of ";

/// The table of the fates of each pack's mutants.
pub(super) fn table(tried: &[Tried]) -> String {
    tried.iter().fold(HEAD.to_owned(), |table, one| table + &line(one))
}

fn line(one: &Tried) -> String {
    let count = |fate| one.of(fate).count();
    let (refused, survived) = (count(Fate::Refused), count(Fate::Survived));
    let tried = one.fates.len();
    let tenths = (1000 * survived + (tried - refused) / 2).checked_div(tried - refused).unwrap_or(0);
    let (caught, others) = (count(Fate::Caught), count(Fate::CaughtByOthers));
    let (late, crashed) = (count(Fate::TimedOut), count(Fate::Crashed));
    let (whole, tenth) = (tenths / 10, tenths % 10);
    format!(
        "| {} | {} | {} | {tried} | {refused} | {caught} | {others} | {late} | {crashed} | {survived} | {whole}.{tenth} % |\n",
        one.pack,
        version(one.pack),
        one.rows
    )
}

fn version(pack: &str) -> String {
    let pack = load(pack, None, &mut Sources::new()).expect("built-in packs load");
    let version = pack.document.root.get("version").and_then(|version| version.as_text());
    version.expect("every built-in pack has a version").to_owned()
}

/// The survivors of a pack with their reasons.
fn section(one: &Tried, survivors: &Survivors) -> String {
    let mut rows = String::new();
    for mutant in one.of(Fate::Survived) {
        let change = &mutant.mutation.0;
        let reason = survivors.reason(one.pack, change).unwrap_or("not listed");
        let change = change.replace('|', "\\|");
        writeln!(rows, "| {} | `{change}` | {} | {reason} |", mutant.what, mutant.cite.join(", "))
            .expect("a string takes everything");
    }
    if rows.is_empty() {
        return rows;
    }
    format!("{SECTION}{}\n\n| what | change | clauses | why |\n|---|---|---|---|\n{rows}", one.pack)
}

/// Writes the table and the survivors with their reasons into docs/mutants.md. Packs that were not tried keep their
/// entries.
pub(super) fn write(tried: &[Tried], survivors: &Survivors) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/mutants.md");
    let page = std::fs::read_to_string(&path).expect("the page is there");
    let mark = "<!-- `BLESS=1 just mutants` writes the rest of this page. -->\n";
    let (head, before) = page.split_once(mark).expect("the page has its mark");
    let (mut lines, mut sections) = (HEAD.to_owned(), String::new());
    for pack in PACKS {
        if let Some(one) = tried.iter().find(|one| one.pack == pack.name) {
            lines += &line(one);
            sections += &section(one, survivors);
            continue;
        }
        let begins = format!("| {} |", pack.name);
        for line in before.lines().filter(|line| line.starts_with(&begins)) {
            lines += &format!("{line}\n");
        }
        for section in before.split(SECTION).skip(1).filter(|section| section.lines().next() == Some(pack.name)) {
            sections += &format!("{SECTION}{section}");
        }
    }
    std::fs::write(&path, format!("{head}{mark}\n{lines}{sections}")).expect("the page can be written");
}
