//! The way of all battles: steps, and after each of them a merger of equals.

use std::ops::ControlFlow;

use grognard_dice::EnumeratedDice;
use grognard_engine::states::{Interner, Layer, States};
use grognard_engine::{Battle, Outcome, Setup, Steps, Unwitnessed};
use grognard_rules::model::Rules;

use crate::arithmetic::{Arithmetic, End, Path, Weights};
use crate::float::Float;
use crate::limits::{Budget, Limits, Progress, TooLarge};
use crate::prune::prune;
use crate::solution::{Effort, Odds, Solution};
use crate::spread::{Spread, Standing};

/// Paths between two checks of the limits, and the most that are stored at a time.
const BATCH: usize = 1 << 14;

/// Computes the results of all battles from this setup.
///
/// `watch` receives progress now and then, and may stop the work. The answer depends only on rules, setup and
/// [`Limits::prune`].
///
/// # Errors
/// The battle has more states than `limits` allows, or `watch` broke off.
pub fn solve(
    rules: &Rules,
    setup: &Setup,
    limits: &Limits,
    watch: &mut dyn FnMut(&Progress) -> ControlFlow<()>,
) -> Result<Solution, TooLarge> {
    let mut walk = Walk::new(rules, setup, limits, watch);
    let start = walk.start()?;
    walk_all(walk, Standing::Whole(start))
}

/// Continues until every battle is over.
fn walk_all(mut walk: Walk<'_>, mut standing: Standing) -> Result<Solution, TooLarge> {
    let mut left_out = Float::ZERO;
    while walk.look(&standing)? {
        standing = match standing {
            Standing::Whole(now) => match walk.step(&now) {
                Ok(next) => {
                    walk.progress.step += 1;
                    if next.is_small() { Standing::Whole(next) } else { Standing::Floating(next.into_floats()) }
                }
                // The same step again, in floating point.
                Err(Halt::TooFine(_)) => Standing::Floating(now.into_floats()),
                Err(Halt::TooLarge(error)) => return Err(error),
            },
            Standing::Floating(now) => {
                let mut next = walk.step(&now).map_err(|halt| match halt {
                    Halt::TooFine(never) => match never {},
                    Halt::TooLarge(error) => error,
                })?;
                walk.progress.step += 1;
                if walk.limits.prune > 0.0 {
                    let allowance = walk.allowance() - left_out.value() - left_out.error();
                    left_out.add(prune(&mut next.open, allowance));
                }
                Standing::Floating(next)
            }
        };
    }
    Ok(walk.solution(standing, left_out))
}

/// Why a step was not completed.
enum Halt<F> {
    /// Its probabilities do not fit the arithmetic.
    TooFine(F),
    /// It passed a limit.
    TooLarge(TooLarge),
}

/// Everything that enumeration needs.
struct Walk<'a> {
    steps: Steps<'a>,
    setup: &'a Setup,
    limits: Limits,
    watch: &'a mut dyn FnMut(&Progress) -> ControlFlow<()>,
    states: States,
    outcomes: Interner<Outcome>,
    dice: EnumeratedDice,
    /// The state before the step, and the one being played.
    from: Battle,
    battle: Battle,
    key: Vec<u32>,
    paths: Vec<Path>,
    progress: Progress,
    effort: Effort,
    /// The most by which rounded odds of rolls may have moved any probability.
    rounding: f64,
}

impl<'a> Walk<'a> {
    fn new(
        rules: &'a Rules,
        setup: &'a Setup,
        limits: &Limits,
        watch: &'a mut dyn FnMut(&Progress) -> ControlFlow<()>,
    ) -> Self {
        let limits = Limits { states: limits.states.min(u64::from(u32::MAX)), ..*limits };
        Self {
            steps: Steps::new(rules, setup),
            setup,
            limits,
            watch,
            states: States::of(&setup.start),
            outcomes: Interner::default(),
            dice: EnumeratedDice::new(),
            from: setup.start.clone(),
            battle: setup.start.clone(),
            key: Vec::new(),
            paths: Vec::new(),
            progress: Progress::before(rules, setup),
            effort: Effort::default(),
            rounding: 0.0,
        }
    }

