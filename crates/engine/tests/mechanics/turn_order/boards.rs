//! Units that activate one at a time on a table and on hexes, and the dice of whole battles.

use std::collections::BTreeSet;

use grognard_dice::{Address, Decision, Dice, SeededDice, Shown};
use grognard_engine::{Memory, Setup, Steps, Unwitnessed, deploy, fight};
use grognard_rules::compile;
use grognard_rules::library;
use grognard_rules::model::Rules;
use grognard_source::{Document, Sources, extend};

use super::{Activated, winner};
use crate::common::{Men, agree, deployment, unit};
use crate::mechanics::one_roll::{SAMPLED, sampled};

/// A built-in pack with these keys added or changed.
fn variant(name: &str, keys: &str) -> &'static Rules {
    let mut sources = Sources::new();
    let made = (|| {
        let base = library::load(name, None, &mut sources)?;
        let file = sources.add("variant.toml", keys.to_owned());
        compile(&extend(base.document, Document::parse(file, &sources)?)?, &sources)
    })();
    Box::leak(Box::new(made.unwrap_or_else(|faults| panic!("{}", faults.render(&sources, false)))))
}

/// Two lines of models in sight of each other; the second is the first rotated by 180°.
fn skirmish(rules: &Rules, order: [usize; 3], turns: u8) -> Setup {
    let models = [("gunner", -6.0, -8.0), ("trooper", 1.0, -9.0), ("scout", 7.0, -7.0)];
    let placed = |half: f64, facing: f64, order: [usize; 3]| -> Vec<Men> {
        let model = |place: usize| {
            let (kind, east, north) = models[place];
            unit(kind).at(half * east, half * north).facing(facing)
        };
        order.map(model).into()
    };
    let mut plan = deployment(("hunt", &placed(1.0, 0.0, [0, 1, 2])), ("hunt", &placed(-1.0, 180.0, order)));
    plan.turns = turns;
    deploy(rules, &plan).unwrap_or_else(|faults| panic!("{faults:#?}"))
}

/// Dice that refuse to use an address twice.
struct Strict {
    dice: SeededDice,
    seen: BTreeSet<Address>,
}

impl Dice for Strict {
    fn decide(&mut self, at: Address, decision: &dyn Decision) -> usize {
        assert!(self.seen.insert(at), "{at:?} is taken twice");
        self.dice.decide(at, decision)
    }

    fn shown(&mut self, at: Address, decision: &dyn Decision, outcome: usize) -> Vec<Shown> {
        self.dice.shown(at, decision, outcome)
    }
}

/// A bag in the skirmish pack, instead of alternating sides.
const BAG: &str = "[activation]\nalternate = { remove = true }\ninitiative = { remove = true }\n[activation.bag]\n";

/// Lets the enemies of the activated model fire, too.
const WATCHED: &str = "cite = ['house']\nnote = 'Chips.'\n\
    [[phase]]\nid = 'watch'\ntitle = 'Overwatch'\nmechanism = 'fire'\nroll = 'shoot'\nby = 'passive'\n\
    cite = ['house']\nnote = 'The others fire.'\n\
    [doctrine.hunt]\nrow = [{ id = 'watch', phase = 'watch', do = 'fire' }]\n";

#[test]
fn no_decision_of_a_battle_shares_its_word_with_another() {
    let rules = variant("sf-skirmish", &format!("{BAG}{WATCHED}"));
    let setup = skirmish(rules, [0, 1, 2], 6);
    let mut activations = 0;
    for number in 0..40 {
        let mut dice = SeededDice::new(1815);
        dice.battle(number);
        let mut strict = Strict { dice, seen: BTreeSet::new() };
        let mut seen = Activated::default();
        fight(rules, &setup, &mut strict, &mut seen);
        activations += seen.0.len();
    }
    assert!(activations > 300, "{activations}");
}

#[test]
fn models_on_a_table_go_one_at_a_time() {
    let rules = variant("sf-skirmish", &format!("{BAG}{WATCHED}"));
    let setup = skirmish(rules, [0, 1, 2], 1);
    let mut dice = SeededDice::new(1815);
    for number in 0..20 {
        dice.battle(number);
        let mut battle = setup.start.clone();
        let mut steps = Steps::new(rules, &setup);
        loop {
            let before = battle.units.clone();
            let mut seen = Activated::default();
            let over = steps.step(&mut battle, &mut dice, &mut seen).is_some();
            let moved = |&id: &usize| before[id].front != battle.units[id].front;
            let moved: Vec<usize> = (0..6).filter(moved).collect();
            assert!(moved.iter().all(|id| seen.0 == [*id]), "{moved:?} in the activation of {:?}", seen.0);
            if over {
                break;
            }
        }
    }
}

#[test]
fn turned_armies_in_any_order_have_equal_chances() {
    let rules = variant("sf-skirmish", &format!("{BAG}cite = ['house']\nnote = 'Chips.'"));
    for order in [[0, 1, 2], [2, 0, 1]] {
        let setup = skirmish(rules, order, 2);
        let counts = sampled(rules, &setup, SAMPLED, winner);
        let decided = counts[&0] + counts[&1];
        agree(&format!("{order:?}"), counts[&0], decided, 0.5);
    }
}

#[test]
fn battles_are_remembered_as_they_are_fought() {
    let rules = variant("sf-skirmish", &format!("{BAG}ends = 1\ncite = ['house']\nnote = 'Chips.'"));
    let setup = skirmish(rules, [0, 1, 2], 3);
    let (mut memory, mut steps) = (Memory::new(&setup, 1 << 20), Steps::new(rules, &setup));
    let mut dice = SeededDice::new(1809);
    let fought = (0..200).map(|number| {
        dice.battle(number);
        fight(rules, &setup, &mut dice, &mut Unwitnessed)
    });
    let fought = fought.collect();
    let battles: Vec<u64> = (0..200).collect();
    for _ in 0..2 {
        assert_eq!(memory.fight(&mut steps, &mut dice, &battles), fought);
    }
}

#[test]
fn units_on_hexes_go_one_at_a_time() {
    // A pack that counts orders cannot draw chips as well, so the number of orders is replaced.
    let mut sources = Sources::new();
    let files = library::built_in("ancients-hex").expect("a built-in pack").files.iter();
    let changed = files.map(|&(name, text)| {
        let text = text.replace("orders = 200", "bag = { cite = ['house'], note = 'Chips.' }");
        (name.to_owned(), text.replace("[deck]\non = true", "[deck]\non = false"))
    });
    let made = library::from_files(changed, &mut sources).and_then(|pack| pack.compile(&sources));
    let rules: &Rules = &made.unwrap_or_else(|faults| panic!("{}", faults.render(&sources, false)));
    let line = |row: f64, facing: f64| -> Vec<Men> {
        ["medium-infantry", "light-infantry"]
            .iter()
            .zip([0.0, 1.0])
            .map(|(kind, east)| unit(kind).at(east, row).facing(facing))
            .collect()
    };
    let mut plan = deployment(("attack", &line(2.0, 30.0)), ("attack", &line(-2.0, 210.0)));
    plan.turns = 3;
    let setup = deploy(rules, &plan).unwrap_or_else(|faults| panic!("{faults:#?}"));
    let mut activated = 0;
    for number in 0..20 {
        let mut dice = SeededDice::new(1815);
        dice.battle(number);
        let mut strict = Strict { dice, seen: BTreeSet::new() };
        let mut seen = Activated::default();
        fight(rules, &setup, &mut strict, &mut seen);
        activated += seen.0.len();
    }
    assert!(activated > 100, "{activated}");
}
