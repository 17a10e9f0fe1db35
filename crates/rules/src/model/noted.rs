//! The bits of a unit's status word that follow from its type, its formation and its morale state: [`Fact::noted`]
//! gives their positions.

use super::{ById, Formation, FormationId, Kind, KindId, MoraleId, MoraleState};
use crate::situation::Fact;

/// Parts of status words, to be combined with each other.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Notes {
    /// By unit type.
    pub kinds: ById<KindId, Box<[u64]>>,
    /// By formation, for a unit that is not broken.
    pub formations: ById<FormationId, Box<[u64]>>,
    /// By morale state.
    pub morale: ById<MoraleId, Box<[u64]>>,
}

impl Notes {
    pub(crate) fn of(kinds: &[Kind], formations: &[Formation], morale: &[MoraleState]) -> Self {
        let kind = |(index, kind): (u8, &Kind)| Fact::Kind.put(index) | Fact::Arm.put(kind.arm);
        let formation = |(index, formation): (u8, &Formation)| {
            Fact::Formation.put(index)
                | Fact::Target.put(formation.target)
                | Fact::Formed.put(formation.formed.into())
                | Fact::FormedToMove.put(formation.formed_to_move.into())
                | Fact::Loose.put(formation.spacing.is_some().into())
        };
        let state = |(index, state): (u8, &MoraleState)| {
            Fact::Morale.put(index) | Fact::Broken.put(state.broken.into()) | Fact::Shaken.put(state.shaken.into())
        };
        Self {
            kinds: ById::new((0..).zip(kinds).map(kind).collect()),
            formations: ById::new((0..).zip(formations).map(formation).collect()),
            morale: ById::new((0..).zip(morale).map(state).collect()),
        }
    }
}
