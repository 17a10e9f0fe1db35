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
    let chances = own.odds.chances();
    let beside = Beside::of(&own.odds, other)?;
    let mut sentences = vec![format!(
        "{}: mean {}, standard deviation {}, from {} to {}.",
        own.text.trim(),
        decimal(own.odds.mean(), 3),
        decimal(own.odds.sd(), 3),
        whole(chances.first().map_or(0, |(total, ..)| *total)),
        whole(chances.last().map_or(0, |(total, ..)| *total))
    )];
    sentences.extend(beside.as_ref().map(Beside::sentence));
    let mut legend = vec!["or more: the chance of this total or a higher one. The odds are exact.".to_owned()];
    if own.explodes || other.is_some_and(|other| other.explodes) {
        legend.push(bound());
    }
    if chances.len() > LISTED {
        let more = plural((chances.len() - LISTED) as u64, "total");
        legend
            .push(format!("The {more} with the lowest odds are not listed: --json and --format csv have all of them."));
    }
    Ok(Answer {
        name: "roll",
        title: own.text.trim().to_owned(),
        asked: format!("What are the odds of {}?", own.text.trim()),
        fought: format!("{}, exact", plural(chances.len() as u64, "total")),
        sentences,
        columns: columns(own, &chances),
        more: Vec::new(),
        legend,
        json: json(own, beside.as_ref(), &chances, &command),
        records: records(own, &chances),
        chart: chart(
            &own.odds,
            format!("{} averages {}", own.text.trim(), decimal(own.odds.mean(), 2)),
            "total",
            &command,
        ),
        command,
    })
}

/// A total with its probability and that of a total at least as high.
type Chances = (i64, Number, Number);

fn columns(own: &Rolled<'_>, chances: &[Chances]) -> Vec<Column> {
    let mut listed: Vec<&Chances> = chances.iter().collect();
    if listed.len() > LISTED {
        listed.sort_by(|one, other| other.1.value.total_cmp(&one.1.value).then(one.0.cmp(&other.0)));
        listed.truncate(LISTED);
        listed.sort_by_key(|(total, ..)| *total);
    }
    let most = listed.iter().map(|(_, chance, _)| chance.value).fold(0.0, f64::max);
    let column =
        |head: &str, text: &dyn Fn(&Chances) -> String| Column::new(head, listed.iter().map(|one| text(one)).collect());
    vec![
        column("total", &|(total, ..)| whole(*total)).right(),
        column("chance", &|(_, chance, _)| percent(chance)).right(),
        column("or more", &|(.., or_more)| percent(or_more)).right(),
        column("fraction", &|(total, ..)| short(&own.odds.fraction(*total).to_string())).right(),
        column("", &|(_, chance, _)| "█".repeat((BAR * chance.value / most).round() as usize)),
    ]
}

fn json(own: &Rolled<'_>, beside: Option<&Beside<'_>>, chances: &[Chances], command: &str) -> Json {
    let total = |(total, chance, _): &Chances| json!({ "value": total, "p": chance.value, "fraction": own.odds.fraction(*total).to_string() });
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
        "totals": chances.iter().map(total).collect::<Vec<_>>(),
        "results": [],
        "against": beside.map(Beside::json),
    })
}

fn records(own: &Rolled<'_>, chances: &[Chances]) -> Vec<Vec<String>> {
    let mut records = vec![["total", "chance", "or_more", "fraction"].map(str::to_owned).to_vec()];
    for (total, chance, or_more) in chances {
        let fraction = own.odds.fraction(*total).to_string();
        records.push(vec![total.to_string(), chance.value.to_string(), or_more.value.to_string(), fraction]);
    }
    records
}

/// The chance of every total as a curve; `None` if there is only one.
pub(super) fn chart(odds: &Odds, finding: String, total: &str, command: &str) -> Option<Chart> {
    let point =
        |at: i64| CurvePoint { cell: 0, value: at as f64, metric: Estimate::computed(odds.chance_of(at).value) };
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
