//! Answers about numbers and rules.

use grognard_stats::Estimate;
use serde_json::{Value as Json, json};

use super::{Provenance, with};
use crate::json::{estimate, number};
use crate::questions::{
    Ablated, Ablation, Candidate, Crossing, Found, FoundCell, Interaction, Judge, Judged, JudgedCell, MARGIN, Needed,
    Reach, Search, State, Tried, Tuned, Tuning, Verdicts, Worth,
};
use crate::results::CellHeader;
use crate::study::{Change, Number, Rule, Study, Switch};

impl Search {
    /// The answer as JSON.
    #[must_use]
    pub fn json(&self, study: &Study, found: &Found, words: &Provenance) -> Json {
        let point = |tried: &Tried| {
            let Estimate { point, low, high, runs, .. } = tried.metric;
            json!({ "value": number(tried.value), "mean": point, "low": low, "high": high, "runs": runs })
        };
        let crossing = |crossing: &Crossing| {
            json!({
                "below": point(&crossing.below),
                "above": point(&crossing.above),
                "even": crossing.even.iter().map(point).collect::<Vec<_>>(),
                "crossing": { "value": crossing.at.value, "low": crossing.at.low, "high": crossing.at.high },
            })
        };
        let cell = |cell: &FoundCell| {
            let nearest = cell.nearest(self.number.value);
            json!({
                "cell": cell.header.cell,
                "label": cell.header.label,
                "state": self.reach_of(cell, found).name(),
                "below": nearest.map(|crossing| point(&crossing.below)),
                "above": nearest.map(|crossing| point(&crossing.above)),
                "crossing": nearest.map_or_else(|| json!("none"), |nearest| crossing(nearest)["crossing"].clone()),
                "undecided": self.open(cell).into_iter().map(|tried| number(tried.value)).collect::<Vec<_>>(),
                "crossings": cell.crossings.iter().map(crossing).collect::<Vec<_>>(),
                "tried": cell.tried.iter().map(point).collect::<Vec<_>>(),
            })
        };
        let object = json!({
            "study": study.header.name,
            "pack": study.pack.name,
            "method": "find",
            "seed": study.seed,
            "sides": study.sides,
            "battles": found.fought,
            "level": self.level.get(),
            "guarantee": words.guarantee,
            "command": words.command,
            "number": self.number.name(),
            "now": number(self.number.value),
            "metric": self.demand.quantity.name,
            "target": self.demand.value,
            "exact": self.exact.is_some(),
            "state": self.reach(found).name(),
            "stopped": found.stopped,
            "refused": found.refused.iter().map(|&value| number(value)).collect::<Vec<_>>(),
            "cells": found.cells.iter().map(cell).collect::<Vec<_>>(),
        });
        with(words, object)
    }
}

impl Reach {
    /// Its name: `found`, `met`, `none` or `undecided`.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Found => "found",
            Self::Met => "met",
            Self::Never => "none",
            Self::Undecided => "undecided",
        }
    }
}

impl State {
    /// Its name: `met`, `missed` or `undecided`.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Met => "met",
            Self::Missed => "missed",
            Self::Undecided => "undecided",
        }
    }
}

/// A target and its verdict: the requirement, and the worst cell.
fn target(judged: &Judged) -> Json {
    let worst = judged.worst();
    json!({
        "says": judged.target.says,
        "metric": judged.target.metric,
        "difference": judged.target.difference,
        "band": [judged.target.band.0, judged.target.band.1],
        "state": judged.state.name(),
        "value": worst.map(|worst| worst.metric.point),
        "low": worst.map(|worst| worst.metric.low),
        "high": worst.map(|worst| worst.metric.high),
        "worst": worst.map(|worst| worst.cell),
    })
}

impl Judge {
    /// The answer as JSON.
    #[must_use]
    pub fn json(&self, study: &Study, verdicts: &Verdicts, words: &Provenance) -> Json {
        let label = |cell: u32| study.cells.get(cell as usize).map_or("", |cell| cell.header.label.as_str());
        let cell = |cell: &JudgedCell| {
            json!({
                "cell": cell.cell,
                "label": label(cell.cell),
                "state": cell.state.name(),
                "value": cell.metric.point,
                "low": cell.metric.low,
                "high": cell.metric.high,
                "runs": cell.metric.runs,
            })
        };
        let with_cells = |judged: &Judged| {
            let mut target = target(judged);
            target["cells"] = judged.cells.iter().map(cell).collect();
            target
        };
        let object = json!({
            "study": study.header.name,
            "pack": study.pack.name,
            "method": "judge",
            "seed": study.seed,
            "sides": study.sides,
            "battles": verdicts.fought,
            "level": self.level.get(),
            "guarantee": words.guarantee,
            "command": words.command,
            "exact": self.exact.is_some(),
            "state": verdicts.state().name(),
            "targets": verdicts.targets.iter().map(with_cells).collect::<Vec<_>>(),
        });
        with(words, object)
    }
}

