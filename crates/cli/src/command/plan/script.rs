//! The commands that spend the time given by `--time`.

use std::fmt::Write as _;
use std::fs;
use std::path::Path;
use std::time::Duration;

use grognard_lab::plan::{Family, Trial};
use grognard_lab::shell::quoted;
use grognard_lab::study::{Changes, Study};
use grognard_source::Sources;

use super::Args;
use crate::failure::Failure;
use crate::study::{load, overrides};

/// Cells that one command fights.
pub(crate) struct Run {
    /// Their positions in the study.
    pub(crate) cells: Vec<usize>,
    /// Battles of each.
    pub(crate) battles: u64,
    /// The approximate number of seconds.
    pub(crate) seconds: f64,
    /// The command.
    pub(crate) command: String,
}

/// How to spend the time: a command for each family of cells, or one for all if families cannot be separated.
pub(super) fn runs(
    args: &Args,
    study: &Study,
    trial: &Trial,
    time: Duration,
    seed: Option<u64>,
    sources: &mut Sources,
) -> Vec<Run> {
    let seconds = time.as_secs_f64();
    let families = trial.allocate(seconds);
    let apart: Option<Vec<Run>> = families.iter().map(|family| run_of(args, study, family, seed, sources)).collect();
    apart.filter(|runs| runs.len() > 1).unwrap_or_else(|| {
        let block = u64::from(grognard_lab::runner::BLOCK);
        let each = (seconds / trial.seconds(block)).floor().max(1.0) as u64;
        let battles = each.min(grognard_lab::RUNS_MAX / block) * block;
        let command = command(args, &[], battles, seed, None);
        vec![Run { cells: (0..study.cells.len()).collect(), battles, seconds: trial.seconds(battles), command }]
    })
}

/// The command that fights a family's cells and no others; `None` if no command does.
fn run_of(args: &Args, study: &Study, family: &Family, seed: Option<u64>, sources: &mut Sources) -> Option<Run> {
    let pins: Vec<String> = family.common.iter().map(|(path, value)| format!("{path}={value}")).collect();
    // A pinned value may be text that parses as another type; the command would then select different cells.
    let set = overrides(&[args.set.as_slice(), &pins].concat(), sources).ok()?;
    let pinned = load(&args.study, &Changes { set, seed, ..Changes::default() }, sources).ok()?;
    let settings = |cell: &grognard_lab::study::Cell| {
        let mut settings: Vec<_> =
            cell.header.vary.iter().map(|setting| (setting.path.clone(), setting.value.text.clone())).collect();
        settings.sort();
        settings
    };
    let meant: Vec<_> = family.cells.iter().map(|&cell| settings(&study.cells[cell])).collect();
    if pinned.cells.iter().map(settings).collect::<Vec<_>>() != meant {
        return None;
    }
    let words: Vec<&str> = family.common.iter().map(|(_, value)| value.as_str()).collect();
    let plain = |letter: char| if letter.is_ascii_alphanumeric() || letter == '.' { letter } else { '-' };
    let name: String = words.join("-").chars().map(plain).collect();
    let out = format!("results/{}.plan/{name}", study.header.name);
    let command = command(args, &pins, family.battles, seed, Some(&out));
    Some(Run { cells: family.cells.clone(), battles: family.battles, seconds: family.seconds, command })
}

fn command(args: &Args, pins: &[String], battles: u64, seed: Option<u64>, out: Option<&str>) -> String {
    let mut words =
        vec![format!("grognard run {}", quoted(&args.study.to_string_lossy())), format!("--runs {battles}")];
    words.extend(seed.map(|seed| format!("--seed {seed}")));
    words.extend(args.set.iter().chain(pins).map(|set| format!("--set {}", quoted(set))));
    words.extend((args.level != grognard_stats::Level::default()).then(|| format!("--level {}", args.level.get())));
    words.extend(args.threads.map(|threads| format!("--threads {threads}")));
    words.extend(out.map(|out| format!("--out {}", quoted(out))));
    words.join(" ")
}

/// Writes the commands as a script, completely or not at all.
pub(super) fn write(path: &Path, study: &Study, runs: &[Run]) -> Result<(), Failure> {
    let mut text = format!("#!/bin/sh\n# {}, by `grognard plan`.\nset -e\n", study.header.name);
    for run in runs {
        // Writing to a String does not fail.
        let _ = writeln!(text, "{}", run.command);
    }
    let refused = |error: std::io::Error| Failure::unfinished(format!("cannot write {}: {error}", path.display()));
    let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let temporary = path.with_file_name(format!(".grognard-{name}"));
    fs::write(&temporary, text).map_err(refused)?;
    fs::rename(&temporary, path).map_err(|error| {
        // The first error is the one to report.
        let _ = fs::remove_file(&temporary);
        refused(error)
    })
}
