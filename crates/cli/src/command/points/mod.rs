//! `grognard points`: what should each unit cost?

mod printed;

use std::path::PathBuf;
use std::time::Duration;

use grognard_lab::questions::{Points, PointsError, Priced, Unfit};
use grognard_lab::study::{Study, Variants};
use grognard_source::{Diagnostic, Sources};

use super::asking::{Battles, Cells, Showing, ended};
use crate::failure::{Failure, Status};
use crate::parse;
use crate::study::load;
use crate::text::{counted, listed, plural};

const EXAMPLES: &str = "\
Examples:
  grognard points hex-line
  grognard points hex-line --type heavy-infantry --type medium-infantry --type medium-cavalry
  grognard points my-armies.toml --price line-battalion=10 --price heavy-cavalry=16
  grognard points hex-armies --price light-cavalry=9 --price auxilia=8 --price medium-infantry=10 \\
      --price heavy-infantry=12 --price light-infantry=7 --price medium-cavalry=11 --budget 45
  grognard points my-armies.toml --armies 2000 --time 10m --out prices

Random armies are drawn from the study's: each side gets some of its units, and each unit
gets a random type. With --budget, a side buys units of random types until the budget is
spent. Leaders are kept. A price is what a unit adds to the odds of winning, for these
players, deployments and army sizes. Without --price, the mean price is 10.

Exit status: 0 if there are prices, 4 if --time ran out before enough armies had
fought, 1 if the command could not finish, 2 if the input is wrong.";

/// The default of `--armies`.
const ARMIES: u32 = 400;
/// Compute what each unit should cost, from battles of random armies.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    /// A study, as for `grognard run`.
    study: PathBuf,
    /// Price this unit type. May be repeated [default: the types in the study's armies].
    #[arg(long = "type", value_name = "TYPE")]
    types: Vec<String>,
    /// Keep all units of this type as they are in every army; leaders are always kept. May be repeated.
    #[arg(long, value_name = "TYPE")]
    keep: Vec<String>,
    /// Judge this printed price; printed prices also set the scale. May be repeated.
    #[arg(long = "price", value_name = "TYPE=POINTS")]
    prices: Vec<String>,
    /// Buy armies at the printed prices, each for between half and all of this many points [default: draw armies
    /// of about the same number of units].
    #[arg(long, value_name = "POINTS", requires = "prices")]
    budget: Option<f64>,
    #[command(flatten)]
    cells: Cells,
    /// Pairs of armies.
    #[arg(long, value_name = "N", default_value_t = ARMIES, value_parser = clap::value_parser!(u32).range(20..=100_000))]
    armies: u32,
    /// Battles for each pair.
    #[arg(long, value_name = "N", value_parser = parse::runs, default_value_t = Points::BATTLES)]
    runs: u64,
    /// Stop after this time, such as 90s or 10m, with prices from the armies that have fought.
    #[arg(long, value_name = "TIME", value_parser = parse::duration)]
    time: Option<Duration>,
    #[command(flatten)]
    battles: Battles,
    #[command(flatten)]
    showing: Showing,
}

/// The question and its result.
struct Report<'a> {
    study: &'a Study,
    asked: &'a Points,
    found: &'a Priced,
    command: String,
}

/// Runs the command.
pub(crate) fn points(args: &Args, sources: &mut Sources) -> Result<Status, Failure> {
    let changes = args.battles.changes(sources)?;
    let study = load(&args.study, &changes, sources)?;
    study.of_two_sides("`points`")?;
    let cells = args.cells.of(&study, sources)?;
    let variants = Variants::of(&study, sources)?;
    let types = args.types(&study, &variants, &cells)?;
    let given = args.given(&types)?;
    args.check_budget(&types, &given)?;
    let asked = Points {
        types,
        kept: args.keep.clone(),
        given,
        budget: args.budget,
        cells,
        armies: args.armies as usize,
        battles: study.whole_rounds(args.runs),
        level: args.battles.level,
        threads: args.battles.threads(),
    };
    args.showing.say(&format!(
        "{}: {}, {} pairs of armies, {} each, seed {}, {}",
        study.header.name,
        plural(asked.types.len() as u64, "type"),
        counted(asked.armies as u64),
        plural(asked.battles, "battle"),
        study.seed,
        study.pack_line()
    ));
    let command = args.command(changes.seed);
    let question = args.showing.begin(&study, &command)?;
    let (found, out_of_time) =
        question.watch(args.time, asked.battles_at_most(), |watch, stop| asked.run(&study, &variants, watch, stop));
    let found = found.map_err(|error| failed(error).timed(out_of_time))?;
    question.show(&Report { study: &study, asked: &asked, found: &found, command }.answer(), found.stopped)?;
    Ok(ended(found.stopped, out_of_time))
}

