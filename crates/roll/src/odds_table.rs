//! The odds of a roll over all its inputs.

use std::collections::BTreeMap;
use std::ops::RangeInclusive;
use std::sync::Arc;

use grognard_dice::{Decision, Faces, Favour, Odds, thresholds};

use super::alike::Alike;
use super::late::{Late, Plan};
use super::weights::{Budget, reduce};
use super::{Mechanic, RollError, Totals};

/// The maximum number of combinations of inputs in a table, unless it is that of a pool whose odds are computed when
/// they are needed.
pub const COMBINATIONS_MAX: usize = 65_536;

/// The maximum number of combinations of inputs of such a pool.
pub const LATE_MAX: usize = 1_048_576;

/// The maximum number of results in a table: the classes of all combinations, and the totals that it remembers.
pub const ENTRIES_MAX: usize = 2_000_000;

/// The maximum number of multiplications for building a table.
pub(super) const TABLE_WORK: u64 = 300_000_000;

/// A mechanic with its odds for every combination of inputs, merged by outcome class. They are computed with the table,
/// or, for large pools, each when it is first needed; their values are the same.
#[derive(Clone, Debug)]
pub struct RollTable {
    mechanic: Mechanic,
    inputs: Inputs,
    /// For each combination, the index of its distribution among the distinct ones.
    distributions: Vec<u32>,
    odds: FlatOdds,
    /// The distributions that are computed when they are needed, instead of `odds`. Copies of a table share them.
    late: Option<Arc<Late>>,
    /// By far the largest part of a table, which its copies share.
    reading: Arc<Reading>,
    favour: Favour,
}

/// The inputs, the first varying fastest.
#[derive(Clone, Debug)]
pub(super) struct Inputs {
    each: Vec<Input>,
    combinations: usize,
}

/// The range of one input and the distance between the combinations of neighbouring values.
#[derive(Clone, Copy, Debug)]
struct Input {
    low: i32,
    high: i32,
    stride: usize,
}

/// Distributions end to end. Distribution `d` has the outcomes `starts[d]..starts[d + 1]` and, as the last outcome has
/// no threshold, the thresholds `starts[d] - d..starts[d + 1] - d - 1`.
#[derive(Clone, Debug, Default)]
pub(super) struct FlatOdds {
    starts: Vec<u32>,
    below: Vec<u32>,
    weights: Vec<u128>,
    classes: Vec<u16>,
    totals: Vec<u128>,
    /// For each distribution, the maximum rounding error of the probability of any set of outcomes.
    roundings: Vec<f64>,
}

/// The class of each set of totals, for rolls by hand. The totals are in ascending order, separately for each
/// combination if it matters.
#[derive(Clone, Debug)]
struct Reading {
    /// The totals on which the class depends: bit `k` stands for total `k`.
    reads: u8,
    /// How many they are.
    width: usize,
    /// Where the totals of each combination start and end, or those of all combinations together.
    starts: Vec<u32>,
    totals: Vec<i16>,
    classes: Vec<u16>,
}

/// Returns the classes of the results of a combination of inputs, and how many totals are remembered.
type Classify<'c> = dyn FnMut(&[i32], &[(Totals, u128)]) -> (Vec<u16>, usize) + 'c;

/// The odds of a roll for one combination of inputs.
///
/// As a [`Decision`], its outcomes are the classes that can happen, in ascending order; [`RollAt::class`] returns them.
#[derive(Clone, Copy, Debug)]
pub struct RollAt<'a> {
    table: &'a RollTable,
    odds: &'a FlatOdds,
    combination: u32,
    distribution: u32,
}

impl RollTable {
    /// Computes the odds for every combination of inputs; `classify` returns the class of each result.
    ///
    /// `input_ranges` has a range for each input that the mechanic reads, and may have more for `classify` alone.
    /// `classify` is called once for each combination and each set of totals that this combination can give. If the
    /// class depends on the totals alone, [`of_totals`](Self::of_totals) is faster and has room for more.
    ///
    /// # Errors
    ///
    /// When the mechanic is refused for some combination (see [`Mechanic::distribution`]), when a range is empty, or
    /// when there are more than [`COMBINATIONS_MAX`] combinations or [`ENTRIES_MAX`] results.
    pub fn build(
        mechanic: Mechanic,
        input_ranges: &[RangeInclusive<i32>],
        classify: &mut dyn FnMut(&[i32], &Totals) -> u16,
    ) -> Result<Self, RollError> {
        let mut reading = Reading::of(&mechanic, u8::MAX);
        let inputs = Inputs::of(&mechanic, input_ranges)?;
        let table = Self::work_out(mechanic, (inputs, &Alike::None), input_ranges, &mut |values, entries| {
            let class = |&(totals, _): &(Totals, u128)| {
                let class = classify(values, &totals);
                reading.push(&totals, class);
                class
            };
            let classes = entries.iter().map(class).collect();
            reading.end();
            (classes, reading.classes.len())
        })?;
        Ok(Self { reading: Arc::new(reading), ..table })
    }

