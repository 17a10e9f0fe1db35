//! A map with its units, in layers that a page can change separately.

use grognard_lab::replay::timeline::{Standing, Timeline};

use super::ground::{self, TITLE};
use super::labels::{self, Box4, Label, Placed, around, covers, overlap};
use super::map::{HEX, Kind, Map, ROW, hex_centre};
use super::overlay;
use super::scene::Passage;
use super::symbols;
use crate::font::{self, Weight};
use crate::look::{Dash, Form, PAPER, RULE, SOFT, TEXT, size};
use crate::sheet::{Anchor, Mark, Place, Sheet, Text};

/// How much a label contains.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Wording {
    /// Type, strength and state, if there is room.
    Full,
    /// At most the number and the strength.
    Short,
}

/// The layers on the ground at one point in the battle, from bottom to top.
pub(super) struct Layers {
    /// Ghosts, paths and arcs.
    pub(super) under: Sheet,
    /// The units on the table, each with its symbol.
    pub(super) units: Vec<(usize, Vec<Mark>)>,
    /// Generals' stars, arrows, lines of fire and blows.
    pub(super) over: Sheet,
    /// Labels, each with its unit; titles of terrain have no unit.
    pub(super) labels: Vec<(Option<usize>, Sheet)>,
}

/// The ground alone.
pub(super) fn base(map: &Map, timeline: &Timeline) -> Sheet {
    let mut sheet = blank(map);
    ground::draw(&mut sheet, map, timeline);
    sheet
}

fn blank(map: &Map) -> Sheet {
    let (width, height) = map.size();
    Sheet { height, ..Sheet::new(width) }
}

/// The layers of a passage.
pub(super) fn layers(map: &Map, passage: &Passage<'_>, wording: Wording) -> Layers {
    let timeline = passage.timeline;
    let (mut under, mut over) = (blank(map), blank(map));
    overlay::under(&mut under, map, passage);
    let units = on_the_map(map, passage);
    overlay::over(&mut over, map, passage);
    stars(&mut over, map, passage);
    let labels = match map.kind {
        Kind::Plane => on_plane(map, passage, &units, wording),
        Kind::Hex => units.iter().map(|&(unit, standing)| in_hex(map, passage, unit, standing, wording)).collect(),
        Kind::List => units.iter().map(|&(unit, standing)| in_row(map, passage, unit, standing)).collect(),
    };
    let occupied: Vec<[Place; 4]> =
        units.iter().map(|&(unit, standing)| symbol(map, timeline, unit, standing)).collect();
    let labels = with_titles(map, timeline, labels, &occupied, wording);
    let units = units.iter().map(|&(unit, standing)| (unit, symbols::unit(map, timeline, unit, standing))).collect();
    Layers { under, units, over, labels }
}

/// The units that have a separate symbol.
fn on_the_map<'p>(map: &Map, passage: &'p Passage<'_>) -> Vec<(usize, &'p Standing)> {
    (0..passage.after.units.len())
        .filter_map(|unit| passage.after.here(unit).map(|standing| (unit, standing)))
        .filter(|(_, standing)| !rides_along(passage.timeline, map, standing))
        .collect()
}

/// The whole picture.
pub(super) fn whole(map: &Map, passage: &Passage<'_>, wording: Wording) -> Sheet {
    let mut sheet = base(map, passage.timeline);
    let layers = layers(map, passage, wording);
    sheet.marks.extend(layers.under.marks);
    sheet.marks.extend(layers.units.into_iter().flat_map(|(_, marks)| marks));
    sheet.marks.extend(layers.over.marks);
    sheet.marks.extend(layers.labels.into_iter().flat_map(|(_, label)| label.marks));
    sheet
}

/// Whether a unit is a leader who is with another unit; a star shows such a leader.
fn rides_along(timeline: &Timeline, map: &Map, standing: &Standing) -> bool {
    use grognard_lab::replay::timeline::ArmLook;
    map.kind == Kind::Hex
        && standing.mate.is_some()
        && timeline.kinds[usize::from(standing.kind)].look == ArmLook::Leader
}

