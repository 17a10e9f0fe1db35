//! Which rows of a pack are behind what happens in a battle, and so which clauses.

mod general;
mod hexes;
mod refused;
mod rolled;

use grognard_rules::model::{Activation, Board, Deed, Mechanism, Order, Source};

use crate::plane::Arc;
use crate::scratch::Scratch;
use crate::state::UnitId;
use crate::view::View;
use crate::witness::{Event, Occasion, Scene, Why};

/// Follows a battle and tells, event by event, which rows of the pack were behind it.
///
/// A row is behind an event when it decided how the event came out:
///
/// - the phase, for what its own mechanism does; the reaction, roll, modifier and result of a roll;
/// - the morale state, when it is entered, acted on or read by a modifier that applied;
/// - a formation, when it is taken by order or refused, when a modifier that applied reads something of it, when only its
///   facing everywhere put a target in front or kept a flank from being one, when its being loose forbade a charge;
/// - a unit's rate of movement when it marches or charges, and when it takes the formation; its type where a formation is
///   closed to it or where it fights on foot;
/// - the arc and the rules of movement where they decided.
#[derive(Clone, Debug, Default)]
pub struct Citing {
    /// The formation that was ordered last: what a refusal speaks of.
    wanted: Option<u8>,
}

impl Citing {
    /// The sources of the rows that were behind an event, in the order in which they decided; a row may come twice.
    pub fn sources<'a>(&mut self, scene: Scene<'a>, event: &Event) -> Vec<&'a Source> {
        let mut behind = Behind { cited: Vec::new(), wanted: self.wanted };
        behind.happened(scene, event);
        self.wanted = behind.wanted;
        behind.cited
    }
}

/// The rows behind one event.
struct Behind<'a> {
    cited: Vec<&'a Source>,
    wanted: Option<u8>,
}

impl<'a> Behind<'a> {
    fn cite(&mut self, source: &'a Source) {
        self.cited.push(source);
    }

    /// A unit's type decided something.
    fn kind(&mut self, scene: Scene<'a>, id: UnitId) {
        self.cite(&scene.rules.kinds[usize::from(scene.battle.unit(id).kind)].source);
    }

    /// The rate of movement of a unit in its formation did.
    fn rate(&mut self, scene: Scene<'a>, id: UnitId) {
        let unit = scene.battle.unit(id);
        self.cite(&scene.rules.kinds[usize::from(unit.kind)].speed_sources[usize::from(unit.formation)]);
    }

    fn formation(&mut self, scene: Scene<'a>, id: UnitId) {
        let unit = scene.battle.unit(id);
        self.cite(&scene.rules.formations[usize::from(unit.formation)].source);
    }

    fn morale(&mut self, scene: Scene<'a>, id: UnitId) {
        self.cite(&scene.rules.morale[usize::from(scene.battle.unit(id).morale)].source);
    }

    fn mode(&mut self, scene: Scene<'a>, mode: u8) {
        if let Some(rules) = &scene.rules.command {
            self.cite(&rules.modes[usize::from(mode)].source);
        }
    }

    fn square(&mut self, scene: Scene<'a>) {
        if let Some(square) = &scene.rules.square {
            self.cite(&square.source);
        }
    }

    fn slow(&mut self, scene: Scene<'a>, formation: u8) {
        if let Some(slow) = &scene.rules.formations[usize::from(formation)].slow {
            self.cite(&slow.source);
        }
    }

    /// A unit's fire or charge was aimed at another: by its arc, or in any direction.
    fn aimed(&mut self, scene: Scene<'a>, own: UnitId, target: UnitId) {
        let rules = scene.rules;
        let Board::Plane { arc, .. } = rules.board else { return };
        let unit = scene.battle.unit(own);
        if !rules.formations[usize::from(unit.formation)].all_round {
            self.cite(&rules.arc_source);
        } else if !unit.rect(rules).has_in_front(&scene.battle.unit(target).rect(rules), arc) {
            self.formation(scene, own);
        }
    }

    /// A unit has taken a new heading on its march: at any point, because it is narrow or faces everywhere, or by a wheel.
    fn wheeled(&mut self, scene: Scene<'a>, id: UnitId) {
        let movement = &scene.rules.movement;
        let unit = scene.battle.unit(id);
        let scratch = Scratch::new();
        let view = View::new(scene.rules, scene.setup, scene.battle, &scratch, id, None);
        let may = movement.narrow_when.as_ref().is_none_or(|when| when.get(&view) != 0);
        if scene.rules.formations[usize::from(unit.formation)].all_round {
            self.formation(scene, id);
        } else if may && unit.footprint(scene.rules).width <= movement.narrow {
            self.cite(&movement.narrow_source);
        } else {
            self.cite(&movement.wheel_source);
        }
    }

    /// It mattered from where a unit was attacked: its arcs decided that, or its facing everywhere.
    fn struck(&mut self, scene: Scene<'a>, target: UnitId, attacker: UnitId) {
        let rules = scene.rules;
        let Board::Plane { arc, .. } = rules.board else { return };
        let (unit, by) = (scene.battle.unit(target), scene.battle.unit(attacker));
        if !rules.formations[usize::from(unit.formation)].all_round {
            self.cite(&rules.arc_source);
        } else if unit.rect(rules).aspect(&by.rect(rules), by.footprint(rules), by.figures, arc) != Arc::Front {
            self.formation(scene, target);
        }
    }

