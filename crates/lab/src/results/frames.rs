//! Tallies and summaries as data frames, both ways.

use grognard_engine::{METRICS, Side};
use grognard_stats::{RatioPairs, RatioSums};
use polars_core::prelude::{Column, DataFrame, NamedFrom, PolarsResult, Series};

use super::{DRAW, Kind, Manifest, SummaryRow, TURNS, WIN};
use crate::tally::{CellTally, Histogram, LuckTally, PairedTally, RoundTally, Verdict};

/// Kind of a tally row: battles by verdict (`value`: 0 first side, 1 second, 2 draw).
const OUTCOME: &str = "outcome";
/// Kind of a tally row: pairs by verdict (`value`: 3 times this cell's verdict plus the baseline's).
const JOINT: &str = "joint";
/// Kind of a tally row: battles in which the metric had the value.
const COUNT: &str = "count";
/// Kind of a tally row: pairs in which the metric differed from the baseline's by the value.
const DIFFERENCE: &str = "difference";
/// Kind of a tally row: a sum of what the pack counted along the battles (`value`: its place in [`sums_of`]), negative ones as
/// two's complement.
const SUM: &str = "sum";
/// Kind of a tally row: a sum over pairs of battles (`value`: its place in [`sums_of_pairs`]).
const PAIR_SUM: &str = "pair-sum";

/// Kind of a tally row: rounds of battles fought both ways in which the two summed up to the value.
const ROUND: &str = "round";
/// Kind of a tally row: rounds in which that differed from the baseline's by the value.
const ROUND_DIFFERENCE: &str = "round-difference";
/// Kind of a tally row: half of a sum of luck; `value` is twice the sum's number, or one more for its upper 64 bits.
const LUCK: &str = "luck";
/// Kind of a tally row: battles of a verdict in which the first side's luck less the second's was so many tenths of a roll.
const NET_LUCK: &str = "net-luck";
/// What a round counts beside the metrics: the first side's wins less the second's.
const MARGIN: &str = "margin";

/// The columns of `tallies.parquet`, row by row.
#[derive(Default)]
struct TallyRows<'a> {
    cell: Vec<u32>,
    kind: Vec<&'static str>,
    side: Vec<&'static str>,
    metric: Vec<&'a str>,
    value: Vec<i32>,
    count: Vec<u64>,
}

impl<'a> TallyRows<'a> {
    fn push(&mut self, cell: u32, kind: &'static str, key: (&'static str, &'a str), value: i32, count: u64) {
        self.cell.push(cell);
        self.kind.push(kind);
        self.side.push(key.0);
        self.metric.push(key.1);
        self.value.push(value);
        self.count.push(count);
    }

    fn push_histogram(
        &mut self,
        cell: u32,
        kind: &'static str,
        key: (&'static str, &'static str),
        histogram: &Histogram,
    ) {
        for (value, count) in histogram.iter() {
            self.push(cell, kind, key, value, count);
        }
    }
}

impl TallyRows<'_> {
    fn push_rounds(&mut self, cell: u32, kind: &'static str, rounds: &RoundTally) {
        for (verdict, histogram) in Verdict::ALL.into_iter().zip(&rounds.verdicts) {
            self.push_histogram(cell, kind, (verdict.winner().map_or("", side_key), verdict_key(verdict)), histogram);
        }
        self.push_histogram(cell, kind, ("", MARGIN), &rounds.margin);
        self.push_histogram(cell, kind, ("", TURNS), &rounds.turns);
        for side in Side::BOTH {
            for (metric, histogram) in METRICS.iter().zip(&rounds.metrics[side]) {
                self.push_histogram(cell, kind, (side_key(side), metric.key), histogram);
            }
        }
    }
}

pub(super) fn verdict_key(verdict: Verdict) -> &'static str {
    if verdict.winner().is_some() { WIN } else { DRAW }
}

