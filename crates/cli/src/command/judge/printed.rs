//! Which targets are met, in words and numbers.

use grognard_lab::questions::{self, Judged, JudgedCell, Provenance, State};
use grognard_lab::study::Study;
use grognard_report::Chart;
use grognard_report::charts::{TargetRow, Targets};
use grognard_stats::Estimate;
use serde_json::Value as Json;

use super::Report;
use crate::answer::Answer;
use crate::command::asking::promise;
use crate::study::metric_name;
use crate::table::Column;
use crate::text::{as_title, counted, plural, shortened, true_minus};

/// The maximum length of a target's text in the table.
const SAYS: usize = 60;

impl Report<'_> {
    /// The answer in every form.
    pub(super) fn answer(&self) -> Answer {
        Answer {
            name: "judge",
            title: self.study.header.title.clone(),
            asked: "Do the rules meet the targets?".to_owned(),
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

    fn fought(&self) -> String {
        let pack = self.study.pack_line();
        match self.judge.exact {
            Some(_) => format!("{}, exact, {pack}", plural(self.verdicts.intervals as u64, "number")),
            None => format!("{}, seed {}, {pack}", plural(self.verdicts.fought, "battle"), self.study.seed),
        }
    }

    fn count(&self, state: State) -> usize {
        self.verdicts.targets.iter().filter(|target| target.state == state).count()
    }

    fn sentences(&self) -> Vec<String> {
        let all = self.verdicts.targets.len();
        let [met, missed, undecided] = [State::Met, State::Missed, State::Undecided].map(|state| self.count(state));
        let first = match (met, missed, undecided) {
            (_, 0, 0) if all == 1 => "The target is met.".to_owned(),
            (_, 1, 0) if all == 1 => "The target is missed.".to_owned(),
            _ if all == 1 => "The target is undecided.".to_owned(),
            (_, 0, 0) if all == 2 => "Both targets are met.".to_owned(),
            (_, 0, 0) => format!("All {} targets are met.", counted(all as u64)),
            _ => {
                let parts = [(met, "met"), (missed, "missed"), (undecided, "undecided")];
                let parts: Vec<String> =
                    parts.iter().filter(|(many, _)| *many > 0).map(|(many, what)| format!("{many} {what}")).collect();
                format!("Of {}: {}.", plural(all as u64, "target"), parts.join(", "))
            }
        };
        let missed = self.verdicts.targets.iter().filter(|target| target.state == State::Missed);
        let missed = missed.filter_map(|judged| {
            let worst = judged.worst()?;
            Some(format!(
                "Missed: {}. In cell {} ({}), {}: {}, not {}.",
                judged.target.says.trim_end_matches('.'),
                worst.cell,
                self.label(worst.cell),
                metric(self.study, judged),
                value(judged, &worst.metric),
                band(judged)
            ))
        });
        std::iter::once(first).chain(missed).collect()
    }

    fn label(&self, cell: u32) -> &str {
        &self.study.cells[cell as usize].header.label
    }

    fn columns(&self) -> Vec<Column> {
        let targets = &self.verdicts.targets;
        let column =
            |head: &str, text: &dyn Fn(&Judged) -> String| Column::new(head, targets.iter().map(text).collect());
        let worst = |text: &dyn Fn(&Judged, &JudgedCell) -> String, judged: &Judged| {
            judged.worst().map_or_else(|| "–".to_owned(), |worst| text(judged, worst))
        };
        let mut columns = vec![
            column("state", &|judged| judged.state.name().to_owned()),
            column("metric", &|judged| metric(self.study, judged)),
            column("band", &|judged| band(judged)),
            column("value", &|judged| worst(&|judged, worst| value(judged, &worst.metric), judged)),
        ];
        if targets.iter().any(|judged| judged.target.cells.len() > 1) {
            columns.push(column("in cell", &|judged| worst(&|_, worst| worst.cell.to_string(), judged)).right());
        }
        columns.push(column("target", &|judged| shortened(&judged.target.says, SAYS)));
        columns
    }

    fn legend(&self) -> Vec<String> {
        let mut legend = Vec::new();
        if self.verdicts.targets.iter().any(|judged| judged.target.cells.len() > 1) {
            legend.push("value: in the cell farthest outside the band, or nearest to its edge.".to_owned());
        }
        legend.push(self.guarantee());
        if self.count(State::Undecided) > 0 {
            legend.push(
                "undecided: the interval contains an end of the band; more battles (--runs) may decide it.".to_owned(),
            );
        }
        legend
    }

    fn guarantee(&self) -> String {
        match self.judge.exact {
            Some(_) => "All numbers are computed exactly, except for rounding.".to_owned(),
            None => promise(self.judge.level, self.verdicts.intervals, "targets"),
        }
    }

    fn json(&self) -> Json {
        let words = Provenance { guarantee: self.guarantee(), command: self.command.clone() };
        self.judge.json(self.study, self.verdicts, &words)
    }

    fn chart(&self) -> Option<Chart> {
        let finding = as_title(&self.sentences());
        let caption = format!("{}. Rerun: {}", self.fought(), self.command);
        chart(self.study, &[("", &self.verdicts.targets)], finding, caption)
    }

    /// A line for each cell of each target.
    fn records(&self) -> Vec<Vec<String>> {
        let head = ["target", "metric", "from", "to", "cell", "label", "state", "value", "low", "high", "runs"];
        let mut records = vec![head.map(str::to_owned).to_vec()];
        for judged in &self.verdicts.targets {
            for cell in &judged.cells {
                let (target, metric) = (&judged.target, &cell.metric);
                let mut record = vec![target.says.clone(), target.metric.clone()];
                record.extend([target.band.0, target.band.1].map(|end| end.to_string()));
                record.extend([cell.cell.to_string(), self.label(cell.cell).to_owned(), cell.state.name().to_owned()]);
                record.extend([metric.point, metric.low, metric.high].map(|value| value.to_string()));
                record.push(metric.runs.to_string());
                records.push(record);
            }
        }
        records
    }
}

/// The chart of the targets, judged once or more than once, each time under a name.
pub(in crate::command) fn chart(
    study: &Study,
    judged: &[(&str, &[Judged])],
    finding: String,
    caption: String,
) -> Option<Chart> {
    let (_, first) = judged.first()?;
    let row = |(nth, target): (usize, &Judged)| TargetRow {
        name: shortened(&target.target.says, SAYS),
        measure: format!("{}, {}", metric(study, target), band(target)),
        band: target.target.band,
        values: judged.iter().filter_map(|(_, all)| all.get(nth)).map(point).collect(),
    };
    let place = if first.iter().any(|judged| judged.target.cells.len() > 1) {
        " in the cell farthest outside the band, or nearest to its edge"
    } else {
        ""
    };
    let key = if judged.len() > 1 { judged.iter().map(|(name, _)| (*name).to_owned()).collect() } else { Vec::new() };
    Targets {
        finding,
        about: format!(
            "Each target’s metric{place}, compared with its band: left of the band is too low, right of it too high. \
             Lines: simultaneous intervals."
        ),
        key,
        rows: first.iter().enumerate().map(row).collect(),
    }
    .chart(caption)
}

/// The value of the deciding cell, in words without its interval, and as an estimate.
fn point(judged: &Judged) -> (String, Option<Estimate>) {
    let Some(worst) = judged.worst() else { return ("–".to_owned(), None) };
    let words = value(judged, &worst.metric);
    (words.split_once(" (").map_or(words.as_str(), |(point, _)| point).to_owned(), Some(worst.metric))
}

/// The metric in words: `defender score`, `draw, from the baseline`.
pub(in crate::command) fn metric(study: &Study, judged: &Judged) -> String {
    let target = &judged.target;
    let name = questions::metric(study, &target.metric).map_or_else(|| target.metric.clone(), |of| metric_name(&of));
    if target.difference { format!("{name}, from the baseline") } else { name }
}

/// `70 to 90 %`, `+2 to +4 points`, `5 to 7`.
pub(in crate::command) fn band(judged: &Judged) -> String {
    let target = &judged.target;
    let scale = if target.share { 100.0 } else { 1.0 };
    let one = |end: f64| {
        let text = format!("{:.3}", scale * end);
        let digits = text.trim_end_matches('0').trim_end_matches('.');
        let sign = if target.difference && end > 0.0 { "+" } else { "" };
        true_minus(&format!("{sign}{digits}"))
    };
    let unit = match (target.share, target.difference) {
        (true, false) => " %",
        (true, true) => " points",
        (false, _) => "",
    };
    format!("{} to {}{unit}", one(target.band.0), one(target.band.1))
}

pub(in crate::command) fn value(judged: &Judged, metric: &Estimate) -> String {
    match (judged.target.share, judged.target.difference) {
        (true, false) => metric.percent(),
        (true, true) => metric.points(),
        (false, false) => metric.plain(),
        (false, true) => metric.difference(),
    }
}
