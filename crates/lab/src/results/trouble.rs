//! Kills, full disks and damage, at every possible point.

use std::fs;
use std::path::Path;

use super::disk::trouble::{Trouble, after};
use super::*;
use crate::progress::{Progress, Silent, Stop};
use crate::runner::{Keep, RunOptions, Tallied, run};
use crate::testing::{Skirmishes, assert_same, manifest, options};

const FAMILY: [Option<u32>; 2] = [Some(0), Some(0)];
const KEEP: Keep = Keep::First(4_200);
/// Two blocks and the beginning of a third.
const RUNS: u64 = 9_000;
const SUMS: [&str; 2] = ["data/tallies.parquet", "data/summary.parquet"];

/// The equivalent of `grognard run --resume`, with a checkpoint after every block.
fn go_on(folder: &Path, runs: u64) -> Result<Results, ResultsError> {
    let asked = manifest(&FAMILY, runs, KEEP);
    let (writer, mut tallied) = match Manifest::begun(folder)? {
        Some(_) => ResultsWriter::resume(folder, asked)?,
        None => (ResultsWriter::create(folder, asked)?, Tallied::new(0, &FAMILY)),
    };
    let mut writer = writer.never_waiting();
    let options = RunOptions { keep: KEEP, threads: 1, ..options(&FAMILY, 0..runs) };
    match run(&options, &Skirmishes, &mut tallied, &mut writer, &Silent, &Stop::new()) {
        Ok(ending) => writer.finish(&tallied, ending),
        Err(crate::runner::RunError::Sink(error)) => Err(error),
        Err(error) => panic!("{error}"),
    }
}

fn sums(folder: &Path) -> [Vec<u8>; 2] {
    SUMS.map(|name| fs::read(folder.join(name)).unwrap())
}

/// The number of battles kept individually in all parts, counted as rows in the files.
fn kept(results: &Results) -> u64 {
    for part in &results.manifest.files.parts {
        read::checked_bytes(&results.folder, part).unwrap();
    }
    results.manifest.files.parts.iter().map(|part| part.rows).sum()
}

/// Checks that a folder in trouble was either never begun, or can be opened.
fn check(folder: &Path, name: &str) {
    match Manifest::begun(folder) {
        Ok(None) => {}
        Ok(Some(_)) => {
            let results = Results::open(folder).unwrap_or_else(|error| panic!("{name}: {error}"));
            kept(&results);
        }
        Err(error) => panic!("{name}: {error}"),
    }
}

/// Fails after 0, 1, 2 … disk operations, until the run ends before the failure. Each time the folder is sound, and
/// `--resume` gives the same result as an undisturbed run. Some folders begin with `before` battles.
fn everywhere(trouble: Trouble, before: Option<u64>) {
    let whole = tempfile::tempdir().unwrap();
    let expected = go_on(whole.path(), RUNS).unwrap();
    for acts in 0.. {
        let place = tempfile::tempdir().unwrap();
        let folder = place.path().join("results");
        if let Some(runs) = before {
            go_on(&folder, runs).unwrap();
        }
        let name = format!("{trouble:?} after {acts} acts");
        let (done, struck) = after(trouble, acts, || go_on(&folder, RUNS));
        if let Err(error) = &done {
            assert!(struck, "{name}: {error}");
            check(&folder, &name);
        }
        let resumed = go_on(&folder, RUNS).unwrap_or_else(|error| panic!("{name}: {error}"));
        assert_same(&folder, whole.path(), &name);
        assert_eq!(resumed.manifest.progress, expected.manifest.progress, "{name}");
        let left: Vec<_> = fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap().file_name()).collect();
        assert_eq!(left.len(), 2, "{name}: {left:?}");
        if !struck {
            assert!(acts > 30, "{acts} acts is not a run");
            return;
        }
    }
}

#[test]
fn a_kill_at_any_moment_costs_nothing() {
    everywhere(Trouble::Kill, None);
}

#[test]
fn a_kill_while_battles_are_added_costs_nothing() {
    everywhere(Trouble::Kill, Some(3_000));
}

#[test]
fn a_disk_that_is_full_at_any_moment_costs_nothing() {
    everywhere(Trouble::Full, None);
}

#[test]
fn a_disk_that_is_full_while_battles_are_added_costs_nothing() {
    everywhere(Trouble::Full, Some(3_000));
}

