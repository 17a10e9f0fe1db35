//! Painting a sheet: why it may fail, what it needs, and (with the feature `charts`) SVG text and PNG bytes.

#[cfg(feature = "charts")]
mod backends;

use crate::font::{FontError, Letters};
#[cfg(feature = "charts")]
use crate::look::{Ink, PAPER};
use crate::sheet::{Mark, Sheet};

#[cfg(feature = "charts")]
pub(crate) use backends::{Font, png, svg};

/// Errors in drawing a chart.
#[derive(Debug, thiserror::Error)]
pub enum PaintError {
    /// The plotting library failed.
    #[cfg(feature = "charts")]
    #[error("a chart cannot be drawn: {0}")]
    Drawing(String),
    /// The bundled font failed.
    #[error(transparent)]
    Font(#[from] FontError),
    /// The PNG encoder failed.
    #[cfg(feature = "charts")]
    #[error("a chart cannot be written as PNG: {0}")]
    Png(#[from] png::EncodingError),
}

/// The colours on a sheet, the paper's included.
#[cfg(feature = "charts")]
pub(crate) fn colours(sheet: &Sheet) -> Vec<Ink> {
    let mut inks = vec![PAPER];
    for ink in sheet.marks.iter().map(Mark::ink) {
        if !inks.contains(&ink) {
            inks.push(ink);
        }
    }
    inks
}

/// The letters on a sheet.
pub(crate) fn letters(sheet: &Sheet) -> Letters {
    let mut letters = Letters::default();
    for mark in &sheet.marks {
        if let Mark::Text(text) = mark {
            letters.add(&text.words, text.weight);
        }
    }
    letters
}
