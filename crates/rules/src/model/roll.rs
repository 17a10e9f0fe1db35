//! Compiled rolls: inputs read from the situation, odds by input, effects by outcome.

use super::{Counts, KindId, Ladder, MoraleId, RollId, Source};
use crate::wire::ModifierTo;
use grognard_expr::{Expr, Lookup, Situation, Var};
use grognard_roll::{Mechanic, RollAt, RollTable, Totals};

/// A side of a roll.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Contestant {
    /// The unit that rolls.
    Own,
    /// Its enemy.
    Foe,
}

/// A number that the battle supplies to a roll: a formula plus the modifiers that apply.
#[derive(Clone, Debug)]
pub struct Input {
    /// Its owner: modifiers are read from this contestant's point of view.
    pub by: Contestant,
    /// The formula, if the number is not fixed: always read from the roller's point of view.
    pub base: Option<Lookup>,
    /// The operation on the number before the modifiers are added.
    pub ladder: Option<Box<Ladder>>,
    /// The sum of the modifiers that apply; `sign` says which way they count.
    pub modifiers: Option<Lookup>,
    /// Indices into [`Roll::modifiers`] of the modifiers in `modifiers`, for narration.
    pub rows: Vec<u16>,
    /// 1, or -1 if a modifier in the roller's favour lowers the number (a need).
    pub sign: i32,
    /// The least value.
    pub min: i32,
    /// The greatest value.
    pub max: i32,
}

impl Input {
    /// The input's value in a situation, as seen by the roller and by the unit to which the input belongs.
    #[inline]
    fn value<S: Situation>(&self, roller: &S, owner: &S) -> i32 {
        let base = self.base.as_ref().map_or(0, |base| base.get(roller));
        let base = self.ladder.as_ref().map_or(base, |ladder| ladder.climb(base, owner));
        let added = self.modifiers.as_ref().map_or(0, |modifiers| modifiers.get(owner));
        (base + self.sign * added).clamp(self.min, self.max)
    }

    /// The input's value, if it can be determined without the variables that `known` refuses.
    fn decided<S: Situation>(&self, roller: &S, known: &dyn Fn(Var) -> bool) -> Option<i32> {
        if self.by != Contestant::Own {
            return None;
        }
        let base = self.base.as_ref().map_or(Some(0), |base| base.decided(roller, known))?;
        let base = self
            .ladder
            .as_ref()
            .map_or(Some(base), |ladder| ladder.climb_by(base, |lookup| lookup.decided(roller, known)))?;
        let added = self.modifiers.as_ref().map_or(Some(0), |modifiers| modifiers.decided(roller, known))?;
        Some((base + self.sign * added).clamp(self.min, self.max))
    }
}

/// A number a roll works with, for narration.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Quantity {
    /// The contestant it belongs to.
    pub by: Contestant,
    /// Its kind: `dice`, `need`, `added`, `target`, `column`.
    pub name: &'static str,
    /// Its fixed part.
    pub fixed: i32,
    /// The input that is added, an index into [`Roll::inputs`].
    pub input: Option<u8>,
}

/// A modifier, as narration and coverage name it.
#[derive(Clone, Debug)]
pub struct Modifier {
    /// Its name in the pack.
    pub id: String,
    /// When it applies; `None` means always.
    pub when: Option<Expr>,
    /// What it adds.
    pub add: i32,
    /// What it changes.
    pub to: ModifierTo,
    /// Its source.
    pub source: Source,
}

/// Hits and flags that a unit may still ignore or change.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Score {
    /// Hits by its own symbol.
    pub colours: u8,
    /// Hits by swords.
    pub swords: u8,
    /// Flags.
    pub flags: u8,
}

