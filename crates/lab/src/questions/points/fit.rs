//! Fitting prices to battles: a logistic regression of the winner on the units of each side.

use grognard_stats::{Estimate, Level};

/// The maximum number of steps of Newton's method.
const STEPS: usize = 60;
/// Beyond this weight, a unit decides every battle and has no price.
const ENDLESS: f64 = 25.0;
/// The minimum ratio of the worth of the units that set the scale to its error, for prices to have errors of their own.
const SURE: f64 = 5.0;
/// The minimum size of a pivot, relative to its original value. A smaller one is only rounding.
const PIVOT: f64 = 1e-9;

/// The battles of two armies.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Fought {
    /// The first side's surplus over the second: units of each type, then bearers of each trait.
    pub(super) more: Vec<i32>,
    /// For each pair of types, the first side's count of such pairs minus the second's.
    pub(super) pairs: Vec<i32>,
    /// Battles.
    pub(super) battles: u64,
    /// The first side's score in a battle: battles won, with draws counting half.
    pub(super) score: f64,
}

/// The contribution of each unit to the log odds.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Fit {
    /// The advantage of the first side.
    pub(super) edge: f64,
    /// The weight of each type, then of each trait.
    pub(super) weights: Vec<f64>,
    /// What each fitted pair adds to the weights of its units.
    pub(super) pairs: Vec<f64>,
    /// The covariances of the edge, then the weights, then the pairs.
    covariance: Vec<Vec<f64>>,
    /// The number of armies minus that of weights: the degrees of freedom of the errors.
    freedom: u64,
    /// How fast the battles become less likely as the weights move away from these: the negated second derivatives of
    /// the log likelihood, in the same order.
    curve: Vec<Vec<f64>>,
}

/// Battles from which prices cannot be determined.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Unfit {
    /// The armies do not distinguish the types.
    #[error("the armies are too similar to tell what each unit is worth")]
    Alike,
    /// The side with more of a unit always wins.
    #[error("some units decide every battle, so no price is high enough for them")]
    Endless,
    /// The units that set the scale are worth nothing.
    #[error("the units that set the scale of prices cannot be distinguished from worthless ones")]
    Worthless,
}

/// Fits odds to battles: the log odds of the first side are its edge plus the weight of every surplus unit. The pairs
/// of units listed by index also have weights.
///
/// Covariances are those of the sandwich estimator: they are valid even if the odds of two armies do not follow the
/// weights, as long as armies are drawn independently. The residual of each pair of armies is enlarged to what it would
/// be if the pair were left out of the fit (HC3: MacKinnon and White, *Journal of Econometrics* 29 (1985) 305).
/// Otherwise, intervals from few armies would be too narrow.
///
/// # Errors
/// See [`Unfit`].
pub(super) fn fit(fought: &[Fought], pairs: &[usize]) -> Result<Fit, Unfit> {
    let types = fought.first().map_or(0, |one| one.more.len());
    let count = types + 1 + pairs.len();
    if fought.len() <= count {
        return Err(Unfit::Alike);
    }
    let row = |one: &Fought| -> Vec<f64> {
        let pairs = pairs.iter().map(|&pair| &one.pairs[pair]);
        std::iter::once(1.0).chain(one.more.iter().chain(pairs).map(|&more| f64::from(more))).collect()
    };
    let rows: Vec<Vec<f64>> = fought.iter().map(row).collect();
    let chance = |weights: &[f64], row: &[f64]| 1.0 / (1.0 + (-dot(weights, row)).exp());
    let mut weights = vec![0.0; count];
    let mut before = f64::INFINITY;
    for _ in 0..STEPS {
        let (mut slope, mut curve) = (vec![0.0; count], vec![vec![0.0; count]; count]);
        for (one, row) in fought.iter().zip(&rows) {
            let (battles, chance) = (one.battles as f64, chance(&weights, row));
            add(&mut curve, row, battles * chance * (1.0 - chance));
            slope.iter_mut().zip(row).for_each(|(slope, value)| *slope += battles * (one.score - chance) * value);
        }
        let inverse = inverse(&curve).ok_or(if before.is_infinite() { Unfit::Alike } else { Unfit::Endless })?;
        let step: Vec<f64> = inverse.iter().map(|line| dot(line, &slope)).collect();
        let size = step.iter().fold(0.0_f64, |most, step| most.max(step.abs()));
        // Far from the maximum, Newton's step may be too long.
        let by = if size > 2.0 { 2.0 / size } else { 1.0 };
        weights.iter_mut().zip(&step).for_each(|(weight, step)| *weight += by * step);
        if weights.iter().any(|weight| weight.abs() > ENDLESS) {
            return Err(Unfit::Endless);
        }
        if size < 1e-10 || size >= before && size < 1e-7 {
            let mut spread = vec![vec![0.0; count]; count];
            for (one, row) in fought.iter().zip(&rows) {
                let (battles, chance) = (one.battles as f64, chance(&weights, row));
                let each: Vec<f64> = inverse.iter().map(|line| dot(line, row)).collect();
                let leverage = battles * chance * (1.0 - chance) * dot(&each, row);
                let left = battles * (one.score - chance) / (1.0 - leverage).max(PIVOT);
                add(&mut spread, row, left * left);
            }
            let covariance = product(&product(&inverse, &spread), &inverse);
            let freedom = (fought.len() - count) as u64;
            let (weights, pairs) = weights.split_at(1 + types);
            let (edge, weights) = (weights[0], weights[1..].to_vec());
            return Ok(Fit { edge, weights, pairs: pairs.to_vec(), covariance, freedom, curve });
        }
        before = size;
    }
    Err(Unfit::Endless)
}

