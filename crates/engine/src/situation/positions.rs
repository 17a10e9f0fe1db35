//! The position cache: the ground of each unit, and distances and arcs between pairs of units, computed once and kept
//! while the units do not move. It also keeps the status word of each unit, and with it the list of units on the table.

use std::cell::Cell;

use grognard_rules::model::{Board, FormationId, KindId, Rules};

use crate::geometry::plane::{Arc, Circle, Point, Rect};
use crate::situation::occupied::place;
use crate::situation::open_order::tied;
use crate::situation::sight::{FAR, exposure};
use crate::situation::status::{ABLE, HERE, OUT, STANDING, status_word};
use crate::state::{Battle, Bend, Piece, Roster, UNITS_MAX, Unit, UnitId, Units};

/// The number of pairs that are cached at a time.
const PAIRS: usize = 256;

/// The serial number beyond which counting restarts with the next step. The remaining numbers are enough for any step.
const SERIALS: u32 = u32::MAX / 2;

/// Spreads the pairs of sixteen units over the cache without collisions.
const SPREAD: usize = 16;

/// Everything about a unit that determines its ground, distances and arcs.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Ground {
    front: Point,
    figures: u16,
    guests: u16,
    heading: u16,
    bend: Bend,
    spacing: u16,
    kind: KindId,
    formation: FormationId,
    abreast: u8,
    fills: u8,
    guns: bool,
}

impl Ground {
    const NONE: Self = Self {
        front: Point { x: 0, y: 0 },
        figures: 0,
        guests: 0,
        heading: 0,
        bend: Bend::NONE,
        spacing: 0,
        kind: KindId::FIRST,
        formation: FormationId::FIRST,
        abreast: 0,
        fills: 0,
        guns: false,
    };

    #[inline]
    fn of(unit: &Unit) -> Self {
        Self {
            front: unit.front,
            figures: unit.figures,
            guests: unit.guests,
            heading: unit.heading.tenths(),
            bend: unit.bend,
            spacing: unit.spacing,
            kind: unit.kind,
            formation: unit.formation,
            abreast: unit.abreast,
            fills: unit.fills,
            guns: unit.cannon > 0,
        }
    }
}

/// One flag per unit.
struct Seen(Cell<[bool; UNITS_MAX]>);

impl Seen {
    #[inline]
    fn of(&self, id: UnitId) -> &Cell<bool> {
        let all: &Cell<[bool]> = &self.0;
        &all.as_slice_of_cells()[id.index()]
    }

    #[inline]
    fn has(&self, id: UnitId) -> bool {
        self.of(id).get()
    }

    #[inline]
    fn put(&self, id: UnitId, so: bool) {
        self.of(id).set(so);
    }

    fn clear(&self) {
        self.0.set([false; UNITS_MAX]);
    }
}

impl Default for Seen {
    fn default() -> Self {
        Self(Cell::new([false; UNITS_MAX]))
    }
}

/// The cache entry of one unit.
struct UnitCache {
    ground: Cell<Ground>,
    rect: Cell<Rect>,
    /// Unique to this unit and position; 0 if nothing is cached.
    serial: Cell<u32>,
}

/// The cache entry of a pair of units.
struct Pair {
    serials: Cell<(u32, u32)>,
    distance: Cell<Option<i32>>,
    /// The arc that the first unit shows to the second, and the arc that the second shows to the first.
    exposed: [Cell<Option<Arc>>; 2],
    /// If one of them is the screen of the other, the number of its figures that are linked to that unit.
    tied: Cell<Option<u16>>,
}

/// The positions and status words of a battle's units, cached until they change.
pub(crate) struct PositionCache {
    /// Whether [`TrackedBattle`](crate::step::tracked_battle::TrackedBattle) reports every change.
    tracked: Cell<bool>,
    /// The last serial number given out.
    serial: Cell<u32>,
    /// Whether a unit's ground has stayed the same since it was cached.
    steady: Seen,
    units: [UnitCache; UNITS_MAX],
    circles: [Cell<Circle>; UNITS_MAX],
    pairs: [Pair; PAIRS],
    /// Whether a unit has not changed since its status word was cached.
    known: Seen,
    /// The units whose status word, and so the roster, may be out of date.
    stale: Cell<Units>,
    /// The status word of each unit, as last computed.
    statuses: [Cell<u64>; UNITS_MAX],
    /// The units on the table, according to these status words.
    roster: Cell<Roster>,
}

