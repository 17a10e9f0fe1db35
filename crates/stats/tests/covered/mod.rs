//! Coverage summed over all possible counts: no simulation, and no error except rounding.

pub(crate) mod drawn;
pub(crate) mod normal;
pub(crate) mod prices;

use std::cell::RefCell;
use std::collections::BTreeMap;

use grognard_stats::{
    Controls, Estimate, Intervals, Level, RatioSums, Sums, controlled, evidence, independent_difference, next_rung,
    ratio, share, share_exact,
};

/// The probability below which a count is ignored.
const NEGLIGIBLE: f64 = 1e-16;

/// The probabilities of counts, without negligible ones.
struct Counts {
    first: u64,
    chances: Vec<f64>,
}

impl Counts {
    /// The counts of successes in `runs` battles with this probability each, by recurrence from the mode outward.
    fn new(runs: u64, chance: f64) -> Self {
        if chance <= 0.0 || chance >= 1.0 || runs == 0 {
            return Self { first: if chance >= 1.0 { runs } else { 0 }, chances: vec![1.0] };
        }
        let odds = chance / (1.0 - chance);
        let mode = ((runs + 1) as f64 * chance) as u64;
        let mode = mode.min(runs);
        let (mut above, mut below) = (vec![1.0_f64], Vec::new());
        let (mut weight, mut count) = (1.0, mode);
        while count < runs && weight > NEGLIGIBLE {
            weight *= (runs - count) as f64 / (count + 1) as f64 * odds;
            above.push(weight);
            count += 1;
        }
        (weight, count) = (1.0, mode);
        while count > 0 && weight > NEGLIGIBLE {
            weight *= count as f64 / (runs - count + 1) as f64 / odds;
            below.push(weight);
            count -= 1;
        }
        let first = mode - below.len() as u64;
        below.reverse();
        below.extend(above);
        let all: f64 = below.iter().sum();
        Self { first, chances: below.into_iter().map(|weight| weight / all).collect() }
    }

    /// At most `groups` counts, each representing its neighbours, with the probability of the whole group.
    fn thinned(&self, groups: usize) -> Vec<(u64, f64)> {
        let matter = |chance: &f64| *chance > 1e-12;
        let skipped = self.chances.iter().take_while(|chance| !matter(chance)).count();
        let left = self.chances.iter().rev().take_while(|chance| !matter(chance)).count();
        let chances = &self.chances[skipped..self.chances.len() - left];
        let size = chances.len().div_ceil(groups);
        let group = |(place, group): (usize, &[f64])| {
            let first = self.first + (skipped + place * size) as u64;
            (first + (group.len() / 2) as u64, group.iter().sum())
        };
        chances.chunks(size).enumerate().map(group).collect()
    }

    /// The probability of the counts whose interval contains `truth`.
    fn holding(&self, truth: f64, interval: impl Fn(u64) -> Estimate) -> f64 {
        let counts = self.thinned(1_024).into_iter().filter(|(count, _)| holds(&interval(*count), truth));
        counts.map(|(_, chance)| chance).sum()
    }

    fn last(&self) -> u64 {
        self.first + self.chances.len() as u64 - 1
    }

    /// The probability of the counts whose interval contains `truth`, if both ends of `interval` grow with the count.
    fn covered(&self, truth: f64, interval: impl Fn(u64) -> Estimate) -> f64 {
        // An end that equals the truth except for rounding contains it, as in [`holds`].
        let slack = 1e-9 * truth.abs().max(1e-12);
        let least = self.first_that(|count| interval(count).high >= truth - slack);
        let beyond = self.first_that(|count| interval(count).low > truth + slack);
        let place = |count: u64| (count - self.first) as usize;
        if least >= beyond { 0.0 } else { self.chances[place(least)..place(beyond)].iter().sum() }
    }

    /// The first count for which it is true, given that it is true for all later ones; one beyond the last if it is
    /// true for none.
    fn first_that(&self, is_true: impl Fn(u64) -> bool) -> u64 {
        let (mut low, mut high) = (self.first, self.last() + 1);
        while low < high {
            let middle = low + (high - low) / 2;
            if is_true(middle) {
                high = middle;
            } else {
                low = middle + 1;
            }
        }
        low
    }
}

/// The coverage of the interval of a share.
pub(crate) fn of_share(of: fn(u64, u64, Level) -> Estimate, runs: u64, chance: f64, level: Level) -> f64 {
    of_count(|count| of(count, runs, level), chance, runs, chance)
}

