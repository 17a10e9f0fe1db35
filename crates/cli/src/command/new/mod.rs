//! `grognard new`: a folder of rules to start your own from.

mod variant;

use std::path::{Path, PathBuf};

use grognard_lab::library::{BuiltIn, STUDIES, text_of};
use grognard_lab::study::study_schema;
use grognard_rules::library::{self, PACKS};
use grognard_rules::{pack_schema, part_schema};
use grognard_source::{Diagnostic, Sources};

use super::export::write_folder;
use crate::failure::{Failure, Status};
use crate::terminal;

const EXAMPLES: &str = "\
Examples:
  grognard new my-rules --from napoleonic-figures
  grognard new my-rules --from risk --study risk-dice
  grognard new my-rules --blank

Then, in that folder: grognard check . --watch, and grognard run .";

/// The ways to start, for a command line that does not choose one.
pub(crate) const STARTS: [&str; 2] = [
    "--blank starts from a small, complete set of rules",
    "--from PACK starts from a built-in pack, such as --from risk; `grognard packs` lists them",
];

const BLANK_PACK: &str = include_str!("blank/pack.toml");
const BLANK_STUDY: &str = include_str!("blank/study.toml");
const README: &str = include_str!("readme.md");

/// The schema line of a part, whose required keys may be in other files: here, in its base. It tells an editor which
/// keys exist.
const PART_SCHEMA: &str = "#:schema ./schema/part.schema.json\n";
/// The schema line of a study.
const STUDY_SCHEMA: &str = "#:schema ./schema/study.schema.json\n";

/// Create rules of your own: a folder with a pack, a study, and schemas for your editor.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES, group(clap::ArgGroup::new("start").required(true)))]
pub(crate) struct Args {
    /// The folder, new or empty. The pack is named after it.
    dir: PathBuf,
    /// Start from a built-in pack: the new pack states only what is different.
    #[arg(long, value_name = "PACK", group = "start", visible_alias = "like")]
    from: Option<String>,
    /// Start from a small, complete set of rules.
    #[arg(long, group = "start")]
    blank: bool,
    /// Start from this built-in study of the pack instead of its first.
    #[arg(long, value_name = "STUDY", requires = "from")]
    study: Option<String>,
}

/// The files of the new folder.
struct Files {
    pack: String,
    study: String,
    /// A sentence about the folder.
    about: String,
    /// The arguments for `compare` that show what a change is worth.
    change: String,
    /// The contents of `pack.toml`, and the files of the pack that begin like parts.
    rules: &'static str,
}

/// Runs the command.
pub(crate) fn new(args: &Args, sources: &mut Sources) -> Result<Status, Failure> {
    let name = name_of(&args.dir)?;
    let files = match &args.from {
        Some(base) => from(&name, base, args.study.as_deref(), sources)?,
        None => blank(&name),
    };
    let fills = [("{name}", &*name), ("{about}", &files.about), ("{change}", &files.change), ("{rules}", files.rules)];
    let readme = fills.into_iter().fold(README.to_owned(), |text, (key, value)| text.replace(key, value));
    let schemas = [("pack", pack_schema()), ("part", part_schema()), ("study", study_schema())];
    let schemas =
        schemas.map(|(kind, schema)| (format!("schema/{kind}.schema.json"), format!("{:#}\n", schema.as_value())));
    let written = [
        ("pack.toml".to_owned(), files.pack),
        ("study.toml".to_owned(), files.study),
        ("README.md".to_owned(), readme),
    ];
    let all: Vec<(String, String)> = written.into_iter().chain(schemas).collect();
    write_folder(&args.dir, all.iter().map(|(file, text)| (file.as_str(), text.as_str())))?;
    for file in ["pack.toml", "study.toml", "README.md"] {
        terminal::print(&format!("{}\n", args.dir.join(file).display()))?;
    }
    Ok(Status::Done)
}

