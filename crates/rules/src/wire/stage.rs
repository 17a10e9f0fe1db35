//! Stages of a pool, as written in files.

use schemars::JsonSchema;
use serde::Deserialize;

use super::cite::CiteWire;
use super::roll::{ExplodeWire, FaceWire, IntOrExpr, KeepWire, NaturalWire, ReadName, RerollWire};

/// One stage of a pool after the first: its dice are the successes that reach it.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct StageWire {
    /// Its name in the narration: `save`.
    pub id: String,
    /// The die. With `read`, also several: `"2d6"`.
    pub dice: String,
    /// How the dice become a number of successes. Default: `successes`.
    #[serde(default)]
    pub read: Option<ReadName>,
    /// The lowest score with which a die succeeds and goes on to the next stage.
    #[serde(default)]
    pub need: Option<IntOrExpr>,
    /// Instead of `need`: the lowest score with which a die is saved. The others succeed, and go on. Here `fails` in `natural`
    /// lists faces that never save, and `reroll = "failures"` rerolls failed saves.
    #[serde(default)]
    pub save: Option<IntOrExpr>,
    /// Dice that show one of these faces succeed.
    #[serde(default)]
    pub success: Vec<FaceWire>,
    /// Faces that always fail or always succeed, regardless of the need: `{ fails = [1], succeeds = [6] }`.
    #[serde(default)]
    pub natural: Option<NaturalWire>,
    /// Which dice are kept, with `read`.
    #[serde(default)]
    pub keep: Option<KeepWire>,
    /// Which dice are rolled again, once.
    #[serde(default)]
    pub reroll: Option<RerollWire>,
    /// Which faces add another die.
    #[serde(default)]
    pub explode: Option<ExplodeWire>,
    /// A number added to the result of the dice, with `read`. Reads the situation. A sum below 0 counts as 0.
    #[serde(default)]
    pub add: Option<IntOrExpr>,
    /// The number of successes that each success counts as, 0 to 100. Reads the situation. Default: 1.
    #[serde(default)]
    pub counts: Option<IntOrExpr>,
    /// The later stage that successes go to, or `hits`. Default: the next stage.
    #[serde(default)]
    pub to: Option<String>,
    /// Special effects of certain dice, in addition to or instead of a success.
    #[serde(default)]
    pub branch: Vec<BranchWire>,
    /// Clauses that it implements when dice are rolled for it; `house` where the rulebook gives no number.
    #[serde(default)]
    pub cite: Vec<CiteWire>,
    /// The reason, if no clause gives one.
    #[serde(default)]
    pub note: Option<String>,
}

/// One group of the dice of a pool. Anything that the group leaves out is taken from `own`.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct GroupWire {
    /// Its name in the narration: `infantry`.
    pub id: String,
    /// The die.
    #[serde(default)]
    pub dice: Option<String>,
    /// The number of dice. Reads the situation.
    pub count: IntOrExpr,
    /// The maximum number of dice, regardless of the count.
    #[serde(default)]
    #[schemars(range(min = 0, max = 400))]
    pub most: Option<u16>,
    /// The lowest score with which a die succeeds. Modifiers of the roll apply.
    #[serde(default)]
    pub need: Option<IntOrExpr>,
    /// Dice that show one of these faces succeed.
    #[serde(default)]
    pub success: Vec<FaceWire>,
    /// Faces that always fail or always succeed, regardless of need and modifiers: `{ fails = [1], succeeds = [6] }`.
    #[serde(default)]
    pub natural: Option<NaturalWire>,
    /// Which dice are rolled again, once.
    #[serde(default)]
    pub reroll: Option<RerollWire>,
    /// Which faces add another die.
    #[serde(default)]
    pub explode: Option<ExplodeWire>,
    /// The number of successes that each success counts as, 0 to 100. Reads the situation. Default: 1.
    #[serde(default)]
    pub counts: Option<IntOrExpr>,
    /// The stage that successes go to, or `hits`. Default: the first stage.
    #[serde(default)]
    pub to: Option<String>,
    /// Special effects of certain dice, in addition to or instead of a success.
    #[serde(default)]
    pub branch: Vec<BranchWire>,
    /// Clauses that it implements when dice are rolled for it; `house` where the rulebook gives no number.
    #[serde(default)]
    pub cite: Vec<CiteWire>,
    /// The reason, if no clause gives one.
    #[serde(default)]
    pub note: Option<String>,
}

/// Special effects of certain successful dice of a stage, in addition to or instead of counting as successes. All
/// matching rows apply to a die.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct BranchWire {
    /// Its name, used in paths.
    pub id: String,
    /// The faces of these dice.
    #[serde(default)]
    pub faces: Vec<FaceWire>,
    /// Instead of `faces`: the lowest score of these dice. In the first stage, modifiers of the roll apply.
    #[serde(default)]
    pub from: Option<IntOrExpr>,
    /// When the row applies. Reads `self`, `foe` and the situation. Default: always.
    #[serde(default)]
    pub when: Option<String>,
    /// The number of successes that the die counts as, 0 to 100. Reads the situation. Default: 1.
    #[serde(default)]
    pub counts: Option<IntOrExpr>,
    /// The later stage that these successes go to, or `hits`. Default: where the other successes of the stage go.
    #[serde(default)]
    pub to: Option<String>,
    /// Whether the die counts as an ordinary success too. Default: no.
    #[serde(default)]
    pub also: bool,
    /// Clauses that it implements; `house` where the rulebook gives no number.
    #[serde(default)]
    pub cite: Vec<CiteWire>,
    /// The reason, if no clause gives one.
    #[serde(default)]
    pub note: Option<String>,
}

/// The models that take the hits of a pool, one after another. The result of one die of the last stage is one hit; hits
/// that skip that stage come last, one at a time.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct ModelsWire {
    /// The wounds of a model, 1 to 100. Reads the situation.
    pub wounds: IntOrExpr,
    /// Wounds that the first model has left, at most `wounds`. Default: calculated from the enemy's figures, counted as
    /// wounds; if `wounds` is a formula, this key is required.
    #[serde(default)]
    pub left: Option<IntOrExpr>,
    /// Whether excess damage to a model carries over to the next one. Default: it is lost.
    #[serde(default)]
    pub spill: bool,
    /// Clauses that it implements; `house` where the rulebook gives no number.
    #[serde(default)]
    pub cite: Vec<CiteWire>,
    /// The reason, if no clause gives one.
    #[serde(default)]
    pub note: Option<String>,
}
