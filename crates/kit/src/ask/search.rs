//! Searches: at which value of a number is a battle even, and do the rules meet their targets?

use std::sync::Arc;

use grognard_exact::Limits;
use grognard_lab::questions::{BATTLES, Demand, Found, Judge as JudgeOf, Provenance, Search, Values, Verdicts};
use grognard_lab::sensitivity;
use grognard_lab::study::Study as Checked;
use grognard_source::{Diagnostic, Diagnostics};

use super::{Ask, Unanswered};
use crate::error::Error;
use crate::study::{Ready, Study};

/// The value of a number at which a metric reaches a target: see [`Study::find`].
///
/// ```
/// use grognard_kit::{Ask, Find, Study};
///
/// let study = Study::load("refduel")?;
/// let question: Ask<'_, Find> = study.find("unit.plain.figures", "even").cells([1]).runs(500);
/// assert_eq!(question.run()?.cells.len(), 1);
/// # Ok::<(), grognard_kit::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Find {
    pub(super) cells: Vec<usize>,
    number: String,
    demand: String,
    exact: Option<Limits>,
}

/// Whether the rules meet the targets of a study: see [`Study::judge`].
///
/// ```
/// # let text = "study = 'duel'\npack = 'refduel'\nturns = 12\nside.a.units = [{ type = 'one-up' }]\n\
/// #     side.b.units = [{ type = 'plain' }]\ntarget = [{ says = 'Even', metric = 'a score', band = ['70 %', '80 %'] }]\n";
/// use grognard_kit::{Ask, Judge, Study};
///
/// let study = Study::from_text(text)?;
/// let question: Ask<'_, Judge> = study.judge().runs(500);
/// assert_eq!(question.run()?.targets.len(), 1);
/// # Ok::<(), grognard_kit::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Judge {
    exact: Option<Limits>,
}

impl Study {
    /// At which value of a number does a metric reach a target? Like `grognard find --number NUMBER --where DEMAND`;
    /// `runs` is the maximum number of battles in a cell at one value.
    ///
    /// ```
    /// use grognard_kit::Study;
    ///
    /// let study = Study::load("refduel")?.set("b.0.type", "one-up")?.set("a.0.type", "plain")?;
    /// let even = study.find("unit.plain.figures", "even").run()?;
    /// let crossing = even.cells[0].nearest(20_000).expect("twenty figures are too few, and forty enough");
    /// assert!(crossing.at.low > 20.0 && crossing.at.high < 40.0);
    /// # Ok::<(), grognard_kit::Error>(())
    /// ```
    pub fn find(&self, number: impl Into<String>, demand: impl Into<String>) -> Ask<'_, Find> {
        let (cells, number, demand) = (Vec::new(), number.into(), demand.into());
        Ask::new(self, Find { cells, number, demand, exact: None })
    }

    /// Do the rules meet the study's targets? Like `grognard judge`; `runs` is the maximum number of battles in a cell.
    ///
    /// ```
    /// use grognard_kit::Study;
    ///
    /// let text = r#"
    ///     study = "duel"
    ///     pack = "refduel"
    ///     turns = 12
    ///     side.a.units = [{ type = "one-up" }]
    ///     side.b.units = [{ type = "plain" }]
    ///     target = [{ says = "One up is no sure thing", metric = "a score", band = ["70 %", "80 %"] }]
    /// "#;
    /// let verdicts = Study::from_text(text)?.judge().run()?;
    /// println!("{}: {:?}", verdicts.targets[0].target.says, verdicts.targets[0].state);
    /// assert!(Study::load("refduel")?.judge().run().unwrap_err().to_string().contains("has no targets"));
    /// # Ok::<(), grognard_kit::Error>(())
    /// ```
    pub fn judge(&self) -> Ask<'_, Judge> {
        Ask::new(self, Judge { exact: None })
    }
}

impl Ask<'_, Find> {
    /// Computes the odds of every value instead of fighting, within this limit of memory in bytes.
    ///
    /// ```
    /// use grognard_kit::Study;
    ///
    /// let study = Study::load("refduel")?;
    /// let found = study.find("unit.plain.figures", "even").cells([1]).exact(1 << 30).run()?;
    /// assert_eq!(found.fought, 0);
    /// # Ok::<(), grognard_kit::Error>(())
    /// ```
    pub fn exact(mut self, max_memory: u64) -> Self {
        self.question.exact.get_or_insert_default().bytes = max_memory;
        self
    }

    /// Limits the number of different states after one step, if odds are computed.
    ///
    /// ```
    /// let study = grognard_kit::Study::load("refduel")?;
    /// let find = |states| study.find("unit.plain.figures", "even").cells([1]).exact(1 << 30).max_states(states).run();
    /// assert!(find(1_000_000)?.fought == 0 && find(1).is_err());
    /// # Ok::<(), grognard_kit::Error>(())
    /// ```
    pub fn max_states(mut self, states: u64) -> Self {
        self.question.exact.get_or_insert_default().states = states;
        self
    }

    /// Runs the search. If it is stopped, its results are still valid, and [`Found::stopped`] is set.
    ///
    /// ```
    /// let study = grognard_kit::Study::load("refduel")?;
    /// assert!(study.find("unit.plain.figurs", "even").run().is_err(), "no such number");
    /// # Ok::<(), grognard_kit::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Faults`]: the study, the number or the target is wrong; [`Error::Unanswered`]: the rules allow none
    /// of the values.
    pub fn run(self) -> Result<Found, Error> {
        self.answer().map(|(_, _, found)| found)
    }

    /// The answer as JSON: the output of `grognard find --json`, without the sentences.
    ///
    /// ```
    /// let study = grognard_kit::Study::load("refduel")?;
    /// let json = study.find("unit.plain.figures", "even").runs(500).json()?;
    /// assert!(json.contains(r#""number":"unit.plain.figures""#));
    /// # Ok::<(), grognard_kit::Error>(())
    /// ```
    ///
    /// # Errors
    /// As `run`.
    pub fn json(self) -> Result<String, Error> {
        let (ready, search, found) = self.answer()?;
        Ok(search.json(&ready.study, &found, &Provenance::default()).to_string())
    }

    fn answer(self) -> Result<(Arc<Ready>, Search, Found), Error> {
        let work = self.ready(false)?;
        let ready = Arc::clone(&work.ready);
        work.check_cells(&work.question.cells)?;
        let demand = Demand::parse(&ready.study, &work.question.demand)
            .map_err(|fault| Error::faults(&Diagnostic::from(fault).into(), &ready.sources))?;
        let (search, found) = work.ask(None, |work, study, variants, progress, stop| {
            let scale = if demand.quantity.share { 1.0 } else { demand.greatest() };
            let search = Search {
                number: sensitivity::number(variants, &work.question.number)?,
                values: Values::Around,
                demand,
                cells: work.question.cells.clone(),
                battles: work.battles(BATTLES),
                precision: scale * work.precision.unwrap_or(0.01),
                level: work.level,
                threads: work.threads,
                exact: work.question.exact,
            };
            let found = search.run(study, variants, progress, stop).map_err(Unanswered::other)?;
            Ok((search, found))
        })?;
        Ok((ready, search, found))
    }
}

