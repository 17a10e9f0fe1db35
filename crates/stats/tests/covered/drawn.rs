//! Coverage by simulation, where there are too many cases to sum over. Seeds are fixed, so the result is always the
//! same.

use std::ops::RangeInclusive;

use grognard_stats::{
    Estimate, Intervals, Level, Pairs, decide, evidence, holm, independent_difference, mean_p_value, next_rung,
    pairs_from_known, tied_difference, tied_mean,
};
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};

use super::{holds, is_precise};

/// Figures of a unit; it may lose any number of them.
const FIGURES: i32 = 12;
/// Tests that are corrected together.
const TESTS: i32 = 20;

/// Studies to be simulated.
#[derive(Clone, Copy)]
pub(crate) struct Studies {
    pub(crate) count: u64,
    pub(crate) seed: u64,
}

impl Studies {
    /// The share of studies for which `holds` is true.
    pub(crate) fn share(self, mut holds: impl FnMut(&mut Dice) -> bool) -> f64 {
        self.share_of_given(|dice| Some(holds(dice))).unwrap_or(0.0)
    }

    /// The share of studies for which `holds` is true among those that have a result; `None` if fewer than a tenth have
    /// one.
    pub(crate) fn share_of_given(self, mut holds: impl FnMut(&mut Dice) -> Option<bool>) -> Option<f64> {
        let given: Vec<bool> = (0..self.count).filter_map(|study| holds(&mut Dice::of(self.seed, study))).collect();
        let held = given.iter().filter(|holds| **holds).count();
        (10 * given.len() as u64 >= self.count.max(1)).then(|| held as f64 / given.len() as f64)
    }
}

/// The dice of one study, independent of those of other studies.
pub(crate) struct Dice(ChaCha8Rng);

impl Dice {
    pub(crate) fn of(seed: u64, study: u64) -> Self {
        let mut random = ChaCha8Rng::seed_from_u64(seed);
        random.set_stream(study);
        Self(random)
    }

    /// A uniformly distributed number from 0 to 1.
    pub(crate) fn part(&mut self) -> f64 {
        (self.0.next_u64() >> 11) as f64 / (1_u64 << 53) as f64
    }

    /// A uniformly distributed whole number below `most`.
    pub(crate) fn below(&mut self, most: usize) -> usize {
        (self.part() * most as f64) as usize
    }

    /// The number of successes in `runs` battles, found by searching their distribution outward from the most likely
    /// count.
    pub(crate) fn successes(&mut self, runs: u64, chance: f64) -> u64 {
        if runs == 0 || chance <= 0.0 || chance >= 1.0 {
            return if chance >= 1.0 { runs } else { 0 };
        }
        let odds = chance / (1.0 - chance);
        let mode = (((runs + 1) as f64 * chance) as u64).min(runs);
        let of = |count: u64| count as f64 * chance.ln() + (runs - count) as f64 * (-chance).ln_1p();
        let likeliest = log_factorial(runs) - log_factorial(mode) - log_factorial(runs - mode) + of(mode);
        let mut left = self.part() - likeliest.exp();
        let (mut above, mut below) = ((mode, likeliest.exp()), (mode, likeliest.exp()));
        while left > 0.0 && above.1 + below.1 > 0.0 {
            above.1 *= runs.saturating_sub(above.0) as f64 / (above.0 + 1) as f64 * odds;
            above.0 += 1;
            left -= above.1;
            if left <= 0.0 {
                return above.0.min(runs);
            }
            below.1 *= below.0 as f64 / (runs - below.0 + 1) as f64 / odds;
            below.0 = below.0.saturating_sub(1);
            left -= below.1;
            if left <= 0.0 {
                return below.0;
            }
        }
        mode
    }

    /// How often each face comes up in `runs` battles.
    pub(crate) fn faces(&mut self, runs: u64, chances: &[f64]) -> Vec<u64> {
        let (mut rest, mut left) = (runs, 1.0);
        let mut face = |(at, &chance): (usize, &f64)| {
            let last = at + 1 == chances.len();
            let count = if last { rest } else { self.successes(rest, (chance / left).clamp(0.0, 1.0)) };
            (rest, left) = (rest - count, left - chance);
            count
        };
        chances.iter().enumerate().map(&mut face).collect()
    }
}

/// The logarithm of a factorial, by Stirling's series if that is exact enough.
fn log_factorial(count: u64) -> f64 {
    if count < 16 {
        return (2..=count).map(|factor| (factor as f64).ln()).sum();
    }
    let count = count as f64;
    let series = 1.0 / (12.0 * count) - 1.0 / (360.0 * count.powi(3)) + 1.0 / (1_260.0 * count.powi(5));
    count * count.ln() - count + 0.5 * (std::f64::consts::TAU * count).ln() + series
}