/// The histogram of rounds that a row belongs to.
fn of_round<'t>(rounds: &'t mut RoundTally, side: &str, metric: &str) -> Option<&'t mut Histogram> {
    let verdict = Verdict::ALL
        .into_iter()
        .find(|&verdict| (verdict.winner().map_or("", side_key), verdict_key(verdict)) == (side, metric));
    match (verdict, side, metric) {
        (Some(verdict), ..) => Some(&mut rounds.verdicts[verdict.index()]),
        (None, "", MARGIN) => Some(&mut rounds.margin),
        (None, "", TURNS) => Some(&mut rounds.turns),
        (None, side, metric) => of_metric(&mut rounds.metrics, side, metric),
    }
}

/// The key of a side in `tallies.parquet`.
pub(super) fn side_key(side: Side) -> &'static str {
    match side {
        Side::First => "first",
        Side::Second => "second",
    }
}

/// Cells in one frame of tallies: bounds the memory that writing takes.
const CELLS_PER_FRAME: usize = 256;

/// Tallies as frames with a row per count: `cell, kind, side, metric, value, count`.
/// `gauges` are the keys of what the pack counts along battles.
pub(super) fn tallies_to_frames<'a>(
    tallies: &'a [CellTally],
    gauges: &'a [String],
) -> impl Iterator<Item = PolarsResult<DataFrame>> + 'a {
    let frames = (0_u32..).step_by(CELLS_PER_FRAME).zip(tallies.chunks(CELLS_PER_FRAME));
    frames.map(move |(first, some)| to_frame(first, some, gauges))
}

/// The sums of what a pack counted along the battles of a cell, as numbers of 64 bits.
fn sums_of(sums: &RatioSums) -> [u64; 5] {
    let RatioSums { runs: _, part, of, part_squares, products, of_squares } = *sums;
    [part.cast_unsigned(), of, part_squares, products.cast_unsigned(), of_squares]
}

/// The same over pairs of battles.
fn sums_of_pairs(sums: &RatioPairs) -> [u64; 4] {
    let RatioPairs { parts, part_of, of_part, ofs } = *sums;
    [parts.cast_unsigned(), part_of.cast_unsigned(), of_part.cast_unsigned(), ofs]
}

/// The tallies of successive cells from `first` on.
fn to_frame(first: u32, tallies: &[CellTally], gauges: &[String]) -> PolarsResult<DataFrame> {
    let mut rows = TallyRows::default();
    for (cell, tally) in (first..).zip(tallies) {
        for (value, count) in (0..).zip(tally.outcomes) {
            rows.push(cell, OUTCOME, ("", ""), value, count);
        }
        rows.push_histogram(cell, COUNT, ("", TURNS), &tally.turns);
        for side in Side::BOTH {
            for (metric, histogram) in METRICS.iter().zip(&tally.metrics[side]) {
                rows.push_histogram(cell, COUNT, (side_key(side), metric.key), histogram);
            }
        }
        if let Some(rounds) = &tally.rounds {
            rows.push_rounds(cell, ROUND, rounds);
        }
        if let Some(luck) = &tally.luck {
            for (place, sum) in (0..).zip(luck.all()) {
                // A sum in two halves: counts have 64 bits.
                rows.push(cell, LUCK, ("", ""), 2 * place, sum as u64);
                rows.push(cell, LUCK, ("", ""), 2 * place + 1, (sum >> 64) as u64);
            }
            for (verdict, histogram) in Verdict::ALL.into_iter().zip(&luck.net) {
                let key = (verdict.winner().map_or("", side_key), verdict_key(verdict));
                rows.push_histogram(cell, NET_LUCK, key, histogram);
            }
        }
        if let Some(rounds) = tally.paired.as_ref().and_then(|paired| paired.rounds.as_ref()) {
            rows.push_rounds(cell, ROUND_DIFFERENCE, rounds);
        }
        for side in Side::BOTH {
            for (key, sums) in gauges.iter().zip(&tally.gauges[side]) {
                for (value, sum) in (0..).zip(sums_of(sums)) {
                    rows.push(cell, SUM, (side_key(side), key.as_str()), value, sum);
                }
            }
        }
        if let Some(paired) = &tally.paired {
            for side in Side::BOTH {
                for (key, sums) in gauges.iter().zip(&paired.gauges[side]) {
                    for (value, sum) in (0..).zip(sums_of_pairs(sums)) {
                        rows.push(cell, PAIR_SUM, (side_key(side), key.as_str()), value, sum);
                    }
                }
            }
            for (value, count) in (0..).zip(paired.joint.iter().flatten()) {
                rows.push(cell, JOINT, ("", ""), value, *count);
            }
            rows.push_histogram(cell, DIFFERENCE, ("", TURNS), &paired.turns);
            for side in Side::BOTH {
                for (metric, histogram) in METRICS.iter().zip(&paired.metrics[side]) {
                    rows.push_histogram(cell, DIFFERENCE, (side_key(side), metric.key), histogram);
                }
            }
        }
    }
    DataFrame::new(
        rows.cell.len(),
        vec![
            column("cell", rows.cell),
            column("kind", rows.kind),
            column("side", rows.side),
            column("metric", rows.metric),
            column("value", rows.value),
            column("count", rows.count),
        ],
    )
}

