//! Nothing changes without a report, and nothing changes that must not.

use grognard_engine::{Battle, Event, Flags, Side, Unit, UnitId};
use grognard_rules::model::ByteId;

use super::armies::Sort;
use super::audit::Change;
use super::world::every_step;

/// The unit that an event affected.
fn subject(event: &Event) -> Option<UnitId> {
    match event {
        Event::Formed { unit, .. }
        | Event::Turned { unit, .. }
        | Event::Contact { unit, .. }
        | Event::Marched { unit, .. }
        | Event::Fled { unit, .. }
        | Event::Retreated { unit, .. }
        | Event::Lost { unit, .. }
        | Event::Regained { unit, .. }
        | Event::Morale { unit, .. }
        | Event::CrewLeft { unit }
        | Event::CrewBack { unit }
        | Event::Destroyed(unit)
        | Event::LeftTable(unit) => Some(*unit),
        _ => None,
    }
}

/// The event reported after the change, if it is about this unit.
fn told<'a>(change: &Change<'a>, id: UnitId) -> Option<&'a Event> {
    change.told.filter(|event| subject(event) == Some(id))
}

/// The event reported before the change, if it is about this unit.
fn told_before<'a>(change: &Change<'a>, id: UnitId) -> Option<&'a Event> {
    change.told_before.filter(|event| subject(event) == Some(id))
}

/// Figures are lost only through [`Event::Lost`], in the number that it gives, and never come back. But a crew may
/// leave its guns and return.
fn figures(name: &str, change: &Change<'_>, id: UnitId, from: &Unit, to: &Unit) {
    assert!(to.figures + to.away <= from.figures + from.away, "{name}: {id:?} has grown: {change:#?}");
    if from.figures == to.figures {
        return;
    }
    match told(change, id) {
        Some(Event::Lost { figures, .. }) => assert_eq!(to.figures + figures, from.figures, "{name}: {change:#?}"),
        Some(Event::CrewLeft { .. } | Event::CrewBack { .. }) => {
            assert_eq!(to.figures + to.away, from.figures + from.away, "{name}: {id:?}: {change:#?}");
        }
        _ => panic!("{name}: {id:?} went from {} to {} figures untold: {change:#?}", from.figures, to.figures),
    }
}

/// Morale changes only through [`Event::Morale`], or with a crew that leaves or returns. The formation changes only
/// through [`Event::Formed`].
fn morale_and_formation(name: &str, change: &Change<'_>, id: UnitId, from: &Unit, to: &Unit) {
    if from.morale != to.morale {
        match told(change, id) {
            Some(Event::Morale { from: before, .. }) => assert_eq!(*before, from.morale, "{name}: {id:?}"),
            Some(Event::CrewLeft { .. } | Event::CrewBack { .. }) => assert!(from.cannon > 0, "{name}: {id:?}"),
            _ => panic!("{name}: {id:?} changed its morale untold: {change:#?}"),
        }
    }
    if from.formation != to.formation {
        let Some(Event::Formed { from: before, .. }) = told(change, id) else {
            panic!("{name}: {id:?} changed its formation untold: {change:#?}");
        };
        assert_eq!(*before, from.formation, "{name}: {id:?}");
    }
}

/// A unit changes position only through an event that moves units. A unit that breaks turns its back when its morale
/// changes.
fn place(name: &str, change: &Change<'_>, id: UnitId, from: &Unit, to: &Unit) {
    if (from.front, from.heading) == (to.front, to.heading) {
        return;
    }
    let moves = |event: &Event| {
        matches!(
            event,
            Event::Formed { .. }
                | Event::Turned { .. }
                | Event::Contact { .. }
                | Event::Marched { .. }
                | Event::Fled { .. }
                | Event::Retreated { .. }
                | Event::Morale { .. }
        )
    };
    assert!(told(change, id).is_some_and(moves), "{name}: {id:?} moved untold: {change:#?}");
}

/// A unit is gone only after [`Event::Destroyed`] or [`Event::LeftTable`], and does not come back.
fn going(name: &str, change: &Change<'_>, id: UnitId, from: &Unit, to: &Unit) {
    assert!(!from.gone() || from == to || !from.flags.has(Flags::CHARGING) && to.gone(), "{name}: {id:?}: {change:#?}");
    if to.gone() && !from.gone() {
        let goes = |event: &Event| matches!(event, Event::Destroyed(_) | Event::LeftTable(_));
        assert!(told_before(change, id).is_some_and(goes), "{name}: {id:?} went untold: {change:#?}");
    }
    assert!(from.broke == 0 || from.broke == to.broke, "{name}: {id:?} broke once and for all");
}

