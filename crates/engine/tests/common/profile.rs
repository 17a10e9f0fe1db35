//! One-line summaries of a pack's unit types, rolls and table, which a reader can check against their clauses.

use grognard_roll::{Hand, Mechanic};
use grognard_rules::model::{Board, Rules};

/// Describes a unit type: `foot, 4 of 100 x 100 in open; open 600; range 2400; skill 5; ammunition 4; veteran`. Lengths
/// are in hundredths of an inch.
pub(crate) fn profile(rules: &Rules, kind: &str) -> String {
    let kind = rules.kinds.iter().find(|known| known.id == kind).unwrap_or_else(|| panic!("no unit type {kind}"));
    let (width, depth) = kind.base;
    let formation = &rules.formations[kind.formation].id;
    let arm = &rules.arms[usize::from(kind.arm)];
    let mut parts = vec![format!("{arm}, {} of {width} x {depth} in {formation}", kind.figures)];
    let speeds = rules.formations.iter().zip(kind.speed.iter());
    let speeds: Vec<_> =
        speeds.filter_map(|(formation, speed)| Some(format!("{} {}", formation.id, (*speed)?))).collect();
    parts.push(speeds.join(", "));
    parts.extend((kind.charge > 0).then(|| format!("charge {}", kind.charge)));
    parts.extend((kind.range > 0).then(|| format!("range {}", kind.range)));
    let attributes = rules.attributes.iter().zip(&kind.attributes);
    let word = |words: &[String], value: i16| words.get(value as usize).cloned().unwrap_or_else(|| value.to_string());
    let attributes =
        attributes.map(|(attribute, value)| format!("{} {}", attribute.id, word(&attribute.words, *value)));
    parts.push(attributes.collect::<Vec<_>>().join(", "));
    let counters = rules.counters.iter().zip(0..).map(|(counter, number)| (counter, kind.counters.get(number)));
    let counters: Vec<_> =
        counters.filter(|(_, value)| *value != 0).map(|(counter, value)| format!("{} {value}", counter.id)).collect();
    parts.push(counters.join(", "));
    let traits = rules.traits.iter().enumerate().filter(|(bit, _)| kind.traits >> bit & 1 == 1);
    parts.push(traits.map(|(_, (id, _))| id.clone()).collect::<Vec<_>>().join(", "));
    parts.retain(|part| !part.is_empty());
    parts.join("; ")
}

/// Width and depth of the table in inches, and the angle of the front arc in degrees.
pub(crate) fn table(rules: &Rules) -> (i32, i32, u16) {
    let Board::Plane { table, arc } = &rules.board else { panic!("no table") };
    (table.half_width / 50, table.half_depth / 50, arc / 10)
}

/// The minimum and maximum of a counter.
pub(crate) fn bounds(rules: &Rules, counter: &str) -> (i32, i32) {
    let counter =
        rules.counters.iter().find(|known| known.id == counter).unwrap_or_else(|| panic!("no counter {counter}"));
    (counter.min, counter.max)
}

/// The dice of a roll: `d6, save d6` for stages, `d6 against d8` for two hands.
pub(crate) fn dice(rules: &Rules, roll: &str) -> String {
    let of = |hand: &Hand| hand.kinds.iter().map(|kind| kind.die.name.clone()).collect::<Vec<_>>().join(" + ");
    let roll = rules.rolls.iter().find(|known| known.id == roll).unwrap_or_else(|| panic!("no roll {roll}"));
    match &roll.mechanic {
        Mechanic::Sum(sum) => of(&sum.hand),
        Mechanic::Under(under) => of(&under.hand),
        Mechanic::Table(table) => of(&table.hand),
        Mechanic::Opposed(opposed) => format!("{} against {}", of(&opposed.own), of(&opposed.foe)),
        Mechanic::Pool(pool) => {
            let stage = |stage: &grognard_roll::Stage| format!("{} {}", stage.name, of(&stage.hand)).trim().to_owned();
            pool.stages.iter().map(stage).collect::<Vec<_>>().join(", ")
        }
        Mechanic::Symbols(_) | Mechanic::Ranked(_) => panic!("their dice are not told here"),
    }
}
