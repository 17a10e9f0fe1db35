//! `grognard sensitivity`: which numbers change the answer.

use super::Place;

const REFDUEL: &str = "sensitivity refduel --cell 0 --cell 1 --runs 1024 --quiet";

#[test]
fn numbers_are_listed_by_what_they_do_and_the_others_counted() {
    let place = Place::new();
    let ran = place.grognard(REFDUEL).ends(0);
    for words in [
        "The reference duel",
        "2 cells, 1,024 battles each with each change, seed 1815, refduel 1.0.0",
        "a wins (mean of 2 cells):",
        "unit.plain.figures",
        "roll.nerve.target",
        "of unit types that no side deploys",
        "(they changed nothing in 1,024 battles).",
    ] {
        assert!(ran.out.contains(words), "{words:?} not in {ran:?}");
    }
    // A number within a formula is named by the whole formula.
    assert!(ran.out.lines().all(|line| line.chars().count() <= 100), "{ran:?}");
    assert!(!ran.out.contains("unit.two-up"), "{ran:?}");
    assert!(ran.out.contains("most: the largest change in any one cell"), "{ran:?}");
    // Paths to be copied into `--set` are never shortened.
    let ran = place.grognard("sensitivity square-vs-line --cell 0 --runs 64 --of roll.shock --quiet").ends(0);
    assert!(!ran.out.contains('…') && ran.out.contains("roll.shock.modifier."), "{ran:?}");
}

#[test]
fn the_same_call_gives_the_same_numbers_whatever_the_threads() {
    let place = Place::new();
    let json = |more: &str| place.grognard(&format!("{REFDUEL} --json --global --ways 2{more}")).ends(0).out;
    assert_eq!(json(" --threads 1"), json(" --threads 3"));
    assert_ne!(json(""), json(" --seed 7"));
}

#[test]
fn json_has_every_change_and_csv_a_line_for_each() {
    let place = Place::new();
    let json = place.grognard(&format!("{REFDUEL} --json")).ends(0).json();
    let moved = json["moved"].as_array().expect("numbers that move battles");
    let size = |row: &serde_json::Value, way: &str| row[way]["effect"]["mean"].as_f64().unwrap_or(0.0).abs();
    let sizes: Vec<f64> = moved.iter().map(|row| size(row, "down").max(size(row, "up"))).collect();
    assert!(sizes.windows(2).all(|pair| pair[0] >= pair[1]), "{sizes:?}");
    let numbers = &json["numbers"];
    let count = |key: &str| numbers[key].as_u64().expect("a count");
    assert_eq!(count("used") + count("absent") + count("unreached") + count("varied"), count("all"));
    let fixed = numbers["fixed"].as_array().expect("a list").len() as u64;
    assert_eq!(moved.len() as u64 + count("still") + fixed, count("used"));
    let steps = moved.iter().flat_map(|row| [&row["down"], &row["up"]]).filter(|step| !step.is_null());
    for step in steps.clone() {
        let within = |of: &str| {
            let end = |end: &str| step[of][end].as_f64().expect("a number");
            assert!(end("low") <= end("mean") && end("mean") <= end("high"), "{step}");
            end("high") - end("low")
        };
        assert!(within("effect") <= within("together") + 1e-12, "{step}");
        assert_eq!(step["cells"].as_array().map(Vec::len), Some(2));
    }
    let csv = place.grognard(&format!("{REFDUEL} --format csv")).ends(0).out;
    assert_eq!(csv.lines().count(), 1 + steps.count());
    let markdown = place.grognard(&format!("{REFDUEL} --format markdown")).ends(0).out;
    assert!(markdown.contains("| --- |") || markdown.contains("| --: |"), "{markdown}");
}

#[test]
fn a_change_that_is_found_is_the_one_that_set_makes() {
    let place = Place::new();
    let ask = "sensitivity refduel --cell 1 --runs 4096 --quiet --json --of unit.plain.figures";
    let found = place.grognard(ask).ends(0).json();
    let row = &found["moved"][0];
    let set = row["up"]["set"].as_str().expect("a setting");
    assert_eq!(set, "unit.plain.figures=21");
    let run = |more: &str| {
        let json = place.grognard(&format!("run refduel --runs 4096 --quiet --json --no-report{more}")).ends(0).json();
        json["cells"][1]["outcomes"]["a"]["mean"].as_f64().expect("a share")
    };
    let apart = run(&format!(" --set {set} --out other")) - run("");
    let effect = row["up"]["effect"]["mean"].as_f64().expect("a number");
    assert!((apart - effect).abs() < 1e-9, "{apart} and not {effect}");
}

