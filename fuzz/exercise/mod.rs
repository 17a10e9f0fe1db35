//! Handles hostile input, for `cargo fuzz` and for the crates' tests, which use the corpus and mutations of it.
//!
//! Each function takes an untrusted text, does everything with it that the command would, and asserts the rule for any
//! input: the text is either valid, or refused with reasons that can be printed. A panic is a defect, and so is an
//! endless loop.

pub(crate) mod battle;
pub(crate) mod expression;
pub(crate) mod mutation;
pub(crate) mod pack;
pub(crate) mod results;
pub(crate) mod study;
