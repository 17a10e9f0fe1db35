//! The counts of packs during the battles of a block, and their sums.

use grognard_engine::{BySide, Gauged};
use grognard_stats::{RatioPairs, RatioSums};

/// The counts of successive battles, for every metric that the study requests. Empty if it does not request any.
pub type Counted = Vec<BySide<Vec<Gauged>>>;

/// The sums of one cell, by metric, for each side. Sides without battles have none.
pub type Sums = BySide<Vec<RatioSums>>;

/// The sums of a cell and its baseline together.
pub type PairSums = BySide<Vec<RatioPairs>>;

/// Groups battles for counting: one by one, or in rounds of two battles with the same dice, which count as one.
fn rounds(counted: &Counted, battles: usize) -> impl Iterator<Item = BySide<Vec<Gauged>>> + '_ {
    let together = |one: &Gauged, other: &Gauged| Gauged {
        part: one.part.saturating_add(other.part),
        of: one.of.saturating_add(other.of),
    };
    counted.chunks(battles.max(1)).filter_map(move |round| {
        let (first, rest) = round.split_first()?;
        let sum = |sum: BySide<Vec<Gauged>>, next: &BySide<Vec<Gauged>>| {
            BySide::of(next.count(), |side| {
                sum[side].iter().zip(&next[side]).map(|(one, other)| together(one, other)).collect()
            })
        };
        Some(rest.iter().fold(first.clone(), sum))
    })
}

/// Adds battles in batches.
pub(super) fn count(sums: &mut Sums, counted: &Counted, at_a_time: usize) {
    for battle in rounds(counted, at_a_time) {
        sums.grow(battle.count());
        for &side in battle.sides() {
            let sums = &mut sums[side];
            sums.resize(battle[side].len().max(sums.len()), RatioSums::default());
            for (sum, gauged) in sums.iter_mut().zip(&battle[side]) {
                sum.add(gauged.part, gauged.of);
            }
        }
    }
}

/// Adds pairs of battles with the same index: the cell's battle, and the baseline's.
pub(super) fn count_pairs(sums: &mut PairSums, counted: &Counted, baseline: &Counted, at_a_time: usize) {
    for (own, base) in rounds(counted, at_a_time).zip(rounds(baseline, at_a_time)) {
        sums.grow(own.count());
        for &side in own.sides() {
            let sums = &mut sums[side];
            sums.resize(own[side].len().max(sums.len()), RatioPairs::default());
            for ((sum, own), base) in sums.iter_mut().zip(&own[side]).zip(&base[side]) {
                sum.add((own.part, own.of), (base.part, base.of));
            }
        }
    }
}

/// Adds the sums or the histograms of other battles.
pub(super) fn merge<T: Clone + Default>(into: &mut BySide<Vec<T>>, other: &BySide<Vec<T>>, add: impl Fn(&mut T, &T)) {
    into.grow(other.count());
    for &side in other.sides() {
        let into = &mut into[side];
        into.resize(other[side].len().max(into.len()), T::default());
        into.iter_mut().zip(&other[side]).for_each(|(into, more)| add(into, more));
    }
}
