//! Faces to show for an outcome that has been drawn.

use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::Rng;

use crate::{Decision, Die, Faces, Shown};

/// The maximum number of times that a decision is played to find faces that give its outcome.
///
/// An outcome of probability 1/10,000 is missed once in 22,000 times; one of 1/100,000 is shown in two cases out of
/// three.
const TRIES_MAX: u32 = 100_000;

/// Faces that give this outcome, with the distribution of dice that gave it: the decision is played until it gives the
/// outcome. Empty for an outcome too rare to be found this way.
pub(crate) fn faces_for(decision: &dyn Decision, outcome: usize, stream: &mut ChaCha8Rng) -> Vec<Shown> {
    for _ in 0..TRIES_MAX {
        let mut throw = Throw { stream: &mut *stream, indices: Vec::new() };
        if decision.by_hand(&mut throw) == outcome {
            let mut playback = Playback { indices: throw.indices.into_iter(), shown: Vec::new() };
            decision.by_hand(&mut playback);
            return playback.shown;
        }
    }
    Vec::new()
}

/// Dice thrown from a stream, recorded as the indices of their faces.
struct Throw<'a> {
    stream: &'a mut ChaCha8Rng,
    indices: Vec<usize>,
}

impl Faces for Throw<'_> {
    fn roll(&mut self, die: &Die) -> usize {
        // Lemire's multiplication, which rejects the few words that would favour some faces.
        let faces = die.faces.len() as u64;
        let index = loop {
            let product = u64::from(self.stream.next_u32()) * faces;
            if faces == 0 || product % (1 << 32) >= (1 << 32) % faces {
                break (product >> 32) as usize;
            }
        };
        self.indices.push(index);
        index
    }
}

/// Replays a throw, to name its faces.
struct Playback {
    indices: std::vec::IntoIter<usize>,
    shown: Vec<Shown>,
}

impl Faces for Playback {
    fn roll(&mut self, die: &Die) -> usize {
        let index = self.indices.next().unwrap_or(0);
        if let Some(face) = die.faces.get(index) {
            self.shown.push(Shown { die: die.name.clone(), label: face.label.clone() });
        }
        index
    }
}
