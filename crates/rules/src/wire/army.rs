//! What a side counts as an army, as files write it.

use schemars::JsonSchema;
use serde::Deserialize;

use super::cite::CiteWire;

/// What conditions and formulas read of a whole side: `army.start`, `army.lost`, `army.broken` and `army.best`, and the same of the enemy as
/// `enemy.start` and so on.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
pub struct ArmyWire {
    /// What each unit counts: a formula over its type and the figures with which it began, such as `"self.points"`. Default: 1.
    pub count: Option<String>,
    /// Which units on the table count as lost; destroyed units always do. Reads `self`. Default: broken ones.
    pub lost: Option<String>,
    /// A formula for each unit on the table that is not broken; the greatest of its values is `army.best`. Reads `self`. Default: there is no
    /// `army.best`.
    pub best: Option<String>,
    /// When a side is beaten, besides `victory.broken`. Reads `army`, `enemy` and `turn`. Default: never.
    pub beaten: Option<String>,
    /// Clauses that it implements; `house` where the rulebook is silent.
    pub cite: Vec<CiteWire>,
    /// The reason, if no clause gives one.
    pub note: Option<String>,
}
