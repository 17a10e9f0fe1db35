//! Distributions of metrics.

use std::collections::{BTreeMap, btree_map};
use std::iter::Map;

/// The distribution of one metric, or the joint distribution of several: see
/// [`Cell::histogram`](crate::Cell::histogram).
///
/// ```
/// use grognard_kit::{Metric, Side, Study};
///
/// let answer = Study::load("risk-roll")?.fight().runs(1_000).run()?;
/// let losses = answer.cell(0)?.histogram([Metric::Losses(Side::Second)])?;
/// assert_eq!(losses.battles(), Some(1_000));
/// assert_eq!(losses.iter().filter_map(|([lost], _)| losses.count([lost])).sum::<u64>(), 1_000);
/// # Ok::<(), grognard_kit::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Histogram<const N: usize> {
    shares: BTreeMap<[u32; N], f64>,
    counts: Option<(BTreeMap<[u32; N], u64>, u64)>,
}

impl<const N: usize> Histogram<N> {
    /// Counts of battles by value; `None` stands for battles in which a metric has no value.
    pub(super) fn counted(values: impl IntoIterator<Item = (Option<[u32; N]>, u64)>) -> Self {
        let mut counts: BTreeMap<[u32; N], u64> = BTreeMap::new();
        let mut battles = 0;
        for (values, count) in values {
            battles += count;
            if let Some(values) = values {
                *counts.entry(values).or_default() += count;
            }
        }
        let shares = counts.iter().map(|(&values, &count)| (values, count as f64 / battles as f64)).collect();
        Self { shares, counts: Some((counts, battles)) }
    }

    /// Probabilities of values; `None` stands for battles in which a metric has no value.
    pub(super) fn exact(values: impl IntoIterator<Item = (Option<[u32; N]>, f64)>) -> Self {
        let mut shares: BTreeMap<[u32; N], f64> = BTreeMap::new();
        for (values, chance) in values.into_iter().filter_map(|(values, chance)| Some((values?, chance))) {
            *shares.entry(values).or_default() += chance;
        }
        Self { shares, counts: None }
    }

    /// The values that occurred, in ascending order, with the share of battles or the probability. Battles in which a
    /// metric has no value, such as the turn of a rout that did not happen, are omitted. The shares then add up to less
    /// than 1.
    ///
    /// ```
    /// # use grognard_kit::{Metric, Study};
    /// let odds = Study::load("risk-dice")?.exact().cells([0]).run()?;
    /// for ([turns], chance) in odds.cell(0)?.histogram([Metric::Turns])?.iter() {
    ///     println!("{turns} turns: {:.1} %", 100.0 * chance);
    /// }
    /// # Ok::<(), grognard_kit::Error>(())
    /// ```
    pub fn iter(&self) -> impl ExactSizeIterator<Item = ([u32; N], f64)> {
        self.into_iter()
    }

    /// The share of battles that have these values, or their probability.
    ///
    /// ```
    /// # use grognard_kit::{Metric, Study};
    /// let odds = Study::load("risk-roll")?.exact().run()?;
    /// assert_eq!(odds.cell(0)?.histogram([Metric::Turns])?.share([200]), 0.0);
    /// # Ok::<(), grognard_kit::Error>(())
    /// ```
    #[must_use]
    pub fn share(&self, values: [u32; N]) -> f64 {
        self.shares.get(&values).copied().unwrap_or_default()
    }

    /// The number of battles with these values; `None` for exact odds.
    ///
    /// ```
    /// # use grognard_kit::{Metric, Study};
    /// let answer = Study::load("risk-roll")?.fight().runs(500).run()?;
    /// assert_eq!(answer.cell(0)?.histogram([Metric::Turns])?.count([200]), Some(0));
    /// # Ok::<(), grognard_kit::Error>(())
    /// ```
    #[must_use]
    pub fn count(&self, values: [u32; N]) -> Option<u64> {
        self.counts.as_ref().map(|(counts, _)| counts.get(&values).copied().unwrap_or_default())
    }

    /// The number of battles counted, including those in which a metric has no value; `None` for exact odds.
    ///
    /// ```
    /// # use grognard_kit::{Keep, Metric, Side, Study};
    /// let answer = Study::load("risk-roll")?.fight().runs(500).keep(Keep::First(20)).run()?;
    /// let cell = answer.cell(0)?;
    /// assert_eq!(cell.histogram([Metric::Turns])?.battles(), Some(500));
    /// assert_eq!(cell.histogram([Metric::Turns, Metric::Draw])?.battles(), Some(20), "those that were kept");
    /// # Ok::<(), grognard_kit::Error>(())
    /// ```
    #[must_use]
    pub fn battles(&self) -> Option<u64> {
        self.counts.as_ref().map(|(_, battles)| *battles)
    }
}

impl<'a, const N: usize> IntoIterator for &'a Histogram<N> {
    type Item = ([u32; N], f64);
    type IntoIter = Map<btree_map::Iter<'a, [u32; N], f64>, fn((&'a [u32; N], &'a f64)) -> Self::Item>;

    fn into_iter(self) -> Self::IntoIter {
        let pair: fn((&'a [u32; N], &'a f64)) -> Self::Item = |(&values, &share)| (values, share);
        self.shares.iter().map(pair)
    }
}
