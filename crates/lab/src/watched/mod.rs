//! A closer look at a run's first battles: some of them are fought again with a witness.
//!
//! The runner knows only how a battle ended, which is why it is fast. The clauses used, morale turn by turn and the
//! noteworthy battles come from a sample instead: the first battles of each cell, as many as a fixed number of
//! events allows. Like everything else in a results folder, it is a function of the study and the number of battles
//! requested.

mod morale;
mod odd;
#[cfg(feature = "folders")]
mod sound;
#[cfg(test)]
mod tests;

use grognard_dice::SeededDice;
use grognard_engine::{Coverage, Event, Outcome, Scene, Side, Witness, fight};
use rayon::prelude::{IntoParallelRefIterator, ParallelIterator};
use serde::{Deserialize, Serialize};

use crate::progress::Stop;
use crate::runner::{BLOCK, Tallied};
use crate::study::{Cell, Study};

pub use odd::{OddBattle, Oddity, noteworthy};

use morale::Morale;

/// The results of watching.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Watched {
    /// Battles in each cell, from battle 0 on, whose morale was recorded and which were searched for noteworthy ones.
    pub battles: u64,
    /// Battles in each cell, from battle 0 on, whose clauses were counted.
    pub clause_battles: u64,
    /// The cells that were watched: all, or the first ones of a large study.
    pub cells: Vec<WatchedCell>,
    /// Every clause that the packs register, in the order of the rulebook.
    pub clauses: Vec<WatchedClause>,
    /// Noteworthy battles.
    pub odd: Vec<OddBattle>,
}

/// A watched cell.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct WatchedCell {
    /// Its index.
    pub cell: u32,
    /// Battles whose morale was recorded: all that were watched. If the sides have exchanged roles in a battle, it is
    /// recorded for the side, not for the role.
    pub battles: u64,
    /// The morale of each side's units.
    pub morale: Vec<Vec<StateByTurn>>,
}

/// The number of units in a morale state.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct StateByTurn {
    /// The state's name in the pack, or [`GONE`].
    pub state: String,
    /// The meaning of the state.
    pub standing: Standing,
    /// Units in it, summed over the battles: before the first turn, at the end of turn 1, 2 … A battle that is over
    /// keeps its final state.
    pub units: Vec<u64>,
}

/// Name of the state of units that are off the table.
pub const GONE: &str = "gone";

/// The meaning of a morale state, from best to worst.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Standing {
    /// Neither shaken nor broken.
    Good,
    /// Shaken, not broken.
    Shaken,
    /// Broken, on the table.
    Broken,
    /// Destroyed, or off the table.
    Gone,
}

/// A clause of the rulebook, and where it was used.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct WatchedClause {
    /// Its number in the rulebook.
    pub id: String,
    /// The requirement, in words.
    pub text: String,
    /// For each watched cell, the number of battles in which it was used.
    pub battles: Vec<u64>,
}

/// Number of events to watch for morale, over all cells: about a second on one core.
const EVENTS: u64 = 4_000_000;
/// Number of events to watch for clauses, over all cells: about as long on one core.
const CLAUSE_EVENTS: u64 = 400_000;
/// The maximum number of cells that are watched.
const CELLS: usize = 240;
/// At most one in this many of the requested battles is watched, with its clauses counted, because watching is
/// slow.
const ONE_IN: u64 = 16;
const CLAUSES_ONE_IN: u64 = 64;

/// Watches the first battles of `study`; `None` if `stop` was raised, or the run did not begin with battle 0.
///
/// `tallied` is the finished run: it says who was expected to win. `asked` is the number of battles requested for each
/// cell.
#[must_use]
pub fn watch(study: &Study, tallied: &Tallied, asked: u64, stop: &Stop) -> Option<Watched> {
    let cells = &study.cells[..study.cells.len().min(CELLS)];
    if tallied.first > 0 || tallied.battles == 0 || cells.is_empty() {
        return None;
    }
    // The number of events in one battle of each cell.
    let round: u64 = cells.par_iter().map(|cell| events_of_first_battle(study, cell)).sum();
    let each = |events: u64, one_in: u64| {
        let most = (asked / one_in).clamp(1, u64::from(BLOCK)).min(tallied.battles);
        (events / round.max(1)).clamp(1, most)
    };
    let battles = study.whole_rounds(each(EVENTS, ONE_IN));
    let clause_battles = each(CLAUSE_EVENTS, CLAUSES_ONE_IN).min(battles);
    let seen: Option<Vec<Seen<'_>>> =
        cells.par_iter().map(|cell| see(study, cell, (battles, clause_battles), stop)).collect();
    let seen = seen?;
    let outcomes: Vec<&[Outcome]> = seen.iter().map(|seen| seen.outcomes.as_slice()).collect();
    let odd = odd::find(study, tallied, &outcomes);
    Some(Watched { battles, clause_battles, clauses: clauses(cells, &seen), odd, cells: with_morale(cells, seen) })
}

