//! Tables: rows by total, columns by odds, shifts of the column, and percentage dice.

use super::one_roll::{Weights, hold, throws, to_the_enemy};
use crate::common::{load, unit};

const D6: &[u16] = &[1, 2, 3, 4, 5, 6];

/// The assault table, written out a second time: the entry for a total in a column.
fn entry(total: u16, column: i32) -> u16 {
    let row = match total {
        ..=4 => [0, 1, 2],
        5..=7 => [1, 2, 4],
        8..=10 => [2, 4, 6],
        _ => [3, 6, 9],
    };
    row[column.clamp(0, 2) as usize]
}

fn assault(column: i32, added: u16) -> Weights {
    to_the_enemy(throws(&[D6, D6]).iter().map(|throw| (entry(throw.iter().sum::<u16>() + added, column), 1)))
}

#[test]
fn columns_are_picked_by_odds_and_shifted_by_modifiers() {
    let rules = load("tables");
    for (foe, shift) in [("open", 0), ("wood", -1), ("town", -2)] {
        for (figures, enemies, column) in [(10, 10, 0), (20, 10, 1), (29, 10, 1), (30, 10, 2), (10, 20, 0)] {
            // A shift beyond the edge of the table stops at the edge.
            let expected = assault(column + shift, 0);
            hold(&rules, &unit("open").figures(figures), &unit(foe).figures(enemies), &expected);
        }
    }
}

#[test]
fn modifiers_of_the_roll_are_added_to_the_dice() {
    let rules = load("tables");
    // Full strength against thirteen is three to one, with two added to the dice. Totals of 13 and 14 are read in the
    // last row.
    hold(&rules, &unit("open"), &unit("open").figures(13), &assault(2, 2));
    hold(&rules, &unit("open"), &unit("wood").figures(13), &assault(1, 2));
}

#[test]
fn percentage_dice_are_read_to_the_point() {
    let rules = load("tables");
    hold(&rules, &unit("guns"), &unit("open"), &to_the_enemy([(2, 5), (1, 30), (0, 65)]));
    // With a bonus of 10, no total is 5 or less, and 35 or less becomes 25 or less.
    hold(&rules, &unit("guns"), &unit("wood"), &to_the_enemy([(1, 25), (0, 75)]));
}
