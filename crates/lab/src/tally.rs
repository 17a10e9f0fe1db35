//! The counts of a cell's battles. They are integers, so adding tallies is exact and independent of the order.

mod gauged;
mod histogram;
mod luck;
mod rounds;

use grognard_engine::states::Interner;
use grognard_engine::{BySide, METRICS, Metric, Outcome, Outcomes, SIDES_MAX, Side, SideOutcome};
use serde::{Deserialize, Serialize};

pub use gauged::{Counted, PairSums, Sums};
pub use histogram::Histogram;
pub use luck::{LuckTally, WorthTally, of_losses};
pub use rounds::RoundTally;

/// One value for each of [`METRICS`], in its order.
pub type ByMetric<T> = [T; METRICS.len()];

/// The number of verdicts in battles with the maximum number of sides.
pub const VERDICTS: usize = SIDES_MAX + 1;

/// The winner of a battle, or a draw.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[repr(u8)]
pub enum Verdict {
    /// The first side won.
    First = 0,
    /// The second side won.
    Second = 1,
    /// A draw.
    Draw = 2,
    /// The third side won.
    Third = 3,
    /// The fourth side won.
    Fourth = 4,
}

impl Verdict {
    /// All verdicts, in the order in which tallies count them.
    pub const ALL: [Self; VERDICTS] = [Self::First, Self::Second, Self::Draw, Self::Third, Self::Fourth];

    /// The verdicts in battles with this many sides, in the order in which they are reported: wins, then draws.
    #[must_use]
    pub fn among(sides: usize) -> &'static [Self] {
        match sides {
            0..=2 => &[Self::First, Self::Second, Self::Draw],
            3 => &[Self::First, Self::Second, Self::Third, Self::Draw],
            _ => &[Self::First, Self::Second, Self::Third, Self::Fourth, Self::Draw],
        }
    }

    /// The verdict in which `winner` won.
    #[must_use]
    pub fn of(winner: Option<Side>) -> Self {
        match winner {
            Some(Side::First) => Self::First,
            Some(Side::Second) => Self::Second,
            Some(Side::Third) => Self::Third,
            Some(Side::Fourth) => Self::Fourth,
            None => Self::Draw,
        }
    }

    /// The side that won.
    #[must_use]
    pub fn winner(self) -> Option<Side> {
        match self {
            Self::First => Some(Side::First),
            Self::Second => Some(Side::Second),
            Self::Third => Some(Side::Third),
            Self::Fourth => Some(Side::Fourth),
            Self::Draw => None,
        }
    }

    /// Its place in [`Verdict::ALL`].
    #[must_use]
    pub fn index(self) -> usize {
        self as usize
    }
}

/// The battles of one cell, counted.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct CellTally {
    /// Battles per verdict, by [`Verdict::index`].
    pub outcomes: [u64; VERDICTS],
    /// Game turns fought.
    pub turns: Histogram,
    /// Each metric of each side.
    pub metrics: BySide<ByMetric<Histogram>>,
    /// The pack's own counts, if the study requests them, in the order of the requests.
    pub gauges: Sums,
    /// Counts by value of those metrics that have a histogram, in the order of the requests.
    pub counted: BySide<Vec<Histogram>>,
    /// The same battles paired with those of the baseline cell. `None` for a baseline and for a cell without one.
    pub paired: Option<PairedTally>,
    /// The same battles by rounds, if each is fought both ways.
    pub rounds: Option<Box<RoundTally>>,
    /// The luck of the dice, if it was requested.
    pub luck: Option<Box<LuckTally>>,
}

/// The battles of a cell paired with those of the same index in its baseline cell.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct PairedTally {
    /// Pairs by verdict of this cell, then of the baseline.
    pub joint: [[u64; VERDICTS]; VERDICTS],
    /// Game turns fought, minus those of the baseline.
    pub turns: Histogram,
    /// Each metric of each side, minus that of the baseline.
    pub metrics: BySide<ByMetric<Histogram>>,
    /// The same by rounds, if each battle is fought both ways.
    pub rounds: Option<Box<RoundTally>>,
    /// The pack's counts during the battles, paired with those of the baseline.
    pub gauges: PairSums,
}

impl CellTally {
    /// An empty tally, with room for pairs if the cell is compared with a baseline.
    #[must_use]
    pub fn new(paired: bool) -> Self {
        Self { paired: paired.then(PairedTally::default), ..Self::default() }
    }

    /// Makes room for this many sides.
    pub fn grow(&mut self, sides: usize) {
        self.metrics.grow(sides);
        self.gauges.grow(sides);
        self.counted.grow(sides);
        if let Some(paired) = &mut self.paired {
            paired.metrics.grow(sides);
            paired.gauges.grow(sides);
        }
    }

