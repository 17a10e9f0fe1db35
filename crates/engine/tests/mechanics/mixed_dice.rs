//! Dice of every kind, alone and combined.

use super::one_roll::{hold, throws, to_the_enemy};
use crate::common::{load, unit};

#[test]
fn every_face_of_every_die_is_equally_likely() {
    let rules = load("dice-box");
    for faces in [3, 4, 6, 8, 10, 12, 20, 100] {
        hold(&rules, &unit(&format!("d{faces}")), &unit("d6"), &to_the_enemy((1..=faces).map(|face| (face, 1))));
    }
    hold(&rules, &unit("average"), &unit("d6"), &to_the_enemy([(2, 1), (3, 2), (4, 2), (5, 1)]));
    hold(&rules, &unit("fate"), &unit("d6"), &to_the_enemy([(0, 2), (1, 1), (2, 1), (3, 1), (5, 1)]));
}

#[test]
fn dice_of_different_kinds_are_added_up() {
    let rules = load("dice-box");
    let numbered = |faces: u16| (1..=faces).collect::<Vec<_>>();
    let (d6, d8, d10) = (numbered(6), numbered(8), numbered(10));
    let sums = throws(&[&d6, &d6, &d10]);
    hold(&rules, &unit("mixed"), &unit("d6"), &to_the_enemy(sums.iter().map(|throw| (throw.iter().sum(), 1))));
    let best_three = throws(&[d6.as_slice(); 4]).into_iter().map(|mut throw| {
        throw.sort_unstable();
        (throw[1..].iter().sum(), 1)
    });
    hold(&rules, &unit("best-three"), &unit("d6"), &to_the_enemy(best_three));
    let highest =
        throws(&[d8.as_slice(); 3]).into_iter().filter_map(|throw| throw.into_iter().max()).map(|best| (best, 1));
    hold(&rules, &unit("highest"), &unit("d6"), &to_the_enemy(highest));
}
