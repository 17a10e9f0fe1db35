//! Switches: rules that can be switched off, namely rows that cite clauses, flags of unit types and formations, and
//! whole clauses.

use std::collections::{BTreeMap, BTreeSet};

use grognard_source::{Diagnostics, Document, Key, Node, Path, Table, Value, has_ids};

use super::cells::Ground;
use super::expand::CellPlan;
use super::part::Planned;
use super::variants::{entries, put};
use super::{Cell, Change, Study, Variants};

/// Top-level tables of a pack that contain no rules.
const NO_RULES: [&str; 10] =
    ["pack", "title", "version", "about", "extends", "board", "arms", "clause", "doctrine", "metric"];
/// Tables whose rows have flags that are separate rules.
const FLAGGED: [&str; 2] = ["unit", "formation"];

/// The keys for a result's effects, on the unit that rolls and on its enemy.
const EFFECTS: [&str; 2] = ["own", "foe"];

/// A rule that can be switched off.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Switch {
    /// The pack, as the study names it.
    pub pack: String,
    /// The thing that is switched off.
    pub what: Rule,
    /// The clauses that its rows cite, in order.
    pub clauses: Vec<String>,
    /// Rows of it that stay in force because the pack is invalid without them: see [`Variants::cells_as_far_without`].
    pub stays: Vec<Path>,
    parts: Vec<Part>,
}

/// The kind of a switch.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Rule {
    /// The row, or the flag, at this path.
    Row(Path),
    /// All rows that cite this clause, and their number.
    Clause(String, usize),
}

/// A part of a pack that is switched off.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Part {
    path: Path,
    kind: Kind,
}

impl Part {
    /// Whether a cell's value at this path belongs to the rule that is switched off, or would switch it on again.
    fn is_put_back_by(&self, path: &Path) -> bool {
        let within = |own: &Path| path.segments().starts_with(own.segments());
        match self.kind {
            Kind::Row => within(&self.path),
            Kind::Result => EFFECTS.iter().any(|effect| within(&self.path.join(*effect))),
            Kind::Flag => *path == self.path,
            Kind::Trait => *path == self.path.join("on"),
        }
    }
}

/// How a part is switched off.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    /// A row is removed.
    Row,
    /// A result that a roll requires stays, but has no effect.
    Result,
    /// A flag becomes false.
    Flag,
    /// A trait is disabled; its name remains known.
    Trait,
}

impl Switch {
    /// The indices of its parts that remain in force if only `off` is switched off.
    pub(crate) fn staying(&self, off: &Self) -> Vec<usize> {
        (0..self.parts.len()).filter(|&at| !off.parts.contains(&self.parts[at])).collect()
    }

    /// The rule as it is switched off if the parts with these indices remain in force.
    pub(crate) fn with_staying(&self, stay: &[usize]) -> Self {
        let part = |(at, part): (usize, &Part)| (!stay.contains(&at)).then(|| part.clone());
        let stays = stay.iter().filter_map(|&at| Some(self.parts.get(at)?.path.clone())).collect();
        Self { parts: self.parts.iter().enumerate().filter_map(part).collect(), stays, ..self.clone() }
    }

    /// Its name: the path of a row, or `clause 9.50-G`.
    #[must_use]
    pub fn name(&self) -> String {
        match &self.what {
            Rule::Row(path) => path.to_string(),
            Rule::Clause(clause, _) => format!("clause {clause}"),
        }
    }

    /// Whether two switches have a part in common.
    #[must_use]
    pub fn overlaps(&self, other: &Self) -> bool {
        let within = |one: &Path, other: &Path| other.segments().starts_with(one.segments());
        let all =
            |part: &Part| other.parts.iter().any(|of| within(&part.path, &of.path) || within(&of.path, &part.path));
        self.pack == other.pack && self.parts.iter().any(all)
    }
}

