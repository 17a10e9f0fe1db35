//! Coverage, by simulation, of what questions promise. What is drawn takes the place of battles; intervals, verdicts and
//! everything else are computed as in an answer. Seeds are fixed, so the result is always the same.
//!
//! `just covered` simulates more studies, for `docs/how-the-numbers-are-made.md`.

pub(crate) mod effects;
pub(crate) mod matchups;
pub(crate) mod tuning;

use crate::covered::drawn;
