//! Battles that walk along known paths side by side.
//!
//! The decisions of one battle wait for each other: each needs the node that the last one led to. Those of different
//! battles do not. So all lanes, each with one battle, take a decision in turn, and the processor works on several of
//! them at once. In the same way, the blocks of words that the lanes need next are computed together.

use grognard_dice::{BLOCK_WORDS, BLOCKS, SeededDice, Words, outcome_of};

use crate::cache::graph::Graph;
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
}

/// A lane that is at a node.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Stand {
    pub(super) node: u32,
    pub(super) lane: u16,
    /// The place of its block's first word among all words.
    column: u16,
}

/// A lane that has left its block of words.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Left {
    pub(super) lane: u16,
    /// The last decision, and the node that it led to.
    pub(super) from: u32,
    pub(super) node: u32,
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

    /// Places a lane at a decision.
    pub(super) fn stand(&mut self, node: u32, lane: u16) {
        self.stands.push(Stand { node, lane, column: 0 });
    }

    /// Takes decisions until every lane has left its block of words, and lists the lanes in `left`. Afterwards, no lane
    /// is at a decision.
    pub(super) fn walk(&mut self, graph: &Graph, dice: &SeededDice, left: &mut Vec<Left>) {
        self.draw(graph, dice);
        let Self { lanes, stands, nexts, words } = self;
        let words = words.as_flattened().as_flattened();
        left.resize(stands.len(), Left::default());
        let mut gone = 0;
        // Each round makes three passes. In each pass, a lane waits for memory once, while the processor works on the
        // next lane.
        while !stands.is_empty() {
            nexts.clear();
            nexts.extend(stands.iter().map(|&Stand { node: from, lane, column }| {
                let node = graph.node(from);
                let below = graph.below(node);
                let outcome = outcome_of(below, words[usize::from(column) + BLOCKS * node.word()]);
                if L::KEEPS {
                    let asked = graph.asked(from);
                    let ledger = &mut lanes[usize::from(lane)].ledger;
                    ledger.arrive(asked.place);
                    ledger.enter(asked.at, asked.favour, below, outcome);
                }
                node.link(outcome)
            }));
            nexts.iter_mut().for_each(|next| *next = graph.linked(*next));
            let mut staying = 0;
            for (at, &next) in nexts.iter().enumerate() {
                let Stand { node: from, lane, column } = stands[at];
                // Both entries are written but only one is counted. This avoids a branch that the processor cannot
                // predict.
                let stays = graph.node(next).shares_block(graph.node(from));
                stands[staying] = Stand { node: next, lane, column };
                staying += usize::from(stays);
                left[gone] = Left { lane, from, node: next };
                gone += usize::from(!stays);
            }
            stands.truncate(staying);
        }
    }

    /// Computes the blocks of words that the lanes need.
    fn draw(&mut self, graph: &Graph, dice: &SeededDice) {
        let (mut battles, mut blocks) = ([0; BLOCKS], [0; BLOCKS]);
        for (group, (stands, words)) in self.stands.chunks_mut(BLOCKS).zip(&mut self.words).enumerate() {
            for (place, stand) in stands.iter_mut().enumerate() {
                stand.column = (group * BLOCKS * BLOCK_WORDS + place) as u16;
                battles[place] = self.lanes[usize::from(stand.lane)].dice;
                blocks[place] = graph.node(stand.node).block();
            }
            dice.blocks(&battles, &blocks, words);
        }
    }
}
