//! A comparison as one JSON object, as `--json` prints it.

use grognard_engine::Side;
use serde_json::{Map, Value as Json, json};

use super::{Change, Changed, Changes, Compared, Couple, Difference, Favour, Heading, Pairing, Unpaired};
use crate::json::estimate;
use crate::results::{CellHeader, names_of_quantities};

/// The comparison as one JSON object: the two parties, the changes in rules and study, and each pair of cells with its
/// favourites, the pairing of its battles, and every difference with two intervals, two p-values and the worth of
/// pairing. `study`, `pack` and `seed` at the top are those of the first party.
///
/// Differences are keyed by a side's name for its wins, `draw`, `turns` and `<side>.<metric>`.
#[must_use]
pub fn to_json(compared: &Compared) -> Json {
    let couples: Vec<Json> = compared.couples.iter().map(|couple| of_couple(compared, couple)).collect();
    let of_names = |of: &dyn Fn(&str) -> Option<f64>| -> Map<String, Json> {
        names_of_quantities(&compared.sides).into_iter().map(|name| (name.clone(), of(&name).into())).collect()
    };
    let worth = of_names(&|name| compared.worth(name));
    let at_most = of_names(&|name| compared.worth_at_most(name));
    let alone = |party: usize| compared.alone[party].iter().map(of_cell).collect::<Vec<_>>();
    let before = &compared.parties[0];
    json!({
        "study": before.study,
        "pack": before.pack,
        "method": "compare",
        "seed": before.seed,
        "sides": compared.sides,
        "battles": compared.battles(),
        "guarantee": compared.guarantee(),
        "before": of_heading(before),
        "after": of_heading(&compared.parties[1]),
        "level": compared.level.get(),
        "corrected_level": compared.corrected.get(),
        "worth": worth,
        "worth_at_most": at_most,
        "changes": compared.changes.as_ref().map(of_changes),
        "cells": couples,
        "only_before": alone(0),
        "only_after": alone(1),
    })
}

fn of_heading(heading: &Heading) -> Json {
    json!({
        "name": heading.name, "study": heading.study, "pack": heading.pack, "version": heading.version,
        "method": heading.method, "seed": heading.seed, "runs": heading.battles,
    })
}

fn of_changes(changes: &Changes) -> Json {
    let of = |change: &Change| {
        let of = match change.of {
            Changed::Pack => "pack",
            Changed::Study => "study",
        };
        json!({ "of": of, "path": change.path, "before": change.before, "after": change.after })
    };
    json!({ "values": changes.list.iter().map(of).collect::<Vec<_>>(), "words": changes.words })
}

fn of_cell(cell: &CellHeader) -> Json {
    json!({ "cell": cell.cell, "label": cell.label })
}

fn of_couple(compared: &Compared, couple: &Couple) -> Json {
    let favoured = |favour: &Favour| {
        let side = favour.side.map(|side: Side| &compared.sides[side.index()]);
        json!({ "side": side, "sure": favour.is_sure(), "margin": estimate(&favour.margin) })
    };
    let (pairing, kept) = match couple.pairing {
        Pairing::All => ("all", None),
        Pairing::Kept(pairs) => ("kept", Some(pairs)),
        Pairing::None(Unpaired::Seeds) => ("none: other seeds", None),
        Pairing::None(Unpaired::Battles) => ("none: other battles", None),
        Pairing::None(Unpaired::Ways) => ("none: one was fought both ways", None),
        Pairing::None(Unpaired::WorkedOut) => ("none: exact odds", None),
        Pairing::None(Unpaired::NotKept) => ("none: too few battles kept", None),
    };
    let mut differences = Map::new();
    for difference in &couple.differences {
        differences.insert(difference.name(&compared.sides), of_difference(difference));
    }
    json!({
        "before": of_cell(&couple.before),
        "after": of_cell(&couple.after),
        "flipped": couple.is_flipped(),
        "surely_flipped": couple.is_surely_flipped(),
        "favoured_before": favoured(&couple.favoured[0]),
        "favoured_after": favoured(&couple.favoured[1]),
        "same": couple.same,
        "pairing": pairing,
        "pairs_known": kept,
        "differences": differences,
    })
}

fn of_difference(difference: &Difference) -> Json {
    json!({
        "before": difference.values[0].point,
        "after": difference.values[1].point,
        "mean": difference.apart.point,
        "low": difference.apart.low,
        "high": difference.apart.high,
        "corrected_low": difference.together.low,
        "corrected_high": difference.together.high,
        "p": difference.p,
        "corrected_p": difference.corrected_p,
        "variance_ratio": difference.variance_ratio,
    })
}
