//! The findings of a study with players other than its own: beginners, trained and perfect ones.
//!
//! The cells are fought again with both sides led by the same player and with the dice of the first battles; perfect
//! play is solved. Like everything in a results folder, the result depends only on the study and the number of battles.

mod ask;
mod estimates;
mod json;
#[cfg(feature = "folders")]
mod sound;
#[cfg(test)]
mod tests;

use grognard_engine::Side;
use serde::{Deserialize, Serialize};

use crate::results::DRAW;
use crate::sensitivity::Quantity;
use crate::study::Study;
use crate::tally::Histogram;

pub use ask::ask;
pub use estimates::{Finding, Sign};
pub(crate) use json::to_json;

/// The player who always plays perfectly.
pub const BEST: &str = grognard_rules::model::BEST_PLAYER;

/// The players with whom a study's findings are repeated.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Ladder {
    /// Their names, in the order in which they are reported.
    pub players: Vec<String>,
    /// The number that is compared: `attacker score`, `turns`, `defender.losses`.
    pub metric: String,
}

/// The results with other players.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Players {
    /// The number that was compared, as [`Ladder::metric`] names it.
    pub metric: String,
    /// Whether it is a share of battles.
    pub share: bool,
    /// The divisor of its counts: 2 for a score, which counts half points.
    pub per: u32,
    /// The maximum count in one battle.
    pub most: u32,
    /// Battles of one observation: two if every other battle has the roles of the sides exchanged.
    pub round: u32,
    /// The number of battles in each cell, from battle 0 on, under each player except perfect ones.
    pub battles: u64,
    /// The results with each player.
    pub players: Vec<Under>,
}

/// The results with one player.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Under {
    /// The player.
    pub player: String,
    /// Every cell of the study, in order.
    pub cells: Vec<CellUnder>,
    /// The doctrines whose orders perfect players of each side choose from, if these are not the side's own.
    #[serde(default, skip_serializing_if = "has_own")]
    pub doctrines: [Vec<String>; 2],
    /// The player whose orders perfect players choose from, or whose orders the sides' own doctrines give, if it is the
    /// same player on all sides.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub orders_of: Option<String>,
}

/// Whether perfect players have the orders of their sides' own doctrines.
fn has_own(doctrines: &[Vec<String>; 2]) -> bool {
    doctrines.iter().all(Vec::is_empty)
}

/// A cell under a player.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CellUnder {
    /// The player of each side.
    pub led: [Led; 2],
    /// The number.
    pub value: Value,
}

/// The player of a side.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Led {
    /// The player.
    Player,
    /// Its doctrine, because the doctrine lists no such player.
    Doctrine,
    /// The player that the study itself names for the side.
    Own,
}

/// A number under a player.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub enum Value {
    /// Estimated from battles.
    Fought {
        /// Its count in each observation.
        own: Histogram,
        /// The count minus that in the baseline under the same player; `None` for a baseline and for a cell without
        /// one.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        apart: Option<Histogram>,
    },
    /// Solved: it lies between these bounds, in millionths of millionths.
    Solved {
        /// The minimum.
        low: i64,
        /// The maximum.
        high: i64,
    },
}

/// The number to compare under other players if the report leads with this metric. It is the score instead of a side's
/// wins or of draws, because in the score one side's gain is the other's loss. `None` if not every battle has the
/// metric.
#[must_use]
pub fn quantity(study: &Study, metric: Option<&str>) -> Option<Quantity> {
    let outcome = |name: &str| name == DRAW || study.sides.iter().any(|side| side == name);
    match metric {
        Some(name) if !outcome(name) => Quantity::of(study, Some(name)),
        _ => Some(Quantity::score(study, Side::First)),
    }
}

impl Players {
    /// Whether these results answer the current question.
    #[must_use]
    pub fn answer(&self, ladder: Option<&Ladder>) -> bool {
        let names = || self.players.iter().map(|under| under.player.as_str());
        ladder
            .is_some_and(|ladder| ladder.metric == self.metric && names().eq(ladder.players.iter().map(String::as_str)))
    }

    /// Whether the number is the first side's score.
    #[must_use]
    pub fn is_score(&self) -> bool {
        self.per == 2
    }
}
