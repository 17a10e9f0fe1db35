//! Variants: a study with other numbers in its rules and the same cells, built again.

use std::collections::BTreeMap;

use grognard_engine::Deployment;
use grognard_expr::numbers as numbers_of_text;
use grognard_source::{Diagnostic, Diagnostics, Document, Node, Path, Sources, Value};

use super::cells::Built;
use super::expand::CellPlan;
use super::names::Entry;
use super::part::{self, Planned};
use super::texts::{Written, of_texts, varied_paths};
use super::{Cell, Study};

/// Keys that describe a rule but do not affect it.
const WORDS: [&str; 10] = ["title", "about", "note", "cite", "text", "id", "unreached", "version", "pack", "extends"];

/// A number written in the rules or in the deployment: the value at a path, or one of the numbers in the expression
/// there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Number {
    /// The pack, as the study names it; `None` for a number of the deployment.
    pub pack: Option<String>,
    /// Its path.
    pub path: Path,
    /// The clauses that the pack cites for it.
    pub clauses: Vec<String>,
    /// Which of the numbers of an expression it is, from 0; `None` if it is the value itself.
    pub nth: Option<usize>,
    /// For a number in an expression, the text around it, with the number in brackets: `(self.figures + [1]) / 2`.
    pub within: Option<String>,
    /// Whether it is the only number at its path; the path then identifies it.
    pub alone: bool,
    /// Whether the study varies it: a change then shifts the value of every cell by as much as it shifts this one.
    pub varied: bool,
    /// Its value, in thousandths; for a number that the study varies, its value in the pack.
    pub value: i64,
    /// A suitable step, in thousandths: 1 or, for a number with decimals, the largest of 0.5, 0.25, 0.1, 0.05, 0.01,
    /// 0.005 and 0.001 that divides it; from 20 on, 1, 2 or 5 times a power of ten, at most a twentieth of the number.
    pub pip: i64,
}

/// A number that gets another value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Change<'a> {
    /// The number.
    pub number: &'a Number,
    /// The new value, in thousandths.
    pub value: i64,
}

/// A study whose numbers can be changed.
pub struct Variants<'s> {
    /// The study, as read.
    pub(super) document: Document,
    pub(super) parts: Vec<Planned<'s>>,
    pub(super) varied: Vec<Path>,
}

impl Number {
    fn new(pack: Option<&str>, path: &Path, value: i64) -> Self {
        let pack = pack.map(str::to_owned);
        let (path, clauses) = (path.clone(), Vec::new());
        Self { pack, path, clauses, nth: None, within: None, alone: true, varied: false, value, pip: pip(value) }
    }

    /// Its path and, for one of several numbers of an expression, its index in the form of `--number` with the text
    /// around it: `roll.fire.own.count[1]: (self.front + [1]) / 2`.
    #[must_use]
    pub fn name(&self) -> String {
        match &self.within {
            Some(within) if !self.alone => format!("{}: {within}", self.place()),
            _ => self.path.to_string(),
        }
    }

    /// Its path and, for one of several numbers of an expression, its index: `roll.fire.own.count[1]`.
    #[must_use]
    pub fn place(&self) -> String {
        match self.nth {
            Some(nth) if !self.alone => format!("{}[{}]", self.path, nth + 1),
            _ => self.path.to_string(),
        }
    }

    /// Its description in words: `shock, modifier square against cavalry: added`, `line battalion: figures`. For one of
    /// several numbers in a formula, it includes the formula.
    #[must_use]
    pub fn words(&self) -> String {
        match &self.within {
            Some(within) if !self.alone => format!("{}: {within}", self.row_words()),
            _ => self.row_words(),
        }
    }

