//! Facts about a position on hexes: where units can go, and what could happen to them.

pub(crate) mod march;
pub(crate) mod motion;
pub(crate) mod reach;
pub(crate) mod scan;
