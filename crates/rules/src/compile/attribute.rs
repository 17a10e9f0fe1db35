//! Attributes of unit types: declared by the pack, given by the types, or derived from their other attributes or from
//! those of the mounted type.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::checker::{Checker, at, is_member};
use crate::model::{Attribute, Cite, Source};
use crate::situation::{Fact, Field, Subject, UNIT_FACTS};
use crate::wire::{AttributeValue, AttributeWire, Pack, UnitWire};
use grognard_expr::{Expr, Kind, Situation, Var};
use grognard_source::{Diagnostic, Document, Path, or_more};

pub(super) fn attributes(checker: &mut Checker<'_>, wire: &Pack<'_>) -> Vec<Attribute> {
    let mut attributes = Vec::new();
    for (id, attribute) in &wire.attribute {
        let at = at!["attribute", id];
        if !is_member(id) {
            let help = "use lower-case letters, digits and `_`: conditions read it as `self.name`";
            checker.fault(&at, format!("`{id}` is not a valid name for an attribute"), Some(help));
            continue;
        }
        if UNIT_FACTS.iter().any(|&(name, fact)| name == id && checker.has_fact(fact)) {
            checker.fault(&at, format!("every unit already has `{id}`"), Some("give the attribute another name"));
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

/// A row that sets or changes an attribute of unit types that meet its condition.
struct Row {
    when: Option<Expr>,
    value: i16,
    source: Source,
}

/// The rows from which attributes are derived, and those for dismounting, in the order of the pack's attributes.
pub(super) struct Derived {
    rows: Vec<Vec<Row>>,
    on_foot: Vec<Vec<Row>>,
    fields: Arc<Vec<Field>>,
}

/// What unit types read about each other.
#[derive(PartialEq, Eq)]
pub(super) struct Others {
    /// For each dismounted type that only one mounted type turns into, the values that the mounted type gives under
    /// `is`.
    mounted: BTreeMap<String, BTreeMap<String, AttributeValue>>,
    /// Names given under `is` that are not attributes, each with the types that give it.
    unknown: BTreeMap<String, Vec<String>>,
}

impl Others {
    pub(super) fn of(wire: &Pack<'_>, attributes: &[Attribute]) -> Self {
        let mut saddles: BTreeMap<&String, Vec<&UnitWire>> = BTreeMap::new();
        let mut unknown: BTreeMap<String, Vec<String>> = BTreeMap::new();
        for (id, unit) in &wire.unit {
            unit.on_foot.iter().for_each(|other| saddles.entry(other).or_default().push(unit));
            for given in unit.is.keys().filter(|given| attributes.iter().all(|known| known.id != **given)) {
                unknown.entry(given.clone()).or_default().push(id.clone());
            }
        }
        let single = saddles.into_iter().filter(|(_, mounted)| mounted.len() == 1);
        let mounted = single.map(|(id, mounted)| (id.clone(), mounted[0].is.clone())).collect();
        Self { mounted, unknown }
    }
}

/// A unit type's attributes known so far, and its arm.
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
    pub(super) fn of(checker: &mut Checker<'_>, wire: &Pack<'_>, attributes: &[Attribute]) -> Self {
        let fields = checker.fields();
        let stated = |index: u8| {
            let attribute = attributes.get(usize::from(index));
            attribute.is_some_and(|attribute| wire.attribute[&attribute.id].row.is_empty())
        };
        let (mut rows, mut on_foot) = (Vec::new(), Vec::new());
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
                    let help = "it can read `self.arm`, and attributes that have no rows";
                    checker.fault(&at.join("when"), "a unit type has no such value", Some(help));
                }
                of_one.push(Row {
                    when,
                    value: value(checker, &at.join("is"), attribute, limits, &row.is),
                    source: checker.source(&at, &row.cite, row.note.as_ref()),
                });
            }
            rows.push(of_one);
            on_foot.push(of_dismounting(checker, attribute, limits, &fields));
        }
        Self { rows, on_foot, fields }
    }

    /// The attribute values of a unit type, and the attributes for which it has none. Each row that sets a value adds
    /// its clauses to those of the type.
    pub(super) fn values(
        &self,
        checker: &mut Checker<'_>,
        wire: &Pack<'_>,
        (id, unit): (&str, &UnitWire),
        arm: u8,
        (attributes, others): (&[Attribute], &Others),
        source: &mut Source,
    ) -> (Vec<i16>, Vec<usize>) {
        let at = at!["unit", id, "is"];
        let mounted = others.mounted.get(id);
        let saddle = |attribute: &Attribute| mounted.and_then(|mounted| mounted.get(&attribute.id));
        let mut known: Vec<Option<i16>> = Vec::new();
        for attribute in attributes {
            let limits = &wire.attribute[&attribute.id];
            let given = unit.is.get(&attribute.id);
            // A fault in the value of the mounted type is reported at that type.
            let inherited = saddle(attribute).filter(|_| given.is_none()).map(|stated| read(attribute, limits, stated));
            let at = if given.is_some() {
                at.join(attribute.id.as_str())
            } else {
                at!["attribute", attribute.id, "default"]
            };
            let stated = given.or(limits.default.as_ref()).filter(|_| inherited.is_none());
            known.push(inherited.or(stated.map(|stated| value(checker, &at, attribute, limits, stated))));
        }
        let mut values = Vec::new();
        let mut lacks: Vec<usize> = Vec::new();
        for index in 0..attributes.len() {
            let about = OfKind { fields: &self.fields, known: &known, arm };
            let holds = |row: &&Row| row.when.as_ref().is_some_and(|when| when.holds(&about));
            let row = if known[index].is_none() { self.rows[index].iter().find(holds) } else { None };
            if let Some(row) = row {
                row.adds_to(source);
            }
            values.push(known[index].or(row.map(|row| row.value)).unwrap_or_else(|| {
                lacks.push(index);
                0
            }));
        }
        let unknown: Vec<&String> =
            unit.is.keys().filter(|given| attributes.iter().all(|known| known.id != **given)).collect();
        for given in &unknown {
            // If the type lacks exactly one attribute, that may be the one that was meant.
            let lacked = lacks.iter().map(|&index| attributes[index].id.as_str());
            let only = lacked.clone().next().filter(|_| lacks.len() == 1 && unknown.len() == 1);
            no_attribute(checker, others, id, given, only, attributes);
        }
        // The missing values may have been given under the unknown names.
        if !unknown.is_empty() {
            lacks.clear();
        }
        let complete: Vec<Option<i16>> = values.iter().copied().map(Some).collect();
        let about = OfKind { fields: &self.fields, known: &complete, arm };
        for (index, attribute) in attributes.iter().enumerate() {
            let inherited = !unit.is.contains_key(&attribute.id) && saddle(attribute).is_some();
            let holds = |row: &&Row| row.when.as_ref().is_some_and(|when| when.holds(&about));
            let Some(row) = self.on_foot[index].iter().find(holds).filter(|_| inherited) else { continue };
            row.adds_to(source);
            let limits = &wire.attribute[&attribute.id];
            let (min, max) = (limits.min.unwrap_or(0), limits.max.unwrap_or(0));
            let sum = i32::from(values[index]) + i32::from(row.value);
            if sum < min || sum > max {
                let message = format!("`{}` of unit type `{id}` would be {sum} on foot", attribute.id);
                let help = format!("it must lie between {min} and {max}; give the type its own value under `is`");
                checker.fault(&at!["attribute", attribute.id, "on-foot"], message, Some(&help));
            }
            values[index] = sum.clamp(min, max) as i16;
        }
        (values, lacks)
    }
}

