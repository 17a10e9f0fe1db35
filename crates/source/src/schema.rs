//! The JSON Schemas of the wire types, as far as they are used: what is allowed at a path.
//!
//! This reads what `schemars` generates for structs, options, lists, tuples, maps, sets, enums of words, and tagged and
//! untagged enums. [`unsupported_keywords`] finds anything else that a wire type may have introduced.

use schemars::Schema;
use serde_json::{Map, Value as Json};

use super::document::Value;
use super::nearest::quoted;

/// A keyword that says in plain words what a value must be, where its type is not enough:
/// `#[schemars(extend("x-expected" = "an expression in quotes"))]`.
pub const EXPECTED: &str = "x-expected";

/// Keywords that only inform, or that [`View::new`] resolves.
const KEYWORDS: [&str; 28] = [
    "$schema",
    "$defs",
    "$ref",
    "title",
    "description",
    "default",
    "examples",
    "deprecated",
    EXPECTED,
    "type",
    "enum",
    "const",
    "oneOf",
    "anyOf",
    "allOf",
    "properties",
    "required",
    "additionalProperties",
    "items",
    "prefixItems",
    "minItems",
    "maxItems",
    "uniqueItems",
    "minimum",
    "maximum",
    "multipleOf",
    "minLength",
    "maxLength",
];

/// The formats `schemars` gives to numbers, with the range of those whose range it does not spell out.
const FORMATS: [(&str, Option<(i64, i64)>); 12] = [
    ("int8", None),
    ("int16", None),
    ("int32", Some((i32::MIN as i64, i32::MAX as i64))),
    ("int64", None),
    ("int", None),
    ("uint8", None),
    ("uint16", None),
    ("uint32", Some((0, u32::MAX as i64))),
    ("uint64", None),
    ("uint", None),
    ("float", None),
    ("double", None),
];

/// The pattern of names that are whole numbers, in maps with such keys.
const NATURAL: &str = r"^\d+$";
const INTEGER: &str = r"^-?\d+$";

/// Everything that applies to one value: a schema with its references resolved, and its open choices.
#[derive(Clone, Debug)]
pub(super) struct View<'s> {
    schema: &'s Schema,
    layers: Vec<&'s Map<String, Json>>,
    choices: Vec<Vec<View<'s>>>,
    never: bool,
}

/// How a name that a table does not list is treated.
pub(super) enum Additional<'s> {
    /// It may stand for anything.
    Open,
    /// It is a fault.
    Closed,
    /// It stands for a value of this schema.
    Each(&'s Json),
}

impl<'s> View<'s> {
    /// The whole schema.
    pub(super) fn root(schema: &'s Schema) -> Self {
        Self::new(schema, schema.as_value())
    }

    /// A part of it.
    fn new(schema: &'s Schema, part: &'s Json) -> Self {
        let mut view = Self { schema, layers: Vec::new(), choices: Vec::new(), never: false };
        view.take(part, &mut Vec::new());
        view
    }

    /// Adds what `part` requires. `open` has the references that are being followed.
    fn take(&mut self, part: &'s Json, open: &mut Vec<&'s str>) {
        let Some(layer) = part.as_object() else {
            self.never |= part == &Json::Bool(false);
            return;
        };
        self.layers.push(layer);
        if let Some(reference) = layer.get("$ref").and_then(Json::as_str)
            && !open.contains(&reference)
            && let Some(target) = self.schema.pointer(reference)
        {
            open.push(reference);
            self.take(target, open);
            open.pop();
        }
        for part in list(layer, "allOf") {
            self.take(part, open);
        }
        for keyword in ["anyOf", "oneOf"] {
            let alternatives = self.alternatives(list(layer, keyword), open);
            match <[View<'s>; 1]>::try_from(alternatives) {
                Ok([only]) => self.merge(only),
                Err(alternatives) if alternatives.is_empty() => {}
                Err(alternatives) => self.choices.push(alternatives),
            }
        }
    }

    /// The alternatives of a choice, including those of nested choices. TOML has no null, so null is not an
    /// alternative.
    fn alternatives(&self, parts: &'s [Json], open: &mut Vec<&'s str>) -> Vec<Self> {
        let mut alternatives = Vec::new();
        for part in parts {
            let reference = part.get("$ref").and_then(Json::as_str);
            let is_null = part.get("type").is_some_and(|kind| kind == "null");
            if is_null || reference.is_some_and(|reference| open.contains(&reference)) {
                continue;
            }
            let mut view = Self { schema: self.schema, layers: Vec::new(), choices: Vec::new(), never: false };
            view.take(part, open);
            let transparent = view.choices.len() == 1
                && !view
                    .layers
                    .iter()
                    .any(|layer| ["type", "properties", EXPECTED].iter().any(|key| layer.contains_key(*key)));
            if transparent {
                alternatives.extend(view.choices.pop().unwrap_or_default());
            } else {
                alternatives.push(view);
            }
        }
        alternatives
    }

