//! The moves and turns that a unit may make (I.A-3 to I.B.3, I.E; B8 to B10, B31 to B36), tried one after another.

use std::collections::{BTreeMap, BTreeSet};

use grognard_engine::UnitId;
use grognard_engine::hex::HexFlags;

use super::{Hex, Look, away, beside};

/// What remains of both patterns of I.B.2-2, as bits. In "move, then turn", a move comes next (`MOVES`), or the unit
/// has moved and may turn as well (`MOVED`). In "turn, then move", the unit may do either (`OPEN`), or has turned and
/// must move (`TURNED`).
const MOVES: u8 = 1;
const MOVED: u8 = 2;
const OPEN: u8 = 4;
const TURNED: u8 = 8;

/// The state of a march so far.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct March {
    hex: Hex,
    facing: u8,
    spent: i32,
    pattern: u8,
    /// Whether it has moved in this turn, turned in this move, and stepped to a flank or to the rear.
    moved: bool,
    turned: bool,
    aside: bool,
    halted: bool,
}

/// A unit's options under the card in play.
struct Means {
    hexes: i32,
    charge: i32,
    pivots: bool,
    aside: bool,
    /// Whether a step aside is its only act (I.E.5).
    alone: bool,
    passes: bool,
    leads: bool,
}

impl Means {
    fn of(look: &Look<'_>, id: UnitId, others_aside: bool) -> Self {
        let ((kind, class, mounted, [_, _, speed, _]), card) = (look.numbers(id), look.card());
        let (leads, warriors) = (look.leads(id), kind == "warriors");
        let agreed = |row: &str| look.rules.hex.iter().flat_map(|hex| &hex.provisions).any(|known| known.id == row);
        let (hexes, charge) = match card {
            "clash-of-shields" | "darken-the-sky" => (0, 0),
            "line-command" => (1, 0),
            "double-time" if warriors => (1, 2),
            "double-time" => (2, 0),
            "mounted-charge" if mounted && class == "heavy" => (3, 0),
            _ => (speed, i32::from(warriors)),
        };
        // A unit whose leader has joined it in this turn would move him twice (B9).
        let led = look.unit(id).hex.mate.get();
        let stays = led.is_some_and(|mate| look.unit(mate).hex.steps > 0);
        let (hexes, charge) = if stays { (0, 0) } else { (hexes, charge) };
        let aside = match card {
            "move-fire-move" => class == "light",
            "double-time" => agreed("aside-double-time"),
            "order-mounted" => agreed("aside-order-mounted"),
            "line-command" => !others_aside,
            _ => false,
        };
        let light_foot = class == "light" && !mounted;
        let passes = leads || light_foot && ["order-light", "move-fire-move"].contains(&card);
        let pivots = hexes > 0 && !leads;
        Self { hexes, charge, pivots, aside, alone: card == "line-command", passes, leads }
    }

    /// Every march with one more act.
    fn next(&self, look: &Look<'_>, id: UnitId, march: March) -> Vec<March> {
        let mut next = Vec::new();
        let turns = !(self.leads || self.alone && march.aside);
        if !march.halted && march.spent < self.hexes + self.charge {
            next.extend((0..6).filter_map(|way| self.step(look, id, march, way)));
            if self.pivots && turns {
                let others = (0..6).filter(|&facing| facing != march.facing);
                next.extend(others.map(|facing| March { facing, spent: march.spent + 1, turned: true, ..march }));
            }
        }
        let pattern =
            if march.pattern & MOVED != 0 { MOVES } else { 0 } | if march.pattern & OPEN != 0 { TURNED } else { 0 };
        if turns && pattern != 0 {
            next.extend([1, 5].map(|by| March { facing: (march.facing + by) % 6, pattern, turned: true, ..march }));
        }
        next
    }

    fn step(&self, look: &Look<'_>, id: UnitId, march: March, way: u8) -> Option<March> {
        let hex = beside(march.hex, way);
        let ahead = self.leads || (way + 6 - march.facing) % 6 < 2;
        let holder = look.holder(hex).filter(|&other| other != id);
        let joins = look.joins(id, hex);
        let open = holder.is_none_or(|other| joins || self.passes && !look.is_enemy(id, other));
        let may = ahead || self.aside && !(self.alone && march.turned);
        if !may || !open || !look.may_enter(id, hex) {
            return None;
        }
        let stops = match look.terrain(hex) {
            "forest" | "ford" => true,
            "broken" => look.mounted(id) || self.leads,
            _ => false,
        };
        let both = [(MOVES | MOVED, MOVED), (OPEN | TURNED, OPEN)];
        let pattern = both.iter().filter(|&&(from, _)| march.pattern & from != 0).map(|&(_, to)| to).sum();
        Some(March {
            hex,
            spent: march.spent + 1,
            pattern,
            moved: true,
            aside: march.aside || !ahead,
            halted: stops || joins && !self.leads,
            ..march
        })
    }

    /// Whether a unit may end its march here.
    fn ends(&self, look: &Look<'_>, id: UnitId, march: March) -> bool {
        let free = look.holder(march.hex).is_none_or(|other| other == id) || look.joins(id, march.hex);
        let ahead = (0..6).filter(|way| self.leads || (way + 6 - march.facing) % 6 < 2);
        let mut enemies = ahead.filter_map(|way| look.holder(beside(march.hex, way)));
        let reaches = march.spent <= self.hexes || enemies.any(|other| look.is_enemy(id, other));
        free && reaches && (!march.moved || march.pattern & !TURNED != 0)
    }
}

/// The marches of a half-turn.
#[derive(Default)]
pub(super) struct Marches {
    /// What remains of the patterns of each unit that has moved, and whether the unit has moved a hex.
    left: BTreeMap<UnitId, BTreeSet<(u8, bool)>>,
    /// The units that have stepped aside under Line Command.
    aside: Vec<UnitId>,
}

impl Marches {
    /// Whether a unit may move to this hex and facing.
    pub(super) fn allow(&mut self, look: &Look<'_>, id: UnitId, (to, facing): (Hex, u8)) -> bool {
        let means = Means::of(look, id, self.aside.iter().any(|&other| other != id));
        let fresh = BTreeSet::from([(MOVES | OPEN, false)]);
        let begins = self.left.remove(&id).unwrap_or(fresh).into_iter().map(|(pattern, moved)| March {
            hex: look.place(id),
            facing: look.facing(id),
            spent: 0,
            pattern,
            moved,
            turned: false,
            aside: false,
            halted: false,
        });
        let (mut open, mut seen, mut ways): (Vec<March>, _, Vec<March>) =
            (begins.collect(), BTreeSet::new(), Vec::new());
        while let Some(march) = open.pop() {
            if away(march.hex, to) > means.hexes + means.charge - march.spent || !seen.insert(march) {
                continue;
            }
            if (march.hex, march.facing) == (to, facing) && means.ends(look, id, march) {
                ways.push(march);
            }
            open.extend(means.next(look, id, march));
        }
        if means.alone && !ways.is_empty() && ways.iter().all(|march| march.aside) {
            self.aside.push(id);
        }
        let may = look.unit(id).hex.flags.has(HexFlags::ORDERED) && !ways.is_empty();
        self.left.insert(id, ways.into_iter().map(|march| (march.pattern, march.moved)).collect());
        may
    }
}
