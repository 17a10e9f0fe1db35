//! Judges a battle by exact values: of best play, or of the doctrines.

use std::ops::ControlFlow;

use grognard_dice::SeededDice;
use grognard_engine::{Battle, BySide, Narrator, Side, Steps, Unwitnessed};
use grognard_exact::best::{Graph, Moment, Plays, Solved, explore, explore_beside};
use grognard_exact::{Limits, Progress};
use grognard_stats::Estimate;

use super::{Assumed, Away, Judged, Judgement, Luck, TooMuch, rounded, score};
use crate::study::{Cell, Study};

const DOCTRINES: BySide<Plays> = BySide::new(Plays::Doctrine, Plays::Doctrine);

/// If the doctrines have more paths than this, best play, which has many times more, is not tried.
const MANY: u64 = 1_000_000;

/// Judges a battle by exact values: those of best play by both sides or, if that is too much, of their doctrines, which
/// have far fewer situations. It uses at most this many bytes, and stops when `wanted`, which is called from time to
/// time, returns false.
///
/// # Errors
/// Even the doctrines have too many situations to enumerate, in total or before `wanted` returned false.
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
    let mut dice = SeededDice::new(study.seed);
    dice.battle(bout.dice);
    let limits = Limits { bytes, ..Limits::default() };
    // Random choices are not judged.
    let experts = bout.setup.random.map(|random| if random { Plays::Doctrine } else { Plays::Best });
    // The doctrines come first: if they take too long, so does best play.
    let states = judged.states(&mut dice.clone());
    let graph = explore_beside(judged.rules, judged.setup, &states, experts, &limits, &mut watch);
    let tried = graph.effort().paths <= MANY;
    let by_doctrines = judged.by(&graph, DOCTRINES, dice.clone(), Assumed::Doctrines { tried })?;
    if !tried {
        return Ok(by_doctrines);
    }
    drop(graph);
    let graph = explore(judged.rules, judged.setup, experts, &limits, &mut watch);
    Ok(judged.by(&graph, experts, dice, Assumed::BestPlay).unwrap_or(by_doctrines))
}

impl Judged<'_> {
    /// The states of a battle, one before each step.
    fn states(&self, dice: &mut SeededDice) -> Vec<Battle> {
        let (mut battle, mut steps) = (self.setup.start.clone(), Steps::new(self.rules, self.setup));
        let mut states = vec![battle.clone()];
        while steps.step(&mut battle, dice, &mut Unwitnessed).is_none() {
            states.push(battle.clone());
        }
        states
    }

    /// Judges the battle by the values for these players.
    fn by(
        &self,
        graph: &Graph,
        plays: BySide<Plays>,
        mut dice: SeededDice,
        assumed: Assumed,
    ) -> Result<Judgement, TooMuch> {
        let effort = graph.effort();
        let too_much = TooMuch { walked: effort.walked, steps: effort.steps };
        if !graph.is_whole() {
            return Err(too_much);
        }
        let values = graph.values(plays, &score, (0.0, 1.0));
        let mut solved = Solved::new(self.rules, self.setup, graph, &values).played_by(DOCTRINES);
        let mut narrator = Narrator::new();
        let start = rounded(values.at_start().middle());
        let mut found = Judgement::of(Estimate::computed(start), assumed);
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
                        let best = values.iter().copied().fold(f64::NAN, |best, value| match point.side {
                            Side::First => best.max(value),
                            _ => best.min(value),
                        });
                        // Under best play, `value` is already equal to `best`.
                        change += best - value;
                        value = values[*taken];
                        let away = Away { lost: (best - value).abs(), sure: true };
                        let values: Vec<Estimate> = values.into_iter().map(Estimate::computed).collect();
                        let decision = self.decision(turn, point, values, *taken, away);
                        found.lines.push(decision.line());
                        found.decisions.push(decision);
                    }
                }
            }
            if change != 0.0 {
                found.luck.push(Luck { turn, phase: self.phase(phase), change, value });
            }
            found.stands(turn, value);
        });
        found.outcome = score(&outcome.ok_or(too_much)?);
        // The value so far may differ from the outcome by a small rounding error.
        if let Some(last) = found.luck.last_mut().filter(|_| value != found.outcome) {
            last.change += found.outcome - value;
            last.value = found.outcome;
        }
        found.sum_up(self.names());
        Ok(found)
    }
}
