//! A unit's threats and opportunities on hexes: exposed flanks, openings and ways out.
//!
//! Example: a unit that faces north shows two flank and two rear hexes. Such a hex is exposed if no friend occupies it
//! and an enemy could be in it, with the unit in front, after the enemy's next move.

use grognard_rules::model::{HexRules, OFF_BOARD, Provides};
use grognard_rules::situation::Fact;

use crate::geometry::hex::{arc, attached, facing, heading, hex_leader_alone, hex_of, homeward, occupant};
use crate::geometry::plane::{Arc, Point};
use crate::situation::hex::march::{Begun, Motion};
use crate::situation::hex::motion::{self, barred, held, motion};
use crate::situation::hex::reach::{Places, by_hex, ends, facing_it, reach};
use crate::situation::view::View;
use crate::state::{Battle, HexFlags, Maybe, Setup, Unit, UnitId};
use crate::step::scratch::Scratch;

/// The position that is examined.
#[derive(Clone, Copy)]
pub(crate) struct Scan<'a> {
    pub(crate) rules: &'a grognard_rules::model::Rules,
    pub(crate) setup: &'a Setup,
    pub(crate) hex: &'a HexRules,
    pub(crate) battle: &'a Battle,
    pub(crate) scratch: &'a Scratch,
}