/// A column of this name and these values.
pub(super) fn column<T, P: ?Sized>(name: &str, values: T) -> Column
where
    Series: NamedFrom<T, P>,
{
    Series::new(name.into(), values).into()
}

/// Why a frame is not what it should be, in words.
pub(super) type Fault = String;

pub(super) fn missing(error: impl std::fmt::Display) -> Fault {
    format!("a column is missing or of another type ({error})")
}

/// Enters a frame that [`tallies_to_frames`] made into the tallies of all cells.
pub(super) fn enter_tallies(frame: &DataFrame, tallies: &mut [CellTally], gauges: &[String]) -> Result<(), Fault> {
    let cells = frame.column("cell").and_then(|column| column.u32()).map_err(missing)?;
    let kinds = frame.column("kind").and_then(|column| column.str()).map_err(missing)?;
    let sides = frame.column("side").and_then(|column| column.str()).map_err(missing)?;
    let metrics = frame.column("metric").and_then(|column| column.str()).map_err(missing)?;
    let values = frame.column("value").and_then(|column| column.i32()).map_err(missing)?;
    let counts = frame.column("count").and_then(|column| column.u64()).map_err(missing)?;

    for row in 0..frame.height() {
        let read = || {
            let key = (kinds.get(row)?, sides.get(row)?, metrics.get(row)?);
            Some((cells.get(row)?, key, values.get(row)?, counts.get(row)?))
        };
        let (cell, key, value, count) = read().ok_or_else(|| format!("row {row} has an empty field"))?;
        let tally = tallies
            .get_mut(cell as usize)
            .ok_or_else(|| format!("row {row} is of cell {cell}, of which the manifest knows nothing"))?;
        put(tally, gauges, key, value, count)
            .ok_or_else(|| format!("row {row} ({}, {}, {}, {value}) means nothing", key.0, key.1, key.2))?;
    }
    Ok(())
}

