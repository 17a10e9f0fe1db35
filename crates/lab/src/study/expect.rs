//! Expected odds: numbers in a study from another source.

use grognard_engine::METRICS;
use grognard_source::{Diagnostic, Diagnostics, Document, Node, Path, Span};

use super::wire::ExpectWire;
use crate::results::{DRAW, Expectation, Expected, TURNS};

/// The expected odds of a study with these sides and this many cells.
pub(super) fn expected(
    wires: &[ExpectWire],
    document: &Document,
    sides: &[String],
    cells: usize,
    faults: &mut Diagnostics,
) -> Vec<Expected> {
    let rows = document.root.get("expect").and_then(Node::as_array).unwrap_or_default();
    let mut expected = Vec::new();
    for (wire, row) in wires.iter().zip(rows) {
        let row = Row { wire, row, sides };
        let at = |name: &str| row.span(name);
        if wire.cell as usize >= cells {
            let fault = Diagnostic::new(format!("there is no cell {}", wire.cell)).at(at("cell"));
            faults.push(fault.help(format!("cells are numbered from 0 to {}", cells.saturating_sub(1))));
        }
        let known = row.metrics();
        if let Some(metric) = wire.metric.as_ref().filter(|metric| !known.contains(metric)) {
            faults.push(Diagnostic::unknown("metric", metric, known.iter().map(String::as_str)).at(at("metric")));
            continue;
        }
        if wire.odds.is_empty() && wire.mean.is_none() {
            let fault = Diagnostic::new("there are no odds here").at(row.row.span).path(&Path::root().join("expect"));
            faults.push(fault.help("give `odds`, or the `mean` of a `metric`"));
        }
        expected.extend(wire.odds.iter().filter_map(|(key, text)| row.odds(key, text, faults)));
        expected.extend(wire.mean.iter().filter_map(|text| row.mean(text, faults)));
    }
    expected
}

/// A row of expected odds.
struct Row<'a> {
    wire: &'a ExpectWire,
    row: &'a Node,
    sides: &'a [String],
}

impl Row<'_> {
    fn span(&self, name: &str) -> Span {
        self.row.child(name).map_or(self.row.span, |node| node.span)
    }

    /// The available metrics, as a study names them.
    fn metrics(&self) -> Vec<String> {
        let of_side = |side: &String| METRICS.iter().map(|metric| format!("{side}.{}", metric.key)).collect::<Vec<_>>();
        [TURNS.to_owned()].into_iter().chain(self.sides.iter().flat_map(of_side)).collect()
    }

    /// The probability of an outcome, or of a value of the metric.
    fn odds(&self, key: &str, text: &str, faults: &mut Diagnostics) -> Option<Expected> {
        let entry = self.row.child("odds").and_then(|odds| odds.as_table()?.entry(key));
        let key_span = entry.map_or(self.row.span, |(key, _)| key.span);
        let of = match &self.wire.metric {
            Some(metric) => {
                let (digits, or_more) = key.strip_suffix('+').map_or((key, false), |digits| (digits, true));
                let Some(value) = digits.parse().ok().filter(|_| digits.bytes().all(|byte| byte.is_ascii_digit()))
                else {
                    let fault = Diagnostic::new(format!("`{key}` is not a value of a metric")).at(key_span);
                    faults.push(fault.help("write a whole number such as \"2\", or \"4+\" for 4 or more"));
                    return None;
                };
                Expectation::Value { metric: metric.clone(), value, or_more }
            }
            None if key == DRAW || self.sides.iter().any(|side| side == key) => Expectation::Outcome(key.to_owned()),
            None => {
                let known = [self.sides[0].as_str(), &self.sides[1], DRAW];
                faults.push(Diagnostic::unknown("outcome", key, known).at(key_span));
                return None;
            }
        };
        let Some(number) = fraction(text).filter(|(numerator, denominator, _)| numerator <= denominator) else {
            let fault = Diagnostic::new(format!("`{text}` is not a probability"));
            let fault = fault.at(entry.map_or(self.row.span, |(_, node)| node.span)).path(&Path::root().join("expect"));
            faults.push(fault.help("write a fraction such as \"2890/7776\" or a decimal such as \"0.417\""));
            return None;
        };
        Some(self.expected(of, number))
    }

    fn mean(&self, text: &str, faults: &mut Diagnostics) -> Option<Expected> {
        let Some(metric) = &self.wire.metric else {
            let fault = Diagnostic::new("this mean has no metric").at(self.span("mean"));
            faults.push(fault.help("give the `metric` as well, such as \"turns\""));
            return None;
        };
        let Some(number) = fraction(text) else {
            let fault = Diagnostic::new(format!("`{text}` is not a mean")).at(self.span("mean"));
            faults.push(fault.help("write a fraction such as \"13/2\" or a decimal such as \"6.5\""));
            return None;
        };
        Some(self.expected(Expectation::Mean(metric.clone()), number))
    }

    fn expected(&self, of: Expectation, (numerator, denominator, rounded): (u64, u64, bool)) -> Expected {
        let (cell, source) = (self.wire.cell, self.wire.source.clone());
        Expected { cell, of, numerator, denominator, rounded, source }
    }
}

/// Numerator, denominator and whether the number was rounded to a decimal.
fn fraction(text: &str) -> Option<(u64, u64, bool)> {
    let digits = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit()).then(|| text.parse::<u64>().ok())?;
    let (numerator, denominator, rounded) = match text.split_once('/') {
        Some((above, below)) => (digits(above.trim())?, digits(below.trim())?, false),
        None => {
            let (whole, decimals) = text.split_once('.').unwrap_or((text, ""));
            if whole.is_empty() && decimals.is_empty() {
                return None;
            }
            let denominator = 10_u64.checked_pow(decimals.len().try_into().ok()?)?;
            let whole = if whole.is_empty() { 0 } else { digits(whole)? };
            let decimals = if decimals.is_empty() { 0 } else { digits(decimals)? };
            (whole.checked_mul(denominator)?.checked_add(decimals)?, denominator, true)
        }
    };
    (denominator > 0).then_some((numerator, denominator, rounded))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fractions_and_decimals_are_numbers() {
        assert_eq!(fraction("2890/7776"), Some((2890, 7776, false)));
        assert_eq!(fraction("1 / 1"), Some((1, 1, false)));
        assert_eq!(fraction("0.417"), Some((417, 1000, true)));
        assert_eq!(fraction(".5"), Some((5, 10, true)));
        assert_eq!(fraction("1"), Some((1, 1, true)));
        assert_eq!(fraction("1.00"), Some((100, 100, true)));
        assert_eq!(fraction("6.356"), Some((6_356, 1_000, true)));
        for bad in ["", "1/0", "-1/2", "+1", "1e-3", "1/2/3", "0.99999999999999999999999", "half"] {
            assert_eq!(fraction(bad), None, "{bad}");
        }
    }
}
