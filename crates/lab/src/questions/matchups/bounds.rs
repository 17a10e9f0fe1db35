//! Bounds on weights: the equilibria of all tables that the intervals of the scores allow.

use std::collections::BTreeMap;

use grognard_stats::Estimate;

use super::game::{cyclic_share, equilibrium, greatest};

/// The amount by which every interval is widened on each side: far more than rounding, and far less than any requested
/// precision.
const MARGIN: f64 = 1e-6;
/// Scores that differ by no more than this count as equal.
const SAME: f64 = 1e-9;

/// Whether a choice has any weight if both sides choose perfectly.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Use {
    /// It has weight for all scores within their intervals.
    Sure,
    /// It has weight for some of them, or may have.
    Open,
    /// It has no weight for any of them.
    Never,
}

/// Bounds on the weights and the cyclic share.
///
/// If all scores lie within their intervals, every equilibrium (there may be several for the same scores) has its
/// weights between these bounds.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Spread {
    /// The limits of the weight of each row.
    pub rows: Vec<(f64, f64)>,
    /// The limits of the weight of each column.
    pub columns: Vec<(f64, f64)>,
    /// Whether each row is chosen at all; for equal rows, whether any of them is.
    pub rows_used: Vec<Use>,
    /// Whether each column is chosen at all; for equal columns, whether any of them is.
    pub columns_used: Vec<Use>,
    /// Rows with the same score against every column, by index.
    pub row_ties: Vec<Vec<usize>>,
    /// Columns with the same score against every row, by index.
    pub column_ties: Vec<Vec<usize>>,
    /// The limits of the cyclic share.
    pub cyclic: Option<(f64, f64)>,
}

/// Groups of choices with the same results against every choice of the other side.
pub(super) struct Groups(Vec<Vec<usize>>);

impl Groups {
    /// Groups of equal lines.
    fn of(lines: &[Vec<Estimate>]) -> Self {
        let same = |one: &Vec<Estimate>, other: &Vec<Estimate>| {
            let ends = |one: &Estimate, other: &Estimate| {
                [one.point - other.point, one.low - other.low, one.high - other.high].iter().all(|by| by.abs() <= SAME)
            };
            one.iter().zip(other).all(|(one, other)| ends(one, other))
        };
        let mut groups: Vec<Vec<usize>> = Vec::new();
        for (at, line) in lines.iter().enumerate() {
            match groups.iter_mut().find(|group| same(&lines[group[0]], line)) {
                Some(group) => group.push(at),
                None => groups.push(vec![at]),
            }
        }
        Self(groups)
    }

    /// Assigns the result for each group to its choices, given the size of the group.
    fn spread<T: Copy, U>(&self, known: &[T], each: impl Fn(T, usize) -> U) -> Vec<U> {
        let all: BTreeMap<usize, U> = self
            .0
            .iter()
            .zip(known)
            .flat_map(|(group, &known)| group.iter().map(move |&at| (at, known, group.len())))
            .map(|(at, known, count)| (at, each(known, count)))
            .collect();
        all.into_values().collect()
    }

    fn ties(&self) -> Vec<Vec<usize>> {
        self.0.iter().filter(|group| group.len() > 1).cloned().collect()
    }
}

/// A table in which equal choices appear only once.
pub(super) struct Merged {
    rows: Groups,
    columns: Groups,
    scores: Vec<Vec<Estimate>>,
}

/// A side's choices against those of the other side. The side minimises.
struct Chooser {
    /// The minimum and maximum gain of each choice of the other side, for each of the side's own choices.
    least: Vec<Vec<f64>>,
    most: Vec<Vec<f64>>,
    /// Bounds on the value of the game.
    value: (f64, f64),
}

impl Merged {
    pub(super) fn of(scores: &[Vec<Estimate>]) -> Self {
        let columns = scores.first().map_or(0, Vec::len);
        let turned: Vec<Vec<Estimate>> =
            (0..columns).map(|column| scores.iter().map(|row| row[column]).collect()).collect();
        let (rows, columns) = (Groups::of(scores), Groups::of(&turned));
        let line = |row: &Vec<usize>| columns.0.iter().map(|column| scores[row[0]][column[0]]).collect();
        let scores = rows.0.iter().map(line).collect();
        Self { rows, columns, scores }
    }

