//! A study, and changes to it.

mod bout;
mod cell;

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use grognard_engine::Side;
use grognard_lab::library;
use grognard_lab::study::{Changes, Study as Checked};
use grognard_source::{Diagnostics, Override, Sources};

use crate::error::Error;
use crate::pack::Pack;
use crate::value::Value;

pub use bout::Bout;
pub use cell::{Battle, Battles, StudyCell};

/// A study with changes: the equivalent of `grognard run STUDY` with its flags.
///
/// It is a value: `set`, `vary` and `with_pack` return a new one, and nothing changes the original. The pack is
/// compiled when it is first needed, and then cached.
///
/// ```
/// use grognard_kit::{Side, Study};
///
/// let text = r#"
///     study = "thrust"
///     pack = "risk"
///     turns = 100
///     side.attacker.units = [{ type = "army", figures = 5 }]
///     side.defender.units = [{ type = "army", figures = 4 }]
/// "#;
/// let study = Study::from_text(text)?.vary("defender.0.figures", 2..=4)?;
/// let odds = study.exact().run()?;
/// let wins: Vec<f64> = odds.cells().map(|cell| cell.share(Side::First).point).collect();
/// assert!(wins[0] > wins[1] && wins[1] > wins[2]);
/// # Ok::<(), grognard_kit::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Study {
    name: String,
    file: String,
    text: String,
    /// The folder to which the path of its pack is relative.
    beside: Option<PathBuf>,
    has_parts: bool,
    packs: Vec<Pack>,
    set: Vec<(String, Value)>,
    vary: Vec<(String, Vec<Value>)>,
    ready: Arc<Mutex<Option<Arc<Ready>>>>,
}

/// The study, checked and compiled, for this seed and number of battles.
#[derive(Debug)]
pub(crate) struct Ready {
    of: Numbers,
    pub(crate) study: Checked,
    /// The texts in which faults are located.
    pub(crate) sources: Sources,
}

/// The numbers that replace the study's own.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Numbers {
    pub(crate) runs: Option<u64>,
    pub(crate) seed: Option<u64>,
}

impl Study {
    /// Reads a study: a built-in one by its name (`grognard studies` lists them), or any other by the path of its file
    /// or folder.
    ///
    /// ```
    /// use grognard_kit::Study;
    ///
    /// assert_eq!(Study::load("square-vs-line")?.cells()?.len(), 36);
    /// assert!(Study::load("square-vs-lines").unwrap_err().to_string().contains("did you mean `square-vs-line`?"));
    /// # Ok::<(), grognard_kit::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Faults`]: there is no such study, or its keys or values do not have the right shape. Other errors
    /// are reported when the study is first used: see [`Study::check`].
    pub fn load(name: impl AsRef<Path>) -> Result<Self, Error> {
        let mut sources = Sources::new();
        let found = library::find(name.as_ref(), &mut sources);
        let (file, beside) = found.map_err(|faults| Error::faults(&faults, &sources))?;
        Self::of(sources.name(file).to_owned(), sources.text(file).to_owned(), beside)
    }

    /// A study from its text, as in a file. The path of its pack is relative to the current folder.
    ///
    /// ```
    /// use grognard_kit::{Error, Study};
    ///
    /// let slip = Study::from_text("study = 'duel'\npak = 'risk'\n").expect_err("a slip");
    /// let Error::Faults(faults) = slip else { panic!("{slip}") };
    /// assert!(faults.iter().any(|fault| fault.to_string().starts_with("study.toml:2:1: ")));
    /// ```
    ///
    /// # Errors
    /// As [`Study::load`].
    pub fn from_text(text: impl Into<String>) -> Result<Self, Error> {
        Self::of("study.toml".to_owned(), text.into(), None)
    }

