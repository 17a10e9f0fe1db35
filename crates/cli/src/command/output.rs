//! What `run` and `merge` do with results: a table or JSON, a report, and where they are.

use std::time::Duration;

use grognard_lab::results::{Ending, Results};
use grognard_lab::shell::quoted;
use grognard_report::Variants;

use crate::failure::{Failure, Status};
use crate::format::{Form, Format};
use crate::terminal;
use crate::text::{counted, time};

/// How results are to be shown.
#[derive(Debug, clap::Args)]
pub(crate) struct Output {
    /// Build no report.
    #[arg(long)]
    no_report: bool,
    #[command(flatten)]
    pub(super) form: Form,
    /// Say nothing but the results, and what went wrong.
    #[arg(long, short)]
    pub(crate) quiet: bool,
}

impl Output {
    /// Parts the results of two studies.
    pub(crate) fn part(&self) -> Result<(), Failure> {
        if self.form.format() == Format::Json { Ok(()) } else { terminal::print("\n") }
    }

    /// Prints the results and, if the run came to its end, builds the report.
    pub(crate) fn conclude(&self, results: &Results) -> Result<Status, Failure> {
        let stopped = results.manifest.progress.ending == Ending::Stopped;
        if !self.form.is_prose() || results.manifest.progress.battles > 0 {
            self.form.print(results)?;
        }
        let page = if self.no_report || stopped {
            None
        } else {
            Some(grognard_report::build(&results.folder, Variants::One)?.page)
        };
        if !self.quiet {
            self.say_where(results, page.as_deref());
        }
        Ok(if stopped { Status::Unfinished } else { Status::Done })
    }

    fn say_where(&self, results: &Results, page: Option<&std::path::Path>) {
        let folder = results.folder.display();
        let manifest = &results.manifest;
        if self.form.is_prose() && manifest.progress.battles > 0 {
            terminal::say("");
        }
        let battles = manifest.progress.battles * manifest.cells.len() as u64;
        let elapsed = manifest.made.elapsed_s;
        let took = Duration::try_from_secs_f64(elapsed).unwrap_or_default();
        let rate = battles as f64 / elapsed.max(1e-3);
        terminal::say(&format!("{} battles in {}, {} a second", counted(battles), time(took), counted(rate as u64)));
        terminal::say(&format!("results  {folder}"));
        match page {
            Some(page) => terminal::say(&format!("report   {}", page.display())),
            None if grognard_report::is_stale(results) => terminal::say(&format!(
                "note     the report in that folder is of other results; to build it again: grognard report {}",
                quoted(&results.folder.to_string_lossy())
            )),
            None => {}
        }
    }
}