    fn table(&self, of: impl Fn(&Estimate) -> f64) -> Vec<Vec<f64>> {
        self.scores.iter().map(|row| row.iter().map(&of).collect()).collect()
    }

    /// The equilibrium by point estimates: equal choices have the same weight.
    pub(super) fn best(&self) -> super::Equilibrium {
        let best = equilibrium(&self.table(|score| score.point));
        let each = |weight: f64, count: usize| weight / count as f64;
        super::Equilibrium {
            rows: self.rows.spread(&best.rows, each),
            columns: self.columns.spread(&best.columns, each),
            value: best.value,
        }
    }

    /// Bounds on the value of the game.
    pub(super) fn value(&self) -> (f64, f64) {
        (equilibrium(&self.table(|score| score.low)).value, equilibrium(&self.table(|score| score.high)).value)
    }

    /// Bounds on the weights if the value of the game lies within these bounds.
    pub(super) fn bounds(&self, value: (f64, f64)) -> Spread {
        let (least, most) = (self.table(|score| score.low - MARGIN), self.table(|score| score.high + MARGIN));
        let value = (value.0 - MARGIN, value.1 + MARGIN);
        // Both sides are treated as minimising: the rows minimise what the columns get.
        let taken = |table: &[Vec<f64>]| -> Vec<Vec<f64>> {
            let columns = 0..table.first().map_or(0, Vec::len);
            columns.map(|column| table.iter().map(|row| 1.0 - row[column]).collect()).collect()
        };
        let rows = Chooser { least: taken(&most), most: taken(&least), value: (1.0 - value.1, 1.0 - value.0) };
        let columns = Chooser { least, most, value };
        let mut uses = [vec![Use::Open; self.rows.0.len()], vec![Use::Open; self.columns.0.len()]];
        loop {
            let before = uses.clone();
            uses[0] = columns.answered(&uses[1], &uses[0]);
            uses[1] = rows.answered(&uses[0], &uses[1]);
            uses[0] = rows.used(&uses[0], &uses[1]);
            uses[1] = columns.used(&uses[1], &uses[0]);
            if uses == before {
                break;
            }
        }
        let best = self.best();
        let ends = |chooser: &Chooser, groups: &Groups, own: usize, weights: &[f64]| -> Vec<(f64, f64)> {
            let ends = chooser.weights(&uses[own], &uses[1 - own]);
            // Equal choices can replace each other.
            let ends = groups.spread(&ends, |(low, high), count| (if count > 1 { 0.0 } else { low }, high));
            ends.into_iter().zip(weights).map(|((low, high), &weight)| (low.min(weight), high.max(weight))).collect()
        };
        let used = |groups: &Groups, own: usize| groups.spread(&uses[own], |used, _| used);
        Spread {
            rows: ends(&rows, &self.rows, 0, &best.rows),
            columns: ends(&columns, &self.columns, 1, &best.columns),
            rows_used: used(&self.rows, 0),
            columns_used: used(&self.columns, 1),
            row_ties: self.rows.ties(),
            column_ties: self.columns.ties(),
            cyclic: None,
        }
    }
}

impl Chooser {
    /// The maximum sum of the weights that are `counted`, given which choices the other side uses.
    ///
    /// The weights are those of some best way to choose, for scores within their intervals: no choice of the other side
    /// takes more than the value, each that it surely uses takes exactly the value, and so does `answer`, if there is
    /// one. 0 if there are no such weights.
    fn most_of(&self, counted: &dyn Fn(usize) -> bool, own: &[Use], others: &[Use], answer: Option<usize>) -> f64 {
        let alive: Vec<usize> = (0..own.len()).filter(|&at| own[at] != Use::Never).collect();
        // The weights, and the value times their sum. All limits except the last are 0, so weights that satisfy them do
        // so at any scale.
        let line = |weight: &dyn Fn(usize) -> f64, value: f64| -> Vec<f64> {
            alive.iter().map(|&at| weight(at)).chain([value]).collect()
        };
        let mut rows = vec![line(&|_| -self.value.1, 1.0), line(&|_| self.value.0, -1.0)];
        for (other, used) in others.iter().enumerate() {
            rows.push(line(&|at| self.least[other][at], -1.0));
            if *used == Use::Sure || answer == Some(other) {
                rows.push(line(&|at| -self.most[other][at], 1.0));
            }
        }
        let mut limits = vec![0.0; rows.len()];
        rows.push(line(&|_| 1.0, 0.0));
        limits.push(1.0);
        let goal = line(&|at| f64::from(u8::from(counted(at))), 0.0);
        greatest(&goal, &rows, &limits).value
    }

