//! `grognard train`: is there a better doctrine?

use std::path::Path;

use super::Place;

/// Writes a study of a pack that has been solved by hand: best play is worth 7/9 to the horse, and its doctrine 1/2.
pub(super) fn write_horse(place: &Place) {
    let pack = Path::new(env!("CARGO_MANIFEST_DIR")).join("../exact/tests/packs/charge-or-wait/pack.toml");
    place.write("field/pack.toml", std::fs::read(pack).expect("a pack"));
    place.write(
        "horse.toml",
        "study = 'horse'\npack = 'field'\nturns = 3\n[side.horse]\ndoctrine = 'at-once'\nunits = [{ type = 'horse' }]\n\
         [side.foot]\ndoctrine = 'foot'\nunits = [{ type = 'foot' }]\n",
    );
}

/// The doctrine that is written fits the pack without changes, and is best play.
#[test]
fn a_trained_doctrine_is_written_checked_and_fought() {
    let place = Place::new();
    write_horse(&place);
    let ran = place.grognard("train horse.toml --side horse --quiet --write trained.toml").ends(0);
    for words in [
        "Is there a better doctrine for the horse than `at-once`?",
        "of horse score over `at-once` against `foot`.",
        "No remaining small change is a clear improvement.",
        "95 % for the gain, from 20,000 battles in each cell with dice that the search has not used.",
    ] {
        assert!(ran.out.contains(words), "{words:?} not in {ran:?}");
    }
    assert!(!ran.out.contains("[doctrine."), "it is in the file: {ran:?}");
    let toml = String::from_utf8(place.read("trained.toml")).expect("text");
    assert!(toml.contains("[doctrine.at-once-trained]") && toml.contains("# Was"), "{toml}");
    assert!(toml.contains("# Found by: grognard train horse.toml --side horse\n"), "{toml}");
    place.write("field/trained.toml", toml);
    place.grognard("check field").ends(0);
    let score = |more: &str| {
        let json = place.grognard(&format!("best horse.toml --quiet --json {more}")).ends(0).json();
        json["cells"][0]["values"]["default/default"]["p"].as_f64().expect("a number")
    };
    assert!((score("") - 0.5).abs() < 1e-9);
    assert!((score("--set horse.doctrine=at-once-trained") - 7.0 / 9.0).abs() < 1e-9);
    // Without a file, the doctrine is printed. The first side is trained unless another is named. The pack already has
    // a doctrine of the first name, so this one gets another.
    let printed = place.grognard("train horse.toml --quiet").ends(0);
    assert!(printed.out.contains("Is there a better doctrine for the horse"), "{printed:?}");
    assert!(printed.out.contains("[doctrine.at-once-trained-2]"), "{printed:?}");
}

#[test]
fn json_csv_and_report_have_the_same_numbers_whatever_the_threads() {
    let place = Place::new();
    write_horse(&place);
    let line = "train horse.toml --side horse --runs 3000 --quiet --json";
    let one = place.grognard(&format!("{line} --threads 1 --out trained")).ends(0);
    assert_eq!(one.out, place.grognard(&format!("{line} --threads 3")).ends(0).out);
    let json = one.json();
    assert_eq!((&json["side"], &json["against"][0]), (&"horse".into(), &"foot".into()));
    assert_eq!((&json["from"], &json["name"]), (&"at-once".into(), &"at-once-trained".into()));
    assert!(json["doctrine"].as_str().expect("TOML").contains("[doctrine.at-once-trained]"));
    let of = |key: &str| json["gain"][key].as_f64().expect("a number");
    assert!(of("low") < of("mean") && of("mean") < of("high"), "{json:#}");
    assert!(of("low") < 7.0 / 9.0 - 0.5 && 7.0 / 9.0 - 0.5 < of("high"), "{json:#}");
    assert_eq!(json["settled"], true);
    assert_eq!(place.list("trained"), ["index.html", "train.csv", "train.json", "train.md", "train.pdf"]);
}

