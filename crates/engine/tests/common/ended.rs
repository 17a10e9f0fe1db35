//! Runs a test program with a time limit, and reports how it ended. `recipes/mutants` includes this file, too.

use std::process::{Command, ExitStatus};
use std::thread;
use std::time::Duration;

/// The exit status of a test program in which a test has failed.
pub(crate) const CAUGHT: i32 = 101;

/// The interval between two checks of a test program.
const LOOK: Duration = Duration::from_millis(5);

/// The maximum number of checks, in case the program waits forever.
pub(crate) const LOOKS: u32 = 360_000;

/// The memory limit of a test program, in kilobytes: an endless loop may fill a list.
const KILOBYTES: u32 = 4_000_000;

/// The signal that ends a program whose processor time has run out, on Linux and macOS.
const TIME_IS_OVER: i32 = 24;

/// How the tests of a mutant ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Ending {
    /// All tests pass.
    Passed,
    /// A test fails.
    Failed,
    /// A signal ends the test program.
    Signal,
    /// The tests ran out of time and were stopped.
    TimedOut,
}

/// The same command, run by a shell that limits its processor time and, where the system can, its memory.
pub(crate) fn limited(command: &Command, seconds: u32) -> Command {
    let mut shell = Command::new("sh");
    let memory = format!("ulimit -S -v {KILOBYTES} 2> /dev/null");
    shell.arg("-c").arg(format!("{memory}; ulimit -S -t {seconds} && exec \"$0\" \"$@\""));
    shell.arg(command.get_program()).args(command.get_args());
    shell
}

/// Runs a test program to its end, with at most this many checks.
///
/// # Errors
/// The exit status, if it is neither success nor [`CAUGHT`].
pub(crate) fn ended(command: &mut Command, looks: u32) -> Result<Ending, i32> {
    let mut child = command.spawn().expect("the tests can be run");
    for _ in 0..looks {
        if let Some(status) = child.try_wait().expect("a child can be waited for") {
            return match status.code() {
                Some(0) => Ok(Ending::Passed),
                Some(CAUGHT) => Ok(Ending::Failed),
                Some(code) => Err(code),
                None if signal(status) == Some(TIME_IS_OVER) => Ok(Ending::TimedOut),
                None => Ok(Ending::Signal),
            };
        }
        thread::sleep(LOOK);
    }
    child.kill().and_then(|()| child.wait()).expect("a child can be ended");
    Ok(Ending::TimedOut)
}

/// The signal that ended a program.
#[cfg(unix)]
fn signal(status: ExitStatus) -> Option<i32> {
    std::os::unix::process::ExitStatusExt::signal(&status)
}

/// Other systems have no signals.
#[cfg(not(unix))]
fn signal(_: ExitStatus) -> Option<i32> {
    None
}
