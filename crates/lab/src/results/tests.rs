//! A results folder is complete at any time, and the same regardless of how it was fought.

use std::fs;
use std::path::Path;

use polars_io::prelude::{ParquetReader, SerReader};

use super::*;
use crate::progress::{Silent, Stop};
use crate::runner::{Discard, Keep, RunOptions, Tallied, run};
use crate::testing::{Skirmishes, assert_same, manifest, options};
use crate::{Side, progress};

const FAMILY: [Option<u32>; 4] = [Some(0), Some(0), None, Some(0)];

/// A results folder with this many battles in each cell of a family.
pub(super) fn fight(folder: &Path, runs: u64, threads: usize, keep: Keep) -> Results {
    let mut writer = ResultsWriter::create(folder, manifest(&FAMILY, runs, keep)).unwrap();
    let mut tallied = Tallied::new(0, &FAMILY);
    let options = RunOptions { threads, keep, ..options(&FAMILY, 0..runs) };
    let ending = run(&options, &Skirmishes, &mut tallied, &mut writer, &Silent, &Stop::new()).unwrap();
    writer.finish(&tallied, ending).unwrap()
}

/// All files below the folder, by name.
fn listing(folder: &Path) -> Vec<String> {
    let mut names = Vec::new();
    for entry in fs::read_dir(folder).unwrap() {
        let entry = entry.unwrap();
        let name = entry.file_name().into_string().unwrap();
        if entry.file_type().unwrap().is_dir() {
            names.extend(listing(&entry.path()).into_iter().map(|below| format!("{name}/{below}")));
        } else {
            names.push(name);
        }
    }
    names.sort();
    names
}

#[test]
fn what_is_read_back_is_what_was_written() {
    let folder = tempfile::tempdir().unwrap();
    let written = fight(folder.path(), 9_000, 2, Keep::First(10));
    assert_eq!(Results::open(folder.path()).unwrap(), written);
    assert_eq!(written.manifest.progress.battles, 9_000);
    assert_eq!(written.manifest.progress.ending, Ending::AllRuns);
    assert_eq!(
        listing(folder.path()),
        [
            "data/battle_sides/part-00000.parquet",
            "data/battles/part-00000.parquet",
            "data/cells.parquet",
            "data/summary.parquet",
            "data/tallies.parquet",
            "manifest.json",
        ]
    );
}

#[test]
fn threads_change_no_byte_of_tallies_summary_and_parts() {
    let folders = [1, 2, 8].map(|threads| {
        let folder = tempfile::tempdir().unwrap();
        fight(folder.path(), 13_000, threads, Keep::First(5_000));
        folder
    });
    for folder in &folders[1..] {
        assert_same(folder.path(), folders[0].path(), "threads");
    }
}

#[test]
fn a_run_that_was_killed_and_resumed_equals_one_that_was_not() {
    let whole = tempfile::tempdir().unwrap();
    let expected = fight(whole.path(), 20_000, 2, Keep::First(9_000));

    let killed = tempfile::tempdir().unwrap();
    let keep = Keep::First(9_000);
    let mut writer = ResultsWriter::create(killed.path(), manifest(&FAMILY, 20_000, keep)).unwrap();
    let mut tallied = Tallied::new(0, &FAMILY);
    for end in [4_096, 8_192, 12_288] {
        let options = RunOptions { keep, ..options(&FAMILY, 0..end) };
        run(&options, &Skirmishes, &mut tallied, &mut writer, &Silent, &Stop::new()).unwrap();
        if end < 12_288 {
            writer.checkpoint(&tallied).unwrap();
        }
    }
    // This simulates a kill: the last block was counted, but kept only in memory.
    drop(writer);
    fs::write(killed.path().join(".grognard-summary.parquet"), "half a f").unwrap();

    let left = Results::open(killed.path()).unwrap();
    assert_eq!((left.manifest.progress.battles, left.manifest.progress.ending), (8_192, Ending::Unfinished));
    assert!(left.summary().is_empty());

    let (mut writer, mut tallied) = ResultsWriter::resume(killed.path(), manifest(&FAMILY, 20_000, keep)).unwrap();
    assert_eq!(tallied.battles, 8_192);
    let options = RunOptions { keep, ..options(&FAMILY, 0..20_000) };
    let ending = run(&options, &Skirmishes, &mut tallied, &mut writer, &Silent, &Stop::new()).unwrap();
    let resumed = writer.finish(&tallied, ending).unwrap();

    assert_eq!(resumed.tallies, expected.tallies);
    assert_eq!(resumed.manifest.progress, expected.manifest.progress);
    assert_same(killed.path(), whole.path(), "killed");
    assert!(listing(killed.path()).iter().all(|name| !name.contains("checkpoint") && !name.contains(".grognard-")));
}

