//! The losses of both sides jointly.

use grognard_lab::exact::{CellOdds, End, Number};
use grognard_lab::{BySide, Outcome, Side};

use super::*;
use crate::charts::Together;

/// Odds of battles with these losses, in per cent.
fn odds(ends: &[(u16, u16, u32)]) -> CellOdds {
    let end = |&(first, second, percent): &(u16, u16, u32)| {
        let mut outcome = Outcome { winner: Some(Side::First), turns: 1, sides: BySide::default() };
        (outcome.sides.first.losses, outcome.sides.second.losses) = (first, second);
        End { outcome, counted: Vec::new(), chance: Number { value: f64::from(percent) / 100.0, ..Number::default() } }
    };
    CellOdds { ends: ends.iter().map(end).collect(), ..CellOdds::default() }
}

/// Exact results whose cells all have these odds.
pub(super) fn with_odds(ends: &[(u16, u16, u32)]) -> Results {
    let mut results = exact();
    results.odds = results.manifest.cells.iter().map(|_| odds(ends)).collect();
    results
}

/// The same results with one cell.
fn alone(ends: &[(u16, u16, u32)]) -> Results {
    let mut results = one_cell();
    results.manifest.method = Method::Exact;
    results.tallies.clear();
    results.odds = vec![odds(ends)];
    results
}

fn chart(results: &Results) -> Option<Together> {
    Together::of(&Reading::of(results))
}

#[test]
fn pairs_of_losses_are_a_map() {
    // Two outcomes with the same losses share one square.
    let found = chart(&alone(&[(0, 2, 20), (0, 2, 25), (1, 1, 30), (3, 0, 25)])).expect("a chart");
    assert_eq!(found.finding, "Attacker loses 0 and defender 2 in 45.0 % of battles, more often than any other pair");
    assert_eq!((found.step, found.steps, found.maps.len()), (1, BySide::new(4, 3), 1));
    let shares: Vec<_> = found.maps[0].pairs.iter().map(|(pair, share)| (pair.first, pair.second, *share)).collect();
    assert_eq!(shares, [(0, 2, 0.45), (1, 1, 0.3), (3, 0, 0.25)]);
}

#[test]
fn many_losses_share_a_square() {
    // From 0 to 50 figures is 51 numbers, in steps of three.
    let found = chart(&alone(&[(0, 1, 10), (2, 0, 15), (3, 0, 35), (50, 4, 40)])).expect("a chart");
    assert_eq!((found.step, found.steps), (3, BySide::new(17, 2)));
    assert_eq!(found.maps[0].pairs[0], (BySide::new(0, 0), 0.25));
    assert!(found.finding.starts_with("Attacker loses 48–50 and defender 3–5 in 40.0 %"), "{}", found.finding);
}

#[test]
fn every_cell_has_a_map_and_the_finding_is_about_one() {
    let results = with_odds(&[(0, 2, 60), (1, 1, 40)]);
    let found = chart(&results).expect("a chart");
    assert_eq!((found.maps.len(), found.cells), (12, 12));
    assert!(
        found.finding.contains("60.0 % of battles with ") || found.finding.contains("60.0 % of battles "),
        "{}",
        found.finding
    );
    let report = Report::on(&results);
    assert!(names(&report).contains(&"losses-together"));
}

#[test]
fn there_is_no_map_of_losses_that_never_vary() {
    assert_eq!(chart(&alone(&[(0, 2, 60), (0, 1, 40)])), None, "the attacker loses nothing");
    assert_eq!(chart(&exact()), None, "no ends are known");
    assert_eq!(chart(&twelve_cells()), None, "sampled");
}
