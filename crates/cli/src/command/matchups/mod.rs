//! `grognard matchups`: who beats whom, and what is each side's best choice?

mod printed;

use std::path::PathBuf;
use std::time::Duration;

use grognard_lab::questions::{BATTLES, Grid, GridError, Matched, Matchups, MatchupsError};
use grognard_lab::study::{Study, Variants};
use grognard_source::{Override, Sources};

use super::asking::{Battles, Cells, Computing, Showing, ended, too_large};
use crate::failure::{Failure, Status};
use crate::parse;
use crate::study::load;
use crate::text::{listed, plural};

const EXAMPLES: &str = "\
Examples:
  grognard matchups square-vs-line
  grognard matchups square-vs-line --only approach=front
  grognard matchups risk-dice --exact
  grognard matchups hex-dice --precision 0.5% --out dice
  grognard matchups my-duel.toml --rows red.0.type=lancers,guard \\
      --columns blue.0.type=lancers,guard

The rows are the values that the study varies for the first side, the columns those
for the second; --rows and --columns name other paths. Other varied values are
averaged. To pit the same choices against each other on equal terms, vary the same
values for both sides and set both-ways = true.

Exit status: 0 if there is a table, 4 if --time ran out before every pairing had
been fought, 1 if the command could not finish, 2 if the input is wrong.";

/// Show who beats whom, which choices are dominated, and the best mix of choices for each side.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    /// A study, as for `grognard run`.
    study: PathBuf,
    /// A varied path that the first side chooses, or any path with values to choose from. May be repeated [default:
    /// the varied paths of the first side].
    #[arg(long, value_name = "PATH[=A,B,…]")]
    rows: Vec<String>,
    /// A varied path that the second side chooses, or any path with values to choose from. May be repeated
    /// [default: the varied paths of the second side].
    #[arg(long, value_name = "PATH[=A,B,…]")]
    columns: Vec<String>,
    #[command(flatten)]
    cells: Cells,
    #[command(flatten)]
    computing: Computing,
    /// Maximum number of battles per cell.
    #[arg(long, value_name = "N", value_parser = parse::runs, default_value_t = BATTLES, conflicts_with = "exact")]
    runs: u64,
    /// Precision of each pairing, plus or minus: 0.01 or 1%.
    #[arg(long, value_name = "P", value_parser = parse::precision, default_value = "1%", conflicts_with = "exact")]
    precision: f64,
    /// Stop after this time, such as 90s or 10m. The results so far remain valid.
    #[arg(long, value_name = "TIME", value_parser = parse::duration)]
    time: Option<Duration>,
    #[command(flatten)]
    battles: Battles,
    #[command(flatten)]
    showing: Showing,
}

/// The question and its result.
struct Report<'a> {
    study: &'a Study,
    asked: &'a Matchups,
    found: &'a Matched,
    command: String,
}

/// Runs the command.
pub(crate) fn matchups(args: &Args, sources: &mut Sources) -> Result<Status, Failure> {
    let changes = args.battles.changes(sources)?;
    let study = load(&args.study, &changes, sources)?;
    study.of_two_sides("`matchups`")?;
    let mut cells = args.cells.of(&study, sources)?;
    let (rows, columns) =
        (Axis::read("--rows", &args.rows, sources)?, Axis::read("--columns", &args.columns, sources)?);
    let more: Vec<Vec<Override>> =
        rows.iter().chain(&columns).map(|axis| axis.values.clone()).filter(|values| !values.is_empty()).collect();
    let mut study = study;
    if !more.is_empty() {
        let variants = Variants::of(&study, sources)?;
        study = study.widened(&variants, &cells, &more)?;
        cells.clear();
    }
    let paths = |axes: &[Axis]| -> Vec<String> { axes.iter().map(|axis| axis.path.clone()).collect() };
    let grid = Grid::of(&study, &cells, &paths(&rows), &paths(&columns)).map_err(|error| wrong(&error, &study))?;
    let asked = Matchups {
        grid,
        battles: study.whole_rounds(args.runs),
        precision: args.precision,
        level: args.battles.level,
        threads: args.battles.threads(),
        exact: args.computing.limits(),
    };
    args.showing.say(&announcement(&study, &asked));
    let command = args.command(changes.seed);
    let question = args.showing.begin(&study, &command)?;
    let (battles, exact) = (asked.battles_at_most(), asked.exact.is_some());
    let (found, out_of_time) =
        question.watch_either(args.time, battles, exact, |watch, stop| asked.run(&study, watch, stop));
    let found = found.map_err(|error| match error {
        MatchupsError::TooLarge(_) => too_large(error.to_string()),
        MatchupsError::Stopped => Failure::stopped("every pairing had been fought").timed(out_of_time),
        MatchupsError::Threads(_) => Failure::unfinished(error.to_string()),
    })?;
    question.show(&Report { study: &study, asked: &asked, found: &found, command }.answer(), found.stopped)?;
    Ok(ended(found.stopped, out_of_time))
}

