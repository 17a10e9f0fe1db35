//! `grognard run`: what it prints, keeps and leaves behind.

use super::{DUEL, Place, command};

#[test]
fn a_run_leaves_a_results_folder_with_its_report() {
    let place = Place::with_duel();
    let ran = place.grognard("run duel.toml").ends(0).says("duel: 3 cells of 5,000 battles, seed 1, risk 1.0.0");
    assert!(ran.out.starts_with("How many defenders?\n3 cells, 5,000 battles each, seed 1, risk 1.0.0\n"), "{ran:?}");
    assert!(ran.err.contains("results/duel/report/index.html"), "{ran:?}");
    assert_eq!(place.list("results/duel"), ["data", "manifest.json", "report", "watched.json"]);
    let tables = ["battle_sides", "battles", "cells.parquet", "summary.parquet", "tallies.parquet"];
    assert_eq!(place.list("results/duel/data"), tables);
    // Folders of a table contain nothing else, so that they can be read as a whole.
    for folder in ["battles", "battle_sides"] {
        assert_eq!(place.list(&format!("results/duel/data/{folder}")), ["part-00000.parquet"]);
    }
    assert_eq!(place.list(""), ["duel.toml", "results"]);
}

#[test]
fn a_built_in_study_needs_no_files() {
    let place = Place::new();
    place.grognard("run square-vs-line --runs 50 --no-report").ends(0);
    // Battles are not watched for a report that is not built.
    assert_eq!(place.list("results/square-vs-line"), ["data", "manifest.json"]);
}

#[test]
fn threads_change_no_byte() {
    let place = Place::with_duel();
    let runs = [
        ("many", "20_000", &["summary.parquet", "tallies.parquet", "battles/part-00000.parquet"][..]),
        ("few", "4_000", &["battles/part-00000.parquet", "battle_sides/part-00000.parquet"]),
    ];
    for (name, battles, files) in runs {
        let folder = |threads: u32| format!("{name}-with-{threads}");
        for threads in [1, 2, 8] {
            let line = format!("run duel.toml --runs {battles} --keep all --no-report --threads {threads} --out");
            place.grognard(&format!("{line} {}", folder(threads))).ends(0);
        }
        let digest = |threads| manifest(&place, &folder(threads))["progress"]["digest"].clone();
        for threads in [2, 8] {
            assert_eq!(digest(threads), digest(1));
            for file in files {
                let same = place.read(&format!("{}/data/{file}", folder(threads)))
                    == place.read(&format!("{}/data/{file}", folder(1)));
                assert!(same, "{name}: {file}, {threads} threads");
            }
        }
    }
}

#[test]
fn standard_output_is_the_same_wherever_it_is_fought() {
    let place = Place::with_duel();
    let one = place.grognard("run duel.toml --threads 1 --no-report --out one").ends(0).out;
    assert_eq!(place.grognard("run duel.toml --threads 8 --no-report --out eight").ends(0).out, one);
}

#[test]
fn json_is_one_object_that_adds_up() {
    let place = Place::with_duel();
    let json = place.grognard("run duel.toml --json --seed 7 --runs 1e3").ends(0).json();
    assert_eq!([&json["study"], &json["pack"], &json["method"]], ["duel", "risk", "sampled"]);
    assert_eq!([&json["seed"], &json["runs"]], [7, 1_000]);
    let cells = json["cells"].as_array().expect("a list");
    assert_eq!(cells.len(), 3);
    for cell in cells {
        let outcomes = cell["outcomes"].as_object().expect("an object");
        assert_eq!(outcomes.keys().collect::<Vec<_>>(), ["attacker", "defender", "draw"]);
        assert_eq!(outcomes.values().map(|outcome| outcome["count"].as_u64().expect("a count")).sum::<u64>(), 1_000);
        for outcome in outcomes.values() {
            let number = |key: &str| outcome[key].as_f64().expect("a number");
            assert!(number("low") <= number("mean") && number("mean") <= number("high"), "{outcome}");
            assert_eq!(number("mean"), number("count") / 1_000.0);
        }
    }
    assert_eq!(cells[2]["vary"]["defender.0.figures"], 7);
}

