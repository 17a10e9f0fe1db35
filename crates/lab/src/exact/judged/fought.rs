//! Judging by simulation: battles are continued from each option of each decision.
//!
//! A step is replayed with its own dice up to the decision. Then the option is taken, and fresh dice are used from
//! there on: the same for all options, so that luck affects all of them equally.

use std::cell::Cell as Slot;
use std::collections::BTreeMap;

use grognard_dice::{Address, Decision, Dice, SeededDice, Shown};
use grognard_engine::{Asked, Battle, BySide, Narrator, Outcome, Player, Scene, Side, Steps, Unwitnessed};
use grognard_exact::best::Point;
use grognard_stats::{Estimate, Level, bonferroni, mean_exact};
use rayon::prelude::{IntoParallelIterator, ParallelIterator};

use super::{Assumed, Away, Judged, Judgement, Luck, halves, rounded, score};
use crate::study::{Cell, Study};

/// The number of the first dice of simulated battles. No study uses numbers this high.
const FRESH: u64 = 1 << 40;

/// A decision, and the battles that continue from each option.
struct Met {
    turn: u8,
    point: Point,
    /// The outcomes by option and battle, in half points.
    outcomes: Vec<Vec<i32>>,
    /// The number of narration lines before it.
    line: usize,
}

/// Judges a battle by simulating this many battles from every decision, for each of its options. `None` if `wanted`,
/// which is called before each option, returns false.
#[must_use]
pub fn judge_by_fighting(
    study: &Study,
    cell: &Cell,
    number: u64,
    battles: u64,
    wanted: &dyn Fn() -> bool,
) -> Option<Judgement> {
    let bout = cell.bout(number);
    let judged = Judged { rules: &cell.rules, setup: bout.setup };
    let on = On { judged, seed: study.seed, dice: bout.dice, battles };
    let random = bout.setup.random;
    let mut own = SeededDice::new(study.seed);
    own.battle(bout.dice);
    let (mut battle, mut narrator) = (bout.setup.start.clone(), Narrator::new());
    let mut steps = Steps::new(judged.rules, judged.setup);
    let (mut met, mut phases) = (Vec::new(), Vec::new());
    let outcome = loop {
        let before = battle.clone();
        let mut asked = Recorded { random, points: Vec::new() };
        let end = steps.step_as(&mut battle, &mut own, &mut narrator, &mut asked);
        if !asked.points.is_empty() {
            narrator.write_headings();
        }
        for (nth, point) in asked.points.into_iter().enumerate() {
            let fight = |option| wanted().then(|| on.fight(&before, nth, Some(option)));
            let outcomes = (0..point.offers.len()).map(fight).collect::<Option<_>>()?;
            met.push(Met { turn: before.turn, point, outcomes, line: narrator.lines().len() });
        }
        phases.push((before.turn, before.phase, met.len()));
        if let Some(outcome) = end {
            break outcome;
        }
    };
    let start = on.fight(&bout.setup.start, 0, None);
    Some(told(&judged, (&start, battles), &met, &phases, &narrator, &outcome))
}

/// Assembles the results.
fn told(
    judged: &Judged<'_>,
    (start, battles): (&[i32], u64),
    met: &[Met],
    phases: &[(u8, u8, usize)],
    narrator: &Narrator,
    outcome: &Outcome,
) -> Judgement {
    // Every value has an interval, and every option a difference from the one that was taken.
    let intervals = 1 + 2 * met.iter().map(|met| met.outcomes.len()).sum::<usize>();
    let level = bonferroni(Level::P95, intervals);
    let start = worth(start, level);
    let mut found = Judgement { outcome: score(outcome), ..Judgement::of(start, Assumed::Fought(battles)) };
    let (mut value, mut lines, mut next) = (start.point, 0, 0);
    for (place, &(turn, phase, end)) in phases.iter().enumerate() {
        let mut change = 0.0;
        while next < end {
            let Met { turn, point, outcomes, line } = &met[next];
            found.lines.extend_from_slice(&narrator.lines()[lines..*line]);
            lines = *line;
            let values: Vec<Estimate> = outcomes.iter().map(|outcomes| worth(outcomes, level)).collect();
            let away = Away {
                lost: lost(outcomes, point.doctrine, point.side),
                sure: is_surely_worse(outcomes, point.doctrine, point.side, level),
            };
            let decision = judged.decision(*turn, point, values, point.doctrine, away);
            let taken = decision.options[decision.taken].1.point;
            let best = if point.side == Side::First { taken + decision.lost } else { taken - decision.lost };
            change += best - value;
            value = taken;
            found.lines.push(decision.line());
            found.decisions.push(decision);
            next += 1;
        }
        // The effect of the dice after the last decision of the battle is known from its outcome.
        if place + 1 == phases.len() {
            change += found.outcome - value;
            value = found.outcome;
        }
        if change != 0.0 {
            found.luck.push(Luck { turn, phase: judged.phase(phase), change, value });
        }
        found.stands(turn, value);
    }
    found.lines.extend_from_slice(&narrator.lines()[lines..]);
    found.sum_up(judged.names());
    found
}

