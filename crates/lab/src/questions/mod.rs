//! Questions that a designer asks of a study.
//!
//! [`Search`] finds the value of a number at which a metric is what the designer wants. All that is estimated here rests on confidence
//! sequences, corrected for everything that is looked at: a search may be stopped at any moment, and what it says by then holds.

mod crossing;
mod demand;
mod find;
mod lane;
#[cfg(test)]
mod tests;

pub use crossing::{Crossing, Crosspoint, Tried, crossings};
pub use demand::{Demand, DemandError, metric};
pub use find::{FindError, Found, FoundCell, REACH, Search, Values};