    /// Its description in words without a formula, for use in a sentence.
    #[must_use]
    pub fn row_words(&self) -> String {
        let segments: Vec<&str> = self.path.segments().iter().map(String::as_str).collect();
        let no_keys: &[&str] = &[];
        let (of, keys) = match segments.as_slice() {
            ["roll", roll, kind @ ("modifier" | "result"), row, keys @ ..] if !keys.is_empty() => {
                (format!("{roll}, {kind} {row}"), keys)
            }
            ["unit", name, "is", keys @ ..] if !keys.is_empty() => ((*name).to_owned(), keys),
            ["roll" | "unit", name, keys @ ..] if !keys.is_empty() => ((*name).to_owned(), keys),
            [table, name, "row", row, keys @ ..] if !keys.is_empty() => (format!("{table} {name}, row {row}"), keys),
            [table, name, keys @ ..] if !keys.is_empty() => (format!("{table} {name}"), keys),
            [table, keys @ ..] if !keys.is_empty() => ((*table).to_owned(), keys),
            segments => (segments.join(" "), no_keys),
        };
        let keys: Vec<&str> = keys.iter().map(|&key| in_words(key)).filter(|key| !key.is_empty()).collect();
        [of, keys.join(" ")].join(": ").trim_end_matches(": ").replace('-', " ")
    }
}

/// A key of a pack, in the words that a reader of its rules would use.
fn in_words(key: &str) -> &str {
    match key {
        "add" => "added",
        "count" => "dice",
        "foe" => "enemy",
        "inches" | "is" => "",
        "lose" => "figures lost",
        "need" => "number needed",
        "when" => "condition",
        "worsen" => "steps of morale lost",
        key => key,
    }
}

/// The clauses cited for the value at a path: by its own key, or else by the innermost table around it that cites any.
fn cited(pack: &Document, path: &Path) -> Vec<String> {
    let name = |row: &Node| Some(row.as_text().or_else(|| row.child("clause")?.as_text())?.to_owned());
    let names = |node: &Node| -> Vec<String> {
        match &node.value {
            Value::Array(rows) => rows.iter().filter_map(name).collect(),
            _ => name(node).into_iter().collect(),
        }
    };
    let around = |depth: usize| {
        let table = pack.get(&path.first(depth))?;
        let own = path.segments().get(depth).and_then(|key| table.child("cites")?.child(key));
        own.or_else(|| table.child("cite")).map(names)
    };
    (1..path.len()).rev().find_map(around).unwrap_or_default()
}

/// The text around a number in an expression, with the number in brackets.
fn around(text: &str, number: std::ops::Range<usize>) -> String {
    /// The maximum number of characters on either side, unless a word or a name continues.
    const REACH: usize = 16;
    let joined = |letter: char| letter.is_alphanumeric() || matches!(letter, '.' | '_' | '\'');
    let before: Vec<char> = text[..number.start].chars().rev().collect();
    let after: Vec<char> = text[number.end..].chars().collect();
    let cut = |letters: &[char]| {
        let reached = letters.len().min(REACH);
        reached + letters[reached..].iter().take_while(|&&letter| joined(letter)).count()
    };
    let (left, right) = (cut(&before), cut(&after));
    let start: String = before[..left].iter().rev().collect();
    let end: String = after[..right].iter().collect();
    let more = |cut: usize, all: usize| if cut < all { "…" } else { "" };
    let (head, tail) = (more(left, before.len()), more(right, after.len()));
    format!("{head}{}[{}]{}{tail}", start.trim_start(), &text[number], end.trim_end())
}

/// Thousandths, written as a number: `7`, `-0.5`.
#[must_use]
pub fn written_as(thousandths: i64) -> String {
    let sign = if thousandths < 0 { "-" } else { "" };
    let (whole, part) = (thousandths.unsigned_abs() / 1_000, thousandths.unsigned_abs() % 1_000);
    let part = format!("{part:03}");
    let decimals = part.trim_end_matches('0');
    if decimals.is_empty() { format!("{sign}{whole}") } else { format!("{sign}{whole}.{decimals}") }
}

pub(crate) fn pip(value: i64) -> i64 {
    let size = value.saturating_abs();
    if size >= 20_000 {
        let most = size / 20;
        let power = 10_i64.pow(most.ilog10());
        return [5, 2].into_iter().map(|factor| factor * power).find(|pip| *pip <= most).unwrap_or(power);
    }
    [1_000, 500, 250, 100, 50, 10, 5].into_iter().find(|pip| size % pip == 0).unwrap_or(1)
}

