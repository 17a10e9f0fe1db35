//! `grognard points`: what should each unit cost?

use serde_json::Value;

use super::Place;

/// Armies of Risk with two types that are the same, and one that is twice as large.
fn armies() -> Place {
    let place = Place::new();
    place.write(
        "hosts/pack.toml",
        "pack = 'hosts'\nextends = 'risk'\n\
         [unit.host]\ntitle = 'Host'\narm = 'army'\nfigures = 6\n\
         [unit.band]\ntitle = 'Band'\narm = 'army'\nfigures = 6\n\
         [unit.horde]\ntitle = 'Horde'\narm = 'army'\nfigures = 12\n",
    );
    place.write(
        "hosts.toml",
        "study = 'hosts'\npack = 'hosts'\nturns = 100\nboth-ways = true\n\
         [side.a]\nunits = [{ type = 'host' }, { type = 'band' }, { type = 'horde' }, { type = 'band' }]\n\
         [side.b]\nunits = [{ type = 'host' }, { type = 'band' }, { type = 'horde' }, { type = 'band' }]\n",
    );
    place
}

const HEX: &str = "points hex-line --cell 0 --armies 120 --runs 16 --quiet";

fn unit<'j>(json: &'j Value, name: &str) -> &'j Value {
    let units = json["units"].as_array().unwrap_or_else(|| panic!("no units in {json:#}"));
    units.iter().find(|unit| unit["type"] == name).unwrap_or_else(|| panic!("no {name} in {json:#}"))
}

fn number(json: &Value, key: &str) -> f64 {
    json[key].as_f64().unwrap_or_else(|| panic!("no {key} in {json:#}"))
}

/// The same unit under two names has one price, and a larger unit has a higher price.
#[test]
fn equal_units_cost_the_same_and_larger_ones_more() {
    let place = armies();
    let json = place.grognard("points hosts.toml --armies 300 --quiet --json").ends(0).json();
    let [host, band, horde] = ["host", "band", "horde"].map(|name| unit(&json, name));
    assert!(number(host, "low") <= number(band, "high") && number(band, "low") <= number(host, "high"), "{json:#}");
    assert!(number(horde, "low") > number(host, "high").max(number(band, "high")), "{json:#}");
    let sum: f64 = [host, band, horde].iter().map(|unit| number(unit, "points")).sum();
    assert!((sum - 30.0).abs() < 1e-9, "{json:#}");
    // If each battle is fought both ways, neither side has an edge.
    assert!(number(&json["edge"], "low") <= 0.0 && number(&json["edge"], "high") >= 0.0, "{json:#}");
    assert!(number(&json["held_out"]["predicted"], "low") > 0.5, "{json:#}");
    assert!(number(&json["held_out"]["whole"], "low") > 0.5, "{json:#}");
    assert!([host, band, horde].iter().all(|unit| unit["whole"].is_i64()), "{json:#}");
    assert_eq!((&json["held_out"]["battles"], &json["armies"]), (&(60 * 64).into(), &240.into()));
}

#[test]
fn a_printed_price_is_judged() {
    let place = Place::new();
    let prices = "--price medium-cavalry=6 --price heavy-infantry=12 --price medium-infantry=12";
    let ran = place.grognard(&format!("{HEX} {prices} --json")).ends(0);
    let json = ran.json();
    assert_eq!(unit(&json, "medium-cavalry")["state"], "too cheap", "{json:#}");
    assert_eq!(unit(&json, "medium-infantry")["state"], "too dear", "{json:#}");
    let sum: f64 = ["medium-cavalry", "heavy-infantry", "medium-infantry"]
        .iter()
        .map(|name| number(unit(&json, name), "points"))
        .sum();
    assert!((sum - 30.0).abs() < 1e-9, "{json:#}");
    let held_out = &json["held_out"];
    assert!(number(&held_out["predicted"], "mean") > number(&held_out["printed"], "mean"), "{json:#}");
    let told = place.grognard(&format!("{HEX} {prices}")).ends(0).out;
    for words in [
        "What should each unit cost?",
        "Clearly too cheap: medium-cavalry (6 printed, worth 1",
        "with the printed prices",
    ] {
        assert!(told.split_whitespace().collect::<Vec<_>>().join(" ").contains(words), "{words:?} not in {told}");
    }
    let one = place.grognard(&format!("{HEX} --price medium-cavalry=6 --json")).ends(0).json();
    assert!((number(unit(&one, "medium-cavalry"), "points") - 6.0).abs() < 1e-9, "{one:#}");
}