    /// The limits of each weight.
    fn weights(&self, own: &[Use], others: &[Use]) -> Vec<(f64, f64)> {
        let most = |at: usize, own_weight: bool| {
            self.most_of(&|other| (other == at) == own_weight, own, others, None).clamp(0.0, 1.0)
        };
        let ends = |at: usize| {
            if own[at] == Use::Never { (0.0, 0.0) } else { (1.0 - most(at, false), most(at, true)) }
        };
        (0..own.len()).map(ends).collect()
    }

    /// Updates the knowledge of the side's own choices, from their weights.
    fn used(&self, own: &[Use], others: &[Use]) -> Vec<Use> {
        let of = |(used, (low, high)): (&Use, (f64, f64))| match used {
            Use::Open if low > SAME => Use::Sure,
            Use::Open if high <= SAME => Use::Never,
            known => *known,
        };
        own.iter().zip(self.weights(own, others)).map(of).collect()
    }

    /// Updates the knowledge of the other side's choices: a choice that is not a best reply to any possible weights is
    /// never used.
    fn answered(&self, own: &[Use], others: &[Use]) -> Vec<Use> {
        let of = |(at, used): (usize, &Use)| match used {
            Use::Open if self.most_of(&|_| true, own, others, Some(at)) < 0.5 => Use::Never,
            known => *known,
        };
        others.iter().enumerate().map(of).collect()
    }
}

/// Bounds on the cyclic share of a table if all scores lie within their intervals; `None` if the point estimates have
/// none.
///
/// The share is that of one part of the table in the sum of squares of two, and no part changes by more than the whole
/// table does.
pub(super) fn cyclic_ends(scores: &[Vec<Estimate>]) -> Option<(f64, f64)> {
    let points: Vec<Vec<f64>> = scores.iter().map(|row| row.iter().map(|score| score.point).collect()).collect();
    let share = cyclic_share(&points)?;
    let all = points.iter().flatten();
    let mean = all.clone().sum::<f64>() / all.clone().count() as f64;
    let whole = all.map(|point| (point - mean).powi(2)).sum::<f64>().sqrt();
    let moved = scores.iter().flatten().map(|score| score.half_width().powi(2)).sum::<f64>().sqrt();
    let (cyclic, ladder) = (whole * share.sqrt(), whole * (1.0 - share).max(0.0).sqrt());
    let part = |one: f64, other: f64| {
        let (one, other) = (one.max(0.0), other.max(0.0));
        if one == 0.0 { 0.0 } else { one.powi(2) / (one.powi(2) + other.powi(2)) }
    };
    Some((part(cyclic - moved, ladder + moved).min(share), part(cyclic + moved, ladder - moved).max(share)))
}

#[cfg(test)]
mod tests {
    use grognard_stats::Level;
    use proptest::collection::vec;
    use proptest::prelude::{Strategy, prop_assert, proptest};

    use super::*;

    fn within(point: f64, half: f64) -> Estimate {
        Estimate { point, low: (point - half).max(0.0), high: (point + half).min(1.0), level: Level::P95, runs: 64 }
    }

    fn table(points: &[&[f64]], half: f64) -> Vec<Vec<Estimate>> {
        points.iter().map(|row| row.iter().map(|&point| within(point, half)).collect()).collect()
    }

    fn spread(scores: &[Vec<Estimate>]) -> Spread {
        let merged = Merged::of(scores);
        merged.bounds(merged.value())
    }

    /// A table, the precision of each entry, and another table within these limits.
    fn tables() -> impl Strategy<Value = (Vec<Vec<(f64, f64)>>, f64)> {
        let entry = || ((0_i32..=20).prop_map(|part| f64::from(part) / 20.0), -1.0..=1.0);
        let table = (1_usize..5, 1_usize..5).prop_flat_map(move |(rows, columns)| vec(vec(entry(), columns), rows));
        (table, (0_i32..4).prop_map(|tenth| f64::from(tenth) / 10.0))
    }

