//! Runs the tests of a mutant's clauses on it.

use std::collections::BTreeMap;
use std::process::{Command, Stdio};
use std::sync::Mutex;

use grognard_rules::library::load;
use grognard_source::Sources;

use super::super::registered::{clause_tests, module, names, test_name, tests};
use super::rows::{Mutant, facts};
use crate::common::MUTANT;
use crate::common::each::each;
use crate::common::ended::{CAUGHT, Ending, LOOKS, ended, limited};

/// The limit on the processor time of a mutant's tests, in seconds. The tests of a whole pack need only a few. Waiting
/// for a busy machine does not count.
const SECONDS: u32 = 120;

/// The number of mutants after which progress is printed.
const PROGRESS: usize = 50;

/// The fate of a mutant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Fate {
    /// It is no longer a valid pack: `grognard check` refuses it.
    Refused,
    /// A test of one of its clauses, or of a fact that its note names, fails.
    Caught,
    /// The row or the number is a house value, and a test of another clause of the pack fails.
    CaughtByOthers,
    /// The tests do not end in time: a battle never ends, or they need far longer than without the change.
    TimedOut,
    /// A signal ends the test program, for instance after a stack overflow: no test has failed.
    Crashed,
    /// All tests pass.
    Survived,
}

impl Ending {
    /// The fate of the mutant, if a failing test means `caught`. `None` if it survives these tests.
    fn fate(self, caught: Fate) -> Option<Fate> {
        match self {
            Self::Passed => None,
            Self::Failed => Some(caught),
            Self::Signal => Some(Fate::Crashed),
            Self::TimedOut => Some(Fate::TimedOut),
        }
    }
}

/// The fates of these mutants, in order.
pub(super) fn fates(pack: &str, mutants: Vec<Mutant>) -> Vec<(Mutant, Fate)> {
    let (names, tests) = (names(), clause_tests());
    let fates = Mutex::new(BTreeMap::new());
    each(&mutants, |place, mutant| {
        let fate = fate(pack, mutant, &names, &tests);
        let said = match fate {
            Fate::Survived => "",
            Fate::TimedOut => "timed out: ",
            Fate::Crashed => "crashed: ",
            Fate::Refused | Fate::Caught | Fate::CaughtByOthers => "caught",
        };
        if said != "caught" {
            println!("  {said}{}: {} [{}]", mutant.what, mutant.mutation.0, mutant.cite.join(", "));
        }
        let mut fates = fates.lock().expect("no thread panics");
        fates.insert(place, fate);
        if fates.len() % PROGRESS == 0 {
            println!("  {} of {} tried", fates.len(), mutants.len());
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
    // Facts of the base game have tests named after them; house rows name these facts in their notes.
    own.extend(names.iter().filter(|name| of_fact(name, pack, mutant)).map(String::as_str));
    let house = mutant.cite.iter().any(|clause| clause == "house");
    // Most house numbers are covered by tests that are not named after a clause. These run first, to save time.
    let others: Vec<&str> = names.iter().map(String::as_str).filter(|name| of_no_clause(name, pack)).collect();
    let all = format!("{}::", module(pack));
    let by = |which: &[&str], caught: Fate| ending(pack, mutant, which).fate(caught);
    let own = || (!own.is_empty()).then(|| by(&[&own[..], &["--exact"]].concat(), Fate::Caught)).flatten();
    let named =
        || (!others.is_empty()).then(|| by(&[&others[..], &["--exact"]].concat(), Fate::CaughtByOthers)).flatten();
    let of_house = || house.then(|| named().or_else(|| by(&[&all], Fate::CaughtByOthers))).flatten();
    own().or_else(of_house).unwrap_or(Fate::Survived)
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

/// The result of these tests on the mutant.
fn ending(pack: &str, mutant: &Mutant, which: &[&str]) -> Ending {
    let mut run = limited(&tests(), SECONDS);
    run.args(which).args(["--test-threads", "1"]).env(MUTANT, format!("{pack} {}", mutant.mutation.0));
    run.stdout(Stdio::null()).stderr(Stdio::null());
    ended(&mut run, LOOKS).unwrap_or_else(|code| panic!("{}: the tests ended with {code}", mutant.mutation.0))
}

#[test]
fn a_mutant_that_crashes_or_never_ends_is_not_counted_as_caught() {
    let shell = |script: &str| {
        let mut shell = Command::new("sh");
        shell.args(["-c", script]);
        shell
    };
    let run = |script: &str, looks: u32| ended(&mut shell(script), looks);
    assert_eq!(run("exit 0", LOOKS), Ok(Ending::Passed));
    assert_eq!(run(&format!("exit {CAUGHT}"), LOOKS), Ok(Ending::Failed));
    assert_eq!(run("exit 3", LOOKS), Err(3));
    assert_eq!(run("kill -SEGV $$", LOOKS), Ok(Ending::Signal));
    assert_eq!(run("exec sleep 60", 4), Ok(Ending::TimedOut));
    assert_eq!(ended(&mut limited(&shell("exit 0"), 1), LOOKS), Ok(Ending::Passed));
    assert_eq!(ended(&mut limited(&shell("while :; do :; done"), 1), LOOKS), Ok(Ending::TimedOut));
    let fates = [Ending::Passed, Ending::Failed, Ending::Signal, Ending::TimedOut].map(|end| end.fate(Fate::Caught));
    assert_eq!(fates, [None, Some(Fate::Caught), Some(Fate::Crashed), Some(Fate::TimedOut)]);
}
