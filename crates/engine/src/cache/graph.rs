//! The known paths of the battles of one cell: decisions, and the successor of each of their outcomes.

use grognard_dice::{Address, BLOCK_WORDS, Favour};

use crate::cache::shelves::Shelves;
use crate::cache::states::Interner;
use crate::state::Outcome;

/// The place of the link to the state in which all battles start.
pub(super) const START: u32 = 0;

/// The turn for which words and outcomes are stored if they are the same in any turn but for the turn itself.
pub(super) const TURN: u8 = 1;

/// The largest number of bytes: numbers of links have 28 bits.
pub(super) const BYTES_MAX: usize = 1 << (KIND_SHIFT + 2);

/// The bits of a word's position in the stream ([`Address::word`]).
const POSITION_BITS: u32 = 38;

/// The bits of a position that give the block of sixteen words.
const BLOCK_MASK: u64 = (1 << POSITION_BITS) - BLOCK_WORDS as u64;

/// The bit of a [`Decided::word`] that says that the decision is no longer asked: see [`Graph::replace`].
const REPLACED: u64 = 1 << POSITION_BITS;

/// The first of the two bits for the favour.
const FAVOUR_SHIFT: u32 = POSITION_BITS + 1;

/// The first bit of the number of thresholds.
const THRESHOLDS_SHIFT: u32 = FAVOUR_SHIFT + 2;

/// The first bit of a link's kind. The bits below are a number.
const KIND_SHIFT: u32 = 28;

/// A link to a successor: its kind, and a number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Link(u32);

/// The kinds of successor.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// Not known yet.
    Unknown,
    /// The decision with this number.
    Decision(u32),
    /// The state with this place number.
    Place(u32),
    /// The end of the battle, with the number of its outcome.
    Over(u32),
    /// The end of the battle in any turn, with the number of its outcome in [`TURN`].
    OverNow(u32),
    /// The end of a turn: see [`Graph::add_turns`]. The first turn is the next one, and the second is the last one.
    TurnEnds(u32),
    /// A state whose next step depends on the turn: see [`Graph::add_turns`]. There is a link for each turn.
    Dated(u32),
}

impl Link {
    /// A link to a successor of this kind.
    pub(super) fn to(kind: Kind) -> Self {
        let (kind, number) = match kind {
            Kind::Unknown => (0, 0),
            Kind::Decision(number) => (0, number),
            Kind::Place(number) => (1, number),
            Kind::Over(number) => (2, number),
            Kind::OverNow(number) => (3, number),
            Kind::TurnEnds(number) => (4, number),
            Kind::Dated(number) => (5, number),
        };
        debug_assert!(number >> KIND_SHIFT == 0, "numbers have 28 bits");
        Self(kind << KIND_SHIFT | number)
    }

    /// The kind of its successor.
    #[inline]
    pub(super) fn kind(self) -> Kind {
        let number = self.0 & ((1 << KIND_SHIFT) - 1);
        match self.0 >> KIND_SHIFT {
            0 if number == 0 => Kind::Unknown,
            0 => Kind::Decision(number),
            1 => Kind::Place(number),
            2 => Kind::Over(number),
            3 => Kind::OverNow(number),
            4 => Kind::TurnEnds(number),
            _ => Kind::Dated(number),
        }
    }

    /// Whether its successor is known.
    #[inline]
    pub(super) fn is_known(self) -> bool {
        self.0 != 0
    }

    /// The number of the decision to which it leads, otherwise 0.
    #[inline]
    pub(super) fn decision(self) -> u32 {
        if self.0 >> KIND_SHIFT == 0 { self.0 } else { 0 }
    }
}

/// The block of a decision's word, and whether the decision is replaced.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Block(u64);

impl Block {
    /// The number of the block.
    #[inline]
    pub(super) fn number(self) -> u64 {
        self.0 / BLOCK_WORDS as u64
    }

    /// Whether there is no such decision, or another link replaces it.
    #[inline]
    pub(super) fn is_gone(self) -> bool {
        self.0 & REPLACED != 0
    }
}

/// A decision.
#[derive(Clone, Copy, Debug)]
pub(super) struct Decided {
    /// The position of its word, in [`TURN`] unless the graph is dated. The bits above: whether it is replaced, its
    /// favour, and the number of its thresholds.
    word: u64,
    /// The shelf of its thresholds.
    shelf: u32,
    /// The last state before the decision.
    place: u32,
    /// The place of the link of its first outcome.
    first: u32,
}

/// The numbers of a decision's record before its links.
const HEAD: usize = 4;

impl Decided {
    /// The place of its word in the block.
    #[inline]
    pub(super) fn word(self) -> usize {
        self.word as usize % BLOCK_WORDS
    }

    /// The number of its thresholds.
    #[inline]
    fn thresholds(self) -> usize {
        (self.word >> THRESHOLDS_SHIFT) as usize
    }

    /// The place of the link that it follows with this outcome.
    #[inline]
    pub(super) fn link(self, outcome: usize) -> u32 {
        self.first + outcome as u32
    }
}

/// The parts of a decision that are needed only to measure luck and to add new paths.
#[derive(Clone, Copy, Debug)]
pub(super) struct Asked {
    pub(super) at: Address,
    pub(super) favour: Favour,
    /// The last state before the decision.
    pub(super) place: u32,
}

/// A decision that was taken.
#[derive(Clone, Copy, Debug)]
pub(super) struct Taken<'a> {
    pub(super) at: Address,
    pub(super) favour: Favour,
    pub(super) below: &'a [u32],
    pub(super) outcome: usize,
}

