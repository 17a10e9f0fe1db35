//! What phases do. Each mechanism plays one unit's part in a phase; doctrine says what the player would do, the rules say
//! whether it may, and chance is asked through the field alone.

pub(crate) mod common;
pub(crate) mod figures;
pub(crate) mod hex;
pub(crate) mod points;
