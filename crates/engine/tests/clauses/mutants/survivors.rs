//! The mutants that may survive, each with the reason: `survivors.toml`.

use std::collections::BTreeMap;
use std::path::Path;

use grognard_source::{Document, Node, Sources};

use super::Tried;
use super::run::Fate;

/// For each pack and change, the reason why no test can catch the change.
pub(super) struct Survivors(BTreeMap<(String, String), String>);

impl Survivors {
    /// Reads the list.
    pub(super) fn read() -> Self {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/clauses/mutants/survivors.toml");
        let text = std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        let mut sources = Sources::new();
        let file = sources.add("survivors.toml", text);
        let document =
            Document::parse(file, &sources).unwrap_or_else(|faults| panic!("{}", faults.render(&sources, false)));
        let rows = document.root.get("survivor").and_then(Node::as_array).unwrap_or_default();
        let text = |row: &Node, key: &str| {
            let text = row.as_table().and_then(|row| row.get(key)).and_then(Node::as_text);
            text.unwrap_or_else(|| panic!("a survivor without `{key}`: {}", row.value)).to_owned()
        };
        Self(rows.iter().map(|row| ((text(row, "pack"), text(row, "change")), text(row, "reason"))).collect())
    }

    /// The reason why this change of a pack may survive.
    pub(super) fn reason(&self, pack: &str, change: &str) -> Option<&str> {
        self.0.get(&(pack.to_owned(), change.to_owned())).map(String::as_str)
    }

    /// Survivors that are not listed and, if all rows were tried, listed mutants that did not survive.
    pub(super) fn faults(&self, tried: &Tried, whole: bool) -> Vec<String> {
        let survived: Vec<&str> = tried.of(Fate::Survived).map(|mutant| mutant.mutation.0.as_str()).collect();
        let strangers = survived.iter().filter(|change| self.reason(tried.pack, change).is_none());
        let mut faults: Vec<String> =
            strangers.map(|change| format!("{}: no test catches `{change}`", tried.pack)).collect();
        let listed = self.0.keys().filter(|(pack, change)| pack == tried.pack && !survived.contains(&change.as_str()));
        if whole {
            let stale =
                |(pack, change): &(String, String)| format!("{pack}: `{change}` is listed as a survivor, and is none");
            faults.extend(listed.map(stale));
        }
        faults
    }
}
