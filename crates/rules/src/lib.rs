//! Rule packs: from files to a checked model to compiled tables.
//!
//! [`library::load`] reads a pack, with everything it extends, into a [`grognard_source::Document`]; [`compile()`]
//! checks it and turns it into [`model::Rules`]. See `docs/architecture.md` for the path of a pack through this crate.
//!
//! ```
//! use grognard_rules::library;
//! use grognard_source::Sources;
//!
//! let mut sources = Sources::new();
//! let rules = library::load("risk", None, &mut sources).and_then(|pack| pack.compile(&sources)).expect("a built-in pack");
//! assert_eq!(rules.name, "risk");
//! // Faults are collected, each with its place.
//! let faults = library::load("rsik", None, &mut sources).expect_err("no such pack");
//! assert!(faults.render(&sources, false).contains("risk"));
//! ```

mod compile;
pub mod library;
pub mod model;
pub mod situation;
pub mod wire;

pub use compile::{Compiled, compile, compile_with_warnings, pack_schema, part_schema};
