//! Compiled screens.

use super::{Bar, ById, FormationId, KindId, Source};
use grognard_expr::Lookup;

pub use crate::wire::RejoinName as Rejoin;

/// Screens: figures that a unit deploys in open order. Lengths are in hundredths of an inch.
#[derive(Clone, Debug)]
pub struct Skirmish {
    /// How far a figure may stand from its unit, or from another figure of the unit that has not strayed.
    pub tether: i32,
    /// Whether figures that stray farther are lost; if not, they go back.
    pub strays_are_lost: bool,
    /// How far apart figures of one group may stand.
    pub link: i32,
    /// The maximum number of figures in a group.
    pub group: u16,
    /// The attribute by which the best unit of a group is found.
    pub rating: u8,
    /// A screen of more than 1/N of its unit's figures shares the unit's fate; this is N.
    pub shares: u16,
    /// The minimum distance that a unit falls back if it shares the fate of its screen.
    pub retires: i32,
    /// The distance in front of its unit of a screen deployed from the start.
    pub ahead: i32,
    /// 1 if deploying or recalling figures is a change of formation; `None` means it never is.
    pub change_when: Option<Lookup>,
    /// The numbers of figures that units may deploy.
    pub screens: Vec<Screen>,
    /// For each unit type, the index of its row in `screens`, if it has one.
    pub screen_of: ById<KindId, Vec<Option<u8>>>,
    /// The sources of the rules by which figures rejoin their unit, by reason.
    pub rejoin: [Source; 6],
    /// The units that may not deploy figures.
    pub bars: Vec<Bar>,
    /// Its source.
    pub source: Source,
}

impl Skirmish {
    /// The source of the rule that figures go back for this reason.
    #[must_use]
    pub fn rejoin_source(&self, why: Rejoin) -> &Source {
        &self.rejoin[why as usize]
    }
}

/// The number of figures that some unit types may deploy.
#[derive(Clone, Debug)]
pub struct Screen {
    /// Its name in the pack.
    pub id: String,
    /// The formation in which they stand.
    pub formation: FormationId,
    /// How many.
    pub most: ScreenMost,
    /// The source of that number.
    pub most_source: Source,
    /// Its source.
    pub source: Source,
}

/// The number of figures that may be deployed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ScreenMost {
    /// This many for units of at least that size; smaller ones may deploy one.
    Figures {
        /// The number of skirmishers.
        most: u16,
        /// The minimum size of such a unit.
        from: u16,
    },
    /// One in this many.
    Share(u16),
    /// Any number.
    All,
}

impl ScreenMost {
    /// The maximum number of figures that a unit of this size may deploy. At least one always stays.
    #[must_use]
    pub fn of(self, figures: u16) -> u16 {
        let most = match self {
            Self::Figures { most, from } => {
                if figures >= from {
                    most
                } else {
                    1
                }
            }
            Self::Share(share) => figures / share.max(1),
            Self::All => figures,
        };
        most.min(figures.saturating_sub(1))
    }
}