    /// All battles before the first step.
    fn start(&mut self) -> Result<Spread<crate::arithmetic::Fractions>, TooLarge> {
        self.battle.copy_from(&self.setup.start);
        self.take_apart()?;
        Ok(Spread::before(&self.key))
    }

    /// Records the states of all battles. Returns whether any battle continues.
    fn look(&mut self, standing: &Standing) -> Result<bool, TooLarge> {
        let states = standing.states() as u64;
        self.effort.states += states;
        self.effort.widest = self.effort.widest.max(states);
        self.progress.states = states;
        self.progress.found = 0;
        self.progress.over = standing.share_over();
        let Some(key) = standing.any_key() else { return Ok(false) };
        self.progress.turn = self.states.turn(key);
        self.check(standing.bytes())?;
        Ok(true)
    }

    /// Whether there is room for more, `bytes` being what layers take.
    fn check(&mut self, bytes: u64) -> Result<(), TooLarge> {
        let bytes = self.states.bytes() + self.outcomes.bytes() + bytes;
        self.effort.bytes = self.effort.bytes.max(bytes);
        if bytes > self.limits.bytes {
            return Err(self.too_large(Budget::Bytes(self.limits.bytes)));
        }
        if (self.watch)(&self.progress).is_break() {
            return Err(self.too_large(Budget::Stopped));
        }
        Ok(())
    }

    /// Enumerates the next step from every state.
    fn step<A: Arithmetic>(&mut self, now: &Spread<A>) -> Result<Spread<A>, Halt<A::TooFine>> {
        let mut next =
            Spread { arithmetic: now.arithmetic.next(), open: Layer::new(self.states.width()), over: now.over.clone() };
        // A step that was given up leaves its dice in mid-path.
        self.dice = EnumeratedDice::new();
        self.paths.clear();
        let mut rounding: f64 = 0.0;
        for slot in 0..now.open.len() {
            self.states.put_together(now.open.key(slot), &mut self.from);
            while self.dice.next_path() {
                let end = self.path(&mut next).map_err(Halt::TooLarge)?;
                // A weight and its total are rounded, divided and multiplied in, for each decision.
                let chance = Float::new(self.dice.chance(), 4 * self.dice.outcomes().count() as u32);
                rounding = rounding.max(self.dice.rounding());
                let exact = if A::EXACT { self.dice.probability() } else { None };
                self.paths.push(Path { end, chance, exact });
                if self.paths.len() >= BATCH {
                    self.send(&now.open.weights()[slot], &mut next)?;
                }
            }
            self.send(&now.open.weights()[slot], &mut next)?;
        }
        self.rounding += rounding;
        Ok(next)
    }

    /// Plays the path that the dice define.
    fn path<A: Arithmetic>(&mut self, next: &mut Spread<A>) -> Result<End, TooLarge> {
        self.battle.copy_from(&self.from);
        match self.steps.step(&mut self.battle, &mut self.dice, &mut Unwitnessed) {
            Some(outcome) => {
                let number =
                    self.outcomes.number(&outcome).map_err(|_| self.too_large(Budget::States(u64::from(u32::MAX))))?;
                let number = number as usize;
                if next.over.len() <= number {
                    next.over.resize(number + 1, A::nothing());
                }
                Ok(End::Over(number))
            }
            None => {
                self.take_apart()?;
                Ok(End::Open(next.open.slot(&self.key, A::nothing)))
            }
        }
    }

