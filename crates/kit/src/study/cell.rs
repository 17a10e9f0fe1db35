//! A cell of a study, and its battles.

use std::ops::Range;
use std::sync::Arc;

use grognard_engine::{Outcome, Setup, Side};
use grognard_lab::memoised_cells::MemoisedCells;
use grognard_lab::runner::Fighter;
use grognard_lab::study::Cell;
use grognard_rules::model::Rules;

use super::{Bout, Ready};

/// The number of battles that an iterator fights ahead.
const AHEAD: u64 = 256;

/// One cell of a study: one combination of the values that it varies, ready to fight.
///
/// ```
/// use grognard_kit::{Side, Study};
///
/// let cell = Study::load("square-vs-line")?.cell(18)?;
/// assert_eq!(cell.value("defender.0.formation"), Some("square"));
/// let broken = cell.battles(0..500).filter(|battle| battle.winner() == Some(Side::First)).count();
/// assert!(broken < 250, "squares hold");
/// # Ok::<(), grognard_kit::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct StudyCell {
    ready: Arc<Ready>,
    place: usize,
    seed: u64,
}

impl StudyCell {
    pub(super) fn new(ready: &Arc<Ready>, place: usize) -> Self {
        Self { ready: Arc::clone(ready), place, seed: ready.study.seed }
    }

    pub(super) fn inner(&self) -> &Cell {
        &self.ready.study.cells[self.place]
    }

    /// The cell with this seed instead of the study's.
    ///
    /// ```
    /// # use grognard_kit::Study;
    /// let cell = Study::load("risk-dice")?.cell(0)?;
    /// let outcomes = |seed| cell.clone().seed(seed).battles(0..50).map(|battle| *battle.outcome()).collect::<Vec<_>>();
    /// assert!(outcomes(1) == outcomes(1) && outcomes(1) != outcomes(2));
    /// # Ok::<(), grognard_kit::Error>(())
    /// ```
    #[must_use]
    pub fn seed(self, seed: u64) -> Self {
        Self { seed, ..self }
    }

    /// Its number, from 0.
    ///
    /// ```
    /// assert_eq!(grognard_kit::Study::load("risk-roll")?.cell(1)?.number(), 1);
    /// # Ok::<(), grognard_kit::Error>(())
    /// ```
    #[must_use]
    pub fn number(&self) -> usize {
        self.place
    }

    /// Its label: the varied values that distinguish it, such as `square, heavy-cavalry, front`.
    ///
    /// ```
    /// assert!(!grognard_kit::Study::load("risk-roll")?.cell(1)?.label().is_empty());
    /// # Ok::<(), grognard_kit::Error>(())
    /// ```
    #[must_use]
    pub fn label(&self) -> &str {
        &self.inner().header.label
    }

    /// The value of a varied path in this cell, as the study writes it; `None` for a path that the study does not vary.
    ///
    /// ```
    /// let cell = grognard_kit::Study::load("square-vs-line")?.cell(0)?;
    /// assert_eq!((cell.value("approach"), cell.value("turns")), (Some("front"), None));
    /// # Ok::<(), grognard_kit::Error>(())
    /// ```
    #[must_use]
    pub fn value(&self, path: &str) -> Option<&str> {
        let setting = self.inner().header.vary.iter().find(|setting| setting.path == path);
        setting.map(|setting| setting.value.text.as_str())
    }

    /// The compiled tables that the engine uses.
    ///
    /// ```
    /// let cell = grognard_kit::Study::load("risk-roll")?.cell(0)?;
    /// assert_eq!(cell.rules().name, "risk");
    /// # Ok::<(), grognard_kit::Error>(())
    /// ```
    #[must_use]
    pub fn rules(&self) -> &Rules {
        &self.inner().rules
    }

    /// Its starting position.
    ///
    /// ```
    /// let cell = grognard_kit::Study::load("square-vs-line")?.cell(0)?;
    /// assert_eq!(cell.setup().start.units.len(), 2);
    /// # Ok::<(), grognard_kit::Error>(())
    /// ```
    #[must_use]
    pub fn setup(&self) -> &Setup {
        &self.inner().setup
    }

