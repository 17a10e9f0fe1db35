//! Comparisons of two cells: of one results folder, of two, or of one study fought under two variants of its rules.
//!
//! Cells of two sets of results are matched by their varied values (`matching`). The data on a pair of them is its
//! `evidence`: battle by battle, if both used the same dice and the pairs were counted or kept, or else each cell on
//! its own. The error rate applies to all pairs of cells jointly.

mod changes;
mod duel;
mod evidence;
mod json;
mod kept;
mod known;
mod matching;
#[cfg(test)]
mod tests;

use grognard_engine::Side;
use grognard_stats::{Estimate, Intervals, Level, Pairs, holm};

use crate::exact::CellOdds;
use crate::results::{CellHeader, Manifest, Method, Results, WIN, round_mean};
use crate::tally::{CellTally, Verdict};

pub use changes::{Change, Changed, Changes};
pub use duel::{Duel, DuelError};
pub use json::to_json;

use evidence::{Evidence, Joint};
use kept::Kept;
use known::Known;

/// One of the two parties of a comparison.
#[derive(Clone, Copy)]
struct Party<'a> {
    /// Its folder or study.
    name: &'a str,
    /// The study fought, and how far the run got.
    manifest: &'a Manifest,
    /// One tally for each cell; empty if its odds were computed.
    tallies: &'a [CellTally],
    /// The odds of each cell, if they were computed.
    odds: &'a [CellOdds],
}

impl<'a> Party<'a> {
    fn of(results: &'a Results, name: &'a str) -> Self {
        Self { name, manifest: &results.manifest, tallies: &results.tallies, odds: &results.odds }
    }

    /// A cell by position, with its data if there is any.
    fn cell(&self, place: usize) -> Option<known::Party<'a>> {
        let known = match self.odds.get(place) {
            Some(odds) => Known::WorkedOut(odds),
            None => Known::Counted(self.tallies.get(place)?),
        };
        Some(known::Party { header: self.manifest.cells.get(place)?, known })
    }

    /// Whether there is something to compare: battles or odds of every cell.
    fn is_known(&self) -> bool {
        let cells = self.manifest.cells.len();
        match self.manifest.method {
            Method::Sampled => self.manifest.progress.battles > 0 && self.tallies.len() == cells,
            Method::Exact => self.odds.len() == cells,
        }
    }
}

/// The name of one of the two parties.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Heading {
    /// Its folder or, for battles without a folder, its study.
    pub name: String,
    /// Its study.
    pub study: String,
    /// Its study's title.
    pub title: String,
    /// Its pack.
    pub pack: String,
    /// Its pack's version.
    pub version: String,
    /// The seed of its battles.
    pub seed: u64,
    /// Whether its battles were fought or its odds computed.
    pub method: Method,
    /// Battles in each cell; 0 for computed odds.
    pub battles: u64,
}

impl Heading {
    fn of(manifest: &Manifest, name: String) -> Self {
        Self {
            name,
            study: manifest.study.name.clone(),
            title: manifest.study.title.clone(),
            pack: manifest.pack.name.clone(),
            version: manifest.pack.version.clone(),
            seed: manifest.seed,
            method: manifest.method,
            battles: manifest.progress.battles,
        }
    }
}

/// A comparison of cells.
#[derive(Clone, Debug)]
pub struct Compared {
    /// The two parties: before and after.
    pub parties: [Heading; 2],
    /// The names of the two sides of every battle.
    pub sides: Vec<String>,
    /// The level of each single interval, and of all corrected ones jointly.
    pub level: Level,
    /// The level of each corrected interval, chosen so that those of all couples are simultaneous for one metric
    /// (Bonferroni).
    pub corrected: Level,
    /// The pairs of cells: flipped matchups first, with the certain ones at the top, then the largest differences.
    pub couples: Vec<Couple>,
    /// Cells of the first party, then of the second, that have no counterpart.
    pub alone: [Vec<CellHeader>; 2],
    /// The differences between the second party's rules and study and the first one's; `None` for cells of one folder.
    pub changes: Option<Changes>,
    /// Parts with individual battles that are missing or damaged; the comparison uses the counts without them.
    pub lost: Vec<String>,
}

/// A pair of cells.
#[derive(Clone, Debug)]
pub struct Couple {
    /// The cell of the first party: before.
    pub before: CellHeader,
    /// The cell of the second party: after.
    pub after: CellHeader,
    /// The side favoured before, and the side favoured after.
    pub favoured: [Favour; 2],
    /// The pairing of the two cells' battles.
    pub pairing: Pairing,
    /// Whether there is nothing to estimate: every battle had the same winner, the same number of turns, and the same
    /// losses and breaks on each side as its counterpart with the same dice, or both cells' odds were computed by the
    /// same rules.
    pub same: bool,
    /// After minus before: each side's wins and draws, turns, and each metric of each side.
    pub differences: Vec<Difference>,
}

