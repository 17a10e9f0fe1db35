//! Lines of text for the plotting library: SVG gets them as text, a bitmap as the bundled font's outlines.
//!
//! The library's own bitmap text ignores each letter's side bearing and rounds its position to a whole dot, which
//! spaces letters unevenly. Here letters are positioned to a fraction of a dot.

use ab_glyph::{Font, PxScale, point};
use plotters::backend::DrawingBackend;
use plotters::element::{Drawable, PointCollection};
use plotters_backend::text_anchor::{HPos, Pos, VPos};
use plotters_backend::{BackendColor, BackendCoord, BackendTextStyle, DrawingErrorKind, FontFamily, FontStyle};

use crate::font::{self, Weight};
use crate::look::Theme;
use crate::sheet::{Anchor, Text};

/// A line of text, ready to be drawn with its base line at a given position.
pub(crate) struct Lettering<'a> {
    /// Its text, size and colour.
    pub(crate) text: &'a Text,
    /// The theme that supplies the colours.
    pub(crate) theme: Theme,
    /// Backend units in a point.
    pub(crate) scale: f64,
    /// Where its anchor and base line are, in backend units.
    pub(crate) at: BackendCoord,
    /// The distance from a text's position down to the base line that the backend uses when it sets the text itself, as
    /// a multiple of the type size.
    pub(crate) base_line: f64,
}

/// The bundled font cannot be read.
#[derive(Debug, thiserror::Error)]
#[error("the bundled font cannot be read")]
pub(crate) struct NoFont;

/// The number by which the SVG backend divides a font's size.
const SVG_HEIGHT: f64 = 1.24;

impl Lettering<'_> {
    fn em(&self) -> f64 {
        self.text.size * self.scale
    }

    fn width(&self, text: &str) -> f64 {
        font::width(text, self.em(), self.text.weight)
    }
}

impl BackendTextStyle for Lettering<'_> {
    type FontError = NoFont;

    fn color(&self) -> BackendColor {
        BackendColor { alpha: self.text.ink.alpha, rgb: self.theme.colour(self.text.ink) }
    }

    fn size(&self) -> f64 {
        self.em() * SVG_HEIGHT
    }

    fn style(&self) -> FontStyle {
        match self.text.weight {
            Weight::Regular => FontStyle::Normal,
            Weight::Bold => FontStyle::Bold,
        }
    }

    fn anchor(&self) -> Pos {
        let across = match self.text.anchor {
            Anchor::Start => HPos::Left,
            Anchor::Middle => HPos::Center,
            Anchor::End => HPos::Right,
        };
        Pos::new(across, VPos::Top)
    }

    fn family(&self) -> FontFamily<'_> {
        FontFamily::Name(font::FAMILY)
    }

    fn layout_box(&self, text: &str) -> Result<((i32, i32), (i32, i32)), NoFont> {
        Ok(((0, 0), (self.width(text).round() as i32, 0)))
    }

    fn draw<E, Dot: FnMut(i32, i32, BackendColor) -> Result<(), E>>(
        &self,
        text: &str,
        (left, base): BackendCoord,
        mut dot: Dot,
    ) -> Result<Result<(), E>, NoFont> {
        let font = font::font(self.text.weight).ok_or(NoFont)?;
        let units = font.units_per_em().unwrap_or(1000.0);
        let em = self.em() as f32;
        // The font library's scale is the height from ascender to descender.
        let scale = PxScale::from(em * font.height_unscaled() / units);
        let ink = self.color();
        let mut x = 0.0;
        for letter in text.chars() {
            let id = font.glyph_id(letter);
            if let Some(outline) = font.outline_glyph(id.with_scale_and_position(scale, point(x, 0.0))) {
                let corner = outline.px_bounds().min;
                let mut result = Ok(());
                outline.draw(|right, down, cover| {
                    if result.is_ok() && cover > 0.0 {
                        let place = (left + corner.x as i32 + right as i32, base + corner.y as i32 + down as i32);
                        let alpha = ink.alpha * f64::from(cover.min(1.0));
                        result = dot(place.0, place.1, BackendColor { alpha, ..ink });
                    }
                });
                if result.is_err() {
                    return Ok(result);
                }
            }
            x += font.h_advance_unscaled(id) / units * em;
        }
        Ok(Ok(()))
    }
}

impl<'a> PointCollection<'a, BackendCoord> for &'a Lettering<'_> {
    type Point = &'a BackendCoord;
    type IntoIter = std::iter::Once<&'a BackendCoord>;

    fn point_iter(self) -> Self::IntoIter {
        std::iter::once(&self.at)
    }
}

impl<DB: DrawingBackend> Drawable<DB> for Lettering<'_> {
    fn draw<I: Iterator<Item = BackendCoord>>(
        &self,
        mut places: I,
        backend: &mut DB,
        _: (u32, u32),
    ) -> Result<(), DrawingErrorKind<DB::ErrorType>> {
        let Some((x, base)) = places.next() else { return Ok(()) };
        let top = base - (self.base_line * self.em()).round() as i32;
        backend.draw_text(&self.text.words, self, (x, top))
    }
}
