//! Generated parts of pages: the keys in `docs/reference.md` from the schemas, the clauses and house values in the
//! packs' pages from the packs. `BLESS=1` rewrites them.

use std::fmt::Write as _;
use std::path::Path;

use grognard_lab::study::study_schema;
use grognard_rules::library::{self, PACKS};
use grognard_rules::pack_schema;
use grognard_source::{Node, Sources, Table};
use serde_json::{Map, Value};

#[test]
fn the_reference_has_every_key() {
    holds(
        "docs/reference.md",
        &[("keys of a pack", keys(pack_schema().as_value())), ("keys of a study", keys(study_schema().as_value()))],
    );
}

#[test]
fn the_pages_of_packs_have_every_clause_and_house_value() {
    for pack in PACKS {
        let document = library::load(pack.name, None, &mut Sources::new()).expect("a built-in pack is sound").document;
        let mut rows = Vec::new();
        gather_rows(&document.root, "", &mut rows);
        let page = format!("packs/{}/README.md", pack.name);
        let mut parts = vec![("clauses", clauses(&document.root, &rows))];
        if rows.iter().any(|(_, row)| is_of_the_house(row)) {
            parts.push(("house values", house_values(&rows)));
        }
        holds(&page, &parts);
    }
}

/// Checks that the parts of a page are up to date.
fn holds(page: &str, parts: &[(&str, String)]) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join(page);
    let text = std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{page}: {error}"));
    let now = parts.iter().fold(text.clone(), |text, (name, part)| with_part(page, &text, name, part));
    if std::env::var_os("BLESS").is_some() {
        std::fs::write(&path, now).unwrap_or_else(|error| panic!("{page}: {error}"));
    } else {
        assert_eq!(now, text, "write {page} again with `BLESS=1 cargo test -p grognard --test reference`");
    }
}

/// The page with this text between the comments that mark a part.
fn with_part(page: &str, text: &str, name: &str, part: &str) -> String {
    let (begin, end) =
        (format!("<!-- {name}: generated; do not edit by hand -->\n"), format!("<!-- end of {name} -->\n"));
    let (before, rest) = text.split_once(&begin).unwrap_or_else(|| panic!("{page}: no comment begins {name}"));
    let (_, after) = rest.split_once(&end).unwrap_or_else(|| panic!("{page}: no comment ends {name}"));
    format!("{before}{begin}\n{part}{end}{after}")
}

/// Every row that names its source, with its path.
fn gather_rows<'d>(table: &'d Table, path: &str, rows: &mut Vec<(String, &'d Table)>) {
    if table.get("cite").is_some() || table.get("cites").is_some() {
        rows.push((path.to_owned(), table));
    }
    let below = |name: &str| if path.is_empty() { name.to_owned() } else { format!("{path}.{name}") };
    for (key, node) in table.iter() {
        if let Some(table) = node.as_table() {
            gather_rows(table, &below(&key.name), rows);
        }
        for (index, item) in node.as_array().into_iter().flatten().enumerate() {
            if let Some(row) = item.as_table() {
                let id = row.get("id").and_then(Node::as_text).map_or_else(|| index.to_string(), str::to_owned);
                gather_rows(row, &format!("{}.{id}", below(&key.name)), rows);
            }
        }
    }
}

/// The clauses of a list, including those cited under a condition.
fn cited(list: &Node) -> impl Iterator<Item = &str> {
    let under = |item| Node::as_table(item).and_then(|table| table.get("clause")).and_then(Node::as_text);
    list.as_array().into_iter().flatten().filter_map(move |item| item.as_text().or_else(|| under(item)))
}

/// Every list of clauses of a row with its path: the row's own, and those of individual keys.
fn lists<'d>(path: &str, row: &'d Table) -> Vec<(String, &'d Node)> {
    let keys = |name: &'static str| {
        let keys = row.get(name).and_then(Node::as_table).into_iter().flat_map(Table::iter);
        keys.map(move |(key, list)| (format!("{path}.{name}.{}", key.name), list))
    };
    let own = row.get("cite").map(|list| (path.to_owned(), list));
    own.into_iter().chain(keys("cites")).chain(keys("all-round")).collect()
}

fn is_of_the_house(row: &Table) -> bool {
    row.get("cite").is_some_and(|list| cited(list).any(|cited| cited == "house"))
}