impl Variants<'_> {
    /// Every rule of the packs that might be switched off: the rows and flags in the order of their files, then the
    /// clauses that two or more rows cite.
    #[must_use]
    pub fn switches(&self) -> Vec<Switch> {
        let mut switches = Vec::new();
        for (at, part) in self.parts.iter().enumerate() {
            if self.parts[..at].iter().any(|other| other.name == part.name) {
                continue;
            }
            let mut finder = Finder { pack: &part.name, found: Vec::new() };
            finder.document(&part.ground.pack);
            let mut clauses: BTreeMap<&str, Vec<Part>> = BTreeMap::new();
            for switch in &finder.found {
                for clause in switch.clauses.iter().filter(|clause| *clause != "house") {
                    clauses.entry(clause).or_default().extend(switch.parts.iter().cloned());
                }
            }
            let clause = |(clause, parts): (&str, Vec<Part>)| Switch {
                pack: part.name.clone(),
                what: Rule::Clause(clause.to_owned(), parts.len()),
                clauses: vec![clause.to_owned()],
                stays: Vec::new(),
                parts,
            };
            let whole: Vec<Switch> = clauses.into_iter().filter(|(_, parts)| parts.len() > 1).map(clause).collect();
            switches.append(&mut finder.found);
            switches.extend(whole);
        }
        switches
    }

    /// The chosen cells of `study`, by index, without these rules. The pack's metrics are not counted in their battles.
    ///
    /// # Errors
    /// The pack is invalid without them.
    pub fn cells_without(&self, study: &Study, chosen: &[usize], off: &[&Switch]) -> Result<Vec<Cell>, Diagnostics> {
        self.cells_altered(study, chosen, &[], off)
    }

    /// The chosen cells of `study`, by index, without a rule as far as the pack allows. Also returns the rule as it is
    /// switched off, which lists the rows that stay. The rows of a clause are tried one by one.
    ///
    /// # Errors
    /// Why nothing of the rule can be switched off.
    pub fn cells_as_far_without(
        &self,
        study: &Study,
        chosen: &[usize],
        switch: &Switch,
    ) -> Result<(Switch, Vec<Cell>), Diagnostics> {
        let faults = match self.cells_without(study, chosen, &[switch]) {
            Ok(cells) => return Ok((switch.clone(), cells)),
            Err(faults) => faults,
        };
        let with = |parts: Vec<Part>, stays: Vec<Path>| Switch { parts, stays, ..switch.clone() };
        let one = &chosen[..chosen.len().min(1)];
        let can_go = |part: &Part| self.cells_without(study, one, &[&with(vec![part.clone()], Vec::new())]).is_ok();
        let (parts, stay): (Vec<Part>, Vec<Part>) = match switch.parts.len() {
            0 | 1 => return Err(faults),
            _ => switch.parts.iter().cloned().partition(can_go),
        };
        if parts.is_empty() || stay.is_empty() {
            return Err(faults);
        }
        let rest = with(parts, stay.into_iter().map(|part| part.path).collect());
        let cells = self.cells_without(study, chosen, &[&rest]).map_err(|_| faults)?;
        Ok((rest, cells))
    }

    /// The chosen cells of `study`, by index, with these changes and without these rules. The pack's metrics are not
    /// counted in their battles. A changed number of a rule that is switched off has no effect.
    ///
    /// # Errors
    /// The rules or the deployment do not allow such a number, or the pack is invalid without the rules.
    pub fn cells_altered(
        &self,
        study: &Study,
        chosen: &[usize],
        changes: &[Change<'_>],
        off: &[&Switch],
    ) -> Result<Vec<Cell>, Diagnostics> {
        self.cells_of(study, chosen, |part, plans| {
            let mut entries = entries(part, changes);
            let without = part.without(off, |pack| {
                // This is done before a row is removed, because the rows after it move up if they have no ids.
                entries.retain(|entry| {
                    let node = pack.get_mut(&entry.path).filter(|_| !self.varies(&entry.path));
                    node.map(|node| *node = entry.node.clone()).is_none()
                });
            });
            if entries.is_empty() && without.is_none() {
                return Ok(None);
            }
            let reduced = without.map(|pack| Ground { pack, ..part.ground.clone() });
            let ground = reduced.as_ref().unwrap_or(&part.ground);
            let own = off.iter().filter(|switch| switch.pack == part.name).flat_map(|switch| &switch.parts);
            let own: Vec<&Part> = own.collect();
            let changed = |plan: &&CellPlan| {
                let mut plan = CellPlan::clone(plan);
                entries.iter().for_each(|entry| put(&mut plan.settings, entry, changes));
                plan.settings.retain(|setting| !own.iter().any(|part| part.is_put_back_by(&setting.path)));
                plan
            };
            let (built, _) = ground.build(&plans.iter().map(changed).collect::<Vec<_>>(), |_| ())?;
            Ok(Some(built))
        })
    }
}

