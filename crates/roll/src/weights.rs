//! Distributions with integer weights: exact ones, or rounded ones if the exact ones do not fit in 128 bits.
//!
//! Rounding replaces each of `n` weights by a whole number within one of its share of a sum `M` of at least 2^62. For
//! any event, let `a` be the gain of its own weights and `b` that of the others, so that `|a|` and `|b|` are at most
//! `n`. Its probability `p` becomes `(pM + a) / (M + a + b)`, which is `((1 - p)a - pb) / (M + a + b)` more: at most `n
//! / (M - n)`, and so at most `n` times [`ROUNDING`]. The errors of two distributions add up in their sum, and the
//! error of a mixture is at most that of its shares plus that of the worst of its parts. So it is enough to count
//! roundings ([`Spread::rounded`]).

use grognard_dice::Die;

use super::RollError;
use super::models::Walks;
use super::powers::Powers;

/// The value of a dice result: a number, or several small counts packed by [`packed`].
pub(super) type Key = i128;

/// Results closer together than this are added up in an array of counters instead of being sorted.
const ROW_MAX: i128 = 1 << 16;

/// The minimum number of results for which an array is worthwhile.
const ROW_LEAST: usize = 64;

/// The cost of a product that is sorted among others.
const SORTED: usize = 4;

/// The maximum number of results in a mixture.
pub(super) const MIXED_MAX: usize = 4_000_000;

/// Weights are rounded to about this many bits, so that products of two of them fit.
const ROUNDED_BITS: u32 = 63;

/// The maximum effect of rounding one weight on the probability of any event; see above.
const ROUNDING: f64 = 1.0 / (1u64 << 61) as f64;

/// How much work may still be done, how many results have been rounded so far, and a cache of results.
#[derive(Clone, Debug)]
pub(super) struct Budget {
    left: u64,
    rounded: u64,
    pub(super) walks: Walks,
    pub(super) powers: Powers,
}

/// The reason why a distribution cannot be computed; the caller knows for which dice.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Excess {
    /// The weights do not fit in 128 bits.
    Bits,
    /// The budget is used up.
    Work,
}

impl Excess {
    /// The error of a roll with a single die that has too many possibilities.
    pub(super) fn of_die(self, die: &Die) -> RollError {
        match self {
            Self::Bits => RollError::TooManyRepeats { die: die.name.clone() },
            Self::Work => RollError::TooMuchWork,
        }
    }
}

impl Budget {
    pub(super) fn new(multiplications: u64) -> Self {
        Self { left: multiplications, rounded: 0, walks: Walks::default(), powers: Powers::default() }
    }

    /// Records the distributions that odds are made of: each is rolled together with the others.
    pub(super) fn note<const N: usize>(&mut self, spreads: [&Spread; N]) {
        self.rounded = self.rounded.max(spreads.iter().map(|spread| spread.rounded).sum());
    }

    /// The maximum error of the probability of any set of results, for the distributions recorded since the last call.
    pub(super) fn take_rounding(&mut self) -> f64 {
        std::mem::take(&mut self.rounded) as f64 * ROUNDING
    }

    pub(super) fn spend(&mut self, multiplications: usize) -> Result<(), Excess> {
        self.left = self.left.checked_sub(multiplications as u64).ok_or(Excess::Work)?;
        Ok(())
    }
}

/// A distribution: results in ascending order, each with a weight above zero, in lowest terms.
///
/// The product of two distributions in lowest terms is in lowest terms (Gauss's lemma on primitive polynomials), so
/// only [`Spread::of`] and [`Spread::mix`] have to reduce weights.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) struct Spread {
    entries: Vec<(Key, u128)>,
    total: u128,
    /// How many roundings went into it, counted by result; 0 if the weights are exact.
    rounded: u64,
}

