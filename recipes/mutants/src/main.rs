//! `just mutants-engine`: breaks every condition of the engine's mechanisms, one at a time, and checks whether a test
//! fails.
//!
//! cargo-mutants lists the changes. All of them are built into one copy of the engine, where each is switched on by its
//! number. The test program is therefore compiled only once, and runs once for each mutant, with the tests that reach
//! it.

mod built;
#[path = "../../../crates/engine/tests/common/each.rs"]
mod each;
#[path = "../../../crates/engine/tests/common/ended.rs"]
mod ended;
mod listed;
mod page;
mod reached;
mod schema;
#[cfg(test)]
mod schema_tests;
mod survivors;
mod tried;

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use listed::{Kind, Mutant};
use survivors::Survivors;
use tried::Fate;

/// The kinds of mutants, in the order in which they are tried.
const KINDS: [Kind; 2] = [Kind::Conditions, Kind::Other];

fn main() -> ExitCode {
    match run(&std::env::args().skip(1).collect::<Vec<_>>()) {
        Ok(faults) if faults.is_empty() => ExitCode::SUCCESS,
        Ok(faults) => {
            println!(
                "{}\n`BLESS=1 just mutants-engine` writes them into recipes/mutants/survivors.tsv.",
                faults.join("\n")
            );
            ExitCode::FAILURE
        }
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
}

/// Tries the mutants of the files whose paths contain one of these parts, in this order, or of all files without parts.
/// Returns the differences from the list of survivors.
fn run(parts: &[String]) -> Result<Vec<String>, String> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let root = root.canonicalize().map_err(|error| format!("{}: {error}", root.display()))?;
    let target = std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| root.join("target"), PathBuf::from);
    let scratch = target.join("mutants");
    let mutants = listed::mutants(&root)?;
    let mut asked: Vec<&Mutant> = mutants.iter().filter(|mutant| place(mutant, parts).is_some()).collect();
    asked.sort_by_key(|mutant| place(mutant, parts));
    if asked.is_empty() {
        return Err(format!("no file with mutants is called {}: see .cargo/mutants.toml", parts.join(" or ")));
    }
    let mut survivors = Survivors::read(&root)?;
    let keys = survivors::keys(&mutants);
    let kinds = if std::env::var_os("CONDITIONS").is_some() { &KINDS[..1] } else { &KINDS };
    let placed: Vec<Mutant> = mutants.iter().filter(|mutant| kinds.contains(&mutant.kind())).cloned().collect();
    let built = built::build(&root, &scratch, &placed)?;
    let tests = reached::tests(&built, &scratch)?;
    println!("{} mutants, those of conditions first", asked.len());
    let blesses = std::env::var_os("BLESS").is_some();
    let mut faults = Vec::new();
    for &kind in kinds {
        let of_kind: Vec<&Mutant> = asked.iter().copied().filter(|mutant| mutant.kind() == kind).collect();
        for of_file in of_kind.chunk_by(|one, other| one.file == other.file) {
            let fates = tried::fates(&built, &tests, of_file);
            let tried: Vec<(&Mutant, Fate)> = of_file.iter().copied().zip(fates).collect();
            let (file, line) = page::line(&tried);
            print!("{line}");
            if blesses {
                page::write_line(&root, kind, &mutants, &file, &line)?;
                survivors.write(&root, &keys, &tried)?;
            } else {
                faults.extend(survivors.faults(&keys, &tried));
            }
        }
    }
    Ok(faults)
}

/// The index of the first of these parts that occurs in the path of the mutant's file. Without parts, every file
/// matches.
fn place(mutant: &Mutant, parts: &[String]) -> Option<usize> {
    if parts.is_empty() { Some(0) } else { parts.iter().position(|part| mutant.file.contains(part.as_str())) }
}
