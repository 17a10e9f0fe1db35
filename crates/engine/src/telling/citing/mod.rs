//! Citations: the clauses of a pack that the events of a battle implement.

mod general;
mod hexes;
mod kept;
mod refused;
mod rolled;

use grognard_expr::{Expr, Lookup};
use grognard_rules::model::{Activation, Board, Deed, FormationId, Mechanism, MoraleState, Next, Order, Source};

use crate::geometry::plane::Arc;
use crate::situation::occupied::place;
use crate::situation::positions::sees;
use crate::situation::sight::figures_arc;
use crate::situation::view::View;
use crate::state::{Flags, Side, UnitId};
use crate::step::scratch::Scratch;
use crate::telling::event::{Event, HexEvent, Occasion, Scene, Why};

/// Follows a battle and reports, event by event, the clauses applied. These are the clauses of the keys and rows that
/// decided the outcome of the event:
///
/// - the phase, for the effects of its own mechanism; the reaction, roll, modifier and result of a roll;
/// - the morale state that a unit enters, and the acts that the state allows or forbids;
/// - the key of a formation that decided: its arms and layout when it is taken, its facing when only all-around facing
///   put a target in front or removed a flank, and its target class when a roll read it;
/// - a unit's rate when it marches or charges; its type if a formation is closed to it or it fights on foot;
/// - the arc, the rules of movement and bars, if they decided.
#[derive(Clone, Debug, Default)]
pub struct Citing {
    /// The last order and its unit, for changes and refusals.
    wanted: Option<(UnitId, Order)>,
}

impl Citing {
    /// The clauses that an event applied, in the order in which they decided, with `house` where the rulebook is
    /// silent. A clause may occur twice.
    pub fn clauses<'a>(&mut self, scene: Scene<'a>, event: &'a Event) -> Vec<&'a str> {
        let about = about(event);
        let mut behind = Behind { scene, cited: Vec::new(), wanted: self.wanted, about };
        behind.happened(scene, event);
        self.wanted = behind.wanted;
        behind.cited
    }
}

/// The clauses that a row implements when it decides something for one unit against another.
pub(crate) fn carried_out<'s>(
    scene: Scene<'_>,
    source: &'s Source,
    about: Option<(UnitId, Option<UnitId>)>,
) -> impl Iterator<Item = &'s str> {
    let holds = move |when: &Expr| {
        about.is_some_and(|(own, foe)| {
            let scratch = Scratch::of(scene.moment);
            when.holds(&View::new(scene.rules, scene.setup, scene.battle, &scratch, own, foe))
        })
    };
    source.cite.iter().filter(move |cite| cite.when.as_ref().is_none_or(holds)).map(|cite| cite.clause.as_str())
}

/// The acting unit of an event, and its target.
fn about(event: &Event) -> Option<(UnitId, Option<UnitId>)> {
    match event {
        Event::Rolled(roll) => Some((roll.own, roll.foe)),
        Event::Declared { unit, target, .. }
        | Event::Contact { unit, target, .. }
        | Event::Met { unit, target, .. } => Some((*unit, Some(*target))),
        Event::Paid { unit, foe, .. } => Some((*unit, Some(*foe))),
        Event::InZone { unit, owner, .. } => Some((*unit, Some(*owner))),
        Event::Threatened { unit, charger } => Some((*unit, Some(*charger))),
        Event::Shared { unit, host } => Some((*unit, Some(*host))),
        Event::Refused { unit, .. }
        | Event::Formed { unit, .. }
        | Event::Turned { unit, .. }
        | Event::Joined { unit, .. }
        | Event::LeftSquare { unit, .. }
        | Event::CannonLost { unit, .. }
        | Event::Lost { unit, .. }
        | Event::CrewLeft { unit }
        | Event::CrewBack { unit }
        | Event::Forming { unit, .. }
        | Event::Marched { unit, .. }
        | Event::Halved { unit, .. }
        | Event::Shifted { unit, .. }
        | Event::Filled { unit, .. }
        | Event::Firing { unit, .. }
        | Event::Reacted { unit, .. }
        | Event::RanAway { unit, .. }
        | Event::Pursued { unit, .. }
        | Event::Occupied { unit }
        | Event::Fled { unit, .. }
        | Event::Morale { unit, .. }
        | Event::Disordered { unit, .. }
        | Event::Dismounted { unit, .. }
        | Event::Detached { unit, .. }
        | Event::Rejoined { unit, .. }
        | Event::Strayed { unit, .. }
        | Event::Ambiguous { unit }
        | Event::LeftTable(unit) => Some((*unit, None)),
        Event::Special(event) => Some((event.unit, event.other)),
        Event::Hex(HexEvent::Provided { unit, .. } | HexEvent::Breached { unit, .. }) => Some((*unit, None)),
        _ => None,
    }
}

