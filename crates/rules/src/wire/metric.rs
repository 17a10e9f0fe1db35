//! Metrics as files write them: what a pack counts along battles, for the studies that ask for it.

use schemars::JsonSchema;
use serde::Deserialize;

use super::cite::CiteWire;

/// Something that is counted along every battle of the studies that ask for it, for each side.
///
/// At every occasion where `when` holds `count` is added up, and `of` beside it. The metric is the first sum over the second
/// one, over all battles together; without `of`, the first sum for each battle or for each of the side's turns.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct MetricWire {
    /// Its name.
    pub id: String,
    /// What a report calls it.
    pub title: String,
    /// When it looks.
    pub on: OccasionName,
    /// What it looks at when a turn begins or ends. Default: each unit of the side, `foe` being the nearest enemy.
    #[serde(default)]
    pub each: EachName,
    /// The roll it looks at, with `on = "roll"`.
    #[serde(default)]
    pub roll: Option<String>,
    /// The clause it looks at, with `on = "clause"`.
    #[serde(default)]
    pub clause: Option<String>,
    /// Which occasions count. Reads `self` and `foe`. Default: all.
    #[serde(default)]
    pub when: Option<String>,
    /// What is added up: a number or a condition. Default: 1.
    #[serde(default)]
    pub count: Option<String>,
    /// What it is divided by: a number or a condition, added up likewise.
    #[serde(default)]
    pub of: Option<String>,
    /// What it is divided by where there is no `of`. Default: battles.
    #[serde(default)]
    pub per: PerName,
    /// Of the pairs of a turn, each unit or each enemy counts once, however many pairs it is in. Default: every pair counts.
    #[serde(default)]
    pub once: Option<OnceName>,
    /// How the occasions are put together. Default: they are added up.
    #[serde(default)]
    pub take: TakeName,
    /// What it is where nothing was there to be divided by. Default: 0.
    #[serde(default)]
    pub empty: i32,
    /// Clauses that ask for it.
    #[serde(default)]
    pub cite: Vec<CiteWire>,
    /// Why, where no clause asks for it.
    #[serde(default)]
    pub note: Option<String>,
}

/// When a metric looks.
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
    /// A close combat and all that followed from it are over.
    Combat,
    /// One of its units has rolled.
    Roll,
    /// The battle is over: it looks once for each side, and `self` is the side's first unit.
    BattleEnds,
    /// A row that cites a clause decided something in its half of the turn. Reads nothing of a unit.
    Clause,
}

/// What a metric looks at when a turn begins or ends.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum EachName {
    /// Each unit of the side; `foe` is the nearest enemy.
    #[default]
    Unit,
    /// Each unit of the side with each enemy.
    Pair,
}

/// What a count without `of` is divided by.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum PerName {
    /// Battles.
    #[default]
    Battle,
    /// Halves of a turn that were the side's.
    Turn,
}

/// Who counts once.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum OnceName {
    /// Each unit of the side.
    #[serde(rename = "self")]
    Own,
    /// Each enemy.
    Foe,
}

/// How occasions are put together.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum TakeName {
    /// They are added up.
    #[default]
    Sum,
    /// With `on = "combat"`: by how much the sum over all units of the side has changed since the combat was declared.
    Change,
    /// With `on = "turn-begins"`, on hexes: by how much the sum over the units would change if all of them stepped a hex
    /// straight ahead together, to whichever side of their spine is better.
    Advance,
    /// With `on = "turn-ends"`: the most turns in a row in which `count` was not 0 for one and the same unit.
    Streak,
}
