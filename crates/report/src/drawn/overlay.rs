//! Moves and actions: ghosts and paths, arrows of charges, lines of fire with their arcs, blows.

use grognard_lab::replay::timeline::{Presence, Standing, TableLook};
use grognard_lab::replay::{Point, Rect};

use super::ground::clipped;
use super::map::{HEX, Kind, Map, hex_centre};
use super::scene::{Deed, Link, Passage};
use super::symbols::{ghost, inks, tone};
use crate::look::{Dash, Form, PAPER, SOFT, TEXT};
use crate::sheet::{Mark, Place, Sheet};

/// Maximum number of firing units for which arcs are drawn: more would hide the map.
const ARCS: usize = 2;

/// The marks below the units: their previous positions, and arcs of fire.
pub(super) fn under(sheet: &mut Sheet, map: &Map, passage: &Passage<'_>) {
    let mut firers: Vec<&Link> = Vec::new();
    for link in passage.links.iter().filter(|link| link.deed == Deed::Fire) {
        if !firers.iter().any(|other| other.unit == link.unit) {
            firers.push(link);
        }
    }
    if firers.len() <= ARCS {
        firers.iter().for_each(|link| arc(sheet, map, passage, link));
    }
    for unit in 0..passage.after.units.len() {
        path(sheet, map, passage, unit);
    }
    for link in passage.links.iter().filter(|link| link.deed == Deed::Charge) {
        arrow(sheet, &ends(map, passage, link), 1.8);
    }
}

/// The marks above the units: lines of fire and blows.
pub(super) fn over(sheet: &mut Sheet, map: &Map, passage: &Passage<'_>) {
    for link in &passage.links {
        match link.deed {
            Deed::Charge => {}
            Deed::Fire => fire(sheet, &ends(map, passage, link)),
            Deed::Fight => blows(sheet, crossing(map, passage, link)),
        }
    }
}

/// A line from the front of the acting unit to the nearest edge of its target.
fn ends(map: &Map, passage: &Passage<'_>, link: &Link) -> [Place; 2] {
    let rect = |unit: usize, standing: &Standing| map.ground(passage.timeline, unit, standing);
    between(map, &rect(link.unit, &link.from), &rect(link.target, &link.to))
}

/// The path of a unit, and its previous position.
fn path(sheet: &mut Sheet, map: &Map, passage: &Passage<'_>, unit: usize) {
    let Some(way) = passage.ways.get(unit) else { return };
    let here = |standing: &&Standing| standing.presence == Presence::Here;
    let Some(first) = way.first().filter(here) else { return };
    let last = way.iter().rev().find(|standing| here(standing)).unwrap_or(first);
    let (start, end) = (map.ground(passage.timeline, unit, first), map.ground(passage.timeline, unit, last));
    let fell = passage.fell(unit);
    let moved = (first.at, first.heading) != (last.at, last.heading);
    if !moved && !fell {
        return;
    }
    let side = tone(passage.timeline, passage.timeline.units[unit].side);
    if moved {
        sheet.marks.push(ghost(map, &start, SOFT));
    }
    if fell {
        // A cross marks where the unit was last seen.
        sheet.marks.push(ghost(map, &end, TEXT));
        let corners = end.corners().map(|corner| map.at(corner));
        for (from, to) in [(corners[0], corners[2]), (corners[1], corners[3])] {
            sheet.path(vec![from, to], 0.9, TEXT, Dash::Solid);
        }
    }
    let mut through: Vec<Place> = Vec::new();
    for standing in way.iter().filter(here) {
        let at = map.at(map.ground(passage.timeline, unit, standing).centre());
        if through.last().is_none_or(|&(x, y)| (x - at.0).hypot(y - at.1) > 1.5) {
            through.push(at);
        }
    }
    if through.len() > 1 {
        let ink = if side == 0 { inks(0).0 } else { TEXT.tint(0.65) };
        sheet.path(through, 1.0, ink, Dash::Long);
    }
}

/// A line from the front of one unit to the nearest edge of another.
fn between(map: &Map, from: &Rect, to: &Rect) -> [Place; 2] {
    let start = map.at(from.front);
    let (x, y) = map.at(to.centre());
    let corners = to.corners().map(|corner| map.at(corner));
    // Find the edge of the target that the line meets first.
    let mut nearest = 1.0_f64;
    for nth in 0..4 {
        let (a, b) = (corners[nth], corners[(nth + 1) % 4]);
        let (dx, dy, ex, ey) = (x - start.0, y - start.1, b.0 - a.0, b.1 - a.1);
        let cross = dx * ey - dy * ex;
        if cross.abs() > 1e-9 {
            let along = ((a.0 - start.0) * ey - (a.1 - start.1) * ex) / cross;
            let across = ((a.0 - start.0) * dy - (a.1 - start.1) * dx) / cross;
            if (0.0..=1.0).contains(&across) && along >= 0.0 {
                nearest = nearest.min(along);
            }
        }
    }
    [start, (start.0 + nearest * (x - start.0), start.1 + nearest * (y - start.1))]
}

