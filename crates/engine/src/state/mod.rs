//! The state of a battle: everything that one step leaves to the next, and what a battle starts from.

pub(crate) mod battle;
pub(crate) mod general;
pub(crate) mod hex;
pub(crate) mod marks;
pub(crate) mod outcome;
pub(crate) mod side;
pub(crate) mod terrain;
pub(crate) mod unit;
pub(crate) mod unit_set;
