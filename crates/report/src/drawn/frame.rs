//! A frame: the map after a half-turn, with the state of the units and the events.

use grognard_lab::replay::timeline::{Presence, Standing};

use super::Caption;
use super::map::Map;
use super::picture::{self, Wording, formation, joined, morale, number, strength, title};
use super::scene::{Deed, Half, Passage};
use super::symbols::{inks, tone};
use crate::font::{self, Weight};
use crate::look::{Dash, MARGIN, SOFT, Size, TEXT, size};
use crate::sheet::{Anchor, Sheet, Text, leading};

/// The largest map of a frame, in points.
pub(super) const MAP: (f64, f64) = (472.0, 380.0);

/// Type size of the events and of the list of units.
const FINE: f64 = 9.0;

/// The frame of a part of a battle.
pub(super) fn frame(passage: &Passage<'_>, half: &Half, caption: &Caption) -> Sheet {
    let room = Size::Page.body();
    let mut body = Sheet::new(room);
    let top = 0.85 * size::FINDING;
    body.write(Text::new(half.title.as_str(), (0.0, top), size::FINDING, TEXT).bold());
    body.write(Text::new(sums(passage), (room, top), size::ABOUT, TEXT).anchored(Anchor::End));
    body.height = 1.5 * size::FINDING;
    let stood: Vec<Standing> = passage.ways.iter().flatten().cloned().collect();
    let map = Map::near(passage.timeline, &stood, MAP);
    let picture = picture::whole(&map, passage, Wording::Full);
    let (left, height) = ((room - picture.width) / 2.0, picture.height);
    body.place(picture, (left, body.height));
    body.height += height + 6.0;
    signs(&mut body, passage);
    roll_of_units(&mut body, passage);
    happened(&mut body, passage);
    paragraph(&mut body, &caption.text(), SOFT, 3);

    let mut sheet = Sheet::new(room + 2.0 * MARGIN);
    sheet.height = body.height + 2.0 * MARGIN;
    sheet.place(body, (MARGIN, MARGIN));
    sheet
}

/// The strength of both sides: `Figures: attacker 12/12, defender 9/12`; if each unit is one figure, the number of
/// units that are not broken.
pub(super) fn sums(passage: &Passage<'_>) -> String {
    let timeline = passage.timeline;
    let single = timeline.units.iter().all(|unit| unit.start <= 1);
    let of_side = |side: usize| {
        let units = || timeline.units.iter().enumerate().filter(move |(_, unit)| usize::from(unit.side) == side);
        let start: u32 = units().map(|(_, unit)| u32::from(unit.start)).sum();
        let now = units().filter_map(|(unit, _)| passage.after.units.get(unit)).map(|standing| {
            let lost = standing.presence == Presence::Gone || timeline.morale[usize::from(standing.morale)].broken;
            if single && lost { 0 } else { u32::from(standing.figures) }
        });
        format!("{} {}/{start}", timeline.sides[side], now.sum::<u32>())
    };
    let what = if single { "Unbroken units" } else { "Figures" };
    format!("{what}: {}, {}", of_side(0), of_side(1))
}

fn paragraph(sheet: &mut Sheet, text: &str, ink: crate::look::Ink, most: usize) {
    if text.is_empty() {
        return;
    }
    let lines = font::wrap(text, FINE, Weight::Regular, sheet.width, most);
    sheet.write_lines(&lines, &Text::new("", (0.0, sheet.height + 0.85 * FINE), FINE, ink));
    sheet.height += lines.len() as f64 * leading(FINE) + 4.0;
}

/// The legend of this map.
fn signs(sheet: &mut Sheet, passage: &Passage<'_>) {
    let any = |deed: Deed| passage.links.iter().any(|link| link.deed == deed);
    let units = || (0..passage.after.units.len()).filter_map(|unit| passage.after.here(unit));
    let morale = |standing: &Standing| &passage.timeline.morale[usize::from(standing.morale)];
    let moved = passage.ways.iter().any(|way| {
        way.first().zip(way.last()).is_some_and(|(first, last)| {
            (first.at, first.heading) != (last.at, last.heading) && first.presence == Presence::Here
        })
    });
    let board = !matches!(passage.timeline.table, grognard_lab::replay::timeline::TableLook::None);
    let all = [
        (moved && board, "dotted outline and dashes: where a unit came from"),
        (any(Deed::Charge), "arrow: charge"),
        (any(Deed::Fire), "dotted line: fire"),
        (any(Deed::Fight), "crossed swords: close combat"),
        (units().any(|standing| morale(standing).shaken && !morale(standing).broken), "zigzag: shaken"),
        (units().any(|standing| morale(standing).broken), "cross: broken"),
        ((0..passage.after.units.len()).any(|unit| passage.fell(unit)), "crossed outline: lost"),
    ];
    let known: Vec<&str> = all.iter().filter(|(shown, _)| *shown).map(|&(_, sign)| sign).collect();
    let text = known.join("; ");
    paragraph(sheet, &crate::text::capitalised(&text), SOFT, 2);
}

