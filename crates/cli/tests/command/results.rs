//! Resuming, sharding, merging, and building reports again.

use super::run::manifest;
use super::{DUEL, Place, assert_same, tree};

const FILES: [&str; 2] = ["data/summary.parquet", "data/tallies.parquet"];

#[test]
fn shards_add_up_to_the_run_they_are_shares_of() {
    let place = Place::with_duel();
    let line = "run duel.toml --runs 30_000 --no-report --keep all";
    place.grognard(&format!("{line} --out whole")).ends(0);
    for shard in ["1/3", "2/3", "3/3"] {
        place.grognard(&format!("{line} --shard {shard}")).ends(0);
    }
    let shards = ["duel.shard-1-of-3", "duel.shard-2-of-3", "duel.shard-3-of-3"];
    assert_eq!(place.list("results"), shards);
    let ran =
        place.grognard(&format!("merge results/{} results/{} results/{} --out sum", shards[2], shards[0], shards[1]));
    let ran = ran.ends(0);
    assert!(ran.out.contains("3 cells, 30,000 battles each"), "{ran:?}");
    for file in FILES {
        assert_eq!(place.read(&format!("sum/{file}")), place.read(&format!("whole/{file}")), "{file}");
    }
    assert_eq!(manifest(&place, "sum")["progress"], manifest(&place, "whole")["progress"]);
}

#[test]
fn shards_that_do_not_fit_are_refused() {
    let place = Place::with_duel();
    for (shard, seed) in [("1/3", 1), ("3/3", 1), ("2/3", 2)] {
        place.grognard(&format!("run duel.toml --runs 30_000 --no-report --shard {shard} --seed {seed}")).ends(0);
    }
    let results = |number: u32| format!("results/duel.shard-{number}-of-3");
    let merge =
        |one, other, out: &str| place.grognard(&format!("merge {} {} --out {out}", results(one), results(other)));
    merge(1, 3, "sum").refused("battles 8192 to 20479 of 30000 are missing");
    merge(1, 1, "sum").refused("occur twice");
    merge(1, 2, "sum").refused("battles of another series");
    merge(1, 3, &results(1)).refused("name another folder for the sum");
    assert_eq!(place.list(""), ["duel.toml", "results"]);
}

#[test]
fn a_resumed_run_equals_one_in_a_single_go() {
    let place = Place::with_duel();
    place.grognard("run duel.toml --runs 20_000 --no-report --out whole").ends(0);
    place.grognard("run duel.toml --runs 8_192 --no-report --out pieces").ends(0);
    place.grognard("run duel.toml --runs 20_000 --no-report --out pieces --resume").ends(0);
    for file in FILES {
        assert_eq!(place.read(&format!("pieces/{file}")), place.read(&format!("whole/{file}")), "{file}");
    }
    // Under the same name, manifest and report are also the same: nothing depends on when or how often the run was
    // interrupted.
    let at_once = Place::with_duel();
    at_once.grognard("run duel.toml --runs 20_000").ends(0);
    let resumed = Place::with_duel();
    resumed.grognard("run duel.toml --runs 8_192").ends(0);
    resumed.grognard("run duel.toml --runs 20_000 --resume").says(" of them now, in ").ends(0);
    assert_eq!(tree(&resumed.path("results/duel")), tree(&at_once.path("results/duel")));
    assert_eq!(resumed.read("results/duel/manifest.json"), at_once.read("results/duel/manifest.json"));
    let other = place.grognard("run duel.toml --out pieces --resume --seed 2");
    other.refused("battles of another series").says("otherwise use another folder");
    assert_eq!(place.list(""), ["duel.toml", "pieces", "whole"]);
}

