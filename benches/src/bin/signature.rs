//! `just signature`: the digest of a fixed workload, and its speed.
//!
//! The workload is the headline study with every battle kept, as a user would run it; speed is given in processor time,
//! which a busy machine affects less than wall time.

use std::process::ExitCode;

use grognard_benches::answers::{CHANGED, SIGNATURE, on_file};
use grognard_benches::cpu::{Clocks, Elapsed};
use grognard_benches::work::{SIGNATURE_RUNS, headline};
use grognard_lab::digest::Digest;
use grognard_lab::folder_run::FolderRun;
use grognard_lab::progress::{Silent, Stop};
use grognard_lab::runner::{Keep, Shard};
use grognard_lab::study::Study;

/// How often the workload is run with each number of threads; the fastest run counts.
const ROUNDS: usize = 3;

fn main() -> ExitCode {
    match measure() {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => {
            eprintln!("signature: {CHANGED}");
            ExitCode::FAILURE
        }
        Err(error) => {
            eprintln!("signature: {error}");
            ExitCode::FAILURE
        }
    }
}

/// Measures and prints. Returns whether the digest is the recorded one.
fn measure() -> Result<bool, Box<dyn std::error::Error>> {
    let study = headline(SIGNATURE_RUNS);
    let battles = study.cells.len() as f64 * SIGNATURE_RUNS as f64;
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    println!(
        "workload   {}: {} cells of {SIGNATURE_RUNS} battles, seed {}, every battle kept",
        study.header.name,
        study.cells.len(),
        study.seed
    );
    let (digest, one) = fastest(&study, 1)?;
    let (same, two) = fastest(&study, 2)?;
    let known = on_file(SIGNATURE);
    let word = if known == Some(digest) { "as on file" } else { "NOT as on file" };
    println!("digest     {digest} ({word})");
    for (threads, elapsed) in [(1, one), (2, two)] {
        println!(
            "{threads} thread{}  {:>9.0} battles per processor second, {:>9.0} per second",
            if threads == 1 { " " } else { "s" },
            battles / elapsed.cpu_s(),
            battles / elapsed.wall.as_secs_f64()
        );
    }
    println!(
        "2 over 1   {:.2} times as fast on the wall, {cores} cores",
        one.wall.as_secs_f64() / two.wall.as_secs_f64()
    );
    if digest != same {
        return Err(format!("two threads fought other battles than one: {same}").into());
    }
    Ok(known == Some(digest))
}

/// The digest, and the fastest of several runs with this many threads.
fn fastest(study: &Study, threads: usize) -> Result<(Digest, Elapsed), Box<dyn std::error::Error>> {
    let mut best: Option<Elapsed> = None;
    let mut digest = Digest::default();
    for _ in 0..ROUNDS {
        let folder = tempfile::tempdir()?;
        let folder_run = FolderRun {
            folder: folder.path().join("results"),
            resume: false,
            shard: Shard::WHOLE,
            precision: None,
            level: Default::default(),
            promise: Default::default(),
            luck: false,
            watch: false,
            keep: Keep::All,
            threads,
            command: String::new(),
        };
        let clocks = Clocks::start();
        let results = folder_run.fight(study, &Silent, &Stop::new())?;
        let elapsed = clocks.elapsed();
        digest = results.manifest.progress.digest.parse()?;
        if best.is_none_or(|best| elapsed.wall < best.wall) {
            best = Some(elapsed);
        }
    }
    Ok((digest, best.ok_or("nothing was measured")?))
}
