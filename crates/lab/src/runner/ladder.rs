//! Where a run may look at its own results.

use super::BLOCK;

/// Whether a run that has fought battles 0 to `battles` - 1 stands on a rung: 1, 2, 3, 4, 6, 8, 12, 16, 24 … blocks.
///
/// Few looks, at places fixed beforehand: stopping at one of them hardly harms the coverage of the interval.
pub(super) fn is_rung(battles: u64) -> bool {
    let (blocks, rest) = (battles / u64::from(BLOCK), battles % u64::from(BLOCK));
    rest == 0 && matches!(blocks >> blocks.trailing_zeros().min(63), 1 | 3)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rungs_are_powers_of_two_and_half_way_between() {
        let rungs: Vec<u64> = (0..70).filter(|blocks| is_rung(blocks * u64::from(BLOCK))).collect();
        assert_eq!(rungs, [1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 48, 64]);
        assert!(!is_rung(u64::from(BLOCK) + 1));
    }
}