/// Whether an interval contains the true value, except for rounding.
fn holds(interval: &Estimate, truth: f64) -> bool {
    let slack = 1e-9 * truth.abs().max(1e-12);
    interval.low <= truth + slack && interval.high >= truth - slack
}

/// How often an interval computed from a count contains `truth`, if both of its ends grow with the count.
fn of_count(of: impl Fn(u64) -> Estimate, truth: f64, runs: u64, chance: f64) -> f64 {
    Counts::new(runs, chance).covered(truth, of)
}

/// How often all intervals computed at these checks hold, up to each check. `holds` returns whether the interval of a
/// count out of a number of battles does.
pub(crate) fn of_looks(looks: &[u64], chance: f64, holds: impl Fn(u64, u64) -> bool) -> Vec<f64> {
    let mut open = Open::new();
    let mut held = Vec::new();
    for &look in looks {
        open.fight(look, chance);
        open.leave(|count| !holds(count, look));
        held.push(open.chances.iter().sum());
    }
    held
}

/// The probabilities of the counts so far, over the studies that have not ended.
struct Open {
    first: u64,
    chances: Vec<f64>,
    fought: u64,
}

impl Open {
    fn new() -> Self {
        Self { first: 0, chances: vec![1.0], fought: 0 }
    }

    /// Continues to fight, up to this many battles.
    fn fight(&mut self, battles: u64, chance: f64) {
        let more = Counts::new(battles - self.fought, chance);
        let mut sums = vec![0.0; self.chances.len() + more.chances.len() - 1];
        for (place, own) in self.chances.iter().enumerate().filter(|(_, own)| **own > NEGLIGIBLE) {
            for (sum, more) in sums[place..].iter_mut().zip(&more.chances) {
                *sum += own * more;
            }
        }
        (self.first, self.chances, self.fought) = (self.first + more.first, sums, battles);
    }

    /// Removes the studies with these counts.
    fn leave(&mut self, mut leaves: impl FnMut(u64) -> bool) {
        for (count, chance) in (self.first..).zip(&mut self.chances) {
            if *chance > NEGLIGIBLE && leaves(count) {
                *chance = 0.0;
            }
        }
    }
}

/// How often the interval at the end contains the share, for studies that end at the first scheduled check at which it
/// is known to plus or minus `half_width`.
pub(crate) fn of_precision(half_width: f64, chance: f64, level: Level) -> f64 {
    let mut open = Open::new();
    let (mut held, mut ended) = (0.0, 0.0);
    while ended < 1.0 - 1e-9 {
        let rung = next_rung(open.fought);
        open.fight(rung, chance);
        let chances = open.chances.clone();
        let first = open.first;
        open.leave(|count| {
            let ends = is_precise(count, rung, half_width, level);
            if ends {
                let chance_of_it = chances[(count - first) as usize];
                ended += chance_of_it;
                held += if share_exact(count, rung, level).holds(chance) { chance_of_it } else { 0.0 };
            }
            ends
        });
    }
    held
}

/// Whether the share of this count is known to plus or minus `half_width`.
fn is_precise(count: u64, runs: u64, half_width: f64, level: Level) -> bool {
    // Wilson's interval, which costs less, shows which ones are far too wide: exact ones are at most a twentieth
    // narrower.
    share(count, runs, level).half_width() <= 1.05 * half_width
        && share_exact(count, runs, level).half_width() <= half_width
}

/// How often all intervals of a watched share hold, up to each of these checks.
pub(crate) fn of_watched(looks: &[u64], chance: f64, level: Level) -> Vec<f64> {
    of_looks(looks, chance, |count, runs| !evidence([(0, runs - count), (1, count)], &(0..=1), chance).is_enough(level))
}

/// The coverage of the interval of a share with the luck removed: half the battles are lucky, and the event is three
/// times as likely in them.
pub(crate) fn of_luck(intervals: Intervals, runs: u64, chance: f64) -> f64 {
    let mut held = 0.0;
    for (count, own) in Counts::new(runs, chance).thinned(64) {
        let elsewhere = Counts::new(runs - count, (0.5 - 0.75 * chance) / (1.0 - chance)).thinned(64);
        let plain = intervals.share(count, runs);
        let value = Sums { runs, sum: count.into(), squares: count.into() };
        for (lucky, both) in Counts::new(count, 0.75).thinned(64) {
            for (others, all) in &elsewhere {
                let product = (lucky as f64 - (count - lucky) as f64) / 2.0;
                if holds(&without_luck(&value, plain, lucky + others, product, 1), chance) {
                    held += own * both * all;
                }
            }
        }
    }
    held
}

