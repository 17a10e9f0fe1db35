//! Results as a report reads them: cells with names for print, estimates with their intervals.

use std::collections::BTreeSet;
use std::ops::RangeInclusive;

use grognard_lab::exact::{Number, Odds};
use grognard_lab::results::{CellHeader, DRAW, Results, Setting, SummaryRow, WIN, outcome_difference};
use grognard_lab::tally::{CellTally, Histogram, PairedTally, Verdict};
use grognard_lab::{BySide, Side};
use grognard_stats::{Estimate, Intervals};

use crate::names::Names;

/// The words for a cell whose battles equal those of its baseline with the same dice.
pub(crate) const ALL_SAME: &str = "every battle ends the same way";
/// The words if only the winners and draws are the same.
pub(crate) const DECIDED_ALIKE: &str = "no battle ends with a different winner";

/// Results, and the focus of the report.
pub(crate) struct Reading<'a> {
    /// The results themselves.
    pub(crate) results: &'a Results,
    /// Names for print.
    pub(crate) names: Names,
    /// The side that the sentences are about: the one that the study changes, or the first.
    pub(crate) subject: Side,
    /// The side whose wins the sentences describe: the one that the study names, or else the subject, unless its
    /// wins hardly change and the other side's do.
    pub(crate) victor: Side,
    /// The report's main finding.
    pub(crate) headline: Headline<'a>,
}

/// The main finding of a report.
#[derive(Clone, Copy)]
pub(crate) struct Headline<'a> {
    /// The cell; `None` if no cell is compared with another and the study does not name one.
    pub(crate) cell: Option<&'a CellHeader>,
    /// The metric's side; `None` for draws and turns.
    pub(crate) side: Option<Side>,
    /// The metric's key: [`WIN`], [`DRAW`], `turns` or one of a side.
    pub(crate) metric: &'a str,
}

/// How often each value of a metric occurred.
pub(crate) enum Spread<'a> {
    /// In the battles that were fought, with their intervals, and the number of battles in one observation: 2 if they
    /// are fought both ways.
    Counted(&'a Histogram, Intervals, u64),
    /// In all possible battles, except for a share that was left out.
    WorkedOut(&'a Odds, f64),
}

impl Spread<'_> {
    /// The share of battles with each value that occurred, in ascending order.
    pub(crate) fn shares(&self) -> Vec<(i32, f64)> {
        match self {
            Self::Counted(histogram, ..) => {
                let runs = histogram.runs().max(1) as f64;
                histogram.iter().map(|(value, count)| (value, count as f64 / runs)).collect()
            }
            Self::WorkedOut(odds, left_out) => {
                let share = |(value, number): &(u32, Number)| (*value as i32, number.value / (1.0 - left_out));
                odds.values.iter().map(share).collect()
            }
        }
    }

    /// The share of battles with any value in this range.
    pub(crate) fn share_of(&self, values: RangeInclusive<i32>) -> Estimate {
        match self {
            Self::Counted(histogram, intervals, each) => {
                let counts = histogram.iter().filter(|(value, _)| values.contains(value)).map(|(_, count)| count);
                intervals.widest_share(counts.sum(), histogram.runs(), *each)
            }
            Self::WorkedOut(odds, left_out) => {
                let chance = odds.chance(|value| values.contains(&(value as i32)));
                Estimate::bounded(chance / (1.0 - left_out), chance, chance + left_out)
            }
        }
    }
}

/// A cell compared with its baseline.
pub(crate) struct Comparison<'a> {
    /// The cell.
    pub(crate) cell: &'a CellHeader,
    /// The cell it is compared with.
    pub(crate) baseline: &'a CellHeader,
    /// The cell's share or mean minus the baseline's.
    pub(crate) difference: Estimate,
}

impl<'a> Comparison<'a> {
    /// The cell and its baseline.
    pub(crate) fn cells(&self) -> [&'a CellHeader; 2] {
        [self.cell, self.baseline]
    }
}

