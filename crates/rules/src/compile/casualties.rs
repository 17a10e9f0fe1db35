//! Simultaneous phases, and the distribution of their losses.

use super::checker::{Checker, at};
use super::roll::Rolls;
use crate::model::{Bearer, Casualties, Effect, HitFirst, PickedBy, Site};
use crate::situation::{Fact, Subject};
use crate::wire::{
    BoardName, CasualtiesWire, DoctrineWire, HandWire, IntOrExpr, MechanismName, ModelsWire, Pack, PhaseWire,
    ProvidesName,
};
use grognard_expr::{Kind, Lookup};
use grognard_roll::Mechanic as Dice;
use grognard_source::Path;

/// The entry in an order that matches every unit that survives a hit.
const SUSTAIN: &str = "sustain";

/// The maximum relative chance that a unit is hit.
const CHANCES_MAX: i32 = 100;

/// Whether the rolls of a phase are taken before any result is applied.
pub(super) fn simultaneous(checker: &mut Checker<'_>, wire: &Pack<'_>, phase: &PhaseWire, at: &Path) -> bool {
    let fits = matches!(
        phase.mechanism,
        MechanismName::Fire
            | MechanismName::Exchange
            | MechanismName::Test
            | MechanismName::Shock
            | MechanismName::Army
            | MechanismName::CloseCombat
    );
    if phase.simultaneous && !fits {
        let help = "`fire`, `exchange`, `test`, `shock`, `army` and `close-combat` phases can";
        checker.fault(&at.join("simultaneous"), "this phase cannot be simultaneous", Some(help));
    }
    let first = wire.provision.iter().find(|row| row.on && row.does == ProvidesName::FirstStrike);
    if phase.simultaneous
        && phase.mechanism == MechanismName::CloseCombat
        && let Some(row) = first
    {
        let message =
            format!("no unit strikes first in a simultaneous close combat, but provision `{}` requires it", row.id);
        let help = format!("omit `simultaneous`, or switch that row off: `provision.{}.on = false`", row.id);
        checker.fault(&at.join("simultaneous"), message, Some(&help));
    }
    phase.simultaneous
}

/// The distribution of the losses of a phase. `site` gives the site of dice that pick units.
pub(super) fn casualties(
    checker: &mut Checker<'_>,
    wire: &Pack<'_>,
    phase: &PhaseWire,
    at: &Path,
    site: &mut dyn FnMut() -> Site,
) -> Option<Casualties> {
    let casualties = phase.casualties.as_ref()?;
    let within = at.join("casualties");
    if wire.board == BoardName::Hex {
        let help = "omit it: a hex holds one unit, which takes all hits from shots and strikes against it";
        checker.fault(&within, "on a `hex` board, units do not share hits", Some(help));
        return None;
    }
    if phase.mechanism != MechanismName::Exchange || !phase.simultaneous {
        let help = "write `mechanism = \"exchange\"` and `simultaneous = true`";
        checker.fault(&within, "only a simultaneous `exchange` phase has casualties", Some(help));
    }
    Some(Casualties {
        by: casualties.by,
        first: hit_first(checker, wire, casualties, &within)?,
        when: checker.condition(&within.join("when"), casualties.when.as_ref()),
        site: if casualties.by == PickedBy::Random { site() } else { Site::default() },
        source: checker.source(&within, &casualties.cite, casualties.note.as_ref()),
    })
}

fn hit_first(checker: &mut Checker<'_>, wire: &Pack<'_>, casualties: &CasualtiesWire, at: &Path) -> Option<HitFirst> {
    let random = casualties.by == PickedBy::Random;
    if let Some(chances) = casualties.chances.as_ref().filter(|_| !random) {
        let message = format!("`chances = \"{chances}\"` is allowed only with `by = \"random\"`");
        checker.fault(&at.join("chances"), message, Some("give `order` or `least`, or let dice pick"));
    }
    match (&casualties.order, &casualties.least) {
        (None, None) if random => {
            let chances = casualties.chances.as_ref().and_then(|text| checker.number(&at.join("chances"), text));
            let range = chances.as_ref().map_or((1, 1), Lookup::range);
            if range.0 < 0 || range.1 > CHANCES_MAX {
                let message = format!("chances can be {} to {}", range.0, range.1);
                let help = format!("from 0 to {CHANCES_MAX}: limit them with `math.least` and `math.greatest`");
                checker.fault(&at.join("chances"), message, Some(&help));
            }
            Some(HitFirst::Chances(chances))
        }
        (Some(order), None) if !random => {
            let at = at.join("order");
            if !order.is_empty() && order.iter().all(|name| name == SUSTAIN) {
                let help = "list unit types too: types that are not named take no hits";
                checker.fault(&at, "this casualty order names no unit type", Some(help));
            }
            Some(HitFirst::Order(bearers(checker, wire, order, &at)))
        }
        (None, Some(least)) if !random => checker.number(&at.join("least"), least).map(HitFirst::Least),
        (order, _) if random => {
            let key = if order.is_some() { "order" } else { "least" };
            let message = format!("dice pick the unit that is hit, so `{key}` has no effect");
            checker.fault(&at.join(key), message, Some("omit it, or omit `by = \"random\"`"));
            None
        }
        (None, None) => {
            let help = "list unit types in `order`, write a formula in `least`, or let dice pick: `by = \"random\"`";
            checker.fault(at, "it is not clear which unit takes a hit", Some(help));
            None
        }
        _ => {
            checker.fault(&at.join("least"), "`order` already says which unit takes a hit", Some("omit one of them"));
            None
        }
    }
}

