//! Random armies: a few units a side, of any type, in any formation open to them, anywhere on the table.

use grognard_engine::plane::{Heading, Point, Rect};
use grognard_engine::{BySide, Deployment, FacingPlan, Setup, Side, SidePlan, UNITS_PER_SIDE_MAX, UnitPlan, deploy};
use grognard_rules::model::{Board, Doctrine, FormationId, MoraleId, Order, Rules};

use crate::common::Words;

/// The maximum number of units a side; few enough that a failing battle can be read.
const UNITS_MAX: i32 = 5;

/// The kinds of units in an army.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Sort {
    /// Units that stay whole and keep their type, with orders to form, face, charge, move and fire.
    Plain,
    /// Any unit that fights, with orders that may deploy screens, dismount or join squares.
    Mixed,
}

/// Setup number `army` of the series that all tests share.
///
/// Half of the setups are two lines that face each other, and half are placed at random. The units are close together
/// or far apart, in the middle of the table or at an edge. They may be below strength or shaken from the start.
pub(crate) fn setup(rules: &Rules, sort: Sort, army: u64) -> Setup {
    let mut words = Words::new(army);
    let spread = *words.one_of(&[700, 1200, 2000]);
    let middle = *words.one_of(&[(0, 0), (0, 0), (3000, 0), (0, 2000), (-3000, -2000)]);
    let in_lines = words.between(0, 1) == 0;
    let doctrines: Vec<&Doctrine> = (rules.doctrines.iter().map(|doctrine| &**doctrine))
        .filter(|doctrine| !orders(doctrine, |order| is_foreign(sort, order)))
        .collect();
    let mut ground = Vec::new();
    let mut shaken = Vec::new();
    let sides = BySide::from_fn(|side| {
        let count = words.between(1, UNITS_MAX).min(UNITS_PER_SIDE_MAX as i32);
        let mut units = Vec::new();
        while units.is_empty() {
            for _ in 0..count {
                let lines = in_lines.then_some(side);
                if let Some(unit) = unit(rules, &mut words, &Place { sort, middle, spread, lines }, &mut ground) {
                    units.push(unit);
                    shaken.push(words.between(0, 5) == 0);
                }
            }
        }
        let doctrine = words.one_of(&doctrines).id.clone();
        SidePlan { name: format!("{side:?}").to_lowercase(), doctrine: Some(doctrine), units, ..SidePlan::default() }
    });
    let turns = words.between(1, 8) as u8;
    let plan = Deployment { sides, turns, ..Deployment::default() };
    let mut setup = deploy(rules, &plan).unwrap_or_else(|faults| panic!("army {army}: {faults:#?}"));
    for (unit, shaken) in setup.start.units.iter_mut().zip(shaken) {
        let stays = |morale: MoraleId| {
            let state = &rules.morale[morale];
            state.formation.is_none() && state.becomes[unit.formation] == unit.formation
        };
        if shaken && let Some(morale) = rules.morale.ids().skip(1).find(|&morale| stays(morale)) {
            unit.morale = morale;
        }
    }
    setup
}

/// Whether armies of this sort are never given this order.
///
/// No army has orders to turn or shift to the right by a fixed number of degrees or inches, regardless of the enemy.
/// The mirror image of such an order is different, and it may lead off the table.
fn is_foreign(sort: Sort, order: Order) -> bool {
    match order {
        Order::Turn(_) | Order::Bend | Order::March | Order::Seize | Order::Path => true,
        Order::Hold
        | Order::Form(_)
        | Order::Face
        | Order::Charge
        | Order::Advance(_)
        | Order::Withdraw
        | Order::Fire => false,
        _ => sort == Sort::Plain,
    }
}

/// Whether a doctrine has such an order.
fn orders(doctrine: &Doctrine, such: impl Fn(Order) -> bool) -> bool {
    doctrine.phases.iter().flat_map(|decisions| &decisions.rows).any(|row| such(row.order))
}

/// Where a unit may be placed.
struct Place {
    sort: Sort,
    middle: (i32, i32),
    spread: i32,
    /// The side whose line it is in; `None` if it may be anywhere.
    lines: Option<Side>,
}

/// Whether this many figures of a type may start in a formation.
fn may_stand(rules: &Rules, kind: &str, formation: &str, figures: u16) -> bool {
    let side = |name: &str, north: i32| {
        let unit = UnitPlan {
            kind: kind.into(),
            formation: Some(formation.into()),
            at: Some((0, north)),
            figures: Some(figures),
            ..UnitPlan::default()
        };
        let doctrine = rules.doctrines.first().map(|doctrine| doctrine.id.clone());
        SidePlan { name: name.into(), doctrine, units: vec![unit], ..SidePlan::default() }
    };
    let sides = BySide::new(side("south", -1500), side("north", 1500));
    deploy(rules, &Deployment { sides, turns: 1, ..Deployment::default() }).is_ok()
}

/// A unit with a valid start on free ground, if a few attempts find one.
fn unit(rules: &Rules, words: &mut Words, place: &Place, taken: &mut Vec<Rect>) -> Option<UnitPlan> {
    let spread = place.spread;
    let Board::Plane { table, .. } = rules.board else { panic!("the armies stand on a plane") };
    let kind = words.one_of(&rules.kinds);
    if place.sort == Sort::Plain && kind.cannon > 0 {
        // Crews may be apart from their guns.
        return None;
    }
    let open: Vec<FormationId> = rules.formations.ids().filter(|&formation| kind.speed[formation].is_some()).collect();
    let formation = *words.one_of(&open);
    let figures = if words.between(0, 1) == 0 { kind.figures } else { words.between(1, kind.figures.into()) as u16 };
    if !may_stand(rules, &kind.id, &rules.formations[formation].id, figures) {
        return None;
    }
    let footprint = rules.footprint(rules.kind(&kind.id)?, formation, figures);
    for _ in 0..30 {
        let (least, most, towards) = match place.lines {
            None => (-spread, spread, *words.one_of(&[0, 900, 1800, 2700])),
            Some(Side::First) => (-spread, -spread / 4, 0),
            Some(_) => (spread / 4, spread, 1800),
        };
        let off = match words.between(0, 3) {
            0 | 1 => 0,
            2 => 150 * words.between(-6, 6),
            _ => words.between(-1799, 1800),
        };
        let heading = Heading::from_tenths(towards + off);
        let (east, north) = (words.between(-spread, spread), words.between(least, most));
        let at = Point {
            x: (place.middle.0 + east).clamp(-table.half_width, table.half_width),
            y: (place.middle.1 + north).clamp(-table.half_depth, table.half_depth),
        };
        let rect = Rect::new(at, heading, footprint.width, footprint.depth);
        let on_table = rect.corners().iter().all(|at| at.x.abs() <= table.half_width && at.y.abs() <= table.half_depth);
        if on_table && taken.iter().all(|other| !rect.overlaps(other) && !other.overlaps(&rect)) {
            taken.push(rect);
            return Some(UnitPlan {
                kind: kind.id.clone(),
                formation: Some(rules.formations[formation].id.clone()),
                at: Some((at.x, at.y)),
                facing: Some(FacingPlan::Heading(heading.tenths())),
                figures: Some(figures),
                ..UnitPlan::default()
            });
        }
    }
    None
}
