//! Checks that the register of clauses is consistent with the tests and with the rows that implement clauses.

use std::collections::{BTreeMap, BTreeSet};
use std::process::{Command, Stdio};

use grognard_rules::library::{PACKS, load};
use grognard_source::{Document, Node, Sources, Value};

use crate::common::LIST;

fn document(pack: &str) -> Document {
    let mut sources = Sources::new();
    load(pack, None, &mut sources).unwrap_or_else(|faults| panic!("{}", faults.render(&sources, false))).document
}

/// The clauses that a pack registers.
fn registered(document: &Document) -> BTreeSet<String> {
    let rows = document.root.get("clause").and_then(Node::as_array).unwrap_or_default();
    rows.iter().map(|row| row.id().expect("clauses have ids").to_owned()).collect()
}

/// Collects the clauses that each row and key of a pack cites, by path.
fn citations(node: &Value, path: &str, found: &mut Vec<(String, Vec<String>)>) {
    match node {
        Value::Table(table) => {
            for (key, value) in table.iter() {
                let below = format!("{path}.{}", key.name);
                let lists = value.as_table().filter(|_| key.name == "cites" || key.name == "all-round");
                if key.name == "cite" {
                    found.push((path.to_owned(), cited(value)));
                } else if let Some(keys) = lists {
                    found.extend(keys.iter().map(|(key, list)| (format!("{below}.{}", key.name), cited(list))));
                } else {
                    citations(&value.value, &below, found);
                }
            }
        }
        Value::Array(items) => {
            for (index, item) in items.iter().enumerate() {
                citations(&item.value, &format!("{path}.{}", item.id().unwrap_or(&index.to_string())), found);
            }
        }
        _ => {}
    }
}

/// The clauses of a list, including those cited under a condition, but not `house`.
fn cited(list: &Node) -> Vec<String> {
    listed(list).into_iter().filter(|clause| clause != "house").collect()
}

/// The clauses that a list cites, conditionally or not.
pub(super) fn listed(list: &Node) -> Vec<String> {
    let items = list.as_array().expect("a list of clauses").iter();
    let clause = |item: &Node| {
        let when = item.as_table().and_then(|table| table.get("clause")).and_then(Node::as_text);
        item.as_text().or(when).expect("a clause").to_owned()
    };
    items.map(clause).collect()
}

/// The name of a clause's test: `7.21a` becomes `clause_7_21a`, `8.40-G` becomes `clause_8_40_g`.
pub(super) fn test_name(clause: &str) -> String {
    format!("clause_{}", clause.to_lowercase().replace(['.', '-'], "_"))
}

/// The module of a pack's tests, which is the prefix of their names.
pub(super) fn module(pack: &str) -> String {
    format!("clauses::{}", pack.replace('-', "_"))
}

/// A command that runs this test program.
pub(super) fn tests() -> Command {
    Command::new(std::env::current_exe().expect("a test program has a path"))
}

/// The tests of this program, by their full names: `clauses::napoleonic_figures::facing::clause_7_21a`.
pub(super) fn names() -> Vec<String> {
    let listed = tests().args(["--list", "--format", "terse"]).output().expect("the tests can be listed");
    let listed = String::from_utf8(listed.stdout).expect("names are text");
    listed.lines().filter_map(|line| line.strip_suffix(": test")).map(str::to_owned).collect()
}

/// The tests of clauses, by the pack's module and the last part of the name; the values are full names. Several modules
/// may have tests of one clause.
pub(super) fn clause_tests() -> BTreeMap<(String, String), Vec<String>> {
    let mut tests: BTreeMap<_, Vec<String>> = BTreeMap::new();
    for name in names() {
        let module = name.split("::").take(2).collect::<Vec<_>>().join("::");
        let last = name.rsplit("::").next().unwrap_or_default().to_owned();
        if last.starts_with("clause_") {
            tests.entry((module, last)).or_default().push(name);
        }
    }
    tests
}

/// The clauses of all packs, by the module and the name of the test that each must have.
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

/// Runs the tests of the clauses again; each records the clauses that its witness sees.
///
/// Whether they pass does not matter here. A test that does not see its clause applied tests something else.
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
    assert!(blind.is_empty(), "these never see their own clause applied: {blind:#?}");
}

#[test]
fn every_clause_is_cited_by_a_row_and_every_cite_is_registered() {
    for pack in PACKS {
        let document = document(pack.name);
        let registered = registered(&document);
        let mut found = Vec::new();
        citations(&Value::Table(document.root.clone()), pack.name, &mut found);
        let found: BTreeSet<String> = found.into_iter().flat_map(|(_, clauses)| clauses).collect();
        assert_eq!(registered, found, "{}: registered on the left, cited on the right", pack.name);
    }
}

/// A row or key that cites many clauses is bound to cite some that it does not implement, which makes its coverage
/// meaningless.
#[test]
fn no_row_cites_more_than_four_clauses() {
    for pack in ["napoleonic-figures", "napoleonic-pips", "ancients-hex"] {
        let mut found = Vec::new();
        citations(&Value::Table(document(pack).root), pack, &mut found);
        assert!(found.len() > 50, "{pack}: {} rows cite anything", found.len());
        found.retain(|(_, clauses)| clauses.len() > 4);
        assert!(found.is_empty(), "these cite more than four: {found:#?}");
    }
}
