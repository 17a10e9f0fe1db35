//! What was judged, in words.

use grognard_engine::{BySide, Side};

use super::{JudgedDecision, Judgement};

impl JudgedDecision {
    /// `    ▸ attacker 1: charge 44.2 %, hold 50.0 %; takes charge, gives away 5.8 ?`. Values to the side that decides.
    pub(super) fn line(&self) -> String {
        let value = |estimate: &grognard_stats::Estimate| {
            let worth = |value: f64| 100.0 * if self.side == Side::First { value } else { 1.0 - value };
            let half = 50.0 * (estimate.high - estimate.low);
            match half < 0.05 {
                true => format!("{:.1} %", worth(estimate.point)),
                false => format!("{:.0} ± {half:.0} %", worth(estimate.point)),
            }
        };
        let options: Vec<String> =
            self.options.iter().map(|(name, worth)| format!("{name} {}", value(worth))).collect();
        let away = match (self.lost, self.sure, self.mark()) {
            (lost, ..) if lost < 0.000_5 => String::new(),
            (_, false, _) => String::new(),
            (lost, _, "") => format!(", gives away {:.1}", 100.0 * lost),
            (lost, _, mark) => format!(", gives away {:.1} {mark}", 100.0 * lost),
        };
        format!("    ▸ {}: {}; takes {}{away}", self.unit, options.join(", "), self.options[self.taken].0)
    }
}

impl Judgement {
    /// The last line: the value at the start, luck and decisions, which sum to the outcome.
    pub(super) fn sum_up(&mut self, names: &BySide<String>) {
        let [first, second] = Side::BOTH.map(|side| self.given_away(side));
        let points = |tenths: i64| format!("{}{:.1}", if tenths < 0 { "−" } else { "+" }, tenths.abs() as f64 / 10.0);
        let tenths = |value: f64| (1000.0 * value).round() as i64;
        let (start, outcome) = (tenths(self.start.point), tenths(self.outcome));
        let (own, other) = (tenths(-first), tenths(second));
        // What the roundings leave goes to luck, so that the line adds up as it is printed.
        let luck = outcome - start - own - other;
        let by = match self.fought {
            None => "best play".to_owned(),
            Some(battles) => format!("{battles} simulated battles for each option"),
        };
        self.lines.push(format!(
            "Judged by {by}, as {}: {:.1} % at the start, {} luck, {} its own decisions, {} {}'s decisions: {:.1} % at the end.",
            names.first,
            start as f64 / 10.0,
            points(luck),
            points(own),
            points(other),
            names.second,
            outcome as f64 / 10.0
        ));
    }
}
