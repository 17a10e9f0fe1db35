//! The starting position: the pieces of terrain, and whether units may start where they are placed.

use std::rc::Rc;

use grognard_rules::model::{Bar, Board, Rules};

use crate::deploy::plan::{Deployment, FacingPlan, Misdeployment, Shape, cited, listed, unknown};
use crate::geometry::plane::{Heading, Point, Rect};
use crate::mechanism::points::passage;
use crate::situation::occupied::{is_taken, middled, piece_under};
use crate::situation::view::View;
use crate::state::terrain::bridged;
use crate::state::{Bend, Flags, Piece, Setup, TERRAIN_MAX, Unit, UnitId};
use crate::step::Position;
use crate::step::scratch::Scratch;
use crate::step::tracked_battle::TrackedBattle;

/// Builds the pieces of terrain.
pub(super) fn pieces(rules: &Rules, plan: &Deployment, faults: &mut Vec<Misdeployment>) -> Vec<Piece> {
    if plan.terrain.is_empty() {
        return Vec::new();
    }
    if !matches!(rules.board, Board::Plane { .. }) || rules.grounds.is_empty() {
        // The first kind of hex is open ground.
        let (message, help) = match rules.hex.as_ref().and_then(|hex| hex.terrain.get(1)) {
            Some(terrain) => (
                format!("the pack {} has terrain by hex, not in pieces on a table", rules.name),
                format!("omit `terrain`, and name hexes under `hex.terrain.{}.at` and the like", terrain.id),
            ),
            None => (format!("the pack {} has no terrain", rules.name), "omit `terrain`".into()),
        };
        faults.push(Misdeployment { path: "terrain".into(), message, help: Some(help) });
        return Vec::new();
    }
    if plan.terrain.len() > TERRAIN_MAX {
        faults.push(Misdeployment {
            path: "terrain".into(),
            message: format!("{} pieces of terrain are too many", plan.terrain.len()),
            help: Some(format!("at most {TERRAIN_MAX}")),
        });
    }
    let mut pieces = Vec::new();
    for (number, piece) in plan.terrain.iter().take(TERRAIN_MAX).enumerate() {
        let path = format!("terrain.{number}");
        let names: Vec<&str> = rules.grounds.iter().map(|ground| ground.id.as_str()).collect();
        let Some(index) = rules.ground(&piece.ground) else {
            faults.push(unknown(format!("{path}.ground"), "kind of ground", &piece.ground, &names));
            continue;
        };
        let ground = &rules.grounds[usize::from(index)];
        match rect_of(ground.thickness, &piece.shape) {
            Ok(whole) => {
                let part = |rect: Rect| Piece { ground: index, rect, whole };
                match &ground.fills {
                    Some(fills) => pieces.extend(divided(&whole, fills.most).map(part)),
                    None => pieces.push(part(whole)),
                }
            }
            Err(message) => faults.push(Misdeployment { path, message, help: None }),
        }
    }
    if pieces.len() > TERRAIN_MAX && plan.terrain.len() <= TERRAIN_MAX {
        faults.push(Misdeployment {
            path: "terrain".into(),
            message: format!(
                "when divided by the pack's rules, these are {} pieces of terrain, which are too many",
                pieces.len()
            ),
            help: Some(format!("at most {TERRAIN_MAX}: make the largest smaller")),
        });
    }
    pieces
}

/// Divides a piece into equal parts with sides no longer than `most`.
fn divided(rect: &Rect, most: i32) -> impl Iterator<Item = Rect> + use<> {
    let (across, along) = ((rect.width + most - 1) / most, (rect.depth + most - 1) / most);
    let (whole, width, depth) = (*rect, rect.width / across, rect.depth / along);
    (0..across * along).map(move |part| {
        let (column, row) = (part % across, part / across);
        let aside = (2 * column + 1 - across) * width / 2;
        Rect::new(whole.at(aside, -row * depth), whole.heading(), width, depth)
    })
}

