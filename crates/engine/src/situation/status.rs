//! The status word of a unit: the facts that conditions read most, packed into one word. [`Fact::noted`] gives their
//! bit positions.

use grognard_rules::model::Rules;
use grognard_rules::situation::{Fact, NOTED_END, NOTED_FLAGS};

use crate::state::{Battle, Flags, Marks, Unit};

/// The unit is a screen that is on the table.
pub(crate) const OUT: u64 = 1 << NOTED_END;

/// The unit is on the table.
pub(crate) const HERE: u64 = OUT << 1;

/// The unit is on the table and not broken.
pub(crate) const ABLE: u64 = HERE << 1;

/// The bits that decide which of the roster's sets a unit is in.
pub(crate) const STANDING: u64 = HERE | ABLE | OUT;

/// The unit is a part of another one: its screen, or the crew of its guns.
pub(crate) const PART: u64 = (Flags::SCREEN.bits() as u64) << NOTED_FLAGS;

/// The unit is broken, as [`Unit::broken`] defines it.
pub(crate) const BROKEN: u64 = Fact::Broken.put(1);

/// All bits set: whether the unit is shaken is not cached.
const ASK: u64 = Fact::Shaken.put(u8::MAX);

/// The bits that a broken unit never has.
const FORMED: u64 = Fact::Formed.put(1) | Fact::FormedToMove.put(1);

/// Computes the status word of a unit.
pub(crate) fn status_word(rules: &Rules, battle: &Battle, unit: &Unit) -> u64 {
    let notes = &rules.notes;
    let mut word = u64::from(unit.flags.bits()) << NOTED_FLAGS
        | notes.kinds[unit.kind]
        | notes.formations[unit.formation]
        | notes.morale[unit.morale]
        | Fact::Firing.put(u8::from(unit.marks.has(Marks::FIRING)))
        | Fact::Pivoted.put(u8::from(unit.marks.has(Marks::PIVOTED)))
        | Fact::Marched.put(u8::from(unit.flags.has(Flags::MOVED) || unit.marks.has(Marks::MARCHED)));
    if let Some(own) = battle.command_of(unit) {
        let unsettled = Fact::Unsettled.put(u8::from(own.unsettled));
        word |= Fact::Order.put(own.order) | Fact::Mode.put(own.mode) | unsettled;
    }
    if unit.broken(rules) {
        word = word & !FORMED | BROKEN;
    }
    if unit.cannon > 0 && rules.battery.is_some() && word & ASK == 0 {
        // The other causes of a battery's disorder depend on other units, too (8.47).
        word |= ASK;
    }
    let screen = battle.is_screen(rules, unit);
    if screen {
        word |= Fact::Screen.put(1);
    }
    if !unit.gone() {
        let able = if word & BROKEN == 0 { ABLE } else { 0 };
        word |= HERE | able | if screen { OUT } else { 0 };
    }
    word
}

/// The flags keep their order in the word.
const _: () = {
    let lie = [
        (Fact::Charging, Flags::CHARGING),
        (Fact::Charged, Flags::CHARGED),
        (Fact::Changed, Flags::CHANGED),
        (Fact::Moved, Flags::MOVED),
        (Fact::Fired, Flags::FIRED),
        (Fact::Threatened, Flags::THREATENED),
        (Fact::Crossed, Flags::CROSSED),
    ];
    let mut at = 0;
    while at < lie.len() {
        let Some((shift, 1)) = lie[at].0.noted() else { panic!("a flag takes one bit") };
        assert!(1 << (shift - NOTED_FLAGS) == lie[at].1.bits());
        at += 1;
    }
};
