//! The aims of the sweeps of a search, and guesses at the values of states.
//!
//! To prove that a side gets at least a certain value, it is enough to follow one good offer of that side at each of
//! its decisions, and all offers of the other side. So sweeps alternate: in one, the first side follows a single offer;
//! in the next, the second side does. Which offer that is, and which states come first, is guessed from the results of
//! similar states. A poor guess costs time, but never makes a bracket wrong.

use grognard_engine::states::Interner;
use grognard_engine::{Battle, Side, Unit};
use grognard_rules::model::{FormationId, MoraleId};

use crate::best::values::Bracket;

/// The factor by which each sweep lowers the minimum importance of the states that it plays.
const FINER: f64 = 0.5;
/// Once the required importance is no more than this, every state that is reached is played.
const LEAST: f64 = 1e-12;
/// How a side values an offer that it may follow alone: by its likely value, plus this share of the distance to its
/// best possible value. When the offers that looked best promise nothing more, others are tried.
const HOPES: [f64; 4] = [0.0, 0.1, 0.3, 0.6];
/// The share of the start's bracket that the omitted states may account for before the next of [`HOPES`] is tried: the
/// initial share, the factor by which it falls after all of them have been tried, and the final share.
const LEFT: (f64, f64, f64) = (0.1, 0.25, 0.001);
/// Playing a state takes about as long as passing this many states that have been played.
const PLAYING: u64 = 4;

/// The allowed distance of a bound from the likely value, as a multiple of [`Aim::left`] and of the bracket width that
/// is narrow enough.
const SLACK: f64 = 8.0;
/// The doctrine's order is followed unless another one looks better by more than this share of the distance that
/// [`SLACK`] allows.
const LOYALTY: f64 = 0.5;

/// The aim of a sweep.
#[derive(Clone, Copy, Debug)]
pub(super) struct Aim {
    /// The side that follows a single offer at each decision; the other follows all that matter. `None`: both follow
    /// all.
    side: Option<Side>,
    /// The place in [`HOPES`].
    hope: usize,
    /// States that matter less are not played in this sweep.
    least: f64,
    /// The share of the bracket that the omitted states may account for.
    left: f64,
    /// The width of a bracket that need not become narrower.
    enough: f64,
    /// The work so far, in states passed.
    work: u64,
}

/// The result of a sweep.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Swept {
    /// The number of states passed.
    pub(super) met: u64,
    /// The number of states whose steps were played.
    pub(super) played: u64,
    /// The total importance of the states that were reached but not played.
    pub(super) left: f64,
    /// The importance of the most important of these states.
    pub(super) most: f64,
}

/// The aims of a search.
pub(super) struct Aims {
    of_sides: [Aim; 2],
    of_both: Aim,
}

impl Aims {
    /// The aims of a search for a bracket of this width.
    pub(super) fn new(enough: f64) -> Self {
        let aim = |side| Aim { side, hope: 0, least: FINER, left: LEFT.0, enough, work: 0 };
        Self { of_sides: Side::BOTH.map(|side| aim(Some(side))), of_both: aim(None) }
    }

    /// The aim of the next sweep: that of the side for which less work has been done, if its sweeps still find
    /// anything.
    pub(super) fn next(&mut self) -> &mut Aim {
        let open = self.of_sides.iter_mut().filter(|aim| aim.left >= LEFT.2);
        open.min_by_key(|aim| aim.work).unwrap_or(&mut self.of_both)
    }
}

impl Aim {
    /// Whether a side follows a single offer.
    pub(super) fn is_single(&self, side: Side) -> bool {
        self.side == Some(side)
    }

    /// How much a side values an offer that it may follow alone. The doctrine's order is kept if others are hardly
    /// better: a search that switches between orders in each sweep makes no progress.
    pub(super) fn value(&self, side: Side, Bracket { low, high }: Bracket, guess: f64, is_doctrine: bool) -> f64 {
        let (likely, most) = if side == Side::First { (guess, high) } else { (-guess, -low) };
        let loyalty = if is_doctrine { LOYALTY * self.slack() } else { 0.0 };
        likely + HOPES[self.hope] * (most - likely) + loyalty
    }

