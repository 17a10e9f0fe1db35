//! Rolls: the dice mechanics of the hobby, with their odds computed at load.
//!
//! A [`Mechanic`] is a set of dice read by a fixed procedure: it gives [`Totals`]. Its numbers (dice, needs, modifiers)
//! are [`Amount`]s, fixed or supplied by the battle as inputs. For given inputs, [`Mechanic::distribution`] gives the
//! exact weight of every possible set of totals, and [`Mechanic::by_hand`] plays the same procedure with physical dice;
//! tests check that the two agree. [`RollTable`] computes the odds for every possible input once, at load.
//!
//! ```
//! use grognard_dice::{Decision, Die};
//! use grognard_roll::{Amount, Hand, Mechanic, Opposed, RollTable};
//!
//! // Each side rolls a die and adds its modifier; classes 0 lost, 1 drawn, 2 won.
//! let side = |input| Hand { plus: Amount::input(input), ..Hand::sum(Die::numbered(6), 1) };
//! let mechanic = Mechanic::Opposed(Opposed { own: side(0), foe: side(1), naturals: false });
//! let margin = 2;
//! let mut classify = |_: &[i32], totals: &grognard_roll::Totals| (1 + totals.get(margin).signum()) as u16;
//! let table = RollTable::build(mechanic, &[-10..=10, -10..=10], &mut classify)?;
//!
//! let roll = table.at(&[1, 0]);
//! assert_eq!(roll.classes(), [0, 1, 2]);
//! assert_eq!(roll.odds().weights, [10, 5, 21]);
//! # Ok::<(), grognard_roll::RollError>(())
//! ```

mod alike;
mod amount;
mod error;
mod hand;
mod keep;
mod late;
mod models;
mod natural;
mod odds_table;
mod opposed;
mod pool;
mod powers;
mod ranked;
mod stage;
mod sum;
mod symbols;
mod table;
#[cfg(test)]
mod tests;
mod throw;
mod totals;
mod under;
mod weights;

use grognard_dice::Faces;

pub use amount::Amount;
pub use error::RollError;
pub use hand::{Hand, Need, Read};
pub use keep::Keep;
pub use models::Models;
pub use natural::Natural;
pub use odds_table::{COMBINATIONS_MAX, ENTRIES_MAX, LATE_MAX, RollAt, RollTable};
pub use opposed::Opposed;
pub use pool::{Pool, Sent};
pub use ranked::{Line, Ranked, Ties};
pub use stage::{Branch, Goal, Stage};
pub use sum::Sum;
pub use symbols::{Count, Symbols, Tally};
pub use table::{Row, Table};
pub use throw::{DICE_MAX, Explode, Kind, Reroll, Rerolled};
pub use totals::{TOTALS_MAX, Totals};
pub use under::Under;

use weights::Budget;

/// The maximum number of multiplications for the odds of one roll.
const ROLL_WORK: u64 = 50_000_000;

/// A dice mechanic.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Mechanic {
    /// One hand of dice, read as it falls.
    Sum(Sum),
    /// The rolling side's hand against the foe's.
    Opposed(Opposed),
    /// Successes counted; the successes of each stage are the dice of the next.
    Pool(Pool),
    /// Symbols counted by label.
    Symbols(Symbols),
    /// Each side's dice sorted and compared in order.
    Ranked(Ranked),
    /// A total at or under a target.
    Under(Under),
    /// A total read in a table with columns.
    Table(Table),
}

/// The interface of every mechanic.
trait Procedure {
    /// The names of the totals, in order.
    fn totals(&self) -> Vec<String>;

    /// Every amount the mechanic reads.
    fn amounts(&self) -> Vec<Amount>;

    /// Two amounts of which only the difference matters, if there are any and only these totals are read: bit `k` stands
    /// for total `k`.
    fn compared(&self, reads: u8) -> Option<[Amount; 2]> {
        let _ = reads;
        None
    }

    /// Refuses incompatible parts.
    fn check(&self) -> Result<(), RollError>;

    /// The weights of all totals, for a mechanic that has been checked.
    fn work_out(&self, inputs: &[i32], budget: &mut Budget) -> Result<Vec<(Totals, u128)>, RollError>;

    /// The procedure with physical dice.
    fn by_hand(&self, inputs: &[i32], faces: &mut dyn Faces) -> Totals;
}

impl Mechanic {
    fn procedure(&self) -> &dyn Procedure {
        match self {
            Self::Sum(sum) => sum,
            Self::Opposed(opposed) => opposed,
            Self::Pool(pool) => pool,
            Self::Symbols(symbols) => symbols,
            Self::Ranked(ranked) => ranked,
            Self::Under(under) => under,
            Self::Table(table) => table,
        }
    }

    /// The names of the totals, in the order of [`Totals`].
    #[must_use]
    pub fn totals(&self) -> Vec<String> {
        self.procedure().totals()
    }

    /// The number of inputs that the mechanic reads: the highest index it uses, plus one.
    #[must_use]
    pub fn inputs(&self) -> usize {
        self.procedure().amounts().iter().filter_map(|amount| amount.input).max().map_or(0, |highest| highest + 1)
    }

    /// The weight of every possible set of totals, in ascending order of the totals. The weights are exact and in
    /// lowest terms, unless there are too many dice for that: then they are rounded.
    ///
    /// # Errors
    ///
    /// When parts of the mechanic are incompatible, an input is missing, or the odds do not fit; see [`RollError`].
    pub fn distribution(&self, inputs: &[i32]) -> Result<Vec<(Totals, u128)>, RollError> {
        self.check(inputs.len())?;
        self.work_out(inputs, &mut Budget::new(ROLL_WORK))
    }

    /// Rolls physical dice and reads them.
    ///
    /// Intended for a mechanic and inputs whose [`distribution`](Self::distribution) is not refused. Others still give
    /// totals: labels that do not exist never match, missing inputs count as 0, and dice beyond [`DICE_MAX`] are not
    /// rolled.
    pub fn by_hand(&self, inputs: &[i32], faces: &mut dyn Faces) -> Totals {
        self.procedure().by_hand(inputs, faces)
    }

    fn check(&self, given: usize) -> Result<(), RollError> {
        let inputs = self.inputs();
        if inputs > given {
            return Err(RollError::MissingInput { input: inputs - 1, given });
        }
        let totals = self.totals().len();
        if totals > TOTALS_MAX {
            return Err(RollError::TooManyTotals { given: totals });
        }
        self.procedure().check()
    }

    fn work_out(&self, inputs: &[i32], budget: &mut Budget) -> Result<Vec<(Totals, u128)>, RollError> {
        self.procedure().work_out(inputs, budget)
    }
}

/// Names in the form that mechanics return.
fn names<const N: usize>(names: [&str; N]) -> Vec<String> {
    names.map(str::to_owned).to_vec()
}
