//! Prices, in words and numbers.

use grognard_lab::questions::{PricedPair, PricedTrait, PricedUnit, Provenance};
use grognard_report::Chart;
use grognard_report::charts::{TORNADO_ROWS, Tornado, TornadoBar, TornadoRow};
use grognard_stats::{Estimate, decimals};
use serde_json::Value as Json;

use super::Report;
use crate::answer::Answer;
use crate::table::Column;
use crate::text::{as_title, capitalised, counted, plural, series, true_minus};

/// The heading of the table of traits.
const TRAITS: &str = "What each trait adds to the price of a unit:";
/// The heading of the table of pairs.
const PAIRS: &str = "Pairs of units that are worth more or less together than the sum of their prices:";

impl Report<'_> {
    /// The answer in every form.
    pub(super) fn answer(&self) -> Answer {
        let units = self.found.by_price();
        Answer {
            name: "points",
            title: self.study.header.title.clone(),
            asked: "What should each unit cost?".to_owned(),
            fought: self.fought(),
            sentences: self.sentences(&units),
            columns: self.columns(&units),
            more: vec![(TRAITS.to_owned(), self.traits()), (PAIRS.to_owned(), self.pairs())],
            legend: self.legend(),
            json: self.json(),
            records: self.records(&units),
            chart: self.chart(&units),
            command: self.command.clone(),
        }
    }

    fn fought(&self) -> String {
        format!(
            "{} pairs of armies, {} in all, seed {}, {}",
            counted(self.found.fought / self.asked.battles),
            plural(self.found.fought, "battle"),
            self.study.seed,
            self.study.pack_line()
        )
    }

    fn has_given(&self) -> bool {
        self.asked.given.iter().any(Option::is_some)
    }

    fn sentences(&self, units: &[&PricedUnit]) -> Vec<String> {
        let mut sentences = Vec::new();
        if let (Some(dearest), Some(cheapest)) = (units.first(), units.last()) {
            sentences.push(format!(
                "Worth most: {}, {} points; least: {}, {}.",
                dearest.name,
                price(&dearest.points),
                cheapest.name,
                price(&cheapest.points)
            ));
        }
        for (dear, what) in [(false, "too cheap"), (true, "too dear")] {
            let mut wrong: Vec<&&PricedUnit> = units.iter().filter(|unit| unit.is_dear() == Some(dear)).collect();
            let off = |unit: &PricedUnit| unit.given.map_or(0.0, |given| (given / unit.points.point).ln().abs());
            wrong.sort_by(|one, other| off(other).total_cmp(&off(one)));
            let names: Vec<String> = wrong
                .iter()
                .map(|unit| {
                    format!(
                        "{} ({} printed, worth {})",
                        unit.name,
                        plain(unit.given.unwrap_or(0.0)),
                        price(&unit.points)
                    )
                })
                .collect();
            if !names.is_empty() {
                sentences.push(format!("Clearly {what}: {}.", series(&names, "and")));
            }
        }
        if self.has_given() && units.iter().all(|unit| unit.is_dear().is_none()) {
            sentences.push("None of the printed prices is clearly wrong.".to_owned());
        }
        let held_out = &self.found.held_out;
        let mut told = format!(
            "In {} held out from the fit, the more expensive army scores {}",
            plural(held_out.battles, "battle"),
            held_out.fitted.percent()
        );
        told += &format!("; by whole-number prices {}", held_out.whole.percent());
        if let Some(given) = &held_out.given {
            told += &format!("; with the printed prices {}", given.percent());
        }
        if let Some(with_pairs) = &held_out.with_pairs {
            told += &format!("; with prices and pairs {}", with_pairs.percent());
        }
        sentences.push(told + ".");
        if let Some(pair) = self.found.pairs.first() {
            let sense = if pair.beyond.point > 0.0 { "more" } else { "less" };
            let names = match pair.types {
                [one, other] if one == other => format!("Two units of {}", self.found.units[one].name),
                [one, other] => {
                    capitalised(&format!("{} and {}", self.found.units[one].name, self.found.units[other].name))
                }
            };
            sentences.push(format!(
                "{names} in the same army are worth {sense} than their prices: {}.",
                price(&pair.beyond)
            ));
        }
        if self.found.stopped {
            sentences
                .push("The search was stopped: the prices come from the armies that had fought by then.".to_owned());
        }
        sentences
    }

    fn columns(&self, units: &[&PricedUnit]) -> Vec<Column> {
        let column = |head: &str, text: &dyn Fn(&PricedUnit) -> String| {
            Column::new(head, units.iter().map(|unit| text(unit)).collect())
        };
        let mut columns = with_interval("points", units.iter().map(|unit| &unit.points));
        columns.push(column("whole", &|unit| true_minus(&unit.whole.to_string())).right());
        if self.has_given() {
            let printed = |unit: &PricedUnit| unit.given.map_or_else(|| "–".to_owned(), plain);
            columns.push(column("printed", &printed).right());
            columns.push(column("", &|unit| unit.verdict().to_owned()));
        }
        columns.push(column("unit", &|unit| unit.name.clone()));
        columns
    }

    fn traits(&self) -> Vec<Column> {
        let column = |head: &str, text: &dyn Fn(&PricedTrait) -> String| {
            Column::new(head, self.found.traits.iter().map(text).collect())
        };
        let mut columns = with_interval("points", self.found.traits.iter().map(|one| &one.points));
        columns.extend([
            column("whole", &|one| true_minus(&one.whole.to_string())).right(),
            column("trait", &|one| one.name.clone()),
            column("unit", &|one| one.bearers.join(", ")),
        ]);
        columns
    }

    fn pairs(&self) -> Vec<Column> {
        let pairs = &self.found.pairs;
        let column =
            |head: &str, text: &dyn Fn(&PricedPair) -> String| Column::new(head, pairs.iter().map(text).collect());
        let name = |pair: &PricedPair, at: usize| self.found.units[pair.types[at]].name.clone();
        let mut columns = with_interval("beyond", pairs.iter().map(|pair| &pair.beyond));
        columns.extend([column("unit", &|pair| name(pair, 0)), column("and", &|pair| name(pair, 1))]);
        columns
    }

    fn legend(&self) -> Vec<String> {
        let scale = match self.asked.given.iter().flatten().count() {
            0 => "Scale: the mean price of all types is 10.",
            1 => "Scale: set by the printed price.",
            _ => "Scale: the types with a printed price cost the same in total as printed.",
        };
        let mut legend = vec![
            format!(
                "points: what a unit adds to the odds of its army. {scale} whole: the whole-number prices that fit \
                 these battles best."
            ),
            format!("The edge: playing {} is worth {} points by itself.", self.study.sides[0], price(&self.found.edge)),
            self.guarantee(),
        ];
        if !self.found.traits.is_empty() {
            legend.push(
                "A trait's price: what a unit with it costs more than the same unit without it. A unit's price includes its traits."
                    .to_owned(),
            );
        }
        let pairs = plural(self.found.pairs_tried as u64, "pair");
        legend.push(if self.found.pairs.is_empty() {
            format!("None of {pairs} of types is clearly worth more or less than the sum of its prices.")
        } else {
            format!(
                "beyond: points for every such pair in an army, fitted along with the prices, one pair at a time. Of {pairs} tried, those \
                 whose interval excludes 0 are listed."
            )
        });
        if self.found.refused > 0 {
            let pairs = plural(self.found.refused as u64, "pair");
            legend.push(format!("{pairs} of armies could not be deployed and were drawn again."));
        }
        legend
    }

    fn guarantee(&self) -> String {
        format!(
            "{} % for the prices of all {}{}, the edge, {} of types and the scores of held-out armies together, fitted to {} pairs of armies. \
             Intervals of prices and pairs use a normal approximation. For these players and deployments.",
            100.0 * self.asked.level.get(),
            plural(self.asked.types.len() as u64, "type"),
            match self.found.traits.len() as u64 {
                0 => String::new(),
                traits => format!(" and {}", plural(traits, "trait")),
            },
            plural(self.found.pairs_tried as u64, "pair"),
            counted(self.found.armies as u64)
        )
    }

    fn json(&self) -> Json {
        let words = Provenance { guarantee: self.guarantee(), command: self.command.clone() };
        self.asked.json(self.study, self.found, &words)
    }

    fn records(&self, units: &[&PricedUnit]) -> Vec<Vec<String>> {
        let record = |name: String, points: &Estimate, whole: i64, printed: String| -> Vec<String> {
            let numbers = [points.point, points.low, points.high].map(|number| number.to_string());
            [name].into_iter().chain(numbers).chain([whole.to_string(), printed]).collect()
        };
        let head = ["unit", "points", "low", "high", "whole", "printed"].map(str::to_owned).to_vec();
        let units = units.iter().map(|unit| {
            record(unit.name.clone(), &unit.points, unit.whole, unit.given.map_or_else(String::new, plain))
        });
        let traits = self.found.traits.iter();
        let traits = traits.map(|one| record(format!("trait: {}", one.name), &one.points, one.whole, String::new()));
        std::iter::once(head).chain(units).chain(traits).collect()
    }

    fn chart(&self, units: &[&PricedUnit]) -> Option<Chart> {
        let row = |unit: &&PricedUnit| TornadoRow {
            name: unit.name.clone(),
            bars: vec![TornadoBar {
                label: figure(unit.points.point, &unit.points),
                effect: unit.points,
                larger: true,
            }],
        };
        let hidden = units.len().saturating_sub(TORNADO_ROWS);
        let more = if hidden == 0 { String::new() } else { format!(" {hidden} cheaper ones are not shown.") };
        Tornado {
            name: "prices",
            finding: as_title(&self.sentences(units)),
            about: format!("Price of each unit, in points. Lines: simultaneous intervals.{more}"),
            unit: "points".to_owned(),
            // Some units may be worth less than nothing.
            sizes: units.iter().all(|unit| unit.points.point >= 0.0),
            key: [String::new(), String::new()],
            rows: units.iter().map(row).collect(),
        }
        .chart(format!("{}. Rerun: {}", self.fought(), self.command))
    }
}

/// `12.3 (11.8 to 12.9)`.
fn price(points: &Estimate) -> String {
    let [point, low, high] = [points.point, points.low, points.high].map(|value| figure(value, points));
    format!("{point} ({low} to {high})")
}

/// Columns of points under this heading, and of the limits of their intervals.
fn with_interval<'e>(head: &str, points: impl Iterator<Item = &'e Estimate>) -> Vec<Column> {
    let points: Vec<&Estimate> = points.collect();
    let column = |head: &str, value: fn(&Estimate) -> f64| {
        Column::new(head, points.iter().map(|one| figure(value(one), one)).collect()).right()
    };
    vec![column(head, |one| one.point), column("from", |one| one.low), column("to", |one| one.high)]
}

/// A number of points with the digits that the price's interval supports.
fn figure(value: f64, points: &Estimate) -> String {
    let text = format!("{value:.*}", decimals(points.half_width()).min(3));
    let zero = text.bytes().all(|byte| matches!(byte, b'-' | b'0' | b'.'));
    if zero { text.trim_start_matches('-').to_owned() } else { true_minus(&text) }
}

/// A price as it was given.
fn plain(price: f64) -> String {
    format!("{price}")
}
