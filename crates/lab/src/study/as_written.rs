//! The parts of a study that describe it as written, and are no longer valid if the command line changes it.

use grognard_source::{Document, Value};

/// The replacement for an analysis that was written for other numbers.
const LEFT_OUT: &str = "The study’s own analysis is omitted: it describes the rules and the study as written, and the command \
                        line has changed something in them.";

/// Removes the parts that describe the study as written: known odds, and the author's analysis.
pub(super) fn leave_out(document: &mut Document) {
    if let Some(expect) = document.root.get_mut("expect") {
        expect.value = Value::Array(Vec::new());
    }
    let Some(Value::Table(report)) = document.root.get_mut("report").map(|report| &mut report.value) else { return };
    if let Some(highlights) = report.get_mut("highlights") {
        highlights.value = Value::Array(Vec::new());
    }
    if let Some(analysis) = report.get_mut("analysis") {
        analysis.value = Value::Text(LEFT_OUT.to_owned());
    }
}

/// Removes the players with whom the findings are repeated: they belong to the doctrines of the study's own pack.
pub(super) fn leave_out_players(document: &mut Document) {
    if let Some(Value::Table(report)) = document.root.get_mut("report").map(|report| &mut report.value) {
        report.remove("players");
    }
}
