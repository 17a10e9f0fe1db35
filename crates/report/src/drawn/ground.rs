//! The ground: the table's edge with a grid of feet, or hexes; pieces of terrain, objectives, and the edges by which
//! sides leave, with their titles.

use grognard_lab::replay::Point;
use grognard_lab::replay::timeline::{ExitLook, GroundLook, HexLook, ObjectiveLook, PieceLook, TableLook, Timeline};

use super::labels::{Box4, around};
use super::map::{HEX, Kind, Map, hex_centre, hex_corners, objective_at};
use super::symbols;
use crate::font::{self, Weight};
use crate::look::{Dash, Earth, Form, Hue, Ink, RULE, SOFT};
use crate::sheet::{Mark, Place, Sheet};

/// Draws the ground. Nothing is drawn beyond the map.
pub(super) fn draw(sheet: &mut Sheet, map: &Map, timeline: &Timeline) {
    match map.kind {
        Kind::Plane => plane(sheet, map, timeline),
        Kind::Hex => hexes(sheet, map, timeline),
        Kind::List => return,
    }
    for objective in &timeline.objectives {
        let at = map.at(objective_at(map.kind, objective));
        for (radius, filled) in [(OBJECTIVE, false), (OBJECTIVE / 3.0, true)] {
            sheet.marks.push(Mark::Dot { at, radius, form: Form::Disc, ink: SOFT, filled });
        }
    }
    for (exit, band) in timeline.exits.iter().zip(exits(map, timeline)) {
        band.draw(sheet, symbols::inks(symbols::tone(timeline, exit.side)).0);
    }
}

/// A band inside an edge of the table by which a side leaves.
struct Exit {
    /// Its ends, at its outer rim.
    ends: [Place; 2],
    /// One point outwards, on paper.
    out: Place,
}

/// How deep the band of an exit is, in points.
const EXIT: f64 = 7.0;

impl Exit {
    /// A position at this distance along the band and this depth into it.
    fn at(&self, along: f64, into: f64) -> Place {
        let [(x, y), _] = self.ends;
        let (across, up) = self.out;
        (x + up.abs() * along - across * into, y + across.abs() * along - up * into)
    }

    fn length(&self) -> f64 {
        let [(x0, y0), (x1, y1)] = self.ends;
        (x1 - x0).abs() + (y1 - y0).abs()
    }

    /// A line along the edge, with arrowheads that point out.
    fn draw(&self, sheet: &mut Sheet, ink: Ink) {
        /// The distance between arrowheads, in points.
        const STEP: f64 = 40.0;
        let length = self.length();
        sheet.path(vec![self.at(0.0, 1.0), self.at(length, 1.0)], 2.0, ink, Dash::Solid);
        let heads = (length / STEP).round().max(1.0) as usize;
        for head in 0..heads {
            let along = length * (head as f64 + 0.5) / heads as f64;
            let outline = [(-3.0, 6.5), (0.0, 3.0), (3.0, 6.5)].map(|(aside, into)| self.at(along + aside, into));
            sheet.marks.push(Mark::Area { outline: outline.to_vec(), ink });
        }
    }

    /// Places next to the band: near its ends and its middle.
    fn boxes(&self, (wide, high): (f64, f64)) -> Vec<Box4> {
        let tall = self.out.1 == 0.0;
        let (along, deep) = if tall { (high, wide) } else { (wide, high) };
        let ends = [4.0, self.length() - along - 4.0, (self.length() - along) / 2.0];
        let boxes = ends.map(|start| {
            let [(x0, y0), (x1, y1)] = [self.at(start, EXIT + 1.0), self.at(start + along, EXIT + 1.0 + deep)];
            [x0.min(x1), y0.min(y1), x0.max(x1), y0.max(y1)]
        });
        boxes.to_vec()
    }
}

