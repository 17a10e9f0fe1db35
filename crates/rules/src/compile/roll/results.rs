//! Result tables: which row a roll's totals select, and its effects.

use std::collections::BTreeMap;
use std::ops::RangeInclusive;
use std::sync::LazyLock;

use super::{Worked, refuse};
use crate::compile::checker::{Checker, at};
use crate::model::{COUNT_MAX, Counts, Effect, Input, MoraleState, ResultRow, RollOutcome, Score, Trigger};
use crate::wire::{EffectWire, IntOrExpr, RollWire, ScoreWire};
use grognard_expr::{Domain, Expr, Kind, Remembered, Scope, Situation, Var};
use grognard_roll::{Mechanic, RollError, RollTable, Totals};
use grognard_source::Path;

/// The maximum of a total; the minimum is its negative.
const TOTAL_MAX: i32 = 32_767;
/// The maximum number of figures that one result can cost a unit or give back to it, and of hits or flags of a kind.
const LOST_MAX: i32 = u8::MAX as i32;

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

/// Whether a condition or a formula of the result table may read a total with this name. A total that is not read is
/// not computed, because computing it makes the table of odds larger.
pub(super) fn read(wire: &RollWire, total: &str) -> bool {
    wire.result.iter().any(|row| {
        let amounts = [&row.own, &row.foe].into_iter().flat_map(|effect| {
            let ScoreWire { colours, swords, flags } = &effect.score;
            [&effect.lose, &effect.gain, colours, swords, flags].into_iter().flatten().chain(effect.add.values())
        });
        let formulas = amounts.filter_map(|amount| match amount {
            IntOrExpr::Formula(text) => Some(text),
            IntOrExpr::Number(_) => None,
        });
        formulas.chain(&row.when).any(|text| text.contains(total))
    })
}

/// A result row with its expressions compiled.
#[derive(Clone, PartialEq, Eq, Hash)]
struct Row {
    when: Option<Expr>,
    own: EffectRow,
    foe: EffectRow,
}

impl Row {
    /// Everything that reads totals.
    fn exprs(&self) -> impl Iterator<Item = &Expr> {
        self.when.iter().chain([&self.own, &self.foe].into_iter().flat_map(|effect| {
            let EffectRow { lose, gain, score, counts, .. } = effect;
            [lose, gain].into_iter().chain(score).flatten().chain(counts.iter().map(|(_, _, by)| by))
        }))
    }
}

/// An effect whose amounts may depend on the totals.
#[derive(Clone, PartialEq, Eq, Hash)]
struct EffectRow {
    lose: Option<Expr>,
    gain: Option<Expr>,
    /// Colours, swords and flags, where they depend on the totals.
    score: [Option<Expr>; 3],
    /// A formula for an amount added to a counter, with its name.
    counts: Vec<(u8, String, Expr)>,
    fixed: Effect,
}

struct ReadTotals<'t>(&'t Totals);

impl Situation for ReadTotals<'_> {
    fn value(&self, var: Var) -> i32 {
        self.0.get(var.index())
    }
}

