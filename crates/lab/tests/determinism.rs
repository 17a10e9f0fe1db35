//! A study always has the same digest, regardless of the fighter, and of the order and the pieces in which its
//! battles are fought.

use std::path::Path;

use grognard_lab::digest::Digest;
use grognard_lab::memoised_cells::MemoisedCells;
use grognard_lab::progress::{Silent, Stop};
use grognard_lab::runner::{Discard, Fighter, Keep, RunOptions, Tallied, run};
use grognard_lab::study::{Changes, Study};
use grognard_source::Sources;

/// Two blocks and part of a third.
const RUNS: u64 = 9_000;

/// One study of each rule system, reduced to its first cells by pinning varied paths.
fn studies() -> [Study; 4] {
    ["risk-dice", "refduel", "forming-square-late", "pip-square"].map(|name| {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../studies").join(name).with_extension("toml");
        let mut sources = Sources::new();
        let changes = Changes { runs: Some(RUNS), ..Changes::default() };
        let mut study = Study::load(&path, &changes, &mut sources)
            .unwrap_or_else(|faults| panic!("{}", faults.render(&sources, false)));
        study.cells.truncate(3);
        for cell in &mut study.cells {
            cell.header.baseline = Some(0);
        }
        study
    })
}

/// The digest that the runner computes.
fn fought(study: &Study, fighter: &impl Fighter, threads: usize, battles: std::ops::Range<u64>) -> Digest {
    let options = RunOptions {
        baselines: study.baselines(),
        battles,
        precision: None,
        decide: false,
        both_ways: study.is_both_ways(),
        luck: false,
        histograms: Vec::new(),
        intervals: Default::default(),
        keep: Keep::None,
        threads,
    };
    let mut tallied = Tallied::new(options.battles.start, &options.baselines);
    run(&options, fighter, &mut tallied, &mut Discard, &Silent, &Stop::new()).expect("the threads start");
    tallied.digest
}

/// The digest of battles fought in chunks of this size, the last chunk of the last cell first.
fn backwards(study: &Study, chunk: u64) -> Digest {
    let mut digest = Digest::default();
    let fighter = MemoisedCells::new(study);
    for cell in (0..study.cells.len() as u32).rev() {
        let starts: Vec<u64> = (0..RUNS).step_by(chunk as usize).collect();
        for start in starts.into_iter().rev() {
            let fought = fighter.fight(cell, start..(start + chunk).min(RUNS));
            digest.count(cell, start, &fought.into_iter().collect());
        }
    }
    digest
}

#[test]
fn threads_chunks_shards_and_order_change_no_battle() {
    for study in studies() {
        let name = &study.header.name;
        let fighter = MemoisedCells::new(&study);
        let expected = fought(&study, &fighter, 1, 0..RUNS);
        for threads in [2, 8] {
            // Each run has a new fighter: the cache of a fighter does not affect its battles.
            assert_eq!(
                fought(&study, &MemoisedCells::new(&study), threads, 0..RUNS),
                expected,
                "{name}, {threads} threads"
            );
        }
        for chunk in [7, 1_000, RUNS] {
            assert_eq!(backwards(&study, chunk), expected, "{name}, chunks of {chunk}");
        }
        let mut sum = Digest::default();
        for shard in [4_096..8_192, 8_192..RUNS, 0..4_096] {
            sum.merge(fought(&study, &MemoisedCells::new(&study), 2, shard));
        }
        assert_eq!(sum, expected, "{name}, shards");
        // Battles that are played step by step, without a cache, are the same.
        for cell in 0..study.cells.len() as u32 {
            assert_eq!(fighter.fight(cell, 0..500), study.fight(cell, 0..500), "{name}, cell {cell}");
        }
    }
}
