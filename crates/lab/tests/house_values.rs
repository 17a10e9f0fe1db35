//! The house values of the figures pack must give a believable game.
//!
//! The bands are part of the pack's requirements; the studies are those in its README, with their own seed. A share
//! over 100,000 battles has a standard error of at most 0.16 points: the bands are met with room to spare, or the test
//! fails for a reason.

use std::path::Path;

use grognard_engine::Side;
use grognard_lab::progress::{Silent, Stop};
use grognard_lab::runner::{Discard, Keep, RunOptions, Tallied, run};
use grognard_lab::study::{Changes, Study};
use grognard_lab::tally::CellTally;
use grognard_source::Sources;
use grognard_stats::Intervals;

fn fight(study: &str, runs: u64) -> (Study, Vec<CellTally>) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../studies").join(study);
    let mut sources = Sources::new();
    let changes = Changes { runs: Some(runs), ..Changes::default() };
    let study = Study::load(&path, &changes, &mut sources)
        .unwrap_or_else(|faults| panic!("{}", faults.render(&sources, false)));
    let options = RunOptions {
        baselines: study.baselines(),
        battles: 0..study.runs,
        precision: None,
        decide: false,
        intervals: Intervals::default(),
        both_ways: false,
        luck: false,
        histograms: Vec::new(),
        keep: Keep::None,
        threads: 0,
    };
    let mut tallied = Tallied::new(0, &options.baselines);
    run(&options, &study, &mut tallied, &mut Discard, &Silent, &Stop::default()).expect("nothing can fail here");
    (study, tallied.cells)
}

/// The mean of a metric of one side.
fn mean(cell: &CellTally, side: Side, key: &str) -> f64 {
    let place = grognard_lab::METRICS.iter().position(|metric| metric.key == key).expect("a metric");
    let histogram = &cell.metrics[side][place];
    histogram.sum() as f64 / histogram.runs() as f64
}

#[test]
fn a_charge_breaks_what_it_should_and_no_more() {
    let bands = [
        ("square in good order", 0.01, 0.08),
        ("column, frontally", 0.25, 0.50),
        ("line, frontally", 0.40, 0.65),
        ("line, in flank", 0.85, 1.0),
        ("line, in rear", 0.85, 1.0),
        // Units that fail narrowly fall back before the charge strikes, and some escape it (9.48).
        ("skirmishers in the open", 0.50, 1.0),
        ("square already disordered", 0.50, 1.0),
    ];
    let (study, cells) = fight("charge-shares.toml", 100_000);
    assert_eq!(cells.len(), bands.len());
    for ((label, low, high), (cell, tally)) in bands.iter().zip(study.cells.iter().zip(&cells)) {
        assert_eq!(&cell.header.label, label);
        let broken = mean(tally, Side::Second, "routed");
        assert!((low..=high).contains(&&broken), "{label}: {broken} is not between {low} and {high}");
    }
}

#[test]
fn massed_targets_lose_more_to_the_same_fire() {
    let (study, cells) = fight("fire-at-formations.toml", 20_000);
    let losses = |formation: &str, firer: usize| {
        // In the grid, formations vary more slowly than firers.
        let formations = ["line", "column", "square", "skirmish"];
        let place = formations.iter().position(|known| *known == formation).expect("a formation");
        let cell = place * 3 + firer;
        assert!(study.cells[cell].header.label.contains(formation), "{}", study.cells[cell].header.label);
        mean(&cells[cell], Side::Second, "losses")
    };
    for firer in 0..3 {
        let line = losses("line", firer);
        for massed in ["column", "square"] {
            let ratio = losses(massed, firer) / line;
            assert!(ratio >= 1.4, "{massed} under firer {firer}: {ratio} times a line's losses");
        }
        assert!(losses("skirmish", firer) < line, "skirmishers are the smaller target");
    }
}
