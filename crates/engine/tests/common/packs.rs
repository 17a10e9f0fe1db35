//! Packs: the built-in ones by name, and the small ones of `crates/rules/tests/packs`.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::{Mutex, OnceLock};

use grognard_rules::library;
use grognard_rules::model::Rules;
use grognard_source::{Absent, Override, Sources};

use super::mutation::asked_for;

/// The folder of the small packs.
fn folder() -> &'static Path {
    Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../rules/tests/packs"))
}

/// The rules of a pack.
pub(crate) fn load(name: &str) -> Rules {
    load_with(name, &[])
}

/// The rules of a pack with some of its values changed: `roll.shock.modifier.heavy-horse.add=3`.
pub(crate) fn load_with(name: &str, changes: &[&str]) -> Rules {
    let mut sources = Sources::new();
    let rules = (|| {
        let mut pack = library::load(name, Some(folder()), &mut sources)?;
        if let Some(mutation) = asked_for(&pack.document) {
            mutation.apply(&mut pack.document, &mut sources);
        }
        for change in changes {
            let file = sources.add("--set", *change);
            pack.document.set(&Override::parse(file, &sources)?, Absent::Insert(grognard_rules::pack_schema()))?;
        }
        pack.compile(&sources)
    })();
    rules.unwrap_or_else(|faults| panic!("{name} with {changes:?}:\n{}", faults.render(&sources, false)))
}

/// The rules of a pack with these changes, compiled once for all tests in a program that make the same changes.
pub(crate) fn load_once(name: &str, changes: &[&str]) -> &'static Rules {
    static RULES: Mutex<BTreeMap<String, &'static Rules>> = Mutex::new(BTreeMap::new());
    let key = [&[name], changes].concat().join("\n");
    if let Some(&rules) = RULES.lock().expect("no test panics here").get(&key) {
        return rules;
    }
    // Compiled without holding the lock, so a pack that does not compile fails only its own test.
    let rules: &'static Rules = Box::leak(Box::new(load_with(name, changes)));
    RULES.lock().expect("no test panics here").insert(key, rules);
    rules
}

/// The command point system with its drill doctrines.
pub(crate) fn pips() -> &'static Rules {
    static RULES: OnceLock<Rules> = OnceLock::new();
    RULES.get_or_init(|| load("pips-drill"))
}

/// The figures system with its drill doctrines, compiled once for all tests of a program.
pub(crate) fn drill() -> &'static Rules {
    static RULES: OnceLock<Rules> = OnceLock::new();
    RULES.get_or_init(|| load("figures-drill"))
}