/// Whether a unit may take any heading for free, because its front is narrow (7.42).
fn is_narrow(scene: Scene<'_>, id: UnitId) -> bool {
    let movement = &scene.rules.movement;
    let scratch = Scratch::new();
    let view = View::new(scene.rules, scene.setup, scene.battle, &scratch, id, None);
    let may = movement.narrow_when.as_ref().is_none_or(|when| when.get(&view) != 0);
    may && scene.battle.unit(id).footprint(scene.rules).width <= movement.narrow
}

/// The clauses behind one event.
struct Behind<'a> {
    scene: Scene<'a>,
    cited: Vec<&'a str>,
    wanted: Option<(UnitId, Order)>,
    /// The unit from whose point of view conditions are read.
    about: Option<(UnitId, Option<UnitId>)>,
}

impl<'a> Behind<'a> {
    /// Cites a row that decided something for the unit that the event is about.
    fn cite(&mut self, source: &'a Source) {
        self.cite_of(source, self.about);
    }

    /// Cites a row that decided something for one unit against another.
    fn cite_of(&mut self, source: &'a Source, about: Option<(UnitId, Option<UnitId>)>) {
        self.cited.extend(carried_out(self.scene, source, about));
    }

    /// Cites the rate of movement of a unit in its formation.
    fn rate(&mut self, scene: Scene<'a>, id: UnitId) {
        let unit = scene.battle.unit(id);
        self.cite(&scene.rules.kinds[unit.kind].speed_sources[unit.formation]);
    }

    fn square(&mut self, scene: Scene<'a>) {
        if let Some(square) = &scene.rules.square {
            self.cite(&square.source);
        }
    }

    /// Cites the rule on the losses, cannon or crew, of guns inside a square.
    fn guns_inside(&mut self, scene: Scene<'a>, unit: UnitId) {
        let lost = scene.battle.unit(unit);
        let inside = lost.flags.has(Flags::INSIDE) && scene.rules.kinds[lost.kind].cannon > 0;
        if let Some(square) = scene.rules.square.as_ref().filter(|_| inside) {
            self.cite(&square.guns);
        }
    }

    fn slow(&mut self, scene: Scene<'a>, formation: FormationId) {
        if let Some(slow) = &scene.rules.formations[formation].slow {
            self.cite(&slow.source);
        }
    }

    /// Cites the rule that let a unit shoot at or charge another: its arc, or its freedom to do so in any direction.
    fn aimed(&mut self, scene: Scene<'a>, own: UnitId, target: UnitId, charges: bool) {
        let rules = scene.rules;
        let Board::Plane { arc, .. } = rules.board else { return };
        let unit = scene.battle.unit(own);
        let formation = &rules.formations[unit.formation];
        let arcs = &rules.arc_source;
        if !formation.all_round {
            self.cite(if charges { &arcs.charges } else { &arcs.fires });
            self.bends(scene, own);
        } else if !unit.rect(rules).has_in_front(&scene.battle.unit(target).rect(rules), arc, rules.movement.touch) {
            self.cite(&formation.sources.facing);
            self.cite(if charges { &arcs.all_charges } else { &arcs.all_fires });
        }
    }