impl<'a> Reading<'a> {
    /// Reads results.
    pub(crate) fn of(results: &'a Results) -> Self {
        let names = Names::of(&results.manifest);
        let subject = subject(results, &names);
        let headline = Headline { cell: None, side: Some(subject), metric: WIN };
        let reading = Self { results, names, subject, victor: subject, headline };
        let others = subject.onwards(results.manifest.sides.len()).iter().copied().skip(1);
        let other = others.max_by(|&one, &other| reading.moved(one).total_cmp(&reading.moved(other)));
        let moved = other.filter(|&other| 2.0 * reading.moved(subject) < reading.moved(other)).unwrap_or(subject);
        let (side, metric) = reading.asked().unwrap_or((Some(moved), WIN));
        let victor = side.filter(|_| metric == WIN).unwrap_or(moved);
        let cell = reading.named().or_else(|| nearest(&reading, &reading.comparisons(side, metric)));
        Self { victor, headline: Headline { cell, side, metric }, ..reading }
    }

    /// The cell that the study leads with, if it names one.
    fn named(&self) -> Option<&'a CellHeader> {
        let headline = self.results.manifest.report.headline.as_ref()?;
        self.cells().iter().find(|cell| cell.cell == headline.cell)
    }

    /// The metric that the study leads with, if it names one.
    fn asked(&self) -> Option<(Option<Side>, &'a str)> {
        let manifest = &self.results.manifest;
        let name = manifest.report.headline.as_ref()?.metric.as_deref()?;
        let sides = manifest.side_names();
        let named = |name: &str| sides.sides().iter().copied().find(|&side| sides[side] == name);
        if let Some(side) = named(name) {
            return Some((Some(side), WIN));
        }
        match name.rsplit_once('.') {
            Some((side, key)) => Some((named(side), key)),
            None => Some((None, name)),
        }
    }

    /// The headline's comparison; `None` if its cell is not compared with another.
    pub(crate) fn led(&self) -> Option<Comparison<'a>> {
        let (cell, Headline { side, metric, .. }) = (self.headline.cell?, self.headline);
        self.comparisons(side, metric).into_iter().find(|comparison| comparison.cell.cell == cell.cell)
    }

    /// The comparison of the headline's cell among these, or else the largest.
    pub(crate) fn headlined<'b>(&self, comparisons: &'b [Comparison<'a>]) -> Option<&'b Comparison<'a>> {
        let led = |comparison: &&Comparison<'_>| Some(comparison.cell.cell) == self.headline.cell.map(|cell| cell.cell);
        comparisons.iter().find(led).or_else(|| greatest(comparisons))
    }

    /// The cells in question: those that differ from the headline's only in what the study contrasts; if the study
    /// names its cells, all of them. No more than fit on a page.
    pub(crate) fn asked_about(&self) -> Vec<&'a CellHeader> {
        /// Maximum number of rows on the first page.
        const MOST: usize = 12;
        const KEPT: usize = 4;
        let Some(headline) = self.headline.cell else { return self.cells().iter().take(MOST).collect() };
        let outer = |cell: &CellHeader| -> Vec<Setting> {
            cell.vary.iter().filter(|setting| !self.names.is_inner(&setting.path)).cloned().collect()
        };
        let shared = outer(headline);
        let alike = |cell: &&CellHeader| self.names.labelled || outer(cell) == shared;
        let all: Vec<&CellHeader> = self.cells().iter().filter(alike).collect();
        let in_pair = |cell: &CellHeader| cell.cell == headline.cell || Some(cell.cell) == headline.baseline;
        if all.len() <= MOST && !all.iter().skip(KEPT).any(|cell| in_pair(cell)) {
            return all;
        }
        let few = all.len() <= MOST;
        // The headline's cells come first, so that they are shown on a page without room for all rows.
        let (mut pair, others): (Vec<&CellHeader>, Vec<&CellHeader>) = all.into_iter().partition(|cell| in_pair(cell));
        if few {
            pair.extend(others);
        }
        pair
    }

    /// Whether every battle of the cell equals the battle with the same dice in its baseline.
    pub(crate) fn is_same(&self, cell: &CellHeader) -> bool {
        self.tally(cell).and_then(|tally| tally.paired.as_ref()).is_some_and(PairedTally::is_same)
    }

    /// The words for a cell whose battles equal those of its baseline, or have the same winners: [`ALL_SAME`] or
    /// [`DECIDED_ALIKE`]; `None` for other cells.
    pub(crate) fn sameness(&self, cell: &CellHeader) -> Option<&'static str> {
        let paired = self.tally(cell)?.paired.as_ref()?;
        if paired.is_same() { Some(ALL_SAME) } else { paired.is_decided_alike().then_some(DECIDED_ALIKE) }
    }

    /// By how much `side`'s wins differ beyond the margin of error: between cells and their baselines, or else between
    /// any two cells.
    fn moved(&self, side: Side) -> f64 {
        let comparisons = self.comparisons(Some(side), WIN);
        if !comparisons.is_empty() {
            let sure = comparisons.iter().filter(|comparison| !comparison.difference.holds(0.0));
            return sure.map(|comparison| comparison.difference.point.abs()).fold(0.0, f64::max);
        }
        let wins = || self.cells().iter().filter_map(|cell| self.wins(cell, side));
        let least = wins().map(|wins| wins.high).fold(1.0, f64::min);
        let most = wins().map(|wins| wins.low).fold(0.0, f64::max);
        (most - least).max(0.0)
    }

    /// Whether there are several cells and each side wins equally often in all of them, so that no chart of wins has
    /// anything to show.
    pub(crate) fn is_still(&self) -> bool {
        let [first, others @ ..] = self.cells() else { return false };
        let sides = Side::first(self.results.manifest.sides.len());
        let wins = |cell: &CellHeader| -> Vec<Option<f64>> {
            sides.iter().map(|&side| self.wins(cell, side).map(|wins| wins.point)).collect()
        };
        !others.is_empty() && others.iter().all(|cell| wins(cell) == wins(first))
    }

    /// The cells, in order.
    pub(crate) fn cells(&self) -> &'a [CellHeader] {
        &self.results.manifest.cells
    }

    /// The sides' names in words.
    pub(crate) fn sides(&self) -> BySide<String> {
        self.results.manifest.side_names().map(crate::text::spaced)
    }

    /// The folder's intervals.
    pub(crate) fn intervals(&self) -> Intervals {
        self.results.manifest.intervals()
    }

    /// The number of battles in one observation: two if battles are fought both ways.
    pub(crate) fn each(&self) -> u64 {
        if self.results.tallies.iter().any(|tally| tally.rounds.is_some()) { 2 } else { 1 }
    }

    /// How often `side` won.
    pub(crate) fn wins(&self, cell: &CellHeader, side: Side) -> Option<Estimate> {
        self.results.estimate(cell.cell, Some(side), WIN).map(SummaryRow::estimate)
    }

    /// The share of draws.
    pub(crate) fn draws(&self, cell: &CellHeader) -> Option<Estimate> {
        self.results.estimate(cell.cell, None, DRAW).map(SummaryRow::estimate)
    }

    /// The mean of a metric.
    pub(crate) fn mean(&self, cell: &CellHeader, side: Option<Side>, metric: &str) -> Option<Estimate> {
        self.results.estimate(cell.cell, side, metric).map(SummaryRow::estimate)
    }

    /// The counts of the cell; `None` for exact odds.
    pub(crate) fn tally(&self, cell: &CellHeader) -> Option<&'a CellTally> {
        self.results.tallies.get(self.place(cell)?)
    }

    /// The index of a cell among those of the results.
    fn place(&self, cell: &CellHeader) -> Option<usize> {
        self.results.manifest.place(cell.cell)
    }

    /// The turns of the longest battle.
    pub(crate) fn longest(&self, cell: &CellHeader) -> Option<i32> {
        let place = self.place(cell)?;
        let counted = self.results.tallies.get(place).and_then(|tally| tally.turns.iter().next_back());
        let worked_out = || self.results.odds.get(place)?.turns.values.last().map(|(turns, _)| *turns as i32);
        counted.map(|(turns, _)| turns).or_else(worked_out)
    }

    /// The frequency of each number of turns; `None` if there are no counts.
    pub(crate) fn turns(&self, cell: &CellHeader) -> Option<Spread<'a>> {
        let place = self.place(cell)?;
        match (self.results.tallies.get(place), self.results.odds.get(place)) {
            (Some(tally), _) => Some(Spread::Counted(&tally.turns, self.intervals(), self.each())),
            (None, Some(odds)) => Some(Spread::WorkedOut(&odds.turns, odds.left_out)),
            (None, None) => None,
        }
    }

    /// The frequency or probability of each value of the metric at this position; `None` if there are no counts.
    pub(crate) fn spread(&self, cell: &CellHeader, side: Side, metric: usize) -> Option<Spread<'a>> {
        let place = self.place(cell)?;
        let results = self.results;
        match (results.tallies.get(place), results.odds.get(place)) {
            (Some(tally), _) => Some(Spread::Counted(tally.metrics[side].get(metric)?, self.intervals(), self.each())),
            (None, Some(odds)) => Some(Spread::WorkedOut(odds.metrics[side].get(metric)?, odds.left_out)),
            (None, None) => None,
        }
    }

    /// The share of battles with each value of a metric of the pack, by its index among those with a histogram.
    pub(crate) fn shares_counted(&self, cell: &CellHeader, side: Side, metric: usize) -> Option<Vec<(i32, f64)>> {
        self.results.shares_counted(self.place(cell)?, side, metric)
    }

    /// The losses of two sides, the first side's first, with the probability of each pair; `None` without exact odds.
    pub(crate) fn losses_together(&self, cell: &CellHeader) -> Option<Vec<([u16; 2], f64)>> {
        let odds = self.results.odds.get(self.place(cell)?)?;
        let share = |(losses, chance): (Vec<u16>, f64)| Some((losses.try_into().ok()?, chance / (1.0 - odds.left_out)));
        odds.losses_together().into_iter().map(share).collect()
    }

    /// Whether more than two sides fight.
    pub(crate) fn is_of_many(&self) -> bool {
        self.results.manifest.sides.len() > 2
    }

    /// Every cell that has a baseline other than itself, compared with it in `metric`.
    pub(crate) fn comparisons(&self, side: Option<Side>, metric: &str) -> Vec<Comparison<'a>> {
        let compare = |cell: &'a CellHeader| {
            let baseline = self.results.manifest.cell(cell.baseline?)?;
            let difference = self.results.difference(cell.cell, side, metric)?.estimate();
            (baseline.cell != cell.cell).then_some(Comparison { cell, baseline, difference })
        };
        self.cells().iter().filter_map(compare).collect()
    }

    /// The factor by which using the same dice multiplied the value of the battles, over all comparisons of `side`'s
    /// wins. It is the sum of the variances that the differences would have from independent battles, divided by the
    /// sum of their actual variances. `None` for exact odds, and if nothing differed.
    pub(crate) fn worth(&self, side: Side) -> Option<f64> {
        let (mut independent, mut paired) = (0.0, 0.0);
        for comparison in self.comparisons(Some(side), WIN) {
            let Some(ratio) =
                self.results.difference(comparison.cell.cell, Some(side), WIN).and_then(|row| row.variance_ratio)
            else {
                continue;
            };
            // At the same level and number of battles, the width of an interval is proportional to the square root of
            // the variance.
            let wins = [comparison.cell, comparison.baseline].map(|cell| self.wins(cell, side));
            let variance: f64 = wins.into_iter().flatten().map(|wins| (wins.high - wins.low).powi(2)).sum();
            independent += variance;
            paired += ratio * variance;
        }
        (paired > 0.0).then(|| independent / paired)
    }

    /// `side`'s wins in the cell minus those in its baseline, with an interval that is simultaneous with those of all
    /// `comparisons`; `None` for exact odds.
    pub(crate) fn together(&self, cell: &CellHeader, side: Side, comparisons: usize) -> Option<Estimate> {
        let intervals = self.intervals();
        // Intervals that are already simultaneous are not widened again.
        let promised = self.results.manifest.promise.together;
        let intervals = if promised { intervals } else { intervals.together(comparisons) };
        let paired = self.tally(cell)?.paired.as_ref()?;
        Some(outcome_difference(paired, Verdict::of(Some(side)), intervals))
    }
}

