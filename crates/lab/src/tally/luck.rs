//! The luck of both sides' dice, and its correlation with the results of battles: sums of integers.

use grognard_dice::Luck;
use grognard_engine::{BySide, METRICS, Outcome, Side};
use serde::{Deserialize, Serialize};

use super::{ByMetric, Histogram, Verdict};

/// The luck of the battles of a cell, beside everything else that is counted of them. In units of [`Luck`].
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct LuckTally {
    /// Sums of each side's luck.
    pub sums: BySide<i128>,
    /// Sums of the first side's luck squared, of the second side's, and of the product of both.
    pub squares: [i128; 3],
    /// Sums of each side's luck over battles of each verdict, by [`Verdict::index`].
    pub verdicts: [BySide<i128>; 3],
    /// Sums of each side's luck times game turns.
    pub turns: BySide<i128>,
    /// Sums of each side's luck times each metric of each side.
    pub metrics: BySide<ByMetric<BySide<i128>>>,
    /// Battles of each verdict by the first side's luck less the second's, in tenths of a roll.
    pub net: [Histogram; 3],
}

impl LuckTally {
    /// Counts battles with the luck of their sides.
    pub fn count(&mut self, outcomes: &[Outcome], luck: &[BySide<Luck>]) {
        for (outcome, luck) in outcomes.iter().zip(luck) {
            let both = luck.map(|luck| i128::from(luck.0));
            let (first, second) = (both.first, both.second);
            for (sum, more) in self.squares.iter_mut().zip([first * first, second * second, first * second]) {
                *sum += more;
            }
            add(&mut self.sums, both, 1);
            let verdict = Verdict::of(outcome.winner).index();
            add(&mut self.verdicts[verdict], both, 1);
            add(&mut self.turns, both, outcome.turns.into());
            for side in Side::BOTH {
                for (metric, sums) in METRICS.iter().zip(&mut self.metrics[side]) {
                    add(sums, both, metric.of(&outcome.sides[side]));
                }
            }
            self.net[verdict].add(tenths(luck.first.0 - luck.second.0));
        }
    }

    /// Adds the battles of another tally.
    pub fn merge(&mut self, other: &Self) {
        for (sums, more) in self.all_mut().into_iter().zip(other.all()) {
            *sums += more;
        }
        for (histogram, more) in self.net.iter_mut().zip(&other.net) {
            histogram.merge(more);
        }
    }

    /// Every sum, in an order of its own.
    #[must_use]
    pub fn all(&self) -> Vec<i128> {
        let pair = |pair: &BySide<i128>| [pair.first, pair.second];
        let metrics = Side::BOTH.into_iter().flat_map(|side| self.metrics[side].iter().flat_map(pair));
        let sums = pair(&self.sums).into_iter().chain(self.squares);
        sums.chain(self.verdicts.iter().flat_map(pair)).chain(pair(&self.turns)).chain(metrics).collect()
    }

    /// The same, to be changed.
    pub fn all_mut(&mut self) -> Vec<&mut i128> {
        let mut all: Vec<&mut i128> = vec![&mut self.sums.first, &mut self.sums.second];
        all.extend(&mut self.squares);
        for pair in &mut self.verdicts {
            all.extend([&mut pair.first, &mut pair.second]);
        }
        all.extend([&mut self.turns.first, &mut self.turns.second]);
        for sums in [&mut self.metrics.first, &mut self.metrics.second] {
            for pair in sums {
                all.extend([&mut pair.first, &mut pair.second]);
            }
        }
        all
    }
}

fn add(sums: &mut BySide<i128>, luck: BySide<i128>, times: u16) {
    sums.first += luck.first * i128::from(times);
    sums.second += luck.second * i128::from(times);
}

/// Luck in tenths of a roll, rounded to nearest.
fn tenths(luck: i64) -> i32 {
    let (tenths, roll) = (i128::from(luck) * 10, i128::from(Luck::ROLL.0));
    (2 * tenths + roll).div_euclid(2 * roll) as i32
}

#[cfg(test)]
mod tests {
    use grognard_engine::SideOutcome;

    use super::*;

    #[test]
    fn sums_in_pieces_are_those_of_the_whole() {
        let side = SideOutcome { start: 12, losses: 3, units: 1, routed_units: 1, shaken_units: 0, rout_turn: 2 };
        let battle = |winner| Outcome { winner, turns: 4, sides: BySide::new(side, SideOutcome::default()) };
        let battles = [battle(None), battle(Some(Side::First)), battle(Some(Side::Second))];
        let luck = [(3_i64 << 30, 0), (-(1_i64 << 32), 1 << 33), (5, -7)];
        let luck = luck.map(|(first, second)| BySide::new(Luck(first), Luck(second)));
        let mut whole = LuckTally::default();
        whole.count(&battles, &luck);
        let mut pieces = LuckTally::default();
        pieces.count(&battles[1..], &luck[1..]);
        let mut one = LuckTally::default();
        one.count(&battles[..1], &luck[..1]);
        pieces.merge(&one);
        assert_eq!(pieces, whole);
        assert_eq!(whole.sums.first, (3 << 30) - (1 << 32) + 5);
        assert_eq!(whole.squares[2], -(1 << 65) - 35);
        assert_eq!(whole.metrics.first[0], BySide::new(3 * whole.sums.first, 3 * whole.sums.second));
        // A roll and a half in the second side's favour.
        assert_eq!(whole.net[0].iter().collect::<Vec<_>>(), [(-15, 1)]);
    }
}
