//! Dice and rolls, as written in files.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::Deserialize;

use super::cite::CiteWire;
use super::score::{ScoreWire, TallyWire};
use super::stage::{BranchWire, GroupWire, ModelsWire, StageWire};
use grognard_source::Inches;

/// A die with custom faces.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct DieWire {
    /// Its equally likely faces: numbers, or symbols by name.
    #[schemars(length(min = 1, max = 200))]
    pub faces: Vec<FaceWire>,
}

/// One face of a die.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(untagged)]
pub enum FaceWire {
    /// A number.
    Number(i16),
    /// A symbol.
    Symbol(String),
}

/// A number, or a formula in quotes that reads the situation.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(untagged)]
pub enum IntOrExpr {
    /// A number.
    Number(i32),
    /// A formula in CEL, such as `self.figures / 2`.
    Formula(String),
}

/// The dice mechanics.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum MechanicName {
    /// Both sides roll `own` and `foe` and compare. Totals: `own`, `foe`, `margin`, `own_natural`, `foe_natural`.
    Opposed,
    /// Dice that succeed or fail, in one or more stages. Totals: `hits`; with `natural`, also `criticals` and
    /// `fumbles`.
    Pool,
    /// Symbol dice, counted by symbol. Totals: one for each symbol in `count`.
    Symbols,
    /// Both sides' dice, sorted and compared in order. Totals: `own_lost`, `foe_lost`.
    Ranked,
    /// Dice that must roll at or under a target. Totals: `roll`, `target`, `margin`, `natural`.
    Under,
    /// The total of the dice, looked up in a table of rows and columns. Totals: `roll`, `column`, `entry`, `natural`.
    Table,
}

/// How dice become a number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum ReadName {
    /// The dice are added.
    Sum,
    /// Dice that succeed are counted.
    Successes,
    /// The highest die counts.
    Highest,
}

/// Which dice are kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum KeepName {
    /// The highest dice.
    Highest,
    /// The lowest dice.
    Lowest,
}

/// The dice that are kept.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct KeepWire {
    /// Which dice.
    pub which: KeepName,
    /// The number of dice.
    #[schemars(range(min = 1, max = 100))]
    pub dice: u16,
}

/// Dice that are rolled again.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(untagged)]
pub enum RerollWire {
    /// `"failures"`, `"successes"` or `"ones"`.
    Named(String),
    /// Dice that show one of these faces.
    Faces(Vec<FaceWire>),
}

/// Faces that add another die.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct ExplodeWire {
    /// The faces that add a die.
    pub faces: Vec<FaceWire>,
    /// The number of times that one die may do so.
    #[schemars(range(min = 1, max = 20))]
    pub limit: u16,
}

/// Faces that always fail or always succeed, regardless of need and modifiers: the natural roll decides.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
pub struct NaturalWire {
    /// The faces that always fail; for dice that are added up, the totals before modifiers.
    pub fails: Vec<FaceWire>,
    /// The faces, or totals, that always succeed.
    pub succeeds: Vec<FaceWire>,
}

/// The dice of one side.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct HandWire {
    /// The dice: `"d6"`, `"2d6"`, `"2d6+1d10"`, or a die of the pack by name.
    pub dice: String,
    /// The number of those dice, if it is not fixed. Reads the situation: `self` is always the unit that rolls, even in
    /// the formula for its enemy's dice.
    #[serde(default)]
    pub count: Option<IntOrExpr>,
    /// The maximum number of dice, after the count and all modifiers.
    #[serde(default)]
    #[schemars(range(min = 0, max = 400))]
    pub most: Option<u16>,
    /// How the dice become a number. Default: `sum`; in a pool, `successes`. In a pool with `sum` or `highest`, the
    /// result of the dice is the number of successes.
    #[serde(default)]
    pub read: Option<ReadName>,
    /// The lowest score with which a die succeeds.
    #[serde(default)]
    pub need: Option<IntOrExpr>,
    /// Dice that show one of these faces succeed.
    #[serde(default)]
    pub success: Vec<FaceWire>,
    /// Faces that always fail or always succeed, regardless of need and modifiers: `{ fails = [1], succeeds = [6] }`.
    #[serde(default)]
    pub natural: Option<NaturalWire>,
    /// Symbols that are counted, in a `symbols` roll.
    #[serde(default)]
    pub symbols: Vec<String>,
    /// Symbols that count only in some situations, in a `symbols` roll.
    #[serde(default)]
    pub tally: Vec<TallyWire>,
    /// Which dice are kept.
    #[serde(default)]
    pub keep: Option<KeepWire>,
    /// Which dice are rolled again, once.
    #[serde(default)]
    pub reroll: Option<RerollWire>,
    /// Which faces add another die.
    #[serde(default)]
    pub explode: Option<ExplodeWire>,
    /// In a `symbols` roll: the number of dice that would explode but do not, counted from the first. Reads the
    /// situation.
    #[serde(default)]
    pub inert: Option<IntOrExpr>,
    /// Added to the total, or to each die of a ranked roll. Reads the situation.
    #[serde(default)]
    pub add: Option<IntOrExpr>,
    /// In a pool: groups of dice, each with its own number and need. Anything that a group leaves out is taken from
    /// `own`.
    #[serde(default)]
    pub groups: Vec<GroupWire>,
    /// In a pool: the number of successes that each success counts as, 0 to 100. Reads the situation. Default: 1.
    #[serde(default)]
    pub counts: Option<IntOrExpr>,
    /// In a pool: the stage that successes go to, or `hits`. Default: the next stage.
    #[serde(default)]
    pub to: Option<String>,
    /// In a pool: special effects of certain dice, in addition to or instead of a success.
    #[serde(default)]
    pub branch: Vec<BranchWire>,
}

