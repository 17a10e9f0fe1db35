//! What is a battle worth between players who choose as well as can be, and what does a doctrine give away?

use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use grognard_engine::{BySide, Outcome, Setup, Side};
use grognard_exact::best::{Bracket, Effort, Graph, OfferPlayed, Plays, Point, RowPlayed, Values, explore};
use grognard_exact::{Limits, Progress};
use grognard_rules::model::Rules;
use rayon::prelude::{IndexedParallelIterator, IntoParallelRefIterator, ParallelIterator};

use crate::clock::Stopwatch;
use crate::exact::Watcher;
use crate::exact::named::{decision_name, doctrine_of, offer_name, row_name};
use crate::progress::Stop;
use crate::results::CellHeader;
use crate::sensitivity::Quantity;
use crate::study::Cell;

/// Best play to be worked out.
#[derive(Clone, Debug)]
pub struct BestPlay {
    /// What is played for. The side that it belongs to wants it high if it is its wins or its score, and low if it is what it loses;
    /// the other side wants the contrary.
    pub quantity: Quantity,
    /// What may be taken, the memory by all cells that are worked out at a time together.
    pub limits: Limits,
    /// The time that all cells together may take, shared out as they come: what one leaves over the later ones may use.
    pub time: Option<Duration>,
    /// Worker threads; 0 for as many as the machine has cores.
    pub threads: usize,
}

/// The values of a battle by who plays it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Pairings {
    /// Both sides follow doctrine.
    pub default_default: Bracket,
    /// The first side plays best, the second by doctrine.
    pub best_default: Bracket,
    /// The first side plays by doctrine, the second best.
    pub default_best: Bracket,
    /// Both play best.
    pub best_best: Bracket,
}

impl Pairings {
    /// All, each with its name: the first side's player, and the second's.
    #[must_use]
    pub fn named(&self) -> [(&'static str, Bracket); 4] {
        [
            ("default/default", self.default_default),
            ("best/default", self.best_default),
            ("default/best", self.default_best),
            ("best/best", self.best_best),
        ]
    }

    /// What a side gains if it plays best against the other's doctrine: what its own doctrine gives away.
    #[must_use]
    pub fn gain(&self, side: Side) -> Bracket {
        let best = [self.best_default, self.default_best][side.index()];
        let (less, more) = (self.default_default, best);
        // Best play never does worse, in whichever direction the side wants the number.
        let [one, other] = [more.low - less.high, more.high - less.low];
        match side {
            _ if one >= 0.0 => Bracket { low: one, high: other },
            _ if other <= 0.0 => Bracket { low: -other, high: -one },
            _ => Bracket { low: 0.0, high: other.max(-one) },
        }
    }
}

/// Where a decision falls: the side, its doctrine, and the phase.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
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
pub struct BestCell {
    /// The cell.
    pub header: CellHeader,
    /// The values.
    pub values: Pairings,
    /// What the rows of the doctrines give away: by the name of the row, or of the decision in the middle of a combat; none where no row
    /// applies and the unit holds. Empty where values are brackets.
    pub rows: BTreeMap<(Place, Option<String>), RowPlayed>,
    /// How the offers do where both sides play best, by name: a row's, `hold`, or a decision's. Empty where values are brackets.
    pub offers: BTreeMap<(Place, String), OfferPlayed>,
    /// How much work it was.
    pub effort: Effort,
    /// Whether everything was walked to its end, so that all values are exact.
    pub exact: bool,
}

/// Why best play could not be worked out.
#[derive(Debug, thiserror::Error)]
pub enum BestError {
    /// No side wants the number.
    #[error("no side wants `{0}` high or low")]
    NobodysMetric(String),
    /// The worker threads could not be started.
    #[error("cannot start the worker threads: {0}")]
    Threads(#[from] rayon::ThreadPoolBuildError),
}

impl BestPlay {
    /// Works cells out, as far as the limits allow and until `stop` is raised: what is not reached by then makes values brackets.
    ///
    /// # Errors
    /// See [`BestError`].
    pub fn solve(&self, cells: &[&Cell], watcher: &dyn Watcher, stop: &Stop) -> Result<Vec<BestCell>, BestError> {
        let goal = Goal::of(&self.quantity).ok_or_else(|| BestError::NobodysMetric(self.quantity.name.clone()))?;
        let pool = rayon::ThreadPoolBuilder::new().num_threads(self.threads).build()?;
        let at_a_time = pool.current_num_threads().min(cells.len()).max(1) as u64;
        let limits = Limits { bytes: self.limits.bytes / at_a_time, ..self.limits };
        let clock = Clock {
            started: Stopwatch::start(),
            seconds: self.time.map(|time| time.as_secs_f64()),
            at_a_time: at_a_time as f64,
            left: AtomicUsize::new(cells.len()),
        };
        let solve = |cell: &&Cell| {
            let enough = clock.share();
            goal.solve(cell, &limits, watcher, &|| stop.is_raised() || enough.is_some_and(|at| clock.now() > at))
        };
        Ok(pool.install(|| cells.par_iter().with_max_len(1).map(solve).collect()))
    }
}

/// Shares time out among cells.
struct Clock {
    started: Stopwatch,
    seconds: Option<f64>,
    at_a_time: f64,
    /// Cells that have not begun.
    left: AtomicUsize,
}

impl Clock {
    fn now(&self) -> f64 {
        self.started.elapsed().as_secs_f64()
    }

