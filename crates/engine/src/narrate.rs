//! Narration: a battle as a report that a rules writer can hold against the rulebook.

use std::fmt::Write as _;

use grognard_dice::{Die, Faces, Shown};
use grognard_rules::model::{Activation, Contestant, INPUTS_MAX, Limit, Order, Roll, Source};

use crate::plane::Arc;
use crate::state::{Unit, UnitId};
use crate::witness::{Event, Occasion, Refusal, RollEvent, Scene, Witness};
use crate::{Outcome, Side};

/// Writes down what happens, a line an event.
#[derive(Clone, Debug, Default)]
pub struct Narrator {
    lines: Vec<String>,
    /// The heading of a phase in which nothing has happened yet.
    pending: Option<String>,
}

impl Narrator {
    /// A narrator with an empty page.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// The lines written so far.
    #[must_use]
    pub fn lines(&self) -> &[String] {
        &self.lines
    }

    fn line(&mut self, indent: usize, text: &str) {
        if let Some(heading) = self.pending.take() {
            self.lines.push(heading);
        }
        self.lines.push(format!("{:indent$}{text}", "", indent = indent * 2));
    }
}

impl Witness for Narrator {
    const WATCHES: bool = true;

    fn see(&mut self, scene: Scene<'_>, event: &Event) {
        let name = |id: UnitId| unit_name(scene, id);
        match event {
            Event::HalfTurn => {
                self.pending = None;
                let side = scene.battle.active;
                self.lines.push(format!("Turn {}, {}", scene.battle.turn, scene.setup.names[side]));
            }
            Event::Orders { orders, faces } => {
                let faces = faces.iter().map(|face| face.label.as_str()).collect::<Vec<_>>().join(" ");
                let source = match &scene.rules.activation {
                    Activation::Dice { source, .. } => cited(source),
                    _ => String::new(),
                };
                let side = &scene.setup.names[scene.battle.active];
                self.lines.push(format!("  {side} rolls {faces}: {}{source}.", counted(*orders, "order")));
            }
            Event::Phase(index) => {
                let phase = &scene.rules.phases[usize::from(*index)];
                self.pending = Some(format!("  {}{}", phase.title, cited(&phase.source)));
            }
            Event::Ordered { order: Order::Hold, .. } => {}
            Event::Ordered { unit, row, order } => {
                let doctrine = &scene.rules.doctrines[usize::from(scene.battle.unit(*unit).doctrine)];
                let rows = &doctrine.phases[usize::from(scene.battle.phase)].0;
                let row = rows.get(*row).map_or("", |row| row.id.as_str());
                let order = order_text(scene, *order);
                self.line(2, &format!("{} is ordered to {order} ({}: {row}).", name(*unit), doctrine.id));
            }
            Event::Refused { unit, why } => {
                self.line(3, &format!("{} cannot: {}.", name(*unit), refusal_text(*why)));
            }
            Event::Formed { unit, from } => {
                let titles = |formation: u8| &scene.rules.formations[usize::from(formation)].title;
                let now = scene.battle.unit(*unit).formation;
                let source = cited(&scene.rules.formations[usize::from(now)].source);
                self.line(3, &format!("{} goes from {} to {}{source}.", name(*unit), titles(*from), titles(now)));
            }
            Event::Turned { unit, tenths } => {
                self.line(3, &format!("{} turns {}.", name(*unit), degrees(*tenths)));
            }
            Event::Declared { unit, target, distance } => {
                self.line(
                    2,
                    &format!("{} declares a charge on {}, {} away.", name(*unit), name(*target), inches(*distance)),
                );
            }
            Event::Contact { unit, target, arc } => {
                self.line(3, &format!("{} strikes {} in the {}.", name(*unit), name(*target), arc_text(*arc)));
            }
            Event::FellShort { unit } => self.line(3, &format!("{} does not reach its target.", name(*unit))),
            Event::Marched { unit, wheel, distance } => {
                let wheel = if *wheel == 0 { String::new() } else { format!("wheels {} and ", degrees(*wheel)) };
                self.line(3, &format!("{} {wheel}marches {}.", name(*unit), inches(*distance)));
            }
            Event::Fled { unit, distance } => {
                self.line(2, &format!("{} flees {}.", name(*unit), inches(*distance)));
            }
            Event::Retreated { unit, distance } => {
                self.line(4, &format!("{} falls back {}.", name(*unit), inches(*distance)));
            }
            Event::Rolled(roll) => self.rolled(scene, roll),
            Event::Lost { unit, figures } => {
                let left = scene.battle.unit(*unit).figures;
                self.line(4, &format!("{} loses {}; {left} left.", name(*unit), counted(*figures, "figure")));
            }
            Event::Morale { unit, from } => {
                let now = &scene.rules.morale[usize::from(scene.battle.unit(*unit).morale)];
                let before = &scene.rules.morale[usize::from(*from)].id;
                self.line(4, &format!("{} is {}, was {before}{}.", name(*unit), now.id, cited(&now.source)));
            }
            Event::Destroyed(unit) => self.line(4, &format!("{} is destroyed.", name(*unit))),
            Event::LeftTable(unit) => self.line(4, &format!("{} leaves the table.", name(*unit))),
            Event::Over { outcome, limit } => self.over(scene, outcome, *limit),
        }
    }
}

