//! Where in the stream of random words a decision finds its own.

/// How many purposes (rolls of a pack, counted once for each side's half of the turn) an address can tell apart.
pub const PURPOSES: u8 = 64;

/// How many lanes (units, both sides together) an address can tell apart.
pub const LANES: u8 = 64;

/// How often, at most, one unit makes one decision for one purpose in one turn.
pub const NTH_MAX: u8 = 63;

/// The name of one decision within a battle.
///
/// Two battles with the same seed and index draw the same word for the same address, whatever else either of them
/// rolls: this is what makes cells of a study comparable battle by battle (common random numbers).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Address {
    /// Game turn, counted from 1.
    pub turn: u16,
    /// What is decided: below [`PURPOSES`].
    pub purpose: u8,
    /// For whom: below [`LANES`]. Even lanes belong to the side that moves first, odd lanes to the other.
    pub lane: u8,
    /// How many decisions of this purpose the lane has already taken this turn: at most [`NTH_MAX`].
    pub nth: u8,
}

impl Address {
    /// The position of this decision's word in the battle's stream, in 32-bit words.
    ///
    /// A ChaCha block of 16 words serves 16 purposes of one lane; neighbouring lanes lie in neighbouring blocks, so that
    /// the four blocks which are generated together serve the first two units of either side. Repeats (`nth`) and
    /// purposes from 16 on lie further out. The layout is part of the determinism promise: changing it changes every
    /// sampled result.
    #[must_use]
    pub const fn word(self) -> u64 {
        debug_assert!(self.purpose < PURPOSES && self.lane < LANES && self.nth <= NTH_MAX);
        let group = self.nth as u64 * (PURPOSES as u64 / 16) + self.purpose as u64 / 16;
        let block = (self.turn as u64 * 256 + group) * LANES as u64 + self.lane as u64;
        block * 16 + self.purpose as u64 % 16
    }
}
