//! The forms of results: `--format`, and manual pages.

use std::collections::BTreeSet;
use std::path::Path;

use serde_json::Value as Json;

use super::{DUEL, Place};

#[test]
fn a_spreadsheet_gets_the_numbers_that_programs_get() {
    let place = Place::with_duel();
    let csv = place.grognard("run duel.toml --runs 500 --no-report --quiet --format csv").ends(0).out;
    let json = place.grognard("run duel.toml --runs 500 --no-report --quiet --format json").ends(0);
    // Compared as printed, because reading a number may round its last digit.
    let printed =
        |number: &str| json.out.contains(&format!(": {number},")) || json.out.contains(&format!(": {number}\n"));
    let json = json.json();
    let lines: Vec<Vec<&str>> = csv.lines().map(|line| line.split(',').collect()).collect();
    assert_eq!(lines.len(), 4);
    for (line, cell) in lines[1..].iter().zip(json["cells"].as_array().expect("cells")) {
        let of = |heading: &str| line[lines[0].iter().position(|head| *head == heading).expect("a heading")];
        assert_eq!(of("defender_0_figures"), cell["vary"]["defender.0.figures"].to_string());
        assert_eq!(of("attacker_win"), cell["outcomes"]["attacker"]["mean"].to_string());
        for (heading, number) in [
            ("draw_high", &cell["outcomes"]["draw"]["high"]),
            ("defender_losses_low", &cell["metrics"]["defender.losses"]["low"]),
        ] {
            let gap = of(heading).parse::<f64>().expect("a number") - number.as_f64().expect("a number");
            assert!(gap.abs() <= f64::EPSILON && printed(of(heading)), "{heading}: {}", of(heading));
        }
    }
}

#[test]
fn markdown_can_be_pasted_into_rule_notes() {
    let place = Place::with_duel();
    let ran = place.grognard("run duel.toml --no-report --quiet --format markdown").ends(0);
    let expected = "\
**How many defenders?**

3 cells, 5,000 battles each, seed 1, risk 1.0.0

| cell | figures | attacker wins | defender wins | attacker loses | defender loses |
| --: | --: | --- | --- | --- | --- |
| 0 | 3 | 76.4 ±1.3 | 23.6 ±1.3 | 2.20 | 2.52 |
";
    assert!(ran.out.starts_with(expected), "\n{}", ran.out);
    assert!(
        ran.out.contains("\n| points | worth | cell |  |\n| --- | --: | --: | --- |\n| −47.0 ±1.5 |"),
        "\n{}",
        ran.out
    );
}

#[test]
fn a_form_is_asked_for_once() {
    let place = Place::with_duel();
    place.grognard("run duel.toml --json --format csv").ends(2).says("cannot be used with");
    place.grognard("exact duel.toml --format xml").ends(2).says("markdown");
    place.grognard("run duel.toml --decide 0,1 --format csv").refused("not a table");
}

#[test]
fn there_is_a_manual_page_for_every_subcommand() {
    let place = Place::new();
    assert!(place.grognard("man").ends(0).out.contains(".TH grognard 1"));
    place.grognard("man --out pages").ends(0);
    let pages = place.list("pages");
    for page in ["grognard.1", "grognard-run.1", "grognard-new.1", "grognard-man.1"] {
        assert!(pages.contains(&page.to_owned()), "{page} is not among {pages:?}");
    }
}

/// The names in the first column of a table in docs/files.md, under this heading.
fn documented(heading: &str) -> BTreeSet<String> {
    let page =
        std::fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/files.md")).expect("a page");
    let (_, section) = page.split_once(&format!("\n## `{heading}`\n")).expect("a heading");
    let section = section.split("\n## ").next().unwrap_or_default();
    let rows = section.lines().filter(|line| line.starts_with("| `"));
    let firsts = rows.filter_map(|line| line.split(" | ").next());
    firsts.flat_map(|cell| cell.split('`').skip(1).step_by(2)).map(str::to_owned).collect()
}

