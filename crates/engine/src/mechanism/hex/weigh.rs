//! The value of places (hexes and facings) to a unit that may move there.
//!
//! A unit evaluates every place that it can reach, so battles on hexes spend most of their time here. For speed, a set
//! of hexes is one machine word, and the six hexes around a place are six bits. The relation of enemies to each hex is
//! computed once for a side ([`Foes`]), and the dice of an attack once for each enemy and each arc that it can show.
//! The value of a place that does not depend on facing is kept separate from the value that a facing adds. A hex is
//! then skipped as soon as its best facing cannot improve on the best place.

use std::cell::Cell;

use grognard_rules::model::{HEXES_MAX, HexRules, KindId, Provides, Weigh};

use crate::geometry::hex::{Beside, FACINGS, ahead, arc, beside, facing, front, heading, rear, sees};
use crate::geometry::plane::{Arc, Point};
use crate::mechanism::hex::foes::Foes;
use crate::mechanism::hex::provisions::{provision, whole};
use crate::mechanism::hex::target::{self, NEAREST};
use crate::situation::hex::march::Motion;
use crate::state::{UNITS_PER_SIDE_MAX, UnitId};
use crate::step::Position;

/// A number computed on first use.
struct Known(Cell<i16>);

impl Known {
    const fn not_yet() -> Self {
        Self(Cell::new(i16::MIN))
    }

    fn of(value: Option<i32>) -> Self {
        let known = Self::not_yet();
        if let Some(value) = value {
            known.set(value);
        }
        known
    }

    fn get(&self) -> Option<i32> {
        let known = self.0.get();
        (known != i16::MIN).then_some(known.into())
    }

    fn set(&self, value: i32) {
        self.0.set(value.clamp(i16::MIN.into(), i16::MAX.into()) as i16);
    }
}

/// Counts of directions around a hex, by facing. Directions are given as bits.
struct Around {
    /// The number of directions.
    count: [u8; 64],
    /// The number outside the two front hexes: the minimum and maximum over all facings.
    aside: [[u8; 2]; 64],
    /// The number in rear hexes: the minimum and maximum over all facings.
    behind: [[u8; 2]; 64],
}

static AROUND: Around = Around::new();

impl Around {
    const fn new() -> Self {
        let mut around = Self { count: [0; 64], aside: [[6, 0]; 64], behind: [[6, 0]; 64] };
        let mut bits = 0_u8;
        while bits < 64 {
            around.count[bits as usize] = bits.count_ones() as u8;
            let mut towards = 0;
            while towards < 6 {
                around.aside[bits as usize] =
                    Self::widened(around.aside[bits as usize], (bits & !front(towards)).count_ones() as u8);
                around.behind[bits as usize] =
                    Self::widened(around.behind[bits as usize], (bits & rear(towards)).count_ones() as u8);
                towards += 1;
            }
            bits += 1;
        }
        around
    }

    const fn widened([least, most]: [u8; 2], count: u8) -> [u8; 2] {
        [if count < least { count } else { least }, if count > most { count } else { most }]
    }

    fn count(&self, bits: u8) -> i32 {
        i32::from(self.count[usize::from(bits & 63)])
    }
}

/// The highest value that a weight can give for a number in a range.
fn at_most(weight: i32, [least, most]: [u8; 2]) -> i32 {
    weight * i32::from(if weight < 0 { least } else { most })
}

/// A unit's view of the board before it moves.
pub(super) struct Eyes<'e> {
    hex: &'e HexRules,
    id: UnitId,
    /// Its type, and whether it has all its figures.
    kind: KindId,
    whole: bool,
    weigh: &'e Weigh,
    foes: &'e Foes,
    /// The hexes around each hex that friends occupy.
    friends: Beside,
    faces: bool,
    /// Its facing.
    facing: u8,
    /// Whether attacks go through front hexes only.
    ahead: bool,
    /// Whether the unit must attack the enemy that shows its front if two are ahead.
    duty: bool,
    /// Whether looking for an enemy to strike is useful.
    strikes: bool,
    /// Whether looking for an enemy to fire at is useful.
    fires: bool,
    /// Whether fire goes through the front sector only.
    fire_ahead: bool,
    /// Hexes that block sight, except the unit's own.
    closed: u128,
    /// The dice of an attack on each enemy from open ground, by the arc that it shows.
    dice: [[Known; 3]; UNITS_PER_SIDE_MAX],
    /// Its range when away from enemies, and when next to one.
    ranges: [Known; 2],
    /// The highest value of a place away from enemies, apart from the value of its distance to them and of a target for
    /// fire.
    promise: i32,
}

/// The value of a place in any facing, and its surroundings. Surroundings are six bits, one for each direction.
pub(super) struct Place {
    worth: i32,
    /// Its highest value in any facing.
    pub(super) most: i32,
    /// The adjacent hexes within an enemy's reach that no friend occupies.
    bare: u8,
    /// The adjacent hexes that are empty.
    open: u8,
    enemies: Enemies,
    /// The facings in which the unit has a target for fire, as bits.
    sighted: u8,
    /// Whether there could be a target for fire.
    fires: bool,
}

