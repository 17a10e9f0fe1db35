//! Best play: what is a battle worth between perfect players, and what does a doctrine give away?

mod share;
mod walk;
mod words;

use std::collections::BTreeMap;
use std::time::Duration;

use grognard_engine::{Outcome, Side};
use grognard_exact::Limits;
use grognard_exact::best::{Bracket, Effort, OfferPlayed, Plays, RowPlayed};
use rayon::prelude::{IndexedParallelIterator, IntoParallelRefMutIterator, ParallelIterator};

use self::share::Shared;
use self::walk::Found;
pub use self::words::{InWords, Words, WordsError};
use crate::exact::Watcher;
use crate::progress::Stop;
use crate::results::CellHeader;
use crate::sensitivity::Quantity;
use crate::study::Cell;

/// A question about best play.
#[derive(Clone, Debug)]
pub struct BestPlay {
    /// The metric to play for. It belongs to a side, which wants its own wins or score high and its own losses low; the
    /// other side wants the opposite.
    pub quantity: Quantity,
    /// The limits; the memory is for all cells that are solved at the same time.
    pub limits: Limits,
    /// The time for all cells together. All cells share a first part of it, and those that need more share the rest.
    /// Cells may use what earlier ones left over.
    pub time: Option<Duration>,
    /// The half-width at which a bracket is narrow enough. `None` to narrow brackets as far as possible.
    pub precision: Option<f64>,
    /// Whether to ask only what a battle is worth if both sides play perfectly. Other pairings are computed only if
    /// they can narrow that value.
    pub only_both: bool,
    /// Worker threads; 0 means one for each core.
    pub threads: usize,
}

/// The values of a battle, depending on who plays it.
///
/// A perfect player may have the orders of a doctrine other than his side's ([`BestCell::doctrines`]). At the start of
/// the battle, he then chooses whether to play perfectly with these orders or to follow his side's doctrine. So he
/// never does worse than the doctrine.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct Pairings {
    /// Both sides follow their doctrines.
    pub default_default: Bracket,
    /// The first side plays perfectly, and the second follows its doctrine.
    pub best_default: Bracket,
    /// The first side follows its doctrine, and the second plays perfectly.
    pub default_best: Bracket,
    /// Both sides play perfectly.
    pub best_best: Bracket,
    /// The value, by side, of best play against the other side's doctrine with only the orders of
    /// [`BestCell::doctrines`]. If these are the side's own, it is the value above.
    pub alone: [Bracket; 2],
    /// The value if both sides play perfectly with only these orders. If they are both sides' own, it is the value
    /// above.
    pub both_alone: Bracket,
    /// 1 if the first side wants it high, −1 if it wants it low.
    pub(crate) sign: f64,
    /// Whether a side that plays perfectly can give all orders of its own doctrine, by side.
    pub(crate) own: [bool; 2],
}

