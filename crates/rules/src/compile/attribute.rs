//! Attributes of unit types: declared by the pack, given by the types, or following from their other attributes.

use super::checker::{Checker, at};
use crate::expr::{Expr, Kind, Situation, Var};
use crate::model::{Attribute, Source};
use crate::situation::{ATTRIBUTES_MAX, Fact, Field, Subject, UNIT_FACTS};
use crate::source::Path;
use crate::wire::{AttributeValue, AttributeWire, PackWire};

pub(super) fn attributes(checker: &mut Checker<'_>, wire: &PackWire) -> Vec<Attribute> {
    if wire.attribute.len() > ATTRIBUTES_MAX {
        let message = format!("a pack has at most {ATTRIBUTES_MAX} attributes, not {}", wire.attribute.len());
        checker.fault(&at!["attribute"], message, None);
    }
    let mut attributes = Vec::new();
    for (id, attribute) in wire.attribute.iter().take(ATTRIBUTES_MAX) {
        let at = at!["attribute", id];
        let plain = id.starts_with(|first: char| first.is_ascii_lowercase())
            && id.chars().all(|letter| letter.is_ascii_lowercase() || letter.is_ascii_digit() || letter == '_');
        if !plain {
            let help = "lower-case letters, digits and `_`: conditions read it as `self.name`";
            checker.fault(&at, format!("`{id}` is not an attribute's name"), Some(help));
            continue;
        }
        if UNIT_FACTS.iter().any(|&(name, fact)| name == id && checker.has_fact(fact)) {
            checker.fault(&at, format!("every unit has `{id}` already"), Some("give the attribute another name"));
            continue;
        }
        let number = attribute.min.zip(attribute.max);
        let sound = match number {
            Some((min, max)) => min <= max && attribute.words.is_empty(),
            None => attribute.min.is_none() && attribute.max.is_none() && !attribute.words.is_empty(),
        };
        if !sound {
            let help = "give `words`, or `min` and `max` with `min` not above `max`";
            checker.fault(&at, format!("attribute `{id}` is neither a number nor a list of words"), Some(help));
            continue;
        }
        attributes.push(Attribute { id: id.clone(), words: attribute.words.clone() });
    }
    attributes
}

/// A row that gives an attribute to unit types for which its condition holds.
struct Row {
    when: Option<Expr>,
    value: i16,
    source: Source,
}

/// What attributes follow from, in the order of the pack's attributes.
pub(super) struct Derived {
    rows: Vec<Vec<Row>>,
    fields: Vec<Field>,
}

/// A unit type's attributes, as far as they are known, and its arm.
struct OfKind<'a> {
    fields: &'a [Field],
    known: &'a [Option<i16>],
    arm: u8,
}

impl Situation for OfKind<'_> {
    fn value(&self, var: Var) -> i32 {
        match self.fields[var.index()] {
            Field { subject: Subject::Own, fact: Fact::Arm } => self.arm.into(),
            Field { subject: Subject::Own, fact: Fact::Attribute(index) } => {
                self.known[usize::from(index)].unwrap_or(0).into()
            }
            _ => 0,
        }
    }
}

impl Derived {
    /// Compiles the rows of all attributes. The scope must be open.
    pub(super) fn of(checker: &mut Checker<'_>, wire: &PackWire, attributes: &[Attribute]) -> Self {
        let fields = checker.fields();
        let stated = |index: u8| {
            let attribute = attributes.get(usize::from(index));
            attribute.is_some_and(|attribute| wire.attribute[&attribute.id].row.is_empty())
        };
        let mut rows = Vec::new();
        for attribute in attributes {
            let limits = &wire.attribute[&attribute.id];
            let mut of_one = Vec::new();
            for row in &limits.row {
                let at = at!["attribute", attribute.id, "row", row.id];
                let when = checker.expr(&at.join("when"), &row.when, Kind::Bool);
                let knows = |var: Var| match fields[var.index()] {
                    Field { subject: Subject::Own, fact: Fact::Arm } => true,
                    Field { subject: Subject::Own, fact: Fact::Attribute(index) } => stated(index),
                    _ => false,
                };
                if when.as_ref().is_some_and(|when| !when.vars().all(knows)) {
                    let help = "`self.arm`, and attributes that have no rows of their own";
                    checker.fault(&at.join("when"), "this is not known of a unit type", Some(help));
                }
                of_one.push(Row {
                    when,
                    value: value(checker, &at.join("is"), attribute, limits, &row.is),
                    source: checker.source(&at, &row.cite, row.note.as_ref()),
                });
            }
            rows.push(of_one);
        }
        Self { rows, fields }
    }

