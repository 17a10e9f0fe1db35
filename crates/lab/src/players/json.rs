//! The results with other players as JSON.

use grognard_stats::Estimate;
use serde_json::{Value as Json, json};

use super::Players;
use crate::json::estimate;
use crate::results::Manifest;

/// The number under each player, cell by cell; for cells with a baseline also the difference, and whether it keeps its
/// sign. Null if a player leads no side.
pub(crate) fn to_json(players: &Players, manifest: &Manifest) -> Json {
    let names = || players.players.iter().map(|under| under.player.as_str());
    let under = |values: &[Option<Estimate>]| -> Json {
        let value = |value: &Option<Estimate>| value.as_ref().map(estimate);
        names().map(str::to_owned).zip(values.iter().map(value)).collect()
    };
    let cells: Vec<Json> = (0..manifest.cells.len())
        .map(|cell| json!({ "cell": manifest.cells[cell].cell, "under": under(&players.values(manifest, cell)) }))
        .collect();
    let findings: Vec<Json> = players
        .findings(manifest)
        .iter()
        .map(|finding| {
            let (cell, baseline) = (finding.cell, finding.baseline);
            json!({ "cell": cell, "baseline": baseline, "under": under(&finding.under), "sign": finding.sign().name() })
        })
        .collect();
    json!({ "metric": players.metric, "battles": players.battles, "cells": cells, "findings": findings })
}
