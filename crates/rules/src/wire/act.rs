//! Acts, as written in files: the cost of orders and the conditions that forbid them.

use schemars::JsonSchema;
use serde::Deserialize;

use super::cite::CiteWire;

/// What an act does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum DeedName {
    /// A move that makes no new contact: the orders `advance`, `withdraw` and `shift`.
    Move,
    /// A move that ends when the unit touches its enemy: the order `contact`.
    Contact,
    /// A charge marker against an enemy that the unit touches: the order `charge`.
    Charge,
    /// A firing marker: the order `fire`.
    Fire,
    /// The end of firing: the order `cease`.
    Cease,
    /// A pivot: the order `face`.
    Face,
    /// A change to `formation`: the order `form`.
    Form,
    /// The recovery of a broken unit to `morale`: the order `rally`.
    Rally,
    /// The removal of an enemy that the unit touches from the battle: the order `spike`.
    Spike,
}

/// A condition that bars an act.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct ActBarWire {
    /// Its name.
    pub id: String,
    /// When it bars the act. Reads `self`, `foe`, the situation and, for acts that move or turn the unit or change
    /// its formation, `move`.
    pub when: String,
    /// Its description in the narration.
    pub title: String,
    /// Clauses that it implements; `house` where the rulebook is silent.
    pub cite: Vec<CiteWire>,
    /// The reason, if no clause gives one.
    #[serde(default)]
    pub note: Option<String>,
}

/// An act that a unit can be ordered to do in an `orders` phase, with its cost and its bars.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct ActWire {
    /// Its name.
    pub id: String,
    /// Its name in the narration.
    pub title: String,
    /// What it does.
    pub does: DeedName,
    /// The formation to take, for `form`.
    #[serde(default)]
    pub formation: Option<String>,
    /// The morale state to recover to, for `rally`.
    #[serde(default)]
    pub morale: Option<String>,
    /// Its cost in orders or points.
    #[schemars(range(min = 0, max = 60))]
    pub cost: u8,
    /// Whether the unit may take any heading as part of the act: it turns about its centre to face the enemy.
    #[serde(default)]
    pub turns: bool,
    /// The units that charge with it, for `contact`. Their charge marker is paid for and placed at the same time, and a
    /// move after which no marker could be placed is refused. Reads `self` and `foe`. Default: none.
    #[serde(default)]
    pub charges: Option<String>,
    /// The units that pivot on the spot, for `face`, if they have no room to stand edge to edge with an enemy that they
    /// touch. Units that do not touch the enemy always pivot this way. Reads `self` and `foe`. Default: none.
    #[serde(default)]
    pub on_the_spot: Option<String>,
    /// Whether the unit may do nothing more in this phase.
    #[serde(default)]
    pub last: bool,
    /// The conditions that bar it. The first that is true is reported.
    #[serde(default)]
    pub bar: Vec<ActBarWire>,
    /// Clauses that it implements; `house` where the rulebook is silent.
    pub cite: Vec<CiteWire>,
    /// The reason, if no clause gives one.
    #[serde(default)]
    pub note: Option<String>,
}