/// The favourite of a cell: the side that wins more often.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Favour {
    /// The side; `None` if both won equally often.
    pub side: Option<Side>,
    /// The first side's share of wins minus the second's, with its corrected interval.
    pub margin: Estimate,
}

impl Favour {
    /// Whether one side is certainly favoured, according to the interval.
    #[must_use]
    pub fn is_sure(&self) -> bool {
        !self.margin.holds(0.0)
    }
}

/// The pairing of the battles of two cells.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pairing {
    /// Every battle of one cell was counted together with its counterpart in the other, which has the same dice.
    All,
    /// All battles had the same dice, and this many pairs are known individually.
    Kept(u64),
    /// The battles are treated as independent.
    None(Unpaired),
}

/// Why battles are not compared pair by pair.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unpaired {
    /// They were fought with different seeds.
    Seeds,
    /// They do not have the same battle numbers.
    Battles,
    /// Too few battles were kept individually.
    NotKept,
    /// One was fought both ways and the other was not: battles with the same number have different dice.
    Ways,
    /// The odds of one or both were computed.
    WorkedOut,
}

/// The difference of a share or of a mean.
#[derive(Clone, Debug, PartialEq)]
pub struct Difference {
    /// The side that it is about; `None` for [`DRAW`](crate::results::DRAW) and [`TURNS`](crate::results::TURNS).
    pub side: Option<Side>,
    /// [`WIN`], [`DRAW`](crate::results::DRAW), [`TURNS`](crate::results::TURNS) or a metric's key.
    pub metric: &'static str,
    /// Whether it is a share of battles.
    pub share: bool,
    /// The values before and after.
    pub values: [Estimate; 2],
    /// After minus before.
    pub apart: Estimate,
    /// The difference with an interval that is simultaneous over all couples, for this quantity.
    pub together: Estimate,
    /// The p-value of "no difference": McNemar's exact test for pairs, or another suitable test.
    pub p: f64,
    /// The p-value, corrected for the number of couples (Holm).
    pub corrected_p: f64,
    /// The variance of the difference divided by that of independent battles; `None` if the battles are not paired or
    /// nothing varied.
    pub variance_ratio: Option<f64>,
}

impl Difference {
    /// Its name: a side's for its wins, `draw`, `turns`, or `<side>.<metric>`.
    #[must_use]
    pub fn name(&self, sides: &[String]) -> String {
        match (self.side, self.metric) {
            (Some(side), WIN) => sides[side.index()].clone(),
            (Some(side), metric) => format!("{}.{metric}", sides[side.index()]),
            (None, metric) => metric.to_owned(),
        }
    }

    /// Whether the difference is clear even after correction for the number of couples.
    #[must_use]
    pub fn stands(&self) -> bool {
        !self.together.holds(0.0)
    }
}

impl Couple {
    /// Whether the favourite has changed.
    #[must_use]
    pub fn is_flipped(&self) -> bool {
        self.favoured[0].side.is_some() && self.favoured[0].side != self.favoured[1].side
    }

    /// Whether it is flipped and both favourites are certain.
    #[must_use]
    pub fn is_surely_flipped(&self) -> bool {
        self.is_flipped() && self.favoured.iter().all(Favour::is_sure)
    }

    /// The difference of this name.
    #[must_use]
    pub fn difference(&self, name: &str, sides: &[String]) -> Option<&Difference> {
        self.differences.iter().find(|difference| difference.name(sides) == name)
    }
}

