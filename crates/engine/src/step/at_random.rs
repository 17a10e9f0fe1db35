//! A choice that is left to chance.

use grognard_dice::{Decision, Die, Face, Faces, Odds, thresholds};

/// A choice among several equally likely offers.
pub(crate) struct AnyOf {
    weights: Vec<u128>,
    below: Vec<u32>,
}

impl AnyOf {
    /// A uniform choice among a number of offers.
    pub(crate) fn new(offers: usize) -> Self {
        let weights = vec![1; offers];
        Self { below: thresholds(&weights), weights }
    }
}

impl Decision for AnyOf {
    fn odds(&self) -> Odds<'_> {
        Odds { below: &self.below, weights: &self.weights, total: self.weights.len() as u128 }
    }

    fn by_hand(&self, faces: &mut dyn Faces) -> usize {
        let face = |place: usize| Face { value: place as i16, label: (place + 1).to_string() };
        faces.roll(&Die { name: "choice".into(), faces: (0..self.weights.len()).map(face).collect() })
    }
}

/// A weighted choice among several things.
pub(crate) struct Drawn {
    /// The name of its die.
    name: &'static str,
    below: Vec<u32>,
    weights: Vec<u128>,
}

impl Drawn {
    /// A choice with one outcome for each weight.
    pub(crate) fn new(name: &'static str, weights: Vec<u128>) -> Self {
        Self { name, below: thresholds(&weights), weights }
    }
}

impl Decision for Drawn {
    fn odds(&self) -> Odds<'_> {
        Odds { below: &self.below, weights: &self.weights, total: self.weights.iter().sum() }
    }

    /// Rolls a die on which each thing has as many faces as its weight.
    fn by_hand(&self, faces: &mut dyn Faces) -> usize {
        let count = self.weights.iter().sum::<u128>() as usize;
        let face = |place: usize| Face { value: place as i16, label: (place + 1).to_string() };
        let mut shown = faces.roll(&Die { name: self.name.into(), faces: (0..count).map(face).collect() }) as u128;
        let mut place = 0;
        while place + 1 < self.weights.len() && shown >= self.weights[place] {
            shown -= self.weights[place];
            place += 1;
        }
        place
    }
}