/// Who wins ties.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum TiesName {
    /// The unit that rolls.
    Own,
    /// Its enemy.
    Foe,
    /// Neither.
    None,
}

/// One row of a dice table.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct RowWire {
    /// The highest total for which this row is used; the lowest is one more than the `up-to` of the row above. Totals
    /// beyond the last row use the last row.
    #[schemars(range(min = -1000, max = 1000))]
    pub up_to: i32,
    /// The entries, one for each column.
    pub entries: Vec<i32>,
}

/// What a modifier changes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum ModifierTo {
    /// The roll: the total of an opposed or table roll, each die of a pool (with `read`, the result of its dice) or of
    /// a ranked roll, the target of a roll-under.
    Roll,
    /// The number of dice.
    Dice,
    /// The column of a table.
    Column,
    /// The number of dice, before any other change. It cannot fall below 0.
    Base,
    /// The number of dice, which is then at most `add`.
    Cap,
    /// The number of dice, after the caps. It cannot fall below 0.
    Less,
    /// The number of dice, which is then divided by `add`, rounding up. Changes to `dice` come last.
    Divide,
}

/// A modifier, as in a rulebook's list of modifiers.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct ModifierWire {
    /// Its name, used in paths, narration and coverage.
    pub id: String,
    /// When it applies. Reads `self` (the unit whose roll it is), `foe` and the situation. Default: always.
    #[serde(default)]
    pub when: Option<String>,
    /// The number it adds.
    #[schemars(range(min = -20, max = 20))]
    pub add: i32,
    /// What it changes.
    #[serde(default)]
    pub to: Option<ModifierTo>,
    /// Clauses that it implements; `house` where the rulebook gives no number.
    pub cite: Vec<CiteWire>,
    /// The reason for this value, if no clause gives it.
    #[serde(default)]
    pub note: Option<String>,
}

/// The effects of a result on a unit.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
pub struct EffectWire {
    /// Figures lost: a number or a formula over the roll's totals.
    pub lose: Option<IntOrExpr>,
    /// Figures it regains, after its losses: a number or a formula over the roll's totals. It never has more than it
    /// started with, and a unit without figures regains none.
    pub gain: Option<IntOrExpr>,
    /// The morale state it falls to, unless it is already in a worse one.
    pub morale: Option<String>,
    /// The morale state it recovers to, unless it is already in a better one.
    pub rally: Option<String>,
    /// The number of steps by which its morale falls.
    #[schemars(range(min = 1, max = 8))]
    pub worsen: Option<u8>,
    /// The number of further steps by which its morale falls if it was shaken before this result.
    #[schemars(range(min = 1, max = 8))]
    pub worsen_shaken: Option<u8>,
    /// The distance it falls back from the enemy, in inches.
    pub retreat: Option<Inches>,
    /// Hits and flags that it may still ignore or change.
    pub score: ScoreWire,
    /// Numbers added to its counters, by name: numbers or formulas over the roll's totals. Counters change after
    /// figures are lost and before morale changes.
    pub add: BTreeMap<String, IntOrExpr>,
    /// New values of its counters, by name.
    pub set: BTreeMap<String, i32>,
    /// It calls on a unit of this type, by id: one of its side that is waiting to be called (`arrives = "called"` in a
    /// study).
    pub calls: Option<String>,
    /// Its charge is over.
    pub halt: bool,
    /// It is removed.
    pub destroy: bool,
    /// It flees, according to the pack's flight table.
    pub flee: bool,
    /// It begins to fire: it receives a firing marker.
    pub open_fire: bool,
    /// It must pursue the enemy that it has routed.
    pub pursue: bool,
    /// Triggers its reactions to `beaten`, `struck`, `held` or `broken`, after everything else.
    pub sets_off: Option<super::EventName>,
}

