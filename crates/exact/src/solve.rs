//! The enumeration of all battles: steps, with equal states merged after each.

use std::collections::VecDeque;
use std::ops::ControlFlow;
use std::sync::{Mutex, PoisonError};

use grognard_engine::Setup;
use grognard_engine::states::{Full, Interner, States};
use grognard_rules::model::Rules;
use rayon::prelude::{IndexedParallelIterator, IntoParallelIterator, ParallelIterator};

use crate::arithmetic::{Arithmetic, End, Path, Weights};
use crate::float::Float;
use crate::lane::{Batch, Hand, Lane, Part, Played, TURN};
use crate::limits::{Budget, Limits, Progress, TooLarge};
use crate::prune::prune;
use crate::solution::{Effort, Ended, Odds, Solution};
use crate::spread::{Spread, Standing};
use crate::ways::{SLOTS_MAX, To, Way, Ways};

/// The number of lanes played at a time.
const LANES: usize = 16;

/// The number of states in a lane while the number of their paths is unknown.
const FEW: usize = 32;

/// For up to this many states of a layer, it is not worth waking another thread.
const ALONE: usize = 128;

/// The number of states whose battles are moved at a time: first all paths are looked up, then all weights are added.
/// Such lookups wait for memory, but not for each other.
const TOGETHER: usize = 64;

/// The limit that is exceeded if 32 bits cannot number all parts of states, or all outcomes.
const OUT_OF_NUMBERS: Budget = Budget::States(u32::MAX as u64);

/// Computes the results of all battles from this setup.
///
/// `watch` receives progress from time to time, and may stop the work. The answer depends only on rules, setup and
/// [`Limits::prune`].
///
/// # Errors
/// The battle has more states than `limits` allows, or `watch` stopped it.
pub fn solve(
    rules: &Rules,
    setup: &Setup,
    limits: &Limits,
    watch: &mut dyn FnMut(&Progress) -> ControlFlow<()>,
) -> Result<Solution, TooLarge> {
    solve_with(rules, setup, &[], limits, watch)
}

/// Like [`solve`], with metrics of the pack, given by their index in [`Rules::gauges`]. Their values must be known from
/// the ends of battles ([`Gauge::is_of_end`](grognard_rules::model::Gauge::is_of_end)); other metrics would be wrong.
/// Equal ends with different values are kept apart.
///
/// # Errors
/// As for [`solve`].
pub fn solve_with(
    rules: &Rules,
    setup: &Setup,
    gauges: &[u8],
    limits: &Limits,
    watch: &mut dyn FnMut(&Progress) -> ControlFlow<()>,
) -> Result<Solution, TooLarge> {
    let mut walk = Walk::new(rules, setup, gauges, limits, watch);
    let start = walk.start()?;
    walk_all(&mut walk, Standing::Whole(start))
}

/// Continues until every battle is over.
fn walk_all(walk: &mut Walk<'_>, mut standing: Standing) -> Result<Solution, TooLarge> {
    let mut left_out = Float::ZERO;
    while walk.look(&standing)? {
        standing = match standing {
            Standing::Whole(now) => match walk.step(&now) {
                Ok(next) => {
                    walk.tally.progress.step += 1;
                    if next.is_small() { Standing::Whole(next) } else { Standing::Floating(next.into_floats()) }
                }
                // Repeat the step in floating point.
                Err(Halt::TooFine(_)) => Standing::Floating(now.into_floats()),
                Err(Halt::TooLarge(budget)) => return Err(walk.tally.too_large(budget)),
            },
            Standing::Floating(now) => {
                let mut next = walk.step(&now).map_err(|halt| match halt {
                    Halt::TooFine(never) => match never {},
                    Halt::TooLarge(budget) => walk.tally.too_large(budget),
                })?;
                walk.tally.progress.step += 1;
                if walk.tally.limits.prune > 0.0 {
                    let allowance = walk.allowance() - left_out.value() - left_out.error();
                    left_out.add(prune(&mut next.open, allowance));
                }
                Standing::Floating(next)
            }
        };
    }
    Ok(walk.solution(standing, left_out))
}

