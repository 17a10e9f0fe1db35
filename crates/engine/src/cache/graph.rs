//! The known paths of the battles of one cell: decisions, and the successor of each of their outcomes.

use grognard_dice::{Address, BLOCK_WORDS, Favour};

use crate::cache::shelves::Shelves;
use crate::cache::states::Interner;
use crate::state::Outcome;

/// The node in which all battles start.
pub(super) const START: u32 = 1;

/// The turn for which words and outcomes are stored if they are the same in any turn but for the turn itself.
pub(super) const TURN: u8 = 1;

/// The node that stands for successors that are not known yet.
pub(super) const UNKNOWN: u32 = 0;

/// The bits of a word's position in the stream ([`Address::word`]).
const POSITION_BITS: u32 = 38;

/// The bits of a position that give the block of sixteen words.
const BLOCK_MASK: u64 = (1 << POSITION_BITS) - BLOCK_WORDS as u64;

/// A possible state of a battle between two decisions, in sixteen bytes.
#[derive(Clone, Copy, Debug)]
pub(super) struct Node {
    /// The position of the decision's word, in [`TURN`] unless the graph is dated, and the number of its thresholds in
    /// the bits above. In any other node, the position is in the last block, which has no addresses, and the place in
    /// that block gives the kind.
    word: u64,
    /// The link of the first outcome: a place in [`Graph::children`]. In any other node, the number of its state or
    /// outcome.
    first: u32,
    /// The shelf of its thresholds.
    shelf: u32,
}

/// The kinds of node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// Not known yet.
    Unknown,
    /// A state from which no battle has continued yet, with the number of its place.
    Fresh(u32),
    /// A decision.
    Decision,
    /// The end of the battle, with the number of its outcome.
    Over(u32),
    /// The end of the battle in any turn, with the number of its outcome in [`TURN`].
    OverNow(u32),
    /// The end of a turn after the state with this place number. The first link leads to the next turn, and the second
    /// one to the last turn.
    TurnEnds { place: u32, links: u32 },
    /// The state with this place number, whose next step depends on the turn: there is a link for each turn.
    Dated { place: u32, links: u32 },
}

impl Node {
    fn of(kind: Kind) -> Self {
        let (number, first, second) = match kind {
            Kind::Unknown | Kind::Decision => (0, 0, 0),
            Kind::Fresh(place) => (1, place, 0),
            Kind::Over(outcome) => (2, outcome, 0),
            Kind::OverNow(outcome) => (3, outcome, 0),
            Kind::TurnEnds { place, links } => (4, place, links),
            Kind::Dated { place, links } => (5, place, links),
        };
        Self { word: BLOCK_MASK + number, first, shelf: second }
    }

    /// Its kind.
    pub(super) fn kind(self) -> Kind {
        match self.word.checked_sub(BLOCK_MASK) {
            Some(0) => Kind::Unknown,
            Some(1) => Kind::Fresh(self.first),
            Some(2) => Kind::Over(self.first),
            Some(3) => Kind::OverNow(self.first),
            Some(4) => Kind::TurnEnds { place: self.first, links: self.shelf },
            Some(5) => Kind::Dated { place: self.first, links: self.shelf },
            _ => Kind::Decision,
        }
    }

    /// The block of its word.
    #[inline]
    pub(super) fn block(self) -> u64 {
        (self.word & BLOCK_MASK) / BLOCK_WORDS as u64
    }

    /// The place of its word in the block.
    #[inline]
    pub(super) fn word(self) -> usize {
        self.word as usize % BLOCK_WORDS
    }

    /// The number of its thresholds.
    #[inline]
    fn thresholds(self) -> usize {
        (self.word >> POSITION_BITS) as usize
    }

    /// The link that a decision follows with this outcome.
    #[inline]
    pub(super) fn link(self, outcome: usize) -> u32 {
        self.first + outcome as u32
    }

