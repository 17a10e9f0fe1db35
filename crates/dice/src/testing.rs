//! A decision for testing the sources of chance.

use crate::{Address, Decision, Die, Faces, Odds, thresholds};

/// The sum of some dice; outcome `k` is the smallest sum plus `k`.
pub(crate) struct Sum {
    dice: Vec<Die>,
    smallest: i16,
    below: Vec<u32>,
    weights: Vec<u128>,
}

impl Sum {
    pub(crate) fn of(dice: Vec<Die>) -> Self {
        let ends = |pick: fn(i16, i16) -> i16| -> i16 {
            dice.iter().map(|die| die.faces.iter().map(|f| f.value).reduce(pick).unwrap()).sum()
        };
        let (smallest, largest) = (ends(i16::min), ends(i16::max));
        let mut sums = vec![0i16];
        for die in &dice {
            sums = sums.iter().flat_map(|sum| die.faces.iter().map(move |face| sum + face.value)).collect();
        }
        let weights: Vec<u128> =
            (smallest..=largest).map(|sum| sums.iter().filter(|&&s| s == sum).count() as u128).collect();
        Self { below: thresholds(&weights), dice, smallest, weights }
    }
}

impl Decision for Sum {
    fn odds(&self) -> Odds<'_> {
        Odds { below: &self.below, weights: &self.weights, total: self.weights.iter().sum() }
    }

    fn by_hand(&self, faces: &mut dyn Faces) -> usize {
        let sum: i16 = self.dice.iter().map(|die| die.faces[faces.roll(die)].value).sum();
        usize::try_from(sum - self.smallest).unwrap()
    }
}

/// The address of the `nth` decision of an otherwise unremarkable battle.
pub(crate) fn at(nth: u8) -> Address {
    Address { turn: 1, stage: 0, purpose: 0, lane: 0, nth }
}
