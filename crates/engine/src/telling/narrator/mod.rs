//! Narration: a battle as a report that a rules writer can check against the rulebook.
//!
//! There is a line for each event, with its clauses in brackets. If a player would have made the decision, the line
//! also names the doctrine row that made it. Phases in which nothing happened are left out, and so are orders that had
//! no effect although no rule forbade them.

mod account;
pub(crate) mod general;
mod ground;
mod hex;
mod orders;
mod refused;
mod screen;
pub(super) mod throws;
pub(crate) mod words;

use grognard_rules::model::{Board, Limit, MoraleId, Order};

use crate::geometry::plane::Arc;
use crate::state::{Arrives, Flags, Outcome, Side, Unit, UnitId};
use crate::telling::citing::Citing;
use crate::telling::event::{Ending, Event, Scene, Witness};
use crate::telling::narrator::account::account;
use crate::telling::narrator::words::{
    CONSEQUENCE, HAPPENING, arc_text, away, bracketed, counted, degrees, inches, once, unit_name, wheel_text, zone_text,
};

/// Writes the narration.
#[derive(Clone, Debug, Default)]
pub struct Narrator {
    lines: Vec<String>,
    /// The headings of a half-turn and of a phase in which nothing has happened yet.
    pending: [Option<String>; 2],
    /// Whether the turn or half-turn is ending, so that events do not belong to a phase.
    closes: bool,
    /// An order that has had no result so far.
    order: Option<Given>,
    citing: Citing,
    /// The clauses that the event applied, in brackets. Kept until a line shows them.
    behind: String,
    /// The clauses that the last event applied, one by one.
    clauses: Vec<String>,
}

/// An order that was given.
#[derive(Clone, Debug)]
struct Given {
    unit: UnitId,
    order: Order,
    /// The doctrine and the row that gave it.
    by: String,
}

impl Narrator {
    /// A narrator without lines.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// The lines written so far.
    #[must_use]
    pub fn lines(&self) -> &[String] {
        &self.lines
    }

    /// The clauses that the last event applied.
    #[must_use]
    pub fn clauses(&self) -> &[String] {
        &self.clauses
    }

    /// Writes the headings of a half-turn and of a phase in which nothing has happened yet.
    pub fn write_headings(&mut self) {
        self.lines.extend(self.pending.iter_mut().filter_map(Option::take));
    }

    /// The doctrine and the row of an order that has had no result so far.
    pub(crate) fn decision(&self) -> Option<&str> {
        self.order.as_ref().map(|given| given.by.as_str())
    }

    fn line(&mut self, depth: usize, text: &str) {
        self.write_headings();
        let (behind, indent) = (std::mem::take(&mut self.behind), depth * 2);
        let text = text.strip_suffix('.').map_or_else(|| format!("{text}{behind}"), |text| format!("{text}{behind}."));
        self.lines.push(format!("{:indent$}{text}", ""));
    }

    /// The source of the order that a unit now carries out, in brackets; empty if it had no order.
    fn ordered(&mut self, unit: UnitId) -> String {
        self.order.take_if(|given| given.unit == unit).map_or_else(String::new, |given| format!(" ({})", given.by))
    }

    /// Lists the units at the start of the battle.
    fn roster(&mut self, scene: Scene<'_>) {
        let mut counted_by = std::mem::take(&mut self.behind);
        for id in (0..scene.battle.units.len() as u8).map(UnitId) {
            let unit = scene.battle.unit(id);
            let late = unit.flags.has(Flags::LATE) && !scene.battle.is_part(id);
            if unit.gone() && !late {
                continue;
            }
            if unit.is_place() {
                self.lines.push(format!("{}: a place for a unit that another splits off", unit_name(scene, id)));
                continue;
            }
            let mut text = format!("{}: {}", unit_name(scene, id), counted(unit.figures.into(), "figure"));
            if unit.cannon > 0 {
                text += &format!(", {} cannon{}", unit.cannon, std::mem::take(&mut counted_by));
            }
            if scene.rules.formations.len() > 1 {
                text += &format!(", {}", scene.rules.formations[unit.formation].title);
            }
            if unit.morale > MoraleId::FIRST {
                text += &format!(", {}", scene.rules.morale[unit.morale].id);
            }
            match scene.setup.arrivals.get(id.index()).copied().flatten().filter(|_| late) {
                Some(Arrives::From(turn)) => text += &format!(", from turn {turn}"),
                Some(Arrives::Called) => text += ", when it is called",
                Some(Arrives::Split) | None => {}
            }
            self.lines.push(text);
        }
        self.lines.extend(general::roster(scene));
    }
}

