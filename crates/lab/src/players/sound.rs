//! Checks results with other players after they are read: files can come from anywhere.

use super::{Players, Value};
use crate::results::Manifest;
use crate::tally::Histogram;

impl Players {
    /// Checks that no cell is missing, and that all counts are within their bounds.
    ///
    /// # Errors
    /// The data is invalid; the string says why.
    pub(crate) fn check(&self, manifest: &Manifest) -> Result<(), String> {
        const MOST: u32 = 1 << 20;
        if self.per == 0 || self.per > 2 || self.round == 0 || self.round > 2 || self.most > MOST {
            return Err("its numbers cannot come from battles".to_owned());
        }
        let most = i64::from(self.most * self.round);
        let observed = self.battles / u64::from(self.round);
        let within = |counts: &Histogram, least: i64| {
            counts.is_sound()
                && counts.runs() == observed
                && counts.iter().all(|(value, _)| (least..=most).contains(&i64::from(value)))
        };
        for under in &self.players {
            let player = &under.player;
            if under.cells.len() != manifest.cells.len() {
                return Err(format!("for the player {player}, its cells differ from the study's"));
            }
            for (cell, found) in manifest.cells.iter().zip(&under.cells) {
                let compared = cell.baseline.is_some_and(|baseline| baseline != cell.cell);
                let sound = match &found.value {
                    Value::Fought { own, apart } => {
                        within(own, 0) && apart.is_some() == compared && apart.iter().all(|apart| within(apart, -most))
                    }
                    Value::Solved { low, high } => {
                        let most = most.max(1).unsigned_abs() * 1_000_000_000_000;
                        low <= high && low.unsigned_abs().max(high.unsigned_abs()) <= most
                    }
                };
                if !sound {
                    return Err(format!("for the player {player}, the counts of cell {} are wrong", cell.cell));
                }
            }
        }
        Ok(())
    }
}
