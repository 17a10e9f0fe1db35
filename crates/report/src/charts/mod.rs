//! The charts: each is made as data first (series, labels, finding), then drawn.

mod beside;
mod casualties;
mod clauses;
mod curve;
mod differences;
mod groups;
mod heat;
mod levels;
mod luck;
mod morale;
mod rout;
mod shares;
mod tornado;

use grognard_lab::results::Method;

use crate::frame::{self, Words};
use crate::look::{Size, Theme};
use crate::made;
use crate::paint::{self, Font, PaintError};
use crate::reading::Reading;
use crate::sheet::Sheet;
use crate::table::Table;

pub use beside::{Part, beside};
pub(crate) use casualties::losses;
pub use casualties::{Casualties, CasualtyRow};
pub use clauses::{ClauseRow, Clauses};
pub(crate) use clauses::{often, percent};
pub use curve::{Curve, CurveLine, CurvePanel, CurvePoint};
pub use differences::{DifferenceRow, Differences};
pub use groups::Group;
pub use heat::{Facet, Heat};
pub use levels::{LevelPanel, Levels};
pub use luck::{Luck, LuckRow};
pub use morale::{Morale, MoraleRow};
pub use rout::{Rout, RoutLine, RoutPanel};
pub use shares::{ShareRow, Shares};
pub use tornado::{TORNADO_ROWS, Tornado, TornadoBar, TornadoRow};

/// A chart, ready to be drawn.
#[derive(Clone, Debug, PartialEq)]
pub struct Chart {
    /// The numbers it shows.
    pub data: ChartData,
    /// Runs, seed, pack and the command that makes it again.
    pub caption: String,
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
    /// Morale by turn.
    Morale(Morale),
    /// How often rows that cite clauses came into play.
    Clauses(Clauses),
    /// How much of who won the dice decided.
    Luck(Luck),
    /// How often intervals hold.
    Levels(Levels),
    /// What changed numbers do.
    Tornado(Tornado),
}

impl ChartData {
    fn drawing(&self) -> &dyn Drawing {
        match self {
            Self::Shares(data) => data,
            Self::Heat(data) => data,
            Self::Casualties(data) => data,
            Self::Rout(data) => data,
            Self::Differences(data) => data,
            Self::Curve(data) => data,
            Self::Morale(data) => data,
            Self::Clauses(data) => data,
            Self::Luck(data) => data,
            Self::Levels(data) => data,
            Self::Tornado(data) => data,
        }
    }
}

impl Chart {
    /// The stem of its file names.
    #[must_use]
    pub fn name(&self) -> &'static str {
        self.data.drawing().name()
    }

    /// What it shows, as a sentence made from the numbers: its title.
    #[must_use]
    pub fn finding(&self) -> &str {
        self.data.drawing().finding()
    }

    /// How to read it.
    #[must_use]
    pub fn about(&self) -> String {
        self.data.drawing().about()
    }

    /// What it shows, for those who cannot see it.
    #[must_use]
    pub fn alt(&self) -> String {
        let table = if self.table().is_some() { "the table that follows" } else { "the table of all cells" };
        format!("{}. {} The numbers are in {table}.", self.finding(), self.about())
    }

    /// The chart as an SVG file that brings its font along.
    ///
    /// # Errors
    /// If the plotting library fails.
    pub fn svg(&self, size: Size, theme: Theme) -> Result<String, PaintError> {
        paint::svg(&self.sheet(size), &self.alt(), theme, Font::Embedded)
    }

    /// The chart as SVG for a page that brings the font.
    pub(crate) fn inline_svg(&self) -> Result<String, PaintError> {
        paint::svg(&self.sheet(Size::Page), &self.alt(), Theme::Light, Font::OfThePage)
    }

    /// The chart as a PNG file of 300 dots per inch.
    ///
    /// # Errors
    /// If the plotting library or the encoder fails.
    pub fn png(&self, size: Size, theme: Theme) -> Result<Vec<u8>, PaintError> {
        paint::png(&self.sheet(size), theme)
    }

    /// Its numbers, where the tables of all cells do not have them.
    #[must_use]
    pub fn table(&self) -> Option<Table> {
        self.data.drawing().table()
    }

    /// The drawing.
    pub(crate) fn sheet(&self, size: Size) -> Sheet {
        let about = self.about();
        let words = Words { finding: self.finding(), about: &about, caption: &self.caption };
        frame::furnished(&words, self.data.drawing().body(size.body()))
    }
}

/// What every chart's data can do.
trait Drawing {
    /// The stem of its file names.
    fn name(&self) -> &'static str;
    /// Its title.
    fn finding(&self) -> &str;
    /// How to read it.
    fn about(&self) -> String;
    /// Its body, so wide.
    fn body(&self, width: f64) -> Sheet;
    /// Its numbers, where the tables of all cells do not have them.
    fn table(&self) -> Option<Table> {
        None
    }
    /// Of how many battles of each cell it is, where only the first were watched.
    fn watched(&self) -> Option<u64> {
        None
    }
}

/// Every chart that the results have the numbers for; none before the first battle.
pub(crate) fn all(reading: &Reading<'_>) -> Vec<Chart> {
    let manifest = &reading.results.manifest;
    if manifest.method == Method::Sampled && manifest.progress.battles == 0 {
        return Vec::new();
    }
    let charts = [
        Shares::of(reading).map(ChartData::Shares),
        Differences::of(reading).map(ChartData::Differences),
        Heat::of(reading).map(ChartData::Heat),
        Curve::of(reading).map(ChartData::Curve),
        Casualties::of(reading).map(ChartData::Casualties),
        Rout::of(reading).map(ChartData::Rout),
        Luck::of(reading).map(ChartData::Luck),
        Morale::of(reading).map(ChartData::Morale),
        Clauses::of(reading).map(ChartData::Clauses),
    ];
    let captioned = |data: ChartData| {
        let caption = match data.drawing().watched() {
            Some(watched) if watched < manifest.progress.battles => made::caption(manifest, Some(watched)),
            _ => made::caption(manifest, None),
        };
        Chart { data, caption }
    };
    charts.into_iter().flatten().map(captioned).collect()
}

/// "The first 60 of 90 cells are shown." when some are not.
fn left_out(shown: usize, all: usize, which: &str) -> String {
    if shown < all { format!(" The {which} {shown} of {all} cells are shown.") } else { String::new() }
}
