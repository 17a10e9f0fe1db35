//! Variants of a pack share parts with it, and are equal to variants compiled from scratch.

use std::sync::Arc;

use super::{Compiled, compile, pack_schema};
use crate::library::{self, PACKS};
use grognard_expr::numbers;
use grognard_source::{Absent, Document, Node, Override, Path, Sources, Value, check_shape, check_shape_beside};

/// The pack with another value at a path.
fn with(pack: &Document, path: &Path, value: Value) -> Document {
    let (span, mut variant) = (pack.span_at(path), pack.clone());
    let change = Override { path: path.clone(), path_span: span, node: Node { value, span } };
    variant.set(&change, Absent::Refuse).expect("a leaf");
    variant
}

/// A value with its first number increased by 1; `None` if it has no number.
fn greater(value: &Value) -> Option<Value> {
    match value {
        Value::Int(number) => Some(Value::Int(number + 1)),
        Value::Float(number) => Some(Value::Float(number + 1.0)),
        Value::Text(text) => {
            let range = numbers(text).into_iter().next()?;
            let number: f64 = text[range.clone()].replace(' ', "").parse().ok()?;
            let mut text = text.clone();
            text.replace_range(range, &(number + 1.0).to_string());
            Some(Value::Text(text))
        }
        _ => None,
    }
}

/// Checks variants of a pack that each increase one number by 1: all of them, or only every `share`th. At least `sound`
/// of them must compile.
fn assert_same_in_part(pack: &str, share: usize, sound: usize) {
    let mut sources = Sources::new();
    let base = library::load(pack, None, &mut sources).expect("a built-in pack").document;
    let compiled = Compiled::of(&base, &sources).expect("a built-in pack is sound");
    let mut seen = 0;
    let leaves = base.leaves();
    let numbers = leaves.iter().filter(|(path, _)| path.segments()[0] != "clause");
    let numbers = numbers.filter_map(|(path, node)| Some((path, greater(&node.value)?)));
    for (path, value) in numbers.skip(share / 2).step_by(share) {
        let variant = with(&base, path, value);
        match (compiled.variant(&variant, &sources), compile(&variant, &sources)) {
            (Ok(part), Ok(whole)) => {
                seen += 1;
                let [part, whole] = [part, whole].map(|rules| format!("{rules:?}"));
                let from = part.bytes().zip(whole.bytes()).position(|(one, other)| one != other).unwrap_or(0);
                let [one, other] = [&part, &whole].map(|text| text[from..].chars().take(400).collect::<String>());
                assert!(part == whole, "{pack}: {path}: in part {one}, whole {other}");
            }
            (part, whole) => assert_eq!(part.err(), whole.err(), "{pack}: {path}"),
        }
    }
    assert!(seen >= sound, "{pack}: {seen} are sound");
}

#[test]
fn a_variant_is_the_same_in_part_and_whole() {
    for (pack, share) in [("napoleonic-figures", 20), ("napoleonic-pips", 16), ("ancients-hex", 12)] {
        assert_same_in_part(pack, share, 10);
    }
}

/// Every number of every pack: `just variants` runs this.
#[test]
#[ignore = "takes a minute"]
fn every_variant_is_the_same_in_part_and_whole() {
    for pack in PACKS {
        assert_same_in_part(pack.name, 1, 1);
    }
}

/// The small packs have traits, turn orders and the like, which the large ones lack.
#[test]
fn a_variant_of_a_small_pack_is_the_same_in_part_and_whole() {
    for pack in ["ranked-fantasy", "sf-skirmish", "fleet-action", "bag-of-orders"] {
        assert_same_in_part(pack, 1, 10);
    }
}