#[test]
fn a_finished_run_may_be_resumed_for_more() {
    let (long, short) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    fight(long.path(), 10_000, 2, Keep::All);
    fight(short.path(), 3_000, 2, Keep::All);
    let (mut writer, mut tallied) = ResultsWriter::resume(short.path(), manifest(&FAMILY, 10_000, Keep::All)).unwrap();
    let options = RunOptions { keep: Keep::All, ..options(&FAMILY, 0..10_000) };
    let ending = run(&options, &Skirmishes, &mut tallied, &mut writer, &Silent, &Stop::new()).unwrap();
    writer.finish(&tallied, ending).unwrap();
    assert_same(short.path(), long.path(), "more");
}

#[test]
fn battles_of_another_series_are_not_added() {
    let folder = tempfile::tempdir().unwrap();
    fight(folder.path(), 100, 1, Keep::None);
    let other = Manifest { identity: "another".to_owned(), ..manifest(&FAMILY, 200, Keep::None) };
    assert!(matches!(ResultsWriter::resume(folder.path(), other), Err(ResultsError::OtherBattles { .. })));
}

#[test]
fn a_stopped_run_keeps_no_row_of_an_unfinished_block() {
    /// Stops in the middle of the third block.
    struct Interrupt<'a>(std::sync::atomic::AtomicU64, &'a Stop);
    impl progress::Progress for Interrupt<'_> {
        fn advance(&self, battles: u64) {
            let before = self.0.fetch_add(battles, std::sync::atomic::Ordering::Relaxed);
            if before + battles >= 10 * 4_096 {
                self.1.raise();
            }
        }
    }
    let folder = tempfile::tempdir().unwrap();
    let stop = Stop::new();
    let mut writer = ResultsWriter::create(folder.path(), manifest(&FAMILY, 100_000, Keep::All)).unwrap();
    let mut tallied = Tallied::new(0, &FAMILY);
    let options = RunOptions { keep: Keep::All, threads: 1, ..options(&FAMILY, 0..100_000) };
    let progress = Interrupt(0.into(), &stop);
    let ending = run(&options, &Skirmishes, &mut tallied, &mut writer, &progress, &stop).unwrap();
    let results = writer.finish(&tallied, ending).unwrap();
    assert_eq!(results.manifest.progress.ending, Ending::Stopped);
    let rows: u64 = results.manifest.files.parts.iter().map(|part| part.rows).sum();
    assert_eq!(rows, tallied.battles * FAMILY.len() as u64);
    assert_eq!(Results::open(folder.path()).unwrap(), results);
}

