//! `grognard roll`: what do dice come to?

use super::Place;

#[test]
fn a_formula_is_told_with_the_odds_of_every_total() {
    let place = Place::new();
    let ran = place.grognard("roll 4d6kh3").ends(0);
    for words in ["What does 4d6kh3 come to?", "16 totals, exact", "mean 12.245", "7/432", "1.62 %", "█"] {
        assert!(ran.out.contains(words), "{words:?} not in {ran:?}");
    }
    let json = place.grognard("roll 2d6+1 --against 2d6 --json").ends(0).json();
    let totals = json["totals"].as_array().expect("totals");
    assert_eq!((totals.len(), &totals[0]["value"], &totals[0]["fraction"]), (11, &3.into(), &"1/36".into()));
    let share = |key: &str| json["against"][key]["p"].as_f64().expect("a chance");
    assert!((share("higher") + share("equal") + share("lower") - 1.0).abs() < 1e-12, "{json:#}");
    let exploding = place.grognard("roll 4d6!").ends(0);
    assert!(exploding.out.contains("explodes 20 times at the most"), "{exploding:?}");
}

#[test]
fn a_report_is_written_whole() {
    let place = Place::new();
    place.grognard("roll 5d6>=4 --out hits --quiet").ends(0);
    assert_eq!(
        place.list("hits"),
        ["index.html", "response.png", "response.svg", "roll.csv", "roll.json", "roll.md", "roll.pdf"]
    );
    let csv = String::from_utf8(place.read("hits/roll.csv")).expect("text");
    assert!(csv.starts_with("total,chance,or_more,fraction\n0,0.03125,1,1/32\n"), "{csv}");
}

#[test]
fn what_is_wrong_is_said_with_its_place() {
    let place = Place::new();
    for (line, message, help) in [
        ("roll 3d", "the formula:1:3", "write d6, d20, d% or dF"),
        ("roll 4d6kh5", "5 of 4 dice cannot be kept or dropped", "or fewer"),
        ("roll 3d6 --against 3x6", "--against:1:2", "write one formula"),
        ("roll 1000d1000", "too many to compute", "fewer dice"),
    ] {
        let ran = place.grognard(line).ends(2);
        assert!(ran.out.is_empty() && ran.err.contains(message) && ran.err.contains(help), "{line}: {ran:?}");
    }
}
