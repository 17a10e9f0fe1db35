//! Judged decisions in words.

use grognard_engine::{BySide, Side};
use grognard_stats::rounded_up;

use super::{Assumed, BAD, DOUBTFUL, JudgedDecision, Judgement};

/// The maximum number of options of equal worth listed on a line, besides the one taken.
const NAMED_MAX: usize = 3;

/// The meaning of luck if values assume that both sides follow their doctrines from then on.
const LUCK_TOO: &str =
    "Doctrines do not always take the best option: the chance to do so counts as luck, even if it is then given away.";

impl JudgedDecision {
    /// ` ▸ attacker 1: charge 44.2 %, hold 50.0 %; chooses charge, gives away 5.8 ?`. Values are from the point of view
    /// of the side that decides. Options whose worth looks the same in print are grouped:
    /// `hold, limber and 4 others 50.0 %`.
    #[must_use]
    pub fn line(&self) -> String {
        let value = |estimate: &grognard_stats::Estimate| {
            let own = if self.side == Side::First { *estimate } else { estimate.complement() };
            let [point, low, high, half] = [own.point, own.low, own.high, own.half_width()].map(|share| 100.0 * share);
            match half {
                half if half < 0.05 => format!("{point:.1} %"),
                half if point <= half => format!("{point:.0} % (at most {:.0})", rounded_up(high, 0)),
                half if 100.0 - point <= half => format!("{point:.0} % (at least {:.0})", low.floor()),
                half => format!("{point:.0} ± {:.0} %", rounded_up(half, 0)),
            }
        };
        let mut equal: Vec<(String, Vec<usize>)> = Vec::new();
        for (place, (_, worth)) in self.options.iter().enumerate() {
            let worth = value(worth);
            match equal.iter_mut().find(|(known, _)| *known == worth) {
                Some((_, places)) => places.push(place),
                None => equal.push((worth, vec![place])),
            }
        }
        let options: Vec<String> =
            equal.iter().map(|(worth, places)| format!("{} {worth}", self.names(places))).collect();
        let away = match (self.lost, self.sure, self.mark()) {
            (lost, ..) if lost < 0.000_5 => String::new(),
            (_, false, _) => String::new(),
            (lost, _, "") => format!(", gives away {:.1}", 100.0 * lost),
            (lost, _, mark) => format!(", gives away {:.1} {mark}", 100.0 * lost),
        };
        format!("    ▸ {}: {}; chooses {}{away}", self.unit, options.join(", "), self.options[self.taken].0)
    }

    /// Names the first few options of equal worth, and says how many others there are.
    fn names(&self, places: &[usize]) -> String {
        let shown = if places.len() > NAMED_MAX + 1 { NAMED_MAX } else { places.len() };
        let names = places[..shown].iter().map(|&place| self.options[place].0.as_str()).collect::<Vec<_>>();
        match (&names[..], places.len() - shown) {
            ([some @ .., last], 0) if !some.is_empty() => format!("{} and {last}", some.join(", ")),
            (_, 0) => names.join(", "),
            (_, others) => format!("{} and {others} others", names.join(", ")),
        }
    }
}

