//! Runs in memory: a study is run without writing anything.
//!
//! The results are identical, bit for bit, to those of a run that writes a folder: the same runner fights them. [`Run`]
//! fights a study or a shard of it, [`merge`] adds shards, and [`to_bytes`] writes bytes that another process, or
//! another machine, can read with [`from_bytes`].

mod bytes;
#[cfg(test)]
mod tests;

use std::convert::Infallible;
use std::path::PathBuf;

use grognard_dice::Luck;
use grognard_engine::{BySide, Outcome};
use grognard_stats::Level;

use crate::clock::Stopwatch;
use crate::memoised_cells::MemoisedCells;
use crate::progress::{Progress, Stop};
use crate::results::{Ending, Made, Manifest, Method, Missing, Promise, Results, Sum, Summary, Unaddable, sum};
use crate::runner::{Fought, Keep, RunError, RunOptions, Shard, Sink, Tallied, run};
use crate::study::Study;

pub use bytes::{BadBytes, from_bytes, to_bytes};

/// The settings for running a study.
#[derive(Clone, Debug, Default)]
pub struct Run {
    /// The shard of the battles to fight.
    pub shard: Shard,
    /// End early when every outcome's share in every cell is known to plus or minus this.
    pub precision: Option<f64>,
    /// Confidence level of all intervals.
    pub level: Level,
    /// The kind of intervals.
    pub promise: Promise,
    /// Whether to count how lucky each side's dice are.
    pub luck: bool,
    /// Which battles to keep individually.
    pub keep: Keep,
    /// Worker threads; 0 means one for each core.
    pub threads: usize,
    /// The command line or program that reproduces the results; may be empty.
    pub command: String,
}

/// Results with the battles kept individually.
#[derive(Clone, Debug, PartialEq)]
pub struct Fetched {
    /// Everything that was counted.
    pub results: Results,
    /// The first battles of each cell, as many as were requested, beginning with the first one of the run. Empty
    /// for exact odds.
    pub kept: Vec<Vec<Outcome>>,
    /// The luck of each side's dice in the same battles. Empty for every cell if it was not counted.
    pub luck: Vec<Vec<BySide<Luck>>>,
}

impl Fetched {
    /// The battles of a whole run that are missing here; `None` for exact odds.
    #[must_use]
    pub fn missing(&self) -> Option<Missing> {
        if self.results.manifest.method == Method::Exact { None } else { Missing::of_run(&[&self.results]) }
    }
}

impl Run {
    /// Fights `study`. The results are those of a run that writes a folder, without watched battles.
    ///
    /// A run that `stop` ended is a success; [`Results::manifest`] says how far it got.
    ///
    /// # Errors
    /// The worker threads cannot be started.
    pub fn fight(
        &self,
        study: &Study,
        progress: &dyn Progress,
        stop: &Stop,
    ) -> Result<Fetched, rayon::ThreadPoolBuildError> {
        let started = Stopwatch::start();
        let battles = self.shard.battles(study.runs);
        let mut manifest = study.manifest(Method::Sampled);
        manifest.precision = self.precision;
        manifest.luck = self.luck;
        manifest.level = self.level.get();
        manifest.promise = self.promise;
        manifest.files.keep = self.keep.limit();
        let options = RunOptions {
            baselines: study.baselines(),
            battles: battles.clone(),
            precision: self.precision,
            decide: false,
            intervals: manifest.intervals(),
            both_ways: study.is_both_ways(),
            histograms: study.histograms(),
            luck: self.luck,
            keep: self.keep,
            threads: self.threads,
        };
        let mut tallied = Tallied::new(battles.start, &options.baselines);
        let cells = study.cells.len();
        let mut kept = Kept { outcomes: vec![Vec::new(); cells], luck: vec![Vec::new(); cells] };
        let ending = run(&options, &MemoisedCells::new(study), &mut tallied, &mut kept, progress, stop);
        let ending = match ending {
            Ok(ending) => ending,
            Err(RunError::Threads(error)) => return Err(error),
            Err(RunError::Sink(never)) => match never {},
        };
        let (elapsed_s, threads) = (started.elapsed().as_secs_f64(), self.threads as u32);
        manifest.made = Made { command: self.command.clone(), elapsed_s, threads, ..Made::default() };
        // A run that was stopped may have kept battles of a block that not every cell has fought.
        kept.outcomes.iter_mut().for_each(|cell| cell.truncate(tallied.battles as usize));
        kept.luck.iter_mut().for_each(|cell| cell.truncate(tallied.battles as usize));
        Ok(Fetched { results: counted(manifest, tallied, ending), kept: kept.outcomes, luck: kept.luck })
    }
}