impl PositionCache {
    pub(crate) fn new() -> Self {
        Self {
            tracked: Cell::new(false),
            serial: Cell::new(0),
            steady: Seen::default(),
            units: [const { UnitCache::none() }; UNITS_MAX],
            circles: [const { Cell::new(Circle::NOWHERE) }; UNITS_MAX],
            pairs: [const { Pair::none() }; PAIRS],
            known: Seen::default(),
            stale: Cell::new(Units::ALL),
            statuses: [const { Cell::new(0) }; UNITS_MAX],
            roster: Cell::new(Roster::default()),
        }
    }

    /// The status word of a unit: [`crate::situation::status`].
    #[inline]
    pub(crate) fn status(&self, rules: &Rules, battle: &Battle, (id, unit): (UnitId, &Unit)) -> u64 {
        if !self.known.has(id) {
            self.update_status(rules, battle, (id, unit));
        }
        let kept = self.statuses[id.index()].get();
        debug_assert!(kept == status_word(rules, battle, unit), "a change of unit {id:?} was not reported");
        kept
    }

    #[inline(never)]
    fn update_status(&self, rules: &Rules, battle: &Battle, (id, unit): (UnitId, &Unit)) {
        let word = status_word(rules, battle, unit);
        let before = self.statuses[id.index()].replace(word);
        self.known.put(id, self.tracked.get());
        if (before ^ word) & STANDING != 0 {
            self.enrol(id, word);
        }
    }

    fn enrol(&self, id: UnitId, word: u64) {
        let (mut roster, one) = (self.roster.get(), Units::one(id));
        for (units, bit) in [(&mut roster.here, HERE), (&mut roster.able, ABLE), (&mut roster.screens, OUT)] {
            *units = if word & bit != 0 { units.plus(one) } else { units.but(one) };
        }
        self.roster.set(roster);
    }

    /// The roster of the units on the table, limited to these units.
    #[inline]
    pub(crate) fn roster(&self, rules: &Rules, battle: &Battle, of: Units) -> Roster {
        let stale = self.stale.get().among(of);
        if !stale.is_empty() {
            self.update_statuses(rules, battle, stale);
        }
        let roster = self.roster.get().among(of);
        debug_assert!(
            roster == Roster::of(rules, battle).among(of),
            "the roster is out of date: a change was not reported"
        );
        roster
    }

    #[inline(never)]
    fn update_statuses(&self, rules: &Rules, battle: &Battle, stale: Units) {
        for id in stale {
            // All battles of a setup have the same number of units.
            let Some(unit) = battle.units.get(id.index()) else { break };
            if !self.known.has(id) {
                self.update_status(rules, battle, (id, unit));
            }
        }
        if self.tracked.get() {
            self.stale.set(self.stale.get().but(stale));
        }
    }

    /// The rectangle that a unit occupies.
    #[inline]
    pub(crate) fn rect(&self, rules: &Rules, id: UnitId, unit: &Unit) -> Rect {
        self.of(rules, id, unit).rect.get()
    }

    /// The rectangle that a unit occupies, or the piece of terrain that it fills.
    #[inline]
    pub(crate) fn place(&self, rules: &Rules, terrain: &[Piece], id: UnitId, unit: &Unit) -> Rect {
        if unit.fills == 0 { self.rect(rules, id, unit) } else { place(rules, terrain, unit) }
    }

    /// The circles in and around the rectangle that a unit occupies. They are vague if the unit fills a piece of
    /// terrain.
    #[inline]
    pub(crate) fn circle(&self, rules: &Rules, battle: &Battle, id: UnitId) -> Circle {
        if !self.steady.has(id) {
            self.look(rules, id, battle.unit(id));
        }
        self.circles[id.index()].get()
    }

    #[inline]
    fn of(&self, rules: &Rules, id: UnitId, unit: &Unit) -> &UnitCache {
        let cached = &self.units[id.index()];
        if self.steady.has(id) {
            debug_assert!(cached.ground.get() == Ground::of(unit), "a change of unit {id:?} was not seen");
        } else {
            self.look(rules, id, unit);
        }
        cached
    }

    #[inline(never)]
    fn look(&self, rules: &Rules, id: UnitId, unit: &Unit) {
        let (cached, ground) = (&self.units[id.index()], Ground::of(unit));
        if cached.serial.get() == 0 || cached.ground.get() != ground {
            self.serial.set(self.serial.get() + 1);
            let rect = unit.rect(rules);
            cached.ground.set(ground);
            let circle = Circle::of(&rect);
            self.circles[id.index()].set(if unit.fills == 0 { circle } else { circle.vague() });
            cached.rect.set(rect);
            cached.serial.set(self.serial.get());
        }
        self.steady.put(id, self.tracked.get());
    }