/// A unit that starts in a piece of ground and fills it is moved to the middle of that piece, one unit per piece.
pub(super) fn fill(rules: &Rules, plan: &Deployment, setup: &mut Setup, faults: &mut Vec<Misdeployment>) {
    let scratch = Scratch::new();
    for index in 0..setup.start.units.len() as u8 {
        let id = UnitId(index);
        let unit = *setup.start.unit(id);
        let rect = unit.rect(rules);
        let Some(piece) = piece_under(rules, setup, &rect).filter(|_| !unit.gone()) else { continue };
        let ground = setup.terrain[piece].ground(rules);
        let Some(fills) = &ground.fills else { continue };
        let view = View::new(rules, setup, &setup.start, &scratch, id, None);
        let begins = fills.begins.as_ref().is_none_or(|begins| begins.get(&view) != 0);
        if !begins || taken_before(rules, setup, piece, id) {
            let title = &rules.kinds[unit.kind].title;
            let why = if begins { "another unit already stands there" } else { "it may be there only on a road" };
            faults.push(Misdeployment {
                path: format!("{}.{}.at", plan.sides[unit.side].name, unit.number),
                message: format!("{title} cannot start in {} here: {why}{}", ground.title, cited(&fills.source)),
                help: Some("move one of them with `at`".into()),
            });
            continue;
        }
        let place = middled(&rect, &setup.terrain[piece]);
        let unit = setup.start.unit_mut(id);
        (unit.front, unit.fills) = (place.front, piece as u8 + 1);
    }
}

/// Whether another unit takes up part of a piece. Units listed later that start in the same piece do not count.
fn taken_before(rules: &Rules, setup: &Setup, piece: usize, id: UnitId) -> bool {
    let mut others = setup.start.units.clone();
    for other in others.iter_mut().skip(id.index() + 1) {
        if piece_under(rules, setup, &other.rect(rules)) == Some(piece) {
            other.flags.set(Flags::LATE);
        }
    }
    is_taken(rules, setup, &others, piece, id)
}

/// Bends units that have two facings in the study. The bend is between two figures, as near to the middle of the front
/// as possible while all figures touch linear ground (7.23). If no bend allows that, it is in the middle.
pub(super) fn bend(rules: &Rules, setup: &mut Setup) {
    for unit in &mut setup.start.units {
        if unit.bend.is_none() {
            continue;
        }
        let (before, footprint) = (*unit, unit.footprint(rules));
        let bent = |at: i16| {
            let bend = Bend { at, ..before.bend };
            Unit { heading: before.heading.turned(bend.own_turn()), bend, ..before }
        };
        let places = || Bend::places(footprint.width, i32::from(footprint.front), 0).map(bent);
        let lines = places().find(|unit| unit.lines(rules, &setup.terrain));
        *unit = lines.or_else(|| places().next()).unwrap_or(before);
    }
}

fn rect_of(thickness: i32, shape: &Shape) -> Result<Rect, String> {
    let point = |(x, y): (i32, i32)| Point { x, y };
    let about = |middle: Point, heading: Heading, width: i32, depth: i32| {
        Rect::new(middle.moved(heading, depth / 2), heading, width, depth)
    };
    match *shape {
        Shape::Block { size: (width, depth), .. } if width <= 0 || depth <= 0 => {
            Err("a piece of terrain must have a width and a depth".into())
        }
        Shape::Block { at, size: (width, depth), turned } => {
            Ok(about(point(at), Heading::from_tenths(i32::from(turned)), width, depth))
        }
        Shape::Line { from, to, .. } if from == to => Err("a line of terrain must not end where it begins".into()),
        Shape::Line { from, to, thickness: given } => {
            let thickness = given.unwrap_or(thickness);
            if thickness <= 0 {
                return Err(
                    "this kind of terrain has no thickness of its own: give `thickness`, or `at` and `size`".into()
                );
            }
            let (from, to) = (point(from), point(to));
            let length = from.square_distance(to).isqrt() as i32;
            // A line's front is its long side.
            let along = Heading::between(from, to);
            let middle = Point { x: from.x.midpoint(to.x), y: from.y.midpoint(to.y) };
            Ok(about(middle, along.turned(-900), length, thickness))
        }
    }
}

