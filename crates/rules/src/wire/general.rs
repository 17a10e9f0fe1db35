//! Generals, as written in files.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::Deserialize;

use super::battle::RuleWire;
use super::cite::{CiteWire, RideRoadCitesWire};
use grognard_source::Inches;

/// Generals: figures in addition to the units. Commanding generals give points to their commands; a general with a unit
/// is part of it.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct GeneralWire {
    /// The width and the depth of a general's base, in inches.
    pub base: Inches,
    /// Inches that he moves each turn, at no cost in points.
    #[serde(rename = "move")]
    pub reach: Inches,
    /// His distance behind the foremost unit of his command, in inches, while no unit needs him.
    pub post: Inches,
    /// Morale states in which a unit's general cannot leave it. Default: he may always leave.
    #[serde(default)]
    pub stays_with: Vec<String>,
    /// Terrain that he enters only on a road, unless he is already in it. Default: he rides into any terrain.
    #[serde(default)]
    pub closed: Vec<RideRowWire>,
    /// The rule that enemies stop him. Default: he rides past them.
    #[serde(default)]
    pub enemies: Option<RideRuleWire>,
    /// Terrain that halves his move if he enters, leaves or crosses it off the road. It is halved only once, even if
    /// several rows apply. Default: terrain does not change his move.
    #[serde(default)]
    pub halved: Vec<RideRowWire>,
    /// The rule that his move is halved once, cited when several rows of `halved` apply.
    #[serde(default)]
    pub once: Option<RideRuleWire>,
    /// The rule that a ride entirely on a road gets the bonus of `movement.road`. Default: he has no such bonus.
    #[serde(default)]
    pub road: Option<RideRoadWire>,
    /// The higher price of orders while the general in command is with a unit.
    pub dear: DearWire,
    /// What happens to a general whose unit flees.
    pub fate: FateWire,
    /// What happens to the command of a lost general.
    pub succession: IdleWire,
    /// The cost of a change of plan.
    pub plan: IdleWire,
    /// The size limit of a command.
    pub command: CommandSizeWire,
    /// The source of the rule that units use the points of their own command.
    pub purse: RuleWire,
    /// The ranks, by name.
    pub rank: BTreeMap<String, RankWire>,
    /// Clauses that it implements; `house` where the rulebook is silent.
    #[serde(default)]
    pub cite: Vec<CiteWire>,
    /// The reason, if no clause gives one.
    #[serde(default)]
    pub note: Option<String>,
}

/// Kinds of terrain that affect the rides of generals in the same way, for the same reason.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct RideRowWire {
    /// Its name.
    pub id: String,
    /// The kinds, by name.
    pub terrain: Vec<String>,
    /// Clauses that it implements; `house` where the rulebook is silent.
    pub cite: Vec<CiteWire>,
    /// The reason, if no clause gives one.
    #[serde(default)]
    pub note: Option<String>,
}

/// A rule for the rides of generals.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct RideRuleWire {
    /// Clauses that it implements; `house` where the rulebook is silent.
    pub cite: Vec<CiteWire>,
    /// The reason, if no clause gives one.
    #[serde(default)]
    pub note: Option<String>,
}

/// The rule that generals get the road bonus.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct RideRoadWire {
    /// Clauses that it implements; `house` where the rulebook is silent.
    pub cite: Vec<CiteWire>,
    /// Clauses for special cases.
    #[serde(default)]
    pub cites: RideRoadCitesWire,
    /// The reason, if no clause gives one.
    #[serde(default)]
    pub note: Option<String>,
}

/// The higher price of orders for units whose general was with another unit when the phase began.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct DearWire {
    /// The factor that multiplies costs.
    #[schemars(range(min = 1, max = 10))]
    pub times: u8,
    /// Clauses that it implements; `house` where the rulebook is silent.
    pub cite: Vec<CiteWire>,
    /// The reason, if no clause gives one.
    #[serde(default)]
    pub note: Option<String>,
}

/// What happens to a general whose unit flees.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct FateWire {
    /// The dice rolled for him: `"d6"`.
    pub dice: String,
    /// He is lost if they total this number or less.
    #[schemars(range(min = 0, max = 200))]
    pub lost: u16,
    /// Clauses that it implements; `house` where the rulebook is silent.
    pub cite: Vec<CiteWire>,
    /// The reason, if no clause gives one.
    #[serde(default)]
    pub note: Option<String>,
}

/// Turns without points.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct IdleWire {
    /// The number of turns.
    #[schemars(range(min = 0, max = 20))]
    pub turns: u8,
    /// Clauses that it implements; `house` where the rulebook is silent.
    pub cite: Vec<CiteWire>,
    /// The reason, if no clause gives one.
    #[serde(default)]
    pub note: Option<String>,
}

/// The size limit of a command.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct CommandSizeWire {
    /// Which of its units count. Reads `self`. Default: all.
    #[serde(default)]
    pub of: Option<String>,
    /// The maximum number of them.
    #[schemars(range(min = 1, max = 31))]
    pub most: u8,
    /// Clauses that it implements; `house` where the rulebook is silent.
    pub cite: Vec<CiteWire>,
    /// The reason, if no clause gives one.
    #[serde(default)]
    pub note: Option<String>,
}

/// The purpose of a rank.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum RoleName {
    /// He commands: a die is rolled for him, and his units spend the points.
    Commands,
    /// He outranks the commanding generals: he may add to their points, and may replace one who is lost.
    Assists,
    /// He gives no points: he accompanies a unit of his command.
    Leads,
}

/// A rank of general.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct RankWire {
    /// Its name in the narration.
    pub title: String,
    /// Its purpose.
    pub role: RoleName,
    /// The maximum number of generals of this rank on a side. Default: no limit.
    #[serde(default)]
    #[schemars(range(min = 1, max = 16))]
    pub most: Option<u8>,
    /// Points that he adds each turn to those of one general in command, for `assists`.
    #[serde(default)]
    #[schemars(range(min = 0, max = 20))]
    pub adds: u8,
    /// The maximum distance to that general, in inches.
    #[serde(default)]
    pub within: Option<Inches>,
    /// Whether he replaces a general who is lost, for `assists`. He adds no points while he does.
    #[serde(default)]
    pub succeeds: bool,
    /// The qualities that generals of this rank may have, besides ordinary, by name.
    #[serde(default)]
    pub grade: BTreeMap<String, GradeWire>,
    /// Clauses that it implements; `house` where the rulebook is silent.
    pub cite: Vec<CiteWire>,
    /// The reason, if no clause gives one.
    #[serde(default)]
    pub note: Option<String>,
}

/// The quality of a general.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct GradeWire {
    /// Points that his command gains or loses each turn, for `commands`.
    #[serde(default)]
    #[schemars(range(min = -20, max = 20))]
    pub points: i8,
    /// For `assists`: commands of his side that are allotted this number of points or fewer get none.
    #[serde(default)]
    #[schemars(range(min = 0, max = 20))]
    pub spoils: u8,
    /// Clauses that it implements; `house` where the rulebook is silent.
    pub cite: Vec<CiteWire>,
    /// The reason, if no clause gives one.
    #[serde(default)]
    pub note: Option<String>,
}