#[test]
fn rows_hold_the_battles_themselves() {
    let folder = tempfile::tempdir().unwrap();
    fight(folder.path(), 50, 1, Keep::First(20));
    let read = |name: &str| {
        let file = fs::File::open(folder.path().join(name)).unwrap();
        ParquetReader::new(file).finish().unwrap()
    };
    let frame = read("data/battles/part-00000.parquet");
    assert_eq!(frame.height(), 80);
    let names: Vec<_> = frame.get_column_names().into_iter().map(ToString::to_string).collect();
    assert_eq!(names[..5], ["cell", "battle", "winner", "turns", "attacker_losses"]);
    let of_defender = ["losses", "routed_units", "shaken_units", "rout_turn"].map(|what| format!("defender_{what}"));
    assert_eq!(names[8..], of_defender);
    use crate::runner::Fighter;
    // Cells are in the order in which they are fought: with their baselines.
    let (cells, battles) =
        (frame.column("cell").unwrap().i32().unwrap(), frame.column("battle").unwrap().i64().unwrap());
    let of_row = |row: usize| {
        let battle = battles.get(row).unwrap() as u64;
        Skirmishes.fight(cells.get(row).unwrap() as u32, battle..battle + 1)[0]
    };
    let fought: Vec<_> = (0..80).map(of_row).collect();
    let losses: i64 = frame.column("defender_losses").unwrap().i32().unwrap().into_no_null_iter().map(i64::from).sum();
    assert_eq!(losses, fought.iter().map(|battle| i64::from(battle.sides.second.losses)).sum::<i64>());

    // The same battles by side: each battle has two rows, and the turn is null if no unit routed.
    let frame = read("data/battle_sides/part-00000.parquet");
    let names: Vec<_> = frame.get_column_names().into_iter().map(ToString::to_string).collect();
    assert_eq!(names, ["cell", "battle", "side", "won", "losses", "routed_units", "shaken_units", "rout_turn"]);
    assert_eq!(frame.height(), 160);
    let sides = frame.column("side").unwrap().str().unwrap();
    let turns = frame.column("rout_turn").unwrap().i32().unwrap();
    let won = frame.column("won").unwrap().bool().unwrap();
    for (row, battle) in fought.iter().enumerate() {
        for (place, side) in Side::BOTH.into_iter().enumerate() {
            let row = 2 * row + place;
            assert_eq!(sides.get(row), Some(["attacker", "defender"][place]));
            assert_eq!(won.get(row), Some(battle.winner == Some(side)));
            let turn = battle.sides[side].rout_turn;
            assert_eq!(turns.get(row), (turn > 0).then_some(i32::from(turn)));
        }
    }
}

#[test]
fn a_folder_of_somebody_else_is_left_alone() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("thesis.tex"), "years of work").unwrap();
    let error = ResultsWriter::create(folder.path(), manifest(&FAMILY, 10, Keep::None)).unwrap_err();
    assert!(matches!(error, ResultsError::Foreign { .. }), "{error}");
    fs::write(folder.path().join("manifest.json"), "{\"name\": \"an extension\"}").unwrap();
    let error = ResultsWriter::create(folder.path(), manifest(&FAMILY, 10, Keep::None)).unwrap_err();
    assert!(matches!(error, ResultsError::Foreign { .. }), "{error}");
    assert_eq!(listing(folder.path()), ["manifest.json", "thesis.tex"]);
    let file = folder.path().join("thesis.tex");
    let error = ResultsWriter::create(&file, manifest(&FAMILY, 10, Keep::None)).unwrap_err();
    assert!(matches!(error, ResultsError::Foreign { .. }), "{error}");
    let error = ResultsWriter::create(file.join("below"), manifest(&FAMILY, 10, Keep::None)).unwrap_err();
    assert!(error.to_string().contains("thesis.tex"), "{error}");
}

#[test]
fn a_folder_of_ours_is_begun_anew() {
    let folder = tempfile::tempdir().unwrap();
    fight(folder.path(), 10_000, 1, Keep::All);
    let again = fight(folder.path(), 10, 1, Keep::None);
    assert_eq!(Results::open(folder.path()).unwrap(), again);
    let tables = ["data/cells.parquet", "data/summary.parquet", "data/tallies.parquet"];
    assert_eq!(listing(folder.path()), [&tables[..], &["manifest.json"]].concat());

    let manifest = folder.path().join("manifest.json");
    let text = fs::read_to_string(&manifest).unwrap().replace("\"rout_turn\"", "\"rout\"");
    fs::write(&manifest, text).unwrap();
    assert!(matches!(Results::open(folder.path()), Err(ResultsError::Damaged { .. })));
    let again = fight(folder.path(), 10, 1, Keep::None);
    assert_eq!(Results::open(folder.path()).unwrap(), again);
}

