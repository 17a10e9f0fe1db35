//! Dice: the usual ones by name, and those defined by a pack.

use std::collections::BTreeMap;

use grognard_dice::{Die, Face};

use super::mechanic::DICE_MOST;
use crate::compile::checker::{Checker, at};
use crate::wire::{FaceWire, Pack};
use grognard_source::Path;

/// The number that players add to dice, as in `2d6+1` or `2d6-1`.
fn number_at_end(text: &str) -> Option<i32> {
    let sign = text.rfind(['+', '-']).filter(|&sign| sign > 0)?;
    let number: u16 = text[sign + 1..].trim().parse().ok()?;
    let number = i32::from(number);
    Some(if text[sign..].starts_with('-') { -number } else { number })
}

/// The dice a pack declares, by name.
pub(in crate::compile) type PackDice = BTreeMap<String, Die>;

/// The dice that every pack has: d2 to d100 by number, and the averaging die.
fn known(name: &str) -> Option<Die> {
    if name == "average" {
        return Some(Die::average());
    }
    let faces: u8 = name.strip_prefix('d')?.parse().ok()?;
    (2..=100).contains(&faces).then(|| Die::numbered(faces))
}

pub(in crate::compile) fn pack_dice(checker: &mut Checker<'_>, wire: &Pack<'_>) -> PackDice {
    let mut dice = PackDice::new();
    for (name, die) in &wire.die {
        if known(name).is_some() {
            checker.fault(&at!["die", name], format!("the die `{name}` already exists"), Some("give it another name"));
        }
        let faces = die.faces.iter().map(face).collect();
        dice.insert(name.clone(), Die { name: name.clone(), faces });
    }
    dice
}

fn face(wire: &FaceWire) -> Face {
    match wire {
        FaceWire::Number(value) => Face { value: *value, label: value.to_string() },
        FaceWire::Symbol(label) => Face { value: 0, label: label.clone() },
    }
}

/// The label of a face.
pub(super) fn label(wire: &FaceWire) -> String {
    face(wire).label
}

/// Reads `d6`, `2d6`, `2d6+1d10` or the name of a die. Returns each die and, if the text gives it, its number.
pub(super) fn parse(
    checker: &mut Checker<'_>,
    at: &Path,
    text: &str,
    dice: &PackDice,
) -> Option<Vec<(Die, Option<u16>)>> {
    let mut hand = Vec::new();
    for part in text.split('+') {
        let part = part.trim();
        let digits = part.len() - part.trim_start_matches(|letter: char| letter.is_ascii_digit()).len();
        let (count, name) = part.split_at(digits);
        let count = if count.is_empty() {
            None
        } else {
            count.parse::<u16>().ok().filter(|&count| i32::from(count) <= DICE_MOST)
        };
        let Some(die) = dice.get(name).cloned().or_else(|| known(name)) else {
            let names: Vec<&str> = dice.keys().map(String::as_str).collect();
            let own = if names.is_empty() { String::new() } else { format!(", or one of {}", names.join(", ")) };
            let help = match number_at_end(text) {
                Some(number) => format!("name only the dice, and add a number with `add = {number}`"),
                None => format!("write `d6`, `2d6`, `2d6+1d10`, any die from d2 to d100, `average`{own}"),
            };
            checker.fault(at, format!("`{text}` does not name dice"), Some(&help));
            return None;
        };
        if digits > 0 && count.is_none() {
            checker.fault(at, format!("`{part}` is too many dice"), Some("use at most 400 of a kind"));
            return None;
        }
        hand.push((die, count));
    }
    Some(hand)
}
