//! What holds of every battle, whatever its setup: tried on random armies of the figures system.
//!
//! Armies and seeds come from fixed numbers, so that a failure is the same everywhere; each message names the army's number
//! and the battle's, from which it can be fought again.

mod armies;
mod audit;
mod determinism;
mod dice;
mod favour;
pub(crate) mod mirror;
mod moves;
mod order;
mod world;
