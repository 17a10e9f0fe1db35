//! Three sides in everything that the command prints and writes.

use super::Place;

/// A duel with a third side.
const THREE: &str = r#"
study = "three"
pack = "risk"
turns = 3
runs = 2_000

[side.red]
units = [{ type = "army", figures = 2 }]

[side.blue]
units = [{ type = "army", figures = 1 }]

[side.green]
units = [{ type = "army", figures = 1 }]
"#;

#[test]
fn the_wins_of_three_sides_are_in_tables_files_and_reports() {
    let place = Place::new();
    place.write("three.toml", THREE);
    let ran = place.words(&["run", "three.toml", "--out", "results", "--quiet", "--json"]);
    let json = ran.json();
    let outcomes = json["cells"][0]["outcomes"].as_object().expect("outcomes");
    let mut names: Vec<&str> = outcomes.keys().map(String::as_str).collect();
    names.sort_unstable();
    assert_eq!(names, ["blue", "draw", "green", "red"]);
    let counts: u64 = outcomes.values().map(|one| one["count"].as_u64().expect("a count")).sum();
    assert_eq!(counts, 2_000);
    assert!(outcomes.values().all(|one| one["low"].as_f64() <= one["mean"].as_f64()));
    // The results are read back: the table, and the report with the bars of all sides.
    let again = place.words(&["report", "results"]).ends(0);
    assert!(!again.err.contains("error"), "{again:?}");
    let table = place.words(&["run", "three.toml", "--out", "again"]).ends(0);
    assert!(["red", "blue", "green"].iter().all(|side| table.out.contains(side)), "{table:?}");
    let page = String::from_utf8(place.read("results/report/index.html")).expect("text");
    assert!(page.contains("Green wins") && page.contains("from left to right"), "no bars of three sides");
    assert!(page.contains("morale compare two sides"), "the page does not name the charts left out");
}

#[test]
fn the_ends_of_three_sides_add_up_to_their_exact_odds() {
    let place = Place::new();
    place.write("three.toml", THREE);
    let ran = place.words(&["exact", "three.toml", "--out", "odds", "--quiet", "--json"]);
    let json = ran.json();
    let cell = &json["cells"][0];
    let outcomes = cell["outcomes"].as_object().expect("outcomes");
    let sum: f64 = outcomes.values().map(|one| one["mean"].as_f64().expect("a mean")).sum();
    assert!((sum - 1.0).abs() < 1e-12 && outcomes.len() == 4, "{outcomes:?}");
    let together = cell["losses_together"].as_array().expect("losses");
    assert!(together.iter().all(|row| row.as_array().is_some_and(|row| row.len() == 4)), "{together:?}");
    let all: f64 = together.iter().map(|row| row[3].as_f64().expect("a chance")).sum();
    assert!((all - 1.0).abs() < 1e-12);
    // The folder gives the same results when it is read back.
    place.words(&["report", "odds"]).ends(0);
    let sampled = place.words(&["run", "three.toml", "--out", "sampled", "--quiet", "--json"]).json();
    for (name, one) in outcomes {
        let found = &sampled["cells"][0]["outcomes"][name];
        let (low, high) = (found["low"].as_f64().expect("low"), found["high"].as_f64().expect("high"));
        let wide = 2.0 * (high - low);
        let mean = one["mean"].as_f64().expect("a mean");
        assert!(mean > low - wide && mean < high + wide, "{name}: {mean} and {low} to {high}");
    }
}
