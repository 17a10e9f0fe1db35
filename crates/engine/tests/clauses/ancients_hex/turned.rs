//! The board rotated by 180° and the sides exchanged: whatever a side does in its half-turn, it also does from the
//! other edge. Equally good places are chosen from its own rear and right (U11).

use std::collections::BTreeSet;

use grognard_dice::SeededDice;
use grognard_engine::hex::{ByteId, HexFlags, Maybe};
use grognard_engine::{Battle, Event, HexEvent, Setup, Side, Unit, UnitId, deploy, step};
use grognard_rules::model::DIRECTIONS;

use super::referee::army;
use super::{Board, at, ground, plan};
use crate::common::{Recorder, Words};
use crate::properties::mirror::{Exchanged, half_turned, sides_exchanged};

/// The battle as seen from the other edge of the board.
fn turned(battle: &Battle) -> Battle {
    let (first, all) = (battle.places.of(Side::First).end, battle.units.len() as u8);
    let place = |unit: Maybe<UnitId>| match unit.get().map(UnitId::byte) {
        None => Maybe::NONE,
        Some(index) if index < first => UnitId::from_byte(index + all - first).into(),
        Some(index) => UnitId::from_byte(index - first).into(),
    };
    let mut turned = sides_exchanged(&half_turned(battle));
    for unit in &mut turned.units {
        (unit.hex.mate, unit.hex.assailant) = (place(unit.hex.mate), place(unit.hex.assailant));
    }
    turned.cards.hands.swap(0, 1);
    turned
}

/// The positions of the units and what they have done, except for the turns that matter only to a second move.
fn stand(battle: &Battle) -> Vec<impl PartialEq + std::fmt::Debug + use<>> {
    let flags = [
        HexFlags::ORDERED,
        HexFlags::REACTED,
        HexFlags::BESET,
        HexFlags::FOUGHT,
        HexFlags::ASIDE,
        HexFlags::SIGHTED,
        HexFlags::BOUND,
        HexFlags::TIRED,
        HexFlags::ABANDONED,
        HexFlags::STEPPED,
    ];
    let of = |unit: &Unit| {
        let hex = &unit.hex;
        let done = flags.map(|flag| hex.flags.has(flag));
        (unit.front, unit.heading, unit.figures, unit.gone(), (hex.mate, hex.assailant, hex.steps), done)
    };
    battle.units.iter().map(of).collect()
}

#[test]
fn a_half_turn_is_the_same_from_either_edge() {
    let rules = ground(&[
        "victory.banners=20",
        "hex.terrain.forest.at=[\"0,0\", \"2,-1\", \"-2,1\"]",
        "hex.terrain.hill.at=[\"-3,1\", \"3,-1\"]",
        "hex.terrain.ford.at=[\"1,0\", \"-1,0\"]",
        "hex.terrain.broken.at=[\"3,0\", \"-3,0\"]",
        "hex.terrain.camp.at=[\"0,2\", \"0,-2\"]",
        "hex.terrain.rampart-north.at=[\"1,1\"]",
        "hex.terrain.rampart-south.at=[\"-1,-1\"]",
    ]);
    for number in 0..200 {
        let (mut words, mut taken) = (Words::new(number), BTreeSet::new());
        // Elephants rampage in the order of directions, east first (B26).
        let closed = [(3, 0), (-3, 0)];
        let [own, north] = [(); 2].map(|()| army(&mut words, &mut taken, &closed, "elephants"));
        if own.is_empty() || north.is_empty() {
            continue;
        }
        let setup =
            deploy(rules, &plan(("line", &own), ("line", &north))).unwrap_or_else(|faults| panic!("{faults:#?}"));
        let setup = Setup { turns: 200, ..setup };
        let other = Setup { start: turned(&setup.start), names: setup.names.clone().swap(), ..setup.clone() };
        let mut dice = SeededDice::new(1815);
        dice.battle(number);
        let mut battle = setup.start.clone();
        'halves: for half in 0..24 {
            let mut image = turned(&battle);
            for phase in rules.phases.iter() {
                let mut seen = [Recorder::default(), Recorder::default()];
                let over = step(rules, &setup, &mut battle, &mut dice, &mut seen[0]).is_some();
                step(rules, &other, &mut image, &mut Exchanged(&mut dice), &mut seen[1]);
                let name = format!("army {number}, half {half}, {}", phase.id);
                assert_eq!(stand(&turned(&battle)), stand(&image), "{name}: {:#?}", seen[0].events());
                if over {
                    break 'halves;
                }
            }
        }
    }
}

/// Two enemies show their fronts, and the dice against them are equal. The target that a unit chooses by doctrine is
/// also its choice from the other edge, whatever its facing.
#[test]
fn equal_targets_are_taken_alike() {
    let place = |way: usize| (i32::from(DIRECTIONS[way % 6].0), i32::from(DIRECTIONS[way % 6].1));
    for facing in 0..6 {
        let enemies = [0, 1].map(|way| at("medium-infantry", place(facing + way), (facing as i32 + 3) % 6));
        let own = [at("heavy-infantry", (0, 0), facing as i32)];
        let mut board = Board::led(("attack", &own), ("still", &enemies));
        let other = Setup { start: turned(&board.setup.start), ..board.setup.clone() };
        let mut image = turned(&board.battle);
        let mut dice = SeededDice::new(1815);
        board.phase("close-combat", &mut dice);
        let mut seen = Recorder::default();
        image.phase = board.rules.phases.iter().position(|phase| phase.id == "close-combat").expect("a phase") as u8;
        step(board.rules, &other, &mut image, &mut Exchanged(&mut dice), &mut seen);
        let target = |seen: &Recorder, start: &Battle| {
            let of = |event: &Event| match event {
                Event::Hex(HexEvent::Declared { target, .. }) => Some(start.unit(*target).front),
                _ => None,
            };
            seen.events().iter().find_map(of).expect("an attack")
        };
        let (one, two) = (target(&board.seen, &board.setup.start), target(&seen, &other.start));
        assert_eq!((one.x, one.y), (-two.x, -two.y), "facing {facing}");
    }
}
