//! The value of a battle as a bracket, from a small part of all battles.
//!
//! The search begins from scratch: every state may have any value. It sweeps through the battle from the start again
//! and again, and plays the steps of states not played yet, most likely first. Each time, the brackets of all states on
//! the way become narrower. A choice that is certainly no better than another is not followed further, nor is a state
//! whose bracket is narrow enough. Example: cavalry that charges a square scores less than half a point whatever
//! follows, and cavalry that waits scores half a point; so the events after the charge need not be known precisely.
//!
//! The order of the search decides only how soon the bracket is narrow. Everything not played counts with the minimum
//! and maximum value of any battle (McMahan, Likhachev and Gordon, "Bounded real-time dynamic programming", 2005; for
//! two players Ballard, "The *-minimax search procedure", 1983).

use std::ops::{ControlFlow, Range};

use grognard_engine::states::Layer;
use grognard_engine::{Battle, BySide, Outcome, Setup};
use grognard_rules::model::Rules;

use crate::best::aim::{Aim, Aims, Guesses, Swept};
use crate::best::forks::{Node, Point, Weights};
use crate::best::graph::{Effort, Walk};
use crate::best::values::{Bracket, Plays, ROUNDING, better};
use crate::limits::{Limits, Progress};

/// The result of a search.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Narrowed {
    /// The value of the battle at its start.
    pub value: Bracket,
    /// The work.
    pub effort: Effort,
}

/// The goal of a search.
#[derive(Clone, Copy)]
pub struct Sought<'a> {
    /// The value of an outcome to the first side, which the second side minimises.
    pub worth: &'a dyn Fn(&Outcome) -> f64,
    /// The minimum and maximum value of any outcome.
    pub span: (f64, f64),
    /// The width of a bracket that is narrow enough; 0 if the value must be known.
    pub width: f64,
}

/// Searches for the value of a battle, until its bracket is narrow enough or a limit is reached.
///
/// `watch` receives progress from time to time, and may stop the search. Unless it does, the answer depends only on the
/// other arguments. [`Limits::prune`] is not used.
pub fn narrow(
    (rules, setup): (&Rules, &Setup),
    plays: BySide<Plays>,
    sought: Sought<'_>,
    limits: &Limits,
    watch: &mut dyn FnMut(&Progress) -> ControlFlow<()>,
) -> Narrowed {
    let Sought { worth, span, width } = sought;
    let mut walk = Walk::new((rules, setup), plays, limits, watch);
    let any = Bracket { low: span.0, high: span.1 };
    let rounding = ROUNDING * any.width();
    let mut start = Front::new(walk.start(setup));
    let mut guesses = Guesses::default();
    start.grow(any, any.middle(), |_| guesses.kind(0, &setup.start));
    let fronts = vec![start];
    let enough = width.max(rounding);
    let numbered = Numbered { worth, over: Vec::new(), chances: Vec::new() };
    let (tree, battle) = (Tree::default(), setup.start.clone());
    let mut search = Search { walk, fronts, any, numbered, guesses, battle, tree };
    let mut aims = Aims::new(enough);
    while search.value().width() > enough {
        let aim = aims.next();
        let swept = search.forward(aim);
        search.backward();
        if !swept.is_some_and(|swept| aim.goes_on(swept, search.value().width() / any.width())) {
            break;
        }
    }
    let Bracket { low, high } = search.value();
    let value = Bracket { low, high: if high - low <= rounding { low } else { high } };
    Narrowed { value, effort: search.effort() }
}

/// The states found after a number of steps.
struct Front {
    states: Layer<()>,
    /// The nodes of each state's step; empty if it has not been played.
    trees: Vec<Range<u32>>,
    nodes: Vec<u32>,
    values: Vec<Bracket>,
    /// The likely value of each state.
    guesses: Vec<f64>,
    /// The kind of each state, for [`Guesses`].
    kinds: Vec<u32>,
    /// The probability of reaching each state if the players want to; 0 if it does not matter in this sweep.
    reached: Vec<f64>,
}