impl Spread {
    /// The distribution with these weights, in any order; a result may occur more than once. `None` if nothing can
    /// happen.
    pub(super) fn of(entries: Vec<(Key, u128)>) -> Result<Self, Excess> {
        let mut entries = gathered(entries).ok_or(Excess::Bits)?;
        reduce(&mut entries);
        let total = entries.iter().try_fold(0u128, |total, &(_, weight)| total.checked_add(weight));
        Ok(Self { entries, total: total.ok_or(Excess::Bits)?, rounded: 0 })
    }

    /// The distribution of a certain value.
    pub(super) fn certain(key: Key) -> Self {
        Self { entries: vec![(key, 1)], total: 1, rounded: 0 }
    }

    /// A distribution over distributions: `parts[i]` happens with weight `parts[i].0`.
    pub(super) fn mix(parts: &[(u128, Self)], budget: &mut Budget) -> Result<Self, Excess> {
        let common = parts.iter().try_fold(1u128, |common, (_, part)| {
            (common / gcd(common, part.total)).checked_mul(part.total).ok_or(Excess::Bits)
        })?;
        budget.spend(mixed(parts)?)?;
        let mut entries = Vec::new();
        for (weight, part) in parts {
            let scale = weight.checked_mul(common / part.total).ok_or(Excess::Bits)?;
            for &(key, within) in &part.entries {
                entries.push((key, within.checked_mul(scale).ok_or(Excess::Bits)?));
            }
        }
        let rounded = parts.iter().map(|(_, part)| part.rounded).max().unwrap_or(0);
        Ok(Self { rounded, ..Self::of(entries)? })
    }

    /// The distribution of the sum of two independent results.
    pub(super) fn plus(&self, other: &Self, budget: &mut Budget) -> Result<Self, Excess> {
        if self.entries == [(0, 1)] {
            return Ok(other.clone());
        }
        // Every partial sum of weights is at most the product of the totals.
        let total = self.total.checked_mul(other.total).ok_or(Excess::Bits)?;
        let products = self.entries.len().saturating_mul(other.entries.len());
        let (Some((low, high)), Some((other_low, other_high))) = (self.ends(), other.ends()) else {
            return Ok(Self { entries: Vec::new(), total: 0, rounded: 0 });
        };
        // If counts are packed side by side, often only one varies: then the results differ by multiples of its unit.
        let low = low + other_low;
        let unit = self.steps().chain(other.steps()).fold(Key::BITS - 2, |unit, step| unit.min(step.trailing_zeros()));
        let width = (high + other_high - low) >> unit;
        let is_row = width < ROW_MAX && width < 16 * products as i128 + 64;
        budget.spend(if is_row { products } else { products.saturating_mul(SORTED) })?;
        let entries = if is_row {
            let mut row = vec![0u128; width as usize + 1];
            for &(a, weight) in &self.entries {
                for &(b, other_weight) in &other.entries {
                    row[((a + b - low) >> unit) as usize] += weight * other_weight;
                }
            }
            let row = row.into_iter().enumerate().filter(|&(_, weight)| weight > 0);
            row.map(|(at, weight)| (low + ((at as Key) << unit), weight)).collect()
        } else {
            let sums = |&(a, weight): &(Key, u128)| other.entries.iter().map(move |&(b, w)| (a + b, weight * w));
            merged(self.entries.iter().flat_map(sums).collect()).ok_or(Excess::Bits)?
        };
        Ok(Self { entries, total, rounded: self.rounded + other.rounded })
    }

    /// The distribution in small integers (of at most `ROUNDED_BITS` bits), each within one of the exact value. No
    /// result is left out, however rare.
    fn rounded(&self) -> Self {
        let shift = (u128::BITS - self.total.leading_zeros()).saturating_sub(ROUNDED_BITS);
        if shift == 0 {
            return self.clone();
        }
        let entries: Vec<_> = self.entries.iter().map(|&(key, weight)| (key, (weight >> shift).max(1))).collect();
        let total = entries.iter().map(|&(_, weight)| weight).sum();
        let rounded = self.rounded + entries.len() as u64;
        Self { entries, total, rounded }
    }

