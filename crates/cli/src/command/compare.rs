//! `grognard compare`: what changed between cells, between two results, or between two variants of a study.

mod advice;

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use grognard_lab::compare::{Compared, Duel, to_json};
use grognard_lab::notes::Notes;
use grognard_lab::results::{Ending, Results, names_of_quantities};
use grognard_lab::shell::quoted;
use grognard_lab::study::{Changes, Study};
use grognard_source::{Diagnostics, Sources};
use grognard_stats::Level;

use super::asking::{Noting, close, ended, notes_in};
use super::export::expect_writable;
use crate::failure::{Failure, Status};
use crate::interrupt::{stop_after, stop_on_ctrl_c};
use crate::parse::{self, Seed};
use crate::progress::Watch;
use crate::study::{load, overrides};
use crate::text::{listed, plural};
use crate::{table, terminal};

const EXAMPLES: &str = "\
Examples:
  grognard compare results/square-vs-line
  grognard compare results/square-vs-line --baseline 18
  grognard compare results/before results/after
  grognard compare square-vs-line --set roll.shock.modifier.impetus.add=2
  grognard compare --pack my-rules --against napoleonic-figures square-vs-line
  grognard compare results/before results/after --out before-and-after

With one results folder, every cell is compared with its baseline. With two, cells
with the same varied values are compared before and after a rule change.
With --set, --pack or --against, a study is run with and without the change, with
the same dice. Matchups whose favourite has changed come first.

Exit status: 0 if done, 4 if --time ran out before there was any result, 1 if the
command could not finish, 2 if the input is wrong.";

/// Compare cells, two results, or two variants of a study.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    /// A results folder or, with two, the one from before the change.
    #[arg(value_name = "RESULTS|STUDY")]
    first: PathBuf,
    /// The results folder from after the change.
    #[arg(value_name = "RESULTS2", conflicts_with_all = ["set", "pack", "against", "baseline"])]
    second: Option<PathBuf>,
    /// Run the study as it is, and with this value at this path. May be repeated.
    #[arg(long, value_name = "PATH=VALUE")]
    set: Vec<String>,
    /// Compare the study's own pack (or --against) with this one.
    #[arg(long, value_name = "PACK")]
    pack: Option<String>,
    /// Use this pack as the one before the change, instead of the study's own. Without --pack and --set, the study's own
    /// pack is the one after the change.
    #[arg(long, value_name = "PACK")]
    against: Option<String>,
    /// Compare all cells of a results folder with this cell instead of their baselines.
    #[arg(long, value_name = "CELL", conflicts_with_all = ["set", "pack", "against"])]
    baseline: Option<u32>,
    /// Compare this metric: a side for its wins, draw, turns, or a side's metric such as defender.losses [default:
    /// the first side's wins].
    #[arg(long, value_name = "NAME")]
    metric: Option<String>,
    /// Battles in each cell of a study [default: the study's number].
    #[arg(long, value_name = "N", value_parser = parse::runs)]
    runs: Option<u64>,
    /// Stop after this time, such as 90s or 10m, and compare the battles fought by then.
    #[arg(long, value_name = "TIME", value_parser = parse::duration)]
    time: Option<Duration>,
    /// Use this seed for a study's battles instead of its own: a number, or `random`.
    #[arg(long, value_name = "S", value_parser = parse::seed)]
    seed: Option<Seed>,
    /// Worker threads [default: all cores].
    #[arg(long, value_name = "T", value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: Option<u16>,
    /// Confidence level for all intervals together.
    #[arg(long, value_name = "LEVEL", value_parser = parse::level, default_value = "0.95")]
    level: Level,
    /// Write a report to a folder: a page, Markdown, a one-page PDF, a chart (SVG and PNG), and the numbers as JSON and CSV. If a
    /// comparison of a study is stopped, run it again with the same folder to resume it.
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Print the comparison as one JSON object.
    #[arg(long)]
    json: bool,
    /// Print only the comparison and errors.
    #[arg(long, short)]
    quiet: bool,
}

/// Runs the command.
pub(crate) fn compare(args: &Args, sources: &mut Sources) -> Result<Status, Failure> {
    if let Some(folder) = &args.out {
        expect_writable(folder)?;
    }
    let Fought { compared, ending, out_of_time, notes } = if args.is_duel() {
        args.duel(sources)?
    } else {
        advice::refuse(&args.first, args.second.as_deref(), sources)?;
        args.check_folders()?;
        let first = Results::open(&args.first)?;
        let compared = match &args.second {
            Some(second) => Compared::of_folders(&first, &Results::open(second)?, args.level)?,
            None => Compared::of_cells(&first, args.baseline, args.level)?,
        };
        Fought { compared, ending: Ending::AllRuns, out_of_time: false, notes: None }
    };
    for lost in &compared.lost {
        terminal::say(&format!("warning: {lost}; it is left out of the comparison"));
    }
    let metric = args.metric(&compared.sides)?;
    let json = format!("{:#}\n", to_json(&compared));
    if args.json {
        terminal::print_raw(&json)?;
    } else {
        terminal::print(&table::compared::compared(&compared, &metric))?;
    }
    if let Some(folder) = &args.out {
        let csv = table::records(table::compared::records(&compared))
            .map_err(|error| Failure::unfinished(format!("cannot write the numbers as CSV: {error}")))?;
        let texts = [("comparison.json", json), ("comparison.csv", csv)];
        let files = grognard_report::publish_comparison(
            folder,
            &compared,
            &metric,
            &args.command(&metric, compared.parties[0].seed),
            &texts,
        )?;
        let page = files.iter().find(|file| file.extension().is_some_and(|extension| extension == "pdf"));
        if let Some(page) = page.filter(|_| !args.quiet) {
            terminal::say(&format!("report   {}", page.display()));
        }
    }
    if ending == Ending::Stopped {
        terminal::say(&format!("stopped after {} of each cell", plural(compared.parties[0].battles, "battle")));
    }
    close(notes, ending == Ending::Stopped, args.quiet);
    Ok(ended(ending == Ending::Stopped, out_of_time))
}

