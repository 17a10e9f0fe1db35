//! Deployment: from a study's setup to a battle that is ready to start.

mod array;
mod arrival;
mod bag;
mod casualties;
mod command;
mod crew;
mod general;
mod ground;
mod hex;
mod many;
mod objective;
mod of_kind;
pub(crate) mod plan;
mod player;
mod ranks;
mod screen;
mod swap;

use grognard_rules::model::{ACTIVATIONS_MAX, Board, Counters, DoctrineId, Kind, MoraleId, Rules};

use crate::deploy::of_kind::OfKind;
use crate::deploy::plan::{cited, listed, reach_of, refs, unknown};
use crate::deploy::player::{doctrine_of, is_random};
use crate::geometry::plane::away::away_from_nearest;
use crate::geometry::plane::{Arc, Heading, Point, Rect};
use crate::situation::points::no_plans;
use crate::state::ids::Maybe;
use crate::state::{
    Allowance, Arrives, Battle, Bend, BySide, Cards, Flags, HexState, Holdings, Marks, NOBODY_BESIDE, Places, Roads,
    Setup, Side, UNITS_OF_MANY_MAX, UNITS_PER_SIDE_MAX, Unit, UnitId,
};

pub use plan::{
    Approach, Array, ArrayPlan, CommandPlan, Deployment, FacingPlan, GeneralPlan, Misdeployment, ObjectivePlan,
    ReplanPlan, Shape, SidePlan, TerrainPlan, UnitPlan,
};

/// Turns a deployment into a setup, or reports everything that is wrong with it.
///
/// # Errors
///
/// Unknown names, formations closed to a unit, impossible figures, units on top of each other or off the table.
pub fn deploy(rules: &Rules, plan: &Deployment) -> Result<Setup, Vec<Misdeployment>> {
    let mut faults = Vec::new();
    if plan.turns == 0 || plan.turns > 200 {
        faults.push(Misdeployment {
            path: "turns".into(),
            message: format!("a battle cannot last {} turns", plan.turns),
            help: Some("from 1 to 200".into()),
        });
    }
    many::check(rules, plan, &mut faults);
    let commands = command::Commands::of(rules, plan, &mut faults);
    let mut units = Vec::new();
    for &side in plan.sides.sides() {
        let side_plan = &plan.sides[side];
        let doctrine = doctrine_of(rules, side_plan, &mut faults);
        check_count(side_plan, units_max(plan), &mut faults);
        let first: usize = units.len();
        for (number, unit) in side_plan.units.iter().take(units_max(plan)).enumerate() {
            let path = format!("{}.{number}", side_plan.name);
            if let Some(unit) = unit_of(rules, unit, side, number as u8, doctrine, &path, &mut faults) {
                let itself = UnitId(units.len() as u8);
                let plan = &side_plan.units[number];
                let command = commands.find(side_plan, side, plan.command.as_deref(), &path, &mut faults);
                units.push(Unit { foe: itself, kin: itself, command, ..unit });
            }
        }
        screen::add(rules, plan, side, first, &mut units, &mut faults);
        crew::add(rules, first, &mut units);
    }
    if !faults.is_empty() {
        return Err(faults);
    }
    let of_side = |side: Side| units.iter().filter(|unit| unit.side == side).count() as u8;
    let places = Places::new(&BySide::of(plan.sides.count(), of_side));
    let mut battle = Battle {
        turn: 1,
        active: Side::First,
        phase: 0,
        orders: Allowance::at_first(rules.pays),
        places,
        out: 0,
        idle: 0,
        commands: commands.commands.clone(),
        generals: Vec::new(),
        cards: Cards::default(),
        points: Holdings::default(),
        acting: rules.turn_order.as_ref().map(|_| Box::default()),
        units,
    };
    check_activations(rules, plan, &battle, &mut faults);
    bag::check(rules, plan, &battle, &mut faults);
    let (objectives, holdings) = objective::place(rules, plan, &mut faults);
    battle.points = holdings;
    let terrain = ground::pieces(rules, plan, &mut faults);
    array::check(rules, plan, &battle, &mut faults);
    if let Some(hex) = rules.hex.as_deref() {
        hex::place(rules, hex, plan, &mut battle, &mut faults);
    }
    if let Board::Plane { .. } = rules.board {
        array::draw_up(rules, plan, &mut battle);
        place(rules, plan, &mut battle);
        check_ground(rules, plan, &battle, &mut faults);
    }
    let names = BySide::of(plan.sides.count(), |side| plan.sides[side].name.clone());
    let random = BySide::of(plan.sides.count(), |side| is_random(&plan.sides[side]));
    let screens = screen::any(&battle);
    let (generals, plans) = (Vec::new(), no_plans(plan.sides.count()));
    let mut setup = Setup {
        start: battle,
        turns: plan.turns,
        screens,
        arrivals: Vec::new(),
        roads: Roads::of(rules, &terrain),
        terrain,
        generals,
        plans,
        objectives,
        names,
        random,
    };
    ground::fill(rules, plan, &mut setup, &mut faults);
    ground::bend(rules, &mut setup);
    arrival::keep_off(rules, plan, &mut setup, &mut faults);
    general::appoint(rules, plan, &commands, &mut setup, &mut faults);
    crew::count(rules, plan, &mut setup, &mut faults);
    ground::check_bars(rules, plan, &setup, &mut faults);
    ground::check_areas(rules, plan, &setup, &mut faults);
    if let Some(hex) = rules.hex.as_deref() {
        hex::check_bars(rules, hex, plan, &setup, &mut faults);
    }
    casualties::check(rules, plan, &setup, &mut faults);
    objective::check_points(rules, &setup, &mut faults);
    if faults.is_empty() { Ok(setup) } else { Err(faults) }
}

