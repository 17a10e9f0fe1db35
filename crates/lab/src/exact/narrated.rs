//! Narration with the odds of a battle as they change.

use std::ops::ControlFlow;
use std::time::Duration;

use grognard_dice::SeededDice;
use grognard_engine::{Battle, Narrator, Setup, Side, step};
use grognard_exact::{Budget, Limits, Progress, TooLarge, solve};
use grognard_stats::Estimate;

use crate::clock::Stopwatch;
use crate::study::{Cell, Study};

/// The narration of battle `number`. It gives the odds before each half-turn in which they have changed, or before each
/// turn if units act one at a time. The work must end within `time`.
///
/// # Errors
/// The battle has too many continuations to compute, or to compute in that time.
pub fn narrate_with_odds(study: &Study, cell: &Cell, number: u64, time: Duration) -> Result<Vec<String>, TooLarge> {
    let started = Stopwatch::start();
    let mut watch = |_: &Progress| {
        if started.elapsed() > time { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    };
    let mut dice = SeededDice::new(study.seed);
    let bout = cell.bout(number);
    dice.battle(bout.dice);
    let (mut battle, mut narrator) = (bout.setup.start.clone(), Narrator::new());
    let (mut lines, mut told, mut known) = (Vec::new(), 0, String::new());
    loop {
        let begun = battle.acting.as_ref().is_some_and(|acting| acting.begun);
        if battle.phase == 0 && !(begun && cell.rules.goes_by_unit()) {
            let odds = odds(cell, bout.setup, &battle, &mut watch).map_err(|error| match error.budget {
                Budget::Stopped => TooLarge { budget: Budget::Time(time), ..error },
                _ => error,
            })?;
            if odds != known {
                let side = match cell.rules.turn_order {
                    // The active side is not known until the half-turn begins.
                    Some(_) if !begun => String::new(),
                    _ => format!(", {}", bout.setup.names[battle.active]),
                };
                lines.push(format!("Odds before turn {}{side}: {odds}.", battle.turn));
                known = odds;
            }
        }
        let over = step(&cell.rules, bout.setup, &mut battle, &mut dice, &mut narrator).is_some();
        lines.extend_from_slice(&narrator.lines()[told..]);
        told = narrator.lines().len();
        if over {
            return Ok(lines);
        }
    }
}

/// Each side's chance of winning from here: `attacker 31.204 %, draw 0.1 %, defender 68.7 %`.
fn odds(
    cell: &Cell,
    setup: &Setup,
    battle: &Battle,
    watch: &mut dyn FnMut(&Progress) -> ControlFlow<()>,
) -> Result<String, TooLarge> {
    let setup = Setup { start: battle.clone(), ..setup.clone() };
    let solution = solve(&cell.rules, &setup, &Limits::default(), watch)?;
    let chance = |winner: Option<Side>| {
        let name = winner.map_or("draw", |side| &setup.names[side]);
        let chance = solution.chance(|outcome| outcome.winner == winner).value;
        format!("{name} {}", Estimate::computed(chance).percent_point())
    };
    let mut winners: Vec<Option<Side>> = setup.start.sides().iter().copied().map(Some).collect();
    // With two sides, draws are listed between them; with more, last.
    winners.insert(if winners.len() == 2 { 1 } else { winners.len() }, None);
    Ok(winners.into_iter().map(chance).collect::<Vec<_>>().join(", "))
}
