//! The charts: each is made as data first (series, labels, finding), then drawn.

mod beside;
mod casualties;
mod clauses;
mod counted;
mod curve;
mod differences;
mod distribution;
mod groups;
mod heat;
mod levels;
mod luck;
mod morale;
mod ridge;
mod rout;
mod shares;
mod shift;
mod targets;
mod together;
mod tornado;
mod turns;

use grognard_lab::results::{DRAW, Method, TURNS, WIN};

use crate::frame::Framed;
use crate::look::{Size, Theme, is_exchanged};
use crate::paint::{self, Font, PaintError};
use crate::provenance;
use crate::reading::Reading;
use crate::sentence;
use crate::sheet::Sheet;
use crate::table::Table;

pub use beside::{Part, beside};
pub(crate) use casualties::{METRIC as LOSSES, losses};
pub use clauses::{ClauseRow, Clauses};
pub(crate) use clauses::{often, percent};
pub use curve::{Curve, CurveLine, CurvePanel, CurvePoint, SERIES_MAX};
pub(crate) use differences::change;
pub use differences::{DifferenceRow, Differences};
pub use distribution::{Distribution, DistributionRow};
pub use groups::Group;
pub use heat::{Facet, Heat};
pub use levels::{LevelPanel, Levels};
pub use luck::{Luck, LuckRow};
pub use morale::{Morale, MoraleRow};
pub use rout::{Rout, RoutLine, RoutPanel};
pub use shares::{ShareRow, Shares, Shown};
pub use shift::{Shift, ShiftRow};
pub use targets::{TargetRow, Targets};
pub use together::{PairMap, Together};
pub use tornado::{TORNADO_ROWS, Tornado, TornadoBar, TornadoRow};
pub use turns::{Turns, TurnsRow};

/// A chart, ready to be drawn.
#[derive(Clone, Debug, PartialEq)]
pub struct Chart {
    /// The numbers it shows.
    pub data: ChartData,
    /// Runs, seed, pack and the command that reproduces it.
    pub caption: String,
    /// Whether the sides swap colours because their names are colours.
    pub exchanged: bool,
}

/// The numbers of a chart.
#[derive(Clone, Debug, PartialEq)]
pub enum ChartData {
    /// How often each side won.
    Shares(Shares),
    /// One side's wins over two varied values.
    Heat(Heat),
    /// Losses in a battle.
    Casualties(Distribution),
    /// A metric of the pack, read from the end of a battle.
    Counted(Distribution),
    /// The losses of both sides jointly.
    Together(Together),
    /// When sides broke.
    Rout(Rout),
    /// How long battles last.
    Turns(Turns),
    /// Cells against their baselines.
    Differences(Differences),
    /// A metric over a varied number.
    Curve(Curve),
    /// Morale by turn.
    Morale(Morale),
    /// How often rows that cite clauses were used.
    Clauses(Clauses),
    /// How much of the outcome the dice decided.
    Luck(Luck),
    /// How often intervals hold.
    Levels(Levels),
    /// The effects of changed numbers.
    Tornado(Tornado),
    /// Cells before and after a change.
    Shift(Shift),
    /// Metrics and their targets.
    Targets(Targets),
}

impl ChartData {
    fn drawing(&self) -> &dyn Drawing {
        match self {
            Self::Shares(data) => data,
            Self::Heat(data) => data,
            Self::Casualties(data) | Self::Counted(data) => data,
            Self::Together(data) => data,
            Self::Rout(data) => data,
            Self::Turns(data) => data,
            Self::Differences(data) => data,
            Self::Curve(data) => data,
            Self::Morale(data) => data,
            Self::Clauses(data) => data,
            Self::Luck(data) => data,
            Self::Levels(data) => data,
            Self::Tornado(data) => data,
            Self::Shift(data) => data,
            Self::Targets(data) => data,
        }
    }
}

impl Chart {
    /// The stem of its file names.
    #[must_use]
    pub fn name(&self) -> &str {
        self.data.drawing().name()
    }

    /// The title: a sentence, generated from the numbers, that states the finding.
    #[must_use]
    pub fn finding(&self) -> &str {
        self.data.drawing().finding()
    }

    /// Whether it shows this metric.
    pub(crate) fn is_about(&self, metric: &str) -> bool {
        match &self.data {
            ChartData::Shares(_) | ChartData::Heat(_) | ChartData::Curve(_) => [WIN, DRAW].contains(&metric),
            ChartData::Casualties(_) | ChartData::Together(_) => metric == LOSSES,
            ChartData::Counted(data) => data.name == counted::name_of(metric),
            ChartData::Turns(_) => metric == TURNS,
            ChartData::Rout(_) => metric == "routed",
            _ => false,
        }
    }

    /// The chart for only the cells that the study asks about, if it has a row for each cell and these are not all of
    /// them.
    pub(crate) fn asked_about(&self, reading: &Reading<'_>) -> Option<Self> {
        let cells: Vec<u32> = reading.asked_about().iter().map(|cell| cell.cell).collect();
        if cells.len() == reading.cells().len() {
            return None;
        }
        let data = match &self.data {
            ChartData::Casualties(data) => ChartData::Casualties(data.of_cells(&cells)?),
            ChartData::Counted(data) => ChartData::Counted(data.of_cells(&cells)?),
            _ => return None,
        };
        Some(Self { data, caption: self.caption.clone(), exchanged: self.exchanged })
    }

    /// Gives a map of wins its own title if another chart already has this one.
    pub(crate) fn retitle(&mut self, reading: &Reading<'_>, taken: &str) {
        if let ChartData::Heat(map) = &mut self.data
            && map.finding == taken
        {
            map.finding = sentence::of_wins(reading, true);
        }
    }

