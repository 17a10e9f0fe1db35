//! Numbers in print, with only the digits that their intervals support.

use crate::Estimate;

/// The maximum number of digits after the point, and the number for a computed value.
const DECIMALS_MAX: usize = 6;
const DECIMALS_COMPUTED: usize = 3;

/// Digits after the point that an uncertainty of `half_width` supports: its own first digit is the last one shown.
///
/// 0.21 gives 1, 0.08 gives 2, 3 gives 0. An uncertainty of 0 gives 3, as for a computed number; the maximum is 6.
#[must_use]
pub fn decimals(half_width: f64) -> usize {
    if !half_width.is_finite() {
        0
    } else if half_width <= 0.0 {
        DECIMALS_COMPUTED
    } else {
        // 0.095 or more rounds to 0.1.
        (-(half_width / 0.95).log10()).ceil().clamp(0.0, DECIMALS_MAX as f64) as usize
    }
}

/// A positive number rounded up to `places` digits after the point; at least the smallest positive number with that
/// many digits. For margins, which must never be understated.
#[must_use]
pub fn rounded_up(value: f64, places: usize) -> f64 {
    let units = 10_f64.powi(i32::try_from(places).unwrap_or(i32::MAX));
    // A floating-point error in a number that needs no rounding must not round it up.
    (value * units - 1e-6).ceil().max(1.0) / units
}

/// The worth of pairing as a multiple of battles, from the variance ratio: `×2.3`, `×130`; a dash if that is unknown,
/// for example if no pair differed.
#[must_use]
pub fn worth(variance_ratio: Option<f64>) -> String {
    match variance_ratio.filter(|ratio| *ratio > 0.0).map(|ratio| 1.0 / ratio) {
        None => "–".to_owned(),
        Some(times) if times < 9.95 => format!("×{times:.1}"),
        Some(times) if times < 1e4 => {
            // Two digits: the pairs that differ do not support more.
            let unit = if times < 99.5 {
                1.0
            } else if times < 995.0 {
                10.0
            } else {
                100.0
            };
            format!("×{:.0}", (times / unit).round() * unit)
        }
        Some(times) => format!("×{times:.0e}"),
    }
}

impl Estimate {
    /// A share in per cent with its interval: `96.1 % (95.9–96.3)`.
    ///
    /// If it happened in none or all of the battles: `0 % (at most 0.0016)`, `100 % (at least 99.9984)`. If computed:
    /// `96.132 % (computed)`. Without battles: `unknown (no battles)`.
    ///
    /// ```
    /// use grognard_stats::{Estimate, Level};
    ///
    /// let wins = Estimate { point: 0.961, low: 0.959, high: 0.963, level: Level::P95, runs: 40_000 };
    /// assert_eq!(wins.percent(), "96.1 % (95.9–96.3)");
    /// ```
    #[must_use]
    pub fn percent(&self) -> String {
        let places = self.places(100.0);
        match self.known() {
            Known::Nothing => "unknown (no battles)".to_owned(),
            Known::Computed => format!("{} % (computed)", self.percent_digits()),
            Known::Sampled if self.point == 0.0 => {
                format!("0 % (at most {})", fixed(100.0 * self.high, places + 1))
            }
            Known::Sampled if self.point == 1.0 => {
                format!("100 % (at least {})", fixed(100.0 * self.low, places + 1))
            }
            Known::Sampled => {
                let one = |share: f64| fixed(100.0 * share, self.percent_places());
                format!("{} % ({}–{})", one(self.point), one(self.low), one(self.high))
            }
        }
    }

    /// A share in per cent without its interval, if the interval is shown next to it: `96.1 %`.
    ///
    /// ```
    /// use grognard_stats::{Estimate, Level};
    ///
    /// let wins = Estimate { point: 0.961, low: 0.959, high: 0.963, level: Level::P95, runs: 40_000 };
    /// assert_eq!(wins.percent_point(), "96.1 %");
    /// ```
    #[must_use]
    pub fn percent_point(&self) -> String {
        if self.known() == Known::Nothing { "?".to_owned() } else { format!("{} %", self.percent_digits()) }
    }

    /// A share in per cent for a sentence: without its interval, `96.1 %`, unless it happened in none or all of the
    /// battles, which must not be read as never or always: `0 % (at most 0.0016)`.
    ///
    /// ```
    /// use grognard_stats::{Estimate, Level};
    ///
    /// let never = Estimate { point: 0.0, low: 0.0, high: 0.000_016, level: Level::P95, runs: 200_000 };
    /// assert_eq!(never.percent_told(), never.percent());
    /// ```
    #[must_use]
    pub fn percent_told(&self) -> String {
        let none_or_all = self.known() == Known::Sampled && (self.point == 0.0 || self.point == 1.0);
        if none_or_all { self.percent() } else { self.percent_point() }
    }

