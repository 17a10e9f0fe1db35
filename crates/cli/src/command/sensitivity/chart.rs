//! The charts of a sensitivity analysis.

use grognard_lab::sensitivity::{Moved, Step};
use grognard_lab::study::Number;
use grognard_report::Chart;
use grognard_report::charts::{TORNADO_ROWS, Tornado, TornadoBar, TornadoRow};
use grognard_stats::Estimate;

use super::Report;
use crate::text::{capitalised, counted, plural, signed, thousandths};

/// The charts for which there are numbers.
pub(super) fn charts(report: &Report<'_>) -> Vec<Chart> {
    let caption = caption(report);
    let single = tornado(report).chart(caption.clone());
    let together = report.global.and_then(|_| together(report).chart(caption));
    single.into_iter().chain(together).collect()
}

fn caption(report: &Report<'_>) -> String {
    let study = report.study;
    format!(
        "{} battles per cell and change, seed {}, {}. Rerun: {}",
        counted(report.found.battles),
        study.seed,
        study.pack_line(),
        report.command
    )
}

fn scale(report: &Report<'_>) -> f64 {
    if report.inquiry.quantity.share { 100.0 } else { 1.0 }
}

fn unit(report: &Report<'_>) -> String {
    if report.inquiry.quantity.share { "points" } else { "a battle" }.to_owned()
}

fn tornado(report: &Report<'_>) -> Tornado {
    let found = report.found;
    let standing: Vec<&Moved> = found.moved.iter().filter(|moved| moved.stands()).collect();
    let by = scale(report);
    let bar = |number: &Number, step: &Step, larger: bool| {
        let Estimate { low, high, .. } = step.together;
        let effect = Estimate { point: by * step.effect.point, low: by * low, high: by * high, ..step.together };
        TornadoBar { label: becomes(number, step), effect, larger }
    };
    let row = |moved: &&Moved| TornadoRow {
        name: named(&moved.number, &now_told(&moved.number)),
        bars: moved
            .steps
            .iter()
            .zip([false, true])
            .filter_map(|(step, larger)| step.as_ref().map(|step| bar(&moved.number, step, larger)))
            .collect(),
    };
    let pips = match report.inquiry.pips {
        1 => "a pip".to_owned(),
        pips => format!("{pips} pips"),
    };
    let within = found.moved.len() - standing.len();
    let hidden = standing.len().saturating_sub(TORNADO_ROWS);
    let mut about = format!(
        "Change in {} ({}){}, with one number at a time {pips} smaller (upper bar) and larger (lower bar); the \
         changed number is \
         at the end of its bar. Lines: simultaneous intervals for all changes.",
        asks(report),
        report.over(),
        if report.inquiry.quantity.share { ", in percentage points" } else { "" },
    );
    if hidden > 0 {
        about.push_str(&format!(" {hidden} with smaller effects are not shown."));
    }
    if standing.iter().take(TORNADO_ROWS).any(|moved| is_one_of_several(&moved.number)) {
        about.push_str(ONE_OF_SEVERAL);
    }
    about.push_str(&format!(
        " Not shown: {} whose effect is within the margin of error, and {} without effect.",
        plural(within as u64, "number"),
        counted(found.still as u64)
    ));
    Tornado {
        name: "tornado",
        finding: finding(report, &standing),
        about,
        unit: unit(report),
        sizes: false,
        key: ["smaller", "larger"].map(|way| format!("{pips} {way}")),
        rows: standing.iter().map(row).collect(),
    }
}

/// The finding when numbers change one at a time.
fn finding(report: &Report<'_>, standing: &[&Moved]) -> String {
    let used = report.choice.numbers.len() as u64;
    let Some(first) = standing.first() else {
        let asks = asks(report);
        return match used {
            1 => format!("The only number in use does not change {asks} by more than the margin of error"),
            _ => format!("No number in use, out of {}, changes {asks} by more than the margin of error", counted(used)),
        };
    };
    let by = scale(report);
    let greatest =
        first.steps.iter().flatten().max_by(|one, other| one.effect.point.abs().total_cmp(&other.effect.point.abs()));
    let size = greatest.map_or_else(String::new, |step| {
        let unit = if report.inquiry.quantity.share { " points" } else { "" };
        let moved = signed(by * step.effect.point, by * step.effect.half_width());
        format!("{moved}{unit} with {} instead of {}", becomes(&first.number, step), now(&first.number))
    });
    let (standing, of) = (standing.len(), counted(used));
    let moves = if standing == 1 { "changes it" } else { "change it" };
    let name = capitalised(&first.number.row_words());
    format!(
        "{name} changes {} most ({size}); {standing} of {of} numbers in use {moves} by more than the margin of error",
        asks(report)
    )
}

