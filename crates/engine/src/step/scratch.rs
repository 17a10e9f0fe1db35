//! The working memory of a battle, apart from its state. It can be recomputed at any time and never affects the
//! outcome.

use std::cell::Cell;
use std::rc::Rc;

use arrayvec::ArrayVec;
use grognard_dice::NTH_MAX;
use grognard_rules::model::{Board, Effect, KindId, Rules};

use crate::geometry::hex;
use crate::geometry::plane::{Arc, Heading};
use crate::mechanism::hex::foes::Foes;
use crate::situation::hex::march::Motion;
use crate::situation::hex::reach::Places;
use crate::situation::positions::PositionCache;
use crate::situation::ways::WayFacts;
use crate::state::{Piece, SIDES_MAX, Side, UNITS_MAX, UNITS_PER_SIDE_MAX, Unit, UnitId, Units};

/// The number of different decisions whose repeats a step counts without allocating.
const COUNTERS: usize = 4 * UNITS_MAX;

/// The number of times one decision can be repeated in a step and still get its own word.
const DRAWN_MAX: u8 = 2 * NTH_MAX + 1;

/// The next move and the reachable places of every unit of a battle.
type Reaches = [Cell<Option<(Motion, Places)>>; UNITS_MAX];

/// A flight that can be pursued.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Fled {
    /// The unit that fled.
    pub(crate) unit: UnitId,
    /// Its heading.
    pub(crate) heading: Heading,
    /// Its length in hundredths of an inch. If the unit had no way to flee, the distance that it would have fled.
    pub(crate) distance: i32,
}

/// A combat on hexes, from its declaration to its end.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Combat {
    /// Its kind: an index into [`grognard_rules::situation::COMBATS`].
    pub(crate) role: u8,
    /// The units that had all their figures when it began, as bits.
    pub(crate) fresh: u64,
    /// The target's facing before it reacted.
    pub(crate) facing: u8,
    /// Whether the target has turned towards the attack.
    pub(crate) turned: bool,
    /// The leaders who have been at risk in it, as bits.
    pub(crate) checked: u64,
}

/// A close combat on hexes whose results are held back until all others have been rolled.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Waiting {
    pub(crate) unit: UnitId,
    pub(crate) target: UnitId,
    pub(crate) combat: Option<Combat>,
    /// The provision by which the target evades, and the number of hexes.
    pub(crate) evades: Option<(u8, i32)>,
    /// Whether the target is a leader alone in his hex.
    pub(crate) alone: bool,
}

/// The facts, besides the position, that conditions and citations read: the path in question, whether the road rate
/// applies to it, the units that have stopped firing, and the current combat.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Moment {
    way: WayFacts,
    pub(crate) by_road: bool,
    ceased: Units,
    combat: Option<Combat>,
}