    /// The table for classes that depend on the totals alone, and only on those that `reads` marks: bit `k` stands for
    /// total `k`. `classify` is called once for each set of these totals. Combinations that differ only in other totals
    /// share their odds.
    ///
    /// # Errors
    ///
    /// As for [`build`](Self::build).
    pub fn of_totals(
        mechanic: Mechanic,
        input_ranges: &[RangeInclusive<i32>],
        reads: u8,
        classify: &mut dyn FnMut(&Totals) -> u16,
    ) -> Result<Self, RollError> {
        let inputs = Inputs::of(&mechanic, input_ranges)?;
        let plan = Plan::of(&mechanic, &inputs);
        let (mut met, mut reading) = (Met::of(reads), Reading::of(&mechanic, reads));
        let at_load = match &plan {
            Ok(Some(plan)) if plan.is_large() => Err(RollError::TooMuchWork),
            plan => {
                let alike = Alike::of(&mechanic, plan.as_ref().ok().and_then(Option::as_ref), reads);
                Self::work_out(mechanic.clone(), (inputs.clone(), &alike), input_ranges, &mut |_, entries| {
                    let classes = entries.iter().map(|(totals, _)| met.class(totals, classify)).collect();
                    (classes, met.count)
                })
            }
        };
        let table = match (at_load, plan) {
            (Err(RollError::TooMuchWork | RollError::TooManyEntries { .. }), Ok(Some(plan))) => {
                for totals in plan.totals(&mechanic)? {
                    met.class(&totals, classify);
                }
                Self::late(mechanic, inputs, plan)
            }
            (Err(RollError::TooManyCombinations { .. }), Err(error)) => return Err(error),
            (at_load, _) => at_load?,
        };
        met.read(&mut reading);
        reading.end();
        Ok(Self { reading: Arc::new(reading), ..table })
    }

