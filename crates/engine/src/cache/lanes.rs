//! Battles that walk along known paths side by side.
//!
//! The decisions of one battle wait for each other: each needs the record to which the last one led. Those of different
//! battles do not. So all lanes, each with one battle, take a decision in turn, and the processor works on several of
//! them at once. In the same way, the blocks of words that the lanes need next are computed together.

use grognard_dice::{Address, BLOCK_WORDS, BLOCKS, SeededDice, Words};

use crate::cache::graph::{Block, Graph, START};
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
    /// Its turn, or [`TURN`](crate::cache::graph::TURN) if every decision belongs to one turn.
    pub(super) turn: u8,
}

/// A lane that is at a decision.
#[derive(Clone, Copy, Debug)]
struct Stand {
    /// The block of the decision's word.
    block: Block,
    /// The number of the decision.
    number: u32,
    lane: u16,
    /// The place of its block's first word among all words.
    column: u16,
}

/// A lane that is at the end of a link, and not at a decision.
#[derive(Clone, Copy, Debug)]
pub(super) struct Stop {
    pub(super) lane: u16,
    /// The last decision.
    pub(super) from: u32,
    /// The place of the link.
    pub(super) link: u32,
}

impl Stop {
    /// A lane that is at the start.
    pub(super) fn at_start(lane: u16) -> Self {
        Self { lane, from: 0, link: START }
    }
}

/// All lanes.
pub(super) struct Lanes<L> {
    pub(super) lanes: Vec<Lane<L>>,
    /// The lanes that are at decisions whose blocks are computed.
    stands: Vec<Stand>,
    /// The lanes that are at decisions whose blocks are not computed yet.
    moved: Vec<Stand>,
    /// The places of the links to follow.
    nexts: Vec<u32>,
    words: Vec<Words>,
}

impl<L: Ledger> Lanes<L> {
    /// Lanes for these battles, which are not at any decision yet.
    pub(super) fn new(lanes: Vec<Lane<L>>) -> Self {
        let count = lanes.len();
        debug_assert!(count <= LANES);
        Self {
            lanes,
            stands: Vec::with_capacity(count),
            moved: Vec::with_capacity(count),
            nexts: Vec::with_capacity(count),
            words: vec![[[0; BLOCKS]; BLOCK_WORDS]; count.div_ceil(BLOCKS)],
        }
    }

    /// Whether no lane is at a decision.
    pub(super) fn are_idle(&self) -> bool {
        self.moved.is_empty()
    }

    /// Adds a lane that is at a decision.
    pub(super) fn stand(&mut self, lane: u16, number: u32, block: Block) {
        self.moved.push(Stand { block, number, lane, column: 0 });
    }

    /// Takes decisions until every lane has left its block of words. Lists the lanes that are then at anything but a
    /// decision in `stopped`.
    pub(super) fn walk(&mut self, graph: &Graph, dice: &SeededDice, stopped: &mut Vec<Stop>) {
        self.draw(dice);
        let Self { lanes, stands, moved, nexts, words } = self;
        let words = words.as_flattened().as_flattened();
        // Room for every lane, in both lists.
        moved.clone_from(stands);
        stopped.resize(stands.len(), Stop::at_start(0));
        let (mut moving, mut stopping) = (0, 0);
        // Each round makes two passes. In the first, a lane finds its outcome in the record of its decision, which is
        // in the cache. In the second, it waits for memory once, while the processor works on the next lane.
        while !stands.is_empty() {
            nexts.clear();
            nexts.extend(stands.iter().map(|stand| {
                let decision = graph.decision(stand.number);
                let outcome = graph.outcome(decision, words[usize::from(stand.column) + BLOCKS * decision.word()]);
                if L::KEEPS {
                    let Lane { turn, ledger, .. } = &mut lanes[usize::from(stand.lane)];
                    let asked = graph.asked(decision, *turn);
                    ledger.arrive(asked.place, *turn);
                    ledger.enter(asked.at, asked.favour, graph.below(decision), outcome);
                }
                decision.link(outcome)
            }));
            let mut staying = 0;
            for (at, &link) in nexts.iter().enumerate() {
                let stand = stands[at];
                let number = graph.linked(link).decision();
                let block = graph.block(number);
                // All entries are written but only one is counted. This avoids a branch that the processor cannot
                // predict.
                let (stays, stops) = (block == stand.block, block.is_gone());
                let next = Stand { block, number, ..stand };
                stands[staying] = next;
                staying += usize::from(stays);
                moved[moving] = next;
                moving += usize::from(!stays & !stops);
                stopped[stopping] = Stop { lane: stand.lane, from: stand.number, link };
                stopping += usize::from(stops);
            }
            stands.truncate(staying);
        }
        moved.truncate(moving);
        stopped.truncate(stopping);
    }

    /// Computes the blocks of words that the lanes need.
    fn draw(&mut self, dice: &SeededDice) {
        std::mem::swap(&mut self.stands, &mut self.moved);
        let (mut battles, mut blocks) = ([0; BLOCKS], [0; BLOCKS]);
        for (group, (stands, words)) in self.stands.chunks_mut(BLOCKS).zip(&mut self.words).enumerate() {
            for (place, stand) in stands.iter_mut().enumerate() {
                stand.column = (group * BLOCKS * BLOCK_WORDS + place) as u16;
                let Lane { dice, turn, .. } = self.lanes[usize::from(stand.lane)];
                battles[place] = dice;
                blocks[place] = stand.block.number() + first_block(turn);
            }
            dice.blocks(&battles, &blocks, words);
        }
    }
}

/// The first block of a turn's words.
fn first_block(turn: u8) -> u64 {
    Address { turn, stage: 0, purpose: 0, lane: 0, nth: 0 }.word() / BLOCK_WORDS as u64
}
