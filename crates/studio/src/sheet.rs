//! The controls of the page: numbers and rules under the clauses they implement.

use std::collections::BTreeMap;

use grognard_lab::METRICS;
use grognard_lab::coverage::coverage;
use grognard_lab::progress::{Silent, Stop};
use grognard_lab::questions::Trial;
use grognard_lab::results::names_of_quantities;
use grognard_lab::sensitivity::Quantity;
use grognard_lab::study::{Change, Number, Rule, Study, Switch};
use grognard_source::Path;
use grognard_stats::Level;
use serde::Serialize;

use crate::ask::Fault;

/// The maximum distance of a number from 0, in thousandths.
const FAR: i64 = 1_000_000_000;

/// The controls, and what the page shows around them.
#[derive(Clone, Debug)]
pub struct Sheet {
    numbers: BTreeMap<String, Number>,
    rules: BTreeMap<String, Switch>,
    json: String,
}

/// The sheet as the page reads it.
#[derive(Debug, Serialize)]
struct SheetJson<'a> {
    /// The words that name the study after `grognard compare`.
    words: &'a str,
    title: &'a str,
    question: &'a str,
    packs: String,
    seed: u64,
    /// The number of battles in each cell that were fought to see what the study uses.
    looked: u64,
    level: f64,
    metrics: Vec<MetricJson>,
    axes: Vec<AxisJson>,
    cells: Vec<CellJson>,
    groups: Vec<Group>,
}

#[derive(Debug, Serialize)]
struct MetricJson {
    name: String,
    title: String,
    share: bool,
}

/// A varied path, and its values by name.
#[derive(Debug, Serialize)]
struct AxisJson {
    name: String,
    values: Vec<String>,
}

/// A cell, and the index of its value on each axis; `None` if it has no value there.
#[derive(Debug, Serialize)]
struct CellJson {
    label: String,
    values: Vec<Option<usize>>,
}

/// A clause with the numbers and rules that implement it, or a part of the pack without a clause.
#[derive(Debug, Serialize)]
struct Group {
    name: String,
    text: String,
    numbers: Vec<NumberJson>,
    rules: Vec<RuleJson>,
}

#[derive(Debug, Serialize)]
struct NumberJson {
    key: String,
    name: String,
    value: i64,
    pip: i64,
    varied: bool,
}

#[derive(Debug, Serialize)]
struct RuleJson {
    key: String,
    name: String,
    clauses: Vec<String>,
}

impl Sheet {
    /// The sheet of a study with these numbers, and the rules that are used in this many battles in each cell.
    pub(crate) fn of(trial: &Trial<'_>, mut numbers: Vec<Number>, looked: u64, level: Level, words: &str) -> Self {
        let study = trial.study();
        let switches = reached(study, trial.variants().switches(), looked);
        numbers.extend(trial.variants().of_deployment());
        let several = !study.more_packs.is_empty();
        let prefix = |pack: Option<&str>| match pack.filter(|_| several) {
            Some(pack) => format!("{pack}: "),
            None => String::new(),
        };
        let mut groups: Vec<Group> = Vec::new();
        let mut known = Self { numbers: BTreeMap::new(), rules: BTreeMap::new(), json: String::new() };
        for number in numbers {
            let nth = number.nth.filter(|_| !number.alone).map_or(String::new(), |nth| format!("[{}]", nth + 1));
            let key = format!("{}{}{nth}", prefix(number.pack.as_deref()), number.path);
            let (name, text) = home_of(study, &switches, &number);
            let name = format!("{}{name}", prefix(number.pack.as_deref()));
            let name_of_number = match &number.within {
                Some(within) if number.alone => format!("{}: {within}", number.words()),
                _ => number.words(),
            };
            let control = NumberJson {
                key: key.clone(),
                name: name_of_number,
                value: number.value,
                pip: number.pip,
                varied: number.varied,
            };
            group(&mut groups, name, text).numbers.push(control);
            known.numbers.insert(key, number);
        }
        for switch in switches {
            let key = format!("{}{}", prefix(Some(&switch.pack)), switch.name());
            let (name, text) = place(study, &switch.clauses, &switch_root(&switch));
            let name = format!("{}{name}", prefix(Some(&switch.pack)));
            let control = RuleJson { key: key.clone(), name: switch.name(), clauses: switch.clauses.clone() };
            group(&mut groups, name, text).rules.push(control);
            known.rules.insert(key, switch);
        }
        let names = names_of_quantities(&study.sides);
        let metric = |name: &String| {
            let quantity = Quantity::of(study, Some(name))?;
            let title = if quantity.is_wins() { format!("{name} wins") } else { title_of(name) };
            Some(MetricJson { name: name.clone(), title, share: quantity.share })
        };
        let axes: Vec<_> = study.vary.iter().filter(|varied| varied.values.len() > 1).collect();
        let labels = &study.report.labels;
        let json = SheetJson {
            words,
            title: &study.header.title,
            question: &study.report.question,
            packs: study.pack_line(),
            seed: study.seed,
            looked,
            level: level.get(),
            metrics: names.iter().filter_map(metric).collect(),
            axes: (axes.iter())
                .map(|varied| AxisJson {
                    name: labels.path(&varied.path).unwrap_or(&varied.path).to_owned(),
                    values: (varied.values.iter())
                        .map(|value| labels.value(&varied.path, value).unwrap_or(&value.text).to_owned())
                        .collect(),
                })
                .collect(),
            cells: (study.cells.iter())
                .map(|cell| CellJson {
                    label: cell.header.label.clone(),
                    values: (axes.iter())
                        .map(|varied| {
                            let own = cell.header.vary.iter().find(|setting| setting.path == varied.path)?;
                            varied.values.iter().position(|value| value.text == own.value.text)
                        })
                        .collect(),
                })
                .collect(),
            groups,
        };
        // Numbers and texts can always be serialised.
        known.json = serde_json::to_string(&json).unwrap_or_default();
        known
    }

