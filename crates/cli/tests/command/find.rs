//! `grognard find`: at which value of a number does a metric reach its target?

use super::Place;

const EVEN: &str = "find refduel --number unit.plain.figures --cell 2 --where even --quiet";

#[test]
fn the_value_that_makes_a_duel_even_lies_between_its_neighbours() {
    let place = Place::new();
    let ran = place.grognard(EVEN).ends(0);
    for words in [
        "The reference duel",
        "Which value of unit.plain.figures gives an even battle? It is now 20",
        "An even battle takes 47",
        "95 % for all 81 intervals of all values and cells together, valid at any stopping time.",
    ] {
        assert!(ran.out.contains(words), "{words:?} not in {ran:?}");
    }
    let json = |line: &str| place.grognard(line).ends(0).json();
    let sampled = json(&format!("{EVEN} --json"));
    let exact = json(&format!("{EVEN} --json --exact --range 40..50"));
    let number = |json: &serde_json::Value, key: &str| {
        json["cells"][0]["crossing"][key].as_f64().unwrap_or_else(|| panic!("no {key} in {json:#}"))
    };
    // Odds and battles are computed by different code, so this is an independent check.
    let at = number(&exact, "value");
    assert!(number(&sampled, "low") <= at && at <= number(&sampled, "high"), "{sampled:#}, {exact:#}");
    assert!(number(&exact, "high") - number(&exact, "low") < 1e-9);
    for json in [&sampled, &exact] {
        let cell = &json["cells"][0];
        let (below, above) = (&cell["below"], &cell["above"]);
        assert!(below["high"].as_f64() < Some(0.5) && above["low"].as_f64() > Some(0.5), "{cell:#}");
        // More figures for the other side mean fewer wins for the first.
        assert!(below["value"].as_f64() > above["value"].as_f64(), "{cell:#}");
    }
    assert_eq!(exact["battles"], 0);
}

#[test]
fn the_same_call_finds_the_same_whatever_the_threads() {
    let place = Place::new();
    let json = |more: &str| place.grognard(&format!("{EVEN} --json --runs 4096{more}")).ends(0).out;
    assert_eq!(json(" --threads 1"), json(" --threads 3"));
    assert_ne!(json(""), json(" --seed 7"));
}

#[test]
fn a_report_is_written_whole() {
    let place = Place::new();
    let ran = place.grognard(&format!("{EVEN} --runs 4096 --out even")).ends(0);
    assert!(!ran.out.is_empty());
    let files = ["find.csv", "find.json", "find.md", "find.pdf", "index.html", "response.png", "response.svg"];
    assert_eq!(place.list("even"), files);
    let text = |name: &str| String::from_utf8(place.read(&format!("even/{name}"))).expect("text");
    assert!(text("find.md").contains("gives an even battle?") && text("index.html").contains("<svg"));
    let csv = text("find.csv");
    assert!(csv.starts_with("cell,label,value,metric,low,high,runs,crossing,"), "{csv}");
    assert!(csv.lines().count() > 20, "{csv}");
    assert_eq!(place.grognard(&format!("{EVEN} --runs 4096 --format csv")).ends(0).out, csv);
    assert_eq!(place.grognard(&format!("{EVEN} --runs 4096 --json")).ends(0).out, text("find.json"));
}

/// Equal sides are even at any strength: no number of battles shows on which side of one half they are.
#[test]
fn what_battles_cannot_tell_is_said_and_is_the_status() {
    let place = Place::new();
    let line = "find refduel --number unit.plain.figures --cell 0 --range 19..21 --quiet";
    let ran = place.grognard(&format!("{line} --runs 2048")).ends(4);
    for words in
        ["Undecided: these battles do not show on which side of 50 % a score lies", "undecided", "from 19 to 21"]
    {
        assert!(ran.out.split_whitespace().collect::<Vec<_>>().join(" ").contains(words), "{words:?} not in {ran:?}");
    }
    let json = place.grognard(&format!("{line} --runs 2048 --json")).ends(4).json();
    assert_eq!((&json["state"], &json["cells"][0]["state"]), (&"undecided".into(), &"undecided".into()), "{json:#}");
    assert_eq!(json["cells"][0]["undecided"], serde_json::json!([19, 20, 21]));
    let exact = place.grognard(&format!("{line} --exact")).ends(0);
    assert!(exact.out.contains("An even battle is reached, but not crossed."), "{exact:?}");
    let never = place.grognard(&format!("{line} --runs 2048 --where a=95%")).ends(0);
    assert!(never.out.contains("gives a wins of 95 %: a wins is always below 95 %."), "{never:?}");
}

