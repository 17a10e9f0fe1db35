//! Tallies converted to tables and back: a row for each count, and a row for each sum.

use grognard_dice::Luck;
use grognard_engine::{Fallen, METRICS, Side};
use grognard_stats::{RatioPairs, RatioSums};
use polars_core::prelude::DataFrame;

use super::read::{Fault, Fields};
use super::table::{Table, column};
use super::{side_of, verdict_of, winner_name};
use crate::results::{Manifest, TURNS};
use crate::tally::{CellTally, Histogram, LuckTally, PairedTally, RoundTally, Verdict, of_losses};

/// Row kind: battles by winner.
const OUTCOME: &str = "outcome";
/// Row kind: pairs by winner and the baseline's winner.
const PAIR: &str = "pair";
/// Row kind: battles in which the metric had the value.
const COUNT: &str = "count";
/// Row kind: pairs in which the metric differed from the baseline's by the value.
const DIFFERENCE: &str = "difference";
/// Row kind: rounds of battles fought both ways in which the two battles summed to the value.
const ROUND: &str = "round";
/// Row kind: rounds in which that sum differed from the baseline's by the value.
const ROUND_DIFFERENCE: &str = "round-difference";
/// Row kind: battles with a winner in which the first side's luck minus the second's was this many tenths of a
/// roll.
const NET_LUCK: &str = "net-luck";
/// Row kind: a sum of the pack's counts during battles.
const SUM: &str = "sum";
/// Row kind: a sum over pairs of battles.
const PAIR_SUM: &str = "pair-sum";
/// Row kind: a sum of luck.
const LUCK: &str = "luck";
/// An additional count of a round: the first side's wins minus the second's.
const MARGIN: &str = "margin";
/// The size of a roll, to which a sum of luck is rounded if it is not exact.
const ROLL: f64 = Luck::ROLL.0 as f64;

/// The worth of luck for a side's wins and losses, as terms.
const WORTHS: [&str; 2] = ["wins_by_luck", "losses_by_luck"];

/// One battle won, or all figures of a side: the unit to which a sum of the worth of luck is rounded if it is not
/// exact.
const ONE: f64 = Fallen::ONE as f64;

/// The subject of a row.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Key<'a> {
    kind: &'a str,
    side: Option<Side>,
    metric: Option<&'a str>,
    winner: Option<Verdict>,
    baseline_winner: Option<Verdict>,
}

impl<'a> Key<'a> {
    fn of(kind: &'a str) -> Self {
        Self { kind, ..Self::default() }
    }

    fn metric(self, side: Option<Side>, metric: &'a str) -> Self {
        Self { side, metric: Some(metric), ..self }
    }

    fn winner(self, verdict: Verdict) -> Self {
        Self { winner: Some(verdict), ..self }
    }
}

/// The columns of `tallies.parquet`, row by row: a count of a value, or a term of a sum.
#[derive(Default)]
struct Rows<'a> {
    /// The number of sides.
    sides: usize,
    cell: Vec<i32>,
    keys: Vec<Key<'a>>,
    value: Vec<Option<i32>>,
    count: Vec<Option<i64>>,
    term: Vec<Option<String>>,
    sum: Vec<Option<f64>>,
    exact: Vec<Option<String>>,
}

impl<'a> Rows<'a> {
    fn count(&mut self, cell: u32, key: Key<'a>, value: Option<i32>, count: u64) {
        self.cell.push(cell as i32);
        self.keys.push(key);
        self.value.push(value);
        self.count.push(Some(count as i64));
        self.term.push(None);
        self.sum.push(None);
        self.exact.push(None);
    }

    /// Adds a sum: the integer, and the number that it represents in units of `per`.
    fn sum(&mut self, cell: u32, key: Key<'a>, term: &str, integer: i128, per: f64) {
        self.cell.push(cell as i32);
        self.keys.push(key);
        self.value.push(None);
        self.count.push(None);
        self.term.push(Some(term.to_owned()));
        self.sum.push(Some(integer as f64 / per));
        self.exact.push(Some(integer.to_string()));
    }

    fn histogram(&mut self, cell: u32, key: Key<'a>, histogram: &Histogram) {
        for (value, count) in histogram.iter() {
            self.count(cell, key, Some(value), count);
        }
    }

