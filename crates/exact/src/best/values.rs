//! The values of battles, computed backwards from their ends.

use grognard_engine::{BySide, Outcome, Side};

use crate::best::forks::Node;
use crate::best::graph::{Graph, Stage};

/// The player of a side.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Plays {
    /// Follows the side's doctrine.
    Doctrine,
    /// Always takes the option that is most valuable to the side.
    Best,
}

/// A number, or the bounds of its value.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Bracket {
    /// The lower bound.
    pub low: f64,
    /// The upper bound.
    pub high: f64,
}

impl Bracket {
    /// The midpoint: the number itself if it is known.
    #[must_use]
    pub fn middle(&self) -> f64 {
        f64::midpoint(self.low, self.high)
    }

    /// Its width: 0 if the number is known.
    #[must_use]
    pub fn width(&self) -> f64 {
        self.high - self.low
    }
}

/// The value of every state to the first side, for these players.
#[derive(Clone, Debug)]
pub struct Values {
    /// The player of each side.
    pub plays: BySide<Plays>,
    /// The value of each outcome to the first side, by number.
    pub(super) over: Vec<f64>,
    /// The values by stage and state. States beyond the graph have the lowest possible value here, and the highest in
    /// `high`.
    pub(super) low: Vec<Vec<f64>>,
    /// Empty if the graph is complete, because it would equal `low`.
    high: Vec<Vec<f64>>,
    /// Values closer than this count as equal: they differ only by rounding.
    pub(super) equal: f64,
}

/// The rounding error of a value, as a fraction of the range of values.
pub(super) const ROUNDING: f64 = 1e-12;

impl Values {
    /// The value of the battle at its start.
    #[must_use]
    pub fn at_start(&self) -> Bracket {
        let of = |values: &[Vec<f64>]| values.first().and_then(|stage| stage.first()).copied();
        let low = of(&self.low).unwrap_or(0.0);
        Bracket { low, high: of(&self.high).unwrap_or(low) }
    }
}

impl Graph {
    /// The values of battles with these players, each of whom plays as in the enumeration or follows the doctrine.
    /// `worth` is the value of an outcome to the first side, which the second side minimises. `span` is the minimum and
    /// maximum value of any outcome.
    #[must_use]
    pub fn values(&self, plays: BySide<Plays>, worth: &dyn Fn(&Outcome) -> f64, span: (f64, f64)) -> Values {
        let over: Vec<f64> = self.outcomes.iter().map(worth).collect();
        let backward = |beyond: f64| {
            let mut stages: Vec<Vec<f64>> = vec![Vec::new(); self.stages.len()];
            let mut scratch = Tree::default();
            for (index, stage) in self.stages.iter().enumerate().rev() {
                let states = stage.states.len();
                stages[index] = if stage.begin.is_empty() {
                    vec![beyond; states]
                } else {
                    let next = stages.get(index + 1).map_or(&[][..], Vec::as_slice);
                    (0..states).map(|slot| scratch.value(self, stage, slot, (plays, &over, next))).collect()
                };
            }
            stages
        };
        let low = backward(span.0);
        let high = if self.is_whole() { Vec::new() } else { backward(span.1) };
        Values { plays, over, low, high, equal: ROUNDING * (span.1 - span.0) }
    }
}

/// The data for valuing a step's tree: the players, the values of outcomes, and those of the states after the step.
pub(super) type Worth<'a> = (BySide<Plays>, &'a [f64], &'a [f64]);

/// The tree of one state's step, with the value of each node and the end of its subtree.
#[derive(Debug, Default)]
pub(super) struct Tree {
    /// The values, by place among the state's nodes.
    pub(super) value: Vec<f64>,
    pub(super) end: Vec<usize>,
}

impl Tree {
    /// Computes the values of the tree of a state's step. Returns the root's value.
    pub(super) fn value(&mut self, graph: &Graph, stage: &Stage, slot: usize, worth: Worth<'_>) -> f64 {
        let nodes = &stage.nodes[stage.begin[slot]..stage.begin[slot + 1]];
        self.value.clear();
        self.value.resize(nodes.len(), 0.0);
        self.end.clear();
        self.end.resize(nodes.len(), 0);
        // The subtree of a node follows it.
        for place in (0..nodes.len()).rev() {
            (self.value[place], self.end[place]) = match Node::unpack(nodes[place]) {
                Node::Open(slot) => (worth.2[slot as usize], place + 1),
                Node::Over(outcome) => (worth.1[outcome as usize], place + 1),
                Node::Chance(odds) => {
                    let (mut sum, mut child) = (0.0, place + 1);
                    for chance in &graph.chances[odds as usize] {
                        sum += chance * self.value[child];
                        child = self.end[child];
                    }
                    (sum, child)
                }
                Node::Choice(point) => {
                    let point = &graph.points[point as usize];
                    let (mut best, mut end) = (f64::NAN, place + 1);
                    for offer in 0..point.offers.len() {
                        let value = self.value[end];
                        best = match worth.0[point.side] {
                            Plays::Doctrine if offer == point.doctrine => value,
                            Plays::Doctrine => best,
                            Plays::Best => better(point.side, best, value),
                        };
                        end = self.end[end];
                    }
                    (best, end)
                }
            };
        }
        self.value.first().copied().unwrap_or(0.0)
    }

    /// The places of a fork's children, in order.
    pub(super) fn children(&self, place: usize, branches: usize) -> impl Iterator<Item = usize> + '_ {
        std::iter::successors(Some(place + 1), |&child| self.end.get(child).copied()).take(branches)
    }
}

/// The better of two values for a side. A missing value is ignored.
pub(super) fn better(side: Side, one: f64, other: f64) -> f64 {
    match side {
        Side::First => one.max(other),
        _ => one.min(other),
    }
}