/// The enemies around a place that the unit could attack from there.
#[derive(Default)]
struct Enemies {
    /// Their directions.
    at: u8,
    /// Those that count for the duty to attack fronts first, and those among them that show their front.
    counts: u8,
    fronts: u8,
    /// The attack on each: twice its dice, and one more if it is not on a front.
    attacks: [i16; 6],
    /// The highest value of an attack on one of them.
    most: i32,
}

impl<'e> Eyes<'e> {
    pub(super) fn new(
        ctx: &Position<'_>,
        hex: &'e HexRules,
        id: UnitId,
        motion: &Motion,
        (foes, weigh): (&'e Foes, &'e Weigh),
    ) -> Self {
        let around = provision(ctx, hex, Provides::AttackAround, id, None).is_some();
        let friends = motion.friends | motion.leaders;
        let kind = ctx.battle.unit(id).kind;
        Self {
            hex,
            id,
            kind,
            whole: whole(ctx, id),
            weigh,
            foes,
            friends: beside(&hex.grid, friends),
            faces: motion.faces,
            facing: facing(ctx.battle.unit(id).heading),
            ahead: motion.faces && !around && hex.any(Provides::AttackFront),
            duty: hex.any(Provides::FrontFirst),
            strikes: weigh.dice != 0 || weigh.flank != 0,
            fires: weigh.fire != 0 && hex.any(Provides::Range),
            fire_ahead: motion.faces && hex.any(Provides::FireFront),
            closed: hex.opaque | friends | motion.enemies,
            dice: [const { [const { Known::not_yet() }; 3] }; UNITS_PER_SIDE_MAX],
            ranges: [false, true].map(|engaged| Known::of(hex.range_by_type(kind, engaged))),
            promise: at_most(weigh.support, [0, 2])
                + if motion.faces { at_most(weigh.bared, [0, 4]) + at_most(weigh.retreat, [0, 2]) } else { 0 },
        }
    }

    /// Whether a hex is next to an enemy.
    #[inline]
    pub(super) fn touched(&self, hex: u8) -> bool {
        self.foes.beside[usize::from(hex)] != 0
    }

    /// The highest value of a hex that is not next to an enemy, by its distance to the nearest one.
    #[inline]
    pub(super) fn most(&self, hex: u8) -> i32 {
        let near = i32::from(self.foes.near[usize::from(hex) % HEXES_MAX]);
        let fires = self.fires && self.ranges[0].get().is_none_or(|range| near <= range);
        let fire = if fires { self.weigh.fire.max(0) } else { 0 };
        self.promise + fire + if self.foes.all.is_empty() { 0 } else { self.weigh.distance * near }
    }

    /// Evaluates a hex; `None` if it is worth less than `least` in every facing.
    #[inline]
    pub(super) fn place(&self, ctx: &mut Position<'_>, hex: u8, least: i32) -> Option<Place> {
        let (weigh, foes, at) = (self.weigh, self.foes, usize::from(hex) % HEXES_MAX);
        let ways = self.hex.grid.ways(hex);
        let (friends, enemies) = (self.friends[usize::from(hex)], foes.beside[usize::from(hex)]);
        let threats = if self.faces { foes.fronting[at] } else { foes.touching[at] };
        let steps = i32::from(foes.near[at]);
        let mut worth = weigh.support * AROUND.count(friends).min(2) + weigh.threat * i32::from(threats);
        if !foes.all.is_empty() {
            worth += weigh.distance * steps;
        }
        let (bare, open) = (foes.reachable[usize::from(hex)] & !friends, ways & !friends & !enemies);
        let fires =
            self.fires && self.ranges[usize::from(enemies != 0)].get().is_none_or(|range| range >= steps.max(NEAREST));
        let mut most = worth + if fires { weigh.fire.max(0) } else { 0 };
        if self.faces {
            most += at_most(weigh.bared, AROUND.aside[usize::from(bare & 63)]);
            most += at_most(weigh.retreat, AROUND.behind[usize::from(open & 63)]);
        }
        let mut around = Enemies::default();
        if enemies != 0 && self.strikes {
            around = self.enemies(ctx, hex, enemies);
            most += around.most;
        }
        (most >= least).then_some(Place { worth, most, bare, open, enemies: around, fires, sighted: 0 })
    }

    /// Finds the facings, among these, in which the unit would have a target for fire from a place.
    #[inline]
    pub(super) fn aim(&self, ctx: &mut Position<'_>, hex: u8, facings: u8, place: &mut Place) {
        if place.fires {
            place.sighted = self.sighted(ctx, hex, facings);
        }
    }

    /// Whether a place has the same value in every facing.
    #[inline]
    pub(super) fn even(&self, place: &Place) -> bool {
        let level = !self.faces || place.bare == 0 && place.open & FACINGS == FACINGS;
        level && place.enemies.at == 0 && place.sighted == 0
    }

