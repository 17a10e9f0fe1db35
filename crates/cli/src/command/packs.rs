//! `grognard packs`: the built-in rule packs.

use std::fmt::Write as _;
use std::path::PathBuf;

use clap::Subcommand;
use grognard_rules::library::{self, BuiltIn, PACKS};
use grognard_source::{Diagnostic, Node, Sources};

use super::export::write_folder;
use crate::failure::{Failure, Status};
use crate::terminal;

const EXAMPLES: &str = "\
Examples:
  grognard packs
  grognard packs show risk
  grognard packs export napoleonic-figures my-rules

A study names an exported pack by its folder: pack = \"my-rules\". For a few changes,
a pack.toml with extends = \"napoleonic-figures\" is better.";

/// List, show or export the built-in rule packs.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    #[command(subcommand)]
    what: Option<What>,
}

#[derive(Clone, Debug, Subcommand)]
enum What {
    /// List the packs. This is the default.
    List,
    /// Print a pack's files.
    Show {
        /// The pack's name.
        name: String,
    },
    /// Copy a pack's files to a folder, which must be new or empty.
    Export {
        /// The pack's name.
        name: String,
        /// The folder.
        dir: PathBuf,
    },
}

/// Runs the command.
pub(crate) fn packs(args: &Args, sources: &mut Sources) -> Result<Status, Failure> {
    match args.what.as_ref().unwrap_or(&What::List) {
        What::List => terminal::print(&list(sources)?)?,
        What::Show { name } => terminal::print_raw(&show(named(name)?))?,
        What::Export { name, dir } => {
            let pack = named(name)?;
            write_folder(dir, pack.files.iter().chain(pack.extras).copied())?;
            terminal::print(&format!("{}\n", dir.join("pack.toml").display()))?;
        }
    }
    Ok(Status::Done)
}

fn named(name: &str) -> Result<&'static BuiltIn, Failure> {
    let unknown = || Diagnostic::unknown("pack", name, PACKS.iter().map(|pack| pack.name));
    library::built_in(name).ok_or_else(|| Failure::Wrong(unknown().into()))
}

fn list(sources: &mut Sources) -> Result<String, Failure> {
    let width = PACKS.iter().map(|pack| pack.name.len()).max().unwrap_or(0);
    let mut text = String::new();
    for pack in PACKS {
        let document = library::load(pack.name, None, sources)?.document;
        let says = |key: &str| document.root.get(key).and_then(Node::as_text).unwrap_or_default();
        // Writing to a String does not fail.
        let _ = writeln!(text, "{:width$}  {:7}  {}", pack.name, says("version"), says("title"));
        let _ = writeln!(text, "{:width$}  {:7}  {}", "", "", says("about"));
    }
    Ok(text)
}

fn show(pack: &BuiltIn) -> String {
    let mut text = String::new();
    for (file, content) in pack.files {
        let between = if text.is_empty() { "" } else { "\n" };
        let _ = write!(text, "{between}#### {}/{file}\n\n{content}", pack.name);
    }
    text
}
