//! Battles between armies whose units have known values.

use grognard_stats::{Fought, Level, PriceFit, Unfit, bonferroni, fit_prices};

use super::drawn::{Dice, Studies};

/// Pairs of armies, battles of each pair, and what units add to the log odds.
#[derive(Clone, Copy)]
pub(crate) struct Planted {
    pub(crate) armies: usize,
    pub(crate) battles: u64,
    /// The edge of the first side.
    pub(crate) edge: f64,
    /// The weight of a unit of each of three types.
    pub(crate) weights: [f64; 3],
    /// What one unit of the first type and one of the second add when they are in the same army.
    pub(crate) pair: f64,
}

/// The prices of an edge of 0.3 and weights of 0.2, 0.4 and 0.6, or of any multiple of these.
pub(crate) const PRICES: [f64; 4] = [7.5, 5.0, 10.0, 15.0];

impl Planted {
    /// Weights such that an army with one more unit of the second type beats an otherwise equal one with this
    /// probability.
    pub(crate) fn deciding(armies: usize, battles: u64, chance: f64) -> Self {
        let times = (chance / (1.0 - chance)).ln() / 0.4;
        Self { armies, battles, edge: 0.3 * times, weights: [0.2, 0.4, 0.6].map(|weight| times * weight), pair: 0.0 }
    }

    /// The logarithm of the first side's odds.
    pub(crate) fn odds(&self, more: &[i32], pairs: &[i32]) -> f64 {
        let units: f64 = more.iter().zip(&self.weights).map(|(&more, weight)| f64::from(more) * weight).sum();
        self.edge + units + self.pair * f64::from(pairs[1])
    }

    /// The battles of armies of up to five units.
    pub(crate) fn fought(&self, dice: &mut Dice) -> Vec<Fought> {
        let army = |dice: &mut Dice| {
            let mut counts = [0; 3];
            (0..=dice.below(4)).for_each(|_| counts[dice.below(3)] += 1);
            counts
        };
        (0..self.armies)
            .map(|_| {
                let (own, other) = (army(dice), army(dice));
                let more: Vec<i32> = own.iter().zip(&other).map(|(own, other)| own - other).collect();
                let pairs = pairs_more(&own, &other);
                let chance = 1.0 / (1.0 + (-self.odds(&more, &pairs)).exp());
                let score = dice.successes(self.battles, chance) as f64 / self.battles as f64;
                Fought { more, pairs, battles: self.battles, score }
            })
            .collect()
    }

    /// Of the studies that find prices, the share whose simultaneous intervals contain all prices and the edge; `None`
    /// if few find any.
    pub(crate) fn prices(&self, level: Level, studies: Studies) -> Option<f64> {
        self.of_fits(studies, |_, fit| {
            let prices = fit.prices(&[None; 3], self.armies, bonferroni(level, PRICES.len()))?;
            Ok(prices.iter().zip(PRICES).all(|(price, wanted)| price.holds(wanted)))
        })
    }

    /// The share of these studies in which, with simultaneous intervals, no pair stands out that is worth only the sum
    /// of its units.
    pub(crate) fn pairs(&self, level: Level, studies: Studies) -> Option<f64> {
        self.of_fits(studies, |fought, fit| {
            let pairs = fit.beyond(fought, &[None; 3], bonferroni(level, 6))?;
            Ok(pairs.iter().all(|(_, beyond)| beyond.holds(0.0)))
        })
    }

    fn of_fits(&self, studies: Studies, holds: impl Fn(&[Fought], &PriceFit) -> Result<bool, Unfit>) -> Option<f64> {
        studies.share_of_given(|dice| {
            let fought = self.fought(dice);
            // A study without prices has no wrong prices.
            fit_prices(&fought, &[]).and_then(|fit| holds(&fought, &fit)).ok()
        })
    }
}

/// How many more pairs of types 0 and 0, 0 and 1, and so on, the first army has than the second.
fn pairs_more(own: &[i32], other: &[i32]) -> Vec<i32> {
    let of = |counts: &[i32], one: usize, two: usize| {
        if one == two { counts[one] * (counts[one] - 1) / 2 } else { counts[one] * counts[two] }
    };
    let pairs = (0..own.len()).flat_map(|one| (one..own.len()).map(move |two| (one, two)));
    pairs.map(|(one, two)| of(own, one, two) - of(other, one, two)).collect()
}