/// Each rule system has a study from which armies can be drawn, and each of its types gets a meaningful price.
#[test]
fn every_rule_system_has_armies_to_draw_from() {
    let place = Place::new();
    for (study, types) in [("figures-armies", 6), ("pips-armies", 5), ("hex-armies", 6)] {
        let json = place.grognard(&format!("points {study} --armies 600 --runs 8 --quiet --json")).ends(0).json();
        let units = json["units"].as_array().expect("units");
        assert_eq!(units.len(), types, "{json:#}");
        assert!(units.iter().all(|unit| number(unit, "high") > 0.0), "{json:#}");
        assert!(number(&json["edge"], "low") < 0.0 && number(&json["edge"], "high") > 0.0, "{json:#}");
    }
    // Types that the study's own armies do not have.
    let line =
        "points hex-armies --type elephants --type warriors --type heavy-infantry --armies 60 --runs 8 --quiet --json";
    let json = place.grognard(line).ends(0).json();
    assert!(number(unit(&json, "elephants"), "high") > 0.0, "{json:#}");
    // Units that are kept are in every army, and have no price.
    let kept = place.grognard("points hex-armies --keep auxilia --armies 60 --runs 8 --quiet --json").ends(0).json();
    assert_eq!(kept["units"].as_array().map(Vec::len), Some(5), "{kept:#}");
}

/// Armies bought at printed prices are different armies, but a horde is still worth more than a host.
#[test]
fn armies_are_bought_under_a_budget() {
    let place = armies();
    let prices = "--price host=6 --price band=6 --price horde=12";
    let line = format!("points hosts.toml {prices} --budget 24 --armies 200 --quiet --json");
    let json = place.grognard(&line).ends(0).json();
    assert_eq!(json["budget"], 24.0, "{json:#}");
    assert!(number(unit(&json, "horde"), "low") > number(unit(&json, "host"), "high"), "{json:#}");
    assert_ne!(json["units"], place.grognard(&line.replace("--budget 24 ", "")).ends(0).json()["units"]);
    for pair in json["pairs"].as_array().expect("a list") {
        assert!(number(pair, "low") > 0.0 || number(pair, "high") < 0.0, "{pair:#}");
    }
}

#[test]
fn the_same_call_finds_the_same_whatever_the_threads() {
    let place = Place::new();
    let json = |more: &str| place.grognard(&format!("{HEX} --json{more}")).ends(0).out;
    assert_eq!(json(" --threads 1"), json(" --threads 3"));
    assert_ne!(json(""), json(" --seed 7"));
    place.grognard(&format!("{HEX} --out prices")).ends(0);
    assert_eq!(
        place.list("prices"),
        ["index.html", "points.csv", "points.json", "points.md", "points.pdf", "prices.png", "prices.svg"]
    );
}

#[test]
fn what_is_wrong_is_said_once() {
    let place = armies();
    for (line, message, help) in [
        ("points hosts.toml --type hosts", "there is no unit type `hosts`", "did you mean `host`?"),
        ("points hosts.toml --type host", "`host` is the only type", "--type"),
        ("points hosts.toml --type host --type host", "named twice", "once"),
        ("points hosts.toml --price host", "is not a price", "TYPE=POINTS"),
        ("points hosts.toml --price host=0", "a price must be more than 0", "positive"),
        ("points hosts.toml --budget 20", "--price", "points"),
        ("points hosts.toml --price host=6 --budget 20", "`band` has no price", "--price band=POINTS"),
        (
            "points hosts.toml --price host=6 --price band=6 --price horde=12 --budget 11",
            "does not buy one `horde`",
            "larger --budget",
        ),
        ("points hosts.toml --price hots=4", "`hots` is not priced here", "one of host, band or horde"),
        (
            "points square-vs-line --type heavy-cavalry --type large-light-battalion --cell 0 --quiet",
            "too similar",
            "several units",
        ),
        ("points pips-armies --armies 20 --runs 1 --quiet", "cannot be distinguished from worthless ones", "--armies"),
        ("points hosts.toml --type host --type band --keep host", "named twice", "once"),
        ("points hosts.toml --type host --type band --keep horde --keep band", "named twice", "once"),
        ("points risk-dice --type army --keep army", "named twice", "once"),
        ("points risk-dice", "`army` is the only type", "--type"),
    ] {
        assert!(place.grognard(line).refused(message).err.contains(help), "{line}");
    }
}
