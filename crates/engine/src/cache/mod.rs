//! Memory shared by the battles of one cell.

mod graph;
mod lanes;
pub(crate) mod memory;
pub(crate) mod outcomes;
mod shelves;
pub mod states;
