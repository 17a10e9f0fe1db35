//! What is remembered of many battles of one cell.

pub(crate) mod memory;
pub mod states;
