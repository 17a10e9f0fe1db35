//! `grognard run` of several studies.

use super::{DUEL, Place};

fn place() -> Place {
    let place = Place::with_duel();
    place.write("other.toml", DUEL.replace("\"duel\"", "\"other\"").replace("[3, 5, 7]", "[2, 4]"));
    place
}

#[test]
fn each_study_goes_into_its_own_folder_as_if_by_itself() {
    let place = place();
    let both = place.grognard("run duel.toml other.toml --no-report --runs 2000").ends(0);
    assert_eq!(place.list("results"), ["duel", "other"]);
    let alone = |study: &str| {
        let ran = place.grognard(&format!("run {study}.toml --no-report --runs 2000 --out alone/{study}")).ends(0);
        assert_eq!(
            place.read(&format!("results/{study}/data/summary.parquet")),
            place.read(&format!("alone/{study}/data/summary.parquet"))
        );
        ran.out
    };
    assert_eq!(both.out, format!("{}\n{}", alone("duel"), alone("other")));
    let manifest = String::from_utf8(place.read("results/other/manifest.json")).expect("text");
    assert!(manifest.contains("grognard run other.toml --runs 2000\""), "{manifest}");
}

#[test]
fn out_holds_a_folder_of_each() {
    let place = place();
    place.grognard("run duel.toml other.toml --no-report --runs 100 --quiet --out both").ends(0);
    assert_eq!(place.list("both"), ["duel", "other"]);
    let json = place.grognard("run duel.toml other.toml --no-report --runs 100 --quiet --json").ends(0);
    let objects = serde_json::Deserializer::from_str(&json.out).into_iter::<serde_json::Value>();
    let names: Vec<String> = objects.map(|object| object.expect("JSON")["study"].to_string()).collect();
    assert_eq!(names, ["\"duel\"", "\"other\""]);
}

#[test]
fn one_that_is_wrong_keeps_all_from_beginning() {
    let place = place();
    place.write("bad.toml", DUEL.replace("\"risk\"", "\"risc\""));
    let before = place.list("");
    place.grognard("run duel.toml bad.toml other.toml").refused("did you mean `risk`?");
    place.grognard("run duel.toml no-such.toml").refused("no-such.toml");
    place.grognard("run duel.toml duel.toml").refused("two of the studies would be written to");
    place.grognard("run duel.toml other.toml --decide 0,1").refused("name one study");
    assert_eq!(place.list(""), before);
}