/// The bands of the edges by which sides leave; if two sides leave by the same edge, their bands are side by side.
fn exits(map: &Map, timeline: &Timeline) -> Vec<Exit> {
    let (width, height) = map.size();
    let (wide, high) = (|x: f64| x.clamp(0.0, width), |y: f64| y.clamp(0.0, height));
    let band = |(nth, exit): (usize, &ExitLook)| {
        let [[x0, y0], [x1, y1]] = exit.ends;
        let out = if y0 == y1 { (0.0, -f64::from(y0.signum())) } else { (f64::from(x0.signum()), 0.0) };
        let before = timeline.exits[..nth].iter().filter(|other| other.ends == exit.ends).count() as f64 * EXIT;
        let mut ends = [[x0, y0], [x1, y1]]
            .map(|[x, y]| map.at(Point { x, y }))
            .map(|(x, y)| (wide(x) - out.0 * before, high(y) - out.1 * before));
        ends.sort_by(|one, other| one.0.total_cmp(&other.0).then(one.1.total_cmp(&other.1)));
        Exit { ends, out }
    };
    timeline.exits.iter().enumerate().map(band).collect()
}

/// The radius of the ring around an objective, in points.
const OBJECTIVE: f64 = 4.5;

/// The look of terrain: its tone and its pattern. Packs name their terrain; most use these words.
fn earth(ground: &GroundLook) -> Earth {
    let name = format!("{} {}", ground.id, ground.title).to_lowercase();
    let any = |words: &[&str]| words.iter().any(|word| name.contains(word));
    match () {
        () if ground.road => Earth::Road,
        () if any(&["wood", "forest", "orchard", "jungle"]) => Earth::Woods,
        () if any(&["river", "stream", "ford", "water", "lake", "marsh", "sea"]) => Earth::Water,
        () if any(&["village", "town", "built", "house", "camp", "fort"]) => Earth::Town,
        () if any(&["hill", "slope", "ridge", "rise"]) => Earth::Hill,
        () if ground.linear => Earth::Wall,
        () if ground.blocks_sight => Earth::Woods,
        () => Earth::Rough,
    }
}

fn plane(sheet: &mut Sheet, map: &Map, timeline: &Timeline) {
    /// A foot.
    const FOOT: i32 = 1200;
    let (width, height) = map.size();
    let frame = [(0.0, 0.0), (width, height)];
    sheet.fill(frame[0], frame[1], Ink::of(Hue::Earth(Earth::Open)));
    let [left, bottom, right, top] = map.shown;
    let lines = |from: i32, to: i32| (from.div_euclid(FOOT) + 1..=(to - 1).div_euclid(FOOT)).map(|foot| foot * FOOT);
    for x in lines(left, right) {
        let (x, _) = map.at(Point { x, y: 0 });
        sheet.path(vec![(x, 0.0), (x, height)], 0.4, RULE, Dash::Dots);
    }
    for y in lines(bottom, top) {
        let (_, y) = map.at(Point { x: 0, y });
        sheet.path(vec![(0.0, y), (width, y)], 0.4, RULE, Dash::Dots);
    }
    for piece in &timeline.terrain {
        let ground = &timeline.grounds[usize::from(piece.ground)];
        let corners = piece.corners.map(|[x, y]| map.at(Point { x, y }));
        let outline = clipped(&corners, (width, height));
        if outline.len() < 3 {
            continue;
        }
        let earth = earth(ground);
        sheet.marks.push(Mark::Area { outline: outline.clone(), ink: Ink::of(Hue::Earth(earth)) });
        strewn(sheet, earth, &corners, (width, height));
        if !matches!(earth, Earth::Road) {
            let (through, dash) = (outline.iter().chain(outline.first()).copied().collect(), Dash::Solid);
            sheet.path(through, 0.5, SOFT, dash);
        }
    }
    let through = vec![(0.0, 0.0), (width, 0.0), (width, height), (0.0, height), (0.0, 0.0)];
    sheet.path(through, 0.6, SOFT, Dash::Solid);
}

fn hexes(sheet: &mut Sheet, map: &Map, timeline: &Timeline) {
    let TableLook::Hex { hexes } = &timeline.table else { return };
    for hex in hexes {
        let centre = hex_centre(hex.at);
        let mut outline: Vec<Place> = hex_corners(centre, HEX).iter().map(|&corner| map.at(corner)).collect();
        let ground = hex.ground.and_then(|ground| timeline.grounds.get(usize::from(ground)));
        let earth = ground.map_or(Earth::Open, earth);
        sheet.marks.push(Mark::Area { outline: outline.clone(), ink: Ink::of(Hue::Earth(earth)) });
        outline.extend(outline.first().copied());
        sheet.path(outline, 0.5, SOFT.tint(0.5), Dash::Solid);
    }
}

