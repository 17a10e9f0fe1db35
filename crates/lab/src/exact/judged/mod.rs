//! Judged battles: a battle and the worth of its decisions.
//!
//! If all possibilities can be enumerated, values are exact: the worth of the battle if both sides play perfectly from
//! there. If only the possibilities of the doctrines can be enumerated, values are also exact: the worth of the battle
//! if both sides follow their doctrines from there. Otherwise, battles in which both sides follow their doctrines are
//! simulated from each option of each decision. In every case, the value at the start, the gains and losses from dice,
//! and the losses from decisions add up to the outcome. All are multiples of the same small number, so that sums have
//! no rounding errors.
//!
//! Before a decision, a situation has the value of the best option. Doctrines do not always take it, so with their
//! values the gain from reaching such a situation counts as luck, and the decision then gives it away.

mod fought;
mod json;
mod solved;
mod words;

use grognard_engine::{BySide, Offer, Outcome, Setup, Side, UnitId};
use grognard_exact::best::Point;
use grognard_rules::model::{OFF_BOARD, Rules};
use grognard_stats::Estimate;

use crate::exact::named::offer_name;

pub use fought::judge_by_fighting;
pub use solved::judge;

/// The minimum losses for marking a decision `?` and `??`.
const DOUBTFUL: f64 = 0.02;
const BAD: f64 = 0.08;

/// Values are rounded to multiples of 1 / `UNIT`. Sums of up to 32 of them are then exact.
const UNIT: f64 = (1_u64 << 48) as f64;

/// A battle that was judged. Values are the first side's wins and half the draws, in 0..=1.
#[derive(Clone, Debug)]
pub struct Judgement {
    /// The narration of the battle, each phase followed by its decisions.
    pub lines: Vec<String>,
    /// The end of the narration: the sum, the value turn by turn, and a legend.
    pub sum: Vec<String>,
    /// The value of the battle at its start.
    pub start: Estimate,
    /// The value at the end of each turn, up to the outcome.
    pub curve: Vec<f64>,
    /// Every decision, in order.
    pub decisions: Vec<JudgedDecision>,
    /// Every phase in which the dice changed the value, in order.
    pub luck: Vec<Luck>,
    /// The outcome: 1 if the first side won, 0.5 for a draw, 0 if the second side won.
    pub outcome: f64,
    /// The source of the values.
    pub assumed: Assumed,
}

/// Where values come from, and how the sides are assumed to play after each decision.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Assumed {
    /// Exact values; both sides play perfectly.
    BestPlay,
    /// Exact values; both sides follow their doctrines.
    Doctrines {
        /// Whether best play was tried and did not fit; otherwise it was not tried, because the doctrines alone had too
        /// many paths.
        tried: bool,
    },
    /// Estimates from this many simulated battles each; both sides follow their doctrines.
    Fought(u64),
}

impl Judgement {
    /// A judgement with only the value at the start.
    fn of(start: Estimate, assumed: Assumed) -> Self {
        let (lines, sum, curve, decisions, luck) = Default::default();
        Self { lines, sum, start, curve, decisions, luck, outcome: 0.0, assumed }
    }

    /// Records the value reached in a turn.
    fn stands(&mut self, turn: u8, value: f64) {
        let before = self.curve.last().copied().unwrap_or(self.start.point);
        self.curve.resize(usize::from(turn), before);
        if let Some(last) = self.curve.last_mut() {
            *last = value;
        }
    }

    /// The value at the start and at the end of each turn.
    pub fn values(&self) -> impl Iterator<Item = f64> + '_ {
        std::iter::once(self.start.point).chain(self.curve.iter().copied())
    }

    /// The dice's total contribution to the first side's value.
    #[must_use]
    pub fn luck(&self) -> f64 {
        self.luck.iter().map(|luck| luck.change).sum()
    }

    /// The total loss from a side's decisions.
    #[must_use]
    pub fn given_away(&self, side: Side) -> f64 {
        self.decisions.iter().filter(|decision| decision.side == side).map(|decision| decision.lost).sum()
    }
}

/// A decision, and the values of its options.
#[derive(Clone, Debug)]
pub struct JudgedDecision {
    /// The turn.
    pub turn: u8,
    /// The name of the phase in the pack.
    pub phase: String,
    /// The side that decided.
    pub side: Side,
    /// The unit it was about: `attacker 1`, or just `attacker` if the side chose one of several units.
    pub unit: String,
    /// The options by name, with their values to the first side.
    pub options: Vec<(String, Estimate)>,
    /// The index of the option taken.
    pub taken: usize,
    /// The loss compared with the best option: at least 0 if computed; if simulated, on average at most the true loss.
    pub lost: f64,
    /// Whether some option is certainly better: an estimated loss may be due to chance.
    pub sure: bool,
}

