//! A storyboard: a battle on one page, a small map for each half-turn.

use grognard_lab::replay::timeline::Timeline;

use super::Caption;
use super::frame::{roll_of_units, sums};
use super::map::{Kind, Map};
use super::picture::{self, Wording};
use super::scene::{Deed, Half, Passage, goes_by_unit};
use crate::font::{self, Weight};
use crate::frame::Framed;
use crate::look::{Size, TEXT};
use crate::sheet::{Sheet, Text, leading};

/// Maximum numbers of panels, of the larger panels with lists of units, and of wide panels in a row.
const MOST: usize = 12;
const LISTS: usize = 6;
const COLUMNS: usize = 3;

/// The limit on the height of maps: with the maximum number of columns, and with fewer.
const LOW: f64 = 150.0;
const TALL: f64 = 230.0;

/// White space between panels.
const GUTTER: f64 = 10.0;

/// Type sizes of a panel's heading and of its events.
const HEADING: f64 = 9.0;
const FINE: f64 = 9.0;

/// The storyboard of a battle.
pub(super) fn storyboard(timeline: &Timeline, passages: &[(Half, Passage<'_>)], caption: &Caption) -> Framed {
    let mut body = Sheet::new(Size::Page.body());
    let is_list = Map::new(timeline, (1.0, 1.0)).kind == Kind::List;
    let chosen = chosen(passages, if is_list { LISTS } else { MOST });
    let (columns, map) = layout(timeline, passages, &chosen);
    let width = column_width(columns);
    for row in chosen.chunks(columns) {
        body.may_cut(None);
        let mut deepest = 0.0_f64;
        for (nth, &index) in row.iter().enumerate() {
            let panel = panel(&map, &passages[index], width);
            deepest = deepest.max(panel.height);
            body.place(panel, (nth as f64 * (width + GUTTER), body.height));
        }
        body.height += deepest + GUTTER;
    }
    if let Some((_, last)) = passages.last() {
        body.may_cut(None);
        roll_of_units(&mut body, last);
    }
    body.may_cut(None);
    let left_out = passages.len() - chosen.len();
    let part = if goes_by_unit(timeline) { "activation" } else { "half-turn" };
    let quiet = match left_out {
        0 => String::new(),
        1 => format!("One quiet {part} is omitted. "),
        count => format!("{count} quiet {part}s are omitted. "),
    };
    let source = format!("{quiet}{}", crate::text::capitalised(&caption.source));
    Framed { finding: caption.title.clone(), about: String::new(), caption: source, body }
}

/// The number of panels side by side, and their map: as many as leave room for full-size labels.
fn layout(timeline: &Timeline, passages: &[(Half, Passage<'_>)], chosen: &[usize]) -> (usize, Map) {
    // A row has three wide maps, or four others.
    let (wide, high) = Map::new(timeline, (1.0, 1.0)).size();
    let most = chosen.len().clamp(1, if wide > 1.3 * high { COLUMNS } else { COLUMNS + 1 });
    let of = |columns: usize| {
        let width = column_width(columns);
        let tall = width.min(if columns < most { TALL } else { LOW });
        let map = Map::new(timeline, (width, 1.15 * tall));
        // A list may be as tall as it needs.
        (columns, if map.kind == Kind::List { Map::new(timeline, (width, f64::INFINITY)) } else { map })
    };
    let roomy = |(_, map): &(usize, Map)| chosen.iter().all(|&index| picture::has_room(map, &passages[index].1));
    (1..=most).rev().map(of).find(roomy).unwrap_or_else(|| of(1))
}

fn column_width(columns: usize) -> f64 {
    (Size::Page.body() - GUTTER * (columns - 1) as f64) / columns as f64
}

/// The parts that are shown: the deployment, the end, and those with the most events, in order.
fn chosen(passages: &[(Half, Passage<'_>)], most: usize) -> Vec<usize> {
    let last = passages.len().saturating_sub(1);
    let weight = |index: usize| {
        let passage = &passages[index].1;
        let units = 0..passage.after.units.len();
        let lost: u32 = units.clone().map(|unit| u32::from(passage.lost(unit))).sum();
        let fell = units.filter(|&unit| passage.fell(unit) || passage.broke(unit)).count() as u32;
        let told = passage.moments.iter().filter(|moment| !moment.text.is_empty()).count() as u32;
        let ends = if index == 0 || index == last { 1_000_000 } else { 0 };
        ends + 100 * fell + 20 * passage.links.len() as u32 + 10 * lost + told
    };
    let mut all: Vec<usize> = (0..passages.len()).filter(|&index| weight(index) > 0).collect();
    all.sort_by_key(|&index| std::cmp::Reverse(weight(index)));
    all.truncate(most);
    all.sort_unstable();
    all
}

fn panel(map: &Map, (half, passage): &(Half, Passage<'_>), width: f64) -> Sheet {
    let mut sheet = Sheet::new(width);
    if let [line] = &font::wrap(&half.title, HEADING, Weight::Bold, width, 1)[..] {
        sheet.write(Text::new(line.as_str(), (0.0, 0.85 * HEADING), HEADING, TEXT).bold());
    }
    sheet.height = 1.4 * HEADING;
    let picture = picture::whole(map, passage, Wording::Short);
    let (left, height) = ((width - picture.width) / 2.0, picture.height);
    sheet.place(picture, (left, sheet.height));
    sheet.height += height + 2.0;
    let lines = font::wrap(&summary(passage), FINE, Weight::Regular, width, 4);
    sheet.write_lines(&lines, &Text::new("", (0.0, sheet.height + 0.85 * FINE), FINE, TEXT));
    sheet.height += lines.len() as f64 * leading(FINE);
    sheet
}

/// The results of a part of the battle: `1 charge, 2 combats; defender loses 3 figures, 1 unit broken`.
fn summary(passage: &Passage<'_>) -> String {
    let timeline = passage.timeline;
    if passage.before.units.is_empty() {
        return sums(passage);
    }
    let counted = |count: usize, one: &str, many: &str| match count {
        0 => None,
        1 => Some(format!("1 {one}")),
        count => Some(format!("{count} {many}")),
    };
    let deeds = |deed: Deed| passage.links.iter().filter(|link| link.deed == deed).count();
    let mut parts: Vec<String> = [
        counted(deeds(Deed::Charge), "charge", "charges"),
        counted(deeds(Deed::Fire), "volley", "volleys"),
        counted(deeds(Deed::Fight), "combat", "combats"),
    ]
    .into_iter()
    .flatten()
    .collect();
    for (side, name) in timeline.sides.iter().enumerate() {
        let units = || (0..timeline.units.len()).filter(|&unit| usize::from(timeline.units[unit].side) == side);
        let lost: usize = units().map(|unit| usize::from(passage.lost(unit))).sum();
        let broken = units().filter(|&unit| passage.broke(unit)).count();
        let fallen = units().filter(|&unit| passage.fell(unit)).count();
        parts.extend(counted(lost, "figure", "figures").map(|lost| format!("{name} loses {lost}")));
        parts.extend(counted(broken, "unit", "units").map(|units| format!("{units} of {name} broken")));
        parts.extend(counted(fallen, "unit", "units").map(|units| format!("{units} of {name} off the table")));
    }
    if parts.is_empty() {
        let moved = passage.moments.iter().any(|moment| !moment.changed.is_empty() && !moment.text.is_empty());
        parts.push(if moved { "Units move.".to_owned() } else { "Nothing happens.".to_owned() });
        return parts.concat();
    }
    crate::text::capitalised(&parts.join(", ")) + "."
}