/// The maximum number of units on a side.
fn units_max(plan: &Deployment) -> usize {
    if plan.sides.count() > 2 { UNITS_OF_MANY_MAX } else { UNITS_PER_SIDE_MAX }
}

fn check_count(side: &SidePlan, most: usize, faults: &mut Vec<Misdeployment>) {
    let count = side.units.len();
    if count == 0 || count > most {
        faults.push(Misdeployment {
            path: format!("{}.units", side.name),
            message: format!("side `{}` has {count} units", side.name),
            help: Some(format!("from 1 to {most}")),
        });
    }
}

/// Reports units that could have more activations in a turn than are possible. Parts of units are not activated.
fn check_activations(rules: &Rules, plan: &Deployment, battle: &Battle, faults: &mut Vec<Misdeployment>) {
    let Some(order) = &rules.turn_order else { return };
    let of = |side: Side| battle.side(side).filter(|&id| !battle.is_part(id)).count();
    let counts = battle.by_side(of);
    let units = counts.iter().sum::<usize>();
    let activations = order.activations(counts.count() as u32, units as u32);
    if activations > u32::from(ACTIVATIONS_MAX) {
        let most = counts.iter().max();
        let larger = counts.sides().iter().copied().find(|&side| Some(&counts[side]) == most).unwrap_or_default();
        faults.push(Misdeployment {
            path: format!("{}.units", plan.sides[larger].name),
            message: format!(
                "a turn of these {units} units can have {activations} activations, but at most {ACTIVATIONS_MAX} are possible"
            ),
            help: Some("give fewer units, or let the pack activate each less often".into()),
        });
    }
}

