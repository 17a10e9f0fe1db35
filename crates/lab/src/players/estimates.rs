//! The numbers under each player with their intervals, and whether a finding keeps its sign.

use grognard_stats::{Estimate, Intervals};

use super::{BEST, CellUnder, Led, Players, Under, Value};
use crate::results::Manifest;
use crate::tally::Histogram;

/// A difference between a cell and its baseline, under every player.
#[derive(Clone, Debug, PartialEq)]
pub struct Finding {
    /// The cell.
    pub cell: u32,
    /// The cell it is compared with.
    pub baseline: u32,
    /// The difference under each player, in order; `None` if the player leads no side of either cell.
    pub under: Vec<Option<Estimate>>,
}

/// Whether a finding depends on who plays.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Sign {
    /// It has the same sign under all players.
    Kept,
    /// It is positive under some players and negative under others.
    Changes,
    /// Under these players, by index, it may be 0. All others agree on its sign.
    Unsure(Vec<usize>),
    /// It is computed to be 0 under all players.
    Nothing,
}

impl Sign {
    /// Its name in JSON.
    #[must_use]
    pub fn name(&self) -> &'static str {
        match self {
            Self::Kept => "kept",
            Self::Changes => "changes",
            Self::Unsure(_) => "unclear",
            Self::Nothing => "none",
        }
    }
}

impl Finding {
    /// Whether it depends on who plays.
    #[must_use]
    pub fn sign(&self) -> Sign {
        let told = || self.under.iter().enumerate().filter_map(|(place, found)| Some((place, found.as_ref()?)));
        let (more, less) = (told().any(|(_, found)| found.low > 0.0), told().any(|(_, found)| found.high < 0.0));
        let unsure: Vec<usize> = told().filter(|(_, found)| found.holds(0.0)).map(|(place, _)| place).collect();
        match (more, less) {
            (true, true) => Sign::Changes,
            _ if told().all(|(_, found)| found.low == 0.0 && found.high == 0.0) => Sign::Nothing,
            _ if unsure.is_empty() => Sign::Kept,
            _ => Sign::Unsure(unsure),
        }
    }
}

impl Players {
    /// The number in the cell with this index, under each player; `None` if the player leads no side of it. The
    /// intervals are not simultaneous.
    #[must_use]
    pub fn values(&self, manifest: &Manifest, cell: usize) -> Vec<Option<Estimate>> {
        let value = |under: &Under| {
            let found = under.cells.get(cell).filter(|found| under.asks(found))?;
            Some(match &found.value {
                Value::Fought { own, .. } => self.mean(own, manifest.intervals(), false),
                Value::Solved { low, high } => self.between(*low, *high),
            })
        };
        self.players.iter().map(value).collect()
    }

    /// Every difference between a cell and its baseline. All intervals, under all players, are simultaneous.
    #[must_use]
    pub fn findings(&self, manifest: &Manifest) -> Vec<Finding> {
        let compared = || {
            manifest
                .cells
                .iter()
                .filter_map(|cell| Some((cell.cell, cell.baseline?)))
                .filter(|(cell, baseline)| cell != baseline)
        };
        let sampled = self.players.iter().filter(|under| under.player != BEST).count();
        let intervals = manifest.joint(compared().count() * sampled);
        let under = |under: &Under, cell: u32, baseline: u32| {
            let [own, base] = [cell, baseline].map(|cell| under.cells.get(cell as usize));
            let (own, base) = (own?, base?);
            if !under.asks(own) && !under.asks(base) {
                return None;
            }
            match (&own.value, &base.value) {
                (Value::Fought { apart, .. }, _) => Some(self.mean(apart.as_ref()?, intervals, true)),
                (Value::Solved { low, high }, Value::Solved { low: least, high: most }) => {
                    Some(self.between(low - most, high - least))
                }
                _ => None,
            }
        };
        let finding = |(cell, baseline)| {
            let under = self.players.iter().map(|player| under(player, cell, baseline)).collect();
            Finding { cell, baseline, under }
        };
        compared().map(finding).collect()
    }

    /// Whether every battle of a cell under the player with this index ended like the one with the same dice in its
    /// baseline.
    #[must_use]
    pub fn is_same(&self, place: usize, cell: u32) -> bool {
        match self.players.get(place).and_then(|under| under.cells.get(cell as usize)).map(|found| &found.value) {
            Some(Value::Fought { apart: Some(apart), .. }) => apart.iter().all(|(value, _)| value == 0),
            _ => false,
        }
    }

    /// The mean over battles, from the counts of observations; `apart` if these are differences.
    fn mean(&self, counts: &Histogram, intervals: Intervals, apart: bool) -> Estimate {
        let most = i32::try_from(self.most * self.round).unwrap_or(i32::MAX);
        let sums = intervals.mean(counts.iter(), if apart { -most } else { 0 }..=most);
        let parts = f64::from(self.per * self.round);
        let [point, low, high] = [sums.point, sums.low, sums.high].map(|value| value / parts);
        Estimate { point, low, high, runs: sums.runs * u64::from(self.round), ..sums }
    }

    /// A number that lies between two solved bounds, which may be equal.
    fn between(&self, low: i64, high: i64) -> Estimate {
        let [low, high] = [low, high].map(|value| value as f64 / 1e12);
        if low == high { Estimate::computed(low) } else { Estimate::bounded(f64::midpoint(low, high), low, high) }
    }
}

impl Under {
    /// Whether the player leads a side of the cell; always true of the doctrines themselves.
    fn asks(&self, cell: &CellUnder) -> bool {
        self.is_default() || cell.led.contains(&Led::Player)
    }

    /// Whether this is not a player, but the doctrines themselves.
    #[must_use]
    pub fn is_default(&self) -> bool {
        self.player == grognard_rules::model::DEFAULT_PLAYER
    }
}
