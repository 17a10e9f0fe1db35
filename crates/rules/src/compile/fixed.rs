//! Numbers that a search for changes must leave alone.

use super::checker::{Checker, at};
use crate::wire::Pack;
use grognard_source::{Document, Path, Value};

/// Reports every path of `fixed` at which the pack has no number. Such paths do not affect battles.
pub(super) fn check(checker: &mut Checker<'_>, document: &Document, wire: &Pack<'_>) {
    if wire.fixed.is_empty() {
        return;
    }
    let numbers = document.leaves().into_iter().filter(|(_, node)| has_number(&node.value)).map(|(path, _)| path);
    let known: Vec<Path> = numbers.filter(|path| path.segments()[0] != "fixed").collect();
    let names: Vec<String> = known.iter().map(Path::to_string).collect();
    for (place, text) in wire.fixed.iter().enumerate() {
        let at = at!["fixed", place];
        match Path::parse(text) {
            Err(error) => {
                checker.fault(
                    &at,
                    error.to_string(),
                    Some("write the path of a number, or of a table that holds some"),
                );
            }
            Ok(named) if known.iter().any(|path| path.segments().starts_with(named.segments())) => {}
            Ok(_) => _ = checker.is_known(&at, "number", text, names.iter().map(String::as_str)),
        }
    }
}

/// Whether a value is a number, or a formula or a condition that may hold one.
fn has_number(value: &Value) -> bool {
    match value {
        Value::Int(_) | Value::Float(_) => true,
        Value::Text(text) => text.bytes().any(|byte| byte.is_ascii_digit()),
        _ => false,
    }
}
