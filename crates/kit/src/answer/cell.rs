//! One cell of an answer.

use std::fmt;

use grognard_engine::{METRICS, Outcome, Side};
use grognard_lab::exact::{CellOdds, End};
use grognard_lab::results::{CellHeader, DRAW, SummaryRow, TURNS, WIN};
use grognard_lab::tally::Verdict;
use grognard_stats::Estimate;

use super::{Answer, Histogram};
use crate::error::Error;
use crate::metric::Metric;
use crate::study::Battle;

/// One cell of an [`Answer`]: one combination of the values that the study varies.
///
/// Its numbers have the same names as in `grognard run --json`. The name of a side stands for its share of wins; other
/// names are `draw`, `turns`, and metrics of a side such as `defender.losses`. Each is an [`Estimate`] with its
/// interval.
///
/// ```
/// use grognard_kit::{Side, Study};
///
/// let answer = Study::load("square-vs-line")?.fight().runs(1_000).run()?;
/// let square = answer.cell(18)?;
/// assert_eq!(square.share(Side::Second), square.estimate("defender")?);
/// let change = square.difference("defender")?.expect("it is compared with the line");
/// println!("squares hold {} more often", change.points());
/// # Ok::<(), grognard_kit::Error>(())
/// ```
#[derive(Clone, Copy)]
pub struct Cell<'a> {
    answer: &'a Answer,
    place: usize,
    header: &'a CellHeader,
}

impl<'a> Cell<'a> {
    pub(super) fn new(answer: &'a Answer, place: usize, header: &'a CellHeader) -> Self {
        Self { answer, place, header }
    }

    /// Its number, from 0.
    ///
    /// ```
    /// let answer = grognard_kit::Study::load("risk-roll")?.fight().runs(100).run()?;
    /// assert_eq!(answer.cell(1)?.number(), 1);
    /// # Ok::<(), grognard_kit::Error>(())
    /// ```
    #[must_use]
    pub fn number(&self) -> usize {
        self.header.cell as usize
    }

