//! Dice and rolls as files write them.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::Deserialize;

use super::cite::CiteWire;
use super::score::{ScoreWire, TallyWire};
use grognard_source::Inches;

/// A die with faces of its own.
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
    /// Both sides roll `own` and `foe` and compare. Totals: `own`, `foe`, `margin`.
    Opposed,
    /// Dice that succeed or not, through one or more stages. Totals: `hits`.
    Pool,
    /// Symbol dice, counted by symbol. Totals: one for each symbol in `count`.
    Symbols,
    /// Both sides' dice, sorted and compared in order. Totals: `own_lost`, `foe_lost`.
    Ranked,
    /// Dice at or under a target. Totals: `roll`, `target`, `margin`.
    Under,
    /// Dice read in a table of rows and columns. Totals: `roll`, `column`, `entry`.
    Table,
}

/// How a hand of dice becomes a number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum ReadName {
    /// The dice are added.
    Sum,
    /// Dice that succeed are counted.
    Successes,
    /// The best die counts.
    Highest,
}

/// Which dice are kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum KeepName {
    /// The best ones.
    Highest,
    /// The worst ones.
    Lowest,
}

/// Dice kept out of those rolled.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct KeepWire {
    /// Which ones.
    pub which: KeepName,
    /// How many.
    #[schemars(range(min = 1, max = 100))]
    pub dice: u16,
}

/// Dice rolled again.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(untagged)]
pub enum RerollWire {
    /// `"failures"`, `"successes"` or `"ones"`.
    Named(String),
    /// Dice that show one of these faces.
    Faces(Vec<FaceWire>),
}

/// Faces that bring another die.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct ExplodeWire {
    /// The faces that add a die.
    pub faces: Vec<FaceWire>,
    /// How often one die may go on doing so.
    #[schemars(range(min = 1, max = 20))]
    pub limit: u16,
}

/// A hand of dice.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct HandWire {
    /// The dice: `"d6"`, `"2d6"`, `"2d6+1d10"`, or a die of the pack by name.
    pub dice: String,
    /// How many of that die, where the number is not fixed. Reads the situation: `self` is the unit that rolls, in its
    /// enemy's hand too.
    #[serde(default)]
    pub count: Option<IntOrExpr>,
    /// The greatest number of dice, however many the count and the modifiers come to.
    #[serde(default)]
    #[schemars(range(min = 0, max = 200))]
    pub most: Option<u16>,
    /// How the hand becomes a number. Default: `sum`; in a pool, `successes`.
    #[serde(default)]
    pub read: Option<ReadName>,
    /// A die of this or more succeeds.
    #[serde(default)]
    pub need: Option<IntOrExpr>,
    /// Dice that show one of these faces succeed.
    #[serde(default)]
    pub success: Vec<FaceWire>,
    /// Symbols that are counted, in a `symbols` roll.
    #[serde(default)]
    pub symbols: Vec<String>,
    /// Symbols that count in some situations only, in a `symbols` roll.
    #[serde(default)]
    pub tally: Vec<TallyWire>,
    /// Which dice are kept.
    #[serde(default)]
    pub keep: Option<KeepWire>,
    /// Which dice are rolled again, once.
    #[serde(default)]
    pub reroll: Option<RerollWire>,
    /// Which faces bring another die.
    #[serde(default)]
    pub explode: Option<ExplodeWire>,
    /// Added to the total. Reads the situation.
    #[serde(default)]
    pub add: Option<IntOrExpr>,
}

/// One stage of a pool after the first: it rolls as many dice as the stage before had successes.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct StageWire {
    /// What narration calls it: `save`.
    pub id: String,
    /// The die.
    pub dice: String,
    /// A die of this or more succeeds and goes on to the next stage.
    #[serde(default)]
    pub need: Option<IntOrExpr>,
    /// Dice that show one of these faces succeed.
    #[serde(default)]
    pub success: Vec<FaceWire>,
    /// Which dice are rolled again, once.
    #[serde(default)]
    pub reroll: Option<RerollWire>,
}

/// Who wins ties.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum TiesName {
    /// The one who rolls.
    Own,
    /// The other one.
    Foe,
    /// Nobody.
    None,
}

/// One row of a dice table.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct RowWire {
    /// The greatest total this row is read at; the least is one more than the row above has. Totals above the last row
    /// are read in the last row.
    #[schemars(range(min = -1000, max = 1000))]
    pub up_to: i32,
    /// What it says, column by column.
    pub entries: Vec<i32>,
}

/// What a modifier changes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum ModifierTo {
    /// The roll: the total of an opposed or table roll, each die of a pool, the target of a roll-under.
    Roll,
    /// The number of dice.
    Dice,
    /// The column of a table.
    Column,
    /// The number of dice before anything else is done to it; it does not go below 0.
    Base,
    /// The number of dice is then at most `add`.
    Cap,
    /// Added to the number of dice after the caps; it does not go below 0.
    Less,
    /// The number of dice is then divided by `add`, fractions up. What is added to `dice` comes last.
    Divide,
}

/// A modifier, as a rulebook prints it.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct ModifierWire {
    /// Its name, used in paths, narration and coverage.
    pub id: String,
    /// When it applies. Reads `self` (whose roll it is), `foe` and the situation. Left out: always.
    #[serde(default)]
    pub when: Option<String>,
    /// What it adds.
    #[schemars(range(min = -20, max = 20))]
    pub add: i32,
    /// What it adds to.
    #[serde(default)]
    pub to: Option<ModifierTo>,
    /// Clauses it carries out; `house` where the rulebook gives no number.
    pub cite: Vec<CiteWire>,
    /// Why this value, where no clause gives it.
    #[serde(default)]
    pub note: Option<String>,
}

