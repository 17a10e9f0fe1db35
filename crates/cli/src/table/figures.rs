//! Numbers with their errors, and columns of them.

use console::measure_text_width;
use grognard_stats::{Estimate, decimals, rounded_up};

/// The maximum number of decimals of a mean: more would be useless for losses or turns.
const MEAN_DECIMALS_MAX: usize = 3;

/// From this number of battles on, shares and their differences have a decimal, however wide the margins, as in
/// reports.
const SHARP: u64 = 1_000;

/// A number to print: an estimate with its precision, or words in its place.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Figure {
    /// The text printed instead of a number.
    words: String,
    /// The number.
    number: Option<(Quantity, Estimate)>,
    /// Whether its precision is left out.
    bare: bool,
}

/// The kind of a number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Quantity {
    /// A share, in per cent.
    Share,
    /// A difference of shares, in percentage points with its sign.
    Points,
    /// A mean.
    Mean,
    /// A difference of means with its sign.
    Change,
    /// The size of a difference, of shares in percentage points or of means.
    Size { share: bool },
}

impl Quantity {
    fn is_share(self) -> bool {
        matches!(self, Self::Share | Self::Points | Self::Size { share: true })
    }

    /// The factor by which an estimate is multiplied in print.
    fn scale(self) -> f64 {
        if self.is_share() { 100.0 } else { 1.0 }
    }
}

impl Figure {
    /// A share in per cent.
    pub(crate) fn percent(share: &Estimate) -> Self {
        Self::of(Quantity::Share, share)
    }

    /// A difference of shares in percentage points, with its sign.
    pub(crate) fn points(difference: &Estimate) -> Self {
        Self::of(Quantity::Points, difference)
    }

    /// A mean.
    pub(crate) fn mean(mean: &Estimate) -> Self {
        Self::of(Quantity::Mean, mean)
    }

    /// A difference of means, with its sign.
    pub(crate) fn signed_mean(difference: &Estimate) -> Self {
        Self::of(Quantity::Change, difference)
    }

    /// The size of a difference, of shares or of means.
    pub(crate) fn size(size: &Estimate, share: bool) -> Self {
        Self::of(Quantity::Size { share }, size)
    }

    /// Words in place of a number.
    pub(crate) fn words(words: &str) -> Self {
        Self { words: words.to_owned(), ..Self::default() }
    }

    fn of(quantity: Quantity, estimate: &Estimate) -> Self {
        Self { number: Some((quantity, *estimate)), ..Self::default() }
    }

    /// The number without its precision.
    pub(crate) fn bare(self) -> Self {
        Self { bare: true, ..self }
    }

    /// The number on its own, with all digits that its interval supports.
    pub(crate) fn point(&self) -> String {
        self.parts(None).0
    }

    /// Its precision: `±0.2`, the longer half of the interval; near 0 and 100 its far end, `≤0.02` and `≥99.98`; empty for a number that
    /// was computed.
    pub(crate) fn error(&self) -> String {
        self.parts(None).1
    }

    /// The estimate, if it is sampled, and its margin in print.
    fn margin(&self) -> Option<(Quantity, &Estimate, f64)> {
        let (quantity, estimate) = self.number.as_ref()?;
        let sampled = estimate.runs > 0 && !estimate.is_computed();
        sampled.then(|| (*quantity, estimate, quantity.scale() * estimate.half_width()))
    }

    /// Point and error, with as many decimals as its column has.
    fn parts(&self, column: Option<usize>) -> (String, String) {
        let Some((quantity, estimate)) = &self.number else { return (self.words.clone(), String::new()) };
        let (point, error) = match quantity {
            Quantity::Share => share(estimate, column),
            Quantity::Mean => mean(estimate, column),
            Quantity::Points | Quantity::Change | Quantity::Size { .. } => change(*quantity, estimate, column),
        };
        (point, if self.bare { String::new() } else { error })
    }
}

fn share(share: &Estimate, column: Option<usize>) -> (String, String) {
    let alone = share.percent_point().trim_end_matches(" %").to_owned();
    if share.is_computed() || share.runs == 0 {
        return (alone, String::new());
    }
    let half_width = share.half_width();
    let (percent, supported) = (100.0 * share.point, decimals(100.0 * half_width));
    // A share that is not exactly 0 or 100 is never printed as if it were.
    let point = match column {
        None => alone,
        Some(_) if share.point == 0.0 || share.point == 1.0 => alone,
        Some(places) if percent <= unit(places) / 2.0 => format!("<{:.places$}", unit(places)),
        Some(places) if 100.0 - percent <= unit(places) / 2.0 => format!(">{:.places$}", 100.0 - unit(places)),
        Some(places) => format!("{percent:.places$}"),
    };
    let own = places(&point);
    let end = own.max(supported);
    // Near 0 and 1, one half of the interval is much shorter than the other. Its far end then says more than its width,
    // and has its own digits.
    let error = match point.as_bytes().first() {
        _ if share.point == 0.0 => format!("≤{:.*}", supported + 1, 100.0 * share.high),
        _ if share.point == 1.0 => format!("≥{:.*}", supported + 1, 100.0 * share.low),
        Some(b'<') => format!("≤{:.end$}", 100.0 * share.high),
        Some(b'>') => format!("≥{:.end$}", 100.0 * share.low),
        _ if share.point <= half_width => format!("≤{:.own$}", 100.0 * share.high),
        _ if 1.0 - share.point <= half_width => format!("≥{:.own$}", 100.0 * share.low),
        _ => margin(100.0 * half_width, own),
    };
    (point, error)
}

