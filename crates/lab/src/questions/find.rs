//! The search for a value: at which value of a number does a metric reach its target?

use std::collections::BTreeMap;

use grognard_exact::Limits;
use grognard_stats::{Estimate, Level, bonferroni};
use rayon::prelude::{IntoParallelIterator, IntoParallelRefIterator, IntoParallelRefMutIterator, ParallelIterator};

use super::Demand;
use super::crossing::{Crossing, Tried, crossings};
use super::lane::{Lane, Reading};
use super::solved::{CellTooLarge, all_or_first_error, mean, solve};
use crate::memoised_cells::MemoisedCells;
use crate::progress::{Progress, Stop};
use crate::record::kept;
use crate::results::CellHeader;
use crate::runner::Fighter;
use crate::study::{Change, Number, Study, Variants};

/// How many steps to either side of the current value are tried: the first of these numbers and, if a metric does not
/// cross its target there, the next.
pub const REACH: [i64; 3] = [10, 20, 40];

/// Battles after which a value that is neither certainly above nor certainly below the target is set aside until
/// all values have been tried.
const PATIENCE: u64 = 1 << 14;

/// The values to try.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Values {
    /// As many steps around the current value as needed: see [`REACH`].
    Around,
    /// Exactly these, in thousandths.
    These(Vec<i64>),
}

/// A search for the value of a number at which a metric reaches its target.
#[derive(Clone, Debug)]
pub struct Search {
    /// The number.
    pub number: Number,
    /// The values to try.
    pub values: Values,
    /// The metric and its target.
    pub demand: Demand,
    /// The cells, by index in the study; all if empty.
    pub cells: Vec<usize>,
    /// The maximum number of battles in a cell at one value.
    pub battles: u64,
    /// The required precision, plus or minus, at the values on either side of a crossing.
    pub precision: f64,
    /// The simultaneous confidence level of all intervals.
    pub level: Level,
    /// Worker threads; 0 means one for each core.
    pub threads: usize,
    /// Limits for computing the odds instead of fighting; `None` to fight.
    pub exact: Option<Limits>,
}

/// The result of a search.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Found {
    /// The cells.
    pub cells: Vec<FoundCell>,
    /// Values that the rules do not allow, in thousandths.
    pub refused: Vec<i64>,
    /// Battles fought.
    pub fought: u64,
    /// The number of simultaneous intervals.
    pub intervals: usize,
    /// Whether it was stopped before everything had the requested precision.
    pub stopped: bool,
}

/// A cell of a search.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct FoundCell {
    /// The cell.
    pub header: CellHeader,
    /// The values that were tried, in ascending order.
    pub tried: Vec<Tried>,
    /// Where the metric crosses its target.
    pub crossings: Vec<Crossing>,
}

/// Whether a cell of a search has reached its target.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reach {
    /// The metric crosses its target between two values.
    Found,
    /// The odds were computed, and at some value the metric equals the target without crossing it.
    Met,
    /// At every value tried, the metric certainly misses its target, always on the same side.
    Never,
    /// At some value the battles do not show on which side of its target the metric lies, or the search was stopped
    /// before all values were tried.
    Undecided,
}

impl FoundCell {
    /// The crossing nearest to a value of the number, in thousandths.
    #[must_use]
    pub fn nearest(&self, value: i64) -> Option<&Crossing> {
        let distance = |crossing: &&Crossing| (crossing.at.value - value as f64 / 1e3).abs();
        self.crossings.iter().min_by(|one, other| distance(one).total_cmp(&distance(other)))
    }
}