impl Narrator {
    fn rolled(&mut self, scene: Scene<'_>, event: &RollEvent) {
        let rules = scene.rules;
        let roll = &rules.rolls[usize::from(event.roll)];
        let (title, source) = match event.occasion {
            Occasion::Phase(_) => (roll.title.as_str(), &roll.source),
            Occasion::Reaction(index) => {
                let reaction = &rules.reactions[usize::from(index)];
                (reaction.title.as_str(), &reaction.source)
            }
        };
        let mut opening = format!("{} - {title}", unit_name(scene, event.own));
        if let Some(foe) = event.foe {
            let _ = write!(opening, ", against {}", unit_name(scene, foe));
            if matches!(rules.board, grognard_rules::model::Board::Plane { .. }) {
                let _ = write!(opening, " at {}", inches(event.distance));
                if event.exposed.1 != Arc::Front {
                    let _ = write!(opening, ", in its {}", arc_text(event.exposed.1));
                }
                if event.exposed.0 != Arc::Front {
                    let _ = write!(opening, ", struck in the {} itself", arc_text(event.exposed.0));
                }
            }
        }
        self.line(2, &format!("{opening}{}.", cited(source)));
        for &(input, row) in &event.modifiers {
            let modifier = &roll.modifiers[row];
            let by = match roll.inputs[input].by {
                Contestant::Foe => "enemy ",
                Contestant::Own => "",
            };
            self.line(4, &format!("{by}{:+} {}{}", modifier.add, modifier.id, cited(&modifier.source)));
        }
        let quantities = quantities(roll, event);
        let result = &roll.results[usize::from(roll.outcomes[usize::from(event.outcome)].row)];
        let mut dice = String::new();
        if !event.faces.is_empty() {
            let faces = event.faces.iter().map(|face| face.label.as_str()).collect::<Vec<_>>().join(" ");
            let _ = write!(dice, "rolls {faces}{}", totals(roll, event));
        }
        let _ = write!(dice, "{}{}", if dice.is_empty() { "" } else { ": " }, result.title);
        self.line(3, &format!("{quantities}{dice}{}.", cited(&result.source)));
    }

    fn over(&mut self, scene: Scene<'_>, outcome: &Outcome, limit: Option<Limit>) {
        self.pending = None;
        let why = if limit.is_some() { " at the turn limit" } else { "" };
        let verdict = match outcome.winner {
            Some(side) => format!("{} wins{why}", scene.setup.names[side]),
            None => format!("Nobody wins{why}"),
        };
        let tally = |side: Side| {
            let sum = outcome.sides[side];
            format!("{} lost {} of {}", scene.setup.names[side], sum.losses, counted(sum.start, "figure"))
        };
        self.lines.push(format!("{verdict}, turn {}: {}; {}.", outcome.turns, tally(Side::First), tally(Side::Second)));
    }
}

