//! The mechanisms of phases. Each plays one unit's part in a phase. Doctrine decides what the player would do, the
//! rules decide whether the unit may do it, and dice are rolled only through
//! [`Context`](crate::step::context::Context).

pub(crate) mod common;
pub(crate) mod figures;
pub(crate) mod hex;
pub(crate) mod points;