/// Why two things cannot be compared.
#[derive(Debug, thiserror::Error)]
pub enum CompareError {
    /// No battle was counted in one of them.
    #[error("{0} holds no counted battles")]
    NoBattles(String),
    /// The sides have different names.
    #[error("the sides are {} and {} in one, {} and {} in the other", .before[0], .before[1], .after[0], .after[1])]
    OtherSides {
        /// Names of the sides of the first party.
        before: Vec<String>,
        /// Names of the sides of the second party.
        after: Vec<String>,
    },
    /// They have more than two sides.
    #[error("`compare` is about two sides, but there are {0}: {list}", list = .1.join(", "))]
    ManySides(usize, Vec<String>),
    /// No cell of one party has the same varied values as a cell of the other.
    #[error("no cell of the first has the same varied values as a cell of the second")]
    NothingInCommon,
    /// A folder has only one cell, or its cells have no baseline.
    #[error("{0} has no two cells to compare")]
    OneCell(String),
    /// A cell that does not exist.
    #[error("there is no cell {cell}")]
    NoCell {
        /// The cell requested.
        cell: u32,
        /// The number available.
        cells: usize,
    },
    /// A folder could not be read.
    #[error(transparent)]
    Results(#[from] crate::results::ResultsError),
    /// The texts in a manifest are not a pack and a study.
    #[error("{folder} is damaged: the texts in its manifest cannot be read")]
    Texts {
        /// The folder.
        folder: String,
    },
}

impl Compared {
    /// The meaning of the intervals, in one sentence.
    #[must_use]
    pub fn guarantee(&self) -> String {
        if self.parties.iter().all(|party| party.method == Method::Exact) {
            return "All numbers are computed exactly, except for rounding.".to_owned();
        }
        let level = 100.0 * self.level.get();
        let values = "The values before and after have separate intervals.";
        let text = match self.couples.len() {
            1 => format!("{level} % for the difference in its only matchup, for each metric. {values}"),
            count => {
                format!("{level} % for the differences in all {count} matchups together, for each metric. {values}")
            }
        };
        let is_kept = |couple: &Couple| matches!(couple.pairing, Pairing::Kept(_));
        if self.couples.iter().any(is_kept) {
            return format!(
                "{text} Differences in means use a normal approximation here: only some battles were kept."
            );
        }
        text
    }

    /// The total number of battles of both; 0 if the odds are computed.
    #[must_use]
    pub fn battles(&self) -> u64 {
        let cells =
            |of: fn(&Couple) -> u32| self.couples.iter().map(of).collect::<std::collections::BTreeSet<_>>().len();
        if self.changes.is_none() {
            // All cells are in one folder, and so are their baselines.
            let all = self.couples.iter().flat_map(|couple| [couple.before.cell, couple.after.cell]);
            return self.parties[0].battles * all.collect::<std::collections::BTreeSet<_>>().len() as u64;
        }
        let both = [cells(|couple| couple.before.cell), cells(|couple| couple.after.cell)];
        self.parties.iter().zip(both).map(|(party, cells)| party.battles * cells as u64).sum()
    }

    /// Compares every cell of a folder with the cell numbered `baseline` or, by default, with its own baseline.
    ///
    /// # Errors
    /// There is nothing to compare; or the folder's kept battles cannot be read, for a reason other than being missing
    /// or damaged.
    pub fn of_cells(results: &Results, baseline: Option<u32>, level: Level) -> Result<Self, CompareError> {
        let name = results.folder.display().to_string();
        counted(&Party::of(results, &name))?;
        let cells = &results.manifest.cells;
        let place = |cell: u32| results.manifest.place(cell);
        if let Some(cell) = baseline.filter(|&cell| place(cell).is_none()) {
            return Err(CompareError::NoCell { cell, cells: cells.len() });
        }
        let pairs: Vec<(usize, usize)> = cells
            .iter()
            .filter_map(|cell| Some((place(baseline.or(cell.baseline)?)?, place(cell.cell)?)))
            .filter(|(before, after)| before != after)
            .collect();
        if pairs.is_empty() {
            return Err(CompareError::OneCell(name));
        }
        let counted = |&(before, after): &(usize, usize)| cells[after].baseline == Some(cells[before].cell);
        let exact = results.manifest.method == Method::Exact;
        let kept = if exact || pairs.iter().all(counted) { None } else { Some(Kept::read(results)?) };
        let party = Party::of(results, &name);
        let paired = |pair: &(usize, usize)| results.tallies.get(pair.1)?.paired.as_ref();
        let joint = |pair: &(usize, usize)| match (&kept, paired(pair)) {
            _ if exact => Joint::None(Unpaired::WorkedOut),
            (_, Some(paired)) if counted(pair) => Joint::All(paired),
            (Some(kept), _) => Joint::kept(kept.of(pair.0), kept.of(pair.1), both_ways(results)),
            (None, _) => Joint::None(Unpaired::NotKept),
        };
        let compared = Self::of([party, party], &pairs, joint, level, None);
        Ok(Self { lost: kept.map_or_else(Vec::new, |kept| kept.lost), ..compared })
    }

