//! All possible battles, as a graph.

use std::cell::RefCell;
use std::ops::ControlFlow;

use grognard_engine::states::{Interner, Layer, States};
use grognard_engine::{Battle, BySide, Outcome, Setup, Steps, Unwitnessed};
use grognard_rules::model::Rules;

use crate::best::forks::{Forks, Node, PathDice, PathPlayer, Point, Weights};
use crate::best::values::Plays;
use crate::limits::{Limits, Progress};

/// Bytes of a state's values, the lower and the upper one.
const VALUES: u64 = 2 * size_of::<f64>() as u64;

/// Paths between two checks of the limits.
const BATCH: u64 = 1 << 12;

/// The states that battles may reach after each number of steps, and the step that follows each of them.
#[derive(Debug)]
pub(super) struct Stage {
    pub(super) states: Layer<()>,
    /// The first node of each state's step, and finally the end of the last one.
    pub(super) begin: Vec<usize>,
    pub(super) nodes: Vec<u32>,
}

/// All possible battles of one setup, for any choices of the sides that play perfectly.
#[derive(Debug)]
pub struct Graph {
    /// The stages, by number of steps. The last one has no trees if the graph was cut off.
    pub(super) stages: Vec<Stage>,
    /// States that were reached but not enumerated further.
    pub(super) open: usize,
    pub(super) outcomes: Vec<Outcome>,
    pub(super) chances: Vec<Vec<f64>>,
    pub(super) thrown: Vec<Box<[u16]>>,
    pub(super) points: Vec<Point>,
    pub(super) keys: States,
    /// The players. A player that plays best was offered choices, either everywhere or only in some states.
    pub(super) plays: BySide<Plays>,
    effort: Effort,
}

/// The work of a graph.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Effort {
    /// Different states, counted after each step.
    pub states: u64,
    /// Paths enumerated.
    pub paths: u64,
    /// Approximate memory in bytes.
    pub bytes: u64,
    /// The number of steps enumerated, out of `steps`.
    pub walked: u32,
    /// The number of steps in the longest battle.
    pub steps: u32,
}

/// Enumerates all possible battles, as far as the limits allow. According to `plays`, a side that plays best is offered
/// every choice; a side that follows its doctrine is not, which makes the graph much smaller.
///
/// `watch` receives progress from time to time, and may stop the enumeration: everything up to the last complete step
/// is then kept. [`Limits::prune`] is not used.
pub fn explore(
    rules: &Rules,
    setup: &Setup,
    plays: BySide<Plays>,
    limits: &Limits,
    watch: &mut dyn FnMut(&Progress) -> ControlFlow<()>,
) -> Graph {
    enumerate(Walk::new((rules, setup), plays, limits, watch), setup, plays)
}

/// Enumerates the battles of two doctrines, and those that depart from a given battle in the choices of one step.
///
/// `battle` has the states of that battle, each before its step. In their steps, a side that plays best according to
/// `plays` is offered every choice; in all others, both sides follow their doctrines. Each option of the battle's
/// decisions is thus valued as if both sides followed their doctrines afterwards, from far fewer states than
/// [`explore`] needs. Limits are those of [`explore`].
pub fn explore_beside(
    rules: &Rules,
    setup: &Setup,
    battle: &[Battle],
    plays: BySide<Plays>,
    limits: &Limits,
    watch: &mut dyn FnMut(&Progress) -> ControlFlow<()>,
) -> Graph {
    let doctrines = BySide::new(Plays::Doctrine, Plays::Doctrine);
    let mut walk = Walk::new((rules, setup), doctrines, limits, watch);
    walk.beside = battle.iter().map(|state| (state.clone(), plays)).collect();
    enumerate(walk, setup, plays)
}

/// Enumerates battles, as far as the limits allow. `plays` says which sides do not follow their doctrine.
fn enumerate(mut walk: Walk<'_>, setup: &Setup, plays: BySide<Plays>) -> Graph {
    let mut stages = Vec::new();
    let mut now = walk.start(setup);
    let mut open = 0;
    while !now.is_empty() {
        walk.effort.states += now.len() as u64;
        let states = now;
        match walk.stage(&states) {
            Some((begin, next)) => {
                let mut nodes = std::mem::take(&mut walk.forks.get_mut().nodes);
                nodes.shrink_to_fit();
                walk.bytes += states.bytes() + (nodes.capacity() * 4 + begin.capacity() * 8) as u64;
                stages.push(Stage { states, begin, nodes });
                walk.progress.step += 1;
                now = next;
            }
            None => {
                open = states.len();
                stages.push(Stage { states, begin: Vec::new(), nodes: Vec::new() });
                break;
            }
        }
    }
    let Walk { forks, outcomes, keys, mut effort, progress, bytes, .. } = walk;
    let Forks { odds, points, .. } = forks.into_inner();
    (effort.walked, effort.steps) = (progress.step, progress.steps);
    effort.bytes = effort.bytes.max(bytes);
    let odds = odds.into_items();
    Graph {
        stages,
        open,
        outcomes: outcomes.into_items(),
        chances: odds.iter().map(Weights::chances).collect(),
        thrown: odds.into_iter().map(|odds| odds.outcomes).collect(),
        points: points.into_items(),
        keys,
        plays,
        effort,
    }
}

impl Graph {
    /// Whether the graph is complete, so that values are exact.
    #[must_use]
    pub fn is_whole(&self) -> bool {
        self.open == 0
    }

