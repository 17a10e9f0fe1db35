//! The one door through which chance enters a battle.
//!
//! A mechanism never rolls a die. It describes a [`Decision`] (its possible outcomes and their exact odds) and asks a
//! [`Dice`] which of them happens. Three sources answer:
//!
//! - [`SeededDice`] samples: one addressed 32-bit word of ChaCha8 per decision;
//! - [`ScriptedDice`] plays the faces a test hands it, and fails if any are left over or missing;
//! - [`EnumeratedDice`] walks every outcome with its exact probability.

mod address;
mod decision;
mod die;

pub use address::{Address, LANES, NTH_MAX, PURPOSES};
pub use decision::{Decision, Dice, Odds, Shown};
pub use die::{Die, Face, Faces};
