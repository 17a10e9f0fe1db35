//! A witness that writes down everything, and every clause that what happened carries out.

use std::collections::BTreeSet;

use grognard_engine::{Event, Occasion, Refusal, RollEvent, Scene, UnitId, Witness};
use grognard_rules::model::{Activation, Contestant, Order, Rules, Source};

/// All events of a battle, and the clauses cited by the rows behind them.
///
/// A row is behind an event when the event could not have come out as it did without it: the phase that was played, the
/// reaction, roll, modifier and result; the morale state entered; the formation taken, refused or made use of; the unit
/// type whose move or arms were used; the arc and movement rows where they decided.
#[derive(Clone, Debug, Default)]
pub(crate) struct Recorder {
    events: Vec<Event>,
    cited: BTreeSet<String>,
    wanted: Option<u8>,
}

impl Recorder {
    pub(crate) fn events(&self) -> &[Event] {
        &self.events
    }

    /// Every clause number cited, `house` included.
    pub(crate) fn cited(&self) -> &BTreeSet<String> {
        &self.cited
    }

    pub(crate) fn rolls(&self) -> impl DoubleEndedIterator<Item = &RollEvent> {
        self.events.iter().filter_map(|event| match event {
            Event::Rolled(roll) => Some(&**roll),
            _ => None,
        })
    }

    pub(crate) fn refusals(&self) -> Vec<Refusal> {
        let why = |event: &Event| if let Event::Refused { why, .. } = event { Some(*why) } else { None };
        self.events.iter().filter_map(why).collect()
    }

    fn cite(&mut self, source: &Source) {
        self.cited.extend(source.cite.iter().cloned());
    }

    /// The unit type and the formation of a unit decided something.
    fn used(&mut self, scene: Scene<'_>, id: UnitId) {
        let unit = scene.battle.unit(id);
        self.cite(&scene.rules.kinds[usize::from(unit.kind)].source);
        self.cite(&scene.rules.formations[usize::from(unit.formation)].source);
        if unit.bend != 0 {
            self.cite(&scene.rules.dressing.source);
        }
    }

    fn cite_mode(&mut self, scene: Scene<'_>, mode: u8) {
        if let Some(rules) = &scene.rules.command {
            self.cite(&rules.modes[usize::from(mode)].source);
        }
    }

    fn rolled(&mut self, scene: Scene<'_>, event: &RollEvent) {
        let rules = scene.rules;
        let roll = &rules.rolls[usize::from(event.roll)];
        if let Occasion::Reaction(index) = event.occasion {
            self.cite(&rules.reactions[usize::from(index)].source);
        }
        self.cite(&roll.source);
        for &(_, row) in &event.modifiers {
            self.cite(&roll.modifiers[row].source);
        }
        self.cite(&roll.results[usize::from(roll.outcomes[usize::from(event.outcome)].row)].source);
        self.used(scene, event.own);
        if let Some(foe) = event.foe {
            self.used(scene, foe);
            self.cite(&rules.arc_source);
        }
    }
}

impl Witness for Recorder {
    const WATCHES: bool = true;

    fn see(&mut self, scene: Scene<'_>, event: &Event) {
        let rules = scene.rules;
        if !matches!(event, Event::HalfTurn | Event::Orders { .. } | Event::Phase(_) | Event::Over { .. }) {
            self.cite(&rules.phases[usize::from(scene.battle.phase)].source);
        }
        match event {
            Event::HalfTurn
            | Event::Phase(_)
            | Event::Turned { .. }
            | Event::Retreated { .. }
            | Event::Lost { .. }
            | Event::Destroyed(_) => {}
            Event::Orders { .. } => {
                if let Activation::Dice { source, .. } = &rules.activation {
                    self.cite(source);
                }
            }
            Event::Ordered { order, .. } => {
                self.wanted = if let Order::Form(formation) = order { Some(*formation) } else { None };
            }
            Event::Refused { unit, why } => match why {
                Refusal::Formation => {
                    if let Some(formation) = self.wanted {
                        self.cite(&rules.formations[usize::from(formation)].source);
                    }
                }
                Refusal::NoRoom | Refusal::Spent => {}
                Refusal::TooWide(mode) => self.cite_mode(scene, *mode),
                Refusal::Ambiguous => self.cite(&rules.dressing.source),
                Refusal::Barred(formation, bar) => {
                    self.cite(&rules.formations[usize::from(*formation)].bars[usize::from(*bar)].source);
                }
                Refusal::Ground(ground, bar) => {
                    self.cite(&rules.grounds[usize::from(*ground)].bars[usize::from(*bar)].source);
                }
                Refusal::NotInFront | Refusal::NoTarget => self.cite(&rules.arc_source),
                Refusal::OutOfReach | Refusal::MayNotCharge => {
                    self.used(scene, *unit);
                    self.cite(&rules.movement.source);
                }
            },
            Event::Formed { unit, .. } | Event::FellShort { unit } => self.used(scene, *unit),
            Event::Marched { unit, .. } | Event::Declared { unit, .. } => {
                if let Some(command) = scene.battle.command_of(scene.battle.unit(*unit)) {
                    self.cite_mode(scene, command.mode);
                }
                self.used(scene, *unit);
                self.cite(&rules.movement.source);
            }
            Event::Contact { target, .. } => {
                self.used(scene, *target);
                self.cite(&rules.arc_source);
            }
            Event::Fled { unit, .. } | Event::Morale { unit, .. } => {
                let state = scene.battle.unit(*unit).morale;
                self.cite(&rules.morale[usize::from(state)].source);
            }
            Event::Settled { from, .. } => self.cite_mode(scene, *from),
            Event::Disordered { ground, .. } => self.cite(&rules.grounds[usize::from(*ground)].source),
            Event::Ambiguous { .. } => {
                if let Some((_, source)) = &rules.dressing.ambiguous {
                    self.cite(source);
                }
            }
            Event::Rolled(roll) => self.rolled(scene, roll),
            Event::LeftTable(_) => self.cite(&rules.table_source),
            Event::Over { .. } => self.cite(&rules.victory.source),
        }
        self.events.push(event.clone());
    }
}

/// The modifiers that applied to one contestant's numbers, by their names in the pack.
pub(crate) fn modifiers_of<'r>(rules: &'r Rules, event: &RollEvent, whose: Contestant) -> Vec<&'r str> {
    let roll = &rules.rolls[usize::from(event.roll)];
    let mine = event.modifiers.iter().filter(|&&(input, _)| roll.inputs[input].by == whose);
    mine.map(|&(_, row)| roll.modifiers[row].id.as_str()).collect()
}
