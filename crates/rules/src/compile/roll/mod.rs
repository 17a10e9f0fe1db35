//! Rolls: from hands of dice, modifiers and result rows to odds for every input that can occur in a battle.

mod dice;
mod favour;
mod groups;
mod inputs;
mod instead;
mod ladder;
mod mechanic;
mod pool;
mod results;
mod shared;
#[cfg(test)]
mod tests;

use std::sync::Arc;

use grognard_dice::Favour;

use super::checker::{Checker, at};
use super::step::Made;
use crate::model::{Modifier, MoraleState, Retake, Roll, RollOutcome};
use crate::wire::{BoardName, CiteWire, HandWire, ModifierTo, Pack, RollWire};
pub(super) use dice::{PackDice, pack_dice};
use grognard_roll::{Amount, Hand, Keep, Kind, Mechanic, Natural, Read, RollError, RollTable, Sum};
use grognard_source::Path;
use inputs::Inputs;
pub(super) use results::plain_effect;

/// The rolls of a pack, and the dice that it defines.
pub(super) struct Rolls<'c> {
    pub(super) rolls: Made<'c, Arc<[Arc<Roll>]>>,
    pub(super) dice: Made<'c, Arc<PackDice>>,
}

/// Compiles a roll of a pack.
pub(super) fn roll(
    checker: &mut Checker<'_>,
    wire: &Pack<'_>,
    (id, roll): (&str, &RollWire),
    dice: &PackDice,
    morale: &[MoraleState],
) -> Option<Roll> {
    let whole = shared::with_shared(checker, wire, id, roll);
    let compiled = compile_roll(checker, id, &whole, wire, dice, morale);
    let instead = instead::resolve(checker, id, roll);
    Some(Roll { instead, ..compiled? })
}

/// Computes the odds of a sum of dice. Each class is a sum.
///
/// `cite` lists the clauses behind the dice, for fault messages.
pub(super) fn sum_of_dice(
    checker: &mut Checker<'_>,
    at: &Path,
    text: &str,
    dice: &PackDice,
    cite: &[CiteWire],
) -> Option<RollTable> {
    let parsed = dice::parse(checker, at, text, dice)?;
    if let Some((die, _)) = parsed.iter().find(|(die, _)| die.faces.iter().any(|face| face.value < 0)) {
        let message = format!("`{text}` can be negative: `{}` has a negative face{}", die.name, clauses(cite));
        checker.fault(at, message, Some("give faces of 0 or more"));
        return None;
    }
    let kinds = parsed
        .into_iter()
        .map(|(die, count)| Kind { die, count: Amount::fixed(i32::from(count.unwrap_or(1))) })
        .collect();
    let hand = Hand {
        kinds,
        keep: Keep::All,
        reroll: None,
        explode: None,
        read: Read::Sum,
        natural: Natural::default(),
        plus: Amount::fixed(0),
    };
    let table = RollTable::build(Mechanic::Sum(Sum::new(hand)), &[], &mut |_, totals| totals.get(0).max(0) as u16);
    // More points and a longer flight are better for the roller.
    let table = table.map(|table| table.favouring(Favour::Late));
    table.map_err(|error| checker.fault(at, format!("the odds of `{text}` cannot be computed: {error}"), None)).ok()
}

/// Clauses in brackets, after a space.
pub(super) fn clauses(cite: &[CiteWire]) -> String {
    let clauses: Vec<&str> = cite.iter().map(CiteWire::clause).collect();
    if clauses.is_empty() { String::new() } else { format!(" ({})", clauses.join(", ")) }
}

fn compile_roll(
    checker: &mut Checker<'_>,
    id: &str,
    wire: &RollWire,
    pack: &Pack<'_>,
    dice: &dice::PackDice,
    morale: &[MoraleState],
) -> Option<Roll> {
    let at = at!["roll", id];
    let modifiers = modifiers(checker, id, wire);
    let mut source = checker.source(&at, &wire.cite, wire.note.as_ref());
    let mut inputs = Inputs::new(&modifiers, wire);
    let mut stage_sources = Vec::new();
    let mechanic = mechanic::mechanic(checker, (id, wire), dice, &mut inputs, (&mut source.cite, &mut stage_sources));
    let mechanic = mechanic?;
    inputs.refuse_unused(checker, id);
    if inputs.refused() {
        return None;
    }
    let (inputs, quantities) = inputs.into_parts();
    let table = results::table(checker, id, wire, &mechanic, &inputs, morale)?;
    let results = results::rows(checker, id, wire);
    let retake = retake(checker, id, wire, pack).map(Box::new);
    Some(Roll {
        id: id.to_owned(),
        title: wire.title.clone(),
        mechanic,
        inputs,
        quantities,
        table: table.odds.favouring(favour::of(&table.outcomes)),
        always_tells: table.outcomes.iter().all(RollOutcome::tells),
        outcomes: table.outcomes,
        results,
        columns: wire.columns.clone(),
        modifiers,
        instead: None,
        retake,
        stage_sources,
        source,
    })
}