/// The pattern that identifies a kind of terrain without its colour: trees, waves, roofs, hachures.
fn strewn(sheet: &mut Sheet, earth: Earth, corners: &[Place; 4], size: (f64, f64)) {
    /// The distance between signs of the pattern, in points.
    const STEP: f64 = 15.0;
    let inside = |(x, y): Place| x > 3.0 && y > 3.0 && x < size.0 - 3.0 && y < size.1 - 3.0;
    let [a, b, _, d] = *corners;
    let length = |(x0, y0): Place, (x1, y1): Place| (x1 - x0).hypot(y1 - y0);
    let (wide, high) = (length(a, b), length(a, d));
    if wide.min(high) < 7.0 {
        return;
    }
    let (columns, rows) = ((wide / STEP).round().max(1.0) as usize, (high / STEP).round().max(1.0) as usize);
    for (row, column) in (0..rows).flat_map(|row| (0..columns).map(move |column| (row, column))) {
        let shift = if row % 2 == 0 { 0.3 } else { 0.7 };
        let (u, v) = ((column as f64 + shift) / columns as f64, (row as f64 + 0.5) / rows as f64);
        let at = (a.0 + u * (b.0 - a.0) + v * (d.0 - a.0), a.1 + u * (b.1 - a.1) + v * (d.1 - a.1));
        if inside(at) {
            sign(sheet, earth, at);
        }
    }
}

fn sign(sheet: &mut Sheet, earth: Earth, (x, y): Place) {
    let ink = SOFT.tint(0.6);
    let line = |through: Vec<Place>| Mark::Line { through, width: 0.6, ink, dash: Dash::Solid };
    match earth {
        Earth::Woods => {
            sheet.marks.push(line(vec![(x, y + 3.0), (x, y)]));
            sheet.marks.push(line(vec![(x - 2.2, y + 0.5), (x, y - 3.0), (x + 2.2, y + 0.5), (x - 2.2, y + 0.5)]));
        }
        Earth::Water => {
            let wave = [(-3.0, 0.0), (-1.5, -1.2), (0.0, 0.0), (1.5, -1.2), (3.0, 0.0)];
            sheet.marks.push(line(wave.map(|(dx, dy)| (x + dx, y + dy)).to_vec()));
        }
        Earth::Town => {
            let roof = [(-2.5, 2.5), (-2.5, -0.5), (0.0, -2.8), (2.5, -0.5), (2.5, 2.5), (-2.5, 2.5)];
            sheet.marks.push(line(roof.map(|(dx, dy)| (x + dx, y + dy)).to_vec()));
        }
        Earth::Hill => sheet.marks.push(line(vec![(x - 1.6, y + 2.0), (x, y - 2.0), (x + 1.6, y + 2.0)])),
        Earth::Rough => sheet.marks.push(Mark::Dot { at: (x, y), radius: 0.9, form: Form::Disc, ink, filled: true }),
        Earth::Open | Earth::Road | Earth::Wall => {}
    }
}

/// The titles of objectives, of edges by which sides leave, and of terrain: each with its possible boxes, the best
/// first.
pub(super) fn titles(map: &Map, timeline: &Timeline) -> Vec<(String, Vec<Box4>)> {
    let terrain = match map.kind {
        Kind::Plane => timeline.terrain.iter().map(|piece| piece_title(map, timeline, piece)).collect(),
        Kind::Hex => hex_titles(map, timeline),
        Kind::List => return Vec::new(),
    };
    let exits = timeline.exits.iter().zip(exits(map, timeline)).map(|(exit, band)| {
        let title = format!("{} leaves here", timeline.sides[usize::from(exit.side)]);
        let room = (font::width(&title, TITLE, Weight::Regular) + 2.0, 1.15 * TITLE);
        (title, band.boxes(room))
    });
    let objectives = timeline.objectives.iter().map(|objective| objective_title(map, objective));
    objectives.chain(exits).chain(terrain).collect()
}