impl Fit {
    /// The prices of being the first side, of each type, and of each trait, in points, with intervals by the delta
    /// method. Together, the types with a given price cost as much as their given prices; if no price is given, the
    /// mean price of the types is ten.
    ///
    /// # Errors
    /// The total worth of the units that set the scale cannot be distinguished from chance.
    pub(super) fn prices(&self, given: &[Option<f64>], armies: usize, level: Level) -> Result<Vec<Estimate>, Unfit> {
        let measures = self.measures(given);
        let weights: Vec<f64> = std::iter::once(self.edge).chain(self.weights.iter().copied()).collect();
        let (worth, scale) = self.scale(given)?;
        let price = |at: usize| {
            let slope =
                |other: usize| (if other == at { scale } else { 0.0 }) - measures[other] * weights[at] * scale / worth;
            let slopes: Vec<f64> = (0..weights.len()).map(slope).collect();
            let (point, half) = (scale * weights[at], level.student(self.freedom) * self.error(&slopes));
            Estimate { point, low: point - half, high: point + half, level, runs: armies as u64 }
        };
        Ok((0..weights.len()).map(price).collect())
    }

    /// Whole prices near these: those under which the battles are most likely, with the best edge for each list.
    pub(super) fn whole(&self, prices: &[f64]) -> Vec<i64> {
        let (edge, count) = (self.curve[0][0], self.weights.len());
        let entry =
            |one: usize, other: usize| self.curve[one][other] - self.curve[one][0] * self.curve[0][other] / edge;
        let weights: Vec<Vec<f64>> =
            (1..=count).map(|one| (1..=count).map(|other| entry(one, other)).collect()).collect();
        super::whole::nearest(prices, &weights)
    }

    /// The total weight of the units that set the scale, and the number of points for a weight of 1.
    fn scale(&self, given: &[Option<f64>]) -> Result<(f64, f64), Unfit> {
        let measures = self.measures(given);
        let none = given.iter().all(Option::is_none);
        let total: f64 = if none { 10.0 * given.len() as f64 } else { given.iter().flatten().sum() };
        let worth: f64 = dot(&self.weights, &measures[1..]);
        if worth <= 1e-6 || worth < SURE * self.error(&measures) {
            return Err(Unfit::Worthless);
        }
        Ok((worth, total / worth))
    }

    /// The worth of each pair of units beyond the prices of this fit, in its points, with the pair's position, for
    /// pairs that can be distinguished. Pairs are fitted one at a time, each together with the prices.
    ///
    /// # Errors
    /// As for [`Fit::prices`].
    pub(super) fn beyond(
        &self,
        fought: &[Fought],
        given: &[Option<f64>],
        level: Level,
    ) -> Result<Vec<(usize, Estimate)>, Unfit> {
        let (worth, scale) = self.scale(given)?;
        let relative = self.error(&self.measures(given)) / worth;
        let pair = |place: usize| {
            let fit = fit(fought, &[place]).ok()?;
            let weight = *fit.pairs.first()?;
            let own: Vec<f64> = std::iter::repeat_n(0.0, 1 + self.weights.len()).chain([1.0]).collect();
            let half = level.student(fit.freedom) * scale * fit.error(&own).hypot(weight * relative);
            let (point, runs) = (scale * weight, fought.len() as u64);
            Some((place, Estimate { point, low: point - half, high: point + half, level, runs }))
        };
        Ok((0..fought.first().map_or(0, |one| one.pairs.len())).filter_map(pair).collect())
    }

