//! Prices fitted to battles: a logistic regression of the winner on the units of each side.

use crate::{Estimate, Level};

/// The maximum number of steps of Newton's method.
const STEPS: usize = 60;
/// Beyond this weight, a unit decides every battle and has no price.
const ENDLESS: f64 = 25.0;
/// The scale is set by the worth of some units. Prices have errors of their own only if the ratio of this worth to its
/// error is at least this.
const SURE: f64 = 5.0;
/// The minimum size of a pivot, relative to its original value. A smaller one is only rounding.
const PIVOT: f64 = 1e-9;

/// The battles of two armies, for [`fit_prices`].
#[derive(Clone, Debug, PartialEq)]
pub struct Fought {
    /// The first side's surplus over the second: units of each type, then bearers of each trait.
    pub more: Vec<i32>,
    /// For each pair of types, the first side's count of such pairs minus the second's.
    pub pairs: Vec<i32>,
    /// Battles.
    pub battles: u64,
    /// The first side's score in a battle: battles won, with draws counting half.
    pub score: f64,
}

impl Fought {
    /// The first side's surplus of a pair of types; 0 if it was not counted.
    fn pair(&self, place: usize) -> i32 {
        self.pairs.get(place).copied().unwrap_or(0)
    }
}

/// The contribution of each unit to the log odds: see [`fit_prices`].
#[derive(Clone, Debug, PartialEq)]
pub struct PriceFit {
    /// The advantage of the first side.
    pub edge: f64,
    /// The weight of each type, then of each trait.
    pub weights: Vec<f64>,
    /// The weight of each pair that is fitted: what it adds beyond the weights of its units.
    pub pairs: Vec<f64>,
    /// The covariances of the edge, then the weights, then the pairs.
    covariance: Vec<Vec<f64>>,
    /// The residual degrees of freedom: the number of armies minus the number of weights.
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
/// weights, if armies are drawn independently. The residual of each pair of armies is enlarged to what it would be if
/// the pair were left out of the fit (HC3: MacKinnon and White, *Journal of Econometrics* 29 (1985) 305). Otherwise,
/// intervals from few armies would be too narrow.
///
/// # Errors
/// See [`Unfit`].
pub fn fit_prices(fought: &[Fought], pairs: &[usize]) -> Result<PriceFit, Unfit> {
    let types = fought.first().map_or(0, |one| one.more.len());
    let count = types + 1 + pairs.len();
    if fought.len() <= count {
        return Err(Unfit::Alike);
    }
    let row = |one: &Fought| -> Vec<f64> {
        let pairs = pairs.iter().map(|&pair| one.pair(pair));
        std::iter::once(1.0).chain(one.more.iter().copied().chain(pairs).map(f64::from)).collect()
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
            return Ok(PriceFit { edge, weights, pairs: pairs.to_vec(), covariance, freedom, curve });
        }
        before = size;
    }
    Err(Unfit::Endless)
}

impl PriceFit {
    /// The price of being the first side, then of each type, then of each trait, in points. The scale is such that the
    /// types with a given price cost as much in total as those prices or, if no price is given, that the mean is ten.
    /// The intervals come from the delta method.
    ///
    /// # Errors
    /// The total worth of the units that set the scale cannot be distinguished from chance.
    pub fn prices(&self, given: &[Option<f64>], armies: usize, level: Level) -> Result<Vec<Estimate>, Unfit> {
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

    /// How much less likely the battles are under other weights: the curvature of their likelihood about these weights,
    /// whatever the edge.
    #[must_use]
    pub fn curvature(&self) -> Vec<Vec<f64>> {
        let (edge, count) = (self.curve[0][0], self.weights.len());
        let entry =
            |one: usize, other: usize| self.curve[one][other] - self.curve[one][0] * self.curve[0][other] / edge;
        (1..=count).map(|one| (1..=count).map(|other| entry(one, other)).collect()).collect()
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

    /// The worth of each pair of units beyond the prices of this fit, in points of the same scale, with the pair's
    /// position, for pairs that can be distinguished. Pairs are fitted one at a time, each together with the prices.
    ///
    /// # Errors
    /// As for [`PriceFit::prices`].
    pub fn beyond(
        &self,
        fought: &[Fought],
        given: &[Option<f64>],
        level: Level,
    ) -> Result<Vec<(usize, Estimate)>, Unfit> {
        let (worth, scale) = self.scale(given)?;
        let relative = self.error(&self.measures(given)) / worth;
        let pair = |place: usize| {
            let fit = fit_prices(fought, &[place]).ok()?;
            let weight = *fit.pairs.first()?;
            let own: Vec<f64> = std::iter::repeat_n(0.0, 1 + self.weights.len()).chain([1.0]).collect();
            let half = level.student(fit.freedom) * scale * fit.error(&own).hypot(weight * relative);
            let (point, runs) = (scale * weight, fought.len() as u64);
            Some((place, Estimate { point, low: point - half, high: point + half, level, runs }))
        };
        Ok((0..fought.first().map_or(0, |one| one.pairs.len())).filter_map(pair).collect())
    }

    /// The logarithm of the odds of the first side, with these pairs.
    #[must_use]
    pub fn odds(&self, one: &Fought, pairs: &[usize]) -> f64 {
        let pairs = pairs.iter().zip(&self.pairs).map(|(&pair, weight)| f64::from(one.pair(pair)) * weight);
        one.more.iter().zip(&self.weights).map(|(&more, weight)| f64::from(more) * weight).chain(pairs).sum()
    }

    /// For the edge and then for each weight, 1 if it sets the scale, otherwise 0.
    fn measures(&self, given: &[Option<f64>]) -> Vec<f64> {
        let none = given.iter().all(Option::is_none);
        let measure = |price: &Option<f64>| if none || price.is_some() { 1.0 } else { 0.0 };
        let traits = self.weights.len().saturating_sub(given.len());
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
