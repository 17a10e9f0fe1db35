//! Questions about sides: who beats whom, and what should a unit cost?

use std::sync::Arc;

use grognard_exact::Limits;
use grognard_lab::questions::{BATTLES, Grid, Matched, Matchups as MatchupsOf, Points as PointsOf, Priced, Provenance};

use super::{Ask, Unanswered};
use crate::error::Error;
use crate::study::{Ready, Study};

/// A table of who beats whom: see [`Study::matchups`].
///
/// ```
/// use grognard_kit::{Ask, Matchups, Study};
///
/// let study = Study::load("square-vs-line")?.set("approach", "front")?;
/// let question: Ask<'_, Matchups> = study.matchups().runs(500);
/// assert_eq!(question.run()?.grid.rows.len(), 3);
/// # Ok::<(), grognard_kit::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Matchups {
    pub(super) cells: Vec<usize>,
    rows: Vec<String>,
    columns: Vec<String>,
    exact: Option<Limits>,
}

/// Prices for unit types: see [`Study::points`].
///
/// ```
/// use grognard_kit::{Ask, Points, Study};
///
/// let study = Study::load("hex-armies")?;
/// let question: Ask<'_, Points> = study.points(100).runs(16);
/// assert!(!question.run()?.units.is_empty());
/// # Ok::<(), grognard_kit::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Points {
    pub(super) cells: Vec<usize>,
    armies: usize,
}

/// The choices of [`Study::matchups`], and the results row by row.
///
/// ```
/// let study = grognard_kit::Study::load("square-vs-line")?.set("approach", "front")?;
/// let table = study.matchups().runs(500).run()?;
/// assert_eq!(table.grid.rows.len(), table.matched.best.rows.len(), "a weight for each choice");
/// # Ok::<(), grognard_kit::Error>(())
/// ```
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct MatchupTable {
    /// The choices of both sides.
    pub grid: Grid,
    /// The results of all pairings, and the best choices of both sides.
    pub matched: Matched,
}

impl Study {
    /// Who beats whom, and what are the best choices of both sides? Like `grognard matchups`: each value that the study
    /// varies for one side is fought against each that it varies for the other. `runs` is the maximum number of battles
    /// in a cell.
    ///
    /// ```
    /// use grognard_kit::Study;
    ///
    /// let study = Study::load("square-vs-line")?.set("approach", "front")?;
    /// let table = study.matchups().runs(2_000).run()?;
    /// for (choice, weight) in table.grid.columns.iter().zip(&table.matched.best.columns) {
    ///     println!("defender: {choice} in {:.0} of 100 battles", 100.0 * weight);
    /// }
    /// assert_eq!((table.grid.rows.len(), table.grid.columns.len()), (3, 4));
    /// # Ok::<(), grognard_kit::Error>(())
    /// ```
    pub fn matchups(&self) -> Ask<'_, Matchups> {
        Ask::new(self, Matchups { cells: Vec::new(), rows: Vec::new(), columns: Vec::new(), exact: None })
    }

    /// What should each unit type cost? Like `grognard points --armies N`: pairs of armies are drawn from those of
    /// the study. `runs` is the number of battles for each pair.
    ///
    /// ```
    /// let prices = grognard_kit::Study::load("hex-armies")?.points(100).runs(16).run()?;
    /// for unit in &prices.units {
    ///     println!("{:18} {:5.1} points ({:.1} to {:.1})", unit.name, unit.points.point, unit.points.low, unit.points.high);
    /// }
    /// # Ok::<(), grognard_kit::Error>(())
    /// ```
    pub fn points(&self, armies: usize) -> Ask<'_, Points> {
        Ask::new(self, Points { cells: Vec::new(), armies })
    }
}