/// The working memory of a battle.
pub(crate) struct Scratch {
    /// The number of times that each pair of purpose and lane has been drawn in this step.
    draws: ArrayVec<(u8, u8, u8), COUNTERS>,
    /// Pairs for which that list has no room.
    more_draws: Vec<(u8, u8, u8)>,
    /// Whether a unit has been broken or removed in this step.
    pub(crate) broken: bool,
    /// The rest of the move of the unit that is moving, in hundredths of an inch, once it has marched.
    pub(crate) left: Option<i32>,
    /// The part of its move that it keeps for later, in hundredths of an inch.
    pub(crate) kept: i32,
    /// Whether the unit that is moving follows its road, at the road rate.
    pub(crate) by_road: bool,
    /// The rest of the move of guns that have moved or left a square in this step, if squares take guns in.
    pub(crate) left_by_guns: ArrayVec<(UnitId, i32), UNITS_PER_SIDE_MAX>,
    /// The guns that go into a square at the end of this step and make way for it until then.
    pub(crate) going_in: Units,
    /// The units that have come up behind others in this step.
    pub(crate) brought_up: Units,
    /// The number of the current unit's figures that are deployed but were not before this step, or the other way
    /// round.
    pub(crate) sent: u16,
    /// The units that have deployed or recalled figures in this step, each with the net number deployed.
    pub(crate) sent_out: ArrayVec<(UnitId, i32), UNITS_PER_SIDE_MAX>,
    /// A testing unit, and the unit whose rating it uses.
    pub(crate) rated: Option<(UnitId, UnitId)>,
    /// Whether this step has read the turn.
    pub(crate) dated: Cell<bool>,
    /// Whether the turn has ended in this step.
    pub(crate) turn_ended: bool,
    /// Whether a unit has lost figures in this step.
    pub(crate) hit: bool,
    /// For each unit, the unit that last cost it figures in this step.
    pub(crate) hit_by: [Option<UnitId>; UNITS_MAX],
    /// The facts about the path of the move in question.
    pub(crate) way: Cell<WayFacts>,
    /// The units that have stopped firing by order in this step.
    pub(crate) ceased: Units,
    /// The charges that were resolved in this step: the charger and its target.
    pub(crate) charged: Vec<(UnitId, UnitId)>,
    /// The units that charge together and share all effects.
    pub(crate) joint: ArrayVec<UnitId, UNITS_PER_SIDE_MAX>,
    /// The last flight.
    pub(crate) fled: Option<Fled>,
    /// Whether the unit whose charge is being resolved must pursue.
    pub(crate) pursue: bool,
    /// The counters that are being changed, one bit each.
    pub(crate) counting: u8,
    /// Whether effects wait until all rolls of the phase have been made.
    pub(crate) holds_back: bool,
    /// The waiting effects, each with its target and its cause.
    pub(crate) held_back: Vec<(Effect, UnitId, UnitId)>,
    /// The waiting effects of shots and strikes on hexes, which are applied in a different way. Each also has the
    /// combat that it belongs to.
    pub(crate) held_shots: Vec<(Effect, UnitId, UnitId, Option<Combat>)>,
    /// The close combats of a simultaneous phase on hexes.
    pub(crate) waiting: Vec<Waiting>,
    /// The units that have called for others in this step, each with the type that it calls.
    pub(crate) calls: Vec<(UnitId, KindId)>,
    /// The enemy side in question, if one is being chosen.
    pub(crate) about: Option<Side>,
    /// The number of hits that each side has scored on each other side as a whole.
    pub(crate) pooled: [[u16; SIDES_MAX]; SIDES_MAX],
    /// The current combat on hexes.
    pub(crate) combat: Option<Combat>,
    /// On hexes, the enemies of the side that moves in this step.
    pub(crate) foes: Option<Box<Foes>>,
    /// Cached positions of the units.
    pub(crate) positions: Rc<PositionCache>,
    /// The reachable places of units, cached for a fixed position.
    reaches: Option<Box<Reaches>>,
}

impl Scratch {
    /// A working memory for reading a fixed position.
    pub(crate) fn of_position(combat: Option<Combat>) -> Self {
        let reaches = Some(Box::new([const { Cell::new(None) }; UNITS_MAX]));
        Self { reaches, combat, positions: Rc::new(PositionCache::fixed()), ..Self::new() }
    }

    /// The number of times that this decision has already been drawn in this step, at most [`DRAWN_MAX`].
    #[inline]
    pub(crate) fn drawn(&mut self, purpose: u8, lane: u8) -> u8 {
        let same = |draw: &&mut (u8, u8, u8)| (draw.0, draw.1) == (purpose, lane);
        if let Some(draw) = self.draws.iter_mut().find(same) {
            draw.2 = (draw.2 + 1).min(DRAWN_MAX);
            return draw.2;
        }
        if self.draws.try_push((purpose, lane, 0)).is_ok() {
            return 0;
        }
        if let Some(draw) = self.more_draws.iter_mut().find(same) {
            draw.2 = (draw.2 + 1).min(DRAWN_MAX);
            return draw.2;
        }
        self.more_draws.push((purpose, lane, 0));
        0
    }

    /// A unit's options in its next move and its reachable places, if cached.
    pub(crate) fn reach_of(&self, id: UnitId) -> Option<(Motion, Places)> {
        self.reaches.as_ref()?.get(id.index())?.get()
    }

    /// Caches the result of [`Scratch::reach_of`] if the position is fixed.
    pub(crate) fn keep_reach(&self, id: UnitId, known: (Motion, Places)) {
        if let Some(place) = self.reaches.as_ref().and_then(|reaches| reaches.get(id.index())) {
            place.set(Some(known));
        }
    }

