//! A run as one JSON object, as `--json` prints it.

use grognard_engine::{METRICS, Side};
use grognard_exact::Number;
use grognard_stats::Estimate;
use serde_json::{Map, Value as Json, json};

use crate::exact::{CellOdds, Odds};
use crate::players;
use crate::results::{CellHeader, DRAW, Kind, Method, Results, Setting, SummaryRow, TURNS, WIN};
use crate::tally::Verdict;

/// The maximum length of a printed fraction, in characters.
const FRACTION_MAX: usize = 40;

/// The run as one JSON object: study, pack, method, seed, runs, time and, for each cell, its varied values, outcomes
/// and metrics with their intervals.
///
/// Outcomes are keyed by the sides' names and `draw`, metrics by `turns` and `<side>.<metric>`. The turn of the first
/// rout is the mean over the battles with one, and null if there is none. A cell with a baseline has the same numbers
/// minus the baseline's (`differences`), with the variance divided by that of independent battles. If odds were
/// computed, `count` is left out, outcomes have their fraction if it is short, and each cell has the probability of
/// every value (`histograms`; for sampled battles, the shares for those metrics of the pack that depend only on their
/// ends), of every pair of losses (`losses_together`), of every number of routed and shaken units (`final_states`), and
/// the error limits of the numbers (`exact`). `intervals` names the kind of intervals if it is not the default.
/// `precision` has the request, whether it was reached and, if all battles did not suffice, the half-width of the least
/// precise share. `players` has the metric under every other player, for each cell and each finding.
#[must_use]
pub fn to_json(results: &Results) -> Json {
    let manifest = &results.manifest;
    let elapsed = Some(manifest.made.elapsed_s).filter(|&elapsed| elapsed > 0.0);
    let rate = manifest.fought().map(|(battles, elapsed)| battles as f64 / elapsed);
    let cells: Vec<Json> = manifest
        .cells
        .iter()
        .enumerate()
        .map(|(place, cell)| of_cell(results, cell, results.odds.get(place)))
        .collect();
    let mut json = json!({
        "study": manifest.study.name,
        "pack": manifest.pack.name,
        "method": manifest.method,
        "seed": manifest.seed,
        "sides": manifest.sides,
        "level": if manifest.method == Method::Exact { 1.0 } else { manifest.level },
        "runs": manifest.progress.battles,
        "elapsed_s": elapsed,
        "battles_per_s": rate,
        "cells": cells,
    });
    if let Some(object) = json.as_object_mut().filter(|_| !manifest.promise.is_usual()) {
        object.insert("intervals".to_owned(), json!(manifest.promise));
    }
    if let Some(asked) = manifest.precision
        && let Some(object) = json.as_object_mut()
    {
        let missed = results.precision_missed();
        let reached = manifest.progress.ending == crate::results::Ending::Precise;
        object.insert(
            "precision".to_owned(),
            json!({ "asked": asked, "reached": reached, "widest": missed.map(|(_, widest)| widest) }),
        );
    }
    if !manifest.more_packs.is_empty()
        && let Some(object) = json.as_object_mut()
    {
        let packs: Vec<Json> = manifest.packs().map(|pack| pack.name.as_str().into()).collect();
        object.insert("packs".to_owned(), packs.into());
    }
    if let (Some(players), Some(object)) = (&results.players, json.as_object_mut()) {
        object.insert("players".to_owned(), players::to_json(players, manifest));
    }
    json
}

/// A number given in thousandths; an integer if it is whole.
#[must_use]
pub fn number(thousandths: i64) -> Json {
    if thousandths % 1_000 == 0 { json!(thousandths / 1_000) } else { json!(thousandths as f64 / 1e3) }
}

/// A mean with its interval.
#[must_use]
pub fn estimate(estimate: &Estimate) -> Json {
    json!({ "mean": estimate.point, "low": estimate.low, "high": estimate.high })
}

/// The varied values of a cell, by path.
#[must_use]
pub fn varied(cell: &CellHeader) -> Map<String, Json> {
    cell.vary.iter().map(|setting| (setting.path.clone(), of_setting(setting))).collect()
}

