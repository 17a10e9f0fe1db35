//! `grognard run`: runs studies.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use grognard_lab::folder_run::{FolderRun, FolderRunError};
use grognard_lab::results::{
    Ending, Manifest, Method as Made, PAGE, Promise, PromiseKind, REPORT, Results, ResultsError,
};
use grognard_lab::runner::{Keep, Shard};
use grognard_lab::shell::quoted;
use grognard_lab::study::{Changes, Study};
use grognard_source::{Diagnostics, Sources};
use grognard_stats::Level;

use super::decide::{self, Pair};
use super::method::{self, Method};
use super::output::Output;
use crate::failure::{Failure, Status};
use crate::interrupt::stop_on_ctrl_c;
use crate::parse::{self, Seed};
use crate::progress::Watch;
use crate::study::{load, overrides};
use crate::terminal;
use crate::text::{counted, plural};

const EXAMPLES: &str = "\
Examples:
  grognard run square-vs-line
  grognard run my-study.toml --runs 1e6 --seed random
  grognard run square-vs-line charge-distance fire-at-formations
  grognard run square-vs-line --set roll.shock.modifier.impetus.add=2
  grognard run square-vs-line --runs 1e9 --precision 0.1%
  grognard run square-vs-line --precision 0.1% --method auto
  grognard run square-vs-line --runs 1e8 --watch
  grognard run square-vs-line --luck
  grognard run square-vs-line --decide 0,18
  grognard run square-vs-line --decide 0,0:roll.shock.modifier.impetus.add=2
  grognard run square-vs-line --runs 1e8 --shard 1/4

A battle depends only on the rules, the deployment, the seed and its number.
Threads, shards and interruptions do not affect results.";

/// Run studies, print their results, and write a folder with all numbers and a report for each.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    /// A built-in study's name, a TOML file, or a folder with a study.toml. Several studies are run one after
    /// another, each into its own folder; if one of them has an error, none starts.
    #[arg(value_name = "STUDY", required = true)]
    pub(super) studies: Vec<PathBuf>,
    /// Battles in each cell, such as 250_000 or 1e6 [default: the study's number].
    #[arg(long, value_name = "N", value_parser = parse::runs)]
    pub(super) runs: Option<u64>,
    /// Use this seed instead of the study's: a number, or `random`.
    #[arg(long, value_name = "S", value_parser = parse::seed)]
    seed: Option<Seed>,
    /// Worker threads [default: all cores].
    #[arg(long, value_name = "T", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub(super) threads: Option<u16>,
    /// Set a path of the pack or of the deployment to a value; a varied path is pinned to it. May be repeated.
    #[arg(long, value_name = "PATH=VALUE")]
    pub(super) set: Vec<String>,
    /// The results folder, or the parent of the folders of several studies [default: results/STUDY].
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Resume an interrupted run in the results folder, or add battles to it. Starts the run if there is none.
    #[arg(long)]
    resume: bool,
    /// Overwrite results in the folder that come from a different study, rules or seed.
    #[arg(long, conflicts_with = "resume")]
    force: bool,
    /// Fight only the I-th of N shares of the battles.
    #[arg(long, value_name = "I/N")]
    shard: Option<Shard>,
    /// Stop as soon as every share in every cell is known to plus or minus H, such as 0.005 or 0.5%.
    #[arg(long, value_name = "H", value_parser = parse::precision, conflicts_with = "shard")]
    pub(super) precision: Option<f64>,
    /// Fight battles, compute the odds as `grognard exact` does, or choose whichever is less work for the number of
    /// battles or the precision.
    #[arg(long, value_enum, value_name = "METHOD", default_value_t = Method::Sampled)]
    pub(super) method: Method,
    /// Fight two cells (0,18) or two variants of the rules (0,0:PATH=VALUE) with the same dice until it is clear
    /// which is better, or until --runs is reached. Prints the answer and writes nothing.
    #[arg(
        long,
        value_name = "A,B",
        value_parser = decide::pair,
        conflicts_with_all = ["precision", "shard", "resume", "force", "out", "keep", "luck", "watch", "intervals", "together", "method"]
    )]
    decide: Option<Pair>,
    /// Show live how precisely every share is known, with intervals that hold at every look, so that you may stop
    /// at any time.
    #[arg(long, conflicts_with = "intervals")]
    watch: bool,
    /// Kind of intervals. Exact ones keep their level for rare events too. Wilson's (with Student's and Tango's)
    /// are a little narrower, but miss rare events too often. [default: exact]
    #[arg(long, value_enum, value_name = "KIND")]
    intervals: Option<Shares>,
    /// Use simultaneous intervals: widen them so that all hold together at the confidence level, not just each on its
    /// own.
    #[arg(long)]
    together: bool,
    /// Measure how lucky each side's dice are, how much of the outcome that explains, and who wins with the luck
    /// removed. Fights 2,048 more battles for each cell, to find out what luck is worth.
    #[arg(long)]
    luck: bool,
    /// Battles to keep individually in each cell: all, none, or the first N. [default: 10000]
    #[arg(long, value_name = "all|none|N", value_parser = parse::keep)]
    keep: Option<Keep>,
    /// Confidence level of the intervals.
    #[arg(long, value_name = "LEVEL", value_parser = parse::level, default_value = "0.95")]
    pub(super) level: Level,
    #[command(flatten)]
    pub(super) output: Output,
}