#[test]
fn a_report_is_built_again_from_its_folder_alone() {
    let place = Place::with_duel();
    place.grognard("run duel.toml --no-report").ends(0);
    std::fs::remove_file(place.path("duel.toml")).expect("it is there");
    let ran = place.grognard("report results/duel").ends(0);
    assert_eq!(ran.out.trim_end().replace('\\', "/"), "results/duel/report/index.html");
    let page = String::from_utf8(place.read("results/duel/report/index.html")).expect("a page is text");
    assert!(page.contains("How many defenders?"));
    place.write("duel.toml", DUEL);
    place.grognard("run duel.toml --no-report --resume").ends(0);
    assert!(place.path("results/duel/report/index.html").exists(), "it is of these battles");
    // A report matches the numbers next to it, or is removed.
    let ran = place.grognard("run duel.toml --no-report --seed 2 --force").ends(0);
    ran.says("report   none yet: grognard report results/duel");
    assert!(!place.path("results/duel/report").exists());
    place.grognard("report results/duel").ends(0);
    place.grognard("run duel.toml --no-report --seed 2 --runs 9_000 --resume").ends(0);
    assert!(!place.path("results/duel/report").exists());
}

/// A report that is built later is complete: battles that the run did not watch are watched then.
#[test]
fn a_report_built_later_is_the_one_of_the_run() {
    let (run, later) = (Place::with_duel(), Place::with_duel());
    run.grognard("run duel.toml --luck").ends(0);
    later.grognard("run duel.toml --luck --no-report").ends(0);
    assert!(!later.path("results/duel/watched.json").exists());
    later.grognard("report results/duel").ends(0);
    // The command in the folder and in its report does not contain --no-report, so both are the same.
    assert_same(&run.path("results/duel"), &later.path("results/duel"));
}

#[test]
fn luck_is_not_promised_to_hold_together() {
    let place = Place::with_duel();
    let said = |flags: &str| {
        let line = format!("run duel.toml --runs 2000 --no-report --quiet --luck {flags}");
        place.grognard(&line).ends(0).out.contains("not guaranteed to be simultaneous")
    };
    assert_eq!([said("--out plain"), said("--together --out together")], [false, true]);
}

/// More shards than blocks, so the first one is empty.
#[test]
fn uneven_shards_add_up_to_every_byte() {
    let place = Place::with_duel();
    // Only one of them draws the report, which takes longer than the battles.
    for (flags, reported) in [("--keep all --luck", false), ("--keep 6_000 --together", true), ("--keep none", false)] {
        let line = format!("run duel.toml --runs 10_000 --no-report --quiet {flags}");
        place.grognard(&format!("{line} --out whole")).ends(0);
        for shard in 1..=5 {
            place.grognard(&format!("{line} --shard {shard}/5 --out s{shard}")).ends(0);
        }
        place.grognard("merge s5 s1 s4 s2 s3 --no-report --quiet --out sum").ends(0);
        assert_same(&place.path("sum"), &place.path("whole"));
        if reported {
            place.grognard("report whole").ends(0);
            place.grognard("merge s5 s1 s4 s2 s3 --quiet --out sum").ends(0);
            let watched = |folder: &str| place.read(&format!("{folder}/watched.json"));
            assert!(watched("sum") == watched("whole"), "{flags}");
            // The manifests differ only in how they were made, which reports print; with the same manifest, the reports
            // are the same.
            let report = tree(&place.path("whole/report"));
            let files = |folder: &str| place.list(&format!("{folder}/report"));
            assert_eq!(files("sum"), files("whole"));
            place.write("sum/manifest.json", place.read("whole/manifest.json"));
            std::fs::rename(place.path("whole"), place.path("other")).expect("it is there");
            std::fs::rename(place.path("sum"), place.path("whole")).expect("it is there");
            place.grognard("report whole").ends(0);
            assert!(tree(&place.path("whole/report")) == report, "the report of the sum is that of the whole");
            std::fs::rename(place.path("other"), place.path("sum")).expect("it is there");
        }
        for folder in ["whole", "sum", "s1", "s2", "s3", "s4", "s5"] {
            std::fs::remove_dir_all(place.path(folder)).expect("it is there");
        }
    }
}

