//! `grognard coverage`: which clauses and rows a study's battles use.

use std::fmt::Write as _;
use std::path::PathBuf;
use std::sync::Arc;

use grognard_engine::{Count, Coverage};
use grognard_lab::coverage::coverage as cover;
use grognard_lab::study::{Changes, Study};
use grognard_rules::model::Clause;
use grognard_source::Sources;
use serde_json::json;

use crate::failure::{Failure, Status};
use crate::interrupt::stop_on_ctrl_c;
use crate::parse::{self, Seed};
use crate::progress::Watch;
use crate::study::{load, overrides};
use crate::terminal;
use crate::text::{begun, counted, plural, wrapped};

const EXAMPLES: &str = "\
Examples:
  grognard coverage square-vs-line
  grognard coverage square-vs-line --runs 10000 --json
  grognard coverage my-study.toml --set turns=20

A clause is used when a row that cites it decides something: a phase, a modifier, a
result, a formation, a rate of movement. A row that cites several clauses counts for
all of them. A clause or row that is never used is out of reach in this study, or not
needed.";

/// The default of `--runs`.
const RUNS: u64 = 1_000;

/// Report which clauses and rows of the pack a study's battles use, and which they never use.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    /// A study, as for `grognard run`.
    study: PathBuf,
    /// Battles in each cell.
    #[arg(long, value_name = "N", value_parser = parse::runs, default_value_t = RUNS)]
    runs: u64,
    /// Use this seed instead of the study's.
    #[arg(long, value_name = "S", value_parser = parse::seed)]
    seed: Option<Seed>,
    /// Set a path to a value, as for `grognard run`. May be repeated.
    #[arg(long, value_name = "PATH=VALUE")]
    set: Vec<String>,
    /// Print one JSON object instead of the table.
    #[arg(long)]
    json: bool,
    /// Show no progress.
    #[arg(long, short)]
    quiet: bool,
}

/// Runs the command.
pub(crate) fn coverage(args: &Args, sources: &mut Sources) -> Result<Status, Failure> {
    let seed = args.seed.map(Seed::draw).transpose()?;
    let changes = Changes { seed, set: overrides(&args.set, sources)?, ..Changes::default() };
    let study = load(&args.study, &changes, sources)?;
    if !study.more_packs.is_empty() {
        let message = format!("{} has parts with several packs", study.header.name);
        return Err(Failure::wrong(message, "use a study with a single pack"));
    }
    let battles = args.runs.saturating_mul(study.cells.len() as u64);
    let watch = Arc::new(Watch::new(battles, 0, args.quiet));
    let teller = Arc::clone(&watch);
    let stop = stop_on_ctrl_c(move |message| teller.say(message));
    let counted = cover(&study, args.runs, &*watch, &stop);
    watch.end();
    let Some(coverage) = counted else {
        return Err(Failure::unfinished("stopped before every battle was counted".to_owned()));
    };
    if args.json {
        terminal::print_raw(&format!("{:#}\n", to_json(&study, &coverage, args.runs)))?;
    } else {
        terminal::print(&table(&study, &coverage, args.runs, terminal::width()))?;
    }
    Ok(Status::Done)
}

/// The clauses in the order of the rulebook, with the frequency of their use.
fn clauses<'a>(study: &'a Study, coverage: &'a Coverage<'_>) -> impl Iterator<Item = (&'a Clause, Count)> {
    let registered = study.cells.first().into_iter().flat_map(|cell| cell.rules.clauses.iter());
    registered.map(|clause| (clause, coverage.clauses().get(&clause.id).copied().unwrap_or_default()))
}

