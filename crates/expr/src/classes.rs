//! The classes into which conditions divide the values of one variable.

use std::collections::BTreeMap;

use super::Bounds;
use super::linear::LinearTest;
use super::node::{Node, Operation, Situation};
use super::scope::Var;

/// Widest domain whose values are tried individually if the points where conditions change cannot be determined.
const TRIED_MAX: i64 = 16_384;

/// Domains up to this size are always tried value by value: determining where the conditions change would take longer.
const TRIED_ALWAYS: i64 = 32;

/// The values of one variable, divided so that no atom distinguishes two values of a class.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Partition {
    /// Runs of values of one class: where each begins, ascending from the variable's minimum, and its class.
    pub(super) runs: Vec<(i32, u16)>,
    /// The values of the atoms, by atom and then by class.
    pub(super) values: Vec<Vec<i32>>,
}

impl Partition {
    /// Divides the values within `bounds` by `atoms`, which use no other variable.
    ///
    /// `None` if there are too many values to try, or too many classes.
    pub(super) fn new(bounds: Bounds, atoms: &[&Node]) -> Option<Self> {
        let mut classes: BTreeMap<Vec<i32>, u16> = BTreeMap::new();
        let mut partition = Partition { runs: Vec::new(), values: vec![Vec::new(); atoms.len()] };
        let mut last: Vec<i32> = Vec::new();
        for value in candidates(bounds, atoms)? {
            let signature: Vec<i32> = atoms.iter().map(|atom| atom.eval(&Alone(value))).collect();
            if signature == last && !partition.runs.is_empty() {
                continue;
            }
            last.clone_from(&signature);
            let class = match classes.get(&signature) {
                Some(class) => *class,
                None => {
                    let class = u16::try_from(classes.len()).ok()?;
                    partition.values.iter_mut().zip(&signature).for_each(|(values, value)| values.push(*value));
                    classes.insert(signature, class);
                    class
                }
            };
            partition.runs.push((value, class));
        }
        Some(partition)
    }

    /// How many classes there are.
    pub(super) fn classes(&self) -> usize {
        self.runs.iter().map(|(_, class)| usize::from(*class) + 1).max().unwrap_or(1)
    }
}

/// A situation in which every variable has the same value: enough for nodes with one variable.
struct Alone(i32);

impl Situation for Alone {
    fn value(&self, _: Var) -> i32 {
        self.0
    }
}

/// Values, ascending from the minimum, such that all atoms are constant from each one up to the next.
fn candidates(bounds: Bounds, atoms: &[&Node]) -> Option<Vec<i32>> {
    let size = i64::from(bounds.max) - i64::from(bounds.min) + 1;
    let mut turns = vec![i64::from(bounds.min)];
    if size > TRIED_ALWAYS && atoms.iter().all(|atom| add_turns(atom, &mut turns)) {
        let within = |turn: &i64| (i64::from(bounds.min)..=i64::from(bounds.max)).contains(turn);
        turns.retain(within);
        turns.sort_unstable();
        turns.dedup();
        return turns.into_iter().map(|turn| i32::try_from(turn).ok()).collect();
    }
    (size <= TRIED_MAX).then(|| (bounds.min..=bounds.max).collect())
}

/// Adds every value at which the node's value may differ from the one before; false if this cannot be determined.
fn add_turns(node: &Node, turns: &mut Vec<i64>) -> bool {
    match node {
        Node::Constant(_) => true,
        Node::Value(_) => false,
        Node::Call(Operation::OneOf(values), operands) if matches!(operands[0], Node::Value(_)) => {
            turns.extend(values.iter().flat_map(|value| [i64::from(*value), i64::from(*value) + 1]));
            true
        }
        Node::Call(_, operands) => match LinearTest::of(node).and_then(|test| test.turns()) {
            Some(at) => {
                turns.extend(at);
                true
            }
            None => operands.iter().all(|operand| add_turns(operand, turns)),
        },
    }
}

#[cfg(test)]
mod tests {
    use super::super::node::Comparison;
    use super::*;

    fn bounds(min: i32, max: i32) -> Bounds {
        Bounds { var: Var(0), min, max, price: 0, bits: None }
    }

    fn compare(how: Comparison, left: Node, right: i32) -> Node {
        Node::call(Operation::Compare(how), [left, Node::Constant(right)])
    }

    #[test]
    fn bands_become_classes_and_equal_bands_one_class() {
        let near = compare(Comparison::LessOrEqual, Node::Value(Var(0)), 600);
        let far = compare(Comparison::Greater, Node::Value(Var(0)), 2400);
        let either = Node::call(Operation::Any, [near.clone(), far.clone()]);
        let partition = Partition::new(bounds(0, 7200), &[&either]).expect("few classes");
        assert_eq!(partition.runs, [(0, 0), (601, 1), (2401, 0)]);
        assert_eq!(partition.values, [[1, 0]]);
        let apart = Partition::new(bounds(0, 7200), &[&near, &far]).expect("few classes");
        assert_eq!(apart.runs, [(0, 0), (601, 1), (2401, 2)]);
        assert_eq!(apart.values, [[1, 0, 0], [0, 0, 1]]);
    }

    #[test]
    fn what_cannot_be_told_is_tried_value_by_value() {
        let third = Node::call(Operation::Divide(3), [Node::Value(Var(0))]);
        let partition = Partition::new(bounds(-50, 50), &[&compare(Comparison::GreaterOrEqual, third.clone(), 2)]);
        assert_eq!(partition.expect("101 values").runs, [(-50, 0), (6, 1)]);
        assert_eq!(Partition::new(bounds(0, 16_384), &[&third]), None);
        let told = compare(Comparison::Less, Node::Value(Var(0)), 5);
        let partition = Partition::new(bounds(i32::MIN, i32::MAX), &[&told]).expect("two classes");
        assert_eq!(partition.runs, [(i32::MIN, 0), (5, 1)]);
    }
}
