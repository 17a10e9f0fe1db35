//! How often metrics have which values.

use std::collections::BTreeMap;

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
    pub(super) fn counted(values: impl IntoIterator<Item = ([u32; N], u64)>) -> Self {
        let mut counts: BTreeMap<[u32; N], u64> = BTreeMap::new();
        for (values, count) in values {
            *counts.entry(values).or_default() += count;
        }
        let battles: u64 = counts.values().sum();
        let shares = counts.iter().map(|(&values, &count)| (values, count as f64 / battles as f64)).collect();
        Self { shares, counts: Some((counts, battles)) }
    }

    pub(super) fn exact(values: impl IntoIterator<Item = ([u32; N], f64)>) -> Self {
        let mut shares: BTreeMap<[u32; N], f64> = BTreeMap::new();
        for (values, chance) in values {
            *shares.entry(values).or_default() += chance;
        }
        Self { shares, counts: None }
    }

    /// The values that occurred, in ascending order, with the share of battles or the probability.
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
        self.shares.iter().map(|(&values, &share)| (values, share))
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

    /// The number of battles with these values; none for exact odds.
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

    /// The number of battles counted; none for exact odds.
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
