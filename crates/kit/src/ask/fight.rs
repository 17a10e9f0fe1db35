//! Runs of a study.

use grognard_lab::in_memory::Run;
use grognard_lab::results::{Promise, PromiseKind};
use grognard_lab::runner::{Keep, Shard};

use super::Ask;
use crate::answer::Answer;
use crate::error::Error;
use crate::progress::Reporter;
use crate::study::Study;

/// A run of a study, which fights the battles of all its cells: see [`Study::fight`].
///
/// ```
/// use grognard_kit::{Ask, Fight, Study};
///
/// /// The settings that a program always uses.
/// fn usual(study: &Study) -> Ask<'_, Fight> {
///     study.fight().runs(1_000).luck()
/// }
///
/// assert_eq!(usual(&Study::load("risk-roll")?).run()?.battles(), 1_000);
/// # Ok::<(), grognard_kit::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Fight {
    shard: Result<Shard, (u32, u32)>,
    keep: Keep,
    promise: Promise,
    luck: bool,
}

impl Study {
    /// Fights the study's battles. The numbers are identical to those of `grognard run`, bit for bit, and nothing
    /// is written.
    ///
    /// ```
    /// use grognard_kit::{Keep, Metric, Side, Study};
    ///
    /// let study = Study::load("square-vs-line")?;
    /// let answer = study.fight().runs(2_000).seed(1815).keep(Keep::All).run()?;
    /// for cell in answer.with([("defender.0.formation", "square")])? {
    ///     println!("{}: the defender wins {}", cell.label(), cell.share(Side::Second).percent());
    ///     let losses = cell.histogram([Metric::Losses(Side::First), Metric::Losses(Side::Second)])?;
    ///     assert_eq!(losses.battles(), Some(2_000));
    /// }
    /// # Ok::<(), grognard_kit::Error>(())
    /// ```
    pub fn fight(&self) -> Ask<'_, Fight> {
        let (shard, keep, promise) = (Ok(Shard::WHOLE), Keep::None, Promise::default());
        Ask::new(self, Fight { shard, keep, promise, luck: false })
    }
}

impl Ask<'_, Fight> {
    /// Keeps these battles individually. The default is none. A kept battle takes 38 bytes of memory, and 48 more with
    /// [`luck`](Ask::luck).
    ///
    /// ```
    /// use grognard_kit::{Keep, Study};
    ///
    /// let answer = Study::load("risk-roll")?.fight().runs(1_000).keep(Keep::First(10)).run()?;
    /// assert_eq!(answer.cell(0)?.battles().len(), 10);
    /// # Ok::<(), grognard_kit::Error>(())
    /// ```
    pub fn keep(mut self, keep: Keep) -> Self {
        self.question.keep = keep;
        self
    }

    /// Fights only shard `number` of `of`, counted from 1. [`Answer::merge`] combines the answers of all shards into
    /// that of a single run. A shard cannot have a [precision](Ask::precision), because it does not know the battles of
    /// the others.
    ///
    /// ```
    /// use grognard_kit::{Answer, Study};
    ///
    /// let study = Study::load("risk-roll")?;
    /// let shards = (1..=3).map(|number| study.fight().runs(20_000).shard(number, 3).run());
    /// let sum = Answer::merge(&shards.collect::<Result<Vec<_>, _>>()?)?;
    /// assert_eq!(sum.digest(), study.fight().runs(20_000).run()?.digest());
    /// # Ok::<(), grognard_kit::Error>(())
    /// ```
    pub fn shard(mut self, number: u32, of: u32) -> Self {
        self.question.shard = Shard::new(number, of).ok_or((number, of));
        self
    }

    /// The kind of intervals: see [`Intervals`](crate::Intervals). The default is exact intervals.
    ///
    /// ```
    /// use grognard_kit::{Intervals, Study};
    ///
    /// Study::load("risk-roll")?.fight().runs(1_000).intervals(Intervals::Watched).run()?;
    /// # Ok::<(), grognard_kit::Error>(())
    /// ```
    pub fn intervals(mut self, kind: PromiseKind) -> Self {
        self.question.promise.kind = kind;
        self
    }

    /// Widens all intervals so that they are simultaneous: the level applies to all of them jointly, not to each on its
    /// own.
    ///
    /// ```
    /// use grognard_kit::{Side, Study};
    ///
    /// let study = Study::load("square-vs-line")?;
    /// let (each, all) = (study.fight().runs(500).run()?, study.fight().runs(500).together().run()?);
    /// assert!(all.cell(0)?.share(Side::First).half_width() > each.cell(0)?.share(Side::First).half_width());
    /// # Ok::<(), grognard_kit::Error>(())
    /// ```
    pub fn together(mut self) -> Self {
        self.question.promise.together = true;
        self
    }

    /// Counts how lucky each side's dice are; [`Cell::controlled`](crate::Cell::controlled) has estimates with the
    /// luck removed.
    ///
    /// ```
    /// use grognard_kit::Study;
    ///
    /// let answer = Study::load("risk-dice")?.fight().runs(2_000).luck().run()?;
    /// let cell = answer.cell(0)?;
    /// let (plain, controlled) = (cell.estimate("attacker")?, cell.controlled("attacker")?);
    /// assert!(controlled.is_some_and(|without| without.half_width() < plain.half_width()));
    /// # Ok::<(), grognard_kit::Error>(())
    /// ```
    pub fn luck(mut self) -> Self {
        self.question.luck = true;
        self
    }

    /// Fights the battles. A run that was stopped also gives an answer, from the battles fought by then.
    ///
    /// ```
    /// let answer = grognard_kit::Study::load("risk-roll")?.fight().runs(1_000).run()?;
    /// println!("{answer}");
    /// # Ok::<(), grognard_kit::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Faults`]: everything that is wrong with the study and its pack. [`Error::Setting`]: a setting is
    /// invalid.
    pub fn run(self) -> Result<Answer, Error> {
        let mut work = self.ready(true)?;
        if work.question.luck {
            work.of_two_sides("luck")?;
        }
        let shard = work.question.shard.map_err(|(number, of)| {
            let help = format!("shards are numbered from 1, and there are at most {}", Shard::OF_MAX);
            Error::setting(format!("there is no shard {number} of {of}"), help)
        })?;
        if work.precision.is_some() && shard != Shard::WHOLE {
            let help = "omit one of them: a shard does not know how precise the others make the run";
            return Err(Error::setting("`precision` cannot be used with `shard`", help));
        }
        let study = &work.ready.study;
        let Fight { keep, promise, luck, .. } = work.question;
        let run = Run {
            shard,
            precision: work.precision,
            level: work.level,
            promise,
            luck,
            keep,
            threads: work.threads,
            command: String::new(),
        };
        let battles = shard.battles(study.runs);
        let cells = study.cells.len() as u64;
        let reporter = Reporter::new(work.tell.take(), Some((battles.end - battles.start).saturating_mul(cells)), None);
        let fought = run.fight(study, &reporter, &work.stop()).map_err(Error::threads)?;
        reporter.end();
        Ok(Answer::new(fought))
    }
}
