//! A witness that writes down everything, and every clause that what happened carries out.

use std::collections::BTreeSet;

use grognard_engine::plane::Arc;
use grognard_engine::{Event, HexEvent, Occasion, Refusal, RollEvent, Scene, ScreenRefusal, UnitId, Why, Witness};
use grognard_rules::expr::Expr;
use grognard_rules::model::{Activation, Board, Contestant, Deed, Mechanism, Order, Rules, Source};
use grognard_rules::situation::{Fact, Field, Subject};

/// All events of a battle, and the clauses cited by the rows behind them.
///
/// A row is behind an event when it decided how the event came out:
///
/// - the phase, for what its own mechanism does; the reaction, roll, modifier and result of a roll;
/// - the morale state, when it is entered, acted on or read by a modifier that applied;
/// - a formation, when it is taken by order or refused, when a modifier that applied reads something of it, when only its
///   facing everywhere put a target in front or kept a flank from being one, when its being loose forbade a charge;
/// - a unit's rate of movement when it marches, and when it takes the formation; its type where its reach or the width of its
///   base decided, or where a formation is closed to it;
/// - the arc and the rules of movement where they decided.
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

    /// A unit's type decided something.
    fn kind(&mut self, scene: Scene<'_>, id: UnitId) {
        self.cite(&scene.rules.kinds[usize::from(scene.battle.unit(id).kind)].source);
    }

    /// The rate of movement of a unit in its formation did.
    fn rate(&mut self, scene: Scene<'_>, id: UnitId) {
        let unit = scene.battle.unit(id);
        self.cite(&scene.rules.kinds[usize::from(unit.kind)].speed_sources[usize::from(unit.formation)]);
    }

    fn formation(&mut self, scene: Scene<'_>, id: UnitId) {
        let unit = scene.battle.unit(id);
        self.cite(&scene.rules.formations[usize::from(unit.formation)].source);
    }

    fn morale(&mut self, scene: Scene<'_>, id: UnitId) {
        self.cite(&scene.rules.morale[usize::from(scene.battle.unit(id).morale)].source);
    }

    fn mode(&mut self, scene: Scene<'_>, mode: u8) {
        if let Some(rules) = &scene.rules.command {
            self.cite(&rules.modes[usize::from(mode)].source);
        }
    }

    fn slow(&mut self, scene: Scene<'_>, formation: u8) {
        if let Some(slow) = &scene.rules.formations[usize::from(formation)].slow {
            self.cite(&slow.source);
        }
    }

    /// A unit's fire or charge was aimed at another: by its arc, or in any direction.
    fn aimed(&mut self, scene: Scene<'_>, own: UnitId, target: UnitId) {
        let rules = scene.rules;
        let Board::Plane { arc, .. } = rules.board else { return };
        let unit = scene.battle.unit(own);
        if !rules.formations[usize::from(unit.formation)].all_round {
            self.cite(&rules.arc_source);
        } else if !unit.rect(rules).has_in_front(&scene.battle.unit(target).rect(rules), arc) {
            self.formation(scene, own);
        }
    }

    /// It mattered from where a unit was attacked: its arcs decided that, or its facing everywhere.
    fn struck(&mut self, scene: Scene<'_>, target: UnitId, attacker: UnitId) {
        let rules = scene.rules;
        let Board::Plane { arc, .. } = rules.board else { return };
        let (unit, by) = (scene.battle.unit(target), scene.battle.unit(attacker));
        if !rules.formations[usize::from(unit.formation)].all_round {
            self.cite(&rules.arc_source);
        } else if unit.rect(rules).aspect(&by.rect(rules), by.footprint(rules), by.figures, arc) != Arc::Front {
            self.formation(scene, target);
        }
    }

    /// A condition held, read with the eyes of one unit: what it reads of the two decided.
    fn held(&mut self, scene: Scene<'_>, when: &Expr, own: UnitId, foe: Option<UnitId>) {
        for var in when.vars() {
            let Field { subject, fact } = scene.rules.field(var);
            let (of, against) = match subject {
                Subject::Own => (own, foe.unwrap_or(own)),
                Subject::Foe => (foe.unwrap_or(own), own),
            };
            match fact {
                Fact::Formation
                | Fact::Loose
                | Fact::Facing
                | Fact::Target
                | Fact::Formed
                | Fact::Front
                | Fact::Ranks
                | Fact::Behind => {
                    self.formation(scene, of);
                }
                Fact::Morale | Fact::Shaken | Fact::Broken => {
                    self.morale(scene, of);
                    if let Some(battery) = scene.rules.battery.as_ref().filter(|_| scene.battle.unit(of).cannon > 0) {
                        self.cite(&battery.source);
                        for case in &battery.disordered {
                            self.cite(&case.source);
                        }
                    }
                }
                Fact::Exposed => self.struck(scene, of, against),
                Fact::Fighting => {
                    if let Some(flanked) = &scene.rules.flanked {
                        self.cite(&flanked.source);
                    }
                }
                Fact::Backed | Fact::Supported | Fact::Stack => {
                    if let Some(support) = &scene.rules.support {
                        self.cite(&support.source);
                    }
                }
                Fact::Reach | Fact::Range => self.kind(scene, of),
                _ => {}
            }
        }
    }

    fn rolled(&mut self, scene: Scene<'_>, event: &RollEvent) {
        let rules = scene.rules;
        let roll = &rules.rolls[usize::from(event.roll)];
        if let Occasion::Reaction(index) = event.occasion {
            self.cite(&rules.reactions[usize::from(index)].source);
        }
        self.cite(&roll.source);
        for &(input, row) in &event.modifiers {
            let modifier = &roll.modifiers[row];
            self.cite(&modifier.source);
            if let Some(when) = &modifier.when {
                match (roll.inputs[input].by, event.foe) {
                    (Contestant::Foe, Some(foe)) => self.held(scene, when, foe, Some(event.own)),
                    (_, foe) => self.held(scene, when, event.own, foe),
                }
            }
        }
        // The class of a target decides whichever way the modifiers that look at it turn out.
        let every = roll.inputs.iter().flat_map(|input| input.rows.iter().map(move |&row| (input.by, row)));
        for (by, row) in every {
            let read = roll.modifiers[usize::from(row)].when.iter().flat_map(Expr::vars).map(|var| rules.field(var));
            for Field { subject, .. } in read.filter(|field| field.fact == Fact::Target) {
                match ((by == Contestant::Own) == (subject == Subject::Own), event.foe) {
                    (true, _) => self.formation(scene, event.own),
                    (false, Some(foe)) => self.formation(scene, foe),
                    (false, None) => {}
                }
            }
        }
        self.cite(&roll.results[usize::from(roll.outcomes[usize::from(event.outcome)].row)].source);
        if let Some(foe) = event.foe {
            self.aimed(scene, event.own, foe);
            self.struck(scene, foe, event.own);
        }
        for id in std::iter::once(event.own).chain(event.foe) {
            if scene.battle.unit(id).bend != 0 {
                self.cite(&rules.dressing.source);
            }
        }
    }

    fn rejoined(&mut self, scene: Scene<'_>, why: Why) {
        if let Some(skirmish) = &scene.rules.skirmish {
            self.cite(skirmish.rejoin_source(why));
        }
    }

    fn refused(&mut self, scene: Scene<'_>, id: UnitId, why: Refusal) {
        let rules = scene.rules;
        let unit = scene.battle.unit(id);
        match why {
            Refusal::Formation => {
                let Some(wanted) = self.wanted.map(usize::from) else { return };
                let kind = &rules.kinds[usize::from(unit.kind)];
                if kind.speed[wanted].is_none() {
                    self.cite(&kind.source);
                }
                self.cite(&rules.formations[wanted].source);
            }
            Refusal::Broken => self.morale(scene, id),
            Refusal::NoRoom => self.cite(&rules.movement.source),
            Refusal::Spent => {}
            Refusal::Act { act, bar } => {
                self.cite(&rules.acts[usize::from(act)].bars[usize::from(bar)].source);
            }
            Refusal::NoPoints { act } => self.cite(&rules.acts[usize::from(act)].source),
            Refusal::FireZone => {
                if let Some(zone) = &rules.fire_zone {
                    self.cite(&zone.source);
                }
            }
            Refusal::CannotDismount => self.kind(scene, id),
            Refusal::Screen(why) => {
                let Some(skirmish) = &rules.skirmish else { return };
                match why {
                    ScreenRefusal::Bar(bar) => self.cite(&skirmish.bars[usize::from(bar)].source),
                    ScreenRefusal::TooMany(row) => self.cite(&skirmish.screens[usize::from(row)].source),
                    ScreenRefusal::NoSkirmishers => self.cite(&skirmish.source),
                    ScreenRefusal::NobodyThere => self.rejoined(scene, Why::Ordered),
                }
            }
            Refusal::TooFar => {
                self.rate(scene, id);
                self.cite(&rules.movement.source);
            }
            Refusal::TooWide(mode) => self.mode(scene, mode),
            Refusal::Ambiguous => self.cite(&rules.dressing.source),
            Refusal::Barred(formation, bar) => {
                self.cite(&rules.formations[usize::from(formation)].bars[usize::from(bar)].source);
            }
            Refusal::Ground(ground, bar) => {
                self.cite(&rules.grounds[usize::from(ground)].bars[usize::from(bar)].source);
            }
            Refusal::NotInMove(formation) | Refusal::NoMove(formation) => {
                if let Some(in_move) = &rules.formations[usize::from(formation)].in_move {
                    self.cite(&in_move.source);
                } else {
                    self.cite(&rules.formations[usize::from(formation)].source);
                }
            }
            Refusal::Forming(formation) => self.slow(scene, formation),
            Refusal::Held => {
                if let Some(zone) = &rules.charge_zone {
                    self.cite(&zone.source);
                }
            }
            Refusal::NotInFront | Refusal::NoTarget => self.cite(&rules.arc_source),
            Refusal::OutOfReach => {
                self.kind(scene, id);
                self.rate(scene, id);
                self.cite(&rules.movement.source);
            }
            Refusal::MayNotCharge => {
                if rules.formations[usize::from(unit.formation)].formed {
                    self.cite(&rules.movement.source);
                } else {
                    self.formation(scene, id);
                }
            }
        }
    }
}