    /// [`Spread::plus`], in rounded numbers if exact ones do not fit.
    pub(super) fn plus_near(&self, other: &Self, budget: &mut Budget) -> Result<Self, Excess> {
        match self.plus(other, budget) {
            Err(Excess::Bits) => self.rounded().plus(&other.rounded(), budget),
            sum => sum,
        }
    }

    /// The distribution of the sum of `count` independent results, in rounded numbers if exact ones do not fit.
    pub(super) fn times_near(&self, count: u32, budget: &mut Budget) -> Result<Self, Excess> {
        let fits = self.total.checked_pow(count).is_some();
        // For small dice counts, adding directly is faster than splitting the weights.
        let Some([one, other]) = self.apart(if fits { 3 } else { 2 }) else { return self.times(count, budget) };
        let totals = [one.total, other.total];
        if fits {
            // All have the same sum of weights, so nothing exceeds it.
            let sums = self.sums_by_kind([one, other], count, budget)?;
            let ways = pascal(count).ok_or(Excess::Bits)?.swap_remove(count as usize);
            let rounded = sums.iter().map(|sum| sum.rounded).max().unwrap_or(0);
            let mut entries = Vec::new();
            for (ones, sum) in (0..=count).rev().zip(sums.into_iter().rev()) {
                let share = ways[ones as usize] * totals[0].pow(ones) * totals[1].pow(count - ones) / sum.total;
                entries.extend(sum.entries.into_iter().map(|(key, weight)| (key, share * weight)));
            }
            budget.spend(entries.len().saturating_mul(SORTED))?;
            return Ok(Self { rounded, ..Self::of(entries)? });
        }
        let ones = Self::of(vec![(0, totals[1]), (1, totals[0])])?.times_near(count, budget)?;
        let sums = self.sums_by_kind([one, other], count, budget)?;
        // The more of the first kind there are, the smaller the results are, so they are nearly in order.
        let parts: Vec<_> = ones.entries.iter().map(|&(_, weight)| weight).zip(sums).rev().collect();
        let all = Self::mix_near(&parts, budget)?.rounded_after(&ones);
        budget.spend(all.entries.len().saturating_mul(SORTED))?;
        Ok(all)
    }

    /// The distribution of the sum of `count` independent results, by repeated doubling.
    fn times(&self, count: u32, budget: &mut Budget) -> Result<Self, Excess> {
        let mut sum = Self::certain(0);
        for bit in (0..u32::BITS - count.leading_zeros()).rev() {
            sum = sum.plus_near(&sum, budget)?;
            if count >> bit & 1 == 1 {
                sum = sum.plus_near(self, budget)?;
            }
        }
        Ok(sum)
    }

    /// If at least this many of the packed counts vary, splits the results by a count that has just two values. Then
    /// fewer counts vary in each part. The first part has the smallest result.
    pub(super) fn apart(&self, counts: usize) -> Option<[Self; 2]> {
        let (low, _) = self.ends().filter(|&(low, _)| low >= 0)?;
        let varies = self.entries.iter().fold(0, |varies, &(key, _)| varies | key ^ low);
        let varying: Vec<usize> = (0..FIELDS).filter(|&index| count_at(varies, index) > 0).collect();
        if varying.len() < counts {
            return None;
        }
        varying.into_iter().find_map(|index| {
            let value = count_at(low, index);
            let (one, other): (Vec<_>, Vec<_>) =
                self.entries.iter().partition(|&&(key, _)| count_at(key, index) == value);
            let is_same = other.iter().all(|&(key, _)| count_at(key, index) == count_at(other[0].0, index));
            let part = |entries: Vec<(Key, u128)>| {
                let total = entries.iter().map(|&(_, weight)| weight).sum();
                Self { entries, total, rounded: self.rounded }
            };
            is_same.then(|| [part(one), part(other)])
        })
    }

