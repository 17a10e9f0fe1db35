//! Odds that a study knows from elsewhere.

use grognard_rules::source::{Diagnostic, Diagnostics, Document, Node, Path};

use super::wire::ExpectWire;
use crate::results::{DRAW, Expected};

/// The expected odds of a study with these sides and so many cells.
pub(super) fn expected(
    wires: &[ExpectWire],
    document: &Document,
    sides: &[String; 2],
    cells: usize,
    faults: &mut Diagnostics,
) -> Vec<Expected> {
    let rows = document.root.get("expect").and_then(Node::as_array).unwrap_or_default();
    let mut expected = Vec::new();
    for (wire, row) in wires.iter().zip(rows) {
        let at = |name: &str| row.child(name).map_or(row.span, |node| node.span);
        if wire.cell as usize >= cells {
            let fault = Diagnostic::new(format!("there is no cell {}", wire.cell)).at(at("cell"));
            faults.push(fault.help(format!("cells are numbered from 0 to {}", cells.saturating_sub(1))));
        }
        for (outcome, text) in &wire.odds {
            let odds = row.child("odds").and_then(|odds| odds.as_table()?.entry(outcome));
            if !sides.contains(outcome) && outcome != DRAW {
                let known = [sides[0].as_str(), &sides[1], DRAW];
                faults.push(
                    Diagnostic::unknown("outcome", outcome, known).at(odds.map_or(row.span, |(key, _)| key.span)),
                );
                continue;
            }
            match fraction(text) {
                Some((numerator, denominator, rounded)) => expected.push(Expected {
                    cell: wire.cell,
                    outcome: outcome.clone(),
                    numerator,
                    denominator,
                    rounded,
                    source: wire.source.clone(),
                }),
                None => {
                    let fault = Diagnostic::new(format!("`{text}` is not a probability"));
                    let fault =
                        fault.at(odds.map_or(row.span, |(_, node)| node.span)).path(&Path::root().join("expect"));
                    faults.push(fault.help("write a fraction such as \"2890/7776\" or a decimal such as \"0.417\""));
                }
            }
        }
    }
    expected
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
    (denominator > 0 && numerator <= denominator).then_some((numerator, denominator, rounded))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fractions_and_decimals_are_probabilities() {
        assert_eq!(fraction("2890/7776"), Some((2890, 7776, false)));
        assert_eq!(fraction("1 / 1"), Some((1, 1, false)));
        assert_eq!(fraction("0.417"), Some((417, 1000, true)));
        assert_eq!(fraction(".5"), Some((5, 10, true)));
        assert_eq!(fraction("1"), Some((1, 1, true)));
        assert_eq!(fraction("1.00"), Some((100, 100, true)));
        for bad in ["", "1/0", "3/2", "1.1", "-1/2", "+1", "1e-3", "1/2/3", "0.99999999999999999999999", "half"] {
            assert_eq!(fraction(bad), None, "{bad}");
        }
    }
}
