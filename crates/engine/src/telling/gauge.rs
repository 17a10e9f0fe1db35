//! Metrics declared by a pack, for studies that request them.
//!
//! If a study requests no such metrics, its battles have no [`Gauges`] among their witnesses and pay nothing for them.
//! If all its metrics are read only at the start and end of turns or battles, no other events are built.

use grognard_rules::model::{Each, Gauge, On, Once, Per, RollId, Rules, Take};

use crate::geometry::hex;
use crate::situation::hex::{motion, scan};
use crate::situation::neighbours::Neighbours;
use crate::situation::sight::FAR;
use crate::situation::view::View;
use crate::state::{Battle, BySide, Setup, Side, UNITS_MAX, UnitId};
use crate::step::scratch::{Combat, Scratch};
use crate::telling::citing::Citing;
use crate::telling::event::{Event, HexEvent, Scene, Witness};

/// The contribution of one battle to a metric of one side. The metric is the sum of the numerators over the sum of the
/// denominators.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Gauged {
    /// The numerator.
    pub part: i32,
    /// The denominator.
    pub of: u32,
}

/// A witness that measures the metrics that a study requests.
#[derive(Clone, Debug)]
pub struct Gauges<'a> {
    gauges: Vec<&'a Gauge>,
    /// For each side, the counts by gauge.
    counts: BySide<Vec<Gauged>>,
    /// The combats in progress. For each, its role, the attacker's side, and the sum of every gauge over that side when
    /// it was declared.
    combats: Vec<(u8, Side, Vec<i32>)>,
    /// For every gauge, the number of consecutive turns of every unit.
    streaks: Vec<[u16; UNITS_MAX]>,
    citing: Citing,
    /// The gauges to which the last event added.
    touched: Vec<usize>,
}

impl<'a> Gauges<'a> {
    /// Measures these metrics, given by their index in [`Rules::gauges`], in battles of this number of sides.
    #[must_use]
    pub fn new(rules: &'a Rules, sides: usize, which: &[u8]) -> Self {
        let gauges: Vec<&Gauge> = which.iter().filter_map(|&gauge| rules.gauges.get(usize::from(gauge))).collect();
        let mut new = Self {
            gauges,
            counts: BySide::of(sides, |_| Vec::new()),
            combats: Vec::new(),
            streaks: Vec::new(),
            citing: Citing::default(),
            touched: Vec::new(),
        };
        new.begin();
        new
    }

    /// Begins a new battle.
    pub fn begin(&mut self) {
        let all = self.gauges.len();
        for &side in self.counts.sides() {
            self.counts[side].clear();
            self.counts[side].resize(all, Gauged::default());
        }
        self.combats.clear();
        self.streaks.clear();
        self.streaks.resize(all, [0; UNITS_MAX]);
        self.citing = Citing::default();
        self.touched.clear();
    }

    /// The battle's values, in the order in which the metrics were requested.
    #[must_use]
    pub fn counts(&self) -> BySide<Vec<Gauged>> {
        let finished = |side: Side| {
            let counts = self.counts[side].iter().zip(&self.gauges);
            // For metrics per battle, the divisor is one for each battle.
            let count = |(&count, gauge): (&Gauged, &&Gauge)| match (&gauge.of, gauge.per) {
                (None, Per::Battle) => Gauged { of: 1, ..count },
                _ => count,
            };
            counts.map(count).collect()
        };
        BySide::of(self.counts.count(), finished)
    }

    /// The metrics that the last event added to.
    pub(crate) fn touched(&self) -> impl Iterator<Item = &'a Gauge> + '_ {
        self.touched.iter().map(|&gauge| self.gauges[gauge])
    }

    fn add(&mut self, gauge: usize, side: Side, part: i32, of: u32) {
        let count = &mut self.counts[side][gauge];
        count.part = count.part.saturating_add(part);
        count.of = count.of.saturating_add(of);
        if (part != 0 || of > 0) && !self.touched.contains(&gauge) {
            self.touched.push(gauge);
        }
    }