    proptest! {
        /// For any scores within their intervals, the equilibrium and the cyclic share lie within the bounds.
        #[test]
        fn the_ends_hold_every_table_within_the_intervals((table, half) in tables()) {
            let scores: Vec<Vec<Estimate>> =
                table.iter().map(|row| row.iter().map(|&(point, _)| within(point, half)).collect()).collect();
            let real: Vec<Vec<f64>> = table
                .iter()
                .map(|row| row.iter().map(|&(point, by)| (point + half * by).clamp(0.0, 1.0)).collect())
                .collect();
            let (spread, best) = (spread(&scores), equilibrium(&real));
            let sides = [
                (&spread.rows, &spread.rows_used, &spread.row_ties, &best.rows),
                (&spread.columns, &spread.columns_used, &spread.column_ties, &best.columns),
            ];
            for (ends, used, ties, weights) in sides {
                for (at, &weight) in weights.iter().enumerate() {
                    let (low, high) = ends[at];
                    prop_assert!(low - 1e-6 <= weight && weight <= high + 1e-6, "{at}: {weight} not in {low} to {high}");
                    prop_assert!(used[at] != Use::Never || weight < 1e-6, "{at} is used");
                    let tied = ties.iter().any(|tie| tie.contains(&at));
                    prop_assert!(used[at] != Use::Sure || weight > 0.0 || tied, "{at} is not used");
                }
            }
            if let (Some((low, high)), Some(share)) = (cyclic_ends(&scores), cyclic_share(&real)) {
                prop_assert!(low - 1e-9 <= share && share <= high + 1e-9, "{share} not in {low} to {high}");
            }
        }
    }

    /// Rock beats scissors by 30 points, paper beats rock by 20, scissors beat paper by 10: weights of 1/6, 1/2 and
    /// 1/3. If every score is known to within one point, all are certainly used; if only to within 20 points, none is.
    #[test]
    fn a_support_is_determined_by_good_scores_only() {
        let points: [&[f64]; 3] = [&[0.5, 0.3, 0.8], &[0.7, 0.5, 0.4], &[0.2, 0.6, 0.5]];
        let known = spread(&table(&points, 0.01));
        assert_eq!((&known.rows_used, &known.columns_used), (&vec![Use::Sure; 3], &vec![Use::Sure; 3]));
        for ((low, high), weight) in known.rows.iter().zip([1.0 / 6.0, 0.5, 1.0 / 3.0]) {
            assert!(*low < weight && weight < *high && high - low < 0.25, "{known:?}");
        }
        let vague = spread(&table(&points, 0.2));
        assert_eq!(vague.rows_used, vec![Use::Open; 3], "{vague:?}");
        let exact = spread(&table(&points, 0.0));
        assert!(exact.rows.iter().chain(&exact.columns).all(|(low, high)| high - low < 1e-3), "{exact:?}");
    }

    /// A choice that scores a tenth less wherever it matters is never used, however close the others are.
    #[test]
    fn what_is_no_answer_to_anything_is_never_used() {
        let known = spread(&table(&[&[0.7, 0.3], &[0.3, 0.7], &[0.4, 0.4]], 0.02));
        assert_eq!(known.rows_used, [Use::Sure, Use::Sure, Use::Never], "{known:?}");
        assert_eq!(known.rows[2], (0.0, 0.0));
    }

    #[test]
    fn choices_that_are_the_same_share_their_weight() {
        let scores = table(&[&[0.7, 0.3, 0.3], &[0.3, 0.7, 0.7]], 0.02);
        let (merged, known) = (Merged::of(&scores), spread(&scores));
        assert_eq!((known.row_ties.len(), &known.column_ties), (0, &vec![vec![1, 2]]));
        let columns = merged.best().columns;
        assert!(columns.iter().zip([0.5, 0.25, 0.25]).all(|(one, other)| (one - other).abs() < 1e-9), "{columns:?}");
        assert_eq!(known.columns_used, [Use::Sure; 3]);
        // Either of them may have the full weight of both.
        assert!(known.columns[1].0 == 0.0 && known.columns[1].1 > 0.49, "{known:?}");
        assert_eq!(known.columns[1], known.columns[2]);
    }
}
