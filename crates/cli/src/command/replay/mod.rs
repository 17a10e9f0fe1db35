//! `grognard replay`: narrates or draws one battle.

use std::ops::Range;
use std::path::{Path, PathBuf};
use std::time::Duration;

use clap::ValueEnum;
use grognard_lab::RUNS_MAX;
use grognard_lab::exact::{Assumed, Judgement, TooMuch, judge, judge_by_fighting, narrate_with_odds};
use grognard_lab::progress::within;
use grognard_lab::replay::{narrate, record};
use grognard_lab::results::{Manifest, Method};
use grognard_lab::study::{Cell, Changes, Study};
use grognard_report::drawn::{self, Caption};
use grognard_report::{ReportError, Theme, cell_name, write_file, write_frames};
use grognard_source::Sources;

use crate::failure::{Failure, Status};
use crate::parse::{self, Seed};
use crate::study::{load, overrides};
use crate::terminal;
use crate::text::{counted, tame};

const EXAMPLES: &str = "\
Examples:
  grognard replay square-vs-line --cell 18 --battle 17
  grognard replay square-vs-line --cell 18 --battle 17 --odds
  grognard replay square-vs-line --cell 18 --battle 17 --judge
  grognard replay hex-line --battle 3 --judge --fights 100 --json
  grognard replay results/square-vs-line --cell 18 --battle 17
  grognard replay my-study.toml --seed 1 --set defender.0.formation=square
  grognard replay pip-flank --storyboard battle.svg
  grognard replay pip-flank --svg frames --theme grey
  grognard replay pip-flank --html battle.html
  grognard replay square-vs-line --cell 18 --battle 17 --judge --html battle.html

With --svg, --storyboard, --html or --json the narration is not printed. docs/questions.md
(What is it worth between experts?) explains --judge.

From a results folder, the battle is replayed as it was fought, even if the study and
the pack have changed since. Any row of data/battles can be replayed in this way.";

/// The default of `--fights`.
const FIGHTS: u64 = 200;

/// Narrate one battle, with the clauses of each event, or draw it.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    /// A study, as for `grognard run`, or a results folder.
    #[arg(value_name = "STUDY|RESULTS")]
    study: PathBuf,
    /// The cell's number.
    #[arg(long, value_name = "N", value_parser = parse::cell, default_value = "0")]
    cell: u32,
    /// The battle's number.
    #[arg(long, value_name = "I", value_parser = parse::battle, default_value = "0")]
    battle: u64,
    /// Use this seed instead of the study's.
    #[arg(long, value_name = "S", value_parser = parse::seed)]
    seed: Option<Seed>,
    /// Set a path to a value, as for `grognard run`. May be repeated.
    #[arg(long, value_name = "PATH=VALUE")]
    set: Vec<String>,
    /// Show each side's chance of winning at each half-turn (small battles only).
    #[arg(long, group = "worked_out")]
    odds: bool,
    /// Show what each choice would have been worth, what the actual choices gave away, and how much was luck.
    /// Small battles are judged by best play, as in `grognard best`; larger ones by the exact odds of both doctrines
    /// after each option; the largest by simulating each option.
    #[arg(long, group = "worked_out")]
    judge: bool,
    /// Battles that --judge simulates for each option of each choice, if no odds can be computed.
    #[arg(long, value_name = "N", default_value_t = FIGHTS, value_parser = clap::value_parser!(u64).range(10..=100_000), requires = "judge")]
    fights: u64,
    /// Memory limit for the odds and best play with --judge.
    #[arg(long, value_name = "BYTES", value_parser = parse::memory, default_value = "2G", requires = "judge")]
    max_memory: u64,
    /// Time limit for the odds, and for solving best play with --judge.
    #[arg(long, value_name = "TIME", value_parser = parse::duration, default_value = "60s", requires = "worked_out")]
    max_time: Duration,
    /// Draw the deployment and each half-turn as SVG files in this folder.
    #[arg(long, value_name = "DIR", conflicts_with = "worked_out")]
    svg: Option<PathBuf>,
    /// Draw the battle on one page, as SVG.
    #[arg(long, value_name = "FILE.svg", conflicts_with = "worked_out")]
    storyboard: Option<PathBuf>,
    /// Write a self-contained page that plays the battle; with --judge, also what each choice was worth.
    #[arg(long, value_name = "FILE.html", conflicts_with = "odds")]
    html: Option<PathBuf>,
    /// Colours of the drawings of --svg and --storyboard [default: light]. The page uses the reader's system theme.
    #[arg(long, value_name = "THEME")]
    theme: Option<Colours>,
    /// Print the battle as one JSON object: the position of every unit at each event, its text, clauses and dice.
    /// With --judge, print the judgement instead.
    #[arg(long, conflicts_with_all = ["odds", "svg", "storyboard", "html"])]
    json: bool,
}