/// The title below the ring, above it or next to it.
fn objective_title(map: &Map, objective: &ObjectiveLook) -> (String, Vec<Box4>) {
    let (x, y) = map.at(objective_at(map.kind, objective));
    let (wide, high) = (font::width(&objective.name, TITLE, Weight::Regular) + 2.0, 1.15 * TITLE);
    let (left, away) = (x - wide / 2.0, OBJECTIVE + 1.0);
    let places =
        [(left, y + away), (left, y - away - high), (x + away, y - high / 2.0), (x - away - wide, y - high / 2.0)];
    let size = map.size();
    let fits = |&[left, top, right, bottom]: &Box4| left > 0.0 && top > 0.0 && right < size.0 && bottom < size.1;
    let boxes = places.into_iter().map(|(x, y)| [x, y, x + wide, y + high]).filter(fits).collect();
    (objective.name.clone(), boxes)
}

/// Size of type of the titles of terrain.
pub(super) const TITLE: f64 = 9.0;

/// The title in a corner of the piece or in its middle if it fits there, otherwise next to it.
fn piece_title(map: &Map, timeline: &Timeline, piece: &PieceLook) -> (String, Vec<Box4>) {
    let title = timeline.grounds[usize::from(piece.ground)].title.clone();
    let size = map.size();
    let outline = clipped(&piece.corners.map(|[x, y]| map.at(Point { x, y })), size);
    if outline.len() < 3 {
        return (title, Vec::new());
    }
    let [left, top, right, bottom] = around(&outline);
    let (wide, high) = (font::width(&title, TITLE, Weight::Regular) + 2.0, 1.15 * TITLE);
    let (x, y) = (f64::midpoint(left, right) - wide / 2.0, f64::midpoint(top, bottom) - high / 2.0);
    let places = if right - left > wide + 4.0 && bottom - top > high + 2.0 {
        let (near, far) = ((left + 2.0, top + 1.0), (right - wide - 2.0, bottom - high - 1.0));
        vec![(near.0, near.1), (far.0, near.1), (near.0, far.1), (far.0, far.1), (x, y)]
    } else {
        vec![(x, bottom + 1.0), (x, top - high - 1.0), (right + 2.0, y), (left - wide - 2.0, y)]
    };
    let fits = |&[left, top, right, bottom]: &Box4| left > 0.0 && top > 0.0 && right < size.0 && bottom < size.1;
    (title, places.into_iter().map(|(x, y)| [x, y, x + wide, y + high]).filter(fits).collect())
}

/// Titles at the top of their hexes.
fn hex_titles(map: &Map, timeline: &Timeline) -> Vec<(String, Vec<Box4>)> {
    let TableLook::Hex { hexes } = &timeline.table else { return Vec::new() };
    let title = |hex: &HexLook| {
        let ground = timeline.grounds.get(usize::from(hex.ground?))?;
        let room = 1.6 * f64::from(HEX) * map.scale;
        let line = font::wrap(&ground.title, TITLE, Weight::Regular, room, 1).into_iter().next()?;
        let (x, y) = map.at(hex_centre(hex.at));
        let (wide, high) = (font::width(&line, TITLE, Weight::Regular) + 1.0, 1.1 * TITLE);
        let top = y - 0.4 * f64::from(HEX) * map.scale - high / 2.0;
        Some((line, vec![[x - wide / 2.0, top, x + wide / 2.0, top + high]]))
    };
    hexes.iter().filter_map(title).collect()
}

/// A polygon cut along the edges of the map.
pub(super) fn clipped(corners: &[Place], (width, height): (f64, f64)) -> Vec<Place> {
    let sides: [fn(Place, f64, f64) -> f64; 4] =
        [|(x, _), _, _| x, |(x, _), width, _| width - x, |(_, y), _, _| y, |(_, y), _, height| height - y];
    let mut polygon = corners.to_vec();
    for inside in sides {
        let mut kept = Vec::new();
        for (nth, &to) in polygon.iter().enumerate() {
            let from = polygon[(nth + polygon.len() - 1) % polygon.len()];
            let (before, after) = (inside(from, width, height), inside(to, width, height));
            if (before < 0.0) != (after < 0.0) {
                let part = before / (before - after);
                kept.push((from.0 + part * (to.0 - from.0), from.1 + part * (to.1 - from.1)));
            }
            if after >= 0.0 {
                kept.push(to);
            }
        }
        polygon = kept;
    }
    polygon
}
