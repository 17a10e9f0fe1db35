//! The numbers of a sensitivity analysis as a table, JSON, CSV and Markdown.

use grognard_lab::json::{estimate, number};
use grognard_lab::sensitivity::{GlobalRow, Step};
use grognard_lab::study::{Number, written_as};
use grognard_report::{Chart, Fact};
use grognard_stats::Estimate;
use serde_json::{Map, Value as Json, json};

use super::Report;
use super::chart::asks;
use crate::answer::printed;
use crate::failure::Failure;
use crate::format::Format;
use crate::table::sensitivity::{columns, fought, global_columns, how_to_read};
use crate::table::{Setting, records};
use crate::terminal;
use crate::text::plural;

/// Prints the numbers.
pub(super) fn print(report: &Report<'_>, format: Format) -> Result<(), Failure> {
    match format {
        Format::Table => terminal::print(&report.table(Setting::Text(terminal::page()))),
        Format::Markdown => terminal::print(&report.table(Setting::Markdown)),
        Format::Json => terminal::print_raw(&format!("{:#}\n", to_json(report))),
        Format::Csv => terminal::print(&to_csv(report)?),
    }
}

/// The files next to the report.
pub(super) fn texts(report: &Report<'_>) -> Result<Vec<(&'static str, String)>, Failure> {
    Ok(vec![("sensitivity.csv", to_csv(report)?), ("sensitivity.json", format!("{:#}\n", to_json(report)))])
}

/// The answer as a report, with its charts.
pub(super) fn report_of(report: &Report<'_>, charts: Vec<Chart>) -> grognard_report::Report {
    let fact = |term, text: String, verbatim| Fact { term, text, verbatim };
    let mut charts = charts.into_iter();
    let lead = charts.next();
    let finding = |chart: &Chart| format!("{}.", chart.finding());
    let asked = printed(&format!("Change in {}, by changed number", report.asks()), &columns(report));
    let global = report.global.map(|global| {
        printed("Several numbers at once, for a step over the whole range", &global_columns(report, &global.rows))
    });
    grognard_report::Report {
        title: report.study.header.title.clone(),
        question: format!("Which numbers in the rules change {}?", asks(report)),
        answer: lead.iter().map(finding).collect(),
        highlights: Vec::new(),
        asked: Some(asked).filter(|table| !table.rows.is_empty()),
        lead,
        analysis: Vec::new(),
        charts: charts.collect(),
        rules: None,
        noteworthy: Vec::new(),
        who_plays: None,
        tables: global.into_iter().collect(),
        facts: vec![
            fact("Battles", fought(report), false),
            fact("How to read it", how_to_read(report), false),
            fact("Command", report.command.clone(), true),
        ],
        tables_title: "More numbers",
        replay: None,
        origin: String::new(),
    }
}

fn called(of: &Number) -> Map<String, Json> {
    let mut names = Map::new();
    names.insert("number".to_owned(), json!(of.name()));
    names.insert("path".to_owned(), json!(of.path.to_string()));
    names.insert("place".to_owned(), json!(of.place()));
    names.insert("varied".to_owned(), json!(of.varied));
    names.insert("pack".to_owned(), json!(of.pack));
    names.insert("value".to_owned(), number(of.value));
    names.insert("pip".to_owned(), number(of.pip));
    names
}

