//! Checks a document against the schema of its wire type, and finds everything misspelt, missing, of the wrong kind or
//! out of range at once.

mod choice;
mod list;
mod place;
mod scalar;
#[cfg(test)]
mod tests;

use schemars::Schema;

use super::diagnostic::{Diagnostic, Diagnostics};
use super::document::{Document, Node, Table, Value, has_ids};
use super::nearest::{nearest, quoted, suggestion};
use super::parse::ungrouped;
use super::path::Path;
use super::schema::{Additional, View};
use super::span::Span;

pub use place::names_key;
pub(super) use place::permits;

/// Checks a document against the schema that `schemars` generated for its wire type.
///
/// Keys of tables, kinds of values, words of enums, ranges, steps and lengths are checked, and each fault comes with
/// the nearest valid alternative. In a tagged enum the tag chooses the variant that is checked; if nothing chooses, the
/// variant with the fewest faults is reported.
///
/// Without a tag each variant is tried. An untagged enum of tables that contains itself would be tried in every
/// combination; give such a type a tag.
pub fn check_shape(document: &Document, schema: &Schema) -> Diagnostics {
    check_shape_beside(document, None, schema, &|_| None)
}

/// Like [`check_shape`], but given another document that is known to fit the schema: parts that are equal in both, at
/// the same path, are not checked again.
///
/// `meant` returns the help for a key that does not exist, or that has text in place of a number, given its path, if
/// more is known about it than the schema says.
pub fn check_shape_beside(
    document: &Document,
    sound: Option<&Document>,
    schema: &Schema,
    meant: &dyn Fn(&Path) -> Option<String>,
) -> Diagnostics {
    let mut checker = Checker { path: Path::root(), faults: Diagnostics::new(), sound, meant };
    checker.table(&document.root, document.span, &View::root(schema));
    checker.faults
}

struct Checker<'d> {
    path: Path,
    faults: Diagnostics,
    /// A document that fits.
    sound: Option<&'d Document>,
    /// The help for a key that does not exist, or that has text in place of a number.
    meant: &'d dyn Fn(&Path) -> Option<String>,
}

impl<'d> Checker<'d> {
    /// One step down the path.
    fn within<T>(&mut self, segment: &str, check: impl FnOnce(&mut Self) -> T) -> T {
        self.path.push(segment);
        let result = check(self);
        self.path.pop();
        result
    }