    fn rounds(&mut self, cell: u32, kind: &'a str, rounds: &RoundTally) {
        let key = Key::of(kind);
        for (verdict, histogram) in Verdict::ALL.into_iter().zip(&rounds.verdicts) {
            self.histogram(cell, key.winner(verdict), histogram);
        }
        self.histogram(cell, key.metric(None, MARGIN), &rounds.margin);
        self.histogram(cell, key.metric(None, TURNS), &rounds.turns);
        for &side in rounds.metrics.sides() {
            for (metric, histogram) in METRICS.iter().zip(&rounds.metrics[side]) {
                self.histogram(cell, key.metric(Some(side), metric.key), histogram);
            }
        }
    }

    fn luck(&mut self, cell: u32, luck: &LuckTally, terms: &LuckTerms<'a>) {
        for ((key, term, per), sum) in terms.0.iter().zip(luck.all()) {
            self.sum(cell, *key, term, sum, *per);
        }
        for (verdict, histogram) in Verdict::ALL.into_iter().zip(&luck.net) {
            self.histogram(cell, Key::of(NET_LUCK).winner(verdict), histogram);
        }
    }

    fn paired(&mut self, cell: u32, paired: &PairedTally, gauges: &'a [String]) {
        for &side in paired.gauges.sides() {
            for (key, sums) in gauges.iter().zip(&paired.gauges[side]) {
                for (term, sum) in terms_of_pairs(sums) {
                    self.sum(cell, Key::of(PAIR_SUM).metric(Some(side), key), term, sum, 1.0);
                }
            }
        }
        for &own in Verdict::among(self.sides) {
            for &base in Verdict::among(self.sides) {
                let key = Key { baseline_winner: Some(base), ..Key::of(PAIR).winner(own) };
                self.count(cell, key, None, paired.joint[own.index()][base.index()]);
            }
        }
        let key = Key::of(DIFFERENCE);
        self.histogram(cell, key.metric(None, TURNS), &paired.turns);
        for &side in paired.metrics.sides() {
            for (metric, histogram) in METRICS.iter().zip(&paired.metrics[side]) {
                self.histogram(cell, key.metric(Some(side), metric.key), histogram);
            }
        }
    }

    fn cell(&mut self, cell: u32, tally: &CellTally, keys: &'a PackKeys, terms: &LuckTerms<'a>) {
        for &verdict in Verdict::among(self.sides) {
            self.count(cell, Key::of(OUTCOME).winner(verdict), None, tally.outcomes[verdict.index()]);
        }
        self.histogram(cell, Key::of(COUNT).metric(None, TURNS), &tally.turns);
        for &side in tally.metrics.sides() {
            for (metric, histogram) in METRICS.iter().zip(&tally.metrics[side]) {
                let key = Key::of(COUNT).metric(Some(side), metric.key);
                for (value, count) in histogram.iter() {
                    // Battles without a value are counted under 0.
                    self.count(cell, key, (value != 0 || !metric.partial).then_some(value), count);
                }
            }
        }
        for &side in tally.counted.sides() {
            for (key, histogram) in keys.counted.iter().zip(&tally.counted[side]) {
                self.histogram(cell, Key::of(COUNT).metric(Some(side), key), histogram);
            }
        }
        if let Some(rounds) = &tally.rounds {
            self.rounds(cell, ROUND, rounds);
        }
        if let Some(luck) = &tally.luck {
            self.luck(cell, luck, terms);
        }
        if let Some(rounds) = tally.paired.as_ref().and_then(|paired| paired.rounds.as_ref()) {
            self.rounds(cell, ROUND_DIFFERENCE, rounds);
        }
        for &side in tally.gauges.sides() {
            for (key, sums) in keys.gauges.iter().zip(&tally.gauges[side]) {
                for (term, sum) in terms_of(sums) {
                    self.sum(cell, Key::of(SUM).metric(Some(side), key), term, sum, 1.0);
                }
            }
        }
        if let Some(paired) = &tally.paired {
            self.paired(cell, paired, &keys.gauges);
        }
    }