    /// Whether the words of both are in the same block.
    #[inline]
    pub(super) fn shares_block(self, other: Self) -> bool {
        (self.word ^ other.word) & BLOCK_MASK == 0
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
    /// Whether every node belongs to one turn. If not, words are stored for [`TURN`].
    dated: bool,
    nodes: Vec<Node>,
    /// By node; only those of decisions are read.
    asked: Vec<Asked>,
    children: Vec<u32>,
    outcomes: Interner<Outcome>,
    shelves: Shelves,
    /// The bytes used since [`Graph::filled`] was last called.
    filled: usize,
}

impl Graph {
    /// No paths. The first node that is added is the start. `dated` says whether every node belongs to one turn.
    pub(super) fn new(dated: bool) -> Self {
        let mut graph = Self {
            dated,
            nodes: Vec::new(),
            asked: Vec::new(),
            children: Vec::new(),
            outcomes: Interner::default(),
            shelves: Shelves::default(),
            filled: 0,
        };
        graph.add(Kind::Unknown);
        graph
    }

    /// The number of bytes used since the last call.
    pub(super) fn filled(&mut self) -> usize {
        std::mem::take(&mut self.filled)
    }

    /// The node with this number.
    #[inline]
    pub(super) fn node(&self, node: u32) -> Node {
        self.nodes[node as usize]
    }

    /// The number of the next new node.
    pub(super) fn next(&self) -> u32 {
        self.nodes.len() as u32
    }

    /// The address, favour and preceding state of a decision.
    #[inline]
    pub(super) fn asked(&self, node: u32) -> Asked {
        self.asked[node as usize]
    }

    /// The address of a decision in the current turn of a battle.
    #[inline]
    pub(super) fn address(&self, asked: Asked, turn: u8) -> Address {
        if self.dated { asked.at } else { Address { turn, ..asked.at } }
    }

    /// The distinct outcomes.
    pub(super) fn outcomes(&self) -> &Interner<Outcome> {
        &self.outcomes
    }

    /// The thresholds of a decision.
    #[inline]
    pub(super) fn below(&self, node: Node) -> &[u32] {
        self.shelves.below(node.shelf, node.thresholds())
    }

    /// The outcome of a decision with this word.
    #[inline]
    pub(super) fn outcome(&self, node: Node, word: u32) -> usize {
        self.shelves.outcome(node.shelf, node.thresholds(), word)
    }

    /// The node to which a link leads.
    #[inline]
    pub(super) fn linked(&self, link: u32) -> u32 {
        self.children[link as usize]
    }

    /// Adds a node. Returns its number.
    pub(super) fn add(&mut self, kind: Kind) -> u32 {
        self.filled += size_of::<Node>() + size_of::<Asked>();
        self.nodes.push(Node::of(kind));
        let at = Address { turn: 0, stage: 0, purpose: 0, lane: 0, nth: 0 };
        self.asked.push(Asked { at, favour: Favour::None, place: 0 });
        self.next() - 1
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

    /// Changes the kind of a node.
    pub(super) fn set(&mut self, node: u32, kind: Kind) {
        self.nodes[node as usize] = Node::of(kind);
    }

    /// The successor of a node at which this decision was taken after the state at `place`, or the link to
    /// [`Graph::connect`] if it is not known yet.
    pub(super) fn follow(&mut self, node: u32, taken: Taken<'_>, place: u32) -> Result<u32, u32> {
        if self.node(node).kind() != Kind::Decision {
            self.ask(node, taken, place);
        }
        let link = self.node(node).link(taken.outcome);
        match self.linked(link) {
            UNKNOWN => Err(link),
            next => Ok(next),
        }
    }

    /// Adds links to nodes that are not known yet. Returns the first.
    pub(super) fn add_links(&mut self, count: usize) -> u32 {
        let first = self.children.len() as u32;
        self.children.resize(self.children.len() + count, UNKNOWN);
        self.filled += count * size_of::<u32>();
        first
    }

    /// Makes a node the successor that this link leads to.
    pub(super) fn connect(&mut self, link: u32, node: u32) {
        self.children[link as usize] = node;
    }

    /// Makes a node a decision.
    fn ask(&mut self, node: u32, taken: Taken<'_>, place: u32) {
        let Taken { at, favour, below, outcome: _ } = taken;
        // There is one more outcome than there are thresholds.
        let first = self.add_links(below.len() + 1);
        let turn = if self.dated { at.turn } else { TURN };
        let word = Address { turn, ..at }.word() | (below.len() as u64) << POSITION_BITS;
        let (shelf, filled) = self.shelves.shelve(below);
        self.filled += filled;
        self.nodes[node as usize] = Node { word, first, shelf };
        self.asked[node as usize] = Asked { at, favour, place };
    }
}
