//! A study fought to the end with nothing written: the results are at hand and nowhere else.

use std::path::PathBuf;

use grognard_stats::Level;

use crate::army::Army;
use crate::clock::Stopwatch;
use crate::progress::{Progress, Stop};
use crate::results::{Made, Method, Promise, Results, summarise};
use crate::runner::{Discard, Keep, Orders, RunError, Tallied, run};
use crate::study::Study;

/// How a study is to be fought.
#[derive(Clone, Debug, Default)]
pub struct Sortie {
    /// End early when every outcome's share in every cell is known to plus or minus this.
    pub precision: Option<f64>,
    /// Confidence level of all intervals.
    pub level: Level,
    /// What they promise beside it.
    pub promise: Promise,
    /// Whether to count how lucky each side's dice are.
    pub luck: bool,
    /// Worker threads; 0 for as many as the machine has cores.
    pub threads: usize,
    /// The command line or program that makes the results again; may be empty.
    pub command: String,
}

impl Sortie {
    /// Fights `study`: the results of a campaign, to the bit, without a folder, kept battles or battles that were watched.
    ///
    /// A run that `stop` ended is a success; [`Results::manifest`] says how far it came.
    ///
    /// # Errors
    /// The worker threads cannot be started.
    pub fn fight(
        &self,
        study: &Study,
        progress: &dyn Progress,
        stop: &Stop,
    ) -> Result<Results, rayon::ThreadPoolBuildError> {
        let started = Stopwatch::start();
        let mut manifest = study.manifest(Method::Sampled);
        manifest.precision = self.precision;
        manifest.luck = self.luck;
        manifest.level = self.level.get();
        manifest.promise = self.promise;
        manifest.files.keep = Keep::None.limit();
        let orders = Orders {
            baselines: study.baselines(),
            battles: 0..study.runs,
            precision: self.precision,
            decide: false,
            intervals: manifest.intervals(),
            both_ways: study.is_both_ways(),
            luck: self.luck,
            keep: Keep::None,
            threads: self.threads,
        };
        let mut tallied = Tallied::new(0, &orders.baselines);
        let ending = run(&orders, &Army::new(study), &mut tallied, &mut Discard, progress, stop);
        manifest.progress.ending = ending.map_err(|RunError::Threads(error)| error)?;
        manifest.progress.battles = tallied.battles;
        manifest.progress.digest = tallied.digest.to_string();
        let (elapsed_s, threads) = (started.elapsed().as_secs_f64(), self.threads as u32);
        manifest.made =
            Made { command: self.command.clone(), elapsed_s: Made::seconds(elapsed_s), threads, ..Made::default() };
        let summary = summarise(&manifest, &tallied.cells, orders.intervals);
        let (folder, odds) = (PathBuf::new(), Vec::new());
        Ok(Results { folder, manifest, tallies: tallied.cells, odds, summary, watched: None })
    }
}
