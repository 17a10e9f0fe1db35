//! Repeats the findings: fights the first battles again under each player, and solves perfect play.

use std::ops::Range;

use grognard_engine::{Outcome, Side};
use grognard_exact::Limits;
use grognard_exact::best::Bracket;
use grognard_rules::model::{DEFAULT_PLAYER, Rules};
use rayon::prelude::{IndexedParallelIterator, IntoParallelIterator, ParallelIterator};

use super::{BEST, CellUnder, Led, Players, Under, Value, quantity};
use crate::exact::Watcher;
use crate::memoised_cells::MemoisedCells;
use crate::progress::Stop;
use crate::questions::{BestPlay, Pairings};
use crate::runner::{BLOCK, Fighter, Tallied};
use crate::sensitivity::Quantity;
use crate::study::{Cell, Rung, Study};
use crate::tally::Histogram;
use crate::watched::events_of_first_battle;

/// Battles in a cell under each player: enough to show differences of one percentage point.
const BATTLES: u64 = 20_000;
/// The limit on events in all these battles together, estimated from the first battle of each cell: a minute on one
/// core for the slowest battles.
const EVENTS: u64 = 10_000_000;
/// The limit on paths in the search for perfect play, for all cells together. A cell is searched up to eight times, and
/// a path takes about a microsecond, so this is at most two minutes on one core, if no cell can be solved. Cells that
/// can be solved need few paths.
const PATHS: u64 = 10_000_000;
/// The half-width at which a bracket is narrow enough: half a percentage point, or half a hundredth of a figure.
const PRECISION: f64 = 0.005;
/// The maximum number of states of a cell after one step: a few hundred megabytes.
const STATES: u64 = 4_000_000;
/// Solved values are stored as multiples of 1/`UNIT`: further digits are rounding errors.
const UNIT: f64 = 1e12;

/// Repeats the findings of `study` with its players; `None` if it does not list any, if `stop` was raised, or if the
/// run did not start with battle 0.
#[must_use]
pub fn ask(study: &Study, tallied: &Tallied, watcher: &dyn Watcher, stop: &Stop) -> Option<Players> {
    let asked = study.report.players.as_ref()?;
    if tallied.first > 0 || tallied.battles == 0 {
        return None;
    }
    let metric = study.report.headline.as_ref().and_then(|headline| headline.metric.as_deref());
    let quantity = quantity(study, metric)?;
    let battles = battles(study, tallied.battles);
    let mut players = Vec::new();
    for rung in &study.ladder {
        let doctrines = if rung.player == BEST { others(study, rung) } else { Default::default() };
        let orders_of = match rung.player.as_str() {
            BEST => whose(study, rung),
            DEFAULT_PLAYER => study.default_player.clone(),
            _ => None,
        };
        let values = match rung.player.as_str() {
            BEST => solved(study, rung, &quantity, watcher, stop)?,
            _ => fought(study, rung, &quantity, battles, stop)?,
        };
        let cells = rung.led.iter().zip(values).map(|(&led, value)| CellUnder { led, value });
        players.push(Under { player: rung.player.clone(), cells: cells.collect(), doctrines, orders_of });
    }
    Some(Players {
        metric: asked.metric.clone(),
        share: quantity.share,
        per: quantity.per.unsigned_abs(),
        most: u32::try_from(quantity.most).ok()?,
        round: study.round() as u32,
        battles,
        players,
    })
}

/// The doctrines whose orders perfect players choose from, if these are not the side's own, each once.
fn others(study: &Study, rung: &Rung) -> [Vec<String>; 2] {
    Side::BOTH.map(|side| {
        let led = study.cells.iter().zip(&rung.led).filter(|(_, led)| led[side.index()] == Led::Player);
        let mut names: Vec<String> = Vec::new();
        for name in led.filter_map(|(cell, _)| cell.best_of(side)) {
            if !names.iter().any(|known| known == name) {
                names.push(name.to_owned());
            }
        }
        names
    })
}