/// Why there is no answer.
#[derive(Debug, thiserror::Error)]
pub enum FindError {
    /// The rules allow none of the values.
    #[error("the rules allow none of the values")]
    NoValues,
    /// A cell is too large to compute.
    #[error(transparent)]
    TooLarge(#[from] CellTooLarge),
    /// The worker threads could not be started.
    #[error("cannot start the worker threads: {0}")]
    Threads(#[from] rayon::ThreadPoolBuildError),
}

/// The cells with one value of the number, and the data on each.
struct Variant {
    study: Study,
    known: Vec<Known>,
}

/// The data on a cell at one value.
#[derive(Clone, Debug, Default)]
struct Known {
    lane: Lane,
    exact: Option<Estimate>,
}

/// The setting in which a search fights: a cell, by index, at a value of the number.
struct Ground<'a> {
    fighter: &'a MemoisedCells<'a>,
    value: i64,
    place: usize,
}

impl Search {
    /// The approximate maximum number of battles, for progress; 0 if the odds are computed.
    #[must_use]
    pub fn battles_about(&self, study: &Study) -> u64 {
        if self.exact.is_some() {
            return 0;
        }
        let cells = study.chosen(&self.cells).len() as u64;
        let values = self.rings()[0].len() as u64;
        cells * values * PATIENCE.min(self.battles) + 2 * cells * self.battles
    }

    /// Undecided if a cell is; otherwise whether any cell has reached the target.
    #[must_use]
    pub fn reach(&self, found: &Found) -> Reach {
        let is = |reach: Reach| found.cells.iter().any(|cell| self.reach_of(cell, found) == reach);
        [Reach::Undecided, Reach::Found, Reach::Met].into_iter().find(|&reach| is(reach)).unwrap_or(Reach::Never)
    }

    /// Whether a cell of the result has reached the target.
    #[must_use]
    pub fn reach_of(&self, cell: &FoundCell, found: &Found) -> Reach {
        if !cell.crossings.is_empty() {
            return Reach::Found;
        }
        match self.open(cell).as_slice() {
            [] if found.stopped => Reach::Undecided,
            [] => Reach::Never,
            _ if self.exact.is_some() => Reach::Met,
            _ => Reach::Undecided,
        }
    }

    /// The values at which it is unclear on which side of its target a cell's metric lies.
    #[must_use]
    pub fn open<'f>(&self, cell: &'f FoundCell) -> Vec<&'f Tried> {
        cell.tried.iter().filter(|tried| tried.metric.holds(self.demand.value)).collect()
    }

    /// The lists of values in the order in which they are tried. Later lists are tried only if they are needed.
    fn rings(&self) -> Vec<Vec<i64>> {
        let Values::These(values) = &self.values else {
            let mut reached = -1;
            let ring = |reach: i64| {
                let pips = (-reach..=reach).filter(|pips| pips.abs() > reached);
                let ring = pips.map(|pips| self.number.value.saturating_add(pips * self.number.pip)).collect();
                reached = reach;
                ring
            };
            return REACH.into_iter().map(ring).collect();
        };
        vec![values.clone()]
    }

    /// Runs the search.
    ///
    /// A search that `stop` ended is a success: all its intervals are valid, and [`Found::stopped`] is set.
    ///
    /// # Errors
    /// See [`FindError`].
    pub fn run(
        &self,
        study: &Study,
        variants: &Variants<'_>,
        progress: &dyn Progress,
        stop: &Stop,
    ) -> Result<Found, FindError> {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(self.threads).build()?;
        pool.install(|| Work::new(self, study, progress, stop).run(study, variants))
    }
}

/// A search in progress.
struct Work<'a> {
    search: &'a Search,
    chosen: Vec<usize>,
    reading: Reading<'a>,
    /// The number of simultaneous intervals, and the level of each.
    intervals: usize,
    each: Level,
    progress: &'a dyn Progress,
    stop: &'a Stop,
}

impl<'a> Work<'a> {
    fn new(search: &'a Search, study: &Study, progress: &'a dyn Progress, stop: &'a Stop) -> Self {
        let chosen = study.chosen(&search.cells);
        // All values that could be tried count, even those that were not, because whether they are tried depends on the
        // battles.
        let intervals = chosen.len() * search.rings().iter().map(Vec::len).sum::<usize>();
        let reading = Reading { quantity: &search.demand.quantity, round: study.round() };
        Self { search, chosen, reading, intervals, each: bonferroni(search.level, intervals), progress, stop }
    }

