//! Kept dice: sorted dice, only some of which count.

use super::Amount;
use super::weights::{Budget, Excess, Key, Spread, merged, pascal};

/// Which dice count. A die and those it added count as one, with their sum.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Keep {
    /// All of them.
    All,
    /// This many of the highest.
    Highest(Amount),
    /// This many of the lowest.
    Lowest(Amount),
}

/// The value of the dice that count.
#[derive(Clone, Copy, Debug)]
pub(super) enum Scoring {
    Sum,
    Highest,
    /// Odd numbers of dice: twice the value, plus one for a success.
    Successes,
}

impl Keep {
    /// Removes the dice, given by value and successes, that do not count.
    pub(super) fn drop_others(self, dice: &mut Vec<(i64, i64)>, inputs: &[i32]) {
        let Some(most) = self.most(inputs) else { return };
        match self {
            Self::Lowest(_) => dice.sort_unstable(),
            _ => dice.sort_unstable_by(|a, b| b.cmp(a)),
        }
        dice.truncate(most as usize);
    }

    /// The maximum number of dice that count; `None` means all.
    fn most(self, inputs: &[i32]) -> Option<u32> {
        match self {
            Self::All => None,
            Self::Highest(most) | Self::Lowest(most) => Some(most.at(inputs).max(0) as u32),
        }
    }
}

/// The progress of sorting.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
struct Sorted {
    /// How many dice of each kind are still to be placed, in mixed-radix notation.
    left: u64,
    /// How many dice have been placed.
    placed: u32,
    /// The value of the dice that count; `None` before the first.
    score: Option<Key>,
}

/// The distribution of the dice that count: their value is 0 if none do. `kinds` holds the distribution of each kind
/// and its number of dice.
///
/// For each value, starting at the end that is kept, enumerates how many dice of each kind show it.
pub(super) fn kept(
    kinds: &[(Spread, u32)],
    keep: &Keep,
    inputs: &[i32],
    scoring: Scoring,
    budget: &mut Budget,
) -> Result<Spread, Excess> {
    let dice: u32 = kinds.iter().map(|(_, count)| count).sum();
    let most = keep.most(inputs).unwrap_or(dice);
    let mut values: Vec<Key> =
        kinds.iter().flat_map(|(one, _)| one.entries().iter().map(|&(value, _)| value)).collect();
    values.sort_unstable();
    values.dedup();
    if !matches!(keep, Keep::Lowest(_)) {
        values.reverse();
    }
    let mut radix = 1u64;
    let mut radices = Vec::with_capacity(kinds.len());
    let mut left = 0u64;
    for &(_, count) in kinds {
        radices.push(radix);
        left += u64::from(count) * radix;
        radix = radix.checked_mul(u64::from(count) + 1).filter(|&radix| radix < 1 << 60).ok_or(Excess::Work)?;
    }
    let binomials = binomials(kinds)?;
    let mut states = vec![(Sorted { left, placed: 0, score: None }, 1u128)];
    for &value in &values {
        for ((one, count), radix) in kinds.iter().zip(&radices) {
            let weight = one.weight(value);
            if weight == 0 {
                continue;
            }
            // At the kind's last value, all remaining dice must show it.
            let last = if matches!(keep, Keep::Lowest(_)) { one.entries().last() } else { one.entries().first() };
            let must = last.is_some_and(|&(last, _)| last == value);
            let mut next = Vec::new();
            for (state, ways) in states {
                let left = (state.left / radix % u64::from(count + 1)) as u32;
                let least = if must { left } else { 0 };
                budget.spend((left - least) as usize + 1)?;
                for showing in least..=left {
                    let chosen = if must { 1 } else { binomials[left as usize][showing as usize] };
                    let ways = weight.checked_pow(showing).and_then(|w| w.checked_mul(chosen)?.checked_mul(ways));
                    let placed = state.placed + showing;
                    let counting = placed.min(most) - state.placed.min(most);
                    let left = state.left - u64::from(showing) * radix;
                    let score = scoring.with(state.score, value, counting);
                    next.push((Sorted { left, placed, score }, ways.ok_or(Excess::Bits)?));
                }
            }
            states = merged(next).ok_or(Excess::Bits)?;
        }
    }
    Spread::of(states.into_iter().map(|(state, ways)| (state.score.unwrap_or(0), ways)).collect())
}

impl Scoring {
    /// The score once `counting` more dice of this value count.
    fn with(self, score: Option<Key>, value: Key, counting: u32) -> Option<Key> {
        if counting == 0 {
            return score;
        }
        let counting = Key::from(counting);
        Some(match self {
            Self::Sum => score.unwrap_or(0) + counting * value,
            Self::Highest => score.map_or(value, |score| score.max(value)),
            Self::Successes => score.unwrap_or(0) + counting * (value & 1),
        })
    }
}

/// `binomials[n][k]`: the number of ways to choose `k` of `n`, for as many dice as any uncertain kind has.
fn binomials(kinds: &[(Spread, u32)]) -> Result<Vec<Vec<u128>>, Excess> {
    let most = kinds.iter().filter(|(one, _)| one.entries().len() > 1).map(|&(_, count)| count).max().unwrap_or(0);
    pascal(most).ok_or(Excess::Bits)
}
