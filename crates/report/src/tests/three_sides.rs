//! Reports on studies of three sides.

use super::*;
use crate::testing::with_a_third;

/// Charts that compare two sides.
const OF_TWO: [&str; 4] = ["casualties", "losses-together", "morale", "turn-of-rout"];

fn left_out(report: &Report) -> Option<&str> {
    report.facts.iter().find(|fact| fact.term == "Left out").map(|fact| fact.text.as_str())
}

#[test]
fn tables_and_charts_have_three_sides_and_what_sets_two_beside_each_other_is_explained() {
    for two in [one_cell(), two_cells(), twelve_cells(), thirty_six_cells(), sweep(), certain(), unfought()] {
        assert_eq!(left_out(&Report::on(&two)), None);
        let three = with_a_third(two);
        let charts = charts::all(&Reading::of(&three));
        for chart in &charts {
            assert!(!OF_TWO.contains(&chart.name()), "{}", chart.name());
            for size in [Size::Page, Size::Column] {
                assert_legible(&chart.sheet(size));
            }
        }
        let report = Report::on(&three);
        let said = left_out(&report).expect("charts are left out");
        assert!(said.starts_with("Charts of losses, routs and morale compare two sides"), "{said}");
        html(&report).expect("it is drawn");
        let text = markdown(&report);
        let has = |what: &str| assert!(text.contains(what), "{what} in {text}");
        ["Attacker wins", "Defender wins", "Reserve wins", "Reserve: "].into_iter().for_each(has);
    }
    // Each of these charts is drawn for two sides.
    let charts = charts::all(&Reading::of(&two_cells()));
    let names: BTreeSet<&str> = charts.iter().map(Chart::name).collect();
    for name in ["casualties", "morale", "turn-of-rout"] {
        assert!(names.contains(name), "{name} of {names:?}");
    }
}

/// The third side's wins come from its own battles, in the tables and in the chart of shares.
#[test]
fn the_third_side_has_its_own_numbers() {
    let three = with_a_third(one_cell());
    let won = three.tallies[0].outcomes;
    assert_eq!(won.iter().sum::<u64>(), 100);
    let charts = charts::all(&Reading::of(&three));
    let shares = charts.iter().find_map(|chart| match &chart.data {
        ChartData::Shares(shares) => Some(shares),
        _ => None,
    });
    let row = shares.expect("a chart of shares").groups[0].rows[0].wins;
    let points: Vec<u64> = row.iter().map(|wins| (wins.point * 100.0).round() as u64).collect();
    assert_eq!(points, [won[0], won[1], won[3]]);
    let text = markdown(&Report::on(&three));
    assert!(text.contains(&format!("{} %", won[3])), "{} in {text}", won[3]);
}
