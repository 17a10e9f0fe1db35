//! Fights a study to the end, and writes its results folder.

use std::ops::Range;
use std::path::PathBuf;

use grognard_stats::{Intervals, Level};

use crate::for_report::ForReport;
use crate::memoised_cells::MemoisedCells;
use crate::progress::{Progress, Stop};
use crate::results::{Ending, Made, Manifest, Method, Promise, Results, ResultsError, ResultsWriter};
use crate::runner::{Keep, RunError, RunOptions, Shard, Tallied, run};
use crate::study::Study;

/// The settings for running a study and writing its results folder.
#[derive(Clone, Debug)]
pub struct FolderRun {
    /// The results folder.
    pub folder: PathBuf,
    /// Whether to resume the folder. If the folder has no run yet, one is started: an earlier run may have been
    /// killed before it wrote anything.
    pub resume: bool,
    /// The shard of the battles to fight.
    pub shard: Shard,
    /// End early when every outcome's share in every cell is known to plus or minus this.
    pub precision: Option<f64>,
    /// Confidence level of all intervals.
    pub level: Level,
    /// The kind of intervals.
    pub promise: Promise,
    /// Whether to count how lucky each side's dice are. A resumed folder cannot change this.
    pub luck: bool,
    /// Whether to watch the first battles, and to repeat the findings with other players if the study lists any. Only a
    /// report needs this.
    pub watch: bool,
    /// Which battles to keep individually. A resumed folder cannot change this.
    pub keep: Keep,
    /// Worker threads; 0 means one for each core.
    pub threads: usize,
    /// The command line that reproduces the folder.
    pub command: String,
}

