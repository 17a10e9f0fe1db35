//! Charts, Markdown, HTML and PDF from a results folder alone.
//!
//! [`build`] reads a folder, makes the [`Report`] and writes it to `report/` there. [`Report::on`] does the middle part:
//! it is a pure function of the results. Each [`Chart`] is data first (what it shows, its finding as a sentence) and then
//! a drawing, as SVG and PNG, whose text uses a bundled font.

#![deny(missing_docs)]

mod axis;
pub mod charts;
mod comparison;
pub mod drawn;
mod files;
mod font;
mod frame;
mod html;
mod lettering;
mod look;
mod made;
mod markdown;
mod names;
mod paint;
mod panel;
mod pdf;
mod reading;
mod report;
mod rules;
mod sentence;
mod sheet;
mod table;
#[cfg(test)]
mod testing;
#[cfg(test)]
mod tests;
mod text;
mod told;

pub use charts::Chart;
pub use comparison::publish_comparison;
pub use files::{ReportError, ReportFiles, Variants, build, publish_answer, write_file, write_frames};
pub use font::FontError;
pub use look::{Size, Theme};
pub use made::{Fact, Replay, promises};
pub use paint::PaintError;
pub use report::Report;
pub use rules::RulesInPlay;
pub use table::Table;
pub use told::Told;
