//! What a doctrine looks for when it moves on hexes.

use schemars::JsonSchema;
use serde::Deserialize;

/// What a place is worth to a unit that may move there: each number is multiplied with what its name says, and added.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case", default)]
pub struct WeighWire {
    /// Dice of the best close combat from there.
    #[schemars(range(min = -1000, max = 1000))]
    pub dice: i32,
    /// 1 if that would strike a flank or rear.
    #[schemars(range(min = -1000, max = 1000))]
    pub flank: i32,
    /// 1 if there is an enemy to fire at from there.
    #[schemars(range(min = -1000, max = 1000))]
    pub fire: i32,
    /// Hexes to the nearest enemy.
    #[schemars(range(min = -1000, max = 1000))]
    pub distance: i32,
    /// Friends next to it, two at most.
    #[schemars(range(min = -1000, max = 1000))]
    pub support: i32,
    /// Own flank and rear hexes that an enemy stands in or next to, with no friend in them.
    #[schemars(range(min = -1000, max = 1000))]
    pub bared: i32,
    /// Enemies that have the place in front and next to them.
    #[schemars(range(min = -1000, max = 1000))]
    pub threat: i32,
    /// Free rear hexes.
    #[schemars(range(min = -1000, max = 1000))]
    pub retreat: i32,
}
