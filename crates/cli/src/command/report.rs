//! `grognard report`: builds the report of a results folder again.

use std::path::PathBuf;

use grognard_report::Variants;

use crate::failure::{Failure, Status};
use crate::terminal;

const EXAMPLES: &str = "\
Examples:
  grognard report results/square-vs-line
  grognard report results/square-vs-line --variants

The page is self-contained; report.pdf, report.md and every chart as SVG and PNG stand beside it.";

/// Build the report of a results folder again, and print where its page is.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    /// The results folder.
    results: PathBuf,
    /// Write every chart in every width (page, column) and theme (light, grey, dark), a folder for each.
    #[arg(long)]
    variants: bool,
}

/// Builds a report.
pub(crate) fn report(args: &Args) -> Result<Status, Failure> {
    let variants = if args.variants { Variants::All } else { Variants::One };
    let files = grognard_report::build(&args.results, variants)?;
    terminal::print(&format!("{}\n", files.page.display()))?;
    Ok(Status::Done)
}
