//! The numbers of every cell.

mod cell;
mod histogram;
mod pooled;

use std::fmt;

use grognard_engine::Side;
use grognard_lab::in_memory::{self, Fetched};
use grognard_lab::results::{CellHeader, DRAW, Ending, Results, WIN};

use crate::error::Error;
use crate::metric::Metric;
use crate::study::{check_side, side_of};
use crate::value::Value;

pub use cell::Cell;
pub use histogram::Histogram;
pub use pooled::Pooled;

/// The results of a study: every cell, with its numbers and their intervals, sampled
/// ([`Study::fight`](crate::Study::fight)) or exact ([`Study::exact`](crate::Study::exact)). Its `Display` prints a
/// line for each cell: its label and the wins of every side and the draws, with their intervals; and a line for battles
/// that are missing.
///
/// ```
/// use grognard_kit::{Side, Study};
///
/// let answer = Study::load("square-vs-line")?.fight().runs(1_000).run()?;
/// let squares = answer.with([("defender.0.formation", "square")])?;
/// assert_eq!(squares.len(), 9);
/// let slip = answer.with([("defender.0.formaton", "square")]).unwrap_err();
/// assert!(slip.to_string().contains("did you mean `defender.0.formation`?"));
/// # Ok::<(), grognard_kit::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Answer {
    fetched: Fetched,
}

impl Answer {
    pub(crate) fn new(fetched: Fetched) -> Self {
        Self { fetched }
    }

    pub(crate) fn of_odds(results: Results) -> Self {
        Self::new(Fetched { results, kept: Vec::new(), luck: Vec::new() })
    }

    /// The complete results: manifest, tallies or odds, and the summary with every interval, as in a results
    /// folder.
    ///
    /// ```
    /// let answer = grognard_kit::Study::load("risk-roll")?.fight().runs(100).run()?;
    /// assert_eq!(answer.results().manifest.study.name, "risk-roll");
    /// # Ok::<(), grognard_kit::Error>(())
    /// ```
    #[must_use]
    pub fn results(&self) -> &Results {
        &self.fetched.results
    }

    /// The complete results, as `grognard run --json` prints them.
    ///
    /// ```
    /// let answer = grognard_kit::Study::load("risk-roll")?.fight().runs(100).run()?;
    /// assert!(answer.to_json().contains(r#""study":"risk-roll""#));
    /// # Ok::<(), grognard_kit::Error>(())
    /// ```
    #[must_use]
    pub fn to_json(&self) -> String {
        grognard_lab::json::to_json(self.results()).to_string()
    }

    /// The name of the pack.
    ///
    /// ```
    /// assert_eq!(grognard_kit::Study::load("risk-roll")?.fight().runs(100).run()?.pack(), "risk");
    /// # Ok::<(), grognard_kit::Error>(())
    /// ```
    #[must_use]
    pub fn pack(&self) -> &str {
        &self.results().manifest.pack.name
    }

    /// The names of the sides; the first one moves first.
    ///
    /// ```
    /// assert_eq!(grognard_kit::Study::load("risk-roll")?.fight().runs(100).run()?.sides(), ["attacker", "defender"]);
    /// # Ok::<(), grognard_kit::Error>(())
    /// ```
    #[must_use]
    pub fn sides(&self) -> Vec<&str> {
        self.results().manifest.sides.iter().map(String::as_str).collect()
    }

    /// The side with this name.
    ///
    /// ```
    /// # use grognard_kit::{Side, Study};
    /// assert_eq!(Study::load("risk-roll")?.fight().runs(100).run()?.side("defender")?, Side::Second);
    /// # Ok::<(), grognard_kit::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Unknown`]: no side has this name.
    pub fn side(&self, name: &str) -> Result<Side, Error> {
        side_of(&self.results().manifest.sides, name)
    }

    /// The metric with this name: `turns`, `draw`, or one of a side, such as `attacker.win` or `defender.losses`.
    ///
    /// ```
    /// # use grognard_kit::{Metric, Side, Study};
    /// let answer = Study::load("risk-roll")?.fight().runs(100).run()?;
    /// assert_eq!(answer.metric("defender.losses")?, Metric::Losses(Side::Second));
    /// assert!(answer.metric("defender.loses").unwrap_err().to_string().contains("did you mean `defender.losses`?"));
    /// # Ok::<(), grognard_kit::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Unknown`]: there is no metric with that name.
    pub fn metric(&self, name: &str) -> Result<Metric, Error> {
        let named = Metric::named(&self.results().manifest.sides);
        let found = named.iter().find(|(known, _)| known == name);
        found
            .map(|(_, metric)| *metric)
            .ok_or_else(|| Error::unknown("metric", name, named.iter().map(|(known, _)| known.as_str())))
    }

