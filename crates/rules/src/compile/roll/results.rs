//! Result tables: which row a roll comes to, and what that does.

use std::collections::BTreeSet;
use std::ops::RangeInclusive;

use super::{Worked, refuse};
use crate::compile::checker::{Checker, at};
use crate::expr::{Domain, Expr, Kind, Scope, Situation, Var};
use crate::model::{Effect, Input, MoraleState, ResultRow, RollOutcome, Score, Trigger};
use crate::roll::{Mechanic, RollError, RollTable, Totals};
use crate::source::Path;
use crate::wire::{EffectWire, EventName, IntOrExpr, RollWire};

/// Totals lie between these; figures lost are cut off at the most a unit can have.
const TOTAL_MAX: i32 = 32_767;
/// Hits of a kind beyond this many are not told apart.
const SCORE_MAX: u8 = 12;

/// The rows for narration and coverage.
pub(super) fn rows(checker: &mut Checker<'_>, id: &str, wire: &RollWire) -> Vec<ResultRow> {
    let mut rows = Vec::new();
    for row in &wire.result {
        let at = at!["roll", id, "result", row.id];
        rows.push(ResultRow {
            id: row.id.clone(),
            title: row.title.clone().unwrap_or_else(|| row.id.clone()),
            when: row.when.clone(),
            source: checker.source(&at, &row.cite, row.note.as_ref()),
        });
    }
    rows
}

/// A result row with its expressions compiled.
struct Row {
    when: Option<Expr>,
    own: EffectRow,
    foe: EffectRow,
}

/// An effect whose losses may depend on the totals.
struct EffectRow {
    lose: Option<Expr>,
    /// Colours, swords and flags, where they depend on the totals.
    score: [Option<Expr>; 3],
    fixed: Effect,
}

struct ReadTotals<'t>(&'t Totals);

impl Situation for ReadTotals<'_> {
    fn value(&self, var: Var) -> i32 {
        self.0.get(var.index())
    }
}

/// Works out the odds of every outcome for every input.
pub(super) fn table(
    checker: &mut Checker<'_>,
    id: &str,
    wire: &RollWire,
    mechanic: &Mechanic,
    inputs: &[Input],
    morale: &[MoraleState],
) -> Option<Worked> {
    let mut scope = Scope::new();
    for name in mechanic.totals() {
        if scope.add(&name, Domain::Int { min: -TOTAL_MAX, max: TOTAL_MAX }).is_err() {
            let help = "symbols that are counted are called by letters, digits and `_`";
            checker.fault(&at!["roll", id], format!("conditions cannot call a total `{name}`"), Some(help));
        }
    }
    let mut rows = Vec::new();
    let last = wire.result.len().saturating_sub(1);
    for (index, row) in wire.result.iter().enumerate() {
        let at = at!["roll", id, "result", row.id];
        if row.when.is_none() && index < last {
            let help = "only the last row may leave `when` out";
            checker.fault(&at, "no row after this one can ever be the result", Some(help));
        }
        if row.when.is_some() && index == last {
            let help = "leave `when` out of the last row, so that every roll has a result";
            checker.fault(&at.join("when"), "a roll that fits no row would have no result", Some(help));
        }
        let when = row.when.as_ref().map(|when| checker.expr_in(&scope, &at.join("when"), when, Kind::Bool));
        let own = effect(checker, &scope, &at.join("own"), &row.own, morale);
        let foe = effect(checker, &scope, &at.join("foe"), &row.foe, morale);
        if let Some(None) = when {
            continue;
        }
        rows.push(Row { when: when.flatten(), own, foe });
    }
    if rows.len() < wire.result.len() {
        return None;
    }
    work_out(mechanic, inputs, &rows).map_err(|error| refuse(checker, id, &error)).ok()
}

fn work_out(mechanic: &Mechanic, inputs: &[Input], rows: &[Row]) -> Result<Worked, RollError> {
    let ranges: Vec<RangeInclusive<i32>> = inputs.iter().map(|input| input.min..=input.max).collect();
    // The classes are numbered in the order of the rows and then of what they cost, so that a word which is good for the
    // roller in one situation is good in another: this is what makes paired battles alike.
    let mut met = BTreeSet::new();
    RollTable::build(mechanic.clone(), &ranges, &mut |_, totals| {
        met.insert(outcome(rows, totals));
        0
    })?;
    let outcomes: Vec<RollOutcome> = met.into_iter().collect();
    let odds = RollTable::build(mechanic.clone(), &ranges, &mut |_, totals| {
        // Every outcome was met in the first pass.
        outcomes.binary_search(&outcome(rows, totals)).map_or(0, |index| index as u16)
    })?;
    Ok(Worked { odds, outcomes })
}