impl Witness for Narrator {
    fn see(&mut self, scene: Scene<'_>, event: &Event) {
        let rules = scene.rules;
        let name = |id: UnitId| unit_name(scene, id);
        let behind = once(self.citing.clauses(scene, event));
        self.behind = bracketed(&behind);
        self.clauses = behind.iter().map(|&clause| clause.to_owned()).collect();
        match event {
            Event::HalfTurn => {
                self.closes = false;
                if self.lines.is_empty() {
                    self.roster(scene);
                }
                let side = &scene.setup.names[scene.battle.active];
                self.pending = [Some(format!("Turn {}, {side}", scene.battle.turn)), None];
            }
            Event::HalfTurnOver => {}
            Event::TurnCloses => self.close(scene),
            Event::Activated { unit } => {
                self.closes = false;
                let turn = scene.battle.turn;
                let heading =
                    unit.map_or_else(|| format!("Turn {turn}"), |unit| format!("Turn {turn}, {}", name(unit)));
                self.pending = [Some(heading), None];
            }
            Event::Orders { orders, faces } => {
                let faces = faces.iter().map(|face| face.label.as_str()).collect::<Vec<_>>().join(" ");
                let side = &scene.setup.names[scene.battle.active];
                // If orders cost points, the points are rolled in the phase in which orders are given.
                let (depth, what) = if rules.pays { (HAPPENING, "point") } else { (1, "order") };
                self.line(depth, &format!("{side} rolls {faces}: {}.", counted((*orders).into(), what)));
            }
            Event::Phase(index) => {
                let phase = &rules.phases[usize::from(*index)];
                self.pending[1] = Some(format!("  {}", phase.title));
                self.order = None;
            }
            Event::Ordered { unit, row, order } => {
                let doctrine = &rules.doctrines[scene.battle.unit(*unit).doctrine];
                let rows = &doctrine.phases[usize::from(scene.battle.phase)].rows;
                let row = rows.get(*row).map_or("", |row| row.id.as_str());
                self.order = Some(Given { unit: *unit, order: *order, by: format!("{}: {row}", doctrine.id) });
            }
            Event::Settled { command, from } => {
                let side = &scene.setup.names[scene.battle.commands[usize::from(*command)].side];
                let mode = rules.command.as_ref().map(|rules| &rules.modes[usize::from(*from)]);
                let mode = mode.map_or("", |mode| mode.title.as_str());
                self.line(HAPPENING, &format!("A command of {side} recovers from {mode}."));
            }
            Event::Detached { .. } | Event::Rejoined { .. } | Event::Strayed { .. } | Event::Dismounted { .. } => {
                let (Event::Detached { unit, .. }
                | Event::Rejoined { unit, .. }
                | Event::Strayed { unit, .. }
                | Event::Dismounted { unit, .. }) = event
                else {
                    return;
                };
                let by = self.ordered(*unit);
                self.line(HAPPENING, &screen::narrated(scene, event, &by));
            }
            Event::Refused { unit, why } => {
                // If no rule forbade the order, there was simply nothing to do.
                if !behind.is_empty() {
                    let order = self.order.as_ref().filter(|given| given.unit == *unit).map(|given| given.order);
                    self.line(CONSEQUENCE, &refused::narrated(scene, *unit, *why, order));
                }
                self.order = None;
            }
            Event::Disordered { .. } | Event::Ambiguous { .. } => {
                if let Some(line) = ground::happened(scene, event) {
                    self.line(CONSEQUENCE, &line);
                }
                self.order = None;
            }
            Event::Formed { unit, from } => {
                let formation = &rules.formations[scene.battle.unit(*unit).formation];
                let chosen = matches!(&self.order, Some(Given { unit: of, order: Order::Form(_), .. }) if of == unit);
                let depth = if chosen { HAPPENING } else { CONSEQUENCE };
                let by = if chosen { self.ordered(*unit) } else { String::new() };
                let (from, to) = (&rules.formations[*from].title, &formation.title);
                self.line(depth, &format!("{} goes from {from} to {to}{by}.", name(*unit)));
            }
            Event::Turned { unit, tenths } => {
                let by = self.ordered(*unit);
                self.line(HAPPENING, &format!("{} turns {}{by}.", name(*unit), degrees(*tenths)));
            }
            Event::Joined { unit, host } => {
                let by = self.ordered(*unit);
                self.line(HAPPENING, &format!("{} joins the square of {}{by}.", name(*unit), name(*host)));
            }
            Event::Shared { unit, host } => {
                self.line(CONSEQUENCE, &format!("{} shares the fate of {}.", name(*unit), name(*host)));
            }
            Event::LeftSquare { unit, host } => {
                self.line(CONSEQUENCE, &format!("{} leaves the square of {}.", name(*unit), name(*host)));
            }
            Event::CannonLost { unit, cannon } => {
                let left = scene.battle.unit(*unit).cannon;
                self.line(CONSEQUENCE, &format!("{} loses {cannon} cannon and has {left} left.", name(*unit)));
            }
            Event::CrewLeft { unit } => {
                self.line(CONSEQUENCE, &format!("The crew of {} runs from its guns.", name(*unit)));
            }
            Event::CrewBack { unit } => {
                self.line(CONSEQUENCE, &format!("The crew of {} is back at its guns.", name(*unit)));
            }
            Event::Forming { unit, formation } => {
                let formation = &rules.formations[*formation];
                let by = self.ordered(*unit);
                self.line(HAPPENING, &format!("{} begins to form {}{by}.", name(*unit), formation.title));
            }
            Event::InZone { unit, owner, trigger } => {
                let what = zone_text(*trigger);
                let text = format!("{} is about to {what} in the fire zone of {}.", name(*unit), name(*owner));
                self.line(HAPPENING, &text);
            }
            Event::HeldFire { unit } => self.line(CONSEQUENCE, &format!("{} holds its fire.", name(*unit))),
            Event::Threatened { unit, charger } => {
                self.line(CONSEQUENCE, &format!("{} is in the charge zone of {}.", name(*unit), name(*charger)));
            }
            Event::Declared { unit, target, distance } => {
                let by = self.ordered(*unit);
                let far = match rules.board {
                    Board::Plane { .. } => format!(", {}", away(rules, *distance)),
                    Board::Hex | Board::None => String::new(),
                };
                self.line(HAPPENING, &format!("{} charges {}{far}{by}.", name(*unit), name(*target)));
            }
            Event::Contact { unit, target, arc, .. } => self.contact(scene, *unit, *target, *arc),
            Event::FellShort { unit } => self.line(HAPPENING, &format!("{} does not reach its target.", name(*unit))),
            Event::Marched { unit, wheel, distance } => {
                let by = self.ordered(*unit);
                let wheels = (*wheel != 0).then(|| wheel_text(scene, *unit, *wheel));
                let marches = (*distance != 0).then(|| format!("marches {}", inches(*distance)));
                let done = wheels.into_iter().chain(marches).collect::<Vec<_>>().join(" and ");
                self.line(HAPPENING, &format!("{} {done}{by}.", name(*unit)));
            }
            Event::Paid { unit, .. }
            | Event::Halved { unit, .. }
            | Event::Shifted { unit, .. }
            | Event::Met { unit, .. }
            | Event::Filled { unit, .. }
            | Event::Firing { unit, .. }
            | Event::Reacted { unit, .. }
            | Event::RanAway { unit, .. }
            | Event::Pursued { unit, .. }
            | Event::Occupied { unit } => {
                let by = match event {
                    Event::Paid { .. } | Event::Pursued { .. } | Event::Occupied { .. } => self.ordered(*unit),
                    _ => String::new(),
                };
                if let Some((depth, line)) = orders::narrated(scene, event, &by) {
                    self.line(depth, &line);
                }
            }
            Event::Fled { unit, distance } => {
                self.line(HAPPENING, &format!("{} flees {}.", name(*unit), inches(*distance)));
            }
            Event::Retreated { unit, distance } => {
                self.line(CONSEQUENCE, &format!("{} falls back {}.", name(*unit), inches(*distance)));
            }
            Event::Rolled(roll) => {
                // The lines of the roll show the clauses one by one.
                self.behind.clear();
                let by = self.ordered(roll.own);
                for (depth, line) in account(scene, roll, &by, &behind) {
                    self.line(HAPPENING + depth, &line);
                }
            }
            Event::Lost { unit, figures } => {
                let left = match scene.battle.unit(*unit).figures {
                    0 => "and has none left".into(),
                    left => format!("and has {left} left"),
                };
                let lost = counted((*figures).into(), "figure");
                self.line(CONSEQUENCE, &format!("{} loses {lost} {left}.", name(*unit)));
            }
            Event::Regained { unit, figures } => {
                let (gained, now) = (counted((*figures).into(), "figure"), scene.battle.unit(*unit).figures);
                self.line(CONSEQUENCE, &format!("{} regains {gained} and has {now}.", name(*unit)));
            }
            Event::Morale { unit, from } => {
                let now = &rules.morale[scene.battle.unit(*unit).morale];
                let before = &rules.morale[*from].id;
                let marker = now.marker.as_ref().map_or(String::new(), |marker| format!(" ({marker})"));
                let state = format!("{}{marker}", now.id);
                self.line(CONSEQUENCE, &format!("{} goes from {before} to {state}.", name(*unit)));
            }
            // A unit without figures has been reported already.
            Event::Destroyed(unit) if scene.battle.unit(*unit).figures == 0 => {}
            Event::Destroyed(unit) => self.line(CONSEQUENCE, &format!("{} is destroyed.", name(*unit))),
            Event::LeftTable(unit) => {
                self.line(CONSEQUENCE, &format!("{} leaves the table.", name(*unit)));
            }
            Event::Arrived { unit, placed } => {
                let how =
                    if *placed { "comes onto the table" } else { "cannot come onto the table: its place is taken" };
                self.line(HAPPENING, &format!("{} {how}.", name(*unit)));
            }
            Event::Hex(event) => {
                let by = hex::actor(event).map_or_else(String::new, |unit| self.ordered(unit));
                if let Some((depth, text)) = hex::line(scene, event, &by) {
                    self.line(depth, &text);
                }
            }
            Event::General(event) => {
                if let Some((depth, text)) = general::narrated(scene, event) {
                    self.line(depth, &text);
                }
            }
            Event::Special(event) => self.line(if event.ahead { HAPPENING } else { CONSEQUENCE }, &event.line),
            Event::Over { outcome, ending } => self.over(scene, outcome, *ending),
        }
    }
}

