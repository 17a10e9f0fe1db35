//! Ranked dice: single throws and whole battles of Risk.

use grognard_engine::{Outcome, Side};

use super::one_roll::{Weights, duel, hold, sampled};
use crate::common::{agree, load, unit, z_of_share};

/// A number for the attacker and one for the defender.
type Pair = (u16, u16);

/// The weights are those in any table of Risk odds, such as J. Osborne, Mathematics Magazine 76(2), 2003.
#[test]
fn one_throw() {
    let rules = load("risk");
    let throws: [(Pair, &[(Pair, u64)]); 6] = [
        ((3, 2), &[((0, 2), 2890), ((1, 1), 2611), ((2, 0), 2275)]),
        ((2, 2), &[((0, 2), 295), ((1, 1), 420), ((2, 0), 581)]),
        ((3, 1), &[((0, 1), 855), ((1, 0), 441)]),
        ((2, 1), &[((0, 1), 125), ((1, 0), 91)]),
        ((1, 2), &[((0, 1), 55), ((1, 0), 161)]),
        ((1, 1), &[((0, 1), 15), ((1, 0), 21)]),
    ];
    for ((attackers, defenders), weights) in throws {
        let expected: Weights = weights.iter().copied().collect();
        hold(&rules, &unit("army").figures(attackers), &unit("army").figures(defenders), &expected);
    }
}

/// P(attacker wins) from J. Osborne, Mathematics Magazine 76(2), 2003, to three digits; the last four are to nine
/// digits.
#[test]
fn battles_to_the_end() {
    const BATTLES: u64 = 100_000;
    let rules = load("risk");
    let published = [
        (1, 1, 0.417, 3),
        (1, 4, 0.007, 3),
        (2, 3, 0.206, 3),
        (3, 2, 0.656, 3),
        (4, 4, 0.477, 3),
        (4, 8, 0.123, 3),
        (6, 6, 0.521, 3),
        (7, 3, 0.910, 3),
        (8, 7, 0.643, 3),
        (9, 10, 0.480, 3),
        (10, 4, 0.954, 3),
        (5, 10, 0.118, 3),
        (5, 5, 0.506_202_829, 9),
        (10, 8, 0.723_969_978, 9),
        (10, 10, 0.567_592_872, 9),
        (20, 20, 0.633_432_242, 9),
    ];
    for (attackers, defenders, wins, digits) in published {
        let setup = duel(&rules, &unit("army").figures(attackers), &unit("army").figures(defenders), 200);
        let won = |outcome: &Outcome| outcome.winner == Some(Side::First);
        let count = sampled(&rules, &setup, BATTLES, won).get(&true).copied().unwrap_or(0);
        let what = format!("{attackers} against {defenders}");
        if digits > 3 {
            agree(&what, count, BATTLES, wins);
        } else {
            // The true value lies within half a unit of the last digit, so the nearer end of that interval counts.
            let ends = [wins - 0.0005, wins + 0.0005].map(|end| z_of_share(count, BATTLES, end));
            assert!(ends[0] >= -4.5 && ends[1] <= 4.5, "{what}: {count} of {BATTLES}, {ends:?} standard errors");
        }
    }
}
