//! The table of all cells, with every interval.

use grognard_lab::Side;
use grognard_lab::results::{CellHeader, DRAW, Expectation, Judged, Kind, Method, TURNS, WIN};
use grognard_stats::{Estimate, worth};

use crate::reading::Reading;
use crate::text::{InPrint, capitalised, counted, spaced};

/// A table of text. The first column names the row.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Table {
    /// A description of its contents.
    pub caption: String,
    /// Names of the columns.
    pub head: Vec<String>,
    /// Rows, each with one field per column.
    pub rows: Vec<Vec<String>>,
}

/// The text shown where a cell does not have the number.
pub(crate) const NONE: &str = "–";

/// How often each side won in each cell, with the difference from the baseline.
pub(crate) fn outcomes(reading: &Reading<'_>) -> Table {
    let manifest = &reading.results.manifest;
    let sides = reading.sides().map(|side| capitalised(&side));
    let compared = !reading.comparisons(Some(reading.victor), WIN).is_empty();
    let mut head = vec!["Cell".to_owned()];
    // If the study names its cells, the names say more than the settings.
    let named = reading.names.labelled;
    if named {
        head.push("Name".to_owned());
    } else {
        head.extend(manifest.vary.iter().map(|varied| capitalised(&reading.names.path(&varied.path))));
    }
    head.push("Battles".to_owned());
    head.extend(of_verdicts(sides.count(), "Drawn".to_owned(), |side| format!("{} wins", sides[side])));
    if compared {
        head.push(format!("{}’s wins against the baseline, points", sides[reading.victor]));
    }
    let paired = compared && manifest.method == Method::Sampled;
    if paired {
        head.push("Gain from the same dice".to_owned());
    }
    let row = |cell: &CellHeader| {
        let mut row = vec![cell.cell.to_string()];
        if named {
            row.push(reading.names.cell(cell));
        } else {
            row.extend(manifest.vary.iter().map(|varied| {
                let setting = cell.vary.iter().find(|setting| setting.path == varied.path);
                setting.map_or_else(|| NONE.to_owned(), |setting| reading.names.value(&setting.path, &setting.value))
            }));
        }
        let percent =
            |share: Option<grognard_stats::Estimate>| share.map_or(NONE.to_owned(), |share| share.share_range());
        let runs = reading.wins(cell, Side::First).map_or(0, |wins| wins.runs);
        row.push(if runs == 0 { NONE.to_owned() } else { counted(runs) });
        row.extend(of_verdicts(sides.count(), percent(reading.draws(cell)), |side| percent(reading.wins(cell, side))));
        if compared {
            let difference = reading.results.difference(cell.cell, Some(reading.victor), WIN);
            row.push(against(reading, cell));
            if paired {
                row.push(worth(difference.and_then(|row| row.variance_ratio)));
            }
        }
        row
    };
    let mut caption = format!("Outcomes of every cell, {}", certainty(reading));
    if paired {
        let all = reading
            .worth(reading.victor)
            .map_or_else(String::new, |times| format!("; over all comparisons {}", worth(Some(1.0 / times))));
        caption.push_str(&format!(
            ". ×N: independent dice would need N times as many battles \
             (the variance of the unpaired difference divided by that of the paired one){all}"
        ));
    }
    Table { caption, head, rows: reading.cells().iter().map(row).collect() }
}

/// The cells asked about: how often each side won, the difference from the baseline, and the study's headline metric.
pub(crate) fn asked(reading: &Reading<'_>) -> Table {
    let asked = reading.asked_about();
    let sides = reading.sides().map(|side| capitalised(&side));
    let headline = reading.headline;
    let compared = asked.iter().any(|cell| reading.results.difference(cell.cell, Some(reading.victor), WIN).is_some());
    let other = ![WIN, DRAW].contains(&headline.metric);
    let mut head = vec!["Cell".to_owned(), String::new()];
    head.extend(of_verdicts(sides.count(), "Drawn".to_owned(), |side| format!("{} wins", sides[side])));
    if compared {
        head.push("Against the baseline, points".to_owned());
    }
    if other {
        head.push(metric_name(reading, headline.side, headline.metric));
    }
    let row = |cell: &&CellHeader| {
        let share = |share: Option<Estimate>| share.map_or_else(|| NONE.to_owned(), |share| share.share_range());
        let name = headline.cell.map_or_else(|| reading.names.cell(cell), |lead| reading.names.among(cell, lead));
        let mut row = vec![cell.cell.to_string(), name];
        row.extend(of_verdicts(sides.count(), share(reading.draws(cell)), |side| share(reading.wins(cell, side))));
        if compared {
            row.push(against(reading, cell));
        }
        if other {
            row.push(estimate(reading, cell, headline.side, headline.metric));
        }
        row
    };
    let all = reading.cells().len();
    let shared = headline.cell.filter(|_| !reading.names.labelled && all > asked.len());
    let shared = shared.map(|cell| reading.names.outer(cell)).filter(|words| !words.is_empty());
    let of = if all > asked.len() { format!("; {} of {all} cells", asked.len()) } else { String::new() };
    let caption = match shared {
        Some(shared) => format!("{}, {}{of}", capitalised(&shared), certainty(reading)),
        None => format!("The cells in question, {}{of}", certainty(reading)),
    };
    Table { caption, head, rows: asked.iter().map(row).collect() }
}

