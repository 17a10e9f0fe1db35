//! Judges a battle by exact best play of both sides.

use std::ops::ControlFlow;

use grognard_dice::SeededDice;
use grognard_engine::{BySide, Narrator, Side};
use grognard_exact::best::{Moment, Plays, Solved, explore};
use grognard_exact::{Limits, Progress};
use grognard_stats::Estimate;

use super::{Away, Judged, Judgement, Luck, TooMuch, score};
use crate::study::{Cell, Study};

/// Judges a battle by best play of both sides, as long as `wanted`, which is called from time to time, returns true.
///
/// # Errors
/// There is too much to enumerate, at all or before `wanted` returned false.
pub fn judge(study: &Study, cell: &Cell, number: u64, wanted: &dyn Fn() -> bool) -> Result<Judgement, TooMuch> {
    let mut watch = |_: &Progress| if wanted() { ControlFlow::Continue(()) } else { ControlFlow::Break(()) };
    let bout = cell.bout(number);
    let judged = Judged { rules: &cell.rules, setup: bout.setup };
    let experts = BySide::new(Plays::Best, Plays::Best);
    let graph = explore(judged.rules, judged.setup, experts, &Limits::default(), &mut watch);
    let effort = graph.effort();
    let too_much = TooMuch { walked: effort.walked, steps: effort.steps };
    if !graph.is_whole() {
        return Err(too_much);
    }
    let best = graph.values(experts, &score, (0.0, 1.0));
    let doctrines = BySide::new(Plays::Doctrine, Plays::Doctrine);
    let mut solved = Solved::new(judged.rules, judged.setup, &graph, &best).played_by(doctrines);
    let (mut dice, mut narrator) = (SeededDice::new(study.seed), Narrator::new());
    dice.battle(bout.dice);
    let start = best.at_start().middle();
    let mut found = Judgement::of(Estimate::computed(start), None);
    let (mut told, mut value) = (0, start);
    let outcome = solved.fight_watched(&mut dice, &mut narrator, |narrator, (turn, phase), moments| {
        if moments.iter().any(|moment| matches!(moment, Moment::Decision { .. })) {
            narrator.write_headings();
        }
        found.lines.extend_from_slice(&narrator.lines()[told..]);
        told = narrator.lines().len();
        let mut change = 0.0;
        for moment in moments {
            match moment {
                Moment::Luck(more) => change += more,
                Moment::Decision { point, values, taken } => {
                    let point = &graph.points()[*point as usize];
                    let worth = |&value: &f64| if point.side == Side::First { value } else { 1.0 - value };
                    let best = values.iter().map(worth).fold(f64::MIN, f64::max);
                    let away = Away { lost: best - worth(&values[*taken]), sure: true };
                    let values: Vec<Estimate> = values.iter().map(|&value| Estimate::computed(value)).collect();
                    let decision = judged.decision(turn, point, values, *taken, away);
                    found.lines.push(decision.line());
                    value = decision.options[*taken].1.point;
                    found.decisions.push(decision);
                }
            }
        }
        if change != 0.0 {
            value = graph_value(value, moments);
            found.luck.push(Luck { turn, phase: judged.phase(phase), change, value });
        }
        found.stands(turn, value);
    });
    found.outcome = score(&outcome.ok_or(too_much)?);
    found.sum_up(judged.names());
    Ok(found)
}

/// The value of a battle after these moments, given the `value` that the last decision left: the dice since then
/// are added.
fn graph_value(value: f64, moments: &[Moment]) -> f64 {
    let since = moments.iter().rev().map_while(|moment| match moment {
        Moment::Luck(change) => Some(change),
        Moment::Decision { .. } => None,
    });
    value + since.sum::<f64>()
}