    /// All gauges for this kind of occasion.
    fn looking(&self, on: On) -> Vec<usize> {
        (0..self.gauges.len()).filter(|&gauge| self.gauges[gauge].on == on).collect()
    }

    /// Measures at the start or end of a half-turn.
    fn turn(&mut self, scene: Scene<'_>, on: On) {
        let looking = self.looking(on);
        if looking.is_empty() {
            return;
        }
        let position = &Snapshot::of(scene, None);
        let side = position.battle.active;
        for number in looking {
            let gauge = self.gauges[number];
            if gauge.of.is_none() && gauge.per == Per::Turn {
                self.add(number, side, 0, 1);
            }
            match (gauge.take, gauge.each) {
                (Take::Advance, _) => self.add(number, side, position.advance(gauge, side), 0),
                (Take::Streak, _) => self.streak(position, number, side),
                (_, Each::Unit) => {
                    for own in position.units(side) {
                        self.occasion(position, number, own, position.nearest(own));
                    }
                }
                (_, Each::Pair) => self.pairs(position, number, side),
            }
        }
    }

    fn pairs(&mut self, position: &Snapshot<'_>, number: usize, side: Side) {
        let gauge = self.gauges[number];
        let mut counted = [false; UNITS_MAX];
        for own in position.units(side) {
            for foe in position.enemies(side) {
                let who = match gauge.once {
                    Some(Once::Own) => Some(own),
                    Some(Once::Foe) => Some(foe),
                    None => None,
                };
                if who.is_some_and(|who| counted[who.index()]) || !position.holds(gauge, own, Some(foe)) {
                    continue;
                }
                if let Some(who) = who {
                    counted[who.index()] = true;
                }
                self.occasion(position, number, own, Some(foe));
            }
        }
    }

    fn streak(&mut self, position: &Snapshot<'_>, number: usize, side: Side) {
        let gauge = self.gauges[number];
        for own in position.units(side) {
            let foe = position.nearest(own);
            let goes_on = position.holds(gauge, own, foe) && position.count(gauge, own, foe) != 0;
            let turns = &mut self.streaks[number][own.index()];
            *turns = if goes_on { turns.saturating_add(1) } else { 0 };
            let more = i32::from(*turns) - self.counts[side][number].part;
            if more > 0 {
                self.add(number, side, more, 0);
            }
        }
    }

    /// Measures at the end of the battle.
    fn over(&mut self, scene: Scene<'_>) {
        let looking = self.looking(On::BattleEnds);
        if looking.is_empty() {
            return;
        }
        let position = &Snapshot::of(scene, None);
        for number in looking {
            for &side in position.battle.sides() {
                if let Some(own) = position.battle.side(side).next() {
                    self.occasion(position, number, own, position.nearest(own));
                }
            }
        }
    }

    /// Counts one occasion, with its unit and its enemy.
    fn occasion(&mut self, position: &Snapshot<'_>, number: usize, own: UnitId, foe: Option<UnitId>) {
        let gauge = self.gauges[number];
        if position.holds(gauge, own, foe) {
            let of = gauge.of.as_ref().map_or(0, |of| of.get(&position.view(own, foe)).max(0).unsigned_abs());
            self.add(number, position.battle.unit(own).side, position.count(gauge, own, foe), of);
        }
    }

    fn all(&mut self, position: &Snapshot<'_>, on: On, own: UnitId, foe: Option<UnitId>) {
        for number in self.looking(on) {
            self.occasion(position, number, own, foe);
        }
    }

    /// The sums of the gauges of whole combats over a side.
    fn sums(&self, position: &Snapshot<'_>, side: Side) -> Vec<i32> {
        let sum = |gauge: &&Gauge| {
            let changes = gauge.on == On::Combat && gauge.take == Take::Change;
            if changes { position.sum(gauge, side, |_| true) } else { 0 }
        };
        self.gauges.iter().map(sum).collect()
    }

