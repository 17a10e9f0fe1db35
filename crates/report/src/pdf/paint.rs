//! The marks of a page as the operators of a PDF.

use std::collections::BTreeMap;

use pdf_writer::writers::Resources;
use pdf_writer::{Content, Finish, Name, Pdf, Ref, Str};

use super::Page;
use super::fonts::{self, Used};
use crate::font;
use crate::look::{Ink, PAPER, Theme};
use crate::sheet::{Anchor, Mark, Place, Text};

/// The degrees of opacity that a document uses, in per cent.
pub(super) struct Opacities(BTreeMap<u8, (Ref, String)>);

impl Opacities {
    /// The opacities on these pages.
    pub(super) fn of(pages: &[Page], next: &mut impl FnMut() -> Ref) -> Self {
        let inks = pages.iter().flat_map(|page| &page.sheet.marks).map(Mark::ink);
        let mut all: BTreeMap<u8, (Ref, String)> = BTreeMap::new();
        for degree in inks.map(degree).chain([100]) {
            all.entry(degree).or_insert_with(|| (next(), format!("A{degree}")));
        }
        Self(all)
    }

    /// Writes them.
    pub(super) fn write(&self, pdf: &mut Pdf) {
        for (&degree, (id, _)) in &self.0 {
            let part = f32::from(degree) / 100.0;
            pdf.ext_graphics(*id).non_stroking_alpha(part).stroking_alpha(part);
        }
    }

    /// Lists them among the resources of a page.
    pub(super) fn list(&self, resources: &mut Resources<'_>) {
        let mut states = resources.ext_g_states();
        for (id, name) in self.0.values() {
            states.pair(Name(name.as_bytes()), *id);
        }
        states.finish();
    }

    fn set(&self, content: &mut Content, ink: Ink) {
        if let Some((_, name)) = self.0.get(&degree(ink)) {
            content.set_parameters(Name(name.as_bytes()));
        }
    }
}

fn degree(ink: Ink) -> u8 {
    (100.0 * ink.alpha).round().clamp(0.0, 100.0) as u8
}

/// Draws a mark of a page of this height; a PDF measures from the bottom.
pub(super) fn mark(content: &mut Content, mark: &Mark, height: f64, fonts: &[Used; 2], opacities: &Opacities) {
    let at = |(x, y): Place| (x as f32, (height - y) as f32);
    opacities.set(content, mark.ink());
    match mark {
        Mark::Line { through, width, ink, dash } => {
            stroke_colour(content, *ink);
            content.set_line_width(*width as f32);
            content.set_dash_pattern(dash.pattern().iter().map(|&length| length as f32), 0.0);
            trace(content, through.iter().map(|&place| at(place)));
            content.stroke();
        }
        Mark::Box { corners: [one, other], ink } => {
            fill_colour(content, *ink);
            let ((left, top), (right, bottom)) = (at(*one), at(*other));
            content.rect(left, bottom, right - left, top - bottom).fill_nonzero();
        }
        Mark::Area { outline, ink } => {
            fill_colour(content, *ink);
            trace(content, outline.iter().map(|&place| at(place)));
            content.close_path().fill_nonzero();
        }
        Mark::Dot { at: place, radius, form, ink, filled } => {
            let mut dot = |radius: f64, ink: Ink| {
                fill_colour(content, ink);
                match form.corners() {
                    [] => disc(content, at(*place), radius as f32),
                    corners => {
                        let places = corners.iter().map(|&(x, y)| at((place.0 + x * radius, place.1 + y * radius)));
                        trace(content, places);
                        content.close_path();
                    }
                }
                content.fill_nonzero();
            };
            dot(*radius, *ink);
            if !filled {
                dot(0.55 * radius, PAPER);
            }
        }
        Mark::Text(text) => write(content, text, at(text.at), fonts),
    }
}

fn write(content: &mut Content, text: &Text, (x, y): (f32, f32), fonts: &[Used; 2]) {
    let width = font::width(&text.words, text.size, text.weight) as f32;
    let left = match text.anchor {
        Anchor::Start => x,
        Anchor::Middle => x - width / 2.0,
        Anchor::End => x - width,
    };
    fill_colour(content, text.ink);
    content.begin_text().set_font(fonts::resource(text.weight), text.size as f32).next_line(left, y);
    if let Some(font) = fonts.iter().find(|font| font.weight == text.weight) {
        content.show(Str(&font.encoded(&text.words)));
    }
    content.end_text();
}

fn trace(content: &mut Content, places: impl Iterator<Item = (f32, f32)>) {
    for (nth, (x, y)) in places.enumerate() {
        if nth == 0 {
            content.move_to(x, y);
        } else {
            content.line_to(x, y);
        }
    }
}

/// A circle as four curves.
fn disc(content: &mut Content, (x, y): (f32, f32), radius: f32) {
    /// The length of the handles of a quarter circle, in radii.
    const REACH: f32 = 0.552_284_8;
    let (near, far) = (REACH * radius, radius);
    content.move_to(x + far, y);
    content.cubic_to(x + far, y + near, x + near, y + far, x, y + far);
    content.cubic_to(x - near, y + far, x - far, y + near, x - far, y);
    content.cubic_to(x - far, y - near, x - near, y - far, x, y - far);
    content.cubic_to(x + near, y - far, x + far, y - near, x + far, y);
}

fn colour(ink: Ink) -> [f32; 3] {
    let (red, green, blue) = Theme::Light.colour(ink);
    [red, green, blue].map(|channel| f32::from(channel) / 255.0)
}

fn fill_colour(content: &mut Content, ink: Ink) {
    let [red, green, blue] = colour(ink);
    content.set_fill_rgb(red, green, blue);
}

fn stroke_colour(content: &mut Content, ink: Ink) {
    let [red, green, blue] = colour(ink);
    content.set_stroke_rgb(red, green, blue);
}
