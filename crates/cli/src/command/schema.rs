//! `grognard schema`: the JSON Schema of packs and studies.

use clap::ValueEnum;
use grognard_lab::study::study_schema;
use grognard_rules::{pack_schema, part_schema};

use crate::failure::{Failure, Status};
use crate::terminal;

const EXAMPLES: &str = "\
Examples:
  grognard schema study > study.schema.json

With the line  #:schema ./study.schema.json  at the top of a study, editors with
TOML support (Taplo, Tombi) complete its keys and underline errors.";

/// Print the JSON Schema of packs, of their parts or of studies, for editors.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    /// The files that the schema describes.
    kind: Kind,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum Kind {
    /// A rule pack in a single file.
    Pack,
    /// One of several files of a rule pack, or a variant: no key is required.
    Part,
    /// A study.
    Study,
}

/// Runs the command.
pub(crate) fn schema(args: &Args) -> Result<Status, Failure> {
    let schema = match args.kind {
        Kind::Pack => pack_schema(),
        Kind::Part => part_schema(),
        Kind::Study => study_schema(),
    };
    terminal::print_raw(&format!("{:#}\n", schema.as_value()))?;
    Ok(Status::Done)
}
