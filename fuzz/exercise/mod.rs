//! What is done with hostile input: by `cargo fuzz`, and by tests of the crates over the corpus and mutations of it.
//!
//! Each function takes a text as it might come from anybody, does with it all that the command would, and asserts what holds of any
//! input: it is refused with reasons that can be printed, or it is sound. A panic is a defect, and so is taking for ever.

pub(crate) mod battle;
pub(crate) mod expression;
pub(crate) mod mutation;
pub(crate) mod pack;
pub(crate) mod results;
pub(crate) mod study;
