//! What could happen to a unit on hexes, and what it could do: exposed flanks, openings, ways out.
//!
//! Example: a unit that faces north shows two flank and two rear hexes. One of them is bare if no friend holds it and some
//! enemy can be in it, with the unit in front, after the enemy's next move.

use grognard_rules::model::{HexRules, OFF_BOARD, Provides};
use grognard_rules::situation::Fact;

use crate::geometry::hex::{arc, attached, facing, hex_leader_alone, hex_of, homeward};
use crate::geometry::plane::{Arc, Point};
use crate::situation::hex::march::{Begun, Motion};
use crate::situation::hex::motion::{barred, held, motion};
use crate::situation::hex::reach::{Places, by_hex, facing_it, reach};
use crate::situation::view::View;
use crate::state::{Battle, HexFlags, NO_CARD, Setup, UnitId};
use crate::step::scratch::Scratch;

/// A position that is looked at.
#[derive(Clone, Copy)]
pub(crate) struct Scan<'a> {
    pub(crate) rules: &'a grognard_rules::model::Rules,
    pub(crate) setup: &'a Setup,
    pub(crate) hex: &'a HexRules,
    pub(crate) battle: &'a Battle,
    pub(crate) scratch: &'a Scratch,
}

impl Scan<'_> {
    /// One of the facts that only this module knows.
    pub(crate) fn fact(&self, fact: Fact, own: UnitId, foe: Option<UnitId>) -> i32 {
        match fact {
            Fact::Reacts => self.reacts(own, foe),
            Fact::Outlets => self.outlets(own),
            Fact::Bare => self.bare(own),
            Fact::Openings => self.openings(own),
            Fact::Reachers => self.reachers(own),
            Fact::Lured => foe.map_or(0, |foe| i32::from(self.lured(own, foe))),
            Fact::Follow => foe.map_or(0, |foe| self.follow(own, foe)),
            _ => unreachable!("{fact:?} is not worked out here"),
        }
    }

    fn view(&self, own: UnitId, foe: Option<UnitId>) -> View<'_> {
        View::new(self.rules, self.setup, self.battle, self.scratch, own, foe)
    }

    fn faces(&self, id: UnitId) -> bool {
        self.hex.any(Provides::Facing) && !hex_leader_alone(self.battle.unit(id))
    }

    /// Where a unit stands and can be after its next move, with what it may do in it. The card in play is not for that.
    fn next(&self, id: UnitId) -> (Motion, Places) {
        if let Some(known) = self.scratch.reach_of(id) {
            return known;
        }
        let mut later;
        let battle = if self.battle.cards.now == NO_CARD {
            self.battle
        } else {
            later = self.battle.clone();
            later.cards.now = NO_CARD;
            &later
        };
        let motion = motion(self.rules, self.setup, self.hex, battle, self.scratch, id);
        // In its next turn it may choose another pattern.
        let motion = Motion { begun: Begun::default(), ..motion };
        let unit = battle.unit(id);
        let places = reach(self.hex, &motion, [(hex_of(&self.hex.grid, unit), 1 << facing(unit.heading))]);
        self.scratch.keep_reach(id, (motion, places));
        (motion, places)
    }

    /// The enemies of a unit, leaders aside.
    fn enemies(&self, id: UnitId) -> impl Iterator<Item = UnitId> + '_ {
        self.battle.side(self.battle.unit(id).side.other()).filter(|&enemy| {
            let unit = self.battle.unit(enemy);
            !unit.gone() && !attached(unit) && !unit.hex.flags.has(HexFlags::LEADER)
        })
    }

    fn reacts(&self, id: UnitId, foe: Option<UnitId>) -> i32 {
        let view = || self.view(id, foe);
        let kind = self.battle.unit(id).kind;
        let spent = self.battle.unit(id).hex.flags.has(HexFlags::REACTED);
        if !self.faces(id) || spent && self.hex.first(Provides::ReactOnce, kind, view).is_some() {
            return 0;
        }
        self.hex.first(Provides::React, kind, view).map_or(0, |(_, spines)| spines.clamp(0, 3))
    }

    fn outlets(&self, id: UnitId) -> i32 {
        let unit = self.battle.unit(id);
        let held = held(self.hex, self.battle, id);
        let towards = facing(unit.heading);
        let exits = match self.hex.first(Provides::Exit, unit.kind, || self.view(id, None)) {
            Some((_, 1)) => [(towards + 3) % 6, (towards + 4) % 6],
            _ => homeward(unit.side),
        };
        let taken = held.friends | held.enemies | barred(self.hex, &self.view(id, None));
        let free = exits.into_iter().filter(|&direction| {
            let near = self.hex.grid.near(hex_of(&self.hex.grid, unit), direction);
            near != OFF_BOARD && taken >> near & 1 == 0
        });
        free.count() as i32
    }

    fn bare(&self, id: UnitId) -> i32 {
        if !self.faces(id) {
            return 0;
        }
        let unit = self.battle.unit(id);
        let at = hex_of(&self.hex.grid, unit);
        let friends = self.friends(id);
        let open = |&direction: &u8| {
            let near = self.hex.grid.near(at, direction);
            let aside = arc(direction, facing(unit.heading)) != Arc::Front;
            aside && near != OFF_BOARD && friends >> near & 1 == 0 && {
                self.enemies(id).any(|enemy| {
                    let (motion, places) = self.next(enemy);
                    facing_it(&places, motion.faces, direction) >> near & 1 == 1
                })
            }
        };
        (0..6).filter(open).count() as i32
    }

    /// Hexes that friends of a unit hold. The leader who is with it is none of them.
    fn friends(&self, id: UnitId) -> u128 {
        let own = self.battle.unit(id);
        let mate = usize::from(own.hex.mate);
        let others = self.battle.side(own.side).filter(|&other| other != id && other.index() != mate);
        let units = others.map(|other| self.battle.unit(other)).filter(|unit| !unit.gone() && !hex_leader_alone(unit));
        units.fold(0, |held, unit| held | 1_u128.checked_shl(u32::from(hex_of(&self.hex.grid, unit))).unwrap_or(0))
    }

    fn openings(&self, id: UnitId) -> i32 {
        if !self.faces(id) || self.battle.unit(id).hex.flags.has(HexFlags::LEADER) {
            return 0;
        }
        let (motion, once) = self.next(id);
        let twice = reach(self.hex, &motion, by_hex(&once));
        let open = |&enemy: &UnitId| {
            let foe = self.battle.unit(enemy);
            let at = hex_of(&self.hex.grid, foe);
            (0..6).filter(|&direction| arc(direction, facing(foe.heading)) != Arc::Front).any(|direction| {
                let near = self.hex.grid.near(at, direction);
                near != OFF_BOARD && facing_it(&twice, true, direction) >> near & 1 == 1
            })
        };
        self.enemies(id).filter(open).count() as i32
    }

    /// The hexes from which `id`, after its next move, has `other` in front.
    fn strikes(&self, id: UnitId, other: UnitId) -> u128 {
        let (motion, places) = self.next(id);
        let at = hex_of(&self.hex.grid, self.battle.unit(other));
        (0..6).fold(0, |hexes, direction| {
            let near = self.hex.grid.near(at, direction);
            let bit = 1_u128.checked_shl(u32::from(near)).unwrap_or(0);
            hexes | facing_it(&places, motion.faces, direction) & bit
        })
    }

    fn reachers(&self, id: UnitId) -> i32 {
        self.enemies(id).filter(|&enemy| self.strikes(enemy, id) != 0).count() as i32
    }

    fn lured(&self, id: UnitId, other: UnitId) -> bool {
        let friends = self.friends(id);
        let support = |hex: u8| (self.hex.grid.around(hex) & friends).count_ones();
        let before = support(hex_of(&self.hex.grid, self.battle.unit(id)));
        let mut hexes = self.strikes(id, other);
        let any = hexes != 0;
        while hexes != 0 {
            if support(hexes.trailing_zeros() as u8) >= before {
                return false;
            }
            hexes &= hexes - 1;
        }
        any
    }

    fn follow(&self, id: UnitId, target: UnitId) -> i32 {
        let at = hex_of(&self.hex.grid, self.battle.unit(target));
        let towards = facing(self.battle.unit(id).heading);
        let held = self.enemies(id).filter(|&enemy| enemy != target).fold(0_u128, |held, enemy| {
            held | 1_u128.checked_shl(u32::from(hex_of(&self.hex.grid, self.battle.unit(enemy)))).unwrap_or(0)
        });
        let ahead = (0..6).filter(|&direction| !self.faces(id) || arc(direction, towards) == Arc::Front);
        ahead
            .filter(|&direction| {
                let near = self.hex.grid.near(at, direction);
                near != OFF_BOARD && held >> near & 1 == 1
            })
            .count() as i32
    }
}

/// The position after these units have stepped a hex straight ahead together, to the left or right of their spines. Who has
/// no room stays.
pub(crate) fn advanced(hex: &HexRules, battle: &Battle, units: &[UnitId], right: bool) -> Battle {
    let mut after = battle.clone();
    let stands = |battle: &Battle, hex_at: u8, but: &[UnitId]| {
        battle.units.iter().enumerate().any(|(index, unit)| {
            !unit.gone() && !but.contains(&UnitId(index as u8)) && hex_of(&hex.grid, unit) == hex_at
        })
    };
    for &id in units {
        let unit = battle.unit(id);
        let direction = (facing(unit.heading) + u8::from(!right)) % 6;
        let to = hex.grid.near(hex_of(&hex.grid, unit), direction);
        if to == OFF_BOARD || stands(battle, to, units) {
            continue;
        }
        let (q, r) = hex.grid.place(to);
        after.unit_mut(id).front = Point { x: q, y: r };
    }
    after
}
