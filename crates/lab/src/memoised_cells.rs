//! Fighters for a study's cells.

use std::ops::Range;
use std::sync::{Mutex, OnceLock, PoisonError};

use grognard_dice::SeededDice;
use grognard_engine::{
    BySide, Fallen, Gauges, Lucky, Memory, Outcome, Outcomes, Steps, Unwitnessed, Value, Witness, fight,
};

use crate::runner::{Fighter, Fought, Noting};
use crate::study::{Cell, Study};
use crate::worth;

/// The total bytes for the memories of all cells. Threads that fight the same cell at the same time have one each.
const MEMORY: usize = 128 << 20;

/// The maximum number of bytes for one cell's memory. A duel of a dozen figures a side needs a small part of it;
/// brigades fill any amount.
const MEMORY_OF_CELL: usize = 16 << 20;

/// The cells of a study, fought with seeded dice, every battle played step by step.
///
/// Battle `i` has the same dice in every cell.
impl Fighter for Study {
    fn fight(&self, cell: u32, battles: Range<u64>) -> Vec<Outcome> {
        let cell = &self.cells[cell as usize];
        let mut dice = SeededDice::new(self.seed);
        battles.map(|battle| play(cell, battle, &mut dice, &mut Unwitnessed)).collect()
    }

    fn fight_noting(&self, cell: u32, battles: Range<u64>, noting: Noting) -> Fought {
        let known = &self.cells[cell as usize];
        match (known.gauges.is_empty(), noting.luck) {
            (true, false) => Fought { outcomes: self.fight(cell, battles).into_iter().collect(), ..Fought::default() },
            (true, true) => lucky(self.seed, known, battles, &worth::value(known, self.seed)),
            (false, luck) => {
                let value = luck.then(|| worth::value(known, self.seed));
                counted(self.seed, known, battles, value.as_ref())
            }
        }
    }
}

/// A battle of a cell, step by step.
fn play(cell: &Cell, battle: u64, dice: &mut SeededDice, witness: &mut dyn Witness) -> Outcome {
    let bout = cell.bout(battle);
    dice.battle(bout.dice);
    let outcome = fight(&cell.rules, bout.setup, dice, witness);
    if bout.swapped { outcome.swap() } else { outcome }
}

/// Plays a battle like [`play`], and also returns the luck of the dice and its worth.
fn play_with_luck(
    cell: &Cell,
    battle: u64,
    dice: &mut SeededDice,
    value: &Value,
    witness: &mut dyn Witness,
) -> (Outcome, Fallen) {
    let bout = cell.bout(battle);
    dice.battle(bout.dice);
    let mut lucky = Lucky::new(dice, value);
    let outcome = fight(&cell.rules, bout.setup, &mut lucky, witness);
    if bout.swapped { (outcome.swap(), lucky.fallen.swap()) } else { (outcome, lucky.fallen) }
}

/// The battles of a cell with the luck of the dice and its worth.
fn lucky(seed: u64, cell: &Cell, battles: Range<u64>, value: &Value) -> Fought {
    let mut dice = SeededDice::new(seed);
    let played = battles.map(|battle| play_with_luck(cell, battle, &mut dice, value, &mut Unwitnessed));
    let (outcomes, fallen): (Vec<_>, _) = played.unzip();
    Fought { outcomes: outcomes.into_iter().collect(), fallen, ..Fought::default() }
}

/// The battles of a cell with the pack's own counts and, if its value is given, the luck of the dice. The cache of
/// other battles is not used: every battle is played in full.
fn counted(seed: u64, cell: &Cell, battles: Range<u64>, value: Option<&Value>) -> Fought {
    let mut dice = SeededDice::new(seed);
    let mut gauges = Gauges::new(&cell.rules, cell.setup.start.sides().len(), &cell.gauges);
    let mut fought = Fought::default();
    let mut outcomes = Vec::new();
    for battle in battles {
        gauges.begin();
        let outcome = if let Some(value) = value {
            let (outcome, fallen) = play_with_luck(cell, battle, &mut dice, value, &mut gauges);
            fought.fallen.push(fallen);
            outcome
        } else {
            play(cell, battle, &mut dice, &mut gauges)
        };
        outcomes.push(outcome);
        let counts = gauges.counts();
        let swapped = cell.bout(battle).swapped;
        fought.counted.push(if swapped { BySide::new(counts.second, counts.first) } else { counts });
    }
    fought.outcomes = outcomes.into_iter().collect();
    fought
}