    /// Compares the cells of two folders, before and after, that have the same varied values.
    ///
    /// # Errors
    /// Their sides differ, they have no cell in common, or kept battles cannot be read.
    pub fn of_folders(before: &Results, after: &Results, level: Level) -> Result<Self, CompareError> {
        let names = [before, after].map(|results| results.folder.display().to_string());
        for (results, name) in [before, after].into_iter().zip(&names) {
            counted(&Party::of(results, name))?;
        }
        let manifests = [&before.manifest, &after.manifest];
        let pairs = matched(manifests)?;
        let changes = Changes::between(manifests[0], manifests[1]);
        let changes = changes.map_err(|party| CompareError::Texts { folder: names[party].clone() })?;
        let ways = [before, after].map(both_ways);
        let unpaired = unpaired(manifests).or((ways[0] != ways[1]).then_some(Unpaired::Ways));
        let kept = if unpaired.is_none() { Some([Kept::read(before)?, Kept::read(after)?]) } else { None };
        let joint = |pair: &(usize, usize)| match (&kept, unpaired) {
            (Some(kept), _) => Joint::kept(kept[0].of(pair.0), kept[1].of(pair.1), ways[0]),
            (None, why) => Joint::None(why.unwrap_or(Unpaired::NotKept)),
        };
        let parties = [Party::of(before, &names[0]), Party::of(after, &names[1])];
        let compared = Self::of(parties, &pairs, joint, level, Some(changes));
        Ok(Self { lost: kept.into_iter().flatten().flat_map(|kept| kept.lost).collect(), ..compared })
    }

    /// Whether there is nothing to compare: rules and study are the same, and either every battle ended alike or all
    /// odds were computed.
    #[must_use]
    pub fn is_nothing(&self) -> bool {
        self.changes.as_ref().is_some_and(Changes::is_empty) && self.couples.iter().all(|couple| couple.same)
    }

    /// The worth of pairing over all couples: the sum of the variances that independent battles would have, divided by
    /// the sum of the actual variances. `None` if nothing is paired or nothing differed.
    #[must_use]
    pub fn worth(&self, name: &str) -> Option<f64> {
        let (mut independent, mut paired) = (0.0, 0.0);
        for difference in self.couples.iter().filter_map(|couple| couple.difference(name, &self.sides)) {
            if let Some(ratio) = difference.variance_ratio {
                // At the same level and number of battles, the width of an interval is proportional to the square root
                // of the variance.
                let variance: f64 = difference.values.iter().map(|value| (value.high - value.low).powi(2)).sum();
                independent += variance;
                paired += ratio * variance;
            }
        }
        (paired > 0.0).then(|| independent / paired)
    }

    /// The maximum of [`Compared::worth`] for these shares, with any dice: if a share changes from p to q, at least |q
    /// − p| of the pairs differ (Fréchet's bound). `None` for means, and if no share differs.
    #[must_use]
    pub fn worth_at_most(&self, name: &str) -> Option<f64> {
        let (mut independent, mut least) = (0.0, 0.0);
        for difference in self.couples.iter().filter_map(|couple| couple.difference(name, &self.sides)) {
            if difference.share && difference.variance_ratio.is_some() {
                let apart = difference.apart.point.abs();
                independent += difference.values.iter().map(|value| value.point * (1.0 - value.point)).sum::<f64>();
                least += apart * (1.0 - apart);
            }
        }
        (least > 0.0).then(|| independent / least)
    }