/// The mean of the outcomes, as a share.
fn worth(outcomes: &[i32], level: Level) -> Estimate {
    let all = mean_exact(counts(outcomes.iter().copied()), &(0..=2), level);
    Estimate { point: rounded(all.point / 2.0), low: all.low / 2.0, high: all.high / 2.0, ..all }
}

/// The loss from the option taken.
///
/// The best of several estimates looks better than it is. So the best option is chosen in one half of the battles and
/// compared with the option taken in the other half, and vice versa. An option that is best only by luck in one half is
/// worse in the other. So on average the result is at most the true loss, and at most 0 if no option is better.
fn lost(outcomes: &[Vec<i32>], taken: usize, side: Side) -> f64 {
    let own = &outcomes[taken];
    let sign = if side == Side::First { 1 } else { -1 };
    let gain = |option: &[i32], half: usize| -> i64 {
        let gains = option.iter().zip(own).skip(half).step_by(2);
        gains.map(|(other, own)| i64::from(sign * (other - own))).sum()
    };
    let best_of = |half: usize| outcomes.iter().max_by_key(|option| gain(option, half));
    let gained: i64 = [0, 1].iter().filter_map(|&half| Some(gain(best_of(1 - half)?, half))).sum();
    rounded(gained as f64 / (2 * own.len()) as f64)
}

/// Whether some option is certainly better than the one taken.
fn is_surely_worse(outcomes: &[Vec<i32>], taken: usize, side: Side, level: Level) -> bool {
    let own = &outcomes[taken];
    let sign = if side == Side::First { 1 } else { -1 };
    outcomes.iter().any(|other| {
        let gains = other.iter().zip(own).map(|(other, own)| sign * (other - own));
        mean_exact(counts(gains), &(-2..=2), level).low > 0.0
    })
}

/// The number of occurrences of each value.
fn counts(values: impl Iterator<Item = i32>) -> BTreeMap<i32, u64> {
    let mut counts = BTreeMap::new();
    values.for_each(|value| *counts.entry(value).or_insert(0) += 1);
    counts
}

/// Battles that continue from a position.
#[derive(Clone, Copy)]
struct On<'a> {
    judged: Judged<'a>,
    seed: u64,
    /// The number of the dice of the battle that is judged.
    dice: u64,
    battles: u64,
}

impl On<'_> {
    /// The results, in half points, of battles that continue from a step with `option` taken at its decision `nth` or,
    /// without an option, from the beginning of the step.
    fn fight(&self, from: &Battle, nth: usize, option: Option<usize>) -> Vec<i32> {
        let one = |battle: u64| {
            let mut steps = Steps::new(self.judged.rules, self.judged.setup);
            let on_its_own = Slot::new(option.is_none());
            let mut dice =
                Turned { own: self.seeded(self.dice), fresh: self.seeded(FRESH + battle), on_its_own: &on_its_own };
            let random = self.judged.setup.random;
            let mut player = Takes { random, option: option.unwrap_or(0), left: nth, on_its_own: &on_its_own };
            let mut battle = from.clone();
            let mut end = steps.step_as(&mut battle, &mut dice, &mut Unwitnessed, &mut player);
            loop {
                if let Some(outcome) = end {
                    return halves(&outcome);
                }
                end = steps.step(&mut battle, &mut dice, &mut Unwitnessed);
            }
        };
        (0..self.battles).into_par_iter().map(one).collect()
    }

    fn seeded(&self, battle: u64) -> SeededDice {
        let mut dice = SeededDice::new(self.seed);
        dice.battle(battle);
        dice
    }
}

