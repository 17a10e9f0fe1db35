//! The odds of a formula, in words and numbers.

use grognard_exact::Number;
use grognard_exact::formula::Odds;
use grognard_report::Chart;
use grognard_report::charts::{ChartData, Curve, CurveLine, CurvePanel, CurvePoint};
use grognard_stats::Estimate;
use serde_json::{Value as Json, json};

use super::{Beside, Rolled, bound};
use crate::answer::Answer;
use crate::failure::Failure;
use crate::table::Column;
use crate::text::{plural, true_minus};

/// The maximum number of totals in the table; JSON and CSV have the rest.
const LISTED: usize = 60;
/// Length of the longest bar, in characters.
pub(super) const BAR: f64 = 40.0;

/// The answer in every form.
pub(super) fn answer(own: &Rolled<'_>, other: Option<&Rolled<'_>>, command: String) -> Result<Answer, Failure> {
    let totals: Vec<i64> = own.odds.totals().collect();
    let beside = Beside::of(&own.odds, other)?;
    let mut sentences = vec![format!(
        "{}: mean {}, standard deviation {}, from {} to {}.",
        own.text.trim(),
        decimal(own.odds.mean(), 3),
        decimal(own.odds.sd(), 3),
        whole(totals.first().copied().unwrap_or(0)),
        whole(totals.last().copied().unwrap_or(0))
    )];
    sentences.extend(beside.as_ref().map(Beside::sentence));
    let mut legend = vec!["or more: the chance of this total or a higher one. The odds are exact.".to_owned()];
    if own.explodes || other.is_some_and(|other| other.explodes) {
        legend.push(bound());
    }
    if totals.len() > LISTED {
        let more = plural((totals.len() - LISTED) as u64, "total");
        legend
            .push(format!("The {more} with the lowest odds are not listed: --json and --format csv have all of them."));
    }
    Ok(Answer {
        name: "roll",
        title: own.text.trim().to_owned(),
        asked: format!("What are the odds of {}?", own.text.trim()),
        fought: format!("{}, exact", plural(totals.len() as u64, "total")),
        sentences,
        columns: columns(own, &totals),
        more: Vec::new(),
        legend,
        json: json(own, beside.as_ref(), &totals, &command),
        records: records(own, &totals),
        chart: chart(
            &own.odds,
            format!("{} averages {}", own.text.trim(), decimal(own.odds.mean(), 2)),
            "total",
            &command,
        ),
        command,
    })
}

fn chance(own: &Rolled<'_>, total: i64) -> Number {
    own.odds.chance(|other| other == total)
}

fn columns(own: &Rolled<'_>, totals: &[i64]) -> Vec<Column> {
    let mut listed: Vec<(i64, f64)> = totals.iter().map(|&total| (total, chance(own, total).value)).collect();
    if listed.len() > LISTED {
        listed.sort_by(|one, other| other.1.total_cmp(&one.1).then(one.0.cmp(&other.0)));
        listed.truncate(LISTED);
        listed.sort_by_key(|(total, _)| *total);
    }
    let most = listed.iter().map(|(_, chance)| *chance).fold(0.0, f64::max);
    let column = |head: &str, text: &dyn Fn(i64, f64) -> String| {
        Column::new(head, listed.iter().map(|&(total, chance)| text(total, chance)).collect())
    };
    vec![
        column("total", &|total, _| whole(total)).right(),
        column("chance", &|total, _| percent(&chance(own, total))).right(),
        column("or more", &|total, _| percent(&own.odds.chance(|other| other >= total))).right(),
        column("fraction", &|total, _| short(&own.odds.fraction(total).to_string())).right(),
        column("", &|_, chance| "█".repeat((BAR * chance / most).round() as usize)),
    ]
}

fn json(own: &Rolled<'_>, beside: Option<&Beside<'_>>, totals: &[i64], command: &str) -> Json {
    let total = |&total: &i64| json!({ "value": total, "p": chance(own, total).value, "fraction": own.odds.fraction(total).to_string() });
    json!({
        "study": null,
        "pack": null,
        "formula": own.text.trim(),
        "method": "roll",
        "seed": null,
        "battles": 0,
        "level": 1.0,
        "guarantee": "The odds are exact.",
        "command": command,
        "mean": own.odds.mean(),
        "sd": own.odds.sd(),
        "totals": totals.iter().map(total).collect::<Vec<_>>(),
        "results": [],
        "against": beside.map(Beside::json),
    })
}

fn records(own: &Rolled<'_>, totals: &[i64]) -> Vec<Vec<String>> {
    let mut records = vec![["total", "chance", "or_more", "fraction"].map(str::to_owned).to_vec()];
    for &total in totals {
        let more = own.odds.chance(|other| other >= total).value;
        let fraction = own.odds.fraction(total).to_string();
        records.push(vec![total.to_string(), chance(own, total).value.to_string(), more.to_string(), fraction]);
    }
    records
}

/// The chance of every total as a curve; `None` if there is only one.
pub(super) fn chart(odds: &Odds, finding: String, total: &str, command: &str) -> Option<Chart> {
    let point = |at: i64| CurvePoint {
        cell: 0,
        value: at as f64,
        metric: Estimate::computed(odds.chance(|other| other == at).value),
    };
    let points: Vec<CurvePoint> = odds.totals().map(point).collect();
    if points.len() < 2 {
        return None;
    }
    let data = Curve {
        finding,
        what: format!("Chance of each {total}, per cent"),
        share: true,
        target: None,
        path: total.to_owned(),
        lines: String::new(),
        panels: vec![CurvePanel {
            title: String::new(),
            part: (0, 1),
            lines: vec![CurveLine { name: String::new(), points }],
        }],
    };
    Some(Chart { data: ChartData::Curve(data), caption: format!("Exact. Rerun: {command}"), exchanged: false })
}

/// A chance in per cent, with three digits if it is small.
pub(super) fn percent(number: &Number) -> String {
    let share = 100.0 * number.value;
    if number.value == 0.0 || share >= 0.995 {
        format!("{share:.2} %")
    } else if share >= 1e-4 {
        format!("{share:.4} %")
    } else {
        format!("{share:.1e} %")
    }
}

pub(super) fn whole(total: i64) -> String {
    true_minus(&total.to_string())
}

pub(super) fn decimal(value: f64, places: usize) -> String {
    true_minus(&format!("{value:.places$}"))
}

/// A fraction, unless it is too long to read.
pub(super) fn short(fraction: &str) -> String {
    if fraction.len() > 24 { "–".to_owned() } else { fraction.to_owned() }
}
