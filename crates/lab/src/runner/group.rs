//! Groups of cells that fight a block together, each with its baseline.

use std::collections::BTreeMap;
use std::ops::Range;

use rayon::prelude::{IntoParallelRefIterator, ParallelIterator};

use super::Fought;
use crate::digest::Digest;
use crate::tally::CellTally;

/// The maximum number of cells in a group, which limits the battles in memory.
const GROUP: usize = 128;

/// Cells that fight a block together.
///
/// A cell and its baseline are always together. Cells with one baseline may be too many for one group; the baseline
/// then fights in each of their groups, but is counted only in the first.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Group {
    families: Vec<Family>,
}

/// Cells of a group with the same baseline, or one cell without any.
#[derive(Debug, PartialEq, Eq)]
struct Family {
    /// The cell whose battles the others are compared with.
    baseline: Option<u32>,
    /// The cells that are counted. The baseline may be one of them.
    cells: Vec<u32>,
}

/// The settings for counting a block and keeping its battles.
#[derive(Clone, Copy, Debug)]
pub(super) struct Counting<'a> {
    /// The number of first battles that are kept individually.
    pub(super) kept: usize,
    /// Whether battles are fought both ways.
    pub(super) both_ways: bool,
    /// The metrics of the pack for which battles are counted by value.
    pub(super) histograms: &'a [usize],
}

/// A block of battles of one cell, counted.
#[derive(Debug)]
pub(super) struct CellBlock {
    pub(super) cell: u32,
    pub(super) tally: CellTally,
    pub(super) digest: Digest,
    /// The first battles of the block, which are kept.
    pub(super) kept: Fought,
}

impl Group {
    /// All cells in groups, with cells of the same baseline together.
    pub(super) fn of_cells(baselines: &[Option<u32>]) -> Vec<Self> {
        let mut families: BTreeMap<u32, Vec<u32>> = BTreeMap::new();
        for (cell, baseline) in (0..).zip(baselines) {
            families.entry(baseline.unwrap_or(cell)).or_default().push(cell);
        }
        let mut groups = vec![Self::default()];
        for family in families.into_values() {
            // A family that fits stays in one group; a larger one gets as many groups as it needs.
            for cells in family.chunks(GROUP) {
                if groups.last().is_some_and(|group| group.len() + cells.len() > GROUP) {
                    groups.push(Self::default());
                }
                if let Some(group) = groups.last_mut() {
                    group.add(cells, baselines);
                }
            }
        }
        groups.retain(|group| group.len() > 0);
        groups
    }

    /// Adds cells with the same baseline.
    fn add(&mut self, cells: &[u32], baselines: &[Option<u32>]) {
        self.families.push(Family { baseline: baselines[cells[0] as usize], cells: cells.to_vec() });
    }

    /// The cells of the group, in the order in which they are counted.
    #[cfg(any(test, feature = "folders"))]
    pub(super) fn cells(&self) -> impl Iterator<Item = u32> {
        self.families.iter().flat_map(|family| family.cells.iter().copied())
    }

    /// Cells in the group.
    pub(super) fn len(&self) -> usize {
        self.families.iter().map(|family| family.cells.len()).sum()
    }

    /// Fights blocks of battles of every cell with `fight`, and counts them, block by block; `None` for a block if
    /// `fight` returns `None` for one of its cells.
    ///
    /// One thread fights all blocks of a cell, so that it finds what it has learnt about the cell in the block before.
    pub(super) fn fight<F>(&self, blocks: &[(Range<u64>, Counting<'_>)], fight: F) -> Vec<Option<Vec<CellBlock>>>
    where
        F: Fn(u32, &Range<u64>) -> Option<Fought> + Sync,
    {
        let families: Vec<_> = self.families.par_iter().map(|family| family.fight(blocks, &fight)).collect();
        let mut cells: Vec<_> = families.into_iter().flatten().map(Vec::into_iter).collect();
        let of_block = |_| {
            // All of them first: every cell has a next block, even if one has not fought it.
            let cells: Vec<_> = cells.iter_mut().map(|blocks| blocks.next().flatten()).collect();
            cells.into_iter().collect()
        };
        blocks.iter().map(of_block).collect()
    }
}

impl Family {
    /// The blocks of each cell.
    fn fight<F>(&self, blocks: &[(Range<u64>, Counting<'_>)], fight: &F) -> Vec<Vec<Option<CellBlock>>>
    where
        F: Fn(u32, &Range<u64>) -> Option<Fought> + Sync,
    {
        let fight_all = |cell| blocks.iter().map(|(block, _)| fight(cell, block)).collect();
        let baseline: Option<Vec<Option<Fought>>> = self.baseline.map(fight_all);
        let cell_blocks = |&cell: &u32| {
            let of_block = |(at, (block, counting)): (usize, &(Range<u64>, Counting<'_>))| {
                let baseline = baseline.as_ref().map(|baseline| baseline[at].as_ref());
                match baseline {
                    None => Some(count(cell, block, *counting, &fight(cell, block)?, None)),
                    Some(baseline) if self.baseline == Some(cell) => {
                        Some(count(cell, block, *counting, baseline?, None))
                    }
                    Some(baseline) => Some(count(cell, block, *counting, &fight(cell, block)?, Some(baseline?))),
                }
            };
            blocks.iter().enumerate().map(of_block).collect()
        };
        self.cells.par_iter().map(cell_blocks).collect()
    }
}

fn count(
    cell: u32,
    block: &Range<u64>,
    counting: Counting<'_>,
    fought: &Fought,
    baseline: Option<&Fought>,
) -> CellBlock {
    let mut tally = CellTally::new(baseline.is_some()).with_rounds(counting.both_ways);
    let outcomes = &fought.outcomes;
    tally.count(outcomes);
    tally.count_gauges(&fought.counted);
    tally.count_values(&fought.counted, counting.histograms);
    if !fought.fallen.is_empty() {
        tally.luck.get_or_insert_default().count(outcomes, &fought.fallen);
    }
    if let (Some(paired), Some(baseline)) = (&mut tally.paired, baseline) {
        paired.count(outcomes, &baseline.outcomes);
        paired.count_gauges(&fought.counted, &baseline.counted);
    }
    let mut digest = Digest::default();
    digest.count(cell, block.start, outcomes);
    CellBlock { cell, tally, digest, kept: fought.first(counting.kept) }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Checks that every cell occurs once, with its baseline in the same group.
    fn check(baselines: &[Option<u32>]) -> Vec<Group> {
        let groups = Group::of_cells(baselines);
        let mut cells = Vec::new();
        for group in &groups {
            assert!(group.len() <= GROUP);
            for family in &group.families {
                assert!(family.cells.iter().all(|&cell| baselines[cell as usize] == family.baseline));
            }
            cells.extend(group.cells());
        }
        cells.sort_unstable();
        assert_eq!(cells, (0..baselines.len() as u32).collect::<Vec<_>>());
        groups
    }

    #[test]
    fn families_stay_together_and_groups_small() {
        assert_eq!(check(&[]).len(), 0);
        assert_eq!(check(&[None]).len(), 1);
        assert_eq!(check(&[Some(0), Some(0), None, Some(3), Some(3)]).len(), 1);
        assert_eq!(check(&vec![None; GROUP + 1]).len(), 2);
        assert_eq!(check(&vec![Some(0); 3 * GROUP]).len(), 3);
        // Three baselines, with their cells interleaved.
        check(&(0..300).map(|cell| Some(cell % 3)).collect::<Vec<_>>());
    }
}
