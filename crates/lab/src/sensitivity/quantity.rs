//! The metric of a question: wins, or another number that each battle has.

use grognard_engine::{METRICS, Metric, Outcome, Side};
#[cfg(feature = "folders")]
use grognard_stats::Sums;

use crate::results::{DRAW, TURNS, WIN, names_of_quantities, quantities};
use crate::study::Study;

/// A number that every battle has, and whose mean is the answer.
#[derive(Clone, Debug)]
pub struct Quantity {
    /// Its name: a side for its wins, `draw`, `turns`, or `<side>.<metric>`.
    pub name: String,
    /// Whether it is a share of battles.
    pub share: bool,
    side: Option<Side>,
    read: Read,
    /// Its maximum in any battle, as [`Self::in_battle`] counts it.
    pub(crate) most: i64,
    /// The divisor of [`Self::in_battle`]: 2 if it counts half points.
    pub(crate) per: i32,
}

#[derive(Clone, Copy, Debug)]
enum Read {
    Winner,
    Score,
    Turns,
    Metric(&'static Metric),
}

impl Quantity {
    /// The quantity of this name in battles of the study; the first side's wins if none is given.
    #[must_use]
    pub fn of(study: &Study, name: Option<&str>) -> Option<Self> {
        let names = names_of_quantities(&study.sides);
        let name = name.unwrap_or(&study.sides[0]);
        let place = names.iter().position(|known| known == name)?;
        let (side, key, share) = quantities(study.sides.len())[place];
        let read = match key {
            WIN | DRAW => Read::Winner,
            TURNS => Read::Turns,
            key => Read::Metric(METRICS.iter().find(|metric| metric.key == key)?),
        };
        let cells = || study.cells.iter().map(|cell| &cell.header);
        let turns = cells().map(|cell| i64::from(cell.turns)).max().unwrap_or(0);
        let figures = cells().flat_map(|cell| cell.figures.iter().copied()).map(i64::from).max().unwrap_or(0);
        let most = if share { 1 } else { turns.max(figures) };
        Some(Self { name: name.to_owned(), share, side, read, most, per: 1 })
    }

    /// A side's score: the share of battles that it wins plus half of the draws.
    ///
    /// # Panics
    ///
    /// If the study does not have the side.
    #[must_use]
    pub fn score(study: &Study, side: Side) -> Self {
        let name = format!("{} score", study.sides[side.index()]);
        Self { name, share: true, side: Some(side), read: Read::Score, most: 2, per: 2 }
    }

    /// Whether it is a side's wins.
    #[must_use]
    pub fn is_wins(&self) -> bool {
        self.side.is_some() && matches!(self.read, Read::Winner)
    }

    /// The side that it belongs to; `None` for draws and turns.
    #[must_use]
    pub fn side(&self) -> Option<Side> {
        self.side
    }

    /// Whether it is a loss, which a side wants low.
    #[must_use]
    pub fn is_lost(&self) -> bool {
        matches!(self.read, Read::Metric(_))
    }

    /// 1 if a side wants it high, −1 if it wants it low; the other side wants the opposite. `None` if it does not
    /// belong to a side.
    #[must_use]
    pub fn sign_for(&self, side: Side) -> Option<i32> {
        let high = self.is_wins() || self.is_score();
        if !high && !self.is_lost() {
            return None;
        }
        Some(if (self.side? == side) == high { 1 } else { -1 })
    }

    /// Whether it is a side's score.
    #[must_use]
    pub fn is_score(&self) -> bool {
        matches!(self.read, Read::Score)
    }

    /// Its value in a battle.
    pub(crate) fn in_battle(&self, outcome: &Outcome) -> i32 {
        match (self.read, self.side) {
            (Read::Winner, side) => i32::from(outcome.winner == side),
            (Read::Score, side) => outcome.winner.map_or(1, |winner| 2 * i32::from(Some(winner) == side)),
            (Read::Metric(metric), Some(side)) => i32::from(metric.of(&outcome.sides[side])),
            (Read::Turns | Read::Metric(_), _) => i32::from(outcome.turns),
        }
    }

    /// Its sums over observations of `round` battles, minus those of the same battles in a baseline if there is one.
    #[cfg(feature = "folders")]
    pub(crate) fn sums(&self, outcomes: &[Outcome], baseline: Option<&[Outcome]>, round: usize) -> Sums {
        let total = |outcomes: &[Outcome]| outcomes.iter().map(|outcome| self.in_battle(outcome)).sum::<i32>();
        let rounds = outcomes.chunks(round).map(total);
        match baseline {
            None => Sums::of(rounds.map(|total| (total, 1))),
            Some(baseline) => Sums::of(rounds.zip(baseline.chunks(round)).map(|(own, base)| (own - total(base), 1))),
        }
    }
}
