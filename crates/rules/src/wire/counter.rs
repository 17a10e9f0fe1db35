//! Counters of units as files write them: ammunition, fatigue, suppression, damage to an engine.

use schemars::JsonSchema;
use serde::Deserialize;

use super::cite::CiteWire;
use super::roll::{EffectWire, IntOrExpr};

/// A number that every unit carries beside its figures and its morale. Conditions and formulas read it as `self.NAME` and
/// `foe.NAME`; results change it with `add` and `set`.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct CounterWire {
    /// What narration calls it. Default: its name.
    #[serde(default)]
    pub title: Option<String>,
    /// The least it may be. Default: 0.
    #[serde(default)]
    #[schemars(range(min = -100, max = 100))]
    pub min: i32,
    /// The most it may be.
    #[schemars(range(min = -100, max = 100))]
    pub max: i32,
    /// What units begin with, unless their type or the study says otherwise. Default: `min`.
    #[serde(default)]
    #[schemars(range(min = -100, max = 100))]
    pub start: Option<i32>,
    /// Which units have it; nothing changes it in the others. Reads `self`. Default: all.
    #[serde(default)]
    pub when: Option<String>,
    /// What happens when it would fall below `min`: `"stop"`, or what the unit suffers besides. Required where that can happen.
    #[serde(default)]
    pub below: Option<BeyondWire>,
    /// What happens when it would rise above `max`: `"stop"`, or what the unit suffers besides. Required where that can happen.
    #[serde(default)]
    pub above: Option<BeyondWire>,
    /// What changes it without a roll: every turn, or after a phase.
    #[serde(default)]
    pub change: Vec<CountChangeWire>,
    /// What it does to the unit: each time it has changed, the rows that hold are carried out in order.
    #[serde(default)]
    pub effect: Vec<CountEffectWire>,
    /// Clauses it carries out; `house` where the rulebook is silent.
    #[serde(default)]
    pub cite: Vec<CiteWire>,
    /// Why these values, where no clause gives them.
    #[serde(default)]
    pub note: Option<String>,
}

/// What happens at the end of a counter's range.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(untagged)]
pub enum BeyondWire {
    /// It stops there.
    Stop(StopName),
    /// It stops there, and the unit suffers this.
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
    /// The half of the turn begins that is the unit's side's.
    TurnBegins,
    /// The half of the turn ends that is the unit's side's.
    TurnEnds,
    /// A phase has been played in which the unit's side takes part: `phase`.
    Phase,
}

/// What changes a counter without a roll.
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
    /// Which units. Reads `self`, `foe` (the nearest enemy that is not broken) and the situation. Default: all.
    #[serde(default)]
    pub when: Option<String>,
    /// What is added: a number or a formula, such as `"-self.fatigue / 2"`. Give either this or `set`.
    #[serde(default)]
    pub add: Option<IntOrExpr>,
    /// What it is set to.
    #[serde(default)]
    #[schemars(range(min = -100, max = 100))]
    pub set: Option<i32>,
    /// Clauses it carries out; `house` where the rulebook gives no number.
    pub cite: Vec<CiteWire>,
    /// Why this value, where no clause gives it.
    #[serde(default)]
    pub note: Option<String>,
}

/// What a counter does to its unit.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct CountEffectWire {
    /// Its name.
    pub id: String,
    /// What narration says of the unit: `is wrecked`.
    pub title: String,
    /// When it happens. Reads `self`, the unit, and `foe`, the one that caused the change.
    pub when: String,
    /// What happens to the unit.
    pub own: EffectWire,
    /// Clauses it carries out; `house` where the rulebook is silent.
    pub cite: Vec<CiteWire>,
    /// Why it is so, where no clause says.
    #[serde(default)]
    pub note: Option<String>,
}
