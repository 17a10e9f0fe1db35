//! The contents of a results folder as plain data: no files, no Parquet.
//!
//! `manifest.json` is a [`Manifest`], `watched.json` a [`Watched`], `players.json` a [`Players`]. In `data/`,
//! `tallies.parquet` is a [`CellTally`] per cell, `odds.parquet`, `means.parquet`, `work.parquet` and `ends.parquet` a
//! [`CellOdds`] per cell, `summary.parquet` a list of [`SummaryRow`], `cells.parquet` a [`CellHeader`] per cell.
//! Everything except [`Manifest::made`] is a function of the pack, the study, the seed and the number of battles:
//! threads, chunks and interruptions change nothing.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::OnceLock;

use grognard_engine::{BySide, Side};
use grognard_exact::Number;
use grognard_stats::{Estimate, Level};
use serde::{Deserialize, Serialize};

use super::{Headline, Labels, Promise};
use crate::exact::CellOdds;
use crate::players::{Ladder, Players};
use crate::tally::CellTally;
use crate::watched::Watched;

/// The format of results folders that this version writes and reads.
pub const FORMAT: u32 = 4;

/// A results folder, read back and checked.
#[derive(Clone, Debug)]
pub struct Results {
    /// The path of the folder.
    pub folder: PathBuf,
    /// The study fought, and how far the run got.
    pub manifest: Manifest,
    /// One tally per cell, in cell order. Empty when [`Manifest::method`] is [`Method::Exact`].
    pub tallies: Vec<CellTally>,
    /// The odds of each cell, in cell order. Empty when [`Manifest::method`] is [`Method::Sampled`].
    pub odds: Vec<CellOdds>,
    /// The value of [`Results::summary`].
    pub summary: Summary,
    /// The record of the first battles; `None` if they were not watched.
    pub watched: Option<Watched>,
    /// The results with other players; `None` if there are none.
    pub players: Option<Players>,
}

/// The estimates of results: given, or computed from the counts when they are first requested. Shards that are only
/// added up never need theirs.
#[derive(Clone, Debug, Default)]
pub struct Summary(pub(super) OnceLock<Vec<SummaryRow>>);

impl From<Vec<SummaryRow>> for Summary {
    fn from(rows: Vec<SummaryRow>) -> Self {
        Self(rows.into())
    }
}

/// The manifest: the study and the packs that were fought, their texts, and the progress of the run.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Manifest {
    /// The folder's format: [`FORMAT`].
    pub format: u32,
    /// Version of Grognard that wrote it, such as `0.1.0`.
    pub tool: String,
    /// The study, with its text.
    pub study: StudyHeader,
    /// The pack, with its text; the first part's if a study has several.
    pub pack: PackHeader,
    /// The packs of the other parts, in order.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub more_packs: Vec<PackHeader>,
    /// SHA-256 over everything that affects the battles: seed, compiled pack and deployment of every cell. Two folders
    /// with the same identity contain battles of the same series, and one may continue the other.
    pub identity: String,
    /// The seed of every battle.
    pub seed: u64,
    /// Battles requested in each cell, all shards together.
    pub runs: u64,
    /// The precision requested: the run may end when every outcome's share is known to plus or minus this. `None` means
    /// that the run does not end early.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub precision: Option<f64>,
    /// Whether the luck of each side's dice was counted.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub luck: bool,
    /// Whether units are only ever lost, because nothing in the packs breaks units without removing them.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub lost_only: bool,
    /// Names of the sides, two to four; the first one moves first.
    pub sides: Vec<String>,
    /// The varied paths, in the order in which the study names them.
    pub vary: Vec<Varied>,
    /// The cells, in order of their index. Exact odds may be those of only some cells.
    pub cells: Vec<CellHeader>,
    /// The metrics counted for each side of each battle, in the order of the tallies.
    pub metrics: Vec<MetricHeader>,
    /// Whether battles were sampled or odds computed.
    pub method: Method,
    /// Confidence level of every interval, as a fraction, such as 0.95.
    pub level: f64,
    /// The kind of intervals.
    #[serde(default, skip_serializing_if = "Promise::is_usual")]
    pub promise: Promise,
    /// The progress of the run.
    pub progress: Progress,
    /// The Parquet files that belong to this state of the run; others in the folder are leftovers.
    pub files: Files,
    /// The contents of the report other than the numbers.
    pub report: ReportHeader,
    /// How and when it was made. This is not reproducible.
    pub made: Made,
}

