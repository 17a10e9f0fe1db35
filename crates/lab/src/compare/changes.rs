//! The differences between two packs, or two studies, by path.

use grognard_source::{Document, Node, Path, Sources, Table, Value, has_ids};

use crate::results::Manifest;

/// Keys that describe a rule but do not affect it.
const WORDS: [&str; 4] = ["title", "about", "note", "cite"];
/// Keys that identify a pack.
const OF_PACK: [&str; 3] = ["pack", "version", "extends"];
/// Keys of a study that are shown elsewhere, or that do not affect battles.
const OF_STUDY: [&str; 8] = ["study", "pack", "seed", "runs", "report", "label", "expect", "set"];

/// The differences between the rules and the study of two runs.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Changes {
    /// Values that differ: those of the pack, then those of the study.
    pub list: Vec<Change>,
    /// The number of titles, notes and citations that differ: battles do not depend on them.
    pub words: usize,
}

/// A value that differs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Change {
    /// Whether it belongs to the pack or the study.
    pub of: Changed,
    /// Its path.
    pub path: String,
    /// The value before, as TOML; `None` means it did not exist.
    pub before: Option<String>,
    /// The value after; `None` means it no longer exists.
    pub after: Option<String>,
}

impl Change {
    /// Whether it is at this path in the pack of any part.
    fn is_at(&self, path: &str) -> bool {
        let of_part = |rest: &str| rest.split_once('.').map(|(_, path)| path.to_owned());
        self.path == path || self.path.strip_prefix("part.").and_then(of_part).is_some_and(|own| own == path)
    }
}

/// Whether a differing value belongs to the pack or the study.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Changed {
    /// The pack's.
    Pack,
    /// The study's.
    Study,
}

impl Changes {
    /// The differences between the texts of two manifests.
    ///
    /// # Errors
    /// The texts of one manifest are not documents; the value is its index, 0 or 1.
    pub fn between(before: &Manifest, after: &Manifest) -> Result<Self, usize> {
        let mut changes = Self::default();
        let parts = before.packs().count().max(after.packs().count());
        for part in 0..parts {
            let texts = [before, after].map(|manifest| manifest.packs().nth(part).map_or("", |pack| &pack.text));
            let packs = documents(texts)?;
            // In a study of several parts, a pack's path begins with the number of its part, as in the study.
            let at = if parts == 1 { Path::root() } else { Path::root().join("part").join(part.to_string()) };
            changes.table(Changed::Pack, &at, [&packs[0].root, &packs[1].root], &OF_PACK);
        }
        let studies = documents([&before.study.text, &after.study.text])?;
        changes.table(Changed::Study, &Path::root(), [&studies[0].root, &studies[1].root], &OF_STUDY);
        changes.set(&studies);
        Ok(changes)
    }

