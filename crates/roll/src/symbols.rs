//! Symbol dice: counts of symbols.
//!
//! Example: the battle die of the ancients hex game. `hits` counts the target's colour and, in close combat, swords;
//! `flags` counts flags. An elephant's swords hit and are rolled again: the face `swords` counts and adds a die, except
//! for one that the target ignores.

use grognard_dice::{Face, Faces};

use super::throw::{Explode, Kind, Process, Reroll, check_dice, check_no_need, count_by_hand, count_up_to_most, named};
use super::totals::Draft;
use super::weights::{Budget, Excess, FIELD_MAX, Key, Spread, packed, unpacked};
use super::{Amount, Procedure, RollError, TOTALS_MAX, Totals};

/// A count of symbols. Totals: one for each of [`Symbols::counts`], in order.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Symbols {
    /// The dice.
    pub kinds: Vec<Kind>,
    /// Which dice are rolled again: only by face, because symbols have no required score.
    pub reroll: Option<Reroll>,
    /// Which faces add another die.
    pub explode: Option<Explode>,
    /// The number of dice that should add another but do not, counted from the first. `None` means no exception.
    pub inert: Option<Amount>,
    /// The totals.
    pub counts: Vec<Count>,
    /// Faces that count only in some situations.
    pub tallies: Vec<Tally>,
}

/// Faces that count for a total in some situations.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Tally {
    /// The total they count for, an index into [`Symbols::counts`].
    pub total: usize,
    /// The labels of the faces.
    pub faces: Vec<String>,
    /// Any number but 0 if they count; `None` means that they always do.
    pub when: Option<Amount>,
    /// The index of the one face that counts; `None` means that all do.
    pub pick: Option<Amount>,
}

impl Tally {
    fn counts(&self, face: &Face, inputs: &[i32]) -> bool {
        let picked =
            |at: usize| self.pick.is_none_or(|pick| usize::try_from(pick.at(inputs)).is_ok_and(|picked| picked == at));
        self.when.is_none_or(|when| when.at(inputs) != 0)
            && self.faces.iter().enumerate().any(|(at, label)| *label == face.label && picked(at))
    }
}

/// One of the things that are counted.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Count {
    /// The total's name.
    pub name: String,
    /// The labels of the faces that count. A face may count for several totals.
    pub faces: Vec<String>,
}

impl Symbols {
    fn process<'a>(&'a self, kind: &'a Kind) -> Process<'a> {
        Process::new(&kind.die, self.reroll.as_ref(), self.explode.as_ref(), None)
    }

    fn counted(&self, face: &Face, inputs: &[i32]) -> impl Iterator<Item = usize> {
        let counts = self.counts.iter().take(TOTALS_MAX).enumerate();
        let plain = counts.filter(|(_, count)| count.faces.contains(&face.label)).map(|(index, _)| index);
        plain.chain(self.tallies.iter().filter(|tally| tally.counts(face, inputs)).map(|tally| tally.total))
    }

    fn inert(&self, inputs: &[i32]) -> u32 {
        self.inert.map_or(0, |inert| count_by_hand(inert, inputs))
    }

    fn spread(&self, inputs: &[i32], budget: &mut Budget) -> Result<Spread, RollError> {
        let repeats = self.explode.as_ref().map_or(0, |explode| i64::from(explode.limit));
        let (mut sum, mut most) = (Spread::certain(0), 0i64);
        for kind in &self.kinds {
            let key = |face: &Face| self.counted(face, inputs).map(packed).sum::<Key>();
            let process = self.process(kind);
            let one = process.spread(key, budget).map_err(|excess| excess.of_die(&kind.die))?;
            let count = count_up_to_most(kind.count, inputs)?;
            // The counts are packed side by side, and none may overflow into its neighbour.
            most += i64::from(count) * (repeats + 1);
            if most > FIELD_MAX.into() {
                let name = self.counts.first().map_or_else(String::new, |count| count.name.clone());
                return Err(RollError::TotalOutOfRange { name, value: most });
            }
            let all = match self.inert(inputs).min(count) {
                0 => one.times_near(count, budget),
                inert => process.spread_of(count, inert, key, budget),
            };
            let kinds = all.and_then(|kind| sum.plus_near(&kind, budget));
            sum = kinds.map_err(|excess: Excess| excess.of_die(&kind.die))?;
        }
        Ok(sum)
    }
}

impl Procedure for Symbols {
    fn totals(&self) -> Vec<String> {
        self.counts.iter().map(|count| count.name.clone()).collect()
    }

    fn amounts(&self) -> Vec<Amount> {
        let situational = self.tallies.iter().flat_map(|tally| [tally.when, tally.pick]).flatten();
        self.kinds.iter().map(|kind| kind.count).chain(situational).chain(self.inert).collect()
    }

    fn check(&self) -> Result<(), RollError> {
        let labels = named(self.reroll.as_ref(), self.explode.as_ref());
        let labels = labels.chain(self.counts.iter().flat_map(|count| &count.faces));
        let labels = labels.chain(self.tallies.iter().flat_map(|tally| &tally.faces));
        check_dice(self.kinds.iter().map(|kind| &kind.die), labels)?;
        if self.inert.is_some() && self.kinds.len() > 1 {
            return Err(RollError::Meaningless(
                "there are dice of several kinds, and some of them never add a die: it is unclear which come first",
            ));
        }
        check_no_need(self.reroll.as_ref())
    }

    fn work_out(&self, inputs: &[i32], budget: &mut Budget) -> Result<Vec<(Totals, u128)>, RollError> {
        let spread = self.spread(inputs, budget)?;
        budget.note([&spread]);
        let entry = |&(key, weight): &(Key, u128)| {
            let counts: Vec<i64> = unpacked(key, self.counts.len()).collect();
            (Draft::of(&counts).clamped(), weight)
        };
        Ok(spread.entries().iter().map(entry).collect())
    }

    fn by_hand(&self, inputs: &[i32], faces: &mut dyn Faces) -> Totals {
        let mut counts = vec![0i64; self.counts.len()];
        for kind in &self.kinds {
            let count = count_by_hand(kind.count, inputs);
            self.process(kind).throw(count, self.inert(inputs), faces, &mut |_, face| {
                for index in self.counted(face, inputs) {
                    counts[index] += 1;
                }
            });
        }
        Draft::of(&counts).clamped()
    }
}