impl Front {
    fn new(states: Layer<()>) -> Self {
        let (trees, nodes, values, guesses) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
        Self { states, trees, nodes, values, guesses, kinds: Vec::new(), reached: Vec::new() }
    }

    /// Makes room for states that have just been found, whose kinds are given by their keys. `like` is the likely value
    /// of a state whose kind is unknown.
    fn grow(&mut self, any: Bracket, like: f64, mut kind: impl FnMut(&[u32]) -> (u32, Option<f64>)) {
        let states = self.states.len();
        for slot in self.kinds.len()..states {
            let (kind, guess) = kind(self.states.key(slot));
            self.kinds.push(kind);
            self.guesses.push(guess.unwrap_or(like));
        }
        self.trees.resize(states, 0..0);
        self.values.resize(states, any);
        self.reached.resize(states, 0.0);
    }

    /// Adds the tree of the state in a slot. Returns false if there are more nodes than 32 bits can number.
    fn add(&mut self, slot: usize, nodes: &mut Vec<u32>) -> bool {
        let begin = self.nodes.len() as u32;
        self.nodes.append(nodes);
        let Ok(end) = u32::try_from(self.nodes.len()) else { return false };
        self.trees[slot] = begin..end;
        true
    }

    /// The tree of the state in a slot.
    fn nodes_of(&self, slot: usize) -> &[u32] {
        let Range { start, end } = self.trees[slot];
        &self.nodes[start as usize..end as usize]
    }

    /// Approximate memory use in bytes, without the states' values.
    fn bytes(&self) -> u64 {
        let trees = self.trees.capacity() * size_of::<Range<u32>>() + self.nodes.capacity() * size_of::<u32>();
        let numbers = (self.reached.capacity() + self.guesses.capacity()) * size_of::<f64>();
        let kinds = self.kinds.capacity() * size_of::<u32>();
        self.states.bytes() + (trees + numbers + kinds) as u64
    }
}

struct Search<'a> {
    walk: Walk<'a>,
    /// The states after each number of steps; the last front is empty.
    fronts: Vec<Front>,
    /// The bracket of a state about which nothing is known.
    any: Bracket,
    numbered: Numbered<'a>,
    guesses: Guesses,
    /// The state whose kind is looked up.
    battle: Battle,
    tree: Tree,
}

/// The meaning of the numbers in trees.
struct Numbered<'a> {
    worth: &'a dyn Fn(&Outcome) -> f64,
    /// The value of each outcome.
    over: Vec<f64>,
    /// The probabilities of each roll's outcomes.
    chances: Vec<Vec<f64>>,
}

impl Numbered<'_> {
    /// Adds everything numbered since the last call.
    fn grow(&mut self, walk: &mut Walk<'_>) {
        self.over.extend(walk.outcomes.items()[self.over.len()..].iter().map(self.worth));
        let odds = walk.forks.get_mut().odds.items();
        self.chances.extend(odds[self.chances.len()..].iter().map(Weights::chances));
    }
}