fn unit_of(
    rules: &Rules,
    plan: &UnitPlan,
    side: Side,
    number: u8,
    doctrine: DoctrineId,
    path: &str,
    faults: &mut Vec<Misdeployment>,
) -> Option<Unit> {
    let names = |ids: Vec<&str>| ids.into_iter().map(str::to_owned).collect::<Vec<_>>();
    let Some(kind_index) = rules.kind(&plan.kind) else {
        let ids = names(rules.kinds.iter().map(|kind| kind.id.as_str()).collect());
        faults.push(unknown(format!("{path}.type"), "unit type", &plan.kind, &refs(&ids)));
        return None;
    };
    let kind = &rules.kinds[kind_index];
    let mut formation = kind.formation;
    if let Some(name) = &plan.formation {
        let open: Vec<&str> = rules
            .formations
            .ids()
            .filter(|&formation| kind.speed[formation].is_some())
            .map(|formation| rules.formations[formation].id.as_str())
            .collect();
        match rules.formation(name) {
            Some(index) if kind.speed[index].is_some() => formation = index,
            Some(index) => faults.push(Misdeployment {
                path: format!("{path}.formation"),
                message: format!(
                    "{} cannot be in {}{}",
                    kind.title,
                    rules.formations[index].title,
                    OfKind::new(rules, kind_index).cited(&[&kind.sources.speed, &rules.formations[index].sources.arms])
                ),
                help: Some(format!("open to it: {}", listed(&open))),
            }),
            None => faults.push(unknown(format!("{path}.formation"), "formation", name, &open)),
        }
    }
    let mut morale = MoraleId::FIRST;
    if let Some(name) = &plan.morale {
        let ids: Vec<&str> = rules.morale.iter().map(|state| state.id.as_str()).collect();
        match rules.morale_state(name) {
            Some(index) => {
                morale = index;
                let state = &rules.morale[index];
                if state.arms & (1 << kind.arm) == 0 {
                    faults.push(Misdeployment {
                        path: format!("{path}.morale"),
                        message: format!("{} cannot be {}{}", kind.title, state.id, cited(&state.source)),
                        help: Some("omit `morale`".into()),
                    });
                }
            }
            None => faults.push(unknown(format!("{path}.morale"), "morale state", name, &ids)),
        }
    }
    let splits = plan.arrives == Some(Arrives::Split);
    let figures = if splits { 0 } else { plan.figures.unwrap_or(kind.figures) };
    if !splits && kind.cannon == 0 && (figures == 0 || figures > kind.figures) {
        faults.push(Misdeployment {
            path: format!("{path}.figures"),
            message: format!("{} cannot have {figures} figures{}", kind.title, cited(&kind.source)),
            help: Some(format!(
                "from 1 to {}, its full strength: `unit.{}.figures` in the pack",
                kind.figures, kind.id
            )),
        });
        return None;
    }
    // A state that cancels formations also applies at the start of the battle.
    let state = &rules.morale[morale];
    if let Some(battery) = rules.battery.as_ref().filter(|_| state.broken && kind.cannon > 0) {
        faults.push(Misdeployment {
            path: format!("{path}.morale"),
            message: format!("{} cannot be {}: only crews are{}", kind.title, state.id, cited(&battery.source)),
            help: Some("omit `morale`".into()),
        });
    }
    let formation = state.formation.unwrap_or(state.becomes[formation]);
    // The bases of a routed unit are stacked, however many there are (8.52).
    let ranked = !state.broken || plan.abreast.is_some();
    let abreast = if ranked { ranks::abreast(rules, plan, kind_index, formation, figures, path, faults) } else { 0 };
    let heading = heading_of(plan);
    let tenths = match plan.facing {
        Some(FacingPlan::Bent(_, right)) => heading.turn_to(Heading::from_tenths(i32::from(right))) as i16,
        _ => 0,
    };
    let at = plan.at.unwrap_or((0, 0));
    Some(Unit {
        kind: kind_index,
        side,
        number,
        doctrine,
        command: 0,
        formation,
        morale,
        cannon: plan.cannon.unwrap_or(kind.cannon),
        away: 0,
        guests: 0,
        forming: Maybe::NONE,
        abreast,
        flags: if splits { Flags::LATE } else { Flags::default() },
        marks: Marks::default(),
        fills: 0,
        met: Arc::Front,
        beside: NOBODY_BESIDE,
        foe: UnitId(0),
        kin: UnitId(0),
        start: figures,
        figures,
        hits: 0,
        broke: 0,
        front: Point { x: at.0, y: at.1 },
        heading,
        bend: Bend { tenths, at: 0 },
        spacing: 0,
        counters: counters_of(rules, kind, plan, path, faults),
        hex: HexState::default(),
    })
}

/// The starting values of a unit's counters.
fn counters_of(rules: &Rules, kind: &Kind, plan: &UnitPlan, path: &str, faults: &mut Vec<Misdeployment>) -> Counters {
    let mut counters = kind.counters;
    for (name, value) in &plan.counters {
        let path = format!("{path}.counters.{name}");
        let Some(index) = rules.counters.iter().position(|counter| counter.id == *name) else {
            let ids: Vec<&str> = rules.counters.iter().map(|counter| counter.id.as_str()).collect();
            faults.push(unknown(path, "counter", name, &ids));
            continue;
        };
        let counter = &rules.counters[index];
        if (counter.min..=counter.max).contains(value) {
            counters.set(index as u8, *value);
        } else {
            let message = format!("{} of {} cannot be {value}{}", counter.title, kind.title, cited(&counter.source));
            let help = Some(format!("from {} to {}", counter.min, counter.max));
            faults.push(Misdeployment { path, message, help });
        }
    }
    counters
}

