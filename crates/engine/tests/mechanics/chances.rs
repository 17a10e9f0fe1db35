//! Probabilities as fractions, for odds derived from the wording of a rule.

use std::collections::BTreeMap;

/// A fraction in lowest terms.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Fraction {
    part: u64,
    whole: u64,
}

impl Fraction {
    fn new(part: u64, whole: u64) -> Self {
        let divisor = gcd(part, whole);
        Self { part: part / divisor, whole: whole / divisor }
    }

    fn plus(self, other: Self) -> Self {
        let whole = self.whole / gcd(self.whole, other.whole) * other.whole;
        Self::new(self.part * (whole / self.whole) + other.part * (whole / other.whole), whole)
    }

    fn times(self, other: Self) -> Self {
        let (left, right) = (gcd(self.part, other.whole), gcd(other.part, self.whole));
        Self { part: self.part / left * (other.part / right), whole: self.whole / right * (other.whole / left) }
    }
}

fn gcd(a: u64, b: u64) -> u64 {
    if b == 0 { a } else { gcd(b, a % b) }
}

/// The possible results, with their probabilities.
pub(crate) type Chances<K> = BTreeMap<K, Fraction>;

/// A result that is certain.
pub(crate) fn certain<K: Ord>(what: K) -> Chances<K> {
    BTreeMap::from([(what, Fraction::new(1, 1))])
}

/// Two random results, the second depending on the first.
pub(crate) fn then<K: Ord, L: Ord>(first: &Chances<K>, next: impl Fn(&K) -> Chances<L>) -> Chances<L> {
    let mut all: Chances<L> = BTreeMap::new();
    for (what, &chance) in first {
        for (then, more) in next(what) {
            let both = chance.times(more);
            all.entry(then).and_modify(|sum| *sum = sum.plus(both)).or_insert(both);
        }
    }
    all
}

/// The results that follow each face of a die.
pub(crate) fn die<K: Ord>(faces: u16, next: impl Fn(u16) -> Chances<K>) -> Chances<K> {
    let up = (1..=faces).map(|face| (face, Fraction::new(1, faces.into()))).collect();
    then(&up, |&face| next(face))
}

/// The sum of this many independent copies.
pub(crate) fn many(count: u16, one: &Chances<u16>) -> Chances<u16> {
    (0..count).fold(certain(0), |sum, _| then(&sum, |&sum| then(one, move |&more| certain(sum + more))))
}

/// Whole numbers in the same proportions.
pub(crate) fn weights(chances: &Chances<u16>) -> Vec<(u16, u64)> {
    let whole = chances.values().fold(1, |whole, chance| whole / gcd(whole, chance.whole) * chance.whole);
    chances.iter().map(|(&what, chance)| (what, chance.part * (whole / chance.whole))).collect()
}
