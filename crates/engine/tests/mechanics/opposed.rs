//! Opposed rolls: a result table with "at least twice", and the cavalry charge of Bluecher.

use grognard_engine::{Outcome, Side};

use super::one_roll::{SAMPLED, Weights, duel, exact, hold, sampled, throws};
use crate::common::{agree, load, unit};

const D6: &[u16] = &[1, 2, 3, 4, 5, 6];

#[test]
fn the_result_table_is_read_from_the_top() {
    let rules = load("opposed-table");
    let expected = |own_ground: u16, foe_ground: u16| {
        let mut weights = Weights::new();
        for throw in throws(&[D6, D6]) {
            let (own, foe) = (throw[0] + own_ground, throw[1] + foe_ground);
            let lost = if own >= 2 * foe {
                (0, 3)
            } else if foe >= 2 * own {
                (3, 0)
            } else if own > foe {
                (0, 2)
            } else if own < foe {
                (2, 0)
            } else {
                (1, 1)
            };
            *weights.entry(lost).or_insert(0) += 1;
        }
        weights
    };
    // Counted by hand, of 36 throws: in nine, one side rolls at least double the other; in six more, it wins; six are
    // ties.
    assert_eq!(expected(0, 0), [((0, 2), 6), ((0, 3), 9), ((1, 1), 6), ((2, 0), 6), ((3, 0), 9)].into());
    for (own, own_ground) in [("level", 0), ("high", 1)] {
        for (foe, foe_ground) in [("level", 0), ("high", 1)] {
            hold(&rules, &unit(own), &unit(foe), &expected(own_ground, foe_ground));
        }
    }
}

/// Percentages of charges that succeed: tmmcguire/games on GitHub, Blucher.pdf, 2021.
#[test]
fn charges_succeed_as_often_as_the_published_table_says() {
    let rules = load("bluecher-shock");
    let matches = [(4, 4), (6, 4), (8, 4), (6, 6), (8, 6), (10, 6), (6, 8), (8, 8)];
    let per_cent = [
        ("plain", [36, 62, 81, 39, 60, 77, 21, 40]),
        ("square", [13, 24, 37, 11, 19, 29, 5, 9]),
        ("unprepared", [66, 84, 93, 74, 87, 94, 62, 79]),
    ];
    let more_digits = [
        ("plain", 6, 0.387_207),
        ("plain", 8, 0.604_736),
        ("square", 6, 0.109_108),
        ("square", 8, 0.191_106),
        ("unprepared", 6, 0.735_878),
        ("unprepared", 8, 0.871_044),
    ];
    for (formation, row) in per_cent {
        for ((attackers, defenders), per_cent) in matches.into_iter().zip(row) {
            let infantry = unit("infantry").figures(defenders).formation(formation);
            let setup = duel(&rules, &unit("cavalry").figures(attackers), &infantry, 1);
            let won = |outcome: &Outcome| outcome.winner == Some(Side::First);
            let wins = exact(&rules, &setup, won)[&true];
            let what = format!("{attackers} dice against {defenders}, {formation}");
            assert_eq!((wins * 100.0).round() as i32, per_cent, "{what}: {wins}");
            if let Some(row) = more_digits.iter().find(|row| (row.0, row.1, 6) == (formation, attackers, defenders)) {
                assert!((wins - row.2).abs() < 6e-7, "{what}: {wins}");
            }
            agree(&what, sampled(&rules, &setup, SAMPLED, won)[&true], SAMPLED, wins);
        }
    }
}
