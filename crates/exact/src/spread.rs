//! The distribution of battles after a number of steps.

use num_bigint::BigUint;

use crate::arithmetic::{Arithmetic, End, Floats, Fractions};
use crate::float::Float;
use crate::ways::{Front, Ways};

/// The limits for whole numbers: states of a layer, and bits of their common denominator.
const WHOLE_STATES: usize = 2_048;
const WHOLE_BITS: u64 = 2_048;

/// All battles after a number of steps: those that continue, by state, and those that are over, by the number of
/// their outcome.
pub(crate) struct Spread<A: Arithmetic> {
    pub(crate) arithmetic: A,
    /// The turn of the battles that continue; meaningless if the states contain it.
    pub(crate) turn: u8,
    pub(crate) open: Front<A::Weight>,
    pub(crate) over: Vec<A::Weight>,
}

impl<A: Arithmetic> Spread<A> {
    /// The end of a path with the outcome of this number; makes room for the outcome's weight.
    pub(crate) fn end(&mut self, number: u32) -> End {
        let number = number as usize;
        if self.over.len() <= number {
            self.over.resize(number + 1, A::nothing());
        }
        End::Over(number)
    }
}

impl Spread<Fractions> {
    /// The distribution before the first step: all battles are at the state with this key.
    pub(crate) fn before(turn: u8, key: &[u32], ways: &mut Ways) -> Self {
        let mut open = ways.front(None);
        open.find(ways, key, || BigUint::from(1_u8));
        Self { arithmetic: Fractions::of_one(), turn, open, over: Vec::new() }
    }

    /// Whether whole numbers are still cheap.
    pub(crate) fn is_small(&self) -> bool {
        self.open.len() <= WHOLE_STATES && self.arithmetic.denominator().bits() <= WHOLE_BITS
    }

    /// The same distribution in floating point.
    pub(crate) fn into_floats(self) -> Spread<Floats> {
        let denominator = self.arithmetic.denominator();
        let float = |weight: BigUint| Float::ratio(&weight, &denominator);
        let over = self.over.into_iter().map(float).collect();
        Spread { arithmetic: Floats, turn: self.turn, open: self.open.map(float), over }
    }
}

/// A spread in either arithmetic.
pub(crate) enum Standing {
    Whole(Spread<Fractions>),
    Floating(Spread<Floats>),
}

impl Standing {
    /// The states of battles that continue.
    pub(crate) fn states(&self) -> usize {
        match self {
            Self::Whole(spread) => spread.open.len(),
            Self::Floating(spread) => spread.open.len(),
        }
    }

    /// Their turn.
    pub(crate) fn turn(&self) -> u8 {
        match self {
            Self::Whole(spread) => spread.turn,
            Self::Floating(spread) => spread.turn,
        }
    }

    /// Their approximate memory.
    pub(crate) fn bytes(&self) -> u64 {
        match self {
            Self::Whole(spread) => spread.open.bytes(),
            Self::Floating(spread) => spread.open.bytes(),
        }
    }

    /// The key of any of these states.
    pub(crate) fn any_key(&self) -> Option<&[u32]> {
        (self.states() > 0).then(|| match self {
            Self::Whole(spread) => spread.open.key(0),
            Self::Floating(spread) => spread.open.key(0),
        })
    }

    /// The approximate share of battles that are over.
    pub(crate) fn share_over(&self) -> f64 {
        match self {
            Self::Whole(spread) => {
                let sum = spread.over.iter().fold(BigUint::ZERO, |sum, weight| sum + weight);
                Float::ratio(&sum, &spread.arithmetic.denominator()).value()
            }
            // An empty sum of floats is −0.
            Self::Floating(spread) => spread.over.iter().fold(0.0, |sum, weight| sum + weight.value()),
        }
    }
}