    /// A table without a reading.
    fn work_out(
        mechanic: Mechanic,
        (inputs, alike): (Inputs, &Alike<'_>),
        input_ranges: &[RangeInclusive<i32>],
        classify: &mut Classify<'_>,
    ) -> Result<Self, RollError> {
        if inputs.combinations > COMBINATIONS_MAX {
            return Err(RollError::too_many_combinations(input_ranges, inputs.combinations as u128, COMBINATIONS_MAX));
        }
        let mut odds = FlatOdds::new();
        let mut distributions: Vec<u32> = Vec::with_capacity(inputs.combinations);
        let mut known: BTreeMap<Vec<(u16, u128)>, u32> = BTreeMap::new();
        let mut budget = Budget::new(TABLE_WORK);
        for combination in 0..inputs.combinations {
            if let Some(&same) = distributions.get(alike.first(combination, &inputs)) {
                distributions.push(same);
                continue;
            }
            let values = inputs.values(combination);
            let entries = alike.work_out(&mechanic, (combination, &values), &mut budget)?;
            let (each, remembered) = classify(&values, &entries);
            let classes = by_class(each.into_iter(), &entries);
            let next = known.len() as u32;
            let distribution = *known.entry(classes).or_insert_with_key(|classes| {
                odds.push(classes, 0.0);
                next
            });
            if odds.classes.len().max(remembered) > ENTRIES_MAX {
                return Err(RollError::too_many_entries(input_ranges, ENTRIES_MAX));
            }
            let rounding = &mut odds.roundings[distribution as usize];
            *rounding = rounding.max(budget.take_rounding());
            distributions.push(distribution);
        }
        let reading = Arc::new(Reading::of(&mechanic, 0));
        Ok(Self { mechanic, inputs, distributions, odds, late: None, reading, favour: Favour::None })
    }

    /// A table without a reading, whose odds are computed when they are needed.
    fn late(mechanic: Mechanic, inputs: Inputs, plan: Plan) -> Self {
        let (distributions, late) = plan.late();
        let (odds, reading) = (FlatOdds::new(), Arc::new(Reading::of(&mechanic, 0)));
        Self { mechanic, inputs, distributions, odds, late: Some(Arc::new(late)), reading, favour: Favour::None }
    }

    /// The odds of one combination of a large pool.
    fn needed(&self, combination: usize) -> FlatOdds {
        let (mut odds, mut budget) = (FlatOdds::new(), Budget::new(u64::MAX));
        // The plan has computed larger ones.
        let entries = self.mechanic.work_out(&self.inputs.values(combination), &mut budget).unwrap_or_default();
        debug_assert!(!entries.is_empty(), "the odds of {:?} cannot be computed", self.mechanic);
        let classes = entries.iter().map(|(totals, _)| self.reading.class(combination, totals).unwrap_or(0));
        odds.push(&by_class(classes, &entries), budget.take_rounding());
        odds
    }

    /// The same table with other numbers for its classes: class `c` becomes `names[c]`. No two classes may become the
    /// same.
    ///
    /// # Panics
    ///
    /// When a class of the table has no new number.
    #[must_use]
    pub fn renamed(self, names: &[u16]) -> Self {
        let name = |class: u16| names[usize::from(class)];
        let mut odds = FlatOdds::new();
        for distribution in 0..self.odds.totals.len() as u32 {
            let (start, end) = self.odds.ends(distribution);
            let weights = self.odds.weights[start..end].iter().copied();
            let mut classes: Vec<(u16, u128)> =
                self.odds.classes[start..end].iter().map(|&class| name(class)).zip(weights).collect();
            classes.sort_unstable_by_key(|&(class, _)| class);
            odds.push(&classes, self.odds.roundings[distribution as usize]);
        }
        let mut reading = self.reading;
        for class in &mut Arc::make_mut(&mut reading).classes {
            *class = name(*class);
        }
        let late = self.late.map(|late| Arc::new(late.anew()));
        Self { odds, late, reading, ..self }
    }

    /// The odds for these inputs, one for each range. An input outside its range counts as the nearer end of it; in
    /// debug builds that, or a wrong number of inputs, fails an assertion.
    #[inline]
    #[must_use]
    pub fn at(&self, inputs: &[i32]) -> RollAt<'_> {
        debug_assert_eq!(inputs.len(), self.inputs.each.len(), "a roll is given the wrong number of inputs");
        let mut combination = 0;
        for (input, &value) in self.inputs.each.iter().zip(inputs) {
            debug_assert!(input.low <= value && value <= input.high, "{value} is not in {input:?}");
            let offset = i64::from(value.clamp(input.low, input.high)) - i64::from(input.low);
            combination += offset as usize * input.stride;
        }
        let distribution = self.distributions[combination];
        let (odds, distribution) = match &self.late {
            None => (&self.odds, distribution),
            Some(late) => (late.at(distribution, |combination| self.needed(combination)), 0),
        };
        RollAt { table: self, odds, combination: combination as u32, distribution }
    }

    /// The same table, with a record of which classes are good for the roller.
    #[must_use]
    pub fn favouring(self, favour: Favour) -> Self {
        Self { favour, ..self }
    }

    /// The number of results it holds: the classes of all combinations of inputs, and the totals that it stores. Odds
    /// that are computed when they are needed count as one each.
    #[must_use]
    pub fn size(&self) -> usize {
        self.reading.classes.len() + self.odds.classes.len() + self.late.as_ref().map_or(0, |late| late.len())
    }

    /// The mechanic.
    #[must_use]
    pub fn mechanic(&self) -> &Mechanic {
        &self.mechanic
    }

    /// The range of each input.
    pub fn input_ranges(&self) -> impl Iterator<Item = RangeInclusive<i32>> + '_ {
        self.inputs.each.iter().map(|input| input.low..=input.high)
    }

    /// The classes that can happen for at least one combination of inputs, in ascending order.
    #[must_use]
    pub fn classes(&self) -> Vec<u16> {
        let mut classes = self.reading.classes.clone();
        classes.sort_unstable();
        classes.dedup();
        classes
    }
}