impl Tuned {
    /// Met if a change was found; missed if every candidate within the limits is certain to miss a target.
    #[must_use]
    pub fn state(&self) -> State {
        if self.found.is_some() {
            State::Met
        } else if self.undecided.is_empty() && !self.stopped && !self.cut {
            State::Missed
        } else {
            State::Undecided
        }
    }
}

impl Tuning {
    /// The answer as JSON.
    #[must_use]
    pub fn json(&self, study: &Study, tuned: &Tuned, words: &Provenance) -> Json {
        let change = |change: &Change<'_>| {
            json!({
                "path": change.number.name(), "from": number(change.number.value), "to": number(change.value),
            })
        };
        let changes = |candidate: &Candidate| self.changes_of(candidate).iter().map(change).collect::<Vec<_>>();
        let targets = |judged: &[Judged]| judged.iter().map(target).collect::<Vec<_>>();
        let runner_up = |(candidate, after): &(Candidate, Vec<Judged>)| json!({ "change": changes(candidate), "targets": targets(after) });
        let state = match tuned.state() {
            State::Met => "found",
            State::Missed => "none",
            State::Undecided => "undecided",
        };
        let object = json!({
            "study": study.header.name,
            "pack": study.pack.name,
            "method": "tune",
            "seed": study.seed,
            "sides": study.sides,
            "battles": tuned.fought,
            "level": self.level.get(),
            "guarantee": words.guarantee,
            "command": words.command,
            "state": state,
            "change": tuned.found.as_ref().map(|(candidate, _)| changes(candidate)),
            "targets": tuned.found.as_ref().map(|(_, after)| targets(after)),
            "now": targets(&tuned.now),
            "runners_up": tuned.runners_up.iter().map(runner_up).collect::<Vec<_>>(),
            "numbers": self.numbers.iter().map(Number::name).collect::<Vec<_>>(),
            "changes": self.changes,
            "pips": self.pips,
            "possible": self.possible(),
            "candidates": tuned.candidates,
            "cut": tuned.cut,
            "tried": tuned.tried,
            "ruled_out": tuned.ruled_out,
            "margin": MARGIN,
            "narrowly": tuned.narrowly,
            "undecided": tuned.undecided.iter().map(|(candidate, _)| changes(candidate)).collect::<Vec<_>>(),
            "refused": tuned.refused,
        });
        with(words, object)
    }
}

impl Ablation {
    /// The answer as JSON.
    #[must_use]
    pub fn json(&self, study: &Study, found: &Ablated, words: &Provenance) -> Json {
        let rule = |rule: &Worth| {
            let cell = |(cell, worth): (&CellHeader, &Estimate)| json!({ "cell": cell.cell, "mean": worth.point, "low": worth.low, "high": worth.high });
            let rows = if let Rule::Clause(_, rows) = rule.switch.what { Some(rows) } else { None };
            json!({
                "path": rule.switch.name(),
                "pack": rule.switch.pack,
                "rows": rows,
                "stays": rule.switch.stays.iter().map(ToString::to_string).collect::<Vec<_>>(),
                "clauses": rule.switch.clauses,
                "worth": estimate(&rule.worth),
                "otherwise": rule.otherwise,
                "stands": rule.stands(),
                "cells": found.cells.iter().zip(&rule.cells).map(cell).collect::<Vec<_>>(),
            })
        };
        let pair = |pair: &Interaction| {
            let names = pair.rules.map(|at| found.rules[at].switch.name());
            json!({ "rules": names, "beyond": estimate(&pair.beyond) })
        };
        let needed = |needed: &Needed| json!({ "path": needed.switch.name(), "why": needed.why });
        let names = |switches: &[Switch]| switches.iter().map(Switch::name).collect::<Vec<_>>();
        let object = json!({
            "study": study.header.name,
            "pack": study.pack.name,
            "method": "ablate",
            "seed": study.seed,
            "sides": study.sides,
            "battles": found.fought,
            "runs": self.battles,
            "level": self.level.get(),
            "guarantee": words.guarantee,
            "command": words.command,
            "metric": self.quantity.name,
            "answer": estimate(&found.base),
            "rules": found.rules.iter().map(rule).collect::<Vec<_>>(),
            "pairs": found.pairs.iter().map(pair).collect::<Vec<_>>(),
            "nothing": names(&found.still),
            "needed": found.needed.iter().map(needed).collect::<Vec<_>>(),
            "untried": names(&found.untried),
            "stopped": found.stopped,
        });
        with(words, object)
    }
}
