//! `grognard run` until the answer is clear or precise enough: `--decide`, `--precision`, `--watch`, and the guarantees
//! of intervals.

use super::Place;

#[test]
fn two_cells_are_decided_between() {
    let place = Place::with_duel();
    // Osborne's table: five attackers win .769 against three defenders and .506 against five.
    let ran =
        place.grognard("run duel.toml --decide 1,0 --runs 100_000").ends(0).says("100,000 pairs of battles at most");
    for words in [
        "A: cell 1 (",
        "B: cell 0 (",
        "4,096 pairs of battles, seed ",
        "B is better for attacker, and A for defender.",
        "The score of attacker in B minus that in A: +2",
        "at most 5 in 100 such tests",
    ] {
        assert!(ran.out.contains(words), "{words:?} not in {ran:?}");
    }
    assert_eq!(place.list(""), ["duel.toml"], "nothing is written");
    let quiet = |threads: u32| {
        place.grognard(&format!("run duel.toml --decide 1,0 --runs 100_000 --quiet --threads {threads}")).ends(0)
    };
    assert_eq!(quiet(1).err, "");
    assert_eq!(quiet(1).out, quiet(8).out);
}

#[test]
fn variants_of_the_rules_are_decided_between() {
    let place = Place::with_duel();
    let json = place.grognard("run duel.toml --decide 1,1:attacker.0.figures=6 --runs 50_000 --json").ends(0).json();
    assert_eq!([&json["method"], &json["better"], &json["for"]], ["decide", "b", "attacker"]);
    assert_eq!(json["decided"], true);
    let number = |json: &serde_json::Value| json.as_f64().expect("a number");
    let difference = &json["difference"];
    assert!(number(&difference["low"]) > 0.0 && number(&difference["low"]) < number(&difference["mean"]), "{json}");
    assert!(number(&json["p"]) < 0.05, "{json}");
    let count = |name: &str| json["a"]["outcomes"][name].as_u64().expect("a count");
    assert_eq!(count("attacker") + count("defender") + count("draw"), json["pairs"].as_u64().expect("a count"));
}

#[test]
fn what_is_alike_is_not_decided() {
    let place = Place::with_duel();
    // Every battle ends before the last turn, so one more turn makes no difference.
    let ran = place.grognard("run duel.toml --decide 1,1:turns=61 --runs 5_000").ends(0);
    assert!(ran.out.contains("Not decided after 5,000 pairs."), "{ran:?}");
    assert!(ran.out.contains("(p = 1.00)"), "{ran:?}");
    let json = place.grognard("run duel.toml --decide 1,1:turns=61 --runs 1 --json").ends(0).json();
    assert_eq!(
        (&json["decided"], &json["better"], &json["pairs"]),
        (&false.into(), &serde_json::Value::Null, &1.into())
    );
}

#[test]
fn bad_tests_are_refused() {
    let place = Place::with_duel();
    place.grognard("run duel.toml --decide 0,3").refused("there is no cell 3");
    place.grognard("run duel.toml --decide 0,0:attacker.0.figuers=6").refused("figuers");
    for flags in ["--decide 0", "--decide 0,0", "--decide 0,1 --precision 0.01", "--decide 0,1 --out there"] {
        place.grognard(&format!("run duel.toml {flags}")).ends(2);
    }
    assert_eq!(place.list(""), ["duel.toml"], "nothing is written");
}

#[test]
fn intervals_promise_what_is_asked_of_them() {
    let place = Place::with_duel();
    let run = |flags: &str| place.grognard(&format!("run duel.toml --no-report {flags}")).ends(0);
    let width = |flags: &str| {
        let json = run(&format!("{flags} --json")).json();
        let win = &json["cells"][1]["outcomes"]["attacker"];
        let end = |name: &str| win[name].as_f64().expect("a number");
        (end("high") - end("low"), json["intervals"].clone())
    };
    let (usual, nothing) = width("");
    assert!(nothing.is_null());
    assert_eq!(width("--intervals exact").0, usual);
    let (wilson, kind) = width("--intervals wilson");
    assert!(wilson < usual && usual < 1.1 * wilson, "{wilson}, {usual}");
    assert_eq!(kind["kind"], "wilson");
    let (watched, kind) = width("--watch");
    assert!(watched > 1.7 * usual && watched < 2.2 * usual, "{watched}, {usual}");
    assert_eq!(kind["kind"], "watched");
    // Three cells, two of them compared, twelve estimates each: Bonferroni for 60.
    let (together, kind) = width("--together");
    assert!(together > 1.6 * usual && together < 1.8 * usual, "{together}, {usual}");
    assert_eq!(kind["together"], true);

    let ran = run("--watch");
    assert!(ran.out.contains("Intervals hold at every look (confidence sequences)."), "{ran:?}");
    assert!(ran.err.contains("every share is known to ±"), "{ran:?}");
    assert!(run("--together").out.contains("simultaneous at 95 %"));
    assert!(run("--intervals wilson").out.contains("Wilson margin of error"));
    place.grognard("run duel.toml --together --intervals wilson").ends(2);
    place.grognard("run duel.toml --watch --intervals exact").ends(2);
}

/// A results folder records the guarantee of its intervals: its command reproduces it, and a report is built from it.
#[test]
fn a_folder_remembers_its_promise() {
    let place = Place::with_duel();
    place.grognard("run duel.toml --watch --together --out there").ends(0);
    let manifest: serde_json::Value = serde_json::from_slice(&place.read("there/manifest.json")).expect("JSON");
    assert_eq!(manifest["promise"].to_string(), r#"{"kind":"watched","together":true}"#);
    assert_eq!(manifest["made"]["command"], "grognard run duel.toml --out there --watch --together");
    place.grognard("report there").ends(0);
}