#[test]
fn quiet_is_silent_but_for_the_result() {
    let place = Place::with_duel();
    let loud = place.grognard("run duel.toml").ends(0);
    let quiet = place.grognard("run duel.toml --quiet").ends(0);
    assert_eq!((quiet.out, quiet.err.as_str()), (loud.out, ""));
}

/// A run that loses battles or a report says so, even with `--quiet`.
#[test]
fn what_a_run_replaces_and_does_not_make_again_is_said() {
    let place = Place::with_duel();
    place.grognard("run duel.toml --runs 200 --quiet").ends(0);
    let again = place.grognard("run duel.toml --runs 300 --quiet").ends(0);
    assert_eq!(again.err, "");
    let fewer = place.grognard("run duel.toml --runs 100 --no-report --quiet").ends(0);
    let lost = "warning: this replaces 300 battles of each cell and their report in results/duel; \
        write to another folder with --out to keep them\n";
    assert_eq!(fewer.err, lost);
    place.grognard("run duel.toml --runs 200 --quiet").ends(0);
    let shown = place.grognard("run duel.toml --runs 200 --no-report --quiet").ends(0).err;
    assert!(shown.starts_with("warning: this removes the report in results/duel"), "{shown}");
    let other = place.grognard("run duel.toml --runs 100 --no-report --quiet --out other").ends(0);
    assert_eq!(other.err, "");
    assert_eq!(place.grognard("run duel.toml --runs 400 --resume --quiet").ends(0).err, "");
    let exact = place.grognard("run duel.toml --method exact --no-report --quiet").ends(0).err;
    assert!(exact.contains("replaces 400 battles of each cell and their report"), "{exact}");
    let sampled = place.grognard("run duel.toml --runs 10 --force --no-report --quiet").ends(0).err;
    assert!(sampled.contains("replaces exact odds in results/duel"), "{sampled}");
}

#[test]
fn values_are_set_and_varied_paths_pinned() {
    let place = Place::with_duel();
    let line = "run duel.toml --json --no-report --set defender.0.figures=1 --set attacker.0.figures=1";
    let json = place.grognard(line).ends(0).json();
    assert_eq!(json["cells"].as_array().map(Vec::len), Some(1));
    assert_eq!(json["cells"][0]["vary"]["defender.0.figures"], 1);
    // One die against one die: 15 of 36. Wilson's interval at 99.9 % and 5,000 battles is within 0.024, so one seed in
    // a thousand fails.
    let wins = json["cells"][0]["outcomes"]["attacker"]["mean"].as_f64().expect("a share");
    assert!((wins - 15.0 / 36.0).abs() < 0.024, "{wins}");
}

#[test]
fn a_random_seed_is_named_and_makes_the_run_again() {
    let place = Place::with_duel();
    let first = place.grognard("run duel.toml --seed random --json --out first").ends(0);
    let seed = first.json()["seed"].as_u64().expect("a seed");
    let again = place.grognard(&format!("run duel.toml --seed {seed} --json --out again")).ends(0).json();
    assert_eq!(again["cells"], first.json()["cells"]);
    let first = first.says(&format!("seed {seed}")).json();
    let other = place.grognard("run duel.toml --seed random --json").ends(0).json();
    assert_ne!(other["seed"], first["seed"], "once in four thousand million runs two random seeds are the same");
}

#[test]
fn the_command_line_in_the_manifest_makes_the_folder_again() {
    let place = Place::with_duel();
    place.grognard("run duel.toml --runs 4_000 --set turns=5 --keep 10 --level 99% --threads 1 --quiet").ends(0);
    let first = manifest(&place, "results/duel");
    let command = first["made"]["command"].as_str().expect("text");
    assert_eq!(command, "grognard run duel.toml --runs 4000 --set turns=5 --level 0.99 --keep 10");
    let summary = place.read("results/duel/data/summary.parquet");
    place.grognard(command.trim_start_matches("grognard ")).ends(0);
    assert_eq!(manifest(&place, "results/duel")["progress"], first["progress"]);
    assert_eq!(place.read("results/duel/data/summary.parquet"), summary);
}