    fn into_table(self, manifest: &'a Manifest) -> Table<'a> {
        let names = manifest.side_names();
        let keys = || self.keys.iter();
        let verdict = |verdict: Verdict| winner_name(verdict, names);
        let columns = vec![
            column("kind", keys().map(|key| key.kind).collect::<Vec<_>>()),
            column("side", keys().map(|key| key.side.map(|side| names[side])).collect::<Vec<_>>()),
            column("metric", keys().map(|key| key.metric).collect::<Vec<_>>()),
            column("winner", keys().map(|key| key.winner.map(verdict)).collect::<Vec<_>>()),
            column("baseline_winner", keys().map(|key| key.baseline_winner.map(verdict)).collect::<Vec<_>>()),
            column("value", self.value),
            column("count", self.count),
            column("term", self.term),
            column("sum", self.sum),
            column("exact", self.exact),
        ];
        let height = self.cell.len();
        Table::new(height, [column("cell", self.cell)].into_iter().chain(columns).collect())
    }
}

/// The sums of a pack's counts during the battles of a cell.
fn terms_of(sums: &RatioSums) -> [(&'static str, i128); 5] {
    let RatioSums { runs: _, part, of, part_squares, products, of_squares } = *sums;
    [
        ("part", part.into()),
        ("of", of.into()),
        ("part_squared", part_squares.into()),
        ("product", products.into()),
        ("of_squared", of_squares.into()),
    ]
}

/// The sums over pairs of battles: the cell's part times the baseline's, and so on.
fn terms_of_pairs(sums: &RatioPairs) -> [(&'static str, i128); 4] {
    let RatioPairs { parts, part_of, of_part, ofs } = *sums;
    [("part_part", parts.into()), ("part_of", part_of.into()), ("of_part", of_part.into()), ("of_of", ofs.into())]
}

/// The sums of luck, in the order of [`LuckTally::all`]: the row, the term, and the integer that represents 1.
struct LuckTerms<'a>(Vec<(Key<'a>, String, f64)>);

impl LuckTerms<'_> {
    fn of(manifest: &Manifest) -> Self {
        let columns = manifest.columns();
        let [first, second] = Side::BOTH.map(|side| columns.of_side(side, LUCK));
        let key = Key::of(LUCK);
        let mut terms = Vec::new();
        terms.extend([(key, first.clone(), ROLL), (key, second.clone(), ROLL)]);
        terms.extend([first, second].map(|luck| (key, format!("{luck}_squared"), ROLL * ROLL)));
        let worths = WORTHS.map(|what| Side::BOTH.map(|side| columns.of_side(side, what)));
        for (what, [first, second]) in WORTHS.iter().zip(&worths) {
            terms.extend([first, second].map(|worth| (key, worth.clone(), ONE)));
            let squares = [format!("{first}_squared"), format!("{second}_squared"), format!("{what}_product")];
            terms.extend(squares.map(|term| (key, term, ONE * ONE)));
        }
        let mut both = |key, at: usize| terms.extend(worths[at].iter().map(|worth: &String| (key, worth.clone(), ONE)));
        Verdict::among(2).iter().for_each(|&verdict| both(key.winner(verdict), 0));
        both(key.metric(None, TURNS), 0);
        for side in Side::BOTH {
            METRICS.iter().for_each(|metric| both(key.metric(Some(side), metric.key), usize::from(of_losses(metric))));
        }
        Self(terms)
    }
}

/// The number of cells in one table of tallies, which limits the memory needed for writing.
const CELLS_PER_TABLE: usize = 256;

/// The manifest's keys of the metrics that a pack counts.
pub(in crate::results) struct PackKeys {
    gauges: Vec<String>,
    /// The keys of those with a histogram.
    counted: Vec<String>,
}

impl PackKeys {
    pub(in crate::results) fn of(manifest: &Manifest) -> Self {
        Self { gauges: manifest.gauge_keys(), counted: manifest.counted_keys() }
    }
}

/// Tallies as tables with a row for each count and each sum.
pub(in crate::results) fn tallies_tables<'a>(
    tallies: &'a [CellTally],
    manifest: &'a Manifest,
    keys: &'a PackKeys,
) -> impl Iterator<Item = Table<'a>> + 'a {
    let tables = (0_u32..).step_by(CELLS_PER_TABLE).zip(tallies.chunks(CELLS_PER_TABLE));
    let terms = LuckTerms::of(manifest);
    tables.map(move |(first, some)| {
        let mut rows = Rows { sides: manifest.sides.len(), ..Rows::default() };
        for (cell, tally) in (first..).zip(some) {
            rows.cell(cell, tally, keys, &terms);
        }
        rows.into_table(manifest)
    })
}

