//! Traits, as written in files: named special rules for unit types.

use schemars::JsonSchema;
use serde::Deserialize;

use super::cite::CiteWire;
use super::roll::{ModifierTo, RerollWire};
use super::unit::yes;

/// A named special rule: modifiers, rerolls and exceptions that belong together. Unit types list it under `traits`,
/// and conditions read it as `self.NAME`.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct TraitWire {
    /// Its name in reports.
    pub title: String,
    /// Whether it is in force. With `false`, no unit has it, and its modifiers, rerolls and exceptions do not
    /// apply. Default: true.
    #[serde(default = "yes")]
    pub on: bool,
    /// Other traits that it includes.
    #[serde(default)]
    pub with: Vec<String>,
    /// Its modifiers.
    #[serde(default)]
    pub modifier: Vec<TraitModifierWire>,
    /// Dice that are rolled again.
    #[serde(default)]
    pub reroll: Vec<TraitRerollWire>,
    /// Rows of the pack that do not apply.
    #[serde(default)]
    pub except: Vec<TraitExceptWire>,
    /// Clauses that it implements; `house` where the rulebook is silent.
    #[serde(default)]
    pub cite: Vec<CiteWire>,
    /// The reason, if no clause gives one.
    #[serde(default)]
    pub note: Option<String>,
}

/// Which of the two units has the trait.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum BearerName {
    /// The unit to which the row applies.
    #[default]
    #[serde(rename = "self")]
    Own,
    /// Its enemy.
    Foe,
}

/// A modifier that belongs to a trait.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct TraitModifierWire {
    /// Its name among the modifiers of the roll.
    pub id: String,
    /// The roll.
    pub roll: String,
    /// Who has the trait: the unit that rolls, or its enemy. Default: self.
    #[serde(default)]
    pub of: BearerName,
    /// A further condition. Reads `self` (the unit whose roll it is), `foe` and the situation. Default: always.
    #[serde(default)]
    pub when: Option<String>,
    /// The number it adds.
    #[schemars(range(min = -20, max = 20))]
    pub add: i32,
    /// What it changes. Default: roll.
    #[serde(default)]
    pub to: Option<ModifierTo>,
    /// Clauses that it implements; `house` where the rulebook gives no number.
    pub cite: Vec<CiteWire>,
    /// The reason for this value, if no clause gives it.
    #[serde(default)]
    pub note: Option<String>,
}

/// A reroll of dice because of a trait.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct TraitRerollWire {
    /// Its name.
    pub id: String,
    /// The roll.
    pub roll: String,
    /// The stage of the pool whose dice are rolled again, by its id. Default: the first.
    #[serde(default)]
    pub stage: Option<String>,
    /// The dice to roll again, once each: `"failures"`, `"successes"`, `"ones"`, or faces.
    pub which: RerollWire,
    /// Who has the trait: the unit that rolls, or its enemy. Default: self.
    #[serde(default)]
    pub of: BearerName,
    /// A further condition. Reads `self` (the unit that rolls), `foe` and the situation. Default: always.
    #[serde(default)]
    pub when: Option<String>,
    /// Clauses that it implements; `house` where the rulebook is silent.
    pub cite: Vec<CiteWire>,
    /// The reason, if no clause gives one.
    #[serde(default)]
    pub note: Option<String>,
}

/// A row of the pack that does not apply to units with a trait.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct TraitExceptWire {
    /// Its name.
    pub id: String,
    /// The path of a row that has a condition or may have one: `roll.shoot.modifier.cover`, `phase.panic`,
    /// `counter.fear`.
    pub row: String,
    /// Who has the trait: the unit to which the row applies, or its enemy. Default: self.
    #[serde(default)]
    pub of: BearerName,
    /// When the row does not apply. Reads what the row reads. Default: always.
    #[serde(default)]
    pub when: Option<String>,
    /// Clauses that it implements; `house` where the rulebook is silent.
    #[serde(default)]
    pub cite: Vec<CiteWire>,
    /// The reason, if no clause gives one.
    #[serde(default)]
    pub note: Option<String>,
}
