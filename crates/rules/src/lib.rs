//! Rule packs: from files to a checked model to compiled tables.
//!
//! [`library::load`] reads a pack with everything it extends into a [`grognard_source::Document`]; [`compile()`] checks it and makes it
//! into [`model::Rules`]. See `docs/architecture.md` for the way of a pack through this crate.

mod compile;
pub mod library;
pub mod model;
pub mod situation;
pub mod wire;

pub use compile::{compile, compile_with_warnings, pack_schema, part_schema};
