//! Generals as files write them.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::Deserialize;

use super::battle::PassingWire;
use super::cite::CiteWire;
use grognard_source::Inches;

/// Generals: figures beside the units. Those who command bring their commands points; one who is with a unit is part of it.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct GeneralWire {
    /// Inches from side to side, and from front to rear, of a general's base.
    pub base: Inches,
    /// Inches that he moves each turn, for no points.
    #[serde(rename = "move")]
    pub reach: Inches,
    /// Inches behind the foremost unit of his command at which he stands while no unit needs him.
    pub post: Inches,
    /// Morale states of a unit that its general cannot leave. Left out: he may always leave.
    #[serde(default)]
    pub stays_with: Vec<String>,
    /// What points cost while he who commands is with a unit.
    pub dear: DearWire,
    /// What becomes of a general whose unit flees.
    pub fate: FateWire,
    /// What becomes of the command of a lost general.
    pub succession: IdleWire,
    /// What a change of plan costs.
    pub plan: IdleWire,
    /// How large a command may be.
    pub command: CommandSizeWire,
    /// Where it comes from that units use the points of their own command.
    pub purse: PassingWire,
    /// The ranks, by name.
    pub rank: BTreeMap<String, RankWire>,
    /// Clauses that say so; `house` where the rulebook is silent.
    #[serde(default)]
    pub cite: Vec<CiteWire>,
    /// Why it is so, where no clause says.
    #[serde(default)]
    pub note: Option<String>,
}

/// What points cost units whose general was with another one when the phase began.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct DearWire {
    /// So many times as much.
    #[schemars(range(min = 1, max = 10))]
    pub times: u8,
    /// Clauses that say so; `house` where the rulebook is silent.
    pub cite: Vec<CiteWire>,
    /// Why it is so, where no clause says.
    #[serde(default)]
    pub note: Option<String>,
}

/// What becomes of a general whose unit flees.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct FateWire {
    /// Dice that are rolled for him: `"d6"`.
    pub dice: String,
    /// He is lost if they show no more than this.
    #[schemars(range(min = 0, max = 200))]
    pub lost: u16,
    /// Clauses that say so; `house` where the rulebook is silent.
    pub cite: Vec<CiteWire>,
    /// Why it is so, where no clause says.
    #[serde(default)]
    pub note: Option<String>,
}

/// Turns without points.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct IdleWire {
    /// How many.
    #[schemars(range(min = 0, max = 20))]
    pub turns: u8,
    /// Clauses that say so; `house` where the rulebook is silent.
    pub cite: Vec<CiteWire>,
    /// Why it is so, where no clause says.
    #[serde(default)]
    pub note: Option<String>,
}

/// How large a command may be.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct CommandSizeWire {
    /// Which of its units are counted. Reads `self`. Left out: all.
    #[serde(default)]
    pub of: Option<String>,
    /// The most of them.
    #[schemars(range(min = 1, max = 31))]
    pub most: u8,
    /// Clauses that say so; `house` where the rulebook is silent.
    pub cite: Vec<CiteWire>,
    /// Why it is so, where no clause says.
    #[serde(default)]
    pub note: Option<String>,
}

/// What a rank is there for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum RoleName {
    /// He commands: a die is rolled for him, and his units use the points.
    Commands,
    /// He stands over those who command: he may add to their points, and may take the place of one who is lost.
    Assists,
    /// He brings no points: he is there to be with a unit of his command.
    Leads,
}

/// A rank of general.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct RankWire {
    /// What narration calls it.
    pub title: String,
    /// What it is there for.
    pub role: RoleName,
    /// The most generals of this rank on a side. Left out: any number.
    #[serde(default)]
    #[schemars(range(min = 1, max = 16))]
    pub most: Option<u8>,
    /// Points that he adds each turn to those of one general who commands, for `assists`.
    #[serde(default)]
    #[schemars(range(min = 0, max = 20))]
    pub adds: u8,
    /// Inches within which that general must be.
    #[serde(default)]
    pub within: Option<Inches>,
    /// Whether he takes the place of a general who is lost, for `assists`. He adds no points while he does.
    #[serde(default)]
    pub succeeds: bool,
    /// What generals of this rank may be beside ordinary, by name.
    #[serde(default)]
    pub grade: BTreeMap<String, GradeWire>,
    /// Clauses that say so; `house` where the rulebook is silent.
    pub cite: Vec<CiteWire>,
    /// Why it is so, where no clause says.
    #[serde(default)]
    pub note: Option<String>,
}

/// How good a general is.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct GradeWire {
    /// Points that his command has more, or less, each turn, for `commands`.
    #[serde(default)]
    #[schemars(range(min = -20, max = 20))]
    pub points: i8,
    /// Commands of his side that are allotted no more than this get nothing, for `assists`.
    #[serde(default)]
    #[schemars(range(min = 0, max = 20))]
    pub spoils: u8,
    /// Clauses that say so; `house` where the rulebook is silent.
    pub cite: Vec<CiteWire>,
    /// Why it is so, where no clause says.
    #[serde(default)]
    pub note: Option<String>,
}
