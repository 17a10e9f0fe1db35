//! Training: is there a better doctrine, and what is it worth?

use std::sync::Arc;

use grognard_engine::Side;
use grognard_lab::questions::{Provenance, Trained, Training};
use grognard_lab::sensitivity::Quantity;

use super::{Ask, Unanswered};
use crate::error::Error;
use crate::study::{Ready, Study, check_side};

/// A better doctrine: see [`Study::train`].
///
/// ```
/// use grognard_kit::{Ask, Side, Study, Train};
///
/// let study = Study::load("square-vs-line")?;
/// let question: Ask<'_, Train> = study.train(Side::First).cells([18]).steps(0).runs(500);
/// assert!(question.run()?.steps.is_empty());
/// # Ok::<(), grognard_kit::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Train {
    pub(super) cells: Vec<usize>,
    side: Side,
    metric: Option<String>,
    steps: usize,
}

impl Study {
    /// Is there a better doctrine for a side, and what is it worth? Like `grognard train --side SIDE`: small
    /// changes to the rows race each other, and the result is scored with dice that the search has not used. `runs` is the
    /// number of battles in each cell that score it.
    ///
    /// ```
    /// use grognard_kit::{Side, Study};
    ///
    /// let study = Study::load("square-vs-line")?;
    /// let trained = study.train(Side::First).cells([18]).steps(1).runs(1_000).run()?;
    /// println!("it gains {} points:\n{}", trained.gain.points(), trained.toml(&[]));
    /// # Ok::<(), grognard_kit::Error>(())
    /// ```
    pub fn train(&self, side: Side) -> Ask<'_, Train> {
        Ask::new(self, Train { cells: Vec::new(), side, metric: None, steps: Training::STEPS })
    }
}

impl Ask<'_, Train> {
    /// Trains for this metric: a side's score or wins, or its losses. The default is the side's score.
    ///
    /// ```
    /// use grognard_kit::{Side, Study};
    ///
    /// let study = Study::load("square-vs-line")?;
    /// let training = study.train(Side::First).metric("attacker").cells([18]).steps(1).runs(500);
    /// assert_eq!(training.run()?.cells.len(), 1);
    /// # Ok::<(), grognard_kit::Error>(())
    /// ```
    pub fn metric(mut self, name: impl Into<String>) -> Self {
        self.question.metric = Some(name.into());
        self
    }

    /// Sets the maximum number of changes to the doctrine.
    ///
    /// ```
    /// use grognard_kit::{Side, Study};
    ///
    /// let trained = Study::load("square-vs-line")?.train(Side::First).cells([18]).steps(0).runs(500).run()?;
    /// assert!(trained.steps.is_empty());
    /// # Ok::<(), grognard_kit::Error>(())
    /// ```
    pub fn steps(mut self, most: usize) -> Self {
        self.question.steps = most;
        self
    }

    /// Trains until no small change is a certain improvement. If it is stopped, the doctrine found by then is scored,
    /// and [`Trained::stopped`] is set.
    ///
    /// ```
    /// use grognard_kit::{Side, Study};
    ///
    /// let study = Study::load("square-vs-line")?;
    /// assert!(study.train(Side::First).metric("turns").run().is_err(), "neither side wants many turns");
    /// # Ok::<(), grognard_kit::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Faults`]: the study is wrong; [`Error::Unknown`]: it has no such metric or side;
    /// [`Error::Unanswered`]: the side has no doctrine, or several.
    pub fn run(self) -> Result<Trained, Error> {
        self.answer().map(|(_, _, trained)| trained)
    }

    /// The answer as JSON: the output of `grognard train --json`, without the sentences.
    ///
    /// ```
    /// use grognard_kit::{Side, Study};
    ///
    /// let json = Study::load("square-vs-line")?.train(Side::First).cells([18]).steps(0).runs(500).json()?;
    /// assert!(json.contains(r#""side":"attacker""#));
    /// # Ok::<(), grognard_kit::Error>(())
    /// ```
    ///
    /// # Errors
    /// As `run`.
    pub fn json(self) -> Result<String, Error> {
        let (ready, training, trained) = self.answer()?;
        let doctrine = trained.toml(&[]);
        Ok(training.json(&ready.study, &trained, &doctrine, &Provenance::default()).to_string())
    }

    fn answer(self) -> Result<(Arc<Ready>, Training, Trained), Error> {
        let work = self.ready(false)?;
        work.of_two_sides("training")?;
        let ready = Arc::clone(&work.ready);
        work.check_cells(&work.question.cells)?;
        let side = work.question.side;
        check_side(&work.ready.study.sides, side)?;
        let quantity = match &work.question.metric {
            Some(name) => work.metric(name)?,
            None => Quantity::score(&work.ready.study, side),
        };
        let (training, trained) = work.ask(None, |work, study, variants, progress, stop| {
            let training = Training {
                cells: work.question.cells.clone(),
                side,
                quantity,
                steps: work.question.steps,
                look: Training::LOOK,
                battles: work.battles(Training::BATTLES),
                each: Training::sure(),
                level: work.level,
                threads: work.threads,
            };
            let trained = training.run(study, variants, progress, stop).map_err(Unanswered::other)?;
            Ok((training, trained))
        })?;
        Ok((ready, training, trained))
    }
}
