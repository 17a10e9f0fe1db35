//! A drawing as a list of marks, before any library draws it. Lengths are points (1/72 inch), y grows downwards.

use crate::font::Weight;
use crate::look::{Dash, Form, Ink};

/// A point on the sheet.
pub(crate) type Place = (f64, f64);

/// The alignment of a text relative to its anchor point.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Anchor {
    /// It begins there.
    Start,
    /// Its middle is there.
    Middle,
    /// It ends there.
    End,
}

/// A line of text.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Text {
    /// Its text.
    pub(crate) words: String,
    /// Where its base line is anchored.
    pub(crate) at: Place,
    /// How it is anchored.
    pub(crate) anchor: Anchor,
    /// Size of type.
    pub(crate) size: f64,
    /// Weight of type.
    pub(crate) weight: Weight,
    /// Its colour.
    pub(crate) ink: Ink,
}

impl Text {
    /// A label in regular type that begins at `at`.
    pub(crate) fn new(words: impl Into<String>, at: Place, size: f64, ink: Ink) -> Self {
        let words = words.into().chars().map(|letter| if printable(letter) { letter } else { ' ' }).collect();
        Self { words, at, anchor: Anchor::Start, size, weight: Weight::Regular, ink }
    }

    /// Anchors the text differently.
    pub(crate) fn anchored(self, anchor: Anchor) -> Self {
        Self { anchor, ..self }
    }

    /// Sets the text in bold type.
    pub(crate) fn bold(self) -> Self {
        Self { weight: Weight::Bold, ..self }
    }
}

/// Whether XML may contain the character and a line of text can show it.
pub(crate) fn printable(letter: char) -> bool {
    !letter.is_control() && !matches!(letter, '\u{FFFE}' | '\u{FFFF}')
}

/// Something drawn.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Mark {
    /// A line through points.
    Line { through: Vec<Place>, width: f64, ink: Ink, dash: Dash },
    /// A filled rectangle between two corners.
    Box { corners: [Place; 2], ink: Ink },
    /// A filled polygon.
    Area { outline: Vec<Place>, ink: Ink },
    /// A marker, filled or with a white middle.
    Dot { at: Place, radius: f64, form: Form, ink: Ink, filled: bool },
    /// A line of text.
    Text(Text),
}

impl Mark {
    /// Its colour.
    pub(crate) fn ink(&self) -> Ink {
        match self {
            Self::Line { ink, .. } | Self::Box { ink, .. } | Self::Area { ink, .. } | Self::Dot { ink, .. } => *ink,
            Self::Text(text) => text.ink,
        }
    }

    /// The part of the mark in the strip between two heights. A vertical line is cut at the strip's edges; anything
    /// else is kept whole or left out.
    fn between(&self, top: f64, bottom: f64) -> Option<Self> {
        let middle = |places: &[Place]| {
            let heights = || places.iter().map(|place| place.1);
            f64::midpoint(heights().fold(f64::INFINITY, f64::min), heights().fold(f64::NEG_INFINITY, f64::max))
        };
        let at = match self {
            Self::Line { through, width, ink, dash } => match through.as_slice() {
                [one, other] if one.0 == other.0 && one.1 != other.1 => {
                    let (high, low) = (one.1.min(other.1).max(top), one.1.max(other.1).min(bottom));
                    let through = vec![(one.0, high), (one.0, low)];
                    return (high < low).then_some(Self::Line { through, width: *width, ink: *ink, dash: *dash });
                }
                places => middle(places),
            },
            Self::Box { corners, .. } => middle(corners),
            Self::Area { outline, .. } => middle(outline),
            Self::Dot { at, .. } => at.1,
            Self::Text(text) => text.at.1,
        };
        (top <= at && at < bottom).then(|| self.clone())
    }
}

/// A drawing.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Sheet {
    /// Its width.
    pub(crate) width: f64,
    /// Its height.
    pub(crate) height: f64,
    /// Its marks; later marks cover earlier ones.
    pub(crate) marks: Vec<Mark>,
    /// Where it may be split if a page is too short for it, from top to bottom. The first position is the end of its
    /// header, and the last is the beginning of its footer. If empty, it is never split.
    pub(crate) cuts: Vec<Cut>,
}

/// A height at which a drawing may be split.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Cut {
    /// How far down it is.
    pub(crate) at: f64,
    /// Top and bottom of the title above the rows that follow: a part that begins here repeats that title.
    pub(crate) under: Option<(f64, f64)>,
}

