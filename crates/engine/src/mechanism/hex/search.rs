//! The search for the best place (hex and facing) that a unit can reach.
//!
//! Places are gathered first and evaluated afterwards: first those next to enemies, starting with the most promising,
//! then the others, starting with the farthest. Once a good place is found, most of the others need not be evaluated.
//! Among places of equal value, those that need no paid turn and no step aside come first, then the cheapest, then the
//! first in the side's order of hexes.

use arrayvec::ArrayVec;
use grognard_rules::model::{HEXES_MAX, HexRules, Weigh};

use crate::geometry::hex::{self, FACINGS};
use crate::mechanism::hex::fire;
use crate::mechanism::hex::foes::Foes;
use crate::mechanism::hex::weigh::{Eyes, Place};
use crate::situation::hex::march::{March, Motion};
use crate::situation::hex::reach::{self, End};
use crate::state::{Side, UnitId};
use crate::step::Position;

/// The march to the best place for a unit with these enemies. If there are several such marches, the cheapest is taken;
/// a unit that can just as well stay put does so.
pub(super) fn best_march(
    ctx: &mut Position<'_>,
    hex: &HexRules,
    id: UnitId,
    motion: &Motion,
    start: March,
    (foes, weigh): (&Foes, &Weigh),
) -> March {
    let eyes = Eyes::new(ctx, hex, id, motion, (foes, weigh));
    let side = ctx.battle.unit(id).side;
    let again = motion.pattern && fire::moves_again(ctx, id);
    let mut search = Search::new(start, side, again);
    search.gather_ahead(hex, motion, start);
    search.weigh(ctx, &eyes);
    if motion.pivot > 0 && motion.faces && search.hopes(ctx, hex, &eyes, motion, start.hex) {
        search.gather_turning(hex, motion, start);
        search.weigh(ctx, &eyes);
    }
    if motion.aside {
        search.gather_aside(hex, motion, start);
        search.weigh(ctx, &eyes);
    }
    search.march(start)
}

/// The march to the hex nearest to `goal`. If there are several such marches, the cheapest is taken; a unit that can
/// just as well stay put does so.
pub(super) fn nearest_march(
    ctx: &Position<'_>,
    hex: &HexRules,
    id: UnitId,
    motion: &Motion,
    start: March,
    goal: u8,
) -> March {
    let mut search = Search::new(start, ctx.battle.unit(id).side, fire::moves_again(ctx, id));
    search.gather_ahead(hex, motion, start);
    if motion.pivot > 0 && motion.faces {
        search.gather_turning(hex, motion, start);
    }
    if motion.aside {
        search.gather_aside(hex, motion, start);
    }
    search.approach(hex, goal);
    search.march(start)
}

/// Kinds of marches, in the order in which they are gathered.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Kind {
    /// No march.
    Start,
    /// A march with only free turns.
    Ahead,
    /// A march with a turn that costs a hex.
    Turning,
    /// A march with steps to the flanks or rear.
    Aside,
}

impl Kind {
    /// Its rank of preference: a paid turn and a step aside rank equally, so that their cost decides.
    fn preference(self) -> Self {
        self.min(Self::Turning)
    }
}

/// The search for the best place.
struct Search {
    /// The best hex so far, with the unit's facing there.
    best: Option<(u8, u8)>,
    /// Its value: a better place must be worth at least this.
    worth: i32,
    /// All places gathered, by the cost of reaching them. Each has only the facings that no cheaper march reaches.
    found: ArrayVec<(Kind, End), { 6 * HEXES_MAX }>,
    /// The facings gathered, by hex, and whether the hex must still be evaluated.
    seen: [u8; HEXES_MAX],
    /// Facings in the order in which they are tried.
    facings: [u8; 6],
    side: Side,
    /// Whether the unit moves again this turn, so that the rest of its pattern matters.
    again: bool,
}

/// For each first facing, all facings in the order in which a unit tries them.
static FROM: [[u8; 6]; 6] = {
    let mut from = [[0, 1, 5, 2, 4, 3]; 6];
    let mut facing = 0;
    while facing < 36 {
        from[facing / 6][facing % 6] = (from[facing / 6][facing % 6] + facing as u8 / 6) % 6;
        facing += 1;
    }
    from
};

/// The mark in [`Search::seen`] of a hex to be evaluated.
const FRESH: u8 = 64;

impl Search {
    fn new(start: March, side: Side, again: bool) -> Self {
        let facings = FROM[usize::from(start.facing % 6)];
        Self { best: None, worth: i32::MIN, found: ArrayVec::new(), seen: [0; HEXES_MAX], facings, side, again }
    }