    pub(crate) fn new() -> Self {
        Self {
            draws: ArrayVec::new(),
            more_draws: Vec::new(),
            broken: false,
            left: None,
            kept: 0,
            by_road: false,
            left_by_guns: ArrayVec::new(),
            going_in: Units::default(),
            brought_up: Units::default(),
            ceased: Units::default(),
            sent: 0,
            sent_out: ArrayVec::new(),
            rated: None,
            dated: Cell::new(false),
            turn_ended: false,
            hit: false,
            hit_by: [None; UNITS_MAX],
            combat: None,
            way: Cell::new(WayFacts::default()),
            charged: Vec::new(),
            joint: ArrayVec::new(),
            fled: None,
            pursue: false,
            counting: 0,
            holds_back: false,
            held_back: Vec::new(),
            held_shots: Vec::new(),
            waiting: Vec::new(),
            calls: Vec::new(),
            about: None,
            pooled: [[0; SIDES_MAX]; SIDES_MAX],
            foes: None,
            positions: Rc::new(PositionCache::new()),
            reaches: None,
        }
    }

    /// A working memory for reading this moment.
    pub(crate) fn of(moment: Moment) -> Self {
        Self { combat: moment.combat, ceased: moment.ceased, way: Cell::new(moment.way), ..Self::new() }
    }

    /// The current moment.
    pub(crate) fn moment(&self) -> Moment {
        Moment { way: self.way.get(), by_road: self.by_road, ceased: self.ceased, combat: self.combat }
    }

    /// Resets everything that belongs to one step.
    pub(crate) fn begin_step(&mut self) {
        (self.left, self.kept, self.sent) = (None, 0, 0);
        self.sent_out.clear();
        self.left_by_guns.clear();
        self.going_in = Units::default();
        self.brought_up = Units::default();
        self.calls.clear();
        self.draws.clear();
        self.more_draws.clear();
        self.broken = false;
        self.dated.set(false);
        self.turn_ended = false;
        if std::mem::take(&mut self.hit) {
            self.hit_by = [None; UNITS_MAX];
        }
        self.way.set(WayFacts::default());
        self.ceased = Units::default();
        self.charged.clear();
        self.joint.clear();
        self.fled = None;
        self.pursue = false;
        self.combat = None;
        self.foes = None;
    }

    /// The distance between the nearest edges of two units, in hundredths of an inch, at most [`FAR`].
    pub(crate) fn distance(
        &self,
        rules: &Rules,
        terrain: &[Piece],
        (own, a): (UnitId, &Unit),
        (foe, b): (UnitId, &Unit),
    ) -> i32 {
        if rules.board == Board::None {
            return 0;
        }
        if rules.board == Board::Hex {
            return hex::distance(a.front, b.front) * 100;
        }
        self.positions.distance(rules, terrain, (own, a), (foe, b))
    }

    /// The arc that a unit shows to another: the arc in which a charge was declared, or else the one given by their
    /// current positions. It is always the front for a unit that fills a piece of terrain.
    pub(crate) fn exposed(&self, rules: &Rules, (own, a): (UnitId, &Unit), (foe, b): (UnitId, &Unit)) -> Arc {
        if let Some(hex) = rules.hex.as_deref() {
            return hex::shown(hex, a, b.front);
        }
        if rules.board == Board::None || rules.formations[a.formation].all_round || a.fills != 0 {
            return Arc::Front;
        }
        if let Some(arc) = b.strikes(own) {
            return arc;
        }
        self.positions.exposed(rules, (own, a), (foe, b))
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn nobody_is_told_the_same_number_twice() {
        let mut scratch = Scratch::new();
        let mut seen = BTreeSet::new();
        // There are enough decisions to force an allocation, and each is repeated once per word.
        for _ in 0..=DRAWN_MAX {
            for purpose in 0..16 {
                for lane in 0..60 {
                    assert!(seen.insert((purpose, lane, scratch.drawn(purpose, lane))));
                }
            }
        }
        const { assert!(16 * 60 > COUNTERS) };
        scratch.begin_step();
        assert_eq!((scratch.drawn(7, 59), scratch.drawn(7, 59)), (0, 1));
    }
}