/// The effects of an outcome on a unit.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Effect {
    /// Figures lost.
    pub lose: u16,
    /// Figures it gets back.
    pub gain: u16,
    /// The morale state it falls to, unless it is already worse.
    pub morale: Option<MoraleId>,
    /// The morale state it recovers to, unless it is already better.
    pub rally: Option<MoraleId>,
    /// The number of steps by which its morale falls.
    pub worsen: u8,
    /// Further steps if it was shaken before.
    pub worsen_shaken: u8,
    /// Hundredths of an inch it falls back.
    pub retreat: i32,
    /// Hits and flags that may still be ignored or changed.
    pub score: Score,
    /// The effects on its counters.
    pub counts: Counts,
    /// The type of the unit that it calls.
    pub calls: Option<KindId>,
    /// Its charge is over.
    pub halt: bool,
    /// It is removed.
    pub destroy: bool,
    /// It flees.
    pub flee: bool,
    /// It begins to fire.
    pub open_fire: bool,
    /// It must pursue.
    pub pursue: bool,
    /// What it sets off.
    pub sets_off: Option<super::Trigger>,
}

impl Effect {
    /// Whether nothing happens.
    #[must_use]
    pub fn is_none(&self) -> bool {
        *self == Self::default()
    }
}

/// A row of a result table, for narration and coverage.
#[derive(Clone, Debug)]
pub struct ResultRow {
    /// Its name in the pack.
    pub id: String,
    /// The narration's description.
    pub title: String,
    /// When it is the result, as the pack writes it; `None` means when no row above it is.
    pub when: Option<String>,
    /// Its source.
    pub source: Source,
}

/// One possible outcome of a roll: a result row with its amounts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct RollOutcome {
    /// Index into [`Roll::results`].
    pub row: u16,
    /// What happens to the unit that rolls.
    pub own: Effect,
    /// What happens to its enemy.
    pub foe: Effect,
}

impl RollOutcome {
    /// Whether anything happens to either unit.
    #[must_use]
    pub fn tells(&self) -> bool {
        !(self.own.is_none() && self.foe.is_none())
    }
}

/// A second try that a general allows.
#[derive(Clone, Debug)]
pub struct Retake {
    /// Indices into [`Roll::results`] of the results that are rolled again.
    pub of: Vec<u16>,
    /// The greatest distance between the unit and the general, in hundredths of an inch.
    pub within: i32,
    /// The ranks of the generals who allow it, one bit each.
    pub ranks: u128,
    /// 1 for a unit that he helps; `None` means always.
    pub when: Option<Lookup>,
    /// Its source.
    pub source: Source,
}

/// Rolls that replace another.
#[derive(Clone, Debug)]
pub struct Instead {
    /// The rows.
    pub rows: Vec<InsteadRow>,
    /// The index of the first row whose condition is true; the number of rows if there is none.
    pub first: Lookup,
}

/// A roll that replaces another.
#[derive(Clone, Debug)]
pub struct InsteadRow {
    /// Its name in the pack.
    pub id: String,
    /// The roll, an index into [`Rules::rolls`](super::Rules::rolls).
    pub roll: RollId,
    /// Its source.
    pub source: Source,
}

/// The maximum number of inputs of a roll.
pub const INPUTS_MAX: usize = 8;

/// A compiled roll.
#[derive(Debug)]
pub struct Roll {
    /// Its name in the pack.
    pub id: String,
    /// Its name in the narration.
    pub title: String,
    /// The procedure with physical dice.
    pub mechanic: Mechanic,
    /// The inputs from the battle.
    pub inputs: Vec<Input>,
    /// The numbers it works with, in the order in which narration names them.
    pub quantities: Vec<Quantity>,
    /// The odds for every combination of inputs; its classes are indices into `outcomes`.
    pub table: RollTable,
    /// All possible outcomes.
    pub outcomes: Vec<RollOutcome>,
    /// Whether every outcome has an effect, so that the roll always has one, whatever its inputs.
    pub always_tells: bool,
    /// The rows of its result table.
    pub results: Vec<ResultRow>,
    /// The names of the columns of a table; empty if it has none.
    pub columns: Vec<String>,
    /// Its modifiers, in the order of the pack.
    pub modifiers: Vec<Modifier>,
    /// Other rolls that are taken in its place, if any.
    pub instead: Option<Box<Instead>>,
    /// The second try that a general allows, if any.
    pub retake: Option<Box<Retake>>,
    /// The sources of stages that have their own, each with the index of the stage in its pool.
    pub stage_sources: Vec<(usize, Source)>,
    /// Its source.
    pub source: Source,
}