    fn combat_over(&mut self, position: &Snapshot<'_>, before: &[i32], own: UnitId, foe: UnitId) {
        let side = position.battle.unit(own).side;
        let after = self.sums(position, side);
        // The changes of a bonus combat must not be counted again in the combat that led to it.
        for (_, _, sums) in self.combats.iter_mut().filter(|(_, of, _)| *of == side) {
            for ((sum, after), before) in sums.iter_mut().zip(&after).zip(before) {
                *sum += after - before;
            }
        }
        for number in self.looking(On::Combat) {
            if self.gauges[number].take == Take::Change {
                let gauge = self.gauges[number];
                let of = gauge.of.as_ref().map_or(0, |of| of.get(&position.view(own, Some(foe))).max(0).unsigned_abs());
                self.add(number, side, after[number] - before[number], of);
            } else {
                self.occasion(position, number, own, Some(foe));
            }
        }
    }

    fn clauses(&mut self, scene: Scene<'_>, event: &Event) {
        let looking = self.looking(On::Clause);
        if looking.is_empty() {
            return;
        }
        let cited = self.citing.clauses(scene, event);
        for number in looking {
            let clause = self.gauges[number].clause.as_ref();
            if clause.is_some_and(|clause| cited.contains(&clause.as_str())) {
                self.add(number, scene.battle.active, 1, 0);
            }
        }
    }
}

impl Witness for Gauges<'_> {
    fn only_turns(&self) -> bool {
        let of_turns = |gauge: &&Gauge| matches!(gauge.on, On::TurnBegins | On::TurnEnds | On::BattleEnds);
        self.gauges.iter().all(of_turns)
    }

    fn see(&mut self, scene: Scene<'_>, event: &Event) {
        self.touched.clear();
        let role = self.combats.last().map(|combat| combat.0);
        match event {
            Event::HalfTurn => self.turn(scene, On::TurnBegins),
            Event::HalfTurnOver => self.turn(scene, On::TurnEnds),
            Event::Over { .. } => self.over(scene),
            Event::Declared { unit, target, .. } => {
                self.all(&Snapshot::of(scene, None), On::Target, *unit, Some(*target));
            }
            Event::Contact { unit, target, .. } => {
                self.all(&Snapshot::of(scene, None), On::Attack, *unit, Some(*target));
            }
            // Fire is not close combat: it is followed by neither `Answered` nor `Fought`.
            Event::Hex(HexEvent::Declared { unit, target, role, .. }) if *role <= COMBAT_ROLES => {
                let position = Snapshot::of(scene, Some(*role));
                let side = scene.battle.unit(*unit).side;
                self.combats.push((*role, side, self.sums(&position, side)));
                self.all(&position, On::Target, *unit, Some(*target));
            }
            Event::Hex(HexEvent::Answered { unit, target }) => {
                self.all(&Snapshot::of(scene, role), On::Attack, *unit, Some(*target));
            }
            Event::Hex(HexEvent::Fought { unit, target }) => {
                if let Some((role, _, before)) = self.combats.pop() {
                    self.combat_over(&Snapshot::of(scene, Some(role)), &before, *unit, *target);
                }
            }
            Event::Rolled(roll) => {
                let mut looking = self.looking(On::Roll);
                looking.retain(|&number| {
                    self.gauges[number].roll.is_some_and(|wanted| is_for(scene.rules, roll.roll, wanted))
                });
                if !looking.is_empty() {
                    let position = Snapshot::of(scene, role);
                    looking.into_iter().for_each(|number| self.occasion(&position, number, roll.own, roll.foe));
                }
            }
            _ => {}
        }
        self.clauses(scene, event);
    }
}

