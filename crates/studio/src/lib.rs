//! The studio: a page in the browser whose controls are the numbers and rules of a study. The answer follows as you
//! move them.
//!
//! [`Studio`] lists the controls ([`Sheet`]) and answers [`Ask`]s; [`Desk`] reads, checks and saves the
//! files; [`serve`] puts both behind a server that only this machine can reach. The page itself, without a build step,
//! is in `src/page`.
//!
//! ```
//! use std::path::Path;
//!
//! use grognard_lab::{library, study::Changes};
//! use grognard_source::Sources;
//! use grognard_studio::{Ask, Studio};
//!
//! let mut sources = Sources::new();
//! let study = library::load(Path::new("refduel"), &Changes::default(), &mut sources).expect("a built-in study");
//! let studio = Studio::open(&study, &mut sources, 1, Default::default(), 64, "refduel").expect("numbers to change");
//! let ask = Ask::read(br#"{ "changes": { "unit.plain.figures": 18000 } }"#).expect("a question");
//! let mut lines = Vec::new();
//! studio.answer(&ask, &|| true, &|| false, &mut |line| lines.push(line)).expect("a number of the sheet");
//! assert!(lines[0].contains("\"battles\":"));
//! ```

mod ask;
#[cfg(feature = "server")]
mod desk;
#[cfg(feature = "server")]
mod export;
mod package;
#[cfg(feature = "server")]
mod publish;
#[cfg(feature = "server")]
mod server;
mod sheet;
#[cfg(feature = "server")]
mod task;
#[cfg(feature = "server")]
mod variant;
#[cfg(feature = "server")]
mod written;

use std::collections::BTreeMap;

use grognard_lab::exact::{judge, judge_by_fighting};
use grognard_lab::memoised_cells::MemoisedCells;
use grognard_lab::progress::{Silent, Stop};
use grognard_lab::questions::{Altered, Course, Trial, TrialError};
use grognard_lab::replay::record;
use grognard_lab::runner::Fighter;
use grognard_lab::sensitivity::{AskError, Inquiry, Named, Quantity};
use grognard_lab::study::{Cell, Study};
use grognard_lab::watched::{Oddity, noteworthy};
use grognard_report::drawn::{Caption, page};
use grognard_source::{Diagnostics, Sources};
use grognard_stats::Level;

pub use ask::{Ask, Fault};
#[cfg(feature = "server")]
pub use desk::{Desk, Listed, Opened, Said, Unsaved};
#[cfg(feature = "server")]
pub use export::{ExportError, PAGE_MAX, export};
pub use package::Package;
#[cfg(feature = "server")]
pub use publish::{PUBLISHED_MAX, Published, PublishedChart};
#[cfg(feature = "server")]
pub use server::{Door, End, ServeError, serve};
pub use sheet::Sheet;
#[cfg(feature = "server")]
pub use variant::Saved;

/// Number of battles in each cell that are searched for the rules in use.
const LOOKED: u64 = 128;

/// Number of battles in a cell that are searched for noteworthy ones.
const NOTED: u64 = 1_000;

/// The memory, in bytes, for solving the best play of a battle that is judged.
const JUDGING: u64 = 2 << 30;

/// Number of battles that are continued from each option of a choice, if best play is too large to solve.
const FOUGHT_ON: u64 = 200;

/// A study on a page.
pub struct Studio<'s> {
    trial: Trial<'s>,
    sheet: Sheet,
    level: Level,
    battles: u64,
    /// The words that name the study in commands.
    #[cfg_attr(not(feature = "server"), allow(dead_code, reason = "nothing is published there"))]
    words: String,
}

/// An answer in progress.
pub struct Answering {
    course: Course,
    set: Vec<String>,
    level: Level,
}

/// Reasons why a study cannot be put on a page.
#[derive(Debug, thiserror::Error)]
pub enum OpenError {
    /// It cannot be prepared.
    #[error("the study cannot be prepared")]
    Unprepared(Diagnostics),
    /// Its numbers cannot be listed.
    #[error(transparent)]
    Ask(#[from] AskError),
    /// It has no metrics.
    #[error("the study has no battles to ask about")]
    Empty,
}

impl<'s> Studio<'s> {
    /// Opens a study: `threads` work on it (0: one for each core), every answer's intervals are simultaneous at
    /// `level`, and no answer fights more than `battles` battles of a cell. `words` name the study in the commands that
    /// the page shows.
    ///
    /// # Errors
    /// See [`OpenError`].
    pub fn open(
        study: &Study,
        sources: &'s mut Sources,
        threads: usize,
        level: Level,
        battles: u64,
        words: &str,
    ) -> Result<Self, OpenError> {
        let trial = Trial::new(study, sources, threads).map_err(|error| match error {
            TrialError::Unprepared(faults) => OpenError::Unprepared(faults),
            TrialError::Threads(error) => OpenError::Ask(error.into()),
        })?;
        let quantity = Quantity::of(study, None).ok_or(OpenError::Empty)?;
        let battles_looked = study.whole_rounds(LOOKED.min(battles));
        let inquiry = Inquiry { cells: Vec::new(), battles: battles_looked, quantity, pips: 1, level, threads };
        let choice = inquiry.choose(trial.study(), trial.variants(), &Named::default(), &Silent, &Stop::new())?;
        let sheet = Sheet::of(&trial, choice.numbers, battles_looked, level, words);
        Ok(Self { trial, sheet, level, battles, words: words.to_owned() })
    }

    /// The packs, by the study's names for them, each once.
    #[must_use]
    pub fn packs(&self) -> Vec<&str> {
        self.trial.variants().packs()
    }

    /// The controls of the page.
    #[must_use]
    pub fn sheet(&self) -> &Sheet {
        &self.sheet
    }

