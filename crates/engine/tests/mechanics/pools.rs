//! Pools: stages, modifiers of the need and of the dice, rerolls, and exploding dice. Also a target that must not be
//! exceeded.

use super::one_roll::{binomial, hold, throws, to_the_enemy};
use crate::common::{load, unit};

#[test]
fn the_successes_of_a_stage_are_the_dice_of_the_next() {
    let rules = load("pool-stages");
    // A die hits on 4+, wounds on 3+ and is not saved on 1 to 4: 1/2 x 2/3 x 2/3 = 2/9.
    for dice in 1..=6 {
        let foe = unit("open");
        hold(&rules, &unit("open").figures(dice), &foe, &to_the_enemy(binomial(dice, 2, 7)));
    }
    // Behind a wall it hits on 5+: 1/3 x 2/3 x 2/3 = 4/27.
    hold(&rules, &unit("open").figures(3), &unit("walled"), &to_the_enemy(binomial(3, 4, 23)));
    // A leader adds a die.
    hold(&rules, &unit("led").figures(3), &unit("open"), &to_the_enemy(binomial(4, 2, 7)));
    // There are never more than six dice.
    hold(&rules, &unit("led").figures(30), &unit("open"), &to_the_enemy(binomial(6, 2, 7)));
}

#[test]
fn dice_are_rolled_again_once() {
    let rules = load("rerolls");
    // With ones rerolled, on 3+: 4/6 + 1/6 x 4/6 = 7/9. With failures rerolled, on 4+: 3/4. With successes rerolled, on
    // 4+: 1/4. With sixes rerolled, on 5+: 1/6 + 1/6 x 2/6 = 2/9.
    for (kind, hit, miss) in [("ones", 7, 2), ("failures", 3, 1), ("successes", 1, 3), ("sixes", 2, 7)] {
        for dice in [1, 3, 5] {
            hold(&rules, &unit(kind).figures(dice), &unit("ones"), &to_the_enemy(binomial(dice, hit, miss)));
        }
    }
}

#[test]
fn a_six_adds_a_die_as_often_as_it_may() {
    let rules = load("exploding");
    // Computed backwards from the last die, which hits on 5 and 6: no hit has a chance of 2/3, and one hit has 1/3. For
    // the die before it, the chances are 2/3, 1/6 + 1/6 x 2/3, and 1/6 x 1/3. For the first die, they are 72, 30, 5 and
    // 1 of 108 for zero to three hits.
    let one = [(0, 72), (1, 30), (2, 5), (3, 1)];
    hold(&rules, &unit("pool").figures(1), &unit("pool"), &to_the_enemy(one));
    let two = one.iter().flat_map(|(a, v)| one.iter().map(move |(b, w)| (a + b, v * w)));
    hold(&rules, &unit("pool").figures(2), &unit("pool"), &to_the_enemy(two));
    // A sum that explodes is 1 to 5, or 7 to 12.
    let sum = (1..=5).map(|face| (face, 6)).chain((7..=12).map(|face| (face, 1)));
    hold(&rules, &unit("sum"), &unit("sum"), &to_the_enemy(sum));
}

/// Weights of no, one, two and three moves, out of 36. Checked against the table at lasthussar.wordpress.com: 25.0 /
/// 16.7 / 41.7 per cent for command 9, 30.6 / 13.9 / 27.8 for 8, 30.6 / 11.1 / 16.7 for 7.
#[test]
fn a_command_is_obeyed_at_or_under_its_value() {
    let rules = load("roll-under");
    let nine = [(0, 6), (1, 9), (2, 6), (3, 15)];
    for (commander, moves) in [
        ("nine", nine),
        ("eight", [(0, 10), (1, 11), (2, 5), (3, 10)]),
        ("seven", [(0, 15), (1, 11), (2, 4), (3, 6)]),
        // A modifier in the roller's favour raises the target.
        ("aided", nine),
    ] {
        hold(&rules, &unit(commander), &unit("seven"), &to_the_enemy(moves));
    }
    let counted =
        throws(&[[1, 2, 3, 4, 5, 6].as_slice(); 2]).iter().filter(|throw| throw.iter().sum::<u16>() <= 6).count();
    assert_eq!(counted, 15, "two dice of 6 or less: three moves under command 9");
}
