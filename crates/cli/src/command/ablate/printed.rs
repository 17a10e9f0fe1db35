//! The effect of each rule, in words and numbers.

use grognard_lab::questions::{Interaction, Needed, Provenance, STRONGEST, Worth};
use grognard_lab::results::CellHeader;
use grognard_lab::study::{Rule, Switch};
use grognard_report::Chart;
use grognard_report::charts::{TORNADO_ROWS, Tornado, TornadoBar, TornadoRow};
use grognard_stats::Estimate;
use serde_json::Value as Json;

use super::Report;
use crate::answer::Answer;
use crate::study::metric_name;
use crate::table::{Column, Figure, aligned};
use crate::text::{as_title, capitalised, counted, plural, shortened};

/// The maximum number of rules in the table.
const LISTED: usize = 40;
/// The maximum number of pairs listed.
const PAIRS: usize = 10;
/// The maximum number of cells with a column each.
const CELLS: usize = 8;
/// The number of rules with a column each, if there are more cells than that.
const BESIDE: usize = 4;
/// The maximum length of the reason why a rule cannot be switched off.
const WHY: usize = 80;
/// The maximum number of rules listed by name because they have no effect.
const NAMED: usize = 12;

impl Report<'_> {
    /// The answer in every form.
    pub(super) fn answer(&self) -> Answer {
        Answer {
            name: "ablate",
            title: self.study.header.title.clone(),
            asked: format!("What is each rule worth, in {}?", self.unit()),
            fought: self.fought(),
            sentences: self.sentences(),
            columns: self.columns(),
            more: [self.by_cell(), self.pairs(), self.needed()].into_iter().flatten().collect(),
            legend: self.legend(),
            json: self.json(),
            records: self.records(),
            chart: self.chart(),
            command: self.command.clone(),
        }
    }

    fn metric(&self) -> String {
        metric_name(&self.ablation.quantity)
    }

    fn share(&self) -> bool {
        self.ablation.quantity.share
    }

    /// `points of attacker score`, `turns`.
    fn unit(&self) -> String {
        if self.share() { format!("percentage points of {}", self.metric()) } else { self.metric() }
    }

    fn fought(&self) -> String {
        format!(
            "{}, {} each for every rule, {} in all, seed {}, {}",
            plural(self.found.cells.len() as u64, "cell"),
            plural(self.ablation.battles, "battle"),
            plural(self.found.fought, "battle"),
            self.study.seed,
            self.study.pack_line()
        )
    }

    fn figure(&self, worth: &Estimate) -> Figure {
        if self.share() { Figure::points(worth) } else { Figure::signed_mean(worth) }
    }

    fn said(&self, worth: &Estimate) -> String {
        if self.share() { worth.points() } else { worth.difference() }
    }

    /// The rules that are worth something, the most valuable first.
    fn standing(&self) -> Vec<&Worth> {
        self.found.rules.iter().filter(|rule| rule.stands()).collect()
    }

    fn sentences(&self) -> Vec<String> {
        let found = self.found;
        let standing = self.standing();
        let all = self.ablation.switches.len() - found.untried.len();
        let mut sentences = Vec::new();
        match standing.first() {
            None if all == 1 => sentences.push("The rule is not worth more than the margin of error.".to_owned()),
            None => {
                let all = counted(all as u64);
                sentences.push(format!("No rule out of {all} is worth more than the margin of error."));
            }
            Some(most) => {
                let worth = self.said(&most.worth);
                sentences.push(format!(
                    "{} is worth most: {worth} of {}.",
                    capitalised(&named(&most.switch)),
                    self.metric()
                ));
                let needed = match found.needed.len() {
                    0 => String::new(),
                    needed => format!("; {} cannot be switched off", counted(needed as u64)),
                };
                let still = match found.still.len() {
                    0 => String::new(),
                    still => format!("; {} none of the battles examined", verb(still, "changes", "change")),
                };
                let within = match found.rules.len() - standing.len() {
                    0 => String::new(),
                    within => {
                        format!("; {} some battles, but by less than that", verb(within, "changes", "change"))
                    }
                };
                sentences.push(format!(
                    "Of {}, {} a worth that exceeds the margin of error{within}{still}{needed}.",
                    plural(all as u64, "rule"),
                    verb(standing.len(), "has", "have"),
                ));
            }
        }
        if let Some(pair) = found.pairs.iter().find(|pair| !pair.beyond.holds(0.0)) {
            let [one, other] = pair.rules.map(|at| named(&found.rules[at].switch));
            let (way, size) = match pair.beyond.point > 0.0 {
                true => ("more", pair.beyond),
                false => ("less", turned(&pair.beyond)),
            };
            sentences.push(format!(
                "Together, {one} and {other} are worth {} {way} than the sum of their separate values.",
                self.said(&size).trim_start_matches('+')
            ));
        }
        if found.stopped {
            let untried = match found.untried.len() {
                0 => "before all pairs were tried".to_owned(),
                1 => "before 1 rule was tried".to_owned(),
                many => format!("before {many} rules were tried"),
            };
            sentences.push(format!("The search was stopped {untried}; the results for the others are valid."));
        }
        sentences
    }

    fn columns(&self) -> Vec<Column> {
        let standing = self.standing();
        let listed: Vec<&Worth> = standing.into_iter().take(LISTED).collect();
        if listed.is_empty() {
            return Vec::new();
        }
        let worth: Vec<Figure> = listed.iter().map(|rule| self.figure(&rule.worth)).collect();
        let mut columns = vec![Column::new("worth", aligned(&worth))];
        if self.found.cells.len() > 1 {
            let most: Vec<Figure> = listed
                .iter()
                .map(|rule| rule.most().map_or_else(Figure::default, |(_, worth)| self.figure(worth)))
                .collect();
            let cell = |rule: &&Worth| {
                rule.most().map_or_else(String::new, |(cell, _)| self.found.cells[cell].cell.to_string())
            };
            columns.push(Column::new("most", aligned(&most)));
            columns.push(Column::new("in cell", listed.iter().map(cell).collect()).right());
        }
        let clauses = |rule: &&Worth| match rule.switch.what {
            Rule::Row(_) => shortened(&rule.switch.clauses.join(" "), 24),
            Rule::Clause(_, rows) if rule.switch.stays.is_empty() => format!("{rows} rows"),
            Rule::Clause(_, rows) => format!("{} of {rows} rows", rows - rule.switch.stays.len()),
        };
        columns.push(Column::new("clauses", listed.iter().map(clauses).collect()));
        columns.push(Column::new("rule", listed.iter().map(|rule| rule.switch.name()).collect()));
        columns
    }

    /// The worth of the rules in each cell; `None` if there is only one. A few cells have a column each; if there are
    /// many, the rules that are worth most have one each instead.
    fn by_cell(&self) -> Option<(String, Vec<Column>)> {
        let (cells, standing) = (&self.found.cells, self.standing());
        if cells.len() < 2 || standing.is_empty() {
            return None;
        }
        let column = |head: &str, worth: &[&Estimate]| {
            Column::new(head, aligned(&worth.iter().map(|worth| self.figure(worth)).collect::<Vec<_>>()))
        };
        if cells.len() <= CELLS {
            let listed: Vec<&Worth> = standing.into_iter().take(LISTED).collect();
            let cell = |(at, cell): (usize, &CellHeader)| {
                column(&format!("cell {}", cell.cell), &listed.iter().map(|rule| &rule.cells[at]).collect::<Vec<_>>())
            };
            let mut columns: Vec<Column> = cells.iter().enumerate().map(cell).collect();
            columns.push(Column::new("rule", listed.iter().map(|rule| rule.switch.name()).collect()));
            return Some(("What each rule is worth in each cell:".to_owned(), columns));
        }
        let listed: Vec<&Worth> = standing.into_iter().take(BESIDE).collect();
        let mut columns = vec![Column::new("cell", cells.iter().map(|cell| cell.cell.to_string()).collect()).right()];
        let rule = |rule: &&Worth| column(&named(&rule.switch), &rule.cells.iter().collect::<Vec<_>>());
        columns.extend(listed.iter().map(rule));
        columns.push(Column::new("name", cells.iter().map(|cell| cell.label.clone()).collect()));
        Some(("Worth of the most valuable rules in each cell:".to_owned(), columns))
    }

    /// The rules that could not be switched off, and why.
    fn needed(&self) -> Option<(String, Vec<Column>)> {
        let needed = &self.found.needed;
        let listed: Vec<&Needed> = needed.iter().take(NAMED).collect();
        let column = |head: &str, text: &dyn Fn(&Needed) -> String| {
            Column::new(head, listed.iter().map(|needed| text(needed)).collect())
        };
        let more = match needed.len() - listed.len() {
            0 => String::new(),
            more => format!(" ({} more are not listed)", counted(more as u64)),
        };
        let heading = format!("Rules that cannot be switched off, and what is wrong with the pack without them{more}:");
        let columns = vec![
            column("rule", &|needed| needed.switch.name()),
            column("without it", &|needed| shortened(&needed.why, WHY)),
        ];
        (!listed.is_empty()).then_some((heading, columns))
    }

    /// The pairs that are worth more or less together than the sum of both, the strongest first.
    fn pairs(&self) -> Option<(String, Vec<Column>)> {
        let strong: Vec<&Interaction> =
            self.found.pairs.iter().filter(|pair| !pair.beyond.holds(0.0)).take(PAIRS).collect();
        if strong.is_empty() {
            return None;
        }
        let beyond: Vec<Figure> = strong.iter().map(|pair| self.figure(&pair.beyond)).collect();
        let rule = |place: usize| {
            strong.iter().map(|pair| self.found.rules[pair.rules[place]].switch.name()).collect::<Vec<_>>()
        };
        let columns =
            vec![Column::new("beyond", aligned(&beyond)), Column::new("rule", rule(0)), Column::new("and", rule(1))];
        let heading = format!(
            "Worth of pairs of the {} most valuable rows, beyond the sum of their separate values:",
            counted(STRONGEST as u64)
        );
        Some((heading, columns))
    }

    fn legend(&self) -> Vec<String> {
        let found = self.found;
        let mut legend = vec![format!("worth: {} with the rule minus without it.", self.metric())];
        if found.cells.len() > 1 {
            legend.push("most: the largest worth in any one cell, followed by the cell's number.".to_owned());
        }
        legend.push(self.guarantee());
        let more = self.standing().len().saturating_sub(LISTED);
        if more > 0 {
            legend.push(format!("{} that are worth less are not listed.", plural(more as u64, "rule")));
        }
        let within: Vec<&Switch> = found.rules.iter().filter(|rule| !rule.stands()).map(|rule| &rule.switch).collect();
        legend.extend(some("Within the margin of error", &within));
        let battles = counted(found.looked * found.cells.len() as u64);
        legend.extend(some(
            &format!("Switched off without changing any of {battles} battles"),
            &found.still.iter().collect::<Vec<_>>(),
        ));
        let mut tried = found.rules.iter().map(|rule| &rule.switch).chain(&found.still);
        if tried.clone().any(|switch| matches!(switch.what, Rule::Clause(..))) {
            legend.push("rows: the number of rows that cite the clause. They are switched off together.".to_owned());
        }
        if tried.any(|switch| !switch.stays.is_empty()) {
            legend
                .push("If some rows of a clause cannot be switched off, only the others are switched off.".to_owned());
        }
        if found.within > 0 {
            let pairs = plural(found.within as u64, "pair");
            legend.push(format!("Left out: {pairs} in which one rule does nothing without the other."));
        }
        legend
    }

    fn guarantee(&self) -> String {
        let level = 100.0 * self.ablation.level.get();
        let rules = plural((self.found.rules.len() + self.found.still.len() + self.found.untried.len()) as u64, "rule");
        let pairs = if self.ablation.pairs { ", and all pairs" } else { "" };
        format!("{level} % for the values of all {rules}, over all cells and in each{pairs} together.")
    }

    fn json(&self) -> Json {
        let words = Provenance { guarantee: self.guarantee(), command: self.command.clone() };
        self.ablation.json(self.study, self.found, &words)
    }

    /// A line for each rule over all cells, and one for the rule in each cell.
    fn records(&self) -> Vec<Vec<String>> {
        let head = ["rule", "clauses", "cell", "worth", "low", "high", "otherwise"];
        let mut records = vec![head.map(str::to_owned).to_vec()];
        for rule in &self.found.rules {
            let mut record = |cell: String, worth: &Estimate| {
                let mut fields = vec![rule.switch.name(), rule.switch.clauses.join(" "), cell];
                fields.extend([worth.point, worth.low, worth.high].map(|value| value.to_string()));
                fields.push(rule.otherwise.to_string());
                records.push(fields);
            };
            record(String::new(), &rule.worth);
            for (cell, worth) in self.found.cells.iter().zip(&rule.cells) {
                record(cell.cell.to_string(), worth);
            }
        }
        records
    }

    fn chart(&self) -> Option<Chart> {
        let by = if self.share() { 100.0 } else { 1.0 };
        let standing = self.standing();
        let row = |rule: &&Worth| {
            let Estimate { point, low, high, .. } = rule.worth;
            let effect = Estimate { point: by * point, low: by * low, high: by * high, ..rule.worth };
            let label = self.figure(&rule.worth).point();
            TornadoRow { name: named(&rule.switch), bars: vec![TornadoBar { label, effect, larger: true }] }
        };
        let hidden = standing.len().saturating_sub(TORNADO_ROWS);
        let more = if hidden == 0 { String::new() } else { format!(" {hidden} that are worth less are not shown.") };
        let unseen = match self.found.rules.len() - standing.len() + self.found.still.len() {
            0 => String::new(),
            many => {
                format!(" Not shown: {} within the margin of error or without effect.", plural(many as u64, "rule"))
            }
        };
        let cells = match self.found.cells.len() {
            1 => String::new(),
            many => format!(" (mean of {many} cells)"),
        };
        Tornado {
            name: "worth",
            finding: as_title(&self.sentences()),
            about: format!(
                "Worth of each rule: {}{cells} with it minus without it{}. Lines: simultaneous intervals for all \
                 rules.{more}{unseen}",
                self.metric(),
                if self.share() { ", in percentage points" } else { "" },
            ),
            unit: if self.share() { "points".to_owned() } else { "a battle".to_owned() },
            sizes: false,
            key: [String::new(), String::new()],
            rows: standing.iter().map(row).collect(),
        }
        .chart(format!("{}. Rerun: {}", self.fought(), self.command))
    }
}

