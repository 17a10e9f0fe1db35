//! The forms of results: `--format`, and manual pages.

use super::Place;

#[test]
fn a_spreadsheet_gets_the_numbers_that_programs_get() {
    let place = Place::with_duel();
    let csv = place.grognard("run duel.toml --runs 500 --no-report --quiet --format csv").ends(0).out;
    let json = place.grognard("run duel.toml --runs 500 --no-report --quiet --format json").ends(0);
    // As it is printed: reading a number may round its last digit.
    let printed =
        |number: &str| json.out.contains(&format!(": {number},")) || json.out.contains(&format!(": {number}\n"));
    let json = json.json();
    let lines: Vec<Vec<&str>> = csv.lines().map(|line| line.split(',').collect()).collect();
    assert_eq!(lines.len(), 4);
    for (line, cell) in lines[1..].iter().zip(json["cells"].as_array().expect("cells")) {
        let of = |heading: &str| line[lines[0].iter().position(|head| *head == heading).expect("a heading")];
        assert_eq!(of("defender_0_figures"), cell["vary"]["defender.0.figures"].to_string());
        assert_eq!(of("attacker_win"), cell["outcomes"]["attacker"]["p"].to_string());
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
| 0 | 3 | 76 ±1 | 24 ±1 | 2.20 | 2.52 |
";
    assert!(ran.out.starts_with(expected), "\n{}", ran.out);
    assert!(ran.out.contains("\n| points | worth | cell |  |\n| --- | --: | --: | --- |\n| −47 ±1 |"), "\n{}", ran.out);
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