/// The pack's name: the folder's in lower case, with dashes instead of anything other than letters and digits.
fn name_of(dir: &Path) -> Result<String, Failure> {
    let last = dir.file_name().map(|name| name.to_string_lossy().to_lowercase()).unwrap_or_default();
    let letters: String =
        last.chars().map(|letter| if letter.is_ascii_alphanumeric() { letter } else { '-' }).collect();
    let name = letters.split('-').filter(|part| !part.is_empty()).collect::<Vec<_>>().join("-");
    if name.starts_with(|letter: char| letter.is_ascii_alphabetic()) {
        return Ok(name);
    }
    let last = Path::new(dir.file_name().unwrap_or(dir.as_os_str())).display();
    let message = format!("the folder name {last} cannot be used as a pack name");
    Err(Failure::wrong(message, "a name begins with a letter from a to z: name a folder such as my-rules"))
}

fn blank(name: &str) -> Files {
    let filled = |text: &str| text.replace("{name}", name);
    Files {
        pack: filled(BLANK_PACK),
        study: filled(BLANK_STUDY),
        about: "A small, complete set of rules for Grognard, as a starting point for your own.".to_owned(),
        change: "--set PATH=VALUE".to_owned(),
        rules: "the rules; other TOML files next to it belong to the pack, and begin",
    }
}

fn from(name: &str, base: &str, study: Option<&str>, sources: &mut Sources) -> Result<Files, Failure> {
    if library::built_in(base).is_none() {
        let unknown = Diagnostic::unknown("pack", base, PACKS.iter().map(|pack| pack.name));
        return Err(Failure::Wrong(unknown.into()));
    }
    if name == base {
        let help = "name another folder: the variant needs its own name";
        return Err(Failure::wrong(format!("`{base}` is the name of the built-in pack"), help));
    }
    let study = match study {
        Some(study) => study_of(base, study, sources)?,
        None => first_study(base, sources),
    };
    let document = library::load(base, None, sources)?.document;
    Ok(Files {
        pack: variant::pack(name, base, &document),
        study: variant::study(name, base, study),
        about: format!(
            "A variant of the rule pack `{base}` for Grognard. Everything that `pack.toml` does not change is as in `{base}`."
        ),
        change: format!("--pack . --against {base}"),
        rules: "what differs; other TOML files next to it belong to the pack too, and all of them begin",
    })
}

/// The pack that a built-in study uses.
fn pack_of(study: &BuiltIn, sources: &mut Sources) -> String {
    text_of(study, "pack", sources)
}

/// The built-in study of that name, if it belongs to that pack.
fn study_of(base: &str, name: &str, sources: &mut Sources) -> Result<&'static BuiltIn, Failure> {
    let of_base: Vec<_> = STUDIES.iter().filter(|study| pack_of(study, sources) == base).collect();
    let unknown = || Diagnostic::unknown(&format!("study of {base}"), name, of_base.iter().map(|study| study.name));
    let found = of_base.iter().find(|study| study.name == name);
    found.copied().ok_or_else(|| Failure::Wrong(unknown().into()))
}

/// The study that introduces a pack best: a headline study, or else the first by name.
fn first_study(base: &str, sources: &mut Sources) -> &'static BuiltIn {
    let headline = |study: &&&BuiltIn| HEADLINES.contains(&study.name);
    let of_base: Vec<_> = STUDIES.iter().filter(|study| pack_of(study, sources) == base).collect();
    of_base.iter().find(headline).or(of_base.first()).copied().unwrap_or(&STUDIES[0])
}

/// The studies that introduce packs with many studies.
const HEADLINES: [&str; 7] =
    ["square-vs-line", "pip-square", "hex-flank", "risk-dice", "fleet-duel", "bag-pins", "ranked-trolls"];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn packs_are_named_after_folders() {
        let named = |folder: &str| name_of(Path::new(folder)).ok();
        assert_eq!(named("rules/My Rules, 2nd").as_deref(), Some("my-rules-2nd"));
        assert_eq!(named("my-rules/").as_deref(), Some("my-rules"));
        assert_eq!([named("/"), named(".."), named("2nd")], [None, None, None]);
    }

    #[test]
    fn every_pack_has_a_study_to_begin_with() {
        for pack in PACKS {
            let mut sources = Sources::new();
            let study = first_study(pack.name, &mut sources);
            assert_eq!(pack_of(study, &mut sources), pack.name);
        }
    }

    #[test]
    fn files_name_their_schemas() {
        assert!(
            BLANK_PACK.starts_with("#:schema ./schema/pack.schema.json\n") && BLANK_STUDY.starts_with(STUDY_SCHEMA)
        );
    }
}
