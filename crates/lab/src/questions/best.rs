//! What is a battle worth between players who choose as well as can be, and what does a doctrine give away?

use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicUsize, Ordering};

use grognard_engine::{BySide, Outcome, Setup, Side};
use grognard_exact::Limits;
use grognard_exact::best::{Bracket, Effort, Graph, OfferPlayed, Plays, Point, RowPlayed, Values, explore};
use grognard_rules::model::Rules;
use rayon::prelude::{IndexedParallelIterator, IntoParallelRefIterator, ParallelIterator};

use crate::clock::Stopwatch;
use crate::exact::Watcher;
use crate::exact::named::{doctrine_of, offer_name, row_name};
use crate::progress::Stop;
use crate::results::CellHeader;
use crate::sensitivity::Quantity;
use crate::study::{Cell, Study};

/// Best play to be worked out.
#[derive(Clone, Debug)]
pub struct BestPlay {
    /// Cells, by place in the study; all if there are none.
    pub cells: Vec<usize>,
    /// What is played for. The side that it belongs to wants it high if it is its wins or its score, and low if it is what it loses;
    /// the other side wants the contrary.
    pub quantity: Quantity,
    /// What may be taken, the memory by all cells that are worked out at a time together.
    pub limits: Limits,
    /// Seconds that all cells together may take, shared out as they come: what one leaves over the later ones may use.
    pub seconds: Option<u64>,
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
    /// What the rows of the doctrines give away: by the name of the row, none where no row applies and the unit holds. Empty where values
    /// are brackets.
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
    /// Works the cells of a study out, as far as the limits allow and until `stop` is raised: what is not reached by then makes values
    /// brackets.
    ///
    /// # Errors
    /// See [`BestError`].
    pub fn run(&self, study: &Study, watcher: &dyn Watcher, stop: &Stop) -> Result<Vec<BestCell>, BestError> {
        let chosen = study.chosen(&self.cells);
        let cells: Vec<&Cell> = chosen.iter().map(|&place| &study.cells[place]).collect();
        self.solve(&cells, watcher, stop)
    }

    /// The same for any cells, such as those of a variant of the study.
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
            seconds: self.seconds.map(|seconds| seconds as f64),
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
        let high = quantity.is_wins() || quantity.is_score();
        if !high && !quantity.is_lost() {
            return None;
        }
        let sign = if (quantity.side()? == Side::First) == high { 1.0 } else { -1.0 };
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
        let mut ways = vec![Way::explore(&cell.rules, &cell.setup, false, limits, cell, watcher, enough)];
        if let Some(swapped) = &cell.swapped {
            ways.push(Way::explore(&cell.rules, swapped, true, limits, cell, watcher, enough));
        }
        watcher.solved(cell.header.cell);
        let best = Solution { goal: *self, rules: &cell.rules, ways: &ways };
        best.cell(cell)
    }
}

/// Everything that can happen in a cell, with its sides in their own roles or in each other's.
struct Way<'a> {
    setup: &'a Setup,
    swapped: bool,
    graph: Graph,
}

impl<'a> Way<'a> {
    fn explore(
        rules: &Rules,
        setup: &'a Setup,
        swapped: bool,
        limits: &Limits,
        cell: &Cell,
        watcher: &dyn Watcher,
        enough: &dyn Fn() -> bool,
    ) -> Self {
        let mut watch = |progress: &grognard_exact::Progress| {
            watcher.walking(cell.header.cell, progress);
            if enough() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        };
        Self { setup, swapped, graph: explore(rules, setup, limits, &mut watch) }
    }

    /// The side of the study that plays a side of the battle, or the other way round.
    fn side(&self, side: Side) -> Side {
        if self.swapped { side.other() } else { side }
    }

    /// The values if the sides of the study are played so.
    fn values(&self, goal: Goal<'_>, first: Plays, second: Plays) -> Values {
        let plays = BySide::new(first, second);
        let (low, high) = goal.span();
        if self.swapped {
            return self.graph.values(plays.swap(), &|outcome| -goal.worth(&outcome.swap()), (-high, -low));
        }
        self.graph.values(plays, &|outcome| goal.worth(outcome), (low, high))
    }
}