/// The same worth with the opposite sign.
fn turned(worth: &Estimate) -> Estimate {
    Estimate { point: -worth.point, low: -worth.high, high: -worth.low, ..*worth }
}

/// `3 are worth`, `1 is worth`.
fn verb(count: usize, one: &str, many: &str) -> String {
    if count == 1 { format!("1 {one}") } else { format!("{} {many}", counted(count as u64)) }
}

/// Some rules by name, and how many more there are.
fn some(what: &str, switches: &[&Switch]) -> Option<String> {
    let name = |switch: &&Switch| match switch.what {
        Rule::Clause(_, rows) if !switch.stays.is_empty() => {
            format!("{} ({} of {rows} rows)", switch.name(), rows - switch.stays.len())
        }
        _ => switch.name(),
    };
    let names: Vec<String> = switches.iter().take(NAMED).map(name).collect();
    let more = match switches.len().saturating_sub(NAMED) {
        0 => String::new(),
        more => format!(", and {} more", counted(more as u64)),
    };
    (!names.is_empty()).then(|| format!("{what}: {}{more}.", names.join(", ")))
}

/// A rule in words: `shock: square-against-cavalry`, `clause 9.50-G`.
fn named(switch: &Switch) -> String {
    let Rule::Row(path) = &switch.what else { return switch.name() };
    match path.segments() {
        [roll, name, _, row, rest @ ..] if roll == "roll" => {
            [format!("{name}: {row}"), rest.join(" ")].join(" ").trim_end().to_owned()
        }
        segments => segments.join(" "),
    }
}
