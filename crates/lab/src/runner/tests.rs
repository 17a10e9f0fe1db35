//! Tests of the runner with made-up battles: the counts do not depend on how the battles are fought.

use std::cell::RefCell;
use std::ops::Range;
use std::sync::atomic::{AtomicU64, Ordering};

use grognard_engine::Outcome;

use super::*;
use crate::progress::Silent;
use crate::testing::{Skirmishes, options};

const FAMILY: [Option<u32>; 5] = [Some(0), Some(0), None, Some(3), Some(3)];

fn fight(options: &RunOptions) -> (Tallied, Ending) {
    let mut tallied = Tallied::new(options.battles.start, &options.baselines);
    let ending = run(options, &Skirmishes, &mut tallied, &mut Discard, &Silent, &Stop::new()).unwrap();
    (tallied, ending)
}

/// The tallies computed by a single loop over all battles.
fn by_hand(baselines: &[Option<u32>], battles: Range<u64>) -> Tallied {
    let mut tallied = Tallied::new(battles.start, baselines);
    tallied.battles = battles.end - battles.start;
    for (cell, baseline) in (0..).zip(baselines) {
        let outcomes = |cell| Skirmishes.fight(cell, battles.clone()).into_iter().collect();
        let own = outcomes(cell);
        let tally = &mut tallied.cells[cell as usize];
        tally.count(&own);
        if let Some(paired) = &mut tally.paired {
            paired.count(&own, &outcomes(baseline.unwrap()));
        }
        tallied.digest.count(cell, battles.start, &own);
    }
    tallied
}

#[test]
fn every_battle_is_counted_once_whatever_the_threads() {
    let runs = 3 * u64::from(BLOCK) + 17;
    let expected = by_hand(&FAMILY, 0..runs);
    for threads in [1, 2, 8] {
        let (tallied, ending) = fight(&RunOptions { threads, ..options(&FAMILY, 0..runs) });
        assert_eq!(tallied, expected, "{threads} threads");
        assert_eq!(ending, Ending::AllRuns);
    }
    assert!(expected.cells[2].paired.is_none() && expected.cells[3].paired.is_none());
    assert_eq!(expected.cells[4].paired.as_ref().unwrap().joint.as_flattened().iter().sum::<u64>(), runs);
}

#[test]
fn many_cells_of_one_baseline_are_all_compared_with_it() {
    let baselines = vec![Some(150); 300];
    assert_eq!(fight(&options(&baselines, 0..50)).0, by_hand(&baselines, 0..50));
}

#[test]
fn a_run_in_instalments_equals_a_run_at_once() {
    let (whole, _) = fight(&options(&FAMILY, 100..20_000));
    let mut tallied = Tallied::new(100, &FAMILY);
    for end in [101, 4_096, 9_000, 9_000, 20_000] {
        run(&options(&FAMILY, 100..end), &Skirmishes, &mut tallied, &mut Discard, &Silent, &Stop::new()).unwrap();
        assert_eq!(tallied.next(), end);
    }
    assert_eq!(tallied, whole);
}

#[test]
fn nothing_to_fight_is_done_at_once() {
    assert_eq!(fight(&options(&FAMILY, 0..0)).0.battles, 0);
    assert_eq!(fight(&options(&[], 0..10)).1, Ending::AllRuns);
}

/// Raises the flag after this many battles.
struct Impatient<'a>(AtomicU64, u64, &'a Stop);

impl Progress for Impatient<'_> {
    fn advance(&self, battles: u64) {
        if self.0.fetch_add(battles, Ordering::Relaxed) + battles >= self.1 {
            self.2.raise();
        }
    }
}

#[test]
fn a_stopped_run_equals_a_shorter_run() {
    for patience in [0, 1, 100_000, 500_000] {
        let stop = Stop::new();
        let options = options(&FAMILY, 0..1_000_000);
        let mut tallied = Tallied::new(0, &FAMILY);
        let progress = Impatient(AtomicU64::new(0), patience, &stop);
        let ending = run(&options, &Skirmishes, &mut tallied, &mut Discard, &progress, &stop).unwrap();
        assert_eq!(ending, Ending::Stopped);
        assert!(tallied.battles < 1_000_000 && tallied.battles.is_multiple_of(u64::from(BLOCK)));
        assert_eq!(tallied, by_hand(&FAMILY, 0..tallied.battles));
    }
}

#[test]
fn a_precise_run_ends_on_the_first_rung_that_is_precise_enough() {
    // Half-width 1.96 √(pq/n) with p near 0.4: 0.0154 after one block, 0.0077 after four, 0.0069 after five.
    let precise =
        |threads| fight(&RunOptions { precision: Some(0.007), threads, ..options(&[None, None], 0..1_000_000) });
    let (tallied, ending) = precise(1);
    assert_eq!(ending, Ending::Precise);
    assert_eq!(tallied.battles, 5 * u64::from(BLOCK));
    assert_eq!(precise(8), (tallied, ending));
    let (unreached, ending) = fight(&RunOptions { precision: Some(1e-6), ..options(&[None], 0..10_000) });
    assert_eq!((unreached.battles, ending), (10_000, Ending::AllRuns));
}

#[derive(Default)]
struct Rows(RefCell<Vec<(u32, u64, Outcome)>>);

impl Sink for &Rows {
    type Error = String;
    fn rows(&mut self, cell: u32, first: u64, fought: &Fought) -> Result<(), String> {
        let outcomes = &fought.outcomes;
        self.0.borrow_mut().extend((first..).zip(outcomes.iter()).map(|(battle, outcome)| (cell, battle, *outcome)));
        Ok(())
    }
    fn block_done(&mut self, tallied: &Tallied) -> Result<(), String> {
        if tallied.battles > 9_000 { Err("full".to_owned()) } else { Ok(()) }
    }
}

#[test]
fn the_first_battles_of_each_cell_are_kept() {
    for (keep, expected) in [(Keep::All, 8_192), (Keep::None, 0), (Keep::First(5_000), 5_000), (Keep::First(3), 3)] {
        let mut rows = Vec::new();
        for threads in [1, 8] {
            let sink = Rows::default();
            let options = RunOptions { keep, threads, ..options(&FAMILY, 7..8_199) };
            let mut tallied = Tallied::new(7, &FAMILY);
            run(&options, &Skirmishes, &mut tallied, &mut &sink, &Silent, &Stop::new()).unwrap();
            rows.push(sink.0.into_inner());
        }
        assert_eq!(rows[0], rows[1]);
        for cell in 0..FAMILY.len() as u32 {
            let kept: Vec<_> = rows[0].iter().filter(|row| row.0 == cell).map(|row| (row.1, row.2)).collect();
            let fought = (7..).zip(Skirmishes.fight(cell, 7..7 + expected)).collect::<Vec<_>>();
            assert_eq!(kept, fought, "{keep:?}, cell {cell}");
        }
    }
}

#[test]
fn a_sink_that_fails_ends_the_run_with_its_error() {
    let sink = Rows::default();
    let mut tallied = Tallied::new(0, &FAMILY);
    let error = run(&options(&FAMILY, 0..50_000), &Skirmishes, &mut tallied, &mut &sink, &Silent, &Stop::new());
    assert_eq!(error.unwrap_err().to_string(), "full");
    assert_eq!(tallied, by_hand(&FAMILY, 0..3 * u64::from(BLOCK)));
}
