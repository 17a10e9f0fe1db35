//! A study with other numbers in its rules: the same cells, made ready again.

use std::collections::BTreeMap;

use grognard_rules::expr::numbers as numbers_of_text;
use grognard_rules::source::{Diagnostics, Node, Path, Sources, Value};

use super::names::Entry;
use super::part::{self, Planned};
use super::texts::{Written, of_texts, varied_paths};
use super::{Cell, Study};

/// Keys that hold words about a rule and not the rule.
const WORDS: [&str; 10] = ["title", "about", "note", "cite", "text", "id", "unreached", "version", "pack", "extends"];

/// A number written in the rules or in the deployment: the value at a path, or one of the numbers in the expression there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Number {
    /// The pack, as the study names it; none for a number of the deployment.
    pub pack: Option<String>,
    /// Its path.
    pub path: Path,
    /// Which of the numbers of an expression it is, from 0; none if it is the value itself.
    pub nth: Option<usize>,
    /// Whether the expression has others.
    pub shares: bool,
    /// What it is, in thousandths.
    pub value: i64,
    /// A step that suits it, in thousandths: 1, or for a number with decimals the largest of 0.5, 0.25, 0.1, 0.05, 0.01, 0.005
    /// and 0.001 that it is a multiple of; from 20 on at most a twentieth of it, 1, 2 or 5 times a power of ten.
    pub pip: i64,
}

/// A number that is to be another one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Change<'a> {
    /// The number.
    pub number: &'a Number,
    /// What it is to be, in thousandths.
    pub value: i64,
}

/// A study whose numbers can be changed.
pub struct Variants<'s> {
    parts: Vec<Planned<'s>>,
    varied: Vec<Path>,
}

impl Number {
    fn new(pack: Option<&str>, path: &Path, nth: Option<usize>, shares: bool, value: i64) -> Self {
        let pack = pack.map(str::to_owned);
        Self { pack, path: path.clone(), nth, shares, value, pip: pip(value) }
    }

    /// Its path, and for one of several numbers of an expression which: `roll.fire.own.count (2nd)`.
    #[must_use]
    pub fn name(&self) -> String {
        match self.nth.filter(|_| self.shares).map(|nth| nth + 1) {
            None => self.path.to_string(),
            Some(nth) => {
                let end = match (nth % 10, nth % 100) {
                    (_, 11..=13) => "th",
                    (1, _) => "st",
                    (2, _) => "nd",
                    (3, _) => "rd",
                    _ => "th",
                };
                format!("{} ({nth}{end})", self.path)
            }
        }
    }
}

/// Thousandths as a number is written: `7`, `-0.5`.
#[must_use]
pub fn written_as(thousandths: i64) -> String {
    let sign = if thousandths < 0 { "-" } else { "" };
    let (whole, part) = (thousandths.unsigned_abs() / 1_000, thousandths.unsigned_abs() % 1_000);
    let part = format!("{part:03}");
    let decimals = part.trim_end_matches('0');
    if decimals.is_empty() { format!("{sign}{whole}") } else { format!("{sign}{whole}.{decimals}") }
}

fn pip(value: i64) -> i64 {
    let size = value.saturating_abs();
    if size >= 20_000 {
        let most = size / 20;
        let power = 10_i64.pow(most.ilog10());
        return [5, 2].into_iter().map(|factor| factor * power).find(|pip| *pip <= most).unwrap_or(power);
    }
    [1_000, 500, 250, 100, 50, 10, 5].into_iter().find(|pip| size % pip == 0).unwrap_or(1)
}

/// A number in thousandths; none for one that is finer, or too large.
fn thousandths(value: &Value) -> Option<i64> {
    match value {
        Value::Int(whole) => whole.checked_mul(1_000),
        Value::Float(number) => {
            let scaled = (number * 1e3).round();
            ((scaled / 1e3 - number).abs() < 1e-9 && scaled.abs() < 1e12).then_some(scaled as i64)
        }
        _ => None,
    }
}

impl<'s> Variants<'s> {
    /// The study, to be changed.
    ///
    /// # Errors
    /// The study's texts are not its own.
    pub fn of(study: &Study, sources: &'s mut Sources) -> Result<Self, Diagnostics> {
        let texts: Vec<&str> =
            std::iter::once(&study.pack).chain(&study.more_packs).map(|pack| pack.text.as_str()).collect();
        let Written { wire, parts, packs, .. } = of_texts(&study.header.text, &texts, sources)?;
        let varied = varied_paths(&study.vary);
        let mut planned = Vec::new();
        for (part, pack) in parts.into_iter().zip(packs) {
            planned.push(part::plan(part, pack, &varied, wire.both_ways, sources)?);
        }
        Ok(Self { parts: planned, varied })
    }