/// An order in which units take hits.
fn bearers(checker: &mut Checker<'_>, wire: &Pack<'_>, order: &[String], at: &Path) -> Vec<Bearer> {
    if order.is_empty() {
        checker.fault(
            at,
            "this casualty order names no unit type",
            Some("list unit types in the order in which they are hit"),
        );
    }
    if wire.unit.contains_key(SUSTAIN) {
        let message = format!("`{SUSTAIN}` is a unit type, but has another meaning in a casualty order");
        checker.fault(at, message, Some("give the unit type another name"));
    }
    let mut found = Vec::new();
    for (place, name) in order.iter().enumerate() {
        let at = at.join(place.to_string());
        let known = wire.unit.keys().map(String::as_str);
        let bearer = if name == SUSTAIN {
            Some(Bearer::Sustains)
        } else {
            checker.find(&at, "unit type", name, known).map(Bearer::Kind)
        };
        if bearer.is_some_and(|bearer| found.contains(&bearer)) {
            checker.fault(&at, format!("`{name}` is named twice"), Some("name it once"));
        }
        found.extend(bearer);
    }
    found
}

/// The orders in which a doctrine sacrifices its side's units and picks off the enemy's.
pub(super) fn of_doctrine(
    checker: &mut Checker<'_>,
    wire: &Pack<'_>,
    id: &str,
    doctrine: &DoctrineWire,
) -> [Vec<Bearer>; 2] {
    let lists = [
        ("gives-up", &doctrine.gives_up, PickedBy::Owner, "owner"),
        ("picks-off", &doctrine.picks_off, PickedBy::Shooter, "shooter"),
    ];
    lists.map(|(key, order, by, word)| {
        let Some(order) = order else { return Vec::new() };
        let at = at!["doctrine", id, key];
        let asks = |phase: &PhaseWire| phase.casualties.as_ref().is_some_and(|casualties| casualties.by == by);
        if !wire.phase.iter().any(asks) {
            let help = format!("omit it, or write `casualties = {{ by = \"{word}\", … }}` in a phase");
            checker.fault(&at, "no phase of the pack lets the side choose this", Some(&help));
        }
        bearers(checker, wire, order, &at)
    })
}

/// The formula by which a doctrine chooses among enemy sides.
pub(super) fn attacks(checker: &mut Checker<'_>, wire: &Pack<'_>, id: &str, doctrine: &DoctrineWire) -> Option<Lookup> {
    let text = doctrine.attacks.as_ref()?;
    let at = at!["doctrine", id, "attacks"];
    let exchanges = wire.phase.iter().any(|phase| phase.mechanism == MechanismName::Exchange);
    if wire.board != BoardName::None || !exchanges {
        let help = "omit it: on a board with ground, units attack the nearest enemy";
        checker.fault(&at, "only `exchange` phases on a board without ground let the side choose this", Some(help));
    }
    if reads(checker, text, Kind::Int) {
        let help = "let it read `self`, `army` and `enemy`";
        checker.fault(&at, "a side is chosen as a whole, but this reads `foe`", Some(help));
    }
    checker.number(&at, text)
}

