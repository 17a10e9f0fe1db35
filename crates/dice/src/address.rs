//! Addresses: the position of a decision's word in the stream of random words.

/// The number of purposes (rolls of a pack, counted once for each side's half of the turn) that an address can
/// distinguish.
pub const PURPOSES: u8 = 64;

/// The number of lanes (units of all sides) that an address can distinguish.
pub const LANES: u8 = 64;

/// The maximum number of times that one unit makes one decision for one purpose in one turn.
pub const NTH_MAX: u8 = 63;

/// The number of points in a turn that an address can distinguish.
pub const STAGES: u16 = 4095;

/// The name of one decision within a battle.
///
/// Two battles with the same seed and index draw the same word for the same address, regardless of their other rolls.
/// This makes cells of a study comparable battle by battle (common random numbers).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Address {
    /// Game turn, counted from 1.
    pub turn: u8,
    /// Which point in the turn it is, below [`STAGES`], for a decision that can be taken at several of them; otherwise
    /// 0.
    pub stage: u16,
    /// The purpose of the decision, below [`PURPOSES`].
    pub purpose: u8,
    /// The lane, below [`LANES`]. Even lanes belong to the side that moves first, odd lanes to the other.
    pub lane: u8,
    /// How many decisions of this purpose the lane has already taken at this stage: at most [`NTH_MAX`].
    pub nth: u8,
}

impl Address {
    /// The position of this decision's word in the battle's stream, in 32-bit words.
    ///
    /// The 64 words that are generated together (a window of four ChaCha blocks) serve four turns, eight purposes and
    /// two neighbouring lanes, one unit of each side, so a duel with few kinds of rolls needs a window only every four
    /// turns. From the lowest bit up, the position is: lane mod 2, purpose mod 8, turn mod 4 (turns counted from 0
    /// here), then the window: lane / 2 (5 bits), purpose / 8 (3 bits), nth (6 bits), turn / 4 (6 bits), stage (12
    /// bits). The layout is part of the determinism promise: changing it changes every sampled result.
    #[must_use]
    pub const fn word(self) -> u64 {
        debug_assert!(self.purpose < PURPOSES && self.lane < LANES && self.nth <= NTH_MAX && self.stage < STAGES);
        // If anything rolls before the first turn, turn 0 comes last instead of sharing words.
        let (turn, purpose, lane) = (self.turn.wrapping_sub(1) as u64, self.purpose as u64, self.lane as u64);
        let turns = self.stage as u64 * 64 + turn / 4;
        let window = ((turns * 64 + self.nth as u64) * 8 + purpose / 8) * 32 + lane / 2;
        ((window * 4 + turn % 4) * 8 + purpose % 8) * 2 + lane % 2
    }

    /// The address whose word is at this position, which must be that of an address.
    ///
    /// ```
    /// use grognard_dice::Address;
    ///
    /// let at = Address { turn: 12, stage: 3, purpose: 33, lane: 23, nth: 2 };
    /// assert_eq!(Address::of_word(at.word()), at);
    /// ```
    #[must_use]
    pub fn of_word(word: u64) -> Self {
        let field = |shift: u32, bits: u32| word >> shift & ((1 << bits) - 1);
        Self {
            turn: ((field(4, 2) + 4 * field(20, 6)) as u8).wrapping_add(1),
            stage: field(26, 12) as u16,
            purpose: (field(1, 3) + 8 * field(11, 3)) as u8,
            lane: (field(0, 1) + 2 * field(6, 5)) as u8,
            nth: field(14, 6) as u8,
        }
    }
}
