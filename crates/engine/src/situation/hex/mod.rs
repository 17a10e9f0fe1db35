//! Facts about a position on hexes: possible moves of units, and threats to them.

pub(crate) mod march;
pub(crate) mod motion;
pub(crate) mod reach;
pub(crate) mod scan;