impl Sheet {
    /// An empty sheet of no height: drawing rows makes it taller.
    pub(crate) fn new(width: f64) -> Self {
        Self { width, ..Self::default() }
    }

    /// Lets the drawing be split here. `under` is the title that a part beginning here repeats.
    pub(crate) fn may_cut(&mut self, under: Option<(f64, f64)>) {
        self.cuts.push(Cut { at: self.height, under });
    }

    /// Gives each of two sides the other's colour.
    pub(crate) fn exchange_sides(&mut self) {
        for mark in &mut self.marks {
            let ink = match mark {
                Mark::Line { ink, .. } | Mark::Box { ink, .. } | Mark::Area { ink, .. } | Mark::Dot { ink, .. } => ink,
                Mark::Text(text) => &mut text.ink,
            };
            ink.hue = ink.hue.exchanged();
        }
    }

    /// Draws a solid line.
    pub(crate) fn line(&mut self, from: Place, to: Place, width: f64, ink: Ink) {
        self.marks.push(Mark::Line { through: vec![from, to], width, ink, dash: Dash::Solid });
    }

    /// Draws a line through points.
    pub(crate) fn path(&mut self, through: Vec<Place>, width: f64, ink: Ink, dash: Dash) {
        self.marks.push(Mark::Line { through, width, ink, dash });
    }

    /// Fills a rectangle; one without width or height leaves no mark.
    pub(crate) fn fill(&mut self, from: Place, to: Place, ink: Ink) {
        if (to.0 - from.0).abs() > 1e-6 && (to.1 - from.1).abs() > 1e-6 {
            let corners = [(from.0.min(to.0), from.1.min(to.1)), (from.0.max(to.0), from.1.max(to.1))];
            self.marks.push(Mark::Box { corners, ink });
        }
    }

    /// Draws a marker.
    pub(crate) fn dot(&mut self, at: Place, radius: f64, form: Form, ink: Ink, filled: bool) {
        self.marks.push(Mark::Dot { at, radius, form, ink, filled });
    }

    /// Writes a line of text.
    pub(crate) fn write(&mut self, text: Text) {
        if !text.words.trim().is_empty() {
            self.marks.push(Mark::Text(text));
        }
    }

    /// Writes lines from top to bottom, the first base line at the text's position.
    pub(crate) fn write_lines(&mut self, lines: &[String], like: &Text) {
        for (nth, line) in lines.iter().enumerate() {
            let at = (like.at.0, like.at.1 + nth as f64 * leading(like.size));
            self.write(Text { words: Text::new(line.as_str(), at, like.size, like.ink).words, at, ..like.clone() });
        }
    }

    /// Adds another sheet's marks to this one, shifted by these distances.
    pub(crate) fn place(&mut self, other: Self, (right, down): Place) {
        let moved = |(x, y): Place| (x + right, y + down);
        self.marks.extend(other.marks.into_iter().map(|mark| match mark {
            Mark::Line { through, width, ink, dash } => {
                Mark::Line { through: through.into_iter().map(moved).collect(), width, ink, dash }
            }
            Mark::Box { corners, ink } => Mark::Box { corners: corners.map(moved), ink },
            Mark::Area { outline, ink } => Mark::Area { outline: outline.into_iter().map(moved).collect(), ink },
            Mark::Dot { at, radius, form, ink, filled } => Mark::Dot { at: moved(at), radius, form, ink, filled },
            Mark::Text(text) => Mark::Text(Text { at: moved(text.at), ..text }),
        }));
        self.cuts.extend(other.cuts.into_iter().map(|Cut { at, under }| Cut {
            at: at + down,
            under: under.map(|(top, bottom)| (top + down, bottom + down)),
        }));
    }

    /// The strips that make up the part between two cuts, from top to bottom: the head, the title of the rows, the rows and the foot.
    fn strips(&self, from: usize, to: usize) -> Vec<(f64, f64)> {
        let [first, .., last] = self.cuts.as_slice() else { return vec![(0.0, self.height)] };
        let mut strips = vec![(0.0, first.at)];
        strips.extend(self.cuts[from].under);
        strips.extend([(self.cuts[from].at, self.cuts[to].at), (last.at, self.height)]);
        strips
    }

    /// The height of the part between two cuts.
    pub(crate) fn part_height(&self, from: usize, to: usize) -> f64 {
        self.strips(from, to).iter().map(|(top, bottom)| bottom - top).sum()
    }