/// Enters one row of the tallies; none if it means nothing.
fn put(
    tally: &mut CellTally,
    gauges: &[String],
    (kind, side, metric): (&str, &str, &str),
    value: i32,
    count: u64,
) -> Option<()> {
    let at = usize::try_from(value);
    match kind {
        SUM => {
            let place = gauges.iter().position(|known| known == metric)?;
            let battles = tally.outcomes.iter().fold(0_u64, |sum, count| sum.saturating_add(*count));
            let runs = if tally.rounds.is_some() { battles / 2 } else { battles };
            let sums = entry(&mut tally.gauges, gauges.len(), side)?.get_mut(place)?;
            // The outcomes of a cell and its rounds stand before this.
            sums.runs = runs;
            match value {
                0 => sums.part = count.cast_signed(),
                1 => sums.of = count,
                2 => sums.part_squares = count,
                3 => sums.products = count.cast_signed(),
                4 => sums.of_squares = count,
                _ => return None,
            }
        }
        PAIR_SUM => {
            let place = gauges.iter().position(|known| known == metric)?;
            let sums = entry(&mut tally.paired.as_mut()?.gauges, gauges.len(), side)?.get_mut(place)?;
            match value {
                0 => sums.parts = count.cast_signed(),
                1 => sums.part_of = count.cast_signed(),
                2 => sums.of_part = count.cast_signed(),
                3 => sums.ofs = count,
                _ => return None,
            }
        }
        OUTCOME => *tally.outcomes.get_mut(at.ok()?)? = count,
        JOINT => *tally.paired.as_mut()?.joint.as_flattened_mut().get_mut(at.ok()?)? = count,
        LUCK => {
            let mut sums = tally.luck.get_or_insert_default().all_mut();
            let sum = sums.get_mut(at.ok()? / 2)?;
            **sum |= i128::from(count) << (64 * (value % 2));
        }
        NET_LUCK if value.unsigned_abs() > u32::from(u16::MAX) => return None,
        NET_LUCK => {
            let verdict = Verdict::ALL
                .into_iter()
                .find(|&verdict| (verdict.winner().map_or("", side_key), verdict_key(verdict)) == (side, metric))?;
            tally.luck.get_or_insert_default().net[verdict.index()].add_many(value, count);
        }
        // Metrics are at most u16, so no sound histogram is wider than this, and none of two battles than twice as wide.
        ROUND | ROUND_DIFFERENCE if value.unsigned_abs() > 2 * u32::from(u16::MAX) => return None,
        ROUND => of_round(tally.rounds.get_or_insert_default(), side, metric)?.add_many(value, count),
        ROUND_DIFFERENCE => {
            let rounds = tally.paired.as_mut()?.rounds.get_or_insert_default();
            of_round(rounds, side, metric)?.add_many(value, count);
        }
        _ if value.unsigned_abs() > u32::from(u16::MAX) => return None,
        COUNT if (side, metric) == ("", TURNS) => tally.turns.add_many(value, count),
        COUNT => of_metric(&mut tally.metrics, side, metric)?.add_many(value, count),
        DIFFERENCE => {
            let PairedTally { turns, metrics, .. } = tally.paired.as_mut()?;
            let histogram = if (side, metric) == ("", TURNS) { turns } else { of_metric(metrics, side, metric)? };
            histogram.add_many(value, count);
        }
        _ => return None,
    }
    Some(())
}

/// The sums of a side, one for each metric.
fn entry<'a, T: Clone + Default>(
    sums: &'a mut grognard_engine::BySide<Vec<T>>,
    count: usize,
    side: &str,
) -> Option<&'a mut Vec<T>> {
    let side = Side::BOTH.into_iter().find(|&known| side_key(known) == side)?;
    sums[side].resize(count, T::default());
    Some(&mut sums[side])
}

/// What is known of a metric of a side.
pub(super) fn of_metric<'a, T>(
    metrics: &'a mut grognard_engine::BySide<crate::tally::ByMetric<T>>,
    side: &str,
    metric: &str,
) -> Option<&'a mut T> {
    let side = Side::BOTH.into_iter().find(|&known| side_key(known) == side)?;
    metrics[side].get_mut(METRICS.iter().position(|known| known.key == metric)?)
}

/// A summary as a tidy frame: `cell, label, side, metric, kind, baseline, mean, low, high, level, runs,
/// variance_ratio`.
pub(super) fn summary_to_frame(summary: &[SummaryRow], manifest: &Manifest) -> PolarsResult<DataFrame> {
    let label = |row: &SummaryRow| manifest.cells.get(row.cell as usize).map_or("", |cell| cell.label.as_str());
    let side = |row: &SummaryRow| row.side.map_or("", |side| manifest.side_names()[side]);
    DataFrame::new(
        summary.len(),
        vec![
            column("cell", summary.iter().map(|row| row.cell).collect::<Vec<_>>()),
            column("label", summary.iter().map(label).collect::<Vec<_>>()),
            column("side", summary.iter().map(side).collect::<Vec<_>>()),
            column("metric", summary.iter().map(|row| row.metric.as_str()).collect::<Vec<_>>()),
            column("kind", summary.iter().map(|row| row.kind.name()).collect::<Vec<_>>()),
            column("baseline", summary.iter().map(|row| row.baseline).collect::<Vec<_>>()),
            column("mean", summary.iter().map(|row| row.mean).collect::<Vec<_>>()),
            column("low", summary.iter().map(|row| row.low).collect::<Vec<_>>()),
            column("high", summary.iter().map(|row| row.high).collect::<Vec<_>>()),
            column("level", summary.iter().map(|row| row.level).collect::<Vec<_>>()),
            column("runs", summary.iter().map(|row| row.runs).collect::<Vec<_>>()),
            column("variance_ratio", summary.iter().map(|row| row.variance_ratio).collect::<Vec<_>>()),
        ],
    )
}