/// The known paths.
#[derive(Debug)]
pub(super) struct Graph {
    /// Whether every decision belongs to one turn. If not, words are stored for [`TURN`].
    dated: bool,
    /// The records of decisions and turns, by number. A record is in one piece, together with its links, because it
    /// costs one wait for memory instead of two. The first record is a decision that is gone; the link at [`START`] is
    /// part of it.
    records: Vec<u32>,
    outcomes: Interner<Outcome>,
    shelves: Shelves,
    /// The bytes used since [`Graph::filled`] was last called.
    filled: usize,
}

impl Graph {
    /// No paths: the first state is that of the first place. `dated` says whether every decision belongs to one turn.
    pub(super) fn new(dated: bool) -> Self {
        let Link(start) = Link::to(Kind::Place(0));
        let records = vec![start, (REPLACED >> u32::BITS) as u32, 0, 0];
        Self { dated, records, outcomes: Interner::default(), shelves: Shelves::default(), filled: 0 }
    }

    /// The number of bytes used since the last call.
    pub(super) fn filled(&mut self) -> usize {
        std::mem::take(&mut self.filled)
    }

    /// The block of the decision with this number.
    #[inline]
    pub(super) fn block(&self, number: u32) -> Block {
        let head = &self.records[number as usize..][..2];
        Block((u64::from(head[0]) | u64::from(head[1]) << u32::BITS) & (BLOCK_MASK | REPLACED))
    }

    /// The decision with this number.
    #[inline]
    pub(super) fn decision(&self, number: u32) -> Decided {
        let head = &self.records[number as usize..][..HEAD];
        let word = u64::from(head[0]) | u64::from(head[1]) << u32::BITS;
        Decided { word, shelf: head[2], place: head[3], first: number + HEAD as u32 }
    }

    /// The address, favour and preceding state of a decision in the current turn of a battle.
    #[inline]
    pub(super) fn asked(&self, decision: Decided, turn: u8) -> Asked {
        let at = Address::of_word(decision.word & (REPLACED - 1));
        let at = if self.dated { at } else { Address { turn, ..at } };
        let favour = Favour::of((decision.word >> FAVOUR_SHIFT) as u32 % 4);
        Asked { at, favour, place: decision.place }
    }

    /// The last state before a decision.
    pub(super) fn place(&self, number: u32) -> u32 {
        self.decision(number).place
    }

    /// The distinct outcomes.
    pub(super) fn outcomes(&self) -> &Interner<Outcome> {
        &self.outcomes
    }

    /// The thresholds of a decision.
    #[inline]
    pub(super) fn below(&self, decision: Decided) -> &[u32] {
        self.shelves.below(decision.shelf, decision.thresholds())
    }

    /// The outcome of a decision with this word.
    #[inline]
    pub(super) fn outcome(&self, decision: Decided, word: u32) -> usize {
        self.shelves.outcome(decision.shelf, decision.thresholds(), word)
    }

    /// The link at this place.
    #[inline]
    pub(super) fn linked(&self, link: u32) -> Link {
        Link(self.records[link as usize])
    }

    /// Changes the link at this place.
    pub(super) fn connect(&mut self, link: u32, to: Link) {
        self.records[link as usize] = to.0;
    }

    /// The number of an outcome.
    pub(super) fn over(&mut self, outcome: &Outcome) -> u32 {
        let known = self.outcomes.items().len();
        let Ok(number) = self.outcomes.number(outcome) else {
            unreachable!("there are fewer outcomes than bytes to be filled");
        };
        self.filled += (self.outcomes.items().len() - known) * (size_of::<Outcome>() + size_of::<u64>());
        number
    }

    /// Adds a decision that was taken after the state at `place`. Returns its number.
    pub(super) fn ask(&mut self, taken: Taken<'_>, place: u32) -> u32 {
        let Taken { at, favour, below, outcome: _ } = taken;
        let turn = if self.dated { at.turn } else { TURN };
        let word = Address { turn, ..at }.word()
            | u64::from(favour as u8) << FAVOUR_SHIFT
            | (below.len() as u64) << THRESHOLDS_SHIFT;
        let (shelf, filled) = self.shelves.shelve(below);
        self.filled += filled;
        // There is one more outcome than there are thresholds.
        self.add(&[word as u32, (word >> u32::BITS) as u32, shelf, place], below.len() + 1)
    }

    /// Marks a decision as replaced by the node of the state before it. Battles that are there already still take it.
    pub(super) fn replace(&mut self, number: u32) {
        self.records[number as usize + 1] |= (REPLACED >> u32::BITS) as u32;
    }

    /// Adds a record of the state with this place number in several turns. Returns its number.
    pub(super) fn add_turns(&mut self, place: u32, turns: usize) -> u32 {
        self.add(&[place], turns)
    }

    /// The place of the link to one of the turns of such a record, counted from 0.
    #[inline]
    pub(super) fn in_turn(number: u32, turn: u32) -> u32 {
        number + 1 + turn
    }

    /// The state of such a record.
    #[inline]
    pub(super) fn place_of_turns(&self, number: u32) -> u32 {
        self.records[number as usize]
    }

    /// Adds a record with this many links to unknown successors. Returns its number.
    fn add(&mut self, head: &[u32], links: usize) -> u32 {
        let number = self.records.len() as u32;
        self.records.extend_from_slice(head);
        self.records.resize(self.records.len() + links, 0);
        self.filled += (head.len() + links) * size_of::<u32>();
        number
    }
}