    /// When a cell that begins now must end: the time that is left, shared evenly by those that are left.
    fn share(&self) -> Option<f64> {
        let left = self.left.fetch_sub(1, Ordering::Relaxed) as f64;
        let (now, seconds) = (self.now(), self.seconds?);
        Some(now + (seconds - now) * (self.at_a_time / left).min(1.0))
    }
}

/// What is played for.
#[derive(Clone, Copy)]
struct Goal<'a> {
    quantity: &'a Quantity,
    /// 1 if the first side wants it high, −1 if it wants it low.
    sign: f64,
}

impl<'a> Goal<'a> {
    /// None: it belongs to no side.
    fn of(quantity: &'a Quantity) -> Option<Self> {
        let sign = f64::from(quantity.sign_for(Side::First)?);
        Some(Self { quantity, sign })
    }

    fn worth(&self, outcome: &Outcome) -> f64 {
        self.sign * f64::from(self.quantity.in_battle(outcome)) / f64::from(self.quantity.per)
    }

    /// The least and the most that it can be worth to the first side.
    fn span(&self) -> (f64, f64) {
        let most = self.sign * self.quantity.most as f64 / f64::from(self.quantity.per);
        (most.min(0.0), most.max(0.0))
    }

    fn solve(&self, cell: &Cell, limits: &Limits, watcher: &dyn Watcher, enough: &dyn Fn() -> bool) -> BestCell {
        let swapped = cell.swapped.as_ref().map(|setup| Way { rules: &cell.rules, setup, swapped: true });
        let ways: Vec<Way<'_>> =
            std::iter::once(Way { rules: &cell.rules, setup: &cell.setup, swapped: false }).chain(swapped).collect();
        let mut watch = |progress: &Progress| {
            watcher.walking(cell.header.cell, progress);
            if enough() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        };
        let mut found = Found::new(*self, ways.len());
        let values = PAIRINGS.map(|(first, second)| {
            let plays = BySide::new(first, second);
            let mut sum = Bracket { low: 0.0, high: 0.0 };
            for way in &ways {
                // One at a time: none of the others takes memory.
                let graph = explore(way.rules, way.setup, way.played(plays), limits, &mut watch);
                let value = found.add(way, &graph, plays);
                sum.low += value.low * found.share;
                sum.high += value.high * found.share;
            }
            sum
        });
        watcher.solved(cell.header.cell);
        found.cell(cell, values)
    }
}

/// Who plays the sides of the study, in the order of [`Pairings::named`]: those with the fewest situations first.
const PAIRINGS: [(Plays, Plays); 4] = [
    (Plays::Doctrine, Plays::Doctrine),
    (Plays::Best, Plays::Doctrine),
    (Plays::Doctrine, Plays::Best),
    (Plays::Best, Plays::Best),
];

/// The battles of a cell with its sides in their own roles, or in each other's.
struct Way<'a> {
    rules: &'a Rules,
    setup: &'a Setup,
    swapped: bool,
}

impl Way<'_> {
    /// The side of the study that plays a side of the battle, or the other way round.
    fn side(&self, side: Side) -> Side {
        if self.swapped { side.other() } else { side }
    }

    /// Who plays the sides of the battle if those of the study are played so.
    fn played(&self, plays: BySide<Plays>) -> BySide<Plays> {
        if self.swapped { plays.swap() } else { plays }
    }

    fn values(&self, goal: Goal<'_>, graph: &Graph, plays: BySide<Plays>) -> Values {
        let (low, high) = goal.span();
        if self.swapped {
            return graph.values(self.played(plays), &|outcome| -goal.worth(&outcome.swap()), (-high, -low));
        }
        graph.values(plays, &|outcome| goal.worth(outcome), (low, high))
    }

    fn place(&self, point: &Point) -> Place {
        Place {
            side: self.side(point.side).index(),
            doctrine: self.rules.doctrines[doctrine_of(self.setup, point.unit)].id.clone(),
            phase: self.rules.phases[usize::from(point.phase)].id.clone(),
        }
    }
}

/// What is known of a cell so far.
struct Found<'a> {
    goal: Goal<'a>,
    /// The share of the battles that are fought one way.
    share: f64,
    rows: BTreeMap<(Place, Option<String>), RowPlayed>,
    offers: BTreeMap<(Place, String), OfferPlayed>,
    effort: Effort,
    exact: bool,
}

