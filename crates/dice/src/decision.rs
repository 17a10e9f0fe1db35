//! Decisions and their deciders.

use crate::{Address, Faces, Favour, Odds};

/// An event decided by chance.
pub trait Decision {
    /// The odds of the outcomes.
    fn odds(&self) -> Odds<'_>;

    /// Plays the decision with physical dice, and returns the outcome.
    ///
    /// Equally likely faces must give the outcomes with exactly the probabilities of [`Decision::odds`].
    fn by_hand(&self, faces: &mut dyn Faces) -> usize;

    /// The maximum rounding error of the probability of any outcome or set of outcomes; 0 for exact odds.
    fn rounding(&self) -> f64 {
        0.0
    }

    /// Which end of the outcomes is good for the roller, for measuring luck.
    fn favour(&self) -> Favour {
        Favour::None
    }
}

/// A face that came up, for narration.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Shown {
    /// The die's name.
    pub die: String,
    /// The label of the face.
    pub label: String,
}

/// A battle's source of randomness.
///
/// ```
/// use grognard_dice::{Address, Decision, Dice, Shown};
///
/// /// Always the likeliest outcome.
/// struct Likeliest;
///
/// impl Dice for Likeliest {
///     fn decide(&mut self, _: Address, decision: &dyn Decision) -> usize {
///         let odds = decision.odds();
///         (0..odds.weights.len()).max_by_key(|&outcome| odds.weights[outcome]).unwrap_or_default()
///     }
///
///     fn shown(&mut self, _: Address, _: &dyn Decision, _: usize) -> Vec<Shown> {
///         Vec::new()
///     }
/// }
///
/// assert_eq!(Likeliest.fault(), None);
/// ```
pub trait Dice {
    /// Takes the decision named by `at`; returns the index of its outcome.
    ///
    /// Within one battle, an address is used for only one decision: two decisions at one address would share a random
    /// word.
    fn decide(&mut self, at: Address, decision: &dyn Decision) -> usize;

    /// The faces that were drawn for the decision at `at`, which gave `outcome`.
    ///
    /// Called for narration only, right after [`Dice::decide`]; a source that cannot show faces returns an empty list.
    fn shown(&mut self, at: Address, decision: &dyn Decision, outcome: usize) -> Vec<Shown>;

    /// A fault of the dice, if any: a script that does not fit the battle, for example. Callers that use custom
    /// dice check it when the battle is over, and discard the outcome.
    fn fault(&self) -> Option<String> {
        None
    }
}

impl<T: Dice + ?Sized> Dice for &mut T {
    fn decide(&mut self, at: Address, decision: &dyn Decision) -> usize {
        (**self).decide(at, decision)
    }

    fn shown(&mut self, at: Address, decision: &dyn Decision, outcome: usize) -> Vec<Shown> {
        (**self).shown(at, decision, outcome)
    }

    fn fault(&self) -> Option<String> {
        (**self).fault()
    }
}
