//! What a study says of itself as it is written, and no longer holds when the command line changes it.

use grognard_source::{Document, Value};

/// What stands in the place of an analysis that was written for other numbers.
const LEFT_OUT: &str = "The study’s own analysis is left out: it was written for the rules and the study as they are, and here \
                        something in them was changed on the command line.";

/// Takes out what speaks of the study as it was written: odds known from elsewhere, and what its author says of its numbers.
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