/// Fights the same battles with the same outcomes in a fraction of the time: what a cell's battles have in common is
/// computed once and cached.
#[derive(Debug)]
pub struct MemoisedCells<'a> {
    study: &'a Study,
    seed: u64,
    /// Idle memories, by cell: at most one for each thread.
    idle: Vec<Mutex<Vec<Memories>>>,
    /// The worth of luck, by cell, if it has been requested.
    values: Vec<OnceLock<Value>>,
}

/// The memory of a cell's battles, and of those with the roles exchanged.
#[derive(Debug)]
struct Memories {
    given: Memory,
    swapped: Option<Memory>,
}

impl Memories {
    fn of(cell: &Cell, room: usize) -> Self {
        let swapped = cell.swapped.as_ref().map(|setup| Memory::new(setup, room / 2));
        Self { given: Memory::new(&cell.setup, if swapped.is_some() { room / 2 } else { room }), swapped }
    }
}

/// Fights battles of a cell with its memory.
struct CellFighter<'a> {
    cell: &'a Cell,
    memories: Memories,
    given: Steps<'a>,
    swapped: Option<Steps<'a>>,
}

impl<'a> CellFighter<'a> {
    fn new(cell: &'a Cell, memories: Memories) -> Self {
        let swapped = cell.swapped.as_ref().map(|setup| Steps::new(&cell.rules, setup));
        Self { cell, memories, given: Steps::new(&cell.rules, &cell.setup), swapped }
    }

    fn fight(&mut self, battles: &Range<u64>, dice: &mut SeededDice) -> Outcomes {
        let [given, exchanged] = dice_of(self.cell, battles);
        let given = self.memories.given.fight(&mut self.given, dice, &given);
        let Some((memory, steps)) = self.memories.swapped.as_mut().zip(self.swapped.as_mut()) else { return given };
        let swapped = memory.fight(steps, dice, &exchanged);
        merge(self.cell, battles, given, swapped)
    }

    fn fight_with_luck(&mut self, battles: &Range<u64>, dice: &mut SeededDice, value: &Value) -> Fought {
        let [given, exchanged] = dice_of(self.cell, battles);
        let (mut outcomes, mut fallen) = self.memories.given.fight_with_luck(&mut self.given, dice, &given, value);
        if let Some((memory, steps)) = self.memories.swapped.as_mut().zip(self.swapped.as_mut()) {
            let (swapped, luck) = memory.fight_with_luck(steps, dice, &exchanged, value);
            outcomes = merge(self.cell, battles, outcomes, swapped);
            fallen = in_order(self.cell, battles, fallen.into_iter(), luck.into_iter().map(Fallen::swap)).collect();
        }
        Fought { outcomes, fallen, ..Fought::default() }
    }
}

/// The dice of the battles that are fought with the sides as given, and of those in which they are exchanged.
fn dice_of(cell: &Cell, battles: &Range<u64>) -> [Vec<u64>; 2] {
    let mut dice = [Vec::new(), Vec::new()];
    for bout in battles.clone().map(|battle| cell.bout(battle)) {
        dice[usize::from(bout.swapped)].push(bout.dice);
    }
    dice
}

/// The outcomes of all battles in order, from those with the sides as given and exchanged.
fn merge(cell: &Cell, battles: &Range<u64>, given: Outcomes, exchanged: Outcomes) -> Outcomes {
    Outcomes::merge([given, exchanged.swap()], battles.clone().map(|battle| cell.bout(battle).swapped))
}

/// All battles in order, from the order of those with the sides as given and exchanged.
fn in_order<T>(
    cell: &Cell,
    battles: &Range<u64>,
    mut given: impl Iterator<Item = T>,
    mut exchanged: impl Iterator<Item = T>,
) -> impl Iterator<Item = T> {
    battles.clone().filter_map(move |battle| if cell.bout(battle).swapped { exchanged.next() } else { given.next() })
}

impl<'a> MemoisedCells<'a> {
    /// The cells of a study, with nothing cached yet.
    #[must_use]
    pub fn new(study: &'a Study) -> Self {
        Self::with_seed(study, study.seed)
    }

