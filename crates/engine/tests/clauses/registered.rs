//! The register of clauses holds together: with the tests, and with the rows that carry clauses out.

use std::collections::{BTreeMap, BTreeSet};
use std::process::{Command, Stdio};

use grognard_rules::library::{PACKS, load};
use grognard_rules::source::{Document, Node, Sources, Value};

use super::common::LIST;

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
pub(super) fn test_name(clause: &str) -> String {
    format!("clause_{}", clause.to_lowercase().replace(['.', '-'], "_"))
}

/// The module of a pack's tests.
pub(super) fn module(pack: &str) -> String {
    pack.replace('-', "_")
}

/// This program, with its own tests in it.
pub(super) fn tests() -> Command {
    Command::new(std::env::current_exe().expect("a test program has a path"))
}

/// The tests of this program, by their whole names: `napoleonic_figures::facing::clause_7_21a`.
pub(super) fn names() -> Vec<String> {
    let listed = tests().args(["--list", "--format", "terse"]).output().expect("the tests can be listed");
    let listed = String::from_utf8(listed.stdout).expect("names are text");
    listed.lines().filter_map(|line| line.strip_suffix(": test")).map(str::to_owned).collect()
}

/// The tests of clauses: pack's module and last name, then the whole names. Several modules may have tests of one clause.
pub(super) fn clause_tests() -> BTreeMap<(String, String), Vec<String>> {
    let mut tests: BTreeMap<_, Vec<String>> = BTreeMap::new();
    for name in names() {
        let module = name.split("::").next().unwrap_or_default().to_owned();
        let last = name.rsplit("::").next().unwrap_or_default().to_owned();
        if last.starts_with("clause_") {
            tests.entry((module, last)).or_default().push(name);
        }
    }
    tests
}

/// Every clause of every pack: module and name of the test that it has to have, and the clause.
fn wanted() -> BTreeMap<(String, String), String> {
    let of_pack = |pack: &str| {
        let module = module(pack);
        registered(&document(pack)).into_iter().map(move |clause| ((module.clone(), test_name(&clause)), clause))
    };
    PACKS.iter().flat_map(|pack| of_pack(pack.name)).collect()
}

#[test]
fn every_clause_has_its_test_and_every_test_its_clause() {
    let (wanted, tests) = (wanted(), clause_tests());
    let missing: Vec<_> = wanted.keys().filter(|test| !tests.contains_key(test)).collect();
    assert!(missing.is_empty(), "no test for {missing:#?}");
    let strays: Vec<_> = tests.iter().filter(|(test, _)| !wanted.contains_key(test)).collect();
    assert!(strays.is_empty(), "these test no registered clause: {strays:#?}");
}

/// Runs the tests of the clauses once more, each of which writes down the clauses that its witness sees.
///
/// Whether they pass is their own business. A test that does not see its clause carried out tests something else.
#[test]
fn every_test_sees_its_own_clause() {
    let clause_tests = clause_tests();
    let list = std::env::temp_dir().join(format!("grognard-clauses-{}", std::process::id()));
    let mut run = tests();
    run.args(["::clause_", "--test-threads", "2"]).env(LIST, &list).stdout(Stdio::null()).stderr(Stdio::null());
    run.status().expect("the tests can be run");
    let seen = std::fs::read_to_string(&list).expect("the tests have written their list");
    std::fs::remove_file(&list).expect("the list can be removed");
    let seen: BTreeSet<(&str, &str)> = seen.lines().filter_map(|line| line.split_once('\t')).collect();
    let mut blind = Vec::new();
    for (test, clause) in wanted() {
        let names = clause_tests.get(&test).cloned().unwrap_or_default();
        blind.extend(names.into_iter().filter(|name| !seen.contains(&(name.as_str(), clause.as_str()))));
    }
    assert!(blind.is_empty(), "these never see their own clause carried out: {blind:#?}");
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
