//! Properties of every battle, regardless of its setup, tested on random armies of the figures system.
//!
//! Armies and seeds come from fixed numbers, so failures are the same everywhere. Each message gives the numbers of the
//! army and of the battle, so that it can be fought again.

mod armies;
mod audit;
mod determinism;
mod dice;
mod favour;
pub(crate) mod mirror;
mod moves;
mod order;
mod roads;
mod world;
