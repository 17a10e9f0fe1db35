//! `grognard ablate`: what is each rule worth?

use super::Place;

const REFDUEL: &str = "ablate refduel --cell 0 --cell 1 --runs 2048 --quiet";

#[test]
fn rules_are_listed_by_what_they_are_worth() {
    let place = Place::new();
    let ran = place.grognard(REFDUEL).ends(0);
    for words in [
        "What is each rule worth, in percentage points of a score?",
        "2 cells, 2,048 battles each for every rule,",
        "Blow: better is worth most:",
        "phase.nerve",
        "Worth of pairs of the 10 most valuable rows",
        "95 % for the values of all",
        "What each rule is worth in each cell:",
        "Rules that cannot be switched off, and what is wrong with the pack without them:",
        "rows: the number of rows that cite the clause. They are switched off together.",
    ] {
        assert!(ran.out.contains(words), "{words:?} not in {ran:?}");
    }
    let text = ran.out.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(text.contains("; 6 cannot be switched off."), "{ran:?}");
    let pair = text.split_once("Together, blow: better and nerve: breaks are worth ").map(|(_, rest)| rest);
    let pair = pair.and_then(|rest| rest.split_once(" more than the sum of their separate values."));
    assert!(pair.is_some_and(|(size, _)| size.contains(" points (+")), "{ran:?}");
}

#[test]
fn json_csv_and_report_have_the_same_numbers_whatever_the_threads() {
    let place = Place::new();
    let one = place.grognard(&format!("{REFDUEL} --json --threads 1 --out worth")).ends(0);
    assert_eq!(one.out, place.grognard(&format!("{REFDUEL} --json --threads 3")).ends(0).out);
    let json = one.json();
    let rules = json["rules"].as_array().expect("rules");
    let worth = |rule: &serde_json::Value| rule["worth"]["mean"].as_f64().expect("a number");
    assert!(rules.windows(2).all(|pair| worth(&pair[0]).abs() >= worth(&pair[1]).abs()), "{json:#}");
    for rule in rules {
        let cells: Vec<f64> =
            rule["cells"].as_array().into_iter().flatten().filter_map(|cell| cell["mean"].as_f64()).collect();
        assert!((cells.iter().sum::<f64>() / 2.0 - worth(rule)).abs() < 1e-9, "{rule:#}");
    }
    // Without this result no blow counts: the duel never ends, and neither side wins.
    let better = rules.iter().find(|rule| rule["path"] == "roll.blow.result.better").expect("the blow's better result");
    assert!(worth(better) > 0.3 && better["stands"] == true, "{better:#}");
    let clause = rules.iter().find(|rule| rule["path"] == "clause nerve").expect("a clause of several rows");
    assert!(clause["rows"].as_u64() > Some(1), "{clause:#}");
    assert!(json["pairs"].as_array().is_some_and(|pairs| !pairs.is_empty()));
    assert_eq!(
        place.list("worth"),
        ["ablate.csv", "ablate.json", "ablate.md", "ablate.pdf", "index.html", "worth.png", "worth.svg"]
    );
    let csv = String::from_utf8(place.read("worth/ablate.csv")).expect("text");
    assert_eq!(csv.lines().count(), 1 + 3 * rules.len(), "{csv}");
}

#[test]
fn only_the_rules_and_cells_asked_for_are_tried() {
    let place = Place::new();
    let paths = |more: &str| -> Vec<String> {
        let json = place.grognard(&format!("{REFDUEL} --no-pairs --json {more}")).ends(0).json();
        let names = |key: &str| json[key].as_array().cloned().unwrap_or_default();
        let rules = names("rules").iter().map(|rule| rule["path"].clone()).collect::<Vec<_>>();
        let needed = names("needed").iter().map(|needed| needed["path"].clone()).collect::<Vec<_>>();
        let all = rules.into_iter().chain(names("nothing")).chain(needed);
        all.filter_map(|name| name.as_str().map(str::to_owned)).collect()
    };
    let nerve = paths("--of roll.nerve");
    assert!(!nerve.is_empty() && nerve.iter().all(|name| name.starts_with("roll.nerve")), "{nerve:?}");
    assert!(paths("--of nerve").contains(&"clause nerve".to_owned()));
    for (line, message, help) in [
        ("ablate refduel --of roll.nervous", "there is no rule `roll.nervous`", "roll.nerve"),
        ("ablate refduel --of unit.plain", "is invalid without any of these rules (unit.plain: ", "--of"),
        ("ablate refduel --metric courage", "there is no metric `courage`", "a score"),
        ("ablate refduel --runs 1e8", "too many to hold", "--runs 2500000"),
        ("ablate refduel --cell 9", "there is no cell 9", "0 to 3"),
    ] {
        let ran = place.grognard(line).ends(2);
        assert!(ran.out.is_empty() && ran.err.contains(message) && ran.err.contains(help), "{line}: {ran:?}");
    }
}
