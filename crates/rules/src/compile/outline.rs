//! Outlines: what the rest of a pack reads about its formations, unit types, phases and doctrines.
//!
//! Changing a number seldom changes an outline. If no outline changes, nothing that reads only outlines is recompiled.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use crate::model::{BEST_PLAYER, ById, Formation, FormationId, Kind};
use crate::wire::{DoctrineWire, MechanismName, Pack, PhaseWire};

/// The names of the formations, which are all that acts and doctrines read about them.
pub(super) type FormationNames = ById<FormationId, Arc<[String]>>;

/// The names of these formations.
pub(super) fn formations(formations: &[Formation]) -> FormationNames {
    ById::new(formations.iter().map(|formation| formation.id.clone()).collect())
}

/// What other parts of a pack read about a unit type.
#[derive(PartialEq, Eq)]
pub(super) struct KindOutline {
    pub(super) id: String,
    pub(super) arm: u8,
    pub(super) attributes: Vec<i16>,
    /// Whether it may be in each formation.
    pub(super) open: ById<FormationId, Vec<bool>>,
    pub(super) dismounts: bool,
    /// Whether it has a range at which it fires.
    pub(super) shoots: bool,
}

/// The outlines of unit types, in their order.
pub(super) fn kinds(kinds: &[Kind]) -> Vec<KindOutline> {
    let outline = |kind: &Kind| KindOutline {
        id: kind.id.clone(),
        arm: kind.arm,
        attributes: kind.attributes.clone(),
        open: ById::new(kind.speed.iter().map(Option::is_some).collect()),
        dismounts: kind.on_foot.is_some(),
        shoots: kind.range > 0,
    };
    kinds.iter().map(outline).collect()
}

/// What doctrines read about a phase.
#[derive(PartialEq, Eq)]
pub(super) struct PhaseOutline {
    pub(super) id: String,
    pub(super) mechanism: MechanismName,
    /// Whether units may split in it.
    pub(super) splits: bool,
    /// Whether units may merge in it.
    pub(super) merges: bool,
}

/// The outlines of the phases, in their order.
pub(super) fn phases(wire: &Pack<'_>) -> Vec<PhaseOutline> {
    let outline = |phase: &PhaseWire| PhaseOutline {
        id: phase.id.clone(),
        mechanism: phase.mechanism,
        splits: phase.split.is_some(),
        merges: phase.merge.is_some(),
    };
    wire.phase.iter().map(outline).collect()
}

/// What doctrines read about each other, by name.
pub(super) type DoctrineOutlines = Arc<BTreeMap<String, DoctrineOutline>>;

/// What other doctrines read about a doctrine.
#[derive(PartialEq, Eq)]
pub(super) struct DoctrineOutline {
    /// The doctrine from whose orders its perfect player chooses, if it names one.
    pub(super) best: Option<String>,
    /// The phases for which it has rows.
    pub(super) phases: BTreeSet<String>,
    /// Whether it has a formula by which it activates units.
    pub(super) activates: bool,
}

/// The outlines of the doctrines.
pub(super) fn doctrines(wire: &Pack<'_>) -> DoctrineOutlines {
    let outline = |doctrine: &DoctrineWire| DoctrineOutline {
        best: doctrine.players.get(BEST_PLAYER).cloned(),
        phases: doctrine.row.iter().map(|row| row.phase.clone()).collect(),
        activates: doctrine.activates.is_some(),
    };
    Arc::new(wire.doctrine.iter().map(|(id, doctrine)| (id.clone(), outline(doctrine))).collect())
}
