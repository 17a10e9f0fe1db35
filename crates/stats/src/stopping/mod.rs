//! When to stop: three rules for three questions.
//!
//! | question | rule | what is guaranteed |
//! |---|---|---|
//! | how often, to a given precision? | check the width on a [schedule](is_rung) | the interval at the end, nearly at its level |
//! | which of two? | [`decide`]: stop if [`Evidence`] is enough | the chance of finding a difference that does not exist |
//! | what is known now? | [`mean_watched`], [`share_watched`] | every interval at every look, all of them jointly |
//!
//! The first stops at about the size of a fixed sample and costs almost nothing; the other two allow looks at any time,
//! at the price of wider intervals.

mod betting;
mod decide;
mod ladder;
mod watched;

pub use betting::{Evidence, evidence};
pub use decide::{Decision, decide};
pub use ladder::{is_rung, next_rung};
pub use watched::{mean_watched, share_difference_watched, share_watched};