/// Follows the doctrine, and records the decisions.
struct Recorded {
    random: BySide<bool>,
    points: Vec<Point>,
}

impl Player for Recorded {
    fn plays(&self, side: Side) -> bool {
        !self.random[side]
    }

    fn choose(&mut self, scene: Scene<'_>, asked: &Asked<'_>) -> usize {
        self.points.push(Point {
            side: scene.battle.unit(asked.unit).side,
            phase: scene.battle.phase,
            unit: asked.unit,
            offers: asked.offers.into(),
            doctrine: asked.doctrine,
            row: asked.row,
        });
        asked.doctrine
    }
}

/// Follows doctrine except for one decision.
struct Takes<'a> {
    random: BySide<bool>,
    option: usize,
    /// The number of decisions before it.
    left: usize,
    /// Set to true once that decision has been made.
    on_its_own: &'a Slot<bool>,
}

impl Player for Takes<'_> {
    fn plays(&self, side: Side) -> bool {
        !self.random[side]
    }

    fn choose(&mut self, _: Scene<'_>, asked: &Asked<'_>) -> usize {
        if self.on_its_own.get() {
            return asked.doctrine;
        }
        if self.left > 0 {
            self.left -= 1;
            return asked.doctrine;
        }
        self.on_its_own.set(true);
        self.option
    }
}

/// The dice of the judged battle, and fresh ones from the decision on.
struct Turned<'a> {
    own: SeededDice,
    fresh: SeededDice,
    on_its_own: &'a Slot<bool>,
}

impl Dice for Turned<'_> {
    fn decide(&mut self, at: Address, decision: &dyn Decision) -> usize {
        if self.on_its_own.get() { self.fresh.decide(at, decision) } else { self.own.decide(at, decision) }
    }

    fn shown(&mut self, at: Address, decision: &dyn Decision, outcome: usize) -> Vec<Shown> {
        self.own.shown(at, decision, outcome)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The loss of the first side if it takes the first of several options. Each option wins the given share of its
    /// battles, in 256ths.
    fn given_away(wins: &[u64], battles: u64, trial: u64) -> f64 {
        let mut mixed = trial;
        let mut coin = |share: u64| {
            mixed = mixed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            if mixed >> 56 < share { 2 } else { 0 }
        };
        let outcomes: Vec<Vec<i32>> = wins.iter().map(|&share| (0..battles).map(|_| coin(share)).collect()).collect();
        lost(&outcomes, 0, Side::First)
    }

    /// The best of six equal options seems better than the rest; this must not count against the option taken.
    #[test]
    fn where_no_option_is_better_nothing_is_given_away_on_average() {
        let mean = |wins: &[u64]| (0..2_000).map(|trial| given_away(wins, 30, trial)).sum::<f64>() / 2_000.0;
        let equal = mean(&[128; 6]);
        assert!(equal.abs() < 0.01, "{equal}");
        let worse = mean(&[64, 192]);
        assert!((worse - 0.5).abs() < 0.01, "{worse}");
        // If the best option was taken, one that seems better in one half of the battles proves worse in the other.
        let best = mean(&[140, 116, 116, 116]);
        assert!((-0.08..-0.03).contains(&best), "{best}");
        // So a small loss is understated.
        let small = mean(&[116, 140, 116, 116]);
        assert!((0.0..24.0 / 256.0 - 0.005).contains(&small), "{small}");
    }

    /// A loss is certain if the whole interval of its paired differences lies above 0, at the requested level.
    #[test]
    fn a_choice_is_surely_worse_only_beyond_its_interval() {
        // The second option wins this many of 100 battles that the first one loses; all others are equal.
        let sure = |better: usize, side: Side, level: Level| {
            let other = (0..100).map(|battle| if battle < better { 2 } else { 0 }).collect();
            is_surely_worse(&[vec![0; 100], other], 0, side, level)
        };
        assert!(!sure(0, Side::First, Level::P95));
        assert!(!sure(2, Side::First, Level::P95));
        assert!(sure(30, Side::First, Level::P95));
        assert!(!sure(30, Side::Second, Level::P95), "wins of the first side are losses of the second");
        let just = (3..30).find(|&better| sure(better, Side::First, Level::P95)).expect("some number is enough");
        assert!(!sure(just, Side::First, bonferroni(Level::P95, 1_000)), "of a thousand intervals, one may be wrong");
    }
}