impl Search<'_> {
    /// The bracket of the start.
    fn value(&self) -> Bracket {
        self.fronts[0].values.first().copied().unwrap_or(self.any)
    }

    fn effort(&self) -> Effort {
        let walked = self.fronts.iter().filter(|front| !front.nodes.is_empty()).count() as u32;
        Effort { walked, steps: self.walk.progress.steps, ..self.walk.effort }
    }

    /// Goes forward from the start to every state that matters, and plays the steps of states that matter enough.
    /// `None` if a limit was reached.
    fn forward(&mut self, aim: &Aim) -> Option<Swept> {
        let mut swept = Swept::default();
        self.fronts[0].reached.fill(1.0);
        for index in 0.. {
            if index + 1 == self.fronts.len() {
                self.fronts.push(Front::new(Layer::new(self.walk.keys.width())));
            }
            let bytes = self.fronts.iter().map(Front::bytes).sum::<u64>();
            self.walk.bytes = bytes - self.fronts[index + 1].states.bytes() + self.guesses.bytes();
            self.walk.effort.states = self.fronts.iter().map(|front| front.states.len() as u64).sum();
            let goes_on = self.step(index, aim, &mut swept);
            let found = &self.fronts[index + 1].states;
            if !goes_on || !self.walk.goes_on(found, 0) {
                return None;
            }
            if found.is_empty() {
                break;
            }
        }
        Some(swept)
    }

    /// Goes forward from the states after this many steps. Returns false if a limit was reached.
    fn step(&mut self, index: usize, aim: &Aim, swept: &mut Swept) -> bool {
        let Self { walk, fronts, any, numbered, guesses, battle, tree } = self;
        let (before, after) = fronts.split_at_mut(index + 1);
        let (now, next) = (&mut before[index], &mut after[0]);
        (walk.progress.step, walk.progress.states) = (index as u32, now.states.len() as u64);
        for slot in 0..now.states.len() {
            let reached = now.reached[slot];
            if reached == 0.0 || !aim.is_open(now.values[slot], now.guesses[slot]) {
                continue;
            }
            if now.trees[slot].is_empty() {
                let kind = now.kinds[slot];
                let guess = guesses.guess(kind).unwrap_or(now.guesses[slot]);
                now.guesses[slot] = guess;
                if !aim.matters(reached, guess, *any, swept) {
                    continue;
                }
                let key = now.states.key(slot);
                walk.progress.turn = walk.keys.turn(key);
                let goes_on = walk.state(key, &mut next.states, 0);
                next.grow(*any, guess, |key| {
                    walk.keys.put_together(key, battle);
                    guesses.kind(index + 1, battle)
                });
                if !goes_on || !now.add(slot, &mut walk.forks.get_mut().nodes) {
                    return false;
                }
                numbered.grow(walk);
                guesses.add(kind, guess);
                swept.played += 1;
            }
            swept.met += 1;
            let points = walk.forks.get_mut().points.items();
            tree.value(now.nodes_of(slot), points, numbered, next);
            tree.reach(now.nodes_of(slot), points, numbered, aim, reached, &mut next.reached);
        }
        true
    }

    /// Values the states that were reached, from the last ones back to the start.
    fn backward(&mut self) {
        let Self { walk, fronts, numbered, guesses, tree, .. } = self;
        let points = walk.forks.get_mut().points.items();
        let beyond = Front::new(Layer::new(walk.keys.width()));
        for index in (0..fronts.len()).rev() {
            let (before, after) = fronts.split_at_mut(index + 1);
            let now = &mut before[index];
            let next = after.first().unwrap_or(&beyond);
            for slot in 0..now.states.len() {
                let reached = std::mem::take(&mut now.reached[slot]);
                if reached > 0.0 && !now.trees[slot].is_empty() {
                    let (value, guess) = tree.value(now.nodes_of(slot), points, numbered, next);
                    now.values[slot] = value;
                    guesses.change(now.kinds[slot], guess - now.guesses[slot]);
                    now.guesses[slot] = guess;
                }
            }
        }
    }
}

/// The tree of one state's step: the bracket, the likely value and the end of each node's subtree, and the node's
/// probability.
#[derive(Default)]
struct Tree {
    values: Vec<Bracket>,
    guesses: Vec<f64>,
    ends: Vec<u32>,
    reached: Vec<f64>,
}

