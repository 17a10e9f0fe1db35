//! Shares pooled over several cells, with intervals that account for their common dice.

use grognard_engine::{Outcome, Side};
use grognard_lab::results::outcome_share;
use grognard_lab::tally::Verdict;
use grognard_stats::{Estimate, Intervals, tied_difference, tied_mean};

use super::{Answer, Cell};
use crate::error::Error;

/// A number over several cells: see [`Answer::pooled`] and [`Answer::contrast`].
///
/// ```
/// use grognard_kit::{Side, Study};
///
/// let answer = Study::load("risk-roll")?.fight().runs(500).run()?;
/// let both = answer.pooled(Side::First, [0, 1])?;
/// assert!(both.estimate.holds(both.estimate.point) && !both.paired, "no battles were kept");
/// # Ok::<(), grognard_kit::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct Pooled {
    /// The number, with its interval.
    pub estimate: Estimate,
    /// Whether the interval comes from comparing individual battles, which makes it as narrow as possible. Otherwise it
    /// makes no assumption about how the cells' dice are related, and is wider.
    pub paired: bool,
}

impl Answer {
    /// The share of battles that a side wins, over several cells with equal weights.
    ///
    /// Battle `i` has the same dice in every cell, so cells are not independent samples. If all battles were kept, the
    /// interval comes from the results of battle `i` in all of the cells. Otherwise it is valid for any correlation.
    ///
    /// ```
    /// use grognard_kit::{Keep, Side, Study};
    ///
    /// let study = Study::load("square-vs-line")?.set("approach", "front")?;
    /// let answer = study.fight().runs(2_000).keep(Keep::All).run()?;
    /// let squares = answer.with([("defender.0.formation", "square")])?;
    /// let held = answer.pooled(Side::Second, squares.iter().map(|cell| cell.number()))?;
    /// println!("squares hold in {} of all battles", held.estimate.percent());
    /// assert!(held.paired);
    /// # Ok::<(), grognard_kit::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::NoCell`]; [`Error::Setting`]: there are no cells; [`Error::Unknown`]: the study does not have the side.
    pub fn pooled(&self, side: Side, cells: impl IntoIterator<Item = usize>) -> Result<Pooled, Error> {
        self.check_side(side)?;
        let cells = self.chosen(cells)?;
        Ok(self.pool(side, &cells, self.results().manifest.intervals()))
    }

    /// The difference between two groups of cells in the share of battles that a side wins: the first group's minus
    /// the second's, battle by battle if all were kept. For a single cell and its baseline, use
    /// [`Cell::difference`].
    ///
    /// ```
    /// use grognard_kit::{Keep, Side, Study};
    ///
    /// let study = Study::load("square-vs-line")?.set("approach", "front")?;
    /// let answer = study.fight().runs(2_000).keep(Keep::All).run()?;
    /// let of = |formation| answer.with([("defender.0.formation", formation)]).map(|cells| {
    ///     cells.iter().map(|cell| cell.number()).collect::<Vec<_>>()
    /// });
    /// let gain = answer.contrast(Side::Second, of("square")?, of("line")?)?;
    /// println!("squares instead of lines: {}", gain.estimate.points());
    /// # Ok::<(), grognard_kit::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`Answer::pooled`].
    pub fn contrast(
        &self,
        side: Side,
        cells: impl IntoIterator<Item = usize>,
        others: impl IntoIterator<Item = usize>,
    ) -> Result<Pooled, Error> {
        self.check_side(side)?;
        let (cells, others) = (self.chosen(cells)?, self.chosen(others)?);
        let intervals = self.results().manifest.intervals();
        if let ([cell], [other]) = (cells.as_slice(), others.as_slice())
            && cell.is_compared_with(other)
            && let Some(estimate) = cell.difference(self.sides()[side.index()])?
        {
            return Ok(Pooled { estimate, paired: true });
        }
        let weights = [(&cells, others.len()), (&others, cells.len())];
        if let Some(estimate) = self.by_battle(side, &weights, intervals) {
            return Ok(Pooled { estimate, paired: true });
        }
        let both = intervals.together(2);
        let [one, other] = [&cells, &others].map(|cells| self.pool(side, cells, both).estimate);
        let level = if one.is_computed() { one.level } else { intervals.level };
        let estimate = tied_difference(&one, &other, level);
        Ok(Pooled { estimate, paired: one.is_computed() })
    }

    fn chosen(&self, cells: impl IntoIterator<Item = usize>) -> Result<Vec<Cell<'_>>, Error> {
        let cells = cells.into_iter().map(|cell| self.cell(cell)).collect::<Result<Vec<_>, _>>()?;
        if cells.is_empty() {
            return Err(Error::setting("there are no cells to pool", "name at least one"));
        }
        Ok(cells)
    }

    fn pool(&self, side: Side, cells: &[Cell<'_>], intervals: Intervals) -> Pooled {
        if self.results().odds.is_empty() {
            if let [cell] = cells {
                let tally = &self.results().tallies[cell.place()];
                return Pooled { estimate: outcome_share(tally, Verdict::of(Some(side)), intervals), paired: true };
            }
            if let Some(estimate) = self.by_battle(side, &[(&cells.to_vec(), 1)], intervals) {
                return Pooled { estimate, paired: true };
            }
            // All of these intervals hold simultaneously, however the results of the cells are correlated.
            let each = intervals.together(cells.len());
            let tallies = cells.iter().map(|cell| &self.results().tallies[cell.place()]);
            let shares: Vec<Estimate> =
                tallies.map(|tally| outcome_share(tally, Verdict::of(Some(side)), each)).collect();
            return Pooled { estimate: tied_mean(&shares, intervals.level), paired: false };
        }
        let shares: Vec<Estimate> = cells.iter().map(|cell| cell.share(side)).collect();
        let level = shares.first().map_or(intervals.level, |share| share.level);
        Pooled { estimate: tied_mean(&shares, level), paired: true }
    }

    /// The mean over the cells of a side's wins, estimated from the weighted sum of the wins in each battle. Cells of
    /// the first group have positive weights, those of the second negative ones. `None` unless all battles were kept.
    fn by_battle(&self, side: Side, groups: &[(&Vec<Cell<'_>>, usize)], intervals: Intervals) -> Option<Estimate> {
        let battles = usize::try_from(self.battles()).ok().filter(|&battles| battles > 0)?;
        // Two battles with the same dice are one observation.
        let round = if self.results().tallies.first()?.rounds.is_some() { 2 } else { 1 };
        let mut sums = vec![0_i32; battles / round];
        let mut most = 0_i32;
        for (sign, (cells, times)) in [1, -1].into_iter().zip(groups) {
            let times = i32::try_from(*times).ok()?;
            for cell in *cells {
                let kept: &[Outcome] = cell.kept();
                if kept.len() != battles {
                    return None;
                }
                for (sum, battles) in sums.iter_mut().zip(kept.chunks(round)) {
                    let wins = battles.iter().filter(|outcome| outcome.winner == Some(side)).count();
                    *sum += sign * times * wins as i32;
                }
            }
            most = most.max(times.checked_mul(i32::try_from(cells.len() * round).ok()?)?);
        }
        let low = if groups.len() > 1 { -most } else { 0 };
        let mut counts = std::collections::BTreeMap::new();
        for sum in sums {
            *counts.entry(sum).or_insert(0_u64) += 1;
        }
        let sum = intervals.mean(counts, low..=most);
        let by = f64::from(most);
        let (point, low, high) = (sum.point / by, sum.low / by, sum.high / by);
        Some(Estimate { point, low, high, runs: battles as u64, ..sum })
    }
}
