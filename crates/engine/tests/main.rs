//! The engine's tests, in one program, so that they are linked once.

mod activation;
mod choice;
mod clauses;
mod common;
mod coverage;
mod deployments;
mod gauges;
mod mechanics;
mod memory;
mod narration;
mod properties;
mod states;
mod structure;
