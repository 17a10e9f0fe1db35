//! Measures by simulation how often the promises of questions hold. Random draws take the place of battles; intervals,
//! verdicts and everything else are computed as in an answer. Seeds are fixed, so the result is always the same.
//!
//! `just covered` simulates more studies, for `docs/how-the-numbers-are-made.md`.

pub(crate) mod effects;
pub(crate) mod matchups;
pub(crate) mod tuning;

use crate::covered::drawn;