    /// Cites the rule by which a unit took a new heading on its march: by a wheel, or at any point because it is narrow
    /// or has all-around facing.
    fn wheeled(&mut self, scene: Scene<'a>, id: UnitId) {
        let movement = &scene.rules.movement;
        let unit = scene.battle.unit(id);
        if scene.rules.formations[unit.formation].all_round {
            self.cite(&scene.rules.arc_source.all_marches);
        } else if is_narrow(scene, id) {
            self.cite(&movement.narrow_source);
        } else {
            self.cite(&movement.wheel_source);
        }
    }

    /// Cites the rule that decided the direction of an attack: the unit's arcs, or its all-around facing.
    fn struck(&mut self, scene: Scene<'a>, target: UnitId, attacker: UnitId, at: Arc) {
        let rules = scene.rules;
        if rules.board == Board::None {
            return;
        }
        let (unit, by) = (scene.battle.unit(target), scene.battle.unit(attacker));
        let formation = &rules.formations[unit.formation];
        let about = Some((target, Some(attacker)));
        if !formation.all_round {
            let arcs = &rules.arc_source;
            let source = match at {
                Arc::Front => &arcs.front,
                Arc::Flank => &arcs.flank,
                Arc::Rear => &arcs.rear,
            };
            self.cite_of(source, about);
            self.bends(scene, target);
        } else if figures_arc(rules, &unit.rect(rules), (by, &by.rect(rules))) != Arc::Front {
            self.cite_of(&formation.sources.facing, about);
            self.cite_of(&rules.arc_source.all_struck, about);
        }
    }

    /// Cites the rule for bent units if this unit is bent, because its arc is then the arc of either part.
    fn bends(&mut self, scene: Scene<'a>, id: UnitId) {
        if !scene.battle.unit(id).bend.is_none() {
            self.cite(&scene.rules.dressing.bends_source);
        }
    }

    /// Cites the rules that apply when a half-turn begins. The crews of the batteries are counted before the first one.
    fn began(&mut self, scene: Scene<'a>) {
        let Some(battery) = &scene.rules.battery else { return };
        if scene.battle.turn == 1 && scene.battle.active == Side::First {
            let guns = (0..scene.battle.units.len() as u8).map(UnitId);
            if let Some(guns) = guns.into_iter().find(|&id| scene.battle.unit(id).cannon > 0) {
                self.cite_of(&battery.crew_source, Some((guns, None)));
            }
        }
    }

    /// Whether the mode of a unit's command, and not its formation, decided how far it marched, on the road or off it.
    /// If so, cites the mode.
    fn mode(&mut self, scene: Scene<'a>, id: UnitId, distance: i32) -> bool {
        let (rules, battle) = (scene.rules, scene.battle);
        let (terrain, roads) = (&scene.setup.terrain, &scene.setup.roads);
        let unit = battle.unit(id);
        let (Some(known), Some(command)) = (&rules.command, battle.command_of(unit)) else { return false };
        let mode = &known.modes[usize::from(command.mode)];
        let scratch = Scratch::new();
        let view = |own: UnitId, foe| View::new(rules, scene.setup, battle, &scratch, own, foe);
        let holds = |when: &Option<Lookup>| when.as_ref().is_none_or(|when| when.get(&view(id, None)) != 0);
        if mode.rate.is_none() || !holds(&mode.rate_when) {
            return false;
        }
        let ground = unit.rect(rules);
        // In a bend, the unit's rear is off the road, but the unit still moves at the road rate.
        let along = || scene.moment.by_road || roads.carry_march(&ground.marched(-distance), distance);
        if mode.off_road.is_none() || (holds(&mode.narrow_when) && along()) {
            self.cite(&mode.source);
            return true;
        }
        let others = battle.side(unit.side).filter(|&other| {
            let friend = battle.unit(other);
            other != id && !friend.gone() && friend.command == unit.command && roads.carry(&friend.rect(rules))
        });
        // If several units are on a road, takes one that has this unit ahead.
        let has_ahead =
            |other: UnitId| sees(rules, terrain, &scratch.positions, (other, battle.unit(other)), (id, unit));
        let other = others.max_by_key(|&other| has_ahead(other));
        self.cite_of(&mode.off_road_source, Some((id, other)));
        true
    }

