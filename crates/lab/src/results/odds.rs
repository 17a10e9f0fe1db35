//! Odds that were worked out as data frames, both ways.

use grognard_engine::{METRICS, Side};
use grognard_exact::{Effort, Fraction, Number};
use polars_core::prelude::{DataFrame, PolarsResult};

use super::frames::{Fault, column, missing, of_metric, side_key, verdict_key};
use super::parts::{OutcomeColumns, outcome_columns};
use super::{Manifest, TURNS};
use crate::exact::{CellOdds, End, Odds};
use crate::tally::Verdict;

/// Kind of a row: the probability of an outcome.
const OUTCOME: &str = "outcome";
/// Kind of a row: the probability that the metric has the value.
const CHANCE: &str = "chance";
/// Kind of a row: the mean of the metric.
const MEAN: &str = "mean";
/// Kind of a row, of a cell: what the battles that were left out can add to a probability.
const LEFT_OUT: &str = "left-out";
/// Kind of a row, of a cell: what rounding may have moved a probability by.
const ROUNDING: &str = "rounding";
/// Kinds of rows, of a cell: how much work it was, in the order of [`efforts`].
const EFFORTS: [&str; 4] = ["states", "paths", "widest", "bytes"];

fn efforts(effort: &mut Effort) -> [&mut u64; 4] {
    let Effort { states, paths, widest, bytes } = effort;
    [states, paths, widest, bytes]
}

/// The columns of `odds.parquet`, row by row.
#[derive(Default)]
struct Rows<'a> {
    cell: Vec<u32>,
    kind: Vec<&'static str>,
    side: Vec<&'static str>,
    metric: Vec<&'static str>,
    value: Vec<u32>,
    numbers: Vec<&'a Number>,
}

impl<'a> Rows<'a> {
    fn push(&mut self, cell: u32, kind: &'static str, key: (&'static str, &'static str), value: u32, of: &'a Number) {
        self.cell.push(cell);
        self.kind.push(kind);
        self.side.push(key.0);
        self.metric.push(key.1);
        self.value.push(value);
        self.numbers.push(of);
    }

    fn push_all(&mut self, cell: u32, key: (&'static str, &'static str), odds: &'a Odds) {
        self.push(cell, MEAN, key, 0, &odds.mean);
        for (value, number) in &odds.values {
            self.push(cell, CHANCE, key, *value, number);
        }
    }
}

fn number_columns(numbers: &[&Number]) -> Vec<polars_core::prelude::Column> {
    let fraction = |number: &&Number| number.fraction.as_ref().map(ToString::to_string);
    vec![
        column("p", numbers.iter().map(|number| number.value).collect::<Vec<_>>()),
        column("error", numbers.iter().map(|number| number.error).collect::<Vec<_>>()),
        column("fraction", numbers.iter().map(fraction).collect::<Vec<Option<String>>>()),
    ]
}

/// Odds as a frame: `cell, kind, side, metric, value, p, error, fraction`.
pub(super) fn odds_to_frame(odds: &[CellOdds]) -> PolarsResult<DataFrame> {
    let plain = |value: f64| Number { value, error: 0.0, fraction: None };
    // What is known of a cell as a whole stands in `p`, too: whole numbers up to 2^53 are exact.
    let of_cells: Vec<[Number; 6]> = odds
        .iter()
        .map(|cell| {
            let mut effort = cell.effort;
            let [states, paths, widest, bytes] = efforts(&mut effort).map(|count| plain(*count as f64));
            [plain(cell.left_out), plain(cell.error), states, paths, widest, bytes]
        })
        .collect();
    let mut rows = Rows::default();
    for ((cell, odds), of_cell) in (0..).zip(odds).zip(&of_cells) {
        for verdict in Verdict::ALL {
            let key = (verdict.winner().map_or("", side_key), verdict_key(verdict));
            rows.push(cell, OUTCOME, key, 0, &odds.outcomes[verdict.index()]);
        }
        rows.push_all(cell, ("", TURNS), &odds.turns);
        for side in Side::BOTH {
            for (metric, odds) in METRICS.iter().zip(&odds.metrics[side]) {
                rows.push_all(cell, (side_key(side), metric.key), odds);
            }
        }
        for (kind, number) in [LEFT_OUT, ROUNDING].into_iter().chain(EFFORTS).zip(of_cell) {
            rows.push(cell, kind, ("", ""), 0, number);
        }
    }
    let mut columns = vec![
        column("cell", rows.cell),
        column("kind", rows.kind),
        column("side", rows.side),
        column("metric", rows.metric),
        column("value", rows.value),
    ];
    columns.extend(number_columns(&rows.numbers));
    DataFrame::new(rows.numbers.len(), columns)
}