    /// The distribution in lowest terms.
    pub(super) fn reduced(&self) -> Result<Self, Excess> {
        Ok(Self { rounded: self.rounded, ..Self::of(self.entries.clone())? })
    }

    /// [`Spread::mix`], in rounded numbers if exact ones do not fit.
    pub(super) fn mix_near(parts: &[(u128, Self)], budget: &mut Budget) -> Result<Self, Excess> {
        match Self::mix(parts, budget) {
            Err(Excess::Bits) => {}
            mix => return mix,
        }
        let shares =
            Self::of(parts.iter().enumerate().map(|(at, &(weight, _))| (at as Key, weight)).collect())?.rounded();
        budget.spend(mixed(parts)?)?;
        let mut entries = Vec::new();
        let mut rounded = 0;
        for &(at, share) in &shares.entries {
            let part = parts[at as usize].1.rounded();
            // All parts have nearly the same sum, 2^62, so each weight is within one of its share, as above.
            let scaled = |weight: u128| ((weight << 62) / part.total).max(1);
            entries.extend(part.entries.iter().map(|&(key, weight)| (key, share * scaled(weight))));
            rounded = rounded.max(part.rounded + part.entries.len() as u64);
        }
        Ok(Self { rounded: rounded + shares.rounded, ..Self::of(entries)? })
    }

    /// The same distribution, counting also the roundings of another one that supplied weights.
    pub(super) fn rounded_after(self, other: &Self) -> Self {
        Self { rounded: self.rounded + other.rounded, ..self }
    }

    /// This and another distribution, rounded if the product of their weights does not fit.
    pub(super) fn beside(&self, other: &Self) -> (Self, Self) {
        let fits = self.total.checked_mul(other.total).is_some();
        if fits { (self.clone(), other.clone()) } else { (self.rounded(), other.rounded()) }
    }

    /// The distribution of the combination of a result and a further one, in rounded numbers if exact ones do not fit.
    pub(super) fn with_near(
        &self,
        other: &Self,
        budget: &mut Budget,
        together: impl Fn(Key, Key) -> Key,
    ) -> Result<Self, Excess> {
        let (one, other) = self.beside(other);
        budget.spend(one.entries.len().saturating_mul(other.entries.len()).saturating_mul(SORTED))?;
        let all = one.entries.iter().flat_map(|&(a, weight)| {
            let together = &together;
            other.entries.iter().map(move |&(b, more)| (together(a, b), weight * more))
        });
        Ok(Self { rounded: one.rounded + other.rounded, ..Self::of(all.collect())? })
    }

    /// The same distribution with `by` added to every result.
    pub(super) fn shifted(mut self, by: Key) -> Self {
        for (key, _) in &mut self.entries {
            *key += by;
        }
        self
    }

    /// Results and weights, ascending.
    pub(super) fn entries(&self) -> &[(Key, u128)] {
        &self.entries
    }

    /// The sum of the weights.
    pub(super) fn total(&self) -> u128 {
        self.total
    }

    /// The weight of one result.
    pub(super) fn weight(&self, key: Key) -> u128 {
        self.entries.binary_search_by_key(&key, |&(key, _)| key).map_or(0, |at| self.entries[at].1)
    }

    /// The same distribution with every result doubled.
    pub(super) fn doubled(mut self) -> Self {
        for (key, _) in &mut self.entries {
            *key *= 2;
        }
        self
    }

    /// The distance of each result above the smallest.
    fn steps(&self) -> impl Iterator<Item = Key> {
        let low = self.ends().map_or(0, |(low, _)| low);
        self.entries.iter().map(move |&(key, _)| key - low)
    }

    /// The smallest and the largest result.
    fn ends(&self) -> Option<(Key, Key)> {
        Some((self.entries.first()?.0, self.entries.last()?.0))
    }
}

