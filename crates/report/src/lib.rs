//! Charts, Markdown, HTML and PDF from a results folder alone.
//!
//! [`build`] reads a folder, makes the [`Report`] and writes it to `report/` there. [`Report::on`] does the middle part:
//! it is a pure function of the results. Each [`Chart`] is data first (what it shows, its finding as a sentence) and then
//! a drawing, as SVG and PNG, whose text uses a bundled font.
//!
//! Without the feature `charts` only [`drawn`] is available, and it needs neither polars nor plotters.
//!
//! ```
//! # #[cfg(feature = "charts")]
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! use std::path::Path;
//!
//! use grognard_lab::in_memory::Run;
//! use grognard_lab::library;
//! use grognard_lab::progress::{Silent, Stop};
//! use grognard_lab::study::Changes;
//! use grognard_report::{Report, Size, Theme};
//! use grognard_source::Sources;
//!
//! let mut study = library::load(Path::new("refduel"), &Changes::default(), &mut Sources::new()).expect("a built-in study");
//! study.runs = 1_000;
//! let report = Report::on(&Run::default().fight(&study, &Silent, &Stop::new())?.results);
//! assert_eq!(report.title, "The reference duel");
//! let chart = report.lead.expect("its four cells are compared");
//! assert!(chart.svg(Size::Page, Theme::Light)?.starts_with("<svg"));
//! # Ok(())
//! # }
//! # #[cfg(not(feature = "charts"))]
//! # fn main() {}
//! ```

#![deny(missing_docs)]
// For items that only charts use.
#![cfg_attr(not(feature = "charts"), allow(dead_code, unused_imports))]

#[cfg(feature = "charts")]
mod axis;
#[cfg(feature = "charts")]
pub mod charts;
#[cfg(feature = "charts")]
mod comparison;
pub mod drawn;
#[cfg(feature = "charts")]
mod files;
mod font;
mod frame;
#[cfg(feature = "charts")]
mod html;
#[cfg(feature = "charts")]
mod lettering;
mod look;
#[cfg(feature = "charts")]
mod markdown;
#[cfg(feature = "charts")]
mod names;
#[cfg(feature = "charts")]
mod noteworthy;
mod paint;
#[cfg(feature = "charts")]
mod panel;
#[cfg(feature = "charts")]
mod pdf;
#[cfg(feature = "charts")]
mod provenance;
#[cfg(feature = "charts")]
mod reading;
#[cfg(feature = "charts")]
mod report;
#[cfg(feature = "charts")]
mod rules;
#[cfg(feature = "charts")]
mod sentence;
mod sheet;
#[cfg(feature = "charts")]
mod table;
#[cfg(all(test, feature = "charts"))]
mod testing;
#[cfg(all(test, feature = "charts"))]
mod tests;
mod text;
#[cfg(feature = "charts")]
mod who_plays;

#[cfg(feature = "charts")]
pub use charts::Chart;
#[cfg(feature = "charts")]
pub use comparison::publish_comparison;
#[cfg(feature = "charts")]
pub use files::{ReportError, ReportFiles, Variants, build, publish_answer, write_file, write_frames};
pub use font::FontError;
pub use look::{Size, Theme};
#[cfg(feature = "charts")]
pub use names::cell_name;
#[cfg(feature = "charts")]
pub use noteworthy::NoteworthyBattle;
pub use paint::PaintError;
#[cfg(feature = "charts")]
pub use provenance::{Fact, Replay, promises};
#[cfg(feature = "charts")]
pub use report::Report;
#[cfg(feature = "charts")]
pub use rules::RulesInPlay;
#[cfg(feature = "charts")]
pub use table::Table;
pub use text::spaced;
#[cfg(feature = "charts")]
pub use who_plays::WhoPlays;