    /// The rows between two cuts, with the head above and the foot below.
    pub(crate) fn part(&self, from: usize, to: usize) -> Self {
        let mut part = Self::new(self.width);
        for (top, bottom) in self.strips(from, to) {
            let marks = self.marks.iter().filter_map(|mark| mark.between(top, bottom));
            let strip = Self { marks: marks.collect(), ..Self::new(self.width) };
            let down = part.height - top;
            part.place(strip, (0.0, down));
            part.height += bottom - top;
        }
        part
    }
}

impl Sheet {
    /// The sheet scaled by `part`, in one piece.
    pub(crate) fn scaled(self, part: f64) -> Self {
        let at = |(x, y): Place| (x * part, y * part);
        let scaled = |mark: Mark| match mark {
            Mark::Line { through, width, ink, dash } => {
                Mark::Line { through: through.into_iter().map(at).collect(), width: width * part, ink, dash }
            }
            Mark::Box { corners, ink } => Mark::Box { corners: corners.map(at), ink },
            Mark::Area { outline, ink } => Mark::Area { outline: outline.into_iter().map(at).collect(), ink },
            Mark::Dot { at: place, radius, form, ink, filled } => {
                Mark::Dot { at: at(place), radius: radius * part, form, ink, filled }
            }
            Mark::Text(text) => Mark::Text(Text { at: at(text.at), size: text.size * part, ..text }),
        };
        Self {
            width: self.width * part,
            height: self.height * part,
            marks: self.marks.into_iter().map(scaled).collect(),
            cuts: Vec::new(),
        }
    }
}

/// The distance from one base line to the next.
pub(crate) fn leading(size: f64) -> f64 {
    1.22 * size
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;

    /// Left, top, right and bottom of the area that a text's letters may touch.
    fn extent(text: &Text) -> (f64, f64, f64, f64) {
        let width = crate::font::width(&text.words, text.size, text.weight);
        let left = match text.anchor {
            Anchor::Start => text.at.0,
            Anchor::Middle => text.at.0 - width / 2.0,
            Anchor::End => text.at.0 - width,
        };
        (left, text.at.1 - 0.72 * text.size, left + width, text.at.1 + 0.2 * text.size)
    }

    /// Fails if two texts overlap or a mark lies off the sheet.
    pub(crate) fn assert_legible(sheet: &Sheet) {
        let texts: Vec<&Text> =
            sheet.marks.iter().filter_map(|mark| if let Mark::Text(text) = mark { Some(text) } else { None }).collect();
        for (nth, text) in texts.iter().enumerate() {
            let (left, top, right, bottom) = extent(text);
            assert!(
                left >= -0.1 && right <= sheet.width + 0.1 && top >= -0.1 && bottom <= sheet.height + 0.1,
                "{:?} lies off the sheet of {} x {}: {left} {top} {right} {bottom}",
                text.words,
                sheet.width,
                sheet.height
            );
            for other in &texts[nth + 1..] {
                let (other_left, other_top, other_right, other_bottom) = extent(other);
                let apart = right <= other_left + 0.1
                    || other_right <= left + 0.1
                    || bottom <= other_top + 0.1
                    || other_bottom <= top + 0.1;
                assert!(apart, "{:?} overlaps {:?} at {:?}", text.words, other.words, other.at);
            }
        }
        let inside =
            |&(x, y): &Place| (-1.0..=sheet.width + 1.0).contains(&x) && (-1.0..=sheet.height + 1.0).contains(&y);
        for mark in &sheet.marks {
            let within = match mark {
                Mark::Line { through, .. } => through.iter().all(inside),
                Mark::Box { corners, .. } => corners.iter().all(inside),
                Mark::Area { outline, .. } => outline.iter().all(inside),
                Mark::Dot { at, .. } => inside(at),
                Mark::Text(_) => true,
            };
            assert!(within, "{mark:?} lies off the sheet of {} x {}", sheet.width, sheet.height);
        }
    }

    #[test]
    fn characters_that_no_line_can_show_become_spaces() {
        assert_eq!(Text::new("a\u{0}b\nc", (0.0, 0.0), 8.0, crate::look::TEXT).words, "a b c");
    }

    #[test]
    #[should_panic(expected = "overlaps")]
    fn overlapping_labels_are_noticed() {
        let mut sheet = Sheet { height: 50.0, ..Sheet::new(100.0) };
        sheet.write(Text::new("square", (10.0, 20.0), 8.0, crate::look::TEXT));
        sheet.write(Text::new("line", (20.0, 24.0), 8.0, crate::look::TEXT));
        assert_legible(&sheet);
    }
}
