//! Computed odds as data frames and back: probabilities, means, ends of battles, and the work done.

use grognard_engine::{METRICS, Side};
use grognard_exact::{Fraction, Number};
use polars_core::prelude::{Column, DataFrame, PolarsResult};

use super::battles::{OutcomeColumns, outcome_columns};
use super::parquet::{Fault, Fields, column};
use super::side_of;
use crate::exact::{CellOdds, End, Odds};
use crate::results::{DRAW, Manifest, TURNS, WIN};
use crate::tally::Verdict;

/// The quantity of a number.
#[derive(Clone, Copy, Debug)]
struct Key {
    cell: u32,
    side: Option<Side>,
    metric: &'static str,
    /// Whether a value of 0 means none.
    partial: bool,
}

/// Each value that every battle has, or may have, of a cell.
fn values_of(cell: u32, odds: &CellOdds) -> impl Iterator<Item = (Key, &Odds)> {
    let key = move |side, metric, partial| Key { cell, side, metric, partial };
    let of_side = move |side: Side| {
        let metrics = METRICS.iter().zip(&odds.metrics[side]);
        metrics.map(move |(metric, odds)| (key(Some(side), metric.key, metric.partial), odds))
    };
    [(key(None, TURNS, false), &odds.turns)].into_iter().chain(Side::BOTH.into_iter().flat_map(of_side))
}

/// The cells with their numbers.
fn numbered<'a>(odds: &'a [CellOdds], manifest: &'a Manifest) -> impl Iterator<Item = (u32, &'a CellOdds)> {
    manifest.cells.iter().map(|cell| cell.cell).zip(odds)
}

fn key_columns(keys: &[Key], manifest: &Manifest) -> Vec<Column> {
    let names = manifest.side_names();
    vec![
        column("cell", keys.iter().map(|key| key.cell as i32).collect::<Vec<_>>()),
        column("side", keys.iter().map(|key| key.side.map(|side| names[side])).collect::<Vec<_>>()),
        column("metric", keys.iter().map(|key| key.metric).collect::<Vec<_>>()),
    ]
}

fn number_columns(called: &str, numbers: &[&Number]) -> Vec<Column> {
    let fraction = |number: &&Number| number.fraction.as_ref().map(ToString::to_string);
    vec![
        column(called, numbers.iter().map(|number| number.value).collect::<Vec<_>>()),
        column("error", numbers.iter().map(|number| number.error).collect::<Vec<_>>()),
        column("fraction", numbers.iter().map(fraction).collect::<Vec<Option<String>>>()),
    ]
}

/// The probability of each outcome, and of each value of each metric: `cell, side, metric, value, p, error, fraction`. A side wins, and
/// a battle is drawn, with the value 1.
pub(in crate::results) fn odds_to_frame(odds: &[CellOdds], manifest: &Manifest) -> PolarsResult<DataFrame> {
    let (mut keys, mut values, mut numbers) = (Vec::new(), Vec::new(), Vec::new());
    for (cell, odds) in numbered(odds, manifest) {
        for verdict in Verdict::ALL {
            let side = verdict.winner();
            keys.push(Key { cell, side, metric: if side.is_some() { WIN } else { DRAW }, partial: false });
            values.push(Some(1));
            numbers.push(&odds.outcomes[verdict.index()]);
        }
        for (key, odds) in values_of(cell, odds) {
            for (value, number) in &odds.values {
                keys.push(key);
                values.push((!key.partial || *value > 0).then_some(*value as i32));
                numbers.push(number);
            }
        }
    }
    let mut columns = key_columns(&keys, manifest);
    columns.push(column("value", values));
    columns.extend(number_columns("p", &numbers));
    DataFrame::new(keys.len(), columns)
}

