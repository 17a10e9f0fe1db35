//! An untrusted rule pack.

use grognard_rules::library;
use grognard_source::{Diagnostics, Document, Sources, extend};

/// Reads a pack, extends a built-in one if the pack says so, and compiles it. Returns whether it is valid.
pub(crate) fn exercise(text: &str) -> bool {
    let mut sources = Sources::new();
    match compiled(text, &mut sources) {
        Ok(()) => true,
        Err(faults) => {
            told(&faults, &sources);
            false
        }
    }
}

fn compiled(text: &str, sources: &mut Sources) -> Result<(), Diagnostics> {
    let file = sources.add("pack.toml", text);
    let mut document = Document::parse(file, sources)?;
    let base = document.root.get("extends").and_then(|node| node.as_text()).map(str::to_owned);
    if let Some(base) = base.filter(|base| library::built_in(base).is_some()) {
        document = extend(library::load(&base, None, sources)?.document, document)?;
    }
    grognard_rules::compile(&document, sources).map(drop)
}

/// Checks that faults have a message and can be printed.
pub(crate) fn told(faults: &Diagnostics, sources: &Sources) {
    assert!(!faults.is_empty(), "an error says why");
    let text = faults.render(sources, false);
    assert!(text.contains("error: "), "{text}");
    assert!(text.len() < 1 << 20, "a report of {} bytes", text.len());
}