/// The cell whose comparison shares the most words with the study's question; if several tie, the first of them.
fn nearest<'a>(reading: &Reading<'a>, comparisons: &[Comparison<'a>]) -> Option<&'a CellHeader> {
    let question = words(&reading.results.manifest.report.question);
    let near = |comparison: &Comparison<'_>| {
        let (cell, baseline) = (comparison.cell, comparison.baseline);
        let names = &reading.names;
        let told = [names.apart(cell, baseline), names.apart(baseline, cell), names.alike(cell, baseline)].join(" ");
        words(&told).intersection(&question).count()
    };
    comparisons.iter().rev().max_by_key(|comparison| near(comparison)).map(|comparison| comparison.cell)
}

/// The words of a text by their stems, so that `squares` equals `square`; short words are ignored.
fn words(text: &str) -> BTreeSet<String> {
    let words = text.split(|letter: char| !letter.is_alphanumeric()).map(str::to_lowercase);
    let long = words.filter(|word| word.chars().count() > 3 || word.chars().all(|letter| letter.is_ascii_digit()));
    long.map(|word| word.strip_suffix('s').unwrap_or(&word).to_owned()).filter(|word| !word.is_empty()).collect()
}

/// The comparison with the largest difference; if several are equal, the first.
pub(crate) fn greatest<'a, 'b>(comparisons: &'b [Comparison<'a>]) -> Option<&'b Comparison<'a>> {
    comparisons.iter().rev().max_by(|left, right| left.difference.point.abs().total_cmp(&right.difference.point.abs()))
}

