//! What phases do. Each mechanism plays one unit's part in a phase; doctrine says what the player would do, the rules say
//! whether it may, and dice are rolled through [`Context`](crate::step::context::Context) alone.

pub(crate) mod common;
pub(crate) mod figures;
pub(crate) mod hex;
pub(crate) mod points;
