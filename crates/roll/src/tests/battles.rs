//! Whole battles of dice, solved exactly from the odds of their rolls.

use grognard_dice::{Address, Decision, Dice, EnumeratedDice, thresholds};

use super::*;
use crate::{Amount, Hand, Line, Opposed, Ranked, RollTable, Sum, Ties};

/// Source: J. Osborne, "Markov Chains for the RISK Board Game Revisited", Mathematics Magazine 76(2), 2003; more digits
/// computed outside this project. The number of attackers counts only those free to attack.
#[test]
fn risk_to_the_end() {
    let line = |input| Line::new(d6(), Amount::input(input));
    let mechanic = Mechanic::Ranked(Ranked { own: line(0), foe: line(1), ties: Ties::OwnLoses });
    let losses = &mut |_: &[i32], totals: &Totals| (totals.get(0) * 3 + totals.get(1)) as u16;
    let table = RollTable::build(mechanic, &[1..=3, 1..=2], losses).unwrap();
    // won[a][d]: the attacker's chance with `a` armies against `d`.
    let mut won = vec![vec![1.0; 21]; 21];
    won[0] = vec![0.0; 21];
    for attackers in 1..=20usize {
        for defenders in 1..=20usize {
            let roll = table.at(&[attackers.min(3) as i32, defenders.min(2) as i32]);
            let odds = roll.odds();
            won[attackers][defenders] = (0..odds.weights.len())
                .map(|outcome| {
                    let losses = usize::from(roll.class(outcome));
                    let chance = odds.weights[outcome] as f64 / odds.total as f64;
                    chance * won[attackers - losses / 3][defenders - losses % 3]
                })
                .sum();
        }
    }
    let printed = [(5, 5, 0.506202829), (10, 8, 0.723969978), (10, 10, 0.567592872), (20, 20, 0.633432242)];
    for (attackers, defenders, chance) in printed {
        assert!((won[attackers][defenders] - chance).abs() < 5e-10, "{attackers} v {defenders}");
    }
    let first_row = [0.417, 0.106, 0.027, 0.007, 0.002, 0.0, 0.0, 0.0, 0.0, 0.0];
    let tenth_row = [1.0, 0.994, 0.981, 0.954, 0.916, 0.861, 0.8, 0.724, 0.65, 0.568];
    for (attackers, row) in [(1, first_row), (10, tenth_row)] {
        for (defenders, chance) in (1..).zip(row) {
            assert!((won[attackers][defenders] - chance).abs() < 5.000001e-4, "{attackers} v {defenders}");
        }
    }
}

/// One turn of the reference duel: opposed d6, the lower loses the difference, a tie costs each 1; a side that is then
/// below 6 must roll 8 or less on 2d6. Returns both strengths, 0 if destroyed or broken.
fn turn(shock: &RollTable, morale: &RollTable, factor: i32, strength: [i32; 2], dice: &mut impl Dice) -> [i32; 2] {
    let address = |purpose, lane| Address { turn: 1, stage: 0, purpose, lane, nth: 0 };
    let roll = shock.at(&[factor]);
    let margin = i32::from(roll.class(dice.decide(address(0, 0), &roll))) - 20;
    let lost = match margin {
        0 => [1, 1],
        _ => [(-margin).max(0), margin.max(0)],
    };
    let mut left = [0, 1].map(|side: usize| (strength[side] - lost[side]).max(0));
    for side in [0, 1] {
        if (1..6).contains(&left[side]) {
            let test = morale.at(&[]);
            if test.class(dice.decide(address(1, side as u8), &test)) == 1 {
                left[side] = 0;
            }
        }
    }
    left
}

/// Source: REFDUEL-1, computed twice outside this project (fractions by dynamic programming, and icepool).
#[test]
fn the_reference_duel() {
    let side = |plus| Hand { plus, ..Hand::sum(d6(), 1) };
    let opposed = Opposed { own: side(Amount::input(0)), foe: side(Amount::fixed(0)), naturals: false };
    let margin = &mut |_: &[i32], totals: &Totals| (totals.get(2) + 20) as u16;
    let shock = RollTable::build(Mechanic::Opposed(opposed), &[0..=3], margin).unwrap();
    let breaks = &mut |_: &[i32], totals: &Totals| u16::from(totals.get(0) > 8);
    let morale = RollTable::build(Mechanic::Sum(Sum::new(Hand::sum(d6(), 2))), &[], breaks).unwrap();
    let published = [
        [0.4729887144, 0.4729887144, 0.0540225711, 6.356596452],
        [0.8327686806, 0.1363295208, 0.0309017986, 5.828478107],
        [0.9804531006, 0.0143503934, 0.0051965060, 4.689337330],
        [0.9996317891, 0.0002418307, 0.0001263803, 3.717047682],
    ];
    for (factor, published) in (0..).zip(published) {
        let mut fighting: BTreeMap<[i32; 2], f64> = [([12, 12], 1.0)].into();
        let [mut own, mut foe, mut draw, mut turns] = [0.0; 4];
        for number in 1..=12 {
            let mut next: BTreeMap<[i32; 2], f64> = BTreeMap::new();
            for (&strength, &chance) in &fighting {
                let mut dice = EnumeratedDice::new();
                while dice.next_path() {
                    let left = turn(&shock, &morale, factor, strength, &mut dice);
                    let chance = chance * dice.chance();
                    match left {
                        [0, 0] => draw += chance,
                        [_, 0] => own += chance,
                        [0, _] => foe += chance,
                        _ => *next.entry(left).or_default() += chance,
                    }
                    if number == 12 || left.contains(&0) {
                        turns += chance * f64::from(number);
                    }
                }
            }
            fighting = next;
        }
        draw += fighting.values().sum::<f64>();
        for (found, published) in [own, foe, draw].into_iter().zip(published) {
            assert!((found - published).abs() < 5.1e-11, "factor {factor}: {found} against {published}");
        }
        assert!((turns - published[3]).abs() < 5.1e-10, "factor {factor}: {turns} turns");
    }
}

#[test]
fn thresholds_of_a_table_are_those_of_its_weights() {
    let mechanic = Mechanic::Sum(Sum::new(Hand::sum(d6(), 2)));
    let table = RollTable::build(mechanic, &[], &mut |_, totals| totals.get(0) as u16).unwrap();
    let roll = table.at(&[]);
    assert_eq!(roll.odds().below, thresholds(&[1, 2, 3, 4, 5, 6, 5, 4, 3, 2, 1]));
}
