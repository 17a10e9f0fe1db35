//! Doctrines of both sides, trained alternately, in words and numbers.

use grognard_engine::Side;
use grognard_lab::json::estimate;
use grognard_lab::questions::{Alternated, Alternation, Member, Round};
use grognard_lab::study::Study;
use grognard_stats::Estimate;
use serde_json::{Map, Value as Json, json};

use crate::answer::Answer;
use crate::study::metric_name;
use crate::table::{Column, Figure, aligned};
use crate::text::{plural, series};

/// Doctrines chosen less often than this are not reported.
const RARELY: f64 = 0.0005;

/// The question and its result.
pub(super) struct Report<'a> {
    pub(super) study: &'a Study,
    pub(super) alternation: &'a Alternation,
    pub(super) found: &'a Alternated,
    pub(super) command: String,
}

impl Report<'_> {
    /// The answer in every form.
    pub(super) fn answer(&self) -> Answer {
        let cells = self.study.chosen(&self.alternation.training.cells).len() as u64;
        Answer {
            name: "train",
            title: self.study.header.title.clone(),
            asked: "Which doctrines have no better reply?".to_owned(),
            fought: format!(
                "{}, {}, {}, seed {}, {}",
                plural(cells, "cell"),
                plural(self.found.rounds.len() as u64, "round"),
                plural(self.found.fought, "battle"),
                self.study.seed,
                self.study.pack_line()
            ),
            sentences: self.sentences(),
            columns: self.choices(),
            more: vec![(format!("{} of each doctrine against every other:", self.metric()), self.table())],
            legend: self.legend(),
            json: self.json(),
            records: self.records(),
            chart: None,
            command: self.command.clone(),
        }
    }

    /// The doctrines found by training that are chosen, as tables of a pack; `None` if there are none.
    pub(super) fn new_doctrines(&self) -> Option<String> {
        let chosen = |side: Side| {
            let members = self.found.members[side].iter();
            members.filter(|member| member.found.is_some() && member.weight > RARELY).map(move |member| (side, member))
        };
        let table = |(side, member): (Side, &Member)| {
            let notes = [
                format!(
                    "Chosen in {:.1} % of battles by the {}, in the study {}.",
                    100.0 * member.weight,
                    self.side(side),
                    self.study.header.name
                ),
                format!("Found by: {}", self.command),
            ];
            self.found.toml(side, member, &notes)
        };
        let tables: Vec<String> = Side::BOTH.into_iter().flat_map(chosen).map(table).collect();
        (!tables.is_empty()).then(|| tables.join("\n"))
    }

    fn side(&self, side: Side) -> &str {
        &self.study.sides[side.index()]
    }

    fn metric(&self) -> String {
        metric_name(&self.alternation.training.quantity)
    }

    fn share(&self) -> bool {
        self.alternation.training.quantity.share
    }

    fn said(&self, gain: &Estimate) -> String {
        if self.share() { gain.points() } else { gain.difference() }
    }

    fn value(&self) -> String {
        if self.share() { self.found.value.percent() } else { self.found.value.plain() }
    }

    fn sentences(&self) -> Vec<String> {
        let mut sentences = vec![format!(
            "{} is {} if {}.",
            crate::text::capitalised(&self.metric()),
            self.value(),
            series(&Side::BOTH.map(|side| self.chooses(side)), "and")
        )];
        let last = self.found.rounds.last();
        sentences.push(match (self.found.settled, self.found.stopped, last) {
            (true, _, Some(round)) => format!(
                "In the last round, neither side found a reply that is clearly better: {}.",
                series(&Side::BOTH.map(|side| format!("{} {}", self.side(side), self.said(&round.gains[side]))), "and")
            ),
            (_, true, _) => "The search was stopped; it might have found better replies.".to_owned(),
            _ => "The search reached its maximum number of rounds; it might have found better replies.".to_owned(),
        });
        sentences
    }

    /// `the attacker follows charge-home in 30.0 % and ...`.
    fn chooses(&self, side: Side) -> String {
        let chosen: Vec<&Member> = self.found.members[side].iter().filter(|member| member.weight > RARELY).collect();
        let follows = match &chosen[..] {
            [one] => format!("`{}`", one.name),
            several => {
                let parts: Vec<String> = several
                    .iter()
                    .map(|member| format!("`{}` in {:.1} % of battles", member.name, 100.0 * member.weight))
                    .collect();
                series(&parts, "and")
            }
        };
        format!("the {} follows {follows}", self.side(side))
    }

    /// The result of each round.
    fn choices(&self) -> Vec<Column> {
        let rounds = &self.found.rounds;
        let gains = |side: Side| -> Vec<Figure> {
            let figure = |round: &Round| match self.share() {
                true => Figure::points(&round.gains[side]),
                false => Figure::signed_mean(&round.gains[side]),
            };
            rounds.iter().map(figure).collect()
        };
        let mut columns =
            vec![Column::new("round", (1..=rounds.len()).map(|round| round.to_string()).collect()).right()];
        columns.extend(
            Side::BOTH.map(|side| Column::new(&format!("{}'s reply gains", self.side(side)), aligned(&gains(side)))),
        );
        columns
    }

    fn table(&self) -> Vec<Column> {
        let first = self.alternation.training.side;
        let (own, others) = (&self.found.members[first], &self.found.members[first.other()]);
        let label = |member: &Member| format!("{}, {:.1} %", member.name, 100.0 * member.weight);
        let mut columns = vec![Column::new(self.side(first), own.iter().map(label).collect())];
        for (at, other) in others.iter().enumerate() {
            let figures: Vec<Figure> = self
                .found
                .table
                .iter()
                .map(|row| if self.share() { Figure::percent(&row[at]) } else { Figure::mean(&row[at]) })
                .collect();
            columns.push(Column::new(&label(other), aligned(&figures)));
        }
        columns
    }

    fn legend(&self) -> Vec<String> {
        let unit = if self.share() { "percentage points" } else { "the amount" };
        vec![
            format!(
                "A reply's gain: {unit} of {} that it gains over the side's current mix, against the other side's \
                 current mix.",
                self.metric()
            ),
            "The percentage after a doctrine says how often to choose it, so that the other side cannot gain by \
             preparing for it."
                .to_owned(),
            self.guarantee(),
        ]
    }

    fn guarantee(&self) -> String {
        format!(
            "{} % each for {}, for all gains of all rounds together, and for the table, from {} in each cell with \
             dice not used in any search. \
             There may be better replies than those found.",
            100.0 * self.alternation.training.level.get(),
            self.metric(),
            plural(self.alternation.training.battles, "battle")
        )
    }

    fn json(&self) -> Json {
        let found = self.found;
        let by_side = |of: &dyn Fn(Side) -> Json| -> Json {
            Json::Object(
                Side::BOTH.into_iter().map(|side| (self.side(side).to_owned(), of(side))).collect::<Map<_, _>>(),
            )
        };
        let exploitability = |round: &Round| -> f64 {
            // A side whose reply gains nothing keeps its mix. Better replies may exist, so this estimates a lower bound.
            Side::BOTH.into_iter().map(|side| round.gains[side].point.max(0.0)).sum()
        };
        let round = |round: &Round| json!({ "gains": by_side(&|side| estimate(&round.gains[side])), "exploitability": exploitability(round) });
        let member = |side: Side, member: &Member| {
            json!({
                "name": member.name,
                "weight": member.weight,
                "round": member.found,
                "doctrine": member.found.map(|_| found.toml(side, member, &[])),
            })
        };
        json!({
            "study": self.study.header.name,
            "pack": self.study.pack.name,
            "seed": self.study.seed,
            "level": self.alternation.training.level.get(),
            "guarantee": self.guarantee(),
            "metric": self.alternation.training.quantity.name,
            "side": self.side(self.alternation.training.side),
            "value": estimate(&found.value),
            "choices": by_side(&|side| found.members[side].iter().map(|one| member(side, one)).collect()),
            "table": found.table.iter().map(|row| row.iter().map(estimate).collect::<Vec<_>>()).collect::<Vec<_>>(),
            "rounds": found.rounds.iter().map(round).collect::<Vec<_>>(),
            "battles": found.fought,
            "settled": found.settled,
            "command": self.command,
        })
    }

    fn records(&self) -> Vec<Vec<String>> {
        let mut records = vec![["side", "doctrine", "round", "weight"].map(str::to_owned).to_vec()];
        for side in Side::BOTH {
            for member in &self.found.members[side] {
                let round = member.found.map_or_else(String::new, |round| round.to_string());
                records.push(vec![self.side(side).to_owned(), member.name.clone(), round, member.weight.to_string()]);
            }
        }
        records
    }
}
