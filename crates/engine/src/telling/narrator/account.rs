//! The account of a roll: the roller and the purpose, modifiers, each side's dice, the totals and their targets, and
//! the row of the result table.

use std::fmt::Write as _;

use grognard_roll::{Mechanic, Ties};
use grognard_rules::model::{Board, Contestant, INPUTS_MAX, Mechanism, Modifier, Quantity, ResultRow, Roll};
use grognard_rules::wire::ModifierTo;

use crate::geometry::plane::Arc;
use crate::telling::citing::carried_out;
use crate::telling::event::{Occasion, RollEvent, Scene};
use crate::telling::narrator::throws::{Replay, Throw, throws};
use crate::telling::narrator::words::{arc_text, away, bracketed, cited, counted, unit_name};

/// Writes a roll as lines, each with its depth below the roll's first line. `order` is the source of the roll, in
/// brackets; `behind` lists the clauses that the roll applied.
pub(super) fn account(scene: Scene<'_>, event: &RollEvent, order: &str, behind: &[&str]) -> Vec<(usize, String)> {
    let roll = &scene.rules.rolls[event.roll];
    let names = Names::of(scene, event);
    let mut lines = vec![(0, format!("{}.", heading(scene, event, order, behind)))];
    for quantity in roll.quantities.iter().filter(|quantity| !matches!(quantity.name, "added" | "from" | "")) {
        let modifiers = modifiers(scene, event, quantity);
        if !modifiers.is_empty() {
            lines.push((1, base_text(quantity, event, &names)));
            lines.extend(modifiers.into_iter().map(|line| (2, line)));
        }
    }
    let throws = throws(&roll.mechanic, &event.inputs, &event.faces);
    // Faces are missing if an outcome was too rare to be replayed. In that case, only the result is known.
    let known = !event.faces.is_empty() || throws.iter().all(|throw| throw.dice == "no dice");
    let totals = if known { totals_text(roll, event, &names) } else { String::new() };
    let verdict = result_text(scene, event, &totals);
    let single = throws.len() == 1;
    for throw in throws {
        let who = if single { String::new() } else { format!("{} ", names.of_contestant(throw.by)) };
        let added = added(scene, event, throw.by);
        let rolls = if known { thrown_text(&throw) } else { throw.dice };
        if single && added.is_empty() {
            lines.push((1, format!("rolls {rolls}{verdict}.")));
            return lines;
        }
        lines.push((1, format!("{who}rolls {rolls}")));
        lines.extend(added.into_iter().map(|line| (2, line)));
    }
    lines.push((1, format!("{}.", verdict.trim_start_matches([',', ':', ' ']))));
    lines
}

/// The names of the two contestants in the account of the dice. These are the names of their sides.
struct Names<'a> {
    own: &'a str,
    foe: &'a str,
}

impl<'a> Names<'a> {
    fn of(scene: Scene<'a>, event: &RollEvent) -> Self {
        let side = scene.battle.unit(event.own).side;
        let other = side.only_enemy(scene.battle.sides().len());
        let foe = event.foe.map(|foe| scene.battle.unit(foe).side).filter(|&foe| foe != side).or(other);
        Self { own: &scene.setup.names[side], foe: foe.map_or("the enemy", |foe| &scene.setup.names[foe]) }
    }

    fn of_contestant(&self, by: Contestant) -> &'a str {
        match by {
            Contestant::Own => self.own,
            Contestant::Foe => self.foe,
        }
    }
}