/// The study as it was fought.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct StudyHeader {
    /// Its name: `study` in the file.
    pub name: String,
    /// Its title, for headings.
    pub title: String,
    /// The resolved study: overrides of the command line written into it.
    pub text: String,
    /// SHA-256 of `text`, in lower-case hexadecimal.
    pub sha256: String,
}

/// The pack as it was fought.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PackHeader {
    /// Its name.
    pub name: String,
    /// Its title, for captions.
    pub title: String,
    /// Its version.
    pub version: String,
    /// The resolved pack: `extends` merged and the study's overrides written into it; varied values are not.
    pub text: String,
    /// SHA-256 of `text`, in lower-case hexadecimal.
    pub sha256: String,
}

impl PackHeader {
    /// Names and versions of packs, each once.
    pub(crate) fn line<'a>(packs: impl Iterator<Item = &'a Self>) -> String {
        let mut names: Vec<String> = Vec::new();
        for pack in packs {
            let name = format!("{} {}", pack.name, pack.version);
            if !names.contains(&name) {
                names.push(name);
            }
        }
        names.join(", ")
    }
}

/// A path that the study varies.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Varied {
    /// The path, such as `defender.0.formation`.
    pub path: String,
    /// The distinct values that cells give it, in the order of their first appearance.
    pub values: Vec<Value>,
}

/// A varied value: its text and, if it is numeric, its number.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Value {
    /// The value as a label: `square`, `2`, `true`.
    pub text: String,
    /// The value as a number, when it is one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub number: Option<f64>,
}

/// A cell of the study.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CellHeader {
    /// Its index in the study, and also in [`Manifest::cells`] if all cells are there.
    pub cell: u32,
    /// Its name in tables and charts: the varied values that distinguish it, such as `square, heavy-cavalry, front`.
    pub label: String,
    /// The varied paths and their values in this cell, in the order of [`Manifest::vary`]. Explicit cells may omit
    /// some.
    pub vary: Vec<Setting>,
    /// Game turns after which its battles are over.
    pub turns: u8,
    /// Figures with which each side begins.
    pub figures: Vec<u32>,
    /// Units with which each side begins.
    pub units: Vec<u32>,
    /// The cell it is compared with; a baseline names itself; `None` for a cell without a baseline.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub baseline: Option<u32>,
}

/// A varied path with its value in one cell.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Setting {
    /// The path.
    pub path: String,
    /// Its value.
    pub value: Value,
}

/// A number that every battle has for each side.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct MetricHeader {
    /// Its key, such as `losses`.
    pub key: String,
    /// Its name in charts.
    pub title: String,
    /// Whether it is 0 or 1; its mean is then a share.
    pub share: bool,
    /// For metrics that the pack counts during battles: the limits of the ratio.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ratio: Option<RatioHeader>,
}

/// A metric that is a ratio of sums over battles.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RatioHeader {
    /// Its minimum.
    pub low: i64,
    /// Its maximum.
    pub high: i64,
    /// Its value if the divisor is 0.
    pub empty: i64,
    /// Whether it is known from the end of a battle; battles are then counted by its value.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub histogram: bool,
}

impl RatioHeader {
    /// Its limits.
    #[must_use]
    pub(crate) fn range(&self) -> (f64, f64) {
        (self.low as f64, self.high as f64)
    }
}

