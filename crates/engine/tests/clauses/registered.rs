//! The register of clauses holds together: with the tests, and with the rows that carry clauses out.

use std::collections::BTreeSet;
use std::path::Path;

use grognard_rules::library::{PACKS, load};
use grognard_rules::source::{Document, Node, Sources, Value};

fn document(pack: &str) -> Document {
    let mut sources = Sources::new();
    load(pack, None, &mut sources).unwrap_or_else(|faults| panic!("{}", faults.render(&sources, false))).document
}

/// The clauses that a pack registers.
fn registered(document: &Document) -> BTreeSet<String> {
    let rows = document.root.get("clause").and_then(Node::as_array).unwrap_or_default();
    rows.iter().map(|row| row.id().expect("clauses have ids").to_owned()).collect()
}

/// The clauses that the rows of a pack cite.
fn cited(node: &Value, found: &mut BTreeSet<String>) {
    match node {
        Value::Table(table) => {
            for (key, value) in table.iter() {
                match value.value.is_leaf() {
                    true if key.name == "cite" => {
                        let clauses = value.as_array().expect("a list of clauses");
                        found.extend(clauses.iter().filter_map(Node::as_text).map(str::to_owned));
                    }
                    _ => cited(&value.value, found),
                }
            }
        }
        Value::Array(items) => items.iter().for_each(|item| cited(&item.value, found)),
        _ => {}
    }
}

/// The name of a clause's test: `7.21a` becomes `clause_7_21a`, `8.40-G` becomes `clause_8_40_g`.
fn test_name(clause: &str) -> String {
    format!("clause_{}", clause.to_lowercase().replace(['.', '-'], "_"))
}

/// The text of a pack's tests: `risk.rs`, or all files of `napoleonic_figures/`.
fn tests_of(pack: &str) -> String {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/clauses");
    let module = pack.replace('-', "_");
    let read =
        |path: &Path| std::fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let file = folder.join(format!("{module}.rs"));
    if file.exists() {
        return read(&file);
    }
    let entries = std::fs::read_dir(folder.join(&module)).unwrap_or_else(|error| panic!("tests of {pack}: {error}"));
    entries.map(|entry| read(&entry.expect("a folder entry").path())).collect()
}

#[test]
fn every_clause_has_its_test() {
    let mut missing = Vec::new();
    for pack in PACKS {
        let tests = tests_of(pack.name);
        for clause in registered(&document(pack.name)) {
            if !tests.contains(&format!("#[test]\nfn {}() {{", test_name(&clause))) {
                missing.push(format!("{}: {}", pack.name, test_name(&clause)));
            }
        }
    }
    assert!(missing.is_empty(), "no test for {missing:#?}");
}

/// What stands between the head of a test and the next one.
fn body<'t>(tests: &'t str, name: &str) -> &'t str {
    let start = tests.find(&format!("\nfn {name}() {{")).expect("a test of that name");
    let rest = &tests[start..];
    &rest[..rest.find("\n}\n").unwrap_or(rest.len())]
}

/// A test that never names its clause cannot have seen it carried out.
#[test]
fn every_test_looks_for_its_own_clause() {
    for pack in PACKS {
        let tests = tests_of(pack.name);
        for clause in registered(&document(pack.name)) {
            let body = body(&tests, &test_name(&clause));
            assert!(body.contains(&format!("\"{clause}\"")), "{}: {} never names it", pack.name, test_name(&clause));
        }
    }
}

#[test]
fn every_test_has_its_clause() {
    for pack in PACKS {
        let names: BTreeSet<String> = registered(&document(pack.name)).iter().map(|clause| test_name(clause)).collect();
        for line in tests_of(pack.name).lines() {
            if let Some(name) = line.strip_prefix("fn ").and_then(|rest| rest.strip_suffix("() {"))
                && name.starts_with("clause_")
            {
                assert!(names.contains(name), "{}: {name} tests no registered clause", pack.name);
            }
        }
    }
}

#[test]
fn every_clause_is_cited_by_a_row_and_every_cite_is_registered() {
    for pack in PACKS {
        let document = document(pack.name);
        let registered = registered(&document);
        let mut found = BTreeSet::new();
        cited(&Value::Table(document.root.clone()), &mut found);
        found.remove("house");
        assert_eq!(registered, found, "{}: registered on the left, cited on the right", pack.name);
    }
}
