//! `grognard report`: builds the report of a results folder again.

use std::path::PathBuf;

use crate::failure::{Failure, Status};
use crate::terminal;

const EXAMPLES: &str = "\
Examples:
  grognard report results/square-vs-line

The page is self-contained; report.md and every chart as SVG and PNG stand beside it.";

/// Build the report of a results folder again, and print where its page is.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    /// The results folder.
    results: PathBuf,
}

/// Builds a report.
pub(crate) fn report(args: &Args) -> Result<Status, Failure> {
    let files = grognard_report::build(&args.results)?;
    terminal::print(&format!("{}\n", files.page.display()))?;
    Ok(Status::Done)
}