/// Whether an event is what the phase's own mechanism does.
fn belongs(event: &Event, mechanism: Mechanism) -> bool {
    match mechanism {
        Mechanism::Formation => {
            matches!(
                event,
                Event::Formed { .. }
                    | Event::Turned { .. }
                    | Event::Detached { .. }
                    | Event::Dismounted { .. }
                    | Event::Refused { .. }
            )
        }
        Mechanism::Charge => matches!(
            event,
            Event::Declared { .. } | Event::Contact { .. } | Event::FellShort { .. } | Event::Refused { .. }
        ),
        Mechanism::Move => {
            matches!(event, Event::Marched { .. } | Event::Fled { .. } | Event::Refused { .. })
        }
        Mechanism::Orders => matches!(event, Event::Paid { .. } | Event::Refused { .. }),
        Mechanism::Flight => matches!(event, Event::RanAway { .. }),
        Mechanism::Volley(_) => matches!(event, Event::Rolled(_) | Event::Firing { .. }),
        Mechanism::Onset(_) => {
            matches!(event, Event::Rolled(_) | Event::Occupied { .. } | Event::Pursued { .. })
        }
        _ => match event {
            Event::Rolled(roll) => matches!(roll.occasion, Occasion::Phase(_)),
            other => matches!(other, Event::Refused { .. }),
        },
    }
}

