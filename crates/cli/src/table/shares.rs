//! A row for each cell: how often each side won, and its losses.

use grognard_lab::Side;
use grognard_lab::results::{CellHeader, DRAW, Method, PromiseKind, Results, SummaryRow, WIN};
use grognard_report::promises;
use grognard_stats::{Estimate, decimals};

use super::figures::{Figure, aligned, margin};
use super::grid::{self, Block, Column};
use super::names::Names;
use super::{Setting, bars};
use crate::text::{plural, shortened};

/// The key of the losses among the metrics.
const LOSSES: &str = "losses";
/// The maximum length of a side's name in a heading.
const SIDE_MAX: usize = 24;

/// The table, with notes on its numbers.
///
/// Varied paths that do not fit side by side become headings of blocks of rows. If that is not enough, losses get a
/// table of their own.
pub(super) fn table(results: &Results, names: &Names<'_>, setting: Setting) -> Vec<String> {
    let cells = &results.manifest.cells;
    let drawn = cells.iter().any(|cell| share(results, cell, None).is_none_or(|share| share.point > 0.0));
    let sides = Side::first(results.manifest.sides.len());
    let mut outcomes: Vec<Column> = sides.iter().map(|&side| outcome(results, Some(side))).collect();
    if drawn {
        // With two sides, draws go between them; with more, draws go last.
        outcomes.insert(if sides.len() == 2 { 1 } else { sides.len() }, outcome(results, None));
    }
    let losses: Vec<Column> = sides.iter().map(|&side| losses(results, side)).collect();

    let together = [&outcomes[..], &losses].concat();
    let (width, drawn_as_bars) = match setting {
        Setting::Text(page) => (page.width, page.bars),
        Setting::Markdown => (usize::MAX, false),
    };
    let shares = cells.iter().map(|cell| share(results, cell, Some(Side::First)).map_or(0.0, |share| share.point));
    let bars = if drawn_as_bars { shares.collect() } else { Vec::new() };
    let subject = format!("{} wins", side_name(results, Side::First));
    let layout = Layout { names, cells, width, subject, bars };
    if setting == Setting::Markdown {
        let mut lines = grid::markdown(&layout.columns(&together, 0));
        lines.extend([String::new(), grid::escaped(&legend(results, names, drawn).join(" "))]);
        return lines;
    }
    let mut lines = Vec::new();
    match layout.lines(&together) {
        Some(whole) => lines.extend(whole),
        None => {
            lines.extend(layout.lines(&outcomes).unwrap_or_else(|| layout.lines_within(&outcomes, 0)));
            lines.push(String::new());
            let layout = Layout { bars: Vec::new(), ..layout };
            lines.extend(layout.lines(&losses).unwrap_or_else(|| layout.lines_within(&losses, 0)));
        }
    }
    lines.push(String::new());
    lines.extend(legend(results, names, drawn));
    lines
}

/// The cells with these numbers, with no more block headings than necessary.
pub(super) fn beside_cells(results: &Results, names: &Names<'_>, setting: Setting, numbers: &[Column]) -> Vec<String> {
    let cells = &results.manifest.cells;
    let layout = |width| Layout { names, cells, width, subject: String::new(), bars: Vec::new() };
    match setting {
        Setting::Text(page) => {
            let layout = layout(page.width);
            layout.lines(numbers).unwrap_or_else(|| layout.lines_within(numbers, 0))
        }
        Setting::Markdown => grid::markdown(&layout(usize::MAX).columns(numbers, 0)),
    }
}

/// How cells and numbers are formatted.
struct Layout<'a> {
    names: &'a Names<'a>,
    cells: &'a [CellHeader],
    /// The available width.
    width: usize,
    /// The heading of the bars.
    subject: String,
    /// The first side's share of wins in each cell, drawn if there is room; empty for none.
    bars: Vec<f64>,
}

impl Layout<'_> {
    /// The cells with these numbers, with no more block headings than necessary; `None` if that is too wide.
    fn lines(&self, numbers: &[Column]) -> Option<Vec<String>> {
        let most = self.names.columns().len().saturating_sub(1);
        let outer = (0..=most).find(|&outer| grid::width(&self.columns(numbers, outer)) <= self.width)?;
        Some(self.lines_within(numbers, outer))
    }

    /// The lines with the first `outer` varied paths as headings.
    fn lines_within(&self, numbers: &[Column], outer: usize) -> Vec<String> {
        let varied = self.names.columns();
        let blocks = blocks(self.names, self.cells, &varied[..outer], varied.first().copied());
        let mut columns = self.columns(numbers, outer);
        columns.extend(bars::column(
            &self.subject,
            &self.bars,
            self.width.saturating_sub(grid::width(&columns) + grid::GAP),
        ));
        grid::lines(&columns, &blocks)
    }

    fn columns(&self, numbers: &[Column], outer: usize) -> Vec<Column> {
        let mut columns = vec![numbered(self.cells)];
        let inner = self.names.columns().split_off(outer);
        columns.extend(inner.into_iter().map(|place| values(self.names, self.cells, place)));
        if self.names.labelled {
            columns.push(Column::new("", self.cells.iter().map(|cell| self.names.label(cell)).collect()));
        }
        columns.extend_from_slice(numbers);
        columns
    }
}

fn share(results: &Results, cell: &CellHeader, side: Option<Side>) -> Option<Estimate> {
    results.estimate(cell.cell, side, if side.is_some() { WIN } else { DRAW }).map(SummaryRow::estimate)
}

pub(super) fn side_name(results: &Results, side: Side) -> String {
    shortened(results.manifest.side_names()[side], SIDE_MAX)
}