#[test]
fn a_folder_has_one_writer_at_a_time() {
    let folder = tempfile::tempdir().unwrap();
    let asked = || manifest(&FAMILY, 10_000, Keep::None);
    let first = ResultsWriter::create(folder.path(), asked()).unwrap();
    for second in [
        ResultsWriter::create(folder.path(), asked()),
        ResultsWriter::resume(folder.path(), asked()).map(|(writer, _)| writer),
    ] {
        let error = second.unwrap_err();
        assert!(matches!(error, ResultsError::Busy { .. }), "{error}");
    }
    drop(first);
    // A killed process leaves no lock behind.
    fs::write(folder.path().join(".grognard-lock"), "").unwrap();
    let (second, _) = ResultsWriter::resume(folder.path(), asked()).unwrap();
    drop(second);
    assert_eq!(listing(folder.path()), ["manifest.json"]);
}

#[test]
fn what_would_be_lost_is_not_replaced_unless_it_is_told_to_be() {
    let folder = tempfile::tempdir().unwrap();
    fight(folder.path(), 5_000, 2, Keep::None);
    let with = |change: &dyn Fn(&mut Manifest)| {
        let mut other = manifest(&FAMILY, 100, Keep::None);
        change(&mut other);
        other
    };
    let check = |asked: &Manifest, force: bool| {
        ResultsWriter::check_create(folder.path(), asked, force).map_err(|error| error.to_string())
    };
    // The same battles may be fought again.
    assert_eq!(check(&with(&|_| ()), false), Ok(()));
    let seed = |manifest: &mut Manifest| (manifest.seed, manifest.identity) = (7, "b".to_owned());
    for (asked, words) in [
        (with(&|manifest| manifest.identity = "b".to_owned()), "under other rules or with another seed"),
        (with(&seed), "under other rules or with another seed (the seed is 1815 there and 7 here)"),
        (with(&|manifest| manifest.study.name = "another".to_owned()), "holds 5000 battles of each cell of the study"),
        (with(&|manifest| manifest.pack.name = "another".to_owned()), "holds 5000 battles of each cell of the study"),
    ] {
        let said = check(&asked, false).unwrap_err();
        assert!(said.contains(words) && said.ends_with("nothing was written"), "{said}");
        assert_eq!(check(&asked, true), Ok(()));
    }
    // A manifest of ours that was damaged by hand is reported as damaged, not as foreign.
    let path = folder.path().join("manifest.json");
    let text = fs::read_to_string(&path).unwrap().replace("\"seed\"", "\"sede\"");
    fs::write(&path, text).unwrap();
    let said = check(&with(&|_| ()), false).unwrap_err();
    assert!(said.contains("manifest.json is damaged") && said.contains("sede"), "{said}");
    fs::write(folder.path().join("thesis.tex"), "years of work").unwrap();
    fs::write(&path, "{}").unwrap();
    assert!(check(&with(&|_| ()), true).unwrap_err().contains("is not a results folder"));
}