/// Each clause with the rows that implement it.
fn clauses(root: &Table, rows: &[(String, &Table)]) -> String {
    let mut text = "| clause | requires | implemented by |\n|---|---|---|\n".to_owned();
    for clause in root.get("clause").and_then(Node::as_array).into_iter().flatten().filter_map(Node::as_table) {
        let says = |key: &str| clause.get(key).and_then(Node::as_text).unwrap_or_default();
        let lists = rows.iter().flat_map(|(path, row)| lists(path, row));
        let by = lists.filter(|(_, list)| cited(list).any(|cited| cited == says("id")));
        let by: Vec<String> = by.map(|(path, _)| format!("`{path}`")).collect();
        let _ = writeln!(text, "| {} | {} | {} |", says("id"), cell(says("text")), by.join(", "));
    }
    text.push('\n');
    text
}

/// Each row with a house value, with the reason.
fn house_values(rows: &[(String, &Table)]) -> String {
    let mut text = "| where | value | why |\n|---|---|---|\n".to_owned();
    for (path, row) in rows.iter().filter(|(_, row)| is_of_the_house(row)) {
        let value = row
            .get("add")
            .map_or_else(String::new, |add| format!("{:+}", add.value.to_string().parse::<i64>().unwrap_or(0)));
        let note = row.get("note").and_then(Node::as_text).unwrap_or_default();
        let _ = writeln!(text, "| `{path}` | {value} | {} |", cell(note));
    }
    text.push('\n');
    text
}

/// A table for each kind of table that a file may contain, in the order in which the keys lead to them.
fn keys(schema: &Value) -> String {
    let schema = Schema { definitions: schema["$defs"].as_object().expect("a schema has definitions"), root: schema };
    let mut text = String::new();
    for (paths, table) in schema.tables() {
        let headings: Vec<String> =
            paths.iter().map(|path| if path.is_empty() { "At the top".into() } else { format!("`{path}`") }).collect();
        let _ = write!(text, "#### {}\n\n{}\n\n", few(&headings), sentence(table));
        text.push_str("| key | value | default | meaning |\n|---|---|---|---|\n");
        let required: Vec<&str> = strings(&table["required"]);
        for (key, value) in table["properties"].as_object().expect("a table has keys") {
            let default = match value.get("default") {
                _ if required.contains(&key.as_str()) => "required".to_owned(),
                Some(default) if is_plain(default) => format!("`{default}`"),
                _ => String::new(),
            };
            let _ = writeln!(text, "| `{key}` | {} | {default} | {} |", schema.value(value), cell(&sentence(value)));
        }
        text.push('\n');
    }
    text
}

/// The first places at which a table occurs, and the number of others.
fn few(places: &[String]) -> String {
    const SHOWN: usize = 8;
    match places.len().saturating_sub(SHOWN) {
        0 => places.join(", "),
        more => format!("{} and {more} more places", places[..SHOWN].join(", ")),
    }
}

/// Whether a default is worth mentioning.
fn is_plain(default: &Value) -> bool {
    matches!(default, Value::Bool(_) | Value::Number(_))
}

fn sentence(value: &Value) -> String {
    value["description"].as_str().unwrap_or_default().replace('\n', " ")
}

/// A text as it is written in a cell of a table.
fn cell(text: &str) -> String {
    text.replace('|', "\\|")
}

fn strings(list: &Value) -> Vec<&str> {
    list.as_array().into_iter().flatten().filter_map(Value::as_str).collect()
}

struct Schema<'s> {
    root: &'s Value,
    definitions: &'s Map<String, Value>,
}

impl<'s> Schema<'s> {
    /// Every kind of table with the paths at which it occurs.
    fn tables(&self) -> Vec<(Vec<String>, &'s Value)> {
        let mut tables: Vec<(Vec<String>, &'s Value)> = vec![(vec![String::new()], self.root)];
        let mut next = 0;
        while let Some((paths, table)) = tables.get(next).cloned() {
            for (key, value) in table["properties"].as_object().into_iter().flatten() {
                let path = if paths[0].is_empty() { key.clone() } else { format!("{}.{key}", paths[0]) };
                self.follow(value, path, &mut tables);
            }
            next += 1;
        }
        tables
    }

    /// Records the tables that a value contains.
    fn follow(&self, value: &'s Value, path: String, tables: &mut Vec<(Vec<String>, &'s Value)>) {
        let value = self.resolved(value);
        if value.get("properties").is_some() {
            match tables.iter_mut().find(|(_, known)| std::ptr::eq(*known, value)) {
                Some((paths, _)) if !paths.contains(&path) => paths.push(path),
                Some(_) => {}
                None => tables.push((vec![path], value)),
            }
            return;
        }
        if let Some(items) = value.get("items") {
            self.follow(items, format!("{path}[]"), tables);
        }
        if let Some(named) = value.get("additionalProperties").filter(|named| named.is_object()) {
            self.follow(named, format!("{path}.NAME"), tables);
        }
        for choice in value["anyOf"].as_array().into_iter().flatten() {
            self.follow(choice, path.clone(), tables);
        }
    }