/// Why a run could not be finished.
#[derive(Debug, thiserror::Error)]
pub enum FolderRunError {
    /// The results folder cannot be used.
    #[error(transparent)]
    Results(#[from] ResultsError),
    /// The worker threads could not be started.
    #[error("cannot start the worker threads: {0}")]
    Threads(#[from] rayon::ThreadPoolBuildError),
}

impl FolderRun {
    /// Fights `study`. A run that `stop` ended is also a success: [`Results::manifest`] says how far it got.
    ///
    /// # Errors
    /// The folder is not a results folder, cannot be written, or contains other battles; the threads cannot be started.
    pub fn fight(&self, study: &Study, progress: &dyn Progress, stop: &Stop) -> Result<Results, FolderRunError> {
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
        let options = RunOptions {
            baselines: study.baselines(),
            battles,
            precision: self.precision,
            decide: false,
            intervals: writer.intervals(),
            both_ways: study.is_both_ways(),
            histograms: study.histograms(),
            luck: writer.counts_luck(),
            keep: writer.keep().map_or(Keep::All, Keep::First),
            threads: self.threads,
        };
        let mut ending =
            run(&options, &MemoisedCells::new(study), &mut tallied, &mut writer, progress, stop).map_err(|error| {
                match error {
                    RunError::Threads(error) => FolderRunError::Threads(error),
                    RunError::Sink(error) => FolderRunError::Results(error),
                }
            })?;
        writer.end_of_battles();
        if self.watch {
            progress.reporting();
            let pool = rayon::ThreadPoolBuilder::new().num_threads(self.threads).build()?;
            // No number of battles was requested for a run that ends once it is precise, so the number watched depends
            // on the number fought.
            let asked = if self.precision.is_some() { tallied.battles } else { study.runs };
            match pool.install(|| ForReport::of(study, &tallied, asked, progress, stop)) {
                Some(made) => writer.for_report(made),
                // All battles may be counted even though the data for the report is incomplete.
                None => ending = Ending::Stopped,
            }
        }
        Ok(writer.finish(&tallied, ending)?)
    }

    /// Checks that the run may start, or resume, in its folder. Reports what [`FolderRun::fight`] would refuse and,
    /// unless `force`, results of another study or of another series that would be replaced. Nothing is written.
    ///
    /// # Errors
    /// The folder has contents that should be kept.
    pub fn check(&self, study: &Study, force: bool) -> Result<(), ResultsError> {
        let battles = self.shard.battles(study.runs);
        let manifest = self.manifest(study, &battles);
        if self.resume && Manifest::begun(&self.folder)?.is_some() {
            return ResultsWriter::check_resume(&self.folder, &manifest);
        }
        ResultsWriter::check_create(&self.folder, &manifest, force)
    }

    /// The intervals of its results.
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
        manifest.made = Made { command: self.command.clone(), threads: self.threads as u32, ..Made::default() };
        manifest
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicU64, Ordering};

    use grognard_source::Sources;

    use super::*;
    use crate::for_report::complete;
    use crate::progress::Silent;
    use crate::results::merge;
    use crate::study::Changes;
    use crate::testing::assert_same;

    fn duel(runs: u64) -> Study {
        let mut sources = Sources::new();
        let text = "study = 'duel'\npack = 'risk'\nturns = 200\n[vary]\nattacker.0.figures = [3, 4]\n\
            [report]\nplayers = ['random', 'best']\n\
            [side.attacker]\nunits = [{ type = 'army', figures = 5 }]\n[side.defender]\nunits = [{ type = 'army', figures = 3 }]\n";
        let file = sources.add("study.toml", text);
        Study::read(file, None, &Changes { runs: Some(runs), ..Changes::default() }, &mut sources).unwrap()
    }

    fn folder_run(folder: PathBuf) -> FolderRun {
        FolderRun {
            folder,
            resume: false,
            shard: Shard::WHOLE,
            precision: None,
            level: Level::P95,
            promise: Promise::default(),
            luck: false,
            watch: true,
            keep: Keep::First(100),
            threads: 2,
            command: "grognard run duel".to_owned(),
        }
    }

    fn fight(folder: PathBuf, runs: u64, change: impl FnOnce(&mut FolderRun)) -> Results {
        let mut folder_run = folder_run(folder);
        change(&mut folder_run);
        folder_run.fight(&duel(runs), &Silent, &Stop::new()).unwrap()
    }

    #[test]
    fn threads_shards_and_instalments_give_the_same_summary() {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        let summary = |name: &str| std::fs::read(at(name).join("data/summary.parquet")).unwrap();
        let whole = fight(at("whole"), 10_000, |folder_run| folder_run.threads = 1);
        assert_eq!(whole.manifest.progress.ending, Ending::AllRuns);

        fight(at("threads"), 10_000, |folder_run| folder_run.threads = 8);
        assert_eq!(summary("threads"), summary("whole"));

        fight(at("instalments"), 5_000, |_| ());
        let instalments = fight(at("instalments"), 10_000, |folder_run| folder_run.resume = true);
        assert_eq!(summary("instalments"), summary("whole"));
        assert_eq!(instalments.manifest.progress, whole.manifest.progress);

        let shards = ["1/2", "2/2"].map(|shard| {
            fight(at(&shard.replace('/', "-")), 10_000, |folder_run| folder_run.shard = shard.parse().unwrap())
        });
        let merged = merge(&shards, &at("merged"), "grognard merge", true, &Silent, &Stop::new()).unwrap();
        assert_eq!(summary("merged"), summary("whole"));
        for (folder, results) in [("threads", None), ("instalments", Some(&instalments)), ("merged", Some(&merged))] {
            assert_same(&at(folder), &at("whole"), folder);
            assert!(results.is_none_or(|results| results.watched.is_some() && results.players.is_some()));
        }
    }

    /// With more shards than blocks, some shards are empty, including the first.
    #[test]
    fn uneven_shards_add_up_to_one_run() {
        let place = tempfile::tempdir().unwrap();
        let at = |name: &str| place.path().join(name);
        for (name, keep, luck) in [("all", Keep::All, true), ("some", Keep::First(6_000), false)] {
            let change = |folder_run: &mut FolderRun| (folder_run.keep, folder_run.luck) = (keep, luck);
            let whole = fight(at(&format!("{name}-whole")), 10_000, change);
            let shards: Vec<Results> = (1..=5)
                .map(|number| {
                    fight(at(&format!("{name}-{number}")), 10_000, |folder_run| {
                        change(folder_run);
                        folder_run.watch = number == 2;
                        folder_run.shard = Shard::new(number, 5).unwrap();
                    })
                })
                .collect();
            assert_eq!(shards[0].manifest.progress.battles, 0);
            let sum = merge(&shards, &at(&format!("{name}-sum")), "grognard merge", true, &Silent, &Stop::new());
            assert_eq!(sum.unwrap().manifest.progress, whole.manifest.progress);
            assert_same(&at(&format!("{name}-sum")), &whole.folder, name);
        }
    }

    /// Raises the flag after this many battles.
    struct StopAfter<'a>(u64, AtomicU64, &'a Stop);