    /// The same cells with dice other than the study's.
    #[must_use]
    pub fn with_seed(study: &'a Study, seed: u64) -> Self {
        let (idle, values) = study.cells.iter().map(|_| (Mutex::default(), OnceLock::new())).unzip();
        Self { study, seed, idle, values }
    }
}

impl MemoisedCells<'_> {
    /// The worth of luck in a cell. The first caller computes it, and the others wait.
    fn value(&self, cell: u32) -> &Value {
        self.values[cell as usize].get_or_init(|| worth::value(&self.study.cells[cell as usize], self.seed))
    }

    /// Calls `fight` with a fighter that has the cell's memory.
    fn with_memory<T>(&self, cell: u32, fight: impl FnOnce(&mut CellFighter<'_>, &mut SeededDice) -> T) -> T {
        let idle = &self.idle[cell as usize];
        let cell = &self.study.cells[cell as usize];
        let known = idle.lock().unwrap_or_else(PoisonError::into_inner).pop();
        let room = (MEMORY / self.idle.len()).min(MEMORY_OF_CELL);
        let mut fighter = CellFighter::new(cell, known.unwrap_or_else(|| Memories::of(cell, room)));
        let fought = fight(&mut fighter, &mut SeededDice::new(self.seed));
        idle.lock().unwrap_or_else(PoisonError::into_inner).push(fighter.memories);
        fought
    }
}

impl Fighter for MemoisedCells<'_> {
    fn fight(&self, cell: u32, battles: Range<u64>) -> Vec<Outcome> {
        self.with_memory(cell, |fighter, dice| fighter.fight(&battles, dice).iter().copied().collect())
    }

    fn fight_noting(&self, cell: u32, battles: Range<u64>, noting: Noting) -> Fought {
        let known = &self.study.cells[cell as usize];
        match (known.gauges.is_empty(), noting.luck) {
            (true, false) => self.with_memory(cell, |fighter, dice| Fought {
                outcomes: fighter.fight(&battles, dice),
                ..Fought::default()
            }),
            (true, true) => {
                let value = self.value(cell);
                self.with_memory(cell, |fighter, dice| fighter.fight_with_luck(&battles, dice, value))
            }
            (false, luck) => counted(self.seed, known, battles, luck.then(|| self.value(cell))),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use grognard_source::Sources;

    use super::*;
    use crate::study::Changes;

    #[test]
    fn an_army_fights_the_battles_of_its_study() {
        let folder = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../../studies"));
        // Duels, with and without steps that read the turn, and studies with commands, generals and cards.
        let studies = [
            ("square-vs-line", 300),
            ("refduel", 300),
            ("forming-square-late", 300),
            ("risk-dice", 300),
            ("fire-at-formations", 300),
            ("pip-square", 300),
            ("pips-everything", 30),
            ("hex-everything", 30),
        ];
        for (name, few) in studies {
            let mut sources = Sources::new();
            let study = Study::load(&folder.join(name).with_extension("toml"), &Changes::default(), &mut sources);
            let study = study.unwrap_or_else(|faults| panic!("{}", faults.render(&sources, false)));
            let fighter = MemoisedCells::new(&study);
            for cell in (0..study.cells.len() as u32).step_by(7) {
                // In two batches, so that the second one finds what the first left in the cache.
                for battles in [0..few, few..2 * few] {
                    let fought = study.fight(cell, battles.clone());
                    assert_eq!(fighter.fight(cell, battles.clone()), fought, "{name}, cell {cell}");
                    // Estimating what luck is worth in a cell takes far more battles: about a minute for whole armies
                    // with command points.
                    if cell > 0 || name == "pips-everything" {
                        continue;
                    }
                    let noting = Noting { luck: true };
                    let with_luck = fighter.fight_noting(cell, battles.clone(), noting);
                    assert_eq!(with_luck.outcomes.iter().copied().collect::<Vec<_>>(), fought, "{name}, cell {cell}");
                    let plain = lucky(study.seed, &study.cells[0], battles, fighter.value(0));
                    assert_eq!(with_luck.fallen, plain.fallen, "{name}, cell {cell}");
                }
            }
        }
    }
}
