//! Each cell's share of wins compared with its baseline's, battle by battle with the same dice.

use grognard_lab::Side;
use grognard_lab::results::{CellHeader, Method, Results, WIN};
use grognard_lab::tally::PairedTally;
use grognard_stats::{Estimate, worth};

use super::Setting;
use super::figures::{Figure, aligned};
use super::grid::{self, Block, Column};
use super::names::Names;
use crate::text::{plural, shortened};

/// Up to this many cells, every difference is listed.
const CELLS_MAX: usize = 40;
/// With more cells, this many differences are listed.
const LISTED_MAX: usize = 10;

/// A cell next to its baseline.
struct Comparison<'a> {
    cell: &'a CellHeader,
    baseline: &'a CellHeader,
    difference: Estimate,
    /// The variance of the difference, divided by that of independent battles.
    variance_ratio: Option<f64>,
    /// Whether every battle equals the baseline's, so that there is nothing to estimate.
    same: bool,
}

/// The differences in the first side's wins, largest first; empty if nothing is compared.
pub(super) fn table(results: &Results, names: &Names<'_>, setting: Setting) -> Option<Vec<String>> {
    let mut comparisons = comparisons(results);
    if comparisons.is_empty() {
        return None;
    }
    comparisons.sort_by(|one, other| other.difference.point.abs().total_cmp(&one.difference.point.abs()));
    let all = comparisons.len();
    if results.manifest.cells.len() > CELLS_MAX {
        comparisons.truncate(LISTED_MAX);
    }

    let common = common_baseline(names, &comparisons);
    let figure = |comparison: &Comparison<'_>| match comparison.same {
        true => Figure::words("0"),
        false => Figure::points(&comparison.difference),
    };
    let figures: Vec<Figure> = comparisons.iter().map(figure).collect();
    let same = comparisons.iter().any(|comparison| comparison.same);
    let side = shortened(&results.manifest.sides[0], 40);
    let sampled = results.manifest.method == Method::Sampled;
    let gains = comparisons.iter().map(|comparison| worth(comparison.variance_ratio)).collect();
    let mut columns = vec![
        Column::new("points", aligned(&figures)),
        Column::new("cell", comparisons.iter().map(|comparison| comparison.cell.cell.to_string()).collect()).right(),
        Column::new("", comparisons.iter().map(|comparison| words(names, comparison, common.is_some())).collect()),
    ];
    if sampled {
        columns.insert(1, Column::new("worth", gains).right());
    }
    let against = common.unwrap_or_else(|| "the baseline".to_owned());
    let some =
        if comparisons.len() < all { format!(", the largest {} of {all}", comparisons.len()) } else { String::new() };
    let said = format!("{side} wins: difference from {against}{some}");
    let mut legend = legend(results, all);
    if same && sampled {
        legend.push("0 without a margin of error: every battle ended as in the baseline.".to_owned());
    }
    Some(match setting {
        Setting::Text(_) => {
            let rows = Block { heading: String::new(), rows: (0..comparisons.len()).collect() };
            let table = grid::lines(&columns, &[rows]);
            [vec![said], table, vec![String::new()], legend].concat()
        }
        Setting::Markdown => {
            let said = format!("**{}**", grid::escaped(&said));
            let below = vec![String::new(), grid::escaped(&legend.join(" "))];
            [vec![said, String::new()], grid::markdown(&columns), below].concat()
        }
    })
}

fn comparisons<'a>(results: &'a Results) -> Vec<Comparison<'a>> {
    let compare = |cell: &'a CellHeader| {
        let baseline = results.manifest.cell(cell.baseline?).filter(|baseline| baseline.cell != cell.cell)?;
        let row = results.difference(cell.cell, Some(Side::First), WIN)?;
        let paired = results.tallies.get(cell.cell as usize).and_then(|tally| tally.paired.as_ref());
        let same = paired.is_some_and(PairedTally::is_same);
        Some(Comparison { cell, baseline, difference: row.estimate(), variance_ratio: row.variance_ratio, same })
    };
    results.manifest.cells.iter().filter_map(compare).collect()
}

/// The settings that all baselines share and no cell compared with them has, in words.
fn common_baseline(names: &Names<'_>, comparisons: &[Comparison<'_>]) -> Option<String> {
    let theirs = |comparison: &Comparison<'_>| {
        if names.labelled {
            return format!("cell {}, \"{}\"", comparison.baseline.cell, names.label(comparison.baseline));
        }
        let differing = names.differing(comparison.cell, comparison.baseline);
        let named = |place| names.quoted(comparison.baseline, place);
        differing.into_iter().map(named).collect::<Vec<_>>().join(", ")
    };
    let first = theirs(comparisons.first()?);
    comparisons.iter().all(|comparison| theirs(comparison) == first).then_some(first)
}

/// A comparison in words: `square, heavy-cavalry, front`, or `square instead of line, heavy-cavalry, front`.
fn words(names: &Names<'_>, comparison: &Comparison<'_>, baseline_said: bool) -> String {
    let Comparison { cell, baseline, .. } = comparison;
    if names.labelled {
        let against = if baseline_said { String::new() } else { format!(" (against {})", names.label(baseline)) };
        return format!("{}{against}", names.label(cell));
    }
    let differing = names.differing(cell, baseline);
    let join = |cell: &CellHeader, places: &[usize]| {
        places.iter().map(|&place| names.words(cell, place)).collect::<Vec<_>>().join(", ")
    };
    let shared: Vec<usize> = names.columns().into_iter().filter(|place| !differing.contains(place)).collect();
    let instead = if baseline_said { String::new() } else { format!(" instead of {}", join(baseline, &differing)) };
    let rest = if shared.is_empty() { String::new() } else { format!(", {}", join(cell, &shared)) };
    format!("{}{instead}{rest}", join(cell, &differing))
}

/// The meaning of the numbers, and how many differences are not clear.
fn legend(results: &Results, comparisons: usize) -> Vec<String> {
    if results.manifest.method == Method::Exact {
        return vec!["Percentage points; exact.".to_owned()];
    }
    let mut lines = vec![
        "Percentage points. Battle i of both cells used the same dice (common random numbers).".to_owned(),
        "×N: independent dice would need N times as many battles.".to_owned(),
    ];
    let missing = (1.0 - results.manifest.level) * comparisons as f64;
    if missing >= 0.95 && !results.manifest.promise.together {
        let intervals = plural(comparisons as u64, "interval");
        lines.push(format!("Expect {missing:.0} of {intervals} to miss the true difference."));
    }
    lines
}
