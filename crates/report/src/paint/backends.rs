//! SVG text and PNG bytes, drawn by one function over the plotting library's two backends.

use std::fmt::Write;

use plotters::coord::Shift;
use plotters::drawing::{DrawingArea, DrawingAreaErrorKind, IntoDrawingArea};
use plotters::element::{Circle, PathElement, Polygon, Rectangle};
use plotters::prelude::{BitMapBackend, DrawingBackend, SVGBackend};
use plotters::style::{Color, RGBAColor, RGBColor, ShapeStyle};

use super::{PaintError, letters};
use crate::lettering::Lettering;
use crate::look::{Form, Ink, PAPER, Theme};
use crate::sheet::{Mark, Place, Sheet};
use crate::text::escaped;

/// Whether an SVG embeds the font.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Font {
    /// The SVG embeds it: the file is self-contained.
    Embedded,
    /// The page around it embeds it.
    OfThePage,
}

/// Units of the SVG's view box per point: positions are whole units there.
const SVG_UNITS: f64 = 10.0;

/// Print resolution of a PNG, dots per inch.
const PNG_DPI: f64 = 300.0;

/// How many times finer a PNG is painted before dots are averaged. Sheets taller than a page are painted at print
/// resolution, to limit memory; their text is still smooth.
fn finer(sheet: &Sheet) -> u32 {
    /// The height of the type area of an A4 page, in points.
    const PAGE_HEIGHT: f64 = 720.0;
    if sheet.height > PAGE_HEIGHT { 1 } else { 2 }
}

/// The sheet as an SVG document, read out as `alt`.
pub(crate) fn svg(sheet: &Sheet, alt: &str, theme: Theme, font: Font) -> Result<String, PaintError> {
    let units = |points: f64| (points * SVG_UNITS).ceil().max(1.0) as u32;
    let size = (units(sheet.width), units(sheet.height));
    let mut drawing = String::new();
    {
        let root = SVGBackend::with_string(&mut drawing, size).into_drawing_area();
        paint(sheet, &root, &Medium { theme, scale: SVG_UNITS, base_line: 0.76 })?;
        root.present()?;
    }
    // The library's own root element has no role, no font and no physical size.
    let body = drawing.split_once('>').map_or("", |(_, body)| body);
    let mut document = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{:.1}pt\" height=\"{:.1}pt\" viewBox=\"0 0 {} {}\" role=\"img\" aria-label=\"{}\">\n",
        f64::from(size.0) / SVG_UNITS,
        f64::from(size.1) / SVG_UNITS,
        size.0,
        size.1,
        escaped(alt)
    );
    if font == Font::Embedded {
        let face = letters(sheet).face()?;
        let _ = write!(document, "<title>{}</title>\n<style>{face}</style>", escaped(alt));
    }
    document.push_str(body);
    Ok(document)
}

/// The sheet as a PNG file at print resolution.
pub(crate) fn png(sheet: &Sheet, theme: Theme) -> Result<Vec<u8>, PaintError> {
    let dots = |points: f64| (points * PNG_DPI / 72.0).ceil().max(1.0) as u32;
    let (width, height) = (dots(sheet.width), dots(sheet.height));
    let finer = finer(sheet);
    let fine = (width * finer, height * finer);
    let mut pixels = vec![0; fine.0 as usize * fine.1 as usize * 3];
    {
        let root = BitMapBackend::with_buffer(&mut pixels, fine).into_drawing_area();
        let scale = f64::from(finer) * PNG_DPI / 72.0;
        paint(sheet, &root, &Medium { theme, scale, base_line: 0.0 })?;
        root.present()?;
    }
    let mut file = Vec::new();
    {
        let mut encoder = png::Encoder::new(&mut file, width, height);
        encoder.set_color(png::ColorType::Rgb);
        encoder.set_depth(png::BitDepth::Eight);
        let per_metre = (PNG_DPI / 0.0254).round() as u32;
        encoder.set_pixel_dims(Some(png::PixelDimensions { xppu: per_metre, yppu: per_metre, unit: png::Unit::Meter }));
        let mut writer = encoder.write_header()?;
        writer.write_image_data(&averaged(pixels, (width as usize, height as usize), finer as usize))?;
        writer.finish()?;
    }
    Ok(file)
}

