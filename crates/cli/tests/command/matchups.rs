//! `grognard matchups`: who beats whom, and what are the best choices of both sides?

use serde_json::Value;

use super::Place;

/// Rock beats scissors in 80 of 100 battles, paper beats rock in 70, scissors beat paper in 60.
const PACK: &str = r#"
pack = "hands"
title = "Hands"
version = "1.0.0"
about = "Rock, paper, scissors."
board = "none"
arms = ["rock", "paper", "scissors"]

[morale]
state = [{ id = "ready" }]

[unit.rock]
title = "Rock"
arm = "rock"
figures = 1

[unit.paper]
title = "Paper"
arm = "paper"
figures = 1

[unit.scissors]
title = "Scissors"
arm = "scissors"
figures = 1

[roll.clash]
title = "clash"
mechanic = "under"
own = { dice = "d100" }
target = "self.arm == foe.arm ? 50 : self.arm == 'rock' ? (foe.arm == 'scissors' ? 80 : 30) : self.arm == 'paper' ? (foe.arm == 'rock' ? 70 : 40) : (foe.arm == 'paper' ? 60 : 20)"
cite = ["clash"]

[[roll.clash.result]]
id = "won"
when = "margin >= 0"
foe = { lose = 1 }
cite = ["clash"]

[[roll.clash.result]]
id = "lost"
own = { lose = 1 }
cite = ["clash"]

[[phase]]
id = "clash"
title = "Clash"
mechanism = "exchange"
roll = "clash"
half = "first"
cite = ["clash"]

[victory]
broken = 100
cite = ["clash"]

[[clause]]
id = "clash"
text = "One of the two is gone."
"#;

const STUDY: &str = r#"
study = "hands"
pack = "hands"
turns = 1
[side.ann]
units = [{ type = "rock" }]
[side.bob]
units = [{ type = "rock" }]
[vary]
"ann.0.type" = ["rock", "paper", "scissors"]
"bob.0.type" = ["rock", "paper", "scissors"]
"#;

fn hands() -> Place {
    let place = Place::new();
    place.write("hands/pack.toml", PACK);
    place.write("hands.toml", STUDY);
    place.write("both.toml", format!("both-ways = true\n{STUDY}"));
    place
}

fn numbers(json: &Value, key: &str) -> Vec<f64> {
    let all = json.as_array().unwrap_or_else(|| panic!("no list in {json:#}"));
    all.iter().map(|one| one[key].as_f64().unwrap_or_else(|| panic!("no {key} in {one:#}"))).collect()
}

fn near(one: &[f64], other: &[f64], by: f64) {
    let far = one.len() != other.len() || one.iter().zip(other).any(|(one, other)| (one - other).abs() > by);
    assert!(!far, "{one:?} is not {other:?}");
}

/// Each hand's weight is proportional to the margin between the other two: 10, 30 and 20 points. Of the table's sum of
/// squares, 0.28, a ranking explains 0.04.
#[test]
fn planted_rock_paper_scissors_is_found() {
    let place = hands();
    for study in ["hands.toml", "both.toml"] {
        let exact = place.grognard(&format!("matchups {study} --exact --json")).ends(0).json();
        let game = &exact["equilibrium"];
        for side in ["rows", "columns"] {
            near(&numbers(&game[side], "weight"), &[1.0 / 6.0, 0.5, 1.0 / 3.0], 1e-9);
        }
        near(&[game["value"]["mean"].as_f64().expect("a value")], &[0.5], 1e-9);
        near(&numbers(&exact["payoff"][0], "mean"), &[0.5, 0.3, 0.8], 1e-9);
        near(&[exact["cyclic"]["share"].as_f64().expect("a share")], &[6.0 / 7.0], 1e-9);
        assert_eq!(exact["dominated"], serde_json::json!([]));
        assert_eq!(exact["symmetric"], study == "both.toml");
    }
}

