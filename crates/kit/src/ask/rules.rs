//! Questions about the rules: which numbers should change, and what is each rule worth?

use std::sync::Arc;

use grognard_lab::questions::{Ablated, Ablation, Provenance, Tuned, Tuning, metric};
use grognard_lab::sensitivity::{Inquiry, LOOK, Meant};
use grognard_source::Diagnostic;

use super::search::targeted;
use super::{Ask, Unanswered};
use crate::error::Error;
use crate::study::{Ready, Study};

/// The smallest change that meets the targets of a study: see [`Study::tune`].
///
/// ```
/// # let text = "study = 'duel'\npack = 'refduel'\nturns = 12\nside.a.units = [{ type = 'one-up' }]\n\
/// #     side.b.units = [{ type = 'plain' }]\ntarget = [{ says = 'Even', metric = 'a score', band = ['70 %', '80 %'] }]\n";
/// use grognard_kit::{Ask, Study, Tune};
///
/// let study = Study::from_text(text)?;
/// let question: Ask<'_, Tune> = study.tune(["unit.plain.figures"]).within(1, 2).runs(500);
/// println!("{} candidates at most", question.run()?.tuning.candidates);
/// # Ok::<(), grognard_kit::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Tune {
    numbers: Vec<String>,
    changes: usize,
    pips: i64,
    candidates: usize,
}

/// The worth of each rule: see [`Study::ablate`].
///
/// ```
/// use grognard_kit::{Ablate, Ask, Study};
///
/// let study = Study::load("refduel")?;
/// let question: Ask<'_, Ablate> = study.ablate("a score").alone().runs(500);
/// assert!(!question.run()?.rules.is_empty());
/// # Ok::<(), grognard_kit::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Ablate {
    pub(super) cells: Vec<usize>,
    of: String,
    pairs: bool,
}

/// The candidates that [`Study::tune`] tried, and the result. Candidates refer to their numbers by position in
/// `tuning`.
///
/// ```
/// # let text = "study = 'duel'\npack = 'refduel'\nturns = 12\nside.a.units = [{ type = 'one-up' }]\n\
/// #     side.b.units = [{ type = 'plain' }]\ntarget = [{ says = 'Even', metric = 'a score', band = ['70 %', '80 %'] }]\n";
/// let tuned = grognard_kit::Study::from_text(text)?.tune(["unit.plain.figures"]).runs(2_000).run()?;
/// assert_eq!(tuned.tuning.numbers[0].name(), "unit.plain.figures");
/// # Ok::<(), grognard_kit::Error>(())
/// ```
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct TuneResult {
    /// The numbers that may change, and by how much.
    pub tuning: Tuning,
    /// The result.
    pub tuned: Tuned,
}

impl TuneResult {
    /// The smallest change that meets all targets: paths, and values in thousandths before and after. Empty if none
    /// was found.
    ///
    /// ```
    /// # let text = "study = 'duel'\npack = 'refduel'\nturns = 12\nside.a.units = [{ type = 'one-up' }]\n\
    /// #     side.b.units = [{ type = 'plain' }]\ntarget = [{ says = 'Even', metric = 'a score', band = ['70 %', '80 %'] }]\n";
    /// let tuned = grognard_kit::Study::from_text(text)?.tune(["unit.plain.figures"]).runs(2_000).run()?;
    /// for (path, from, to) in tuned.change() {
    ///     println!("{path}: {} becomes {}", from / 1000, to / 1000);
    /// }
    /// # Ok::<(), grognard_kit::Error>(())
    /// ```
    pub fn change(&self) -> impl Iterator<Item = (String, i64, i64)> + '_ {
        let moves = self.tuned.found.iter().flat_map(|(candidate, _)| &candidate.moves);
        moves.map(|&(place, pips)| {
            let number = &self.tuning.numbers[place];
            (number.name(), number.value, number.value + pips * number.pip)
        })
    }
}

