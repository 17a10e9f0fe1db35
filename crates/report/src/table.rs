//! The table of all cells, with every interval.

use grognard_lab::results::{CellHeader, Expectation, Judged, Kind, Method, TURNS, WIN};
use grognard_lab::{BySide, Side};
use grognard_stats::{Estimate, worth};

use crate::reading::Reading;
use crate::text::{capitalised, counted, spaced};

/// A table of text. The first column names the row.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Table {
    /// What it holds.
    pub caption: String,
    /// Names of the columns.
    pub head: Vec<String>,
    /// Rows of as many fields.
    pub rows: Vec<Vec<String>>,
}

/// What is left empty: a cell that has no such number.
const NONE: &str = "–";

/// Who won how often in each cell, and against the baseline.
pub(crate) fn outcomes(reading: &Reading<'_>) -> Table {
    let manifest = &reading.results.manifest;
    let sides = reading.sides().map(|side| capitalised(&side));
    let compared = !reading.comparisons(Some(reading.victor), WIN).is_empty();
    let mut head = vec!["Cell".to_owned()];
    // Cells that the study has named say more by their names than by what they set.
    let named = reading.names.labelled;
    if named {
        head.push("Name".to_owned());
    } else {
        head.extend(manifest.vary.iter().map(|varied| capitalised(&reading.names.path(&varied.path))));
    }
    head.extend([
        "Battles".to_owned(),
        format!("{} wins", sides.first),
        "Drawn".to_owned(),
        format!("{} wins", sides.second),
    ]);
    if compared {
        head.push(format!("{}’s wins against the baseline", sides[reading.victor]));
    }
    let paired = compared && manifest.method == Method::Sampled;
    if paired {
        head.push("Same dice worth".to_owned());
    }
    let row = |cell: &CellHeader| {
        let mut row = vec![cell.cell.to_string()];
        if named {
            row.push(reading.names.cell(cell));
        } else {
            row.extend(manifest.vary.iter().map(|varied| {
                let setting = cell.vary.iter().find(|setting| setting.path == varied.path);
                setting.map_or_else(|| NONE.to_owned(), |setting| spaced(&setting.value.text))
            }));
        }
        let wins = BySide::from_fn(|side| reading.wins(cell, side));
        let percent = |share: Option<grognard_stats::Estimate>| share.map_or(NONE.to_owned(), |share| share.percent());
        let runs = wins.first.map_or(0, |wins| wins.runs);
        row.extend([
            if runs == 0 { NONE.to_owned() } else { counted(runs) },
            percent(wins.first),
            percent(reading.draws(cell)),
            percent(wins.second),
        ]);
        if compared {
            let difference = reading.results.difference(cell.cell, Some(reading.victor), WIN);
            let baseline = cell.baseline == Some(cell.cell);
            let none = if baseline { "baseline" } else { NONE };
            row.push(difference.map_or_else(|| none.to_owned(), |row| row.estimate().points()));
            if paired {
                row.push(worth(difference.and_then(|row| row.variance_ratio)));
            }
        }
        row
    };
    let mut caption = "Outcomes of every cell, with intervals in brackets".to_owned();
    if paired {
        let all = reading
            .worth(reading.victor)
            .map_or_else(String::new, |times| format!("; over all comparisons {}", worth(Some(1.0 / times))));
        caption.push_str(&format!(
            ". The same dice in a cell and its baseline are worth so many times the battles of cells that have nothing to do with \
             each other (the variance of their difference over its variance in pairs){all}"
        ));
    }
    Table { caption, head, rows: reading.cells().iter().map(row).collect() }
}

/// The turn of the first rout counts as 0 in battles without one: its mean says nothing, and a chart shows when.
const WITHOUT_MEAN: &str = "rout-turn";

/// Turns and the metrics of each side in each cell.
pub(crate) fn metrics(reading: &Reading<'_>) -> Table {
    let manifest = &reading.results.manifest;
    let sides = reading.sides();
    let mut keys: Vec<(Option<Side>, &str)> = vec![(None, TURNS)];
    let mut head = vec!["Cell".to_owned(), "Name".to_owned(), "Turns fought".to_owned()];
    for metric in manifest.metrics.iter().filter(|metric| metric.key != WITHOUT_MEAN) {
        for side in Side::BOTH {
            keys.push((Some(side), &metric.key));
            head.push(format!("{}: {}", capitalised(&sides[side]), metric.title));
        }
    }
    let row = |cell: &CellHeader| {
        let mut row = vec![cell.cell.to_string(), reading.names.cell(cell)];
        row.extend(keys.iter().map(|&(side, metric)| match reading.results.estimate(cell.cell, side, metric) {
            Some(row) if row.kind == Kind::Share => row.estimate().percent(),
            Some(row) => row.estimate().plain(),
            None => NONE.to_owned(),
        }));
        row
    };
    let caption = "Means and shares of what each battle counted, with intervals in brackets".to_owned();
    Table { caption, head, rows: reading.cells().iter().map(row).collect() }
}

/// The odds that the study expects, beside what was found; none if it expects none.
pub(crate) fn expected(reading: &Reading<'_>) -> Option<Table> {
    let manifest = &reading.results.manifest;
    let row = |judged: Judged<'_>| {
        let Judged { expected, odds, found, agrees } = judged;
        let cell = manifest.cells.get(expected.cell as usize)?;
        let is_mean = matches!(expected.of, Expectation::Mean(_));
        let number = if is_mean { odds.to_string() } else { Estimate::computed(odds).percent_point() };
        let number = if expected.rounded {
            number
        } else {
            format!("{}/{} = {number}", expected.numerator, expected.denominator)
        };
        Some(vec![
            reading.names.cell(cell),
            spaced(&expected.of.to_string()),
            number,
            if is_mean { found.plain() } else { found.percent() },
            if agrees { "yes" } else { "no" }.to_owned(),
            expected.source.clone(),
        ])
    };
    let rows: Vec<_> = reading.results.judged().into_iter().filter_map(row).collect();
    let head = ["Cell", "Of", "Expected", "Found", "Agrees", "Source"].map(str::to_owned).into();
    let all = if rows.len() > 1 { format!(", all {} judged together", rows.len()) } else { String::new() };
    let caption = format!("Expected odds{all}: were they right, one study in a hundred would still have a “no”");
    (!rows.is_empty()).then_some(Table { caption, head, rows })
}