/// The mean of each metric: `cell, side, metric, mean, error, fraction`. For a metric that not every battle has, it
/// is the mean over those that do.
pub(in crate::results) fn means_to_frame(odds: &[CellOdds], manifest: &Manifest) -> PolarsResult<DataFrame> {
    let all = numbered(odds, manifest).flat_map(|(cell, odds)| values_of(cell, odds));
    let some = all.filter(|(key, odds)| !key.partial || odds.values.iter().any(|(value, _)| *value > 0));
    let (keys, numbers): (Vec<Key>, Vec<&Number>) = some.map(|(key, odds)| (key, &odds.mean)).unzip();
    let mut columns = key_columns(&keys, manifest);
    columns.extend(number_columns("mean", &numbers));
    DataFrame::new(keys.len(), columns)
}

/// What was left out of each cell, and how much work it was: `cell, left_out, error, states, paths, widest, bytes`.
pub(in crate::results) fn work_to_frame(odds: &[CellOdds], manifest: &Manifest) -> PolarsResult<DataFrame> {
    let count = |of: fn(&CellOdds) -> u64| odds.iter().map(|cell| of(cell) as i64).collect::<Vec<_>>();
    let columns = vec![
        column("cell", numbered(odds, manifest).map(|(cell, _)| cell as i32).collect::<Vec<_>>()),
        column("left_out", odds.iter().map(|cell| cell.left_out).collect::<Vec<_>>()),
        column("error", odds.iter().map(|cell| cell.error).collect::<Vec<_>>()),
        column("states", count(|cell| cell.effort.states)),
        column("paths", count(|cell| cell.effort.paths)),
        column("widest", count(|cell| cell.effort.widest)),
        column("bytes", count(|cell| cell.effort.bytes)),
    ];
    DataFrame::new(odds.len(), columns)
}

/// Every way in which battles can end as a frame: `cell`, the columns of a battle that is kept, and `p, error, fraction`.
pub(in crate::results) fn ends_to_frame(odds: &[CellOdds], manifest: &Manifest) -> PolarsResult<DataFrame> {
    let ends: Vec<(u32, &End)> =
        numbered(odds, manifest).flat_map(|(cell, odds)| odds.ends.iter().map(move |end| (cell, end))).collect();
    let outcomes: Vec<_> = ends.iter().map(|(_, end)| end.outcome).collect();
    let mut columns = vec![column("cell", ends.iter().map(|(cell, _)| *cell as i32).collect::<Vec<_>>())];
    columns.extend(outcome_columns(&outcomes, manifest.side_names(), &manifest.columns()));
    columns.extend(number_columns("p", &ends.iter().map(|(_, end)| &end.chance).collect::<Vec<_>>()));
    DataFrame::new(ends.len(), columns)
}

/// The tables of exact odds.
pub(in crate::results) struct Exact<T> {
    pub(in crate::results) odds: T,
    pub(in crate::results) means: T,
    pub(in crate::results) work: T,
    pub(in crate::results) ends: T,
}

/// The odds of all cells from the frames that this module makes.
pub(in crate::results) fn odds_from_frames(
    frames: &Exact<DataFrame>,
    manifest: &Manifest,
) -> Result<Vec<CellOdds>, Fault> {
    let mut odds = vec![CellOdds::default(); manifest.cells.len()];
    let place = |cell: Option<i32>| manifest.place(u32::try_from(cell?).ok()?);

    let (frame, fields) = (&frames.odds, Fields(&frames.odds));
    let (cells, values, number) = (fields.ints("cell")?, fields.ints("value")?, numbers(&fields, "p")?);
    let (sides, metrics) = (fields.texts("side")?, fields.texts("metric")?);
    let side = |name: Option<&str>| match name {
        None => Some(None),
        Some(name) => side_of(name, manifest.side_names()).map(Some),
    };
    for row in 0..frame.height() {
        let mut enter = || {
            let odds = &mut odds[place(cells.get(row))?];
            put(odds, (side(sides.get(row))?, metrics.get(row)?), values.get(row), number(row)?)
        };
        enter().ok_or_else(|| format!("row {row} of the odds is invalid"))?;
    }

    let fields = Fields(&frames.means);
    let (cells, number) = (fields.ints("cell")?, numbers(&fields, "mean")?);
    let (sides, metrics) = (fields.texts("side")?, fields.texts("metric")?);
    for row in 0..frames.means.height() {
        let mut enter = || {
            let odds = &mut odds[place(cells.get(row))?];
            of_metric(odds, side(sides.get(row))?, metrics.get(row)?)?.0.mean = number(row)?;
            Some(())
        };
        enter().ok_or_else(|| format!("row {row} of the means is invalid"))?;
    }

    enter_work(&frames.work, &mut odds, manifest)?;

    let fields = Fields(&frames.ends);
    let (cells, number) = (fields.ints("cell")?, numbers(&fields, "p")?);
    let outcomes = OutcomeColumns::of(&frames.ends, manifest)?;
    for row in 0..frames.ends.height() {
        let mut enter = || {
            let end = End { outcome: outcomes.row(row)?, chance: number(row)? };
            odds[place(cells.get(row))?].ends.push(end);
            Some(())
        };
        enter().ok_or_else(|| format!("row {row} of the ends is invalid"))?;
    }
    Ok(odds)
}