/// Computes the odds of every outcome for every input.
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
            let help = "names of symbols that are counted consist of letters, digits and `_`";
            checker.fault(
                &at!["roll", id],
                format!("a total cannot have the name `{name}`, because conditions must read it"),
                Some(help),
            );
        }
    }
    let mut rows = Vec::new();
    let last = wire.result.len().saturating_sub(1);
    for (index, row) in wire.result.iter().enumerate() {
        let at = at!["roll", id, "result", row.id];
        if row.when.is_none() && index < last {
            let help = "only the last row may omit `when`";
            checker.fault(&at, "no row after this one can be the result", Some(help));
        }
        if row.when.is_some() && index == last {
            let help = "omit `when` in the last row, so that every roll has a result";
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
    let ranges = inputs.iter().map(|input| input.min..=input.max).collect();
    match TABLES.of((mechanic.clone(), ranges, rows), |(mechanic, ranges, rows)| work_out(mechanic, ranges, rows)) {
        Ok(worked) => Some(Worked::clone(&worked)),
        Err(Unworkable::Roll(error)) => {
            refuse(checker, id, wire, &error);
            None
        }
        Err(Unworkable::Beyond(row, Beyond { whose, key, value, range: (least, most) })) => {
            let at = key.iter().fold(at!["roll", id, "result", wire.result[row].id, whose], |at, key| at.join(key));
            let limit = match value < least {
                true => format!("`math.greatest({least}, …)`"),
                false => format!("`math.least({most}, …)`"),
            };
            let help = format!("it must lie between {least} and {most}: write {limit}, or give the row a condition");
            checker.fault(&at, format!("this can be {value}"), Some(&help));
            None
        }
    }
}

/// The inputs of a table: the dice, the range of each input, and the rows.
type Made = (Mechanic, Vec<RangeInclusive<i32>>, Vec<Row>);

/// A cache of tables. It holds a million results in total, about thirty bytes each.
static TABLES: LazyLock<Remembered<Made, Worked>> =
    LazyLock::new(|| Remembered::new(1 << 20, |worked| worked.odds.size()));

/// The reason why a result table has no odds.
enum Unworkable {
    /// The odds of the dice cannot be computed.
    Roll(RollError),
    /// A row has an amount outside its limits.
    Beyond(usize, Beyond),
}

impl From<RollError> for Unworkable {
    fn from(error: RollError) -> Self {
        Self::Roll(error)
    }
}

/// An amount outside its limits.
struct Beyond {
    /// `own` or `foe`.
    whose: &'static str,
    /// The keys that lead to it.
    key: Vec<String>,
    /// Its value.
    value: i32,
    /// The minimum and maximum.
    range: (i32, i32),
}

fn work_out(mechanic: &Mechanic, ranges: &[RangeInclusive<i32>], rows: &[Row]) -> Result<Worked, Unworkable> {
    let (mut numbers, mut beyond): (BTreeMap<RollOutcome, u16>, _) = (BTreeMap::new(), None);
    let reads =
        rows.iter().flat_map(Row::exprs).flat_map(Expr::vars).fold(0, |reads, total| reads | 1 << total.index());
    let odds = RollTable::of_totals(mechanic.clone(), ranges, reads, &mut |totals| match outcome(rows, totals) {
        Ok(outcome) => {
            let next = numbers.len() as u16;
            *numbers.entry(outcome).or_insert(next)
        }
        Err(found) => {
            beyond = beyond.take().or(Some(found));
            0
        }
    })?;
    if numbers.len() > usize::from(u16::MAX) {
        return Err(RollError::too_many_entries(ranges, u16::MAX.into()).into());
    }
    if let Some((row, beyond)) = beyond {
        return Err(Unworkable::Beyond(row, beyond));
    }
    // Classes are numbered in the order of the rows and then of their costs. A random word that is good for the roller
    // in one situation is then also good in another, which makes paired battles more similar.
    let mut places = vec![0; numbers.len()];
    for (place, number) in (0..).zip(numbers.values()) {
        places[usize::from(*number)] = place;
    }
    Ok(Worked { odds: odds.renamed(&places), outcomes: numbers.into_keys().collect() })
}

fn outcome(rows: &[Row], totals: &Totals) -> Result<RollOutcome, (usize, Beyond)> {
    let totals = ReadTotals(totals);
    let holds = |row: &Row| row.when.as_ref().is_none_or(|when| when.eval(&totals) != 0);
    let index = rows.iter().position(holds).unwrap_or(rows.len().saturating_sub(1));
    let row = &rows[index];
    let effect = |whose, effect: &EffectRow| effect.at(whose, &totals).map_err(|beyond| (index, beyond));
    Ok(RollOutcome { row: index as u16, own: effect("own", &row.own)?, foe: effect("foe", &row.foe)? })
}

impl EffectRow {
    fn at(&self, whose: &'static str, totals: &ReadTotals<'_>) -> Result<Effect, Beyond> {
        let within = |expr: Option<&Expr>, fixed: u16, key: &'static [&'static str]| {
            let Some(value) = expr.map(|expr| expr.eval(totals)) else { return Ok(fixed) };
            let fits = u16::try_from(value).ok().filter(|_| value <= LOST_MAX);
            let key = key.iter().map(|&key| key.to_owned()).collect();
            fits.ok_or(Beyond { whose, key, value, range: (0, LOST_MAX) })
        };
        let count =
            |at: usize, fixed: u8, key| within(self.score[at].as_ref(), fixed.into(), key).map(|count| count as u8);
        let fixed = self.fixed.score;
        let score = Score {
            colours: count(0, fixed.colours, &["score", "colours"])?,
            swords: count(1, fixed.swords, &["score", "swords"])?,
            flags: count(2, fixed.flags, &["score", "flags"])?,
        };
        let lose = within(self.lose.as_ref(), self.fixed.lose, &["lose"])?;
        let gain = within(self.gain.as_ref(), self.fixed.gain, &["gain"])?;
        let mut counts = self.fixed.counts;
        for (counter, name, by) in &self.counts {
            let value = by.eval(totals);
            if !(-COUNT_MAX..=COUNT_MAX).contains(&value) {
                let key = vec!["add".to_owned(), name.clone()];
                return Err(Beyond { whose, key, value, range: (-COUNT_MAX, COUNT_MAX) });
            }
            counts.add(*counter, value);
        }
        Ok(Effect { lose, gain, score, counts, ..self.fixed })
    }
}

