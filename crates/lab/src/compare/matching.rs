//! Matching: pairs of corresponding cells in two sets of results.

use crate::results::CellHeader;

/// Pairs of cells, by index, with the same values at the same varied paths; if several are alike, they are paired in
/// order.
///
/// The order in which a study names its paths does not matter. Paths that only one set varies are ignored if all of
/// that set's cells have the same value there; otherwise nothing matches.
pub(super) fn matching(before: &[CellHeader], after: &[CellHeader]) -> Vec<(usize, usize)> {
    let keys = |cells: &[CellHeader], others: &[CellHeader]| -> Vec<Vec<(String, String)>> {
        cells.iter().map(|cell| key(cell, cells, others)).collect()
    };
    let (before_keys, mut after_keys) =
        (keys(before, after), keys(after, before).into_iter().map(Some).collect::<Vec<_>>());
    let mut pairs = Vec::new();
    for (place, key) in before_keys.into_iter().enumerate() {
        if let Some(other) = after_keys.iter().position(|other| other.as_ref() == Some(&key)) {
            after_keys[other] = None;
            pairs.push((place, other));
        }
    }
    pairs
}

/// The identity of a cell: its varied paths and their values, sorted, without ignored paths.
fn key(cell: &CellHeader, own: &[CellHeader], others: &[CellHeader]) -> Vec<(String, String)> {
    let varies_there = |path: &str| others.iter().any(|cell| cell.vary.iter().any(|setting| setting.path == path));
    let constant = |path: &str| {
        let value = |cell: &CellHeader| {
            cell.vary.iter().find(|setting| setting.path == path).map(|setting| setting.value.text.clone())
        };
        own.iter().all(|other| value(other) == value(cell))
    };
    let mut key: Vec<(String, String)> = cell
        .vary
        .iter()
        .filter(|setting| varies_there(&setting.path) || !constant(&setting.path))
        .map(|setting| (setting.path.clone(), setting.value.text.clone()))
        .collect();
    key.sort();
    key
}
