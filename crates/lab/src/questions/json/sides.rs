//! Answers about sides, their units and their players.

use grognard_engine::Side;
use grognard_exact::best::Bracket;
use grognard_stats::Estimate;
use serde_json::{Map, Value as Json, json};

use super::{Provenance, share, with};
use crate::json::{estimate, varied};
use crate::questions::{
    BestCell, BestPlay, Matched, Matchups, Place, Points, Priced, PricedPair, PricedTrait, PricedUnit, Step, Trained,
    Training, Use,
};
use crate::results::CellHeader;
use crate::study::{Study, Switch};

impl PricedUnit {
    /// Whether the given price fits; empty if none was given.
    #[must_use]
    pub fn verdict(&self) -> &'static str {
        match (self.given, self.is_dear()) {
            (None, _) => "",
            (Some(_), None) => "fits",
            (Some(_), Some(false)) => "too cheap",
            (Some(_), Some(true)) => "too dear",
        }
    }
}

impl Priced {
    /// The types, most expensive first.
    #[must_use]
    pub fn by_price(&self) -> Vec<&PricedUnit> {
        let mut units: Vec<&PricedUnit> = self.units.iter().collect();
        units.sort_by(|one, other| other.points.point.total_cmp(&one.points.point));
        units
    }
}

impl Points {
    /// The answer as JSON.
    #[must_use]
    pub fn json(&self, study: &Study, found: &Priced, words: &Provenance) -> Json {
        let unit = |unit: &&PricedUnit| {
            json!({
                "type": unit.name,
                "points": unit.points.point,
                "low": unit.points.low,
                "high": unit.points.high,
                "whole": unit.whole,
                "printed": unit.given,
                "state": unit.given.map(|_| unit.verdict()),
            })
        };
        let priced = |one: &PricedTrait| {
            json!({
                "trait": one.name,
                "types": one.bearers,
                "points": one.points.point,
                "low": one.points.low,
                "high": one.points.high,
                "whole": one.whole,
            })
        };
        let pair = |pair: &PricedPair| {
            json!({
                "types": pair.types.map(|at| found.units[at].name.as_str()),
                "beyond": pair.beyond.point,
                "low": pair.beyond.low,
                "high": pair.beyond.high,
            })
        };
        let held_out = &found.held_out;
        let object = json!({
            "study": study.header.name,
            "pack": study.pack.name,
            "method": "points",
            "seed": study.seed,
            "sides": study.sides,
            "battles": found.fought,
            "level": self.level.get(),
            "guarantee": words.guarantee,
            "command": words.command,
            "units": found.by_price().iter().map(unit).collect::<Vec<_>>(),
            "traits": found.traits.iter().map(priced).collect::<Vec<_>>(),
            "pairs": found.pairs.iter().map(pair).collect::<Vec<_>>(),
            "edge": { "points": found.edge.point, "low": found.edge.low, "high": found.edge.high },
            "held_out": {
                "battles": held_out.battles,
                "predicted": share(&held_out.fitted),
                "whole": share(&held_out.whole),
                "printed": held_out.given.as_ref().map(share),
                "with_pairs": held_out.with_pairs.as_ref().map(share),
                "chance": 0.5,
            },
            "budget": self.budget,
            "armies": found.armies,
            "refused": found.refused,
            "stopped": found.stopped,
        });
        with(words, object)
    }
}

impl Use {
    /// Its name: `sure`, `open` or `never`.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Sure => "sure",
            Self::Open => "open",
            Self::Never => "never",
        }
    }
}

impl Matchups {
    /// The answer as JSON.
    #[must_use]
    pub fn json(&self, study: &Study, found: &Matched, words: &Provenance) -> Json {
        let grid = &self.grid;
        let weights = |side: Side| -> Vec<Json> {
            let (names, weights) = match side {
                Side::First => (&grid.rows, &found.best.rows),
                _ => (&grid.columns, &found.best.columns),
            };
            let (ends, used) = match side {
                Side::First => (&found.spread.rows, &found.spread.rows_used),
                _ => (&found.spread.columns, &found.spread.columns_used),
            };
            let one = |(at, (name, &weight)): (usize, (&String, &f64))| {
                let (low, high) = ends[at];
                json!({ "choice": name, "weight": weight, "low": low, "high": high, "used": used[at].name() })
            };
            names.iter().zip(weights).enumerate().map(one).collect()
        };
        let dominated = found.dominated.iter().map(|one| {
            let names = if one.side == Side::First { &grid.rows } else { &grid.columns };
            json!({ "side": study.sides[one.side.index()], "choice": names[one.choice], "by": names[one.by] })
        });
        let ties = |names: &[String], ties: &[Vec<usize>]| -> Vec<Vec<String>> {
            ties.iter().map(|tie| tie.iter().map(|&at| names[at].clone()).collect()).collect()
        };
        let object = json!({
            "study": study.header.name,
            "pack": study.pack.name,
            "method": "matchups",
            "seed": study.seed,
            "battles": found.fought,
            "level": self.level.get(),
            "guarantee": words.guarantee,
            "command": words.command,
            "sides": study.sides,
            "symmetric": grid.symmetric,
            "row_paths": grid.row_paths,
            "column_paths": grid.column_paths,
            "over": grid.over,
            "rows": grid.rows,
            "columns": grid.columns,
            "payoff": found.scores.iter().map(|row| row.iter().map(share).collect::<Vec<_>>()).collect::<Vec<_>>(),
            "equilibrium": {
                "rows": weights(Side::First),
                "columns": weights(Side::Second),
                "value": share(&found.value),
                "exploitability": found.exploitability.into_iter().fold(0.0, f64::max),
                "gives_away": found.exploitability,
            },
            "ties": {
                "rows": ties(&grid.rows, &found.spread.row_ties),
                "columns": ties(&grid.columns, &found.spread.column_ties),
            },
            "dominated": dominated.collect::<Vec<_>>(),
            "cyclic": found.cyclic.map(|share| {
                let (low, high) = found.spread.cyclic.unwrap_or((share, share));
                json!({ "share": share, "low": low, "high": high })
            }),
            "stopped": found.stopped,
        });
        with(words, object)
    }
}

