//! The outcomes of many battles.

use crate::cache::states::Interner;
use crate::state::Outcome;

/// The outcomes of battles, in order, each distinct one stored once.
///
/// ```
/// use grognard_engine::{BySide, Outcome, Outcomes, SideOutcome};
///
/// let draw = Outcome { winner: None, turns: 8, sides: BySide::new(SideOutcome::default(), SideOutcome::default()) };
/// let outcomes: Outcomes = [draw, Outcome { turns: 7, ..draw }, draw].into_iter().collect();
/// assert_eq!(outcomes.numbers(), [0, 1, 0]);
/// assert_eq!(outcomes.iter().map(|outcome| outcome.turns).collect::<Vec<_>>(), [8, 7, 8]);
/// ```
#[derive(Clone, Debug, Default)]
pub struct Outcomes {
    distinct: Interner<Outcome>,
    numbers: Vec<u32>,
}

impl Outcomes {
    /// Adds the outcome of another battle.
    pub fn push(&mut self, outcome: &Outcome) {
        let number = self.number(outcome);
        self.numbers.push(number);
    }

    /// The number of an outcome. A new outcome is added to the distinct ones.
    pub(crate) fn number(&mut self, outcome: &Outcome) -> u32 {
        let Ok(number) = self.distinct.number(outcome) else {
            unreachable!("there are fewer battles than 32-bit numbers");
        };
        number
    }

    /// Replaces the list of outcome numbers, one for each battle.
    pub(crate) fn with(self, numbers: Vec<u32>) -> Self {
        Self { numbers, ..self }
    }

    /// The number of battles.
    #[must_use]
    pub fn len(&self) -> usize {
        self.numbers.len()
    }

    /// The outcomes of the first `count` battles.
    #[must_use]
    pub fn first(&self, count: usize) -> Self {
        // Usually all battles of a block are wanted, and then no outcome has to be looked up again.
        if count >= self.len() { self.clone() } else { self.iter().take(count).copied().collect() }
    }

    /// Whether there are no battles.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.numbers.is_empty()
    }

    /// The distinct outcomes.
    #[must_use]
    pub fn distinct(&self) -> &[Outcome] {
        self.distinct.items()
    }

    /// The number of each battle's outcome among the distinct ones.
    #[must_use]
    pub fn numbers(&self) -> &[u32] {
        &self.numbers
    }

    /// The number of battles with each of the distinct outcomes.
    #[must_use]
    pub fn counts(&self) -> Vec<u64> {
        let mut counts = vec![0; self.distinct().len()];
        self.numbers.iter().for_each(|&number| counts[number as usize] += 1);
        counts
    }

    /// The outcome of each battle.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = &Outcome> {
        let distinct = self.distinct();
        self.numbers.iter().map(|&number| &distinct[number as usize])
    }
}

impl FromIterator<Outcome> for Outcomes {
    fn from_iter<I: IntoIterator<Item = Outcome>>(outcomes: I) -> Self {
        let mut all = Self::default();
        all.extend(outcomes);
        all
    }
}

impl Extend<Outcome> for Outcomes {
    fn extend<I: IntoIterator<Item = Outcome>>(&mut self, outcomes: I) {
        outcomes.into_iter().for_each(|outcome| self.push(&outcome));
    }
}

impl std::ops::Index<usize> for Outcomes {
    type Output = Outcome;

    fn index(&self, battle: usize) -> &Outcome {
        &self.distinct()[self.numbers[battle] as usize]
    }
}

/// Whether all battles have the same outcomes, whatever their numbers.
impl PartialEq for Outcomes {
    fn eq(&self, other: &Self) -> bool {
        self.iter().eq(other.iter())
    }
}

impl Eq for Outcomes {}
