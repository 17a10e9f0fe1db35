//! The charts: each is made as data first (series, labels, finding), then drawn.

mod casualties;
mod curve;
mod differences;
mod heat;
mod rout;
mod shares;

use grognard_lab::results::Method;

use crate::frame::{self, Words};
use crate::paint::{self, Font, PaintError};
use crate::reading::Reading;
use crate::sheet::Sheet;

pub use casualties::{Casualties, CasualtyRow};
pub use curve::{Curve, CurveLine, CurvePoint};
pub use differences::{DifferenceRow, Differences};
pub use heat::{Facet, Heat};
pub use rout::{Rout, RoutLine, RoutPanel};
pub use shares::{ShareGroup, ShareRow, Shares};

/// The stems of all charts' file names.
pub(crate) const NAMES: [&str; 6] =
    [Shares::NAME, Differences::NAME, Heat::NAME, Curve::NAME, Casualties::NAME, Rout::NAME];

/// A chart, ready to be written.
#[derive(Clone, Debug, PartialEq)]
pub struct Chart {
    /// The stem of its file names.
    pub name: &'static str,
    /// What it shows, as a sentence made from the numbers: its title.
    pub finding: String,
    /// How to read it.
    pub about: String,
    /// What it shows, for those who cannot see it.
    pub alt: String,
    /// The numbers it shows.
    pub data: ChartData,
    sheet: Sheet,
}

/// The numbers of a chart.
#[derive(Clone, Debug, PartialEq)]
pub enum ChartData {
    /// Who won how often.
    Shares(Shares),
    /// One side's wins over two varied values.
    Heat(Heat),
    /// What a battle cost.
    Casualties(Casualties),
    /// When sides broke.
    Rout(Rout),
    /// Cells against their baselines.
    Differences(Differences),
    /// One side's wins over a varied number.
    Curve(Curve),
}

impl Chart {
    /// The chart as an SVG file that brings its font along.
    ///
    /// # Errors
    /// If the plotting library fails.
    pub fn svg(&self) -> Result<String, PaintError> {
        paint::svg(&self.sheet, &self.alt, Font::Embedded)
    }

    /// The drawing.
    #[cfg(test)]
    pub(crate) fn sheet(&self) -> &Sheet {
        &self.sheet
    }

    /// The chart as SVG for a page that brings the font.
    pub(crate) fn inline_svg(&self) -> Result<String, PaintError> {
        paint::svg(&self.sheet, &self.alt, Font::OfThePage)
    }

    /// The chart as a PNG file of 300 dots per inch, 170 mm wide.
    ///
    /// # Errors
    /// If the plotting library or the encoder fails.
    pub fn png(&self) -> Result<Vec<u8>, PaintError> {
        paint::png(&self.sheet)
    }
}

/// What every chart's data can do.
trait Drawing: Sized {
    /// The stem of its file names.
    const NAME: &'static str;
    /// Its title.
    fn finding(&self) -> &str;
    /// How to read it.
    fn about(&self) -> String;
    /// Its body.
    fn body(&self) -> Sheet;
    /// Its numbers.
    fn data(self) -> ChartData;

    /// The whole chart.
    fn chart(self, caption: &str) -> Chart {
        let about = self.about();
        let words = Words { finding: self.finding(), about: &about, caption };
        let sheet = frame::furnished(&words, self.body());
        let finding = self.finding().to_owned();
        let alt = format!("{finding}. {about} All numbers are in the table of cells.");
        Chart { name: Self::NAME, finding, about, alt, data: self.data(), sheet }
    }
}

/// Every chart that the results have the numbers for; none before the first battle.
pub(crate) fn all(reading: &Reading<'_>, caption: &str) -> Vec<Chart> {
    let manifest = &reading.results.manifest;
    if manifest.method == Method::Sampled && manifest.progress.battles == 0 {
        return Vec::new();
    }
    let charts = [
        Shares::of(reading).map(|data| data.chart(caption)),
        Differences::of(reading).map(|data| data.chart(caption)),
        Heat::of(reading).map(|data| data.chart(caption)),
        Curve::of(reading).map(|data| data.chart(caption)),
        Casualties::of(reading).map(|data| data.chart(caption)),
        Rout::of(reading).map(|data| data.chart(caption)),
    ];
    charts.into_iter().flatten().collect()
}

/// "The first 60 of 90 cells are shown." when some are not.
fn left_out(shown: usize, all: usize, which: &str) -> String {
    if shown < all { format!(" The {which} {shown} of {all} cells are shown.") } else { String::new() }
}
