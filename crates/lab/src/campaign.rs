//! A study fought to the end, into a results folder.

use std::ops::Range;
use std::path::PathBuf;
use std::str::FromStr;

use grognard_stats::{Intervals, Level};

use crate::army::Army;
use crate::progress::{Progress, Stop};
use crate::results::{Made, Manifest, Method, Promise, Results, ResultsError, ResultsWriter};
use crate::runner::{BLOCK, Keep, Orders, RunError, Tallied, run};
use crate::study::Study;
use crate::watched::watch;

/// How a study is to be fought, and where its results go.
#[derive(Clone, Debug)]
pub struct Campaign {
    /// The results folder.
    pub folder: PathBuf,
    /// Whether to go on in the folder instead of beginning it anew. A folder in which nothing was begun yet is begun: a kill
    /// may have come that early.
    pub resume: bool,
    /// Which share of the battles to fight.
    pub shard: Shard,
    /// End early when every outcome's share in every cell is known to plus or minus this.
    pub precision: Option<f64>,
    /// Confidence level of all intervals.
    pub level: Level,
    /// What they promise beside it.
    pub promise: Promise,
    /// Whether to count how lucky each side's dice are. A resumed folder goes on as it began.
    pub luck: bool,
    /// Which battles are kept one by one. A resumed folder goes on as it began.
    pub keep: Keep,
    /// Worker threads; 0 for as many as the machine has cores.
    pub threads: usize,
    /// The command line that makes the folder again.
    pub command: String,
}

/// Why a campaign could not be finished.
#[derive(Debug, thiserror::Error)]
pub enum CampaignError {
    /// The results folder.
    #[error(transparent)]
    Results(#[from] ResultsError),
    /// The worker threads could not be started.
    #[error("cannot start the worker threads: {0}")]
    Threads(#[from] rayon::ThreadPoolBuildError),
}

impl Campaign {
    /// Fights `study`. An ended run is a success even if `stop` ended it: [`Results::manifest`] says how far it came.
    ///
    /// # Errors
    /// The folder is not ours, cannot be written, or holds other battles; the threads cannot be started.
    pub fn fight(&self, study: &Study, progress: &dyn Progress, stop: &Stop) -> Result<Results, CampaignError> {
        let battles = self.shard.battles(study.runs);
        let (mut writer, mut tallied) = if self.resume && Manifest::begun(&self.folder)?.is_some() {
            ResultsWriter::resume(&self.folder, self.manifest(study, &battles))?
        } else {
            let writer = ResultsWriter::create(&self.folder, self.manifest(study, &battles))?;
            (writer, Tallied::new(battles.start, &study.baselines()))
        };
        for error in writer.lost() {
            progress.lost(error);
        }
        let orders = Orders {
            baselines: study.baselines(),
            battles,
            precision: self.precision,
            decide: false,
            intervals: writer.intervals(),
            both_ways: study.is_both_ways(),
            luck: writer.counts_luck(),
            keep: writer.keep().map_or(Keep::All, Keep::First),
            threads: self.threads,
        };
        let ending =
            run(&orders, &Army::new(study), &mut tallied, &mut writer, progress, stop).map_err(
                |error| match error {
                    RunError::Threads(error) => CampaignError::Threads(error),
                    RunError::Sink(error) => CampaignError::Results(error),
                },
            )?;
        let pool = rayon::ThreadPoolBuilder::new().num_threads(self.threads).build()?;
        // A run that ends when it is precise asks for no number of battles: it is watched in proportion to those it needed.
        let asked = if self.precision.is_some() { tallied.battles } else { study.runs };
        writer.watched(pool.install(|| watch(study, &tallied, asked, stop)));
        Ok(writer.finish(&tallied, ending)?)
    }

    /// Whether it may begin, or go on, in its folder: what [`Campaign::fight`] would refuse, and, unless `force`, results of
    /// another study or better ones of another series, which would be replaced. Nothing is written.
    ///
    /// # Errors
    /// What stands in the folder, and why it should stay.
    pub fn check(&self, study: &Study, force: bool) -> Result<(), ResultsError> {
        let battles = self.shard.battles(study.runs);
        let manifest = self.manifest(study, &battles);
        if self.resume && Manifest::begun(&self.folder)?.is_some() {
            return ResultsWriter::check_resume(&self.folder, &manifest);
        }
        ResultsWriter::check_create(&self.folder, &manifest, battles.end - battles.start, force)
    }

    /// The intervals of what it will find.
    #[must_use]
    pub fn intervals(&self, study: &Study) -> Intervals {
        self.manifest(study, &self.shard.battles(study.runs)).intervals()
    }

    fn manifest(&self, study: &Study, battles: &Range<u64>) -> Manifest {
        let mut manifest = study.manifest(Method::Sampled);
        manifest.precision = self.precision;
        manifest.luck = self.luck;
        manifest.level = self.level.get();
        manifest.promise = self.promise;
        manifest.progress.first = battles.start;
        manifest.files.keep = self.keep.limit();
        manifest.made = Made { command: self.command.clone(), elapsed_s: 0.0, threads: self.threads as u32 };
        manifest
    }
}

/// A share of a run's battles: the same blocks whoever fights the others.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shard {
    number: u32,
    of: u32,
}

/// A text that is not a [`Shard`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("a shard is written I/N with I from 1 to N, such as 1/4, and N at most {}", Shard::OF_MAX)]
pub struct NoShard;

impl Shard {
    /// The most shards.
    pub const OF_MAX: u32 = 100_000;
    /// All battles.
    pub const WHOLE: Self = Self { number: 1, of: 1 };