/// A number that the study varies can be searched only if it is set to one value; the search starts there.
#[test]
fn a_varied_number_is_searched_where_it_has_one_value() {
    let place = Place::new();
    let line = "find charge-distance --number distance";
    let ran = place.grognard(line).ends(2);
    assert!(ran.err.contains("--set distance=VALUE"), "{ran:?}");
    let line = format!("{line} --set distance=8 --range 7..9 --runs 64 --json --quiet");
    let json = place.grognard(&line).json();
    assert_eq!(json["now"], 8, "{json:#}");
    let values = |cell: &serde_json::Value| -> Vec<u64> {
        cell["tried"].as_array().into_iter().flatten().filter_map(|tried| tried["value"].as_u64()).collect()
    };
    let cells = json["cells"].as_array().expect("cells");
    assert!(!cells.is_empty() && cells.iter().all(|cell| values(cell) == [7, 8, 9]), "{json:#}");
    // The share at a distance equals that of the study's own cell with that distance.
    let at = |distance: u32| {
        let line = format!(
            "find charge-distance --set distance={distance} --number distance --range 8..9 --runs 64 --json --quiet"
        );
        place.grognard(&line).json()["cells"][0]["tried"].clone()
    };
    assert_eq!(at(8), at(9));
}

#[test]
fn only_the_cells_asked_for_are_searched() {
    let place = Place::new();
    let line = "find square-vs-line --number roll.shock.modifier.square-against-cavalry.add --where defender=30% \
                --runs 2048 --only defender.0.formation=square --only attacker.0.type=heavy-cavalry --json --quiet";
    let json = place.grognard(line).ends(0).json();
    let cells: Vec<u64> =
        json["cells"].as_array().into_iter().flatten().filter_map(|cell| cell["cell"].as_u64()).collect();
    assert_eq!(cells, [18, 19, 20]);
}

#[test]
fn a_study_fought_both_ways_is_fought_in_pairs_of_battles() {
    let place = Place::new();
    let side = "units = [{ type = 'army', figures = 5 }]";
    let text = format!(
        "study = 'duel'\npack = 'risk'\nturns = 60\nboth-ways = true\n[side.attacker]\n{side}\n[side.defender]\n{side}\n"
    );
    place.write("study.toml", text);
    // Three values, each with the number of battles requested, rounded up to whole pairs.
    for (runs, battles) in [(1, 3 * 2), (3, 3 * 4), (4, 3 * 4)] {
        let line = format!(
            "find study.toml --number attacker.0.figures --range 4..6 --runs {runs} --precision 40% --json --quiet"
        );
        // So few battles show nothing.
        assert_eq!(place.grognard(&line).ends(4).json()["battles"], battles, "{runs}");
    }
}

#[test]
fn what_is_wrong_is_said_with_what_to_write_instead() {
    let place = Place::new();
    for (line, message, help) in [
        ("find refduel --number unit.plain.figure", "there is no number `unit.plain.figure`", "unit.plain.figures"),
        ("find refduel --number unit.plain", "there is no number `unit.plain`", "unit.plain.figures"),
        ("find refduel --number ..", "`..` is not the name of a number", "PATH[2]"),
        ("find refduel --number roll.nerve.target", "there are 3 numbers in the formula", "roll.nerve.target[2]"),
        ("find refduel --number roll.nerve.target[4]", "there are 3 numbers in the formula", "roll.nerve.target[1]"),
        ("find refduel --number a.0.type", "the study varies `a.0.type` itself", "--set a.0.type=VALUE"),
        ("find refduel --number unit.plain.figures --where c=50%", "there is no metric `c`", "valid names: `a`"),
        ("find refduel --number unit.plain.figures --where b.loses=4", "there is no metric `b.loses`", "`b.losses`?"),
        ("sensitivity refduel --metric b.loses", "there is no metric `b.loses`", "did you mean `b.losses`?"),
        ("find refduel --number unit.plain.figures --where wins", "does not give a value", "--where even"),
        ("find refduel --number unit.plain.figures --where a=200%", "0 % to 100 %", "within that range"),
        (
            "find refduel --number unit.plain.figures --range 1..2 --step 5",
            "narrower than one step (5)",
            "smaller --step",
        ),
        (
            "find refduel --number unit.plain.figures --range=-9..-1",
            "the rules allow none of the values",
            "it is 20 now",
        ),
        ("find refduel --number unit.plain.figures --cell 9", "there is no cell 9", "0 to 3"),
        ("find refduel --number unit.plain.figures --only a.0.type=three", "is never", "its values are"),
    ] {
        let ran = place.grognard(line).ends(2);
        assert!(ran.out.is_empty() && ran.err.contains(message) && ran.err.contains(help), "{line}: {ran:?}");
    }
}
