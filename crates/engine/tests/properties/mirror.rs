//! Mirrored battles. These symmetries must hold exactly, event by event and to the hundredth of an inch:
//!
//! - *The table rotated by 180°*: the same battle, because the rules have no north.
//! - *The table in a mirror*, east for west: the same battle with every wheel the other way. The one exception is a
//!   unit that must turn by exactly 180° but cannot turn freely: it always wheels to the left.
//! - *Sides exchanged*: which side moves first is a rule, so whole battles are not symmetric, but half-turns are. A
//!   half-turn of the second side is the same as if those units were the first side, given the same dice.

use grognard_dice::{Address, Decision, Dice, PURPOSES, SeededDice, Shown};
use grognard_engine::plane::{Heading, Point};
use grognard_engine::{Battle, BySide, Event, Outcome, Places, Setup, Side, Unit, UnitId, step};

use super::armies::{self, Sort};
use super::audit::Audit;
use super::world::ARMIES;
use crate::common::{Recorder, drill};

/// The course of a battle: the events, the states after each step, and the outcome.
struct Course {
    audit: Audit,
    states: Vec<Battle>,
    outcome: Outcome,
}

fn fought(setup: &Setup, index: u64) -> Course {
    let mut dice = SeededDice::new(1815);
    dice.battle(index);
    let mut battle = setup.start.clone();
    let mut audit = Audit::new(&battle);
    let mut states = Vec::new();
    loop {
        let outcome = step(drill(), setup, &mut battle, &mut dice, &mut audit);
        states.push(battle.clone());
        if let Some(outcome) = outcome {
            return Course { audit, states, outcome };
        }
    }
}

/// The battle with every unit moved to another position.
fn moved(battle: &Battle, to: impl Fn(&Unit) -> (Point, Heading)) -> Battle {
    let mut battle = battle.clone();
    for unit in &mut battle.units {
        (unit.front, unit.heading) = to(unit);
    }
    battle
}

pub(crate) fn half_turned(battle: &Battle) -> Battle {
    moved(battle, |unit| (Point { x: -unit.front.x, y: -unit.front.y }, unit.heading.reversed()))
}

fn reflected(battle: &Battle) -> Battle {
    let heading = |unit: &Unit| Heading::from_tenths(-i32::from(unit.heading.tenths()));
    moved(battle, |unit| (Point { x: -unit.front.x, y: unit.front.y }, heading(unit)))
}

/// The number of the first event at which a battle and its image differ.
fn difference(course: &Course, image: &Course, tell: impl Fn(&Event) -> Event) -> Option<usize> {
    let mut pairs = course.audit.events().iter().zip(image.audit.events());
    pairs.position(|(event, image)| tell(event) != *image)
}

/// Compares the states of a battle with those of its image.
fn compare(name: &str, course: &Course, image: &Course, map: impl Fn(&Battle) -> Battle) {
    for (number, (state, image)) in course.states.iter().zip(&image.states).enumerate() {
        assert_eq!(map(state), *image, "{name}: after step {number}");
    }
    assert_eq!(course.audit.events().len(), image.audit.events().len(), "{name}");
    assert_eq!(course.outcome, image.outcome, "{name}");
}

#[test]
fn the_rules_know_no_north() {
    for army in 0..ARMIES {
        let setup = armies::setup(drill(), Sort::Mixed, army);
        let turned = Setup { start: half_turned(&setup.start), ..setup.clone() };
        let (course, image) = (fought(&setup, army), fought(&turned, army));
        assert_eq!(difference(&course, &image, Event::clone), None, "army {army}");
        compare(&format!("army {army}"), &course, &image, half_turned);
    }
}

/// The mirror image of an event.
fn seen_in_glass(event: &Event) -> Event {
    match *event {
        Event::Turned { unit, tenths } => Event::Turned { unit, tenths: -tenths },
        Event::Marched { unit, wheel, distance } => Event::Marched { unit, wheel: -wheel, distance },
        Event::Contact { unit, target, arc, wheel, distance } => {
            Event::Contact { unit, target, arc, wheel: -wheel, distance }
        }
        _ => event.clone(),
    }
}

/// Whether the last unit that was given an order before this event has to turn by exactly 180°, towards its nearest
/// enemy or away from it.
fn is_to_turn_about(course: &Course, number: usize) -> bool {
    if let Event::Marched { wheel: -1800, .. } | Event::Contact { wheel: -1800, .. } = course.audit.events()[number] {
        // A crew that walks back to its guns has no orders, and the target of a charge need not be the nearest enemy.
        return true;
    }
    let events = &course.audit.events()[..number];
    let Some(given) = events.iter().rposition(|event| matches!(event, Event::Ordered { .. })) else { return false };
    let Event::Ordered { unit: id, .. } = &events[given] else { return false };
    let state = course.audit.at(given);
    let unit = state.unit(*id);
    let centre = |unit: &Unit| unit.rect(drill()).centre();
    let enemies = state.units.iter().filter(|enemy| enemy.side != unit.side && !enemy.broken(drill()));
    enemies.min_by_key(|enemy| centre(enemy).square_distance(centre(unit))).is_some_and(|enemy| {
        let (own, other) = (centre(unit), centre(enemy));
        let ways = [(unit.front, other), (own, other), (other, own)];
        ways.into_iter().any(|(from, to)| unit.heading.turn_to(Heading::between(from, to)) == -1800)
    })
}

