//! Where a curve of estimates crosses a value.

use grognard_stats::Estimate;

/// A value of a number, with the metric there.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct Tried {
    /// The number, in thousandths.
    pub value: i64,
    /// The metric.
    pub metric: Estimate,
}

/// Two values of a number between which the metric crosses its target. At no value between them is it clear on which
/// side of the target the metric lies.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Crossing {
    /// The value at which the metric certainly lies below the target.
    pub below: Tried,
    /// The value at which it certainly lies above it.
    pub above: Tried,
    /// The values between them, at which the interval contains the target: the data are consistent with meeting it.
    pub even: Vec<Tried>,
    /// Where the curve through the points crosses the target.
    pub at: Crosspoint,
}

/// A position on the axis of a number, in its own unit, with its interval: the range in which the target lies within
/// the band of the curve.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct Crosspoint {
    /// Where the straight lines between the points cross the target.
    pub value: f64,
    /// The lower limit.
    pub low: f64,
    /// The upper limit.
    pub high: f64,
}

/// On which side of the target an estimate certainly lies.
fn side(metric: &Estimate, target: f64) -> Option<bool> {
    if metric.low > target {
        Some(true)
    } else if metric.high < target {
        Some(false)
    } else {
        None
    }
}

/// Where a curve crosses a target; `points` are in ascending order of value.
#[must_use]
pub fn crossings(points: &[Tried], target: f64) -> Vec<Crossing> {
    let mut crossings = Vec::new();
    let mut before: Option<(usize, bool)> = None;
    for (at, point) in points.iter().enumerate() {
        let Some(above) = side(&point.metric, target) else { continue };
        if let Some((from, was_above)) = before
            && was_above != above
        {
            crossings.push(crossing(&points[from..=at], above, target));
        }
        before = Some((at, above));
    }
    crossings
}

/// The crossing of a piece of the curve whose ends lie on different sides of the target.
fn crossing(piece: &[Tried], rises: bool, target: f64) -> Crossing {
    let (first, last) = (piece[0], piece[piece.len() - 1]);
    let sign = if rises { 1.0 } else { -1.0 };
    // Where the curve through these points first reaches the target.
    let reached = |height: &dyn Fn(&Estimate) -> f64| {
        let over = |point: &Tried| sign * (height(&point.metric) - target);
        let pairs = piece.windows(2).find(|pair| over(&pair[0]) <= 0.0 && over(&pair[1]) >= 0.0);
        let [one, other] = pairs.map_or([first, last], |pair| [pair[0], pair[1]]);
        let (below, above) = (over(&one), over(&other));
        let part = if above > below { -below / (above - below) } else { 0.0 };
        (one.value as f64 + part.clamp(0.0, 1.0) * (other.value - one.value) as f64) / 1e3
    };
    let nearer = |metric: &Estimate| if rises { metric.high } else { metric.low };
    let farther = |metric: &Estimate| if rises { metric.low } else { metric.high };
    let at = Crosspoint { value: reached(&|metric| metric.point), low: reached(&nearer), high: reached(&farther) };
    let at = Crosspoint { low: at.low.min(at.value), high: at.high.max(at.value), ..at };
    let (below, above) = if rises { (first, last) } else { (last, first) };
    Crossing { below, above, even: piece[1..piece.len() - 1].to_vec(), at }
}