    /// Battles counted.
    #[must_use]
    pub fn runs(&self) -> u64 {
        self.outcomes.iter().sum()
    }

    /// The same tally, with room for rounds if battles are fought both ways.
    #[must_use]
    pub fn with_rounds(mut self, both_ways: bool) -> Self {
        if both_ways {
            self.rounds = Some(Box::default());
            if let Some(paired) = &mut self.paired {
                paired.rounds = Some(Box::default());
            }
        }
        self
    }

    /// Counts battles. If they are fought both ways, the first one has an even number.
    pub fn count(&mut self, outcomes: &Outcomes) {
        if let Some(rounds) = &mut self.rounds {
            rounds.count(outcomes);
        }
        let sides = grown(&mut self.metrics, outcomes);
        for (outcome, times) in outcomes.distinct().iter().zip(outcomes.counts()) {
            self.outcomes[Verdict::of(outcome.winner).index()] += times;
            self.turns.add_many(outcome.turns.into(), times);
            for &side in sides {
                for (metric, histogram) in METRICS.iter().zip(&mut self.metrics[side]) {
                    histogram.add_many(metric.of(&outcome.sides[side]).into(), times);
                }
            }
        }
    }

    /// Adds the pack's own counts of these battles.
    pub fn count_gauges(&mut self, counted: &Counted) {
        gauged::count(&mut self.gauges, counted, if self.rounds.is_some() { 2 } else { 1 });
    }

    /// Counts these battles by the values of the metrics at these places among the pack's own counts.
    pub fn count_values(&mut self, counted: &Counted, places: &[usize]) {
        let Some(first) = counted.first().filter(|_| !places.is_empty()) else { return };
        self.counted.grow(first.count());
        for &side in first.sides() {
            let histograms = &mut self.counted[side];
            histograms.resize(places.len(), Histogram::default());
            for (histogram, &place) in histograms.iter_mut().zip(places) {
                histogram.add_all(counted.iter().map(|battle| battle[side][place].part));
            }
        }
    }

    /// Adds the battles of another tally.
    pub fn merge(&mut self, other: &Self) {
        for (count, more) in self.outcomes.iter_mut().zip(other.outcomes) {
            *count += more;
        }
        self.turns.merge(&other.turns);
        merge_metrics(&mut self.metrics, &other.metrics);
        gauged::merge(&mut self.gauges, &other.gauges, |sums, more| sums.merge(more));
        gauged::merge(&mut self.counted, &other.counted, Histogram::merge);
        if let Some(paired) = &other.paired {
            self.paired.get_or_insert_default().merge(paired);
        }
        if let Some(rounds) = &other.rounds {
            self.rounds.get_or_insert_default().merge(rounds);
        }
        if let Some(luck) = &other.luck {
            self.luck.get_or_insert_default().merge(luck);
        }
    }
}

impl PairedTally {
    /// Counts pairs: battle `k` of `outcomes` and of `baseline` have the same index.
    pub fn count(&mut self, outcomes: &Outcomes, baseline: &Outcomes) {
        debug_assert_eq!(outcomes.len(), baseline.len());
        if let Some(rounds) = &mut self.rounds {
            rounds.count_differences(outcomes, baseline);
        }
        let sides = grown(&mut self.metrics, outcomes);
        each_pair(outcomes, baseline, |own, base, times| {
            self.joint[Verdict::of(own.winner).index()][Verdict::of(base.winner).index()] += times;
            self.turns.add_many(i32::from(own.turns) - i32::from(base.turns), times);
            for &side in sides {
                for (metric, histogram) in
                    METRICS.iter().zip(&mut self.metrics[side]).filter(|(metric, _)| !is_wide(metric))
                {
                    let of = |outcome: &Outcome| i32::from(metric.of(&outcome.sides[side]));
                    histogram.add_many(of(own) - of(base), times);
                }
            }
        });
        for &side in sides {
            for (metric, histogram) in METRICS.iter().zip(&mut self.metrics[side]).filter(|(metric, _)| is_wide(metric))
            {
                let of = |of: &Outcomes| -> Vec<i32> {
                    of.distinct().iter().map(|outcome| metric.of(&outcome.sides[side]).into()).collect()
                };
                let (own, base) = (of(outcomes), of(baseline));
                let pairs = outcomes.numbers().iter().zip(baseline.numbers());
                histogram.add_all(pairs.map(|(&a, &b)| own[a as usize] - base[b as usize]));
            }
        }
    }

