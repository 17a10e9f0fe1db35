//! Points: what should a unit cost? Random armies fight each other, and prices are fitted to the winners.

mod draw;
mod whole;

use grognard_engine::{Deployment, Side, SidePlan};
use grognard_source::Diagnostics;
use grognard_stats::{Estimate, Fought, Level, bonferroni, fit_prices, mean_exact};
use rayon::prelude::{IndexedParallelIterator, IntoParallelRefIterator, ParallelIterator};

use super::chances::Chances;
use crate::memoised_cells::MemoisedCells;
use crate::progress::{Progress, Stop};
use crate::record::kept;
use crate::runner::Fighter;
use crate::sensitivity::Quantity;
use crate::study::{Cell, Study, Twin, Variants};
use draw::Market;

pub use grognard_stats::Unfit;

/// One in this many armies is held out from the fit.
const HELD: usize = 5;
/// The maximum number of draws for one pair of armies that can be deployed.
const DRAWS: usize = 40;
/// The maximum number of pairs of units reported: those worth most beyond their prices.
const PAIRS: usize = 10;
/// The maximum number of scores for the more expensive army: by fitted, whole and printed prices, and by prices and
/// pairs.
const SCORES: usize = 4;
/// Pairs of armies that fight between two checks for a stop.
const TOGETHER: usize = 32;

/// A search for prices.
#[derive(Clone, Debug)]
pub struct Points {
    /// The types to price.
    pub types: Vec<String>,
    /// Types whose units every army keeps as they are, in addition to leaders.
    pub kept: Vec<String>,
    /// The price of each type, if it is known.
    pub given: Vec<Option<f64>>,
    /// The maximum total cost of the priced units of an army. Without it, armies are drawn by number. Requires the
    /// price of each type.
    pub budget: Option<f64>,
    /// Cells, by index in the study, from whose deployments armies are drawn; all if empty.
    pub cells: Vec<usize>,
    /// Pairs of armies.
    pub armies: usize,
    /// Battles of each pair.
    pub battles: u64,
    /// The simultaneous confidence level of all intervals.
    pub level: Level,
    /// Worker threads; 0 means one for each core.
    pub threads: usize,
}

/// The results. All intervals are simultaneous.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Priced {
    /// The types, in the order in which they were named.
    pub units: Vec<PricedUnit>,
    /// What the traits of these types add to a unit's price, in alphabetical order.
    pub traits: Vec<PricedTrait>,
    /// The advantage of the first side, in points.
    pub edge: Estimate,
    /// Pairs of units that are certainly worth more or less than the sum of their prices, with the difference. The
    /// largest differences come first.
    pub pairs: Vec<PricedPair>,
    /// Pairs that were tried.
    pub pairs_tried: usize,
    /// The accuracy with which prices predict the winner, in battles to which they were not fitted.
    pub held_out: HeldOut,
    /// Pairs of armies that prices were fitted to.
    pub armies: usize,
    /// Pairs that the rules or the table do not allow.
    pub refused: usize,
    /// Battles fought.
    pub fought: u64,
    /// Whether it was stopped.
    pub stopped: bool,
}

/// A type with its price.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct PricedUnit {
    /// The type.
    pub name: String,
    /// Its price.
    pub points: Estimate,
    /// Its price in whole points, from the list of whole prices that fits these battles best.
    pub whole: i64,
    /// The price that was given.
    pub given: Option<f64>,
}

impl PricedUnit {
    /// Whether the printed price is certainly too high (true) or too low (false); `None` if neither is certain.
    #[must_use]
    pub fn is_dear(&self) -> Option<bool> {
        let given = self.given?;
        (!self.points.holds(given)).then_some(given > self.points.point)
    }
}

/// A trait with its price: the extra cost of a unit that has it.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct PricedTrait {
    /// The trait.
    pub name: String,
    /// The priced types that have it.
    pub bearers: Vec<String>,
    /// Its price.
    pub points: Estimate,
    /// Its price in whole points.
    pub whole: i64,
}

