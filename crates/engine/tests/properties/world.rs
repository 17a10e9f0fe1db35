//! Steps of random battles, for the tests that check each of them.

use grognard_dice::SeededDice;
use grognard_engine::{Battle, Outcome, Setup, step};
use grognard_rules::model::Rules;

use super::armies::{self, Sort};
use super::audit::Audit;
use crate::common::drill;

/// The number of random armies that each test checks, with one battle of each.
pub(crate) const ARMIES: u64 = 1_000;

/// A step of a battle: the states before and after it, and the events seen.
pub(crate) struct Step<'a> {
    /// The army and the step, for messages.
    pub(crate) name: String,
    pub(crate) rules: &'a Rules,
    pub(crate) setup: &'a Setup,
    pub(crate) before: &'a Battle,
    pub(crate) after: &'a Battle,
    pub(crate) audit: &'a Audit,
    pub(crate) outcome: Option<&'a Outcome>,
}

/// Fights a battle of every army and checks each of its steps.
pub(crate) fn every_step(sort: Sort, mut look: impl FnMut(&Step<'_>)) {
    let rules = drill();
    let mut dice = SeededDice::new(1815);
    for army in 0..ARMIES {
        let setup = armies::setup(rules, sort, army);
        dice.battle(army);
        let mut battle = setup.start.clone();
        for number in 0.. {
            let before = battle.clone();
            let mut audit = Audit::new(&before);
            let outcome = step(rules, &setup, &mut battle, &mut dice, &mut audit);
            audit.end(&battle);
            let phase = &rules.phases[usize::from(before.phase)].id;
            look(&Step {
                name: format!("army {army}, step {number} (turn {}, {:?}, {phase})", before.turn, before.active),
                rules,
                setup: &setup,
                before: &before,
                after: &battle,
                audit: &audit,
                outcome: outcome.as_ref(),
            });
            if outcome.is_some() {
                break;
            }
        }
    }
}