impl Recorder {
    fn of_hexes(&mut self, scene: Scene<'_>, event: &HexEvent) {
        let Some(hex) = scene.rules.hex.as_deref() else { return };
        match event {
            HexEvent::Provided { row, .. } | HexEvent::Breached { row, .. } => {
                self.cite(&hex.provisions[usize::from(*row)].source);
            }
            HexEvent::Played(kind) => {
                if let Some(deck) = &hex.deck {
                    self.cite(&deck.cards[usize::from(*kind)].source);
                    self.cite(&deck.source);
                }
            }
            HexEvent::Moved { unit, .. } | HexEvent::FellBack { unit, .. } => {
                let kind = scene.battle.unit(*unit).kind;
                self.cite(&scene.rules.kinds[usize::from(kind)].source);
                self.cite(&hex.source);
            }
            HexEvent::Commanded(_) | HexEvent::Declared { .. } => {}
        }
    }
}

impl Witness for Recorder {
    const WATCHES: bool = true;

    fn see(&mut self, scene: Scene<'_>, event: &Event) {
        let rules = scene.rules;
        let phase = &rules.phases[usize::from(scene.battle.phase)];
        if belongs(event, phase.mechanism) {
            self.cite(&phase.source);
        }
        match event {
            Event::HalfTurn
            | Event::Phase(_)
            | Event::Turned { .. }
            | Event::Retreated { .. }
            | Event::Lost { .. }
            | Event::FellShort { .. }
            | Event::Destroyed(_) => {}
            Event::Orders { .. } => {
                if let Activation::Dice { source, .. } = &rules.activation {
                    self.cite(source);
                }
            }
            Event::Ordered { order, .. } => {
                self.wanted = if let Order::Form(formation) = order { Some(*formation) } else { None };
            }
            Event::Refused { unit, why } => self.refused(scene, *unit, *why),
            Event::Formed { unit, .. } => {
                let taken = &rules.formations[usize::from(scene.battle.unit(*unit).formation)];
                if let Some(in_move) = taken.in_move.as_ref().filter(|_| phase.mechanism == Mechanism::Move) {
                    self.cite(&in_move.source);
                }
                if matches!(phase.mechanism, Mechanism::Formation | Mechanism::Move | Mechanism::Orders) {
                    self.formation(scene, *unit);
                    self.rate(scene, *unit);
                } else {
                    self.morale(scene, *unit);
                }
            }
            Event::Marched { unit, wheel, .. } => {
                self.rate(scene, *unit);
                self.cite(&rules.movement.source);
                if let Some(command) = scene.battle.command_of(scene.battle.unit(*unit)) {
                    self.mode(scene, command.mode);
                }
                let marcher = scene.battle.unit(*unit);
                if *wheel != 0 && rules.formations[usize::from(marcher.formation)].all_round {
                    self.formation(scene, *unit);
                } else if *wheel != 0 && marcher.footprint(rules).width <= rules.movement.narrow {
                    self.kind(scene, *unit);
                }
            }
            Event::CannonLost { .. } | Event::CrewLeft { .. } | Event::CrewBack { .. } => {
                if let Some(battery) = &rules.battery {
                    self.cite(&battery.source);
                }
            }
            Event::Forming { formation, .. } => self.slow(scene, *formation),
            Event::InZone { trigger, .. } => {
                if let Some(zone) = &rules.fire_zone {
                    self.cite(&zone.source);
                }
                for reaction in rules.reactions.iter().filter(|reaction| reaction.on == *trigger) {
                    self.cite(&reaction.source);
                }
            }
            Event::Threatened { .. } => {
                if let Some(zone) = &rules.charge_zone {
                    self.cite(&zone.source);
                }
            }
            Event::Paid { unit, act } => {
                let act = &rules.acts[usize::from(*act)];
                self.cite(&act.source);
                if matches!(act.deed, Deed::Move | Deed::Contact) {
                    self.rate(scene, *unit);
                }
            }
            Event::Halved { rate, .. } => {
                self.cite(&rules.movement.source);
                let half = rules.movement.half.as_ref().expect("only rates halve moves");
                self.cite(&half.rows[*rate].source);
            }
            Event::OnRoad { .. } => {
                let (_, source) = rules.movement.road.as_ref().expect("a road adds what the pack says");
                self.cite(source);
            }
            Event::Shifted { unit, .. } => {
                self.rate(scene, *unit);
                self.cite(&rules.movement.source);
            }
            Event::Met { .. } | Event::Nudged { .. } => self.cite(&rules.movement.source),
            Event::Firing { .. } | Event::Occupied { .. } => {}
            Event::Reacted { reaction, .. } => {
                let reaction = &rules.reactions[usize::from(*reaction)];
                self.cite(&reaction.source);
            }
            Event::RanAway { row, .. } => {
                let flight = rules.flight.as_ref().expect("units run away by the flight table only");
                self.cite(&flight.source);
                self.cite(&flight.rows[*row].source);
            }
            Event::Pursued { row, .. } => {
                let flight = rules.flight.as_ref().expect("units pursue by the flight table only");
                self.cite(&flight.pursuits[*row].source);
            }
            Event::Declared { unit, target, .. } => {
                self.aimed(scene, *unit, *target);
                self.kind(scene, *unit);
                self.cite(&rules.movement.source);
            }
            Event::Contact { unit, target, .. } => self.struck(scene, *target, *unit),
            Event::Fled { unit, .. } | Event::Morale { unit, .. } => self.morale(scene, *unit),
            Event::Detached { row, .. } => {
                if let Some(skirmish) = &rules.skirmish {
                    self.cite(&skirmish.source);
                    self.cite(&skirmish.screens[usize::from(*row)].source);
                }
            }
            Event::Rejoined { why, .. } => self.rejoined(scene, *why),
            Event::Strayed { .. } => self.rejoined(scene, Why::Strayed),
            Event::Dismounted { unit, .. } => self.kind(scene, *unit),
            Event::Settled { from, .. } => self.mode(scene, *from),
            Event::Disordered { ground, .. } => self.cite(&rules.grounds[usize::from(*ground)].source),
            Event::Ambiguous { .. } => {
                if let Some((_, source)) = &rules.dressing.ambiguous {
                    self.cite(source);
                }
            }
            Event::Rolled(roll) => self.rolled(scene, roll),
            Event::LeftTable(_) => self.cite(&rules.table_source),
            Event::Over { .. } => self.cite(&rules.victory.source),
            Event::Hex(event) => self.of_hexes(scene, event),
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
