//! Exact fractions from 0 to 1, and a helper that uses them to play a battle along every possible path of the dice.

use std::collections::BTreeMap;
use std::fmt;
use std::ops::{AddAssign, Mul};

use grognard_dice::{EnumeratedDice, Probability};
use grognard_engine::states::States;
use grognard_engine::{Battle, Outcome, Setup, Unwitnessed, step};
use grognard_rules::model::Rules;
use num_bigint::BigUint;
use num_integer::Integer;

/// A fraction, in lowest terms.
#[derive(Clone, PartialEq, Eq)]
pub(crate) struct Share {
    part: BigUint,
    whole: BigUint,
}

impl Share {
    pub(crate) fn of(part: u128, whole: u128) -> Self {
        Self::reduced(part.into(), whole.into())
    }

    pub(crate) fn none() -> Self {
        Self::of(0, 1)
    }

    pub(crate) fn all() -> Self {
        Self::of(1, 1)
    }

    /// The complement: one minus the fraction.
    pub(crate) fn rest(&self) -> Self {
        Self::reduced(&self.whole - &self.part, self.whole.clone())
    }

    /// The sum of several fractions.
    pub(crate) fn sum(shares: impl IntoIterator<Item = Self>) -> Self {
        shares.into_iter().fold(Self::none(), |mut sum, share| {
            sum += share;
            sum
        })
    }

    fn reduced(part: BigUint, whole: BigUint) -> Self {
        let common = part.gcd(&whole);
        Self { part: part / &common, whole: whole / common }
    }
}

impl Mul<&Share> for &Share {
    type Output = Share;

    fn mul(self, other: &Share) -> Share {
        Share::reduced(&self.part * &other.part, &self.whole * &other.whole)
    }
}

impl AddAssign<Share> for Share {
    fn add_assign(&mut self, other: Share) {
        *self = Self::reduced(&self.part * &other.whole + &other.part * &self.whole, &self.whole * other.whole);
    }
}

impl fmt::Debug for Share {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.part, self.whole)
    }
}

/// The probability of each possibility.
pub(crate) type Shares<K> = BTreeMap<K, Share>;

/// Adds a probability to that of a key.
pub(crate) fn add<K: Ord>(shares: &mut Shares<K>, key: K, share: Share) {
    *shares.entry(key).or_insert_with(Share::none) += share;
}

/// The probability of each result of a setup's battles. Plays every path of the dice and merges equal states, until
/// `over` returns a result or the battle ends.
pub(crate) fn walk<K: Ord>(
    rules: &Rules,
    setup: &Setup,
    over: impl Fn(&Battle) -> Option<K>,
    ends: impl Fn(&Outcome) -> K,
) -> Shares<K> {
    let mut states = States::of(&setup.start);
    let mut open: Vec<(Battle, Share)> = vec![(setup.start.clone(), Share::all())];
    let mut found = Shares::new();
    while !open.is_empty() {
        let mut next: BTreeMap<Vec<u32>, (Battle, Share)> = BTreeMap::new();
        for (battle, share) in open {
            // The paths of this one state are first summed as machine integers: there are many more paths than end
            // states.
            let mut over_now: BTreeMap<K, Part> = BTreeMap::new();
            let mut open_now: BTreeMap<Vec<u32>, (Battle, Part)> = BTreeMap::new();
            let mut dice = EnumeratedDice::new();
            while dice.next_path() {
                let mut after = battle.clone();
                let outcome = step(rules, setup, &mut after, &mut dice, &mut Unwitnessed);
                let path = dice.probability().expect("a path of few dice");
                if let Some(key) = outcome.map(|outcome| ends(&outcome)).or_else(|| over(&after)) {
                    over_now.entry(key).or_default().add(path);
                    continue;
                }
                let mut key = Vec::new();
                states.take_apart(&after, &mut key).expect("few states");
                open_now.entry(key).or_insert_with(|| (after, Part::default())).1.add(path);
            }
            for (key, part) in over_now {
                add(&mut found, key, &share * &part.share());
            }
            for (key, (after, part)) in open_now {
                next.entry(key).or_insert_with(|| (after, Share::none())).1 += &share * &part.share();
            }
        }
        open = next.into_values().collect();
    }
    found
}

/// The sum of the probabilities of several paths.
struct Part(u128, u128);

impl Default for Part {
    fn default() -> Self {
        Self(0, 1)
    }
}

impl Part {
    fn add(&mut self, Probability { numerator, denominator }: Probability) {
        let common = self.1.lcm(&denominator);
        *self = Self(self.0 * (common / self.1) + numerator * (common / denominator), common);
    }

    fn share(&self) -> Share {
        Share::of(self.0, self.1)
    }
}