#[test]
fn intervals_hold_what_was_planted() {
    let place = hands();
    for study in ["hands.toml", "both.toml"] {
        for seed in 1..=3 {
            let json = place.grognard(&format!("matchups {study} --seed {seed} --quiet --json")).ends(0).json();
            let planted = [[0.5, 0.3, 0.8], [0.7, 0.5, 0.4], [0.2, 0.6, 0.5]];
            for (row, planted) in json["payoff"].as_array().expect("rows").iter().zip(&planted) {
                let (low, high) = (numbers(row, "low"), numbers(row, "high"));
                let holds = (0..3).all(|at| low[at] <= planted[at] && planted[at] <= high[at]);
                assert!(holds, "{row:#}");
                assert!(low.iter().zip(&high).all(|(low, high)| high - low <= 0.0201), "{row:#}");
            }
            let game = &json["equilibrium"];
            let (low, high) = (numbers(&game["rows"], "low"), numbers(&game["rows"], "high"));
            for (at, planted) in [1.0 / 6.0, 0.5, 1.0 / 3.0].into_iter().enumerate() {
                assert!(low[at] <= planted && planted <= high[at], "{game:#}");
                assert!(high[at] - low[at] < 0.25, "{game:#}");
            }
            let value = &game["value"];
            assert!(value["low"].as_f64() <= Some(0.5) && value["high"].as_f64() >= Some(0.5), "{value:#}");
            assert!(
                json["cyclic"]["low"].as_f64() <= Some(6.0 / 7.0) && json["cyclic"]["high"].as_f64() >= Some(6.0 / 7.0)
            );
            let most = game["exploitability"].as_f64().expect("a share");
            assert!((0.0..0.03).contains(&most), "{game:#}");
            let sides: Vec<f64> =
                game["gives_away"].as_array().expect("two").iter().filter_map(|one| one.as_f64()).collect();
            assert_eq!(most, sides[0].max(sides[1]), "{game:#}");
        }
    }
}

/// Few battles give wide intervals but not false ones: 60 series of 64 battles, each at 95 % for all its numbers
/// together. If the level were exactly that, ten or more series would fail with probability 1/900 (Poisson, mean 3).
#[test]
fn intervals_of_few_battles_hold_what_was_planted() {
    let place = hands();
    let planted = [1.0 / 6.0, 0.5, 1.0 / 3.0];
    let mut held = 0;
    for seed in 1..=60 {
        let line = format!("matchups hands.toml --seed {seed} --runs 64 --quiet --json");
        let json = place.grognard(&line).ends(0).json();
        let game = &json["equilibrium"];
        let holds = |side: &str| {
            let (low, high) = (numbers(&game[side], "low"), numbers(&game[side], "high"));
            (0..3).all(|at| low[at] <= planted[at] && planted[at] <= high[at])
        };
        let value = &game["value"];
        let even = value["low"].as_f64() <= Some(0.5) && value["high"].as_f64() >= Some(0.5);
        held += usize::from(holds("rows") && holds("columns") && even);
        // All three are used, and so few battles cannot rule any of them in or out.
        for one in game["rows"].as_array().expect("a list") {
            assert_eq!(one["used"], "open", "seed {seed}: {game:#}");
        }
    }
    assert!(held > 50, "{held} of 60");
    let told = place.grognard("matchups hands.toml --runs 64 --quiet").ends(0).out;
    assert!(told.contains("The best mix is not determined"), "{told}");
}

/// Two choices with the same result in every battle are reported as equal, and have the same weight.
#[test]
fn choices_that_are_the_same_are_ties() {
    let place = hands();
    let twin = PACK
        .replace("[unit.scissors]", "[unit.stone]\ntitle = \"Stone\"\narm = \"rock\"\nfigures = 1\n\n[unit.scissors]");
    place.write("hands/pack.toml", twin);
    let four = "[\"rock\", \"stone\", \"paper\", \"scissors\"]";
    place.write("four.toml", STUDY.replace("[\"rock\", \"paper\", \"scissors\"]", four));
    for (more, by) in [("--exact", 1e-9), ("--quiet", 0.1)] {
        let json = place.grognard(&format!("matchups four.toml {more} --json")).ends(0).json();
        let tie = serde_json::json!([["rock", "stone"]]);
        assert_eq!((&json["ties"]["rows"], &json["ties"]["columns"]), (&tie, &tie), "{json:#}");
        let rows = &json["equilibrium"]["rows"];
        near(&numbers(rows, "weight"), &[1.0 / 12.0, 1.0 / 12.0, 0.5, 1.0 / 3.0], by);
        let weights = numbers(rows, "weight");
        assert_eq!(weights[0], weights[1]);
        assert_eq!(numbers(rows, "low")[..2], [0.0, 0.0]);
    }
    let told = place.grognard("matchups four.toml --exact").ends(0).out;
    assert!(told.contains("Equally good against every choice of the other side: rock and stone."), "{told}");
}