/// The reason why a step was not completed.
enum Halt<F> {
    /// Its probabilities do not fit the arithmetic.
    TooFine(F),
    /// It exceeded a limit.
    TooLarge(Budget),
}

/// The data of the enumeration.
struct Walk<'a> {
    rules: &'a Rules,
    setup: &'a Setup,
    gauges: &'a [u8],
    watch: &'a mut dyn FnMut(&Progress) -> ControlFlow<()>,
    states: States,
    /// Whether all states of a layer belong to one turn, which their keys then leave out.
    in_step: bool,
    tally: Tally,
    /// The data to play steps with if threads are not shared.
    hand: Hand<'a>,
    /// Batches to be reused.
    spare: Vec<Batch>,
    /// The maximum error of any probability due to rounded odds of rolls.
    rounding: f64,
}

/// The sums over all paths, in order.
struct Tally {
    limits: Limits,
    ways: Ways,
    /// The number of states whose successors were cached, summed over all steps.
    #[cfg(test)]
    recalled: u64,
    /// Successors to be cached.
    found: Vec<Way>,
    outcomes: Interner<Ended>,
    /// A turn, and the number of each outcome's counterpart in that turn, filled on demand.
    like: (u8, Vec<Option<u32>>),
    /// The numbers of states at the ends of paths, if they were known before.
    met: Vec<Option<u32>>,
    paths: Vec<Path>,
    /// For each state, the number of paths up to its last one.
    ends: Vec<usize>,
    progress: Progress,
    effort: Effort,
}

impl<'a> Walk<'a> {
    fn new(
        rules: &'a Rules,
        setup: &'a Setup,
        gauges: &'a [u8],
        limits: &Limits,
        watch: &'a mut dyn FnMut(&Progress) -> ControlFlow<()>,
    ) -> Self {
        let limits = Limits { states: limits.states.min(u64::from(SLOTS_MAX)), ..*limits };
        let states = States::of(&setup.start);
        let (in_step, hand) = (!rules.goes_by_unit(), Hand::new(rules, setup, gauges));
        // If a state contains its turn, no state of a later turn is equal to it. A metric may read the turn.
        let lasting = in_step && !hand.plays_dated_steps() && gauges.is_empty();
        let width = states.width();
        let tally = Tally {
            limits,
            ways: if lasting {
                Ways::of(width, setup.start.sides().len() * rules.phases.len())
            } else {
                Ways::passing(width)
            },
            #[cfg(test)]
            recalled: 0,
            found: Vec::new(),
            outcomes: Interner::default(),
            like: Default::default(),
            met: Vec::new(),
            paths: Vec::new(),
            ends: Vec::new(),
            progress: Progress::before(rules, setup),
            effort: Effort::default(),
        };
        Self { rules, setup, gauges, watch, states, in_step, tally, hand, spare: Vec::new(), rounding: 0.0 }
    }

    /// All battles before the first step.
    fn start(&mut self) -> Result<Spread<crate::arithmetic::Fractions>, TooLarge> {
        let (mut key, mut start) = (Vec::new(), self.setup.start.clone());
        let turn = start.turn;
        if self.in_step {
            start.turn = 0;
        }
        self.states.take_apart(&start, &mut key).map_err(|_| self.tally.too_large(OUT_OF_NUMBERS))?;
        Ok(Spread::before(turn, &key, &mut self.tally.ways))
    }

