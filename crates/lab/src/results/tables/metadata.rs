//! The metadata of every table of a run.

use serde_json::json;

use crate::results::Manifest;
use crate::results::columns::{LUCK, OF_SIDE};

/// The metadata of every table of a run, by key: the same in all folders of one series.
#[must_use]
pub fn metadata(manifest: &Manifest) -> Vec<(String, String)> {
    let columns = manifest.columns();
    let vary: serde_json::Map<_, _> =
        columns.vary.iter().zip(&manifest.vary).map(|(column, varied)| (column.clone(), json!(varied.path))).collect();
    let mut units = serde_json::Map::new();
    let mut unit = |column: String, unit: &str| units.insert(column, json!(unit));
    for (what, of) in [("turns", "game turns"), ("turn_limit", "game turns"), ("p", "probability")] {
        unit(what.to_owned(), of);
    }
    for prefix in [String::new()].into_iter().chain(columns.sides.iter().map(|side| format!("{side}_"))) {
        for (what, of) in OF_SIDE.into_iter().zip(["figures", "units", "units", "game turn"]) {
            unit(format!("{prefix}{what}"), of);
        }
        unit(format!("{prefix}{LUCK}"), "rolls");
    }
    [
        ("format", manifest.format.to_string()),
        ("tool", manifest.tool.clone()),
        ("study", manifest.study.name.clone()),
        ("pack", manifest.pack_line()),
        ("seed", manifest.seed.to_string()),
        ("method", json!(manifest.method).as_str().unwrap_or_default().to_owned()),
        ("sides", json!(manifest.sides).to_string()),
        ("vary", serde_json::Value::Object(vary).to_string()),
        ("units", serde_json::Value::Object(units).to_string()),
    ]
    .map(|(key, value)| (format!("grognard.{key}"), value))
    .into()
}
