//! The recorded digests of the workloads.
//!
//! A commit that changes one of them changes published battles, and must say so.

use std::fmt::Write as _;

use grognard_lab::digest::Digest;
use grognard_lab::progress::{Silent, Stop};
use grognard_lab::runner::{Discard, Keep, RunOptions, Tallied, run};
use grognard_lab::study::Study;

use crate::work::{SIGNATURE_RUNS, headline, workloads};

/// The recorded answers: a name and a digest on each line.
pub const ON_FILE: &str = include_str!("../answers.txt");

/// The signature's name among the answers.
pub const SIGNATURE: &str = "signature";

/// The digest recorded under a name.
#[must_use]
pub fn on_file(name: &str) -> Option<Digest> {
    let line = ON_FILE.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(' '))?;
    line.trim().parse().ok()
}

/// Compares a digest with the recorded one.
///
/// # Panics
/// They differ: the workload to be timed has changed.
pub fn assert_on_file(name: &str, digest: Digest) {
    assert_eq!(Some(digest), on_file(name), "{name}: {CHANGED}");
}

/// The advice for a digest that differs from the recorded one.
pub const CHANGED: &str = "the battles have changed. If they were meant to, write benches/answers.txt again with \
    `BLESS=1 cargo test -p grognard-benches`, and say so in the commit and the changelog (value-breaking)";

/// All answers, computed again, in the form of the file.
///
/// # Panics
/// The worker threads cannot be started.
#[must_use]
pub fn worked_out() -> String {
    let mut text = String::new();
    for workload in workloads() {
        writeln!(text, "{} {}", workload.name, workload.digest()).expect("writing to a String succeeds");
    }
    let study = headline(SIGNATURE_RUNS);
    writeln!(text, "{SIGNATURE} {}", fought(&study, 2).digest).expect("writing to a String succeeds");
    text
}

/// The tallies of all battles of a study, fought with this many threads and without keeping battles.
///
/// # Panics
/// The worker threads cannot be started.
#[must_use]
pub fn fought(study: &Study, threads: usize) -> Tallied {
    let options = RunOptions {
        baselines: study.baselines(),
        battles: 0..study.runs,
        precision: None,
        decide: false,
        intervals: Default::default(),
        both_ways: false,
        luck: false,
        histograms: Vec::new(),
        keep: Keep::None,
        threads,
    };
    let mut tallied = Tallied::new(0, &options.baselines);
    run(&options, study, &mut tallied, &mut Discard, &Silent, &Stop::new()).expect("the threads start");
    tallied
}
