//! The luck of both sides' dice, its worth, and its correlation with outcomes: sums of integers.

use grognard_dice::Luck;
use grognard_engine::{BySide, Fallen, METRICS, Metric, Outcomes, Side};
use serde::{Deserialize, Serialize};

use super::{ByMetric, Histogram, Verdict};

/// The luck of the battles of a cell, in addition to everything else that is counted. Luck is in units of [`Luck`], its
/// worth in parts of [`Fallen::ONE`].
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct LuckTally {
    /// Sums of each side's luck.
    pub sums: BySide<i128>,
    /// Sums of each side's luck squared.
    pub squares: BySide<i128>,
    /// The worth of luck for each side's wins.
    pub wins: WorthTally,
    /// The worth of luck for the figures that each side loses.
    pub losses: WorthTally,
    /// Sums of the worth to each side's wins over battles of each verdict, by [`Verdict::index`].
    pub verdicts: [BySide<i128>; 3],
    /// Sums of the worth to each side's wins times game turns.
    pub turns: BySide<i128>,
    /// Sums of each metric of each side times the worth to each side's losses for [figures lost](of_losses), and times the worth to
    /// each side's wins for all others.
    pub metrics: BySide<ByMetric<BySide<i128>>>,
    /// Battles of each verdict by the first side's luck less the second's, in tenths of a roll.
    pub net: [Histogram; 3],
}

/// The worth of luck for a quantity of each side: sums over battles.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct WorthTally {
    /// The sums of each side's worth.
    pub sums: BySide<i128>,
    /// The sums of the squares of the first side's worth, of the squares of the second side's, and of the products of
    /// both.
    pub squares: [i128; 3],
}

impl WorthTally {
    fn count(&mut self, worth: BySide<i128>) {
        let (first, second) = (worth.first, worth.second);
        add(&mut self.sums, worth, 1);
        for (sum, more) in self.squares.iter_mut().zip([first * first, second * second, first * second]) {
            *sum += more;
        }
    }
}

/// Whether the worth of luck for losses applies to a metric, not its worth for wins.
#[must_use]
pub fn of_losses(metric: &Metric) -> bool {
    metric.key == "losses"
}

impl LuckTally {
    /// Counts battles with the luck of their sides.
    pub fn count(&mut self, outcomes: &Outcomes, fallen: &[Fallen]) {
        for (outcome, fallen) in outcomes.iter().zip(fallen) {
            let luck = fallen.luck.map(|luck| i128::from(luck.0));
            add(&mut self.sums, luck, 1);
            add(&mut self.squares, luck.map(|luck| luck * luck), 1);
            let (wins, losses) = (fallen.wins.map(i128::from), fallen.losses.map(i128::from));
            self.wins.count(wins);
            self.losses.count(losses);
            let verdict = Verdict::of(outcome.winner).index();
            add(&mut self.verdicts[verdict], wins, 1);
            add(&mut self.turns, wins, outcome.turns.into());
            for side in Side::BOTH {
                for (metric, sums) in METRICS.iter().zip(&mut self.metrics[side]) {
                    let worth = if of_losses(metric) { losses } else { wins };
                    add(sums, worth, metric.of(&outcome.sides[side]));
                }
            }
            self.net[verdict].add(tenths(fallen.luck.first.0 - fallen.luck.second.0));
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

    /// Every sum, in a fixed order.
    #[must_use]
    pub fn all(&self) -> Vec<i128> {
        let pair = |pair: &BySide<i128>| [pair.first, pair.second];
        let metrics = Side::BOTH.into_iter().flat_map(|side| self.metrics[side].iter().flat_map(pair));
        let luck = pair(&self.sums).into_iter().chain(pair(&self.squares));
        let worth =
            [&self.wins, &self.losses].into_iter().flat_map(|worth| pair(&worth.sums).into_iter().chain(worth.squares));
        luck.chain(worth).chain(self.verdicts.iter().flat_map(pair)).chain(pair(&self.turns)).chain(metrics).collect()
    }

    /// The same sums, as mutable references.
    pub fn all_mut(&mut self) -> Vec<&mut i128> {
        let mut all: Vec<&mut i128> = Vec::new();
        for pair in [&mut self.sums, &mut self.squares] {
            all.extend([&mut pair.first, &mut pair.second]);
        }
        for worth in [&mut self.wins, &mut self.losses] {
            all.extend([&mut worth.sums.first, &mut worth.sums.second]);
            all.extend(&mut worth.squares);
        }
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

fn add(sums: &mut BySide<i128>, both: BySide<i128>, times: u16) {
    sums.first += both.first * i128::from(times);
    sums.second += both.second * i128::from(times);
}

/// Luck in tenths of a roll, rounded to nearest.
fn tenths(luck: i64) -> i32 {
    let (tenths, roll) = (i128::from(luck) * 10, i128::from(Luck::ROLL.0));
    (2 * tenths + roll).div_euclid(2 * roll) as i32
}

#[cfg(test)]
mod tests {
    use grognard_engine::{Outcome, SideOutcome};

    use super::*;

    #[test]
    fn sums_in_pieces_are_those_of_the_whole() {
        let side = SideOutcome { start: 12, losses: 3, units: 1, routed_units: 1, shaken_units: 0, rout_turn: 2 };
        let battle = |winner| Outcome { winner, turns: 4, sides: BySide::new(side, SideOutcome::default()) };
        let battles = [battle(None), battle(Some(Side::First)), battle(Some(Side::Second))];
        let luck = [(3_i64 << 30, 0), (-(1_i64 << 32), 1 << 33), (5, -7)];
        let fallen = luck.map(|(first, second)| Fallen {
            luck: BySide::new(Luck(first), Luck(second)),
            wins: BySide::new(-2 * first, 3 * first + second),
            losses: BySide::new(-first, first),
            lead: 0,
        });
        let outcomes = |battles: &[Outcome]| battles.iter().copied().collect();
        let mut whole = LuckTally::default();
        whole.count(&outcomes(&battles), &fallen);
        let mut pieces = LuckTally::default();
        pieces.count(&outcomes(&battles[1..]), &fallen[1..]);
        let mut one = LuckTally::default();
        one.count(&outcomes(&battles[..1]), &fallen[..1]);
        pieces.merge(&one);
        assert_eq!(pieces, whole);
        assert_eq!(whole.sums.first, (3 << 30) - (1 << 32) + 5);
        assert_eq!(whole.squares.second, (1 << 66) + 49);
        let (sums, squares) = (whole.sums, whole.squares);
        assert_eq!(whole.wins.sums, BySide::new(-2 * sums.first, 3 * sums.first + sums.second));
        assert_eq!(whole.wins.squares[0], 4 * squares.first);
        assert_eq!(whole.wins.squares[2], -6 * squares.first + (1 << 66) + 70);
        assert_eq!(
            whole.losses,
            WorthTally {
                sums: BySide::new(-sums.first, sums.first),
                squares: [squares.first, squares.first, -squares.first],
            }
        );
        // In each battle, three figures are lost and a unit is routed.
        assert_eq!(whole.metrics.first[0], BySide::new(-3 * sums.first, 3 * sums.first));
        assert_eq!(whole.metrics.first[1], whole.wins.sums);
        // A roll and a half in the second side's favour.
        assert_eq!(whole.net[0].iter().collect::<Vec<_>>(), [(-15, 1)]);
    }
}
