//! `grognard coverage`: the clauses that a study's battles use.

use std::collections::{BTreeMap, BTreeSet};

use super::Place;

#[test]
fn every_row_is_counted_or_named_as_never_reached() {
    let place = Place::with_duel();
    let json = place.grognard("coverage duel.toml --runs 50 --quiet --json").json();
    assert_eq!(json["battles"], 150, "three cells of 50 battles");
    let rows = json["rows"].as_array().expect("a list of rows");
    assert!(!rows.is_empty());
    let ran = place.grognard("coverage duel.toml --runs 50 --quiet").ends(0);
    assert_eq!(ran.err, "");
    for row in rows {
        let (path, battles) = (row["row"].as_str().unwrap(), row["battles"].as_u64().unwrap());
        assert_eq!(ran.out.contains(&format!("  {path}\n")), battles == 0, "{path}: {ran:?}");
        assert!(battles <= row["times"].as_u64().unwrap());
    }
    let clauses = json["clauses"].as_array().expect("a list of clauses");
    let reached = clauses.iter().filter(|clause| clause["battles"].as_u64() > Some(0)).count();
    assert!(ran.out.contains(&format!("{reached} of {} clauses were used.", clauses.len())), "{ran:?}");
}

#[test]
fn the_same_battles_are_counted_alike() {
    let place = Place::with_duel();
    let first = place.grognard("coverage duel.toml --runs 300 --seed 7 --quiet").ends(0).out;
    assert_eq!(place.grognard("coverage duel.toml --runs 300 --seed 7 --quiet").ends(0).out, first);
    place.grognard("coverage dual.toml").refused("there is no file `dual.toml`");
}

#[test]
fn what_no_battle_can_reach_is_listed_with_the_reason() {
    let place = Place::with_duel();
    place.write("listed/pack.toml", LISTED);
    place.write("duel.toml", super::DUEL.replace("\"risk\"", "\"listed\""));
    let ran = place.grognard("coverage duel.toml --runs 20 --quiet").ends(0);
    assert!(
        ran.out
            .contains("\nNo battle can reach these clauses, according to the pack:\n  setup   The table is square.\n"),
        "{ran:?}"
    );
    assert!(ran.out.contains("          Tables are laid before the battle.\n"), "{ran:?}");
    assert!(!ran.out.contains("\nNever used:\n"), "{ran:?}");
    assert!(ran.out.contains("Used, although the pack lists it as out of reach: belied."), "{ran:?}");
    let json = place.grognard("coverage duel.toml --runs 20 --quiet --json").json();
    let clauses = json["clauses"].as_array().expect("a list of clauses");
    let setup = clauses.iter().find(|clause| clause["clause"] == "setup").expect("it is registered");
    assert_eq!(setup["unreached"], "Tables are laid before the battle.");
}

/// A pack with a clause that applies before the battle, and one that it wrongly lists as out of reach.
const LISTED: &str = r#"
pack = "listed"
extends = "risk"
title = "Listed"
version = "1"
clause = [
  { id = "setup", text = "The table is square.", unreached = "Tables are laid before the battle." },
  { id = "belied", text = "Armies end.", unreached = "They never do." },
]

[victory]
broken = 100
cite = ["belied"]
"#;

/// In the first battle of every cell of the headline study, `coverage` counts a clause as often as a narration cites
/// it.
#[test]
fn coverage_counts_what_narrations_cite() {
    let place = Place::new();
    let json = place.grognard("coverage square-vs-line --runs 1 --quiet --json").json();
    let clauses = json["clauses"].as_array().expect("a list of clauses");
    let mut counted: BTreeMap<String, u64> = BTreeMap::new();
    for clause in clauses {
        if let Some(battles @ 1..) = clause["battles"].as_u64() {
            counted.insert(clause["clause"].as_str().expect("a name").to_owned(), battles);
        }
    }
    let mut told: BTreeMap<String, u64> = BTreeMap::new();
    for cell in 0..36 {
        let told_of = place.grognard(&format!("replay square-vs-line --cell {cell} --battle 0")).ends(0).out;
        let cites = told_of.lines().filter_map(|line| line.rsplit_once('[')?.1.split_once(']'));
        let cited: BTreeSet<&str> =
            cites.flat_map(|(cites, _)| cites.split(", ")).filter(|&cite| cite != "house").collect();
        for clause in cited {
            *told.entry(clause.to_owned()).or_default() += 1;
        }
    }
    assert!(counted.len() > 25, "{counted:?}");
    assert_eq!(counted, told);
}

/// The study that looks for every clause of the figures pack finds all that the pack does not list as out of reach.
#[test]
fn the_study_of_everything_reaches_every_clause_that_a_battle_can() {
    let json = Place::new().grognard("coverage figures-everything --runs 60 --quiet --json").json();
    let clauses = json["clauses"].as_array().expect("a list of clauses");
    assert!(clauses.len() >= 132);
    for clause in clauses {
        let reached = clause["battles"].as_u64() > Some(0);
        assert_eq!(reached, clause["unreached"].is_null(), "{clause}");
    }
}