    /// Answers line by line; every line is one JSON object. The first lines come from battles, up to their limit or
    /// until `fights`, which is called every few battles, returns false. Then come the odds of the cells for which they
    /// can be computed quickly, while `solves` returns true.
    ///
    /// # Errors
    /// The changes are wrong.
    pub fn answer(
        &self,
        ask: &Ask,
        fights: &(dyn Fn() -> bool + Sync),
        solves: &(dyn Fn() -> bool + Sync),
        tell: &mut dyn FnMut(String),
    ) -> Result<(), Fault> {
        let altered = self.altered(ask)?;
        let set: Vec<String> = altered.changes.iter().map(|&change| self.trial.variants().setting(change)).collect();
        Ok(self.trial.run(&altered, fights, solves, &mut |look| tell(ask::line(look, altered.level, &set)))?)
    }

    /// Begins what [`Studio::answer`] does in one call, for callers that ask for each line.
    ///
    /// # Errors
    /// The changes are wrong.
    pub fn begin(&self, ask: &Ask) -> Result<Answering, Fault> {
        let altered = self.altered(ask)?;
        let set = altered.changes.iter().map(|&change| self.trial.variants().setting(change)).collect();
        Ok(Answering { course: self.trial.begin(&altered)?, set, level: altered.level })
    }

    /// The next line of an answer; `None` if all its battles are fought, or `wanted` returns false.
    pub fn next(&self, answering: &mut Answering, wanted: &(dyn Fn() -> bool + Sync)) -> Option<String> {
        let look = self.trial.next(&mut answering.course, wanted)?;
        Some(ask::line(&look, answering.level, &answering.set))
    }

    /// The line with the odds of the next cells; `None` if the other cells are too large, or `wanted` returns false.
    pub fn solve(&self, answering: &mut Answering, wanted: &(dyn Fn() -> bool + Sync)) -> Option<String> {
        let look = self.trial.solve(&mut answering.course, wanted)?;
        Some(ask::line(&look, answering.level, &answering.set))
    }

    /// A page that plays one battle of a cell with the changes.
    ///
    /// # Errors
    /// The changes are wrong, or there is no such battle.
    pub fn battle(&self, ask: &Ask, cell: usize, battle: u64) -> Result<String, Fault> {
        let (study, own) = self.alone(ask, cell)?;
        let timeline = record(&study, &own, battle).ok_or_else(|| Fault::new("nothing happens in this battle"))?;
        let changed = if ask.changes.is_empty() && ask.off.is_empty() { "" } else { ", with changes" };
        let caption = Caption {
            title: format!("{}: {}", study.header.title, own.header.label),
            source: format!("cell {cell}, battle {battle}, seed {}, {}{changed}", study.seed, study.pack_line()),
        };
        page(&timeline, &caption, None).map_err(|error| Fault::new(error.to_string()))
    }

    /// The noteworthy battles of a cell with the changes, among its first thousand: a JSON object with their numbers.
    ///
    /// # Errors
    /// The changes are wrong, or there is no such cell.
    pub fn odd(&self, ask: &Ask, cell: usize) -> Result<String, Fault> {
        let (study, _) = self.alone(ask, cell)?;
        let among = study.whole_rounds(NOTED);
        let found = noteworthy(&MemoisedCells::new(&study).fight(0, 0..among));
        let battles: BTreeMap<Oddity, u64> = found.into_iter().collect();
        Ok(serde_json::json!({ "among": among, "battles": battles }).to_string())
    }

    /// A battle of a cell with the changes, judged: the JSON object of `grognard replay --judge --json`. Its choices
    /// have their values under best play while `solves` returns true, and after that from continued battles.
    ///
    /// # Errors
    /// The changes are wrong, there is no such cell, or `wanted` returns false.
    pub fn judge(
        &self,
        ask: &Ask,
        cell: usize,
        battle: u64,
        solves: &dyn Fn() -> bool,
        wanted: &dyn Fn() -> bool,
    ) -> Result<String, Fault> {
        let (study, own) = self.alone(ask, cell)?;
        let judged = judge(&study, &own, battle, JUDGING, solves).ok();
        let judged = judged.or_else(|| judge_by_fighting(&study, &own, battle, FOUGHT_ON, wanted));
        let judged = judged.ok_or_else(|| Fault::new("this request was cancelled"))?;
        Ok(judged.json(&study, &own, battle).to_string())
    }

    /// The study with the changes and a single cell.
    fn alone(&self, ask: &Ask, cell: usize) -> Result<(Study, Cell), Fault> {
        let none = || Fault::new(format!("there is no cell {cell}"));
        if cell >= self.trial.study().cells.len() {
            return Err(none());
        }
        let altered = Altered { cells: vec![cell], ..self.altered(ask)? };
        let study = self.trial.altered(&altered)?;
        let own = study.cells.first().cloned().ok_or_else(none)?;
        Ok((study, own))
    }

    fn altered(&self, ask: &Ask) -> Result<Altered<'_>, Fault> {
        let mut altered = Altered {
            changes: self.sheet.changes(&ask.changes)?,
            off: self.sheet.off(&ask.off)?,
            cells: ask.cells.clone(),
            quantity: self.sheet.quantity(self.trial.study(), &ask.metric)?,
            battles: ask.battles.unwrap_or(self.battles).min(self.battles),
            level: self.level,
        };
        let count = self.trial.study().cells.len();
        if let Some(cell) = altered.cells.iter().find(|&&cell| cell >= count) {
            return Err(Fault::new(format!("there is no cell {cell}")));
        }
        altered.cells.sort_unstable();
        altered.cells.dedup();
        Ok(altered)
    }
}