fn of_cell(results: &Results, cell: &CellHeader, odds: Option<&CellOdds>) -> Json {
    let names = results.manifest.side_names();
    let estimate = |side: Option<Side>, metric: &str| results.estimate(cell.cell, side, metric);
    let mut outcomes = Map::new();
    for &verdict in Verdict::among(names.count()) {
        let (side, place) = (verdict.winner(), verdict.index());
        let (name, metric) = side.map_or((DRAW, DRAW), |side| (names[side], WIN));
        if let Some(row) = estimate(side, metric) {
            let count = results.tallies.get(cell.cell as usize).map(|tally| tally.outcomes[place]);
            let fraction = odds.and_then(|odds| fraction(&odds.outcomes[place]));
            let count = count.filter(|_| results.manifest.method == Method::Sampled);
            outcomes.insert(name.to_owned(), of_outcome(row, count, fraction));
        }
    }
    let mut metrics = Map::new();
    if let Some(row) = estimate(None, TURNS) {
        metrics.insert(TURNS.to_owned(), of_metric(row));
    }
    for &side in names.sides() {
        for metric in &results.manifest.metrics {
            let name = format!("{}.{}", names[side], metric.key);
            match estimate(Some(side), &metric.key) {
                Some(row) => drop(metrics.insert(name, of_metric(row))),
                // No battle had a rout.
                None if is_partial(&metric.key) && estimate(None, TURNS).is_some() => {
                    metrics.insert(name, json!({ "mean": null, "low": null, "high": null }));
                }
                None => {}
            }
        }
    }
    let vary = varied(cell);
    let runs = estimate(Some(Side::First), WIN).map_or(0, |row| row.runs);
    let mut json = json!({ "cell": cell.cell, "vary": vary, "runs": runs, "outcomes": outcomes, "metrics": metrics });
    if let (Some(differences), Some(object)) = (differences(results, cell), json.as_object_mut()) {
        object.insert("differences".to_owned(), differences);
    }
    if let (Some(luck), Some(object)) = (luck(results, cell), json.as_object_mut()) {
        object.insert("luck".to_owned(), luck);
    }
    if let (Some(counted), Some(object)) = (counted(results, cell), json.as_object_mut()) {
        object.insert("histograms".to_owned(), counted);
    }
    if let (Some(odds), Some(object)) = (odds, json.as_object_mut()) {
        object.insert("histograms".to_owned(), histograms(results, odds));
        let together = odds
            .losses_together()
            .into_iter()
            .map(|(losses, p)| Json::Array(losses.into_iter().map(Json::from).chain([Json::from(p)]).collect()));
        object.insert("losses_together".to_owned(), together.collect());
        object.insert("final_states".to_owned(), final_states(results, odds));
        let CellOdds { error, left_out, effort, .. } = odds;
        let (states, widest) = (effort.states, effort.widest);
        let exact = json!({ "error": error, "left_out": left_out, "states": states, "widest": widest });
        object.insert("exact".to_owned(), exact);
    }
    json
}

/// The luck of the dice, in rolls, and the cell's estimates with the luck removed; `None` if luck was not counted.
fn luck(results: &Results, cell: &CellHeader) -> Option<Json> {
    let tally = results.tallies.get(cell.cell as usize)?;
    let luck = tally.luck.as_deref()?;
    let (names, runs) = (results.manifest.side_names(), tally.runs() as f64);
    let roll = grognard_dice::Luck::ROLL.0 as f64;
    let mut sides = Map::new();
    for side in Side::BOTH {
        let square = luck.squares[side];
        let mean = luck.sums[side] as f64 / roll / runs;
        let deviation = (square as f64 / roll / roll / runs - mean * mean).max(0.0).sqrt();
        sides.insert(names[side].to_owned(), json!({ "mean": mean, "sd": deviation }));
    }
    let mut controlled = Map::new();
    for row in results.summary().iter().filter(|row| row.cell == cell.cell && row.kind.is_controlled()) {
        let name = match (row.side, row.metric.as_str()) {
            (Some(side), WIN) => names[side].to_owned(),
            (Some(side), metric) => format!("{}.{metric}", names[side]),
            (None, metric) => metric.to_owned(),
        };
        let (mean, low, high) = (row.mean, row.low, row.high);
        controlled
            .insert(name, json!({ "mean": mean, "low": low, "high": high, "variance_ratio": row.variance_ratio }));
    }
    Some(json!({ "rolls": sides, "controlled": controlled }))
}

