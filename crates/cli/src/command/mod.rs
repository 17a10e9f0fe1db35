//! The subcommands, one file each.

pub(crate) mod ablate;
mod asking;
pub(crate) mod battles;
pub(crate) mod best;
pub(crate) mod check;
pub(crate) mod compare;
pub(crate) mod completions;
pub(crate) mod coverage;
pub(crate) mod decide;
pub(crate) mod exact;
mod export;
pub(crate) mod find;
pub(crate) mod judge;
pub(crate) mod man;
pub(crate) mod matchups;
pub(crate) mod merge;
mod method;
pub(crate) mod new;
mod output;
pub(crate) mod packs;
pub(crate) mod plan;
pub(crate) mod points;
pub(crate) mod replay;
pub(crate) mod report;
pub(crate) mod roll;
pub(crate) mod run;
pub(crate) mod schema;
pub(crate) mod sensitivity;
pub(crate) mod studies;
pub(crate) mod studio;
mod targets;
pub(crate) mod train;
pub(crate) mod tune;

use clap::Subcommand;

/// The subcommands.
#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Run studies, print their results, and write a folder with all numbers and a report for each.
    Run(run::Args),
    /// Estimate the time, disk space and precision of a study.
    Plan(plan::Args),
    /// Compute a study's exact odds, without sampling.
    Exact(exact::Args),
    /// Compute best play: what a battle is worth between experts, and what each doctrine gives away.
    Best(best::Args),
    /// Search for a better doctrine for a side, and report what it is worth.
    Train(train::Args),
    /// Print the battles of a results folder as CSV.
    Battles(battles::Args),
    /// Open a browser page that shows how the odds change as you change the rules.
    Studio(studio::Args),
    /// Narrate one battle, with the clauses of each event, or draw it.
    Replay(replay::Args),
    /// Compare cells, two results, or two variants of a study.
    Compare(compare::Args),
    /// Report which clauses and rows of the pack a study uses, and which it never uses.
    Coverage(coverage::Args),
    /// Find which numbers in the rules change the answer, and by how much.
    Sensitivity(sensitivity::Args),
    /// Find the value of a number at which a metric reaches a target.
    Find(find::Args),
    /// Measure what each rule is worth: switch it off and fight the same battles again.
    Ablate(ablate::Args),
    /// Report which targets of a study the rules meet.
    Judge(judge::Args),
    /// Find the smallest change to printed numbers that meets all targets of a study.
    Tune(tune::Args),
    /// Show who beats whom, which choices are dominated, and the best mix of choices for each side.
    Matchups(matchups::Args),
    /// Compute what each unit should cost, from battles of random armies.
    Points(points::Args),
    /// Compute the exact odds of dice, or of a roll of a pack.
    Roll(roll::Args),
    /// Rebuild the report of a results folder.
    Report(report::Args),
    /// Add up the results of shards.
    Merge(merge::Args),
    /// Create rules of your own.
    New(new::Args),
    /// Report every error in packs and studies.
    Check(check::Args),
    /// List, show or export the built-in rule packs.
    Packs(packs::Args),
    /// List, show or export the built-in studies.
    Studies(studies::Args),
    /// Print the JSON Schema of packs or studies, for editors.
    Schema(schema::Args),
    /// Print completions for a shell.
    Completions(completions::Args),
    /// Print the manual page, or write those of all subcommands.
    Man(man::Args),
}
