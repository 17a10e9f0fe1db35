//! Dice without battles.

use grognard_exact::formula::{Formula, Odds};
use grognard_source::{Diagnostic, Sources, Span};

use crate::Error;

/// The exact odds of a dice formula in players' notation: `3d6`, `4d6kh3`, `5d6>=4`, `2d6+1`, `max(2d6, d20)`. Like
/// `grognard roll FORMULA`, whose help lists the notation.
///
/// ```
/// let odds = grognard_kit::roll("4d6kh3")?;
/// // The best three of four dice show 18 in 21 of 1,296 throws: three sixes and another face (20), or four sixes (1).
/// assert_eq!(odds.fraction(18).to_string(), "7/432");
/// assert!(grognard_kit::roll("4d6kx3").is_err());
/// # Ok::<(), grognard_kit::Error>(())
/// ```
///
/// # Errors
/// [`Error::Faults`]: what is wrong with the formula, with its location.
pub fn roll(formula: &str) -> Result<Odds, Error> {
    let odds = Formula::parse(formula).and_then(|formula| formula.odds());
    odds.map_err(|error| {
        let mut sources = Sources::new();
        let file = sources.add("the formula", formula);
        Error::faults(&Diagnostic::new(error.message).at(Span::new(file, error.at)).help(error.help).into(), &sources)
    })
}