/// The differences from the cell's baseline; `None` for a baseline and a cell without one.
fn differences(results: &Results, cell: &CellHeader) -> Option<Json> {
    let names = results.manifest.side_names();
    let baseline = cell.baseline.filter(|&baseline| baseline != cell.cell)?;
    let (mut outcomes, mut metrics) = (Map::new(), Map::new());
    for row in results.summary().iter().filter(|row| row.cell == cell.cell && row.kind.is_difference()) {
        let json = json!({
            "mean": row.mean, "low": row.low, "high": row.high, "variance_ratio": row.variance_ratio,
        });
        match (row.side, row.metric.as_str()) {
            (Some(side), WIN) => outcomes.insert(names[side].to_owned(), json),
            (None, DRAW) => outcomes.insert(DRAW.to_owned(), json),
            (Some(side), metric) => metrics.insert(format!("{}.{metric}", names[side]), json),
            (None, metric) => metrics.insert(metric.to_owned(), json),
        };
    }
    Some(json!({ "baseline": baseline, "outcomes": outcomes, "metrics": metrics }))
}

/// Every value of the pack's metrics that depend only on the ends of battles, with its share of the battles; `None` if
/// the study requests no such metric.
fn counted(results: &Results, cell: &CellHeader) -> Option<Json> {
    let (names, keys) = (results.manifest.side_names(), results.manifest.counted_keys());
    let tally = results.tallies.get(cell.cell as usize).filter(|tally| !keys.is_empty() && tally.runs() > 0)?;
    let mut object = Map::new();
    for &side in names.sides() {
        for (metric, histogram) in keys.iter().zip(&tally.counted[side]) {
            let share = |count: u64| count as f64 / histogram.runs() as f64;
            let pairs = histogram.iter().map(|(value, count)| json!([value, share(count)])).collect();
            object.insert(format!("{}.{metric}", names[side]), pairs);
        }
    }
    Some(Json::Object(object))
}

/// Every value of every metric with its probability.
fn histograms(results: &Results, odds: &CellOdds) -> Json {
    let names = results.manifest.side_names();
    // If a battle may have no value, 0 means that it has none.
    let pair = |partial: bool, (value, number): &(u32, Number)| {
        let value = (!partial || *value > 0).then_some(*value);
        json!([value, number.value])
    };
    let pairs = |odds: &Odds, partial: bool| odds.values.iter().map(|value| pair(partial, value)).collect();
    let mut object = Map::new();
    object.insert(TURNS.to_owned(), Json::Array(pairs(&odds.turns, false)));
    for &side in names.sides() {
        for (metric, values) in results.manifest.metrics.iter().zip(&odds.metrics[side]) {
            let pairs = pairs(values, is_partial(&metric.key));
            object.insert(format!("{}.{}", names[side], metric.key), Json::Array(pairs));
        }
        for (metric, counted) in results.manifest.gauge_keys().iter().zip(&odds.counted[side]) {
            let pairs = counted.values.iter().map(|(value, number)| json!([value, number.value])).collect();
            object.insert(format!("{}.{metric}", names[side]), pairs);
        }
    }
    Json::Object(object)
}

/// For each side, the probability of each pair of numbers: units that are routed at the end, and others that are
/// shaken.
fn final_states(results: &Results, odds: &CellOdds) -> Json {
    let names = results.manifest.side_names();
    let states = |side: Side| {
        let states = odds.final_states(side).into_iter();
        states.map(|([routed, shaken], chance)| json!([routed, shaken, chance])).collect()
    };
    Json::Object(names.sides().iter().map(|&side| (names[side].to_owned(), Json::Array(states(side)))).collect())
}

/// A probability as a fraction, if it is short enough to be useful.
fn fraction(number: &Number) -> Option<String> {
    number.fraction.as_ref().map(ToString::to_string).filter(|text| text.len() <= FRACTION_MAX)
}