fn symbol(map: &Map, timeline: &Timeline, unit: usize, standing: &Standing) -> [Place; 4] {
    map.ground(timeline, unit, standing).corners().map(|corner| map.at(corner))
}

/// Draws the stars of generals, and of leaders who are with a unit.
fn stars(sheet: &mut Sheet, map: &Map, passage: &Passage<'_>) {
    let timeline = passage.timeline;
    let ground = |unit: usize| passage.after.here(unit).map(|standing| map.ground(timeline, unit, standing));
    for (index, general) in passage.after.generals.iter().enumerate().filter(|(_, general)| general.here) {
        let rect = general.with.and_then(|unit| ground(usize::from(unit)));
        let at = overlay::star(map, rect.as_ref(), general.at);
        sheet.marks.extend(symbols::general(map, at, symbols::tone(timeline, timeline.generals[index].side)));
    }
    for (unit, standing) in passage.after.units.iter().enumerate() {
        if passage.after.here(unit).is_some() && rides_along(timeline, map, standing) {
            let rect = standing.mate.and_then(|mate| ground(usize::from(mate)));
            let at = overlay::star(map, rect.as_ref(), standing.at);
            sheet.marks.extend(symbols::general(map, at, symbols::tone(timeline, timeline.units[unit].side)));
        }
    }
}

/// The label of a unit on the map: its number, empty if it is its side's only unit.
pub(super) fn number(timeline: &Timeline, unit: usize) -> String {
    let look = &timeline.units[unit];
    let mark = if look.of.is_some() { "s" } else { "" };
    if look.alone && look.of.is_none() { String::new() } else { format!("{}{mark}", look.number) }
}

/// A unit's type, or, for skirmishers, the unit they belong to.
pub(super) fn title(timeline: &Timeline, unit: usize, standing: &Standing) -> String {
    let look = &timeline.units[unit];
    match look.of {
        // `Skirmish screen of Line battalion (attacker 1)`: the symbol already shows the side.
        Some(_) => look.name.rsplit_once(" (").map_or(look.name.as_str(), |(title, _)| title).to_owned(),
        None => timeline.kinds[usize::from(standing.kind)].title.clone(),
    }
}

/// A unit's strength and its latest loss: `9/12 −3`.
pub(super) fn strength(passage: &Passage<'_>, unit: usize, standing: &Standing) -> String {
    let look = &passage.timeline.units[unit];
    let figures = match look.start {
        start if start > 1 => format!("{}/{start}", standing.figures),
        // Losses mean little for skirmishers, whose number changes all the time.
        _ if look.of.is_some() => standing.figures.to_string(),
        _ => String::new(),
    };
    let lost = match passage.lost(unit) {
        0 => String::new(),
        lost => format!("−{lost}"),
    };
    let guns = match standing.cannon {
        0 => String::new(),
        1 => "1 gun".to_owned(),
        cannon => format!("{cannon} guns"),
    };
    joined(&[&joined(&[&figures, &lost], " "), &guns], ", ")
}

/// A unit's morale, unless it is the state in which all units begin.
pub(super) fn morale(passage: &Passage<'_>, standing: &Standing) -> String {
    let states = &passage.timeline.morale;
    let state = &states[usize::from(standing.morale)];
    let plain = !state.shaken && !state.broken;
    if states.len() < 2 || (plain && standing.morale <= 1) { String::new() } else { state.title.clone() }
}

/// A unit's formation, if the pack has several.
pub(super) fn formation(timeline: &Timeline, standing: &Standing) -> String {
    let formations = &timeline.formations;
    if formations.len() < 2 { String::new() } else { formations[usize::from(standing.formation)].title.clone() }
}

