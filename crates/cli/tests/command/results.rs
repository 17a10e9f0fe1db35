//! Going on, sharing out, adding up, reporting again.

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
    merge(1, 3, "sum").refused("battle 8192 is the next one missing");
    merge(1, 1, "sum").refused("occur twice");
    merge(1, 2, "sum").refused("battles of another series");
    merge(1, 3, &results(1)).refused("name another for the sum");
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
    // A report is of the numbers beside it or is gone.
    let ran = place.grognard("run duel.toml --no-report --seed 2 --force").ends(0);
    ran.says("report   none yet: grognard report results/duel");
    assert!(!place.path("results/duel/report").exists());
    place.grognard("report results/duel").ends(0);
    place.grognard("run duel.toml --no-report --seed 2 --runs 9_000 --resume").ends(0);
    assert!(!place.path("results/duel/report").exists());
}

/// A report that is asked for later lacks nothing: what the run did not watch is watched then.
#[test]
fn a_report_built_later_is_the_one_of_the_run() {
    let (run, later) = (Place::with_duel(), Place::with_duel());
    run.grognard("run duel.toml --luck").ends(0);
    later.grognard("run duel.toml --luck --no-report").ends(0);
    assert!(!later.path("results/duel/watched.json").exists());
    later.grognard("report results/duel").ends(0);
    // The command that the folder and its report name has no --no-report: both are the same.
    assert_same(&run.path("results/duel"), &later.path("results/duel"));
}

/// More shards than blocks, so that the first of them is empty.
#[test]
fn uneven_shards_add_up_to_every_byte() {
    let place = Place::with_duel();
    for flags in ["--keep all --luck", "--keep 6_000 --together", "--keep none"] {
        let line = format!("run duel.toml --runs 10_000 --no-report --quiet {flags}");
        place.grognard(&format!("{line} --out whole")).ends(0);
        for shard in 1..=5 {
            place.grognard(&format!("{line} --shard {shard}/5 --out s{shard}")).ends(0);
        }
        place.grognard("merge s5 s1 s4 s2 s3 --no-report --quiet --out sum").ends(0);
        assert_same(&place.path("sum"), &place.path("whole"));
        place.grognard("report whole").ends(0);
        place.grognard("merge s5 s1 s4 s2 s3 --quiet --out sum").ends(0);
        let watched = |folder: &str| place.read(&format!("{folder}/watched.json"));
        assert!(watched("sum") == watched("whole"), "{flags}");
        for folder in ["whole", "sum", "s1", "s2", "s3", "s4", "s5"] {
            std::fs::remove_dir_all(place.path(folder)).expect("it is there");
        }
    }
}

/// What is asked for and would not be done is refused.
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
