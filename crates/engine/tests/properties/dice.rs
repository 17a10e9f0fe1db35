//! Every decision of a battle has its own random word.

use std::collections::BTreeSet;

use grognard_dice::{Address, Decision, Dice, SeededDice, Shown};
use grognard_engine::{Deployment, Setup, Unwitnessed, deploy, fight};
use grognard_rules::compile;
use grognard_rules::model::Rules;
use grognard_source::{Document, Sources};

use super::armies::{self, Sort};
use super::world::ARMIES;
use crate::common::{deployment, drill, unit};

/// Dice that refuse to make two decisions at one address.
struct OnceOnly {
    dice: SeededDice,
    used: BTreeSet<Address>,
}

impl Dice for OnceOnly {
    fn decide(&mut self, at: Address, decision: &dyn Decision) -> usize {
        assert!(self.used.insert(at), "two decisions share a word: {at:?}");
        self.dice.decide(at, decision)
    }

    fn shown(&mut self, at: Address, decision: &dyn Decision, outcome: usize) -> Vec<Shown> {
        self.dice.shown(at, decision, outcome)
    }
}

fn fought(rules: &Rules, setup: &Setup, battle: u64) -> BTreeSet<Address> {
    let mut dice = OnceOnly { dice: SeededDice::new(1815), used: BTreeSet::new() };
    dice.dice.battle(battle);
    fight(rules, setup, &mut dice, &mut Unwitnessed);
    dice.used
}

#[test]
fn no_two_decisions_of_a_battle_share_a_word() {
    let mut decisions = 0;
    for army in 0..ARMIES {
        let setup = armies::setup(drill(), Sort::Mixed, army);
        decisions += fought(drill(), &setup, army).len();
    }
    assert!(decisions as u64 > 2 * ARMIES, "{decisions} decisions in {ARMIES} battles");
}

/// A half-turn with two volleys, and a unit that must react to its losses after each of them.
const VOLLEYS: &str = r#"
pack = "volleys"
title = "Volleys"
version = "1"
board = "none"
arms = ["foot"]

[morale]
state = [{ id = "good" }]

[unit.shooter]
title = "Shooter"
arm = "foot"
figures = 13
range = 1

[roll.shot]
title = "shot"
mechanic = "pool"
own = { dice = "d6", need = 3 }
result = [{ id = "hit", foe = { lose = 1 } }]

[roll.nerve]
title = "nerve"
mechanic = "under"
own = { dice = "2d6" }
target = 7
result = [{ id = "any" }]

[[phase]]
id = "first"
title = "First volley"
mechanism = "fire"
roll = "shot"

[[phase]]
id = "second"
title = "Second volley"
mechanism = "fire"
roll = "shot"

[[reaction]]
id = "nerve"
title = "nerve"
on = "losses"
roll = "nerve"

[doctrine.shoot]
title = "shoots"
row = [
  { id = "once", phase = "first", do = "fire" },
  { id = "twice", phase = "second", do = "fire" },
]

[victory]
broken = 100
"#;

#[test]
fn who_reacts_twice_in_a_half_turn_draws_twice() {
    let mut sources = Sources::new();
    let file = sources.add("volleys.toml", VOLLEYS);
    let document = Document::parse(file, &sources).expect("the pack is TOML");
    let rules = compile(&document, &sources).unwrap_or_else(|faults| panic!("{}", faults.render(&sources, false)));
    let army = ("shoot", &[unit("shooter")][..]);
    let plan = Deployment { turns: 6, ..deployment(army, army) };
    let setup = deploy(&rules, &plan).expect("it can be deployed");
    // Six turns of two half-turns, each with two shots and two tests.
    assert_eq!(fought(&rules, &setup, 0).len(), 6 * 2 * 4);
}
