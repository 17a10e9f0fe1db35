//! Running the tests of a mutant's clauses on it.

use std::collections::BTreeMap;
use std::process::{Command, Stdio};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use std::time::Duration;

use grognard_rules::library::load;
use grognard_source::Sources;

use super::super::registered::{clause_tests, module, names, test_name, tests};
use super::rows::{Mutant, facts};
use crate::common::{CAUGHT, MUTANT};

/// How long to wait between two looks at a test program, and how many looks to take: the tests of a whole pack need a few
/// seconds. A mutant whose battle never ends is caught.
const LOOK: Duration = Duration::from_millis(5);
const LOOKS: u32 = 24_000;

/// What becomes of a mutant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Fate {
    /// It is no pack any more: `grognard check` refuses it.
    Refused,
    /// A test of one of its clauses, or of a fact that its note names, fails.
    Caught,
    /// A house row's, or that of a number that is the house's: a test of another clause of the pack fails.
    CaughtByOthers,
    /// All pass.
    Survived,
}

/// What becomes of each of these mutants, in their order.
pub(super) fn fates(pack: &str, mutants: Vec<Mutant>) -> Vec<(Mutant, Fate)> {
    let (names, tests) = (names(), clause_tests());
    let (next, fates) = (AtomicUsize::new(0), Mutex::new(BTreeMap::new()));
    let threads = thread::available_parallelism().map_or(1, usize::from);
    thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(|| {
                loop {
                    let place = next.fetch_add(1, Ordering::Relaxed);
                    let Some(mutant) = mutants.get(place) else { break };
                    let fate = fate(pack, mutant, &names, &tests);
                    if fate == Fate::Survived {
                        println!("  {}: {} [{}]", mutant.what, mutant.mutation.0, mutant.cite.join(", "));
                    }
                    fates.lock().expect("no thread panics").insert(place, fate);
                }
            });
        }
    });
    let mut fates = fates.into_inner().expect("no thread panics");
    let fate = |(place, mutant)| (mutant, fates.remove(&place).expect("every mutant is tried"));
    mutants.into_iter().enumerate().map(fate).collect()
}

fn fate(pack: &str, mutant: &Mutant, names: &[String], tests: &BTreeMap<(String, String), Vec<String>>) -> Fate {
    if !compiles(pack, mutant) {
        return Fate::Refused;
    }
    let own = |clause: &String| tests.get(&(module(pack), test_name(clause)));
    let mut own: Vec<&str> = mutant.cite.iter().filter_map(own).flatten().map(String::as_str).collect();
    // Base-game facts have tests that are named after them, and house rows that name them in their notes.
    own.extend(names.iter().filter(|name| of_fact(name, pack, mutant)).map(String::as_str));
    let house = mutant.cite.iter().any(|clause| clause == "house");
    // Most numbers of the house are held by tests that are named after no clause: they are tried first, to save time.
    let others: Vec<&str> = names.iter().map(String::as_str).filter(|name| of_no_clause(name, pack)).collect();
    match () {
        () if !own.is_empty() && fails(pack, mutant, &[&own[..], &["--exact"]].concat()) => Fate::Caught,
        () if house && !others.is_empty() && fails(pack, mutant, &[&others[..], &["--exact"]].concat()) => {
            Fate::CaughtByOthers
        }
        () if house && fails(pack, mutant, &[&format!("{}::", module(pack))]) => Fate::CaughtByOthers,
        () => Fate::Survived,
    }
}

fn of_no_clause(name: &str, pack: &str) -> bool {
    let test = name.rsplit("::").next().unwrap_or_default();
    name.starts_with(&format!("{}::", module(pack))) && !test.starts_with("clause_")
}

fn of_fact(name: &str, pack: &str, mutant: &Mutant) -> bool {
    let test = name.rsplit("::").next().unwrap_or_default();
    name.starts_with(&module(pack)) && test.starts_with("fact") && !facts(test).is_disjoint(&mutant.facts)
}

fn compiles(pack: &str, mutant: &Mutant) -> bool {
    let mut sources = Sources::new();
    let mut pack = load(pack, None, &mut sources).expect("a built-in pack loads");
    mutant.mutation.apply(&mut pack.document, &mut sources);
    pack.compile(&sources).is_ok()
}

/// Whether one of these tests fails on the mutant.
fn fails(pack: &str, mutant: &Mutant, which: &[&str]) -> bool {
    let mut run = tests();
    run.args(which).args(["--test-threads", "1"]).env(MUTANT, format!("{pack} {}", mutant.mutation.0));
    run.stdout(Stdio::null()).stderr(Stdio::null());
    match ended(&mut run) {
        Some(code) => {
            assert!([0, CAUGHT].contains(&code), "{}: the tests ended with {code}", mutant.mutation.0);
            code == CAUGHT
        }
        None => true,
    }
}

/// How a command ends, if it does so in time.
fn ended(command: &mut Command) -> Option<i32> {
    let mut child = command.spawn().expect("the tests can be run");
    for _ in 0..LOOKS {
        if let Some(status) = child.try_wait().expect("a child can be waited for") {
            return Some(status.code().unwrap_or(CAUGHT));
        }
        thread::sleep(LOOK);
    }
    child.kill().and_then(|()| child.wait()).expect("a child can be ended");
    None
}