/// The list of units with their states: a column for each side.
pub(super) fn roll_of_units(sheet: &mut Sheet, passage: &Passage<'_>) {
    /// Maximum number of units listed for a side.
    const MOST: usize = 24;
    let timeline = passage.timeline;
    let (width, top) = (sheet.width / 2.0 - 8.0, sheet.height);
    let mut deepest = top;
    for side in 0..2_usize {
        let left = side as f64 * (sheet.width / 2.0 + 4.0);
        let mut y = top + 0.9 * FINE;
        swatch(sheet, (left, y), tone(timeline, side as u8));
        sheet.write(Text::new(timeline.sides[side].as_str(), (left + 14.0, y), FINE, TEXT).bold());
        y += leading(FINE);
        let listed = passage.after.units.iter().enumerate().filter(|(unit, standing)| {
            usize::from(timeline.units[*unit].side) == side && standing.presence != Presence::WithItsUnit
        });
        let listed: Vec<(usize, &Standing)> = listed.collect();
        for &(unit, standing) in listed.iter().take(MOST) {
            let state = state(passage, unit, standing);
            let beside = font::width(&state, FINE, Weight::Regular);
            let name = joined(&[&number(timeline, unit), &title(timeline, unit, standing)], " ");
            let ink = if standing.presence == Presence::Gone { SOFT } else { TEXT };
            if let [line] = &font::wrap(&name, FINE, Weight::Regular, width - beside - 8.0, 1)[..] {
                sheet.write(Text::new(line.as_str(), (left, y), FINE, ink));
            }
            sheet.write(Text::new(state, (left + width, y), FINE, ink).anchored(Anchor::End));
            y += leading(FINE);
        }
        if listed.len() > MOST {
            sheet.write(Text::new(format!("and {} more", listed.len() - MOST), (left, y), FINE, SOFT));
            y += leading(FINE);
        }
        deepest = deepest.max(y);
    }
    sheet.height = deepest - 0.3 * FINE + 3.0;
}

/// A unit's strength, formation and morale, or its whereabouts.
pub(super) fn state(passage: &Passage<'_>, unit: usize, standing: &Standing) -> String {
    match standing.presence {
        Presence::Gone if standing.figures == 0 => "destroyed".to_owned(),
        Presence::Gone => "off the table".to_owned(),
        Presence::Late => "not yet arrived".to_owned(),
        Presence::InSquare => "in a square".to_owned(),
        Presence::Here | Presence::WithItsUnit => joined(
            &[
                &strength(passage, unit, standing),
                &formation(passage.timeline, standing),
                &morale(passage, standing),
                &standing
                    .mate
                    .map_or_else(String::new, |mate| format!("with {}", number(passage.timeline, mate.into()))),
            ],
            ", ",
        ),
    }
}

/// A small block in a side's colour.
pub(super) fn swatch(sheet: &mut Sheet, (left, base): (f64, f64), side: u8) {
    let (top, right, bottom) = (base - 0.62 * FINE, left + 10.0, base);
    sheet.fill((left, top), (right, bottom), inks(side).0);
    let outline = vec![(left, top), (right, top), (right, bottom), (left, bottom), (left, top)];
    sheet.path(outline, 0.7, TEXT, Dash::Solid);
}

/// The events, as in the narration, without the details of rolls.
fn happened(sheet: &mut Sheet, passage: &Passage<'_>) {
    /// Maximum number of lines of text.
    const MOST: usize = 16;
    let told = passage.moments.iter().flat_map(|moment| {
        // A roll is shortened to its heading and its result.
        let rolled = !moment.dice.is_empty() && moment.text.len() > 2;
        let last = moment.text.len().saturating_sub(1);
        let headings = moment.text.iter().take_while(|line| !line.starts_with("    ")).count();
        let kept = move |nth: usize| !rolled || nth <= headings || nth == last;
        moment.text.iter().enumerate().filter(move |(nth, _)| kept(*nth)).map(|(_, line)| line)
    });
    let told = told.filter_map(|line| {
        let text = line.trim_start();
        // Headings of half-turns and phases are indented less, and the parts of a roll more.
        let depth = (line.len() - text.len()) / 2;
        (depth == 2 || depth == 3 || line.contains(" wins ")).then_some((depth, text))
    });
    let mut lines: Vec<(f64, String)> = Vec::new();
    for (depth, text) in told {
        let indent = if depth == 3 { 10.0 } else { 0.0 };
        let wrapped = font::wrap(text, FINE, Weight::Regular, sheet.width - indent, 3);
        lines.extend(wrapped.into_iter().map(|line| (indent, line)));
    }
    let more = lines.len().saturating_sub(MOST);
    lines.truncate(MOST);
    if more > 0 {
        let lines_more = crate::text::plural(more, "more line");
        lines.push((0.0, format!("… and {lines_more}")));
    }
    let mut y = sheet.height + 0.85 * FINE;
    for (indent, line) in &lines {
        sheet.write(Text::new(line.as_str(), (*indent, y), FINE, TEXT));
        y += leading(FINE);
    }
    sheet.height += lines.len() as f64 * leading(FINE) + 5.0;
}