    /// The number of battles in every cell; 0 for exact odds.
    ///
    /// ```
    /// assert_eq!(grognard_kit::Study::load("risk-roll")?.fight().runs(100).run()?.battles(), 100);
    /// # Ok::<(), grognard_kit::Error>(())
    /// ```
    #[must_use]
    pub fn battles(&self) -> u64 {
        self.results().manifest.progress.battles
    }

    /// A digest of every battle of every cell. Equal digests mean identical battles, on any machine and in the
    /// command-line program.
    ///
    /// ```
    /// let study = grognard_kit::Study::load("risk-roll")?;
    /// assert_eq!(study.fight().runs(100).run()?.digest(), study.fight().runs(100).run()?.digest());
    /// # Ok::<(), grognard_kit::Error>(())
    /// ```
    #[must_use]
    pub fn digest(&self) -> &str {
        &self.results().manifest.progress.digest
    }

    /// Whether the run was stopped before all battles were fought. Its numbers are still valid for the battles fought
    /// by then.
    ///
    /// ```
    /// assert!(!grognard_kit::Study::load("risk-roll")?.fight().runs(100).run()?.is_stopped());
    /// # Ok::<(), grognard_kit::Error>(())
    /// ```
    #[must_use]
    pub fn is_stopped(&self) -> bool {
        self.results().manifest.progress.ending == Ending::Stopped
    }