/// A cell that was worked out.
struct Solution<'a> {
    goal: Goal<'a>,
    rules: &'a Rules,
    ways: &'a [Way<'a>],
}

impl Solution<'_> {
    fn cell(&self, cell: &Cell) -> BestCell {
        let exact = self.ways.iter().all(|way| way.graph.is_whole());
        let by = |first, second| -> Vec<Values> {
            self.ways.iter().map(|way| way.values(self.goal, first, second)).collect()
        };
        let (best_default, default_best) = (by(Plays::Best, Plays::Doctrine), by(Plays::Doctrine, Plays::Best));
        let best_best = by(Plays::Best, Plays::Best);
        let values = Pairings {
            default_default: self.bracket(&by(Plays::Doctrine, Plays::Doctrine)),
            best_default: self.bracket(&best_default),
            default_best: self.bracket(&default_best),
            best_best: self.bracket(&best_best),
        };
        let mut effort = Effort::default();
        for way in self.ways {
            let Effort { states, paths, bytes, walked, steps } = way.graph.effort();
            effort.states += states;
            effort.paths += paths;
            effort.bytes += bytes;
            (effort.walked, effort.steps) = (effort.walked + walked, effort.steps + steps);
        }
        BestCell {
            header: cell.header.clone(),
            values,
            rows: self.rows([&best_default, &default_best]),
            offers: self.offers(&best_best),
            effort,
            exact,
        }
    }

    /// The value at the start, the mean of both ways if there are two, in the terms of the quantity.
    fn bracket(&self, values: &[Values]) -> Bracket {
        let ways = self.ways.len() as f64;
        let (mut low, mut high) = (0.0, 0.0);
        for (way, values) in self.ways.iter().zip(values) {
            let own = values.at_start();
            let own = if way.swapped { Bracket { low: -own.high, high: -own.low } } else { own };
            low += own.low / ways;
            high += own.high / ways;
        }
        if self.goal.sign < 0.0 { Bracket { low: -high, high: -low } } else { Bracket { low, high } }
    }

    /// What the doctrines' rows give away. `replies`: values where the first side plays best against doctrine, and where the second does.
    fn rows(&self, replies: [&[Values]; 2]) -> BTreeMap<(Place, Option<String>), RowPlayed> {
        let mut rows: BTreeMap<_, RowPlayed> = BTreeMap::new();
        let share = 1.0 / self.ways.len() as f64;
        for (side, replies) in Side::BOTH.into_iter().zip(replies) {
            for (way, reply) in self.ways.iter().zip(replies) {
                for ((point, row), played) in way.graph.rows(way.side(side), reply) {
                    let point = &way.graph.points()[point as usize];
                    let name = row.map(|row| row_name(self.rules, way.setup, point, row));
                    let sum = rows.entry((self.place(way, point), name)).or_insert(RowPlayed { met: 0.0, lost: 0.0 });
                    sum.met += share * played.met;
                    sum.lost += share * played.lost;
                }
            }
        }
        rows
    }

    fn offers(&self, values: &[Values]) -> BTreeMap<(Place, String), OfferPlayed> {
        let mut offers: BTreeMap<_, OfferPlayed> = BTreeMap::new();
        let share = 1.0 / self.ways.len() as f64;
        for (way, values) in self.ways.iter().zip(values) {
            for ((point, offer), played) in way.graph.offers(values) {
                let point = &way.graph.points()[point as usize];
                let name = offer_name(self.rules, way.setup, point, offer);
                let sum = offers.entry((self.place(way, point), name)).or_default();
                sum.offered += share * played.offered;
                sum.best += share * played.best;
                sum.alone += share * played.alone;
            }
        }
        offers
    }

    fn place(&self, way: &Way<'_>, point: &Point) -> Place {
        Place {
            side: way.side(point.side).index(),
            doctrine: self.rules.doctrines[doctrine_of(way.setup, point.unit)].id.clone(),
            phase: self.rules.phases[usize::from(point.phase)].id.clone(),
        }
    }
}
