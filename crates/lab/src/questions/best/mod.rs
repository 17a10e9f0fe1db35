//! What is a battle worth between perfect players, and what does a doctrine give away?

mod share;
mod walk;
mod words;

use std::collections::BTreeMap;
use std::time::Duration;

use grognard_engine::{Outcome, Side};
use grognard_exact::Limits;
use grognard_exact::best::{Bracket, Effort, OfferPlayed, Plays, RowPlayed};
use rayon::prelude::{IndexedParallelIterator, IntoParallelRefMutIterator, ParallelIterator};

use self::share::Shared;
use self::walk::Found;
pub use self::words::{InWords, Words, WordsError};
use crate::exact::Watcher;
use crate::progress::Stop;
use crate::results::CellHeader;
use crate::sensitivity::Quantity;
use crate::study::Cell;

/// A question about best play.
#[derive(Clone, Debug)]
pub struct BestPlay {
    /// The metric to play for. The side that it belongs to wants it high if it is its wins or its score, and low if
    /// it is its losses; the other side wants the opposite.
    pub quantity: Quantity,
    /// The limits; the memory is for all cells that are solved at the same time.
    pub limits: Limits,
    /// The time for all cells together. Cells may use what earlier ones left over.
    pub time: Option<Duration>,
    /// Accepts brackets of this half-width. `None` to narrow brackets as far as possible.
    pub precision: Option<f64>,
    /// Worker threads; 0 means one for each core.
    pub threads: usize,
}

/// The values of a battle by who plays it.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct Pairings {
    /// Both sides follow doctrine.
    pub default_default: Bracket,
    /// The first side plays best, the second by doctrine.
    pub best_default: Bracket,
    /// The first side plays by doctrine, the second best.
    pub default_best: Bracket,
    /// Both play best.
    pub best_best: Bracket,
}

impl Pairings {
    /// All, each with its name: the first side's player, and the second's.
    #[must_use]
    pub fn named(&self) -> [(&'static str, Bracket); 4] {
        [
            ("default/default", self.default_default),
            ("best/default", self.best_default),
            ("default/best", self.default_best),
            ("best/best", self.best_best),
        ]
    }

    /// What a side gains if it plays best against the other's doctrine: what its own doctrine gives away.
    #[must_use]
    pub fn gain(&self, side: Side) -> Bracket {
        let best = [self.best_default, self.default_best][side.index()];
        let (less, more) = (self.default_default, best);
        // Best play never does worse, in whichever direction the side wants the number.
        let [one, other] = [more.low - less.high, more.high - less.low];
        match side {
            _ if one >= 0.0 => Bracket { low: one, high: other },
            _ if other <= 0.0 => Bracket { low: -other, high: -one },
            _ => Bracket { low: 0.0, high: other.max(-one) },
        }
    }
}

/// Where a decision falls: the side, its doctrine, and the phase.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[non_exhaustive]
pub struct Place {
    /// The side: 0 or 1.
    pub side: usize,
    /// The name of the doctrine in the pack.
    pub doctrine: String,
    /// The name of the phase in the pack.
    pub phase: String,
}

/// Best play in a cell.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct BestCell {
    /// The cell.
    pub header: CellHeader,
    /// The values.
    pub values: Pairings,
    /// What the rows of the doctrines give away, by the name of the row or of the decision in a combat; none if no
    /// row applies and the unit holds. A side's rows are known if its best play against the other's doctrine is
    /// exact.
    pub rows: BTreeMap<(Place, Option<String>), RowPlayed>,
    /// How the offers do where both sides play best, by name: a row's, `hold`, or a decision's. Empty where best play of both is a bracket.
    pub offers: BTreeMap<(Place, String), OfferPlayed>,
    /// How much work it was.
    pub effort: Effort,
    /// Whether all values are exact.
    pub exact: bool,
    /// Whether a side's best play against the other's doctrine is exact, so that all its rows are known. By side, 0 or 1.
    pub rows_known: [bool; 2],
}

