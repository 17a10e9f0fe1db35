//! The chart of luck, from results that counted it.

use grognard_lab::results::{Kind, WIN};

use crate::charts::ChartData;
use crate::look::Size;
use crate::reading::Reading;
use crate::sheet::tests::assert_legible;
use crate::testing::{FORMATIONS, results};

#[test]
fn the_dice_decide_so_much_of_each_cell() {
    let mut results = results(&[("defender.0.formation", FORMATIONS)], 300, |at| [0.2, 0.5, 0.7, 0.4][at[0]]);
    let charts = |results: &_| crate::charts::all(&Reading::of(results));
    assert!(!charts(&results).iter().any(|chart| chart.name() == "luck"), "luck was not requested");

    let wins: Vec<_> =
        results.summary().iter().filter(|row| row.metric == WIN && row.kind == Kind::Share).cloned().collect();
    let mut rows = results.summary().to_vec();
    for mut row in wins {
        row.kind = Kind::ControlledShare;
        row.variance_ratio = Some([0.9, 0.4, 0.55, 0.7][row.cell as usize]);
        rows.push(row);
    }
    rows.sort_by_key(|row| row.cell);
    results.summary = rows.into();
    let charts = charts(&results);
    let chart = charts.iter().find(|chart| chart.name() == "luck").expect("luck was counted");
    let ChartData::Luck(luck) = &chart.data else { panic!("{chart:?}") };
    let decided: Vec<(u32, String)> = luck.rows.iter().map(|row| (row.cell, format!("{:.2}", row.decided))).collect();
    assert_eq!(decided, [(1, "0.60".into()), (2, "0.45".into()), (3, "0.30".into()), (0, "0.10".into())]);
    assert!(chart.finding().starts_with("The luck of the dice explains between 10 % (line"), "{}", chart.finding());
    for size in [Size::Page, Size::Column] {
        assert_legible(&chart.sheet(size));
    }
}