fn of_outcome(row: &SummaryRow, count: Option<u64>, fraction: Option<String>) -> Json {
    let mut object = Map::new();
    if let Some(count) = count {
        object.insert("count".to_owned(), count.into());
    }
    if let Some(ratio) = row.variance_ratio {
        object.insert("variance_ratio".to_owned(), ratio.into());
    }
    for (key, value) in [("mean", row.mean), ("low", row.low), ("high", row.high)] {
        object.insert(key.to_owned(), value.into());
    }
    if let Some(fraction) = fraction {
        object.insert("fraction".to_owned(), fraction.into());
    }
    Json::Object(object)
}

/// Whether a battle may have no value of this metric.
fn is_partial(metric: &str) -> bool {
    METRICS.iter().any(|known| known.key == metric && known.partial)
}

fn of_metric(row: &SummaryRow) -> Json {
    debug_assert!(matches!(row.kind, Kind::Mean | Kind::Share));
    json!({ "mean": row.mean, "low": row.low, "high": row.high })
}

/// A varied value: a number as a number, anything else as text.
fn of_setting(setting: &Setting) -> Json {
    match setting.value.number {
        // 2 and not 2.0: whole numbers up to 2^53 are exact.
        Some(number) if number.fract() == 0.0 && number.abs() <= 9_007_199_254_740_992.0 => (number as i64).into(),
        Some(number) => number.into(),
        None => match setting.value.text.as_str() {
            "true" => true.into(),
            "false" => false.into(),
            text => text.into(),
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::progress::{Silent, Stop};
    use crate::results::ResultsWriter;
    use crate::runner::{Keep, Tallied, run};
    use crate::testing::{Skirmishes, manifest, options};

    #[test]
    fn the_object_has_the_promised_keys() {
        let baselines = [Some(0), Some(0)];
        let folder = tempfile::tempdir().unwrap();
        let mut writer = ResultsWriter::create(folder.path(), manifest(&baselines, 500, Keep::None)).unwrap();
        let mut tallied = Tallied::new(0, &baselines);
        let options = options(&baselines, 0..500);
        let ending = run(&options, &Skirmishes, &mut tallied, &mut writer, &Silent, &Stop::new()).unwrap();
        let json = to_json(&writer.finish(&tallied, ending).unwrap());

        let keys = |json: &Json| json.as_object().unwrap().keys().cloned().collect::<Vec<_>>();
        let top = ["study", "pack", "method", "seed", "sides", "level", "runs", "elapsed_s", "battles_per_s", "cells"];
        assert_eq!(keys(&json), top);
        assert_eq!(
            (json["sides"].to_string().as_str(), json["level"].as_f64()),
            (r#"["attacker","defender"]"#, Some(0.95))
        );
        assert_eq!(json["method"], "sampled");
        let cell = &json["cells"][1];
        assert_eq!(keys(cell), ["cell", "vary", "runs", "outcomes", "metrics", "differences"]);
        assert_eq!(keys(&json["cells"][0]), ["cell", "vary", "runs", "outcomes", "metrics"]);
        let differences = &cell["differences"];
        assert_eq!(keys(differences), ["baseline", "outcomes", "metrics"]);
        assert_eq!(keys(&differences["outcomes"]), ["attacker", "defender", "draw"]);
        assert_eq!(keys(&differences["metrics"]["turns"]), ["mean", "low", "high", "variance_ratio"]);
        assert_eq!(cell["vary"].to_string(), r#"{"attacker.0.figures":1}"#);
        assert_eq!(keys(&cell["outcomes"]), ["attacker", "defender", "draw"]);
        assert_eq!(keys(&cell["outcomes"]["draw"]), ["count", "mean", "low", "high"]);
        let count = |outcome: &str| cell["outcomes"][outcome]["count"].as_u64().unwrap();
        assert_eq!(count("attacker") + count("defender") + count("draw"), 500);
        assert_eq!(cell["outcomes"]["attacker"]["mean"].as_f64().unwrap(), count("attacker") as f64 / 500.0);
        assert_eq!(keys(&cell["metrics"]["defender.losses"]), ["mean", "low", "high"]);
        assert_eq!(cell["metrics"].as_object().unwrap().len(), 11);
        assert_eq!(cell.get("histograms"), None, "no metric of the pack");
    }
}