    /// Cites the rule for filling terrain if a unit fills a piece.
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

    /// The formation that a unit has been ordered to take.
    fn ordered_formation(&self, id: UnitId) -> Option<FormationId> {
        let (_, order) = self.wanted.filter(|&(unit, _)| unit == id)?;
        if let Order::Form(formation) = order { Some(formation) } else { None }
    }

    /// Cites the rules for a change of formation. It may have been ordered, or forced because morale cancelled the old
    /// formation or made the unit fall back, or because losses changed the unit's shape.
    fn formed(&mut self, scene: Scene<'a>, id: UnitId, from: FormationId) {
        let rules = scene.rules;
        let unit = scene.battle.unit(id);
        let (left, taken) = (&rules.formations[from], &rules.formations[unit.formation]);
        let state = &rules.morale[unit.morale];
        let phase = &rules.phases[usize::from(scene.battle.phase)];
        // In a move phase, a unit takes a formation only by order, to join or leave a square.
        let in_move = phase.mechanism == Mechanism::Move && (taken.in_move.is_some() || left.in_move.is_some());
        // If a unit in a formation phase is not yet marked as changed, it was forced into the formation by fire that it
        // drew while changing.
        let by_order = phase.mechanism != Mechanism::Formation || unit.flags.has(Flags::CHANGED);
        let ordered = by_order && self.ordered_formation(id) == Some(unit.formation);
        if (in_move || ordered) && !state.broken {
            if phase.mechanism == Mechanism::Formation {
                self.cite(&phase.sources.forms);
                if unit.flags.has(Flags::TURNED) {
                    self.cite(&phase.sources.spent);
                }
                if left.all_round != taken.all_round {
                    self.cite(&phase.sources.alters);
                }
            }
            self.cite(&left.sources.leaves);
            if let Some(in_move) = taken.in_move.as_ref().filter(|_| phase.mechanism == Mechanism::Move) {
                self.cite(&in_move.source);
            }
            self.cite(&taken.sources.arms);
            self.cite(&taken.sources.takes);
            self.cite(&taken.sources.layout);
            if taken.turns {
                self.cite(&taken.sources.turns);
            }
            if state.shaken {
                self.cite(&state.sources.forms);
            }
        } else if state.becomes[from] == unit.formation {
            self.cite(&state.sources.undoes);
        } else if state.retreat.as_ref().is_some_and(|retreat| retreat.formation == unit.formation) {
            self.cite(&state.sources.retreat);
        } else if taken.turns {
            // These are guns that have stood still for the whole turn (8.43).
            self.slow(scene, unit.formation);
            self.cite(&taken.sources.arms);
            self.cite(&taken.sources.layout);
            self.cite(&taken.sources.turns);
        } else if taken.spacing.is_some() {
            // The rest of the unit has been lost, and its deployed figures are now the unit (9.42).
            self.rejoined(scene, Why::Strayed);
            self.cite(&taken.sources.layout);
        } else {
            for bar in left.bars.iter().filter(|bar| bar.breaks) {
                self.cite(&bar.source);
            }
            self.cite(&taken.sources.layout);
        }
    }

    /// Cites the rules for a unit that has turned on the spot.
    fn turned(&mut self, scene: Scene<'a>, id: UnitId) {
        let rules = scene.rules;
        let unit = scene.battle.unit(id);
        let (formation, state) = (&rules.formations[unit.formation], &rules.morale[unit.morale]);
        let phase = &rules.phases[usize::from(scene.battle.phase)];
        if phase.mechanism == Mechanism::Formation {
            self.cite(&phase.sources.turns);
            if unit.flags.has(Flags::CHANGED) {
                // The unit changes facing as well as formation.
                self.cite(&phase.sources.spent);
            }
        }
        if !formation.moves {
            self.cite(&formation.sources.moves);
        }
        if state.shaken {
            self.cite(&state.sources.turns);
        }
    }

