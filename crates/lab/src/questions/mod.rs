//! Questions that a designer asks of a study.
//!
//! [`Search`] finds the value of a number at which a metric is what the designer wants. It rests on confidence
//! sequences, corrected for all comparisons: it may be stopped at any moment, and its results until then hold.
//! [`Judge`] says which of a study's targets are met, in the same way. [`Tuning`] looks for the smallest change of
//! printed numbers that meets them. [`Matchups`] has choices meet choices, and says how
//! both sides choose best. [`Points`] fits prices to battles of random armies. [`Ablation`] says what each rule is worth, over a number of battles that is fixed beforehand.
//! [`BestPlay`] works out what battles are worth between players who choose as well as can be. [`Training`] looks for a better doctrine.
//! [`Trial`] says what changes do, at once, and sharper while one waits.

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
};
pub use points::{HeldOut, Points, PointsError, Priced, PricedPair, PricedTrait, PricedUnit, Unfit};
pub use solved::CellTooLarge;
pub use train::{Alternated, Alternation, Member, Policy, Round, Row, Step, TrainError, Trained, Training};
pub use trial::{Altered, Course, Look, LookedCell, TRIAL_MAX, Trial, TrialError};
pub use tune::{Candidate, Tuned, Tuning};

/// The default limit of battles in a cell at one value, or in one pairing.
pub const BATTLES: u64 = 1_000_000;