    /// Moves the battles of one state along its paths, and checks that there is room for more.
    fn send<A: Arithmetic>(&mut self, weight: &A::Weight, next: &mut Spread<A>) -> Result<(), Halt<A::TooFine>> {
        let into = Weights { open: next.open.weights_mut(), over: &mut next.over };
        next.arithmetic.send(weight, &self.paths, into).map_err(Halt::TooFine)?;
        let before = self.effort.paths / BATCH as u64;
        self.effort.paths += self.paths.len() as u64;
        self.paths.clear();
        self.progress.found = next.open.len() as u64;
        if self.progress.found > self.limits.states {
            return Err(Halt::TooLarge(self.too_large(Budget::States(self.limits.states))));
        }
        if self.effort.paths > self.limits.paths {
            return Err(Halt::TooLarge(self.too_large(Budget::Paths(self.limits.paths))));
        }
        if self.effort.paths / BATCH as u64 > before {
            // The layer that is left is about as large.
            self.check(2 * next.open.bytes()).map_err(Halt::TooLarge)?;
        }
        Ok(())
    }

    /// Makes the key of the state that is on its way.
    fn take_apart(&mut self) -> Result<(), TooLarge> {
        let apart = self.states.take_apart(&self.battle, &mut self.key);
        apart.map_err(|_| self.too_large(Budget::States(u64::from(u32::MAX))))
    }

    fn too_large(&self, budget: Budget) -> TooLarge {
        TooLarge { budget, progress: self.progress }
    }

    /// How much may have been left out by now: the allowance is divided evenly among the steps.
    fn allowance(&self) -> f64 {
        let done = f64::from(self.progress.step.min(self.progress.steps)) / f64::from(self.progress.steps.max(1));
        self.limits.prune * done
    }

    fn solution(self, standing: Standing, left_out: Float) -> Solution {
        let odds = match standing {
            Standing::Whole(spread) => {
                Odds::Whole { denominator: spread.arithmetic.denominator(), numerators: spread.over }
            }
            Standing::Floating(spread) => Odds::Floating(spread.over),
        };
        Solution::new(self.outcomes.into_items(), odds, left_out, self.effort).rounded(self.rounding)
    }
}

#[cfg(test)]
mod tests {
    use grognard_engine::{BySide, Deployment, SidePlan, UnitPlan, deploy};
    use grognard_rules::library;
    use grognard_source::Sources;

    use super::*;

    /// The reference duel is small enough for fractions to its end; counted in floating point from its beginning, every
    /// number must lie as near to its fraction as it says.
    #[test]
    fn floating_point_is_as_near_to_the_fractions_as_it_says() {
        let mut sources = Sources::new();
        let rules = library::load("refduel", None, &mut sources).and_then(|pack| pack.compile(&sources)).unwrap();
        let unit = |kind: &str| UnitPlan { kind: kind.into(), ..UnitPlan::default() };
        let side = |kind: &str| SidePlan { name: kind.into(), units: vec![unit(kind)], ..SidePlan::default() };
        let sides = BySide::new(side("one-up"), side("plain"));
        let plan = Deployment { sides, turns: 12, ..Deployment::default() };
        let setup = deploy(&rules, &plan).unwrap();
        let limits = Limits::default();
        let go_on = &mut |_: &_| ControlFlow::Continue(());
        let whole = solve(&rules, &setup, &limits, go_on).unwrap();
        let mut walk = Walk::new(&rules, &setup, &limits, go_on);
        let start = walk.start().unwrap().into_floats();
        let floating = walk_all(walk, Standing::Floating(start)).unwrap();
        assert_eq!(whole.effort().states, floating.effort().states);
        assert_eq!(whole.outcomes().count(), floating.outcomes().count());
        for ((outcome, exact), (same, near)) in whole.outcomes().zip(floating.outcomes()) {
            assert_eq!(outcome, same);
            assert!(exact.fraction.is_some() && near.fraction.is_none());
            assert!((exact.value - near.value).abs() <= near.error + exact.error, "{outcome:?}: {exact:?}, {near:?}");
            assert!(near.error < 1e-12 * near.value, "{near:?}");
        }
    }
}