/// A value of a battle, or of a pair of battles: its possible values with their probabilities.
pub(crate) struct Value {
    values: Vec<i32>,
    pub(super) chances: Vec<f64>,
    pub(super) range: RangeInclusive<i32>,
}

impl Value {
    /// The losses of a unit that loses each figure with this probability.
    pub(crate) fn losses(chance: f64) -> Self {
        let (values, chances) = hits(FIGURES, chance);
        Self { values, chances, range: 0..=FIGURES }
    }

    /// The extra losses of a cell over its baseline: with this probability each, the cell alone loses each of four
    /// figures, and the baseline alone each of two others.
    pub(crate) fn more_losses(chance: f64) -> Self {
        let (own, base) = (hits(4, chance), hits(2, chance));
        let mut chances = vec![0.0; 7];
        for (own, of_own) in own.0.iter().zip(&own.1) {
            for (base, of_base) in base.0.iter().zip(&base.1) {
                chances[(own - base + 2) as usize] += of_own * of_base;
            }
        }
        Self { values: (-2..=4).collect(), chances, range: -FIGURES..=FIGURES }
    }

    /// The turn of the first rout in battles that have one: mostly early, rarely late.
    fn rout() -> Self {
        Self { values: vec![2, 3, 8], chances: vec![0.9, 0.09, 0.01], range: 1..=12 }
    }

    pub(super) fn mean(&self) -> f64 {
        self.values.iter().zip(&self.chances).map(|(value, chance)| f64::from(*value) * chance).sum()
    }

    pub(super) fn counts(&self, counts: &[u64]) -> Vec<(i32, u64)> {
        self.values.iter().copied().zip(counts.iter().copied()).collect()
    }

    /// The coverage of the interval of the mean.
    pub(crate) fn covered(&self, intervals: Intervals, runs: u64, studies: Studies) -> f64 {
        let truth = self.mean();
        studies.share(|dice| {
            let counts = self.counts(&dice.faces(runs, &self.chances));
            holds(&intervals.mean(counts, self.range.clone()), truth)
        })
    }

    /// The coverage of the interval of the difference between its mean and another value's, in battles with different
    /// dice.
    pub(crate) fn covered_beside(&self, other: &Self, intervals: Intervals, runs: u64, studies: Studies) -> f64 {
        let truth = self.mean() - other.mean();
        studies.share(|dice| {
            let mut mean = |of: &Self| {
                let counts = of.counts(&dice.faces(runs, &of.chances));
                intervals.mean(counts, of.range.clone())
            };
            let (own, other) = (mean(self), mean(other));
            holds(&independent_difference(&own, &other), truth)
        })
    }

    /// How often all intervals computed at these checks hold.
    pub(crate) fn watched(&self, looks: &[u64], level: Level, studies: Studies) -> f64 {
        let truth = self.mean();
        studies.share(|dice| {
            let (mut all, mut fought) = (vec![0; self.values.len()], 0);
            looks.iter().all(|&look| {
                let more = dice.faces(look - fought, &self.chances);
                all.iter_mut().zip(more).for_each(|(all, more)| *all += more);
                fought = look;
                // A watched interval contains the means against which there is not enough evidence.
                !evidence(self.counts(&all), &self.range, truth).is_enough(level)
            })
        })
    }
}

/// The coverage of the interval of a mean over only the battles that have the value; with `differs`, of the interval of
/// the difference from another cell, which has the value half as often and always as early as possible, in battles that
/// are correlated by the dice. A study in which a cell never has the value has no such interval.
pub(crate) fn of_some_battles(
    intervals: Intervals,
    runs: u64,
    chance: f64,
    differs: bool,
    studies: Studies,
) -> Option<f64> {
    let (own, base) = (Value::rout(), Value { chances: vec![1.0, 0.0, 0.0], ..Value::rout() });
    studies.share_of_given(|dice| {
        // The baseline has the value only in battles in which the cell has it.
        let seen = dice.successes(runs, chance);
        let of_base = dice.successes(seen, 0.5);
        let mut mean = |of: &Value, seen: u64, intervals: Intervals| {
            let counts = of.counts(&dice.faces(seen, &of.chances));
            intervals.mean(counts, of.range.clone())
        };
        if !differs {
            return (seen > 0).then(|| holds(&mean(&own, seen, intervals), own.mean()));
        }
        let both = intervals.together(2);
        let found = tied_difference(&mean(&own, seen, both), &mean(&base, of_base, both), intervals.level);
        (of_base > 0).then(|| holds(&found, own.mean() - base.mean()))
    })
}

