//! Acts: what orders cost and what forbids them, as files write it.

use schemars::JsonSchema;
use serde::Deserialize;

use super::cite::CiteWire;

/// What an act does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum DeedName {
    /// A move that makes no new contact: the orders `advance`, `withdraw` and `shift`.
    Move,
    /// A move until the unit touches its enemy: the order `contact`.
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
    /// A broken unit recovers to `morale`: the order `rally`.
    Rally,
    /// An enemy that the unit touches is put out of the battle: the order `spike`.
    Spike,
}

/// Something that forbids an act.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct ActBarWire {
    /// Its name.
    pub id: String,
    /// When it forbids. Reads `self`, `foe`, the situation, and `move` of an act that moves or turns the unit or changes its formation.
    pub when: String,
    /// What narration says of it.
    pub title: String,
    /// Clauses it carries out; `house` where the rulebook is silent.
    pub cite: Vec<CiteWire>,
    /// Why it is so, where no clause says.
    #[serde(default)]
    pub note: Option<String>,
}

/// An act: what a unit can be ordered to do in an `orders` phase, what that costs and what forbids it.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct ActWire {
    /// Its name.
    pub id: String,
    /// What narration calls it.
    pub title: String,
    /// What it does.
    pub does: DeedName,
    /// The formation that is taken, for `form`.
    #[serde(default)]
    pub formation: Option<String>,
    /// The morale state that is recovered, for `rally`.
    #[serde(default)]
    pub morale: Option<String>,
    /// Orders or points it costs.
    #[schemars(range(min = 0, max = 60))]
    pub cost: u8,
    /// The unit takes any heading with it: it turns about its centre to the enemy.
    #[serde(default)]
    pub turns: bool,
    /// Which units charge with it, for `contact`: their charge marker is paid for and laid down in the same breath, and a move
    /// that no marker could follow is refused. Reads `self` and `foe`. Left out: none.
    #[serde(default)]
    pub charges: Option<String>,
    /// The unit may do nothing after it in this phase.
    #[serde(default)]
    pub last: bool,
    /// What forbids it: the first that holds is told.
    #[serde(default)]
    pub bar: Vec<ActBarWire>,
    /// Clauses it carries out; `house` where the rulebook is silent.
    pub cite: Vec<CiteWire>,
    /// Why it is so, where no clause says.
    #[serde(default)]
    pub note: Option<String>,
}
