//! The questions of `grognard find`, `judge`, `tune`, `ablate`, `matchups` and `points`, with what these commands do by themselves.

use grognard_lab::progress::{Silent, Stop};
use grognard_lab::questions::{
    Ablated, Ablation, BATTLES, Demand, Found, Grid, Judge, Matched, Matchups, Points, Priced, Search, Tuned, Tuning,
    Values, Verdicts, metric,
};
use grognard_lab::sensitivity::{self, Inquiry, LOOK, Meant};
use grognard_lab::study::{Study, Variants, metrics_of};
use grognard_source::{Diagnostic, Diagnostics, Sources};

use crate::{Error, Question};

/// What [`Question::tune`] tried, and what came of it: candidates name their numbers by their place in `tuning`.
#[derive(Clone, Debug)]
pub struct Tune {
    /// The numbers that could change, and how far.
    pub tuning: Tuning,
    /// What was found.
    pub tuned: Tuned,
}

impl Tune {
    /// The smallest change that meets all targets: paths, and values in thousandths before and after. Empty where none was found.
    pub fn change(&self) -> impl Iterator<Item = (String, i64, i64)> + '_ {
        let moves = self.tuned.found.iter().flat_map(|(candidate, _)| &candidate.moves);
        moves.map(|&(place, pips)| {
            let number = &self.tuning.numbers[place];
            (number.name(), number.value, number.value + pips * number.pip)
        })
    }
}

/// The choices of [`Question::matchups`], and what came of them row by row.
#[derive(Clone, Debug)]
pub struct Table {
    /// What the sides may choose.
    pub grid: Grid,
    /// Who beats whom, and how both sides choose best.
    pub matched: Matched,
}

impl Question {
    /// At which value of a number is a metric what one wants? As `grognard find --number NUMBER --where DEMAND`; `runs` is the most
    /// battles of a cell at one value.
    ///
    /// # Errors
    /// [`Error::Wrong`]: the study, the number or the demand is; [`Error::Asked`]: the rules allow no value.
    pub fn find(&self, number: &str, demand: &str) -> Result<Found, Error> {
        self.ask(|study, variants| {
            let demand = Demand::parse(study, demand).map_err(Diagnostic::from)?;
            let scale = if demand.quantity.share { 1.0 } else { demand.greatest() };
            let search = Search {
                number: sensitivity::number(variants, number)?,
                values: Values::Around,
                demand,
                cells: Vec::new(),
                battles: study.whole_rounds(self.runs.unwrap_or(BATTLES)),
                precision: scale * self.precision.unwrap_or(0.01),
                level: self.level,
                threads: self.threads,
                exact: None,
            };
            search.run(study, variants, &Silent, &Stop::new()).map_err(Unanswered::other)
        })
    }

    /// Do the rules meet the targets of the study? As `grognard judge`; `runs` is the most battles of a cell.
    ///
    /// # Errors
    /// [`Error::Wrong`]: the study is, or has no targets.
    pub fn judge(&self) -> Result<Verdicts, Error> {
        self.ask(|study, _| {
            targeted(study)?;
            let battles = study.whole_rounds(self.runs.unwrap_or(BATTLES));
            let judge = Judge { battles, level: self.level, threads: self.threads, exact: None };
            judge.run(study, &Silent, &Stop::new()).map_err(Unanswered::other)
        })
    }

    /// Which is the smallest change of these numbers that meets all targets of the study? As `grognard tune --number …`: of those that
    /// are in use, up to two change together, by up to three pips each. Where that makes more than 1,000 candidates, those of the
    /// numbers that stand first in the pack are tried. `runs` is the most battles of a cell for one candidate.
    ///
    /// # Errors
    /// [`Error::Wrong`]: the study or a number is, there are no targets, or none of the numbers is in use.
    pub fn tune(&self, numbers: &[&str]) -> Result<Tune, Error> {
        self.ask(|study, variants| {
            targeted(study)?;
            let meant = Meant::of(numbers, variants)?;
            // Which numbers are in use is the same whatever the metric.
            let quantity = metric(study, &study.targets[0].metric).ok_or_else(|| no_metric(study, ""))?;
            let (cells, level, threads) = (Vec::new(), self.level, self.threads);
            let inquiry = Inquiry { cells, battles: LOOK, quantity, pips: Tuning::PIPS, level, threads };
            let choice = inquiry.choose(study, variants, &meant.named(), &Silent, &Stop::new());
            let mut numbers = choice.map_err(Unanswered::other)?.numbers;
            numbers.retain(|number| !number.varied && meant.means(number));
            if numbers.is_empty() {
                return Err(Diagnostic::new("none of these numbers is in use in this study")
                    .help("name others")
                    .into());
            }
            let tuning = Tuning {
                numbers,
                changes: Tuning::CHANGES,
                pips: Tuning::PIPS,
                candidates: Tuning::CANDIDATES,
                battles: study.whole_rounds(self.runs.unwrap_or(Tuning::BATTLES)),
                level,
                threads,
            };
            let tuned = tuning.run(study, variants, &Silent, &Stop::new()).map_err(Unanswered::other)?;
            Ok(Tune { tuning, tuned })
        })
    }