#[test]
fn nothing_changes_untold() {
    every_step(Sort::Plain, |step| {
        let name = &step.name;
        for change in step.audit.changes() {
            assert_eq!(change.from.units.len(), change.to.units.len(), "{name}");
            for ((id, from), to) in ids(change.from).zip(&change.from.units).zip(&change.to.units) {
                assert_eq!(
                    (from.kind, from.side, from.number, from.doctrine, from.start),
                    (to.kind, to.side, to.number, to.doctrine, to.start),
                    "{name}"
                );
                figures(name, &change, id, from, to);
                morale_and_formation(name, &change, id, from, to);
                place(name, &change, id, from, to);
                going(name, &change, id, from, to);
            }
        }
    });
}

/// The ids of all units of a battle.
fn ids(battle: &Battle) -> impl Iterator<Item = UnitId> + use<> {
    Side::BOTH.map(|side| battle.side(side)).into_iter().flatten()
}

/// Figures move between a unit and its screen, from the saddle to the ground, and between guns and their crew. A side
/// never gains figures, and its starting strength does not change.
#[test]
fn no_side_ever_grows() {
    every_step(Sort::Mixed, |step| {
        for side in Side::BOTH {
            let sum = |battle: &Battle, of: fn(&Unit) -> u16| -> u16 {
                battle.units.iter().filter(|unit| unit.side == side).map(of).sum()
            };
            for change in step.audit.changes() {
                let start = [change.from, change.to].map(|battle| sum(battle, |unit| unit.start));
                assert_eq!(start[0], start[1], "{}: {change:#?}", step.name);
                let left = [change.from, change.to].map(|battle| sum(battle, |unit| unit.figures + unit.away));
                assert!(left[1] <= left[0], "{}: {change:#?}", step.name);
            }
        }
    });
}

/// States between two steps are consistent.
#[test]
fn states_are_sound() {
    every_step(Sort::Plain, |step| {
        let (name, rules) = (&step.name, step.rules);
        for unit in &step.after.units {
            assert!(unit.figures <= unit.start, "{name}: {unit:?}");
            assert!(unit.gone() || unit.figures > 0 || unit.cannon > 0, "{name}: nobody is left of {unit:?}");
            assert!(unit.morale.index() < rules.morale.len(), "{name}: {unit:?}");
            let open = rules.kinds[unit.kind].speed[unit.formation].is_some();
            assert!(open, "{name}: {unit:?} is in a formation closed to it");
            assert_eq!(unit.hits, 0, "{name}: losses are answered for in their phase: {unit:?}");
            assert!(!unit.broken(rules) || unit.broke > 0 || step.before.turn == 1, "{name}: {unit:?}");
            assert!(unit.broke <= step.after.turn, "{name}: {unit:?}");
            assert!(!(unit.gone() && unit.flags.has(Flags::CHARGING)), "{name}: {unit:?}");
        }
        assert!(step.after.turn <= step.setup.turns, "{name}");
    });
}

/// The outcome matches the final state of the units, and is reported.
#[test]
fn outcomes_are_what_the_units_come_to() {
    every_step(Sort::Plain, |step| {
        let Some(outcome) = step.outcome else { return };
        let (name, rules) = (&step.name, step.rules);
        for side in Side::BOTH {
            let units = || step.after.units.iter().filter(move |unit| unit.side == side);
            let sum = outcome.sides[side];
            assert_eq!(usize::from(sum.units), units().count(), "{name}");
            assert_eq!(sum.start, units().map(|unit| unit.start).sum::<u16>(), "{name}");
            assert_eq!(sum.losses, units().map(|unit| unit.start - unit.figures).sum::<u16>(), "{name}");
            assert_eq!(usize::from(sum.routed_units), units().filter(|unit| unit.broken(rules)).count(), "{name}");
            let first = units().map(|unit| unit.broke).filter(|&turn| turn > 0).min();
            assert_eq!(sum.rout_turn, first.unwrap_or(0), "{name}");
        }
        let last = step.audit.events().last();
        assert!(matches!(last, Some(Event::Over { outcome: told, .. }) if told == outcome), "{name}: {last:?}");
    });
}
