//! A number with its error.

use crate::Level;

/// A number with its interval, the interval's level and the number of battles behind it.
///
/// Always finite, with `low <= point <= high`. If nothing was fought (`runs` is 0), the interval is the whole range and
/// the point is its middle. An estimate from samples never has an interval of zero width, so `low == high` means that
/// the number was computed, not sampled.
///
/// ```
/// use grognard_stats::{Estimate, Level};
///
/// let wins = Estimate { point: 0.64, low: 0.61, high: 0.67, level: Level::P95, runs: 1_000 };
/// assert_eq!(wins.percent(), "64 % (61–67)");
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Estimate {
    /// The best single value.
    pub point: f64,
    /// Lower end of the interval.
    pub low: f64,
    /// Upper end of the interval.
    pub high: f64,
    /// The interval's confidence level.
    pub level: Level,
    /// Battles, or pairs of battles, behind the number; 0 also for one that was computed.
    pub runs: u64,
}

impl Estimate {
    /// A number that was computed, not sampled.
    ///
    /// ```
    /// assert_eq!(grognard_stats::Estimate::computed(0.25).half_width(), 0.0);
    /// ```
    #[must_use]
    pub fn computed(point: f64) -> Self {
        Self { point, low: point, high: point, level: Level::default(), runs: 0 }
    }

    /// A number that was computed to a requested precision: it certainly lies between these bounds.
    ///
    /// ```
    /// let wins = grognard_stats::Estimate::bounded(0.5, 0.4, 0.6);
    /// assert!(wins.is_computed() && wins.low < wins.high);
    /// ```
    #[must_use]
    pub fn bounded(point: f64, low: f64, high: f64) -> Self {
        Self { point, low, high, level: Level::CERTAIN, runs: 0 }
    }

    /// Whether the number was computed: it has no error, or bounds between which it certainly lies.
    ///
    /// ```
    /// use grognard_stats::{Estimate, Level};
    ///
    /// let sampled = Estimate { point: 0.5, low: 0.4, high: 0.6, level: Level::P95, runs: 90 };
    /// assert!(Estimate::computed(0.5).is_computed() && !sampled.is_computed());
    /// ```
    #[must_use]
    pub fn is_computed(&self) -> bool {
        self.low == self.high || self.level == Level::CERTAIN
    }

    /// The larger of the distances from the point to the two limits.
    ///
    /// ```
    /// assert_eq!(grognard_stats::Estimate::bounded(0.5, 0.25, 0.625).half_width(), 0.25);
    /// ```
    #[must_use]
    pub fn half_width(&self) -> f64 {
        (self.high - self.point).max(self.point - self.low)
    }

    /// Whether the interval contains `value`.
    ///
    /// ```
    /// let wins = grognard_stats::Estimate::bounded(0.5, 0.4, 0.6);
    /// assert!(wins.holds(0.6) && !wins.holds(0.7));
    /// ```
    #[must_use]
    pub fn holds(&self, value: f64) -> bool {
        (self.low..=self.high).contains(&value)
    }

    /// The estimate of 1 minus this share: the other side's point of view.
    ///
    /// ```
    /// let wins = grognard_stats::Estimate::bounded(0.25, 0.125, 0.5);
    /// assert_eq!(wins.complement(), grognard_stats::Estimate::bounded(0.75, 0.5, 0.875));
    /// ```
    #[must_use]
    pub fn complement(&self) -> Self {
        Self { point: 1.0 - self.point, low: 1.0 - self.high, high: 1.0 - self.low, ..*self }
    }

    /// An estimate whose limits are kept within `bounds` and around the point, despite rounding.
    pub(crate) fn within(point: f64, ends: (f64, f64), bounds: (f64, f64), level: Level, runs: u64) -> Self {
        let point = point.clamp(bounds.0, bounds.1);
        let low = ends.0.clamp(bounds.0, point);
        let high = ends.1.clamp(point, bounds.1);
        Self { point, low, high, level, runs }
    }

    /// The estimate before anything was fought: the middle of `bounds`, with `bounds` as the interval.
    pub(crate) fn unknown(bounds: (f64, f64), level: Level) -> Self {
        Self { point: f64::midpoint(bounds.0, bounds.1), low: bounds.0, high: bounds.1, level, runs: 0 }
    }
}