fn outcome(rows: &[Row], totals: &Totals) -> RollOutcome {
    let totals = ReadTotals(totals);
    let holds = |row: &Row| row.when.as_ref().is_none_or(|when| when.eval(&totals) != 0);
    let index = rows.iter().position(holds).unwrap_or(rows.len().saturating_sub(1));
    let row = &rows[index];
    RollOutcome { row: index as u16, own: row.own.at(&totals), foe: row.foe.at(&totals) }
}

impl EffectRow {
    fn at(&self, totals: &ReadTotals<'_>) -> Effect {
        let lose = self.lose.as_ref().map_or(i32::from(self.fixed.lose), |lose| lose.eval(totals));
        let fixed = self.fixed.score;
        let count = |at: usize, fixed: u8| {
            self.score[at].as_ref().map_or(fixed, |expr| expr.eval(totals).clamp(0, i32::from(SCORE_MAX)) as u8)
        };
        let score =
            Score { colours: count(0, fixed.colours), swords: count(1, fixed.swords), flags: count(2, fixed.flags) };
        Effect { lose: lose.clamp(0, i32::from(u8::MAX)) as u16, score, ..self.fixed }
    }
}

fn effect(checker: &mut Checker<'_>, scope: &Scope, at: &Path, wire: &EffectWire, morale: &[MoraleState]) -> EffectRow {
    let states = || morale.iter().map(|state| state.id.as_str());
    let mut state = |key: &str, name: Option<&String>| {
        name.and_then(|name| checker.find(&at.join(key), "morale state", name, states()))
    };
    let (fall, rally) = (state("morale", wire.morale.as_ref()), state("rally", wire.rally.as_ref()));
    let mut fixed = Effect {
        lose: 0,
        morale: fall,
        rally,
        worsen: wire.worsen.unwrap_or(0),
        worsen_shaken: wire.worsen_shaken.unwrap_or(0),
        retreat: wire.retreat.map_or(0, |retreat| retreat.hundredths()),
        score: Score::default(),
        halt: wire.halt,
        destroy: wire.destroy,
        flee: wire.flee,
        open_fire: wire.open_fire,
        pursue: wire.pursue,
        sets_off: sets_off(checker, at, wire.sets_off),
    };
    let lose = match &wire.lose {
        None => None,
        Some(IntOrExpr::Number(number)) => {
            if !(0..=255).contains(number) {
                checker.fault(&at.join("lose"), format!("{number} figures cannot be lost"), Some("from 0 to 255"));
            }
            fixed.lose = (*number).clamp(0, 255) as u16;
            None
        }
        Some(IntOrExpr::Formula(text)) => checker.expr_in(scope, &at.join("lose"), text, Kind::Int),
    };
    let at = at.join("score");
    let mut count = |key: &str, given: Option<&IntOrExpr>| match given {
        None => (0, None),
        Some(IntOrExpr::Number(number)) => ((*number).clamp(0, i32::from(SCORE_MAX)) as u8, None),
        Some(IntOrExpr::Formula(text)) => (0, checker.expr_in(scope, &at.join(key), text, Kind::Int)),
    };
    let (colours, by_colour) = count("colours", wire.score.colours.as_ref());
    let (swords, by_sword) = count("swords", wire.score.swords.as_ref());
    let (flags, by_flag) = count("flags", wire.score.flags.as_ref());
    fixed.score = Score { colours, swords, flags };
    EffectRow { lose, score: [by_colour, by_sword, by_flag], fixed }
}

fn sets_off(checker: &mut Checker<'_>, at: &Path, event: Option<EventName>) -> Option<Trigger> {
    match event? {
        EventName::Beaten => Some(Trigger::Beaten),
        EventName::Struck => Some(Trigger::Struck),
        EventName::Held => Some(Trigger::Held),
        EventName::Broken => Some(Trigger::Broken),
        EventName::Charged
        | EventName::Losses
        | EventName::TurnsInZone
        | EventName::PivotsInZone
        | EventName::FormsInZone
        | EventName::Threatened
        | EventName::Won => {
            let help = "effects set off `beaten`, `struck`, `held` or `broken`";
            checker.fault(&at.join("sets-off"), "this happens by itself and cannot be set off", Some(help));
            None
        }
    }
}

/// An effect that does not depend on a roll.
pub(crate) fn plain_effect(checker: &mut Checker<'_>, at: &Path, wire: &EffectWire, morale: &[MoraleState]) -> Effect {
    if let Some(IntOrExpr::Formula(_)) = wire.lose {
        checker.fault(&at.join("lose"), "there is no roll whose totals a formula could read", Some("give a number"));
        return Effect::default();
    }
    effect(checker, &Scope::new(), at, wire, morale).fixed
}
