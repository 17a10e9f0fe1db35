//! The value of the luck of the dice in a cell: fitted to battles with other dice, before the cell's battles are
//! fought.
//!
//! The outcome is regressed on the luck of each kind of roll of each unit, and on its products with the turn and with
//! the lead so far (control variates as in AIVAT: Burch, Schmid, Moravčík and Bowling, AAAI 2018). A bad fit makes
//! estimates no worse than they are without it, and never biased: see [`Value`].

use std::collections::BTreeMap;

use grognard_dice::{Address, Decision, Dice, Luck, SeededDice, Shown};
use grognard_engine::{BySide, Fallen, Outcome, Side, SiteValue, Slope, Unwitnessed, Value, fight};

use crate::study::Cell;

/// Number of battles that a cell's value is fitted to.
const BATTLES: u64 = 2_048;

/// The difference between the seed of these battles and the study's.
const OTHER: u64 = 0x9e37_79b9_7f4a_7c15;

/// How strongly slopes are shrunk towards 0, in squares of a roll's luck: less than the total for a roll that a unit
/// makes once per battle, and enough that rare rolls do not get too much weight.
const RIDGE: f64 = 10.0;

/// The number of iterations of conjugate gradients. The last ones no longer change the rounded integers.
const ROUNDS: usize = 60;

/// The value of luck in a cell, for battles with this seed. Luck has no value in battles fought both ways, where it
/// cancels out.
///
/// The result is the same on all machines: sums have a fixed order, and only their rounding to integers is used.
pub(crate) fn value(cell: &Cell, seed: u64) -> Value {
    if cell.swapped.is_some() {
        return Value::default();
    }
    let mut dice = SeededDice::new(seed ^ OTHER);
    let mut battles = Vec::new();
    let mut outcomes = Vec::new();
    for battle in 0..BATTLES {
        dice.battle(battle);
        let mut noted = Noted { dice: &mut dice, falls: Vec::new() };
        outcomes.push(fight(&cell.rules, &cell.setup, &mut noted, &mut Unwitnessed));
        battles.push(noted.falls);
    }
    let mut places: BTreeMap<u16, usize> = BTreeMap::new();
    for fall in battles.iter().flatten() {
        places.insert(Value::site(fall.at), 0);
    }
    places.values_mut().enumerate().for_each(|(at, place)| *place = at);

    // First fit the lead, then fit wins and losses to the lead and the turn.
    let mut lead = Design::default();
    for falls in &battles {
        lead.battle(falls.iter().map(|fall| (places[&Value::site(fall.at)], fall.luck.rolls())));
    }
    let leads = outcomes.iter().map(|outcome| wins(outcome, Side::First) - wins(outcome, Side::Second)).collect();
    let leads = lead.fit(places.len(), leads);
    let site = |(&site, &at): (&u16, &usize)| (site, SiteValue { lead: whole(leads[at]), ..SiteValue::default() });
    let of_leads = Value::new(places.iter().map(site).collect());

    let turns = f64::from(cell.setup.turns);
    let mut slopes = Design::default();
    for falls in &battles {
        let mut fallen = Fallen::default();
        slopes.battle(falls.iter().flat_map(|fall| {
            let (at, luck) = (3 * places[&Value::site(fall.at)], fall.luck.rolls());
            let ahead = fallen.ahead() as f64 / f64::from(Value::ONE);
            fallen.fall(&of_leads, fall.at, fall.luck);
            // Features are scaled to about the size of luck, so that all coefficients are shrunk equally.
            let late = 2.0 * f64::from(fall.at.turn) / turns - 1.0;
            [(at, luck), (at + 1, AHEAD * ahead * luck), (at + 2, late * luck)]
        }));
    }
    let fit = |of: fn(&Outcome, Side) -> f64| {
        BySide::from_fn(|side| {
            let fitted = slopes.fit(3 * places.len(), outcomes.iter().map(|outcome| of(outcome, side)).collect());
            let slope = |parts: &[f64]| Slope {
                level: whole(parts[0] - parts[2]),
                by_lead: whole(AHEAD * parts[1]),
                by_turn: whole(2.0 * parts[2] / turns),
            };
            fitted.chunks_exact(3).map(slope).collect::<Vec<_>>()
        })
    };
    let (of_wins, of_losses) = (fit(wins), fit(losses));
    let site = |(&site, &at): (&u16, &usize)| {
        let at_site = |of: &BySide<Vec<Slope>>| BySide::from_fn(|side| of[side][at]);
        (site, SiteValue { lead: whole(leads[at]), wins: at_site(&of_wins), losses: at_site(&of_losses) })
    };
    Value::new(places.iter().map(site).collect())
}

/// The reciprocal of a typical lead, in battles won.
const AHEAD: f64 = 4.0;

/// 1 for a battle that the side won.
fn wins(outcome: &Outcome, side: Side) -> f64 {
    f64::from(u8::from(outcome.winner == Some(side)))
}

