//! Armies: the totals of whole sides, and phases that whole sides play.

use super::casualties::expressions;
use super::checker::{Checker, at};
use super::roll::Rolls;
use crate::model::{Army, Effect};
use crate::situation::{ARMY_FACTS, ArmyFact, Fact, Field, Subject};
use crate::wire::{MechanismName, Pack, PhaseWire};
use grognard_expr::{Domain, Expr, Kind, Lookup};
use grognard_roll::Mechanic as Dice;
use grognard_source::Path;

/// The maximum number of units on a side.
const UNITS_MAX: i32 = 31;

/// The maximum value of a unit.
const COUNT_MAX: i32 = 10_000;

/// Adds the facts that conditions read about a side.
///
/// The formulas behind the facts are compiled first, because none of them may read these facts.
pub(super) fn army(checker: &mut Checker<'_>, wire: &Pack<'_>) -> Option<Army> {
    let army = wire.army.as_ref()?;
    let at = at!["army"];
    let mut number = |key: &str, text: Option<&String>| checker.expr(&at.join(key), text?, Kind::Int);
    let (count, best) = (number("count", army.count.as_ref()), number("best", army.best.as_ref()));
    if let Some(count) = &count {
        check_count(checker, wire, &at.join("count"), count);
    }
    let most = count.as_ref().map_or(1, |count| count.range().1).clamp(0, COUNT_MAX) * UNITS_MAX;
    let range = best.as_ref().map(Expr::range);
    let lost = checker.condition(&at.join("lost"), army.lost.as_ref());
    for (name, enemy, fact) in ARMY_FACTS {
        let domain = match (fact, range) {
            (ArmyFact::Best, None) => continue,
            (ArmyFact::Best, Some((least, most))) => Domain::Int { min: least.min(0), max: most.max(0) },
            (ArmyFact::Start | ArmyFact::Lost | ArmyFact::Broken, _) => Domain::Int { min: 0, max: most },
        };
        checker.declare(name, domain, Field { subject: Subject::Own, fact: Fact::Army { fact, enemy } });
    }
    let beaten = army.beaten.as_ref().and_then(|text| {
        let path = at.join("beaten");
        let expr = checker.expr(&path, text, Kind::Bool)?;
        if !reads_sides_only(checker, &expr) {
            let help = "it may read `army`, `enemy` and the turn";
            checker.fault(&path, "a side is beaten as a whole, but this reads a unit", Some(help));
        }
        checker.condition(&path, Some(text))
    });
    Some(Army {
        count: count.as_ref().map(Lookup::of),
        lost,
        best: best.as_ref().map(Lookup::of),
        beaten,
        source: checker.source(&at, &army.cite, army.note.as_ref()),
    })
}

/// Reports a count that can change during a battle, or that is out of range.
fn check_count(checker: &mut Checker<'_>, wire: &Pack<'_>, at: &Path, count: &Expr) {
    let fields = checker.fields();
    let stays = |field: Field| match field.fact {
        Fact::Kind | Fact::Arm | Fact::Attribute(_) | Fact::Trait(_) => field.subject == Subject::Own,
        // For a square of several units, `start` is the total of all of them.
        Fact::Start => field.subject == Subject::Own && wire.square.is_none(),
        _ => false,
    };
    if !count.vars().all(|var| stays(fields[var.index()])) {
        let help = "it may read a unit's type, arm, attributes and traits, and `self.start`";
        checker.fault(at, "the value of a unit must not change during a battle", Some(help));
    }
    let (least, most) = count.range();
    if least < 0 || most > COUNT_MAX {
        let help = format!("from 0 to {COUNT_MAX}: limit it with `math.least` and `math.greatest`");
        checker.fault(at, format!("the value of a unit can be {least} to {most}"), Some(&help));
    }
}

/// Whether an expression reads only facts that are the same for all units of a side.
fn reads_sides_only(checker: &Checker<'_>, expr: &Expr) -> bool {
    let fields = checker.fields();
    let of_side = |fact| matches!(fact, Fact::Army { .. } | Fact::Score | Fact::Margin | Fact::Turn | Fact::Phase);
    expr.vars().all(|var| of_side(fields[var.index()].fact))
}

/// What expressions about a whole side may read, for fault messages.
const READS: &str = "it may read `army`, `enemy` and the turn";

/// Reports keys that are invalid in a phase in which whole sides roll.
pub(super) fn check_phase(checker: &mut Checker<'_>, wire: &Pack<'_>, phase: &PhaseWire, at: &Path) {
    if phase.mechanism != MechanismName::Army {
        return;
    }
    if wire.army.is_none() {
        let help = "add `[army]`, which defines what conditions can read about a side";
        checker.fault(&at.join("mechanism"), "this pack has no armies", Some(help));
        return;
    }
    if let Some(when) = &phase.when
        && checker.parsed(when, Kind::Bool).is_some_and(|expr| !reads_sides_only(checker, &expr))
    {
        checker.fault(&at.join("when"), "a side takes part as a whole, but this reads a unit", Some(READS));
    }
}

/// Reports a roll that whole sides cannot make.
pub(super) fn check_roll(checker: &mut Checker<'_>, wire: &Pack<'_>, phase: &PhaseWire, at: &Path, rolls: &Rolls<'_>) {
    if phase.mechanism != MechanismName::Army || wire.army.is_none() {
        return;
    }
    let Some(name) = &phase.roll else { return };
    let others = wire.roll.get(name).into_iter().flat_map(|roll| &roll.instead).map(|row| &row.roll);
    for name in std::iter::once(name).chain(others) {
        let Some(roll) = rolls.rolls.iter().find(|roll| roll.id == *name) else { continue };
        let at = at.join("roll");
        if matches!(roll.mechanic, Dice::Opposed(_) | Dice::Ranked(_)) || roll.retake.is_some() {
            let help = "use `pool`, `symbols`, `under` or `table`, without a `retake`";
            checker.fault(&at, format!("a side rolls alone, but `{name}` is not for one side alone"), Some(help));
        } else if expressions(wire, name)
            .into_iter()
            .any(|(text, kind)| checker.parsed(text, kind).is_some_and(|expr| !reads_sides_only(checker, &expr)))
        {
            checker.fault(&at, format!("a side rolls as a whole, but `{name}` reads a unit"), Some(READS));
        }
        let row = roll.outcomes.iter().find(|outcome| outcome.foe != Effect::default()).map(|outcome| outcome.row);
        if let Some(result) = row.and_then(|row| roll.results.get(usize::from(row))) {
            let at = at!["roll", name, "result", result.id, "foe"];
            let help = "the results of a side's roll apply to its own units: write `own`";
            checker.fault(&at, "a side that rolls has no enemy", Some(help));
        }
    }
}