/// The player whose orders perfect players choose from, if it is the same player on every side that they lead.
fn whose(study: &Study, rung: &Rung) -> Option<String> {
    let led = || {
        study.cells.iter().zip(&rung.led).flat_map(|(cell, led)| {
            let by_best = Side::BOTH.into_iter().filter(|side| led[side.index()] == Led::Player);
            by_best.map(move |side| (&cell.rules, cell.best_of(side)))
        })
    };
    // Whether some doctrine lists `name` both as the doctrine from which its perfect player chooses and as that of
    // `player`.
    let lists = |rules: &Rules, name: &str, player: &str| {
        let place = rules.doctrine(name);
        let mut doctrines = rules.doctrines.iter().filter(|doctrine| place.is_some() && doctrine.best == place);
        doctrines.any(|doctrine| doctrine.players.iter().any(|(known, at)| known == player && Some(*at) == place))
    };
    let (rules, _) = led().next()?;
    let mut names = rules.doctrines.iter().flat_map(|doctrine| &doctrine.players).map(|(name, _)| name);
    names.find(|player| led().all(|(rules, best)| best.is_some_and(|name| lists(rules, name, player)))).cloned()
}

/// The number of battles in each cell: a whole number of rounds, and no more battles than the run had.
fn battles(study: &Study, run: u64) -> u64 {
    let events: u64 =
        (0..study.cells.len()).into_par_iter().map(|cell| events_of_first_battle(study, &study.cells[cell])).sum();
    let rungs = study.ladder.iter().filter(|rung| rung.player != BEST).count() as u64;
    let round = study.round() as u64;
    let each = EVENTS / events.saturating_mul(rungs).max(1);
    (each.min(BATTLES).min(run) / round).max(1) * round
}

/// The number measured in every cell under a player; `None` if `stop` was raised.
fn fought(study: &Study, rung: &Rung, quantity: &Quantity, battles: u64, stop: &Stop) -> Option<Vec<Value>> {
    let switched = rung.cells.as_ref().map(|cells| study.with_cells(cells.clone()));
    let study = switched.as_ref().unwrap_or(study);
    let fighter = MemoisedCells::new(study);
    let round = study.round();
    let of_block = |cell: u32, block: Range<u64>| -> Option<Vec<i32>> {
        let total = |outcomes: &[Outcome]| outcomes.iter().map(|outcome| quantity.in_battle(outcome)).sum();
        (!stop.is_raised()).then(|| fighter.fight(cell, block).chunks(round).map(total).collect())
    };
    let of_cell = |cell: u32| -> Option<Vec<i32>> {
        let blocks = (0..battles).step_by(BLOCK as usize);
        let fought = blocks.map(|from| of_block(cell, from..battles.min(from + u64::from(BLOCK))));
        Some(fought.collect::<Option<Vec<_>>>()?.concat())
    };
    let counts: Option<Vec<Vec<i32>>> =
        (0..study.cells.len() as u32).into_par_iter().with_max_len(1).map(of_cell).collect();
    let counts = counts?;
    let histogram = |values: &mut dyn Iterator<Item = i32>| {
        let mut counted = Histogram::default();
        counted.add_all(values);
        counted
    };
    let value = |(cell, own): (&Cell, &Vec<i32>)| {
        let baseline = cell.header.baseline.filter(|&baseline| baseline != cell.header.cell);
        let apart = baseline.map(|baseline| {
            let theirs = &counts[baseline as usize];
            histogram(&mut own.iter().zip(theirs).map(|(own, base)| own - base))
        });
        Value::Fought { own: histogram(&mut own.iter().copied()), apart }
    };
    Some(study.cells.iter().zip(&counts).map(value).collect())
}

/// The number in every cell under perfect play; `None` if `stop` was raised. How far a cell is solved does not depend
/// on the clock. It depends on other cells only because all share the limit on paths equally.
fn solved(study: &Study, rung: &Rung, quantity: &Quantity, watcher: &dyn Watcher, stop: &Stop) -> Option<Vec<Value>> {
    let paths = PATHS / study.cells.len().max(1) as u64;
    let best = BestPlay {
        quantity: quantity.clone(),
        limits: Limits { states: STATES, bytes: u64::MAX, paths, ..Limits::default() },
        time: None,
        precision: Some(PRECISION),
        only_both: rung.led.iter().all(|&led| led == [Led::Player, Led::Player]),
        threads: rayon::current_num_threads(),
    };
    let cells: Vec<&Cell> = study.cells.iter().collect();
    let found = best.solve(&cells, watcher, stop).ok().filter(|_| !stop.is_raised())?;
    let value = |(led, values): (&[Led; 2], &Pairings)| {
        let Bracket { low, high } = match led {
            [Led::Player, Led::Player] => values.best_best,
            [Led::Player, _] => values.best_default,
            [_, Led::Player] => values.default_best,
            _ => values.default_default,
        };
        let [low, high] = [low, high].map(|value| (value * UNIT).round() as i64);
        Value::Solved { low, high }
    };
    Some(rung.led.iter().zip(found.iter().map(|cell| &cell.values)).map(value).collect())
}