    /// Records the states of all battles. Returns whether any battle continues.
    fn look(&mut self, standing: &Standing) -> Result<bool, TooLarge> {
        let (states, Tally { progress, effort, .. }) = (standing.states() as u64, &mut self.tally);
        effort.states += states;
        effort.widest = effort.widest.max(states);
        progress.states = states;
        progress.found = 0;
        progress.over = standing.share_over();
        let Some(key) = standing.any_key() else { return Ok(false) };
        progress.turn = if self.in_step { standing.turn() } else { self.states.turn(key) };
        let held = self.tally.hold(self.states.bytes() + standing.bytes()).and_then(|()| self.go_on());
        held.map_err(|budget| self.tally.too_large(budget))?;
        Ok(true)
    }

    /// Checks with the watcher.
    fn go_on(&mut self) -> Result<(), Budget> {
        if (self.watch)(&self.tally.progress).is_break() { Err(Budget::Stopped) } else { Ok(()) }
    }

    /// Enumerates the next step from every state: cached paths are reused, the others are played.
    ///
    /// The states are divided into lanes, independently of the number of threads. While some lanes are played, the
    /// results of earlier ones are counted, path by path in the order of their states, so every sum has the same terms
    /// in the same order.
    fn step<A: Arithmetic>(&mut self, now: &Spread<A>) -> Result<Spread<A>, Halt<A::TooFine>> {
        let open = self.tally.ways.front(Some(&now.open));
        let mut next = Spread { arithmetic: now.arithmetic.next(), turn: now.turn, open, over: now.over.clone() };
        // Cached paths have no whole-number probabilities.
        let is_known = |slot| !A::EXACT && !self.tally.ways.from(&now.open, slot).is_empty();
        let known: Vec<bool> = (0..now.open.len()).map(is_known).collect();
        let turn = self.in_step.then_some(now.turn);
        let stage = Played { open: &now.open, turn, known: &known, exact: A::EXACT };
        let shared = self.tally.limits.shared && now.open.len() > ALONE;
        let mut left = 0..now.open.len();
        let (mut playing, mut played): (VecDeque<Lane>, Vec<Batch>) = Default::default();
        let (mut rounding, mut counted, before): (f64, _, _) = (0.0, 0, self.tally.effort.paths);
        loop {
            let states = lane_of(counted, self.tally.effort.paths - before);
            while playing.len() < LANES && !left.is_empty() {
                let end = left.end.min(left.start + states);
                playing.push_back(Lane::of(left.start..end, self.spare.pop().unwrap_or_default()));
                left.start = end;
            }
            if playing.is_empty() && played.is_empty() {
                break;
            }
            let (states, tally) = (&self.states, &mut self.tally);
            let sent = if shared {
                let (rules, setup, gauges) = (self.rules, self.setup, self.gauges);
                let lanes = Mutex::new(playing.iter_mut());
                let play = |_| {
                    let mut hand = None;
                    loop {
                        // Locked only to take a lane, not while it is played.
                        let Some(lane) = lanes.lock().unwrap_or_else(PoisonError::into_inner).next() else { break };
                        lane.play(hand.get_or_insert_with(|| Hand::new(rules, setup, gauges)), states, &stage);
                    }
                };
                let threads = rayon::current_num_threads();
                let play_all = || (0..threads).into_par_iter().with_max_len(1).for_each(play);
                rayon::join(|| tally.count(&played, now, &known, &mut next), play_all).0
            } else {
                playing.iter_mut().for_each(|lane| lane.play(&mut self.hand, states, &stage));
                tally.count(&played, now, &known, &mut next)
            };
            sent?;
            for mut batch in played.drain(..) {
                rounding = rounding.max(batch.rounding);
                counted += batch.parts.len() as u64;
                batch.clear();
                self.spare.push(batch);
            }
            self.go_on().map_err(Halt::TooLarge)?;
            let known = self.states.known();
            for lane in &mut playing {
                lane.adopt(&mut self.states, known).map_err(|_| Halt::TooLarge(OUT_OF_NUMBERS))?;
            }
            while let Some(lane) = playing.front_mut() {
                played.push(lane.take(self.spare.pop().unwrap_or_default()));
                if !lane.is_done() {
                    break;
                }
                self.spare.extend(playing.pop_front().map(|lane| lane.batch));
            }
        }
        self.rounding += rounding;
        if self.tally.ways.are_lasting() && !self.tally.has_room_for_ways() {
            next.open.forget_others(&mut self.tally.ways);
        }
        Ok(next)
    }

