//! Battles fought by solved values: best play, step by step through the engine.

use std::cell::RefCell;

use grognard_dice::{Address, Decision, Dice, Shown};
use grognard_engine::states::States;
use grognard_engine::{Asked, Battle, BySide, Outcome, Player, Scene, Setup, Side, Steps, Unwitnessed, Witness};
use grognard_rules::model::Rules;

use crate::best::forks::Node;
use crate::best::graph::Graph;
use crate::best::losses::taken;
use crate::best::values::{Plays, Tree, Values};

/// Fights the battles of a graph by its values: a side that plays best takes its best option, and the others follow
/// their doctrine.
pub struct Solved<'a> {
    graph: &'a Graph,
    steps: Steps<'a>,
    setup: &'a Setup,
    keys: States,
    battle: Battle,
    key: Vec<u32>,
    now: RefCell<Now<'a>>,
}

/// The position of a battle in the tree of the current step.
struct Now<'a> {
    graph: &'a Graph,
    values: &'a Values,
    nodes: &'a [u32],
    tree: Tree,
    place: usize,
    /// The players, if they differ from those of the values.
    plays: BySide<Plays>,
    /// The events of this step.
    moments: Vec<Moment>,
}

impl Now<'_> {
    fn go(&mut self, branches: usize, branch: usize) {
        let child = self.tree.children(self.place, branches).nth(branch);
        self.place = child.unwrap_or_else(|| unreachable!("the step forks as it did when it was walked"));
    }
}

/// A change in the value of a battle.
#[derive(Clone, Debug, PartialEq)]
pub enum Moment {
    /// A choice is made.
    Decision {
        /// Its kind of decision point: an index into [`Graph::points`].
        point: u32,
        /// The value of each option to the first side.
        values: Vec<f64>,
        /// The chosen option.
        taken: usize,
    },
    /// A dice result: the battle's value to the first side afterwards.
    Luck(f64),
}

impl<'a> Solved<'a> {
    /// Battles with these rules and this setup, whose graph is complete.
    #[must_use]
    pub fn new(rules: &'a Rules, setup: &'a Setup, graph: &'a Graph, values: &'a Values) -> Self {
        let now = Now {
            graph,
            values,
            nodes: &[],
            tree: Tree::default(),
            place: 0,
            plays: values.plays,
            moments: Vec::new(),
        };
        Self {
            graph,
            steps: Steps::new(rules, setup),
            setup,
            keys: graph.keys.clone(),
            battle: setup.start.clone(),
            key: Vec::new(),
            now: RefCell::new(now),
        }
    }

    /// The same battles with other players, whose decisions are then judged by the values.
    #[must_use]
    pub fn played_by(mut self, plays: BySide<Plays>) -> Self {
        self.now.get_mut().plays = plays;
        self
    }

    /// Fights a battle. `None` if it leaves the explored graph.
    pub fn fight(&mut self, dice: &mut dyn Dice) -> Option<Outcome> {
        self.fight_watched(dice, &mut Unwitnessed, |_, _, _| {})
    }

    /// Fights a battle with a witness. After each step `each` receives its turn and phase, and everything that changed
    /// the value, in order.
    pub fn fight_watched<W: Witness>(
        &mut self,
        dice: &mut dyn Dice,
        witness: &mut W,
        mut each: impl FnMut(&mut W, (u8, u8), &[Moment]),
    ) -> Option<Outcome> {
        self.battle.copy_from(&self.setup.start);
        for (index, stage) in self.graph.stages.iter().enumerate() {
            self.keys.take_apart(&self.battle, &mut self.key).ok()?;
            let slot = stage.states.find(&self.key)?;
            let range = *stage.begin.get(slot)?..*stage.begin.get(slot + 1)?;
            let now = self.now.get_mut();
            (now.nodes, now.place) = (&stage.nodes[range], 0);
            let next = now.values.low.get(index + 1).map_or(&[][..], Vec::as_slice);
            now.tree.value(self.graph, stage, slot, (now.values.plays, &now.values.over, next));
            let (mut dice, mut player) = (Followed { dice, now: &self.now }, By(&self.now));
            let at = (self.battle.turn, self.battle.phase);
            let end = self.steps.step_as(&mut self.battle, &mut dice, witness, &mut player);
            let moments = std::mem::take(&mut self.now.get_mut().moments);
            each(witness, at, &moments);
            if end.is_some() {
                return end;
            }
        }
        None
    }
}

/// Dice whose outcomes are followed through the tree.
struct Followed<'d, 'n, 'a> {
    dice: &'d mut dyn Dice,
    now: &'n RefCell<Now<'a>>,
}

impl Dice for Followed<'_, '_, '_> {
    fn decide(&mut self, at: Address, decision: &dyn Decision) -> usize {
        let outcome = self.dice.decide(at, decision);
        let mut now = self.now.borrow_mut();
        if let Node::Chance(odds) = Node::unpack(now.nodes[now.place]) {
            let thrown = &now.graph.thrown[odds as usize];
            let branch = thrown.iter().position(|&one| usize::from(one) == outcome);
            if let Some(branch) = branch {
                now.go(thrown.len(), branch);
                let value = now.tree.value[now.place];
                now.moments.push(Moment::Luck(value));
            }
        }
        outcome
    }

    fn shown(&mut self, at: Address, decision: &dyn Decision, outcome: usize) -> Vec<Shown> {
        self.dice.shown(at, decision, outcome)
    }
}

struct By<'n, 'a>(&'n RefCell<Now<'a>>);

impl Player for By<'_, '_> {
    fn plays(&self, side: Side) -> bool {
        self.0.borrow().graph.plays[side] == Plays::Best
    }

    fn choose(&mut self, _: Scene<'_>, asked: &Asked<'_>) -> usize {
        let mut now = self.0.borrow_mut();
        let Node::Choice(number) = Node::unpack(now.nodes[now.place]) else { return asked.doctrine };
        let point = &now.graph.points[number as usize];
        let offers: Vec<f64> =
            now.tree.children(now.place, point.offers.len()).map(|child| now.tree.value[child]).collect();
        let branch = taken(now.plays[point.side], point, &offers, now.values.equal);
        now.go(point.offers.len(), branch);
        now.moments.push(Moment::Decision { point: number, values: offers, taken: branch });
        branch
    }
}