/// Faces that were shown, played again to find the totals they gave.
struct Replay<'a> {
    faces: std::slice::Iter<'a, Shown>,
}

impl Faces for Replay<'_> {
    fn roll(&mut self, die: &Die) -> usize {
        let label = self.faces.next().map_or("", |face| face.label.as_str());
        die.faces.iter().position(|face| face.label == label).unwrap_or(0)
    }
}

fn totals(roll: &Roll, event: &RollEvent) -> String {
    let mut inputs = [0; INPUTS_MAX];
    for (place, &input) in inputs.iter_mut().zip(&event.inputs) {
        *place = input;
    }
    let totals = roll.totals(&inputs, &mut Replay { faces: event.faces.iter() });
    let named = roll.mechanic.totals().into_iter().zip(totals.as_slice().iter());
    let text = named.map(|(name, value)| format!("{} {value}", name.replace('_', " "))).collect::<Vec<_>>().join(", ");
    format!(" ({text})")
}

fn quantities(roll: &Roll, event: &RollEvent) -> String {
    let mut parts = Vec::new();
    for quantity in &roll.quantities {
        let input = quantity.input.and_then(|index| event.inputs.get(usize::from(index))).copied().unwrap_or(0);
        let value = quantity.fixed + input;
        let by = if quantity.by == Contestant::Foe { "enemy " } else { "" };
        parts.push(match quantity.name {
            "need" => format!("{by}needs {value}+"),
            "dice" => format!("{by}{}", counted(value.max(0) as u16, "die")),
            "added" => format!("{by}{value:+}"),
            name => format!("{by}{name} {value}"),
        });
    }
    if parts.is_empty() { String::new() } else { format!("{}; ", parts.join(", ")) }
}

fn unit_name(scene: Scene<'_>, id: UnitId) -> String {
    let unit: &Unit = scene.battle.unit(id);
    let kind = &scene.rules.kinds[usize::from(unit.kind)].title;
    let alone = scene.battle.side(unit.side).count() == 1;
    let number = if alone { String::new() } else { format!(" {}", unit.number + 1) };
    format!("{kind} ({}{number})", scene.setup.names[unit.side])
}

fn order_text(scene: Scene<'_>, order: Order) -> String {
    match order {
        Order::Hold => "hold".into(),
        Order::Form(formation) => format!("form {}", scene.rules.formations[usize::from(formation)].title),
        Order::Face => "face the enemy".into(),
        Order::Charge => "charge".into(),
        Order::Advance(stop) => format!("advance to {}", inches(stop)),
        Order::Withdraw => "withdraw".into(),
        Order::Fire => "fire".into(),
    }
}

fn refusal_text(why: Refusal) -> &'static str {
    match why {
        Refusal::Formation => "that formation is closed to it now",
        Refusal::NoRoom => "there is no room",
        Refusal::NotInFront => "the enemy is not in its front arc",
        Refusal::OutOfReach => "the enemy is out of reach, or somebody is in the way",
        Refusal::MayNotCharge => "it may not charge this enemy now",
        Refusal::NoTarget => "nobody to shoot at in range, arc and sight",
    }
}

fn arc_text(arc: Arc) -> &'static str {
    match arc {
        Arc::Front => "front",
        Arc::Flank => "flank",
        Arc::Rear => "rear",
    }
}

fn inches(hundredths: i32) -> String {
    format!("{}.{}\"", hundredths / 100, hundredths % 100 / 10)
}

fn degrees(tenths: i32) -> String {
    let way = if tenths >= 0 { "right" } else { "left" };
    format!("{}.{}° to the {way}", tenths.abs() / 10, tenths.abs() % 10)
}

fn counted(count: u16, what: &str) -> String {
    match (count, what) {
        (1, what) => format!("1 {what}"),
        (count, "die") => format!("{count} dice"),
        (count, what) => format!("{count} {what}s"),
    }
}

fn cited(source: &Source) -> String {
    if source.cite.is_empty() { String::new() } else { format!(" [{}]", source.cite.join(", ")) }
}