    /// The share that may have been left out by now: the allowance is divided evenly among the steps.
    fn allowance(&self) -> f64 {
        let Tally { progress, limits, .. } = &self.tally;
        let done = f64::from(progress.step.min(progress.steps)) / f64::from(progress.steps.max(1));
        limits.prune * done
    }

    fn solution(&mut self, standing: Standing, left_out: Float) -> Solution {
        let odds = match standing {
            Standing::Whole(spread) => {
                Odds::Whole { denominator: spread.arithmetic.denominator(), numerators: spread.over }
            }
            Standing::Floating(spread) => Odds::Floating(spread.over),
        };
        let outcomes = std::mem::take(&mut self.tally.outcomes).into_items();
        Solution::new(outcomes, odds, left_out, self.tally.effort).rounded(self.rounding)
    }
}

impl Tally {
    /// Moves the battles of these states along their paths, in order.
    fn count<A: Arithmetic>(
        &mut self,
        batches: &[Batch],
        now: &Spread<A>,
        known: &[bool],
        next: &mut Spread<A>,
    ) -> Result<(), Halt<A::TooFine>> {
        let mut met = std::mem::take(&mut self.met);
        for batch in batches {
            let keys = || batch.keys.chunks_exact(next.open.width());
            met.clear();
            met.extend(keys().map(|key| next.open.number(&self.ways, key)));
            let mut states = keys().zip(&met);
            let (mut outcomes, mut paths) = (batch.outcomes.iter(), batch.paths.iter());
            let mut exact = &*batch.exact;
            let mut begin = 0;
            next.turn = batch.turn.unwrap_or(next.turn);
            let remembers = self.ways.are_lasting() && self.has_room_for_ways();
            for parts in batch.parts.chunks(TOGETHER) {
                self.paths.clear();
                self.ends.clear();
                for &Part { slot, end, lasts } in parts {
                    if known[slot] {
                        self.recall(now, slot, next)?;
                    }
                    self.found.clear();
                    for &(chance, over) in paths.by_ref().take(end - begin) {
                        let (to, end) = if over {
                            let outcome = outcomes.next().expect("an outcome for each battle that is over");
                            let number = self.outcomes.number(outcome).map_err(|_| Halt::TooLarge(OUT_OF_NUMBERS))?;
                            (To::Over(number), next.end(number))
                        } else {
                            let (key, met) = states.next().expect("a key for each battle that goes on");
                            let (state, slot) = match *met {
                                Some(state) => (state, next.open.slot(&mut self.ways, state, A::nothing)),
                                None => next.open.find(&mut self.ways, key, A::nothing),
                            };
                            (To::Open(state), End::Open(slot))
                        };
                        self.found.push(Way { to, chance });
                        self.paths.push(Path { end, chance });
                    }
                    begin = end;
                    if lasts && remembers {
                        self.ways.remember(&now.open, slot, &self.found);
                    }
                    self.ends.push(self.paths.len());
                }
                let mut begin = 0;
                for (part, &end) in parts.iter().zip(&self.ends) {
                    let chances = exact.split_off(..(end - begin).min(exact.len())).unwrap_or_default();
                    let into = Weights { open: next.open.weights_mut(), over: &mut next.over };
                    let weight = &now.open.weights()[part.slot];
                    next.arithmetic.send(weight, &self.paths[begin..end], chances, into).map_err(Halt::TooFine)?;
                    begin = end;
                }
                self.effort.paths += self.paths.len() as u64;
                self.progress.found = next.open.len() as u64;
                if self.progress.found > self.limits.states {
                    return Err(Halt::TooLarge(Budget::States(self.limits.states)));
                }
                if self.effort.paths > self.limits.paths {
                    return Err(Halt::TooLarge(Budget::Paths(self.limits.paths)));
                }
            }
            // The previous layer takes about as much again.
            self.hold(batch.known_bytes + 2 * next.open.bytes()).map_err(Halt::TooLarge)?;
        }
        self.met = met;
        Ok(())
    }

