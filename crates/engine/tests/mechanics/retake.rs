//! A general within reach lets a unit reroll once; the second result stands.

use grognard_engine::{Deployment, GeneralPlan, deploy};
use grognard_rules::library;
use grognard_rules::model::Rules;
use grognard_rules::pack_schema;
use grognard_source::{Absent, Diagnostics, Override, Sources};

use super::one_roll::{SAMPLED, exact, sampled};
use crate::common::{Game, Men, agree, deployment, unit};

/// Any general within four inches lets a unit roll again to de-shake.
const NEAR: &str = "{ of = ['stays-shaken'], within = 4, cite = ['KG1'] }";

/// Compiles the command point system with this value of `roll.deshake.retake`. If it has faults, returns their number
/// and their text.
fn compiled(retake: &str) -> Result<&'static Rules, (usize, String)> {
    let mut sources = Sources::new();
    let rules = (|| -> Result<Rules, Diagnostics> {
        let mut pack = library::load("napoleonic-pips", None, &mut sources)?;
        let file = sources.add("changed.toml", format!("roll.deshake.retake={retake}"));
        pack.document.set(&Override::parse(file, &sources)?, Absent::Insert(pack_schema()))?;
        pack.compile(&sources)
    })();
    rules.map(|rules| &*Box::leak(Box::new(rules))).map_err(|faults| (faults.len(), faults.render(&sources, false)))
}

fn rules(retake: &str) -> &'static Rules {
    compiled(retake).unwrap_or_else(|(_, faults)| panic!("{faults}"))
}

/// A shaken unit with its rear edge half an inch south of the middle of the table.
fn shaken() -> Men {
    unit("infantry").at(0.0, 0.5).facing(0.0).morale("shaken")
}

/// A general of this rank, with the middle of his base this many hundredths of an inch south of the middle of the
/// table. The base is half an inch deep, and the unit's rear edge half an inch south of the middle, so the gap between
/// them is 75 hundredths less.
fn general(rank: &str, south: i32) -> GeneralPlan {
    GeneralPlan { name: "Ney".into(), rank: Some(rank.into()), at: Some((0, -south)), ..GeneralPlan::default() }
}

fn plan(generals: &[GeneralPlan]) -> Deployment {
    let enemy = unit("infantry").at(0.0, 20.0).facing(180.0);
    let mut plan = deployment(("stand", &[shaken()]), ("stand", &[enemy]));
    plan.sides.first.generals = generals.to_vec();
    plan.turns = 1;
    plan
}

/// Plays the de-shaking phase with these faces. A shaken unit passes on a five or a six.
fn deshaken(retake: &str, generals: &[GeneralPlan], faces: &[i32]) -> Game {
    let mut game = Game::planned(rules(retake), &plan(generals));
    game.phase("deshake", faces);
    game
}

fn morale(game: &Game) -> &str {
    let unit = game.first();
    &game.rules.morale[unit.morale].id
}

#[test]
fn a_failed_roll_is_taken_again_once() {
    let ney = [general("division", 475)];
    for (faces, then) in [(&[5][..], "eager"), (&[4, 5], "eager"), (&[4, 4], "shaken")] {
        let game = deshaken(NEAR, &ney, faces);
        assert_eq!(morale(&game), then, "{faces:?}");
    }
    let game = deshaken(NEAR, &ney, &[4, 5]);
    game.saw("KG1");
    let told = "Divisional general Ney (first), 4 inches away, lets Infantry (first) roll again.";
    assert_eq!(game.specials().first().map(|line| line.replace('"', " inches")), Some(told.to_owned()));
    assert!(!deshaken(NEAR, &ney, &[5]).seen.cited().contains("KG1"), "nobody rolled again");
}