/// A number in thousandths; `None` if it is finer, or too large.
pub(crate) fn thousandths(value: &Value) -> Option<i64> {
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
    /// Prepares a study for changes.
    ///
    /// # Errors
    /// The study's texts are not those of a valid study.
    pub fn of(study: &Study, sources: &'s mut Sources) -> Result<Self, Diagnostics> {
        let texts: Vec<&str> =
            std::iter::once(&study.pack).chain(&study.more_packs).map(|pack| pack.text.as_str()).collect();
        let Written { document, wire, parts, packs } = of_texts(&study.header.text, &texts, sources)?;
        let varied = varied_paths(&study.vary);
        let mut planned = Vec::new();
        for (part, pack) in parts.into_iter().zip(packs) {
            planned.push(part::plan(part, pack, &varied, wire.both_ways, sources)?);
        }
        let plans: Vec<&CellPlan> = planned.iter().flat_map(|part| &part.plans).collect();
        let agrees = |cell: &Cell| plans.get(cell.header.cell as usize).is_some_and(|plan| plan.makes(&cell.header));
        if !study.cells.iter().all(agrees) {
            let message = "the study's cells changed when it was read back; this is a bug in grognard";
            return Err(Diagnostic::new(message).help("please report it, with the study").into());
        }
        Ok(Self { document, parts: planned, varied })
    }

    /// Every number of the packs, in the order of their files, including those that the study varies; and how many of
    /// the latter are left out because in some cell their value is not a number.
    #[must_use]
    pub fn of_packs(&self) -> (Vec<Number>, usize) {
        let (mut numbers, mut varied) = (Vec::new(), 0);
        for (at, part) in self.parts.iter().enumerate() {
            if self.parts[..at].iter().any(|other| other.name == part.name) {
                continue;
            }
            for (path, node) in part.ground.pack.leaves() {
                let mut found = found(Some(&part.name), &path, node);
                let clauses = if found.is_empty() { Vec::new() } else { cited(&part.ground.pack, &path) };
                found.iter_mut().for_each(|number| number.clauses.clone_from(&clauses));
                match self.varied.contains(&path) {
                    false => numbers.extend(found),
                    true if part.is_numeric(&path) && !matches!(node.value, Value::Text(_)) => {
                        numbers.extend(found.into_iter().map(|number| self.of_cells(number)));
                    }
                    true => varied += found.len(),
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

    /// A number at a path that the study varies. If all cells have the same value, as after `--set`, the number has
    /// that value.
    fn of_cells(&self, number: Number) -> Number {
        if self.differs(&number.path) {
            return Number { varied: true, ..number };
        }
        let value = self.settings_at(&number.path).next().and_then(|node| thousandths(&node.value));
        let clauses = number.clauses;
        Number { clauses, ..Number::new(number.pack.as_deref(), &number.path, value.unwrap_or(number.value)) }
    }

    /// The cells' own values at a path.
    fn settings_at(&self, path: &Path) -> impl Iterator<Item = &Node> {
        let settings = self.parts.iter().flat_map(|part| &part.plans).flat_map(|plan| &plan.settings);
        settings.filter(move |setting| setting.path == *path).map(|setting| &setting.node)
    }

    /// Whether the value at this path differs from cell to cell.
    #[must_use]
    pub fn differs(&self, path: &Path) -> bool {
        let first = self.settings_at(path).next().map(|node| &node.value);
        let cells = self.parts.iter().map(|part| part.plans.len()).sum::<usize>();
        let same = self.settings_at(path).filter(|node| Some(&node.value) == first).count();
        self.varies(path) && same < cells
    }

    /// Every number of the deployment that the study varies, if all cells have one, with its value in the first cell.
    #[must_use]
    pub fn of_varied(&self) -> Vec<Number> {
        let number = |path: &Path| {
            let of_plan = |plan: &CellPlan| {
                let own = plan.settings.iter().find(|setting| setting.path == *path)?;
                thousandths(&own.node.value)
            };
            let all: Option<Vec<i64>> = self.parts.iter().flat_map(|part| &part.plans).map(of_plan).collect();
            Some(self.of_cells(Number::new(None, path, *all?.first()?)))
        };
        let deployed = |path: &&Path| self.parts.iter().any(|part| part.ground.setup.owns(path));
        self.varied.iter().filter(deployed).filter_map(number).collect()
    }

    /// Whether the study varies this path, even if only over one value.
    #[must_use]
    pub fn varies(&self, path: &Path) -> bool {
        self.varied.contains(path)
    }

    /// Whether the pack marks this number as `fixed`: a search for a change leaves it unchanged unless it is named.
    #[must_use]
    pub fn is_fixed(&self, number: &Number) -> bool {
        let own = self.parts.iter().find(|part| Some(&part.name) == number.pack.as_ref());
        let listed = own.and_then(|part| part.ground.pack.root.get("fixed"));
        let Some(Node { value: Value::Array(paths), .. }) = listed else { return false };
        let mut paths = paths.iter().filter_map(|path| Path::parse(path.as_text()?).ok());
        paths.any(|path| number.path.segments().starts_with(path.segments()))
    }

    /// The `--set` that makes the change; empty for a number that the study varies, which differs from cell to
    /// cell.
    #[must_use]
    pub fn setting(&self, change: Change<'_>) -> String {
        if change.number.varied {
            return String::new();
        }
        let entries = self.parts.iter().flat_map(|part| entries(part, &[change]));
        entries.map(|entry| format!("{}={}", entry.path, entry.node.value)).next().unwrap_or_default()
    }

    /// The deployment of a cell, as in the study; `None` if there is no such cell.
    ///
    /// # Errors
    /// The study's texts are not those of a valid study.
    pub fn deployment(&self, cell: usize) -> Result<Option<Deployment>, Diagnostics> {
        let mut next = cell;
        for part in &self.parts {
            if let Some(plan) = part.plans.get(next) {
                return part.ground.deployment(plan).map(Some);
            }
            next -= part.plans.len();
        }
        Ok(None)
    }

    /// The chosen cells of `study`, by index, with these changes. The pack's metrics are not counted in their battles.
    ///
    /// # Errors
    /// The rules or the deployment do not allow such a number.
    pub fn cells(&self, study: &Study, chosen: &[usize], changes: &[Change<'_>]) -> Result<Vec<Cell>, Diagnostics> {
        self.cells_altered(study, chosen, changes, &[])
    }

    /// The chosen cells of `study`, by index. `build` makes the cells of each part from their plans; if it makes none,
    /// they stay unchanged.
    pub(super) fn cells_of(
        &self,
        study: &Study,
        chosen: &[usize],
        build: impl Fn(&Planned<'s>, &[&CellPlan]) -> Result<Option<Vec<Built>>, Diagnostics>,
    ) -> Result<Vec<Cell>, Diagnostics> {
        let mut cells: Vec<(usize, Cell)> = Vec::new();
        let mut next = 0;
        for part in &self.parts {
            let first = next;
            next += part.plans.len();
            let own: Vec<usize> = chosen.iter().copied().filter(|cell| (first..next).contains(cell)).collect();
            if own.is_empty() {
                continue;
            }
            let plans: Vec<&CellPlan> = own.iter().map(|&cell| &part.plans[cell - first]).collect();
            let made: Vec<Cell> = match build(part, &plans)? {
                None => own.iter().map(|&cell| Cell { gauges: Vec::new(), ..study.cells[cell].clone() }).collect(),
                Some(built) => (own.iter().zip(built))
                    .map(|(&cell, Built { rules, setup, swapped, experts, .. })| Cell {
                        header: study.cells[cell].header.clone(),
                        rules,
                        setup,
                        gauges: Vec::new(),
                        swapped,
                        experts,
                    })
                    .collect(),
            };
            cells.extend(own.into_iter().zip(made));
        }
        let place = |cell: usize| chosen.iter().position(|&one| one == cell);
        cells.sort_by_key(|(cell, _)| place(*cell));
        Ok(cells.into_iter().map(|(_, cell)| cell).collect())
    }
}

/// Adds a changed value to those of a cell. If the cell has its own value there, that value is shifted by the same
/// amount as the pack's.
pub(super) fn put(settings: &mut Vec<Entry>, entry: &Entry, changes: &[Change<'_>]) {
    let Some(own) = settings.iter_mut().find(|own| own.path == entry.path) else {
        settings.push(entry.clone());
        return;
    };
    let change = changes.iter().rev().find(|change| change.number.path == entry.path);
    if let Some(change) = change {
        own.node.value = moved(&own.node.value, change);
    }
}

/// A value shifted by as much as a number; unchanged if it is not a number.
pub(super) fn moved(value: &Value, change: &Change<'_>) -> Value {
    let by = change.value.saturating_sub(change.number.value);
    thousandths(value).map_or_else(|| value.clone(), |number| as_number(value, number.saturating_add(by)))
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
            let alone = ranges.len() == 1;
            let read = |(nth, range): (usize, std::ops::Range<usize>)| {
                let value: f64 = text[range.clone()].replace(' ', "").parse().ok()?;
                let number = Number::new(pack, path, thousandths(&Value::Float(value))?);
                Some(Number { nth: Some(nth), within: Some(around(text, range)), alone, ..number })
            };
            ranges.into_iter().enumerate().filter_map(read).collect()
        }
        value => thousandths(value).map(|value| Number::new(pack, path, value)).into_iter().collect(),
    }
}

/// The values that the changes set at paths of a part; changes within one expression are combined.
pub(super) fn entries(part: &Planned<'_>, changes: &[Change<'_>]) -> Vec<Entry> {
    let mut paths: BTreeMap<&Path, Vec<&Change<'_>>> = BTreeMap::new();
    let concerns = |number: &Number| number.pack.as_ref().is_none_or(|pack| *pack == part.name);
    for change in changes.iter().filter(|change| concerns(change.number)) {
        paths.entry(&change.number.path).or_default().push(change);
    }
    let entry = |(path, changes): (&Path, Vec<&Change<'_>>)| {
        let document = if part.ground.setup.owns(path) { &part.ground.setup.document } else { &part.ground.pack };
        // A value that the study varies may be missing from the deployment itself.
        let of_cells = || part.plans.iter().flat_map(|plan| &plan.settings).find(|own| own.path == *path);
        let node = document.get(path).or_else(|| of_cells().map(|own| &own.node))?;
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
            // Numbers are replaced from the last to the first, so that the positions of those before do not change.
            for (nth, range) in numbers_of_text(&text).into_iter().enumerate().rev() {
                if let Some(change) = changes.iter().find(|change| change.number.nth == Some(nth)) {
                    text.replace_range(range, &written_as(change.value));
                }
            }
            Value::Text(text)
        }
        _ => match changes.last().map(|change| change.value) {
            Some(number) => as_number(value, number),
            None => value.clone(),
        },
    }
}

/// A number in thousandths as a value of the same kind as `like`.
pub(crate) fn as_number(like: &Value, thousandths: i64) -> Value {
    match like {
        Value::Int(_) if thousandths % 1_000 == 0 => Value::Int(thousandths / 1_000),
        _ => Value::Float(thousandths as f64 / 1e3),
    }
}

impl Planned<'_> {
    /// Whether every cell that has its own value at a path has a number there.
    fn is_numeric(&self, path: &Path) -> bool {
        let own = self.plans.iter().flat_map(|plan| &plan.settings).filter(|setting| setting.path == *path);
        own.into_iter().all(|setting| thousandths(&setting.node.value).is_some())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::study::Changes;

    #[test]
    fn a_number_of_a_formula_is_named_by_the_words_around_it() {
        let text = "self.arm == 'artillery' ? self.cannon : self.loose ? (self.figures + 1) / 2 : (self.front + 3) / 4";
        let names: Vec<String> = numbers_of_text(text).into_iter().map(|range| around(text, range)).collect();
        assert_eq!(
            names,
            [
                "…(self.figures + [1]) / 2 : (self.front…",
                "…self.figures + 1) / [2] : (self.front +…",
                "…: (self.front + [3]) / 4",
                "…self.front + 3) / [4]",
            ]
        );
        assert_eq!(around("self.figures < 4", 15..16), "self.figures < [4]");
    }

    #[test]
    fn a_sentence_names_a_number_without_its_formula() {
        let number = Number {
            pack: None,
            path: Path::parse("roll.fire.own.count").expect("a path"),
            clauses: Vec::new(),
            nth: Some(4),
            within: Some("…self.front + 1) / [2]".to_owned()),
            alone: false,
            varied: false,
            value: 2_000,
            pip: 1_000,
        };
        assert_eq!(number.words(), "fire: own dice: …self.front + 1) / [2]");
        assert_eq!(number.row_words(), "fire: own dice");
    }

    /// If a changed number is one that the study varies, every cell's own value is shifted.
    #[test]
    fn a_number_that_the_study_varies_moves_in_every_cell() {
        let text = "study = 'duel'\npack = 'risk'\nturns = 60\n[vary]\n'unit.army.figures' = [30, 40, 50]\n\
            [side.attacker]\nunits = [{ type = 'army', figures = 5 }]\n[side.defender]\nunits = [{ type = 'army' }]\n";
        let mut sources = Sources::new();
        let file = sources.add("study.toml", text);
        let study = Study::read(file, None, &Changes::default(), &mut sources).expect("a good study");
        let variants = Variants::of(&study, &mut sources).expect("its own texts");
        let (numbers, left_out) = variants.of_packs();
        let figures = &numbers[0];
        assert_eq!(
            (figures.name().as_str(), figures.value, figures.varied, left_out),
            ("unit.army.figures", 40_000, true, 0)
        );
        let change = Change { number: figures, value: 42_000 };
        let cells = variants.cells(&study, &[0, 1, 2], &[change]).expect("armies of these sizes");
        // The defender has as many figures as its type.
        let defenders: Vec<u16> = cells.iter().map(|cell| cell.setup.start.units[1].start).collect();
        assert_eq!(defenders, [32, 42, 52]);
        assert_eq!(variants.setting(change), "");
    }

    /// Figures given only by the study's varied values are shifted in every cell.
    #[test]
    fn a_number_of_the_deployment_that_the_study_varies_moves_in_every_cell() {
        let mut sources = Sources::new();
        let study = study(&mut sources);
        let variants = Variants::of(&study, &mut sources).expect("its own texts");
        let varied = variants.of_varied();
        assert_eq!(varied.iter().map(Number::name).collect::<Vec<_>>(), ["defender.0.figures"]);
        assert!(varied[0].varied && varied[0].value == 3_000);
        let change = Change { number: &varied[0], value: 5_000 };
        let cells = variants.cells(&study, &[0, 1], &[change]).expect("armies of these sizes");
        let defenders: Vec<u16> = cells.iter().map(|cell| cell.setup.start.units[1].start).collect();
        assert_eq!(defenders, [5, 6]);
    }

    #[test]
    fn several_numbers_of_a_formula_are_told_apart() {
        let text = "study = 'duel'\npack = 'refduel'\nturns = 12\n[side.a]\nunits = [{ type = 'plain' }]\n\
            [side.b]\nunits = [{ type = 'plain' }]\n";
        let mut sources = Sources::new();
        let file = sources.add("study.toml", text);
        let study = Study::read(file, None, &Changes::default(), &mut sources).expect("a good study");
        let (numbers, _) = Variants::of(&study, &mut sources).expect("its own texts").of_packs();
        let names = numbers.iter().map(Number::name).filter(|name| name.starts_with("roll.nerve.target"));
        assert_eq!(
            names.collect::<Vec<_>>(),
            [
                "roll.nerve.target[1]: self.figures <= [8] ? 0 : 8",
                "roll.nerve.target[2]: self.figures <= 8 ? [0] : 8",
                "roll.nerve.target[3]: self.figures <= 8 ? 0 : [8]",
            ]
        );
    }

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