    /// Indices of its battles in a run of `runs`. May be empty when there are more shards than blocks.
    #[must_use]
    pub fn battles(self, runs: u64) -> Range<u64> {
        let block = u64::from(BLOCK);
        let blocks = u128::from(runs.div_ceil(block));
        let cut = |number: u32| ((blocks * u128::from(number) / u128::from(self.of)) as u64 * block).min(runs);
        cut(self.number - 1)..cut(self.number)
    }
}

impl FromStr for Shard {
    type Err = NoShard;

    fn from_str(text: &str) -> Result<Self, NoShard> {
        let (number, of) = text.split_once('/').ok_or(NoShard)?;
        let (number, of) = (number.parse().map_err(|_| NoShard)?, of.parse().map_err(|_| NoShard)?);
        if (1..=of).contains(&number) && of <= Self::OF_MAX { Ok(Self { number, of }) } else { Err(NoShard) }
    }
}

impl std::fmt::Display for Shard {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(out, "{}/{}", self.number, self.of)
    }
}

#[cfg(test)]
mod tests {
    use grognard_rules::source::Sources;

    use super::*;
    use crate::progress::Silent;
    use crate::results::{Ending, merge};
    use crate::study::Changes;

    fn duel(runs: u64) -> Study {
        let mut sources = Sources::new();
        let text = "study = 'duel'\npack = 'risk'\nturns = 200\n[vary]\nattacker.0.figures = [3, 4]\n\
            [side.attacker]\nunits = [{ type = 'army', figures = 5 }]\n[side.defender]\nunits = [{ type = 'army', figures = 3 }]\n";
        let file = sources.add("study.toml", text);
        Study::read(file, None, &Changes { runs: Some(runs), ..Changes::default() }, &mut sources).unwrap()
    }

    fn fight(folder: PathBuf, runs: u64, change: impl FnOnce(&mut Campaign)) -> Results {
        let mut campaign = Campaign {
            folder,
            resume: false,
            shard: Shard::WHOLE,
            precision: None,
            level: Level::P95,
            promise: Promise::default(),
            luck: false,
            keep: Keep::First(100),
            threads: 2,
            command: "grognard run duel".to_owned(),
        };
        change(&mut campaign);
        campaign.fight(&duel(runs), &Silent, &Stop::new()).unwrap()
    }