    /// The sheet as JSON, for the page.
    #[must_use]
    pub fn json(&self) -> &str {
        &self.json
    }

    /// Keys of the numbers with their values, in thousandths.
    pub fn numbers(&self) -> impl Iterator<Item = (&str, i64)> {
        self.numbers.iter().map(|(key, number)| (key.as_str(), number.value))
    }

    /// Keys of the rules.
    pub fn rules(&self) -> impl Iterator<Item = &str> {
        self.rules.keys().map(String::as_str)
    }

    pub(crate) fn changes(&self, changes: &BTreeMap<String, i64>) -> Result<Vec<Change<'_>>, Fault> {
        let change = |(key, &value): (&String, &i64)| {
            let number = self.numbers.get(key);
            let number = number.ok_or_else(|| Fault::new(format!("the study has no number `{key}`")))?;
            if !(-FAR..=FAR).contains(&value) {
                return Err(Fault::new(format!("`{key}` is too large a number")));
            }
            Ok(Change { number, value })
        };
        changes.iter().map(change).collect()
    }

    pub(crate) fn off(&self, off: &[String]) -> Result<Vec<&Switch>, Fault> {
        let rule =
            |key: &String| self.rules.get(key).ok_or_else(|| Fault::new(format!("the study has no rule `{key}`")));
        off.iter().map(rule).collect()
    }

    pub(crate) fn quantity(&self, study: &Study, name: &str) -> Result<Quantity, Fault> {
        let name = Some(name).filter(|name| !name.is_empty());
        let unknown = || Fault::new(format!("the study has no metric `{}`", name.unwrap_or_default()));
        Quantity::of(study, name).ok_or_else(unknown)
    }
}

/// The rules in use, if their use is counted.
fn reached(study: &Study, switches: Vec<Switch>, looked: u64) -> Vec<Switch> {
    let Some(coverage) = coverage(study, looked, &Silent, &Stop::new()) else { return switches };
    let battles = |switch: &Switch| match &switch.what {
        Rule::Row(path) => coverage.rows().get(&path.to_string()),
        Rule::Clause(clause, _) => coverage.clauses().get(clause),
    };
    switches.into_iter().filter(|switch| battles(switch).is_none_or(|count| count.battles > 0)).collect()
}

/// A metric's name in words: `defender.losses` is the figures that the defender loses.
fn title_of(name: &str) -> String {
    let metric =
        name.split_once('.').and_then(|(side, key)| Some((side, METRICS.iter().find(|metric| metric.key == key)?)));
    match metric {
        Some((side, metric)) => format!("{side}: {}", metric.title),
        None => name.to_owned(),
    }
}

/// The group of a number: the clause of the innermost rule around it, or its part of the pack.
fn home_of(study: &Study, switches: &[Switch], number: &Number) -> (String, String) {
    let Some(pack) = &number.pack else {
        return ("Deployment".to_owned(), "The forces in the study.".to_owned());
    };
    let around = switches.iter().filter(|switch| switch.pack == *pack).filter_map(|switch| match &switch.what {
        Rule::Row(path) if number.path.segments().starts_with(path.segments()) => Some((path.len(), &switch.clauses)),
        _ => None,
    });
    let clauses = around.max_by_key(|(depth, _)| *depth).map_or(&[][..], |(_, clauses)| clauses);
    place(study, clauses, &number.path)
}

/// The name and text of the group for rows that cite these clauses or are at this path.
fn place(study: &Study, clauses: &[String], path: &Path) -> (String, String) {
    if let Some(clause) = clauses.iter().find(|clause| *clause != "house") {
        let all = study.cells.iter().flat_map(|cell| cell.rules.clauses.iter());
        let text = all.into_iter().find(|known| known.id == *clause).map(|known| known.text.clone());
        return (format!("Clause {clause}"), text.unwrap_or_default());
    }
    let first = path.segments().iter().take(2).map(String::as_str).collect::<Vec<_>>().join(" ");
    (first, String::new())
}

fn switch_root(switch: &Switch) -> Path {
    match &switch.what {
        Rule::Row(path) => path.clone(),
        Rule::Clause(..) => Path::root(),
    }
}

fn group(groups: &mut Vec<Group>, name: String, text: String) -> &mut Group {
    let at = groups.iter().position(|group| group.name == name).unwrap_or_else(|| {
        groups.push(Group { name, text, numbers: Vec::new(), rules: Vec::new() });
        groups.len() - 1
    });
    &mut groups[at]
}