impl Ask<'_, Matchups> {
    /// Sets the varied paths of the rows and the columns. By default, the rows are the paths of the first side, and the
    /// columns those of the second.
    ///
    /// ```
    /// use grognard_kit::Study;
    ///
    /// let study = Study::load("square-vs-line")?.set("approach", "front")?;
    /// let table = study.matchups().between(["defender.0.formation"], ["attacker.0.type"]).runs(500).run()?;
    /// assert_eq!((table.grid.rows.len(), table.grid.columns.len()), (4, 3));
    /// # Ok::<(), grognard_kit::Error>(())
    /// ```
    pub fn between<R: Into<String>, C: Into<String>>(
        mut self,
        rows: impl IntoIterator<Item = R>,
        columns: impl IntoIterator<Item = C>,
    ) -> Self {
        self.question.rows = rows.into_iter().map(Into::into).collect();
        self.question.columns = columns.into_iter().map(Into::into).collect();
        self
    }

    /// Computes the odds of every cell instead of fighting, within this limit of memory in bytes.
    ///
    /// ```
    /// use grognard_kit::Study;
    ///
    /// let study = Study::load("square-vs-line")?.set("approach", "front")?.set("turns", 2)?;
    /// assert_eq!(study.matchups().exact(1 << 30).run()?.matched.fought, 0);
    /// # Ok::<(), grognard_kit::Error>(())
    /// ```
    pub fn exact(mut self, max_memory: u64) -> Self {
        self.question.exact.get_or_insert_default().bytes = max_memory;
        self
    }

    /// Limits the number of different states after one step, if odds are computed.
    ///
    /// ```
    /// let study = grognard_kit::Study::load("square-vs-line")?.set("approach", "front")?;
    /// assert!(study.matchups().exact(1 << 30).max_states(3).run().is_err());
    /// # Ok::<(), grognard_kit::Error>(())
    /// ```
    pub fn max_states(mut self, states: u64) -> Self {
        self.question.exact.get_or_insert_default().states = states;
        self
    }

    /// Fights all pairings. If it is stopped, its results are still valid, and [`Matched::stopped`] is set.
    ///
    /// ```
    /// let study = grognard_kit::Study::load("refduel")?;
    /// assert!(study.matchups().run().is_err(), "it varies nothing of one side");
    /// # Ok::<(), grognard_kit::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Faults`]: the study is wrong; [`Error::Unanswered`]: it varies nothing for one of the sides.
    pub fn run(self) -> Result<MatchupTable, Error> {
        let (_, MatchupsOf { grid, .. }, matched) = self.answer()?;
        Ok(MatchupTable { grid, matched })
    }

    /// The answer as JSON: the output of `grognard matchups --json`, without the sentences.
    ///
    /// ```
    /// let study = grognard_kit::Study::load("square-vs-line")?.set("approach", "front")?;
    /// assert!(study.matchups().runs(500).json()?.contains(r#""method":"matchups""#));
    /// # Ok::<(), grognard_kit::Error>(())
    /// ```
    ///
    /// # Errors
    /// As `run`.
    pub fn json(self) -> Result<String, Error> {
        let (ready, asked, matched) = self.answer()?;
        Ok(asked.json(&ready.study, &matched, &Provenance::default()).to_string())
    }

    fn answer(self) -> Result<(Arc<Ready>, MatchupsOf, Matched), Error> {
        let work = self.ready(false)?;
        work.of_two_sides("the question of matchups")?;
        let ready = Arc::clone(&work.ready);
        work.check_cells(&work.question.cells)?;
        let (asked, matched) = work.ask(None, |work, study, _, progress, stop| {
            let Matchups { cells, rows, columns, exact } = &work.question;
            let grid = Grid::of(study, cells, rows, columns).map_err(Unanswered::other)?;
            let asked = MatchupsOf {
                grid,
                battles: work.battles(BATTLES),
                precision: work.precision.unwrap_or(0.01),
                level: work.level,
                threads: work.threads,
                exact: *exact,
            };
            let matched = asked.run(study, progress, stop).map_err(Unanswered::other)?;
            Ok((asked, matched))
        })?;
        Ok((ready, asked, matched))
    }
}

impl Ask<'_, Points> {
    /// Fits prices. If it is stopped, the prices come from the armies that had fought by then, and
    /// [`Priced::stopped`] is set.
    ///
    /// ```
    /// let study = grognard_kit::Study::load("hex-armies")?;
    /// assert!(study.points(1).run().is_err(), "one pair of armies says nothing");
    /// # Ok::<(), grognard_kit::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Faults`]: the study is wrong; [`Error::Unanswered`]: prices cannot be determined from its armies.
    pub fn run(self) -> Result<Priced, Error> {
        self.answer().map(|(_, _, priced)| priced)
    }

    /// The answer as JSON: the output of `grognard points --json`, without the sentences.
    ///
    /// ```
    /// let json = grognard_kit::Study::load("hex-armies")?.points(100).runs(16).json()?;
    /// assert!(json.contains(r#""method":"points""#));
    /// # Ok::<(), grognard_kit::Error>(())
    /// ```
    ///
    /// # Errors
    /// As `run`.
    pub fn json(self) -> Result<String, Error> {
        let (ready, asked, priced) = self.answer()?;
        Ok(asked.json(&ready.study, &priced, &Provenance::default()).to_string())
    }

    fn answer(self) -> Result<(Arc<Ready>, PointsOf, Priced), Error> {
        let work = self.ready(false)?;
        work.of_two_sides("the question of points")?;
        let ready = Arc::clone(&work.ready);
        work.check_cells(&work.question.cells)?;
        let (asked, priced) = work.ask(None, |work, study, variants, progress, stop| {
            let types = PointsOf::types_of(study, variants, &work.question.cells, &[])?;
            let asked = PointsOf {
                given: vec![None; types.len()],
                types,
                kept: Vec::new(),
                budget: None,
                cells: work.question.cells.clone(),
                armies: work.question.armies,
                battles: work.battles(PointsOf::BATTLES),
                level: work.level,
                threads: work.threads,
            };
            let priced = asked.run(study, variants, progress, stop).map_err(Unanswered::other)?;
            Ok((asked, priced))
        })?;
        Ok((ready, asked, priced))
    }
}