/// What a result does to a unit.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct EffectWire {
    /// Figures lost: a number or a formula over the roll's totals.
    #[serde(default)]
    pub lose: Option<IntOrExpr>,
    /// The morale state it falls to, unless it is already in a worse one.
    #[serde(default)]
    pub morale: Option<String>,
    /// The morale state it recovers to, unless it is already in a better one.
    #[serde(default)]
    pub rally: Option<String>,
    /// Steps by which its morale falls.
    #[serde(default)]
    #[schemars(range(min = 1, max = 8))]
    pub worsen: Option<u8>,
    /// Steps by which its morale falls if it was shaken before this result, beside everything else.
    #[serde(default)]
    #[schemars(range(min = 1, max = 8))]
    pub worsen_shaken: Option<u8>,
    /// Inches it falls back, away from the enemy.
    #[serde(default)]
    pub retreat: Option<Inches>,
    /// Hits that it may yet ignore or change, and flags.
    #[serde(default)]
    pub score: ScoreWire,
    /// What is added to its counters, by name: numbers or formulas over the roll's totals. Counters change after figures are
    /// lost and before morale does.
    #[serde(default)]
    pub add: BTreeMap<String, IntOrExpr>,
    /// What its counters are set to, by name.
    #[serde(default)]
    pub set: BTreeMap<String, i32>,
    /// Its charge is over.
    #[serde(default)]
    pub halt: bool,
    /// It is removed.
    #[serde(default)]
    pub destroy: bool,
    /// It flees, by the pack's flight table.
    #[serde(default)]
    pub flee: bool,
    /// It begins to fire: it is given a firing marker.
    #[serde(default)]
    pub open_fire: bool,
    /// It must pursue the enemy it has put to flight.
    #[serde(default)]
    pub pursue: bool,
    /// Sets off its reactions on `beaten`, `struck`, `held` or `broken`, after everything else.
    #[serde(default)]
    pub sets_off: Option<super::EventName>,
}

/// One row of a result table.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct ResultWire {
    /// Its name, used in paths, narration and coverage.
    pub id: String,
    /// When it is the result: a condition over the roll's totals. The first row that holds is taken. Left out: always.
    #[serde(default)]
    pub when: Option<String>,
    /// What narration says of it.
    #[serde(default)]
    pub title: Option<String>,
    /// What happens to the unit that rolls.
    #[serde(default)]
    pub own: EffectWire,
    /// What happens to its enemy.
    #[serde(default)]
    pub foe: EffectWire,
    /// Clauses it carries out; `house` where the rulebook gives no number.
    #[serde(default)]
    pub cite: Vec<CiteWire>,
    /// Why these values, where no clause gives them.
    #[serde(default)]
    pub note: Option<String>,
}

/// A second try that a general allows: the roll is taken again, and the second result stands.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct RetakeWire {
    /// The results that are rolled again, by their ids.
    #[schemars(length(min = 1, max = 64))]
    pub of: Vec<String>,
    /// Inches between the unit and a general of its side, or the unit that he is with, at the most.
    pub within: Inches,
    /// The ranks of general who do so. Left out: all.
    #[serde(default)]
    pub ranks: Vec<String>,
    /// Which units he helps. Reads `self`, `foe` and the situation. Left out: all.
    #[serde(default)]
    pub when: Option<String>,
    /// Clauses it carries out; `house` where the rulebook is silent.
    pub cite: Vec<CiteWire>,
    /// Why it is so, where no clause says.
    #[serde(default)]
    pub note: Option<String>,
}

/// Another roll that is taken in the place of one.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct InsteadWire {
    /// Its name.
    pub id: String,
    /// When it is taken. Reads `self` (who rolls), `foe` and the situation.
    pub when: String,
    /// The roll that is taken, whatever stands in its own `instead`.
    pub roll: String,
    /// Clauses it carries out; `house` where the rulebook is silent.
    pub cite: Vec<CiteWire>,
    /// Why it is so, where no clause says.
    #[serde(default)]
    pub note: Option<String>,
}

/// A roll.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct RollWire {
    /// What narration calls it.
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
    /// What a roll-under must not exceed. Reads the situation.
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
    /// Another roll whose modifiers this one has as well, before its own.
    #[serde(default)]
    pub shares: Option<String>,
    /// Modifiers. In an opposed roll each side looks through them with itself as `self`.
    #[serde(default)]
    pub modifier: Vec<ModifierWire>,
    /// The result table.
    #[schemars(length(min = 1, max = 64))]
    pub result: Vec<ResultWire>,
    /// Other rolls that are taken in its place: the first whose condition holds. Not on a `hex` board.
    #[serde(default)]
    pub instead: Vec<InsteadWire>,
    /// Which results are rolled again, once, while a general is near.
    #[serde(default)]
    pub retake: Option<RetakeWire>,
    /// Clauses it carries out; `house` where the rulebook gives no number.
    #[serde(default)]
    pub cite: Vec<CiteWire>,
    /// Why these values, where no clause gives them.
    #[serde(default)]
    pub note: Option<String>,
}