/// One row of a result table.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct ResultWire {
    /// Its name, used in paths, narration and coverage.
    pub id: String,
    /// When it is the result: a condition over the roll's totals. The first row whose condition is true is the result.
    /// Default: always.
    #[serde(default)]
    pub when: Option<String>,
    /// Its description in the narration.
    #[serde(default)]
    pub title: Option<String>,
    /// What happens to the unit that rolls.
    #[serde(default)]
    pub own: EffectWire,
    /// What happens to its enemy.
    #[serde(default)]
    pub foe: EffectWire,
    /// Clauses that it implements; `house` where the rulebook gives no number.
    #[serde(default)]
    pub cite: Vec<CiteWire>,
    /// The reason for these values, if no clause gives them.
    #[serde(default)]
    pub note: Option<String>,
}

/// A second roll that a general allows. The second result stands.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct RetakeWire {
    /// The ids of the results that allow a reroll.
    #[schemars(length(min = 1, max = 64))]
    pub of: Vec<String>,
    /// The maximum distance, in inches, from the unit to a general of its side, or to the unit that he is with.
    pub within: Inches,
    /// The ranks of general that allow it. Default: all.
    #[serde(default)]
    pub ranks: Vec<String>,
    /// The units that may roll again. Reads `self`, `foe` and the situation. Default: all.
    #[serde(default)]
    pub when: Option<String>,
    /// Clauses that it implements; `house` where the rulebook is silent.
    pub cite: Vec<CiteWire>,
    /// The reason, if no clause gives one.
    #[serde(default)]
    pub note: Option<String>,
}

/// A roll that replaces another.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct InsteadWire {
    /// Its name.
    pub id: String,
    /// When it does. Reads `self` (the unit that rolls), `foe` and the situation.
    pub when: String,
    /// The roll that is made instead. Its own `instead` is ignored.
    pub roll: String,
    /// Clauses that it implements; `house` where the rulebook is silent.
    pub cite: Vec<CiteWire>,
    /// The reason, if no clause gives one.
    #[serde(default)]
    pub note: Option<String>,
}

/// A roll.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct RollWire {
    /// Its name in the narration.
    pub title: String,
    /// The dice mechanic.
    pub mechanic: MechanicName,
    /// The dice of the unit that rolls.
    pub own: HandWire,
    /// The enemy's dice, in opposed and ranked rolls.
    #[serde(default)]
    pub foe: Option<HandWire>,
    /// Who wins ties between ranked dice.
    #[serde(default)]
    pub ties: Option<TiesName>,
    /// Further stages of a pool.
    #[serde(default)]
    pub stage: Vec<StageWire>,
    /// In a pool: the models that take the hits, if excess damage to one model is lost or if results count models.
    #[serde(default)]
    pub models: Option<ModelsWire>,
    /// The number that a roll-under must not exceed. Reads the situation.
    #[serde(default)]
    pub target: Option<IntOrExpr>,
    /// The column of a table, counted from 0. Reads the situation.
    #[serde(default)]
    pub column: Option<IntOrExpr>,
    /// The rows of a table.
    #[serde(default)]
    pub row: Vec<RowWire>,
    /// The names of a table's columns.
    #[serde(default)]
    pub columns: Vec<String>,
    /// Another roll, whose modifiers also apply to this one, before its own.
    #[serde(default)]
    pub shares: Option<String>,
    /// Modifiers. In an opposed roll, each side applies them with itself as `self`.
    #[serde(default)]
    pub modifier: Vec<ModifierWire>,
    /// The result table.
    #[schemars(length(min = 1, max = 64))]
    pub result: Vec<ResultWire>,
    /// Rolls that replace this one: the first whose condition is true.
    #[serde(default)]
    pub instead: Vec<InsteadWire>,
    /// Results that are rolled again, once, if a general is near.
    #[serde(default)]
    pub retake: Option<RetakeWire>,
    /// Clauses that it implements; `house` where the rulebook gives no number.
    #[serde(default)]
    pub cite: Vec<CiteWire>,
    /// The reason for these values, if no clause gives them.
    #[serde(default)]
    pub note: Option<String>,
}