/// Adds a frame made by [`tallies_tables`] to the tallies of all cells.
pub(in crate::results) fn enter_tallies(
    frame: &DataFrame,
    tallies: &mut [CellTally],
    manifest: &Manifest,
) -> Result<(), Fault> {
    let fields = Fields(frame);
    let (cells, kinds, values) = (fields.ints("cell")?, fields.texts("kind")?, fields.ints("value")?);
    let (sides, metrics) = (fields.texts("side")?, fields.texts("metric")?);
    let (winners, base_winners) = (fields.texts("winner")?, fields.texts("baseline_winner")?);
    let (counts, terms, integers) = (fields.longs("count")?, fields.texts("term")?, fields.texts("exact")?);
    let names = manifest.side_names();
    for tally in tallies.iter_mut() {
        tally.grow(names.count());
    }
    let reader = Reader { keys: PackKeys::of(manifest), luck: LuckTerms::of(manifest) };

    for row in 0..frame.height() {
        let verdict = |name: Option<&str>| match name {
            None => Some(None),
            Some(name) => verdict_of(name, names).map(Some),
        };
        let mut enter = || {
            let side = match sides.get(row) {
                None => None,
                Some(name) => Some(side_of(name, names)?),
            };
            let key = Key {
                kind: kinds.get(row)?,
                side,
                metric: metrics.get(row),
                winner: verdict(winners.get(row))?,
                baseline_winner: verdict(base_winners.get(row))?,
            };
            let tally = tallies.get_mut(usize::try_from(cells.get(row)?).ok()?)?;
            match counts.get(row) {
                Some(count) => reader.put_count(tally, key, values.get(row), u64::try_from(count).ok()?),
                None => reader.put_sum(tally, key, terms.get(row)?, integers.get(row)?.parse().ok()?),
            }
        };
        enter().ok_or_else(|| format!("row {row} is invalid"))?;
    }
    Ok(())
}

/// The histogram of rounds that a row belongs to.
fn of_round<'t>(rounds: &'t mut RoundTally, key: Key<'_>) -> Option<&'t mut Histogram> {
    match (key.winner, key.metric) {
        (Some(verdict), None) => Some(&mut rounds.verdicts[verdict.index()]),
        (None, Some(MARGIN)) => Some(&mut rounds.margin),
        (None, _) => of_metric(&mut rounds.turns, &mut rounds.metrics, key),
        _ => None,
    }
}

/// The counts of the turns, or of a metric of a side.
fn of_metric<'t, T>(
    turns: &'t mut T,
    metrics: &'t mut grognard_engine::BySide<crate::tally::ByMetric<T>>,
    key: Key<'_>,
) -> Option<&'t mut T> {
    match key.side {
        None => (key.metric == Some(TURNS)).then_some(turns),
        Some(side) => metrics[side].get_mut(METRICS.iter().position(|known| Some(known.key) == key.metric)?),
    }
}

/// The data needed to read counts and sums.
struct Reader<'a> {
    keys: PackKeys,
    luck: LuckTerms<'a>,
}