#[test]
fn rows_are_kept_as_told() {
    let place = Place::with_duel();
    for (keep, rows) in [("all", 15_000), ("none", 0), ("7", 21)] {
        place.grognard(&format!("run duel.toml --no-report --keep {keep}")).ends(0);
        let parts = manifest(&place, "results/duel")["files"]["parts"].clone();
        let parts = parts.as_array().expect("a list").iter().map(|part| part["rows"].as_u64().expect("a count"));
        assert_eq!(parts.sum::<u64>(), rows, "{keep}");
    }
}

#[test]
fn a_run_ends_when_it_is_precise_enough() {
    let place = Place::with_duel();
    // Clopper and Pearson's half-width at p = 1/2 is 1 % at 9,700 battles; 9,216 and 10,240 are scheduled checks.
    let ran = place.grognard("run duel.toml --runs 1e6 --precision 1% --no-report").ends(0);
    assert!(ran.out.contains("10,240 of 1,000,000 battles each"), "{ran:?}");
    assert_eq!(manifest(&place, "results/duel")["progress"]["ending"], "precise");
    let json = place.grognard("run duel.toml --runs 1e6 --precision 1% --no-report --json").ends(0).json();
    assert_eq!(json["precision"]["reached"], true);
}

/// All allowed battles were fought, so the status is 0. All output says that they were not enough.
#[test]
fn a_run_that_is_not_precise_enough_says_so() {
    let place = Place::with_duel();
    let ran = place.grognard("run duel.toml --runs 1000 --precision 1%").ends(0);
    let words = "The requested precision, ±1.0, was not reached in 1,000 battles: the least precise share has ±3.2.";
    assert!(ran.out.contains(words) && ran.err.contains(words), "{ran:?}");
    let page = String::from_utf8(place.read("results/duel/report/report.md")).expect("text");
    assert!(page.contains("was not reached in 1,000 battles: the least precise share has ±3."), "{page}");
    let json = place.grognard("run duel.toml --runs 1000 --precision 1% --no-report --json").ends(0).json();
    assert_eq!(json["precision"]["reached"], false);
    assert!(json["precision"]["widest"].as_f64().is_some_and(|widest| (0.03..0.032).contains(&widest)), "{json}");
}

#[test]
fn a_reader_who_leaves_early_is_no_fault() {
    let place = Place::with_duel();
    for line in ["run duel.toml --no-report", "schema pack", "packs show napoleonic-figures"] {
        let mut child = command(&place.path(""), line)
            .stdout(std::process::Stdio::piped())
            .stderr(std::process::Stdio::piped())
            .spawn()
            .expect("the command runs");
        drop(child.stdout.take());
        let output = child.wait_with_output().expect("it ends");
        let ran = super::Ran::of(line, &output).ends(0);
        assert!(!ran.err.contains("error"), "{ran:?}");
    }
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_is_no_success() {
    let place = Place::with_duel();
    let full = std::fs::OpenOptions::new().write(true).open("/dev/full").expect("Linux has it");
    let output = command(&place.path(""), "run duel.toml").stdout(full).output().expect("the command runs");
    super::Ran::of("run duel.toml", &output).ends(1).says("cannot write to standard output");
}

#[test]
fn messages_are_coloured_on_terminals_alone() {
    let place = Place::new();
    place.write("duel.toml", DUEL.replace("army", "armee"));
    let ran = place.grognard("run duel.toml").ends(2);
    assert!(!ran.err.contains('\u{1b}'), "{ran:?}");
}

pub(crate) fn manifest(place: &Place, folder: &str) -> serde_json::Value {
    serde_json::from_slice(&place.read(&format!("{folder}/manifest.json"))).expect("a manifest is JSON")
}

#[test]
fn files_of_a_pack_are_not_offered_as_studies() {
    let place = Place::new();
    for (file, text) in [("pack.toml", "pack = 'mine'"), ("rolls.toml", "[roll]"), ("own.toml", "study = 'own'")] {
        place.write(file, text);
    }
    let ran = place.grognard("run pikket").refused("there is no study `pikket`");
    let offered = ["own.toml", "pack.toml", "rolls.toml"].map(|file| ran.err.contains(&format!("`{file}`")));
    assert_eq!(offered, [true, false, false], "{ran:?}");
}
