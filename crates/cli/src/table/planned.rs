//! The time a study will take: in words, and a row for each cell.

use std::time::Duration;

use grognard_lab::plan::CellTrial;
use grognard_stats::{Estimate, decimals};

use super::figures::{Figure, aligned, margin, margin_alone};
use super::grid::{self, Block, Column};
use crate::command::plan::Plan;
use crate::text::{counted, plural, shortened, time};

/// The maximum number of cells listed.
const LISTED_MAX: usize = 40;
/// The maximum length of a cell's label. It is the last column and is printed in full, even if a line gets too long.
const LABEL_MAX: usize = 120;

/// The plan as text.
pub(crate) fn planned(plan: &Plan<'_>) -> String {
    let mut parts = vec![heading(plan), totals(plan), cells(plan)];
    if plan.time.is_some() {
        parts.push(commands(plan));
    }
    let parts: Vec<String> = parts.iter().map(|lines| lines.join("\n")).collect();
    format!("{}\n", parts.join("\n\n"))
}

fn heading(plan: &Plan<'_>) -> Vec<String> {
    let study = plan.study;
    let each = match plan.time {
        Some((spent, _)) => format!("{} to spend", time(spent)),
        None => format!("{} each", plural(study.runs, "battle")),
    };
    let fought = format!(
        "{}, {each}, {} in all, seed {}, {}",
        plural(study.cells.len() as u64, "cell"),
        plural(plan.all(), "battle"),
        study.seed,
        shortened(&study.pack_line(), 120)
    );
    vec![shortened(&study.header.title, 120), fought]
}

fn totals(plan: &Plan<'_>) -> Vec<String> {
    let seconds = Duration::try_from_secs_f64(plan.seconds()).unwrap_or_default();
    let rate = plan.all() as f64 / plan.seconds().max(1e-9);
    let mut lines = vec![
        format!("time   about {} ({} battles a second), plus the reports", time(seconds), counted(rate as u64)),
        format!(
            "       estimated from a trial of {} in each cell, which took {:.1} s, {:.1} cells at a time",
            plural(plan.trial.battles, "battle"),
            plan.trial.took,
            plan.trial.side_by_side
        ),
        format!(
            "disk   about {} ({:.1} bytes per kept battle), plus a few megabytes for the report",
            size(plan.bytes()),
            plan.trial.bytes
        ),
    ];
    let by = by(plan);
    let (unit, level) = (if plan.quantity.share { " points" } else { "" }, 100.0 * plan.level.get());
    let width = |half_width: f64| margin_alone(by * half_width);
    let widths: Vec<(f64, Option<f64>)> =
        plan.trial.cells.iter().enumerate().map(|(place, cell)| plan.half_widths(place, cell)).collect();
    let greatest = |values: &mut dyn Iterator<Item = f64>| values.fold(0.0, f64::max);
    let name = asks(plan);
    let own = greatest(&mut widths.iter().map(|(own, _)| *own));
    lines.push(format!("error  {name}: {}{unit} at most, judging by the trial ({level} %)", width(own)));
    if let Some(worst) = plan.worst() {
        lines.push(format!("       a share of 50 %: {}{unit}", width(worst)));
    }
    let differences: Vec<f64> = widths.iter().filter_map(|(_, difference)| *difference).collect();
    if !differences.is_empty() {
        let most = greatest(&mut differences.iter().copied());
        lines.push(format!("       differences from the baseline: {}{unit} at most", width(most)));
    }
    lines
}

fn asks(plan: &Plan<'_>) -> String {
    let name = &plan.quantity.name;
    if plan.study.sides.contains(name) { format!("{name} wins") } else { name.clone() }
}

fn by(plan: &Plan<'_>) -> f64 {
    if plan.quantity.share { 100.0 } else { 1.0 }
}

