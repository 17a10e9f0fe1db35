//! Confidence levels.

use statrs::distribution::{ContinuousCDF, Normal};

/// Confidence level of a two-sided interval: the share of intervals that contain the true value, over many studies.
///
/// Range: 0.5 up to, but not including, 1; 1 for numbers that were computed.
///
/// ```
/// use grognard_stats::Level;
///
/// assert_eq!(Level::default(), Level::P95);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, PartialOrd)]
pub struct Level(f64);

impl Level {
    /// 0.95, the default level.
    pub const P95: Self = Self(0.95);
    /// 0.99.
    pub const P99: Self = Self(0.99);
    /// The level of limits that were computed: no estimate from samples has it.
    pub(crate) const CERTAIN: Self = Self(1.0);

    /// The level, or `None` if it is below 0.5, 1 or more, or not a number.
    ///
    /// ```
    /// use grognard_stats::Level;
    ///
    /// assert_eq!(Level::new(0.99), Some(Level::P99));
    /// assert_eq!([Level::new(0.3), Level::new(1.0), Level::new(f64::NAN)], [None; 3]);
    /// ```
    #[must_use]
    pub fn new(level: f64) -> Option<Self> {
        (0.5..1.0).contains(&level).then_some(Self(level))
    }

    /// The level as a number, in 0.5..1.
    ///
    /// ```
    /// assert_eq!(grognard_stats::Level::P99.get(), 0.99);
    /// ```
    #[must_use]
    pub fn get(self) -> f64 {
        self.0
    }

    /// The chance that the interval misses: 1 − level.
    ///
    /// ```
    /// assert!((grognard_stats::Level::P99.alpha() - 0.01).abs() < 1e-12);
    /// ```
    #[must_use]
    pub fn alpha(self) -> f64 {
        1.0 - self.0
    }

    /// Half-width of the level's interval in standard deviations of a normal estimate: 1.96 for 0.95.
    ///
    /// ```
    /// assert!((grognard_stats::Level::P95.z() - 1.96).abs() < 0.001);
    /// ```
    #[must_use]
    pub fn z(self) -> f64 {
        // By symmetry, minus the lower tail's quantile, whose argument keeps its precision if the level is close to 1.
        -Normal::standard().inverse_cdf(self.alpha() / 2.0)
    }
}

impl Level {
    /// Half-width of the level's interval in standard errors of a mean with `freedom` degrees of freedom (at least 1):
    /// 2.09 for 0.95 and 20.
    ///
    /// ```
    /// assert!((grognard_stats::Level::P95.student(20) - 2.086).abs() < 0.001);
    /// ```
    #[must_use]
    pub fn student(self, freedom: u64) -> f64 {
        crate::tail::student(self, freedom)
    }
}

impl Default for Level {
    fn default() -> Self {
        Self::P95
    }
}
