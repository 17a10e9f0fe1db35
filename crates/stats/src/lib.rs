//! Intervals and paired differences for counted battles.
//!
//! Most functions here take integers from tallies and return an [`Estimate`]: a point and the interval that goes with
//! it, at a stated [`Level`]. No function panics, and only [`tied_mean`] of no numbers is not finite. Without
//! observations, the interval is as wide as the quantity allows.
//!
//! | question | function | interval |
//! |---|---|---|
//! | how often? | [`share_exact`] | Clopper–Pearson |
//! | how many on average, or more than in the baseline? | [`mean_exact`] | Gaffke's bound: Clopper–Pearson for any values |
//! | how much more often than the baseline? | [`share_difference_exact`] | the same |
//! | could the mean be this? | [`mean_p_value`] | the p-value that goes with [`mean_exact`] |
//! | how often, where nothing is rare? | [`share`] | Wilson score |
//! | how many on average, where nothing is rare? | [`mean`] | Student, within the values' range |
//! | how many in proportion to something that varies too? | [`ratio`], [`ratio_difference`] | Student, linearised |
//! | how much more often than the baseline, where nothing is rare? | [`share_difference`] | Tango's score interval for pairs |
//! | how many on average, with the luck of the dice removed? | [`controlled`] | that of the plain number, in proportion |
//! | how many on average, over trials that share their battles? | [`crossed_mean`] | Student, with both errors |
//! | how much more than in other battles? | [`independent_difference`] | Newcombe's hybrid score interval |
//! | what is each unit worth, by the winners of battles between armies? | [`fit_prices`] | delta method on a logistic regression |
//! | a difference or a mean, if the dependence of the battles is unknown? | [`tied_difference`], [`tied_mean`] | holds if the given intervals do |
//! | any of these, looked at while battles are fought? | [`mean_watched`] and others | confidence sequence by betting |
//! | which of two is better? | [`decide`] | the same, for paired differences |
//!
//! [`Intervals`] is a choice among them, for all the numbers of a study.
//!
//! ```
//! use grognard_stats::{Level, share};
//!
//! let held = share(961, 1_000, Level::P95);
//! assert_eq!(held.percent(), "96 % (95–97)");
//! let held = share(240_250, 250_000, Level::P95);
//! assert_eq!(held.percent(), "96.10 % (96.02–96.18)");
//! ```

#![deny(missing_docs)]

mod bounded;
mod control;
mod crossed;
mod estimate;
mod independent;
mod intervals;
mod level;
mod many;
mod mean;
mod paired;
mod prices;
mod print;
mod ratio;
mod share;
mod stopping;
mod tail;

pub use bounded::{mean_exact, mean_p_value, share_difference_exact};
pub use control::{Controls, controlled};
pub use crossed::crossed_mean;
pub use estimate::Estimate;
pub use independent::{
    independent_difference, independent_means_p_value, independent_shares_p_value, mean_from_known, pairs_from_known,
    tied_difference, tied_mean,
};
pub use intervals::{Intervals, Kind};
pub use level::Level;
pub use many::{bonferroni, holm};
pub use mean::{Sums, mean};
pub use paired::{Pairs, share_difference};
pub use prices::{Fought, PriceFit, Unfit, fit_prices};
pub use print::{decimals, rounded_up, worth};
pub use ratio::{RatioPairs, RatioSums, ratio, ratio_difference};
pub use share::{risk_unseen, share, share_exact, share_p_value};
pub use stopping::{
    Decision, Evidence, decide, evidence, is_rung, mean_watched, next_rung, share_difference_watched, share_watched,
};
