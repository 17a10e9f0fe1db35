//! The shape of a pack, which mostly is that of a pack before it.

use std::sync::{Mutex, PoisonError};

use super::pack_schema;
use grognard_source::{Diagnostics, Document, Table, check_shape_beside};

/// As many packs are compared with a new one.
const KEPT_MAX: usize = 8;

/// The last packs that were sound and unlike each other. Variants of a pack share most of their tables with it, and what they share
/// need not be checked again.
static SOUND: Mutex<Vec<Document>> = Mutex::new(Vec::new());

/// Holds a pack against the schema.
pub(super) fn check(document: &Document) -> Diagnostics {
    let known = || SOUND.lock().unwrap_or_else(PoisonError::into_inner);
    let like = known().iter().max_by_key(|sound| shared(&sound.root, &document.root)).cloned();
    let faults = check_shape_beside(document, like.as_ref(), pack_schema());
    let is_variant = like.is_some_and(|like| 2 * shared(&like.root, &document.root) > tables(&document.root));
    if faults.is_empty() && !is_variant {
        let mut known = known();
        if known.len() == KEPT_MAX {
            known.remove(0);
        }
        known.push(document.clone());
    }
    faults
}

/// How many tables of a pack there are.
fn tables(root: &Table) -> usize {
    root.iter().filter(|(_, node)| node.as_table().is_some()).count()
}

/// How many of them another pack shares.
fn shared(root: &Table, other: &Table) -> usize {
    let is_shared = |name: &str| {
        let both =
            root.get(name).and_then(|node| node.as_table()).zip(other.get(name).and_then(|node| node.as_table()));
        both.is_some_and(|(one, other)| one.shares_all(other))
    };
    root.names().filter(|name| is_shared(name)).count()
}

#[cfg(test)]
mod tests {
    use grognard_source::{Absent, Node, Override, Path, Sources, Value, check_shape};

    use super::*;
    use crate::library::{self, PACKS};

    /// The pack with another value at a path.
    fn with(pack: &Document, path: &Path, value: Value) -> Document {
        let (span, mut variant) = (pack.span_at(path), pack.clone());
        let change = Override { path: path.clone(), path_span: span, node: Node { value, span } };
        variant.set(&change, Absent::Refuse).expect("a leaf");
        variant
    }

    /// Of every built-in pack some sixty values are changed, spread over all its tables: a number to others, far ones among them, a word
    /// to one that is known nowhere.
    #[test]
    fn a_variant_has_the_faults_that_it_has_alone() {
        let (mut faulty, mut sound) = (0, 0);
        for pack in PACKS {
            let mut sources = Sources::new();
            let base = library::load(pack.name, None, &mut sources).expect("a built-in pack").document;
            let leaves = base.leaves();
            for (nth, (path, node)) in leaves.iter().enumerate().step_by(leaves.len().div_ceil(60)) {
                let value = match (&node.value, nth % 4) {
                    (Value::Int(number), 0 | 1) => Value::Int(number + 1),
                    (Value::Int(_) | Value::Float(_), 2) => Value::Int(-1_000_000),
                    (Value::Int(_) | Value::Float(_), _) => Value::Float(0.3),
                    (_, 0 | 1) => Value::Text("x".to_owned()),
                    _ => Value::Int(1),
                };
                let variant = with(&base, path, value);
                let alone = check_shape(&variant, pack_schema());
                assert_eq!(check_shape_beside(&variant, Some(&base), pack_schema()), alone, "{}: {path}", pack.name);
                assert_eq!(check(&variant), alone, "{}: {path}", pack.name);
                *(if alone.is_empty() { &mut sound } else { &mut faulty }) += 1;
            }
        }
        assert!(sound > 100 && faulty > 100, "{sound} sound, {faulty} faulty");
    }
}