#[test]
fn damage_is_noticed() {
    let damaged = |spoil: &dyn Fn(&Path)| {
        let folder = tempfile::tempdir().unwrap();
        fight(folder.path(), 100, 1, Keep::None);
        spoil(folder.path());
        Results::open(folder.path()).unwrap_err().to_string()
    };
    let edit = |folder: &Path, from: &str, to: &str| {
        let path = folder.join("manifest.json");
        let text = fs::read_to_string(&path).unwrap();
        assert!(text.contains(from), "{from}");
        fs::write(path, text.replacen(from, to, 1)).unwrap();
    };
    // The changed file is sealed again.
    let forge = |folder: &Path, change: &dyn Fn(&mut Manifest)| {
        let path = folder.join("manifest.json");
        let mut manifest = Manifest::read(folder).unwrap();
        change(&mut manifest);
        fs::write(path, read::sealed(&mut manifest).unwrap()).unwrap();
    };
    let swapped = damaged(&|folder| {
        fs::copy(folder.join("data/summary.parquet"), folder.join("data/tallies.parquet")).unwrap();
    });
    assert!(swapped.contains("its contents have changed since it was written"), "{swapped}");
    let cut = damaged(&|folder| {
        let text = fs::read(folder.join("manifest.json")).unwrap();
        fs::write(folder.join("manifest.json"), &text[..text.len() / 2]).unwrap();
    });
    assert!(cut.contains("manifest.json is damaged"), "{cut}");
    let format = damaged(&|folder| edit(folder, "\"format\": 4", "\"format\": 3"));
    assert!(format.contains("has format 3, but this version reads format 4"), "{format}");
    let battles = damaged(&|folder| forge(folder, &|manifest| manifest.progress.battles = 101));
    assert!(battles.contains("do not add up to 101 battles"), "{battles}");
    let counts = damaged(&|folder| {
        let path = folder.join("manifest.json");
        let mut manifest: serde_json::Value = serde_json::from_slice(&fs::read(&path).unwrap()).unwrap();
        manifest["files"].as_object_mut().unwrap().remove("tallies");
        fs::write(path, manifest.to_string()).unwrap();
    });
    assert!(counts.contains("claims 100 battles but lists no counts of them"), "{counts}");
    let odds = damaged(&|folder| edit(folder, "\"sampled\"", "\"exact\""));
    assert!(odds.contains("do not match its method"), "{odds}");
    let figures = damaged(&|folder| forge(folder, &|manifest| manifest.cells[1].figures.truncate(1)));
    assert!(figures.contains("cell 1 does not have the figures and units of 2 sides"), "{figures}");
    let sides = damaged(&|folder| forge(folder, &|manifest| manifest.sides.truncate(1)));
    assert!(sides.contains("`sides` has a length of 1, but a battle has 2 to 4 sides"), "{sides}");
    let level = damaged(&|folder| edit(folder, "\"level\": 0.95", "\"level\": 1.5"));
    assert!(level.contains("1.5 is not a confidence level"), "{level}");
    let text = damaged(&|folder| edit(folder, "skirmish\\\"", "scrimmage\\\""));
    assert!(text.contains("SHA-256"), "{text}");
    let outside = damaged(&|folder| {
        forge(folder, &|manifest| {
            let tallies = manifest.files.tallies.as_mut().unwrap();
            tallies.path = "../tallies.parquet".to_owned();
        });
    });
    assert!(outside.contains("is not one of its files"), "{outside}");
    let gone = damaged(&|folder| fs::remove_file(folder.join("manifest.json")).unwrap());
    assert!(gone.contains("it has no manifest.json"), "{gone}");
}

/// Changes that only the seal can detect.
#[test]
fn a_manifest_that_was_changed_is_not_believed() {
    let folder = tempfile::tempdir().unwrap();
    fight(folder.path(), 100, 1, Keep::None);
    let path = folder.path().join("manifest.json");
    let text = fs::read_to_string(&path).unwrap();
    let digest = Manifest::read(folder.path()).unwrap().progress.digest;
    for (from, to) in [
        ("\"attacker\",\n    \"defender\"", "\"defender\",\n    \"attacker\""),
        (digest.as_str(), "0123456789abcdef"),
        ("\"runs\": 100,", "\"runs\": 100,\n  \"luck\": true,"),
        ("\"level\": 0.95", "\"level\": 0.99"),
        ("\"runs\": 100", "\"runs\": 1000"),
        ("\"label\": \"1\"", "\"label\": \"2\""),
        ("\"threads\": 0", "\"threads\": 8"),
        ("\"seal\": \"", "\"seal\": \"0"),
    ] {
        assert!(text.contains(from), "{from}");
        fs::write(&path, text.replacen(from, to, 1)).unwrap();
        let said = Results::open(folder.path()).unwrap_err().to_string();
        assert!(said.contains("manifest.json is damaged") && said.contains("made.seal"), "{to}: {said}");
    }
    fs::write(&path, text).unwrap();
    Results::open(folder.path()).unwrap();
}

