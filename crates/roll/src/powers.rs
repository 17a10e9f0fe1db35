//! Sums of many results, each of one of two kinds, for dice with several counts.
//!
//! Example: 400 dice, some of which miss and some of which hit, with fumbles counted too. The sum of 30 misses is the
//! same for any total number of dice, and is kept.

use super::weights::{Budget, Excess, MIXED_MAX, Spread};

/// The sums for other combinations of a table's inputs: if only the number of dice differs, most sums are the same.
#[derive(Clone, Debug, Default)]
pub(super) struct Powers(Vec<Known>);

#[derive(Clone, Debug)]
struct Known {
    of: Spread,
    /// The results of each kind, in lowest terms, so that every sum is too.
    kinds: [Spread; 2],
    /// The sums of 0, 1, 2 … results of each kind.
    powers: [Vec<Spread>; 2],
    /// By the number of the first kind: a number of the second, and the sum of both.
    both: Vec<(u32, Spread)>,
}

/// The maximum number of results kept, about 64 MB.
const KEPT_MAX: usize = 2_000_000;

impl Spread {
    /// The sums of `count` of these results, by how many of them are of the first kind.
    pub(super) fn sums_by_kind(&self, kinds: [Self; 2], count: u32, budget: &mut Budget) -> Result<Vec<Self>, Excess> {
        // Taken out of the budget, because the budget itself is also borrowed here.
        let mut known = budget.powers.take(self, kinds)?;
        let mut all = 0;
        let sum = |first: u32| {
            let sum = known.sum([first, count - first], budget)?;
            all += sum.entries().len();
            if all > MIXED_MAX { Err(Excess::Work) } else { Ok(sum) }
        };
        let sums = (0..=count).map(sum).collect();
        budget.powers.0.push(known);
        sums
    }
}

impl Powers {
    fn take(&mut self, of: &Spread, kinds: [Spread; 2]) -> Result<Known, Excess> {
        if let Some(place) = self.0.iter().position(|known| known.of == *of) {
            return Ok(self.0.swap_remove(place));
        }
        if self.0.iter().map(Known::size).sum::<usize>() > KEPT_MAX {
            self.0.clear();
        }
        let [first, second] = kinds;
        let kinds = [first.reduced()?, second.reduced()?];
        let powers = [vec![Spread::certain(0)], vec![Spread::certain(0)]];
        Ok(Known { of: of.clone(), kinds, powers, both: Vec::new() })
    }
}

impl Known {
    fn size(&self) -> usize {
        let sums = self.powers.iter().flatten().chain(self.both.iter().map(|(_, sum)| sum));
        sums.map(|sum| sum.entries().len()).sum()
    }

    /// The distribution of the sum of `counts` results: how many are of the first kind, and how many of the second.
    fn sum(&mut self, counts: [u32; 2], budget: &mut Budget) -> Result<Spread, Excess> {
        if self.kinds.iter().any(|kind| kind.entries().len() == 1) {
            let [first, second] = [self.power(0, counts[0], budget)?, self.power(1, counts[1], budget)?];
            return first.plus_near(&second, budget);
        }
        let first = counts[0] as usize;
        for count in self.both.len()..=first {
            let sum = self.power(0, count as u32, budget)?;
            self.both.push((0, sum));
        }
        if self.both[first].0 > counts[1] {
            self.both[first] = (0, self.power(0, counts[0], budget)?);
        }
        let (count, sum) = &mut self.both[first];
        while *count < counts[1] {
            *sum = sum.plus_near(&self.kinds[1], budget)?;
            *count += 1;
        }
        Ok(sum.clone())
    }

    /// The distribution of the sum of `count` results of one kind.
    fn power(&mut self, kind: usize, count: u32, budget: &mut Budget) -> Result<Spread, Excess> {
        let (kind, powers) = (&self.kinds[kind], &mut self.powers[kind]);
        if kind.apart(2).is_some() {
            return kind.times_near(count, budget);
        }
        while powers.len() <= count as usize {
            let next = powers[powers.len() - 1].plus_near(kind, budget)?;
            powers.push(next);
        }
        Ok(powers[count as usize].clone())
    }
}