    /// A difference of shares in percentage points: `+48.3 points (+48.1 to +48.5)`.
    ///
    /// ```
    /// use grognard_stats::{Estimate, Level};
    ///
    /// let gain = Estimate { point: 0.483, low: 0.481, high: 0.485, level: Level::P95, runs: 40_000 };
    /// assert_eq!(gain.points(), "+48.3 points (+48.1 to +48.5)");
    /// ```
    #[must_use]
    pub fn points(&self) -> String {
        let places = self.places(100.0);
        let one = |share: f64| signed(100.0 * share, places);
        match self.known() {
            Known::Nothing => "unknown (no battles)".to_owned(),
            Known::Computed => format!("{} points (computed)", one(self.point)),
            Known::Sampled => format!("{} points ({} to {})", one(self.point), one(self.low), one(self.high)),
        }
    }

    /// A count or a mean with its interval: `2.14 (2.12–2.16)`.
    ///
    /// ```
    /// use grognard_stats::{Estimate, Level};
    ///
    /// let losses = Estimate { point: 2.14, low: 2.12, high: 2.16, level: Level::P95, runs: 40_000 };
    /// assert_eq!(losses.plain(), "2.14 (2.12–2.16)");
    /// ```
    #[must_use]
    pub fn plain(&self) -> String {
        let places = self.places(1.0);
        let one = |value: f64| fixed(value, places);
        match self.known() {
            Known::Nothing => "unknown (no battles)".to_owned(),
            Known::Computed => format!("{} (computed)", one(self.point)),
            Known::Sampled if self.low < 0.0 => {
                format!("{} ({} to {})", one(self.point), one(self.low), one(self.high))
            }
            Known::Sampled => format!("{} ({}–{})", one(self.point), one(self.low), one(self.high)),
        }
    }

    /// A difference of means with its interval: `+1.20 (+1.15 to +1.25)`.
    ///
    /// ```
    /// use grognard_stats::{Estimate, Level};
    ///
    /// let more = Estimate { point: 0.5, low: 0.4, high: 0.6, level: Level::P95, runs: 40_000 };
    /// assert!(more.difference().starts_with("+0.5"));
    /// ```
    #[must_use]
    pub fn difference(&self) -> String {
        let places = self.places(1.0);
        let one = |value: f64| signed(value, places);
        match self.known() {
            Known::Nothing => "unknown (no battles)".to_owned(),
            Known::Computed => format!("{} (computed)", one(self.point)),
            Known::Sampled => format!("{} ({} to {})", one(self.point), one(self.low), one(self.high)),
        }
    }

    /// The share's digits; a share that is not 0 or 1 is never printed as 0 or 100.
    fn percent_digits(&self) -> String {
        if self.point == 0.0 || self.point == 1.0 {
            return format!("{:.0}", 100.0 * self.point);
        }
        fixed(100.0 * self.point, self.percent_places())
    }

    /// Digits after the point of a share in per cent: those that the interval supports, and enough that a share other
    /// than 0 or 1 is not printed as 0 or 100.
    fn percent_places(&self) -> usize {
        let places = self.places(100.0);
        let printed: f64 = format!("{:.places$}", 100.0 * self.point).parse().unwrap_or(self.point);
        let extreme = printed == 0.0 || printed == 100.0;
        if extreme { decimals(100.0 * self.point.min(1.0 - self.point)).max(places) } else { places }
    }

    /// Digits after the point that the interval supports, for the number times `scale`; no more than for a computed
    /// number.
    fn places(&self, scale: f64) -> usize {
        let places = decimals(scale * self.half_width());
        if self.is_computed() { places.min(DECIMALS_COMPUTED) } else { places }
    }

    fn known(&self) -> Known {
        if self.is_computed() {
            Known::Computed
        } else if self.runs == 0 {
            Known::Nothing
        } else {
            Known::Sampled
        }
    }
}

#[derive(Clone, Copy, PartialEq)]
enum Known {
    Nothing,
    Computed,
    Sampled,
}

/// `value` with `places` digits after the point; never `-0`.
fn fixed(value: f64, places: usize) -> String {
    let text = format!("{value:.places$}");
    match text.strip_prefix('-') {
        Some(digits) if digits.bytes().all(|byte| matches!(byte, b'0' | b'.')) => digits.to_owned(),
        Some(digits) => format!("\u{2212}{digits}"),
        None => text,
    }
}

/// Like [`fixed`], with its sign unless all its digits are 0.
fn signed(value: f64, places: usize) -> String {
    let text = fixed(value, places);
    let plus = value > 0.0 && text.bytes().any(|byte| (b'1'..=b'9').contains(&byte));
    if plus { format!("+{text}") } else { text }
}