    /// The log odds of the first side, including these pairs but not the edge.
    pub(super) fn odds(&self, one: &Fought, pairs: &[usize]) -> f64 {
        let pairs = pairs.iter().zip(&self.pairs).map(|(&pair, weight)| f64::from(one.pairs[pair]) * weight);
        one.more.iter().zip(&self.weights).map(|(&more, weight)| f64::from(more) * weight).chain(pairs).sum()
    }

    /// For the edge and then for each weight, 1 if it sets the scale, otherwise 0.
    fn measures(&self, given: &[Option<f64>]) -> Vec<f64> {
        let none = given.iter().all(Option::is_none);
        let measure = |price: &Option<f64>| if none || price.is_some() { 1.0 } else { 0.0 };
        let traits = self.weights.len() - given.len();
        std::iter::once(0.0).chain(given.iter().map(measure)).chain(std::iter::repeat_n(0.0, traits)).collect()
    }

    /// The standard error of the sum of the edge, weights and pairs, each multiplied by its factor.
    fn error(&self, times: &[f64]) -> f64 {
        let each: Vec<f64> = self.covariance.iter().map(|line| dot(line, times)).collect();
        dot(&each, times).max(0.0).sqrt()
    }
}

fn dot(one: &[f64], other: &[f64]) -> f64 {
    one.iter().zip(other).map(|(one, other)| one * other).sum()
}

/// Adds a multiple of a row's outer product.
fn add(matrix: &mut [Vec<f64>], row: &[f64], times: f64) {
    for (line, own) in matrix.iter_mut().zip(row) {
        line.iter_mut().zip(row).for_each(|(entry, other)| *entry += times * own * other);
    }
}

fn product(one: &[Vec<f64>], other: &[Vec<f64>]) -> Vec<Vec<f64>> {
    let column = |at: usize| -> Vec<f64> { other.iter().map(|line| line[at]).collect() };
    let columns: Vec<Vec<f64>> = (0..other.len()).map(column).collect();
    one.iter().map(|line| columns.iter().map(|column| dot(line, column)).collect()).collect()
}

