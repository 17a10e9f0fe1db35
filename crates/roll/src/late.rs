//! Odds of large pools, each computed when it is first needed.
//!
//! Example: 400 dice whose number and needs vary. Their inputs have too many combinations to compute all odds at load.
//! At load, only the possible totals are found, and the largest odds are computed once, to make sure that none can fail
//! later.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::OnceLock;

use super::odds_table::{COMBINATIONS_MAX, ENTRIES_MAX, FlatOdds, Inputs, TABLE_WORK};
use super::pool::DICE_FIELD;
use super::weights::{Budget, Key, Spread, count_at};
use super::{Amount, Mechanic, Models, Pool, ROLL_WORK, RollError, Stage, Totals};

/// The combinations of a pool's inputs, by the odds that they share.
pub(super) struct Plan {
    /// For each combination, the index of its odds.
    places: Vec<u32>,
    /// For each of these odds, a combination that has them.
    examples: Vec<u32>,
    /// For each of these odds, the results of single dice, by number, and the number of dice of each group.
    dice: Vec<(u32, Vec<u32>)>,
    /// The results of single dice of each stage.
    singles: Vec<Vec<Spread>>,
    /// The shapes of single dice, each with the pool of that shape.
    shapes: BTreeMap<Shape, Shaped>,
    /// The approximate number of multiplications that all odds need, and the number of their results.
    work: u64,
    results: u64,
}

/// Odds that are computed when they are first needed.
#[derive(Debug)]
pub(super) struct Late {
    examples: Vec<u32>,
    odds: Vec<OnceLock<Box<FlatOdds>>>,
}

/// Results of single dice without their weights, and the models that take the hits: together, these determine which
/// totals are possible.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
struct Shape {
    singles: Vec<Vec<Key>>,
    models: Option<(i64, i64)>,
}

/// A pool of one shape.
struct Shaped {
    /// The results of single dice for these inputs.
    singles: Vec<Spread>,
    values: Vec<i32>,
    /// For each group, the numbers of dice that occur.
    dice: Vec<BTreeSet<u32>>,
}

impl Plan {
    /// The plan for a mechanic; `None` unless it is a pool whose results read nothing but hits and models.
    pub(super) fn of(mechanic: &Mechanic, inputs: &Inputs) -> Result<Option<Self>, RollError> {
        let Mechanic::Pool(pool) = mechanic else { return Ok(None) };
        if pool.stage_totals || pool.criticals || pool.fumbles {
            return Ok(None);
        }
        let numbers = pool.models.into_iter().flat_map(|models| [models.wounds, models.left]);
        let read: BTreeSet<usize> = pool
            .stages
            .iter()
            .flat_map(Stage::amounts)
            .chain(numbers)
            .filter_map(|Amount { input, .. }| input)
            .collect();
        let mut plan = Self {
            places: Vec::new(),
            examples: Vec::new(),
            dice: Vec::new(),
            singles: Vec::new(),
            shapes: BTreeMap::new(),
            work: 0,
            results: 0,
        };
        let mut budget = Budget::new(TABLE_WORK);
        let (mut by_needs, mut by_singles, mut by_dice) = (BTreeMap::new(), BTreeMap::new(), BTreeMap::new());
        for combination in 0..inputs.combinations() {
            let values = inputs.values(combination);
            let needs: Vec<i32> = read.iter().filter_map(|&input| values.get(input)).copied().collect();
            let known: Option<&(i64, u32)> = by_needs.get(&needs);
            let (most, single) = match known {
                Some(&known) => known,
                None => {
                    let (most, singles) = pool.one(&values, &mut budget)?;
                    let next = by_singles.len() as u32;
                    let models = pool.models.map(|models| models.numbers(&values));
                    let single = *by_singles.entry((singles, models)).or_insert(next);
                    by_needs.insert(needs, (most, single));
                    (most, single)
                }
            };
            let dice = pool.thrown(most, &values)?;
            let next = plan.examples.len() as u32;
            let place = *by_dice.entry((single, dice)).or_insert(next);
            if place == next {
                plan.examples.push(combination as u32);
            }
            plan.places.push(place);
        }
        let mut singles: Vec<_> = by_singles.into_iter().map(|(one, single)| (single, one)).collect();
        singles.sort_unstable_by_key(|&(single, _)| single);
        let mut by_place = Vec::with_capacity(by_dice.len());
        for ((single, dice), place) in by_dice {
            let (_, (singles, models)) = &singles[single as usize];
            let shape = Shape {
                singles: singles.iter().map(|spread| spread.entries().iter().map(|&(key, _)| key).collect()).collect(),
                models: *models,
            };
            plan.count(&shape, &dice);
            let shaped = plan.shapes.entry(shape).or_insert_with(|| Shaped {
                singles: singles.clone(),
                values: inputs.values(plan.examples[place as usize] as usize),
                dice: vec![BTreeSet::new(); dice.len()],
            });
            for (all, &dice) in shaped.dice.iter_mut().zip(&dice) {
                all.insert(dice);
            }
            by_place.push((place, (single, dice)));
        }
        by_place.sort_unstable_by_key(|&(place, _)| place);
        plan.dice = by_place.into_iter().map(|(_, dice)| dice).collect();
        plan.singles = singles.into_iter().map(|(_, (singles, _))| singles).collect();
        Ok(Some(plan))
    }