    /// Gathers the place where the unit is now, and all marches ahead.
    fn gather_ahead(&mut self, hex: &HexRules, motion: &Motion, start: March) {
        if start.ends(hex, motion).is_ok() {
            let facings = 1 << start.facing;
            self.gather(Kind::Start, End { spent: 0, marched: false, hex: start.hex, facings, turned: 0, first: 0 });
        }
        // Without turns that cost a hex, every point spent is a hex moved; with such a turn, all points but one are.
        // Steps aside are gathered last and recorded.
        let ahead = Motion { pivot: 0, ..motion.ahead() };
        reach::walk(hex, &ahead, [(start.hex, 1 << start.facing)], |end| self.gather(Kind::Ahead, end));
    }

    /// Gathers all marches with a turn that costs a hex.
    fn gather_turning(&mut self, hex: &HexRules, motion: &Motion, start: March) {
        reach::walk(hex, &motion.ahead(), [(start.hex, 1 << start.facing)], |end| self.gather(Kind::Turning, end));
    }

    /// Gathers all marches with steps to the flanks or rear.
    fn gather_aside(&mut self, hex: &HexRules, motion: &Motion, start: March) {
        let aside = Motion { pivot: 0, ..motion.aside() };
        reach::walk(hex, &aside, [(start.hex, 1 << start.facing)], |end| {
            if end.marched {
                self.gather(Kind::Aside, end);
            }
        });
    }

    /// Looks for the place nearest to a hex.
    fn approach(&mut self, hex: &HexRules, goal: u8) {
        for index in 0..self.found.len() {
            let at = self.found[index].1.hex;
            let (worth, facings) = (-i32::from(hex.grid.distance(at, goal)), self.cheapest(at));
            let Some(&facing) = self.facings.iter().find(|&&facing| facings >> facing & 1 == 1) else { continue };
            if worth > self.worth || worth == self.worth && self.precedes(at, facing) {
                (self.worth, self.best) = (worth, Some((at, facing)));
            }
        }
    }

    /// Gathers the ends of marches that no cheaper march reaches.
    #[inline]
    fn gather(&mut self, kind: Kind, end: End) {
        if kind == Kind::Aside {
            self.drop_costlier(&end);
        }
        let seen = &mut self.seen[usize::from(end.hex) % HEXES_MAX];
        let facings = end.facings & !*seen;
        if facings != 0 {
            *seen |= facings | FRESH;
            // The list has room for all of them.
            let _ = self.found.try_push((kind, End { facings, ..end }));
        }
        if self.again {
            self.keep_open(kind, &end);
        }
    }

    /// Forgets marches with a paid turn to places that a cheaper march reaches.
    fn drop_costlier(&mut self, end: &End) {
        let costlier =
            |kind: Kind, other: &End| kind == Kind::Turning && other.hex == end.hex && other.spent > end.spent;
        for (_, other) in self.found.iter_mut().filter(|(kind, other)| costlier(*kind, other)) {
            self.seen[usize::from(end.hex) % HEXES_MAX] &= !(other.facings & end.facings);
            other.facings &= !end.facings;
        }
        self.found.retain(|(_, other)| other.facings != 0);
    }

    /// Among marches of equal cost to one place, keeps the one that leaves most of the pattern open: one without a turn
    /// after the last hex and, if possible, without an initial turn.
    fn keep_open(&mut self, kind: Kind, end: &End) {
        let same = |(other_kind, other): &&mut (Kind, End)| {
            *other_kind == kind && (other.hex, other.spent, other.marched) == (end.hex, end.spent, end.marched)
        };
        let straight = end.facings & !end.turned & !end.first;
        for (_, other) in self.found.iter_mut().filter(same) {
            let first = other.turned & end.first;
            other.turned &= !(straight | first);
            other.first = (other.first | first) & !straight;
        }
    }

    /// Evaluates the gathered places: first those next to enemies, in order of their highest possible value, then the
    /// others, starting with the farthest.
    fn weigh(&mut self, ctx: &mut Position<'_>, eyes: &Eyes<'_>) {
        let mut next: ArrayVec<(u8, Place), HEXES_MAX> = ArrayVec::new();
        for index in (0..self.found.len()).rev() {
            let at = self.found[index].1.hex;
            let seen = &mut self.seen[usize::from(at) % HEXES_MAX];
            if *seen & FRESH != 0 && eyes.touched(at) {
                *seen &= !FRESH;
                if let Some(place) = eyes.place(ctx, at, self.worth) {
                    let _ = next.try_push((at, place));
                }
            }
        }
        while let Some(first) = (0..next.len()).max_by_key(|&index| next[index].1.most) {
            let Some((at, place)) = next.swap_pop(first).filter(|(_, place)| place.most >= self.worth) else { break };
            self.look(ctx, eyes, at, place);
        }
        for index in (0..self.found.len()).rev() {
            let at = self.found[index].1.hex;
            let seen = &mut self.seen[usize::from(at) % HEXES_MAX];
            if *seen & FRESH != 0 {
                *seen &= !FRESH;
                if eyes.most(at) >= self.worth
                    && let Some(place) = eyes.place(ctx, at, self.worth)
                {
                    self.look(ctx, eyes, at, place);
                }
            }
        }
    }

