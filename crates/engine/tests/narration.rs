//! Every built-in pack has a golden narration: a battle told blow by blow, compared to the letter.
//!
//! `BLESS=1 cargo test -p grognard-engine --test narration` writes them again; a change is then read in the diff, as a rules
//! writer would.

use std::path::PathBuf;

use grognard_dice::SeededDice;
use grognard_engine::{Approach, BySide, Deployment, Narrator, SidePlan, UnitPlan, deploy, fight};
use grognard_rules::library;
use grognard_rules::source::Sources;

fn unit(kind: &str, at: (i32, i32), figures: Option<u16>) -> UnitPlan {
    UnitPlan { kind: kind.into(), formation: None, at: Some(at), facing: None, figures, morale: None }
}

fn side(name: &str, doctrine: Option<&str>, unit: UnitPlan) -> SidePlan {
    SidePlan { name: name.into(), doctrine: doctrine.map(Into::into), units: vec![unit] }
}

/// The battle that is told of a pack.
fn battle(pack: &str) -> Option<Deployment> {
    let (sides, distance) = match pack {
        "napoleonic-figures" => {
            let attacker = side("attacker", Some("charge-home"), unit("heavy-cavalry", (0, 1600), None));
            let defender = side("defender", Some("stand"), unit("line-battalion", (0, 0), None));
            (BySide::new(attacker, defender), Some(1200))
        }
        "risk" => {
            let attacker = side("attacker", None, unit("army", (0, 0), Some(5)));
            let defender = side("defender", None, unit("army", (0, 0), Some(4)));
            (BySide::new(attacker, defender), None)
        }
        _ => return None,
    };
    Some(Deployment { sides, turns: 20, approach: Approach::Front, distance })
}

fn narration(pack: &str) -> String {
    let mut sources = Sources::new();
    let loaded = library::load(pack, None, &mut sources).expect("a built-in pack loads");
    let rules = loaded.compile(&sources).expect("a built-in pack compiles");
    let plan = battle(pack).unwrap_or_else(|| panic!("no battle is told of the pack {pack}: add one here"));
    let setup = deploy(&rules, &plan).unwrap_or_else(|faults| panic!("{pack}: {faults:?}"));
    let mut dice = SeededDice::new(1815);
    let mut text = String::new();
    for index in 0..3 {
        dice.battle(index);
        let mut narrator = Narrator::new();
        fight(&rules, &setup, &mut dice, &mut narrator);
        text += &format!("-- battle {index}\n{}\n\n", narrator.lines().join("\n"));
    }
    text
}

#[test]
fn every_pack_is_narrated_as_on_file() {
    for pack in library::PACKS {
        let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/golden").join(format!("{}.txt", pack.name));
        let told = narration(pack.name);
        if std::env::var_os("BLESS").is_some() {
            std::fs::create_dir_all(path.parent().expect("a folder")).expect("the folder can be made");
            std::fs::write(&path, &told).expect("the narration can be written");
        }
        let golden = std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        assert!(told == golden, "the narration of {} has changed; see it with BLESS=1 and `git diff`", pack.name);
    }
}
