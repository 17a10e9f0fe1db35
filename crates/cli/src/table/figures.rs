//! Numbers with their errors, and columns of them.

use console::measure_text_width;
use grognard_stats::{Estimate, decimals};

/// The most decimals of a mean: more are of no use for figures on a table.
const MEAN_DECIMALS_MAX: usize = 3;

/// A printed number: the estimate, and its precision.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Figure {
    /// The estimate, with the digits that its interval supports.
    pub(crate) point: String,
    /// `±0.2`, the longer half of the interval; near 0 and 100 its far end, `≤0.02` and `≥99.98`; empty for a
    /// number that was computed.
    pub(crate) error: String,
}

impl Figure {
    /// A share in per cent.
    pub(crate) fn percent(share: &Estimate) -> Self {
        let point = share.percent_point().trim_end_matches(" %").to_owned();
        if share.is_computed() || (share.runs == 0) {
            return Self { point, error: String::new() };
        }
        let half_width = share.half_width();
        // Beside 0 and 1 one half of the interval is much the shorter: its far end says more than its width.
        let error = match places(&point) {
            _ if share.point == 0.0 => format!("≤{}", bound(100.0 * share.high, share)),
            _ if share.point == 1.0 => format!("≥{}", bound(100.0 * share.low, share)),
            places if share.point <= half_width => format!("≤{:.places$}", 100.0 * share.high),
            places if 1.0 - share.point <= half_width => format!("≥{:.places$}", 100.0 * share.low),
            places => format!("±{:.places$}", 100.0 * half_width),
        };
        Self { point, error }
    }

    /// A difference of shares in percentage points, with its sign.
    pub(crate) fn points(difference: &Estimate) -> Self {
        let half_width = 100.0 * difference.half_width();
        let most = if difference.is_computed() { decimals(0.0) } else { usize::MAX };
        let places = decimals(half_width).min(most);
        let size = format!("{:.places$}", 100.0 * difference.point.abs());
        let zero = size.bytes().all(|byte| matches!(byte, b'0' | b'.'));
        let sign = match difference.point {
            _ if zero => "",
            point if point < 0.0 => "−",
            _ => "+",
        };
        let error = if difference.is_computed() { String::new() } else { format!("±{half_width:.places$}") };
        Self { point: format!("{sign}{size}"), error }
    }

    /// A difference of means, with its sign.
    pub(crate) fn signed_mean(difference: &Estimate) -> Self {
        let half_width = difference.half_width();
        let places = decimals(half_width).min(MEAN_DECIMALS_MAX);
        let size = format!("{:.places$}", difference.point.abs());
        let zero = size.bytes().all(|byte| matches!(byte, b'0' | b'.'));
        let sign = match difference.point {
            _ if zero => "",
            point if point < 0.0 => "−",
            _ => "+",
        };
        Self { point: format!("{sign}{size}"), error: format!("±{half_width:.*}", decimals(half_width)) }
    }

    /// A mean.
    pub(crate) fn mean(mean: &Estimate) -> Self {
        if mean.runs == 0 && !mean.is_computed() {
            return Self { point: "?".to_owned(), error: String::new() };
        }
        let error = match mean.half_width() {
            _ if mean.is_computed() => String::new(),
            half_width => format!("±{half_width:.*}", decimals(half_width)),
        };
        if mean.point == 0.0 {
            return Self { point: "0".to_owned(), error };
        }
        let places = decimals(mean.half_width()).min(MEAN_DECIMALS_MAX);
        let sign = if mean.point < 0.0 { "−" } else { "" };
        Self { point: format!("{sign}{:.places$}", mean.point.abs()), error }
    }
}

/// A whole number, with a proper minus sign.
pub(super) fn whole(number: i32) -> String {
    if number < 0 { format!("−{}", number.unsigned_abs()) } else { number.to_string() }
}

/// The end of an interval next to 0 or 100, with one digit more than its distance from there.
fn bound(percent: f64, share: &Estimate) -> String {
    format!("{percent:.*}", decimals(100.0 * share.half_width()) + 1)
}

/// Decimals.
fn places(number: &str) -> usize {
    number.split_once('.').map_or(0, |(_, decimals)| decimals.len())
}

/// Numbers as texts of equal width, with their decimal points aligned.
pub(crate) fn aligned(figures: &[Figure]) -> Vec<String> {
    let parts = |figure: &Figure| {
        let (whole, decimals) = figure.point.split_at(figure.point.find('.').unwrap_or(figure.point.len()));
        (whole.to_owned(), decimals.to_owned())
    };
    let widest = |width: fn(&(String, String)) -> usize| figures.iter().map(parts).map(|parts| width(&parts)).max();
    let whole_width = widest(|(whole, _)| measure_text_width(whole)).unwrap_or(0);
    let decimals_width = widest(|(_, decimals)| decimals.len()).unwrap_or(0);
    let error_width = figures.iter().map(|figure| measure_text_width(&figure.error)).max().unwrap_or(0);
    let line = |figure: &Figure| {
        let (whole, decimals) = parts(figure);
        let gap = if error_width == 0 { "" } else { " " };
        format!("{whole:>whole_width$}{decimals:decimals_width$}{gap}{:error_width$}", figure.error)
    };
    figures.iter().map(line).collect()
}

#[cfg(test)]
mod tests {
    use grognard_stats::{Level, Pairs, share, share_difference};

    use super::*;

    fn percent(count: u64, runs: u64) -> (String, String) {
        let Figure { point, error } = Figure::percent(&share(count, runs, Level::P95));
        (point, error)
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
        assert_eq!((computed.point.as_str(), computed.error.as_str()), ("37.166", ""));
    }

    #[test]
    fn differences_have_signs_unless_they_are_nothing() {
        let of = |cell_only, baseline_only| {
            let pairs = Pairs { both: 0, cell_only, baseline_only, neither: 10_000 - cell_only - baseline_only };
            Figure::points(&share_difference(pairs, Level::P95)).point
        };
        assert_eq!([of(4_000, 0), of(0, 4_000), of(500, 500)], ["+40", "−40", "0.0"]);
    }

    #[test]
    fn decimal_points_stand_below_each_other() {
        let figure = |point: &str, error: &str| Figure { point: point.into(), error: error.into() };
        let column =
            aligned(&[figure("52.2", "±0.7"), figure("0", "≤0.019"), figure("100", ""), figure("0.012", "±0.009")]);
        assert_eq!(column, [" 52.2   ±0.7  ", "  0     ≤0.019", "100           ", "  0.012 ±0.009"]);
        assert_eq!(aligned(&[]), Vec::<String>::new());
    }
}
