//! The page's questions, and the lines of the answer.

use std::collections::BTreeMap;

use grognard_lab::questions::Look;
use grognard_source::Diagnostics;
use grognard_stats::{Estimate, Level};
use serde::{Deserialize, Serialize};

/// Maximum number of faults shown for one change.
const FAULTS_MAX: usize = 5;

/// A question from the page: the changes, the cells, and the metric.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Ask {
    /// Numbers by their keys on the sheet, in thousandths.
    #[serde(default)]
    pub changes: BTreeMap<String, i64>,
    /// Rules that are off, by their keys on the sheet.
    #[serde(default)]
    pub off: Vec<String>,
    /// Indices of cells in the study; empty for all cells.
    #[serde(default)]
    pub cells: Vec<usize>,
    /// The metric, as the sheet names it; empty for the first one.
    #[serde(default)]
    pub metric: String,
    /// Maximum number of battles in each cell.
    #[serde(default)]
    pub battles: Option<u64>,
}

impl Ask {
    /// Reads a question.
    ///
    /// # Errors
    /// The text is not a question.
    pub fn read(json: &[u8]) -> Result<Self, Fault> {
        serde_json::from_slice(json).map_err(|error| Fault::new(format!("this is not a valid question: {error}")))
    }
}

/// Something that cannot be answered, in plain words.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Fault {
    /// The faults, and the remedy if it is known.
    pub faults: Vec<Words>,
}

/// A message, with the remedy.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Words {
    /// What is wrong.
    pub message: String,
    /// The remedy.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub help: Option<String>,
}

impl Fault {
    /// The fault as JSON, for the page.
    #[must_use]
    pub fn json(&self) -> String {
        // Texts can always be serialised.
        serde_json::to_string(self).unwrap_or_default()
    }

    /// One message.
    #[must_use]
    pub fn new(message: impl Into<String>) -> Self {
        Self { faults: vec![Words { message: message.into(), help: None }] }
    }

    /// One message with its remedy.
    #[must_use]
    pub fn with_help(message: impl Into<String>, help: impl Into<String>) -> Self {
        Self { faults: vec![Words { message: message.into(), help: Some(help.into()) }] }
    }
}

impl std::fmt::Display for Fault {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let messages: Vec<&str> = self.faults.iter().map(|words| words.message.as_str()).collect();
        formatter.write_str(&messages.join("; "))
    }
}

impl From<Diagnostics> for Fault {
    fn from(faults: Diagnostics) -> Self {
        let all = faults.sorted();
        let words =
            all.iter().take(FAULTS_MAX).map(|fault| Words { message: fault.message.clone(), help: fault.help.clone() });
        Self { faults: words.collect() }
    }
}

/// An estimate: its point, and the limits of its interval.
type Interval = [f64; 3];

/// A line of the answer.
#[derive(Debug, Serialize)]
struct Line<'a> {
    battles: u64,
    promise: String,
    /// For each change, in the order of their keys, the `--set` that makes it; empty if there is none.
    set: &'a [String],
    cells: Vec<CellLine>,
}

#[derive(Debug, Serialize)]
struct CellLine {
    cell: usize,
    was: Interval,
    now: Interval,
    change: Interval,
    /// Whether these are exact odds rather than estimates.
    exact: bool,
}

/// The current results, as a line of JSON.
pub(crate) fn line(look: &Look, level: Level, set: &[String]) -> String {
    let interval = |estimate: &Estimate| [estimate.point, estimate.low, estimate.high];
    let cells = look.cells.iter().map(|cell| CellLine {
        cell: cell.cell,
        was: interval(&cell.was),
        now: interval(&cell.now),
        change: interval(&cell.change),
        exact: cell.exact,
    });
    let (exact, of) = (look.cells.iter().filter(|cell| cell.exact).count(), look.cells.len());
    let fought = format!(
        "{} % for all {} intervals together, however long you watch. The same battles are fought with and without the changes.",
        100.0 * level.get(),
        look.intervals
    );
    let promise = match exact {
        0 => fought,
        _ if exact == of => "Exact odds, computed from every possible outcome.".to_owned(),
        _ => format!("{fought} Numbers without an interval are exact odds."),
    };
    let line = Line { battles: look.battles, promise, set, cells: cells.collect() };
    // Numbers and strings can always be serialised.
    serde_json::to_string(&line).unwrap_or_default() + "\n"
}