impl Planned<'_> {
    /// The part's pack without these rules, after `change` was applied to it; `None` if it has none of these rules.
    pub(super) fn without(&self, off: &[&Switch], change: impl FnOnce(&mut Document)) -> Option<Document> {
        let mut own: Vec<&Part> =
            off.iter().filter(|switch| switch.pack == self.name).flat_map(|switch| &switch.parts).collect();
        if own.is_empty() {
            return None;
        }
        let mut pack = self.ground.pack.clone();
        // `fixed` does not affect any battle, and a number that it names may be gone.
        let _ = pack.root.remove("fixed");
        change(&mut pack);
        // The last row of a list is removed first, so that rows without ids before it keep their positions.
        own.sort_by(|one, other| in_file(&other.path).cmp(&in_file(&one.path)));
        for Part { path, kind } in own {
            match kind {
                Kind::Flag => {
                    if let Some(node) = pack.get_mut(path) {
                        node.value = Value::Bool(false);
                    }
                }
                Kind::Trait => {
                    if let Some(Node { value: Value::Table(table), span }) = pack.get_mut(path) {
                        let off = Node { value: Value::Bool(false), span: *span };
                        table.insert(Key { name: "on".to_owned(), span: *span }, off);
                    }
                }
                Kind::Result => {
                    for effect in EFFECTS {
                        let _ = pack.remove(&path.join(effect));
                    }
                }
                Kind::Row => {
                    // A row inside one that was removed is already gone.
                    let _ = pack.remove(path);
                }
            }
        }
        Some(pack)
    }
}

/// The segments of a path, numbers as numbers.
fn in_file(path: &Path) -> Vec<(usize, &str)> {
    path.segments().iter().map(|segment| (segment.parse().unwrap_or(0), segment.as_str())).collect()
}

/// A search for rules in a pack.
struct Finder<'p> {
    pack: &'p str,
    found: Vec<Switch>,
}

impl Finder<'_> {
    fn document(&mut self, document: &Document) {
        for (key, node) in document.root.iter().filter(|(key, _)| !NO_RULES.contains(&key.name.as_str())) {
            let path = Path::root().join(&key.name);
            if key.name == "trait" {
                self.traits(&path, node);
            } else {
                self.node(&path, node, &[]);
            }
        }
    }

    /// Adds whole traits, and the rows of each.
    fn traits(&mut self, path: &Path, traits: &Node) {
        for (name, node) in traits.as_table().into_iter().flat_map(Table::iter) {
            let (path, Some(table)) = (path.join(&name.name), node.as_table()) else { continue };
            let rows = table.iter().filter(|(_, rows)| !rows.value.is_leaf());
            self.push(&path, &cites(table), Kind::Trait);
            for (key, rows) in rows {
                self.node(&path.join(&key.name), rows, &[]);
            }
        }
    }

    fn node(&mut self, path: &Path, node: &Node, cited: &[String]) {
        match &node.value {
            Value::Table(table) => {
                let clauses = cites(table);
                if !clauses.is_empty() {
                    self.push(path, &clauses, if is_last_result(path, table) { Kind::Result } else { Kind::Row });
                }
                let clauses = if clauses.is_empty() { cited } else { &clauses };
                for (key, node) in table.iter().filter(|(key, _)| !["cite", "cites", "id"].contains(&key.name.as_str()))
                {
                    self.node(&path.join(&key.name), node, clauses);
                }
            }
            Value::Array(rows) if !node.value.is_leaf() => {
                let by_id = has_ids(rows);
                for (place, row) in rows.iter().enumerate() {
                    let name = row.id().filter(|_| by_id).map_or_else(|| place.to_string(), str::to_owned);
                    self.node(&path.join(name), row, cited);
                }
            }
            Value::Bool(true) if FLAGGED.contains(&path.segments()[0].as_str()) => self.push(path, cited, Kind::Flag),
            _ => {}
        }
    }

    fn push(&mut self, path: &Path, clauses: &[String], kind: Kind) {
        let part = Part { path: path.clone(), kind };
        let what = Rule::Row(path.clone());
        self.found.push(Switch {
            pack: self.pack.to_owned(),
            what,
            clauses: clauses.to_vec(),
            stays: Vec::new(),
            parts: vec![part],
        });
    }
}

/// Whether this is the result that applies whatever the dice show: without it, some rolls would have no result.
fn is_last_result(path: &Path, table: &Table) -> bool {
    let segments: Vec<&str> = path.segments().iter().map(String::as_str).collect();
    matches!(segments.as_slice(), ["roll", _, "result", _]) && table.get("when").is_none()
}

/// The clauses that a table cites, each once, in order.
fn cites(table: &Table) -> Vec<String> {
    let keys = table.get("cites").and_then(Node::as_table);
    let lists = table.get("cite").into_iter().chain(keys.into_iter().flat_map(Table::iter).map(|(_, list)| list));
    let clause = |node: &Node| match &node.value {
        Value::Text(text) => Some(text.clone()),
        Value::Table(table) => Some(table.get("clause")?.as_text()?.to_owned()),
        _ => None,
    };
    let all: BTreeSet<String> = lists.filter_map(Node::as_array).flatten().filter_map(clause).collect();
    all.into_iter().collect()
}
