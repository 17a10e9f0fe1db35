//! Morale turn by turn.

use grognard_engine::{Event, Flags, SIDES_MAX, Scene, Side, Witness};
use grognard_rules::model::{ByteId, Rules};

use super::{GONE, Standing, StateByTurn};

/// A witness that counts units by morale state at the end of each turn, over any number of battles.
#[derive(Debug)]
pub(super) struct Morale {
    /// The pack's states from best to worst, then that of units off the table.
    states: Vec<(String, Standing)>,
    /// Per side, state and turn.
    units: [Vec<Vec<u64>>; SIDES_MAX],
    /// Maximum number of game turns.
    turns: u8,
    /// Battles that have ended.
    battles: u64,
    /// Whether the sides have exchanged roles in the current battle.
    swapped: bool,
}

impl Morale {
    /// Creates empty counts for battles under these rules with this many turns.
    pub(super) fn new(rules: &Rules, turns: u8) -> Self {
        let standing = |shaken: bool, broken: bool| match (shaken, broken) {
            (_, true) => Standing::Broken,
            (true, false) => Standing::Shaken,
            (false, false) => Standing::Good,
        };
        let mut states: Vec<(String, Standing)> =
            rules.morale.iter().map(|state| (state.id.clone(), standing(state.shaken, state.broken))).collect();
        states.push((GONE.to_owned(), Standing::Gone));
        let none = vec![vec![0; usize::from(turns) + 1]; states.len()];
        Self { states, units: [(); SIDES_MAX].map(|()| none.clone()), turns, battles: 0, swapped: false }
    }

    /// Begins a battle; `swapped` says whether the sides have exchanged roles in it.
    pub(super) fn begin(&mut self, swapped: bool) {
        self.swapped = swapped;
    }

    /// Battles counted.
    pub(super) fn battles(&self) -> u64 {
        self.battles
    }

    /// The counts of a side; states that no unit was ever in are omitted.
    pub(super) fn states(&self, side: Side) -> Vec<StateByTurn> {
        let states = self.states.iter().zip(&self.units[side.index()]);
        states
            .filter(|(_, units)| units.iter().any(|&units| units > 0))
            .map(|((state, standing), units)| StateByTurn {
                state: state.clone(),
                standing: *standing,
                units: units.clone(),
            })
            .collect()
    }

    /// Counts the units of all sides in their current states, for these turns.
    fn count(&mut self, scene: Scene<'_>, turns: std::ops::RangeInclusive<u8>) {
        for &side in scene.battle.sides() {
            let own = if self.swapped { side.other() } else { side };
            for id in scene.battle.side(side) {
                let unit = scene.battle.unit(id);
                // Screens come from their units and return to them. Outcomes do not count them either.
                if unit.flags.has(Flags::SCREEN) {
                    continue;
                }
                let gone = self.states.len() - 1;
                let state = if unit.gone() || unit.figures == 0 { gone } else { unit.morale.index() };
                for turn in turns.clone() {
                    self.units[own.index()][state][usize::from(turn)] += 1;
                }
            }
        }
    }
}

impl Witness for Morale {
    fn see(&mut self, scene: Scene<'_>, event: &Event) {
        match event {
            Event::HalfTurn if scene.battle.active == scene.battle.leads() => {
                let ended = scene.battle.turn.saturating_sub(1).min(self.turns);
                self.count(scene, ended..=ended);
            }
            Event::Over { outcome, .. } => {
                self.count(scene, outcome.turns.min(self.turns)..=self.turns);
                self.battles += 1;
            }
            _ => {}
        }
    }
}
