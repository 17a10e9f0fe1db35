//! Compiled counters: numbers of a unit besides its figures and its morale.

use super::roll::Effect;
use super::{Source, Whose};
use grognard_expr::Lookup;

/// The maximum number of counters in a pack.
pub const COUNTERS_MAX: usize = 8;

/// The maximum of a counter; the minimum is its negative.
pub const COUNT_MAX: i32 = 100;

/// The value of every counter of a unit, in the pack's order.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Counters([i8; COUNTERS_MAX]);

impl std::hash::Hash for Counters {
    fn hash<H: std::hash::Hasher>(&self, state: &mut H) {
        // Hashed as one word, so that counters do not slow down the hashing of states.
        u64::from_le_bytes(self.0.map(i8::cast_unsigned)).hash(state);
    }
}

impl Counters {
    /// The value of a counter.
    #[inline]
    #[must_use]
    pub fn get(self, counter: u8) -> i32 {
        self.0.get(usize::from(counter)).map_or(0, |&value| i32::from(value))
    }

    /// Sets a counter to a value from -[`COUNT_MAX`] to [`COUNT_MAX`].
    pub fn set(&mut self, counter: u8, value: i32) {
        if let Some(place) = self.0.get_mut(usize::from(counter)) {
            *place = value as i8;
        }
    }

    /// All values, including those of counters that the pack does not have.
    #[must_use]
    pub fn values(self) -> [i8; COUNTERS_MAX] {
        self.0
    }
}

/// The effects of a result on a unit's counters.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Counts {
    /// A bit for each counter that it changes.
    pub changed: u8,
    /// A bit for each of these that is set rather than added to.
    pub set: u8,
    /// The value that each is set to, or that is added.
    pub by: [i8; COUNTERS_MAX],
}

impl Counts {
    /// Adds to a counter.
    pub(crate) fn add(&mut self, counter: u8, by: i32) {
        if by != 0 {
            self.change(counter, by);
        }
    }

    /// Sets a counter.
    pub(crate) fn set(&mut self, counter: u8, to: i32) {
        self.set |= 1 << counter;
        self.change(counter, to);
    }

    fn change(&mut self, counter: u8, by: i32) {
        self.changed |= 1 << counter;
        if let Some(place) = self.by.get_mut(usize::from(counter)) {
            *place = by as i8;
        }
    }
}

/// What happens at either end of a counter's range.
#[derive(Clone, Debug)]
pub struct Beyond {
    /// The effect on the unit; `None` means the counter just stops there.
    pub effect: Option<Effect>,
}

/// A counter.
#[derive(Clone, Debug)]
pub struct Counter {
    /// Its name in the pack and in conditions.
    pub id: String,
    /// Its name in the narration.
    pub title: String,
    /// Its minimum.
    pub min: i32,
    /// Its maximum.
    pub max: i32,
    /// 1 for a unit that has it; `None` means all have it.
    pub when: Option<Lookup>,
    /// Whether units that split divide it, and units that merge add their values.
    pub shared: bool,
    /// What happens below the minimum; `None` means it never falls below it.
    pub below: Option<Beyond>,
    /// What happens above the maximum; `None` means it never rises above it.
    pub above: Option<Beyond>,
    /// What changes it without a roll.
    pub changes: Vec<CountChange>,
    /// Its effects on the unit each time it has changed.
    pub effects: Vec<CountEffect>,
    /// Its source.
    pub source: Source,
}

/// When a counter changes without a roll.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Moment {
    /// The unit's side begins its half of the turn.
    TurnBegins,
    /// The unit's side ends its half of the turn.
    TurnEnds,
    /// This phase has been played, for the units of these sides.
    Phase(u8, Whose),
}

/// The new value of a counter.
#[derive(Clone, Debug)]
pub enum NewCount {
    /// Increased by this much.
    Add(Lookup),
    /// Set to this value.
    Set(i32),
}

/// A change of a counter without a roll.
#[derive(Clone, Debug)]
pub struct CountChange {
    /// Its name in the pack.
    pub id: String,
    /// When it changes.
    pub at: Moment,
    /// 1 for a unit whose counter changes; `None` means all units.
    pub when: Option<Lookup>,
    /// Its new value.
    pub to: NewCount,
    /// Its source.
    pub source: Source,
}

/// An effect of a counter on its unit.
#[derive(Clone, Debug)]
pub struct CountEffect {
    /// Its name in the pack.
    pub id: String,
    /// Its description in the narration.
    pub title: String,
    /// 1 if it happens.
    pub when: Option<Lookup>,
    /// What happens to the unit.
    pub effect: Effect,
    /// Its source.
    pub source: Source,
}