    /// Whether a state that has not been played matters enough for this sweep. Its importance is the amount by which
    /// the start's bracket may become narrower if the state has its likely value. States that matter too little are
    /// recorded as left.
    pub(super) fn matters(&self, reached: f64, guess: f64, any: Bracket, swept: &mut Swept) -> bool {
        let share = match self.side {
            Some(Side::First) => (guess - any.low) / any.width(),
            Some(_) => (any.high - guess) / any.width(),
            None => 1.0,
        };
        let is_enough = reached * share >= self.least;
        if !is_enough {
            swept.left += reached * share;
            swept.most = swept.most.max(reached * share);
        }
        is_enough
    }

    /// Whether a bracket needs to become narrower. If the first side follows single offers, the lower bound is raised
    /// to the likely value; the upper bound does not matter.
    pub(super) fn is_open(&self, value: Bracket, guess: f64) -> bool {
        match self.side {
            Some(Side::First) => guess - value.low > self.slack(),
            Some(_) => value.high - guess > self.slack(),
            None => value.width() > self.enough,
        }
    }

    /// Whether an offer matters to a side that follows all offers that matter: one that can hardly beat the best cannot
    /// change much. `value` and `guess` are those of the decision.
    pub(super) fn follows(&self, side: Side, offer: Bracket, value: Bracket, guess: f64) -> bool {
        match (self.side, side) {
            (None, Side::First) => offer.high - value.low > self.enough,
            (None, _) => value.high - offer.low > self.enough,
            (Some(_), Side::First) => offer.high - guess > self.slack(),
            (Some(_), _) => guess - offer.low > self.slack(),
        }
    }

    /// The allowed distance of a bound from the likely value.
    fn slack(&self) -> f64 {
        SLACK * self.left * self.enough
    }

    /// Prepares the next sweep: it turns to less important states or, if hardly any are left, to other offers. `width`
    /// is that of the start's bracket, as a share of the widest possible one. Returns false if nothing is left to do.
    pub(super) fn goes_on(&mut self, Swept { met, played, left, most }: Swept, width: f64) -> bool {
        self.work += met + PLAYING * played;
        if self.side.is_none() && self.least == 0.0 && played == 0 {
            return false;
        }
        if self.side.is_some() && left <= self.left * width {
            (self.hope, self.least) = (self.hope + 1, FINER);
            if self.hope == HOPES.len() {
                (self.hope, self.left) = (0, self.left * LEFT.1);
            }
        } else {
            // Skips sweeps in which no state would matter enough.
            let least = self.least.min(most);
            self.least = if least > LEAST { least * FINER } else { 0.0 };
        }
        true
    }
}

/// The properties in which similar states agree: the number of steps to them, and each unit's figures, hits, morale and
/// formation, but not the units' positions.
type Likeness = (usize, Box<[(u16, u16, MoraleId, FormationId)]>);

/// The likely values of states, averaged over similar states.
#[derive(Debug, Default)]
pub(super) struct Guesses {
    kinds: Interner<Likeness>,
    /// By kind, the sum of the likely values of the states that have been played, and their number.
    known: Vec<(f64, u32)>,
}

impl Guesses {
    /// The kind of a state and its likely value; `None` if nothing is known about that kind.
    pub(super) fn kind(&mut self, step: usize, battle: &Battle) -> (u32, Option<f64>) {
        let unit = |unit: &Unit| (unit.figures, unit.hits, unit.morale, unit.formation);
        let like = (step, battle.units.iter().map(unit).collect());
        // If there are not enough numbers for all kinds, the rest share one, and the guess for them is poor.
        let kind = self.kinds.number(&like).unwrap_or(0);
        self.known.resize(self.kinds.items().len(), (0.0, 0));
        (kind, self.guess(kind))
    }

    /// The likely value of a state of this kind; `None` if nothing is known about it.
    pub(super) fn guess(&self, kind: u32) -> Option<f64> {
        let (sum, number) = self.known[kind as usize];
        (number > 0).then(|| sum / f64::from(number))
    }

    /// Counts a state that has been played.
    pub(super) fn add(&mut self, kind: u32, guess: f64) {
        let (sum, number) = &mut self.known[kind as usize];
        (*sum, *number) = (*sum + guess, *number + 1);
    }

    /// Adds `more` to the likely value of a state of this kind.
    pub(super) fn change(&mut self, kind: u32, more: f64) {
        self.known[kind as usize].0 += more;
    }

    /// Approximate memory use in bytes.
    pub(super) fn bytes(&self) -> u64 {
        let units = self.kinds.items().first().map_or(0, |(_, units)| size_of_val(&**units));
        self.kinds.bytes() + (self.known.len() * (units + size_of::<(f64, u32)>())) as u64
    }
}
