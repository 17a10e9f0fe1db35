//! Applies a variant to its base.

use std::collections::{BTreeMap, BTreeSet};

use super::diagnostic::{Diagnostic, Diagnostics, NEW};
use super::document::{Document, Node, Table, Value, has_ids};
use super::nearest::{quoted, slip};
use super::path::{Path, row_segments};
use super::span::Span;

/// Applies a variant to its base.
///
/// Tables merge name by name. Arrays whose rows have ids merge row by row: rows of the base in their order, then new
/// ones; a row `{ id = "x", remove = true }` removes row `x`, and a value `{ remove = true }` removes a key. Anything
/// else in the variant replaces the base's value. Every value keeps its location; a merged table is located where the
/// variant has it.
///
/// # Errors
///
/// Rows and keys to be removed that the base does not have, or that contain more than `id` and `remove`.
pub fn extend(base: Document, variant: Document) -> Result<Document, Diagnostics> {
    let mut merging = Merging { path: Path::root(), faults: Diagnostics::new() };
    let root = merging.tables(base.root, variant.root);
    merging.faults.into_result(Document { root, span: variant.span })
}

/// New rows and named tables of a variant that look like misspelt ones from its base: they are valid, but may not be
/// intended.
pub fn slips(base: &Document, variant: &Document) -> Diagnostics {
    let mut found = Diagnostics::new();
    slips_in([&base.root, &variant.root], &mut Path::root(), &mut found);
    found
}

fn slips_in([base, variant]: [&Table; 2], path: &mut Path, found: &mut Diagnostics) {
    for (key, node) in variant.iter() {
        path.push(&key.name);
        let Some(old) = base.get(&key.name) else {
            // Only tables keyed by name, such as the rolls: all other keys are checked against the schema.
            if node.as_table().is_some() && base.iter().all(|(_, old)| old.as_table().is_some()) {
                let others = base.names().filter(|name| variant.get(name).is_none());
                found.extend(new_one("nothing called", &key.name, others, key.span, path));
            }
            path.pop();
            continue;
        };
        match (&old.value, &node.value) {
            (Value::Table(old), Value::Table(new)) => slips_in([old, new], path, found),
            (Value::Array(old), Value::Array(new)) if has_ids(old) && has_ids(new) => {
                slips_of_rows([old, new], path, found);
            }
            _ => {}
        }
        path.pop();
    }
}

fn slips_of_rows([base, variant]: [&[Node]; 2], path: &mut Path, found: &mut Diagnostics) {
    let known: BTreeMap<&str, &Node> = base.iter().filter_map(|row| Some((row.id()?, row))).collect();
    let own: BTreeSet<&str> = variant.iter().filter_map(Node::id).collect();
    for row in variant {
        let Some(id) = row.id() else { continue };
        path.push(id);
        match known.get(id) {
            Some(old) => {
                if let (Some(old), Some(new)) = (old.as_table(), row.as_table()) {
                    slips_in([old, new], path, found);
                }
            }
            // Merging reports a row that is to be removed but does not exist.
            None if found.is_full() || asks_removal(row) => {}
            None => {
                // Rows that the variant changes anyway were not misspelt.
                let others = known.keys().copied().filter(|name| !own.contains(name));
                let span = row.as_table().and_then(|table| table.get("id")).map_or(row.span, |id| id.span);
                found.extend(new_one("no row", id, others, span, path));
            }
        }
        path.pop();
    }
}

/// A warning if a new name is almost the same as a name in the base that the variant leaves unchanged.
fn new_one<'a>(
    what: &str,
    name: &str,
    others: impl Iterator<Item = &'a str>,
    span: Span,
    path: &Path,
) -> Option<Diagnostic> {
    let near = slip(name, others)?;
    let warning = Diagnostic::new(format!("the base has {what} {}{NEW}", quoted(name))).warning();
    Some(warning.at(span).path(path).help(format!("did you mean {}?", quoted(near))))
}

struct Merging {
    path: Path,
    faults: Diagnostics,
}