    fn run(&self, study: &Study, variants: &Variants<'_>) -> Result<Found, FindError> {
        let mut tried: BTreeMap<i64, Variant> = BTreeMap::new();
        let mut refused = Vec::new();
        let mut open: Vec<usize> = (0..self.chosen.len()).collect();
        for ring in self.search.rings() {
            if open.is_empty() || self.stop.is_raised() {
                break;
            }
            let made: Vec<(i64, Option<Result<Variant, FindError>>)> =
                ring.into_par_iter().map(|value| (value, self.try_value(study, variants, value, &open))).collect();
            for (value, variant) in made {
                match variant {
                    Some(variant) => _ = tried.insert(value, variant?),
                    None => refused.push(value),
                }
            }
            open.retain(|&place| self.crossings(&tried, place).is_empty());
        }
        if tried.is_empty() && !self.stop.is_raised() {
            return Err(FindError::NoValues);
        }
        self.settle(&mut tried);
        self.sharpen(&mut tried);
        refused.sort_unstable();
        let cell = |(place, &cell): (usize, &usize)| FoundCell {
            header: study.cells[cell].header.clone(),
            tried: self.points(&tried, place),
            crossings: self.crossings(&tried, place),
        };
        let all = || tried.values().flat_map(|variant| &variant.known);
        Ok(Found {
            cells: self.chosen.iter().enumerate().map(cell).collect(),
            refused,
            fought: all().map(|known| known.lane.battles).sum(),
            intervals: self.intervals,
            stopped: self.stop.is_raised(),
        })
    }

    /// The cells at one value, each fought until it is clear on which side of the target it lies, or up to the limit;
    /// `None` if the rules do not allow the value.
    fn try_value(
        &self,
        study: &Study,
        variants: &Variants<'_>,
        value: i64,
        open: &[usize],
    ) -> Option<Result<Variant, FindError>> {
        let change = Change { number: &self.search.number, value };
        let cells = variants.cells(study, &self.chosen, &[change]).ok()?;
        let study = study.with_cells(cells);
        let fighter = MemoisedCells::new(&study);
        let patience = PATIENCE.min(self.search.battles);
        let places: Vec<usize> = (0..self.chosen.len()).collect();
        let known = all_or_first_error(&places, |&place| -> Result<Known, FindError> {
            let mut known = Known::default();
            if !open.contains(&place) {
                return Ok(known);
            }
            match &self.search.exact {
                Some(limits) => {
                    let solution = solve(&study.cells[place], limits, self.progress, self.stop)?;
                    known.exact = solution.map(|solution| mean(self.reading.quantity, &solution));
                }
                None => {
                    let is_clear = |metric: &Estimate| !metric.holds(self.search.demand.value);
                    let ground = Ground { fighter: &fighter, value, place };
                    self.fight(&mut known.lane, &ground, patience, &is_clear);
                    self.progress.advance(patience.saturating_sub(known.lane.battles));
                }
            }
            Ok(known)
        });
        drop(fighter);
        Some(known.map(|known| Variant { study, known }))
    }

    /// Continues to fight, one look at a time, until `enough` returns true.
    fn fight(&self, lane: &mut Lane, ground: &Ground<'_>, most: u64, enough: &dyn Fn(&Estimate) -> bool) {
        while lane.battles < most && !self.stop.is_raised() {
            let next = lane.next_look(most);
            let battles = lane.battles..next;
            self.progress.advance(next - lane.battles);
            let Ground { fighter, value, place } = ground;
            let counts = kept(
                self.progress,
                || (format!("{value} {place} "), format!("{battles:?}")),
                || Some(self.reading.counts(&fighter.fight(*place as u32, battles.clone()), None)),
            );
            let Some(counts) = counts else { break };
            lane.add(counts, next, false);
            if enough(&lane.estimate(self.reading, self.each)) {
                break;
            }
        }
    }

