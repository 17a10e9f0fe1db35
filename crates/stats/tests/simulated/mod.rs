//! Studies with known true odds, checked as they grow.

use grognard_stats::{Level, Pairs, evidence, next_rung, share, share_exact};
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};

/// Battles in a block, as in the runner.
pub(crate) const BLOCK: u64 = 4_096;
/// The number of battles before the first check of studies that stop on width; the distance between later checks is a
/// multiple of it.
const LOOK: u64 = 64;

/// Counts of successes in a block, by inverting their distribution function.
pub(crate) struct Blocks {
    size: u64,
    below: Vec<f64>,
}

impl Blocks {
    /// Blocks of `size` battles that succeed with this chance, strictly between 0 and 1.
    fn new(size: u64, chance: f64) -> Self {
        let odds = chance / (1.0 - chance);
        let mut log = size as f64 * (1.0 - chance).ln();
        let mut below = Vec::new();
        let mut sum = 0.0;
        for count in 0..=size {
            sum += log.exp();
            below.push(sum);
            log += ((size - count) as f64 / (count + 1) as f64 * odds).ln();
        }
        Self { size, below }
    }

    fn draw(&self, random: &mut ChaCha8Rng) -> u64 {
        let word = (random.next_u64() >> 11) as f64 / (1_u64 << 53) as f64;
        (self.below.partition_point(|below| *below <= word) as u64).min(self.size)
    }
}

/// The results of studies of a share.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Shares {
    /// Share of studies whose interval at the end, after a fixed number of battles, misses the truth.
    pub(crate) fixed: f64,
    /// Share of studies in which any plain interval, checked after every block, misses the truth.
    pub(crate) peeking: f64,
    /// Share of studies in which any watched interval, checked after every block, misses the truth.
    pub(crate) watched: f64,
}

/// Studies of a share, `looks` blocks long, checked after every block.
pub(crate) fn shares(chance: f64, studies: u64, looks: u64, seed: u64) -> Shares {
    let blocks = Blocks::new(BLOCK, chance);
    let mut missed = [0_u64; 3];
    for study in 0..studies {
        let mut random = random(seed, study);
        let (mut count, mut misses) = (0, [false; 3]);
        for look in 1..=looks {
            count += blocks.draw(&mut random);
            let plain = !share_exact(count, look * BLOCK, Level::P95).holds(chance);
            // The watched interval contains the chances against which there is not enough evidence.
            let counts = [(0, look * BLOCK - count), (1, count)];
            let watched = evidence(counts, &(0..=1), chance).is_enough(Level::P95);
            misses = [plain, misses[1] || plain, misses[2] || watched];
        }
        for (missed, miss) in missed.iter_mut().zip(misses) {
            *missed += u64::from(miss);
        }
    }
    let [fixed, peeking, watched] = missed.map(|missed| missed as f64 / studies as f64);
    Shares { fixed, peeking, watched }
}

/// The results of studies that stopped on the width of their intervals.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Precise {
    /// Share of intervals at the end that miss the truth.
    pub(crate) missed: f64,
    /// Battles on average.
    pub(crate) battles: f64,
    /// The average number of battles as a multiple of the fixed number needed for that width.
    pub(crate) cost: f64,
}

/// Studies that end at the first scheduled check at which the share is known to plus or minus `half_width`.
pub(crate) fn precise(chance: f64, half_width: f64, studies: u64, seed: u64) -> Precise {
    let blocks = Blocks::new(LOOK, chance);
    let (mut missed, mut battles) = (0_u64, 0_u64);
    for study in 0..studies {
        let mut random = random(seed, study);
        let (mut count, mut fought) = (0, 0);
        let interval = loop {
            let rung = next_rung(fought);
            while fought < rung {
                count += blocks.draw(&mut random);
                fought += LOOK;
            }
            // Wilson's interval, which is cheaper, shows which ones are far too wide: exact intervals are at most a
            // twentieth narrower.
            if share(count, fought, Level::P95).half_width() > 1.05 * half_width {
                continue;
            }
            let interval = share_exact(count, fought, Level::P95);
            if interval.half_width() <= half_width {
                break interval;
            }
        };
        missed += u64::from(!interval.holds(chance));
        battles += fought;
    }
    // The fewest battles whose interval around the true share is narrow enough.
    let narrow =
        |runs: u64| share_exact((chance * runs as f64).round() as u64, runs, Level::P95).half_width() <= half_width;
    let needed = (0..63).rev().fold(0, |runs, bit| if narrow(runs | 1 << bit) { runs } else { runs | 1 << bit }) + 1;
    let studies = studies as f64;
    let battles = battles as f64 / studies;
    Precise { missed: missed as f64 / studies, battles, cost: battles / needed as f64 }
}

/// The results of studies of pairs.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Decided {
    /// Share of studies in which the rule for deciding reported a difference at some check.
    pub(crate) told: f64,
    /// Share of studies in which it reported the wrong one as better.
    pub(crate) wrong: f64,
    /// Average number of pairs fought until it reported a difference, or to the end.
    pub(crate) pairs: f64,
    /// Share of studies in which a plain paired test, checked after every block, would have reported a difference.
    pub(crate) peeking: f64,
}

/// Studies of pairs, `looks` blocks long, in which the first alone succeeds with chance `first` and the second alone
/// with chance `second`.
pub(crate) fn pairs(first: f64, second: f64, studies: u64, looks: u64, seed: u64) -> Decided {
    let differing = Blocks::new(BLOCK, first + second);
    let share_of_first = (first / (first + second) * 2_f64.powi(32)) as u64;
    let (mut told, mut wrong, mut fought, mut peeked) = (0_u64, 0_u64, 0_u64, 0_u64);
    for study in 0..studies {
        let mut random = random(seed, study);
        let mut pairs = Pairs::default();
        let (mut decided, mut peeking) = (false, false);
        for _ in 0..looks {
            let differ = differing.draw(&mut random);
            let won = (0..differ).filter(|_| u64::from(random.next_u32()) < share_of_first).count() as u64;
            pairs.cell_only += won;
            pairs.baseline_only += differ - won;
            pairs.both += BLOCK - differ;
            peeking |= pairs.p_value() < Level::P95.alpha();
            if !decided {
                fought += BLOCK;
                let counts = [(-1, pairs.baseline_only), (0, pairs.both), (1, pairs.cell_only)];
                decided = evidence(counts, &(-1..=1), 0.0).is_enough(Level::P95);
                told += u64::from(decided);
                wrong += u64::from(decided && (pairs.cell_only > pairs.baseline_only) != (first > second));
            }
        }
        peeked += u64::from(peeking);
    }
    let share = |count: u64| count as f64 / studies as f64;
    Decided { told: share(told), wrong: share(wrong), pairs: share(fought), peeking: share(peeked) }
}

/// The dice of one study, independent of those of other studies.
fn random(seed: u64, study: u64) -> ChaCha8Rng {
    let mut random = ChaCha8Rng::seed_from_u64(seed);
    random.set_stream(study);
    random
}
