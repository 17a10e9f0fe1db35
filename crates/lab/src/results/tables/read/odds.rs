//! Computed odds, read back.

use grognard_engine::{BySide, METRICS, Side};
use grognard_exact::{Fraction, Number};
use polars_core::prelude::DataFrame;

use super::super::odds::counted_columns;
use super::super::side_of;
use super::battles::OutcomeColumns;
use super::{Fault, Fields};
use crate::exact::{CellOdds, Counted, End, Odds};
use crate::results::{DRAW, Manifest, TURNS, WIN};
use crate::tally::Verdict;

/// The tables of exact odds.
pub(in crate::results) struct Exact<T> {
    pub(in crate::results) odds: T,
    pub(in crate::results) means: T,
    pub(in crate::results) work: T,
    pub(in crate::results) ends: T,
}

/// The odds of all cells from their frames.
pub(in crate::results) fn odds_from_frames(
    frames: &Exact<DataFrame>,
    manifest: &Manifest,
) -> Result<Vec<CellOdds>, Fault> {
    let mut odds = vec![CellOdds::default(); manifest.cells.len()];
    let keys = manifest.gauge_keys();
    for odds in &mut odds {
        odds.metrics.grow(manifest.sides.len());
        odds.counted = BySide::of(manifest.sides.len(), |_| vec![Counted::default(); keys.len()]);
    }
    let place = |cell: Option<i32>| manifest.place(u32::try_from(cell?).ok()?);

    let (frame, fields) = (&frames.odds, Fields(&frames.odds));
    let (cells, values, number) = (fields.ints("cell")?, fields.ints("value")?, numbers(&fields, "p", 0.0)?);
    let (sides, metrics) = (fields.texts("side")?, fields.texts("metric")?);
    let side = |name: Option<&str>| match name {
        None => Some(None),
        Some(name) => side_of(name, manifest.side_names()).map(Some),
    };
    for row in 0..frame.height() {
        let mut enter = || {
            let odds = &mut odds[place(cells.get(row))?];
            if let Some(counted) = counted_of(odds, &keys, side(sides.get(row))?, metrics.get(row)?) {
                let value = values.get(row)?;
                let ascends = counted.values.last().is_none_or(|(last, _)| *last < value);
                let number = number(row)?;
                return ascends.then(|| counted.values.push((value, number)));
            }
            put(odds, (side(sides.get(row))?, metrics.get(row)?), values.get(row), number(row)?)
        };
        enter().ok_or_else(|| format!("row {row} of the odds is invalid"))?;
    }

    let fields = Fields(&frames.means);
    let (cells, number) = (fields.ints("cell")?, numbers(&fields, "mean", 0.0)?);
    let signed = numbers(&fields, "mean", f64::NEG_INFINITY)?;
    let (sides, metrics) = (fields.texts("side")?, fields.texts("metric")?);
    for row in 0..frames.means.height() {
        let mut enter = || {
            let odds = &mut odds[place(cells.get(row))?];
            if let Some(counted) = counted_of(odds, &keys, side(sides.get(row))?, metrics.get(row)?) {
                counted.mean = signed(row)?;
                return Some(());
            }
            of_metric(odds, side(sides.get(row))?, metrics.get(row)?)?.0.mean = number(row)?;
            Some(())
        };
        enter().ok_or_else(|| format!("row {row} of the means is invalid"))?;
    }

    enter_work(&frames.work, &mut odds, manifest)?;

    let fields = Fields(&frames.ends);
    let (cells, number) = (fields.ints("cell")?, numbers(&fields, "p", 0.0)?);
    let outcomes = OutcomeColumns::of(&frames.ends, manifest)?;
    let counted = counted_columns(manifest).map(|(name, _)| fields.ints(&name)).collect::<Result<Vec<_>, _>>()?;
    for row in 0..frames.ends.height() {
        let mut enter = || {
            let counted = counted.iter().map(|column| column.get(row)).collect::<Option<Vec<i32>>>()?;
            let end = End { outcome: outcomes.row(row)?, counted, chance: number(row)? };
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

/// Reads the numbers of a frame, which must be at least `least`.
fn numbers<'f>(fields: &Fields<'f>, called: &str, least: f64) -> Result<impl Fn(usize) -> Option<Number> + 'f, Fault> {
    let (values, errors, fractions) = (fields.floats(called)?, fields.floats("error")?, fields.texts("fraction")?);
    Ok(move |row: usize| {
        let (value, error) = (values.get(row)?, errors.get(row)?);
        let fraction = match fractions.get(row) {
            Some(text) => Some(Fraction::parse(text)?),
            None => None,
        };
        (value >= least && value.is_finite() && error >= 0.0 && error.is_finite()).then_some(Number {
            value,
            error,
            fraction,
        })
    })
}

/// The odds of a metric of the pack; `None` if there is no such metric.
fn counted_of<'o>(
    odds: &'o mut CellOdds,
    keys: &[String],
    side: Option<Side>,
    metric: &str,
) -> Option<&'o mut Counted> {
    let place = keys.iter().position(|key| key == metric)?;
    odds.counted[side?].get_mut(place)
}

/// The odds of a metric, and whether a battle may have no value of it.
fn of_metric<'o>(odds: &'o mut CellOdds, side: Option<Side>, metric: &str) -> Option<(&'o mut Odds, bool)> {
    match side {
        None => (metric == TURNS).then_some((&mut odds.turns, false)),
        Some(side) => {
            let place = METRICS.iter().position(|known| known.key == metric)?;
            Some((&mut odds.metrics[side][place], METRICS[place].partial))
        }
    }
}

/// Adds one row to the odds; `None` if it is invalid.
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