/// The keys of a JSON object in the page's notation: names from a study become `<path>`, `<side>`, `<outcome>`,
/// `<metric>` and `<player>`.
fn keys(json: &Json, at: &str, found: &mut BTreeSet<String>) {
    match json {
        Json::Object(object) => {
            for (key, value) in object {
                let key = match at.rsplit('.').next().unwrap_or_default() {
                    "vary" => "<path>",
                    "outcomes" => "<outcome>",
                    "rolls" | "final_states" => "<side>",
                    "under" => "<player>",
                    "metrics" | "histograms" | "controlled" | "worth" | "worth_at_most" => "<metric>",
                    // Names of metrics appear here only in a comparison; the differences of a run are grouped.
                    "differences" if !["baseline", "outcomes", "metrics"].contains(&key.as_str()) => "<metric>",
                    _ => key.as_str(),
                };
                let dot = if at.is_empty() { "" } else { "." };
                keys(value, &format!("{at}{dot}{key}"), found);
            }
        }
        Json::Array(list) if list.iter().any(Json::is_object) => {
            list.iter().for_each(|one| keys(one, &format!("{at}[]"), found));
        }
        _ => {
            found.insert(at.to_owned());
        }
    }
}

fn all_keys(printed: &[Json]) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    printed.iter().for_each(|json| keys(json, "", &mut found));
    found
}

#[test]
fn documented_keys_are_the_printed_ones() {
    let place = Place::with_duel();
    let json = |line: &str| place.grognard(&format!("{line} --quiet --json")).ends(0).json();
    let run = "run duel.toml --runs 500 --no-report --precision 0.2 --intervals wilson";
    let luck = "run duel.toml --runs 2000 --no-report --luck --out luck";
    place.write("ways.toml", DUEL.replacen("turns =", "both-ways = true\nturns =", 1));
    let ways = "run ways.toml --runs 500 --no-report --out ways";
    let packs = "run three-rulebooks --runs 2 --no-report";
    place.write("asked.toml", format!("{DUEL}\n[report]\nplayers = ['random']\n"));
    let asked = "run asked.toml --runs 500 --short --out asked";
    // Its study requests the margin of points.
    let margin = "run sf-ground --runs 2 --no-report";
    assert_eq!(all_keys(&[run, luck, ways, packs, asked, margin].map(json)), documented("run --json"));
    assert_eq!(all_keys(&[json("exact duel.toml")]), documented("exact --json"));
    let compare = "compare duel.toml --set turns=3 --runs 300 --out compared";
    assert_eq!(all_keys(&[json(compare)]), documented("compare --json"));

    // The page has one placeholder for all metrics.
    let shown = |headings: &str| -> BTreeSet<String> {
        let of = |heading: &str| {
            let side = ["attacker_", "defender_"].into_iter().find_map(|side| heading.strip_prefix(side));
            let Some(rest) = side else { return heading.to_owned() };
            let end = ["_low", "_high"].into_iter().find(|end| rest.ends_with(end)).unwrap_or_default();
            match rest {
                "0_figures" => "<path>".to_owned(),
                _ if rest.starts_with("win") => format!("<side>_{rest}"),
                _ => format!("<side>_<metric>{end}"),
            }
        };
        headings.split(',').map(of).collect()
    };
    for line in ["run duel.toml --runs 500 --no-report --force", "exact duel.toml"] {
        let csv = place.grognard(&format!("{line} --quiet --format csv")).ends(0).out;
        assert_eq!(shown(csv.lines().next().expect("a heading")), documented("run --format csv"), "{line}");
    }
    let compared = String::from_utf8(place.read("compared/comparison.csv")).expect("text");
    let headings = compared.lines().next().expect("a heading").split(',').map(str::to_owned);
    assert_eq!(headings.collect::<BTreeSet<_>>(), documented("comparison.csv"));
}