fn effect(checker: &mut Checker<'_>, scope: &Scope, at: &Path, wire: &EffectWire, morale: &[MoraleState]) -> EffectRow {
    let states = || morale.iter().map(|state| state.id.as_str());
    let mut state = |key: &str, name: Option<&String>| {
        name.and_then(|name| checker.find(&at.join(key), "morale state", name, states()))
    };
    let (fall, rally) = (state("morale", wire.morale.as_ref()), state("rally", wire.rally.as_ref()));
    let calls = wire.calls.as_ref().and_then(|kind| checker.kind(&at.join("calls"), kind));
    let mut fixed = Effect {
        lose: 0,
        gain: 0,
        morale: fall,
        rally,
        worsen: wire.worsen.unwrap_or(0),
        worsen_shaken: wire.worsen_shaken.unwrap_or(0),
        retreat: wire.retreat.map_or(0, |retreat| retreat.hundredths()),
        score: Score::default(),
        counts: Counts::default(),
        calls,
        halt: wire.halt,
        destroy: wire.destroy,
        flee: wire.flee,
        open_fire: wire.open_fire,
        pursue: wire.pursue,
        sets_off: sets_off(checker, at, wire.sets_off),
    };
    let mut amount = |at: &Path, given: Option<&IntOrExpr>, verb: &str| match given {
        None => (0, None),
        Some(IntOrExpr::Number(number)) => {
            if !(0..=LOST_MAX).contains(number) {
                checker.fault(at, format!("{number} cannot be {verb}"), Some(&format!("give 0 to {LOST_MAX}")));
            }
            ((*number).clamp(0, LOST_MAX) as u8, None)
        }
        Some(IntOrExpr::Formula(text)) => (0, checker.expr_in(scope, at, text, Kind::Int)),
    };
    let (lost, lose) = amount(&at.join("lose"), wire.lose.as_ref(), "lost");
    let (gained, gain) = amount(&at.join("gain"), wire.gain.as_ref(), "given back");
    (fixed.lose, fixed.gain) = (lost.into(), gained.into());
    let (whole, at) = (at, at.join("score"));
    let mut count = |key: &str, given: Option<&IntOrExpr>| amount(&at.join(key), given, "lost");
    let (colours, by_colour) = count("colours", wire.score.colours.as_ref());
    let (swords, by_sword) = count("swords", wire.score.swords.as_ref());
    let (flags, by_flag) = count("flags", wire.score.flags.as_ref());
    fixed.score = Score { colours, swords, flags };
    let counts = counts(checker, scope, whole, wire, &mut fixed.counts);
    EffectRow { lose, gain, score: [by_colour, by_sword, by_flag], counts, fixed }
}

