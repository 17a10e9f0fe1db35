//! Where units may be, and how far they may move.

use std::collections::BTreeMap;

use grognard_engine::plane::{Heading, Point, Rect};
use grognard_engine::{Battle, Event, Unit, UnitId};
use grognard_rules::model::{Board, Mechanism, Rules};

use super::armies::Sort;
use super::world::{Step, every_step};

/// Positions are whole hundredths of an inch, so two units in contact may seem to overlap by this much.
const SLACK: i32 = 3;

/// The rectangle without its outermost hundredths.
fn inner(rect: &Rect) -> Rect {
    Rect::new(rect.at(0, -SLACK), rect.heading(), rect.width - 2 * SLACK, rect.depth - 2 * SLACK)
}

/// Pairs of units on the table that overlap.
fn overlapping(rules: &Rules, battle: &Battle) -> Vec<(Unit, Unit)> {
    let there: Vec<&Unit> = battle.units.iter().filter(|unit| !unit.gone()).collect();
    let mut found = Vec::new();
    for (index, one) in there.iter().enumerate() {
        for other in &there[..index] {
            if inner(&one.rect(rules)).overlaps(&inner(&other.rect(rules))) {
                found.push((**one, **other));
            }
        }
    }
    found
}

#[test]
fn no_two_units_share_ground_after_any_phase() {
    every_step(Sort::Mixed, |step| {
        let found = overlapping(step.rules, step.after);
        assert!(found.is_empty(), "{}: {found:#?}\nafter {:#?}", step.name, step.audit.events());
    });
}

/// A unit whose centre crosses the table's edge leaves at once, and no unit leaves from inside the table. A unit at the
/// edge may change formation there, and lose the ranks behind its front.
#[test]
fn units_leave_the_table_over_its_edge_and_at_once() {
    every_step(Sort::Mixed, |step| {
        let Board::Plane { table, .. } = step.rules.board else { panic!("the figures stand on a plane") };
        let off = |unit: &Unit| {
            let centre = unit.rect(step.rules).centre();
            centre.x.abs() > table.half_width || centre.y.abs() > table.half_depth
        };
        let told = step.audit.events();
        for (number, change) in step.audit.changes().enumerate() {
            match change.told {
                Some(
                    Event::Marched { unit, .. }
                    | Event::Contact { unit, .. }
                    | Event::Fled { unit, .. }
                    | Event::Retreated { unit, .. },
                ) => {
                    let left = told.get(number + 1) == Some(&Event::LeftTable(*unit));
                    assert_eq!(left, off(change.to.unit(*unit)), "{}: {change:#?}", step.name);
                }
                Some(Event::LeftTable(id)) => assert!(off(change.to.unit(*id)), "{}: {change:#?}", step.name),
                _ => {}
            }
        }
    });
}

/// No order leads off the table: units leave only in flight, or when they are driven back.
#[test]
fn no_order_leads_off_the_table() {
    every_step(Sort::Plain, |step| {
        for change in step.audit.changes() {
            let Some(Event::LeftTable(id)) = change.told else { continue };
            let last = change.told_before;
            let driven = matches!(last, Some(Event::Fled { .. } | Event::Retreated { .. }));
            assert!(driven, "{}: {id:?} left after {last:?}", step.name);
        }
    });
}

/// The sine and cosine of a heading, computed in floating point.
fn direction(heading: Heading) -> (f64, f64) {
    (f64::from(heading.tenths()) / 10.0).to_radians().sin_cos()
}

/// The route from one rectangle to another of the same size, by a wheel about a front corner and a march ahead: its
/// length, and the sideways distance of the other rectangle from it, in hundredths of an inch.
fn way(from: &Rect, to: &Rect, free: bool) -> (f64, f64) {
    let tenths = from.heading().turn_to(to.heading());
    let (dx, dy) = direction(to.heading());
    let at = |point: Point| (f64::from(point.x), f64::from(point.y));
    let (fx, fy) = direction(from.heading());
    let front = at(from.front);
    let (cost, start) = if free {
        let half = f64::from(from.depth) / 2.0;
        let centre = (front.0 - fx * half, front.1 - fy * half);
        (0.0, (centre.0 + dx * half, centre.1 + dy * half))
    } else {
        // A clockwise wheel keeps the right front corner in place; an anticlockwise wheel keeps the left one.
        let half = f64::from(from.width / 2) * if tenths >= 0 { 1.0 } else { -1.0 };
        let pivot = (front.0 + fy * half, front.1 - fx * half);
        let cost = f64::from(from.width) * (f64::from(tenths.abs()) / 10.0).to_radians();
        (cost, (pivot.0 - dy * half, pivot.1 + dx * half))
    };
    let end = at(to.front);
    let (x, y) = (end.0 - start.0, end.1 - start.1);
    (cost + x * dx + y * dy, (x * dy - y * dx).abs())
}

/// Whether a unit of the figures system takes any heading for free (clauses 7.42, 7.43, 9.55).
fn turns_freely(rules: &Rules, unit: &Unit) -> bool {
    let arm = &rules.arms[usize::from(rules.kinds[unit.kind].arm)];
    rules.formations[unit.formation].all_round
        || (unit.rect(rules).width <= 150 && matches!(arm.as_str(), "infantry" | "cavalry"))
}

/// Whether a unit with all-around facing has moved sideways or back without turning (clauses 7.35, 9.55).
fn goes_to_any_side(rules: &Rules, from: &Unit, to: &Unit) -> bool {
    rules.formations[from.formation].all_round && from.heading == to.heading
}

