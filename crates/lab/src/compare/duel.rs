//! One study fought by two variants, battle by battle with the same dice.

use std::ops::Range;

use grognard_engine::Outcome;
use grognard_stats::{Intervals, Level};

use super::evidence::Joint;
use super::{Changes, CompareError, Compared, Party, Unpaired, counted, matched};
use crate::memoised_cells::MemoisedCells;
use crate::progress::{Progress, Stop};
use crate::record::kept;
use crate::results::{Ending, Manifest, Method};
use crate::runner::{BLOCK, Discard, Fighter, Keep, RunError, RunOptions, Tallied, run};
use crate::study::Study;
use crate::tally::CellTally;

/// The minimum number of battles in each cell between two entries in the record.
const NOTED: u64 = 8 * BLOCK as u64;

/// The maximum number of entries in the record.
const NOTES: u64 = 32;

/// Two variants of a study, before and after a change, whose battles are compared one by one. The seed and the number
/// of battles are those of the first.
#[derive(Clone, Copy, Debug)]
pub struct Duel<'a> {
    /// The variant before the change.
    pub before: &'a Study,
    /// The variant after the change.
    pub after: &'a Study,
    /// Confidence level of all intervals.
    pub level: Level,
    /// Worker threads; 0 means one for each core.
    pub threads: usize,
}

/// Why a duel could not be fought.
#[derive(Debug, thiserror::Error)]
pub enum DuelError {
    /// There is nothing to compare.
    #[error(transparent)]
    Compare(#[from] CompareError),
    /// The worker threads could not be started.
    #[error("cannot start the worker threads: {0}")]
    Threads(#[from] rayon::ThreadPoolBuildError),
}

impl Duel<'_> {
    /// The number of cells that both variants fight.
    ///
    /// # Errors
    /// Their sides differ, or they have no cell in common.
    pub fn cells(&self) -> Result<usize, CompareError> {
        let manifests = self.manifests();
        Ok(2 * matched([&manifests[0], &manifests[1]])?.len())
    }

    /// Fights both and compares them. The ending says whether `stop` interrupted it. The battles fought are
    /// recorded if `progress` keeps a record.
    ///
    /// # Errors
    /// Their sides differ or they have no cell in common, no battle was fought, or the threads cannot be started.
    pub fn fight(&self, progress: &dyn Progress, stop: &Stop) -> Result<(Compared, Ending), DuelError> {
        let mut manifests = self.manifests();
        let pairs = matched([&manifests[0], &manifests[1]])?;
        let studies = [self.before, self.after];
        let fighter = Lists { armies: studies.map(MemoisedCells::new), pairs: &pairs };
        // Cell 2k is the `before` cell of pair k, and the baseline of cell 2k + 1, the `after` cell.
        let baselines: Vec<Option<u32>> = (0..2 * pairs.len() as u32).map(|cell| Some(cell / 2 * 2)).collect();
        let mut tallied = Tallied::new(0, &baselines);
        let options = RunOptions {
            baselines,
            battles: 0..self.before.runs,
            precision: None,
            decide: false,
            intervals: Intervals::at(self.level),
            both_ways: self.before.is_both_ways() && self.after.is_both_ways(),
            luck: false,
            histograms: Vec::new(),
            keep: Keep::None,
            threads: self.threads,
        };
        let stage = (self.before.runs / NOTES).next_multiple_of(BLOCK.into()).max(NOTED);
        let mut ending = Ending::AllRuns;
        while ending == Ending::AllRuns && tallied.battles < self.before.runs {
            let end = (tallied.battles + stage).min(self.before.runs);
            let mut ended = Ok(Ending::AllRuns);
            let fight = || {
                let options = RunOptions { battles: 0..end, ..options.clone() };
                ended = run(&options, &fighter, &mut tallied, &mut Discard, progress, stop);
                matches!(ended, Ok(Ending::AllRuns)).then(|| tallied.cells.clone())
            };
            let cells = kept(progress, || format!("the first {end}"), fight);
            ending = ended.map_err(|RunError::Threads(error)| error)?;
            if let Some(cells) = cells {
                progress.advance((end - tallied.battles) * cells.len() as u64);
                (tallied.battles, tallied.cells) = (end, cells);
            }
        }
        for manifest in &mut manifests {
            manifest.progress.battles = tallied.battles;
            manifest.progress.ending = ending;
        }
        let tallies = [0, 1].map(|party| {
            let mut tallies = vec![CellTally::default(); studies[party].cells.len()];
            for (place, pair) in pairs.iter().enumerate() {
                tallies[[pair.0, pair.1][party]] = tallied.cells[2 * place + party].clone();
            }
            tallies
        });
        let changes = Changes::between(&manifests[0], &manifests[1])
            .map_err(|party| CompareError::Texts { folder: studies[party].header.name.clone() })?;
        let names = studies.map(|study| study.header.name.clone());
        let parties = [0, 1].map(|party| Party {
            name: &names[party],
            manifest: &manifests[party],
            tallies: &tallies[party],
            odds: &[],
        });
        counted(&parties[0])?;
        let joint = |pair: &(usize, usize)| match &tallies[1][pair.1].paired {
            Some(paired) => Joint::All(paired),
            None => Joint::None(Unpaired::NotKept),
        };
        Ok((Compared::of(parties, &pairs, joint, self.level, Some(changes)), ending))
    }

    fn manifests(&self) -> [Manifest; 2] {
        [self.before, self.after].map(|study| study.manifest(Method::Sampled))
    }
}

/// The cells of both variants as cells of one run.
struct Lists<'a> {
    armies: [MemoisedCells<'a>; 2],
    pairs: &'a [(usize, usize)],
}

impl Fighter for Lists<'_> {
    fn fight(&self, cell: u32, battles: Range<u64>) -> Vec<Outcome> {
        let pair = self.pairs[cell as usize / 2];
        let (fighter, own) = if cell.is_multiple_of(2) { (&self.armies[0], pair.0) } else { (&self.armies[1], pair.1) };
        fighter.fight(own as u32, battles)
    }
}
