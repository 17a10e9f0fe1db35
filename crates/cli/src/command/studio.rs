//! `grognard studio`: a browser page that answers as you move a number.

use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use grognard_lab::questions::TRIAL_MAX;
use grognard_lab::shell::quoted;
use grognard_lab::study::Study;
use grognard_source::Sources;
use grognard_studio::{Desk, Door, End, Fault, OpenError, Package, Studio, export, serve};
use rand::TryRng;
use rand::rngs::SysRng;

use super::asking::Battles;
use super::export::write_new;
use crate::failure::{Failure, Status};
use crate::interrupt::stop_on_ctrl_c;
use crate::parse;
use crate::study::load;
use crate::terminal;

const EXAMPLES: &str = "\
Examples:
  grognard studio square-vs-line
  grognard studio my-study.toml --port 8080
  grognard studio pip-square --set distance=10
  grognard studio square-vs-line --export page.html

Open the printed address in a browser. Every number and every rule that the study brings
into play has a control; the table shows what your changes do, from the same battles with
the same dice. Only what you save there is written to disk. Ctrl-C ends it.
With --export the page is one file that contains the engine and opens from disk; it needs
the module that recipes/module/build builds.";

/// The module's default file name, next to the command.
const MODULE: &str = "grognard.wasm";

/// Open a browser page that shows how the odds change as you change the rules.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    /// A study, as for `grognard run`.
    study: PathBuf,
    /// Serve the page on this port [default: any free one].
    #[arg(long, value_name = "PORT", default_value_t = 0, hide_default_value = true)]
    port: u16,
    /// Maximum number of battles per cell for one answer, up to 65,536.
    #[arg(long, value_name = "N", value_parser = parse::runs, default_value_t = TRIAL_MAX)]
    runs: u64,
    #[command(flatten)]
    battles: Battles,
    /// Write the page to one file that contains the engine and opens from disk, instead of serving it.
    #[arg(long, value_name = "FILE", conflicts_with = "port")]
    export: Option<PathBuf>,
    /// The engine as a WebAssembly module, built by `recipes/module/build` [default: grognard.wasm next to this command].
    #[arg(long, value_name = "FILE", requires = "export")]
    module: Option<PathBuf>,
    /// Print only the address.
    #[arg(long, short)]
    quiet: bool,
}

/// Serves the page until Ctrl-C.
pub(crate) fn studio(args: &Args, sources: &mut Sources) -> Result<Status, Failure> {
    if args.runs > TRIAL_MAX {
        let message = format!("{} battles of a cell are too many to hold in memory", args.runs);
        return Err(Failure::wrong(message, format!("use --runs {TRIAL_MAX} or fewer")));
    }
    let changes = args.battles.changes(sources)?;
    let mut study = load(&args.study, &changes, sources)?;
    study.of_two_sides("the studio")?;
    let mut words = vec![quoted(&args.study.to_string_lossy())];
    words.extend(args.battles.words(changes.seed));
    if let Some(page) = &args.export {
        return written(args, page, &study, &words.join(" "), sources);
    }
    let unavailable = |error: String| Failure::beyond(error, "use another port with --port, or omit it");
    let door = Door::open(args.port, token()?).map_err(|error| unavailable(error.to_string()))?;
    let stop = stop_on_ctrl_c(|_| {});
    let mut told = false;
    loop {
        let follow_links = sources.follow_links;
        let studio = opened(args, &study, &words.join(" "), sources)?;
        let desk = Desk::open(&args.study, &studio.packs(), follow_links)?;
        if !told {
            terminal::print_raw(&format!("{}\n", door.url()))?;
            if !args.quiet {
                terminal::say("open this address in a browser; press Ctrl-C to stop the studio");
            }
            told = true;
        }
        let end = serve(&studio, &desk, &door, &stop).map_err(|error| Failure::unfinished(error.to_string()))?;
        if end == End::Stopped {
            return Ok(Status::Done);
        }
        // If the files have changed and are now wrong, the page says so, and the old version of the study is served
        // again.
        let mut afresh = Sources::new();
        afresh.follow_links = follow_links;
        if let Some(read) = load(&args.study, &changes, &mut afresh).ok().filter(|read| read.of_two_sides("").is_ok()) {
            study = read;
        }
    }
}

fn opened<'s>(args: &Args, study: &Study, words: &str, sources: &'s mut Sources) -> Result<Studio<'s>, Failure> {
    let (threads, level) = (args.battles.threads(), args.battles.level);
    Studio::open(study, sources, threads, level, args.runs, words).map_err(|error| match error {
        OpenError::Unprepared(faults) => Failure::Wrong(faults),
        other => Failure::unfinished(other.to_string()),
    })
}

/// Writes the page as one file.
fn written(args: &Args, page: &Path, study: &Study, words: &str, sources: &mut Sources) -> Result<Status, Failure> {
    let help = "build it with recipes/module/build, and name it with --module";
    let beside = || Some(std::env::current_exe().ok()?.with_file_name(MODULE));
    let Some(path) = args.module.clone().or_else(beside) else {
        return Err(Failure::beyond("this command cannot find its own folder", help));
    };
    let module = std::fs::read(&path).map_err(|error| {
        let message = match (error.kind(), &args.module) {
            (ErrorKind::NotFound, None) => format!("the engine for pages is not built: there is no {}", path.display()),
            _ => format!("the module {} cannot be read: {error}", path.display()),
        };
        Failure::beyond(message, help)
    })?;
    let studio = opened(args, study, words, sources)?;
    let wrong = |fault: Fault| Failure::unfinished(fault.to_string());
    let package = Package::of(&studio, study, words).map_err(wrong)?;
    let text =
        export(&package, &module).map_err(|error| Failure::wrong(format!("{}: {error}", path.display()), help))?;
    write_new(page, &text)?;
    terminal::print(&format!("{}\n", page.display()))?;
    Ok(Status::Done)
}

/// A number that cannot be guessed.
fn token() -> Result<u128, Failure> {
    let refused = |error| Failure::unfinished(format!("the system provides no random numbers: {error}"));
    let half = || SysRng.try_next_u64().map(u128::from).map_err(refused);
    Ok(half()? << 64 | half()?)
}
