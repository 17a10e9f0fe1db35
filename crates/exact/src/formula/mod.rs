//! Dice formulas in players' notation, with their exact odds.
//!
//! [`Formula::parse`] reads `3d6`, `4d6kh3`, `2d20kl1`, `5d6>=4`, `4d6!`, `3d6r1`, `2d6+1d4-1`, `max(d6, d8)`;
//! [`Formula::odds`] gives the probability of every total as a fraction. No dice are rolled.
//!
//! | written | means |
//! |---|---|
//! | `3d6`, `d20`, `d%`, `4dF` | dice, added up; `d%` is `d100`, the faces of `dF` are −1, 0 and 1 |
//! | `kh3`, `kl1`, `dh1`, `dl1` | keep the highest or lowest, drop the highest or lowest |
//! | `>=4`, `>4`, `<=2`, `<2`, `=6` | count the dice for which this is true |
//! | `r1`, `r<=2` | reroll these faces until others come up |
//! | `ro1`, `ro<=2` | reroll these faces once |
//! | `!` | a die that shows its highest face is rolled again and added, at most [`EXPLOSIONS`] times |
//! | `8d6!>=5` | count the dice for which this is true, including those added by explosions; a number that no face shows, as in `2d6!>=7`, is compared with the sum |
//! | `+`, `-`, `*`, `( )`, `min(a, b)`, `max(a, b)` | as usual |
//!
//! ```
//! use grognard_exact::formula::Formula;
//!
//! let advantage = Formula::parse("2d20kh1")?.odds()?;
//! assert_eq!(advantage.mean(), 13.825);
//! assert_eq!(advantage.fraction(20).to_string(), "39/400");
//! # Ok::<(), grognard_exact::formula::FormulaError>(())
//! ```

mod odds;
mod parse;
mod pool;
#[cfg(test)]
mod tests;

use std::ops::Range;

pub use odds::Odds;
use pool::Pool;

/// The limit on explosions of one die. For a six-sided die, the probability of more explosions is less than one in 6²⁰.
pub const EXPLOSIONS: u32 = 20;

/// A formula of dice.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Formula(Part);

/// A part of a formula.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Part {
    Number(i64),
    Dice(Pool),
    Both(Operation, Box<[Part; 2]>),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Operation {
    Add,
    Subtract,
    Multiply,
    Least,
    Greatest,
}

/// A text that is not a formula, or a formula that is too large.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct FormulaError {
    /// What is wrong.
    pub message: String,
    /// What to write instead.
    pub help: String,
    /// The location, in bytes of the text.
    pub at: Range<usize>,
}

impl Formula {
    /// Reads a formula.
    ///
    /// # Errors
    /// See [`FormulaError`].
    pub fn parse(text: &str) -> Result<Self, FormulaError> {
        parse::formula(text).map(Self)
    }

    /// The odds of every total.
    ///
    /// # Errors
    /// There are too many totals, or too many ways to get them.
    pub fn odds(&self) -> Result<Odds, FormulaError> {
        odds(&self.0)
    }

    /// Whether a die in it may explode.
    #[must_use]
    pub fn explodes(&self) -> bool {
        explodes(&self.0)
    }
}

fn explodes(part: &Part) -> bool {
    match part {
        Part::Number(_) => false,
        Part::Dice(pool) => pool.explodes,
        Part::Both(_, parts) => parts.iter().any(explodes),
    }
}

fn odds(part: &Part) -> Result<Odds, FormulaError> {
    match part {
        Part::Number(number) => Ok(Odds::certain(*number)),
        Part::Dice(pool) => pool.odds(),
        Part::Both(operation, parts) => {
            let [one, other] = [odds(&parts[0])?, odds(&parts[1])?];
            one.with(&other, |one, other| match operation {
                Operation::Add => one.checked_add(other),
                Operation::Subtract => one.checked_sub(other),
                Operation::Multiply => one.checked_mul(other),
                Operation::Least => Some(one.min(other)),
                Operation::Greatest => Some(one.max(other)),
            })
        }
    }
}

/// The error for a valid formula that is too large.
fn too_large(what: &str) -> FormulaError {
    FormulaError {
        message: format!("{what} are too many to compute"),
        help: "use fewer dice, or dice with fewer faces".to_owned(),
        at: 0..0,
    }
}
