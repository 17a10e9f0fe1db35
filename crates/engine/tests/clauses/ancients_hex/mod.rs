//! The facing-and-flanks variant of the ancients hex game.
//!
//! Places are axial coordinates. Facings are spines: 0 is north-east, 1 north, 2 north-west, 3 south-west, 4 south and
//! 5 south-east. The unit in an example is at (0, 0) and faces north unless stated otherwise.

mod base;
mod cards;
mod combat;
mod dice;
mod doctrine;
mod facing;
mod facts;
mod leaders;
mod lines;
mod metrics;
mod moves;
mod orders;
mod reactions;
mod referee;
mod refused;
mod retreats;
mod turned;

use std::sync::OnceLock;

use grognard_dice::{Dice, ScriptedDice};
use grognard_engine::hex::{self, Act, Breach, ByteId, CardKind, March, Maybe};
use grognard_engine::{Battle, BySide, Deployment, Misdeployment, Setup, Side, SidePlan, Unit, UnitId, deploy};
use grognard_rules::model::Rules;

use crate::common::{Men, Recorder, load, load_once, unit};

/// The rules of the pack.
fn rules() -> &'static Rules {
    static RULES: OnceLock<Rules> = OnceLock::new();
    RULES.get_or_init(|| load("ancients-hex"))
}

/// The rules with these changes, such as a `forest` in the middle of the board.
fn ground(changes: &[&str]) -> &'static Rules {
    load_once("ancients-hex", changes)
}

/// A unit in a hex with a facing.
fn at(kind: &str, place: (i32, i32), facing: i32) -> Men {
    unit(kind).at(f64::from(place.0), f64::from(place.1)).facing(f64::from(30 + 60 * facing))
}

/// A card of the deck.
fn card(id: &str) -> Maybe<CardKind> {
    let deck = rules().hex.as_ref().and_then(|hex| hex.deck.as_ref()).expect("the pack has a deck");
    let place = deck.cards.iter().position(|card| card.id == id).unwrap_or_else(|| panic!("no card {id}"));
    CardKind::from_byte(place as u8).into()
}

fn plan(first: (&str, &[Men]), second: (&str, &[Men])) -> Deployment {
    let side = |name: &str, army: (&str, &[Men])| SidePlan {
        name: name.into(),
        doctrine: Some(army.0.into()),
        units: army.1.iter().map(Men::plan).collect(),
        ..SidePlan::default()
    };
    Deployment { sides: BySide::new(side("south", first), side("north", second)), turns: 12, ..Deployment::default() }
}

/// The faults of a deployment.
fn refused(first: &[Men], second: &[Men]) -> Vec<Misdeployment> {
    deploy(rules(), &plan(("still", first), ("still", second))).expect_err("this deployment is refused")
}

/// A position on the board, with a witness.
struct Board {
    rules: &'static Rules,
    setup: Setup,
    battle: Battle,
    seen: Recorder,
}

impl Board {
    fn new(first: &[Men], second: &[Men]) -> Self {
        Self::under(rules(), ("still", first), ("still", second))
    }

    /// A board with doctrines that make the decisions in a combat.
    fn led(first: (&str, &[Men]), second: (&str, &[Men])) -> Self {
        Self::under(rules(), first, second)
    }

    fn under(rules: &'static Rules, first: (&str, &[Men]), second: (&str, &[Men])) -> Self {
        let setup = deploy(rules, &plan(first, second)).unwrap_or_else(|faults| panic!("{faults:#?}"));
        let mut battle = setup.start.clone();
        for id in battle.side(Side::First).collect::<Vec<_>>() {
            hex::order(&mut battle, id);
        }
        Self { rules, setup, battle, seen: Recorder::default() }
    }

    /// Sets the card that the southern side plays.
    fn card(mut self, id: &str) -> Self {
        self.battle.cards.now = if id == "none" { Maybe::NONE } else { card(id) };
        self
    }

    fn south(&self, number: usize) -> UnitId {
        self.battle.side(Side::First).nth(number).expect("a southern unit")
    }

    fn north(&self, number: usize) -> UnitId {
        self.battle.side(Side::Second).nth(number).expect("a northern unit")
    }

    fn unit(&self, id: UnitId) -> &Unit {
        self.battle.unit(id)
    }

    fn place(&self, id: UnitId) -> (i32, i32) {
        (self.unit(id).front.x, self.unit(id).front.y)
    }