/// The words that are not empty, joined by `between`.
pub(super) fn joined(words: &[&str], between: &str) -> String {
    words.iter().filter(|word| !word.is_empty()).copied().collect::<Vec<_>>().join(between)
}

/// Type sizes of labels. The smaller ones are for long labels on a large map that would otherwise cover each other or a
/// unit.
pub(super) const LABELS: [f64; 3] = [size::SMALL, 8.0, 7.5];

/// The minimum radius of a hex that holds a unit's symbol and, below it, its number in the largest type.
const ROOMY: f64 = 10.0;

/// The minimum distance between the rows of a list, each of which has two lines and a bar.
const LINES: f64 = 27.0;

/// Whether the labels of a small map fit without covering each other.
pub(super) fn has_room(map: &Map, passage: &Passage<'_>) -> bool {
    match map.kind {
        Kind::Plane => {
            let (wanted, occupied) = wanted(map, passage, &on_the_map(map, passage), Wording::Short);
            let (_, placed) = labels::place_largest(map, &wanted, &occupied, &LABELS[..1]);
            placed.len() == wanted.len() && labels::covered(&placed, &occupied).0 == 0
        }
        Kind::Hex => f64::from(HEX) * map.scale >= ROOMY,
        Kind::List => f64::from(ROW) * map.scale >= LINES,
    }
}

/// The labels that units want, and the ground that no label should cover.
fn wanted(
    map: &Map,
    passage: &Passage<'_>,
    units: &[(usize, &Standing)],
    wording: Wording,
) -> (Vec<Label>, Vec<[Place; 4]>) {
    let timeline = passage.timeline;
    let label = |&(unit, standing): &(usize, &Standing)| {
        let (number, title) = (number(timeline, unit), title(timeline, unit, standing));
        let (strength, morale) = (strength(passage, unit, standing), morale(passage, standing));
        let state = joined(&[&strength, &morale], " ");
        let wordings = match wording {
            Wording::Full => vec![[title, state.clone()], [String::new(), state], Default::default()],
            // Two units need no numbers, so there is room for their strength.
            Wording::Short if number.is_empty() => vec![[strength, morale]],
            Wording::Short => vec![Default::default()],
        };
        let wordings: Vec<[String; 2]> = wordings
            .into_iter()
            .filter(|[first, second]| !number.is_empty() || !first.is_empty() || !second.is_empty())
            .collect();
        let rect = map.ground(timeline, unit, standing);
        let (front, middle) = (map.at(rect.front), map.at(rect.centre()));
        let rear = (middle.0 - front.0, middle.1 - front.1);
        let side = symbols::tone(timeline, timeline.units[unit].side);
        Label { unit, symbol: symbol(map, timeline, unit, standing), rear, side, number, wordings }
    };
    let wanted: Vec<Label> = units.iter().map(label).filter(|label| !label.wordings.is_empty()).collect();
    let mut occupied: Vec<[Place; 4]> = wanted.iter().map(|label| label.symbol).collect();
    let ways = passage.links.iter().map(|link| {
        let rect = |unit: usize, standing: &Standing| map.at(map.ground(timeline, unit, standing).centre());
        let (from, to) = (rect(link.unit, &link.from), rect(link.target, &link.to));
        strip(from, to)
    });
    occupied.extend(ways);
    occupied.extend(passage.after.generals.iter().filter(|general| general.here).map(|general| {
        let ground = |unit: usize| passage.after.here(unit).map(|standing| map.ground(timeline, unit, standing));
        let rect = general.with.and_then(|unit| ground(usize::from(unit)));
        let (x, y) = overlay::star(map, rect.as_ref(), general.at);
        [(x - 5.0, y - 5.0), (x + 5.0, y - 5.0), (x + 5.0, y + 5.0), (x - 5.0, y + 5.0)]
    }));
    (wanted, occupied)
}

