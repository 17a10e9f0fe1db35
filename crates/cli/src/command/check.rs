//! `grognard check`: reports everything that is wrong with packs and studies.

mod watch;

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use grognard_lab::library as studies;
use grognard_lab::study::{Changes, Study};
use grognard_rules::library;
use grognard_rules::model::Rules;
use grognard_source::{Diagnostic, Diagnostics, PlainDiagnostic, Sources};
use serde_json::{Value as Json, json};

use crate::failure::{Failure, Status};
use crate::study::{is_path, load};
use crate::terminal;
use crate::text::{plural, shortened};

const EXAMPLES: &str = "\
Examples:
  grognard check my-study.toml
  grognard check my-rules studies/
  grognard check risk square-vs-line
  grognard check my-rules --watch

A folder is a pack if it holds a pack.toml; otherwise every study and pack in
it is checked.";

/// Report every error in packs and studies.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    /// Files, folders, or names of built-in packs and studies.
    #[arg(required = true)]
    paths: Vec<PathBuf>,
    /// Print one JSON object instead of lines.
    #[arg(long)]
    json: bool,
    /// Check again whenever one of the files changes, until Ctrl-C.
    #[arg(long, conflicts_with = "json")]
    watch: bool,
}

/// An item to check.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Item {
    /// A built-in pack by name, or a pack's folder.
    Pack(PathBuf),
    /// A built-in study by name, or a study's file.
    Study(PathBuf),
    /// A study's file found in a folder, if only the folder was named.
    Found(PathBuf),
    /// A path that is neither.
    Neither(PathBuf),
}

impl Item {
    fn path(&self) -> &Path {
        let (Self::Pack(path) | Self::Study(path) | Self::Found(path) | Self::Neither(path)) = self;
        path
    }

    /// Whether both are the same item: a study is the same whether it was named or found.
    fn is(&self, other: &Self) -> bool {
        let is_study = |item: &Self| matches!(item, Self::Study(_) | Self::Found(_));
        self == other || (is_study(self) && is_study(other) && self.path() == other.path())
    }
}

/// The result for an item.
struct Finding {
    item: Item,
    /// A description of the item, or its errors.
    verdict: Result<String, Diagnostics>,
    /// Its warnings, about things that are valid but probably mistakes.
    warnings: Diagnostics,
}

/// Runs the command.
pub(crate) fn check(args: &Args, sources: &mut Sources) -> Result<Status, Failure> {
    if args.watch {
        let follow_links = sources.follow_links;
        return watch::watch(&args.paths, |sources| {
            sources.follow_links = follow_links;
            check_once(args, sources)
        });
    }
    check_once(args, sources)
}

fn check_once(args: &Args, sources: &mut Sources) -> Result<Status, Failure> {
    let mut findings: Vec<Finding> = Vec::new();
    for item in args.paths.iter().flat_map(|path| items(path)) {
        if !findings.iter().any(|finding| finding.item.is(&item)) {
            let (verdict, warnings) = verdict(&item, sources);
            findings.push(Finding { item, verdict, warnings });
        }
    }
    if args.json {
        let items: Vec<Json> = findings.iter().map(|finding| finding.to_json(sources)).collect();
        terminal::print_raw(&format!("{:#}\n", json!({ "ok": wrong(&findings) == 0, "items": items })))?;
    } else {
        let width = findings.iter().map(|finding| finding.name().len()).max().unwrap_or(0);
        let mut told = BTreeSet::new();
        let mut between = "";
        for finding in &findings {
            let new = finding.faults_not_in(&mut told, sources);
            terminal::print(&finding.to_line(width, new.len() - finding.warnings.len().min(new.len())))?;
            if !new.is_empty() {
                terminal::say_raw(between);
                terminal::say_raw(&new.render(sources, terminal::colour()));
                between = "\n";
            }
        }
    }
    Ok(if wrong(&findings) == 0 { Status::Done } else { Status::Wrong })
}

fn wrong(findings: &[Finding]) -> usize {
    findings.iter().filter(|finding| finding.verdict.is_err()).count()
}

/// The items at a path.
fn items(path: &Path) -> Vec<Item> {
    let word = path.to_string_lossy();
    let pack = library::built_in(&word).map(|_| Item::Pack(path.to_owned()));
    let study = studies::built_in(&word).map(|_| Item::Study(path.to_owned()));
    // A pack and the study that shows it may share a name.
    let built_in: Vec<Item> = pack.into_iter().chain(study).collect();
    if !built_in.is_empty() {
        return built_in;
    }
    if !path.is_dir() {
        return vec![if is_path(path) { of_file(path) } else { Item::Neither(path.to_owned()) }];
    }
    let own = of_folder(path);
    let found = if own.is_empty() { within(path) } else { own };
    if found.is_empty() { vec![Item::Neither(path.to_owned())] } else { found }
}

/// The pack or the study in a folder.
fn of_folder(folder: &Path) -> Vec<Item> {
    let mut items = Vec::new();
    if folder.join("pack.toml").is_file() {
        items.push(Item::Pack(folder.to_owned()));
    }
    if folder.join("study.toml").is_file() {
        items.push(Item::Found(folder.join("study.toml")));
    }
    items
}

/// The packs and studies in a folder, in order.
fn within(folder: &Path) -> Vec<Item> {
    let mut paths: Vec<PathBuf> =
        fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path()).collect();
    paths.sort();
    let mut items = Vec::new();
    for path in paths {
        if path.is_dir() {
            items.extend(of_folder(&path));
        } else if path.extension().is_some_and(|extension| extension == "toml") {
            items.push(match of_file(&path) {
                Item::Study(path) => Item::Found(path),
                pack => pack,
            });
        }
    }
    items
}

