//! The metrics of a pack that can be read from the ends of battles.

use grognard_lab::exact::{CellOdds, Counted, Number};
use grognard_lab::results::{Headline, Kind, MetricHeader, RatioHeader, SummaryRow};
use grognard_lab::tally::Histogram;

use super::*;
use crate::charts::Distribution;

/// The metric as in the manifest.
fn header(histogram: bool) -> MetricHeader {
    let ratio = Some(RatioHeader { low: -9, high: 9, empty: 0, histogram });
    MetricHeader { key: "margin".to_owned(), title: "points ahead".to_owned(), share: false, ratio }
}

/// The values of a metric in a cell, each with the number of battles out of a hundred that have it: the first side's,
/// then the second side's.
type Values<'a> = (&'a [(i32, u64)], &'a [(i32, u64)]);

/// The rows of a summary: each side's mean, and the difference from the first cell.
fn rows(results: &Results, values: &[Values<'_>]) -> Vec<SummaryRow> {
    let mean = |values: &[(i32, u64)]| {
        values.iter().map(|&(value, count)| f64::from(value) * count as f64 / 100.0).sum::<f64>()
    };
    let mut rows = results.summary().to_vec();
    for (cell, own) in (0..).zip(values) {
        for (side, own, base) in [(Side::First, own.0, values[0].0), (Side::Second, own.1, values[0].1)] {
            let row = |kind: Kind, mean: f64| SummaryRow {
                cell,
                side: Some(side),
                metric: "margin".to_owned(),
                kind,
                baseline: kind.is_difference().then_some(0),
                mean,
                low: mean - 0.01,
                high: mean + 0.01,
                level: 0.95,
                runs: 2_000,
                variance_ratio: None,
            };
            rows.push(row(Kind::Mean, mean(own)));
            rows.extend((cell > 0).then(|| row(Kind::MeanDifference, mean(own) - mean(base))));
        }
    }
    rows.sort_by_key(|row| row.cell);
    rows
}

/// Two cells with these values.
fn with(values: [Values<'_>; 2]) -> Results {
    let mut results = two_cells();
    results.manifest.metrics.push(header(true));
    for (tally, own) in results.tallies.iter_mut().zip(values) {
        let histogram =
            |own: &[(i32, u64)]| vec![own.iter().map(|&(value, count)| (value, 20 * count)).collect::<Histogram>()];
        tally.counted = BySide::new(histogram(own.0), histogram(own.1));
    }
    results.summary = rows(&results, &values).into();
    results
}

/// Two cells with these values, as exact odds.
fn computed(values: [Values<'_>; 2]) -> Results {
    let mut results = with(values);
    results.manifest.method = Method::Exact;
    results.tallies.clear();
    let number = |count: u64| Number { value: count as f64 / 100.0, ..Number::default() };
    let counted = |own: &[(i32, u64)]| {
        let values = own.iter().map(|&(value, count)| (value, number(count))).collect();
        vec![Counted { values, mean: Number::default() }]
    };
    results.odds = values
        .map(|own| CellOdds { counted: BySide::new(counted(own.0), counted(own.1)), ..CellOdds::default() })
        .into();
    results
}

const LINE: Values<'_> = (&[(-2, 25), (0, 25), (4, 50)], &[(-4, 50), (0, 25), (2, 25)]);
const SQUARE: Values<'_> = (&[(-3, 60), (1, 40)], &[(-1, 40), (3, 60)]);

fn chart(results: &Results) -> Option<Distribution> {
    let charts = charts::all(&Reading::of(results));
    charts.into_iter().find_map(|chart| match chart.data {
        ChartData::Counted(data) => Some(data),
        _ => None,
    })
}

#[test]
fn the_margin_of_points_is_a_distribution_of_sampled_battles_and_of_exact_odds() {
    for results in [with([LINE, SQUARE]), computed([LINE, SQUARE])] {
        let found = chart(&results).expect("a chart");
        // The defender's formation varies, so the chart is about the defender. The means are 0.25 × 2 − 0.5 × 4 and 0.6
        // × 3 − 0.4.
        assert_eq!(found.finding, "Defender: points ahead, mean 1.40 in square, \u{2212}1.50 in line");
        assert_eq!(
            (found.name.as_str(), found.metric.as_str(), found.only),
            ("metric-margin", "points ahead", Some(Side::Second))
        );
        let shares: Vec<_> =
            found.groups.iter().flat_map(|group| &group.rows).map(|row| row.shares.second.clone()).collect();
        assert_eq!(shares, [vec![(-4, 0.5), (0, 0.25), (2, 0.25)], vec![(-1, 0.4), (3, 0.6)]]);
        let report = Report::on(&results);
        let (text, page) = (markdown(&report), html(&report).expect("it is drawn"));
        assert!(text.contains("Distribution of points ahead by defender; attacker has the opposite values."), "{text}");
        assert!(text.contains("](metric-margin.svg)") && page.contains("id=\"metric-margin\""));
        // One panel, for the side shown: the table has no row for the other.
        let chart = report.all_charts().find(|chart| chart.name() == "metric-margin").expect("the chart");
        let table = chart.table().expect("a table");
        assert_eq!(table.head, ["Cell", "Name", "Side", "Mean", "-4", "-1", "0", "2", "3"]);
        assert_eq!(table.rows.len(), 2);
        for size in [Size::Page, Size::Column] {
            assert_legible(&chart.sheet(size));
        }
    }
}

#[test]
fn sides_that_are_no_mirror_of_each_other_are_both_drawn() {
    let other: Values<'_> = (&[(1, 60), (2, 40)], &[(-1, 40), (3, 60)]);
    let results = with([LINE, other]);
    let found = chart(&results).expect("a chart");
    assert_eq!(found.only, None);
    assert!(
        markdown(&Report::on(&results))
            .contains("Distribution of points ahead by attacker (left) and defender (right).")
    );
    assert_legible(
        &Report::on(&results).all_charts().find(|chart| chart.name() == "metric-margin").expect("it").sheet(Size::Page),
    );
}

#[test]
fn a_study_that_leads_with_the_metric_leads_with_its_chart() {
    let mut results = with([LINE, SQUARE]);
    results.manifest.report.headline = Some(Headline { cell: 1, metric: Some("attacker.margin".to_owned()) });
    let report = Report::on(&results);
    assert_eq!(report.lead.expect("a chart").name(), "metric-margin");
    assert!(report.answer[0].starts_with("Attacker: points ahead, mean "), "{:?}", report.answer);
}

#[test]
fn there_is_no_chart_of_what_never_varies_or_was_not_counted() {
    let still: Values<'_> = (&[(0, 100)], &[(0, 100)]);
    assert_eq!(chart(&with([still, still])), None);
    let mut before = with([LINE, SQUARE]);
    before.manifest.metrics.pop();
    before.manifest.metrics.push(header(false));
    assert_eq!(chart(&before), None, "a folder that an earlier version wrote");
    assert_eq!(chart(&two_cells()), None);
}

/// A key in a folder may be anything, and a file is named after it.
#[test]
fn no_key_leads_out_of_the_report() {
    let mut results = with([LINE, SQUARE]);
    let key = "../../a b\"";
    results.manifest.metrics.last_mut().expect("it").key = key.to_owned();
    let mut rows = results.summary().to_vec();
    for row in rows.iter_mut().filter(|row| row.metric == "margin") {
        row.metric = key.to_owned();
    }
    results.summary = rows.into();
    assert_eq!(chart(&results).expect("a chart").name, "metric-------a-b-");
}
