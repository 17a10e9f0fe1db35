//! Who beats whom, in words and numbers.

use grognard_engine::Side;
use grognard_lab::questions::{Provenance, Use};
use grognard_report::Chart;
use grognard_report::charts::{ChartData, Facet, Heat};
use grognard_stats::{Estimate, decimals};
use serde_json::Value as Json;

use super::Report;
use crate::answer::Answer;
use crate::table::{Column, margin};
use crate::text::{capitalised, plural, series};

/// The maximum number of columns of the table; the whole table is in JSON, CSV and the chart.
const COLUMNS: usize = 8;
/// The maximum numbers of rows and columns in a chart.
const MAP: (usize, usize) = (30, 12);
/// The maximum width of a weight's interval that is due to rounding alone.
const ROUNDING: f64 = 1e-3;

/// A choice of one side.
struct Choice<'a> {
    name: &'a str,
    weight: f64,
    ends: (f64, f64),
    /// Whether it, or an equal choice, has any weight.
    used: Use,
    /// The choice that dominates it.
    by: Option<&'a str>,
}

impl Choice<'_> {
    fn weight(&self) -> String {
        weight(self.weight, self.ends)
    }
}

/// A weight with the limits of its interval.
fn weight(weight: f64, (low, high): (f64, f64)) -> String {
    if low == high {
        return format!("{:.0} %", 100.0 * weight);
    }
    if high - low < ROUNDING {
        return format!("{:.2} %", 100.0 * weight);
    }
    let places = decimals(50.0 * (high - low));
    format!("{:.places$} % ({:.places$}–{:.places$})", 100.0 * weight, 100.0 * low, 100.0 * high)
}

