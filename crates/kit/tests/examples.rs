//! Every public item has an example that runs: the items of this crate, and those of other crates that its root
//! re-exports.

use std::fs;
use std::path::{Path, PathBuf};

/// A public item, with the doc comment above it.
struct Item {
    name: String,
    has_example: bool,
}

fn files_of(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).expect("a folder of sources") {
        let path = entry.expect("an entry").path();
        if path.is_dir() {
            files_of(&path, found);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            found.push(path);
        }
    }
}

/// The text of each of a crate's source files.
fn sources(name: &str) -> Vec<String> {
    let mut files = Vec::new();
    files_of(&Path::new(env!("CARGO_MANIFEST_DIR")).join("..").join(name).join("src"), &mut files);
    files.iter().map(|file| fs::read_to_string(file).expect("a source")).collect()
}

/// The word at the start of a text.
fn word(text: &str) -> &str {
    text.split(|letter: char| !letter.is_alphanumeric() && letter != '_').next().unwrap_or_default()
}

/// The items that a line declares as public, without `pub`: `fn run(…`, `struct Ask…`.
fn declared(line: &str) -> Option<(&str, &str)> {
    let rest = line.strip_prefix("pub ")?.trim_start_matches("const ");
    let kinds = ["fn ", "struct ", "enum ", "trait ", "type ", "union "];
    let kind = kinds.into_iter().find(|kind| rest.starts_with(*kind))?;
    Some((kind.trim_end(), word(&rest[kind.len()..])))
}

/// The type to which the methods of an `impl` belong; `None` for the `impl` of a trait.
fn owner(line: &str) -> Option<&str> {
    let mut rest = line.strip_prefix("impl")?;
    if rest.starts_with('<') {
        let mut depth = 0;
        let end = rest.find(|letter: char| {
            depth += i32::from(letter == '<') - i32::from(letter == '>');
            depth == 0
        })?;
        rest = &rest[end + 1..];
    }
    (!rest.contains(" for ")).then(|| word(rest.trim_start()))
}

/// The public items of a source as rustfmt writes it, without those of its tests. Methods are `Type::name`.
fn items(source: &str) -> Vec<Item> {
    let (mut found, mut of, mut has_example) = (Vec::new(), None, false);
    for line in source.lines().take_while(|line| *line != "#[cfg(test)]") {
        let inner = line.trim_start();
        if line.starts_with("impl") {
            of = owner(line);
        } else if line == "}" {
            of = None;
        }
        if inner.starts_with("///") {
            has_example |= inner.starts_with("/// ```");
            continue;
        }
        let name = match (line.len() - inner.len(), of, declared(inner)) {
            (0, _, Some((_, name))) => Some(name.to_owned()),
            (4, Some(of), Some(("fn", name))) => Some(format!("{of}::{name}")),
            _ => None,
        };
        found.extend(name.map(|name| Item { name, has_example }));
        // Attributes come between a comment and its item, on one or more lines.
        if !inner.starts_with("#[") && !inner.is_empty() && !inner.ends_with(',') && !inner.starts_with(")]") {
            has_example = false;
        }
    }
    found
}

/// The crate and name of each item that the root re-exports from another crate of the workspace, except modules.
fn taken() -> Vec<(String, String)> {
    let root = fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("src/lib.rs")).expect("the root");
    let uses = root.split("\npub use grognard_").skip(1).filter_map(|text| text.split_once(';')).map(|(text, _)| text);
    let mut taken = Vec::new();
    for text in uses {
        let (name, path) = text.split_once("::").unwrap_or((text, ""));
        let names = path.split_once('{').map_or_else(|| path.rsplit("::").next().unwrap_or(path), |(_, names)| names);
        for item in names.trim_end_matches('}').split(',').map(str::trim).filter(|item| !item.is_empty()) {
            // It is documented where it is defined, under its original name.
            taken.push((name.to_owned(), word(item).to_owned()));
        }
    }
    taken
}

#[test]
fn every_public_item_has_an_example() {
    let own: Vec<Item> = sources("kit").iter().flat_map(|source| items(source)).collect();
    assert!(own.len() > 150, "only {} items were found", own.len());
    let mut without: Vec<String> = own.into_iter().filter(|item| !item.has_example).map(|item| item.name).collect();
    let taken = taken();
    assert!(taken.iter().any(|(of, item)| of == "lab" && item == "PromiseKind"), "{taken:?}");
    for (of, name) in taken {
        let method = format!("{name}::");
        let all: Vec<Item> = sources(&of).iter().flat_map(|source| items(source)).collect();
        let those = || all.iter().filter(|item| item.name == name || item.name.starts_with(&method));
        assert!(those().count() > 0, "{of} has no {name}");
        without.extend(those().filter(|item| !item.has_example).map(|item| format!("{of}: {}", item.name)));
    }
    assert!(without.is_empty(), "no example: {without:#?}");
}