/// The number of results that a mixture combines, unless there are too many.
fn mixed(parts: &[(u128, Spread)]) -> Result<usize, Excess> {
    let all = parts.iter().map(|(_, part)| part.entries.len()).sum();
    if all > MIXED_MAX { Err(Excess::Work) } else { Ok(all) }
}

/// [`merged`], but in an array of counters if there are many results and they are close together.
fn gathered(entries: Vec<(Key, u128)>) -> Option<Vec<(Key, u128)>> {
    let (mut low, mut high, mut unit) = (Key::MAX, Key::MIN, Key::BITS - 2);
    let first = entries.first().map_or(0, |&(key, _)| key);
    for &(key, _) in &entries {
        (low, high) = (low.min(key), high.max(key));
        unit = unit.min((key - first).trailing_zeros());
    }
    // Every result differs from the first by a multiple of the unit, and so from the smallest too.
    let width = if entries.len() < ROW_LEAST { ROW_MAX } else { (high - low) >> unit };
    if width >= ROW_MAX || width >= 16 * entries.len() as i128 {
        return merged(entries);
    }
    let mut row = vec![0u128; width as usize + 1];
    for (key, weight) in entries {
        let sum = &mut row[((key - low) >> unit) as usize];
        *sum = sum.checked_add(weight)?;
    }
    let row = row.into_iter().enumerate().filter(|&(_, weight)| weight > 0);
    Some(row.map(|(at, weight)| (low + ((at as Key) << unit), weight)).collect())
}

/// Sorted, with the weights of equal results added up and those without weight left out; `None` if a sum overflows.
pub(super) fn merged<K: Ord + Copy>(mut entries: Vec<(K, u128)>) -> Option<Vec<(K, u128)>> {
    entries.retain(|&(_, weight)| weight > 0);
    entries.sort_by_key(|&(key, _)| key);
    let mut kept = 0usize;
    for at in 0..entries.len() {
        let (key, weight) = entries[at];
        if kept > 0 && entries[kept - 1].0 == key {
            entries[kept - 1].1 = entries[kept - 1].1.checked_add(weight)?;
        } else {
            entries[kept] = (key, weight);
            kept += 1;
        }
    }
    entries.truncate(kept);
    Some(entries)
}

/// Divides weights by their greatest common divisor.
pub(super) fn reduce<K>(entries: &mut [(K, u128)]) {
    let mut divisor = 0;
    for (_, weight) in entries.iter() {
        divisor = gcd(divisor, *weight);
        if divisor == 1 {
            return;
        }
    }
    for (_, weight) in entries {
        *weight /= divisor.max(1);
    }
}

/// The rows 0 to `most` of Pascal's triangle; `None` if they do not fit.
pub(super) fn pascal(most: u32) -> Option<Vec<Vec<u128>>> {
    let mut rows = vec![vec![1u128]];
    for n in 1..=most as usize {
        let above = &rows[n - 1];
        let inner = above.windows(2).map(|pair| pair[0].checked_add(pair[1]));
        rows.push([Some(1)].into_iter().chain(inner).chain([Some(1)]).collect::<Option<_>>()?);
    }
    Some(rows)
}

/// The number of bits of a packed count.
const FIELD: u32 = 16;

/// The number of counts that can be packed together.
const FIELDS: usize = 8;

/// The largest count that can be packed.
pub(super) const FIELD_MAX: u32 = (1 << (FIELD - 1)) - 1;

/// One in count number `index` (below 8), zero in the others. Sums of these add each count separately while none
/// exceeds [`FIELD_MAX`], and are ordered by their first count, then their second, and so on.
pub(super) fn packed(index: usize) -> Key {
    1 << (FIELD * (7 - index as u32))
}

/// The first counts of a packed key.
pub(super) fn unpacked(key: Key, counts: usize) -> impl Iterator<Item = i64> {
    (0..counts).map(move |index| count_at(key, index))
}