/// How the numbers were obtained.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Method {
    /// Battles were fought and counted; every number has an interval.
    Sampled,
    /// The odds were enumerated; intervals have no width.
    Exact,
}

/// The progress of a run.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Progress {
    /// Battle indices in a block, the unit in which battles are fought; the last block of a run may be shorter.
    pub block: u32,
    /// Index of the first battle fought in each cell: 0 unless the folder is a shard.
    pub first: u64,
    /// Battles fought in each cell: the tallies contain exactly the successive indices from `first` on.
    pub battles: u64,
    /// Why the run ended, or that it has not.
    pub ending: Ending,
    /// The digest of all outcomes so far, in hexadecimal: equal digests mean equal battles.
    pub digest: String,
}

/// Why a run ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Ending {
    /// It has not ended: the folder was left by an interrupted run or is being written.
    Unfinished,
    /// It was stopped. The counts are valid: they are those of a run of that many battles.
    Stopped,
    /// Every cell had the requested precision.
    Precise,
    /// Every cell was known to be better or worse than its baseline.
    Decided,
    /// All requested battles were fought.
    AllRuns,
}

/// The Parquet files of a state of the run.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Files {
    /// The tallies; `None` before the first block and for exact odds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tallies: Option<FileEntry>,
    /// The probability of every outcome and value, if odds were computed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub odds: Option<FileEntry>,
    /// The means, if odds were computed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub means: Option<FileEntry>,
    /// The probability left out of the odds, and the work they took.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub work: Option<FileEntry>,
    /// Every way in which a battle can end, with its probability, if odds were computed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ends: Option<FileEntry>,
    /// The cells with their varied values; `None` until the run has ended.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cells: Option<FileEntry>,
    /// The summary; `None` until the run has ended.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub summary: Option<FileEntry>,
    /// The closer look at the first battles; `None` until the run has ended, or if there was none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub watched: Option<FileEntry>,
    /// The results with other players; `None` until the run has ended, or if there are none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub players: Option<FileEntry>,
    /// The parts with a row per battle, in order.
    pub parts: Vec<FileEntry>,
    /// The same battles with a row per side: a file for each part. Empty until the run has ended.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub sides: Vec<FileEntry>,
    /// The number of first battles of each cell kept as rows; `None` if all are.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub keep: Option<u64>,
}

/// A file of the folder.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FileEntry {
    /// Its path below the folder, with `/` between the names.
    pub path: String,
    /// Number of rows in it.
    pub rows: u64,
    /// SHA-256 of its bytes, in lower-case hexadecimal.
    pub sha256: String,
}

/// The contents of the report that the study's author requested.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ReportHeader {
    /// Sentences to print next to the charts; empty if the study has none.
    pub analysis: String,
    /// Sentences to set apart; may be empty.
    pub highlights: Vec<String>,
    /// Expected odds that the study states.
    pub expect: Vec<Expected>,
    /// The question of the study: the comment at the start of its file.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub question: String,
    /// The report's headline; `None` means the comparison nearest to the question.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub headline: Option<Headline>,
    /// The names of varied paths and their values.
    #[serde(default, skip_serializing_if = "Labels::is_empty")]
    pub labels: Labels,
    /// The players with whom the findings are repeated, and the metric; `None` if the study lists no players.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub players: Option<Ladder>,
}

/// An expected probability or mean, with its source.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Expected {
    /// The cell.
    pub cell: u32,
    /// The expected odds.
    pub of: Expectation,
    /// Numerator of the number.
    pub numerator: u64,
    /// Denominator of the number; not 0.
    pub denominator: u64,
    /// Whether it is a decimal, correct only to its last digit.
    pub rounded: bool,
    /// Where the number comes from.
    pub source: String,
}