fn enter_work(frame: &DataFrame, odds: &mut [CellOdds], manifest: &Manifest) -> Result<(), Fault> {
    let fields = Fields(frame);
    let (cells, left_out, error) = (fields.ints("cell")?, fields.floats("left_out")?, fields.floats("error")?);
    let counts = ["states", "paths", "widest", "bytes"].map(|name| fields.longs(name));
    let [states, paths, widest, bytes] = counts;
    let counts = [states?, paths?, widest?, bytes?];
    for row in 0..frame.height() {
        let mut enter = || {
            let cell = &mut odds[manifest.place(u32::try_from(cells.get(row)?).ok()?)?];
            cell.left_out = left_out.get(row).filter(|share| (0.0..1.0).contains(share))?;
            cell.error = error.get(row).filter(|error| *error >= 0.0 && error.is_finite())?;
            let effort = &mut cell.effort;
            let efforts = [&mut effort.states, &mut effort.paths, &mut effort.widest, &mut effort.bytes];
            for (effort, count) in efforts.into_iter().zip(counts) {
                *effort = u64::try_from(count.get(row)?).ok()?;
            }
            Some(())
        };
        enter().ok_or_else(|| format!("row {row} of the work is invalid"))?;
    }
    Ok(())
}

/// Reads the numbers of a frame.
fn numbers<'f>(fields: &Fields<'f>, called: &str) -> Result<impl Fn(usize) -> Option<Number> + 'f, Fault> {
    let (values, errors, fractions) = (fields.floats(called)?, fields.floats("error")?, fields.texts("fraction")?);
    Ok(move |row: usize| {
        let (value, error) = (values.get(row)?, errors.get(row)?);
        let fraction = match fractions.get(row) {
            Some(text) => Some(Fraction::parse(text)?),
            None => None,
        };
        (value >= 0.0 && value.is_finite() && error >= 0.0 && error.is_finite()).then_some(Number {
            value,
            error,
            fraction,
        })
    })
}

/// The odds of a metric, and whether a battle may have none.
fn of_metric<'o>(odds: &'o mut CellOdds, side: Option<Side>, metric: &str) -> Option<(&'o mut Odds, bool)> {
    match side {
        None => (metric == TURNS).then_some((&mut odds.turns, false)),
        Some(side) => {
            let place = METRICS.iter().position(|known| known.key == metric)?;
            Some((&mut odds.metrics[side][place], METRICS[place].partial))
        }
    }
}

/// Enters one row of the odds; none if it means nothing.
fn put(odds: &mut CellOdds, (side, metric): (Option<Side>, &str), value: Option<i32>, number: Number) -> Option<()> {
    match (side, metric) {
        (Some(_), WIN) | (None, DRAW) if value == Some(1) => odds.outcomes[Verdict::of(side).index()] = number,
        _ => {
            let (of, partial) = of_metric(odds, side, metric)?;
            let value = match value {
                None if partial => 0,
                value => u32::from(u16::try_from(value?).ok()?),
            };
            if of.values.last().is_some_and(|(last, _)| *last >= value) {
                return None;
            }
            of.values.push((value, number));
        }
    }
    Some(())
}
