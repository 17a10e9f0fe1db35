//! Helpers that the engine's tests share: packs, small positions, a witness that records everything, and comparisons of
//! sampled and exact odds.
#![allow(dead_code, unused_imports, reason = "each test program uses its own part of this")]

mod agree;
pub(crate) mod each;
pub(crate) mod ended;
mod game;
mod mutation;
mod packs;
mod picks;
mod profile;
mod recorder;
mod share;
mod witnessed;
mod words;
mod written;

pub(crate) use agree::{Z_MAX, agree, z_of_share};
pub(crate) use game::{Game, Men, block_of, deployment, line_of, unit};
pub(crate) use mutation::{MUTANT, Mutation};
pub(crate) use packs::{drill, load, load_once, load_with, pips};
pub(crate) use picks::Picks;
pub(crate) use profile::{bounds, dice, profile, table};
pub(crate) use recorder::{Recorder, modifiers_of};
pub(crate) use share::{Share, Shares, add, walk};
pub(crate) use witnessed::{LIST, witnessed};
pub(crate) use words::{Words, mix};
pub(crate) use written::{assert_one_fault, compiled, extended};
