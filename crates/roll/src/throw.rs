//! Dice thrown together, with their rerolls and repeats.
//!
//! By hand: all dice of a kind are thrown. Those that must be rerolled are thrown again, as often as allowed. Then
//! every die whose face repeats adds another die of its kind, and these are thrown in the same way. The first dice
//! that would repeat may be inert: they add no dice.

use grognard_dice::{Die, FACES_MAX, Face, Faces};

use super::weights::{Budget, Excess, Key, Spread};
use super::{Amount, RollError};

/// The maximum number of dice in a roll.
pub const DICE_MAX: u32 = 1000;

/// Some dice of one kind.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Kind {
    /// The die.
    pub die: Die,
    /// The number of dice; a number below zero counts as none. The odds of more than [`DICE_MAX`] are refused.
    pub count: Amount,
}

/// Dice that are rolled again.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Reroll {
    /// Which dice.
    pub which: Rerolled,
    /// The maximum number of times that each die is rolled again; usually 1. The last face counts.
    pub times: u8,
}

/// Which dice are rolled again.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Rerolled {
    /// Those that do not meet the need. Only if successes are counted.
    Failures,
    /// Those that meet the need. Only if successes are counted.
    Successes,
    /// Those that show one of these faces, by label.
    Faces(Vec<String>),
}

/// Faces that add another die ("exploding" dice).
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Explode {
    /// The labels of these faces.
    pub faces: Vec<String>,
    /// The maximum number of dice that one die adds, one after another. A rule without a limit is cut off here. The
    /// exact odds of `n` dice fit in 128 bits if `faces` to the power of `n * (limit + 1)` does.
    pub limit: u8,
}

/// The effects of a die's faces.
pub(super) struct Process<'a> {
    die: &'a Die,
    rerolled: Vec<bool>,
    times: u8,
    explodes: Vec<bool>,
    limit: u8,
}

impl<'a> Process<'a> {
    /// `success` says whether a face meets the need, if the roll has one.
    pub(super) fn new(
        die: &'a Die,
        reroll: Option<&Reroll>,
        explode: Option<&Explode>,
        success: Option<&dyn Fn(&Face) -> bool>,
    ) -> Self {
        let each = |test: &dyn Fn(&Face) -> bool| die.faces.iter().map(test).collect();
        let rerolled = match reroll.map(|reroll| &reroll.which) {
            None => Vec::new(),
            Some(Rerolled::Faces(labels)) => each(&|face| labels.contains(&face.label)),
            Some(Rerolled::Failures) => each(&|face| success.is_some_and(|success| !success(face))),
            Some(Rerolled::Successes) => each(&|face| success.is_some_and(|success| success(face))),
        };
        let explodes = explode.map_or_else(Vec::new, |explode| each(&|face| explode.faces.contains(&face.label)));
        let times = reroll.map_or(0, |reroll| reroll.times);
        Self { die, rerolled, times, explodes, limit: explode.map_or(0, |explode| explode.limit) }
    }

    /// The distribution of one die with all the dice that it adds, if each face has the value `key`.
    pub(super) fn spread(&self, key: impl Fn(&Face) -> Key, budget: &mut Budget) -> Result<Spread, Excess> {
        let faces = self.keyed(key)?;
        let mut spread = Spread::of(faces.iter().map(|&(key, weight, _)| (key, weight)).collect())?;
        if !faces.iter().any(|&(_, _, explodes)| explodes) {
            return Ok(spread);
        }
        let stay: Vec<(Key, u128)> =
            faces.iter().filter(|face| !face.2).map(|&(key, weight, _)| (key, weight)).collect();
        let staying = Spread::of(stay.clone())?;
        for _ in 0..self.limit {
            let mut parts = Vec::new();
            if !stay.is_empty() {
                parts.push((stay.iter().map(|&(_, weight)| weight).sum(), staying.clone()));
            }
            let repeats = faces.iter().filter(|face| face.2);
            parts.extend(repeats.map(|&(key, weight, _)| (weight, spread.clone().shifted(key))));
            spread = Spread::mix(&parts, budget)?;
        }
        Ok(spread)
    }