/// The quantity of an expected number.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub enum Expectation {
    /// The probability of an outcome: a side's name or `draw`.
    Outcome(String),
    /// The probability of a value.
    Value {
        /// `turns`, or a side's name and the key of a metric, joined by a dot.
        metric: String,
        /// The value.
        value: u32,
        /// Whether larger values also count.
        or_more: bool,
    },
    /// The mean of this metric.
    Mean(String),
}

/// How a folder was made. Two are equal if they are written in the same way.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Made {
    /// The command line that reproduces it.
    pub command: String,
    /// Wall time that this process spent fighting, in seconds; 0 if it has fought nothing. Not written, so that the
    /// folder of an interrupted and resumed run equals that of an uninterrupted one.
    #[serde(default, skip_serializing)]
    pub elapsed_s: f64,
    /// Battles in each cell that the folder already had. Also not written.
    #[serde(skip)]
    pub before: u64,
    /// Worker threads.
    pub threads: u32,
    /// The seal: SHA-256 of the manifest's text with nothing between the quotation marks of this value.
    pub seal: String,
}

impl PartialEq for Made {
    fn eq(&self, other: &Self) -> bool {
        (&self.command, self.threads, &self.seal) == (&other.command, other.threads, &other.seal)
    }
}

impl Manifest {
    /// The battles of all cells that were fought in [`Made::elapsed_s`], and that time, if any were.
    #[must_use]
    pub fn fought(&self) -> Option<(u64, f64)> {
        let battles = self.progress.battles.saturating_sub(self.made.before) * self.cells.len() as u64;
        (battles > 0 && self.made.elapsed_s > 0.0).then_some((battles, self.made.elapsed_s))
    }
}

/// The kind of an estimate.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Kind {
    /// A probability.
    Share,
    /// A mean over battles.
    Mean,
    /// A probability, with the luck of the dice removed.
    ControlledShare,
    /// A mean over battles, with the luck of the dice removed.
    ControlledMean,
    /// A probability minus that of the baseline cell, paired by battle.
    ShareDifference,
    /// A mean minus that of the baseline cell, paired by battle.
    MeanDifference,
}

impl Kind {
    /// Its name in `summary.parquet`.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Share => "share",
            Self::Mean => "mean",
            Self::ControlledShare => "controlled-share",
            Self::ControlledMean => "controlled-mean",
            Self::ShareDifference => "share-difference",
            Self::MeanDifference => "mean-difference",
        }
    }

    /// The kind of this name.
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        let all = [
            Self::Share,
            Self::Mean,
            Self::ControlledShare,
            Self::ControlledMean,
            Self::ShareDifference,
            Self::MeanDifference,
        ];
        all.into_iter().find(|kind| kind.name() == name)
    }

    /// Whether it is an estimate with the luck of the dice removed.
    #[must_use]
    pub fn is_controlled(self) -> bool {
        matches!(self, Self::ControlledShare | Self::ControlledMean)
    }

    /// Whether it compares the cell with its baseline.
    #[must_use]
    pub fn is_difference(self) -> bool {
        matches!(self, Self::ShareDifference | Self::MeanDifference)
    }
}

/// Key of the metric "the side won".
pub const WIN: &str = "win";
/// Key of the metric for draws, which belongs to no side.
pub const DRAW: &str = "draw";
/// Key of the metric "game turns fought"; it belongs to no side.
pub const TURNS: &str = "turns";

/// One estimate with its interval: a row of `summary.parquet`.
#[derive(Clone, Debug, PartialEq)]
pub struct SummaryRow {
    /// The cell.
    pub cell: u32,
    /// The side that it is about; `None` for [`DRAW`] and [`TURNS`].
    pub side: Option<Side>,
    /// [`WIN`], [`DRAW`], [`TURNS`] or a key of [`Manifest::metrics`].
    pub metric: String,
    /// The quantity estimated.
    pub kind: Kind,
    /// The cell it is compared with, for differences.
    pub baseline: Option<u32>,
    /// The estimate.
    pub mean: f64,
    /// Lower end of the interval.
    pub low: f64,
    /// Upper end of the interval.
    pub high: f64,
    /// Confidence level of this interval on its own; 1 for computed odds.
    pub level: f64,
    /// The number of battles behind it; 0 for computed odds.
    pub runs: u64,
    /// For sampled differences, and for battles fought both ways, the variance divided by that of independent battles;
    /// for estimates without the luck of the dice, divided by that with it. 0.25 is worth four times as many battles.
    /// `None` if nothing varied.
    pub variance_ratio: Option<f64>,
}

