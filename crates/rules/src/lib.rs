//! Rule packs: from files to a checked model to compiled tables.
//!
//! See `docs/architecture.md` for the way of a pack through this crate.

pub mod expr;
pub mod roll;
pub mod source;