/// If all battles are kept, they determine the digest, whatever was sealed.
#[test]
fn the_digest_is_that_of_the_battles_that_are_kept() {
    let place = tempfile::tempdir().unwrap();
    for (keep, noticed) in [(Keep::All, true), (Keep::First(100), true), (Keep::First(99), false)] {
        let folder = place.path().join(format!("{keep:?}"));
        let results = fight(&folder, 100, 1, keep);
        results.check_digest().unwrap();
        let mut manifest = results.manifest.clone();
        manifest.progress.digest = "0123456789abcdef".to_owned();
        fs::write(folder.join("manifest.json"), read::sealed(&mut manifest).unwrap()).unwrap();
        let forged = Results::open(&folder).unwrap();
        let refused = [
            forged.check_digest().err(),
            merge(&[forged], &place.path().join("sum"), "merge", false, &Silent, &Stop::new()).err(),
            ResultsWriter::resume(&folder, manifest).err(),
        ];
        for error in refused {
            assert_eq!(error.is_some(), noticed, "{keep:?}");
            if let Some(error) = error {
                let said = error.to_string();
                assert!(
                    said.contains("0123456789abcdef") && said.contains(&results.manifest.progress.digest),
                    "{said}"
                );
            }
        }
    }
}

#[test]
fn many_cells_are_cut_into_parts_by_their_battles() {
    let baselines: Vec<_> = (0..150).map(|cell| Some(cell % 7)).collect();
    let place = tempfile::tempdir().unwrap();
    let go = |folder: &Path, runs: u64| {
        let asked = manifest(&baselines, runs, Keep::First(6_000));
        let (mut writer, mut tallied) = match Manifest::begun(folder).unwrap() {
            Some(_) => ResultsWriter::resume(folder, asked).unwrap(),
            None => (ResultsWriter::create(folder, asked).unwrap(), Tallied::new(0, &baselines)),
        };
        let options = RunOptions { keep: Keep::First(6_000), ..options(&baselines, 0..runs) };
        let ending = run(&options, &Skirmishes, &mut tallied, &mut writer, &Silent, &Stop::new()).unwrap();
        writer.finish(&tallied, ending).unwrap()
    };
    let whole = go(&place.path().join("whole"), 9_000);
    // Two blocks, each in three parts of up to 64 cells.
    assert_eq!(whole.manifest.files.parts.len(), 6);
    assert_eq!(whole.manifest.files.parts.iter().map(|part| part.rows).sum::<u64>(), 150 * 6_000);
    for runs in [1_000, 5_000, 9_000] {
        go(&place.path().join("pieces"), runs);
    }
    assert_same(&place.path().join("pieces"), &place.path().join("whole"), "pieces");
}

