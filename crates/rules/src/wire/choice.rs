//! The criteria by which a doctrine chooses moves on hexes.

use schemars::JsonSchema;
use serde::Deserialize;

/// The value of a hex and facing to a unit that may move there. Each number is multiplied by the quantity described
/// here, and the products are added up.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case", default)]
pub struct WeighWire {
    /// Dice in the best close combat from there.
    #[schemars(range(min = -1000, max = 1000))]
    pub dice: i32,
    /// 1 if that attack would strike a flank or rear.
    #[schemars(range(min = -1000, max = 1000))]
    pub flank: i32,
    /// 1 if there is an enemy to fire at from there.
    #[schemars(range(min = -1000, max = 1000))]
    pub fire: i32,
    /// Hexes to the nearest enemy.
    #[schemars(range(min = -1000, max = 1000))]
    pub distance: i32,
    /// Friends next to the hex, at most two.
    #[schemars(range(min = -1000, max = 1000))]
    pub support: i32,
    /// The unit's flank and rear hexes that no friend occupies and that have an enemy in or next to them.
    #[schemars(range(min = -1000, max = 1000))]
    pub bared: i32,
    /// Adjacent enemies that would have the unit in front of them.
    #[schemars(range(min = -1000, max = 1000))]
    pub threat: i32,
    /// Free rear hexes.
    #[schemars(range(min = -1000, max = 1000))]
    pub retreat: i32,
}
