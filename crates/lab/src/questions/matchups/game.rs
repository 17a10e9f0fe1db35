//! Zero-sum games in which each side chooses once, without seeing the other's choice.

/// Anything smaller is a rounding error.
const ROUNDING: f64 = 1e-9;

/// An equilibrium: the best choices of both sides.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Equilibrium {
    /// The weight of each row.
    pub rows: Vec<f64>,
    /// The weight of each column.
    pub columns: Vec<f64>,
    /// The payoff to the side that chooses the row.
    pub value: f64,
}

/// An equilibrium of the game with these payoffs to the side that chooses the row: one of them if there are several.
///
/// The columns' linear program is solved by the simplex method; the rows' solution is its dual. An empty game is worth
/// nothing.
#[must_use]
pub fn equilibrium(payoff: &[Vec<f64>]) -> Equilibrium {
    let (rows, columns) = (payoff.len(), payoff.first().map_or(0, Vec::len));
    if rows == 0 || columns == 0 {
        return Equilibrium { rows: vec![0.0; rows], columns: vec![0.0; columns], value: 0.0 };
    }
    let least = payoff.iter().flatten().copied().fold(f64::INFINITY, f64::min);
    // Every payoff is 1 or more, so the maximum sum of y with A·y ≤ 1 and y ≥ 0 is the reciprocal of the value.
    let raised: Vec<Vec<f64>> =
        payoff.iter().map(|row| row.iter().map(|payoff| payoff - least + 1.0).collect()).collect();
    let solved = greatest(&vec![1.0; columns], &raised, &vec![1.0; rows]);
    Equilibrium { rows: shares(solved.prices), columns: shares(solved.at), value: 1.0 / solved.value + least - 1.0 }
}

/// The solution of a linear program.
#[derive(Clone, Debug)]
pub(super) struct Solved {
    /// The point that maximises the goal.
    pub(super) at: Vec<f64>,
    /// The shadow price of each limit: the solution of the dual program.
    pub(super) prices: Vec<f64>,
    /// The value of the goal there.
    pub(super) value: f64,
}

/// The maximum of `goal`·x with A·x ≤ `limits` and x ≥ 0, for limits that are 0 or more, by the simplex method with
/// Bland's rule, so that it ends. The program must be bounded.
pub(super) fn greatest(goal: &[f64], rows: &[Vec<f64>], limits: &[f64]) -> Solved {
    let (columns, count) = (goal.len(), rows.len());
    let width = columns + count + 1;
    let mut tableau: Vec<Vec<f64>> = rows
        .iter()
        .zip(limits)
        .enumerate()
        .map(|(row, (own, limit))| {
            let mut line = own.clone();
            line.resize(width, 0.0);
            line[columns + row] = 1.0;
            line[width - 1] = *limit;
            line
        })
        .collect();
    let mut costs: Vec<f64> = goal.iter().map(|value| -value).collect();
    costs.resize(width, 0.0);
    let mut basis: Vec<usize> = (columns..columns + count).collect();
    while let Some(enters) = (0..width - 1).find(|&at| costs[at] < -ROUNDING) {
        let ratio = |line: &Vec<f64>| line[width - 1] / line[enters];
        let candidates = (0..count).filter(|&row| tableau[row][enters] > ROUNDING);
        let order = |one: &usize, other: &usize| {
            let (own, others) = (ratio(&tableau[*one]), ratio(&tableau[*other]));
            if (own - others).abs() <= ROUNDING * own.abs().max(others.abs()) {
                basis[*one].cmp(&basis[*other])
            } else {
                own.total_cmp(&others)
            }
        };
        let Some(leaves) = candidates.min_by(order) else { break };
        pivot(&mut tableau, &mut costs, leaves, enters);
        basis[leaves] = enters;
    }
    let mut at = vec![0.0; columns];
    for (line, &place) in tableau.iter().zip(&basis) {
        if place < columns {
            at[place] = line[width - 1];
        }
    }
    Solved { at, prices: costs[columns..width - 1].to_vec(), value: costs[width - 1] }
}

/// Makes column `enters` a unit vector with its 1 in row `leaves`.
fn pivot(tableau: &mut [Vec<f64>], goal: &mut [f64], leaves: usize, enters: usize) {
    let by = 1.0 / tableau[leaves][enters];
    tableau[leaves].iter_mut().for_each(|entry| *entry *= by);
    let source = tableau[leaves].clone();
    let others = tableau.iter_mut().enumerate().filter(|(row, _)| *row != leaves).map(|(_, line)| line.as_mut_slice());
    for line in others.chain([goal]) {
        let times = line[enters];
        if times != 0.0 {
            line.iter_mut().zip(&source).for_each(|(entry, source)| *entry -= times * source);
            line[enters] = 0.0;
        }
    }
}

/// The weights as shares of one, with rounding errors set to 0.
fn shares(mut weights: Vec<f64>) -> Vec<f64> {
    let sum: f64 = weights.iter().sum();
    for weight in &mut weights {
        *weight = if *weight < ROUNDING * sum { 0.0 } else { *weight / sum };
    }
    weights
}

