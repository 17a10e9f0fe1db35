//! Units as wargamers draw them: lines, columns, hollow squares, dots in open order, guns; a diagonal for horse; an
//! arrow to the front.
//!
//! The first side's symbols are dark, the second side's light with a dark edge, so that they differ without colour. A zigzag along
//! the rear marks a shaken unit, a cross a broken one.

use grognard_lab::replay::Rect;
use grognard_lab::replay::timeline::{ArmLook, Standing, Timeline};

use super::map::{HEX, Kind, Map};
use crate::look::{Dash, FIRST, Form, Ink, PAPER, SECOND, TEXT, is_exchanged};
use crate::sheet::{Mark, Place};

/// The look of a side's symbols: 0 for dark ones, 1 for light ones. The first side's are dark, unless the sides are
/// named after colours the other way round.
pub(super) fn tone(timeline: &Timeline, side: u8) -> u8 {
    if is_exchanged(&timeline.sides) { side ^ 1 } else { side }
}

/// The fill of symbols with this look, and the pattern on them.
pub(super) fn inks(side: u8) -> (Ink, Ink) {
    if side == 0 { (FIRST, PAPER) } else { (SECOND.tint(0.5), TEXT) }
}

/// A unit's symbol.
pub(super) fn unit(map: &Map, timeline: &Timeline, index: usize, standing: &Standing) -> Vec<Mark> {
    let rect = map.ground(timeline, index, standing);
    let pen = Pen { map, rect, inks: inks(tone(timeline, timeline.units[index].side)) };
    let kind = &timeline.kinds[usize::from(standing.kind)];
    let formation = &timeline.formations[usize::from(standing.formation)];
    let morale = &timeline.morale[usize::from(standing.morale)];
    // On hexes and in lists, units face one way whatever their formation.
    let all_round = formation.all_round && map.kind == Kind::Plane;
    let mut marks = Vec::new();
    match kind.look {
        ArmLook::Leader => pen.leader(&mut marks),
        ArmLook::Guns => pen.guns(&mut marks, standing.cannon, formation.moves && !formation.fires),
        _ if formation.loose => pen.skirmishers(&mut marks, standing.figures, standing.abreast),
        look => {
            pen.block(&mut marks);
            if all_round {
                pen.hollow(&mut marks);
            } else {
                pen.ranks(&mut marks, standing.ranks);
            }
            match look {
                ArmLook::Horse => pen.diagonal(&mut marks),
                ArmLook::Train => pen.wheels(&mut marks),
                _ => {}
            }
        }
    }
    if !all_round && kind.look != ArmLook::Leader {
        pen.arrow(&mut marks);
    }
    if morale.broken {
        pen.cross(&mut marks);
    } else if morale.shaken {
        pen.zigzag(&mut marks);
    }
    marks
}

/// The outline of a unit's previous position.
pub(super) fn ghost(map: &Map, rect: &Rect, ink: Ink) -> Mark {
    let mut through: Vec<Place> = rect.corners().iter().map(|&corner| map.at(corner)).collect();
    through.extend(through.first().copied());
    Mark::Line { through, width: 0.6, ink, dash: Dash::Dots }
}

/// A general: a star in a disc; smaller on small hexes.
pub(super) fn general(map: &Map, at: Place, side: u8) -> Vec<Mark> {
    let (fill, on) = inks(side);
    let radius = if map.kind == Kind::Hex { (0.24 * f64::from(HEX) * map.scale).min(4.6) } else { 4.6 };
    let dot = |part: f64, form: Form, ink: Ink| Mark::Dot { at, radius: part * radius, form, ink, filled: true };
    vec![dot(1.0, Form::Disc, TEXT), dot(0.84, Form::Disc, fill), dot(0.37, Form::Diamond, on)]
}

/// Draws on a unit's ground. Coordinates run from -0.5 (left flank) to 0.5 and from 0 (front) to 1 (rear).
struct Pen<'m> {
    map: &'m Map,
    rect: Rect,
    inks: (Ink, Ink),
}