    /// What is each rule worth, in points of a metric? As `grognard ablate --metric METRIC --runs N` with as many battles of each cell
    /// as the study asks for, or `runs`.
    ///
    /// # Errors
    /// [`Error::Wrong`]: the study is, or has no such metric.
    pub fn ablate(&self, of: &str) -> Result<Ablated, Error> {
        self.ask(|study, variants| {
            let ablation = Ablation {
                switches: variants.switches(),
                cells: Vec::new(),
                battles: study.whole_rounds(study.runs),
                quantity: metric(study, of).ok_or_else(|| no_metric(study, of))?,
                pairs: true,
                level: self.level,
                threads: self.threads,
            };
            let found = ablation.run(study, variants, &Silent, &Stop::new()).map_err(Unanswered::other)?;
            found.ok_or_else(|| Unanswered::other("no rule was tried"))
        })
    }

    /// Who beats whom, and how do both sides choose best? As `grognard matchups`: what the study varies of the one side meets what it
    /// varies of the other. `runs` is the most battles of a cell.
    ///
    /// # Errors
    /// [`Error::Wrong`]: the study is; [`Error::Asked`]: it varies nothing of a side.
    pub fn matchups(&self) -> Result<Table, Error> {
        self.ask(|study, _| {
            let asked = Matchups {
                grid: Grid::of(study, &[], &[], &[]).map_err(Unanswered::other)?,
                battles: study.whole_rounds(self.runs.unwrap_or(BATTLES)),
                precision: self.precision.unwrap_or(0.01),
                level: self.level,
                threads: self.threads,
                exact: None,
            };
            let matched = asked.run(study, &Silent, &Stop::new()).map_err(Unanswered::other)?;
            Ok(Table { grid: asked.grid, matched })
        })
    }

    /// What should each unit type cost? As `grognard points --armies N`: pairs of armies are drawn from those of the study. `runs` is how
    /// often each pair fights.
    ///
    /// # Errors
    /// [`Error::Wrong`]: the study is; [`Error::Asked`]: its armies say nothing about prices.
    pub fn points(&self, armies: usize) -> Result<Priced, Error> {
        self.ask(|study, variants| {
            let types = Points::types_of(study, variants, &[], &[])?;
            let asked = Points {
                given: vec![None; types.len()],
                types,
                kept: Vec::new(),
                budget: None,
                cells: Vec::new(),
                armies,
                battles: study.whole_rounds(self.runs.unwrap_or(Points::BATTLES)),
                level: self.level,
                threads: self.threads,
            };
            asked.run(study, variants, &Silent, &Stop::new()).map_err(Unanswered::other)
        })
    }

    /// Asks something of the study, whose rules may be changed.
    fn ask<T>(&self, ask: impl FnOnce(&Study, &Variants<'_>) -> Result<T, Unanswered>) -> Result<T, Error> {
        let mut sources = Sources::new();
        let asked = self.read(&mut sources).map_err(Unanswered::Wrong).and_then(|study| {
            let variants = Variants::of(&study, &mut sources)?;
            ask(&study, &variants)
        });
        asked.map_err(|error| match error {
            Unanswered::Wrong(faults) => Error::wrong(&faults, &sources),
            Unanswered::Other(why) => Error::Asked(why),
        })
    }
}

/// Why a question has no answer, before faults are shown with their places.
enum Unanswered {
    Wrong(Diagnostics),
    Other(String),
}

impl Unanswered {
    #[allow(clippy::needless_pass_by_value, reason = "errors are handed over as `map_err` has them")]
    fn other(why: impl ToString) -> Self {
        Self::Other(why.to_string())
    }
}

impl From<Diagnostics> for Unanswered {
    fn from(faults: Diagnostics) -> Self {
        Self::Wrong(faults)
    }
}

impl From<Diagnostic> for Unanswered {
    fn from(fault: Diagnostic) -> Self {
        Self::Wrong(fault.into())
    }
}

fn no_metric(study: &Study, name: &str) -> Diagnostic {
    let known = metrics_of(&study.sides);
    Diagnostic::unknown("metric", name, known.iter().map(String::as_str))
}

/// A study without targets is met by everything.
fn targeted(study: &Study) -> Result<(), Diagnostics> {
    if !study.targets.is_empty() {
        return Ok(());
    }
    let fault = Diagnostic::new(format!("the study `{}` has no targets", study.header.name));
    Err(fault.help("write [[target]] with says, metric and band").into())
}