    /// Adds the work and the number of results of one set of odds.
    fn count(&mut self, shape: &Shape, dice: &[u32]) {
        let width = |single: &Vec<Key>| single.len().saturating_sub(1) as u64;
        let mut widths: Vec<u64> =
            dice.iter().zip(&shape.singles).map(|(&dice, single)| u64::from(dice) * width(single)).collect();
        if shape.models.is_some() {
            // The last entry is that of a hit, after those of the stages.
            let last = shape.singles.iter().nth_back(1).map_or(0, width);
            widths.push(last * dice.iter().map(|&dice| u64::from(dice)).sum::<u64>());
        }
        self.results += 1 + widths.iter().sum::<u64>();
        // Repeated doubling takes a third more work than its last step.
        self.work += widths.iter().map(|width| width * width / 3).sum::<u64>();
    }

    /// The first combination that has the same odds as this one.
    pub(super) fn example(&self, combination: usize) -> usize {
        self.examples[self.places[combination] as usize] as usize
    }

    /// The weights of all totals in a combination.
    pub(super) fn work_out(
        &self,
        mechanic: &Mechanic,
        (combination, values): (usize, &[i32]),
        budget: &mut Budget,
    ) -> Result<Vec<(Totals, u128)>, RollError> {
        let Mechanic::Pool(pool) = mechanic else { return Ok(Vec::new()) };
        let (single, dice) = &self.dice[self.places[combination] as usize];
        let all = pool.all(dice, &self.singles[*single as usize], values, budget)?;
        pool.entries(&all, values, budget)
    }

    /// Whether the odds should not be computed at load.
    pub(super) fn is_large(&self) -> bool {
        self.places.len() > COMBINATIONS_MAX || self.work > TABLE_WORK || self.results > ENTRIES_MAX as u64
    }

    /// Every set of totals that can happen, in ascending order, and perhaps a few that cannot.
    ///
    /// # Errors
    ///
    /// When the odds of the largest number of dice cannot be computed. If they can, so can those of fewer dice.
    pub(super) fn totals(&self, mechanic: &Mechanic) -> Result<BTreeSet<Totals>, RollError> {
        let mut totals = BTreeSet::new();
        let Mechanic::Pool(pool) = mechanic else { return Ok(totals) };
        for (shape, Shaped { singles, values, dice }) in &self.shapes {
            let most: Vec<u32> = dice.iter().map(|dice| dice.last().copied().unwrap_or(0)).collect();
            pool.all(&most, singles, values, &mut Budget::new(ROLL_WORK))?;
            for hits in shape.hits(pool, values, dice) {
                totals.insert(pool.of_hits(hits, values)?);
            }
        }
        Ok(totals)
    }

    /// Late odds: nothing is computed yet.
    pub(super) fn late(self) -> (Vec<u32>, Late) {
        (self.places, Late::new(self.examples))
    }
}

