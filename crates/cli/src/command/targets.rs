//! Which targets a command is about: those of the study, or those of the command line.

use grognard_lab::shell::quoted;
use grognard_lab::study::{Study, Target};
use grognard_source::{Diagnostics, Sources};

use super::asking::Cells;
use crate::failure::Failure;

/// Targets, and the cells they cover.
#[derive(Clone, Debug, clap::Args)]
pub(super) struct Targets {
    /// Use this target instead of the study's: a metric and a band, such as 'defender wins = 40 %..60 %' or
    /// 'defender score from the baseline = 5 %..20 %'. May be repeated.
    #[arg(long, value_name = "METRIC = LOW..HIGH")]
    target: Vec<String>,
    #[command(flatten)]
    cells: Cells,
}

impl Targets {
    /// Sets the study's targets and their cells from the flags.
    ///
    /// # Errors
    ///
    /// A target or a cell is wrong, or no target is left.
    pub(super) fn choose(&self, study: &mut Study, sources: &mut Sources) -> Result<(), Failure> {
        let cells = self.cells.of(study, sources)?;
        let mut targets = std::mem::take(&mut study.targets);
        if !self.target.is_empty() {
            targets = self.asked(study, &cells, sources)?;
        } else if targets.is_empty() {
            let message = format!("the study `{}` has no targets", study.header.name);
            let help = "name one with --target 'METRIC = LOW..HIGH', or write [[target]] with says, metric and band";
            return Err(Failure::wrong(message, help));
        } else if !cells.is_empty() {
            targets = targets.into_iter().filter_map(|target| target.within(&cells)).collect();
        }
        if targets.is_empty() {
            let message = "no target of the study covers these cells";
            return Err(Failure::wrong(message, "name other cells, or a target with --target"));
        }
        study.targets = targets;
        Ok(())
    }

    fn asked(&self, study: &Study, cells: &[usize], sources: &mut Sources) -> Result<Vec<Target>, Failure> {
        let mut faults = Diagnostics::new();
        let mut targets = Vec::new();
        for text in &self.target {
            let file = sources.add("--target", text.as_str());
            match Target::parse(study, cells, file, sources) {
                Ok(target) => targets.push(target),
                Err(more) => faults.append(more),
            }
        }
        Ok(faults.into_result(targets)?)
    }

    /// The flags of a command line with the same targets.
    pub(super) fn words(&self) -> impl Iterator<Item = String> {
        let targets = self.target.iter().map(|target| format!("--target {}", quoted(target)));
        targets.chain(self.cells.words())
    }
}
