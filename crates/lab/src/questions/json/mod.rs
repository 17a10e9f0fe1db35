//! Answers to questions as JSON, as `--json` prints them.

mod rules;
mod sides;

use grognard_stats::Estimate;
use serde_json::{Value as Json, json};

/// The sentences that accompany the numbers; omitted if empty.
#[derive(Clone, Debug, Default)]
pub struct Provenance {
    /// The meaning of the intervals.
    pub guarantee: String,
    /// The command that answers the question again.
    pub command: String,
}

/// The object without the keys of empty sentences.
fn with(words: &Provenance, mut object: Json) -> Json {
    if let Json::Object(fields) = &mut object {
        for (key, text) in [("guarantee", &words.guarantee), ("command", &words.command)] {
            if fields.contains_key(key) && text.is_empty() {
                fields.shift_remove(key);
            }
        }
    }
    object
}

/// A share with its interval.
fn share(estimate: &Estimate) -> Json {
    json!({ "mean": estimate.point, "low": estimate.low, "high": estimate.high })
}
