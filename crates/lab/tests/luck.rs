//! The luck of the dice: zero on average, and useful.

use grognard_engine::{Fallen, Side};
use grognard_exact::{Limits, solve};
use grognard_lab::folder_run::FolderRun;
use grognard_lab::memoised_cells::MemoisedCells;
use grognard_lab::progress::{Silent, Stop};
use grognard_lab::results::{Promise, Results, WIN};
use grognard_lab::runner::{Fighter, Keep, Noting, Shard};
use grognard_lab::study::{Changes, Study};
use grognard_stats::Level;

use crate::loaded::{self, BEGINNERS};

fn study<'s>(name: &str, runs: u64, set: impl IntoIterator<Item = &'s str>) -> Study {
    loaded::study(name, set, Changes { runs: Some(runs), ..Changes::default() })
}

/// A study of duels between beginners, whose cells have few states.
fn beginners<'s>(name: &str, runs: u64, set: impl IntoIterator<Item = &'s str>) -> Study {
    study(name, runs, set.into_iter().chain(BEGINNERS))
}

/// Six standard errors from zero is a false alarm in one case in five hundred million; there are 72 numbers, and the
/// seed is fixed.
#[test]
fn luck_and_its_worth_are_nothing_on_average() {
    for (name, set) in [("square-vs-line", "approach=front"), ("risk-dice", "turns=60"), ("pip-square", "turns=2")] {
        // With trained doctrines, luck would affect the losses of only one side in one of the cells with command
        // points.
        let study = if name == "risk-dice" { study(name, 4_096, [set]) } else { beginners(name, 4_096, [set]) };
        let fighter = MemoisedCells::new(&study);
        let mut lucky = [0; 3];
        for cell in (0..study.cells.len() as u32).step_by(study.cells.len() / 4 + 1) {
            let fought = fighter.fight_noting(cell, 0..4_096, Noting { luck: true });
            let numbers: [fn(&Fallen, Side) -> f64; 3] = [
                |fallen, side| fallen.luck[side].rolls(),
                |fallen, side| fallen.wins[side] as f64 / Fallen::ONE as f64,
                |fallen, side| fallen.losses[side] as f64 / Fallen::ONE as f64,
            ];
            for (number, lucky) in numbers.iter().zip(&mut lucky) {
                for side in Side::BOTH {
                    let all: Vec<f64> = fought.fallen.iter().map(|fallen| number(fallen, side)).collect();
                    let mean = all.iter().sum::<f64>() / all.len() as f64;
                    let square = all.iter().map(|one| one * one).sum::<f64>() / all.len() as f64;
                    let error = ((square - mean * mean) / all.len() as f64).sqrt();
                    assert!(mean.abs() <= 6.0 * error, "{name}, cell {cell}, {side:?}: {mean} ± {error}");
                    *lucky += u32::from(error > 0.0);
                }
            }
        }
        assert!(
            lucky.iter().all(|&lucky| lucky > 1),
            "{name}: somebody is lucky, and it is worth something: {lucky:?}"
        );
    }
}

fn counted(study: &Study) -> Results {
    let folder = tempfile::tempdir().expect("a folder");
    let folder_run = FolderRun {
        folder: folder.path().join("luck"),
        resume: false,
        shard: Shard::WHOLE,
        precision: None,
        level: Level::P95,
        promise: Promise::default(),
        luck: true,
        watch: false,
        keep: Keep::First(10),
        threads: 2,
        command: String::new(),
    };
    folder_run.fight(study, &Silent, &Stop::new()).expect("a run");
    // The results as read back from the folder.
    Results::open(folder.path().join("luck")).expect("a folder of results")
}

/// Both estimates are within five standard errors of the exact odds: for each, a false alarm in one case in two
/// million.
#[test]
fn wins_without_luck_are_nearer_the_odds() {
    let study = beginners("square-vs-line", 8_192, ["approach=front", "attacker.0.type=heavy-cavalry"]);
    let results = counted(&study);
    let mut saved = Vec::new();
    for cell in &study.cells {
        let solution =
            solve(&cell.rules, &cell.setup, &Limits::default(), &mut |_| std::ops::ControlFlow::Continue(()));
        let odds = solution.expect("within reach").chance(|outcome| outcome.winner == Some(Side::First)).value;
        let number = cell.header.cell;
        let plain = results.estimate(number, Some(Side::First), WIN).expect("a share").estimate();
        let Some(row) = results.controlled(number, Some(Side::First), WIN) else { continue };
        let (controlled, ratio) = (row.estimate(), row.variance_ratio.expect("it is measured"));
        let errors = |half_width: f64| 5.0 * half_width / 1.96;
        assert!((controlled.point - odds).abs() < errors(controlled.half_width()), "cell {number}: {row:?}, {odds}");
        assert!((plain.point - odds).abs() < errors(plain.half_width()), "cell {number}: {plain:?}, {odds}");
        println!("{}: worth ×{:.2}", cell.header.label, 1.0 / ratio);
        // The interval is narrower by the amount saved.
        let narrower = controlled.half_width() / plain.half_width();
        assert!((narrower - ratio.sqrt()).abs() < 0.05, "cell {number}: {narrower} and √{ratio}");
        saved.push(1.0 / ratio);
    }
    assert!(saved.len() >= 3 && saved.iter().all(|&saved| saved > 1.0), "{saved:?}");
    // With the plain sum of luck, regardless of the kind of roll, a battle would be worth three and a half battles.
    assert!(saved.iter().any(|&saved| saved > 5.0), "{saved:?}");
}
