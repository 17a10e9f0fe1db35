//! Compiled acts: what orders cost and what forbids them.

use super::{FormationId, MoraleId, Source};
use grognard_expr::Lookup;

/// What an act does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Deed {
    /// A move that makes no new contact.
    Move,
    /// A move that ends when the unit touches its enemy.
    Contact,
    /// A charge marker against an enemy that the unit touches.
    Charge,
    /// A firing marker.
    Fire,
    /// The end of firing.
    Cease,
    /// A pivot.
    Face,
    /// A change to this formation.
    Form(FormationId),
    /// The recovery of a broken unit to this morale state.
    Rally(MoraleId),
    /// The removal of an enemy that the unit touches from the battle.
    Spike,
}

/// A condition that bars an act.
#[derive(Clone, Debug)]
pub struct ActBar {
    /// Its name in the pack.
    pub id: String,
    /// Its description in the narration.
    pub title: String,
    /// Its source.
    pub source: Source,
}

/// Some of an act's bars, looked up together.
#[derive(Clone, Debug)]
pub struct ActBars {
    /// Indices into [`Act::bars`].
    pub rows: Vec<u8>,
    /// The index of the first of `rows` that is true; the number of rows if none is.
    pub first: Lookup,
}

/// An act: what a unit can be ordered to do in an orders phase.
#[derive(Clone, Debug)]
pub struct Act {
    /// Its name in the pack.
    pub id: String,
    /// Its name in the narration.
    pub title: String,
    /// What it does.
    pub deed: Deed,
    /// Its cost in orders or points.
    pub cost: u8,
    /// Whether the unit turns to the enemy as part of the act.
    pub turns: bool,
    /// 1 if a unit that moves into contact is marked to charge as it does so; `None` means never.
    pub charges: Option<Lookup>,
    /// 1 if a unit that has no room to stand edge to edge with an enemy pivots on the spot; `None` means never.
    pub on_the_spot: Option<Lookup>,
    /// Whether the unit may do nothing after it in this phase.
    pub last: bool,
    /// The conditions that forbid it, in the order of the pack.
    pub bars: Vec<ActBar>,
    /// Those that do not depend on the path of a move.
    pub before: ActBars,
    /// Those that do; `None` means no bar does.
    pub planned: Option<ActBars>,
    /// Its source.
    pub source: Source,
}
