//! Marks as pieces of SVG that a page shows and hides.

use std::collections::BTreeMap;
use std::fmt::Write;

use crate::font;
use crate::look::{Ink, PAPER, Theme};
use crate::paint::{PaintError, letters};
use crate::sheet::{Anchor, Mark, Place, Sheet};
use crate::text::escaped;

/// Pieces of a drawing, each stored once.
#[derive(Default)]
pub(super) struct Parts {
    known: BTreeMap<String, usize>,
    all: Vec<String>,
    inks: Vec<Ink>,
}

impl Parts {
    /// The number of the piece made up of these marks.
    pub(super) fn of(&mut self, marks: &[Mark]) -> usize {
        for ink in marks.iter().map(Mark::ink).chain([PAPER]) {
            if !self.inks.contains(&ink) {
                self.inks.push(ink);
            }
        }
        let piece: String = marks.iter().map(|mark| piece(mark, Theme::Light)).collect();
        if let Some(&known) = self.known.get(&piece) {
            return known;
        }
        self.all.push(piece.clone());
        self.known.insert(piece, self.all.len() - 1);
        self.all.len() - 1
    }

    /// All pieces as groups, named by a prefix and their numbers.
    pub(super) fn groups(&self, prefix: &str) -> String {
        let group = |(nth, piece): (usize, &String)| format!("<g id=\"{prefix}{nth}\">{piece}</g>\n");
        self.all.iter().enumerate().map(group).collect()
    }

    /// The inks in use.
    pub(super) fn inks(&self) -> &[Ink] {
        &self.inks
    }
}

/// A drawing as an SVG file, read out as `alt`, with its font.
///
/// Drawings of battles have far more marks than charts, and most are dashed. Writing them mark by mark takes a sixth of
/// the space.
pub(super) fn document(sheet: &Sheet, alt: &str, theme: Theme) -> Result<String, PaintError> {
    let (width, height, label) = (short(sheet.width), short(sheet.height), escaped(alt));
    let mut document = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}pt\" height=\"{height}pt\" viewBox=\"0 0 {width} {height}\" \
         role=\"img\" aria-label=\"{label}\" font-family=\"{}\">\n<title>{label}</title>\n<style>{}</style>\n\
         <rect width=\"{width}\" height=\"{height}\"{}/>\n",
        font::FAMILY,
        letters(sheet).face()?,
        paint("fill", PAPER, theme)
    );
    for mark in &sheet.marks {
        document.push_str(&piece(mark, theme));
        document.push('\n');
    }
    document.push_str("</svg>\n");
    Ok(document)
}

/// A mark as SVG.
fn piece(mark: &Mark, theme: Theme) -> String {
    let paint = |what: &str, ink: Ink| paint(what, ink, theme);
    match mark {
        Mark::Line { through, width, ink, dash } => {
            let pattern: Vec<String> = dash.pattern().iter().map(|&length| short(length)).collect();
            let dashes =
                if pattern.is_empty() { String::new() } else { format!(" stroke-dasharray=\"{}\"", pattern.join(" ")) };
            format!(
                "<path d=\"{}\" fill=\"none\"{} stroke-width=\"{}\"{dashes}/>",
                trace(through),
                paint("stroke", *ink),
                short(*width)
            )
        }
        Mark::Box { corners: [from, to], ink } => format!(
            "<rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\"{}/>",
            short(from.0),
            short(from.1),
            short(to.0 - from.0),
            short(to.1 - from.1),
            paint("fill", *ink)
        ),
        Mark::Area { outline, ink } => format!("<path d=\"{}Z\"{}/>", trace(outline), paint("fill", *ink)),
        Mark::Dot { at, radius, form, ink, filled } => {
            let dot = |radius: f64, ink: Ink| match form.corners() {
                [] => format!(
                    "<circle cx=\"{}\" cy=\"{}\" r=\"{}\"{}/>",
                    short(at.0),
                    short(at.1),
                    short(radius),
                    paint("fill", ink)
                ),
                corners => {
                    let outline: Vec<Place> =
                        corners.iter().map(|&(x, y)| (at.0 + x * radius, at.1 + y * radius)).collect();
                    format!("<path d=\"{}Z\"{}/>", trace(&outline), paint("fill", ink))
                }
            };
            dot(*radius, *ink) + &if *filled { String::new() } else { dot(0.55 * radius, PAPER) }
        }
        Mark::Text(text) => {
            let anchor = match text.anchor {
                Anchor::Start => "",
                Anchor::Middle => " text-anchor=\"middle\"",
                Anchor::End => " text-anchor=\"end\"",
            };
            let weight = if text.weight == font::Weight::Bold { " font-weight=\"bold\"" } else { "" };
            format!(
                "<text x=\"{}\" y=\"{}\" font-size=\"{}\"{anchor}{weight}{}>{}</text>",
                short(text.at.0),
                short(text.at.1),
                short(text.size),
                paint("fill", text.ink),
                escaped(&text.words)
            )
        }
    }
}

/// A colour as its value in a theme; a page replaces the light theme's values with the dark theme's.
fn paint(what: &str, ink: Ink, theme: Theme) -> String {
    let (red, green, blue) = theme.colour(ink);
    let opacity = if ink.alpha < 1.0 { format!(" {what}-opacity=\"{}\"", short(ink.alpha)) } else { String::new() };
    format!(" {what}=\"#{red:02X}{green:02X}{blue:02X}\"{opacity}")
}

fn trace(through: &[Place]) -> String {
    let mut path = String::new();
    for (nth, &(x, y)) in through.iter().enumerate() {
        let _ = write!(path, "{}{} {}", if nth == 0 { 'M' } else { 'L' }, short(x), short(y));
    }
    path
}

/// A number with at most two decimals.
fn short(number: f64) -> String {
    let text = format!("{number:.2}");
    let text = text.trim_end_matches('0').trim_end_matches('.');
    if text == "-0" { "0".to_owned() } else { text.to_owned() }
}