/// A summary from the frame that [`summary_to_frame`] makes.
pub(super) fn summary_from_frame(frame: &DataFrame, manifest: &Manifest) -> Result<Vec<SummaryRow>, Fault> {
    let text = |name: &str| frame.column(name).and_then(|column| column.str()).map_err(missing);
    let number = |name: &str| frame.column(name).and_then(|column| column.f64()).map_err(missing);
    let cells = frame.column("cell").and_then(|column| column.u32()).map_err(missing)?;
    let baselines = frame.column("baseline").and_then(|column| column.u32()).map_err(missing)?;
    let runs = frame.column("runs").and_then(|column| column.u64()).map_err(missing)?;
    let (sides, metrics, kinds) = (text("side")?, text("metric")?, text("kind")?);
    let (means, lows, highs, levels) = (number("mean")?, number("low")?, number("high")?, number("level")?);
    let ratios = number("variance_ratio")?;
    let names = manifest.side_names();
    let known = |metric: &str| {
        [WIN, DRAW, TURNS].contains(&metric) || manifest.metrics.iter().any(|header| header.key == metric)
    };

    let read = |row: usize| {
        let side = match sides.get(row)? {
            "" => None,
            name => Some(Side::BOTH.into_iter().find(|&side| names[side] == name)?),
        };
        Some(SummaryRow {
            cell: cells.get(row).filter(|cell| (*cell as usize) < manifest.cells.len())?,
            side,
            metric: metrics.get(row).filter(|metric| known(metric))?.to_owned(),
            kind: Kind::named(kinds.get(row)?)?,
            baseline: baselines.get(row),
            mean: means.get(row)?,
            low: lows.get(row)?,
            high: highs.get(row)?,
            level: levels.get(row)?,
            runs: runs.get(row)?,
            variance_ratio: ratios.get(row),
        })
    };
    (0..frame.height()).map(|row| read(row).ok_or_else(|| format!("row {row} means nothing"))).collect()
}

/// Whether a tally counts each battle once in each of its parts.
pub(super) fn adds_up(tally: &CellTally, battles: u64) -> bool {
    let sum = |counts: &[u64]| counts.iter().fold(0_u64, |sum, count| sum.saturating_add(*count));
    let rounds = |rounds: &RoundTally| rounds.histograms().all(|histogram| histogram.runs() == battles / 2);
    let luck = |luck: &LuckTally| luck.net.iter().map(Histogram::runs).fold(0, u64::saturating_add) == battles;
    sum(&tally.outcomes) == battles
        && tally.luck.as_deref().is_none_or(luck)
        && tally.rounds.as_deref().is_none_or(rounds)
        && tally.paired.as_ref().and_then(|paired| paired.rounds.as_deref()).is_none_or(rounds)
        && tally.turns.runs() == battles
        && Side::BOTH.iter().all(|&side| tally.metrics[side].iter().all(|histogram| histogram.runs() == battles))
        && tally.paired.as_ref().is_none_or(|paired| {
            sum(paired.joint.as_flattened()) == battles
                && paired.turns.runs() == battles
                && Side::BOTH
                    .iter()
                    .all(|&side| paired.metrics[side].iter().all(|histogram| histogram.runs() == battles))
        })
}
