//! `grognard roll`: the odds of dice, or of a roll of a pack.

mod pack;
mod printed;

use std::path::Path;

use grognard_exact::Number;
use grognard_exact::formula::{EXPLOSIONS, Formula, FormulaError, Odds};
use grognard_rules::library;
use grognard_source::{Diagnostic, Sources, Span};
use serde_json::{Value as Json, json};

use super::asking::Showing;
use crate::failure::{Failure, Status};

const EXAMPLES: &str = "\
Examples:
  grognard roll 3d6
  grognard roll 4d6kh3                Four dice, the best three
  grognard roll '5d6>=4'              How many of five dice show 4 or more
  grognard roll 2d6+1 --against 2d6   Who rolls higher
  grognard roll 'max(2d6, d20)' --json
  grognard roll risk assault --set dice=3 --set foe.dice=2
  grognard roll napoleonic-figures fire --set dice=12 --against 4d6>=5
  grognard roll napoleonic-figures fire --set dice=12 --with massed-target

  3d6, d20, d%, 4dF       dice, added up
  kh3, kl1, dh1, dl1      keep the highest or lowest, drop them
  >=4, >4, <=2, <2, =6    count the dice with these faces
  r1, r<=2, ro1           reroll these faces until none is left, or once
  !                       the highest face explodes; 8d6!>=5 counts every die, including added ones
  + - * ( ) min max       as usual

The odds are exact: every dice result is enumerated. For a roll of a pack, the answer
is the chance of each result, and the effect of each modifier.";

/// Compute the exact odds of dice, or of a roll of a pack.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    /// A dice formula: 3d6, 4d6kh3, 5d6>=4, 4d6!, 3d6r1, 2d6+1. Or a pack, by name or folder.
    #[arg(value_name = "FORMULA|PACK")]
    formula: String,
    /// A roll of the pack.
    roll: Option<String>,
    /// Compare with this formula: show how often the first total is higher, equal and lower.
    #[arg(long, value_name = "FORMULA")]
    against: Option<String>,
    /// Set a number that the pack's roll uses, before modifiers: by its name, or by the unit's attribute, such as
    /// self.nerve [default: 0; required where it cannot be 0]. May be repeated.
    #[arg(long, value_name = "NAME=NUMBER", requires = "roll")]
    set: Vec<String>,
    /// Apply a modifier of the pack's roll. May be repeated.
    #[arg(long = "with", value_name = "MODIFIER", requires = "roll")]
    modifiers: Vec<String>,
    #[command(flatten)]
    showing: Showing,
}

/// A formula with its odds.
struct Rolled<'a> {
    text: &'a str,
    odds: Odds,
    explodes: bool,
}

/// Runs the command.
pub(crate) fn roll(args: &Args, sources: &mut Sources) -> Result<Status, Failure> {
    let other = args.against.as_deref().map(|text| rolled(text, "--against", sources)).transpose()?;
    if let Some(roll) = &args.roll {
        return pack::roll(args, roll, other.as_ref(), sources);
    }
    if library::built_in(&args.formula).is_some() || Path::new(&args.formula).is_dir() {
        return Err(pack::without_a_roll(&args.formula, sources));
    }
    let own = rolled(&args.formula, "the formula", sources)?;
    args.showing.check()?;
    let answer = printed::answer(&own, other.as_ref(), args.command())?;
    args.showing.show(&answer)?;
    Ok(Status::Done)
}

/// A formula from the command line.
fn rolled<'a>(text: &'a str, place: &str, sources: &mut Sources) -> Result<Rolled<'a>, Failure> {
    let mut wrong = |error: FormulaError| {
        let file = sources.add(place, text);
        Failure::from(Diagnostic::new(error.message).at(Span::new(file, error.at)).help(error.help))
    };
    let formula = Formula::parse(text).map_err(&mut wrong)?;
    let odds = formula.odds().map_err(|error| wrong(FormulaError { at: 0..text.len(), ..error }))?;
    Ok(Rolled { text, odds, explodes: formula.explodes() })
}

impl Args {
    /// The command line that reproduces the answer.
    fn command(&self) -> String {
        let quoted = grognard_lab::shell::quoted;
        let against = self.against.iter().map(|against| format!("--against {}", quoted(against)));
        let mut words = vec!["grognard roll".to_owned(), quoted(&self.formula)];
        words.extend(self.roll.iter().map(|roll| quoted(roll)));
        words.extend(against);
        words.extend(self.set.iter().map(|set| format!("--set {}", quoted(set))));
        words.extend(self.modifiers.iter().map(|modifier| format!("--with {}", quoted(modifier))));
        words.join(" ")
    }
}

/// A total compared with another: how often the first is higher, equal and lower.
struct Beside<'a> {
    other: &'a Rolled<'a>,
    chances: [Number; 3],
}

impl<'a> Beside<'a> {
    fn of(odds: &Odds, other: Option<&'a Rolled<'a>>) -> Result<Option<Self>, Failure> {
        let Some(other) = other else { return Ok(None) };
        let chances = odds.against(&other.odds).map_err(|error| Failure::wrong(error.message, error.help))?;
        Ok(Some(Self { other, chances }))
    }

    fn sentence(&self) -> String {
        let [higher, equal, lower] = self.chances.each_ref().map(printed::percent);
        format!("Against {}: higher {higher}, equal {equal}, lower {lower}.", self.other.text.trim())
    }

    fn json(&self) -> Json {
        let Self { other, chances } = self;
        let number = |number: &Number| json!({ "p": number.value, "fraction": number.fraction.as_ref().map(ToString::to_string) });
        let [higher, equal, lower] = chances.each_ref().map(number);
        json!({ "formula": other.text.trim(), "mean": other.odds.mean(), "sd": other.odds.sd(), "higher": higher, "equal": equal, "lower": lower })
    }
}

/// A sentence on what is left out for exploding dice.
fn bound() -> String {
    format!("A die explodes at most {EXPLOSIONS} times.")
}
