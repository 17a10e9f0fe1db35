//! The paths through one step, over chance and choices.

use std::cell::RefCell;

use grognard_dice::{Address, Decision, Dice, Shown};
use grognard_engine::states::{Full, Interner};
use grognard_engine::{Asked, BySide, Offer, Player, Scene, Side, UnitId};

use crate::best::values::Plays;

/// A kind of decision point.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Point {
    /// The side that decides.
    pub side: Side,
    /// The phase, by index.
    pub phase: u8,
    /// The unit that the decision is about.
    pub unit: UnitId,
    /// The options.
    pub offers: Box<[Offer]>,
    /// The index of the option that doctrine takes.
    pub doctrine: usize,
    /// The row of doctrine that takes it, if one does.
    pub row: Option<usize>,
}

/// A node in the tree of a step. A fork is followed by the subtrees of its outcomes, in order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Node {
    /// The step is over: the slot of the state in the next layer.
    Open(u32),
    /// The battle is over: the number of its outcome.
    Over(u32),
    /// The dice decide: the number of their odds.
    Chance(u32),
    /// A player decides: the number of the point.
    Choice(u32),
}

impl Node {
    /// The maximum number in a node.
    const MOST: u32 = (1 << 30) - 1;

    pub(super) fn pack(self) -> Result<u32, Full> {
        let (kind, number) = match self {
            Self::Open(number) => (0, number),
            Self::Over(number) => (1, number),
            Self::Chance(number) => (2, number),
            Self::Choice(number) => (3, number),
        };
        if number > Self::MOST { Err(Full) } else { Ok(kind << 30 | number) }
    }

    #[inline]
    pub(super) fn unpack(word: u32) -> Self {
        let number = word & Self::MOST;
        match word >> 30 {
            0 => Self::Open(number),
            1 => Self::Over(number),
            2 => Self::Chance(number),
            _ => Self::Choice(number),
        }
    }
}

/// The weights of the possible outcomes of a roll.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct Weights {
    /// The outcomes, by their places among all outcomes of the decision.
    pub(super) outcomes: Box<[u16]>,
    pub(super) weights: Box<[u128]>,
    total: u128,
}

impl Weights {
    /// The probability of each outcome.
    pub(super) fn chances(&self) -> Vec<f64> {
        self.weights.iter().map(|&weight| weight as f64 / self.total as f64).collect()
    }
}

/// A fork on the current path.
#[derive(Clone, Copy, Debug)]
struct Fork {
    /// The branch that the path takes, and the number of branches.
    branch: usize,
    branches: usize,
    of: Decides,
}

/// What decides at a fork: the dice, with the number of their odds, or a player, with the number of the point.
#[derive(Clone, Copy, Debug)]
enum Decides {
    Dice(u32),
    Player(u32),
}

/// A choice on the current path, also one without alternatives.
#[derive(Clone, Copy, Debug)]
struct Chosen {
    offer: Offer,
    /// The number of forks up to and including this choice.
    forks: usize,
}

/// Enumerates every path through a step, and records its tree.
#[derive(Debug, Default)]
pub(super) struct Forks {
    path: Vec<Fork>,
    taken: usize,
    /// The choices on the path that the next path repeats, and how many of them it has repeated.
    chosen: Vec<Chosen>,
    repeated: usize,
    started: bool,
    /// Whether there were more items than can be numbered.
    pub(super) full: bool,
    pub(super) odds: Interner<Weights>,
    pub(super) points: Interner<Point>,
    /// The nodes of the trees, packed: see [`Node`].
    pub(super) nodes: Vec<u32>,
}

impl Forks {
    /// Moves to the next path through the step; false after the last one.
    pub(super) fn next_path(&mut self) -> bool {
        (self.taken, self.repeated) = (0, 0);
        if !self.started {
            self.started = true;
            self.chosen.clear();
            return true;
        }
        while let Some(fork) = self.path.last_mut() {
            if fork.branch + 1 < fork.branches {
                fork.branch += 1;
                let Fork { branch, of, .. } = *fork;
                self.keep_choices(branch, of);
                return true;
            }
            self.path.pop();
        }
        self.started = false;
        false
    }

