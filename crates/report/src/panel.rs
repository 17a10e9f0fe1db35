//! Labels at the ends of lines: each next to its line, moved apart where they would overlap.

use crate::font::{self, Weight};
use crate::look::{SOFT, TEXT, size};
use crate::sheet::{Place, Sheet, Text};

/// The minimum distance between base lines of neighbouring one-line labels.
pub(crate) const LABEL_STEP: f64 = 9.5;

/// Labels of lines.
pub(crate) struct EndLabels {
    /// The widest label's width.
    pub(crate) width: f64,
    names: Vec<Vec<String>>,
}

impl EndLabels {
    /// Labels no wider than `room`, each on one line and cut where necessary.
    pub(crate) fn new(names: impl IntoIterator<Item = String>, room: f64) -> Self {
        let names: Vec<Vec<String>> =
            names.into_iter().map(|name| font::wrap(&name, size::SMALL, Weight::Regular, room, 1)).collect();
        let width = font::widest(names.iter().flatten().map(String::as_str), size::SMALL, Weight::Regular);
        Self { width, names }
    }

    /// Writes each label to the right of its line's end, joined to it by a hairline where it had to move; all stay
    /// within `top..bottom`.
    pub(crate) fn write(&self, sheet: &mut Sheet, ends: &[Place], (top, bottom): (f64, f64)) {
        let wanted: Vec<f64> = ends.iter().map(|&(_, y)| y).collect();
        let middles = apart(&wanted, LABEL_STEP, (top + 3.0, bottom - 1.0));
        for ((&(x, y), middle), name) in ends.iter().zip(middles).zip(&self.names) {
            if (middle - y).abs() > 1.0 {
                sheet.line((x + 2.5, y), (x + 8.5, middle), 0.4, SOFT);
            }
            let first = middle + 0.33 * size::SMALL;
            sheet.write_lines(name, &Text::new("", (x + 10.0, first), size::SMALL, TEXT));
        }
    }
}

/// Positions near `wanted`, at least `step` apart, in the same order, and within `bounds` if they fit.
fn apart(wanted: &[f64], step: f64, (low, high): (f64, f64)) -> Vec<f64> {
    let mut order: Vec<usize> = (0..wanted.len()).collect();
    order.sort_by(|&one, &other| wanted[one].total_cmp(&wanted[other]));
    // Clusters of touching labels, each centred on the positions its members wanted.
    let mut clusters: Vec<(f64, usize)> = Vec::new();
    for &at in &order {
        clusters.push((wanted[at], 1));
        while let [.., (upper, above), (lower, below)] = clusters[..] {
            let gap = step * (above + below) as f64 / 2.0;
            if lower - upper >= gap {
                break;
            }
            let count = above + below;
            let middle = (upper * above as f64 + lower * below as f64) / count as f64;
            let half = step * (count - 1) as f64 / 2.0;
            let middle = middle.min(high - half).max(low + half);
            clusters.truncate(clusters.len() - 2);
            clusters.push((middle, count));
        }
    }
    let mut places = vec![0.0; wanted.len()];
    let mut members = order.into_iter();
    for (middle, count) in clusters {
        let half = step * (count - 1) as f64 / 2.0;
        let middle = middle.min(high - half).max(low + half);
        for nth in 0..count {
            if let Some(at) = members.next() {
                places[at] = middle - half + nth as f64 * step;
            }
        }
    }
    places
}

#[cfg(test)]
mod tests {
    use super::apart;

    #[test]
    fn labels_keep_their_distance_and_order() {
        for wanted in [vec![5.0, 5.0, 5.0], vec![0.0, 1.0, 50.0, 100.0, 100.0], vec![30.0, 10.0, 20.0], vec![]] {
            let places = apart(&wanted, 10.0, (0.0, 100.0));
            let mut sorted: Vec<(f64, f64)> = wanted.iter().copied().zip(places).collect();
            sorted.sort_by(|one, other| one.1.total_cmp(&other.1));
            assert!(sorted.windows(2).all(|pair| pair[1].1 - pair[0].1 >= 10.0 - 1e-9 && pair[0].0 <= pair[1].0));
            assert!(sorted.iter().all(|&(_, place)| (-1e-9..=100.0 + 1e-9).contains(&place)), "{sorted:?}");
        }
    }
}
