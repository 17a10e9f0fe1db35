//! The only source of chance in a battle.
//!
//! A mechanism never rolls a die. It describes a [`Decision`] (its possible outcomes and their exact odds) and asks a
//! [`Dice`] which of them happens. There are these sources:
//!
//! - [`SeededDice`] samples: one addressed 32-bit word of ChaCha8 per decision;
//! - [`Script`] plays given faces, and reports any left over or missing; [`ScriptedDice`], for tests, panics instead;
//! - [`EnumeratedDice`] walks every outcome with its exact probability;
//! - [`NoDice`], for places where no dice may be rolled, panics when asked.
//!
//! ```
//! use grognard_dice::{Address, Decision, Dice, Faces, Odds, SeededDice};
//!
//! struct Coin;
//! impl Decision for Coin {
//!     fn odds(&self) -> Odds<'_> {
//!         Odds { below: &[1 << 31], weights: &[1, 1], total: 2 }
//!     }
//!     fn by_hand(&self, _: &mut dyn Faces) -> usize {
//!         0
//!     }
//! }
//!
//! // The same seed, battle and address give the same outcome, whatever was decided before.
//! let mut dice = SeededDice::new(1815);
//! dice.battle(17);
//! let at = |turn| Address { turn, stage: 0, purpose: 0, lane: 0, nth: 0 };
//! let tossed = [1, 2, 3].map(|turn| dice.decide(at(turn), &Coin));
//! assert_eq!(dice.decide(at(2), &Coin), tossed[1]);
//! ```

mod address;
mod blocks;
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
pub use blocks::{BLOCK_WORDS, BLOCKS, Words};
pub use decision::{Decision, Dice, Shown};
pub use die::{Die, FACES_MAX, Face, Faces};
pub use enumerated::{EnumeratedDice, Probability};
pub use luck::{Favour, Luck};
pub use odds::{Odds, outcome_of, thresholds};
pub use scripted::{NoDice, Pick, Script, ScriptedDice};
pub use seeded::SeededDice;