    fn merge(&mut self, other: Self) {
        self.layers.extend(other.layers);
        self.choices.extend(other.choices);
        self.never |= other.never;
    }

    /// The open choices.
    pub(super) fn choices(&self) -> &[Vec<View<'s>>] {
        &self.choices
    }

    /// The view with choice number `choice` made.
    pub(super) fn choosing(&self, choice: usize, alternative: &Self) -> Self {
        let mut chosen = self.clone();
        chosen.choices.remove(choice);
        chosen.merge(alternative.clone());
        chosen
    }

    /// All values of a keyword.
    pub(super) fn all(&self, keyword: &'static str) -> impl Iterator<Item = &'s Json> {
        self.layers.iter().filter_map(move |layer| layer.get(keyword))
    }

    /// Whether a value of this kind is allowed here at all.
    pub(super) fn accepts(&self, value: &Value) -> bool {
        let names: &[&str] = match value {
            Value::Bool(_) => &["boolean"],
            Value::Int(_) => &["integer", "number"],
            Value::Float(_) => &["number"],
            Value::Text(_) => &["string"],
            Value::Array(_) => &["array"],
            Value::Table(_) => &["object"],
        };
        let fits = |kind: &Json| match kind {
            Json::Array(kinds) => kinds.iter().any(|kind| kind.as_str().is_some_and(|kind| names.contains(&kind))),
            kind => kind.as_str().is_some_and(|kind| names.contains(&kind)),
        };
        !self.never
            && self.all("type").all(fits)
            && self.choices.iter().all(|choice| choice.iter().any(|alternative| alternative.accepts(value)))
    }

    /// The words allowed here, if only words are.
    pub(super) fn words(&self) -> Option<Vec<&'s str>> {
        if let Some(word) = self.all("const").next() {
            return Some(word.as_str().into_iter().collect());
        }
        if let Some(words) = self.all("enum").next() {
            return Some(words.as_array().into_iter().flatten().filter_map(Json::as_str).collect());
        }
        let [choice] = self.choices.as_slice() else { return None };
        let words: Option<Vec<_>> = choice.iter().map(View::words).collect();
        words.map(|words| words.into_iter().flatten().collect())
    }

    /// The value under one of the names that a table lists.
    pub(super) fn property(&self, name: &str) -> Option<Self> {
        self.all("properties").find_map(|own| own.get(name)).map(|part| Self::new(self.schema, part))
    }

    /// The names that a table lists, in the order of the type.
    pub(super) fn names(&self) -> Vec<&'s str> {
        self.all("properties").filter_map(Json::as_object).flat_map(Map::keys).map(String::as_str).collect()
    }

    /// The required names.
    pub(super) fn required(&self) -> Vec<&'s str> {
        self.all("required").filter_map(Json::as_array).flatten().filter_map(Json::as_str).collect()
    }

    /// How the name `name` is treated if the table does not list it.
    pub(super) fn additional(&self, name: &str) -> Additional<'s> {
        for (pattern, part) in self.all("patternProperties").filter_map(Json::as_object).flatten() {
            let digits = if pattern == INTEGER { name.strip_prefix('-').unwrap_or(name) } else { name };
            if !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit()) {
                return Additional::Each(part);
            }
        }
        let mut found = Additional::Open;
        for part in self.all("additionalProperties").chain(self.all("unevaluatedProperties")) {
            match part {
                Json::Bool(false) => found = Additional::Closed,
                Json::Object(_) => return Additional::Each(part),
                _ => {}
            }
        }
        found
    }

    /// The value a name stands for when [`View::additional`] says so, or the row of a list.
    pub(super) fn part(&self, part: &'s Json) -> Self {
        Self::new(self.schema, part)
    }

    /// The row at a position of a list.
    pub(super) fn item(&self, index: usize) -> Option<Self> {
        let fixed = self.all("prefixItems").find_map(|items| items.get(index));
        fixed.or_else(|| self.all("items").next()).map(|part| self.part(part))
    }

    /// The range a number's format implies.
    pub(super) fn format_range(&self) -> Option<(i64, i64)> {
        let format = self.all("format").next()?.as_str()?;
        FORMATS.iter().find(|(name, _)| *name == format)?.1
    }

    /// Its purpose, in a phrase: the first sentence of its description, without the full stop. `None` if it does not
    /// have one.
    pub(super) fn purpose(&self) -> Option<String> {
        self.all("description").next().and_then(Json::as_str).and_then(phrase)
    }

    /// The purpose of its innermost part: the alternative that was chosen last.
    pub(super) fn purpose_of_choice(&self) -> Option<String> {
        self.all("description").last().and_then(Json::as_str).and_then(phrase)
    }

    /// The requirement for this value, in plain words: `a whole number or an expression in quotes`.
    pub(super) fn describe(&self) -> String {
        if let Some(words) = self.all(EXPECTED).next().and_then(Json::as_str) {
            return words.to_owned();
        }
        if let Some(words) = self.words() {
            return match words.as_slice() {
                [word] => quoted(word),
                [words @ .., last] => format!("{} or {}", joined(words.iter().map(|word| quoted(word))), quoted(last)),
                [] => "nothing".to_owned(),
            };
        }
        let kinds: Vec<String> = match self.all("type").next() {
            Some(Json::Array(kinds)) => kinds.iter().filter_map(Json::as_str).filter_map(plain_kind).collect(),
            Some(kind) => kind.as_str().and_then(plain_kind).into_iter().collect(),
            None => Vec::new(),
        };
        let mut parts = kinds;
        if parts.is_empty() {
            for part in self.choices.iter().flatten().map(View::describe) {
                if !parts.contains(&part) {
                    parts.push(part);
                }
            }
        }
        match parts.as_slice() {
            [] => "a value".to_owned(),
            [part] => part.clone(),
            [parts @ .., last] => format!("{} or {last}", joined(parts.iter().cloned())),
        }
    }
}

