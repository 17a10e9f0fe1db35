//! The division of kept battles into parts: only by battle numbers and cells, never by the clock.

use std::collections::BTreeMap;

use super::Manifest;
use crate::runner::{BLOCK, in_order};

/// The maximum number of rows in a part, which limits the memory needed to make it.
pub(super) const PART_ROWS: usize = CELLS as usize * BLOCK as usize;
/// Folder of the battles kept individually, inside the results folder.
pub(super) const BATTLES: &str = "data/battles";
/// Folder of the same battles with a row for each side.
pub(super) const SIDES: &str = "data/battle_sides";
/// The maximum number of cells in a part.
const CELLS: u64 = 64;

/// The division of one folder into parts.
///
/// A part holds the battles of a few blocks: of all cells or, if there are many cells, of up to 64 of them. Parts of
/// the same cells hold the same battle numbers in every folder of a series, so shards can be put together.
#[derive(Clone, Debug)]
pub(super) struct Cut {
    /// For each cell, its index in the order in which the runner hands over cells.
    places: Vec<u64>,
    /// Battles in each cell in a part.
    battles: u64,
    /// The number of parts that share the same battle numbers.
    chunks: u64,
    /// The first battle of each cell that is not kept.
    end: u64,
}

impl Cut {
    /// The division for a folder with this manifest, which says how many battles are kept.
    pub(super) fn of(manifest: &Manifest) -> Self {
        let mut places = vec![0; manifest.cells.len()];
        for (place, cell) in (0..).zip(in_order(&manifest.baselines())) {
            places[cell as usize] = place;
        }
        let cells = places.len().max(1) as u64;
        let end = manifest.files.keep.map_or(u64::MAX, |keep| manifest.progress.first.saturating_add(keep));
        Self { places, battles: u64::from(BLOCK) * (CELLS / cells).max(1), chunks: cells.div_ceil(CELLS), end }
    }

    /// The part that a battle belongs to; `None` if there is no such cell.
    pub(super) fn part(&self, cell: u32, battle: u64) -> Option<u64> {
        let place = self.places.get(cell as usize)?;
        Some(battle / self.battles * self.chunks + place / CELLS)
    }

    /// Whether a battle is among those that are kept.
    pub(super) fn keeps(&self, battle: u64) -> bool {
        battle < self.end
    }

    /// Whether nothing comes after this battle in its part.
    pub(super) fn ends_with(&self, battle: u64) -> bool {
        let next = battle.saturating_add(1);
        next.is_multiple_of(self.battles) || next >= self.end
    }

    /// The order of rows within a part.
    pub(super) fn key(&self, cell: u32, battle: u64) -> (u64, u64, u64) {
        let place = self.places.get(cell as usize).copied().unwrap_or(u64::MAX);
        (battle / u64::from(BLOCK), place, battle)
    }
}

/// Items by the number of their part.
pub(super) type ByPart<T> = BTreeMap<u64, T>;

/// The number in the name of a part: `data/battles/part-00003.parquet`, or `data/battles/part-00003.open-0.parquet`
/// while more rows may follow; likewise in the name of its battles by side.
pub(super) fn number_of(path: &str) -> Option<u64> {
    let name = path.strip_prefix(BATTLES).or_else(|| path.strip_prefix(SIDES))?;
    let name = name.strip_prefix("/part-")?.strip_suffix(".parquet")?;
    let digits = name.split_once('.').map_or(name, |(digits, _)| digits);
    if digits.bytes().all(|byte| byte.is_ascii_digit()) { digits.parse().ok() } else { None }
}

/// The name of a part to which no more rows will be added.
pub(super) fn name_of(number: u64) -> String {
    format!("{BATTLES}/part-{number:05}.parquet")
}

/// The name of a part's battles by side.
pub(super) fn name_of_sides(number: u64) -> String {
    format!("{SIDES}/part-{number:05}.parquet")
}

/// Names of a part to which more rows may be added, used alternately so that a written file is never touched.
pub(super) fn open_names_of(number: u64) -> impl Iterator<Item = String> {
    (0_u32..).map(move |turn| format!("{BATTLES}/part-{number:05}.open-{turn}.parquet"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::runner::Keep;
    use crate::testing::manifest;

    fn cut(cells: u32, keep: Keep) -> Cut {
        Cut::of(&manifest(&(0..cells).map(|cell| Some(cell - cell % 2)).collect::<Vec<_>>(), 1, keep))
    }

    #[test]
    fn parts_go_by_battles_and_cells_alone() {
        let block = u64::from(BLOCK);
        let few = cut(3, Keep::All);
        // For three cells, 21 blocks make a part of at most 262,144 rows.
        assert_eq!([few.part(2, 0), few.part(0, 21 * block - 1), few.part(1, 21 * block)], [Some(0), Some(0), Some(1)]);
        assert_eq!(few.part(3, 0), None);
        let many = cut(130, Keep::All);
        let parts: Vec<_> = (0..130).map(|cell| many.part(cell, block)).collect();
        assert_eq!([parts[0], parts[63], parts[64], parts[129]], [Some(3), Some(3), Some(4), Some(5)]);
        for cut in [few, many] {
            let rows = cut.places.iter().filter(|place| **place < CELLS).count() as u64 * cut.battles;
            assert!(rows <= PART_ROWS as u64, "{cut:?}");
        }
    }

    #[test]
    fn a_part_ends_with_its_last_block_or_the_last_battle_that_is_kept() {
        let block = u64::from(BLOCK);
        let (all, some) = (cut(64, Keep::All), cut(64, Keep::First(5_000)));
        assert!(all.ends_with(block - 1) && !all.ends_with(block) && !all.ends_with(4_999));
        assert!(some.ends_with(block - 1) && !some.ends_with(block) && some.ends_with(4_999));
        assert!(some.keeps(4_999) && !some.keeps(5_000));
    }

    #[test]
    fn names_have_the_number_of_their_part() {
        assert_eq!(number_of(&name_of(3)), Some(3));
        assert_eq!(open_names_of(123_456).nth(1).as_deref(), Some("data/battles/part-123456.open-1.parquet"));
        assert_eq!(open_names_of(123_456).nth(1).and_then(|name| number_of(&name)), Some(123_456));
        assert_eq!(number_of(&name_of_sides(3)), Some(3));
        for other in ["/part-.parquet", "/part-+1.parquet", "-part-00001.parquet", "/part-1x.parquet"] {
            let other = format!("{BATTLES}{other}");
            assert_eq!(number_of(&other), None, "{other}");
        }
    }
}