fn heading(scene: Scene<'_>, event: &RollEvent, order: &str, behind: &[&str]) -> String {
    let rules = scene.rules;
    let roll = &rules.rolls[event.roll];
    let (title, against) = match event.occasion {
        Occasion::Phase(index) => {
            let test = matches!(rules.phases[usize::from(index)].mechanism, Mechanism::Test(_));
            (&roll.title, if test { "nearest enemy" } else { "against" })
        }
        Occasion::Reaction(index) => {
            (&rules.reactions[usize::from(index)].title, if strikes(roll) { "against" } else { "enemy" })
        }
        Occasion::Provision(_) => (&roll.title, "against"),
        Occasion::Activation => (&roll.title, "nearest enemy"),
        Occasion::Arrival => (&roll.title, "against"),
    };
    let by_side = matches!(event.occasion, Occasion::Phase(index)
        if matches!(rules.phases[usize::from(index)].mechanism, Mechanism::Army(_)));
    let roller = if by_side {
        scene.setup.names[scene.battle.unit(event.own).side].clone()
    } else {
        unit_name(scene, event.own)
    };
    let mut text = format!("{roller}: {title}");
    if let Some(foe) = event.foe.filter(|&foe| foe != event.own) {
        let _ = write!(text, ", {against} {}", unit_name(scene, foe));
        if matches!(rules.board, Board::Plane { .. }) {
            let _ = write!(text, ", {}", away(rules, event.distance));
            let (shown, seen) = event.exposed;
            if shown != Arc::Front {
                let _ = write!(text, ", with the enemy {} its {}", side_word(shown), arc_text(shown));
            }
            if seen != Arc::Front {
                let _ = write!(text, ", {} the enemy's {}", side_word(seen), arc_text(seen));
            }
        }
    }
    text + order + &bracketed(&beside_rows(scene, event, behind))
}

/// The preposition for an arc: an enemy is on a flank but in the rear.
fn side_word(arc: Arc) -> &'static str {
    if arc == Arc::Rear { "in" } else { "on" }
}

