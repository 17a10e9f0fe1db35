//! Mixed battles: which clauses whole battles reach, played by the pack's own doctrines.

use std::collections::BTreeSet;

use grognard_dice::SeededDice;
use grognard_engine::{Deployment, SidePlan, deploy, fight};

use super::super::common::{Recorder, block_of, line_of, load};
use super::*;

/// Clauses that these battles never come to, because the pack's doctrines order nothing that they are about: bars against
/// what no doctrine tries (guns or horse into a wood, a move or a square by a unit that fires or has moved, a second change of
/// formation), and a withdrawal by a unit that is not shaken. Their own tests order it.
const UNREACHED: &[&str] =
    &["M8", "R3", "R4", "R12", "C2", "D1", "D6", "D7", "P3", "P4", "S6", "S7", "S8", "S9", "KT1"];

fn side(name: &str, doctrine: &str, men: &[Men]) -> SidePlan {
    let units = men.iter().map(Men::plan).collect();
    SidePlan { name: name.into(), doctrine: Some(doctrine.into()), units, ..SidePlan::default() }
}

#[test]
fn mixed_battles_reach_every_clause_that_a_battle_can_reach() {
    let rules = load("napoleonic-pips");
    let first = [
        infantry(-8.0, -9.0, 0.0),
        by_centre("veteran-infantry", -5.0, -9.0, 0.0, 1.0),
        infantry(-5.0, -10.1, 0.0),
        cavalry(4.0, -9.0, 0.0),
        by_centre("cuirassiers", 6.0, -9.0, 0.0, 1.0),
        cavalry(15.0, 2.0, 270.0),
        by_centre("foot-artillery", 0.0, -9.0, 0.0, 1.0).formation("limbered"),
        by_centre("horse-artillery", 2.0, -9.0, 0.0, 1.5).formation("limbered"),
    ];
    let second = [
        by_centre("raw-infantry", -8.0, 3.0, 180.0, 1.0),
        infantry(-4.0, 3.0, 180.0),
        infantry(6.0, 2.0, 180.0),
        by_centre("veteran-infantry", 2.0, 4.0, 180.0, 1.0).morale("shaken"),
        cavalry(10.0, 3.0, 180.0),
        by_centre("foot-artillery", 0.0, 2.0, 180.0, 1.0),
        by_centre("horse-artillery", 13.0, 3.0, 180.0, 1.5),
    ];
    let terrain = [
        block_of("woods", (-8.0, -4.0), (4.0, 3.0)),
        block_of("built-up", (-4.0, 3.0), (3.5, 3.0)),
        line_of("hedge", (1.0, -2.0), (8.0, -2.0)),
        block_of("hill", (2.0, 4.0), (5.0, 3.0)),
        line_of("road", (4.0, -20.0), (4.0, 20.0)),
    ];
    // Horse comes on against foot that has the time and the points to form square.
    let horse = [cavalry(-3.0, -8.0, 0.0), by_centre("veteran-cavalry", 3.0, -8.0, 0.0, 1.0)];
    let foot = [infantry(-3.0, 4.0, 180.0), by_centre("veteran-infantry", 3.0, 4.0, 180.0, 1.0)];
    let mut seen = BTreeSet::new();
    let mut dice = SeededDice::new(1815);
    let mut watch = |terrain: &[grognard_engine::TerrainPlan], red: SidePlan, blue: SidePlan| {
        let sides = grognard_engine::BySide::new(red, blue);
        let plan = Deployment { sides, terrain: terrain.to_vec(), turns: 12, ..Deployment::default() };
        let setup = deploy(&rules, &plan).unwrap_or_else(|faults| panic!("{faults:#?}"));
        for battle in 0..25 {
            dice.battle(battle);
            let mut recorder = Recorder::default();
            fight(&rules, &setup, &mut dice, &mut recorder);
            seen.extend(recorder.cited().iter().cloned());
        }
    };
    watch(&[], side("red", "charge-home", &horse), side("blue", "stand-and-form", &foot));
    for (attack, defence) in [
        ("charge-home", "stand-and-form"),
        ("attack", "stand-and-form"),
        ("charge-home", "stand"),
        ("attack", "attack"),
    ] {
        watch(&terrain, side("red", attack, &first), side("blue", defence, &second));
    }
    let registered = rules.clauses.iter().map(|clause| clause.id.as_str());
    let missing: Vec<&str> = registered.filter(|clause| !seen.contains(*clause)).collect();
    assert_eq!(missing, UNREACHED, "reached by no battle on the left, stated on the right");
}