impl Pairings {
    /// The four values, each with its name: the first side's player, then the second's.
    #[must_use]
    pub fn named(&self) -> [(&'static str, Bracket); 4] {
        [
            ("default/default", self.default_default),
            ("best/default", self.best_default),
            ("default/best", self.default_best),
            ("best/best", self.best_best),
        ]
    }

    /// A side's gain from playing perfectly against the other side's doctrine: the amount that its own doctrine gives
    /// away.
    #[must_use]
    pub fn gain(&self, side: Side) -> Bracket {
        // A perfect player may follow the doctrine itself.
        let Bracket { low, high } = self.over_doctrine(side, [self.best_default, self.default_best][side.index()]);
        Bracket { low: low.max(0.0), high: high.max(0.0) }
    }

    /// A side's gain over its doctrine from best play with only the orders of [`BestCell::doctrines`]. It may be
    /// negative if these are not its own.
    #[must_use]
    pub fn gain_alone(&self, side: Side) -> Bracket {
        if self.own[side.index()] { self.gain(side) } else { self.over_doctrine(side, self.alone[side.index()]) }
    }

    /// The amount that a side's doctrine concedes to a perfect enemy, which is that enemy's gain.
    #[must_use]
    pub fn exploitability(&self, side: Side) -> Bracket {
        self.gain(side.other())
    }

    /// The side that follows its doctrine if both sides play perfectly, because it does better than with the orders of
    /// [`BestCell::doctrines`]; `None` if neither side certainly does.
    #[must_use]
    pub fn follows(&self) -> Option<Side> {
        let beyond = |side: Side, value: Bracket| {
            let both = self.both_alone;
            if self.wants(side) > 0.0 { value.low - both.high } else { both.low - value.high }
        };
        // One side's doctrine does better against perfect orders than perfect orders do.
        let by_first = beyond(Side::First, self.default_best) > EQUAL;
        let by_second = beyond(Side::Second, self.best_default) > EQUAL;
        match (by_first, by_second) {
            (true, _) => Some(Side::First),
            (_, true) => Some(Side::Second),
            _ => None,
        }
    }

    /// How much more a value is worth to a side than that of doctrine against doctrine.
    fn over_doctrine(&self, side: Side, value: Bracket) -> Bracket {
        let less = self.default_default;
        let [one, other] = [value.low - less.high, value.high - less.low];
        if self.wants(side) > 0.0 { Bracket { low: one, high: other } } else { Bracket { low: -other, high: -one } }
    }

    /// 1 if the side wants the metric high, −1 if it wants it low.
    fn wants(&self, side: Side) -> f64 {
        if side == Side::First { self.sign } else { -self.sign }
    }
}

/// Values closer than this differ only by rounding.
const EQUAL: f64 = 1e-9;

/// The value if a side may play in either of two ways against the same opponent, and chooses the better one. Values are
/// from the first side's point of view.
fn better_of(side: Side, one: Bracket, other: Bracket) -> Bracket {
    let better = if side == Side::First { f64::max } else { f64::min };
    Bracket { low: better(one.low, other.low), high: better(one.high, other.high) }
}

/// The values of players who may choose, at the start of the battle, to follow their doctrine instead of playing
/// perfectly with other orders. Values are from the first side's point of view, in the order of [`PAIRINGS`]. `own`
/// says for each side whether its perfect player has the orders of its doctrine anyway.
fn with_choice([default, first, second, both]: [Bracket; 4], own: [bool; 2]) -> [Bracket; 4] {
    if own == [true; 2] {
        return [default, first, second, both];
    }
    let of = |side: Side, alone| if own[side.index()] { alone } else { better_of(side, alone, default) };
    let (first, second) = (of(Side::First, first), of(Side::Second, second));
    // second ≤ default ≤ first, so the game of the two choices has a saddle point. If both > first, it is (perfect,
    // doctrine): with its doctrine, the first side would get only `default`, and with perfect play, the second side
    // would concede `both`. If both < second, it is (doctrine, perfect), for the same reason. In between, neither side
    // gains by following its doctrine.
    let clamp = |both: f64, least: f64, most: f64| both.max(least).min(most);
    let low = clamp(both.low, second.low, first.low);
    let high = clamp(both.high, second.high, first.high);
    [default, first, second, Bracket { low, high: high.max(low) }]
}

/// The place of a decision: the side, its doctrine, and the phase.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[non_exhaustive]
pub struct Place {
    /// The side: 0 or 1.
    pub side: usize,
    /// The name of the doctrine in the pack.
    pub doctrine: String,
    /// The name of the phase in the pack.
    pub phase: String,
}

/// Best play in a cell.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct BestCell {
    /// The cell.
    pub header: CellHeader,
    /// The values.
    pub values: Pairings,
    /// The doctrine that supplies the orders for a side's best play, if it is not the side's own. By side, 0 or 1.
    pub doctrines: [Option<String>; 2],
    /// The losses from the rows of the doctrines, by the name of the row or of the decision in a combat; `None` if no
    /// row applies and the unit holds. A side's rows are known if its best play against the other's doctrine is exact.
    /// They are the rows from which its best play chooses, and their losses are those in battles in which the side
    /// follows them.
    pub rows: BTreeMap<(Place, Option<String>), RowPlayed>,
    /// How well each option does if both sides play perfectly, by name: a row's, `hold`, or a decision's. Empty if the
    /// value of that pairing is only a bracket.
    pub offers: BTreeMap<(Place, String), OfferPlayed>,
    /// Whether the pack hides cards from the other side. Best play sees them, so its values are bounds.
    pub sees_cards: bool,
    /// The amount of work.
    pub effort: Effort,
    /// Whether all values are exact.
    pub exact: bool,
    /// Whether a side's best play against the other's doctrine is exact, so all its rows are known. By side, 0 or 1.
    pub rows_known: [bool; 2],
}

