//! The mechanisms of phases. Each plays one unit's part in a phase: doctrine says what the player would do, the rules
//! say whether the unit may, and dice are rolled only through [`Context`](crate::step::context::Context).

pub(crate) mod common;
pub(crate) mod figures;
pub(crate) mod hex;
pub(crate) mod points;