impl Narrator {
    fn contact(&mut self, scene: Scene<'_>, unit: UnitId, target: UnitId, arc: Arc) {
        let rules = scene.rules;
        let (unit, struck) = (unit_name(scene, unit), unit_name(scene, target));
        let formation = &rules.formations[scene.battle.unit(target).formation];
        let text = if formation.all_round {
            format!("{unit} reaches {struck}, which faces in all directions.")
        } else {
            format!("{unit} strikes {struck} in the {}.", arc_text(arc))
        };
        self.line(HAPPENING, &text);
    }

    /// Writes the heading for events at the end of a turn, or of a half-turn that is not its last.
    fn close(&mut self, scene: Scene<'_>) {
        if std::mem::replace(&mut self.closes, true) {
            return;
        }
        if scene.rules.goes_by_unit() {
            self.pending[0] = Some(format!("Turn {}", scene.battle.turn));
        }
        let last = scene.rules.goes_by_unit() || scene.battle.is_last(scene.battle.active);
        self.pending[1] = Some(format!("  End of the {}", if last { "turn" } else { "half-turn" }));
    }

    fn over(&mut self, scene: Scene<'_>, outcome: &Outcome, ending: Ending) {
        self.pending = [None, None];
        let names = &scene.setup.names;
        let (turns, source) = (outcome.turns, std::mem::take(&mut self.behind));
        let winner = outcome.winner.map_or("Nobody", |side| &names[side]);
        let when = match ending {
            Ending::Beaten | Ending::Reached => format!("in turn {turns}"),
            Ending::Limit(_) => format!("after turn {turns}, the last"),
        };
        let points = scene.points();
        let tally = |side: Side| {
            let (name, sum) = (&names[side], outcome.sides[side]);
            let mut lost = format!("lost {} of {}", sum.losses, counted(sum.start.into(), "figure"));
            // The losses do not show whether a unit with figures left is broken.
            let whole = |unit: &Unit| unit.figures > 0 && unit.broken(scene.rules);
            if sum.routed_units > 0 && scene.battle.of_side(side).iter().any(whole) {
                lost += &format!(" ({} of {} broken)", sum.routed_units, counted(sum.units.into(), "unit"));
            }
            match points.map(|points| points[side]) {
                Some(points) => format!("{name} has {} and {lost}", counted(points, "point")),
                None => format!("{name} {lost}"),
            }
        };
        let tallies: Vec<String> = scene.battle.sides().iter().map(|&side| tally(side)).collect();
        let why = if points.is_some() { why(scene, outcome, ending) } else { String::new() };
        self.lines.push(format!("{winner} wins {when}{why}{source}: {}.", tallies.join(", ")));
    }
}

/// The reason why a battle with points has this winner, or no winner.
fn why(scene: Scene<'_>, outcome: &Outcome, ending: Ending) -> String {
    let sides = scene.battle.sides();
    let everyone = if sides.len() == 2 { "both sides" } else { "all sides" };
    let points = scene.rules.victory.points.as_ref();
    let reach = points.and_then(|points| points.reach).unwrap_or_default();
    match (ending, outcome.winner) {
        (Ending::Beaten, Some(winner)) => match winner.only_enemy(sides.len()) {
            Some(enemy) => format!(", because {} is beaten", scene.setup.names[enemy]),
            None => ", because all others are beaten".into(),
        },
        (Ending::Beaten, None) => format!(", because {everyone} are beaten"),
        (Ending::Reached, Some(_)) => format!(", because {} are enough", counted(reach, "point")),
        (Ending::Limit(Limit::Points), Some(_)) => ", on points".into(),
        (Ending::Reached | Ending::Limit(Limit::Points), None) => match points.map_or(1, |points| points.margin) {
            ..=1 => ", because no side leads on points".into(),
            margin => format!(", because no side leads by {}", counted(margin, "point")),
        },
        (Ending::Limit(_), _) => String::new(),
    }
}
