use std::path::Path;

use grognard_source::Sources;

use super::*;
use crate::memoised_cells::MemoisedCells;
use crate::progress::Silent;
use crate::runner::{Discard, Fighter, run};
use crate::study::Changes;
use crate::testing::{options, squares_of_beginners};

fn study(name: &str, runs: u64) -> Study {
    let folder = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../../studies"));
    let mut sources = Sources::new();
    let changes = Changes { runs: Some(runs), ..Changes::default() };
    let study = Study::load(&folder.join(name).with_extension("toml"), &changes, &mut sources);
    study.unwrap_or_else(|faults| panic!("{}", faults.render(&sources, false)))
}

fn fought(study: &Study) -> Tallied {
    let mut tallied = Tallied::new(0, &study.baselines());
    let options = options(&study.baselines(), 0..study.runs);
    run(&options, &MemoisedCells::new(study), &mut tallied, &mut Discard, &Silent, &Stop::new()).unwrap();
    tallied
}

/// At the end of its turns, every battle's state matches its outcome, even if the sides exchange roles.
#[test]
fn morale_ends_where_outcomes_do() {
    for (name, runs, battles) in [("square-vs-line", 640, 40), ("bag-chip", 408, 26)] {
        let study = study(name, runs);
        let watched = watch(&study, &fought(&study), study.runs, &Stop::new()).unwrap();
        assert_eq!((watched.battles, watched.clause_battles), (battles, battles / 4), "{name}");
        assert_eq!(watched.cells.len(), study.cells.len());
        for cell in &watched.cells {
            assert_eq!(cell.battles, watched.battles);
            let outcomes = study.fight(cell.cell, 0..watched.battles);
            for side in Side::BOTH {
                let states = cell.of(side);
                let last = |kept: fn(Standing) -> bool| -> u64 {
                    states.iter().filter(|state| kept(state.standing)).filter_map(|state| state.units.last()).sum()
                };
                let sum = |of: fn(&grognard_engine::SideOutcome) -> u8| -> u64 {
                    outcomes.iter().map(|outcome| u64::from(of(&outcome.sides[side]))).sum()
                };
                assert_eq!(last(|standing| standing >= Standing::Broken), sum(|side| side.routed_units));
                assert_eq!(last(|standing| standing == Standing::Shaken), sum(|side| side.shaken_units));
                let turns = study.cells[cell.cell as usize].header.turns;
                assert!(states.iter().all(|state| state.units.len() == usize::from(turns) + 1));
                for turn in 0..=usize::from(turns) {
                    let units: u64 = states.iter().map(|state| state.units[turn]).sum();
                    assert_eq!(units, sum(|side| side.units), "cell {}, turn {turn}", cell.cell);
                }
            }
        }
    }
}

#[test]
fn clauses_are_those_that_coverage_counts() {
    let (study, _) = squares_of_beginners(Some(640));
    let watched = watch(&study, &fought(&study), study.runs, &Stop::new()).unwrap();
    let coverage = crate::coverage::coverage(&study, watched.clause_battles, &Silent, &Stop::new()).unwrap();
    assert_eq!(watched.clauses.len(), coverage.clauses().len());
    assert!(watched.clauses.iter().any(|clause| clause.battles.iter().all(|&battles| battles == 10)));
    for clause in &watched.clauses {
        assert_eq!(clause.battles.iter().sum::<u64>(), coverage.clauses()[&clause.id].battles, "{}", clause.id);
        assert!(!clause.text.is_empty());
    }
}

#[test]
fn odd_battles_are_odd_and_told() {
    let study = study("square-vs-line", 1_600);
    let tallied = fought(&study);
    let watched = watch(&study, &tallied, study.runs, &Stop::new()).unwrap();
    let odd: Vec<Oddity> = watched.odd.iter().map(|odd| odd.oddity).collect();
    assert_eq!(odd, Oddity::ALL);
    for odd in &watched.odd {
        assert!(odd.battle < watched.battles);
        let outcome = study.fight(odd.cell, odd.battle..odd.battle + 1)[0];
        assert_eq!(odd.winner, outcome.winner.map(|side| study.sides[side.index()].clone()));
        assert_eq!((odd.turns, odd.losses[0]), (outcome.turns, outcome.sides.first.losses));
        assert!(odd.narration.len() > 5);
    }
    let turns = |cell: u32| study.fight(cell, 0..watched.battles).iter().map(|outcome| outcome.turns).max();
    assert_eq!(Some(watched.odd[1].turns), (0..36).filter_map(turns).max());
    let upset = &watched.odd[2];
    let winner = usize::from(upset.winner.as_ref() == Some(&study.sides[1]));
    assert!(tallied.cells[upset.cell as usize].outcomes[winner] * 2 < study.runs);
}

#[test]
fn a_shard_that_does_not_begin_the_series_watches_nothing() {
    let study = study("square-vs-line", 640);
    let mut tallied = fought(&study);
    tallied.first = 4_096;
    assert_eq!(watch(&study, &tallied, study.runs, &Stop::new()), None);
    tallied.first = 0;
    let stop = Stop::new();
    stop.raise();
    assert_eq!(watch(&study, &tallied, study.runs, &stop), None);
}
