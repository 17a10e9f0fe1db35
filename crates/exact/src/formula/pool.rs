//! Dice of one kind, rolled together.

use std::collections::BTreeMap;

use num_bigint::BigUint;

use super::odds::Odds;
use super::{EXPLOSIONS, FormulaError, too_large};

/// The limit on steps in computing the odds of a pool.
const STEPS_MAX: u64 = 40_000_000;

/// Dice of one kind, and how they are read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Pool {
    pub(super) count: u32,
    /// The lowest and the highest face.
    pub(super) faces: (i64, i64),
    pub(super) again: Option<Again>,
    pub(super) explodes: bool,
    pub(super) read: Read,
}

/// Faces to reroll.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Again {
    pub(super) faces: Faces,
    pub(super) once: bool,
}

/// Some faces of a die.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Faces {
    pub(super) least: i64,
    pub(super) most: i64,
}

impl Faces {
    pub(super) fn holds(self, face: i64) -> bool {
        (self.least..=self.most).contains(&face)
    }
}

/// How the dice are read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Read {
    /// The sum of `keep` dice, from the highest down, after leaving out `skip`: all dice, the highest or the lowest.
    Sum { skip: u32, keep: u32 },
    /// The number of dice that show one of these faces. For dice that explode, see [`Pool::counts_each`].
    Count(Faces),
}

impl Pool {
    pub(super) fn odds(&self) -> Result<Odds, FormulaError> {
        let die = self.die();
        match self.read {
            Read::Count(_) if self.counts_each() => sum(&die, self.count),
            Read::Count(faces) => {
                let mut counted: BTreeMap<i64, BigUint> = BTreeMap::new();
                for (face, ways) in die {
                    *counted.entry(i64::from(faces.holds(face))).or_default() += ways;
                }
                sum(&counted, self.count)
            }
            Read::Sum { skip: 0, keep } if keep >= self.count => sum(&die, self.count),
            Read::Sum { skip, keep } => kept(&die, self.count, skip, keep),
        }
    }

    /// Whether exploding dice are counted one by one, including those that an explosion adds. They are not if the
    /// number to compare with is higher than any face, because only the sum can reach it.
    fn counts_each(&self) -> bool {
        let Read::Count(Faces { least, most }) = self.read else { return false };
        self.explodes && least <= self.faces.1 && (most == i64::MAX || most <= self.faces.1)
    }

    /// The value of a face of an exploding die: its number, or one if it is counted.
    fn worth(&self, face: i64) -> i64 {
        match self.read {
            Read::Count(faces) if self.counts_each() => i64::from(faces.holds(face)),
            _ => face,
        }
    }

    /// The results of one die, with the number of ways.
    fn die(&self) -> BTreeMap<i64, BigUint> {
        let (low, high) = self.faces;
        let faces = || low..=high;
        let sides = BigUint::from((high - low + 1).unsigned_abs());
        let again = |face: i64| self.again.is_some_and(|again| again.faces.holds(face));
        let mut die: BTreeMap<i64, BigUint> = match self.again {
            // Each of these faces is replaced by a complete roll.
            Some(Again { once: true, .. }) => {
                let rolled = faces().filter(|&face| again(face)).count();
                let ways = |face: i64| BigUint::from(rolled) + if again(face) { BigUint::ZERO } else { sides.clone() };
                faces().map(|face| (face, ways(face))).collect()
            }
            _ => faces().filter(|&face| !again(face)).map(|face| (face, BigUint::from(1_u8))).collect(),
        };
        if self.explodes
            && let Some(highest) = die.remove(&high)
        {
            // Each explosion divides the number of ways of a result by the number of faces; instead, all other results
            // are multiplied by it.
            let all: BigUint = die.values().sum::<BigUint>() + &highest;
            let plain = die.clone();
            let mut whole: BTreeMap<i64, BigUint> = BTreeMap::new();
            let mut exploded = BigUint::from(1_u8);
            for times in 0..=EXPLOSIONS {
                let scale = &exploded * all.pow(EXPLOSIONS - times);
                for (face, ways) in &plain {
                    *whole.entry(self.worth(*face) + i64::from(times) * self.worth(high)).or_default() += ways * &scale;
                }
                exploded *= &highest;
            }
            // After the last explosion, no further die is added.
            *whole.entry(i64::from(EXPLOSIONS + 1) * self.worth(high)).or_default() += exploded;
            die = whole;
        }
        die
    }
}

/// The sum of this many dice, by squaring.
fn sum(die: &BTreeMap<i64, BigUint>, count: u32) -> Result<Odds, FormulaError> {
    let spread = die.len() as u64 * u64::from(count);
    if spread.saturating_mul(spread) > STEPS_MAX {
        return Err(too_large("these dice"));
    }
    let (mut total, mut power, mut left) = (Odds::certain(0), Odds::of(die.clone()), count);
    while left > 0 {
        if left % 2 == 1 {
            total = total.with(&power, i64::checked_add)?;
        }
        left /= 2;
        if left > 0 {
            power = power.with(&power, i64::checked_add)?;
        }
    }
    Ok(total)
}

/// The sum of `keep` of `count` dice, from the highest down, after leaving out the first `skip`. Computed face by face,
/// from the number of dice that show each face.
fn kept(die: &BTreeMap<i64, BigUint>, count: u32, skip: u32, keep: u32) -> Result<Odds, FormulaError> {
    let (faces, dice, kept) = (die.len() as u64, u64::from(count), u64::from(keep.min(count)));
    if faces.saturating_mul(faces).saturating_mul(kept + 1).saturating_mul(dice * dice) > STEPS_MAX {
        return Err(too_large("these dice"));
    }
    // The ways, by the number of dice placed and the sum of those kept.
    let mut ways: BTreeMap<(u32, i64), BigUint> = BTreeMap::from([((0, 0), BigUint::from(1_u8))]);
    for (&face, own) in die.iter().rev() {
        let mut next: BTreeMap<(u32, i64), BigUint> = BTreeMap::new();
        for ((placed, sum), before) in &ways {
            let (mut choose, mut power) = (BigUint::from(1_u8), BigUint::from(1_u8));
            for show in 0..=count - placed {
                let within = |places: u32| places.saturating_sub(skip).min(keep);
                let counted = within(placed + show) - within(*placed);
                *next.entry((placed + show, sum + i64::from(counted) * face)).or_default() += before * &choose * &power;
                let left = count - placed - show;
                choose = choose * left / (show + 1);
                power *= own;
            }
        }
        ways = next;
    }
    Ok(Odds::of(
        ways.into_iter().filter(|((placed, _), _)| *placed == count).map(|((_, sum), ways)| (sum, ways)).collect(),
    ))
}