    /// How to read it.
    #[must_use]
    pub fn about(&self) -> String {
        self.data.drawing().about()
    }

    /// A description of what it shows, for readers who cannot see it.
    #[must_use]
    pub fn alt(&self) -> String {
        format!("{}. {}", self.finding(), self.about())
    }

    /// The chart as an SVG file with its font embedded.
    ///
    /// # Errors
    /// If the plotting library fails.
    pub fn svg(&self, size: Size, theme: Theme) -> Result<String, PaintError> {
        paint::svg(&self.sheet(size), &self.alt(), theme, Font::Embedded)
    }

    /// The chart as SVG for a page that embeds the font; `alt` describes it and says where its numbers are.
    pub(crate) fn inline_svg(&self, alt: &str) -> Result<String, PaintError> {
        paint::svg(&self.sheet(Size::Page), alt, Theme::Light, Font::OfThePage)
    }

    /// The chart as a PNG file of 300 dots per inch.
    ///
    /// # Errors
    /// If the plotting library or the encoder fails.
    pub fn png(&self, size: Size, theme: Theme) -> Result<Vec<u8>, PaintError> {
        paint::png(&self.sheet(size), theme)
    }

    /// Its numbers, unless the tables of all cells already have them.
    #[must_use]
    pub fn table(&self) -> Option<Table> {
        self.data.drawing().table()
    }

    /// Whether the tables of all cells have its numbers.
    pub(crate) fn is_tabled(&self) -> bool {
        self.data.drawing().is_tabled()
    }

    /// The drawing.
    pub(crate) fn sheet(&self, size: Size) -> Sheet {
        self.framed(size).sheet()
    }

    /// The drawing and the words around it.
    pub(crate) fn framed(&self, size: Size) -> Framed {
        let mut body = self.data.drawing().body(size.body());
        if self.exchanged {
            body.exchange_sides();
        }
        Framed { finding: self.finding().to_owned(), about: self.about(), caption: self.caption.clone(), body }
    }
}

/// The interface of every chart's data.
trait Drawing {
    /// The stem of its file names.
    fn name(&self) -> &str;
    /// Its title.
    fn finding(&self) -> &str;
    /// How to read it.
    fn about(&self) -> String;
    /// Its body at this width.
    fn body(&self, width: f64) -> Sheet;
    /// Its numbers, unless the tables of all cells already have them.
    fn table(&self) -> Option<Table> {
        None
    }
    /// Whether the tables of all cells have its numbers.
    fn is_tabled(&self) -> bool {
        self.table().is_none()
    }
    /// How many battles in each cell it covers, if only the first were watched.
    fn watched(&self) -> Option<u64> {
        None
    }
}

/// Every chart that the results have the numbers for; empty before the first battle.
pub(crate) fn all(reading: &Reading<'_>) -> Vec<Chart> {
    let manifest = &reading.results.manifest;
    if manifest.method == Method::Sampled && manifest.progress.battles == 0 {
        return Vec::new();
    }
    let mut charts = of_wins(reading);
    charts.extend(casualties::casualties(reading).map(ChartData::Casualties));
    charts.extend(counted::counted(reading).into_iter().map(ChartData::Counted));
    charts.extend(
        [
            Together::of(reading).map(ChartData::Together),
            Turns::of(reading).map(ChartData::Turns),
            Rout::of(reading).map(ChartData::Rout),
            Luck::of(reading).map(ChartData::Luck),
            Morale::of(reading).map(ChartData::Morale),
            Clauses::of(reading).map(ChartData::Clauses),
        ]
        .into_iter()
        .flatten(),
    );
    let caption = |data: &ChartData| match data.drawing().watched() {
        Some(watched) if watched < manifest.progress.battles => provenance::caption(manifest, Some(watched)),
        _ => provenance::caption(manifest, None),
    };
    let exchanged = is_exchanged(&manifest.sides);
    let captioned = |data: ChartData| Chart { caption: caption(&data), data, exchanged };
    charts.into_iter().map(captioned).collect()
}

/// The charts of wins, without duplicates: a curve over a varied number if it has all cells; otherwise a map if the
/// grid is large, or else bars. Bars are also shown for cells in which many battles are drawn, since the other charts
/// do not show draws; their title is then about draws. Differences are shown if there are several and no curve shows
/// them.
fn of_wins(reading: &Reading<'_>) -> Vec<ChartData> {
    /// Maximum number of bars that are easy to read; more cells become a map where possible.
    const BARS: usize = 12;
    let cells = reading.cells();
    let curve = Curve::of(reading).filter(|curve| curve.cells() == cells.len());
    let map = Heat::of(reading).filter(|_| curve.is_none() && cells.len() > BARS);
    let bars = match curve.is_some() || map.is_some() {
        true => Shares::beside_wins(reading),
        false => Shares::of(reading),
    };
    let several = reading.comparisons(Some(reading.victor), WIN).len() > 2;
    let differences = Differences::of(reading).filter(|_| several && curve.is_none());
    let charts = [
        curve.map(ChartData::Curve),
        map.map(ChartData::Heat),
        bars.map(ChartData::Shares),
        differences.map(ChartData::Differences),
    ];
    charts.into_iter().flatten().collect()
}

/// The bars of only the cells asked about.
pub(crate) fn asked_about(reading: &Reading<'_>) -> Option<Chart> {
    let shares = Shares::asked_about(reading)?;
    let manifest = &reading.results.manifest;
    let exchanged = is_exchanged(&manifest.sides);
    Some(Chart { caption: provenance::caption(manifest, None), data: ChartData::Shares(shares), exchanged })
}

/// "The first 60 of 90 cells are shown." when some are not.
fn left_out(shown: usize, all: usize, which: &str) -> String {
    if shown < all { format!(" The {which} {shown} of {all} cells are shown.") } else { String::new() }
}