/// The first sentence of a description, without the full stop and in a form that fits into another sentence.
fn phrase(text: &str) -> Option<String> {
    let sentence = text.split(". ").next()?.lines().next()?.trim().trim_end_matches('.');
    let mut letters = sentence.chars();
    let first = letters.next()?;
    // A name or an abbreviation keeps its capital letter.
    let small = !letters.clone().next().is_some_and(char::is_uppercase);
    let first: String = if small { first.to_lowercase().collect() } else { first.to_string() };
    Some(first + letters.as_str())
}

fn plain_kind(kind: &str) -> Option<String> {
    let plain = match kind {
        "boolean" => "true or false",
        "integer" => "a whole number",
        "number" => "a number",
        "string" => "text",
        "array" => "a list",
        "object" => "a table",
        _ => return None,
    };
    Some(plain.to_owned())
}

fn joined(parts: impl Iterator<Item = String>) -> String {
    parts.collect::<Vec<_>>().join(", ")
}

fn list<'s>(layer: &'s Map<String, Json>, keyword: &str) -> &'s [Json] {
    layer.get(keyword).and_then(Json::as_array).map_or(&[], Vec::as_slice)
}

/// Schema keywords that the shape check ignores, as JSON pointers; empty for our wire types.
///
/// Such a keyword is a fault in the wire type, which its test finds, and never one in a user's file.
#[must_use]
pub fn unsupported_keywords(schema: &Schema) -> Vec<String> {
    let mut found = Vec::new();
    audit(schema.as_value(), "", &mut found);
    found
}

fn audit(part: &Json, pointer: &str, found: &mut Vec<String>) {
    let Some(layer) = part.as_object() else { return };
    for (keyword, value) in layer {
        let pointer = format!("{pointer}/{keyword}");
        let supported = match keyword.as_str() {
            "enum" => value.as_array().is_some_and(|words| words.iter().all(|word| word.is_string() || word.is_null())),
            "const" => value.is_string(),
            "format" => FORMATS.iter().any(|(format, _)| value == format),
            "patternProperties" => value
                .as_object()
                .is_some_and(|map| map.keys().all(|pattern| [NATURAL, INTEGER].contains(&pattern.as_str()))),
            "unevaluatedProperties" => value.is_boolean(),
            other => KEYWORDS.contains(&other),
        };
        if !supported {
            found.push(pointer.clone());
        }
        match keyword.as_str() {
            "properties" | "patternProperties" | "$defs" => {
                for (name, part) in value.as_object().into_iter().flatten() {
                    audit(part, &format!("{pointer}/{name}"), found);
                }
            }
            "oneOf" | "anyOf" | "allOf" | "prefixItems" => {
                for (index, part) in value.as_array().into_iter().flatten().enumerate() {
                    audit(part, &format!("{pointer}/{index}"), found);
                }
            }
            "items" | "additionalProperties" => audit(value, &pointer, found),
            _ => {}
        }
    }
}
