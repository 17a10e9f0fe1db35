//! One step of a battle: what all mechanisms do alike - roll, react, carry out effects, ask doctrine.

pub(crate) mod activation;
pub(crate) mod choices;
pub(crate) mod context;
pub(crate) mod effects;
pub(crate) mod fight;
pub(crate) mod losses;
pub(crate) mod nearest;
pub(crate) mod position;
pub(crate) mod reactions;
pub(crate) mod rolls;
pub(crate) mod scratch;
pub(crate) mod tracked_battle;
