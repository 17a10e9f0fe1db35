//! Battles that walk along known paths side by side.
//!
//! The decisions of one battle wait for each other: each needs the node that the last one led to. Those of different
//! battles do not. So all lanes, each with one battle, take a decision in turn, and the processor works on several of
//! them at once. In the same way, the blocks of words that the lanes need next are computed together.

use grognard_dice::{Address, BLOCK_WORDS, BLOCKS, SeededDice, Words};

use crate::cache::graph::{Graph, Node};
use crate::telling::luck::Ledger;

/// The number of battles that walk side by side. Their words take up half of a first-level cache of 32 KiB.
pub(super) const LANES: usize = 256;

/// A battle on its way.
pub(super) struct Lane<L> {
    /// The battle's place among those to be fought.
    pub(super) index: usize,
    /// The index of the battle, which determines its dice.
    pub(super) dice: u64,
    /// Whether the battle has left the known paths before.
    pub(super) found: bool,
    pub(super) ledger: L,
    /// Its turn, or [`TURN`](crate::cache::graph::TURN) if every node belongs to one turn.
    pub(super) turn: u8,
}

/// A lane that is at a node.
#[derive(Clone, Copy, Debug)]
pub(super) struct Stand {
    pub(super) node: Node,
    /// The number of the node.
    number: u32,
    /// The last decision.
    pub(super) from: u32,
    pub(super) lane: u16,
    /// The place of its block's first word among all words.
    column: u16,
}

impl Stand {
    /// A lane at a node given by its number, after a decision.
    pub(super) fn new(graph: &Graph, from: u32, number: u32, lane: u16) -> Self {
        Self { node: graph.node(number), number, from, lane, column: 0 }
    }
}

/// All lanes.
pub(super) struct Lanes<L> {
    pub(super) lanes: Vec<Lane<L>>,
    /// The lanes that are at decisions.
    stands: Vec<Stand>,
    /// The links to follow, and then the nodes to which they lead.
    nexts: Vec<u32>,
    words: Vec<Words>,
}

impl<L: Ledger> Lanes<L> {
    /// Lanes for these battles, which are not at any node yet.
    pub(super) fn new(lanes: Vec<Lane<L>>) -> Self {
        let count = lanes.len();
        debug_assert!(count <= LANES);
        Self {
            lanes,
            stands: Vec::with_capacity(count),
            nexts: Vec::with_capacity(count),
            words: vec![[[0; BLOCKS]; BLOCK_WORDS]; count.div_ceil(BLOCKS)],
        }
    }

    /// Adds a lane that is at a decision.
    pub(super) fn stand(&mut self, stand: Stand) {
        self.stands.push(stand);
    }

    /// Takes decisions until every lane has left its block of words, and lists the lanes in `left`. Afterwards, no lane
    /// is at a decision.
    pub(super) fn walk(&mut self, graph: &Graph, dice: &SeededDice, left: &mut Vec<Stand>) {
        self.draw(dice);
        let Self { lanes, stands, nexts, words } = self;
        let words = words.as_flattened().as_flattened();
        left.clone_from(stands);
        let mut gone = 0;
        // Each round makes three passes. In each pass, a lane waits for memory once, while the processor works on the
        // next lane.
        while !stands.is_empty() {
            nexts.clear();
            nexts.extend(stands.iter().map(|stand| {
                let outcome = graph.outcome(stand.node, words[usize::from(stand.column) + BLOCKS * stand.node.word()]);
                if L::KEEPS {
                    let asked = graph.asked(stand.number);
                    let Lane { turn, ledger, .. } = &mut lanes[usize::from(stand.lane)];
                    ledger.arrive(asked.place, *turn);
                    ledger.enter(graph.address(asked, *turn), asked.favour, graph.below(stand.node), outcome);
                }
                stand.node.link(outcome)
            }));
            nexts.iter_mut().for_each(|next| *next = graph.linked(*next));
            let mut staying = 0;
            for (at, &number) in nexts.iter().enumerate() {
                let stand = stands[at];
                let node = graph.node(number);
                // Both entries are written but only one is counted. This avoids a branch that the processor cannot
                // predict.
                let stays = node.shares_block(stand.node);
                let next = Stand { node, number, from: stand.number, ..stand };
                stands[staying] = next;
                staying += usize::from(stays);
                left[gone] = next;
                gone += usize::from(!stays);
            }
            stands.truncate(staying);
        }
    }

    /// Computes the blocks of words that the lanes need.
    fn draw(&mut self, dice: &SeededDice) {
        let (mut battles, mut blocks) = ([0; BLOCKS], [0; BLOCKS]);
        for (group, (stands, words)) in self.stands.chunks_mut(BLOCKS).zip(&mut self.words).enumerate() {
            for (place, stand) in stands.iter_mut().enumerate() {
                stand.column = (group * BLOCKS * BLOCK_WORDS + place) as u16;
                let Lane { dice, turn, .. } = self.lanes[usize::from(stand.lane)];
                battles[place] = dice;
                blocks[place] = stand.node.block() + first_block(turn);
            }
            dice.blocks(&battles, &blocks, words);
        }
    }
}

/// The first block of a turn's words.
fn first_block(turn: u8) -> u64 {
    Address { turn, stage: 0, purpose: 0, lane: 0, nth: 0 }.word() / BLOCK_WORDS as u64
}