fn together(report: &Report<'_>) -> Tornado {
    let by = scale(report);
    let rows = report.global.map_or(&[][..], |global| &global.rows[..]);
    let row = |row: &grognard_lab::sensitivity::GlobalRow| {
        let Estimate { point, .. } = row.effects.size;
        // Without an interval, no line is drawn.
        let (low, high) =
            if row.effects.has_intervals() { (row.effects.size.low, row.effects.size.high) } else { (point, point) };
        let effect = Estimate { point: by * point, low: by * low, high: by * high, ..row.effects.size };
        let spread = format!(
            "σ {:.*}",
            grognard_stats::decimals(by * row.effects.size.half_width()).min(2),
            by * row.effects.spread
        );
        let (low, high) = (thousandths(row.ranged.low), thousandths(row.ranged.high));
        TornadoRow {
            name: named(&row.ranged.number, &format!("{low} to {high}")),
            bars: vec![TornadoBar { label: spread, effect, larger: true }],
        }
    };
    let finding = match rows {
        [] => "No number has a range to vary".to_owned(),
        [first, ..] => {
            let size = format!(
                "{:.*}",
                grognard_stats::decimals(by * first.effects.size.half_width()),
                by * first.effects.size.point
            );
            let bends = rows.iter().filter(|row| row.effects.spread > row.effects.size.point / 2.0).count();
            let bends = match bends {
                _ if rows.len() == 1 && bends == 0 => "its effect is linear".to_owned(),
                _ if rows.len() == 1 => "its effect is not linear".to_owned(),
                0 => "none depends much on the others".to_owned(),
                1 => "1 depends on the others or is not linear".to_owned(),
                many => format!("{many} depend on the others or are not linear"),
            };
            let unit = if report.inquiry.quantity.share { " points" } else { "" };
            format!(
                "Over its range {} moves {} {}{unit}; {bends}",
                first.ranged.number.row_words(),
                asks(report),
                way(first, &size)
            )
        }
    };
    let about = format!(
        "Mean size of the elementary effects on {} ({}), whatever their direction: the change over a number’s whole range, at {} \
         points in all ranges. \
         Lines: intervals over these points. σ: how much the effects differ; where it is as large as the bar, the number’s effect \
         depends on the other numbers or is not linear.",
        asks(report),
        report.over(),
        report.global.map_or(0, |global| global.ways)
    );
    Tornado {
        name: "elementary-effects",
        finding,
        about,
        unit: unit(report),
        sizes: true,
        key: [String::new(), String::new()],
        rows: rows.iter().map(row).collect(),
    }
}

/// The effect of a number over its range: `by −9`, or `by 9, up or down` if the direction varies.
fn way(row: &grognard_lab::sensitivity::GlobalRow, size: &str) -> String {
    match row.effects.mean {
        Estimate { low, .. } if low > 0.0 => format!("up by {size}"),
        Estimate { high, .. } if high < 0.0 => format!("down by {size}"),
        _ => format!("up or down by {size}"),
    }
}

/// A number in words, with its clauses and its current value: `shock, modifier impetus: added (7.61, now 1)`.
fn named(number: &Number, value: &str) -> String {
    /// Maximum number of clauses in a label.
    const CLAUSES: usize = 2;
    let clauses = number.clauses.iter().take(CLAUSES).map(String::as_str);
    let beside: Vec<&str> = clauses.chain([value]).collect();
    format!("{} ({})", number.words(), beside.join(", "))
}

fn now_told(number: &Number) -> String {
    if number.varied { now(number) } else { format!("now {}", now(number)) }
}

fn now(number: &Number) -> String {
    if number.varied { "varied".to_owned() } else { thousandths(number.value) }
}

/// The new value of a number; for a number that the study varies, the change to each of its values.
fn becomes(number: &Number, step: &Step) -> String {
    if !number.varied {
        return thousandths(step.value);
    }
    let by = step.value - number.value;
    format!("{}{}", if by > 0 { "+" } else { "" }, thousandths(by))
}

/// The explanation of brackets in a name.
const ONE_OF_SEVERAL: &str = " Of several numbers in one formula, the one in brackets is changed.";

/// Whether a number is one of several in an expression, and its name shows that.
fn is_one_of_several(number: &Number) -> bool {
    !number.alone
}

/// The metric as the subject of a change: `attacker’s wins`.
pub(super) fn asks(report: &Report<'_>) -> String {
    let name = &report.inquiry.quantity.name;
    if report.study.sides.contains(name) { format!("{name}’s wins") } else { name.clone() }
}
