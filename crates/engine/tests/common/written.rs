//! Packs written by a test itself.

use grognard_rules::model::Rules;
use grognard_rules::{compile, library};
use grognard_source::{Document, Sources, extend};

/// Compiles a pack in a file of this name. If it has faults, returns their number and their text.
pub(crate) fn compiled(name: &str, text: impl Into<String>) -> Result<&'static Rules, (usize, String)> {
    let mut sources = Sources::new();
    let file = sources.add(name, text.into());
    let rules = Document::parse(file, &sources).and_then(|document| compile(&document, &sources));
    rules.map(|rules| &*Box::leak(Box::new(rules))).map_err(|faults| (faults.len(), faults.render(&sources, false)))
}

/// Compiles a pack that extends a built-in one with these lines, in `pack.toml`. If it has faults, returns their text.
pub(crate) fn extended(base: &str, lines: &str) -> Result<&'static Rules, String> {
    let mut sources = Sources::new();
    let document = library::load(base, None, &mut sources).expect("a built-in pack").document;
    let file = sources.add("pack.toml", format!("pack = \"tried\"\nextends = \"{base}\"\n\n{lines}"));
    let rules = Document::parse(file, &sources).and_then(|variant| compile(&extend(document, variant)?, &sources));
    rules.map(|rules| &*Box::leak(Box::new(rules))).map_err(|faults| faults.render(&sources, false))
}

/// Asserts that a pack has a single fault, that its message contains all of these parts, and that it points to the
/// first line that contains `place`.
pub(crate) fn assert_one_fault(name: &str, text: &str, said: &[&str], place: &str) {
    let (faults, shown) = compiled(name, text).expect_err(place);
    assert_eq!(faults, 1, "{shown}");
    for part in said {
        assert!(shown.contains(part), "no `{part}` in {shown}");
    }
    let line = 1 + text.lines().position(|line| line.contains(place)).unwrap_or_else(|| panic!("no {place}"));
    assert!(shown.contains(&format!("{name}:{line}:")), "not in line {line}: {shown}");
}