impl Judgement {
    /// The last lines: the value at the start, luck and decisions, which sum to the outcome; and the value turn by
    /// turn.
    pub(super) fn sum_up(&mut self, names: &BySide<String>) {
        let [first, second] = Side::BOTH.map(|side| self.given_away(side));
        let points = |tenths: i64| format!("{}{:.1}", if tenths < 0 { "−" } else { "+" }, tenths.abs() as f64 / 10.0);
        let tenths = |value: f64| (1000.0 * value).round() as i64;
        let (start, outcome) = (tenths(self.start.point), tenths(self.outcome));
        let (own, other) = (tenths(-first), tenths(second));
        // Rounding differences are added to luck, so that the printed numbers add up.
        let luck = outcome - start - own - other;
        let by = match self.assumed {
            Assumed::BestPlay => "best play".to_owned(),
            Assumed::Doctrines { .. } => "exact odds of both doctrines".to_owned(),
            Assumed::Fought(battles) => format!("{battles} simulated battles for each option"),
        };
        self.sum.push(format!(
            "Judged by {by}, as {}: {:.1} % at the start, {} luck, {} its own decisions, {} {}'s decisions: {:.1} % at the end.",
            names.first,
            start as f64 / 10.0,
            points(luck),
            points(own),
            points(other),
            names.second,
            outcome as f64 / 10.0
        ));
        let worth = match self.assumed {
            Assumed::BestPlay => "if both sides play perfectly from there",
            Assumed::Doctrines { .. } => "if both sides follow their doctrines from there",
            Assumed::Fought(_) => "if both sides follow their doctrines from there, with simultaneous intervals",
        };
        let values: Vec<String> = self.values().map(|value| format!("{:.0}", 100.0 * value)).collect();
        self.sum.push(format!(
            "Value for {} at the start and after each turn, in per cent: {}.",
            names.first,
            values.join(" → ")
        ));
        self.sum.extend([
            "▸: the options of a choice, each with its worth to the side that chooses: its wins and half the draws, in per cent,".to_owned(),
            format!("{worth}. Options that look equal are grouped; they include orders meant for other units."),
            format!(
                "?: the option that was taken gives away {:.0} points or more, ??: {:.0} or more{}",
                100.0 * DOUBTFUL,
                100.0 * BAD,
                match self.assumed {
                    Assumed::Fought(_) => ", as estimated; only if another is certainly better.",
                    _ => ".",
                }
            ),
        ]);
        if self.assumed != Assumed::BestPlay {
            self.sum.push(LUCK_TOO.to_owned());
        }
    }
}

#[cfg(test)]
mod tests {
    use grognard_stats::Estimate;

    use super::*;

    /// An interval that reaches 0 or 100 per cent has one limit, seen from the side that decides.
    #[test]
    fn the_worth_of_an_option_has_its_interval() {
        let line = |side: Side, (low, point, high): (f64, f64, f64)| {
            let worth = Estimate { point, low, high, runs: 200, ..Estimate::computed(point) };
            let decision = JudgedDecision {
                turn: 1,
                phase: "charge".to_owned(),
                side,
                unit: "red 1".to_owned(),
                options: vec![("charge".to_owned(), worth)],
                taken: 0,
                lost: 0.0,
                sure: false,
            };
            let line = decision.line();
            let (_, rest) = line.split_once(": charge ").expect("an option");
            rest.split_once("; chooses").expect("a choice").0.to_owned()
        };
        assert_eq!(line(Side::First, (0.421, 0.5, 0.572)), "50 ± 8 %");
        assert_eq!(line(Side::First, (0.961, 1.0, 1.0)), "100 % (at least 96)");
        assert_eq!(line(Side::Second, (0.961, 1.0, 1.0)), "0 % (at most 4)");
        assert_eq!(line(Side::First, (0.0, 0.02, 0.061)), "2 % (at most 7)");
    }

    #[test]
    fn options_of_equal_worth_stand_together() {
        let decision = |worths: &[(&str, f64)], taken: usize| JudgedDecision {
            turn: 1,
            phase: "charge".to_owned(),
            side: Side::First,
            unit: "red 1".to_owned(),
            options: worths.iter().map(|&(name, worth)| (name.to_owned(), Estimate::computed(worth))).collect(),
            taken,
            lost: 0.0,
            sure: true,
        };
        let half = ["hold", "limber", "unlimber", "guns-up", "horse-up"].map(|name| (name, 0.5));
        let few = [half[0], ("charge", 0.528), half[1]];
        assert_eq!(decision(&few, 1).line(), "    ▸ red 1: hold and limber 50.0 %, charge 52.8 %; chooses charge");
        let many = [&half[..], &[("charge", 0.528)]].concat();
        let line = "    ▸ red 1: hold, limber, unlimber and 2 others 50.0 %, charge 52.8 %; chooses horse-up";
        assert_eq!(decision(&many, 4).line(), line);
        assert_eq!(
            decision(&half[..4], 0).line(),
            "    ▸ red 1: hold, limber, unlimber and guns-up 50.0 %; chooses hold"
        );
    }
}