    /// Evaluates a place in every facing possible there.
    fn look(&mut self, ctx: &mut Position<'_>, eyes: &Eyes<'_>, at: u8, mut place: Place) {
        let mut facings = self.seen[usize::from(at) % HEXES_MAX] & FACINGS;
        eyes.aim(ctx, at, facings, &mut place);
        let even = eyes.even(&place);
        if even {
            // If all facings are worth the same, only the cheapest count.
            facings = self.cheapest(at);
        }
        for facing in self.facings {
            if facings >> facing & 1 == 1 {
                let worth = eyes.worth(&place, facing);
                if worth > self.worth || worth == self.worth && self.precedes(at, facing) {
                    (self.worth, self.best) = (worth, Some((at, facing)));
                }
                if even {
                    return;
                }
            }
        }
    }

    /// Whether a place precedes the best one, which has the same value.
    fn precedes(&self, hex: u8, facing: u8) -> bool {
        self.best.is_none_or(|(best, towards)| self.rank(hex, facing) < self.rank(best, towards))
    }

    /// The rank of a place among those of equal value.
    fn rank(&self, hex: u8, facing: u8) -> Option<(Kind, u8, Kind, bool, u8, usize)> {
        let (kind, end) = self.leading_to(hex, facing)?;
        // Each side counts hexes from its own rear and right, so that neither is favoured.
        let order = hex::place_seen_by(self.side, hex);
        let turn = self.facings.iter().position(|&other| other == facing)?;
        Some((kind.preference(), end.spent, kind, end.marched, order, turn))
    }

    /// The facings in which the cheapest marches to a hex end.
    fn cheapest(&self, hex: u8) -> u8 {
        let there = || self.found.iter().filter(|(_, end)| end.hex == hex);
        let cost = |(kind, end): &(Kind, End)| (kind.preference(), end.spent, *kind, end.marched);
        let least = there().map(cost).min();
        there().filter(|march| Some(cost(march)) == least).fold(0, |facings, (_, end)| facings | end.facings)
    }

    /// The cheapest marches to a place.
    fn leading_to(&self, hex: u8, facing: u8) -> Option<(Kind, End)> {
        self.found.iter().find(|(_, end)| end.hex == hex && end.facings >> facing & 1 == 1).copied()
    }

    /// The march to the best place.
    fn march(&self, start: March) -> March {
        let Some((hex, facing)) = self.best else { return start };
        let Some((kind, End { spent, marched, turned, first, .. })) = self.leading_to(hex, facing) else {
            return start;
        };
        let paid = u8::from(kind == Kind::Turning);
        let steps = if marched { spent.saturating_sub(paid) } else { 0 };
        let turned = turned >> facing & 1;
        let (turned, turned_first) =
            if marched { (turned, first >> facing & 1 == 1) } else { (start.turned.max(turned), start.turned_first) };
        March { hex, facing, spent, steps, turned, turned_first, aside: kind == Kind::Aside, ..start }
    }

    /// Whether a turn that costs a hex could lead to a better place: one that has not been tried in every facing and is
    /// in reach with one hex fewer.
    fn hopes(&self, ctx: &mut Position<'_>, hex: &HexRules, eyes: &Eyes<'_>, motion: &Motion, start: u8) -> bool {
        let free = !(motion.enemies | motion.barred);
        let mut hexes = 1_u128.checked_shl(u32::from(start)).unwrap_or(0);
        for _ in 1..motion.allowance + motion.charge {
            hexes |= (0..6).fold(0, |all, direction| all | hex.grid.shift(hexes, direction)) & free;
        }
        let least = self.worth.saturating_add(1);
        hex::bits(hexes).any(|at| {
            let seen = self.seen[usize::from(at) % HEXES_MAX];
            seen & FACINGS != FACINGS
                && (eyes.touched(at) || eyes.most(at) >= least)
                && eyes.place(ctx, at, least).is_some()
        })
    }
}
