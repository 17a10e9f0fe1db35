//! The subcommands, a file each.

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

/// What `grognard` can do.
#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Fight studies: a table of their results, and a folder of each with every number and a report.
    Run(run::Args),
    /// Say what a study will take, and how sharp its answers will be.
    Plan(plan::Args),
    /// Work a study out: exact odds, without sampling.
    Exact(exact::Args),
    /// Work out best play: what a battle is worth between experts, and what each doctrine gives away.
    Best(best::Args),
    /// Look for a better doctrine for a side, and say what it is worth.
    Train(train::Args),
    /// Print the battles of a results folder as CSV.
    Battles(battles::Args),
    /// Open a page in the browser that answers while a number of the rules moves.
    Studio(studio::Args),
    /// Narrate one battle, each event with its clause.
    Replay(replay::Args),
    /// Compare cells, two results, or two variants of a study.
    Compare(compare::Args),
    /// Say which clauses and rows of the pack a study brings into play, and which never.
    Coverage(coverage::Args),
    /// Say which numbers of the rules move the answer.
    Sensitivity(sensitivity::Args),
    /// Find the value of a number at which a metric is what you want.
    Find(find::Args),
    /// Say what each rule is worth: switch it off, and fight the same battles again.
    Ablate(ablate::Args),
    /// Say whether the rules meet the targets of a study.
    Judge(judge::Args),
    /// Find the smallest change of printed numbers that meets all targets of a study.
    Tune(tune::Args),
    /// Say who beats whom, which choices are dominated, and how both sides choose best.
    Matchups(matchups::Args),
    /// Say what each unit should cost: armies drawn at random fight each other.
    Points(points::Args),
    /// Say what dice, or a roll of a pack, come to: the exact odds of every total.
    Roll(roll::Args),
    /// Build the report of a results folder again.
    Report(report::Args),
    /// Add the results of shards.
    Merge(merge::Args),
    /// Start rules of your own.
    New(new::Args),
    /// Say all that is wrong with packs and studies.
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