impl Scan<'_> {
    /// The value of a fact that only this module computes.
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

    /// A unit's possible places after its next move, including its current place, and its options in that move. The
    /// card in play does not apply to that move.
    fn next(&self, id: UnitId) -> (Motion, Places) {
        if let Some(known) = self.scratch.reach_of(id) {
            return known;
        }
        let mut later;
        let battle = if self.battle.cards.now.is_none() {
            self.battle
        } else {
            later = self.battle.clone();
            later.cards.now = Maybe::NONE;
            &later
        };
        let motion = motion(self.rules, self.setup, self.hex, battle, self.scratch, id);
        // In its next turn, the unit may choose another pattern.
        let motion = Motion { begun: Begun::default(), ..motion };
        let unit = battle.unit(id);
        let places = reach(self.hex, &motion, [(hex_of(&self.hex.grid, unit), 1 << facing(unit.heading))]);
        self.scratch.keep_reach(id, (motion, places));
        (motion, places)
    }

    /// The enemies of a unit, except leaders.
    fn enemies(&self, id: UnitId) -> impl Iterator<Item = UnitId> + '_ {
        self.battle.enemies(self.battle.unit(id).side).filter(|&enemy| {
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
        self.hex.first(Provides::React, kind, view).map_or(0, |(_, spines)| spines)
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

    /// Hexes that friends of a unit occupy, including lone leaders (B25). The leader with the unit does not count.
    fn friends(&self, id: UnitId) -> u128 {
        let own = self.battle.unit(id);
        let others = self.battle.side(own.side).filter(|&other| other != id && !own.hex.mate.is(other));
        let units = others.map(|other| self.battle.unit(other)).filter(|unit| !unit.gone());
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

    /// The hexes from which `id` could attack `other` after its next move. From there, `id` must have `other` in front
    /// and at least one die against it, and neither the move nor the terrain that it has entered may prevent it from
    /// fighting.
    fn strikes(&self, id: UnitId, other: UnitId) -> u128 {
        let (motion, places) = self.next(id);
        let (grid, unit) = (&self.hex.grid, *self.battle.unit(id));
        let at = hex_of(grid, self.battle.unit(other));
        let fronting = (0..6).fold(0, |hexes, direction| {
            hexes | facing_it(&places, motion.faces, direction) & motion::bit(grid.near(at, direction))
        });
        if fronting == 0 {
            return 0;
        }
        let (start, mut later) = (hex_of(grid, &unit), self.battle.clone());
        later.cards.now = Maybe::NONE;
        let tiring = motion::tiring(self.hex, &self.view(id, Some(other)));
        let mut hexes = 0;
        ends(self.hex, &motion, [(start, 1 << facing(unit.heading))], |end| {
            let bit = motion::bit(end.hex);
            if fronting & bit & !hexes == 0 || end.marched && tiring & bit != 0 {
                return;
            }
            let (q, r) = grid.place(end.hex);
            let moved = later.unit_mut(id);
            moved.front = Point { x: q, y: r };
            moved.hex.steps = end.spent;
            let ahead =
                |&towards: &u8| end.facings >> towards & 1 == 1 && self.has_ahead(&motion, end.hex, towards, at);
            let Some(towards) = (0..6).find(ahead) else { return };
            moved.heading = heading(towards);
            if self.could_attack(&later, id, other) {
                hexes |= bit;
            }
        });
        hexes
    }

    /// Whether a hex is in front of a unit adjacent to it.
    fn has_ahead(&self, motion: &Motion, from: u8, towards: u8, at: u8) -> bool {
        let front = |&way: &u8| !motion.faces || arc(way, towards) == Arc::Front;
        (0..6).filter(front).any(|way| self.hex.grid.near(from, way) == at)
    }

    /// Whether a unit has dice to attack another one next to it, and nothing prevents it from doing so.
    fn could_attack(&self, battle: &Battle, id: UnitId, other: UnitId) -> bool {
        let scratch = Scratch::new();
        let view = || View::new(self.rules, self.setup, battle, &scratch, id, Some(other));
        let kind = battle.unit(id).kind;
        let dice = |row: u8| {
            let own = view();
            self.rules.taken(self.hex.provisions[usize::from(row)].roll, &own).dice(&own, &own.turned())
        };
        self.hex.first(Provides::NoAttack, kind, view).is_none()
            && self.hex.first(Provides::Strike, kind, view).is_some_and(|(row, _)| dice(row) > 0)
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

/// The position after these units have simultaneously stepped a hex ahead, to the left or right of their spines, each
/// with its leader. `barred` gives the hexes that are closed to a unit. A unit without room stays where it is, and so
/// does a unit behind it. A unit without a leader has room in the hex of a lone leader, who joins it (B10).
pub(crate) fn advanced(
    hex: &HexRules,
    battle: &Battle,
    units: &[UnitId],
    right: bool,
    barred: impl Fn(UnitId) -> u128,
) -> Battle {
    let to = |id: UnitId| {
        let unit = battle.unit(id);
        hex.grid.near(hex_of(&hex.grid, unit), (facing(unit.heading) + u8::from(!right)) % 6)
    };
    let mut going: Vec<UnitId> = units.iter().copied().filter(|&id| motion::bit(to(id)) & !barred(id) != 0).collect();
    loop {
        let goes = |index: usize| going.iter().any(|&id| id.index() == index);
        let stays = |&(index, unit): &(usize, &Unit)| {
            !unit.gone() && !goes(index) && !unit.hex.mate.get().is_some_and(|mate| goes(mate.index()))
        };
        let kept: u128 = battle
            .units
            .iter()
            .enumerate()
            .filter(stays)
            .fold(0, |kept, (_, unit)| kept | motion::bit(hex_of(&hex.grid, unit)));
        let mut taken = 0;
        // If two units move to the same hex, the first one gets it.
        let left: Vec<UnitId> = going
            .iter()
            .copied()
            .filter(|&id| {
                let open = !kept | held(hex, battle, id).leaders;
                let bit = motion::bit(to(id)) & open & !taken;
                taken |= bit;
                bit != 0
            })
            .collect();
        if left.len() == going.len() {
            break;
        }
        going = left;
    }
    let mut after = battle.clone();
    for &id in &going {
        let (q, r) = hex.grid.place(to(id));
        let place = Point { x: q, y: r };
        after.unit_mut(id).front = place;
        if let Some(mate) = battle.unit(id).hex.mate.get() {
            after.unit_mut(mate).front = place;
        } else if let Some(other) = occupant(battle, place).filter(|other| !going.contains(other)) {
            after.unit_mut(id).hex.mate = other.into();
            after.unit_mut(other).hex.mate = id.into();
        }
    }
    after
}
