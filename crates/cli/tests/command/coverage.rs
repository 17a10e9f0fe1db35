//! `grognard coverage`: what a study's battles bring into play.

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
    assert!(ran.out.contains(&format!("{reached} of {} clauses came into play.", clauses.len())), "{ran:?}");
}

#[test]
fn the_same_battles_are_counted_alike() {
    let place = Place::with_duel();
    let first = place.grognard("coverage duel.toml --runs 300 --seed 7 --quiet").ends(0).out;
    assert_eq!(place.grognard("coverage duel.toml --runs 300 --seed 7 --quiet").ends(0).out, first);
    place.grognard("coverage dual.toml").refused("there is no file `dual.toml`");
}
