//! Records which clauses each test has seen: `clauses/registered.rs` runs the tests again and reads the list.

use std::fs::OpenOptions;
use std::io::Write as _;

/// The environment variable with the path of the list. Without it, nothing is written.
pub(crate) const LIST: &str = "GROGNARD_TEST_CLAUSES";

/// Records that the running test has seen this clause.
///
/// The recorder does this for every clause that an event cites. Some clauses appear in no event, such as a limit on the
/// units in a deployment, or what a metric counts. A test of such a clause calls this itself, at the point where it
/// checks the clause.
pub(crate) fn witnessed(clause: &str) {
    let Some(path) = std::env::var_os(LIST) else { return };
    let thread = std::thread::current();
    // The harness names a test's thread after the test.
    let line = format!("{}\t{clause}\n", thread.name().unwrap_or_default());
    let list = OpenOptions::new().create(true).append(true).open(path);
    list.and_then(|mut list| list.write_all(line.as_bytes())).expect("the list of clauses can be written");
}
