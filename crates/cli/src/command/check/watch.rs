//! Checking again whenever a file changes.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::mpsc::{Receiver, channel};
use std::time::Duration;

use grognard_source::Sources;
use notify::{Event, EventKind, RecommendedWatcher, RecursiveMode, Watcher};

use crate::failure::{Failure, Status};
use crate::terminal;

/// Editors save in several steps. Changes within this time belong together.
const TOGETHER: Duration = Duration::from_millis(50);

/// Runs `check` until the command is stopped: now, and again whenever a TOML file in the given folders or a file that
/// it read changes.
///
/// # Errors
///
/// Files cannot be watched, or `check` fails.
pub(super) fn watch(
    paths: &[PathBuf],
    mut check: impl FnMut(&mut Sources) -> Result<Status, Failure>,
) -> Result<Status, Failure> {
    let (sender, changes) = channel();
    let mut watcher = notify::recommended_watcher(sender).map_err(|error| unwatched(&error))?;
    let mut watched = BTreeSet::new();
    loop {
        // Watch the folders before the check, so that no change during it is missed.
        let folders = paths.iter().filter(|path| path.is_dir()).cloned();
        follow(folders, &mut watcher, &mut watched)?;
        let mut sources = Sources::new();
        let status = match check(&mut sources) {
            Ok(status) => status,
            Err(failure) => failure.tell(&sources),
        };
        let read = sources.names().map(PathBuf::from).filter(|path| path.is_file());
        let folders = read.filter_map(|path| path.parent().map(Path::to_path_buf));
        follow(folders, &mut watcher, &mut watched)?;
        if watched.is_empty() {
            // Everything is built in, so nothing can change.
            return Ok(status);
        }
        terminal::say("watching for changes; press Ctrl-C to stop");
        if !wait(&changes) {
            return Ok(status);
        }
        terminal::say("");
    }
}

/// Watches folders that are not yet watched.
fn follow(
    folders: impl Iterator<Item = PathBuf>,
    watcher: &mut RecommendedWatcher,
    watched: &mut BTreeSet<PathBuf>,
) -> Result<(), Failure> {
    for folder in folders {
        let folder = if folder.as_os_str().is_empty() { PathBuf::from(".") } else { folder };
        if watched.insert(folder.clone()) {
            watcher.watch(&folder, RecursiveMode::NonRecursive).map_err(|error| unwatched(&error))?;
        }
    }
    Ok(())
}

/// Waits for a change, and for all changes that belong to it. Returns false if no more can come.
fn wait(changes: &Receiver<notify::Result<Event>>) -> bool {
    loop {
        match changes.recv() {
            Ok(Ok(event)) if matters(&event) => break,
            Ok(_) => {}
            Err(_) => return false,
        }
    }
    while changes.recv_timeout(TOGETHER).is_ok() {}
    true
}

/// Whether a TOML file was changed, not just read.
fn matters(event: &Event) -> bool {
    let toml = |path: &PathBuf| path.extension().is_some_and(|extension| extension == "toml");
    !matches!(event.kind, EventKind::Access(_)) && event.paths.iter().any(toml)
}

fn unwatched(error: &notify::Error) -> Failure {
    Failure::beyond(format!("cannot watch the files: {error}"), "run it without --watch")
}
