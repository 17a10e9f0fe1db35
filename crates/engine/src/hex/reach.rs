//! Every place that a unit can reach in a move, all at once: sets of hexes as bits, one for each facing.
//!
//! The marches are those of [`March`](super::March); here they are walked layer by layer, a layer for each point spent.

use grognard_rules::model::{HexGrid, HexRules};

use super::Motion;

/// Hexes by facing: bit `h` of element `f` is hex `h` with facing `f`.
pub(crate) type Places = [u128; 6];

/// Places without any.
const NOWHERE: Places = [0; 6];

/// A unit's own place.
pub(crate) fn place(hex: u8, facing: u8) -> Places {
    let mut places = NOWHERE;
    places[usize::from(facing % 6)] = 1_u128.checked_shl(u32::from(hex)).unwrap_or(0);
    places
}

/// Where a unit that may begin its move in any of these places may end it.
pub(crate) fn reach(hex: &HexRules, motion: &Motion, from: Places) -> Places {
    let mut all = NOWHERE;
    walk(hex, motion, from, |_, stood, marched| all = union(&all, &union(stood, marched)));
    all
}

/// Goes through the places in which a move may end, those first that cost least. `each` is handed the points spent, the places
/// of those who have only turned, and the places of those who have marched.
pub(crate) fn walk(hex: &HexRules, motion: &Motion, from: Places, mut each: impl FnMut(u8, &Places, &Places)) {
    let (grid, limit) = (&hex.grid, motion.allowance + motion.charge);
    let stops = motion.halting | motion.leaders;
    let free = !(motion.enemies | motion.barred | if motion.pass { 0 } else { motion.friends });
    let turning = motion.standing.max(motion.turns);
    let met = if motion.charge > 0 { touching(grid, motion) } else { NOWHERE };
    // Not moved yet; moved without having turned first; moved having turned first. None of them turned since.
    let (mut still, mut moved, mut first) = (from, NOWHERE, NOWHERE);
    for spent in 0..=limit {
        let ends = |places: &Places| -> Places {
            let free = places.map(|hexes| hexes & !motion.friends);
            if spent > motion.allowance { std::array::from_fn(|facing| free[facing] & met[facing]) } else { free }
        };
        // A turn at the end does not fit a march that turned first, unless there is no pattern to keep.
        let moved_turned = turned(motion, &moved, motion.turns);
        let marched = if motion.pattern {
            union(&moved_turned, &first)
        } else {
            union(&moved_turned, &turned(motion, &first, motion.turns))
        };
        each(spent, &ends(&turned(motion, &still, motion.standing)), &ends(&marched));
        if spent == limit {
            break;
        }
        let going = |places: &Places| places.map(|hexes| hexes & !stops);
        let (moved_on, first_on) = if stops == 0 { (moved, first) } else { (going(&moved), going(&first)) };
        let on_turned = if stops == 0 { moved_turned } else { turned(motion, &moved_on, motion.turns) };
        let straight = union(&still, &on_turned);
        let ahead = union(&turned(motion, &still, turning), &turned(motion, &first_on, motion.turns));
        if motion.pattern {
            moved = stepped(grid, motion, &straight, free);
            first = stepped(grid, motion, &ahead, free);
        } else {
            moved = stepped(grid, motion, &union(&straight, &ahead), free);
            first = NOWHERE;
        }
        if spent < motion.allowance && motion.pivot > 0 && motion.faces {
            let pivots = |places: &Places| turned(motion, places, motion.pivot);
            still = pivots(&still);
            moved = union(&moved, &pivots(&moved_on));
            first = union(&first, &pivots(&first_on));
        } else {
            still = NOWHERE;
        }
    }
}

#[inline]
fn union(one: &Places, other: &Places) -> Places {
    std::array::from_fn(|facing| one[facing] | other[facing])
}

/// The places after at most so many turns to the next spine.
#[inline]
fn turned(motion: &Motion, places: &Places, most: u8) -> Places {
    if !motion.faces || most == 0 {
        return *places;
    }
    let any = places.iter().fold(0, |any, hexes| any | hexes);
    if any == 0 || most >= 3 {
        return [any; 6];
    }
    let mut all = *places;
    for _ in 0..most {
        all = std::array::from_fn(|facing| all[facing] | all[(facing + 5) % 6] | all[(facing + 1) % 6]);
    }
    all
}

/// The places after a step.
#[inline]
fn stepped(grid: &HexGrid, motion: &Motion, from: &Places, free: u128) -> Places {
    if motion.faces && motion.front && !motion.aside {
        // Written out, so that each shift knows its direction.
        let step = |hexes: u128, facing: u8| match hexes {
            0 => 0,
            _ => (grid.shift(hexes, facing) | grid.shift(hexes, (facing + 1) % 6)) & free,
        };
        [step(from[0], 0), step(from[1], 1), step(from[2], 2), step(from[3], 3), step(from[4], 4), step(from[5], 5)]
    } else {
        from.map(|hexes| match hexes {
            0 => 0,
            _ => (0..6).fold(0, |to, direction| to | grid.shift(hexes, direction)) & free,
        })
    }
}

/// The places from which an enemy is in front.
fn touching(grid: &HexGrid, motion: &Motion) -> Places {
    std::array::from_fn(|facing| {
        let facing = facing as u8;
        let ahead = if motion.faces { facing..facing + 2 } else { 0..6 };
        ahead.fold(0, |hexes, direction| hexes | grid.shift(motion.enemies, (direction + 3) % 6))
    })
}

/// The hexes among these places that have a hex's neighbour, `direction` from it, looking at it with their front.
#[inline]
pub(crate) fn facing_it(places: &Places, faces: bool, direction: u8) -> u128 {
    // From the neighbour the hex lies in the opposite direction, which is front for two facings.
    let back = usize::from((direction + 3) % 6);
    if faces { places[back] | places[(back + 5) % 6] } else { places.iter().fold(0, |all, hexes| all | hexes) }
}
