//! What a report shows and nothing else needs: a closer look at the first battles, and the findings under other players.
//!
//! It stands in the results folder beside the counts, and like them it is a function of the study and the number of battles.

mod again;

use crate::players::{Players, ask};
use crate::progress::{Progress, Stop};
use crate::results::Manifest;
use crate::runner::Tallied;
use crate::study::Study;
use crate::watched::{Watched, watch};

pub(crate) use again::again;
pub use again::complete;

/// What a report shows beside the counts.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ForReport {
    /// The first battles.
    pub watched: Option<Watched>,
    /// The findings under other players.
    pub players: Option<Players>,
}

impl ForReport {
    /// Makes it from a run that has ended; none if `stop` was raised before it was whole.
    ///
    /// `asked` is how many battles of each cell were wanted.
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

    /// What of it belongs to a study that may have changed what it asks.
    pub(crate) fn still_asked(self, manifest: &Manifest) -> Self {
        let ladder = manifest.report.players.as_ref();
        Self { players: self.players.filter(|players| players.answer(ladder)), ..self }
    }
}
