//! The outcome of a battle, in integers that are ready to be counted.

use serde::{Deserialize, Serialize};

use crate::state::side::{BySide, Side};

/// The outcome for one side.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct SideOutcome {
    /// The number of figures at the start.
    pub start: u16,
    /// The number of figures lost.
    pub losses: u16,
    /// The number of units at the start.
    pub units: u8,
    /// The number of units that were routed, destroyed or off the table when the battle ended.
    pub routed_units: u8,
    /// The number of other units that were in the pack's second-best morale state or worse.
    pub shaken_units: u8,
    /// The game turn in which the first of its units routed or was destroyed; 0 if none did.
    pub rout_turn: u8,
}

/// The outcome of a battle.
///
/// ```
/// use grognard_engine::{BySide, Outcome, Side, SideOutcome};
///
/// let lost = SideOutcome { start: 12, losses: 9, ..SideOutcome::default() };
/// let outcome = Outcome { winner: Some(Side::Second), turns: 3, sides: BySide::new(lost, SideOutcome::default()) };
/// assert_eq!(outcome.sides[Side::First].losses, 9);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Outcome {
    /// The winner, if any.
    pub winner: Option<Side>,
    /// The number of game turns fought, including the last one.
    pub turns: u8,
    /// The outcome for each side.
    pub sides: BySide<SideOutcome>,
}

impl Outcome {
    /// The outcome with the names of the two sides exchanged.
    ///
    /// ```
    /// use grognard_engine::{BySide, Outcome, Side, SideOutcome};
    ///
    /// let sides = BySide::new(SideOutcome::default(), SideOutcome { losses: 4, ..SideOutcome::default() });
    /// let swapped = Outcome { winner: Some(Side::First), turns: 5, sides }.swap();
    /// assert_eq!((swapped.winner, swapped.sides.first.losses), (Some(Side::Second), 4));
    /// ```
    #[must_use]
    pub fn swap(self) -> Self {
        Self { winner: self.winner.map(Side::other), sides: self.sides.swap(), ..self }
    }

    /// The outcome of the same battle if it ended in another turn. Assumes that units broke only in the last turn.
    ///
    /// ```
    /// use grognard_engine::{BySide, Outcome, Side, SideOutcome};
    ///
    /// let lost = SideOutcome { losses: 9, rout_turn: 3, ..SideOutcome::default() };
    /// let outcome = Outcome { winner: Some(Side::Second), turns: 3, sides: BySide::new(lost, SideOutcome::default()) };
    /// let later = outcome.in_turn(5);
    /// assert_eq!((later.turns, later.sides.first.rout_turn, later.sides.second.rout_turn), (5, 5, 0));
    /// ```
    #[must_use]
    pub fn in_turn(mut self, turn: u8) -> Self {
        self.turns = turn;
        for &side in self.sides.sides() {
            let side = &mut self.sides[side];
            if side.rout_turn > 0 {
                side.rout_turn = turn;
            }
        }
        self
    }
}

/// A number that every battle has for each side.
#[derive(Clone, Copy, Debug)]
pub struct Metric {
    /// Its key in results: `<side>.<key>`.
    pub key: &'static str,
    /// Its name in charts.
    pub title: &'static str,
    /// Its name in charts for packs in which units never rout, and are only lost
    /// ([`Rules::breaks_units`](grognard_rules::model::Rules::breaks_units)).
    pub title_of_losses: &'static str,
    /// Whether the number is 0 or 1, so that its mean is a share.
    pub share: bool,
    /// Whether a battle may lack this number, which is then stored as 0. The mean is taken over the battles that have
    /// one.
    pub partial: bool,
    read: fn(&SideOutcome) -> u16,
}

impl Metric {
    /// The metric's value for one side of one battle.
    #[inline]
    #[must_use]
    pub fn of(&self, side: &SideOutcome) -> u16 {
        (self.read)(side)
    }
}

/// All metrics, in the order used by tallies and results.
pub const METRICS: [Metric; 5] = [
    Metric {
        key: "losses",
        title: "figures lost",
        title_of_losses: "figures lost",
        share: false,
        partial: false,
        read: |side| side.losses,
    },
    Metric {
        key: "routed",
        title: "any unit routed or gone",
        title_of_losses: "any unit lost",
        share: true,
        partial: false,
        read: |side| u16::from(side.routed_units > 0),
    },
    Metric {
        key: "shaken",
        title: "any unit shaken",
        title_of_losses: "any unit shaken",
        share: true,
        partial: false,
        read: |side| u16::from(side.shaken_units > 0),
    },
    Metric {
        key: "ever_routed",
        title: "any unit routed at any time",
        title_of_losses: "any unit lost at any time",
        share: true,
        partial: false,
        read: |side| u16::from(side.rout_turn > 0),
    },
    Metric {
        key: "rout_turn",
        title: "turn of the first rout, where there was one",
        title_of_losses: "turn of the first loss of a unit, where there was one",
        share: false,
        partial: true,
        read: |side| u16::from(side.rout_turn),
    },
];