    impl crate::progress::Progress for StopAfter<'_> {
        fn advance(&self, battles: u64) {
            if self.1.fetch_add(battles, Ordering::Relaxed) + battles >= self.0 {
                self.2.raise();
            }
        }
    }

    /// A run is interrupted while it fights and, after its last battle, while it watches battles.
    #[test]
    fn an_interruption_is_never_called_an_end_and_leaves_no_trace_in_the_end() {
        type Change = fn(&mut FolderRun);
        let changes: [(&str, Change); 4] = [
            ("plain", |_| ()),
            ("precision", |folder_run| folder_run.precision = Some(0.009)),
            ("watch", |folder_run| folder_run.promise.kind = crate::results::PromiseKind::Watched),
            ("luck", |folder_run| (folder_run.luck, folder_run.keep) = (true, Keep::All)),
        ];
        let place = tempfile::tempdir().unwrap();
        for (name, change) in changes {
            let whole = fight(place.path().join(name), 13_000, change);
            let last = whole.manifest.progress.battles;
            assert!(last > 4_096 && whole.watched.is_some() && whole.players.is_some(), "{name}: {last}");
            // These are counts over both cells. After the last battle, only watching is left.
            for after in [1, 10_000, 2 * last] {
                let folder = place.path().join(format!("{name}-{after}"));
                let mut folder_run = folder_run(folder.clone());
                change(&mut folder_run);
                let stop = Stop::new();
                let cut = folder_run.fight(&duel(13_000), &StopAfter(after, 0.into(), &stop), &stop).unwrap();
                assert_eq!(cut.manifest.progress.ending, Ending::Stopped, "{name} after {after}");
                assert_eq!(Manifest::read(&folder).unwrap().progress.ending, Ending::Stopped);
                folder_run.resume = true;
                folder_run.fight(&duel(13_000), &Silent, &Stop::new()).unwrap();
                assert_same(&folder, &whole.folder, &format!("{name} after {after}"));
            }
        }
    }

    /// The report's data can be made later, on request; it is then identical to the data of the run itself.
    #[test]
    fn battles_are_watched_only_for_a_report() {
        let place = tempfile::tempdir().unwrap();
        let whole = fight(place.path().join("whole"), 5_000, |_| ());
        let late = fight(place.path().join("late"), 5_000, |folder_run| folder_run.watch = false);
        assert_eq!((late.watched, late.manifest.files.watched), (None, None));
        assert_eq!((late.players, late.manifest.files.players), (None, None));
        complete(&late.folder, &Silent, &Stop::new()).unwrap();
        assert_same(&late.folder, &whole.folder, "late");
        // A resumed run keeps the data unless battles are added.
        let again = |runs: u64| {
            fight(place.path().join("late"), runs, |folder_run| (folder_run.resume, folder_run.watch) = (true, false))
        };
        let kept = again(5_000);
        assert_eq!((kept.watched, kept.players), (whole.watched, whole.players));
        let added = again(9_000);
        assert_eq!((added.watched, added.players), (None, None));
    }

    #[test]
    fn luck_is_not_counted_from_the_middle_on() {
        let place = tempfile::tempdir().unwrap();
        let folder = place.path().join("plain");
        fight(folder.clone(), 5_000, |_| ());
        let lucky = FolderRun { resume: true, luck: true, ..folder_run(folder.clone()) };
        for refused in [
            lucky.check(&duel(9_000), false),
            lucky.fight(&duel(9_000), &Silent, &Stop::new()).map(drop).map_err(|error| match error {
                FolderRunError::Results(error) => error,
                FolderRunError::Threads(error) => panic!("{error}"),
            }),
        ] {
            assert!(matches!(refused, Err(ResultsError::NoLuck { .. })), "{refused:?}");
        }
        assert_eq!(Manifest::read(&folder).unwrap().progress.battles, 5_000);
    }

    #[test]
    fn a_run_ends_when_it_is_precise_enough() {
        let folder = tempfile::tempdir().unwrap();
        // One block gives a half-width of at most 0.015, and four give 0.0077.
        let results = fight(folder.path().join("precise"), 1_000_000, |folder_run| folder_run.precision = Some(0.01));
        assert_eq!(results.manifest.progress.ending, Ending::Precise);
        let battles = results.manifest.progress.battles;
        assert!(battles <= 4 * u64::from(crate::runner::BLOCK));
        assert_eq!(results.precision_missed(), None);
        // The number of battles watched depends on the number fought, not on the million allowed.
        assert!(results.watched.as_ref().is_some_and(|watched| watched.battles <= battles / 16));
        assert!(
            results
                .summary()
                .iter()
                .filter(|row| row.metric == "win" && row.baseline.is_none())
                .all(|row| row.high - row.low <= 0.02)
        );
    }

    #[test]
    fn a_run_knows_that_it_is_not_precise_enough() {
        let folder = tempfile::tempdir().unwrap();
        let results = fight(folder.path().join("coarse"), 1_000, |folder_run| folder_run.precision = Some(0.01));
        assert_eq!(results.manifest.progress.ending, Ending::AllRuns);
        // A share of one half in 1,000 battles is known to within 0.0314 (Clopper and Pearson), and a share of one
        // tenth to within 0.02.
        let (asked, reached) = results.precision_missed().expect("it is missed");
        assert!(asked == 0.01 && (0.02..0.032).contains(&reached), "{reached}");
        // The target also counts as reached if it is met only at the last battle, where no check is scheduled.
        let results = fight(folder.path().join("last"), 1_001, |folder_run| folder_run.precision = Some(0.032));
        assert_eq!((results.manifest.progress.ending, results.precision_missed()), (Ending::Precise, None));
    }
}
