//! The survivors on the terminal, and the table in docs/mutants.md.

use std::fmt::Write as _;
use std::path::Path;

use super::Tried;
use super::run::Fate;
use super::survivors::Survivors;

/// What became of the mutants of each pack.
pub(super) fn table(tried: &[Tried]) -> String {
    let mut table = "\
        | pack | rows | mutants | refused by `check` | caught by the row's clauses | caught by others | survived | survived of those that load |\n\
        |---|---:|---:|---:|---:|---:|---:|---:|\n"
        .to_owned();
    for one in tried {
        let count = |fate| one.of(fate).count();
        let (refused, survived) = (count(Fate::Refused), count(Fate::Survived));
        let tried = one.fates.len();
        let tenths = (1000 * survived + (tried - refused) / 2).checked_div(tried - refused).unwrap_or(0);
        let (caught, others) = (count(Fate::Caught), count(Fate::CaughtByOthers));
        let (whole, tenth) = (tenths / 10, tenths % 10);
        writeln!(
            table,
            "| {} | {} | {tried} | {refused} | {caught} | {others} | {survived} | {whole}.{tenth} % |",
            one.pack, one.rows
        )
        .expect("a string takes everything");
    }
    table
}

/// Writes the table and the survivors with their reasons into docs/mutants.md.
pub(super) fn write(tried: &[Tried], survivors: &Survivors) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/mutants.md");
    let page = std::fs::read_to_string(&path).expect("the page is there");
    let mark = "<!-- `BLESS=1 just mutants` writes the rest of this page. -->\n";
    let (head, _) = page.split_once(mark).expect("the page has its mark");
    let mut text = format!("{head}{mark}\n{}", table(tried));
    for one in tried {
        let mut rows = String::new();
        for mutant in one.of(Fate::Survived) {
            let change = &mutant.mutation.0;
            let reason = survivors.reason(one.pack, change).unwrap_or("not listed");
            let change = change.replace('|', "\\|");
            writeln!(rows, "| {} | `{change}` | {} | {reason} |", mutant.what, mutant.cite.join(", "))
                .expect("a string takes everything");
        }
        if !rows.is_empty() {
            write!(
                text,
                "\n## Survivors of {}\n\n| what | change | clauses | why |\n|---|---|---|---|\n{rows}",
                one.pack
            )
            .expect("a string takes everything");
        }
    }
    std::fs::write(&path, text).expect("the page can be written");
}