impl Study {
    /// What is the smallest change to these numbers that meets all targets of the study? Like `grognard tune --number
    /// …`: up to two of the numbers in use change together, by up to three steps each. If there are more than 1,000
    /// candidates, those with the numbers that come first in the pack are tried. `runs` is the maximum number of
    /// battles in a cell for one candidate.
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
    /// let tuned = Study::from_text(text)?.tune(["unit.plain.figures"]).run()?;
    /// for (path, from, to) in tuned.change() {
    ///     println!("{path}: {} becomes {}", from / 1000, to / 1000);
    /// }
    /// # Ok::<(), grognard_kit::Error>(())
    /// ```
    pub fn tune<N: Into<String>>(&self, numbers: impl IntoIterator<Item = N>) -> Ask<'_, Tune> {
        let numbers = numbers.into_iter().map(Into::into).collect();
        let (changes, pips, candidates) = (Tuning::CHANGES, Tuning::PIPS, Tuning::CANDIDATES);
        Ask::new(self, Tune { numbers, changes, pips, candidates })
    }

    /// What is each rule worth, in points of a metric? Like `grognard ablate --metric METRIC --runs N`, with the
    /// study's number of battles in each cell, or `runs`.
    ///
    /// ```
    /// let worth = grognard_kit::Study::load("refduel")?.ablate("a score").runs(2_000).run()?;
    /// for rule in &worth.rules {
    ///     println!("{}: {}", rule.switch.name(), rule.worth.points());
    /// }
    /// # Ok::<(), grognard_kit::Error>(())
    /// ```
    pub fn ablate(&self, metric: impl Into<String>) -> Ask<'_, Ablate> {
        Ask::new(self, Ablate { cells: Vec::new(), of: metric.into(), pairs: true })
    }
}

impl Ask<'_, Tune> {
    /// Sets how many numbers may change together, and by how many steps each.
    ///
    /// ```
    /// # let text = "study = 'duel'\npack = 'refduel'\nturns = 12\nside.a.units = [{ type = 'one-up' }]\n\
    /// #     side.b.units = [{ type = 'plain' }]\ntarget = [{ says = 'Even', metric = 'a score', band = ['70 %', '80 %'] }]\n";
    /// let study = grognard_kit::Study::from_text(text)?;
    /// let tuned = study.tune(["unit.plain.figures"]).within(1, 2).runs(2_000).run()?;
    /// assert!(tuned.tuning.changes == 1 && tuned.tuning.pips == 2);
    /// # Ok::<(), grognard_kit::Error>(())
    /// ```
    pub fn within(mut self, changes: usize, pips: i64) -> Self {
        (self.question.changes, self.question.pips) = (changes, pips);
        self
    }

    /// Sets the maximum number of candidates to try.
    ///
    /// ```
    /// # let text = "study = 'duel'\npack = 'refduel'\nturns = 12\nside.a.units = [{ type = 'one-up' }]\n\
    /// #     side.b.units = [{ type = 'plain' }]\ntarget = [{ says = 'Even', metric = 'a score', band = ['70 %', '80 %'] }]\n";
    /// let study = grognard_kit::Study::from_text(text)?;
    /// assert_eq!(study.tune(["unit.plain.figures"]).candidates(3).runs(2_000).run()?.tuning.candidates, 3);
    /// # Ok::<(), grognard_kit::Error>(())
    /// ```
    pub fn candidates(mut self, most: usize) -> Self {
        self.question.candidates = most;
        self
    }

    /// Runs the search. If it is stopped, its results are still valid, and [`Tuned::stopped`] is set.
    ///
    /// ```
    /// let study = grognard_kit::Study::load("refduel")?;
    /// assert!(study.tune(["unit.plain.figures"]).run().is_err(), "it has no targets");
    /// # Ok::<(), grognard_kit::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Faults`]: the study or a number is wrong, there are no targets, or none of the numbers is in use.
    /// [`Error::Unanswered`]: it was stopped before it knew which numbers are in use. [`Error::Setting`].
    pub fn run(self) -> Result<TuneResult, Error> {
        self.answer().map(|(_, tuned)| tuned)
    }

    /// The answer as JSON: the output of `grognard tune --json`, without the sentences.
    ///
    /// ```
    /// # let text = "study = 'duel'\npack = 'refduel'\nturns = 12\nside.a.units = [{ type = 'one-up' }]\n\
    /// #     side.b.units = [{ type = 'plain' }]\ntarget = [{ says = 'Even', metric = 'a score', band = ['70 %', '80 %'] }]\n";
    /// let json = grognard_kit::Study::from_text(text)?.tune(["unit.plain.figures"]).runs(2_000).json()?;
    /// assert!(json.contains(r#""method":"tune""#));
    /// # Ok::<(), grognard_kit::Error>(())
    /// ```
    ///
    /// # Errors
    /// As `run`.
    pub fn json(self) -> Result<String, Error> {
        let (ready, TuneResult { tuning, tuned }) = self.answer()?;
        Ok(tuning.json(&ready.study, &tuned, &Provenance::default()).to_string())
    }

    fn answer(self) -> Result<(Arc<Ready>, TuneResult), Error> {
        let Tune { changes, pips, candidates, .. } = self.question;
        if changes == 0 || candidates == 0 || !(1..=100).contains(&pips) {
            let message =
                format!("{changes} changes by {pips} steps among {candidates} candidates leave nothing to search");
            return Err(Error::setting(message, "allow at least 1 of each, and at most 100 steps"));
        }
        let work = self.ready(false)?;
        let ready = Arc::clone(&work.ready);
        let found = work.ask(None, |work, study, variants, progress, stop| {
            targeted(study)?;
            let names: Vec<&str> = work.question.numbers.iter().map(String::as_str).collect();
            let meant = Meant::of(&names, variants)?;
            // Which numbers are in use does not depend on the metric.
            let quantity = metric(study, &study.targets[0].metric).ok_or_else(|| Unanswered::other("no metric"))?;
            let (cells, level, threads) = (Vec::new(), work.level, work.threads);
            let inquiry = Inquiry { cells, battles: LOOK, quantity, pips, level, threads };
            let choice = inquiry.choose(study, variants, &meant.named(), progress, stop);
            let mut numbers = choice.map_err(Unanswered::other)?.numbers;
            numbers.retain(|number| meant.may_change(number, variants));
            if numbers.is_empty() {
                let fault = Diagnostic::new("none of these numbers is in use in this study");
                return Err(fault.help("name others").into());
            }
            let battles = work.battles(Tuning::BATTLES);
            let tuning = Tuning { numbers, changes, pips, candidates, battles, level, threads };
            let tuned = tuning.run(study, variants, progress, stop).map_err(Unanswered::other)?;
            Ok(TuneResult { tuning, tuned })
        })?;
        Ok((ready, found))
    }
}

