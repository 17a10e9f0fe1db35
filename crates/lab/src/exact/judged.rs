//! A battle with what its decisions are worth.

use std::ops::ControlFlow;
use std::time::Duration;

use grognard_dice::SeededDice;
use grognard_engine::{BySide, Narrator, Offer, Outcome, Setup, Side, UnitId};
use grognard_exact::best::{Graph, Moment, Plays, Point, Solved, explore};
use grognard_exact::{Limits, Progress};
use grognard_rules::model::Rules;

use crate::clock::Stopwatch;
use crate::exact::named::offer_name;
use crate::study::{Cell, Study};

/// Points from which a decision is marked `?`, and `??`.
const DOUBTFUL: f64 = 0.02;
const BAD: f64 = 0.08;

/// A battle has too many situations to be judged, or too many for the time.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("what both sides could do is too much to walk: {walked} of {steps} steps were reached")]
pub struct TooMuch {
    /// Steps that were walked.
    pub walked: u32,
    /// Steps that the battle has.
    pub steps: u32,
}

/// The lines of battle `number`, each phase followed by what was decided in it: what each choice would have been worth between
/// experts, and what the one that was taken gives away. At the end luck and decisions apart; with the start they sum to the
/// outcome. A value is the first side's wins and half its draws.
///
/// # Errors
/// There is too much to walk, in this time or at all.
pub fn narrate_judged(study: &Study, cell: &Cell, number: u64, time: Duration) -> Result<Vec<String>, TooMuch> {
    let started = Stopwatch::start();
    let mut watch = |_: &Progress| {
        if started.elapsed() > time { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    };
    let bout = cell.bout(number);
    let (rules, setup) = (&*cell.rules, bout.setup);
    let experts = BySide::new(Plays::Best, Plays::Best);
    let graph = explore(rules, setup, experts, &Limits::default(), &mut watch);
    let effort = graph.effort();
    let too_much = TooMuch { walked: effort.walked, steps: effort.steps };
    if !graph.is_whole() {
        return Err(too_much);
    }
    let best = graph.values(experts, &score, (0.0, 1.0));
    let doctrines = BySide::new(Plays::Doctrine, Plays::Doctrine);
    let mut solved = Solved::new(rules, setup, &graph, &best).played_by(doctrines);
    let mut judged = Judged { rules, setup, graph: &graph, lines: Vec::new(), luck: 0.0, given: [0.0; 2] };
    let (mut dice, mut narrator) = (SeededDice::new(study.seed), Narrator::new());
    dice.battle(bout.dice);
    let mut told = 0;
    let outcome = solved.fight_watched(&mut dice, &mut narrator, |narrator, moments| {
        judged.lines.extend_from_slice(&narrator.lines()[told..]);
        told = narrator.lines().len();
        moments.iter().for_each(|moment| judged.see(moment));
    });
    let outcome = outcome.ok_or(too_much)?;
    judged.sum_up(best.at_start().middle(), score(&outcome));
    Ok(judged.lines)
}

/// Wins of the first side, and half its draws.
fn score(outcome: &Outcome) -> f64 {
    match outcome.winner {
        Some(Side::First) => 1.0,
        Some(Side::Second) => 0.0,
        None => 0.5,
    }
}

/// A battle on its way.
struct Judged<'a> {
    rules: &'a Rules,
    setup: &'a Setup,
    graph: &'a Graph,
    lines: Vec<String>,
    /// What the dice have given the first side.
    luck: f64,
    /// What each side's decisions have given away.
    given: [f64; 2],
}

impl Judged<'_> {
    fn see(&mut self, moment: &Moment) {
        match moment {
            Moment::Luck(change) => self.luck += change,
            Moment::Decision { point, values, taken } => {
                let point = &self.graph.points()[*point as usize];
                let worth = |value: &f64| if point.side == Side::First { *value } else { 1.0 - value };
                let best = values.iter().map(worth).fold(f64::MIN, f64::max);
                let lost = best - worth(&values[*taken]);
                self.given[point.side.index()] += lost;
                self.lines.push(self.line(point, &values.iter().map(worth).collect::<Vec<_>>(), *taken, lost));
            }
        }
    }

    /// `    ▸ attacker, Heavy cavalry: charge 44.2 %, hold 50.0 %; takes charge, gives away 5.8 ?`.
    fn line(&self, point: &Point, values: &[f64], taken: usize, lost: f64) -> String {
        let name = |place: usize| self.offer(point, place);
        let offers: Vec<String> =
            values.iter().enumerate().map(|(place, value)| format!("{} {:.1} %", name(place), 100.0 * value)).collect();
        let mark = match lost {
            lost if lost >= BAD => " ??",
            lost if lost >= DOUBTFUL => " ?",
            _ => "",
        };
        let away = if lost < 0.000_5 { String::new() } else { format!(", gives away {:.1}{mark}", 100.0 * lost) };
        format!("    ▸ {}: {}; takes {}{away}", self.unit(point.unit), offers.join(", "), name(taken))
    }

    /// An offer by name, with the enemy where it is about one of several.
    fn offer(&self, point: &Point, place: usize) -> String {
        let offer = point.offers[place];
        let name = offer_name(self.rules, self.setup, point, offer);
        match offer {
            Offer::Row { enemy: Some(enemy), .. } if self.setup.start.units.len() > 2 => {
                format!("{name} ({})", self.unit(enemy))
            }
            _ => name,
        }
    }

    /// `attacker 1`: a unit by its side and its number there.
    fn unit(&self, id: UnitId) -> String {
        let side = self.setup.start.unit(id).side;
        let number = self.setup.start.side(side).position(|other| other == id).map_or(0, |place| place + 1);
        format!("{} {number}", self.setup.names[side])
    }

    fn sum_up(&mut self, start: f64, end: f64) {
        let [first, second] = self.given;
        let points = |value: f64| format!("{}{:.1}", if value < 0.0 { "−" } else { "+" }, 100.0 * value.abs());
        let names = &self.setup.names;
        self.lines.push(format!(
            "Judged by best play, as {}: {:.1} % at the start, {} luck, {} its own decisions, {} {}'s decisions: {:.1} % at the end.",
            names.first,
            100.0 * start,
            points(self.luck),
            points(-first),
            points(second),
            names.second,
            100.0 * end
        ));
    }
}
