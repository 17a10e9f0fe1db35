//! Numbers of dice that are computed in steps: base, caps, losses, halving. Modifiers of the dice are added last.

use crate::model::{Ladder, Modifier};
use crate::wire::{ModifierTo, RollWire};
use grognard_expr::{Lookup, Row};

/// The steps that a roll's modifiers make, if they make any.
pub(super) fn ladder(wire: &RollWire, modifiers: &[Modifier]) -> Option<Box<Ladder>> {
    let rows = |to: ModifierTo| -> Vec<&Modifier> {
        let mine = wire.modifier.iter().zip(modifiers).filter(move |(row, _)| row.to == Some(to));
        mine.map(|(_, modifier)| modifier).collect()
    };
    let sum = |to: ModifierTo| {
        let rows = rows(to);
        let added: Vec<Row<'_>> = rows.iter().map(|row| Row { when: row.when.as_ref(), add: row.add }).collect();
        (!added.is_empty()).then(|| Lookup::sum(&added))
    };
    // If several apply, the strictest counts: the lowest cap, the largest divisor.
    let sharpest = |to: ModifierTo, sign: i32| {
        let mut rows = rows(to);
        rows.sort_by_key(|row| sign * row.add);
        let conditions: Vec<_> = rows.iter().map(|row| row.when.as_ref()).collect();
        (!rows.is_empty()).then(|| (Lookup::first(&conditions), rows.iter().map(|row| row.add).collect()))
    };
    let made = Ladder {
        fixed: 0,
        base: sum(ModifierTo::Base),
        cap: sharpest(ModifierTo::Cap, 1),
        less: sum(ModifierTo::Less),
        divide: sharpest(ModifierTo::Divide, -1),
    };
    let empty = made.base.is_none() && made.cap.is_none() && made.less.is_none() && made.divide.is_none();
    (!empty).then(|| Box::new(made))
}

/// The numbers that the steps change, for the check that every modifier changes something.
pub(super) const STEPS: [ModifierTo; 4] = [ModifierTo::Base, ModifierTo::Cap, ModifierTo::Less, ModifierTo::Divide];