/// The effects on counters: fixed ones, and formulas over totals.
fn counts(
    checker: &mut Checker<'_>,
    scope: &Scope,
    at: &Path,
    wire: &EffectWire,
    fixed: &mut Counts,
) -> Vec<(u8, String, Expr)> {
    let mut formulas = Vec::new();
    for (name, by) in &wire.add {
        let at = at.join("add").join(name.as_str());
        let Some(counter) = checker.counter(&at, name) else { continue };
        match by {
            IntOrExpr::Number(by) if !(-COUNT_MAX..=COUNT_MAX).contains(by) => {
                let help = format!("from {} to {COUNT_MAX}", -COUNT_MAX);
                checker.fault(&at, format!("{by} cannot be added to a counter"), Some(&help));
            }
            IntOrExpr::Number(by) => fixed.add(counter, *by),
            IntOrExpr::Formula(text) => {
                let by = checker.expr_in(scope, &at, text, Kind::Int);
                formulas.extend(by.map(|by| (counter, name.clone(), by)));
            }
        }
    }
    for (name, &to) in &wire.set {
        let at = at.join("set").join(name.as_str());
        let Some(counter) = checker.counter(&at, name) else { continue };
        if wire.add.contains_key(name) {
            checker.fault(&at, format!("`{name}` is also added to"), Some("give `add` or `set`"));
        } else if (-COUNT_MAX..=COUNT_MAX).contains(&to) {
            fixed.set(counter, to);
        } else {
            let help = format!("from {} to {COUNT_MAX}", -COUNT_MAX);
            checker.fault(&at, format!("a counter cannot be {to}"), Some(&help));
        }
    }
    formulas
}

fn sets_off(checker: &mut Checker<'_>, at: &Path, trigger: Option<Trigger>) -> Option<Trigger> {
    let can = |trigger| matches!(trigger, Trigger::Beaten | Trigger::Struck | Trigger::Held | Trigger::Broken);
    if !trigger.is_none_or(can) {
        let help = "effects can set off `beaten`, `struck`, `held` or `broken`";
        checker.fault(&at.join("sets-off"), "an effect cannot set this off", Some(help));
    }
    trigger.filter(|&trigger| can(trigger))
}

/// An effect that does not depend on a roll.
pub(crate) fn plain_effect(checker: &mut Checker<'_>, at: &Path, wire: &EffectWire, morale: &[MoraleState]) -> Effect {
    let is_formula = |by: &IntOrExpr| matches!(by, IntOrExpr::Formula(_));
    let amount = |key: &str, by: Option<&IntOrExpr>| by.filter(|by| is_formula(by)).map(|_| at.join(key));
    let figures = amount("lose", wire.lose.as_ref()).or_else(|| amount("gain", wire.gain.as_ref()));
    let added = wire.add.iter().find(|(_, by)| is_formula(by));
    let added = || added.map(|(name, _)| at.join("add").join(name.as_str()));
    if wire.calls.is_some() {
        checker.fault(
            &at.join("calls"),
            "only the result of a roll calls units",
            Some("write it in the result of a roll"),
        );
        return Effect::default();
    }
    if let Some(at) = figures.or_else(added) {
        checker.fault(&at, "there is no roll here whose totals a formula could read", Some("give a number"));
        return Effect::default();
    }
    effect(checker, &Scope::new(), at, wire, morale).fixed
}