/// The colours of a drawing.
#[derive(Clone, Copy, Debug, ValueEnum)]
enum Colours {
    /// Colours on white paper.
    Light,
    /// Greys on white paper.
    Grey,
    /// Colours on a dark screen.
    Dark,
}

impl From<Colours> for Theme {
    fn from(colours: Colours) -> Self {
        match colours {
            Colours::Light => Self::Light,
            Colours::Grey => Self::Grey,
            Colours::Dark => Self::Dark,
        }
    }
}

impl Args {
    /// Whether data or drawings are requested.
    fn draws(&self) -> bool {
        self.json || self.svg.is_some() || self.storyboard.is_some() || self.html.is_some()
    }
}

/// Runs the command.
pub(crate) fn replay(args: &Args, sources: &mut Sources) -> Result<Status, Failure> {
    let (study, battles) = if args.study.join("manifest.json").is_file() {
        of_results(args, sources)?
    } else {
        let seed = args.seed.map(Seed::draw).transpose()?;
        let changes = Changes { seed, set: overrides(&args.set, sources)?, ..Changes::default() };
        (load(&args.study, &changes, sources)?, 0..RUNS_MAX)
    };
    let Some(cell) = study.cells.get(args.cell as usize) else {
        return Err(Failure::no_cell(format!("there is no cell {}", args.cell), study.cells.len()));
    };
    if !battles.contains(&args.battle) {
        let help = match battles.end.checked_sub(1).filter(|_| !battles.is_empty()) {
            None => "no battles were fought there".to_owned(),
            Some(last) => format!("battles are numbered from {} to {last}", battles.start),
        };
        return Err(Failure::wrong(format!("there is no battle {}", args.battle), help));
    }
    if args.theme.is_some() && args.svg.is_none() && args.storyboard.is_none() {
        let help = "add --svg or --storyboard, or omit --theme: the --html page uses the reader's system theme";
        return Err(Failure::wrong("--theme colours a drawing, but no drawing is requested", help));
    }
    if args.judge {
        study.of_two_sides("`--judge`")?;
        return judged(args, &study, cell);
    }
    if args.draws() {
        return draw(args, &study, cell, None);
    }
    let told = if args.odds {
        narrate_with_odds(&study, cell, args.battle, args.max_time)
    } else {
        Ok(narrate(&study, cell, args.battle))
    };
    let lines = match told {
        Ok(lines) => lines,
        Err(error) => {
            // Narrating the battle alone takes almost no time.
            terminal::print(&narration(&study, cell, args.battle, &narrate(&study, cell, args.battle)))?;
            let message = format!("the odds cannot be computed: {error}");
            let help =
                "this works only for a few units: allow more with --max-time, omit --odds, or replay a smaller battle";
            return Err(Failure::beyond(message, help));
        }
    };
    terminal::print(&narration(&study, cell, args.battle, &lines))?;
    Ok(Status::Done)
}

/// Prints a battle with the value of its decisions under best play. If best play is too large to solve, uses exact odds
/// of the doctrines, and if those are too large as well, simulated battles.
fn judged(args: &Args, study: &Study, cell: &Cell) -> Result<Status, Failure> {
    let solved = judge(study, cell, args.battle, args.max_memory, &within(args.max_time));
    let fought = |too_much: TooMuch| {
        let battles = counted(args.fights);
        terminal::say(&format!("{too_much}; instead, {battles} battles are simulated for each option"));
        judge_by_fighting(study, cell, args.battle, args.fights, &|| true)
    };
    let Some(found) = solved.map_or_else(fought, Some) else { return Ok(Status::Unfinished) };
    if let Assumed::Doctrines { tried } = found.assumed {
        let why = if tried {
            "best play is too large to solve"
        } else {
            "best play has far too many situations, so it is not tried"
        };
        terminal::say(&format!("{why}; instead, each option gets its exact odds if both doctrines are then followed"));
    }
    if args.html.is_some() {
        return draw(args, study, cell, Some(&found));
    }
    if args.json {
        terminal::print_raw(&(format!("{:#}", found.json(study, cell, args.battle)) + "\n"))?;
    } else {
        terminal::print(&narration(study, cell, args.battle, &[found.lines, found.sum].concat()))?;
    }
    Ok(Status::Done)
}