impl SummaryRow {
    /// The row as an estimate.
    #[must_use]
    pub fn estimate(&self) -> Estimate {
        let Some(level) = Level::new(self.level) else { return Estimate::bounded(self.mean, self.low, self.high) };
        Estimate { point: self.mean, low: self.low, high: self.high, level, runs: self.runs }
    }
}

impl Results {
    /// The estimate of `metric` in `cell`, not compared with anything.
    #[must_use]
    pub fn estimate(&self, cell: u32, side: Option<Side>, metric: &str) -> Option<&SummaryRow> {
        self.row(cell, side, metric, |kind| !kind.is_difference() && !kind.is_controlled())
    }

    /// The share of battles with each value of a metric of the pack, in ascending order: of the metric at this position
    /// among those with a histogram ([`Manifest::counted_keys`]), in the cell at this position. `None` if they are
    /// unknown.
    #[must_use]
    pub fn shares_counted(&self, cell: usize, side: Side, metric: usize) -> Option<Vec<(i32, f64)>> {
        match (self.tallies.get(cell), self.odds.get(cell)) {
            (Some(tally), _) => {
                let histogram = tally.counted[side].get(metric)?;
                let runs = histogram.runs().max(1) as f64;
                Some(histogram.iter().map(|(value, count)| (value, count as f64 / runs)).collect())
            }
            (None, Some(odds)) => {
                let share = |(value, number): &(i32, Number)| (*value, number.value / (1.0 - odds.left_out));
                Some(odds.counted[side].get(metric)?.values.iter().map(share).collect())
            }
            (None, None) => None,
        }
    }

    /// The varied paths, by index in [`Manifest::vary`], whose values do not affect any number of any cell.
    #[must_use]
    pub fn without_effect(&self) -> Vec<usize> {
        let manifest = &self.manifest;
        let mut numbers: BTreeMap<u32, Vec<[u64; 3]>> = BTreeMap::new();
        for row in self.summary().iter().filter(|row| !row.kind.is_difference() && !row.kind.is_controlled()) {
            numbers.entry(row.cell).or_default().push([row.mean, row.low, row.high].map(f64::to_bits));
        }
        let changes_nothing = |varied: &Varied| {
            let mut alike: BTreeMap<Vec<&str>, Vec<u32>> = BTreeMap::new();
            for cell in manifest.cells.iter().filter(|cell| cell.vary.iter().any(|setting| setting.path == varied.path))
            {
                let others = cell.vary.iter().filter(|setting| setting.path != varied.path);
                let others = others.flat_map(|setting| [setting.path.as_str(), setting.value.text.as_str()]).collect();
                alike.entry(others).or_default().push(cell.cell);
            }
            let same = |cells: &Vec<u32>| cells.iter().all(|cell| numbers.get(cell) == numbers.get(&cells[0]));
            alike.values().any(|cells| cells.len() > 1) && alike.values().all(same)
        };
        (0..manifest.vary.len()).filter(|&place| changes_nothing(&manifest.vary[place])).collect()
    }

    /// The difference between `cell` and its baseline in `metric`; `None` for a baseline or a cell without one.
    #[must_use]
    pub fn difference(&self, cell: u32, side: Option<Side>, metric: &str) -> Option<&SummaryRow> {
        self.row(cell, side, metric, Kind::is_difference)
    }