fn mean(mean: &Estimate, column: Option<usize>) -> (String, String) {
    if mean.runs == 0 && !mean.is_computed() {
        return ("?".to_owned(), String::new());
    }
    let half_width = mean.half_width();
    let supported = decimals(half_width);
    let error = match column {
        _ if mean.is_computed() => String::new(),
        _ => margin(half_width, column.unwrap_or(supported)),
    };
    let point = match column.filter(|_| !mean.is_computed()) {
        _ if mean.point == 0.0 => "0".to_owned(),
        Some(places) if 0.0 < mean.point && mean.point <= unit(places) / 2.0 => format!("<{:.places$}", unit(places)),
        places => {
            let sign = if mean.point < 0.0 { "−" } else { "" };
            format!("{sign}{:.*}", places.unwrap_or(supported.min(MEAN_DECIMALS_MAX)), mean.point.abs())
        }
    };
    (point, error)
}

fn change(quantity: Quantity, difference: &Estimate, column: Option<usize>) -> (String, String) {
    let by = quantity.scale();
    let half_width = by * difference.half_width();
    let supported = if difference.is_computed() { decimals(0.0) } else { decimals(half_width) };
    let places = match (column.filter(|_| !difference.is_computed()), quantity) {
        (Some(places), _) => places,
        (None, quantity) if quantity.is_share() => supported,
        (None, _) => supported.min(MEAN_DECIMALS_MAX),
    };
    let size = format!("{:.places$}", by * difference.point.abs());
    let zero = size.bytes().all(|byte| matches!(byte, b'0' | b'.'));
    let sign = match difference.point {
        _ if zero || matches!(quantity, Quantity::Size { .. }) => "",
        point if point < 0.0 => "−",
        _ => "+",
    };
    let error = match column {
        _ if difference.is_computed() => String::new(),
        _ => margin(half_width, column.unwrap_or(supported)),
    };
    (format!("{sign}{size}"), error)
}

/// A margin of error with this many decimals: `±0.7`.
pub(crate) fn margin(half_width: f64, places: usize) -> String {
    format!("±{:.places$}", rounded_up(half_width, places))
}

/// A margin of error on its own, with a second digit if the first is 1: `±1.1`, `±0.7`.
pub(crate) fn margin_alone(half_width: f64) -> String {
    margin(half_width, decimals(half_width / 2.0))
}

/// The smallest positive number with this many decimals.
fn unit(places: usize) -> f64 {
    10_f64.powi(-(places as i32))
}

/// The number of decimals.
fn places(number: &str) -> usize {
    number.split_once('.').map_or(0, |(_, decimals)| decimals.len())
}

/// The decimals of a column: those that its widest margin supports, and at least one for shares of many battles.
fn column_places(figures: &[Figure]) -> usize {
    let sampled = || figures.iter().filter_map(Figure::margin);
    let widest = sampled().map(|(_, _, half_width)| half_width).fold(0.0, f64::max);
    let sharp = sampled().any(|(quantity, estimate, _)| quantity.is_share() && estimate.runs >= SHARP);
    let most = if sampled().all(|(quantity, ..)| quantity.is_share()) { usize::MAX } else { MEAN_DECIMALS_MAX };
    decimals(widest).max(usize::from(sharp)).min(most)
}

/// Numbers as strings of equal width, all with the same number of decimals, and with their decimal points aligned.
pub(crate) fn aligned(figures: &[Figure]) -> Vec<String> {
    let column = column_places(figures);
    let split = |figure: &Figure| {
        let (point, error) = figure.parts(Some(column));
        let (whole, decimals) = point.split_at(point.find('.').unwrap_or(point.len()));
        (whole.to_owned(), decimals.to_owned(), error)
    };
    let parts: Vec<(String, String, String)> = figures.iter().map(split).collect();
    let widest = |text: fn(&(String, String, String)) -> &str| {
        parts.iter().map(|part| measure_text_width(text(part))).max().unwrap_or(0)
    };
    let (whole_width, decimals_width) =
        (widest(|(whole, ..)| whole.as_str()), widest(|(_, decimals, _)| decimals.as_str()));
    let error_width = widest(|(.., error)| error.as_str());
    let gap = if error_width == 0 { "" } else { " " };
    let line = |(whole, decimals, error): &(String, String, String)| {
        format!("{whole:>whole_width$}{decimals:decimals_width$}{gap}{error:error_width$}")
    };
    parts.iter().map(line).collect()
}