fn bracket(bracket: Bracket) -> Json {
    json!({ "mean": bracket.middle(), "low": bracket.low, "high": bracket.high })
}

impl BestPlay {
    /// The answer as JSON. `without` is the rule named by `--without`, with the cells' values without it.
    #[must_use]
    pub fn json(
        &self,
        study: &Study,
        cells: &[BestCell],
        without: Option<(&Switch, &[BestCell])>,
        words: &Provenance,
    ) -> Json {
        let all = cells.iter().enumerate().map(|(place, cell)| {
            let without = without.and_then(|(_, cells)| cells.get(place));
            best_cell(study, cell, without)
        });
        let object = json!({
            "study": study.header.name,
            "pack": study.pack.name,
            "method": "best",
            "metric": self.quantity.name,
            "without": without.map(|(switch, _)| switch.name()),
            "command": words.command,
            "cells": all.collect::<Vec<_>>(),
        });
        with(words, object)
    }
}

fn best_cell(study: &Study, cell: &BestCell, without: Option<&BestCell>) -> Json {
    let values = |cell: &BestCell| -> Map<String, Json> {
        let value = |Bracket { low, high }: Bracket| json!({ "p": f64::midpoint(low, high), "low": low, "high": high });
        cell.values.named().into_iter().map(|(name, bracket)| (name.to_owned(), value(bracket))).collect()
    };
    let side = |place: &Place| &study.sides[place.side];
    let by_side = |value: &dyn Fn(Side) -> Json| -> Map<String, Json> {
        Side::BOTH.map(|side| (study.sides[side.index()].clone(), value(side))).into_iter().collect()
    };
    let rows = cell.rows.iter().map(|((place, row), played)| {
        json!({
            "side": side(place), "doctrine": place.doctrine, "phase": place.phase, "row": row,
            "met": played.met, "lost": played.lost,
        })
    });
    let options = cell.offers.iter().map(|((place, offer), played)| {
        json!({
            "side": side(place), "doctrine": place.doctrine, "phase": place.phase, "option": offer,
            "visits": played.offered, "best": played.best, "alone": played.alone,
            "dominated": played.offered > 0.0 && played.best == 0.0,
        })
    });
    json!({
        "cell": cell.header.cell,
        "vary": varied(&cell.header),
        "values": values(cell),
        "without": without.map(values),
        // Each side's gain from best play against the other's doctrine, and the same gain seen from the other side: the
        // amount that each doctrine concedes to a perfect enemy.
        "skill_gap": by_side(&|side| bracket(cell.values.gain(side))),
        "exploitability": by_side(&|side| bracket(cell.values.exploitability(side))),
        // The doctrine whose orders best play chooses from, if it is not the side's own; the gain of those orders by
        // themselves, the value if both sides play by them, and the side that follows its doctrine instead.
        "orders_of": by_side(&|side| json!(cell.doctrines[side.index()])),
        "skill_gap_alone": by_side(&|side| bracket(cell.values.gain_alone(side))),
        "both_alone": bracket(cell.values.both_alone),
        "follows_doctrine": cell.values.follows().map(|side| &study.sides[side.index()]),
        "rows": rows.collect::<Vec<_>>(),
        "options": options.collect::<Vec<_>>(),
        // Best play sees cards that the pack hides.
        "bound": cell.sees_cards,
        "states": cell.effort.states,
        "exact": cell.exact,
    })
}

impl Training {
    /// The answer as JSON, with the doctrine as a table of a pack.
    #[must_use]
    pub fn json(&self, study: &Study, trained: &Trained, doctrine: &str, words: &Provenance) -> Json {
        let step = |step: &Step| json!({ "change": step.says, "gain": step.gain.as_ref().map(estimate) });
        let cell = |(header, gain): &(CellHeader, Estimate)| json!({ "cell": header.cell, "vary": varied(header), "gain": estimate(gain) });
        let object = json!({
            "study": study.header.name,
            "pack": study.pack.name,
            "seed": study.seed,
            "sides": study.sides,
            "level": self.level.get(),
            "guarantee": words.guarantee,
            "metric": self.quantity.name,
            "side": study.sides[self.side.index()],
            "from": trained.from.name,
            "against": trained.against,
            "doctrine": doctrine,
            "name": trained.name,
            "gain": estimate(&trained.gain),
            "cells": trained.cells.iter().map(cell).collect::<Vec<_>>(),
            "steps": trained.steps.iter().map(step).collect::<Vec<_>>(),
            "tried": trained.tried,
            "battles": trained.fought,
            "settled": trained.settled,
            "command": words.command,
        });
        with(words, object)
    }
}