#[test]
fn only_a_general_of_the_side_who_is_near_and_there_helps() {
    let division = |south| general("division", south);
    // There is no reroll if the general is a hundredth of an inch too far away, if there is no general, or if he has
    // been lost.
    deshaken(NEAR, &[division(476)], &[4]);
    deshaken(NEAR, &[], &[4]);
    let mut lost = Game::planned(rules(NEAR), &plan(&[division(475)]));
    lost.battle.generals[0].lost = true;
    lost.phase("deshake", &[4]);
    // Only the enemy has a general.
    let mut enemy = plan(&[]);
    enemy.sides.second.generals = vec![division(475)];
    let mut enemy = Game::planned(rules(NEAR), &enemy);
    enemy.phase("deshake", &[4]);
    // A general with the unit is at a distance of 0.
    let touching = "{ of = ['stays-shaken'], within = 0, cite = ['KG1'] }";
    let with = GeneralPlan { with: Some(0), at: None, ..division(0) };
    // With its general, a unit passes on a four.
    deshaken(touching, &[with], &[3, 4]);
    deshaken(touching, &[division(476)], &[4]);
}

#[test]
fn the_roll_says_which_ranks_help_and_whom() {
    let corps = "{ of = ['stays-shaken'], within = 4, ranks = ['corps'], cite = ['KG1'] }";
    let ney = general("division", 475);
    deshaken(corps, std::slice::from_ref(&ney), &[4]);
    let soult = GeneralPlan { name: "Soult".into(), ..general("corps", 475) };
    deshaken(corps, &[GeneralPlan { at: Some((500, -475)), ..ney.clone() }, soult], &[4, 5]);
    for (when, faces) in [("self.arm == 'cavalry'", &[4][..]), ("self.arm == 'infantry'", &[4, 5])] {
        let retake = NEAR.replace("cite", &format!("when = \"{when}\", cite"));
        deshaken(&retake, std::slice::from_ref(&ney), faces);
    }
}

/// One try in three passes; with a second try, 1/3 + 2/3 * 1/3 = 5/9. Checked along every path of the dice and by
/// sampling.
#[test]
fn exact_and_sampled_odds_are_those_of_two_tries() {
    for (retake, chance) in [(NEAR, 5.0 / 9.0), ("{ of = ['recovers'], within = 4, cite = ['KG1'] }", 1.0 / 9.0)] {
        let rules = rules(retake);
        let setup = deploy(rules, &plan(&[general("division", 475)])).expect("it can be deployed");
        let odds = exact(rules, &setup, |outcome| outcome.sides.first.shaken_units);
        assert!((odds[&0] - chance).abs() < 1e-12, "{odds:?}");
        let counts = sampled(rules, &setup, SAMPLED, |outcome| outcome.sides.first.shaken_units);
        agree(retake, counts[&0], SAMPLED, chance);
    }
}

#[test]
fn every_bad_value_is_one_fault_with_its_place() {
    for (retake, message, column) in [
        ("{ of = ['stays-shakn'], within = 4, cite = ['KG1'] }", "stays-shakn", 29),
        ("{ of = [], within = 4, cite = ['KG1'] }", "the list is empty", 28),
        ("{ of = ['stays-shaken'], within = -4, cite = ['KG1'] }", "-4", 55),
        ("{ of = ['stays-shaken'], within = 4, ranks = ['marshal'], cite = ['KG1'] }", "marshal", 67),
        ("{ of = ['stays-shaken'], within = 4, when = 'self.arms', cite = ['KG1'] }", "self.arms", 66),
        ("{ of = ['stays-shaken'], within = 4, cite = ['KG99'] }", "KG99", 66),
        ("{ of = ['stays-shaken'], within = 4 }", "cite", 21),
    ] {
        let Err((count, faults)) = compiled(retake) else { panic!("{retake} compiles") };
        assert_eq!(count, 1, "{retake}:\n{faults}");
        assert!(faults.contains(message), "{retake}:\n{faults}");
        assert!(faults.contains(&format!("changed.toml:1:{column}")), "{retake}:\n{faults}");
    }
}