    /// The table at the checker's position in the sound document, if there is one.
    fn sound_table(&self) -> Option<&'d Table> {
        let sound = self.sound?;
        if self.path.is_empty() { Some(&sound.root) } else { sound.get(&self.path)?.as_table() }
    }

    fn fault(&mut self, span: Span, diagnostic: Diagnostic) {
        self.faults.push(diagnostic.at(span).path(&self.path));
    }

    fn node(&mut self, node: &Node, view: &View<'_>) {
        if self.faults.is_full() {
            return;
        }
        if !view.accepts(&node.value) {
            self.wrong_kind(node, view);
            return;
        }
        match &node.value {
            Value::Table(table) => self.table(table, node.span, view),
            _ if !view.choices().is_empty() => self.unaided(|checker| checker.choose_for_leaf(node, view)),
            Value::Array(items) => self.list(items, node.span, view),
            Value::Text(text) => self.text(text, node.span, view),
            Value::Int(_) | Value::Float(_) => self.number(&node.value, node.span, view),
            Value::Bool(_) => {}
        }
    }

    fn wrong_kind(&mut self, node: &Node, view: &View<'_>) {
        let found = match &node.value {
            Value::Array(_) | Value::Table(_) => node.value.kind().to_owned(),
            Value::Text(text) => format!("the text {}", quoted(text)),
            scalar => quoted(&scalar.to_string()),
        };
        let fault = Diagnostic::new(format!("expected {}, found {found}", view.describe()));
        let fault = match &node.value {
            Value::Text(text) if is_number(text) && view.accepts(&Value::Int(0)) => fault.help("remove the quotes"),
            Value::Text(text) if view.accepts(&Value::Int(0)) && ungrouped(text).is_some() => {
                Diagnostic { help: ungrouped(text).map(|number| format!("write {number}")), ..fault }
            }
            Value::Text(text) if is_list(text) && view.accepts(&Value::Array(Vec::new())) => {
                fault.help(format!("write a list: `[{text}]`"))
            }
            Value::Float(number) if number.fract() == 0.0 && *number < 1000.0 && view.accepts(&Value::Int(0)) => {
                fault.help(format!("write `{number:.0}`, or `{number:.0}_000` if the point separates thousands"))
            }
            Value::Float(_) if view.accepts(&Value::Int(0)) => Diagnostic { help: scalar::stated_range(view), ..fault },
            Value::Text(_) if view.accepts(&Value::Int(0)) => {
                Diagnostic { help: (self.meant)(&self.path).or_else(|| scalar::range(view)), ..fault }
            }
            Value::Int(_) | Value::Float(_) | Value::Bool(_) if view.accepts(&Value::Text(String::new())) => {
                fault.help("put quotes around it")
            }
            value if value.is_leaf() && accepts_list_of(view, node) => fault.help("put brackets around it"),
            Value::Table(row) if accepts_list_of(view, node) => fault.help(self.rows_help(row)),
            value if value.is_leaf() && view.accepts(&Value::Table(Table::new())) => {
                Diagnostic { help: table_help(value, view), ..fault }
            }
            _ => fault,
        };
        self.fault(node.span, fault);
    }

    /// The correction for a table in place of a list of rows.
    fn rows_help(&self, table: &Table) -> String {
        let header = format!("[[{}]]", self.path);
        match table.iter().next() {
            Some((key, row)) if table.len() == 1 && row.as_table().is_some() => {
                format!("write `{header}`, and in the row `id = \"{}\"`", key.name)
            }
            // `[[phase.bonus]]` without a phase above it.
            Some((key, rows)) if table.len() == 1 && rows.as_array().is_some_and(has_ids) => {
                let inner = format!("[[{}.{}]]", self.path, key.name);
                format!("write `{header}` with the `id` of a row first: `{inner}` belongs to the row above it")
            }
            _ => format!("write `{header}`"),
        }
    }

    fn table(&mut self, table: &Table, span: Span, view: &View<'_>) {
        if view.choices().is_empty() {
            self.keys(table, span, view, true);
        } else {
            self.unaided(|checker| checker.choose_for_table(table, span, view));
        }
    }

    /// Checks everything, even the parts that are equal: they may show which of several alternatives is meant.
    fn unaided(&mut self, check: impl FnOnce(&mut Self)) {
        let sound = self.sound.take();
        check(self);
        self.sound = sound;
    }

    /// Checks the names and values of a table. Without `complete`, more names exist than the view knows.
    fn keys(&mut self, table: &Table, span: Span, view: &View<'_>, complete: bool) {
        let names = view.names();
        let absent: Vec<&str> = names.iter().copied().filter(|name| table.get(name).is_none()).collect();
        let mut meant = Vec::new();
        let sound = self.sound_table();
        for (key, node) in table.iter() {
            if self.faults.is_full() {
                return;
            }
            if sound.and_then(|sound| sound.get(&key.name)) == Some(node) {
                continue;
            }
            if let Some(property) = view.property(&key.name) {
                self.within(&key.name, |checker| checker.node(node, &property));
                continue;
            }
            match view.additional(&key.name) {
                Additional::Each(part) => {
                    let part = view.part(part);
                    self.within(&key.name, |checker| checker.node(node, &part));
                }
                Additional::Closed if complete => {
                    // In a variant, the intended key may already have a value from the base, which is another text.
                    let inherited =
                        |name: &&str| table.entry(name).is_some_and(|(known, _)| known.span.file != key.span.file);
                    // A table or a list is often given in several places, one of which may be misspelt.
                    let goes_on = |name: &&str| table.get(name).is_some_and(|known| !known.value.is_leaf());
                    let again = names.iter().copied().filter(|name| inherited(name) || goes_on(name));
                    let left = absent.iter().copied().filter(|name| !meant.contains(name));
                    let known = self.within(&key.name, |checker| (checker.meant)(&checker.path));
                    let near = nearest(&key.name, left.chain(again)).filter(|_| known.is_none());
                    meant.extend(near);
                    let fault = Diagnostic::new(format!("there is no key {} here", quoted(&key.name)));
                    let help = match near {
                        Some(near) => Some(format!("did you mean {}?", quoted(near))),
                        None => known.or_else(|| suggestion("", names.iter().copied())),
                    };
                    self.within(&key.name, |checker| checker.fault(key.span, Diagnostic { help, ..fault }));
                }
                Additional::Closed | Additional::Open => {}
            }
        }
        // A key that is only misspelt is not reported a second time as missing.
        for name in view.required().into_iter().filter(|name| absent.contains(name) && !meant.contains(name)) {
            let fault = Diagnostic::missing(name);
            let fault = match view.property(name) {
                Some(property) => {
                    let purpose = property.purpose().map(|purpose| format!(": {purpose}")).unwrap_or_default();
                    fault.help(format!("it must be {}{purpose}", property.describe()))
                }
                None => fault,
            };
            self.within(name, |checker| checker.fault(span, fault));
        }
    }
}

/// The table to write in place of a single value: with the keys that it needs, and the value where it fits.
fn table_help(value: &Value, view: &View<'_>) -> Option<String> {
    let written = match value {
        Value::Text(text) => format!("{text:?}"),
        scalar => scalar.to_string(),
    };
    let field = |name: &str| {
        let part = view.property(name)?;
        match part.words() {
            Some(words) => words.first().map(|word| format!("{name} = \"{word}\"")),
            None => part.accepts(value).then(|| format!("{name} = {written}")),
        }
    };
    let fields: Option<Vec<String>> = view.required().into_iter().map(field).collect();
    if let Some(fields) = fields.filter(|fields| !fields.is_empty()) {
        return Some(format!("write a table, such as `{{ {} }}`", fields.join(", ")));
    }
    let keys: Vec<String> = view.names().into_iter().take(3).map(quoted).collect();
    (!keys.is_empty()).then(|| format!("write a table, with keys such as {}", keys.join(", ")))
}

/// Whether a string consists of numbers separated by commas, like a list without its brackets.
fn is_list(text: &str) -> bool {
    text.contains(',') && text.split(',').all(is_number)
}

fn is_number(text: &str) -> bool {
    text.trim().parse::<f64>().is_ok_and(f64::is_finite)
}

fn accepts_list_of(view: &View<'_>, node: &Node) -> bool {
    view.accepts(&Value::Array(Vec::new())) && view.item(0).is_some_and(|item| item.accepts(&node.value))
}
