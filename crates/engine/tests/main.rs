//! The engine's tests, in one program: what the engine is generic over is compiled once for all of them.

mod activation;
mod choice;
mod clauses;
mod common;
mod coverage;
mod deployments;
mod mechanics;
mod memory;
mod narration;
mod properties;
mod states;
mod structure;