    /// The estimate of `metric` in `cell` with the luck of the dice removed; `None` if that was not counted or does not
    /// vary.
    #[must_use]
    pub fn controlled(&self, cell: u32, side: Option<Side>, metric: &str) -> Option<&SummaryRow> {
        self.row(cell, side, metric, Kind::is_controlled)
    }

    /// The precision requested and the half-width of the least precise share, if all battles were fought and it is
    /// wider.
    #[must_use]
    pub fn precision_missed(&self) -> Option<(f64, f64)> {
        let asked = self.manifest.precision.filter(|_| self.manifest.progress.ending == Ending::AllRuns)?;
        let shares =
            self.summary().iter().filter(|row| row.kind == Kind::Share && [WIN, DRAW].contains(&row.metric.as_str()));
        Some((asked, shares.map(|row| row.estimate().half_width()).fold(0.0, f64::max)))
    }

    fn row(&self, cell: u32, side: Option<Side>, metric: &str, kind: impl Fn(Kind) -> bool) -> Option<&SummaryRow> {
        let summary = self.summary();
        let start = summary.partition_point(|row| row.cell < cell);
        summary[start..]
            .iter()
            .take_while(|row| row.cell == cell)
            .find(|row| row.side == side && row.metric == metric && kind(row.kind))
    }
}

impl Manifest {
    /// Whether the cells' labels say more than their values, because the study supplies them.
    #[must_use]
    pub fn labelled(&self) -> bool {
        let varies = |setting: &&Setting| self.vary.iter().any(|one| one.path == setting.path && one.values.len() > 1);
        let labels = &self.report.labels;
        let name = |setting: &'_ Setting| -> String {
            labels.value(&setting.path, &setting.value).unwrap_or(&setting.value.text).to_owned()
        };
        self.cells.iter().any(|cell| {
            cell.vary.len() < self.vary.len()
                || cell.vary.iter().filter(varies).any(|setting| !cell.label.contains(&name(setting)))
        })
    }

    /// The index of a cell in [`Self::cells`].
    #[must_use]
    pub fn place(&self, cell: u32) -> Option<usize> {
        self.cells.binary_search_by_key(&cell, |header| header.cell).ok()
    }

    /// The cell of this number.
    #[must_use]
    pub fn cell(&self, cell: u32) -> Option<&CellHeader> {
        self.cells.get(self.place(cell)?)
    }

    /// For each cell, the cell that it is compared with.
    #[must_use]
    pub fn baselines(&self) -> Vec<Option<u32>> {
        self.cells.iter().map(|cell| cell.baseline).collect()
    }

    /// The keys of the metrics that the pack counts during battles, in the order of the tallies.
    #[must_use]
    pub fn gauge_keys(&self) -> Vec<String> {
        self.metrics.iter().filter(|metric| metric.ratio.is_some()).map(|metric| metric.key.clone()).collect()
    }

    /// The keys of those metrics in [`Self::gauge_keys`] that have a histogram, because they are known from the ends of
    /// battles.
    #[must_use]
    pub fn counted_keys(&self) -> Vec<String> {
        let counted = |metric: &&MetricHeader| match self.method {
            Method::Sampled => metric.ratio.is_some_and(|ratio| ratio.histogram),
            Method::Exact => metric.ratio.is_some(),
        };
        self.metrics.iter().filter(counted).map(|metric| metric.key.clone()).collect()
    }

    /// The packs of all parts, in order.
    pub fn packs(&self) -> impl Iterator<Item = &PackHeader> {
        std::iter::once(&self.pack).chain(&self.more_packs)
    }

    /// Names and versions of the packs, each once: for captions.
    #[must_use]
    pub fn pack_line(&self) -> String {
        PackHeader::line(self.packs())
    }

    /// The sides' names.
    #[must_use]
    pub fn side_names(&self) -> BySide<&str> {
        BySide::of(self.sides.len(), |side| self.sides[side.index()].as_str())
    }
}
