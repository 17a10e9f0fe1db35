//! How `run`, `exact` and `merge` show results: as a table or JSON and in a report, with the paths of the files.

use std::time::Duration;

use grognard_lab::results::{Ending, Method, Results};
use grognard_lab::shell::quoted;
use grognard_report::Variants;

use crate::failure::{Failure, Status};
use crate::format::{Form, Format};
use crate::text::{counted, time};
use crate::{table, terminal};

/// How results are shown.
#[derive(Debug, clap::Args)]
pub(crate) struct Output {
    /// Do not build a report.
    #[arg(long)]
    no_report: bool,
    /// Build a one-page report: the answer, one chart, and the cells in question.
    #[arg(long, conflicts_with = "no_report")]
    pub(super) short: bool,
    #[command(flatten)]
    pub(super) form: Form,
    /// Print only the results and errors.
    #[arg(long, short)]
    pub(crate) quiet: bool,
}

impl Output {
    /// The separator between the results of two studies.
    pub(crate) fn part(&self) -> Result<(), Failure> {
        if self.form.format() == Format::Json { Ok(()) } else { terminal::print("\n") }
    }

    /// Whether to build a report.
    pub(crate) fn reports(&self) -> bool {
        !self.no_report
    }

    /// Prints the results and, if they have a folder and the run is complete, builds the report. An interruption
    /// that came too late to stop the run stops the report.
    ///
    /// `rest` is the time spent on the results beyond fighting, if it is known.
    pub(crate) fn conclude(
        &self,
        results: &Results,
        interrupted: bool,
        rest: Option<Duration>,
    ) -> Result<Status, Failure> {
        let nowhere = results.folder.as_os_str().is_empty();
        let reports = self.reports() && !nowhere;
        let stopped = results.manifest.progress.ending == Ending::Stopped || (interrupted && reports);
        self.print(results)?;
        let variants = if self.short { Variants::Short } else { Variants::One };
        let page =
            if reports && !stopped { Some(grognard_report::build(&results.folder, variants)?.page) } else { None };
        if !self.quiet {
            self.say_where(results, page.as_deref(), rest);
        }
        Ok(if stopped { Status::Unfinished } else { Status::Done })
    }

    /// Prints the results.
    pub(crate) fn print(&self, results: &Results) -> Result<(), Failure> {
        if !self.form.is_prose() || has_numbers(results) {
            self.form.print(results)?;
        }
        Ok(())
    }

    fn say_where(&self, results: &Results, page: Option<&std::path::Path>, rest: Option<Duration>) {
        let folder = results.folder.display();
        if self.form.is_prose() && has_numbers(results) {
            terminal::say("");
        }
        terminal::say(&effort(results, rest));
        if let Some(missed) = table::precision_missed(results) {
            terminal::say(&missed);
        }
        if results.folder.as_os_str().is_empty() {
            return;
        }
        terminal::say(&format!("results  {folder}"));
        match page {
            Some(page) => terminal::say(&format!("report   {}", page.display())),
            None => terminal::say(&format!(
                "report   none yet: grognard report {}",
                quoted(&results.folder.to_string_lossy())
            )),
        }
    }
}

/// Whether there is anything to print.
fn has_numbers(results: &Results) -> bool {
    results.manifest.progress.battles > 0 || results.manifest.method == Method::Exact
}

/// The time taken: for the battles, and for the rest if that takes a second or more.
fn effort(results: &Results, rest: Option<Duration>) -> String {
    let manifest = &results.manifest;
    let in_words = |elapsed: f64| time(Duration::try_from_secs_f64(elapsed).unwrap_or_default());
    if manifest.method == Method::Sampled {
        let battles = manifest.progress.battles * manifest.cells.len() as u64;
        let rest = rest.filter(|rest| rest.as_secs() > 0).map(|rest| format!("; {} more for the report", time(rest)));
        let rest = rest.unwrap_or_default();
        let Some((fought, elapsed)) = manifest.fought() else { return format!("{} battles{rest}", counted(battles)) };
        let now = if fought < battles { format!(", {} of them now,", counted(fought)) } else { String::new() };
        let rate = fought as f64 / elapsed.max(1e-3);
        return format!(
            "{} battles{now} in {}, {} a second{rest}",
            counted(battles),
            in_words(elapsed),
            counted(rate as u64)
        );
    }
    let took = in_words(manifest.made.elapsed_s);
    let sum = |of: fn(&grognard_exact::Effort) -> u64| results.odds.iter().map(|cell| of(&cell.effort)).sum::<u64>();
    let widest = results.odds.iter().map(|cell| cell.effort.widest).max().unwrap_or(0);
    let error = results.odds.iter().map(|cell| cell.error).fold(0.0, f64::max);
    format!(
        "{} situations, at most {} at a time, {} transitions; rounding error at most {error:.0e}; {took}",
        counted(sum(|effort| effort.states)),
        counted(widest),
        counted(sum(|effort| effort.paths)),
    )
}
