//! Several numbers varied at once over their ranges: elementary effects (Morris, *Technometrics* 33 (1991) 161; the
//! mean of their sizes after Campolongo, Cariboni and Saltelli, 2007).
//!
//! A trajectory through the ranges starts at a random point and changes one number after another, in random order, by
//! half of its range. The effect on the answer, for a step over the whole range, is an elementary effect of that
//! number. If its effects are all equal, the number acts linearly and independently of the others; if they differ, it
//! is nonlinear or depends on the others.

use std::collections::BTreeMap;

use grognard_stats::{Level, crossed_mean};
use rayon::prelude::{IntoParallelRefIterator, ParallelIterator};

use super::draws::Draws;
use super::fought::{fight_all, named, totals};
use super::{AskError, Effects, Global, GlobalRow, Inquiry, Ranged};
use crate::progress::{Progress, Stop};
use crate::record::kept;
use crate::study::{Change, Number, Study, Variants};

/// The default range of a number: this many steps to either side.
pub const REACH: i64 = 3;

/// The position of each number in its range.
type Places = Vec<i64>;

/// A step of one number on a trajectory: its index among the numbers, and the combinations before and after.
struct Move {
    number: usize,
    from: Places,
    to: Places,
}

impl Ranged {
    /// The number with a range of [`REACH`] pips to either side, or as far as the rules allow.
    #[must_use]
    pub fn around(number: &Number, study: &Study, variants: &Variants<'_>) -> Self {
        let every: Vec<usize> = (0..study.cells.len()).collect();
        let allowed = |value: i64| variants.cells(study, &every, &[Change { number, value }]).is_ok();
        let reach = |sign: i64| {
            let values = (1..=REACH).rev().map(|pips| number.value.saturating_add(sign * pips * number.pip));
            values.into_iter().find(|&value| allowed(value)).unwrap_or(number.value)
        };
        Self { number: number.clone(), low: reach(-1), high: reach(1) }
    }

    /// The number of pips from the minimum to the maximum.
    #[must_use]
    pub fn pips(&self) -> i64 {
        (self.high - self.low) / self.number.pip
    }

    /// The number of pips in a step: half of the range, but at least one.
    fn step(&self) -> i64 {
        (self.pips() / 2).max(1)
    }

    fn value(&self, place: i64) -> i64 {
        self.low + place * self.number.pip
    }
}

impl Inquiry {
    /// The maximum number of battles that [`Self::global`] fights.
    #[must_use]
    pub fn global_at_most(&self, study: &Study, numbers: usize, ways: usize) -> u64 {
        ((numbers + 1) * ways) as u64 * self.battles * study.chosen(&self.cells).len() as u64
    }

    /// Varies the numbers together. A number is left out if its range has no step, or if the rules allow none of its
    /// steps, because then nothing is known about its effects.
    ///
    /// # Errors
    /// It was stopped, or the threads cannot be started.
    pub fn global(
        &self,
        study: &Study,
        variants: &Variants<'_>,
        ranges: &[Ranged],
        ways: usize,
        progress: &dyn Progress,
        stop: &Stop,
    ) -> Result<Global, AskError> {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(self.threads).build()?;
        let ranges: Vec<Ranged> = ranges.iter().filter(|range| range.pips() > 0).cloned().collect();
        let moves = moves(&ranges, ways, study.seed);
        let fought = pool.install(|| self.combinations(study, variants, &ranges, &moves, progress, stop));
        let fought = fought.ok_or(AskError::Stopped)?;
        let mut rows: Vec<GlobalRow> =
            ranges.iter().enumerate().map(|(place, range)| self.row(place, range, &moves, &fought)).collect();
        rows.sort_by(|one, other| other.effects.size.point.total_cmp(&one.effects.size.point));
        let taken: usize = rows.iter().map(|row| row.effects.measured).sum();
        rows.retain(|row| row.effects.measured > 0);
        let played = fought.values().flatten().count();
        let cells = study.chosen(&self.cells).len() as u64;
        Ok(Global {
            rows,
            ways,
            combinations: played,
            refused: moves.len() - taken,
            fought: played as u64 * self.battles * cells,
        })
    }

