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
    distinct: Vec<Outcome>,
    numbers: Vec<u32>,
}

impl Outcomes {
    /// These distinct outcomes, and the number of each battle's outcome among them.
    pub(super) fn new(distinct: Vec<Outcome>, numbers: Vec<u32>) -> Self {
        debug_assert!(numbers.iter().all(|&number| (number as usize) < distinct.len()));
        Self { distinct, numbers }
    }

    /// The outcomes with the names of the sides exchanged.
    #[must_use]
    pub fn swap(self) -> Self {
        Self { distinct: self.distinct.into_iter().map(Outcome::swap).collect(), ..self }
    }

    /// The outcomes of two lists of battles as one list. For each battle, `second` says whether it is the next of the
    /// second list or of the first.
    ///
    /// # Panics
    /// If one of the lists has fewer battles than `second` says.
    #[must_use]
    pub fn merge(lists: [Self; 2], second: impl Iterator<Item = bool>) -> Self {
        let mut distinct = Interner::default();
        let mut numbers = lists.map(|list| {
            let new: Vec<u32> = list.distinct.iter().map(|outcome| number(&mut distinct, outcome)).collect();
            list.numbers.into_iter().map(move |number| new[number as usize])
        });
        let next = |second| numbers[usize::from(second)].next().expect("as many battles as there are places");
        let numbers = second.map(next).collect();
        Self::new(distinct.into_items(), numbers)
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
        &self.distinct
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
        let mut distinct = Interner::default();
        let numbers = outcomes.into_iter().map(|outcome| number(&mut distinct, &outcome)).collect();
        Self::new(distinct.into_items(), numbers)
    }
}

/// The number of an outcome, which is added to the distinct ones if it is new.
pub(super) fn number(distinct: &mut Interner<Outcome>, outcome: &Outcome) -> u32 {
    let Ok(number) = distinct.number(outcome) else {
        unreachable!("there are fewer battles than 32-bit numbers");
    };
    number
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
