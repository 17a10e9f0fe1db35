//! Noteworthy battles: the closest, the longest, the biggest upset.

use std::cmp::Ordering;

use grognard_engine::{Outcome, Side};
use serde::{Deserialize, Serialize};

use crate::replay::narrate_with_points;
use crate::runner::Tallied;
use crate::study::Study;
use crate::tally::Verdict;

/// Why a battle is noteworthy.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Oddity {
    /// One side won although both lost about the same proportion of their figures.
    Closest,
    /// It took the most turns; among those battles, it cost the most figures.
    Longest,
    /// A win by the side that wins least often in its cell; among those battles, the widest margin.
    Upset,
}

impl Oddity {
    /// All kinds.
    pub const ALL: [Self; 3] = [Self::Closest, Self::Longest, Self::Upset];
}

/// A noteworthy battle, and what happened in it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct OddBattle {
    /// Why it is noteworthy.
    pub oddity: Oddity,
    /// Its cell.
    pub cell: u32,
    /// Its index.
    pub battle: u64,
    /// Name of the side that won, if one did.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub winner: Option<String>,
    /// Game turns fought.
    pub turns: u8,
    /// Figures that each side began with.
    pub figures: Vec<u16>,
    /// Figures that each side lost.
    pub losses: Vec<u16>,
    /// Points of each side at the end; empty if the pack does not score any.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub points: Vec<i32>,
    /// Whether the points decided the battle.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub on_points: bool,
    /// What happened, line by line.
    pub narration: Vec<String>,
}

/// A battle that may be noteworthy.
#[derive(Clone, Copy)]
struct Candidate<'a> {
    cell: usize,
    battle: u64,
    outcome: &'a Outcome,
}

impl Candidate<'_> {
    /// The proportion of its figures that a side lost.
    fn lost(&self, side: Side) -> f64 {
        let side = &self.outcome.sides[side];
        f64::from(side.losses) / f64::from(side.start.max(1))
    }

    fn lost_by_all(&self) -> f64 {
        self.outcome.sides.sides().iter().map(|&side| self.lost(side)).sum()
    }

    /// How much more the beaten side lost than the winner; if several were beaten, the one that lost least counts.
    fn margin(&self) -> f64 {
        let Some(winner) = self.outcome.winner else { return 0.0 };
        let beaten = self.outcome.sides.sides().iter().filter(|&&side| side != winner).map(|&side| self.lost(side));
        beaten.reduce(f64::min).unwrap_or(0.0) - self.lost(winner)
    }
}

/// How often the side that won a battle wins in its cell.
type Chance<'c> = &'c dyn Fn(&Candidate<'_>) -> f64;

/// The noteworthy battles among the first of each cell, each listed once; of equals, the first.
pub(super) fn find(study: &Study, tallied: &Tallied, outcomes: &[&[Outcome]]) -> Vec<OddBattle> {
    let chance = |candidate: &Candidate<'_>| {
        let Some(tally) = tallied.cells.get(candidate.cell) else { return 1.0 };
        let wins = tally.outcomes[Verdict::of(candidate.outcome.winner).index()];
        wins as f64 / tally.runs().max(1) as f64
    };
    choose(outcomes, &chance).iter().map(|(oddity, battle)| tell(study, *oddity, battle)).collect()
}

/// The noteworthy battles among the first of a cell, by index, each listed once. How often a side wins is counted in
/// these battles.
#[must_use]
pub fn noteworthy(outcomes: &[Outcome]) -> Vec<(Oddity, u64)> {
    let mut wins = [0_u64; Verdict::ALL.len()];
    for outcome in outcomes {
        wins[Verdict::of(outcome.winner).index()] += 1;
    }
    let chance = |candidate: &Candidate<'_>| {
        wins[Verdict::of(candidate.outcome.winner).index()] as f64 / outcomes.len().max(1) as f64
    };
    choose(&[outcomes], &chance).iter().map(|(oddity, battle)| (*oddity, battle.battle)).collect()
}

fn choose<'o>(outcomes: &[&'o [Outcome]], chance: Chance<'_>) -> Vec<(Oddity, Candidate<'o>)> {
    let all = || {
        outcomes.iter().enumerate().flat_map(|(cell, outcomes)| {
            (0..).zip(outcomes.iter()).map(move |(battle, outcome)| Candidate { cell, battle, outcome })
        })
    };
    let mut chosen: Vec<(Oddity, Candidate<'o>)> = Vec::new();
    for oddity in Oddity::ALL {
        let fits = |candidate: &Candidate<'_>| match oddity {
            Oddity::Longest => true,
            Oddity::Closest => candidate.outcome.winner.is_some(),
            Oddity::Upset => candidate.outcome.winner.is_some() && chance(candidate) < 0.5,
        };
        let fresh = |candidate: &Candidate<'_>| {
            !chosen.iter().any(|(_, known)| (known.cell, known.battle) == (candidate.cell, candidate.battle))
        };
        // `min_by` returns the first of equals.
        let best = all().filter(fits).filter(fresh).min_by(|one, other| rank(oddity, chance, one, other));
        chosen.extend(best.map(|best| (oddity, best)));
    }
    chosen
}

/// Orders battles: the more noteworthy one comes first.
fn rank(oddity: Oddity, chance: Chance<'_>, one: &Candidate<'_>, other: &Candidate<'_>) -> Ordering {
    let bloodier = other.lost_by_all().total_cmp(&one.lost_by_all());
    let longer = other.outcome.turns.cmp(&one.outcome.turns);
    match oddity {
        Oddity::Closest => one.margin().abs().total_cmp(&other.margin().abs()).then(bloodier).then(longer),
        Oddity::Longest => longer.then(bloodier),
        Oddity::Upset => {
            let rarer = chance(one).total_cmp(&chance(other));
            rarer.then(other.margin().total_cmp(&one.margin())).then(bloodier)
        }
    }
}

fn tell(study: &Study, oddity: Oddity, battle: &Candidate<'_>) -> OddBattle {
    let cell = &study.cells[battle.cell];
    let outcome = battle.outcome;
    let (narration, points) = narrate_with_points(study, cell, battle.battle);
    OddBattle {
        oddity,
        cell: cell.header.cell,
        battle: battle.battle,
        winner: outcome.winner.map(|side| study.sides[side.index()].clone()),
        turns: outcome.turns,
        figures: outcome.sides.iter().map(|side| side.start).collect(),
        losses: outcome.sides.iter().map(|side| side.losses).collect(),
        points: points.iter().flat_map(|points| points.of.iter().copied()).collect(),
        on_points: points.is_some_and(|points| points.decide),
        narration,
    }
}