    /// The distribution of `count` dice with all the dice that they add. The first `inert` dice that would add one do
    /// not.
    pub(super) fn spread_of(
        &self,
        count: u32,
        inert: u32,
        key: impl Fn(&Face) -> Key,
        budget: &mut Budget,
    ) -> Result<Spread, Excess> {
        let (one, faces) = (self.spread(&key, budget)?, self.keyed(&key)?);
        // The results of the dice counted so far, by the number of dice that may still be inert.
        let mut spreads = vec![Spread::certain(0); inert as usize + 1];
        for _ in 0..count {
            for left in (1..spreads.len()).rev() {
                let parts: Vec<(u128, Spread)> = faces
                    .iter()
                    .map(|&(key, weight, explodes)| {
                        (weight, spreads[left - usize::from(explodes)].clone().shifted(key))
                    })
                    .collect();
                spreads[left] = Spread::mix_near(&parts, budget)?;
            }
            spreads[0] = spreads[0].plus_near(&one, budget)?;
        }
        Ok(spreads.swap_remove(inert as usize))
    }

    /// The value of each face, its weight once the die has been rolled again as often as it must be, and whether it
    /// adds a die.
    fn keyed(&self, key: impl Fn(&Face) -> Key) -> Result<Vec<(Key, u128, bool)>, Excess> {
        let weights = self.face_weights()?.into_iter().enumerate();
        Ok(weights.map(|(index, weight)| (key(&self.die.faces[index]), weight, flag(&self.explodes, index))).collect())
    }

    /// The weight of each face once the die has been rolled again as often as it must be.
    ///
    /// Of the `f` faces, `s` are rerolled, at most `t` times. Each of those keeps the weight `s^t`, and every other
    /// face has the weight `f^t + f^(t-1) s + ... + s^t`, out of `f^(t+1)` in total.
    fn face_weights(&self) -> Result<Vec<u128>, Excess> {
        let (all, again) = (self.die.faces.len() as u128, self.rerolled.iter().filter(|&&again| again).count() as u128);
        if again == 0 || again == all {
            return Ok(vec![1; self.die.faces.len()]);
        }
        let (mut left, mut settled) = (1u128, 1u128);
        for _ in 0..self.times {
            left = left.checked_mul(again).ok_or(Excess::Bits)?;
            settled = settled.checked_mul(all).and_then(|settled| settled.checked_add(left)).ok_or(Excess::Bits)?;
        }
        Ok(self.rerolled.iter().map(|&again| if again { left } else { settled }).collect())
    }

    /// Throws `count` of the die by hand: `each` receives every final face, with the number of the die it originates
    /// from. The first `inert` that would add a die add none.
    pub(super) fn throw(&self, count: u32, inert: u32, faces: &mut dyn Faces, each: &mut dyn FnMut(usize, &Face)) {
        let Some(last) = self.die.faces.len().checked_sub(1) else { return };
        let mut roll = || faces.roll(self.die).min(last);
        let mut origins: Vec<usize> = (0..count as usize).collect();
        for repeat in 0..=self.limit {
            let mut up: Vec<usize> = origins.iter().map(|_| roll()).collect();
            for _ in 0..self.times {
                for face in up.iter_mut().filter(|face| flag(&self.rerolled, **face)) {
                    *face = roll();
                }
            }
            for (&origin, &face) in origins.iter().zip(&up) {
                each(origin, &self.die.faces[face]);
            }
            if repeat == self.limit || self.explodes.is_empty() {
                return;
            }
            let exploding = origins.into_iter().zip(up).filter(|&(_, face)| flag(&self.explodes, face));
            // Inert dice that the first throw does not use up do not carry over, because no die has been added in that
            // case.
            let skipped = if repeat == 0 { inert as usize } else { 0 };
            origins = exploding.map(|(origin, _)| origin).skip(skipped).collect();
        }
    }
}

fn flag(flags: &[bool], index: usize) -> bool {
    flags.get(index).copied().unwrap_or(false)
}

/// The number of dice of an amount when thrown by hand.
pub(super) fn count_by_hand(count: Amount, inputs: &[i32]) -> u32 {
    count.at(inputs).clamp(0, DICE_MAX as i32) as u32
}