    /// Every number of the packs, in the order of their files, but for those that the study varies, and how many these are.
    #[must_use]
    pub fn of_packs(&self) -> (Vec<Number>, usize) {
        let (mut numbers, mut varied) = (Vec::new(), 0);
        for (at, part) in self.parts.iter().enumerate() {
            if self.parts[..at].iter().any(|other| other.name == part.name) {
                continue;
            }
            for (path, node) in part.ground.pack.leaves() {
                let found = found(Some(&part.name), &path, node);
                if self.varied.contains(&path) {
                    varied += found.len();
                } else {
                    numbers.extend(found);
                }
            }
        }
        (numbers, varied)
    }

    /// Every number of the deployment that the study does not vary: figures, places, turns.
    #[must_use]
    pub fn of_deployment(&self) -> Vec<Number> {
        let mut numbers: Vec<Number> = Vec::new();
        for (path, node) in self.parts.iter().flat_map(|part| part.ground.setup.document.leaves()) {
            if !self.varied.contains(&path) && numbers.iter().all(|known| known.path != path) {
                numbers.extend(found(None, &path, node));
            }
        }
        numbers
    }

    /// Whether the study varies this path.
    #[must_use]
    pub fn varies(&self, path: &Path) -> bool {
        self.varied.contains(path)
    }

    /// The `--set` that makes the change.
    #[must_use]
    pub fn setting(&self, change: Change<'_>) -> String {
        let entries = self.parts.iter().flat_map(|part| entries(part, &[change]));
        entries.map(|entry| format!("{}={}", entry.path, entry.node.value)).next().unwrap_or_default()
    }

    /// The chosen cells of `study`, by place, with these changes; nothing is counted along their battles.
    ///
    /// # Errors
    /// The rules or the deployment do not allow such a number.
    pub fn cells(&self, study: &Study, chosen: &[usize], changes: &[Change<'_>]) -> Result<Vec<Cell>, Diagnostics> {
        let mut cells: Vec<(usize, Cell)> = Vec::new();
        let mut first = 0;
        for part in &self.parts {
            let own: Vec<usize> =
                chosen.iter().copied().filter(|cell| (first..first + part.plans.len()).contains(cell)).collect();
            let entries = entries(part, changes);
            let header = |cell: usize| study.cells[cell].header.clone();
            if entries.is_empty() {
                cells.extend(own.iter().map(|&cell| (cell, Cell { gauges: Vec::new(), ..study.cells[cell].clone() })));
            } else {
                let plans: Vec<_> = own
                    .iter()
                    .map(|&cell| {
                        let mut plan = part.plans[cell - first].clone();
                        plan.settings.extend(entries.iter().cloned());
                        plan
                    })
                    .collect();
                let (built, _) = part.ground.build(&plans)?;
                cells.extend(own.into_iter().zip(built).map(|(cell, built)| {
                    let (rules, setup, swapped) = (built.rules, built.setup, built.swapped);
                    (cell, Cell { header: header(cell), rules, setup, gauges: Vec::new(), swapped })
                }));
            }
            first += part.plans.len();
        }
        let place = |cell: usize| chosen.iter().position(|&one| one == cell);
        cells.sort_by_key(|(cell, _)| place(*cell));
        Ok(cells.into_iter().map(|(_, cell)| cell).collect())
    }
}

/// The numbers at a path: the value, or those of an expression.
fn found(pack: Option<&str>, path: &Path, node: &Node) -> Vec<Number> {
    let segments = path.segments();
    let words = |segment: &String| WORDS.contains(&segment.as_str());
    if segments.first().is_some_and(|first| first == "clause") || segments.iter().rev().take(2).any(words) {
        return Vec::new();
    }
    match &node.value {
        Value::Text(text) => {
            let ranges = numbers_of_text(text);
            let several = ranges.len() > 1;
            let read = |(nth, range): (usize, std::ops::Range<usize>)| {
                let value: f64 = text[range].replace(' ', "").parse().ok()?;
                Some(Number::new(pack, path, Some(nth), several, thousandths(&Value::Float(value))?))
            };
            ranges.into_iter().enumerate().filter_map(read).collect()
        }
        value => thousandths(value).map(|value| Number::new(pack, path, None, false, value)).into_iter().collect(),
    }
}

/// What the changes put at paths of a part, those within one expression together.
fn entries(part: &Planned<'_>, changes: &[Change<'_>]) -> Vec<Entry> {
    let mut paths: BTreeMap<&Path, Vec<&Change<'_>>> = BTreeMap::new();
    let concerns = |number: &Number| number.pack.as_ref().is_none_or(|pack| *pack == part.name);
    for change in changes.iter().filter(|change| concerns(change.number)) {
        paths.entry(&change.number.path).or_default().push(change);
    }
    let entry = |(path, changes): (&Path, Vec<&Change<'_>>)| {
        let document = if part.ground.setup.owns(path) { &part.ground.setup.document } else { &part.ground.pack };
        let node = document.get(path)?;
        Some(Entry {
            path: path.clone(),
            span: node.span,
            node: Node { value: changed(&node.value, &changes), ..*node },
        })
    };
    paths.into_iter().filter_map(entry).collect()
}

