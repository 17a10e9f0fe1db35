//! Data that only reports need: a closer look at the first battles, and the findings with other players.
//!
//! It is stored in the results folder next to the counts; like them, it depends only on the study and the number of
//! battles.

mod again;

use crate::players::{Players, ask};
use crate::progress::{Progress, Stop};
use crate::results::Manifest;
use crate::runner::Tallied;
use crate::study::Study;
use crate::watched::{Watched, watch};

pub(crate) use again::again;
pub use again::complete;

/// The data that a report shows in addition to the counts.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ForReport {
    /// The first battles.
    pub watched: Option<Watched>,
    /// The findings under other players.
    pub players: Option<Players>,
}

impl ForReport {
    /// Produces the data from a run that has ended; `None` if `stop` was raised before it was complete.
    ///
    /// `asked` is the number of battles requested for each cell.
    pub(crate) fn of(
        study: &Study,
        tallied: &Tallied,
        asked: u64,
        progress: &dyn Progress,
        stop: &Stop,
    ) -> Option<Self> {
        let watched = watch(study, tallied, asked, stop);
        if watched.is_none() && stop.is_raised() {
            return None;
        }
        let players = ask(study, tallied, progress.solving(), stop);
        if players.is_none() && !study.ladder.is_empty() && stop.is_raised() {
            return None;
        }
        Some(Self { watched, players })
    }

    /// The part that still applies to a study whose questions may have changed.
    pub(crate) fn still_asked(self, manifest: &Manifest) -> Self {
        let ladder = manifest.report.players.as_ref();
        Self { players: self.players.filter(|players| players.answer(ladder)), ..self }
    }
}