/// Reports keys that are invalid in a roll whose hits fall on a side and not on a unit.
pub(super) fn check_roll(checker: &mut Checker<'_>, wire: &Pack<'_>, phase: &PhaseWire, at: &Path, rolls: &Rolls<'_>) {
    if phase.casualties.is_none() || wire.board == BoardName::Hex {
        return;
    }
    let at = &at.join("casualties");
    let Some(name) = &phase.roll else { return };
    let others = wire.roll.get(name).into_iter().flat_map(|roll| &roll.instead).map(|row| &row.roll);
    for name in std::iter::once(name).chain(others) {
        if let Some(roll) = rolls.rolls.iter().find(|roll| roll.id == *name) {
            if matches!(roll.mechanic, Dice::Opposed(_) | Dice::Ranked(_)) {
                let help = "use `pool`, `symbols`, `under` or `table`";
                checker.fault(
                    at,
                    format!("the enemy does not roll for casualties, but it does in `{name}`"),
                    Some(help),
                );
            }
            let costs = |effect: &Effect| Effect { lose: 0, ..*effect }.is_none();
            let row = roll.outcomes.iter().find(|outcome| !costs(&outcome.foe)).map(|outcome| outcome.row);
            if let Some(result) = row.and_then(|row| roll.results.get(usize::from(row))) {
                let at = at!["roll", name, "result", result.id, "foe"];
                let message = "hits that fall on a side cost it figures and do nothing else";
                checker.fault(&at, message, Some("keep only `lose` here"));
            }
        }
        if reads_foe(checker, wire, name) {
            let help = "let it read only `self`, or omit `casualties`";
            checker.fault(at, format!("`{name}` reads `foe`, but hits that fall on a side have no target"), Some(help));
        }
    }
    if phase.when.as_ref().is_some_and(|when| reads(checker, when, Kind::Bool)) {
        let message = "hits that fall on a side have no target, but this reads `foe`";
        checker.fault(&at!["phase", phase.id, "when"], message, Some("let it read only `self`"));
    }
}

/// Whether a roll reads anything about the enemy.
pub(super) fn reads_foe(checker: &Checker<'_>, wire: &Pack<'_>, name: &str) -> bool {
    // Unless the pack says otherwise, the wounds left on the first of several models are a fact about the enemy.
    let counted = |models: &ModelsWire| models.left.is_none() && models.wounds != IntOrExpr::Number(1);
    wire.roll.get(name).is_some_and(|roll| roll.models.as_ref().is_some_and(counted))
        || expressions(wire, name).into_iter().any(|(text, kind)| reads(checker, text, kind))
}

/// Everything about the situation that a roll reads: conditions and formulas.
pub(super) fn expressions<'w>(wire: &'w Pack<'w>, name: &str) -> Vec<(&'w String, Kind)> {
    let Some(roll) = wire.roll.get(name) else { return Vec::new() };
    let shared = roll.shares.as_ref().and_then(|name| wire.roll.get(name));
    let modifiers = shared.into_iter().flat_map(|roll| &roll.modifier).chain(&roll.modifier);
    let conditions = modifiers.filter_map(|row| row.when.as_ref()).chain(roll.instead.iter().map(|row| &row.when));
    let HandWire { count, need, add, counts, .. } = &roll.own;
    let stages = roll.stage.iter().flat_map(|stage| [&stage.need, &stage.save, &stage.add, &stage.counts]);
    let grouped =
        roll.own.groups.iter().flat_map(|group| [Some(&group.count), group.need.as_ref(), group.counts.as_ref()]);
    let branches = || {
        roll.own
            .groups
            .iter()
            .flat_map(|group| &group.branch)
            .chain(&roll.own.branch)
            .chain(roll.stage.iter().flat_map(|stage| &stage.branch))
    };
    let branched = branches().flat_map(|row| [&row.from, &row.counts]);
    let numbers = [count, need, add, counts, &roll.target, &roll.column].into_iter().chain(stages).chain(branched);
    let models = roll.models.iter().flat_map(|models| [Some(&models.wounds), models.left.as_ref()]);
    let numbers = numbers.flatten().chain(models.chain(grouped).flatten());
    let conditions = conditions.chain(branches().filter_map(|row| row.when.as_ref()));
    let formulas = numbers.filter_map(|number| match number {
        IntOrExpr::Formula(text) => Some((text, Kind::Int)),
        IntOrExpr::Number(_) => None,
    });
    conditions.map(|text| (text, Kind::Bool)).chain(formulas).collect()
}

/// Whether an expression reads the enemy, or its distance.
fn reads(checker: &Checker<'_>, text: &str, kind: Kind) -> bool {
    let fields = checker.fields();
    checker.parsed(text, kind).is_some_and(|expr| {
        expr.vars()
            .map(|var| fields[var.index()])
            .any(|field| field.subject == Subject::Foe || field.fact == Fact::Distance)
    })
}
