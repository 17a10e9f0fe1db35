//! Every place that a unit can reach in a move, all at once.
//!
//! The marches are those of [`March`](super::march::March), but here all of them are explored at once, one layer for
//! each point spent. A unit's next options depend on its hex, its facing and whether it turned before its first hex. An
//! entry is therefore a hex with a set of facings for each case. A set of facings is six bits, so a table gives the
//! turns of all marches in one lookup.

use arrayvec::ArrayVec;
use grognard_rules::model::{HEXES_MAX, HexRules};

use crate::geometry::hex::{FACINGS, bits};
use crate::situation::hex::march::{Begun, Motion};

/// Hexes by facing: bit `h` of element `f` is hex `h` with facing `f`.
pub(crate) type Places = [u128; 6];

/// Facings, as bits, after at most the given number of turns to the next spine.
static TURNED: [[u8; 64]; 4] = {
    let mut turned = [[0; 64]; 4];
    let mut facings = 0;
    while facings < 64 {
        turned[0][facings] = facings as u8;
        let mut turns = 1;
        while turns < 4 {
            let before = turned[turns - 1][facings];
            turned[turns][facings] = before | left(before) | right(before);
            turns += 1;
        }
        facings += 1;
    }
    turned
};

/// Turns each of these facings or directions to the next one counter-clockwise.
const fn left(bits: u8) -> u8 {
    (bits << 1 | bits >> 5) & FACINGS
}

/// Turns each of these facings or directions to the next one clockwise.
const fn right(bits: u8) -> u8 {
    (bits >> 1 | bits << 5) & FACINGS
}

/// The places where a unit may end its move if it may begin in any of these hexes with any of these facings.
pub(crate) fn reach(hex: &HexRules, motion: &Motion, from: impl IntoIterator<Item = (u8, u8)> + Clone) -> Places {
    let mut all = [0; 6];
    ends(hex, motion, from, |end| {
        for (facing, hexes) in all.iter_mut().enumerate() {
            *hexes |= u128::from(end.facings >> facing & 1) << end.hex;
        }
    });
    all
}

/// Calls a function for each group of ends of the marches that [`reach`] finds.
pub(crate) fn ends(
    hex: &HexRules,
    motion: &Motion,
    from: impl IntoIterator<Item = (u8, u8)> + Clone,
    mut each: impl FnMut(End),
) {
    if motion.aside && motion.keeps {
        // A unit either steps aside or turns.
        walk(hex, &motion.ahead(), from.clone(), &mut each);
    }
    walk(hex, &motion.aside(), from, &mut each);
}

/// The hexes of these places, each with its facings as bits.
pub(crate) fn by_hex(places: &Places) -> impl Iterator<Item = (u8, u8)> + Clone + '_ {
    let hexes = places.iter().fold(0, |all, hexes| all | hexes);
    bits(hexes).map(|hex| (hex, (0..6).map(|facing| u8::from(places[facing] >> hex & 1 == 1) << facing).sum()))
}

/// The ends of marches of equal cost.
#[derive(Clone, Copy)]
pub(crate) struct End {
    /// The number of points spent.
    pub(crate) spent: u8,
    /// Whether the marches have left the starting hex, or only turned there.
    pub(crate) marched: bool,
    pub(crate) hex: u8,
    /// The facings in which the marches end, as bits.
    pub(crate) facings: u8,
    /// The facings of those marches that take a free turn after the last hex.
    pub(crate) turned: u8,
    /// The facings of those marches that take a turn before the first hex.
    pub(crate) first: u8,
}

/// Marches that have reached a hex and have not turned since, as the four bytes of a word. The lowest byte is the hex.
/// The others are the facings, as bits, of marches that have not moved yet, have moved without turning first, and have
/// moved after turning first.
type Open = u32;

/// The lowest bit of the facings of each kind of march.
const STILL: u32 = 8;
const MOVED: u32 = 16;
const FIRST: u32 = 24;

/// For each direction, the facings that have this direction in front, for marches that have moved.
static AHEAD: [Open; 8] = {
    let mut ahead = [0; 8];
    let mut direction = 0;
    while direction < 6 {
        let facings = (1 << direction | right(1 << direction)) as Open;
        ahead[direction] = facings << MOVED | facings << FIRST;
        direction += 1;
    }
    ahead
};

/// The marches explored: each hex is entered once for every facing and every kind of march.
struct Walk {
    open: ArrayVec<Open, { 3 * 6 * HEXES_MAX }>,
    /// Facings, by hex, that marches need not reach again.
    known: [Open; HEXES_MAX],
}

impl Walk {
    /// Continues from a hex with the facings that are new there. A march that reaches the same place later cannot have
    /// more points left.
    #[inline]
    fn enter(&mut self, hex: u8, marches: Open) {
        let known = &mut self.known[usize::from(hex) % HEXES_MAX];
        let fresh = marches & !*known;
        // A march that did not turn first has all the options of one that did.
        let better = (fresh & (0xff << MOVED)) << (FIRST - MOVED);
        let fresh = fresh & !better;
        if fresh != 0 {
            *known |= fresh | better;
            // The list has room for all of them.
            let _ = self.open.try_push(fresh | Open::from(hex));
        }
    }
}