    /// A study from its text, with the folder to which the path of its pack is relative.
    ///
    /// ```
    /// use grognard_kit::Study;
    ///
    /// let study = Study::load("risk-roll")?;
    /// assert_eq!(Study::from_text_in(study.text(), ".")?.name(), "risk-roll");
    /// # Ok::<(), grognard_kit::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`Study::load`].
    pub fn from_text_in(text: impl Into<String>, folder: impl Into<PathBuf>) -> Result<Self, Error> {
        Self::of("study.toml".to_owned(), text.into(), Some(folder.into()))
    }

    /// Names and titles of the built-in studies.
    ///
    /// ```
    /// assert!(grognard_kit::Study::built_in().iter().any(|(name, _)| *name == "square-vs-line"));
    /// ```
    #[must_use]
    pub fn built_in() -> Vec<(&'static str, String)> {
        let title = |study| library::text_of(study, "title", &mut Sources::new());
        library::STUDIES.iter().map(|study| (study.name, title(study))).collect()
    }

    fn of(file: String, text: String, beside: Option<PathBuf>) -> Result<Self, Error> {
        let mut sources = Sources::new();
        let id = sources.add(file.as_str(), text.as_str());
        let head = Checked::head(id, &sources);
        let (name, has_parts) = head.map_err(|faults| Error::faults(&faults, &sources))?;
        let (packs, set, vary, ready) = (Vec::new(), Vec::new(), Vec::new(), Arc::default());
        Ok(Self { name, file, text, beside, has_parts, packs, set, vary, ready })
    }

    /// The study with this pack instead of its own. If a study has several parts, each part looks for its pack, by
    /// name, among the packs given here first.
    ///
    /// ```
    /// use grognard_kit::{Pack, Study};
    ///
    /// let study = Study::load("risk-roll")?.with_pack(Pack::load("risk")?);
    /// study.check()?;
    /// # Ok::<(), grognard_kit::Error>(())
    /// ```
    #[must_use]
    pub fn with_pack(mut self, pack: Pack) -> Self {
        let has_parts = self.has_parts;
        self.packs.retain(|known| has_parts && known.name() != pack.name());
        self.packs.push(pack);
        self.changed()
    }

    /// Returns the study with one value replaced, in the study or in its pack, like `--set PATH=VALUE`. If a path is
    /// set more than once, the last value counts. A path that the study varies then has this value in all cells.
    ///
    /// ```
    /// # use grognard_kit::Study;
    /// let study = Study::load("square-vs-line")?.set("turns", 6)?.set("approach", "front")?;
    /// assert_eq!(study.cells()?.len(), 12);
    /// # Ok::<(), grognard_kit::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Faults`]: there is no such path.
    pub fn set(mut self, path: impl Into<String>, value: impl Into<Value>) -> Result<Self, Error> {
        let path = path.into();
        self.forget(&path);
        self.set.push((path, value.into()));
        self.checked()
    }

    /// The study with a path that varies over these values, replacing the study's own values there. Every combination
    /// with the values of other paths is a cell.
    ///
    /// ```
    /// # use grognard_kit::Study;
    /// let study = Study::load("square-vs-line")?.set("approach", "front")?.vary("distance", (4..=20).step_by(2))?;
    /// assert_eq!(study.cells()?.len(), 12 * 9);
    /// # Ok::<(), grognard_kit::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Faults`]: there is no such path, or the study lists its values under `pairs` or `cells`. [`Error::Setting`]: there are no
    /// values.
    pub fn vary<V: Into<Value>>(
        mut self,
        path: impl Into<String>,
        values: impl IntoIterator<Item = V>,
    ) -> Result<Self, Error> {
        let (path, values) = (path.into(), values.into_iter().map(Into::into).collect::<Vec<Value>>());
        if values.is_empty() {
            return Err(Error::setting(format!("`{path}` has no values to vary over"), "give at least one"));
        }
        self.forget(&path);
        self.vary.push((path, values));
        self.checked()
    }