/// A path with the values given for it; `None` for a path that the study varies.
struct Axis {
    path: String,
    values: Vec<Override>,
}

impl Axis {
    fn read(option: &str, texts: &[String], sources: &mut Sources) -> Result<Vec<Self>, Failure> {
        texts.iter().map(|text| Self::of(option, text, sources)).collect()
    }

    fn of(option: &str, text: &str, sources: &mut Sources) -> Result<Self, Failure> {
        let Some((path, values)) = text.split_once('=') else {
            return Ok(Self { path: text.trim().to_owned(), values: Vec::new() });
        };
        let texts: Vec<String> = values.split(',').map(|value| format!("{}={}", path.trim(), value.trim())).collect();
        if let Some(twice) = texts.iter().enumerate().find(|(at, value)| texts[..*at].contains(value)) {
            return Err(Failure::wrong(format!("`{}` is listed twice", twice.1), "name each value once"));
        }
        let mut values = Vec::new();
        for text in texts {
            let file = sources.add(option, text);
            values.push(Override::parse(file, sources)?);
        }
        Ok(Self { path: path.trim().to_owned(), values })
    }
}

/// The failure for invalid choices.
fn wrong(error: &GridError, study: &Study) -> Failure {
    let varied = || listed(&study.vary.iter().map(|varied| varied.path.clone()).collect::<Vec<_>>());
    let help = match error {
        GridError::NoChoice(side) => {
            let option = if *side == study.sides[0] { "rows" } else { "columns" };
            let give = format!("give it choices, such as --{option} {side}.0.type=A,B, or list them under [vary]");
            if study.vary.is_empty() { give } else { format!("{give}; --{option} may also name {}", varied()) }
        }
        GridError::NotVaried { known, .. } if known.is_empty() => "list its values under [vary]".to_owned(),
        GridError::NotVaried { known, .. } => format!("one of {}", listed(known)),
        GridError::Twice(_) => "name it once".to_owned(),
        GridError::Missing { .. } => "include every combination of both sides' choices".to_owned(),
    };
    Failure::wrong(error.to_string(), help)
}

/// The message at the start.
fn announcement(study: &Study, asked: &Matchups) -> String {
    let (rows, columns) = (plural(asked.grid.rows.len() as u64, "choice"), asked.grid.columns.len());
    let cells = plural(asked.grid.cells() as u64, "cell");
    let how = if asked.exact.is_some() { "exact".to_owned() } else { format!("seed {}", study.seed) };
    format!("{}: {rows} against {columns}, {cells}, {how}, {}", study.header.name, study.pack_line())
}

impl Args {
    /// The command line that reproduces the answer.
    fn command(&self, seed: Option<u64>) -> String {
        let quoted = grognard_lab::shell::quoted;
        let mut words = vec!["grognard matchups".to_owned(), quoted(&self.study.to_string_lossy())];
        words.extend(self.rows.iter().map(|path| format!("--rows {}", quoted(path))));
        words.extend(self.columns.iter().map(|path| format!("--columns {}", quoted(path))));
        words.extend(self.cells.words());
        words.extend(self.computing.words());
        words.extend((self.runs != BATTLES).then(|| format!("--runs {}", self.runs)));
        words.extend(
            (self.computing.limits().is_none() && self.precision != 0.01)
                .then(|| format!("--precision {}", self.precision)),
        );
        words.extend(self.battles.words(seed));
        words.join(" ")
    }
}
