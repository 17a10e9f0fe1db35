//! The fate of each mutant.

use std::sync::Mutex;
use std::time::Duration;

use crate::built::Built;
use crate::each::each;
use crate::ended::{Ending, LOOKS, ended};
use crate::listed::Mutant;
use crate::reached::{Test, program};

/// The number of tests that run together at first, and the factor by which the number grows after each pass: most
/// mutants are caught by the first few.
const FIRST: usize = 4;
const TIMES: usize = 4;

/// The processor time that tests may take on a mutant: this many seconds, plus this multiple of the time without it.
const SECONDS: u32 = 4;
const LONGER: u32 = 5;

/// The fate of a mutant.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Fate {
    /// It does not compile, or not together with the others.
    NotBuilt,
    /// No test reaches it.
    NotReached,
    /// A test of a pack fails.
    CaughtByClauses,
    /// Only a test of mechanics fails.
    CaughtByMechanics,
    /// The tests do not end in time.
    TimedOut,
    /// A signal, such as a stack overflow, ends the program: no test has failed.
    Crashed,
    /// All pass.
    Survived,
}

/// The fates of these mutants, in the same order.
pub(crate) fn fates(built: &Built, tests: &[Test], mutants: &[&Mutant]) -> Vec<Fate> {
    let fates = Mutex::new(vec![Fate::NotBuilt; mutants.len()]);
    each(mutants, |place, mutant| {
        let fate = fate(built, tests, mutant);
        match fate {
            Fate::Survived => println!("  survived: {}", mutant.name),
            Fate::TimedOut => println!("  timed out: {}", mutant.name),
            Fate::Crashed => println!("  crashed: {}", mutant.name),
            _ => {}
        }
        fates.lock().expect("no thread panics")[place] = fate;
    });
    fates.into_inner().expect("no thread panics")
}

fn fate(built: &Built, tests: &[Test], mutant: &Mutant) -> Fate {
    if !built.mutants.contains(&mutant.number) {
        return Fate::NotBuilt;
    }
    // Tests in a module named after the mutant's file come first.
    let name = mutant.file.rsplit('/').next().and_then(|name| name.split(['.', '_']).next()).unwrap_or_default();
    let module = format!("::{name}");
    let reaching = |of_clause| {
        let reach = |test: &&Test| test.of_clause == of_clause && test.reached.contains(&mutant.number);
        let mut reaching: Vec<&Test> = tests.iter().filter(reach).collect();
        reaching.sort_by_key(|test| !test.name.contains(&module));
        reaching
    };
    let (clauses, mechanics) = (reaching(true), reaching(false));
    if clauses.is_empty() && mechanics.is_empty() {
        return Fate::NotReached;
    }
    let by_clauses = ending(built, &clauses, mutant, Fate::CaughtByClauses);
    by_clauses.or_else(|| ending(built, &mechanics, mutant, Fate::CaughtByMechanics)).unwrap_or(Fate::Survived)
}

/// Runs these tests on a mutant, in this order, up to the first that fails. `None` if all pass.
fn ending(built: &Built, tests: &[&Test], mutant: &Mutant, caught: Fate) -> Option<Fate> {
    let (mut rest, mut together) = (tests, FIRST);
    while !rest.is_empty() {
        let (now, later) = rest.split_at(together.min(rest.len()));
        let usual: Duration = now.iter().map(|test| test.time).sum();
        let seconds = SECONDS + LONGER * u32::try_from(usual.as_secs()).unwrap_or(u32::MAX / LONGER / 2);
        let mut names = vec!["--exact"];
        names.extend(now.iter().map(|test| test.name.as_str()));
        let mut run = program(built, seconds, &names);
        match ended(run.env("GROGNARD_ENGINE_MUTANT", mutant.number.to_string()), LOOKS) {
            Ok(Ending::Passed) => {}
            Ok(Ending::Failed) => return Some(caught),
            Ok(Ending::TimedOut) => return Some(Fate::TimedOut),
            Ok(Ending::Signal) => return Some(Fate::Crashed),
            Err(code) => panic!("{}: the tests ended with {code}", mutant.name),
        }
        (rest, together) = (later, together * TIMES);
    }
    None
}
