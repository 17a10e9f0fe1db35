//! Counters of units, as written in files: ammunition, fatigue, suppression, damage to an engine.

use schemars::JsonSchema;
use serde::Deserialize;

use super::cite::CiteWire;
use super::roll::{EffectWire, IntOrExpr};

/// A number that every unit carries besides its figures and its morale. Conditions and formulas read it as
/// `self.NAME` and `foe.NAME`; results change it with `add` and `set`.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct CounterWire {
    /// The word for it in the narration. Default: its name.
    #[serde(default)]
    pub title: Option<String>,
    /// Its minimum. Default: 0.
    #[serde(default)]
    #[schemars(range(min = -100, max = 100))]
    pub min: i32,
    /// Its maximum.
    #[schemars(range(min = -100, max = 100))]
    pub max: i32,
    /// Its value at the start, unless the unit's type or the study gives another. Default: `min`.
    #[serde(default)]
    #[schemars(range(min = -100, max = 100))]
    pub start: Option<i32>,
    /// The units that have it; in all others it never changes. Reads `self`. Default: all.
    #[serde(default)]
    pub when: Option<String>,
    /// What happens when it would fall below `min`: `"stop"`, or a further effect on the unit. Required if that can
    /// happen.
    #[serde(default)]
    pub below: Option<BeyondWire>,
    /// What happens when it would rise above `max`: `"stop"`, or a further effect on the unit. Required if that can
    /// happen.
    #[serde(default)]
    pub above: Option<BeyondWire>,
    /// Whether units that split divide it in proportion to their figures, and units that merge add their values.
    /// Default: each part keeps the full value, and a merged unit takes the higher of the two.
    #[serde(default)]
    pub shared: bool,
    /// Changes without a roll: every turn, or after a phase.
    #[serde(default)]
    pub change: Vec<CountChangeWire>,
    /// Its effects on the unit: each time it changes, the rows whose conditions are true are applied in order.
    #[serde(default)]
    pub effect: Vec<CountEffectWire>,
    /// Clauses that it implements; `house` where the rulebook is silent.
    #[serde(default)]
    pub cite: Vec<CiteWire>,
    /// The reason for these values, if no clause gives them.
    #[serde(default)]
    pub note: Option<String>,
}

/// What happens at either end of a counter's range.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(untagged)]
pub enum BeyondWire {
    /// It stops there.
    Stop(StopName),
    /// It stops there, and this happens to the unit.
    Suffer(Box<EffectWire>),
}

/// The word for a counter that stops at the end of its range.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum StopName {
    /// It stops there, and nothing else happens.
    Stop,
}

/// When a counter changes without a roll.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum CountOn {
    /// The half-turn of the unit's side begins.
    TurnBegins,
    /// The half-turn of the unit's side ends.
    TurnEnds,
    /// A phase in which the unit's side takes part has been played: `phase`.
    Phase,
}

/// A change of a counter without a roll.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct CountChangeWire {
    /// Its name.
    pub id: String,
    /// When it changes.
    pub on: CountOn,
    /// The phase, with `on = "phase"`.
    #[serde(default)]
    pub phase: Option<String>,
    /// The units whose counter changes. Reads `self`, `foe` (the nearest enemy that is not broken) and the situation.
    /// Default: all.
    #[serde(default)]
    pub when: Option<String>,
    /// What is added: a number or a formula, such as `"-self.fatigue / 2"`. Give either this or `set`.
    #[serde(default)]
    pub add: Option<IntOrExpr>,
    /// What it is set to.
    #[serde(default)]
    #[schemars(range(min = -100, max = 100))]
    pub set: Option<i32>,
    /// Clauses that it implements; `house` where the rulebook gives no number.
    pub cite: Vec<CiteWire>,
    /// The reason for this value, if no clause gives it.
    #[serde(default)]
    pub note: Option<String>,
}

/// An effect of a counter on its unit.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct CountEffectWire {
    /// Its name.
    pub id: String,
    /// Its description in the narration: `is wrecked`.
    pub title: String,
    /// When it happens. Reads `self`, the unit, and `foe`, the unit that caused the change.
    pub when: String,
    /// What happens to the unit.
    pub own: EffectWire,
    /// Clauses that it implements; `house` where the rulebook is silent.
    pub cite: Vec<CiteWire>,
    /// The reason, if no clause gives one.
    #[serde(default)]
    pub note: Option<String>,
}
