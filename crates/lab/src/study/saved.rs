//! A study with changes, saved as a separate folder: a variant of the pack, and the study that uses it.

use grognard_source::{Diagnostic, Diagnostics, Document, Key, Node, Path, Table, Value, difference};

use super::part::Planned;
use super::pin;
use super::variants::{entries, moved};
use super::{Change, Study, Switch, Variants, render, written_as};

/// Keys with which a study describes its numbers; they are not valid for other rules.
const SAID_OF_NUMBERS: [&str; 2] = ["analysis", "highlights"];

/// Tables that name paths but do not give cells their values.
const NOT_VARIED: [&str; 3] = ["side", "set", "label"];

/// The paths of a study's packs as seen from its new folder.
pub trait Whereabouts {
    /// The name of the pack that the study calls `pack`, as seen from the new folder or from a folder in it.
    fn of(&self, pack: &str, within: bool) -> String;
}

impl Variants<'_> {
    /// The packs, as the study names them, each once.
    #[must_use]
    pub fn packs(&self) -> Vec<&str> {
        let mut names: Vec<&str> = Vec::new();
        for part in &self.parts {
            if !names.contains(&part.name.as_str()) {
                names.push(&part.name);
            }
        }
        names
    }

    /// The files of a folder called `name` with the changed study, each with its name there: `study.toml`, and for
    /// every changed pack a variant of it, which contains only the differences. A number that the study varies is
    /// shifted in the study; one of the deployment is set there.
    ///
    /// # Errors
    /// The study varies or sets a number of a rule that the changes switch off.
    pub fn saved(
        &self,
        study: &Study,
        name: &str,
        changes: &[Change<'_>],
        off: &[&Switch],
        packs: &dyn Whereabouts,
    ) -> Result<Vec<(String, String)>, Diagnostics> {
        let mut document = self.document.clone();
        let span = document.span;
        let put = |table: &mut Table, key: &str, text: String| {
            table.insert(Key { name: key.to_owned(), span }, Node { value: Value::Text(text), span });
        };
        put(&mut document.root, "study", name.to_owned());
        put(&mut document.root, "title", format!("{}: {name}", study.header.title));
        document.root.remove("expect");
        if let Some(Value::Table(report)) = document.root.get_mut("report").map(|report| &mut report.value) {
            SAID_OF_NUMBERS.iter().for_each(|key| _ = report.remove(key));
            // Players left without a side by `--set` do not belong to this study.
            let of = |player: &String| Node { value: Value::Text(player.clone()), span };
            let players = study.report.players.as_ref().map(|ladder| ladder.players.iter().map(of).collect());
            if let (Some(listed), Some(players)) = (report.get_mut("players"), players) {
                listed.value = Value::Array(players);
            }
        }
        let names = self.packs();
        let mut files = Vec::new();
        for (nth, pack) in names.iter().enumerate() {
            let Some(part) = self.parts.iter().find(|part| part.name == *pack) else { continue };
            let changed = altered(part, changes, off);
            let gone = |path: &Path| part.ground.pack.get(path).is_some() && changed.get(path).is_none();
            if let Some(path) = self.varied.iter().find(|path| gone(path)) {
                let message = format!("the study varies `{path}`, of a rule that is off");
                return Err(Diagnostic::new(message).help("switch the rule on again, and save the rest").into());
            }
            let place = if names.len() == 1 { ".".to_owned() } else { format!("rules-{}", nth + 1) };
            let base = packs.of(pack, names.len() > 1);
            let differs = part.ground.pack.root.to_string() != changed.root.to_string();
            let called = if differs { place.clone() } else { packs.of(pack, false) };
            if differs {
                let file = if place == "." { "pack.toml".to_owned() } else { format!("{place}/pack.toml") };
                files.push((file, variant(name, &base, part, &changed, &said(pack, changes, off))));
            }
            for (_, table) in
                self.parts.iter().zip(pin::parts(&mut document.root)).filter(|(part, _)| part.name == *pack)
            {
                put(table, "pack", called.clone());
                if let Some(Value::Table(set)) = table.get_mut("set").map(|set| &mut set.value) {
                    let paths: Vec<String> = set.names().map(str::to_owned).collect();
                    paths
                        .iter()
                        .filter(|name| Path::parse(name).is_ok_and(|path| gone(&path)))
                        .for_each(|name| _ = set.remove(name));
                }
            }
        }
        for (part, table) in self.parts.iter().zip(pin::parts(&mut document.root)) {
            for entry in entries(part, changes) {
                let set = table.get("set").is_some_and(|set| pin::has(set, &entry.path));
                if set || part.ground.setup.owns(&entry.path) {
                    pin::put_value(table, &entry.path, &entry.node);
                }
            }
        }
        for change in changes.iter().filter(|change| change.number.varied) {
            move_varied(&mut document.root, change);
        }
        let heading = format!("# {}, with changes.\n\n", study.header.title);
        files.insert(0, ("study.toml".to_owned(), heading + &render::to_toml(&document)));
        Ok(files)
    }
}