#[test]
fn charts_and_numbers_go_into_a_folder() {
    let place = Place::new();
    place.grognard(&format!("{REFDUEL} --global --ways 2 --out found")).ends(0);
    let names = [
        "elementary-effects.png",
        "elementary-effects.svg",
        "index.html",
        "sensitivity.csv",
        "sensitivity.json",
        "sensitivity.md",
        "sensitivity.pdf",
        "tornado.png",
        "tornado.svg",
    ];
    assert_eq!(place.list("found"), names);
    let svg = String::from_utf8(place.read("found/tornado.svg")).expect("text");
    assert!(svg.contains("changes a’s wins most"), "the finding is its title");
    let page = String::from_utf8(place.read("found/index.html")).expect("text");
    let page = page.split_whitespace().collect::<Vec<_>>().join(" ");
    let promise = "± gives simultaneous";
    assert!(page.contains("unit.plain.figures") && page.contains(promise), "{page}");
}

/// Figures that the study varies, in all or some of its cells, and one of several numbers in a formula.
#[test]
fn numbers_are_named_and_those_that_are_varied_included() {
    let place = Place::with_duel();
    let all = place.grognard("sensitivity duel.toml --runs 512 --quiet --json").ends(0).json();
    let of = |json: &serde_json::Value, name: &str| {
        let mut moved = json["moved"].as_array().expect("a list").iter();
        moved.find(|&row| row["place"] == name).cloned().unwrap_or_else(|| panic!("no {name} in {json:#}"))
    };
    let varied = of(&all, "defender.0.figures");
    // One more defender in every cell means fewer wins for the attacker.
    assert!(varied["varied"] == true && varied["up"]["effect"]["mean"].as_f64() < Some(0.0), "{varied:#}");
    let only = place.grognard("sensitivity duel.toml --runs 512 --quiet --only defender.0.figures=3").ends(0);
    assert!(only.out.contains("varied  defender.0.figures") && only.out.contains("1 cell, 512 battles"), "{only:?}");
    let nerve = place.grognard(&format!("{REFDUEL} --json --of roll.nerve.target")).ends(0).json();
    let second = of(&nerve, "roll.nerve.target[3]");
    assert_eq!(second["number"], "roll.nerve.target[3]: self.figures <= 8 ? 0 : [8]");
}

#[test]
fn a_fault_is_placed_in_the_option_that_has_it() {
    let place = Place::with_duel();
    let refused = |line: &str, words: &str| place.grognard(line).refused(words);
    refused("sensitivity duel.toml --only nothing", "`nothing` has no `=`")
        .says("--> --only:1:1")
        .says("such as distance=12");
    refused("sensitivity duel.toml --set seed=5", "there is no path `seed`").says("set it with --seed");
    refused("run duel.toml --set runs=5", "there is no path `runs`").says("set it with --runs");
}

#[test]
fn time_that_is_left_over_changes_nothing() {
    let place = Place::new();
    let all = place.grognard(&format!("{REFDUEL} --json")).ends(0).out;
    assert_eq!(place.grognard(&format!("{REFDUEL} --json --time 10m")).ends(0).out, all);
}

#[test]
fn what_is_wrong_is_refused_before_anything_is_fought() {
    let place = Place::with_duel();
    let refused = |line: &str, words: &str| {
        place.grognard(line).refused(words);
        assert_eq!(place.list(""), ["duel.toml"]);
    };
    refused("sensitivity duel.toml --of roll.assalt", "there is no number `roll.assalt`");
    refused(
        "sensitivity duel.toml --global --range defender.0.figures=1..9",
        "the study varies `defender.0.figures` itself",
    );
    refused("sensitivity duel.toml --of a..b", "empty parts");
    refused("sensitivity duel.toml --cell 3", "there is no cell 3");
    refused("sensitivity duel.toml --cell 1 --cell 1", "named twice");
    refused("sensitivity duel.toml --metric bravery", "there is no metric `bravery`");
    refused("sensitivity duel.toml --runs 1e9", "too many to hold");
    refused("sensitivity duel.toml --range roll.assault.own.count=1..3", "--global");
    refused("sensitivity duel.toml --global --range roll.assault=1..3", "is not one number but 2");
    refused("sensitivity duel.toml --global --range victory.broken=3..1", "must not exceed the second");
    refused("sensitivity duel.toml --global --range victory.broken=99..100", "there is no step");
    refused("sensitivity square-vs-lime", "did you mean `square-vs-line`?");
}

/// Effects of numbers that changed few battles have no ±, because a normal approximation would make it too narrow.
#[test]
fn effects_over_ranges_have_no_margin_where_few_battles_changed() {
    let place = Place::new();
    let ask = |runs: u32, more: &str| {
        let figures = "--global --ways 2 --range unit.plain.figures=15..25 --quiet";
        place.grognard(&format!("sensitivity refduel --cell 0 --runs {runs} {figures}{more}")).ends(0)
    };
    let words = "No ±: fewer than 100 of the battles changed, and it would be too narrow (--runs).";
    for (runs, has) in [(64, false), (2048, true)] {
        let told = ask(runs, "").out;
        let changed = ask(runs, " --json").json()["global"]["numbers"][0]["changed"].as_u64();
        assert_eq!(changed.map(|changed| changed >= 100), Some(has), "{told}");
        let row = told.lines().rev().find(|line| line.contains("unit.plain.figures")).expect("its row");
        assert_eq!((row.contains('±'), told.contains(words)), (has, !has), "{told}");
    }
}