    /// The observations of every combination, as means of a battle; `None` for one that the rules do not allow.
    fn combinations(
        &self,
        study: &Study,
        variants: &Variants<'_>,
        ranges: &[Ranged],
        moves: &[Move],
        progress: &dyn Progress,
        stop: &Stop,
    ) -> Option<BTreeMap<Places, Option<Vec<f64>>>> {
        let chosen = study.chosen(&self.cells);
        let mut places: Vec<&Places> = moves.iter().flat_map(|step| [&step.from, &step.to]).collect();
        places.sort();
        places.dedup();
        let fight = |places: &&Places| {
            let changes: Vec<Change<'_>> = ranges
                .iter()
                .zip(*places)
                .map(|(range, &place)| Change { number: &range.number, value: range.value(place) })
                .collect();
            let Ok(cells) = variants.cells(study, &chosen, &changes) else {
                progress.advance(self.battles * chosen.len() as u64);
                return Some(((*places).clone(), None));
            };
            let changed = study.with_cells(cells);
            let round = changed.round();
            let battles = (round * changed.cells.len()) as f64;
            let fight = || {
                let outcomes = fight_all(&changed, &(0..self.battles), progress, stop)?;
                Some(totals(&outcomes, round, &self.quantity))
            };
            let totals: Vec<i32> = kept(progress, || named(&changes), fight)?;
            Some(((*places).clone(), Some(totals.into_iter().map(|total| f64::from(total) / battles).collect())))
        };
        places.par_iter().map(fight).collect()
    }

    fn row(
        &self,
        place: usize,
        range: &Ranged,
        moves: &[Move],
        fought: &BTreeMap<Places, Option<Vec<f64>>>,
    ) -> GlobalRow {
        let of = |places: &Places| fought.get(places)?.as_ref();
        // For each trajectory, the effect of the step in each battle, scaled to a step over the whole range.
        let mut changes: Vec<Vec<f64>> = Vec::new();
        for step in moves.iter().filter(|step| step.number == place) {
            let Some((from, to)) = of(&step.from).zip(of(&step.to)) else { continue };
            let whole = range.pips() as f64 / (step.to[place] - step.from[place]) as f64;
            changes.push(from.iter().zip(to).map(|(from, to)| whole * (to - from)).collect());
        }
        let most = self.quantity.most as f64 * range.pips() as f64;
        let counts = vec![1; changes.first().map_or(0, Vec::len)];
        GlobalRow { ranged: range.clone(), effects: Effects::of(changes, &counts, most, self.level) }
    }
}

impl Effects {
    /// The number of changed battles below which the intervals are too narrow: a normal approximation does not hold
    /// when few battles differ.
    pub const CHANGED_MIN: u64 = 100;

    /// The elementary effects whose values in each battle are `changes`, one row for each effect. Column by column,
    /// `counts` is the number of battles with these values. `most` is the greatest size that an effect can have.
    #[must_use]
    pub fn of(mut changes: Vec<Vec<f64>>, counts: &[u64], most: f64, level: Level) -> Self {
        let is_changed = |battle: usize| changes.iter().any(|way| way.get(battle).is_some_and(|&change| change != 0.0));
        let changed = (0..).zip(counts).filter(|(battle, _)| is_changed(*battle)).map(|(_, count)| count).sum::<u64>();
        let found: Vec<(f64, f64)> = changes.iter().map(|changes| mean_and_error(changes, counts)).collect();
        let effects: Vec<f64> = found.iter().map(|(effect, _)| *effect).collect();
        let count = effects.len().max(1) as f64;
        let mean = crossed_mean(&changes, counts, (-most, most), level);
        // The mean size varies from battle to battle like the mean of the effects with the sign of negative ones
        // reversed.
        for (changes, _) in changes.iter_mut().zip(&effects).filter(|(_, effect)| **effect < 0.0) {
            changes.iter_mut().for_each(|change| *change = -*change);
        }
        let mut size = crossed_mean(&changes, counts, (0.0, most), level);
        // Sampling error makes small effects look larger, whatever its sign, so the truth may be lower by this much.
        let larger = found.iter().map(|&(effect, error)| apparent(effect, error)).sum::<f64>() / count;
        size.low = (size.low - larger).max(0.0);
        let average = effects.iter().sum::<f64>() / count;
        let variance = effects.iter().map(|effect| (effect - average).powi(2)).sum::<f64>() / (count - 1.0).max(1.0);
        Self {
            measured: effects.len(),
            changed,
            size,
            mean,
            spread: variance.sqrt(),
            noise: (found.iter().map(|(_, error)| error.powi(2)).sum::<f64>() / count).sqrt(),
        }
    }

    /// Whether enough battles changed for [`Self::size`] and [`Self::mean`] to have intervals.
    #[must_use]
    pub fn has_intervals(&self) -> bool {
        self.changed >= Self::CHANGED_MIN
    }
}

