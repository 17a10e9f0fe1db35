//! Compiled generals.

use super::{Site, Source};
use grognard_expr::Lookup;
use grognard_roll::RollTable;

pub use crate::wire::RoleName as Role;

/// The quality of a general.
#[derive(Clone, Debug)]
pub struct Grade {
    /// Its name in the pack.
    pub id: String,
    /// Points added to those of his command each turn.
    pub points: i32,
    /// Commands that are allotted no more than this get nothing.
    pub spoils: u16,
    /// Its source.
    pub source: Source,
}

/// A rank of general.
#[derive(Clone, Debug)]
pub struct Rank {
    /// Its name in the pack.
    pub id: String,
    /// Its name in the narration.
    pub title: String,
    /// Its purpose.
    pub role: Role,
    /// The maximum number of them on a side.
    pub most: Option<u8>,
    /// Points that he adds to those of one commanding general.
    pub adds: u16,
    /// Hundredths of an inch within which that general must be; `None` means anywhere.
    pub within: Option<i32>,
    /// Whether he takes the place of a general who is lost.
    pub succeeds: bool,
    /// The qualities that generals of this rank may have.
    pub grades: Vec<Grade>,
    /// Its source.
    pub source: Source,
}

/// Kinds of terrain that change the rides of generals.
#[derive(Clone, Debug)]
pub struct RideRow {
    /// The kinds, as indices.
    pub terrain: Vec<u8>,
    /// Its source.
    pub source: Source,
}

/// The road bonus for generals.
#[derive(Clone, Debug)]
pub struct RideRoad {
    /// Its source.
    pub source: Source,
    /// Also cited when the road leads through area terrain.
    pub areas: Source,
}

/// Generals. Lengths are in hundredths of an inch.
#[derive(Debug)]
pub struct Generals {
    /// The width and the depth of a base.
    pub base: i32,
    /// The distance a general moves in a turn.
    pub reach: i32,
    /// How far behind the foremost unit of his command he stands.
    pub post: i32,
    /// The morale states of a unit in which its general cannot leave it, one bit each.
    pub stays_with: u32,
    /// Terrain into which he rides only on a road.
    pub closed: Vec<RideRow>,
    /// The source of the rule that enemies stop him; `None` means he rides past them.
    pub enemies: Option<Source>,
    /// Terrain that halves his move off the road.
    pub halved: Vec<RideRow>,
    /// The source of the rule that several rows halve his move only once.
    pub once: Option<Source>,
    /// The source of the rule that he has the road bonus; `None` means he does not.
    pub road: Option<RideRoad>,
    /// The factor that multiplies the cost of orders to units whose general is with another unit, and the source.
    pub dear: (u16, Source),
    /// The die rolled for a general whose unit flees, and its site.
    pub fate: Option<(Box<RollTable>, Site)>,
    /// He is lost if it shows no more than this.
    pub lost: u16,
    /// The source of that rule.
    pub fate_source: Source,
    /// Turns without points for the command of a lost general, and the source.
    pub succession: (u8, Source),
    /// Turns without points for a side that changes its plan, and the source.
    pub plan: (u8, Source),
    /// 1 for units that are counted in a command; `None` means all of them are.
    pub counted: Option<Lookup>,
    /// The maximum number of them in a command.
    pub most: u8,
    /// The source of that limit.
    pub command_source: Source,
    /// The source of the rule that units use the points of their own command.
    pub purse_source: Source,
    /// The ranks.
    pub ranks: Vec<Rank>,
    /// The source of everything else.
    pub source: Source,
}