    /// If nothing crosses the target, continues to fight at the values that are still unclear: it is not known on which
    /// side of the target the metric lies. The farthest from the target comes first, until one remains unclear after
    /// all battles.
    fn settle(&self, tried: &mut BTreeMap<i64, Variant>) {
        if self.search.exact.is_some() {
            return;
        }
        let places: Vec<usize> = (0..self.chosen.len()).collect();
        let settled: Vec<BTreeMap<i64, Lane>> = places.par_iter().map(|&place| self.settled(tried, place)).collect();
        for (place, lanes) in settled.into_iter().enumerate() {
            for (value, lane) in lanes {
                if let Some(variant) = tried.get_mut(&value) {
                    variant.known[place].lane = lane;
                }
            }
        }
    }

    /// The updated data for the values at which a cell fought more battles.
    fn settled(&self, tried: &BTreeMap<i64, Variant>, place: usize) -> BTreeMap<i64, Lane> {
        let target = self.search.demand.value;
        let mut points = self.points(tried, place);
        let mut lanes = BTreeMap::new();
        while crossings(&points, target).is_empty() && !self.stop.is_raised() {
            let is_open = |point: &&mut Tried| point.metric.holds(target) && point.metric.runs < self.search.battles;
            let distance = |point: &&mut Tried| (point.metric.point - target).abs();
            let open = points.iter_mut().filter(is_open);
            let Some(point) = open.max_by(|one, other| distance(one).total_cmp(&distance(other))) else { break };
            let variant = &tried[&point.value];
            let fighter = MemoisedCells::new(&variant.study);
            let mut lane = variant.known[place].lane.clone();
            let is_clear = |metric: &Estimate| !metric.holds(target);
            self.fight(
                &mut lane,
                &Ground { fighter: &fighter, value: point.value, place },
                self.search.battles,
                &is_clear,
            );
            point.metric = lane.estimate(self.reading, self.each);
            lanes.insert(point.value, lane);
            if point.metric.holds(target) {
                break;
            }
        }
        lanes
    }

    /// Fights at the values next to each crossing until they have the requested precision.
    fn sharpen(&self, tried: &mut BTreeMap<i64, Variant>) {
        if self.search.exact.is_some() {
            return;
        }
        let mut wanted: BTreeMap<i64, Vec<usize>> = BTreeMap::new();
        for place in 0..self.chosen.len() {
            for Crossing { below, above, even, .. } in self.crossings(tried, place) {
                for point in even.iter().chain([&below, &above]) {
                    wanted.entry(point.value).or_default().push(place);
                }
            }
        }
        let mut variants: Vec<(i64, &mut Variant, Vec<usize>)> =
            tried.iter_mut().filter_map(|(value, variant)| Some((*value, variant, wanted.remove(value)?))).collect();
        variants.par_iter_mut().for_each(|(value, variant, places)| {
            places.dedup();
            let fighter = MemoisedCells::new(&variant.study);
            let sharpened: Vec<(usize, Lane)> = places
                .par_iter()
                .map(|&place| {
                    let mut lane = variant.known[place].lane.clone();
                    let ground = Ground { fighter: &fighter, value: *value, place };
                    let is_precise = |metric: &Estimate| metric.half_width() <= self.search.precision;
                    self.fight(&mut lane, &ground, self.search.battles, &is_precise);
                    (place, lane)
                })
                .collect();
            drop(fighter);
            for (place, lane) in sharpened {
                variant.known[place].lane = lane;
            }
        });
    }

    fn points(&self, tried: &BTreeMap<i64, Variant>, place: usize) -> Vec<Tried> {
        let point = |(&value, variant): (&i64, &Variant)| {
            let known = &variant.known[place];
            let fought = (known.lane.battles > 0).then(|| known.lane.estimate(self.reading, self.each));
            Some(Tried { value, metric: known.exact.or(fought)? })
        };
        tried.iter().filter_map(point).collect()
    }

    fn crossings(&self, tried: &BTreeMap<i64, Variant>, place: usize) -> Vec<Crossing> {
        crossings(&self.points(tried, place), self.search.demand.value)
    }
}
