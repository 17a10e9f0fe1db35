//! Publishing from a page: a report on the study with the changes, and its charts as files.

use std::sync::atomic::{AtomicU64, Ordering};

use grognard_lab::in_memory::Run;
use grognard_lab::progress::{Progress, Stop};
use grognard_lab::questions::Altered;
use grognard_lab::results::Method;
use grognard_lab::shell::quoted;
use grognard_lab::study::{Changes, Study, Whereabouts, written_as};
use grognard_report::{Report, Size, Theme};
use grognard_rules::library as packs;
use grognard_source::Sources;

use crate::ask::Fault;
use crate::desk::Desk;
use crate::{Ask, Studio};

/// Maximum number of battles in each cell in a report.
pub const PUBLISHED_MAX: u64 = 1_000_000;

/// The name of the changed study in its report.
const NAME: &str = "changed";

/// A report and its charts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Published {
    /// The complete page.
    pub page: String,
    /// The charts, in order.
    pub charts: Vec<PublishedChart>,
    /// Battles in each cell.
    pub battles: u64,
}

/// A chart as files.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PublishedChart {
    /// The stem of its file names.
    pub name: String,
    /// What it shows.
    pub finding: String,
    /// As SVG.
    pub svg: String,
    /// As PNG, of 300 dots per inch.
    pub png: Vec<u8>,
}

/// Gives packs by their full paths, because the study is not in a folder.
struct Whole<'d>(&'d Desk);

impl Whereabouts for Whole<'_> {
    fn of(&self, pack: &str, _within: bool) -> String {
        let folder = self.0.folder_of(pack).map(|folder| folder.canonicalize().unwrap_or(folder));
        folder.map_or_else(|| pack.to_owned(), |folder| folder.to_string_lossy().into_owned())
    }
}

/// Reports the number of battles fought, and stops when the client has disconnected.
struct Counting<'a> {
    fought: AtomicU64,
    stop: &'a Stop,
    tell: &'a (dyn Fn(u64) -> bool + Sync),
}

impl Progress for Counting<'_> {
    fn advance(&self, battles: u64) {
        let fought = self.fought.fetch_add(battles, Ordering::Relaxed) + battles;
        if !(self.tell)(fought) {
            self.stop.raise();
        }
    }
}

impl Studio<'_> {
    /// A report on this many battles in each cell with the changes. `tell` is called with the number of battles of all
    /// cells as they are fought, and returns false to stop. The report then covers the battles fought so far.
    ///
    /// # Errors
    /// The changes are wrong or cannot be written to a file, too many battles are requested, or no battle was fought.
    pub fn publish(
        &self,
        desk: &Desk,
        ask: &Ask,
        battles: u64,
        tell: &(dyn Fn(u64) -> bool + Sync),
    ) -> Result<Published, Fault> {
        if !(1..=PUBLISHED_MAX).contains(&battles) {
            let help = format!("ask for 1 to {PUBLISHED_MAX} battles of each cell");
            return Err(Fault::with_help(format!("a report cannot cover {battles} battles"), help));
        }
        let altered = self.altered(ask)?;
        let mut study = self.whole(desk, &altered)?;
        study.runs = study.whole_rounds(battles);
        study.report.highlights.extend(changed(&altered));
        let stop = Stop::new();
        let counting = Counting { fought: AtomicU64::new(0), stop: &stop, tell };
        let run = Run { level: self.level, command: self.command(&altered, study.runs), ..Run::default() };
        let failed = |error: &dyn std::fmt::Display| Fault::new(error.to_string());
        let fetched = run.fight(&study, &counting, &stop).map_err(|error| failed(&error))?;
        let fought = fetched.results.manifest.progress.battles;
        if fought == 0 {
            return Err(Fault::new("no battle was fought"));
        }
        // There is no folder from which battles could be replayed.
        let report = Report { replay: None, ..Report::on(&fetched.results) };
        let page = report.page().map_err(|error| failed(&error))?;
        let mut charts = Vec::new();
        for chart in report.all_charts() {
            let (size, theme) = (Size::default(), Theme::default());
            charts.push(PublishedChart {
                name: chart.name().to_owned(),
                finding: chart.finding().to_owned(),
                svg: chart.svg(size, theme).map_err(|error| failed(&error))?,
                png: chart.png(size, theme).map_err(|error| failed(&error))?,
            });
        }
        Ok(Published { page, charts, battles: fought })
    }

    /// The study with the changes, as if it had been loaded with them.
    fn whole(&self, desk: &Desk, altered: &Altered<'_>) -> Result<Study, Fault> {
        let mut sources = desk.sources();
        if altered.changes.is_empty() && altered.off.is_empty() {
            let manifest = self.trial.study().manifest(Method::Sampled);
            return Ok(Study::of_manifest(&manifest, &mut sources)?);
        }
        let mut files = self.trial.saved(altered, NAME, &Whole(desk))?.into_iter();
        let (_, text) = files.next().unwrap_or_default();
        let mut changes = Changes::default();
        for (name, text) in files {
            changes.packs.push(at_hand(&name, text, &mut sources)?);
        }
        let file = sources.add("study.toml", text);
        Ok(Study::read(file, None, &changes, &mut sources)?)
    }

    /// The command that fights the same battles.
    fn command(&self, altered: &Altered<'_>, runs: u64) -> String {
        let words = &self.words;
        let set: Vec<String> = altered.changes.iter().map(|&change| self.trial.variants().setting(change)).collect();
        if !altered.off.is_empty() || set.iter().any(String::is_empty) {
            return format!("grognard studio {words}, with the changes above saved as a variant");
        }
        let set: String = set.iter().map(|set| format!(" --set {}", quoted(set))).collect();
        format!("grognard run {words} --runs {runs}{set}")
    }
}

/// A pack in memory, under the name that the study uses for it: the folder that it would be in.
fn at_hand(file: &str, text: String, sources: &mut Sources) -> Result<packs::Pack, Fault> {
    let mut pack = packs::from_files([("pack.toml".to_owned(), text)], sources)?;
    let folder = file.rsplit_once('/').map_or(".", |(folder, _)| folder);
    folder.clone_into(&mut pack.name);
    Ok(pack)
}

/// The changes in words, one text for each.
fn changed(altered: &Altered<'_>) -> Vec<String> {
    let numbers = altered.changes.iter().map(|change| {
        format!(
            "Changed: {} from {} to {}.",
            change.number.name(),
            written_as(change.number.value),
            written_as(change.value)
        )
    });
    let rules = altered.off.iter().map(|switch| format!("Off: {}.", switch.name()));
    numbers.chain(rules).collect()
}