/// Why best play could not be computed.
#[derive(Debug, thiserror::Error)]
pub enum BestError {
    /// Neither side wants the metric high or low.
    #[error("`{0}` is not a metric that either side tries to raise or lower")]
    NobodysMetric(String),
    /// The worker threads could not be started.
    #[error("cannot start the worker threads: {0}")]
    Threads(#[from] rayon::ThreadPoolBuildError),
}

impl BestPlay {
    /// Solves cells, as far as the limits allow and until `stop` is raised. Values that are not complete by then
    /// are brackets.
    ///
    /// # Errors
    /// See [`BestError`].
    pub fn solve(&self, cells: &[&Cell], watcher: &dyn Watcher, stop: &Stop) -> Result<Vec<BestCell>, BestError> {
        let goal = Goal::of(&self.quantity).ok_or_else(|| BestError::NobodysMetric(self.quantity.name.clone()))?;
        let pool = rayon::ThreadPoolBuilder::new().num_threads(self.threads).build()?;
        let mut found: Vec<Found<'_>> = cells.iter().map(|&cell| Found::new(goal, cell, self)).collect();
        let shared = Shared::new(self, cells.len(), pool.current_num_threads(), watcher, stop);
        let (mut before, mut told) = (None, vec![false; cells.len()]);
        while let Some(round) = shared.round(before.as_ref(), &found, self.walks()) {
            // The cheapest walks come first, in all cells, so that the time left for the expensive ones is known.
            for &walk in self.walks() {
                let walk_one = |(place, (found, told)): (usize, (&mut Found<'_>, &mut bool))| {
                    shared.walk(&round, place, found, walk);
                    if !*told && self.walks().iter().all(|&walk| !found.needs(walk)) {
                        watcher.solved(found.number());
                        *told = true;
                    }
                };
                let both = found.par_iter_mut().zip(&mut told);
                pool.install(|| both.enumerate().with_max_len(1).for_each(walk_one));
            }
            before = Some(round);
        }
        for (found, _) in found.iter().zip(told).filter(|&(_, told)| !told) {
            watcher.solved(found.number());
        }
        Ok(found.into_iter().map(Found::told).collect())
    }

    /// The stages of a cell.
    const fn walks(&self) -> &'static [WalkOf] {
        if self.only_both { &WALKS_FOR_BOTH } else { &WALKS }
    }

    /// The maximum width of a bracket; `None` to narrow brackets as far as possible.
    fn width(&self) -> Option<f64> {
        self.precision.map(|half| 2.0 * half)
    }
}

/// A way to find the value of a pairing, given by its index in [`PAIRINGS`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum WalkOf {
    /// Enumerates everything, which shows more than the value.
    Enumeration(usize),
    /// Searches for the value alone.
    Search(usize),
}

/// The stages of a cell, in order: the pairings with the fewest situations first.
const WALKS: [WalkOf; 8] = [
    WalkOf::Enumeration(0),
    WalkOf::Enumeration(2),
    WalkOf::Enumeration(1),
    WalkOf::Search(0),
    WalkOf::Search(2),
    WalkOf::Search(1),
    WalkOf::Enumeration(BOTH),
    WalkOf::Search(BOTH),
];

/// The stages if only best play of both sides is requested: that pairing first, then those that may narrow its value.
/// Doctrine against doctrine may narrow it only if a side chooses between its doctrine and other orders.
const WALKS_FOR_BOTH: [WalkOf; 8] = [
    WalkOf::Enumeration(BOTH),
    WalkOf::Search(BOTH),
    WalkOf::Enumeration(0),
    WalkOf::Enumeration(2),
    WalkOf::Enumeration(1),
    WalkOf::Search(0),
    WalkOf::Search(2),
    WalkOf::Search(1),
];

/// The metric to play for.
#[derive(Clone, Copy)]
struct Goal<'a> {
    quantity: &'a Quantity,
    /// 1 if the first side wants it high, −1 if it wants it low.
    sign: f64,
}

impl<'a> Goal<'a> {
    /// The goal of a quantity; `None` if it belongs to no side.
    fn of(quantity: &'a Quantity) -> Option<Self> {
        let sign = f64::from(quantity.sign_for(Side::First)?);
        Some(Self { quantity, sign })
    }

    fn worth(&self, outcome: &Outcome) -> f64 {
        self.sign * f64::from(self.quantity.in_battle(outcome)) / f64::from(self.quantity.per)
    }