    /// It mattered that a unit fills a piece of ground.
    fn filled(&mut self, scene: Scene<'a>, id: UnitId) {
        let Some(piece) = usize::from(scene.battle.unit(id).fills).checked_sub(1) else { return };
        let fills = scene.setup.terrain.get(piece).and_then(|piece| piece.ground(scene.rules).fills.as_ref());
        if let Some(fills) = fills {
            self.cite(&fills.source);
        }
    }

    fn rejoined(&mut self, scene: Scene<'a>, why: Why) {
        if let Some(skirmish) = &scene.rules.skirmish {
            self.cite(skirmish.rejoin_source(why));
        }
    }

    /// An event happened.
    fn happened(&mut self, scene: Scene<'a>, event: &Event) {
        let rules = scene.rules;
        let phase = &rules.phases[usize::from(scene.battle.phase)];
        if belongs(event, phase.mechanism) {
            self.cite(&phase.source);
        }
        match event {
            Event::HalfTurn
            | Event::HalfTurnOver
            | Event::Phase(_)
            | Event::Retreated { .. }
            | Event::Lost { .. }
            | Event::FellShort { .. }
            | Event::HeldFire { .. }
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
            Event::Turned { unit, .. } => {
                // Guns that turn where they stand pivot, as their formation says.
                if !rules.formations[usize::from(scene.battle.unit(*unit).formation)].moves {
                    self.formation(scene, *unit);
                }
            }
            Event::Formed { unit, from } => {
                let left = &rules.formations[usize::from(*from)];
                let ordered = matches!(phase.mechanism, Mechanism::Formation | Mechanism::Move | Mechanism::Orders);
                if ordered && !left.formed {
                    // Loose figures form up again as the order they leave says.
                    self.cite(&left.source);
                }
                let taken = &rules.formations[usize::from(scene.battle.unit(*unit).formation)];
                if let Some(in_move) = taken.in_move.as_ref().filter(|_| phase.mechanism == Mechanism::Move) {
                    self.cite(&in_move.source);
                }
                if ordered {
                    self.formation(scene, *unit);
                    self.rate(scene, *unit);
                } else {
                    self.morale(scene, *unit);
                }
            }
            Event::Marched { unit, wheel, .. } => {
                self.rate(scene, *unit);
                if let Some(square) = rules.square.as_ref().filter(|_| scene.battle.unit(*unit).guests > 0) {
                    self.cite(&square.pace);
                }
                self.cite(&rules.movement.source);
                if let Some(command) = scene.battle.command_of(scene.battle.unit(*unit)) {
                    self.mode(scene, command.mode);
                }
                if *wheel != 0 {
                    self.wheeled(scene, *unit);
                }
            }
            Event::Joined { .. } | Event::LeftSquare { .. } => self.square(scene),
            Event::Shared { .. } => {
                if let Some(square) = &rules.square {
                    self.cite(&square.shares);
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
            Event::Paid { unit, act, cost, .. } => {
                let act = &rules.acts[usize::from(*act)];
                self.paid(scene, *unit, *cost > u16::from(act.cost));
                self.cite(&act.source);
                if matches!(act.deed, Deed::Move | Deed::Contact) {
                    self.rate(scene, *unit);
                }
            }
            Event::Halved { rate, .. } => {
                if let Some(half) = &rules.movement.half {
                    self.cite(&half.rows[*rate].source);
                }
            }
            Event::OnRoad { .. } => {
                if let Some((_, source)) = &rules.movement.road {
                    self.cite(source);
                }
            }
            Event::Shifted { unit, .. } => {
                self.rate(scene, *unit);
                self.cite(&rules.movement.source);
            }
            Event::Met { target, .. } => {
                self.cite(&rules.movement.touch_source);
                self.filled(scene, *target);
            }
            Event::LeftContact { row, .. } => {
                if let Some(leave) = &rules.movement.leave {
                    self.cite(&leave.rows[*row].source);
                }
            }
            Event::Nudged { .. } => self.cite(&rules.movement.nudge_source),
            Event::Passed { .. } => self.cite(&rules.movement.passing),
            Event::Filled { unit, .. } => self.filled(scene, *unit),
            Event::Firing { on, .. } => {
                if matches!(phase.mechanism, Mechanism::Volley(_)) {
                    self.cite(if *on { &phase.answer } else { &phase.idle });
                }
            }
            Event::Occupied { .. } => {}
            Event::Reacted { reaction, .. } => {
                let reaction = &rules.reactions[usize::from(*reaction)];
                self.cite(&reaction.source);
            }
            Event::RanAway { row, .. } => {
                if let Some(flight) = &rules.flight {
                    self.cite(&flight.source);
                    self.cite(&flight.rows[*row].source);
                }
            }
            Event::Pursued { row, .. } => {
                if let Some(flight) = &rules.flight {
                    self.cite(&flight.pursuits[*row].source);
                }
            }
            Event::Declared { unit, target, .. } => {
                self.aimed(scene, *unit, *target);
                self.rate(scene, *unit);
                self.cite(&rules.movement.charge_source);
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
            Event::General(event) => self.of_generals(scene, event),
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
        Mechanism::Volley(_) => matches!(event, Event::Rolled(_)),
        Mechanism::Onset(_) => {
            matches!(event, Event::Rolled(_) | Event::Occupied { .. } | Event::Pursued { .. })
        }
        _ => match event {
            Event::Rolled(roll) => matches!(roll.occasion, Occasion::Phase(_)),
            other => matches!(other, Event::Refused { .. }),
        },
    }
}
