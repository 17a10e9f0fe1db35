//! Questions that a designer asks of a study.
//!
//! [`Search`] finds the value of a number at which a metric reaches a target. It uses confidence sequences, corrected
//! for all comparisons: it may be stopped at any time, and its results so far are valid. [`Judge`] decides which of a
//! study's targets are met, in the same way. [`Tuning`] looks for the smallest change to printed numbers that meets
//! them. [`Matchups`] fights choices against choices, and finds the best choices of both sides. [`Points`] fits prices
//! to battles of random armies. [`Ablation`] measures the worth of each rule, over a fixed number of battles.
//! [`BestPlay`] computes the value of battles between perfect players. [`Training`] looks for a better doctrine.
//! [`Trial`] shows the effect of changes at once, with increasing precision.

mod ablate;
mod best;
mod chances;
mod crossing;
mod demand;
mod find;
mod json;
mod judge;
mod lane;
mod matchups;
#[cfg(test)]
mod planted;
mod points;
mod solved;
#[cfg(test)]
mod tests;
mod train;
mod trial;
mod tune;

pub use ablate::{Ablated, Ablation, Interaction, Needed, STRONGEST, Worth};
pub use best::{BestCell, BestError, BestPlay, InWords, Pairings, Place, Words, WordsError};
pub use crossing::{Crossing, Crosspoint, Tried, crossings};
pub use demand::{Demand, DemandError, metric};
pub use find::{FindError, Found, FoundCell, REACH, Reach, Search, Values};
pub use json::Provenance;
pub use judge::{Judge, JudgeError, Judged, JudgedCell, MARGIN, State, Verdicts, cells_of};
pub use matchups::{
    Dominated, Equilibrium, Grid, GridError, Matched, Matchups, MatchupsError, Spread, Use, cyclic_share, equilibrium,
    watched_scores,
};
pub use points::{HeldOut, Points, PointsError, Priced, PricedPair, PricedTrait, PricedUnit, Unfit};
pub use solved::CellTooLarge;
pub use train::{Alternated, Alternation, Member, Policy, Round, Row, Step, TrainError, Trained, Training};
pub use trial::{Altered, Course, Look, LookedCell, TRIAL_MAX, Trial, TrialError};
pub use tune::{Candidate, Draw, Tuned, Tuning};

/// The default maximum number of battles in a cell at one value, or in one pairing.
pub const BATTLES: u64 = 1_000_000;
