//! Enemies from the point of view of units about to move. This is computed once for all units of a side, since enemies
//! do not move in the meantime.

use arrayvec::ArrayVec;
use grognard_rules::model::{HEXES_MAX, HexRules, KindId, Provides};

use crate::geometry::hex::{Beside, NOTHING, attached, beside, facing, front, hex_leader_alone, hex_of};
use crate::state::{Battle, Side, UNITS_PER_SIDE_MAX, UnitId};

/// An enemy.
#[derive(Clone, Copy, Debug)]
pub(super) struct Foe {
    pub(super) id: UnitId,
    /// Its type.
    pub(super) kind: KindId,
    pub(super) hex: u8,
    pub(super) facing: u8,
    /// Whether it has a front, flanks and a rear.
    pub(super) faces: bool,
    /// Whether it counts for the duty to attack fronts first.
    pub(super) counts: bool,
}

/// The enemies of a side, and their relation to every hex.
#[derive(Clone, Debug)]
pub(crate) struct Foes {
    /// The side whose enemies they are.
    pub(super) of: Side,
    pub(super) all: ArrayVec<Foe, UNITS_PER_SIDE_MAX>,
    /// The hexes that they occupy.
    pub(super) held: u128,
    /// The number of steps from each hex to the nearest of them.
    pub(super) near: [u8; HEXES_MAX],
    /// The number of them that have each hex in front.
    pub(super) fronting: [u8; HEXES_MAX],
    /// The number of them next to each hex.
    pub(super) touching: [u8; HEXES_MAX],
    /// For each hex, the directions in which there is an adjacent enemy, including leaders with a unit.
    pub(super) beside: Beside,
    /// For each hex, the directions in which the adjacent hex contains an enemy or is next to one.
    pub(super) reachable: Beside,
    /// The enemy in each hex, if there is one.
    at: [u8; HEXES_MAX],
}

impl Foes {
    /// The current enemies of a side.
    pub(super) fn of(battle: &Battle, hex: &HexRules, side: Side) -> Self {
        let mut foes = Self {
            of: side,
            all: ArrayVec::new(),
            held: 0,
            near: [u8::MAX; HEXES_MAX],
            fronting: [0; HEXES_MAX],
            touching: [0; HEXES_MAX],
            beside: NOTHING,
            reachable: NOTHING,
            at: [u8::MAX; HEXES_MAX],
        };
        let mut reached = 0_u128;
        let knows_facing = hex.any(Provides::Facing);
        for id in battle.enemies(side) {
            let unit = battle.unit(id);
            let at = hex_of(&hex.grid, unit);
            if unit.gone() || usize::from(at) >= HEXES_MAX {
                continue;
            }
            foes.held |= 1 << at;
            if attached(unit) {
                continue;
            }
            let alone = hex_leader_alone(unit);
            let (faces, facing) = (knows_facing && !alone, facing(unit.heading));
            reached |= hex.grid.around(at) | 1 << at;
            for (near, &steps) in foes.near.iter_mut().zip(hex.grid.distances(at)) {
                *near = (*near).min(steps);
            }
            for (direction, next) in (0_u8..).zip(hex.grid.neighbours(at).map(usize::from)) {
                if next < HEXES_MAX {
                    foes.touching[next] += 1;
                    foes.fronting[next] += front(facing) >> direction & 1;
                }
            }
            foes.at[usize::from(at)] = foes.at[usize::from(at)].min(foes.all.len() as u8);
            foes.all.push(Foe { id, kind: unit.kind, hex: at, facing, faces, counts: !alone });
        }
        foes.beside = beside(&hex.grid, foes.held);
        foes.reachable = beside(&hex.grid, reached);
        foes
    }

    /// Excludes these from the enemies to be fought. They still occupy their hexes.
    pub(super) fn spare(&mut self, mut spared: impl FnMut(UnitId) -> bool) {
        for foe in &self.all {
            if spared(foe.id) {
                self.at[usize::from(foe.hex)] = u8::MAX;
            }
        }
    }

    /// The enemy in a hex, and its index.
    #[inline]
    pub(super) fn in_hex(&self, hex: u8) -> Option<(usize, &Foe)> {
        let place = usize::from(*self.at.get(usize::from(hex))?);
        self.all.get(place).map(|foe| (place, foe))
    }
}
