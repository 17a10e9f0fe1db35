//! A choice that is left to chance.

use grognard_dice::{Decision, Die, Face, Faces, Odds, thresholds};

/// One of several offers, each as likely as the others.
pub(crate) struct AnyOf {
    weights: Vec<u128>,
    below: Vec<u32>,
}

impl AnyOf {
    /// One of so many.
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