/// The battles in the files, one per line.
#[test]
fn battles_are_there_as_csv() {
    let place = Place::with_duel();
    let json = place.grognard("run duel.toml --runs 40 --keep 30 --luck --no-report --quiet --json").ends(0).json();
    let ran = place.grognard("battles results/duel").ends(0);
    let mut lines = ran.out.lines();
    let head: Vec<&str> = lines.next().expect("a heading").split(',').collect();
    let sides = ["attacker", "defender"];
    let metrics = ["losses", "routed_units", "shaken_units", "rout_turn", "luck"];
    let own = metrics.map(|metric| sides.map(|side| format!("{side}_{metric}")));
    assert_eq!(head[..4], ["cell", "battle", "winner", "turns"]);
    for column in own.iter().flatten() {
        assert!(head.contains(&column.as_str()), "{column}: {head:?}");
    }
    let rows: Vec<Vec<&str>> = lines.map(|line| line.split(',').collect()).collect();
    assert_eq!(rows.len(), 3 * 30);
    for cell in ["0", "1", "2"] {
        let own = rows.iter().filter(|row| row[0] == cell);
        let battles: Vec<String> = own.clone().map(|row| row[1].to_owned()).collect();
        assert_eq!(battles, (0..30).map(|battle: u32| battle.to_string()).collect::<Vec<_>>());
        assert!(own.clone().all(|row| row.len() == head.len()));
        // Each is the battle that `replay` narrates.
        let told = place.grognard(&format!("replay results/duel --cell {cell} --battle 7")).ends(0);
        let (last, winner) = (told.out.lines().last().expect("a last line"), own.clone().nth(7).expect("a row")[2]);
        assert!(last.starts_with(winner), "{last}: {winner}");
    }
    assert_eq!(json["runs"], 40);
    let alone = place.grognard("battles results/duel --cell 2,0").ends(0);
    let expected: Vec<&str> = ran.out.lines().filter(|line| !line.starts_with("1,")).collect();
    assert_eq!(alone.out.lines().collect::<Vec<_>>(), expected);
    place.grognard("battles results/duel --cell 3").refused("there is no cell 3").says("numbered from 0 to 2");
    place.grognard("run duel.toml --runs 40 --keep none --no-report --quiet --out bare").ends(0);
    place.grognard("battles bare").refused("bare keeps no battles").says("--keep");
}

/// Requests that would not be carried out are refused.
#[test]
fn nothing_that_is_asked_for_is_left_undone() {
    let place = Place::with_duel();
    place.grognard("run duel.toml --no-report --quiet").ends(0);
    let before = tree(&place.path("results/duel"));
    let resume = "run duel.toml --runs 9_000 --no-report --quiet --resume";
    place.grognard(&format!("{resume} --luck")).refused("holds battles whose luck was not counted");
    place.grognard(&format!("{resume} --keep all")).refused("results/duel keeps the first 10,000 battles of each cell");
    place.grognard("run duel.toml --set extends=risk").refused("`extends` cannot be set or varied");
    place.grognard("run duel.toml --set pack=risk").refused("`pack` cannot be set or varied");
    place.write("vary.toml", DUEL.replace("[vary]", "[vary]\nextends = ['risk', 'refduel']"));
    place.grognard("run vary.toml").ends(2).says("`extends` cannot be set or varied");
    for flag in [
        "--runs 10",
        "--seed 2",
        "--precision 0.1",
        "--intervals exact",
        "--together",
        "--level 0.9",
        "--keep 10000",
        "--luck",
        "--watch",
        "--resume",
        "--shard 1/2",
    ] {
        let name = flag.split(' ').next().expect("a word");
        place
            .grognard(&format!("run duel.toml --method exact {flag} --out odds"))
            .refused(&format!("{name} needs battles"));
    }
    assert!(tree(&place.path("results/duel")) == before);
    assert_eq!(place.list(""), ["duel.toml", "results", "vary.toml"]);
}

#[test]
fn what_is_no_results_folder_is_refused() {
    let place = Place::with_duel();
    place.grognard("report .").refused("not a results folder");
    place.grognard("report nowhere").refused("not a results folder");
    place.grognard("merge . --out sum").refused("not a results folder");
    place.write("odd/manifest.json", "{}");
    place.grognard("report odd").refused("odd/manifest.json is damaged");
    place.write("old/manifest.json", r#"{"format": 99}"#);
    place.grognard("report old").refused("has format 99");
    assert_eq!(place.list(""), ["duel.toml", "odd", "old"]);
}