/// Whether a roll is the wanted one or a replacement for it.
fn is_for(rules: &Rules, roll: RollId, wanted: RollId) -> bool {
    let instead = &rules.rolls[wanted].instead;
    roll == wanted || instead.as_ref().is_some_and(|instead| instead.rows.iter().any(|row| row.roll == roll))
}

/// The last of the roles in which a unit attacks in close combat: the attack and the bonus combat.
const COMBAT_ROLES: u8 = 2;

/// A point in a battle at which measurements are taken.
struct Snapshot<'a> {
    rules: &'a Rules,
    setup: &'a Setup,
    battle: &'a Battle,
    scratch: Scratch,
}

impl<'a> Snapshot<'a> {
    fn of(scene: Scene<'a>, role: Option<u8>) -> Self {
        let Scene { rules, setup, battle, .. } = scene;
        let combat = role.map(|role| Combat { role, fresh: 0, facing: 0, turned: true, checked: 0 });
        Self { rules, setup, battle, scratch: Scratch::of_position(combat) }
    }

    fn view(&self, own: UnitId, foe: Option<UnitId>) -> View<'_> {
        View::new(self.rules, self.setup, self.battle, &self.scratch, own, foe)
    }

    /// The remaining units of a side, except leaders with their units.
    fn units(&self, side: Side) -> impl Iterator<Item = UnitId> + '_ {
        self.battle.side(side).filter(|&id| self.stands(id))
    }

    /// The remaining enemies of a side, except leaders with their units.
    fn enemies(&self, of: Side) -> impl Iterator<Item = UnitId> + '_ {
        self.battle.enemies(of).filter(|&id| self.stands(id))
    }

    fn stands(&self, id: UnitId) -> bool {
        let unit = self.battle.unit(id);
        !unit.gone() && !hex::attached(unit)
    }

    fn nearest(&self, own: UnitId) -> Option<UnitId> {
        let unit = self.battle.unit(own);
        let away = |foe: UnitId| {
            self.scratch.distance(self.rules, &self.setup.terrain, (own, unit), (foe, self.battle.unit(foe))).min(FAR)
        };
        let about = Neighbours { rules: self.rules, setup: self.setup, battle: self.battle, scratch: &self.scratch };
        about.first_by(self.enemies(unit.side), away)
    }

    fn holds(&self, gauge: &Gauge, own: UnitId, foe: Option<UnitId>) -> bool {
        gauge.when.as_ref().is_none_or(|when| when.get(&self.view(own, foe)) != 0)
    }

    fn count(&self, gauge: &Gauge, own: UnitId, foe: Option<UnitId>) -> i32 {
        gauge.count.as_ref().map_or(1, |count| count.get(&self.view(own, foe)))
    }

    /// The sum of a gauge over the wanted units of a side that it applies to.
    fn sum(&self, gauge: &Gauge, side: Side, wanted: impl Fn(UnitId) -> bool) -> i32 {
        let units = self.units(side).filter(|&own| wanted(own) && self.holds(gauge, own, self.nearest(own)));
        units.map(|own| self.count(gauge, own, self.nearest(own))).sum()
    }

    /// The change in a gauge if all units that it applies to stepped ahead simultaneously.
    fn advance(&self, gauge: &Gauge, side: Side) -> i32 {
        let Some(hex) = self.rules.hex.as_deref() else { return 0 };
        let line: Vec<UnitId> = self.units(side).filter(|&own| self.holds(gauge, own, self.nearest(own))).collect();
        let before = self.sum(gauge, side, |own| line.contains(&own));
        let after = [false, true].map(|right| {
            let barred = |own: UnitId| motion::barred(hex, &self.view(own, None));
            let moved = scan::advanced(hex, self.battle, &line, right, barred);
            Snapshot::of(Scene::new(self.rules, self.setup, &moved), None).sum(gauge, side, |own| line.contains(&own))
        });
        after[0].min(after[1]) - before
    }
}