/// The share of its figures that the side lost.
fn losses(outcome: &Outcome, side: Side) -> f64 {
    f64::from(outcome.sides[side].losses) / f64::from(outcome.sides[side].start.max(1))
}

/// Converts to the integers of a value.
fn whole(worth: f64) -> i32 {
    (worth * f64::from(Value::ONE)).round() as i32
}

/// The luck of a decision.
struct Fall {
    at: Address,
    luck: Luck,
}

/// Dice that record how lucky they were.
struct Noted<'a> {
    dice: &'a mut SeededDice,
    falls: Vec<Fall>,
}

impl Dice for Noted<'_> {
    fn decide(&mut self, at: Address, decision: &dyn Decision) -> usize {
        let outcome = self.dice.decide(at, decision);
        let luck = Luck::of(decision.favour(), decision.odds().below, outcome);
        if luck != Luck::default() {
            self.falls.push(Fall { at, luck });
        }
        outcome
    }

    fn shown(&mut self, at: Address, decision: &dyn Decision, outcome: usize) -> Vec<Shown> {
        self.dice.shown(at, decision, outcome)
    }
}

/// The regressors: for each battle the indices of its features and their values; several values may have the same
/// index.
#[derive(Default)]
struct Design {
    features: Vec<(usize, f64)>,
    ends: Vec<usize>,
}

impl Design {
    /// Adds a battle.
    fn battle(&mut self, features: impl Iterator<Item = (usize, f64)>) {
        self.features.extend(features);
        self.ends.push(self.features.len());
    }

    fn battles(&self) -> impl Iterator<Item = &[(usize, f64)]> {
        let starts = std::iter::once(0).chain(self.ends.iter().copied());
        starts.zip(&self.ends).map(|(start, &end)| &self.features[start..end])
    }

    /// For each battle, the sum of its features times these slopes.
    fn times(&self, slopes: &[f64]) -> Vec<f64> {
        self.battles().map(|battle| battle.iter().map(|&(at, value)| value * slopes[at]).sum()).collect()
    }

    /// For each feature, the sum over battles of its value times the battle's value.
    fn summed(&self, count: usize, battles: &[f64]) -> Vec<f64> {
        let mut sums = vec![0.0; count];
        for (battle, factor) in self.battles().zip(battles) {
            for &(at, value) in battle {
                sums[at] += value * factor;
            }
        }
        sums
    }

    /// The slopes of a ridge regression of the battles' outcomes, by conjugate gradients (Hestenes and Stiefel 1952),
    /// on features of the same scale.
    fn fit(&self, count: usize, mut came_to: Vec<f64>) -> Vec<f64> {
        let mean = came_to.iter().sum::<f64>() / came_to.len().max(1) as f64;
        came_to.iter_mut().for_each(|value| *value -= mean);
        let mut scales = vec![RIDGE; count];
        for &(at, value) in &self.features {
            scales[at] += value * value;
        }
        scales.iter_mut().for_each(|scale| *scale = scale.sqrt().recip());
        let scaled =
            |values: Vec<f64>| -> Vec<f64> { values.iter().zip(&scales).map(|(one, scale)| one * scale).collect() };
        let dot = |one: &[f64], other: &[f64]| -> f64 { one.iter().zip(other).map(|(one, other)| one * other).sum() };
        let mut left = scaled(self.summed(count, &came_to));
        let (mut slopes, mut way, mut square) = (vec![0.0; count], left.clone(), dot(&left, &left));
        for _ in 0..ROUNDS {
            if square <= f64::MIN_POSITIVE {
                break;
            }
            let unscaled = scaled(way.clone());
            let mut image = self.summed(count, &self.times(&unscaled));
            image.iter_mut().zip(&unscaled).for_each(|(image, way)| *image += RIDGE * way);
            let image = scaled(image);
            let step = square / dot(&way, &image);
            for at in 0..count {
                slopes[at] += step * way[at];
                left[at] -= step * image[at];
            }
            let before = std::mem::replace(&mut square, dot(&left, &left));
            way.iter_mut().zip(&left).for_each(|(way, left)| *way = left + *way * (square / before));
        }
        scaled(slopes)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Two features, only one of which matters. In some battles each occurs alone, in others both occur together. The
    /// regression finds the one that matters.
    #[test]
    fn a_regression_finds_the_slopes() {
        let mut design = Design::default();
        let mut came_to = Vec::new();
        for battle in 0..4_000_u32 {
            let value = |factor: u32| f64::from(battle * factor % 101) / 50.0 - 1.0;
            let (one, other) = (value(7), value(13));
            // If a feature occurs twice in a battle, its values are added up.
            design.battle([(0, one / 2.0), (1, other), (0, one / 2.0)].into_iter());
            came_to.push(5.0 + 0.75 * one);
        }
        let slopes = design.fit(3, came_to);
        // The ridge takes 10 of some 1,360.
        assert!((slopes[0] - 0.745).abs() < 0.01 && slopes[1].abs() < 0.01 && slopes[2] == 0.0, "{slopes:?}");
    }
}