/// The coverage of the interval of a difference of shares if all battles had the same dice and only some pairs were
/// kept: a tenth, but at least 100 and at most 10,000. In a share of the pairs, only the cell has the event; in half as
/// many, or as many as there is room for, only the baseline has it.
pub(crate) fn of_kept_pairs(level: Level, runs: u64, chance: f64, studies: Studies) -> f64 {
    let lost = chance.min(1.0 - chance) / 2.0;
    let chances = [lost, chance, 1.0 - lost - chance];
    studies.share(|dice| {
        let [known, rest] = [kept(runs), runs - kept(runs)].map(|pairs| dice.faces(pairs, &chances));
        let pairs = Pairs { both: 0, cell_only: known[1], baseline_only: known[0], neither: known[2] };
        let all = pairs_from_known(&pairs, known[1] + rest[1], known[0] + rest[0], runs, level);
        holds(&Intervals::at(level).share_difference(all), chance - lost)
    })
}

/// The coverage of the interval of a mean at the end of a study that ends as soon as a share is known to plus or minus
/// `half_width`. A battle with the event costs twelve figures, and some other battles cost one.
pub(crate) fn of_precise_means(level: Level, half_width: f64, chance: f64, studies: Studies) -> f64 {
    let one = (5.0 * chance).min((1.0 - chance) / 2.0);
    let chances = [chance, one, 1.0 - chance - one];
    studies.share(|dice| {
        let (mut counts, mut fought) = ([0; 3], 0);
        loop {
            let rung = next_rung(fought);
            let more = dice.faces(rung - fought, &chances);
            counts.iter_mut().zip(more).for_each(|(all, more)| *all += more);
            fought = rung;
            if is_precise(counts[0], rung, half_width, level) {
                let [all, one, none] = counts;
                let found = Intervals::at(level).mean([(0, none), (1, one), (12, all)], 0..=12);
                return holds(&found, 12.0 * chance + chances[1]);
            }
        }
    })
}

/// The coverage of the interval of a mean over only the battles that have the value, if the battles come in rounds of
/// two with the same dice. In the share `chance` of the rounds, at least one battle has the value; in half of these,
/// both do, with the same value.
pub(crate) fn of_some_rounds(intervals: Intervals, runs: u64, chance: f64, studies: Studies) -> Option<f64> {
    let value = Value::rout();
    studies.share_of_given(|dice| {
        let seen = dice.successes(runs / 2, chance);
        let twice = dice.successes(seen, 0.5);
        let mut of = |rounds: u64| dice.faces(rounds, &value.chances);
        let counts: Vec<u64> = of(seen - twice).iter().zip(of(twice)).map(|(one, two)| one + 2 * two).collect();
        let found = intervals.mean_of_rounds(value.counts(&counts), value.range.clone());
        (seen > 0).then(|| holds(&found, value.mean()))
    })
}

/// The number of pairs kept out of this many.
pub(super) fn kept(runs: u64) -> u64 {
    (runs / 10).clamp(100, 10_000)
}

/// How many of `dice` succeed, with the probability of each number.
pub(super) fn hits(dice: i32, chance: f64) -> (Vec<i32>, Vec<f64>) {
    let ways = |count: i32| (0..count).map(|at| f64::from(dice - at) / f64::from(at + 1)).product::<f64>();
    let chance = |count: i32| ways(count) * chance.powi(count) * (1.0 - chance).powi(dice - count);
    ((0..=dice).collect(), (0..=dice).map(chance).collect())
}

/// The faces of one die that the battles of all cells share: on one, nothing happens in any cell; there are eight
/// others.
fn faces(chance: f64) -> Vec<f64> {
    let rare = [0.5, 0.25, 0.25, 0.25, 0.25, 0.25, 0.15, 0.1].map(|part| part * chance);
    std::iter::once(1.0 - rare.iter().sum::<f64>()).chain(rare).collect()
}

/// A cell's battle on each face: the winner, losses and turns.
fn battle(cell: usize, face: usize) -> (usize, i32, i32) {
    match face {
        0 => (0, 0, 2),
        _ => ((face + cell) % 3, (face * (cell + 1)) as i32 % (FIGURES + 1), 2 + (face + cell) as i32 % 5),
    }
}