    /// Whether both battles of every pair have the same winner, or both have none.
    #[must_use]
    pub fn is_decided_alike(&self) -> bool {
        let apart =
            (0..VERDICTS).flat_map(|own| (0..VERDICTS).map(move |base| (own, base))).filter(|(own, base)| own != base);
        apart.map(|(own, base)| self.joint[own][base]).all(|count| count == 0)
    }

    /// Whether no pair differs in anything that is counted for every battle.
    #[must_use]
    pub fn is_same(&self) -> bool {
        let zero = |histogram: &Histogram| histogram.iter().all(|(value, _)| value == 0);
        self.is_decided_alike() && zero(&self.turns) && self.metrics.iter().all(|metrics| metrics.iter().all(zero))
    }

    /// Adds the pack's own counts of pairs: battle `k` of both has the same index.
    pub fn count_gauges(&mut self, counted: &Counted, baseline: &Counted) {
        gauged::count_pairs(&mut self.gauges, counted, baseline, if self.rounds.is_some() { 2 } else { 1 });
    }

    fn merge(&mut self, other: &Self) {
        for (row, more) in self.joint.iter_mut().zip(&other.joint) {
            for (count, more) in row.iter_mut().zip(more) {
                *count += more;
            }
        }
        self.turns.merge(&other.turns);
        merge_metrics(&mut self.metrics, &other.metrics);
        if let Some(rounds) = &other.rounds {
            self.rounds.get_or_insert_default().merge(rounds);
        }
        gauged::merge(&mut self.gauges, &other.gauges, |sums, more| sums.merge(more));
    }
}

/// Makes room for all sides of these battles.
fn grown(metrics: &mut BySide<ByMetric<Histogram>>, outcomes: &Outcomes) -> &'static [Side] {
    metrics.grow(outcomes.distinct().first().map_or(2, |outcome| outcome.sides.count()));
    metrics.sides()
}

/// Whether a metric has so many values that outcomes are treated as one class if they differ in nothing else. Its
/// differences are counted battle by battle.
fn is_wide(metric: &Metric) -> bool {
    metric.key == "losses"
}

/// Outcomes of a cell that differ at most in [wide](is_wide) metrics, as one class.
struct Classes<'a> {
    /// The class of each distinct outcome.
    of: Vec<u32>,
    /// One outcome of each class.
    outcomes: Vec<&'a Outcome>,
}

impl<'a> Classes<'a> {
    fn of(outcomes: &'a Outcomes) -> Self {
        let mut keys = Interner::default();
        let mut classes = Self { of: Vec::new(), outcomes: Vec::new() };
        for outcome in outcomes.distinct() {
            let head = u128::from(outcome.turns) << 8 | Verdict::of(outcome.winner).index() as u128;
            let key = outcome.sides.sides().iter().fold(head, |key, &side| {
                let SideOutcome { routed_units, shaken_units, rout_turn, .. } = outcome.sides[side];
                [routed_units, shaken_units, rout_turn].into_iter().fold(key, |key, part| key << 8 | u128::from(part))
            });
            let Ok(class) = keys.number(&key) else { unreachable!("there are fewer outcomes than 32-bit numbers") };
            if class as usize == classes.outcomes.len() {
                classes.outcomes.push(outcome);
            }
            classes.of.push(class);
        }
        classes
    }
}

/// Calls `each` with pairs of these battles in no particular order. Pairs that differ at most in [wide](is_wide)
/// metrics may be combined; the last argument is their number.
fn each_pair(outcomes: &Outcomes, baseline: &Outcomes, mut each: impl FnMut(&Outcome, &Outcome, u64)) {
    let (own, base) = (Classes::of(outcomes), Classes::of(baseline));
    let pairs = outcomes.numbers().iter().zip(baseline.numbers());
    let pairs = pairs.map(|(&a, &b)| (own.of[a as usize] as usize, base.of[b as usize] as usize));
    let (own, base) = (&own.outcomes, &base.outcomes);
    // A table of all pairs, unless it would be larger than the list of all battles.
    if own.len() * base.len() > 4 * outcomes.len() {
        return pairs.for_each(|(a, b)| each(own[a], base[b], 1));
    }
    let mut table = vec![0_u64; own.len() * base.len()];
    pairs.for_each(|(a, b)| table[a * base.len() + b] += 1);
    for (at, times) in table.into_iter().enumerate().filter(|(_, times)| *times > 0) {
        each(own[at / base.len()], base[at % base.len()], times);
    }
}

