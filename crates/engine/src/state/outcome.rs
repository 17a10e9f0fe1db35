//! The outcome of a battle: integers only, ready to be counted.

use serde::{Deserialize, Serialize};

use crate::state::side::{BySide, Side};

/// The outcome for one side.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct SideOutcome {
    /// The number of figures with which the side started.
    pub start: u16,
    /// Figures lost.
    pub losses: u16,
    /// The number of units with which the side started.
    pub units: u8,
    /// Units that were routed, destroyed or off the table when the battle ended.
    pub routed_units: u8,
    /// Other units that were in the pack's second-best morale state or worse.
    pub shaken_units: u8,
    /// Game turn in which the first of its units routed or was destroyed; 0 if none did.
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
    /// Game turns fought, including the last one.
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

    /// The outcome of a battle that ended in the same way in another turn, if no unit had broken before that turn.
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
    /// The same for packs in which units are only ever lost
    /// ([`Rules::breaks_units`](grognard_rules::model::Rules::breaks_units)).
    pub title_of_losses: &'static str,
    /// Whether it is 0 or 1 and its mean therefore a share.
    pub share: bool,
    /// Whether a battle may lack this number, which then counts as 0. The mean is over the battles that have one.
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

/// Every metric, in the order used by tallies and results.
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