impl<'a> Found<'a> {
    fn new(goal: Goal<'a>, ways: usize) -> Self {
        Self {
            goal,
            share: 1.0 / ways as f64,
            rows: BTreeMap::new(),
            offers: BTreeMap::new(),
            effort: Effort::default(),
            exact: true,
        }
    }

    /// Adds what was walked of the battles that are fought one way: their value to the first side of the study.
    fn add(&mut self, way: &Way<'_>, graph: &Graph, plays: BySide<Plays>) -> Bracket {
        let values = way.values(self.goal, graph, plays);
        match (plays.first, plays.second) {
            (Plays::Doctrine, Plays::Doctrine) => {}
            (Plays::Best, Plays::Doctrine) => self.add_rows(way, graph, Side::First, &values),
            (Plays::Doctrine, Plays::Best) => self.add_rows(way, graph, Side::Second, &values),
            (Plays::Best, Plays::Best) => self.add_offers(way, graph, &values),
        }
        let Effort { states, paths, bytes, walked, steps } = graph.effort();
        self.effort.states += states;
        self.effort.paths += paths;
        self.effort.bytes = self.effort.bytes.max(bytes);
        (self.effort.walked, self.effort.steps) = (self.effort.walked + walked, self.effort.steps + steps);
        self.exact &= graph.is_whole();
        let Bracket { low, high } = values.at_start();
        if way.swapped { Bracket { low: -high, high: -low } } else { Bracket { low, high } }
    }

    /// What the rows of a side's doctrine give away. `reply`: values where the side plays best and the other by its doctrine.
    fn add_rows(&mut self, way: &Way<'_>, graph: &Graph, side: Side, reply: &Values) {
        for ((point, row), played) in graph.rows(way.side(side), reply) {
            let point = &graph.points()[point as usize];
            let name = match row {
                Some(row) => Some(row_name(way.rules, way.setup, point, row)),
                None => decision_name(point).map(str::to_owned),
            };
            let sum = self.rows.entry((way.place(point), name)).or_default();
            sum.met += self.share * played.met;
            sum.lost += self.share * played.lost;
        }
    }

    fn add_offers(&mut self, way: &Way<'_>, graph: &Graph, values: &Values) {
        for ((point, offer), played) in graph.offers(values) {
            let point = &graph.points()[point as usize];
            let name = offer_name(way.rules, way.setup, point, offer);
            let sum = self.offers.entry((way.place(point), name)).or_default();
            sum.offered += self.share * played.offered;
            sum.best += self.share * played.best;
            sum.alone += self.share * played.alone;
        }
    }

    /// The cell. `values`: what it is worth to the first side, in the order of [`PAIRINGS`].
    fn cell(mut self, cell: &Cell, values: [Bracket; 4]) -> BestCell {
        if !self.exact {
            self.rows.clear();
            self.offers.clear();
        }
        let sign = self.goal.sign;
        let told = |Bracket { low, high }: Bracket| match sign {
            sign if sign < 0.0 => Bracket { low: -high, high: -low },
            _ => Bracket { low, high },
        };
        let [default_default, best_default, default_best, best_best] = narrowed(values).map(told);
        BestCell {
            header: cell.header.clone(),
            values: Pairings { default_default, best_default, default_best, best_best },
            rows: self.rows,
            offers: self.offers,
            effort: self.effort,
            exact: self.exact,
        }
    }
}

/// Brackets narrowed by each other: whoever plays best does no worse than by doctrine, whoever plays against it no better. Values to
/// the first side, in the order of [`PAIRINGS`].
fn narrowed([default, first, second, both]: [Bracket; 4]) -> [Bracket; 4] {
    let between = |own: Bracket, least: f64, most: f64| match own {
        Bracket { low, high } if low < high => Bracket { low: low.max(least).min(high), high: high.min(most).max(low) },
        exact => exact,
    };
    let [default, both] = [default, both].map(|value| between(value, second.low, first.high));
    let first = between(first, default.low.max(both.low), f64::INFINITY);
    let second = between(second, f64::NEG_INFINITY, default.high.min(both.high));
    [default, first, second, both]
}

#[cfg(test)]
mod tests {
    use super::*;

    const fn between(low: f64, high: f64) -> Bracket {
        Bracket { low, high }
    }

    #[test]
    fn brackets_narrow_each_other() {
        // The first side gets 0.4 to 0.6 where one side alone plays best: no more and no less than that where both do.
        let known = [between(0.5, 0.5), between(0.6, 0.6), between(0.4, 0.4), between(0.0, 1.0)];
        assert_eq!(narrowed(known)[3], between(0.4, 0.6));
        // Both at 0.5: best play against doctrine is worth at least that, and at most as far as it was walked.
        let replies = [between(0.5, 0.5), between(0.1, 0.9), between(0.2, 0.8), between(0.5, 0.5)];
        assert_eq!(narrowed(replies), [between(0.5, 0.5), between(0.5, 0.9), between(0.2, 0.5), between(0.5, 0.5)]);
        let nothing = [between(0.0, 1.0); 4];
        assert_eq!(narrowed(nothing), nothing);
    }
}
