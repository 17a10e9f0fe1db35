//! Activation, as written in files: which units may act, and in what order.

use schemars::JsonSchema;
use serde::Deserialize;

use super::cite::{BagCitesWire, CiteWire};
use super::roll::IntOrExpr;

/// Who may act, and who goes next. Give at most one of `orders`, `dice`, `bag`, `alternate` and `priority`. Without them, every unit may
/// act in its side's half of the turn.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
pub struct ActivationWire {
    /// A fixed number of orders for each half of a turn.
    #[schemars(range(min = 0, max = 200))]
    pub orders: Option<u16>,
    /// Dice whose total is the number of orders for each half of a turn: `"d6"`, `"2d6"`, `"d6+d10"`.
    pub dice: Option<String>,
    /// Units go one at a time, and chips drawn from a bag decide whose turn it is.
    pub bag: Option<BagWire>,
    /// Units go one at a time, and the sides take turns.
    pub alternate: Option<AlternateWire>,
    /// Units go one at a time, highest value first.
    pub priority: Option<PriorityWire>,
    /// Both sides roll to decide who has the first half of each turn, or the first activation. Default: the side listed
    /// first in the study goes first.
    pub initiative: Option<InitiativeWire>,
    /// A roll that a unit must pass to act. On its own, it makes the units of a side go one at a time in their half of
    /// the turn.
    pub test: Option<ActivationTestWire>,
    /// The units that can be activated, if units go one at a time. Reads `self` and the nearest `foe`. Default: all on
    /// the table.
    pub when: Option<String>,
    /// Clauses that it implements; `house` where the rulebook is silent.
    pub cite: Vec<CiteWire>,
    /// The reason, if no clause gives one.
    pub note: Option<String>,
}

impl ActivationWire {
    /// Whether units go one at a time.
    #[must_use]
    pub fn goes_by_unit(&self) -> bool {
        self.bag.is_some() || self.alternate.is_some() || self.priority.is_some() || self.test.is_some()
    }
}

/// What a chip stands for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum ChipName {
    /// A side, which chooses the unit.
    #[default]
    Side,
    /// A unit: each has one chip.
    Unit,
}

/// What happens to the chips of units lost before they have acted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum FallenChipsName {
    /// They stay in the bag. Drawing a chip that no unit can use has no effect.
    #[default]
    Stay,
    /// They are taken out: a side never has more chips in the bag than its units that can still act would contribute.
    Leave,
}

/// A bag of chips. It is filled at the start of each turn. Each chip drawn activates a unit, which plays all phases.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct BagWire {
    /// The number of chips that each unit contributes: a number or a formula, at most 10. Reads `self`. Default: 1.
    #[serde(default)]
    pub chips: Option<IntOrExpr>,
    /// The number of chips that each side contributes, in place of its units' chips.
    #[serde(default)]
    #[schemars(range(min = 0, max = 60))]
    pub side: Option<u8>,
    /// What a chip stands for.
    #[serde(default)]
    pub names: ChipName,
    /// Whether a unit can be activated more than once in a turn, by chips that stand for a side.
    #[serde(default)]
    pub again: bool,
    /// The number of end-of-turn chips in the bag. If there are none, the turn ends when the bag is empty.
    #[serde(default)]
    #[schemars(range(min = 0, max = 20))]
    pub ends: u8,
    /// The number of end-of-turn chips that must be drawn to end the turn. Default: 1.
    #[serde(default)]
    #[schemars(range(min = 1, max = 20))]
    pub after: Option<u8>,
    /// What happens to the chips of units lost before they have acted. Not with `side`.
    #[serde(default)]
    pub fallen: FallenChipsName,
    /// Clauses that it implements; `house` where the rulebook is silent.
    pub cite: Vec<CiteWire>,
    /// Clauses for individual keys that have their own.
    #[serde(default)]
    pub cites: BagCitesWire,
    /// The reason, if no clause gives one.
    #[serde(default)]
    pub note: Option<String>,
}

/// Sides that take turns. When one side has no more units to activate, the other activates the rest of its own.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct AlternateWire {
    /// The number of units that a side activates before the other side goes. Default: 1.
    #[serde(default)]
    #[schemars(range(min = 1, max = 20))]
    pub units: Option<u8>,
    /// Clauses that it implements; `house` where the rulebook is silent.
    pub cite: Vec<CiteWire>,
    /// The reason, if no clause gives one.
    #[serde(default)]
    pub note: Option<String>,
}

/// Which side goes first if units of both sides tie for the highest value.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum PriorityTiesName {
    /// Dice decide; each side is equally likely to go first.
    #[default]
    Random,
    /// The side listed first in the study.
    First,
    /// The side listed second in the study; with three or more sides, the last.
    Second,
    /// The side that has the initiative.
    Initiative,
}

/// Units that go in order of a value. It is evaluated again before each activation.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct PriorityWire {
    /// The value: a formula. Reads `self` and the nearest `foe`. The unit with the highest value goes next; if several
    /// tie, their side chooses.
    pub value: String,
    /// Which side goes first if units of both sides tie for the highest value.
    #[serde(default)]
    pub ties: PriorityTiesName,
    /// Clauses that it implements; `house` where the rulebook is silent.
    pub cite: Vec<CiteWire>,
    /// The reason, if no clause gives one.
    #[serde(default)]
    pub note: Option<String>,
}

/// Who has the initiative if both sides roll the same.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum InitiativeTiesName {
    /// Both roll again.
    #[default]
    Reroll,
    /// The side listed first in the study.
    First,
    /// The side listed second in the study; with three or more sides, the last.
    Second,
    /// The side that had it in the previous turn. In the first turn, both roll again.
    Keep,
}

/// A roll by every side at the start of each turn. The highest goes first.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct InitiativeWire {
    /// The dice of each side: `"d6"`, `"2d6"`, `"d6+d10"`.
    pub dice: String,
    /// What a side adds to its dice: the highest value of this formula among its units on the table, from -1000 to
    /// 1000. Reads `self`. Default: nothing.
    #[serde(default)]
    pub add: Option<String>,
    /// Who has the initiative if both sides roll the same.
    #[serde(default)]
    pub ties: InitiativeTiesName,
    /// Clauses that it implements; `house` where the rulebook is silent.
    pub cite: Vec<CiteWire>,
    /// The reason, if no clause gives one.
    #[serde(default)]
    pub note: Option<String>,
}

/// A roll that a unit takes when it is activated. If it fails, the unit does not act.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct ActivationTestWire {
    /// The roll, by name. `foe` is the nearest enemy.
    pub roll: String,
    /// The ids of the results that are failures.
    pub fails: Vec<String>,
    /// The number of failures that ends a side's half of the turn. Default: the half continues until every unit has
    /// tried. Only if each side has its own half of the turn.
    #[serde(default)]
    #[schemars(range(min = 1, max = 20))]
    pub failures: Option<u8>,
    /// How many more times a unit that has acted may be activated again immediately, each time with another roll. A
    /// unit that does not have to roll acts once. Only if each side has its own half of the turn.
    #[serde(default)]
    #[schemars(range(min = 0, max = 20))]
    pub again: u8,
    /// The units that must roll. Reads `self` and the nearest `foe`. Default: all.
    #[serde(default)]
    pub when: Option<String>,
    /// Clauses that it implements; `house` where the rulebook is silent.
    pub cite: Vec<CiteWire>,
    /// The reason, if no clause gives one.
    #[serde(default)]
    pub note: Option<String>,
}