/// The labels that fit.
fn on_plane(
    map: &Map,
    passage: &Passage<'_>,
    units: &[(usize, &Standing)],
    wording: Wording,
) -> Vec<(Option<usize>, Sheet)> {
    let (wanted, occupied) = wanted(map, passage, units, wording);
    let sizes = if wording == Wording::Full { &LABELS[..] } else { &LABELS[..1] };
    let (size, placed) = labels::place_largest(map, &wanted, &occupied, sizes);
    let drawn = |placed: &Placed| {
        let mut sheet = blank(map);
        labels::draw(&mut sheet, placed, size);
        (Some(placed.unit), sheet)
    };
    placed.iter().map(drawn).collect()
}

/// A narrow strip along a line.
fn strip(from: Place, to: Place) -> [Place; 4] {
    let (dx, dy) = (to.0 - from.0, to.1 - from.1);
    let length = dx.hypot(dy).max(1e-6);
    let (ax, ay) = (-dy / length * 1.5, dx / length * 1.5);
    [(from.0 + ax, from.1 + ay), (to.0 + ax, to.1 + ay), (to.0 - ax, to.1 - ay), (from.0 - ax, from.1 - ay)]
}

/// The number and the strength in the lower part of a unit's hex. Strength is shown as a square for each block, hollow
/// if the block is lost.
fn in_hex(
    map: &Map,
    passage: &Passage<'_>,
    unit: usize,
    standing: &Standing,
    wording: Wording,
) -> (Option<usize>, Sheet) {
    /// The most blocks that are drawn individually.
    const BLOCKS: u16 = 6;
    /// How wide a hex is, in radii.
    const ACROSS: f64 = 1.73;
    let timeline = passage.timeline;
    let mut sheet = blank(map);
    let radius = f64::from(HEX) * map.scale;
    let (x, y) = map.at(hex_centre(standing.at));
    let base = y + 0.6 * radius;
    let size = if wording == Wording::Short { LABELS[0] } else { (0.36 * radius).clamp(5.0, LABELS[0]) };
    let number = number(timeline, unit);
    let counted = format!("{}/{}", standing.figures, timeline.units[unit].start);
    let room = labels::tag_width(&number, size);
    let block = 0.55 * size;
    let step = block + 1.0;
    let needed = |start: u16| match start {
        0 | 1 => 0.0,
        2..=BLOCKS => f64::from(start) * step - 1.0,
        _ => font::width(&counted, size, Weight::Regular),
    };
    // Small hexes have room for the number only.
    let start = timeline.units[unit].start;
    let start = if wording == Wording::Short && room + needed(start) > ACROSS * radius { 0 } else { start };
    let (one_by_one, wide) = ((2..=BLOCKS).contains(&start), needed(start));
    let left = x - (room + wide) / 2.0;
    labels::number(&mut sheet, &number, (left, base), symbols::tone(timeline, timeline.units[unit].side), size);
    let from = left + room;
    if one_by_one {
        for nth in 0..start {
            let at = (from + f64::from(nth) * step + block / 2.0, base - 0.31 * size);
            let ink = if nth < standing.figures { TEXT } else { SOFT };
            sheet.marks.push(Mark::Dot { at, radius: block / 1.8, form: Form::Square, ink, filled: true });
            if nth >= standing.figures {
                sheet.marks.push(Mark::Dot {
                    at,
                    radius: block / 1.8 - 0.5,
                    form: Form::Square,
                    ink: PAPER,
                    filled: true,
                });
            }
        }
    } else if start > 1 {
        sheet.write(Text::new(counted, (from, base), size, TEXT));
    }
    (Some(unit), sheet)
}