/// Turns units to face the enemy if the study says so, then gives the first side its approach and distance.
fn place(rules: &Rules, plan: &Deployment, battle: &mut Battle) {
    let middles = battle.by_side(|side| middle(battle, battle.side(side)));
    let axis = Heading::between(middles.second, middles.first);
    for &side in battle.sides() {
        for id in battle.side(side).collect::<Vec<_>>() {
            let Some(unit_plan) = plan.sides[side].units.get(usize::from(battle.unit(id).number)) else { continue };
            let drawn_up = plan.sides[side].array.is_some() && unit_plan.at.is_none();
            let own = matches!(unit_plan.facing, Some(FacingPlan::Heading(_) | FacingPlan::Bent(..)));
            if own && drawn_up {
                battle.unit_mut(id).heading = heading_of(unit_plan);
            } else if !own && !drawn_up {
                let (from, to) = (battle.unit(id).front, middle(battle, battle.enemies(side)));
                // If both are on the same spot, `distance` moves the first side away along the axis.
                let behind = from == to && side == Side::First && plan.distance.is_some();
                battle.unit_mut(id).heading = if behind { axis.reversed() } else { Heading::between(from, to) };
            }
        }
    }
    screen::post(rules, battle);
    // The approach is relative to the line between the two sides' centres, towards the first side.
    let turn = match plan.approach {
        Approach::Front => 0,
        Approach::Flank => 900,
        Approach::Rear => 1800,
    };
    if turn != 0 {
        turn_side(battle, middles.second, turn);
        clear_of(rules, plan, battle, axis);
    }
    for &side in battle.sides() {
        for id in battle.side(side).collect::<Vec<_>>() {
            turn_to_flight(rules, battle, id, &plan.sides[side]);
        }
    }
    let out = axis.turned(turn);
    if let Some(wanted) = plan.distance {
        // Two passes are needed: the distance between edges is not linear if corners are nearest.
        for _ in 0..2 {
            let missing = wanted - gap(rules, plan, battle);
            shift_side(battle, out, missing);
        }
    }
}

/// The heading in a unit's plan.
fn heading_of(plan: &UnitPlan) -> Heading {
    match plan.facing {
        Some(FacingPlan::Heading(tenths) | FacingPlan::Bent(tenths, _)) => Heading::from_tenths(i32::from(tenths)),
        _ => Heading::NORTH,
    }
}

/// A unit that starts broken faces away from the nearest enemy (7.44), unless the study gives its facing.
fn turn_to_flight(rules: &Rules, battle: &mut Battle, id: UnitId, side: &SidePlan) {
    let unit = battle.unit(id);
    let Some(plan) = side.units.get(usize::from(unit.number)) else { return };
    let told = matches!(plan.facing, Some(FacingPlan::Heading(_) | FacingPlan::Bent(..)));
    if told || !unit.broken(rules) {
        return;
    }
    let enemies = battle.enemies(unit.side).map(|enemy| battle.unit(enemy)).filter(|enemy| !enemy.gone());
    let enemies = enemies.map(|enemy| enemy.rect(rules).centre());
    if let Some(away) = away_from_nearest(unit.rect(rules).centre(), enemies) {
        let turned = unit.rect(rules).turned_about_centre(away);
        let unit = battle.unit_mut(id);
        (unit.front, unit.heading) = (turned.front, turned.heading());
    }
}

/// The mean position of these units.
fn middle(battle: &Battle, units: impl Iterator<Item = UnitId>) -> Point {
    let (mut x, mut y, mut count) = (0_i64, 0_i64, 0_i64);
    for id in units.filter(|&id| !battle.unit(id).flags.has(Flags::SCREEN) && !battle.unit(id).is_place()) {
        let at = battle.unit(id).front;
        (x, y, count) = (x + i64::from(at.x), y + i64::from(at.y), count + 1);
    }
    let count = count.max(1);
    Point { x: (x / count) as i32, y: (y / count) as i32 }
}