/// Changing a number does not recompile anything that does not read it.
#[test]
fn a_variant_shares_what_its_change_does_not_touch() {
    let mut sources = Sources::new();
    let base = library::load("napoleonic-figures", None, &mut sources).expect("a built-in pack").document;
    let compiled = Compiled::of(&base, &sources).expect("a built-in pack is sound");
    let whole = &compiled.rules;
    for (path, [rolls, kinds, footprints, formations, doctrines, phases]) in [
        ("roll.shock.modifier.square-against-cavalry.add", [false, true, true, true, true, true]),
        ("unit.line-battalion.range", [true, false, true, true, true, true]),
        ("unit.line-battalion.width", [true, false, false, true, true, true]),
        ("formation.line.layout.ranks", [true, false, false, true, true, true]),
        ("doctrine.attack-in-depth.row.horse-up.stop", [true, true, true, true, false, true]),
        ("arc.angle", [true, true, true, true, true, true]),
    ] {
        let variant = compiled.variant(&changed(&base, path), &sources).expect("a sound variant");
        let shared = [
            variant.rolls.shares(&whole.rolls),
            variant.kinds.shares(&whole.kinds),
            Arc::ptr_eq(&variant.footprints, &whole.footprints),
            variant.formations.shares(&whole.formations),
            variant.doctrines.shares(&whole.doctrines),
            Arc::ptr_eq(&variant.phases, &whole.phases),
        ];
        assert_eq!(shared, [rolls, kinds, footprints, formations, doctrines, phases], "{path}");
    }
}

/// Among named rows, only the changed one is recompiled, although doctrines name each other as players.
#[test]
fn a_variant_shares_the_other_rows_of_a_section() {
    let mut sources = Sources::new();
    let base = library::load("napoleonic-figures", None, &mut sources).expect("a built-in pack").document;
    let compiled = Compiled::of(&base, &sources).expect("a built-in pack is sound");
    let whole = &compiled.rules;
    let variant = compiled.variant(&changed(&base, "roll.shock.modifier.square-against-cavalry.add"), &sources);
    for (other, roll) in variant.expect("a sound variant").rolls.iter().zip(whole.rolls.iter()) {
        assert_eq!(Arc::ptr_eq(other, roll), roll.id != "shock", "{}", roll.id);
    }
    let variant = compiled.variant(&changed(&base, "doctrine.attack-in-depth.row.horse-up.stop"), &sources);
    for (other, doctrine) in variant.expect("a sound variant").doctrines.iter().zip(whole.doctrines.iter()) {
        assert_eq!(Arc::ptr_eq(other, doctrine), doctrine.id != "attack-in-depth", "{}", doctrine.id);
    }
}

/// The pack with a greater number at a path.
fn changed(pack: &Document, path: &str) -> Document {
    let path = Path::parse(path).expect("a path");
    let value = pack.get(&path).and_then(|node| greater(&node.value)).unwrap_or_else(|| panic!("a number at {path}"));
    with(pack, &path, value)
}

/// Changes some twenty values of every built-in pack, spread over all its tables: numbers to other numbers, some of
/// them far off, and words to one that is unknown everywhere.
#[test]
fn a_variant_has_the_faults_that_it_has_alone() {
    let (mut faulty, mut sound) = (0, 0);
    for pack in PACKS {
        let mut sources = Sources::new();
        let base = library::load(pack.name, None, &mut sources).expect("a built-in pack").document;
        let leaves = base.leaves();
        for (nth, (path, node)) in leaves.iter().enumerate().step_by(leaves.len().div_ceil(20)) {
            let value = match (&node.value, nth % 4) {
                (Value::Int(number), 0 | 1) => Value::Int(number + 1),
                (Value::Int(_) | Value::Float(_), 2) => Value::Int(-1_000_000),
                (Value::Int(_) | Value::Float(_), _) => Value::Float(0.3),
                (_, 0 | 1) => Value::Text("x".to_owned()),
                _ => Value::Int(1),
            };
            let variant = with(&base, path, value);
            let alone = check_shape(&variant, pack_schema());
            assert_eq!(
                check_shape_beside(&variant, Some(&base), pack_schema(), &|_| None),
                alone,
                "{}: {path}",
                pack.name
            );
            *(if alone.is_empty() { &mut sound } else { &mut faulty }) += 1;
        }
    }
    assert!(sound > 50 && faulty > 50, "{sound} sound, {faulty} faulty");
}
