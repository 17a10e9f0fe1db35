//! The report as a PDF: pages of A4 with selectable text, bookmarks, and tags for screen readers.

mod document;
mod fonts;
mod layout;
mod paint;

use crate::font::FontError;
use crate::report::Report;

/// The report as `report.pdf`.
///
/// # Errors
/// If the bundled font cannot be read.
pub(crate) fn pdf(report: &Report) -> Result<Vec<u8>, FontError> {
    document::document(report, &layout::pages(report))
}

/// The report on one page to share: question, answer, chart, table, how the numbers were made and what they guarantee.
///
/// # Errors
/// If the bundled font cannot be read.
pub(crate) fn one_page(report: &Report) -> Result<Vec<u8>, FontError> {
    document::document(report, &[layout::one_page(report)])
}

/// The role of a block of a page, for screen readers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Role {
    /// The title of the document.
    Title,
    /// A heading; it is a bookmark too.
    Heading(String),
    /// A paragraph.
    Paragraph,
    /// A chart, with its alternative text.
    Figure(String),
    /// A row of a table.
    Row,
}

/// A block of a page: a range of its marks.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Block {
    /// Its role.
    pub(crate) role: Role,
    /// The range of the page's marks.
    pub(crate) marks: std::ops::Range<usize>,
    /// How far down the page it begins, in points.
    pub(crate) top: f64,
}

/// A page.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Page {
    /// Everything on the page.
    pub(crate) sheet: crate::sheet::Sheet,
    /// The blocks in reading order. Anything outside them is decoration.
    pub(crate) blocks: Vec<Block>,
}
