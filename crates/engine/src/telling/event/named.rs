//! Names of events, and the faces drawn for them, for records, counts and filters.

use grognard_dice::Shown;

use super::{Event, GeneralEvent, HexEvent};

impl Event {
    /// Its name, such as `marched` or `cannon-lost`. Names of events on hexes and of generals have a prefix, as in
    /// `hex-moved` and `general-rode`.
    ///
    /// ```
    /// assert_eq!(grognard_engine::Event::HalfTurnOver.name(), "half-turn-over");
    /// ```
    #[must_use]
    pub fn name(&self) -> &'static str {
        match self {
            Self::HalfTurn => "half-turn",
            Self::TurnCloses => "turn-closes",
            Self::HalfTurnOver => "half-turn-over",
            Self::Activated { .. } => "activated",
            Self::Orders { .. } => "orders",
            Self::Phase(_) => "phase",
            Self::Ordered { .. } => "ordered",
            Self::Refused { .. } => "refused",
            Self::Formed { .. } => "formed",
            Self::Turned { .. } => "turned",
            Self::Joined { .. } => "joined",
            Self::Shared { .. } => "shared",
            Self::LeftSquare { .. } => "left-square",
            Self::CannonLost { .. } => "cannon-lost",
            Self::CrewLeft { .. } => "crew-left",
            Self::CrewBack { .. } => "crew-back",
            Self::Forming { .. } => "forming",
            Self::InZone { .. } => "in-zone",
            Self::HeldFire { .. } => "held-fire",
            Self::Threatened { .. } => "threatened",
            Self::Declared { .. } => "declared",
            Self::Contact { .. } => "contact",
            Self::FellShort { .. } => "fell-short",
            Self::Marched { .. } => "marched",
            Self::Paid { .. } => "paid",
            Self::Halved { .. } => "halved",
            Self::Shifted { .. } => "shifted",
            Self::Met { .. } => "met",
            Self::Filled { .. } => "filled",
            Self::Firing { .. } => "firing",
            Self::Reacted { .. } => "reacted",
            Self::RanAway { .. } => "ran-away",
            Self::Pursued { .. } => "pursued",
            Self::Occupied { .. } => "occupied",
            Self::Fled { .. } => "fled",
            Self::Retreated { .. } => "retreated",
            Self::Rolled(_) => "rolled",
            Self::Lost { .. } => "lost",
            Self::Regained { .. } => "regained",
            Self::Morale { .. } => "morale",
            Self::Disordered { .. } => "disordered",
            Self::Dismounted { .. } => "dismounted",
            Self::Detached { .. } => "detached",
            Self::Rejoined { .. } => "rejoined",
            Self::Strayed { .. } => "strayed",
            Self::Settled { .. } => "settled",
            Self::Ambiguous { .. } => "ambiguous",
            Self::Destroyed(_) => "destroyed",
            Self::LeftTable(_) => "left-table",
            Self::Arrived { .. } => "arrived",
            Self::Hex(event) => event.name(),
            Self::General(event) => event.name(),
            Self::Special(_) => "special",
            Self::Over { .. } => "over",
        }
    }
}

impl Event {
    /// The faces that were drawn for it.
    ///
    /// ```
    /// assert!(grognard_engine::Event::HalfTurn.faces().is_empty());
    /// ```
    #[must_use]
    pub fn faces(&self) -> Vec<&Shown> {
        match self {
            Self::Rolled(roll) => roll.faces.iter().collect(),
            Self::Orders { faces, .. } | Self::General(GeneralEvent::Fate { faces, .. }) => faces.iter().collect(),
            Self::General(GeneralEvent::Threw { faces, .. }) => faces.iter().flatten().collect(),
            _ => Vec::new(),
        }
    }
}

impl HexEvent {
    /// Its name, such as `hex-moved`.
    #[must_use]
    pub fn name(&self) -> &'static str {
        match self {
            Self::Provided { .. } => "hex-provided",
            Self::Breached { .. } => "hex-breached",
            Self::Played(_) => "hex-played",
            Self::Commanded(_) => "hex-commanded",
            Self::Moved { .. } => "hex-moved",
            Self::Declared { .. } => "hex-declared",
            Self::Answered { .. } => "hex-answered",
            Self::Fought { .. } => "hex-fought",
            Self::FellBack { .. } => "hex-fell-back",
        }
    }
}

impl GeneralEvent {
    /// Its name, such as `general-rode`.
    #[must_use]
    pub fn name(&self) -> &'static str {
        match self {
            Self::Threw { .. } => "general-threw",
            Self::Replans => "general-replans",
            Self::Shared(_) => "general-shared",
            Self::Vacant { .. } => "general-vacant",
            Self::StandsIn { .. } => "general-stands-in",
            Self::Rode { .. } => "general-rode",
            Self::Joined { .. } => "general-joined",
            Self::Left { .. } => "general-left",
            Self::Fate { .. } => "general-fate",
            Self::Gone { .. } => "general-gone",
        }
    }
}