    /// The value of a place in a facing.
    #[inline]
    pub(super) fn worth(&self, place: &Place, towards: u8) -> i32 {
        let weigh = self.weigh;
        let mut worth = place.worth + weigh.fire * i32::from(place.sighted >> towards & 1);
        if self.faces {
            worth += weigh.bared * AROUND.count(place.bare & !front(towards));
            worth += weigh.retreat * AROUND.count(place.open & rear(towards));
        }
        if place.enemies.at != 0 {
            worth += self.best_strike(&place.enemies, front(towards));
        }
        worth
    }

    /// The enemies around a place, with the dice of an attack on each.
    #[inline(never)]
    fn enemies(&self, ctx: &mut Position<'_>, at: u8, around: u8) -> Enemies {
        let open = self.hex.ground.get(usize::from(at)).is_none_or(|&ground| ground == 0);
        let mut enemies = Enemies { at: around, ..Enemies::default() };
        let mut left = around;
        while left != 0 {
            let direction = left.trailing_zeros() as u8;
            left &= left - 1;
            let Some((place, foe)) = self.foes.in_hex(self.hex.grid.near(at, direction)) else { continue };
            let arc = if foe.faces { arc((direction + 3) % 6, foe.facing) } else { Arc::Front };
            enemies.counts |= u8::from(foe.counts) << direction;
            enemies.fronts |= u8::from(foe.counts && arc == Arc::Front) << direction;
            let known = &self.dice[place][arc as usize];
            let by_type = self.hex.dice_by_type(self.kind, foe.kind, arc as u8, self.whole);
            let dice = by_type.or_else(|| known.get().filter(|_| open)).unwrap_or_else(|| {
                // A unit that faces the spine with the same number as a direction has that direction in its front.
                let dice = self.from(ctx, at, direction, |ctx| target::dice(ctx, self.hex, self.id, foe.id));
                if open {
                    known.set(dice);
                }
                dice
            });
            let attack = 2 * dice.clamp(0, i32::from(i16::MAX / 2)) as i16 + i16::from(arc != Arc::Front);
            enemies.attacks[usize::from(direction)] = attack;
            enemies.most = enemies.most.max(self.strike(attack));
        }
        enemies
    }

    /// The value of the best attack on one of these enemies with these hexes in front.
    fn best_strike(&self, enemies: &Enemies, front: u8) -> i32 {
        let fronts = front & enemies.fronts;
        let bound = self.duty && fronts != 0 && front & enemies.counts & !enemies.fronts != 0;
        let mut left = match () {
            () if bound => fronts,
            () if self.ahead => front & enemies.at,
            () => enemies.at,
        };
        let mut best = 0;
        while left != 0 {
            best = best.max(enemies.attacks[left.trailing_zeros() as usize]);
            left &= left - 1;
        }
        self.strike(best)
    }

    /// The value of an attack; 0 without dice.
    fn strike(&self, attack: i16) -> i32 {
        let (dice, aside) = (i32::from(attack >> 1), i32::from(attack & 1));
        if dice > 0 { self.weigh.dice * dice + self.weigh.flank * aside } else { 0 }
    }

    /// Which of the given facings would give the unit a target for fire, as bits.
    #[inline(never)]
    fn sighted(&self, ctx: &mut Position<'_>, at: u8, facings: u8) -> u8 {
        let hex = self.hex;
        let known = &self.ranges[usize::from(self.foes.beside[usize::from(at)] != 0)];
        let range = known.get().unwrap_or_else(|| {
            let first = self.foes.all.first().map(|foe| foe.id);
            let range = self.from(ctx, at, self.facing, |ctx| {
                provision(ctx, hex, Provides::Range, self.id, first).map_or(0, |(_, range)| range)
            });
            known.set(range);
            range
        });
        let (q, r) = hex.grid.place(at);
        let mut sighted = 0;
        for foe in &self.foes.all {
            let away = i32::from(hex.grid.distance(at, foe.hex));
            if away < NEAREST || away > range {
                continue;
            }
            let (foe_q, foe_r) = hex.grid.place(foe.hex);
            let ahead = if self.fire_ahead { ahead(foe_q - q, foe_r - r) } else { FACINGS };
            if ahead & facings & !sighted != 0
                && sees(&hex.grid, self.closed, Point { x: q, y: r }, Point { x: foe_q, y: foe_r })
            {
                sighted |= ahead;
            }
        }
        sighted
    }

    /// Computes something with the unit temporarily at a place.
    fn from<T>(&self, ctx: &mut Position<'_>, at: u8, towards: u8, read: impl FnOnce(&Position<'_>) -> T) -> T {
        let unit = ctx.battle.unit_mut(self.id);
        let before = (unit.front, unit.heading);
        let (q, r) = self.hex.grid.place(at);
        (unit.front, unit.heading) = (Point { x: q, y: r }, heading(towards));
        let value = read(ctx);
        let unit = ctx.battle.unit_mut(self.id);
        (unit.front, unit.heading) = before;
        value
    }
}
