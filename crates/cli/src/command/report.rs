//! `grognard report`: rebuilds the report of a results folder.

use std::path::PathBuf;

use grognard_lab::for_report::complete;
use grognard_lab::results::Results;
use grognard_report::Variants;

use crate::failure::{Failure, Status};
use crate::interrupt::stop_on_ctrl_c;
use crate::progress::Watch;
use crate::terminal;

const EXAMPLES: &str = "\
Examples:
  grognard report results/square-vs-line
  grognard report results/square-vs-line --short
  grognard report results/square-vs-line --variants

If the run examined no battles for a report (--no-report), its first battles are now fought again
and examined.

The page is self-contained; report.pdf, report.md and every chart as SVG and PNG are next to it.";

/// Rebuild the report of a results folder, and print the path of its page.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    /// A results folder.
    results: PathBuf,
    /// Write every chart in every width (page, column) and theme (light, grey, dark), each in its own folder.
    #[arg(long)]
    variants: bool,
    /// Write only the first page: the answer, one chart, and the cells in question.
    #[arg(long, conflicts_with = "variants")]
    short: bool,
}

/// Runs the command.
pub(crate) fn report(args: &Args) -> Result<Status, Failure> {
    let variants = match (args.variants, args.short) {
        (true, _) => Variants::All,
        (_, true) => Variants::Short,
        _ => Variants::One,
    };
    Results::open(&args.results)?.check_digest()?;
    let stop = stop_on_ctrl_c(terminal::say);
    complete(&args.results, &Watch::new(0, 0, true), &stop)?;
    if stop.is_raised() {
        return Err(Failure::unfinished("stopped before the report was built"));
    }
    // Nothing after this needs a graceful stop, so Ctrl-C may now end the command at once.
    stop.raise();
    let files = grognard_report::build(&args.results, variants)?;
    terminal::print(&format!("{}\n", files.page.display()))?;
    Ok(Status::Done)
}
