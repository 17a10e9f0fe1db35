//! `grognard --version`: the command's version and commit, and the versions of the built-in packs.

use std::fmt::Write;

use grognard_rules::library::PACKS;
use grognard_source::{Document, Node, Sources};

/// The version of the command and, in brackets, the commit it was built from (`unknown` outside a checkout).
pub(crate) const VERSION: &str = concat!(env!("CARGO_PKG_VERSION"), " (", env!("GROGNARD_COMMIT"), ")");

/// What `--version` prints: the command's version, then a line for each built-in pack.
pub(crate) fn all() -> String {
    let mut text = format!("grognard {VERSION}\n");
    let width = PACKS.iter().map(|pack| pack.name.len()).max().unwrap_or(0);
    for pack in PACKS {
        // Writing to a String does not fail.
        let _ = writeln!(text, "{:width$}  {}", pack.name, of_pack(pack.files[0].1));
    }
    text
}

/// The version that the text of a `pack.toml` states.
fn of_pack(text: &str) -> String {
    let mut sources = Sources::new();
    let file = sources.add("pack.toml", text);
    let document = Document::parse(file, &sources).ok();
    let version = document.as_ref().and_then(|document| document.root.get("version")).and_then(Node::as_text);
    version.unwrap_or("unknown").to_owned()
}