fn table(study: &Study, coverage: &Coverage<'_>, runs: u64, width: usize) -> String {
    let cells = study.cells.len() as u64;
    let all = coverage.battles();
    let mut text = format!(
        "{} ({} {}): {}, {} each\n",
        study.header.name,
        study.pack.name,
        study.pack.version,
        plural(cells, "cell"),
        plural(runs, "battle"),
    );
    let (reached, never): (Vec<_>, Vec<_>) = clauses(study, coverage).partition(|(_, count)| count.battles > 0);
    let id_width = clauses(study, coverage).map(|(clause, _)| clause.id.len()).max().unwrap_or(0).max("clause".len());
    let room = width.saturating_sub(id_width + 23).max(20);
    // Writing to a String does not fail.
    if !reached.is_empty() {
        let _ = writeln!(text, "\n{:id_width$}  {:>7}  {:>10}  requires", "clause", "battles", "times each");
        for (clause, count) in &reached {
            let battles = counted(count.battles);
            let each = match count.times as f64 / all as f64 {
                rare if rare < 0.005 => "<0.01".to_owned(),
                each => format!("{each:.2}"),
            };
            let requires = begun(&clause.text, room);
            let _ = writeln!(text, "{:id_width$}  {battles:>7}  {each:>10}  {requires}", clause.id);
        }
    }
    let _ = writeln!(text, "\n{} of {} clauses were used.", reached.len(), reached.len() + never.len());
    let room = width.saturating_sub(id_width + 4).max(20);
    let (listed, open): (Vec<_>, Vec<_>) = never.iter().partition(|(clause, _)| clause.unreached.is_some());
    if !listed.is_empty() {
        text.push_str("\nNo battle can reach these clauses, according to the pack:\n");
        for (clause, _) in listed {
            hang(&mut text, &clause.id, &clause.text, id_width, room);
            hang(&mut text, "", clause.unreached.as_deref().unwrap_or_default(), id_width, room);
        }
    }
    if !open.is_empty() {
        text.push_str("\nNever used:\n");
        for (clause, _) in open {
            hang(&mut text, &clause.id, &clause.text, id_width, room);
        }
    }
    let belied: Vec<&str> =
        reached.iter().filter(|(clause, _)| clause.unreached.is_some()).map(|(clause, _)| clause.id.as_str()).collect();
    if !belied.is_empty() {
        let them = if belied.len() == 1 { "it" } else { "them" };
        let _ = writeln!(text, "\nUsed, although the pack lists {them} as out of reach: {}.", belied.join(", "));
    }
    let rows: Vec<&str> =
        coverage.rows().iter().filter(|(_, count)| count.battles == 0).map(|(path, _)| path.as_str()).collect();
    let _ = writeln!(
        text,
        "\n{} of {} rows were used: modifiers, results, reactions, orders.",
        counted((coverage.rows().len() - rows.len()) as u64),
        counted(coverage.rows().len() as u64)
    );
    if !rows.is_empty() {
        let _ = writeln!(text, "\nRows never used:");
        for row in rows {
            let _ = writeln!(text, "  {row}");
        }
    }
    text
}

/// Writes a clause's number with a remark next to it.
fn hang(text: &mut String, id: &str, says: &str, id_width: usize, room: usize) {
    for (number, line) in wrapped(says, room).iter().enumerate() {
        let _ = writeln!(text, "  {:id_width$}  {line}", if number == 0 { id } else { "" });
    }
}

fn to_json(study: &Study, coverage: &Coverage<'_>, runs: u64) -> serde_json::Value {
    let clauses: Vec<_> = clauses(study, coverage)
        .map(|(clause, count)| {
            json!({
                "clause": clause.id,
                "requires": clause.text,
                "battles": count.battles,
                "times": count.times,
                "unreached": clause.unreached,
            })
        })
        .collect();
    let rows: Vec<_> = coverage
        .rows()
        .iter()
        .map(|(path, count)| json!({ "row": path, "battles": count.battles, "times": count.times }))
        .collect();
    json!({
        "study": study.header.name,
        "pack": study.pack.name,
        "seed": study.seed,
        "runs": runs,
        "battles": coverage.battles(),
        "clauses": clauses,
        "rows": rows,
    })
}