/// A line with an arrowhead at its end.
fn arrow(sheet: &mut Sheet, &[from, to]: &[Place; 2], width: f64) {
    let (dx, dy) = (to.0 - from.0, to.1 - from.1);
    let length = dx.hypot(dy);
    if length < 4.0 {
        return;
    }
    let (ux, uy) = (dx / length, dy / length);
    let head = (2.6 * width).min(length);
    let neck = (to.0 - head * ux, to.1 - head * uy);
    sheet.path(vec![from, neck], width + 1.4, PAPER.faint(0.8), Dash::Solid);
    sheet.path(vec![from, neck], width, TEXT, Dash::Solid);
    let side = 1.3 * width;
    let outline = vec![to, (neck.0 - side * uy, neck.1 + side * ux), (neck.0 + side * uy, neck.1 - side * ux)];
    sheet.marks.push(Mark::Area { outline, ink: TEXT });
}

/// A dotted line of fire, with a burst where it strikes.
fn fire(sheet: &mut Sheet, &[from, to]: &[Place; 2]) {
    sheet.path(vec![from, to], 0.9, TEXT, Dash::Dots);
    for (dx, dy) in [(3.0, 0.0), (1.5, 2.6), (-1.5, 2.6)] {
        sheet.path(vec![(to.0 - dx, to.1 - dy), (to.0 + dx, to.1 + dy)], 0.8, TEXT, Dash::Solid);
    }
}

/// The place between two units that fight. On a slanting hexside, it is moved away from the label in the upper hex.
fn crossing(map: &Map, passage: &Passage<'_>, link: &Link) -> Place {
    let is_hex = map.kind == Kind::Hex;
    let [one, other] = match is_hex {
        true => [link.from.at, link.to.at].map(|at| map.at(hex_centre(at))),
        false => ends(map, passage, link),
    };
    let (x, y) = (f64::midpoint(one.0, other.0), f64::midpoint(one.1, other.1));
    let (dx, dy) = (other.0 - one.0, other.1 - one.1);
    let radius = f64::from(HEX) * map.scale;
    if !is_hex || dy.abs() < 0.5 * radius {
        return (x, y);
    }
    (x + 0.35 * radius * dx.signum() * dy.signum(), y - 0.2 * radius)
}

/// Crossed swords between two units that fight.
fn blows(sheet: &mut Sheet, (x, y): Place) {
    sheet.dot((x, y), 4.6, Form::Disc, TEXT, true);
    sheet.dot((x, y), 4.0, Form::Disc, PAPER, true);
    for sign in [-1.0, 1.0] {
        sheet.path(vec![(x - 2.5 * sign, y - 2.5), (x + 2.5 * sign, y + 2.5)], 1.1, TEXT, Dash::Solid);
        sheet.path(vec![(x + 0.6 * sign, y + 2.2), (x + 2.2 * sign, y + 0.6)], 0.8, TEXT, Dash::Solid);
    }
}

/// The ground that a unit's fire reaches: its front arc as deep as its range.
fn arc(sheet: &mut Sheet, map: &Map, passage: &Passage<'_>, link: &Link) {
    let timeline = passage.timeline;
    let TableLook::Plane { arc, .. } = timeline.table else { return };
    let range = timeline.kinds[usize::from(link.from.kind)].range;
    let formation = &timeline.formations[usize::from(link.from.formation)];
    if range < 100 || formation.all_round {
        return;
    }
    let rect = map.ground(timeline, link.unit, &link.from);
    let [left, right, ..] = rect.corners();
    let heading = rect.heading();
    let step = |nth: i32| heading.turned(-i32::from(arc) + nth * i32::from(arc) / 6);
    let mut outline = vec![left];
    outline.extend((0..=6).map(|nth| left.moved(step(nth), range)));
    outline.extend((6..=12).map(|nth| right.moved(step(nth), range)));
    outline.push(right);
    let places: Vec<Place> = outline.into_iter().map(|point: Point| map.at(point)).collect();
    let mut zone = clipped(&places, map.size());
    if zone.len() > 2 {
        sheet.marks.push(Mark::Area { outline: zone.clone(), ink: SOFT.faint(0.08) });
        zone.extend(zone.first().copied());
        sheet.path(zone, 0.5, SOFT, Dash::Dots);
    }
}

/// The position of a general's star: on his base, or at the shoulder of the unit he is with. On hexes, it is in the
/// upper left of the hex he shares with the unit, above the label.
pub(super) fn star(map: &Map, rect: Option<&Rect>, at: [i32; 2]) -> Place {
    match rect {
        Some(_) if map.kind == Kind::Hex => {
            let (x, y) = map.at(hex_centre(at));
            let radius = f64::from(HEX) * map.scale;
            (x - 0.55 * radius, y - 0.4 * radius)
        }
        Some(rect) => map.at(rect.at(rect.width / 2, 0)),
        None if map.kind == Kind::Hex => map.at(hex_centre(at)),
        None => map.at(Point { x: at[0], y: at[1] }),
    }
}
