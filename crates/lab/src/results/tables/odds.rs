//! Computed odds as tables: probabilities, means, ends of battles, and the work done.

use grognard_engine::{METRICS, Side};
use grognard_exact::Number;

use super::battles::outcome_columns;
use super::table::{Column, Table, column};
use crate::exact::{CellOdds, Counted, End, Odds};
use crate::results::columns::column_name;
use crate::results::{DRAW, Manifest, TURNS, WIN};
use crate::tally::Verdict;

/// The quantity of a number.
#[derive(Clone, Copy, Debug)]
struct Key<'m> {
    cell: u32,
    side: Option<Side>,
    metric: &'m str,
    /// Whether 0 means that there is no value.
    partial: bool,
}

/// The odds of each quantity of a cell.
fn values_of(cell: u32, odds: &CellOdds) -> impl Iterator<Item = (Key<'static>, &Odds)> {
    let key = move |side, metric, partial| Key { cell, side, metric, partial };
    let of_side = move |side: Side| {
        let metrics = METRICS.iter().zip(&odds.metrics[side]);
        metrics.map(move |(metric, odds)| (key(Some(side), metric.key, metric.partial), odds))
    };
    let sides = odds.metrics.sides().iter().copied();
    [(key(None, TURNS, false), &odds.turns)].into_iter().chain(sides.flat_map(of_side))
}

/// Each metric of the pack.
fn counted<'a>(cell: u32, odds: &'a CellOdds, manifest: &'a Manifest) -> impl Iterator<Item = (Key<'a>, &'a Counted)> {
    let keys = || manifest.metrics.iter().filter(|metric| metric.ratio.is_some()).map(|metric| metric.key.as_str());
    odds.counted.sides().iter().flat_map(move |&side| {
        let key = move |metric| Key { cell, side: Some(side), metric, partial: false };
        keys().map(key).zip(&odds.counted[side])
    })
}

/// The cells with their numbers.
fn numbered<'a>(odds: &'a [CellOdds], manifest: &'a Manifest) -> impl Iterator<Item = (u32, &'a CellOdds)> {
    manifest.cells.iter().map(|cell| cell.cell).zip(odds)
}

fn key_columns<'a>(keys: &[Key<'a>], manifest: &'a Manifest) -> Vec<Column<'a>> {
    let names = manifest.side_names();
    vec![
        column("cell", keys.iter().map(|key| key.cell as i32).collect::<Vec<_>>()),
        column("side", keys.iter().map(|key| key.side.map(|side| names[side])).collect::<Vec<_>>()),
        column("metric", keys.iter().map(|key| key.metric).collect::<Vec<_>>()),
    ]
}

fn number_columns(called: &str, numbers: &[&Number]) -> Vec<Column<'static>> {
    let fraction = |number: &&Number| number.fraction.as_ref().map(ToString::to_string);
    vec![
        column(called, numbers.iter().map(|number| number.value).collect::<Vec<_>>()),
        column("error", numbers.iter().map(|number| number.error).collect::<Vec<_>>()),
        column("fraction", numbers.iter().map(fraction).collect::<Vec<Option<String>>>()),
    ]
}

/// The probability of each outcome, and of each value of each metric: `cell, side, metric, value, p, error, fraction`.
/// The value is 1 if a side wins or a battle is drawn.
#[must_use]
pub fn odds_table<'a>(odds: &'a [CellOdds], manifest: &'a Manifest) -> Table<'a> {
    let (mut keys, mut values, mut numbers) = (Vec::new(), Vec::new(), Vec::new());
    for (cell, odds) in numbered(odds, manifest) {
        for &verdict in Verdict::among(manifest.sides.len()) {
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
        for (key, counted) in counted(cell, odds, manifest) {
            for (value, number) in &counted.values {
                keys.push(key);
                values.push(Some(*value));
                numbers.push(number);
            }
        }
    }
    let mut columns = key_columns(&keys, manifest);
    columns.push(column("value", values));
    columns.extend(number_columns("p", &numbers));
    Table::new(keys.len(), columns)
}

/// The mean of each metric: `cell, side, metric, mean, error, fraction`. For a metric that not every battle has, it is
/// the mean over the battles that have it.
#[must_use]
pub fn means_table<'a>(odds: &'a [CellOdds], manifest: &'a Manifest) -> Table<'a> {
    let all = numbered(odds, manifest).flat_map(|(cell, odds)| values_of(cell, odds));
    let some = all.filter(|(key, odds)| !key.partial || odds.values.iter().any(|(value, _)| *value > 0));
    let counted = numbered(odds, manifest).flat_map(|(cell, odds)| counted(cell, odds, manifest));
    let means = some.map(|(key, odds)| (key, &odds.mean)).chain(counted.map(|(key, counted)| (key, &counted.mean)));
    let (keys, numbers): (Vec<Key<'_>>, Vec<&Number>) = means.unzip();
    let mut columns = key_columns(&keys, manifest);
    columns.extend(number_columns("mean", &numbers));
    Table::new(keys.len(), columns)
}

/// The probability left out of each cell, and the work done: `cell, left_out, error, states, paths, widest, bytes`.
#[must_use]
pub fn work_table<'a>(odds: &[CellOdds], manifest: &'a Manifest) -> Table<'a> {
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
    Table::new(odds.len(), columns)
}

/// The columns of the metrics of the pack, and their indices in [`End::counted`]: `attacker_margin`.
pub(super) fn counted_columns(manifest: &Manifest) -> impl Iterator<Item = (String, usize)> {
    let (names, keys) = (manifest.columns(), manifest.gauge_keys());
    let sides = manifest.side_names().sides();
    let all = sides
        .iter()
        .flat_map(move |&side| keys.iter().map(|key| names.of_side(side, &column_name(key))).collect::<Vec<_>>());
    all.zip(0..)
}

/// Every way in which battles can end as a table: `cell`, the columns of a kept battle, the metrics of the pack, and
/// `p, error, fraction`.
#[must_use]
pub fn ends_table<'a>(odds: &[CellOdds], manifest: &'a Manifest) -> Table<'a> {
    let ends: Vec<(u32, &End)> =
        numbered(odds, manifest).flat_map(|(cell, odds)| odds.ends.iter().map(move |end| (cell, end))).collect();
    let outcomes: Vec<_> = ends.iter().map(|(_, end)| end.outcome).collect();
    let mut columns = vec![column("cell", ends.iter().map(|(cell, _)| *cell as i32).collect::<Vec<_>>())];
    columns.extend(outcome_columns(&outcomes, manifest.side_names(), &manifest.columns()));
    for (name, place) in counted_columns(manifest) {
        let value = |end: &End| end.counted.get(place).copied().unwrap_or(0);
        columns.push(column(&name, ends.iter().map(|(_, end)| value(end)).collect::<Vec<_>>()));
    }
    columns.extend(number_columns("p", &ends.iter().map(|(_, end)| &end.chance).collect::<Vec<_>>()));
    Table::new(ends.len(), columns)
}