/// A path that a study does not vary can be given on the command line, with the same result as if it did.
#[test]
fn choices_can_be_given_on_the_command_line() {
    let place = hands();
    let alone = STUDY.split_once("[vary]").expect("what varies").0;
    place.write("alone.toml", alone);
    let both = "--rows ann.0.type=rock,paper,scissors --columns bob.0.type=rock,paper,scissors";
    for more in ["--exact", "--quiet --runs 2000"] {
        let given = place.grognard(&format!("matchups alone.toml {both} {more} --json")).ends(0).json();
        let varied = place.grognard(&format!("matchups hands.toml {more} --json")).ends(0).json();
        for key in ["rows", "columns", "payoff", "equilibrium", "cyclic"] {
            assert_eq!(given[key], varied[key], "{key}");
        }
    }
}

/// More armies are better against anything: no mixing, and everything else is dominated.
#[test]
fn what_is_always_worse_is_dominated() {
    let place = Place::new();
    place.write(
        "armies.toml",
        "study = 'armies'\npack = 'risk'\nturns = 60\n[side.a]\nunits = [{ type = 'army' }]\n[side.b]\nunits = [{ type = 'army' }]\n\
         [vary]\n'a.0.figures' = [3, 5, 7]\n'b.0.figures' = [3, 5, 7]\n",
    );
    for line in ["matchups armies.toml --exact", "matchups armies.toml --quiet"] {
        let json = place.grognard(&format!("{line} --json")).ends(0).json();
        let game = &json["equilibrium"];
        assert_eq!(numbers(&game["rows"], "weight"), [0.0, 0.0, 1.0], "{json:#}");
        assert_eq!(numbers(&game["columns"], "weight"), [0.0, 0.0, 1.0], "{json:#}");
        let beaten: Vec<&str> =
            json["dominated"].as_array().expect("a list").iter().filter_map(|one| one["choice"].as_str()).collect();
        assert_eq!(beaten, ["3", "5", "3", "5"]);
        assert!(json["cyclic"]["share"].as_f64() < Some(0.1), "{json:#}");
    }
    let told = place.grognard("matchups armies.toml --exact").ends(0).out;
    for words in ["it chooses 7, and b 7", "a does worse with 3 (7 is better) and 5 (7 is better)", "computed"] {
        assert!(told.split_whitespace().collect::<Vec<_>>().join(" ").contains(words), "{words:?} not in {told}");
    }
}

#[test]
fn the_same_call_finds_the_same_whatever_the_threads() {
    let place = hands();
    let json =
        |more: &str| place.grognard(&format!("matchups hands.toml --runs 3000 --json --quiet{more}")).ends(0).out;
    assert_eq!(json(" --threads 1"), json(" --threads 3"));
    assert_ne!(json(""), json(" --seed 7"));
    let report = place.grognard("matchups hands.toml --runs 3000 --quiet --out who").ends(0);
    assert!(report.out.contains("3 choices") || report.out.contains("9 pairings"), "{report:?}");
    assert_eq!(
        place.list("who"),
        ["heat-map.png", "heat-map.svg", "index.html", "matchups.csv", "matchups.json", "matchups.md", "matchups.pdf"]
    );
}

#[test]
fn what_is_wrong_is_said_once() {
    let place = hands();
    place.write("one.toml", STUDY.replace("\"bob.0.type\" = [\"rock\", \"paper\", \"scissors\"]\n", ""));
    for (line, message, help) in [
        ("matchups one.toml", "varies nothing for the side `bob`", "--columns bob.0.type=A,B"),
        ("matchups one.toml --columns bob.0.typ=rock,paper", "no value `bob.0.typ`", "--columns:1:1"),
        ("matchups one.toml --columns bob.0.type=rock,lizard", "no unit type `lizard`", ""),
        ("matchups one.toml --columns bob.0.type=rock,rock", "is listed twice", "once"),
        (
            "matchups one.toml --columns bob.0.type=rock,paper --columns bob.0.type=paper,rock",
            "named twice",
            "one list",
        ),
        ("matchups hands.toml --rows ann.0.type=rock,paper", "varies `ann.0.type` itself", "without values"),
        ("matchups hands.toml --rows ann.0.types", "does not vary `ann.0.types`", "one of ann.0.type or bob.0.type"),
        ("matchups hands.toml --rows ann.0.type --columns ann.0.type", "both sides", "name it once"),
        ("matchups hands.toml --cell 0 --cell 4", "no cell has rock against paper", "every combination"),
        ("matchups hands.toml --cell 9", "there is no cell 9", "cells are numbered from 0 to 8"),
    ] {
        assert!(place.grognard(line).refused(message).err.contains(help), "{line}");
    }
}