impl Reader<'_> {
    /// Adds a count to a tally; `None` if it is invalid.
    fn put_count(&self, tally: &mut CellTally, key: Key<'_>, value: Option<i32>, count: u64) -> Option<()> {
        // Metrics are at most u16, so no valid histogram is wider than this, and no histogram of the sums of two
        // battles is wider than twice this.
        let most = u32::from(u16::MAX) * if [ROUND, ROUND_DIFFERENCE].contains(&key.kind) { 2 } else { 1 };
        if value.is_some_and(|value| value.unsigned_abs() > most) {
            return None;
        }
        match key.kind {
            OUTCOME => tally.outcomes[key.winner?.index()] = count,
            PAIR => tally.paired.as_mut()?.joint[key.winner?.index()][key.baseline_winner?.index()] = count,
            NET_LUCK => tally.luck.get_or_insert_default().net[key.winner?.index()].add_many(value?, count),
            ROUND => of_round(tally.rounds.get_or_insert_default(), key)?.add_many(value?, count),
            ROUND_DIFFERENCE => {
                let rounds = tally.paired.as_mut()?.rounds.get_or_insert_default();
                of_round(rounds, key)?.add_many(value?, count);
            }
            COUNT => {
                if let Some(place) = self.keys.counted.iter().position(|known| Some(known.as_str()) == key.metric) {
                    let histograms = &mut tally.counted[key.side?];
                    histograms.resize(self.keys.counted.len(), Histogram::default());
                    histograms[place].add_many(value?, count);
                    return Some(());
                }
                let partial = METRICS.iter().any(|metric| metric.partial && Some(metric.key) == key.metric);
                let value = if partial { value.unwrap_or(0) } else { value? };
                of_metric(&mut tally.turns, &mut tally.metrics, key)?.add_many(value, count);
            }
            DIFFERENCE => {
                let PairedTally { turns, metrics, .. } = tally.paired.as_mut()?;
                of_metric(turns, metrics, key)?.add_many(value?, count);
            }
            _ => return None,
        }
        Some(())
    }

    /// Adds a sum to a tally; `None` if it is invalid.
    fn put_sum(&self, tally: &mut CellTally, key: Key<'_>, term: &str, integer: i128) -> Option<()> {
        if key.kind == LUCK {
            let place = self.luck.0.iter().position(|(known, name, _)| *known == key && name == term)?;
            **tally.luck.get_or_insert_default().all_mut().get_mut(place)? = integer;
            return Some(());
        }
        let place = self.keys.gauges.iter().position(|known| Some(known.as_str()) == key.metric)?;
        match key.kind {
            SUM => {
                let battles = tally.outcomes.iter().fold(0_u64, |sum, count| sum.saturating_add(*count));
                let runs = if tally.rounds.is_some() { battles / 2 } else { battles };
                let sums = &mut tally.gauges[key.side?];
                sums.resize(self.keys.gauges.len(), RatioSums::default());
                let sums = &mut sums[place];
                // The rows with the cell's outcomes and rounds come before this one.
                sums.runs = runs;
                match term {
                    "part" => sums.part = integer.try_into().ok()?,
                    "of" => sums.of = integer.try_into().ok()?,
                    "part_squared" => sums.part_squares = integer.try_into().ok()?,
                    "product" => sums.products = integer.try_into().ok()?,
                    "of_squared" => sums.of_squares = integer.try_into().ok()?,
                    _ => return None,
                }
            }
            PAIR_SUM => {
                let sums = &mut tally.paired.as_mut()?.gauges[key.side?];
                sums.resize(self.keys.gauges.len(), RatioPairs::default());
                let sums = &mut sums[place];
                match term {
                    "part_part" => sums.parts = integer.try_into().ok()?,
                    "part_of" => sums.part_of = integer.try_into().ok()?,
                    "of_part" => sums.of_part = integer.try_into().ok()?,
                    "of_of" => sums.ofs = integer.try_into().ok()?,
                    _ => return None,
                }
            }
            _ => return None,
        }
        Some(())
    }
}

/// Whether a tally counts each battle once in each of its parts. `counted` is the number of the pack's metrics that
/// have a histogram.
pub(in crate::results) fn adds_up(tally: &CellTally, battles: u64, counted: usize) -> bool {
    let sum = |counts: &[u64]| counts.iter().fold(0_u64, |sum, count| sum.saturating_add(*count));
    let rounds = |rounds: &RoundTally| rounds.histograms().all(|histogram| histogram.runs() == battles / 2);
    let luck = |luck: &LuckTally| luck.net.iter().map(Histogram::runs).fold(0, u64::saturating_add) == battles;
    sum(&tally.outcomes) == battles
        && tally.luck.as_deref().is_none_or(luck)
        && tally.rounds.as_deref().is_none_or(rounds)
        && tally.paired.as_ref().and_then(|paired| paired.rounds.as_deref()).is_none_or(rounds)
        && tally.turns.runs() == battles
        && tally.metrics.iter().flatten().all(|histogram| histogram.runs() == battles)
        && (battles == 0 || tally.counted.iter().all(|histograms| histograms.len() == counted))
        && tally.counted.iter().flatten().all(|histogram| histogram.runs() == battles)
        && tally.paired.as_ref().is_none_or(|paired| {
            sum(paired.joint.as_flattened()) == battles
                && paired.turns.runs() == battles
                && paired.metrics.iter().flatten().all(|histogram| histogram.runs() == battles)
        })
}
