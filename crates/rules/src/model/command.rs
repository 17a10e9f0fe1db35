//! Compiled commands.

use super::Source;
use grognard_expr::Lookup;

/// The orders and modes of movement of commands.
#[derive(Clone, Debug)]
pub struct CommandRules {
    /// The orders' names, the default first.
    pub orders: Vec<String>,
    /// The modes of movement, the default first.
    pub modes: Vec<Mode>,
    /// Its source.
    pub source: Source,
}

/// A mode of movement.
#[derive(Clone, Debug)]
pub struct Mode {
    /// Its name in the pack.
    pub id: String,
    /// Its name in the narration.
    pub title: String,
    /// Hundredths of an inch that a unit moves in a turn; `None` means the speed of its type.
    pub rate: Option<i32>,
    /// 1 if a unit moves at that rate; `None` means always.
    pub rate_when: Option<Lookup>,
    /// The mode whose rate applies to a unit unless its whole move is on a road.
    pub off_road: Option<u8>,
    /// 1 if a unit's front is narrow enough for the road; `None` means always.
    pub narrow_when: Option<Lookup>,
    /// 1 if a unit takes up more road than its own length; `None` means never.
    pub trails_when: Option<Lookup>,
    /// The road that it then takes up, as a multiple of its length.
    pub trail_lengths: u8,
    /// Whether a command in it counts as shaken in tests.
    pub unsettles: bool,
    /// The mode to which a command changes after standing still.
    pub settles_into: Option<u8>,
    /// Its source.
    pub source: Source,
    /// The source of the rate of units that leave the road.
    pub off_road_source: Source,
    /// The source of the rule on how wide a unit may be on the road.
    pub narrow_source: Source,
    /// The source of the rule that a command settles.
    pub settles_source: Source,
}