/// The cyclic part of a table of payoffs: the share of its sum of squares, about its mean, that remains after row and
/// column effects. It is 0 if each choice is good or bad in itself, and 1 if it depends entirely on the other choice,
/// as in rock, paper, scissors. `None` if all payoffs are equal.
#[must_use]
pub fn cyclic_share(payoff: &[Vec<f64>]) -> Option<f64> {
    let (rows, columns) = (payoff.len(), payoff.first().map_or(0, Vec::len));
    let mean = |values: &mut dyn Iterator<Item = f64>, count: usize| values.sum::<f64>() / count as f64;
    let all = mean(&mut payoff.iter().flatten().copied(), rows * columns);
    let of_row: Vec<f64> = payoff.iter().map(|row| mean(&mut row.iter().copied(), columns)).collect();
    let of_column: Vec<f64> =
        (0..columns).map(|column| mean(&mut payoff.iter().map(|row| row[column]), rows)).collect();
    let (mut whole, mut left) = (0.0, 0.0);
    for (row, payoff) in payoff.iter().enumerate() {
        for (column, payoff) in payoff.iter().enumerate() {
            whole += (payoff - all).powi(2);
            left += (payoff - of_row[row] - of_column[column] + all).powi(2);
        }
    }
    (whole > ROUNDING * ROUNDING).then(|| left / whole)
}

#[cfg(test)]
mod tests {
    use proptest::collection::vec;
    use proptest::prelude::{Strategy, prop_assert, proptest};

    use super::*;

    fn near(one: &[f64], other: &[f64]) {
        let far = one.len() != other.len() || one.iter().zip(other).any(|(one, other)| (one - other).abs() > 1e-9);
        assert!(!far, "{one:?} is not {other:?}");
    }

    #[test]
    fn games_with_known_solutions() {
        // Matching pennies.
        let even = equilibrium(&[vec![1.0, -1.0], vec![-1.0, 1.0]]);
        near(&even.rows, &[0.5, 0.5]);
        near(&[even.value], &[0.0]);
        // Rock beats scissors by 3, paper beats rock by 2, scissors beat paper by 1: each weight is proportional to the
        // margin between the other two.
        let weighted = [vec![0.0, -2.0, 3.0], vec![2.0, 0.0, -1.0], vec![-3.0, 1.0, 0.0]];
        let weighted = equilibrium(&weighted);
        near(&weighted.rows, &[1.0 / 6.0, 0.5, 1.0 / 3.0]);
        near(&weighted.columns, &weighted.rows);
        near(&[weighted.value], &[0.0]);
        // A saddle point: the second row and the first column.
        let saddle = equilibrium(&[vec![1.0, 5.0, 2.0], vec![3.0, 4.0, 6.0]]);
        near(&saddle.rows, &[0.0, 1.0]);
        near(&saddle.columns, &[1.0, 0.0, 0.0]);
        near(&[saddle.value], &[3.0]);
        // Two rows against three columns (von Neumann's graphical method): the lines 2 − x and 3x meet at one half, and
        // 3x + 2(1 − x) lies above.
        let graph = equilibrium(&[vec![1.0, 3.0, 3.0], vec![2.0, 0.0, 2.0]]);
        near(&graph.rows, &[0.5, 0.5]);
        near(&graph.columns, &[0.75, 0.25, 0.0]);
        near(&[graph.value], &[1.5]);
        near(&equilibrium(&[vec![0.25]]).rows, &[1.0]);
    }

    #[test]
    fn a_ladder_has_no_cycle_and_rock_paper_scissors_nothing_else() {
        let ladder: Vec<Vec<f64>> =
            (0..4).map(|row| (0..4).map(|column| 0.5 + 0.1 * f64::from(row - column)).collect()).collect();
        assert!(cyclic_share(&ladder).is_some_and(|share| share < 1e-12));
        let cycle = [vec![0.5, 0.2, 0.8], vec![0.8, 0.5, 0.2], vec![0.2, 0.8, 0.5]];
        assert!(cyclic_share(&cycle).is_some_and(|share| (share - 1.0).abs() < 1e-12));
        // A ranking with steps of 0.1 and a cycle of 0.3: sums of squares of 0.12 and 0.54 in the table.
        let both: Vec<Vec<f64>> = (0..3)
            .map(|row: usize| {
                let entry = |column: usize| ladder[row][column] + 0.3 * [0.0, -1.0, 1.0][(3 + column - row) % 3];
                (0..3).map(entry).collect()
            })
            .collect();
        assert!(cyclic_share(&both).is_some_and(|share| (share - 0.54 / 0.66).abs() < 1e-12), "{both:?}");
        assert_eq!(cyclic_share(&[vec![0.5, 0.5], vec![0.5, 0.5]]), None);
    }

    fn games() -> impl Strategy<Value = Vec<Vec<f64>>> {
        // Only a few different payoffs, so that many games are degenerate.
        (1_usize..7, 1_usize..7).prop_flat_map(|(rows, columns)| {
            vec(vec((0_i32..6).prop_map(|sixth| f64::from(sixth) / 5.0), columns), rows)
        })
    }

    proptest! {
        /// By definition, no choice of the other side does better against the equilibrium than its value.
        #[test]
        fn nobody_gains_by_choosing_otherwise(payoff in games()) {
            let Equilibrium { rows, columns, value } = equilibrium(&payoff);
            for weights in [&rows, &columns] {
                prop_assert!((weights.iter().sum::<f64>() - 1.0).abs() < 1e-9 && weights.iter().all(|&weight| weight >= 0.0));
            }
            for row in &payoff {
                let gained: f64 = row.iter().zip(&columns).map(|(payoff, weight)| payoff * weight).sum();
                prop_assert!(gained <= value + 1e-9);
            }
            for column in 0..columns.len() {
                let kept: f64 = payoff.iter().zip(&rows).map(|(row, weight)| row[column] * weight).sum();
                prop_assert!(kept >= value - 1e-9);
            }
        }
    }
}