    /// The work of the enumeration.
    #[must_use]
    pub fn effort(&self) -> Effort {
        self.effort
    }

    /// The kinds of decision points in the graph.
    #[must_use]
    pub fn points(&self) -> &[Point] {
        &self.points
    }
}

/// The data of the enumeration.
pub(super) struct Walk<'a> {
    steps: Steps<'a>,
    pub(super) forks: RefCell<Forks>,
    pub(super) keys: States,
    pub(super) outcomes: Interner<Outcome>,
    from: Battle,
    battle: Battle,
    key: Vec<u32>,
    plays: BySide<Plays>,
    /// The states whose step is enumerated with other players, one for each number of steps.
    beside: Vec<(Battle, BySide<Plays>)>,
    limits: Limits,
    /// Memory of the stages.
    pub(super) bytes: u64,
    pub(super) progress: Progress,
    pub(super) effort: Effort,
    watch: &'a mut dyn FnMut(&Progress) -> ControlFlow<()>,
}

impl<'a> Walk<'a> {
    pub(super) fn new(
        (rules, setup): (&'a Rules, &'a Setup),
        plays: BySide<Plays>,
        limits: &Limits,
        watch: &'a mut dyn FnMut(&Progress) -> ControlFlow<()>,
    ) -> Self {
        Self {
            steps: Steps::new(rules, setup),
            forks: RefCell::default(),
            keys: States::of(&setup.start),
            outcomes: Interner::default(),
            from: setup.start.clone(),
            battle: setup.start.clone(),
            key: Vec::new(),
            plays,
            beside: Vec::new(),
            limits: *limits,
            bytes: 0,
            progress: Progress::before(rules, setup),
            effort: Effort::default(),
            watch,
        }
    }

    /// The layer of the state in which a battle starts.
    pub(super) fn start(&mut self, setup: &Setup) -> Layer<()> {
        let mut layer = Layer::new(self.keys.width());
        if self.keys.take_apart(&setup.start, &mut self.key).is_ok() {
            layer.slot(&self.key, || ());
        }
        layer
    }

    /// Enumerates the step from each of these states. Returns the roots of their trees, and the states after the step;
    /// `None` if a limit was reached.
    fn stage(&mut self, now: &Layer<()>) -> Option<(Vec<usize>, Layer<()>)> {
        self.progress.turn = self.keys.turn(now.key(0));
        self.progress.states = now.len() as u64;
        let (mut begin, mut next) = (Vec::with_capacity(now.len() + 1), Layer::new(self.keys.width()));
        let (usual, beside) = (self.plays, self.beside(now));
        for slot in 0..now.len() {
            begin.push(self.forks.get_mut().nodes.len());
            self.plays = beside.filter(|&(other, _)| other == slot).map_or(usual, |(_, plays)| plays);
            if !self.state(now.key(slot), &mut next, now.bytes()) {
                return None;
            }
        }
        self.plays = usual;
        begin.push(self.forks.get_mut().nodes.len());
        self.goes_on(&next, now.bytes()).then_some((begin, next))
    }

    /// The state of this layer whose step has other players, and those players.
    fn beside(&mut self, now: &Layer<()>) -> Option<(usize, BySide<Plays>)> {
        let (state, plays) = self.beside.get(self.progress.step as usize)?;
        self.keys.take_apart(state, &mut self.key).ok()?;
        Some((now.find(&self.key)?, *plays))
    }

    /// Enumerates the step from the state with this key. False if a limit was reached. `beside` is the number of bytes
    /// in use not counted elsewhere.
    pub(super) fn state(&mut self, key: &[u32], next: &mut Layer<()>, beside: u64) -> bool {
        self.keys.put_together(key, &mut self.from);
        while self.forks.get_mut().next_path() {
            self.path(next);
            self.effort.paths += 1;
            if self.forks.get_mut().full || self.effort.paths.is_multiple_of(BATCH) && !self.goes_on(next, beside) {
                return false;
            }
        }
        true
    }

    /// Plays the path that the forks define.
    fn path(&mut self, next: &mut Layer<()>) {
        self.battle.copy_from(&self.from);
        let (mut dice, mut player) = (PathDice(&self.forks), PathPlayer { forks: &self.forks, plays: self.plays });
        let end = self.steps.step_as(&mut self.battle, &mut dice, &mut Unwitnessed, &mut player);
        let node = match end {
            Some(outcome) => self.outcomes.number(&outcome).map(Node::Over),
            None => self
                .keys
                .take_apart(&self.battle, &mut self.key)
                .map(|()| Node::Open(next.slot(&self.key, || ()) as u32)),
        };
        match node {
            Ok(node) => self.forks.get_mut().write(node),
            Err(_) => self.forks.get_mut().full = true,
        }
    }

    /// Whether there is room for more.
    pub(super) fn goes_on(&mut self, next: &Layer<()>, beside: u64) -> bool {
        self.progress.found = next.len() as u64;
        let forks = self.forks.get_mut();
        let values = VALUES * (self.effort.states + self.progress.found);
        let bytes =
            self.bytes + beside + next.bytes() + forks.bytes() + self.keys.bytes() + self.outcomes.bytes() + values;
        self.effort.bytes = self.effort.bytes.max(bytes);
        self.progress.bytes = bytes;
        !forks.full
            && bytes <= self.limits.bytes
            && self.progress.found <= self.limits.states
            && self.effort.paths <= self.limits.paths
            && (self.watch)(&self.progress).is_continue()
    }
}
