//! What players may order beside what doctrine does.

use schemars::JsonSchema;
use serde::Deserialize;

use super::choice::WeighWire;
use super::doctrine::{OfName, OrderName, TowardsName};

/// How much a player may order.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum RepertoireName {
    /// What the rows of the unit's own doctrine order, whatever their conditions.
    #[default]
    Own,
    /// Beside these, what the rows of all doctrines of the pack order units of its type.
    Pack,
    /// Beside its own, what the tables of `choice` list.
    Declared,
}

/// A choice that players have: orders of which any may be given where its units act.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct ChoiceWire {
    /// The phase in which units may be ordered so.
    pub phase: String,
    /// Which units. Reads `self`, `foe` and `distance`. Left out: any.
    #[serde(default)]
    pub who: Option<String>,
    /// With regard to which enemy, as in a row of a doctrine.
    #[serde(default)]
    pub of: OfName,
    /// The orders, each by its name or as a table. To hold is always one of them.
    pub options: Vec<OptionWire>,
}

/// Orders that may be given.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(untagged)]
pub enum OptionWire {
    /// An order that needs nothing else.
    Plain(OrderName),
    /// An order with what it needs; with lists, one order for each combination of their values.
    Grid(Box<GridWire>),
}

/// Orders of one kind, for each combination of these values.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct GridWire {
    /// What the unit does.
    #[serde(rename = "do")]
    pub order: OrderName,
    /// The formations to take, for `form`.
    #[serde(default)]
    pub formation: Option<WordsWire>,
    /// Which way to face afterwards, for `form`.
    #[serde(default)]
    pub towards: Option<TowardsName>,
    /// Where to stop, in inches, for `advance`, `screen` and `follow`.
    #[serde(default)]
    pub stop: Option<NumbersWire>,
    /// Figures to have out, for `detach`.
    #[serde(default)]
    pub figures: Option<NumbersWire>,
    /// Degrees clockwise, for `turn`.
    #[serde(default)]
    pub degrees: Option<NumbersWire>,
    /// Degrees clockwise from straight ahead, for `shift`.
    #[serde(default)]
    pub bearing: Option<NumbersWire>,
    /// Inches, for `shift`.
    #[serde(default)]
    pub by: Option<NumbersWire>,
    /// What places are worth, for `manoeuvre`.
    #[serde(default)]
    pub weigh: Option<WeighWire>,
}

/// A word or several.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(untagged)]
pub enum WordsWire {
    /// One.
    One(String),
    /// Several.
    List(Vec<String>),
}

/// A number or several.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(untagged)]
pub enum NumbersWire {
    /// One.
    One(f64),
    /// Several.
    List(Vec<f64>),
    /// From one number to another.
    Range(RangeWire),
}

/// Numbers from one to another.
#[derive(Clone, Copy, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct RangeWire {
    /// The first.
    pub from: f64,
    /// The last, if the steps come to it.
    pub to: f64,
    /// From each to the next.
    pub step: f64,
}