/// Name, strength and a bar next to a unit's symbol in a list.
fn in_row(map: &Map, passage: &Passage<'_>, unit: usize, standing: &Standing) -> (Option<usize>, Sheet) {
    let timeline = passage.timeline;
    let mut sheet = blank(map);
    let corners = symbol(map, timeline, unit, standing);
    let [left, top, right, bottom] = around(&corners);
    let side = timeline.units[unit].side;
    let middle = f64::midpoint(top, bottom);
    let outward = |from: f64, by: f64| if side == 0 { from - by } else { from + by };
    let edge = if side == 0 { left } else { right };
    let anchor = if side == 0 { Anchor::End } else { Anchor::Start };
    let name = joined(&[&number(timeline, unit), &title(timeline, unit, standing)], " ");
    let state =
        joined(&[&strength(passage, unit, standing), &formation(timeline, standing), &morale(passage, standing)], ", ");
    let size = 9.0;
    let at = (outward(edge, 8.0), middle - 0.5);
    let room = if side == 0 { at.0 - 2.0 } else { map.size().0 - at.0 - 2.0 };
    let line =
        |text: &str, weight: Weight| font::wrap(text, size, weight, room, 1).into_iter().next().unwrap_or_default();
    sheet.write(Text::new(line(&name, Weight::Bold), at, size, TEXT).anchored(anchor).bold());
    sheet.write(Text::new(line(&state, Weight::Regular), (at.0, at.1 + 1.2 * size), size, TEXT).anchored(anchor));
    let start = f64::from(timeline.units[unit].start.max(1));
    if start > 1.0 {
        // The bar shows how much of the unit's starting strength is left.
        let (whole, now) = (room.min(120.0), f64::from(standing.figures) / start);
        let (high, y) = (3.0, at.1 + 1.2 * size + 4.0);
        sheet.fill((at.0, y), (outward(at.0, whole), y + high), RULE);
        sheet.fill((at.0, y), (outward(at.0, whole * now), y + high), symbols::inks(symbols::tone(timeline, side)).0);
        let (from, to) = (at.0, outward(at.0, whole));
        sheet.path(vec![(from, y), (to, y), (to, y + high), (from, y + high), (from, y)], 0.5, TEXT, Dash::Solid);
    }
    (Some(unit), sheet)
}

/// Adds the titles of terrain that hide neither a unit nor a label.
fn with_titles(
    map: &Map,
    timeline: &Timeline,
    mut labels: Vec<(Option<usize>, Sheet)>,
    occupied: &[[Place; 4]],
    wording: Wording,
) -> Vec<(Option<usize>, Sheet)> {
    if wording == Wording::Short && map.kind == Kind::Plane {
        return labels;
    }
    let mut taken: Vec<Box4> = labels.iter().filter_map(|(_, sheet)| written(sheet)).collect();
    for (title, places) in ground::titles(map, timeline) {
        let free = |ground: &&Box4| {
            !taken.iter().any(|other| overlap(ground, other)) && !occupied.iter().any(|symbol| covers(ground, symbol))
        };
        let Some(&ground) = places.iter().find(free) else { continue };
        taken.push(ground);
        let mut sheet = blank(map);
        let at = (f64::midpoint(ground[0], ground[2]), ground[1] + 0.82 * TITLE);
        sheet.write(Text::new(title, at, TITLE, SOFT).anchored(Anchor::Middle));
        labels.push((None, sheet));
    }
    labels
}

/// The box around the text of a label.
pub(super) fn written(sheet: &Sheet) -> Option<Box4> {
    let texts = sheet.marks.iter().filter_map(|mark| if let Mark::Text(text) = mark { Some(text) } else { None });
    let corners: Vec<Place> = texts
        .flat_map(|text| {
            let wide = font::width(&text.words, text.size, text.weight);
            let left = match text.anchor {
                Anchor::Start => text.at.0,
                Anchor::Middle => text.at.0 - wide / 2.0,
                Anchor::End => text.at.0 - wide,
            };
            [(left, text.at.1 - 0.8 * text.size), (left + wide, text.at.1 + 0.25 * text.size)]
        })
        .collect();
    (!corners.is_empty()).then(|| around(&corners))
}