/// The part's pack with these numbers, and without these rules.
fn altered(part: &Planned<'_>, changes: &[Change<'_>], off: &[&Switch]) -> Document {
    let change = |pack: &mut Document| {
        for entry in entries(part, changes).iter().filter(|entry| !part.ground.setup.owns(&entry.path)) {
            if let Some(node) = pack.get_mut(&entry.path) {
                *node = entry.node.clone();
            }
        }
    };
    let mut numbers = part.ground.pack.clone();
    change(&mut numbers);
    part.without(off, change).unwrap_or(numbers)
}

/// A description of the changes in a pack, one per line.
fn said(pack: &str, changes: &[Change<'_>], off: &[&Switch]) -> String {
    let numbers = changes.iter().filter(|change| change.number.pack.as_deref() == Some(pack)).map(|change| {
        format!("# {}: {} → {}\n", change.number.name(), written_as(change.number.value), written_as(change.value))
    });
    let rules = off.iter().filter(|switch| switch.pack == pack).map(|switch| format!("# {}: off\n", switch.name()));
    numbers.chain(rules).collect()
}

/// The text of a variant that turns its base into the changed pack, or of the whole pack if no variant can.
fn variant(name: &str, base: &str, part: &Planned<'_>, changed: &Document, said: &str) -> String {
    let span = changed.span;
    let mut root = Table::new();
    let title = changed.root.get("title").and_then(Node::as_text).unwrap_or(base);
    let put = |root: &mut Table, key: &str, text: &str| {
        root.insert(Key { name: key.to_owned(), span }, Node { value: Value::Text(text.to_owned()), span });
    };
    put(&mut root, "pack", name);
    put(&mut root, "title", &format!("{title}, a variant"));
    put(&mut root, "version", "0.1.0");
    let says = difference(&part.ground.pack, changed);
    let whole = says.is_none();
    if !whole {
        put(&mut root, "extends", base);
    }
    let own = ["pack", "title", "version", "extends"];
    for (key, node) in says.unwrap_or_else(|| changed.root.clone()) {
        if !own.contains(&key.name.as_str()) {
            root.insert(key, node);
        }
    }
    let what = if whole { format!("{base} with changes, written out") } else { format!("A variant of {base}") };
    format!("# {what}:\n{said}\n{}", render::to_toml(&Document { root, span }))
}

/// Shifts the values that the study's cells have at a varied path by the same amount as the number there.
fn move_varied(table: &mut Table, change: &Change<'_>) {
    let names: Vec<String> = table.names().map(str::to_owned).collect();
    for name in names {
        let is_path = Path::parse(&name).is_ok_and(|path| path == change.number.path);
        let Some(node) = table.get_mut(&name) else { continue };
        if is_path {
            move_values(&mut node.value, change);
        } else if name == "label" {
            forget_names(node, change);
        } else if !NOT_VARIED.contains(&name.as_str()) {
            match &mut node.value {
                Value::Table(below) => move_varied(below, change),
                Value::Array(rows) => rows.iter_mut().for_each(|row| {
                    if let Value::Table(row) = &mut row.value {
                        move_varied(row, change);
                    }
                }),
                _ => {}
            }
        }
    }
}

/// Shifts a number, the numbers of a list, or the ends of a range.
fn move_values(value: &mut Value, change: &Change<'_>) {
    match value {
        Value::Array(values) => values.iter_mut().for_each(|node| move_values(&mut node.value, change)),
        Value::Table(range) => ["from", "to"].iter().for_each(|end| {
            if let Some(node) = range.get_mut(end) {
                move_values(&mut node.value, change);
            }
        }),
        number => *number = moved(number, change),
    }
}

/// Removes names of shifted values, which would now belong to the wrong values.
fn forget_names(labels: &mut Node, change: &Change<'_>) {
    let Value::Table(labels) = &mut labels.value else { return };
    let names: Vec<String> = labels.names().map(str::to_owned).collect();
    for name in names.iter().filter(|name| Path::parse(name).is_ok_and(|path| path == change.number.path)) {
        if let Some(Value::Table(label)) = labels.get_mut(name).map(|label| &mut label.value) {
            label.remove("values");
        }
    }
}