    /// Compares these pairs of cells, from the data on each.
    fn of<'a>(
        parties: [Party<'a>; 2],
        pairs: &[(usize, usize)],
        joint: impl Fn(&(usize, usize)) -> Joint<'a>,
        level: Level,
        changes: Option<Changes>,
    ) -> Self {
        let corrected = Intervals::at(level).together(pairs.len()).level;
        // Each couple has two intervals for its favourites.
        let of_favourites = Intervals::at(level).together(2 * pairs.len()).level;
        let is_unchanged = changes.as_ref().is_some_and(Changes::is_empty);
        let mut couples: Vec<Couple> = pairs
            .iter()
            .filter_map(|pair| {
                // The caller has checked that all cells are known.
                let cells = [parties[0].cell(pair.0)?, parties[1].cell(pair.1)?];
                let headers = cells.map(|cell| cell.header);
                let joint = joint(pair);
                let (same, differences) = match cells.map(|cell| cell.known) {
                    [Known::Counted(before), Known::Counted(after)] => {
                        let evidence = Evidence::new(headers, [before, after], &joint);
                        (joint.is_same(parties[1].manifest.progress.battles), evidence.differences(level, corrected))
                    }
                    [Known::WorkedOut(_), Known::WorkedOut(_)] => {
                        (is_unchanged, known::differences(cells, level, corrected))
                    }
                    _ => (false, known::differences(cells, level, corrected)),
                };
                Some(Couple {
                    before: headers[0].clone(),
                    after: headers[1].clone(),
                    favoured: cells.map(|cell| cell.known.favour(of_favourites)),
                    pairing: joint.pairing(),
                    same,
                    differences,
                })
            })
            .collect();
        correct(&mut couples);
        order(&mut couples);
        let matched = |party: usize, place: usize| pairs.iter().any(|pair| [pair.0, pair.1][party] == place);
        let alone = [0, 1].map(|party| {
            let cells = parties[party].manifest.cells.iter().enumerate();
            let alone = cells.filter(|(place, _)| changes.is_some() && !matched(party, *place));
            alone.map(|(_, cell)| cell.clone()).collect()
        });
        let headings = parties.map(|party| Heading::of(party.manifest, party.name.to_owned()));
        let sides = parties[0].manifest.sides.clone();
        Self { parties: headings, sides, level, corrected, couples, alone, changes, lost: Vec::new() }
    }
}

/// Whether there is something to compare.
fn counted(party: &Party<'_>) -> Result<(), CompareError> {
    if party.is_known() { Ok(()) } else { Err(CompareError::NoBattles(party.name.to_owned())) }
}

/// Whether the battles of a folder were fought both ways.
fn both_ways(results: &Results) -> bool {
    results.tallies.iter().any(|tally| tally.rounds.is_some())
}

/// The pairs of corresponding cells in two manifests.
fn matched(manifests: [&Manifest; 2]) -> Result<Vec<(usize, usize)>, CompareError> {
    if manifests[0].sides != manifests[1].sides {
        let [before, after] = manifests.map(|manifest| manifest.sides.clone());
        return Err(CompareError::OtherSides { before, after });
    }
    if manifests[0].sides.len() > 2 {
        return Err(CompareError::ManySides(manifests[0].sides.len(), manifests[0].sides.clone()));
    }
    let pairs = matching::matching(&manifests[0].cells, &manifests[1].cells);
    if pairs.is_empty() { Err(CompareError::NothingInCommon) } else { Ok(pairs) }
}

/// The reason why the battles of two folders cannot be paired by number, if they cannot.
fn unpaired(manifests: [&Manifest; 2]) -> Option<Unpaired> {
    if manifests.iter().any(|manifest| manifest.method == Method::Exact) {
        return Some(Unpaired::WorkedOut);
    }
    let [before, after] = manifests.map(|manifest| (manifest.progress.first, manifest.progress.battles));
    if manifests[0].seed != manifests[1].seed {
        Some(Unpaired::Seeds)
    } else if before != after {
        Some(Unpaired::Battles)
    } else {
        None
    }
}

/// The favourite in the battles of a cell. Each battle is a win of one side, of the other, or of neither, as the
/// interval for pairs requires.
fn favour(tally: &CellTally, level: Level) -> Favour {
    let [first, second, draws] =
        [Verdict::First, Verdict::Second, Verdict::Draw].map(|verdict| tally.outcomes[verdict.index()]);
    let margin = match &tally.rounds {
        Some(rounds) => round_mean(&rounds.margin, -1..=1, Intervals::at(level)),
        None => {
            let pairs = Pairs { both: 0, cell_only: first, baseline_only: second, neither: draws };
            Intervals::at(level).share_difference(pairs)
        }
    };
    let side = match first.cmp(&second) {
        std::cmp::Ordering::Greater => Some(Side::First),
        std::cmp::Ordering::Less => Some(Side::Second),
        std::cmp::Ordering::Equal => None,
    };
    Favour { side, margin }
}

/// Corrects the p-values of each quantity for the number of couples.
fn correct(couples: &mut [Couple]) {
    for at in 0..couples.first().map_or(0, |couple| couple.differences.len()) {
        let p_values: Vec<f64> = couples.iter().map(|couple| couple.differences[at].p).collect();
        for (couple, corrected) in couples.iter_mut().zip(holm(&p_values)) {
            couple.differences[at].corrected_p = corrected;
        }
    }
}

/// Sorts flipped matchups first, the certain ones before the others, then by the largest change in the first side's
/// wins.
fn order(couples: &mut [Couple]) {
    let rank = |couple: &Couple| (!couple.is_surely_flipped(), !couple.is_flipped());
    let size = |couple: &Couple| couple.differences.first().map_or(0.0, |wins| wins.apart.point.abs());
    couples.sort_by(|one, other| rank(one).cmp(&rank(other)).then(size(other).total_cmp(&size(one))));
}