/// The picture with each square of `finer` by `finer` dots averaged into one.
fn averaged(fine: Vec<u8>, (width, height): (usize, usize), finer: usize) -> Vec<u8> {
    if finer == 1 {
        return fine;
    }
    let mut coarse = Vec::with_capacity(width * height * 3);
    let mut sums = vec![0_u32; width * 3];
    for rows in fine.chunks_exact(width * finer * 3 * finer) {
        sums.fill(0);
        for row in rows.chunks_exact(width * finer * 3) {
            for (sum, square) in sums.chunks_exact_mut(3).zip(row.chunks_exact(finer * 3)) {
                for dot in square.chunks_exact(3) {
                    sum[0] += u32::from(dot[0]);
                    sum[1] += u32::from(dot[1]);
                    sum[2] += u32::from(dot[2]);
                }
            }
        }
        coarse.extend(sums.iter().map(|sum| (sum / (finer * finer) as u32) as u8));
    }
    coarse
}

/// The properties in which backends differ.
struct Medium {
    /// The theme that supplies the colours.
    theme: Theme,
    /// Backend units in a point.
    scale: f64,
    /// The distance from a text's position down to the base line that the backend uses when it sets the text itself, as
    /// a multiple of the type size.
    base_line: f64,
}

impl Medium {
    fn at(&self, (x, y): Place) -> (i32, i32) {
        ((x * self.scale).round() as i32, (y * self.scale).round() as i32)
    }

    fn width(&self, points: f64) -> u32 {
        (points * self.scale).round().max(1.0) as u32
    }

    fn colour(&self, ink: Ink) -> RGBAColor {
        let (red, green, blue) = self.theme.colour(ink);
        RGBColor(red, green, blue).mix(ink.alpha)
    }

    fn filled(&self, ink: Ink) -> ShapeStyle {
        self.colour(ink).filled()
    }
}

impl<E: std::error::Error + Send + Sync> From<DrawingAreaErrorKind<E>> for PaintError {
    fn from(error: DrawingAreaErrorKind<E>) -> Self {
        Self::Drawing(error.to_string())
    }
}

fn paint<DB: DrawingBackend>(sheet: &Sheet, root: &DrawingArea<DB, Shift>, medium: &Medium) -> Result<(), PaintError> {
    root.fill(&medium.colour(PAPER))?;
    for mark in &sheet.marks {
        match mark {
            Mark::Line { through, width, ink, dash } => {
                let style = medium.colour(*ink).stroke_width(medium.width(*width));
                for stroke in strokes(through, dash.pattern()) {
                    let places: Vec<_> = stroke.into_iter().map(|place| medium.at(place)).collect();
                    root.draw(&PathElement::new(places, style))?;
                }
            }
            Mark::Box { corners, ink } => {
                root.draw(&Rectangle::new(corners.map(|corner| medium.at(corner)), medium.filled(*ink)))?;
            }
            Mark::Area { outline, ink } => {
                let places: Vec<_> = outline.iter().map(|&place| medium.at(place)).collect();
                root.draw(&Polygon::new(places, medium.filled(*ink)))?;
            }
            Mark::Dot { at, radius, form, ink, filled } => {
                dot(root, medium, *at, *radius, *form, *ink)?;
                if !filled {
                    dot(root, medium, *at, radius * 0.55, *form, PAPER)?;
                }
            }
            Mark::Text(text) => {
                let (scale, base_line) = (medium.scale, medium.base_line);
                root.draw(&Lettering { text, theme: medium.theme, scale, at: medium.at(text.at), base_line })?;
            }
        }
    }
    Ok(())
}

fn dot<DB: DrawingBackend>(
    root: &DrawingArea<DB, Shift>,
    medium: &Medium,
    at: Place,
    radius: f64,
    form: Form,
    ink: Ink,
) -> Result<(), PaintError> {
    let corners = form.corners();
    if corners.is_empty() {
        return Ok(root.draw(&Circle::new(medium.at(at), medium.width(radius), medium.filled(ink)))?);
    }
    let places: Vec<_> = corners.iter().map(|&(x, y)| medium.at((at.0 + x * radius, at.1 + y * radius))).collect();
    Ok(root.draw(&Polygon::new(places, medium.filled(ink)))?)
}

