//! Skirmishers keep out of fire zones unless something covers them all the way (clauses 7.62, 9.43).
//!
//! Example: an enemy line with a zone of 2". Skirmishers that march up to it stop 2" before it; behind a hedge they go on.

use arrayvec::ArrayVec;
use grognard_dice::Dice;
use grognard_rules::model::Board;

use crate::geometry::plane::{Circle, Rect};
use crate::mechanism::figures::movement;
use crate::mechanism::figures::tether::bases;
use crate::state::battle::{UNITS_PER_SIDE_MAX, UnitId};
use crate::state::terrain::covered;
use crate::step::context::Field;
use crate::telling::event::{Event, Refusal, Witness};

/// How finely a way is looked at, in hundredths of an inch: a skirmisher stops at most so far before a zone.
const STEP: i32 = 10;

/// Enemies in whose zones somebody stands uncovered, and how far from each, in hundredths of an inch.
type Zones = ArrayVec<(UnitId, i32), UNITS_PER_SIDE_MAX>;

/// Whether somebody has come into a zone, or deeper into one.
pub(crate) fn intrudes(now: &Zones, before: &Zones) -> bool {
    let known = |owner: UnitId| before.iter().find(|zone| zone.0 == owner);
    // Places are rounded to hundredths: one of these is no step nearer.
    now.iter().any(|&(owner, distance)| known(owner).is_none_or(|&(_, then)| distance + 1 < then))
}

impl<D: Dice, W: Witness> Field<'_, D, W> {
    /// The zones in which any figure of a unit in open order stands uncovered (9.43).
    pub(crate) fn zones_about(&self, id: UnitId) -> Zones {
        let (rules, terrain) = (self.rules, &self.setup.terrain);
        let unit = self.battle.unit(id);
        let mut zones = Zones::new();
        let Board::Plane { arc, .. } = rules.board else { return zones };
        for owner in self.targets(id) {
            let enemy = self.battle.unit(owner);
            if !self.vicinity().in_zone(owner, id) {
                continue;
            }
            let there = self.rect(owner);
            let depth = rules.kinds[usize::from(enemy.kind)].zone;
            let everywhere = rules.formations[usize::from(enemy.formation)].all_round;
            let exposed = |figure: &Rect| {
                figure.distance(&there) <= depth
                    && (everywhere || there.zone_holds(figure, depth, arc))
                    && !covered(rules, terrain, figure, &there)
            };
            let nearest = bases(rules, unit).filter(exposed).map(|figure| figure.distance(&there)).min();
            if let Some(distance) = nearest {
                zones.push((owner, distance));
            }
        }
        zones
    }

    /// Whether a unit might come into any fire zone within so many hundredths of an inch.
    pub(crate) fn zones_within(&self, id: UnitId, distance: i32) -> bool {
        let here = Circle::of(&self.place(id));
        let within = |owner: UnitId| {
            let depth = self.rules.kinds[usize::from(self.battle.unit(owner).kind)].zone;
            depth > 0 && !here.beyond(&Circle::of(&self.place(owner)), depth + distance)
        };
        // Whoever fills a piece of ground is not measured from where it stands.
        self.fills(id) || self.targets(id).any(within)
    }

    /// How far of a march a unit in open order may go before it would enter a fire zone, or go deeper into one.
    pub(crate) fn free_of_zones(&mut self, id: UnitId, from: &Rect, distance: i32) -> i32 {
        let unit = *self.battle.unit(id);
        let loose = self.rules.formations[usize::from(unit.formation)].spacing.is_some();
        if !loose || self.rules.fire_zone.is_none() || distance <= 0 {
            return distance;
        }
        let known = self.zones_about(id);
        let (mut free, mut at) = (0, 0);
        while at < distance {
            at = (at + STEP).min(distance);
            movement::settle_on(self, id, &from.marched(at));
            if intrudes(&self.zones_about(id), &known) {
                break;
            }
            free = at;
        }
        *self.battle.unit_mut(id) = unit;
        free
    }

    /// The same, and the witness is told if that is not all of it.
    pub(crate) fn march_outside_zones(&mut self, id: UnitId, from: &Rect, distance: i32) -> i32 {
        let free = self.free_of_zones(id, from, distance);
        if free < distance {
            self.tell(|| Event::Refused { unit: id, why: Refusal::FireZone });
        }
        free
    }
}