#[test]
fn estimates_agree_with_the_tallies() {
    let folder = tempfile::tempdir().unwrap();
    let results = fight(folder.path(), 5_000, 2, Keep::None);
    let mut expected = Tallied::new(0, &FAMILY);
    run(&options(&FAMILY, 0..5_000), &Skirmishes, &mut expected, &mut Discard, &Silent, &Stop::new()).unwrap();
    assert_eq!(results.tallies, expected.cells);

    let tally = &expected.cells[3];
    let win = results.estimate(3, Some(Side::First), WIN).unwrap();
    let share = tally.outcomes[0] as f64 / 5_000.0;
    assert_eq!((win.mean, win.runs, win.kind), (share, 5_000, Kind::Share));
    let exact = grognard_stats::share_exact(tally.outcomes[0], 5_000, grognard_stats::Level::P95);
    assert_eq!((win.low, win.high), (exact.low, exact.high));

    let losses = results.estimate(3, Some(Side::Second), "losses").unwrap();
    assert_eq!(losses.mean, tally.metrics.second[0].sum() as f64 / 5_000.0);
    assert_eq!(losses.kind, Kind::Mean);

    let shares: f64 = [(Some(Side::First), WIN), (Some(Side::Second), WIN), (None, DRAW)]
        .map(|(side, metric)| results.estimate(3, side, metric).unwrap().mean)
        .iter()
        .sum();
    assert!((shares - 1.0).abs() < 1e-12);
}

/// Expected numbers are judged by the same estimates as elsewhere, whatever the kind of intervals.
#[test]
fn expected_numbers_have_the_intervals_of_their_folder() {
    let place = tempfile::tempdir().unwrap();
    for (name, kind, together, both_ways) in [
        ("exact", PromiseKind::Exact, false, false),
        ("together", PromiseKind::Exact, true, false),
        ("Wilson's", PromiseKind::Wilson, false, false),
        ("rounds", PromiseKind::Exact, false, true),
    ] {
        let mut asked = manifest(&FAMILY, 5_000, Keep::None);
        asked.promise = Promise { kind, together };
        let expect = |of: Expectation| Expected {
            cell: 0,
            of,
            numerator: 0,
            denominator: 1,
            rounded: false,
            source: String::new(),
        };
        let beyond = Expectation::Value { metric: TURNS.to_owned(), value: u32::MAX, or_more: true };
        asked.report.expect = vec![
            expect(Expectation::Outcome(asked.sides[0].clone())),
            expect(Expectation::Mean(TURNS.to_owned())),
            expect(beyond),
        ];
        let mut writer = ResultsWriter::create(place.path().join(name), asked).unwrap();
        let mut tallied = Tallied::new(0, &FAMILY);
        let options = RunOptions { both_ways, ..options(&FAMILY, 0..5_000) };
        run(&options, &Skirmishes, &mut tallied, &mut writer, &Silent, &Stop::new()).unwrap();
        let results = writer.finish(&tallied, Ending::AllRuns).unwrap();
        let judged = results.judged();
        for (judged, row) in
            judged.iter().zip([results.estimate(0, Some(Side::First), WIN), results.estimate(0, None, TURNS)])
        {
            let row = row.unwrap().estimate();
            assert_eq!(
                (judged.found.point, judged.found.low, judged.found.high),
                (row.point, row.low, row.high),
                "{name}"
            );
        }
        // No battle lasts 4,294,967,295 turns or more.
        assert!(judged[2].agrees && judged[2].found.point == 0.0, "{name}: {:?}", judged[2]);
    }
}

#[test]
fn differences_are_those_between_cell_and_baseline() {
    let folder = tempfile::tempdir().unwrap();
    let results = fight(folder.path(), 5_000, 2, Keep::None);
    for (side, metric) in [
        (Some(Side::First), WIN),
        (None, DRAW),
        (None, TURNS),
        (Some(Side::Second), "losses"),
        (Some(Side::First), "routed"),
    ] {
        let mean = |cell| results.estimate(cell, side, metric).unwrap().mean;
        let difference = results.difference(3, side, metric).unwrap();
        assert!((difference.mean - (mean(3) - mean(0))).abs() < 1e-12, "{metric}");
        assert!(difference.low <= difference.mean && difference.mean <= difference.high);
        assert_eq!(difference.baseline, Some(0));
        assert!(results.difference(0, side, metric).is_none() && results.difference(2, side, metric).is_none());
    }
    // Every cell reads the same luck, so a battle is never won only in the cell with the less favourable reading.
    let paired = results.tallies[3].paired.as_ref().unwrap();
    let pairs = pairs_of_verdict(&paired.joint, crate::tally::Verdict::First);
    assert_eq!((pairs.cell_only, pairs.runs()), (0, 5_000));
    let won = results.tallies[0].outcomes[0] - results.tallies[3].outcomes[0];
    assert_eq!(pairs.baseline_only, won);
    let broken = pairs_of_metric(&paired.metrics.first[1], &results.tallies[3].metrics.first[1]);
    assert_eq!((broken.runs(), broken.baseline_only), (5_000, 0));
    assert_eq!(broken.both + broken.cell_only, results.tallies[3].metrics.first[1].count_of(1));
}

