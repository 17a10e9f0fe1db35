//! Random numbers for questions: for resampling, and for drawing armies.

/// A reproducible random number generator: SplitMix64.
pub(super) struct Chances(pub(super) u64);

impl Chances {
    /// A number below `most`.
    pub(super) fn below(&mut self, most: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^= mixed >> 31;
        ((u128::from(mixed) * most as u128) >> 64) as usize
    }
}
