//! The state of a battle on hexes.

use grognard_rules::model::{Card, Deck, Rules};

use crate::state::ids::{Maybe, UnitId};
use crate::state::side::Side;
use grognard_rules::model::ByteId;

/// The maximum number of kinds of cards.
const KINDS: usize = 32;

/// The maximum number of cards in a hand.
pub(crate) const HAND: usize = 8;

/// Flags for the things that a unit on hexes has done or suffered. Most flags last until the end of the half-turn.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct HexFlags(u16);

impl HexFlags {
    /// It is a leader. Permanent.
    pub const LEADER: Self = Self(1);
    /// It has orders.
    pub const ORDERED: Self = Self(2);
    /// It has turned towards an attack.
    pub const REACTED: Self = Self(4);
    /// More than one unit has attacked it.
    pub const BESET: Self = Self(8);
    /// It has fought.
    pub const FOUGHT: Self = Self(16);
    /// It has stepped into a flank or rear hex.
    pub const ASIDE: Self = Self(32);
    /// It has had an enemy to fire at.
    pub const SIGHTED: Self = Self(64);
    /// It must fight.
    pub const BOUND: Self = Self(128);
    /// It may not fight.
    pub const TIRED: Self = Self(256);
    /// It was abandoned, and does not count as lost. Permanent.
    pub const ABANDONED: Self = Self(512);
    /// It has moved to another hex in its own move.
    pub const STEPPED: Self = Self(1024);
    /// It has taken a free turn since its last hex.
    pub const TURNED: Self = Self(2048);
    /// It turned before it moved its first hex.
    pub const TURNED_FIRST: Self = Self(4096);

    /// Whether any of these flags is set.
    #[inline]
    #[must_use]
    pub const fn has(self, flags: Self) -> bool {
        self.0 & flags.0 != 0
    }

    /// The union of two sets of flags.
    pub(crate) const fn with(self, others: Self) -> Self {
        Self(self.0 | others.0)
    }

    pub(crate) fn set(&mut self, flags: Self) {
        self.0 |= flags.0;
    }

    /// Sets these flags, or clears them.
    pub(crate) fn put(&mut self, flags: Self, on: bool) {
        self.0 = if on { self.0 | flags.0 } else { self.0 & !flags.0 };
    }
}

/// The part of a unit's state that is specific to hexes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct HexState {
    /// Its flags.
    pub flags: HexFlags,
    /// The number of hexes moved in this half-turn, including paid turns.
    pub steps: u8,
    /// The leader with it, or the unit that a leader is with.
    pub mate: Maybe<UnitId>,
    /// The first unit that attacked it in this half-turn.
    pub assailant: Maybe<UnitId>,
}

impl HexState {
    /// Clears everything that lasts for only a half-turn.
    pub(crate) fn end_half_turn(&mut self) {
        self.flags.0 &= HexFlags::LEADER.0 | HexFlags::ABANDONED.0;
        self.steps = 0;
        self.assailant = Maybe::NONE;
    }
}

/// A kind of card: its index in [`Deck::cards`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct CardKind(pub(crate) u8);

impl CardKind {
    /// Its card in a deck.
    #[must_use]
    pub fn of(self, deck: &Deck) -> &Card {
        &deck.cards[usize::from(self.0)]
    }

    /// Its position in the deck, from 1.
    pub(crate) fn number(self) -> i32 {
        i32::from(self.0) + 1
    }
}

impl ByteId for CardKind {
    #[inline]
    fn from_byte(byte: u8) -> Self {
        Self(byte)
    }

    #[inline]
    fn byte(self) -> u8 {
        self.0
    }
}

/// The cards of both sides.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Cards {
    /// The hands, first side's first.
    pub hands: [[Maybe<CardKind>; HAND]; 2],
    /// The number of cards of each kind played since the deck was last shuffled.
    pub played: [u8; KINDS],
    /// The card in play.
    pub now: Maybe<CardKind>,
}

impl Cards {
    /// Takes the card at this index out of a hand, and counts it among those played. The index must exist.
    pub(crate) fn play(&mut self, side: Side, place: usize) -> Option<CardKind> {
        let kind = self.hands[side.index()][place].take()?;
        if let Some(played) = self.played.get_mut(usize::from(kind.0)) {
            *played += 1;
        }
        Some(kind)
    }

    /// The number of cards of each kind still in the deck.
    pub(crate) fn left(&self, rules: &Rules) -> [u8; KINDS] {
        let mut left = [0; KINDS];
        let Some(deck) = rules.hex.as_ref().and_then(|hex| hex.deck.as_ref()) else { return left };
        for (kind, (left, card)) in left.iter_mut().zip(&deck.cards).enumerate() {
            let held = self.hands.iter().flatten().filter(|held| held.is(CardKind(kind as u8))).count() as u8;
            *left = card.count.saturating_sub(self.played[kind]).saturating_sub(held);
        }
        left
    }
}
