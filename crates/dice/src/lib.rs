//! The one door through which chance enters a battle.
//!
//! A mechanism never rolls a die. It describes a [`Decision`] (its possible outcomes and their exact odds) and asks a
//! [`Dice`] which of them happens. These sources answer:
//!
//! - [`SeededDice`] samples: one addressed 32-bit word of ChaCha8 per decision;
//! - [`Script`] plays the faces it is handed, and says if any are left over or missing; [`ScriptedDice`] panics then, in tests;
//! - [`EnumeratedDice`] walks every outcome with its exact probability;
//! - [`NoDice`] fails when asked: what should not roll must not.

mod address;
mod decision;
mod die;
mod enumerated;
mod luck;
mod narration;
mod odds;
mod scripted;
mod seeded;
#[cfg(test)]
mod testing;

pub use address::{Address, LANES, NTH_MAX, PURPOSES, STAGES};
pub use decision::{Decision, Dice, Shown};
pub use die::{Die, FACES_MAX, Face, Faces};
pub use enumerated::{EnumeratedDice, Probability};
pub use luck::{Favour, Luck};
pub use odds::{Odds, thresholds};
pub use scripted::{NoDice, Pick, Script, ScriptedDice};
pub use seeded::SeededDice;
