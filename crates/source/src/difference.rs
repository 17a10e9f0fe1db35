//! Finds the variant that turns one document into another.

use super::document::{Document, Key, Node, Table, Value, has_ids};
use super::span::Span;

/// The variant that turns `base` into `changed` with [`extend`](fn@super::extend); `None` if there is none, because a
/// value other than a row with an id was removed.
#[must_use]
pub fn difference(base: &Document, changed: &Document) -> Option<Table> {
    of_tables(&base.root, &changed.root, &[])
}

/// The differences between two tables; the values of `kept` names are always included.
fn of_tables(base: &Table, changed: &Table, kept: &[&str]) -> Option<Table> {
    if base.names().any(|name| changed.get(name).is_none()) {
        return None;
    }
    let mut different = Table::new();
    for (key, node) in changed.iter() {
        let old = base.get(&key.name);
        if old.is_some_and(|old| is_same(old, node)) && !kept.contains(&key.name.as_str()) {
            continue;
        }
        let node = match old {
            Some(old) => Node { value: of_values(&old.value, &node.value, node.span)?, span: node.span },
            None => node.clone(),
        };
        different.insert(key.clone(), node);
    }
    Some(different)
}

fn of_values(base: &Value, changed: &Value, span: Span) -> Option<Value> {
    match (base, changed) {
        (Value::Table(base), Value::Table(changed)) => of_tables(base, changed, &[]).map(Value::Table),
        (Value::Array(base), Value::Array(changed)) if has_ids(base) && (changed.is_empty() || has_ids(changed)) => {
            of_rows(base, changed, span).map(Value::Array)
        }
        _ => Some(changed.clone()),
    }
}

/// The rows that differ, followed by those to be removed.
fn of_rows(base: &[Node], changed: &[Node], span: Span) -> Option<Vec<Node>> {
    let with_id = |rows: &[Node], id: &str| rows.iter().find(|row| row.id() == Some(id)).cloned();
    let mut different = Vec::new();
    for row in changed {
        let old = with_id(base, row.id()?);
        match (old.as_ref().map(|old| &old.value), &row.value) {
            (Some(Value::Table(old)), Value::Table(new)) => {
                let says = of_tables(old, new, &["id"])?;
                if says.len() > 1 {
                    different.push(Node { value: Value::Table(says), span: row.span });
                }
            }
            _ => different.push(row.clone()),
        }
    }
    for row in base.iter().filter_map(Node::id).filter(|id| with_id(changed, id).is_none()) {
        let mut removal = Table::new();
        let key = |name: &str| Key { name: name.to_owned(), span };
        removal.insert(key("id"), Node { value: Value::Text(row.to_owned()), span });
        removal.insert(key("remove"), Node { value: Value::Bool(true), span });
        different.push(Node { value: Value::Table(removal), span });
    }
    Some(different)
}

/// Whether two values are equal, regardless of location.
fn is_same(one: &Node, other: &Node) -> bool {
    one.value.to_string() == other.value.to_string()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Sources, extend};

    const BASE: &str = "title = 'a'\nlist = [1, 2]\n[roll.shock]\nneed = 4\n\
        modifier = [{ id = 'square', add = 7, cite = ['x'] }, { id = 'flank', add = 2 }]\n[[units]]\nat = 1\n[[units]]\nat = 2\n";

    fn parse(text: &str) -> Document {
        let mut sources = Sources::new();
        let file = sources.add("x.toml", text);
        Document::parse(file, &sources).expect("good TOML")
    }

    /// The text of a variant, after checking that it turns one document into the other.
    fn says(changed: &str) -> Option<String> {
        let (base, changed) = (parse(BASE), parse(changed));
        let root = difference(&base, &changed)?;
        let variant = Document { root: root.clone(), span: base.span };
        let text = |document: Document| document.root.to_string();
        assert_eq!(text(extend(base, variant).expect("it can be merged")), text(changed));
        Some(root.to_string())
    }

    #[test]
    fn a_variant_says_what_differs_and_no_more() {
        assert_eq!(says(BASE).as_deref(), Some("{}"));
        assert_eq!(
            says(&BASE.replace("add = 7", "add = 6")).as_deref(),
            Some(r#"{ roll = { shock = { modifier = [{ id = "square", add = 6 }] } } }"#)
        );
        assert_eq!(
            says(&BASE.replace(", { id = 'flank', add = 2 }", "")).as_deref(),
            Some(r#"{ roll = { shock = { modifier = [{ id = "flank", remove = true }] } } }"#)
        );
        let none = BASE.replace("{ id = 'square', add = 7, cite = ['x'] }, { id = 'flank', add = 2 }", "");
        assert_eq!(says(&none).expect("rows can be removed").matches("remove = true").count(), 2, "so can all of them");
        assert_eq!(
            says(&BASE.replace("[[units]]\nat = 1\n", "")).as_deref(),
            Some("{ units = [{ at = 2 }] }"),
            "rows without ids are repeated"
        );
        assert_eq!(says(&BASE.replace("[1, 2]", "[1]")).as_deref(), Some("{ list = [1] }"));
        assert_eq!(
            says(&BASE.replace("add = 2 }]\n", "add = 2 }]\nnew = 1\n")).as_deref(),
            Some("{ roll = { shock = { new = 1 } } }")
        );
    }

    #[test]
    fn no_variant_takes_a_key_away() {
        assert_eq!(says(&BASE.replace("need = 4\n", "")), None);
        assert_eq!(says(&BASE.replace(", cite = ['x']", "")), None);
    }
}