/// Reports the attributes for which unit types have no value, each once. `lacking` lists the types by attribute.
pub(super) fn report_lacking(checker: &mut Checker<'_>, attributes: &[Attribute], lacking: &[Vec<&str>]) {
    for (attribute, kinds) in attributes.iter().zip(lacking) {
        let Some(first) = kinds.first() else { continue };
        let name = &attribute.id;
        let message = match kinds.len() {
            1 => format!("unit type `{first}` has no value for `{name}`"),
            count => format!("{count} unit types have no value for `{name}`: `{}`", kinds.join("`, `")),
        };
        let help = "give it under `is`, or give the attribute a `default`, or a `row` that applies to the type";
        checker.fault(&at!["unit", first, "is", name], message, Some(help));
    }
}

/// Reports a name that is not an attribute, at the first unit type that uses it. `only` is the one attribute that this
/// type lacks.
fn no_attribute(
    checker: &mut Checker<'_>,
    others: &Others,
    id: &str,
    given: &str,
    only: Option<&str>,
    attributes: &[Attribute],
) {
    let kinds = others.unknown.get(given).map_or(&[][..], Vec::as_slice);
    if kinds.first().is_none_or(|first| *first != id) {
        return;
    }
    let fault = Diagnostic::unknown("attribute", given, attributes.iter().map(|known| known.id.as_str()));
    let message = match kinds.len() {
        1 => fault.message,
        count => format!("{}, but {count} unit types set it", fault.message),
    };
    let help = only.map(|only| format!("did you mean `{only}`?")).or(fault.help);
    checker.fault(&at!["unit", id, "is", given], message, help.as_deref());
}

