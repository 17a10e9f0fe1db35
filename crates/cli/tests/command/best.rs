//! `grognard best`: what is a battle worth between players who choose as well as can be?

use serde_json::Value as Json;

use super::Place;

/// Heavy cavalry before a square.
const SQUARE: &str = "best square-vs-line --cell 18 --quiet";

fn value(cell: &Json, players: &str) -> (f64, f64) {
    let of = |key: &str| cell["values"][players][key].as_f64().expect("a number");
    (of("low"), of("high"))
}

#[test]
fn values_and_what_doctrines_give_away_are_printed() {
    let place = Place::new();
    let ran = place.grognard(SQUARE).ends(0);
    for words in [
        "What is attacker score between players who choose as well as can be?",
        "1 cell, exact,",
        "where both sides follow their doctrines and 50.0 % where both choose as",
        "Best play against the other side's doctrine gains attacker",
        "defender nothing.",
        "default/default  best/default  default/best  best/best",
        "What the rows of the doctrines give away, in percentage points:",
        "charge-home",
        "Never the best choice between experts: charge (attacker, charge).",
    ] {
        assert!(ran.out.contains(words), "{words:?} not in {ran:?}");
    }
}

#[test]
fn json_csv_and_report_have_the_same_numbers_whatever_the_threads() {
    let place = Place::new();
    let two = "best square-vs-line --cell 18 --cell 20 --quiet";
    let one = place.grognard(&format!("{two} --json --threads 1 --out experts")).ends(0);
    assert_eq!(one.out, place.grognard(&format!("{two} --json --threads 3")).ends(0).out);
    let json = one.json();
    let cells = json["cells"].as_array().expect("cells");
    assert_eq!(cells.len(), 2);
    for cell in cells {
        assert_eq!(cell["exact"], true);
        assert_eq!(cell["vary"]["defender.0.formation"], "square");
        let [default, first, second, both] =
            ["default/default", "best/default", "default/best", "best/best"].map(|players| value(cell, players));
        for (low, high) in [default, first, second, both] {
            assert!(low == high, "{cell:#}");
        }
        assert!(first.0 > default.0 && second.0 <= default.0 && both.0 <= first.0 && both.0 >= second.0, "{cell:#}");
        for side in ["attacker", "defender"] {
            let rows = cell["rows"].as_array().expect("rows").iter().filter(|row| row["side"] == side);
            let lost: f64 = rows.map(|row| row["lost"].as_f64().expect("a number")).sum();
            let gained = cell["exploitability"][side]["p"].as_f64().expect("a number");
            assert!((lost - gained).abs() < 1e-9, "{side}: {lost}, {gained}");
        }
        let charge = |option: &&Json| option["option"] == "charge" && option["side"] == "attacker";
        let charge = cell["options"].as_array().expect("options").iter().find(charge).expect("it may charge");
        assert_eq!(charge["dominated"], true, "{charge:#}");
    }
    assert_eq!(
        place.list("experts"),
        ["best.csv", "best.json", "best.md", "best.pdf", "given-away.png", "given-away.svg", "index.html"]
    );
    let csv = String::from_utf8(place.read("experts/best.csv")).expect("text");
    assert_eq!(csv.lines().count(), 1 + 2 * 4, "{csv}");
}

#[test]
fn what_does_not_fit_is_a_bracket_around_the_value() {
    let place = Place::new();
    let exact = place.grognard(&format!("{SQUARE} --json")).ends(0).json();
    let cut = place.grognard(&format!("{SQUARE} --json --max-memory 1M")).ends(0).json();
    assert_eq!(cut["cells"][0]["exact"], false);
    for players in ["default/default", "best/default", "default/best", "best/best"] {
        let ((value, _), (low, high)) = (value(&exact["cells"][0], players), value(&cut["cells"][0], players));
        assert!(low < value && value < high, "{players}: {value} not in {low} to {high}");
    }
    let said = place.grognard(&format!("{SQUARE} --max-memory 1M")).ends(0);
    assert!(said.out.contains("1 cell could not be walked to the end"), "{said:?}");
}

#[test]
fn a_side_plays_for_what_belongs_to_it() {
    let place = Place::new();
    let losses = place.grognard(&format!("{SQUARE} --json --metric attacker.losses")).ends(0).json();
    let cell = &losses["cells"][0];
    // The attacker loses least where it plays best, and most where the defender does.
    let [default, first, second] =
        ["default/default", "best/default", "default/best"].map(|players| value(cell, players).0);
    assert!(first < default && default <= second, "{cell:#}");
}

#[test]
fn a_rule_is_worth_something_to_beginners_and_to_experts() {
    let place = Place::new();
    let rule = "roll.shock.modifier.square-against-cavalry";
    let json = place.grognard(&format!("{SQUARE} --json --without {rule}")).ends(0).json();
    assert_eq!(json["without"], rule);
    let cell = &json["cells"][0];
    let without = |players: &str| cell["without"][players]["p"].as_f64().expect("a number");
    // A square that is no better than a line is worth charging.
    assert!(without("default/default") > value(cell, "default/default").0 + 0.05, "{cell:#}");
    assert!(without("best/best") > value(cell, "best/best").0 + 0.05, "{cell:#}");
}

#[test]
fn wrong_words_are_refused_with_what_to_write() {
    let place = Place::new();
    for (words, message, help) in [
        ("best refduel --metric turns", "neither side wants `turns` high or low", "a side's score or wins"),
        (
            "best square-vs-line --metric attacker.rout-turn",
            "neither side wants `attacker.rout-turn` high or low",
            "defender.losses",
        ),
        ("best refduel --metric courage", "there is no metric `courage`", "a score"),
        ("best refduel --cell 9", "there is no cell 9", "0 to 3"),
        ("best refduel --without roll.nervous", "there is no rule `roll.nervous`", "roll.nerve"),
    ] {
        let ran = place.grognard(words).ends(2);
        assert!(ran.err.contains(message) && ran.err.contains(help), "{words}: {ran:?}");
    }
}

#[test]
fn mirrored_sides_are_even_between_experts() {
    let place = Place::new();
    let side = "doctrine = 'charge-home'\nunits = [{ type = 'line-battalion', formation = 'line' }]";
    place.write(
        "mirror.toml",
        format!(
            "study = 'mirror'\npack = 'napoleonic-figures'\nturns = 2\ndistance = 6\nboth-ways = true\n[side.red]\n{side}\n[side.blue]\n{side}\n"
        ),
    );
    let json = place.grognard("best mirror.toml --json --quiet").ends(0).json();
    let cell = &json["cells"][0];
    for players in ["default/default", "best/best"] {
        let (low, high) = value(cell, players);
        assert!((low - 0.5).abs() < 1e-9 && low == high, "{players}: {cell:#}");
    }
    let gained = |side: &str| cell["exploitability"][side]["p"].as_f64().expect("a number");
    assert!((gained("red") - gained("blue")).abs() < 1e-9, "{cell:#}");
    let lost = |side: &str| -> f64 {
        let rows = cell["rows"].as_array().expect("rows").iter().filter(|row| row["side"] == side);
        rows.map(|row| row["lost"].as_f64().expect("a number")).sum()
    };
    assert!((lost("red") - gained("red")).abs() < 1e-9 && (lost("blue") - gained("blue")).abs() < 1e-9, "{cell:#}");
}