/// The text for each side's wins and for draws, in the order of columns. With two sides, draws go between them; with
/// more, draws go last.
fn of_verdicts(sides: usize, draws: String, wins: impl Fn(Side) -> String) -> Vec<String> {
    let mut found: Vec<String> = Side::first(sides).iter().map(|&side| wins(side)).collect();
    found.insert(if sides == 2 { 1 } else { sides }, draws);
    found
}

/// A cell's wins compared with its baseline.
fn against(reading: &Reading<'_>, cell: &CellHeader) -> String {
    match reading.results.difference(cell.cell, Some(reading.victor), WIN) {
        // The two cells have the same battles, so there is nothing to estimate.
        Some(row) => match reading.sameness(cell) {
            Some(same) => format!("0, {same}"),
            None => row.estimate().points_range(),
        },
        None if cell.baseline == Some(cell.cell) => "baseline".to_owned(),
        None => NONE.to_owned(),
    }
}

/// A metric with its side in words.
pub(crate) fn metric_name(reading: &Reading<'_>, side: Option<Side>, key: &str) -> String {
    let title = reading.results.manifest.metrics.iter().find(|metric| metric.key == key);
    match (side, title) {
        (None, _) => "Turns fought".to_owned(),
        (Some(side), title) => {
            format!("{}: {}", capitalised(&reading.sides()[side]), title.map_or(key, |metric| &metric.title))
        }
    }
}

/// A metric of a cell.
fn estimate(reading: &Reading<'_>, cell: &CellHeader, side: Option<Side>, metric: &str) -> String {
    match reading.results.estimate(cell.cell, side, metric) {
        Some(row) if row.kind == Kind::Share => row.estimate().share_range(),
        Some(row) => row.estimate().mean_range(),
        None => NONE.to_owned(),
    }
}

/// The metrics that a chart shows turn by turn, so the table omits them.
const IN_A_CHART: [&str; 2] = ["ever_routed", "rout_turn"];

/// Turns and the metrics of each side in each cell.
pub(crate) fn metrics(reading: &Reading<'_>) -> Table {
    let manifest = &reading.results.manifest;
    let mut keys: Vec<(Option<Side>, &str)> = vec![(None, TURNS)];
    let mut head = vec!["Cell".to_owned(), "Name".to_owned(), "Turns fought".to_owned()];
    for metric in manifest.metrics.iter().filter(|metric| !IN_A_CHART.contains(&metric.key.as_str())) {
        for &side in Side::first(manifest.sides.len()) {
            keys.push((Some(side), &metric.key));
            head.push(metric_name(reading, Some(side), &metric.key));
        }
    }
    let row = |cell: &CellHeader| {
        let mut row = vec![cell.cell.to_string(), reading.names.cell(cell)];
        row.extend(keys.iter().map(|&(side, metric)| estimate(reading, cell, side, metric)));
        row
    };
    let caption = format!("Means and shares of the other metrics, {}", certainty(reading));
    Table { caption, head, rows: reading.cells().iter().map(row).collect() }
}

/// The odds that the study expects, next to those found; `None` if it does not expect any.
pub(crate) fn expected(reading: &Reading<'_>) -> Option<Table> {
    let manifest = &reading.results.manifest;
    let row = |judged: Judged<'_>| {
        let Judged { expected, odds, found, agrees } = judged;
        let cell = manifest.cell(expected.cell)?;
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
            if is_mean { found.mean_range() } else { found.share_range() },
            if agrees { "yes" } else { "no" }.to_owned(),
            expected.source.clone(),
        ])
    };
    let rows: Vec<_> = reading.results.judged().into_iter().filter_map(row).collect();
    let head = ["Cell", "Of", "Expected", "Found", "Agrees", "Source"].map(str::to_owned).into();
    let all = if rows.len() > 1 { format!(", all {} judged together", rows.len()) } else { String::new() };
    let caption = format!("Expected odds{all}: even if all are right, one study in a hundred shows a “no”");
    (!rows.is_empty()).then_some(Table { caption, head, rows })
}

/// The precision of the numbers, in words for a caption.
fn certainty(reading: &Reading<'_>) -> &'static str {
    match reading.results.manifest.method {
        Method::Exact => "exact",
        Method::Sampled => "with intervals in brackets",
    }
}