impl Merging {
    fn tables(&mut self, mut base: Table, variant: Table) -> Table {
        for (key, node) in variant {
            self.path.push(&key.name);
            if asks_removal(&node) {
                let exists = base.get(&key.name).is_some();
                self.check_removal(&node, ("key", &key.name), key.span, exists, base.names());
                base.remove(&key.name);
                self.path.pop();
                continue;
            }
            let merged = match base.get_mut(&key.name) {
                // A placeholder stands in for the old value until the merged one is inserted.
                Some(old) => {
                    let old = std::mem::replace(old, Node { value: Value::Bool(false), span: node.span });
                    self.nodes(old, node)
                }
                None => self.nodes(Node { value: Value::Table(Table::new()), span: node.span }, node),
            };
            self.path.pop();
            base.insert(key, merged);
        }
        base
    }

    fn nodes(&mut self, base: Node, variant: Node) -> Node {
        let span = variant.span;
        let value = match (base.value, variant.value) {
            (Value::Table(base), Value::Table(variant)) => Value::Table(self.tables(base, variant)),
            (Value::Array(base), Value::Array(variant)) if has_ids(&base) && has_ids(&variant) => {
                Value::Array(self.rows(base, variant))
            }
            // The base has no such rows, but the variant may still ask to remove one.
            (_, Value::Array(variant)) if has_ids(&variant) => Value::Array(self.rows(Vec::new(), variant)),
            (_, variant) => variant,
        };
        Node { value, span }
    }

    fn rows(&mut self, base: Vec<Node>, variant: Vec<Node>) -> Vec<Node> {
        let ids = row_segments(&base);
        let place: BTreeMap<&str, usize> = ids.iter().enumerate().map(|(place, id)| (id.as_str(), place)).collect();
        let mut rows: Vec<Option<Node>> = base.into_iter().map(Some).collect();
        for row in variant {
            let id = row.id().unwrap_or_default().to_owned();
            self.path.push(&id);
            let place = place.get(id.as_str()).copied();
            if asks_removal(&row) {
                let span = row.as_table().and_then(|table| table.get("id")).map_or(row.span, |id| id.span);
                self.check_removal(&row, ("row", &id), span, place.is_some(), ids.iter().map(String::as_str));
                if let Some(place) = place {
                    rows[place] = None;
                }
            } else {
                match place.and_then(|place| rows[place].take().map(|old| (place, old))) {
                    Some((place, old)) => rows[place] = Some(self.nodes(old, row)),
                    None => rows.push(Some(row)),
                }
            }
            self.path.pop();
        }
        rows.into_iter().flatten().collect()
    }

    fn check_removal<'a>(
        &mut self,
        node: &Node,
        (what, name): (&str, &str),
        span: Span,
        exists: bool,
        names: impl Iterator<Item = &'a str> + Clone,
    ) {
        if !exists {
            let fault = Diagnostic::unknown(what, name, names);
            self.faults.push(fault.at(span).path(&self.path).label("to be removed"));
        }
        let keys = node.as_table().into_iter().flat_map(Table::iter);
        for (key, _) in keys.filter(|(key, _)| key.name != "remove" && (what != "row" || key.name != "id")) {
            let fault = Diagnostic::new(format!("a {what} that is removed cannot have other keys"));
            let keep = if what == "row" { "keep only `id` and `remove`" } else { "keep only `remove`" };
            self.faults.push(fault.at(key.span).path(&self.path).help(format!("{keep}, or delete `remove`")));
        }
    }
}

fn asks_removal(row: &Node) -> bool {
    row.as_table().and_then(|table| table.get("remove")).is_some_and(|node| node.value == Value::Bool(true))
}

#[cfg(test)]
mod tests {
    use super::super::span::Sources;
    use super::*;

    const BASE: &str = "
title = 'Base'
[fire]
range = 12
dice = [1, 2, 3]
[[fire.modifier]]
id = 'cover'
add = -1
cite = ['9.1']
[[fire.modifier]]
id = 'flank'
add = 1
[[fire.modifier]]
id = 'rear'
add = 2
";