/// Two units in one army.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct PricedPair {
    /// Their types, by index.
    pub types: [usize; 2],
    /// Their worth beyond the sum of their prices.
    pub beyond: Estimate,
}

/// The accuracy with which prices predict the winner.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct HeldOut {
    /// Battles.
    pub battles: u64,
    /// Score of the army that costs more: battles won, with draws counting half. A pair of armies of the same cost
    /// counts half.
    pub fitted: Estimate,
    /// The score by whole prices.
    pub whole: Estimate,
    /// The score by the prices that were given, if every type has one.
    pub given: Option<Estimate>,
    /// The score by prices and pairs, if there are pairs.
    pub with_pairs: Option<Estimate>,
}

/// Why there are no prices.
#[derive(Debug, thiserror::Error)]
pub enum PointsError {
    /// The study cannot be read again from its texts.
    #[error("the study cannot be read again")]
    Study(Diagnostics),
    /// A side of a cell has no unit that may be drawn.
    #[error("a side of cell {0} has no unit to draw")]
    NoUnits(u32),
    /// Too few armies can be deployed.
    #[error("only {drawn} of {asked} pairs of armies could be deployed")]
    Refused {
        /// The number that could.
        drawn: usize,
        /// The number requested.
        asked: usize,
    },
    /// It was stopped too early.
    #[error("stopped before enough armies had fought")]
    Stopped,
    /// Prices cannot be determined from the battles.
    #[error(transparent)]
    Unfit(#[from] Unfit),
    /// The worker threads could not be started.
    #[error("cannot start the worker threads: {0}")]
    Threads(#[from] rayon::ThreadPoolBuildError),
}

/// The kept types, and those of a cell's leaders.
fn with_leaders(kept: &[String], cell: &Cell) -> Vec<String> {
    let leaders = cell.rules.kinds.iter().filter(|kind| kind.leader).map(|kind| kind.id.clone());
    kept.iter().cloned().chain(leaders).collect()
}

/// Two armies.
struct Drawn {
    cell: Cell,
    more: Vec<i32>,
    pairs: Vec<i32>,
}

impl Points {
    /// The default number of battles for each pair of armies.
    pub const BATTLES: u64 = 64;

    /// The unit types with which a study's cells begin, without leaders and kept types.
    ///
    /// # Errors
    /// The study cannot be read again from its texts.
    pub fn types_of(
        study: &Study,
        variants: &Variants<'_>,
        cells: &[usize],
        kept: &[String],
    ) -> Result<Vec<String>, Diagnostics> {
        let mut types: Vec<String> = Vec::new();
        for cell in study.chosen(cells) {
            let Some(plan) = variants.deployment(cell)? else { continue };
            let kept = with_leaders(kept, &study.cells[cell]);
            for unit in plan.sides.first.units.iter().chain(&plan.sides.second.units) {
                if !kept.contains(&unit.kind) && !types.contains(&unit.kind) {
                    types.push(unit.kind.clone());
                }
            }
        }
        Ok(types)
    }

    /// The maximum number of battles fought.
    #[must_use]
    pub fn battles_at_most(&self) -> u64 {
        self.armies as u64 * self.battles
    }

    /// Draws armies, lets them fight, and fits prices to their battles.
    ///
    /// If it is stopped, prices are fitted to the armies that have fought by then, and [`Priced::stopped`] is set.
    ///
    /// # Errors
    /// See [`PointsError`].
    pub fn run(
        &self,
        study: &Study,
        variants: &Variants<'_>,
        progress: &dyn Progress,
        stop: &Stop,
    ) -> Result<Priced, PointsError> {
        let twins = variants.twins(&study.chosen(&self.cells), &self.types);
        let (market, traits) = Market::of(&self.types, &twins);
        let (drawn, refused) = self.draw(study, variants, &market, &twins)?;
        let pool = rayon::ThreadPoolBuilder::new().num_threads(self.threads).build()?;
        let fought = pool.install(|| self.fight(study, &drawn, progress, stop));
        let held = |at: &usize| at % HELD == HELD - 1;
        let part = |held_out: bool| -> Vec<Fought> {
            (0..fought.len()).filter(|at| held(at) == held_out).map(|at| fought[at].clone()).collect()
        };
        let (used, held_out) = (part(false), part(true));
        if fought.len() < drawn.len() && used.len() < 2 * (self.types.len() + traits.len() + 1) {
            return Err(PointsError::Stopped);
        }
        let linear = fit_prices(&used, &[])?;
        let level = self.share_of(self.types.len() + traits.len() + 1);
        let mut prices = linear.prices(&self.given, used.len(), level)?;
        let edge = prices.remove(0);
        let points: Vec<f64> = prices.iter().map(|price| price.point).collect();
        let whole = whole::nearest(&points, &linear.curvature());
        let in_whole: Vec<f64> = whole.iter().map(|price| *price as f64).collect();
        let given: Option<Vec<f64>> = self.given.iter().copied().collect();
        let all: Vec<[usize; 2]> = draw::pairs_of(self.types.len()).collect();
        let mut beyond = linear.beyond(&used, &self.given, self.share_of(all.len()))?;
        beyond.retain(|(_, worth)| !worth.holds(0.0));
        beyond.sort_by(|(_, one), (_, other)| other.point.abs().total_cmp(&one.point.abs()));
        beyond.truncate(PAIRS);
        let places: Vec<usize> = beyond.iter().map(|(place, _)| *place).collect();
        let together = if places.is_empty() { None } else { fit_prices(&used, &places).ok() };
        let cost = |prices: &[f64], one: &Fought| -> f64 {
            one.more.iter().zip(prices).map(|(&more, price)| f64::from(more) * price).sum()
        };
        let of_traits = prices.split_off(self.types.len()).into_iter().zip(whole[self.types.len()..].to_vec());
        let bearers = |name: &String| -> Vec<String> {
            twins.iter().filter(|twin| twin.without == *name).map(|twin| twin.of.clone()).collect()
        };
        Ok(Priced {
            traits: (traits.iter().zip(of_traits))
                .map(|(name, (points, whole))| PricedTrait {
                    name: name.clone(),
                    bearers: bearers(name),
                    points,
                    whole,
                })
                .collect(),
            units: (self.types.iter().zip(prices).zip(whole).zip(&self.given))
                .map(|(((name, points), whole), &given)| PricedUnit { name: name.clone(), points, whole, given })
                .collect(),
            edge,
            held_out: HeldOut {
                battles: held_out.iter().map(|one| one.battles).sum(),
                fitted: self.told(&held_out, &|one| cost(&points, one)),
                whole: self.told(&held_out, &|one| cost(&in_whole, one)),
                given: given.map(|given| self.told(&held_out, &|one| cost(&given, one))),
                with_pairs: together.map(|together| self.told(&held_out, &|one| together.odds(one, &places))),
            },
            pairs: beyond.iter().map(|&(place, beyond)| PricedPair { types: all[place], beyond }).collect(),
            pairs_tried: all.len(),
            armies: used.len(),
            refused,
            fought: fought.iter().map(|one| one.battles).sum(),
            stopped: fought.len() < drawn.len(),
        })
    }

    /// The level of each interval of a family of this size. The answer has three families of simultaneous intervals:
    /// prices with the edge, pairs of units, and held-out scores.
    fn share_of(&self, intervals: usize) -> Level {
        const FAMILIES: usize = 3;
        bonferroni(self.level, FAMILIES * intervals)
    }

    /// Draws pairs of armies that can be deployed; also returns how many cannot.
    fn draw(
        &self,
        study: &Study,
        variants: &Variants<'_>,
        market: &Market,
        twins: &[Twin],
    ) -> Result<(Vec<Drawn>, usize), PointsError> {
        let chosen = study.chosen(&self.cells);
        let cells = variants.cells_with_twins(study, &chosen, twins).map_err(PointsError::Study)?;
        let mut plans: Vec<(&Cell, Deployment, Vec<String>)> = Vec::new();
        for (&at, cell) in chosen.iter().zip(&cells) {
            let Some(plan) = variants.deployment(at).map_err(PointsError::Study)? else { continue };
            let kept = with_leaders(&self.kept, cell);
            let free = |side: &SidePlan| side.units.iter().any(|unit| !kept.contains(&unit.kind));
            if !free(&plan.sides.first) || !free(&plan.sides.second) {
                return Err(PointsError::NoUnits(cell.header.cell));
            }
            plans.push((cell, plan, kept));
        }
        let prices: Option<Vec<f64>> = self.given.iter().copied().collect();
        let purse = self.budget.zip(prices).map(|(budget, prices)| market.purse(&prices, budget));
        // Armies and dice use the same seed, but are otherwise independent.
        let mut chances = Chances(study.seed ^ 0x706f_696e_7473);
        let (mut drawn, mut refused) = (Vec::new(), 0);
        while drawn.len() < self.armies && drawn.len() + refused < DRAWS * self.armies {
            let (cell, plan, kept) = &plans[chances.below(plans.len())];
            let plan = draw::armies(plan, &market.names, kept, purse.as_ref(), &mut chances);
            let made = cell.drawn_up(&plan).or_else(|_| cell.drawn_up(&draw::in_usual_formations(&plan, kept)));
            match made {
                Ok(cell) => {
                    let (more, pairs) = (market.more(&plan), market.pairs_more(&plan));
                    drawn.push(Drawn { cell, more, pairs });
                }
                Err(_) => refused += 1,
            }
        }
        if drawn.len() < self.armies {
            return Err(PointsError::Refused { drawn: drawn.len(), asked: self.armies });
        }
        Ok((drawn, refused))
    }

    /// Fights every pair, each with its own dice, so that pairs are independent. Ends early if it is stopped.
    fn fight(&self, study: &Study, drawn: &[Drawn], progress: &dyn Progress, stop: &Stop) -> Vec<Fought> {
        let quantity = Quantity::score(study, Side::First);
        let mut all = Vec::new();
        for (nth, chunk) in drawn.chunks(TOGETHER).enumerate() {
            let cells = chunk.iter().map(|one| Cell { gauges: Vec::new(), ..one.cell.clone() }).collect();
            let study = study.with_cells(cells);
            let fighter = MemoisedCells::new(&study);
            let fought: Option<Vec<Fought>> = chunk
                .par_iter()
                .enumerate()
                .map(|(at, one)| {
                    if stop.is_raised() {
                        return None;
                    }
                    let nth = nth * TOGETHER + at;
                    let first = nth as u64 * self.battles;
                    let fight = || {
                        let outcomes = fighter.fight(at as u32, first..first + self.battles);
                        Some(outcomes.iter().map(|outcome| i64::from(quantity.in_battle(outcome))).sum())
                    };
                    let won: i64 = kept(progress, || format!("armies {nth}"), fight)?;
                    progress.advance(self.battles);
                    let score = won as f64 / (2 * self.battles) as f64;
                    let (more, pairs) = (one.more.clone(), one.pairs.clone());
                    Some(Fought { more, pairs, battles: self.battles, score })
                })
                .collect();
            let Some(fought) = fought else { break };
            all.extend(fought);
        }
        all
    }

    /// The score of the army that is ahead by this measure.
    fn told(&self, held_out: &[Fought], ahead: &dyn Fn(&Fought) -> f64) -> Estimate {
        let most = i32::try_from(2 * self.battles).unwrap_or(i32::MAX);
        let score = |one: &Fought| {
            let ahead = ahead(one);
            let share = if ahead.abs() < 1e-9 {
                0.5
            } else if ahead > 0.0 {
                one.score
            } else {
                1.0 - one.score
            };
            ((share * f64::from(most)).round() as i32, 1)
        };
        let Estimate { point, low, high, level, .. } =
            mean_exact(held_out.iter().map(score), &(0..=most), self.share_of(SCORES));
        let by = 1.0 / f64::from(most);
        let runs = held_out.iter().map(|one| one.battles).sum();
        Estimate { point: by * point, low: by * low, high: by * high, level, runs }
    }
}