/// Turns the whole first side clockwise about a point.
fn turn_side(battle: &mut Battle, about: Point, tenths: i32) {
    let frame = Rect::new(about, Heading::from_tenths(tenths), 0, 0);
    for id in battle.side(Side::First).collect::<Vec<_>>() {
        let unit = battle.unit_mut(id);
        unit.front = frame.at(unit.front.x - about.x, unit.front.y - about.y);
        unit.heading = unit.heading.turned(tenths);
    }
}

/// Moves a side that comes from the flank entirely behind the line of the enemy's front, so that none of its figures is
/// in the front arc (clause 7.13).
fn clear_of(rules: &Rules, plan: &Deployment, battle: &mut Battle, axis: Heading) {
    if plan.approach != Approach::Flank {
        return;
    }
    let rects = |side: Side| -> Vec<Rect> {
        let first = arrival::first_on(plan, battle, side);
        first.into_iter().map(|id| battle.unit(id).rect(rules)).collect()
    };
    let (attackers, front) = (rects(Side::First), rects(Side::Second));
    let Some(line) = front.first() else { return };
    let frame = Rect::new(line.front, axis, 0, 0);
    let most = |rects: &[Rect]| {
        rects.iter().flat_map(Rect::corners).map(|corner| frame.local(corner).1).max().unwrap_or(0) as i32
    };
    let least_front = front.iter().map(|rect| frame.local(rect.front).1).min().unwrap_or(0) as i32;
    let excess = most(&attackers) - least_front;
    if excess > 0 {
        shift_side(battle, axis.reversed(), excess);
    }
}

fn shift_side(battle: &mut Battle, along: Heading, distance: i32) {
    for id in battle.side(Side::First).collect::<Vec<_>>() {
        let unit = battle.unit_mut(id);
        unit.front = unit.front.moved(along, distance);
    }
}

/// The distance between the nearest units of the two sides that start on the table; overlaps count as 0.
fn gap(rules: &Rules, plan: &Deployment, battle: &Battle) -> i32 {
    let mut least = i32::MAX;
    let seconds = arrival::first_on(plan, battle, Side::Second);
    for first in arrival::first_on(plan, battle, Side::First) {
        for &second in &seconds {
            least = least.min(battle.unit(first).rect(rules).distance(&battle.unit(second).rect(rules)));
        }
    }
    least
}

fn check_ground(rules: &Rules, plan: &Deployment, battle: &Battle, faults: &mut Vec<Misdeployment>) {
    let Board::Plane { table, .. } = rules.board else { return };
    let name = |index: usize| {
        let unit = &battle.units[index];
        format!("{}.{}", plan.sides[unit.side].name, unit.number)
    };
    let reach = reach_of(table);
    let moved = |side: Side| match plan.distance.filter(|_| side == Side::First) {
        Some(distance) => {
            let apart = f64::from(distance) / 100.0;
            format!("`distance` moved this side until the armies were {apart}\" apart: reduce it, or omit it; ")
        }
        None => String::new(),
    };
    for (index, unit) in battle.units.iter().enumerate().filter(|(_, unit)| !unit.gone()) {
        let rect = unit.rect(rules);
        let off = rect.corners().iter().any(|at| at.x.abs() > table.half_width || at.y.abs() > table.half_depth);
        if off {
            faults.push(Misdeployment {
                path: format!("{}.at", name(index)),
                message: format!("unit `{}` would be off the table{}", name(index), cited(&rules.table_source)),
                help: Some(moved(unit.side) + &reach),
            });
        }
        for (other_index, other) in battle.units.iter().enumerate().take(index).filter(|(_, unit)| !unit.gone()) {
            // A unit that arrives later waits until its place is free.
            let late = [unit, other].into_iter().any(|unit| arrival::turn_of(plan, unit).is_some());
            if !late && rect.overlaps(&other.rect(rules)) {
                faults.push(Misdeployment {
                    path: format!("{}.at", name(index)),
                    message: format!(
                        "units `{}` and `{}` stand on the same ground{}",
                        name(other_index),
                        name(index),
                        cited(&rules.movement.source)
                    ),
                    help: Some("move one of them with `at`, or give them another `distance`".into()),
                });
            }
        }
    }
}