    /// The minimum and maximum of its worth to the first side.
    fn span(&self) -> (f64, f64) {
        let most = self.sign * self.quantity.most as f64 / f64::from(self.quantity.per);
        (most.min(0.0), most.max(0.0))
    }
}

/// Who plays the sides of the study, in the order of [`Pairings::named`].
const PAIRINGS: [(Plays, Plays); 4] = [
    (Plays::Doctrine, Plays::Doctrine),
    (Plays::Best, Plays::Doctrine),
    (Plays::Doctrine, Plays::Best),
    (Plays::Best, Plays::Best),
];

/// The index of the last pairing, in which both sides play perfectly.
const BOTH: usize = 3;

/// Narrows brackets by comparing them: a perfect player does no worse than the doctrine, and no side does better
/// against a perfect opponent. Values are from the first side's point of view, in the order of [`PAIRINGS`]. `own` says
/// for each side whether its perfect player can give all orders of its doctrine; if not, the value of best play says
/// nothing about the doctrine.
fn narrowed([default, first, second, both]: [Bracket; 4], own: [bool; 2]) -> [Bracket; 4] {
    let between = |own: Bracket, least: f64, most: f64| match own {
        Bracket { low, high } if low < high => Bracket { low: low.max(least).min(high), high: high.min(most).max(low) },
        exact => exact,
    };
    let least = |side: usize, value: f64| if own[side] { value } else { f64::NEG_INFINITY };
    let most = |side: usize, value: f64| if own[side] { value } else { f64::INFINITY };
    let default = between(default, least(1, second.low), most(0, first.high));
    let both = between(both, least(0, second.low), most(1, first.high));
    let first = between(first, least(0, default.low).max(least(1, both.low)), f64::INFINITY);
    let second = between(second, f64::NEG_INFINITY, most(1, default.high).min(most(0, both.high)));
    [default, first, second, both]
}