/// Prints the battle as JSON, or draws it to files. A page shows what was judged.
fn draw(args: &Args, study: &Study, cell: &Cell, judgement: Option<&Judgement>) -> Result<Status, Failure> {
    if let Some(file) = &args.storyboard {
        expect_ending(file, "svg", "--storyboard")?;
    }
    if let Some(file) = &args.html {
        expect_ending(file, "html", "--html")?;
    }
    let Some(timeline) = record(study, cell, args.battle) else {
        return Err(Failure::unfinished("nothing happens in this battle"));
    };
    if args.json {
        let json = serde_json::to_string_pretty(&timeline);
        let json = json.map_err(|error| Failure::unfinished(format!("cannot write the battle as JSON: {error}")))?;
        terminal::print_raw(&(json + "\n"))?;
        return Ok(Status::Done);
    }
    let caption = caption(study, cell, args.battle);
    let theme = args.theme.map_or_else(Theme::default, Theme::from);
    if let Some(folder) = &args.svg {
        let frames = drawn::frames(&timeline, &caption, theme).map_err(ReportError::from)?;
        write_frames(folder, &frames)?;
        terminal::say(&format!("{} frames in {}", frames.len(), folder.display()));
    }
    if let Some(file) = &args.storyboard {
        let drawing = drawn::storyboard(&timeline, &caption, theme).map_err(ReportError::from)?;
        write_file(file, &drawing)?;
        terminal::say(&format!("storyboard in {}", file.display()));
    }
    if let Some(file) = &args.html {
        write_file(file, &drawn::page(&timeline, &caption, judgement).map_err(ReportError::from)?)?;
        terminal::say(&format!("page in {}", file.display()));
    }
    Ok(Status::Done)
}

/// Refuses a file of another kind, so that a file named by mistake is not overwritten.
fn expect_ending(file: &Path, ending: &str, flag: &str) -> Result<(), Failure> {
    if file.extension().is_some_and(|own| own.eq_ignore_ascii_case(ending)) {
        return Ok(());
    }
    let message = format!("{} does not end in .{ending}", file.display());
    Err(Failure::wrong(message, format!("{flag} writes a .{ending} file; name it accordingly")))
}

/// The description of the battle at the foot of a drawing.
fn caption(study: &Study, cell: &Cell, battle: u64) -> Caption {
    let text = narration(study, cell, battle, &[]);
    let mut lines = text.lines().map(str::to_owned);
    Caption { title: lines.next().unwrap_or_default(), source: lines.next().unwrap_or_default() }
}

/// The study of a results folder, and the number of battles fought in each of its cells.
fn of_results(args: &Args, sources: &mut Sources) -> Result<(Study, Range<u64>), Failure> {
    if args.seed.is_some() || !args.set.is_empty() {
        let message = "the seed and the values of a results folder are fixed";
        return Err(Failure::wrong(message, "omit --seed and --set, or name the study instead of the folder"));
    }
    let manifest = Manifest::read(&args.study)?;
    let study = Study::of_manifest(&manifest, sources)?;
    if study.identity != manifest.identity {
        let (theirs, own) = (&manifest.tool, env!("CARGO_PKG_VERSION"));
        let message = format!("{} was written by version {theirs}, but this is version {own}", args.study.display());
        return Err(Failure::wrong(
            message,
            "battles may differ between versions; replay it with the version that \
             fought it",
        ));
    }
    let progress = &manifest.progress;
    Ok((study, progress.first..progress.first.saturating_add(progress.battles)))
}

/// The battle as text, under a two-line header.
fn narration(study: &Study, cell: &Cell, battle: u64, lines: &[String]) -> String {
    let header = &cell.header;
    // The only cell of a study has the study's name.
    let name = cell_name(&study.manifest(Method::Sampled), header).filter(|name| *name != study.header.title);
    let name = name.map_or_else(String::new, |name| format!(": {name}"));
    let roles = if cell.bout(battle).swapped { ", roles exchanged" } else { "" };
    let mut text = format!(
        "{} ({}), cell {}{}\nbattle {}{roles}, seed {}, {} {}\n\n",
        tame(&study.header.title),
        study.header.name,
        header.cell,
        tame(&name).replace('\n', " "),
        counted(battle),
        study.seed,
        cell.rules.name,
        cell.rules.version
    );
    for line in lines {
        text.push_str(line);
        text.push('\n');
    }
    text
}
