//! Movement: a unit with orders goes to the place worth most to it, by any march that the provisions allow.

use grognard_dice::Dice;
use grognard_rules::model::{HexRules, OFF_BOARD, Order, Provides, Weigh};

use super::foes::Foes;
use super::weigh::Eyes;
use crate::Side;
use crate::field::Field;
use crate::hex::{self, HexFlags, March, Motion, NOBODY, Places, facing, heading, hex_of};
use crate::plane::Point;
use crate::state::{Flags, UnitId};
use crate::witness::{Event, HexEvent, Witness};

pub(crate) fn play<D: Dice, W: Witness>(field: &mut Field<'_, D, W>, hex: &HexRules, id: UnitId) {
    let unit = field.battle.unit(id);
    if hex.any(Provides::Ordered) && !unit.hex.flags.has(HexFlags::ORDERED) {
        return;
    }
    if let Some((row, _)) = field.provision(hex, Provides::MoveAgain, id, None)
        && !unit.hex.flags.has(HexFlags::SIGHTED)
    {
        field.tell(|| Event::Hex(HexEvent::Breached { unit: id, row }));
        return;
    }
    let enemy = field.nearest_enemy(id);
    let Some((row, order)) = field.row(id, enemy) else { return };
    let Order::Manoeuvre(weigh) = order else { return };
    let motion = hex::motion(field.rules, field.setup, hex, &field.battle, field.scratch, id);
    let start = March::new(hex_of(&hex.grid, field.battle.unit(id)), facing(field.battle.unit(id).heading));
    let side = field.battle.unit(id).side;
    let known = field.scratch.foes.take().filter(|foes| foes.of == side);
    let foes = known.unwrap_or_else(|| Box::new(Foes::of(&field.battle, hex, side)));
    let best = best_march(field, hex, id, &motion, start, (&foes, &weigh));
    field.scratch.foes = Some(foes);
    if best != start {
        field.tell(|| Event::Ordered { unit: id, row, order });
        settle(field, hex, id, &motion, &best);
    }
}

/// The march whose end is worth most to a unit that sees these enemies; of several the one that costs least, staying put before all others.
pub(super) fn best_march<D: Dice, W: Witness>(
    field: &mut Field<'_, D, W>,
    hex: &HexRules,
    id: UnitId,
    motion: &Motion,
    start: March,
    seen: (&Foes, &Weigh),
) -> March {
    let eyes = Eyes::new(field, hex, id, motion, seen);
    let side = field.battle.unit(id).side;
    let mut search = Search { best: start, worth: i32::MIN, seen: [0; 6], from: start.facing, side };
    if start.ends(hex, motion).is_ok()
        && let Some(place) = eyes.place(field, start.hex, i32::MIN)
    {
        search.worth = eyes.worth(field, &place, start.facing);
        search.seen[usize::from(start.facing % 6)] |= 1_u128.checked_shl(u32::from(start.hex)).unwrap_or(0);
    }
    let places = hex::place(start.hex, start.facing);
    // Without turns that cost a hex every point is a hex; with them, all but one. Steps aside come last: they are noted.
    let ahead = Motion { aside: false, pivot: 0, ..*motion };
    hex::walk(hex, &ahead, places, |spent, stood, marched| {
        search.look(field, &eyes, March { spent, ..start }, stood);
        search.look(field, &eyes, March { spent, steps: spent, ..start }, marched);
    });
    if motion.pivot > 0 && motion.faces && search.hopes(field, hex, &eyes, motion, start.hex) {
        hex::walk(hex, &Motion { aside: false, ..*motion }, places, |spent, stood, marched| {
            search.look(field, &eyes, March { spent, ..start }, stood);
            search.look(field, &eyes, March { spent, steps: spent.saturating_sub(1), ..start }, marched);
        });
    }
    if motion.aside {
        hex::walk(hex, &Motion { pivot: 0, ..*motion }, places, |spent, _, marched| {
            search.look(field, &eyes, March { spent, steps: spent, aside: true, ..start }, marched);
        });
    }
    search.best
}

/// The best place found so far.
struct Search {
    best: March,
    worth: i32,
    seen: Places,
    /// The facing in which the unit began.
    from: u8,
    side: Side,
}

impl Search {
    /// Whether a turn that costs a hex could lead to a better place: to one that was not seen in every facing, and is near
    /// enough with a hex less to go.
    fn hopes<D: Dice, W: Witness>(
        &self,
        field: &mut Field<'_, D, W>,
        hex: &HexRules,
        eyes: &Eyes<'_>,
        motion: &Motion,
        start: u8,
    ) -> bool {
        let free = !(motion.enemies | motion.barred);
        let mut hexes = 1_u128.checked_shl(u32::from(start)).unwrap_or(0);
        for _ in 1..motion.allowance + motion.charge {
            hexes |= (0..6).fold(0, |all, direction| all | hex.grid.shift(hexes, direction)) & free;
        }
        hexes &= !self.seen.iter().fold(u128::MAX, |all, hexes| all & hexes);
        let mut better = false;
        while hexes != 0 && !better {
            better = eyes.place(field, hexes.trailing_zeros() as u8, self.worth).is_some();
            hexes &= hexes - 1;
        }
        better
    }