impl Roll {
    /// The inputs in a situation, from the roller's and its enemy's points of view; unused places are 0.
    #[inline]
    pub fn read<S: Situation>(&self, own: &S, foe: &S) -> [i32; INPUTS_MAX] {
        let mut values = [0; INPUTS_MAX];
        for (value, input) in values.iter_mut().zip(&self.inputs) {
            *value = match input.by {
                Contestant::Own => input.value(own, own),
                Contestant::Foe => input.value(own, foe),
            };
        }
        values
    }

    /// One of the inputs, as [`Roll::read`] gives it; 0 for one that does not exist.
    #[inline]
    pub fn read_one<S: Situation>(&self, input: usize, own: &S, foe: &S) -> i32 {
        self.inputs.get(input).map_or(0, |input| match input.by {
            Contestant::Own => input.value(own, own),
            Contestant::Foe => input.value(own, foe),
        })
    }

    /// The number of dice rolled: the input's value from `read`, plus the fixed number. 0 for rolls without a number of
    /// dice.
    #[inline]
    fn dice_by(&self, read: impl Fn(usize) -> Option<i32>) -> Option<i32> {
        // A pool may have several groups of dice.
        let groups = if let Mechanic::Pool(pool) = &self.mechanic { pool.dice.len() } else { 1 };
        let counts = self.quantities.iter().filter(|quantity| quantity.name == "dice").take(groups);
        let mut dice = 0;
        for quantity in counts {
            dice += quantity.fixed + quantity.input.map_or(Some(0), |input| read(usize::from(input)))?;
        }
        Some(dice)
    }

    /// The row by which another roll replaces this one, from the roller's point of view.
    #[inline]
    pub fn replaced<S: Situation>(&self, own: &S) -> Option<&InsteadRow> {
        let instead = self.instead.as_deref()?;
        instead.rows.get(instead.first.get(own) as usize)
    }

    /// The number of dice rolled in a situation, from the roller's and its enemy's points of view; 0 for rolls without
    /// a number of dice.
    #[inline]
    pub fn dice<S: Situation>(&self, own: &S, foe: &S) -> i32 {
        self.dice_by(|input| Some(self.read_one(input, own, foe))).unwrap_or(0)
    }

    /// Like [`Roll::dice`], if it can be determined without the variables that `known` refuses.
    pub(crate) fn dice_told<S: Situation>(&self, roller: &S, known: &dyn Fn(Var) -> bool) -> Option<i32> {
        self.dice_by(|input| self.inputs.get(input).map_or(Some(0), |input| input.decided(roller, known)))
    }

    /// One of the inputs, if it can be determined without the variables that `known` refuses.
    pub(crate) fn input_told<S: Situation>(
        &self,
        input: usize,
        roller: &S,
        known: &dyn Fn(Var) -> bool,
    ) -> Option<i32> {
        self.inputs.get(input)?.decided(roller, known)
    }

    /// The roll with these inputs, as a decision for `Dice`.
    #[inline]
    #[must_use]
    pub fn at(&self, inputs: &[i32; INPUTS_MAX]) -> RollAt<'_> {
        self.table.at(&inputs[..self.inputs.len()])
    }

    /// The totals that these faces give if the roll is played by hand.
    pub fn totals(&self, inputs: &[i32; INPUTS_MAX], faces: &mut dyn grognard_dice::Faces) -> Totals {
        self.mechanic.by_hand(&inputs[..self.inputs.len()], faces)
    }
}