/// Kinds of intervals.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
enum Shares {
    Exact,
    Wilson,
}

/// A study that is ready to fight.
struct Task {
    study: Study,
    folder_run: FolderRun,
    /// Battles in each cell fought before; `None` for a new folder.
    begun: Option<u64>,
}

/// Runs the command.
pub(crate) fn run(args: &Args, sources: &mut Sources) -> Result<Status, Failure> {
    if let Some(pair) = &args.decide {
        return decide::decide(args, pair, sources);
    }
    if args.together && args.intervals == Some(Shares::Wilson) {
        return Err(Failure::wrong(
            "Wilson's intervals cannot be simultaneous: they miss rare events too often",
            "omit --intervals wilson",
        ));
    }
    let seed = args.seed()?;
    let changes = Changes { runs: args.runs, seed, set: overrides(&args.set, sources)?, ..Changes::default() };
    let mut faults = Diagnostics::new();
    let mut tasks = Vec::new();
    for path in &args.studies {
        match load(path, &changes, sources) {
            Ok(study) => {
                if args.luck {
                    study.of_two_sides("`--luck`")?;
                }
                tasks.push(args.task(path, study, seed)?);
            }
            Err(more) => faults.append(more),
        }
    }
    let tasks = faults.into_result(tasks)?;
    check_folders(&tasks)?;
    // All are checked before the first battle: if one folder cannot be used, nothing is written to any of them.
    for task in &tasks {
        task.folder_run.check(&task.study, args.force)?;
    }
    for lost in tasks.iter().filter_map(|task| args.loses(task)) {
        terminal::say(&lost);
    }
    let mut status = Status::Done;
    let mut fought = Vec::new();
    for task in tasks {
        match method::worked_out(args, &task.study, &task.folder_run.folder, task.folder_run.command.clone())? {
            Some(end) => status = status.and(end),
            None => fought.push(task),
        }
    }
    if fought.is_empty() { Ok(status) } else { Ok(status.and(fight_all(args, &fought)?)) }
}

/// Runs studies one after another, with a common progress display.
fn fight_all(args: &Args, tasks: &[Task]) -> Result<Status, Failure> {
    let sum = |battles: fn(&Task) -> u64| tasks.iter().map(battles).sum::<u64>();
    let all = sum(|task| task.battles() * task.study.cells.len() as u64);
    let before = sum(|task| task.begun.unwrap_or(0) * task.study.cells.len() as u64);
    // The highest level of all studies: its intervals are wide enough for each of them.
    let levels = tasks.iter().map(|task| task.folder_run.intervals(&task.study).level);
    let watched = levels.reduce(|one, other| if one > other { one } else { other }).filter(|_| args.watch);
    let watch = Arc::new(Watch::new(all, before, args.output.quiet).watching(watched));
    let teller = Arc::clone(&watch);
    let stop = stop_on_ctrl_c(move |message| teller.say(message));
    let mut status = Status::Done;
    for (place, task) in tasks.iter().enumerate() {
        if !args.output.quiet {
            watch.say(&announcement(&task.study));
            if task.folder_run.resume && task.begun.is_none() {
                watch.say(&format!("no run to resume in {}: starting a new one", task.folder_run.folder.display()));
            }
            if let Some(begun) = task.begun.filter(|&begun| begun >= task.battles()) {
                let there = counted(begun);
                watch.say(&format!("nothing to do: {there} battles of each cell have already been fought"));
            }
        }
        let last = place + 1 == tasks.len();
        let results = task.folder_run.fight(&task.study, &*watch, &stop);
        let (rest, interrupted) = (watch.reported(), stop.is_raised());
        if last || results.is_err() {
            watch.end();
            // Nothing after this needs a graceful stop, so Ctrl-C may now end the command at once.
            stop.raise();
        }
        let results = results.map_err(|error| broken_off(error, &task.folder_run))?;
        if interrupted {
            watch.end();
        }
        if place > 0 {
            watch.aside(|| args.output.part())?;
        }
        status = status.and(watch.aside(|| args.output.conclude(&results, interrupted, rest))?);
        if !args.output.quiet {
            watch.aside(|| say_more(&results, &task.folder_run));
        }
        if interrupted || (stop.is_raised() && !last) {
            for left in &tasks[place + 1..] {
                terminal::say(&format!("not started: {}", left.study.header.name));
            }
            return Ok(status.and(Status::Unfinished));
        }
    }
    Ok(status)
}