/// How often all 35 intervals of a study hold together: the wins of both sides, draws, losses and turns of four cells,
/// and the differences of three of them from the first. The battles of all cells share their dice.
pub(crate) fn of_study(intervals: Intervals, runs: u64, chance: f64, studies: Studies) -> f64 {
    const CELLS: usize = 4;
    const METRICS: usize = 5;
    let each = intervals.together(METRICS * (2 * CELLS - 1));
    let chances = faces(chance);
    let value = |cell: usize, metric: usize, face: usize| {
        let (verdict, losses, turns) = battle(cell, face);
        match metric {
            0..3 => i32::from(verdict == metric),
            3 => losses,
            _ => turns,
        }
    };
    let is_held = |counts: &[u64], cell: usize, base: Option<usize>, metric: usize| {
        let of = |face: usize| value(cell, metric, face) - base.map_or(0, |base| value(base, metric, face));
        let truth = chances.iter().enumerate().map(|(face, chance)| f64::from(of(face)) * chance).sum();
        let count =
            |sought: i32| counts.iter().enumerate().filter(|(face, _)| of(*face) == sought).map(|(_, n)| n).sum();
        let estimate = match (metric, base) {
            (0..3, None) => each.share(count(1), runs),
            (0..3, Some(_)) => {
                let pairs = Pairs { both: 0, cell_only: count(1), baseline_only: count(-1), neither: count(0) };
                each.share_difference(pairs)
            }
            _ => {
                let least = if base.is_some() { -FIGURES } else { 0 };
                let values: Vec<(i32, u64)> = (-FIGURES..=FIGURES).map(|value| (value, count(value))).collect();
                each.mean(values, least..=FIGURES)
            }
        };
        holds(&estimate, truth)
    };
    studies.share(|dice| {
        let counts = dice.faces(runs, &chances);
        (0..CELLS).all(|cell| {
            (0..METRICS).all(|metric| {
                is_held(&counts, cell, None, metric) && (cell == 0 || is_held(&counts, cell, Some(0), metric))
            })
        })
    })
}

/// How often none of twenty tests that are corrected together (Holm) finds a difference when there is none. Half of the
/// tests compare pairs of a share, the others pairs of a mean. All share their dice.
pub(crate) fn of_tests(runs: u64, chance: f64, level: Level, studies: Studies) -> f64 {
    // Each face is as likely as its opposite, with the two cells exchanged.
    let one_way = faces(chance);
    let chances: Vec<f64> = one_way.iter().chain(&one_way).map(|chance| chance / 2.0).collect();
    studies.share(|dice| {
        let counts = dice.faces(runs, &chances);
        let (own, turned) = counts.split_at(one_way.len());
        let p_value = |test: i32| {
            let of = |face: usize| if face == 0 { 0 } else { (face as i32 * (test + 2)) % 7 - 3 };
            let ways = || (0..own.len()).flat_map(|face| [(of(face), own[face]), (-of(face), turned[face])]);
            if test % 2 == 0 {
                let count = |sign: i32| ways().filter(|(value, _)| value.signum() == sign).map(|(_, n)| n).sum();
                Pairs { both: 0, cell_only: count(1), baseline_only: count(-1), neither: count(0) }.p_value()
            } else {
                let count = |value: i32| (value, ways().filter(|way| way.0 == value).map(|(_, n)| n).sum());
                mean_p_value((-3..=3).map(count), &(-FIGURES..=FIGURES), 0.0)
            }
        };
        let p_values: Vec<f64> = (0..TESTS).map(p_value).collect();
        holm(&p_values).into_iter().all(|p| p >= level.alpha())
    })
}

/// How often the mean of a side's wins over the cells of a study lies within the interval that is computed without
/// comparing battles, which assumes nothing about how the cells' dice are related.
pub(crate) fn of_pooled(intervals: Intervals, runs: u64, chance: f64, studies: Studies) -> f64 {
    const CELLS: usize = 4;
    let (each, chances) = (intervals.together(CELLS), faces(chance));
    let is_won = |cell: usize, face: usize| battle(cell, face).0 == 1;
    let won = |cell: usize| chances.iter().enumerate().filter(move |(face, _)| is_won(cell, *face));
    let truth = (0..CELLS).flat_map(won).map(|(_, chance)| chance).sum::<f64>() / CELLS as f64;
    studies.share(|dice| {
        let counts = dice.faces(runs, &chances);
        let count = |cell| counts.iter().enumerate().filter(|(face, _)| is_won(cell, *face)).map(|(_, n)| n).sum();
        let shares: Vec<Estimate> = (0..CELLS).map(|cell| each.share(count(cell), runs)).collect();
        holds(&tied_mean(&shares, intervals.level), truth)
    })
}

/// How often no difference is ever reported between two cells that score the same. One of them wins this share of the
/// pairs alone, or draws what the other loses, equally often in either direction.
pub(crate) fn of_decisions(looks: &[u64], chance: f64, level: Level, studies: Studies) -> f64 {
    let chances = [0.3, 0.2, 0.2, 0.3].map(|part| part * chance).into_iter().chain([1.0 - chance]);
    let same = Value { values: vec![-2, -1, 1, 2, 0], chances: chances.collect(), range: -2..=2 };
    studies.share(|dice| {
        let (mut all, mut fought) = (vec![0; same.values.len()], 0);
        looks.iter().all(|&look| {
            let more = dice.faces(look - fought, &same.chances);
            all.iter_mut().zip(more).for_each(|(all, more)| *all += more);
            fought = look;
            !decide(same.counts(&all), &same.range, level).decided
        })
    })
}
