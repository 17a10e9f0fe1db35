//! Compiled screens.

use super::{Bar, Source};
use grognard_expr::Lookup;

pub use crate::wire::RejoinName as Rejoin;

/// Screens: figures that a unit puts out in open order. Lengths are in hundredths of an inch.
#[derive(Clone, Debug)]
pub struct Skirmish {
    /// How far a figure may stand from its unit, or from another figure of it that does not stray.
    pub tether: i32,
    /// Whether figures that stray farther are lost; if not, they go back.
    pub strays_are_lost: bool,
    /// How far apart figures of one group may stand.
    pub link: i32,
    /// The most figures in a group.
    pub group: u16,
    /// The attribute by which the best unit of a group is found.
    pub rating: u8,
    /// A screen of more than one in this many of its unit's figures shares the unit's fate.
    pub shares: u16,
    /// How far a unit falls back at least that shares the fate of its screen.
    pub retires: i32,
    /// How far before its unit a screen stands that is out from the start.
    pub ahead: i32,
    /// 1 where putting out or taking in figures is a change of formation; `None` means it never is.
    pub change_when: Option<Lookup>,
    /// Who may put out how many.
    pub screens: Vec<Screen>,
    /// For each unit type its row among those, if it has one.
    pub screen_of: Vec<Option<u8>>,
    /// The sources of the rules that figures go back, by reason.
    pub rejoin: [Source; 6],
    /// Who may not put out figures.
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

/// How many figures some types of unit may put out.
#[derive(Clone, Debug)]
pub struct Screen {
    /// Its name in the pack.
    pub id: String,
    /// The formation in which they stand.
    pub formation: u8,
    /// How many.
    pub most: ScreenMost,
    /// The source of that number.
    pub most_source: Source,
    /// Its source.
    pub source: Source,
}

/// How many figures may be put out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ScreenMost {
    /// This many for units of at least that size; smaller ones may deploy one.
    Figures {
        /// The number of skirmishers.
        most: u16,
        /// The least size of unit.
        from: u16,
    },
    /// One in this many.
    Share(u16),
    /// Any number.
    All,
}

impl ScreenMost {
    /// The most figures that a unit of this size may deploy. At least one always stays.
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