    /// Whether there is still memory for the cache: most memory is for layers.
    fn has_room_for_ways(&self) -> bool {
        self.ways.bytes() <= self.limits.bytes / 4
    }

    /// Uses the cached paths of a state.
    fn recall<A: Arithmetic>(
        &mut self,
        now: &Spread<A>,
        slot: usize,
        next: &mut Spread<A>,
    ) -> Result<(), Halt<A::TooFine>> {
        #[cfg(test)]
        {
            self.recalled += 1;
        }
        for way in self.ways.from(&now.open, slot) {
            let Way { to, chance } = self.ways.way(way);
            let end = match to {
                To::Open(state) => End::Open(next.open.slot(&mut self.ways, state, A::nothing)),
                To::Over(number) => next.end(self.like(number, now.turn).map_err(|_| Halt::TooLarge(OUT_OF_NUMBERS))?),
            };
            self.paths.push(Path { end, chance });
        }
        Ok(())
    }

    /// The number of the counterpart of an outcome of another turn.
    fn like(&mut self, number: u32, turn: u8) -> Result<u32, Full> {
        if self.like.0 != turn {
            self.like = (turn, Vec::new());
        }
        let (_, like) = &mut self.like;
        if like.len() <= number as usize {
            like.resize(number as usize + 1, None);
        }
        if let Some(like) = like[number as usize] {
            return Ok(like);
        }
        let outcome = self.outcomes.items()[number as usize].in_turn(turn);
        Ok(*like[number as usize].insert(self.outcomes.number(&outcome)?))
    }

    /// Whether there is room for outcomes and for this many more bytes.
    fn hold(&mut self, bytes: u64) -> Result<(), Budget> {
        let bytes = self.outcomes.bytes() + self.ways.bytes() + bytes;
        self.effort.bytes = self.effort.bytes.max(bytes);
        if bytes > self.limits.bytes { Err(Budget::Bytes(self.limits.bytes)) } else { Ok(()) }
    }

    fn too_large(&self, budget: Budget) -> TooLarge {
        TooLarge { budget, progress: self.progress }
    }
}

/// The number of states in a lane, from the average number of paths of the layer's states: fewer if they have many
/// paths.
fn lane_of(states: u64, paths: u64) -> usize {
    let wanted = (TURN as u64 * states / 2).checked_div(paths);
    wanted.map_or(FEW, |states| states.clamp(1, TURN as u64 / 2) as usize)
}

#[cfg(test)]
mod tests {
    use grognard_engine::{Arrives, BySide, Deployment, SidePlan, UnitPlan, deploy};
    use grognard_rules::library;
    use grognard_source::Sources;

    use super::*;

    fn pack(name: &str) -> Rules {
        let mut sources = Sources::new();
        library::load(name, None, &mut sources).and_then(|pack| pack.compile(&sources)).unwrap()
    }