/// Why best play could not be computed.
#[derive(Debug, thiserror::Error)]
pub enum BestError {
    /// No side wants the number.
    #[error("no side wants `{0}` high or low")]
    NobodysMetric(String),
    /// The worker threads could not be started.
    #[error("cannot start the worker threads: {0}")]
    Threads(#[from] rayon::ThreadPoolBuildError),
}

impl BestPlay {
    /// Solves cells, as far as the limits allow and until `stop` is raised. Values that are not complete by then
    /// are brackets.
    ///
    /// # Errors
    /// See [`BestError`].
    pub fn solve(&self, cells: &[&Cell], watcher: &dyn Watcher, stop: &Stop) -> Result<Vec<BestCell>, BestError> {
        let goal = Goal::of(&self.quantity).ok_or_else(|| BestError::NobodysMetric(self.quantity.name.clone()))?;
        let pool = rayon::ThreadPoolBuilder::new().num_threads(self.threads).build()?;
        let mut found: Vec<Found<'_>> = cells.iter().map(|&cell| Found::new(goal, cell, self.width())).collect();
        let shared = Shared::new(self, cells.len(), pool.current_num_threads(), watcher, stop);
        // What takes least first, in all cells, so that the time that is left is known where it matters.
        for walk in WALKS {
            let walk_one = |(place, found): (usize, &mut Found<'_>)| {
                shared.walk(place, found, walk);
                if walk == WALKS[WALKS.len() - 1] {
                    watcher.solved(found.number());
                }
            };
            pool.install(|| found.par_iter_mut().enumerate().with_max_len(1).for_each(walk_one));
        }
        Ok(found.into_iter().map(Found::told).collect())
    }

    /// How wide a bracket may be.
    fn width(&self) -> Option<f64> {
        self.precision.map(|half| 2.0 * half)
    }
}

/// A way to find out what a pairing is worth, which is a place in [`PAIRINGS`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum WalkOf {
    /// Enumerates everything, so that more is known than the value.
    Enumeration(usize),
    /// Searches for the value alone.
    Search(usize),
}

/// The stages of a cell, in order: the pairings with the fewest situations first.
const WALKS: [WalkOf; 7] = [
    WalkOf::Enumeration(0),
    WalkOf::Enumeration(2),
    WalkOf::Enumeration(1),
    WalkOf::Search(2),
    WalkOf::Search(1),
    WalkOf::Enumeration(BOTH),
    WalkOf::Search(BOTH),
];

/// The metric to play for.
#[derive(Clone, Copy)]
struct Goal<'a> {
    quantity: &'a Quantity,
    /// 1 if the first side wants it high, −1 if it wants it low.
    sign: f64,
}

impl<'a> Goal<'a> {
    /// `None` means it belongs to no side.
    fn of(quantity: &'a Quantity) -> Option<Self> {
        let sign = f64::from(quantity.sign_for(Side::First)?);
        Some(Self { quantity, sign })
    }

    fn worth(&self, outcome: &Outcome) -> f64 {
        self.sign * f64::from(self.quantity.in_battle(outcome)) / f64::from(self.quantity.per)
    }

    /// The least and the most that it can be worth to the first side.
    fn span(&self) -> (f64, f64) {
        let most = self.sign * self.quantity.most as f64 / f64::from(self.quantity.per);
        (most.min(0.0), most.max(0.0))
    }
}

/// Who plays the sides of the study, in the order of [`Pairings::named`].
const PAIRINGS: [(Plays, Plays); 4] = [
    (Plays::Doctrine, Plays::Doctrine),
    (Plays::Best, Plays::Doctrine),
    (Plays::Doctrine, Plays::Best),
    (Plays::Best, Plays::Best),
];

/// The place of the last.
const BOTH: usize = 3;

/// Narrows brackets by each other: best play does no worse than the doctrine, and an opponent who plays best does
/// the side no good. Values are those to the first side, in the order of [`PAIRINGS`].
fn narrowed([default, first, second, both]: [Bracket; 4]) -> [Bracket; 4] {
    let between = |own: Bracket, least: f64, most: f64| match own {
        Bracket { low, high } if low < high => Bracket { low: low.max(least).min(high), high: high.min(most).max(low) },
        exact => exact,
    };
    let [default, both] = [default, both].map(|value| between(value, second.low, first.high));
    let first = between(first, default.low.max(both.low), f64::INFINITY);
    let second = between(second, f64::NEG_INFINITY, default.high.min(both.high));
    [default, first, second, both]
}

#[cfg(test)]
mod tests {
    use super::*;

    const fn between(low: f64, high: f64) -> Bracket {
        Bracket { low, high }
    }

    #[test]
    fn brackets_narrow_each_other() {
        // The first side gets 0.4 to 0.6 where one side alone plays best: no more and no less than that where both do.
        let known = [between(0.5, 0.5), between(0.6, 0.6), between(0.4, 0.4), between(0.0, 1.0)];
        assert_eq!(narrowed(known)[3], between(0.4, 0.6));
        // Both at 0.5: best play against doctrine is worth at least that, and at most as far as it was walked.
        let replies = [between(0.5, 0.5), between(0.1, 0.9), between(0.2, 0.8), between(0.5, 0.5)];
        assert_eq!(narrowed(replies), [between(0.5, 0.5), between(0.5, 0.9), between(0.2, 0.5), between(0.5, 0.5)]);
        let nothing = [between(0.0, 1.0); 4];
        assert_eq!(narrowed(nothing), nothing);
    }
}
