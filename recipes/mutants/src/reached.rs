//! The tests of the built program, and the mutants that each of them reaches.

#![allow(clippy::disallowed_types, reason = "quick tests run first, and none is given too little time")]

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::Mutex;
use std::time::{Duration, Instant};

use crate::built::Built;
use crate::each::each;
use crate::ended::{Ending, LOOKS, ended, limited};

/// The processor time that a test may take without a mutant, in seconds. Slower ones, which fight thousands of battles, do not run: a mutant
/// that survives is tried with every test that reaches it.
const SECONDS: u32 = 2;

/// The tests that run: those of the packs' clauses, then those of mechanics that no large pack has.
const CLAUSES: &str = "clauses::";
const MECHANICS: &str = "mechanics::";

/// These run other tests, or only look at packs.
const WITHOUT: [&str; 2] = ["clauses::mutants::", "clauses::registered::"];

/// One test.
pub(crate) struct Test {
    /// Its name in the program.
    pub(crate) name: String,
    /// Whether it tests a clause of a pack.
    pub(crate) of_clause: bool,
    /// The time it takes on this machine, under the load at that time.
    pub(crate) time: Duration,
    /// The numbers of the mutants that it reaches.
    pub(crate) reached: BTreeSet<u32>,
}

impl Test {
    fn new(name: &str, time: Duration, reached: BTreeSet<u32>) -> Self {
        Self { name: name.to_owned(), of_clause: name.starts_with(CLAUSES), time, reached }
    }
}

/// The tests of the built program. Runs each of them once without a mutant, unless that was done already.
///
/// # Errors
/// A test fails without a mutant, or the program cannot be run.
pub(crate) fn tests(built: &Built, scratch: &Path) -> Result<Vec<Test>, String> {
    let kept = scratch.join("reached");
    let built_at = fs::metadata(&built.program).and_then(|program| program.modified());
    let built_at = format!("{:?}", built_at.map_err(|error| format!("{}: {error}", built.program.display()))?);
    if let Some(tests) = read(&fs::read_to_string(&kept).unwrap_or_default(), &built_at) {
        return Ok(tests);
    }
    let names = names(built)?;
    println!("{} tests: finding the mutants that each one reaches", names.len());
    let (tests, failed) = (Mutex::new(Vec::new()), Mutex::new(Vec::new()));
    each(&names, |number, name| {
        let list = scratch.join(format!("reached-{number}"));
        let begun = Instant::now();
        let mut run = program(built, SECONDS, &["--exact", name]);
        let ending = ended(run.env("GROGNARD_ENGINE_REACHED", &list), LOOKS);
        let reached = fs::read_to_string(&list).unwrap_or_default();
        fs::remove_file(&list).ok();
        match ending {
            Ok(Ending::Passed) => {}
            Ok(Ending::TimedOut) => return println!("  left out, because it is slow: {name}"),
            _ => return failed.lock().expect("no thread panics").push(name.clone()),
        }
        let reached = reached.lines().filter_map(|number| number.parse().ok()).collect();
        tests.lock().expect("no thread panics").push(Test::new(name, begun.elapsed(), reached));
    });
    let failed = failed.into_inner().expect("no thread panics");
    if !failed.is_empty() {
        return Err(format!("these tests fail without a mutant: {}", failed.join(", ")));
    }
    let mut tests = tests.into_inner().expect("no thread panics");
    tests.sort_by_key(|test| test.time);
    let lines: String = tests.iter().map(line).collect();
    fs::write(&kept, format!("{built_at}\n{lines}")).map_err(|error| format!("{}: {error}", kept.display()))?;
    Ok(tests)
}

/// A test as it is stored until the program is built again: name, milliseconds and mutants, separated by tabs.
fn line(test: &Test) -> String {
    let reached: Vec<String> = test.reached.iter().map(u32::to_string).collect();
    format!("{}\t{}\t{}\n", test.name, test.time.as_millis(), reached.join(" "))
}

/// The tests that were stored, if they belong to the program built at that time.
fn read(kept: &str, built_at: &str) -> Option<Vec<Test>> {
    let (program, lines) = kept.split_once('\n')?;
    let test = |line: &str| {
        let (name, rest) = line.split_once('\t')?;
        let (time, reached) = rest.split_once('\t')?;
        let reached = reached.split_whitespace().filter_map(|number| number.parse().ok()).collect();
        Some(Test::new(name, Duration::from_millis(time.parse().ok()?), reached))
    };
    (program == built_at).then(|| lines.lines().map(test).collect()).flatten()
}

/// The program with limits, and with its settings added to the environment of this one.
pub(crate) fn program(built: &Built, seconds: u32, tests: &[&str]) -> Command {
    let mut whole = Command::new(&built.program);
    whole.args(tests).args(["--test-threads", "1"]);
    let mut run = limited(&whole, seconds);
    run.current_dir(&built.folder).env("CARGO_MANIFEST_DIR", &built.folder);
    run.stdout(Stdio::null()).stderr(Stdio::null());
    run
}

fn names(built: &Built) -> Result<Vec<String>, String> {
    let mut list = Command::new(&built.program);
    let list = list.args(["--list", "--format", "terse"]).current_dir(&built.folder).output();
    let list = list.map_err(|error| format!("{} cannot be run: {error}", built.program.display()))?;
    let names = String::from_utf8_lossy(&list.stdout).into_owned();
    let names = names.lines().filter_map(|line| line.strip_suffix(": test")).map(str::to_owned);
    let runs = |name: &String| {
        [CLAUSES, MECHANICS].iter().any(|module| name.starts_with(module))
            && WITHOUT.iter().all(|module| !name.starts_with(module))
    };
    Ok(names.filter(runs).collect())
}