/// The results of watching a cell.
struct Seen<'a> {
    morale: Morale,
    outcomes: Vec<Outcome>,
    coverage: Coverage<'a>,
}

fn see<'a>(study: &Study, cell: &'a Cell, (battles, clause_battles): (u64, u64), stop: &Stop) -> Option<Seen<'a>> {
    let mut dice = SeededDice::new(study.seed);
    let mut morale = Morale::new(&cell.rules, cell.setup.turns);
    let mut coverage = Coverage::new(&cell.rules, &cell.setup, &cell.gauges);
    let mut outcomes = Vec::new();
    for battle in 0..battles {
        if stop.is_raised() {
            return None;
        }
        let bout = cell.bout(battle);
        dice.battle(bout.dice);
        morale.begin(bout.swapped);
        let outcome = fight(&cell.rules, bout.setup, &mut dice, &mut morale);
        outcomes.push(if bout.swapped { outcome.swap() } else { outcome });
        if battle < clause_battles {
            dice.battle(bout.dice);
            coverage.begin();
            fight(&cell.rules, bout.setup, &mut dice, &mut coverage);
        }
    }
    Some(Seen { morale, outcomes, coverage })
}

/// Every clause once, pack after pack.
fn clauses(cells: &[Cell], seen: &[Seen<'_>]) -> Vec<WatchedClause> {
    let mut clauses: Vec<WatchedClause> = Vec::new();
    let mut last: Option<&Cell> = None;
    for cell in cells {
        // Cells that share their rules, as most do, are examined once.
        if last.is_some_and(|last| std::sync::Arc::ptr_eq(&last.rules, &cell.rules)) {
            continue;
        }
        last = Some(cell);
        for clause in cell.rules.clauses.iter() {
            if !clauses.iter().any(|known| known.id == clause.id && known.text == clause.text) {
                let battles = Vec::new();
                clauses.push(WatchedClause { id: clause.id.clone(), text: clause.text.clone(), battles });
            }
        }
    }
    for clause in &mut clauses {
        let registers =
            |cell: &Cell| cell.rules.clauses.iter().any(|known| known.id == clause.id && known.text == clause.text);
        let count = |(cell, seen): (&Cell, &Seen<'_>)| {
            let count = seen.coverage.clauses().get(&clause.id).filter(|count| count.battles > 0);
            count.filter(|_| registers(cell)).map_or(0, |count| count.battles)
        };
        clause.battles = cells.iter().zip(seen).map(count).collect();
    }
    clauses
}

fn with_morale(cells: &[Cell], seen: Vec<Seen<'_>>) -> Vec<WatchedCell> {
    let one = |(cell, seen): (&Cell, Seen)| {
        let morale = cell.setup.start.sides().iter().map(|&side| seen.morale.states(side)).collect();
        WatchedCell { cell: cell.header.cell, battles: seen.morale.battles(), morale }
    };
    cells.iter().zip(seen).map(one).collect()
}

/// A witness that collects the counts.
struct Counter(u64);

impl Witness for Counter {
    fn see(&mut self, _: Scene<'_>, _: &Event) {
        self.0 += 1;
    }
}

/// The number of events in the first battle of a cell: a measure of the time its battles take.
pub(crate) fn events_of_first_battle(study: &Study, cell: &Cell) -> u64 {
    let (mut dice, mut counter) = (SeededDice::new(study.seed), Counter(0));
    dice.battle(cell.bout(0).dice);
    fight(&cell.rules, &cell.setup, &mut dice, &mut counter);
    counter.0
}

impl Watched {
    /// The results of watching a cell.
    #[must_use]
    pub fn cell(&self, cell: u32) -> Option<&WatchedCell> {
        self.cells.iter().find(|watched| watched.cell == cell)
    }
}

impl WatchedCell {
    /// The morale of one side's units.
    #[must_use]
    pub fn of(&self, side: Side) -> &[StateByTurn] {
        &self.morale[side.index()]
    }
}
