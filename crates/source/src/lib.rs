//! Documents: TOML in which every key and value remembers its location, and diagnostics that point there.
//!
//! [`read_file`] adds a text to the [`Sources`], [`Document::parse`] turns it into a tree, [`extend`] applies a variant
//! to its base, [`Document::set`] sets single values from outside, [`check_shape`] checks the tree against the schema
//! of a wire type, and [`decode`] converts it to that type. Each step reports everything that is wrong at once, in
//! [`Diagnostics`].
//!
//! ```
//! use grognard_source::{Absent, Document, Override, Sources, read_as};
//!
//! #[derive(serde::Deserialize, schemars::JsonSchema)]
//! #[serde(deny_unknown_fields)]
//! struct Fire {
//!     #[schemars(range(min = 1, max = 6))]
//!     need: u8,
//! }
//!
//! let mut sources = Sources::new();
//! let file = sources.add("fire.toml", "need = 4");
//! let mut document = Document::parse(file, &sources)?;
//! assert_eq!(read_as::<Fire>(&document)?.need, 4);
//!
//! let argument = sources.add("--set", "need=7");
//! document.set(&Override::parse(argument, &sources)?, Absent::Refuse)?;
//! let faults = read_as::<Fire>(&document).err().expect("no die shows a 7");
//! assert!(faults.render(&sources, false).starts_with("error: 7 is too large\n --> --set:1:6"));
//! # Ok::<(), grognard_source::Diagnostics>(())
//! ```

mod assist;
mod decode;
mod diagnostic;
mod difference;
mod document;
mod extend;
mod inches;
mod nearest;
mod overrides;
mod parse;
mod path;
mod read;
mod render;
mod schema;
mod shape;
mod span;

pub use assist::{Assist, Offer, assist};
pub use decode::{decode, read_as};
pub use diagnostic::{Diagnostic, Diagnostics, Note, PlainDiagnostic};
pub use difference::difference;
pub use document::{Document, Key, Node, Table, Value, has_ids};
pub use extend::{extend, slips};
pub use inches::{Inches, LengthError, SignedInches};
pub use nearest::{nearest, quoted, unknown_name};
pub use overrides::{Absent, Override};
pub use parse::{DEPTH_MAX, or_more};
pub use path::{Path, PathError};
pub use read::{FILE_SIZE_MAX, read_file};
pub use schema::{EXPECTED, unsupported_keywords};
pub use shape::{check_shape, check_shape_beside, names_key};
pub use span::{FileId, Position, Sources, Span};