    #[test]
    fn threads_shards_and_instalments_give_the_same_summary() {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        let summary = |name: &str| std::fs::read(at(name).join("summary.parquet")).unwrap();
        let whole = fight(at("whole"), 10_000, |campaign| campaign.threads = 1);
        assert_eq!(whole.manifest.progress.ending, Ending::AllRuns);

        fight(at("threads"), 10_000, |campaign| campaign.threads = 8);
        assert_eq!(summary("threads"), summary("whole"));

        fight(at("instalments"), 5_000, |_| ());
        let instalments = fight(at("instalments"), 10_000, |campaign| campaign.resume = true);
        assert_eq!(summary("instalments"), summary("whole"));
        assert_eq!(instalments.manifest.progress, whole.manifest.progress);

        let shards = ["1/2", "2/2"].map(|shard| {
            fight(at(&shard.replace('/', "-")), 10_000, |campaign| campaign.shard = shard.parse().unwrap())
        });
        let merged = merge(&shards, &at("merged"), "grognard merge", &Silent).unwrap();
        assert_eq!(summary("merged"), summary("whole"));
        for other in [&instalments, &merged] {
            assert_eq!((&other.watched, other.watched.is_some()), (&whole.watched, true));
        }
        assert_eq!(merged.manifest.progress, whole.manifest.progress);
    }

    #[test]
    fn a_campaign_ends_when_it_is_precise_enough() {
        let folder = tempfile::tempdir().unwrap();
        // One block gives a half-width of 0.015 at the most, four give 0.0077.
        let results = fight(folder.path().join("precise"), 1_000_000, |campaign| campaign.precision = Some(0.01));
        assert_eq!(results.manifest.progress.ending, Ending::Precise);
        let battles = results.manifest.progress.battles;
        assert!(battles <= 4 * u64::from(BLOCK));
        assert_eq!(results.precision_missed(), None);
        // What is watched goes with what was fought, not with the million that was allowed.
        assert!(results.watched.as_ref().is_some_and(|watched| watched.battles <= battles / 16));
        assert!(
            results
                .summary
                .iter()
                .filter(|row| row.metric == "win" && row.baseline.is_none())
                .all(|row| row.high - row.low <= 0.02)
        );
    }

    #[test]
    fn a_campaign_knows_that_it_is_not_precise_enough() {
        let folder = tempfile::tempdir().unwrap();
        let results = fight(folder.path().join("coarse"), 1_000, |campaign| campaign.precision = Some(0.01));
        assert_eq!(results.manifest.progress.ending, Ending::AllRuns);
        // A share of a half among 1,000 is known to 0.0314 (Clopper and Pearson), and one of a tenth to 0.02.
        let (asked, reached) = results.precision_missed().expect("it is missed");
        assert!(asked == 0.01 && (0.02..0.032).contains(&reached), "{reached}");
        // Enough at the last battle, which is on no rung, is enough.
        let results = fight(folder.path().join("last"), 1_001, |campaign| campaign.precision = Some(0.032));
        assert_eq!((results.manifest.progress.ending, results.precision_missed()), (Ending::Precise, None));
    }

    #[test]
    fn shards_share_the_battles_out() {
        for runs in [1, 4_096, 4_097, 1_000_000, 1_000_000_000_000] {
            for of in [1, 2, 3, 7, 100] {
                let mut next = 0;
                for number in 1..=of {
                    let battles = Shard { number, of }.battles(runs);
                    assert_eq!(battles.start, next);
                    assert!(battles.end == runs || battles.end.is_multiple_of(u64::from(BLOCK)));
                    next = battles.end;
                }
                assert_eq!(next, runs);
            }
        }
    }

    #[test]
    fn shards_are_written_i_of_n() {
        assert_eq!("2/4".parse(), Ok(Shard { number: 2, of: 4 }));
        assert_eq!(Shard { number: 2, of: 4 }.to_string(), "2/4");
        for bad in ["", "1", "0/4", "5/4", "1/0", "a/b", "1/2/3", "-1/4", "1/100001"] {
            assert_eq!(bad.parse::<Shard>(), Err(NoShard), "{bad}");
        }
    }
}