/// The number of other estimates in `all` that cannot be distinguished from `chosen`, because their intervals overlap.
pub(crate) fn rivals(all: &[Estimate], chosen: &Estimate) -> usize {
    let overlaps = |other: &&Estimate| other.low <= chosen.high && chosen.low <= other.high;
    all.iter().filter(overlaps).count().saturating_sub(1)
}

/// The size of a difference, whatever its direction.
pub(crate) fn size(difference: &Estimate) -> Estimate {
    let Estimate { point, low, high, .. } = *difference;
    let (near, far) = (low.abs().min(high.abs()), low.abs().max(high.abs()));
    Estimate { point: point.abs(), low: if difference.holds(0.0) { 0.0 } else { near }, high: far, ..*difference }
}

/// The side that the contrasted paths, or else all varied paths, belong to.
fn subject(results: &Results, names: &Names) -> Side {
    let manifest = &results.manifest;
    let sides = manifest.side_names();
    let owner = |path: &str| sides.sides().iter().copied().find(|&side| path.split('.').next() == Some(sides[side]));
    let contrasted = names.inner.iter().filter_map(|&path| manifest.vary.get(path));
    contrasted.chain(&manifest.vary).find_map(|varied| owner(&varied.path)).unwrap_or(Side::First)
}

/// The settings of `cell` that `other` does not share.
pub(crate) fn differing<'a>(cell: &'a CellHeader, other: &CellHeader) -> Vec<&'a Setting> {
    cell.vary.iter().filter(|setting| !other.vary.contains(setting)).collect()
}

/// The settings of `cell` that `other` shares.
pub(crate) fn shared<'a>(cell: &'a CellHeader, other: &CellHeader) -> Vec<&'a Setting> {
    cell.vary.iter().filter(|setting| other.vary.contains(setting)).collect()
}