/// Count number `index` of a packed key.
pub(super) fn count_at(key: Key, index: usize) -> i64 {
    (key >> (FIELD * (7 - index as u32)) & Key::from(FIELD_MAX)) as i64
}

/// The greatest common divisor; that of 0 and `b` is `b`.
pub(super) fn gcd(mut a: u128, mut b: u128) -> u128 {
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a
}

#[cfg(test)]
mod tests {
    use super::*;

    fn die(faces: i128) -> Spread {
        Spread::of((1..=faces).map(|face| (face, 1)).collect()).unwrap()
    }

    fn plenty() -> Budget {
        Budget::new(1_000_000)
    }

    #[test]
    fn sums_add_up() {
        let sum = die(6).times_near(2, &mut plenty()).unwrap();
        let weights: Vec<u128> = sum.entries().iter().map(|&(_, weight)| weight).collect();
        assert_eq!((weights.as_slice(), sum.total()), ([1, 2, 3, 4, 5, 6, 5, 4, 3, 2, 1].as_slice(), 36));
        assert_eq!(die(4).times_near(0, &mut plenty()).unwrap(), Spread::certain(0));
        assert_eq!(Spread::certain(3).times_near(1000, &mut plenty()).unwrap(), Spread::certain(3000));
    }

    #[test]
    fn rows_and_sorting_add_up_alike() {
        let near = die(6).plus(&die(8), &mut plenty()).unwrap();
        let far = Spread::of((1..=6).map(|face| (face << 70, 1)).collect()).unwrap();
        let other = Spread::of((1..=8).map(|face| (face << 70, 1)).collect()).unwrap();
        let far = far.plus(&other, &mut plenty()).unwrap();
        assert_eq!(far.entries().iter().map(|&(key, w)| (key >> 70, w)).collect::<Vec<_>>(), near.entries());
    }

    #[test]
    fn rows_and_sorting_gather_alike() {
        for (results, step) in [(100, 1), (100, packed(3)), (1000, 7 * packed(0)), (50, 1)] {
            let entries: Vec<(Key, u128)> =
                (0..results).map(|at| ((at * 37 % 91 - 40) * step, 1 + at as u128 % 5)).collect();
            assert_eq!(gathered(entries.clone()), merged(entries), "{results} results, {step} apart");
        }
        let full = vec![(1, u128::MAX / 50); 100];
        assert_eq!((gathered(full.clone()), merged(full)), (None, None));
    }

    #[test]
    fn a_mix_weighs_its_parts_by_their_chance_not_by_their_weights() {
        let mix = Spread::mix(&[(1, die(2)), (1, die(6))], &mut plenty()).unwrap();
        assert_eq!(mix.entries(), [(1, 4), (2, 4), (3, 1), (4, 1), (5, 1), (6, 1)]);
        assert_eq!(mix.total(), 12);
    }

    #[test]
    fn what_does_not_fit_is_rounded_or_refused() {
        assert!(die(6).times_near(49, &mut plenty()).is_ok_and(|sum| sum.rounded == 0));
        assert!(die(6).times_near(50, &mut plenty()).is_ok_and(|sum| sum.rounded > 0));
        let wide = Spread::of(vec![(0, 1), (1, u128::MAX - 1)]).unwrap();
        assert_eq!(wide.plus(&die(6), &mut plenty()), Err(Excess::Bits));
        assert_eq!(die(6).times_near(20, &mut Budget::new(10)), Err(Excess::Work));
    }

    #[test]
    fn packed_counts_come_out_as_they_went_in() {
        let key = 5 * packed(0) + 3 * packed(1) + i128::from(FIELD_MAX) * packed(7);
        assert_eq!(unpacked(key, 8).collect::<Vec<_>>(), [5, 3, 0, 0, 0, 0, 0, 32767]);
    }
}