impl<'a> RollAt<'a> {
    /// The classes that can happen, in ascending order.
    #[inline]
    #[must_use]
    pub fn classes(&self) -> &'a [u16] {
        let (start, end) = self.odds.ends(self.distribution);
        &self.odds.classes[start..end]
    }

    /// The class for outcome number `outcome` of the decision.
    #[inline]
    #[must_use]
    pub fn class(&self, outcome: usize) -> u16 {
        self.classes()[outcome]
    }

    /// Rolls physical dice. Returns the totals, and the number of the outcome.
    pub fn play(&self, faces: &mut dyn Faces) -> (Totals, usize) {
        let combination = self.combination as usize;
        let totals = self.table.mechanic.by_hand(&self.table.inputs.values(combination), faces);
        let class = self.table.reading.class(combination, &totals);
        let outcome = class.and_then(|class| self.classes().binary_search(&class).ok());
        debug_assert!(outcome.is_some(), "the dice gave {totals:?}, which has no odds");
        (totals, outcome.unwrap_or(0))
    }
}

impl Decision for RollAt<'_> {
    #[inline]
    fn odds(&self) -> Odds<'_> {
        let (flat, distribution) = (self.odds, self.distribution as usize);
        let (start, end) = flat.ends(self.distribution);
        Odds {
            below: &flat.below[start - distribution..end - distribution - 1],
            weights: &flat.weights[start..end],
            total: flat.totals[distribution],
        }
    }

    fn by_hand(&self, faces: &mut dyn Faces) -> usize {
        self.play(faces).1
    }

    fn favour(&self) -> Favour {
        self.table.favour
    }

    fn rounding(&self) -> f64 {
        self.odds.roundings[self.distribution as usize]
    }
}

impl Input {
    /// The input's value in a combination.
    fn value(&self, combination: usize) -> i32 {
        let values = self.high.abs_diff(self.low) as usize + 1;
        // The remainder is below `LATE_MAX`, and `low` plus the remainder is at most `high`.
        self.low + (combination / self.stride % values) as i32
    }
}

impl FlatOdds {
    fn new() -> Self {
        Self { starts: vec![0], ..Self::default() }
    }

    fn push(&mut self, classes: &[(u16, u128)], rounding: f64) {
        self.roundings.push(rounding);
        let weights: Vec<u128> = classes.iter().map(|&(_, weight)| weight).collect();
        debug_assert!(weights.iter().all(|&weight| weight > 0), "only classes with weights all have thresholds");
        self.below.extend(thresholds(&weights));
        self.totals.push(weights.iter().sum());
        self.weights.extend(weights);
        self.classes.extend(classes.iter().map(|&(class, _)| class));
        self.starts.push(self.classes.len() as u32);
    }

    #[inline]
    fn ends(&self, distribution: u32) -> (usize, usize) {
        let distribution = distribution as usize;
        (self.starts[distribution] as usize, self.starts[distribution + 1] as usize)
    }
}

impl Reading {
    /// A reading of these totals of a mechanic.
    fn of(mechanic: &Mechanic, reads: u8) -> Self {
        let width = (0..mechanic.totals().len()).filter(|total| reads >> total & 1 == 1).count();
        Self { reads, width, starts: vec![0], totals: Vec::new(), classes: Vec::new() }
    }

    /// Records the class of totals that have been reduced to those on which it depends.
    fn push(&mut self, totals: &Totals, class: u16) {
        self.totals.extend_from_slice(totals.as_slice());
        self.classes.push(class);
    }

    fn end(&mut self) {
        self.starts.push(self.classes.len() as u32);
    }

    fn class(&self, combination: usize, totals: &Totals) -> Option<u16> {
        let totals = totals.only(self.reads);
        let combination = combination.min(self.starts.len().saturating_sub(2));
        let (mut low, mut high) = (self.starts[combination] as usize, self.starts[combination + 1] as usize);
        while low < high {
            let middle = low + (high - low) / 2;
            match self.totals[middle * self.width..(middle + 1) * self.width].cmp(totals.as_slice()) {
                std::cmp::Ordering::Less => low = middle + 1,
                std::cmp::Ordering::Greater => high = middle,
                std::cmp::Ordering::Equal => return Some(self.classes[middle]),
            }
        }
        None
    }
}

/// The classes of all totals that occurred, in rows in which only the last total differs.
struct Met {
    /// The totals on which the class depends.
    reads: u8,
    rows: Vec<MetRow>,
    /// The index of each row, by the other totals.
    places: BTreeMap<Totals, usize>,
    /// The last row used: totals that occur one after another are mostly in one row.
    last: Option<(Totals, usize)>,
    count: usize,
}

