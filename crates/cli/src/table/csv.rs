//! Results as comma-separated values: a line for each cell.

use std::io;

use grognard_lab::results::column_name;
use serde_json::{Map, Value as Json};

/// The cells of a run's JSON object as lines under a heading. A line has the cell, its values of the study's varied
/// paths, its battles, and each outcome and metric with the limits of its interval. `varied` lists those
/// paths with their columns in the files of a results folder; all other columns also have the names from those files. A
/// value that only other parts of the study vary is empty.
///
/// # Errors
///
/// Only those of the writer, which writes to memory.
pub(crate) fn csv(run: &Json, varied: &[(&str, String)]) -> io::Result<String> {
    let cells: Vec<&Map<String, Json>> =
        run["cells"].as_array().into_iter().flatten().filter_map(Json::as_object).collect();
    let headings = cells.first().map(|first| fields(first, varied).into_iter().map(|(heading, _)| heading).collect());
    let rows = cells.iter().map(|cell| fields(cell, varied).into_iter().map(|(_, value)| value).collect());
    records(headings.into_iter().chain(rows))
}

/// Records as CSV, one per line.
///
/// # Errors
///
/// Only those of the writer, which writes to memory.
pub(crate) fn records(records: impl IntoIterator<Item = Vec<String>>) -> io::Result<String> {
    let mut writer = csv::Writer::from_writer(Vec::new());
    records.into_iter().try_for_each(|record| writer.write_record(record))?;
    let bytes = writer.into_inner().map_err(|error| io::Error::other(error.to_string()))?;
    String::from_utf8(bytes).map_err(io::Error::other)
}

/// A cell's line, with the headings.
fn fields(cell: &Map<String, Json>, varied: &[(&str, String)]) -> Vec<(String, String)> {
    let mut fields = vec![("cell".to_owned(), text(&cell["cell"]))];
    let of = |key: &str| cell[key].as_object().into_iter().flatten();
    fields.extend(varied.iter().map(|(path, column)| (column.clone(), text(&cell["vary"][*path]))));
    fields.push(("runs".to_owned(), text(&cell["runs"])));
    for (group, called) in [("outcomes", ".win"), ("metrics", "")] {
        for (key, value) in of(group) {
            let name = column_name(&if key == "draw" { key.clone() } else { format!("{key}{called}") });
            let ends = [("", "mean"), ("_low", "low"), ("_high", "high")];
            fields.extend(ends.map(|(end, key)| (format!("{name}{end}"), text(&value[key]))));
        }
    }
    fields
}

fn text(value: &Json) -> String {
    match value {
        Json::Null => String::new(),
        Json::String(text) => text.clone(),
        value => value.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_cell_is_a_line_and_names_with_commas_are_quoted() {
        let share = json!({ "count": 3, "mean": 0.5, "low": 0.25, "high": 0.75 });
        let cell = json!({
            "cell": 0, "vary": { "red.0.type": "guard, old", "red.0.figures": 9 }, "runs": 6,
            "outcomes": { "red": share, "draw": share },
            "metrics": {
                "turns": { "mean": 2.5, "low": 2.0, "high": 3.0 },
                "red.rout_turn": { "mean": null, "low": null, "high": null },
            },
        });
        let varied = [("red.0.type", "red_0_type"), ("red.0.figures", "red_0_figures")];
        let varied = varied.map(|(path, column)| (path, column.to_owned()));
        let text = csv(&json!({ "cells": [cell] }), &varied).expect("memory can be written");
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!(
            lines,
            [
                "cell,red_0_type,red_0_figures,runs,red_win,red_win_low,red_win_high,draw,draw_low,draw_high,\
                 turns,turns_low,turns_high,red_rout_turn,red_rout_turn_low,red_rout_turn_high",
                "0,\"guard, old\",9,6,0.5,0.25,0.75,0.5,0.25,0.75,2.5,2.0,3.0,,,",
            ]
        );
        assert_eq!(csv(&json!({ "cells": [] }), &varied).expect("memory can be written"), "");
    }

    #[test]
    fn what_other_parts_of_a_study_vary_is_empty() {
        let cell = |number: u32, path: &str, value: u32| {
            let vary = json!({ path: value });
            json!({ "cell": number, "vary": vary, "runs": 6, "outcomes": {}, "metrics": {} })
        };
        let run = json!({ "cells": [cell(0, "turns", 3), cell(1, "distance", 8)] });
        let text = csv(&run, &[("turns", "vary_turns".to_owned()), ("distance", "distance".to_owned())])
            .expect("memory can be written");
        assert_eq!(text, "cell,vary_turns,distance,runs\n0,3,,6\n1,,8,6\n");
    }
}