/// Bytes in a suitable unit.
fn size(bytes: f64) -> String {
    let units = [("GB", 1e9), ("MB", 1e6), ("kB", 1e3)];
    let (unit, whole) = units.into_iter().find(|(_, whole)| bytes >= *whole).unwrap_or(("kB", 1e3));
    format!("{:.1} {unit}", bytes / whole)
}

fn cells(plan: &Plan<'_>) -> Vec<String> {
    let mut rows: Vec<(usize, &CellTrial)> = plan.trial.cells.iter().enumerate().collect();
    let sharpness = |(place, cell): &(usize, &CellTrial)| {
        let (own, difference) = plan.half_widths(*place, cell);
        difference.unwrap_or(own)
    };
    let all = rows.len();
    if all > LISTED_MAX {
        rows.sort_by(|one, other| sharpness(other).total_cmp(&sharpness(one)));
        rows.truncate(LISTED_MAX);
        rows.sort_by_key(|(place, _)| *place);
    }
    let by = by(plan);
    let trial = |(_, cell): &(usize, &CellTrial)| {
        let runs = cell.sums.runs * cell.round;
        let point = cell.sums.sum as f64 / runs.max(1) as f64;
        let half_width = cell.half_width(plan.quantity, runs, plan.level);
        let (low, high) = (point - half_width, point + half_width);
        let estimate = Estimate { point, low, high, level: plan.level, runs };
        if plan.quantity.share { Figure::percent(&estimate) } else { Figure::mean(&estimate) }
    };
    let half_widths = |values: Vec<Option<f64>>| -> Vec<String> {
        let places = decimals(by * values.iter().flatten().copied().fold(0.0, f64::max));
        let told = |value: f64| margin(by * value, places);
        values.into_iter().map(|value| value.map_or_else(|| "–".to_owned(), told)).collect()
    };
    let text = |text: &dyn Fn(&(usize, &CellTrial)) -> String| rows.iter().map(text).collect::<Vec<_>>();
    let mut columns = vec![
        Column::new("cell", text(&|(_, cell)| cell.header.cell.to_string())).right(),
        Column::new(&format!("{}\nin the trial", asks(plan)), aligned(&rows.iter().map(trial).collect::<Vec<_>>())),
        Column::new("battles", text(&|(place, _)| counted(plan.battles(*place)))).right(),
        Column::new(
            "then",
            half_widths(rows.iter().map(|(place, cell)| Some(plan.half_widths(*place, cell).0)).collect()),
        ),
    ];
    if plan.trial.cells.iter().any(|cell| cell.apart.is_some()) {
        let differences = rows.iter().map(|(place, cell)| plan.half_widths(*place, cell).1).collect();
        columns.push(Column::new("difference", half_widths(differences)));
    }
    let seconds = |(place, cell): &(usize, &CellTrial)| {
        let seconds = cell.seconds * plan.battles(*place) as f64;
        time(Duration::try_from_secs_f64(seconds).unwrap_or_default())
    };
    columns.push(Column::new("work", text(&seconds)).right());
    columns.push(Column::new("", text(&|(_, cell)| shortened(&cell.header.label, LABEL_MAX))));
    let block = Block { heading: String::new(), rows: (0..rows.len()).collect() };
    let mut lines = grid::lines(&columns, &[block]);
    if all > rows.len() {
        lines.push(format!("The {} least precise cells; --json has all.", rows.len()));
    }
    lines.push(String::new());
    lines.push("± is the expected margin of error; work is the time on one thread.".to_owned());
    if columns.iter().any(|column| column.rows.iter().any(|row| row == "–")) {
        lines.push("–: not compared.".to_owned());
    }
    lines
}

fn commands(plan: &Plan<'_>) -> Vec<String> {
    let runs = plan.time.map_or(&[][..], |(_, runs)| runs);
    let mut lines = match runs {
        [_] => vec!["All cells get the same number of battles:".to_owned()],
        _ => vec![
            "Cells that share a baseline get the same number of battles, so as to improve precision most:".to_owned(),
        ],
    };
    lines.extend(runs.iter().map(|run| run.command.clone()));
    lines
}