/// The values of players who do not see what the other side hides, from those of players who do. Against the other
/// side's doctrine, they gain no more than players who see it, and no less than their own doctrine. Values are from the
/// first side's point of view, in the order of [`PAIRINGS`].
fn without_seeing([default, first, second, _]: [Bracket; 4]) -> [Bracket; 4] {
    let to = |low: f64, high: f64| Bracket { low: low.min(high), high: high.max(low) };
    [default, to(default.low, first.high), to(second.low, default.high), to(second.low, first.high)]
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Seeing the cards is worth at most 0.1 of 1. Between players who do not see them, the value lies between the two
    /// replies.
    #[test]
    fn values_of_players_who_see_hidden_cards_are_bounds() {
        let exact = |value: f64| between(value, value);
        let seen = [exact(0.5), exact(0.6), exact(0.4), exact(0.55)];
        assert_eq!(without_seeing(seen), [exact(0.5), between(0.5, 0.6), between(0.4, 0.5), between(0.4, 0.6)]);
    }

    const fn between(low: f64, high: f64) -> Bracket {
        Bracket { low, high }
    }

    #[test]
    fn brackets_narrow_each_other() {
        // If only one side plays perfectly, the first side scores at least 0.4 and at most 0.6. The same is then true
        // if both do.
        let known = [between(0.5, 0.5), between(0.6, 0.6), between(0.4, 0.4), between(0.0, 1.0)];
        assert_eq!(narrowed(known, [true; 2])[3], between(0.4, 0.6));
        // Doctrine against doctrine and best against best are both 0.5: best play against doctrine is worth at least
        // that, and at most the upper bound that was found.
        let replies = [between(0.5, 0.5), between(0.1, 0.9), between(0.2, 0.8), between(0.5, 0.5)];
        assert_eq!(
            narrowed(replies, [true; 2]),
            [between(0.5, 0.5), between(0.5, 0.9), between(0.2, 0.5), between(0.5, 0.5)]
        );
        let nothing = [between(0.0, 1.0); 4];
        assert_eq!(narrowed(nothing, [true; 2]), nothing);
    }

    /// The value of a side's best play says nothing about a doctrine whose orders it does not have.
    #[test]
    fn only_best_play_with_a_doctrine_s_orders_is_worth_as_much() {
        let known = [between(0.0, 1.0), between(0.6, 0.7), between(0.2, 0.3), between(0.0, 1.0)];
        assert_eq!(narrowed(known, [true; 2]), [between(0.2, 0.7), known[1], known[2], between(0.2, 0.7)]);
        // The first side's best play lacks the doctrine's orders: it may be worth less than the doctrine, against
        // either player.
        let [default, first, second, both] = narrowed(known, [false, true]);
        assert_eq!([default, first, second, both], [between(0.2, 1.0), known[1], known[2], between(0.0, 0.7)]);
        let [default, first, second, both] = narrowed(known, [true, false]);
        assert_eq!([default, first, second, both], [between(0.0, 0.7), known[1], known[2], between(0.2, 1.0)]);
        assert_eq!(narrowed(known, [false; 2]), known);
        let replies = [between(0.5, 0.5), between(0.1, 0.9), between(0.2, 0.8), between(0.4, 0.4)];
        assert_eq!(narrowed(replies, [false, true])[1..3], [between(0.4, 0.9), between(0.2, 0.5)]);
        assert_eq!(narrowed(replies, [true, false])[1..3], [between(0.5, 0.9), between(0.2, 0.4)]);
    }

    /// Other orders alone cost the first side 0.1 of 1. It then follows its doctrine, and gains nothing.
    #[test]
    fn other_orders_may_lose_and_best_play_does_not() {
        let alone = [between(0.5, 0.5), between(0.4, 0.4), between(0.3, 0.6), between(0.4, 0.4)];
        let [default, first, second, both] = with_choice(alone, [false; 2]);
        let values = Pairings {
            default_default: default,
            best_default: first,
            default_best: second,
            best_best: both,
            alone: [alone[1], alone[2]],
            both_alone: alone[3],
            sign: 1.0,
            own: [false; 2],
        };
        let near = |gain: Bracket, low: f64, high: f64| (gain.low - low).abs() + (gain.high - high).abs() < 1e-12;
        assert!(near(values.gain_alone(Side::First), -0.1, -0.1) && near(values.gain_alone(Side::Second), -0.1, 0.2));
        assert!(near(values.gain(Side::First), 0.0, 0.0) && near(values.gain(Side::Second), 0.0, 0.2));
        assert!(
            near(values.exploitability(Side::First), 0.0, 0.2) && near(values.exploitability(Side::Second), 0.0, 0.0)
        );
        // Its doctrine is worth 0.3 to 0.5 against a perfect enemy, and may be worth less than perfect orders.
        assert_eq!((values.best_best, values.follows()), (between(0.4, 0.5), None));
    }

    /// Each side chooses between its doctrine and perfect play with other orders. The game of these two choices is
    /// solved by hand.
    #[test]
    fn players_of_other_orders_choose_between_them_and_their_doctrine() {
        let exact = |value: f64| between(value, value);
        let game = |first: f64, second: f64, both: f64| {
            let alone = [0.5, first, second, both].map(exact);
            let [default_default, best_default, default_best, best_best] = with_choice(alone, [false; 2]);
            let of = |sign: f64, alone: [Bracket; 4], best: [Bracket; 4]| Pairings {
                default_default: best[0],
                best_default: best[1],
                default_best: best[2],
                best_best: best[3],
                alone: [alone[1], alone[2]],
                both_alone: alone[3],
                sign,
                own: [false; 2],
            };
            let wins = of(1.0, alone, [default_default, best_default, default_best, best_best]);
            // The first side's losses, which it wants low.
            let less = |values: [Bracket; 4]| values.map(|value| exact(-value.low));
            let losses = of(-1.0, less(alone), less([default_default, best_default, default_best, best_best]));
            assert_eq!(wins.follows(), losses.follows());
            (best_best.low, wins.follows())
        };
        // Perfect orders are worth 0.9 to the first side between perfect players: the second follows its doctrine, and
        // concedes 0.6, not 0.9.
        assert_eq!(game(0.6, 0.4, 0.9), (0.6, Some(Side::Second)));
        // The same holds if the first side's orders are worth nothing against that doctrine: it follows its own.
        assert_eq!(game(0.2, 0.4, 0.9), (0.5, Some(Side::Second)));
        assert_eq!(game(0.6, 0.4, 0.1), (0.4, Some(Side::First)));
        assert_eq!(game(0.6, 0.4, 0.45), (0.45, None));
        // A player who has the orders of his doctrine anyway does not choose.
        let alone = [0.5, 0.6, 0.4, 0.9].map(exact);
        assert_eq!(with_choice(alone, [true; 2]), alone);
    }
}
