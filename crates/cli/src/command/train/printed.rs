//! A trained doctrine, in words and numbers.

use grognard_lab::questions::{Provenance, Step};
use grognard_stats::Estimate;
use serde_json::Value as Json;

use super::Report;
use crate::answer::Answer;
use crate::study::metric_name;
use crate::table::{Column, Figure, aligned};
use crate::text::{plural, series};

impl Report<'_> {
    /// The answer in every form.
    pub(super) fn answer(&self) -> Answer {
        Answer {
            name: "train",
            title: self.study.header.title.clone(),
            asked: format!("Is there a better doctrine for the {} than `{}`?", self.side(), self.trained.from.name),
            fought: format!(
                "{}, {} tried, {}, seed {}, {}",
                plural(self.trained.cells.len() as u64, "cell"),
                plural(self.trained.tried, "change"),
                plural(self.trained.fought, "battle"),
                self.study.seed,
                self.study.pack_line()
            ),
            sentences: self.sentences(),
            columns: self.steps(),
            more: self.cells().into_iter().collect(),
            legend: self.legend(),
            json: self.json(),
            records: self.records(),
            chart: None,
            command: self.command.clone(),
        }
    }

    /// The doctrine as a table of a pack, if it differs from the original.
    pub(super) fn new_doctrine(&self) -> Option<String> {
        self.trained.is_new().then(|| self.toml())
    }

    /// The doctrine as a table of a pack, with a note on its origin.
    fn toml(&self) -> String {
        let gain = format!("Gains {} of {}", self.said(&self.trained.gain), self.metric());
        let notes = [
            format!(
                "{} over `{}` {}, in the study {}.",
                gain,
                self.trained.from.name,
                self.against(),
                self.study.header.name
            ),
            format!("Found by: {}", self.command),
        ];
        self.trained.toml(&notes)
    }

    fn side(&self) -> &str {
        &self.study.sides[self.training.side.index()]
    }

    fn metric(&self) -> String {
        metric_name(&self.training.quantity)
    }

    fn share(&self) -> bool {
        self.training.quantity.share
    }

    fn against(&self) -> String {
        let names: Vec<String> = self.trained.against.iter().map(|name| format!("`{name}`")).collect();
        format!("against {}", series(&names, "and"))
    }

    fn said(&self, gain: &Estimate) -> String {
        if self.share() { gain.points() } else { gain.difference() }
    }

    fn figure(&self, gain: &Estimate) -> Figure {
        if self.share() { Figure::points(gain) } else { Figure::signed_mean(gain) }
    }

    fn sentences(&self) -> Vec<String> {
        let trained = self.trained;
        let mut sentences = Vec::new();
        if !trained.is_new() {
            sentences.push(format!("No better doctrine was found than `{}`.", trained.from.name));
        } else {
            let mean = if trained.cells.len() > 1 { ", on average over the cells" } else { "" };
            sentences.push(format!(
                "{} the {} {} of {} over `{}` {}{mean}.",
                match trained.steps.len() {
                    1 => "1 change gains".to_owned(),
                    several => format!("{several} changes gain"),
                },
                self.side(),
                self.said(&trained.gain),
                self.metric(),
                trained.from.name,
                self.against()
            ));
            if trained.gain.low <= 0.0 {
                sentences.push("With fresh dice, it is not clearly better.".to_owned());
            }
        }
        sentences.push(match (trained.settled, trained.stopped) {
            (true, _) => "No remaining small change is a clear improvement.".to_owned(),
            (false, true) => "The search was stopped; its score is valid.".to_owned(),
            (false, false) => "The search reached its maximum number of changes.".to_owned(),
        });
        sentences
    }

    /// The changes, in the order they were made.
    fn steps(&self) -> Vec<Column> {
        let steps = &self.trained.steps;
        if steps.is_empty() {
            return Vec::new();
        }
        let figure = |step: &Step| step.gain.as_ref().map_or_else(Figure::default, |gain| self.figure(gain));
        let gains: Vec<Figure> = steps.iter().map(figure).collect();
        vec![
            Column::new("in its race", aligned(&gains)),
            Column::new("change", steps.iter().map(|step| step.says.clone()).collect()),
        ]
    }

    /// The gain in each cell.
    fn cells(&self) -> Option<(String, Vec<Column>)> {
        let cells = &self.trained.cells;
        if cells.len() < 2 || self.trained.steps.is_empty() {
            return None;
        }
        let gains: Vec<Figure> = cells.iter().map(|(_, gain)| self.figure(gain)).collect();
        let columns = vec![
            Column::new("gain", aligned(&gains)),
            Column::new("cell", cells.iter().map(|(header, _)| header.cell.to_string()).collect()).right(),
            Column::new("", cells.iter().map(|(header, _)| header.label.clone()).collect()),
        ];
        Some(("The gain in each cell, with fresh dice:".to_owned(), columns))
    }

    fn legend(&self) -> Vec<String> {
        let unit = if self.share() { "percentage points" } else { "the gain" };
        let wanted = if self.training.quantity.sign_for(self.training.side) == Some(-1) {
            "; a lower value is a gain"
        } else {
            ""
        };
        let mut legend = Vec::new();
        if !self.trained.steps.is_empty() {
            legend.push(format!(
                "in its race: {unit} of {}{wanted}, with the dice of the race that the change won. As the best of many, this overstates \
                 its worth. Blank: the change only removes something that had next to no effect.",
                self.metric()
            ));
        }
        legend.push(self.guarantee());
        legend
    }

    fn guarantee(&self) -> String {
        let cells = self.trained.cells.len();
        let of = match cells {
            1 => "the gain".to_owned(),
            _ => format!("the gain and those of all {} together", plural(cells as u64, "cell")),
        };
        format!(
            "{} % for {of}, from {} in each cell with dice that the search has not used. For these opponents and deployments; there may be \
             better doctrines.",
            100.0 * self.training.level.get(),
            plural(self.training.battles, "battle")
        )
    }

    fn json(&self) -> Json {
        let words = Provenance { guarantee: self.guarantee(), command: self.command.clone() };
        self.training.json(self.study, self.trained, &self.toml(), &words)
    }

    fn records(&self) -> Vec<Vec<String>> {
        let head = ["cell", "label", "gain", "low", "high"].map(str::to_owned).to_vec();
        let numbers = |gain: &Estimate| [gain.point, gain.low, gain.high].map(|value| value.to_string());
        let mut records = vec![head];
        for (header, gain) in &self.trained.cells {
            records.push([header.cell.to_string(), header.label.clone()].into_iter().chain(numbers(gain)).collect());
        }
        if self.trained.cells.len() > 1 {
            let all = [String::new(), "all cells".to_owned()];
            records.push(all.into_iter().chain(numbers(&self.trained.gain)).collect());
        }
        records
    }
}