/// A comparison, and how its battles ended.
struct Fought {
    compared: Compared,
    ending: Ending,
    /// Whether the time limit stopped them.
    out_of_time: bool,
    /// The battles fought, for resuming.
    notes: Option<Notes>,
}

impl Args {
    /// Whether to run a study.
    fn is_duel(&self) -> bool {
        !self.set.is_empty() || self.pack.is_some() || self.against.is_some()
    }

    /// Refuses flags for studies when results are compared.
    fn check_folders(&self) -> Result<(), Failure> {
        if self.runs.is_some() || self.time.is_some() || self.seed.is_some() || self.threads.is_some() {
            let message = "the battles of a results folder have already been fought";
            return Err(Failure::wrong(
                message,
                "omit --runs, --time, --seed and --threads, or name a study and a change",
            ));
        }
        Ok(())
    }

    /// Runs the study before and after the change.
    fn duel(&self, sources: &mut Sources) -> Result<Fought, Failure> {
        let seed = self.seed.map(Seed::draw).transpose()?;
        let common = Changes {
            runs: self.runs,
            seed,
            pack: self.against.clone(),
            pack_option: Some("--against"),
            ..Changes::default()
        };
        let before = load(&self.first, &common, sources).map_err(|faults| under(self.against.as_deref(), faults))?;
        before.of_two_sides("`compare`")?;
        let metric = self.metric(&before.sides)?;
        let set = overrides(&self.set, sources)?;
        // By default, the other pack is compared with the study's own. If a value is set, the other pack is compared
        // with and without that value.
        let pack = self.pack.clone().or_else(|| common.pack.clone().filter(|_| !set.is_empty()));
        let named = pack.clone();
        let after = load(&self.first, &Changes { set, pack, pack_option: None, ..common }, sources)
            .map_err(|faults| under(named.as_deref(), faults))?;
        let duel =
            Duel { before: &before, after: &after, level: self.level, threads: self.threads.map_or(0, usize::from) };
        let cells = duel.cells()? as u64;
        if !self.quiet {
            terminal::say(&announcement(&before, &after, cells));
        }
        // The notes are valid for these two variants only.
        let question = format!("{}\n{}", self.command(&metric, before.seed), after.identity);
        let notes = self.out.as_ref().map(|folder| notes_in(folder, &before, &question, self.quiet)).transpose()?;
        let watch = Arc::new(Watch::new(before.runs * cells, 0, self.quiet));
        let teller = Arc::clone(&watch);
        let stop = stop_on_ctrl_c(move |message| teller.say(message));
        let limit = self.time.map(|time| stop_after(time, &stop));
        let fought = duel.fight(&Noting { watch: &watch, notes: notes.as_ref() }, &stop);
        let out_of_time = limit.is_some_and(|limit| limit.is_over());
        watch.end();
        stop.raise();
        let (compared, ending) = fought.map_err(|error| Failure::from(error).timed(out_of_time))?;
        Ok(Fought { compared, ending, out_of_time, notes })
    }

    /// The command line that reproduces the comparison.
    fn command(&self, metric: &str, seed: u64) -> String {
        let mut words = vec!["grognard".to_owned(), "compare".to_owned(), quoted(&self.first.to_string_lossy())];
        words.extend(self.second.as_ref().map(|second| quoted(&second.to_string_lossy())));
        let mut flag = |name: &str, value: Option<String>| {
            if let Some(value) = value {
                words.extend([format!("--{name}"), quoted(&value)]);
            }
        };
        for set in &self.set {
            flag("set", Some(set.clone()));
        }
        flag("pack", self.pack.clone());
        flag("against", self.against.clone());
        flag("baseline", self.baseline.map(|cell| cell.to_string()));
        flag("metric", Some(metric.to_owned()));
        flag("runs", self.runs.map(|runs| runs.to_string()));
        flag("seed", self.seed.map(|_| seed.to_string()));
        flag("level", (self.level != Level::default()).then(|| self.level.get().to_string()));
        words.join(" ")
    }

    /// The name of the metric compared. The default is the first side's wins.
    fn metric(&self, sides: &[String]) -> Result<String, Failure> {
        let names = names_of_quantities(sides);
        match &self.metric {
            None => Ok(sides[0].clone()),
            Some(metric) if names.contains(metric) => Ok(metric.clone()),
            Some(metric) => {
                Err(Failure::wrong(format!("there is no `{metric}` to compare"), format!("one of {}", listed(&names))))
            }
        }
    }
}

/// The faults of the study under a pack that the command line names: the study may use what only the other pack has.
fn under(pack: Option<&str>, faults: Diagnostics) -> Diagnostics {
    match pack {
        Some(pack) => faults.noted(|_| {
            Some(format!("under the pack `{pack}`; to compare only what both packs have, add --set PATH=VALUE"))
        }),
        None => faults,
    }
}

/// The message at the start.
fn announcement(before: &Study, after: &Study, cells: u64) -> String {
    let pack = |study: &Study| format!("{} {}", study.pack.name, study.pack.version);
    let packs =
        if pack(before) == pack(after) { pack(before) } else { format!("{} and {}", pack(before), pack(after)) };
    format!(
        "{}: {} of {}, seed {}, {packs}",
        before.header.name,
        plural(cells, "cell"),
        plural(before.runs, "battle"),
        before.seed
    )
}