/// The inverse of a symmetric matrix; `None` unless all its pivots are positive.
fn inverse(matrix: &[Vec<f64>]) -> Option<Vec<Vec<f64>>> {
    let count = matrix.len();
    let unit = |at: usize| (0..count).map(move |other| if other == at { 1.0 } else { 0.0 });
    let mut lines: Vec<Vec<f64>> =
        matrix.iter().enumerate().map(|(at, line)| line.iter().copied().chain(unit(at)).collect()).collect();
    for at in 0..count {
        let pivot = lines[at][at];
        if pivot.is_nan() || pivot <= PIVOT * matrix[at][at] || pivot <= f64::MIN_POSITIVE {
            return None;
        }
        lines[at].iter_mut().for_each(|entry| *entry /= pivot);
        let own = lines[at].clone();
        for (_, line) in lines.iter_mut().enumerate().filter(|(other, _)| *other != at) {
            let times = line[at];
            line.iter_mut().zip(&own).for_each(|(entry, own)| *entry -= times * own);
        }
    }
    Some(lines.into_iter().map(|line| line[count..].to_vec()).collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::questions::chances::Chances;

    /// Random armies of up to four units, with battles whose odds follow the planted edge and weights.
    fn planted(dice: &mut Chances, armies: usize, battles: u64, edge: f64, weights: &[f64]) -> Vec<Fought> {
        let army = |dice: &mut Chances| {
            let mut counts = vec![0; weights.len()];
            (0..=dice.below(4)).for_each(|_| counts[dice.below(weights.len())] += 1);
            counts
        };
        (0..armies)
            .map(|_| {
                let (own, other) = (army(dice), army(dice));
                let more: Vec<i32> = own.iter().zip(&other).map(|(own, other)| own - other).collect();
                let pairs = draw_pairs(&own, &other);
                let odds = edge + more.iter().zip(weights).map(|(&more, weight)| f64::from(more) * weight).sum::<f64>();
                let chance = 1.0 / (1.0 + (-odds).exp());
                let won = (0..battles).filter(|_| (dice.below(1 << 30) as f64) < chance * f64::from(1 << 30)).count();
                Fought { more, pairs, battles, score: won as f64 / battles as f64 }
            })
            .collect()
    }

    /// How many more pairs of types 0 and 0, 0 and 1, and so on, the first army has than the second.
    fn draw_pairs(own: &[i32], other: &[i32]) -> Vec<i32> {
        let of = |counts: &[i32], [one, two]: [usize; 2]| {
            if one == two { counts[one] * (counts[one] - 1) / 2 } else { counts[one] * counts[two] }
        };
        super::super::draw::pairs_of(own.len()).map(|pair| of(own, pair) - of(other, pair)).collect()
    }

    /// Two units with weights of 0.3 and 0.6 add another 0.9 to the log odds if they are together. This pair is found,
    /// and without such a pair, a study finds one with a probability of at most 5 %.
    #[test]
    fn a_planted_pair_is_found_and_no_other() {
        let weights = [0.3, 0.6, 0.9];
        let mut dice = Chances(1815);
        let (mut found, mut others) = (0, 0);
        for _ in 0..200 {
            let mut fought = planted(&mut dice, 300, 1, 0.0, &weights);
            for one in &mut fought {
                let odds = one.more.iter().zip(&weights).map(|(&more, weight)| f64::from(more) * weight).sum::<f64>()
                    + 0.9 * f64::from(one.pairs[1]);
                let chance = 1.0 / (1.0 + (-odds).exp());
                let won = (0..16).filter(|_| (dice.below(1 << 30) as f64) < chance * f64::from(1 << 30)).count();
                (one.battles, one.score) = (16, won as f64 / 16.0);
            }
            // The pair, fitted together with the weights.
            let with = fit(&fought, &[1]).expect("prices");
            assert!((with.pairs[0] - 0.9).abs() < 0.5, "{with:?}");
            let linear = fit(&fought, &[]).expect("prices");
            let beyond = linear.beyond(&fought, &[None; 3], Level::P95).expect("pairs");
            found += usize::from(beyond.iter().any(|(place, worth)| *place == 1 && worth.low > 0.0));
            let plain = planted(&mut dice, 300, 16, 0.0, &weights);
            let level = grognard_stats::bonferroni(Level::P95, 6);
            let linear = fit(&plain, &[]).expect("prices");
            let beyond = linear.beyond(&plain, &[None; 3], level).expect("pairs");
            others += usize::from(beyond.iter().any(|(_, worth)| !worth.holds(0.0)));
        }
        assert!(found >= 195, "{found} of 200");
        // 5 % of 200 is 10; more than 19 has a probability of 0.003.
        assert!(others <= 19, "{others} of 200");
    }

    /// An exact price list is recovered without error.
    #[test]
    fn exact_odds_give_exact_prices() {
        let weights = [0.3, 0.6, 0.9];
        let mut fought = planted(&mut Chances(1), 60, 1, 0.2, &weights);
        for one in &mut fought {
            let odds = 0.2 + one.more.iter().zip(&weights).map(|(&more, weight)| f64::from(more) * weight).sum::<f64>();
            one.score = 1.0 / (1.0 + (-odds).exp());
        }
        let fit = fit(&fought, &[]).expect("prices");
        assert!((fit.edge - 0.2).abs() < 1e-8, "{fit:?}");
        let prices = |given: &[Option<f64>]| fit.prices(given, 60, Level::P95).expect("prices");
        // Ten on average: 5, 10 and 15. With 4 given for the first, the others cost 8 and 12; with 6 and 14 given,
        // these two cost 20 together.
        for (given, wanted) in [
            ([None, None, None], [5.0, 10.0, 15.0]),
            ([Some(4.0), None, None], [4.0, 8.0, 12.0]),
            ([Some(6.0), None, Some(14.0)], [5.0, 10.0, 15.0]),
        ] {
            let prices = prices(&given);
            // The edge is worth as much as two thirds of the first unit.
            assert!((prices[0].point / prices[1].point - 2.0 / 3.0).abs() < 1e-6, "{prices:?}");
            for (price, wanted) in prices[1..].iter().zip(wanted) {
                assert!((price.point - wanted).abs() < 1e-6 && price.half_width() < 1e-6, "{price:?} is not {wanted}");
            }
        }
    }

    /// Between 94 % and 96 % of the intervals at the 95 % level contain the planted price, in 1,000 studies of an edge
    /// and three prices.
    #[test]
    fn intervals_hold_planted_prices_as_often_as_they_say() {
        let weights = [0.2, 0.4, 0.6];
        let mut dice = Chances(1815);
        let (mut held, mut all) = (0, 0);
        for _ in 0..1_000 {
            let fit = fit(&planted(&mut dice, 200, 16, 0.3, &weights), &[]).expect("prices");
            let prices = fit.prices(&[None; 3], 200, Level::P95).expect("prices");
            held += prices.iter().zip([7.5, 5.0, 10.0, 15.0]).filter(|(price, wanted)| price.holds(*wanted)).count();
            all += prices.len();
        }
        let share = held as f64 / all as f64;
        assert!((0.94..=0.96).contains(&share), "{share}");
    }

    /// The intervals of prices are based on normal theory. With intervals for an edge and three prices at a joint level
    /// of 95 %, all four contain the planted value in at least 93 % of studies, apart from chance: with few and many
    /// armies, and with odds from nearly even to almost certain.
    ///
    /// With `COVERED=1000`, there are as many studies as for docs/how-the-numbers-are-made.md (`just covered`).
    #[test]
    fn prices_hold_together_for_few_armies_and_many() {
        let studies: usize = std::env::var("COVERED").ok().and_then(|count| count.parse().ok()).unwrap_or(200);
        let level = grognard_stats::bonferroni(Level::P95, 4);
        println!("| prices (normal theory) | 16 | 48 | 320 |\n|---|---|---|---|");
        for (name, times, battles) in [("even", 0.5, 16), ("usual", 1.0, 64), ("lopsided", 4.0, 64)] {
            let weights = [0.2, 0.4, 0.6].map(|weight| times * weight);
            let mut cells = Vec::new();
            for armies in [16, 48, 320] {
                let mut dice = Chances(1_815 + armies as u64);
                let (mut held, mut given) = (0, 0);
                for _ in 0..studies {
                    // A study that gives no prices gives no wrong ones.
                    let fought = planted(&mut dice, armies, battles, 0.3 * times, &weights);
                    let Ok(prices) = fit(&fought, &[]).and_then(|fit| fit.prices(&[None; 3], armies, level)) else {
                        continue;
                    };
                    given += 1;
                    held += usize::from(
                        prices.iter().zip([7.5, 5.0, 10.0, 15.0]).all(|(price, wanted)| price.holds(wanted)),
                    );
                }
                let share = held as f64 / given.max(1) as f64;
                cells.push(format!("{:.1} % of {given}", 100.0 * share));
                // 0.93 minus four standard errors of 200 studies.
                assert!(given < studies / 4 || share >= 0.86, "{name}, {armies}: {share} of {given}");
            }
            println!("| {name} | {} |", cells.join(" | "));
        }
    }

    #[test]
    fn what_cannot_be_priced_is_refused() {
        let one = |more: [i32; 2], score: f64| Fought { more: more.to_vec(), pairs: Vec::new(), battles: 10, score };
        // Both sides have equally many units, so raising all weights by the same amount changes nothing.
        let alike: Vec<Fought> = (0..12).map(|at| one([at % 3 - 1, 1 - at % 3], 0.5)).collect();
        assert_eq!(fit(&alike, &[]), Err(Unfit::Alike));
        let endless: Vec<Fought> =
            (0..12).map(|at| one([at % 3 - 1, at / 3 % 2], if at % 3 == 2 { 1.0 } else { 0.0 })).collect();
        assert_eq!(fit(&endless, &[]), Err(Unfit::Endless));
        let worthless: Vec<Fought> = (0..12).map(|at| one([at % 3 - 1, at / 3 % 2], 0.5)).collect();
        let fit = fit(&worthless, &[]).expect("weights");
        assert_eq!(fit.prices(&[None, None], 12, Level::P95), Err(Unfit::Worthless));
    }
}
