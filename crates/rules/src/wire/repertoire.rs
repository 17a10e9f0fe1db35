//! The orders that players may give besides those of the doctrine.

use schemars::JsonSchema;
use serde::Deserialize;

use super::choice::WeighWire;
use super::doctrine::{OfName, OrderName, TowardsName};

/// The orders that a player may give.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum RepertoireName {
    /// Those in the rows of the unit's own doctrine, regardless of their conditions.
    #[default]
    Own,
    /// Also those that the rows of all other doctrines of the pack give to units of its type.
    Pack,
    /// Also those that the tables of `choice` list.
    Declared,
}

/// A choice for players: any of these orders may be given when its units act.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct ChoiceWire {
    /// The phase in which units may receive these orders.
    pub phase: String,
    /// The units that may receive them. Reads `self`, `foe` and `distance`. Default: all.
    #[serde(default)]
    pub who: Option<String>,
    /// The enemy that the orders consider, as in a row of a doctrine.
    #[serde(default)]
    pub of: OfName,
    /// The orders, each by its name or as a table. `hold` is always one of them.
    pub options: Vec<OptionWire>,
}

/// One or more orders that may be given.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(untagged)]
pub enum OptionWire {
    /// An order that needs nothing else.
    Plain(OrderName),
    /// An order with the values that it needs. If these are lists, there is one order for each combination of their
    /// values.
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
    /// The total number of figures deployed, for `detach`.
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
    /// The weights for choosing a hex and facing, for `manoeuvre`.
    #[serde(default)]
    pub weigh: Option<WeighWire>,
}

/// One or more words.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(untagged)]
pub enum WordsWire {
    /// One word.
    One(String),
    /// Several words.
    List(Vec<String>),
}

/// One or more numbers.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(untagged)]
pub enum NumbersWire {
    /// One number.
    One(f64),
    /// Several numbers.
    List(Vec<f64>),
    /// A range of numbers.
    Range(RangeWire),
}

/// A range of numbers.
#[derive(Clone, Copy, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct RangeWire {
    /// The first number.
    pub from: f64,
    /// The last number, if a step reaches it.
    pub to: f64,
    /// The difference between one number and the next.
    pub step: f64,
}
