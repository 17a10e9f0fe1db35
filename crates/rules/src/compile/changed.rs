//! Built-in packs with something changed, for tests.

use crate::library;
use crate::model::Rules;
use grognard_source::{Absent, Document, Override, Sources, extend};

/// A built-in pack under a variant, which is the file `pack.toml`.
pub(super) fn under(pack: &str, text: &str, sources: &mut Sources) -> Document {
    let file = sources.add("pack.toml", text);
    let variant = Document::parse(file, sources).unwrap_or_else(|faults| panic!("{}", faults.render(sources, false)));
    let base = library::load(pack, None, sources).expect("a built-in pack").document;
    extend(base, variant).expect("a variant")
}

/// A built-in pack with some of its values set as `--set` does, or its faults.
pub(super) fn with(pack: &str, changes: &[&str]) -> Result<Rules, String> {
    let mut sources = Sources::new();
    let mut pack = library::load(pack, None, &mut sources).expect("a built-in pack is sound");
    for change in changes {
        let file = sources.add("--set", *change);
        let change = Override::parse(file, &sources).expect("a path and a value");
        pack.document.set(&change, Absent::Insert(crate::pack_schema())).expect("a place for it");
    }
    pack.compile(&sources).map_err(|faults| faults.render(&sources, false))
}