impl Row {
    /// Adds the row's clauses to those of a unit type.
    fn adds_to(&self, source: &mut Source) {
        let new = self.source.cite.iter().filter(|clause| !source.cite.contains(clause));
        let new: Vec<Cite> = new.cloned().collect();
        source.cite.extend(new);
    }
}

/// The amount that dismounting adds to an attribute.
fn of_dismounting(
    checker: &mut Checker<'_>,
    attribute: &Attribute,
    limits: &AttributeWire,
    fields: &[Field],
) -> Vec<Row> {
    let mut rows = Vec::new();
    for row in &limits.on_foot {
        let at = at!["attribute", attribute.id, "on-foot", row.id];
        if !attribute.words.is_empty() {
            checker.fault(
                &at.join("add"),
                format!("`{}` takes a word, so nothing can be added to it", attribute.id),
                None,
            );
            continue;
        }
        let when = checker.expr(&at.join("when"), &row.when, Kind::Bool);
        let knows = |var: Var| {
            let field = fields[var.index()];
            field.subject == Subject::Own && matches!(field.fact, Fact::Arm | Fact::Attribute(_))
        };
        if when.as_ref().is_some_and(|when| !when.vars().all(knows)) {
            checker.fault(
                &at.join("when"),
                "a unit type has no such value",
                Some("it can read `self.arm`, and attributes"),
            );
        }
        let source = checker.source(&at, &row.cite, row.note.as_ref());
        rows.push(Row { when, value: row.add.clamp(-1000, 1000) as i16, source });
    }
    rows
}

/// A value of an attribute that has been checked against its limits elsewhere.
fn read(attribute: &Attribute, limits: &AttributeWire, stated: &AttributeValue) -> i16 {
    match stated {
        AttributeValue::Word(word) => attribute.words.iter().position(|known| known == word).unwrap_or(0) as i16,
        &AttributeValue::Number(number) => match limits.min.zip(limits.max) {
            Some((min, max)) if min <= max => number.clamp(min, max) as i16,
            _ => 0,
        },
    }
}

