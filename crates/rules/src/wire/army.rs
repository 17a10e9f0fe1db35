//! The size and losses of a whole side, as written in files.

use schemars::JsonSchema;
use serde::Deserialize;

use super::cite::CiteWire;

/// What conditions and formulas can read about a whole side: `army.start`, `army.lost`, `army.broken` and `army.best`, and the
/// enemy's as `enemy.start` and so on.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
pub struct ArmyWire {
    /// The value of each unit: a formula over its type and its starting figures, such as `"self.points"`. Default: 1.
    pub count: Option<String>,
    /// Which units on the table count as lost; destroyed units always do. Reads `self`. Default: broken ones.
    pub lost: Option<String>,
    /// A formula for each unit on the table that is not broken; its highest value is `army.best`. Reads `self`.
    /// Default: `army.best` does not exist.
    pub best: Option<String>,
    /// A condition under which a side is beaten, besides `victory.broken`. Reads `army`, `enemy` and `turn`. Default:
    /// never.
    pub beaten: Option<String>,
    /// Clauses that it implements; `house` where the rulebook is silent.
    pub cite: Vec<CiteWire>,
    /// The reason, if no clause gives one.
    pub note: Option<String>,
}