    /// Whether nothing that affects battles differs.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.list.is_empty()
    }

    /// Adds the values that the studies set at paths. Values set in the pack are already in its text.
    fn set(&mut self, studies: &[Document; 2]) {
        let empty = Table::new();
        let tables = studies.each_ref().map(|study| study.root.get("set").and_then(Node::as_table).unwrap_or(&empty));
        let known = self.list.len();
        self.table(Changed::Study, &Path::root(), tables, &[]);
        let set = self.list.split_off(known);
        let in_pack = |change: &Change| {
            Path::parse(&change.path)
                .ok()
                .and_then(|path| path.segments().first().cloned())
                .is_some_and(|path| self.list.iter().any(|known| known.of == Changed::Pack && known.is_at(&path)))
        };
        let others = set.into_iter().filter(|change| !in_pack(change)).map(|change| beside_own(change, studies));
        let others: Vec<Change> = others.filter(|change| change.before != change.after).collect();
        // A path in this table is a single key, so it is printed without the quotes that the key would need.
        let plain = |change: Change| Change {
            path: Path::parse(&change.path).ok().map_or(change.path.clone(), |path| path.segments().join(".")),
            ..change
        };
        self.list.extend(others.into_iter().map(plain));
    }

    fn table(&mut self, of: Changed, path: &Path, tables: [&Table; 2], without: &[&str]) {
        let [before, after] = tables;
        let new = after.names().filter(|name| before.get(name).is_none());
        for name in before.names().chain(new).filter(|name| !without.contains(name)) {
            let nodes = tables.map(|table| table.get(name));
            if WORDS.contains(&name) {
                self.words += usize::from(text(nodes[0]) != text(nodes[1]));
            } else {
                self.node(of, &path.join(name), nodes);
            }
        }
    }

    fn node(&mut self, of: Changed, path: &Path, nodes: [Option<&Node>; 2]) {
        match nodes.map(|node| node.map(|node| &node.value)) {
            [Some(Value::Table(before)), Some(Value::Table(after))] => self.table(of, path, [before, after], &[]),
            [Some(Value::Array(before)), Some(Value::Array(after))] if has_ids(before) && has_ids(after) => {
                self.rows(of, path, [before, after]);
            }
            [Some(Value::Array(before)), Some(Value::Array(after))]
                if before.len() == after.len() && before.iter().chain(after).all(|row| row.as_table().is_some()) =>
            {
                for (place, (before, after)) in before.iter().zip(after).enumerate() {
                    self.node(of, &path.join(place.to_string()), [Some(before), Some(after)]);
                }
            }
            _ if text(nodes[0]) == text(nodes[1]) => {}
            _ => self.push(of, path.to_string(), nodes.map(text)),
        }
    }

    /// Compares rows by id. The order of rows in both lists matters too, because the first row that applies is used.
    fn rows(&mut self, of: Changed, path: &Path, rows: [&[Node]; 2]) {
        let find = |rows: &'_ [Node], id: &str| rows.iter().position(|row| row.id() == Some(id));
        let [before, after] = rows;
        let new = after.iter().filter(|row| row.id().is_some_and(|id| find(before, id).is_none()));
        for id in before.iter().chain(new).filter_map(Node::id) {
            let row = |rows: &'_ [Node]| find(rows, id);
            let nodes = [row(before).map(|at| &before[at]), row(after).map(|at| &after[at])];
            self.node(of, &path.join(id), nodes);
        }
        let order = |own: &[Node], other: &[Node]| -> Vec<String> {
            own.iter().filter_map(Node::id).filter(|id| find(other, id).is_some()).map(str::to_owned).collect()
        };
        let orders = [order(before, after), order(after, before)];
        if orders[0] != orders[1] {
            let words = orders.map(|ids| Some(format!("order {}", ids.join(", "))));
            self.push(of, path.to_string(), words);
        }
    }

    fn push(&mut self, of: Changed, path: String, [before, after]: [Option<String>; 2]) {
        self.list.push(Change { of, path, before, after });
    }
}

/// A value that only one of the studies sets at a path, compared with the other's value there.
fn beside_own(change: Change, studies: &[Document; 2]) -> Change {
    let name = Path::parse(&change.path).ok().and_then(|path| path.segments().first().cloned()).unwrap_or_default();
    let own = |study: &Document| text(own_value(study, &Path::parse(&name).ok()?));
    let before = change.before.or_else(|| own(&studies[0]));
    let after = change.after.or_else(|| own(&studies[1]));
    Change { before, after, ..change }
}

/// The value in a study's deployment at the path that `[set]` and `[vary]` use.
fn own_value<'a>(study: &'a Document, path: &Path) -> Option<&'a Node> {
    let segments = path.segments();
    let side = segments.first().filter(|side| study.root.get("side").is_some_and(|sides| sides.child(side).is_some()));
    let Some(side) = side else { return study.get(path) };
    let is_unit = segments.get(1).is_some_and(|segment| segment.bytes().all(|byte| byte.is_ascii_digit()));
    let value = |below: Path| {
        let below = if is_unit { below.join("units") } else { below };
        study.get(&segments.iter().skip(1).fold(below, |path, segment| path.join(segment)))
    };
    let own = Path::root().join("side").join(side);
    let army = || value(Path::root().join("army").join(study.get(&own.clone().join("army"))?.as_text()?));
    value(own.clone()).or_else(army)
}

fn text(node: Option<&Node>) -> Option<String> {
    node.map(|node| node.value.to_string())
}

/// Two texts as documents; `Err` with the number of the one that is not a document.
fn documents(texts: [&str; 2]) -> Result<[Document; 2], usize> {
    let mut sources = Sources::new();
    let mut read = |party: usize| {
        let file = sources.add("manifest.json", texts[party]);
        Document::parse(file, &sources).map_err(|_| party)
    };
    Ok([read(0)?, read(1)?])
}
