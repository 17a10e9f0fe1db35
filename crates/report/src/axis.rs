//! Axes: maps values to positions and chooses where the numbers go.

/// A linear axis.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Axis {
    /// Minimum and maximum values shown.
    values: (f64, f64),
    /// Positions of those values on the sheet.
    places: (f64, f64),
}

impl Axis {
    /// Creates an axis that puts `values` at `places`, with some room around equal values.
    pub(crate) fn new(values: (f64, f64), places: (f64, f64)) -> Self {
        let values = if values.1 > values.0 { values } else { (values.0 - 0.5, values.0 + 0.5) };
        Self { values, places }
    }

    /// Position of `value`, clamped to the ends of the axis.
    pub(crate) fn at(&self, value: f64) -> f64 {
        let part = ((value - self.values.0) / (self.values.1 - self.values.0)).clamp(0.0, 1.0);
        self.places.0 + part * (self.places.1 - self.places.0)
    }

    /// About `count` round values to label.
    pub(crate) fn ticks(&self, count: usize) -> Vec<f64> {
        let step = round_step((self.values.1 - self.values.0) / count.max(1) as f64);
        let first = (self.values.0 / step - 1e-9).ceil() as i64;
        let last = (self.values.1 / step + 1e-9).floor() as i64;
        (first..=last).map(|nth| nth as f64 * step).collect()
    }
}

/// The axis from the smallest to the largest of `values`, widened to round numbers.
pub(crate) fn rounded(low: f64, high: f64, count: usize) -> (f64, f64) {
    let (low, high) = if high > low { (low, high) } else { (low - 0.5, low + 0.5) };
    let step = round_step((high - low) / count.max(1) as f64);
    ((low / step).floor() * step, (high / step).ceil() * step)
}

/// 1, 2 or 5 times a power of ten, not below `least`.
fn round_step(least: f64) -> f64 {
    if !(least.is_finite() && least > 0.0) {
        return 1.0;
    }
    let power = 10_f64.powf(least.log10().floor());
    let factor = least / power;
    let nice = [1.0, 2.0, 5.0, 10.0].into_iter().find(|&nice| factor <= nice * (1.0 + 1e-9)).unwrap_or(10.0);
    nice * power
}

/// A tick's number, with no more digits than it needs and a true minus.
pub(crate) fn number(value: f64) -> String {
    let rounded = (value * 1e6).round() / 1e6;
    let text = format!("{}", if rounded == 0.0 { 0.0 } else { rounded });
    text.replace('-', "\u{2212}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ticks_are_round_and_inside() {
        assert_eq!(Axis::new((0.0, 100.0), (0.0, 1.0)).ticks(4), [0.0, 50.0, 100.0]);
        assert_eq!(Axis::new((0.0, 7.0), (0.0, 1.0)).ticks(7).len(), 8);
        assert_eq!(Axis::new((-1.0, 1.0), (0.0, 1.0)).ticks(4), [-1.0, -0.5, 0.0, 0.5, 1.0]);
        assert_eq!(rounded(-3.2, 47.0, 6), (-10.0, 50.0));
    }

    #[test]
    fn one_value_stands_in_the_middle() {
        assert_eq!(Axis::new((3.0, 3.0), (0.0, 10.0)).at(3.0), 5.0);
        assert_eq!(rounded(3.0, 3.0, 2), (2.5, 3.5));
    }

    #[test]
    fn numbers_are_short() {
        assert_eq!(
            (number(0.30000000000000004), number(-2.0), number(-0.0)),
            ("0.3".into(), "\u{2212}2".into(), "0".into())
        );
    }
}
