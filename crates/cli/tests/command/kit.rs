//! The kit gives the same answers as the command.

use grognard_kit::{Answer, Error, Estimate, Study};
use serde_json::Value as Json;

use super::{DUEL, Place};

/// Compares the numbers of `--json` with those of the kit, in all digits.
fn agree(json: &Json, answer: &Answer) {
    assert_eq!(json["cells"].as_array().expect("cells").len(), answer.cells().len());
    for (json, cell) in json["cells"].as_array().expect("cells").iter().zip(answer.cells()) {
        assert_eq!(json["cell"].as_u64(), Some(cell.number() as u64));
        let mut numbers = 0;
        for kind in ["outcomes", "metrics"] {
            for (name, json) in json[kind].as_object().expect("an object") {
                numbers += 1;
                match cell.estimate(name) {
                    Ok(estimate) => same(json, estimate),
                    // No battle of the cell has a rout, so there is no rout turn.
                    Err(_) => assert!(json["mean"].is_null() && name.ends_with(".rout_turn"), "{name}: {json}"),
                }
            }
        }
        assert_eq!(numbers, 14, "three outcomes, the turns, five metrics of each side");
        for kind in ["outcomes", "metrics"] {
            for (name, json) in json["differences"][kind].as_object().into_iter().flatten() {
                same(json, cell.difference(name).expect("a number of this name").expect("a difference"));
                numbers += 1;
            }
        }
        assert_eq!(numbers == 14, json["differences"].is_null());
    }
}

fn same(json: &Json, estimate: Estimate) {
    // Written and read like the command's numbers, because reading may change the last bit.
    let kit = [estimate.point, estimate.low, estimate.high].map(|number| Json::from(number).to_string());
    let kit = kit.map(|text| serde_json::from_str::<Json>(&text).expect("a number"));
    assert_eq!(["mean", "low", "high"].map(|key| json[key].clone()), kit);
}

#[test]
fn the_kit_fights_the_battles_of_the_command() {
    let place = Place::new();
    let line = "run square-vs-line --runs 2_000 --seed 7 --set turns=6 --no-report --json";
    let json = place.grognard(line).ends(0).json();
    let study = Study::load("square-vs-line").and_then(|study| study.set("turns", 6)).expect("a study");
    let answer = study.fight().runs(2_000).seed(7).run().expect("an answer");
    agree(&json, &answer);
    assert!(answer.cells().any(|cell| cell.difference("attacker").expect("a side").is_some()));
    let digest = |text: &str| serde_json::from_str::<Json>(text).expect("a manifest")["progress"]["digest"].clone();
    let manifest = String::from_utf8(place.read("results/square-vs-line/manifest.json")).expect("text");
    assert_eq!(digest(&manifest), answer.digest());
}

#[test]
fn the_kit_works_out_the_odds_of_the_command() {
    let json = Place::new().grognard("exact risk-roll --json").ends(0).json();
    agree(&json, &Study::load("risk-roll").and_then(|study| study.exact().run()).expect("an answer"));
}

#[test]
fn the_kit_tells_a_battle_like_the_command() {
    let place = Place::with_duel();
    let told = place.grognard("replay duel.toml --cell 1 --battle 5").ends(0).out;
    let cell = Study::from_text(DUEL).and_then(|study| study.cell(1)).expect("a cell");
    let kit = cell.battle(5).narrate().expect("a battle").join("\n");
    assert!(told.ends_with(&format!("{kit}\n")), "{told}\n---\n{kit}");
}

#[test]
fn the_kit_complains_like_the_command() {
    let place = Place::with_duel();
    let ran = place.grognard("run duel.toml --set turns=0").refused("turns");
    let duel = || Study::from_text(DUEL).expect("a study");
    let fault = duel().set("turns", 0).and_then(|study| study.fight().run()).expect_err("no turns");
    let says = |text: &str| text.lines().next().expect("a line").to_owned();
    assert_eq!(says(&fault.to_string()), says(&ran.err));
    let Error::Faults(faults) = &fault else { panic!("{fault}") };
    assert!(faults.iter().any(|fault| fault.to_string().starts_with("set:1:7: ")), "{fault}");

    let answer = duel().fight().runs(100).run().expect("an answer");
    let cell = answer.cells().next().expect("a cell");
    let fault = cell.estimate("attaker").expect_err("no such number");
    assert_eq!(fault.to_string(), "there is no number `attaker`; did you mean `attacker`?");
    let fault = duel().cell(99).expect_err("no such cell");
    assert_eq!(fault.to_string(), "there is no cell 99: the study has 3, numbered from 0");
}