/// The classes from the smallest last total upwards, as far as they are known.
struct MetRow {
    least: i16,
    classes: Vec<Option<u16>>,
}

impl Met {
    fn of(reads: u8) -> Self {
        Self { reads, rows: Vec::new(), places: BTreeMap::new(), last: None, count: 0 }
    }

    fn class(&mut self, totals: &Totals, classify: &mut dyn FnMut(&Totals) -> u16) -> u16 {
        let (others, value) = totals.only(self.reads).apart();
        let place = self.place(others, value);
        let row = &mut self.rows[place];
        if value < row.least {
            row.classes.splice(0..0, std::iter::repeat_n(None, usize::from(row.least.abs_diff(value))));
            row.least = value;
        }
        let at = usize::from(row.least.abs_diff(value));
        if row.classes.len() <= at {
            row.classes.resize(at + 1, None);
        }
        *row.classes[at].get_or_insert_with(|| {
            self.count += 1;
            classify(totals)
        })
    }

    /// The index of the row of these totals, which begins with this last one if it is new.
    fn place(&mut self, others: Totals, value: i16) -> usize {
        if let Some((_, place)) = self.last.filter(|(last, _)| *last == others) {
            return place;
        }
        let place = *self.places.entry(others).or_insert(self.rows.len());
        if place == self.rows.len() {
            self.rows.push(MetRow { least: value, classes: Vec::new() });
        }
        self.last = Some((others, place));
        place
    }

    /// Records all totals in ascending order.
    fn read(self, reading: &mut Reading) {
        for (others, place) in self.places {
            let row = &self.rows[place];
            for (value, class) in (row.least..).zip(&row.classes) {
                if let Some(class) = class {
                    reading.push(&others.with_last(value), *class);
                }
            }
        }
    }
}

/// The weights of results by class, in ascending order and lowest terms; `each` has the class of every result.
fn by_class(each: impl Iterator<Item = u16>, entries: &[(Totals, u128)]) -> Vec<(u16, u128)> {
    // There are few classes, and neighbouring totals are mostly in the same one, so they need not all be sorted.
    let mut classes: Vec<(u16, u128)> = Vec::new();
    let mut last = 0;
    for (class, &(_, weight)) in each.zip(entries) {
        // The weights of one distribution sum to at most u128::MAX, so those of a class do too.
        match classes.get_mut(last).filter(|(known, _)| *known == class) {
            Some((_, sum)) => *sum += weight,
            None => {
                let found = classes.binary_search_by_key(&class, |&(class, _)| class);
                last = found.unwrap_or_else(|at| {
                    classes.insert(at, (class, 0));
                    at
                });
                classes[last].1 += weight;
            }
        }
    }
    reduce(&mut classes);
    classes
}

impl Inputs {
    /// The inputs of a mechanic, with at least as many ranges as it reads.
    pub(super) fn of(mechanic: &Mechanic, ranges: &[RangeInclusive<i32>]) -> Result<Self, RollError> {
        mechanic.check(ranges.len())?;
        let mut combinations = 1u128;
        let mut each = Vec::with_capacity(ranges.len());
        for (input, range) in ranges.iter().enumerate() {
            let (low, high) = (*range.start(), *range.end());
            if low > high {
                return Err(RollError::EmptyRange { input, low, high });
            }
            each.push(Input { low, high, stride: combinations.min(LATE_MAX as u128) as usize });
            combinations = combinations.saturating_mul(u128::from(high.abs_diff(low)) + 1);
        }
        if combinations > LATE_MAX as u128 {
            return Err(RollError::too_many_combinations(ranges, combinations, LATE_MAX));
        }
        Ok(Self { each, combinations: combinations as usize })
    }

    /// How many combinations of values there are.
    pub(super) fn combinations(&self) -> usize {
        self.combinations
    }

    /// The combination in which these two inputs are lower, both by as much as possible.
    pub(super) fn lowered(&self, combination: usize, pair: [usize; 2]) -> usize {
        let [one, other] = pair.map(|input| &self.each[input]);
        let above = |input: &Input| input.value(combination).abs_diff(input.low) as usize;
        combination - above(one).min(above(other)) * (one.stride + other.stride)
    }

    /// The value of each input in a combination.
    pub(super) fn values(&self, combination: usize) -> Vec<i32> {
        self.each.iter().map(|input| input.value(combination)).collect()
    }
}