/// The coverage of the interval of a difference of two shares of independent battles.
pub(crate) fn of_two(intervals: Intervals, runs: u64, chances: [f64; 2]) -> f64 {
    let [one, other] = chances.map(|chance| Counts::new(runs, chance));
    let truth = chances[0] - chances[1];
    // The same counts occur again and again.
    let known = RefCell::new(BTreeMap::new());
    let share = |count: u64| *known.borrow_mut().entry(count).or_insert_with(|| intervals.share(count, runs));
    let given = |(count, chance): (u64, f64)| {
        let other = share(count);
        chance * one.covered(truth, |own| independent_difference(&share(own), &other))
    };
    other.thinned(1_024).into_iter().map(given).sum()
}

/// The coverage of the interval of a mean, for a value that is mostly the first of `values`, and the second or third
/// with these probabilities. `values` ascend; `of` makes an estimate from values with their counts.
pub(crate) fn of_three(
    of: impl Fn([(i32, u64); 3]) -> Estimate,
    values: [i32; 3],
    chances: [f64; 2],
    runs: u64,
) -> f64 {
    let truth = f64::from(values[0])
        + chances[0] * f64::from(values[1] - values[0])
        + chances[1] * f64::from(values[2] - values[0]);
    let middle = Counts::new(runs, chances[0]);
    let given = |(seen, chance): (u64, f64)| {
        let rest = runs - seen;
        // With the middle value's count fixed, both ends grow with the count of the third.
        let counts = Counts::new(rest, (chances[1] / (1.0 - chances[0])).min(1.0));
        let interval = |most: u64| of([(values[0], rest - most), (values[1], seen), (values[2], most)]);
        chance * counts.covered(truth, interval)
    };
    middle.thinned(128).into_iter().map(given).sum()
}

/// The coverage of the interval of a share in rounds of two battles with the same dice, if only the number of battles
/// with the event is known. A round has the event once or twice with these probabilities.
pub(crate) fn of_values(intervals: Intervals, rounds: u64, chances: [f64; 2]) -> f64 {
    let of = |counts: [(i32, u64); 3]| {
        let widest = intervals.widest_share(counts[1].1 + 2 * counts[2].1, 2 * rounds, 2);
        // The mean over a round of two battles.
        Estimate { low: 2.0 * widest.low, high: 2.0 * widest.high, ..widest }
    };
    of_three(of, [0, 1, 2], chances, rounds)
}

/// The coverage of the interval of a ratio, that of flank attacks to all attacks. A share of the battles has three out
/// of six, and the others none out of two.
pub(crate) fn of_ratio(runs: u64, chance: f64, level: Level) -> f64 {
    let of = |bad: u64| ratio(&on_flanks(bad, runs), (0.0, 1.0), 0.0, level);
    Counts::new(runs, chance).holding(ratio_on_flanks(chance), of)
}

/// The ratio of [`of_ratio`].
fn ratio_on_flanks(chance: f64) -> f64 {
    3.0 * chance / (2.0 + 4.0 * chance)
}

/// The sums of `runs` battles, of which `bad` have flank attacks.
fn on_flanks(bad: u64, runs: u64) -> RatioSums {
    RatioSums {
        runs,
        part: 3 * bad as i64,
        of: 2 * runs + 4 * bad,
        part_squares: 9 * bad,
        products: 18 * bad as i64,
        of_squares: 4 * runs + 32 * bad,
    }
}

/// A value with its luck removed, where the luck is a half in lucky battles and minus a half in the others: `product`
/// is the sum of value times luck.
fn without_luck(value: &Sums, plain: Estimate, lucky: u64, product: f64, most: i64) -> Estimate {
    let runs = value.runs as f64;
    let luck = Controls { runs: value.runs, sums: [lucky as f64 - runs / 2.0, 0.0], squares: [runs / 4.0, 0.0, 0.0] };
    controlled(value, &plain, &luck, [product, 0.0], 0..=most).map_or(plain, |(estimate, _)| estimate)
}