#[test]
fn a_run_killed_again_and_again_comes_to_its_end() {
    let (whole, killed) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    go_on(whole.path(), RUNS).unwrap();
    let mut kills = 0;
    for acts in 5.. {
        let (done, struck) = after(Trouble::Kill, acts, || go_on(killed.path(), RUNS));
        check(killed.path(), &format!("kill {kills}"));
        kills += u32::from(struck);
        if done.is_ok() {
            break;
        }
    }
    assert!(kills > 5, "{kills}");
    go_on(killed.path(), RUNS).unwrap();
    assert_same(killed.path(), whole.path(), "killed");
}

#[test]
fn a_full_disk_says_so() {
    let place = tempfile::tempdir().unwrap();
    let (done, _) = after(Trouble::Full, 12, || go_on(&place.path().join("results"), RUNS));
    let error = done.unwrap_err().to_string();
    assert!(error.starts_with("cannot write ") && error.contains("no storage space"), "{error}");
}

/// Records reported losses.
#[derive(Default)]
struct Losses(std::sync::Mutex<Vec<String>>);

impl Progress for Losses {
    fn advance(&self, _battles: u64) {}

    fn lost(&self, error: &ResultsError) {
        self.0.lock().unwrap().push(error.to_string());
    }
}

/// A part that is truncated, foreign or missing.
#[test]
fn a_part_that_is_not_what_was_written_is_named_and_the_rest_kept() {
    let spoils: [fn(&Path); 3] = [
        |path| fs::write(path, &fs::read(path).unwrap()[..100]).unwrap(),
        |path| fs::write(path, "a part of somebody else's").unwrap(),
        |path| fs::remove_file(path).unwrap(),
    ];
    let whole = tempfile::tempdir().unwrap();
    go_on(whole.path(), 20_000).unwrap();
    for (spoil, gone) in spoils.into_iter().zip([false, false, true]) {
        let place = tempfile::tempdir().unwrap();
        let folder = place.path().join("results");
        let parts = go_on(&folder, 10_000).unwrap().manifest.files.parts;
        assert_eq!(parts.len(), 1);
        let spoilt = folder.join(&parts[0].path);
        spoil(&spoilt);

        let shard = Results::open(&folder).unwrap();
        let losses = Losses::default();
        let sum = merge(&[shard], &place.path().join("sum"), "merge", false, &losses, &Stop::new()).unwrap();
        assert_eq!(sums(&sum.folder), sums(&folder));
        assert_eq!(kept(&sum), 0);
        let lost = losses.0.into_inner().unwrap();
        assert!(lost.len() == 1 && lost[0].contains("part-00000.parquet"), "{lost:?}");

        let (writer, tallied) = ResultsWriter::resume(&folder, manifest(&FAMILY, 20_000, KEEP)).unwrap();
        assert!(writer.lost()[0].to_string().contains("part-00000.parquet"), "{:?}", writer.lost());
        assert_eq!(folder.join("part-00000.parquet.damaged").exists(), !gone);
        writer.finish(&tallied, Ending::Stopped).unwrap();
        let resumed = go_on(&folder, 20_000).unwrap();
        assert_eq!(sums(&folder), sums(whole.path()));
        assert_eq!(kept(&resumed), 0);
        assert_eq!(Results::open(&folder).unwrap(), resumed);
    }
}

/// A user who may write anywhere, such as root, still cannot write a file where there is a folder.
#[test]
fn what_is_in_the_way_is_named_and_what_was_fought_kept() {
    let (whole, place) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    go_on(whole.path(), RUNS).unwrap();
    go_on(place.path(), 4_096).unwrap();
    let before = sums(place.path());
    let way = place.path().join(".grognard-manifest.json");
    fs::create_dir(&way).unwrap();
    let error = go_on(place.path(), RUNS).unwrap_err().to_string();
    assert!(error.contains("cannot write") && error.contains("manifest.json"), "{error}");
    assert_eq!(sums(place.path()), before);
    assert_eq!(Results::open(place.path()).unwrap().manifest.progress.battles, 4_096);
    fs::remove_dir(&way).unwrap();
    go_on(place.path(), RUNS).unwrap();
    assert_eq!(sums(place.path()), sums(whole.path()));
}
