//! Labels on a map, placed so that none hides a unit or another label.

use super::map::Map;
use super::symbols::inks;
use crate::font::{self, Weight};
use crate::look::{Dash, PAPER, SOFT, TEXT};
use crate::sheet::{Anchor, Place, Sheet, Text, leading};

/// Left, top, right, bottom.
pub(super) type Box4 = [f64; 4];

/// The text next to a unit.
#[derive(Clone, Debug)]
pub(super) struct Label {
    /// The unit.
    pub(super) unit: usize,
    /// The corners of its symbol on paper.
    pub(super) symbol: [Place; 4],
    /// The direction away from the enemy, on paper.
    pub(super) rear: (f64, f64),
    /// Its side, and its number on that side, shown on a tag in the side's colour; the number is empty if it needs
    /// none.
    pub(super) side: u8,
    pub(super) number: String,
    /// The texts next to the number and below it, the longest version first.
    pub(super) wordings: Vec<[String; 2]>,
}

/// A label in its place.
#[derive(Clone, Debug)]
pub(super) struct Placed {
    pub(super) unit: usize,
    pub(super) side: u8,
    pub(super) number: String,
    pub(super) lines: [String; 2],
    pub(super) ground: Box4,
    /// A line to its unit, if the label is some way off.
    pub(super) leader: Option<[Place; 2]>,
}

/// Places labels in the largest of these sizes at which the fewest labels cover another label or a unit, and then the
/// fewest are shortened. If some labels cover another at every size, the smallest is used.
pub(super) fn place_largest(map: &Map, labels: &[Label], occupied: &[[Place; 4]], sizes: &[f64]) -> (f64, Vec<Placed>) {
    /// The numbers of labels that cover another or found no place, that cover a unit, and that are shortened.
    type Faults = (usize, usize, usize);
    let mut best: Option<(Faults, f64, Vec<Placed>)> = None;
    for &size in sizes {
        let placed = place(map, labels, occupied, size);
        let (on_labels, on_units) = covered(&placed, occupied);
        let faults = (labels.len() - placed.len() + on_labels, on_units, shortened(&placed, labels));
        let crowded = |least: usize| faults.0 > 0 && faults.0 == least;
        if best.as_ref().is_none_or(|(least, ..)| faults < *least || crowded(least.0)) {
            best = Some((faults, size, placed));
        }
        if faults == (0, 0, 0) {
            break;
        }
    }
    best.map_or_else(Default::default, |(_, size, placed)| (size, placed))
}

/// The number of labels that cover another label, and the number that cover a unit.
pub(super) fn covered(placed: &[Placed], occupied: &[[Place; 4]]) -> (usize, usize) {
    let others =
        |nth: usize, label: &Placed| placed[nth + 1..].iter().any(|other| overlap(&label.ground, &other.ground));
    let on_labels = placed.iter().enumerate().filter(|(nth, label)| others(*nth, label)).count();
    let on_unit = |label: &&Placed| occupied.iter().any(|symbol| covers(&label.ground, symbol));
    (on_labels, placed.iter().filter(on_unit).count())
}

/// How many labels do not have their longest wording.
fn shortened(placed: &[Placed], labels: &[Label]) -> usize {
    let longest = |placed: &Placed| labels.iter().find(|label| label.unit == placed.unit)?.wordings.first();
    placed.iter().filter(|placed| longest(placed) != Some(&placed.lines)).count()
}

