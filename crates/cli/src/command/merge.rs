//! `grognard merge`: adds the results of shards.

use std::path::PathBuf;

use grognard_lab::results::{Results, merge as add};

use super::output::Output;
use crate::failure::{Failure, Status};
use crate::progress::Watch;

const EXAMPLES: &str = "\
Examples:
  grognard run square-vs-line --runs 1e8 --shard 1/2
  grognard run square-vs-line --runs 1e8 --shard 2/2
  grognard merge results/square-vs-line.shard-* --out results/square-vs-line

The sum is, to the byte of its summary, what one run of all the battles would have given.";

/// Add the results of shards: a table of the sum, and a folder with every number and a report.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    /// The results folders of the shards, in any order.
    #[arg(required = true)]
    results: Vec<PathBuf>,
    /// The results folder for the sum.
    #[arg(long, value_name = "DIR")]
    out: PathBuf,
    #[command(flatten)]
    output: Output,
}

/// Adds shards.
pub(crate) fn merge(args: &Args) -> Result<Status, Failure> {
    let shards = args.results.iter().map(Results::open).collect::<Result<Vec<_>, _>>()?;
    let folders = args.results.iter().map(|folder| folder.to_string_lossy().into_owned()).collect::<Vec<_>>();
    let command = format!("grognard merge {} --out {}", folders.join(" "), args.out.display());
    let watch = Watch::new(0, 0, args.output.quiet);
    let sum = add(&shards, &args.out, &command, &watch)?;
    watch.end();
    args.output.conclude(&sum)
}
