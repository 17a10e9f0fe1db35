//! Geometry of the two boards, in integers throughout.

pub(crate) mod hex;
pub mod plane;
