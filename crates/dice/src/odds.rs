//! The odds of a decision, and the outcome of a random word under them.

/// With at most this many outcomes, a word is compared with every threshold at once; with more, the thresholds are
/// bisected.
///
/// Counting all thresholds up to 16 has no branch to mispredict and fits four SSE registers.
const COUNTED_MAX: usize = 16;

/// The odds of one decision: its outcomes in a fixed order.
///
/// `below[k]` is the first word beyond the shares of outcome `k` and all earlier ones. The last outcome with a weight
/// above zero takes the rest, so `below` is one entry shorter than `weights`, or more if the weights end with zeros.
/// Sampling by 32-bit words moves the probability of "outcome `k` or an earlier one" by at most 2^-33, and by somewhat
/// more only if outcomes rarer than 2^-32 are given a word each.
#[derive(Clone, Copy, Debug)]
pub struct Odds<'a> {
    /// Upper ends (exclusive) of the outcomes' shares of the 2^32 words, ascending; one fewer than there are outcomes
    /// up to the last that can happen.
    pub below: &'a [u32],
    /// Exact weights; the probability of outcome `k` is `weights[k] / total`.
    pub weights: &'a [u128],
    /// The sum of the weights, at least 1.
    pub total: u128,
}

impl Odds<'_> {
    /// The outcome of a random word: the first `k` with `word < below[k]`, else the last that can happen.
    #[inline]
    #[must_use]
    pub fn outcome(&self, word: u32) -> usize {
        outcome_of(self.below, word)
    }
}

/// The outcome of a random word under these thresholds ([`Odds::below`]).
#[inline]
#[must_use]
pub fn outcome_of(below: &[u32], word: u32) -> usize {
    if below.len() <= COUNTED_MAX {
        // The thresholds are counted in fours, so the loop nearly always runs the same number of times.
        let (fours, rest) = below.as_chunks::<4>();
        let count = |below: &[u32]| below.iter().map(|&below| usize::from(word >= below)).sum::<usize>();
        fours.iter().map(|four| count(four)).sum::<usize>() + count(rest)
    } else {
        below.partition_point(|&below| below <= word)
    }
}

/// The thresholds ([`Odds::below`]) for these weights: one fewer than there are weights up to the last one above zero.
///
/// Each is the cumulative probability times 2^32, rounded to nearest in exact integers. An outcome with a weight above
/// zero keeps at least one word, however rare it is, as long as there are no more than 2^32 such outcomes; an outcome
/// of weight zero gets none. The weights must sum to at most `u128::MAX`.
///
/// ```
/// assert_eq!(grognard_dice::thresholds(&[1, 2, 1]), [1 << 30, 3 << 30]);
/// ```
#[must_use]
pub fn thresholds(weights: &[u128]) -> Vec<u32> {
    let total: u128 = weights.iter().sum();
    let Some(before_last) = weights.len().checked_sub(1) else { return Vec::new() };
    // Ends as 33-bit numbers first: 2^32 itself stands for "every word".
    let mut ends = Vec::with_capacity(before_last);
    let (mut cumulative, mut end) = (0u128, 0u64);
    for &weight in &weights[..before_last] {
        cumulative += weight;
        if weight > 0 {
            end = share(cumulative, total).max(end + 1);
        }
        ends.push(end);
    }
    // From the top down, leave a word for every outcome that still follows.
    let mut most = 1u64 << 32;
    for k in (0..before_last).rev() {
        most -= u64::from(weights[k + 1] > 0);
        ends[k] = ends[k].min(most);
    }
    // An end of 2^32 is left only if all later weights are zero: its outcome takes the rest.
    ends.into_iter().map_while(|end| u32::try_from(end).ok()).collect()
}

/// `part / total * 2^32`, rounded to nearest, halves up. `part` is at most `total`.
fn share(part: u128, total: u128) -> u64 {
    let (quotient, rest) = if total >> 96 == 0 {
        let scaled = part << 32;
        (u64::try_from(scaled / total).unwrap_or(u64::MAX), scaled % total)
    } else {
        // Long division, one bit at a time, since `part << 32` does not fit.
        let (mut quotient, mut rest) = (u64::from(part >= total), if part >= total { part - total } else { part });
        for _ in 0..32 {
            let carry = rest >> 127 == 1;
            rest <<= 1;
            let one = carry || rest >= total;
            if one {
                rest = rest.wrapping_sub(total);
            }
            quotient = quotient << 1 | u64::from(one);
        }
        (quotient, rest)
    };
    quotient + u64::from(rest >= total - rest)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn thresholds_are_the_rounded_cumulative_shares() {
        assert_eq!(thresholds(&[1]), []);
        assert_eq!(thresholds(&[]), []);
        // 2^32 / 3 = 1431655765.33, 2/3 of it 2863311530.67
        assert_eq!(thresholds(&[1, 1, 1]), [1_431_655_765, 2_863_311_531]);
    }

    #[test]
    fn large_totals_are_divided_as_exactly_as_small_ones() {
        let small = [3u128, 7, 11, 0, 1];
        let large: Vec<u128> = small.iter().map(|w| w * (u128::MAX / 22)).collect();
        assert_eq!(thresholds(&small), thresholds(&large));
    }

    #[test]
    fn a_rare_outcome_keeps_one_word_wherever_it_stands() {
        let common = u128::MAX >> 2;
        assert_eq!(thresholds(&[1, common]), [1]);
        assert_eq!(thresholds(&[common, 1]), [u32::MAX]);
        assert_eq!(thresholds(&[1, 1, common, 1, 1]), [1, 2, u32::MAX - 1, u32::MAX]);
        assert_eq!(thresholds(&[common, 1, 1, common]), [(1 << 31), (1 << 31) + 1, (1 << 31) + 2]);
    }

    #[test]
    fn an_outcome_of_weight_zero_gets_no_word() {
        let weights = [0u128, 1, 0, 1, 0, 1];
        let below = thresholds(&weights);
        assert_eq!(below[0], 0);
        assert_eq!(below[1], below[2]);
        assert_eq!(below[3], below[4]);
        let odds = Odds { below: &below, weights: &weights, total: 3 };
        for word in [0, below[1] - 1, below[1], below[3] - 1, below[3], u32::MAX] {
            assert!(weights[odds.outcome(word)] > 0, "word {word} means an outcome of weight zero");
        }
    }

    #[test]
    fn outcomes_of_weight_zero_at_the_end_get_no_word() {
        let common = u128::MAX >> 2;
        for weights in [vec![1, 0], vec![0, 1, 0], vec![2, 1, 0, 0], vec![common, 1, 0], vec![1, common, 0, 0, 0]] {
            let below = thresholds(&weights);
            let last = weights.iter().rposition(|&weight| weight > 0).expect("a weight");
            assert_eq!(below, thresholds(&weights[..=last]), "{weights:?}");
            assert_eq!(outcome_of(&below, u32::MAX), last, "{weights:?}");
        }
    }

    #[test]
    fn counting_and_bisecting_read_a_word_alike() {
        for outcomes in 1..40usize {
            let weights: Vec<u128> = (1..=outcomes as u128).collect();
            let below = thresholds(&weights);
            let odds = Odds { below: &below, weights: &weights, total: weights.iter().sum() };
            let words = below.iter().flat_map(|&b| [b - 1, b]).chain([0, u32::MAX]);
            for word in words {
                let first = below.iter().position(|&b| word < b).unwrap_or(outcomes - 1);
                assert_eq!(odds.outcome(word), first);
            }
        }
    }
}