impl Late {
    fn new(examples: Vec<u32>) -> Self {
        let odds = examples.iter().map(|_| OnceLock::new()).collect();
        Self { examples, odds }
    }

    /// The odds at this place. `work_out` computes those of a combination, and always gives the same result.
    #[inline]
    pub(super) fn at(&self, place: u32, work_out: impl FnOnce(usize) -> FlatOdds) -> &FlatOdds {
        let place = place as usize;
        self.odds[place].get_or_init(|| Box::new(work_out(self.examples[place] as usize)))
    }

    /// The same places, with no odds computed.
    pub(super) fn anew(&self) -> Self {
        Self::new(self.examples.clone())
    }

    /// How many odds there are.
    pub(super) fn len(&self) -> usize {
        self.odds.len()
    }
}

impl Shape {
    /// The numbers of hits that are possible with these numbers of dice. If some dice hit directly and others fall on
    /// models, the two are combined even if no roll gives both.
    fn hits(&self, pool: &Pool, values: &[i32], dice: &[BTreeSet<u32>]) -> Vec<usize> {
        let Some((last, models)) = pool.by_model() else {
            let whole = |key: &Key| *key as usize;
            return reached(&self.added(dice, |_, single| single.iter().map(whole).collect()));
        };
        let field = |field: usize| {
            self.added(dice, move |group, single| match group == last {
                true => vec![usize::from(field == DICE_FIELD)],
                false => single.iter().map(|&key| count_at(key, field) as usize).collect(),
            })
        };
        let (direct, falling) = (field(0), field(DICE_FIELD));
        let damage: Vec<i64> = self.singles[last].iter().map(|&key| count_at(key, 0)).collect();
        let walked = walked(models, &damage, &reached(&falling), values);
        reached(&both(&direct, &walked))
    }

    /// The possible sums of all groups, given the possible results of one die.
    fn added(&self, dice: &[BTreeSet<u32>], one: impl Fn(usize, &[Key]) -> Vec<usize>) -> Vec<bool> {
        let groups = dice.iter().zip(&self.singles).enumerate();
        groups.fold(vec![true], |all, (group, (dice, single))| both(&all, &sums(&one(group, single), dice)))
    }
}

/// The marked numbers.
fn reached(marks: &[bool]) -> Vec<usize> {
    marks.iter().enumerate().filter(|&(_, &marked)| marked).map(|(number, _)| number).collect()
}

/// Marks the sums of one number from each set.
fn both(one: &[bool], other: &[bool]) -> Vec<bool> {
    let mut all = vec![false; one.len() + other.len()];
    for number in reached(one) {
        for (mark, &more) in all[number..].iter_mut().zip(other) {
            *mark |= more;
        }
    }
    all
}

/// Marks the sums of some of these results, for each of these numbers of dice.
fn sums(one: &[usize], dice: &BTreeSet<u32>) -> Vec<bool> {
    let (most, greatest) = (dice.last().map_or(0, |&most| most as usize), one.iter().max().map_or(0, |&most| most));
    let mut all = vec![false; most * greatest + 1];
    let mut now = all.clone();
    now[0] = true;
    for count in 0..=most {
        if dice.contains(&(count as u32)) {
            all.iter_mut().zip(&now).for_each(|(mark, &now)| *mark |= now);
        }
        let mut next = vec![false; now.len()];
        for &more in one {
            next.iter_mut().skip(more).zip(&now).for_each(|(mark, &now)| *mark |= now);
        }
        now = next;
    }
    all
}

/// Marks the damage that models may have suffered after these numbers of hits.
fn walked(models: &Models, damage: &[i64], hits: &[usize], values: &[i32]) -> Vec<bool> {
    let most = hits.last().map_or(0, |&most| most);
    let greatest = damage.iter().max().map_or(0, |&most| most as usize);
    let mut all = vec![false; most * greatest + 1];
    let mut now = BTreeSet::from([0i64]);
    for count in 0..=most {
        if hits.binary_search(&count).is_ok() {
            now.iter().for_each(|&after| all[after as usize] = true);
        }
        now = now
            .iter()
            .flat_map(|&before| damage.iter().map(move |&damage| before + models.suffered(before, damage, values)))
            .collect();
    }
    all
}