    /// Solves a duel that is small enough for fractions, and again in floating point from the beginning: every number
    /// must be as close to its fraction as it claims. Only the second solution uses the cache of earlier turns. Returns
    /// how many states it took from the cache, and whether more states are known at the end than any layer had.
    fn counted_both_ways(rules: &Rules, setup: &Setup) -> (u64, bool) {
        let limits = Limits::default();
        let go_on = &mut |_: &_| ControlFlow::Continue(());
        let whole = solve(rules, setup, &limits, go_on).unwrap();
        let mut walk = Walk::new(rules, setup, &[], &limits, go_on);
        let start = walk.start().unwrap().into_floats();
        let floating = walk_all(&mut walk, Standing::Floating(start)).unwrap();
        let effort =
            |solution: &Solution| (solution.effort().states, solution.effort().widest, solution.effort().paths);
        assert_eq!(effort(&whole), effort(&floating));
        assert_eq!(whole.outcomes().count(), floating.outcomes().count());
        for ((outcome, exact), (same, near)) in whole.outcomes().zip(floating.outcomes()) {
            assert_eq!(outcome, same);
            assert!(exact.fraction.is_some() && near.fraction.is_none());
            assert!((exact.value - near.value).abs() <= near.error + exact.error, "{outcome:?}: {exact:?}, {near:?}");
            assert!(near.error < 1e-12 * near.value, "{near:?}");
        }
        (walk.tally.recalled, walk.tally.ways.states() as u64 > floating.effort().widest)
    }

    /// A side of one unit.
    fn side(kind: &str, doctrine: Option<&str>, north: i32, figures: Option<u16>) -> SidePlan {
        let unit = UnitPlan { kind: kind.into(), at: Some((0, north)), figures, ..UnitPlan::default() };
        SidePlan { name: kind.into(), doctrine: doctrine.map(str::to_owned), units: vec![unit], ..SidePlan::default() }
    }

    #[test]
    fn floating_point_is_as_near_to_the_fractions_as_it_says() {
        let rules = pack("refduel");
        let unit = |kind: &str| UnitPlan { kind: kind.into(), ..UnitPlan::default() };
        let side = |kind: &str| SidePlan { name: kind.into(), units: vec![unit(kind)], ..SidePlan::default() };
        let sides = BySide::new(side("one-up"), side("plain"));
        let plan = Deployment { sides, turns: 12, ..Deployment::default() };
        counted_both_ways(&rules, &deploy(&rules, &plan).unwrap());
    }

    /// The light battalion takes up skirmish order in the fourth turn, whatever happened to it before.
    #[test]
    fn what_the_turn_decides_is_not_remembered() {
        let rules = pack("napoleonic-figures");
        let light = side("large-light-battalion", Some("drill"), 0, Some(4));
        let guns = side("line-battalion", Some("fire-only"), 400, Some(4));
        let plan = Deployment { sides: BySide::new(light, guns), turns: 6, ..Deployment::default() };
        counted_both_ways(&rules, &deploy(&rules, &plan).unwrap());
    }

    /// Two stationary battalions fire at each other. Both miss in some turns, so states of later turns equal earlier
    /// ones.
    #[test]
    fn what_no_turn_decides_is_remembered() {
        let rules = pack("napoleonic-figures");
        let foot = |north| side("line-battalion", Some("fire-only"), north, Some(4));
        let plan = Deployment { sides: BySide::new(foot(0), foot(400)), turns: 5, ..Deployment::default() };
        let (recalled, keeps) = counted_both_ways(&rules, &deploy(&rules, &plan).unwrap());
        assert!(recalled > 0 && keeps, "{recalled} states recalled; states of earlier turns kept: {keeps}");
    }

    /// A reinforcement is not on the table before its turn.
    #[test]
    fn who_arrives_is_not_remembered() {
        let rules = pack("napoleonic-figures");
        let mut late = side("line-battalion", Some("fire-only"), 0, Some(4));
        late.units.push(UnitPlan { at: Some((2_000, 0)), arrives: Some(Arrives::From(3)), ..late.units[0].clone() });
        let foe = side("line-battalion", Some("fire-only"), 400, Some(4));
        let plan = Deployment { sides: BySide::new(late, foe), turns: 5, ..Deployment::default() };
        assert_eq!(
            counted_both_ways(&rules, &deploy(&rules, &plan).unwrap()),
            (0, false),
            "states of earlier turns are kept"
        );
    }
}