    fn extended(variant: &str) -> Result<(Sources, Document), String> {
        let mut sources = Sources::new();
        let (base, variant) = (sources.add("base.toml", BASE), sources.add("variant.toml", variant));
        let parse = |file| Document::parse(file, &sources).expect("good TOML");
        match extend(parse(base), parse(variant)) {
            Ok(document) => Ok((sources, document)),
            Err(faults) => Err(faults.render(&sources, false)),
        }
    }

    fn text(variant: &str) -> String {
        let (_, document) = extended(variant).expect("a good variant");
        document.root.to_string()
    }

    #[test]
    fn an_empty_variant_changes_nothing() {
        assert_eq!(
            text(""),
            "{ title = \"Base\", fire = { range = 12, dice = [1, 2, 3], modifier = [\
             { id = \"cover\", add = -1, cite = [\"9.1\"] }, { id = \"flank\", add = 1 }, { id = \"rear\", add = 2 }] } }"
        );
    }

    #[test]
    fn tables_and_rows_merge_and_the_rest_is_replaced() {
        let variant = "
fire.dice = [4]
fire.smoke = true
[[fire.modifier]]
id = 'new'
add = 5
[[fire.modifier]]
id = 'flank'
remove = true
[[fire.modifier]]
id = 'cover'
add = -2
";
        assert_eq!(
            text(variant),
            "{ title = \"Base\", fire = { range = 12, dice = [4], modifier = [\
             { id = \"cover\", add = -2, cite = [\"9.1\"] }, { id = \"rear\", add = 2 }, { id = \"new\", add = 5 }], \
             smoke = true } }"
        );
        assert!(text("fire.modifier = []").contains("modifier = []"));
        assert!(text("fire = 3").contains("fire = 3"));
        assert!(text("title = { a = 1 }").contains("title = { a = 1 }"));
    }

    #[test]
    fn a_variant_takes_keys_away() {
        assert_eq!(
            text("[fire]\nmodifier = { remove = true }\n"),
            "{ title = \"Base\", fire = { range = 12, dice = [1, 2, 3] } }"
        );
        assert_eq!(text("[fire]\nremove = true\n"), "{ title = \"Base\" }");
        assert!(text("[fire]\nremove = false\n").contains("range = 12"));
        let shown = extended("[fire]\nrnage = { remove = true }\n").expect_err("a misspelt key");
        assert!(shown.contains("there is no key `rnage`\n --> variant.toml:2:1"), "{shown}");
        assert!(shown.contains("help: did you mean `range`?"), "{shown}");
        let shown = extended("[fire]\nremove = true\nrange = 3\n").expect_err("it has other keys");
        assert!(shown.contains("a key that is removed cannot have other keys\n --> variant.toml:3:1"), "{shown}");
    }

    #[test]
    fn every_value_keeps_its_own_file() {
        let (sources, document) = extended("[[fire.modifier]]\nid = 'cover'\nadd = -2\n").expect("a good variant");
        let name = |path: &str| sources.name(document.span_at(&Path::parse(path).expect("a path")).file);
        assert_eq!(name("fire.modifier.cover.add"), "variant.toml");
        assert_eq!(name("fire.modifier.cover"), "variant.toml");
        assert_eq!(name("fire.modifier.cover.cite"), "base.toml");
        assert_eq!(name("fire.modifier.rear"), "base.toml");
        assert_eq!(name("fire.range"), "base.toml");
    }

    #[test]
    fn a_row_that_is_not_there_cannot_be_removed() {
        let shown = extended("[[fire.modifier]]\nid = 'flnak'\nremove = true\n").expect_err("a misspelt id");
        assert!(shown.contains("there is no row `flnak`\n --> variant.toml:2:6"), "{shown}");
        assert!(shown.contains("help: did you mean `flank`?"), "{shown}");
        let shown = extended("[[new]]\nid = 'a'\nremove = true\n").expect_err("no such array");
        assert!(shown.contains("there is no row `a`"), "{shown}");
        let shown =
            extended("[[fire.modifier]]\nid = 'rear'\nremove = true\nadd = 1\n").expect_err("it has other keys");
        assert!(shown.contains("cannot have other keys\n --> variant.toml:4:1"), "{shown}");
    }
}
