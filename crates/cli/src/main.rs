//! `grognard`: simulates battles by the thousand to show what a wargame's rules do.
//!
//! Only results go to standard output; progress and messages go to standard error. The exit status is 0 if the work is
//! done, 1 if it could not be finished, and 2 if the input is wrong.

mod answer;
mod command;
mod failure;
mod format;
mod interrupt;
mod parse;
mod progress;
mod solving;
mod study;
mod table;
mod terminal;
mod text;
mod version;

use std::process::ExitCode;

use clap::builder::{StyledStr, UnknownArgumentValueParser};
use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{Arg, CommandFactory, FromArgMatches, Parser};
use grognard_source::Sources;

use command::Command;

/// Test what a wargame's rules do, with thousands of simulated battles.
///
/// A rule pack is a folder of TOML files. A study names a pack, two sides, and what to vary. `grognard packs` and
/// `grognard studies` list the built-in ones.
#[derive(Debug, Parser)]
#[command(name = "grognard", version = version::VERSION, max_term_width = 100, arg_required_else_help = true, after_help = EXAMPLES)]
struct Grognard {
    #[command(subcommand)]
    command: Command,
    /// Follow links that lead out of the folder of a pack or a study.
    #[arg(long, global = true)]
    follow_links: bool,
}

const EXAMPLES: &str = "\
Examples:
  grognard run square-vs-line                 Run a built-in study
  grognard run my-study.toml --runs 1e6       Run one of your own
  grognard exact square-vs-line --cell 18     Compute exact odds instead
  grognard replay square-vs-line --battle 17  Narrate a battle
  grognard sensitivity square-vs-line         Find the numbers that matter
  grognard find refduel --number unit.plain.figures --where even
                                              Find the value that makes it even
  grognard new my-rules --blank               Create rules of your own
  grognard check my-rules my-study.toml       Find errors in them

Exit status: 0 if done, 1 if the command could not finish, 2 if the input is wrong; for
judge and tune also 3 if a target is missed; for judge, tune and find 4 if undecided.";

/// The command with flags that accept `-5` as a value instead of a flag, so that wrong values get a good message.
fn accepting_negative_numbers(command: clap::Command) -> clap::Command {
    command.mut_subcommands(|subcommand| {
        subcommand.mut_args(|arg| {
            let takes = arg.get_action().takes_values() && !arg.is_positional();
            if takes { arg.allow_negative_numbers(true) } else { arg }
        })
    })
}

/// The command with an error for `--cell` in the subcommands that always fight all cells of a study; the error says how
/// to fight fewer.
fn refusing_cells(command: clap::Command) -> clap::Command {
    let tip = "to fight fewer cells, pin what the study varies: --set PATH=VALUE";
    ["run", "plan", "compare"].into_iter().fold(command, |command, name| {
        command.mut_subcommand(name, |subcommand| {
            let cell = Arg::new("no-cell").long("cell").alias("cells").value_name("N").hide(true);
            subcommand.arg(cell.value_parser(UnknownArgumentValueParser::suggest(tip)))
        })
    })
}

/// A command-line error without misleading advice, and with the advice that was missing.
fn plainer(mut error: clap::Error) -> clap::Error {
    let names = |error: &clap::Error, begin: &str| match error.get(ContextKind::InvalidArg) {
        Some(ContextValue::String(arg)) => arg.starts_with(begin),
        Some(ContextValue::Strings(args)) => args.iter().any(|arg| arg.contains(begin)),
        _ => false,
    };
    // No argument begins with two dashes, so this is a flag that the command does not have.
    if error.kind() == ErrorKind::UnknownArgument
        && names(&error, "--")
        && let Some(ContextValue::StyledStrs(mut tips)) = error.remove(ContextKind::Suggested)
    {
        tips.retain(|tip| !tip.to_string().starts_with("to pass"));
        if !tips.is_empty() {
            error.insert(ContextKind::Suggested, ContextValue::StyledStrs(tips));
        }
    }
    if error.kind() == ErrorKind::MissingRequiredArgument && names(&error, "--blank") {
        let tips = command::new::STARTS.map(StyledStr::from).to_vec();
        error.insert(ContextKind::Suggested, ContextValue::StyledStrs(tips));
    }
    error
}

fn main() -> ExitCode {
    interrupt::survive_file_limits();
    let matches = refusing_cells(accepting_negative_numbers(Grognard::command())).try_get_matches();
    let grognard = match matches.and_then(|matches| Grognard::from_arg_matches(&matches)) {
        Ok(grognard) => grognard,
        Err(error) if error.kind() == ErrorKind::DisplayVersion => {
            return match terminal::print(&version::all()) {
                Ok(()) => ExitCode::SUCCESS,
                Err(failure) => failure.tell(&Sources::new()).into(),
            };
        }
        Err(error) => plainer(error).exit(),
    };
    let mut sources = Sources::new();
    sources.follow_links = grognard.follow_links;
    let end = match &grognard.command {
        Command::Run(args) => command::run::run(args, &mut sources),
        Command::Plan(args) => command::plan::plan(args, &mut sources),
        Command::Exact(args) => command::exact::exact(args, &mut sources),
        Command::Best(args) => command::best::best(args, &mut sources),
        Command::Battles(args) => command::battles::battles(args),
        Command::Studio(args) => command::studio::studio(args, &mut sources),
        Command::Replay(args) => command::replay::replay(args, &mut sources),
        Command::Compare(args) => command::compare::compare(args, &mut sources),
        Command::Coverage(args) => command::coverage::coverage(args, &mut sources),
        Command::Sensitivity(args) => command::sensitivity::sensitivity(args, &mut sources),
        Command::Find(args) => command::find::find(args, &mut sources),
        Command::Ablate(args) => command::ablate::ablate(args, &mut sources),
        Command::Judge(args) => command::judge::judge(args, &mut sources),
        Command::Train(args) => command::train::train(args, &mut sources),
        Command::Tune(args) => command::tune::tune(args, &mut sources),
        Command::Matchups(args) => command::matchups::matchups(args, &mut sources),
        Command::Points(args) => command::points::points(args, &mut sources),
        Command::Roll(args) => command::roll::roll(args, &mut sources),
        Command::Report(args) => command::report::report(args),
        Command::Merge(args) => command::merge::merge(args),
        Command::New(args) => command::new::new(args, &mut sources),
        Command::Check(args) => command::check::check(args, &mut sources),
        Command::Packs(args) => command::packs::packs(args, &mut sources),
        Command::Studies(args) => command::studies::studies(args, &mut sources),
        Command::Schema(args) => command::schema::schema(args),
        Command::Completions(args) => command::completions::completions::<Grognard>(args),
        Command::Man(args) => command::man::man::<Grognard>(args),
    };
    match end {
        Ok(status) => status.into(),
        Err(failure) => failure.tell(&sources).into(),
    }
}
