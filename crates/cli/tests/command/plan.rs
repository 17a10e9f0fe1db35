//! `grognard plan`: how long a study will take.

use super::Place;

#[test]
fn a_plan_says_how_many_how_long_how_much_and_how_sharp() {
    let place = Place::with_duel();
    let ran = place.grognard("plan duel.toml").ends(0);
    for words in [
        "3 cells, 5,000 battles each, 15,000 battles in all, seed 1, risk 1.0.0",
        "time   about ",
        "disk   about ",
        "error  attacker wins: ±",
        "a share of 50 %: ±1.4 points",
        "differences from the baseline: ±",
    ] {
        assert!(ran.out.contains(words), "{words:?} not in {ran:?}");
    }
    assert_eq!(place.list(""), ["duel.toml"], "nothing is written");
    let json = place.grognard("plan duel.toml --json --runs 20000 --quiet").ends(0).json();
    assert_eq!((json["battles"].as_u64(), json["cells"].as_array().map(Vec::len)), (Some(60_000), Some(3)));
    // z / 2√n for a share of one half, plus half a battle (Clopper and Pearson).
    let worst = json["worst"].as_f64().expect("a number");
    assert!((worst - 0.006_954).abs() < 1e-5, "{worst}");
}

#[test]
fn time_is_spent_by_commands_that_can_be_given_again() {
    let place = Place::new();
    let study = super::DUEL.replace("[3, 5, 7]", "[3, 5]\n\"attacker.0.figures\" = [5, 9]");
    place.write("study.toml", study + "\n[report]\nbaseline = { \"defender.0.figures\" = 3 }\n");
    let json = place.grognard("plan study.toml --time 2s --json --quiet --out spend.sh").ends(0).json();
    let runs = json["time"]["commands"].as_array().expect("commands").clone();
    let cells: Vec<Vec<u64>> = runs
        .iter()
        .map(|run| run["cells"].as_array().expect("cells").iter().filter_map(serde_json::Value::as_u64).collect())
        .collect();
    assert_eq!(cells, [[0, 2], [1, 3]]);
    let script = String::from_utf8(place.read("spend.sh")).expect("text");
    assert!(script.starts_with("#!/bin/sh\n"), "{script}");
    for (run, figures) in runs.iter().zip([5, 9]) {
        let (command, battles) = (run["command"].as_str().expect("text"), run["runs"].as_u64().expect("a count"));
        assert_eq!(
            command,
            format!(
                "grognard run study.toml --runs {battles} --set attacker.0.figures={figures} --out results/duel.plan/{figures}"
            )
        );
        assert!(battles > 0 && battles.is_multiple_of(4_096) && script.contains(command), "{script}");
    }
    // One of the commands, with fewer battles, fights the cells that the plan lists for it.
    let command = runs[1]["command"].as_str().expect("text").replace("grognard ", "");
    let fewer = command.replace(&format!("--runs {}", runs[1]["runs"]), "--runs 100");
    let fought = place.grognard(&format!("{fewer} --no-report --quiet --json")).ends(0).json();
    assert_eq!(fought["cells"].as_array().map(Vec::len), Some(2));
}

#[test]
fn cells_of_one_baseline_get_the_same_battles() {
    let place = Place::with_duel();
    let json = place.grognard("plan duel.toml --time 1s --json --quiet").ends(0).json();
    let runs = json["time"]["commands"].as_array().expect("commands");
    assert_eq!(runs.len(), 1);
    assert!(runs[0]["command"].as_str().expect("text").starts_with("grognard run duel.toml --runs "));
}

#[test]
fn what_is_wrong_is_refused() {
    let place = Place::with_duel();
    place.grognard("plan duel.toml --time soon").refused("write a time such as 90s");
    place.grognard("plan duel.toml --time 10m --runs 5").refused("cannot be used with");
    place.grognard("plan duel.toml --out spend.sh").refused("--time");
    place.grognard("plan duel.toml --metric bravery").refused("there is no metric `bravery`");
    place.grognard("plan duel.tml").refused("duel.tml");
    assert_eq!(place.list(""), ["duel.toml"]);
}
