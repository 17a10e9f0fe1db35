//! Two ways to count battles: in whole numbers over a common denominator, and in floating point with a bound on the
//! error.

use std::convert::Infallible;

use grognard_dice::Probability;
use num_bigint::BigUint;
use num_integer::Integer;

use crate::float::Float;

/// The end of a path of a step.
#[derive(Clone, Copy, Debug)]
pub(crate) enum End {
    /// The path ends in a state of the next layer, given by its slot.
    Open(usize),
    /// The battle is over; the number of its outcome.
    Over(usize),
}

/// A path of a step, with the probability of its decisions.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Path {
    pub(crate) end: End,
    /// Its floating-point probability, with the number of roundings.
    pub(crate) chance: Float,
}

/// The weights that receive the battles.
pub(crate) struct Weights<'a, W> {
    /// The weights of the states of the next layer, by slot.
    pub(crate) open: &'a mut [W],
    /// The weights of the outcomes, by number.
    pub(crate) over: &'a mut [W],
}

/// A way to count.
pub(crate) trait Arithmetic: Send + Sync {
    /// The share of battles at a state or with an outcome.
    type Weight: Clone + Send + Sync;
    /// The reason why this arithmetic can no longer be used.
    type TooFine: Send;
    /// Whether it needs the exact probabilities of paths.
    const EXACT: bool;

    /// The weight of no battles.
    fn nothing() -> Self::Weight;

    /// The arithmetic for the next step.
    fn next(&self) -> Self;

    /// Sends the battles of one state along these paths. `exact` are their exact probabilities, if needed: `None` for
    /// one that does not fit 128 bits.
    fn send(
        &mut self,
        weight: &Self::Weight,
        paths: &[Path],
        exact: &[Option<Probability>],
        into: Weights<'_, Self::Weight>,
    ) -> Result<(), Self::TooFine>;
}

/// Floating point.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Floats;

impl Arithmetic for Floats {
    type Weight = Float;
    type TooFine = Infallible;
    const EXACT: bool = false;

    fn nothing() -> Float {
        Float::ZERO
    }

    fn next(&self) -> Self {
        *self
    }

    fn send(
        &mut self,
        weight: &Float,
        paths: &[Path],
        _: &[Option<Probability>],
        into: Weights<'_, Float>,
    ) -> Result<(), Infallible> {
        for path in paths {
            let share = weight.times(path.chance);
            match path.end {
                End::Open(slot) => into.open[slot].add(share),
                End::Over(number) => into.over[number].add(share),
            }
        }
        Ok(())
    }
}

/// Whole numbers over a common denominator.
#[derive(Clone, Debug)]
pub(crate) struct Fractions {
    /// The denominator of the previous layer.
    before: BigUint,
    /// The least common denominator of the paths so far: `before * factor` is that of the new layer.
    factor: u128,
}

/// A probability, or the common denominator of a step, has more than 128 bits.
#[derive(Clone, Copy, Debug)]
pub(crate) struct TooFine;

impl Fractions {
    /// The arithmetic before the first step: all battles together have weight one.
    pub(crate) fn of_one() -> Self {
        Self { before: BigUint::from(1_u8), factor: 1 }
    }

    /// The denominator of every weight.
    pub(crate) fn denominator(&self) -> BigUint {
        &self.before * self.factor
    }
}

impl Arithmetic for Fractions {
    type Weight = BigUint;
    type TooFine = TooFine;
    const EXACT: bool = true;

    fn nothing() -> BigUint {
        BigUint::ZERO
    }

    fn next(&self) -> Self {
        Self { before: self.denominator(), factor: 1 }
    }

    fn send(
        &mut self,
        weight: &BigUint,
        paths: &[Path],
        exact: &[Option<Probability>],
        into: Weights<'_, BigUint>,
    ) -> Result<(), TooFine> {
        let mut factor = self.factor;
        for chance in exact {
            let denominator = chance.ok_or(TooFine)?.denominator;
            if !factor.is_multiple_of(denominator) {
                factor = (factor / factor.gcd(&denominator)).checked_mul(denominator).ok_or(TooFine)?;
            }
        }
        if factor != self.factor {
            let finer = factor / self.factor;
            into.open.iter_mut().chain(into.over.iter_mut()).for_each(|weight| *weight *= finer);
            self.factor = factor;
        }
        for (path, chance) in paths.iter().zip(exact) {
            let Probability { numerator, denominator } = chance.ok_or(TooFine)?;
            // At most `factor`, as the numerator is at most the denominator.
            let share = weight * (factor / denominator * numerator);
            match path.end {
                End::Open(slot) => into.open[slot] += share,
                End::Over(number) => into.over[number] += share,
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn path(end: End, numerator: u128, denominator: u128) -> (Path, Option<Probability>) {
        (Path { end, chance: Float::ZERO }, Some(Probability { numerator, denominator }))
    }

    #[test]
    fn denominators_grow_as_paths_need_them() {
        let mut fractions = Fractions::of_one();
        let (mut open, mut over) = ([BigUint::ZERO, BigUint::ZERO], [BigUint::ZERO]);
        let mut send = |weight: u8, paths: &[(Path, Option<Probability>)]| {
            let into = Weights { open: &mut open, over: &mut over };
            let (paths, exact): (Vec<_>, Vec<_>) = paths.iter().copied().unzip();
            fractions.send(&BigUint::from(weight), &paths, &exact, into).unwrap();
        };
        send(1, &[path(End::Open(0), 1, 6), path(End::Open(1), 5, 6)]);
        send(1, &[path(End::Open(0), 1, 4), path(End::Over(0), 3, 4)]);
        // The weights are 1/6 + 1/4, 5/6 and 3/4.
        assert_eq!((open, over), ([5_u8, 10].map(BigUint::from), [9_u8].map(BigUint::from)));
        assert_eq!(fractions.denominator(), BigUint::from(12_u8));
    }

    #[test]
    fn a_denominator_beyond_128_bits_is_refused() {
        let mut fractions = Fractions::of_one();
        let mut over = [BigUint::ZERO];
        for (denominator, fits) in [(u128::MAX, true), (u128::MAX - 1, false)] {
            let into = Weights { open: &mut [], over: &mut over };
            let (path, exact) = path(End::Over(0), 1, denominator);
            let sent = fractions.send(&BigUint::from(1_u8), &[path], &[exact], into);
            assert_eq!(sent.is_ok(), fits);
        }
    }
}