/// Adds all shards of a run, in any order. The sum is identical to a single run.
///
/// # Errors
/// See [`Unaddable`].
pub fn merge(shards: &[&Fetched]) -> Result<Fetched, Unaddable> {
    let sum = match merge_partial(shards) {
        Err(why) if !matches!(why, Unaddable::Missing(_)) => return Err(why),
        sum => sum,
    };
    Missing::of_run(&results(shards)).map_or(sum, |missing| Err(Unaddable::Missing(missing)))
}

/// Adds consecutive shards, in any order, even if those before or after them are missing.
///
/// # Errors
/// See [`Unaddable`].
pub fn merge_partial(shards: &[&Fetched]) -> Result<Fetched, Unaddable> {
    let Sum { order, mut manifest, tallied } = sum(&results(shards))?;
    let elapsed: f64 = shards.iter().map(|shard| shard.results.manifest.made.elapsed_s).sum();
    manifest.made.elapsed_s = elapsed;
    let limit = manifest.files.keep.map_or(usize::MAX, |keep| usize::try_from(keep).unwrap_or(usize::MAX));
    let cells = manifest.cells.len();
    let (mut kept, mut luck) = (vec![Vec::new(); cells], vec![Vec::new(); cells]);
    for shard in order.into_iter().map(|place| shards[place]) {
        extend(&mut kept, &shard.kept, limit);
        if manifest.luck {
            extend(&mut luck, &shard.luck, limit);
        }
    }
    let ending = Missing::ending(&results(shards));
    Ok(Fetched { results: counted(manifest, tallied, ending), kept, luck })
}

/// Adds a shard's values for each cell, up to a limit.
fn extend<T: Copy>(all: &mut [Vec<T>], more: &[Vec<T>], limit: usize) {
    for (all, more) in all.iter_mut().zip(more) {
        let room = limit.saturating_sub(all.len());
        all.extend(more.iter().take(room));
    }
}

fn results<'a>(shards: &[&'a Fetched]) -> Vec<&'a Results> {
    shards.iter().map(|shard| &shard.results).collect()
}

/// The results of battles that were counted.
fn counted(mut manifest: Manifest, tallied: Tallied, ending: Ending) -> Results {
    manifest.progress.first = tallied.first;
    manifest.progress.battles = tallied.battles;
    manifest.progress.digest = tallied.digest.to_string();
    manifest.progress.ending = ending;
    let (folder, odds, summary) = (PathBuf::new(), Vec::new(), Summary::default());
    Results { folder, manifest, tallies: tallied.cells, odds, summary, watched: None, players: None }
}

/// Keeps battles, cell by cell.
struct Kept {
    outcomes: Vec<Vec<Outcome>>,
    luck: Vec<Vec<BySide<Luck>>>,
}

impl Sink for Kept {
    type Error = Infallible;

    fn rows(&mut self, cell: u32, _first: u64, fought: &Fought) -> Result<(), Infallible> {
        self.outcomes[cell as usize].extend(fought.outcomes.iter());
        self.luck[cell as usize].extend(fought.fallen.iter().map(|fallen| fallen.luck));
        Ok(())
    }

    fn block_done(&mut self, _tallied: &Tallied) -> Result<(), Infallible> {
        Ok(())
    }
}