/// A line broken by a pattern of ink and gap lengths, which continues around corners.
fn strokes(through: &[Place], pattern: &[f64]) -> Vec<Vec<Place>> {
    let Some((&first, rest)) = through.split_first() else { return Vec::new() };
    if pattern.is_empty() {
        return vec![through.to_vec()];
    }
    let mut strokes = Vec::new();
    let (mut phase, mut left) = (0, pattern[0]);
    let mut stroke = vec![first];
    let mut from = first;
    for &to in rest {
        let length = (to.0 - from.0).hypot(to.1 - from.1);
        let mut gone = 0.0;
        while length - gone > left {
            gone += left;
            let part = gone / length;
            let cut = (from.0 + part * (to.0 - from.0), from.1 + part * (to.1 - from.1));
            if phase % 2 == 0 {
                stroke.push(cut);
                strokes.push(std::mem::take(&mut stroke));
            } else {
                stroke = vec![cut];
            }
            phase = (phase + 1) % pattern.len();
            left = pattern[phase];
        }
        left -= length - gone;
        if phase % 2 == 0 {
            stroke.push(to);
        }
        from = to;
    }
    if stroke.len() > 1 {
        strokes.push(stroke);
    }
    strokes
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::look::{Dash, TEXT};
    use crate::sheet::Text;

    fn sample() -> Sheet {
        let mut sheet = Sheet { height: 40.0, ..Sheet::new(100.0) };
        sheet.fill((10.0, 10.0), (30.0, 20.0), TEXT);
        sheet.path(vec![(0.0, 0.0), (50.0, 0.0), (50.0, 30.0)], 1.0, TEXT, Dash::Long);
        sheet.dot((60.0, 20.0), 3.0, Form::Diamond, TEXT, false);
        sheet.write(Text::new("<&\"'> Å", (10.0, 35.0), 8.0, TEXT));
        sheet
    }

    #[test]
    fn an_svg_stands_alone_and_is_escaped() {
        let alone = svg(&sample(), "a < b", Theme::Light, Font::Embedded).unwrap();
        assert!(alone.starts_with("<svg xmlns=") && alone.trim_end().ends_with("</svg>"));
        assert!(alone.contains("&lt;&amp;&quot;&apos;&gt; Å"));
        assert!(alone.contains("aria-label=\"a &lt; b\""));
        assert!(alone.contains("data:font/otf;base64,"));
        assert!(!svg(&sample(), "a", Theme::Light, Font::OfThePage).unwrap().contains("@font-face"));
    }

    #[test]
    fn a_png_has_print_resolution_and_ink() {
        let file = png(&sample(), Theme::Light).unwrap();
        let mut reader = png::Decoder::new(std::io::Cursor::new(&file)).read_info().unwrap();
        let dims = reader.info().pixel_dims.unwrap();
        assert_eq!((dims.xppu, dims.yppu), (11_811, 11_811));
        let mut pixels = vec![0; reader.output_buffer_size().unwrap()];
        let frame = reader.next_frame(&mut pixels).unwrap();
        assert_eq!((frame.width, frame.height), (417, 167));
        let at = |x: usize, y: usize| pixels[(y * 417 + x) * 3];
        assert_eq!((at(80, 60), at(5, 160)), (0, 255)); // inside the box, and bare paper
        let letters = (104..147).flat_map(|x| (120..150).map(move |y| at(x, y))).filter(|&grey| grey < 128).count();
        assert!(letters > 100, "text left {letters} dark dots");
    }

    #[test]
    fn dashes_run_on_around_corners() {
        let cut = strokes(&[(0.0, 0.0), (3.0, 0.0), (3.0, 9.0)], &[4.0, 2.0]);
        assert_eq!(cut, [vec![(0.0, 0.0), (3.0, 0.0), (3.0, 1.0)], vec![(3.0, 3.0), (3.0, 7.0)]]);
        assert_eq!(strokes(&[(0.0, 0.0), (9.0, 0.0)], &[]).len(), 1);
        assert!(strokes(&[], &[1.0, 1.0]).is_empty());
    }
}
