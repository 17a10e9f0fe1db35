//! `grognard studies`: the built-in studies.

use std::fmt::Write as _;
use std::path::PathBuf;

use clap::Subcommand;
use grognard_lab::library::{self, BuiltIn, STUDIES};
use grognard_source::{Diagnostic, Sources};

use super::export::write_new;
use crate::failure::{Failure, Status};
use crate::terminal;

const EXAMPLES: &str = "\
Examples:
  grognard studies
  grognard studies show square-vs-line
  grognard studies export square-vs-line .";

/// List, show or export the built-in studies.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    #[command(subcommand)]
    what: Option<What>,
}

#[derive(Clone, Debug, Subcommand)]
enum What {
    /// List the studies. This is the default.
    List,
    /// Print a study's file.
    Show {
        /// The study's name.
        name: String,
    },
    /// Copy a study's file to a folder.
    Export {
        /// The study's name.
        name: String,
        /// The folder.
        dir: PathBuf,
    },
}

/// Runs the command.
pub(crate) fn studies(args: &Args, sources: &mut Sources) -> Result<Status, Failure> {
    match args.what.as_ref().unwrap_or(&What::List) {
        What::List => terminal::print(&list(sources))?,
        What::Show { name } => terminal::print_raw(named(name)?.text)?,
        What::Export { name, dir } => {
            let study = named(name)?;
            let path = dir.join(format!("{}.toml", study.name));
            write_new(&path, study.text)?;
            terminal::print(&format!("{}\n", path.display()))?;
        }
    }
    Ok(Status::Done)
}

fn named(name: &str) -> Result<&'static BuiltIn, Failure> {
    let unknown = || Diagnostic::unknown("study", name, STUDIES.iter().map(|study| study.name));
    library::built_in(name).ok_or_else(|| Failure::Wrong(unknown().into()))
}

fn list(sources: &mut Sources) -> String {
    let pack_width = STUDIES.iter().map(|study| library::text_of(study, "pack", sources).len()).max().unwrap_or(0);
    let width = STUDIES.iter().map(|study| study.name.len()).max().unwrap_or(0);
    let mut text = String::new();
    for study in STUDIES {
        let (title, pack) = (library::text_of(study, "title", sources), library::text_of(study, "pack", sources));
        let pack = if pack.is_empty() { "several packs" } else { pack.as_str() };
        // Writing to a String does not fail.
        let _ = writeln!(text, "{:width$}  {pack:pack_width$}  {title}", study.name);
    }
    text
}