    /// Its label: the varied values that distinguish it, such as `square, heavy-cavalry, front`.
    ///
    /// ```
    /// let answer = grognard_kit::Study::load("square-vs-line")?.fight().runs(100).run()?;
    /// assert!(answer.cell(18)?.label().contains("square"));
    /// # Ok::<(), grognard_kit::Error>(())
    /// ```
    #[must_use]
    pub fn label(&self) -> &'a str {
        &self.header.label
    }

    /// The value of a varied path in this cell, as the study writes it; `None` for a path that the study does not vary.
    ///
    /// ```
    /// let answer = grognard_kit::Study::load("square-vs-line")?.fight().runs(100).run()?;
    /// assert_eq!(answer.cell(18)?.value("approach"), Some("front"));
    /// # Ok::<(), grognard_kit::Error>(())
    /// ```
    #[must_use]
    pub fn value(&self, path: &str) -> Option<&'a str> {
        self.header.vary.iter().find(|setting| setting.path == path).map(|setting| setting.value.text.as_str())
    }

    /// The value of a varied path as a number, if it is one.
    ///
    /// ```
    /// let study = grognard_kit::Study::load("square-vs-line")?.vary("distance", [8, 16])?;
    /// assert_eq!(study.fight().runs(100).run()?.cell(1)?.value_as_number("distance"), Some(16.0));
    /// # Ok::<(), grognard_kit::Error>(())
    /// ```
    #[must_use]
    pub fn value_as_number(&self, path: &str) -> Option<f64> {
        self.header.vary.iter().find(|setting| setting.path == path)?.value.number
    }

    /// The share of battles that a side wins, from 0 to 1. A side that the study does not have wins none: its share is
    /// exactly 0.
    ///
    /// ```
    /// # use grognard_kit::{Side, Study};
    /// let answer = Study::load("risk-roll")?.fight().runs(100).run()?;
    /// assert!(answer.cell(0)?.share(Side::First).low >= 0.0);
    /// # Ok::<(), grognard_kit::Error>(())
    /// ```
    #[must_use]
    pub fn share(&self, side: Side) -> Estimate {
        if self.answer.check_side(side).is_err() {
            return Estimate::computed(0.0);
        }
        self.always(Some(side), WIN)
    }

    /// The share of drawn battles, from 0 to 1.
    ///
    /// ```
    /// # use grognard_kit::Study;
    /// let answer = Study::load("risk-roll")?.fight().runs(100).run()?;
    /// assert!(answer.cell(0)?.draws().point <= 1.0);
    /// # Ok::<(), grognard_kit::Error>(())
    /// ```
    #[must_use]
    pub fn draws(&self) -> Estimate {
        self.always(None, DRAW)
    }

    /// A number of the cell by name, with its interval: see [`Cell`].
    ///
    /// ```
    /// let answer = grognard_kit::Study::load("risk-dice")?.fight().runs(100).run()?;
    /// println!("{}", answer.cell(0)?.estimate("defender.losses")?.plain());
    /// let slip = answer.cell(0)?.estimate("defender.loses").unwrap_err();
    /// assert_eq!(slip.to_string(), "there is no number `defender.loses`; did you mean `defender.losses`?");
    /// # Ok::<(), grognard_kit::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Unknown`]: there is no number with that name, or it has no value in any battle of the cell, such as the
    /// turn of a rout.
    pub fn estimate(&self, name: &str) -> Result<Estimate, Error> {
        let plain = |row: &&SummaryRow| !row.kind.is_difference() && !row.kind.is_controlled();
        let row = self.rows().filter(plain).find(|row| self.name(row) == name);
        row.map(SummaryRow::estimate).ok_or_else(|| self.no_number(name))
    }

    /// The difference of a number between this cell and its baseline, battle by battle; `None` for a cell that has no
    /// baseline or is its own baseline.
    ///
    /// ```
    /// let answer = grognard_kit::Study::load("square-vs-line")?.fight().runs(1_000).run()?;
    /// assert!(answer.cell(0)?.difference("attacker")?.is_none(), "the line is the baseline");
    /// assert!(answer.cell(18)?.difference("attacker")?.is_some_and(|change| change.high < 0.0));
    /// # Ok::<(), grognard_kit::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Unknown`]: there is no number with that name.
    pub fn difference(&self, name: &str) -> Result<Option<Estimate>, Error> {
        self.of_kind(name, |row| row.kind.is_difference())
    }

    /// A number of the cell with the luck of the dice removed; `None` if luck was not counted.
    ///
    /// ```
    /// let study = grognard_kit::Study::load("risk-dice")?;
    /// assert!(study.fight().runs(500).luck().run()?.cell(0)?.controlled("attacker")?.is_some());
    /// assert!(study.fight().runs(500).run()?.cell(0)?.controlled("attacker")?.is_none());
    /// # Ok::<(), grognard_kit::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Unknown`]: there is no number with that name.
    pub fn controlled(&self, name: &str) -> Result<Option<Estimate>, Error> {
        self.of_kind(name, |row| row.kind.is_controlled())
    }

    /// The names of its numbers.
    ///
    /// ```
    /// let answer = grognard_kit::Study::load("risk-roll")?.fight().runs(100).run()?;
    /// assert!(answer.cell(0)?.numbers().contains(&"attacker.losses".to_owned()));
    /// # Ok::<(), grognard_kit::Error>(())
    /// ```
    #[must_use]
    pub fn numbers(&self) -> Vec<String> {
        let mut names: Vec<String> = Vec::new();
        for name in self.rows().map(|row| self.name(row)) {
            if !names.contains(&name) {
                names.push(name);
            }
        }
        names
    }

    /// The joint distribution of these metrics.
    ///
    /// A single metric is counted over all battles, except for numbers of units. A joint distribution needs individual
    /// battles: those that were kept, either all or the first of the cell ([`Histogram::battles`] gives their number).
    /// Exact odds have the probability of every combination.
    ///
    /// ```
    /// use grognard_kit::{Keep, Metric, Side, Study};
    ///
    /// let study = Study::load("risk-roll")?;
    /// let answer = study.fight().runs(1_000).keep(Keep::All).run()?;
    /// let losses = [Metric::Losses(Side::First), Metric::Losses(Side::Second)];
    /// let joint = answer.cell(0)?.histogram(losses)?;
    /// let exact = study.exact().run()?.cell(0)?.histogram(losses)?;
    /// for (values, share) in joint.iter() {
    ///     assert!((share - exact.share(values)).abs() < 0.1, "{values:?}");
    /// }
    /// # Ok::<(), grognard_kit::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::NotKept`]: individual battles are needed, and none were kept. [`Error::Unknown`]: a metric belongs to a
    /// side that the study does not have.
    pub fn histogram<const N: usize>(&self, metrics: [Metric; N]) -> Result<Histogram<N>, Error> {
        metrics.into_iter().filter_map(Metric::side).try_for_each(|side| self.answer.check_side(side))?;
        if let Some(odds) = self.odds() {
            let ends = odds.ends.iter().map(|end| (values(metrics, &end.outcome), end.chance.value));
            return Ok(Histogram::exact(ends));
        }
        if let Some(counted) = self.counted(&metrics) {
            return Ok(Histogram::counted(counted));
        }
        let kept = self.kept();
        if kept.is_empty() && self.answer.battles() > 0 {
            return Err(Error::NotKept);
        }
        Ok(Histogram::counted(kept.iter().map(|outcome| (values(metrics, outcome), 1))))
    }

    /// The battles that were kept.
    ///
    /// ```
    /// use grognard_kit::{Keep, Study};
    ///
    /// let study = Study::load("risk-dice")?;
    /// let answer = study.fight().runs(100).keep(Keep::All).run()?;
    /// for battle in answer.cell(0)?.battles() {
    ///     assert_eq!(study.cell(0)?.battle(battle.number()).run()?, battle);
    /// }
    /// # Ok::<(), grognard_kit::Error>(())
    /// ```
    pub fn battles(&self) -> impl ExactSizeIterator<Item = Battle> + use<'a> {
        let first = self.answer.results().manifest.progress.first;
        let kept = self.kept().iter().enumerate();
        kept.map(move |(place, &outcome)| Battle::new(first + place as u64, outcome))
    }

    /// The luck of both sides' dice in the battles that were kept, in rolls; empty if luck was not counted.
    ///
    /// ```
    /// use grognard_kit::{Keep, Study};
    ///
    /// let answer = Study::load("risk-dice")?.fight().runs(100).keep(Keep::All).luck().run()?;
    /// let cell = answer.cell(44)?;
    /// let luckiest = cell.battles().zip(cell.battle_luck()).max_by(|one, two| one.1[0].total_cmp(&two.1[0]));
    /// println!("the attacker is luckiest in battle {}", luckiest.expect("100 battles").0.number());
    /// # Ok::<(), grognard_kit::Error>(())
    /// ```
    pub fn battle_luck(&self) -> impl ExactSizeIterator<Item = [f64; 2]> + use<'a> {
        let luck = self.answer.fetched.luck.get(self.place).map_or(&[][..], Vec::as_slice);
        luck.iter().map(|luck| Side::BOTH.map(|side| luck[side].rolls()))
    }

    /// Every way in which its battles can end, with its probability; empty unless the odds were computed.
    ///
    /// ```
    /// let odds = grognard_kit::Study::load("risk-roll")?.exact().run()?;
    /// let ends = odds.cell(0)?.ends().expect("exact odds");
    /// assert!((ends.iter().map(|end| end.chance.value).sum::<f64>() - 1.0).abs() < 1e-12);
    /// # Ok::<(), grognard_kit::Error>(())
    /// ```
    #[must_use]
    pub fn ends(&self) -> Option<&'a [End]> {
        self.odds().map(|odds| odds.ends.as_slice())
    }

    /// The computed odds: probabilities, as fractions if they are short, with the share left out and the work done.
    /// `None` for sampled battles.
    ///
    /// ```
    /// let odds = grognard_kit::Study::load("risk-roll")?.exact().run()?;
    /// let wins = &odds.cell(0)?.odds().expect("exact odds").outcomes[0];
    /// println!("{}", wins.fraction.as_ref().expect("a small one"));
    /// # Ok::<(), grognard_kit::Error>(())
    /// ```
    #[must_use]
    pub fn odds(&self) -> Option<&'a CellOdds> {
        self.answer.results().odds.get(self.place)
    }

    pub(super) fn place(&self) -> usize {
        self.place
    }

    /// Whether the study compares it with this other cell.
    pub(super) fn is_compared_with(&self, other: &Self) -> bool {
        self.header.baseline == Some(other.header.cell) && self.header.cell != other.header.cell
    }

    pub(super) fn kept(&self) -> &'a [Outcome] {
        self.answer.fetched.kept.get(self.place).map_or(&[], Vec::as_slice)
    }

    /// The counts of a single metric in all battles.
    fn counted<const N: usize>(&self, metrics: &[Metric; N]) -> Option<Vec<(Option<[u32; N]>, u64)>> {
        let [metric] = metrics.as_slice() else { return None };
        let tally = self.answer.results().tallies.get(self.place)?;
        let of_key = |side: Side, key: &str| {
            let place = METRICS.iter().position(|known| known.key == key)?;
            Some(&tally.metrics[side][place])
        };
        let histogram = match *metric {
            Metric::Turns => &tally.turns,
            Metric::Losses(side) => of_key(side, "losses")?,
            Metric::RoutTurn(side) => of_key(side, "rout_turn")?,
            Metric::Win(side) => return Some(self.split(tally.outcomes[Verdict::of(Some(side)).index()])),
            Metric::Draw => return Some(self.split(tally.outcomes[Verdict::Draw.index()])),
            _ => return None,
        };
        // Tallies count battles without a rout as 0.
        let is_none = |value: u32| value == 0 && matches!(metric, Metric::RoutTurn(_));
        let value = |value: i32| u32::try_from(value).ok().filter(|&value| !is_none(value)).map(|value| [value; N]);
        Some(histogram.iter().map(|(number, count)| (value(number), count)).collect())
    }

    /// Splits the battles into those with value 1 and those with 0.
    fn split<const N: usize>(&self, count: u64) -> Vec<(Option<[u32; N]>, u64)> {
        let all = [(Some([0; N]), self.answer.battles() - count), (Some([1; N]), count)];
        all.into_iter().filter(|(_, count)| *count > 0).collect()
    }

    /// A number of the cell, by its key.
    fn always(&self, side: Option<Side>, metric: &str) -> Estimate {
        let row = self.answer.results().estimate(self.header.cell, side, metric);
        row.map_or_else(|| Estimate::bounded(0.0, 0.0, 1.0), SummaryRow::estimate)
    }

    fn of_kind(&self, name: &str, kind: impl Fn(&SummaryRow) -> bool) -> Result<Option<Estimate>, Error> {
        if !self.rows().any(|row| self.name(row) == name) {
            return Err(self.no_number(name));
        }
        let row = self.rows().filter(|row| kind(row)).find(|row| self.name(row) == name);
        Ok(row.map(SummaryRow::estimate))
    }

    fn rows(&self) -> impl Iterator<Item = &'a SummaryRow> + use<'a> {
        let (summary, cell) = (self.answer.results().summary(), self.header.cell);
        let start = summary.partition_point(|row| row.cell < cell);
        summary[start..].iter().take_while(move |row| row.cell == cell)
    }

    /// A row's name, as in `grognard run --json`.
    fn name(&self, row: &SummaryRow) -> String {
        let names = self.answer.results().manifest.side_names();
        match (row.side, row.metric.as_str()) {
            (Some(side), WIN) => names[side].to_owned(),
            (Some(side), metric) => format!("{}.{metric}", names[side]),
            (None, metric) => metric.to_owned(),
        }
    }

    fn no_number(&self, name: &str) -> Error {
        let manifest = &self.answer.results().manifest;
        let mut known: Vec<String> = manifest.sides.to_vec();
        known.extend([DRAW, TURNS].map(str::to_owned));
        for side in &manifest.sides {
            known.extend(manifest.metrics.iter().map(|metric| format!("{side}.{}", metric.key)));
        }
        if known.iter().any(|known| known == name) {
            let message = format!("no battle of cell {} has a `{name}`", self.header.cell);
            return Error::Unknown { message, help: None };
        }
        Error::unknown("number", name, known.iter().map(String::as_str))
    }
}

/// The values of metrics in a battle; `None` if one of them has no value.
fn values<const N: usize>(metrics: [Metric; N], outcome: &Outcome) -> Option<[u32; N]> {
    let mut values = [0; N];
    for (value, metric) in values.iter_mut().zip(metrics) {
        *value = metric.of(outcome)?;
    }
    Some(values)
}

impl fmt::Debug for Cell<'_> {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.debug_struct("Cell").field("number", &self.number()).field("label", &self.label()).finish_non_exhaustive()
    }
}