/// Why there are no prices.
fn failed(error: PointsError) -> Failure {
    let message = error.to_string();
    match error {
        PointsError::Study(faults) => Failure::Wrong(faults),
        PointsError::NoUnits(_) => {
            Failure::wrong(message, "keep fewer types with --keep, or name other cells with --cell")
        }
        PointsError::Refused { .. } => {
            Failure::wrong(message, "give the units of the study more room, or name types that fit with --type")
        }
        PointsError::Unfit(Unfit::Alike) => Failure::wrong(
            message,
            "give each side several units to draw from, so that armies differ in size, or draw more with --armies",
        ),
        PointsError::Unfit(Unfit::Endless) => {
            Failure::wrong(message, "name fewer types with --type, draw more armies, or make them larger")
        }
        PointsError::Unfit(Unfit::Worthless) => Failure::wrong(
            message,
            "fight more with --armies or --runs, name fewer types with --type, or give other prices with --price",
        ),
        PointsError::Stopped => Failure::stopped("enough armies had fought"),
        PointsError::Threads(_) => Failure::unfinished(message),
    }
}

impl Args {
    /// The types to price.
    fn types(&self, study: &Study, variants: &Variants<'_>, cells: &[usize]) -> Result<Vec<String>, Failure> {
        let types = if self.types.is_empty() {
            Points::types_of(study, variants, cells, &self.keep)?
        } else {
            self.types.clone()
        };
        let known = || study.chosen(cells).into_iter().take(1).flat_map(|cell| study.cells[cell].rules.kinds.iter());
        for (at, name) in types.iter().chain(&self.keep).enumerate() {
            if known().all(|kind| kind.id != *name) {
                return Err(Diagnostic::unknown("unit type", name, known().map(|kind| kind.id.as_str())).into());
            }
            if types[..at.min(types.len())].contains(name) {
                let help = "name each type once, with --type or with --keep";
                return Err(Failure::wrong(format!("the type `{name}` is named twice"), help));
            }
        }
        if let [only] = types.as_slice() {
            let message = format!("`{only}` is the only type, so there is nothing to compare its price with");
            return Err(Failure::wrong(message, "name several with --type"));
        }
        Ok(types)
    }

    /// The printed prices, by type.
    fn given(&self, types: &[String]) -> Result<Vec<Option<f64>>, Failure> {
        let mut given = vec![None; types.len()];
        for text in &self.prices {
            let wrong =
                || Failure::wrong(format!("`--price {text}` is not a price"), "write TYPE=POINTS, such as guard=12");
            let (name, price) = text.split_once('=').ok_or_else(wrong)?;
            let price: f64 = price.trim().parse().map_err(|_| wrong())?;
            if !(price > 0.0 && price <= 1e6) {
                return Err(Failure::wrong(
                    format!("`{text}`: a price must be more than 0"),
                    "write a positive number",
                ));
            }
            let Some(at) = types.iter().position(|known| known == name.trim()) else {
                let message = format!("`{}` is not priced here", name.trim());
                return Err(Failure::wrong(message, format!("one of {}", listed(types))));
            };
            given[at] = Some(price);
        }
        Ok(given)
    }

    /// Checks that armies can be bought: every type has a price, and the budget pays for one unit of each.
    fn check_budget(&self, types: &[String], given: &[Option<f64>]) -> Result<(), Failure> {
        let Some(budget) = self.budget else { return Ok(()) };
        for (name, price) in types.iter().zip(given) {
            let Some(price) = price else {
                let help = format!("write --price {name}=POINTS, or omit --budget");
                return Err(Failure::wrong(format!("`{name}` has no price for --budget"), help));
            };
            // A budget that is not a number buys nothing.
            if !(budget.is_finite() && *price <= budget) {
                let message = format!("a budget of {budget} does not buy one `{name}`, which costs {price}");
                return Err(Failure::wrong(message, "write a larger --budget"));
            }
        }
        Ok(())
    }

    /// The command line that reproduces the answer.
    fn command(&self, seed: Option<u64>) -> String {
        let quoted = grognard_lab::shell::quoted;
        let mut words = vec!["grognard points".to_owned(), quoted(&self.study.to_string_lossy())];
        words.extend(self.types.iter().map(|name| format!("--type {}", quoted(name))));
        words.extend(self.keep.iter().map(|name| format!("--keep {}", quoted(name))));
        words.extend(self.prices.iter().map(|price| format!("--price {}", quoted(price))));
        words.extend(self.budget.map(|budget| format!("--budget {budget}")));
        words.extend(self.cells.words());
        words.extend((self.armies != ARMIES).then(|| format!("--armies {}", self.armies)));
        words.extend((self.runs != Points::BATTLES).then(|| format!("--runs {}", self.runs)));
        words.extend(self.battles.words(seed));
        words.join(" ")
    }
}
