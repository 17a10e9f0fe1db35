//! Battles on hexes: what the phases do, by the provisions of the pack.
//!
//! The mechanisms here know the shapes of the rules (a march of steps and turns, a close combat of declaration, reaction,
//! evasion, strike, retreat, advance or striking back); which of them a pack has, for whom and how much, its provisions say.

pub(crate) mod advance;
pub(crate) mod command;
pub(crate) mod deck;
pub(crate) mod fire;
pub(crate) mod foes;
pub(crate) mod leader;
pub(crate) mod melee;
pub(crate) mod movement;
pub(crate) mod player;
pub(crate) mod retreat;
pub(crate) mod search;
pub(crate) mod strike;
pub(crate) mod target;
pub(crate) mod weigh;

use grognard_dice::Dice;
use grognard_rules::model::{HexRules, Mechanism, Order, Provides};

use crate::geometry::hex::attached;
use crate::mechanism::common::test;
use crate::state::battle::UnitId;
use crate::state::hex::HexFlags;
use crate::step::context::Field;
use crate::telling::event::{Event, HexEvent, Witness};

/// Whether nobody can do anything in this phase.
pub(crate) fn rests<D: Dice, W: Witness>(field: &Field<'_, D, W>, mechanism: Mechanism) -> bool {
    let when = field.rules.phases[usize::from(field.battle.phase)].when.as_ref();
    !matches!(mechanism, Mechanism::Test(_)) && when.is_some_and(|when| when.range() == (0, 0))
}

/// Plays a unit's part in a phase.
pub(crate) fn play<D: Dice, W: Witness>(field: &mut Field<'_, D, W>, hex: &HexRules, id: UnitId, mechanism: Mechanism) {
    if let Mechanism::Test(roll) = mechanism {
        test::play(field, id, roll);
        return;
    }
    let when = field.rules.phases[usize::from(field.battle.phase)].when.as_ref();
    // Who must fight does so though its doctrine says nothing of it.
    let bound = field.battle.unit(id).hex.flags.has(HexFlags::BOUND);
    let asked = field.has_orders(id) || bound;
    if attached(field.battle.unit(id)) || !asked || !field.holds(when, id, None) {
        return;
    }
    match mechanism {
        Mechanism::Move => movement::play(field, hex, id),
        Mechanism::Fire(roll) => fire::play(field, hex, id, roll),
        Mechanism::CloseCombat => melee::play(field, hex, id),
        _ => {}
    }
}

impl<D: Dice, W: Witness> Field<'_, D, W> {
    /// The first provision for something that applies to a unit: which, and how much it provides.
    #[inline]
    pub(crate) fn provision(
        &self,
        hex: &HexRules,
        deed: Provides,
        own: UnitId,
        foe: Option<UnitId>,
    ) -> Option<(u8, i32)> {
        hex.first(deed, self.battle.unit(own).kind, || self.view(own, foe))
    }

    /// Whether a unit has all its figures.
    #[inline]
    pub(crate) fn whole(&self, id: UnitId) -> bool {
        let unit = self.battle.unit(id);
        unit.figures == self.rules.kinds[usize::from(unit.kind)].figures
    }

    /// Tells that a provision decided something.
    #[inline]
    pub(crate) fn provided(&mut self, row: u8, unit: UnitId) {
        self.tell(|| Event::Hex(HexEvent::Provided { unit, row }));
    }

    /// Tells of every row for something that applies.
    pub(crate) fn all_provided(&mut self, hex: &HexRules, deed: Provides, own: UnitId, foe: Option<UnitId>) {
        if W::WATCHES {
            let view = self.view(own, foe);
            let applies = |row: &&(u8, &grognard_rules::model::Provision)| {
                row.1.when.as_ref().is_none_or(|when| when.get(&view) != 0)
            };
            let rows: Vec<u8> = hex.all(deed).filter(|row| applies(&row)).map(|(row, _)| row).collect();
            for row in rows {
                self.provided(row, own);
            }
        }
    }

    /// The place of the first doctrine row of this phase that applies to a unit and an enemy, for whom nobody looks if the
    /// unit's type decides it; the number of rows if none does.
    pub(crate) fn place_of_row(&self, hex: &HexRules, own: UnitId, foe: impl FnOnce() -> Option<UnitId>) -> usize {
        let unit = self.battle.unit(own);
        let read = || self.decisions(own).first.get(&self.view(own, foe())) as usize;
        match hex.row_by_type(unit.doctrine, self.battle.phase, unit.kind) {
            Some(row) => row,
            None => read(),
        }
    }

    /// The first doctrine row of this phase that applies to a unit and an enemy: its place and its order.
    pub(crate) fn row(&self, hex: &HexRules, own: UnitId, foe: Option<UnitId>) -> Option<(usize, Order)> {
        let row = self.place_of_row(hex, own, || foe);
        self.decisions(own).rows.get(row).map(|found| (row, found.order))
    }
}
