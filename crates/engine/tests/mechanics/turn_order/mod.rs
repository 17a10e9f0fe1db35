//! Turn order: which side goes first in a turn, and which unit goes next if units activate one at a time.

mod bag;
mod boards;
mod faults;
mod sequences;
mod words;

use std::collections::BTreeMap;

use grognard_dice::{EnumeratedDice, ScriptedDice};
use grognard_engine::states::States;
use grognard_engine::{Battle, Event, Narrator, Outcome, Scene, Setup, Side, Unwitnessed, Witness, deploy, step};
use grognard_rules::model::Rules;

use super::one_roll::{SAMPLED, sampled};
use crate::common::{Men, agree, deployment, unit};

/// Squads that fire when they are activated, and hit the first enemy in the list on a 4 or more.
const SQUADS: &str = r#"
pack = "squads"
title = "Squads"
version = "1"
board = "none"
arms = ["foot"]

[morale]
state = [{ id = "good" }]

[attribute.rank]
title = "rank"
min = 0
max = 9
default = 0

[unit]
squad = { title = "Squad", arm = "foot", figures = 1 }
team = { title = "Team", arm = "foot", figures = 2, is = { rank = 3 } }
staff = { title = "Staff", arm = "foot", figures = 1, is = { rank = 9 } }

[roll.fire]
title = "fire"
mechanic = "pool"
own = { dice = "d6", need = 4 }
result = [{ id = "hits", when = "hits > 0", foe = { lose = "hits" } }, { id = "misses" }]

[[phase]]
id = "fire"
title = "Fire"
mechanism = "exchange"
roll = "fire"
PHASE

[doctrine.plain]
title = "as the rules say"
row = []

[victory]
broken = 100

[[clause]]
id = "1"
text = "Chips are drawn."

[[clause]]
id = "2"
text = "Units go one at a time."

"#;

/// Compiles a pack; if it has faults, returns their number and their text.
fn compiled(text: &str) -> Result<&'static Rules, (usize, String)> {
    crate::common::compiled("squads.toml", text)
}

/// The pack with these keys in its phase, and more lines.
fn pack(phase: &str, rest: &str) -> String {
    format!("{}{rest}", SQUADS.replace("PHASE", phase))
}

fn rules_of(text: &str) -> &'static Rules {
    compiled(text).unwrap_or_else(|(_, faults)| panic!("{faults}"))
}

fn bag_of(keys: &str) -> String {
    format!("[activation]\ncite = ['2']\n[activation.bag]\ncite = ['1']\n{keys}\n")
}

/// The pack with this bag.
fn bag(keys: &str) -> &'static Rules {
    rules_of(&pack("", &bag_of(keys)))
}

/// The pack with this activation.
fn activation(keys: &str) -> &'static Rules {
    rules_of(&pack("", &format!("[activation]\ncite = ['2']\n{keys}\n")))
}

fn men(kinds: &[&str]) -> Vec<Men> {
    kinds.iter().map(|kind| unit(kind)).collect()
}

fn battle(rules: &Rules, first: &[&str], second: &[&str], turns: u8) -> Setup {
    let mut plan = deployment(("plain", &men(first)), ("plain", &men(second)));
    plan.turns = turns;
    deploy(rules, &plan).unwrap_or_else(|faults| panic!("{faults:#?}"))
}

/// Records which units are activated.
#[derive(Default)]
struct Activated(Vec<usize>);

impl Witness for Activated {
    fn see(&mut self, _: Scene<'_>, event: &Event) {
        if let Event::Activated { unit: Some(unit) } = event {
            self.0.push(unit.index());
        }
    }
}

/// The units activated in the first turn if the dice show exactly these faces.
fn turn(rules: &Rules, setup: &Setup, faces: &[i32]) -> Vec<usize> {
    let mut battle = setup.start.clone();
    let mut dice = ScriptedDice::new(faces.iter().copied());
    let mut seen = Activated::default();
    while battle.turn == 1 {
        if step(rules, setup, &mut battle, &mut dice, &mut seen).is_some() {
            break;
        }
    }
    dice.finish();
    seen.0
}

#[derive(Default)]
struct Rollers(Vec<usize>);

impl Witness for Rollers {
    fn see(&mut self, _: Scene<'_>, event: &Event) {
        if let Event::Rolled(roll) = event {
            self.0.push(roll.own.index());
        }
    }
}

/// The units that roll in the first turns if the dice show exactly these faces.
fn rollers(rules: &Rules, setup: &Setup, turns: u8, faces: &[i32]) -> Vec<usize> {
    let mut battle = setup.start.clone();
    let mut dice = ScriptedDice::new(faces.iter().copied());
    let mut seen = Rollers::default();
    while battle.turn <= turns && step(rules, setup, &mut battle, &mut dice, &mut seen).is_none() {}
    dice.finish();
    seen.0
}

/// The exact probabilities that the first side wins, that the second does, and that neither does, with equal states
/// merged.
fn chances(rules: &Rules, setup: &Setup) -> [f64; 3] {
    let mut states = States::of(&setup.start);
    let mut found = [0.0; 3];
    let mut layer = vec![(setup.start.clone(), 1.0)];
    while !layer.is_empty() {
        let mut next: BTreeMap<Vec<u32>, (Battle, f64)> = BTreeMap::new();
        for (battle, weight) in &layer {
            let mut dice = EnumeratedDice::new();
            while dice.next_path() {
                let mut after = battle.clone();
                let outcome = step(rules, setup, &mut after, &mut dice, &mut Unwitnessed);
                let chance = weight * dice.chance();
                if let Some(outcome) = outcome {
                    found[winner(&outcome)] += chance;
                    continue;
                }
                let mut key = Vec::new();
                states.take_apart(&after, &mut key).expect("few states");
                next.entry(key).or_insert((after, 0.0)).1 += chance;
            }
        }
        layer = next.into_values().collect();
    }
    found
}

fn winner(outcome: &Outcome) -> usize {
    outcome.winner.map_or(2, Side::index)
}

/// Asserts that sampled battles come close to these chances.
#[track_caller]
fn sampled_near(what: &str, rules: &Rules, setup: &Setup, chances: [f64; 3]) {
    let counts = sampled(rules, setup, SAMPLED, winner);
    for (winner, chance) in chances.into_iter().enumerate() {
        agree(&format!("{what}, {winner}"), counts.get(&winner).copied().unwrap_or(0), SAMPLED, chance);
    }
}

/// The narration of a battle with exactly these faces.
fn told(rules: &Rules, setup: &Setup, faces: &[i32]) -> Vec<String> {
    let mut battle = setup.start.clone();
    let mut dice = ScriptedDice::new(faces.iter().copied());
    let mut narrator = Narrator::new();
    while step(rules, setup, &mut battle, &mut dice, &mut narrator).is_none() {}
    dice.finish();
    narrator.lines().to_vec()
}

/// Armies of several unit types, with hits that fall in the order of the pack.
const ARMIES: &str = "by = 'active'\nsimultaneous = true\ncasualties = { order = ['squad', 'team', 'staff'] }";

const DICE: &str = "[activation.initiative]\ncite = ['1']\ndice = 'd6'\n";

/// A test that a unit passes in two of three cases.
const TEST: &str = "[activation.test]\ncite = ['1']\nroll = 'order'\nfails = ['hesitates']\n";
const ORDER: &str = "\n[roll.order]\ntitle = 'order'\nmechanic = 'pool'\nown = { dice = 'd6', need = 3 }\n\
    result = [{ id = 'obeys', when = 'hits > 0' }, { id = 'hesitates' }]\n";