    /// Cites the clauses of an event.
    fn happened(&mut self, scene: Scene<'a>, event: &'a Event) {
        let rules = scene.rules;
        let phase = &rules.phases[usize::from(scene.battle.phase)];
        if belongs(event, phase.mechanism) {
            self.cite(&phase.source);
        }
        match event {
            Event::Phase(_) => self.wanted = None,
            Event::HalfTurn => self.began(scene),
            Event::Activated { unit } => {
                if let Some(order) = rules.turn_order.as_ref().filter(|_| unit.is_some()) {
                    self.cite(&order.source);
                    if let Next::Alternate { source, .. } = &order.next {
                        self.cite(source);
                    }
                }
            }
            Event::TurnCloses
            | Event::HalfTurnOver
            | Event::Retreated { .. }
            | Event::Regained { .. }
            | Event::FellShort { .. }
            | Event::HeldFire { .. }
            | Event::Destroyed(_) => {}
            Event::Arrived { .. } => self.arrival(scene),
            Event::Orders { .. } => {
                if let Activation::Dice { source, .. } = &*rules.activation {
                    self.cite(source);
                }
            }
            Event::Ordered { unit, order, .. } => self.wanted = Some((*unit, *order)),
            Event::Refused { unit, why } => self.refused(scene, *unit, *why),
            Event::Turned { unit, .. } => self.turned(scene, *unit),
            Event::Formed { unit, from } => self.formed(scene, *unit, *from),
            Event::Marched { unit, wheel, distance } => {
                // A charge has the reach of its type, whatever the mode.
                let moves = rules.phases[usize::from(scene.battle.phase)].mechanism == Mechanism::Move;
                if !(moves && self.mode(scene, *unit, *distance)) {
                    self.rate(scene, *unit);
                }
                if let Some(square) = rules.square.as_ref().filter(|_| scene.battle.unit(*unit).guests > 0) {
                    self.cite(&square.pace);
                }
                if *distance != 0 {
                    self.cite(&rules.movement.source);
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
            Event::CannonLost { unit, .. } => {
                self.guns_inside(scene, *unit);
                if let Some(battery) = &rules.battery {
                    self.cite(&battery.cannon_source);
                }
            }
            Event::Lost { unit, .. } => self.guns_inside(scene, *unit),
            Event::CrewLeft { .. } | Event::CrewBack { .. } => {
                if let Some(battery) = &rules.battery {
                    self.cite(&battery.source);
                }
            }
            Event::Forming { formation, .. } => self.slow(scene, *formation),
            Event::InZone { unit, owner, trigger } => {
                if let Some(zone) = &rules.fire_zone {
                    self.cite_of(&zone.when_source, Some((*owner, Some(*unit))));
                }
                self.bends(scene, *owner);
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
            Event::Shifted { unit, .. } => {
                self.rate(scene, *unit);
                self.cite(&rules.movement.source);
            }
            Event::Met { unit, target, arc } => {
                let [own, there] = [*unit, *target].map(|id| place(rules, &scene.setup.terrain, scene.battle.unit(id)));
                if !own.edge_on(&there) {
                    self.cite(&rules.movement.touch_source);
                }
                self.struck(scene, *target, *unit, *arc);
                self.filled(scene, *target);
            }
            Event::Filled { unit, .. } => self.filled(scene, *unit),
            Event::Firing { on, .. } => {
                if matches!(phase.mechanism, Mechanism::Volley(_)) {
                    self.cite(if *on { &phase.answer } else { &phase.idle });
                }
            }
            Event::Occupied { .. } => self.cite(&phase.sources.takes),
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
            Event::Declared { unit, target, distance } => {
                self.aimed(scene, *unit, *target, true);
                // A unit that already touches its target does not move.
                if *distance != 0 {
                    self.rate(scene, *unit);
                }
                self.cite(&rules.movement.charge_source);
                self.unanswered(scene, *target, *unit);
            }
            Event::Contact { unit, target, arc, wheel, distance } => {
                // Units that are already fleeing are struck only if there is a shock.
                if !scene.battle.unit(*target).broken(rules) {
                    self.struck(scene, *target, *unit, *arc);
                }
                if *distance != 0 {
                    self.cite(&rules.movement.source);
                }
                if *wheel != 0 {
                    self.wheeled(scene, *unit);
                }
            }
            Event::Fled { unit, .. } => self.cite(&state(scene, *unit).sources.flight),
            Event::Morale { unit, .. } => {
                let state = state(scene, *unit);
                self.cite(&state.source);
                if state.broken {
                    // From now on the unit faces away from the enemy.
                    self.cite(&state.sources.flight);
                }
            }
            Event::Detached { unit, screen, row, .. } => {
                if let Some(skirmish) = &rules.skirmish {
                    let row = &skirmish.screens[usize::from(*row)];
                    self.cite(&skirmish.source);
                    self.cite(&row.source);
                    let [whole, out] = [*unit, *screen].map(|id| scene.battle.unit(id).figures);
                    if out == row.most.of(whole + out) {
                        self.cite(&row.most_source);
                    }
                }
            }
            Event::Rejoined { why, .. } => self.rejoined(scene, *why),
            Event::Strayed { .. } => self.rejoined(scene, Why::Strayed),
            Event::Dismounted { unit, from } => {
                self.cite(&rules.kinds[*from].sources.on_foot);
                // Dismounting is the unit's change of formation in this phase (8.35).
                let state = &rules.morale[scene.battle.unit(*unit).morale];
                self.cite(&rules.phases[usize::from(scene.battle.phase)].sources.forms);
                if state.shaken {
                    self.cite(&state.sources.forms);
                }
            }
            Event::Settled { from, .. } => {
                if let Some(rules) = &rules.command {
                    self.cite(&rules.modes[usize::from(*from)].settles_source);
                }
            }
            Event::Disordered { ground, .. } => self.cite(&rules.grounds[usize::from(*ground)].source),
            Event::Ambiguous { .. } => {
                self.cite(&rules.dressing.source);
                if let Some((_, source)) = &rules.dressing.ambiguous {
                    self.cite(source);
                }
            }
            Event::Rolled(roll) => self.rolled(scene, roll),
            Event::LeftTable(_) => self.cite(&rules.table_source),
            Event::Over { .. } => self.cite(&rules.victory.source),
            Event::Hex(event) => self.of_hexes(scene, event),
            Event::General(event) => self.of_generals(scene, event),
            Event::Special(event) => self.cite(&event.source),
        }
    }
}

/// The morale state of a unit.
fn state<'a>(scene: Scene<'a>, id: UnitId) -> &'a MoraleState {
    &scene.rules.morale[scene.battle.unit(id).morale]
}

/// Whether an event belongs to the phase's own mechanism, and no narrower source applies.
fn belongs(event: &Event, mechanism: Mechanism) -> bool {
    match mechanism {
        Mechanism::Formation => matches!(event, Event::Detached { .. } | Event::Dismounted { .. }),
        Mechanism::Charge => matches!(event, Event::Declared { .. }),
        Mechanism::Move => matches!(event, Event::Marched { .. } | Event::Fled { .. }),
        Mechanism::Orders => matches!(event, Event::Paid { .. } | Event::Refused { .. }),
        Mechanism::Flight => matches!(event, Event::RanAway { .. }),
        Mechanism::Volley(_) => matches!(event, Event::Rolled(_)),
        Mechanism::Onset(_) => matches!(event, Event::Rolled(_) | Event::Pursued { .. }),
        _ => matches!(event, Event::Rolled(roll) if matches!(roll.occasion, Occasion::Phase(_))),
    }
}