fn modifiers(checker: &mut Checker<'_>, id: &str, wire: &RollWire) -> Vec<Modifier> {
    let mut modifiers = Vec::new();
    for modifier in &wire.modifier {
        let at = at!["roll", id, "modifier", modifier.id];
        let when = modifier.when.as_ref().and_then(|when| {
            let expr = checker.expr(&at.join("when"), when, grognard_expr::Kind::Bool);
            // An invalid condition has been reported, and counts as never true.
            expr.or_else(|| checker.never())
        });
        let named = ("modifier", modifier.id.as_str());
        let source = checker.stated_source(&at, named, &modifier.cite, modifier.note.as_ref());
        modifiers.push(Modifier {
            id: modifier.id.clone(),
            when,
            add: modifier.add,
            to: modifier.to.unwrap_or(ModifierTo::Roll),
            source,
        });
    }
    modifiers
}

/// The second try that a general allows.
fn retake(checker: &mut Checker<'_>, id: &str, wire: &RollWire, pack: &Pack<'_>) -> Option<Retake> {
    let retake = wire.retake.as_ref()?;
    let at = at!["roll", id, "retake"];
    let Some(general) = pack.general.as_ref().filter(|_| pack.board == BoardName::Plane) else {
        let help = "only packs on a `plane` board with `[general]` allow this";
        checker.fault(&at, "this pack has no generals", Some(help));
        return None;
    };
    let results = wire.result.iter().map(|row| row.id.as_str());
    let of = checker.find_each(&at.join("of"), "result", &retake.of, &results);
    let by = checker.find_each(&at.join("ranks"), "rank", &retake.ranks, &general.rank.keys().map(String::as_str));
    Some(Retake {
        of: of.into_iter().map(u16::from).collect(),
        within: retake.within.hundredths(),
        ranks: if retake.ranks.is_empty() { u128::MAX } else { by.into_iter().fold(0, |bits, rank| bits | 1 << rank) },
        when: checker.condition(&at.join("when"), retake.when.as_ref()),
        source: checker.source(&at, &retake.cite, retake.note.as_ref()),
    })
}

/// Reports odds that cannot be computed.
fn refuse(checker: &mut Checker<'_>, id: &str, wire: &RollWire, error: &RollError) {
    let at = at!["roll", id];
    let message = format!("the odds of roll `{id}` cannot be computed: {error}");
    let (at, error) = match error {
        RollError::InStage { stage, error } => (at_stage(&at, wire, *stage), &**error),
        _ => (at, error),
    };
    let in_hand = at == at!["roll", id];
    let (hand, error) = match error {
        RollError::OfFoe(error) => ("foe", &**error),
        _ => ("own", error),
    };
    let help = match error {
        RollError::TooManyDice { input: Some(_), limit, .. } => {
            format!("add `most = {limit}` next to `dice`, or reduce `count` and the modifiers")
        }
        RollError::TooManyDice { limit, .. } => format!("roll at most {limit} dice"),
        RollError::TooManyTogether { limits: [own, foe], .. } => {
            let counted = [Some(&wire.own), wire.foe.as_ref()].into_iter().flatten().any(|hand| hand.count.is_some());
            let most = if counted { "; `most` limits a `count` that varies" } else { "" };
            format!("roll at most {own} dice against at most {foe} of the foe's{most}")
        }
        RollError::TooManyRepeats { .. } => {
            "lower the `limit` of `explode` or the `times` of `reroll`, or use a die with fewer faces".to_owned()
        }
        RollError::TooMuchWork | RollError::TooManyEntries { .. } | RollError::TooManyCombinations { .. } => {
            let dice = match counts_dice(wire) {
                true => {
                    "limit the number of dice with `most` (200 is low enough for most rolls, and 100 for rolls whose \
                     results read both `criticals` and `fumbles`)"
                }
                false => "roll fewer dice",
            };
            let help = format!(
                "{dice}, narrow the numbers that depend on the situation (`math.least(self.shots, 100)`), make some of \
                 them fixed, or read fewer totals in `result`"
            );
            return checker.fault(&at, message, Some(&help));
        }
        _ => return checker.fault(&at, message, None),
    };
    checker.fault(&if in_hand { at.join(hand) } else { at }, message, Some(&help));
}

/// Whether `most` has a number of dice to limit: one that is counted, or changed by modifiers.
fn counts_dice(wire: &RollWire) -> bool {
    let mut hands = [Some(&wire.own), wire.foe.as_ref()].into_iter().flatten();
    let counted = |hand: &HandWire| hand.count.is_some() || !hand.groups.is_empty();
    let is_of_dice = |to: ModifierTo| to == ModifierTo::Dice || ladder::STEPS.contains(&to);
    hands.any(counted) || wire.modifier.iter().filter_map(|row| row.to).any(is_of_dice)
}

/// Where a stage of a pool is written; a hand without groups is the first stage.
fn at_stage(roll: &Path, wire: &RollWire, stage: usize) -> Path {
    let groups = &wire.own.groups;
    match (groups.get(stage), wire.stage.get(stage.wrapping_sub(groups.len().max(1)))) {
        (Some(group), _) => roll.join("own").join("groups").join(group.id.clone()),
        (None, Some(stage)) => roll.join("stage").join(stage.id.clone()),
        (None, None) => roll.clone(),
    }
}

/// A table of odds and the meaning of its classes.
#[derive(Clone)]
struct Worked {
    odds: RollTable,
    outcomes: Vec<RollOutcome>,
}