/// Refuses studies that would write to the same folder.
fn check_folders(tasks: &[Task]) -> Result<(), Failure> {
    for (place, task) in tasks.iter().enumerate() {
        let folder = &task.folder_run.folder;
        if tasks[..place].iter().any(|other| other.folder_run.folder == *folder) {
            let message = format!("two of the studies would be written to {}", folder.display());
            return Err(Failure::wrong(message, "name each study once, or run them separately with --out"));
        }
    }
    Ok(())
}

impl Task {
    /// Battles in each cell.
    fn battles(&self) -> u64 {
        let battles = self.folder_run.shard.battles(self.study.runs);
        battles.end - battles.start
    }
}

/// The message when the machine fails: what has been saved, and how to resume.
fn broken_off(error: FolderRunError, folder_run: &FolderRun) -> Failure {
    let message = error.to_string();
    let machine = matches!(error, FolderRunError::Results(ResultsError::Io { .. } | ResultsError::Parquet { .. }));
    match Manifest::read(&folder_run.folder) {
        Ok(left) if machine && left.progress.battles > 0 => {
            let kept = counted(left.progress.battles);
            Failure::beyond(
                message,
                format!("{kept} battles of each cell are saved; then resume with `{} --resume`", folder_run.command),
            )
        }
        _ => error.into(),
    }
}

impl Args {
    fn task(&self, path: &Path, study: Study, seed: Option<u64>) -> Result<Task, Failure> {
        let folder_run = self.folder_run(path, &study, seed);
        let begun = if folder_run.resume { Manifest::begun(&folder_run.folder)? } else { None };
        if let Some(manifest) = begun.as_ref().filter(|manifest| manifest.progress.battles > 0) {
            self.check_keep(manifest, &folder_run.folder)?;
        }
        Ok(Task { study, folder_run, begun: begun.map(|manifest| manifest.progress.battles) })
    }

    /// A warning about contents of the folder that will be lost. It is printed even with `--quiet`.
    fn loses(&self, task: &Task) -> Option<String> {
        let folder = &task.folder_run.folder;
        let there = Manifest::begun(folder).ok().flatten().filter(|_| task.begun.is_none())?;
        let battles = there.progress.battles;
        let numbers = match there.method {
            Made::Exact => self.method == Method::Sampled,
            Made::Sampled => battles > 0 && (self.method == Method::Exact || battles > task.battles()),
        };
        let numbers = numbers.then(|| match there.method {
            Made::Exact => "exact odds".to_owned(),
            Made::Sampled => format!("{} of each cell", plural(battles, "battle")),
        });
        let report = !self.output.reports() && folder.join(REPORT).join(PAGE).is_file();
        let (lost, them) = match (numbers, report) {
            (Some(numbers), true) => (format!("replaces {numbers} and their report"), "them"),
            (Some(numbers), false) => (format!("replaces {numbers}"), "them"),
            (None, true) => ("removes the report".to_owned(), "it"),
            (None, false) => return None,
        };
        Some(format!("warning: this {lost} in {}; write to another folder with --out to keep {them}", folder.display()))
    }

    /// Refuses to resume a folder that keeps battles other than those that `--keep` requests.
    fn check_keep(&self, manifest: &Manifest, folder: &Path) -> Result<(), Failure> {
        if self.keep.is_none_or(|keep| keep.limit() == manifest.files.keep) {
            return Ok(());
        }
        let kept =
            manifest.files.keep.map_or_else(|| "all".to_owned(), |count| format!("the first {}", counted(count)));
        let message = format!("{} keeps {kept} battles of each cell individually", folder.display());
        Err(Failure::wrong(message, "omit --keep: it cannot be changed for an existing folder"))
    }

    fn folder_run(&self, path: &Path, study: &Study, seed: Option<u64>) -> FolderRun {
        let out = match &self.out {
            Some(folder) if self.studies.len() > 1 => Some(folder.join(self.name(study))),
            out => out.clone(),
        };
        let command = self.command(path, seed, out.as_deref());
        FolderRun {
            folder: out.unwrap_or_else(|| PathBuf::from("results").join(self.name(study))),
            resume: self.resume,
            shard: self.shard.unwrap_or(Shard::WHOLE),
            precision: self.precision,
            level: self.level,
            promise: self.promise(),
            luck: self.luck,
            watch: self.output.reports(),
            keep: self.keep.unwrap_or_default(),
            threads: self.threads.map_or(0, usize::from),
            command,
        }
    }