impl Tree {
    /// Computes the bracket and the likely value of a tree. `next` are the states after the step.
    fn value(&mut self, nodes: &[u32], points: &[Point], numbered: &Numbered<'_>, next: &Front) -> (Bracket, f64) {
        self.values.clear();
        self.values.resize(nodes.len(), Bracket { low: 0.0, high: 0.0 });
        self.guesses.clear();
        self.guesses.resize(nodes.len(), 0.0);
        self.ends.clear();
        self.ends.resize(nodes.len(), 0);
        // The subtree of a node follows it.
        for place in (0..nodes.len()).rev() {
            let mut end = place + 1;
            (self.values[place], self.guesses[place]) = match Node::unpack(nodes[place]) {
                Node::Open(slot) => (next.values[slot as usize], next.guesses[slot as usize]),
                Node::Over(outcome) => {
                    let value = numbered.over[outcome as usize];
                    (Bracket { low: value, high: value }, value)
                }
                Node::Chance(odds) => {
                    let (mut sum, mut guess) = (Bracket { low: 0.0, high: 0.0 }, 0.0);
                    for chance in &numbered.chances[odds as usize] {
                        sum.low += chance * self.values[end].low;
                        sum.high += chance * self.values[end].high;
                        guess += chance * self.guesses[end];
                        end = self.ends[end] as usize;
                    }
                    (sum, guess)
                }
                Node::Choice(point) => {
                    let point = &points[point as usize];
                    let (mut best, mut guess) = (Bracket { low: f64::NAN, high: f64::NAN }, f64::NAN);
                    for _ in 0..point.offers.len() {
                        best.low = better(point.side, best.low, self.values[end].low);
                        best.high = better(point.side, best.high, self.values[end].high);
                        guess = better(point.side, guess, self.guesses[end]);
                        end = self.ends[end] as usize;
                    }
                    (best, guess)
                }
            };
            let Bracket { low, high } = self.values[place];
            self.guesses[place] = self.guesses[place].max(low).min(high);
            self.ends[place] = end as u32;
        }
        (self.values[0], self.guesses[0])
    }

    /// Passes the probabilities on to the states after the step, if they matter. The tree already has its brackets.
    fn reach(
        &mut self,
        nodes: &[u32],
        points: &[Point],
        numbered: &Numbered<'_>,
        aim: &Aim,
        reached: f64,
        next: &mut [f64],
    ) {
        self.reached.clear();
        self.reached.resize(nodes.len(), 0.0);
        self.reached[0] = reached;
        for (place, &node) in nodes.iter().enumerate() {
            let (reached, value) = (self.reached[place], self.values[place]);
            if reached == 0.0 || !aim.is_open(value, self.guesses[place]) {
                continue;
            }
            let mut child = place + 1;
            match Node::unpack(node) {
                // Different choices may lead to the same state: its probability must not be counted twice.
                Node::Open(slot) => next[slot as usize] = next[slot as usize].max(reached),
                Node::Over(_) => {}
                Node::Chance(odds) => {
                    for chance in &numbered.chances[odds as usize] {
                        self.reached[child] = reached * chance;
                        child = self.ends[child] as usize;
                    }
                }
                Node::Choice(point) => {
                    let point = &points[point as usize];
                    if aim.is_single(point.side) {
                        let child = self.followed(child, point, aim);
                        self.reached[child] = reached;
                        continue;
                    }
                    for _ in 0..point.offers.len() {
                        if aim.follows(point.side, self.values[child], value, self.guesses[place]) {
                            self.reached[child] = reached;
                        }
                        child = self.ends[child] as usize;
                    }
                }
            }
        }
    }

    /// The node of the single offer that a side follows, among those that begin with `child`: the one that it values
    /// most; if several are equal, the doctrine's.
    fn followed(&self, mut child: usize, point: &Point, aim: &Aim) -> usize {
        let (mut followed, mut most) = (child, (f64::NEG_INFINITY, false));
        for offer in 0..point.offers.len() {
            let is_doctrine = offer == point.doctrine;
            let value = aim.value(point.side, self.values[child], self.guesses[child], is_doctrine);
            let value = (value, is_doctrine);
            if value > most {
                (followed, most) = (child, value);
            }
            child = self.ends[child] as usize;
        }
        followed
    }
}
