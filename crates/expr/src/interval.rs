//! Bounds on a part of an expression, whatever the situation.

use super::kind::Type;
use super::node::Comparison;

/// Minimum and maximum; wide enough that no single operation on values of `i32` overflows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Interval {
    pub(super) min: i64,
    pub(super) max: i64,
}

impl From<(i32, i32)> for Interval {
    fn from((min, max): (i32, i32)) -> Self {
        Interval { min: i64::from(min), max: i64::from(max) }
    }
}

impl Interval {
    /// The bounds as values, or `None` if they do not fit.
    pub(super) fn fit(self) -> Option<(i32, i32)> {
        Some((i32::try_from(self.min).ok()?, i32::try_from(self.max).ok()?))
    }

    /// From the minimum to the maximum of `values`, which must not be empty.
    fn spanning(values: impl IntoIterator<Item = i64>) -> Self {
        let (min, max) = values.into_iter().fold((i64::MAX, i64::MIN), |(min, max), v| (min.min(v), max.max(v)));
        Interval { min, max }
    }

    pub(super) fn negate(self) -> Self {
        Interval { min: -self.max, max: -self.min }
    }

    pub(super) fn absolute(self) -> Self {
        let least = if self.min <= 0 && self.max >= 0 { 0 } else { self.min.abs().min(self.max.abs()) };
        Interval { min: least, max: self.min.abs().max(self.max.abs()) }
    }

    pub(super) fn add(self, other: Self) -> Self {
        Interval { min: self.min + other.min, max: self.max + other.max }
    }

    pub(super) fn multiply(self, other: Self) -> Self {
        let (first, second) = ([self.min, self.max], [other.min, other.max]);
        Interval::spanning(first.into_iter().flat_map(|a| second.map(|b| a * b)))
    }

    /// The bounds after division by a number other than zero.
    pub(super) fn divide(self, divisor: i32) -> Self {
        Interval::spanning([self.min / i64::from(divisor), self.max / i64::from(divisor)])
    }

    /// The bounds of the remainder after division by a number other than zero.
    pub(super) fn remainder(self, divisor: i32) -> Self {
        let most = i64::from(divisor).abs() - 1;
        Interval { min: self.min.clamp(-most, 0), max: self.max.clamp(0, most) }
    }

    pub(super) fn least(self, other: Self) -> Self {
        Interval { min: self.min.min(other.min), max: self.max.min(other.max) }
    }

    pub(super) fn greatest(self, other: Self) -> Self {
        Interval { min: self.min.max(other.min), max: self.max.max(other.max) }
    }

    pub(super) fn or(self, other: Self) -> Self {
        Interval { min: self.min.min(other.min), max: self.max.max(other.max) }
    }

    pub(super) fn is_single(self) -> bool {
        self.min == self.max
    }

    pub(super) fn contains(self, value: i32) -> bool {
        (self.min..=self.max).contains(&i64::from(value))
    }

    /// Are all values between the bounds among `values`, which are sorted and distinct?
    pub(super) fn covered_by(self, values: &[i32]) -> bool {
        let within = values.iter().filter(|value| self.contains(**value)).count();
        i64::try_from(within).is_ok_and(|within| within == self.max - self.min + 1)
    }

    /// Whether the comparison is always or never true, if the bounds alone decide it.
    pub(super) fn decides(self, how: Comparison, other: Self) -> Option<bool> {
        let opposite = |decision: Option<bool>| decision.map(|holds| !holds);
        match how {
            Comparison::Less if self.max < other.min => Some(true),
            Comparison::Less if self.min >= other.max => Some(false),
            Comparison::Equal if self.max < other.min || self.min > other.max => Some(false),
            Comparison::Equal if self.min == self.max && self == other => Some(true),
            Comparison::Less | Comparison::Equal => None,
            Comparison::NotEqual => opposite(self.decides(Comparison::Equal, other)),
            Comparison::GreaterOrEqual => opposite(self.decides(Comparison::Less, other)),
            Comparison::Greater => other.decides(Comparison::Less, self),
            Comparison::LessOrEqual => opposite(other.decides(Comparison::Less, self)),
        }
    }

    /// The bounds in words: `12`, `0 to 40`, `0 to 72 inches`.
    pub(super) fn describe(self, kind: Type<'_>) -> String {
        let value = |value: i64| match kind {
            Type::Length => inches(value),
            Type::Words(words) => usize::try_from(value)
                .ok()
                .and_then(|at| words.get(at))
                .map_or(String::new(), |word| format!("'{word}'")),
            Type::Bool => (value != 0).to_string(),
            Type::Int => value.to_string(),
        };
        let unit = if matches!(kind, Type::Length) { " inches" } else { "" };
        if self.is_single() {
            format!("{}{unit}", value(self.min))
        } else {
            format!("{} to {}{unit}", value(self.min), value(self.max))
        }
    }
}

/// Hundredths of an inch as inches.
fn inches(hundredths: i64) -> String {
    let sign = if hundredths < 0 { "-" } else { "" };
    let (whole, rest) = (hundredths.unsigned_abs() / 100, hundredths.unsigned_abs() % 100);
    match (rest, rest % 10) {
        (0, _) => format!("{sign}{whole}"),
        (_, 0) => format!("{sign}{whole}.{}", rest / 10),
        _ => format!("{sign}{whole}.{rest:02}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Checks every operation on every pair of small intervals against every pair of values within them.
    #[test]
    fn bounds_hold_every_result_and_are_reached() {
        let intervals: Vec<Interval> =
            (-4..=4).flat_map(|min| (min..=4).map(move |max| Interval { min, max })).collect();
        let span = |values: Vec<i64>| Interval::spanning(values);
        for a in &intervals {
            assert_eq!(a.negate(), span((a.min..=a.max).map(|x| -x).collect()));
            assert_eq!(a.absolute(), span((a.min..=a.max).map(i64::abs).collect()));
            for divisor in [-5, -3, -1, 1, 2, 7] {
                let by = i64::from(divisor);
                assert_eq!(a.divide(divisor), span((a.min..=a.max).map(|x| x / by).collect()));
                let (wide, true_span) = (a.remainder(divisor), span((a.min..=a.max).map(|x| x % by).collect()));
                assert!(wide.min <= true_span.min && wide.max >= true_span.max, "{a:?} % {divisor}");
            }
            for b in &intervals {
                let all = |f: fn(i64, i64) -> i64| {
                    span((a.min..=a.max).flat_map(|x| (b.min..=b.max).map(move |y| f(x, y))).collect())
                };
                assert_eq!(a.add(*b), all(|x, y| x + y));
                assert_eq!(a.multiply(*b), all(|x, y| x * y));
                assert_eq!(a.least(*b), all(i64::min));
                assert_eq!(a.greatest(*b), all(i64::max));
                for how in [Comparison::Equal, Comparison::Less, Comparison::GreaterOrEqual, Comparison::LessOrEqual] {
                    let mut outcomes: Vec<bool> = (a.min..=a.max)
                        .flat_map(|x| (b.min..=b.max).map(move |y| how.holds(x as i32, y as i32)))
                        .collect();
                    outcomes.sort_unstable();
                    outcomes.dedup();
                    let only = (outcomes.len() == 1).then(|| outcomes[0]);
                    assert_eq!(a.decides(how, *b), only, "{a:?} {how:?} {b:?}");
                }
            }
        }
    }

    #[test]
    fn lengths_are_told_in_inches() {
        let told: Vec<String> = [0, 150, -25, 5, 7200].map(inches).into();
        assert_eq!(told, ["0", "1.5", "-0.25", "0.05", "72"]);
    }
}