/// The number of dice of an amount for computing odds: `each` is the total weight of one of them, `others` that of the
/// dice thrown with them.
pub(super) fn count_for_odds(count: Amount, inputs: &[i32], each: u128, others: u128) -> Result<u32, RollError> {
    let dice = count.at(inputs).max(0);
    let fits = |dice: u32| each.checked_pow(dice).and_then(|weight| weight.checked_mul(others)).is_some();
    match u32::try_from(dice) {
        Ok(dice) if dice <= DICE_MAX && fits(dice) => Ok(dice),
        _ => {
            let limit = (0..=DICE_MAX).rev().find(|&dice| fits(dice)).unwrap_or(0);
            Err(RollError::TooManyDice { dice, input: count.input, limit })
        }
    }
}

/// The number of dice of an amount if their odds may be rounded.
pub(super) fn count_up_to_most(count: Amount, inputs: &[i32]) -> Result<u32, RollError> {
    let dice = count.at(inputs).max(0);
    let most = u32::try_from(dice).ok().filter(|&dice| dice <= DICE_MAX);
    most.ok_or(RollError::TooManyDice { dice, input: count.input, limit: DICE_MAX })
}

/// How many bits one side's dice take up, of the 128 that the odds of both sides share.
#[derive(Clone, Copy)]
pub(super) struct Load {
    /// The bits of one die.
    pub(super) each: f64,
    pub(super) dice: i32,
    /// Whether another situation may give other numbers of dice.
    pub(super) varies: bool,
}

/// The error for dice of two sides whose odds are too large together, with numbers of dice that do fit: equal ones or,
/// if one side always has fewer, the rest for the other.
pub(super) fn too_many([own, foe]: [Load; 2]) -> RollError {
    // A little less than the 128 bits that no sum of weights may reach.
    const BITS: f64 = 127.99;
    let even = BITS / (own.each + foe.each);
    let dice = |load: Load| f64::from(load.dice.max(0));
    let few = |load: Load| !load.varies && dice(load) <= even;
    let limits = if few(foe) {
        [(BITS - dice(foe) * foe.each) / own.each, dice(foe)]
    } else if few(own) {
        [dice(own), (BITS - dice(own) * own.each) / foe.each]
    } else {
        [even, even]
    };
    let limits = limits.map(|limit| limit.min(f64::from(DICE_MAX)) as u32);
    RollError::TooManyTogether { own: own.dice, foe: foe.dice, limits }
}

/// The error for dice that would be too many even on their own, restated for two sides whose dice must fit together.
pub(super) fn of_two(error: RollError, loads: impl FnOnce() -> [Load; 2]) -> RollError {
    match error {
        RollError::TooManyDice { .. } => too_many(loads()),
        other => other,
    }
}

/// Refuses dice without faces, and labels that are on none of the dice.
pub(super) fn check_dice<'a>(
    dice: impl Iterator<Item = &'a Die> + Clone,
    labels: impl Iterator<Item = &'a String>,
) -> Result<(), RollError> {
    for die in dice.clone() {
        let faces = die.faces.len();
        if !(1..=FACES_MAX).contains(&faces) {
            return Err(RollError::FaceCount { die: die.name.clone(), faces });
        }
    }
    let mut known: Vec<&str> = Vec::new();
    for face in dice.clone().flat_map(|die| &die.faces) {
        if !known.contains(&face.label.as_str()) {
            known.push(&face.label);
        }
    }
    for label in labels {
        if !known.contains(&label.as_str()) {
            let dice: Vec<&str> = dice.map(|die| die.name.as_str()).collect();
            let (dice, faces) = (dice.join(", "), known.join(", "));
            return Err(RollError::UnknownFace { dice, label: label.clone(), faces });
        }
    }
    Ok(())
}

/// The labels that rerolls and repeats name.
pub(super) fn named<'a>(reroll: Option<&'a Reroll>, explode: Option<&'a Explode>) -> impl Iterator<Item = &'a String> {
    let rerolled = match reroll.map(|reroll| &reroll.which) {
        Some(Rerolled::Faces(labels)) => labels.as_slice(),
        _ => &[],
    };
    rerolled.iter().chain(explode.into_iter().flat_map(|explode| &explode.faces))
}

/// Refuses rerolls of failures or successes without a need that defines them.
pub(super) fn check_no_need(reroll: Option<&Reroll>) -> Result<(), RollError> {
    match reroll.map(|reroll| &reroll.which) {
        Some(Rerolled::Failures | Rerolled::Successes) => Err(RollError::Meaningless(
            "failures or successes are rerolled, but the dice are not read as successes: list the faces instead",
        )),
        _ => Ok(()),
    }
}