    fn facing(&self, id: UnitId) -> u8 {
        hex::facing(self.unit(id).heading)
    }

    fn march(&mut self, number: usize, acts: &[Act]) -> Result<March, Breach> {
        let id = self.south(number);
        hex::march(self.rules, &self.setup, &mut self.battle, id, acts, &mut self.seen)
    }

    /// Asserts that a march is refused by this clause.
    #[track_caller]
    fn forbids(&mut self, number: usize, acts: &[Act], clause: &str) {
        let before = self.battle.clone();
        let breach = self.march(number, acts).expect_err("this march is refused");
        assert!(breach.cite.iter().any(|cite| cite == clause), "refused by {breach:?}, not by {clause}");
        assert_eq!(self.battle, before, "a refused march changes nothing");
    }

    /// The hexes that a unit can move to, except the one it is in.
    fn destinations(&self, number: usize) -> Vec<(i32, i32)> {
        let id = self.south(number);
        let mut places: Vec<(i32, i32)> =
            hex::reach(self.rules, &self.setup, &self.battle, id).into_iter().map(|(place, _)| place).collect();
        places.retain(|&place| place != self.place(id));
        places.dedup();
        places
    }

    /// The number of dice against each enemy that a unit may attack.
    fn targets(&self, number: usize) -> Vec<(UnitId, i32)> {
        hex::targets(self.rules, &self.setup, &self.battle, self.south(number))
    }

    /// An attack with exactly these faces.
    #[track_caller]
    fn attack(&mut self, number: usize, enemy: UnitId, faces: &[&str]) {
        let id = self.south(number);
        let mut dice = ScriptedDice::new(faces.iter().copied());
        hex::attack(self.rules, &self.setup, &mut self.battle, id, enemy, &mut dice, &mut self.seen)
            .unwrap_or_else(|breach| panic!("the attack is refused by {breach:?}"));
        dice.finish();
    }

    #[track_caller]
    fn shoot(&mut self, number: usize, enemy: UnitId, faces: &[&str]) {
        let id = self.south(number);
        let mut dice = ScriptedDice::new(faces.iter().copied());
        hex::shoot(self.rules, &self.setup, &mut self.battle, id, enemy, &mut dice, &mut self.seen)
            .unwrap_or_else(|breach| panic!("the fire is refused by {breach:?}"));
        dice.finish();
    }

    /// The number of dice of each roll.
    fn dice(&self) -> Vec<usize> {
        self.seen.rolls().map(|roll| roll.faces.len()).collect()
    }

    /// The clauses of the modifiers of a roll; the first roll is 0.
    fn modified(&self, roll: usize) -> Vec<&str> {
        let event = self.seen.rolls().nth(roll).unwrap_or_else(|| panic!("no roll {roll}"));
        let modifiers = &self.rules.rolls[event.roll].modifiers;
        event.modifiers.iter().flat_map(|&(_, row)| modifiers[row].source.clauses()).collect()
    }

    /// Plays this phase for the southern side.
    fn phase(&mut self, id: &str, dice: &mut impl Dice) {
        self.battle.phase = self.rules.phases.iter().position(|phase| phase.id == id).expect("a phase") as u8;
        grognard_engine::step(self.rules, &self.setup, &mut self.battle, dice, &mut self.seen);
    }

    /// Asserts that the witness saw this clause applied.
    #[track_caller]
    fn saw(&self, clause: &str) {
        assert!(self.seen.cited().contains(clause), "nothing that happened cites {clause}: {:#?}", self.seen);
    }

    #[track_caller]
    fn saw_not(&self, clause: &str) {
        assert!(!self.seen.cited().contains(clause), "something that happened cites {clause}: {:#?}", self.seen);
    }
}

/// The position of an attacker, as seen by the unit at (0, 0) that faces north.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum From {
    Front,
    Flank,
    Rear,
}

/// An attacker of this type, facing the unit in the middle of the board.
fn from(kind: &str, side: From) -> Men {
    match side {
        From::Front => at(kind, (1, -1), 4),
        From::Flank => at(kind, (-1, 0), 0),
        From::Rear => at(kind, (0, 1), 2),
    }
}

/// Faces without effect for this many dice: helmets, which miss if no leader is near.
fn misses(dice: usize) -> Vec<&'static str> {
    vec!["leader"; dice]
}