impl Ask<'_, Ablate> {
    /// Tries only single rules, not pairs of them.
    ///
    /// ```
    /// let worth = grognard_kit::Study::load("refduel")?.ablate("a score").alone().runs(500).run()?;
    /// assert!(worth.pairs.is_empty());
    /// # Ok::<(), grognard_kit::Error>(())
    /// ```
    pub fn alone(mut self) -> Self {
        self.question.pairs = false;
        self
    }

    /// Tries every rule. If it is stopped, the results for the rules tried are still valid, and
    /// [`Ablated::stopped`] is set.
    ///
    /// ```
    /// let study = grognard_kit::Study::load("refduel")?;
    /// assert!(study.ablate("a scor").run().unwrap_err().to_string().contains("did you mean `a score`?"));
    /// # Ok::<(), grognard_kit::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Faults`]: the study is wrong; [`Error::Unknown`]: it has no such metric; [`Error::Unanswered`]: it was stopped before a
    /// rule was tried.
    pub fn run(self) -> Result<Ablated, Error> {
        self.answer().map(|(_, _, found)| found)
    }

    /// The answer as JSON: the output of `grognard ablate --json`, without the sentences.
    ///
    /// ```
    /// let json = grognard_kit::Study::load("refduel")?.ablate("a score").alone().runs(500).json()?;
    /// assert!(json.contains(r#""metric":"a score""#));
    /// # Ok::<(), grognard_kit::Error>(())
    /// ```
    ///
    /// # Errors
    /// As `run`.
    pub fn json(self) -> Result<String, Error> {
        let (ready, ablation, found) = self.answer()?;
        Ok(ablation.json(&ready.study, &found, &Provenance::default()).to_string())
    }

    fn answer(self) -> Result<(Arc<Ready>, Ablation, Ablated), Error> {
        let work = self.ready(false)?;
        let ready = Arc::clone(&work.ready);
        work.check_cells(&work.question.cells)?;
        let quantity = work.metric(&work.question.of)?;
        let (ablation, found) = work.ask(None, |work, study, variants, progress, stop| {
            let ablation = Ablation {
                switches: variants.switches(),
                cells: work.question.cells.clone(),
                battles: work.battles(study.runs),
                quantity,
                pairs: work.question.pairs,
                level: work.level,
                threads: work.threads,
            };
            let found = ablation.run(study, variants, progress, stop).map_err(Unanswered::other)?;
            let found = found.ok_or_else(|| Unanswered::other("it was stopped before any rule was tried"))?;
            Ok((ablation, found))
        })?;
        Ok((ready, ablation, found))
    }
}
