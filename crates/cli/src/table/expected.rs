//! The odds that a study expects, beside what was found.

use grognard_lab::Side;
use grognard_lab::results::{DRAW, Expected, Results, WIN};
use grognard_stats::{Level, share, sidak};

use super::estimate;
use super::figures::Figure;
use crate::text::{plural, shortened};

/// Disagreements that are listed.
const LISTED_MAX: usize = 10;
/// Chance that any of a study's odds is said to disagree though all of them are right.
const FALSE_ALARM: f64 = 0.01;

/// Whether the expected odds were met; none if the study expects none.
///
/// All of them together, at a level of 99 %: one by one, five in a hundred would seem wrong by chance.
pub(super) fn said(results: &Results) -> Option<Vec<String>> {
    let expected = &results.manifest.report.expect;
    let first = expected.first()?;
    let level = sidak(Level::new(1.0 - FALSE_ALARM).unwrap_or(Level::P99), expected.len());
    let missed: Vec<String> = expected.iter().filter_map(|expected| miss(results, expected, level)).collect();
    let sources = if expected.iter().all(|expected| expected.source == first.source) {
        format!(" ({})", shortened(&first.source, 60))
    } else {
        String::new()
    };
    let odds =
        if expected.len() == 1 { "The expected odds".to_owned() } else { format!("{} expected odds", expected.len()) };
    if missed.is_empty() {
        let agree = if expected.len() == 1 { "agree" } else { "all agree" };
        return Some(vec![format!("{odds}{sources}: {agree} with what was found.")]);
    }
    let disagree = if expected.len() == 1 {
        "disagree".to_owned()
    } else {
        format!("{} of them {}", missed.len(), if missed.len() == 1 { "disagrees" } else { "disagree" })
    };
    let mut lines = vec![format!("{odds}{sources}: {disagree} with what was found.")];
    let more = missed.len().saturating_sub(LISTED_MAX);
    lines.extend(missed.into_iter().take(LISTED_MAX));
    if more > 0 {
        lines.push(format!("and {}", plural(more as u64, "other")));
    }
    Some(lines)
}

/// A line on odds that were not met.
fn miss(results: &Results, expected: &Expected, level: Level) -> Option<String> {
    let names = results.manifest.side_names();
    let side = Side::BOTH.into_iter().find(|&side| names[side] == expected.outcome);
    let row = results.estimate(expected.cell, side, if side.is_some() { WIN } else { DRAW })?;
    let odds = expected.numerator as f64 / expected.denominator as f64;
    let found = estimate(row);
    let tested =
        if found.is_computed() { found } else { share((row.mean * row.runs as f64).round() as u64, row.runs, level) };
    // A decimal stands for all numbers that are rounded to it; a computed number is right but for the last bits.
    let slack = if expected.rounded { 0.5 / expected.denominator as f64 } else { 0.0 } + 1e-9;
    if tested.low <= odds + slack && tested.high >= odds - slack {
        return None;
    }
    let Figure { point, error } = Figure::percent(&found);
    Some(format!(
        "  cell {}, {}: {:.3} % expected, {point} % {error} found",
        expected.cell,
        shortened(&expected.outcome, 24),
        100.0 * odds
    ))
}
