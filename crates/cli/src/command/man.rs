//! `grognard man`: manual pages.

use std::fs;
use std::path::PathBuf;

use clap::CommandFactory;

use crate::failure::{Failure, Status};
use crate::terminal;

const EXAMPLES: &str = "\
Examples:
  grognard man | man -l -
  grognard man --out ~/.local/share/man/man1";

/// Print the manual page, or write those of all subcommands.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    /// Write the pages of the command and all its subcommands to this folder.
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
}

/// Prints or writes manual pages of the command `C`.
pub(crate) fn man<C: CommandFactory>(args: &Args) -> Result<Status, Failure> {
    if let Some(folder) = &args.out {
        let write = fs::create_dir_all(folder).and_then(|()| clap_mangen::generate_to(C::command(), folder));
        write.map_err(|error| {
            Failure::unfinished(format!("cannot write the manual pages to {}: {error}", folder.display()))
        })?;
        return Ok(Status::Done);
    }
    let mut page = Vec::new();
    let rendered = clap_mangen::Man::new(C::command()).render(&mut page);
    rendered.map_err(|error| Failure::unfinished(format!("cannot write the manual page: {error}")))?;
    terminal::print_raw(&String::from_utf8_lossy(&page))?;
    Ok(Status::Done)
}
