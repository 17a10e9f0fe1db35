//! Stages that send successes to several places, and models that take the hits: odds found by counting faces, and
//! refusals.

use grognard_dice::Die;

use super::*;
use crate::{Amount, Branch, Explode, Goal, Hand, Keep, Models, Natural, Need, Pool, Stage};

fn at_least(need: impl Into<Amount>) -> Need {
    Need::AtLeast(need.into())
}

fn faces(faces: &[&str]) -> Need {
    Need::Faces(labels(faces))
}

fn branch(on: Need, counts: i32, to: Goal, also: bool) -> Branch {
    Branch { on, when: None, counts: counts.into(), to, also }
}

fn d(faces: u8) -> Die {
    Die::numbered(faces)
}

/// A hit that counts twice or skips a stage, a wound that may skip the damage, and the damage.
fn stages() -> Vec<Stage> {
    let natural = Natural { fails: labels(&["1"]), succeeds: labels(&["4"]) };
    let hit = Hand { natural, ..Hand::successes(d(4), 1, at_least(Amount::input(1))) };
    let switched = Branch { when: Some(Amount::input(2)), ..branch(faces(&["4"]), 1, Goal::Stage(2), false) };
    let twice = branch(at_least(4), 2, Goal::Next, true);
    let wound = Stage::new(d(3), at_least(2));
    let past = branch(faces(&["3"]), 1, Goal::Hits, true);
    let damage = Hand { plus: (-1).into(), keep: Keep::Highest(1.into()), ..Hand::sum(d(3), 2) };
    vec![
        Stage { branches: vec![switched, twice], ..Stage::of(hit) },
        Stage { branches: vec![past], ..wound },
        Stage::of(damage),
    ]
}

#[test]
fn every_way_of_the_dice_through_branches() {
    let models = |spill, left: i32| Models { wounds: 2.into(), left: left.into(), spill, gone: true };
    for models in [None, Some(models(false, 1)), Some(models(false, 2)), Some(models(true, 1))] {
        for (stage_totals, natural) in [(false, 0), (false, 1), (false, 2), (false, 3), (models.is_none(), 0)] {
            let (criticals, fumbles) = (natural & 1 > 0, natural & 2 > 0);
            let pool = Pool { models, stage_totals, criticals, fumbles, ..Pool::of(Amount::input(0), stages()) };
            for inputs in [[0, 2, 0], [1, 2, 0], [1, 3, 1], [1, 9, 1]] {
                let mechanic = Mechanic::Pool(pool.clone());
                assert_eq!(
                    EveryThrow::of(&mechanic, &inputs),
                    worked_out(&mechanic, &inputs),
                    "{pool:?} at {inputs:?}"
                );
            }
        }
    }
}

#[test]
fn one_stage_of_packets_and_natural_faces() {
    let explode = Some(Explode { faces: labels(&["4"]), limit: 1 });
    let natural = Natural { fails: labels(&["1"]), succeeds: labels(&["4"]) };
    let hand = Hand { explode, natural, ..Hand::successes(d(4), 1, at_least(3)) };
    let stage = Stage { counts: 2.into(), ..Stage::of(hand) };
    let models = Some(Models { wounds: 3.into(), left: 3.into(), spill: false, gone: true });
    let mechanic = Mechanic::Pool(Pool { models, criticals: true, fumbles: true, ..Pool::of(2, vec![stage]) });
    assert_eq!(mechanic.totals(), ["hits", "criticals", "fumbles", "models"]);
    assert_eq!(EveryThrow::of(&mechanic, &[]), worked_out(&mechanic, &[]));
    // Two fours that each add a three are two hits of damage four: each removes a model with three wounds, and one
    // point of each is lost.
    let eight = chance(&mechanic, &[], |totals| totals.as_slice() == [6, 2, 0, 2]);
    assert_eq!(eight, Fraction::new(1, 256));
}

#[test]
fn groups_of_dice_with_needs_of_their_own() {
    let group = |die: Die, need: Need, to| Stage { to, ..Stage::new(die, need) };
    let wound = Stage::new(d(3), at_least(2));
    let stages =
        vec![group(d(4), at_least(Amount::input(2)), Goal::Stage(2)), group(d(3), faces(&["1"]), Goal::Hits), wound];
    for models in [None, Some(Models { wounds: 2.into(), left: 1.into(), spill: false, gone: true })] {
        let dice = vec![Amount::input(0), Amount::input(1)];
        let mechanic = Mechanic::Pool(Pool { models, ..Pool::of_groups(dice, stages.clone()) });
        for inputs in [[0, 0, 3], [2, 0, 3], [0, 2, 3], [2, 1, 3], [1, 2, 2]] {
            assert_eq!(EveryThrow::of(&mechanic, &inputs), worked_out(&mechanic, &inputs), "{models:?} at {inputs:?}");
        }
    }
    let refusal = |pool: Pool| Mechanic::Pool(pool).distribution(&[]).expect_err("refused").to_string();
    let stage = || Stage::new(d(6), at_least(4));
    assert!(refusal(Pool::of_groups(vec![1.into(), 1.into()], vec![stage()])).contains("a separate stage"));
    let models = Some(Models { wounds: 2.into(), left: 1.into(), spill: false, gone: true });
    let two = Pool::of_groups(vec![1.into(), 1.into()], vec![Stage { to: Goal::Hits, ..stage() }, stage()]);
    assert!(refusal(Pool { models, ..two }).contains("a stage after the groups"));
}

#[test]
fn stages_that_go_nowhere_are_refused() {
    let refusal =
        |stages: Vec<Stage>| Mechanic::Pool(Pool::of(1, stages)).distribution(&[]).expect_err("refused").to_string();
    let stage = || Stage::new(d(6), at_least(4));
    let to = |goal| Stage { to: goal, ..stage() };
    assert!(refusal(vec![stage(), to(Goal::Stage(1))]).contains("an earlier stage or to none"));
    assert!(refusal(vec![to(Goal::Stage(2)), stage()]).contains("an earlier stage or to none"));
    let seven = Stage { branches: vec![branch(faces(&["7"]), 2, Goal::Next, false)], ..stage() };
    assert!(refusal(vec![seven]).contains("no face \"7\""));
    let number = Stage { branches: vec![branch(faces(&["3"]), 2, Goal::Next, false)], ..Stage::of(Hand::sum(d(6), 1)) };
    assert!(refusal(vec![number]).contains("read as a number has branches"));
    assert!(refusal(vec![Stage::of(Hand::successes(d(6), 2, at_least(4)))]).contains("throws one die"));
    let many = Stage { counts: 30_000.into(), ..stage() };
    assert!(refusal(vec![many.clone(), many]).contains("outside -32768..=32767"));
}