    /// The distance between the nearest edges of two units, in hundredths of an inch, at most [`FAR`].
    pub(crate) fn distance(&self, rules: &Rules, terrain: &[Piece], own: (UnitId, &Unit), foe: (UnitId, &Unit)) -> i32 {
        // Rounding may differ by direction, so the distance is always measured from the same unit.
        let (first, second) = if own.0 > foe.0 { (foe, own) } else { (own, foe) };
        let measure = || {
            let [from, to] = [first, second].map(|(id, unit)| self.place(rules, terrain, id, unit));
            from.distance(&to).min(FAR)
        };
        known(&self.pair(rules, first, second).distance, measure)
    }

    /// The arc that a unit shows to another, by their positions.
    pub(crate) fn exposed(&self, rules: &Rules, own: (UnitId, &Unit), foe: (UnitId, &Unit)) -> Arc {
        let arc = || {
            let [here, there] = [own, foe].map(|(id, unit)| self.rect(rules, id, unit));
            exposure(rules, (own.1, &here), (foe.1, &there))
        };
        let turned = own.0 > foe.0;
        let pair = if turned { self.pair(rules, foe, own) } else { self.pair(rules, own, foe) };
        known(&pair.exposed[usize::from(turned)], arc)
    }

    /// The number of figures in a screen that are linked to their unit.
    pub(crate) fn tied(&self, rules: &Rules, screen: (UnitId, &Unit), home: (UnitId, &Unit), tether: i32) -> u16 {
        let count = || {
            let [row, home] = [screen, home].map(|(id, unit)| self.rect(rules, id, unit));
            tied(rules, screen.1, &row, &home, tether)
        };
        let (first, second) = if screen.0 > home.0 { (home, screen) } else { (screen, home) };
        known(&self.pair(rules, first, second).tied, count)
    }

    /// The cache entry of a pair.
    #[inline]
    fn pair(&self, rules: &Rules, first: (UnitId, &Unit), second: (UnitId, &Unit)) -> &Pair {
        let serial = |(id, unit)| self.of(rules, id, unit).serial.get();
        let serials = (serial(first), serial(second));
        let pair = &self.pairs[(first.0.index() * SPREAD + second.0.index()) % PAIRS];
        if pair.serials.get() != serials {
            pair.serials.set(serials);
            pair.distance.set(None);
            pair.exposed.iter().for_each(|arc| arc.set(None));
            pair.tied.set(None);
        }
        pair
    }

    /// Drops the cache of a unit that may move or change in any other way.
    #[inline]
    pub(crate) fn forget(&self, id: UnitId) {
        self.steady.put(id, false);
        self.forget_status(id);
    }

    /// Drops the status word of a unit.
    #[inline]
    pub(crate) fn forget_status(&self, id: UnitId) {
        self.known.put(id, false);
        self.stale.set(self.stale.get().plus(Units::one(id)));
    }

    /// Drops everything.
    pub(crate) fn forget_all(&self) {
        self.steady.clear();
        self.known.clear();
        self.stale.set(Units::ALL);
    }

    /// Sets whether every change from now on is reported.
    pub(crate) fn track(&self, tracked: bool) {
        self.forget_all();
        self.tracked.set(tracked);
        if self.serial.get() > SERIALS {
            self.begin_anew();
        }
    }

    /// Clears the cache before serial numbers run out, so that no number is used twice.
    #[cold]
    fn begin_anew(&self) {
        self.serial.set(0);
        self.units.iter().for_each(|cached| cached.serial.set(0));
        self.pairs.iter().for_each(|pair| pair.serials.set((0, 0)));
    }

    /// A cache for a fixed position.
    pub(crate) fn fixed() -> Self {
        Self { tracked: Cell::new(true), ..Self::new() }
    }
}

impl UnitCache {
    const fn none() -> Self {
        Self { ground: Cell::new(Ground::NONE), rect: Cell::new(Rect::NOWHERE), serial: Cell::new(0) }
    }
}

impl Pair {
    const fn none() -> Self {
        Self {
            serials: Cell::new((0, 0)),
            distance: Cell::new(None),
            exposed: [const { Cell::new(None) }; 2],
            tied: Cell::new(None),
        }
    }
}

/// The cached value, computed if it is missing.
#[inline]
fn known<T: Copy>(kept: &Cell<Option<T>>, work_out: impl FnOnce() -> T) -> T {
    kept.get().unwrap_or_else(|| {
        let value = work_out();
        kept.set(Some(value));
        value
    })
}