/// Places labels one after another; each takes the best place that is left.
pub(super) fn place(map: &Map, labels: &[Label], occupied: &[[Place; 4]], size: f64) -> Vec<Placed> {
    let (width, height) = map.size();
    let mut placed: Vec<Placed> = Vec::new();
    for label in labels {
        let mut best: Option<(u32, Placed)> = None;
        for (shorter, lines) in label.wordings.iter().enumerate() {
            for (nth, (ground, way)) in places(label, measure(&label.number, lines, size)).into_iter().enumerate() {
                let [left, top, right, bottom] = ground;
                if left < 1.0 || top < 1.0 || right > width - 1.0 || bottom > height - 1.0 {
                    continue;
                }
                // The cost of the place, regardless of where the other labels are. Skip a place that is no better than
                // the best so far.
                let least = 60 * shorter as u32 + nth as u32 + way.cost();
                if best.as_ref().is_some_and(|(cost, _)| *cost <= least) {
                    continue;
                }
                let over_labels = placed.iter().filter(|other| overlap(&ground, &other.ground)).count() as u32;
                let over_units = occupied.iter().filter(|symbol| covers(&ground, symbol)).count() as u32;
                let cost = 1000 * over_labels + 400 * over_units + least;
                if best.as_ref().is_none_or(|(least, _)| cost < *least) {
                    let leader = (way == Way::Apart).then(|| leader(&ground, &label.symbol));
                    let (unit, side, number) = (label.unit, label.side, label.number.clone());
                    best = Some((cost, Placed { unit, side, number, lines: lines.clone(), ground, leader }));
                }
            }
        }
        placed.extend(best.map(|(_, placed)| placed));
    }
    placed
}

/// Draws a label on a pale background.
pub(super) fn draw(sheet: &mut Sheet, placed: &Placed, size: f64) {
    let [left, top, right, bottom] = placed.ground;
    if let Some([from, to]) = placed.leader {
        sheet.path(vec![from, to], 0.5, SOFT, Dash::Solid);
    }
    let [first, second] = &placed.lines;
    if !first.is_empty() || !second.is_empty() {
        sheet.fill((left, top), (right, bottom), PAPER.faint(0.78));
    }
    let tag = tag_width(&placed.number, size);
    let wide = font::width(first, size, Weight::Bold);
    let base = top + 0.85 * size;
    let begins = f64::midpoint(left, right) - (tag + wide) / 2.0;
    number(sheet, &placed.number, (begins, base), placed.side, size);
    sheet.write(Text::new(first.as_str(), (begins + tag, base), size, TEXT).bold());
    // A label with only a tag has its second text on the same line.
    let line = if first.is_empty() && placed.number.is_empty() { 0.0 } else { leading(size) };
    let at = (f64::midpoint(left, right), base + line);
    sheet.write(Text::new(second.as_str(), at, size, TEXT).anchored(Anchor::Middle));
}

/// The width of a number's tag, with some white after it.
pub(super) fn tag_width(number: &str, size: f64) -> f64 {
    if number.is_empty() { 0.0 } else { font::width(number, size, Weight::Bold) + 3.0 + 1.5 }
}

/// A number on a tag in its side's colour, beginning at a point on the base line.
pub(super) fn number(sheet: &mut Sheet, number: &str, (left, base): Place, side: u8, size: f64) {
    if number.is_empty() {
        return;
    }
    let (fill, on) = inks(side);
    let (right, top, bottom) = (left + tag_width(number, size) - 1.5, base - 0.8 * size, base + 0.18 * size);
    sheet.fill((left, top), (right, bottom), fill);
    let through = vec![(left, top), (right, top), (right, bottom), (left, bottom), (left, top)];
    sheet.path(through, 0.5, TEXT, Dash::Solid);
    sheet.write(Text::new(number, (left + 1.5, base), size, on).bold());
}

/// How much room a label needs.
fn measure(number: &str, [first, second]: &[String; 2], size: f64) -> (f64, f64) {
    let upper = tag_width(number, size) + font::width(first, size, Weight::Bold);
    let lower = font::width(second, size, Weight::Regular);
    let lines = usize::from(upper > 0.0) + usize::from(lower > 0.0);
    (upper.max(lower) + 2.0, (lines.max(1) - 1) as f64 * leading(size) + 1.12 * size)
}

/// How a label is placed relative to its unit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Way {
    /// Directly behind, next to or in front of it.
    Beside,
    /// At one of its corners, where it may be taken for another unit's.
    Corner,
    /// Further off, with a line to it.
    Apart,
}