#[test]
fn left_and_right_are_alike() {
    let mut turns_about = 0;
    for army in 0..ARMIES {
        let setup = armies::setup(drill(), Sort::Mixed, army);
        let course = fought(&setup, army);
        let image = fought(&Setup { start: reflected(&setup.start), ..setup.clone() }, army);
        match difference(&course, &image, seen_in_glass) {
            Some(number) if is_to_turn_about(&course, number) => turns_about += 1,
            Some(number) => {
                let [event, other] = [&course, &image].map(|course| &course.audit.events()[number]);
                panic!("army {army}, event {number}: {event:?} was to be mirrored, not {other:?}");
            }
            None => compare(&format!("army {army}"), &course, &image, reflected),
        }
    }
    assert!(turns_about < ARMIES / 20, "{turns_about} battles with exactly half a turn");
}

/// Dice that give each side the other's random words.
pub(crate) struct Exchanged<'a>(pub(crate) &'a mut SeededDice);

impl Exchanged<'_> {
    fn address(at: Address) -> Address {
        Address { lane: at.lane ^ 1, purpose: (at.purpose + PURPOSES / 2) % PURPOSES, ..at }
    }
}

impl Dice for Exchanged<'_> {
    fn decide(&mut self, at: Address, decision: &dyn Decision) -> usize {
        self.0.decide(Self::address(at), decision)
    }

    fn shown(&mut self, at: Address, decision: &dyn Decision, outcome: usize) -> Vec<Shown> {
        self.0.shown(Self::address(at), decision, outcome)
    }
}

/// The index of a unit when the sides are exchanged.
pub(crate) fn place_exchanged(battle: &Battle, id: UnitId) -> UnitId {
    // The other side's units now come first.
    let (first, second) = (battle.side(Side::First).count(), battle.side(Side::Second).count());
    let index = if battle.unit(id).side == Side::First { second + id.index() } else { id.index() - first };
    let mut ids = Side::BOTH.into_iter().flat_map(|side| battle.side(side));
    ids.nth(index).unwrap_or_else(|| panic!("unit {index} of {first} + {second}"))
}

/// The battle with the same units on the same ground, but with the sides' names exchanged.
pub(crate) fn sides_exchanged(battle: &Battle) -> Battle {
    let mut units = battle.units.clone();
    units.rotate_left(battle.side(Side::First).count());
    for unit in &mut units {
        unit.side = unit.side.other();
        unit.foe = place_exchanged(battle, unit.foe);
        unit.kin = place_exchanged(battle, unit.kin);
    }
    let counts = BySide::from_fn(|side: Side| battle.side(side.other()).count() as u8);
    Battle { active: battle.active.other(), places: Places::new(&counts), units, ..battle.clone() }
}

/// The outcome with the sides' names exchanged.
fn outcome_exchanged(outcome: Outcome) -> Outcome {
    Outcome { winner: outcome.winner.map(Side::other), sides: outcome.sides.swap(), ..outcome }
}

#[test]
fn a_half_turn_is_the_same_whichever_side_it_belongs_to() {
    let rules = drill();
    for army in 0..ARMIES {
        let setup = Setup { turns: 200, ..armies::setup(rules, Sort::Mixed, army) };
        let exchanged =
            Setup { start: sides_exchanged(&setup.start), names: setup.names.clone().swap(), ..setup.clone() };
        let mut dice = SeededDice::new(1815);
        dice.battle(army);
        let mut battle = setup.start.clone();
        'halves: for half in 0..8 {
            let mut image = sides_exchanged(&battle);
            for phase in 0..rules.phases.len() {
                let name = format!("army {army}, half {half}, phase {phase}");
                let mut seen = [Recorder::default(), Recorder::default()];
                let outcome = step(rules, &setup, &mut battle, &mut dice, &mut seen[0]);
                let other = step(rules, &exchanged, &mut image, &mut Exchanged(&mut dice), &mut seen[1]);
                assert_eq!(outcome.map(outcome_exchanged), other, "{name}");
                assert_eq!(sides_exchanged(&battle).units, image.units, "{name}");
                assert_eq!(seen[0].events().len(), seen[1].events().len(), "{name}");
                if outcome.is_some() {
                    break 'halves;
                }
            }
        }
    }
}