/// Fights a shard of a run.
fn shard(folder: &Path, battles: std::ops::Range<u64>) -> Results {
    let mut manifest = manifest(&FAMILY, 20_000, Keep::First(10));
    manifest.progress.first = battles.start;
    let mut writer = ResultsWriter::create(folder, manifest).unwrap();
    let mut tallied = Tallied::new(battles.start, &FAMILY);
    let options = RunOptions { keep: Keep::First(10), ..options(&FAMILY, battles) };
    let ending = run(&options, &Skirmishes, &mut tallied, &mut writer, &Silent, &Stop::new()).unwrap();
    writer.finish(&tallied, ending).unwrap()
}

#[test]
fn merged_shards_equal_one_run() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    let whole = fight(&at("whole"), 20_000, 2, Keep::First(10));
    let shards = [shard(&at("c"), 12_288..20_000), shard(&at("a"), 0..8_192), shard(&at("b"), 8_192..12_288)];
    let merged = merge(&shards, &at("sum"), "merge", false, &Silent, &Stop::new()).unwrap();
    assert_eq!(merged.manifest.progress, whole.manifest.progress);
    // The merged folder keeps ten battles of each cell, as a single run does, and not ten per shard.
    assert_same(&at("sum"), &at("whole"), "sum");
    assert_eq!(merged.manifest.files.keep, Some(10));
    assert_eq!(Results::open(at("sum")).unwrap(), merged);
}

#[test]
fn a_run_that_was_precise_enough_stays_whole_when_merged() {
    let folder = tempfile::tempdir().unwrap();
    let mut whole = shard(&folder.path().join("a"), 0..8_192);
    whole.manifest.progress.ending = Ending::Precise;
    let merged = merge(&[whole], &folder.path().join("sum"), "merge", false, &Silent, &Stop::new()).unwrap();
    assert_eq!(merged.manifest.progress.ending, Ending::Precise);
}

#[test]
fn shards_that_do_not_fit_are_not_merged() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    let (a, b, c) = (shard(&at("a"), 0..4_096), shard(&at("b"), 4_096..8_192), shard(&at("c"), 8_192..9_000));
    let said = |shards: &[Results], out: &str| {
        merge(shards, &at(out), "merge", false, &Silent, &Stop::new()).unwrap_err().to_string()
    };
    let gap = said(&[a.clone(), c.clone()], "sum");
    assert!(gap.contains("battles 4096 to 8191 of ") && gap.contains(" are missing"), "{gap}");
    assert!(said(&[a.clone(), b.clone(), b.clone()], "sum").contains("battles 4096 to 8191 of "));
    assert!(said(&[], "sum").contains("no results to merge"));
    assert!(said(&[a.clone(), b.clone()], "b").contains("one of the folders to merge"));
    let mut other = b.clone();
    other.manifest.promise.together = true;
    assert!(said(&[a.clone(), other], "sum").contains("whether the intervals hold together is yes there and no here"));
    let mut other = b;
    other.manifest.identity = "another".to_owned();
    assert!(said(&[a, other], "sum").contains("battles of another series"));
    assert!(!at("sum").exists());
}
