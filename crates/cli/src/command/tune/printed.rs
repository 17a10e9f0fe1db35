//! The result of a search for a change, in words and numbers.

use grognard_lab::questions::{Candidate, Judged, MARGIN, Provenance, State};
use grognard_lab::study::{Change, written_as};
use grognard_report::Chart;
use serde_json::Value as Json;

use super::Report;
use crate::answer::Answer;
use crate::command::judge::printed::{band, chart, metric, value};
use crate::table::Column;
use crate::text::{as_title, counted, plural, series, shortened, thousandths};

/// The maximum length of a target's text in the table.
const SAYS: usize = 60;
/// The maximum number of runners-up listed.
const RUNNERS_UP: usize = 10;
/// The maximum number of targets side by side in that list.
const BESIDE: usize = 4;

impl Report<'_> {
    /// The answer in every form.
    pub(super) fn answer(&self) -> Answer {
        Answer {
            name: "tune",
            title: self.study.header.title.clone(),
            asked: "What is the smallest change to printed numbers that meets all targets?".to_owned(),
            fought: self.fought(),
            sentences: self.sentences(),
            columns: self.columns(),
            more: self.runners_up().into_iter().collect(),
            legend: self.legend(),
            json: self.json(),
            records: self.records(),
            chart: self.chart(),
            command: self.command.clone(),
        }
    }

    /// `the target`, `both targets`, `all 6 targets`.
    fn all_targets(&self) -> String {
        match self.study.targets.len() {
            1 => "the target".to_owned(),
            2 => "both targets".to_owned(),
            many => format!("all {}", plural(many as u64, "target")),
        }
    }

    fn sentences(&self) -> Vec<String> {
        let tuned = self.tuned;
        let mut sentences = Vec::new();
        let targets = self.all_targets();
        match &tuned.found {
            Some((candidate, _)) if candidate.moves.is_empty() => {
                sentences.push(format!("The rules meet {targets} as they are."));
            }
            Some((candidate, _)) => sentences.push(format!("{} meets {targets}.", self.change(candidate))),
            None if tuned.state() == State::Missed => {
                sentences.push(match tuned.tried {
                    1 => "The only candidate misses a target.".to_owned(),
                    tried => format!("Each of the {} misses a target.", plural(tried as u64, "candidate")),
                });
            }
            None => sentences.push("No change was found that is certain to meet all targets.".to_owned()),
        }
        match tuned.runners_up.len() {
            0 => {}
            1 => sentences.push("So does another change of the same size.".to_owned()),
            many => sentences.push(format!("So do {} of the same size.", plural(many as u64, "other change"))),
        }
        if tuned.found.as_ref().is_some_and(|(candidate, _)| !candidate.moves.is_empty()) {
            let (out, tried) = (counted(tuned.ruled_out as u64), plural(tuned.tried as u64, "candidate"));
            sentences.push(format!("Ruled out: {out} of the {tried} tried, each certain to miss a target."));
        }
        if tuned.cut && tuned.found.is_none() {
            sentences.push(format!(
                "The search is limited to the smallest {} of {}; --candidates raises the limit.",
                counted(tuned.candidates as u64),
                plural(self.tuning.possible(), "candidate")
            ));
        }
        if tuned.stopped {
            sentences.push("The search was stopped; its results are valid.".to_owned());
        }
        sentences
    }

    /// `roll.a.add from 7 to 8 and roll.b.add from 2 to 1`.
    fn change(&self, candidate: &Candidate) -> String {
        let one = |change: &Change<'_>| {
            let [from, to] = [change.number.value, change.value].map(thousandths);
            format!("{} from {from} to {to}", change.number.name())
        };
        series(&self.tuning.changes_of(candidate).iter().map(one).collect::<Vec<_>>(), "and")
    }

    /// The targets with their results now and after the change.
    fn columns(&self) -> Vec<Column> {
        let now = &self.tuned.now;
        let after =
            self.tuned.found.as_ref().filter(|(candidate, _)| !candidate.moves.is_empty()).map(|(_, after)| after);
        let column = |head: &str, of: &[Judged], text: &dyn Fn(&Judged) -> String| {
            Column::new(head, of.iter().map(text).collect())
        };
        let worst =
            |judged: &Judged| judged.worst().map_or_else(|| "–".to_owned(), |worst| value(judged, &worst.metric));
        let mut columns = vec![
            column("metric", now, &|judged| metric(self.study, judged)),
            column("band", now, &band),
            column("now", now, &|judged| format!("{} {}", judged.state.name(), worst(judged))),
        ];
        if let Some(after) = after {
            columns.push(column("after", after, &|judged| format!("{} {}", judged.state.name(), worst(judged))));
        }
        columns.push(column("target", now, &|judged| shortened(&judged.target.says, SAYS)));
        columns
    }

    /// The other changes of the same size that meet all targets, each with its result for every target.
    fn runners_up(&self) -> Option<(String, Vec<Column>)> {
        let all = &self.tuned.runners_up;
        let listed = &all[..all.len().min(RUNNERS_UP)];
        let target = |(at, target): (usize, &Judged)| {
            let worst =
                |judged: &Judged| judged.worst().map_or_else(|| "–".to_owned(), |worst| value(judged, &worst.metric));
            let texts = listed.iter().map(|(_, after)| after.get(at).map_or_else(String::new, worst)).collect();
            Column::new(&metric(self.study, target), texts)
        };
        let mut columns: Vec<Column> = self.tuned.now.iter().take(BESIDE).enumerate().map(target).collect();
        columns.push(Column::new("change", listed.iter().map(|(candidate, _)| self.change(candidate)).collect()));
        let heading = match all.len().saturating_sub(RUNNERS_UP) {
            0 => "Other changes of the same size that meet them, with their results:".to_owned(),
            more => format!(
                "Other changes of the same size that meet them, with their results; {more} more are not listed:"
            ),
        };
        (!listed.is_empty()).then_some((heading, columns))
    }

    fn chart(&self) -> Option<Chart> {
        let finding = as_title(&self.sentences());
        let now = ("now", self.tuned.now.as_slice());
        let after = self.tuned.found.iter().filter(|(candidate, _)| !candidate.moves.is_empty());
        let judged: Vec<_> = std::iter::once(now).chain(after.map(|(_, after)| ("after", after.as_slice()))).collect();
        chart(self.study, &judged, finding, format!("{}. Rerun: {}", self.fought(), self.command))
    }

    fn fought(&self) -> String {
        format!(
            "{}, {}, seed {}, {}",
            plural(self.tuned.tried as u64, "candidate"),
            plural(self.tuned.fought, "battle"),
            self.study.seed,
            self.study.pack_line()
        )
    }

    fn legend(&self) -> Vec<String> {
        let mut legend = Vec::new();
        if self.study.targets.iter().any(|target| target.cells.len() > 1) {
            legend.push("now, after: in the cell farthest outside the band, or nearest to its edge.".to_owned());
        }
        legend.push(self.guarantee());
        if self.tuned.refused > 0 {
            legend.push(format!("The rules do not allow {}.", plural(self.tuned.refused as u64, "candidate")));
        }
        legend
    }

    /// The guarantee, in one sentence.
    fn guarantee(&self) -> String {
        let tuned = self.tuned;
        let level = 100.0 * self.tuning.level.get();
        let near = tuned.nearness().map(|near| format!("lie within {:.1} points of a band", 100.0 * near));
        let near = near.unwrap_or_else(|| "lie too close to a band".to_owned());
        let (smaller, open) = match tuned.undecided.len() {
            0 => ("every smaller change", String::new()),
            count => (
                "every other smaller change",
                format!("; {count} {near} and {} undecided", if count == 1 { "is" } else { "are" }),
            ),
        };
        let (by, within) = (self.margin(), self.within());
        let of = format!(
            "{level} % for all {} together, valid at any stopping time",
            plural(tuned.candidates as u64, "candidate")
        );
        let who = "For these players and deployments.";
        let targets = self.all_targets();
        match &tuned.found {
            Some((candidate, _)) if candidate.moves.is_empty() => {
                format!("{level} %, valid at any stopping time: the rules meet {targets} as they are. {who}")
            }
            Some(_) => {
                format!("{of}: this change meets {targets}; {smaller} {within} misses at least one{by}{open}. {who}")
            }
            None => {
                let out = plural(tuned.ruled_out as u64, "candidate");
                let most = self.tuning.changes;
                let at_once = if most < self.tuning.numbers.len() {
                    format!(", at most {} at a time", counted(most as u64))
                } else {
                    String::new()
                };
                let certainly = if tuned.ruled_out == 1 { "certainly misses" } else { "certainly miss" };
                format!(
                    "{of}: of the changes {within}{at_once}, {out} {certainly} at least one target{by}{open}. {who}"
                )
            }
        }
    }

    /// The changes that were searched: `of these 12 numbers by at most 3 steps each`.
    fn within(&self) -> String {
        let steps = plural(self.tuning.pips.unsigned_abs(), "step");
        match self.tuning.numbers.len() {
            1 => format!("of this number by at most {steps}"),
            many => format!("of these {} by at most {steps} each", plural(many as u64, "number")),
        }
    }

    /// By how much targets are missed: ` by more than 0.5 points`, and how many miss by less.
    fn margin(&self) -> String {
        let points = 100.0 * MARGIN;
        let shares = self.study.targets.iter().filter(|target| target.share).count();
        let by = match shares {
            0 => return String::new(),
            all if all == self.study.targets.len() => format!(" by more than {points} points"),
            _ => format!(" (a share of battles by more than {points} points)"),
        };
        match self.tuned.narrowly {
            0 => by,
            few => format!("{by}, except {} that may miss it by less", counted(few as u64)),
        }
    }

    fn json(&self) -> Json {
        let words = Provenance { guarantee: self.guarantee(), command: self.command.clone() };
        self.tuning.json(self.study, self.tuned, &words)
    }

    /// A line for each number of each change that meets all targets.
    fn records(&self) -> Vec<Vec<String>> {
        let mut records = vec![["rank", "number", "from", "to"].map(str::to_owned).to_vec()];
        let found = self.tuned.found.iter().chain(&self.tuned.runners_up);
        for (rank, (candidate, _)) in found.enumerate() {
            for change in self.tuning.changes_of(candidate) {
                let values = [change.number.value, change.value].map(written_as);
                records.push([(rank + 1).to_string(), change.number.name()].into_iter().chain(values).collect());
            }
        }
        records
    }
}