    /// Its name.
    ///
    /// ```
    /// assert_eq!(grognard_kit::Study::load("risk-roll")?.name(), "risk-roll");
    /// # Ok::<(), grognard_kit::Error>(())
    /// ```
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Its original text, without changes.
    ///
    /// ```
    /// assert!(grognard_kit::Study::load("risk-roll")?.text().contains("risk-roll"));
    /// # Ok::<(), grognard_kit::Error>(())
    /// ```
    #[must_use]
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The folder to which the path of its pack is relative; `None` for the current folder.
    ///
    /// ```
    /// assert_eq!(grognard_kit::Study::load("risk-roll")?.folder(), None);
    /// # Ok::<(), grognard_kit::Error>(())
    /// ```
    #[must_use]
    pub fn folder(&self) -> Option<&Path> {
        self.beside.as_deref()
    }

    /// Checks everything: compiles the pack and deploys every cell. Every use of the study does this first.
    ///
    /// ```
    /// use grognard_kit::Study;
    ///
    /// let study = Study::load("square-vs-line")?.set("turns", 0)?;
    /// assert!(study.check().unwrap_err().to_string().contains("set:1:7"));
    /// # Ok::<(), grognard_kit::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Faults`]: everything that is wrong with the study and its pack.
    pub fn check(&self) -> Result<(), Error> {
        self.ready(Numbers::default()).map(drop)
    }

    /// The names of its sides; the first one moves first.
    ///
    /// ```
    /// assert_eq!(grognard_kit::Study::load("square-vs-line")?.sides()?, ["attacker", "defender"]);
    /// # Ok::<(), grognard_kit::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`Study::check`].
    pub fn sides(&self) -> Result<Vec<String>, Error> {
        Ok(self.ready(Numbers::default())?.study.sides.clone())
    }

    /// The side with this name.
    ///
    /// ```
    /// use grognard_kit::{Side, Study};
    ///
    /// let study = Study::load("square-vs-line")?;
    /// assert_eq!(study.side("defender")?, Side::Second);
    /// assert!(study.side("defnder").is_err());
    /// # Ok::<(), grognard_kit::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`Study::check`]; [`Error::Unknown`]: no side has this name.
    pub fn side(&self, name: &str) -> Result<Side, Error> {
        side_of(&self.sides()?, name)
    }

    /// Its cells: one for each combination of the values that it varies.
    ///
    /// ```
    /// let cells = grognard_kit::Study::load("square-vs-line")?.cells()?;
    /// assert!(cells[18].label().contains("square"));
    /// # Ok::<(), grognard_kit::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`Study::check`].
    pub fn cells(&self) -> Result<Vec<StudyCell>, Error> {
        let ready = self.ready(Numbers::default())?;
        Ok((0..ready.study.cells.len()).map(|place| StudyCell::new(&ready, place)).collect())
    }

    /// One of its cells, by number.
    ///
    /// ```
    /// use grognard_kit::Study;
    ///
    /// let cell = Study::load("square-vs-line")?.cell(18)?;
    /// let held = cell.battles(0..1_000).filter(|battle| battle.winner().is_none()).count();
    /// assert!(held < 1_000);
    /// assert!(Study::load("square-vs-line")?.cell(36).is_err());
    /// # Ok::<(), grognard_kit::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`Study::check`]; [`Error::NoCell`].
    pub fn cell(&self, number: usize) -> Result<StudyCell, Error> {
        let ready = self.ready(Numbers::default())?;
        let cells = ready.study.cells.len();
        if number >= cells {
            return Err(Error::NoCell { cell: number, cells });
        }
        Ok(StudyCell::new(&ready, number))
    }

    /// The study as the underlying crate represents it: checked, with compiled rules and deployments.
    ///
    /// ```
    /// let study = grognard_kit::Study::load("risk-roll")?;
    /// assert_eq!(study.compiled()?.cells.len(), study.cells()?.len());
    /// # Ok::<(), grognard_kit::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`Study::check`].
    pub fn compiled(&self) -> Result<Checked, Error> {
        Ok(self.ready(Numbers::default())?.study.clone())
    }