fn numbered(cells: &[CellHeader]) -> Column {
    Column::new("cell", cells.iter().map(|cell| cell.cell.to_string()).collect()).right()
}

fn values(names: &Names<'_>, cells: &[CellHeader], place: usize) -> Column {
    let column = Column::new(&names.path(place), cells.iter().map(|cell| names.value(cell, place)).collect());
    if names.numeric(place) { column.right() } else { column }
}

fn outcome(results: &Results, side: Option<Side>) -> Column {
    let figure =
        |cell: &CellHeader| share(results, cell, side).map_or_else(Figure::default, |share| Figure::percent(&share));
    let figures: Vec<Figure> = results.manifest.cells.iter().map(figure).collect();
    let head = side.map_or_else(|| "drawn".to_owned(), |side| format!("{}\nwins", side_name(results, side)));
    Column::new(&head, aligned(&figures))
}

fn losses(results: &Results, side: Side) -> Column {
    let figure = |cell: &CellHeader| {
        let mean = results.estimate(cell.cell, Some(side), LOSSES).map(SummaryRow::estimate);
        // The error is given below the table, once for all of them.
        mean.map_or_else(Figure::default, |mean| Figure::mean(&mean).bare())
    };
    let figures: Vec<Figure> = results.manifest.cells.iter().map(figure).collect();
    Column::new(&format!("{}\nloses", side_name(results, side)), aligned(&figures))
}

/// The rows in blocks with the same values at the `outer` paths, or else at the `first` path.
fn blocks(names: &Names<'_>, cells: &[CellHeader], outer: &[usize], first: Option<usize>) -> Vec<Block> {
    let mut blocks: Vec<(String, Block)> = Vec::new();
    for (row, cell) in cells.iter().enumerate() {
        let heading = outer.iter().map(|&place| names.words(cell, place)).collect::<Vec<_>>().join(", ");
        let key = if outer.is_empty() {
            first.map_or_else(String::new, |place| names.value(cell, place))
        } else {
            heading.clone()
        };
        match blocks.last_mut() {
            Some((known, block)) if *known == key => block.rows.push(row),
            _ => blocks.push((key, Block { heading, rows: vec![row] })),
        }
    }
    blocks.into_iter().map(|(_, block)| block).collect()
}

/// Notes on the numbers and their precision.
fn legend(results: &Results, names: &Names<'_>, drawn: bool) -> Vec<String> {
    let manifest = &results.manifest;
    let mut lines = Vec::new();
    let same = (0..manifest.vary.len()).filter(|&place| !names.labelled && manifest.vary[place].values.len() == 1);
    let told = same.filter_map(|place| Some(names.full_words(manifest.cells.first()?, place)));
    lines.extend(told.map(|words| format!("In every cell: {words}.")));
    let idle = results.without_effect().into_iter().filter(|_| !names.labelled);
    lines.extend(
        idle.map(|place| format!("{} makes no difference: every value has the same results.", names.path(place))),
    );
    if manifest.method == Method::Exact {
        lines.push(
            "Per cent of battles, losses in figures per battle; exact: every possible battle is counted.".to_owned(),
        );
        let width =
            |cell: &CellHeader| share(results, cell, Some(Side::First)).map_or(0.0, |share| share.high - share.low);
        let left_out = manifest.cells.iter().map(width).fold(0.0, f64::max);
        if left_out > 0.0 {
            let share = format!("{:.1e} of all battles", left_out);
            lines.push(format!("The least likely are left out, {share} at most; every digit shown is still correct."));
        }
        if !drawn {
            lines.push("No battle can be drawn.".to_owned());
        }
        return lines;
    }
    let level = 100.0 * manifest.level;
    let both_ways = results.tallies.iter().any(|tally| tally.rounds.is_some());
    let wilson = if manifest.promise.kind == PromiseKind::Wilson { "Wilson " } else { "" };
    lines.push(format!("Per cent of battles; ± is the {level} % {wilson}margin of error (≤, ≥: one-sided limit)."));
    lines.extend(promises(manifest, both_ways));
    lines.extend(precision_missed(results));
    let mean = |cell: &CellHeader, side| results.estimate(cell.cell, Some(side), LOSSES).map(SummaryRow::estimate);
    let sides = Side::first(manifest.sides.len());
    let worst = manifest.cells.iter().flat_map(|cell| sides.iter().filter_map(move |&side| mean(cell, side)));
    if let Some(worst) = worst.max_by(|one, other| one.half_width().total_cmp(&other.half_width())) {
        lines.push(format!("Losses in figures per battle, {} at most.", Figure::mean(&worst).error()));
    }
    if !drawn {
        let most = manifest.cells.iter().filter_map(|cell| share(results, cell, None));
        if let Some(most) = most.max_by(|one, other| one.high.total_cmp(&other.high)) {
            lines.push(format!("No battle was drawn ({} %).", Figure::percent(&most).error()));
        }
    }
    lines
}

/// A note that the battles were not enough for the precision requested, with the precision reached.
pub(crate) fn precision_missed(results: &Results) -> Option<String> {
    let (asked, widest) = results.precision_missed()?;
    // One digit more than requested, rounded up so that it never looks as if the requested precision was reached.
    let places = decimals(100.0 * asked) + 1;
    let widest = margin(100.0 * widest, places);
    Some(format!(
        "The requested precision, ±{:.places$}, was not reached in {}: the least precise share has {widest}.",
        100.0 * asked,
        plural(results.manifest.progress.battles, "battle")
    ))
}
