//! Movement: a unit with orders goes to the place worth most to it, by any march that the provisions allow.

use grognard_dice::Dice;
use grognard_rules::model::{HexRules, OFF_BOARD, Order, Provides, Weigh};

use super::weigh::Eyes;
use crate::field::Field;
use crate::hex::{self, Act, HexFlags, March, Motion, NOBODY, facing, heading, hex_of};
use crate::plane::Point;
use crate::state::{Flags, UnitId};
use crate::witness::{Event, HexEvent, Witness};

/// Marches that are still to be gone on with. More than this many are never open at once: a march spends at most 15 points
/// and each of its states is looked at once.
const OPEN: usize = 256;

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
    let motion = hex::motion(field.rules, field.setup, hex, field.battle, field.scratch, id);
    let start = March::new(hex_of(&hex.grid, field.battle.unit(id)), facing(field.battle.unit(id).heading));
    let best = best_march(field, hex, id, &motion, start, &weigh);
    if best != start {
        field.tell(|| Event::Ordered { unit: id, row, order });
        settle(field, hex, id, &motion, &best);
    }
}

/// The march whose end is worth most; of several the one found first, staying put before all others.
pub(super) fn best_march<D: Dice, W: Witness>(
    field: &mut Field<'_, D, W>,
    hex: &HexRules,
    id: UnitId,
    motion: &Motion,
    start: March,
    weigh: &Weigh,
) -> March {
    let eyes = Eyes::new(field, hex, id, motion);
    let mut seen = Seen::default();
    let mut weighed = [0_u128; 6];
    let mut open: arrayvec::ArrayVec<March, OPEN> = arrayvec::ArrayVec::new();
    open.push(start);
    let mut best = (i32::MIN, start);
    while let Some(march) = open.pop() {
        let bit = 1_u128 << march.hex;
        let known = &mut weighed[usize::from(march.facing)];
        // A place may be reached in ways of which only some may end there.
        if *known & bit == 0 && march.ends(hex, motion).is_ok() {
            *known |= bit;
            let worth = eyes.worth(field, hex, id, march.hex, march.facing, weigh);
            if worth > best.0 {
                best = (worth, march);
            }
        }
        let mut go = |act: Act| {
            if let Ok(next) = march.then(hex, motion, act)
                && !seen.before(&next)
            {
                let _ = open.try_push(next);
            }
        };
        for spines in [1, -1] {
            if motion.faces {
                go(Act::Turn(spines));
            }
        }
        if march.spent < motion.allowance + motion.charge {
            if motion.pivot > 0 && motion.faces {
                (0..6).for_each(|to| go(Act::Pivot(to)));
            }
            (0..6).for_each(|direction| go(Act::Step(direction)));
        }
    }
    best.1
}

/// Which states of a march have been looked at.
struct Seen([u128; 6 * 16 * 4]);

impl Default for Seen {
    fn default() -> Self {
        Self([0; 6 * 16 * 4])
    }
}

impl Seen {
    fn before(&mut self, march: &March) -> bool {
        // Before the first step a turn makes the march one that turned first.
        let first = march.turned_first || (march.steps == 0 && march.turned > 0);
        let turned = usize::from(march.turned > 0) * 2 + usize::from(first);
        let place = (usize::from(march.spent & 15) * 4 + turned) * 6 + usize::from(march.facing);
        let bit = 1_u128 << march.hex;
        let before = self.0[place] & bit != 0;
        self.0[place] |= bit;
        before
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
    let there = hex::occupant(field.battle, at).filter(|&other| other != id);
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