/// The length of a unit's march from one place to another, and the sideways distance of the second place from its
/// route.
fn way_of(rules: &Rules, from: &Unit, to: &Unit) -> (f64, f64) {
    if goes_to_any_side(rules, from, to) {
        return ((from.front.square_distance(to.front) as f64).sqrt(), 0.0);
    }
    way(&from.rect(rules), &to.rect(rules), turns_freely(rules, from))
}

/// The tolerance for rounding two corners and a march, and a wheel to whole tenths of a degree.
const ROUNDING: f64 = 4.0;

/// The length of the march of every unit that moved by its own choice in a step.
fn ways(step: &Step<'_>) -> BTreeMap<UnitId, f64> {
    let rules = step.rules;
    let mut ways = BTreeMap::new();
    for change in step.audit.changes() {
        let (Some(Event::Marched { unit: id, .. }) | Some(Event::Contact { unit: id, .. })) = change.told else {
            continue;
        };
        let (from, to) = (change.from.unit(*id), change.to.unit(*id));
        let (length, aside) = way_of(rules, from, to);
        assert!(aside <= ROUNDING, "{}: {id:?} moved aside by {aside}: {change:#?}", step.name);
        assert!(length >= -ROUNDING, "{}: {id:?} moved backwards: {change:#?}", step.name);
        *ways.entry(*id).or_insert(0.0) += length;
    }
    ways
}

#[test]
fn nobody_goes_farther_in_a_phase_than_its_allowance() {
    every_step(Sort::Plain, |step| {
        for (id, length) in ways(step) {
            let unit = step.before.unit(id);
            let kind = &step.rules.kinds[unit.kind];
            // This is a march in formation: no unit changes formation earlier in this phase.
            let speed = kind.speed[unit.formation].unwrap_or(0);
            let charges = step.rules.phases[usize::from(step.before.phase)].mechanism == Mechanism::Charge;
            let most = if charges { speed + kind.charge } else { speed };
            assert!(length <= f64::from(most) + ROUNDING, "{}: {id:?} went {length} of {most}", step.name);
            assert!(step.rules.formations[unit.formation].moves, "{}: {id:?}", step.name);
        }
    });
}

#[test]
fn whoever_charged_home_does_not_march_as_well() {
    let mut charged: BTreeMap<UnitId, String> = BTreeMap::new();
    every_step(Sort::Plain, |step| {
        if step.before.phase == 0 {
            charged.clear();
        }
        for event in step.audit.events() {
            match event {
                Event::Contact { unit, .. } => {
                    charged.insert(*unit, step.name.clone());
                }
                Event::Marched { unit, .. } => {
                    assert!(!charged.contains_key(unit), "{}: {unit:?} charged at {}", step.name, charged[unit]);
                }
                _ => {}
            }
        }
    });
}

/// A reported march is the actual march.
#[test]
fn marches_are_told_as_they_were() {
    every_step(Sort::Plain, |step| {
        for change in step.audit.changes() {
            let Some(Event::Marched { unit: id, wheel, distance }) = change.told else { continue };
            let (from, to) = (change.from.unit(*id), change.to.unit(*id));
            if goes_to_any_side(step.rules, from, to) {
                let (length, _) = way_of(step.rules, from, to);
                assert!((length - f64::from(*distance)).abs() <= ROUNDING, "{}: {change:#?}", step.name);
                // The report gives the direction in which the unit heads. For a path, the report comes before the
                // march.
                let end = from.front.moved(from.heading.turned(*wheel), *distance);
                let off = (end.square_distance(to.front) as f64).sqrt();
                assert!(*wheel == 0 || *distance == 0 || off <= ROUNDING, "{}: {change:#?}", step.name);
                continue;
            }
            assert_eq!(from.heading.turn_to(to.heading), *wheel, "{}: {change:#?}", step.name);
            let free = turns_freely(step.rules, from);
            let (length, _) = way_of(step.rules, from, to);
            let arc = if free { 0.0 } else { f64::from(from.rect(step.rules).wheel_cost(*wheel)) };
            assert!((length - arc - f64::from(*distance)).abs() <= ROUNDING, "{}: {change:#?}", step.name);
        }
    });
}

/// Units turn and change formation around their centre; only skirmishers re-form on their front row (9.35).
#[test]
fn turning_and_forming_do_not_move_anybody() {
    every_step(Sort::Plain, |step| {
        for change in step.audit.changes() {
            let Some(Event::Formed { unit: id, .. } | Event::Turned { unit: id, .. }) = change.told else { continue };
            let [from, to] = [change.from, change.to].map(|battle| battle.unit(*id));
            let loose = step.rules.formations[from.formation].spacing.is_some();
            let [here, there] = [from, to].map(|unit| unit.rect(step.rules).centre());
            let near = (here.x - there.x).abs() <= SLACK && (here.y - there.y).abs() <= SLACK;
            // Losses are taken from the rear. A column that would become deeper with fewer figures, but has no room,
            // keeps its front rank in place (7.41).
            let lost = matches!(change.told_before, Some(Event::Lost { unit, .. }) if unit == id);
            let stays = lost && (from.front, from.heading) == (to.front, to.heading);
            assert!(near || stays || (loose && from.formation != to.formation), "{}: {change:#?}", step.name);
        }
    });
}
