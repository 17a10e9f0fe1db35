//! Random words for random positions, and a digest. Neither uses the dice of a battle.

/// SplitMix64 (Steele, Lea and Flood, 2014): the positions of a property test are the same on every machine.
pub(crate) struct Words(u64);

impl Words {
    pub(crate) fn new(seed: u64) -> Self {
        Self(seed)
    }

    pub(crate) fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ self.0 >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ mixed >> 31
    }

    /// A number from `least` to `most`.
    pub(crate) fn between(&mut self, least: i32, most: i32) -> i32 {
        least + (self.next() % (most - least + 1) as u64) as i32
    }

    /// One of these items.
    pub(crate) fn one_of<'a, T>(&mut self, items: &'a [T]) -> &'a T {
        &items[(self.next() % items.len() as u64) as usize]
    }
}

/// A digest with one more word added: FNV-1a by words, with a rotation that moves high bits down.
pub(crate) fn mix(digest: u64, word: u64) -> u64 {
    ((digest ^ word).wrapping_mul(0x0000_0100_0000_01b3)).rotate_left(23)
}
