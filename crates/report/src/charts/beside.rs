//! Cells of several studies side by side in one chart of shares.

use grognard_lab::results::Results;
use grognard_lab::{BySide, Side};

use super::{Chart, ChartData, Group, ShareRow, Shares, Shown};
use crate::look::is_exchanged;
use crate::reading::Reading;

/// Some of a study's cells.
#[derive(Clone, Debug)]
pub struct Part<'a> {
    /// The settings they share.
    pub title: String,
    /// The study's results.
    pub results: &'a Results,
    /// The cells, with the names that distinguish them here.
    pub cells: Vec<(u32, String)>,
}

/// How often each side won in all of these cells, one group of bars for each part. `finding` becomes the title; the
/// sides' names are those of the first part. `None` if there is nothing to show.
#[must_use]
pub fn beside(parts: &[Part<'_>], finding: &str, caption: &str) -> Option<Chart> {
    let groups: Vec<Group<ShareRow>> =
        parts.iter().map(|part| Group { title: part.title.clone(), rows: rows(part) }).collect();
    let first = parts.first()?.results;
    let sides: BySide<String> = Reading::of(first).sides();
    let exchanged = is_exchanged(&first.manifest.sides);
    let cells = groups.iter().map(|group| group.rows.len()).sum();
    let shares = Shares { finding: finding.to_owned(), sides, groups, cells, shown: Shown::All };
    (cells > 0).then(|| Chart { data: ChartData::Shares(shares), caption: caption.to_owned(), exchanged })
}

fn rows(part: &Part<'_>) -> Vec<ShareRow> {
    let reading = Reading::of(part.results);
    let row = |(cell, name): &(u32, String)| {
        let header = part.results.manifest.cells.iter().find(|header| header.cell == *cell)?;
        let wins = BySide::new(reading.wins(header, Side::First)?, reading.wins(header, Side::Second)?);
        Some(ShareRow { cell: *cell, name: name.clone(), wins, draws: reading.draws(header)? })
    };
    part.cells.iter().filter_map(row).collect()
}