    /// An iterator over its battles with these numbers. They are fought one after another as the iterator advances,
    /// on the same thread.
    ///
    /// ```
    /// # use grognard_kit::Study;
    /// let cell = Study::load("square-vs-line")?.cell(18)?;
    /// let longest = cell.battles(0..200).max_by_key(|battle| battle.outcome().turns).expect("200 battles");
    /// assert_eq!(cell.battle(longest.number()).run()?, longest);
    /// # Ok::<(), grognard_kit::Error>(())
    /// ```
    #[must_use]
    pub fn battles(&self, numbers: Range<u64>) -> Battles<'_> {
        let fighter = MemoisedCells::with_seed(&self.ready.study, self.seed);
        Battles {
            fighter,
            cell: self.place as u32,
            fought: Vec::new().into_iter(),
            next: numbers.start,
            ahead: numbers,
        }
    }

    /// The battle with this number, to watch, narrate, play, or fight with other dice.
    ///
    /// ```
    /// let cell = grognard_kit::Study::load("square-vs-line")?.cell(18)?;
    /// println!("{}", cell.battle(4).narrate()?.join("\n"));
    /// # Ok::<(), grognard_kit::Error>(())
    /// ```
    pub fn battle(&self, number: u64) -> Bout<'_> {
        Bout::new(self, number, self.seed)
    }
}

/// A battle that was fought.
///
/// ```
/// let battle = grognard_kit::Study::load("risk-dice")?.cell(0)?.battle(3).run()?;
/// assert_eq!(battle.number(), 3);
/// # Ok::<(), grognard_kit::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Battle {
    number: u64,
    outcome: Outcome,
}

impl Battle {
    pub(crate) fn new(number: u64, outcome: Outcome) -> Self {
        Self { number, outcome }
    }

    /// Its number. Together with the cell and the seed, it identifies the battle.
    ///
    /// ```
    /// let cell = grognard_kit::Study::load("risk-dice")?.cell(0)?;
    /// assert_eq!(cell.battles(5..8).map(|battle| battle.number()).collect::<Vec<_>>(), [5, 6, 7]);
    /// # Ok::<(), grognard_kit::Error>(())
    /// ```
    #[must_use]
    pub fn number(&self) -> u64 {
        self.number
    }

    /// How it ended.
    ///
    /// ```
    /// let battle = grognard_kit::Study::load("risk-dice")?.cell(0)?.battle(3).run()?;
    /// assert!(battle.outcome().sides.first.losses <= battle.outcome().sides.first.start);
    /// # Ok::<(), grognard_kit::Error>(())
    /// ```
    #[must_use]
    pub fn outcome(&self) -> &Outcome {
        &self.outcome
    }

    /// The winner, if any.
    ///
    /// ```
    /// let battle = grognard_kit::Study::load("risk-dice")?.cell(0)?.battle(3).run()?;
    /// assert_eq!(battle.winner(), battle.outcome().winner);
    /// # Ok::<(), grognard_kit::Error>(())
    /// ```
    #[must_use]
    pub fn winner(&self) -> Option<Side> {
        self.outcome.winner
    }

    /// The turn in which the first unit of a side routed, if any did; `None` also for a side that is not in the battle.
    ///
    /// ```
    /// use grognard_kit::Side;
    ///
    /// let battle = grognard_kit::Study::load("square-vs-line")?.cell(18)?.battle(4).run()?;
    /// assert!(battle.rout_turn(Side::First).is_none_or(|turn| turn <= battle.outcome().turns));
    /// # Ok::<(), grognard_kit::Error>(())
    /// ```
    #[must_use]
    pub fn rout_turn(&self, side: Side) -> Option<u8> {
        Some(self.outcome.sides.get(side)?.rout_turn).filter(|&turn| turn > 0)
    }
}

/// An iterator over the battles of a cell: see [`StudyCell::battles`].
///
/// ```
/// use grognard_kit::{Battles, Study};
///
/// let cell = Study::load("risk-dice")?.cell(0)?;
/// let battles: Battles<'_> = cell.battles(10..20);
/// assert_eq!(battles.map(|battle| battle.number()).max(), Some(19));
/// # Ok::<(), grognard_kit::Error>(())
/// ```
#[derive(Debug)]
pub struct Battles<'a> {
    fighter: MemoisedCells<'a>,
    cell: u32,
    /// Battles fought ahead.
    fought: std::vec::IntoIter<Outcome>,
    /// The number of the next battle to return.
    next: u64,
    /// The range of battles still to be fought.
    ahead: Range<u64>,
}

impl Iterator for Battles<'_> {
    type Item = Battle;

    fn next(&mut self) -> Option<Battle> {
        if self.fought.len() == 0 {
            let end = self.ahead.end.min(self.ahead.start.saturating_add(AHEAD));
            if self.ahead.start >= end {
                return None;
            }
            self.fought = self.fighter.fight(self.cell, self.ahead.start..end).into_iter();
            self.ahead.start = end;
        }
        let battle = Battle::new(self.next, self.fought.next()?);
        self.next += 1;
        Some(battle)
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        let left = self.fought.len() as u64 + self.ahead.end.saturating_sub(self.ahead.start);
        let left = usize::try_from(left).ok();
        (left.unwrap_or(usize::MAX), left)
    }
}
