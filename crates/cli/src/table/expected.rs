//! The odds that a study expects, next to those found.

use grognard_lab::results::{Expectation, Judged, Results};

use super::figures::Figure;
use crate::text::{plural, shortened};

/// Maximum number of disagreements listed.
const LISTED_MAX: usize = 10;

/// Whether the expected odds are met; `None` if the study expects none.
pub(super) fn said(results: &Results) -> Option<Vec<String>> {
    let expected = &results.manifest.report.expect;
    let first = expected.first()?;
    let missed: Vec<String> = results.judged().iter().filter(|judged| !judged.agrees).map(miss).collect();
    let sources = if expected.iter().all(|expected| expected.source == first.source) {
        format!(" ({})", shortened(&first.source, 60))
    } else {
        String::new()
    };
    let odds =
        if expected.len() == 1 { "The expected odds".to_owned() } else { format!("{} expected odds", expected.len()) };
    if missed.is_empty() {
        let agree = if expected.len() == 1 { "agree" } else { "all agree" };
        return Some(vec![format!("{odds}{sources}: {agree} with the results.")]);
    }
    let disagree = if expected.len() == 1 {
        "disagree".to_owned()
    } else {
        format!("{} of them {}", missed.len(), if missed.len() == 1 { "disagrees" } else { "disagree" })
    };
    let mut lines = vec![format!("{odds}{sources}: {disagree} with the results.")];
    let more = missed.len().saturating_sub(LISTED_MAX);
    lines.extend(missed.into_iter().take(LISTED_MAX));
    if more > 0 {
        lines.push(format!("and {}", plural(more as u64, "other")));
    }
    Some(lines)
}

/// A line about a number that does not agree.
fn miss(judged: &Judged<'_>) -> String {
    let of = shortened(&judged.expected.of.to_string(), 40);
    // Computed numbers have no margin.
    let margin = |error: String| if error.is_empty() { error } else { format!(" {error}") };
    let said = if matches!(judged.expected.of, Expectation::Mean(_)) {
        let found = Figure::mean(&judged.found);
        format!("{:.3} expected, {}{} found", judged.odds, found.point(), margin(found.error()))
    } else {
        let found = Figure::percent(&judged.found);
        format!("{:.3} % expected, {} %{} found", 100.0 * judged.odds, found.point(), margin(found.error()))
    };
    format!("  cell {}, {of}: {said}", judged.expected.cell)
}
