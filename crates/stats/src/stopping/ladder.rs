//! Where a run that waits for its intervals to become narrow looks at them.

/// Steps between a power of two and the next.
const STEPS: u32 = 3;

/// Whether a run that has fought so many blocks of battles may look at its own results.
///
/// The rungs are 1, 2, 3 … 16 blocks, then eight to each doubling: 18, 20 … 32, 36 … 64 … So a run that stops at the first
/// rung that is enough fights at most an eighth more than enough, once that is eight blocks. They are fixed beforehand and
/// what is looked at is the width alone, which hardly depends on luck: the interval at the end keeps its level.
#[must_use]
pub fn is_rung(blocks: u64) -> bool {
    let octave = blocks.checked_ilog2().unwrap_or(0);
    blocks > 0 && blocks.trailing_zeros() >= octave.saturating_sub(STEPS)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rungs_are_an_eighth_apart() {
        let rungs: Vec<u64> = (0..=70).filter(|&blocks| is_rung(blocks)).collect();
        let expected: Vec<u64> = (1..=16).chain((18..=32).step_by(2)).chain((36..=64).step_by(4)).collect();
        assert_eq!(rungs, expected);
        assert!(is_rung(1 << 63) && !is_rung(u64::MAX));
        for pair in (8..100_000).filter(|&blocks| is_rung(blocks)).collect::<Vec<_>>().windows(2) {
            assert!(8 * pair[1] <= 9 * pair[0], "{pair:?}");
        }
    }
}
