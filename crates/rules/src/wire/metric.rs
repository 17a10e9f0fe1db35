//! Metrics, as written in files: what a pack counts during the battles of studies that request it.

use schemars::JsonSchema;
use serde::Deserialize;

use super::cite::CiteWire;

/// Something counted during every battle of the studies that request it, for each side.
///
/// On every occasion that meets `when`, `count` and `of` are added to two running sums. The metric is the first sum
/// divided by the second, over all battles. Without `of`, it is the first sum per battle or per turn of the side.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct MetricWire {
    /// Its name, by which studies request it.
    pub id: String,
    /// Its name in reports.
    pub title: String,
    /// The occasion on which it counts.
    pub on: OccasionName,
    /// The units or pairs that it covers when a turn begins or ends. Default: each unit of the side, with the nearest
    /// enemy as `foe`.
    #[serde(default)]
    pub each: EachName,
    /// The roll that it counts, with `on = "roll"`.
    #[serde(default)]
    pub roll: Option<String>,
    /// The clause that it counts, with `on = "clause"`.
    #[serde(default)]
    pub clause: Option<String>,
    /// Which occasions count. Reads `self` and `foe`. Default: all.
    #[serde(default)]
    pub when: Option<String>,
    /// What is added up: a number or a condition. Default: 1.
    #[serde(default)]
    pub count: Option<String>,
    /// The divisor: a number or a condition, added up in the same way.
    #[serde(default)]
    pub of: Option<String>,
    /// The divisor if there is no `of`. Default: battles.
    #[serde(default)]
    pub per: PerName,
    /// Whether each unit or each enemy counts only once a turn, even if it is in several pairs. Default: every pair
    /// counts.
    #[serde(default)]
    pub once: Option<OnceName>,
    /// How the occasions are combined. Default: they are added up.
    #[serde(default)]
    pub take: TakeName,
    /// Its value if the divisor is 0. Default: 0.
    #[serde(default)]
    pub empty: i32,
    /// Clauses that require it.
    #[serde(default)]
    pub cite: Vec<CiteWire>,
    /// The reason, if no clause requires it.
    #[serde(default)]
    pub note: Option<String>,
}

/// The occasion on which a metric counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum OccasionName {
    /// The side's half of a turn begins.
    TurnBegins,
    /// The side's half of a turn ends.
    TurnEnds,
    /// One of its units declares a charge or a close combat: `foe` is its target, before it reacts.
    Target,
    /// The charge has reached its target, or the target of the close combat has reacted.
    Attack,
    /// A close combat and all its consequences are over.
    Combat,
    /// One of its units has rolled.
    Roll,
    /// The battle is over. It counts once for each side, and `self` is the side's first unit.
    BattleEnds,
    /// A row that cites a clause decided something in the side's half of the turn. Reads nothing about a unit.
    Clause,
}

/// The units or pairs that a metric covers when a turn begins or ends.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum EachName {
    /// Each unit of the side; `foe` is the nearest enemy.
    #[default]
    Unit,
    /// Each unit of the side with each enemy.
    Pair,
}

/// The divisor of a count without `of`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum PerName {
    /// Battles.
    #[default]
    Battle,
    /// The side's halves of a turn.
    Turn,
}

/// Which units count once.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum OnceName {
    /// Each unit of the side.
    #[serde(rename = "self")]
    Own,
    /// Each enemy.
    Foe,
}

/// How occasions are combined.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum TakeName {
    /// They are added up.
    #[default]
    Sum,
    /// With `on = "combat"`: the change in the sum over all units of the side since the combat was declared.
    Change,
    /// With `on = "turn-begins"`, on hexes: the change in the sum over the units if all of them simultaneously stepped
    /// one hex straight ahead, to the better side of the spine they face.
    Advance,
    /// With `on = "turn-ends"`: the longest run of turns in which `count` was not 0 for the same unit.
    Streak,
}