impl Report<'_> {
    /// The answer in every form.
    pub(super) fn answer(&self) -> Answer {
        let (rows, columns) = (self.choices(Side::First), self.choices(Side::Second));
        Answer {
            name: "matchups",
            title: self.study.header.title.clone(),
            asked: "Who beats whom, and what is the best mix of choices for each side?".to_owned(),
            fought: self.fought(),
            sentences: self.sentences(&rows, &columns),
            columns: self.table(&rows),
            more: self.of_columns(&columns).into_iter().collect(),
            legend: self.legend(),
            json: self.json(),
            records: self.records(),
            chart: self.chart(),
            command: self.command.clone(),
        }
    }

    fn choices(&self, side: Side) -> Vec<Choice<'_>> {
        let (grid, found) = (&self.asked.grid, self.found);
        let (names, weights) = match side {
            Side::First => (&grid.rows, &found.best.rows),
            _ => (&grid.columns, &found.best.columns),
        };
        let (ends, used) = match side {
            Side::First => (&found.spread.rows, &found.spread.rows_used),
            _ => (&found.spread.columns, &found.spread.columns_used),
        };
        let choice = |at: usize| Choice {
            name: &names[at],
            weight: weights[at],
            ends: ends[at],
            used: used[at],
            by: found
                .dominated
                .iter()
                .find(|one| one.side == side && one.choice == at)
                .map(|one| names[one.by].as_str()),
        };
        (0..names.len()).map(choice).collect()
    }

    fn fought(&self) -> String {
        let pairings = plural(self.found.intervals as u64, "pairing");
        let pack = self.study.pack_line();
        if self.asked.exact.is_some() {
            return format!("{pairings}, exact, {pack}");
        }
        format!("{pairings}, {} in all, seed {}, {pack}", plural(self.found.fought, "battle"), self.study.seed)
    }

    fn sentences(&self, rows: &[Choice<'_>], columns: &[Choice<'_>]) -> Vec<String> {
        let [first, second] = [0, 1].map(|side| &self.study.sides[side]);
        let mut sentences = Vec::new();
        let value = self.found.value;
        if self.asked.grid.symmetric {
            sentences.push(format!(
                "The best choice is {}; between players who make it, the chances are even.",
                chosen(rows)
            ));
        } else {
            sentences.push(format!(
                "If both sides choose well, {first} scores {}: it chooses {}, and {second} {}.",
                value.percent(),
                chosen(rows),
                chosen(columns)
            ));
        }
        for (side, choices) in [(first, rows), (second, columns)] {
            if self.asked.grid.symmetric && side == second {
                continue;
            }
            let beaten: Vec<String> =
                choices.iter().filter_map(|one| Some(format!("{} ({} is better)", one.name, one.by?))).collect();
            if !beaten.is_empty() {
                let side = if self.asked.grid.symmetric { "a side" } else { side };
                sentences.push(format!(
                    "Whatever the other side chooses, {side} does worse with {}.",
                    series(&beaten, "and")
                ));
            }
        }
        if let Some(cyclic) = self.found.cyclic {
            let share = weight(cyclic, self.found.spread.cyclic.unwrap_or((cyclic, cyclic)));
            sentences.push(format!(
                "{share} of the differences in the table depend on who meets whom, as in rock, paper, scissors; the rest depend on \
                 how good a choice is in general."
            ));
        }
        sentences.extend(self.undetermined(rows, columns));
        sentences.extend(self.same());
        if self.found.stopped {
            sentences.push("The search was stopped; its results are valid.".to_owned());
        }
        sentences
    }

    /// The choices for which it is unknown whether they are chosen at all.
    fn undetermined(&self, rows: &[Choice<'_>], columns: &[Choice<'_>]) -> Option<String> {
        let mut names: Vec<String> = Vec::new();
        for one in rows.iter().chain(columns).filter(|one| one.used == Use::Open) {
            if !names.iter().any(|name| name == one.name) {
                names.push(one.name.to_owned());
            }
        }
        if names.is_empty() {
            return None;
        }
        let names = series(&names, "or");
        Some(if self.asked.exact.is_some() {
            format!("There are several best mixes: {names} may or may not be part of them.")
        } else {
            format!(
                "The best mix is not determined: these battles do not show whether to choose {names} at all. Fight \
                 more with \
                 --precision or --runs."
            )
        })
    }

    /// The choices with equal results, if any of them is chosen.
    fn same(&self) -> Option<String> {
        let (grid, spread) = (&self.asked.grid, &self.found.spread);
        let sides = [
            (&grid.rows, &spread.row_ties, &spread.rows_used),
            (&grid.columns, &spread.column_ties, &spread.columns_used),
        ];
        let mut ties: Vec<String> = Vec::new();
        for (names, all, used) in sides {
            for tie in all.iter().filter(|tie| used[tie[0]] != Use::Never) {
                let names: Vec<String> = tie.iter().map(|&at| names[at].clone()).collect();
                let tie = series(&names, "and");
                if !ties.contains(&tie) {
                    ties.push(tie);
                }
            }
        }
        (!ties.is_empty()).then(|| {
            format!(
                "Equally good against every choice of the other side: {}. Their weight is shared evenly here.",
                ties.join("; ")
            )
        })
    }

    fn table(&self, rows: &[Choice<'_>]) -> Vec<Column> {
        let grid = &self.asked.grid;
        let names = rows.iter().map(|one| one.name.to_owned()).collect();
        let mut columns = vec![Column::new(&self.study.sides[0], names)];
        if grid.columns.len() <= COLUMNS {
            for (at, column) in grid.columns.iter().enumerate() {
                let scores = self.found.scores.iter().map(|row| percent(&row[at])).collect();
                columns.push(Column::new(&column.replace(", ", " "), scores).right());
            }
        } else {
            let named = |row: usize, best: bool| {
                let order = |one: &usize, other: &usize| {
                    self.found.scores[row][*one].point.total_cmp(&self.found.scores[row][*other].point)
                };
                let all = 0..grid.columns.len();
                let at = if best { all.max_by(order) } else { all.min_by(order) }.unwrap_or(0);
                format!("{} {}", percent(&self.found.scores[row][at]), grid.columns[at])
            };
            columns.push(Column::new("best against", (0..rows.len()).map(|row| named(row, true)).collect()));
            columns.push(Column::new("worst against", (0..rows.len()).map(|row| named(row, false)).collect()));
        }
        let means = self.found.scores.iter().map(|row| percent(&mean(row))).collect();
        columns.push(Column::new("mean", means).right());
        columns.push(Column::new("weight", rows.iter().map(Choice::weight).collect()).right());
        columns
    }

    /// The second side's choices, unless both sides choose from the same ones.
    fn of_columns(&self, columns: &[Choice<'_>]) -> Option<(String, Vec<Column>)> {
        let heading = || format!("What {} should choose against {}:", self.study.sides[1], self.study.sides[0]);
        (!self.asked.grid.symmetric).then(|| (heading(), self.column_table(columns)))
    }

    fn column_table(&self, columns: &[Choice<'_>]) -> Vec<Column> {
        let own = |at: usize| -> Vec<Estimate> { self.found.scores.iter().map(|row| row[at].complement()).collect() };
        vec![
            Column::new(&self.study.sides[1], columns.iter().map(|one| one.name.to_owned()).collect()),
            Column::new("mean", (0..columns.len()).map(|at| percent(&mean(&own(at)))).collect()).right(),
            Column::new("weight", columns.iter().map(Choice::weight).collect()).right(),
        ]
    }

    fn legend(&self) -> Vec<String> {
        let [first, second] = [0, 1].map(|side| &self.study.sides[side]);
        let grid = &self.asked.grid;
        let who = if grid.symmetric { "the choice in the row".to_owned() } else { first.clone() };
        let mut legend = vec![format!(
            "Table: the score of {who}, in per cent of battles won, with draws counting half. \
             mean: over all choices of the other side. weight: how often to choose it."
        )];
        if !grid.over.is_empty() {
            legend.push(format!("Every score is a mean over the values of {}.", series(&grid.over, "and")));
        }
        legend.push(self.guarantee());
        if self.asked.exact.is_none() {
            legend.push(
                "The interval of a weight covers every best mix, for any scores within their intervals.".to_owned(),
            );
            let [own, other] = self.found.exploitability.map(|share| format!("{:.1}", 100.0 * share));
            legend.push(if grid.symmetric {
                format!("These weights give away at most {own} points.")
            } else {
                format!("With these weights, {first} gives away at most {own} points, and {second} {other}.")
            });
        }
        legend
    }

    /// The guarantee of the intervals.
    fn guarantee(&self) -> String {
        if self.asked.exact.is_some() {
            return "All scores are computed exactly, except for rounding.".to_owned();
        }
        format!(
            "{} % for the scores of all {}, the value of the game and all weights together, valid at any stopping time.",
            100.0 * self.asked.level.get(),
            plural(self.found.intervals as u64, "pairing")
        )
    }

    fn json(&self) -> Json {
        let words = Provenance { guarantee: self.guarantee(), command: self.command.clone() };
        self.asked.json(self.study, self.found, &words)
    }

    /// A line for each pairing.
    fn records(&self) -> Vec<Vec<String>> {
        let mut records =
            vec![["row", "column", "score", "low", "high", "row_weight", "column_weight"].map(str::to_owned).to_vec()];
        let (grid, best) = (&self.asked.grid, &self.found.best);
        for (row, scores) in self.found.scores.iter().enumerate() {
            for (column, score) in scores.iter().enumerate() {
                let numbers = [score.point, score.low, score.high, best.rows[row], best.columns[column]];
                let names = [grid.rows[row].clone(), grid.columns[column].clone()];
                records.push(names.into_iter().chain(numbers.map(|number| number.to_string())).collect());
            }
        }
        records
    }

    fn chart(&self) -> Option<Chart> {
        let grid = &self.asked.grid;
        if grid.rows.len() > MAP.0 || grid.columns.len() > MAP.1 {
            return None;
        }
        let square = |row: usize, column: usize| {
            let cell = grid.cell(row, column).unwrap_or(0);
            Some((self.study.cells[cell].header.cell, self.found.scores[row][column]))
        };
        let line = |row: usize| (0..grid.columns.len()).map(|column| square(row, column)).collect();
        let [first, second] = [0, 1].map(|side| self.study.sides[side].clone());
        let (finding, who) = if grid.symmetric {
            (format!("best choice: {}", chosen(&self.choices(Side::First))), "the choice in the row")
        } else {
            let value = self.found.value.percent();
            (format!("{first} scores {value} if both sides choose well"), first.as_str())
        };
        let heat = Heat {
            finding: capitalised(&finding),
            side: (format!("{who} (a draw counts half)"), Side::First),
            rows: (first.clone(), grid.rows.clone()),
            columns: (second, grid.columns.clone()),
            facets: vec![Facet { title: String::new(), squares: (0..grid.rows.len()).map(line).collect() }],
        };
        let how = if self.asked.exact.is_some() { "Exact".to_owned() } else { self.fought() };
        Some(Chart {
            data: ChartData::Heat(heat),
            caption: format!("{how}. Rerun: {}", self.command),
            exchanged: false,
        })
    }
}

/// What a side chooses, the most frequent first: `square 61 % (58–64) and line 39 % (36–42)`.
fn chosen(choices: &[Choice<'_>]) -> String {
    let mut used: Vec<&Choice<'_>> = choices.iter().filter(|one| one.weight > 0.0).collect();
    used.sort_by(|one, other| other.weight.total_cmp(&one.weight));
    match used.as_slice() {
        [only] => only.name.to_owned(),
        used => {
            let one = |one: &&Choice<'_>| format!("{} in {}", one.name, one.weight());
            series(&used.iter().map(one).collect::<Vec<_>>(), "and")
        }
    }
}

/// The mean of scores, with the means of their limits. The interval holds if the scores' own intervals do.
fn mean(scores: &[Estimate]) -> Estimate {
    let of = |end: fn(&Estimate) -> f64| scores.iter().map(end).sum::<f64>() / scores.len() as f64;
    let (point, low, high) = (of(|score| score.point), of(|score| score.low), of(|score| score.high));
    scores
        .iter()
        .find(|score| !score.is_computed())
        .map_or_else(|| Estimate::computed(point), |sampled| Estimate { point, low, high, ..*sampled })
}

/// A score in per cent with the longer half of its interval: `79.7 ±0.6`.
fn percent(score: &Estimate) -> String {
    if score.is_computed() {
        return format!("{:.2}", 100.0 * score.point);
    }
    let half = 100.0 * score.half_width();
    let places = decimals(half);
    format!("{:.places$} {}", 100.0 * score.point, margin(half, places))
}
