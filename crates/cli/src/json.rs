//! Numbers as JSON.

use grognard_stats::Estimate;
use serde_json::{Value as Json, json};

/// A number in thousandths.
pub(crate) fn number(thousandths: i64) -> Json {
    if thousandths % 1_000 == 0 { json!(thousandths / 1_000) } else { json!(thousandths as f64 / 1e3) }
}

/// A mean with its interval.
pub(crate) fn estimate(estimate: &Estimate) -> Json {
    json!({ "mean": estimate.point, "low": estimate.low, "high": estimate.high })
}
