//! Judges a battle by exact best play of both sides.

use std::ops::ControlFlow;

use grognard_dice::SeededDice;
use grognard_engine::{BySide, Narrator, Side};
use grognard_exact::best::{Moment, Plays, Solved, explore};
use grognard_exact::{Limits, Progress};
use grognard_stats::Estimate;

use super::{Away, Judged, Judgement, Luck, TooMuch, rounded, score};
use crate::study::{Cell, Study};

/// Judges a battle by best play of both sides, in at most this many bytes, as long as `wanted`, which is called from time to time,
/// returns true.
///
/// # Errors
/// There is too much to enumerate, at all or before `wanted` returned false.
pub fn judge(
    study: &Study,
    cell: &Cell,
    number: u64,
    bytes: u64,
    wanted: &dyn Fn() -> bool,
) -> Result<Judgement, TooMuch> {
    let mut watch = |_: &Progress| if wanted() { ControlFlow::Continue(()) } else { ControlFlow::Break(()) };
    let bout = cell.bout(number);
    let judged = Judged { rules: &cell.rules, setup: bout.setup };
    let experts = BySide::new(Plays::Best, Plays::Best);
    let limits = Limits { bytes, ..Limits::default() };
    let graph = explore(judged.rules, judged.setup, experts, &limits, &mut watch);
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
    let start = rounded(best.at_start().middle());
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
                Moment::Luck(after) => {
                    let after = rounded(*after);
                    change += after - value;
                    value = after;
                }
                Moment::Decision { point, values, taken } => {
                    let point = &graph.points()[*point as usize];
                    let values: Vec<f64> = values.iter().map(|&value| rounded(value)).collect();
                    let worth = |&value: &f64| if point.side == Side::First { value } else { 1.0 - value };
                    let best = values.iter().map(worth).fold(f64::MIN, f64::max);
                    value = values[*taken];
                    let away = Away { lost: best - worth(&value), sure: true };
                    let values: Vec<Estimate> = values.into_iter().map(Estimate::computed).collect();
                    let decision = judged.decision(turn, point, values, *taken, away);
                    found.lines.push(decision.line());
                    found.decisions.push(decision);
                }
            }
        }
        if change != 0.0 {
            found.luck.push(Luck { turn, phase: judged.phase(phase), change, value });
        }
        found.stands(turn, value);
    });
    found.outcome = score(&outcome.ok_or(too_much)?);
    found.sum_up(judged.names());
    Ok(found)
}