#[test]
fn what_cannot_be_trained_is_said_before_a_battle_is_fought() {
    let place = Place::new();
    write_horse(&place);
    place.write("there.toml", "");
    for (words, says) in [
        ("--side hors", "did you mean `horse`?"),
        ("--side foot", "`foot`, which gives no orders"),
        ("--side horse --metric turns", "`turns` is not a metric that either side tries to raise or lower"),
        ("--side horse --write there.toml", "there.toml already exists"),
        ("--side horse --set horse.player=random", "the horse is played at random"),
        ("--side horse --cell 4", "cell 4"),
    ] {
        place.grognard(&format!("train horse.toml {words}")).ends(2).says(says);
    }
}

/// Matching pennies with three places, solved by hand: each side chooses each place in a third of the battles.
#[test]
fn both_sides_are_trained_in_turn() {
    let place = Place::new();
    let pack = Path::new(env!("CARGO_MANIFEST_DIR")).join("../lab/tests/packs/pennies/pack.toml");
    place.write("field/pack.toml", std::fs::read(pack).expect("a pack"));
    place.write(
        "pennies.toml",
        "study = 'pennies'\npack = 'field'\nturns = 2\n[side.gun]\ndoctrine = 'aim'\nunits = [{ type = 'gun' }]\n\
         [side.foot]\ndoctrine = 'hide'\nunits = [{ type = 'foot' }]\n",
    );
    let ran = place.grognard("train pennies.toml --alternate --quiet --write trained.toml --out both").ends(0);
    for words in [
        "Which doctrines have no better reply?",
        "1 cell, 5 rounds,",
        "the gun follows `aim` in ",
        "In the last round, neither side found a reply that is clearly better: gun",
        "95 % each for gun score, for all gains of all rounds together, and for the table, from 20,000",
    ] {
        assert!(ran.out.contains(words), "{words:?} not in {ran:?}");
    }
    let toml = String::from_utf8(place.read("trained.toml")).expect("text");
    assert!(toml.contains("[doctrine.aim-trained]") && toml.contains("[doctrine.hide-trained]"), "{toml}");

    let json = place.grognard("train pennies.toml --alternate --quiet --json --threads 1").ends(0).json();
    assert_eq!(json, serde_json::from_slice::<serde_json::Value>(&place.read("both/train.json")).expect("JSON"));
    let value = |key: &str| json["value"][key].as_f64().expect("a number");
    assert!(value("low") < value("mean") && value("mean") < value("high"), "{json:#}");
    assert!((value("mean") - 4.0 / 9.0).abs() < 0.03, "{json:#}");
    let rounds = json["rounds"].as_array().expect("rounds");
    let exploitability: Vec<f64> =
        rounds.iter().map(|round| round["exploitability"].as_f64().expect("a number")).collect();
    assert!(exploitability[0] > 0.3 && exploitability[4] < 0.02, "{exploitability:?}");
    let weight = json["choices"]["foot"][1]["weight"].as_f64().expect("a number");
    assert!((weight - 1.0 / 3.0).abs() < 0.05, "{json:#}");
    place.write("field/trained.toml", toml);
    place.grognard("check field").ends(0);
    place.grognard("train pennies.toml --rounds 3 --side gun").ends(2).says("--alternate");
}

/// A doctrine equal to the one it started from is not a new one.
#[test]
fn no_doctrine_is_printed_or_written_where_none_is_better() {
    let place = Place::new();
    let line = "train sf-duel --cell 0 --runs 200";
    let ran = place.grognard(&format!("{line} --quiet")).ends(0);
    assert!(ran.out.contains("No better doctrine was found") && !ran.out.contains("[doctrine."), "{ran:?}");
    for more in ["", "--alternate"] {
        place
            .grognard(&format!("{line} {more} --write new.toml"))
            .ends(0)
            .says("no new doctrine, so new.toml is not written");
        assert!(!place.path("new.toml").exists(), "{more}");
    }
}