    /// The seed requested.
    pub(super) fn seed(&self) -> Result<Option<u64>, Failure> {
        self.seed.map(Seed::draw).transpose()
    }

    /// The first flag that is invalid if odds are computed, if any.
    pub(super) fn is_about_battles(&self) -> Option<&'static str> {
        let flags = [
            ("--shard", self.shard.is_some()),
            ("--resume", self.resume),
            ("--watch", self.watch),
            ("--luck", self.luck),
            ("--keep", self.keep.is_some()),
            ("--runs", self.runs.is_some()),
            ("--seed", self.seed.is_some()),
            ("--precision", self.precision.is_some()),
            ("--intervals", self.intervals.is_some()),
            ("--together", self.together),
            ("--level", self.level != Level::default()),
        ];
        flags.into_iter().find_map(|(name, given)| given.then_some(name))
    }

    /// Whether a flag requests part of a run, or something that only battles have.
    pub(super) fn wants_battles(&self) -> bool {
        self.shard.is_some() || self.resume || self.watch || self.luck || self.keep.is_some()
    }

    /// The kind of guarantee that the intervals have.
    fn promise(&self) -> Promise {
        let kind = match self.intervals {
            _ if self.watch => PromiseKind::Watched,
            Some(Shares::Wilson) => PromiseKind::Wilson,
            Some(Shares::Exact) | None => PromiseKind::Exact,
        };
        Promise { kind, together: self.together }
    }

    /// The name of the results folder; each shard has its own.
    fn name(&self, study: &Study) -> String {
        let name = &study.header.name;
        self.shard
            .map_or_else(|| name.clone(), |shard| format!("{name}.shard-{}", shard.to_string().replace('/', "-of-")))
    }

    /// The command line that reproduces the results.
    fn command(&self, path: &Path, seed: Option<u64>, out: Option<&Path>) -> String {
        let mut words = vec!["grognard".to_owned(), "run".to_owned(), quoted(&path.to_string_lossy())];
        let mut flag = |name: &str, value: Option<String>| {
            if let Some(value) = value {
                words.extend([format!("--{name}"), quoted(&value)]);
            }
        };
        flag("runs", self.runs.map(|runs| runs.to_string()));
        flag("seed", seed.map(|seed| seed.to_string()));
        for set in &self.set {
            flag("set", Some(set.clone()));
        }
        flag("shard", self.shard.map(|shard| shard.to_string()));
        let method = match self.method {
            Method::Sampled => None,
            Method::Auto => Some("auto".to_owned()),
            Method::Exact => Some("exact".to_owned()),
        };
        flag("method", method);
        flag("precision", self.precision.map(|half_width| half_width.to_string()));
        flag("level", (self.level != Level::default()).then(|| self.level.get().to_string()));
        let keep = self.keep.filter(|keep| *keep != Keep::default());
        let count = |keep: Keep| keep.limit().map_or_else(|| "all".to_owned(), |count| count.to_string());
        flag("keep", keep.map(count));
        flag("out", out.map(|folder| folder.to_string_lossy().into_owned()));
        let switches = [
            ("--luck", self.luck),
            ("--watch", self.watch),
            ("--intervals wilson", self.intervals == Some(Shares::Wilson)),
            ("--together", self.together),
        ];
        words.extend(switches.into_iter().filter(|(_, on)| *on).map(|(name, _)| name.to_owned()));
        words.join(" ")
    }
}

/// The message at the start.
fn announcement(study: &Study) -> String {
    format!(
        "{}: {} of {}, seed {}, {}",
        study.header.name,
        plural(study.cells.len() as u64, "cell"),
        plural(study.runs, "battle"),
        study.seed,
        study.pack_line()
    )
}

/// What to do next: resume with the remaining battles, or replay one of them.
fn say_more(results: &Results, folder_run: &FolderRun) {
    let manifest = &results.manifest;
    let progress = &manifest.progress;
    if progress.ending == Ending::Stopped {
        let all = folder_run.shard.battles(manifest.runs);
        terminal::say(&format!(
            "stopped: {} of {} battles in each cell are saved",
            counted(progress.battles),
            counted(all.end - all.start)
        ));
        terminal::say(&format!("resume   {} --resume", folder_run.command));
    } else if progress.battles > 0 {
        let folder = quoted(&results.folder.to_string_lossy());
        terminal::say(&format!("replay   grognard replay {folder} --cell 0 --battle {}", progress.first));
    }
}