impl Ask<'_, Judge> {
    /// Computes the odds instead of fighting, within this limit of memory in bytes.
    ///
    /// ```
    /// # use grognard_kit::Study;
    /// # let text = "study = 'duel'\npack = 'risk'\nturns = 50\n\
    /// #     side.a.units = [{ type = 'army', figures = 5 }]\nside.b.units = [{ type = 'army', figures = 5 }]\n\
    /// #     target = [{ says = 'It is close', metric = 'a score', band = ['40 %', '60 %'] }]\n";
    /// let verdicts = Study::from_text(text)?.judge().exact(1 << 30).run()?;
    /// assert_eq!(verdicts.fought, 0);
    /// # Ok::<(), grognard_kit::Error>(())
    /// ```
    pub fn exact(mut self, max_memory: u64) -> Self {
        self.question.exact.get_or_insert_default().bytes = max_memory;
        self
    }

    /// Limits the number of different states after one step, if odds are computed.
    ///
    /// ```
    /// # use grognard_kit::Study;
    /// # let text = "study = 'duel'\npack = 'risk'\nturns = 50\n\
    /// #     side.a.units = [{ type = 'army', figures = 5 }]\nside.b.units = [{ type = 'army', figures = 5 }]\n\
    /// #     target = [{ says = 'It is close', metric = 'a score', band = ['40 %', '60 %'] }]\n";
    /// let judge = |states| Study::from_text(text).and_then(|study| study.judge().exact(1 << 30).max_states(states).run());
    /// assert!(judge(100_000)?.fought == 0 && judge(1).is_err());
    /// # Ok::<(), grognard_kit::Error>(())
    /// ```
    pub fn max_states(mut self, states: u64) -> Self {
        self.question.exact.get_or_insert_default().states = states;
        self
    }

    /// Judges the rules. If it is stopped, its results are still valid, and [`Verdicts::stopped`] is set.
    ///
    /// ```
    /// let study = grognard_kit::Study::load("refduel")?;
    /// assert!(study.judge().run().is_err(), "it has no targets");
    /// # Ok::<(), grognard_kit::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Faults`]: the study is wrong, or has no targets.
    pub fn run(self) -> Result<Verdicts, Error> {
        self.answer().map(|(_, _, verdicts)| verdicts)
    }

    /// The answer as JSON: the output of `grognard judge --json`, without the sentences.
    ///
    /// ```
    /// # let text = "study = 'duel'\npack = 'risk'\nturns = 50\n\
    /// #     side.a.units = [{ type = 'army', figures = 5 }]\nside.b.units = [{ type = 'army', figures = 5 }]\n\
    /// #     target = [{ says = 'It is close', metric = 'a score', band = ['40 %', '60 %'] }]\n";
    /// let json = grognard_kit::Study::from_text(text)?.judge().runs(1_000).json()?;
    /// assert!(json.contains(r#""says":"It is close""#));
    /// # Ok::<(), grognard_kit::Error>(())
    /// ```
    ///
    /// # Errors
    /// As `run`.
    pub fn json(self) -> Result<String, Error> {
        let (ready, judge, verdicts) = self.answer()?;
        Ok(judge.json(&ready.study, &verdicts, &Provenance::default()).to_string())
    }

    fn answer(self) -> Result<(Arc<Ready>, JudgeOf, Verdicts), Error> {
        let work = self.ready(false)?;
        let ready = Arc::clone(&work.ready);
        let (judge, verdicts) = work.ask(None, |work, study, _, progress, stop| {
            targeted(study)?;
            let judge = JudgeOf {
                battles: work.battles(BATTLES),
                level: work.level,
                threads: work.threads,
                exact: work.question.exact,
            };
            let verdicts = judge.run(study, progress, stop).map_err(Unanswered::other)?;
            Ok((judge, verdicts))
        })?;
        Ok((ready, judge, verdicts))
    }
}

/// Refuses a study without targets, which would always be met.
pub(super) fn targeted(study: &Checked) -> Result<(), Diagnostics> {
    if !study.targets.is_empty() {
        return Ok(());
    }
    let fault = Diagnostic::new(format!("the study `{}` has no targets", study.header.name));
    Err(fault.help("write [[target]] with says, metric and band").into())
}