    /// The cells, in the order of the study.
    ///
    /// ```
    /// let answer = grognard_kit::Study::load("square-vs-line")?.fight().runs(100).run()?;
    /// assert_eq!(answer.cells().len(), 36);
    /// # Ok::<(), grognard_kit::Error>(())
    /// ```
    pub fn cells(&self) -> impl ExactSizeIterator<Item = Cell<'_>> + Clone {
        self.headers().iter().enumerate().map(|(place, header)| Cell::new(self, place, header))
    }

    /// The cell with this number.
    ///
    /// ```
    /// let answer = grognard_kit::Study::load("square-vs-line")?.fight().runs(100).run()?;
    /// assert!(answer.cell(18)?.label().contains("square"));
    /// assert!(answer.cell(36).is_err());
    /// # Ok::<(), grognard_kit::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::NoCell`].
    pub fn cell(&self, number: usize) -> Result<Cell<'_>, Error> {
        let found = self.cells().find(|cell| cell.number() == number);
        found.ok_or_else(|| Error::NoCell { cell: number, cells: self.headers().len() })
    }

    /// The cells with these values at varied paths. There is at least one.
    ///
    /// ```
    /// use grognard_kit::{Study, Value};
    ///
    /// let answer = Study::load("square-vs-line")?.vary("distance", [8, 16])?.fight().runs(100).run()?;
    /// assert_eq!(answer.with([("distance", 8)])?.len(), 36);
    /// let both = [("distance", Value::from(8)), ("approach", Value::from("rear"))];
    /// assert_eq!(answer.with(both)?.len(), 12);
    /// assert!(answer.with([("distance", 9)]).unwrap_err().to_string().contains("its values are 8, 16"));
    /// # Ok::<(), grognard_kit::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Unknown`]: the study does not vary one of the paths, a path never has the value given, or no cell has
    /// all of these values.
    pub fn with<P: AsRef<str>, V: Into<Value>>(
        &self,
        values: impl IntoIterator<Item = (P, V)>,
    ) -> Result<Vec<Cell<'_>>, Error> {
        let mut cells: Vec<Cell<'_>> = self.cells().collect();
        for (path, value) in values {
            let (path, value) = (path.as_ref(), value.into());
            let vary = &self.results().manifest.vary;
            let Some(varied) = vary.iter().find(|varied| varied.path == path) else {
                return Err(Error::unknown("varied path", path, vary.iter().map(|varied| varied.path.as_str())));
            };
            if !varied.values.iter().any(|known| value.is(&known.text)) {
                let known: Vec<&str> = varied.values.iter().map(|known| known.text.as_str()).collect();
                let message = format!("`{path}` is never {}", value.plain());
                return Err(Error::Unknown { message, help: Some(format!("its values are {}", known.join(", "))) });
            }
            cells.retain(|cell| cell.value(path).is_some_and(|own| value.is(own)));
        }
        if cells.is_empty() {
            let message = "no cell has all of these values".to_owned();
            return Err(Error::Unknown { message, help: Some("name fewer of them".to_owned()) });
        }
        Ok(cells)
    }

    /// Whether some battles of the whole run are missing. This is so for the answer of one shard, the sum of only some
    /// of the shards, and a run that was stopped. A run that ended at its precision is complete.
    ///
    /// ```
    /// let study = grognard_kit::Study::load("risk-roll")?;
    /// assert!(study.fight().runs(10_000).shard(1, 2).run()?.is_partial());
    /// assert!(!study.fight().runs(10_000).run()?.is_partial());
    /// # Ok::<(), grognard_kit::Error>(())
    /// ```
    #[must_use]
    pub fn is_partial(&self) -> bool {
        self.fetched.missing().is_some()
    }

    /// Adds the answers of all shards, in any order. The sum is identical to a single run, bit for bit.
    ///
    /// ```
    /// use grognard_kit::{Answer, Study};
    ///
    /// let study = Study::load("risk-roll")?;
    /// let shard = |number| study.fight().runs(10_000).shard(number, 2).run();
    /// let sum = Answer::merge(&[shard(2)?, shard(1)?])?;
    /// assert_eq!(sum.battles(), 10_000);
    /// let twice = Answer::merge(&[shard(1)?, shard(1)?]).unwrap_err();
    /// assert!(twice.to_string().contains("occur twice"));
    /// # Ok::<(), grognard_kit::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Merge`]: there are no answers; the answers are exact odds or belong to different series of battles (the
    /// error names the difference); or battles are missing or occur twice.
    pub fn merge<'a>(answers: impl IntoIterator<Item = &'a Self>) -> Result<Self, Error> {
        let shards: Vec<&Fetched> = answers.into_iter().map(|answer| &answer.fetched).collect();
        Ok(Self::new(in_memory::merge(&shards)?))
    }

    /// Adds the answers of consecutive shards, in any order, even if those before or after them are missing. Such a
    /// sum [is partial](Answer::is_partial), and its `Display` says so. Battles missing in between are an error.
    ///
    /// ```
    /// use grognard_kit::{Answer, Study};
    ///
    /// let study = Study::load("risk-roll")?;
    /// let shard = |number| study.fight().runs(20_000).shard(number, 4).run();
    /// let known = [shard(1)?, shard(2)?];
    /// let missing = Answer::merge(&known).unwrap_err().to_string();
    /// assert_eq!(missing, "battles 8192 to 19999 of 20000 are missing; the first is battle 0");
    /// let part = Answer::merge_partial(&known)?;
    /// assert!(part.is_partial() && part.to_string().ends_with(&missing));
    /// # Ok::<(), grognard_kit::Error>(())
    /// ```
    ///
    /// # Errors
    /// Those of [`Answer::merge`].
    pub fn merge_partial<'a>(answers: impl IntoIterator<Item = &'a Self>) -> Result<Self, Error> {
        let shards: Vec<&Fetched> = answers.into_iter().map(|answer| &answer.fetched).collect();
        Ok(Self::new(in_memory::merge_partial(&shards)?))
    }

    /// The answer as bytes, for another process or another machine with the same version.
    ///
    /// ```
    /// use grognard_kit::{Answer, Keep, Study};
    ///
    /// let answer = Study::load("risk-roll")?.fight().runs(100).keep(Keep::All).run()?;
    /// assert_eq!(Answer::from_bytes(&answer.to_bytes())?, answer);
    /// assert!(Answer::from_bytes(b"something else").is_err());
    /// # Ok::<(), grognard_kit::Error>(())
    /// ```
    #[must_use]
    pub fn to_bytes(&self) -> Vec<u8> {
        in_memory::to_bytes(&self.fetched)
    }

    /// Reads an answer written by [`Answer::to_bytes`].
    ///
    /// ```
    /// # use grognard_kit::{Answer, Study};
    /// let odds = Study::load("risk-roll")?.exact().run()?;
    /// assert_eq!(Answer::from_bytes(&odds.to_bytes())?, odds);
    /// # Ok::<(), grognard_kit::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Bytes`]: another version wrote them, or they are damaged.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, Error> {
        Ok(Self::new(in_memory::from_bytes(bytes)?))
    }

    /// Checks that the study has this side.
    fn check_side(&self, side: Side) -> Result<(), Error> {
        check_side(&self.results().manifest.sides, side)
    }

    fn headers(&self) -> &[CellHeader] {
        &self.results().manifest.cells
    }
}

impl fmt::Display for Answer {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names = self.sides();
        let mut order: Vec<Option<Side>> = Side::first(names.len()).iter().copied().map(Some).collect();
        // Draws come between the first two sides.
        order.insert(order.len().min(1), None);
        let width = self.cells().map(|cell| cell.label().chars().count()).max().unwrap_or(0);
        for (place, cell) in self.cells().enumerate() {
            if place > 0 {
                out.write_str("\n")?;
            }
            write!(out, "{:width$}", cell.label())?;
            for &side in &order {
                let (name, metric) = side.map_or((DRAW, DRAW), |side| (names[side.index()], WIN));
                if let Some(row) = self.results().estimate(cell.number() as u32, side, metric) {
                    write!(out, "  {name} {}", row.estimate().percent())?;
                }
            }
        }
        self.fetched.missing().map_or(Ok(()), |missing| write!(out, "\n{missing}"))
    }
}