/// Iterates over the places where a move may end if it begins in any of these hexes with any of these facings, the
/// cheapest first.
pub(crate) fn walk(
    hex: &HexRules,
    motion: &Motion,
    from: impl IntoIterator<Item = (u8, u8)>,
    mut each: impl FnMut(End),
) {
    let (grid, limit) = (&hex.grid, motion.allowance + motion.charge);
    let by = |most: u8| &TURNED[if motion.faces { usize::from(most) } else { 0 }];
    let (standing, moving) = (by(motion.standing), by(motion.turns));
    let (starting, pivoting) = (by(motion.standing.max(motion.turns)), by(motion.pivot));
    let turned = |by: &[u8; 64], facings: u8| by[usize::from(facings & FACINGS)];
    let narrow = motion.faces && motion.front && !motion.aside;
    let taken = Hexes::new(motion.enemies | motion.barred | if motion.pass { 0 } else { motion.friends });
    let (friends, stops) = (Hexes::new(motion.friends), Hexes::new(motion.stops()));
    // The options left in a pattern that an earlier move has begun: how the unit may turn in its hex, at the end or
    // before it goes on, and whether it then counts as having turned first.
    let Begun { stepped, turned: spun, turned_first } = motion.begun;
    let none = by(0);
    let (standing, starting, first_then) = match (stepped, spun, turned_first) {
        (false, false, _) => (standing, starting, None),
        (false, true, _) => (none, none, Some(true)),
        (true, false, false) => (moving, moving, Some(false)),
        (true, false, true) => (none, moving, Some(true)),
        (true, true, first) => (none, none, Some(first)),
    };
    let mut walk = Walk { open: ArrayVec::new(), known: [0; HEXES_MAX] };
    for (hex, facings) in from {
        walk.enter(hex, Open::from(facings) << STILL);
    }
    let mut begin = 0;
    for spent in 0..=limit {
        let end = walk.open.len();
        for index in begin..end {
            let [at, still, moved, first] = walk.open[index].to_le_bytes();
            let moved_turned = turned(moving, moved);
            if !friends.has(at) {
                let ends = if spent > motion.allowance { touching(hex, motion, at) } else { FACINGS };
                let stood = turned(standing, still) & ends;
                if stood != 0 {
                    each(End { spent, marched: false, hex: at, facings: stood, turned: stood & !still, first: 0 });
                }
                // A turn at the end does not fit a march that turned first, unless there is no pattern to keep.
                let first = if motion.pattern { first } else { turned(moving, first) };
                let marched = (moved_turned | first) & ends;
                if marched != 0 {
                    let first = marched & !moved_turned;
                    each(End {
                        spent,
                        marched: true,
                        hex: at,
                        facings: marched,
                        turned: marched & !moved & !first,
                        first,
                    });
                }
            }
            if spent == limit {
                continue;
            }
            let goes = if stops.has(at) { 0 } else { FACINGS };
            let mut straight = moved_turned & goes;
            let mut ahead = turned(moving, first & goes);
            match first_then {
                None => (straight, ahead) = (straight | still, ahead | turned(starting, still)),
                Some(false) => straight |= turned(starting, still),
                Some(true) => ahead |= turned(starting, still),
            }
            if !motion.pattern {
                straight |= ahead;
                ahead = 0;
            }
            let any = straight | ahead;
            let mut ways = grid.ways(at) & if narrow { any | left(any) } else { turned(&TURNED[3], any) };
            let going = Open::from(straight) << MOVED | Open::from(ahead) << FIRST;
            let near = grid.neighbours(at);
            while ways != 0 {
                let direction = ways.trailing_zeros() as usize;
                ways &= ways - 1;
                let to = near[direction];
                if !taken.has(to) {
                    walk.enter(to, if narrow { going & AHEAD[direction] } else { going });
                }
            }
            if motion.pivot > 0 && motion.faces {
                let pivots = |facings: u8| Open::from(turned(pivoting, facings));
                walk.enter(at, pivots(still) << STILL | pivots(moved & goes) << MOVED | pivots(first & goes) << FIRST);
            }
        }
        begin = end;
    }
}

/// A set of hexes for repeated lookups.
struct Hexes([u64; 2]);

impl Hexes {
    #[inline]
    fn new(hexes: u128) -> Self {
        Self([hexes as u64, (hexes >> 64) as u64])
    }

    /// Whether a hex is in the set. The result is meaningless beyond the edge of the board.
    #[inline]
    fn has(&self, hex: u8) -> bool {
        self.0[usize::from(hex >> 6 & 1)] >> (hex & 63) & 1 == 1
    }

    /// Which of these hexes are in the set, as bits. Bits of hexes beyond the edge of the board are meaningless.
    #[inline]
    fn among(&self, hexes: [u8; 6]) -> u8 {
        (0..).zip(hexes).map(|(place, hex)| u8::from(self.has(hex)) << place).sum()
    }
}

/// The facings with which a unit in a hex has an enemy in front.
fn touching(hex: &HexRules, motion: &Motion, at: u8) -> u8 {
    let enemies = Hexes::new(motion.enemies).among(hex.grid.neighbours(at)) & hex.grid.ways(at);
    match () {
        () if enemies == 0 => 0,
        () if motion.faces => enemies | right(enemies),
        () => FACINGS,
    }
}

/// The hexes among these places whose neighbour in `direction` has them in front.
#[inline]
pub(crate) fn facing_it(places: &Places, faces: bool, direction: u8) -> u128 {
    // Seen from a hex, the neighbour lies in this direction; seen from the neighbour, the hex lies in the opposite one.
    let back = usize::from((direction + 3) % 6);
    if faces { places[back] | places[(back + 5) % 6] } else { places.iter().fold(0, |all, hexes| all | hexes) }
}