    /// The attribute values of a unit type. What a row gives it adds its clauses to those of the type.
    pub(super) fn values(
        &self,
        checker: &mut Checker<'_>,
        wire: &PackWire,
        id: &str,
        arm: u8,
        attributes: &[Attribute],
        source: &mut Source,
    ) -> Vec<i16> {
        let unit = &wire.unit[id];
        let at = at!["unit", id, "is"];
        for given in unit.is.keys() {
            let known = attributes.iter().map(|known| known.id.as_str());
            checker.find(&at.join(given.as_str()), "attribute", given, known);
        }
        let mut known: Vec<Option<i16>> = Vec::new();
        for attribute in attributes {
            let limits = &wire.attribute[&attribute.id];
            let given = unit.is.get(&attribute.id);
            let at = if given.is_some() {
                at.join(attribute.id.as_str())
            } else {
                at!["attribute", attribute.id, "default"]
            };
            let stated = given.or(limits.default.as_ref());
            known.push(stated.map(|stated| value(checker, &at, attribute, limits, stated)));
        }
        let mut values = Vec::new();
        for (index, attribute) in attributes.iter().enumerate() {
            let about = OfKind { fields: &self.fields, known: &known, arm };
            let holds = |row: &&Row| row.when.as_ref().is_some_and(|when| when.holds(&about));
            let row = if known[index].is_none() { self.rows[index].iter().find(holds) } else { None };
            if let Some(row) = row {
                let new = row.source.cite.iter().filter(|clause| !source.cite.contains(clause));
                let new: Vec<String> = new.cloned().collect();
                source.cite.extend(new);
            }
            values.push(known[index].or(row.map(|row| row.value)).unwrap_or_else(|| {
                let message = format!("unit type `{id}` does not say its `{}`", attribute.id);
                let help = "give it under `is`, or give the attribute a `default`, or a `row` that applies to the type";
                checker.fault(&at.join(attribute.id.as_str()), message, Some(help));
                0
            }));
        }
        values
    }
}

/// A value of an attribute, which must be one that it may have.
fn value(
    checker: &mut Checker<'_>,
    at: &Path,
    attribute: &Attribute,
    limits: &AttributeWire,
    stated: &AttributeValue,
) -> i16 {
    match stated {
        AttributeValue::Word(word) if !attribute.words.is_empty() => {
            let what = format!("{} called", attribute.id);
            let found = checker.find(at, &what, word, attribute.words.iter().map(String::as_str));
            i16::from(found.unwrap_or(0))
        }
        &AttributeValue::Number(number) if attribute.words.is_empty() => {
            let (min, max) = (limits.min.unwrap_or(0), limits.max.unwrap_or(0));
            if number < min || number > max {
                let help = format!("from {min} to {max}");
                checker.fault(at, format!("{number} is out of range for `{}`", attribute.id), Some(&help));
            }
            number.clamp(min, max) as i16
        }
        _ => {
            let help = if attribute.words.is_empty() { "a number".to_owned() } else { attribute.words.join(", ") };
            checker.fault(at, format!("`{}` is not that kind of value", attribute.id), Some(&help));
            0
        }
    }
}