fn merge_metrics(into: &mut BySide<ByMetric<Histogram>>, other: &BySide<ByMetric<Histogram>>) {
    into.grow(other.count());
    for &side in other.sides() {
        for (histogram, more) in into[side].iter_mut().zip(&other[side]) {
            histogram.merge(more);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn battle(winner: Option<Side>, turns: u8, losses: u16) -> Outcome {
        let first = SideOutcome { start: 12, losses, units: 1, routed_units: 1, shaken_units: 0, rout_turn: turns };
        Outcome { winner, turns, sides: BySide::new(first, SideOutcome { start: 8, units: 1, ..first }) }
    }

    #[test]
    fn counting_in_pieces_equals_counting_at_once() {
        let battles =
            [battle(None, 8, 0), battle(Some(Side::First), 3, 2), battle(Some(Side::Second), 5, 7), battle(None, 1, 9)];
        let base = [battle(None, 2, 5), battle(None, 8, 1), battle(Some(Side::First), 5, 7), battle(None, 1, 0)];
        let mut whole = CellTally::new(true);
        let outcomes = |battles: &[Outcome]| battles.iter().copied().collect();
        whole.count(&outcomes(&battles));
        whole.paired.as_mut().unwrap().count(&outcomes(&battles), &outcomes(&base));
        for cut in 0..=4 {
            let mut pieces = [CellTally::new(true), CellTally::new(true)];
            for (piece, range) in pieces.iter_mut().zip([0..cut, cut..4]) {
                let (own, base) = (outcomes(&battles[range.clone()]), outcomes(&base[range]));
                piece.count(&own);
                piece.paired.as_mut().unwrap().count(&own, &base);
            }
            let [one, other] = pieces;
            let mut sum = other.clone();
            sum.merge(&one);
            let mut sum_the_other_way = one;
            sum_the_other_way.merge(&other);
            assert_eq!(sum, whole);
            assert_eq!(sum_the_other_way, whole);
        }
        assert_eq!(whole.outcomes, [1, 1, 2, 0, 0]);
        assert_eq!(whole.runs(), 4);
        assert_eq!(whole.metrics.first[0].sum(), 18);
    }

    /// Few pairs are counted one by one, and many in a table.
    #[test]
    fn few_pairs_and_many_are_counted_alike() {
        let own = [battle(Some(Side::First), 3, 2), battle(Some(Side::Second), 5, 6), battle(None, 4, 1)];
        let base = [battle(None, 8, 9), battle(Some(Side::First), 3, 7), battle(Some(Side::Second), 2, 0)];
        let mut one_by_one = PairedTally::default();
        for (own, base) in own.iter().zip(&base) {
            for _ in 0..100 {
                let mut pair = PairedTally::default();
                pair.count(&[*own].into_iter().collect(), &[*base].into_iter().collect());
                one_by_one.merge(&pair);
            }
        }
        let many = |few: [Outcome; 3]| few.into_iter().cycle().take(300).collect();
        let mut together = PairedTally::default();
        together.count(&many(own), &many(base));
        assert_eq!(together, one_by_one);
        let mut apart = PairedTally::default();
        for few in 0..100 {
            let few = 3 * few..3 * few + 3;
            let part = |all: [Outcome; 3]| few.clone().map(|battle| all[battle % 3]).collect();
            apart.count(&part(own), &part(base));
        }
        assert_eq!(apart, one_by_one);
    }

    #[test]
    fn pairs_are_counted_by_battle() {
        let own = [battle(Some(Side::First), 3, 2), battle(Some(Side::First), 3, 2), battle(None, 4, 1)];
        let base = [battle(Some(Side::Second), 5, 6), battle(Some(Side::First), 3, 2), battle(None, 8, 1)];
        let mut paired = PairedTally::default();
        let outcomes = |battles: &[Outcome]| battles.iter().copied().collect();
        paired.count(&outcomes(&own), &outcomes(&base));
        let joint = paired.joint.map(|row| [row[0], row[1], row[2]]);
        assert_eq!(joint[..3], [[1, 1, 0], [0, 0, 0], [0, 0, 1]]);
        assert_eq!(paired.turns.sum(), -6);
        assert_eq!(paired.turns.sum_of_squares(), 4 + 16);
        assert_eq!(paired.metrics.second[0].iter().collect::<Vec<_>>(), [(-4, 1), (0, 2)]);
        assert!(!paired.is_same());
        // Battles with the same winners are not necessarily the same battles.
        let mut turns_alone = PairedTally::default();
        turns_alone.count(&outcomes(&own[1..2]), &outcomes(&[battle(Some(Side::First), 4, 2)]));
        assert!(!turns_alone.is_same());
        let mut same = PairedTally::default();
        same.count(&outcomes(&own), &outcomes(&own));
        assert!(same.is_same());
    }
}
