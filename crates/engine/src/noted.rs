//! What is noted of a unit in one word, because conditions read it all the time: [`Fact::noted`] says where.

use grognard_rules::model::Rules;
use grognard_rules::situation::{Fact, NOTED_FLAGS};

use crate::marks::Marks;
use crate::state::{Battle, Flags, Unit};

/// The word of a unit.
pub(crate) fn note(rules: &Rules, battle: &Battle, unit: &Unit) -> u64 {
    let formation = &rules.formations[usize::from(unit.formation)];
    let broken = unit.broken(rules);
    let of_command = battle.command_of(unit).map_or(0, |own| {
        put(Fact::Order, own.order) | put(Fact::Mode, own.mode) | put(Fact::Unsettled, u8::from(own.unsettled))
    });
    u64::from(unit.flags.bits()) << NOTED_FLAGS
        | put(Fact::Kind, unit.kind)
        | put(Fact::Arm, rules.kinds[usize::from(unit.kind)].arm)
        | put(Fact::Formation, unit.formation)
        | put(Fact::Morale, unit.morale)
        | put(Fact::Target, formation.target)
        | of_command
        | put(Fact::Formed, u8::from(formation.formed && !broken))
        | put(Fact::FormedToMove, u8::from(formation.formed_to_move && !broken))
        | put(Fact::Broken, u8::from(broken))
        | put(Fact::Marched, u8::from(unit.flags.has(Flags::MOVED) || unit.marks.has(Marks::MARCHED)))
        | put(Fact::Loose, u8::from(formation.spacing.is_some()))
        | put(Fact::Screen, u8::from(unit.flags.has(Flags::SCREEN) && !battle.is_crew(rules, unit)))
        | put(Fact::Firing, u8::from(unit.marks.has(Marks::FIRING)))
        | put(Fact::Pivoted, u8::from(unit.marks.has(Marks::PIVOTED)))
}

/// The flags lie as they are.
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

/// A value at its place; no condition reads it there if it is too great.
#[inline(always)]
fn put(fact: Fact, value: u8) -> u64 {
    fact.noted().map_or(0, |(shift, width)| (u64::from(value) & ((1 << width) - 1)) << shift)
}
