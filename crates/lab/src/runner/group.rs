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
    /// Baseline cells, whose battles the others are compared with.
    baselines: Vec<u32>,
    bouts: Vec<Bout>,
}

/// One cell of a group.
#[derive(Debug, PartialEq, Eq)]
struct Bout {
    cell: u32,
    role: Role,
}

/// The comparison of a cell's battles.
#[derive(Debug, PartialEq, Eq)]
enum Role {
    /// It is not compared.
    Alone,
    /// It is this one of the group's baselines.
    Baseline(usize),
    /// It is compared with this one of the group's baselines.
    Against(usize),
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
        for (head, family) in families {
            // A family that fits stays in one group; a larger one gets as many groups as it needs.
            for cells in family.chunks(GROUP) {
                if groups.last().is_some_and(|group| group.len() + cells.len() > GROUP) {
                    groups.push(Self::default());
                }
                if let Some(group) = groups.last_mut() {
                    group.add(head, cells, baselines);
                }
            }
        }
        groups.retain(|group| group.len() > 0);
        groups
    }

    fn add(&mut self, head: u32, cells: &[u32], baselines: &[Option<u32>]) {
        let place = self.baselines.len();
        let role = |cell: u32| match baselines[cell as usize] {
            None => Role::Alone,
            Some(baseline) if baseline == cell => Role::Baseline(place),
            Some(_) => Role::Against(place),
        };
        self.bouts.extend(cells.iter().map(|&cell| Bout { cell, role: role(cell) }));
        if self.bouts.iter().any(|bout| matches!(bout.role, Role::Baseline(at) | Role::Against(at) if at == place)) {
            self.baselines.push(head);
        }
    }

    /// The cells of the group, in the order in which they are counted.
    #[cfg(feature = "folders")]
    pub(super) fn cells(&self) -> impl Iterator<Item = u32> {
        self.bouts.iter().map(|bout| bout.cell)
    }

    /// Cells in the group.
    pub(super) fn len(&self) -> usize {
        self.bouts.len()
    }

    /// Fights a block of battles of every cell with `fight`, and counts them; `None` as soon as `fight` returns `None`.
    pub(super) fn fight(
        &self,
        block: &Range<u64>,
        counting: Counting<'_>,
        fight: impl Fn(u32) -> Option<Fought> + Sync,
    ) -> Option<Vec<CellBlock>> {
        let baselines: Option<Vec<_>> = self.baselines.par_iter().map(|&cell| fight(cell)).collect();
        let baselines = baselines?;
        let bout = |bout: &Bout| match bout.role {
            Role::Alone => Some(count(bout.cell, block, counting, &fight(bout.cell)?, None)),
            Role::Baseline(at) => Some(count(bout.cell, block, counting, &baselines[at], None)),
            Role::Against(at) => Some(count(bout.cell, block, counting, &fight(bout.cell)?, Some(&baselines[at]))),
        };
        self.bouts.par_iter().map(bout).collect()
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
            for bout in &group.bouts {
                cells.push(bout.cell);
                match bout.role {
                    Role::Alone => assert_eq!(baselines[bout.cell as usize], None),
                    Role::Baseline(at) => assert_eq!(group.baselines[at], bout.cell),
                    Role::Against(at) => assert_eq!(baselines[bout.cell as usize], Some(group.baselines[at])),
                }
            }
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
