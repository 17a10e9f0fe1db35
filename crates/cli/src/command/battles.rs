//! `grognard battles`: the battles of a results folder, one per line.

use std::path::PathBuf;

use grognard_lab::results::Results;

use crate::failure::{Failure, Status};
use crate::terminal;

const EXAMPLES: &str = "\
Examples:
  grognard battles results/square-vs-line > battles.csv
  grognard battles results/square-vs-line --cell 18 > square.csv

The columns are those of the files: cell, battle, winner (a side or draw), turns, and for
each side its losses, routed and shaken units, the turn of its first rout (empty: none),
and its luck if the run counted it. `grognard replay` narrates any of these battles.
`grognard run --format csv` prints the cells instead.";

/// The number of lines printed at a time.
const LINES: usize = 4_096;

/// Print the battles that a results folder keeps, as CSV.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    /// A results folder.
    results: PathBuf,
    /// Print only the battles of these cells, such as 18 or 0,18. May be repeated.
    #[arg(long, value_name = "N", value_delimiter = ',')]
    cell: Vec<u32>,
}

/// Runs the command.
pub(crate) fn battles(args: &Args) -> Result<Status, Failure> {
    let results = Results::open(&args.results)?;
    let cells = results.manifest.cells.len();
    if let Some(cell) = args.cell.iter().find(|&&cell| cell as usize >= cells) {
        let help = format!("cells are numbered from 0 to {}", cells.saturating_sub(1));
        return Err(Failure::wrong(format!("there is no cell {cell}"), help));
    }
    if results.manifest.files.parts.is_empty() {
        let help = "run the study again with --keep N, or without --keep none";
        return Err(Failure::wrong(format!("{} keeps no battles", args.results.display()), help));
    }
    let wanted: Vec<String> = args.cell.iter().map(u32::to_string).collect();
    let mut lines = vec![line(&results.battle_columns())?];
    let mut failed = None;
    results.each_battle(|fields| {
        if !wanted.is_empty() && !wanted.contains(&fields[0]) {
            return true;
        }
        let added = line(fields).map(|line| lines.push(line));
        let flushed = added.and_then(|()| if lines.len() < LINES { Ok(()) } else { flush(&mut lines) });
        failed = flushed.err();
        failed.is_none()
    })?;
    match failed {
        Some(failure) => Err(failure),
        None => flush(&mut lines).map(|()| Status::Done),
    }
}

/// Prints and clears the lines.
fn flush(lines: &mut Vec<String>) -> Result<(), Failure> {
    terminal::print_raw(&lines.concat())?;
    lines.clear();
    Ok(())
}

/// A line of CSV.
fn line(fields: &[String]) -> Result<String, Failure> {
    let failed = |error: String| Failure::unfinished(format!("cannot write a battle as CSV: {error}"));
    let mut writer = csv::Writer::from_writer(Vec::new());
    writer.write_record(fields).map_err(|error| failed(error.to_string()))?;
    let bytes = writer.into_inner().map_err(|error| failed(error.to_string()))?;
    String::from_utf8(bytes).map_err(|error| failed(error.to_string()))
}