/// Checks that every unit may have its formation and position, including those that arrive later.
pub(super) fn check_bars(rules: &Rules, plan: &Deployment, setup: &Setup, faults: &mut Vec<Misdeployment>) {
    let scratch = Scratch::new();
    for &side in plan.sides.sides() {
        for id in setup.start.side(side) {
            let unit = setup.start.unit(id);
            if unit.gone() && !unit.is_to_come() {
                continue;
            }
            let name = format!("{}.{}", plan.sides[side].name, unit.number);
            let formation = &rules.formations[unit.formation];
            let view = View::new(rules, setup, &setup.start, &scratch, id, None);
            let forbids = |bars: &'_ [Bar]| bars.iter().position(|bar| bar.deploy && bar.when.get(&view) != 0);
            let mut refuse = |key: &str, what: &str, bar: &Bar| {
                let title = &rules.kinds[unit.kind].title;
                faults.push(Misdeployment {
                    path: format!("{name}.{key}"),
                    message: format!("{title} cannot be in {what} here{}", cited(&bar.source)),
                    help: Some(format!("{} forbids it", bar.id)),
                });
            };
            if let Some(bar) = forbids(&formation.bars) {
                refuse("formation", &formation.title, &formation.bars[bar]);
            }
            let rect = unit.rect(rules);
            // Where units move by acts, a road leads over closed ground.
            let bridge = |piece: &Piece| !rules.acts.is_empty() && bridged(rules, &setup.terrain, &rect, piece);
            for piece in setup.terrain.iter().filter(|piece| piece.rect.overlaps(&rect) && !bridge(piece)) {
                let ground = piece.ground(rules);
                if let Some(bar) = forbids(&ground.bars) {
                    refuse("at", &ground.title, &ground.bars[bar]);
                }
            }
            check_dressing(rules, plan, setup, id, &name, faults);
        }
    }
}

/// Checks that all units may be in the areas that they overlap, including those that arrive later.
pub(super) fn check_areas(rules: &Rules, plan: &Deployment, setup: &Setup, faults: &mut Vec<Misdeployment>) {
    let Some(bars) = rules.movement.bar.as_ref().filter(|_| !setup.terrain.is_empty()) else { return };
    let (mut battle, mut scratch) = (setup.start.clone(), Scratch::new());
    let positions = Rc::clone(&scratch.positions);
    let ctx = Position { rules, setup, battle: TrackedBattle::new(&mut battle, &positions), scratch: &mut scratch };
    for id in (0..setup.start.units.len() as u8).map(UnitId) {
        let unit = setup.start.unit(id);
        let stands = !unit.gone() || unit.is_to_come();
        let path = format!("{}.{}.at", plan.sides[unit.side].name, unit.number);
        if !stands || faults.iter().any(|known| known.path == path) {
            continue;
        }
        if let Some(row) = passage::closed_to_stand(&ctx, id) {
            let (bar, title) = (&bars.rows[usize::from(row)], &rules.kinds[unit.kind].title);
            faults.push(Misdeployment {
                path,
                message: format!("{title} cannot stand here{}", cited(&bar.source)),
                help: Some(format!("{} forbids it: move it with `at`", bar.id)),
            });
        }
    }
}

/// Checks that a unit's figures all face the same way, unless it lines linear terrain (7.0-P1, 7.23) or the pack allows
/// it to try (7.37).
fn check_dressing(
    rules: &Rules,
    plan: &Deployment,
    setup: &Setup,
    id: UnitId,
    name: &str,
    faults: &mut Vec<Misdeployment>,
) {
    let unit = setup.start.unit(id);
    let unit_plan = plan.sides[unit.side].units.get(usize::from(unit.number));
    if unit.bend.is_none() || !matches!(unit_plan.and_then(|plan| plan.facing), Some(FacingPlan::Bent(..))) {
        return;
    }
    let scratch = Scratch::new();
    let view = View::new(rules, setup, &setup.start, &scratch, id, None);
    let may = rules.dressing.bends_when.as_ref().is_some_and(|when| when.get(&view) != 0);
    if (may && unit.lines(rules, &setup.terrain)) || rules.dressing.ambiguous.is_some() {
        return;
    }
    let linear: Vec<&str> =
        rules.grounds.iter().filter(|ground| ground.linear).map(|ground| ground.id.as_str()).collect();
    let help = if linear.is_empty() {
        "give it one heading".to_owned()
    } else {
        format!("give it one heading, or let all its figures touch {}", listed(&linear))
    };
    faults.push(Misdeployment {
        path: format!("{name}.facing"),
        message: format!("ambiguous facing: its figures face two ways{}", cited(&rules.dressing.source)),
        help: Some(help),
    });
}