impl Way {
    /// A shorter wording next to the unit is better than a longer one at its corner, and either is better than a line.
    fn cost(self) -> u32 {
        match self {
            Self::Beside => 0,
            Self::Corner => 70,
            Self::Apart => 200,
        }
    }
}

/// Places around a symbol, the best first: behind it, next to it, in front of it, then further off.
fn places(label: &Label, (wide, high): (f64, f64)) -> Vec<(Box4, Way)> {
    const WAYS: [(f64, f64); 8] =
        [(0.0, 1.0), (1.0, 0.0), (0.0, -1.0), (-1.0, 0.0), (1.0, 1.0), (1.0, -1.0), (-1.0, -1.0), (-1.0, 1.0)];
    let [left, top, right, bottom] = around(&label.symbol);
    let (x, y) = (f64::midpoint(left, right), f64::midpoint(top, bottom));
    let (half, tall) = ((right - left) / 2.0, (bottom - top) / 2.0);
    let mut ways = WAYS;
    let towards = |&(dx, dy): &(f64, f64)| (dx * label.rear.0 + dy * label.rear.1) / f64::hypot(dx, dy);
    ways.sort_by(|one, other| towards(other).total_cmp(&towards(one)));
    let mut places = Vec::new();
    for (ring, gap) in [4.0, 9.0, 20.0, 34.0, 50.0, 70.0].into_iter().enumerate() {
        for (dx, dy) in ways {
            let (cx, cy) = (x + dx * (half + gap + wide / 2.0), y + dy * (tall + gap + high / 2.0));
            let ground = [cx - wide / 2.0, cy - high / 2.0, cx + wide / 2.0, cy + high / 2.0];
            let way = match (ring, dx != 0.0 && dy != 0.0) {
                (0 | 1, false) => Way::Beside,
                (0 | 1, true) => Way::Corner,
                _ => Way::Apart,
            };
            places.push((ground, way));
        }
    }
    places
}

/// The smallest box that contains these places.
pub(super) fn around(places: &[Place]) -> Box4 {
    places.iter().fold([f64::INFINITY, f64::INFINITY, f64::NEG_INFINITY, f64::NEG_INFINITY], |all, &(x, y)| {
        [all[0].min(x), all[1].min(y), all[2].max(x), all[3].max(y)]
    })
}

/// Whether two boxes overlap.
pub(super) fn overlap(one: &Box4, other: &Box4) -> bool {
    one[0] < other[2] && other[0] < one[2] && one[1] < other[3] && other[1] < one[3]
}

/// Whether a box covers part of a symbol: no edge of either separates them.
pub(super) fn covers(ground: &Box4, symbol: &[Place; 4]) -> bool {
    let corners = [(ground[0], ground[1]), (ground[2], ground[1]), (ground[2], ground[3]), (ground[0], ground[3])];
    if !overlap(ground, &around(symbol)) {
        return false;
    }
    (0..4).all(|nth| {
        let (a, b) = (symbol[nth], symbol[(nth + 1) % 4]);
        let (nx, ny) = (b.1 - a.1, a.0 - b.0);
        let along = |&(x, y): &Place| nx * x + ny * y;
        let span = |places: &[Place]| {
            places
                .iter()
                .map(along)
                .fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), value| (low.min(value), high.max(value)))
        };
        let (mine, theirs) = (span(symbol), span(&corners));
        mine.0 < theirs.1 && theirs.0 < mine.1
    })
}

/// The line from the nearest point of a label's edge to the middle of its unit.
fn leader(ground: &Box4, symbol: &[Place; 4]) -> [Place; 2] {
    let [left, top, right, bottom] = around(symbol);
    let (x, y) = (f64::midpoint(left, right), f64::midpoint(top, bottom));
    [(x.clamp(ground[0], ground[2]), y.clamp(ground[1], ground[3])), (x, y)]
}