    /// The study, checked and compiled, with these numbers instead of its own.
    pub(crate) fn ready(&self, of: Numbers) -> Result<Arc<Ready>, Error> {
        let mut known = self.ready.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(ready) = known.as_ref().filter(|ready| ready.of == of) {
            return Ok(Arc::clone(ready));
        }
        let mut sources = self.sources();
        let study = self.read(of, &mut sources, Checked::read);
        let study = study.map_err(|faults| Error::faults(&faults, &sources))?;
        let ready = Arc::new(Ready { of, study, sources });
        *known = Some(Arc::clone(&ready));
        Ok(ready)
    }

    /// Forgets the changes at a path.
    fn forget(&mut self, path: &str) {
        self.set.retain(|(known, _)| known != path);
        self.vary.retain(|(known, _)| known != path);
    }

    /// The study, if its paths are valid.
    fn checked(self) -> Result<Self, Error> {
        for value in self.set.iter().map(|(_, value)| value).chain(self.vary.iter().flat_map(|(_, values)| values)) {
            value.toml()?;
        }
        let mut sources = self.sources();
        let checked = self.read(Numbers::default(), &mut sources, Checked::check_paths);
        checked.map_err(|faults| Error::faults(&faults, &sources))?;
        Ok(self.changed())
    }

    /// The study, with all caches empty.
    fn changed(mut self) -> Self {
        self.ready = Arc::default();
        self
    }

    /// The files of a pack in memory, in which its faults are located.
    fn sources(&self) -> Sources {
        match self.packs.as_slice() {
            [pack] => pack.inner.sources.clone(),
            _ => Sources::new(),
        }
    }

    fn read<T>(
        &self,
        Numbers { runs, seed }: Numbers,
        sources: &mut Sources,
        read: impl FnOnce(grognard_source::FileId, Option<&Path>, &Changes, &mut Sources) -> Result<T, Diagnostics>,
    ) -> Result<T, Diagnostics> {
        let mut faults = Diagnostics::new();
        let mut parse = |name: &str, text: String| {
            let file = sources.add(name, text);
            Override::parse(file, sources).map_err(|more| faults.append(more)).ok()
        };
        // Their values were checked when they were set.
        let toml = |value: &Value| value.toml().unwrap_or_default();
        let set = self.set.iter().filter_map(|(path, value)| parse("set", format!("{path}={}", toml(value))));
        let set: Vec<Override> = set.collect();
        let vary = self.vary.iter().filter_map(|(path, values)| {
            let values: Vec<String> = values.iter().map(toml).collect();
            parse("vary", format!("{path}=[{}]", values.join(", ")))
        });
        let vary: Vec<Override> = vary.collect();
        faults.into_result(())?;
        let packs = match self.packs.as_slice() {
            // The pack's texts are already among the sources.
            [pack] => vec![pack.inner.pack.clone()],
            packs => packs.iter().map(|pack| pack.read_into(sources)).collect::<Result<Vec<_>, _>>()?,
        };
        let changes = Changes { runs, seed, set, pack: None, pack_option: None, vary, packs };
        let file = sources.add(self.file.as_str(), self.text.as_str());
        read(file, self.beside.as_deref(), &changes, sources)
    }
}

/// The side with this name.
pub(crate) fn side_of(sides: &[String], name: &str) -> Result<Side, Error> {
    let place = sides.iter().position(|side| side == name);
    let side = place.and_then(|place| Side::ALL.get(place).copied());
    side.ok_or_else(|| Error::unknown("side", name, sides.iter().map(String::as_str)))
}

/// Checks that there is this side among those with these names.
pub(crate) fn check_side(sides: &[String], side: Side) -> Result<(), Error> {
    if side.index() < sides.len() {
        return Ok(());
    }
    let message = format!("there is no side {}", side.index() + 1);
    Err(Error::Unknown { message, help: Some(format!("the sides are {}", sides.join(", "))) })
}