/// Whether any part of a unit lies in another unit's front arc. If units that are slightly apart count as touching, a
/// unit exactly level with the front edge is not ahead of it.
pub(crate) fn sees(
    rules: &Rules,
    terrain: &[Piece],
    positions: &PositionCache,
    own: (UnitId, &Unit),
    foe: (UnitId, &Unit),
) -> bool {
    let Board::Plane { arc, .. } = rules.board else { return true };
    let ((id, unit), (enemy, other)) = (own, foe);
    if rules.formations[unit.formation].all_round {
        return true;
    }
    let there = positions.place(rules, terrain, enemy, other);
    let sees = |ground: &Rect| ground.has_in_front(&there, arc, rules.movement.touch);
    if unit.bend.is_none() { sees(&positions.rect(rules, id, unit)) } else { unit.stretches(rules).iter().any(sees) }
}

#[cfg(test)]
mod tests {
    use std::rc::Rc;

    use grognard_rules::library;
    use grognard_source::Sources;

    use super::*;
    use crate::step::tracked_battle::TrackedBattle;
    use crate::{BySide, Deployment, FacingPlan, Flags, Setup, SidePlan, UnitPlan, deploy};

    fn two_lines() -> (Rules, Setup) {
        let mut sources = Sources::new();
        let rules = library::load("napoleonic-figures", None, &mut sources).and_then(|pack| pack.compile(&sources));
        let rules = rules.unwrap_or_else(|faults| panic!("{}", faults.render(&sources, false)));
        let side = |name: &str, at: (i32, i32), facing: u16| SidePlan {
            name: name.to_owned(),
            doctrine: Some("stand".to_owned()),
            units: vec![UnitPlan {
                at: Some(at),
                facing: Some(FacingPlan::Heading(facing)),
                kind: "line-battalion".to_owned(),
                ..UnitPlan::default()
            }],
            ..SidePlan::default()
        };
        let sides = BySide::new(side("blue", (0, 600), 1800), side("red", (0, -600), 0));
        let setup = deploy(&rules, &Deployment { sides, turns: 8, ..Deployment::default() });
        (rules, setup.unwrap_or_else(|faults| panic!("{faults:?}")))
    }

    #[test]
    fn what_is_kept_is_what_would_be_worked_out_anew() {
        let (rules, setup) = two_lines();
        let mut battle = setup.start.clone();
        let positions = Rc::new(PositionCache::new());
        let mut tracked = TrackedBattle::new(&mut battle, &positions);
        let [blue, red] = [UnitId(0), UnitId(1)];
        let mut seen = Vec::new();
        for step in 0..15 {
            match step % 5 {
                0 => tracked.unit_mut(red).front.y += 150,
                1 => tracked.flags_mut(blue).set(Flags::MOVED),
                2 => tracked.end_half_turn(),
                3 => {
                    let gone = tracked.unit(red).flags.has(Flags::GONE);
                    let red = &mut tracked.unit_mut(red).flags;
                    if gone { red.clear(Flags::GONE) } else { red.set(Flags::GONE) }
                }
                // The serial numbers are used up, so the next step starts again.
                _ => {
                    positions.serial.set(SERIALS + 1);
                    positions.track(true);
                    assert_eq!(positions.serial.get(), 0);
                }
            }
            let fresh = PositionCache::new();
            let units = [blue, red].map(|id| (id, tracked.unit(id)));
            let tell = |positions: &PositionCache| {
                let statuses = units.map(|unit| positions.status(&rules, &tracked, unit));
                let arcs = [(units[0], units[1]), (units[1], units[0])].map(|(a, b)| positions.exposed(&rules, a, b));
                let rects = units.map(|(id, unit)| positions.rect(&rules, id, unit));
                (positions.distance(&rules, &[], units[0], units[1]), statuses, arcs, rects)
            };
            let told = tell(&positions);
            assert_eq!(told, tell(&positions), "step {step}");
            assert_eq!(told, tell(&fresh), "step {step}");
            for of in [Units::ALL, Units::one(red)] {
                let there = Roster::of(&rules, &tracked).among(of);
                assert_eq!(positions.roster(&rules, &tracked, of), there, "step {step}");
                assert_eq!(fresh.roster(&rules, &tracked, of), there, "step {step}");
            }
            let circles = |positions: &PositionCache| [blue, red].map(|id| positions.circle(&rules, &tracked, id));
            assert_eq!(circles(&positions), told.3.map(|rect| Circle::of(&rect)), "step {step}");
            assert_eq!(circles(&positions), circles(&fresh), "step {step}");
            seen.push((told.0, told.1[0]));
        }
        seen.dedup();
        assert!(seen.len() >= 9, "nothing changed: {seen:?}");
        drop(tracked);
        // Changes are no longer reported, so each cached value is checked against the unit.
        battle.unit_mut(red).front.y += 10;
        let distance = |positions: &PositionCache| {
            positions.distance(&rules, &[], (blue, battle.unit(blue)), (red, battle.unit(red)))
        };
        assert_eq!(distance(&positions), distance(&PositionCache::new()));
    }
}
