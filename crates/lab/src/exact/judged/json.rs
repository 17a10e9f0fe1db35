//! Judged battles as JSON.

use grognard_engine::Side;
use grognard_stats::Estimate;
use serde_json::{Value as Json, json};

use super::{Assumed, JudgedDecision, Judgement, Luck};
use crate::study::{Cell, Study};

impl Judgement {
    /// One JSON object, as printed by `grognard replay --judge --json`: `cell` and `battle` are those that were judged.
    /// Values are the first side's wins plus half the draws. They are exact for best play of both sides (`method` is
    /// `best`), exact for both doctrines (`doctrines`), or estimates for both doctrines (`fought`). `start`, the sum of
    /// `luck`, and what the decisions gave away add up to `outcome`.
    #[must_use]
    pub fn json(&self, study: &Study, cell: &Cell, battle: u64) -> Json {
        let names = &cell.bout(battle).setup.names;
        let decision = |decision: &JudgedDecision| {
            json!({
                "turn": decision.turn,
                "phase": decision.phase,
                "side": names[decision.side],
                "unit": decision.unit,
                "options": decision.options.iter().map(option).collect::<Vec<_>>(),
                "taken": decision.options[decision.taken].0,
                "lost": decision.lost,
                "mark": decision.mark(),
            })
        };
        let luck =
            |luck: &Luck| json!({ "turn": luck.turn, "phase": luck.phase, "change": luck.change, "value": luck.value });
        let [first, second] = Side::BOTH.map(|side| self.given_away(side));
        let (method, fights) = match self.assumed {
            Assumed::BestPlay => ("best", None),
            Assumed::Doctrines { .. } => ("doctrines", None),
            Assumed::Fought(battles) => ("fought", Some(battles)),
        };
        json!({
            "study": study.header.name,
            "pack": cell.rules.name,
            "method": method,
            "fights": fights,
            "cell": cell.header.cell,
            "battle": battle,
            "sides": [names.first, names.second],
            "decisions": self.decisions.iter().map(decision).collect::<Vec<_>>(),
            "luck": self.luck.iter().map(luck).collect::<Vec<_>>(),
            "curve": self.curve,
            "sum": {
                "start": self.start.point,
                "low": self.start.low,
                "high": self.start.high,
                "luck": self.luck(),
                "decisions": [0.0 - first, second],
                "outcome": self.outcome,
            },
        })
    }
}

fn option((name, worth): &(String, Estimate)) -> Json {
    json!({ "option": name, "value": worth.point, "low": worth.low, "high": worth.high })
}