#[cfg(test)]
mod tests {
    use grognard_stats::{Level, Pairs, share, share_difference};

    use super::*;

    fn percent(count: u64, runs: u64) -> (String, String) {
        let figure = Figure::percent(&share(count, runs, Level::P95));
        (figure.point(), figure.error())
    }

    #[test]
    fn shares_show_what_is_known_of_them() {
        // Wilson intervals from R, prop.test(correct = FALSE): 10,440 of 20,000 is 0.522 (0.5151 to 0.5289).
        assert_eq!(percent(10_440, 20_000), ("52.2".into(), "±0.7".into()));
        // z² / (n + z²) is 0.000192 for n = 20,000.
        assert_eq!(percent(0, 20_000), ("0".into(), "≤0.019".into()));
        assert_eq!(percent(20_000, 20_000), ("100".into(), "≥99.981".into()));
        // Wilson: 0.04 % (0.007 to 0.145), and its mirror image.
        assert_eq!(percent(2, 5_000), ("0.04".into(), "≤0.15".into()));
        assert_eq!(percent(4_998, 5_000), ("99.96".into(), "≥99.85".into()));
        assert_eq!(percent(0, 0), ("?".into(), String::new()));
        let computed = Figure::percent(&Estimate::computed(2_890.0 / 7_776.0));
        assert_eq!((computed.point().as_str(), computed.error().as_str()), ("37.166", ""));
    }

    fn gain(cell_only: u64, baseline_only: u64) -> Estimate {
        let pairs = Pairs { both: 0, cell_only, baseline_only, neither: 10_000 - cell_only - baseline_only };
        share_difference(pairs, Level::P95)
    }

    #[test]
    fn differences_have_signs_unless_they_are_nothing() {
        let of = |cell_only, baseline_only| Figure::points(&gain(cell_only, baseline_only)).point();
        assert_eq!([of(4_000, 0), of(0, 4_000), of(500, 500)], ["+40", "−40", "0.0"]);
    }

    /// The margins alone would give 52 ±1, 66.1 ±0.9 and 0.04 ≤0.07: three styles in one column.
    #[test]
    fn all_numbers_of_a_column_have_as_many_decimals() {
        let column = |counts: &[u64], runs: u64| {
            let figure = |&count: &u64| Figure::percent(&share(count, runs, Level::P95));
            aligned(&counts.iter().map(figure).collect::<Vec<_>>())
        };
        assert_eq!(
            column(&[5_200, 6_610, 4, 9_999, 0, 10_000, 30], 10_000),
            [
                " 52.0 ±1.0   ",
                " 66.1 ±1.0   ",
                " <0.1 ≤0.10  ",
                ">99.9 ≥99.94 ",
                "  0   ≤0.038 ",
                "100   ≥99.962",
                "  0.3 ±0.2   ",
            ]
        );
        // With few battles, percentages are whole. A share that is small in all cells has enough decimals to differ
        // from 0.
        assert_eq!(column(&[50, 20, 1], 200), ["25 ±7", "10 ±5", "<1 ≤3"].map(str::to_owned));
        assert_eq!(column(&[40, 60], 1_000_000), ["0.004 ±0.002", "0.006 ±0.002"]);
        let points = [gain(4_000, 0), gain(500, 510)].map(|gain| Figure::points(&gain));
        assert_eq!(aligned(&points), ["+40.0 ±1.0", " −0.1 ±0.7"]);
    }

    #[test]
    fn means_of_a_column_have_as_many_decimals() {
        let mean = |point: f64, half: f64| {
            let (low, high) = (point - half, point + half);
            Estimate { point, low, high, level: Level::P95, runs: 10_000 }
        };
        let column = aligned(&[mean(3.35, 0.02), mean(0.003, 0.001), mean(0.0, 0.001)].map(|mean| Figure::mean(&mean)));
        assert_eq!(column, [" 3.35 ±0.02", "<0.01 ±0.01", " 0    ±0.01"]);
        let changes = [mean(-0.5, 0.02), mean(0.001, 0.001)].map(|mean| Figure::signed_mean(&mean));
        assert_eq!(aligned(&changes), ["−0.50 ±0.02", " 0.00 ±0.01"]);
    }

    #[test]
    fn decimal_points_stand_below_each_other() {
        let computed = |share: f64| Figure::percent(&Estimate::computed(share));
        let column = aligned(&[computed(0.522), computed(0.0), computed(1.0), Figure::words("–")]);
        assert_eq!(column, [" 52.200", "  0    ", "100    ", "  –    "]);
        assert_eq!(aligned(&[]), Vec::<String>::new());
    }
}