/// The mean of observations with the number of occurrences of each, and its standard error.
fn mean_and_error(values: &[f64], counts: &[u64]) -> (f64, f64) {
    let sum = |of: &dyn Fn(f64) -> f64| values.iter().zip(counts).map(|(&v, &n)| of(v) * n as f64).sum::<f64>();
    let count = counts.iter().sum::<u64>().max(1) as f64;
    let mean = sum(&|value| value) / count;
    (mean, (sum(&|value| (value - mean).powi(2)) / (count - 1.0).max(1.0) / count).sqrt())
}

/// The upward bias in the mean size of an effect with this error: the mean of a folded normal variable minus the size
/// of its centre, for which the estimate is used.
fn apparent(effect: f64, error: f64) -> f64 {
    if error <= 0.0 {
        return 0.0;
    }
    // A bound on Mills's ratio is used for the normal tail: Q(t) ≥ φ(t) t / (1 + t²).
    let errors = effect.abs() / error;
    let density = (-errors * errors / 2.0).exp() / (2.0 * std::f64::consts::PI).sqrt();
    2.0 * error * density / (1.0 + errors * errors)
}

/// The steps of all trajectories, one trajectory after another.
fn moves(ranges: &[Ranged], ways: usize, seed: u64) -> Vec<Move> {
    let mut draws = Draws::new(seed);
    let mut moves = Vec::new();
    for _ in 0..ways {
        // The direction of each number, and the places from which it can start.
        let up: Vec<bool> = ranges.iter().map(|_| draws.below(2) == 0).collect();
        let start = |(range, up): (&Ranged, &bool)| {
            let room = (range.pips() - range.step() + 1).max(1) as usize;
            draws.below(room) as i64 + if *up { 0 } else { range.step() }
        };
        let mut at: Places = ranges.iter().zip(&up).map(start).collect();
        for number in draws.order(ranges.len()) {
            let from = at.clone();
            at[number] += if up[number] { ranges[number].step() } else { -ranges[number].step() };
            moves.push(Move { number, from, to: at.clone() });
        }
    }
    moves
}

#[cfg(test)]
mod tests {
    use grognard_source::Path;

    use super::*;

    fn range(low: i64, high: i64) -> Ranged {
        let path = Path::parse("roll.a.add").expect("a path");
        let number = Number {
            pack: None,
            path,
            clauses: Vec::new(),
            nth: None,
            within: None,
            alone: true,
            varied: false,
            value: low,
            pip: 1_000,
        };
        Ranged { number, low, high }
    }

    #[test]
    fn a_way_changes_every_number_once_and_stays_within_the_ranges() {
        let ranges = [range(-3_000, 3_000), range(0, 1_000), range(2_000, 7_000)];
        let steps = moves(&ranges, 50, 1815);
        assert_eq!(steps.len(), 150);
        for way in steps.chunks(3) {
            let mut numbers: Vec<usize> = way.iter().map(|step| step.number).collect();
            numbers.sort_unstable();
            assert_eq!(numbers, [0, 1, 2]);
            assert!(way.windows(2).all(|pair| pair[0].to == pair[1].from));
            for step in way {
                let places = step.from.iter().chain(&step.to).zip(ranges.iter().cycle());
                assert!(places.into_iter().all(|(&place, range)| (0..=range.pips()).contains(&place)));
                let apart = (step.to[step.number] - step.from[step.number]).abs();
                assert_eq!(apart, ranges[step.number].step());
            }
        }
        let places: std::collections::BTreeSet<i64> = steps.iter().map(|step| step.from[0]).collect();
        assert_eq!(places.into_iter().collect::<Vec<_>>(), [0, 1, 2, 3, 4, 5, 6]);
        let again = moves(&ranges, 50, 1815);
        assert!(steps.iter().zip(&again).all(|(one, other)| one.from == other.from && one.to == other.to));
        let other = moves(&ranges, 50, 1816);
        assert!(steps.iter().zip(&other).any(|(one, other)| one.from != other.from));
    }

    #[test]
    fn a_difference_of_pairs_has_the_error_of_its_mean() {
        // The values 1 and 3 have mean 2 and standard deviation √2; the standard error of the mean is 1.
        let (mean, error) = mean_and_error(&[1.0, 3.0], &[1, 1]);
        assert!((mean - 2.0).abs() < 1e-12 && (error - 1.0).abs() < 1e-12);
    }
}
