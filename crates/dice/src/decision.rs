//! Decisions and those who take them.

use crate::{Address, Faces};

/// The odds of one decision: its outcomes in a fixed order.
///
/// `below[k]` is the first word that no longer means outcome `k` or an earlier one; the last outcome takes the rest, so
/// `below` may be one entry shorter than `weights`. Rounding to 32 bits moves no probability by more than 2^-32.
#[derive(Clone, Copy, Debug)]
pub struct Odds<'a> {
    /// Upper ends (exclusive) of the outcomes' shares of the 2^32 words, ascending; one fewer than there are outcomes.
    pub below: &'a [u32],
    /// Exact weights; the probability of outcome `k` is `weights[k] / total`.
    pub weights: &'a [u128],
    /// The sum of the weights.
    pub total: u128,
}

/// Something that chance decides.
pub trait Decision {
    /// The outcomes' odds.
    fn odds(&self) -> Odds<'_>;

    /// Plays the decision with physical dice and says which outcome it gives.
    fn by_hand(&self, faces: &mut dyn Faces) -> usize;
}

/// A face that came up, for narration.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Shown {
    /// The die's name.
    pub die: String,
    /// The label of the face.
    pub label: String,
}

/// The source of chance of a battle.
pub trait Dice {
    /// Takes the decision named by `at`: the index of the outcome that happens.
    fn decide<D: Decision>(&mut self, at: Address, decision: &D) -> usize;

    /// The faces that were drawn for the decision at `at`, which gave `outcome`.
    ///
    /// Called for narration only, right after [`Dice::decide`]; a source that cannot show faces returns none.
    fn shown<D: Decision>(&mut self, at: Address, decision: &D, outcome: usize) -> Vec<Shown>;
}
