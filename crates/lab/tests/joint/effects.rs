//! The effects of `sensitivity --global`.

use grognard_lab::sensitivity::Effects;
use grognard_stats::{Estimate, Level};

use super::drawn::Studies;

/// Trajectories, which are all fought with the same battles.
const TRIALS: usize = 12;

/// A summary of the effects of a number over its range.
#[derive(Clone, Copy)]
pub(crate) enum Of {
    /// Their mean size, μ*.
    Size,
    /// Their mean, μ.
    Mean,
}

impl Of {
    fn read(self, found: &Effects) -> Estimate {
        match self {
            Self::Size => found.size,
            Self::Mean => found.mean,
        }
    }

    /// The true value, for effects of at most `chance`.
    fn truth(self, chance: f64) -> f64 {
        match self {
            Self::Size => chance / 2.0,
            Self::Mean => chance / 4.0,
        }
    }

    /// How often the interval contains the true value, in the studies in which enough battles change for it to be
    /// printed; `None` if there are few such studies. Each effect is 0, half of `chance` or all of it, and three in
    /// four are positive. In half as many further battles, half of the trajectories win what the others lose, equally
    /// often in either direction.
    pub(crate) fn covered(self, runs: u64, chance: f64, level: Level, studies: Studies) -> Option<f64> {
        let chances = [0.5, 0.5, 0.25, 0.25].map(|part| part * chance);
        let chances: Vec<f64> = chances.into_iter().chain([1.0 - 1.5 * chance]).collect();
        studies.share_of_given(|dice| {
            let counts = dice.faces(runs, &chances);
            let mut trial = |nth: usize| {
                let (halves, sign) = (dice.below(3), if dice.below(4) == 0 { -1.0 } else { 1.0 });
                let other = if nth.is_multiple_of(2) { 1.0 } else { -1.0 };
                let effect = |face| if face < halves { sign } else { 0.0 };
                vec![effect(0), effect(1), other, -other, 0.0]
            };
            let changes: Vec<Vec<f64>> = (0..TRIALS).map(&mut trial).collect();
            let found = Effects::of(changes, &counts, 1.0, level);
            found.has_intervals().then(|| self.read(&found).holds(self.truth(chance)))
        })
    }
}
