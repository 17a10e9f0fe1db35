//! One step of a battle, and the common parts of all mechanisms: rolls, reactions, effects and choices.

pub(crate) mod activation;
pub(crate) mod asking;
pub(crate) mod at_random;
pub(crate) mod banners;
pub(crate) mod choices;
pub(crate) mod context;
pub(crate) mod effects;
pub(crate) mod fight;
pub(crate) mod losses;
pub(crate) mod nearest;
pub(crate) mod player;
pub(crate) mod position;
pub(crate) mod reactions;
pub(crate) mod rolls;
pub(crate) mod scratch;
pub(crate) mod tracked_battle;

pub(crate) use context::Context;
pub(crate) use position::{Position, phase_of};
