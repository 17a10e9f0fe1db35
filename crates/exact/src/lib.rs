//! Exact odds: no battle is sampled, every possible battle is counted.
//!
//! [`solve`] begins with the one state in which a battle starts and pushes the distribution over states forward through
//! [`grognard_engine::step`], the step that sampled battles are fought with: along every path of its dice
//! ([`grognard_dice::EnumeratedDice`]), each with its exact probability. States that have become equal are merged after each
//! step, so that the work grows with the number of different situations and not with the number of different histories.
//!
//! Probabilities are fractions in whole numbers as long as they stay small, and floating-point numbers with a bound on their
//! error afterwards: see [`Number`]. [`best`] asks what battles are worth if their players choose well. [`formula`] does the same for dice formulas as players write them.

#![deny(missing_docs)]

mod arithmetic;
pub mod best;
mod float;
pub mod formula;
mod lane;
mod limits;
mod number;
mod prune;
mod solution;
mod solve;
mod spread;
mod ways;

pub use limits::{Budget, Limits, Progress, TooLarge};
pub use number::{Fraction, Number, bits};
pub use solution::{Effort, Solution};
pub use solve::solve;
