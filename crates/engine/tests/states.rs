//! Battle states are packed into keys and restored from them.

use crate::common::{Game, load, unit};
use grognard_engine::hex::{ByteId, CardKind};
use grognard_engine::plane::Point;
use grognard_engine::states::States;
use grognard_engine::{Allowance, Battle, Command, General, Side};

/// A battle, and others that each differ from it in one respect.
fn battles() -> Vec<Battle> {
    let rules = Box::leak(Box::new(load("napoleonic-figures")));
    let foot = [-10.0, 0.0, 10.0].map(|east| unit("line-battalion").at(east, 8.0));
    let horse = unit("heavy-cavalry").at(0.0, -8.0);
    let start = Game::under(rules, ("charge-home", &[horse]), ("stand", &foot)).setup.start;
    let command = Command { side: Side::Second, order: 1, mode: 2, unsettled: false, points: 3, busy: None };
    let general = General { at: Point { x: 5, y: -7 }, with: None, lost: false, idle: 0 };
    let changes: [fn(&mut Battle); 13] = [
        |_| {},
        |battle| battle.turn += 1,
        |battle| battle.active = battle.active.other(),
        |battle| battle.phase += 1,
        |battle| battle.orders = Allowance::Left(17),
        |battle| battle.units[0].figures -= 1,
        |battle| battle.units[3].front.x += 1,
        |battle| battle.units.swap(1, 2),
        |battle| battle.cards.now = CardKind::from_byte(3).into(),
        |battle| battle.cards.hands[1][0] = CardKind::from_byte(2).into(),
        |battle| battle.acting = Some(Box::default()),
        |battle| battle.commands[0].points += 1,
        |battle| battle.generals[0].with = battle.side(Side::First).next(),
    ];
    let mut all: Vec<Battle> = changes
        .iter()
        .map(|change| {
            let mut battle = start.clone();
            battle.commands.push(command);
            battle.generals.push(general);
            change(&mut battle);
            battle
        })
        .collect();
    all.push(start);
    all
}

#[test]
fn a_state_is_put_together_as_it_was_taken_apart() {
    let battles = battles();
    let mut states = States::of(&battles[0]);
    let keys: Vec<Vec<u32>> = battles
        .iter()
        .map(|battle| {
            let mut key = Vec::new();
            states.take_apart(battle, &mut key).unwrap();
            key
        })
        .collect();
    for (index, key) in keys.iter().enumerate() {
        assert_eq!(key.len(), states.width());
        assert!(keys[..index].iter().all(|other| other != key), "{index} is told from all others");
    }
    // From last to first, each battle is restored over the state of another.
    let mut made = battles[5].clone();
    for (battle, key) in battles.iter().zip(&keys).rev() {
        states.put_together(key, &mut made);
        assert_eq!(made, *battle);
        assert_eq!(states.turn(key), battle.turn);
    }
}

#[test]
fn whatever_stood_in_a_key_it_is_the_same_key() {
    let battles = battles();
    let mut states = States::of(&battles[0]);
    let mut guesses = vec![Vec::new(), vec![0; 40], vec![u32::MAX; 3], vec![u32::MAX; 5], vec![2, 1, 0]];
    for battle in &battles {
        let mut key = Vec::new();
        states.take_apart(battle, &mut key).unwrap();
        guesses.push(key);
    }
    let bytes = states.bytes();
    for (battle, known) in battles.iter().zip(&guesses[5..]) {
        for guess in &guesses {
            let mut key = guess.clone();
            states.take_apart(battle, &mut key).unwrap();
            assert_eq!(key, *known, "beginning with {guess:?}");
        }
    }
    assert_eq!(states.bytes(), bytes, "nothing is kept twice");
}

#[test]
fn a_battle_is_made_equal_in_its_place() {
    let battles = battles();
    let mut made = battles[0].clone();
    for battle in &battles {
        made.copy_from(battle);
        assert_eq!(made, *battle);
    }
}