/// A file of a pack stands for the pack. Every other file is taken to be a study.
fn of_file(path: &Path) -> Item {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    if studies::is_of_pack(path) { Item::Pack(folder.to_owned()) } else { Item::Study(path.to_owned()) }
}

/// The description of an item or its errors, and its warnings.
fn verdict(item: &Item, sources: &mut Sources) -> (Result<String, Diagnostics>, Diagnostics) {
    if let Item::Pack(path) = item {
        let (verdict, warnings) = library::check(&path.to_string_lossy(), sources);
        return (verdict.map(|rules| of_rules(&rules)), warnings);
    }
    (verdict_without_pack(item, sources), Diagnostics::new())
}

fn verdict_without_pack(item: &Item, sources: &mut Sources) -> Result<String, Diagnostics> {
    match item {
        Item::Study(path) => Ok(of_study(&load(path, &Changes::default(), sources)?)),
        Item::Found(path) => Ok(of_study(&studies::load_found(path, &Changes::default(), sources)?)),
        Item::Neither(path) if path.is_dir() => {
            let fault = Diagnostic::new(format!("the folder {} holds neither a pack nor a study", path.display()));
            Err(fault.help("a pack's folder holds a pack.toml; a study is a TOML file").into())
        }
        Item::Neither(path) | Item::Pack(path) => {
            let here = beside(path);
            let names = here.iter().map(String::as_str).chain(library::PACKS.iter().map(|pack| pack.name));
            let names = names.chain(studies::STUDIES.iter().map(|study| study.name));
            let fault = Diagnostic::unknown("pack or study", &path.to_string_lossy(), names);
            let note = "`grognard packs` and `grognard studies` list what is built in; a path names a folder with a pack.toml, or a \
                        study's file";
            Err(fault.note(note, None).into())
        }
    }
}

/// Packs and TOML files in the folder that would contain this path.
fn beside(path: &Path) -> Vec<String> {
    let folder = path.parent().unwrap_or(Path::new(""));
    let entries = std::fs::read_dir(if folder.as_os_str().is_empty() { Path::new(".") } else { folder });
    let is_one = |path: &Path| path.join("pack.toml").is_file() || path.extension().is_some_and(|end| end == "toml");
    let found = entries.into_iter().flatten().flatten().filter(|entry| is_one(&entry.path()));
    let mut names: Vec<String> =
        found.map(|entry| folder.join(entry.file_name()).to_string_lossy().into_owned()).collect();
    names.sort();
    names
}

fn of_rules(rules: &Rules) -> String {
    format!(
        "pack {} {}: {}, {}, {}",
        shortened(&rules.name, 40),
        shortened(&rules.version, 20),
        plural(rules.kinds.len() as u64, "unit type"),
        plural(rules.rolls.len() as u64, "roll"),
        plural(rules.clauses.len() as u64, "clause")
    )
}

fn of_study(study: &Study) -> String {
    format!(
        "study {}: {} of {}, {}",
        study.header.name,
        plural(study.cells.len() as u64, "cell"),
        plural(study.runs, "battle"),
        shortened(&study.pack_line(), 120)
    )
}

impl Finding {
    fn name(&self) -> String {
        self.item.path().display().to_string()
    }

    /// Its errors that were not already reported for another item: the errors of a pack are also those of every study
    /// that uses it.
    fn faults_not_in(&self, told: &mut BTreeSet<String>, sources: &Sources) -> Diagnostics {
        let mut new = Diagnostics::new();
        let faults = self.verdict.as_ref().err().map(Diagnostics::sorted).unwrap_or_default();
        for fault in faults.into_iter().chain(self.warnings.sorted()) {
            if told.insert(fault.render(sources, false)) {
                new.push(fault.clone());
            }
        }
        new
    }

    /// Its line, given the number of its new errors.
    fn to_line(&self, width: usize, new: usize) -> String {
        let (word, what) = match &self.verdict {
            Ok(what) => ("ok   ", what.clone()),
            Err(faults) if new == 0 => ("wrong", format!("{}, as above", plural(faults.len() as u64, "error"))),
            Err(faults) => ("wrong", plural(faults.len() as u64, "error")),
        };
        format!("{word}  {:width$}  {what}\n", self.name())
    }

    fn to_json(&self, sources: &Sources) -> Json {
        let kind = match &self.item {
            Item::Pack(_) => "pack".into(),
            Item::Study(_) | Item::Found(_) => "study".into(),
            Item::Neither(_) => Json::Null,
        };
        let faults = self.verdict.as_ref().err().map(|faults| faults.to_plain(sources)).unwrap_or_default();
        let faults: Vec<Json> = faults.iter().map(of_fault).collect();
        let mut json = json!({ "path": self.name(), "kind": kind, "ok": self.verdict.is_ok(), "what": self.verdict.as_ref().ok(), "faults": faults });
        if !self.warnings.is_empty() {
            let warnings = self.warnings.to_plain(sources);
            json["warnings"] = warnings.iter().map(of_fault).collect();
        }
        json
    }
}

fn of_fault(fault: &PlainDiagnostic) -> Json {
    // A struct of plain fields is always a JSON object.
    serde_json::to_value(fault).unwrap_or_default()
}
