//! The result of a search, in words and numbers.

use grognard_lab::questions::{Crossing, FoundCell, Provenance, Reach, Tried};
use grognard_lab::study::written_as;
use grognard_report::Chart;
use grognard_report::charts::{ChartData, Curve, CurveLine, CurvePanel, CurvePoint, SERIES_MAX};
use grognard_stats::{Estimate, decimals};
use serde_json::Value as Json;

use super::Report;
use crate::answer::Answer;
use crate::command::asking::promise;
use crate::study::metric_name;
use crate::table::Column;
use crate::text::{as_title, capitalised, counted, plural, series, thousandths, true_minus};

/// The maximum number of panels of a chart.
const PANELS: usize = 12;

impl Report<'_> {
    /// The answer in every form.
    pub(super) fn answer(&self) -> Answer {
        Answer {
            name: "find",
            title: self.study.header.title.clone(),
            asked: format!(
                "Which value of {} gives {}? It is now {}",
                self.search.number.name(),
                self.wanted(),
                thousandths(self.search.number.value)
            ),
            fought: self.fought(),
            sentences: self.sentences(),
            columns: self.columns(),
            more: Vec::new(),
            legend: self.legend(),
            json: self.json(),
            records: self.records(),
            chart: self.chart(),
            command: self.command.clone(),
        }
    }

    /// The target, in words: `an even battle`, `defender wins of 60 %`.
    fn wanted(&self) -> String {
        if self.search.demand.is_even() {
            return "an even battle".to_owned();
        }
        format!("{} of {}", self.metric(), self.target())
    }

    /// The metric's name: `defender wins`.
    fn metric(&self) -> String {
        metric_name(&self.search.demand.quantity)
    }

    fn target(&self) -> String {
        let value = self.search.demand.value;
        let digits = |number: f64| {
            let text = format!("{number:.4}");
            text.trim_end_matches('0').trim_end_matches('.').to_owned()
        };
        if self.search.demand.quantity.share { format!("{} %", digits(100.0 * value)) } else { digits(value) }
    }

    fn fought(&self) -> String {
        let cells = plural(self.found.cells.len() as u64, "cell");
        let pack = self.study.pack_line();
        match self.search.exact {
            Some(_) => format!("{cells}, exact, {pack}"),
            None => {
                format!("{cells}, {} in all, seed {}, {pack}", plural(self.found.fought, "battle"), self.study.seed)
            }
        }
    }

    /// The smallest and the largest value tried.
    fn span(&self) -> Option<(i64, i64)> {
        let values = || self.found.cells.iter().flat_map(|cell| &cell.tried).map(|tried| tried.value);
        values().min().zip(values().max())
    }

    fn share(&self, metric: &Estimate) -> String {
        if self.search.demand.quantity.share { metric.percent() } else { metric.plain() }
    }

    fn nearest<'f>(&self, cell: &'f FoundCell) -> Option<&'f Crossing> {
        cell.nearest(self.search.number.value)
    }

    fn reach(&self, cell: &FoundCell) -> Reach {
        self.search.reach_of(cell, self.found)
    }

    /// The values at which it is unclear whether a cell lies above or below the target: `20`, `from 18 to 22`.
    fn open(&self, cell: &FoundCell) -> String {
        let values: Vec<i64> = self.search.open(cell).iter().map(|tried| tried.value).collect();
        match values.as_slice() {
            [] => String::new(),
            [only] => thousandths(*only),
            [first, .., last] => format!("from {} to {}", thousandths(*first), thousandths(*last)),
        }
    }

    /// The cells with this result, in words: `in cell 18`, `in 3 cells`; `None` if there are none; empty if the search
    /// has only one cell.
    fn cells_with(&self, reach: Reach) -> Option<String> {
        let cells: Vec<&FoundCell> = self.found.cells.iter().filter(|cell| self.reach(cell) == reach).collect();
        match cells.as_slice() {
            [] => None,
            [_] if self.found.cells.len() == 1 => Some(String::new()),
            [only] => Some(format!(" in cell {} ({})", only.header.cell, only.header.label)),
            several => Some(format!(" in {}", plural(several.len() as u64, "cell"))),
        }
    }

    /// On which side of its target the metric always lies, if it is the same in all cells that never reach it.
    fn never(&self) -> String {
        let cells = || self.found.cells.iter().filter(|cell| self.reach(cell) == Reach::Never);
        let sides = || cells().map(|cell| self.beside_target(cell));
        let side = match (sides().all(|(below, _)| below.is_some()), sides().all(|(_, above)| above.is_some())) {
            (true, _) => "below",
            (_, true) => "above",
            _ => return String::new(),
        };
        format!(": {} is always {side} {}", self.metric(), self.target())
    }

    fn sentences(&self) -> Vec<String> {
        let cells = &self.found.cells;
        let crossed: Vec<(&FoundCell, &Crossing)> =
            cells.iter().filter_map(|cell| Some((cell, self.nearest(cell)?))).collect();
        let Some((low, high)) = self.span() else {
            return vec!["The search was stopped before any value was tried.".to_owned()];
        };
        let range = format!("from {} to {}", thousandths(low), thousandths(high));
        let mut sentences = Vec::new();
        match crossed.as_slice() {
            [] => {}
            [(cell, crossing)] => {
                let place = if cells.len() > 1 {
                    format!(" in cell {} ({})", cell.header.cell, cell.header.label)
                } else {
                    String::new()
                };
                let (at, metric) = (self.at(crossing), self.metric());
                let beside = self.beside(crossing);
                sentences.push(format!("{} takes {at}{place}: {metric} is {beside}.", capitalised(&self.wanted())));
            }
            several => {
                let by = |one: &&&Crossing, other: &&&Crossing| one.at.value.total_cmp(&other.at.value);
                let crossings = || several.iter().map(|(_, crossing)| crossing);
                let ends = crossings().min_by(by).zip(crossings().max_by(by));
                let [one, other] = ends.map_or_else(Default::default, |(least, most)| [self.at(least), self.at(most)]);
                let values =
                    if one == other { one } else { format!("between {one} and {other}, depending on the cell") };
                sentences.push(format!("{} takes {values}.", capitalised(&self.wanted())));
            }
        }
        if let Some(cells) = self.cells_with(Reach::Met) {
            sentences.push(format!("{} is reached{cells}, but not crossed.", capitalised(&self.wanted())));
        }
        if let Some(cells) = self.cells_with(Reach::Never) {
            sentences.push(format!("No value {range} gives {}{cells}{}.", self.wanted(), self.never()));
        }
        if let Some(cells) = self.cells_with(Reach::Undecided) {
            let (metric, target) = (self.metric(), self.target());
            sentences.push(format!(
                "Undecided{cells}: these battles do not show on which side of {target} {metric} lies at every value \
                 {range}; more battles (--runs) may settle it."
            ));
        }
        let again = cells.iter().filter(|cell| cell.crossings.len() > 1).count();
        if again > 0 {
            let more = plural(again as u64, "cell");
            let nearest = "the table shows the one nearest to the current value";
            sentences.push(format!("In {more}, more than one value meets the target; {nearest}."));
        }
        if cells.iter().all(|cell| still(&cell.tried)) {
            sentences.push("The number has no visible effect in these cells.".to_owned());
        }
        if self.found.stopped {
            sentences.push(
                "The search was stopped; its results are valid, but more battles would make them more precise."
                    .to_owned(),
            );
        }
        sentences
    }

    /// The metric at the neighbours of a crossing.
    fn beside(&self, crossing: &Crossing) -> String {
        let mut points: Vec<&Tried> = crossing.even.iter().chain([&crossing.below, &crossing.above]).collect();
        points.sort_by_key(|point| point.value);
        let told = |point: &&Tried| format!("{} at {}", self.share(&point.metric), thousandths(point.value));
        points.iter().map(told).collect::<Vec<_>>().join(", ")
    }

    /// The position of a crossing, with its interval.
    fn at(&self, crossing: &Crossing) -> String {
        let at = crossing.at;
        let half_width = (at.high - at.value).max(at.value - at.low);
        let one = |value: f64| rounded(value, half_width);
        if self.search.exact.is_some() {
            one(at.value)
        } else {
            format!("{} ({} to {})", one(at.value), one(at.low), one(at.high))
        }
    }

    /// The values next to a crossing at which the metric is clearly below and above its target. If it never reaches the
    /// target, only one of them: the value at which it comes nearest.
    fn beside_target<'f>(&self, cell: &'f FoundCell) -> (Option<&'f Tried>, Option<&'f Tried>) {
        let target = self.search.demand.value;
        match (self.nearest(cell), self.reach(cell)) {
            (Some(crossing), _) => (Some(&crossing.below), Some(&crossing.above)),
            (None, Reach::Never) => {
                let away = |tried: &&Tried| (tried.metric.point - target).abs();
                let nearest = cell.tried.iter().min_by(|one, other| away(one).total_cmp(&away(other)));
                (
                    nearest.filter(|tried| tried.metric.point < target),
                    nearest.filter(|tried| tried.metric.point > target),
                )
            }
            (None, _) => (None, None),
        }
    }

    fn columns(&self) -> Vec<Column> {
        let cells = &self.found.cells;
        let point = |tried: Option<&Tried>| match tried {
            Some(tried) => format!("{}: {}", thousandths(tried.value), self.share(&tried.metric)),
            None => "–".to_owned(),
        };
        let column =
            |head: &str, text: &dyn Fn(&FoundCell) -> String| Column::new(head, cells.iter().map(text).collect());
        let mut columns = vec![
            column("cell", &|cell| cell.header.cell.to_string()).right(),
            column("reached at", &|cell| {
                let crossed = self.nearest(cell).map(|crossing| self.at(crossing));
                crossed.unwrap_or_else(|| match self.reach(cell) {
                    Reach::Met => self.open(cell),
                    Reach::Undecided => "undecided".to_owned(),
                    Reach::Found | Reach::Never => "never".to_owned(),
                })
            }),
            column("below", &|cell| point(self.beside_target(cell).0)),
        ];
        let even = |cell: &FoundCell| match (self.nearest(cell), self.reach(cell)) {
            (Some(crossing), _) => crossing.even.iter().map(|tried| point(Some(tried))).collect::<Vec<_>>().join("; "),
            (None, Reach::Undecided) => self.open(cell),
            (None, _) => String::new(),
        };
        if cells.iter().any(|cell| !even(cell).is_empty()) {
            columns.push(column("unclear", &even));
        }
        columns.push(column("above", &|cell| point(self.beside_target(cell).1)));
        columns.push(column("name", &|cell| cell.header.label.clone()));
        columns
    }

    fn legend(&self) -> Vec<String> {
        let mut legend = vec![format!(
            "below, above: the nearest values at which {} is clearly below and above {}; reached at: where the line \
             through the \
             points crosses it.",
            self.metric(),
            self.target()
        )];
        legend.push(self.guarantee());
        if !self.found.refused.is_empty() {
            legend.push(format!("The rules do not allow {}.", self.refused()));
        }
        legend
    }

    /// The values that the rules do not allow: those below all values tried, those above, and those in between.
    fn refused(&self) -> String {
        let (low, high) = self.span().unwrap_or((i64::MAX, i64::MAX));
        let refused = &self.found.refused;
        let of = |within: &dyn Fn(i64) -> bool| refused.iter().copied().filter(|&value| within(value)).collect();
        let parts: [Vec<i64>; 3] =
            [of(&|value| value < low), of(&|value| value > low && value < high), of(&|value| value > high)];
        let told = |part: &Vec<i64>| match part.as_slice() {
            [] => None,
            [only] => Some(format!("the value {}", thousandths(*only))),
            [first, .., last] => {
                let count = counted(part.len() as u64);
                Some(format!("{count} values from {} to {}", thousandths(*first), thousandths(*last)))
            }
        };
        series(&parts.iter().filter_map(told).collect::<Vec<_>>(), "and")
    }

    /// The guarantee, in one sentence.
    fn guarantee(&self) -> String {
        match self.search.exact {
            Some(_) => "All shares are computed exactly, except for rounding.".to_owned(),
            None => promise(self.search.level, self.found.intervals, "values"),
        }
    }

    fn json(&self) -> Json {
        let words = Provenance { guarantee: self.guarantee(), command: self.command.clone() };
        self.search.json(self.study, self.found, &words)
    }

    /// A line for each value of each cell.
    fn records(&self) -> Vec<Vec<String>> {
        let head = [
            "cell",
            "label",
            "value",
            "metric",
            "low",
            "high",
            "runs",
            "crossing",
            "crossing.low",
            "crossing.high",
            "state",
        ];
        let mut records = vec![head.map(str::to_owned).to_vec()];
        for cell in &self.found.cells {
            let at = self.nearest(cell).map(|crossing| crossing.at);
            let at = at.map_or_else(Default::default, |at| [at.value, at.low, at.high].map(|value| value.to_string()));
            for tried in &cell.tried {
                let Estimate { point, low, high, runs, .. } = tried.metric;
                let mut record = vec![cell.header.cell.to_string(), cell.header.label.clone(), written_as(tried.value)];
                record.extend([point, low, high].map(|value| value.to_string()));
                record.push(runs.to_string());
                record.extend(at.clone());
                record.push(self.reach(cell).name().to_owned());
                records.push(record);
            }
        }
        records
    }

    fn chart(&self) -> Option<Chart> {
        let line = |cell: &FoundCell| {
            let point = |tried: &Tried| CurvePoint {
                cell: cell.header.cell,
                value: tried.value as f64 / 1e3,
                metric: tried.metric,
            };
            CurveLine { name: cell.header.label.clone(), points: cell.tried.iter().map(point).collect() }
        };
        let lines: Vec<CurveLine> = self.found.cells.iter().map(line).filter(|line| line.points.len() > 1).collect();
        let panels = lines.chunks(SERIES_MAX);
        let of = panels.len();
        if lines.is_empty() || of > PANELS {
            return None;
        }
        let panel = |(nth, lines): (usize, &[CurveLine])| CurvePanel {
            title: String::new(),
            part: (nth, of),
            lines: lines.to_vec(),
        };
        let quantity = &self.search.demand.quantity;
        let what = match (quantity.is_wins(), quantity.share) {
            (true, _) => format!("Share of battles won by {}, per cent", quantity.name),
            (false, true) => format!("{}, per cent", capitalised(&self.metric())),
            (false, false) => format!("{}, mean", capitalised(&self.metric())),
        };
        let data = Curve {
            finding: as_title(&self.sentences()),
            what,
            share: quantity.share,
            target: Some(self.search.demand.value),
            path: self.search.number.words(),
            lines: if lines.len() > 1 { "cell".to_owned() } else { String::new() },
            panels: panels.enumerate().map(panel).collect(),
        };
        let caption = format!("{}. Rerun: {}", self.fought(), self.command);
        Some(Chart { data: ChartData::Curve(data), caption, exchanged: false })
    }
}

/// Whether no value makes a visible difference: one mean lies in all intervals.
fn still(tried: &[Tried]) -> bool {
    let low = tried.iter().map(|tried| tried.metric.low).fold(f64::MIN, f64::max);
    let high = tried.iter().map(|tried| tried.metric.high).fold(f64::MAX, f64::min);
    tried.len() > 1 && low <= high
}

/// A position on a number's axis, with the digits that its interval supports.
fn rounded(value: f64, half_width: f64) -> String {
    true_minus(&format!("{value:.*}", decimals(half_width.max(0.005))))
}