/// Every way in which battles can end as a frame: `cell`, the columns of a battle that is kept, and `p, error, fraction`.
pub(super) fn ends_to_frame(odds: &[CellOdds], manifest: &Manifest) -> PolarsResult<DataFrame> {
    let ends = || odds.iter().flat_map(|cell| &cell.ends);
    let cells: Vec<u32> = (0..).zip(odds).flat_map(|(cell, odds)| odds.ends.iter().map(move |_| cell)).collect();
    let outcomes: Vec<_> = ends().map(|end| end.outcome).collect();
    let mut columns = vec![column("cell", cells)];
    columns.extend(outcome_columns(&outcomes, manifest.side_names()));
    columns.extend(number_columns(&ends().map(|end| &end.chance).collect::<Vec<_>>()));
    DataFrame::new(outcomes.len(), columns)
}

/// Reads the numbers of a frame.
fn numbers(frame: &DataFrame) -> Result<impl Fn(usize) -> Option<Number>, Fault> {
    let values = frame.column("p").and_then(|column| column.f64()).map_err(missing)?;
    let errors = frame.column("error").and_then(|column| column.f64()).map_err(missing)?;
    let fractions = frame.column("fraction").and_then(|column| column.str()).map_err(missing)?;
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

/// The odds of `cells` cells from the frames that [`odds_to_frame`] and [`ends_to_frame`] make.
pub(super) fn odds_from_frames(
    frame: &DataFrame,
    ends: &DataFrame,
    manifest: &Manifest,
) -> Result<Vec<CellOdds>, Fault> {
    let mut odds = vec![CellOdds::default(); manifest.cells.len()];
    let cells = frame.column("cell").and_then(|column| column.u32()).map_err(missing)?;
    let text = |name: &str| frame.column(name).and_then(|column| column.str()).map_err(missing);
    let (kinds, sides, metrics) = (text("kind")?, text("side")?, text("metric")?);
    let values = frame.column("value").and_then(|column| column.u32()).map_err(missing)?;
    let number = numbers(frame)?;
    for row in 0..frame.height() {
        let mut enter = || {
            let odds = odds.get_mut(cells.get(row)? as usize)?;
            put(odds, (kinds.get(row)?, sides.get(row)?, metrics.get(row)?), values.get(row)?, number(row)?)
        };
        enter().ok_or_else(|| format!("row {row} of the odds means nothing"))?;
    }
    let cells = ends.column("cell").and_then(|column| column.u32()).map_err(missing)?;
    let outcomes = OutcomeColumns::of(ends, manifest.side_names()).map_err(missing)?;
    let number = numbers(ends)?;
    for row in 0..ends.height() {
        let mut enter = || {
            let end = End { outcome: outcomes.row(row)?, chance: number(row)? };
            odds.get_mut(cells.get(row)? as usize)?.ends.push(end);
            Some(())
        };
        enter().ok_or_else(|| format!("row {row} of the ends means nothing"))?;
    }
    Ok(odds)
}

/// Enters one row of the odds; none if it means nothing.
fn put(odds: &mut CellOdds, (kind, side, metric): (&str, &str, &str), value: u32, number: Number) -> Option<()> {
    match kind {
        OUTCOME => {
            let verdict = Verdict::ALL
                .into_iter()
                .find(|&verdict| (verdict.winner().map_or("", side_key), verdict_key(verdict)) == (side, metric))?;
            odds.outcomes[verdict.index()] = number;
        }
        LEFT_OUT => odds.left_out = Some(number.value).filter(|&share| share < 1.0)?,
        ROUNDING => odds.error = number.value,
        MEAN | CHANCE => {
            let of = if (side, metric) == ("", TURNS) {
                &mut odds.turns
            } else {
                of_metric(&mut odds.metrics, side, metric)?
            };
            if kind == MEAN {
                of.mean = number;
            } else if value > u32::from(u16::MAX) || of.values.last().is_some_and(|(last, _)| *last >= value) {
                return None;
            } else {
                of.values.push((value, number));
            }
        }
        _ => {
            let place = EFFORTS.iter().position(|known| *known == kind)?;
            *efforts(&mut odds.effort)[place] = number.value as u64;
        }
    }
    Some(())
}
