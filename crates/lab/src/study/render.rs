//! Converts documents back to TOML for the manifest, which shows what was fought, including overrides.

use std::fmt::Write;

use grognard_source::{Document, Node, Path, Table, Value};

/// A document as TOML. Reading it back gives the same document.
pub(super) fn to_toml(document: &Document) -> String {
    let mut text = String::new();
    write_table(&document.root, &Path::root(), &mut text);
    text
}

fn write_table(table: &Table, path: &Path, text: &mut String) {
    // Below the root, the order of keys matters: the order in `[vary]` numbers the cells. So a table before a plain
    // value is written inline, to keep its place.
    let last_plain = table.iter().rposition(|(_, node)| !stands_alone(node));
    let inline = if path.is_empty() { 0 } else { last_plain.map_or(0, |last| last + 1) };
    let has_header = |&(at, (_, node)): &(usize, (_, &Node))| at >= inline && stands_alone(node);
    for (_, (key, node)) in table.iter().enumerate().filter(|entry| !has_header(entry)) {
        writeln!(text, "{} = {}", Path::root().join(&key.name), node.value).expect("writing to a String succeeds");
    }
    for (_, (key, node)) in table.iter().enumerate().filter(has_header) {
        let path = path.join(&key.name);
        match &node.value {
            Value::Table(below) => {
                writeln!(text, "\n[{path}]").expect("writing to a String succeeds");
                write_table(below, &path, text);
            }
            Value::Array(rows) => {
                for row in rows.iter().filter_map(Node::as_table) {
                    writeln!(text, "\n[[{path}]]").expect("writing to a String succeeds");
                    for (key, node) in row.iter() {
                        let key = Path::root().join(&key.name);
                        writeln!(text, "{key} = {}", node.value).expect("writing to a String succeeds");
                    }
                }
            }
            _ => {}
        }
    }
}

/// Whether a value gets its own header.
fn stands_alone(node: &Node) -> bool {
    match &node.value {
        Value::Table(_) => true,
        Value::Array(rows) => !rows.is_empty() && rows.iter().all(|row| row.as_table().is_some()),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use grognard_source::Sources;

    use super::*;

    #[test]
    fn what_is_written_reads_back_as_the_same() {
        let text = r#"
            a = 1
            "odd key" = [1, 2.5, "x\n\"y\""]
            empty = []
            [t]
            [t."u v".w]
            yes = true
            [[rows]]
            id = "one"
            deep = { x = { y = 1 }, z = [{ q = 1 }, { q = 2 }] }
            [[rows]]
            id = "two"
            [vary]
            "table.first" = { from = 1, to = 3 }
            "rows.next" = [{ a = 1 }, { a = 2 }]
            "plain.then" = [1, 2]
            "table.last" = { from = 1, to = 3 }
            [last]
            b = -0.5
        "#;
        let mut sources = Sources::new();
        let mut parse = |text: &str| {
            let file = sources.add("x.toml", text);
            Document::parse(file, &sources).unwrap()
        };
        let written = to_toml(&parse(text));
        let again = parse(&written);
        assert_eq!(again.root.to_string(), parse(text).root.to_string());
        assert_eq!(to_toml(&again), written);
    }
}