impl JudgedDecision {
    /// The mark in the narration: `?` if some option is certainly better and the loss, computed or estimated, is 2
    /// points or more, `??` from 8 points on; otherwise empty.
    #[must_use]
    pub fn mark(&self) -> &'static str {
        match self.lost {
            _ if !self.sure => "",
            lost if lost >= BAD => "??",
            lost if lost >= DOUBTFUL => "?",
            _ => "",
        }
    }
}

/// The effect of the dice in a phase.
#[derive(Clone, Debug)]
pub struct Luck {
    /// The turn.
    pub turn: u8,
    /// The name of the phase in the pack.
    pub phase: String,
    /// The increase in the battle's value to the first side.
    pub change: f64,
    /// The value afterwards.
    pub value: f64,
}

/// A battle has too many situations to enumerate, either in total or within the time limit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("there are too many choices to enumerate: {walked} of {steps} steps were reached")]
pub struct TooMuch {
    /// Steps enumerated.
    pub walked: u32,
    /// Steps that the battle has.
    pub steps: u32,
}

/// A value, rounded so that sums with others have no rounding errors.
fn rounded(value: f64) -> f64 {
    (value * UNIT).round() / UNIT
}

/// Wins of the first side, and half its draws.
fn score(outcome: &Outcome) -> f64 {
    f64::from(halves(outcome)) / 2.0
}

/// The first side's score in half points: 2 for a win, 1 for a draw.
fn halves(outcome: &Outcome) -> i32 {
    match outcome.winner {
        Some(Side::First) => 2,
        None => 1,
        Some(_) => 0,
    }
}

/// The loss from a decision, and whether some option is certainly better.
#[derive(Clone, Copy)]
struct Away {
    lost: f64,
    sure: bool,
}

/// The battle that is judged.
#[derive(Clone, Copy)]
struct Judged<'a> {
    rules: &'a Rules,
    setup: &'a Setup,
}

impl Judged<'_> {
    fn phase(&self, phase: u8) -> String {
        self.rules.phases[usize::from(phase)].id.clone()
    }

    /// A decision, with the values of its options and its loss.
    fn decision(&self, turn: u8, point: &Point, values: Vec<Estimate>, taken: usize, away: Away) -> JudgedDecision {
        let Away { lost, sure } = away;
        let names = (0..point.offers.len()).map(|place| self.offer(point, place));
        JudgedDecision {
            turn,
            phase: self.phase(point.phase),
            side: point.side,
            unit: self.chooser(point),
            lost,
            options: names.zip(values).collect(),
            taken,
            sure,
        }
    }

    /// The name of an option, with the enemy unit if it is about one of several.
    fn offer(&self, point: &Point, place: usize) -> String {
        let offer = point.offers[place];
        let name = offer_name(self.rules, self.setup, point, offer);
        match offer {
            Offer::Row { enemy: Some(enemy), .. } if self.setup.start.units.len() > 2 => {
                format!("{name} ({})", self.unit(enemy))
            }
            Offer::Help(_) => format!("help {name}"),
            Offer::Target(target) => format!("fire at {}", self.unit(target)),
            Offer::Resolve(target) => format!("charge on {}", self.unit(target)),
            Offer::Bear(unit) | Offer::Activate(unit) | Offer::Order(unit) | Offer::Principal(unit) => {
                format!("{name} ({})", self.unit(unit))
            }
            Offer::Place(OFF_BOARD) => format!("{name} off the board"),
            Offer::Place(hex) => format!("{name} to hex {hex}"),
            Offer::Facing(spine) => format!("{name} to {} degrees", 30 + 60 * u16::from(spine)),
            _ => name,
        }
    }

    /// The decision-maker: the side if it chose among several units, generals or charges, otherwise a unit.
    fn chooser(&self, point: &Point) -> String {
        let is_of_side = |offer: &Offer| {
            use Offer::{Activate, Bear, Help, Order, Principal, Resolve};
            matches!(offer, Bear(_) | Activate(_) | Order(_) | Help(_) | Resolve(_) | Principal(_))
        };
        if point.offers.iter().any(is_of_side) { self.setup.names[point.side].clone() } else { self.unit(point.unit) }
    }

    /// `attacker 1`: a unit by its side and its number there.
    fn unit(&self, id: UnitId) -> String {
        let side = self.setup.start.unit(id).side;
        let number = self.setup.start.side(side).position(|other| other == id).map_or(0, |place| place + 1);
        format!("{} {number}", self.setup.names[side])
    }

    /// The names of the sides.
    fn names(&self) -> &BySide<String> {
        &self.setup.names
    }
}
