//! Memory shared by the battles of one cell.

pub(crate) mod memory;
pub mod states;
