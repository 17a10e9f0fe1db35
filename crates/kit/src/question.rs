//! A study, what is changed about it, and how it is answered.

use std::fmt::Display;
use std::path::{Path, PathBuf};

use grognard_exact::{Limits, Progress as Walk};
use grognard_lab::exact::{Orders, Watcher};
use grognard_lab::library;
use grognard_lab::progress::{Silent, Stop};
use grognard_lab::replay;
use grognard_lab::sortie::Sortie;
use grognard_lab::study::{Changes, Study};
use grognard_source::{Diagnostics, Override, Sources};
use grognard_stats::Level;

use crate::{Answer, Error};

/// A study and what is changed about it: what `grognard run STUDY` with its flags says.
///
/// Nothing is read before it is answered; what is wrong with it comes out then.
#[derive(Clone, Debug)]
pub struct Question {
    from: From,
    set: Vec<(String, String)>,
    pack: Option<String>,
    pub(crate) runs: Option<u64>,
    seed: Option<u64>,
    pub(crate) precision: Option<f64>,
    pub(crate) level: Level,
    pub(crate) threads: usize,
}

/// Where a study comes from.
#[derive(Clone, Debug)]
enum From {
    Name(PathBuf),
    Text(String),
}

impl Question {
    /// A study by the name of a built-in one (`grognard studies` lists them), or by the path of its file or folder.
    #[must_use]
    pub fn study(name: impl AsRef<Path>) -> Self {
        Self::of(From::Name(name.as_ref().to_owned()))
    }

    /// A study by its text, as a file would have it. The path of its pack counts from where the program runs.
    #[must_use]
    pub fn text(text: impl Into<String>) -> Self {
        Self::of(From::Text(text.into()))
    }

    fn of(from: From) -> Self {
        Self {
            from,
            set: Vec::new(),
            pack: None,
            runs: None,
            seed: None,
            precision: None,
            level: Level::default(),
            threads: 0,
        }
    }

    /// Another number of battles in each cell.
    #[must_use]
    pub fn runs(self, runs: u64) -> Self {
        Self { runs: Some(runs), ..self }
    }

    /// Another seed.
    #[must_use]
    pub fn seed(self, seed: u64) -> Self {
        Self { seed: Some(seed), ..self }
    }

    /// Another pack: a built-in one by name, or the path of a folder.
    #[must_use]
    pub fn pack(self, name: impl Into<String>) -> Self {
        Self { pack: Some(name.into()), ..self }
    }

    /// Puts a value at a path of the study or the pack, like `--set PATH=VALUE`. Of two at the same path the later holds.
    #[must_use]
    pub fn set(mut self, path: impl Into<String>, value: impl Display) -> Self {
        let path = path.into();
        self.set.retain(|(known, _)| *known != path);
        self.set.push((path, value.to_string()));
        self
    }

    /// End early when every outcome's share in every cell is known to plus or minus this, such as 0.01.
    #[must_use]
    pub fn precision(self, half_width: f64) -> Self {
        Self { precision: Some(half_width), ..self }
    }

    /// Another confidence level of all intervals than 95 %.
    #[must_use]
    pub fn level(self, level: Level) -> Self {
        Self { level, ..self }
    }

    /// So many worker threads; 0, as without this, for as many as the machine has cores. No number depends on it.
    #[must_use]
    pub fn threads(self, threads: usize) -> Self {
        Self { threads, ..self }
    }

    /// Reads the study and its pack, and compiles them.
    ///
    /// # Errors
    /// [`Error::Wrong`]: all that is wrong with them.
    pub fn load(&self) -> Result<Study, Error> {
        let mut sources = Sources::new();
        self.read(&mut sources).map_err(|faults| Error::wrong(&faults, &sources))
    }

    pub(crate) fn read(&self, sources: &mut Sources) -> Result<Study, Diagnostics> {
        let (mut set, mut faults) = (Vec::new(), Diagnostics::new());
        for (path, value) in &self.set {
            let file = sources.add("set", format!("{path}={value}"));
            match Override::parse(file, sources) {
                Ok(change) => set.push(change),
                Err(more) => faults.append(more),
            }
        }
        faults.into_result(())?;
        let changes = Changes { runs: self.runs, seed: self.seed, set, pack: self.pack.clone() };
        match &self.from {
            From::Name(name) => library::load(name, &changes, sources),
            From::Text(text) => {
                let file = sources.add("study", text.as_str());
                Study::read(file, None, &changes, sources)
            }
        }
    }

    /// Fights it: the numbers of `grognard run`, with nothing written.
    ///
    /// # Errors
    /// [`Error::Wrong`]: all that is wrong with the study and its pack. [`Error::Threads`].
    pub fn fight(&self) -> Result<Answer, Error> {
        let study = self.load()?;
        let sortie =
            Sortie { precision: self.precision, level: self.level, threads: self.threads, ..Sortie::default() };
        Ok(Answer { results: sortie.fight(&study, &Silent, &Stop::new())? })
    }

    /// Works its odds out instead of sampling them: the numbers of `grognard exact`, for studies that are small enough.
    ///
    /// # Errors
    /// [`Error::Wrong`]: all that is wrong with the study and its pack. [`Error::Exact`]: it has too many states.
    pub fn exact(&self) -> Result<Answer, Error> {
        let study = self.load()?;
        let orders = Orders {
            limits: Limits::default(),
            cells: Vec::new(),
            time: None,
            threads: self.threads,
            command: String::new(),
        };
        Ok(Answer { results: orders.solve(&study, &Nobody, &Stop::new())? })
    }

    /// One of its battles, told blow by blow like `grognard replay`.
    ///
    /// # Errors
    /// [`Error::Wrong`]: all that is wrong with the study and its pack. [`Error::NoCell`].
    pub fn narrate(&self, cell: u32, battle: u64) -> Result<String, Error> {
        let study = self.load()?;
        let cells = study.cells.len();
        let cell = study.cells.get(cell as usize).ok_or(Error::NoCell { cell, cells })?;
        Ok(replay::narrate(&study, cell, battle).join("\n"))
    }
}

/// Nobody watches the odds being worked out.
struct Nobody;

impl Watcher for Nobody {
    fn walking(&self, _cell: u32, _progress: &Walk) {}

    fn solved(&self, _cell: u32) {}
}
