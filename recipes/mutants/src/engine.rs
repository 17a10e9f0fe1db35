//! Which mutant is on. `recipes/mutants` adds this module to its copy of the engine.

use std::fs::{File, OpenOptions};
use std::io::Write as _;
use std::sync::atomic::{AtomicU32, Ordering::Relaxed};
use std::sync::{Mutex, MutexGuard};

/// The environment is not read yet.
const UNREAD: u32 = 0;

/// No mutant is on; those that are reached are recorded.
const LISTENING: u32 = u32::MAX;

/// No mutant is on.
const NONE: u32 = u32::MAX - 1;

/// The number of the mutant that is on, or one of the above.
static ON: AtomicU32 = AtomicU32::new(UNREAD);

/// The file in which reached mutants are recorded, and which have been recorded already.
static REACHED: Mutex<(Option<File>, Vec<bool>)> = Mutex::new((None, Vec::new()));

/// Whether this mutant is on.
#[inline(always)]
pub(crate) fn on(mutant: u32) -> bool {
    match ON.load(Relaxed) {
        LISTENING | UNREAD => asked(mutant),
        on => on == mutant,
    }
}

#[cold]
fn asked(mutant: u32) -> bool {
    if ON.load(Relaxed) == UNREAD {
        read();
    }
    if ON.load(Relaxed) != LISTENING {
        return ON.load(Relaxed) == mutant;
    }
    let mut reached = reached();
    let (Some(file), known) = &mut *reached else { return false };
    let place = mutant as usize;
    if known.len() <= place {
        known.resize(place + 1, false);
    }
    if !std::mem::replace(&mut known[place], true) {
        writeln!(file, "{mutant}").expect("the list can be written");
    }
    false
}

/// Reads from the environment which mutant is on, or where to record those that are reached.
fn read() {
    let mut reached = reached();
    if ON.load(Relaxed) != UNREAD {
        return;
    }
    // The first test that fails has caught the mutant, so the others need not run.
    std::panic::set_hook(Box::new(|_| std::process::exit(101)));
    let number = std::env::var("GROGNARD_ENGINE_MUTANT").ok().map(|number| number.parse().expect("a mutant's number"));
    let list = std::env::var_os("GROGNARD_ENGINE_REACHED");
    reached.0 = list.map(|list| OpenOptions::new().create(true).append(true).open(list).expect("the list can be opened"));
    ON.store(number.unwrap_or(if reached.0.is_some() { LISTENING } else { NONE }), Relaxed);
}

fn reached() -> MutexGuard<'static, (Option<File>, Vec<bool>)> {
    REACHED.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
}
