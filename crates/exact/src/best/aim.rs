//! What a sweep of a search is for, and what states are likely to be worth.
//!
//! To show that a side gets at least so much, it is enough to follow one good offer of that side at each of its decisions, and all offers of
//! the other side. So sweeps take turns: in one, the first side follows a single offer, in the next the second. Which offer that is, and which
//! states come first, is guessed from what has been found of states like them. A poor guess costs time. It never makes a bracket wrong.

use grognard_engine::states::Interner;
use grognard_engine::{Battle, Side, Unit};
use grognard_rules::model::{FormationId, MoraleId};

use crate::best::values::Bracket;

/// Each sweep plays states that matter less than those of the sweep before, by this factor.
const FINER: f64 = 0.5;
/// States that matter less than this are played whenever they are met.
const LEAST: f64 = 1e-12;
/// How a side values an offer that it may follow alone: by what it is likely to be worth, and this share of what it may be worth beyond that.
/// Where the likely ones promise nothing more, others are tried.
const HOPES: [f64; 4] = [0.0, 0.1, 0.3, 0.6];
/// The share of the bracket at the start that the states left aside may matter, for the next of [`HOPES`] to be tried: at first, by how much
/// less after all of them, and at last.
const LEFT: (f64, f64, f64) = (0.1, 0.25, 0.001);
/// Playing a state takes about as long as passing so many that have been played.
const PLAYING: u64 = 4;

/// How far a bound may be from the likely value, as a multiple of [`Aim::left`] and of the bracket that is narrow enough.
const SLACK: f64 = 8.0;
/// The doctrine's order is followed unless another one looks better by more than this share of that distance.
const LOYALTY: f64 = 0.5;

/// What a sweep looks for.
#[derive(Clone, Copy, Debug)]
pub(super) struct Aim {
    /// The side that follows a single offer at each decision; the other one follows all that matter. `None`: both do.
    side: Option<Side>,
    /// The place in [`HOPES`].
    hope: usize,
    /// States that matter less are not played in this sweep.
    least: f64,
    /// The share of the bracket that may be left.
    left: f64,
    /// The width of a bracket that need not become narrower.
    enough: f64,
    /// The work so far, in states passed.
    work: u64,
}

/// What a sweep did.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Swept {
    /// States that it went through.
    pub(super) met: u64,
    /// States whose steps it played.
    pub(super) played: u64,
    /// How much the states matter together that it met and did not play.
    pub(super) left: f64,
    /// How much the most important of these states matters.
    pub(super) most: f64,
}

/// The aims of a search.
pub(super) struct Aims {
    of_sides: [Aim; 2],
    of_both: Aim,
}

impl Aims {
    /// Those of a search for a bracket of this width.
    pub(super) fn new(enough: f64) -> Self {
        let aim = |side| Aim { side, hope: 0, least: FINER, left: LEFT.0, enough, work: 0 };
        Self { of_sides: Side::BOTH.map(|side| aim(Some(side))), of_both: aim(None) }
    }

    /// The aim of the next sweep: that of the side for which less work has been done, as long as it finds anything.
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

    /// How much a side values an offer that it may follow alone. The doctrine's order is kept where others are hardly better: a search that
    /// switches between orders in each sweep makes no progress.
    pub(super) fn value(&self, side: Side, Bracket { low, high }: Bracket, guess: f64, is_doctrine: bool) -> f64 {
        let (likely, most) = if side == Side::First { (guess, high) } else { (-guess, -low) };
        let loyalty = if is_doctrine { LOYALTY * self.slack() } else { 0.0 };
        likely + HOPES[self.hope] * (most - likely) + loyalty
    }

    /// Whether a state that has not been played matters enough for this sweep: by how much the bracket of the start may become narrower, if
    /// the state is worth what it is likely to be. Whatever matters too little is noted as left.
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

    /// Whether a bracket needs to become narrower. If the first side follows single offers, its lower bound is raised, as far as the likely
    /// value; the upper one does not matter.
    pub(super) fn is_open(&self, value: Bracket, guess: f64) -> bool {
        match self.side {
            Some(Side::First) => guess - value.low > self.slack(),
            Some(_) => value.high - guess > self.slack(),
            None => value.width() > self.enough,
        }
    }

    /// Whether an offer matters to a side that follows all those that do: one that can hardly beat the best cannot change much. `value` and
    /// `guess` are those of the decision.
    pub(super) fn follows(&self, side: Side, offer: Bracket, value: Bracket, guess: f64) -> bool {
        match (self.side, side) {
            (None, Side::First) => offer.high - value.low > self.enough,
            (None, _) => value.high - offer.low > self.enough,
            (Some(_), Side::First) => offer.high - guess > self.slack(),
            (Some(_), _) => guess - offer.low > self.slack(),
        }
    }

    /// How far a bound may be from the likely value.
    fn slack(&self) -> f64 {
        SLACK * self.left * self.enough
    }

    /// Goes on after a sweep: to states that matter less, or to other offers where hardly any are left. `width`: that of the bracket of the
    /// start, as a share of the widest. False if nothing is left to be done.
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

/// What is the same in states that are alike: after how many steps they are met, and each unit's figures, hits, morale and formation. Where the
/// units stand is not.
type Likeness = (usize, Box<[(u16, u16, MoraleId, FormationId)]>);

/// What states are likely to be worth, by those that are alike.
#[derive(Debug, Default)]
pub(super) struct Guesses {
    kinds: Interner<Likeness>,
    /// By kind, what those that have been played are likely to be worth, in all, and their number.
    known: Vec<(f64, u32)>,
}

impl Guesses {
    /// The kind of a state, and what it is likely to be worth, if anything is known of that.
    pub(super) fn kind(&mut self, step: usize, battle: &Battle) -> (u32, Option<f64>) {
        let unit = |unit: &Unit| (unit.figures, unit.hits, unit.morale, unit.formation);
        let like = (step, battle.units.iter().map(unit).collect());
        // If there are more kinds than numbers, the rest share a number, and the guess for them is poor.
        let kind = self.kinds.number(&like).unwrap_or(0);
        self.known.resize(self.kinds.items().len(), (0.0, 0));
        (kind, self.guess(kind))
    }

    /// What a state of a kind is likely to be worth; none if nothing is known of it.
    pub(super) fn guess(&self, kind: u32) -> Option<f64> {
        let (sum, number) = self.known[kind as usize];
        (number > 0).then(|| sum / f64::from(number))
    }

    /// Counts a state that has been played.
    pub(super) fn add(&mut self, kind: u32, guess: f64) {
        let (sum, number) = &mut self.known[kind as usize];
        (*sum, *number) = (*sum + guess, *number + 1);
    }

    /// Counts it as worth so much more.
    pub(super) fn change(&mut self, kind: u32, more: f64) {
        self.known[kind as usize].0 += more;
    }

    /// Approximate memory use in bytes.
    pub(super) fn bytes(&self) -> u64 {
        let units = self.kinds.items().first().map_or(0, |(_, units)| size_of_val(&**units));
        self.kinds.bytes() + (self.known.len() * (units + size_of::<(f64, u32)>())) as u64
    }
}