/// The clauses that are shown neither on a modifier's line nor on the line of the result.
fn beside_rows<'b>(scene: Scene<'_>, event: &RollEvent, behind: &[&'b str]) -> Vec<&'b str> {
    let roll = &scene.rules.rolls[event.roll];
    let modifiers = event.modifiers.iter().map(|&(input, row)| (&roll.modifiers[row].source, roll.inputs[input].by));
    let result = (&result_row(roll, event).source, Contestant::Own);
    let rows = modifiers.chain([result]);
    let told: Vec<&str> = rows.flat_map(|(row, by)| carried_out(scene, row, Some(event.eyes(by)))).collect();
    behind.iter().copied().filter(|clause| !told.contains(clause)).collect()
}

/// The rows that changed a quantity, and whether the limits of the roll stopped them.
fn modifiers(scene: Scene<'_>, event: &RollEvent, quantity: &Quantity) -> Vec<String> {
    let roll = &scene.rules.rolls[event.roll];
    let Some(input) = quantity.input.map(usize::from) else { return Vec::new() };
    let mine = event.modifiers.iter().filter(|&&(of, _)| of == input);
    let rows: Vec<&Modifier> = mine.map(|&(_, row)| &roll.modifiers[row]).collect();
    let eyes = event.eyes(roll.inputs[input].by);
    let line = |row: &&Modifier| format!("{} {}{}", added_text(row), row.id, cited(scene, &row.source, eyes));
    let mut lines: Vec<String> = rows.iter().map(line).collect();
    if roll.inputs[input].ladder.is_some() {
        if !lines.is_empty() {
            lines.push(format!("so {}", counted(quantity.fixed + event.inputs[input], "die")));
        }
        return lines;
    }
    let sum: i32 = rows.iter().map(|row| row.add).sum();
    let value = event.inputs[input];
    if event.bases[input] + roll.inputs[input].sign * sum != value {
        lines.push(format!("limited to {}", quantity.fixed + value));
    }
    lines
}

/// The effect of a modifier on a number.
fn added_text(row: &Modifier) -> String {
    match row.to {
        ModifierTo::Cap => format!("at most {}", row.add),
        ModifierTo::Divide => format!("divided by {}", row.add),
        _ => format!("{:+}", row.add),
    }
}

/// The additions to the dice of one contestant.
fn added(scene: Scene<'_>, event: &RollEvent, by: Contestant) -> Vec<String> {
    let roll = &scene.rules.rolls[event.roll];
    let mut lines = Vec::new();
    for quantity in roll.quantities.iter().filter(|quantity| quantity.name == "added" && quantity.by == by) {
        let base = base(quantity, event);
        if base != 0 {
            lines.push(format!("{base:+} of its own"));
        }
        lines.extend(modifiers(scene, event, quantity));
    }
    lines
}

/// A quantity before modifiers.
fn base(quantity: &Quantity, event: &RollEvent) -> i32 {
    quantity.fixed + quantity.input.map_or(0, |input| event.bases[usize::from(input)])
}

fn base_text(quantity: &Quantity, event: &RollEvent, names: &Names<'_>) -> String {
    let base = base(quantity, event);
    let whose = if quantity.by == Contestant::Foe { format!("{} ", names.foe) } else { String::new() };
    match quantity.name {
        "need" => format!("{whose}needs {base} or more"),
        "dice" => format!("{whose}{}", counted(base.max(0), "die")),
        name => format!("{whose}{name} {base}"),
    }
}

fn thrown_text(throw: &Throw) -> String {
    let Throw { dice, faces, comes_to, .. } = throw;
    if faces.is_empty() { dice.clone() } else { format!("{dice}: {faces}{comes_to}") }
}

/// Whether a roll can affect an enemy. If not, it is a test.
fn strikes(roll: &Roll) -> bool {
    roll.outcomes.iter().any(|outcome| !outcome.foe.is_none())
}

/// The totals, as they were compared.
fn totals_text(roll: &Roll, event: &RollEvent, names: &Names<'_>) -> String {
    let mut inputs = [0; INPUTS_MAX];
    for (place, &input) in inputs.iter_mut().zip(&event.inputs) {
        *place = input;
    }
    let totals = roll.totals(&inputs, &mut Replay::new(&event.faces));
    let [first, second, third] = [0, 1, 2].map(|index| totals.get(index));
    let Names { own, foe } = names;
    match &roll.mechanic {
        Mechanic::Sum(_) => format!(", total {first}"),
        Mechanic::Opposed(_) => format!(", {own} {first}, {foe} {second}, margin {third}"),
        Mechanic::Under(_) => format!(", target {second}, margin {third}"),
        Mechanic::Pool(pool) => {
            let last = totals.as_slice().last().copied().unwrap_or(0);
            let gone = pool.models.filter(|models| models.gone).map(|_| format!(", {}", counted(last.into(), "model")));
            let unit = if strikes(roll) { "hit" } else { "success" };
            format!(", {}", counted(first, unit)) + &gone.unwrap_or_default()
        }
        Mechanic::Table(table) => {
            let row = table.rows.iter().find(|row| first <= row.up_to);
            let row = row.map_or_else(|| "the last row".to_owned(), |row| format!("row up to {}", row.up_to));
            let column = match roll.columns.get(second as usize) {
                Some(name) => format!(", column {name}"),
                None if table.rows.iter().all(|row| row.entries.len() <= 1) => String::new(),
                None => format!(", column {second}"),
            };
            format!(", total {first}, {row}{column}, entry {third}")
        }
        Mechanic::Ranked(ranked) => {
            let ties = match ranked.ties {
                Ties::OwnLoses => format!("ties lost by {own}"),
                Ties::FoeLoses => format!("ties lost by {foe}"),
                Ties::NobodyLoses => "ties lost by neither".into(),
            };
            format!(", best against best, {ties}: {own} loses {first}, {foe} {second}")
        }
        Mechanic::Symbols(_) => {
            let named = roll.mechanic.totals().into_iter().zip(totals.as_slice());
            named.map(|(name, count)| format!(", {name} {count}")).collect()
        }
    }
}

/// The totals, the result, and its row.
fn result_text(scene: Scene<'_>, event: &RollEvent, totals: &str) -> String {
    let roll = &scene.rules.rolls[event.roll];
    let ResultRow { id, title, when, source } = result_row(roll, event);
    let when = match when {
        Some(when) => when.as_str(),
        None if roll.results.len() > 1 => "otherwise",
        // If a roll has only one possible result, the name of the result gives no information: even a roll that hits
        // nothing has it.
        None if id == title && !totals.is_empty() => {
            return totals.to_owned() + &cited(scene, source, event.eyes(Contestant::Own));
        }
        None => "",
    };
    let row = match (id == title, when.is_empty()) {
        (true, true) => String::new(),
        (true, false) => format!(" ({when})"),
        (false, true) => format!(" ({id})"),
        (false, false) => format!(" ({id}: {when})"),
    };
    format!("{totals}: {title}{row}{}", cited(scene, source, event.eyes(Contestant::Own)))
}

fn result_row<'r>(roll: &'r Roll, event: &RollEvent) -> &'r ResultRow {
    &roll.results[usize::from(roll.outcomes[usize::from(event.outcome)].row)]
}