    /// Keeps the choices that the next path repeats: those before its last fork, and the new one if a player decides
    /// there.
    fn keep_choices(&mut self, branch: usize, of: Decides) {
        let forks = self.path.len();
        let kept = self.chosen.partition_point(|chosen| chosen.forks < forks);
        self.chosen.truncate(kept);
        if let Decides::Player(point) = of {
            let offer = self.points.items()[point as usize].offers[branch];
            self.chosen.push(Chosen { offer, forks });
        }
    }

    /// The next choice, if it was already made on the path before.
    fn repeat(&mut self) -> Option<Offer> {
        let Chosen { offer, forks } = *self.chosen.get(self.repeated)?;
        self.repeated += 1;
        self.taken = forks;
        Some(offer)
    }

    fn note(&mut self, offer: Offer) {
        self.chosen.push(Chosen { offer, forks: self.taken });
        self.repeated = self.chosen.len();
    }

    /// Records a node, in the order of enumeration.
    pub(super) fn write(&mut self, node: Node) {
        match node.pack() {
            Ok(word) => self.nodes.push(word),
            Err(Full) => self.full = true,
        }
    }

    /// The branch that the path takes at its next fork, if it is a known one.
    fn known(&mut self) -> Option<Fork> {
        let fork = self.path.get(self.taken).copied();
        self.taken += usize::from(fork.is_some());
        fork
    }

    fn begin(&mut self, node: Result<Node, Full>, branches: usize, of: Decides) {
        match node {
            Ok(node) => self.write(node),
            Err(Full) => self.full = true,
        }
        self.path.push(Fork { branch: 0, branches, of });
        self.taken += 1;
    }

    fn throw(&mut self, decision: &dyn Decision) -> usize {
        if let Some(Fork { branch, of: Decides::Dice(odds), .. }) = self.known() {
            return usize::from(self.odds.items()[odds as usize].outcomes[branch]);
        }
        let odds = decision.odds();
        let can_happen = || odds.weights.iter().enumerate().filter(|&(_, &weight)| weight > 0);
        let weights = Weights {
            outcomes: can_happen().map(|(outcome, _)| outcome as u16).collect(),
            weights: can_happen().map(|(_, &weight)| weight).collect(),
            total: odds.total,
        };
        let (first, branches) = (usize::from(weights.outcomes[0]), weights.outcomes.len());
        let number = self.odds.number(&weights);
        self.begin(number.map(Node::Chance), branches, Decides::Dice(number.unwrap_or(0)));
        first
    }

    fn choose(&mut self, point: impl FnOnce() -> Point) -> usize {
        if let Some(Fork { branch, .. }) = self.known() {
            return branch;
        }
        let point = point();
        let (branches, number) = (point.offers.len(), self.points.number(&point));
        self.begin(number.map(Node::Choice), branches, Decides::Player(number.unwrap_or(0)));
        0
    }

    /// Approximate memory use in bytes.
    pub(super) fn bytes(&self) -> u64 {
        self.odds.bytes() + self.points.bytes() + (self.nodes.capacity() * size_of::<u32>()) as u64
    }
}

/// The dice of a path.
pub(super) struct PathDice<'a>(pub(super) &'a RefCell<Forks>);

impl Dice for PathDice<'_> {
    fn decide(&mut self, _: Address, decision: &dyn Decision) -> usize {
        self.0.borrow_mut().throw(decision)
    }

    fn shown(&mut self, _: Address, _: &dyn Decision, _: usize) -> Vec<Shown> {
        Vec::new()
    }
}

/// The player of the sides that play perfectly, on one path.
pub(super) struct PathPlayer<'a> {
    pub(super) forks: &'a RefCell<Forks>,
    pub(super) plays: BySide<Plays>,
}

impl Player for PathPlayer<'_> {
    fn plays(&self, side: Side) -> bool {
        self.plays[side] == Plays::Best
    }

    fn choose(&mut self, scene: Scene<'_>, asked: &Asked<'_>) -> usize {
        self.forks.borrow_mut().choose(|| point(scene, asked))
    }

    fn repeat(&mut self) -> Option<Offer> {
        self.forks.borrow_mut().repeat()
    }

    fn note(&mut self, offer: Offer) {
        self.forks.borrow_mut().note(offer);
    }
}

/// The point of the current choice.
fn point(scene: Scene<'_>, asked: &Asked<'_>) -> Point {
    Point {
        side: scene.battle.unit(asked.unit).side,
        phase: scene.battle.phase,
        unit: asked.unit,
        offers: asked.offers.into(),
        doctrine: asked.doctrine,
        row: asked.row,
    }
}
