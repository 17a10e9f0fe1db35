//! Exact odds: no battle is sampled; every possible battle is counted.
//!
//! [`solve`] begins with the one state in which a battle starts. It pushes the distribution over states forward through
//! [`grognard_engine::step`], the same step as for sampled battles, along every path of its dice
//! ([`grognard_dice::EnumeratedDice`]), each with its exact probability. States that have become equal are merged after
//! each step, so the work grows with the number of different states rather than different histories.
//!
//! Probabilities are fractions in whole numbers while they stay small, and then floating-point numbers with a bound on
//! their error: see [`Number`]. [`best`] computes the value of battles between perfect players. [`formula`] gives exact
//! odds of dice formulas.
//!
//! ```
//! use std::ops::ControlFlow;
//!
//! use grognard_engine::{BySide, Deployment, Side, SidePlan, UnitPlan, deploy};
//! use grognard_exact::{Limits, solve};
//! use grognard_rules::library;
//! use grognard_source::Sources;
//!
//! let mut sources = Sources::new();
//! let rules = library::load("refduel", None, &mut sources).and_then(|pack| pack.compile(&sources)).expect("a built-in pack");
//! let side = |name: &str, kind: &str| SidePlan {
//!     name: name.to_owned(),
//!     units: vec![UnitPlan { kind: kind.to_owned(), ..UnitPlan::default() }],
//!     ..SidePlan::default()
//! };
//! let sides = BySide::new(side("a", "one-up"), side("b", "plain"));
//! let setup = deploy(&rules, &Deployment { sides, turns: 12, ..Deployment::default() }).expect("a battle the rules allow");
//!
//! let solution = solve(&rules, &setup, &Limits::default(), &mut |_| ControlFlow::Continue(())).expect("few states");
//! let wins = solution.chance(|outcome| outcome.winner == Some(Side::First));
//! // The same odds by dynamic programming in fractions.
//! assert!((wins.value - 0.832_768_680_6).abs() < 1e-9);
//! ```

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
pub use solve::{solve, solve_with};