fn changed(value: &Value, changes: &[&Change<'_>]) -> Value {
    match value {
        Value::Text(text) => {
            let mut text = text.clone();
            // From the last number to the first: those before it stay where they are.
            for (nth, range) in numbers_of_text(&text).into_iter().enumerate().rev() {
                if let Some(change) = changes.iter().find(|change| change.number.nth == Some(nth)) {
                    text.replace_range(range, &written_as(change.value));
                }
            }
            Value::Text(text)
        }
        _ => match changes.last().map(|change| change.value) {
            Some(number) if number % 1_000 == 0 && matches!(value, Value::Int(_)) => Value::Int(number / 1_000),
            Some(number) => Value::Float(number as f64 / 1e3),
            None => value.clone(),
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::study::Changes;

    fn study(sources: &mut Sources) -> Study {
        let text = "study = 'duel'\npack = 'risk'\nturns = 60\n[vary]\n'defender.0.figures' = [3, 4]\n\
            [side.attacker]\nunits = [{ type = 'army', figures = 5 }]\n[side.defender]\nunits = [{ type = 'army' }]\n";
        let file = sources.add("study.toml", text);
        Study::read(file, None, &Changes::default(), sources).expect("a good study")
    }

    #[test]
    fn a_step_suits_its_number() {
        let steps = [(0, 1_000), (7_000, 1_000), (-19_000, 1_000), (20_000, 1_000), (40_000, 2_000), (100_000, 5_000)];
        for (value, step) in
            steps.into_iter().chain([(2_500, 500), (750, 250), (1_200, 100), (12, 1), (360_000, 10_000)])
        {
            assert_eq!(pip(value), step, "{value}");
        }
        assert!(pip(i64::MAX) > 0 && pip(i64::MIN) > 0);
        assert_eq!([written_as(-7_000), written_as(500), written_as(-1_250)], ["-7", "0.5", "-1.25"]);
    }

    #[test]
    fn numbers_of_a_pack_are_its_values_and_those_of_its_expressions() {
        let mut sources = Sources::new();
        let study = study(&mut sources);
        let variants = Variants::of(&study, &mut sources).expect("its own texts");
        let (numbers, varied) = variants.of_packs();
        let named: Vec<(String, i64)> = numbers.iter().map(|number| (number.name(), number.value)).collect();
        assert_eq!(
            named,
            [
                ("unit.army.figures".to_owned(), 40_000),
                ("roll.assault.own.count".to_owned(), 3_000),
                ("roll.assault.foe.count".to_owned(), 2_000),
                ("victory.broken".to_owned(), 100_000),
            ]
        );
        assert_eq!(varied, 0);
        let deployed: Vec<String> = variants.of_deployment().iter().map(Number::name).collect();
        assert_eq!(deployed, ["turns", "attacker.0.figures"]);
    }

    #[test]
    fn a_changed_number_makes_the_cells_that_set_makes() {
        let mut sources = Sources::new();
        let study = study(&mut sources);
        let variants = Variants::of(&study, &mut sources).expect("its own texts");
        let (numbers, _) = variants.of_packs();
        let change = Change { number: &numbers[1], value: 2_000 };
        assert_eq!(variants.setting(change), "roll.assault.own.count=\"math.least(self.figures, 2)\"");
        let cells = variants.cells(&study, &[1], &[change]).expect("two dice are allowed");
        assert_eq!(cells.len(), 1);
        assert_eq!(cells[0].header, study.cells[1].header);
        assert!(!std::sync::Arc::ptr_eq(&cells[0].rules, &study.cells[1].rules));
        let none = Change { number: &numbers[0], value: 0 };
        assert!(variants.cells(&study, &[0, 1], &[none]).is_err(), "nobody has no figures");
    }
}
