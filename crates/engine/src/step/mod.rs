//! One step of a battle: what all mechanisms do alike - roll, react, carry out effects, ask doctrine.

pub(crate) mod choices;
pub(crate) mod context;
pub(crate) mod fight;
pub(crate) mod losses;
pub(crate) mod scratch;
pub(crate) mod watched;