/// A value of an attribute. Reports one that the attribute cannot have.
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
                let ends = format!("`[attribute.{}]`, with `min` and `max`", attribute.id);
                let help = format!("it must lie between {min} and {max}, or widen the range in {ends}");
                checker.fault(at, format!("{number} is out of range for `{}`", attribute.id), Some(&help));
            }
            number.clamp(min, max) as i16
        }
        AttributeValue::Word(word) => {
            let is_number = word.trim().parse::<i32>().is_ok();
            let otherwise = || if is_number { "remove the quotes" } else { "write a number" }.to_owned();
            let help = or_more(word).unwrap_or_else(otherwise);
            checker.fault(at, format!("`{}` takes a number, not `{word}`", attribute.id), Some(&help));
            0
        }
        AttributeValue::Number(number) => {
            let help = format!("write one of {}", attribute.words.join(", "));
            checker.fault(at, format!("`{}` takes a word, not the number {number}", attribute.id), Some(&help));
            0
        }
    }
}

/// The help for an attribute written as a key of a unit type.
pub(super) fn misplaced(path: &Path, document: &Document) -> Option<String> {
    let [unit, _, key] = path.segments() else { return None };
    let attributes = document.root.get("attribute").filter(|_| unit == "unit")?.as_table()?;
    attributes.get(key).map(|_| format!("`{key}` is an attribute: write `is.{key} = …`"))
}

#[cfg(test)]
mod tests {
    use crate::compile::changed;
    use crate::model::Rules;

    /// The figures pack with some values changed, or its faults.
    fn with(changes: &[&str]) -> Result<Rules, String> {
        changed::with("napoleonic-figures", changes)
    }

    /// The class and the rating of a unit type.
    fn rated(rules: &Rules, id: &str) -> (String, i16) {
        let index = |name: &str| rules.attributes.iter().position(|known| known.id == name).expect("an attribute");
        let kind = &rules.kinds[rules.kind(id).expect("a unit type")];
        let class = &rules.attributes[index("class")].words[kind.attributes[index("class")] as usize];
        (class.clone(), kind.attributes[index("cmr")])
    }

    #[test]
    fn types_on_foot_have_what_the_type_in_the_saddle_has() {
        let changed = with(&["unit.light-cavalry.is.cmr=11", "unit.irregular-cavalry.is.class=medium"]).expect("sound");
        for (rules, light, irregular) in
            [(with(&[]).expect("sound"), ("light", 7), ("irregular", 5)), (changed, ("light", 10), ("medium", 6))]
        {
            let found = |id: &str| rated(&rules, id);
            assert_eq!(found("dismounted-dragoons"), ("medium".to_owned(), 8));
            assert_eq!(found("dismounted-light-cavalry"), (light.0.to_owned(), light.1));
            assert_eq!(found("dismounted-irregulars"), (irregular.0.to_owned(), irregular.1));
        }
        let own = with(&["unit.dismounted-light-cavalry.is.cmr=4"]).expect("sound");
        assert_eq!(rated(&own, "dismounted-light-cavalry"), ("light".to_owned(), 4), "its own value is kept");
        let cites = |id: &str| {
            let rules = with(&[]).expect("sound");
            rules.kinds.iter().any(|kind| kind.id == id && kind.source.clauses().any(|clause| clause == "8.35"))
        };
        assert!(cites("dismounted-light-cavalry"));
    }

    #[test]
    fn what_does_not_follow_from_the_saddle_is_reported() {
        for (changes, message) in [
            (&["unit.light-cavalry.is.cmr=2"][..], "`cmr` of unit type `dismounted-light-cavalry` would be 1 on foot"),
            (
                &["unit.dragoons.on-foot=dismounted-light-cavalry"],
                "2 unit types have no value for `cmr`: `dismounted-dragoons`, `dismounted-light-cavalry`",
            ),
            (&["attribute.cmr.on-foot.less-on-foot.when=\"self.moved\""], "a unit type has no such value"),
            (
                &["attribute.class.on-foot=[{ id = \"one\", when = \"true\", add = 1 }]"],
                "`class` takes a word, so nothing can be added to it",
            ),
        ] {
            let said = with(changes).err().unwrap_or_else(|| panic!("{changes:?} is accepted"));
            assert!(said.contains(message), "{said}");
        }
    }
}