    /// Looks at places that were not seen yet, all at the end of a march like `march`.
    fn look<D: Dice, W: Witness>(&mut self, field: &mut Field<'_, D, W>, eyes: &Eyes<'_>, march: March, ends: &Places) {
        if ends.iter().fold(0, |all, hexes| all | hexes) == 0 {
            return;
        }
        let mut hexes = 0;
        let fresh: Places = std::array::from_fn(|facing| {
            let fresh = ends[facing] & !self.seen[facing];
            self.seen[facing] |= fresh;
            hexes |= fresh;
            fresh
        });
        // Each side looks from its own rear and right, so that neither is favoured among places of the same worth.
        while hexes != 0 {
            let at = if self.side == Side::First { 127 - hexes.leading_zeros() } else { hexes.trailing_zeros() } as u8;
            hexes &= !(1_u128 << at);
            let Some(place) = eyes.place(field, at, self.worth) else { continue };
            for turn in [0, 1, 5, 2, 4, 3] {
                let facing = (self.from + turn) % 6;
                if fresh[usize::from(facing)] >> at & 1 == 1 {
                    let worth = eyes.worth(field, &place, facing);
                    if worth > self.worth {
                        (self.worth, self.best) = (worth, March { hex: at, facing, ..march });
                    }
                    if place.even {
                        break;
                    }
                }
            }
        }
    }
}

/// Puts a unit where its march ends, with everything that follows from it.
pub(crate) fn settle<D: Dice, W: Witness>(
    field: &mut Field<'_, D, W>,
    hex: &HexRules,
    id: UnitId,
    motion: &Motion,
    march: &March,
) {
    let from = *field.battle.unit(id);
    let old = facing(from.heading);
    if W::WATCHES {
        tell_provisions(field, hex, id, motion, march, old);
    }
    let terrain = hex.ground[usize::from(march.hex)];
    let entered = march.steps > 0 && terrain != 0;
    let tires = entered
        && field.holds(hex.terrain[usize::from(terrain)].tires.as_ref(), id, None)
        && hex.terrain[usize::from(terrain)].tires.is_some();
    let unit = field.battle.unit_mut(id);
    unit.heading = heading(march.facing);
    unit.hex.steps = unit.hex.steps.saturating_add(march.spent);
    if march.spent > 0 {
        unit.flags.set(Flags::MOVED);
    }
    if march.aside {
        unit.hex.flags.set(HexFlags::ASIDE);
    }
    if march.spent > motion.allowance {
        unit.hex.flags.set(HexFlags::BOUND);
    }
    if tires {
        unit.hex.flags.set(HexFlags::TIRED);
    }
    put(field, hex, id, march.hex);
    field.tell(|| Event::Hex(HexEvent::Moved { unit: id, from: from.front, facing: old }));
}

/// Puts a unit into a hex, with its leader; a lone leader who stands there joins it, a leader joins the unit there.
pub(super) fn put<D: Dice, W: Witness>(field: &mut Field<'_, D, W>, hex: &HexRules, id: UnitId, to: u8) {
    if to == OFF_BOARD {
        return;
    }
    let (q, r) = hex.grid.place(to);
    let at = Point { x: q, y: r };
    let there = hex::occupant(&field.battle, at).filter(|&other| other != id);
    let unit = field.battle.unit_mut(id);
    unit.front = at;
    let mate = unit.hex.mate;
    if mate != NOBODY {
        field.battle.unit_mut(UnitId(mate)).front = at;
    } else if let Some(other) = there
        && field.battle.unit(other).side == field.battle.unit(id).side
        && field.battle.unit(other).hex.mate == NOBODY
    {
        field.battle.unit_mut(id).hex.mate = other.0;
        field.battle.unit_mut(other).hex.mate = id.0;
    }
}

/// Tells which provisions a march made use of.
fn tell_provisions<D: Dice, W: Witness>(
    field: &mut Field<'_, D, W>,
    hex: &HexRules,
    id: UnitId,
    motion: &Motion,
    march: &March,
    old: u8,
) {
    let turned = march.facing != old;
    let moves = march.steps > 0;
    let paid = march.spent > march.steps;
    let used = [
        (Provides::Ordered, true),
        (Provides::Facing, motion.faces),
        (Provides::Move, moves),
        (Provides::Step, moves && motion.faces && !march.aside),
        (Provides::SideStep, march.aside),
        (Provides::TurnStanding, turned && !moves && !paid),
        (Provides::TurnMoving, turned && moves && !paid),
        (Provides::Pattern, turned && moves),
        (Provides::Pivot, paid),
        (Provides::Charge, march.spent > motion.allowance),
        (Provides::MoveAgain, moves),
    ];
    for (deed, was_used) in used {
        if was_used && let Some((row, _)) = field.provision(hex, deed, id, None) {
            field.provided(row, id);
        }
    }
}