    /// The schema behind a reference; for something optional, the schema of the thing itself.
    fn resolved(&self, value: &'s Value) -> &'s Value {
        if let Some(name) = value["$ref"].as_str().and_then(|path| path.strip_prefix("#/$defs/")) {
            return &self.definitions[name];
        }
        let choices = value["anyOf"].as_array().map_or(&[][..], Vec::as_slice);
        match choices.iter().filter(|choice| choice["type"] != "null").collect::<Vec<_>>().as_slice() {
            [only] => self.resolved(only),
            _ => value,
        }
    }

    /// The values allowed for a key, in words.
    fn value(&self, value: &'s Value) -> String {
        let value = self.resolved(value);
        if let Some(choices) = value["oneOf"].as_array() {
            let words = choices.iter().map(|choice| {
                format!("`\"{}\"` {}", choice["const"].as_str().unwrap_or_default(), lower(&sentence(choice)))
            });
            return cell(&words.collect::<Vec<_>>().join("<br>"));
        }
        if let Some(choices) = value["anyOf"].as_array() {
            let words: Vec<String> = choices.iter().map(|choice| self.value(choice)).collect();
            return words.join(", or ");
        }
        let kinds = strings(&value["type"]);
        let kind = value["type"].as_str().or_else(|| kinds.iter().copied().find(|kind| *kind != "null"));
        match kind.unwrap_or_default() {
            "string" => "string".to_owned(),
            "boolean" => "`true` or `false`".to_owned(),
            "integer" => format!("whole number{}", range(value)),
            "number" if value.get("x-expected").is_some() => format!("inches{}", range(value)),
            "number" => format!("number{}", range(value)),
            "array" => format!("list of {}{}", count(value), self.plural(&value["items"])),
            _ if value.get("properties").is_some() => "table".to_owned(),
            _ => match self.value(&value["additionalProperties"]).as_str() {
                "table" => "tables by name".to_owned(),
                other => format!("by name: {other}"),
            },
        }
    }

    /// The kind of a list's items, in the plural.
    fn plural(&self, value: &'s Value) -> String {
        let value = self.resolved(value);
        if let Some(choices) = value["anyOf"].as_array() {
            let words: Vec<String> = choices.iter().map(|choice| self.plural(choice)).collect();
            return words.join(" or ");
        }
        let one = self.value(value);
        if value["oneOf"].is_array() {
            return format!("these words:<br>{one}");
        }
        if let Some(values) = one.strip_prefix("by name: ") {
            return format!("tables, by name: {values}");
        }
        for (singular, plural) in [
            ("string", "strings"),
            ("table", "tables"),
            ("whole number", "whole numbers"),
            ("number", "numbers"),
            ("inches", "numbers of inches"),
        ] {
            if let Some(limits) = one.strip_prefix(singular).filter(|rest| rest.is_empty() || rest.starts_with(',')) {
                return format!("{plural}{limits}");
            }
        }
        one
    }
}

/// A sentence as part of another one.
fn lower(sentence: &str) -> String {
    let sentence = sentence.strip_suffix('.').unwrap_or(sentence);
    let mut letters = sentence.chars();
    letters.next().map_or_else(String::new, |first| first.to_lowercase().chain(letters).collect())
}

/// The limits of a number; those of its machine type do not count.
fn range(value: &Value) -> String {
    const OF_THE_MACHINE: [i64; 3] = [u16::MAX as i64, i16::MAX as i64, i16::MIN as i64];
    let limit = |key: &str| value[key].as_i64().filter(|limit| !OF_THE_MACHINE.contains(limit));
    match (limit("minimum"), limit("maximum")) {
        (Some(least), Some(most)) => format!(", {least} to {most}"),
        (Some(least), None) => format!(", {least} or more"),
        (None, Some(most)) => format!(", at most {most}"),
        (None, None) => String::new(),
    }
}

/// How many items a list may have, before the name of the items.
fn count(value: &Value) -> String {
    match (value["minItems"].as_i64(), value["maxItems"].as_i64()) {
        (Some(least), Some(most)) if least == most => format!("{least} "),
        (Some(least), Some(most)) => format!("{least} to {most} "),
        (Some(least), None) => format!("{least} or more "),
        (None, Some(most)) => format!("at most {most} "),
        (None, None) => String::new(),
    }
}
