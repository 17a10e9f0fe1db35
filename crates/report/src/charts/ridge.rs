//! Distributions in rows: stepped outlines above a base line, all to one vertical scale.

use grognard_stats::Estimate;

use crate::axis::{Axis, number};
use crate::look::{Dash, Form, Ink, RULE, SOFT, TEXT, size};
use crate::sheet::{Anchor, Mark, Sheet, Text};

/// The position of a distribution on the sheet.
pub(super) struct Ridge<'a> {
    /// Maps values to positions.
    pub(super) axis: &'a Axis,
    /// The height of a share of zero.
    pub(super) floor: f64,
    /// How far above the floor the largest share of the scale is.
    pub(super) tall: f64,
    /// The largest share of the scale.
    pub(super) top: f64,
}

/// The end of the scale for these distributions: the largest share of any value, rounded up.
pub(super) fn top<'a>(distributions: impl Iterator<Item = &'a [(i32, f64)]>) -> f64 {
    let most = distributions.flatten().map(|&(_, share)| share).fold(0.0, f64::max);
    [0.1, 0.2, 0.4, 0.6, 0.8].into_iter().find(|&top| most <= top).unwrap_or(1.0)
}

/// Whether these distributions show nothing: apart from a share too small to be seen, all battles have one value, the
/// same in each distribution.
pub(super) fn is_flat(distributions: &[&[(i32, f64)]]) -> bool {
    /// A share below this would be drawn lower than the thickness of a line.
    const UNSEEN: f64 = 0.02;
    let usual = |shares: &[(i32, f64)]| {
        let most = shares.iter().max_by(|one, other| one.1.total_cmp(&other.1));
        most.filter(|(_, share)| *share > 1.0 - UNSEEN).map(|&(value, _)| value)
    };
    let first = distributions.first().map(|shares| usual(shares));
    first.is_none_or(|first| first.is_some() && distributions.iter().all(|shares| usual(shares) == first))
}

/// Writes the scale for the height of rows: a bar of that height, labelled with its share.
pub(super) fn draw_scale(sheet: &mut Sheet, tall: f64, top: f64) {
    let (high, low) = (sheet.height + 1.0, sheet.height + 1.0 + tall);
    for y in [high, low] {
        sheet.line((0.0, y), (4.0, y), 0.7, SOFT);
    }
    sheet.line((2.0, high), (2.0, low), 0.7, SOFT);
    let words = format!("{:.0} % of battles", 100.0 * top);
    sheet.write(Text::new(words, (7.0, f64::midpoint(high, low) + 3.0), size::SMALL, SOFT));
    sheet.height = low + 4.0;
}

/// Draws a rule from top to bottom at each whole number that has room on an axis as wide as `ends`, and writes the
/// numbers under the rules. The rules are placed below all marks from index `rules` on.
pub(super) fn draw_ticks(sheet: &mut Sheet, axis: &Axis, ends: (f64, f64), (top, bottom): (f64, f64), rules: usize) {
    for tick in axis.ticks(((ends.1 - ends.0) / 28.0) as usize).into_iter().filter(|tick| tick.fract() == 0.0) {
        let x = axis.at(tick);
        let rule = Mark::Line { through: vec![(x, top), (x, bottom)], width: 0.4, ink: RULE, dash: Dash::Solid };
        sheet.marks.insert(rules, rule);
        sheet.write(Text::new(number(tick), (x, bottom + 9.0), size::SMALL, SOFT).anchored(Anchor::Middle));
    }
}

impl Ridge<'_> {
    /// Draws the share of each value as a step.
    pub(super) fn draw(&self, sheet: &mut Sheet, shares: &[(i32, f64)], ink: Ink) {
        let start = self.axis.at(f64::MIN);
        sheet.line((start, self.floor), (start, self.floor - self.tall), 0.4, RULE);
        let Some((&(low, _), &(high, _))) = shares.first().zip(shares.last()) else { return };
        let mut outline = vec![(self.axis.at(f64::from(low) - 0.5), self.floor)];
        for value in low..=high {
            let share = shares.binary_search_by_key(&value, |&(value, _)| value).map_or(0.0, |at| shares[at].1);
            let y = self.floor - share / self.top * self.tall;
            // A flat stretch becomes a single line, however many values it spans.
            if outline.len() > 2 && outline.last().is_some_and(|last| last.1 == y) {
                outline.pop();
                outline.push((self.axis.at(f64::from(value) + 0.5), y));
                continue;
            }
            outline.push((self.axis.at(f64::from(value) - 0.5), y));
            outline.push((self.axis.at(f64::from(value) + 0.5), y));
        }
        outline.push((self.axis.at(f64::from(high) + 0.5), self.floor));
        sheet.marks.push(Mark::Area { outline: outline.clone(), ink: ink.tint(0.45) });
        sheet.path(outline, 0.6, ink, Dash::Solid);
    }

    /// Marks the mean with its interval.
    pub(super) fn draw_mean(&self, sheet: &mut Sheet, mean: &Estimate) {
        let y = self.floor - 2.6;
        if !mean.is_computed() {
            sheet.line((self.axis.at(mean.low), y), (self.axis.at(mean.high), y), 1.2, TEXT);
        }
        sheet.dot((self.axis.at(mean.point), y), 1.8, Form::Disc, TEXT, true);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_lies_at_one_value_shows_nothing() {
        let (still, rare, moved): (&[_], &[_], &[_]) = (&[(0, 1.0)], &[(0, 0.99), (4, 0.01)], &[(4, 1.0)]);
        let split: &[_] = &[(0, 0.97), (4, 0.03)];
        assert!(is_flat(&[]) && is_flat(&[still]) && is_flat(&[still, rare]) && is_flat(&[moved, moved]));
        assert!(!is_flat(&[still, split]) && !is_flat(&[split]) && !is_flat(&[still, moved]));
    }

    #[test]
    fn one_scale_holds_all_distributions() {
        let (flat, peaked): (&[_], &[_]) = (&[(0, 0.5), (1, 0.5)], &[(3, 0.95), (4, 0.05)]);
        assert_eq!(top([flat].into_iter()), 0.6);
        assert_eq!(top([flat, peaked].into_iter()), 1.0);
        assert_eq!(top(std::iter::empty()), 0.1);
        let axis = Axis::new((-0.5, 5.5), (0.0, 60.0));
        let mut sheet = Sheet::new(60.0);
        Ridge { axis: &axis, floor: 100.0, tall: 20.0, top: 1.0 }.draw(&mut sheet, flat, TEXT);
        let Some(Mark::Area { outline, .. }) = sheet.marks.get(1) else { panic!("an area") };
        // Half of the battles take up half of the height.
        assert_eq!(outline.iter().map(|place| place.1).fold(f64::MAX, f64::min), 90.0);
    }
}