fn to_json(report: &Report<'_>) -> Json {
    let (study, found, choice) = (report.study, report.found, report.choice);
    let step = |step: &Option<Step>| {
        step.as_ref().map(|step| {
            let of_cell = |(cell, effect): (&grognard_lab::results::CellHeader, &Estimate)| {
                json!({ "cell": cell.cell, "mean": effect.point, "low": effect.low, "high": effect.high })
            };
            json!({
                "value": number(step.value),
                "set": step.set,
                "runs": step.battles,
                "otherwise": step.otherwise,
                "effect": estimate(&step.effect),
                "together": estimate(&step.together),
                "p": step.p,
                "corrected_p": step.corrected_p,
                "cells": found.cells.iter().zip(&step.cells).map(of_cell).collect::<Vec<_>>(),
            })
        })
    };
    let moved: Vec<Json> = found
        .moved
        .iter()
        .map(|moved| {
            let mut row = called(&moved.number);
            row.insert("down".to_owned(), json!(step(&moved.steps[0])));
            row.insert("up".to_owned(), json!(step(&moved.steps[1])));
            Json::Object(row)
        })
        .collect();
    let global = report.global.map(|global| {
        let row = |row: &GlobalRow| {
            let mut object = called(&row.ranged.number);
            for (key, value) in [
                ("low", number(row.ranged.low)),
                ("high", number(row.ranged.high)),
                ("effects", json!(row.effects.measured)),
                ("changed", json!(row.effects.changed)),
                ("size", estimate(&row.effects.size)),
                ("mean", estimate(&row.effects.mean)),
                ("spread", json!(row.effects.spread)),
                ("noise", json!(row.effects.noise)),
            ] {
                object.insert(key.to_owned(), value);
            }
            Json::Object(object)
        };
        json!({
            "ways": global.ways,
            "combinations": global.combinations,
            "refused": global.refused,
            "battles": global.fought,
            "numbers": global.rows.iter().map(row).collect::<Vec<_>>(),
        })
    });
    json!({
        "study": study.header.name,
        "pack": study.pack.name,
        "method": "sensitivity",
        "seed": study.seed,
        "command": report.command,
        "metric": report.inquiry.quantity.name,
        "cells": found.cells.iter().map(|cell| json!({ "cell": cell.cell, "label": cell.label })).collect::<Vec<_>>(),
        "runs": found.battles,
        "looked": found.looked,
        "battles": found.fought,
        "level": found.level.get(),
        "guarantee": guarantee(report),
        "corrected_level": found.corrected.get(),
        "answer": estimate(&found.base),
        "numbers": {
            "all": choice.all,
            "varied": choice.varied,
            "absent": choice.absent,
            "unreached": choice.unreached,
            "used": choice.numbers.len(),
            "still": found.still,
            "untried": found.untried.iter().map(Number::name).collect::<Vec<_>>(),
            "fixed": found.fixed.iter().map(Number::name).collect::<Vec<_>>(),
        },
        "moved": moved,
        "global": global,
    })
}

/// The guarantee of the intervals, with the names that they have in JSON.
fn guarantee(report: &Report<'_>) -> String {
    let level = 100.0 * report.found.level.get();
    let changes = plural(report.found.changes as u64, "change");
    let global = match report.global {
        Some(_) => {
            " The effects of several numbers at once (`global`) use a normal approximation, each by itself; it is too narrow where \
             `changed`, the number of battles that changed, is below 100."
        }
        None => "",
    };
    format!(
        "{level} % for {changes} together (`together`), and likewise for {changes} in every cell (`cells`); the answer and each \
         `effect` have intervals of their own.{global}"
    )
}

/// A line for each change and, when several numbers vary, one for each number's mean effect over its range.
fn to_csv(report: &Report<'_>) -> Result<String, Failure> {
    let headings = [
        "kind",
        "number",
        "value",
        "from",
        "to",
        "effect",
        "low",
        "high",
        "together_low",
        "together_high",
        "p",
        "corrected_p",
        "otherwise",
        "runs",
        "size",
        "size_low",
        "size_high",
        "spread",
        "noise",
    ];
    let text = |value: f64| value.to_string();
    let mut lines = vec![headings.map(str::to_owned).to_vec()];
    for moved in &report.found.moved {
        for step in moved.steps.iter().flatten() {
            let (effect, together) = (&step.effect, &step.together);
            let value = written_as(moved.number.value);
            let mut fields = vec!["pip".to_owned(), moved.number.name(), value.clone(), value, written_as(step.value)];
            fields.extend([effect.point, effect.low, effect.high, together.low, together.high].map(text));
            fields.extend([step.p, step.corrected_p].map(text));
            fields.extend([step.otherwise.to_string(), step.battles.to_string()]);
            fields.extend(std::iter::repeat_n(String::new(), 5));
            lines.push(fields);
        }
    }
    for row in report.global.iter().flat_map(|global| &global.rows) {
        let (ranged, none) = (&row.ranged, String::new);
        let mut fields = vec!["range".to_owned(), ranged.number.name()];
        fields.extend([ranged.number.value, ranged.low, ranged.high].map(written_as));
        fields.extend([row.effects.mean.point, row.effects.mean.low, row.effects.mean.high].map(text));
        fields.extend([none(), none(), none(), none(), none(), report.found.battles.to_string()]);
        fields.extend(
            [
                row.effects.size.point,
                row.effects.size.low,
                row.effects.size.high,
                row.effects.spread,
                row.effects.noise,
            ]
            .map(text),
        );
        lines.push(fields);
    }
    records(lines).map_err(|error| Failure::unfinished(format!("cannot write the numbers as CSV: {error}")))
}