impl Pen<'_> {
    fn at(&self, across: f64, back: f64) -> Place {
        let along = |part: f64, whole: i32| (part * f64::from(whole)).round() as i32;
        self.map.at(self.rect.at(along(across, self.rect.width), -along(back, self.rect.depth)))
    }

    /// Width and depth on paper.
    fn size(&self) -> (f64, f64) {
        (f64::from(self.rect.width) * self.map.scale, f64::from(self.rect.depth) * self.map.scale)
    }

    fn quad(&self, left: f64, right: f64, front: f64, rear: f64) -> Vec<Place> {
        vec![self.at(left, front), self.at(right, front), self.at(right, rear), self.at(left, rear)]
    }

    fn edge(&self, marks: &mut Vec<Mark>, outline: &[Place], width: f64, ink: Ink) {
        let through = outline.iter().chain(outline.first()).copied().collect();
        marks.push(Mark::Line { through, width, ink, dash: Dash::Solid });
    }

    /// A filled rectangle with a dark edge.
    fn block(&self, marks: &mut Vec<Mark>) {
        let outline = self.quad(-0.5, 0.5, 0.0, 1.0);
        marks.push(Mark::Area { outline: outline.clone(), ink: self.inks.0 });
        self.edge(marks, &outline, 0.8, TEXT);
    }

    /// The hollow middle of a square.
    fn hollow(&self, marks: &mut Vec<Mark>) {
        let (width, depth) = self.size();
        let wall = 2.4_f64;
        let (aside, deep) = ((wall / width).min(0.3), (wall / depth).min(0.3));
        let outline = self.quad(aside - 0.5, 0.5 - aside, deep, 1.0 - deep);
        marks.push(Mark::Area { outline: outline.clone(), ink: PAPER });
        self.edge(marks, &outline, 0.5, TEXT);
    }

    /// Lines between ranks, where there is room for them.
    fn ranks(&self, marks: &mut Vec<Mark>, ranks: u16) {
        let ranks = ranks.max(1);
        if self.size().1 / f64::from(ranks) < 3.0 {
            return;
        }
        for rank in 1..ranks {
            let back = f64::from(rank) / f64::from(ranks);
            let through = vec![self.at(-0.5, back), self.at(0.5, back)];
            marks.push(Mark::Line { through, width: 0.4, ink: self.inks.1, dash: Dash::Solid });
        }
    }

    /// Cavalry: a diagonal, with one half filled in the other colour.
    fn diagonal(&self, marks: &mut Vec<Mark>) {
        let outline = vec![self.at(-0.5, 0.0), self.at(-0.5, 1.0), self.at(0.5, 0.0)];
        marks.push(Mark::Area { outline, ink: self.inks.1 });
        let through = vec![self.at(-0.5, 1.0), self.at(0.5, 0.0)];
        marks.push(Mark::Line { through, width: 0.9, ink: TEXT, dash: Dash::Solid });
        self.edge(marks, &self.quad(-0.5, 0.5, 0.0, 1.0), 0.8, TEXT);
    }

    /// Waggons: two wheels.
    fn wheels(&self, marks: &mut Vec<Mark>) {
        let radius = (0.18 * self.size().1).clamp(1.2, 4.0);
        for across in [-0.25, 0.25] {
            let at = self.at(across, 0.5);
            marks.push(Mark::Dot { at, radius, form: Form::Disc, ink: self.inks.1, filled: true });
        }
    }

    /// Guns: a barrel between two wheels for each, at most six; limbered guns point to the rear.
    fn guns(&self, marks: &mut Vec<Mark>, cannon: u16, limbered: bool) {
        let outline = self.quad(-0.5, 0.5, 0.0, 1.0);
        marks.push(Mark::Area { outline: outline.clone(), ink: PAPER });
        self.edge(marks, &outline, 0.6, TEXT);
        let (width, depth) = self.size();
        let room = (width / 7.0).floor().max(1.0);
        let count = f64::from(cannon.clamp(1, 6)).min(room);
        let cell = width / count;
        // On paper: the barrel's length, and how far the wheels are from it.
        let (long, wheel) = ((0.72 * depth).min(13.0), (0.26 * cell).min(4.5));
        for nth in 0..count as usize {
            let middle = (nth as f64 + 0.5) / count - 0.5;
            let (muzzle, breech) = (0.5 - 0.5 * long / depth, 0.5 + 0.5 * long / depth);
            let (muzzle, breech) = if limbered { (breech, muzzle) } else { (muzzle, breech) };
            let barrel = vec![self.at(middle, muzzle), self.at(middle, breech)];
            marks.push(Mark::Line { through: barrel.clone(), width: 2.4, ink: TEXT, dash: Dash::Solid });
            marks.push(Mark::Line { through: barrel, width: 1.2, ink: self.inks.0, dash: Dash::Solid });
            let axle = 0.5 + if limbered { -0.12 } else { 0.12 };
            for sign in [-1.0, 1.0] {
                let across = middle + sign * wheel / width;
                let reach = 0.16 * long / depth;
                let through = vec![self.at(across, axle - reach), self.at(across, axle + reach)];
                marks.push(Mark::Line { through, width: 1.3, ink: TEXT, dash: Dash::Solid });
            }
            let through = vec![self.at(middle - wheel / width, axle), self.at(middle + wheel / width, axle)];
            marks.push(Mark::Line { through, width: 0.7, ink: TEXT, dash: Dash::Solid });
        }
        // A band that shows whose guns they are.
        let band = self.quad(-0.5, 0.5, 0.9, 1.0);
        marks.push(Mark::Area { outline: band, ink: self.inks.0 });
    }

    /// Open order: a dot for each figure.
    fn skirmishers(&self, marks: &mut Vec<Mark>, figures: u16, abreast: u16) {
        let abreast = abreast.clamp(1, figures.max(1));
        let ranks = figures.max(1).div_ceil(abreast);
        let (width, depth) = self.size();
        let room = (width / f64::from(abreast)).min(depth / f64::from(ranks));
        let radius = (0.38 * room).clamp(1.3, 2.6);
        for figure in 0..figures {
            let (rank, file) = (figure / abreast, figure % abreast);
            let across = (f64::from(file) + 0.5) / f64::from(abreast) - 0.5;
            let at = self.at(across, (f64::from(rank) + 0.5) / f64::from(ranks));
            marks.push(Mark::Dot { at, radius, form: Form::Disc, ink: TEXT, filled: true });
            marks.push(Mark::Dot { at, radius: radius - 0.6, form: Form::Disc, ink: self.inks.0, filled: true });
        }
    }

    /// A leader: a star in a disc.
    fn leader(&self, marks: &mut Vec<Mark>) {
        let at = self.at(0.0, 0.5);
        let radius = (0.5 * self.size().1).clamp(4.0, 8.0);
        marks.push(Mark::Dot { at, radius, form: Form::Disc, ink: TEXT, filled: true });
        marks.push(Mark::Dot { at, radius: radius - 0.8, form: Form::Disc, ink: self.inks.0, filled: true });
        marks.push(Mark::Dot { at, radius: 0.4 * radius, form: Form::Diamond, ink: self.inks.1, filled: true });
    }

    /// The front: a thick edge, and an arrow in the direction the unit faces.
    fn arrow(&self, marks: &mut Vec<Mark>) {
        let (width, depth) = self.size();
        let through = vec![self.at(-0.5, 0.0), self.at(0.5, 0.0)];
        marks.push(Mark::Line { through, width: 1.5, ink: TEXT, dash: Dash::Solid });
        let (half, long) = ((0.3 * width).min(2.6) / width, 3.6 / depth);
        let outline = vec![self.at(-half, 0.0), self.at(0.0, -long), self.at(half, 0.0)];
        marks.push(Mark::Area { outline, ink: TEXT });
    }

    /// A broken unit: a cross from corner to corner.
    fn cross(&self, marks: &mut Vec<Mark>) {
        let (width, depth) = self.size();
        let (aside, deep) = (0.5 + 2.0 / width, 2.0 / depth);
        for (from, to) in [((-aside, -deep), (aside, 1.0 + deep)), ((-aside, 1.0 + deep), (aside, -deep))] {
            let through = vec![self.at(from.0, from.1), self.at(to.0, to.1)];
            marks.push(Mark::Line { through: through.clone(), width: 2.8, ink: PAPER, dash: Dash::Solid });
            marks.push(Mark::Line { through, width: 1.3, ink: TEXT, dash: Dash::Solid });
        }
    }

    /// A shaken unit: a zigzag along its rear.
    fn zigzag(&self, marks: &mut Vec<Mark>) {
        let (width, depth) = self.size();
        let teeth = (width / 3.0).floor().clamp(3.0, 24.0) as usize;
        let out = |nth: usize| 1.0 + if nth.is_multiple_of(2) { 1.0 } else { 3.4 } / depth;
        let through: Vec<Place> = (0..=teeth).map(|nth| self.at(nth as f64 / teeth as f64 - 0.5, out(nth))).collect();
        marks.push(Mark::Line { through, width: 0.9, ink: TEXT, dash: Dash::Solid });
    }
}
